; A panic in a branch that only some threads of a warp take.
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %some = icmp ult i64 %i, 7
  br i1 %some, label %loop, label %join
loop:
  %j = phi i64 [ %i, %0 ], [ %next, %inside ]
  %at = getelementptr i64, ptr %a, i64 %j
  %next = load i64, ptr %at
  %ok = icmp ult i64 %next, %n
  br i1 %ok, label %inside, label %fail
inside:
  %done = icmp eq i64 %next, %m
  br i1 %done, label %join, label %loop
join:
  %to = getelementptr float, ptr %b, i64 %i
  store float %x, ptr %to
  ret void
fail:
  call void @__ptyx_panic_bounds(i64 %next, i64 %n, ptr @place)
  unreachable
}
