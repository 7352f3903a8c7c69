; run: internalise
; Functions and variables become internal. The entry does not, nor what the host looks up by its name, the functions of
; panics, dynamic shared memory, and what is only declared.

@table = constant i32 5
@weak = weak global i32 5
@__ptyx_static_c0_TABLE = addrspace(4) constant [4 x i8] c"abcd"
@__ptyx_panic_module = weak addrspace(4) global i64 0
@ptyx_dynamic_shared = external addrspace(3) global [0 x i8], align 16
@elsewhere = external global i32

declare void @declared()

define weak void @__ptyx_panic_bounds(i64 %index, i64 %len, ptr %location) {
  ret void
}

define void @__ptyx_panics(i64 %index) {
  ret void
}

define weak_odr i32 @helper() {
  %x = load i32, ptr @table
  ret i32 %x
}

define internal ptx_kernel void @kernel() {
  call void @declared()
  ret void
}

; becomes:
@table = internal constant i32 5
@weak = internal global i32 5
@__ptyx_static_c0_TABLE = addrspace(4) constant [4 x i8] c"abcd"
@__ptyx_panic_module = addrspace(4) global i64 0
@ptyx_dynamic_shared = external addrspace(3) global [0 x i8], align 16
@elsewhere = external global i32

declare void @declared()

define weak void @__ptyx_panic_bounds(i64 %index, i64 %len, ptr %location) {
  ret void
}

define internal void @__ptyx_panics(i64 %index) {
  ret void
}

define internal i32 @helper() {
  %x = load i32, ptr @table, align 4
  ret i32 %x
}

define dso_local ptx_kernel void @kernel() {
  call void @declared()
  ret void
}
