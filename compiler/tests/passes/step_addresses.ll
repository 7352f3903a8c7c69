; run: step_addresses
; Addresses that are a run-time stride apart step from one iteration to the next; what is always as far away is addressed
; from there. Constant strides stay, since they cost nothing; so do addresses whose index is needed, and those in local
; arrays.

declare void @llvm.assume(i1)
declare void @panic() noreturn

define void @row_and_next(ptr %a, i64 %cols, i64 %j, i64 %n, i64 %len) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %row = mul i64 %i, %cols
  %at = add i64 %row, %j
  %promise = icmp ult i64 %at, %len
  call void @llvm.assume(i1 %promise)
  %p = getelementptr inbounds float, ptr %a, i64 %at
  store float 1.0, ptr %p
  %after = add i64 %at, 1
  %q = getelementptr inbounds float, ptr %a, i64 %after
  store float 2.0, ptr %q
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

define void @constant_stride(ptr %a, i64 %j, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %row = mul i64 %i, 24
  %at = add i64 %row, %j
  %p = getelementptr float, ptr %a, i64 %at
  store float 1.0, ptr %p
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

define void @checked(ptr %a, i64 %len, i64 %cols, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %at = mul i64 %i, %cols
  %ok = icmp ult i64 %at, %len
  br i1 %ok, label %body, label %fail
body:
  %p = getelementptr float, ptr %a, i64 %at
  store float 1.0, ptr %p
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

define void @may_wrap_around(ptr %a, i32 %cols, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at32 = mul i32 %i, %cols
  %at = sext i32 %at32 to i64
  %p = getelementptr float, ptr %a, i64 %at
  store float 1.0, ptr %p
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

define void @cannot_wrap_around(ptr %a, i32 %cols, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at32 = mul i32 %i, %cols
  %at = sext i32 %at32 to i64, !ptyx.exact !0
  %p = getelementptr float, ptr %a, i64 %at
  store float 1.0, ptr %p
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

define void @local_array(i64 %cols, i64 %n) {
  %a = alloca [64 x float]
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = mul i64 %i, %cols
  %p = getelementptr float, ptr %a, i64 %at
  store float 1.0, ptr %p
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

!0 = !{}

; becomes:
; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #0

; Function Attrs: noreturn
declare void @panic() #1

define void @row_and_next(ptr %a, i64 %cols, i64 %j, i64 %n, i64 %len) {
  %1 = add i64 %j, 1
  %2 = getelementptr float, ptr %a, i64 %j
  %3 = sub i64 %1, %j
  br label %loop

loop:                                             ; preds = %loop, %0
  %4 = phi ptr [ %2, %0 ], [ %6, %loop ]
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %row = mul i64 %i, %cols
  %at = add i64 %row, %j
  %promise = icmp ult i64 %at, %len
  call void @llvm.assume(i1 %promise)
  %p = getelementptr inbounds float, ptr %a, i64 %at
  store float 1.000000e+00, ptr %4, align 4
  %after = add i64 %at, 1
  %5 = getelementptr float, ptr %4, i64 %3
  %q = getelementptr inbounds float, ptr %a, i64 %after
  store float 2.000000e+00, ptr %5, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  %6 = getelementptr float, ptr %4, i64 %cols
  br i1 %done, label %exit, label %loop

exit:                                             ; preds = %loop
  ret void
}

define void @constant_stride(ptr %a, i64 %j, i64 %n) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %row = mul i64 %i, 24
  %at = add i64 %row, %j
  %p = getelementptr float, ptr %a, i64 %at
  store float 1.000000e+00, ptr %p, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:                                             ; preds = %loop
  ret void
}

define void @checked(ptr %a, i64 %len, i64 %cols, i64 %n) {
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %at = mul i64 %i, %cols
  %ok = icmp ult i64 %at, %len
  br i1 %ok, label %body, label %fail

body:                                             ; preds = %loop
  %p = getelementptr float, ptr %a, i64 %at
  store float 1.000000e+00, ptr %p, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

fail:                                             ; preds = %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %body
  ret void
}

define void @may_wrap_around(ptr %a, i32 %cols, i32 %n) {
  %1 = sext i32 %cols to i64
  %2 = mul i64 %1, 0
  %3 = add i64 0, %2
  %4 = add i64 %3, 2147483648
  %5 = icmp ult i64 %4, 4294967296
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at32 = mul i32 %i, %cols
  %at = sext i32 %at32 to i64
  %p = getelementptr float, ptr %a, i64 %at
  store float 1.000000e+00, ptr %p, align 4
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop

exit:                                             ; preds = %loop
  ret void
}

define void @cannot_wrap_around(ptr %a, i32 %cols, i32 %n) {
  %1 = sext i32 %cols to i64
  %2 = getelementptr float, ptr %a, i64 0
  br label %loop

loop:                                             ; preds = %loop, %0
  %3 = phi ptr [ %2, %0 ], [ %4, %loop ]
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at32 = mul i32 %i, %cols
  %at = sext i32 %at32 to i64
  %p = getelementptr float, ptr %a, i64 %at
  store float 1.000000e+00, ptr %3, align 4
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  %4 = getelementptr float, ptr %3, i64 %1
  br i1 %done, label %exit, label %loop

exit:                                             ; preds = %loop
  ret void
}

define void @local_array(i64 %cols, i64 %n) {
  %a = alloca [64 x float], align 4
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = mul i64 %i, %cols
  %p = getelementptr float, ptr %a, i64 %at
  store float 1.000000e+00, ptr %p, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:                                             ; preds = %loop
  ret void
}

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #1 = { noreturn }
