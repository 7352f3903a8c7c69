; run: lower_intrinsics
; Special registers have a range; what needs a newer architecture raises the kernel's, and assembly says
; whether it has effects. Functions that are none of the table stay.

declare i32 @__ptyx_tid_x()
declare i32 @__ptyx_barrier_of_mine()
declare void @__ptyx_barrier(i32)

define i32 @thread() {
  %x = call i32 @__ptyx_tid_x()
  call void @__ptyx_barrier(i32 0)
  %y = call i32 @__ptyx_barrier_of_mine()
  %sum = add i32 %x, %y
  ret i32 %sum
}

; becomes:
declare i32 @__ptyx_tid_x()

declare i32 @__ptyx_barrier_of_mine()

declare void @__ptyx_barrier(i32)

define i32 @thread() {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %y = call i32 @__ptyx_barrier_of_mine()
  %sum = add i32 %1, %y
  ret i32 %sum
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #0

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { convergent nocallback nounwind }

!0 = !{i32 0, i32 1024}
