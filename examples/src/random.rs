//! Random input: the same generator as in `benches/cuda/common.cuh`.

use std::time::{SystemTime, UNIX_EPOCH};

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The sequence that `seed` names.
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = self.0;
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [-1, 1), 24 bits.
    pub fn next_f32(&mut self) -> f32 {
        (self.next_u64() >> 40) as f32 / 8_388_608.0 - 1.0
    }

    /// Uniform in [-1, 1), 53 bits.
    pub fn next_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// `len` numbers of [`Rng::next_f32`].
    pub fn vec_f32(&mut self, len: usize) -> Vec<f32> {
        (0..len).map(|_| self.next_f32()).collect()
    }

    /// `len` numbers of [`Rng::next_f64`].
    pub fn vec_f64(&mut self, len: usize) -> Vec<f64> {
        (0..len).map(|_| self.next_f64()).collect()
    }
}

/// A seed from the clock, so that every run sees other numbers.
pub fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_nanos() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lie_in_their_range_and_differ() {
        let mut rng = Rng::new(1);
        let numbers = rng.vec_f32(10_000);
        assert!(numbers.iter().all(|x| (-1.0..1.0).contains(x)));
        let mean = numbers.iter().map(|&x| f64::from(x)).sum::<f64>() / 10_000.0;
        assert!(mean.abs() < 0.05, "{mean}");
        assert_ne!(Rng::new(1).next_u64(), Rng::new(2).next_u64());
    }
}
