use super::*;
use ptyx_image::message::{Notation, Primitive};

/// Records parts, as a kernel does.
#[derive(Default)]
struct Recorded(Vec<u64>);

const PLAIN: u64 = Options::DEFAULT.0;
const PRETTY: u64 = PLAIN | 1 << 23;

impl Recorded {
    fn text(mut self, header: Header, options: u64, text: &str) -> Self {
        self.0.extend([header.0 | (text.len() as u64) << 32, options]);
        self.0.extend(text.as_bytes().chunks(8).map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        }));
        self
    }

    fn number(mut self, value: u32, options: u64) -> Self {
        let header = Header::value(Primitive::U32, Notation::Debug);
        self.0.extend([header.0, options, value.into(), 0]);
        self
    }
}

#[derive(Debug)]
#[allow(dead_code)] // read by Debug
struct Point {
    x: u32,
    inner: Option<(u32,)>,
}

/// `Point { x: 1, inner: Some((2,)) }` with these options.
fn point(options: u64) -> Recorded {
    let close = Header::close(true);
    Recorded::default()
        .text(Header::open(Group::Struct), options, "Point")
        .text(Header::field(), options, "x")
        .number(1, options)
        .text(Header::field(), options, "inner")
        .text(Header::open(Group::Tuple), options, "Some")
        .text(Header::field(), options, "")
        .text(Header::open(Group::Tuple), options, "")
        .text(Header::field(), options, "")
        .number(2, options)
        .text(close, options, "")
        .text(close, options, "")
        .text(close, options, "")
}

#[test]
fn groups_look_as_core_shows_them() {
    let value = Point { x: 1, inner: Some((2,)) };
    assert_eq!(text(&point(PLAIN).0, false), format!("{value:?}"));
    assert_eq!(text(&point(PRETTY).0, false), format!("{value:#?}"));
}

#[test]
fn lists_sets_and_maps() {
    let elements = |group| {
        (1..4u32)
            .fold(Recorded::default().text(Header::open(group), PLAIN, ""), |recorded, i| {
                recorded.text(Header::field(), PLAIN, "").number(i, PLAIN)
            })
            .number(4, PLAIN)
    };
    let close = |recorded: Recorded, exhaustive| {
        text(&recorded.text(Header::close(exhaustive), PLAIN, "").0, false)
    };
    assert_eq!(close(elements(Group::List), true), "[1, 2, 34]");
    assert_eq!(close(elements(Group::Set), false), "{1, 2, 34, ..}");
    // The key without a value is left out.
    assert_eq!(close(elements(Group::Map), true), "{1: 2}");
}

#[test]
fn texts_and_values_follow_each_other() {
    let recorded = Recorded::default()
        .text(Header::text(), 0, "a naïve text ")
        .text(Header::string(Notation::Debug), PLAIN, "\"quoted\"")
        .number(7, PLAIN)
        .text(Header::string(Notation::Display), PLAIN | 1 << 27 | 4 << 32, "x");
    assert_eq!(text(&recorded.0, false), "a naïve text \"\\\"quoted\\\"\"7x   ");
    assert_eq!(text(&recorded.0, true), "a naïve text \"\\\"quoted\\\"\"7x   ...");
}

/// Cut off anywhere, and with any word changed, a record gives some text.
#[test]
fn damaged_records_are_no_panic() {
    let whole = point(PLAIN).text(Header::text(), 0, "the end").0;
    for len in 0..whole.len() {
        text(&whole[..len], true);
    }
    for at in 0..whole.len() {
        for word in [0, 1, u64::MAX, 0xff, 3, 5, u64::from(u32::MAX) << 32, 0x0fff_0002] {
            let mut damaged = whole.clone();
            damaged[at] = word;
            text(&damaged, false);
        }
    }
    // Groups without end.
    let open: Vec<u64> = [Header::open(Group::List).0, PLAIN].repeat(10_000);
    text(&open, false);
}
