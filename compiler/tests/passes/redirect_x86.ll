; run: redirect_x86
; An intrinsic that the device library defines becomes a call of it, vectors through memory. One that it
; only declares, or lacks, stays.

declare <4 x float> @llvm.x86.sse.min.ps(<4 x float>, <4 x float>)
declare i32 @llvm.x86.sse42.crc32.32.8(i32, i8)
declare void @llvm.x86.sse2.pause()

define void @__ptyx_x86.sse.min.ps(ptr %out, ptr %a, ptr %b) {
  ret void
}

declare void @__ptyx_x86.sse42.crc32.32.8(ptr, i32, i8)

define <4 x float> @minimum(<4 x float> %a, <4 x float> %b) {
  %m = call <4 x float> @llvm.x86.sse.min.ps(<4 x float> %a, <4 x float> %b)
  ret <4 x float> %m
}

define i32 @only_declared(i32 %a, i8 %b) {
  %c = call i32 @llvm.x86.sse42.crc32.32.8(i32 %a, i8 %b)
  ret i32 %c
}

define void @waits() {
  call void @llvm.x86.sse2.pause()
  ret void
}

; becomes:
; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare <4 x float> @llvm.x86.sse.min.ps(<4 x float>, <4 x float>) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare i32 @llvm.x86.sse42.crc32.32.8(i32, i8) #0

; Function Attrs: nounwind
declare void @llvm.x86.sse2.pause() #1

; Function Attrs: alwaysinline
define void @__ptyx_x86.sse.min.ps(ptr %out, ptr %a, ptr %b) #2 {
  ret void
}

declare void @__ptyx_x86.sse42.crc32.32.8(ptr, i32, i8)

define <4 x float> @minimum(<4 x float> %a, <4 x float> %b) {
  %1 = alloca <4 x float>, align 32
  %2 = alloca <4 x float>, align 32
  store <4 x float> %a, ptr %2, align 16
  %3 = alloca <4 x float>, align 32
  store <4 x float> %b, ptr %3, align 16
  call void @__ptyx_x86.sse.min.ps(ptr %1, ptr %2, ptr %3)
  %4 = load <4 x float>, ptr %1, align 16
  ret <4 x float> %4
}

define i32 @only_declared(i32 %a, i8 %b) {
  %c = call i32 @llvm.x86.sse42.crc32.32.8(i32 %a, i8 %b)
  ret i32 %c
}

define void @waits() {
  call void @llvm.x86.sse2.pause()
  ret void
}

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(none) }
attributes #1 = { nounwind }
attributes #2 = { alwaysinline }
