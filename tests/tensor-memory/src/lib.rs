//! What the tests of tensor maps share: tensors of random bytes, and what tiles of them are, by the host.

#[path = "../../support/src/lib.rs"]
#[allow(dead_code, unreachable_pub, unused_imports)]
mod support;

pub mod columns;
pub mod interleaved;

pub use support::{Rng, alone, images, rng};

use ptyx::device::tma::Element;

/// Whether the device has tensor maps; says so if not.
pub fn device_has_them() -> bool {
    let (major, minor) = ptyx::Device::current().expect("a device").compute_capability();
    if major < 9 {
        println!("SKIPPED: compute capability {major}.{minor} is less than 9.0");
    }
    major >= 9
}

/// A tensor on the host: sizes, strides and steps have a number for each dimension, rows first, in elements.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// The elements.
    pub size: Vec<usize>,
    /// From one element to the next.
    pub strides: Vec<usize>,
    /// Which elements tiles take.
    pub steps: Vec<usize>,
    /// Bytes of an element.
    pub bytes: usize,
}

impl Tensor {
    /// A tensor for tiles with these sides: smaller and larger ones, with gaps between rows.
    pub fn random(rng: &mut Rng, sides: &[usize], bytes: usize, max_step: usize) -> Tensor {
        let last = sides.len() - 1;
        let mut steps = vec![1; sides.len()];
        for (step, side) in steps[..last].iter_mut().zip(sides) {
            *step = 1 + rng.below(max_step.min(256 / side));
        }
        let size: Vec<usize> = sides
            .iter()
            .zip(&steps)
            .map(|(side, step)| 1 + rng.below(2 * side * step + 2))
            .collect();
        let mut strides = vec![1; sides.len()];
        let mut stride = 1;
        for at in (0..sides.len()).rev() {
            strides[at] = stride;
            // The next one is a multiple of 16 bytes, and perhaps leaves a gap.
            let unit = 16 / bytes.min(16);
            stride = (stride * size[at]).next_multiple_of(unit) + rng.below(2) * unit;
        }
        Tensor { size, strides, steps, bytes }
    }

    /// Elements up to the last one.
    pub fn len(&self) -> usize {
        let last = self.size.iter().zip(&self.strides).map(|(size, stride)| (size - 1) * stride);
        last.sum::<usize>() + 1
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Where the element of a tile is, if the tensor has it.
    pub fn place(&self, at: &[i32], index: &[usize]) -> Option<usize> {
        let mut place = 0;
        for (dimension, size) in self.size.iter().enumerate() {
            let along =
                i64::from(at[dimension]) + (index[dimension] * self.steps[dimension]) as i64;
            if !(0..*size as i64).contains(&along) {
                return None;
            }
            place += along as usize * self.strides[dimension];
        }
        Some(place)
    }

    /// Coordinates of a tile: inside, over each edge, and wholly outside.
    pub fn coordinates(&self, rng: &mut Rng, sides: &[usize]) -> Vec<i32> {
        let each = self.size.iter().zip(sides).zip(&self.steps);
        let coordinates = each.map(|((size, side), step)| {
            let reach = side * step;
            rng.below(size + reach + 2) as i32 - reach as i32 - 1
        });
        let mut coordinates = coordinates.collect::<Vec<_>>();
        // The hardware takes places at multiples of 16 bytes only.
        let unit = 16 / self.bytes.min(16) as i32;
        if let Some(last) = coordinates.last_mut() {
            *last = last.div_euclid(unit) * unit;
        }
        coordinates
    }
}

/// Every index of a tile with these sides, in the order of memory.
pub fn indices(sides: &[usize]) -> impl Iterator<Item = Vec<usize>> + '_ {
    (0..sides.iter().product()).map(|mut number: usize| {
        let mut index = vec![0; sides.len()];
        for at in (0..sides.len()).rev() {
            index[at] = number % sides[at];
            number /= sides[at];
        }
        index
    })
}

/// Where the byte of a tile with rows of `width` bytes lies: units of 16 bytes are numbered anew in each 128 bytes,
/// combined with the number of these 128 bytes by XOR.
pub fn swizzled(offset: usize, width: usize) -> usize {
    let (line, unit, byte) = (offset / 128, offset / 16 % 8, offset % 16);
    line * 128 + (unit ^ (line % (width / 16))) * 16 + byte
}

/// Random elements.
pub fn elements<T: Element>(rng: &mut Rng, len: usize) -> Vec<T> {
    rng.vec(len, |rng| {
        let bits = rng.next_u64();
        // SAFETY: elements of tensors are numbers of at most 64 bits, all of whose bit patterns are values.
        unsafe { (&raw const bits).cast::<T>().read() }
    })
}

/// The bytes of elements.
pub fn bytes<T: Element>(elements: &[T]) -> Vec<u8> {
    let (first, len) = (elements.as_ptr().cast::<u8>(), size_of_val(elements));
    // SAFETY: numbers have no padding.
    unsafe { core::slice::from_raw_parts(first, len) }.to_vec()
}

/// Whether the bytes are a NaN of a type.
pub fn is_nan<T: Element>(bytes: &[u8]) -> bool {
    let mut bits = [0; 8];
    bits[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(bits);
    let (exponent, mantissa) = match core::any::type_name::<T>().rsplit("::").next() {
        Some("f64") => (11, 52),
        Some("f32") => (8, 23),
        Some("bf16") => (8, 7),
        _ => (5, 10),
    };
    let all = (1u64 << exponent) - 1;
    bits >> mantissa & all == all && bits & ((1 << mantissa) - 1) != 0
}
