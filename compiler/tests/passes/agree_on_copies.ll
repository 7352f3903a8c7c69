; run: agree_on_copies
; The threads of a warp vote on whether they run the copy of a loop that has checks, if the condition depends on the
; thread. They don't where it is the same for all of them, nor before loops that have no such copy.

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define i32 @thread(i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %fits = icmp ult i32 %t, %n
  br i1 %fits, label %done, label %before
before:
  br label %checked
checked:
  %i = phi i32 [ 0, %before ], [ %next, %checked ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %checked, label %done, !llvm.loop !0
done:
  ret i32 0
}

define i32 @any(i32 %n, ptr %p) {
  %t = load i32, ptr %p
  %fails = icmp uge i32 %t, %n
  br i1 %fails, label %checked, label %done
checked:
  %i = phi i32 [ 0, %0 ], [ %next, %checked ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %checked, label %done, !llvm.loop !0
done:
  ret i32 0
}

define i32 @same(i32 %n, i32 %m) {
  %fits = icmp ult i32 %m, %n
  br i1 %fits, label %done, label %checked
checked:
  %i = phi i32 [ 0, %0 ], [ %next, %checked ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %checked, label %done, !llvm.loop !0
done:
  ret i32 0
}

define i32 @other(i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %fits = icmp ult i32 %t, %n
  br i1 %fits, label %done, label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret i32 0
}

!0 = distinct !{!0, !1}
!1 = !{!"ptyx.loop.checked"}

; becomes:
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #0

define i32 @thread(i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %fits = icmp ult i32 %t, %n
  %1 = call i1 asm sideeffect "{ .reg .b32 running; activemask.b32 running; vote.sync.all.pred $0, $1, running; }", "=b,b"(i1 %fits) #1
  br i1 %1, label %done, label %before

before:                                           ; preds = %0
  br label %checked

checked:                                          ; preds = %checked, %before
  %i = phi i32 [ 0, %before ], [ %next, %checked ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %checked, label %done, !llvm.loop !0

done:                                             ; preds = %checked, %0
  ret i32 0
}

define i32 @any(i32 %n, ptr %p) {
  %t = load i32, ptr %p, align 4
  %fails = icmp uge i32 %t, %n
  %1 = call i1 asm sideeffect "{ .reg .b32 running; activemask.b32 running; vote.sync.any.pred $0, $1, running; }", "=b,b"(i1 %fails) #1
  br i1 %1, label %checked, label %done

checked:                                          ; preds = %checked, %0
  %i = phi i32 [ 0, %0 ], [ %next, %checked ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %checked, label %done, !llvm.loop !0

done:                                             ; preds = %checked, %0
  ret i32 0
}

define i32 @same(i32 %n, i32 %m) {
  %fits = icmp ult i32 %m, %n
  br i1 %fits, label %done, label %checked

checked:                                          ; preds = %checked, %0
  %i = phi i32 [ 0, %0 ], [ %next, %checked ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %checked, label %done, !llvm.loop !0

done:                                             ; preds = %checked, %0
  ret i32 0
}

define i32 @other(i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %fits = icmp ult i32 %t, %n
  br i1 %fits, label %done, label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done

done:                                             ; preds = %loop, %0
  ret i32 0
}

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { convergent }

!0 = distinct !{!0, !1}
!1 = !{!"ptyx.loop.checked"}
