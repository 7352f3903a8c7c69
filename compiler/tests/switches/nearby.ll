; A relaxed load that no thread waits for.
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %old = load atomic i32, ptr %a syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  store i32 %old, ptr %b
  ret void
}

!0 = !{}
