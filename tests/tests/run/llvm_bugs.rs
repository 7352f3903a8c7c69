//! Programs that a pass of rustc's LLVM once compiled wrong.

use ptyx::prelude::*;
use ptyx_tests::rng;

fn sorted(values: &[i32]) -> [i32; 32] {
    let mut sorted = [0; 32];
    sorted.copy_from_slice(values);
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    sorted
}

#[kernel]
fn sort_each(values: &[i32], mut out: Disjoint<[i32; 32]>) {
    let i = thread::index_1d();
    let start = i.get() * 32;
    if let Some(out) = out.get_mut(i) {
        *out = sorted(&values[start..start + 32]);
    }
}

/// Straight-line strength reduction of LLVM 22 takes sign-extended indices for equal whose narrow
/// values differ by a wrap-around: in a release build, `smallsort`'s merge found its comparison
/// inconsistent.
#[test]
fn straight_line_strength_reduction() -> ptyx::Result<()> {
    let count = 200;
    let values = rng().vec(32 * count, |rng| rng.next_u32() as i32 % 1000);
    let mut out = DeviceBuffer::filled(count, [0; 32])?;
    launch!(sort_each<<<count.div_ceil(64), 64>>>(&DeviceBuffer::from_slice(&values)?, &mut out))?;
    let expected: Vec<_> = values.chunks(32).map(sorted).collect();
    assert_eq!(out.to_vec()?, expected);
    Ok(())
}
