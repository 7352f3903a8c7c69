//! The mathematical functions that `docs/math.md` lists, ready to be evaluated on a device.
//!
//! Two packages are made of these sources: `ptyx-math-tests` has its functions in Rust,
//! `ptyx-math-libdevice-tests` takes them from NVIDIA's libdevice where the build finds one.

mod functions;

use ptyx::prelude::*;

pub use functions::functions;
pub use ptyx_test_support::{Rng, rng};

/// How the error of a function is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// In units of the last place of the result.
    Ulp,
    /// In units of the last place of the result or of 1, whichever is greater: for functions whose
    /// zeros no float comes near.
    Unit,
}

/// A function in one type; arguments stand one behind the other.
#[derive(Clone, Copy)]
pub struct Form<T: 'static> {
    /// The least and the greatest argument.
    pub range: (f64, f64),
    /// Evaluates it on the device.
    pub device: fn(&[T]) -> Vec<T>,
    /// Evaluates it once on the host.
    pub host: fn(&[T]) -> T,
}

/// A function.
pub struct Function {
    /// Its name in `docs/math.md`.
    pub name: &'static str,
    /// How many arguments it has.
    pub arity: usize,
    /// How its error is told.
    pub metric: Metric,
    /// In `f32`.
    pub single: Form<f32>,
    /// In `f64`.
    pub double: Form<f64>,
}

#[kernel]
fn each<T: DeviceCopy, const N: usize, F: Fn([T; N]) -> T>(f: F, x: &[[T; N]], mut y: Disjoint<T>) {
    for i in thread::grid_stride(y.len()) {
        y[i] = f(x[i.get()]);
    }
}

/// `f` of every `N` numbers of `x`, on the device.
fn evaluate<T, const N: usize, F>(f: F, x: &[T]) -> Vec<T>
where
    T: DeviceCopy + Default,
    F: Fn([T; N]) -> T + Copy + Send + 'static,
{
    let run = || {
        let x = DeviceBuffer::from_slice(x.as_chunks::<N>().0)?;
        let mut y = DeviceBuffer::from_slice(&vec![T::default(); x.len()])?;
        launch!(each<<<8, 128>>>(f, &x, &mut y))?;
        y.to_vec()
    };
    run().unwrap_or_else(|error: ptyx::Error| panic!("{error}"))
}

/// Whether the kernels use libdevice; the package of that name may have found none.
pub fn uses_libdevice() -> bool {
    ptyx::info().is_ok_and(|info| info.contains("mathematical functions: libdevice"))
}
