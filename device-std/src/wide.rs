//! What 128-bit integers need beyond LLVM's own expansion: division, and conversion from and to
//! floats. PTX has no such instructions, and LLVM would call functions that a device does not have.
//!
//! The compiler sends the operations to these symbols. The semantics are Rust's: division by zero
//! and overflow never arrive here (rustc checks before), conversions to integers saturate.
//!
//! Nothing here may divide or convert 128-bit integers itself.

macro_rules! exports {
    ($(fn $symbol:ident($($argument:ident: $type:ty),*) -> $result:ty = $value:expr;)*) => {$(
        #[cfg_attr(ptyx_device, unsafe(no_mangle))]
        pub(crate) extern "C" fn $symbol($($argument: $type),*) -> $result {
            $value
        }
    )*};
}

exports! {
    fn __ptyx_wide_udiv(n: u128, d: u128) -> u128 = divide(n, d).0;
    fn __ptyx_wide_urem(n: u128, d: u128) -> u128 = divide(n, d).1;
    fn __ptyx_wide_sdiv(n: i128, d: i128) -> i128 =
        with_sign((n < 0) != (d < 0), divide(n.unsigned_abs(), d.unsigned_abs()).0);
    fn __ptyx_wide_srem(n: i128, d: i128) -> i128 =
        with_sign(n < 0, divide(n.unsigned_abs(), d.unsigned_abs()).1);
    fn __ptyx_wide_u_to_f32(x: u128) -> f32 = {
        let (top, shift) = top_bits(x);
        top as f32 * power_of_two_f32(shift)
    };
    fn __ptyx_wide_u_to_f64(x: u128) -> f64 = {
        let (top, shift) = top_bits(x);
        top as f64 * power_of_two_f64(shift)
    };
    fn __ptyx_wide_s_to_f32(x: i128) -> f32 = {
        let size = __ptyx_wide_u_to_f32(x.unsigned_abs());
        if x < 0 { -size } else { size }
    };
    fn __ptyx_wide_s_to_f64(x: i128) -> f64 = {
        let size = __ptyx_wide_u_to_f64(x.unsigned_abs());
        if x < 0 { -size } else { size }
    };
    fn __ptyx_wide_f64_to_u(x: f64) -> u128 = if x >= 1.0 { truncate(x).unwrap_or(u128::MAX) } else { 0 };
    fn __ptyx_wide_f32_to_u(x: f32) -> u128 = __ptyx_wide_f64_to_u(f64::from(x));
    fn __ptyx_wide_f64_to_s(x: f64) -> i128 = {
        const LIMIT: u128 = 1 << 127;
        let size = __ptyx_wide_f64_to_u(if x < 0.0 { -x } else { x });
        match (x < 0.0, size >= LIMIT) {
            (false, true) => i128::MAX,
            (true, true) => i128::MIN,
            (negative, false) => with_sign(negative, size),
        }
    };
    fn __ptyx_wide_f32_to_s(x: f32) -> i128 = __ptyx_wide_f64_to_s(f64::from(x));
}

fn with_sign(negative: bool, size: u128) -> i128 {
    if negative { (size as i128).wrapping_neg() } else { size as i128 }
}

fn high(x: u128) -> u64 {
    (x >> 64) as u64
}

/// Quotient and remainder. `d` is not zero.
fn divide(n: u128, d: u128) -> (u128, u128) {
    if d > n {
        return (0, n);
    }
    if high(n) == 0 {
        return (u128::from(n as u64 / d as u64), u128::from(n as u64 % d as u64));
    }
    if high(d) == 0 {
        // Schoolbook, with 64-bit digits and a divisor of one digit.
        let d = d as u64;
        let (first, rest) = (high(n) / d, high(n) % d);
        let (second, rest) = divide_two_digits(rest, n as u64, d);
        return (u128::from(first) << 64 | u128::from(second), u128::from(rest));
    }
    // The quotient has one digit. Dividing n / 2 by the normalised top digit of d gives it or one
    // more than it (Warren, Hacker's Delight, 9-5).
    let shift = high(d).leading_zeros();
    let top = high(d << shift);
    let half = n >> 1;
    let (estimate, _) = divide_two_digits(high(half), half as u64, top);
    let quotient = (u128::from(estimate) << shift >> 63).saturating_sub(1);
    let rest = n.wrapping_sub(quotient.wrapping_mul(d));
    if rest >= d { (quotient.wrapping_add(1), rest.wrapping_sub(d)) } else { (quotient, rest) }
}

/// Divides the number with the digits `high`, `low` by `d`; `high < d`.
///
/// Knuth, The Art of Computer Programming, 4.3.1, algorithm D, with 32-bit digits.
fn divide_two_digits(high: u64, low: u64, d: u64) -> (u64, u64) {
    const DIGIT: u64 = 1 << 32;
    let shift = d.leading_zeros();
    let d = d << shift;
    let n = (u128::from(high) << 64 | u128::from(low)) << shift;
    let (d1, d0) = (d >> 32, d % DIGIT);
    let low = n as u64;
    let step = |rest: u64, next: u64| {
        let (mut quotient, mut over) = (rest / d1, rest % d1);
        while quotient >= DIGIT || quotient.wrapping_mul(d0) > (over << 32 | next) {
            quotient = quotient.wrapping_sub(1);
            over = over.wrapping_add(d1);
            if over >= DIGIT {
                break;
            }
        }
        (quotient, (rest << 32 | next).wrapping_sub(quotient.wrapping_mul(d)))
    };
    let (q1, rest) = step((n >> 64) as u64, low >> 32);
    let (q0, rest) = step(rest, low % DIGIT);
    (q1 << 32 | q0, rest >> shift)
}

/// The top 64 bits of `x`, the lowest set if any bit below is, and how far they were shifted: so
/// that rounding them to a float rounds `x`.
fn top_bits(x: u128) -> (u64, u32) {
    let shift = 64_u32.saturating_sub(x.leading_zeros());
    let top = (x >> shift) as u64;
    let lost = x & ((1_u128 << shift).wrapping_sub(1)) != 0;
    (top | u64::from(lost), shift)
}

/// 2 to the power `n`, up to 64.
fn power_of_two_f32(n: u32) -> f32 {
    f32::from_bits(n.wrapping_add(127) << 23)
}

/// 2 to the power `n`, up to 64.
fn power_of_two_f64(n: u32) -> f64 {
    f64::from_bits(u64::from(n.wrapping_add(1023)) << 52)
}

/// The integer part of `x`, which is at least 1; `None` if it is 2 to the 128 or more.
fn truncate(x: f64) -> Option<u128> {
    let bits = x.to_bits();
    let exponent = (bits >> 52) as u32 & 0x7ff;
    let mantissa = u128::from(bits & ((1 << 52) - 1) | 1 << 52);
    let power = exponent.wrapping_sub(1023);
    match power {
        0..=51 => Some(mantissa >> 52_u32.wrapping_sub(power)),
        52..=127 => Some(mantissa << power.wrapping_sub(52)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of all sizes, with edges; the same every time.
    fn numbers() -> std::vec::Vec<u128> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut all = std::vec![0, 1, 2, 3, u128::MAX, u128::MAX - 1, 1 << 127, (1 << 127) - 1];
        for bits in 0..128 {
            all.extend([1 << bits, (1 << bits) + 1, (1 << bits) - 1]);
            let random = u128::from(next()) << 64 | u128::from(next());
            all.extend([random >> bits, random | (1 << bits)]);
        }
        all
    }

    #[test]
    fn division_is_the_hosts() {
        let numbers = numbers();
        for &n in &numbers {
            for &d in numbers.iter().filter(|d| **d != 0) {
                assert_eq!(__ptyx_wide_udiv(n, d), n / d, "{n} / {d}");
                assert_eq!(__ptyx_wide_urem(n, d), n % d, "{n} % {d}");
                let (n, d) = (n as i128, d as i128);
                if let (Some(quotient), Some(rest)) = (n.checked_div(d), n.checked_rem(d)) {
                    assert_eq!(__ptyx_wide_sdiv(n, d), quotient, "{n} / {d}");
                    assert_eq!(__ptyx_wide_srem(n, d), rest, "{n} % {d}");
                }
            }
        }
    }

    #[test]
    fn conversions_to_floats_are_the_hosts() {
        for n in numbers() {
            assert_eq!(__ptyx_wide_u_to_f32(n).to_bits(), (n as f32).to_bits(), "{n}");
            assert_eq!(__ptyx_wide_u_to_f64(n).to_bits(), (n as f64).to_bits(), "{n}");
            let n = n as i128;
            assert_eq!(__ptyx_wide_s_to_f32(n).to_bits(), (n as f32).to_bits(), "{n}");
            assert_eq!(__ptyx_wide_s_to_f64(n).to_bits(), (n as f64).to_bits(), "{n}");
        }
    }

    #[test]
    fn conversions_from_floats_are_the_hosts() {
        let mut floats =
            std::vec![0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.99, 1e300];
        for n in numbers() {
            floats.extend([n as f64, n as f64 * 0.37, -(n as f64), -(n as f64) * 1.01]);
        }
        for x in floats {
            assert_eq!(__ptyx_wide_f64_to_u(x), x as u128, "{x}");
            assert_eq!(__ptyx_wide_f64_to_s(x), x as i128, "{x}");
            assert_eq!(__ptyx_wide_f32_to_u(x as f32), x as f32 as u128, "{x}");
            assert_eq!(__ptyx_wide_f32_to_s(x as f32), x as f32 as i128, "{x}");
        }
    }
}
