//! A library with kernels, as others would write one: kernels to launch from outside, functions that
//! launch them, and code that kernels of other crates call.

use ptyx::prelude::*;

/// Threads of a block.
const BLOCK: usize = 96;

/// `y[i] = polynomial(y[i])`, launched by the library and by its users.
#[kernel]
pub fn evaluate<const N: usize>(coefficients: [u64; N], mut y: Disjoint<u64>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = horner(&coefficients, *y);
    }
}

/// `y[i] = f(y[i])` for whatever a caller brings.
#[kernel]
pub fn transform<T: DeviceCopy, F: Fn(T) -> T>(f: F, mut y: Disjoint<T>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = f(*y);
    }
}

/// Evaluates a polynomial modulo 2^64, the highest power first. Not generic and not inlined: its
/// code is in this crate alone.
#[inline(never)]
pub fn horner(coefficients: &[u64], x: u64) -> u64 {
    coefficients.iter().fold(SEED, |sum, c| sum.wrapping_mul(x).wrapping_add(*c))
}

/// Where every polynomial starts.
pub static SEED: u64 = 0x9e37_79b9;

/// [`evaluate`] of three coefficients: an instance that this library's device pass compiles.
///
/// # Errors
/// The device fails.
pub fn evaluate_cubic(coefficients: [u64; 3], y: &mut DeviceBuffer<u64>) -> ptyx::Result<()> {
    launch!(evaluate<<<y.len().div_ceil(BLOCK), BLOCK>>>(coefficients, y))
}

/// [`transform`] with the caller's function: an instance that the caller's device pass compiles.
///
/// # Errors
/// The device fails.
pub fn transform_with<T: DeviceCopy, F: Fn(T) -> T + Copy + Send + 'static>(
    f: F,
    y: &mut DeviceBuffer<T>,
) -> ptyx::Result<()> {
    launch!(transform<<<y.len().div_ceil(BLOCK), BLOCK>>>(f, y))
}

/// Something that has a length, for structs of other crates.
pub trait Length {
    /// The square of the length.
    fn squared(&self) -> u64;

    /// A name that only this crate knows.
    fn tag(&self) -> u64 {
        tag_of(self.squared())
    }
}

fn tag_of(x: u64) -> u64 {
    x.rotate_left(7) ^ SEED
}

/// A struct that kernels take, make and return.
#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
pub struct Point {
    /// To the right.
    pub x: u32,
    /// Up.
    pub y: u32,
}

impl Length for Point {
    fn squared(&self) -> u64 {
        u64::from(self.x).pow(2).wrapping_add(u64::from(self.y).pow(2))
    }
}

/// Prints a line in a kernel of whoever calls it.
pub fn tell(what: &str, x: u64) {
    gpu_println!("a library's {what}: {x:#x}");
}

/// The bits of `x` in the opposite order: an instruction that this library publishes. Not inlined: its
/// code is in this crate alone.
#[inline(never)]
pub fn reversed(x: u32) -> u32 {
    let y: u32;
    // SAFETY: the instruction only computes.
    unsafe { ptx!("brev.b32 {}, {};", lateout(reg) y, in(reg) x, options(pure, nomem)) }
    y
}

/// A byte of a number that begins at any bit: an instruction in generic code.
#[inline]
pub fn field<const START: u32, T: Clone + Into<u32>>(x: &T) -> u32 {
    let y: u32;
    let x: u32 = x.clone().into();
    // SAFETY: the instruction only computes.
    unsafe {
        ptx!("bfe.u32 {}, {}, {}, 8;", lateout(reg) y, in(reg) x, const START, options(pure, nomem));
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_tests_its_own_kernels() {
        let x: Vec<u64> = (0..200).collect();
        let mut y = DeviceBuffer::from_slice(&x).unwrap();
        evaluate_cubic([1, 2, 3], &mut y).unwrap();
        transform_with(|x: u64| x ^ 5, &mut y).unwrap();
        let want: Vec<u64> = x.iter().map(|&x| horner(&[1, 2, 3], x) ^ 5).collect();
        assert_eq!(y.to_vec().unwrap(), want);
    }
}
