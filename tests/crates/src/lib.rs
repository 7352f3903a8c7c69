//! The harness of the tests: runs a function of values on the device and on the host, with the same
//! random inputs.

pub use ptyx_test_support::{Rng, images, part, rng};

use std::fmt::Debug;

use ptyx::prelude::*;

/// Inputs of each function.
pub const INPUTS: usize = 192;

/// Applies `f` to every input.
#[kernel]
pub fn map<I: DeviceCopy, O: DeviceCopy, F: Fn(I) -> O>(f: F, x: &[I], mut y: Disjoint<O>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = f(x[i.get()]);
    }
}

/// [`map`] for functions that use the heap.
#[kernel(heap)]
pub fn map_on_heap<I: DeviceCopy, O: DeviceCopy, F: Fn(I) -> O>(f: F, x: &[I], mut y: Disjoint<O>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = f(x[i.get()]);
    }
}

/// Values that functions under test take and give.
pub trait Value: DeviceCopy + Debug {
    /// Any value; floats are in [-1, 1].
    fn random(rng: &mut Rng) -> Self;

    /// How far `self` is from `want`: 0 for the same value (NaNs are one), infinity for different
    /// integers, for floats the difference relative to the larger of `want` and 1.
    fn distance(&self, want: &Self) -> f64;
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Value for $type {
            fn random(rng: &mut Rng) -> Self {
                rng.next_u64() as $type
            }

            fn distance(&self, want: &Self) -> f64 {
                if self == want { 0.0 } else { f64::INFINITY }
            }
        }
    )*};
}

integers! { u8 u16 u32 u64 i8 i16 i32 i64 }

macro_rules! floats {
    ($($type:ident $random:ident)*) => {$(
        impl Value for $type {
            fn random(rng: &mut Rng) -> Self {
                rng.$random()
            }

            fn distance(&self, want: &Self) -> f64 {
                if self.to_bits() == want.to_bits() || (self.is_nan() && want.is_nan()) {
                    return 0.0;
                }
                let (got, want) = (f64::from(*self), f64::from(*want));
                let distance = (got - want).abs() / want.abs().max(1.0);
                // Of 0 and -0, or of infinities, the bits differ.
                if distance > 0.0 { distance } else { f64::MIN_POSITIVE }
            }
        }
    )*};
}

floats! { f32 next_f32 f64 next_f64 }

impl Value for bool {
    fn random(rng: &mut Rng) -> Self {
        rng.below(2) == 1
    }

    fn distance(&self, want: &Self) -> f64 {
        if self == want { 0.0 } else { f64::INFINITY }
    }
}

impl<T: Value, const N: usize> Value for [T; N] {
    fn random(rng: &mut Rng) -> Self {
        std::array::from_fn(|_| T::random(rng))
    }

    fn distance(&self, want: &Self) -> f64 {
        self.iter().zip(want).map(|(got, want)| got.distance(want)).fold(0.0, f64::max)
    }
}

macro_rules! tuples {
    ($(($($name:ident $field:tt),+))*) => {$(
        impl<$($name: Value),+> Value for ($($name,)+) {
            fn random(rng: &mut Rng) -> Self {
                ($($name::random(rng),)+)
            }

            fn distance(&self, want: &Self) -> f64 {
                [$(self.$field.distance(&want.$field)),+].into_iter().fold(0.0, f64::max)
            }
        }
    )*};
}

tuples! {
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
}

/// Compares what `launch` makes the device do with `function`, on fresh inputs.
///
/// # Panics
/// A result is further from the host's than `tolerance`, or the launch fails.
pub fn compare<I: Value, O: Value>(
    name: &str,
    tolerance: f64,
    launch: impl FnOnce(&DeviceBuffer<I>, &mut DeviceBuffer<O>) -> ptyx::Result<()>,
    function: impl Fn(I) -> O,
) {
    let x = rng().vec(INPUTS, I::random);
    let device_x = DeviceBuffer::from_slice(&x).expect("a buffer");
    let mut device_y = DeviceBuffer::zeroed(INPUTS).expect("a buffer");
    launch(&device_x, &mut device_y).expect("the launch succeeds");
    for (x, got) in x.iter().zip(device_y.to_vec().expect("the kernel succeeds")) {
        let want = function(*x);
        let distance = got.distance(&want);
        assert!(
            distance <= tolerance,
            "{name}({x:?}):\ndevice {got:?}\nhost   {want:?}\ndistance {distance:e}"
        );
    }
}

/// A test for each function: the same results on the device as on the host. `within 1e-6` in front
/// of a function allows its floats that distance ([`Value::distance`]); without it the bits count.
/// `needs f` in front of that skips the test where `f()` says that this host can't run the function.
/// With `map_on_heap:` in front of them all, they may use the heap.
#[macro_export]
macro_rules! same_on_both {
    ($kernel:ident: $($(needs $needs:ident)? $(within $tolerance:literal)? fn $name:ident($x:ident: $in:ty) -> $out:ty $body:block)*) => {$(
        #[test]
        fn $name() {
            $crate::part!($name);
            fn $name($x: $in) -> $out $body
            $(if !$needs() {
                println!("SKIPPED: this host has no {}", stringify!($needs));
                return;
            })?
            let tolerance = 0.0 $(+ $tolerance)?;
            $crate::compare(stringify!($name), tolerance, |x, y| {
                ptyx::launch!($crate::$kernel<<<$crate::INPUTS.div_ceil(64), 64>>>($name, x, y))
            }, $name);
        }
    )*};
    ($($functions:tt)*) => { $crate::same_on_both! { map: $($functions)* } };
}
