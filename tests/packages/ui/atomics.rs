// Orders, scopes, types and barriers that don't fit an operation.
use ptyx::device::atomic::{fence, orders::*, scopes::*};
use ptyx::device::block::NamedBarrier;
use ptyx::prelude::*;

#[kernel]
fn wrong(flags: Atomics<u32>, wide: Atomics<u128>) {
    flags[0].with(Release, Gpu).load();
    flags[0].with(Acquire, Gpu).store(1);
    flags[0].with(SeqCst, Gpu).fetch_add(1);
    flags[0].with(Gpu, Acquire).load();
    fence(Relaxed, Block);
    wide[0].fetch_add(1);
}

#[kernel]
fn tuples(_: Atomics<(u32, u32)>) {}

const RESERVED: NamedBarrier = NamedBarrier::new(1, 64);

fn main() {
    println!("{RESERVED:?}");
}
