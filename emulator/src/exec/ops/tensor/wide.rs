//! Adds the blocks of products of `sum` with AVX2, eight columns at a time.

use std::arch::x86_64::*;
use std::ops::Range;

use super::factor::{COLUMNS, Columns, EXTRA, FACTOR_PLACES, Factor, PLACES, Sum, ZERO};

/// Adds a block of products to eight sums, and rounds these. The results are those of `sum::add_block`.
#[target_feature(enable = "avx2,fma")]
pub(super) fn add_block<S: Sum>(
    sums: &mut [f32; COLUMNS],
    a: &[Factor],
    columns: &Columns,
    block: Range<usize>,
    kept: u32,
) {
    let a = &a[block.clone()];
    let significands = &columns.significands[block.clone()][..a.len()];
    let exponents = &columns.exponents[block][..a.len()];
    let start = load(sums);
    let bits = _mm256_castps_si256(start);
    let magnitude = _mm256_and_si256(bits, _mm256_set1_epi32(i32::MAX));
    let biased = _mm256_srli_epi32::<23>(magnitude);
    let is_zero = _mm256_cmpeq_epi32(magnitude, _mm256_set1_epi32(0));
    let own =
        _mm256_sub_epi32(_mm256_max_epi32(biased, _mm256_set1_epi32(1)), _mm256_set1_epi32(127));
    let own = _mm256_blendv_epi8(own, _mm256_set1_epi32(ZERO), is_zero);

    let mut largest = own;
    for k in 0..a.len() {
        let exponent = _mm256_add_epi32(_mm256_set1_epi32(a[k].exponent), integers(&exponents[k]));
        largest = _mm256_max_epi32(largest, exponent);
    }

    // Each product is multiplied by a power of two, which is exact, and then truncated. The power is built from its
    // exponent. Of products that lie 60 places or more below the largest, nothing is left: they are treated as if it
    // were 60.
    let unit = (127 + kept - 2 * FACTOR_PLACES) as i32;
    let offset = _mm256_sub_epi32(_mm256_set1_epi32(unit), largest);
    let mut products = _mm256_set1_epi32(0);
    for k in 0..a.len() {
        let product = _mm256_mul_ps(_mm256_set1_ps(a[k].significand), load(&significands[k]));
        let exponent = _mm256_add_epi32(_mm256_set1_epi32(a[k].exponent), integers(&exponents[k]));
        let scale =
            _mm256_max_epi32(_mm256_add_epi32(exponent, offset), _mm256_set1_epi32(unit - 60));
        let scale = _mm256_castsi256_ps(_mm256_slli_epi32::<23>(scale));
        let cut = _mm256_cvttps_epi32(_mm256_mul_ps(product, scale));
        products = _mm256_add_epi32(products, cut);
    }

    let hidden = _mm256_andnot_si256(
        _mm256_cmpeq_epi32(biased, _mm256_set1_epi32(0)),
        _mm256_set1_epi32(1 << 23),
    );
    let significand = _mm256_or_si256(_mm256_and_si256(bits, _mm256_set1_epi32(0x7f_ffff)), hidden);
    let places =
        _mm256_add_epi32(_mm256_sub_epi32(largest, own), _mm256_set1_epi32((PLACES - kept) as i32));
    let cut = _mm256_srlv_epi32(_mm256_slli_epi32::<{ EXTRA as i32 }>(significand), places);
    let sign = _mm256_srai_epi32::<31>(bits);
    let cut = _mm256_sub_epi32(_mm256_xor_si256(cut, sign), sign);

    let scale = _mm256_sub_epi32(largest, _mm256_set1_epi32(kept as i32));
    let low = total(halves(products)[0], halves(cut)[0], halves(scale)[0]);
    let high = total(halves(products)[1], halves(cut)[1], halves(scale)[1]);
    let rounded = if S::IS_HALF {
        join(to_half(low), to_half(high))
    } else {
        let smallest = f64::from(f32::MIN_POSITIVE);
        if any_below(low, smallest) || any_below(high, smallest) {
            round_each::<S>(low, high)
        } else {
            join(towards_zero(low), towards_zero(high))
        }
    };
    // The sum of an earlier block may be infinite: then it stays so.
    let infinite = _mm256_cmpeq_epi32(magnitude, _mm256_set1_epi32(0x7f80_0000));
    let result = _mm256_blendv_ps(rounded, start, _mm256_castsi256_ps(infinite));
    // SAFETY: room for eight.
    unsafe { _mm256_storeu_ps(sums.as_mut_ptr(), result) };
}

/// The sum of both, times two to the power of `exponent`, or of -1022 if that is greater.
#[inline]
#[target_feature(enable = "avx2")]
fn total(products: __m128i, start: __m128i, exponent: __m128i) -> __m256d {
    let total = _mm256_add_pd(_mm256_cvtepi32_pd(products), _mm256_cvtepi32_pd(start));
    let exponent = _mm_max_epi32(exponent, _mm_set1_epi32(-1022));
    let exponent = _mm256_add_epi64(_mm256_cvtepi32_epi64(exponent), _mm256_set1_epi64x(1023));
    _mm256_mul_pd(total, _mm256_castsi256_pd(_mm256_slli_epi64::<52>(exponent)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(values: &[f32; COLUMNS]) -> __m256 {
    // SAFETY: there are eight.
    unsafe { _mm256_loadu_ps(values.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn integers(values: &[i32; COLUMNS]) -> __m256i {
    // SAFETY: there are eight, of 32 bits each.
    unsafe { _mm256_loadu_si256(values.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn halves(values: __m256i) -> [__m128i; 2] {
    [_mm256_castsi256_si128(values), _mm256_extracti128_si256::<1>(values)]
}

#[inline]
#[target_feature(enable = "avx2")]
fn join(low: __m128, high: __m128) -> __m256 {
    _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(low), high)
}

#[inline]
#[target_feature(enable = "avx2")]
fn magnitude(values: __m256d) -> __m256d {
    _mm256_andnot_pd(_mm256_set1_pd(-0.0), values)
}

/// Whether a number lies between zero and the limit, on either side.
#[inline]
#[target_feature(enable = "avx2")]
fn any_below(values: __m256d, limit: f64) -> bool {
    let size = magnitude(values);
    let below = _mm256_cmp_pd::<_CMP_LT_OQ>(size, _mm256_set1_pd(limit));
    let not_zero = _mm256_cmp_pd::<_CMP_NEQ_OQ>(size, _mm256_setzero_pd());
    _mm256_movemask_pd(_mm256_and_pd(below, not_zero)) != 0
}

/// Rounds to `f32`, towards zero: clears the places that an `f32` lacks. The results must not be subnormal.
#[inline]
#[target_feature(enable = "avx2")]
fn towards_zero(values: __m256d) -> __m128 {
    let lacking = _mm256_castsi256_pd(_mm256_set1_epi64x((1 << 29) - 1));
    _mm256_cvtpd_ps(_mm256_andnot_pd(lacking, values))
}

/// Rounds to the nearest `f16`: adding a number does so whose last place is that of the result.
#[inline]
#[target_feature(enable = "avx2")]
fn to_half(values: __m256d) -> __m128 {
    let size = magnitude(values);
    let exponent = _mm256_srli_epi64::<52>(_mm256_castpd_si256(size));
    // Biased exponents are below 2^11, so the upper half of each is zero. Subnormal numbers get the exponent of the
    // smallest normal one.
    let exponent = _mm256_max_epi32(exponent, _mm256_set1_epi64x(1023 - 14));
    let large = _mm256_slli_epi64::<52>(_mm256_add_epi64(exponent, _mm256_set1_epi64x(52 - 10)));
    let large = _mm256_castsi256_pd(large);
    let rounded = _mm256_sub_pd(_mm256_add_pd(size, large), large);
    // Halfway between the largest number and what would be the next one.
    let overflow = _mm256_cmp_pd::<_CMP_GE_OQ>(size, _mm256_set1_pd(65520.0));
    let rounded = _mm256_blendv_pd(rounded, _mm256_set1_pd(f64::INFINITY), overflow);
    let sign = _mm256_and_pd(values, _mm256_set1_pd(-0.0));
    _mm256_cvtpd_ps(_mm256_or_pd(rounded, sign))
}

#[cold]
#[target_feature(enable = "avx2")]
fn round_each<S: Sum>(low: __m256d, high: __m256d) -> __m256 {
    let mut exact = [0.0; COLUMNS];
    // SAFETY: room for eight.
    unsafe {
        _mm256_storeu_pd(exact.as_mut_ptr(), low);
        _mm256_storeu_pd(exact.as_mut_ptr().add(4), high);
    }
    load(&exact.map(S::round))
}
