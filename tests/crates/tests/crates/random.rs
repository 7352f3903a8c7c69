//! Generators seeded from the input: `rand_core` with `rand_xoshiro`, `rand_pcg` and `rand_chacha`,
//! whose code asks for AVX2; `rand`'s distributions.

use ptyx_crate_tests::same_on_both;
use rand::distr::{Bernoulli, Distribution, Uniform};
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_pcg::{Pcg32, Pcg64Mcg};
use rand_xoshiro::{Xoroshiro64Star, Xoshiro256PlusPlus};

same_on_both! {
    fn xoshiro(seed: u64) -> (u64, u32, [u8; 13]) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        rng.jump();
        let mut bytes = [0; 13];
        rng.fill_bytes(&mut bytes);
        (rng.next_u64(), Xoroshiro64Star::seed_from_u64(seed).next_u32(), bytes)
    }

    fn pcg(seed: u64) -> [u64; 3] {
        let mut small = Pcg32::new(seed, 7);
        small.advance(1000);
        [Pcg64Mcg::seed_from_u64(seed).next_u64(), small.next_u32().into(), small.next_u64()]
    }

    fn chacha(seed: u64) -> (u64, u32, [u8; 70]) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_word_pos(77);
        let mut bytes = [0; 70];
        rng.fill_bytes(&mut bytes);
        (rng.next_u64(), rng.next_u32(), bytes)
    }

    fn distributions(seed: u64) -> (f32, u32, f64, bool, [u8; 7], bool) {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut order = [1, 2, 3, 4, 5, 6, 7];
        order.shuffle(&mut rng);
        (
            rng.random(),
            rng.random_range(3..77),
            Uniform::new(-1.0, 2.5).unwrap().sample(&mut rng),
            rng.random_bool(0.3),
            order,
            Bernoulli::new(0.5).unwrap().sample(&mut rng),
        )
    }
}
