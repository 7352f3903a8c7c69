; A loop with `continue`, of which LLVM makes two.
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  br label %head
head:
  %i = phi i64 [ 0, %0 ], [ %next, %inside ], [ %next, %rest ]
  %sum = phi i32 [ 1, %0 ], [ %sum, %inside ], [ %more, %rest ]
  %done = icmp uge i64 %i, %n
  br i1 %done, label %exit, label %inside
inside:
  %next = add i64 %i, 1
  %at = getelementptr i32, ptr %a, i64 %i
  %value = load volatile i32, ptr %at
  %skip = icmp eq i32 %value, 0
  br i1 %skip, label %head, label %rest
rest:
  %other = load volatile i32, ptr %b
  %product = mul i32 %sum, %other
  %more = add i32 %product, %value
  br label %head
exit:
  store i32 %sum, ptr %b
  ret void
}
