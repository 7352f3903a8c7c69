; run: remove_exceptions
; Landing pads go, and what only they reach; calls and their results stay.

declare i32 @f()
declare void @drop()
declare i32 @rust_eh_personality(...)

define i32 @cleans_up() personality ptr @rust_eh_personality {
  %value = invoke i32 @f() to label %normal unwind label %cleanup
normal:
  ret i32 %value
cleanup:
  %pad = landingpad { ptr, i32 } cleanup
  call void @drop()
  resume { ptr, i32 } %pad
}

define i32 @plain(i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  %value = call i32 @f()
  ret i32 %value
no:
  ret i32 0
}

; becomes:
declare i32 @f()

declare void @drop()

declare i32 @rust_eh_personality(...)

define i32 @cleans_up() {
  %value = call i32 @f()
  br label %normal

normal:                                           ; preds = %0
  ret i32 %value
}

define i32 @plain(i1 %c) {
  br i1 %c, label %yes, label %no

yes:                                              ; preds = %0
  %value = call i32 @f()
  ret i32 %value

no:                                               ; preds = %0
  ret i32 0
}
