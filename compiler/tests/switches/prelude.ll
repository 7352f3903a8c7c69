; Comes before each file of this folder: what the device library has of panics, and how the kernel's arguments are read.
; A file defines the kernel, `@body`, whose output differs if the pass of the file's name is switched off.

declare void @__ptyx_kernel_marker()
declare i64 @__ptyx_panic_slot()
declare void @__ptyx_exit() noreturn
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

@here = private constant i8 0
@file = private constant [4 x i8] c"a.rs"
@place = private constant <{ ptr, [16 x i8] }> <{ ptr @file, [16 x i8] c"\04\00\00\00\00\00\00\00\07\00\00\00\05\00\00\00" }>

define weak void @__ptyx_panic_bounds(i64 %index, i64 %len, ptr %location) noreturn noinline {
  unreachable
}
define weak void @__ptyx_panic_str(ptr %text, i64 %len, ptr %location) noreturn noinline {
  unreachable
}
define weak void @__ptyx_panic_begin(ptr %location) noinline {
  ret void
}
define weak void @__ptyx_panic_text(i64 %header, i64 %options, ptr %text, i64 %len) noinline {
  ret void
}
define weak void @__ptyx_panic_value(i64 %header, i64 %options, i64 %low, i64 %high) noinline {
  ret void
}
define weak void @__ptyx_panic_end() noreturn noinline {
  unreachable
}
define weak ptr @__ptyx_panic_claim() noinline {
  %slot = call i64 @__ptyx_panic_slot()
  %record = inttoptr i64 %slot to ptr
  ret ptr %record
}
define weak void @__ptyx_panic_finish(ptr %parts, i32 %number) noreturn noinline {
  store volatile i32 %number, ptr %parts
  call void @__ptyx_exit()
  unreachable
}

define void @__ptyx_unpack_0_0(ptr %arg.a, ptr %arg.b, ptr %arg.n, ptr %arg.m, ptr %arg.x) {
  %a = load ptr, ptr %arg.a
  %b = load ptr, ptr %arg.b
  %n = load i64, ptr %arg.n
  %m = load i64, ptr %arg.m
  %x = load float, ptr %arg.x
  call void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x)
  ret void
}

