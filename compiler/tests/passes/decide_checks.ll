; run: decide_checks
; A check that can't fail in any thread that comes to it always passes. One that may fail stays, also by one; so does one
; that only another check, a promise of LLVM's, or a condition in an earlier iteration would decide.

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @panic(i64) noreturn
declare void @use(i64)

define void @tree() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %active = icmp samesign ult i32 %t, 64
  br i1 %active, label %step, label %done
step:
  %twice = shl i32 %t, 1
  %odd = or disjoint i32 %twice, 1
  %far = shl i32 %odd, 2
  %last = add i32 %far, -1
  %row = lshr i32 %last, 5
  %place = add i32 %last, %row
  %at = zext i32 %place to i64
  %out = icmp ugt i64 %at, 525
  br i1 %out, label %fail, label %goes_on
goes_on:
  ; From 1 to 128, times 4.
  %second = add i32 %twice, 2
  %end = shl i32 %second, 2
  %end.last = add i32 %end, -1
  %in = icmp slt i32 %end.last, 512
  br i1 %in, label %more, label %fail.end
more:
  ; Thread 63 is one too far.
  %in.but.one = icmp ult i32 %end.last, 511
  br i1 %in.but.one, label %done, label %fail.end
done:
  ret void
fail:
  call void @panic(i64 %at)
  unreachable
fail.end:
  %shown = zext i32 %end.last to i64
  call void @panic(i64 %shown)
  unreachable
}

; The other side of a branch, and two conditions at once.
define void @other_side(i32 %i, i32 %j) {
  %large = icmp uge i32 %i, 16
  %also = icmp sgt i32 %j, 3
  %any = select i1 %large, i1 true, i1 %also
  br i1 %large, label %away, label %small
small:
  %fits = icmp ult i32 %i, 16
  br i1 %fits, label %then, label %fail
then:
  %positive = icmp ult i32 %j, 9
  %both = select i1 %fits, i1 %positive, i1 false
  br i1 %both, label %inside, label %away
inside:
  %sum = add i32 %i, %j
  %in = icmp ule i32 %sum, 23
  br i1 %in, label %ok, label %fail
ok:
  %in.but.one = icmp ule i32 %sum, 22
  br i1 %in.but.one, label %away, label %fail
away:
  ret void
fail:
  call void @panic(i64 0)
  unreachable
}

; What may be negative is not below 9 because it is below 9 with its sign.
define void @signed(i32 %i) {
  %less = icmp slt i32 %i, 9
  br i1 %less, label %small, label %away
small:
  %in = icmp ult i32 %i, 9
  br i1 %in, label %away, label %fail
away:
  ret void
fail:
  call void @panic(i64 0)
  unreachable
}

; A check does not decide another one.
define void @behind_a_check(i64 %i) {
  %in = icmp ult i64 %i, 10
  br i1 %in, label %next, label %fail
next:
  %also = icmp ult i64 %i, 20
  br i1 %also, label %done, label %fail
done:
  ret void
fail:
  call void @panic(i64 %i)
  unreachable
}

; The sum wraps around.
define void @wraps(i32 %i) {
  %large = icmp ugt i32 %i, 4294967290
  br i1 %large, label %near_end, label %away
near_end:
  %more = add nuw i32 %i, 8
  %in = icmp ugt i32 %more, 8
  br i1 %in, label %away, label %fail
away:
  ret void
fail:
  call void @panic(i64 0)
  unreachable
}

; The phi is the value of the iteration before, for which the condition need not have held.
define void @earlier(ptr %p) {
  br label %loop
loop:
  %before = phi i32 [ 0, %0 ], [ %now, %latch ]
  %now = load i32, ptr %p
  %small = icmp ult i32 %now, 4
  br i1 %small, label %check, label %latch
check:
  %in = icmp ult i32 %before, 4
  br i1 %in, label %own, label %fail
own:
  %next = add i32 %now, 1
  %fits = icmp ult i32 %next, 5
  br i1 %fits, label %latch, label %fail
latch:
  %done = icmp eq i32 %now, 77
  br i1 %done, label %away, label %loop
away:
  ret void
fail:
  call void @panic(i64 0)
  unreachable
}

; Two ways lead to the check.
define void @two_ways(i32 %i, i1 %c) {
  br i1 %c, label %left, label %join
left:
  %small = icmp ult i32 %i, 4
  br i1 %small, label %join, label %away
join:
  %in = icmp ult i32 %i, 4
  br i1 %in, label %away, label %fail
away:
  ret void
fail:
  call void @panic(i64 0)
  unreachable
}

; A frozen value may be anything; a promise may be broken.
define void @frozen(i32 %i) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %any = freeze i32 %t
  %in = icmp ult i32 %any, 1024
  br i1 %in, label %next, label %fail
next:
  %wide = zext nneg i32 %i to i64
  %fits = icmp ult i64 %wide, 2147483648
  br i1 %fits, label %surely, label %fail
surely:
  %own = icmp ult i32 %t, 1024
  br i1 %own, label %away, label %fail
away:
  ret void
fail:
  call void @panic(i64 0)
  unreachable
}

!0 = !{i32 0, i32 1024}

; becomes:
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #0

; Function Attrs: noreturn
declare void @panic(i64) #1

declare void @use(i64)

define void @tree() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %active = icmp samesign ult i32 %t, 64
  br i1 %active, label %step, label %done

step:                                             ; preds = %0
  %twice = shl i32 %t, 1
  %odd = or disjoint i32 %twice, 1
  %far = shl i32 %odd, 2
  %last = add i32 %far, -1
  %row = lshr i32 %last, 5
  %place = add i32 %last, %row
  %at = zext i32 %place to i64
  %out = icmp ugt i64 %at, 525
  br i1 false, label %fail, label %goes_on

goes_on:                                          ; preds = %step
  %second = add i32 %twice, 2
  %end = shl i32 %second, 2
  %end.last = add i32 %end, -1
  %in = icmp slt i32 %end.last, 512
  br i1 true, label %more, label %fail.end

more:                                             ; preds = %goes_on
  %in.but.one = icmp ult i32 %end.last, 511
  br i1 %in.but.one, label %done, label %fail.end

done:                                             ; preds = %more, %0
  ret void

fail:                                             ; preds = %step
  call void @panic(i64 %at)
  unreachable

fail.end:                                         ; preds = %more, %goes_on
  %shown = zext i32 %end.last to i64
  call void @panic(i64 %shown)
  unreachable
}

define void @other_side(i32 %i, i32 %j) {
  %large = icmp uge i32 %i, 16
  %also = icmp sgt i32 %j, 3
  %any = select i1 %large, i1 true, i1 %also
  br i1 %large, label %away, label %small

small:                                            ; preds = %0
  %fits = icmp ult i32 %i, 16
  br i1 true, label %then, label %fail

then:                                             ; preds = %small
  %positive = icmp ult i32 %j, 9
  %both = select i1 %fits, i1 %positive, i1 false
  br i1 %both, label %inside, label %away

inside:                                           ; preds = %then
  %sum = add i32 %i, %j
  %in = icmp ule i32 %sum, 23
  br i1 true, label %ok, label %fail

ok:                                               ; preds = %inside
  %in.but.one = icmp ule i32 %sum, 22
  br i1 %in.but.one, label %away, label %fail

away:                                             ; preds = %ok, %then, %0
  ret void

fail:                                             ; preds = %ok, %inside, %small
  call void @panic(i64 0)
  unreachable
}

define void @signed(i32 %i) {
  %less = icmp slt i32 %i, 9
  br i1 %less, label %small, label %away

small:                                            ; preds = %0
  %in = icmp ult i32 %i, 9
  br i1 %in, label %away, label %fail

away:                                             ; preds = %small, %0
  ret void

fail:                                             ; preds = %small
  call void @panic(i64 0)
  unreachable
}

define void @behind_a_check(i64 %i) {
  %in = icmp ult i64 %i, 10
  br i1 %in, label %next, label %fail

next:                                             ; preds = %0
  %also = icmp ult i64 %i, 20
  br i1 %also, label %done, label %fail

done:                                             ; preds = %next
  ret void

fail:                                             ; preds = %next, %0
  call void @panic(i64 %i)
  unreachable
}

define void @wraps(i32 %i) {
  %large = icmp ugt i32 %i, -6
  br i1 %large, label %near_end, label %away

near_end:                                         ; preds = %0
  %more = add nuw i32 %i, 8
  %in = icmp ugt i32 %more, 8
  br i1 %in, label %away, label %fail

away:                                             ; preds = %near_end, %0
  ret void

fail:                                             ; preds = %near_end
  call void @panic(i64 0)
  unreachable
}

define void @earlier(ptr %p) {
  br label %loop

loop:                                             ; preds = %latch, %0
  %before = phi i32 [ 0, %0 ], [ %now, %latch ]
  %now = load i32, ptr %p, align 4
  %small = icmp ult i32 %now, 4
  br i1 %small, label %check, label %latch

check:                                            ; preds = %loop
  %in = icmp ult i32 %before, 4
  br i1 %in, label %own, label %fail

own:                                              ; preds = %check
  %next = add i32 %now, 1
  %fits = icmp ult i32 %next, 5
  br i1 true, label %latch, label %fail

latch:                                            ; preds = %own, %loop
  %done = icmp eq i32 %now, 77
  br i1 %done, label %away, label %loop

away:                                             ; preds = %latch
  ret void

fail:                                             ; preds = %own, %check
  call void @panic(i64 0)
  unreachable
}

define void @two_ways(i32 %i, i1 %c) {
  br i1 %c, label %left, label %join

left:                                             ; preds = %0
  %small = icmp ult i32 %i, 4
  br i1 %small, label %join, label %away

join:                                             ; preds = %left, %0
  %in = icmp ult i32 %i, 4
  br i1 %in, label %away, label %fail

away:                                             ; preds = %join, %left
  ret void

fail:                                             ; preds = %join
  call void @panic(i64 0)
  unreachable
}

define void @frozen(i32 %i) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %any = freeze i32 %t
  %in = icmp ult i32 %any, 1024
  br i1 %in, label %next, label %fail

next:                                             ; preds = %0
  %wide = zext nneg i32 %i to i64
  %fits = icmp ult i64 %wide, 2147483648
  br i1 %fits, label %surely, label %fail

surely:                                           ; preds = %next
  %own = icmp ult i32 %t, 1024
  br i1 true, label %away, label %fail

away:                                             ; preds = %surely
  ret void

fail:                                             ; preds = %surely, %next, %0
  call void @panic(i64 0)
  unreachable
}

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { noreturn }

!0 = !{i32 0, i32 1024}
