//! An instruction that is newer than an architecture that the build asks for, one of two uses
//! guarded.
// once: needs sm_80

use ptyx::prelude::*;

#[kernel]
fn total(x: &[u32], mut out: Disjoint<u32>) {
    let i = thread::index_1d();
    let value = x[i.get()];
    let guarded = if arch_at_least!(80) { warp::reduce_add(u32::MAX, value) } else { 0 };
    out[i] = guarded + warp::reduce_max(u32::MAX, value);
}

fn main() {
    let x = DeviceBuffer::from_slice(&[1, 2]).unwrap();
    let mut out = DeviceBuffer::zeroed(2).unwrap();
    launch!(total<<<1, 2>>>(&x, &mut out)).unwrap();
}
//@ file: build.rs
fn main() {
    ptyx_compiler::Build::new().targets(["sm_75", "sm_72", "sm_90a"]).run()
}
