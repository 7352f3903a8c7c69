; run: narrow_divisions
; Behind a division of 64 bits by a variable, threads whose numbers have at most 32 bits run a copy. There is none in or before
; a loop, before a barrier, an update of memory or a call, nor for divisors that are constant, or known to be small.

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent
declare void @panic(i64) noreturn
declare void @work(i64)

define void @row_and_column(i64 %i, i32 %width, i64 %len, ptr %p, i1 %c) {
  %w = sext i32 %width to i64
  br i1 %c, label %divide, label %end
divide:
  %fine = icmp ne i64 %w, 0
  br i1 %fine, label %goes, label %by_zero
goes:
  %w.frozen = freeze i64 %w
  %row = udiv i64 %i, %w.frozen
  %times = mul i64 %row, %w.frozen
  %column = sub i64 %i, %times
  %left = icmp eq i64 %column, 0
  br i1 %left, label %end, label %inner
inner:
  %again = urem i64 %row, %len
  %in = icmp ult i64 %i, %len
  br i1 %in, label %store, label %out
store:
  %at = getelementptr i64, ptr %p, i64 %i
  store i64 %again, ptr %at
  br label %end
end:
  %seen = phi i64 [ 0, %0 ], [ %row, %goes ], [ %w, %store ]
  store i64 %seen, ptr %p
  ret void
by_zero:
  call void @panic(i64 0)
  unreachable
out:
  call void @panic(i64 %i)
  unreachable
}

define i64 @in_a_loop(i64 %i, i64 %w, i64 %n) {
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %q = udiv i64 %i, %w
  %next = add i64 %k, %q
  %done = icmp uge i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret i64 %next
}

define i64 @before_a_barrier(i64 %i, i64 %w) {
  %q = udiv i64 %i, %w
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret i64 %q
}

define i64 @before_an_update(i64 %i, i64 %w, ptr %p) {
  %q = udiv i64 %i, %w
  %old = atomicrmw add ptr %p, i64 %q monotonic
  ret i64 %old
}

define i64 @before_a_call(i64 %i, i64 %w) {
  %q = udiv i64 %i, %w
  call void @work(i64 %q)
  ret i64 %q
}

define i64 @by_constants(i64 %i) {
  %q = udiv i64 %i, 7
  ret i64 %q
}

define i64 @of_small_numbers(i32 %j) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %i = zext i32 %t to i64
  %w = zext i32 %j to i64
  %q = udiv i64 %i, %w
  ret i64 %q
}

define i32 @of_words(i32 %i, i32 %w) {
  %q = udiv i32 %i, %w
  ret i32 %q
}

!0 = !{i32 0, i32 1024}

; becomes:
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #0

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: noreturn
declare void @panic(i64) #2

declare void @work(i64)

define void @row_and_column(i64 %i, i32 %width, i64 %len, ptr %p, i1 %c) {
  %w = sext i32 %width to i64
  br i1 %c, label %divide, label %end

divide:                                           ; preds = %0
  %fine = icmp ne i64 %w, 0
  br i1 %fine, label %start, label %by_zero

start:                                            ; preds = %divide
  %1 = freeze i64 %w
  %2 = freeze i64 %i
  %3 = freeze i32 %width
  %4 = sext i32 %3 to i64
  %5 = freeze i64 %len
  %6 = or i64 %2, %4
  %7 = or i64 %6, %5
  %8 = icmp ult i64 %7, 4294967296
  br i1 %8, label %start1, label %goes

goes:                                             ; preds = %start
  %9 = call i64 asm "div.u64 $0, $1, $2;", "=l,l,l"(i64 %i, i64 %1) #3
  %times = mul i64 %9, %1
  %column = sub i64 %i, %times
  %left = icmp eq i64 %column, 0
  br i1 %left, label %end, label %inner

inner:                                            ; preds = %goes
  %10 = call i64 asm "rem.u64 $0, $1, $2;", "=l,l,l"(i64 %9, i64 %len) #3
  %in = icmp ult i64 %i, %len
  br i1 %in, label %store, label %out

store:                                            ; preds = %inner
  %at = getelementptr i64, ptr %p, i64 %i
  store i64 %10, ptr %at, align 4
  br label %end

end:                                              ; preds = %store, %goes, %0
  %seen = phi i64 [ 0, %0 ], [ %9, %goes ], [ %w, %store ]
  store i64 %seen, ptr %p, align 4
  ret void

by_zero:                                          ; preds = %divide
  call void @panic(i64 0)
  unreachable

out:                                              ; preds = %inner
  call void @panic(i64 %i)
  unreachable

start1:                                           ; preds = %start
  %11 = trunc i64 %2 to i32
  %12 = zext i32 %11 to i64
  %13 = zext i32 %3 to i64
  %14 = trunc i64 %5 to i32
  %15 = zext i32 %14 to i64
  %16 = udiv i64 %12, %13
  %17 = mul i64 %16, %13
  %18 = sub i64 %12, %17
  %19 = icmp eq i64 %18, 0
  br i1 %19, label %start2, label %start3

start2:                                           ; preds = %start4, %start1
  %20 = phi i64 [ %16, %start1 ], [ %13, %start4 ]
  store i64 %20, ptr %p, align 4
  ret void

start3:                                           ; preds = %start1
  %21 = urem i64 %16, %15
  %22 = icmp ult i64 %12, %15
  br i1 %22, label %start4, label %start5

start4:                                           ; preds = %start3
  %23 = getelementptr i64, ptr %p, i64 %12
  store i64 %21, ptr %23, align 4
  br label %start2

start5:                                           ; preds = %start3
  call void @panic(i64 %12)
  unreachable
}

define i64 @in_a_loop(i64 %i, i64 %w, i64 %n) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %q = udiv i64 %i, %w
  %next = add i64 %k, %q
  %done = icmp uge i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:                                             ; preds = %loop
  ret i64 %next
}

define i64 @before_a_barrier(i64 %i, i64 %w) {
  %q = udiv i64 %i, %w
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret i64 %q
}

define i64 @before_an_update(i64 %i, i64 %w, ptr %p) {
  %q = udiv i64 %i, %w
  %old = atomicrmw add ptr %p, i64 %q monotonic, align 8
  ret i64 %old
}

define i64 @before_a_call(i64 %i, i64 %w) {
  %q = udiv i64 %i, %w
  call void @work(i64 %q)
  ret i64 %q
}

define i64 @by_constants(i64 %i) {
  %q = udiv i64 %i, 7
  ret i64 %q
}

define i64 @of_small_numbers(i32 %j) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %i = zext i32 %t to i64
  %w = zext i32 %j to i64
  %q = udiv i64 %i, %w
  ret i64 %q
}

define i32 @of_words(i32 %i, i32 %w) {
  %q = udiv i32 %i, %w
  ret i32 %q
}

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { convergent nocallback nounwind }
attributes #2 = { noreturn }
attributes #3 = { nounwind willreturn memory(none) }

!0 = !{i32 0, i32 1024}
