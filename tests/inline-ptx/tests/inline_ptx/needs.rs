//! The architecture and the version of PTX that instructions need.

use ptyx::prelude::*;
use ptyx_inline_ptx_tests::images::{images, module};

fn newer(x: u32) -> u32 {
    let y: u32;
    // SAFETY: the instruction only computes.
    unsafe {
        ptx!("add.u32 {}, {}, 1;", lateout(reg) y, in(reg) x, options(pure, nomem), arch = 85, ptx = 7.8);
    }
    y
}

#[kernel]
fn needs_more(mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    y[i] = newer(y[i]);
}

/// One that is asked for, and one that is dead code.
#[kernel]
fn asks(mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if arch_is!("sm_90a") {
        // SAFETY: does nothing.
        unsafe { ptx!("setmaxnreg.inc.sync.aligned.u32 232;", arch = "sm_90a", ptx = 8.0) };
        y[i] = newer(y[i]);
    } else if arch_is!("sm_100a") {
        // SAFETY: does nothing.
        unsafe { ptx!("tcgen05.fence::before_thread_sync;", arch = "sm_100a", ptx = 8.6) };
        y[i] = newer(y[i]) + 1;
    } else {
        y[i] += 1;
    }
}

#[test]
fn kernels_need_what_their_instructions_need() {
    let mut y = DeviceBuffer::filled(4, 6).unwrap();
    launch!(needs_more<<<1, 4>>>(&mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [7; 4]);
    let ptx = module("needs::needs_more");
    assert!(ptx.contains(".target sm_86") && ptx.contains(".version 7.8"), "{ptx}");
}

#[test]
fn what_is_not_taken_needs_nothing() {
    let mut y = DeviceBuffer::filled(4, 6).unwrap();
    launch!(asks<<<1, 4>>>(&mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [7; 4]);
    let images = images();
    let kernels = || images.iter().flat_map(|image| &image.kernels);
    let kernel = kernels().find(|kernel| kernel.name.ends_with("needs::asks")).expect("the kernel");
    let archs: Vec<_> = kernel.code.iter().map(|code| code.arch.to_string()).collect();
    assert_eq!(archs.len(), 3, "{archs:?}");
    assert!(["sm_70", "sm_90a", "sm_100a"].iter().all(|arch| archs.contains(&arch.to_string())));
}
