//! SIMD within a 32-bit word: four 8-bit or two 16-bit integers, and the DPX functions. On the host, too.
//! (CUDA Math API, [SIMD Intrinsics](https://docs.nvidia.com/cuda/cuda-math-api/cuda_math_api/group__CUDA__MATH__INTRINSIC__SIMD.html).)
//!
//! The names are CUDA's without the underscores: `vadd4` is `__vadd4`. A function whose name ends with 4 treats each
//! argument as four bytes, one whose name ends with 2 as two halfwords. Before that number, `s` stands for signed
//! and `u` for unsigned integers, and `ss` and `us` for signed and unsigned saturation.
//!
//! The DPX functions (`viaddmax_s32` and others) compute a maximum or minimum of sums, as algorithms for sequence alignment
//! and shortest paths do in each step. All of them are plain Rust, which the compiler and NVIDIA's assembler turn
//! into the device's instructions (PTX ISA,
//! [Integer Arithmetic Instructions](https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions); from `sm_90` on,
//! most DPX functions are single instructions; all of them work from `sm_70` on). The maximum of two `f32` or two 32-bit integers needs no function here:
//! `a.max(b)`.
//!
//! ```
//! use ptyx::device::math::simd;
//! use ptyx::prelude::*;
//!
//! /// Sums of absolute differences of two images, four pixels in each word.
//! #[kernel]
//! fn compare(a: &[u32], b: &[u32], sum: Atomics<u32>) {
//!     let mut own = 0;
//!     for i in thread::grid_stride(a.len()) {
//!         own += simd::vsadu4(a[i.get()], b[i.get()]);
//!     }
//!     sum[0].fetch_add(own);
//! }
//! ```

use core::array::from_fn;

/// The numbers in a word.
trait Lanes<const N: usize>: Copy {
    fn split(word: u32) -> [Self; N];
    fn join(lanes: [Self; N]) -> u32;
}

macro_rules! lanes {
    ($($type:ident as $unsigned:ident x $count:literal;)*) => {$(
        impl Lanes<$count> for $type {
            #[inline(always)]
            fn split(word: u32) -> [$type; $count] {
                from_fn(|i| (word >> ($type::BITS * i as u32)) as $type)
            }

            #[inline(always)]
            fn join(lanes: [$type; $count]) -> u32 {
                (0..$count).fold(0, |word, i| word | u32::from(lanes[i] as $unsigned) << ($type::BITS * i as u32))
            }
        }
    )*};
}

lanes! {
    i8 as u8 x 4;
    u8 as u8 x 4;
    i16 as u16 x 2;
    u16 as u16 x 2;
}

/// What a function says of its lanes, its CUDA name and an example.
macro_rules! function {
    ($about:literal, $name:ident, $lanes:literal, [$($example:literal),*] => $result:literal,
        ($($argument:ident: $type:ty),*) -> $output:ty, $body:expr) => {
        #[doc = concat!($about, ", ", $lanes, " (`__", stringify!($name), "`).")]
        ///
        /// ```
        /// use ptyx::device::math::simd;
        #[doc = concat!("assert_eq!(simd::", stringify!($name), "(", stringify!($($example),*), "), ", stringify!($result), ");")]
        /// ```
        #[inline(always)]
        #[must_use]
        pub fn $name($($argument: $type),*) -> $output {
            $body
        }
    };
}

/// Functions that compute lane by lane: what they do, the names for halves and bytes, the types of a lane, and an example
/// for each.
macro_rules! by_lane {
    ($($about:literal, $two:ident $four:ident ($($argument:ident),*: $half:ident $byte:ident) = $value:expr,
        [$($two_in:literal),* => $two_out:literal], [$($four_in:literal),* => $four_out:literal];)*) => {$(
        by_lane! { @one $about, $two, "for two halves", [$($two_in),*] => $two_out, ($($argument),*), $half 2, $value }
        by_lane! { @one $about, $four, "for four bytes", [$($four_in),*] => $four_out, ($($argument),*), $byte 4, $value }
    )*};
    (@one $about:literal, $name:ident, $lanes:literal, [$($in:literal),*] => $out:literal,
        ($($argument:ident),*), $type:ident $count:literal, $value:expr) => {
        function! { $about, $name, $lanes, [$($in),*] => $out, ($($argument: u32),*) -> u32, {
            type Lane = $type;
            $(let $argument: [Lane; $count] = Lanes::split($argument);)*
            let value = |$($argument: Lane),*| -> Lane { $value };
            Lanes::join(from_fn::<Lane, $count, _>(|i| value($($argument[i]),*)))
        } }
    };
}

/// Comparisons: a mask of ones where they hold, and a 1 there.
macro_rules! comparisons {
    ($($words:literal, $operator:tt, $half:ident $byte:ident, $($name:ident $count:ident $kind:ident [$a:literal, $b:literal => $result:literal]),*;)*) => {$($(
        comparisons! { @$count $words, $operator, $half $byte, $name $kind [$a, $b => $result] }
    )*)*};
    (@two $words:literal, $operator:tt, $half:ident $byte:ident, $name:ident $kind:ident [$a:literal, $b:literal => $result:literal]) => {
        comparisons! { @one $words, $operator, $half 2, "for two halves", $name $kind [$a, $b => $result] }
    };
    (@four $words:literal, $operator:tt, $half:ident $byte:ident, $name:ident $kind:ident [$a:literal, $b:literal => $result:literal]) => {
        comparisons! { @one $words, $operator, $byte 4, "for four bytes", $name $kind [$a, $b => $result] }
    };
    (@one $words:literal, $operator:tt, $type:ident $count:literal, $lanes:literal, $name:ident mask [$a:literal, $b:literal => $result:literal]) => {
        function! { $words, $name, $lanes, [$a, $b] => $result, (a: u32, b: u32) -> u32, {
            let (a, b): ([$type; $count], [$type; $count]) = (Lanes::split(a), Lanes::split(b));
            Lanes::join(from_fn::<$type, $count, _>(|i| if a[i] $operator b[i] { !0 } else { 0 }))
        } }
    };
    (@one $words:literal, $operator:tt, $type:ident $count:literal, $lanes:literal, $name:ident flag [$a:literal, $b:literal => $result:literal]) => {
        function! { $words, $name, $lanes, [$a, $b] => $result, (a: u32, b: u32) -> u32, {
            let (a, b): ([$type; $count], [$type; $count]) = (Lanes::split(a), Lanes::split(b));
            Lanes::join(from_fn::<$type, $count, _>(|i| (a[i] $operator b[i]).into()))
        } }
    };
}

by_lane! {
    "`a + b`, which wraps around", vadd2 vadd4 (a, b: u16 u8) = a.wrapping_add(b),
        [0x8000_00fe, 0x0001_7fff => 0x8001_80fd], [0x807f_05fe, 0x0102_0903 => 0x8181_0e01];
    "`a + b`, signed, which stops at the limits", vaddss2 vaddss4 (a, b: i16 i8) = a.saturating_add(b),
        [0x8000_00fe, 0x0001_7fff => 0x8001_7fff], [0x807f_05fe, 0x0102_0903 => 0x817f_0e01];
    "`a + b`, unsigned, which stops at the limit", vaddus2 vaddus4 (a, b: u16 u8) = a.saturating_add(b),
        [0x8000_00fe, 0x0001_7fff => 0x8001_80fd], [0x807f_05fe, 0x0102_0903 => 0x8181_0eff];
    "`a - b`, which wraps around", vsub2 vsub4 (a, b: u16 u8) = a.wrapping_sub(b),
        [0x8000_00fe, 0x0001_7fff => 0x7fff_80ff], [0x807f_05fe, 0x0102_0903 => 0x7f7d_fcfb];
    "`a - b`, signed, which stops at the limits", vsubss2 vsubss4 (a, b: i16 i8) = a.saturating_sub(b),
        [0x8000_00fe, 0x0001_7fff => 0x8000_80ff], [0x807f_05fe, 0x0102_0903 => 0x807d_fcfb];
    "`a - b`, unsigned, which stops at 0", vsubus2 vsubus4 (a, b: u16 u8) = a.saturating_sub(b),
        [0x8000_00fe, 0x0001_7fff => 0x7fff_0000], [0x807f_05fe, 0x0102_0903 => 0x7f7d_00fb];
    "`-a`, which wraps around", vneg2 vneg4 (a: i16 i8) = a.wrapping_neg(),
        [0x8000_00fe => 0x8000_ff02], [0x807f_05fe => 0x8081_fb02];
    "`-a`, which stops at the limit", vnegss2 vnegss4 (a: i16 i8) = a.saturating_neg(),
        [0x8000_00fe => 0x7fff_ff02], [0x807f_05fe => 0x7f81_fb02];
    "`|a|`, which wraps around", vabs2 vabs4 (a: i16 i8) = a.wrapping_abs(),
        [0x8000_00fe => 0x8000_00fe], [0x807f_05fe => 0x807f_0502];
    "`|a|`, which stops at the limit", vabsss2 vabsss4 (a: i16 i8) = a.saturating_abs(),
        [0x8000_00fe => 0x7fff_00fe], [0x807f_05fe => 0x7f7f_0502];
    "`|a - b|` of signed numbers, as an unsigned one", vabsdiffs2 vabsdiffs4 (a, b: i16 i8) = a.abs_diff(b) as _,
        [0x8000_00fe, 0x0001_7fff => 0x8001_7f01], [0x807f_05fe, 0x0102_0903 => 0x817d_0405];
    "`|a - b|` of unsigned numbers", vabsdiffu2 vabsdiffu4 (a, b: u16 u8) = a.abs_diff(b),
        [0x8000_00fe, 0x0001_7fff => 0x7fff_7f01], [0x807f_05fe, 0x0102_0903 => 0x7f7d_04fb];
    "The mean of signed numbers, rounded away from 0 halfway between two", vavgs2 vavgs4 (a, b: i16 i8) = mean(a.into(), b.into()) as _,
        [0x8000_00fe, 0x0001_7fff => 0xc000_407f], [0x807f_05fe, 0x0102_0903 => 0xc041_0701];
    "The mean of unsigned numbers, rounded up", vavgu2 vavgu4 (a, b: u16 u8) = (a | b) - ((a ^ b) >> 1),
        [0x8000_00fe, 0x0001_7fff => 0x4001_407f], [0x807f_05fe, 0x0102_0903 => 0x4141_0781];
    "The mean of unsigned numbers, rounded down", vhaddu2 vhaddu4 (a, b: u16 u8) = (a & b) + ((a ^ b) >> 1),
        [0x8000_00fe, 0x0001_7fff => 0x4000_407e], [0x807f_05fe, 0x0102_0903 => 0x4040_0780];
    "The larger of signed numbers", vmaxs2 vmaxs4 (a, b: i16 i8) = a.max(b),
        [0x8000_00fe, 0x0001_7fff => 0x0001_7fff], [0x807f_05fe, 0x0102_0903 => 0x017f_0903];
    "The larger of unsigned numbers", vmaxu2 vmaxu4 (a, b: u16 u8) = a.max(b),
        [0x8000_00fe, 0x0001_7fff => 0x8000_7fff], [0x807f_05fe, 0x0102_0903 => 0x807f_09fe];
    "The smaller of signed numbers", vmins2 vmins4 (a, b: i16 i8) = a.min(b),
        [0x8000_00fe, 0x0001_7fff => 0x8000_00fe], [0x807f_05fe, 0x0102_0903 => 0x8002_05fe];
    "The smaller of unsigned numbers", vminu2 vminu4 (a, b: u16 u8) = a.min(b),
        [0x8000_00fe, 0x0001_7fff => 0x0001_00fe], [0x807f_05fe, 0x0102_0903 => 0x0102_0503];
}

comparisons! {
    "All bits where `a == b`, else 0", ==, u16 u8,
        vcmpeq2 two mask [0x8000_7fff, 0x0001_7fff => 0x0000_ffff],
        vcmpeq4 four mask [0x8002_0503, 0x0102_0903 => 0x00ff_00ff];
    "1 where `a == b`, else 0", ==, u16 u8,
        vseteq2 two flag [0x8000_7fff, 0x0001_7fff => 0x0000_0001],
        vseteq4 four flag [0x8002_0503, 0x0102_0903 => 0x0001_0001];
    "All bits where `a != b`, else 0", !=, u16 u8,
        vcmpne2 two mask [0x8000_7fff, 0x0001_7fff => 0xffff_0000],
        vcmpne4 four mask [0x8002_0503, 0x0102_0903 => 0xff00_ff00];
    "1 where `a != b`, else 0", !=, u16 u8,
        vsetne2 two flag [0x8000_7fff, 0x0001_7fff => 0x0001_0000],
        vsetne4 four flag [0x8002_0503, 0x0102_0903 => 0x0100_0100];
    "All bits where `a >= b`, signed, else 0", >=, i16 i8,
        vcmpges2 two mask [0x8000_7fff, 0x0001_7fff => 0x0000_ffff],
        vcmpges4 four mask [0x8002_0503, 0x0102_0903 => 0x00ff_00ff];
    "1 where `a >= b`, signed, else 0", >=, i16 i8,
        vsetges2 two flag [0x8000_7fff, 0x0001_7fff => 0x0000_0001],
        vsetges4 four flag [0x8002_0503, 0x0102_0903 => 0x0001_0001];
    "All bits where `a > b`, signed, else 0", >, i16 i8,
        vcmpgts2 two mask [0x8000_7fff, 0x0001_7fff => 0x0000_0000],
        vcmpgts4 four mask [0x8002_0503, 0x0102_0903 => 0x0000_0000];
    "1 where `a > b`, signed, else 0", >, i16 i8,
        vsetgts2 two flag [0x8000_7fff, 0x0001_7fff => 0x0000_0000],
        vsetgts4 four flag [0x8002_0503, 0x0102_0903 => 0x0000_0000];
    "All bits where `a <= b`, signed, else 0", <=, i16 i8,
        vcmples2 two mask [0x8000_7fff, 0x0001_7fff => 0xffff_ffff],
        vcmples4 four mask [0x8002_0503, 0x0102_0903 => 0xffff_ffff];
    "1 where `a <= b`, signed, else 0", <=, i16 i8,
        vsetles2 two flag [0x8000_7fff, 0x0001_7fff => 0x0001_0001],
        vsetles4 four flag [0x8002_0503, 0x0102_0903 => 0x0101_0101];
    "All bits where `a < b`, signed, else 0", <, i16 i8,
        vcmplts2 two mask [0x8000_7fff, 0x0001_7fff => 0xffff_0000],
        vcmplts4 four mask [0x8002_0503, 0x0102_0903 => 0xff00_ff00];
    "1 where `a < b`, signed, else 0", <, i16 i8,
        vsetlts2 two flag [0x8000_7fff, 0x0001_7fff => 0x0001_0000],
        vsetlts4 four flag [0x8002_0503, 0x0102_0903 => 0x0100_0100];
    "All bits where `a >= b`, unsigned, else 0", >=, u16 u8,
        vcmpgeu2 two mask [0x8000_7fff, 0x0001_7fff => 0xffff_ffff],
        vcmpgeu4 four mask [0x8002_0503, 0x0102_0903 => 0xffff_00ff];
    "1 where `a >= b`, unsigned, else 0", >=, u16 u8,
        vsetgeu2 two flag [0x8000_7fff, 0x0001_7fff => 0x0001_0001],
        vsetgeu4 four flag [0x8002_0503, 0x0102_0903 => 0x0101_0001];
    "All bits where `a > b`, unsigned, else 0", >, u16 u8,
        vcmpgtu2 two mask [0x8000_7fff, 0x0001_7fff => 0xffff_0000],
        vcmpgtu4 four mask [0x8002_0503, 0x0102_0903 => 0xff00_0000];
    "1 where `a > b`, unsigned, else 0", >, u16 u8,
        vsetgtu2 two flag [0x8000_7fff, 0x0001_7fff => 0x0001_0000],
        vsetgtu4 four flag [0x8002_0503, 0x0102_0903 => 0x0100_0000];
    "All bits where `a <= b`, unsigned, else 0", <=, u16 u8,
        vcmpleu2 two mask [0x8000_7fff, 0x0001_7fff => 0x0000_ffff],
        vcmpleu4 four mask [0x8002_0503, 0x0102_0903 => 0x00ff_ffff];
    "1 where `a <= b`, unsigned, else 0", <=, u16 u8,
        vsetleu2 two flag [0x8000_7fff, 0x0001_7fff => 0x0000_0001],
        vsetleu4 four flag [0x8002_0503, 0x0102_0903 => 0x0001_0101];
    "All bits where `a < b`, unsigned, else 0", <, u16 u8,
        vcmpltu2 two mask [0x8000_7fff, 0x0001_7fff => 0x0000_0000],
        vcmpltu4 four mask [0x8002_0503, 0x0102_0903 => 0x0000_ff00];
    "1 where `a < b`, unsigned, else 0", <, u16 u8,
        vsetltu2 two flag [0x8000_7fff, 0x0001_7fff => 0x0000_0000],
        vsetltu4 four flag [0x8002_0503, 0x0102_0903 => 0x0000_0100];
}

/// The mean of two numbers, rounded away from 0.
#[inline(always)]
fn mean(a: i32, b: i32) -> i32 {
    let sum = a.wrapping_add(b);
    let away = if sum < 0 { -1 } else { 1 };
    sum.wrapping_add(away) / 2
}

/// Sums over lanes.
macro_rules! sums {
    ($($about:literal, $name:ident $lanes:literal, $type:ident $count:literal, [$a:literal, $b:literal => $result:literal];)*) => {$(
        function! { $about, $name, $lanes, [$a, $b] => $result, (a: u32, b: u32) -> u32, {
            let (a, b): ([$type; $count], [$type; $count]) = (Lanes::split(a), Lanes::split(b));
            (0..$count).fold(0u32, |sum, i| sum.wrapping_add(a[i].abs_diff(b[i]).into()))
        } }
    )*};
}

sums! {
    "The sum of `|a - b|` over signed numbers", vsads2 "for two halves", i16 2, [0x8000_00fe, 0x0001_7fff => 65282];
    "The sum of `|a - b|` over signed numbers", vsads4 "for four bytes", i8 4, [0x807f_05fe, 0x0102_0903 => 263];
    "The sum of `|a - b|` over unsigned numbers", vsadu2 "for two halves", u16 2, [0x8000_00fe, 0x0001_7fff => 65280];
    "The sum of `|a - b|` over unsigned numbers", vsadu4 "for four bytes", u8 4, [0x807f_05fe, 0x0102_0903 => 507];
}

/// Functions of three or two numbers for 32 bits, signed and unsigned, and for two halves; `relu` means that a result below 0
/// is 0.
macro_rules! dpx {
    ($($about:literal, $arguments:tt = $value:expr;
        $($name:ident $type:ident [$($in:literal),* => $out:literal]),*; $($halves:ident $half:ident [$($two_in:literal),* => $two_out:literal]),*;)*) => {$(
        $(dpx! { @word $about, $name, $type, $arguments, $value, [$($in),* => $out] })*
        $(by_lane! { @one $about, $halves, "for two halves", [$($two_in),*] => $two_out, $arguments, $half 2, $value })*
    )*};
    (@word $about:literal, $name:ident, $type:ident, ($($argument:ident),*), $value:expr, [$($in:literal),* => $out:literal]) => {
        function! { $about, $name, "for 32 bits", [$($in),*] => $out, ($($argument: $type),*) -> $type, $value }
    };
}

dpx! {
    "The largest of three numbers", (a, b, c) = a.max(b).max(c);
        vimax3_s32 i32 [-5, 3, -7 => 3], vimax3_u32 u32 [5, 3, 7 => 7];
        vimax3_s16x2 i16 [0xffff_0003, 0xfffe_0002, 0xfff0_0009 => 0xffff_0009], vimax3_u16x2 u16 [0xffff_0003, 0xfffe_0002, 0xfff0_0009 => 0xffff_0009];
    "The smallest of three numbers", (a, b, c) = a.min(b).min(c);
        vimin3_s32 i32 [-5, 3, -7 => -7], vimin3_u32 u32 [5, 3, 7 => 3];
        vimin3_s16x2 i16 [0xffff_0003, 0x0001_0002, 0x0002_0009 => 0xffff_0002], vimin3_u16x2 u16 [0xffff_0003, 0x0001_0002, 0x0002_0009 => 0x0001_0002];
    "The largest of three numbers and 0", (a, b, c) = a.max(b).max(c).max(0);
        vimax3_s32_relu i32 [-5, -3, -7 => 0]; vimax3_s16x2_relu i16 [0xffff_0003, 0xfffe_0002, 0xfff0_0009 => 0x0000_0009];
    "The smallest of three numbers, at least 0", (a, b, c) = a.min(b).min(c).max(0);
        vimin3_s32_relu i32 [5, 3, -7 => 0]; vimin3_s16x2_relu i16 [0xffff_0003, 0x0001_0002, 0x0002_0009 => 0x0000_0002];
    "The larger of two numbers and 0", (a, b) = a.max(b).max(0);
        vimax_s32_relu i32 [-5, -3 => 0]; vimax_s16x2_relu i16 [0xffff_0003, 0xfffe_0002 => 0x0000_0003];
    "The smaller of two numbers, at least 0", (a, b) = a.min(b).max(0);
        vimin_s32_relu i32 [5, -3 => 0]; vimin_s16x2_relu i16 [0xffff_0003, 0x0001_0002 => 0x0000_0002];
    "The larger of `a + b`, which wraps around, and `c`", (a, b, c) = a.wrapping_add(b).max(c);
        viaddmax_s32 i32 [-5, 3, -7 => -2], viaddmax_u32 u32 [5, 3, 7 => 8];
        viaddmax_s16x2 i16 [0xffff_0003, 0xfffe_0002, 0xfff0_0009 => 0xfffd_0009], viaddmax_u16x2 u16 [0xffff_0003, 0xfffe_0002, 0xfff0_0009 => 0xfffd_0009];
    "The smaller of `a + b`, which wraps around, and `c`", (a, b, c) = a.wrapping_add(b).min(c);
        viaddmin_s32 i32 [-5, 3, -7 => -7], viaddmin_u32 u32 [5, 3, 7 => 7];
        viaddmin_s16x2 i16 [0xffff_0003, 0xfffe_0002, 0xfff0_0009 => 0xfff0_0005], viaddmin_u16x2 u16 [0xffff_0003, 0xfffe_0002, 0xfff0_0009 => 0xfff0_0005];
    "The larger of `a + b`, which wraps around, and `c`, at least 0", (a, b, c) = a.wrapping_add(b).max(c).max(0);
        viaddmax_s32_relu i32 [-5, 3, -7 => 0]; viaddmax_s16x2_relu i16 [0xffff_0003, 0xfffe_0002, 0xfff0_0009 => 0x0000_0009];
    "The smaller of `a + b`, which wraps around, and `c`, at least 0", (a, b, c) = a.wrapping_add(b).min(c).max(0);
        viaddmin_s32_relu i32 [5, 3, -7 => 0]; viaddmin_s16x2_relu i16 [0xffff_0003, 0xfffe_0002, 0xfff0_0009 => 0x0000_0005];
}

/// The larger or smaller of two numbers, and whether it is the first.
macro_rules! with_choice {
    ($($about:literal, $operator:tt, $($name:ident $type:ident [$a:literal, $b:literal => $result:literal]),*; $($halves:ident $half:ident [$c:literal, $d:literal => $pair:literal]),*;)*) => {$(
        $(
            #[doc = concat!($about, ", and whether it is `a`, also if both are equal (`__", stringify!($name), "`).")]
            ///
            /// ```
            /// use ptyx::device::math::simd;
            #[doc = concat!("assert_eq!(simd::", stringify!($name), "(", $a, ", ", $b, "), ", $result, ");")]
            /// ```
            #[inline(always)]
            #[must_use]
            pub fn $name(a: $type, b: $type) -> ($type, bool) {
                if a $operator b { (a, true) } else { (b, false) }
            }
        )*
        $(
            #[doc = concat!($about, ", for two halves, and whether each is that of `a`, also if both are equal: of the high halves, then of the low ones (`__", stringify!($halves), "`).")]
            ///
            /// ```
            /// use ptyx::device::math::simd;
            #[doc = concat!("assert_eq!(simd::", stringify!($halves), "(", stringify!($c), ", ", stringify!($d), "), ", $pair, ");")]
            /// ```
            #[inline(always)]
            #[must_use]
            pub fn $halves(a: u32, b: u32) -> (u32, bool, bool) {
                let (a, b): ([$half; 2], [$half; 2]) = (Lanes::split(a), Lanes::split(b));
                let choose = |i: usize| if a[i] $operator b[i] { (a[i], true) } else { (b[i], false) };
                let ((low, low_is_a), (high, high_is_a)) = (choose(0), choose(1));
                (Lanes::join([low, high]), high_is_a, low_is_a)
            }
        )*
    )*};
}

with_choice! {
    "The larger of two numbers", >=,
        vibmax_s32 i32 ["-5", "3" => "(3, false)"], vibmax_u32 u32 ["5", "3" => "(5, true)"];
        vibmax_s16x2 i16 [0xffff_0003, 0x0001_0003 => "(0x0001_0003, false, true)"], vibmax_u16x2 u16 [0xffff_0003, 0x0001_0004 => "(0xffff_0004, true, false)"];
    "The smaller of two numbers", <=,
        vibmin_s32 i32 ["-5", "3" => "(-5, true)"], vibmin_u32 u32 ["5", "3" => "(3, false)"];
        vibmin_s16x2 i16 [0xffff_0003, 0x0001_0003 => "(0xffff_0003, true, true)"], vibmin_u16x2 u16 [0xffff_0003, 0x0001_0004 => "(0x0001_0003, false, true)"];
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// Words with special numbers and with numbers of all kinds, by a generator of its own.
    fn words() -> Vec<u32> {
        let mut words = std::vec![0, u32::MAX, 0x8080_8080, 0x7f7f_7f7f, 0x8000_7fff, 0x0100_00ff];
        let mut state = 0x2545_f491_4f6c_dd1du64;
        for _ in 0..200 {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            words.push((state >> 32) as u32);
        }
        words
    }

    /// The number in a lane of so many bits.
    fn lane(word: u32, bits: u32, index: u32, signed: bool) -> i64 {
        let value = i64::from(word >> (bits * index)) & ((1 << bits) - 1);
        if signed && value >> (bits - 1) == 1 { value - (1 << bits) } else { value }
    }

    /// A function of two lanes, by numbers that are large enough for every result.
    fn check(
        function: fn(u32, u32) -> u32,
        bits: u32,
        signed: bool,
        value: impl Fn(i64, i64) -> i64,
    ) {
        for a in words() {
            for b in words() {
                let got = function(a, b);
                for index in 0..32 / bits {
                    let (x, y) = (lane(a, bits, index, signed), lane(b, bits, index, signed));
                    let want = value(x, y) & ((1 << bits) - 1);
                    assert_eq!(lane(got, bits, index, false), want, "{a:#x}, {b:#x}: lane {index}");
                }
            }
        }
    }

    macro_rules! agree {
        ($($two:ident $four:ident $signed:literal |$a:ident, $b:ident, $limits:ident| $value:expr;)*) => {$(
            for (function, bits) in [($two as fn(u32, u32) -> u32, 16), ($four, 8)] {
                let $limits = if $signed { (-1 << (bits - 1), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
                check(function, bits, $signed, |$a, $b| { let _ = $limits; $value });
            }
        )*};
    }

    #[test]
    fn lanes_agree_with_large_numbers() {
        agree! {
            vadd2 vadd4 false |a, b, limits| a + b;
            vaddss2 vaddss4 true |a, b, limits| (a + b).clamp(limits.0, limits.1);
            vaddus2 vaddus4 false |a, b, limits| (a + b).clamp(limits.0, limits.1);
            vsub2 vsub4 false |a, b, limits| a - b;
            vsubss2 vsubss4 true |a, b, limits| (a - b).clamp(limits.0, limits.1);
            vsubus2 vsubus4 false |a, b, limits| (a - b).clamp(limits.0, limits.1);
            vabsdiffs2 vabsdiffs4 true |a, b, limits| (a - b).abs();
            vabsdiffu2 vabsdiffu4 false |a, b, limits| (a - b).abs();
            vavgs2 vavgs4 true |a, b, limits| ((a + b) as f64 / 2.0).round() as i64;
            vavgu2 vavgu4 false |a, b, limits| (a + b + 1).div_euclid(2);
            vhaddu2 vhaddu4 false |a, b, limits| (a + b).div_euclid(2);
            vmaxs2 vmaxs4 true |a, b, limits| if a > b { a } else { b };
            vmaxu2 vmaxu4 false |a, b, limits| if a > b { a } else { b };
            vmins2 vmins4 true |a, b, limits| if a < b { a } else { b };
            vminu2 vminu4 false |a, b, limits| if a < b { a } else { b };
            vcmpeq2 vcmpeq4 false |a, b, limits| if a == b { -1 } else { 0 };
            vcmpne2 vcmpne4 false |a, b, limits| if a != b { -1 } else { 0 };
            vcmpges2 vcmpges4 true |a, b, limits| if a >= b { -1 } else { 0 };
            vcmpgts2 vcmpgts4 true |a, b, limits| if a > b { -1 } else { 0 };
            vcmples2 vcmples4 true |a, b, limits| if a <= b { -1 } else { 0 };
            vcmplts2 vcmplts4 true |a, b, limits| if a < b { -1 } else { 0 };
            vcmpgeu2 vcmpgeu4 false |a, b, limits| if a >= b { -1 } else { 0 };
            vcmpgtu2 vcmpgtu4 false |a, b, limits| if a > b { -1 } else { 0 };
            vcmpleu2 vcmpleu4 false |a, b, limits| if a <= b { -1 } else { 0 };
            vcmpltu2 vcmpltu4 false |a, b, limits| if a < b { -1 } else { 0 };
            vseteq2 vseteq4 false |a, b, limits| (a == b).into();
            vsetne2 vsetne4 false |a, b, limits| (a != b).into();
            vsetges2 vsetges4 true |a, b, limits| (a >= b).into();
            vsetgts2 vsetgts4 true |a, b, limits| (a > b).into();
            vsetles2 vsetles4 true |a, b, limits| (a <= b).into();
            vsetlts2 vsetlts4 true |a, b, limits| (a < b).into();
            vsetgeu2 vsetgeu4 false |a, b, limits| (a >= b).into();
            vsetgtu2 vsetgtu4 false |a, b, limits| (a > b).into();
            vsetleu2 vsetleu4 false |a, b, limits| (a <= b).into();
            vsetltu2 vsetltu4 false |a, b, limits| (a < b).into();
        }
        let one = |f: fn(u32) -> u32, g: fn(u32) -> u32, value: fn(i64, i64) -> i64| {
            for a in words() {
                for (function, bits) in [(f, 16), (g, 8)] {
                    for index in 0..32 / bits {
                        let want = value(lane(a, bits, index, true), (1 << (bits - 1)) - 1);
                        let got = lane(function(a), bits, index, false);
                        assert_eq!(got, want & ((1 << bits) - 1), "{a:#x}, lane {index}");
                    }
                }
            }
        };
        one(vneg2, vneg4, |a, _| -a);
        one(vnegss2, vnegss4, |a, most| (-a).min(most));
        one(vabs2, vabs4, |a, _| a.abs());
        one(vabsss2, vabsss4, |a, most| a.abs().min(most));
    }

    #[test]
    fn sums_agree_with_large_numbers() {
        let sums = [
            (vsads2 as fn(u32, u32) -> u32, 16, true),
            (vsads4, 8, true),
            (vsadu2, 16, false),
            (vsadu4, 8, false),
        ];
        for (function, bits, signed) in sums {
            for (a, b) in words().into_iter().zip(words().into_iter().rev()) {
                let of = |word, index| lane(word, bits, index, signed);
                let want: i64 = (0..32 / bits).map(|i| (of(a, i) - of(b, i)).abs()).sum();
                assert_eq!(i64::from(function(a, b)), want);
            }
        }
    }

    #[test]
    fn halves_of_dpx_are_those_of_words() {
        let words = words();
        for i in 0..words.len() - 2 {
            let [a, b, c] = [words[i], words[i + 1], words[i + 2]];
            let want = |signed: bool, value: &dyn Fn(i64, i64, i64) -> i64| {
                let of = |word, index| lane(word, 16, index, signed);
                let value = |index| value(of(a, index), of(b, index), of(c, index)) as u16;
                u32::from(value(1)) << 16 | u32::from(value(0))
            };
            let wrap = |sum: i64| i64::from(sum as i16);
            let wrap_unsigned = |sum: i64| i64::from(sum as u16);
            assert_eq!(vimax3_s16x2(a, b, c), want(true, &|a, b, c| a.max(b.max(c))));
            assert_eq!(vimax3_u16x2(a, b, c), want(false, &|a, b, c| a.max(b.max(c))));
            assert_eq!(vimin3_s16x2(a, b, c), want(true, &|a, b, c| a.min(b.min(c))));
            assert_eq!(vimin3_u16x2(a, b, c), want(false, &|a, b, c| a.min(b.min(c))));
            assert_eq!(vimax3_s16x2_relu(a, b, c), want(true, &|a, b, c| a.max(b.max(c)).max(0)));
            assert_eq!(vimin3_s16x2_relu(a, b, c), want(true, &|a, b, c| a.min(b.min(c)).max(0)));
            assert_eq!(vimax_s16x2_relu(a, b), want(true, &|a, b, _| a.max(b).max(0)));
            assert_eq!(vimin_s16x2_relu(a, b), want(true, &|a, b, _| a.min(b).max(0)));
            assert_eq!(viaddmax_s16x2(a, b, c), want(true, &|a, b, c| wrap(a + b).max(c)));
            assert_eq!(viaddmin_s16x2(a, b, c), want(true, &|a, b, c| wrap(a + b).min(c)));
            assert_eq!(
                viaddmax_u16x2(a, b, c),
                want(false, &|a, b, c| wrap_unsigned(a + b).max(c))
            );
            assert_eq!(
                viaddmin_u16x2(a, b, c),
                want(false, &|a, b, c| wrap_unsigned(a + b).min(c))
            );
            let relu = |x: i64| x.max(0);
            assert_eq!(
                viaddmax_s16x2_relu(a, b, c),
                want(true, &|a, b, c| relu(wrap(a + b).max(c)))
            );
            assert_eq!(
                viaddmin_s16x2_relu(a, b, c),
                want(true, &|a, b, c| relu(wrap(a + b).min(c)))
            );
            let (larger, high, low) = vibmax_s16x2(a, b);
            assert_eq!(larger, vmaxs2(a, b));
            assert_eq!((high, low), (a as i32 >> 16 >= b as i32 >> 16, a as i16 >= b as i16));
            assert_eq!(vibmin_u16x2(a, b).0, vminu2(a, b));
        }
    }

    #[test]
    fn words_of_dpx() {
        let words = words();
        for i in 0..words.len() - 2 {
            let [a, b, c] = [words[i], words[i + 1], words[i + 2]];
            let [x, y, z] = [a, b, c].map(|word| i64::from(word as i32));
            let wrap = |sum: i64| i64::from(sum as i32);
            let (s, t, u) = (a as i32, b as i32, c as i32);
            let signed = [
                (vimax3_s32(s, t, u), x.max(y).max(z)),
                (vimin3_s32(s, t, u), x.min(y).min(z)),
                (vimax3_s32_relu(s, t, u), x.max(y).max(z).max(0)),
                (vimin3_s32_relu(s, t, u), x.min(y).min(z).max(0)),
                (vimax_s32_relu(s, t), x.max(y).max(0)),
                (vimin_s32_relu(s, t), x.min(y).max(0)),
                (viaddmax_s32(s, t, u), wrap(x + y).max(z)),
                (viaddmin_s32(s, t, u), wrap(x + y).min(z)),
                (viaddmax_s32_relu(s, t, u), wrap(x + y).max(z).max(0)),
                (viaddmin_s32_relu(s, t, u), wrap(x + y).min(z).max(0)),
                (vibmax_s32(s, t).0, x.max(y)),
                (vibmin_s32(s, t).0, x.min(y)),
            ];
            for (k, (got, want)) in signed.into_iter().enumerate() {
                assert_eq!(i64::from(got), want, "function {k} of {s}, {t}, {u}");
            }
            let sum = (u64::from(a) + u64::from(b)) as u32;
            assert_eq!(viaddmax_u32(a, b, c), if sum > c { sum } else { c });
            assert_eq!(viaddmin_u32(a, b, c), if sum < c { sum } else { c });
            assert_eq!((vibmax_s32(s, t).1, vibmin_s32(s, t).1), (x >= y, x <= y));
            assert_eq!(vibmax_u32(a, a), (a, true));
        }
    }
}
