//! The kernels.

use ptyx::prelude::*;

/// `y = y * a + x`, with wrapping.
#[kernel]
pub(crate) fn mix(a: u32, x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = y.wrapping_mul(a).wrapping_add(x[i.get()]);
    }
}

/// `y = y * a + b`, with wrapping.
#[kernel]
pub(crate) fn step(a: u32, b: u32, mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = y.wrapping_mul(a).wrapping_add(b);
    }
}

/// Counts numbers by their lowest bits.
#[kernel]
pub(crate) fn count(x: &[u32], counts: Atomics<u32>) {
    if let Some(x) = x.get(thread::index_1d().get()) {
        counts[*x as usize % counts.len()].fetch_add(1);
    }
}

pub(crate) const THREADS: u32 = 128;

pub(crate) fn blocks(len: usize) -> u32 {
    len.div_ceil(THREADS as usize).max(1) as u32
}

/// [`mix`] on a stream.
pub(crate) fn mix_on(
    stream: &Stream,
    a: u32,
    x: &DeviceBuffer<u32>,
    y: &mut DeviceBuffer<u32>,
) -> ptyx::Result<()> {
    launch!(mix<<<blocks(x.len()), THREADS, 0, stream>>>(a, x, y))
}

/// [`step`] on a stream.
pub(crate) fn step_on(
    stream: &Stream,
    a: u32,
    b: u32,
    y: &mut DeviceBuffer<u32>,
) -> ptyx::Result<()> {
    launch!(step<<<blocks(y.len()), THREADS, 0, stream>>>(a, b, y))
}

/// What [`mix`] does.
pub(crate) fn mixed(a: u32, x: &[u32], y: &mut [u32]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = y.wrapping_mul(a).wrapping_add(*x);
    }
}

/// What [`step`] does.
pub(crate) fn stepped(a: u32, b: u32, y: &mut [u32]) {
    y.iter_mut().for_each(|y| *y = y.wrapping_mul(a).wrapping_add(b));
}
