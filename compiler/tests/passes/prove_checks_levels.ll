; run: prove_checks
; Conditions in two levels, variables of loops that ask before they step, and what a jump into a loop says.

declare void @panic(i64) noreturn
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

; a[0..n] in all levels; b[tid] only where b is as long as a block has threads.
define ptx_kernel void @levels(ptr %a, i64 %length, ptr %b, i64 %threads, i64 %n, i32 "ptyx-proof"="" %proof) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %own = zext i32 %tid to i64
  %none = icmp eq i64 %n, 0
  br i1 %none, label %exit, label %body
body:
  %i = phi i64 [ 0, %0 ], [ %next, %more ]
  %ok = icmp ult i64 %i, %length
  br i1 %ok, label %second, label %fail
second:
  %ok.own = icmp ult i64 %own, %threads
  br i1 %ok.own, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %p
  %q = getelementptr i32, ptr %b, i64 %own
  store i32 %x, ptr %q
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %i)
  unreachable
exit:
  ret void
}

; Asks i < n, then steps, and stops at what is loaded: behind the step, i is at most n - 1 + step.
define ptx_kernel void @before_step(ptr %a, i64 %length, i32 %n, i32 %step, i32 "ptyx-proof"="" %proof) {
  br label %body
body:
  %i = phi i32 [ 0, %0 ], [ %next, %again ]
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %again, label %exit
again:
  %next = add i32 %i, %step
  br label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; It asks whether i differs from n, which a step may miss.
define ptx_kernel void @misses(ptr %a, i64 %length, i32 %n, i32 %step, i32 "ptyx-proof"="" %proof) {
  br label %body
body:
  %i = phi i32 [ 0, %0 ], [ %next, %again ]
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p
  %inside = icmp ne i32 %i, %n
  br i1 %inside, label %again, label %exit
again:
  %next = add i32 %i, %step
  br label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; It asks of one branch only: on the other way, the step is added without a question.
define ptx_kernel void @asks_sometimes(ptr %a, i64 %length, i32 %n, i32 %step, i1 %asks, i32 "ptyx-proof"="" %proof) {
  br label %body
body:
  %i = phi i32 [ 0, %0 ], [ %next, %again ]
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p
  br i1 %asks, label %question, label %again
question:
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %again, label %exit
again:
  %next = add i32 %i, %step
  br label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; The branch into the loop says that i begins below n.
define ptx_kernel void @jump_says(ptr %a, i64 %length, i64 %n, i32 "ptyx-proof"="" %proof) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %first = zext i32 %tid to i64
  %some = icmp ult i64 %first, %n
  br i1 %some, label %body, label %exit
body:
  %i = phi i64 [ %first, %0 ], [ %next, %more ]
  %ok = icmp ult i64 %i, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %i
  store i32 1, ptr %p
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %i)
  unreachable
exit:
  ret void
}

; The branch says so of the way past the loop.
define ptx_kernel void @jump_says_otherwise(ptr %a, i64 %length, i64 %n, i64 %first, i32 "ptyx-proof"="" %proof) {
  %loaded = load i64, ptr %a
  %some = icmp ult i64 %loaded, %n
  br i1 %some, label %exit, label %body
body:
  %i = phi i64 [ %loaded, %0 ], [ %next, %more ]
  %ok = icmp ult i64 %i, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %i
  store i32 1, ptr %p
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %i)
  unreachable
exit:
  ret void
}

; `n as usize`: below zero, it is huge, and the host's condition does not hold.
define ptx_kernel void @widened(ptr %a, i64 %length, i32 %n, i32 "ptyx-proof"="" %proof) {
  %wide = zext i32 %n to i64
  %negative = icmp slt i32 %n, 0
  %end = select i1 %negative, i64 9223372036854775807, i64 %wide
  %none = icmp eq i64 %end, 0
  br i1 %none, label %exit, label %body
body:
  %i = phi i64 [ 0, %0 ], [ %next, %more ]
  %ok = icmp ult i64 %i, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %i
  store i32 1, ptr %p
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %end
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %i)
  unreachable
exit:
  ret void
}

; It asks of another number, so that it is the other one that may be huge.
define ptx_kernel void @widened_by_another(ptr %a, i64 %length, i32 %n, i32 %m, i32 "ptyx-proof"="" %proof) {
  %loaded = load i32, ptr %a
  %wide = zext i32 %n to i64
  %negative = icmp slt i32 %loaded, 0
  %end = select i1 %negative, i64 9223372036854775807, i64 %wide
  %none = icmp eq i64 %end, 0
  br i1 %none, label %exit, label %body
body:
  %i = phi i64 [ 0, %0 ], [ %next, %more ]
  %ok = icmp ult i64 %i, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %i
  store i32 1, ptr %p
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %end
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %i)
  unreachable
exit:
  ret void
}

; for i in 0..b.len() { a[i] + a[i + 1] }: that a is as long as b in all levels, and that it is longer only for the second check.
define ptx_kernel void @longer(ptr %a, i64 "ptyx-slice"="0,4" %length, ptr %b, i64 "ptyx-slice"="2,4" %n, i32 "ptyx-proof"="" %proof) {
  %none = icmp eq i64 %n, 0
  br i1 %none, label %exit, label %body
body:
  %i = phi i64 [ 0, %0 ], [ %next, %more ]
  %ok = icmp ult i64 %i, %length
  br i1 %ok, label %second, label %fail
second:
  %next = add nuw nsw i64 %i, 1
  %ok.next = icmp ult i64 %next, %length
  br i1 %ok.next, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %p
  %q = getelementptr i32, ptr %a, i64 %next
  %y = load i32, ptr %q
  %sum = add i32 %x, %y
  %r = getelementptr i32, ptr %b, i64 %i
  store i32 %sum, ptr %r
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %i)
  unreachable
exit:
  ret void
}

!0 = !{i32 0, i32 1024}

; Both ways lead back, so the question says nothing.
define ptx_kernel void @two_ways_back(ptr %a, i64 %length, i32 %n, i32 "ptyx-proof"="" %proof) {
  br label %body
body:
  %i = phi i32 [ 0, %0 ], [ %next, %again ], [ %next, %again ]
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  %x = load i32, ptr %p
  %found = icmp eq i32 %x, 7
  br i1 %found, label %exit, label %again
again:
  %next = add nuw nsw i32 %i, 1
  %inside = icmp slt i32 %next, %n
  br i1 %inside, label %body, label %body
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
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

define ptx_kernel void @levels(ptr %a, i64 %length, ptr %b, i64 %threads, i64 %n, i32 "ptyx-proof"="p4 p1 p3 t0;;-1 1*0,1*1 -1*0|1*2 -1*3" %proof) {
start:
  %0 = icmp ugt i32 %proof, 0
  %1 = icmp ugt i32 %proof, 1
  br i1 %1, label %start8, label %start7

2:                                                ; preds = %start7
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %own = zext i32 %tid to i64
  %none = icmp eq i64 %n, 0
  br i1 %none, label %exit, label %body

body:                                             ; preds = %more, %2
  %i = phi i64 [ 0, %2 ], [ %next, %more ]
  %ok = icmp ult i64 %i, %length
  br i1 %ok, label %second, label %fail

second:                                           ; preds = %body
  %ok.own = icmp ult i64 %own, %threads
  br i1 %ok.own, label %more, label %fail

more:                                             ; preds = %second
  %p = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %p, align 4
  %q = getelementptr i32, ptr %b, i64 %own
  store i32 %x, ptr %q, align 4
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %body, !llvm.loop !1

fail:                                             ; preds = %second, %body
  call void @panic(i64 %i)
  unreachable

exit:                                             ; preds = %more, %2
  call void asm sideeffect "", ""()
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start7
  %3 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %4 = zext i32 %3 to i64
  %5 = icmp eq i64 %n, 0
  br i1 %5, label %start6, label %start2

start2:                                           ; preds = %start4, %start1
  %6 = phi i64 [ 0, %start1 ], [ %12, %start4 ]
  %7 = icmp ult i64 %6, %length
  br i1 true, label %start3, label %start5

start3:                                           ; preds = %start2
  %8 = icmp ult i64 %4, %threads
  br i1 %8, label %start4, label %start5

start4:                                           ; preds = %start3
  %9 = getelementptr i32, ptr %a, i64 %6
  %10 = load i32, ptr %9, align 4
  %11 = getelementptr i32, ptr %b, i64 %4
  store i32 %10, ptr %11, align 4
  %12 = add nuw i64 %6, 1
  %13 = icmp eq i64 %12, %n
  br i1 %13, label %start6, label %start2

start5:                                           ; preds = %start3, %start2
  call void @panic(i64 %6)
  unreachable

start6:                                           ; preds = %start4, %start1
  call void asm sideeffect "", ""()
  ret void

start7:                                           ; preds = %start
  br i1 %0, label %start1, label %2

start8:                                           ; preds = %start
  %14 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %15 = zext i32 %14 to i64
  %16 = icmp eq i64 %n, 0
  br i1 %16, label %start13, label %start9

start9:                                           ; preds = %start11, %start8
  %17 = phi i64 [ 0, %start8 ], [ %23, %start11 ]
  %18 = icmp ult i64 %17, %length
  br i1 true, label %start10, label %start12

start10:                                          ; preds = %start9
  %19 = icmp ult i64 %15, %threads
  br i1 true, label %start11, label %start12

start11:                                          ; preds = %start10
  %20 = getelementptr i32, ptr %a, i64 %17
  %21 = load i32, ptr %20, align 4
  %22 = getelementptr i32, ptr %b, i64 %15
  store i32 %21, ptr %22, align 4
  %23 = add nuw i64 %17, 1
  %24 = icmp eq i64 %23, %n
  br i1 %24, label %start13, label %start9

start12:                                          ; preds = %start10, %start9
  call void @panic(i64 %17)
  unreachable

start13:                                          ; preds = %start11, %start8
  ret void
}

define ptx_kernel void @before_step(ptr %a, i64 %length, i32 %n, i32 %step, i32 "ptyx-proof"="p3 p2 p1;;-1 1*0 1*1,2147483648 -1*0 -1*1,1*2 -1*0 -1*1" %proof) {
start:
  %0 = icmp ugt i32 %proof, 0
  br i1 %0, label %start1, label %1

1:                                                ; preds = %start
  br label %body

body:                                             ; preds = %again, %1
  %i = phi i32 [ 0, %1 ], [ %next, %again ]
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p, align 4
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %again, label %exit

again:                                            ; preds = %more
  %next = add i32 %i, %step
  br label %body, !llvm.loop !4

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  br label %start2

start2:                                           ; preds = %start4, %start1
  %2 = phi i32 [ 0, %start1 ], [ %7, %start4 ]
  %3 = zext i32 %2 to i64, !ptyx.exact !5
  %4 = icmp ult i64 %3, %length
  br i1 true, label %start3, label %start5

start3:                                           ; preds = %start2
  %5 = getelementptr i32, ptr %a, i64 %3
  store i32 1, ptr %5, align 4
  %6 = icmp slt i32 %2, %n
  br i1 %6, label %start4, label %start6

start4:                                           ; preds = %start3
  %7 = add i32 %2, %step
  br label %start2

start5:                                           ; preds = %start2
  call void @panic(i64 %3)
  unreachable

start6:                                           ; preds = %start3
  ret void
}

define ptx_kernel void @misses(ptr %a, i64 %length, i32 %n, i32 %step, i32 "ptyx-proof" %proof) {
  br label %body

body:                                             ; preds = %again, %0
  %i = phi i32 [ 0, %0 ], [ %next, %again ]
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p, align 4
  %inside = icmp ne i32 %i, %n
  br i1 %inside, label %again, label %exit

again:                                            ; preds = %more
  %next = add i32 %i, %step
  br label %body

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more
  ret void
}

define ptx_kernel void @asks_sometimes(ptr %a, i64 %length, i32 %n, i32 %step, i1 %asks, i32 "ptyx-proof" %proof) {
  br label %body

body:                                             ; preds = %again, %0
  %i = phi i32 [ 0, %0 ], [ %next, %again ]
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p, align 4
  br i1 %asks, label %question, label %again

question:                                         ; preds = %more
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %again, label %exit

again:                                            ; preds = %question, %more
  %next = add i32 %i, %step
  br label %body

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %question
  ret void
}

define ptx_kernel void @jump_says(ptr %a, i64 %length, i64 %n, i32 "ptyx-proof"="p1 p2;;1*0 -1*1" %proof) {
start:
  %0 = icmp ugt i32 %proof, 0
  br i1 %0, label %start1, label %1

1:                                                ; preds = %start
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %first = zext i32 %tid to i64
  %some = icmp ult i64 %first, %n
  br i1 %some, label %body, label %exit

body:                                             ; preds = %more, %1
  %i = phi i64 [ %first, %1 ], [ %next, %more ]
  %ok = icmp ult i64 %i, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %i
  store i32 1, ptr %p, align 4
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %body, !llvm.loop !6

fail:                                             ; preds = %body
  call void @panic(i64 %i)
  unreachable

exit:                                             ; preds = %more, %1
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %3 = zext i32 %2 to i64
  %4 = icmp ult i64 %3, %n
  br i1 %4, label %start2, label %start5

start2:                                           ; preds = %start3, %start1
  %5 = phi i64 [ %3, %start1 ], [ %8, %start3 ]
  %6 = icmp ult i64 %5, %length
  br i1 true, label %start3, label %start4

start3:                                           ; preds = %start2
  %7 = getelementptr i32, ptr %a, i64 %5
  store i32 1, ptr %7, align 4
  %8 = add nuw i64 %5, 1
  %9 = icmp eq i64 %8, %n
  br i1 %9, label %start5, label %start2

start4:                                           ; preds = %start2
  call void @panic(i64 %5)
  unreachable

start5:                                           ; preds = %start3, %start1
  ret void
}

define ptx_kernel void @jump_says_otherwise(ptr %a, i64 %length, i64 %n, i64 %first, i32 "ptyx-proof" %proof) {
  %loaded = load i64, ptr %a, align 4
  %some = icmp ult i64 %loaded, %n
  br i1 %some, label %exit, label %body

body:                                             ; preds = %more, %0
  %i = phi i64 [ %loaded, %0 ], [ %next, %more ]
  %ok = icmp ult i64 %i, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %i
  store i32 1, ptr %p, align 4
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %body
  call void @panic(i64 %i)
  unreachable

exit:                                             ; preds = %more, %0
  ret void
}

define ptx_kernel void @widened(ptr %a, i64 %length, i32 %n, i32 "ptyx-proof"="p2 p1;;2147483647 -1*0,-1 1*0,1*1 -1*0" %proof) {
start:
  %0 = icmp ugt i32 %proof, 0
  br i1 %0, label %start1, label %1

1:                                                ; preds = %start
  %wide = zext i32 %n to i64
  %negative = icmp slt i32 %n, 0
  %end = select i1 %negative, i64 9223372036854775807, i64 %wide
  %none = icmp eq i64 %end, 0
  br i1 %none, label %exit, label %body

body:                                             ; preds = %more, %1
  %i = phi i64 [ 0, %1 ], [ %next, %more ]
  %ok = icmp ult i64 %i, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %i
  store i32 1, ptr %p, align 4
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %end
  br i1 %done, label %exit, label %body, !llvm.loop !7

fail:                                             ; preds = %body
  call void @panic(i64 %i)
  unreachable

exit:                                             ; preds = %more, %1
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %2 = zext i32 %n to i64
  %3 = icmp slt i32 %n, 0
  %4 = select i1 %3, i64 9223372036854775807, i64 %2
  %5 = icmp eq i64 %4, 0
  br i1 %5, label %start5, label %start2

start2:                                           ; preds = %start3, %start1
  %6 = phi i64 [ 0, %start1 ], [ %9, %start3 ]
  %7 = icmp ult i64 %6, %length
  br i1 true, label %start3, label %start4

start3:                                           ; preds = %start2
  %8 = getelementptr i32, ptr %a, i64 %6
  store i32 1, ptr %8, align 4
  %9 = add nuw i64 %6, 1
  %10 = icmp eq i64 %9, %4
  br i1 %10, label %start5, label %start2

start4:                                           ; preds = %start2
  call void @panic(i64 %6)
  unreachable

start5:                                           ; preds = %start3, %start1
  ret void
}

define ptx_kernel void @widened_by_another(ptr %a, i64 %length, i32 %n, i32 %m, i32 "ptyx-proof" %proof) {
  %loaded = load i32, ptr %a, align 4
  %wide = zext i32 %n to i64
  %negative = icmp slt i32 %loaded, 0
  %end = select i1 %negative, i64 9223372036854775807, i64 %wide
  %none = icmp eq i64 %end, 0
  br i1 %none, label %exit, label %body

body:                                             ; preds = %more, %0
  %i = phi i64 [ 0, %0 ], [ %next, %more ]
  %ok = icmp ult i64 %i, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %i
  store i32 1, ptr %p, align 4
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %end
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %body
  call void @panic(i64 %i)
  unreachable

exit:                                             ; preds = %more, %0
  ret void
}

define ptx_kernel void @longer(ptr %a, i64 "ptyx-slice"="0,4" %length, ptr %b, i64 "ptyx-slice"="2,4" %n, i32 "ptyx-proof"="p3 p1;;-1 1*0,1*1 -1*0|-1 1*1 -1*0" %proof) {
start:
  %0 = icmp ugt i32 %proof, 0
  %1 = icmp ugt i32 %proof, 1
  br i1 %1, label %start8, label %start7

2:                                                ; preds = %start7
  %none = icmp eq i64 %n, 0
  br i1 %none, label %exit, label %body

body:                                             ; preds = %more, %2
  %i = phi i64 [ 0, %2 ], [ %next, %more ]
  %ok = icmp ult i64 %i, %length
  br i1 %ok, label %second, label %fail

second:                                           ; preds = %body
  %next = add nuw nsw i64 %i, 1
  %ok.next = icmp ult i64 %next, %length
  br i1 %ok.next, label %more, label %fail

more:                                             ; preds = %second
  %p = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %p, align 4
  %q = getelementptr i32, ptr %a, i64 %next
  %y = load i32, ptr %q, align 4
  %sum = add i32 %x, %y
  %r = getelementptr i32, ptr %b, i64 %i
  store i32 %sum, ptr %r, align 4
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %body, !llvm.loop !8

fail:                                             ; preds = %second, %body
  call void @panic(i64 %i)
  unreachable

exit:                                             ; preds = %more, %2
  call void asm sideeffect "", ""()
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start7
  %3 = icmp eq i64 %n, 0
  br i1 %3, label %start6, label %start2

start2:                                           ; preds = %start4, %start1
  %4 = phi i64 [ 0, %start1 ], [ %6, %start4 ]
  %5 = icmp ult i64 %4, %length
  br i1 true, label %start3, label %start5

start3:                                           ; preds = %start2
  %6 = add nuw nsw i64 %4, 1
  %7 = icmp ult i64 %6, %length
  br i1 %7, label %start4, label %start5

start4:                                           ; preds = %start3
  %8 = getelementptr i32, ptr %a, i64 %4
  %9 = load i32, ptr %8, align 4
  %10 = getelementptr i32, ptr %a, i64 %6
  %11 = load i32, ptr %10, align 4
  %12 = add i32 %9, %11
  %13 = getelementptr i32, ptr %b, i64 %4
  store i32 %12, ptr %13, align 4
  %14 = icmp eq i64 %6, %n
  br i1 %14, label %start6, label %start2

start5:                                           ; preds = %start3, %start2
  call void @panic(i64 %4)
  unreachable

start6:                                           ; preds = %start4, %start1
  call void asm sideeffect "", ""()
  ret void

start7:                                           ; preds = %start
  br i1 %0, label %start1, label %2

start8:                                           ; preds = %start
  %15 = icmp eq i64 %n, 0
  br i1 %15, label %start13, label %start9

start9:                                           ; preds = %start11, %start8
  %16 = phi i64 [ 0, %start8 ], [ %18, %start11 ]
  %17 = icmp ult i64 %16, %length
  br i1 true, label %start10, label %start12

start10:                                          ; preds = %start9
  %18 = add nuw nsw i64 %16, 1
  %19 = icmp ult i64 %18, %length
  br i1 true, label %start11, label %start12

start11:                                          ; preds = %start10
  %20 = getelementptr i32, ptr %a, i64 %16
  %21 = load i32, ptr %20, align 4
  %22 = getelementptr i32, ptr %a, i64 %18
  %23 = load i32, ptr %22, align 4
  %24 = add i32 %21, %23
  %25 = getelementptr i32, ptr %b, i64 %16
  store i32 %24, ptr %25, align 4
  %26 = icmp eq i64 %18, %n
  br i1 %26, label %start13, label %start9

start12:                                          ; preds = %start10, %start9
  call void @panic(i64 %16)
  unreachable

start13:                                          ; preds = %start11, %start8
  ret void
}

define ptx_kernel void @two_ways_back(ptr %a, i64 %length, i32 %n, i32 "ptyx-proof" %proof) {
  br label %body

body:                                             ; preds = %again, %again, %0
  %i = phi i32 [ 0, %0 ], [ %next, %again ], [ %next, %again ]
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %at
  %x = load i32, ptr %p, align 4
  %found = icmp eq i32 %x, 7
  br i1 %found, label %exit, label %again

again:                                            ; preds = %more
  %next = add nuw nsw i32 %i, 1
  %inside = icmp slt i32 %next, %n
  br i1 %inside, label %body, label %body

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more
  ret void
}

attributes #0 = { noreturn }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{i32 0, i32 1024}
!1 = distinct !{!1, !2, !3}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = !{!"ptyx.loop.checked"}
!4 = distinct !{!4, !2, !3}
!5 = !{}
!6 = distinct !{!6, !2, !3}
!7 = distinct !{!7, !2, !3}
!8 = distinct !{!8, !2, !3}
