; Two checks, each in a branch of its own.
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %first = icmp ult i64 %i, %m
  br i1 %first, label %one, label %next
one:
  %i.ok = icmp ult i64 %i, %n
  br i1 %i.ok, label %load.one, label %fail.i
load.one:
  %from = getelementptr inbounds i32, ptr %a, i64 %i
  %value = load i32, ptr %from
  store i32 %value, ptr %b
  br label %next
next:
  %j = mul i64 %i, 3
  %second = icmp ult i64 %j, %m
  br i1 %second, label %two, label %done
two:
  %j.ok = icmp ult i64 %j, %n
  br i1 %j.ok, label %load.two, label %fail.j
load.two:
  %from.j = getelementptr inbounds i32, ptr %a, i64 %j
  %other = load i32, ptr %from.j
  %to = getelementptr inbounds i32, ptr %b, i64 1
  store i32 %other, ptr %to
  br label %done
done:
  ret void
fail.i:
  call void @__ptyx_panic_bounds(i64 %i, i64 %n, ptr @place)
  unreachable
fail.j:
  call void @__ptyx_panic_bounds(i64 %j, i64 %n, ptr @place)
  unreachable
}
