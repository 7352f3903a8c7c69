//! Floats as text, digit for digit as std prints them.
//!
//! C's `printf` can't print the shortest digits that parse to the same number, nor the form `1e3`. So the
//! device makes the text itself, with big integers: G. Steele,
//! J. White, "How to print floating-point numbers accurately" (1990), in the form of R. Burger,
//! R. Dybvig, "Printing floating-point numbers quickly and accurately" (1996). It is slow,
//! short and exact.

use super::{Spec, Style};

/// The largest precision with which floats are printed this way.
pub(super) const MOST_PRECISION: u32 = 16;

/// A float to be printed: `mantissa * 2^exponent`.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub(super) negative: bool,
    /// Zero, infinite or not a number otherwise.
    pub(super) class: Class,
    pub(super) mantissa: u64,
    pub(super) exponent: i32,
    /// The next smaller number is half as far away as the next greater one.
    pub(super) first_of_its_size: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Number,
    Zero,
    Infinite,
    Nan,
}

impl Parts {
    /// From the bits of a float with as many bits of mantissa and exponent.
    pub(super) const fn new(bits: u64, mantissa_bits: u32, exponent_bits: u32) -> Self {
        let fraction = bits & ((1 << mantissa_bits) - 1);
        let most = (1 << exponent_bits) - 1;
        let stored = (bits >> mantissa_bits) & most;
        let least = 2 - (1i32 << (exponent_bits - 1)) - mantissa_bits as i32;
        let (mantissa, exponent) = match stored {
            0 => (fraction, least),
            _ => (fraction | 1 << mantissa_bits, least + stored as i32 - 1),
        };
        let class = match (stored == most, fraction) {
            (true, 0) => Class::Infinite,
            (true, _) => Class::Nan,
            (false, 0) if stored == 0 => Class::Zero,
            (false, _) => Class::Number,
        };
        let negative = bits >> (mantissa_bits + exponent_bits) != 0;
        let first_of_its_size = fraction == 0 && stored > 1;
        Self { negative, class, mantissa, exponent, first_of_its_size }
    }
}

/// Words of the whole numbers: 2^1074 times 10, with room for a carry.
const WORDS: usize = 37;

/// A whole number, the lowest word first.
#[derive(Clone, Copy)]
struct Whole {
    words: [u32; WORDS],
    /// Those above are zero.
    len: usize,
}

impl Whole {
    fn new(value: u64) -> Self {
        let mut words = [0; WORDS];
        (words[0], words[1]) = (value as u32, (value >> 32) as u32);
        Self { words, len: 2 }
    }

    fn times(&mut self, factor: u32) {
        let (mut carry, mut at) = (0u64, 0);
        while at < self.len {
            carry += u64::from(self.words[at]) * u64::from(factor);
            self.words[at] = carry as u32;
            carry >>= 32;
            at += 1;
        }
        if carry != 0 && self.len < WORDS {
            self.words[self.len] = carry as u32;
            self.len += 1;
        }
    }

    fn times_power_of_ten(&mut self, mut power: u32) {
        while power >= 9 {
            self.times(1_000_000_000);
            power -= 9;
        }
        while power > 0 {
            self.times(10);
            power -= 1;
        }
    }

    fn shift(&mut self, mut bits: u32) {
        while bits >= 31 {
            self.times(1 << 31);
            bits -= 31;
        }
        self.times(1 << bits);
    }

    /// The sum with another, compared with a third.
    fn sum_against(&self, other: &Self, third: &Self) -> core::cmp::Ordering {
        let mut sum = *self;
        let mut carry = 0u64;
        for at in 0..WORDS {
            carry += u64::from(sum.words[at]) + u64::from(other.words[at]);
            sum.words[at] = carry as u32;
            carry >>= 32;
        }
        sum.against(third)
    }

    fn against(&self, other: &Self) -> core::cmp::Ordering {
        let mut at = WORDS;
        while at > 0 {
            at -= 1;
            if self.words[at] != other.words[at] {
                return self.words[at].cmp(&other.words[at]);
            }
        }
        core::cmp::Ordering::Equal
    }

    fn minus(&mut self, other: &Self) {
        let mut borrow = 0i64;
        for at in 0..WORDS {
            borrow += i64::from(self.words[at]) - i64::from(other.words[at]);
            self.words[at] = borrow as u32;
            borrow >>= 32;
        }
    }
}

/// Decimal digits of a number, `0.d1d2d3.. * 10^point`.
struct Digits {
    digits: [u8; MOST_DIGITS],
    len: usize,
    point: i32,
}

/// An `f64` of 309 digits and the most precision.
const MOST_DIGITS: usize = 309 + MOST_PRECISION as usize + 1;

/// How many digits.
enum Wanted {
    /// As few as are read back as the same number.
    Shortest,
    /// After the point.
    Behind(u32),
    /// In all.
    InAll(u32),
}

impl Digits {
    fn of(parts: Parts, wanted: &Wanted) -> Self {
        use core::cmp::Ordering::{Equal, Greater, Less};
        let Parts { mantissa, exponent, first_of_its_size, .. } = parts;
        let inclusive = mantissa & 1 == 0;
        // The number is `rest / scale`, half the distances to its neighbours are `above / scale` and
        // `below / scale`.
        let mut rest = Whole::new(mantissa);
        let mut scale = Whole::new(1);
        let mut below = Whole::new(1);
        let double = 1 + u32::from(first_of_its_size);
        rest.shift(exponent.max(0) as u32 + double);
        below.shift(exponent.max(0) as u32);
        scale.shift((-exponent).max(0) as u32 + double);
        let mut above = below;
        if first_of_its_size {
            above.times(2);
        }
        // The power of ten of the first digit, or one less: 1233 / 4096 is a little less than log10(2).
        let bits = exponent + 63 - mantissa.leading_zeros() as i32;
        let mut point = (bits * 1233 - if bits < 0 { 4095 } else { 0 }) / 4096;
        if point >= 0 {
            scale.times_power_of_ten(point as u32);
        } else {
            for number in [&mut rest, &mut above, &mut below] {
                number.times_power_of_ten(-point as u32);
            }
        }
        let shortest = matches!(wanted, Wanted::Shortest);
        // One more digit in front as long as the number, or what it may be rounded to, has one.
        loop {
            let fits = if shortest {
                let order = rest.sum_against(&above, &scale);
                order == Less || (order == Equal && !inclusive)
            } else {
                rest.against(&scale) == Less
            };
            if fits {
                break;
            }
            scale.times(10);
            point += 1;
        }
        let mut found = Self { digits: [b'0'; MOST_DIGITS], len: 0, point };
        let most = match *wanted {
            Wanted::Shortest => MOST_DIGITS as i32,
            Wanted::Behind(digits) => (point + digits as i32).min(MOST_DIGITS as i32),
            Wanted::InAll(digits) => digits as i32,
        };
        let up = loop {
            if found.len as i32 >= most {
                // Exact ties go to the even digit; one before the first digit is below a tie.
                if most < 0 {
                    break false;
                }
                let mut twice = rest;
                twice.times(2);
                let odd = found.len > 0 && found.digits[found.len - 1] & 1 == 1;
                break match twice.against(&scale) {
                    Less => false,
                    Equal => odd,
                    Greater => true,
                };
            }
            rest.times(10);
            let mut digit = b'0';
            while rest.against(&scale) != Less {
                rest.minus(&scale);
                digit += 1;
            }
            found.digits[found.len] = digit;
            found.len += 1;
            if shortest {
                above.times(10);
                below.times(10);
                let low = rest.against(&below);
                let high = rest.sum_against(&above, &scale);
                let low = low == Less || (low == Equal && inclusive);
                let high = high == Greater || (high == Equal && inclusive);
                if low || high {
                    let mut twice = rest;
                    twice.times(2);
                    break high && (!low || twice.against(&scale) != Less);
                }
            }
        };
        if up {
            found.round_up(most);
        }
        found
    }

    fn round_up(&mut self, most: i32) {
        let mut at = self.len;
        while at > 0 {
            at -= 1;
            if self.digits[at] < b'9' {
                self.digits[at] += 1;
                return;
            }
            self.digits[at] = b'0';
        }
        // 9.99 became 10.0: a digit more in front, and, of digits behind the point, one in all.
        self.point += 1;
        if self.len == 0 {
            self.len = usize::from(most >= 0);
        } else {
            self.digits[self.len] = b'0';
        }
        self.digits[0] = b'1';
    }

    fn zero() -> Self {
        Self { digits: [b'0'; MOST_DIGITS], len: 0, point: 0 }
    }

    fn digit(&self, at: i32) -> u8 {
        if at >= 0 && (at as usize) < self.len { self.digits[at as usize] } else { b'0' }
    }
}

/// Text in a room, as far as it fits.
struct Text<'a> {
    room: &'a mut [u8],
    len: usize,
}

impl Text<'_> {
    fn byte(&mut self, byte: u8) {
        // The end takes one.
        if self.len + 1 < self.room.len() {
            self.room[self.len] = byte;
            self.len += 1;
        }
    }

    fn text(&mut self, text: &[u8]) {
        for &byte in text {
            self.byte(byte);
        }
    }

    /// Digits from `from` to before `to`.
    fn digits(&mut self, digits: &Digits, from: i32, to: i32) {
        let mut at = from;
        while at < to {
            self.byte(digits.digit(at));
            at += 1;
        }
    }

    fn decimal(&mut self, digits: &Digits, behind: u32) {
        if digits.point <= 0 {
            self.byte(b'0');
        } else {
            self.digits(digits, 0, digits.point);
        }
        if behind > 0 {
            self.byte(b'.');
            self.digits(digits, digits.point, digits.point + behind as i32);
        }
    }

    fn scientific(&mut self, digits: &Digits, behind: u32, letter: u8) {
        self.byte(digits.digit(0));
        if behind > 0 {
            self.byte(b'.');
            self.digits(digits, 1, 1 + behind as i32);
        }
        self.byte(letter);
        let exponent = if digits.len == 0 { 0 } else { digits.point - 1 };
        if exponent < 0 {
            self.byte(b'-');
        }
        let exponent = exponent.unsigned_abs();
        for scale in [100, 10, 1] {
            if exponent >= scale || scale == 1 {
                self.byte(b'0' + (exponent / scale % 10) as u8);
            }
        }
    }
}

/// Writes the text of a float, with a zero at the end.
#[inline(never)]
pub(super) fn write(parts: Parts, spec: Spec, room: &mut [u8]) {
    let mut text = Text { room, len: 0 };
    let name: &[u8] = match parts.class {
        Class::Nan => b"NaN",
        Class::Infinite => b"inf",
        Class::Zero | Class::Number => b"",
    };
    if parts.class != Class::Nan {
        if parts.negative {
            text.byte(b'-');
        } else if spec.plus {
            text.byte(b'+');
        }
    }
    let after_sign = text.len;
    if name.is_empty() {
        number(&mut text, parts, spec);
    } else {
        text.text(name);
    }
    // As std, in front of `inf`, too.
    let width = (spec.width.unwrap_or(0) as usize).min(text.room.len() - 1);
    if spec.zero && text.len < width {
        let zeros = width - text.len;
        text.room.copy_within(after_sign..text.len, after_sign + zeros);
        text.room[after_sign..after_sign + zeros].fill(b'0');
        text.len = width;
    }
    text.room[text.len] = 0;
}

fn number(text: &mut Text<'_>, parts: Parts, spec: Spec) {
    let letter = match spec.style {
        Style::LowerExp => Some(b'e'),
        Style::UpperExp => Some(b'E'),
        _ => None,
    };
    let wanted = match (spec.precision, letter) {
        (None, _) => Wanted::Shortest,
        (Some(digits), None) => Wanted::Behind(digits),
        (Some(digits), Some(_)) => Wanted::InAll(digits + 1),
    };
    let digits =
        if parts.class == Class::Zero { Digits::zero() } else { Digits::of(parts, &wanted) };
    // As `{:?}` of std: very large and very small numbers have an exponent.
    let is_debug = spec.style == Style::Debug;
    let far = is_debug && digits.len > 0 && !(-3..=16).contains(&digits.point);
    let letter = if far && spec.precision.is_none() { Some(b'e') } else { letter };
    match letter {
        Some(letter) => {
            let behind = spec.precision.unwrap_or((digits.len as u32).saturating_sub(1));
            text.scientific(&digits, behind, letter);
        }
        None => {
            let behind = (digits.len as i32 - digits.point).max(i32::from(is_debug)) as u32;
            text.decimal(&digits, spec.precision.unwrap_or(behind));
        }
    }
}
