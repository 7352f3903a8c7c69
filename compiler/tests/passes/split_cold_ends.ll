; run: split_cold_ends
; A block that ends the thread, with a phi of what its predecessors pass to it, is copied for each of them, and so is one without
; a phi, if no loop leads to it: checks that have an end of their own can be joined. A block that returns stays shared.

declare void @panic(i64) noreturn
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) convergent

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

; Two loops share an end: each gets a copy if they have relaxed stores, as loops of a graph search do.
define void @searches(i64 %i, i64 %n, i64 %m, ptr %p) {
  br label %first
first:
  %j = phi i64 [ 0, %0 ], [ %j.next, %store ]
  %in = icmp ult i64 %i, %n
  br i1 %in, label %store, label %fail
store:
  store atomic i32 1, ptr %p syncscope("device") monotonic, align 4
  %j.next = add i64 %j, 1
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %first, label %second
second:
  %k = phi i64 [ 0, %store ], [ %k.next, %again ]
  %also = icmp ult i64 %i, %n
  br i1 %also, label %again, label %fail
again:
  store atomic i32 2, ptr %p syncscope("device") monotonic, align 4
  %k.next = add i64 %k, 1
  %on = icmp ult i64 %k.next, %m
  br i1 %on, label %second, label %done
done:
  ret void
fail:
  call void @panic(i64 0)
  unreachable
}

; Without relaxed stores, they share it.
define void @loops(i64 %i, i64 %n, i64 %m, ptr %p) {
  br label %first
first:
  %j = phi i64 [ 0, %0 ], [ %j.next, %store ]
  %in = icmp ult i64 %i, %n
  br i1 %in, label %store, label %fail
store:
  store i32 1, ptr %p
  %j.next = add i64 %j, 1
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %first, label %second
second:
  %k = phi i64 [ 0, %store ], [ %k.next, %again ]
  %also = icmp ult i64 %i, %n
  br i1 %also, label %again, label %fail
again:
  store i32 2, ptr %p
  %k.next = add i64 %k, 1
  %on = icmp ult i64 %k.next, %m
  br i1 %on, label %second, label %done
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

; The threads that end here ask each other.
define void @meets(i1 %a, i1 %b, ptr %p) {
  br i1 %a, label %end, label %more
more:
  store i32 1, ptr %p
  br i1 %b, label %end, label %ok
ok:
  ret void
end:
  %lanes = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  %wide = zext i32 %lanes to i64
  call void @panic(i64 %wide)
  unreachable
}

define void @of_a_loop(i64 %n, i64 %m) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %more ]
  %first = icmp ult i64 %i, %n
  br i1 %first, label %more, label %fail
more:
  %next = add i64 %i, 1
  %second = icmp ult i64 %i, %m
  br i1 %second, label %loop, label %fail
fail:
  call void @panic(i64 0)
  unreachable
}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64) #0

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) #1

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

define void @searches(i64 %i, i64 %n, i64 %m, ptr %p) {
  br label %first

first:                                            ; preds = %store, %0
  %j = phi i64 [ 0, %0 ], [ %j.next, %store ]
  %in = icmp ult i64 %i, %n
  br i1 %in, label %store, label %start

store:                                            ; preds = %first
  store atomic i32 1, ptr %p syncscope("device") monotonic, align 4
  %j.next = add i64 %j, 1
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %first, label %second

second:                                           ; preds = %again, %store
  %k = phi i64 [ 0, %store ], [ %k.next, %again ]
  %also = icmp ult i64 %i, %n
  br i1 %also, label %again, label %start1

again:                                            ; preds = %second
  store atomic i32 2, ptr %p syncscope("device") monotonic, align 4
  %k.next = add i64 %k, 1
  %on = icmp ult i64 %k.next, %m
  br i1 %on, label %second, label %done

done:                                             ; preds = %again
  ret void

start:                                            ; preds = %first
  call void @panic(i64 0)
  unreachable

start1:                                           ; preds = %second
  call void @panic(i64 0)
  unreachable
}

define void @loops(i64 %i, i64 %n, i64 %m, ptr %p) {
  br label %first

first:                                            ; preds = %store, %0
  %j = phi i64 [ 0, %0 ], [ %j.next, %store ]
  %in = icmp ult i64 %i, %n
  br i1 %in, label %store, label %fail

store:                                            ; preds = %first
  store i32 1, ptr %p, align 4
  %j.next = add i64 %j, 1
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %first, label %second

second:                                           ; preds = %again, %store
  %k = phi i64 [ 0, %store ], [ %k.next, %again ]
  %also = icmp ult i64 %i, %n
  br i1 %also, label %again, label %fail

again:                                            ; preds = %second
  store i32 2, ptr %p, align 4
  %k.next = add i64 %k, 1
  %on = icmp ult i64 %k.next, %m
  br i1 %on, label %second, label %done

done:                                             ; preds = %again
  ret void

fail:                                             ; preds = %second, %first
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

define void @meets(i1 %a, i1 %b, ptr %p) {
  br i1 %a, label %end, label %more

more:                                             ; preds = %0
  store i32 1, ptr %p, align 4
  br i1 %b, label %end, label %ok

ok:                                               ; preds = %more
  ret void

end:                                              ; preds = %more, %0
  %lanes = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  %wide = zext i32 %lanes to i64
  call void @panic(i64 %wide)
  unreachable
}

define void @of_a_loop(i64 %n, i64 %m) {
  br label %loop

loop:                                             ; preds = %more, %0
  %i = phi i64 [ 0, %0 ], [ %next, %more ]
  %first = icmp ult i64 %i, %n
  br i1 %first, label %more, label %fail

more:                                             ; preds = %loop
  %next = add i64 %i, 1
  %second = icmp ult i64 %i, %m
  br i1 %second, label %loop, label %fail

fail:                                             ; preds = %more, %loop
  call void @panic(i64 0)
  unreachable
}

attributes #0 = { noreturn }
attributes #1 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
