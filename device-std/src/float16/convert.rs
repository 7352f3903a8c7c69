//! Conversions with a direction of rounding between 16-bit floats and other numbers: an instruction where the
//! architecture has it, else software.

use super::{Half, ops};
use crate::format::{BF16, F16, Round};
use crate::math::rounding::Convert;
use half::{bf16, f16};

/// A number that becomes a half: exactly in `f64`, or rounded to odd, after which a second rounding does no harm.
trait Exact {
    fn to_odd(self) -> f64;
}

macro_rules! exact {
    ($($type:ident)*) => {$(
        impl Exact for $type {
            #[inline(always)]
            fn to_odd(self) -> f64 {
                self.into()
            }
        }
    )*};
}
exact! { i16 u16 i32 u32 f64 }

impl Exact for u64 {
    fn to_odd(self) -> f64 {
        const BELOW: u32 = u64::BITS - f64::MANTISSA_DIGITS;
        if self >> f64::MANTISSA_DIGITS == 0 {
            return self as f64;
        }
        let is_inexact = self.trailing_zeros() < BELOW;
        (self >> BELOW | u64::from(is_inexact)) as f64 * (1u64 << BELOW) as f64
    }
}

impl Exact for i64 {
    fn to_odd(self) -> f64 {
        let magnitude = self.unsigned_abs().to_odd();
        if self < 0 { -magnitude } else { magnitude }
    }
}

/// Conversions to a half: `$from`, in a register as `$word`. `$head` says what the instruction needs.
macro_rules! to_half {
    ($half:ident $name:literal $format:ident, from $least:literal $head:literal: $($from:ident $type:literal ($($word:tt)*);)*) => {$(
        impl Convert<$half> for $from {
            to_half! { @methods $half $name $format $least $head $type ($($word)*):
                rn "rn" Nearest, rz "rz" Zero, ru "rp" Up, rd "rm" Down }
        }
    )*};
    (@methods $half:ident $name:literal $format:ident $least:literal $head:literal $type:literal $word:tt:
     $($method:ident $mode:literal $round:ident),*) => {$(
        #[inline(always)]
        fn $method(self) -> $half {
            #[cfg(ptyx_device)]
            if crate::arch_at_least!($least) {
                let bits: u16;
                // SAFETY: only computes.
                unsafe {
                    core::arch::asm!(
                        $head,
                        concat!("cvt.", $mode, ".", $name, ".", $type, " {}, {};"),
                        lateout(reg) bits,
                        in(reg) to_half!(@word self $word),
                        options(pure, nomem, nostack, preserves_flags),
                    );
                }
                return $half::from_bits(bits);
            }
            $half::from_bits($format.round(self.to_odd(), Round::$round) as u16)
        }
    )*};
    (@word $x:ident ()) => { $x };
    (@word $x:ident (bits)) => { $x.to_bits() };
}

to_half! { f16 "f16" F16, from 70 "//__ptyx_ptx":
i16 "s16" (); u16 "u16" (); i32 "s32" (); u32 "u32" (); i64 "s64" (); u64 "u64" (); f64 "f64" (bits); }
to_half! { bf16 "bf16" BF16, from 90 "//__ptyx_ptx arch=sm_90 ptx=78":
i16 "s16" (); u16 "u16" (); i32 "s32" (); u32 "u32" (); i64 "s64" (); u64 "u64" (); f64 "f64" (bits); }

macro_rules! from_f32 {
    ($($half:ident)*) => {$(
        impl Convert<$half> for f32 {
            #[inline(always)]
            fn rn(self) -> $half {
                $half::from_f32_rn(self)
            }
            #[inline(always)]
            fn rz(self) -> $half {
                $half::from_f32_rz(self)
            }
            #[inline(always)]
            fn ru(self) -> $half {
                $half::from_f32_ru(self)
            }
            #[inline(always)]
            fn rd(self) -> $half {
                $half::from_f32_rd(self)
            }
        }
    )*};
}
from_f32! { f16 bf16 }

/// Integers of 8 bits, as integers of 16.
macro_rules! from_small {
    ($($half:ident: $($from:ident $wide:ident)*;)*) => {$($(
        impl Convert<$half> for $from {
            from_small! { @methods $half $wide: rn rz ru rd }
        }
    )*)*};
    (@methods $half:ident $wide:ident: $($method:ident)*) => {$(
        #[inline(always)]
        fn $method(self) -> $half {
            Convert::$method($wide::from(self))
        }
    )*};
}

from_small! {
    f16: i8 i16 u8 u16;
    bf16: i8 i16 u8 u16;
}

/// Conversions of a half to integers, in a register as `$register`; on older devices by `f32` and the integer `$wide`.
macro_rules! to_integer {
    ($half:ident $name:literal $to_f32:ident, from $least:literal $head:literal: $($to:ident $type:literal in $register:ident, $wide:ident $nan:expr;)*) => {$(
        impl Convert<$to> for $half {
            to_integer! { @methods $name $to_f32 $least $head $to $type $register $wide ($nan):
                rn "rni" rint, rz "rzi" trunc, ru "rpi" ceil, rd "rmi" floor }
        }
    )*};
    (@methods $name:literal $to_f32:ident $least:literal $head:literal $to:ident $type:literal $register:ident $wide:ident $nan:tt:
     $($method:ident $mode:literal $round:ident),*) => {$(
        #[inline(always)]
        fn $method(self) -> $to {
            #[cfg(ptyx_device)]
            {
                if crate::arch_at_least!($least) {
                    let result: $register;
                    // SAFETY: only computes.
                    unsafe {
                        core::arch::asm!(
                            $head,
                            concat!("cvt.", $mode, ".", $type, ".", $name, " {}, {};"),
                            lateout(reg) result,
                            in(reg) self.to_bits(),
                            options(pure, nomem, nostack, preserves_flags),
                        );
                    }
                    return result as $to;
                }
                let wide: $wide = Convert::$method(ops::$to_f32(self.to_bits()));
                wide.clamp($to::MIN.into(), $to::MAX.into()) as $to
            }
            #[cfg(not(ptyx_device))]
            {
                let x = f64::from(ops::$to_f32(self.to_bits()));
                if x.is_nan() { $nan } else { libm::$round(x) as $to }
            }
        }
    )*};
}

to_integer! { f16 "f16" f16_to_f32, from 70 "//__ptyx_ptx":
i8 "s8" in i16, i32 0; u8 "u8" in u16, i32 0; i16 "s16" in i16, i32 0; u16 "u16" in u16, i32 0;
i32 "s32" in i32, i32 0; u32 "u32" in u32, u32 0;
i64 "s64" in i64, i64 i64::MIN; u64 "u64" in u64, u64 1 << 63; }
to_integer! { bf16 "bf16" bf16_to_f32, from 90 "//__ptyx_ptx arch=sm_90 ptx=78":
i16 "s16" in i16, i32 0; u16 "u16" in u16, i32 0;
i32 "s32" in i32, i32 0; u32 "u32" in u32, u32 0;
i64 "s64" in i64, i64 i64::MIN; u64 "u64" in u64, u64 1 << 63; }

/// Of `bf16`, there is no conversion to integers of 8 bits (NVIDIA's assembler refuses it): by those of 16, which are clamped.
macro_rules! to_small {
    ($($to:ident $wide:ident)*) => {$(
        impl Convert<$to> for bf16 {
            to_small! { @methods $to $wide: rn rz ru rd }
        }
    )*};
    (@methods $to:ident $wide:ident: $($method:ident)*) => {$(
        #[inline(always)]
        fn $method(self) -> $to {
            let wide: $wide = Convert::$method(self);
            wide.clamp($to::MIN.into(), $to::MAX.into()) as $to
        }
    )*};
}

to_small! { i8 i16 u8 u16 }
