; run: agree_on_copies
; A marked condition becomes a vote of the warp, if it depends on the thread. Others stay as they are.

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define i32 @thread(i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %fits = icmp ult i32 %t, %n
  %agreed = call i1 asm "{ mov.pred $0, $1; }", "=b,b"(i1 %fits)
  br i1 %agreed, label %without, label %checked
without:
  ret i32 0
checked:
  ret i32 1
}

define i32 @same(i32 %n, i32 %m) {
  %fits = icmp ult i32 %m, %n
  %agreed = call i1 asm "{ mov.pred $0, $1; }", "=b,b"(i1 %fits)
  br i1 %agreed, label %without, label %checked
without:
  ret i32 0
checked:
  ret i32 1
}

define i32 @other(i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %fits = icmp ult i32 %t, %n
  br i1 %fits, label %without, label %checked
without:
  ret i32 0
checked:
  ret i32 1
}

; becomes:
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #0

define i32 @thread(i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %fits = icmp ult i32 %t, %n
  %1 = call i1 asm sideeffect "{ .reg .b32 running; activemask.b32 running; vote.sync.all.pred $0, $1, running; }", "=b,b"(i1 %fits) #1
  br i1 %1, label %without, label %checked

without:                                          ; preds = %0
  ret i32 0

checked:                                          ; preds = %0
  ret i32 1
}

define i32 @same(i32 %n, i32 %m) {
  %fits = icmp ult i32 %m, %n
  br i1 %fits, label %without, label %checked

without:                                          ; preds = %0
  ret i32 0

checked:                                          ; preds = %0
  ret i32 1
}

define i32 @other(i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %fits = icmp ult i32 %t, %n
  br i1 %fits, label %without, label %checked

without:                                          ; preds = %0
  ret i32 0

checked:                                          ; preds = %0
  ret i32 1
}

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { convergent }
