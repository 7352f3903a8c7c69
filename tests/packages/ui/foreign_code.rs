// Code that is not Rust's, or is another processor's.
use ptyx::prelude::*;
use std::ffi::c_int;

unsafe extern "C" {
    static cblas_version: c_int;
    fn cblas_sdot(n: c_int, x: *const f32, incx: c_int, y: *const f32, incy: c_int) -> f32;
}

#[kernel]
fn dot(x: &[f32], mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        let n = x.len() as c_int;
        // SAFETY: both vectors are `x`.
        *y = unsafe { cblas_sdot(n, x.as_ptr(), 1, x.as_ptr(), 1) };
        // SAFETY: the library never writes it.
        *y += unsafe { cblas_version } as f32;
    }
}

#[cfg(target_arch = "x86_64")]
#[kernel]
fn counts_cycles(mut y: Disjoint<u64>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        let (low, high): (u64, u64);
        // SAFETY: reads a register.
        unsafe { std::arch::asm!("rdtsc", out("rax") low, out("rdx") high) };
        *y = high << 32 | low;
    }
}

#[cfg(target_arch = "x86_64")]
#[kernel]
fn seeds(mut y: Disjoint<u64>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        // SAFETY: reads a counter.
        *y = unsafe { std::arch::x86_64::_rdtsc() };
    }
}

#[cfg(target_arch = "x86_64")]
#[kernel]
fn pauses(n: u32) {
    if n > 3 {
        // SAFETY: does nothing.
        unsafe { std::arch::asm!("pause;") };
    }
}

fn main() -> ptyx::Result<()> {
    let x = DeviceBuffer::<f32>::zeroed(8)?;
    let mut y = DeviceBuffer::<f32>::zeroed(8)?;
    let mut z = DeviceBuffer::<u64>::zeroed(8)?;
    launch!(dot<<<1, 8>>>(&x, &mut y))?;
    launch!(counts_cycles<<<1, 8>>>(&mut z))?;
    launch!(seeds<<<1, 8>>>(&mut z))?;
    launch!(pauses<<<1, 8>>>(4))
}
