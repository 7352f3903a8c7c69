; Atomics on a variable of the thread.
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %variable = alloca i32
  store atomic i32 1, ptr %variable seq_cst, align 4
  %old = atomicrmw add ptr %variable, i32 2 seq_cst
  %value = load atomic i32, ptr %variable seq_cst, align 4
  store i32 %value, ptr %b
  ret void
}
