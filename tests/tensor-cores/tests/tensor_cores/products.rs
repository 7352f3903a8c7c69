//! Every instruction, with matrices that lie anywhere.

use half::{bf16, f16};
use ptyx::device::mma::{
    A, Accumulator, AndPopc, B, B1, E4m3, E5m2, Fragment, Layout, Plain, Product, S4, Saturating,
    Shape, Tf32, U4, XorPopc,
};
use ptyx::prelude::*;
use ptyx_tensor_tests::{Case, Number, capability, rng};

#[kernel]
fn product<TA, TB, TC, O, const M: usize, const K: usize>(
    a: &[TA::Unit],
    b: &[TB::Unit],
    c: &[TC::Unit],
    d: SliceMut<TC::Unit>,
    layouts: [Layout; 3],
) where
    TA: Shape<A, M, K>,
    TB: Shape<B, K, 8>,
    TC: Shape<Accumulator, M, 8>,
    Fragment<A, TA, M, K>: Product<Fragment<B, TB, K, 8>, Fragment<Accumulator, TC, M, 8>, O>,
{
    let [of_a, of_b, of_c] = layouts;
    let (a, b) = (Fragment::<A, TA, M, K>::load(a, of_a), Fragment::load(b, of_b));
    let sums = a.multiply(b, Fragment::load(c, of_c));
    // SAFETY: the only warp.
    unsafe { sums.store(d, of_c) };
}

/// Small integers, whose sums are exact in every type.
macro_rules! exact {
    ($($name:ident: $operation:ident $a:ty, $b:ty, $c:ty, $m:literal $k:literal, $least:literal, $combine:expr;)*) => {$(
        #[test]
        fn $name() {
            if capability() < $least {
                println!("skipped: the device has no such instruction");
                return;
            }
            let mut rng = rng();
            for _ in 0..8 {
                let case = Case::integers::<$a, $b, $c>(&mut rng, [$m, 8, $k]);
                let got = case.run::<$a, $b, $c>(|a, b, c, d, layouts| {
                    launch!(product::<$a, $b, $c, $operation, $m, $k><<<1, 32>>>(a, b, c, d, layouts)).unwrap();
                });
                let sums = case.sums::<$a, $b, $c>($combine);
                for (index, (got, (want, _))) in got.into_iter().zip(sums).enumerate() {
                    let want = <$c as FromSum>::from_sum(want);
                    assert_eq!(got, want, "row {}, column {}: {case:?}", index / 8, index % 8);
                }
            }
        }
    )*};
}

/// Sums as the elements of a type.
pub(crate) trait FromSum: Number {
    fn from_sum(sum: f64) -> Self::Unit;
}

macro_rules! from_sum {
    ($($type:ty: $from:expr;)*) => {$(
        impl FromSum for $type {
            fn from_sum(sum: f64) -> Self {
                $from(sum)
            }
        }
    )*};
}

from_sum! {
    f16: f16::from_f64;
    f32: (|sum| sum as f32);
    f64: f64::from;
    i32: (|sum| sum as i32);
}

fn times(a: f64, b: f64) -> f64 {
    a * b
}

fn differ(a: f64, b: f64) -> f64 {
    f64::from(a != b)
}

exact! {
    f16_16x8x8: Plain f16, f16, f16, 16 8, 75, times;
    f16_16x8x16: Plain f16, f16, f16, 16 16, 80, times;
    f16_f32_16x8x8: Plain f16, f16, f32, 16 8, 75, times;
    f16_f32_16x8x16: Plain f16, f16, f32, 16 16, 80, times;
    bf16_16x8x8: Plain bf16, bf16, f32, 16 8, 80, times;
    bf16_16x8x16: Plain bf16, bf16, f32, 16 16, 80, times;
    tf32_16x8x4: Plain Tf32, Tf32, f32, 16 4, 80, times;
    tf32_16x8x8: Plain Tf32, Tf32, f32, 16 8, 80, times;
    e4m3_16x8x16: Plain E4m3, E4m3, f32, 16 16, 89, times;
    e4m3_e5m2_16x8x32: Plain E4m3, E5m2, f32, 16 32, 89, times;
    e5m2_e4m3_16x8x16: Plain E5m2, E4m3, f32, 16 16, 89, times;
    e5m2_16x8x32: Plain E5m2, E5m2, f32, 16 32, 89, times;
    e4m3_f16_16x8x32: Plain E4m3, E4m3, f16, 16 32, 89, times;
    e5m2_e4m3_f16_16x8x16: Plain E5m2, E4m3, f16, 16 16, 89, times;
    f64_8x8x4: Plain f64, f64, f64, 8 4, 80, times;
    f64_16x8x4: Plain f64, f64, f64, 16 4, 90, times;
    f64_16x8x8: Plain f64, f64, f64, 16 8, 90, times;
    f64_16x8x16: Plain f64, f64, f64, 16 16, 90, times;
    s8_8x8x16: Plain i8, i8, i32, 8 16, 75, times;
    s8_u8_16x8x16: Plain i8, u8, i32, 16 16, 80, times;
    u8_s8_16x8x32: Plain u8, i8, i32, 16 32, 80, times;
    u8_8x8x16: Plain u8, u8, i32, 8 16, 75, times;
    u8_saturating_16x8x32: Saturating u8, u8, i32, 16 32, 80, times;
    s8_saturating_8x8x16: Saturating i8, i8, i32, 8 16, 75, times;
    s4_8x8x32: Plain S4, S4, i32, 8 32, 75, times;
    s4_u4_16x8x32: Plain S4, U4, i32, 16 32, 80, times;
    u4_s4_16x8x64: Plain U4, S4, i32, 16 64, 80, times;
    u4_saturating_16x8x64: Saturating U4, U4, i32, 16 64, 80, times;
    xor_8x8x128: XorPopc B1, B1, i32, 8 128, 75, differ;
    xor_16x8x128: XorPopc B1, B1, i32, 16 128, 80, differ;
    xor_16x8x256: XorPopc B1, B1, i32, 16 256, 80, differ;
    and_8x8x128: AndPopc B1, B1, i32, 8 128, 80, times;
    and_16x8x128: AndPopc B1, B1, i32, 16 128, 80, times;
    and_16x8x256: AndPopc B1, B1, i32, 16 256, 80, times;
}

/// Sums next to the limits of `i32`.
macro_rules! limits {
    ($($name:ident: $operation:ident $a:ty, $b:ty, $m:literal $k:literal, $sum:expr;)*) => {$(
        #[test]
        fn $name() {
            let mut rng = rng();
            let mut case = Case::integers::<$a, $b, i32>(&mut rng, [$m, 8, $k]);
            for element in &mut case.c.elements {
                let far = rng.below(100) as i32;
                let sum = if rng.below(2) == 0 { i32::MAX - far } else { i32::MIN + far };
                *element = u64::from(sum.cast_unsigned());
            }
            let got = case.run::<$a, $b, i32>(|a, b, c, d, layouts| {
                launch!(product::<$a, $b, i32, $operation, $m, $k><<<1, 32>>>(a, b, c, d, layouts)).unwrap();
            });
            let sums = case.sums::<$a, $b, i32>(times);
            assert!(sums.iter().any(|&(sum, _)| sum as i32 as f64 != sum), "no sum is too large");
            for (got, (sum, _)) in got.into_iter().zip(sums) {
                assert_eq!(got, $sum(sum), "{case:?}");
            }
        }
    )*};
}

limits! {
    bytes_wrap_around: Plain i8, i8, 16 32, (|sum| sum as i64 as i32);
    bytes_stop_at_the_limits: Saturating i8, i8, 16 32, (|sum| sum as i32);
    nibbles_wrap_around: Plain S4, S4, 16 64, (|sum| sum as i64 as i32);
    nibbles_stop_at_the_limits: Saturating S4, S4, 16 64, (|sum| sum as i32);
}

/// Random numbers of all magnitudes that the format of A and B has; the error is bounded.
macro_rules! bounded {
    ($($name:ident: $a:ty, $b:ty, $k:literal, $least:literal;)*) => {$(
        #[test]
        fn $name() {
            if capability() < $least {
                println!("skipped: the device has no such instruction");
                return;
            }
            let mut rng = rng();
            for _ in 0..8 {
                let mut case = Case::integers::<$a, $b, f32>(&mut rng, [16, 8, $k]);
                for element in &mut case.a.elements {
                    *element = finite::<$a>(rng.next_u64());
                }
                for element in &mut case.b.elements {
                    *element = finite::<$b>(rng.next_u64());
                }
                let got = case.run::<$a, $b, f32>(|a, b, c, d, layouts| {
                    launch!(product::<$a, $b, f32, Plain, 16, $k><<<1, 32>>>(a, b, c, d, layouts)).unwrap();
                });
                for (got, (want, magnitude)) in got.into_iter().zip(case.sums::<$a, $b, f32>(times)) {
                    // As docs/tensor-cores.md has it.
                    let bound = ($k as f64 + 2.0) * magnitude * f64::from(f32::EPSILON);
                    let error = (f64::from(got) - want).abs();
                    assert!(error <= bound, "{got} {want}: error {error:e}, bound {bound:e}: {case:?}");
                }
            }
        }
    )*};
}

/// Random bits as a number between 2^-30 and 2^30.
fn finite<T: Number>(random: u64) -> u64 {
    let bits = random & (u64::MAX >> (64 - T::BITS));
    let magnitude = T::number(bits).abs();
    if (2f64.powi(-30)..2f64.powi(30)).contains(&magnitude) { bits } else { T::bits(1.0) }
}

bounded! {
    sums_of_f16: f16, f16, 16, 80;
    sums_of_bf16: bf16, bf16, 16, 80;
    sums_of_tf32: Tf32, Tf32, 8, 80;
    sums_of_f8: E5m2, E4m3, 32, 89;
}
