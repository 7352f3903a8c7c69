//! Types of `core` that programs take for granted: times, addresses, orderings, special numbers.

use crate::formatting::{Output, written};
use crate::harness::{digest, edgy, same};
use core::cmp::{Ordering, Reverse};
use core::fmt::Write;
use core::mem::discriminant;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use core::num::{IntErrorKind, NonZero, Saturating, Wrapping};
use core::ops::{Bound, RangeBounds};
use core::time::Duration;

fn durations(&[a, b]: &[u64; 2]) -> ([u64; 6], bool, Output) {
    let x = Duration::new(a >> 20, (b % 1_000_000_000) as u32);
    let y = Duration::from_micros(b >> 4);
    let sum = x.saturating_add(y);
    let text = written(|out| write!(out, "{x:?} {y:.3?} {:?}", x.abs_diff(y)));
    (
        [
            sum.as_secs(),
            u64::from(sum.subsec_nanos()),
            x.checked_sub(y).map_or(1, |d| d.as_nanos() as u64),
            x.checked_mul(b as u32 % 100).map_or(2, |d| d.as_millis() as u64),
            (y / (1 + a as u32 % 9)).as_micros() as u64,
            Duration::from_secs_f64((b >> 30) as f64 / 8.0).as_millis() as u64,
        ],
        x < y,
        text,
    )
}

#[test]
fn spans_of_time() {
    same(durations, |rng| [edgy(rng), edgy(rng)]);
}

fn addresses(&[a, b]: &[u64; 2]) -> (Output, [u64; 5]) {
    let v4 = Ipv4Addr::from_bits(a as u32);
    let v6 = Ipv6Addr::from_bits(u128::from(a) << 64 | u128::from(b >> (a % 64)));
    let text = written(|out| {
        write!(out, "{v4}:{} [{v6}] {:?}", b as u16, SocketAddr::from((v6, a as u16)))
    });
    let start = text.0.iter().position(|&byte| byte == b':').unwrap_or(0);
    let first = core::str::from_utf8(&text.0[..start]).unwrap_or("");
    let parsed = first.parse::<IpAddr>();
    let numbers = [
        u64::from(parsed == Ok(IpAddr::V4(v4))),
        u64::from(v4.is_private()) + 2 * u64::from(v6.is_loopback()),
        u64::from(first.parse::<SocketAddr>().is_err()),
        digest(v6.segments()),
        v4.cmp(&Ipv4Addr::LOCALHOST) as i8 as u64,
    ];
    (text, numbers)
}

#[test]
fn network_addresses_as_text() {
    same(addresses, |rng| [edgy(rng), edgy(rng)]);
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct Version {
    major: u8,
    rest: (i16, Option<bool>),
}

fn orderings(x: &[u64; 4]) -> [u64; 7] {
    let versions = x.map(|x| Version {
        major: x as u8 % 3,
        rest: ((x >> 8) as i16 % 2, [None, Some(false), Some(true)][(x >> 24) as usize % 3]),
    });
    let [a, b, c, d] = versions;
    let by_rest = |a: &Version, b: &Version| b.rest.cmp(&a.rest).then(a.major.cmp(&b.major));
    let mut sorted = versions;
    sorted.sort_unstable_by(by_rest);
    let mut down = versions;
    down.sort_by_key(|v| (Reverse(v.major), v.rest));
    let order = |o: Ordering| o as i8 as u64;
    [
        order(a.cmp(&b)),
        order(by_rest(&a, &b).reverse()),
        a.partial_cmp(&c).map_or(9, order),
        digest(sorted),
        digest(down),
        digest(a.max(b).min(c).clamp(Version::default(), d.max(Version::default()))),
        u64::from(discriminant(&a.rest.1) == discriminant(&d.rest.1)),
    ]
}

#[test]
fn derived_orderings() {
    same(orderings, |rng| core::array::from_fn(|_| edgy(rng)));
}

fn numbers(&[a, b]: &[u64; 2]) -> [u64; 9] {
    let mut wrapping = Wrapping(a as i32) * Wrapping(b as i32) - Wrapping(7);
    wrapping <<= (b % 31) as usize;
    let mut saturating = Saturating(a as i16) + Saturating(b as i16);
    saturating *= Saturating(3);
    let one = NonZero::new(a).map_or(0, |a| a.ilog2().into());
    let checked = NonZero::new(b as u8).and_then(|b| b.checked_mul(NonZero::<u8>::MAX));
    let kind = match "999".parse::<u8>().map_err(|e| e.kind().clone()) {
        Err(IntErrorKind::PosOverflow) => 1,
        _ => 2,
    };
    let range = (Bound::Excluded(a), Bound::Included(b));
    let within: usize = [a, b, a / 2, b / 2].iter().filter(|&x| range.contains(x)).count();
    [
        wrapping.0 as u64,
        saturating.0 as u64,
        one,
        checked.map_or(0, |c| u64::from(c.get())),
        kind,
        within as u64,
        a.midpoint(b) ^ a.isqrt(),
        u64::from((a as u8).checked_next_multiple_of(8).unwrap_or(3)),
        a.checked_next_power_of_two().unwrap_or_default(),
    ]
}

#[test]
fn numbers_with_rules() {
    same(numbers, |rng| [edgy(rng), edgy(rng)]);
}
