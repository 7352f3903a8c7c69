//! The processor's intrinsics themselves: `core::arch::x86_64` in kernels, against the processor.
//!
//! Each function calls the intrinsics of one family; together they use nearly every row of
//! `device-std/src/x86/`. Floats are bits at random, so that NaN and infinity come up.

#![cfg(target_arch = "x86_64")]
#![expect(
    clippy::missing_transmute_annotations,
    clippy::type_complexity,
    clippy::useless_transmute,
    reason = "one macro turns any arrays into vectors and back, integers included"
)]

use core::arch::x86_64::*;
use core::mem::transmute;

use ptyx_crate_tests::{INPUTS, compare, map, same_on_both};

type F4 = [f32; 4];
type F8 = [f32; 8];
type D2 = [f64; 2];
type D4 = [f64; 4];
type Q2 = [u64; 2];
type Q4 = [u64; 4];

/// Floats of any bits, every other one of them small.
fn floats<const N: usize>(bits: [u32; N]) -> [f32; N] {
    bits.map(|x| if x & 1 == 0 { f32::from_bits(x) } else { (x as i32 >> 16) as f32 / 64.0 })
}

/// The same in 64 bits.
fn doubles<const N: usize>(bits: [u64; N]) -> [f64; N] {
    bits.map(|x| if x & 1 == 0 { f64::from_bits(x) } else { (x as i64 >> 40) as f64 / 256.0 })
}

/// `on!(function(a, b) -> type)`: calls an intrinsic with arrays, gives an array.
macro_rules! on {
    ($function:ident $(::<$imm:literal>)? ($($argument:expr),*) -> $type:ty) => {
        // SAFETY: vectors and arrays of one size; the processor has been asked for the feature, and
        // a device needs none.
        unsafe { transmute::<_, $type>($function$(::<$imm>)?($(transmute($argument)),*)) }
    };
}

/// Whether this processor has AVX2 and what came with it, so that there is something to compare
/// with. A device needs none of it.
fn avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("pclmulqdq")
}

/// Takes a function that is only right where AVX2 and AES are.
#[target_feature(enable = "avx2,aes")]
fn accelerated(x: u64) -> u64 {
    let x = _mm_set1_epi64x(x as i64);
    _mm_cvtsi128_si64(_mm_aesenc_si128(x, x)) as u64
}

/// What the processor says of itself: in a kernel, nothing.
fn questions(x: u64) -> [u64; 3] {
    let accelerated = if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("aes") {
        // SAFETY: the features are there.
        unsafe { accelerated(x) }
    } else {
        1
    };
    let leaf = __cpuid(1);
    [accelerated, is_x86_feature_detected!("fma").into(), (leaf.eax | leaf.ebx | leaf.ecx).into()]
}

#[test]
fn a_device_has_no_optional_features() {
    let on_device =
        |x: &_, y: &mut _| ptyx::launch!(map<<<INPUTS.div_ceil(64), 64>>>(questions, x, y));
    compare("questions", 0.0, on_device, |_| [1, 0, 0]);
}

same_on_both! {
    fn minimum_maximum(x: ([u32; 4], [u32; 4])) -> [[u32; 4]; 4] {
        let (a, b): (F4, F4) = (floats(x.0), floats(x.1));
        [
            on!(_mm_min_ps(a, b) -> [u32; 4]),
            on!(_mm_max_ps(a, b) -> [u32; 4]),
            on!(_mm_min_ss(a, b) -> [u32; 4]),
            on!(_mm_max_ss(a, b) -> [u32; 4]),
        ]
    }

    fn minimum_maximum_f64(x: (Q2, Q2)) -> [Q2; 4] {
        let (a, b): (D2, D2) = (doubles(x.0), doubles(x.1));
        [
            on!(_mm_min_pd(a, b) -> Q2),
            on!(_mm_max_pd(a, b) -> Q2),
            on!(_mm_min_sd(a, b) -> Q2),
            on!(_mm_max_sd(a, b) -> Q2),
        ]
    }

    fn comparisons(x: ([u32; 4], [u32; 4])) -> [[u32; 4]; 12] {
        let (a, b): (F4, F4) = (floats(x.0), floats(x.1));
        [
            on!(_mm_cmpeq_ps(a, b) -> [u32; 4]),
            on!(_mm_cmplt_ps(a, b) -> [u32; 4]),
            on!(_mm_cmple_ps(a, b) -> [u32; 4]),
            on!(_mm_cmpunord_ps(a, b) -> [u32; 4]),
            on!(_mm_cmpneq_ps(a, b) -> [u32; 4]),
            on!(_mm_cmpnlt_ps(a, b) -> [u32; 4]),
            on!(_mm_cmpnle_ps(a, b) -> [u32; 4]),
            on!(_mm_cmpord_ps(a, b) -> [u32; 4]),
            on!(_mm_cmplt_ss(a, b) -> [u32; 4]),
            on!(_mm_cmpnle_ss(a, b) -> [u32; 4]),
            on!(_mm_cmpgt_ss(a, b) -> [u32; 4]),
            on!(_mm_cmpneq_ss(a, b) -> [u32; 4]),
        ]
    }

    fn comparisons_f64(x: (Q2, Q2)) -> [Q2; 8] {
        let (a, b): (D2, D2) = (doubles(x.0), doubles(x.1));
        [
            on!(_mm_cmpeq_pd(a, b) -> Q2),
            on!(_mm_cmplt_pd(a, b) -> Q2),
            on!(_mm_cmple_pd(a, b) -> Q2),
            on!(_mm_cmpunord_pd(a, b) -> Q2),
            on!(_mm_cmpneq_pd(a, b) -> Q2),
            on!(_mm_cmpnlt_pd(a, b) -> Q2),
            on!(_mm_cmple_sd(a, b) -> Q2),
            on!(_mm_cmpnge_sd(a, b) -> Q2),
        ]
    }

    fn comparisons_of_one(x: ([u32; 4], [u32; 4])) -> [i32; 12] {
        let (a, b): (F4, F4) = (floats(x.0), floats(x.1));
        [
            on!(_mm_comieq_ss(a, b) -> i32),
            on!(_mm_comineq_ss(a, b) -> i32),
            on!(_mm_comilt_ss(a, b) -> i32),
            on!(_mm_comile_ss(a, b) -> i32),
            on!(_mm_comigt_ss(a, b) -> i32),
            on!(_mm_comige_ss(a, b) -> i32),
            on!(_mm_ucomieq_ss(a, b) -> i32),
            on!(_mm_ucomineq_ss(a, b) -> i32),
            on!(_mm_ucomilt_ss(a, b) -> i32),
            on!(_mm_ucomile_ss(a, b) -> i32),
            on!(_mm_ucomigt_ss(a, b) -> i32),
            on!(_mm_ucomige_ss(a, b) -> i32),
        ]
    }

    fn comparisons_of_one_f64(x: (Q2, Q2)) -> [i32; 12] {
        let (a, b): (D2, D2) = (doubles(x.0), doubles(x.1));
        [
            on!(_mm_comieq_sd(a, b) -> i32),
            on!(_mm_comineq_sd(a, b) -> i32),
            on!(_mm_comilt_sd(a, b) -> i32),
            on!(_mm_comile_sd(a, b) -> i32),
            on!(_mm_comigt_sd(a, b) -> i32),
            on!(_mm_comige_sd(a, b) -> i32),
            on!(_mm_ucomieq_sd(a, b) -> i32),
            on!(_mm_ucomineq_sd(a, b) -> i32),
            on!(_mm_ucomilt_sd(a, b) -> i32),
            on!(_mm_ucomile_sd(a, b) -> i32),
            on!(_mm_ucomigt_sd(a, b) -> i32),
            on!(_mm_ucomige_sd(a, b) -> i32),
        ]
    }

    needs avx2 fn comparisons_by_number(x: ([u32; 8], [u32; 8])) -> [[u32; 8]; 16] {
        let (a, b): (F8, F8) = (floats(x.0), floats(x.1));
        [
            on!(_mm256_cmp_ps::<16>(a, b) -> [u32; 8]),
            on!(_mm256_cmp_ps::<1>(a, b) -> [u32; 8]),
            on!(_mm256_cmp_ps::<2>(a, b) -> [u32; 8]),
            on!(_mm256_cmp_ps::<19>(a, b) -> [u32; 8]),
            on!(_mm256_cmp_ps::<4>(a, b) -> [u32; 8]),
            on!(_mm256_cmp_ps::<5>(a, b) -> [u32; 8]),
            on!(_mm256_cmp_ps::<22>(a, b) -> [u32; 8]),
            on!(_mm256_cmp_ps::<7>(a, b) -> [u32; 8]),
            on!(_mm256_cmp_ps::<8>(a, b) -> [u32; 8]),
            on!(_mm256_cmp_ps::<25>(a, b) -> [u32; 8]),
            on!(_mm256_cmp_ps::<10>(a, b) -> [u32; 8]),
            on!(_mm256_cmp_ps::<11>(a, b) -> [u32; 8]),
            on!(_mm256_cmp_ps::<28>(a, b) -> [u32; 8]),
            on!(_mm256_cmp_ps::<13>(a, b) -> [u32; 8]),
            on!(_mm256_cmp_ps::<14>(a, b) -> [u32; 8]),
            on!(_mm256_cmp_ps::<31>(a, b) -> [u32; 8]),
        ]
    }

    fn conversions(x: ([u32; 4], Q2)) -> ([i32; 4], [i32; 4], [i32; 4], [i32; 4], [i32; 4], [i64; 4]) {
        let (a, b): (F4, D2) = (floats(x.0), doubles(x.1));
        (
            on!(_mm_cvtps_epi32(a) -> [i32; 4]),
            on!(_mm_cvttps_epi32(a) -> [i32; 4]),
            on!(_mm_cvtpd_epi32(b) -> [i32; 4]),
            on!(_mm_cvttpd_epi32(b) -> [i32; 4]),
            [
                on!(_mm_cvtss_si32(a) -> i32),
                on!(_mm_cvttss_si32(a) -> i32),
                on!(_mm_cvtsd_si32(b) -> i32),
                on!(_mm_cvttsd_si32(b) -> i32),
            ],
            [
                on!(_mm_cvtss_si64(a) -> i64),
                on!(_mm_cvttss_si64(a) -> i64),
                on!(_mm_cvtsd_si64(b) -> i64),
                on!(_mm_cvttsd_si64(b) -> i64),
            ],
        )
    }

    fn narrowed_float(x: ([u32; 4], Q2)) -> F4 {
        let (a, b): (F4, D2) = (floats(x.0), doubles(x.1));
        on!(_mm_cvtsd_ss(a, b) -> F4)
    }

    within 1e-3 fn approximations(x: F4) -> [F4; 4] {
        let a = x.map(|x| x.abs() + 0.01);
        [
            on!(_mm_rcp_ps(a) -> F4),
            on!(_mm_rsqrt_ps(a) -> F4),
            on!(_mm_rcp_ss(a) -> F4),
            on!(_mm_rsqrt_ss(a) -> F4),
        ]
    }

    needs avx2 fn rounding(x: ([u32; 4], Q2)) -> ([F4; 5], [D2; 3]) {
        let (a, b): (F4, D2) = (floats(x.0), doubles(x.1));
        (
            [
                on!(_mm_floor_ps(a) -> F4),
                on!(_mm_ceil_ps(a) -> F4),
                on!(_mm_round_ps::<3>(a) -> F4),
                on!(_mm_round_ps::<8>(a) -> F4),
                on!(_mm_floor_ss(a, a) -> F4),
            ],
            [
                on!(_mm_floor_pd(b) -> D2),
                on!(_mm_round_pd::<3>(b) -> D2),
                on!(_mm_round_sd::<4>(b, b) -> D2),
            ],
        )
    }

    needs avx2 fn scalar_products(x: (F8, F8)) -> (F4, F8, D2, F4) {
        let (a, b) = x;
        let (low, high): (F4, F4) = ([a[0], a[1], a[2], a[3]], [b[4], b[5], b[6], b[7]]);
        let (c, d): (D2, D2) = ([a[0].into(), a[1].into()], [b[0].into(), b[1].into()]);
        (
            on!(_mm_dp_ps::<0b0111_0101>(low, high) -> F4),
            on!(_mm256_dp_ps::<0b1110_1011>(a, b) -> F8),
            on!(_mm_dp_pd::<0b11_0010>(c, d) -> D2),
            on!(_mm_insert_ps::<0b1001_0100>(low, high) -> F4),
        )
    }

    needs avx2 fn narrowing(x: (Q2, Q2)) -> [Q2; 4] {
        let (a, b) = x;
        [
            on!(_mm_packs_epi16(a, b) -> Q2),
            on!(_mm_packs_epi32(a, b) -> Q2),
            on!(_mm_packus_epi16(a, b) -> Q2),
            on!(_mm_packus_epi32(a, b) -> Q2),
        ]
    }

    needs avx2 fn narrowing_256(x: (Q4, Q4)) -> [Q4; 4] {
        // Small values, too, that need no saturation.
        let (a, b) = (x.0, x.1.map(|x| x & 0x00ff_0000_00ff_00ff));
        [
            on!(_mm256_packs_epi16(a, b) -> Q4),
            on!(_mm256_packs_epi32(a, b) -> Q4),
            on!(_mm256_packus_epi16(a, b) -> Q4),
            on!(_mm256_packus_epi32(a, b) -> Q4),
        ]
    }

    needs avx2 fn products_and_differences(x: (Q2, Q2)) -> [Q2; 7] {
        let (a, b) = x;
        [
            on!(_mm_madd_epi16(a, b) -> Q2),
            on!(_mm_maddubs_epi16(a, b) -> Q2),
            on!(_mm_mulhrs_epi16(a, b) -> Q2),
            on!(_mm_sad_epu8(a, b) -> Q2),
            on!(_mm_mpsadbw_epu8::<5>(a, b) -> Q2),
            on!(_mm_mpsadbw_epu8::<2>(a, b) -> Q2),
            on!(_mm_minpos_epu16(a) -> Q2),
        ]
    }

    needs avx2 fn products_and_differences_256(x: (Q4, Q4)) -> [Q4; 5] {
        let (a, b) = x;
        [
            on!(_mm256_madd_epi16(a, b) -> Q4),
            on!(_mm256_maddubs_epi16(a, b) -> Q4),
            on!(_mm256_mulhrs_epi16(a, b) -> Q4),
            on!(_mm256_sad_epu8(a, b) -> Q4),
            on!(_mm256_mpsadbw_epu8::<0b10_101>(a, b) -> Q4),
        ]
    }

    needs avx2 fn bytes_and_signs(x: (Q2, Q2)) -> [Q2; 4] {
        // Some signs are zero.
        let (a, b) = (x.0, x.1.map(|x| x & 0xffff_0000_ffff_00ff));
        [
            on!(_mm_shuffle_epi8(a, b) -> Q2),
            on!(_mm_sign_epi8(a, b) -> Q2),
            on!(_mm_sign_epi16(a, b) -> Q2),
            on!(_mm_sign_epi32(a, b) -> Q2),
        ]
    }

    needs avx2 fn lanes_by_vector(x: (Q4, Q4, F8)) -> ([Q4; 2], [F8; 2], F4, D4, D2) {
        let (a, by, f) = x;
        let half = [f[0], f[1], f[2], f[3]];
        let d: D4 = half.map(f64::from);
        (
            [
                on!(_mm256_shuffle_epi8(a, by) -> Q4),
                on!(_mm256_permutevar8x32_epi32(a, by) -> Q4),
            ],
            [
                on!(_mm256_permutevar8x32_ps(f, by) -> F8),
                on!(_mm256_permutevar_ps(f, by) -> F8),
            ],
            on!(_mm_permutevar_ps(half, [by[0], by[1]]) -> F4),
            on!(_mm256_permutevar_pd(d, by) -> D4),
            on!(_mm_permutevar_pd([d[0], d[1]], [by[2], by[3]]) -> D2),
        )
    }

    fn shifts(x: (Q2, u8)) -> [Q2; 8] {
        let (a, by) = (x.0, [u64::from(x.1 % 70), u64::MAX]);
        [
            on!(_mm_sll_epi16(a, by) -> Q2),
            on!(_mm_sll_epi32(a, by) -> Q2),
            on!(_mm_sll_epi64(a, by) -> Q2),
            on!(_mm_srl_epi16(a, by) -> Q2),
            on!(_mm_srl_epi32(a, by) -> Q2),
            on!(_mm_srl_epi64(a, by) -> Q2),
            on!(_mm_sra_epi16(a, by) -> Q2),
            on!(_mm_sra_epi32(a, by) -> Q2),
        ]
    }

    needs avx2 fn shifts_256(x: (Q4, u8)) -> [Q4; 8] {
        let (a, by) = (x.0, [u64::from(x.1 % 70), 0u64]);
        [
            on!(_mm256_sll_epi16(a, by) -> Q4),
            on!(_mm256_sll_epi32(a, by) -> Q4),
            on!(_mm256_sll_epi64(a, by) -> Q4),
            on!(_mm256_srl_epi16(a, by) -> Q4),
            on!(_mm256_srl_epi32(a, by) -> Q4),
            on!(_mm256_srl_epi64(a, by) -> Q4),
            on!(_mm256_sra_epi16(a, by) -> Q4),
            on!(_mm256_sra_epi32(a, by) -> Q4),
        ]
    }

    needs avx2 fn tests_of_bits(x: (Q4, Q4, u8)) -> [i32; 8] {
        // Often all zeros, or the same bits.
        let a = x.0.map(|v| if x.2 & 1 == 0 { v } else { 0 });
        let b = if x.2 & 2 == 0 { x.1 } else { a };
        let (low_a, low_b) = ([a[0], a[1]], [b[0], b[1]]);
        [
            on!(_mm_test_mix_ones_zeros(low_a, low_b) -> i32),
            on!(_mm256_testnzc_si256(a, b) -> i32),
            on!(_mm256_testz_ps(a, b) -> i32),
            on!(_mm256_testc_pd(a, b) -> i32),
            on!(_mm256_testnzc_ps(a, b) -> i32),
            on!(_mm256_testnzc_pd(a, b) -> i32),
            on!(_mm_testnzc_ps(low_a, low_b) -> i32),
            on!(_mm_testnzc_pd(low_a, low_b) -> i32),
        ]
    }

    needs avx2 fn bits_of_registers(x: (u64, u64)) -> [u64; 13] {
        let (a, b) = x;
        let (narrow, mask) = (a as u32, b as u32);
        [
            on!(_bextr2_u64(a, b) -> u64),
            u64::from(on!(_bextr2_u32(narrow, mask & 0x1f1f) -> u32)),
            on!(_bzhi_u64(a, mask % 80) -> u64),
            u64::from(on!(_bzhi_u32(narrow, mask % 40) -> u32)),
            on!(_pdep_u64(a, b) -> u64),
            u64::from(on!(_pdep_u32(narrow, mask) -> u32)),
            on!(_pext_u64(a, b) -> u64),
            u64::from(on!(_pext_u32(narrow, mask) -> u32)),
            u64::from(on!(_mm_crc32_u8(narrow, b as u8) -> u32)),
            u64::from(on!(_mm_crc32_u16(narrow, b as u16) -> u32)),
            u64::from(on!(_mm_crc32_u32(narrow, mask) -> u32)),
            on!(_mm_crc32_u64(a & 0xffff_ffff, b) -> u64),
            on!(_mm_clmulepi64_si128::<0x10>([a, 3], [7, b]) -> Q2)[1],
        ]
    }

    needs avx2 fn memory_and_hints(x: ([u8; 32], Q2)) -> ([u8; 16], Q2) {
        let mut bytes = [1u8; 16];
        // SAFETY: pointers to 16 bytes.
        unsafe {
            let (a, mask) = (_mm_loadu_si128(x.0.as_ptr().cast()), transmute::<Q2, __m128i>(x.1));
            _mm_maskmoveu_si128(a, mask, bytes.as_mut_ptr().cast());
            _mm_mfence();
            _mm_sfence();
            _mm_lfence();
            _mm_pause();
        }
        core::hint::spin_loop();
        (bytes, on!(_mm_lddqu_si128(x.0[5..].as_ptr()) -> Q2))
    }

    fn operations_of_llvm(x: ([u32; 4], [u32; 4])) -> ([u32; 4], [i32; 3], [u32; 4], [u32; 4]) {
        let (a, b): (F4, F4) = (floats(x.0), floats(x.1));
        (
            on!(_mm_shuffle_ps::<0b01_11_00_10>(a, b) -> [u32; 4]),
            [
                on!(_mm_movemask_ps(a) -> i32),
                on!(_mm_movemask_epi8(x.0) -> i32),
                on!(_mm_movemask_pd(x.1) -> i32),
            ],
            on!(_mm_unpacklo_epi8(x.0, x.1) -> [u32; 4]),
            on!(_mm_adds_epu8(x.0, x.1) -> [u32; 4]),
        )
    }

    fn words_of_large_numbers(x: [u64; 4]) -> ([u64; 3], [u64; 3], [u32; 2], [u64; 2], [u32; 2]) {
        let [a, b, c, d] = x;
        let (mut low, mut high, mut narrow) = (0, 0, 0);
        let carry = _addcarry_u64(1, a, b, &mut low);
        let carry = _addcarry_u64(carry, c, d, &mut high);
        let sum = [low, high, carry.into()];
        let borrow = _subborrow_u64(0, a, b, &mut low);
        let borrow = _subborrow_u64(borrow, c, d, &mut high);
        let narrow_carry = _addcarry_u32(carry, a as u32, b as u32, &mut narrow);
        let by = d | 1;
        let narrow_by = by as u32;
        (
            sum,
            [low, high, borrow.into()],
            [narrow, narrow_carry.into()],
            divide(c % by, a, by),
            divide_narrow(c as u32 % narrow_by, a as u32, narrow_by),
        )
    }
}

/// Quotient and remainder of two words by one, larger than the first, as crates for large numbers
/// write it.
fn divide(high: u64, low: u64, by: u64) -> [u64; 2] {
    let (quotient, remainder);
    // SAFETY: `by` is larger than `high`, so the quotient fits.
    unsafe {
        core::arch::asm!(
            "div {0:r}",
            in(reg) by,
            inout("dx") high => remainder,
            inout("ax") low => quotient,
            options(pure, nomem, nostack),
        );
    }
    [quotient, remainder]
}

/// The same for words of half the size, with the registers the other way round.
fn divide_narrow(high: u32, low: u32, by: u32) -> [u32; 2] {
    let (mut quotient, mut remainder) = (low, high);
    // SAFETY: as above.
    unsafe {
        core::arch::asm!(
            "div {0:e}",
            in(reg) by,
            inout("eax") quotient,
            inout("edx") remainder,
            options(pure, nomem, nostack),
        );
    }
    [quotient, remainder]
}
