//! Products of warpgroups (`wgmma`), with tiles of every layout.

use half::{bf16, f16};
use ptyx::device::mma::{A, E4m3, E5m2, Element, Fragment, Layout, Shape, Tf32};
use ptyx::device::shared::Shared;
use ptyx::device::wgmma::{
    Accumulator, B32, B64, B128, Factor, KMajor, Major, MnMajor, Product, Running, SharedTile,
    Swizzled, Unswizzled, Width,
};
use ptyx::prelude::*;
use ptyx_tensor_tests::{Number, Rng, capability, pack, rng};

/// What is done with the product.
const ADD: u32 = 0;
const SUBTRACT: u32 = 1;
const REPLACE: u32 = 2;
const SATURATE: u32 = 3;

/// `d = c + a * b` or the like. A has rows of `DEPTH` elements, B has columns of them, sums have rows of `N`.
#[kernel]
fn product<TA, TB, TC, SA, MA, SB, MB, const N: usize, const DEPTH: usize, const HOW: u32>(
    a: &[TA::Unit],
    b: &[TB::Unit],
    c: &[TC],
    d: SliceMut<TC>,
) where
    TA: Product<TB, TC>,
    TB: Factor,
    TC: Width<N> + Element<Value = TC, Unit = TC>,
    SA: Swizzled,
    SB: Swizzled,
    MA: Major,
    MB: Major,
    Operation<HOW>: Apply<TA, TB, TC>,
{
    let rows = shared!(SharedTile<TA, 64, DEPTH, SA, MA>);
    let columns = shared!(SharedTile<TB, N, DEPTH, SB, MB>);
    // SAFETY: nobody reads the tiles before the barrier.
    unsafe {
        rows.fill(|row, k| a[row * DEPTH + k]);
        columns.fill(|column, k| b[column * DEPTH + k]);
    }
    block::sync();
    let mut sums = Accumulator::<TC, N>::from_fn(|row, column| c[row * N + column]);
    // SAFETY: the tiles are filled and stay as they are.
    sums.accumulate(|running| unsafe { Operation::<HOW>::apply(running, rows, columns) });
    // SAFETY: the only warpgroup.
    unsafe { sums.store(d, Layout::row_major(N)) };
}

struct Operation<const HOW: u32>;

/// One of the operations, which don't all exist for all types.
trait Apply<TA, TB, TC> {
    unsafe fn apply<SA, MA, SB, MB, const N: usize, const DEPTH: usize>(
        running: &mut Running<'_, TC, N>,
        a: Shared<SharedTile<TA, 64, DEPTH, SA, MA>>,
        b: Shared<SharedTile<TB, N, DEPTH, SB, MB>>,
    ) where
        TA: Product<TB, TC>,
        TB: Factor,
        TC: Width<N>,
        SA: Swizzled,
        SB: Swizzled,
        MA: Major,
        MB: Major;
}

macro_rules! operations {
    ($($how:ident $method:ident;)*) => {$(
        impl<TA, TB, TC> Apply<TA, TB, TC> for Operation<$how> {
            #[inline(always)]
            unsafe fn apply<SA, MA, SB, MB, const N: usize, const DEPTH: usize>(
                running: &mut Running<'_, TC, N>,
                a: Shared<SharedTile<TA, 64, DEPTH, SA, MA>>,
                b: Shared<SharedTile<TB, N, DEPTH, SB, MB>>,
            ) where
                TA: Product<TB, TC>,
                TB: Factor,
                TC: Width<N>,
                SA: Swizzled,
                SB: Swizzled,
                MA: Major,
                MB: Major,
            {
                // SAFETY: the caller's promise.
                unsafe { running.$method(a, b) }
            }
        }
    )*};
}

operations! {
    ADD add;
    SUBTRACT subtract;
    REPLACE replace;
    SATURATE add_saturating;
}

/// `rows` x `columns` random elements: small integers, so that sums are exact.
pub(crate) fn integers<T: Number>(rng: &mut Rng, count: usize) -> Vec<u64> {
    let (least, most) = T::INTEGERS;
    rng.vec(count, |rng| T::bits((least + rng.below((most - least + 1) as usize) as i64) as f64))
}

pub(crate) fn buffer<T: Number>(elements: &[u64]) -> DeviceBuffer<T::Unit> {
    DeviceBuffer::from_slice(&pack::<T>(elements)).unwrap()
}

/// What the sums must be, row after row, before they are rounded or saturate.
pub(crate) fn expected<TA: Number, TB: Number, TC: Number>(
    [a, b, c]: [&[u64]; 3],
    [n, depth]: [usize; 2],
    [of_start, of_product]: [f64; 2],
) -> Vec<f64> {
    let mut out = Vec::new();
    for row in 0..64 {
        for column in 0..n {
            let pairs = a[row * depth..][..depth].iter().zip(&b[column * depth..][..depth]);
            let sum: f64 = pairs.map(|(a, b)| TA::number(*a) * TB::number(*b)).sum();
            out.push(TC::number(c[row * n + column]) * of_start + sum * of_product);
        }
    }
    out
}

/// Whether the device has the instructions; says so if not.
pub(crate) fn exists() -> bool {
    let exists = capability() == 90;
    if !exists {
        println!("SKIPPED: only compute capability 9.0 has these instructions");
    }
    exists
}

pub(crate) fn compare<TC: Number>(got: &[TC::Unit], want: &[f64], n: usize)
where
    TC::Unit: PartialEq + std::fmt::Debug,
{
    let want = pack::<TC>(&want.iter().map(|&sum| TC::bits(sum)).collect::<Vec<_>>());
    for (index, (got, want)) in got.iter().zip(&want).enumerate() {
        assert_eq!(got, want, "row {}, column {}", index / n, index % n);
    }
}

/// Products of small integers, which are exact whatever the rounding.
macro_rules! exact {
    ($($name:ident: $how:ident $a:ty, $b:ty, $c:ty, $n:literal $depth:literal, $sa:ty, $ma:ty, $sb:ty, $mb:ty;)*) => {$(
        #[test]
        fn $name() {
            ptyx_test_support::part!($name);
            if !exists() {
                return;
            }
            let mut rng = rng();
            let a = integers::<$a>(&mut rng, 64 * $depth);
            let b = integers::<$b>(&mut rng, $n * $depth);
            let c = integers::<$c>(&mut rng, 64 * $n);
            let (of_a, of_b, of_c) = (buffer::<$a>(&a), buffer::<$b>(&b), buffer::<$c>(&c));
            let mut d = DeviceBuffer::<$c>::zeroed(64 * $n).unwrap();
            launch!(product::<$a, $b, $c, $sa, $ma, $sb, $mb, $n, $depth, $how><<<1, 128>>>(&of_a, &of_b, &of_c, &mut d))
                .unwrap();
            let factors = [[1.0, 1.0], [1.0, -1.0], [0.0, 1.0], [1.0, 1.0]][$how as usize];
            let want = expected::<$a, $b, $c>([&a, &b, &c], [$n, $depth], factors);
            compare::<$c>(&d.to_vec().unwrap(), &want, $n);
        }
    )*};
}

exact! {
    f16_n8: ADD f16, f16, f32, 8 64, B128, KMajor, B128, KMajor;
    f16_n256: ADD f16, f16, f32, 256 64, B128, KMajor, B128, KMajor;
    f16_subtracted: SUBTRACT f16, f16, f32, 64 32, B64, KMajor, B32, KMajor;
    f16_sums_of_f16: ADD f16, f16, f16, 40 32, B64, KMajor, Unswizzled, KMajor;
    f16_sums_replaced: REPLACE f16, f16, f16, 256 32, B64, KMajor, B128, MnMajor;
    f16_other_way: ADD f16, f16, f32, 64 64, B128, MnMajor, B128, MnMajor;
    bf16_other_way_64: ADD bf16, bf16, f32, 96 32, B64, MnMajor, B64, MnMajor;
    bf16_other_way_32: REPLACE bf16, bf16, f32, 16 48, B32, MnMajor, B32, MnMajor;
    bf16_unswizzled: ADD bf16, bf16, f32, 128 32, Unswizzled, KMajor, Unswizzled, MnMajor;
    bf16_unswizzled_other_way: ADD bf16, bf16, f32, 24 32, Unswizzled, MnMajor, B32, KMajor;
    tf32_n64: ADD Tf32, Tf32, f32, 64 32, B128, KMajor, B128, KMajor;
    tf32_n200: SUBTRACT Tf32, Tf32, f32, 200 16, B32, KMajor, B64, KMajor;
    tf32_unswizzled: REPLACE Tf32, Tf32, f32, 8 24, Unswizzled, KMajor, B32, KMajor;
    e4m3_n128: ADD E4m3, E4m3, f32, 128 128, B128, KMajor, B128, KMajor;
    e4m3_e5m2: ADD E4m3, E5m2, f32, 8 64, Unswizzled, KMajor, B64, KMajor;
    e5m2_e4m3: SUBTRACT E5m2, E4m3, f16, 64 32, B32, KMajor, Unswizzled, KMajor;
    e5m2_sums_of_f16: REPLACE E5m2, E5m2, f16, 24 64, B64, KMajor, B32, KMajor;
    s8_n256: ADD i8, i8, i32, 256 128, B128, KMajor, B128, KMajor;
    s8_u8: REPLACE i8, u8, i32, 24 64, B64, KMajor, Unswizzled, KMajor;
    u8_s8: ADD u8, i8, i32, 128 32, B32, KMajor, B32, KMajor;
    u8_saturating: SATURATE u8, u8, i32, 16 64, Unswizzled, KMajor, B64, KMajor;
}

/// As [`product`], with A in registers.
#[kernel]
fn from_registers<TA, TC, const N: usize, const K: usize>(
    a: &[TA::Unit],
    b: &[TA::Unit],
    d: SliceMut<TC>,
) where
    TA: Product<TA, TC> + Shape<A, 16, K, Registers = [u32; 4]>,
    TC: Width<N> + Element<Value = TC, Unit = TC> + Zero,
{
    // Two instructions deep, which a constant of the instance can't be computed as.
    let first = shared!(SharedTile<TA, N, K, B32, KMajor>);
    let second = shared!(SharedTile<TA, N, K, B32, KMajor>);
    // SAFETY: nobody reads the tiles before the barrier.
    unsafe {
        first.fill(|column, k| b[column * 2 * K + k]);
        second.fill(|column, k| b[column * 2 * K + K + k]);
    }
    block::sync();
    let row = thread::rank() as usize / 32 * 16;
    let layout = Layout::row_major(2 * K);
    let rows: [Fragment<A, TA, 16, K>; 2] =
        core::array::from_fn(|step| Fragment::load(a, layout.at(row, step * K)));
    let mut sums = Accumulator::<TC, N>::filled(TC::ZERO);
    sums.accumulate(|running| {
        // SAFETY: the tiles are filled and stay as they are.
        unsafe {
            running.replace([rows[0]], first);
            running.add([rows[1]], second);
        }
    });
    // SAFETY: the only warpgroup.
    unsafe { sums.store(d, Layout::row_major(N)) };
}

trait Zero {
    const ZERO: Self;
}

impl Zero for f16 {
    const ZERO: Self = f16::ZERO;
}

impl Zero for f32 {
    const ZERO: Self = 0.0;
}

impl Zero for i32 {
    const ZERO: Self = 0;
}

macro_rules! registers {
    ($($name:ident: $a:ty, $c:ty, $n:literal $k:literal;)*) => {$(
        #[test]
        fn $name() {
            ptyx_test_support::part!($name);
            if !exists() {
                return;
            }
            let mut rng = rng();
            let depth = 2 * $k;
            let a = integers::<$a>(&mut rng, 64 * depth);
            let b = integers::<$a>(&mut rng, $n * depth);
            let c = vec![0; 64 * $n];
            let (of_a, of_b) = (buffer::<$a>(&a), buffer::<$a>(&b));
            let mut d = DeviceBuffer::<$c>::zeroed(64 * $n).unwrap();
            launch!(from_registers::<$a, $c, $n, $k><<<1, 128>>>(&of_a, &of_b, &mut d)).unwrap();
            let want = expected::<$a, $a, $c>([&a, &b, &c], [$n, depth], [0.0, 1.0]);
            compare::<$c>(&d.to_vec().unwrap(), &want, $n);
        }
    )*};
}

registers! {
    f16_from_registers: f16, f32, 128 16;
    tf32_from_registers: Tf32, f32, 48 8;
    e4m3_from_registers: E4m3, f16, 32 32;
    s8_from_registers: i8, i32, 64 32;
}

/// Random numbers of all magnitudes: the error is bounded.
macro_rules! bounded {
    ($($name:ident: $a:ty, $n:literal $depth:literal, $places:literal;)*) => {$(
        #[test]
        fn $name() {
            ptyx_test_support::part!($name);
            if !exists() {
                return;
            }
            let mut rng = rng();
            let mut matrix = |count: usize| {
                rng.vec(count, |rng| {
                    let bits = rng.next_u64() & (u64::MAX >> (64 - <$a>::BITS));
                    let magnitude = <$a>::number(bits).abs();
                    let usual = (2f64.powi(-20)..2f64.powi(20)).contains(&magnitude);
                    if usual { bits } else { <$a>::bits(1.0) }
                })
            };
            let (a, b) = (matrix(64 * $depth), matrix($n * $depth));
            let c = vec![0; 64 * $n];
            let (of_a, of_b, of_c) = (buffer::<$a>(&a), buffer::<$a>(&b), buffer::<f32>(&c));
            let mut d = DeviceBuffer::<f32>::zeroed(64 * $n).unwrap();
            launch!(product::<$a, $a, f32, B128, KMajor, B128, KMajor, $n, $depth, 0><<<1, 128>>>(&of_a, &of_b, &of_c, &mut d))
                .unwrap();
            let want = expected::<$a, $a, f32>([&a, &b, &c], [$n, $depth], [0.0, 1.0]);
            let magnitudes = |m: &[u64]| {
                m.iter().map(|&bits| <$a>::bits(<$a>::number(bits).abs())).collect::<Vec<_>>()
            };
            let of_all = [&magnitudes(&a)[..], &magnitudes(&b)[..], &c[..]];
            let magnitudes = expected::<$a, $a, f32>(of_all, [$n, $depth], [0.0, 1.0]);
            for ((got, want), magnitude) in d.to_vec().unwrap().into_iter().zip(want).zip(magnitudes) {
                let bound = ($depth as f64 + 2.0) * magnitude * 2f64.powi(-$places);
                let error = (f64::from(got) - want).abs();
                assert!(error <= bound, "{got} {want}: error {error:e}, bound {bound:e}");
            }
        }
    )*};
}

bounded! {
    sums_of_f16_products: f16, 8 64, 23;
    sums_of_bf16_products: bf16, 64 64, 23;
    sums_of_tf32_products: Tf32, 64 32, 23;
    // Fewer places are kept of these.
    sums_of_e4m3_products: E4m3, 128 128, 13;
}
