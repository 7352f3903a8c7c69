; run: take_marks
; What the kernel's own marks say, also through a function that makes a mark; then all marks go, those of a kernel that
; it calls, too, which say nothing about this one. Kernels may be inlined now; another function stays as it is.

declare void @__ptyx_kernel_marker()
declare void @__ptyx_unchecked_marker()
declare void @__ptyx_kernel_knob(i32, i32, i32, i32)

define void @unpack(ptr %args) {
  call void @launched(ptr %args)
  ret void
}

define internal void @launched(ptr %args) {
  call void @the_kernel(ptr %args) noinline
  ret void
}

define void @the_kernel(ptr %args) noinline {
  call void @marks()
  call void @__ptyx_kernel_knob(i32 0, i32 8, i32 4, i32 1)
  call void @__ptyx_kernel_knob(i32 3, i32 64, i32 0, i32 0)
  call void @__ptyx_kernel_knob(i32 5, i32 2, i32 2, i32 1)
  call void @other_kernel(ptr %args)
  call void @helper(ptr %args)
  ret void
}

define internal void @marks() {
  call void @__ptyx_kernel_marker()
  ret void
}

define void @other_kernel(ptr %args) noinline {
  call void @__ptyx_kernel_marker()
  call void @__ptyx_unchecked_marker()
  call void @__ptyx_kernel_knob(i32 2, i32 3, i32 0, i32 0)
  ret void
}

define void @helper(ptr %args) noinline {
  store i32 1, ptr %args
  ret void
}

; becomes:
declare void @__ptyx_kernel_marker()

declare void @__ptyx_unchecked_marker()

declare void @__ptyx_kernel_knob(i32, i32, i32, i32)

define void @unpack(ptr %args) {
  call void @launched(ptr %args)
  ret void
}

define internal void @launched(ptr %args) {
  call void @the_kernel(ptr %args) #0
  ret void
}

; Function Attrs: noinline
define void @the_kernel(ptr %args) #0 {
  call void @marks()
  call void @other_kernel(ptr %args)
  call void @helper(ptr %args)
  ret void
}

define internal void @marks() {
  ret void
}

define void @other_kernel(ptr %args) {
  ret void
}

; Function Attrs: noinline
define void @helper(ptr %args) #0 {
  store i32 1, ptr %args, align 4
  ret void
}

attributes #0 = { noinline }
; says: Marks { kernel: true, unchecked: false, wide: false, knobs: KernelKnobs { threads: Some([8, 4, 1]), maxthreads: None, blocks_per_sm: None, maxregs: Some(64), cluster: Some([2, 2, 1]) } }
