//! D7: what `ptyx::device::math` has beyond std, as far as results are exact: decomposition, directed
//! rounding, integers. Errors in ulp are tested in `tests/math`.

use ptyx::device::math::{self, fast, integer, rounding};
use ptyx::prelude::*;
use ptyx_tests::rng;

#[kernel]
fn each<A: DeviceCopy, R: DeviceCopy, F: Fn(A) -> R>(f: F, x: &[A], mut y: Disjoint<R>) {
    for i in thread::grid_stride(y.len()) {
        y[i] = f(x[i.get()]);
    }
}

/// The results of `f` on the device.
#[track_caller]
fn on_device<A: DeviceCopy, R: DeviceCopy + Default, F: Fn(A) -> R + Copy + Send + 'static>(
    f: F,
    x: &[A],
) -> Vec<R> {
    let device_x = DeviceBuffer::from_slice(x).unwrap();
    let mut y = DeviceBuffer::from_slice(&vec![R::default(); x.len()]).unwrap();
    launch!(each<<<4, 64>>>(f, &device_x, &mut y)).unwrap();
    y.to_vec().unwrap()
}

/// Floats of every exponent, with the special ones.
macro_rules! floats {
    ($type:ident, $bits:ident) => {{
        let mut rng = rng();
        let mut x = rng.vec(400, |rng| $type::from_bits(rng.next_u64() as $bits));
        x.extend(rng.vec(400, |rng| rng.next_f64() as $type * 100.0));
        x.extend([0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -0.5, $type::MAX, $type::MIN]);
        x.extend([$type::INFINITY, $type::NEG_INFINITY, $type::NAN, $type::MIN_POSITIVE]);
        x.extend([$type::from_bits(1), -$type::from_bits(77), $type::MIN_POSITIVE / 2.0]);
        x
    }};
}

/// Bits that compare equal for any two NaNs.
macro_rules! bits {
    ($values:expr) => {
        $values.map(|v| if v.is_nan() { !0 } else { v.to_bits() })
    };
}

/// std's methods whose results are exact or correctly rounded, and ours.
macro_rules! exact {
    ($test:ident, $type:ident, $bits:ident) => {
        #[test]
        fn $test() {
            fn one(x: $type) -> [$type; 28] {
                let (fraction, exponent) = math::frexp(x);
                let (part, whole) = math::modf(x);
                [
                    x.floor(),
                    x.ceil(),
                    x.trunc(),
                    x.round(),
                    x.round_ties_even(),
                    x.fract(),
                    x.abs(),
                    x.signum(),
                    x.sqrt(),
                    x.recip(),
                    x.to_degrees(),
                    x.to_radians(),
                    x.next_up(),
                    x.next_down(),
                    x.clamp(-2.0, 3.0),
                    fraction,
                    exponent as $type,
                    part,
                    whole,
                    math::ilogb(x) as $type,
                    math::logb(x),
                    math::saturate(x),
                    math::ldexp(x, 3),
                    math::ldexp(x, -200),
                    math::scalbn(x, 2000),
                    f64::from(x.is_sign_negative() as u8 + 2 * x.is_subnormal() as u8) as $type,
                    x.powi(1),
                    (x as i32) as $type + (x as u8) as $type,
                ]
            }
            let x = floats!($type, $bits);
            for (got, &x) in on_device(|x: $type| Array28(one(x)), &x).into_iter().zip(&x) {
                assert_eq!(bits!(got.0), bits!(one(x)), "{x:e}: {:?}, not {:?}", got.0, one(x));
            }
            // What `frexp` promises, independently of how it is written.
            for x in x.into_iter().filter(|x| x.is_finite() && *x != 0.0) {
                let (fraction, exponent) = math::frexp(x);
                assert!((0.5..1.0).contains(&fraction.abs()), "{x:e}: {fraction}");
                assert_eq!(math::ldexp(fraction, exponent), x);
                assert_eq!(math::ilogb(x) + 1, exponent);
                assert_eq!(math::logb(x), (exponent - 1) as $type);
            }
        }
    };
}

/// Arrays of 28 have no `Default`.
#[derive(Clone, Copy, DeviceCopy)]
#[repr(C)]
struct Array28<T: DeviceCopy>([T; 28]);

impl<T: DeviceCopy + Default> Default for Array28<T> {
    fn default() -> Self {
        Array28([T::default(); 28])
    }
}

exact! { exact_functions_f32, f32, u32 }
exact! { exact_functions_f64, f64, u64 }

macro_rules! exact_of_two {
    ($test:ident, $type:ident, $bits:ident) => {
        #[test]
        fn $test() {
            fn two([x, y]: [$type; 2]) -> [$type; 17] {
                let (rest, quotient) = math::remquo(x, y);
                [
                    x + y,
                    x - y,
                    x * y,
                    x / y,
                    x % y,
                    x.min(y),
                    x.max(y),
                    x.copysign(y),
                    x.rem_euclid(y),
                    x.div_euclid(y),
                    x.mul_add(y, x),
                    x.midpoint(y),
                    math::nextafter(x, y),
                    math::remainder(x, y),
                    rest,
                    (quotient & 7) as $type,
                    math::fdim(x, y) + x.total_cmp(&y) as i32 as $type,
                ]
            }
            let x = floats!($type, $bits);
            let mut rng = rng();
            let mut pairs: Vec<[$type; 2]> =
                x.iter().map(|&a| [a, x[rng.below(x.len())]]).collect();
            pairs.extend(rng.vec(300, |rng| [rng.next_f64(), rng.next_f64()].map(|v| v as $type)));
            for (got, &pair) in
                on_device(|p: [$type; 2]| Array17(two(p)), &pairs).iter().zip(&pairs)
            {
                let want = two(pair);
                for (k, (got, want)) in got.0.iter().zip(&want).enumerate() {
                    // Of two zeros, `min` and `max` may give either.
                    let same = got.to_bits() == want.to_bits()
                        || (got.is_nan() && want.is_nan())
                        || (matches!(k, 5 | 6) && got == want);
                    assert!(same, "number {k} of {pair:?}: {got:e}, not {want:e}");
                }
            }
        }
    };
}

/// As [`Array28`].
#[derive(Clone, Copy, DeviceCopy)]
#[repr(C)]
struct Array17<T: DeviceCopy>([T; 17]);

impl<T: DeviceCopy + Default> Default for Array17<T> {
    fn default() -> Self {
        Array17([T::default(); 17])
    }
}

exact_of_two! { exact_functions_of_two_f32, f32, u32 }
exact_of_two! { exact_functions_of_two_f64, f64, u64 }

/// Angles in half turns, against sine and cosine of what is left of them after whole turns.
#[test]
fn sines_and_cosines_of_half_turns() {
    let mut rng = rng();
    let mut x = rng.vec(500, |rng| (rng.next_f64() - 0.5) * 2f64.powi(rng.below(20) as i32 - 3));
    x.extend((-8..8).map(|quarters| f64::from(quarters) / 4.0));
    let want = |x: f64| {
        let (sin, cos) = ((x % 2.0) * core::f64::consts::PI).sin_cos();
        [sin, cos]
    };
    let pair = |(sin, cos): (f64, f64)| [sin, cos];
    let got = on_device(|x: f64| math::sincospi(x), &x);
    for (got, &x) in got.into_iter().map(pair).zip(&x) {
        for (got, want) in got.into_iter().zip(want(x)) {
            assert!((got - want).abs() < 1.5e-15, "{x}: {got:e}, not {want:e}");
        }
    }
    let singles: Vec<f32> = x.iter().map(|&x| x as f32).collect();
    let got = on_device(|x: f32| math::sincospi(x), &singles);
    for ((sin, cos), &x) in got.into_iter().zip(&singles) {
        for (got, want) in [sin, cos].into_iter().zip(want(x.into())) {
            assert!((f64::from(got) - want).abs() < 1.2e-7, "{x}: {got:e}, not {want:e}");
        }
    }
    // Exact at multiples of a half, at zero with the argument's sign.
    let got =
        on_device(|x: f64| math::sincospi(x), &[0.0, 0.5, 1.0, 1.5, -0.5, -1e6, f64::INFINITY]);
    let exact = [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (-1.0, 0.0), (0.0, 1.0)];
    assert_eq!(got[..6], exact);
    assert!(got[6].0.is_nan() && got[6].1.is_nan());
}

/// Lengths of vectors of 0 to 6 numbers, of all sizes: in `f64` for `f32`, and scaled for `f64`.
#[test]
fn reciprocals_of_norms() {
    let mut rng = rng();
    let x = rng.vec(400, |rng| {
        let size = rng.below(1800) as i32 - 900;
        let numbers = [0; 6].map(|_| (rng.next_f64() - 0.5) * 2f64.powi(-(rng.below(4) as i32)));
        (numbers, (size, rng.below(6) as u32 + 1))
    });
    let got = on_device(
        |(numbers, (size, count)): ([f64; 6], (i32, u32))| {
            math::rnorm(&numbers.map(|x| math::ldexp(x, size))[..count as usize])
        },
        &x,
    );
    for (got, &(numbers, (size, count))) in got.into_iter().zip(&x) {
        let sum: f64 = numbers[..count as usize].iter().map(|x| x * x).sum();
        let want = 1.0 / sum.sqrt();
        let got = got * 2f64.powi(size);
        assert!(
            (got / want - 1.0).abs() < 8.0 * f64::EPSILON,
            "{numbers:?} {size} {count}: {got:e}"
        );
    }
    let got = on_device(
        |(numbers, (size, count)): ([f64; 6], (i32, u32))| {
            math::rnorm(&numbers.map(|x| math::ldexp(x as f32, size / 8))[..count as usize])
        },
        &x,
    );
    for (got, &(numbers, (size, count))) in got.into_iter().zip(&x) {
        let numbers = &numbers[..count as usize];
        let exact = |x: &f64| f64::from(*x as f32) * 2f64.powi(size / 8);
        let want = 1.0 / numbers.iter().map(|x| exact(x) * exact(x)).sum::<f64>().sqrt();
        assert!(ptyx_tests::ulps_f32(got, want) < 4.0, "{numbers:?} {size}: {got:e}, not {want:e}");
    }
    let special =
        [[1.0, f64::INFINITY], [f64::NAN, f64::NEG_INFINITY], [0.0, 0.0], [f64::NAN, 1.0]];
    let got = on_device(|x: [f64; 2]| [math::rnorm(&x), math::rnorm(&x[..0])], &special);
    assert_eq!(got[..3], [[0.0, f64::INFINITY], [0.0, f64::INFINITY], [f64::INFINITY; 2]]);
    assert!(got[3][0].is_nan());
}

/// The `f32` neighbours of an exact value: to the nearest, to zero, up, down.
fn rounded(exact: f64) -> [f32; 4] {
    let near = exact as f32;
    let wide = f64::from(near);
    let up = if wide < exact { near.next_up() } else { near };
    let down = if wide > exact { near.next_down() } else { near };
    [near, if exact < 0.0 { up } else { down }, up, down]
}

/// Each operation in all four directions.
mod directed {
    use super::{math, rounding};

    macro_rules! all {
        ($($name:ident($arguments:pat): $($function:ident($($argument:ident),*))*;)*) => {$(
            pub(super) fn $name<T: math::Real>($arguments: [T; 3]) -> [T; 4] {
                [$(rounding::$function($($argument),*)),*]
            }
        )*};
    }
    all! {
        add([a, b, _]): add_rn(a, b) add_rz(a, b) add_ru(a, b) add_rd(a, b);
        sub([a, b, _]): sub_rn(a, b) sub_rz(a, b) sub_ru(a, b) sub_rd(a, b);
        mul([a, b, _]): mul_rn(a, b) mul_rz(a, b) mul_ru(a, b) mul_rd(a, b);
        fma([a, b, c]): fma_rn(a, b, c) fma_rz(a, b, c) fma_ru(a, b, c) fma_rd(a, b, c);
        div([a, b, _]): div_rn(a, b) div_rz(a, b) div_ru(a, b) div_rd(a, b);
        rcp([a, _, _]): rcp_rn(a) rcp_rz(a) rcp_ru(a) rcp_rd(a);
        sqrt([a, _, _]): sqrt_rn(a) sqrt_rz(a) sqrt_ru(a) sqrt_rd(a);
    }
}

/// In `f32`, the exact result (sum, product) or one close enough (quotient, root: they are never as
/// close to an `f32` as an `f64` rounds) is an `f64`.
#[test]
fn rounding_in_a_direction_f32() {
    let mut rng = rng();
    let x = rng.vec(600, |rng| {
        // 20 bits, so that `a b + c` is exact in f64.
        [0; 3].map(|_| ((rng.next_u64() % (1 << 21)) as f32 - 1e6).max(-1e6) / (1 << 18) as f32)
    });
    macro_rules! check {
        ($($name:ident: $exact:expr;)*) => {$({
            fn $name(x: &[[f32; 3]]) {
                let got = on_device(|x: [f32; 3]| directed::$name(x), x);
                for (got, &x) in got.into_iter().zip(x) {
                    let exact: fn([f64; 3]) -> f64 = $exact;
                    let exact = exact(x.map(f64::from));
                    if exact.is_nan() {
                        assert!(got.iter().all(|v| v.is_nan()), "{x:?}: {got:?}");
                    } else {
                        assert_eq!(got, rounded(exact), "{} {x:?}", stringify!($name));
                    }
                }
            }
            $name(&x);
        })*};
    }
    check! {
        add: |[a, b, _]| a + b;
        sub: |[a, b, _]| a - b;
        mul: |[a, b, _]| a * b;
        fma: |[a, b, c]| a * b + c;
        div: |[a, b, _]| a / b;
        rcp: |[a, _, _]| 1.0 / a;
        sqrt: |[a, _, _]| a.sqrt();
    }
}

/// In `f64`, what rounding has lost is found by error-free transformations (Dekker 1971; for sums,
/// Knuth's TwoSum), and tells on which side of the nearest value the exact one lies.
#[test]
fn rounding_in_a_direction_f64() {
    let mut rng = rng();
    let x = rng.vec(600, |rng| [0; 3].map(|_| rng.next_f64() * 8.0));
    let two_sum = |a: f64, b: f64| {
        let s = a + b;
        let t = s - a;
        (s, (a - (s - t)) + (b - t))
    };
    let want = |near: f64, lost: f64| {
        let up = if lost > 0.0 { near.next_up() } else { near };
        let down = if lost < 0.0 { near.next_down() } else { near };
        [near, if near < 0.0 { up } else { down }, up, down]
    };
    macro_rules! check {
        ($($name:ident: $exact:expr;)*) => {$({
            fn $name(x: &[[f64; 3]], want: impl Fn([f64; 3]) -> [f64; 4]) {
                let got = on_device(|x: [f64; 3]| directed::$name(x), x);
                for (got, &x) in got.into_iter().zip(x) {
                    let want = want(x);
                    let nan = want[0].is_nan() && got.iter().all(|v| v.is_nan());
                    assert!(nan || got == want, "{} {x:?}: {got:?} {want:?}", stringify!($name));
                }
            }
            let nearest: &dyn Fn([f64; 3]) -> (f64, f64) = &$exact;
            $name(&x, |x| { let (near, lost) = nearest(x); want(near, lost) });
        })*};
    }
    check! {
        add: |[a, b, _]| two_sum(a, b);
        sub: |[a, b, _]| two_sum(a, -b);
        mul: |[a, b, _]| (a * b, a.mul_add(b, -(a * b)));
        div: |[a, b, _]| { let q = a / b; (q, (-q).mul_add(b, a) * b.signum()) };
        rcp: |[a, _, _]| { let q = 1.0 / a; (q, (-q).mul_add(a, 1.0) * a.signum()) };
        sqrt: |[a, _, _]| { let s = a.sqrt(); (s, (-s).mul_add(s, a)) };
    }
    // With a product of few bits, `a b + c` is a sum of two numbers.
    let few: Vec<[f64; 3]> =
        x.iter().map(|&[a, b, c]| [f64::from(a as f32), f64::from(b as f32), c]).collect();
    let got = on_device(|x: [f64; 3]| directed::fma(x), &few);
    for (got, &[a, b, c]) in got.into_iter().zip(&few) {
        let (near, lost) = two_sum(a * b, c);
        assert_eq!(got, want(near, lost), "fma {a} {b} {c}");
    }
}

/// Conversions, against arithmetic in wider types.
#[test]
fn conversions_in_a_direction() {
    #[derive(Clone, Copy, Default, Debug, PartialEq, DeviceCopy)]
    #[repr(C)]
    struct Results {
        wide: [i64; 4],
        unsigned: [u64; 4],
        narrow: [f32; 4],
        back: [f32; 4],
        doubles: [f64; 4],
        ints: [i32; 4],
        words: [u32; 4],
    }
    macro_rules! four {
        ($x:expr) => {{
            use rounding::*;
            let x = $x;
            [convert_rn(x), convert_rz(x), convert_ru(x), convert_rd(x)]
        }};
    }
    let mut rng = rng();
    let x = rng.vec(500, |rng| {
        let size = rng.next_f64() * 2f64.powi(rng.below(66) as i32 - 2);
        (size, rng.next_u64() >> rng.below(60))
    });
    let got = on_device(
        |(x, n): (f64, u64)| Results {
            wide: four!(x),
            unsigned: four!(x),
            narrow: four!(x),
            back: four!(n),
            doubles: four!(n as i64),
            ints: four!(x as f32),
            words: four!(x as f32),
        },
        &x,
    );
    let directed = |x: f64| [x.round_ties_even(), x.trunc(), x.ceil(), x.floor()];
    for (got, &(x, n)) in got.into_iter().zip(&x) {
        let single = f64::from(x as f32);
        let back = |rounds: fn(u64) -> f32| rounds(n);
        // The neighbours of a 64-bit integer in f32, compared in 128 bits.
        let near = back(|n| n as f32);
        let up = if (near as u128) < u128::from(n) { near.next_up() } else { near };
        let down = if (near as u128) > u128::from(n) { near.next_down() } else { near };
        let signed = n as i64;
        let close = signed as f64;
        let above = if (close as i128) < i128::from(signed) { close.next_up() } else { close };
        let below = if (close as i128) > i128::from(signed) { close.next_down() } else { close };
        let want = Results {
            wide: directed(x).map(|v| v as i64),
            unsigned: directed(x).map(|v| v as u64),
            narrow: rounded(x),
            back: [near, down, up, down],
            doubles: [close, if signed < 0 { above } else { below }, above, below],
            ints: directed(single).map(|v| v as i32),
            words: directed(single).map(|v| v as u32),
        };
        assert_eq!(got, want, "{x:e} {n}");
    }
}

fn integers([a, b, c]: [u32; 3]) -> [u32; 24] {
    use integer::*;
    let (i, j, k) = (a as i32, b as i32, c as i32);
    let wide = u64::from(a) << 32 | u64::from(b);
    [
        byte_perm(a, b, c),
        sad(i, j, c),
        usad(a, b, c),
        dp4a(i, j, k) as u32,
        udp4a(a, b, c),
        dp2a_lo(i, j, k) as u32,
        dp2a_hi(i, j, k) as u32,
        udp2a_lo(a, b, c),
        udp2a_hi(a, b, c),
        funnel_shift_left(a, b, c),
        funnel_shift_right(a, b, c),
        funnel_shift_left_clamped(a, b, c & 63),
        funnel_shift_right_clamped(a, b, c & 63),
        mul_hi(a, b),
        mul_hi(i, j) as u32,
        mul_hi(wide, u64::from(c) << 20) as u32,
        mul_hi(wide as i64, i64::from(k) << 20) as u32,
        mul24(i, j) as u32,
        umul24(a, b),
        hadd(i, j) as u32,
        uhadd(a, b),
        rhadd(i, j) as u32,
        urhadd(a, b),
        ffs(a & b & c) + 100 * ffs64(wide << (c % 64)),
    ]
}

/// The device's instructions against the host's arithmetic, and that against plain definitions.
#[test]
fn integer_functions() {
    use integer::*;
    let mut rng = rng();
    let mut x = rng.vec(500, |rng| [rng.next_u32(), rng.next_u32(), rng.next_u32()]);
    let edges = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x80];
    x.extend((0..216).map(|n| [edges[n % 6], edges[n / 6 % 6], edges[n / 36]]));
    for (got, &x) in on_device(integers, &x).into_iter().zip(&x) {
        assert_eq!(got, integers(x), "{x:x?}");
    }
    for [a, b, c] in x {
        let (i, j) = (i64::from(a as i32), i64::from(b as i32));
        assert_eq!(i64::from(hadd(i as i32, j as i32)), (i + j).div_euclid(2));
        assert_eq!(i64::from(rhadd(i as i32, j as i32)), (i + j + 1).div_euclid(2));
        assert_eq!(u64::from(uhadd(a, b)), (u64::from(a) + u64::from(b)) / 2);
        assert_eq!(u64::from(urhadd(a, b)), (u64::from(a) + u64::from(b)).div_ceil(2));
        assert_eq!(u64::from(mul_hi(a, b)), u64::from(a) * u64::from(b) / (1 << 32));
        assert_eq!(sad(i as i32, j as i32, c), ((i - j).unsigned_abs() as u32).wrapping_add(c));
        assert_eq!(byte_perm(a, b, 0x3210), a);
        assert_eq!(byte_perm(a, b, 0x7654), b);
        assert_eq!(byte_perm(a, b, 0x0123), a.swap_bytes());
        assert_eq!(funnel_shift_left(a, a, c), a.rotate_left(c % 32));
        assert_eq!(funnel_shift_right_clamped(a, b, 32 + c % 7), b);
    }
}

/// The bounds that NVIDIA gives; on the emulated device the exact values meet them easily.
#[test]
fn fast_functions() {
    let mut rng = rng();
    let x = rng.vec(1000, |rng| 3.0 * rng.next_f32());
    macro_rules! check {
        ($($name:ident($x:ident) $range:expr, $exact:expr, $bound:expr;)*) => {$({
            fn $name(x: &[f32]) {
                let x: Vec<f32> = x.iter().map(|$x| $range).collect();
                for (got, &x) in on_device(|x: f32| fast::$name(x), &x).into_iter().zip(&x) {
                    let $x = f64::from(x);
                    let (want, bound): (f64, f64) = ($exact, $bound);
                    let error = (f64::from(got) - want).abs();
                    let name = stringify!($name);
                    assert!(error <= bound, "{name}({x}) is {got}, not {want}: {error} > {bound}");
                }
            }
            $name(&x);
        })*};
    }
    fn ulp(value: f64) -> f64 {
        f64::from((value.abs() as f32).next_up()) - f64::from(value.abs() as f32)
    }
    check! {
        sin(x) *x, x.sin(), 2f64.powf(-20.5);
        cos(x) *x, x.cos(), 2f64.powf(-20.5);
        tan(x) x / 3.0, x.tan(), 8.0 * 2f64.powf(-20.5);
        exp2(x) 20.0 * x, x.exp2(), 2.0 * ulp(x.exp2());
        exp(x) 10.0 * x, x.exp(), (2.0 + 1.16 * x.abs()) * ulp(x.exp());
        exp10(x) 5.0 * x, 10f64.powf(x), (2.0 + 2.97 * x.abs()) * ulp(10f64.powf(x));
        log2(x) x.abs() + 1e-3, x.log2(), 2f64.powi(-22) + 2.0 * ulp(x.log2());
        ln(x) x.abs() + 1e-3, x.ln(), 2f64.powf(-21.4) + 3.0 * ulp(x.ln());
        log10(x) x.abs() + 1e-3, x.log10(), 2f64.powi(-22) + 3.0 * ulp(x.log10());
        sqrt(x) x.abs(), x.sqrt(), x.sqrt() * 2f64.powi(-22);
        rsqrt(x) x.abs() + 1e-6, 1.0 / x.sqrt(), 2f64.powf(-22.0) / x.sqrt();
        recip(x) x + 4.0, 1.0 / x, 1.5 * ulp(1.0 / x);
        tanh(x) *x, x.tanh(), x.tanh().abs() * 2f64.powi(-10);
    }
    let pairs = rng.vec(500, |rng| [rng.next_f32() + 1.1, 6.0 * rng.next_f32()]);
    let got = on_device(|[x, y]: [f32; 2]| [fast::div(y, x), fast::powf(x, y)], &pairs);
    for (got, &[x, y]) in got.into_iter().zip(&pairs) {
        let (x, y) = (f64::from(x), f64::from(y));
        assert!((f64::from(got[0]) - y / x).abs() <= 2.0 * ulp(y / x), "{y} / {x}: {got:?}");
        let want = x.powf(y);
        let bound = want * (1e-6 + 1e-6 * y.abs());
        assert!((f64::from(got[1]) - want).abs() <= bound, "{x}^{y}: {got:?}, not {want}");
    }
}
