; run: guard_private_atomics
; An atomic on what may be a thread's own variable asks where it is. A kernel's argument and a static
; never are, nor is what another block of the cluster has.

@static = global i32 0

define ptx_kernel void @never(ptr %p) {
  %a = atomicrmw add ptr %p, i32 2 monotonic
  %b = atomicrmw add ptr @static, i32 2 monotonic
  %c = call i32 @perhaps(ptr %p, i1 false)
  ret void
}

define internal i32 @perhaps(ptr %p, i1 %which) {
  %variable = alloca i32
  %q = select i1 %which, ptr %p, ptr %variable
  %old = atomicrmw umax ptr %q, i32 2 monotonic
  ret i32 %old
}

define internal void @in_another_block(ptr %p, i32 %rank) {
  %q = call ptr asm "mapa.u64 $0, $1, $2;", "=l,l,r"(ptr %p, i32 %rank)
  %next = getelementptr i32, ptr %q, i64 1
  %old = atomicrmw add ptr %next, i32 2 monotonic
  ret void
}

; becomes:
@static = global i32 0

define ptx_kernel void @never(ptr %p) {
  %a = atomicrmw add ptr %p, i32 2 monotonic, align 4
  %b = atomicrmw add ptr @static, i32 2 monotonic, align 4
  %c = call i32 @perhaps(ptr %p, i1 false)
  ret void
}

define internal i32 @perhaps(ptr %p, i1 %which) {
  %variable = alloca i32, align 4
  %q = select i1 %which, ptr %p, ptr %variable
  %1 = call i32 @ptyx.guarded_atomic.0(ptr %q, i32 2)
  ret i32 %1
}

define internal void @in_another_block(ptr %p, i32 %rank) {
  %q = call ptr asm "mapa.u64 $0, $1, $2;", "=l,l,r"(ptr %p, i32 %rank)
  %next = getelementptr i32, ptr %q, i64 1
  %old = atomicrmw add ptr %next, i32 2 monotonic, align 4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i1 @llvm.nvvm.isspacep.local(ptr captures(none)) #0

; Function Attrs: alwaysinline
define internal i32 @ptyx.guarded_atomic.0(ptr %0, i32 %1) #1 {
start:
  %2 = call i1 @llvm.nvvm.isspacep.local(ptr %0)
  br i1 %2, label %start1, label %start2

start1:                                           ; preds = %start
  %3 = load i32, ptr %0, align 4
  %4 = icmp ugt i32 %3, %1
  %5 = select i1 %4, i32 %3, i32 %1
  store i32 %5, ptr %0, align 4
  ret i32 %3

start2:                                           ; preds = %start
  %6 = atomicrmw umax ptr %0, i32 %1 monotonic, align 4
  ret i32 %6
}

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { alwaysinline }
