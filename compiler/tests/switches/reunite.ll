; A check in each of two branches, which a thread need not make twice.
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %first = icmp ult i64 %i, %m
  br i1 %first, label %one, label %next
one:
  %ok = icmp ult i64 %i, 32
  br i1 %ok, label %store.one, label %fail.one
store.one:
  store volatile float %x, ptr %a
  br label %next
next:
  %j = add i64 %i, 8
  %second = icmp ult i64 %j, %m
  br i1 %second, label %two, label %done
two:
  %ok.two = icmp ult i64 %i, 32
  br i1 %ok.two, label %store.two, label %fail.two
store.two:
  store volatile float %x, ptr %b
  br label %done
done:
  ret void
fail.one:
  call void @__ptyx_panic_bounds(i64 %i, i64 32, ptr @place)
  unreachable
fail.two:
  call void @__ptyx_panic_bounds(i64 %j, i64 32, ptr @place)
  unreachable
}
