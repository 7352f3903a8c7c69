; What a branch decides is known when it is asked again.
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  switch i64 %n, label %other [
    i64 3, label %three
    i64 7, label %seven
  ]
three:
  store volatile i32 3, ptr %a
  br label %join
seven:
  store volatile i32 7, ptr %a
  br label %join
other:
  store volatile i32 0, ptr %a
  br label %join
join:
  %which = phi i8 [ 5, %three ], [ 6, %seven ], [ 9, %other ]
  store volatile i32 1, ptr %b
  switch i8 %which, label %end [
    i8 5, label %again.three
    i8 6, label %again.seven
  ]
again.three:
  store volatile i32 33, ptr %a
  br label %end
again.seven:
  store volatile i32 77, ptr %a
  br label %end
end:
  ret void
}
