; Two elements of a tile. Each is loaded by the threads whose element is inside the matrix.
@tile = internal addrspace(3) global [64 x i32] undef

define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %first = icmp ult i64 %i, %m
  br i1 %first, label %one, label %next
one:
  %from = getelementptr inbounds i32, ptr %a, i64 %i
  %value = load i32, ptr %from
  store i32 %value, ptr addrspace(3) @tile
  br label %next
next:
  %j = mul i64 %i, 3
  %second = icmp ult i64 %j, %m
  br i1 %second, label %two, label %done
two:
  %from.j = getelementptr inbounds i32, ptr %a, i64 %j
  %other = load i32, ptr %from.j
  %to = getelementptr inbounds i32, ptr addrspace(3) @tile, i64 1
  store i32 %other, ptr addrspace(3) %to
  br label %done
done:
  %any = getelementptr i32, ptr addrspace(3) @tile, i64 %n
  %kept = load i32, ptr addrspace(3) %any
  store i32 %kept, ptr %b
  ret void
}
