//! Signatures that a kernel can have.
use ptyx::kernel;

/// Documented.
#[kernel]
#[allow(clippy::too_many_arguments)]
pub(crate) fn generic<'a, T: Copy, F: Fn(T) -> T, const N: usize>(f: F, x: &'a [T], (a, b): (u32, [T; N])) -> ()
where
    F: Copy,
{
    #![allow(unused_variables)]
    let _ = f(x[0]);
}

/// # Safety
/// Nobody else writes to `x`.
#[kernel(heap)]
pub unsafe fn dangerous<T: Default>(x: *mut T) {
    // SAFETY: as above.
    unsafe { x.write(T::default()) }
}

#[kernel()]
fn implicit(f: impl Fn(f32) -> f32, mut y: [f32; 2]) {
    y[0] = f(y[1]);
}

macro_rules! kernels {
    ($($name:ident: $type:ty),*) => {$(
        #[kernel]
        fn $name(x: $type) {}
    )*};
}

kernels! { of_floats: f32, of_slices: &[f32] }
