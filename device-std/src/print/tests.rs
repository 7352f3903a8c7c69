//! Formats are compared with C's own printf, which prints what the device would.

use super::*;
use std::ffi::{CStr, c_char, c_int};
use std::format;
use std::string::String;
use std::vec;

unsafe extern "C" {
    fn snprintf(to: *mut c_char, size: usize, format: *const c_char, ...) -> c_int;
}

/// What C prints for up to four values, doubles excepted (they go in other registers).
fn print_c<F: Format, V: Values, const CAPACITY: usize>(values: V) -> (String, String) {
    let format = c_format::<CAPACITY>(F::PIECES, V::KINDS);
    let format = CStr::from_bytes_until_nul(&format).unwrap();
    let mut buffer = vec![0u8; 1000];
    let doubles = F::PIECES
        .iter()
        .any(|piece| matches!(piece, Piece::Value(spec) if !spec.makes_text_of_floats()))
        && V::KINDS.first() == Some(&Kind::Float);
    values.with_slots::<F, _>(|slots| {
        let mut all = [0; 4];
        all[..slots.len()].copy_from_slice(slots);
        let (to, format) = (buffer.as_mut_ptr().cast(), format.as_ptr());
        // SAFETY: the format was made for values of these kinds, and the buffer has its size.
        unsafe {
            if doubles {
                let [a, b, c, d] = all.map(f64::from_bits);
                snprintf(to, 1000, format, a, b, c, d);
            } else {
                let [a, b, c, d] = all;
                snprintf(to, 1000, format, a, b, c, d);
            }
        }
    });
    let text = CStr::from_bytes_until_nul(&buffer).unwrap().to_str().unwrap().into();
    (format.to_str().unwrap().into(), text)
}

/// Prints one value in one spec.
macro_rules! printed {
    ($value:expr, $($field:ident: $setting:expr),*) => {{
        struct One;
        impl Format for One {
            const PIECES: &'static [Piece] = &[Piece::Value(Spec { $($field: $setting,)* ..PLAIN })];
        }
        print_c::<One, _, 24>((&$value,)).1
    }};
}

#[test]
fn integers_print_as_in_rust() {
    for value in [0, 1, -1, i32::MIN, i32::MAX, 12345] {
        assert_eq!(printed!(value, plus: false), format!("{value}"));
        assert_eq!(printed!(value, plus: true), format!("{value:+}"));
        assert_eq!(printed!(value, width: Some(9)), format!("{value:9}"));
        assert_eq!(printed!(value, width: Some(9), left: Some(true)), format!("{value:<9}"));
        assert_eq!(printed!(value, width: Some(15), zero: true), format!("{value:015}"));
        assert_eq!(printed!(value, style: Style::LowerHex), format!("{value:x}"));
        assert_eq!(
            printed!(value, style: Style::UpperHex, alternate: true).to_lowercase(),
            format!("{value:#X}").to_lowercase()
        );
        assert_eq!(printed!(value, style: Style::LowerHex, alternate: true), format!("{value:#x}"));
        assert_eq!(
            printed!(value, style: Style::LowerHex, alternate: true, zero: true, width: Some(12)),
            format!("{value:#012x}")
        );
        assert_eq!(printed!(value, style: Style::Octal), format!("{value:o}"));
        assert_eq!(printed!(value as i8, style: Style::LowerHex), format!("{:x}", value as i8));
        assert_eq!(printed!(value as u16, plus: true), format!("{:+}", value as u16));
        assert_eq!(printed!(value as i64, plus: false), format!("{}", value as i64));
    }
    assert_eq!(printed!(u64::MAX, plus: false), "18446744073709551615");
}

/// All styles of a float against std's.
macro_rules! float_printed {
    ($value:expr) => {{
        let value = $value;
        let bits = value.to_bits();
        assert_eq!(printed!(value, plus: false), format!("{value}"), "{bits:x}");
        assert_eq!(printed!(value, style: Style::Debug), format!("{value:?}"), "{bits:x}");
        assert_eq!(printed!(value, style: Style::LowerExp), format!("{value:e}"), "{bits:x}");
        assert_eq!(printed!(value, style: Style::UpperExp, plus: true), format!("{value:+E}"));
        assert_eq!(printed!(value, precision: Some(0)), format!("{value:.0}"), "{bits:x}");
        assert_eq!(printed!(value, precision: Some(3)), format!("{value:.3}"), "{bits:x}");
        assert_eq!(printed!(value, precision: Some(16)), format!("{value:.16}"), "{bits:x}");
        assert_eq!(
            printed!(value, precision: Some(2), style: Style::Debug),
            format!("{value:.2?}"),
            "{bits:x}"
        );
        assert_eq!(
            printed!(value, precision: Some(0), style: Style::LowerExp),
            format!("{value:.0e}"),
            "{bits:x}"
        );
        assert_eq!(
            printed!(value, precision: Some(5), style: Style::LowerExp),
            format!("{value:.5e}"),
            "{bits:x}"
        );
        assert_eq!(
            printed!(value, precision: Some(2), width: Some(12)),
            format!("{value:12.2}"),
            "{bits:x}"
        );
        assert_eq!(printed!(value, width: Some(30), left: Some(true)), format!("{value:<30}"));
        assert_eq!(
            printed!(value, width: Some(24), zero: true, plus: true),
            format!("{value:+024}"),
            "{bits:x}"
        );
    }};
}

#[test]
fn floats_print_as_in_rust() {
    let doubles = [
        0.0,
        1.0,
        0.1,
        0.3,
        0.5,
        1.5,
        2.5,
        9.5,
        9.995,
        99.5,
        0.05,
        0.0005,
        123456.789,
        1e-3,
        1e-4,
        1e-5,
        9999999999999998.0,
        1e15,
        1e16,
        1e17,
        1e21,
        1e22,
        1e23,
        5e-324,
        4.4501477170144023e-308,
        f64::MAX,
        f64::MIN_POSITIVE,
        f64::EPSILON,
        f64::INFINITY,
        f64::NAN,
        9007199254740993.0,
        9.5367431640625e-7,
        f64::from_bits(0x000F_FFFF_FFFF_FFFF),
        1.7976931348623157e292,
    ];
    for value in doubles {
        float_printed!(value);
        float_printed!(-value);
        float_printed!(value as f32);
        float_printed!(-value as f32);
    }
    for value in
        [f32::MAX, f32::MIN_POSITIVE, f32::from_bits(1), f32::EPSILON, 16777216.0, 8388608.5]
    {
        float_printed!(value);
    }
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    for _ in 0..40 {
        state = crate::layout_hash(state, 1);
        float_printed!(f64::from_bits(state));
        float_printed!(f32::from_bits(state as u32));
        float_printed!((state as i32) as f64 / 1000.0);
        float_printed!((state as i16) as f32 / 8.0);
        // Powers of two, whose neighbours are not equally far away.
        float_printed!(f64::from_bits(state & 0x7FF0_0000_0000_0000));
        float_printed!(f32::from_bits(state as u32 & 0x7F80_0000));
    }
}

#[test]
fn many_digits_are_left_to_c() {
    assert_eq!(printed!(0.1f64, precision: Some(20)), format!("{:.20}", 0.1));
    assert_eq!(printed!(0.1f32, precision: Some(30), width: Some(40)), format!("{:40.30}", 0.1f32));
}

#[test]
fn text_prints_as_in_rust() {
    assert_eq!(printed!("naïve", plus: false), "naïve");
    assert_eq!(printed!("ab", width: Some(5)), format!("{:5}", "ab"));
    assert_eq!(printed!("ab", width: Some(5), left: Some(false)), format!("{:>5}", "ab"));
    assert_eq!(printed!("abc", precision: Some(2)), format!("{:.2}", "abc"));
    assert_eq!(printed!("ab", style: Style::Debug), format!("{:?}", "ab"));
    assert_eq!(printed!('ß', style: Style::Debug), format!("{:?}", 'ß'));
    assert_eq!(printed!('🦀', plus: false), "🦀");
    assert_eq!(printed!(true, width: Some(6)), format!("{:6}", true));
    assert_eq!(printed!(false, style: Style::Debug), "false");
}

#[test]
fn long_text_is_cut_between_characters() {
    let long = "ä".repeat(100);
    assert_eq!(printed!(long.as_str(), plus: false), "ä".repeat(63));
    let full = "a".repeat(127);
    assert_eq!(printed!(full.as_str(), plus: false), full);
}

#[test]
fn several_values_and_text() {
    struct Several;
    impl Format for Several {
        const PIECES: &'static [Piece] = &[
            Piece::Text("100% of "),
            Piece::Value(Spec { style: Style::LowerHex, ..PLAIN }),
            Piece::Text(", "),
            Piece::Value(PLAIN),
            Piece::Text(" and "),
            Piece::Value(Spec { width: Some(3), ..PLAIN }),
            Piece::Text("\n"),
        ];
    }
    let (format, text) = print_c::<Several, _, 100>((&-1i32, &"text", &7u8));
    assert_eq!(format, "100%% of %llx, %s and %3llu\n");
    assert_eq!(text, "100% of ffffffff, text and   7\n");
}
