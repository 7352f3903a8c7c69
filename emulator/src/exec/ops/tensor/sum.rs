//! Sums of products of floats, as tensor cores round them.
//!
//! NVIDIA does not document the rounding. What is here was found by experiments on an H200
//! (`tests/tensor-cores/tests/tensor_cores/rounding.rs`), and agrees with what papers say
//! (M. Fasi, N. Higham, M. Mikaitis, S. Pranesh: "Numerical behavior of NVIDIA tensor cores", PeerJ Computer
//! Science 7:e330, 2021; F. Khattak, M. Mikaitis: "Accurate models of NVIDIA tensor cores",
//! arXiv:2512.07004, 2025). The numbers are those of compute capability 9.0:
//!
//! - Products are exact, and not normalised.
//! - A block of products and the sum so far are aligned to the largest exponent among them. Bits further down
//!   than [`EXTRA`](super::factor::EXTRA) below the last place of `f32` are cut off. The rest is added exactly.
//! - The sum is rounded once for each block: to `f32` towards zero, to `f16` to the nearest.

use std::ops::Range;

use super::factor::{
    COLUMNS, Columns, FACTOR_PLACES, Factor, PLACES, Sum, ZERO, all_finite, exponent_of,
    power_of_two,
};

/// How the hardware adds.
#[derive(Clone, Copy)]
pub(super) struct Adder {
    /// How many products at a time.
    pub(super) block: usize,
    /// How many of the [`PLACES`] are not kept.
    pub(super) dropped: u32,
}

impl Adder {
    /// Of products of floats of 16 bits.
    pub(super) const FULL: Adder = Adder { block: 16, dropped: 0 };
    /// Of products of floats of 8 bits, in warpgroups: 13 places.
    pub(super) const EIGHT_BITS: Adder = Adder { block: 32, dropped: PLACES - 13 };
}

/// Adds products to sums, row after row: `a` has the rows of A, `b` the columns of B, each of `depth` elements.
pub(super) fn multiply<S: Sum>(
    a: &[Factor],
    b: &[Factor],
    depth: usize,
    adder: Adder,
    sums: &mut [S],
) {
    let columns = Columns::new(b, depth);
    for (row, sums) in sums.chunks_exact_mut(COLUMNS).enumerate() {
        let a = &a[row * depth..][..depth];
        let mut results = [0.0; COLUMNS];
        let mut finite = columns.finite && all_finite(a);
        for column in 0..COLUMNS {
            results[column] = sums[column].value();
            finite &= results[column].is_finite();
        }
        if !finite {
            special(a, b, &columns, adder, sums);
            continue;
        }
        add_row::<S>(&mut results, a, &columns, adder);
        for column in 0..COLUMNS {
            sums[column] = S::of(results[column]);
        }
    }
}

/// The sums of a row, if some numbers are not finite.
#[cold]
fn special<S: Sum>(a: &[Factor], b: &[Factor], columns: &Columns, adder: Adder, sums: &mut [S]) {
    let mut results = std::array::from_fn(|column| sums[column].value());
    // The results of columns with numbers that are not finite have no meaning.
    add_row::<S>(&mut results, a, columns, adder);
    for (column, sum) in sums.iter_mut().enumerate() {
        let b = &b[column * a.len()..][..a.len()];
        *sum = S::of(if all_finite(a) && all_finite(b) && sum.value().is_finite() {
            results[column]
        } else {
            // Infinite, or NaN.
            let start = f64::from(sum.value());
            a.iter().zip(b).fold(start, |sum, (a, b)| sum + a.value() * b.value()) as f32
        });
    }
}

/// Adds a row's products to its sums, one block after another.
fn add_row<S: Sum>(sums: &mut [f32; COLUMNS], a: &[Factor], columns: &Columns, adder: Adder) {
    let kept = PLACES - adder.dropped;
    for from in (0..a.len()).step_by(adder.block) {
        let block = from..a.len().min(from + adder.block);
        #[cfg(target_arch = "x86_64")]
        if crate::exec::ops::width::Width::chosen().has_avx2() {
            // SAFETY: the host has the features.
            unsafe { super::wide::add_block::<S>(sums, a, columns, block, kept) };
            continue;
        }
        add_block::<S>(sums, a, columns, block, kept);
    }
}

/// Adds a block of products to eight sums, and rounds these. `kept` is how many places are kept behind the point of
/// the number with the largest exponent. An infinite sum stays as it is; results of factors that are not finite have
/// no meaning.
fn add_block<S: Sum>(
    sums: &mut [f32; COLUMNS],
    a: &[Factor],
    columns: &Columns,
    block: Range<usize>,
    kept: u32,
) {
    for (column, sum) in sums.iter_mut().enumerate().filter(|(_, sum)| sum.is_finite()) {
        let exponent = |k: usize| a[k].exponent.wrapping_add(columns.exponents[k][column]);
        // An `f32` has no more places than kept, counted from its own exponent, which is that of the smallest normal
        // number for subnormal ones.
        let own = if *sum == 0.0 { ZERO } else { exponent_of((*sum).into()).max(-126) };
        let largest = block.clone().map(exponent).max().map_or(own, |of_any| of_any.max(own));
        // Magnitudes are below 2^27, and there are at most 32. Towards zero: magnitudes are cut off, not numbers.
        let cut = |integer: i64, places: i32| {
            let magnitude = integer.unsigned_abs() >> places.clamp(0, 63) >> (PLACES - kept);
            if integer < 0 { -(magnitude as i64) } else { magnitude as i64 }
        };
        let products = block.clone().map(|k| {
            let product = (a[k].significand * columns.significands[k][column]) as i64;
            cut(product << (PLACES - 2 * FACTOR_PLACES), largest.wrapping_sub(exponent(k)))
        });
        let start = (f64::from(*sum) * power_of_two(PLACES as i32 - own)) as i64;
        let total = products.sum::<i64>().wrapping_add(cut(start, largest.wrapping_sub(own)));
        // At most 33 bits, and exponents far from the limits of `f64`: exact.
        *sum = S::round(total as f64 * power_of_two(largest.wrapping_sub(kept as i32)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::factor::{Format, Half, SPECIAL};
    use super::*;
    use crate::exec::ops::rounding::{Round, to_f16};

    const F16: Format = Format { exponent: 5, stored: 10, infinities: true };
    const E4M3: Format = Format { exponent: 4, stored: 3, infinities: false };
    const E5M2: Format = Format { exponent: 5, stored: 2, infinities: true };

    fn f16(value: f64) -> Factor {
        F16.decode(to_f16(value, Round::Nearest).into())
    }

    fn sum(start: f32, products: &[(f64, f64)]) -> f32 {
        let (a, b): (Vec<_>, Vec<_>) = products.iter().map(|&(a, b)| (f16(a), f16(b))).unzip();
        let mut sums = [start; COLUMNS];
        multiply(&a, &b.repeat(COLUMNS), a.len(), Adder::FULL, &mut sums);
        assert!(sums.iter().all(|sum| sum.to_bits() == sums[0].to_bits()), "{sums:?}");
        sums[0]
    }

    #[cfg(target_arch = "x86_64")]
    fn compare<S: Sum>(format: Format, bits: u32, adder: Adder, depth: usize) {
        if !crate::exec::ops::width::Width::chosen().has_avx2() {
            return;
        }
        let seed = 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(u64::from(bits) + depth as u64);
        println!("seed {seed}");
        let mut state = seed;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 32) as u32
        };
        for round in 0..3000 {
            // Exponents that are spread over the whole range, over a part of it, or equal; and many zeros.
            let kind = round % 4;
            let mut factor = || loop {
                let mut field = random() & (u32::MAX >> (32 - bits));
                let exponents = ((1 << format.exponent) - 1) << format.stored;
                let middle = 1 << (format.stored + format.exponent - 1);
                match kind {
                    1 => field = field & !exponents | middle,
                    2 => {
                        field = (field & !exponents) | (middle - ((random() % 8) << format.stored))
                    }
                    3 if random() % 2 == 0 => field &= 1 << (bits - 1),
                    _ => (),
                }
                let factor = format.decode(field);
                if factor.exponent != SPECIAL {
                    return factor;
                }
            };
            let a: Vec<Factor> = (0..depth).map(|_| factor()).collect();
            let b: Vec<Factor> = (0..depth * COLUMNS).map(|_| factor()).collect();
            let columns = Columns::new(&b, depth);
            let start: [f32; COLUMNS] = std::array::from_fn(|column| {
                let any = random();
                let bits = match (round / 4 % 4, column) {
                    (_, 0) => any & 0x8000_0000,
                    (_, 1) => any & 0x8000_0000 | 0x7f80_0000,
                    (_, 2) => any & 0x80ff_ffff,
                    (0, _) => any,
                    (1, _) => any & 0x87ff_ffff | 0x3800_0000,
                    (2, _) => any & 0x807f_ffff | 0x3f80_0000,
                    _ => any & 0x8fff_ffff | 0x7000_0000,
                };
                let value = f32::from_bits(bits);
                let value = if value.is_nan() { 1.5 } else { value };
                if S::IS_HALF { Half::round(value.into()) } else { value }
            });
            for from in (0..depth).step_by(adder.block) {
                let block = from..depth.min(from + adder.block);
                let (mut got, mut want) = (start, start);
                let kept = PLACES - adder.dropped;
                // SAFETY: the host has the features.
                unsafe {
                    super::super::wide::add_block::<S>(&mut got, &a, &columns, block.clone(), kept)
                };
                add_block::<S>(&mut want, &a, &columns, block, kept);
                let bits = |sums: [f32; COLUMNS]| sums.map(f32::to_bits);
                assert_eq!(bits(got), bits(want), "round {round}, {start:?}");
            }
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn wide_sums_are_those_of_one_column_at_a_time() {
        let bf16 = Format { exponent: 8, stored: 7, infinities: true };
        let tf32 = Format { exponent: 8, stored: 10, infinities: true };
        compare::<f32>(F16, 16, Adder::FULL, 16);
        compare::<Half>(F16, 16, Adder::FULL, 16);
        compare::<Half>(F16, 16, Adder::FULL, 32);
        compare::<f32>(bf16, 16, Adder::FULL, 8);
        compare::<f32>(tf32, 19, Adder { block: 8, ..Adder::FULL }, 8);
        for format in [E4M3, E5M2] {
            compare::<f32>(format, 8, Adder::EIGHT_BITS, 32);
            compare::<Half>(format, 8, Adder::EIGHT_BITS, 32);
            compare::<f32>(format, 8, Adder::FULL, 32);
        }
    }

    #[test]
    fn small_terms_are_cut_off_before_they_are_added() {
        let tiny = |exponent: i32| (power_of_two(-12), power_of_two(exponent + 12));
        // Four quarters of the last place: kept, since there are two more bits.
        assert_eq!(sum(1.0, &[tiny(-25); 4]), 1.0 + f32::EPSILON);
        // Eight eighths: each is lost.
        assert_eq!(sum(1.0, &[tiny(-26); 8]), 1.0);
        // Towards zero, on both sides.
        assert_eq!(sum(1.0, &[tiny(-24)]), 1.0);
        assert_eq!(sum(-1.0, &[(-tiny(-24).0, tiny(-24).1)]), -1.0);
    }

    #[test]
    fn large_terms_that_cancel_take_small_ones_with_them() {
        let large = [(256.0, 65504.0), (-256.0, 65504.0), (1.0, 0.25)];
        assert_eq!(sum(0.0, &large), 0.25);
        let larger = [(16384.0, 65504.0), (-16384.0, 65504.0), (1.0, 0.25)];
        assert_eq!(sum(0.0, &larger), 0.0);
    }

    #[test]
    fn infinities_and_nan() {
        assert_eq!(sum(1.0, &[(f64::INFINITY, 2.0)]), f32::INFINITY);
        assert!(sum(1.0, &[(f64::INFINITY, 0.0)]).is_nan());
        assert!(sum(f32::NEG_INFINITY, &[(f64::INFINITY, 1.0)]).is_nan());
        assert_eq!(sum(f32::MAX, &[(65504.0, 65504.0)]), f32::MAX, "too little to matter");
        assert_eq!(sum(0.0, &[(0.0, -1.0)]).to_bits(), 0);
    }

    #[test]
    fn exact_sums_are_exact() {
        let products: Vec<_> =
            (0..16).map(|i| (f64::from(i - 7), f64::from(3 * i + 1) / 8.0)).collect();
        let want: f64 = products.iter().map(|(a, b)| a * b).sum();
        assert_eq!(f64::from(sum(-3.5, &products)), want - 3.5);
    }
}
