; run: make_checks_ahead, join_checks
; Two checks in a row are one branch, and who fails goes through them again. Where the later ones need
; what was loaded, the loads wait for a condition, and one branch comes behind them all. A barrier between
; two checks, or an end that is none, keeps them apart.

declare void @panic(i64) noreturn
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define void @two(i64 %i, i64 %j, i64 %n) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %more, label %fail.i
more:
  %second = icmp ult i64 %j, %n
  br i1 %second, label %done, label %fail.j
done:
  ret void
fail.i:
  call void @panic(i64 %i)
  unreachable
fail.j:
  call void @panic(i64 %j)
  unreachable
}

define void @loads(ptr %p, i64 %i, i64 %n) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %load, label %fail
load:
  %at = getelementptr inbounds i64, ptr %p, i64 %i
  %j = load i64, ptr %at
  %second = icmp ult i64 %j, %n
  br i1 %second, label %load.again, label %fail.j
load.again:
  %at.j = getelementptr inbounds i64, ptr %p, i64 %j
  %k = load i64, ptr %at.j
  %third = icmp ult i64 %k, %n
  br i1 %third, label %done, label %fail.k
done:
  ret void
fail:
  call void @panic(i64 %i)
  unreachable
fail.j:
  call void @panic(i64 %j)
  unreachable
fail.k:
  call void @panic(i64 %k)
  unreachable
}

define void @barrier_between(i64 %i, i64 %j, i64 %n) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %more, label %fail.i
more:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %second = icmp ult i64 %j, %n
  br i1 %second, label %done, label %fail.j
done:
  ret void
fail.i:
  call void @panic(i64 %i)
  unreachable
fail.j:
  call void @panic(i64 %j)
  unreachable
}

define void @returns(i64 %i, i64 %j, i64 %n) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %more, label %done
more:
  %second = icmp ult i64 %j, %n
  br i1 %second, label %done, label %fail
done:
  ret void
fail:
  call void @panic(i64 %j)
  unreachable
}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64) #0

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

define void @two(i64 %i, i64 %j, i64 %n) {
  %first = icmp ult i64 %i, %n
  %1 = icmp ult i64 %j, %n
  %2 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %first)
  %3 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %1)
  %4 = select i1 %2, i1 %3, i1 false
  br i1 %4, label %more, label %start

more:                                             ; preds = %0
  br label %done

done:                                             ; preds = %more
  ret void

fail.i:                                           ; preds = %start
  call void @panic(i64 %i)
  unreachable

fail.j:                                           ; preds = %start
  call void @panic(i64 %j)
  unreachable

start:                                            ; preds = %0
  %5 = icmp ult i64 %i, %n
  br i1 %5, label %fail.j, label %fail.i
}

define void @loads(ptr %p, i64 %i, i64 %n) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %load, label %fail

load:                                             ; preds = %0
  %at = getelementptr inbounds i64, ptr %p, i64 %i
  %j = load i64, ptr %at, align 4
  %second = icmp ult i64 %j, %n
  %1 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %second)
  %2 = getelementptr inbounds i64, ptr %p, i64 %j
  br i1 %1, label %start1, label %load.again

start1:                                           ; preds = %load
  %3 = load i64, ptr %2, align 4
  br label %load.again

load.again:                                       ; preds = %start1, %load
  %4 = phi i64 [ %3, %start1 ], [ undef, %load ]
  %third = icmp ult i64 %4, %n
  %5 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %third)
  %6 = select i1 %1, i1 %5, i1 false
  br i1 %6, label %done, label %start

done:                                             ; preds = %load.again
  ret void

fail:                                             ; preds = %0
  call void @panic(i64 %i)
  unreachable

fail.j:                                           ; preds = %start
  call void @panic(i64 %j)
  unreachable

fail.k:                                           ; preds = %start
  call void @panic(i64 %4)
  unreachable

start:                                            ; preds = %load.again
  %7 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %j)
  %8 = icmp ult i64 %7, %n
  br i1 %8, label %fail.k, label %fail.j
}

define void @barrier_between(i64 %i, i64 %j, i64 %n) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %more, label %fail.i

more:                                             ; preds = %0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %second = icmp ult i64 %j, %n
  br i1 %second, label %done, label %fail.j

done:                                             ; preds = %more
  ret void

fail.i:                                           ; preds = %0
  call void @panic(i64 %i)
  unreachable

fail.j:                                           ; preds = %more
  call void @panic(i64 %j)
  unreachable
}

define void @returns(i64 %i, i64 %j, i64 %n) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %more, label %done

more:                                             ; preds = %0
  %second = icmp ult i64 %j, %n
  br i1 %second, label %done, label %fail

done:                                             ; preds = %more, %0
  ret void

fail:                                             ; preds = %more
  call void @panic(i64 %j)
  unreachable
}

attributes #0 = { noreturn }
attributes #1 = { convergent nocallback nounwind }
