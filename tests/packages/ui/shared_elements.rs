// Divisions that give an element to several threads.
use ptyx::device::shared::Phase;
use ptyx::prelude::*;

#[kernel]
fn sums(mut sums: Parts<u32, by::Block>) {
    if let Some(sum) = sums.own() {
        *sum += 1;
    }
}

#[kernel]
fn warps(phase: Phase) {
    let mut phase = phase;
    let tile = phased!([u32; 32], by::Warp);
    tile.set(&mut phase, [0], 1);
    let _ = phase.sync();
}

fn main() -> ptyx::Result<()> {
    let mut x = DeviceBuffer::<u32>::zeroed(8)?;
    launch!(sums<<<1, 64>>>(&mut x))?;
    launch!(warps<<<1, 64>>>(shared::PHASES))
}
