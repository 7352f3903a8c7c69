//! Enums with data, `Option`, `Result`, `?`, pattern matching.

use crate::harness::{digest, edgy, same};
use core::num::NonZeroU32;
use core::ops::ControlFlow;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Token {
    Number(i64),
    Operator { sign: char, left: bool },
    Open,
    Close,
    Pair(i16, i16),
}

fn token(bits: u64) -> Token {
    match bits % 7 {
        0 | 1 => Token::Number((bits >> 3) as i64 & 0xffff),
        2 => Token::Operator { sign: ['+', '-', '*', '/'][(bits >> 5) as usize % 4], left: true },
        3 => Token::Operator { sign: '^', left: false },
        4 => Token::Open,
        5 => Token::Close,
        _ => Token::Pair((bits >> 8) as i16, (bits >> 24) as i16),
    }
}

fn patterns(x: &[u64; 6]) -> [i64; 6] {
    let tokens = x.map(token);
    let class = |token: Token| match token {
        Token::Number(0) => 0,
        Token::Number(n @ 1..=99) => n,
        Token::Number(n) if n % 2 == 0 => -n,
        Token::Number(_) => 1000,
        Token::Operator { sign: '+' | '-', .. } => 1001,
        Token::Operator { left: false, sign } => i64::from(u32::from(sign)),
        Token::Operator { sign, .. } => -i64::from(u32::from(sign)),
        Token::Open | Token::Close => 1002,
        Token::Pair(a @ i16::MIN..0, b) => i64::from(a) * i64::from(b),
        Token::Pair(.., b) => i64::from(b),
    };
    let ends = match &tokens[..] {
        [Token::Open, inner @ .., Token::Close] => inner.len() as i64,
        [Token::Number(a), .., Token::Number(b)] => a - b,
        [first, .., last] if first == last => -1,
        [_, second, ..] => class(*second),
        _ => -2,
    };
    let Token::Number(number) = tokens[0] else {
        return [ends, -3, 0, 0, 0, i64::from(tokens[0] < tokens[1])];
    };
    let counted = tokens.iter().filter(|t| matches!(t, Token::Pair(a, b) if a < b)).count();
    let largest = tokens.iter().max().copied().map_or(0, class);
    let hashed = digest(tokens).cast_signed();
    let joined = if let (Token::Number(a), Token::Number(b)) = (tokens[1], tokens[2])
        && let Some(product) = a.checked_mul(b)
    {
        product
    } else {
        0
    };
    [ends, number, counted as i64, largest, hashed, joined]
}

#[test]
fn enums_with_data_and_patterns() {
    same(patterns, |rng| core::array::from_fn(|_| edgy(rng)));
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Failure {
    Empty,
    Digit { at: usize, byte: u8 },
    Overflow,
}

impl From<core::num::TryFromIntError> for Failure {
    fn from(_: core::num::TryFromIntError) -> Failure {
        Failure::Overflow
    }
}

fn number(digits: &[u8]) -> Result<u16, Failure> {
    let (&first, _) = digits.split_first().ok_or(Failure::Empty)?;
    let mut value = 0u64;
    for (at, &byte) in digits.iter().enumerate() {
        let digit = char::from(byte).to_digit(10).ok_or(Failure::Digit { at, byte })?;
        value = value
            .checked_mul(10)
            .and_then(|v| v.checked_add(digit.into()))
            .ok_or(Failure::Overflow)?;
    }
    if first == b'0' && digits.len() > 1 {
        return Err(Failure::Digit { at: 0, byte: b'0' });
    }
    Ok(u16::try_from(value)?)
}

fn sum_of_numbers(text: &[u8]) -> Result<Option<u16>, Failure> {
    let mut fields = text.split(|&b| b == b' ');
    let Some(first) = fields.next().filter(|f| !f.is_empty()) else { return Ok(None) };
    fields
        .try_fold(number(first)?, |sum, field| {
            number(field).and_then(|n| sum.checked_add(n).ok_or(Failure::Overflow))
        })
        .map(Some)
}

fn parsing(text: &[u8; 12]) -> (u8, u64, u64) {
    let length = text.iter().position(|&b| b == 0).unwrap_or(text.len());
    match sum_of_numbers(&text[..length]) {
        Ok(Some(sum)) => (0, sum.into(), 0),
        Ok(None) => (1, 0, 0),
        Err(Failure::Empty) => (2, 0, 0),
        Err(Failure::Digit { at, byte }) => (3, at as u64, byte.into()),
        Err(Failure::Overflow) => (4, 0, 0),
    }
}

#[test]
fn results_and_the_question_mark() {
    same(parsing, |rng| {
        let letters = b"0123456789012345678912  x\0";
        core::array::from_fn(|_| letters[rng.below(letters.len())])
    });
}

fn options(&[a, b, c]: &[u64; 3]) -> [u64; 8] {
    let some = |x: u64| (x % 3 != 0).then_some(x / 3);
    let (mut x, y) = (some(a), some(b));
    let chained = (|| Some(x?.wrapping_add(y?).checked_sub(some(c)?)?))();
    let replaced = x.replace(c);
    let taken = x.take_if(|x| *x % 2 == 0);
    let inserted = *x.get_or_insert_with(|| b);
    let nested: Option<Option<Result<u64, ()>>> =
        Some(y.map(|v| if v % 2 == 0 { Ok(v) } else { Err(()) }));
    let transposed = nested.flatten().transpose().map_or(7, |v| v.unwrap_or(9));
    let niche = NonZeroU32::new(a as u32).map_or(0, |n| n.trailing_zeros().into());
    let flow = (0..10u64).try_for_each(|i| {
        if i.wrapping_mul(a) % 7 == b % 7 {
            ControlFlow::Break(i)
        } else {
            ControlFlow::Continue(())
        }
    });
    let flow = match flow {
        ControlFlow::Break(i) => i,
        ControlFlow::Continue(()) => 100,
    };
    [
        chained.unwrap_or(u64::MAX),
        replaced.xor(y).or(taken).unwrap_or_default(),
        inserted,
        transposed,
        niche,
        flow,
        x.zip(y).map_or(0, |(x, y)| x ^ y),
        u64::from(x.is_some_and(|x| x > b)) + 2 * u64::from(y.is_none_or(|y| y > a)),
    ]
}

#[test]
fn option_methods() {
    same(options, |rng| core::array::from_fn(|_| edgy(rng)));
}

/// Discriminants with values, and conversions by `TryFrom`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i16)]
enum Level {
    Low = -300,
    Middle = 5,
    High,
    Top = 0x7000,
}

impl TryFrom<i16> for Level {
    type Error = i16;
    fn try_from(value: i16) -> Result<Level, i16> {
        use Level::*;
        [Low, Middle, High, Top].into_iter().find(|&l| l as i16 == value).ok_or(value)
    }
}

fn levels(&x: &u64) -> (i64, bool) {
    let value = [-300, 5, 6, 0x7000, x as i16][x as usize % 5];
    match Level::try_from(value) {
        Ok(level) => {
            (i64::from(level as i16) + i64::from(level as i16 as u8), level == Level::High)
        }
        Err(value) => (-i64::from(value), false),
    }
}

#[test]
fn discriminants() {
    same(levels, edgy);
}

/// Labelled loops and blocks that give values.
fn labels(&[a, b]: &[u64; 2]) -> [u64; 2] {
    let mut steps = 0;
    let found = 'search: {
        'row: for i in 0..8u64 {
            for j in i..8 {
                steps += 1;
                if (a >> (8 * i) ^ b >> (8 * j)) & 0xff == 0 {
                    break 'search Some(8 * i + j);
                }
                if (a ^ b) >> (i + j) & 3 == 3 {
                    continue 'row;
                }
            }
        }
        None
    };
    [found.unwrap_or(64), steps]
}

#[test]
fn labelled_breaks() {
    same(labels, |rng| [edgy(rng), edgy(rng)]);
}
