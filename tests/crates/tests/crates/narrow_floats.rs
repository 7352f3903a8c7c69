//! `ptyx::device::float16` and `float8`: instructions against software, and what `half` becomes.
// Tuples of arrays: what a test computes, in one go.
#![allow(clippy::type_complexity)]

use half::{bf16, f16};
use ptyx::device::cache::{self, Cached, Policy};
use ptyx::device::float8::{
    F4E2M1, F6E2M3, F6E3M2, F8E4M3, F8E4M3x4, F8E5M2, F8E5M2x4, Tf32, UE4M3, UE8M0,
};
use ptyx::device::float16::{Bf16x2, Bf16x4, F16x2, F16x4, Half};
use ptyx::device::math::rounding::{convert_rd, convert_rn, convert_ru, convert_rz};
use ptyx::prelude::*;
use ptyx_crate_tests::{images, rng, same_on_both};

/// Any bits, more often those at the edges: zeros, subnormal numbers, infinities, NaN.
fn float(bits: u32) -> f32 {
    let small = f32::from_bits(bits & 0x807f_ffff | ((bits >> 3 & 0x1f) + 0x68) << 23);
    match bits & 7 {
        0 => f32::from_bits(bits),
        1 => f32::from_bits(bits & 0x8000_0000),
        2 => f32::from_bits(bits | 0x7f80_0000 | 1),
        // Near the middle between two numbers of half precision.
        3 => f32::from_bits(small.to_bits() & !0xfff | bits >> 9 & 1),
        _ => small,
    }
}

fn wide<T: Half + Into<f32>, const N: usize>(values: [T; N]) -> [f32; N] {
    values.map(Into::into)
}

macro_rules! of_one {
    ($name:ident: $type:ident) => {
        same_on_both! {
            fn $name(x: [u16; 3]) -> ([f32; 4], [f32; 4]) {
                let [a, b, c] = x.map($type::from_bits);
                (
                    // Of a zero that `relu` makes, the sign is not known.
                    wide([a.fma(b, c), a.fma_sat(b, c), a.fma_relu(b, c).fma($type::ONE, $type::ZERO), -a]),
                    wide([a.fmin(b), a.fmax(b), a.minimum(b), a.maximum(b)]),
                )
            }
        }
    };
}

of_one! { halves: f16 }
of_one! { bfloats: bf16 }

macro_rules! of_two {
    ($name:ident $approximations:ident within $tolerance:literal: $pair:ident $type:ident) => {
        same_on_both! {
            fn $name(x: [u32; 3]) -> ([[f32; 2]; 6], [[f32; 2]; 6], [bool; 6]) {
                let [a, b, c] = x.map($pair::from_bits);
                let zero = $pair::default();
                (
                    [a + b, a - b, a * b, a.fma(b, c), -a, a.abs()].map($pair::to_f32),
                    [a.fmin(b), a.fmax(b), a.minimum(b), a.maximum(b), a.lows(b), a.highs(b).swap()]
                        .map($pair::to_f32),
                    {
                        let clamped = [
                            a.add_sat(b), a.sub_sat(b), a.mul_sat(b), a.fma_sat(b, c), a.fma_relu(b, c),
                        ];
                        let expected = [a + b, a - b, a * b, a.fma(b, c), a.fma(b, c)];
                        let mut good = [true; 6];
                        for i in 0..5 {
                            let below = if i == 4 { expected[i].maximum(zero) } else {
                                expected[i].fmax(zero).fmin($pair::splat($type::ONE))
                            };
                            let (x, y) = (clamped[i].to_f32(), below.to_f32());
                            good[i] = (0..2).all(|k| x[k] == y[k] || (x[k].is_nan() && y[k].is_nan()));
                        }
                        good[5] = a.lanes_lt(b) != a.lanes_le(b) || a.lanes_eq(b) == [false; 2];
                        good
                    },
                )
            }

            within $tolerance fn $approximations(x: [f32; 2]) -> [f32; 6] {
                let pair = $pair::from_f32(x[0] * 8.0, x[1] * 4.0);
                let ([a, b], [c, d]) = (pair.exp2_approx().to_f32(), pair.tanh_approx().to_f32());
                let low = pair.low();
                [a, b, c, d, low.exp2_approx().to_f32(), low.tanh_approx().to_f32()]
            }
        }
    };
}

of_two! { pairs_of_halves approximations_of_halves within 4e-3: F16x2 f16 }
of_two! { pairs_of_bfloats approximations_of_bfloats within 2e-2: Bf16x2 bf16 }

/// A number in the four directions.
macro_rules! four {
    ($x:expr, $half:ident) => {{
        let x = $x;
        wide::<$half, 4>([convert_rn(x), convert_rz(x), convert_ru(x), convert_rd(x)])
    }};
    ($x:expr) => {{
        let x = $x;
        [convert_rn(x), convert_rz(x), convert_ru(x), convert_rd(x)]
    }};
}

/// Ones in the places of those of four bytes that are NaN.
fn nan_signs(x: [u32; 4]) -> u32 {
    u32::from_le_bytes(x.map(|x| if float(x).is_nan() { 0xff } else { 0 }))
}

/// What `relu` makes a zero has a sign that is not known.
fn unsigned_zeros(x: [f32; 2]) -> [f32; 2] {
    x.map(|x| x + 0.0)
}

same_on_both! {
    fn integers_to_half_precision(x: [u64; 2]) -> ([[f32; 4]; 6], [[f32; 4]; 6]) {
        // Of every size.
        let x = x[0] >> (x[1] % 64);
        (
            [
                four!(x as i16, f16),
                four!(x as u16, f16),
                four!(x as i32, f16),
                four!(x as u32, f16),
                four!(x as i64, f16),
                four!(x, f16),
            ],
            [
                four!(x as i16, bf16),
                four!(x as u16, bf16),
                four!(x as i32, bf16),
                four!(x as u32, bf16),
                four!(x as i64, bf16),
                four!(x, bf16),
            ],
        )
    }

    fn floats_to_half_precision(x: [u32; 2]) -> ([[f32; 4]; 2], [[f32; 4]; 2]) {
        let single = float(x[0]);
        let double = f64::from(single) * (1.0 + f64::from(x[1] % 3) * f64::EPSILON);
        ([four!(single, f16), four!(single, bf16)], [four!(double, f16), four!(double, bf16)])
    }

    fn half_precision_to_integers(x: u32) -> ([[i16; 4]; 2], [[u16; 4]; 2], [[i32; 4]; 2], [[u32; 4]; 2], [[i64; 4]; 2], [[u64; 4]; 2]) {
        // Mostly small numbers with a fraction.
        let bits = if x & 3 == 0 { (x >> 16) as u16 } else { f16::from_f32((x as i32 >> 4) as f32 / 4096.0 / 128.0).to_bits() };
        let wide = if x & 3 == 0 { bf16::from_bits(bits) } else { bf16::from_f32_rn((x as i32) as f32 / 65536.0 / 64.0) };
        let half = f16::from_bits(bits);
        (
            [four!(half), four!(wide)],
            [four!(half), four!(wide)],
            [four!(half), four!(wide)],
            [four!(half), four!(wide)],
            [four!(half), four!(wide)],
            [four!(half), four!(wide)],
        )
    }

    fn rounding_without_negative_numbers(x: [u32; 2]) -> ([[f32; 2]; 4], [[f32; 2]; 2], [[f32; 2]; 4], [f32; 2]) {
        let [a, b] = x.map(float);
        let (halves, bytes) = (F16x2::from_bits(x[1]), [x[0] as u8, (x[0] >> 8) as u8]);
        let (e4m3, e5m2) = (bytes.map(F8E4M3::from_bits), bytes.map(F8E5M2::from_bits));
        (
            [
                F16x2::from_f32_relu(a, b).to_f32(),
                F16x2::from_f32_rz_relu(a, b).to_f32(),
                Bf16x2::from_f32_relu(a, b).to_f32(),
                Bf16x2::from_f32_rz_relu(a, b).to_f32(),
            ]
            .map(unsigned_zeros),
            [F8E4M3::pair_to_f16_relu(e4m3).to_f32(), F8E5M2::pair_to_f16_relu(e5m2).to_f32()]
                .map(unsigned_zeros),
            [
                F8E4M3::pair_to_f32(F8E4M3::pair_from_f32_relu([a, b])),
                F8E5M2::pair_to_f32(F8E5M2::pair_from_f32_relu([a, b])),
                F8E4M3::pair_to_f32(F8E4M3::pair_from_f16_relu(halves)),
                F8E5M2::pair_to_f32(F8E5M2::pair_from_f16_relu(halves)),
            ]
            .map(unsigned_zeros),
            unsigned_zeros([Tf32::from_f32_rn_relu(a).to_f32(), Tf32::from_f32_rz_relu(b).to_f32()]),
        )
    }

    fn pairs_as_fours(x: [u32; 4]) -> ([f32; 4], [f32; 4], [u32; 4]) {
        let halves = F16x4::from_pairs([F16x2::from_bits(x[0]), F16x2::from_bits(x[1])]);
        let bfloats = Bf16x4::from_pairs([Bf16x2::from_bits(x[2]), Bf16x2::from_bits(x[3])]);
        let ([a, b], [c, d]) = (halves.pairs(), bfloats.pairs());
        (halves.to_f32(), bfloats.to_f32(), [a.to_bits(), b.to_bits(), c.to_bits(), d.to_bits()])
    }

    fn rounding_to_half_precision(x: [u32; 2]) -> ([f32; 8], [[f32; 2]; 4]) {
        let [a, b] = x.map(float);
        (
            [
                f16::from_f32_rn(a).into(),
                f16::from_f32_rz(a).into(),
                f16::from_f32_ru(a).into(),
                f16::from_f32_rd(a).into(),
                bf16::from_f32_rn(a).into(),
                bf16::from_f32_rz(a).into(),
                bf16::from_f32_ru(a).into(),
                bf16::from_f32_rd(a).into(),
            ],
            [
                F16x2::from_f32(a, b).to_f32(),
                F16x2::from_f32_rz(a, b).to_f32(),
                Bf16x2::from_f32(a, b).to_f32(),
                Bf16x2::from_f32_rz(a, b).to_f32(),
            ],
        )
    }

    fn rounding_to_8_bits(x: [u32; 2]) -> ([[f32; 2]; 2], [[f32; 2]; 2], [f32; 2]) {
        let pair = x.map(float);
        let halves = F16x2::from_bits(x[1]);
        let [e4m3, e5m2] = [F8E4M3::from_f32(pair[0]).to_f32(), F8E5M2::from_f32(pair[1]).to_f32()];
        (
            [
                F8E4M3::pair_to_f32(F8E4M3::pair_from_f32(pair)),
                F8E5M2::pair_to_f32(F8E5M2::pair_from_f32(pair)),
            ],
            [
                F8E4M3::pair_to_f16(F8E4M3::pair_from_f16(halves)).to_f32(),
                F8E5M2::pair_to_f16(F8E5M2::pair_from_f16(halves)).to_f32(),
            ],
            [e4m3, e5m2],
        )
    }

}

same_on_both! {
    // Numbers whose distance from the middle between two of the format `f32` can't tell, and others.
    fn rounding_wide_numbers_to_8_bits(x: [u32; 3]) -> ([f32; 4], [f32; 4], [[f32; 2]; 2], [f32; 2]) {
        let y = [x[2] as u16, (x[2] >> 16) as u16];
        let [a, b, _] = x.map(|x| f64::from(float(x)) * (1.0 + f64::from(x % 5) * 1e-10 - 2e-10));
        let scaled = f64::from(y[0]) / 256.0 * (1.0 + f64::from(y[1] % 3) * 1e-12 - 1e-12);
        let wide = y.map(bf16::from_bits);
        (
            F8E4M3x4::from_f64([a, b, scaled, f64::from(f32::from_bits(x[0]))]).to_f32(),
            F8E5M2x4::from_f64([a, b, scaled, 1e300 * b]).to_f32(),
            [
                F8E4M3::pair_to_bf16(F8E4M3::pair_from_bf16(Bf16x2::new(wide[0], wide[1]))).to_f32(),
                F8E5M2::pair_to_bf16(F8E5M2::pair_from_bf16(Bf16x2::new(wide[0], wide[1]))).to_f32(),
            ],
            [F8E4M3::from_bf16(wide[0]).to_f32(), F8E5M2::from_f16(f16::from_bits(y[1])).to_f32()],
        )
    }

}

same_on_both! {
    fn four_numbers_of_8_bits(x: [u32; 4]) -> ([u32; 4], [[f32; 4]; 2]) {
        let numbers = x.map(float);
        let (halves, wide) = (F16x4::from_f32(numbers), Bf16x4::from_f32(numbers));
        (
            [
                F8E4M3x4::from_f32(numbers).to_bits() | nan_signs(x),
                F8E5M2x4::from_f32(numbers).to_bits() | nan_signs(x),
                F8E4M3x4::from_f16(halves).to_bits() | nan_signs(x),
                F8E5M2x4::from_bf16(wide).to_bits() | nan_signs(x),
            ],
            [F8E4M3x4::from_bits(x[0]).to_f16().to_f32(), F8E5M2x4::from_bits(x[1]).to_bf16().to_f32()],
        )
    }

    fn small_integers_and_half_precision(x: [u16; 2]) -> ([[f32; 4]; 4], [[i8; 4]; 2], [[u8; 4]; 2]) {
        // Numbers in and around the range, with a fraction, or any.
        let near = f32::from(x[0] as i16) / 64.0;
        let [half, wide] = [f16::from_bits(x[1]), f16::from_f32(near)];
        let half = if x[0] & 1 == 0 { half } else { wide };
        let other = if x[0] & 1 == 0 { bf16::from_bits(x[1]) } else { bf16::from_f32(near) };
        (
            [four!(x[0] as i8, f16), four!(x[0] as u8, f16), four!(x[0] as i8, bf16), four!(x[0] as u8, bf16)],
            [four!(half), four!(other)],
            [four!(half), four!(other)],
        )
    }

}

same_on_both! {
    fn every_8_bits(x: [u8; 2]) -> ([f32; 2], [f32; 2], bool) {
        let (a, b) = (x.map(F8E4M3::from_bits), x.map(F8E5M2::from_bits));
        let pairs = (F8E4M3::pair_to_f32(a), F8E5M2::pair_to_f32(b));
        (pairs.0, pairs.1, a[0] < a[1])
    }

    fn rounding_to_6_and_4_bits(x: u32) -> ([f32; 6], [u8; 2]) {
        let [wide, near] = [float(x), (x as i32 >> 8) as f32 / 262144.0];
        let small = |x| [F6E3M2::from_f32(x).to_f32(), F6E2M3::from_f32(x).to_f32(), F4E2M1::from_f32(x).to_f32()];
        let ([a, b, c], [d, e, f]) = (small(wide), small(near));
        let pair = [F4E2M1::from_f32(near), F4E2M1::from_f32(-wide)];
        ([a, b, c, d, e, f], [F4E2M1::pack(pair), pair[0].padded()])
    }

    fn scales(x: u32) -> ([f32; 3], [u8; 3]) {
        let x = float(x);
        let (a, b, c) = (UE8M0::from_f32_rp(x), UE8M0::from_f32_rz(x), UE4M3::from_f32(x));
        ([a.to_f32(), b.to_f32(), c.to_f32()], [a.to_bits(), b.to_bits(), c.to_bits()])
    }

    fn fours(x: [[u16; 4]; 3]) -> ([[f32; 4]; 5], [[f32; 4]; 5]) {
        let [a, b, c] = x.map(|x| F16x4::new(x.map(f16::from_bits)));
        let [d, e, f] = x.map(|x| Bf16x4::new(x.map(bf16::from_bits)));
        (
            [a + b, a - b, a * b, a.fma(b, c), -a].map(F16x4::to_f32),
            [d + e, d - e, d * e, d.fma(e, f), -d].map(Bf16x4::to_f32),
        )
    }

    fn rounding_to_tf32(x: u32) -> [f32; 3] {
        let x = float(x);
        [Tf32::from_f32(x), Tf32::from_f32_rn(x), Tf32::from_f32_rz(x)].map(Tf32::to_f32)
    }

    // The crate's own methods and operators.
    fn operators(x: [u16; 2]) -> ([f32; 6], [f32; 6], [bool; 12]) {
        let [a, b] = x.map(f16::from_bits);
        let [c, d] = x.map(bf16::from_bits);
        (
            wide([a + b, a - b, a * b, a / b, f16::from_f32(a.to_f32()), f16::from_f64(b.to_f64())]),
            wide([c + d, c - d, c * d, c / d, bf16::from_f32(c.to_f32()), bf16::from_f64(d.to_f64())]),
            [a == b, a != b, a < b, a <= b, a > b, a >= b, c == d, c != d, c < d, c <= d, c > d, c >= d],
        )
    }
}

#[kernel]
fn fours_of_pairs(x: &[[F16x2; 2]], mut y: Disjoint<F16x4>) {
    let i = thread::index_1d();
    y[i] = F16x4::from_pairs(x[i.get()]);
}

/// The first pair is the first in memory.
#[test]
fn fours_hold_their_pairs_in_order() {
    let bits = rng().vec(64, |rng| [0; 4].map(|_| rng.next_u32() as u16));
    let pairs = |[a, b, c, d]: [u16; 4]| {
        [[a, b], [c, d]].map(|[low, high]| F16x2::from_bits(u32::from(high) << 16 | u32::from(low)))
    };
    let x: Vec<[F16x2; 2]> = bits.iter().map(|&bits| pairs(bits)).collect();
    let mut y = DeviceBuffer::zeroed(64).unwrap();
    launch!(fours_of_pairs<<<2, 32>>>(&DeviceBuffer::from_slice(&x).unwrap(), &mut y)).unwrap();
    for (got, bits) in y.to_vec().unwrap().into_iter().zip(bits) {
        assert_eq!(got.to_array().map(f16::to_bits), bits);
    }
}

/// Loaded past the L1 cache, stored past it, and loaded and stored with a policy.
#[kernel]
fn cached<T: Cached>(x: &[T], mut y: Disjoint<[T; 2]>) {
    let i = thread::index_1d();
    let policy = Policy::evict_first();
    let (x, [a, b]) = (&x[i.get()], &mut y[i]);
    cache::store_cg(a, cache::load_cg(x));
    cache::store_with_policy(b, cache::load_with_policy(x, policy), policy);
}

macro_rules! check_cached {
    ($rng:expr, $($type:ident: $from:expr, $to:expr, $instruction:literal;)*) => {$({
        let x: Vec<$type> = $rng.vec(64, |rng| $from(rng.next_u64()));
        let mut y = DeviceBuffer::filled(64, [$from(0); 2]).unwrap();
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        launch!(cached::<$type><<<2, 32>>>(&device_x, &mut y)).unwrap();
        for (got, want) in y.to_vec().unwrap().into_iter().zip(x) {
            assert_eq!(got.map($to), [$to(want); 2], stringify!($type));
        }
        let ptx = code(&format!("::cached<{}>", std::any::type_name::<$type>()), "sm_80");
        let (load, store) = (concat!("ld.global.cg.", $instruction), concat!("st.global.cg.", $instruction));
        assert_eq!((images::count(&ptx, load), images::count(&ptx, store)), (1, 1), "{ptx}");
    })*};
}

#[test]
fn half_precision_through_the_caches() {
    let mut rng = rng();
    let halves = |x: u64| [0, 16, 32, 48].map(|shift| (x >> shift) as u16);
    check_cached! { rng,
        f16: |x| f16::from_bits(x as u16), f16::to_bits, "b16";
        bf16: |x| bf16::from_bits(x as u16), bf16::to_bits, "b16";
        F16x2: |x| F16x2::from_bits(x as u32), F16x2::to_bits, "b32";
        Bf16x2: |x| Bf16x2::from_bits(x as u32), Bf16x2::to_bits, "b32";
        F16x4: |x| F16x4::new(halves(x).map(f16::from_bits)), |x: F16x4| x.to_array().map(f16::to_bits), "b64";
        Bf16x4: |x| Bf16x4::new(halves(x).map(bf16::from_bits)), |x: Bf16x4| x.to_array().map(bf16::to_bits), "b64";
    }
}

/// Types of this module in a buffer, an argument, shared memory and a shuffle.
#[test]
fn pairs_travel() {
    use crate::element_types::check;
    check(&[F16x2::from_f32(1.0, 2.0), F16x2::from_f32(-3.0, 0.5)]);
    check(&[Bf16x2::from_f32(1.0, 2.0), Bf16x2::from_f32(-3.0, 0.5)]);
    check(&[F16x4::from_f32([1.0, 2.0, -3.0, 0.5]), F16x4::default()]);
    check(&[Bf16x4::from_f32([1.0, 2.0, -3.0, 0.5]), Bf16x4::default()]);
    check(&[F8E4M3::from_f32(1.0), F8E4M3::MAX]);
    check(&[F6E3M2::from_f32(1.0), F6E3M2::MAX]);
    check(&[F6E2M3::from_f32(1.0), F6E2M3::MAX]);
    check(&[F4E2M1::from_f32(1.0), F4E2M1::MAX]);
    check(&[UE8M0::ONE, UE8M0::from_f32_rp(3.0)]);
    check(&[UE4M3::ONE, UE4M3::from_f32(3.0)]);
    check(&[F8E5M2::from_f32(1.0), F8E5M2::MAX]);
    check(&[F8E4M3x4::from_f32([1.0, 2.0, -3.0, 0.5]), F8E4M3x4::default()]);
    check(&[F8E5M2x4::from_f32([1.0, 2.0, -3.0, 0.5]), F8E5M2x4::default()]);
    check(&[Tf32::from_f32(1.0), Tf32::from_f32(-2.5)]);
}

#[kernel]
fn half_operators(x: &[[f16; 3]], mut y: Disjoint<[f32; 2]>) {
    let i = thread::index_1d();
    if let (Some(&[a, b, c]), Some(y)) = (x.get(i.get()), y.get_mut(i)) {
        let sum = if a < b { a + b } else { a - c };
        *y = [sum.to_f32(), f16::from_f32(sum.to_f32() * 0.3).to_f32()];
    }
}

#[kernel]
fn bfloat_operators(x: &[[bf16; 3]], mut y: Disjoint<[f32; 2]>) {
    let i = thread::index_1d();
    if let (Some(&[a, b, c]), Some(y)) = (x.get(i.get()), y.get_mut(i)) {
        let sum = a * b + c;
        *y = [sum.to_f32(), bf16::from_f32(sum.to_f32() * 0.3).to_f32()];
    }
}

/// The crate's own conversion, more than once in a function.
#[kernel]
fn narrows(x: &[[f32; 2]], mut y: Disjoint<[bf16; 2]>) {
    let i = thread::index_1d();
    if let (Some(&x), Some(y)) = (x.get(i.get()), y.get_mut(i)) {
        *y = [bf16::from_f32(x[0]), bf16::from_f32(x[1])];
    }
}

/// `bf16::from_f32` is an instruction, for all kinds of numbers but NaN.
#[test]
fn conversions_to_bfloat_are_instructions() {
    let mut rng = rng();
    let x: Vec<[f32; 2]> = rng.vec(1 << 14, |rng| [rng.next_u32(), rng.next_u32()].map(float));
    let mut y = DeviceBuffer::zeroed(x.len()).unwrap();
    launch!(narrows<<<64, 256>>>(&DeviceBuffer::from_slice(&x).unwrap(), &mut y)).unwrap();
    for (x, got) in x.as_flattened().iter().zip(y.to_vec().unwrap().as_flattened()) {
        // The nearest of the numbers on both sides, of which a tie takes the even one.
        let cut = x.to_bits() >> 16;
        let is_up = x.to_bits() & 0xffff > 0x8000 - (cut & 1);
        // Of NaN, the crate keeps the sign and the upper bits, as the instruction alone would not.
        let want = if x.is_nan() { cut | 0x40 } else { cut + u32::from(is_up) };
        assert_eq!(u32::from(got.to_bits()), want, "{x}");
    }
    let ptx = code("narrow_floats::narrows", "sm_80");
    assert_eq!(images::count(&ptx, "cvt.rn.bf16.f32"), 2, "{ptx}");
    // What the crate's own code would compare: the bits that decide how to round.
    assert!(!ptx.contains(&0x1_7fff.to_string()), "{ptx}");
}

#[kernel]
fn converts(x: &[[f32; 2]], mut y: Disjoint<[F8E4M3; 2]>) {
    let i = thread::index_1d();
    if let (Some(&x), Some(y)) = (x.get(i.get()), y.get_mut(i)) {
        *y = F8E4M3::pair_from_f32(x);
    }
}

/// The code of the kernel whose name ends with `name`, for an architecture.
fn code(name: &str, arch: &str) -> String {
    let mut images = images::images().iter();
    let found = images.find_map(|image| {
        let kernel = image.kernels.iter().find(|kernel| kernel.name.ends_with(name))?;
        let module = |code: &ptyx_image::Code| &image.modules[code.module as usize].ptx;
        let target = format!(".target {arch}\n");
        let ptx = kernel.code.iter().map(module).find(|ptx| ptx.contains(&target))?;
        let start = ptx.find(&format!(".entry {}(", kernel.entry))?;
        Some(ptx[start..].to_owned())
    });
    found.unwrap_or_else(|| panic!("{name} for {arch}"))
}

#[test]
fn operators_are_instructions() {
    let mut rng = rng();
    let x: Vec<f32> = (0..96).map(|_| rng.next_f32()).collect();
    let halves: Vec<[f16; 3]> =
        x.chunks(3).map(|x| [0, 1, 2].map(|k| f16::from_f32(x[k]))).collect();
    let bfloats: Vec<[bf16; 3]> =
        x.chunks(3).map(|x| [0, 1, 2].map(|k| bf16::from_f32(x[k]))).collect();
    let pairs: Vec<[f32; 2]> = x.chunks(3).map(|x| [x[0], x[1]]).collect();
    let mut y = DeviceBuffer::zeroed(32).unwrap();

    launch!(half_operators<<<1, 32>>>(&DeviceBuffer::from_slice(&halves).unwrap(), &mut y))
        .unwrap();
    for (&[a, b, c], got) in halves.iter().zip(y.to_vec().unwrap()) {
        let sum = if a < b { a + b } else { a - c };
        assert_eq!(got, [sum.to_f32(), f16::from_f32(sum.to_f32() * 0.3).to_f32()]);
    }
    let ptx = code("narrow_floats::half_operators", "sm_70");
    for instruction in ["add.rn.f16", "sub.rn.f16", "setp.lt.f16", "cvt.rn.f16.f32"] {
        assert_eq!(images::count(&ptx, instruction), 1, "{instruction}\n{ptx}");
    }

    launch!(bfloat_operators<<<1, 32>>>(&DeviceBuffer::from_slice(&bfloats).unwrap(), &mut y))
        .unwrap();
    for (&[a, b, c], got) in bfloats.iter().zip(y.to_vec().unwrap()) {
        let sum = a * b + c;
        assert_eq!(got, [sum.to_f32(), bf16::from_f32(sum.to_f32() * 0.3).to_f32()]);
    }
    let ptx = code("narrow_floats::bfloat_operators", "sm_80");
    assert_eq!(images::count(&ptx, "fma.rn.bf16"), 2, "{ptx}");
    assert_eq!(images::count(&ptx, "cvt.rn.bf16.f32"), 1, "{ptx}");

    let mut y = DeviceBuffer::zeroed(32).unwrap();
    launch!(converts<<<1, 32>>>(&DeviceBuffer::from_slice(&pairs).unwrap(), &mut y)).unwrap();
    for (&x, got) in pairs.iter().zip(y.to_vec().unwrap()) {
        assert_eq!(got, F8E4M3::pair_from_f32(x));
    }
    let ptx = code("narrow_floats::converts", "sm_89");
    assert_eq!(images::count(&ptx, "cvt.rn.satfinite.e4m3x2.f32"), 1, "{ptx}");
}

#[kernel]
fn four_at_once(x: &[f16], mut y: Disjoint<F16x4>) {
    let (_, vectors, _) = F16x4::of_slice(x);
    let i = thread::index_1d();
    if let (Some(&x), Some(y)) = (vectors.get(i.get()), y.get_mut(i)) {
        *y = x.fma(x, x);
    }
}

#[test]
fn fours_are_loaded_at_once() {
    let mut rng = rng();
    let x: Vec<f16> = rng.vec(128, |rng| f16::from_f32(rng.next_f32()));
    let mut y = DeviceBuffer::zeroed(32).unwrap();
    launch!(four_at_once<<<1, 32>>>(&DeviceBuffer::from_slice(&x).unwrap(), &mut y)).unwrap();
    let got = y.to_vec().unwrap().into_iter().flat_map(F16x4::to_array);
    for (x, got) in x.iter().map(|x| x.to_f64()).zip(got) {
        // Exact in `f64`, then rounded once.
        assert_eq!(got, f16::from_f64(x * x + x), "{x}");
    }
    let ptx = code("narrow_floats::four_at_once", "sm_70");
    assert_eq!(images::count(&ptx, "fma.rn.f16x2"), 2, "{ptx}");
    let accesses = ["ld.global", "st.global"];
    let loaded = |line: &&str| accesses.iter().any(|access| line.contains(access));
    for line in ptx.lines().filter(loaded) {
        assert!(!line.contains(".b16") && !line.contains(".b32"), "{line}\n{ptx}");
    }
    assert!(accesses.iter().all(|access| images::count(&ptx, access) >= 1), "{ptx}");
}
