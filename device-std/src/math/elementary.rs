//! The elementary functions that others are made of, for both types.

use super::float::Float;
use super::single;

/// What `f32` has in [`single`] and `f64` in the `libm` crate.
pub(crate) trait Elementary: Float {
    /// The sine of at most π/4.
    fn small_sin(self) -> Self;
    /// The cosine of at most π/4.
    fn small_cos(self) -> Self;
    fn exp(self) -> Self;
    fn ln(self) -> Self;
    fn erfc(self) -> Self;
}

macro_rules! elementary {
    ($type:ident: $($name:ident = $function:path;)*) => {
        impl Elementary for $type {
            $(
                #[inline(always)]
                fn $name(self) -> $type {
                    $function(self)
                }
            )*
        }
    };
}

elementary! { f32:
    small_sin = single::small_sin;
    small_cos = single::small_cos;
    exp = single::exp;
    ln = single::ln;
    erfc = libm::erfcf;
}

elementary! { f64:
    small_sin = libm::sin;
    small_cos = libm::cos;
    exp = libm::exp;
    ln = libm::log;
    erfc = libm::erfc;
}
