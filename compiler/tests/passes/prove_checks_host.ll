; run: prove_checks
; The host is asked, where it knows all numbers: the parameter says what. Rows and columns by a division, a clamped neighbour, and one
; that wraps around.

declare void @panic(i64) noreturn
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)

; i < h * w: a[(i / w) * w + i % w], b[max(i % w - 1, 0)], b[min(i % w + 1, w - 1)], b[i % w + 1 == w ? 0 : i % w + 1].
define ptx_kernel void @pixels(ptr %a, i64 %length, ptr %b, i64 %columns, i32 %h, i32 %w, i32 "ptyx-proof"="" %proof) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %all = mul i32 %h, %w
  %inside = icmp slt i32 %i, %all
  br i1 %inside, label %first, label %exit
first:
  %y = udiv i32 %i, %w
  %x = urem i32 %i, %w
  %row = mul i32 %y, %w
  %own = add i32 %row, %x
  %at = sext i32 %own to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %second, label %fail
second:
  %before = add i32 %x, -1
  %left = call i32 @llvm.smax.i32(i32 %before, i32 0)
  %at.left = zext i32 %left to i64
  %ok.left = icmp ult i64 %at.left, %columns
  br i1 %ok.left, label %third, label %fail
third:
  %after = add i32 %x, 1
  %last = add i32 %w, -1
  %right = call i32 @llvm.smin.i32(i32 %after, i32 %last)
  %at.right = sext i32 %right to i64
  %ok.right = icmp ult i64 %at.right, %columns
  br i1 %ok.right, label %fourth, label %fail
fourth:
  %is.last = icmp eq i32 %after, %w
  %next = select i1 %is.last, i32 0, i32 %after
  %at.next = zext i32 %next to i64
  %ok.next = icmp ult i64 %at.next, %columns
  br i1 %ok.next, label %store, label %fail
store:
  %p = getelementptr i32, ptr %a, i64 %at
  %q = getelementptr i32, ptr %b, i64 %at.next
  store i32 1, ptr %p
  store i32 2, ptr %q
  br label %exit
fail:
  call void @panic(i64 0)
  unreachable
exit:
  ret void
}

!0 = !{i32 0, i32 1024}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64) #0

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #2

define ptx_kernel void @pixels(ptr %a, i64 %length, ptr %b, i64 %columns, i32 %h, i32 %w, i32 "ptyx-proof"="p5 p4 p1 p3;;2147483647 -1*0*1,-1*0*1 1*2,2147483647 -1*0,-2 1*0,-1*0 1*3" %proof) {
start:
  %0 = icmp ugt i32 %proof, 0
  br i1 %0, label %start1, label %1

1:                                                ; preds = %start
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %all = mul i32 %h, %w
  %inside = icmp slt i32 %i, %all
  br i1 %inside, label %first, label %exit

first:                                            ; preds = %1
  %y = udiv i32 %i, %w
  %x = urem i32 %i, %w
  %row = mul i32 %y, %w
  %own = add i32 %row, %x
  %at = sext i32 %own to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %second, label %fail

second:                                           ; preds = %first
  %before = add i32 %x, -1
  %left = call i32 @llvm.smax.i32(i32 %before, i32 0)
  %at.left = zext i32 %left to i64
  %ok.left = icmp ult i64 %at.left, %columns
  br i1 %ok.left, label %third, label %fail

third:                                            ; preds = %second
  %after = add i32 %x, 1
  %last = add i32 %w, -1
  %right = call i32 @llvm.smin.i32(i32 %after, i32 %last)
  %at.right = sext i32 %right to i64
  %ok.right = icmp ult i64 %at.right, %columns
  br i1 %ok.right, label %fourth, label %fail

fourth:                                           ; preds = %third
  %is.last = icmp eq i32 %after, %w
  %next = select i1 %is.last, i32 0, i32 %after
  %at.next = zext i32 %next to i64
  %ok.next = icmp ult i64 %at.next, %columns
  br i1 %ok.next, label %store, label %fail

store:                                            ; preds = %fourth
  %p = getelementptr i32, ptr %a, i64 %at
  %q = getelementptr i32, ptr %b, i64 %at.next
  store i32 1, ptr %p, align 4
  store i32 2, ptr %q, align 4
  br label %exit

fail:                                             ; preds = %fourth, %third, %second, %first
  call void @panic(i64 0)
  unreachable

exit:                                             ; preds = %store, %1
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %3 = mul i32 %h, %w
  %4 = icmp slt i32 %2, %3
  br i1 %4, label %start2, label %start8

start2:                                           ; preds = %start1
  %5 = udiv i32 %2, %w
  %6 = urem i32 %2, %w
  %7 = mul i32 %5, %w
  %8 = add i32 %7, %6
  %9 = sext i32 %8 to i64
  %10 = icmp ult i64 %9, %length
  br i1 true, label %start3, label %start7

start3:                                           ; preds = %start2
  %11 = add i32 %6, -1
  %12 = call i32 @llvm.smax.i32(i32 %11, i32 0)
  %13 = zext i32 %12 to i64
  %14 = icmp ult i64 %13, %columns
  br i1 true, label %start4, label %start7

start4:                                           ; preds = %start3
  %15 = add i32 %6, 1
  %16 = add i32 %w, -1
  %17 = call i32 @llvm.smin.i32(i32 %15, i32 %16)
  %18 = sext i32 %17 to i64
  %19 = icmp ult i64 %18, %columns
  br i1 true, label %start5, label %start7

start5:                                           ; preds = %start4
  %20 = icmp eq i32 %15, %w
  %21 = select i1 %20, i32 0, i32 %15
  %22 = zext i32 %21 to i64
  %23 = icmp ult i64 %22, %columns
  br i1 true, label %start6, label %start7

start6:                                           ; preds = %start5
  %24 = getelementptr i32, ptr %a, i64 %9
  %25 = getelementptr i32, ptr %b, i64 %22
  store i32 1, ptr %24, align 4
  store i32 2, ptr %25, align 4
  br label %start8

start7:                                           ; preds = %start5, %start4, %start3, %start2
  call void @panic(i64 0)
  unreachable

start8:                                           ; preds = %start6, %start1
  ret void
}

attributes #0 = { noreturn }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{i32 0, i32 1024}
