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
    fn full = 0;
    /// The loop is not unrolled.
    fn never = 1;
    /// The loop's body is repeated `COUNT` times, at least 2.
    fn times<const COUNT: u32> = const { assert!(COUNT >= 2); COUNT };
}
