//! 128-bit integers.

use crate::harness::{edgy_wide, same};

type Input = (u128, u128, u32);

fn input(rng: &mut ptyx_tests::Rng) -> Input {
    (edgy_wide(rng), edgy_wide(rng), rng.next_u32())
}

fn unsigned(&(a, b, n): &Input) -> [u128; 24] {
    let bits = |x: u32| u128::from(x);
    let (product, overflow) = a.overflowing_mul(b);
    [
        a.wrapping_add(b),
        a.wrapping_sub(b),
        product,
        overflow.into(),
        a.checked_div(b).unwrap_or(1),
        a.checked_rem(b).unwrap_or(2),
        a & b | a ^ !b,
        a << (n % 128),
        a >> (n % 128),
        a.wrapping_shl(n),
        a.rotate_left(n % 256),
        a.saturating_add(b),
        a.saturating_mul(b),
        a.checked_pow(n % 9).unwrap_or(3),
        a.isqrt(),
        a.abs_diff(b),
        bits(a.leading_zeros() << 16 | a.trailing_zeros() << 8 | a.count_ones()),
        a.swap_bytes() ^ b.reverse_bits(),
        u128::from(a < b) + 2 * u128::from(a == b),
        a.div_ceil(b | 1),
        a.checked_ilog2().map_or(4, bits) + 1000 * a.checked_ilog10().map_or(5, bits),
        a.checked_next_power_of_two().unwrap_or(6),
        a.midpoint(b),
        a.checked_next_multiple_of(b).unwrap_or(7),
    ]
}

#[test]
fn unsigned_operations() {
    same(unsigned, input);
}

fn signed(&(a, b, n): &Input) -> [i128; 20] {
    let (a, b) = (a.cast_signed(), b.cast_signed());
    let (difference, overflow) = a.overflowing_sub(b);
    [
        a.wrapping_neg(),
        difference,
        overflow.into(),
        a.wrapping_mul(b),
        a.checked_mul(b).unwrap_or(1),
        a.saturating_mul(b),
        a.checked_div(b).unwrap_or(2),
        a.checked_rem(b).unwrap_or(3),
        a.checked_div_euclid(b).unwrap_or(4),
        a.checked_rem_euclid(b).unwrap_or(5),
        a >> (n % 128),
        a.wrapping_shl(n),
        a.saturating_sub(b),
        a.checked_abs().unwrap_or(6),
        a.signum() * 10 + b.signum(),
        i128::from(a < b) + 2 * i128::from(a.max(b) == a),
        a.wrapping_pow(n % 17),
        a.unsigned_abs().cast_signed(),
        i128::from(a.leading_ones()),
        a.checked_isqrt().unwrap_or(-1),
    ]
}

#[test]
fn signed_operations() {
    same(signed, input);
}

/// Sums and bytes, and arithmetic as code does it that has no overflow methods.
fn mixed(&(a, b, n): &Input) -> [u128; 6] {
    let mut bytes = a.to_be_bytes();
    bytes.rotate_left(n as usize % 16);
    let sum: u128 = bytes.iter().map(|&byte| u128::from(byte) * (b >> 64)).sum();
    let mut digits = 0;
    let mut rest = a;
    while rest > 0 {
        digits = digits * 7 + rest % 10 % 7;
        digits %= 1 << 100;
        rest /= 10;
    }
    let gcd = {
        let (mut x, mut y) = (a, b);
        while y != 0 {
            (x, y) = (y, x % y);
        }
        x
    };
    let factorial: u128 = (1..=u128::from(n % 34)).product();
    [u128::from_le_bytes(bytes), sum, digits, gcd, factorial, u128::from_ne_bytes(b.to_ne_bytes())]
}

#[test]
fn algorithms_in_128_bits() {
    same(mixed, input);
}
