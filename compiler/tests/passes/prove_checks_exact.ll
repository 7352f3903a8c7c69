; run: prove_checks, step_addresses
; An extension that is exact where a check is, but not in the last iteration.

declare void @panic(i64) noreturn

define ptx_kernel void @last(ptr %a, i64 %length, ptr %t, i32 %n, i32 %first, i32 %stride, ptr %out) {
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %i.next, %more ]
  %s = phi i32 [ 0, %0 ], [ %s.next, %more ]
  %m = mul i32 %i, %stride
  %x = add i32 %m, %first
  %e = sext i32 %x to i64
  %low = icmp slt i32 %x, -2147483584
  br i1 %low, label %table, label %test
table:
  %j = add nsw i64 %e, 2147483648
  %q = getelementptr i32, ptr %t, i64 %j
  %v = load i32, ptr %q
  %s.t = add i32 %s, %v
  br label %test
test:
  %s.1 = phi i32 [ %s, %head ], [ %s.t, %table ]
  %ends = icmp sge i32 %i, %n
  br i1 %ends, label %exit, label %body
body:
  %ok = icmp ult i64 %e, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %e
  %w = load i32, ptr %p
  %s.next = add i32 %s.1, %w
  %i.next = add nsw i32 %i, 1
  br label %head
fail:
  call void @panic(i64 %e)
  unreachable
exit:
  store i32 %s.1, ptr %out
  ret void
}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64) #0

define ptx_kernel void @last(ptr %a, i64 %length, ptr %t, i32 %n, i32 %first, i32 %stride, ptr %out) {
start:
  %0 = zext i32 %stride to i64
  %1 = add i64 2147483647, %0
  %2 = zext i32 %n to i64
  %3 = icmp ult i64 %0, 1073741824
  %4 = icmp ult i64 %2, 1073741824
  %5 = mul i64 %0, %2
  %6 = zext i32 %first to i64
  %7 = add i64 %5, %6
  %8 = icmp ule i64 %7, %1
  %9 = icmp ult i64 %length, 1152921504606846976
  %10 = add i64 %length, %0
  %11 = mul i64 %0, %2
  %12 = add i64 1, %11
  %13 = add i64 %12, %6
  %14 = icmp ule i64 %13, %10
  %15 = and i1 %3, %4
  %16 = and i1 %15, %8
  %17 = and i1 %16, %9
  %18 = and i1 %17, %14
  %19 = and i1 true, %18
  br i1 %19, label %start1, label %20

20:                                               ; preds = %start
  %21 = sext i32 %first to i64
  %22 = sext i32 %stride to i64
  %23 = mul i64 %22, 0
  %24 = add i64 %21, %23
  %25 = add i64 %24, 2147483648
  %26 = icmp ult i64 %25, 4294967296
  %27 = add i64 %21, 2147483648
  br label %head

head:                                             ; preds = %more, %20
  %i = phi i32 [ 0, %20 ], [ %i.next, %more ]
  %s = phi i32 [ 0, %20 ], [ %s.next, %more ]
  %m = mul i32 %i, %stride
  %x = add i32 %m, %first
  %e = sext i32 %x to i64
  %low = icmp slt i32 %x, -2147483584
  br i1 %low, label %table, label %test

table:                                            ; preds = %head
  %j = add nsw i64 %e, 2147483648
  %q = getelementptr i32, ptr %t, i64 %j
  %v = load i32, ptr %q, align 4
  %s.t = add i32 %s, %v
  br label %test

test:                                             ; preds = %table, %head
  %s.1 = phi i32 [ %s, %head ], [ %s.t, %table ]
  %ends = icmp sge i32 %i, %n
  br i1 %ends, label %exit, label %body

body:                                             ; preds = %test
  %ok = icmp ult i64 %e, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %e
  %w = load i32, ptr %p, align 4
  %s.next = add i32 %s.1, %w
  %i.next = add nsw i32 %i, 1
  br label %head, !llvm.loop !0

fail:                                             ; preds = %body
  call void @panic(i64 %e)
  unreachable

exit:                                             ; preds = %test
  store i32 %s.1, ptr %out, align 4
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %28 = sext i32 %first to i64
  %29 = sext i32 %stride to i64
  %30 = mul i64 %29, 0
  %31 = add i64 %28, %30
  %32 = add i64 %31, 2147483648
  %33 = icmp ult i64 %32, 4294967296
  %34 = add i64 %28, 2147483648
  br label %start2

start2:                                           ; preds = %start6, %start1
  %35 = phi i32 [ 0, %start1 ], [ %51, %start6 ]
  %36 = phi i32 [ 0, %start1 ], [ %50, %start6 ]
  %37 = mul i32 %35, %stride
  %38 = add i32 %37, %first
  %39 = sext i32 %38 to i64
  %40 = icmp slt i32 %38, -2147483584
  br i1 %40, label %start3, label %start4

start3:                                           ; preds = %start2
  %41 = add nsw i64 %39, 2147483648
  %42 = getelementptr i32, ptr %t, i64 %41
  %43 = load i32, ptr %42, align 4
  %44 = add i32 %36, %43
  br label %start4

start4:                                           ; preds = %start3, %start2
  %45 = phi i32 [ %36, %start2 ], [ %44, %start3 ]
  %46 = icmp sge i32 %35, %n
  br i1 %46, label %start8, label %start5

start5:                                           ; preds = %start4
  %47 = icmp ult i64 %39, %length
  br i1 true, label %start6, label %start7

start6:                                           ; preds = %start5
  %48 = getelementptr i32, ptr %a, i64 %39
  %49 = load i32, ptr %48, align 4
  %50 = add i32 %45, %49
  %51 = add nsw i32 %35, 1
  br label %start2

start7:                                           ; preds = %start5
  call void @panic(i64 %39)
  unreachable

start8:                                           ; preds = %start4
  store i32 %45, ptr %out, align 4
  ret void
}

attributes #0 = { noreturn }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = !{!"ptyx.loop.checked"}
