//! A library with device statics, linked PTX, and kernels that use them; its tests use both from outside.

use ptyx::prelude::*;
use ptyx::{Constant, Global};

/// A table that kernels of this crate and of others read.
#[device_static]
pub static SCALE: Constant<[f32; 4]> = Constant::new([1.0, 2.0, 4.0, 8.0]);

/// How many elements all kernels together have seen.
#[device_static]
pub static SEEN: Global<Atomic<u32>> = Global::new(Atomic::new(100));

/// Another static of the same name.
pub mod inner {
    use super::*;

    /// As large, with other values.
    #[device_static]
    pub static SCALE: Constant<[f32; 4]> = Constant::new([3.0, 5.0, 7.0, 9.0]);
}

/// `x[i] *= SCALE[i % 4]`
#[kernel]
pub fn scale(mut x: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(x) = x.get_mut(i) {
        *x *= factor(i.get());
        SEEN.fetch_add(1);
    }
}

/// Not inlined into kernels of other crates.
#[inline(never)]
pub fn factor(index: usize) -> f32 {
    SCALE[index % 4]
}

/// [`scale`], launched by the library, in whose device pass it is compiled.
///
/// # Errors
/// The device fails.
pub fn scale_on(x: &mut DeviceBuffer<f32>, stream: &Stream) -> ptyx::Result<()> {
    launch!(scale<<<x.len().div_ceil(32), 32, 0, stream>>>(x))
}

ptyx::link_ptx!("mix.ptx");

unsafe extern "C" {
    /// `a * 0.75 + b * 0.25`, and counts its calls.
    fn ptyx_test_mix(a: f32, b: f32) -> f32;
    /// How often `ptyx_test_mix` was called, in the calling kernel's module.
    fn ptyx_test_calls() -> u64;
}

/// A function of the library's PTX, for kernels of any crate.
pub fn mix(a: f32, b: f32) -> f32 {
    // SAFETY: it has no requirements.
    unsafe { ptyx_test_mix(a, b) }
}

/// How often kernels of the caller's module have called [`mix`].
pub fn mix_calls() -> u64 {
    // SAFETY: it has no requirements.
    unsafe { ptyx_test_calls() }
}
