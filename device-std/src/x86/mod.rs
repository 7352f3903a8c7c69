//! What the x86 intrinsics mean, for code that was written with `core::arch::x86_64`.
//!
//! Crates like glam are built of vector intrinsics where the host's target always has them. Most of
//! those are LLVM's own vector operations; the rest are calls of `llvm.x86.*`, and each of these has
//! a row here: the name behind `llvm.x86.`, and a function from arrays to an array. The compiler
//! sends the calls to these symbols, a vector passed through a pointer and a scalar as it is, the
//! result through the first pointer.
//!
//! Semantics: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, with the
//! control register as a program finds it (round to nearest, no exceptions).
//!
//! What has no row: intrinsics that change the processor's state, cryptography, string comparison,
//! gathers and AVX-512. They are refused, or, behind a question for the feature, never reached.

mod bits;
mod float;
mod integer;

use bits::*;
use float::*;
use integer::*;

type F4 = [f32; 4];
type F8 = [f32; 8];
type D2 = [f64; 2];
type D4 = [f64; 4];
type B16 = [i8; 16];
type B32 = [i8; 32];
type U16 = [u8; 16];
type U32 = [u8; 32];
type H8 = [i16; 8];
type H16 = [i16; 16];
type W4 = [i32; 4];
type W8 = [i32; 8];
type Q2 = [i64; 2];
type Q4 = [i64; 4];

/// How an argument comes from the compiler.
trait Argument: Copy {
    /// What it comes as.
    type Passed;

    /// The argument.
    ///
    /// # Safety
    /// What is passed as a pointer points to a value.
    unsafe fn take(passed: Self::Passed) -> Self;
}

impl<T: Copy, const N: usize> Argument for [T; N] {
    type Passed = *const [T; N];

    #[inline(always)]
    unsafe fn take(passed: Self::Passed) -> Self {
        // SAFETY: the caller's promise.
        unsafe { *passed }
    }
}

macro_rules! scalars {
    ($($type:ty)*) => {$(
        impl Argument for $type {
            type Passed = $type;

            #[inline(always)]
            unsafe fn take(passed: $type) -> $type {
                passed
            }
        }
    )*};
}

scalars! { i8 u8 u16 i32 u32 i64 u64 f32 f64 *const u8 *mut u8 }

/// Makes a symbol of each row: `"names": function(types) -> result`. Names in one row are those of
/// one function at one width.
macro_rules! rows {
    ($($symbol:literal: $function:expr, ($($type:ty),*) -> $result:ty;)*) => {$(
        row!($symbol, $function, $result, $($type),*);
    )*};
}

macro_rules! row {
    ($symbol:literal, $function:expr, $result:ty, $($a:ty $(, $b:ty $(, $c:ty)?)?)?) => {
        const _: () = {
            /// # Safety
            /// Pointers point to what the row says.
            #[unsafe(export_name = concat!("__ptyx_x86.", $symbol))]
            unsafe extern "C" fn row(
                out: *mut $result,
                $(a: <$a as Argument>::Passed, $(b: <$b as Argument>::Passed, $(c: <$c as Argument>::Passed)?)?)?
            ) {
                let function: fn($($a, $($b, $($c)?)?)?) -> $result = $function;
                // SAFETY: the compiler passes pointers to values, and to room for the result.
                unsafe {
                    out.write(function(
                        $(<$a>::take(a), $(<$b>::take(b), $(<$c>::take(c))?)?)?
                    ))
                }
            }
        };
    };
}

rows! {
    // The smaller and the larger of two; the second if they are equal or one is NaN.
    "sse.min.ps": min, (F4, F4) -> F4;
    "sse2.min.pd": min, (D2, D2) -> D2;
    "avx.min.ps.256": min, (F8, F8) -> F8;
    "avx.min.pd.256": min, (D4, D4) -> D4;
    "sse.max.ps": max, (F4, F4) -> F4;
    "sse2.max.pd": max, (D2, D2) -> D2;
    "avx.max.ps.256": max, (F8, F8) -> F8;
    "avx.max.pd.256": max, (D4, D4) -> D4;
    "sse.min.ss": |a, b| first(a, min(a, b)), (F4, F4) -> F4;
    "sse2.min.sd": |a, b| first(a, min(a, b)), (D2, D2) -> D2;
    "sse.max.ss": |a, b| first(a, max(a, b)), (F4, F4) -> F4;
    "sse2.max.sd": |a, b| first(a, max(a, b)), (D2, D2) -> D2;

    // Approximations: within the documented 1.5 * 2^-12, as every processor's are.
    "sse.rcp.ps": reciprocal, (F4) -> F4;
    "avx.rcp.ps.256": reciprocal, (F8) -> F8;
    "sse.rcp.ss": |a| first(a, reciprocal(a)), (F4) -> F4;
    "sse.rsqrt.ps": reciprocal_root, (F4) -> F4;
    "avx.rsqrt.ps.256": reciprocal_root, (F8) -> F8;
    "sse.rsqrt.ss": |a| first(a, reciprocal_root(a)), (F4) -> F4;

    // Comparisons that give a mask, the predicate as a number.
    "sse.cmp.ps": compare, (F4, F4, i8) -> F4;
    "sse2.cmp.pd": compare, (D2, D2, i8) -> D2;
    "avx.cmp.ps.256": compare, (F8, F8, i8) -> F8;
    "avx.cmp.pd.256": compare, (D4, D4, i8) -> D4;
    "sse.cmp.ss": |a, b, how| first(a, compare(a, b, how)), (F4, F4, i8) -> F4;
    "sse2.cmp.sd": |a, b, how| first(a, compare(a, b, how)), (D2, D2, i8) -> D2;

    // Comparisons of the first lanes that give a number.
    "sse.comieq.ss": |a, b| (a[0] == b[0]) as i32, (F4, F4) -> i32;
    "sse.comineq.ss": |a, b| (a[0] != b[0]) as i32, (F4, F4) -> i32;
    "sse.comilt.ss": |a, b| (a[0] < b[0]) as i32, (F4, F4) -> i32;
    "sse.comile.ss": |a, b| (a[0] <= b[0]) as i32, (F4, F4) -> i32;
    "sse.comigt.ss": |a, b| (a[0] > b[0]) as i32, (F4, F4) -> i32;
    "sse.comige.ss": |a, b| (a[0] >= b[0]) as i32, (F4, F4) -> i32;
    "sse.ucomieq.ss": |a, b| (a[0] == b[0]) as i32, (F4, F4) -> i32;
    "sse.ucomineq.ss": |a, b| (a[0] != b[0]) as i32, (F4, F4) -> i32;
    "sse.ucomilt.ss": |a, b| (a[0] < b[0]) as i32, (F4, F4) -> i32;
    "sse.ucomile.ss": |a, b| (a[0] <= b[0]) as i32, (F4, F4) -> i32;
    "sse.ucomigt.ss": |a, b| (a[0] > b[0]) as i32, (F4, F4) -> i32;
    "sse.ucomige.ss": |a, b| (a[0] >= b[0]) as i32, (F4, F4) -> i32;
    "sse2.comieq.sd": |a, b| (a[0] == b[0]) as i32, (D2, D2) -> i32;
    "sse2.comineq.sd": |a, b| (a[0] != b[0]) as i32, (D2, D2) -> i32;
    "sse2.comilt.sd": |a, b| (a[0] < b[0]) as i32, (D2, D2) -> i32;
    "sse2.comile.sd": |a, b| (a[0] <= b[0]) as i32, (D2, D2) -> i32;
    "sse2.comigt.sd": |a, b| (a[0] > b[0]) as i32, (D2, D2) -> i32;
    "sse2.comige.sd": |a, b| (a[0] >= b[0]) as i32, (D2, D2) -> i32;
    "sse2.ucomieq.sd": |a, b| (a[0] == b[0]) as i32, (D2, D2) -> i32;
    "sse2.ucomineq.sd": |a, b| (a[0] != b[0]) as i32, (D2, D2) -> i32;
    "sse2.ucomilt.sd": |a, b| (a[0] < b[0]) as i32, (D2, D2) -> i32;
    "sse2.ucomile.sd": |a, b| (a[0] <= b[0]) as i32, (D2, D2) -> i32;
    "sse2.ucomigt.sd": |a, b| (a[0] > b[0]) as i32, (D2, D2) -> i32;
    "sse2.ucomige.sd": |a, b| (a[0] >= b[0]) as i32, (D2, D2) -> i32;

    // Conversions. What does not fit, and NaN, becomes the smallest integer.
    "sse.cvtss2si": |a| to_i32(a[0].rint()), (F4) -> i32;
    "sse.cvtss2si64": |a| to_i64(a[0].rint()), (F4) -> i64;
    "sse.cvttss2si": |a| to_i32(a[0]), (F4) -> i32;
    "sse.cvttss2si64": |a| to_i64(a[0]), (F4) -> i64;
    "sse2.cvtsd2si": |a| to_i32(a[0].rint()), (D2) -> i32;
    "sse2.cvtsd2si64": |a| to_i64(a[0].rint()), (D2) -> i64;
    "sse2.cvttsd2si": |a| to_i32(a[0]), (D2) -> i32;
    "sse2.cvttsd2si64": |a| to_i64(a[0]), (D2) -> i64;
    "sse2.cvtps2dq": |a| a.map(|x| to_i32(x.rint())), (F4) -> W4;
    "sse2.cvttps2dq": |a| a.map(to_i32), (F4) -> W4;
    "sse2.cvtpd2dq": |a| [to_i32(a[0].rint()), to_i32(a[1].rint()), 0, 0], (D2) -> W4;
    "sse2.cvttpd2dq": |a| [to_i32(a[0]), to_i32(a[1]), 0, 0], (D2) -> W4;
    "avx.cvt.ps2dq.256": |a| a.map(|x| to_i32(x.rint())), (F8) -> W8;
    "avx.cvtt.ps2dq.256": |a| a.map(to_i32), (F8) -> W8;
    "avx.cvt.pd2dq.256": |a| a.map(|x| to_i32(x.rint())), (D4) -> W4;
    "avx.cvtt.pd2dq.256": |a| a.map(to_i32), (D4) -> W4;
    "sse2.cvtsd2ss": |a, b| [b[0] as f32, a[1], a[2], a[3]], (F4, D2) -> F4;

    // Rounding, the direction as a number.
    "sse41.round.ps": |a, how| a.map(|x| round(x, how)), (F4, i32) -> F4;
    "sse41.round.pd": |a, how| a.map(|x| round(x, how)), (D2, i32) -> D2;
    "avx.round.ps.256": |a, how| a.map(|x| round(x, how)), (F8, i32) -> F8;
    "avx.round.pd.256": |a, how| a.map(|x| round(x, how)), (D4, i32) -> D4;
    "sse41.round.ss": |a, b, how| [round(b[0], how), a[1], a[2], a[3]], (F4, F4, i32) -> F4;
    "sse41.round.sd": |a, b, how| [round(b[0], how), a[1]], (D2, D2, i32) -> D2;

    // Scalar products and single lanes, chosen by a mask.
    "sse41.dpps": dot, (F4, F4, i8) -> F4;
    "avx.dp.ps.256": |a, b, mask| join(
        dot(half(a, 0), half(b, 0), mask), dot(half(a, 1), half(b, 1), mask)
    ), (F8, F8, i8) -> F8;
    "sse41.dppd": dot_f64, (D2, D2, i8) -> D2;
    "sse41.insertps": insert, (F4, F4, i8) -> F4;

    // Lanes and bytes chosen by another vector.
    "ssse3.pshuf.b.128": shuffle_bytes, (U16, U16) -> U16;
    "avx2.pshuf.b": |a, b| join(
        shuffle_bytes(half(a, 0), half(b, 0)), shuffle_bytes(half(a, 1), half(b, 1))
    ), (U32, U32) -> U32;
    "avx2.permd": |a, by| by.map(|i| a[i as usize & 7]), (W8, W8) -> W8;
    "avx2.permps": |a, by| by.map(|i| a[i as usize & 7]), (F8, W8) -> F8;
    "avx.vpermilvar.ps": |a, by| by.map(|i| a[i as usize & 3]), (F4, W4) -> F4;
    "avx.vpermilvar.ps.256": |a, by| core::array::from_fn(
        |i| a[i & 4 | by[i] as usize & 3]
    ), (F8, W8) -> F8;
    "avx.vpermilvar.pd": |a, by| by.map(|i| a[i as usize >> 1 & 1]), (D2, Q2) -> D2;
    "avx.vpermilvar.pd.256": |a, by| core::array::from_fn(
        |i| a[i & 2 | by[i] as usize >> 1 & 1]
    ), (D4, Q4) -> D4;

    // Narrowing with saturation, for each 128 bits.
    "sse2.packssdw.128": |a, b| pack(a, b, saturate_i16), (W4, W4) -> H8;
    "sse2.packsswb.128": |a, b| pack(a, b, saturate_i8), (H8, H8) -> B16;
    "sse2.packuswb.128": |a, b| pack(a, b, saturate_u8), (H8, H8) -> U16;
    "sse41.packusdw": |a, b| pack(a, b, saturate_u16), (W4, W4) -> [u16; 8];
    "avx2.packssdw": |a, b| pack_halves(a, b, saturate_i16), (W8, W8) -> H16;
    "avx2.packsswb": |a, b| pack_halves(a, b, saturate_i8), (H16, H16) -> B32;
    "avx2.packuswb": |a, b| pack_halves(a, b, saturate_u8), (H16, H16) -> U32;
    "avx2.packusdw": |a, b| pack_halves(a, b, saturate_u16), (W8, W8) -> [u16; 16];

    // Products and sums of neighbours.
    "sse2.pmadd.wd": multiply_add, (H8, H8) -> W4;
    "avx2.pmadd.wd": multiply_add, (H16, H16) -> W8;
    "ssse3.pmadd.ub.sw.128": multiply_add_bytes, (U16, B16) -> H8;
    "avx2.pmadd.ub.sw": multiply_add_bytes, (U32, B32) -> H16;
    "ssse3.pmul.hr.sw.128": multiply_round, (H8, H8) -> H8;
    "avx2.pmul.hr.sw": multiply_round, (H16, H16) -> H16;
    "sse2.psad.bw": sum_of_differences, (U16, U16) -> Q2;
    "avx2.psad.bw": sum_of_differences, (U32, U32) -> Q4;
    "sse41.mpsadbw": |a, b, how| sliding_differences(a, b, how as usize), (U16, U16, i8) -> [u16; 8];
    "avx2.mpsadbw": |a, b, how| join(
        sliding_differences(half(a, 0), half(b, 0), how as usize),
        sliding_differences(half(a, 1), half(b, 1), how as usize >> 3)
    ), (U32, U32, i8) -> [u16; 16];
    "sse41.phminposuw": smallest, ([u16; 8]) -> [u16; 8];

    // Signs: negated, zero or kept.
    "ssse3.psign.b.128": |a, b| sign(a, b), (B16, B16) -> B16;
    "ssse3.psign.w.128": |a, b| sign(a, b), (H8, H8) -> H8;
    "ssse3.psign.d.128": |a, b| sign(a, b), (W4, W4) -> W4;
    "avx2.psign.b": |a, b| sign(a, b), (B32, B32) -> B32;
    "avx2.psign.w": |a, b| sign(a, b), (H16, H16) -> H16;
    "avx2.psign.d": |a, b| sign(a, b), (W8, W8) -> W8;

    // Shifts by one count for all lanes, the low 64 bits of a vector.
    "sse2.psll.w": |a, by| shift(a, count_w(by), Shift::Left), (H8, H8) -> H8;
    "sse2.psll.d": |a, by| shift(a, count_d(by), Shift::Left), (W4, W4) -> W4;
    "sse2.psll.q": |a, by| shift(a, by[0] as u64, Shift::Left), (Q2, Q2) -> Q2;
    "sse2.psrl.w": |a, by| shift(a, count_w(by), Shift::Right), (H8, H8) -> H8;
    "sse2.psrl.d": |a, by| shift(a, count_d(by), Shift::Right), (W4, W4) -> W4;
    "sse2.psrl.q": |a, by| shift(a, by[0] as u64, Shift::Right), (Q2, Q2) -> Q2;
    "sse2.psra.w": |a, by| shift(a, count_w(by), Shift::Arithmetic), (H8, H8) -> H8;
    "sse2.psra.d": |a, by| shift(a, count_d(by), Shift::Arithmetic), (W4, W4) -> W4;
    "avx2.psll.w": |a, by| shift(a, count_w(by), Shift::Left), (H16, H8) -> H16;
    "avx2.psll.d": |a, by| shift(a, count_d(by), Shift::Left), (W8, W4) -> W8;
    "avx2.psll.q": |a, by| shift(a, by[0] as u64, Shift::Left), (Q4, Q2) -> Q4;
    "avx2.psrl.w": |a, by| shift(a, count_w(by), Shift::Right), (H16, H8) -> H16;
    "avx2.psrl.d": |a, by| shift(a, count_d(by), Shift::Right), (W8, W4) -> W8;
    "avx2.psrl.q": |a, by| shift(a, by[0] as u64, Shift::Right), (Q4, Q2) -> Q4;
    "avx2.psra.w": |a, by| shift(a, count_w(by), Shift::Arithmetic), (H16, H8) -> H16;
    "avx2.psra.d": |a, by| shift(a, count_d(by), Shift::Arithmetic), (W8, W4) -> W8;

    // Tests of all bits, or of all signs.
    "sse41.ptestnzc": |a, b| test_mixed(a, b, -1), (Q2, Q2) -> i32;
    "avx.ptestnzc.256": |a, b| test_mixed(a, b, -1), (Q4, Q4) -> i32;
    "avx.vtestz.ps.256": |a, b| test_zero(bits(a), bits(b), i32::MIN), (F8, F8) -> i32;
    "avx.vtestz.pd.256": |a, b| test_zero(bits_f64(a), bits_f64(b), i64::MIN), (D4, D4) -> i32;
    "avx.vtestc.ps.256": |a, b| test_covered(bits(a), bits(b), i32::MIN), (F8, F8) -> i32;
    "avx.vtestc.pd.256": |a, b| test_covered(bits_f64(a), bits_f64(b), i64::MIN), (D4, D4) -> i32;
    "avx.vtestnzc.ps": |a, b| test_mixed(bits(a), bits(b), i32::MIN), (F4, F4) -> i32;
    "avx.vtestnzc.ps.256": |a, b| test_mixed(bits(a), bits(b), i32::MIN), (F8, F8) -> i32;
    "avx.vtestnzc.pd": |a, b| test_mixed(bits_f64(a), bits_f64(b), i64::MIN), (D2, D2) -> i32;
    "avx.vtestnzc.pd.256": |a, b| test_mixed(bits_f64(a), bits_f64(b), i64::MIN), (D4, D4) -> i32;

    // Words of large numbers: sums and differences with carry, and the quotient and remainder of two
    // words by one, which comes from assembly (`div`).
    "addcarry.32": add_with_carry, (u8, u32, u32) -> Carried<u32>;
    "addcarry.64": add_with_carry, (u8, u64, u64) -> Carried<u64>;
    "subborrow.32": subtract_with_borrow, (u8, u32, u32) -> Carried<u32>;
    "subborrow.64": subtract_with_borrow, (u8, u64, u64) -> Carried<u64>;
    "div.32": |high, low, by| {
        let number = u64::from(high) << 32 | u64::from(low);
        [(number / u64::from(by)) as u32, (number % u64::from(by)) as u32]
    }, (u32, u32, u32) -> [u32; 2];
    "div.64": |high, low, by| {
        let number = u128::from(high) << 64 | u128::from(low);
        [(number / u128::from(by)) as u64, (number % u128::from(by)) as u64]
    }, (u64, u64, u64) -> [u64; 2];

    // Bits of general registers.
    "bmi.bextr.32": |a, by| extract(a.into(), by) as u32, (u32, u32) -> u32;
    "bmi.bextr.64": |a, by| extract(a, by as u32), (u64, u64) -> u64;
    "bmi.bzhi.32": |a, by| low_bits(a.into(), by & 0xff) as u32, (u32, u32) -> u32;
    "bmi.bzhi.64": |a, by| low_bits(a, by as u32 & 0xff), (u64, u64) -> u64;
    "bmi.pdep.32": |a, mask| deposit(a.into(), mask.into()) as u32, (u32, u32) -> u32;
    "bmi.pdep.64": deposit, (u64, u64) -> u64;
    "bmi.pext.32": |a, mask| gather(a.into(), mask.into()) as u32, (u32, u32) -> u32;
    "bmi.pext.64": gather, (u64, u64) -> u64;
    "sse42.crc32.32.8": |crc, x| crc32c(crc, x.into(), 8), (u32, u8) -> u32;
    "sse42.crc32.32.16": |crc, x| crc32c(crc, x.into(), 16), (u32, u16) -> u32;
    "sse42.crc32.32.32": |crc, x| crc32c(crc, x.into(), 32), (u32, u32) -> u32;
    "sse42.crc32.64.64": |crc, x| crc32c(crc as u32, x, 64).into(), (u64, u64) -> u64;
    "pclmulqdq": |a, b, which| carryless(
        a[(which & 1) as usize] as u64, b[(which >> 4 & 1) as usize] as u64
    ), (Q2, Q2, i8) -> Q2;

    // Memory and its order.
    "sse3.ldu.dq": load, (*const u8) -> U16;
    "avx.ldu.dq.256": load, (*const u8) -> U32;
    "sse2.maskmov.dqu": store_masked, (U16, U16, *mut u8) -> ();
    "sse.sfence": fence, () -> ();
    "sse2.lfence": fence, () -> ();
    "sse2.mfence": fence, () -> ();

    // Hints, and state that a device does not have.
    "sse2.pause": || (), () -> ();
    "sse2.clflush": |_| (), (*const u8) -> ();
    "avx.vzeroupper": || (), () -> ();
    "avx.vzeroall": || (), () -> ();
    "xgetbv": |_| 0, (i32) -> i64;
}

/// What stands in the place of code that an optional feature of the host's processor guards: a
/// device has none, and says so when asked.
#[unsafe(no_mangle)]
#[cold]
#[inline(never)]
extern "C" fn __ptyx_missing_feature() -> ! {
    panic!(
        "code for an optional feature of the host's processor was called without asking whether \
         the feature is there: a device has none"
    )
}
