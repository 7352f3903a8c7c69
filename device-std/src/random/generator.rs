//! Sequences of words: a permutation applied to a counter.

use super::permutation::{Permutation, Philox, Threefry32, Threefry64};
use super::source::Random;
use crate::group;
use core::marker::PhantomData;

/// Philox4x32-10, cuRAND's `curandStatePhilox4_32_10_t`: the fastest generator where multiplication is fast, as on
/// GPUs.
///
/// `Philox4x32::at(seed, subsequence, offset)` gives the words that `curand` gives after
/// `curand_init(seed, subsequence, offset, &state)`: the seed is the key, the subsequence the counter's upper
/// half, and `offset / 4` its lower.
///
/// ```
/// use ptyx::device::random::{Philox4x32, Random, philox4x32};
/// let mut rng = Philox4x32::at(42, 7, 4 * 100);
/// assert_eq!(rng.next_u32x4(), philox4x32([100, 0, 7, 0], [42, 0]));
/// ```
#[doc(alias = "curandStatePhilox4_32_10_t")]
pub type Philox4x32 = Generator<Philox>;

/// Threefry4x32-20. The seed is the first half of its key, the rest is 0.
///
/// ```
/// use ptyx::device::random::{Random, Threefry4x32, threefry4x32};
/// let mut rng = Threefry4x32::at(42, 7, 4 * 100);
/// assert_eq!(rng.next_u32x4(), threefry4x32([100, 0, 7, 0], [42, 0, 0, 0]));
/// ```
pub type Threefry4x32 = Generator<Threefry32>;

/// Threefry2x64-20. The seed is the first half of its key, the rest is 0; the lower half of each word of 64 bits
/// comes first.
///
/// ```
/// use ptyx::device::random::{Random, Threefry2x64, threefry2x64};
/// let mut rng = Threefry2x64::at(42, 7, 4 * 100);
/// assert_eq!([rng.next_u64(), rng.next_u64()], threefry2x64([100, 7], [42, 0]));
/// ```
pub type Threefry2x64 = Generator<Threefry64>;

/// A sequence of random words: [`Philox4x32`], [`Threefry4x32`] or [`Threefry2x64`].
///
/// A seed has 2^64 subsequences of 2^66 words each. Neither seeds nor subsequences have to be random: 0, 1, 2, ...
/// are as good as any. The state is the position in the sequence and up to four words that were generated but not
/// yet drawn. It is not `Copy`, because two copies would give the same numbers.
///
/// [`Random`] has the distributions.
///
/// ```
/// use ptyx::device::random::{Philox4x32, Random};
/// use ptyx::prelude::*;
///
/// /// Adds noise to `x`: different noise in each `step`, independent of the launch's shape.
/// #[kernel]
/// fn disturb(seed: u64, step: u64, mut x: Disjoint<f32>) {
///     for i in thread::grid_stride(x.len()) {
///         let mut rng = Philox4x32::at(seed, i.get() as u64, 4 * step);
///         x[i] += 0.1 * rng.normal::<f32>();
///     }
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Generator<P> {
    seed: u64,
    subsequence: u64,
    /// The block of four words to make next.
    block: u64,
    /// What was made and not yet drawn: the first `left`. They move up when one is drawn, because an array that
    /// is indexed at run time would be in a GPU's local memory.
    words: [u32; 4],
    left: u32,
    permutation: PhantomData<P>,
}

impl<P: Permutation> Generator<P> {
    /// The first subsequence of `seed`, from its start.
    ///
    /// ```
    /// use ptyx::device::random::Philox4x32;
    /// assert_eq!(Philox4x32::new(42), Philox4x32::at(42, 0, 0));
    /// ```
    #[inline]
    pub fn new(seed: u64) -> Self {
        Generator {
            seed,
            subsequence: 0,
            block: 0,
            words: [0; 4],
            left: 0,
            permutation: PhantomData,
        }
    }

    /// A subsequence of `seed`, without its first `offset` words.
    ///
    /// ```
    /// use ptyx::device::random::{Philox4x32, Random};
    /// let mut rng = Philox4x32::at(42, 5, 0);
    /// let [first, second] = [rng.next_u32(), rng.next_u32()];
    /// assert_eq!(Philox4x32::at(42, 5, 1).next_u32(), second);
    /// assert_ne!(Philox4x32::at(42, 6, 0).next_u32(), first);
    /// ```
    #[doc(alias = "curand_init")]
    #[inline]
    pub fn at(seed: u64, subsequence: u64, offset: u64) -> Self {
        let mut generator = Self::new(seed);
        generator.subsequence = subsequence;
        generator.skip(offset);
        generator
    }

    /// The subsequence of `seed` whose number is this thread's in the grid ([`group::Grid::rank`]).
    ///
    /// In another launch, the threads have the same sequences again: use another seed, or [`skip`](Self::skip) the
    /// words that were drawn.
    ///
    /// ```
    /// use ptyx::device::random::{Philox4x32, Random};
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn roll_dice(seed: u64, mut dice: Disjoint<u32>) {
    ///     if let Some(die) = dice.get_mut(thread::index_1d()) {
    ///         *die = Philox4x32::for_thread(seed).range(1..7);
    ///     }
    /// }
    /// ```
    ///
    /// # Panics
    /// On the host, like all functions that only a device has.
    #[inline]
    #[track_caller]
    pub fn for_thread(seed: u64) -> Self {
        Self::at(seed, group::grid().rank(), 0)
    }

    /// Skips `n` words, in constant time.
    ///
    /// ```
    /// use ptyx::device::random::{Philox4x32, Random};
    /// let (mut a, mut b) = (Philox4x32::new(42), Philox4x32::new(42));
    /// a.skip(3);
    /// for _ in 0..3 {
    ///     b.next_u32();
    /// }
    /// assert_eq!(a.next_u32(), b.next_u32());
    /// ```
    #[doc(alias = "skipahead")]
    #[inline]
    pub fn skip(&mut self, n: u64) {
        let made = u64::from(self.left);
        let mut rest = n;
        if n >= made {
            let beyond = n.wrapping_sub(made);
            self.left = 0;
            self.pass_blocks(beyond / 4);
            rest = beyond % 4;
            if rest != 0 {
                self.make_block();
            }
        }
        for _ in 0..rest {
            self.take();
        }
    }

    /// Skips `n` subsequences, 2^66 words each, in constant time.
    ///
    /// ```
    /// use ptyx::device::random::Philox4x32;
    /// let mut rng = Philox4x32::at(42, 5, 0);
    /// rng.skip_subsequences(2);
    /// assert_eq!(rng, Philox4x32::at(42, 7, 0));
    /// ```
    #[doc(alias = "skipahead_sequence")]
    #[inline]
    pub fn skip_subsequences(&mut self, n: u64) {
        let drawn = 4u32.wrapping_sub(self.left) % 4;
        // What is left of a block belongs to the old subsequence.
        if self.left != 0 {
            self.left = 0;
            let (block, borrow) = self.block.overflowing_sub(1);
            self.block = block;
            self.subsequence = self.subsequence.wrapping_sub(borrow.into());
        }
        self.subsequence = self.subsequence.wrapping_add(n);
        self.skip(drawn.into());
    }

    /// The number of words drawn or skipped since the subsequence's start, modulo 2^64: the `offset` with which
    /// [`at`](Self::at) continues from here.
    ///
    /// ```
    /// use ptyx::device::random::{Philox4x32, Random};
    /// let mut rng = Philox4x32::new(42);
    /// let _: f64 = rng.uniform();
    /// assert_eq!(rng.position(), 2);
    /// assert_eq!(Philox4x32::at(42, 0, 2).next_u32(), rng.next_u32());
    /// ```
    #[inline]
    pub fn position(&self) -> u64 {
        self.block.wrapping_mul(4).wrapping_sub(self.left.into())
    }

    /// Counts `n` blocks on.
    #[inline(always)]
    fn pass_blocks(&mut self, n: u64) {
        let (block, carry) = self.block.overflowing_add(n);
        self.block = block;
        self.subsequence = self.subsequence.wrapping_add(carry.into());
    }

    /// The next block; what was left of the one before is lost.
    #[inline(always)]
    fn make_block(&mut self) {
        self.words = P::words(self.seed, self.subsequence, self.block);
        self.left = 4;
        self.pass_blocks(1);
    }

    /// The first of the words that are left, of which there is one.
    #[inline(always)]
    fn take(&mut self) -> u32 {
        let [first, second, third, fourth] = self.words;
        self.words = [second, third, fourth, 0];
        self.left = self.left.wrapping_sub(1);
        first
    }
}

/// Equal generators give the same words from here on.
impl<P: Permutation> PartialEq for Generator<P> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        // The words follow from these.
        let place = |rng: &Self| (rng.seed, rng.subsequence, rng.block, rng.left);
        place(self) == place(other)
    }
}

impl<P: Permutation> Eq for Generator<P> {}

impl<P: Permutation> Random for Generator<P> {
    #[inline]
    fn next_u32(&mut self) -> u32 {
        if self.left == 0 {
            self.make_block();
        }
        self.take()
    }

    #[doc(alias = "curand4")]
    #[inline]
    fn next_u32x4(&mut self) -> [u32; 4] {
        let new = P::words(self.seed, self.subsequence, self.block);
        self.pass_blocks(1);
        // As many words are left as before. If these are none, the compiler mostly sees it, and nothing moves.
        let ([a, b, c, _], [e, f, g, h]) = (self.words, new);
        let (drawn, words) = match self.left {
            0 => (new, [0; 4]),
            1 => ([a, e, f, g], [h, 0, 0, 0]),
            2 => ([a, b, e, f], [g, h, 0, 0]),
            _ => ([a, b, c, e], [f, g, h, 0]),
        };
        self.words = words;
        drawn
    }
}
