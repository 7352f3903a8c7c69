; run: rejoin_panics
; A panic in a branch goes on to where the branches join, one in a loop to the loop's end, and from there to the next
; join. A value that the panic's path lacks is carried along. A panic stays where it is if there is a barrier on the way
; of the others, if nothing is left to do at the join, or if all threads of a warp take the same path.

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define void @branch(i64 %i, i64 %n, ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  br i1 %c, label %then, label %else
then:
  %in = icmp ult i64 %i, %n
  br i1 %in, label %load, label %panic
load:
  %at = getelementptr i32, ptr %p, i64 %i
  %value = load i32, ptr %at
  br label %join
else:
  br label %join
join:
  %sum = phi i32 [ %value, %load ], [ 0, %else ]
  store i32 %sum, ptr %p
  ret void
panic:
  br label %ptyx.panics
ptyx.panics:
  %site = phi i32 [ 7, %panic ]
  store volatile i32 %site, ptr %p
  unreachable
}

define void @loop_in_a_branch(i64 %any, i64 %len, ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  %n = load i64, ptr %p
  br i1 %c, label %loop, label %join
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %panic
body:
  %at = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %at
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %after, label %loop
after:
  store i64 %next, ptr %p
  %other = icmp ult i64 %n, %len
  br i1 %other, label %join, label %panic.other
join:
  %end = phi i64 [ 0, %0 ], [ %next, %after ]
  store i64 %end, ptr %p
  ret void
panic:
  br label %ptyx.panics
panic.other:
  br label %ptyx.panics
ptyx.panics:
  %site = phi i32 [ 7, %panic ], [ 8, %panic.other ]
  %word = phi i64 [ %i, %panic ], [ %n, %panic.other ]
  store volatile i32 %site, ptr %p
  store volatile i64 %word, ptr %p
  unreachable
}

define void @waits(i64 %len, ptr %p) {
  %n = load i64, ptr %p
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %panic
body:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %after, label %loop
after:
  store i64 %next, ptr %p
  ret void
panic:
  br label %ptyx.panics
ptyx.panics:
  %site = phi i32 [ 7, %panic ]
  store volatile i32 %site, ptr %p
  unreachable
}

define void @uniform(i1 %c, i64 %i, i64 %n, ptr %p) {
  br i1 %c, label %then, label %join
then:
  %in = icmp ult i64 %i, %n
  br i1 %in, label %load, label %panic
load:
  store i64 %i, ptr %p
  br label %join
join:
  store i64 %n, ptr %p
  ret void
panic:
  br label %ptyx.panics
ptyx.panics:
  %site = phi i32 [ 7, %panic ]
  store volatile i32 %site, ptr %p
  unreachable
}

define void @early(i64 %n, i64 %len, ptr %p) {
  %i = load i64, ptr %p
  %out = icmp uge i64 %i, %n
  br i1 %out, label %end, label %more
more:
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %panic
body:
  store i64 %i, ptr %p
  br label %end
end:
  ret void
panic:
  br label %ptyx.panics
ptyx.panics:
  %site = phi i32 [ 7, %panic ]
  store volatile i32 %site, ptr %p
  unreachable
}

; becomes:
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #0

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

define void @branch(i64 %i, i64 %n, ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  br i1 %c, label %then, label %else

then:                                             ; preds = %0
  %in = icmp ult i64 %i, %n
  br i1 %in, label %load, label %panic

load:                                             ; preds = %then
  %at = getelementptr i32, ptr %p, i64 %i
  %value = load i32, ptr %at, align 4
  br label %start

else:                                             ; preds = %0
  br label %start

start:                                            ; preds = %else, %load, %panic
  %1 = phi i32 [ %value, %load ], [ 0, %else ], [ undef, %panic ]
  %2 = phi i1 [ false, %load ], [ false, %else ], [ true, %panic ]
  %3 = phi i32 [ undef, %load ], [ undef, %else ], [ 7, %panic ]
  br i1 %2, label %ptyx.panics, label %join

join:                                             ; preds = %start
  store i32 %1, ptr %p, align 4
  ret void

panic:                                            ; preds = %then
  br label %start

ptyx.panics:                                      ; preds = %start
  %4 = phi i32 [ %3, %start ]
  store volatile i32 %4, ptr %p, align 4
  unreachable
}

define void @loop_in_a_branch(i64 %any, i64 %len, ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  %n = load i64, ptr %p, align 4
  br i1 %c, label %loop, label %start1

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %panic

body:                                             ; preds = %loop
  %at = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %at, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %start, label %loop

start:                                            ; preds = %body, %panic
  %1 = phi i1 [ false, %body ], [ true, %panic ]
  %2 = phi i32 [ undef, %body ], [ 7, %panic ]
  %3 = phi i64 [ undef, %body ], [ %i, %panic ]
  %4 = phi i64 [ %next, %body ], [ undef, %panic ]
  br i1 %1, label %start1, label %after

after:                                            ; preds = %start
  store i64 %4, ptr %p, align 4
  %other = icmp ult i64 %n, %len
  br i1 %other, label %start1, label %panic.other

start1:                                           ; preds = %after, %0, %panic.other, %start
  %5 = phi i64 [ 0, %0 ], [ %4, %after ], [ undef, %panic.other ], [ undef, %start ]
  %6 = phi i1 [ false, %0 ], [ false, %after ], [ true, %panic.other ], [ true, %start ]
  %7 = phi i32 [ undef, %0 ], [ undef, %after ], [ 8, %panic.other ], [ %2, %start ]
  %8 = phi i64 [ undef, %0 ], [ undef, %after ], [ %n, %panic.other ], [ %3, %start ]
  br i1 %6, label %ptyx.panics, label %join

join:                                             ; preds = %start1
  store i64 %5, ptr %p, align 4
  ret void

panic:                                            ; preds = %loop
  br label %start

panic.other:                                      ; preds = %after
  br label %start1

ptyx.panics:                                      ; preds = %start1
  %9 = phi i32 [ %7, %start1 ]
  %10 = phi i64 [ %8, %start1 ]
  store volatile i32 %9, ptr %p, align 4
  store volatile i64 %10, ptr %p, align 4
  unreachable
}

define void @waits(i64 %len, ptr %p) {
  %n = load i64, ptr %p, align 4
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %panic

body:                                             ; preds = %loop
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %after, label %loop

after:                                            ; preds = %body
  store i64 %next, ptr %p, align 4
  ret void

panic:                                            ; preds = %loop
  br label %ptyx.panics

ptyx.panics:                                      ; preds = %panic
  %site = phi i32 [ 7, %panic ]
  store volatile i32 %site, ptr %p, align 4
  unreachable
}

define void @uniform(i1 %c, i64 %i, i64 %n, ptr %p) {
  br i1 %c, label %then, label %join

then:                                             ; preds = %0
  %in = icmp ult i64 %i, %n
  br i1 %in, label %load, label %panic

load:                                             ; preds = %then
  store i64 %i, ptr %p, align 4
  br label %join

join:                                             ; preds = %load, %0
  store i64 %n, ptr %p, align 4
  ret void

panic:                                            ; preds = %then
  br label %ptyx.panics

ptyx.panics:                                      ; preds = %panic
  %site = phi i32 [ 7, %panic ]
  store volatile i32 %site, ptr %p, align 4
  unreachable
}

define void @early(i64 %n, i64 %len, ptr %p) {
  %i = load i64, ptr %p, align 4
  %out = icmp uge i64 %i, %n
  br i1 %out, label %end, label %more

more:                                             ; preds = %0
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %panic

body:                                             ; preds = %more
  store i64 %i, ptr %p, align 4
  br label %end

end:                                              ; preds = %body, %0
  ret void

panic:                                            ; preds = %more
  br label %ptyx.panics

ptyx.panics:                                      ; preds = %panic
  %site = phi i32 [ 7, %panic ]
  store volatile i32 %site, ptr %p, align 4
  unreachable
}

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { convergent nocallback nounwind }
