; run: bind_launch
; What asks about the launch reads the entry's last parameters: where the record is and the launch's number in the stream,
; directly in the entry, through a copy in shared memory elsewhere. Nothing asks for printing or whether the launch is
; cooperative, and a function of a similar name is no question.

declare i64 @__ptyx_panic_slot()
declare i32 @__ptyx_launch_number()
declare i64 @__ptyx_print_queue()
declare i64 @__ptyx_panic_slots()

define void @called(ptr %out) noinline {
  %slot = call i64 @__ptyx_panic_slot()
  %other = call i64 @__ptyx_panic_slots()
  store volatile i64 %slot, ptr %out
  store volatile i64 %other, ptr %out
  ret void
}

define ptx_kernel void @kernel(ptr %out, i64 %slot, i32 %number, i64 %queue, i32 %cooperative) {
  %here = call i64 @__ptyx_panic_slot()
  %launch = call i32 @__ptyx_launch_number()
  store volatile i64 %here, ptr %out
  store volatile i32 %launch, ptr %out
  call void @called(ptr %out)
  ret void
}

; becomes:
@ptyx_launch = internal addrspace(3) global [32 x i8] undef, align 32

declare i64 @__ptyx_panic_slot()

declare i32 @__ptyx_launch_number()

declare i64 @__ptyx_print_queue()

declare i64 @__ptyx_panic_slots()

; Function Attrs: noinline
define void @called(ptr %out) #0 {
  %1 = load i64, ptr addrspace(3) @ptyx_launch, align 8
  %other = call i64 @__ptyx_panic_slots()
  store volatile i64 %1, ptr %out, align 4
  store volatile i64 %other, ptr %out, align 4
  ret void
}

define ptx_kernel void @kernel(ptr %out, i64 %slot, i32 %number, i64 %queue, i32 %cooperative) {
  store i64 %slot, ptr addrspace(3) @ptyx_launch, align 8
  store volatile i64 %slot, ptr %out, align 4
  store volatile i32 %number, ptr %out, align 4
  call void @called(ptr %out)
  ret void
}

attributes #0 = { noinline }
; says: LaunchInfo { reports_panics: true, prints: false, asks_cooperative: false, is_copied: true }
