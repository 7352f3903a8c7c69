; run: load_nearby
; Relaxed loads at the scope of the device, which nobody asked for, become loads at the scope of a block where nothing orders memory, no atomic operation
; was seen before, and no loop waits for what is loaded.

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; A relaxation of neighbours.
define ptx_kernel void @neighbours(ptr %a, i32 %first, i32 %end) {
  br label %body
body:
  %k = phi i32 [ %first, %0 ], [ %next, %body ]
  %least = phi i32 [ 0, %0 ], [ %less, %body ]
  %p = getelementptr i32, ptr %a, i32 %k
  %x = load atomic i32, ptr %p syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  %is = icmp slt i32 %x, %least
  %less = select i1 %is, i32 %x, i32 %least
  %next = add i32 %k, 1
  %done = icmp eq i32 %next, %end
  br i1 %done, label %exit, label %body
exit:
  %old = atomicrmw min ptr %a, i32 %less syncscope("device") monotonic, align 4
  ret void
}

; A chain whose links fall.
define ptx_kernel void @falls(ptr %a, i32 %first) {
  br label %body
body:
  %k = phi i32 [ %first, %0 ], [ %next, %more ]
  %p = getelementptr i32, ptr %a, i32 %k
  %next = load atomic i32, ptr %p syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  %done = icmp sge i32 %next, %k
  br i1 %done, label %exit, label %more
more:
  br label %body
exit:
  ret void
}

; A chain that need not end.
define ptx_kernel void @chain(ptr %a, i32 %first) {
  br label %body
body:
  %k = phi i32 [ %first, %0 ], [ %next, %body ]
  %p = getelementptr i32, ptr %a, i32 %k
  %next = load atomic i32, ptr %p syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %body
exit:
  ret void
}

; It waits.
define ptx_kernel void @waits(ptr %a) {
  br label %body
body:
  %x = load atomic i32, ptr %a syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  %done = icmp ne i32 %x, 0
  br i1 %done, label %exit, label %body
exit:
  ret void
}

; It asks for the same a hundred times.
define ptx_kernel void @polls(ptr %a, ptr %out) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %body ]
  %x = load atomic i32, ptr %a syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  store i32 %x, ptr %out
  %next = add i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body
exit:
  ret void
}

; A branch on what is loaded decides whether there is a next iteration.
define ptx_kernel void @chosen(ptr %a, i32 %first) {
  br label %body
body:
  %k = phi i32 [ %first, %0 ], [ %next, %meet ]
  %p = getelementptr i32, ptr %a, i32 %k
  %x = load atomic i32, ptr %p syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  %is = icmp eq i32 %x, 0
  br i1 %is, label %one, label %meet
one:
  br label %meet
meet:
  %more = phi i1 [ true, %one ], [ false, %body ]
  %next = add i32 %k, 1
  br i1 %more, label %body, label %exit
exit:
  ret void
}

; The program asks for the scope of the device, of one of them.
define ptx_kernel void @asks(ptr %a, ptr %b) {
  %x = load atomic i32, ptr %a syncscope("device") monotonic, align 4
  %y = load atomic i32, ptr %b syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  ret void
}

; Other scopes, orders, state spaces, and what is volatile.
define ptx_kernel void @system(ptr %a) {
  %x = load atomic i32, ptr %a monotonic, align 4
  %y = load atomic i32, ptr %a syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  ret void
}

define ptx_kernel void @acquires(ptr %a) {
  %x = load atomic i32, ptr %a syncscope("device") acquire, align 4
  %y = load atomic i32, ptr %a syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  ret void
}

define ptx_kernel void @shared(ptr addrspace(3) %a) {
  %x = load atomic i32, ptr addrspace(3) %a syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  ret void
}

; A barrier orders what threads of the block have seen.
define ptx_kernel void @barrier(ptr %a) {
  %x = load atomic i32, ptr %a syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

define ptx_kernel void @fence(ptr %a) {
  %x = load atomic i32, ptr %a syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  fence syncscope("device") acquire
  ret void
}

; The update may have returned something later.
define ptx_kernel void @updated(ptr %a, ptr %out) {
  %old = atomicrmw add ptr %a, i32 1 syncscope("device") monotonic, align 4
  %x = load atomic i32, ptr %a syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  %sum = add i32 %old, %x
  store i32 %sum, ptr %out
  ret void
}

; It was not seen.
define ptx_kernel void @unseen(ptr %a, ptr %out) {
  %old = atomicrmw add ptr %a, i32 1 syncscope("device") monotonic, align 4
  %x = load atomic i32, ptr %a syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  store i32 %x, ptr %out
  ret void
}

; A switch on what is loaded leaves the loop, ..
define ptx_kernel void @switch_leaves(ptr %a, i32 %m, ptr %out) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %more ]
  %i = and i32 %k, %m
  %p = getelementptr i32, ptr %a, i32 %i
  %x = load atomic i32, ptr %p syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  switch i32 %x, label %more [ i32 1, label %one
                               i32 2, label %two ]
more:
  %next = add i32 %k, 1
  br label %body
one:
  store i32 1, ptr %out
  ret void
two:
  store i32 2, ptr %out
  ret void
}

; .. or chooses what decides about it.
define ptx_kernel void @switch_chooses(ptr %a, i32 %m, ptr %out) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %more ]
  %i = and i32 %k, %m
  %p = getelementptr i32, ptr %a, i32 %i
  %x = load atomic i32, ptr %p syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  switch i32 %x, label %more [ i32 1, label %one
                               i32 2, label %two ]
one:
  store i32 1, ptr %out
  br label %more
two:
  store i32 2, ptr %out
  br label %more
more:
  %s = phi i1 [ false, %body ], [ true, %one ], [ true, %two ]
  %next = add i32 %k, 1
  br i1 %s, label %exit, label %body
exit:
  ret void
}

; What is loaded comes to the condition through memory.
define ptx_kernel void @through_memory(ptr %a, i32 %m, ptr %y, i64 %from, i64 %to) {
  %py = getelementptr i32, ptr %y, i64 %to
  %pz = getelementptr i32, ptr %y, i64 %from
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %body ]
  %i = and i32 %k, %m
  %p = getelementptr i32, ptr %a, i32 %i
  %x = load atomic i32, ptr %p syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  store i32 %x, ptr %py
  %z = load i32, ptr %pz
  %next = add i32 %k, 1
  %s = icmp ne i32 %z, 0
  br i1 %s, label %exit, label %body
exit:
  ret void
}

; The same from an inner loop: the outer one waits.
define ptx_kernel void @two_loops(ptr %a, ptr %y, i32 %n) {
  br label %outer
outer:
  %t = phi i32 [ 0, %0 ], [ %tn, %outer.latch ]
  br label %inner
inner:
  %k = phi i32 [ %t, %outer ], [ %kn, %inner.latch ]
  %r = urem i32 %k, %n
  %p = getelementptr i32, ptr %a, i32 %r
  %x = load atomic i32, ptr %p syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  %z = icmp eq i32 %x, 0
  br i1 %z, label %inner.latch, label %store
store:
  store i32 %x, ptr %y
  br label %inner.latch
inner.latch:
  %kn = add i32 %k, 1
  %e = icmp eq i32 %kn, %n
  br i1 %e, label %outer.latch, label %inner
outer.latch:
  %tn = add i32 %t, 1
  %f = load i32, ptr %y
  %g = icmp eq i32 %f, 0
  br i1 %g, label %outer, label %exit
exit:
  ret void
}

!0 = !{}

; becomes:
; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #0

define ptx_kernel void @neighbours(ptr %a, i32 %first, i32 %end) {
  br label %body

body:                                             ; preds = %body, %0
  %k = phi i32 [ %first, %0 ], [ %next, %body ]
  %least = phi i32 [ 0, %0 ], [ %less, %body ]
  %p = getelementptr i32, ptr %a, i32 %k
  %x = load atomic i32, ptr %p syncscope("block") monotonic, align 4, !__ptyx_unchosen_scope !0
  %is = icmp slt i32 %x, %least
  %less = select i1 %is, i32 %x, i32 %least
  %next = add i32 %k, 1
  %done = icmp eq i32 %next, %end
  br i1 %done, label %exit, label %body

exit:                                             ; preds = %body
  %old = atomicrmw min ptr %a, i32 %less syncscope("device") monotonic, align 4
  ret void
}

define ptx_kernel void @falls(ptr %a, i32 %first) {
  br label %body

body:                                             ; preds = %more, %0
  %k = phi i32 [ %first, %0 ], [ %next, %more ]
  %p = getelementptr i32, ptr %a, i32 %k
  %next = load atomic i32, ptr %p syncscope("block") monotonic, align 4, !__ptyx_unchosen_scope !0
  %done = icmp sge i32 %next, %k
  br i1 %done, label %exit, label %more

more:                                             ; preds = %body
  br label %body

exit:                                             ; preds = %body
  ret void
}

define ptx_kernel void @chain(ptr %a, i32 %first) {
  br label %body

body:                                             ; preds = %body, %0
  %k = phi i32 [ %first, %0 ], [ %next, %body ]
  %p = getelementptr i32, ptr %a, i32 %k
  %next = load atomic i32, ptr %p syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %body

exit:                                             ; preds = %body
  ret void
}

define ptx_kernel void @waits(ptr %a) {
  br label %body

body:                                             ; preds = %body, %0
  %x = load atomic i32, ptr %a syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  %done = icmp ne i32 %x, 0
  br i1 %done, label %exit, label %body

exit:                                             ; preds = %body
  ret void
}

define ptx_kernel void @polls(ptr %a, ptr %out) {
  br label %body

body:                                             ; preds = %body, %0
  %k = phi i32 [ 0, %0 ], [ %next, %body ]
  %x = load atomic i32, ptr %a syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  store i32 %x, ptr %out, align 4
  %next = add i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body

exit:                                             ; preds = %body
  ret void
}

define ptx_kernel void @chosen(ptr %a, i32 %first) {
  br label %body

body:                                             ; preds = %meet, %0
  %k = phi i32 [ %first, %0 ], [ %next, %meet ]
  %p = getelementptr i32, ptr %a, i32 %k
  %x = load atomic i32, ptr %p syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  %is = icmp eq i32 %x, 0
  br i1 %is, label %one, label %meet

one:                                              ; preds = %body
  br label %meet

meet:                                             ; preds = %one, %body
  %more = phi i1 [ true, %one ], [ false, %body ]
  %next = add i32 %k, 1
  br i1 %more, label %body, label %exit

exit:                                             ; preds = %meet
  ret void
}

define ptx_kernel void @asks(ptr %a, ptr %b) {
  %x = load atomic i32, ptr %a syncscope("device") monotonic, align 4
  %y = load atomic i32, ptr %b syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  ret void
}

define ptx_kernel void @system(ptr %a) {
  %x = load atomic i32, ptr %a monotonic, align 4
  %y = load atomic i32, ptr %a syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  ret void
}

define ptx_kernel void @acquires(ptr %a) {
  %x = load atomic i32, ptr %a syncscope("device") acquire, align 4
  %y = load atomic i32, ptr %a syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  ret void
}

define ptx_kernel void @shared(ptr addrspace(3) %a) {
  %x = load atomic i32, ptr addrspace(3) %a syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  ret void
}

define ptx_kernel void @barrier(ptr %a) {
  %x = load atomic i32, ptr %a syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

define ptx_kernel void @fence(ptr %a) {
  %x = load atomic i32, ptr %a syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  fence syncscope("device") acquire
  ret void
}

define ptx_kernel void @updated(ptr %a, ptr %out) {
  %old = atomicrmw add ptr %a, i32 1 syncscope("device") monotonic, align 4
  %x = load atomic i32, ptr %a syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  %sum = add i32 %old, %x
  store i32 %sum, ptr %out, align 4
  ret void
}

define ptx_kernel void @unseen(ptr %a, ptr %out) {
  %old = atomicrmw add ptr %a, i32 1 syncscope("device") monotonic, align 4
  %x = load atomic i32, ptr %a syncscope("block") monotonic, align 4, !__ptyx_unchosen_scope !0
  store i32 %x, ptr %out, align 4
  ret void
}

define ptx_kernel void @switch_leaves(ptr %a, i32 %m, ptr %out) {
  br label %body

body:                                             ; preds = %more, %0
  %k = phi i32 [ 0, %0 ], [ %next, %more ]
  %i = and i32 %k, %m
  %p = getelementptr i32, ptr %a, i32 %i
  %x = load atomic i32, ptr %p syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  switch i32 %x, label %more [
    i32 1, label %one
    i32 2, label %two
  ]

more:                                             ; preds = %body
  %next = add i32 %k, 1
  br label %body

one:                                              ; preds = %body
  store i32 1, ptr %out, align 4
  ret void

two:                                              ; preds = %body
  store i32 2, ptr %out, align 4
  ret void
}

define ptx_kernel void @switch_chooses(ptr %a, i32 %m, ptr %out) {
  br label %body

body:                                             ; preds = %more, %0
  %k = phi i32 [ 0, %0 ], [ %next, %more ]
  %i = and i32 %k, %m
  %p = getelementptr i32, ptr %a, i32 %i
  %x = load atomic i32, ptr %p syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  switch i32 %x, label %more [
    i32 1, label %one
    i32 2, label %two
  ]

one:                                              ; preds = %body
  store i32 1, ptr %out, align 4
  br label %more

two:                                              ; preds = %body
  store i32 2, ptr %out, align 4
  br label %more

more:                                             ; preds = %two, %one, %body
  %s = phi i1 [ false, %body ], [ true, %one ], [ true, %two ]
  %next = add i32 %k, 1
  br i1 %s, label %exit, label %body

exit:                                             ; preds = %more
  ret void
}

define ptx_kernel void @through_memory(ptr %a, i32 %m, ptr %y, i64 %from, i64 %to) {
  %py = getelementptr i32, ptr %y, i64 %to
  %pz = getelementptr i32, ptr %y, i64 %from
  br label %body

body:                                             ; preds = %body, %0
  %k = phi i32 [ 0, %0 ], [ %next, %body ]
  %i = and i32 %k, %m
  %p = getelementptr i32, ptr %a, i32 %i
  %x = load atomic i32, ptr %p syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  store i32 %x, ptr %py, align 4
  %z = load i32, ptr %pz, align 4
  %next = add i32 %k, 1
  %s = icmp ne i32 %z, 0
  br i1 %s, label %exit, label %body

exit:                                             ; preds = %body
  ret void
}

define ptx_kernel void @two_loops(ptr %a, ptr %y, i32 %n) {
  br label %outer

outer:                                            ; preds = %outer.latch, %0
  %t = phi i32 [ 0, %0 ], [ %tn, %outer.latch ]
  br label %inner

inner:                                            ; preds = %inner.latch, %outer
  %k = phi i32 [ %t, %outer ], [ %kn, %inner.latch ]
  %r = urem i32 %k, %n
  %p = getelementptr i32, ptr %a, i32 %r
  %x = load atomic i32, ptr %p syncscope("device") monotonic, align 4, !__ptyx_unchosen_scope !0
  %z = icmp eq i32 %x, 0
  br i1 %z, label %inner.latch, label %store

store:                                            ; preds = %inner
  store i32 %x, ptr %y, align 4
  br label %inner.latch

inner.latch:                                      ; preds = %store, %inner
  %kn = add i32 %k, 1
  %e = icmp eq i32 %kn, %n
  br i1 %e, label %outer.latch, label %inner

outer.latch:                                      ; preds = %inner.latch
  %tn = add i32 %t, 1
  %f = load i32, ptr %y, align 4
  %g = icmp eq i32 %f, 0
  br i1 %g, label %outer, label %exit

exit:                                             ; preds = %outer.latch
  ret void
}

attributes #0 = { convergent nocallback nounwind }

!0 = !{}
