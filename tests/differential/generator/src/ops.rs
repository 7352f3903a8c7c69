//! Operations on scalars, as rows of tables: an expression and the types of its arguments.
//!
//! `$0`, `$1` stand for the arguments, `$T` for the type, `$U` and `$S` for the integer of the same
//! width without and with a sign. Rows of one table give a value of the type that the table names.

/// An argument's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arg {
    /// The type itself.
    T,
    /// The type itself, never zero.
    NonZero,
    /// The unsigned integer of the same width.
    U,
    /// The signed integer of the same width.
    S,
    U32,
    Usize,
    Bool,
    Char,
    /// Any integer.
    Int,
    /// Any float.
    Float,
    F32,
    F64,
    /// The number of one of the library's texts.
    Text,
    /// Any scalar but `char`.
    Number,
}

impl Arg {
    /// Whether it is a float whatever the row's type is.
    pub(crate) fn is_float(self) -> bool {
        matches!(self, Float | F32 | F64)
    }
}

/// An operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) text: &'static str,
    pub(crate) args: &'static [Arg],
}

use Arg::{Bool, Char, F32, F64, Float, Int as I, NonZero, Number, S, T, Text, U, U32, Usize};

const fn row(text: &'static str, args: &'static [Arg]) -> Row {
    Row { text, args }
}

/// Integers from integers of the same type. None of them panics.
pub(crate) const INT: &[Row] = &[
    row("$0.wrapping_add($1)", &[T, T]),
    row("$0.wrapping_add($1)", &[T, T]),
    row("$0.wrapping_sub($1)", &[T, T]),
    row("$0.wrapping_mul($1)", &[T, T]),
    row("$0.wrapping_mul($1)", &[T, T]),
    row("($0 & $1)", &[T, T]),
    row("($0 | $1)", &[T, T]),
    row("($0 ^ $1)", &[T, T]),
    row("(!$0)", &[T]),
    row("$0.wrapping_neg()", &[T]),
    row("$0.wrapping_shl($1)", &[T, U32]),
    row("$0.wrapping_shr($1)", &[T, U32]),
    row("($0 << ($1 % $T::BITS))", &[T, U32]),
    row("($0 >> ($1 % $T::BITS))", &[T, U32]),
    row("$0.unbounded_shl($1 % 200)", &[T, U32]),
    row("$0.unbounded_shr($1 % 200)", &[T, U32]),
    row("$0.rotate_left($1)", &[T, U32]),
    row("$0.rotate_right($1)", &[T, U32]),
    row("$0.saturating_add($1)", &[T, T]),
    row("$0.saturating_sub($1)", &[T, T]),
    row("$0.saturating_mul($1)", &[T, T]),
    row("$0.saturating_pow($1 % 9)", &[T, U32]),
    row("$0.wrapping_pow($1 % 9)", &[T, U32]),
    row("$0.checked_add($1).unwrap_or($2)", &[T, T, T]),
    row("$0.checked_sub($1).unwrap_or($2)", &[T, T, T]),
    row("$0.checked_mul($1).unwrap_or($2)", &[T, T, T]),
    row("$0.checked_div($1).unwrap_or($2)", &[T, T, T]),
    row("$0.checked_rem($1).unwrap_or($2)", &[T, T, T]),
    row("$0.checked_shl($1 % 200).unwrap_or($2)", &[T, U32, T]),
    row("$0.checked_shr($1 % 200).unwrap_or($2)", &[T, U32, T]),
    row("$0.checked_pow($1 % 9).unwrap_or($2)", &[T, U32, T]),
    row("$0.checked_neg().unwrap_or($1)", &[T, T]),
    row("match $0.overflowing_add($1) { (x, true) => !x, (x, false) => x }", &[T, T]),
    row("match $0.overflowing_sub($1) { (x, true) => !x, (x, false) => x }", &[T, T]),
    row("match $0.overflowing_mul($1) { (x, true) => !x, (x, false) => x }", &[T, T]),
    row("match $0.overflowing_shl($1) { (x, true) => !x, (x, false) => x }", &[T, U32]),
    row("match $0.overflowing_shr($1) { (x, true) => !x, (x, false) => x }", &[T, U32]),
    row("match $0.overflowing_pow($1 % 9) { (x, true) => !x, (x, false) => x }", &[T, U32]),
    row("match $0.overflowing_neg() { (x, true) => !x, (x, false) => x }", &[T]),
    row("match $0.overflowing_div($1) { (x, true) => !x, (x, false) => x }", &[T, NonZero]),
    row("match $0.overflowing_rem_euclid($1) { (x, true) => !x, (x, false) => x }", &[T, NonZero]),
    row("$0.saturating_div($1)", &[T, NonZero]),
    row("$0.wrapping_div($1)", &[T, NonZero]),
    row("$0.wrapping_rem($1)", &[T, NonZero]),
    row("$0.wrapping_div_euclid($1)", &[T, NonZero]),
    row("$0.wrapping_rem_euclid($1)", &[T, NonZero]),
    row("$0.checked_div_euclid($1).unwrap_or($2)", &[T, T, T]),
    row("$0.min($1)", &[T, T]),
    row("$0.max($1)", &[T, T]),
    row("{ let (x, y, z) = ($0, $1, $2); x.clamp(y.min(z), y.max(z)) }", &[T, T, T]),
    row("$0.midpoint($1)", &[T, T]),
    row("$0.swap_bytes()", &[T]),
    row("$0.reverse_bits()", &[T]),
    row("$0.to_be()", &[T]),
    row("$T::from_le_bytes($0.to_be_bytes())", &[T]),
    row("$T::from_ne_bytes({ let mut bytes = $0.to_le_bytes(); bytes.reverse(); bytes })", &[T]),
    row("$T::from($0)", &[Bool]),
    row("($0 as $T)", &[Number]),
    row("($0 as $T)", &[I]),
    row("($0 as $T)", &[Char]),
    row("$T::try_from($0).unwrap_or($1)", &[I, T]),
    row("$T::try_from($0).unwrap_or_else(|_| $1)", &[I, T]),
    row("($0.count_ones() as $T)", &[I]),
    row("($0.leading_zeros() as $T)", &[I]),
    row("($0.trailing_zeros() as $T)", &[I]),
    row("($0.leading_ones() as $T)", &[I]),
    row("($0.trailing_ones() as $T)", &[I]),
    row("($0.checked_ilog2().unwrap_or(99) as $T)", &[I]),
    row("($0.checked_ilog10().unwrap_or(99) as $T)", &[I]),
    row("($0.checked_ilog(3).unwrap_or(99) as $T)", &[T]),
    row("($0.cmp(&$1) as i8 as $T)", &[T, T]),
    row("($0.len_utf8() as $T)", &[Char]),
    row("($0.to_digit(36).unwrap_or(77) as $T)", &[Char]),
    row("core::convert::identity($0)", &[T]),
    row("core::hint::black_box($0)", &[T]),
    // Divisors and factors that are known while compiling.
    row("($0 / 10)", &[T]),
    row("($0 % 7)", &[T]),
    row("$0.wrapping_mul(127).wrapping_add($1)", &[T, T]),
    row("($0.wrapping_mul(3) / 3)", &[T]),
    // 128 bits by 128 bits, of all sizes, with both signs.
    row(
        "((($0 as i128) << 64 ^ $1 as i128).wrapping_rem((($2 as i128) << ($3 % 100)) | 1) as $T)",
        &[I, I, I, U32],
    ),
    row(
        "((($0 as i128) << 64 ^ $1 as i128).wrapping_div((($2 as i128) << ($3 % 70)) | 1) as $T)",
        &[I, I, I, U32],
    ),
    row(
        "(((($0 as u128) << 64 ^ $1 as u128) / ((($2 as u128) << ($3 % 70)) | 1)) as $T)",
        &[I, I, I, U32],
    ),
    row(
        "(((($0 as u128) << 64 ^ $1 as u128) % ((($2 as u128) << ($3 % 100)) | 1)) as $T)",
        &[I, I, I, U32],
    ),
    row("(($0 as i128).wrapping_mul(1 << 70).div_euclid(-3 - ($1 as u64 as i128)) as $T)", &[I, I]),
    row("(($0 as i128).wrapping_mul(1 << 70).rem_euclid(-3 - ($1 as u64 as i128)) as $T)", &[I, I]),
    // The high half of a product.
    row("((($0 as i128).wrapping_mul($1 as i128) >> ($T::BITS % 128)) as $T)", &[T, T]),
    row(
        "(core::num::Wrapping($0) * core::num::Wrapping($1) - core::num::Wrapping($2)).0",
        &[T, T, T],
    ),
    row("(core::num::Saturating($0) + core::num::Saturating($1)).0", &[T, T]),
    row(
        "core::num::NonZero::new($0).map_or($1, |x| x.get().wrapping_add(x.leading_zeros() as $T))",
        &[T, T],
    ),
    row("$0.checked_add($1).ok_or($2).unwrap_or_else(|e| !e)", &[T, T, T]),
    row("($0.is_positive() as $T)", &[S]),
    row("(canonical($0).to_bits() as $T)", &[Float]),
    row("(canonical($0).total_cmp(&canonical($1)) as i8 as $T)", &[F32, F32]),
    row("(canonical($0).total_cmp(&canonical($1)) as i8 as $T)", &[F64, F64]),
    row("($0.partial_cmp(&$1).map_or(7, |order| order as i8) as $T)", &[F32, F32]),
    row("($0.partial_cmp(&$1).map_or(7, |order| order as i8) as $T)", &[F64, F64]),
    row("(canonical($0).classify() as u8 as $T)", &[Float]),
    row("($0.round() as $T)", &[Float]),
    row("(($0 * 100.0) as $T)", &[Float]),
    row("(text($0).len() as $T)", &[Text]),
    row("(text($0).chars().count() as $T)", &[Text]),
    row("(text($0).as_bytes()[$1 % text($0).len()] as $T)", &[Text, Usize]),
    row("(text($0).find(['e', '→', '7']).unwrap_or(99) as $T)", &[Text]),
    row("(text($0).rfind(\"st\").unwrap_or(99) as $T)", &[Text]),
    row("(text($0).split([',', ' ']).count() as $T)", &[Text]),
    row(
        "(text($0).char_indices().nth($1 % 9).map_or(99, |(at, c)| at + c.len_utf8()) as $T)",
        &[Text, Usize],
    ),
    row("(text($0).trim_matches(char::is_alphabetic).len() as $T)", &[Text]),
    row("(text($0).split_whitespace().map(str::len).max().unwrap_or(9) as $T)", &[Text]),
    row("(text($0).bytes().rev().fold(7u8, |a, b| a.rotate_left(1) ^ b) as $T)", &[Text]),
    row("(text($0).encode_utf16().fold(7u16, |a, b| a.rotate_left(3) ^ b) as $T)", &[Text]),
    row("(text($0).match_indices(['7', 't']).last().map_or(3, |(at, _)| at) as $T)", &[Text]),
    row("(text($0).rsplit_once(' ').map_or(1, |(a, b)| a.len() * 16 + b.len()) as $T)", &[Text]),
    row("(text($0).strip_prefix(text($1)).map_or(99, str::len) as $T)", &[Text, Text]),
    row("(text($0).rsplitn(2, $1).map(str::len).fold(5, |a, b| a * 31 + b) as $T)", &[Text, Char]),
    row("(text($0).parse::<f64>().map_or(5, f64::to_bits) as $T)", &[Text]),
    row("(text($0).cmp(text($1)) as i8 as $T)", &[Text, Text]),
    row("($0.encode_utf8(&mut [0; 4]).bytes().map(u32::from).sum::<u32>() as $T)", &[Char]),
    row("($0.encode_utf16(&mut [0; 2])[0] as $T)", &[Char]),
    row("($0.escape_unicode().count() as $T)", &[Char]),
    row("($0.escape_debug().map(u32::from).fold(3, u32::wrapping_add) as $T)", &[Char]),
    row(
        "(core::str::from_utf8(&$0.to_be_bytes()).map_or_else(|e| e.valid_up_to(), str::len) as $T)",
        &[T],
    ),
    // Bits that are seen as several types.
    row("(through::<[u16; 4], u64>([$0 as u16, $1 as u16, 7, $0 as u16]) as $T)", &[I, I]),
    row("(through::<u64, [i16; 4]>($0 as u64)[$1 % 4] as $T)", &[I, Usize]),
    row("(through::<u128, [u8; 16]>($0 as u128)[$1 % 16] as $T)", &[I, Usize]),
    row("(through::<f64, [u32; 2]>(canonical($0))[$1 % 2] as $T)", &[F64, Usize]),
    row(
        "(through::<[[u8; 2]; 4], u64>([[1, $1 as u8], [0; 2], [$0 as u8; 2], [7; 2]]) as $T)",
        &[U32, I],
    ),
    row("(patched($0 as u64, $1, $2 as u8) as $T)", &[I, Usize, I]),
    row("($0 as i128 as $T)", &[Float]),
    row("($0 as u128 as $T)", &[Float]),
    row("(($0 * 1e30) as i128 as $T)", &[F64]),
    row("($0 as i8 as $T)", &[Float]),
    row("($0 as u16 as $T)", &[Float]),
    row("(text($0).get($1 % 9..).map_or(99, str::len) as $T)", &[Text, Usize]),
    row(
        "text($0).split(',').filter_map(|word| word.trim().parse::<$T>().ok()).fold($1, |a, b| a.wrapping_add(b))",
        &[Text, T],
    ),
    row("$T::from_str_radix(text($0), 36).unwrap_or($1)", &[Text, T]),
    row(
        "core::str::from_utf8(&$0.to_le_bytes()).map_or($1, |word| word.chars().count() as $T)",
        &[T, T],
    ),
];

/// Unsigned integers.
pub(crate) const UNSIGNED: &[Row] = &[
    row("($0 / $1)", &[T, NonZero]),
    row("($0 % $1)", &[T, NonZero]),
    row("$0.abs_diff($1)", &[T, T]),
    row("$0.abs_diff($1)", &[S, S]),
    row("$0.unsigned_abs()", &[S]),
    row("$0.cast_unsigned()", &[S]),
    row("$0.checked_next_power_of_two().unwrap_or($1)", &[T, T]),
    row("$0.div_ceil($1)", &[T, NonZero]),
    row("$0.checked_next_multiple_of($1).unwrap_or($2)", &[T, T, T]),
    row("$0.wrapping_add_signed($1)", &[T, S]),
    row("$0.saturating_add_signed($1)", &[T, S]),
    row("$0.checked_add_signed($1).unwrap_or($2)", &[T, S, T]),
    row("$0.isqrt()", &[T]),
    row("match $0.carrying_add($1, $2) { (x, true) => !x, (x, false) => x }", &[T, T, Bool]),
    row("match $0.borrowing_sub($1, $2) { (x, true) => !x, (x, false) => x }", &[T, T, Bool]),
    row("{ let (low, high) = $0.carrying_mul($1, $2); low ^ high.rotate_left(1) }", &[T, T, T]),
    row("match $0.overflowing_sub_signed($1) { (x, true) => !x, (x, false) => x }", &[T, S]),
    row("$0.checked_signed_diff($1).map_or($0, |x| x.unsigned_abs())", &[T, T]),
];

/// Signed integers.
pub(crate) const SIGNED: &[Row] = &[
    row("$0.wrapping_abs()", &[T]),
    row("$0.saturating_abs()", &[T]),
    row("$0.checked_abs().unwrap_or($1)", &[T, T]),
    row("$0.saturating_neg()", &[T]),
    row("$0.signum()", &[T]),
    row("$0.cast_signed()", &[U]),
    row("$0.wrapping_add_unsigned($1)", &[T, U]),
    row("$0.saturating_sub_unsigned($1)", &[T, U]),
    row("$0.checked_isqrt().unwrap_or($1)", &[T, T]),
    row("match $0.overflowing_abs() { (x, true) => 1, (x, false) => x }", &[T]),
    row("$0.checked_sub_unsigned($1).unwrap_or($2)", &[T, U, T]),
    row("$0.saturating_add_unsigned($1)", &[T, U]),
    row("match $0.overflowing_add_unsigned($1) { (x, true) => !x, (x, false) => x }", &[T, U]),
];

/// Integers, with a panic for some values (overflow only where the profile checks it).
pub(crate) const PANICKING_INT: &[Row] = &[
    row("($0 + $1)", &[T, T]),
    row("($0 - $1)", &[T, T]),
    row("($0 * $1)", &[T, T]),
    row("($0 / $1)", &[T, T]),
    row("($0 % $1)", &[T, T]),
    row("($0 << $1)", &[T, U32]),
    row("($0 >> ($1 % 40))", &[T, U32]),
    row("$0.pow($1 % 5)", &[T, U32]),
    row("$0.div_euclid($1)", &[T, T]),
    row("$0.rem_euclid($1)", &[T, T]),
    row("$0.checked_add($1).unwrap()", &[T, T]),
    row("$0.checked_mul($1).expect(\"it fits\")", &[T, T]),
    row("$T::try_from($0).unwrap_or_else(|_| panic!(\"too large\"))", &[I]),
    row("$0.ilog2() as $T", &[I]),
    row("[$0, $1].iter().sum::<$T>()", &[T, T]),
    row("[$0, $1].iter().product::<$T>()", &[T, T]),
    row("$0.strict_add($1)", &[T, T]),
    row("$0.strict_mul($1)", &[T, T]),
    row("$0.strict_shl($1 % 60)", &[T, U32]),
    row("$0.clamp($1, $2)", &[T, T, T]),
    row("text($0).parse::<$T>().unwrap()", &[Text]),
    row("$T::try_from($0).unwrap()", &[I]),
    row("($0.to_digit($1 % 40).unwrap_or(7) as $T)", &[Char, U32]),
    row("(text($0)[$1 % 9..].len() as $T)", &[Text, Usize]),
    row("(text($0).split_at($1 % 9).0.len() as $T)", &[Text, Usize]),
    row("[$0, $1, $2].chunks($3 % 4).fold($0, |a, x| a ^ x[0])", &[T, T, T, Usize]),
    row("[$0, $1, $2].iter().step_by($3 % 5).fold($0, |a, x| a ^ x)", &[T, T, T, Usize]),
    row(
        "{ let mut five = [$0; 5]; five[..$2 % 7].copy_from_slice(&[$1; 5][..$3 % 6]); five[0] ^ five[4] }",
        &[T, T, Usize, Usize],
    ),
    row("<[$T; 3]>::try_from(&[$0, $1, $0, $1][$2 % 3..]).unwrap()[0]", &[T, T, Usize]),
    row(
        "{ let mut three = [$0, $1, $2]; let by = $3; three.swap(by % 4, 1); three.rotate_left(by % 5); three[0] }",
        &[T, T, T, Usize],
    ),
];

/// Truth values.
pub(crate) const BOOL: &[Row] = &[
    row("($0 && $1)", &[Bool, Bool]),
    row("($0 || $1)", &[Bool, Bool]),
    row("($0 ^ $1)", &[Bool, Bool]),
    row("(!$0)", &[Bool]),
    row("($0 & $1)", &[Bool, Bool]),
    row("($0 as u8 % 2 == 0)", &[I]),
    row("$0.is_ascii_alphanumeric()", &[Char]),
    row("$0.is_alphabetic()", &[Char]),
    row("$0.is_numeric()", &[Char]),
    row("$0.is_uppercase()", &[Char]),
    row("$0.is_whitespace()", &[Char]),
    row("$0.eq_ignore_ascii_case(&$1)", &[Char, Char]),
    row("$0.is_nan()", &[Float]),
    row("$0.is_finite()", &[Float]),
    row("$0.is_normal()", &[Float]),
    row("canonical($0).is_sign_negative()", &[Float]),
    row("$0.is_subnormal()", &[Float]),
    row("(canonical($0).total_cmp(&canonical($1)).is_lt())", &[F32, F32]),
    row("(canonical($0).total_cmp(&canonical($1)).is_ge())", &[F64, F64]),
    row("(-2.5..$0).contains(&$1)", &[F64, F64]),
    row("(text($0) < text($1))", &[Text, Text]),
    row("text($0).starts_with(text($1))", &[Text, Text]),
    row("text($0).contains($1)", &[Text, Char]),
    row("text($0).is_char_boundary($1 % 12)", &[Text, Usize]),
    row("text($0).eq_ignore_ascii_case(text($1))", &[Text, Text]),
];

/// Comparisons of two values of one scalar type.
pub(crate) const COMPARISONS: &[&str] = &["==", "!=", "<", "<=", ">", ">="];

/// Characters.
pub(crate) const CHAR: &[Row] = &[
    row("char::from_u32($0 % 0x11_0000).unwrap_or('?')", &[U32]),
    row("char::try_from($0 % 0x12_0000).unwrap_or(char::REPLACEMENT_CHARACTER)", &[U32]),
    row(
        "char::decode_utf16([$0 as u16, $1 as u16]).last().map_or('0', |c| c.unwrap_or('1'))",
        &[I, I],
    ),
    row(
        "text($0).rsplit([',', ' ']).next().and_then(|word| word.chars().next()).unwrap_or('-')",
        &[Text],
    ),
    row(
        "text($0).char_indices().filter(|(at, _)| at % 2 == $1 % 2).last().map_or('.', |(_, c)| c)",
        &[Text, Usize],
    ),
    row("char::from($0 as u8)", &[I]),
    row("char::from_digit($0 % 40, 36).unwrap_or('-')", &[U32]),
    row("$0.to_ascii_uppercase()", &[Char]),
    row("$0.to_ascii_lowercase()", &[Char]),
    row("$0.to_lowercase().next().unwrap_or('0')", &[Char]),
    row("$0.to_uppercase().last().unwrap_or('0')", &[Char]),
    row("$0.max($1)", &[Char, Char]),
    row("\"aßc→e\".chars().nth($0 % 6).unwrap_or('!')", &[Usize]),
    row("text($0).chars().nth($1 % 9).unwrap_or('!')", &[Text, Usize]),
    row("text($0).chars().rev().max().unwrap_or($1)", &[Text, Char]),
    row("($0..=$1).nth_back(3).unwrap_or($0)", &[Char, Char]),
];

/// Floats. Only what is exact or correctly rounded; where the sign of a zero or of a NaN is not
/// defined by Rust, it is made so.
pub(crate) const FLOAT: &[Row] = &[
    row("($0 + $1)", &[T, T]),
    row("($0 - $1)", &[T, T]),
    row("($0 * $1)", &[T, T]),
    row("($0 / $1)", &[T, T]),
    row("($0 * $1 + $2)", &[T, T, T]),
    row("($0 - $1 * $2)", &[T, T, T]),
    row("(-$0)", &[T]),
    row("($0 % $1)", &[T, T]),
    row("$0.abs()", &[T]),
    row("$0.sqrt()", &[T]),
    row("$0.mul_add($1, $2)", &[T, T, T]),
    row("$0.floor()", &[T]),
    row("$0.ceil()", &[T]),
    row("$0.trunc()", &[T]),
    row("$0.round()", &[T]),
    row("$0.round_ties_even()", &[T]),
    row("$0.fract()", &[T]),
    row("$0.recip()", &[T]),
    row("$0.signum()", &[T]),
    row("$0.copysign(canonical($1))", &[T, T]),
    row("($0.min($1) + 0.0)", &[T, T]),
    row("($0.max($1) + 0.0)", &[T, T]),
    row("$0.clamp(-4.5, 1e9)", &[T]),
    row(
        "{ let (x, y) = (canonical($0), canonical($1)); if x.total_cmp(&y).is_lt() { x } else { y } }",
        &[T, T],
    ),
    row("[$0, $1, $2].iter().sum::<$T>()", &[T, T, T]),
    row("[$0, $1, $2].iter().product::<$T>()", &[T, T, T]),
    row("$T::from_bits(canonical($0).to_bits() ^ 1)", &[T]),
    row("($0 as i128 as $T)", &[T]),
    row("($0 as u128 as $T)", &[Float]),
    row("((($0 as u128) << 60 ^ $1 as u128) as $T)", &[I, I]),
    row("((($0 as i128) << 60 ^ $1 as i128) as $T)", &[I, I]),
    row("($0 as u8 as $T)", &[Float]),
    row("($0 as i16 as $T)", &[T]),
    row("($0 as f32 as f64 as f32 as $T)", &[Float]),
    row("text($0).parse::<$T>().unwrap_or($1)", &[Text, T]),
    row("($0 as f32 as $T)", &[F64]),
    row("($0 as i32 as $T)", &[T]),
    row("($0 as u64 as $T)", &[T]),
    row("$T::from($0 as u8)", &[Float]),
    row("($0.to_radians() - $1)", &[T, T]),
    row("($0 - $0.trunc())", &[T]),
    row("($0 * 2.0 / 3.0)", &[T]),
    row("$0.rem_euclid($1)", &[T, T]),
    row("$0.div_euclid($1)", &[T, T]),
    row("$0.to_degrees()", &[T]),
    row("$0.midpoint($1)", &[T, T]),
    row("canonical($0).next_up()", &[T]),
    row("canonical($0).next_down()", &[T]),
    row("($0 as $T)", &[Float]),
    row("($0 as $T)", &[I]),
    row("$T::from($0 as i8)", &[I]),
    row("$T::from($0)", &[Bool]),
    row("core::hint::black_box($0)", &[T]),
];
