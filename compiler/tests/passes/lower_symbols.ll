; run: lower_symbols
; Shared arrays are one for each identity and size, and end with a word; a requirement goes; ends are instructions.

@here = private constant i8 0
@there = private constant i8 1
@odd = private constant i8 2

declare ptr @__ptyx_shared_static(ptr, i64, i64)
declare ptr @__ptyx_shared_dynamic()
declare void @__ptyx_require_dims(i32, i32)
declare void @__ptyx_exit() noreturn
declare void @__ptyx_trap() noreturn

define void @arrays(ptr %out) {
  %a = call ptr @__ptyx_shared_static(ptr @here, i64 64, i64 4)
  %same = call ptr @__ptyx_shared_static(ptr @here, i64 64, i64 4)
  %b = call ptr @__ptyx_shared_static(ptr @there, i64 64, i64 32)
  %c = call ptr @__ptyx_shared_dynamic()
  %d = call ptr @__ptyx_shared_static(ptr @odd, i64 7, i64 1)
  store ptr %d, ptr %out
  store ptr %a, ptr %out
  store ptr %same, ptr %out
  store ptr %b, ptr %out
  store ptr %c, ptr %out
  ret void
}

define void @ends(i1 %which) {
  call void @__ptyx_require_dims(i32 2, i32 1)
  br i1 %which, label %exit, label %trap
exit:
  call void @__ptyx_exit()
  unreachable
trap:
  call void @__ptyx_trap()
  unreachable
}

; becomes:
@here = private constant i8 0
@there = private constant i8 1
@odd = private constant i8 2
@shared_array = internal addrspace(3) externally_initialized global [8 x i8] undef, align 16
@shared_array1 = internal addrspace(3) externally_initialized global [64 x i8] undef, align 32
@shared_array2 = internal addrspace(3) externally_initialized global [64 x i8] undef, align 16
@ptyx_dynamic_shared = external addrspace(3) global [0 x i8], align 16

declare ptr @__ptyx_shared_static(ptr, i64, i64)

declare ptr @__ptyx_shared_dynamic()

declare void @__ptyx_require_dims(i32, i32)

; Function Attrs: noreturn
declare void @__ptyx_exit() #0

; Function Attrs: noreturn
declare void @__ptyx_trap() #0

define void @arrays(ptr %out) {
  store ptr addrspacecast (ptr addrspace(3) @shared_array to ptr), ptr %out, align 8
  store ptr addrspacecast (ptr addrspace(3) @shared_array2 to ptr), ptr %out, align 8
  store ptr addrspacecast (ptr addrspace(3) @shared_array2 to ptr), ptr %out, align 8
  store ptr addrspacecast (ptr addrspace(3) @shared_array1 to ptr), ptr %out, align 8
  store ptr addrspacecast (ptr addrspace(3) @ptyx_dynamic_shared to ptr), ptr %out, align 8
  ret void
}

define void @ends(i1 %which) {
  br i1 %which, label %exit, label %trap

exit:                                             ; preds = %0
  call void asm sideeffect "exit;", "~{memory}"() #1
  unreachable

trap:                                             ; preds = %0
  call void asm sideeffect "trap;", "~{memory}"() #1
  unreachable
}

attributes #0 = { noreturn }
attributes #1 = { convergent noreturn }
; says: 160 bytes of static shared memory
; says: grids of at most 2 dimensions, blocks of at most 1
