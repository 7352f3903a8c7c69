//! Integer functions of a GPU that std's methods do not cover. All work on the host, too. (CUDA Math API,
//! [Integer Intrinsics](https://docs.nvidia.com/cuda/cuda-math-api/cuda_math_api/group__CUDA__MATH__INTRINSIC__INT.html).)
//!
//! What CUDA C has as intrinsics and Rust as methods: `__clz` is `leading_zeros`, `__popc` is
//! `count_ones`, `__brev` is `reverse_bits`; each becomes one instruction or two.
//!
//! Every device that Ptyx supports (from `sm_70` on) has these instructions. PTX ISA,
//! [Integer Arithmetic Instructions](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions).

use super::instruction::by_instruction;

by_instruction! {
    /// Four of the eight bytes of `x` (numbers 0 to 3) and `y` (4 to 7), chosen by the low three bits
    /// of the four nibbles of `selector`, the lowest nibble for the lowest byte. A nibble's highest bit
    /// asks for the byte's sign, eight times ([`prmt`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-prmt)).
    ///
    /// ```
    /// use ptyx::device::math::integer;
    /// let (x, y) = (0x3322_1100, 0x7766_5544);
    /// assert_eq!(integer::byte_perm(x, y, 0x0123), 0x0011_2233); // reversed
    /// assert_eq!(integer::byte_perm(x, y, 0x5410), 0x5544_1100); // both low halves
    /// ```
    #[doc(alias = "__byte_perm")]
    fn byte_perm(x: u32, y: u32, selector: u32) -> u32 = byte_perm, {
        let bytes = (u64::from(y) << 32 | u64::from(x)).to_le_bytes();
        u32::from_le_bytes(core::array::from_fn(|i| {
            let nibble = selector >> (4 * i);
            let byte = bytes[(nibble & 7) as usize];
            if nibble & 8 == 0 { byte } else { (byte as i8 >> 7) as u8 }
        }))
    };
    /// `|a - b| + c` ([`sad.s32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-sad)).
    ///
    /// ```
    /// use ptyx::device::math::integer;
    /// assert_eq!(integer::sad(-3, 4, 10), 17);
    /// ```
    #[doc(alias = "__sad")]
    fn sad(a: i32, b: i32, c: u32) -> u32 = sad_i32, a.abs_diff(b).wrapping_add(c);
    /// `|a - b| + c` ([`sad.u32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-sad)).
    ///
    /// ```
    /// use ptyx::device::math::integer;
    /// assert_eq!(integer::usad(3, 4, 10), 11);
    /// ```
    #[doc(alias = "__usad")]
    fn usad(a: u32, b: u32, c: u32) -> u32 = sad_u32, a.abs_diff(b).wrapping_add(c);
    /// `c` plus the products of the four signed bytes of `a` and `b` ([`dp4a.s32.s32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-dp4a)).
    ///
    /// ```
    /// use ptyx::device::math::integer;
    /// let a = i32::from_le_bytes([1, 2, 3, 0xff]); // the last byte is -1
    /// let b = i32::from_le_bytes([10, 20, 30, 40]);
    /// assert_eq!(integer::dp4a(a, b, 5), 5 + 10 + 40 + 90 - 40);
    /// ```
    #[doc(alias = "__dp4a")]
    fn dp4a(a: i32, b: i32, c: i32) -> i32 = dp4a_i32, {
        let bytes = a.to_le_bytes().into_iter().zip(b.to_le_bytes());
        bytes.fold(c, |sum, (a, b)| sum.wrapping_add(i32::from(a as i8) * i32::from(b as i8)))
    };
    /// `c` plus the products of the four bytes of `a` and `b` ([`dp4a.u32.u32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-dp4a)).
    ///
    /// ```
    /// use ptyx::device::math::integer;
    /// let (a, b) = (u32::from_le_bytes([1, 2, 3, 4]), u32::from_le_bytes([10, 20, 30, 40]));
    /// assert_eq!(integer::udp4a(a, b, 5), 5 + 10 + 40 + 90 + 160);
    /// ```
    #[doc(alias = "__dp4a")]
    fn udp4a(a: u32, b: u32, c: u32) -> u32 = dp4a_u32, {
        let bytes = a.to_le_bytes().into_iter().zip(b.to_le_bytes());
        bytes.fold(c, |sum, (a, b)| sum.wrapping_add(u32::from(a) * u32::from(b)))
    };
    /// `c` plus the products of the two signed halves of `a` and the two low signed bytes of `b`
    /// ([`dp2a.lo.s32.s32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-dp2a)).
    ///
    /// ```
    /// use ptyx::device::math::integer;
    /// let (a, b) = (0x0003_0002, i32::from_le_bytes([10, 20, 30, 40]));
    /// assert_eq!(integer::dp2a_lo(a, b, 1), 1 + 2 * 10 + 3 * 20);
    /// ```
    #[doc(alias = "__dp2a_lo")]
    fn dp2a_lo(a: i32, b: i32, c: i32) -> i32 = dp2a_lo_i32, dp2a_of(a, b, c);
    /// `c` plus the products of the two signed halves of `a` and the two high signed bytes of `b` ([`dp2a.hi.s32.s32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-dp2a)).
    ///
    /// ```
    /// use ptyx::device::math::integer;
    /// let (a, b) = (0x0003_0002, i32::from_le_bytes([10, 20, 30, 40]));
    /// assert_eq!(integer::dp2a_hi(a, b, 1), 1 + 2 * 30 + 3 * 40);
    /// ```
    #[doc(alias = "__dp2a_hi")]
    fn dp2a_hi(a: i32, b: i32, c: i32) -> i32 = dp2a_hi_i32, dp2a_of(a, b >> 16, c);
    /// `c` plus the products of the two halves of `a` and the two low bytes of `b`
    /// ([`dp2a.lo.u32.u32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-dp2a)).
    ///
    /// ```
    /// use ptyx::device::math::integer;
    /// let (a, b) = (0x0003_0002, u32::from_le_bytes([10, 20, 30, 40]));
    /// assert_eq!(integer::udp2a_lo(a, b, 1), 1 + 2 * 10 + 3 * 20);
    /// ```
    #[doc(alias = "__dp2a_lo")]
    fn udp2a_lo(a: u32, b: u32, c: u32) -> u32 = dp2a_lo_u32, udp2a_of(a, b, c);
    /// `c` plus the products of the two halves of `a` and the two high bytes of `b` ([`dp2a.hi.u32.u32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-dp2a)).
    ///
    /// ```
    /// use ptyx::device::math::integer;
    /// let (a, b) = (0x0003_0002, u32::from_le_bytes([10, 20, 30, 40]));
    /// assert_eq!(integer::udp2a_hi(a, b, 1), 1 + 2 * 30 + 3 * 40);
    /// ```
    #[doc(alias = "__dp2a_hi")]
    fn udp2a_hi(a: u32, b: u32, c: u32) -> u32 = dp2a_hi_u32, udp2a_of(a, b >> 16, c);
    /// The high word of `high:low`, shifted to the left by `by` modulo 32 ([`shf.l.wrap`](https://docs.nvidia.com/cuda/parallel-thread-execution/#logic-and-shift-instructions-shf)).
    ///
    /// ```
    /// use ptyx::device::math::integer;
    /// assert_eq!(integer::funnel_shift_left(0x8000_0000, 1, 1), 3);
    /// assert_eq!(integer::funnel_shift_left(7, 1, 32), 1); // as by 0
    /// ```
    #[doc(alias = "__funnelshift_l")]
    fn funnel_shift_left(low: u32, high: u32, by: u32) -> u32 = funnel_l_wrap,
        ((join(low, high) << (by & 31)) >> 32) as u32;
    /// The high word of `high:low`, shifted to the left by the smaller of `by` and 32 ([`shf.l.clamp`](https://docs.nvidia.com/cuda/parallel-thread-execution/#logic-and-shift-instructions-shf)).
    ///
    /// ```
    /// use ptyx::device::math::integer;
    /// assert_eq!(integer::funnel_shift_left_clamped(7, 1, 32), 7);
    /// ```
    #[doc(alias = "__funnelshift_lc")]
    fn funnel_shift_left_clamped(low: u32, high: u32, by: u32) -> u32 = funnel_l_clamp,
        ((join(low, high) << by.min(32)) >> 32) as u32;
    /// The low word of `high:low`, shifted to the right by `by` modulo 32 ([`shf.r.wrap`](https://docs.nvidia.com/cuda/parallel-thread-execution/#logic-and-shift-instructions-shf)).
    ///
    /// ```
    /// use ptyx::device::math::integer;
    /// assert_eq!(integer::funnel_shift_right(2, 1, 1), 0x8000_0001);
    /// let rotated = integer::funnel_shift_right(0x1234, 0x1234, 4);
    /// assert_eq!(rotated, 0x1234u32.rotate_right(4));
    /// ```
    #[doc(alias = "__funnelshift_r")]
    fn funnel_shift_right(low: u32, high: u32, by: u32) -> u32 = funnel_r_wrap,
        (join(low, high) >> (by & 31)) as u32;
    /// The low word of `high:low`, shifted to the right by the smaller of `by` and 32 ([`shf.r.clamp`](https://docs.nvidia.com/cuda/parallel-thread-execution/#logic-and-shift-instructions-shf)).
    ///
    /// ```
    /// use ptyx::device::math::integer;
    /// assert_eq!(integer::funnel_shift_right_clamped(7, 1, 32), 1);
    /// ```
    #[doc(alias = "__funnelshift_rc")]
    fn funnel_shift_right_clamped(low: u32, high: u32, by: u32) -> u32 = funnel_r_clamp,
        (join(low, high) >> by.min(32)) as u32;
}

#[cfg(not(ptyx_device))]
fn join(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

#[cfg(not(ptyx_device))]
fn dp2a_of(a: i32, b: i32, c: i32) -> i32 {
    let product = |half: i32, byte: i32| i32::from(half as i16) * i32::from(byte as i8);
    c.wrapping_add(product(a, b)).wrapping_add(product(a >> 16, b >> 8))
}

#[cfg(not(ptyx_device))]
fn udp2a_of(a: u32, b: u32, c: u32) -> u32 {
    let product = |half: u32, byte: u32| (half & 0xffff) * (byte & 0xff);
    c.wrapping_add(product(a, b)).wrapping_add(product(a >> 16, b >> 8))
}

/// An integer that [`mul_hi`] takes.
///
/// ```
/// use ptyx::device::math::integer::{MulHi, mul_hi};
/// fn overflows<T: MulHi + PartialEq + Default>(a: T, b: T) -> bool {
///     mul_hi(a, b) != T::default()
/// }
/// assert!(overflows(1u32 << 16, 1 << 16) && !overflows(3u64, 5));
/// ```
pub trait MulHi: Copy {
    #[doc(hidden)]
    fn high(self, other: Self) -> Self;
}

macro_rules! mul_hi {
    ($($type:ident $wide:ident;)*) => {$(
        impl MulHi for $type {
            #[inline(always)]
            fn high(self, other: $type) -> $type {
                ($wide::from(self).wrapping_mul($wide::from(other)) >> $type::BITS) as $type
            }
        }
    )*};
}

mul_hi! {
    i32 i64;
    u32 u64;
    i64 i128;
    u64 u128;
}

/// The high half of the product ([`mul.hi`](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-mul)).
///
/// ```
/// use ptyx::device::math::integer;
/// assert_eq!(integer::mul_hi(1u32 << 31, 6), 3);
/// assert_eq!(integer::mul_hi(-1i32, 1), -1);
/// ```
#[doc(alias = "__mulhi")]
#[doc(alias = "__umulhi")]
#[doc(alias = "__mul64hi")]
#[doc(alias = "__umul64hi")]
#[inline(always)]
pub fn mul_hi<T: MulHi>(a: T, b: T) -> T {
    a.high(b)
}

/// The low 32 bits of the product of the low 24 bits, as signed numbers ([`mul24.lo.s32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-mul24)). Today's GPUs
/// multiply 32-bit numbers as fast.
///
/// ```
/// use ptyx::device::math::integer;
/// assert_eq!(integer::mul24(-3, 5), -15);
/// assert_eq!(integer::mul24(0x0100_0003, 5), 15); // the upper eight bits are ignored
/// ```
#[doc(alias = "__mul24")]
#[inline(always)]
pub fn mul24(a: i32, b: i32) -> i32 {
    let low = |x: i32| x << 8 >> 8;
    low(a).wrapping_mul(low(b))
}

/// The low 32 bits of the product of the low 24 bits ([`mul24.lo.u32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions-mul24)).
///
/// ```
/// use ptyx::device::math::integer;
/// assert_eq!(integer::umul24(0xff00_0003, 5), 15); // the upper eight bits are ignored
/// ```
#[doc(alias = "__umul24")]
#[inline(always)]
pub fn umul24(a: u32, b: u32) -> u32 {
    let low = |x: u32| x & 0xff_ffff;
    low(a).wrapping_mul(low(b))
}

/// The position of the lowest set bit, counted from 1; 0 if no bit is set.
///
/// ```
/// use ptyx::device::math::integer;
/// assert_eq!(integer::ffs(0b1000), 4);
/// assert_eq!(integer::ffs(0), 0);
/// ```
#[doc(alias = "__ffs")]
#[inline(always)]
pub fn ffs(x: u32) -> u32 {
    if x == 0 { 0 } else { x.trailing_zeros().wrapping_add(1) }
}

/// [`ffs`] of 64 bits.
///
/// ```
/// use ptyx::device::math::integer;
/// assert_eq!(integer::ffs64(1 << 40), 41);
/// ```
#[doc(alias = "__ffsll")]
#[inline(always)]
pub fn ffs64(x: u64) -> u32 {
    if x == 0 { 0 } else { x.trailing_zeros().wrapping_add(1) }
}

/// The average of two signed numbers, rounded down, without overflow.
///
/// ```
/// use ptyx::device::math::integer;
/// assert_eq!(integer::hadd(i32::MAX, i32::MAX - 1), i32::MAX - 1);
/// assert_eq!(integer::hadd(-3, 0), -2);
/// ```
#[doc(alias = "__hadd")]
#[inline(always)]
pub fn hadd(a: i32, b: i32) -> i32 {
    (a & b).wrapping_add((a ^ b) >> 1)
}

/// The average of two numbers, rounded down, without overflow.
///
/// ```
/// use ptyx::device::math::integer;
/// assert_eq!(integer::uhadd(u32::MAX, u32::MAX - 1), u32::MAX - 1);
/// ```
#[doc(alias = "__uhadd")]
#[inline(always)]
pub fn uhadd(a: u32, b: u32) -> u32 {
    (a & b).wrapping_add((a ^ b) >> 1)
}

/// The average of two signed numbers, rounded up, without overflow.
///
/// ```
/// use ptyx::device::math::integer;
/// assert_eq!(integer::rhadd(-3, 0), -1);
/// assert_eq!(integer::rhadd(2, 3), 3);
/// ```
#[doc(alias = "__rhadd")]
#[inline(always)]
pub fn rhadd(a: i32, b: i32) -> i32 {
    (a | b).wrapping_sub((a ^ b) >> 1)
}

/// The average of two numbers, rounded up, without overflow.
///
/// ```
/// use ptyx::device::math::integer;
/// assert_eq!(integer::urhadd(2, 3), 3);
/// ```
#[doc(alias = "__urhadd")]
#[inline(always)]
pub fn urhadd(a: u32, b: u32) -> u32 {
    (a | b).wrapping_sub((a ^ b) >> 1)
}
