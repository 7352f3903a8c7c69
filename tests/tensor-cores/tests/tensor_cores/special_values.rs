//! NaN, infinities, subnormal numbers and negative zero in products of warpgroups; every code of the floats of 8 bits and
//! less in products of warps.
//!
//! What is expected is computed from the numbers alone, by the rules of docs/tensor-cores.md: a sum with a NaN, with
//! infinity times zero, or with infinities of both signs is NaN; other sums with an infinity are infinite; subnormal factors
//! and sums count; a sum that is zero is +0.

use super::warpgroup_rounding::sums;
use crate::narrow::{product, with_instructions_of};
use half::{bf16, f16};
use ptyx::device::mma::{E2m3, E3m2, E4m3, E5m2, Layout, PaddedE2m1, Tf32};
use ptyx::prelude::*;
use ptyx_tensor_tests::{Number, Rng, capability, pack, rng};
use std::collections::BTreeSet;

/// Bits of a format's special values, for positive signs.
struct Format {
    sign: u64,
    /// The exponent's bits, and the last bit of a fraction.
    exponents: u64,
    last: u64,
    has_infinities: bool,
}

impl Format {
    /// Zero, the least and the greatest subnormal number, the least normal one, 1 and a little, the greatest number,
    /// infinity, NaN of several kinds; and all of them negative.
    fn values<T: Number>(&self) -> Vec<u64> {
        let Format { exponents, last, .. } = *self;
        let normal = exponents & exponents.wrapping_neg();
        let fraction = normal - last;
        let mut values = vec![0, last, fraction, normal, T::bits(1.0), T::bits(1.0) | last];
        if self.has_infinities {
            // A quiet NaN and a signalling one.
            let quiet = exponents | (normal >> 1);
            values.extend([
                exponents - last,
                exponents,
                quiet,
                exponents | last,
                exponents | fraction,
            ]);
        } else {
            values.extend([(exponents | fraction) - last, exponents | fraction]);
        }
        let negative: Vec<u64> = values.iter().map(|bits| bits | self.sign).collect();
        values.extend(negative);
        values
    }
}

/// One sum: its start, and the bits of its factors.
struct Case {
    start: f32,
    factors: Vec<(u64, u64)>,
}

/// Starts of all kinds.
const STARTS: [f32; 12] = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    f32::MAX,
    f32::MIN,
    f32::from_bits(1),
    f32::from_bits(0x8000_0001),
    f32::from_bits(0x007f_ffff),
];

/// Each value with each, beside zeros; and mixtures of all.
fn cases(rng: &mut Rng, values: &[u64], k: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    for (i, &a) in values.iter().enumerate() {
        for (j, &b) in values.iter().enumerate() {
            let start = STARTS[(i * values.len() + j) % STARTS.len()];
            let place = rng.below(k);
            let mut factors = vec![(0, 0); k];
            factors[place] = (a, b);
            cases.push(Case { start: 0.0, factors: factors.clone() });
            cases.push(Case { start, factors });
        }
    }
    for _ in 0..64 {
        // A few of the values among zeros, so that not all sums are NaN.
        let mut factors = vec![(0, 0); k];
        for _ in 0..1 + rng.below(4) {
            let mut any = || values[rng.below(values.len())];
            let factor = (any(), any());
            factors[rng.below(k)] = factor;
        }
        cases.push(Case { start: STARTS[rng.below(STARTS.len())], factors });
    }
    cases
}

/// Compares a sum with what it must be. `places` are the binary places to which terms are aligned.
fn check<T: Number>(case: &Case, got: f32, places: i32) -> Result<(), String> {
    let number = |&(a, b): &(u64, u64)| T::number(a) * T::number(b);
    let products: Vec<f64> = case.factors.iter().map(number).collect();
    let terms = || products.iter().copied().chain([f64::from(case.start)]);
    let exact: f64 = terms().sum();
    let magnitude: f64 = terms().map(f64::abs).sum();
    let is_right = if exact.is_nan() {
        got.is_nan()
    } else if exact.is_infinite() {
        f64::from(got) == exact
    } else if magnitude == 0.0 {
        got.to_bits() == 0
    } else if magnitude >= 2f64.powi(127) {
        // Beyond the range or not, by what is cut off: a single term, or too large by far, is certain.
        let largest = f64::from(f32::MAX);
        match exact.abs() {
            exact if exact > 2.0 * largest => f64::from(got).abs() == f64::INFINITY,
            _ => !got.is_nan(),
        }
    } else {
        let bound = (products.len() + 2) as f64 * 2f64.powi(-places) * magnitude;
        (f64::from(got) - exact).abs() <= bound + f64::from(f32::from_bits(1))
    };
    let Case { start, factors } = case;
    let factors: Vec<_> = factors.iter().filter(|pair| **pair != (0, 0)).collect();
    is_right.then_some(()).ok_or_else(|| {
        format!("{got:e} ({:#x}), not {exact:e}: {start:e} and {factors:x?}", got.to_bits())
    })
}

macro_rules! of_warpgroups {
    ($($name:ident: $type:ty, $k:literal, $places:literal places, $format:expr;)*) => {$(
        #[test]
        fn $name() {
            if capability() != 90 {
                println!("SKIPPED: only compute capability 9.0 has these instructions");
                return;
            }
            let mut rng = rng();
            let cases = cases(&mut rng, &$format.values::<$type>(), $k);
            let side = |of: fn(&(u64, u64)) -> u64| -> Vec<u64> {
                cases.iter().flat_map(|case| case.factors.iter().map(of)).collect()
            };
            let a = DeviceBuffer::from_slice(&pack::<$type>(&side(|pair| pair.0))).unwrap();
            let b = DeviceBuffer::from_slice(&pack::<$type>(&side(|pair| pair.1))).unwrap();
            let starts: Vec<f32> = cases.iter().map(|case| case.start).collect();
            let c = DeviceBuffer::from_slice(&starts).unwrap();
            let mut d = DeviceBuffer::zeroed(cases.len()).unwrap();
            launch!(sums::<$type, $type, $k><<<cases.len(), 128>>>(&a, &b, &c, &mut d)).unwrap();
            let got = d.to_vec().unwrap();
            let nans: BTreeSet<u32> =
                got.iter().filter(|sum| sum.is_nan()).map(|sum| sum.to_bits()).collect();
            println!("{}: {} sums, NaN as {nans:x?}", stringify!($name), cases.len());
            let wrong: Vec<String> =
                cases.iter().zip(got).filter_map(|(case, got)| check::<$type>(case, got, $places).err()).collect();
            assert!(wrong.is_empty(), "{} of {}: {:#?}", wrong.len(), cases.len(), &wrong[..wrong.len().min(20)]);
        }
    )*};
}

of_warpgroups! {
    f16_specials: f16, 16, 23 places,
        Format { sign: 0x8000, exponents: 0x7c00, last: 1, has_infinities: true };
    bf16_specials: bf16, 16, 23 places,
        Format { sign: 0x8000, exponents: 0x7f80, last: 1, has_infinities: true };
    tf32_specials: Tf32, 8, 23 places,
        Format { sign: 1 << 31, exponents: 0x7f80_0000, last: 1 << 13, has_infinities: true };
    e5m2_specials: E5m2, 32, 13 places,
        Format { sign: 0x80, exponents: 0x7c, last: 1, has_infinities: true };
    e4m3_specials: E4m3, 32, 13 places,
        Format { sign: 0x80, exponents: 0x78, last: 1, has_infinities: false };
}

/// Products of each code of one type with each of another, one beside zeros in a sum, on tensor cores of 12.0.
macro_rules! all_codes {
    ($($name:ident: $a:ty, $b:ty;)*) => {$(
        #[test]
        fn $name() {
            with_instructions_of("special_values", stringify!($name), || {
                let mut rng = rng();
                let (codes_a, codes_b) = (<$a as Codes>::all(), <$b as Codes>::all());
                for some_a in codes_a.chunks(16) {
                    for some_b in codes_b.chunks(8) {
                        let place = rng.below(32);
                        let mut a = vec![0; 16 * 32];
                        let mut b = vec![0; 8 * 32];
                        some_a.iter().enumerate().for_each(|(row, &code)| a[32 * row + place] = code);
                        some_b.iter().enumerate().for_each(|(column, &code)| b[32 * column + place] = code);
                        let a = DeviceBuffer::from_slice(&pack::<$a>(&a)).unwrap();
                        let b = DeviceBuffer::from_slice(&pack::<$b>(&b)).unwrap();
                        let c = DeviceBuffer::<f32>::zeroed(128).unwrap();
                        let mut d = DeviceBuffer::zeroed(128).unwrap();
                        let layouts = [Layout::row_major(32), Layout::column_major(32), Layout::row_major(8)];
                        launch!(product::<$a, $b, f32><<<1, 32>>>(&a, &b, &c, &mut d, layouts)).unwrap();
                        for (index, got) in d.to_vec().unwrap().into_iter().enumerate() {
                            let (Some(&a), Some(&b)) = (some_a.get(index / 8), some_b.get(index % 8)) else { continue };
                            // Few bits: the product is exact, and a zero has no sign.
                            let want = <$a>::number(a) * <$b>::number(b) + 0.0;
                            let is_right = if want.is_nan() { got.is_nan() } else { f64::from(got) == want };
                            assert!(is_right, "{a:#x} times {b:#x}: {got}, not {want}");
                        }
                    }
                }
            });
        }
    )*};
}

/// All bits that are an element.
trait Codes {
    fn all() -> Vec<u64>;
}

macro_rules! codes {
    ($($type:ty: $count:literal << $shift:literal;)*) => {$(
        impl Codes for $type {
            fn all() -> Vec<u64> {
                (0..$count).map(|code| code << $shift).collect()
            }
        }
    )*};
}

codes! {
    E4m3: 256 << 0;
    E5m2: 256 << 0;
    E3m2: 64 << 0;
    E2m3: 64 << 0;
    PaddedE2m1: 16 << 2;
}

all_codes! {
    codes_of_e3m2: E3m2, E3m2;
    codes_of_e2m3: E2m3, E2m3;
    codes_of_e2m1: PaddedE2m1, PaddedE2m1;
    codes_of_e3m2_and_e2m3: E3m2, E2m3;
    codes_of_e2m1_and_e4m3: PaddedE2m1, E4m3;
    codes_of_e5m2_and_e2m3: E5m2, E2m3;
}
