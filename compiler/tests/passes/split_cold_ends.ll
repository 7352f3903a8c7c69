; run: split_cold_ends
; A block that ends the thread, with a phi of what its predecessors pass to it, is copied for each of them, and so is one without
; a phi: checks that have an end of their own can be joined. A block that returns stays shared.

declare void @panic(i64) noreturn

define void @told(i64 %i, i64 %j, i64 %n) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %more, label %fail
more:
  %second = icmp ult i64 %j, %n
  br i1 %second, label %done, label %fail
done:
  ret void
fail:
  %which = phi i64 [ %i, %0 ], [ %j, %more ]
  call void @panic(i64 %which)
  unreachable
}

define void @not_told(i64 %i, i64 %j, i64 %n) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %more, label %fail
more:
  %second = icmp ult i64 %j, %n
  br i1 %second, label %done, label %fail
done:
  ret void
fail:
  call void @panic(i64 0)
  unreachable
}

define i64 @returns(i64 %i, i64 %j, i64 %n) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %more, label %done
more:
  %next = add i64 %i, %j
  br label %done
done:
  %which = phi i64 [ %i, %0 ], [ %next, %more ]
  ret i64 %which
}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64) #0

define void @told(i64 %i, i64 %j, i64 %n) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %more, label %start

more:                                             ; preds = %0
  %second = icmp ult i64 %j, %n
  br i1 %second, label %done, label %start1

done:                                             ; preds = %more
  ret void

start:                                            ; preds = %0
  call void @panic(i64 %i)
  unreachable

start1:                                           ; preds = %more
  call void @panic(i64 %j)
  unreachable
}

define void @not_told(i64 %i, i64 %j, i64 %n) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %more, label %start

more:                                             ; preds = %0
  %second = icmp ult i64 %j, %n
  br i1 %second, label %done, label %start1

done:                                             ; preds = %more
  ret void

start:                                            ; preds = %0
  call void @panic(i64 0)
  unreachable

start1:                                           ; preds = %more
  call void @panic(i64 0)
  unreachable
}

define i64 @returns(i64 %i, i64 %j, i64 %n) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %more, label %done

more:                                             ; preds = %0
  %next = add i64 %i, %j
  br label %done

done:                                             ; preds = %more, %0
  %which = phi i64 [ %i, %0 ], [ %next, %more ]
  ret i64 %which
}

attributes #0 = { noreturn }
