; run: prove_checks
; What branches say of a sum of variables in which threads differ.

declare void @panic(i64) noreturn
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; if base + thread < n { a[block * n + base + thread] }, in a loop: n * blocks <= length, not that and a block's threads.
define ptx_kernel void @tile(ptr %a, i64 %length, i32 %n, ptr %out, i32 "ptyx-proof" %proof) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %block, %n
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %body, label %exit
body:
  %base = phi i32 [ 0, %0 ], [ %next, %latch ]
  %place = add i32 %base, %thread
  %inside = icmp slt i32 %place, %n
  br i1 %inside, label %asks, label %latch
asks:
  %row = add i32 %first, %thread
  %index = add i32 %row, %base
  %at = sext i32 %index to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p
  store float %x, ptr %out
  br label %latch
latch:
  %next = add i32 %base, 128
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %exit
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; Of twice the thread, a branch says nothing: each variable has its own bound.
define ptx_kernel void @twice(ptr %a, i64 %length, i32 %n, ptr %out, i32 "ptyx-proof" %proof) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %body, label %exit
body:
  %base = phi i32 [ 0, %0 ], [ %next, %latch ]
  %place = add i32 %base, %thread
  %inside = icmp slt i32 %place, %n
  br i1 %inside, label %asks, label %latch
asks:
  %double = shl i32 %thread, 1
  %index = add i32 %double, %base
  %at = sext i32 %index to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p
  store float %x, ptr %out
  br label %latch
latch:
  %next = add i32 %base, 128
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %exit
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; What is loaded may be any number, so what is compared may have wrapped around: nothing is known.
define ptx_kernel void @wraps(ptr %a, i64 %length, i32 %n, ptr %out, i32 "ptyx-proof" %proof) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %loaded = load i32, ptr %out
  %place = add i32 %loaded, %thread
  %inside = icmp slt i32 %place, %n
  br i1 %inside, label %asks, label %exit
asks:
  %wide.loaded = sext i32 %loaded to i64
  %wide.thread = zext i32 %thread to i64
  %at = add i64 %wide.loaded, %wide.thread
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p
  store float %x, ptr %out
  br label %exit
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64) #0

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

define ptx_kernel void @tile(ptr %a, i64 %length, i32 %n, ptr %out, i32 "ptyx-proof"="p2 b0 t0 p1;;2147483520 -1*0,2147483649 -1*0*1 -1*2,2147483649 -1*0 -1*2,-1*0*1 1*3" %proof) {
start:
  %0 = icmp ugt i32 %proof, 0
  br i1 %0, label %start1, label %1

1:                                                ; preds = %start
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %block, %n
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %body, label %exit

body:                                             ; preds = %latch, %1
  %base = phi i32 [ 0, %1 ], [ %next, %latch ]
  %place = add i32 %base, %thread
  %inside = icmp slt i32 %place, %n
  br i1 %inside, label %asks, label %latch

asks:                                             ; preds = %body
  %row = add i32 %first, %thread
  %index = add i32 %row, %base
  %at = sext i32 %index to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %asks
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p, align 4
  store float %x, ptr %out, align 4
  br label %latch

latch:                                            ; preds = %more, %body
  %next = add i32 %base, 128
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %exit, !llvm.loop !0

fail:                                             ; preds = %asks
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %latch, %1
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %3 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %4 = mul i32 %3, %n
  %5 = icmp sgt i32 %n, 0
  br i1 %5, label %start2, label %start7

start2:                                           ; preds = %start5, %start1
  %6 = phi i32 [ 0, %start1 ], [ %15, %start5 ]
  %7 = add i32 %6, %2
  %8 = icmp slt i32 %7, %n
  br i1 %8, label %start3, label %start5

start3:                                           ; preds = %start2
  %9 = add i32 %4, %2
  %10 = add i32 %9, %6
  %11 = sext i32 %10 to i64
  %12 = icmp ult i64 %11, %length
  br i1 true, label %start4, label %start6

start4:                                           ; preds = %start3
  %13 = getelementptr float, ptr %a, i64 %11
  %14 = load float, ptr %13, align 4
  store float %14, ptr %out, align 4
  br label %start5

start5:                                           ; preds = %start4, %start2
  %15 = add i32 %6, 128
  %16 = icmp slt i32 %15, %n
  br i1 %16, label %start2, label %start7

start6:                                           ; preds = %start3
  call void @panic(i64 %11)
  unreachable

start7:                                           ; preds = %start5, %start1
  ret void
}

define ptx_kernel void @twice(ptr %a, i64 %length, i32 %n, ptr %out, i32 "ptyx-proof"="p2 t0 p1;;2147483520 -1*0,2147483650 -1*0 -2*1,2 1*2 -1*0 -2*1" %proof) {
start:
  %0 = icmp ugt i32 %proof, 0
  br i1 %0, label %start1, label %1

1:                                                ; preds = %start
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %body, label %exit

body:                                             ; preds = %latch, %1
  %base = phi i32 [ 0, %1 ], [ %next, %latch ]
  %place = add i32 %base, %thread
  %inside = icmp slt i32 %place, %n
  br i1 %inside, label %asks, label %latch

asks:                                             ; preds = %body
  %double = shl i32 %thread, 1
  %index = add i32 %double, %base
  %at = sext i32 %index to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %asks
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p, align 4
  store float %x, ptr %out, align 4
  br label %latch

latch:                                            ; preds = %more, %body
  %next = add i32 %base, 128
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %exit, !llvm.loop !3

fail:                                             ; preds = %asks
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %latch, %1
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %3 = icmp sgt i32 %n, 0
  br i1 %3, label %start2, label %start7

start2:                                           ; preds = %start5, %start1
  %4 = phi i32 [ 0, %start1 ], [ %13, %start5 ]
  %5 = add i32 %4, %2
  %6 = icmp slt i32 %5, %n
  br i1 %6, label %start3, label %start5

start3:                                           ; preds = %start2
  %7 = shl i32 %2, 1
  %8 = add i32 %7, %4
  %9 = sext i32 %8 to i64
  %10 = icmp ult i64 %9, %length
  br i1 true, label %start4, label %start6

start4:                                           ; preds = %start3
  %11 = getelementptr float, ptr %a, i64 %9
  %12 = load float, ptr %11, align 4
  store float %12, ptr %out, align 4
  br label %start5

start5:                                           ; preds = %start4, %start2
  %13 = add i32 %4, 128
  %14 = icmp slt i32 %13, %n
  br i1 %14, label %start2, label %start7

start6:                                           ; preds = %start3
  call void @panic(i64 %9)
  unreachable

start7:                                           ; preds = %start5, %start1
  ret void
}

define ptx_kernel void @wraps(ptr %a, i64 %length, i32 %n, ptr %out, i32 "ptyx-proof" %proof) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %loaded = load i32, ptr %out, align 4
  %place = add i32 %loaded, %thread
  %inside = icmp slt i32 %place, %n
  br i1 %inside, label %asks, label %exit

asks:                                             ; preds = %0
  %wide.loaded = sext i32 %loaded to i64
  %wide.thread = zext i32 %thread to i64
  %at = add i64 %wide.loaded, %wide.thread
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %asks
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p, align 4
  store float %x, ptr %out, align 4
  br label %exit

fail:                                             ; preds = %asks
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %0
  ret void
}

attributes #0 = { noreturn }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = !{!"ptyx.loop.checked"}
!3 = distinct !{!3, !1, !2}
