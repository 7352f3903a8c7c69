// Inline PTX that an architecture lacks, with and without a guard, and assembly of the host.
// once: needs sm_80

use ptyx::prelude::*;

#[kernel]
fn lacks(mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let sum: u32;
    // SAFETY: all threads come here.
    unsafe {
        ptx!(
            "redux.sync.add.u32 {0}, {1}, 0xffffffff;",
            out(reg) sum,
            in(reg) y[i],
            arch = 80,
        );
    }
    y[i] = sum;
}

#[kernel]
fn guarded(mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if arch_is!("sm_90a") {
        // SAFETY: does nothing.
        unsafe { ptx!("wgmma.fence.sync.aligned;", arch = "sm_90a") };
    }
    y[i] = 3;
}

#[kernel]
fn host_assembly(mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    // SAFETY: does nothing.
    unsafe { std::arch::asm!("pause;") };
    y[i] = 3;
}

fn main() {
    let mut y = DeviceBuffer::zeroed(2).unwrap();
    launch!(lacks<<<1, 2>>>(&mut y)).unwrap();
    launch!(guarded<<<1, 2>>>(&mut y)).unwrap();
    launch!(host_assembly<<<1, 2>>>(&mut y)).unwrap();
}
//@ file: build.rs
fn main() {
    ptyx_compiler::Build::new().targets(["sm_75", "sm_90a"]).run()
}
