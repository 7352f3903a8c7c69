; run: take_marks
; A function that is no kernel has no marks, though it calls a kernel behind a branch, and though it has a knob.

declare void @__ptyx_kernel_marker()
declare void @helper()
declare void @__ptyx_kernel_knob(i32, i32, i32, i32)

define void @unpack(i1 %which) {
  call void @no_kernel(i1 %which)
  ret void
}

define void @no_kernel(i1 %which) {
  call void @__ptyx_kernel_knob(i32 0, i32 8, i32 4, i32 1)
  br i1 %which, label %yes, label %no
yes:
  call void @kernel()
  ret void
no:
  ret void
}

define void @kernel() {
  call void @__ptyx_kernel_marker()
  store volatile i32 1, ptr null
  call void @helper()
  ret void
}

; becomes:
declare void @__ptyx_kernel_marker()

declare void @helper()

declare void @__ptyx_kernel_knob(i32, i32, i32, i32)

define void @unpack(i1 %which) {
  call void @no_kernel(i1 %which)
  ret void
}

define void @no_kernel(i1 %which) {
  br i1 %which, label %yes, label %no

yes:                                              ; preds = %0
  call void @kernel()
  ret void

no:                                               ; preds = %0
  ret void
}

define void @kernel() {
  store volatile i32 1, ptr null, align 4
  call void @helper()
  ret void
}
; says: Marks { kernel: false, unchecked: false, wide: false, knobs: KernelKnobs { threads: None, maxthreads: None, blocks_per_sm: None, maxregs: None, cluster: None } }
