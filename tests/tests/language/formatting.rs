//! `core::fmt` into a buffer of fixed size.

use crate::harness::{edgy, edgy_float, edgy_wide, same};
use crate::strings::{Text, as_str, text};
use core::fmt::{self, Write};

/// As much as fits of what is written, and the length of all of it.
#[derive(Clone, Copy)]
pub(crate) struct Page<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

pub(crate) type Output = ([u8; 160], usize, bool);

impl<const N: usize> Write for Page<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for &byte in text.as_bytes() {
            *self.bytes.get_mut(self.length).ok_or(fmt::Error)? = byte;
            self.length += 1;
        }
        Ok(())
    }
}

pub(crate) fn written(f: impl FnOnce(&mut Page<160>) -> fmt::Result) -> Output {
    let mut page = Page { bytes: [0; 160], length: 0 };
    let failed = f(&mut page).is_err();
    (page.bytes, page.length, failed)
}

fn integers(&(a, b): &(u64, u128)) -> [Output; 3] {
    let (narrow, byte) = (a as i32, b as i8);
    [
        written(|out| write!(out, "{a} {a:x} {a:#X} {a:o} {:e} {}", narrow, a.cast_signed())),
        written(|out| {
            write!(out, "{byte:+} {byte:08b} {narrow:>+12}|{narrow:<12}|{narrow:^#14x}|{:05}", byte)
        }),
        written(|out| write!(out, "{b} {b:#x} {:*^30} {}", b as i128 >> 64, b as usize)),
    ]
}

#[test]
fn integers_in_all_radixes() {
    same(integers, |rng| (edgy(rng), edgy_wide(rng)));
}

fn floats(&f: &f64) -> [Output; 4] {
    let narrow = f as f32;
    // A long line is cut, on both sides alike.
    [
        written(|out| write!(out, "{f} {f:?}")),
        written(|out| write!(out, "{f:e} {f:.3e} {narrow:E} {narrow:e}")),
        written(|out| write!(out, "{f:.3} {narrow:+.1} {narrow:010.2}|{narrow:>12.0}|")),
        written(|out| write!(out, "{narrow} {narrow:?} {:.*} {:w$.p$}", 5, f, f, w = 9, p = 1)),
    ]
}

#[test]
fn floats_shortest_and_exact() {
    same(floats, edgy_float);
}

#[derive(Debug, Clone, Copy)]
#[allow(dead_code, reason = "the derived Debug reads the fields")]
enum Shape {
    Point,
    Circle { radius: f32, name: &'static str },
    Polygon(Option<[i16; 3]>, (u8, char)),
}

#[derive(Debug)]
#[allow(dead_code, reason = "the derived Debug reads the fields")]
struct Scene<'a, T> {
    title: &'a str,
    shapes: &'a [Shape],
    extra: Result<T, ()>,
    unit: (),
}

/// A type with its own text, padded as the caller asks.
struct Angle(u16);

impl fmt::Display for Angle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return f.pad("angle");
        }
        let mut digits = Page::<8> { bytes: [0; 8], length: 0 };
        write!(digits, "{}°", self.0)?;
        f.pad(core::str::from_utf8(&digits.bytes[..digits.length]).map_err(|_| fmt::Error)?)
    }
}

fn structures(&(a, f, ref line): &(u64, f64, Text)) -> [Output; 4] {
    let shapes = [
        Shape::Point,
        Shape::Circle { radius: (f as f32).clamp(-1e9, 1e9), name: "o" },
        Shape::Polygon((a % 2 == 0).then_some([a as i16, 2, -3]), (a as u8, 'ß')),
    ];
    let pick = &shapes[a as usize % 3..];
    let scene = Scene {
        title: as_str(line),
        shapes: pick,
        extra: if a % 3 == 0 { Err(()) } else { Ok(a) },
        unit: (),
    };
    let angle = Angle(a as u16);
    [
        written(|out| write!(out, "{scene:?}")),
        written(|out| write!(out, "{:#?}", pick[0])),
        written(|out| {
            write!(out, "{angle}|{angle:>8}|{angle:-^9}|{angle:#.2}|{:?}", Some("a\n\u{301}"))
        }),
        written(|out| {
            let (mut list, values) = (0, [a as u8, 3, 7]);
            write!(out, "{values:02x?} {:?} ", 'a'..='e')?;
            values.iter().try_for_each(|v| {
                list += 1;
                write!(out, "{list}:{v:<3}")
            })
        }),
    ]
}

#[test]
fn structures_and_own_types() {
    same(structures, |rng| (edgy(rng), edgy_float(rng), text(rng)));
}

fn strings(&(ref line, width): &(Text, usize)) -> [Output; 3] {
    let line = as_str(line);
    [
        written(|out| write!(out, "{line:?}")),
        written(|out| {
            write!(out, "{line:>width$}|{line:.3}|{:<1$}|", &line.get(..1).unwrap_or("-"), width)
        }),
        written(|out| {
            out.write_fmt(format_args!("{:?} {} {{}}", line.chars().next(), !line.is_empty()))
        }),
    ]
}

#[test]
fn padded_and_escaped_strings() {
    same(strings, |rng| (text(rng), rng.below(70)));
}
