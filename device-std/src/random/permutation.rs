//! The functions that make random words from a counter and a key.

/// Nobody else implements [`Permutation`].
mod sealed {
    pub trait Sealed {}
}

/// The function with which a [`Generator`](super::Generator) makes its words: [`Philox`], [`Threefry32`] or
/// [`Threefry64`].
///
/// ```
/// use ptyx::device::random::{Generator, Permutation, Random};
///
/// /// The first number of any generator.
/// fn first<P: Permutation>(seed: u64) -> u32 {
///     Generator::<P>::new(seed).next_u32()
/// }
/// use ptyx::device::random::{Philox, Threefry32};
/// assert_ne!(first::<Philox>(1), first::<Threefry32>(1));
/// ```
pub trait Permutation: sealed::Sealed + Copy + core::fmt::Debug + Eq {
    /// Four words. No other pair of `subsequence` and `block` gives the same four.
    #[doc(hidden)]
    fn words(seed: u64, subsequence: u64, block: u64) -> [u32; 4];
}

/// [`philox4x32`] as a [`Permutation`].
///
/// ```
/// use ptyx::device::random::{Generator, Philox, Philox4x32};
/// assert_eq!(Philox4x32::new(1), Generator::<Philox>::new(1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Philox;

/// [`threefry4x32`] as a [`Permutation`].
///
/// ```
/// use ptyx::device::random::{Generator, Threefry32, Threefry4x32};
/// assert_eq!(Threefry4x32::new(1), Generator::<Threefry32>::new(1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threefry32;

/// [`threefry2x64`] as a [`Permutation`].
///
/// ```
/// use ptyx::device::random::{Generator, Threefry64, Threefry2x64};
/// assert_eq!(Threefry2x64::new(1), Generator::<Threefry64>::new(1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threefry64;

/// The low half and the high half.
#[inline(always)]
fn halves(x: u64) -> [u32; 2] {
    [x as u32, (x >> 32) as u32]
}

/// A counter of four words: the block counts up first.
#[inline(always)]
fn counter(subsequence: u64, block: u64) -> [u32; 4] {
    let ([a, b], [c, d]) = (halves(block), halves(subsequence));
    [a, b, c, d]
}

impl sealed::Sealed for Philox {}
impl Permutation for Philox {
    #[inline(always)]
    fn words(seed: u64, subsequence: u64, block: u64) -> [u32; 4] {
        philox4x32(counter(subsequence, block), halves(seed))
    }
}

impl sealed::Sealed for Threefry32 {}
impl Permutation for Threefry32 {
    #[inline(always)]
    fn words(seed: u64, subsequence: u64, block: u64) -> [u32; 4] {
        let [low, high] = halves(seed);
        threefry4x32(counter(subsequence, block), [low, high, 0, 0])
    }
}

impl sealed::Sealed for Threefry64 {}
impl Permutation for Threefry64 {
    #[inline(always)]
    fn words(seed: u64, subsequence: u64, block: u64) -> [u32; 4] {
        let [first, second] = threefry2x64([block, subsequence], [seed, 0]);
        counter(second, first)
    }
}

/// Philox4x32-10: ten rounds of two multiplications on four words (Salmon et al., SC'11, section 3.3).
///
/// With one key, different counters give different results. [`Philox4x32`](super::Philox4x32) counts for you.
///
/// ```
/// use ptyx::device::random::philox4x32;
/// assert_eq!(philox4x32([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
/// ```
#[doc(alias = "curand_Philox4x32_10")]
#[inline]
pub fn philox4x32(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    /// The factors, and what is added to the key in each round: the fractions of the golden ratio and of √3.
    const FACTORS: [u64; 2] = [0xd251_1f53, 0xcd9e_8d57];
    const STEPS: [u32; 2] = [0x9e37_79b9, 0xbb67_ae85];
    let ([mut a, mut b, mut c, mut d], [mut k, mut l]) = (counter, key);
    for _ in 0..10 {
        // Neither overflows: both factors have 32 bits.
        let [low_a, high_a] = halves(FACTORS[0].wrapping_mul(u64::from(a)));
        let [low_c, high_c] = halves(FACTORS[1].wrapping_mul(u64::from(c)));
        (a, b, c, d) = (high_c ^ b ^ k, low_c, high_a ^ d ^ l, low_a);
        (k, l) = (k.wrapping_add(STEPS[0]), l.wrapping_add(STEPS[1]));
    }
    [a, b, c, d]
}

/// Threefry's step on two words.
macro_rules! mix {
    ($a:ident, $b:ident, $rotation:expr) => {
        $a = $a.wrapping_add($b);
        $b = $b.rotate_left($rotation) ^ $a;
    };
}

/// Threefry4x32-20: twenty rounds of additions, rotations and exclusive ors on four words (Salmon et al., SC'11,
/// section 3.2; the rounds are those of Threefish, the block cipher of the hash function Skein).
///
/// With one key, different counters give different results. [`Threefry4x32`](super::Threefry4x32) counts for you.
///
/// ```
/// use ptyx::device::random::threefry4x32;
/// assert_eq!(threefry4x32([0; 4], [0; 4]), [0x9c6c_a96a, 0xe17e_ae66, 0xfc10_ecd4, 0x5256_a7d8]);
/// ```
#[inline]
pub fn threefry4x32(counter: [u32; 4], key: [u32; 4]) -> [u32; 4] {
    const PARITY: u32 = 0x1bd1_1bda;
    /// Four rounds each, taken in turn.
    const ROTATIONS: [[[u32; 2]; 4]; 2] =
        [[[10, 26], [11, 21], [13, 27], [23, 5]], [[6, 20], [17, 11], [25, 10], [18, 20]]];
    let [k0, k1, k2, k3] = key;
    // Turned by one place after each use, so that no index depends on the round.
    let mut keys = [k0, k1, k2, k3, PARITY ^ k0 ^ k1 ^ k2 ^ k3];
    let [mut a, mut b, mut c, mut d] = counter;
    for step in 0..5 {
        add_keys(&mut a, &mut b, &mut c, &mut d, keys, step);
        let [first, second, third, fourth] = ROTATIONS[step as usize % 2];
        mix!(a, b, first[0]);
        mix!(c, d, first[1]);
        mix!(a, d, second[0]);
        mix!(c, b, second[1]);
        mix!(a, b, third[0]);
        mix!(c, d, third[1]);
        mix!(a, d, fourth[0]);
        mix!(c, b, fourth[1]);
        let [k0, rest @ ..] = keys;
        keys = [rest[0], rest[1], rest[2], rest[3], k0];
    }
    add_keys(&mut a, &mut b, &mut c, &mut d, keys, 5);
    [a, b, c, d]
}

/// Adds the first four keys, and the number of the step to the last word.
#[inline(always)]
fn add_keys(a: &mut u32, b: &mut u32, c: &mut u32, d: &mut u32, keys: [u32; 5], step: u32) {
    *a = a.wrapping_add(keys[0]);
    *b = b.wrapping_add(keys[1]);
    *c = c.wrapping_add(keys[2]);
    *d = d.wrapping_add(keys[3]).wrapping_add(step);
}

/// Threefry2x64-20: the same as [`threefry4x32`] on two words of 64 bits.
///
/// With one key, different counters give different results. [`Threefry2x64`](super::Threefry2x64) counts for you.
///
/// ```
/// use ptyx::device::random::threefry2x64;
/// assert_eq!(threefry2x64([0; 2], [0; 2]), [0xc2b6_e3a8_c2c6_9865, 0x6f81_ed42_f350_084d]);
/// ```
#[inline]
pub fn threefry2x64(counter: [u64; 2], key: [u64; 2]) -> [u64; 2] {
    const PARITY: u64 = 0x1bd1_1bda_a9fc_1a22;
    const ROTATIONS: [[u32; 4]; 2] = [[16, 42, 12, 31], [16, 32, 24, 21]];
    let [mut k0, mut k1] = key;
    let mut k2 = PARITY ^ k0 ^ k1;
    let [mut a, mut b] = counter;
    for step in 0..5 {
        (a, b) = (a.wrapping_add(k0), b.wrapping_add(k1).wrapping_add(step));
        for rotation in ROTATIONS[step as usize % 2] {
            mix!(a, b, rotation);
        }
        (k0, k1, k2) = (k1, k2, k0);
    }
    [a.wrapping_add(k0), b.wrapping_add(k1).wrapping_add(5)]
}
