//! Calls one function on both sides.

use core::fmt::Debug;
use core::hash::{Hash, Hasher};
use ptyx::prelude::*;
pub(crate) use ptyx_tests::{Rng, rng};

/// Threads of a block; the inputs never fill the last one.
const BLOCK: usize = 64;

/// Inputs of a test: several blocks and a part of one.
pub(crate) const INPUTS: usize = 3 * BLOCK + 17;

#[kernel]
fn map<I, O, F>(body: F, inputs: &[I], mut outputs: Disjoint<O>)
where
    I: DeviceCopy,
    O: DeviceCopy,
    F: Fn(&I) -> O,
{
    let i = thread::index_1d();
    if let Some(output) = outputs.get_mut(i) {
        *output = body(&inputs[i.get()]);
    }
}

/// [`map`] for bodies that use the heap.
#[kernel(heap)]
fn map_on_heap<I, O, F>(body: F, inputs: &[I], mut outputs: Disjoint<O>)
where
    I: DeviceCopy,
    O: DeviceCopy,
    F: Fn(&I) -> O,
{
    let i = thread::index_1d();
    if let Some(output) = outputs.get_mut(i) {
        *output = body(&inputs[i.get()]);
    }
}

/// Asserts that `body` gives the same in a kernel as on the host, for [`INPUTS`] random inputs.
///
/// `body` must be a named function: its name is how the program finds its kernel.
pub(crate) fn same<I, O, F>(body: F, input: impl FnMut(&mut Rng) -> I)
where
    I: DeviceCopy + Debug,
    O: DeviceCopy + PartialEq + Debug,
    F: Fn(&I) -> O + Copy + Send + 'static,
{
    compare(
        body,
        input,
        |inputs, outputs| launch!(map<<<INPUTS.div_ceil(BLOCK), BLOCK>>>(body, inputs, outputs)),
    );
}

/// [`same`] for bodies that use the heap.
pub(crate) fn same_on_heap<I, O, F>(body: F, input: impl FnMut(&mut Rng) -> I)
where
    I: DeviceCopy + Debug,
    O: DeviceCopy + PartialEq + Debug,
    F: Fn(&I) -> O + Copy + Send + 'static,
{
    compare(
        body,
        input,
        |inputs, outputs| launch!(map_on_heap<<<INPUTS.div_ceil(BLOCK), BLOCK>>>(body, inputs, outputs)),
    );
}

fn compare<I, O>(
    body: impl Fn(&I) -> O,
    mut input: impl FnMut(&mut Rng) -> I,
    launch: impl FnOnce(&DeviceBuffer<I>, &mut DeviceBuffer<O>) -> ptyx::Result<()>,
) where
    I: DeviceCopy + Debug,
    O: DeviceCopy + PartialEq + Debug,
{
    let inputs = rng().vec(INPUTS, &mut input);
    let on_device = DeviceBuffer::from_slice(&inputs).unwrap();
    let mut outputs = DeviceBuffer::filled(INPUTS, O::zeroed()).unwrap();
    launch(&on_device, &mut outputs).unwrap();
    for (input, got) in inputs.iter().zip(outputs.to_vec().unwrap()) {
        assert_eq!(got, body(input), "device (left) and host (right) for {input:?}");
    }
}

/// 64 random bits, often an edge: 0, all ones, a power of two or a neighbour of one, few bits.
pub(crate) fn edgy(rng: &mut Rng) -> u64 {
    let bit = 1u64 << rng.below(64);
    match rng.below(8) {
        0 => bit,
        1 => bit.wrapping_neg(),
        2 => bit - 1,
        3 => !bit,
        4 => rng.next_u64() >> rng.below(64),
        5 => (rng.below(5) as u64).wrapping_sub(2),
        _ => rng.next_u64(),
    }
}

/// 128 random bits, often an edge.
pub(crate) fn edgy_wide(rng: &mut Rng) -> u128 {
    let (high, low) = (edgy(rng), edgy(rng));
    match rng.below(4) {
        0 => low.into(),
        1 => i128::from(low.cast_signed()).cast_unsigned(),
        _ => u128::from(high) << 64 | u128::from(low),
    }
}

/// A float of any kind: random bits, and often zeros, infinities, NaN, integers and halves.
pub(crate) fn edgy_float(rng: &mut Rng) -> f64 {
    match rng.below(8) {
        0 => f64::from_bits(edgy(rng)),
        1 => edgy(rng) as f64,
        2 => edgy(rng).cast_signed() as f64,
        3 => edgy_wide(rng) as f64,
        4 => (rng.below(2001) as f64 - 1000.0) / 2.0,
        5 => {
            [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MIN_POSITIVE][rng.below(6)]
        }
        6 => f64::from(f32::from_bits(rng.next_u32())),
        _ => rng.next_f64() * f64::powi(10.0, rng.below(41) as i32 - 20),
    }
}

/// FNV-1a (Fowler, Noll, Vo) of a value, for results too large to compare one by one.
pub(crate) fn digest(value: impl Hash) -> u64 {
    struct Fnv(u64);
    impl Hasher for Fnv {
        fn finish(&self) -> u64 {
            self.0
        }
        fn write(&mut self, bytes: &[u8]) {
            for &byte in bytes {
                self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    value.hash(&mut hasher);
    hasher.finish()
}
