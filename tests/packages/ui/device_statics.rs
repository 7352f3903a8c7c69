// Constants and globals of the device that the host could not find, or that do not fit.
use ptyx::prelude::*;
use ptyx::{Constant, Global};

static NAMELESS: Constant<f32> = Constant::new(1.0);

static SEVERAL: [Constant<u32>; 2] = [Constant::new(1), Constant::new(2)];

#[device_static]
static LARGE: Constant<[u32; 12_000]> = Constant::new([0; 12_000]);

#[device_static]
static LARGE_TOO: Constant<[u64; 6_000]> = Constant::new([0; 6_000]);

#[device_static]
static COUNT: Global<Atomic<u32>> = Global::zeroed();

#[device_static]
static OTHER: Global<Atomic<u32>> = Global::zeroed();

static REFERS: [&Global<Atomic<u32>>; 2] = [&COUNT, &OTHER];

#[kernel]
fn nameless(mut y: Disjoint<f32>) {
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = *NAMELESS;
    }
}

#[kernel]
fn several(mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = *SEVERAL[i.get() % 2];
    }
}

#[kernel]
fn large(mut y: Disjoint<u64>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = LARGE_TOO[i.get()] + u64::from(LARGE[i.get()]);
    }
}

#[kernel]
fn refers() {
    REFERS[thread::x() as usize % 2].fetch_add(1);
}

fn main() -> ptyx::Result<()> {
    let mut x = DeviceBuffer::<f32>::zeroed(8)?;
    let mut y = DeviceBuffer::<u32>::zeroed(8)?;
    let mut z = DeviceBuffer::<u64>::zeroed(8)?;
    launch!(nameless<<<1, 8>>>(&mut x))?;
    launch!(several<<<1, 8>>>(&mut y))?;
    launch!(large<<<1, 8>>>(&mut z))?;
    launch!(refers<<<1, 8>>>())
}
