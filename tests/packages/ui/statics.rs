// Variables of the host's program: those that can change are refused, constants are not.
use ptyx::prelude::*;
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

thread_local! {
    static CALLS: Cell<u32> = const { Cell::new(0) };
}
static COUNT: AtomicU32 = AtomicU32::new(0);
static mut SCALE: u32 = 1;
static PRIMES: [u32; 4] = [2, 3, 5, 7];

#[kernel]
fn uses_all(mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = PRIMES[i.get() % 4];
        CALLS.with(|calls| calls.set(calls.get() + 1));
        *y += COUNT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: nothing else runs.
        *y *= unsafe { SCALE };
    }
}

fn main() -> ptyx::Result<()> {
    let mut y = DeviceBuffer::<u32>::zeroed(8)?;
    // SAFETY: nothing else runs.
    unsafe { SCALE = 3 };
    launch!(uses_all<<<1, 8>>>(&mut y))
}
