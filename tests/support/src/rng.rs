//! Seeded random input.

use super::seed;

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
#[derive(Clone, Debug)]
pub struct Rng(u64);

/// A generator that starts with [`seed`].
pub fn rng() -> Rng {
    Rng(seed())
}

impl Rng {
    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = self.0;
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The next 32 bits.
    pub fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    /// Below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next_u64() % bound as u64) as usize
    }

    /// Uniform in [-1, 1), 53 bits.
    pub fn next_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Uniform in [-1, 1], 24 bits.
    pub fn next_f32(&mut self) -> f32 {
        self.next_f64() as f32
    }

    /// `len` values of `make`.
    pub fn vec<T>(&mut self, len: usize, mut make: impl FnMut(&mut Rng) -> T) -> Vec<T> {
        (0..len).map(|_| make(self)).collect()
    }
}
