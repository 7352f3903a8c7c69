//! Integer arithmetic of every width: checked, wrapping, saturating, overflowing; shifts.

use crate::harness::{edgy_wide, same};

/// For each type, a function with the operations that all integers have.
macro_rules! integers {
    ($($test:ident: $type:ident;)*) => {$(
        mod $test {
            use super::*;

            type Operands = ($type, $type, u32);

            pub(super) fn checked(&(a, b, n): &Operands) -> [Plain<$type>; 14] {
                [
                    plain(a.checked_add(b)),
                    plain(a.checked_sub(b)),
                    plain(a.checked_mul(b)),
                    plain(a.checked_div(b)),
                    plain(a.checked_rem(b)),
                    plain(a.checked_div_euclid(b)),
                    plain(a.checked_rem_euclid(b)),
                    plain(a.checked_neg()),
                    plain(a.checked_shl(n)),
                    plain(a.checked_shr(n)),
                    plain(a.checked_pow(n % 12)),
                    plain(a.checked_ilog2().map(|x| x as $type)),
                    plain(a.checked_ilog10().map(|x| x as $type)),
                    plain(a.checked_ilog(7).map(|x| x as $type)),
                ]
            }

            pub(super) fn wrapping(&(a, b, n): &Operands) -> [$type; 19] {
                let b_or_one = if b == 0 { 1 } else { b };
                [
                    a.wrapping_add(b),
                    a.wrapping_sub(b),
                    a.wrapping_mul(b),
                    a.wrapping_div(b_or_one),
                    a.wrapping_rem(b_or_one),
                    a.wrapping_neg(),
                    a.wrapping_shl(n),
                    a.wrapping_shr(n),
                    a.wrapping_pow(n % 40),
                    a.saturating_add(b),
                    a.saturating_sub(b),
                    a.saturating_mul(b),
                    a.saturating_div(b_or_one),
                    a.saturating_pow(n % 40),
                    a.rotate_left(n),
                    a.rotate_right(n),
                    a.swap_bytes(),
                    a.reverse_bits(),
                    a.unbounded_shl(n).wrapping_add(a.unbounded_shr(n)),
                ]
            }

            pub(super) fn overflowing(&(a, b, n): &Operands) -> [($type, bool); 7] {
                [
                    a.overflowing_add(b),
                    a.overflowing_sub(b),
                    a.overflowing_mul(b),
                    a.overflowing_neg(),
                    a.overflowing_shl(n),
                    a.overflowing_shr(n),
                    a.overflowing_pow(n % 20),
                ]
            }

            /// Shifts by every amount that is in range, of every type of amount.
            pub(super) fn shifts(&(a, b, n): &Operands) -> [$type; 8] {
                let n = n % $type::BITS;
                [
                    a << n,
                    a >> n,
                    a << n as u8,
                    a >> n as i64,
                    a << u64::from(n) | b >> ($type::BITS - 1 - n),
                    !a & b ^ a | b >> 1,
                    ((a as u128) << n) as $type,
                    (a as i128 >> n) as $type,
                ]
            }

            pub(super) fn counts(&(a, b, _): &Operands) -> [u32; 8] {
                [
                    a.leading_zeros(),
                    a.trailing_zeros(),
                    a.leading_ones(),
                    a.trailing_ones(),
                    a.count_ones(),
                    a.count_zeros(),
                    (a < b) as u32 + 2 * (a == b) as u32,
                    a.cmp(&b) as i8 as u32,
                ]
            }

            #[test]
            fn $test() {
                let small = |x: u128| x as $type;
                let input = |rng: &mut ptyx_tests::Rng| {
                    (small(edgy_wide(rng)), small(edgy_wide(rng)), rng.next_u32() >> rng.below(32))
                };
                same(checked, input);
                same(wrapping, input);
                same(overflowing, input);
                same(shifts, input);
                same(counts, input);
            }
        }
    )*};
}

/// An `Option` of a plain number, as plain bytes.
type Plain<T> = (bool, T);

fn plain<T: Default>(value: Option<T>) -> Plain<T> {
    (value.is_some(), value.unwrap_or_default())
}

integers! {
    type_u8: u8;
    type_u16: u16;
    type_u32: u32;
    type_u64: u64;
    type_u128: u128;
    type_usize: usize;
    type_i8: i8;
    type_i16: i16;
    type_i32: i32;
    type_i64: i64;
    type_i128: i128;
    type_isize: isize;
}
