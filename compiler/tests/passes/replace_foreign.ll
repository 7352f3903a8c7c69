; run: replace_foreign
; The host's assembly, thread-locals, changeable statics and intrinsics get names that can be explained.
; Constants, PTX and optimisation barriers stay, the latter as empty PTX.

@_ZN4test7COUNTER17h0123456789abcdefE = internal global i32 0
@_ZN4test5TABLE17h0123456789abcdefE = internal constant i32 7
@local = internal thread_local global i32 0

declare void @llvm.x86.sse2.pause()
declare ptr @llvm.threadlocal.address.p0(ptr)

define i32 @_ZN4test5reads17h0123456789abcdefE() {
  %a = load i32, ptr @_ZN4test7COUNTER17h0123456789abcdefE
  %b = load i32, ptr @_ZN4test5TABLE17h0123456789abcdefE
  %sum = add i32 %a, %b
  ret i32 %sum
}

define i32 @reads_local() {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @local)
  %value = load i32, ptr %p
  ret i32 %value
}

define void @waits() {
  call void @llvm.x86.sse2.pause()
  ret void
}

define i64 @assembly(i64 %x) {
  %y = call i64 asm sideeffect "bswap $0", "=r,0,~{dirflag},~{fpsr},~{flags}"(i64 %x)
  ret i64 %y
}

define double @root(double %x) {
  %y = call double asm "sqrtsd $0, $1", "=x,x"(double %x)
  ret double %y
}

define i32 @ptx(i32 %x) {
  %y = call i32 asm "popc.b32 $0, $1;", "=r,r"(i32 %x)
  ret i32 %y
}

define i32 @block_with_needs(i32 %x) {
  %y = call i32 asm "// needs sm_80, PTX version 70\0A{ popc.b32 $0, $1; }", "=r,r"(i32 %x)
  ret i32 %y
}

define i32 @black_box(i32 %x) {
  %y = call i32 asm sideeffect "", "=r,0,~{memory}"(i32 %x)
  ret i32 %y
}

; becomes:
@_ZN4test5TABLE17h0123456789abcdefE = internal constant i32 7
@__ptyx_foreign_thread_local.local = external global i32
@__ptyx_foreign_static._ZN4test7COUNTER17h0123456789abcdefE = external global i32

; Function Attrs: nounwind
declare void @llvm.x86.sse2.pause() #0

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull) #1

define i32 @_ZN4test5reads17h0123456789abcdefE() {
  %a = load i32, ptr @__ptyx_foreign_static._ZN4test7COUNTER17h0123456789abcdefE, align 4
  %b = load i32, ptr @_ZN4test5TABLE17h0123456789abcdefE, align 4
  %sum = add i32 %a, %b
  ret i32 %sum
}

define i32 @reads_local() {
  %p = call ptr @__ptyx_foreign_thread_local(ptr @__ptyx_foreign_thread_local.local)
  %value = load i32, ptr %p, align 4
  ret i32 %value
}

define void @waits() {
  call void @__ptyx_foreign_processor.llvm.x86.sse2.pause()
  ret void
}

define i64 @assembly(i64 %x) {
  %1 = call i64 @__ptyx_foreign_assembly(i64 %x)
  ret i64 %1
}

define double @root(double %x) {
  %1 = call double @llvm.sqrt.f64(double %x)
  ret double %1
}

define i32 @ptx(i32 %x) {
  %y = call i32 asm "popc.b32 $0, $1;", "=r,r"(i32 %x)
  ret i32 %y
}

define i32 @block_with_needs(i32 %x) {
  %y = call i32 asm "// needs sm_80, PTX version 70\0A{ popc.b32 $0, $1; }", "=r,r"(i32 %x)
  ret i32 %y
}

define i32 @black_box(i32 %x) {
  %1 = call i32 asm sideeffect "", "=r,0,~{memory}"(i32 %x)
  ret i32 %1
}

declare i64 @__ptyx_foreign_assembly(i64)

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.sqrt.f64(double) #2

declare ptr @__ptyx_foreign_thread_local(ptr)

declare void @__ptyx_foreign_processor.llvm.x86.sse2.pause()

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
