//! The traits of the crate `rand_core`, so that distributions of other crates accept these generators.

use super::generator::Generator;
use super::permutation::Permutation;
use super::source::Random;
use rand_core::{RngCore, SeedableRng, impls};

impl<P: Permutation> RngCore for Generator<P> {
    #[inline]
    fn next_u32(&mut self) -> u32 {
        Random::next_u32(self)
    }

    #[inline]
    fn next_u64(&mut self) -> u64 {
        Random::next_u64(self)
    }

    #[inline]
    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        impls::fill_bytes_via_next(self, bytes);
    }
}

impl<P: Permutation> SeedableRng for Generator<P> {
    type Seed = [u8; 8];

    #[inline]
    fn from_seed(seed: [u8; 8]) -> Self {
        Generator::new(u64::from_le_bytes(seed))
    }

    /// [`Generator::new`]: any two seeds are equally good.
    #[inline]
    fn seed_from_u64(seed: u64) -> Self {
        Generator::new(seed)
    }
}
