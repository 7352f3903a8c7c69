; run: redirect_prints
; A line whose texts are known becomes a number, and its record a function with the words that are known only at run time;
; equal lines share it. A line whose text is known only at run time becomes a row of calls, which runs twice. A function
; of a similar name prints nothing.

@hello = private constant [5 x i8] c"hello"
@template = private constant [7 x i8] c"\04x = \C0\00"

declare void @__ptyx_print(ptr, ptr, i1)
declare void @__ptyx_prints(ptr, ptr, i1)
declare void @_RNvXs_NtCs1_4core3fmtmNtNtCs1_4core3fmt7Display3fmt(ptr, ptr)

declare ptr @__ptyx_print_claim(i32)
declare void @__ptyx_print_commit(ptr, i32)
declare void @__ptyx_print_text(ptr, i64, i64, ptr, i64)
declare void @__ptyx_print_value(ptr, i64, i64, i64, i64)
declare i32 @__ptyx_print_end(ptr)

define void @literal(ptr %p) {
  store volatile i32 1, ptr %p
  call void @__ptyx_print(ptr @hello, ptr inttoptr (i64 11 to ptr), i1 true)
  store volatile i32 2, ptr %p
  ret void
}

define void @the_same() {
  call void @__ptyx_print(ptr @hello, ptr inttoptr (i64 11 to ptr), i1 true)
  ret void
}

define void @without_newline() {
  call void @__ptyx_print(ptr @hello, ptr inttoptr (i64 11 to ptr), i1 false)
  ret void
}

define void @with_a_number(i32 %x) {
  %value = alloca i32
  %arguments = alloca [16 x i8]
  store i32 %x, ptr %value
  store ptr %value, ptr %arguments
  %formatter = getelementptr i8, ptr %arguments, i64 8
  store ptr @_RNvXs_NtCs1_4core3fmtmNtNtCs1_4core3fmt7Display3fmt, ptr %formatter
  call void @__ptyx_print(ptr @template, ptr %arguments, i1 true)
  ret void
}

define void @unknown_text(ptr %text) {
  call void @__ptyx_print(ptr %text, ptr inttoptr (i64 11 to ptr), i1 true)
  ret void
}

define void @no_line() {
  call void @__ptyx_prints(ptr @hello, ptr inttoptr (i64 11 to ptr), i1 true)
  ret void
}

; becomes:
@hello = private constant [5 x i8] c"hello"
@template = private constant [7 x i8] c"\04x = \C0\00"
@panic_text.4ff7a615e1ace5e7 = internal unnamed_addr constant [1 x i8] c"\0A"
@panic_text.c7e590dee5156535 = internal unnamed_addr constant [4 x i8] c"x = "

declare void @__ptyx_print(ptr, ptr, i1)

declare void @__ptyx_prints(ptr, ptr, i1)

declare void @_RNvXs_NtCs1_4core3fmtmNtNtCs1_4core3fmt7Display3fmt(ptr, ptr)

declare ptr @__ptyx_print_claim(i32)

declare void @__ptyx_print_commit(ptr, i32)

declare void @__ptyx_print_text(ptr, i64, i64, ptr, i64)

declare void @__ptyx_print_value(ptr, i64, i64, i64, i64)

declare i32 @__ptyx_print_end(ptr)

define void @literal(ptr %p) {
start:
  store volatile i32 1, ptr %p, align 4
  br label %start1

start1:                                           ; preds = %start1, %start
  call void @ptyx.print.line.0() #1
  br i1 false, label %start1, label %0

0:                                                ; preds = %start1
  store volatile i32 2, ptr %p, align 4
  ret void
}

define void @the_same() {
start:
  br label %start1

start1:                                           ; preds = %start1, %start
  call void @ptyx.print.line.0() #1
  br i1 false, label %start1, label %0

0:                                                ; preds = %start1
  ret void
}

define void @without_newline() {
start:
  br label %start1

start1:                                           ; preds = %start1, %start
  call void @ptyx.print.line.1() #1
  br i1 false, label %start1, label %0

0:                                                ; preds = %start1
  ret void
}

define void @with_a_number(i32 %x) {
start:
  br label %start1

start1:                                           ; preds = %start1, %start
  %0 = zext i32 %x to i64
  call void @ptyx.print.line.2(i64 %0) #1
  br i1 false, label %start1, label %1

1:                                                ; preds = %start1
  ret void
}

define void @unknown_text(ptr %text) {
start:
  %0 = alloca [2 x i64], align 8
  store i64 0, ptr %0, align 8
  %1 = getelementptr i8, ptr %0, i64 8
  store i64 0, ptr %1, align 8
  br label %start1

start1:                                           ; preds = %start1, %start
  call void @__ptyx_print_text(ptr %0, i64 0, i64 0, ptr %text, i64 5) #2
  call void @__ptyx_print_text(ptr %0, i64 0, i64 0, ptr @panic_text.4ff7a615e1ace5e7, i64 1) #2
  %2 = call i32 @__ptyx_print_end(ptr %0) #2
  %3 = icmp ne i32 %2, 0
  br i1 %3, label %start1, label %4

4:                                                ; preds = %start1
  ret void
}

define void @no_line() {
  call void @__ptyx_prints(ptr @hello, ptr inttoptr (i64 11 to ptr), i1 true)
  ret void
}

declare void @ptyx.print.message(ptr, ptr)

declare void @ptyx.print.value(ptr, ptr, i64)

declare void @ptyx.print.none()

declare void @ptyx.print.begin(i64)

declare void @ptyx.print.text(i64, i64, ptr, i64)

declare void @ptyx.print.part(i64, i64, i64, i64)

declare i1 @ptyx.print.end()

declare void @ptyx.print.after()

; Function Attrs: convergent noinline nounwind willreturn
define internal void @ptyx.print.line.0() #0 {
start:
  %0 = call ptr @__ptyx_print_claim(i32 0) #3
  call void @__ptyx_print_commit(ptr %0, i32 1) #3
  ret void
}

; Function Attrs: convergent noinline nounwind willreturn
define internal void @ptyx.print.line.1() #0 {
start:
  %0 = call ptr @__ptyx_print_claim(i32 0) #3
  call void @__ptyx_print_commit(ptr %0, i32 2) #3
  ret void
}

; Function Attrs: convergent noinline nounwind willreturn
define internal void @ptyx.print.line.2(i64 %0) #0 {
start:
  %1 = call ptr @__ptyx_print_claim(i32 1) #3
  %2 = getelementptr i8, ptr %1, i64 16
  store volatile i64 %0, ptr %2, align 8
  call void @__ptyx_print_commit(ptr %1, i32 3) #3
  ret void
}

attributes #0 = { convergent noinline nounwind willreturn }
attributes #1 = { convergent memory(inaccessiblemem: readwrite) }
attributes #2 = { convergent memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #3 = { convergent }
; says: [Constant(21474836480), Constant(0), Constant(478560413032), Constant(4294967296), Constant(0), Constant(10)]
; says: [Constant(21474836480), Constant(0), Constant(478560413032), Constant(0), Constant(0)]
; says: [Constant(17179869184), Constant(0), Constant(540876920), Constant(1026), Constant(1610612768), Recorded(0), Constant(0), Constant(4294967296), Constant(0), Constant(10)]
