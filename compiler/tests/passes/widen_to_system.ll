; run: widen_to_system
; An update for all devices says so in its PTX. One of the device, or one that PTX has no instruction for, stays.

define ptx_kernel void @kernel(ptr %p, ptr addrspace(3) %s, i64 %x, float %f) {
  %a = atomicrmw sub ptr %p, i64 %x monotonic
  %b = atomicrmw umin ptr addrspace(3) %s, i32 5 monotonic
  %c = atomicrmw fadd ptr %p, float %f monotonic
  %d = atomicrmw uinc_wrap ptr %p, i32 9 monotonic
  %e = atomicrmw nand ptr %p, i32 9 monotonic
  %g = atomicrmw add ptr %p, i32 9 syncscope("device") monotonic
  ret void
}

; becomes:
define ptx_kernel void @kernel(ptr %p, ptr addrspace(3) %s, i64 %x, float %f) {
  %1 = sub i64 0, %x
  %2 = call i64 asm sideeffect "atom.relaxed.sys.add.u64 $0, [$1], $2;", "=l,l,l,~{memory}"(ptr %p, i64 %1)
  %3 = call i32 asm sideeffect "atom.relaxed.sys.shared.min.u32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr addrspace(3) %s, i32 5)
  %4 = call float asm sideeffect "atom.relaxed.sys.add.f32 $0, [$1], $2;", "=f,l,f,~{memory}"(ptr %p, float %f)
  %5 = call i32 asm sideeffect "atom.relaxed.sys.inc.u32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr %p, i32 9)
  %e = atomicrmw nand ptr %p, i32 9 monotonic, align 4
  %g = atomicrmw add ptr %p, i32 9 syncscope("device") monotonic, align 4
  ret void
}
