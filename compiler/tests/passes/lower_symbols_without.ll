; run: lower_symbols
; Functions of other names are not ours, and arrays that are in shared memory already stay. A kernel without a dimension
; requirement may have all three.

@array = internal addrspace(3) global [64 x i8] undef, align 16

declare ptr @shared_static(ptr, i64, i64)
declare void @exit() noreturn
declare void @__ptyx_exit_all() noreturn

define void @kernel(ptr %out) {
  %a = call ptr @shared_static(ptr %out, i64 64, i64 4)
  store ptr %a, ptr %out
  store ptr addrspacecast (ptr addrspace(3) @array to ptr), ptr %out
  call void @__ptyx_exit_all()
  call void @exit()
  unreachable
}

; becomes:
@array = internal addrspace(3) global [64 x i8] undef, align 16

declare ptr @shared_static(ptr, i64, i64)

; Function Attrs: noreturn
declare void @exit() #0

; Function Attrs: noreturn
declare void @__ptyx_exit_all() #0

define void @kernel(ptr %out) {
  %a = call ptr @shared_static(ptr %out, i64 64, i64 4)
  store ptr %a, ptr %out, align 8
  store ptr addrspacecast (ptr addrspace(3) @array to ptr), ptr %out, align 8
  call void @__ptyx_exit_all()
  call void @exit()
  unreachable
}

attributes #0 = { noreturn }
; says: 0 bytes of static shared memory
; says: grids of at most 3 dimensions, blocks of at most 3
