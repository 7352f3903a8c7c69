; run: rejoin_panics
; A panic in a branch goes on to where the branches join, one in a loop to the loop's end, and from there to the next
; join. A value that the panic's path lacks is carried along. A panic stays where it is if there is a barrier on the way
; of the others, if nothing is left to do at the join, if all threads of a warp take the same path, or in very many
; nested branches.

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

; A loop of a graph search, with relaxed stores and a relaxed load that decides nothing: the panic goes on to its end.
define void @search(i64 %len, ptr %p, ptr %q) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = zext i32 %tid to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %panic
body:
  %flag = load atomic i32, ptr %q syncscope("device") monotonic, align 4
  %at = getelementptr i32, ptr %p, i64 %i
  store atomic i32 %flag, ptr %at syncscope("device") monotonic, align 4
  %next = add i64 %i, 1
  %done = icmp ugt i64 %next, %n
  br i1 %done, label %behind, label %loop
behind:
  store i32 1, ptr %p
  ret void
panic:
  br label %ptyx.panics
ptyx.panics:
  %site = phi i32 [ 7, %panic ]
  store volatile i32 %site, ptr %p
  unreachable
}

; A loop that ends when another thread has stored: the panic stays where it is.
define void @spins(i64 %len, ptr %p, ptr %q) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = zext i32 %tid to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %panic
body:
  %flag = load atomic i32, ptr %q syncscope("device") monotonic, align 4
  %at = getelementptr i32, ptr %p, i64 %i
  store atomic i32 %flag, ptr %at syncscope("device") monotonic, align 4
  %next = add i64 %i, 1
  %done = icmp eq i32 %flag, 1
  br i1 %done, label %behind, label %loop
behind:
  store i32 1, ptr %p
  ret void
panic:
  br label %ptyx.panics
ptyx.panics:
  %site = phi i32 [ 7, %panic ]
  store volatile i32 %site, ptr %p
  unreachable
}

; The same if the value takes its way through plain memory.
define void @spins_by_memory(i64 %len, ptr %p, ptr %q) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = zext i32 %tid to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %panic
body:
  %flag = load atomic i32, ptr %q syncscope("device") monotonic, align 4
  %at = getelementptr i32, ptr %p, i64 %i
  store atomic i32 %flag, ptr %at syncscope("device") monotonic, align 4
  %next = add i64 %i, 1
  store i32 %flag, ptr %q
  %known = load i32, ptr %q
  %done = icmp eq i32 %known, 1
  br i1 %done, label %behind, label %loop
behind:
  store i32 1, ptr %p
  ret void
panic:
  br label %ptyx.panics
ptyx.panics:
  %site = phi i32 [ 7, %panic ]
  store volatile i32 %site, ptr %p
  unreachable
}

; As `@branch`, in too many branches: the panic stays where it is.
define void @nested(i64 %i, i64 %n, ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c0 = icmp ult i32 %tid, 40
  br i1 %c0, label %in0, label %join0
in0:
  store volatile i32 0, ptr %p
  %c1 = icmp ult i32 %tid, 39
  br i1 %c1, label %in1, label %join1
in1:
  store volatile i32 1, ptr %p
  %c2 = icmp ult i32 %tid, 38
  br i1 %c2, label %in2, label %join2
in2:
  store volatile i32 2, ptr %p
  %c3 = icmp ult i32 %tid, 37
  br i1 %c3, label %in3, label %join3
in3:
  store volatile i32 3, ptr %p
  %c4 = icmp ult i32 %tid, 36
  br i1 %c4, label %in4, label %join4
in4:
  store volatile i32 4, ptr %p
  %c5 = icmp ult i32 %tid, 35
  br i1 %c5, label %in5, label %join5
in5:
  store volatile i32 5, ptr %p
  %c6 = icmp ult i32 %tid, 34
  br i1 %c6, label %in6, label %join6
in6:
  store volatile i32 6, ptr %p
  %in = icmp ult i64 %i, %n
  br i1 %in, label %load, label %panic
load:
  %at = getelementptr i32, ptr %p, i64 %i
  %value = load i32, ptr %at
  store i32 %value, ptr %p
  br label %join6
join6:
  store volatile i32 106, ptr %p
  br label %join5
join5:
  store volatile i32 105, ptr %p
  br label %join4
join4:
  store volatile i32 104, ptr %p
  br label %join3
join3:
  store volatile i32 103, ptr %p
  br label %join2
join2:
  store volatile i32 102, ptr %p
  br label %join1
join1:
  store volatile i32 101, ptr %p
  br label %join0
join0:
  store volatile i32 100, ptr %p
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

define void @search(i64 %len, ptr %p, ptr %q) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = zext i32 %tid to i64
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %panic

body:                                             ; preds = %loop
  %flag = load atomic i32, ptr %q syncscope("device") monotonic, align 4
  %at = getelementptr i32, ptr %p, i64 %i
  store atomic i32 %flag, ptr %at syncscope("device") monotonic, align 4
  %next = add i64 %i, 1
  %done = icmp ugt i64 %next, %n
  br i1 %done, label %start, label %loop

start:                                            ; preds = %body, %panic
  %1 = phi i1 [ false, %body ], [ true, %panic ]
  %2 = phi i32 [ undef, %body ], [ 7, %panic ]
  br i1 %1, label %ptyx.panics, label %behind

behind:                                           ; preds = %start
  store i32 1, ptr %p, align 4
  ret void

panic:                                            ; preds = %loop
  br label %start

ptyx.panics:                                      ; preds = %start
  %3 = phi i32 [ %2, %start ]
  store volatile i32 %3, ptr %p, align 4
  unreachable
}

define void @spins(i64 %len, ptr %p, ptr %q) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = zext i32 %tid to i64
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %panic

body:                                             ; preds = %loop
  %flag = load atomic i32, ptr %q syncscope("device") monotonic, align 4
  %at = getelementptr i32, ptr %p, i64 %i
  store atomic i32 %flag, ptr %at syncscope("device") monotonic, align 4
  %next = add i64 %i, 1
  %done = icmp eq i32 %flag, 1
  br i1 %done, label %behind, label %loop

behind:                                           ; preds = %body
  store i32 1, ptr %p, align 4
  ret void

panic:                                            ; preds = %loop
  br label %ptyx.panics

ptyx.panics:                                      ; preds = %panic
  %site = phi i32 [ 7, %panic ]
  store volatile i32 %site, ptr %p, align 4
  unreachable
}

define void @spins_by_memory(i64 %len, ptr %p, ptr %q) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = zext i32 %tid to i64
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %panic

body:                                             ; preds = %loop
  %flag = load atomic i32, ptr %q syncscope("device") monotonic, align 4
  %at = getelementptr i32, ptr %p, i64 %i
  store atomic i32 %flag, ptr %at syncscope("device") monotonic, align 4
  %next = add i64 %i, 1
  store i32 %flag, ptr %q, align 4
  %known = load i32, ptr %q, align 4
  %done = icmp eq i32 %known, 1
  br i1 %done, label %behind, label %loop

behind:                                           ; preds = %body
  store i32 1, ptr %p, align 4
  ret void

panic:                                            ; preds = %loop
  br label %ptyx.panics

ptyx.panics:                                      ; preds = %panic
  %site = phi i32 [ 7, %panic ]
  store volatile i32 %site, ptr %p, align 4
  unreachable
}

define void @nested(i64 %i, i64 %n, ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c0 = icmp ult i32 %tid, 40
  br i1 %c0, label %in0, label %join0

in0:                                              ; preds = %0
  store volatile i32 0, ptr %p, align 4
  %c1 = icmp ult i32 %tid, 39
  br i1 %c1, label %in1, label %join1

in1:                                              ; preds = %in0
  store volatile i32 1, ptr %p, align 4
  %c2 = icmp ult i32 %tid, 38
  br i1 %c2, label %in2, label %join2

in2:                                              ; preds = %in1
  store volatile i32 2, ptr %p, align 4
  %c3 = icmp ult i32 %tid, 37
  br i1 %c3, label %in3, label %join3

in3:                                              ; preds = %in2
  store volatile i32 3, ptr %p, align 4
  %c4 = icmp ult i32 %tid, 36
  br i1 %c4, label %in4, label %join4

in4:                                              ; preds = %in3
  store volatile i32 4, ptr %p, align 4
  %c5 = icmp ult i32 %tid, 35
  br i1 %c5, label %in5, label %join5

in5:                                              ; preds = %in4
  store volatile i32 5, ptr %p, align 4
  %c6 = icmp ult i32 %tid, 34
  br i1 %c6, label %in6, label %join6

in6:                                              ; preds = %in5
  store volatile i32 6, ptr %p, align 4
  %in = icmp ult i64 %i, %n
  br i1 %in, label %load, label %panic

load:                                             ; preds = %in6
  %at = getelementptr i32, ptr %p, i64 %i
  %value = load i32, ptr %at, align 4
  store i32 %value, ptr %p, align 4
  br label %join6

join6:                                            ; preds = %load, %in5
  store volatile i32 106, ptr %p, align 4
  br label %join5

join5:                                            ; preds = %join6, %in4
  store volatile i32 105, ptr %p, align 4
  br label %join4

join4:                                            ; preds = %join5, %in3
  store volatile i32 104, ptr %p, align 4
  br label %join3

join3:                                            ; preds = %join4, %in2
  store volatile i32 103, ptr %p, align 4
  br label %join2

join2:                                            ; preds = %join3, %in1
  store volatile i32 102, ptr %p, align 4
  br label %join1

join1:                                            ; preds = %join2, %in0
  store volatile i32 101, ptr %p, align 4
  br label %join0

join0:                                            ; preds = %join1, %0
  store volatile i32 100, ptr %p, align 4
  ret void

panic:                                            ; preds = %in6
  br label %ptyx.panics

ptyx.panics:                                      ; preds = %panic
  %site = phi i32 [ 7, %panic ]
  store volatile i32 %site, ptr %p, align 4
  unreachable
}

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { convergent nocallback nounwind }
