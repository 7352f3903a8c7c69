//! Pairs of 16-bit floats on the device: functions, quotients, comparisons, and sums of groups.

use half::{bf16, f16};
use ptyx::device::float16::{Bf16x2, F16x2, Half};
use ptyx::device::group::{LaneGroup, ReduceNumber};
use ptyx::prelude::*;
use ptyx_test_support::images::{count, entry};
use ptyx_test_support::{Rng, rng};
use std::fmt::Debug;

/// Every function of a pair, of both numbers; then the comparisons with another pair as numbers.
macro_rules! functions {
    ($kernel:ident $test:ident: $pair:ident $type:ident; $($name:ident within $places:literal = $exact:expr;)*) => {
        #[kernel]
        fn $kernel(x: &[$pair], y: &[$pair], mut out: Disjoint<[[$type; 2]; 16]>) {
            let i = thread::index_1d();
            let (a, b) = (x[i.get()], y[i.get()]);
            let mut results = [[$type::ZERO; 2]; 16];
            let mut at = 0;
            $(
                results[at] = a.$name().to_array();
                at += 1;
            )*
            results[at] = (a / b).to_array();
            let mut sum = a;
            sum += b;
            sum *= a;
            results[at + 1] = sum.to_array();
            let of = |lanes: [bool; 2]| lanes.map(|is| if is { $type::ONE } else { $type::ZERO });
            results[at + 2] = [of(a.lanes_eq(b)), of(a.lanes_lt(b))].map(|[x, y]| x + y + y);
            let saturated = a.low().add_sat(b.low()) + a.low().sub_sat(b.low());
            results[at + 3] = [saturated, a.low().mul_sat(b.low())];
            out[i] = results;
        }

        /// Against `f64`, rounded: the same, or within the places that the documentation says.
        #[test]
        fn $test() {
            let mut rng = rng();
            let number = |rng: &mut Rng| $type::from_bits(rng.next_u32() as u16);
            let mut pairs = || rng.vec(256, |rng| $pair::new(number(rng), number(rng)));
            let (x, mut y) = (pairs(), pairs());
            // Some numbers are equal.
            y[..16].copy_from_slice(&x[..16]);
            let [device_x, device_y] = [&x, &y].map(|x| DeviceBuffer::from_slice(x).unwrap());
            let mut out = DeviceBuffer::filled(256, [[$type::ZERO; 2]; 16]).unwrap();
            launch!($kernel<<<8, 32>>>(&device_x, &device_y, &mut out)).unwrap();
            let rounded = |x: f64| $type::from_f32_rn(to_odd(x));
            for (i, got) in out.to_vec().unwrap().into_iter().enumerate() {
                let (a, b) = (x[i].to_array(), y[i].to_array());
                let check = |what: &str, x: $type, got: $type, want: $type, places: u16| {
                    let apart = got.to_bits().abs_diff(want.to_bits());
                    let zeros = got == $type::ZERO && want == $type::ZERO;
                    let good = got.is_nan() && want.is_nan() || zeros || apart <= places;
                    assert!(good, "{what} of {x:?}: {got:?}, not {want:?}");
                };
                let mut at = 0;
                $(
                    let exact: fn(f64) -> f64 = $exact;
                    for (x, got) in a.into_iter().zip(got[at]) {
                        check(stringify!($name), x, got, rounded(exact(x.into())), $places);
                    }
                    at += 1;
                )*
                for k in 0..2 {
                    let quotient = rounded(f64::from(a[k]) / f64::from(b[k]));
                    let product = (a[k] + b[k]) * a[k];
                    // `f32` has no more bits than a subnormal `bf16`, so that those may be rounded twice.
                    let twice = |x: $type| u16::from(!x.is_normal());
                    check("quotient", a[k], got[at][k], quotient, twice(quotient));
                    check("product", a[k], got[at + 1][k], product, twice(product));
                }
                let flags = |x: $type, y: $type| $type::from_f32(f32::from(u8::from(x == y)));
                let less = |x: $type, y: $type| $type::from_f32(f32::from(u8::from(x < y)));
                let of = |f: &dyn Fn($type, $type) -> $type| f(a[0], b[0]) + f(a[1], b[1]) + f(a[1], b[1]);
                check("equal", a[0], got[at + 2][0], of(&flags), 0);
                check("less", a[0], got[at + 2][1], of(&less), 0);
                let clamp = |x: $type| if x > $type::ZERO { x.fmin($type::ONE) } else { $type::ZERO };
                let saturated = clamp(a[0] + b[0]) + clamp(a[0] - b[0]);
                check("saturated", a[0], got[at + 3][0], saturated, 0);
                check("saturated product", a[0], got[at + 3][1], clamp(a[0] * b[0]), 0);
            }
        }
    };
}

/// The nearest `f32` of odd last bit, from which a second rounding to fewer bits is as that of `x` itself.
fn to_odd(x: f64) -> f32 {
    let near = x as f32;
    let error = x - f64::from(near);
    if !near.is_finite() || error == 0.0 || near.to_bits() & 1 == 1 {
        return near;
    }
    // Towards `x`: away from zero or towards it.
    let away = (error > 0.0) == (x > 0.0);
    f32::from_bits(if away { near.to_bits() + 1 } else { near.to_bits() - 1 })
}

/// The same functions of both types.
macro_rules! functions_of_both {
    ($($functions:tt)*) => {
        functions! { functions_of_halves halves_within_their_places: F16x2 f16; $($functions)* }
        functions! { functions_of_bfloats bfloats_within_their_places: Bf16x2 bf16; $($functions)* }
    };
}

functions_of_both! {
    sqrt within 0 = f64::sqrt;
    rsqrt_approx within 1 = |x| 1.0 / x.sqrt();
    recip_approx within 1 = |x| 1.0 / x;
    floor within 0 = f64::floor;
    ceil within 0 = f64::ceil;
    trunc within 0 = f64::trunc;
    round_ties_even within 0 = f64::round_ties_even;
    exp_approx within 1 = f64::exp;
    exp10_approx within 1 = |x| 10f64.powf(x);
    ln_approx within 2 = f64::ln;
    log2_approx within 2 = f64::log2;
    log10_approx within 2 = f64::log10;
}

#[kernel]
fn comparisons(x: &[F16x2], y: &[F16x2], mut less: Disjoint<[bool; 2]>) {
    let i = thread::index_1d();
    less[i] = x[i.get()].lanes_lt(y[i.get()]);
}

/// Pairs are compared as they are, without conversions.
#[test]
fn comparisons_are_instructions_on_halves() {
    let mut rng = rng();
    let mut pairs = || rng.vec(32, |rng| F16x2::from_bits(rng.next_u32()));
    let (x, y) = (pairs(), pairs());
    let [device_x, device_y] = [&x, &y].map(|x| DeviceBuffer::from_slice(x).unwrap());
    let mut less = DeviceBuffer::filled(32, [false; 2]).unwrap();
    launch!(comparisons<<<1, 32>>>(&device_x, &device_y, &mut less)).unwrap();
    let want: Vec<[bool; 2]> =
        x.iter().zip(&y).map(|(x, y)| [x.low() < y.low(), x.high() < y.high()]).collect();
    assert_eq!(less.to_vec().unwrap(), want);
    let ptx = entry("halves::comparisons");
    assert!(ptx.contains("setp.lt.f16"), "{ptx}");
    assert_eq!(count(&ptx, "cvt.f32.f16"), 0, "{ptx}");
}

/// Sum, least and greatest value of each eight lanes, and of the block.
#[kernel]
fn reductions<T: ReduceNumber>(x: &[T], mut out: Disjoint<[T; 6]>) {
    let (i, eight, block) = (thread::index_1d(), group::tile::<8>(), group::block());
    let x = x[i.get()];
    out[i] = [
        eight.reduce_add(x),
        eight.reduce_min(x),
        eight.reduce_max(x),
        block.reduce_add(x),
        block.reduce_min(x),
        block.reduce_max(x),
    ];
}

/// `numbers` are the parts of a value, in which all sums are exact.
fn check_reductions<T: ReduceNumber + Send + Debug, const N: usize>(
    make: impl Fn([f32; N]) -> T,
    numbers: impl Fn(T) -> [f32; N],
) {
    let mut rng = rng();
    let values = rng.vec(64, |rng| [0; N].map(|_| rng.below(5) as f32 - 2.0));
    let x: Vec<T> = values.iter().map(|&x| make(x)).collect();
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut out = DeviceBuffer::filled(64, [x[0]; 6]).unwrap();
    launch!(reductions::<T><<<1, 64>>>(&device_x, &mut out)).unwrap();
    let of = |members: &[[f32; N]], combine: fn(f32, f32) -> f32| -> [f32; N] {
        std::array::from_fn(|k| members.iter().map(|x| x[k]).reduce(combine).unwrap())
    };
    for (i, got) in out.to_vec().unwrap().into_iter().enumerate() {
        let eight = &values[i / 8 * 8..][..8];
        let want = [eight, &values[..]].map(|members| {
            [of(members, |a, b| a + b), of(members, f32::min), of(members, f32::max)]
        });
        assert_eq!(got.map(&numbers).as_slice(), want.as_flattened(), "thread {i}");
    }
}

#[test]
fn groups_reduce_halves() {
    check_reductions(|[x]| f16::from_f32(x), |x| [x.to_f32()]);
    check_reductions(|[x]| bf16::from_f32(x), |x| [x.to_f32()]);
    check_reductions(|[a, b]| F16x2::from_f32(a, b), F16x2::to_f32);
    check_reductions(|[a, b]| Bf16x2::from_f32(a, b), Bf16x2::to_f32);
}
