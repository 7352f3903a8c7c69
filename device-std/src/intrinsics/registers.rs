//! Special registers, and what waits or stops.

intrinsics! {
    // PTX ISA, "Special Registers"; their ranges: CUDA Programming Guide, "Compute Capabilities".
    fn tid_x() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.tid.x"), range(0..1024);
    fn tid_y() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.tid.y"), range(0..1024), flat(2, 0);
    fn tid_z() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.tid.z"), range(0..64), flat(3, 0);
    fn ntid_x() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.ntid.x"), range(1..1025);
    fn ntid_y() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.ntid.y"), range(1..1025), flat(2, 1);
    fn ntid_z() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.ntid.z"), range(1..65), flat(3, 1);
    fn ctaid_x() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.ctaid.x"), range(0..0x7fff_ffff);
    fn ctaid_y() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.ctaid.y"), range(0..0xffff), flat(2, 0);
    fn ctaid_z() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.ctaid.z"), range(0..0xffff), flat(3, 0);
    fn nctaid_x() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.nctaid.x"), range(1..0x8000_0000);
    fn nctaid_y() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.nctaid.y"), range(1..0x1_0000), flat(2, 1);
    fn nctaid_z() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.nctaid.z"), range(1..0x1_0000), flat(3, 1);
    fn laneid() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.laneid"), range(0..32);
    fn lanemask_eq() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.lanemask.eq");
    fn lanemask_lt() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.lanemask.lt");
    fn lanemask_le() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.lanemask.le");
    fn lanemask_gt() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.lanemask.gt");
    fn lanemask_ge() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.lanemask.ge");
    fn warpid() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.warpid");
    fn nwarpid() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.nwarpid");
    fn smid() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.smid");
    fn nsmid() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.nsmid");
    fn gridid() -> u64 = asm("mov.u64 $0, %gridid;");
    // Defined by the driver.
    fn envreg1() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.envreg1");
    fn envreg2() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.envreg2");
    fn clock32() -> u32 = asm("mov.u32 $0, %clock;");
    fn clock64() -> u64 = asm("mov.u64 $0, %clock64;");
    fn globaltimer() -> u64 = asm("mov.u64 $0, %globaltimer;");
    fn nanosleep(duration: u32) = asm("nanosleep.u32 $0;");
    fn breakpoint() = asm("brkpt;");
    fn total_smem_size() -> u32 = pure("mov.u32 $0, %total_smem_size;");
    fn dynamic_smem_size() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.dynamic_smem_size");
}
