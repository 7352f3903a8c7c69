; run: narrow_words
; What is computed in 64 bits from values below 2^32 has 32, if the result is below 2^32 in any case. What only a check, a
; promise of LLVM's or a frozen value makes small stays.

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @use(i64, i64, i64, i64)
declare void @say(i1, i1, i1, i1)
declare void @panic() noreturn

define i64 @padded() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %wide = zext i32 %t to i64
  %twice = shl i64 %wide, 1
  %odd = or disjoint i64 %twice, 1
  %far = mul i64 %odd, 4
  %last = add i64 %far, -1
  %row = lshr i64 %last, 5
  %at = add i64 %last, %row
  ret i64 %at
}

define i64 @rest() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %wide = zext i32 %t to i64
  %more = add i64 %wide, 7
  %by = or i64 %wide, 1
  %rest = urem i64 %more, %by
  %part = udiv i64 %more, %by
  %less = sub i64 2000, %more
  %one = xor i64 %rest, %part
  %all = add i64 %one, %less
  %low = lshr i64 %all, 1
  ret i64 %low
}

define void @comparisons(i64 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %wide = zext i32 %t to i64
  %more = mul i64 %wide, 3
  %a = icmp ult i64 %more, 528
  %b = icmp slt i64 %more, %wide
  %c = icmp eq i64 %more, %wide
  %d = icmp ult i64 %more, %n
  call void @say(i1 %a, i1 %b, i1 %c, i1 %d)
  ret void
}

; Below 2^31 + 2^31, but not below 2^31: no sign is promised.
define i64 @large() {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !range !1
  %wide = zext i32 %b to i64
  %sum = add i64 %wide, %wide
  %low = lshr i64 %sum, 1
  ret i64 %low
}

; Up to 2^32: one too many.
define i64 @too_large() {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !range !1
  %wide = zext i32 %b to i64
  %twice = shl i64 %wide, 1
  %sum = add i64 %twice, 4
  %place = mul i64 %wide, 3
  %row = lshr i64 %place, 1
  %all = xor i64 %sum, %row
  ret i64 %all
}

; One less than zero is large.
define i64 @below_zero() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %wide = zext i32 %t to i64
  %less = add i64 %wide, -1
  %difference = sub i64 %wide, 3
  %both = xor i64 %less, %difference
  ret i64 %both
}

define i64 @behind_check(i64 %i) {
  %small = icmp ult i64 %i, 500
  br i1 %small, label %goes_on, label %fails
goes_on:
  %more = add i64 %i, 5
  %row = lshr i64 %more, 5
  ret i64 %row
fails:
  call void @panic()
  unreachable
}

define i64 @promised(i32 %i, i64 %j) {
  %wide = zext nneg i32 %i to i64
  %sum = add nuw nsw i64 %wide, %wide
  %frozen = freeze i64 %wide
  %more = shl nuw i64 %frozen, 1
  %times = udiv exact i64 %j, 3
  %all = add nuw i64 %more, %times
  %both = xor i64 %all, %sum
  ret i64 %both
}

; A loop's counter may be anything.
define i64 @counter(i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 1
  %low = and i64 %i, 31
  %place = add i64 %low, 4
  %row = lshr i64 %place, 2
  %done = icmp uge i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret i64 %row
}

; Shifted by more bits than a word has, or by a number that is not known.
define i64 @shifts(i64 %by) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %wide = zext i32 %t to i64
  %none = lshr i64 %wide, 40
  %some = lshr i64 %wide, %by
  %more = shl i64 %wide, %by
  %all = xor i64 %none, %some
  %both = xor i64 %all, %more
  ret i64 %both
}

; Nothing is gained: a sum of 64 bits is one in any case.
define i64 @for_a_wide_sum(i64 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %wide = zext i32 %t to i64
  %next = add i64 %wide, 1
  %all = mul i64 %next, %n
  ret i64 %all
}

; A remainder that LLVM has taken apart is below the divisor; another number that is subtracted is not.
define i64 @remainder(i32 %i, i32 %w) {
  %a = zext i32 %i to i64
  %b = zext i32 %w to i64
  %quotient = udiv i64 %a, %b
  %times = mul i64 %quotient, %b
  %rest = sub i64 %a, %times
  %other.times = mul i64 %quotient, %a
  %other = sub i64 %b, %times
  %both = xor i64 %other.times, %other
  %all = add i64 %both, %rest
  ret i64 %all
}

; The launch passes the lesser of a number and 2^31 for a parameter, which a number below 2^31 compares with in the same way:
; also if it is frozen, and for equality.
define void @limits(i64 %n, i32 "ptyx-limit"="0,positive" %limit, i32 "ptyx-limit"="0,last" %last) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %wide = zext i32 %t to i64
  %frozen = freeze i64 %n
  %a = icmp ult i64 %wide, %n
  %b = icmp uge i64 %frozen, %wide
  %c = icmp eq i64 %wide, %n
  %d = icmp ule i64 %n, %wide
  call void @say(i1 %a, i1 %b, i1 %c, i1 %d)
  ret void
}

; But not with a sign, if the number may be larger, a constant, a parameter without a limit, or two numbers that have some.
define void @no_limits(i64 %n, i32 "ptyx-limit"="0,positive" %limit, i64 %m, i64 %k, i32 "ptyx-limit"="3,positive" %other, i32 %i) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %wide = zext i32 %t to i64
  %any = zext i32 %i to i64
  %a = icmp slt i64 %wide, %n
  %b = icmp ult i64 %any, %n
  %c = icmp ult i64 %wide, %m
  %d = icmp ult i64 %n, %k
  %e = icmp ult i64 7, %n
  call void @say(i1 %a, i1 %b, i1 %c, i1 %d)
  call void @say(i1 %e, i1 %e, i1 %e, i1 %e)
  ret void
}

; Checks are left to `join_checks`.
define void @check_of_a_limit(i64 %n, i32 "ptyx-limit"="0,positive" %limit) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %wide = zext i32 %t to i64
  %inside = icmp ult i64 %wide, %n
  br i1 %inside, label %done, label %fail
done:
  ret void
fail:
  call void @panic()
  unreachable
}

!0 = !{i32 0, i32 1024}
!1 = !{i32 0, i32 2147483647}

; becomes:
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #0

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #0

declare void @use(i64, i64, i64, i64)

declare void @say(i1, i1, i1, i1)

; Function Attrs: noreturn
declare void @panic() #1

define i64 @padded() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %wide = zext i32 %t to i64
  %1 = shl nuw nsw i32 %t, 1
  %2 = zext nneg i32 %1 to i64
  %3 = or disjoint i32 %1, 1
  %4 = zext nneg i32 %3 to i64
  %5 = mul nuw nsw i32 %3, 4
  %6 = zext nneg i32 %5 to i64
  %7 = add nsw i32 %5, -1
  %8 = zext nneg i32 %7 to i64
  %9 = lshr i32 %7, 5
  %10 = zext nneg i32 %9 to i64
  %at = add i64 %8, %10
  ret i64 %at
}

define i64 @rest() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %wide = zext i32 %t to i64
  %1 = add nuw nsw i32 %t, 7
  %2 = zext nneg i32 %1 to i64
  %3 = or i32 %t, 1
  %4 = zext nneg i32 %3 to i64
  %5 = urem i32 %1, %3
  %6 = zext nneg i32 %5 to i64
  %7 = udiv i32 %1, %3
  %8 = zext nneg i32 %7 to i64
  %9 = sub nuw nsw i32 2000, %1
  %10 = zext nneg i32 %9 to i64
  %11 = xor i32 %5, %7
  %12 = zext nneg i32 %11 to i64
  %13 = add nuw nsw i32 %11, %9
  %14 = zext nneg i32 %13 to i64
  %15 = lshr i32 %13, 1
  %16 = zext nneg i32 %15 to i64
  ret i64 %16
}

define void @comparisons(i64 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %wide = zext i32 %t to i64
  %1 = mul nuw nsw i32 %t, 3
  %2 = zext nneg i32 %1 to i64
  %3 = icmp ult i32 %1, 528
  %4 = icmp ult i32 %1, %t
  %5 = icmp eq i32 %1, %t
  %d = icmp ult i64 %2, %n
  call void @say(i1 %3, i1 %4, i1 %5, i1 %d)
  ret void
}

define i64 @large() {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !range !1
  %wide = zext i32 %b to i64
  %1 = add nuw i32 %b, %b
  %2 = zext i32 %1 to i64
  %3 = lshr i32 %1, 1
  %4 = zext nneg i32 %3 to i64
  ret i64 %4
}

define i64 @too_large() {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !range !1
  %wide = zext i32 %b to i64
  %twice = shl i64 %wide, 1
  %sum = add i64 %twice, 4
  %place = mul i64 %wide, 3
  %row = lshr i64 %place, 1
  %all = xor i64 %sum, %row
  ret i64 %all
}

define i64 @below_zero() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %wide = zext i32 %t to i64
  %less = add i64 %wide, -1
  %difference = sub i64 %wide, 3
  %both = xor i64 %less, %difference
  ret i64 %both
}

define i64 @behind_check(i64 %i) {
  %small = icmp ult i64 %i, 500
  br i1 %small, label %goes_on, label %fails

goes_on:                                          ; preds = %0
  %more = add i64 %i, 5
  %row = lshr i64 %more, 5
  ret i64 %row

fails:                                            ; preds = %0
  call void @panic()
  unreachable
}

define i64 @promised(i32 %i, i64 %j) {
  %wide = zext nneg i32 %i to i64
  %sum = add nuw nsw i64 %wide, %wide
  %frozen = freeze i64 %wide
  %more = shl nuw i64 %frozen, 1
  %times = udiv exact i64 %j, 3
  %all = add nuw i64 %more, %times
  %both = xor i64 %all, %sum
  ret i64 %both
}

define i64 @counter(i64 %n) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 1
  %1 = trunc i64 %i to i32
  %2 = and i32 %1, 31
  %3 = zext nneg i32 %2 to i64
  %4 = add nuw nsw i32 %2, 4
  %5 = zext nneg i32 %4 to i64
  %6 = lshr i32 %4, 2
  %7 = zext nneg i32 %6 to i64
  %done = icmp uge i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:                                             ; preds = %loop
  ret i64 %7
}

define i64 @shifts(i64 %by) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %wide = zext i32 %t to i64
  %none = lshr i64 %wide, 40
  %some = lshr i64 %wide, %by
  %more = shl i64 %wide, %by
  %all = xor i64 %none, %some
  %both = xor i64 %all, %more
  ret i64 %both
}

define i64 @for_a_wide_sum(i64 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %wide = zext i32 %t to i64
  %next = add i64 %wide, 1
  %all = mul i64 %next, %n
  ret i64 %all
}

define i64 @remainder(i32 %i, i32 %w) {
  %a = zext i32 %i to i64
  %b = zext i32 %w to i64
  %1 = udiv i32 %i, %w
  %2 = zext i32 %1 to i64
  %3 = mul i32 %1, %w
  %4 = zext i32 %3 to i64
  %5 = sub i32 %i, %3
  %6 = zext i32 %5 to i64
  %other.times = mul i64 %2, %a
  %other = sub i64 %b, %4
  %both = xor i64 %other.times, %other
  %all = add i64 %both, %6
  ret i64 %all
}

define void @limits(i64 %n, i32 "ptyx-limit"="0,positive" %limit, i32 "ptyx-limit"="0,last" %last) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %wide = zext i32 %t to i64
  %frozen = freeze i64 %n
  %1 = icmp ult i32 %t, %limit
  %2 = icmp uge i32 %limit, %t
  %3 = icmp eq i32 %t, %limit
  %4 = icmp ule i32 %limit, %t
  call void @say(i1 %1, i1 %2, i1 %3, i1 %4)
  ret void
}

define void @no_limits(i64 %n, i32 "ptyx-limit"="0,positive" %limit, i64 %m, i64 %k, i32 "ptyx-limit"="3,positive" %other, i32 %i) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %wide = zext i32 %t to i64
  %any = zext i32 %i to i64
  %a = icmp slt i64 %wide, %n
  %b = icmp ult i64 %any, %n
  %c = icmp ult i64 %wide, %m
  %d = icmp ult i64 %n, %k
  %e = icmp ult i64 7, %n
  call void @say(i1 %a, i1 %b, i1 %c, i1 %d)
  call void @say(i1 %e, i1 %e, i1 %e, i1 %e)
  ret void
}

define void @check_of_a_limit(i64 %n, i32 "ptyx-limit"="0,positive" %limit) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %wide = zext i32 %t to i64
  %inside = icmp ult i64 %wide, %n
  br i1 %inside, label %done, label %fail

done:                                             ; preds = %0
  ret void

fail:                                             ; preds = %0
  call void @panic()
  unreachable
}

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { noreturn }

!0 = !{i32 0, i32 1024}
!1 = !{i32 0, i32 2147483647}
