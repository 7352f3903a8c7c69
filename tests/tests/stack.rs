//! The stack of threads: what kernels get if their need can't be computed, and what happens without it.

use core::hint::black_box;
use ptyx::prelude::*;

/// Recursion with an array in each call.
fn nested(depth: u32, seed: u32) -> u32 {
    let mut cells = [seed; 16];
    for (i, cell) in cells.iter_mut().enumerate() {
        *cell = cell.rotate_left(depth + i as u32);
    }
    let cells = black_box(cells);
    let below = if depth == 0 { 0 } else { nested(depth - 1, seed ^ cells[5]) };
    cells.iter().fold(below, |sum, cell| sum.wrapping_mul(3).wrapping_add(*cell))
}

#[kernel]
fn recursive(depth: u32, mut out: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        *out = nested(depth, i.get() as u32);
    }
}

#[kernel]
fn straight(mut out: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        *out = i.get() as u32;
    }
}

fn check(depth: u32) -> ptyx::Result<()> {
    let mut out = DeviceBuffer::zeroed(100)?;
    launch!(recursive<<<2, 64>>>(depth, &mut out))?;
    let want: Vec<u32> = (0..100).map(|i| nested(depth, i)).collect();
    assert_eq!(out.to_vec()?, want, "depth {depth}");
    Ok(())
}

/// One test, because the limit is the device's.
#[test]
fn the_stack_is_large_enough_and_can_be_set() {
    let device = Device::current().unwrap();
    let before = device.stack_limit().unwrap();
    let mut out = DeviceBuffer::zeroed(100).unwrap();
    launch!(straight<<<2, 64>>>(&mut out)).unwrap();
    assert_eq!(device.stack_limit().unwrap(), before, "nothing is unknown about this kernel");

    check(60).unwrap();
    assert!(device.stack_limit().unwrap() >= 16 * 1024);

    // A choice of the program is kept, whatever kernels come. The driver may round it up.
    device.set_stack_limit(4096).unwrap();
    let chosen = device.stack_limit().unwrap();
    launch!(recursive<<<2, 64>>>(3, &mut out), maxregs = 64).unwrap();
    assert_eq!(device.stack_limit().unwrap(), chosen);

    if device.is_emulated() {
        // On a GPU this is an access somewhere, after which the device is lost.
        let error = check(60).unwrap_err().to_string();
        for part in
            ["stack overflow: ", "a thread, which has 4096", "nested", "set_stack_limit(bytes)"]
        {
            assert!(error.contains(part), "{error}");
        }
    }

    device.set_stack_limit(32 * 1024).unwrap();
    check(150).unwrap();
    assert!(device.set_stack_limit(1 << 40).is_err());
    assert!(device.stack_limit().unwrap() >= 32 * 1024);
}
