; run: reunite_paths
; Threads that have passed the first check of `%k` come to the second condition on a path of their own. They are led back to where
; others ask it. Not so if the path has not passed that check, asks something else, or if a value depends on the path.

declare void @panic(i64) noreturn

define void @unrolled(i32 %n, i32 %k, i32 %i, i1 %other, ptr %p) {
  %ok = icmp ult i32 %k, 32
  %c0 = icmp slt i32 %i, %n
  br i1 %c0, label %check0, label %round1
check0:
  br i1 %ok, label %passed, label %fail0
passed:
  store i32 0, ptr %p
  %j.again = add nsw i32 %i, 8
  %c1.again = icmp slt i32 %j.again, %n
  br i1 %c1.again, label %body1, label %end
round1:
  %j = add nsw i32 %i, 8
  %c1 = icmp slt i32 %j, %n
  br i1 %c1, label %check1, label %end
check1:
  br i1 %ok, label %body1, label %fail1
body1:
  store i32 1, ptr %p
  br label %end
end:
  ret void
fail0:
  call void @panic(i64 0)
  unreachable
fail1:
  call void @panic(i64 1)
  unreachable
}

define void @another_check(i32 %n, i32 %k, i32 %i, i1 %other, ptr %p) {
  %ok = icmp ult i32 %k, 32
  %c0 = icmp slt i32 %i, %n
  br i1 %c0, label %check0, label %round1
check0:
  br i1 %other, label %passed, label %fail0
passed:
  store i32 0, ptr %p
  %j.again = add nsw i32 %i, 8
  %c1.again = icmp slt i32 %j.again, %n
  br i1 %c1.again, label %body1, label %end
round1:
  %j = add nsw i32 %i, 8
  %c1 = icmp slt i32 %j, %n
  br i1 %c1, label %check1, label %end
check1:
  br i1 %ok, label %body1, label %fail1
body1:
  store i32 1, ptr %p
  br label %end
end:
  ret void
fail0:
  call void @panic(i64 0)
  unreachable
fail1:
  call void @panic(i64 1)
  unreachable
}

define void @another_condition(i32 %n, i32 %k, i32 %i, i1 %other, ptr %p) {
  %ok = icmp ult i32 %k, 32
  %c0 = icmp slt i32 %i, %n
  br i1 %c0, label %check0, label %round1
check0:
  br i1 %ok, label %passed, label %fail0
passed:
  store i32 0, ptr %p
  %j.again = add nsw i32 %i, 9
  %c1.again = icmp slt i32 %j.again, %n
  br i1 %c1.again, label %body1, label %end
round1:
  %j = add nsw i32 %i, 8
  %c1 = icmp slt i32 %j, %n
  br i1 %c1, label %check1, label %end
check1:
  br i1 %ok, label %body1, label %fail1
body1:
  store i32 1, ptr %p
  br label %end
end:
  ret void
fail0:
  call void @panic(i64 0)
  unreachable
fail1:
  call void @panic(i64 1)
  unreachable
}

define void @a_value_of_the_path(i32 %n, i32 %k, i32 %i, i1 %other, ptr %p) {
  %ok = icmp ult i32 %k, 32
  %c0 = icmp slt i32 %i, %n
  br i1 %c0, label %check0, label %round1
check0:
  br i1 %ok, label %passed, label %fail0
passed:
  store i32 0, ptr %p
  %j.again = add nsw i32 %i, 8
  %c1.again = icmp slt i32 %j.again, %n
  br i1 %c1.again, label %body1, label %end
round1:
  %j = add nsw i32 %i, 8
  %c1 = icmp slt i32 %j, %n
  br i1 %c1, label %check1, label %end
check1:
  br i1 %ok, label %body1, label %fail1
body1:
  %from = phi i32 [ 0, %passed ], [ 1, %check1 ]
  store i32 1, ptr %p
  br label %end
end:
  ret void
fail0:
  call void @panic(i64 0)
  unreachable
fail1:
  call void @panic(i64 1)
  unreachable
}

define void @a_store_in_between(i32 %n, i32 %k, i32 %i, i1 %other, ptr %p) {
  %ok = icmp ult i32 %k, 32
  %c0 = icmp slt i32 %i, %n
  br i1 %c0, label %check0, label %round1
check0:
  br i1 %ok, label %passed, label %fail0
passed:
  store i32 0, ptr %p
  %j.again = add nsw i32 %i, 8
  %c1.again = icmp slt i32 %j.again, %n
  br i1 %c1.again, label %body1, label %end
round1:
  store i32 7, ptr %p
  %j = add nsw i32 %i, 8
  %c1 = icmp slt i32 %j, %n
  br i1 %c1, label %check1, label %end
check1:
  br i1 %ok, label %body1, label %fail1
body1:
  store i32 1, ptr %p
  br label %end
end:
  ret void
fail0:
  call void @panic(i64 0)
  unreachable
fail1:
  call void @panic(i64 1)
  unreachable
}

define void @a_part_used_elsewhere(i32 %n, i32 %k, i32 %i, i1 %other, ptr %p) {
  %ok = icmp ult i32 %k, 32
  %c0 = icmp slt i32 %i, %n
  br i1 %c0, label %check0, label %round1
check0:
  br i1 %ok, label %passed, label %fail0
passed:
  store i32 0, ptr %p
  %j.again = add nsw i32 %i, 8
  %c1.again = icmp slt i32 %j.again, %n
  br i1 %c1.again, label %body1, label %end
round1:
  %j = add nsw i32 %i, 8
  %c1 = icmp slt i32 %j, %n
  br i1 %c1, label %check1, label %end
check1:
  store i32 %j, ptr %p
  br i1 %ok, label %body1, label %fail1
body1:
  store i32 1, ptr %p
  br label %end
end:
  ret void
fail0:
  call void @panic(i64 0)
  unreachable
fail1:
  call void @panic(i64 1)
  unreachable
}

define void @the_other_way_round(i32 %n, i32 %k, i32 %i, i1 %other, ptr %p) {
  %ok = icmp ult i32 %k, 32
  %c0 = icmp slt i32 %i, %n
  br i1 %c0, label %check0, label %round1
check0:
  br i1 %ok, label %passed, label %fail0
passed:
  store i32 0, ptr %p
  %j.again = add nsw i32 %i, 8
  %c1.again = icmp sge i32 %j.again, %n
  br i1 %c1.again, label %end, label %body1
round1:
  %j = add nsw i32 %i, 8
  %c1 = icmp sge i32 %j, %n
  br i1 %c1, label %end, label %check1
check1:
  br i1 %ok, label %body1, label %fail1
body1:
  store i32 1, ptr %p
  br label %end
end:
  ret void
fail0:
  call void @panic(i64 0)
  unreachable
fail1:
  call void @panic(i64 1)
  unreachable
}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64) #0

define void @unrolled(i32 %n, i32 %k, i32 %i, i1 %other, ptr %p) {
  %ok = icmp ult i32 %k, 32
  %c0 = icmp slt i32 %i, %n
  br i1 %c0, label %check0, label %round1

check0:                                           ; preds = %0
  br i1 %ok, label %passed, label %fail0

passed:                                           ; preds = %check0
  store i32 0, ptr %p, align 4
  %j.again = add nsw i32 %i, 8
  %c1.again = icmp slt i32 %j.again, %n
  br label %round1

round1:                                           ; preds = %passed, %0
  %j = add i32 %i, 8
  %c1 = icmp slt i32 %j, %n
  br i1 %c1, label %check1, label %end

check1:                                           ; preds = %round1
  br i1 %ok, label %body1, label %fail1

body1:                                            ; preds = %check1
  store i32 1, ptr %p, align 4
  br label %end

end:                                              ; preds = %body1, %round1
  ret void

fail0:                                            ; preds = %check0
  call void @panic(i64 0)
  unreachable

fail1:                                            ; preds = %check1
  call void @panic(i64 1)
  unreachable
}

define void @another_check(i32 %n, i32 %k, i32 %i, i1 %other, ptr %p) {
  %ok = icmp ult i32 %k, 32
  %c0 = icmp slt i32 %i, %n
  br i1 %c0, label %check0, label %round1

check0:                                           ; preds = %0
  br i1 %other, label %passed, label %fail0

passed:                                           ; preds = %check0
  store i32 0, ptr %p, align 4
  %j.again = add nsw i32 %i, 8
  %c1.again = icmp slt i32 %j.again, %n
  br i1 %c1.again, label %body1, label %end

round1:                                           ; preds = %0
  %j = add nsw i32 %i, 8
  %c1 = icmp slt i32 %j, %n
  br i1 %c1, label %check1, label %end

check1:                                           ; preds = %round1
  br i1 %ok, label %body1, label %fail1

body1:                                            ; preds = %check1, %passed
  store i32 1, ptr %p, align 4
  br label %end

end:                                              ; preds = %body1, %round1, %passed
  ret void

fail0:                                            ; preds = %check0
  call void @panic(i64 0)
  unreachable

fail1:                                            ; preds = %check1
  call void @panic(i64 1)
  unreachable
}

define void @another_condition(i32 %n, i32 %k, i32 %i, i1 %other, ptr %p) {
  %ok = icmp ult i32 %k, 32
  %c0 = icmp slt i32 %i, %n
  br i1 %c0, label %check0, label %round1

check0:                                           ; preds = %0
  br i1 %ok, label %passed, label %fail0

passed:                                           ; preds = %check0
  store i32 0, ptr %p, align 4
  %j.again = add nsw i32 %i, 9
  %c1.again = icmp slt i32 %j.again, %n
  br i1 %c1.again, label %body1, label %end

round1:                                           ; preds = %0
  %j = add nsw i32 %i, 8
  %c1 = icmp slt i32 %j, %n
  br i1 %c1, label %check1, label %end

check1:                                           ; preds = %round1
  br i1 %ok, label %body1, label %fail1

body1:                                            ; preds = %check1, %passed
  store i32 1, ptr %p, align 4
  br label %end

end:                                              ; preds = %body1, %round1, %passed
  ret void

fail0:                                            ; preds = %check0
  call void @panic(i64 0)
  unreachable

fail1:                                            ; preds = %check1
  call void @panic(i64 1)
  unreachable
}

define void @a_value_of_the_path(i32 %n, i32 %k, i32 %i, i1 %other, ptr %p) {
  %ok = icmp ult i32 %k, 32
  %c0 = icmp slt i32 %i, %n
  br i1 %c0, label %check0, label %round1

check0:                                           ; preds = %0
  br i1 %ok, label %passed, label %fail0

passed:                                           ; preds = %check0
  store i32 0, ptr %p, align 4
  %j.again = add nsw i32 %i, 8
  %c1.again = icmp slt i32 %j.again, %n
  br i1 %c1.again, label %body1, label %end

round1:                                           ; preds = %0
  %j = add nsw i32 %i, 8
  %c1 = icmp slt i32 %j, %n
  br i1 %c1, label %check1, label %end

check1:                                           ; preds = %round1
  br i1 %ok, label %body1, label %fail1

body1:                                            ; preds = %check1, %passed
  %from = phi i32 [ 0, %passed ], [ 1, %check1 ]
  store i32 1, ptr %p, align 4
  br label %end

end:                                              ; preds = %body1, %round1, %passed
  ret void

fail0:                                            ; preds = %check0
  call void @panic(i64 0)
  unreachable

fail1:                                            ; preds = %check1
  call void @panic(i64 1)
  unreachable
}

define void @a_store_in_between(i32 %n, i32 %k, i32 %i, i1 %other, ptr %p) {
  %ok = icmp ult i32 %k, 32
  %c0 = icmp slt i32 %i, %n
  br i1 %c0, label %check0, label %round1

check0:                                           ; preds = %0
  br i1 %ok, label %passed, label %fail0

passed:                                           ; preds = %check0
  store i32 0, ptr %p, align 4
  %j.again = add nsw i32 %i, 8
  %c1.again = icmp slt i32 %j.again, %n
  br i1 %c1.again, label %body1, label %end

round1:                                           ; preds = %0
  store i32 7, ptr %p, align 4
  %j = add nsw i32 %i, 8
  %c1 = icmp slt i32 %j, %n
  br i1 %c1, label %check1, label %end

check1:                                           ; preds = %round1
  br i1 %ok, label %body1, label %fail1

body1:                                            ; preds = %check1, %passed
  store i32 1, ptr %p, align 4
  br label %end

end:                                              ; preds = %body1, %round1, %passed
  ret void

fail0:                                            ; preds = %check0
  call void @panic(i64 0)
  unreachable

fail1:                                            ; preds = %check1
  call void @panic(i64 1)
  unreachable
}

define void @a_part_used_elsewhere(i32 %n, i32 %k, i32 %i, i1 %other, ptr %p) {
  %ok = icmp ult i32 %k, 32
  %c0 = icmp slt i32 %i, %n
  br i1 %c0, label %check0, label %round1

check0:                                           ; preds = %0
  br i1 %ok, label %passed, label %fail0

passed:                                           ; preds = %check0
  store i32 0, ptr %p, align 4
  %j.again = add nsw i32 %i, 8
  %c1.again = icmp slt i32 %j.again, %n
  br i1 %c1.again, label %body1, label %end

round1:                                           ; preds = %0
  %j = add nsw i32 %i, 8
  %c1 = icmp slt i32 %j, %n
  br i1 %c1, label %check1, label %end

check1:                                           ; preds = %round1
  store i32 %j, ptr %p, align 4
  br i1 %ok, label %body1, label %fail1

body1:                                            ; preds = %check1, %passed
  store i32 1, ptr %p, align 4
  br label %end

end:                                              ; preds = %body1, %round1, %passed
  ret void

fail0:                                            ; preds = %check0
  call void @panic(i64 0)
  unreachable

fail1:                                            ; preds = %check1
  call void @panic(i64 1)
  unreachable
}

define void @the_other_way_round(i32 %n, i32 %k, i32 %i, i1 %other, ptr %p) {
  %ok = icmp ult i32 %k, 32
  %c0 = icmp slt i32 %i, %n
  br i1 %c0, label %check0, label %round1

check0:                                           ; preds = %0
  br i1 %ok, label %passed, label %fail0

passed:                                           ; preds = %check0
  store i32 0, ptr %p, align 4
  %j.again = add nsw i32 %i, 8
  %c1.again = icmp sge i32 %j.again, %n
  br label %round1

round1:                                           ; preds = %passed, %0
  %j = add i32 %i, 8
  %c1 = icmp sge i32 %j, %n
  br i1 %c1, label %end, label %check1

check1:                                           ; preds = %round1
  br i1 %ok, label %body1, label %fail1

body1:                                            ; preds = %check1
  store i32 1, ptr %p, align 4
  br label %end

end:                                              ; preds = %body1, %round1
  ret void

fail0:                                            ; preds = %check0
  call void @panic(i64 0)
  unreachable

fail1:                                            ; preds = %check1
  call void @panic(i64 1)
  unreachable
}

attributes #0 = { noreturn }
