; run: narrow_counters
; Counters of 64 bits that never have more than 32 count in 32. A counter between constants that only numbers the elements of shared
; memory counts their bytes. Counters whose end, start or next value may need more stay, and so do those that may pass their end.

@tile = internal addrspace(3) global [64 x [4 x float]] undef

define void @constants(i32 %n, i64 %m, ptr %p) {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  store volatile float 1.0, ptr %at
  %next = add  i64 %i, 8
  %more = icmp ne i64 %next, 256
  br i1 %more, label %loop, label %done
done:
  ret void
}

define void @bytes_of_shared_memory(i32 %n, i64 %m, ptr %p) {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %at = getelementptr [4 x float], ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %i
  store volatile float 1.0, ptr %at
  %next = add  i64 %i, 8
  %more = icmp ne i64 %next, 64
  br i1 %more, label %loop, label %done
done:
  ret void
}

define void @shared_memory_and_more(i32 %n, i64 %m, ptr %p) {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %at = getelementptr [4 x float], ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %i
  store volatile i64 %i, ptr %p
  store volatile float 1.0, ptr %at
  %next = add  i64 %i, 8
  %more = icmp ne i64 %next, 64
  br i1 %more, label %loop, label %done
done:
  ret void
}

define void @below_a_word(i32 %n, i64 %m, ptr %p) {
start:
  %end = zext i32 %n to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  store volatile float 1.0, ptr %at
  %next = add nuw nsw i64 %i, 4
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

define void @up_to_a_word_exactly(i32 %n, i64 %m, ptr %p) {
start:
  %end = zext i32 %n to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  store volatile float 1.0, ptr %at
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

define void @may_pass_its_end(i32 %n, i64 %m, ptr %p) {
start:
  %end = zext i32 %n to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  store volatile float 1.0, ptr %at
  %next = add  i64 %i, 1
  %more = icmp ne i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

define void @passes_its_end(i32 %n, i64 %m, ptr %p) {
start:
  br label %loop
loop:
  %i = phi i64 [ 1, %start ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  store volatile float 1.0, ptr %at
  %next = add  i64 %i, 8
  %more = icmp ne i64 %next, 256
  br i1 %more, label %loop, label %done
done:
  ret void
}

define void @the_end_has_64_bits(i32 %n, i64 %m, ptr %p) {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  store volatile float 1.0, ptr %at
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %m
  br i1 %more, label %loop, label %done
done:
  ret void
}

define void @with_a_sign(i32 %n, i64 %m, ptr %p) {
start:
  %low = and i32 %n, 65535
  %end = zext i32 %low to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  store volatile float 1.0, ptr %at
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

define void @a_negative_end(i32 %n, i64 %m, ptr %p) {
start:
  %end = sext i32 %n to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  store volatile float 1.0, ptr %at
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

define void @the_counter_itself(i32 %n, i64 %m, ptr %p) {
start:
  %end = zext i32 %n to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  store volatile float 1.0, ptr %at
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

define void @counts_down(i32 %n, i64 %m, ptr %p) {
start:
  %end = zext i32 %n to i64
  br label %loop
loop:
  %i = phi i64 [ %end, %start ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  store volatile float 1.0, ptr %at
  %next = add  i64 %i, -1
  %more = icmp ne i64 %next, 0
  br i1 %more, label %loop, label %done
done:
  ret void
}

define void @starts_at_64_bits(i32 %n, i64 %m, ptr %p) {
start:
  %end = zext i32 %n to i64
  br label %loop
loop:
  %i = phi i64 [ %m, %start ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  store volatile float 1.0, ptr %at
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

; becomes:
@tile = internal addrspace(3) global [64 x [4 x float]] undef

define void @constants(i32 %n, i64 %m, ptr %p) {
start:
  br label %loop

loop:                                             ; preds = %loop, %start
  %0 = phi i32 [ 0, %start ], [ %2, %loop ]
  %1 = zext nneg i32 %0 to i64
  %at = getelementptr float, ptr %p, i64 %1
  store volatile float 1.000000e+00, ptr %at, align 4
  %2 = add nuw nsw i32 %0, 8
  %3 = zext nneg i32 %2 to i64
  %4 = icmp ne i32 %2, 256
  br i1 %4, label %loop, label %done

done:                                             ; preds = %loop
  ret void
}

define void @bytes_of_shared_memory(i32 %n, i64 %m, ptr %p) {
start:
  br label %loop

loop:                                             ; preds = %loop, %start
  %0 = phi i32 [ 0, %start ], [ %3, %loop ]
  %1 = zext nneg i32 %0 to i64
  %2 = getelementptr i8, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %1
  store volatile float 1.000000e+00, ptr %2, align 4
  %3 = add nuw nsw i32 %0, 128
  %4 = zext nneg i32 %3 to i64
  %5 = icmp ne i32 %3, 1024
  br i1 %5, label %loop, label %done

done:                                             ; preds = %loop
  ret void
}

define void @shared_memory_and_more(i32 %n, i64 %m, ptr %p) {
start:
  br label %loop

loop:                                             ; preds = %loop, %start
  %0 = phi i32 [ 0, %start ], [ %2, %loop ]
  %1 = zext nneg i32 %0 to i64
  %at = getelementptr [4 x float], ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %1
  store volatile i64 %1, ptr %p, align 4
  store volatile float 1.000000e+00, ptr %at, align 4
  %2 = add nuw nsw i32 %0, 8
  %3 = zext nneg i32 %2 to i64
  %4 = icmp ne i32 %2, 64
  br i1 %4, label %loop, label %done

done:                                             ; preds = %loop
  ret void
}

define void @below_a_word(i32 %n, i64 %m, ptr %p) {
start:
  %end = zext i32 %n to i64
  br label %loop

loop:                                             ; preds = %loop, %start
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  store volatile float 1.000000e+00, ptr %at, align 4
  %next = add nuw nsw i64 %i, 4
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done

done:                                             ; preds = %loop
  ret void
}

define void @up_to_a_word_exactly(i32 %n, i64 %m, ptr %p) {
start:
  %end = zext i32 %n to i64
  br label %loop

loop:                                             ; preds = %loop, %start
  %0 = phi i32 [ 0, %start ], [ %2, %loop ]
  %1 = zext i32 %0 to i64
  %at = getelementptr float, ptr %p, i64 %1
  store volatile float 1.000000e+00, ptr %at, align 4
  %2 = add nuw i32 %0, 1
  %3 = zext i32 %2 to i64
  %4 = icmp ne i32 %2, %n
  br i1 %4, label %loop, label %done

done:                                             ; preds = %loop
  ret void
}

define void @may_pass_its_end(i32 %n, i64 %m, ptr %p) {
start:
  %end = zext i32 %n to i64
  br label %loop

loop:                                             ; preds = %loop, %start
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  store volatile float 1.000000e+00, ptr %at, align 4
  %next = add i64 %i, 1
  %more = icmp ne i64 %next, %end
  br i1 %more, label %loop, label %done

done:                                             ; preds = %loop
  ret void
}

define void @passes_its_end(i32 %n, i64 %m, ptr %p) {
start:
  br label %loop

loop:                                             ; preds = %loop, %start
  %i = phi i64 [ 1, %start ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  store volatile float 1.000000e+00, ptr %at, align 4
  %next = add i64 %i, 8
  %more = icmp ne i64 %next, 256
  br i1 %more, label %loop, label %done

done:                                             ; preds = %loop
  ret void
}

define void @the_end_has_64_bits(i32 %n, i64 %m, ptr %p) {
start:
  br label %loop

loop:                                             ; preds = %loop, %start
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  store volatile float 1.000000e+00, ptr %at, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %m
  br i1 %more, label %loop, label %done

done:                                             ; preds = %loop
  ret void
}

define void @with_a_sign(i32 %n, i64 %m, ptr %p) {
start:
  %low = and i32 %n, 65535
  %end = zext i32 %low to i64
  br label %loop

loop:                                             ; preds = %loop, %start
  %0 = phi i32 [ 0, %start ], [ %2, %loop ]
  %1 = zext nneg i32 %0 to i64
  %at = getelementptr float, ptr %p, i64 %1
  store volatile float 1.000000e+00, ptr %at, align 4
  %2 = add nuw nsw i32 %0, 1
  %3 = zext nneg i32 %2 to i64
  %4 = icmp ult i32 %2, %low
  br i1 %4, label %loop, label %done

done:                                             ; preds = %loop
  ret void
}

define void @a_negative_end(i32 %n, i64 %m, ptr %p) {
start:
  %end = sext i32 %n to i64
  br label %loop

loop:                                             ; preds = %loop, %start
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  store volatile float 1.000000e+00, ptr %at, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %end
  br i1 %more, label %loop, label %done

done:                                             ; preds = %loop
  ret void
}

define void @the_counter_itself(i32 %n, i64 %m, ptr %p) {
start:
  %end = zext i32 %n to i64
  br label %loop

loop:                                             ; preds = %loop, %start
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  store volatile float 1.000000e+00, ptr %at, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i, %end
  br i1 %more, label %loop, label %done

done:                                             ; preds = %loop
  ret void
}

define void @counts_down(i32 %n, i64 %m, ptr %p) {
start:
  %end = zext i32 %n to i64
  br label %loop

loop:                                             ; preds = %loop, %start
  %i = phi i64 [ %end, %start ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  store volatile float 1.000000e+00, ptr %at, align 4
  %next = add i64 %i, -1
  %more = icmp ne i64 %next, 0
  br i1 %more, label %loop, label %done

done:                                             ; preds = %loop
  ret void
}

define void @starts_at_64_bits(i32 %n, i64 %m, ptr %p) {
start:
  %end = zext i32 %n to i64
  br label %loop

loop:                                             ; preds = %loop, %start
  %i = phi i64 [ %m, %start ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  store volatile float 1.000000e+00, ptr %at, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done

done:                                             ; preds = %loop
  ret void
}
