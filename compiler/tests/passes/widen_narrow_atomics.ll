; run: widen_narrow_atomics
; An update of 8 or 16 bits becomes a loop of compare-exchanges of its word, which nothing else touches.

define ptx_kernel void @kernel(ptr %p, ptr addrspace(3) %s, i8 %x) {
  %a = atomicrmw add ptr %p, i8 %x syncscope("device") monotonic
  %b = cmpxchg ptr addrspace(3) %s, i16 1, i16 2 syncscope("block") acq_rel acquire
  %c = atomicrmw add ptr %p, i32 1 monotonic
  ret void
}

; becomes:
define ptx_kernel void @kernel(ptr %p, ptr addrspace(3) %s, i8 %x) {
  %1 = call i8 @ptyx.narrow_atomic.0(ptr %p, i8 %x)
  %2 = call { i16, i1 } @ptyx.narrow_atomic.1(ptr addrspace(3) %s, i16 1, i16 2)
  %c = atomicrmw add ptr %p, i32 1 monotonic, align 4
  ret void
}

; Function Attrs: alwaysinline
define internal i8 @ptyx.narrow_atomic.0(ptr %0, i8 %1) #0 {
start:
  %2 = ptrtoint ptr %0 to i64
  %3 = and i64 %2, 3
  %4 = sub i64 0, %3
  %5 = trunc i64 %3 to i32
  %6 = shl i32 %5, 3
  %7 = shl i32 255, %6
  %8 = xor i32 %7, -1
  %9 = getelementptr i8, ptr %0, i64 %4
  %10 = load atomic i8, ptr %0 syncscope("device") monotonic, align 1
  %11 = zext i8 %10 to i32
  %12 = shl i32 %11, %6
  br label %start1

start1:                                           ; preds = %start1, %start
  %13 = phi i32 [ %12, %start ], [ %22, %start1 ]
  %14 = lshr i32 %13, %6
  %15 = trunc i32 %14 to i8
  %16 = add i8 %15, %1
  %17 = and i32 %13, %8
  %18 = zext i8 %16 to i32
  %19 = shl i32 %18, %6
  %20 = or i32 %17, %19
  %21 = cmpxchg ptr %9, i32 %13, i32 %20 syncscope("device") monotonic monotonic, align 4
  %22 = extractvalue { i32, i1 } %21, 0
  %23 = extractvalue { i32, i1 } %21, 1
  br i1 %23, label %start2, label %start1

start2:                                           ; preds = %start1
  ret i8 %15
}

; Function Attrs: alwaysinline
define internal { i16, i1 } @ptyx.narrow_atomic.1(ptr addrspace(3) %0, i16 %1, i16 %2) #0 {
start:
  %3 = ptrtoint ptr addrspace(3) %0 to i64
  %4 = and i64 %3, 3
  %5 = sub i64 0, %4
  %6 = trunc i64 %4 to i32
  %7 = shl i32 %6, 3
  %8 = shl i32 65535, %7
  %9 = xor i32 %8, -1
  %10 = getelementptr i8, ptr addrspace(3) %0, i64 %5
  %11 = zext i16 %1 to i32
  %12 = shl i32 %11, %7
  %13 = zext i16 %2 to i32
  %14 = shl i32 %13, %7
  br label %start1

start1:                                           ; preds = %start2, %start
  %15 = phi i32 [ %12, %start ], [ %19, %start2 ]
  %16 = and i32 %15, %9
  %17 = or i32 %16, %14
  %18 = cmpxchg ptr addrspace(3) %10, i32 %15, i32 %17 syncscope("block") acq_rel acquire, align 4
  %19 = extractvalue { i32, i1 } %18, 0
  %20 = extractvalue { i32, i1 } %18, 1
  br i1 %20, label %start3, label %start2

start2:                                           ; preds = %start1
  %21 = lshr i32 %19, %7
  %22 = trunc i32 %21 to i16
  %23 = icmp eq i16 %22, %1
  br i1 %23, label %start1, label %start4

start3:                                           ; preds = %start1
  %24 = insertvalue { i16, i1 } undef, i16 %1, 0
  %25 = insertvalue { i16, i1 } %24, i1 true, 1
  ret { i16, i1 } %25

start4:                                           ; preds = %start2
  %26 = insertvalue { i16, i1 } undef, i16 %22, 0
  %27 = insertvalue { i16, i1 } %26, i1 false, 1
  ret { i16, i1 } %27
}

attributes #0 = { alwaysinline }
