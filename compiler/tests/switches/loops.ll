; An iterator's pointer comes to its end when the counter beside it does, so that the counter's check is not needed.
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %end = getelementptr inbounds i32, ptr %a, i64 %n
  br label %loop
loop:
  %p = phi ptr [ %a, %0 ], [ %p.next, %inside ]
  %i = phi i64 [ 0, %0 ], [ %i.next, %inside ]
  %done = icmp eq ptr %p, %end
  br i1 %done, label %exit, label %body
body:
  %p.next = getelementptr inbounds i8, ptr %p, i64 4
  %i.next = add i64 %i, 1
  %ok = icmp ult i64 %i, %n
  br i1 %ok, label %inside, label %fail
inside:
  %value = load i32, ptr %p
  %q = getelementptr i32, ptr %b, i64 %i
  store i32 %value, ptr %q
  br label %loop
fail:
  call void @__ptyx_panic_bounds(i64 %i, i64 %n, ptr @place)
  unreachable
exit:
  ret void
}
