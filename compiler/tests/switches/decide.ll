; A tree whose active threads halve: its places are below 263, which is the length.
; without: -prove
@sums = internal addrspace(3) global [263 x float] undef
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %t = zext i32 %thread to i64
  br label %loop
loop:
  %offset = phi i64 [ 1, %0 ], [ %twice, %next ]
  %d = phi i64 [ 128, %0 ], [ %half, %next ]
  %is_active = icmp ult i64 %t, %d
  br i1 %is_active, label %active, label %next
active:
  %first = mul i64 %t, 2
  %second = add i64 %first, 2
  %end = mul i64 %offset, %second
  %last = sub i64 %end, 1
  %row = lshr i64 %last, 5
  %at = add i64 %last, %row
  %fits = icmp ult i64 %at, 263
  br i1 %fits, label %store, label %fails
store:
  %p = getelementptr inbounds float, ptr addrspace(3) @sums, i64 %at
  store volatile float %x, ptr addrspace(3) %p
  br label %next
fails:
  call void @__ptyx_panic_bounds(i64 %at, i64 263, ptr @place)
  unreachable
next:
  %twice = mul i64 %offset, 2
  %half = lshr i64 %d, 1
  %more = icmp ne i64 %half, 0
  br i1 %more, label %loop, label %done
done:
  ret void
}
!0 = !{i32 0, i32 1024}
