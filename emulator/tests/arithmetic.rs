//! Arithmetic against the host's: each row is PTX and what Rust computes for the same bits, over edges
//! and random numbers, for whole warps and for some of their lanes. Runs on a GPU, too, with `PTYX_DEVICE=cuda`. `PTYX_SEED` repeats a run.

mod device;

use device::{Device, on_gpu, run_child};
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hasher};

/// Triples of numbers that each row gets.
const COUNT: usize = 4096;

/// Threads of a block.
const THREADS: usize = 128;

/// Which bits of the result matter.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// All of so many.
    Bits(u32),
    /// All of a float, but any NaN is as good as another.
    F32,
    F64,
}
use Kind::{Bits, F32, F64};

/// PTX with sources `a`, `b`, `c` and destination `d`. A letter's suffix is the register's size: `a16`,
/// `a32`, `a64`; `p` is a predicate that becomes the result. `None`: PTX leaves the result open.
type Row = (&'static str, Kind, fn(u64, u64, u64) -> Option<u64>);

/// A row whose host side is an expression of three numbers of one type each.
macro_rules! rows {
    ($($ptx:literal $kind:expr, |$a:ident: $ta:ty, $b:ident: $tb:ty, $c:ident: $tc:ty| $value:expr;)*) => {
        &[$(($ptx, $kind, |a, b, c| {
            let ($a, $b, $c): ($ta, $tb, $tc) = (Get::get(a), Get::get(b), Get::get(c));
            let _ = ($a, $b, $c);
            Put::put($value)
        })),*]
    };
}

/// Bits to a value.
trait Get {
    fn get(bits: u64) -> Self;
}

/// A value to bits.
trait Put {
    fn put(self) -> Option<u64>;
}

macro_rules! integers {
    ($($type:ty as $unsigned:ty),*) => {$(
        impl Get for $type {
            fn get(bits: u64) -> Self {
                bits as $type
            }
        }
        impl Put for $type {
            fn put(self) -> Option<u64> {
                Some(u64::from(self as $unsigned))
            }
        }
    )*};
}
integers!(
    u8 as u8, i8 as u8, u16 as u16, i16 as u16, u32 as u32, i32 as u32, u64 as u64, i64 as u64
);

impl Get for f32 {
    fn get(bits: u64) -> f32 {
        f32::from_bits(bits as u32)
    }
}

impl Get for f64 {
    fn get(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
}

impl Put for f32 {
    fn put(self) -> Option<u64> {
        Some(self.to_bits().into())
    }
}

impl Put for f64 {
    fn put(self) -> Option<u64> {
        Some(self.to_bits())
    }
}

impl Put for bool {
    fn put(self) -> Option<u64> {
        Some(self.into())
    }
}

impl<T: Put> Put for Option<T> {
    fn put(self) -> Option<u64> {
        self.and_then(T::put)
    }
}

/// `shl` and `shr` of PTX: more than the width shifts everything out.
fn shift<T: Copy>(by: u32, bits: u32, shifted: impl Fn(u32) -> T, out: T) -> T {
    if by < bits { shifted(by) } else { out }
}

/// PTX ISA, `bfe`: `len` bits from `at`, extended by the sign bit `sign` finds.
fn extract(value: u64, bits: u32, at: u32, len: u32, signed: bool) -> u64 {
    let (at, len) = (at & 0xff, len & 0xff);
    let top = bits - 1;
    let bit = |n: u32| value >> n.min(63) & 1;
    let sign = match signed && len > 0 {
        true => bit((at + len - 1).min(top)),
        false => 0,
    };
    (0..bits).fold(0, |out, n| {
        let inside = n < len && at + n <= top;
        out | (if inside { bit(at + n) } else { sign }) << n
    })
}

/// PTX ISA, `bfi`: the low `len` bits of `from` put into `into` at `at`.
fn insert(from: u64, into: u64, bits: u32, at: u32, len: u32) -> u64 {
    let (at, len) = (at & 0xff, len & 0xff);
    (0..len)
        .filter(|n| at + n < bits)
        .fold(into, |out, n| out & !(1 << (at + n)) | (from >> n & 1) << (at + n))
}

/// The smaller or larger of two, where a NaN is the other one's loss and -0 is less than 0.
fn extreme(a: f64, b: f64, larger: bool) -> f64 {
    match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ if a == b => match a.is_sign_negative() != larger {
            true => a,
            false => b,
        },
        _ => match (a > b) == larger {
            true => a,
            false => b,
        },
    }
}

#[rustfmt::skip]
const ROWS: &[Row] = rows! {
    // 16, 32 and 64 bits
    "add.u16 d16, a16, b16;" Bits(16), |a: u16, b: u16, c: u16| a.wrapping_add(b);
    "sub.s16 d16, a16, b16;" Bits(16), |a: u16, b: u16, c: u16| a.wrapping_sub(b);
    "mul.lo.s16 d16, a16, b16;" Bits(16), |a: i16, b: i16, c: i16| a.wrapping_mul(b);
    "mul.hi.u16 d16, a16, b16;" Bits(16), |a: u16, b: u16, c: u16| ((u32::from(a) * u32::from(b)) >> 16) as u16;
    "mul.hi.s16 d16, a16, b16;" Bits(16), |a: i16, b: i16, c: i16| ((i32::from(a) * i32::from(b)) >> 16) as i16;
    "mul.wide.s16 d32, a16, b16;" Bits(32), |a: i16, b: i16, c: i16| i32::from(a) * i32::from(b);
    "mad.lo.u16 d16, a16, b16, c16;" Bits(16), |a: u16, b: u16, c: u16| a.wrapping_mul(b).wrapping_add(c);
    "div.s16 d16, a16, b16;" Bits(16), |a: i16, b: i16, c: i16| a.checked_div(b);
    "rem.u16 d16, a16, b16;" Bits(16), |a: u16, b: u16, c: u16| a.checked_rem(b);
    "min.s16 d16, a16, b16;" Bits(16), |a: i16, b: i16, c: i16| a.min(b);
    "abs.s16 d16, a16;" Bits(16), |a: i16, b: i16, c: i16| a.wrapping_abs();
    "shl.b16 d16, a16, b32;" Bits(16), |a: u16, b: u32, c: u32| shift(b, 16, |by| a << by, 0);
    "shr.s16 d16, a16, b32;" Bits(16), |a: i16, b: u32, c: u32| shift(b, 16, |by| a >> by, a >> 15);
    "add.u32 d32, a32, b32;" Bits(32), |a: u32, b: u32, c: u32| a.wrapping_add(b);
    "add.sat.s32 d32, a32, b32;" Bits(32), |a: i32, b: i32, c: i32| a.saturating_add(b);
    "sub.sat.s32 d32, a32, b32;" Bits(32), |a: i32, b: i32, c: i32| a.saturating_sub(b);
    "mul.lo.u32 d32, a32, b32;" Bits(32), |a: u32, b: u32, c: u32| a.wrapping_mul(b);
    "mul.hi.u32 d32, a32, b32;" Bits(32), |a: u32, b: u32, c: u32| ((u64::from(a) * u64::from(b)) >> 32) as u32;
    "mul.hi.s32 d32, a32, b32;" Bits(32), |a: i32, b: i32, c: i32| ((i64::from(a) * i64::from(b)) >> 32) as i32;
    "mul.wide.u32 d64, a32, b32;" Bits(64), |a: u32, b: u32, c: u32| u64::from(a) * u64::from(b);
    "mul.wide.s32 d64, a32, b32;" Bits(64), |a: i32, b: i32, c: i32| i64::from(a) * i64::from(b);
    "mad.lo.s32 d32, a32, b32, c32;" Bits(32), |a: i32, b: i32, c: i32| a.wrapping_mul(b).wrapping_add(c);
    "mad.hi.s32 d32, a32, b32, c32;" Bits(32), |a: i32, b: i32, c: i32| (((i64::from(a) * i64::from(b)) >> 32) as i32).wrapping_add(c);
    "mad.wide.s32 d64, a32, b32, c64;" Bits(64), |a: i32, b: i32, c: i64| (i64::from(a) * i64::from(b)).wrapping_add(c);
    "div.u32 d32, a32, b32;" Bits(32), |a: u32, b: u32, c: u32| a.checked_div(b);
    "div.s32 d32, a32, b32;" Bits(32), |a: i32, b: i32, c: i32| a.checked_div(b);
    "rem.s32 d32, a32, b32;" Bits(32), |a: i32, b: i32, c: i32| a.checked_rem(b);
    "sad.u32 d32, a32, b32, c32;" Bits(32), |a: u32, b: u32, c: u32| a.abs_diff(b).wrapping_add(c);
    "sad.s32 d32, a32, b32, c32;" Bits(32), |a: i32, b: i32, c: u32| a.abs_diff(b).wrapping_add(c);
    "min.u32 d32, a32, b32;" Bits(32), |a: u32, b: u32, c: u32| a.min(b);
    "max.s32 d32, a32, b32;" Bits(32), |a: i32, b: i32, c: i32| a.max(b);
    "neg.s32 d32, a32;" Bits(32), |a: i32, b: i32, c: i32| a.wrapping_neg();
    "popc.b32 d32, a32;" Bits(32), |a: u32, b: u32, c: u32| a.count_ones();
    "popc.b64 d32, a64;" Bits(32), |a: u64, b: u32, c: u32| a.count_ones();
    "clz.b32 d32, a32;" Bits(32), |a: u32, b: u32, c: u32| a.leading_zeros();
    "clz.b64 d32, a64;" Bits(32), |a: u64, b: u32, c: u32| a.leading_zeros();
    "bfind.u32 d32, a32;" Bits(32), |a: u32, b: u32, c: u32| a.checked_ilog2().unwrap_or(u32::MAX);
    "bfind.s64 d32, a64;" Bits(32), |a: i64, b: u32, c: u32| (a ^ (a >> 63)).checked_ilog2().unwrap_or(u32::MAX);
    "brev.b32 d32, a32;" Bits(32), |a: u32, b: u32, c: u32| a.reverse_bits();
    "brev.b64 d64, a64;" Bits(64), |a: u64, b: u32, c: u32| a.reverse_bits();
    // Places and lengths beyond 255 are undefined; an H200 takes all bits of them in 64-bit operands.
    "bfe.u32 d32, a32, b32, c32;" Bits(32), |a: u32, b: u32, c: u32| extract(a.into(), 32, b, c, false);
    "bfe.s32 d32, a32, b32, c32;" Bits(32), |a: u32, b: u32, c: u32| extract(a.into(), 32, b, c, true);
    "and.b32 b32, b32, 255; and.b32 c32, c32, 255; bfe.u64 d64, a64, b32, c32;" Bits(64), |a: u64, b: u32, c: u32| extract(a, 64, b, c, false);
    "and.b32 b32, b32, 255; and.b32 c32, c32, 255; bfe.s64 d64, a64, b32, c32;" Bits(64), |a: u64, b: u32, c: u32| extract(a, 64, b, c, true);
    "bfi.b32 d32, a32, b32, c32, 7;" Bits(32), |a: u32, b: u32, c: u32| insert(a.into(), b.into(), 32, c, 7);
    "and.b32 c32, c32, 255; bfi.b64 d64, a64, b64, 60, c32;" Bits(64), |a: u64, b: u64, c: u32| insert(a, b, 64, 60, c);
    "shl.b32 d32, a32, b32;" Bits(32), |a: u32, b: u32, c: u32| shift(b, 32, |by| a << by, 0);
    "shr.u32 d32, a32, b32;" Bits(32), |a: u32, b: u32, c: u32| shift(b, 32, |by| a >> by, 0);
    "shr.s32 d32, a32, b32;" Bits(32), |a: i32, b: u32, c: u32| shift(b, 32, |by| a >> by, a >> 31);
    "shl.b64 d64, a64, b32;" Bits(64), |a: u64, b: u32, c: u32| shift(b, 64, |by| a << by, 0);
    "shr.s64 d64, a64, b32;" Bits(64), |a: i64, b: u32, c: u32| shift(b, 64, |by| a >> by, a >> 63);
    "shf.l.wrap.b32 d32, a32, b32, c32;" Bits(32), |a: u32, b: u32, c: u32| ((u64::from(b) << 32 | u64::from(a)) << (c & 31) >> 32) as u32;
    "shf.r.clamp.b32 d32, a32, b32, c32;" Bits(32), |a: u32, b: u32, c: u32| ((u64::from(b) << 32 | u64::from(a)) >> c.min(32)) as u32;
    "lop3.b32 d32, a32, b32, c32, 0x96;" Bits(32), |a: u32, b: u32, c: u32| a ^ b ^ c;
    "lop3.b32 d32, a32, b32, c32, 0xe8;" Bits(32), |a: u32, b: u32, c: u32| a & b | a & c | b & c;
    "prmt.b32 d32, a32, b32, c32;" Bits(32), |a: u32, b: u32, c: u32| {
        let bytes = (u64::from(b) << 32 | u64::from(a)).to_le_bytes();
        u32::from_le_bytes([0, 4, 8, 12].map(|at| {
            let byte = bytes[(c >> at & 7) as usize];
            if c >> at & 8 == 0 { byte } else { ((byte as i8) >> 7) as u8 }
        }))
    };
    "dp4a.s32.u32 d32, a32, b32, c32;" Bits(32), |a: u32, b: u32, c: i32| {
        let pairs = a.to_le_bytes().into_iter().zip(b.to_le_bytes());
        pairs.fold(c, |sum, (a, b)| sum.wrapping_add(i32::from(a as i8) * i32::from(b)))
    };
    "cnot.b32 d32, a32;" Bits(32), |a: u32, b: u32, c: u32| u32::from(a == 0);
    "slct.u64.s32 d64, a64, b64, c32;" Bits(64), |a: u64, b: u64, c: i32| if c >= 0 { a } else { b };
    "add.s64 d64, a64, b64;" Bits(64), |a: u64, b: u64, c: u64| a.wrapping_add(b);
    "mul.lo.s64 d64, a64, b64;" Bits(64), |a: u64, b: u64, c: u64| a.wrapping_mul(b);
    "mul.hi.u64 d64, a64, b64;" Bits(64), |a: u64, b: u64, c: u64| ((u128::from(a) * u128::from(b)) >> 64) as u64;
    "mul.hi.s64 d64, a64, b64;" Bits(64), |a: i64, b: i64, c: u64| ((i128::from(a) * i128::from(b)) >> 64) as i64;
    "mad.hi.u64 d64, a64, b64, c64;" Bits(64), |a: u64, b: u64, c: u64| (((u128::from(a) * u128::from(b)) >> 64) as u64).wrapping_add(c);
    "div.u64 d64, a64, b64;" Bits(64), |a: u64, b: u64, c: u64| a.checked_div(b);
    "rem.s64 d64, a64, b64;" Bits(64), |a: i64, b: i64, c: u64| a.checked_rem(b);
    "abs.s64 d64, a64;" Bits(64), |a: i64, b: i64, c: u64| a.wrapping_abs();
    "max.u64 d64, a64, b64;" Bits(64), |a: u64, b: u64, c: u64| a.max(b);
    "min.s64 d64, a64, b64;" Bits(64), |a: i64, b: i64, c: u64| a.min(b);
    // Carries: the high words of 96-bit sums and differences, and of a 128-bit product's halves.
    "add.cc.u32 d32, a32, b32; addc.cc.u32 d32, b32, c32; addc.u32 d32, a32, c32;" Bits(32), |a: u32, b: u32, c: u32| {
        let wide = |low: u32, mid: u32, high: u32| u128::from(low) | u128::from(mid) << 32 | u128::from(high) << 64;
        ((wide(a, b, a) + wide(b, c, c)) >> 64) as u32
    };
    "sub.cc.u64 d64, a64, b64; subc.u64 d64, b64, c64;" Bits(64), |a: u64, b: u64, c: u64| {
        b.wrapping_sub(c).wrapping_sub(u64::from(a < b))
    };
    "mad.lo.cc.u32 d32, a32, b32, c32; madc.hi.u32 d32, a32, b32, 0;" Bits(32), |a: u32, b: u32, c: u32| {
        ((u64::from(a) * u64::from(b) + u64::from(c)) >> 32) as u32
    };
    // Comparisons
    "setp.lt.s32 p, a32, b32;" Bits(1), |a: i32, b: i32, c: u32| a < b;
    "setp.hs.u64 p, a64, b64;" Bits(1), |a: u64, b: u64, c: u32| a >= b;
    "setp.le.f32 p, a32, b32;" Bits(1), |a: f32, b: f32, c: u32| a <= b;
    "setp.ne.f64 p, a64, b64;" Bits(1), |a: f64, b: f64, c: u32| a.partial_cmp(&b).is_some_and(std::cmp::Ordering::is_ne);
    "setp.geu.f64 p, a64, b64;" Bits(1), |a: f64, b: f64, c: u32| !matches!(a.partial_cmp(&b), Some(std::cmp::Ordering::Less));
    "setp.equ.f32 p, a32, b32;" Bits(1), |a: f32, b: f32, c: u32| a.is_nan() || b.is_nan() || a == b;
    "setp.nan.f32 p, a32, b32;" Bits(1), |a: f32, b: f32, c: u32| a.is_nan() || b.is_nan();
    // Floats
    "add.rn.f32 d32, a32, b32;" F32, |a: f32, b: f32, c: f32| a + b;
    "sub.rn.f32 d32, a32, b32;" F32, |a: f32, b: f32, c: f32| a - b;
    "mul.rn.f32 d32, a32, b32;" F32, |a: f32, b: f32, c: f32| a * b;
    "div.rn.f32 d32, a32, b32;" F32, |a: f32, b: f32, c: f32| a / b;
    "rcp.rn.f32 d32, a32;" F32, |a: f32, b: f32, c: f32| 1.0 / a;
    "sqrt.rn.f32 d32, a32;" F32, |a: f32, b: f32, c: f32| a.sqrt();
    "fma.rn.f32 d32, a32, b32, c32;" F32, |a: f32, b: f32, c: f32| a.mul_add(b, c);
    "neg.f32 d32, a32;" F32, |a: f32, b: f32, c: f32| -a;
    "abs.f32 d32, a32;" F32, |a: f32, b: f32, c: f32| a.abs();
    "copysign.f32 d32, a32, b32;" F32, |a: f32, b: f32, c: f32| b.copysign(a);
    "min.f32 d32, a32, b32;" F32, |a: f32, b: f32, c: f32| extreme(a.into(), b.into(), false) as f32;
    "max.f32 d32, a32, b32;" F32, |a: f32, b: f32, c: f32| extreme(a.into(), b.into(), true) as f32;
    "add.rn.f64 d64, a64, b64;" F64, |a: f64, b: f64, c: f64| a + b;
    "mul.rn.f64 d64, a64, b64;" F64, |a: f64, b: f64, c: f64| a * b;
    "div.rn.f64 d64, a64, b64;" F64, |a: f64, b: f64, c: f64| a / b;
    "sqrt.rn.f64 d64, a64;" F64, |a: f64, b: f64, c: f64| a.sqrt();
    "fma.rn.f64 d64, a64, b64, c64;" F64, |a: f64, b: f64, c: f64| a.mul_add(b, c);
    "min.f64 d64, a64, b64;" F64, |a: f64, b: f64, c: f64| extreme(a, b, false);
    "max.f64 d64, a64, b64;" F64, |a: f64, b: f64, c: f64| extreme(a, b, true);
    // Conversions
    "cvt.s32.s8 d32, a16;" Bits(32), |a: i8, b: u32, c: u32| i32::from(a);
    "cvt.u64.u16 d64, a16;" Bits(64), |a: u16, b: u32, c: u32| u64::from(a);
    "cvt.s64.s32 d64, a32;" Bits(64), |a: i32, b: u32, c: u32| i64::from(a);
    "cvt.u32.u64 d32, a64;" Bits(32), |a: u64, b: u32, c: u32| a as u32;
    "cvt.sat.s8.s32 d32, a32;" Bits(8), |a: i32, b: u32, c: u32| a.clamp(-128, 127) as i8;
    "cvt.sat.u16.s64 d16, a64;" Bits(16), |a: i64, b: u32, c: u32| a.clamp(0, 65535) as u16;
    "cvt.rn.f32.u32 d32, a32;" F32, |a: u32, b: u32, c: u32| a as f32;
    "cvt.rn.f32.s64 d32, a64;" F32, |a: i64, b: u32, c: u32| a as f32;
    "cvt.rn.f64.u64 d64, a64;" F64, |a: u64, b: u32, c: u32| a as f64;
    "cvt.rn.f64.s32 d64, a32;" F64, |a: i32, b: u32, c: u32| f64::from(a);
    "cvt.f64.f32 d64, a32;" F64, |a: f32, b: u32, c: u32| f64::from(a);
    "cvt.rn.f32.f64 d32, a64;" F32, |a: f64, b: u32, c: u32| a as f32;
    "cvt.rzi.s32.f32 d32, a32;" Bits(32), |a: f32, b: u32, c: u32| (!a.is_nan()).then_some(a as i32);
    "cvt.rzi.u64.f64 d64, a64;" Bits(64), |a: f64, b: u32, c: u32| (!a.is_nan()).then_some(a as u64);
    "cvt.rni.s64.f32 d64, a32;" Bits(64), |a: f32, b: u32, c: u32| (!a.is_nan()).then_some(a.round_ties_even() as i64);
    "cvt.rmi.f64.f64 d64, a64;" F64, |a: f64, b: u32, c: u32| a.floor();
    "cvt.rpi.f32.f32 d32, a32;" F32, |a: f32, b: u32, c: u32| a.ceil();
    "cvt.rzi.f64.f64 d64, a64;" F64, |a: f64, b: u32, c: u32| a.trunc();
    "cvt.rni.f32.f32 d32, a32;" F32, |a: f32, b: u32, c: u32| a.round_ties_even();
};

/// SplitMix64 (Steele, Lea, Flood, 2014).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = *state;
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number of any size, near an end of a range, or a float that is common or special, in either size.
fn number(state: &mut u64) -> u64 {
    const FLOATS: [f64; 12] = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        0.5,
        2.5,
        1e10,
        -3e38,
        1e-40,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    let bits = next(state);
    let small = next(state) % 70;
    match bits >> 59 {
        0 | 1 => small,
        2 | 3 => small.wrapping_neg(),
        4 => 1 << (small % 64),
        5 => (1u64 << (small % 64)).wrapping_sub(1),
        6 => i64::MAX as u64 - small / 35,
        7 => i32::MAX as u64 + small % 3,
        8 | 9 => FLOATS[small as usize % FLOATS.len()].to_bits(),
        10 | 11 => u64::from((FLOATS[small as usize % FLOATS.len()] as f32).to_bits()),
        12 => ((bits as i32 >> (small % 32)) as f64 / 8.0).to_bits(),
        13 => u64::from(((bits as i32 >> (small % 32)) as f32 / 8.0).to_bits()),
        14 => u64::from(bits as u32 >> 9),
        _ => bits,
    }
}

/// What lanes have in `d` that do not run a row's code; the predicate is false.
const UNTOUCHED: u64 = 0x5a5a_5a5a_5a5a_5a5a;

/// What the kernel of a row stores for lanes that do not run its code.
fn untouched(ptx: &str) -> u64 {
    match ptx {
        _ if ptx.contains(" p,") => 0,
        _ if ptx.contains(" d16,") => UNTOUCHED & 0xffff,
        _ if ptx.contains(" d32,") => UNTOUCHED & 0xffff_ffff,
        _ => UNTOUCHED,
    }
}

/// One kernel for each row: `k<row>(inputs, outputs, lanes)`, of which the lanes of a mask run the row's code.
fn module() -> String {
    let mut text = ".version 6.3\n.target sm_70\n.address_size 64\n".to_owned();
    for (number, (ptx, _, _)) in ROWS.iter().enumerate() {
        let mut code = (*ptx).to_owned();
        for letter in ["a", "b", "c", "d"] {
            for bits in ["16", "32", "64"] {
                for end in [",", ";"] {
                    let operand = format!(" {letter}{bits}{end}");
                    code = code.replace(&operand, &format!(" %{letter}{bits}{end}"));
                }
            }
        }
        code = code.replace(" p,", " %p,");
        let _ = write!(
            text,
            ".visible .entry k{number}(.param .u64 x, .param .u64 y, .param .u32 lanes)\n{{\n.reg .pred %p, %q;\n\
             .reg .b16 %a16, %b16, %c16, %d16;\n.reg .b32 %a32, %b32, %c32, %d32, %i, %j, %k;\n\
             .reg .b64 %a64, %b64, %c64, %d64, %x, %y;\n\
             ld.param.u64 %x, [x];\nld.param.u64 %y, [y];\nmov.u32 %i, %ctaid.x;\nmov.u32 %j, %ntid.x;\n\
             mov.u32 %k, %tid.x;\nmad.lo.u32 %i, %i, %j, %k;\nmad.wide.u32 %x, %i, 24, %x;\n\
             mad.wide.u32 %y, %i, 8, %y;\n"
        );
        for (at, letter) in ["a", "b", "c"].iter().enumerate() {
            let _ = write!(
                text,
                "ld.global.u64 %{letter}64, [%x+{}];\ncvt.u32.u64 %{letter}32, %{letter}64;\n\
                 cvt.u16.u64 %{letter}16, %{letter}64;\n",
                at * 8
            );
        }
        let result = match ptx {
            _ if ptx.contains(" p,") => "selp.u64 %d64, 1, 0, %p;",
            _ if ptx.contains(" d16,") => "cvt.u64.u16 %d64, %d16;",
            _ if ptx.contains(" d32,") => "cvt.u64.u32 %d64, %d32;",
            _ => "",
        };
        let _ = write!(
            text,
            "mov.u64 %d64, {UNTOUCHED};\ncvt.u32.u64 %d32, %d64;\ncvt.u16.u64 %d16, %d64;\n\
             setp.ne.u32 %p, %i, %i;\nld.param.u32 %k, [lanes];\nmov.u32 %j, %laneid;\n\
             shr.u32 %k, %k, %j;\nand.b32 %k, %k, 1;\nsetp.eq.u32 %q, %k, 0;\n@%q bra SKIP;\n"
        );
        let _ = write!(text, "{code}\nSKIP:\n{result}\nst.global.u64 [%y], %d64;\nret;\n}}\n");
    }
    text
}

/// Whether a result is the wanted one.
fn is_same(kind: Kind, found: u64, wanted: u64) -> bool {
    match kind {
        Bits(bits) => (found ^ wanted) & (u64::MAX >> (64 - bits)) == 0,
        F32 => {
            let (found, wanted) = (f32::get(found), f32::get(wanted));
            found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan()
        }
        F64 => {
            let (found, wanted) = (f64::get(found), f64::get(wanted));
            found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan()
        }
    }
}

#[test]
fn arithmetic_is_the_hosts() {
    let mut state = ptyx_test_support::seed();
    let device = Device::new();
    let module = device.load(&module()).unwrap_or_else(|log| panic!("{log}"));
    let mut wrong = Vec::new();
    let mut digest = DefaultHasher::new();
    for (row, (ptx, kind, host)) in ROWS.iter().enumerate() {
        let inputs: Vec<[u64; 3]> =
            (0..COUNT).map(|_| [0; 3].map(|_| number(&mut state))).collect();
        let bytes: Vec<u8> = inputs.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
        let (x, y) = (device.upload(&bytes), device.upload(&vec![0; COUNT * 8]));
        let function = device.function(module, &format!("k{row}")).expect("the row's kernel");
        let blocks = (COUNT / THREADS) as u32;
        let failed = wrong.len();
        for lanes in [u32::MAX, next(&mut state) as u32] {
            let mut params = [x, y].map(|address| address.to_le_bytes().to_vec()).to_vec();
            params.push(lanes.to_le_bytes().to_vec());
            let threads = [THREADS as u32, 1, 1];
            let code = device.launch(function, [blocks, 1, 1], threads, 0, &mut params);
            assert_eq!((code, device.synchronize()), (0, 0), "{ptx}");
            let found = device.download(y, COUNT * 8);
            let results = found
                .chunks_exact(8)
                .map(|word| word.iter().rfold(0, |n, b| n << 8 | u64::from(*b)));
            let mut compared = 0;
            for (index, (&[a, b, c], found)) in inputs.iter().zip(results).enumerate() {
                let any_nan = *kind == F64 && f64::get(found).is_nan();
                digest.write_u64(if any_nan { 0 } else { found });
                let runs = lanes >> (index % 32) & 1 == 1;
                let (kind, wanted) = match runs {
                    true => (*kind, host(a, b, c)),
                    false => (Bits(64), Some(untouched(ptx))),
                };
                let Some(wanted) = wanted else { continue };
                compared += 1;
                if !is_same(kind, found, wanted) {
                    wrong.push(format!(
                        "{ptx} of {a:#x}, {b:#x}, {c:#x}, lanes {lanes:#x}: {found:#x}, not {wanted:#x}"
                    ));
                    break;
                }
            }
            let whole = wrong.len() == failed;
            assert!(!whole || compared > COUNT / 2, "{ptx}: {compared} results compared");
        }
        device.free(x);
        device.free(y);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{} rows, {COUNT} triples each: digest {:x}", ROWS.len(), digest.finish());
}

/// The emulated device computes with the vectors of its host, whichever it has. Results that PTX leaves open are the
/// same, too, apart from which of two NaNs of 64 bits goes on.
#[test]
fn arithmetic_is_the_hosts_with_vectors_of_every_width() {
    if on_gpu() {
        return;
    }
    let digests = ["128", "256", "512"].map(|bits| {
        let text = run_child("arithmetic_is_the_hosts", &[("PTYX_EMULATOR_VECTORS", bits)]);
        let digest = text.split_once("digest ").expect("the child's digest").1;
        digest.split_whitespace().next().map(str::to_owned)
    });
    assert!(digests[0].is_some() && digests.iter().all(|d| *d == digests[0]), "{digests:?}");
}
