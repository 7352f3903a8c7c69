//! Distributions, over any source of random words.

use super::float::{RandomFloat, normal_pair, wide};
use super::integer::{RandomInteger, below_u32};
use super::poisson;
use core::ops::Range;

/// A source of random words, and the distributions made from them.
///
/// The documentation of each function says how many words it draws, so that you can [`skip`] them. In functions
/// that are generic over the float, "one word or two" means one for `f32`, two for `f64`; likewise for "two words
/// or four" and "four words or eight".
///
/// With the feature `rand_core`, the generators of this module also implement that crate's traits.
///
/// [`skip`]: super::Generator::skip
///
/// ```
/// use ptyx::device::random::{Philox4x32, Random};
///
/// /// The sum of `n` dice.
/// fn roll(rng: &mut impl Random, n: u32) -> u32 {
///     (0..n).map(|_| rng.range(1..7)).sum()
/// }
/// let sum = roll(&mut Philox4x32::new(42), 10);
/// assert!((10..=60).contains(&sum));
/// ```
pub trait Random {
    /// 32 random bits.
    ///
    /// ```
    /// use ptyx::device::random::{Philox4x32, Random};
    /// assert_eq!(Philox4x32::new(0).next_u32(), 0x6627_e8d5);
    /// ```
    #[doc(alias = "curand")]
    fn next_u32(&mut self) -> u32;

    /// 64 random bits: two words, the lower one first.
    ///
    /// ```
    /// use ptyx::device::random::{Philox4x32, Random};
    /// assert_eq!(Philox4x32::new(0).next_u64(), 0xe169_c58d_6627_e8d5);
    /// ```
    #[inline]
    fn next_u64(&mut self) -> u64 {
        let low = self.next_u32();
        wide(low, self.next_u32())
    }

    /// Four words. The generators of this module make four at a time, so this is faster than drawing them one by
    /// one. So are [`uniform4`](Self::uniform4), [`normal4`](Self::normal4), and `normal2` of `f64`.
    ///
    /// ```
    /// use ptyx::device::random::{Philox4x32, Random};
    /// let (mut a, mut b) = (Philox4x32::new(42), Philox4x32::new(42));
    /// assert_eq!(a.next_u32x4()[3], [(); 4].map(|()| b.next_u32())[3]);
    /// ```
    #[inline]
    fn next_u32x4(&mut self) -> [u32; 4] {
        [self.next_u32(), self.next_u32(), self.next_u32(), self.next_u32()]
    }

    /// A number in [0, 1): a multiple of 2^-24 (`f32`) or 2^-53 (`f64`), all equally likely. One word or two.
    ///
    /// ```
    /// use ptyx::device::random::{Philox4x32, Random};
    /// let x: f32 = Philox4x32::new(42).uniform();
    /// assert!((0.0..1.0).contains(&x));
    /// ```
    #[inline]
    fn uniform<T: RandomFloat>(&mut self) -> T {
        T::uniform(T::bits(self))
    }

    /// A number in (0, 1], whose logarithm is finite. One word or two.
    ///
    /// An `f32` is what cuRAND makes of the same word: `x 2^-32 + 2^-33`, rounded, so that numbers near 0 have more
    /// than 24 fractional bits. An `f64` is a multiple of 2^-53.
    ///
    /// ```
    /// use ptyx::device::random::{Philox4x32, Random};
    /// assert!(Philox4x32::new(42).open_closed::<f32>() > 0.0);
    /// ```
    #[doc(alias = "curand_uniform")]
    #[doc(alias = "curand_uniform_double")]
    #[inline]
    fn open_closed<T: RandomFloat>(&mut self) -> T {
        T::open_closed(T::bits(self))
    }

    /// Four [`uniform`](Self::uniform) numbers. Four words or eight.
    ///
    /// ```
    /// use ptyx::device::random::{Philox4x32, Random};
    /// let (mut a, mut b) = (Philox4x32::new(42), Philox4x32::new(42));
    /// assert_eq!(a.uniform4::<f32>()[0], b.uniform());
    /// ```
    #[doc(alias = "curand_uniform4")]
    #[inline]
    fn uniform4<T: RandomFloat>(&mut self) -> [T; 4] {
        let [a, b, c, d] = T::bits4(self);
        [T::uniform(a), T::uniform(b), T::uniform(c), T::uniform(d)]
    }

    /// A normally distributed number with mean 0 and standard deviation 1. It is the first of
    /// [`normal2`](Self::normal2); the second is discarded. Two words or four.
    ///
    /// ```
    /// use ptyx::device::random::{Philox4x32, Random};
    /// let mut rng = Philox4x32::new(42);
    /// let height = 1.75 + 0.07 * rng.normal::<f64>();
    /// assert!((1.3..2.2).contains(&height));
    /// ```
    #[doc(alias = "curand_normal")]
    #[inline]
    fn normal<T: RandomFloat>(&mut self) -> T {
        let [first, _] = self.normal2();
        first
    }

    /// Two independent [`normal`](Self::normal) numbers, by the Box-Muller method. Two words or four.
    /// The largest possible magnitude is 6.77 for `f32` and 8.58 for `f64`.
    ///
    /// ```
    /// use ptyx::device::random::{Philox4x32, Random};
    /// let [x, y]: [f32; 2] = Philox4x32::new(42).normal2();
    /// assert!(x.abs() < 6.77 && y.abs() < 6.77);
    /// ```
    #[doc(alias = "curand_normal2")]
    #[doc(alias = "curand_normal2_double")]
    #[inline]
    fn normal2<T: RandomFloat>(&mut self) -> [T; 2] {
        let [radius, turns] = T::bits2(self);
        normal_pair(radius, turns)
    }

    /// Two pairs of [`normal2`](Self::normal2). Four words or eight.
    ///
    /// ```
    /// use ptyx::device::random::{Philox4x32, Random};
    /// let (mut a, mut b) = (Philox4x32::new(42), Philox4x32::new(42));
    /// assert_eq!(a.normal4::<f32>()[..2], b.normal2());
    /// ```
    #[doc(alias = "curand_normal4")]
    #[inline]
    fn normal4<T: RandomFloat>(&mut self) -> [T; 4] {
        let [a, b, c, d] = T::bits4(self);
        let ([a, b], [c, d]) = (normal_pair(a, b), normal_pair(c, d));
        [a, b, c, d]
    }

    /// A number whose logarithm is normally distributed, with this mean and standard deviation. Two words or four.
    ///
    /// ```
    /// use ptyx::device::random::{Philox4x32, Random};
    /// assert!(Philox4x32::new(42).log_normal(1.0, 0.5f32) > 0.0);
    /// ```
    #[doc(alias = "curand_log_normal")]
    #[inline]
    fn log_normal<T: RandomFloat>(&mut self, mean: T, deviation: T) -> T {
        (mean + deviation * self.normal()).exp()
    }

    /// The time until the next event, if `rate` events are expected per unit of time; at least 0. One word or two.
    ///
    /// ```
    /// use ptyx::device::random::{Philox4x32, Random};
    /// assert!(Philox4x32::new(42).exponential(2.5f32) >= 0.0);
    /// ```
    #[inline]
    fn exponential<T: RandomFloat>(&mut self, rate: T) -> T {
        // Never -0, which the logarithm of 1 would give.
        (T::ZERO - self.open_closed::<T>().ln()) / rate
    }

    /// The number of events, if `mean` are expected. Two words if the mean is below 10, otherwise four for each
    /// attempt; mostly there is one attempt.
    ///
    /// The methods are exact, apart from the rounding of `f64`: inversion below 10, otherwise Hörmann's PTRS.
    ///
    /// ```
    /// use ptyx::device::random::{Philox4x32, Random};
    /// assert_eq!(Philox4x32::new(42).poisson(0.0), 0);
    /// assert!((900..1100).contains(&Philox4x32::new(42).poisson(1000.0)));
    /// ```
    ///
    /// # Panics
    /// If `mean` is not from 0 to 10^9.
    #[doc(alias = "curand_poisson")]
    #[inline]
    #[track_caller]
    fn poisson(&mut self, mean: f64) -> u32 {
        assert!(
            (0.0..=1e9).contains(&mean),
            "the mean of a Poisson distribution must be from 0 to 10^9"
        );
        poisson::poisson(self, mean)
    }

    /// `true` with this probability: always if it is 1 or more, never if it is 0 or less or NaN. One word or two.
    ///
    /// ```
    /// use ptyx::device::random::{Philox4x32, Random};
    /// let mut rng = Philox4x32::new(42);
    /// assert!(rng.bernoulli(1.0) && !rng.bernoulli(0.0f32));
    /// ```
    #[inline]
    fn bernoulli<T: RandomFloat>(&mut self, probability: T) -> bool {
        self.uniform::<T>() < probability
    }

    /// An integer below `n`, all equally likely. Mostly one word: another is drawn with a probability below `n /
    /// 2^32`.
    ///
    /// ```
    /// use ptyx::device::random::{Philox4x32, Random};
    /// assert!(Philox4x32::new(42).below(6) < 6);
    /// ```
    ///
    /// # Panics
    /// If `n` is 0.
    #[inline]
    #[track_caller]
    fn below(&mut self, n: u32) -> u32 {
        assert!(n != 0, "there is no number below 0");
        below_u32(self, n)
    }

    /// An integer in a range, all equally likely. Mostly two words for types of 64 bits, one for others.
    ///
    /// ```
    /// use ptyx::device::random::{Philox4x32, Random};
    /// assert!((-5..5).contains(&Philox4x32::new(42).range(-5..5)));
    /// ```
    ///
    /// # Panics
    /// If the range is empty.
    #[inline]
    #[track_caller]
    fn range<T: RandomInteger>(&mut self, range: Range<T>) -> T {
        assert!(range.start < range.end, "the range is empty");
        T::in_range(self, range)
    }

    /// An element of `items`, all equally likely; `None` if there are none. Mostly two words.
    ///
    /// ```
    /// use ptyx::device::random::{Philox4x32, Random};
    /// let mut rng = Philox4x32::new(42);
    /// assert!(rng.choose(&["heads", "tails"]).is_some());
    /// assert!(rng.choose::<u32>(&[]).is_none());
    /// ```
    #[inline]
    fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() {
            return None;
        }
        items.get(usize::in_range(self, 0..items.len()))
    }

    /// Puts `items` in a random order, all orders equally likely (R. A. Fisher and F. Yates, 1938). Mostly two
    /// words for each item except one.
    ///
    /// ```
    /// use ptyx::device::random::{Philox4x32, Random};
    /// let mut cards: [u8; 52] = core::array::from_fn(|i| i as u8);
    /// Philox4x32::new(42).shuffle(&mut cards);
    /// assert_ne!(cards[..4], [0, 1, 2, 3]);
    /// ```
    #[inline]
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, usize::in_range(self, 0..last.wrapping_add(1)));
        }
    }
}

impl<R: Random + ?Sized> Random for &mut R {
    #[inline]
    fn next_u32(&mut self) -> u32 {
        R::next_u32(self)
    }

    #[inline]
    fn next_u32x4(&mut self) -> [u32; 4] {
        R::next_u32x4(self)
    }
}
