; run: order_atomics
; The order of a read-modify-write is made with fences; relaxed ones and plain atomics stay. A fence for
; one thread is empty assembly.

define void @ordered(ptr %p) {
  %a = atomicrmw add ptr %p, i32 1 seq_cst
  %b = atomicrmw add ptr %p, i32 1 acquire
  %c = atomicrmw add ptr %p, i32 1 release
  ret void
}

define void @relaxed(ptr %p) {
  %a = atomicrmw add ptr %p, i32 1 monotonic
  %b = load atomic i32, ptr %p acquire, align 4
  fence seq_cst
  ret void
}

define void @one_thread() {
  fence syncscope("singlethread") seq_cst
  ret void
}

; becomes:
define void @ordered(ptr %p) {
  fence seq_cst
  %a = atomicrmw add ptr %p, i32 1 monotonic, align 4
  fence acquire
  %b = atomicrmw add ptr %p, i32 1 monotonic, align 4
  fence acquire
  fence release
  %c = atomicrmw add ptr %p, i32 1 monotonic, align 4
  ret void
}

define void @relaxed(ptr %p) {
  %a = atomicrmw add ptr %p, i32 1 monotonic, align 4
  %b = load atomic i32, ptr %p acquire, align 4
  fence seq_cst
  ret void
}

define void @one_thread() {
  call void asm sideeffect "", "~{memory}"()
  ret void
}
