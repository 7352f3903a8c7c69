//! The marks that `#[unroll]` and `unroll!` put into the bodies of loops.
//!
//! On the host they do nothing: a function with such a loop runs there, too.

macro_rules! marks {
    ($($(#[$doc:meta])* fn $name:ident$(<const $count:ident: u32>)? = $how:expr;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name$(<const $count: u32>)?() {
            #[cfg(ptyx_device)]
            // SAFETY: the compiler turns the mark into metadata of the loop around it.
            unsafe {
                crate::intrinsics::__ptyx_unroll($how)
            }
        }
    )*};
}

// The numbers are those of `compiler/src/lower/mark_unrolled_loops.rs`.
marks! {
    /// The loop is replaced by one copy of its body for each iteration, if the trip count is known.
    ///
    /// ```
    /// use ptyx::device::unroll;
    ///
    /// /// The loop of constant length becomes eight additions.
    /// fn sum(x: &[u32; 8]) -> u32 {
    ///     let mut sum = 0;
    ///     for x in x {
    ///         unroll::full();
    ///         sum += x;
    ///     }
    ///     sum
    /// }
    /// assert_eq!(sum(&[3; 8]), 24);
    /// ```
    fn full = 0;
    /// The loop is not unrolled.
    ///
    /// ```
    /// use ptyx::device::unroll;
    ///
    /// /// Keeps the code short: the loop is rarely reached.
    /// fn steps(mut n: u64) -> u32 {
    ///     let mut steps = 0;
    ///     while n != 1 {
    ///         unroll::never();
    ///         n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
    ///         steps += 1;
    ///     }
    ///     steps
    /// }
    /// assert_eq!(steps(6), 8);
    /// ```
    fn never = 1;
    /// The loop's body is repeated `COUNT` times, at least 2.
    ///
    /// ```
    /// use ptyx::device::unroll;
    ///
    /// /// The loop's condition is checked once for every four elements.
    /// fn sum(x: &[u32]) -> u32 {
    ///     let mut sum = 0;
    ///     for x in x {
    ///         unroll::times::<4>();
    ///         sum += x;
    ///     }
    ///     sum
    /// }
    /// assert_eq!(sum(&[3; 10]), 30);
    /// ```
    fn times<const COUNT: u32> = const { assert!(COUNT >= 2); COUNT };
}
