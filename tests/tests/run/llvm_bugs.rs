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

/// Bits of square roots, with one NaN for all.
#[kernel]
fn roots(values: &[f64], mut out: Disjoint<[u64; 2]>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let wide = values[i.get()].sqrt();
        let narrow = (values[i.get()] as f32).sqrt();
        let wide = if wide.is_nan() { f64::from_bits(0x7ff8_0000_0000_0000) } else { wide };
        let narrow = if narrow.is_nan() { f32::from_bits(0x7fc0_0000) } else { narrow };
        *out = [wide.to_bits(), narrow.to_bits().into()];
    }
}

/// LLVM 22 makes `sqrt(x)` of `if x < 0.0 { NaN } else { sqrt(x) }`, whatever NaN that is.
#[test]
fn square_roots_of_negative_numbers() -> ptyx::Result<()> {
    let mut rng = rng();
    let mut values = rng.vec(200, |rng| rng.next_u32() as i32 as f64 / 7.0);
    values.extend([0.0, -0.0, f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -5e-324]);
    let mut out = DeviceBuffer::filled(values.len(), [0; 2])?;
    let blocks = values.len().div_ceil(64);
    launch!(roots<<<blocks, 64>>>(&DeviceBuffer::from_slice(&values)?, &mut out))?;
    for (value, [wide, narrow]) in values.iter().zip(out.to_vec()?) {
        // Decided by the sign, since the host's compiler has the same mistake.
        let is_nan = value.is_nan() || *value < 0.0;
        let expected = if is_nan { 0x7ff8_0000_0000_0000 } else { value.sqrt().to_bits() };
        assert_eq!(wide, expected, "{value}");
        let single = *value as f32;
        let is_nan = single.is_nan() || single < 0.0;
        let expected = if is_nan { 0x7fc0_0000 } else { single.sqrt().to_bits() };
        assert_eq!(narrow, u64::from(expected), "{value} as f32");
    }
    Ok(())
}
