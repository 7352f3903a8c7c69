; Threads below 8: the place in the padded array is below 528.
@tile = internal addrspace(3) global [528 x float] undef
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %is_active = icmp ult i32 %t, 8
  br i1 %is_active, label %active, label %done
active:
  %twice = shl i32 %t, 1
  %odd = or i32 %twice, 1
  %far = mul i32 %odd, 32
  %last = add i32 %far, -1
  %row = lshr i32 %last, 5
  %place = add i32 %last, %row
  %at = zext i32 %place to i64
  %fits = icmp ult i64 %at, 528
  br i1 %fits, label %store, label %fails
store:
  %p = getelementptr inbounds float, ptr addrspace(3) @tile, i64 %at
  store volatile float %x, ptr addrspace(3) %p
  br label %done
fails:
  call void @__ptyx_panic_bounds(i64 %at, i64 528, ptr @place)
  unreachable
done:
  ret void
}
!0 = !{i32 0, i32 1024}
