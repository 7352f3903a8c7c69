; run: widen_narrow_atomics
; An update of 8 or 16 bits becomes a loop of compare-exchanges of its word, which nothing else touches: of
; each operation, also of a pointer in global memory. One that fails with a weaker order keeps that order. Updates of 32
; and 64 bits, and plain narrow loads and stores, stay.

define ptx_kernel void @kernel(ptr %p, ptr addrspace(3) %s, i8 %x) {
  %a = atomicrmw add ptr %p, i8 %x syncscope("device") monotonic
  %b = cmpxchg ptr addrspace(3) %s, i16 1, i16 2 syncscope("block") acq_rel acquire
  %c = atomicrmw add ptr %p, i32 1 monotonic
  ret void
}

define void @operations(ptr addrspace(1) %p, i16 %x, i8 %y) {
  %a = atomicrmw xchg ptr addrspace(1) %p, i16 %x monotonic
  %b = atomicrmw nand ptr addrspace(1) %p, i16 %x acquire
  %c = atomicrmw min ptr addrspace(1) %p, i8 %y release
  %d = atomicrmw umax ptr addrspace(1) %p, i8 %y acq_rel
  ret void
}

define void @weaker_failure(ptr %p, i8 %x) {
  %a = cmpxchg ptr %p, i8 0, i8 %x acq_rel monotonic
  ret void
}

define void @others(ptr %p, i64 %x) {
  %a = load atomic i8, ptr %p monotonic, align 1
  store atomic i8 %a, ptr %p monotonic, align 1
  %b = atomicrmw add ptr %p, i64 %x monotonic
  %c = cmpxchg ptr %p, i32 0, i32 1 monotonic monotonic
  ret void
}

; becomes:
define ptx_kernel void @kernel(ptr %p, ptr addrspace(3) %s, i8 %x) {
  %1 = call i8 @ptyx.narrow_atomic.0(ptr %p, i8 %x)
  %2 = call { i16, i1 } @ptyx.narrow_atomic.1(ptr addrspace(3) %s, i16 1, i16 2)
  %c = atomicrmw add ptr %p, i32 1 monotonic, align 4
  ret void
}

define void @operations(ptr addrspace(1) %p, i16 %x, i8 %y) {
  %1 = call i16 @ptyx.narrow_atomic.2(ptr addrspace(1) %p, i16 %x)
  %2 = call i16 @ptyx.narrow_atomic.3(ptr addrspace(1) %p, i16 %x)
  %3 = call i8 @ptyx.narrow_atomic.4(ptr addrspace(1) %p, i8 %y)
  %4 = call i8 @ptyx.narrow_atomic.5(ptr addrspace(1) %p, i8 %y)
  ret void
}

define void @weaker_failure(ptr %p, i8 %x) {
  %1 = call { i8, i1 } @ptyx.narrow_atomic.6(ptr %p, i8 0, i8 %x)
  ret void
}

define void @others(ptr %p, i64 %x) {
  %a = load atomic i8, ptr %p monotonic, align 1
  store atomic i8 %a, ptr %p monotonic, align 1
  %b = atomicrmw add ptr %p, i64 %x monotonic, align 8
  %c = cmpxchg ptr %p, i32 0, i32 1 monotonic monotonic, align 4
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

; Function Attrs: alwaysinline
define internal i16 @ptyx.narrow_atomic.2(ptr addrspace(1) %0, i16 %1) #0 {
start:
  %2 = ptrtoint ptr addrspace(1) %0 to i64
  %3 = and i64 %2, 3
  %4 = sub i64 0, %3
  %5 = trunc i64 %3 to i32
  %6 = shl i32 %5, 3
  %7 = shl i32 65535, %6
  %8 = xor i32 %7, -1
  %9 = getelementptr i8, ptr addrspace(1) %0, i64 %4
  %10 = load atomic i16, ptr addrspace(1) %0 monotonic, align 2
  %11 = zext i16 %10 to i32
  %12 = shl i32 %11, %6
  br label %start1

start1:                                           ; preds = %start1, %start
  %13 = phi i32 [ %12, %start ], [ %21, %start1 ]
  %14 = lshr i32 %13, %6
  %15 = trunc i32 %14 to i16
  %16 = and i32 %13, %8
  %17 = zext i16 %1 to i32
  %18 = shl i32 %17, %6
  %19 = or i32 %16, %18
  %20 = cmpxchg ptr addrspace(1) %9, i32 %13, i32 %19 monotonic monotonic, align 4
  %21 = extractvalue { i32, i1 } %20, 0
  %22 = extractvalue { i32, i1 } %20, 1
  br i1 %22, label %start2, label %start1

start2:                                           ; preds = %start1
  ret i16 %15
}

; Function Attrs: alwaysinline
define internal i16 @ptyx.narrow_atomic.3(ptr addrspace(1) %0, i16 %1) #0 {
start:
  %2 = ptrtoint ptr addrspace(1) %0 to i64
  %3 = and i64 %2, 3
  %4 = sub i64 0, %3
  %5 = trunc i64 %3 to i32
  %6 = shl i32 %5, 3
  %7 = shl i32 65535, %6
  %8 = xor i32 %7, -1
  %9 = getelementptr i8, ptr addrspace(1) %0, i64 %4
  %10 = load atomic i16, ptr addrspace(1) %0 monotonic, align 2
  %11 = zext i16 %10 to i32
  %12 = shl i32 %11, %6
  br label %start1

start1:                                           ; preds = %start1, %start
  %13 = phi i32 [ %12, %start ], [ %23, %start1 ]
  %14 = lshr i32 %13, %6
  %15 = trunc i32 %14 to i16
  %16 = and i16 %15, %1
  %17 = xor i16 %16, -1
  %18 = and i32 %13, %8
  %19 = zext i16 %17 to i32
  %20 = shl i32 %19, %6
  %21 = or i32 %18, %20
  %22 = cmpxchg ptr addrspace(1) %9, i32 %13, i32 %21 acquire acquire, align 4
  %23 = extractvalue { i32, i1 } %22, 0
  %24 = extractvalue { i32, i1 } %22, 1
  br i1 %24, label %start2, label %start1

start2:                                           ; preds = %start1
  ret i16 %15
}

; Function Attrs: alwaysinline
define internal i8 @ptyx.narrow_atomic.4(ptr addrspace(1) %0, i8 %1) #0 {
start:
  %2 = ptrtoint ptr addrspace(1) %0 to i64
  %3 = and i64 %2, 3
  %4 = sub i64 0, %3
  %5 = trunc i64 %3 to i32
  %6 = shl i32 %5, 3
  %7 = shl i32 255, %6
  %8 = xor i32 %7, -1
  %9 = getelementptr i8, ptr addrspace(1) %0, i64 %4
  %10 = load atomic i8, ptr addrspace(1) %0 monotonic, align 1
  %11 = zext i8 %10 to i32
  %12 = shl i32 %11, %6
  br label %start1

start1:                                           ; preds = %start1, %start
  %13 = phi i32 [ %12, %start ], [ %23, %start1 ]
  %14 = lshr i32 %13, %6
  %15 = trunc i32 %14 to i8
  %16 = icmp slt i8 %15, %1
  %17 = select i1 %16, i8 %15, i8 %1
  %18 = and i32 %13, %8
  %19 = zext i8 %17 to i32
  %20 = shl i32 %19, %6
  %21 = or i32 %18, %20
  %22 = cmpxchg ptr addrspace(1) %9, i32 %13, i32 %21 release monotonic, align 4
  %23 = extractvalue { i32, i1 } %22, 0
  %24 = extractvalue { i32, i1 } %22, 1
  br i1 %24, label %start2, label %start1

start2:                                           ; preds = %start1
  ret i8 %15
}

; Function Attrs: alwaysinline
define internal i8 @ptyx.narrow_atomic.5(ptr addrspace(1) %0, i8 %1) #0 {
start:
  %2 = ptrtoint ptr addrspace(1) %0 to i64
  %3 = and i64 %2, 3
  %4 = sub i64 0, %3
  %5 = trunc i64 %3 to i32
  %6 = shl i32 %5, 3
  %7 = shl i32 255, %6
  %8 = xor i32 %7, -1
  %9 = getelementptr i8, ptr addrspace(1) %0, i64 %4
  %10 = load atomic i8, ptr addrspace(1) %0 monotonic, align 1
  %11 = zext i8 %10 to i32
  %12 = shl i32 %11, %6
  br label %start1

start1:                                           ; preds = %start1, %start
  %13 = phi i32 [ %12, %start ], [ %23, %start1 ]
  %14 = lshr i32 %13, %6
  %15 = trunc i32 %14 to i8
  %16 = icmp ugt i8 %15, %1
  %17 = select i1 %16, i8 %15, i8 %1
  %18 = and i32 %13, %8
  %19 = zext i8 %17 to i32
  %20 = shl i32 %19, %6
  %21 = or i32 %18, %20
  %22 = cmpxchg ptr addrspace(1) %9, i32 %13, i32 %21 acq_rel acquire, align 4
  %23 = extractvalue { i32, i1 } %22, 0
  %24 = extractvalue { i32, i1 } %22, 1
  br i1 %24, label %start2, label %start1

start2:                                           ; preds = %start1
  ret i8 %15
}

; Function Attrs: alwaysinline
define internal { i8, i1 } @ptyx.narrow_atomic.6(ptr %0, i8 %1, i8 %2) #0 {
start:
  %3 = ptrtoint ptr %0 to i64
  %4 = and i64 %3, 3
  %5 = sub i64 0, %4
  %6 = trunc i64 %4 to i32
  %7 = shl i32 %6, 3
  %8 = shl i32 255, %7
  %9 = xor i32 %8, -1
  %10 = getelementptr i8, ptr %0, i64 %5
  %11 = zext i8 %1 to i32
  %12 = shl i32 %11, %7
  %13 = zext i8 %2 to i32
  %14 = shl i32 %13, %7
  br label %start1

start1:                                           ; preds = %start2, %start
  %15 = phi i32 [ %12, %start ], [ %19, %start2 ]
  %16 = and i32 %15, %9
  %17 = or i32 %16, %14
  %18 = cmpxchg ptr %10, i32 %15, i32 %17 acq_rel monotonic, align 4
  %19 = extractvalue { i32, i1 } %18, 0
  %20 = extractvalue { i32, i1 } %18, 1
  br i1 %20, label %start3, label %start2

start2:                                           ; preds = %start1
  %21 = lshr i32 %19, %7
  %22 = trunc i32 %21 to i8
  %23 = icmp eq i8 %22, %1
  br i1 %23, label %start1, label %start4

start3:                                           ; preds = %start1
  %24 = insertvalue { i8, i1 } undef, i8 %1, 0
  %25 = insertvalue { i8, i1 } %24, i1 true, 1
  ret { i8, i1 } %25

start4:                                           ; preds = %start2
  %26 = insertvalue { i8, i1 } undef, i8 %22, 0
  %27 = insertvalue { i8, i1 } %26, i1 false, 1
  ret { i8, i1 } %27
}

attributes #0 = { alwaysinline }
