; run: make_checks_ahead, join_checks
; Where checks compare what was loaded, the loads are made first, if their indices are in range: otherwise each would wait for the check
; before it.

declare void @report(i32) noreturn

; Indices of several elements of a slice that no thread writes to: all are loaded before the first check, if they are in range.
define void @votes(i64 %i, ptr noalias readonly %p, i64 "ptyx-slice"="1,4" %n, ptr %count) {
  %at.0 = getelementptr i32, ptr %p, i64 %i
  %j.0 = load i32, ptr %at.0
  %k.0 = lshr i32 %j.0, 4
  %in.0 = icmp ult i32 %k.0, 100
  br i1 %in.0, label %one, label %fail.0
one:
  %w.0 = zext i32 %k.0 to i64
  %to.0 = getelementptr i32, ptr %count, i64 %w.0
  %old.0 = atomicrmw add ptr %to.0, i32 1 monotonic
  %i.1 = add nuw i64 %i, 32
  %at.1 = getelementptr i32, ptr %p, i64 %i.1
  %j.1 = load i32, ptr %at.1
  %k.1 = lshr i32 %j.1, 4
  %in.1 = icmp ult i32 %k.1, 100
  br i1 %in.1, label %two, label %fail.1
two:
  %w.1 = zext i32 %k.1 to i64
  %to.1 = getelementptr i32, ptr %count, i64 %w.1
  %old.1 = atomicrmw add ptr %to.1, i32 1 monotonic
  %i.2 = add nuw i64 %i, 64
  %at.2 = getelementptr i32, ptr %p, i64 %i.2
  %j.2 = load i32, ptr %at.2
  %k.2 = lshr i32 %j.2, 4
  %in.2 = icmp ult i32 %k.2, 100
  br i1 %in.2, label %three, label %fail.2
three:
  %w.2 = zext i32 %k.2 to i64
  %to.2 = getelementptr i32, ptr %count, i64 %w.2
  %old.2 = atomicrmw add ptr %to.2, i32 1 monotonic
  ret void
fail.0:
  call void @report(i32 %k.0)
  unreachable
fail.1:
  call void @report(i32 %k.1)
  unreachable
fail.2:
  call void @report(i32 %k.2)
  unreachable
}

; Another thread may write to it meanwhile.
define void @written(i64 %i, ptr %p, i64 "ptyx-slice"="1,4" %n, ptr %count) {
  %at.0 = getelementptr i32, ptr %p, i64 %i
  %j.0 = load i32, ptr %at.0
  %k.0 = lshr i32 %j.0, 4
  %in.0 = icmp ult i32 %k.0, 100
  br i1 %in.0, label %one, label %fail.0
one:
  %w.0 = zext i32 %k.0 to i64
  %to.0 = getelementptr i32, ptr %count, i64 %w.0
  %old.0 = atomicrmw add ptr %to.0, i32 1 monotonic
  %i.1 = add nuw i64 %i, 32
  %at.1 = getelementptr i32, ptr %p, i64 %i.1
  %j.1 = load i32, ptr %at.1
  %k.1 = lshr i32 %j.1, 4
  %in.1 = icmp ult i32 %k.1, 100
  br i1 %in.1, label %two, label %fail.1
two:
  %w.1 = zext i32 %k.1 to i64
  %to.1 = getelementptr i32, ptr %count, i64 %w.1
  %old.1 = atomicrmw add ptr %to.1, i32 1 monotonic
  %i.2 = add nuw i64 %i, 64
  %at.2 = getelementptr i32, ptr %p, i64 %i.2
  %j.2 = load i32, ptr %at.2
  %k.2 = lshr i32 %j.2, 4
  %in.2 = icmp ult i32 %k.2, 100
  br i1 %in.2, label %three, label %fail.2
three:
  %w.2 = zext i32 %k.2 to i64
  %to.2 = getelementptr i32, ptr %count, i64 %w.2
  %old.2 = atomicrmw add ptr %to.2, i32 1 monotonic
  ret void
fail.0:
  call void @report(i32 %k.0)
  unreachable
fail.1:
  call void @report(i32 %k.1)
  unreachable
fail.2:
  call void @report(i32 %k.2)
  unreachable
}

; Where it ends is not known.
define void @no_slice(i64 %i, ptr noalias readonly %p, i64 %n, ptr %count) {
  %at.0 = getelementptr i32, ptr %p, i64 %i
  %j.0 = load i32, ptr %at.0
  %k.0 = lshr i32 %j.0, 4
  %in.0 = icmp ult i32 %k.0, 100
  br i1 %in.0, label %one, label %fail.0
one:
  %w.0 = zext i32 %k.0 to i64
  %to.0 = getelementptr i32, ptr %count, i64 %w.0
  %old.0 = atomicrmw add ptr %to.0, i32 1 monotonic
  %i.1 = add nuw i64 %i, 32
  %at.1 = getelementptr i32, ptr %p, i64 %i.1
  %j.1 = load i32, ptr %at.1
  %k.1 = lshr i32 %j.1, 4
  %in.1 = icmp ult i32 %k.1, 100
  br i1 %in.1, label %two, label %fail.1
two:
  %w.1 = zext i32 %k.1 to i64
  %to.1 = getelementptr i32, ptr %count, i64 %w.1
  %old.1 = atomicrmw add ptr %to.1, i32 1 monotonic
  %i.2 = add nuw i64 %i, 64
  %at.2 = getelementptr i32, ptr %p, i64 %i.2
  %j.2 = load i32, ptr %at.2
  %k.2 = lshr i32 %j.2, 4
  %in.2 = icmp ult i32 %k.2, 100
  br i1 %in.2, label %three, label %fail.2
three:
  %w.2 = zext i32 %k.2 to i64
  %to.2 = getelementptr i32, ptr %count, i64 %w.2
  %old.2 = atomicrmw add ptr %to.2, i32 1 monotonic
  ret void
fail.0:
  call void @report(i32 %k.0)
  unreachable
fail.1:
  call void @report(i32 %k.1)
  unreachable
fail.2:
  call void @report(i32 %k.2)
  unreachable
}

; Where the third is follows from the second.
define void @chased(i64 %i, ptr noalias readonly %p, i64 "ptyx-slice"="1,4" %n, ptr %count) {
  %at.0 = getelementptr i32, ptr %p, i64 %i
  %j.0 = load i32, ptr %at.0
  %k.0 = lshr i32 %j.0, 4
  %in.0 = icmp ult i32 %k.0, 100
  br i1 %in.0, label %one, label %fail.0
one:
  %w.0 = zext i32 %k.0 to i64
  %to.0 = getelementptr i32, ptr %count, i64 %w.0
  %old.0 = atomicrmw add ptr %to.0, i32 1 monotonic
  %i.1 = add nuw i64 %i, 32
  %at.1 = getelementptr i32, ptr %p, i64 %i.1
  %j.1 = load i32, ptr %at.1
  %k.1 = lshr i32 %j.1, 4
  %in.1 = icmp ult i32 %k.1, 100
  br i1 %in.1, label %two, label %fail.1
two:
  %w.1 = zext i32 %k.1 to i64
  %to.1 = getelementptr i32, ptr %count, i64 %w.1
  %old.1 = atomicrmw add ptr %to.1, i32 1 monotonic
  %i.2 = zext i32 %j.1 to i64
  %at.2 = getelementptr i32, ptr %p, i64 %i.2
  %j.2 = load i32, ptr %at.2
  %k.2 = lshr i32 %j.2, 4
  %in.2 = icmp ult i32 %k.2, 100
  br i1 %in.2, label %three, label %fail.2
three:
  %w.2 = zext i32 %k.2 to i64
  %to.2 = getelementptr i32, ptr %count, i64 %w.2
  %old.2 = atomicrmw add ptr %to.2, i32 1 monotonic
  ret void
fail.0:
  call void @report(i32 %k.0)
  unreachable
fail.1:
  call void @report(i32 %k.1)
  unreachable
fail.2:
  call void @report(i32 %k.2)
  unreachable
}

; What an update returns is needed.
define void @used_result(i64 %i, ptr noalias readonly %p, i64 "ptyx-slice"="1,4" %n, ptr %count) {
  %at.0 = getelementptr i32, ptr %p, i64 %i
  %j.0 = load i32, ptr %at.0
  %k.0 = lshr i32 %j.0, 4
  %in.0 = icmp ult i32 %k.0, 100
  br i1 %in.0, label %one, label %fail.0
one:
  %w.0 = zext i32 %k.0 to i64
  %to.0 = getelementptr i32, ptr %count, i64 %w.0
  %old.0 = atomicrmw add ptr %to.0, i32 1 monotonic
  %i.1 = add nuw i64 %i, 32
  %at.1 = getelementptr i32, ptr %p, i64 %i.1
  %j.1 = load i32, ptr %at.1
  %k.1 = lshr i32 %j.1, 4
  %in.1 = icmp ult i32 %k.1, 100
  br i1 %in.1, label %two, label %fail.1
two:
  %w.1 = zext i32 %k.1 to i64
  %to.1 = getelementptr i32, ptr %count, i64 %w.1
  %old.1 = atomicrmw add ptr %to.1, i32 1 monotonic
  %i.2 = add nuw i64 %i, 64
  %at.2 = getelementptr i32, ptr %p, i64 %i.2
  %j.2 = load i32, ptr %at.2
  %k.2 = lshr i32 %j.2, 4
  %in.2 = icmp ult i32 %k.2, 100
  br i1 %in.2, label %three, label %fail.2
three:
  %w.2 = zext i32 %k.2 to i64
  %to.2 = getelementptr i32, ptr %count, i64 %w.2
  %old.2 = atomicrmw add ptr %to.2, i32 1 monotonic
  store i32 %old.0, ptr %count
  ret void
fail.0:
  call void @report(i32 %k.0)
  unreachable
fail.1:
  call void @report(i32 %k.1)
  unreachable
fail.2:
  call void @report(i32 %k.2)
  unreachable
}

; What the first check compares is needed behind all of it: it is computed before.
define void @used_behind(i64 %i, ptr noalias readonly %p, i64 "ptyx-slice"="1,4" %n, ptr %count) {
  %at.0 = getelementptr i32, ptr %p, i64 %i
  %j.0 = load i32, ptr %at.0
  %k.0 = lshr i32 %j.0, 4
  %in.0 = icmp ult i32 %k.0, 100
  br i1 %in.0, label %one, label %fail.0
one:
  %w.0 = zext i32 %k.0 to i64
  %to.0 = getelementptr i32, ptr %count, i64 %w.0
  %old.0 = atomicrmw add ptr %to.0, i32 1 monotonic
  %i.1 = add nuw i64 %i, 32
  %at.1 = getelementptr i32, ptr %p, i64 %i.1
  %j.1 = load i32, ptr %at.1
  %k.1 = lshr i32 %j.1, 4
  %in.1 = icmp ult i32 %k.1, 100
  br i1 %in.1, label %two, label %fail.1
two:
  %w.1 = zext i32 %k.1 to i64
  %to.1 = getelementptr i32, ptr %count, i64 %w.1
  %old.1 = atomicrmw add ptr %to.1, i32 1 monotonic
  %i.2 = add nuw i64 %i, 64
  %at.2 = getelementptr i32, ptr %p, i64 %i.2
  %j.2 = load i32, ptr %at.2
  %k.2 = lshr i32 %j.2, 4
  %in.2 = icmp ult i32 %k.2, 100
  br i1 %in.2, label %three, label %fail.2
three:
  %w.2 = zext i32 %k.2 to i64
  %to.2 = getelementptr i32, ptr %count, i64 %w.2
  %old.2 = atomicrmw add ptr %to.2, i32 1 monotonic
  fence seq_cst
  store i32 %k.0, ptr %count
  ret void
fail.0:
  call void @report(i32 %k.0)
  unreachable
fail.1:
  call void @report(i32 %k.1)
  unreachable
fail.2:
  call void @report(i32 %k.2)
  unreachable
}

; A length that LLVM has frozen: its limit is calculated where it is, so it stays there.
define void @frozen(i64 %i, ptr noalias readonly %p, i64 "ptyx-slice"="1,4" %n, ptr %count, i64 "ptyx-slice"="3,4" %m) {
  %m.fr = freeze i64 %m
  %at.0 = getelementptr i32, ptr %p, i64 %i
  %j.0 = load i32, ptr %at.0
  %w.0 = zext i32 %j.0 to i64
  %in.0 = icmp ult i64 %w.0, %m.fr
  br i1 %in.0, label %one, label %fail.0
one:
  %to.0 = getelementptr i32, ptr %count, i64 %w.0
  %old.0 = atomicrmw add ptr %to.0, i32 1 monotonic
  %i.1 = add nuw i64 %i, 32
  %at.1 = getelementptr i32, ptr %p, i64 %i.1
  %j.1 = load i32, ptr %at.1
  %w.1 = zext i32 %j.1 to i64
  %in.1 = icmp ult i64 %w.1, %m.fr
  br i1 %in.1, label %two, label %fail.1
two:
  %to.1 = getelementptr i32, ptr %count, i64 %w.1
  %old.1 = atomicrmw add ptr %to.1, i32 1 monotonic
  %i.2 = add nuw i64 %i, 64
  %at.2 = getelementptr i32, ptr %p, i64 %i.2
  %j.2 = load i32, ptr %at.2
  %w.2 = zext i32 %j.2 to i64
  %in.2 = icmp ult i64 %w.2, %m.fr
  br i1 %in.2, label %three, label %fail.2
three:
  %to.2 = getelementptr i32, ptr %count, i64 %w.2
  %old.2 = atomicrmw add ptr %to.2, i32 1 monotonic
  ret void
fail.0:
  call void @report(i32 %j.0)
  unreachable
fail.1:
  call void @report(i32 %j.1)
  unreachable
fail.2:
  call void @report(i32 %j.2)
  unreachable
}

; Indices of 32 bits, which an address extends with their sign, are not compared with lengths.
define void @short_indices(i32 %i, ptr noalias readonly %p, i64 "ptyx-slice"="1,4" %n, ptr %count) {
  %at.0 = getelementptr i32, ptr %p, i32 %i
  %j.0 = load i32, ptr %at.0
  %in.0 = icmp ult i32 %j.0, 100
  br i1 %in.0, label %one, label %fail.0
one:
  %to.0 = getelementptr i32, ptr %count, i32 %j.0
  %old.0 = atomicrmw add ptr %to.0, i32 1 monotonic
  %i.1 = add nsw i32 %i, 32
  %at.1 = getelementptr i32, ptr %p, i32 %i.1
  %j.1 = load i32, ptr %at.1
  %in.1 = icmp ult i32 %j.1, 100
  br i1 %in.1, label %two, label %fail.1
two:
  %to.1 = getelementptr i32, ptr %count, i32 %j.1
  %old.1 = atomicrmw add ptr %to.1, i32 1 monotonic
  %i.2 = add nsw i32 %i, 64
  %at.2 = getelementptr i32, ptr %p, i32 %i.2
  %j.2 = load i32, ptr %at.2
  %in.2 = icmp ult i32 %j.2, 100
  br i1 %in.2, label %three, label %fail.2
three:
  %to.2 = getelementptr i32, ptr %count, i32 %j.2
  %old.2 = atomicrmw add ptr %to.2, i32 1 monotonic
  ret void
fail.0:
  call void @report(i32 %j.0)
  unreachable
fail.1:
  call void @report(i32 %j.1)
  unreachable
fail.2:
  call void @report(i32 %j.2)
  unreachable
}

; becomes:
; Function Attrs: noreturn
declare void @report(i32) #0

define void @votes(i64 %i, ptr noalias readonly %p, i64 "ptyx-slice"="1,4" %n, ptr %count) {
  %at.0 = getelementptr i32, ptr %p, i64 %i
  %j.0 = load i32, ptr %at.0, align 4
  %1 = add i64 %i, 32
  %2 = add i64 %i, 64
  %3 = icmp ult i64 %1, %n
  %4 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %3)
  %5 = icmp ult i64 %2, %n
  %6 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %5)
  %7 = select i1 %4, i1 %6, i1 false
  br i1 %7, label %start2, label %start1

one:                                              ; preds = %start1
  %w.0 = zext i32 %11 to i64
  %to.0 = getelementptr i32, ptr %count, i64 %w.0
  %old.0 = atomicrmw add ptr %to.0, i32 1 monotonic, align 4
  %j.1 = load i32, ptr %13, align 4
  %k.1 = lshr i32 %j.1, 4
  %in.1 = icmp ult i32 %k.1, 100
  br i1 %in.1, label %two, label %fail.1, !ptyx.may_fail !0

two:                                              ; preds = %one
  %w.1 = zext i32 %k.1 to i64
  %to.1 = getelementptr i32, ptr %count, i64 %w.1
  %old.1 = atomicrmw add ptr %to.1, i32 1 monotonic, align 4
  %j.2 = load i32, ptr %14, align 4
  %k.2 = lshr i32 %j.2, 4
  %in.2 = icmp ult i32 %k.2, 100
  br i1 %in.2, label %start, label %fail.2, !ptyx.may_fail !0

start:                                            ; preds = %two
  %8 = zext i32 %k.2 to i64
  %9 = getelementptr i32, ptr %count, i64 %8
  br label %three, !ptyx.may_fail !0

three:                                            ; preds = %start5, %start
  %10 = phi ptr [ %9, %start ], [ %42, %start5 ]
  %old.2 = atomicrmw add ptr %10, i32 1 monotonic, align 4
  ret void

fail.0:                                           ; preds = %start1
  call void @report(i32 %11)
  unreachable

fail.1:                                           ; preds = %one
  call void @report(i32 %k.1)
  unreachable

fail.2:                                           ; preds = %two
  call void @report(i32 %k.2)
  unreachable

start1:                                           ; preds = %start2, %0
  %11 = lshr i32 %j.0, 4
  %12 = icmp ult i32 %11, 100
  %13 = getelementptr i32, ptr %p, i64 %1
  %14 = getelementptr i32, ptr %p, i64 %2
  %15 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %11)
  %16 = icmp ult i32 %15, 100
  br i1 %16, label %one, label %fail.0, !ptyx.may_fail !0

start2:                                           ; preds = %0
  %17 = lshr i32 %j.0, 4
  %18 = icmp ult i32 %17, 100
  %19 = getelementptr i32, ptr %p, i64 %1
  %20 = getelementptr i32, ptr %p, i64 %2
  %21 = load i32, ptr %19, align 4, !ptyx.is_valid !0
  %22 = lshr i32 %21, 4
  %23 = icmp ult i32 %22, 100
  %24 = load i32, ptr %20, align 4, !ptyx.is_valid !0
  %25 = lshr i32 %24, 4
  %26 = icmp ult i32 %25, 100
  %27 = icmp ult i32 %17, 100
  %28 = icmp ult i32 %22, 100
  %29 = icmp ult i32 %25, 100
  %30 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %27)
  %31 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %28)
  %32 = select i1 %30, i1 %31, i1 false
  %33 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %29)
  %34 = select i1 %32, i1 %33, i1 false
  br i1 %34, label %start3, label %start1

start3:                                           ; preds = %start2
  %35 = zext i32 %17 to i64
  %36 = getelementptr i32, ptr %count, i64 %35
  %37 = atomicrmw add ptr %36, i32 1 monotonic, align 4
  br label %start4

start4:                                           ; preds = %start3
  %38 = zext i32 %22 to i64
  %39 = getelementptr i32, ptr %count, i64 %38
  %40 = atomicrmw add ptr %39, i32 1 monotonic, align 4
  br label %start5

start5:                                           ; preds = %start4
  %41 = zext i32 %25 to i64
  %42 = getelementptr i32, ptr %count, i64 %41
  br label %three
}

define void @written(i64 %i, ptr %p, i64 "ptyx-slice"="1,4" %n, ptr %count) {
  %at.0 = getelementptr i32, ptr %p, i64 %i
  %j.0 = load i32, ptr %at.0, align 4
  %k.0 = lshr i32 %j.0, 4
  %in.0 = icmp ult i32 %k.0, 100
  br i1 %in.0, label %one, label %fail.0

one:                                              ; preds = %0
  %w.0 = zext i32 %k.0 to i64
  %to.0 = getelementptr i32, ptr %count, i64 %w.0
  %old.0 = atomicrmw add ptr %to.0, i32 1 monotonic, align 4
  %i.1 = add nuw i64 %i, 32
  %at.1 = getelementptr i32, ptr %p, i64 %i.1
  %j.1 = load i32, ptr %at.1, align 4
  %k.1 = lshr i32 %j.1, 4
  %in.1 = icmp ult i32 %k.1, 100
  br i1 %in.1, label %two, label %fail.1

two:                                              ; preds = %one
  %w.1 = zext i32 %k.1 to i64
  %to.1 = getelementptr i32, ptr %count, i64 %w.1
  %old.1 = atomicrmw add ptr %to.1, i32 1 monotonic, align 4
  %i.2 = add nuw i64 %i, 64
  %at.2 = getelementptr i32, ptr %p, i64 %i.2
  %j.2 = load i32, ptr %at.2, align 4
  %k.2 = lshr i32 %j.2, 4
  %in.2 = icmp ult i32 %k.2, 100
  br i1 %in.2, label %three, label %fail.2

three:                                            ; preds = %two
  %w.2 = zext i32 %k.2 to i64
  %to.2 = getelementptr i32, ptr %count, i64 %w.2
  %old.2 = atomicrmw add ptr %to.2, i32 1 monotonic, align 4
  ret void

fail.0:                                           ; preds = %0
  call void @report(i32 %k.0)
  unreachable

fail.1:                                           ; preds = %one
  call void @report(i32 %k.1)
  unreachable

fail.2:                                           ; preds = %two
  call void @report(i32 %k.2)
  unreachable
}

define void @no_slice(i64 %i, ptr noalias readonly %p, i64 %n, ptr %count) {
  %at.0 = getelementptr i32, ptr %p, i64 %i
  %j.0 = load i32, ptr %at.0, align 4
  %k.0 = lshr i32 %j.0, 4
  %in.0 = icmp ult i32 %k.0, 100
  br i1 %in.0, label %one, label %fail.0

one:                                              ; preds = %0
  %w.0 = zext i32 %k.0 to i64
  %to.0 = getelementptr i32, ptr %count, i64 %w.0
  %old.0 = atomicrmw add ptr %to.0, i32 1 monotonic, align 4
  %i.1 = add nuw i64 %i, 32
  %at.1 = getelementptr i32, ptr %p, i64 %i.1
  %j.1 = load i32, ptr %at.1, align 4
  %k.1 = lshr i32 %j.1, 4
  %in.1 = icmp ult i32 %k.1, 100
  br i1 %in.1, label %two, label %fail.1

two:                                              ; preds = %one
  %w.1 = zext i32 %k.1 to i64
  %to.1 = getelementptr i32, ptr %count, i64 %w.1
  %old.1 = atomicrmw add ptr %to.1, i32 1 monotonic, align 4
  %i.2 = add nuw i64 %i, 64
  %at.2 = getelementptr i32, ptr %p, i64 %i.2
  %j.2 = load i32, ptr %at.2, align 4
  %k.2 = lshr i32 %j.2, 4
  %in.2 = icmp ult i32 %k.2, 100
  br i1 %in.2, label %three, label %fail.2

three:                                            ; preds = %two
  %w.2 = zext i32 %k.2 to i64
  %to.2 = getelementptr i32, ptr %count, i64 %w.2
  %old.2 = atomicrmw add ptr %to.2, i32 1 monotonic, align 4
  ret void

fail.0:                                           ; preds = %0
  call void @report(i32 %k.0)
  unreachable

fail.1:                                           ; preds = %one
  call void @report(i32 %k.1)
  unreachable

fail.2:                                           ; preds = %two
  call void @report(i32 %k.2)
  unreachable
}

define void @chased(i64 %i, ptr noalias readonly %p, i64 "ptyx-slice"="1,4" %n, ptr %count) {
  %at.0 = getelementptr i32, ptr %p, i64 %i
  %j.0 = load i32, ptr %at.0, align 4
  %k.0 = lshr i32 %j.0, 4
  %in.0 = icmp ult i32 %k.0, 100
  br i1 %in.0, label %one, label %fail.0

one:                                              ; preds = %0
  %w.0 = zext i32 %k.0 to i64
  %to.0 = getelementptr i32, ptr %count, i64 %w.0
  %old.0 = atomicrmw add ptr %to.0, i32 1 monotonic, align 4
  %i.1 = add nuw i64 %i, 32
  %at.1 = getelementptr i32, ptr %p, i64 %i.1
  %j.1 = load i32, ptr %at.1, align 4
  %k.1 = lshr i32 %j.1, 4
  %in.1 = icmp ult i32 %k.1, 100
  br i1 %in.1, label %two, label %fail.1

two:                                              ; preds = %one
  %w.1 = zext i32 %k.1 to i64
  %to.1 = getelementptr i32, ptr %count, i64 %w.1
  %old.1 = atomicrmw add ptr %to.1, i32 1 monotonic, align 4
  %i.2 = zext i32 %j.1 to i64
  %at.2 = getelementptr i32, ptr %p, i64 %i.2
  %j.2 = load i32, ptr %at.2, align 4
  %k.2 = lshr i32 %j.2, 4
  %in.2 = icmp ult i32 %k.2, 100
  br i1 %in.2, label %three, label %fail.2

three:                                            ; preds = %two
  %w.2 = zext i32 %k.2 to i64
  %to.2 = getelementptr i32, ptr %count, i64 %w.2
  %old.2 = atomicrmw add ptr %to.2, i32 1 monotonic, align 4
  ret void

fail.0:                                           ; preds = %0
  call void @report(i32 %k.0)
  unreachable

fail.1:                                           ; preds = %one
  call void @report(i32 %k.1)
  unreachable

fail.2:                                           ; preds = %two
  call void @report(i32 %k.2)
  unreachable
}

define void @used_result(i64 %i, ptr noalias readonly %p, i64 "ptyx-slice"="1,4" %n, ptr %count) {
  %at.0 = getelementptr i32, ptr %p, i64 %i
  %j.0 = load i32, ptr %at.0, align 4
  %k.0 = lshr i32 %j.0, 4
  %in.0 = icmp ult i32 %k.0, 100
  br i1 %in.0, label %one, label %fail.0

one:                                              ; preds = %0
  %w.0 = zext i32 %k.0 to i64
  %to.0 = getelementptr i32, ptr %count, i64 %w.0
  %old.0 = atomicrmw add ptr %to.0, i32 1 monotonic, align 4
  %i.1 = add nuw i64 %i, 32
  %at.1 = getelementptr i32, ptr %p, i64 %i.1
  %j.1 = load i32, ptr %at.1, align 4
  %k.1 = lshr i32 %j.1, 4
  %in.1 = icmp ult i32 %k.1, 100
  br i1 %in.1, label %two, label %fail.1

two:                                              ; preds = %one
  %w.1 = zext i32 %k.1 to i64
  %to.1 = getelementptr i32, ptr %count, i64 %w.1
  %old.1 = atomicrmw add ptr %to.1, i32 1 monotonic, align 4
  %i.2 = add nuw i64 %i, 64
  %at.2 = getelementptr i32, ptr %p, i64 %i.2
  %j.2 = load i32, ptr %at.2, align 4
  %k.2 = lshr i32 %j.2, 4
  %in.2 = icmp ult i32 %k.2, 100
  br i1 %in.2, label %three, label %fail.2

three:                                            ; preds = %two
  %w.2 = zext i32 %k.2 to i64
  %to.2 = getelementptr i32, ptr %count, i64 %w.2
  %old.2 = atomicrmw add ptr %to.2, i32 1 monotonic, align 4
  store i32 %old.0, ptr %count, align 4
  ret void

fail.0:                                           ; preds = %0
  call void @report(i32 %k.0)
  unreachable

fail.1:                                           ; preds = %one
  call void @report(i32 %k.1)
  unreachable

fail.2:                                           ; preds = %two
  call void @report(i32 %k.2)
  unreachable
}

define void @used_behind(i64 %i, ptr noalias readonly %p, i64 "ptyx-slice"="1,4" %n, ptr %count) {
  %at.0 = getelementptr i32, ptr %p, i64 %i
  %j.0 = load i32, ptr %at.0, align 4
  %k.0 = lshr i32 %j.0, 4
  %1 = add i64 %i, 32
  %2 = add i64 %i, 64
  %3 = icmp ult i64 %1, %n
  %4 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %3)
  %5 = icmp ult i64 %2, %n
  %6 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %5)
  %7 = select i1 %4, i1 %6, i1 false
  br i1 %7, label %start2, label %start1

one:                                              ; preds = %start1
  %w.0 = zext i32 %k.0 to i64
  %to.0 = getelementptr i32, ptr %count, i64 %w.0
  %old.0 = atomicrmw add ptr %to.0, i32 1 monotonic, align 4
  %j.1 = load i32, ptr %12, align 4
  %k.1 = lshr i32 %j.1, 4
  %in.1 = icmp ult i32 %k.1, 100
  br i1 %in.1, label %two, label %fail.1, !ptyx.may_fail !0

two:                                              ; preds = %one
  %w.1 = zext i32 %k.1 to i64
  %to.1 = getelementptr i32, ptr %count, i64 %w.1
  %old.1 = atomicrmw add ptr %to.1, i32 1 monotonic, align 4
  %j.2 = load i32, ptr %13, align 4
  %k.2 = lshr i32 %j.2, 4
  %in.2 = icmp ult i32 %k.2, 100
  br i1 %in.2, label %start, label %fail.2, !ptyx.may_fail !0

start:                                            ; preds = %two
  %8 = zext i32 %k.2 to i64
  %9 = getelementptr i32, ptr %count, i64 %8
  br label %three, !ptyx.may_fail !0

three:                                            ; preds = %start5, %start
  %10 = phi ptr [ %9, %start ], [ %40, %start5 ]
  %old.2 = atomicrmw add ptr %10, i32 1 monotonic, align 4
  fence seq_cst
  store i32 %k.0, ptr %count, align 4
  ret void

fail.0:                                           ; preds = %start1
  call void @report(i32 %k.0)
  unreachable

fail.1:                                           ; preds = %one
  call void @report(i32 %k.1)
  unreachable

fail.2:                                           ; preds = %two
  call void @report(i32 %k.2)
  unreachable

start1:                                           ; preds = %start2, %0
  %11 = icmp ult i32 %k.0, 100
  %12 = getelementptr i32, ptr %p, i64 %1
  %13 = getelementptr i32, ptr %p, i64 %2
  %14 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %k.0)
  %15 = icmp ult i32 %14, 100
  br i1 %15, label %one, label %fail.0, !ptyx.may_fail !0

start2:                                           ; preds = %0
  %16 = icmp ult i32 %k.0, 100
  %17 = getelementptr i32, ptr %p, i64 %1
  %18 = getelementptr i32, ptr %p, i64 %2
  %19 = load i32, ptr %17, align 4, !ptyx.is_valid !0
  %20 = lshr i32 %19, 4
  %21 = icmp ult i32 %20, 100
  %22 = load i32, ptr %18, align 4, !ptyx.is_valid !0
  %23 = lshr i32 %22, 4
  %24 = icmp ult i32 %23, 100
  %25 = icmp ult i32 %k.0, 100
  %26 = icmp ult i32 %20, 100
  %27 = icmp ult i32 %23, 100
  %28 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %25)
  %29 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %26)
  %30 = select i1 %28, i1 %29, i1 false
  %31 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %27)
  %32 = select i1 %30, i1 %31, i1 false
  br i1 %32, label %start3, label %start1

start3:                                           ; preds = %start2
  %33 = zext i32 %k.0 to i64
  %34 = getelementptr i32, ptr %count, i64 %33
  %35 = atomicrmw add ptr %34, i32 1 monotonic, align 4
  br label %start4

start4:                                           ; preds = %start3
  %36 = zext i32 %20 to i64
  %37 = getelementptr i32, ptr %count, i64 %36
  %38 = atomicrmw add ptr %37, i32 1 monotonic, align 4
  br label %start5

start5:                                           ; preds = %start4
  %39 = zext i32 %23 to i64
  %40 = getelementptr i32, ptr %count, i64 %39
  br label %three
}

define void @frozen(i64 %i, ptr noalias readonly %p, i64 "ptyx-slice"="1,4" %n, ptr %count, i64 "ptyx-slice"="3,4" %m) {
  %m.fr = freeze i64 %m
  %1 = trunc i64 %m.fr to i32
  %2 = icmp ult i64 %m.fr, 4294967296
  %3 = select i1 %2, i32 %1, i32 0
  %4 = add i32 %3, -1
  %5 = icmp ne i64 %m.fr, 0
  %at.0 = getelementptr i32, ptr %p, i64 %i
  %j.0 = load i32, ptr %at.0, align 4
  %6 = add i64 %i, 32
  %7 = add i64 %i, 64
  %8 = icmp ult i64 %6, %n
  %9 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %8)
  %10 = icmp ult i64 %7, %n
  %11 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %10)
  %12 = select i1 %9, i1 %11, i1 false
  br i1 %12, label %start2, label %start1

one:                                              ; preds = %start1
  %to.0 = getelementptr i32, ptr %count, i64 %15
  %old.0 = atomicrmw add ptr %to.0, i32 1 monotonic, align 4
  %j.1 = load i32, ptr %17, align 4
  %w.1 = zext i32 %j.1 to i64
  %in.1 = icmp ult i64 %w.1, %m.fr
  br i1 %in.1, label %two, label %fail.1, !ptyx.may_fail !0

two:                                              ; preds = %one
  %to.1 = getelementptr i32, ptr %count, i64 %w.1
  %old.1 = atomicrmw add ptr %to.1, i32 1 monotonic, align 4
  %j.2 = load i32, ptr %18, align 4
  %w.2 = zext i32 %j.2 to i64
  %in.2 = icmp ult i64 %w.2, %m.fr
  br i1 %in.2, label %start, label %fail.2, !ptyx.may_fail !0

start:                                            ; preds = %two
  %13 = getelementptr i32, ptr %count, i64 %w.2
  br label %three, !ptyx.may_fail !0

three:                                            ; preds = %start5, %start
  %14 = phi ptr [ %13, %start ], [ %47, %start5 ]
  %old.2 = atomicrmw add ptr %14, i32 1 monotonic, align 4
  ret void

fail.0:                                           ; preds = %start1
  call void @report(i32 %j.0)
  unreachable

fail.1:                                           ; preds = %one
  call void @report(i32 %j.1)
  unreachable

fail.2:                                           ; preds = %two
  call void @report(i32 %j.2)
  unreachable

start1:                                           ; preds = %start2, %0
  %15 = zext i32 %j.0 to i64
  %16 = icmp ult i64 %15, %m.fr
  %17 = getelementptr i32, ptr %p, i64 %6
  %18 = getelementptr i32, ptr %p, i64 %7
  %19 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %j.0)
  %20 = zext i32 %19 to i64
  %21 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %m.fr)
  %22 = icmp ult i64 %20, %21
  br i1 %22, label %one, label %fail.0, !ptyx.may_fail !0

start2:                                           ; preds = %0
  %23 = zext i32 %j.0 to i64
  %24 = icmp ult i64 %23, %m.fr
  %25 = getelementptr i32, ptr %p, i64 %6
  %26 = getelementptr i32, ptr %p, i64 %7
  %27 = load i32, ptr %25, align 4, !ptyx.is_valid !0
  %28 = zext i32 %27 to i64
  %29 = icmp ult i64 %28, %m.fr
  %30 = load i32, ptr %26, align 4, !ptyx.is_valid !0
  %31 = zext i32 %30 to i64
  %32 = icmp ult i64 %31, %m.fr
  %33 = icmp ule i32 %j.0, %4
  %34 = icmp ule i32 %27, %4
  %35 = icmp ule i32 %30, %4
  %36 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %5)
  %37 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %33)
  %38 = select i1 %36, i1 %37, i1 false
  %39 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %34)
  %40 = select i1 %38, i1 %39, i1 false
  %41 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %35)
  %42 = select i1 %40, i1 %41, i1 false
  br i1 %42, label %start3, label %start1

start3:                                           ; preds = %start2
  %43 = getelementptr i32, ptr %count, i64 %23
  %44 = atomicrmw add ptr %43, i32 1 monotonic, align 4
  br label %start4

start4:                                           ; preds = %start3
  %45 = getelementptr i32, ptr %count, i64 %28
  %46 = atomicrmw add ptr %45, i32 1 monotonic, align 4
  br label %start5

start5:                                           ; preds = %start4
  %47 = getelementptr i32, ptr %count, i64 %31
  br label %three
}

define void @short_indices(i32 %i, ptr noalias readonly %p, i64 "ptyx-slice"="1,4" %n, ptr %count) {
  %at.0 = getelementptr i32, ptr %p, i32 %i
  %j.0 = load i32, ptr %at.0, align 4
  %in.0 = icmp ult i32 %j.0, 100
  br i1 %in.0, label %one, label %fail.0

one:                                              ; preds = %0
  %to.0 = getelementptr i32, ptr %count, i32 %j.0
  %old.0 = atomicrmw add ptr %to.0, i32 1 monotonic, align 4
  %i.1 = add nsw i32 %i, 32
  %at.1 = getelementptr i32, ptr %p, i32 %i.1
  %j.1 = load i32, ptr %at.1, align 4
  %in.1 = icmp ult i32 %j.1, 100
  br i1 %in.1, label %two, label %fail.1

two:                                              ; preds = %one
  %to.1 = getelementptr i32, ptr %count, i32 %j.1
  %old.1 = atomicrmw add ptr %to.1, i32 1 monotonic, align 4
  %i.2 = add nsw i32 %i, 64
  %at.2 = getelementptr i32, ptr %p, i32 %i.2
  %j.2 = load i32, ptr %at.2, align 4
  %in.2 = icmp ult i32 %j.2, 100
  br i1 %in.2, label %three, label %fail.2

three:                                            ; preds = %two
  %to.2 = getelementptr i32, ptr %count, i32 %j.2
  %old.2 = atomicrmw add ptr %to.2, i32 1 monotonic, align 4
  ret void

fail.0:                                           ; preds = %0
  call void @report(i32 %j.0)
  unreachable

fail.1:                                           ; preds = %one
  call void @report(i32 %j.1)
  unreachable

fail.2:                                           ; preds = %two
  call void @report(i32 %j.2)
  unreachable
}

attributes #0 = { noreturn }

!0 = !{}
