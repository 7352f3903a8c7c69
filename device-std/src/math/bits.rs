//! Single PTX instructions for the bits and bytes of integers. All functions work on the host, too.
//!
//! Each function names its instruction (PTX ISA,
//! [Integer Arithmetic Instructions](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions)). All exist from `sm_70` on; kernels that use `bmsk` or
//! `szext` are compiled for PTX 7.6, which these need.

use super::instruction::by_instruction;
#[cfg(ptyx_device)]
use crate::intrinsics;

/// Byte `i` of a result is the one that `of` chooses from the eight of `x` and `y`.
#[cfg(not(ptyx_device))]
fn bytes(x: u32, y: u32, of: impl Fn(u32) -> u32) -> u32 {
    let all = (u64::from(y) << 32 | u64::from(x)).to_le_bytes();
    u32::from_le_bytes(core::array::from_fn(|i| all[(of(i as u32) % 8) as usize]))
}

by_instruction! {
    /// Four bytes from byte `from % 4` on, of the eight of `x` (numbers 0 to 3) and `y` (4 to 7): a load that is not aligned
    /// ([`prmt.f4e`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-prmt)).
    ///
    /// ```
    /// use ptyx::device::math::bits;
    /// assert_eq!(bits::prmt_f4e(0x3322_1100, 0x7766_5544, 1), 0x4433_2211);
    /// ```
    fn prmt_f4e(x: u32, y: u32, from: u32) -> u32 = prmt_f4e, bytes(x, y, |i| from % 4 + i);
    /// Four bytes from byte `from % 4` backwards, of the eight of `x` and `y`, byte 7 before byte 0 ([`prmt.b4e`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-prmt)).
    ///
    /// ```
    /// use ptyx::device::math::bits;
    /// assert_eq!(bits::prmt_b4e(0x3322_1100, 0x7766_5544, 3), 0x0011_2233);
    /// assert_eq!(bits::prmt_b4e(0x3322_1100, 0x7766_5544, 1), 0x6677_0011);
    /// ```
    fn prmt_b4e(x: u32, y: u32, from: u32) -> u32 = prmt_b4e, bytes(x, y, |i| 8 + from % 4 - i);
    /// Byte `at % 4` of `x`, four times ([`prmt.rc8`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-prmt)).
    ///
    /// ```
    /// use ptyx::device::math::bits;
    /// assert_eq!(bits::prmt_rc8(0x3322_1100, 2), 0x2222_2222);
    /// ```
    fn prmt_rc8(x: u32, at: u32) -> u32 = prmt_rc8, bytes(x, x, |_| at % 4);
    /// The bytes of `x`, those below byte `at % 4` replaced by it ([`prmt.ecl`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-prmt)).
    ///
    /// ```
    /// use ptyx::device::math::bits;
    /// assert_eq!(bits::prmt_ecl(0x3322_1100, 2), 0x3322_2222);
    /// ```
    fn prmt_ecl(x: u32, at: u32) -> u32 = prmt_ecl, bytes(x, x, |i| i.max(at % 4));
    /// The bytes of `x`, those above byte `at % 4` replaced by it ([`prmt.ecr`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-prmt)).
    ///
    /// ```
    /// use ptyx::device::math::bits;
    /// assert_eq!(bits::prmt_ecr(0x3322_1100, 2), 0x2222_1100);
    /// ```
    fn prmt_ecr(x: u32, at: u32) -> u32 = prmt_ecr, bytes(x, x, |i| i.min(at % 4));
    /// Half `at % 2` of `x`, twice ([`prmt.rc16`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-prmt)).
    ///
    /// ```
    /// use ptyx::device::math::bits;
    /// assert_eq!(bits::prmt_rc16(0x3322_1100, 1), 0x3322_3322);
    /// ```
    fn prmt_rc16(x: u32, at: u32) -> u32 = prmt_rc16, bytes(x, x, |i| at % 2 * 2 + i % 2);
    /// A mask of `bits` ones from bit `from` on; numbers above 32 count as 32 ([`bmsk.clamp.b32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-bmsk)).
    ///
    /// ```
    /// use ptyx::device::math::bits;
    /// assert_eq!(bits::bmsk_clamp(4, 8), 0xff0);
    /// assert_eq!(bits::bmsk_clamp(28, 100), 0xf000_0000);
    /// ```
    fn bmsk_clamp(from: u32, bits: u32) -> u32 = bmsk_clamp, mask(from.min(32), bits.min(32));
    /// As [`bmsk_clamp`], with both numbers modulo 32 ([`bmsk.wrap.b32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-bmsk)).
    ///
    /// ```
    /// use ptyx::device::math::bits;
    /// assert_eq!(bits::bmsk_wrap(4, 40), 0xff0);
    /// ```
    fn bmsk_wrap(from: u32, bits: u32) -> u32 = bmsk_wrap, mask(from % 32, bits % 32);
    /// The low `bits` bits of a number, at most 32 of them, as a signed number ([`szext.clamp.s32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-szext)).
    ///
    /// ```
    /// use ptyx::device::math::bits;
    /// assert_eq!(bits::szext_clamp(0x1f, 5), -1);
    /// assert_eq!(bits::szext_clamp(0x1f, 6), 31);
    /// ```
    fn szext_clamp(x: i32, bits: u32) -> i32 = szext_clamp_i32, signed(x, bits.min(32));
    /// As [`szext_clamp`], for an unsigned number ([`szext.clamp.u32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-szext)).
    ///
    /// ```
    /// use ptyx::device::math::bits;
    /// assert_eq!(bits::uszext_clamp(0xabcd, 8), 0xcd);
    /// ```
    fn uszext_clamp(x: u32, bits: u32) -> u32 = szext_clamp_u32, x & mask(0, bits.min(32));
    /// The low `bits % 32` bits of a number, as a signed number ([`szext.wrap.s32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-szext)).
    ///
    /// ```
    /// use ptyx::device::math::bits;
    /// assert_eq!(bits::szext_wrap(0x1f, 37), -1);
    /// ```
    fn szext_wrap(x: i32, bits: u32) -> i32 = szext_wrap_i32, signed(x, bits % 32);
    /// As [`szext_wrap`], for an unsigned number ([`szext.wrap.u32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-szext)).
    ///
    /// ```
    /// use ptyx::device::math::bits;
    /// assert_eq!(bits::uszext_wrap(0xabcd, 40), 0xcd);
    /// ```
    fn uszext_wrap(x: u32, bits: u32) -> u32 = szext_wrap_u32, x & mask(0, bits % 32);
}

/// `bits` ones from bit `from` on; neither number is above 32.
#[cfg(not(ptyx_device))]
fn mask(from: u32, bits: u32) -> u32 {
    (((1u64 << bits) - 1) << from) as u32
}

/// The low bits of a number, signed.
#[cfg(not(ptyx_device))]
fn signed(x: i32, bits: u32) -> i32 {
    if bits == 0 { 0 } else { x << (32 - bits) >> (32 - bits) }
}

macro_rules! found {
    ($($name:ident $shift:ident of $type:ty, $ptx:literal, $what:literal, $zero:literal: $intrinsic:ident $of_shift:ident, |$x:ident| $flipped:expr;)*) => {$(
        #[doc = concat!("The place of the highest ", $what)]
        #[doc = concat!("([`bfind.", $ptx, "`](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-bfind)).")]
        ///
        /// ```
        /// use ptyx::device::math::bits;
        #[doc = concat!("assert_eq!(bits::", stringify!($name), "(0b1001), Some(3));")]
        #[doc = concat!("assert_eq!(bits::", stringify!($name), "(", $zero, "), None);")]
        /// ```
        #[inline(always)]
        pub fn $name(x: $type) -> Option<u32> {
            #[cfg(ptyx_device)]
            // SAFETY: only computes.
            let found = unsafe { intrinsics::$intrinsic(x) };
            #[cfg(not(ptyx_device))]
            let found = {
                let $x = x;
                let flipped = $flipped;
                flipped.checked_ilog2().unwrap_or(u32::MAX)
            };
            (found != u32::MAX).then_some(found)
        }

        #[doc = concat!("How far to shift a number left so that the highest ", $what)]
        #[doc = concat!("comes to the highest place ([`bfind.shiftamt.", $ptx, "`](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-bfind)).")]
        ///
        /// ```
        /// use ptyx::device::math::bits;
        #[doc = concat!("assert_eq!(bits::", stringify!($shift), "(0b1001), Some(", stringify!($type), "::BITS - 4));")]
        #[doc = concat!("assert_eq!(bits::", stringify!($shift), "(", $zero, "), None);")]
        /// ```
        #[inline(always)]
        pub fn $shift(x: $type) -> Option<u32> {
            #[cfg(ptyx_device)]
            // SAFETY: only computes.
            let found = unsafe { intrinsics::$of_shift(x) };
            #[cfg(not(ptyx_device))]
            let found = {
                let $x = x;
                let flipped = $flipped;
                flipped.checked_ilog2().map_or(u32::MAX, |at| <$type>::BITS - 1 - at)
            };
            (found != u32::MAX).then_some(found)
        }
    )*};
}

found! {
    bfind bfind_shift of i32, "s32", "bit that differs from the sign", "-1": bfind_i32 bfind_shift_i32, |x| (x ^ (x >> 31)).cast_unsigned();
    ubfind ubfind_shift of u32, "u32", "bit that is set", "0": bfind_u32 bfind_shift_u32, |x| x;
    bfind64 bfind64_shift of i64, "s64", "bit that differs from the sign", "-1": bfind_i64 bfind_shift_i64, |x| (x ^ (x >> 63)).cast_unsigned();
    ubfind64 ubfind64_shift of u64, "u64", "bit that is set", "0": bfind_u64 bfind_shift_u64, |x| x;
}

/// The place of the `|offset|`th bit that is set, counted from bit `base` on, which is the first if it is set: upwards if
/// `offset` is positive, downwards if it is negative. An offset of 0 asks whether bit `base` is set. Of `base`, the low five bits
/// count ([`fns.b32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-fns), `__fns()` of CUDA C).
///
/// ```
/// use ptyx::device::math::bits;
/// assert_eq!(bits::fns(0b1011_0100, 0, 2), Some(4));
/// assert_eq!(bits::fns(0b1011_0100, 4, -2), Some(2));
/// assert_eq!(bits::fns(0b1011_0100, 3, 0), None);
/// ```
#[doc(alias = "__fns")]
#[inline(always)]
pub fn fns(mask: u32, base: u32, offset: i32) -> Option<u32> {
    #[cfg(ptyx_device)]
    // SAFETY: only computes.
    let found = unsafe { intrinsics::fns(mask, base % 32, offset) };
    #[cfg(not(ptyx_device))]
    let found = {
        let base = base % 32;
        let is_set = |at: &u32| mask >> at & 1 == 1;
        let skipped = offset.unsigned_abs().saturating_sub(1) as usize;
        let found = match offset {
            0 => Some(base).filter(is_set),
            1.. => (base..32).filter(is_set).nth(skipped),
            _ => (0..=base).rev().filter(is_set).nth(skipped),
        };
        found.unwrap_or(u32::MAX)
    };
    (found != u32::MAX).then_some(found)
}
