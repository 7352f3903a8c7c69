; run: leave_out_checks
; Branches to a failed check's block become jumps past it, also if several checks share the block. What else panics
; stays, and so does the branch if the block does more than fail.

@here = constant [4 x i8] c"a.rs"

declare void @_RNvNtCs1_4core9panicking18panic_bounds_check(i64, i64, ptr) noreturn
declare void @_RNvNtNtCs1_4core9panicking11panic_const23panic_const_div_by_zero(ptr) noreturn
declare void @_RNvNtCs1_4core9panicking5panic(ptr, i64, ptr) noreturn
declare void @other()

define i32 @quotient(ptr %data, i64 %i, i64 %n, i32 %d) {
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %read, label %outside
read:
  %at = getelementptr i32, ptr %data, i64 %i
  %x = load i32, ptr %at
  %zero = icmp eq i32 %d, 0
  br i1 %zero, label %by.zero, label %divide
divide:
  %q = udiv i32 %x, %d
  ret i32 %q
outside:
  call void @_RNvNtCs1_4core9panicking18panic_bounds_check(i64 %i, i64 %n, ptr @here)
  unreachable
by.zero:
  call void @_RNvNtNtCs1_4core9panicking11panic_const23panic_const_div_by_zero(ptr @here)
  unreachable
}

define i32 @kept(i1 %holds, i1 %inside) {
  br i1 %holds, label %more, label %fails
more:
  br i1 %inside, label %end, label %outside
end:
  ret i32 1
fails:
  call void @_RNvNtCs1_4core9panicking5panic(ptr @here, i64 4, ptr @here)
  unreachable
outside:
  call void @other()
  call void @_RNvNtCs1_4core9panicking18panic_bounds_check(i64 1, i64 1, ptr @here)
  unreachable
}

; becomes:
@here = constant [4 x i8] c"a.rs"

; Function Attrs: noreturn
declare void @_RNvNtCs1_4core9panicking18panic_bounds_check(i64, i64, ptr) #0

; Function Attrs: noreturn
declare void @_RNvNtNtCs1_4core9panicking11panic_const23panic_const_div_by_zero(ptr) #0

; Function Attrs: noreturn
declare void @_RNvNtCs1_4core9panicking5panic(ptr, i64, ptr) #0

declare void @other()

define i32 @quotient(ptr %data, i64 %i, i64 %n, i32 %d) {
  %inside = icmp ult i64 %i, %n
  br label %read

read:                                             ; preds = %0
  %at = getelementptr i32, ptr %data, i64 %i
  %x = load i32, ptr %at, align 4
  %zero = icmp eq i32 %d, 0
  br label %divide

divide:                                           ; preds = %read
  %q = udiv i32 %x, %d
  ret i32 %q

outside:                                          ; No predecessors!
  unreachable

by.zero:                                          ; No predecessors!
  unreachable
}

define i32 @kept(i1 %holds, i1 %inside) {
  br i1 %holds, label %more, label %fails

more:                                             ; preds = %0
  br i1 %inside, label %end, label %outside

end:                                              ; preds = %more
  ret i32 1

fails:                                            ; preds = %0
  call void @_RNvNtCs1_4core9panicking5panic(ptr @here, i64 4, ptr @here)
  unreachable

outside:                                          ; preds = %more
  call void @other()
  unreachable
}

attributes #0 = { noreturn }
