//! D7: the float methods of std, against the host's: f32 against its f64 functions, f64 against its
//! own. The bounds are in units of the last place.

use ptyx::prelude::*;
use ptyx_tests::{rng, ulps_f32, ulps_f64};

#[kernel]
fn unary<T: DeviceCopy, F: Fn(T) -> T>(f: F, x: &[T], mut y: Disjoint<T>) {
    for i in thread::grid_stride(y.len()) {
        y[i] = f(x[i.get()]);
    }
}

#[kernel]
fn binary<T: DeviceCopy, F: Fn(T, T) -> T>(f: F, a: &[T], b: &[T], mut y: Disjoint<T>) {
    for i in thread::grid_stride(y.len()) {
        y[i] = f(a[i.get()], b[i.get()]);
    }
}

/// Inputs: random ones of `low..high` and the values where functions change their ways.
fn inputs(low: f64, high: f64) -> Vec<f64> {
    let mut rng = rng();
    let mut inputs = rng.vec(1500, |rng| low + (high - low) * (rng.next_f64() + 1.0) / 2.0);
    inputs.extend([
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        2.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ]);
    inputs
}

/// `unary!(bound, low..high: names)`: `x.name()` on the device and the host, in f32 and f64. Each
/// in a function of its own, which gives its closures names of their own.
macro_rules! unary {
    ($bound:expr, $low:literal .. $high:literal: $($name:ident)*) => {$({
        fn $name(x: &[f64], bound: f64) {
            let name = stringify!($name);
            let x32: Vec<f32> = x.iter().map(|&x| x as f32).collect();
            let device_x = DeviceBuffer::from_slice(&x32).unwrap();
            let mut y = DeviceBuffer::zeroed(x32.len()).unwrap();
            launch!(unary<<<4, 64>>>(|x: f32| x.$name(), &device_x, &mut y)).unwrap();
            for (got, &x) in y.to_vec().unwrap().into_iter().zip(&x32) {
                let want = f64::from(x).$name();
                let ulps = ulps_f32(got, want);
                assert!(ulps <= bound, "f32 {name}({x:e}) is {got:e}, not {want:e}: {ulps} ulp");
            }

            let device_x = DeviceBuffer::from_slice(x).unwrap();
            let mut y = DeviceBuffer::zeroed(x.len()).unwrap();
            launch!(unary<<<4, 64>>>(|x: f64| x.$name(), &device_x, &mut y)).unwrap();
            for (got, &x) in y.to_vec().unwrap().into_iter().zip(x) {
                let want = x.$name();
                let ulps = ulps_f64(got, want);
                assert!(ulps <= bound, "f64 {name}({x:e}) is {got:e}, not {want:e}: {ulps} ulp");
            }
        }
        $name(&inputs($low, $high), $bound);
    })*};
}

/// The same for `a.name(b)`.
macro_rules! binary {
    ($bound:expr, $low:literal .. $high:literal: $($name:ident)*) => {$({
        fn $name(a: &[f64], b: &[f64], bound: f64) {
            let name = stringify!($name);
            let narrow = |x: &[f64]| -> Vec<f32> { x.iter().map(|&x| x as f32).collect() };
            let (a32, b32) = (narrow(a), narrow(b));
            let device_a = DeviceBuffer::from_slice(&a32).unwrap();
            let device_b = DeviceBuffer::from_slice(&b32).unwrap();
            let mut y = DeviceBuffer::zeroed(a32.len()).unwrap();
            launch!(binary<<<4, 64>>>(|a: f32, b: f32| a.$name(b), &device_a, &device_b, &mut y))
                .unwrap();
            for (got, (&a, &b)) in y.to_vec().unwrap().into_iter().zip(a32.iter().zip(&b32)) {
                let want = f64::from(a).$name(f64::from(b));
                let ulps = ulps_f32(got, want);
                assert!(ulps <= bound, "f32 {name}({a:e}, {b:e}): {got:e}, want {want:e}: {ulps}");
            }

            let device_a = DeviceBuffer::from_slice(a).unwrap();
            let device_b = DeviceBuffer::from_slice(b).unwrap();
            let mut y = DeviceBuffer::zeroed(a.len()).unwrap();
            launch!(binary<<<4, 64>>>(|a: f64, b: f64| a.$name(b), &device_a, &device_b, &mut y))
                .unwrap();
            for (got, (&a, &b)) in y.to_vec().unwrap().into_iter().zip(a.iter().zip(b)) {
                let want = a.$name(b);
                let ulps = ulps_f64(got, want);
                assert!(ulps <= bound, "f64 {name}({a:e}, {b:e}): {got:e}, want {want:e}: {ulps}");
            }
        }
        $name(&inputs($low, $high), &inputs($low, $high), $bound);
    })*};
}

#[test]
fn exact_functions() {
    unary!(0.0, -1e6..1e6: floor ceil trunc round round_ties_even fract abs signum);
    binary!(0.0, -3.0..3.0: copysign min max);
}

/// IEEE 754 asks for the nearest value: half a unit, for f32 seen from f64.
#[test]
fn correctly_rounded_functions() {
    unary!(0.500_001, 0.0..1e6: sqrt recip);
}

#[test]
fn exponentials_and_logarithms() {
    unary!(2.0, -80.0..80.0: exp exp2 exp_m1);
    unary!(2.0, 0.0..1e9: ln log2 log10 ln_1p cbrt);
    unary!(2.0, -1e9..1e9: cbrt);
}

#[test]
fn trigonometry() {
    unary!(2.0, -10.0..10.0: sin cos atan);
    unary!(3.0, -10.0..10.0: tan);
    // Arguments that need many digits of pi.
    unary!(2.0, -1e9..1e9: sin cos);
    unary!(2.0, -1.0..1.0: asin acos);
    binary!(3.0, -5.0..5.0: atan2);
}

#[test]
fn hyperbolic_functions() {
    unary!(3.0, -20.0..20.0: sinh cosh tanh);
    unary!(4.0, -20.0..20.0: asinh);
    // std's own algorithms lose digits towards 1 (acosh) and -1 (atanh), on the host as here.
    unary!(4.0, 1.5..100.0: acosh);
    unary!(5.0, -0.5..1.0: atanh);
}

#[test]
fn functions_of_two() {
    binary!(2.0, 0.01..20.0: powf);
    binary!(2.0, -100.0..100.0: hypot);
}

/// Exact in both worlds, so any difference is an error.
#[test]
fn remainders() {
    let mut rng = rng();
    let a = rng.vec(2000, |rng| rng.next_f32() * 1e4);
    let b = rng.vec(2000, |rng| rng.next_f32() * 10.0);
    let device_a = DeviceBuffer::from_slice(&a).unwrap();
    let device_b = DeviceBuffer::from_slice(&b).unwrap();
    let mut y = DeviceBuffer::zeroed(2000).unwrap();
    launch!(binary<<<4, 64>>>(|a: f32, b: f32| a % b, &device_a, &device_b, &mut y)).unwrap();
    for (got, (a, b)) in y.to_vec().unwrap().into_iter().zip(a.iter().zip(&b)) {
        assert_eq!(got, a % b, "{a} % {b}");
    }
}

#[kernel]
fn powers_and_pairs(x: &[f64], n: i32, mut y: Disjoint<[f64; 4]>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        let x = x[i.get()];
        let (sin, cos) = x.sin_cos();
        *y = [x.powi(n), sin, cos, x.mul_add(x, 1.0)];
    }
}

#[test]
fn powi_sin_cos_mul_add() {
    let mut rng = rng();
    let x = rng.vec(200, |rng| 3.0 * rng.next_f64());
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::zeroed(200).unwrap();
    for n in [-3, 0, 1, 7] {
        launch!(powers_and_pairs<<<2, 100>>>(&device_x, n, &mut y)).unwrap();
        for (got, &x) in y.to_vec().unwrap().into_iter().zip(&x) {
            let want = [x.powi(n), x.sin(), x.cos(), x.mul_add(x, 1.0)];
            for (got, want) in got.into_iter().zip(want) {
                assert!(ulps_f64(got, want) <= 4.0, "x {x}, n {n}: {got} {want}");
            }
            assert_eq!(got[3], want[3]);
        }
    }
}

/// Integer arithmetic that needs more than one instruction or a library.
#[kernel]
fn integers(x: &[u64], mut y: Disjoint<[u64; 12]>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        let (a, b) = (x[2 * i.get()], x[2 * i.get() + 1] | 1);
        *y = integer_results(a, b);
    }
}

fn integer_results(a: u64, b: u64) -> [u64; 12] {
    let wide = u128::from(a) * u128::from(b) + 12345;
    [
        a / b,
        a % b,
        (a as i64).wrapping_div(b as i64) as u64,
        (a as i64).wrapping_rem(b as i64) as u64,
        (wide >> 64) as u64,
        (wide / u128::from(b >> 7 | 1)) as u64,
        (wide % u128::from(a >> 3 | 1)) as u64,
        u64::from(a.leading_zeros() + 100 * a.trailing_zeros() + 10000 * b.count_ones()),
        a.reverse_bits() ^ b.swap_bytes(),
        a.rotate_left((b % 64) as u32),
        u64::from((a as u32).isqrt()) + (a as u8).saturating_add(b as u8) as u64,
        (a as f64 as i64 as u64) ^ (b as f32).to_bits() as u64 ^ ((b as f64 * -1e3) as u8) as u64,
    ]
}

#[test]
fn integer_arithmetic() {
    let mut rng = rng();
    let x = rng.vec(1000, |rng| rng.next_u64() >> (rng.next_u64() % 60));
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::zeroed(500).unwrap();
    launch!(integers<<<5, 100>>>(&device_x, &mut y)).unwrap();
    for (got, x) in y.to_vec().unwrap().into_iter().zip(x.chunks(2)) {
        assert_eq!(got, integer_results(x[0], x[1] | 1), "{x:?}");
    }
}
