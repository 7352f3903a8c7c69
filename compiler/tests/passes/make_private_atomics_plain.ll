; run: make_private_atomics_plain
; Atomics on a variable of the thread are plain; those on a kernel's argument, and on what may be either,
; stay.

define i32 @own() {
  %variable = alloca i32
  store atomic i32 1, ptr %variable seq_cst, align 4
  %old = atomicrmw add ptr %variable, i32 2 seq_cst
  %pair = cmpxchg ptr %variable, i32 3, i32 4 seq_cst seq_cst
  %value = load atomic i32, ptr %variable seq_cst, align 4
  ret i32 %value
}

define ptx_kernel void @argument(ptr %p, i1 %which) {
  %old = atomicrmw add ptr %p, i32 2 seq_cst
  call void @either(ptr %p, i1 %which)
  ret void
}

define internal void @either(ptr %p, i1 %which) {
  %variable = alloca i32
  %q = select i1 %which, ptr %p, ptr %variable
  %old = atomicrmw add ptr %q, i32 2 seq_cst
  ret void
}

; becomes:
define i32 @own() {
  %variable = alloca i32, align 4
  store i32 1, ptr %variable, align 4
  %1 = load i32, ptr %variable, align 4
  %2 = add i32 %1, 2
  store i32 %2, ptr %variable, align 4
  %3 = load i32, ptr %variable, align 4
  %4 = icmp eq i32 %3, 3
  %5 = select i1 %4, i32 4, i32 %3
  store i32 %5, ptr %variable, align 4
  %6 = insertvalue { i32, i1 } undef, i32 %3, 0
  %7 = insertvalue { i32, i1 } %6, i1 %4, 1
  %value = load i32, ptr %variable, align 4
  ret i32 %value
}

define ptx_kernel void @argument(ptr %p, i1 %which) {
  %old = atomicrmw add ptr %p, i32 2 seq_cst, align 4
  call void @either(ptr %p, i1 %which)
  ret void
}

define internal void @either(ptr %p, i1 %which) {
  %variable = alloca i32, align 4
  %q = select i1 %which, ptr %p, ptr %variable
  %old = atomicrmw add ptr %q, i32 2 seq_cst, align 4
  ret void
}
