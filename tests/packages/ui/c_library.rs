// The C library's functions, panic hooks and input: each says what a kernel has instead.
use ptyx::prelude::*;
use std::ffi::{c_char, c_int};
use std::io::BufRead;

unsafe extern "C" {
    fn cosf(x: f32) -> f32;
    fn printf(format: *const c_char, ...) -> c_int;
    fn calloc(count: usize, size: usize) -> *mut u8;
}

#[kernel]
fn calls_c(x: f32) {
    // SAFETY: none of it runs.
    unsafe {
        assert!(cosf(x) > 0.0);
        printf(c"%d\n".as_ptr(), 3);
        assert!(!calloc(3, 4).is_null());
    }
}

#[kernel]
fn hooks(n: u32) {
    std::panic::take_hook();
    assert!(n > 0);
}

#[kernel]
fn reads_lines(mut y: Disjoint<u64>) {
    let i = thread::index_1d();
    let Some(y) = y.get_mut(i) else { return };
    let input = std::io::stdin();
    for line in input.lock().lines() {
        *y += line.map_or(0, |line| line.len() as u64);
    }
}

#[unsafe(naked)]
extern "C" fn of_assembly() {
    core::arch::naked_asm!("ret")
}

#[kernel]
fn calls_assembly(n: u32) {
    if n > 2 {
        of_assembly();
    }
}

fn main() -> ptyx::Result<()> {
    let mut y = DeviceBuffer::zeroed(8)?;
    launch!(calls_c<<<1, 8>>>(1.0))?;
    launch!(hooks<<<1, 8>>>(1))?;
    launch!(reads_lines<<<1, 8>>>(&mut y))?;
    launch!(calls_assembly<<<1, 8>>>(1))
}
