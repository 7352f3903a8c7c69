; run: version_loops
; The whole pass: a loop whose checks can be made before it has two copies, one without the check. A loop with a barrier
; gets no copy, and its check asks nothing any more; one whose index doubles has nothing to ask. If one of several checks can't be made
; before the loop, the others are.

declare void @panic() noreturn
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define void @copied(ptr %p, i64 %len, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  %at = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %at
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

define void @barrier(ptr %p, i64 %len, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

define void @doubles(ptr %p, i64 %len, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 1, %0 ], [ %next, %body ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  %at = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %at
  %next = add i64 %i, %i
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

; What is loaded is an index: its check stays in both copies.
define void @one_stays(ptr %p, i64 %len, i64 %n, i64 %m) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  %at = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %at
  %ok.x = icmp ult i64 %x, %m
  br i1 %ok.x, label %more, label %fail
more:
  %at.x = getelementptr i64, ptr %p, i64 %x
  store i64 1, ptr %at.x
  br label %latch
latch:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

; The only check that could be made before the loop is of what does not change, which costs little.
define void @only_fixed(ptr %p, i64 %len, i64 %n, i64 %m) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %ok = icmp ult i64 %m, %len
  br i1 %ok, label %body, label %fail
body:
  %at = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %at
  %ok.x = icmp ult i64 %x, %m
  br i1 %ok.x, label %more, label %fail
more:
  %at.x = getelementptr i64, ptr %p, i64 %x
  store i64 1, ptr %at.x
  br label %latch
latch:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

; A loop with a known number of iterations is unrolled with its checks.
define void @one_stays_of_known(ptr %p, i64 %len, i64 %n, i64 %m) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  %at = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %at
  %ok.x = icmp ult i64 %x, %m
  br i1 %ok.x, label %more, label %fail
more:
  %at.x = getelementptr i64, ptr %p, i64 %x
  store i64 1, ptr %at.x
  br label %latch
latch:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 100
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

; Some iterations check the index of all iterations once more.
define void @some_iterations(ptr %p, i64 %len, i64 %n, i64 %m) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  %at = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %at
  %odd = trunc i64 %x to i1
  br i1 %odd, label %some, label %latch
some:
  %ok.x = icmp ult i64 %i, %m
  br i1 %ok.x, label %more, label %fail
more:
  store i64 1, ptr %at
  br label %latch
latch:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

; Some iterations check another one, which may be out of bounds in others: that check stays.
define void @another_index(ptr %p, i64 %len, i64 %n, i64 %m) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  %at = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %at
  %other = add i64 %i, 7
  %odd = trunc i64 %x to i1
  br i1 %odd, label %some, label %latch
some:
  %ok.x = icmp ult i64 %other, %m
  br i1 %ok.x, label %more, label %fail
more:
  store i64 1, ptr %at
  br label %latch
latch:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}
