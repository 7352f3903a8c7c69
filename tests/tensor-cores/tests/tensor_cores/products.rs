//! Every instruction, with matrices that lie anywhere.

use half::{bf16, f16};
use ptyx::device::float8::F4E2M1;
use ptyx::device::mma::{
    A, Accumulator, AndPopc, B, B1, E4m3, E5m2, Fragment, Layout, Plain, Product, S4, Saturating,
    Shape, Tf32, U4, XorPopc, mma_and_popc, mma_xor_popc,
};
use ptyx::prelude::*;
use ptyx_tensor_tests::{Case, Number, capability, rng};

#[kernel]
pub(crate) fn product<TA, TB, TC, O, const M: usize, const N: usize, const K: usize>(
    a: &[TA::Unit],
    b: &[TB::Unit],
    c: &[TC::Unit],
    d: SliceMut<TC::Unit>,
    layouts: [Layout; 3],
) where
    TA: Shape<A, M, K>,
    TB: Shape<B, K, N>,
    TC: Shape<Accumulator, M, N>,
    Fragment<A, TA, M, K>: Product<Fragment<B, TB, K, N>, Fragment<Accumulator, TC, M, N>, O>,
{
    let [of_a, of_b, of_c] = layouts;
    let (a, b) = (Fragment::<A, TA, M, K>::load(a, of_a), Fragment::load(b, of_b));
    let sums = a.multiply(b, Fragment::load(c, of_c));
    // SAFETY: the only warp.
    unsafe { sums.store(d, of_c) };
}

/// Small integers, whose sums are exact in every type.
macro_rules! exact {
    ($($name:ident: $operation:ident $a:ty, $b:ty, $c:ty, $m:literal $n:literal $k:literal, $least:literal, $combine:expr;)*) => {$(
        #[test]
        fn $name() {
            ptyx_test_support::part!($name);
            if capability() < $least {
                println!("skipped: the device has no such instruction");
                return;
            }
            let mut rng = rng();
            for _ in 0..8 {
                let case = Case::integers::<$a, $b, $c>(&mut rng, [$m, $n, $k]);
                let got = case.run::<$a, $b, $c>(|a, b, c, d, layouts| {
                    launch!(product::<$a, $b, $c, $operation, $m, $n, $k><<<1, 32>>>(a, b, c, d, layouts)).unwrap();
                });
                let sums = case.sums::<$a, $b, $c>($combine);
                for (index, (got, (want, _))) in got.into_iter().zip(sums).enumerate() {
                    let want = <$c as FromSum>::from_sum(want);
                    assert_eq!(got, want, "row {}, column {}: {case:?}", index / $n, index % $n);
                }
            }
        }
    )*};
}

/// Sums as the elements of a type.
pub(crate) trait FromSum: Number {
    fn from_sum(sum: f64) -> Self::Unit;
}

macro_rules! from_sum {
    ($($type:ty: $from:expr;)*) => {$(
        impl FromSum for $type {
            fn from_sum(sum: f64) -> Self {
                $from(sum)
            }
        }
    )*};
}

from_sum! {
    f16: f16::from_f64;
    f32: (|sum| sum as f32);
    f64: f64::from;
    i32: (|sum| sum as i32);
}

fn times(a: f64, b: f64) -> f64 {
    a * b
}

fn differ(a: f64, b: f64) -> f64 {
    f64::from(a != b)
}

exact! {
    f16_16x8x8: Plain f16, f16, f16, 16 8 8, 75, times;
    f16_16x8x16: Plain f16, f16, f16, 16 8 16, 80, times;
    f16_f32_16x8x8: Plain f16, f16, f32, 16 8 8, 75, times;
    f16_f32_16x8x16: Plain f16, f16, f32, 16 8 16, 80, times;
    bf16_16x8x8: Plain bf16, bf16, f32, 16 8 8, 80, times;
    bf16_16x8x16: Plain bf16, bf16, f32, 16 8 16, 80, times;
    tf32_16x8x4: Plain Tf32, Tf32, f32, 16 8 4, 80, times;
    tf32_16x8x8: Plain Tf32, Tf32, f32, 16 8 8, 80, times;
    e4m3_16x8x16: Plain E4m3, E4m3, f32, 16 8 16, 89, times;
    e4m3_e5m2_16x8x32: Plain E4m3, E5m2, f32, 16 8 32, 89, times;
    e5m2_e4m3_16x8x16: Plain E5m2, E4m3, f32, 16 8 16, 89, times;
    e5m2_16x8x32: Plain E5m2, E5m2, f32, 16 8 32, 89, times;
    e4m3_f16_16x8x32: Plain E4m3, E4m3, f16, 16 8 32, 89, times;
    e5m2_e4m3_f16_16x8x16: Plain E5m2, E4m3, f16, 16 8 16, 89, times;
    f64_8x8x4: Plain f64, f64, f64, 8 8 4, 80, times;
    f64_16x8x4: Plain f64, f64, f64, 16 8 4, 90, times;
    f64_16x8x8: Plain f64, f64, f64, 16 8 8, 90, times;
    f64_16x8x16: Plain f64, f64, f64, 16 8 16, 90, times;
    s8_8x8x16: Plain i8, i8, i32, 8 8 16, 75, times;
    s8_u8_16x8x16: Plain i8, u8, i32, 16 8 16, 80, times;
    u8_s8_16x8x32: Plain u8, i8, i32, 16 8 32, 80, times;
    u8_8x8x16: Plain u8, u8, i32, 8 8 16, 75, times;
    u8_saturating_16x8x32: Saturating u8, u8, i32, 16 8 32, 80, times;
    s8_saturating_8x8x16: Saturating i8, i8, i32, 8 8 16, 75, times;
    s4_8x8x32: Plain S4, S4, i32, 8 8 32, 75, times;
    s4_u4_16x8x32: Plain S4, U4, i32, 16 8 32, 80, times;
    u4_s4_16x8x64: Plain U4, S4, i32, 16 8 64, 80, times;
    u4_saturating_16x8x64: Saturating U4, U4, i32, 16 8 64, 80, times;
    xor_8x8x128: XorPopc B1, B1, i32, 8 8 128, 75, differ;
    xor_16x8x128: XorPopc B1, B1, i32, 16 8 128, 80, differ;
    xor_16x8x256: XorPopc B1, B1, i32, 16 8 256, 80, differ;
    and_8x8x128: AndPopc B1, B1, i32, 8 8 128, 80, times;
    and_16x8x128: AndPopc B1, B1, i32, 16 8 128, 80, times;
    and_16x8x256: AndPopc B1, B1, i32, 16 8 256, 80, times;
    f16_f16_16x16x16: Plain f16, f16, f16, 16 16 16, 80, times;
    f16_f16_32x8x16: Plain f16, f16, f16, 32 8 16, 80, times;
    f16_f16_8x32x16: Plain f16, f16, f16, 8 32 16, 80, times;
    f16_f32_16x16x16: Plain f16, f16, f32, 16 16 16, 80, times;
    f16_f32_32x8x16: Plain f16, f16, f32, 32 8 16, 80, times;
    f16_f32_8x32x16: Plain f16, f16, f32, 8 32 16, 80, times;
    bf16_16x16x16: Plain bf16, bf16, f32, 16 16 16, 80, times;
    bf16_32x8x16: Plain bf16, bf16, f32, 32 8 16, 80, times;
    bf16_8x32x16: Plain bf16, bf16, f32, 8 32 16, 80, times;
    s8_16x16x16: Plain i8, i8, i32, 16 16 16, 80, times;
    s8_32x8x16: Plain i8, i8, i32, 32 8 16, 80, times;
    s8_8x32x16: Plain i8, i8, i32, 8 32 16, 80, times;
    s8_u8_16x16x16: Plain i8, u8, i32, 16 16 16, 80, times;
    s8_u8_32x8x16: Plain i8, u8, i32, 32 8 16, 80, times;
    s8_u8_8x32x16: Plain i8, u8, i32, 8 32 16, 80, times;
    u8_s8_16x16x16: Plain u8, i8, i32, 16 16 16, 80, times;
    u8_s8_32x8x16: Plain u8, i8, i32, 32 8 16, 80, times;
    u8_s8_8x32x16: Plain u8, i8, i32, 8 32 16, 80, times;
    u8_16x16x16: Plain u8, u8, i32, 16 16 16, 80, times;
    u8_32x8x16: Plain u8, u8, i32, 32 8 16, 80, times;
    u8_8x32x16: Plain u8, u8, i32, 8 32 16, 80, times;
    s8_u8_saturating_16x16x16: Saturating i8, u8, i32, 16 16 16, 80, times;
    u8_s8_saturating_32x8x16: Saturating u8, i8, i32, 32 8 16, 80, times;
    s8_u8_saturating_8x32x16: Saturating i8, u8, i32, 8 32 16, 80, times;
    tf32_16x16x8: Plain Tf32, Tf32, f32, 16 16 8, 80, times;
}

/// Sums next to the limits of `i32`.
macro_rules! limits {
    ($($name:ident: $operation:ident $a:ty, $b:ty, $m:literal $n:literal $k:literal, $sum:expr;)*) => {$(
        #[test]
        fn $name() {
            ptyx_test_support::part!($name);
            let mut rng = rng();
            let mut case = Case::integers::<$a, $b, i32>(&mut rng, [$m, $n, $k]);
            for element in &mut case.c.elements {
                let far = rng.below(100) as i32;
                let sum = if rng.below(2) == 0 { i32::MAX - far } else { i32::MIN + far };
                *element = u64::from(sum.cast_unsigned());
            }
            let got = case.run::<$a, $b, i32>(|a, b, c, d, layouts| {
                launch!(product::<$a, $b, i32, $operation, $m, $n, $k><<<1, 32>>>(a, b, c, d, layouts)).unwrap();
            });
            let sums = case.sums::<$a, $b, i32>(times);
            assert!(sums.iter().any(|&(sum, _)| sum as i32 as f64 != sum), "no sum is too large");
            for (got, (sum, _)) in got.into_iter().zip(sums) {
                assert_eq!(got, $sum(sum), "{case:?}");
            }
        }
    )*};
}

limits! {
    bytes_wrap_around: Plain i8, i8, 16 8 32, (|sum| sum as i64 as i32);
    bytes_stop_at_the_limits: Saturating i8, i8, 16 8 32, (|sum| sum as i32);
    nibbles_wrap_around: Plain S4, S4, 16 8 64, (|sum| sum as i64 as i32);
    nibbles_stop_at_the_limits: Saturating S4, S4, 16 8 64, (|sum| sum as i32);
    bytes_of_8x32_wrap_around: Plain i8, u8, 8 32 16, (|sum| sum as i64 as i32);
    bytes_of_8x32_stop_at_the_limits: Saturating u8, i8, 8 32 16, (|sum| sum as i32);
}

/// Random numbers of all magnitudes that the format of A and B has; the error is bounded.
macro_rules! bounded {
    ($($name:ident: $a:ty, $b:ty, $n:literal $k:literal, $least:literal;)*) => {$(
        #[test]
        fn $name() {
            ptyx_test_support::part!($name);
            if capability() < $least {
                println!("skipped: the device has no such instruction");
                return;
            }
            let mut rng = rng();
            for _ in 0..8 {
                let mut case = Case::integers::<$a, $b, f32>(&mut rng, [16, $n, $k]);
                for element in &mut case.a.elements {
                    *element = finite::<$a>(rng.next_u64());
                }
                for element in &mut case.b.elements {
                    *element = finite::<$b>(rng.next_u64());
                }
                let got = case.run::<$a, $b, f32>(|a, b, c, d, layouts| {
                    launch!(product::<$a, $b, f32, Plain, 16, $n, $k><<<1, 32>>>(a, b, c, d, layouts)).unwrap();
                });
                for (got, (want, magnitude)) in got.into_iter().zip(case.sums::<$a, $b, f32>(times)) {
                    // As docs/tensor-cores.md has it.
                    let bound = ($k as f64 + 2.0) * magnitude * f64::from(f32::EPSILON);
                    let error = (f64::from(got) - want).abs();
                    assert!(error <= bound, "{got} {want}: error {error:e}, bound {bound:e}: {case:?}");
                }
            }
        }
    )*};
}

/// Random bits as a number between 2^-30 and 2^30.
fn finite<T: Number>(random: u64) -> u64 {
    let bits = random & (u64::MAX >> (64 - T::BITS));
    let magnitude = T::number(bits).abs();
    if (2f64.powi(-30)..2f64.powi(30)).contains(&magnitude) { bits } else { T::bits(1.0) }
}

bounded! {
    sums_of_f16: f16, f16, 8 16, 80;
    sums_of_bf16: bf16, bf16, 8 16, 80;
    sums_of_tf32: Tf32, Tf32, 8 8, 80;
    sums_of_f8: E5m2, E4m3, 8 32, 89;
    sums_of_f16_16x16x16: f16, f16, 16 16, 80;
}

/// What `wmma`'s fragments are used for besides products: filled, loaded and stored through shared memory, each element by
/// its place.
#[kernel]
fn elements(x: &[f16], mut y: Disjoint<[f32; 8]>, z: SliceMut<f16>) {
    let tile = shared!([f16; 32 * 16]);
    let lane = warp::lane() as usize;
    // SAFETY: each lane writes a row of its own; all wait before they read.
    let (a, b) = unsafe {
        for k in 0..16 {
            tile.at(16 * lane + k).write(x[16 * lane + k]);
        }
        block::sync();
        let a = Fragment::<A, f16, 32, 16>::load_tiles(tile.as_slice(), Layout::row_major(16));
        let b = Fragment::<B, f16, 16, 32>::load_tiles(tile.as_slice(), Layout::column_major(16));
        (a, b)
    };
    let mut own = [0f32; 8];
    a.for_each(|row, k, value| own[row / 8] += value.to_f32() * (1 + k) as f32);
    b.for_each(|k, column, value| own[4 + column / 8] += value.to_f32() * (1 + k) as f32);
    y[thread::index_1d()] = own;
    // An accumulator of 8x32, which is the transposed of a part of `x`.
    let sums = Fragment::<Accumulator, f16, 8, 32>::filled(f16::from_f32(1.0));
    let sums = sums.map(|row, column, one| x[16 * column + row] + one);
    // SAFETY: nobody reads the array any more, and there is one warp.
    unsafe {
        block::sync();
        sums.store_tiles_or_elements(tile);
        block::sync();
        for row in 0..8 {
            z.write(32 * row + lane, tile.at(32 * row + lane).read());
        }
    }
}

/// Stores by rows, with `stmatrix` where there is one.
trait Store {
    /// # Safety
    /// No other warp uses the array.
    unsafe fn store_tiles_or_elements(self, to: ptyx::device::shared::Shared<[f16; 32 * 16]>);
}

impl Store for Fragment<Accumulator, f16, 8, 32> {
    unsafe fn store_tiles_or_elements(self, to: ptyx::device::shared::Shared<[f16; 32 * 16]>) {
        // SAFETY: the caller's promise.
        unsafe {
            if arch_at_least!(90) {
                self.store_tiles(to.as_slice(), Layout::row_major(32));
            } else {
                self.store_shared(to.as_slice(), Layout::row_major(32));
            }
        }
    }
}

#[test]
fn elements_of_large_fragments() {
    if capability() < 80 {
        println!("skipped: the device has no such instruction");
        return;
    }
    let mut rng = rng();
    let x = rng.vec(32 * 16, |rng| f16::from_f64(rng.below(64) as f64 - 32.0));
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::filled(32, [0f32; 8]).unwrap();
    let mut z = DeviceBuffer::filled(8 * 32, f16::NAN).unwrap();
    launch!(elements<<<1, 32>>>(&device_x, &mut y, &mut z)).unwrap();
    // Which lane has which element is not promised; the sums over all lanes are.
    let mut got = [0f32; 8];
    y.to_vec().unwrap().iter().for_each(|own| (0..8).for_each(|i| got[i] += own[i]));
    let weighted = |i: usize| x[i].to_f32() * (1 + i % 16) as f32;
    for band in 0..4 {
        let want: f32 = (band * 128..(band + 1) * 128).map(weighted).sum();
        assert_eq!((got[band], got[4 + band]), (want, want), "band {band}");
    }
    let z = z.to_vec().unwrap();
    for (i, got) in z.into_iter().enumerate() {
        assert_eq!(got, x[16 * (i % 32) + i / 32] + f16::from_f32(1.0), "element {i}");
    }
}

/// Products of bits by the functions that have names of their own.
#[kernel]
fn bits(
    a: &[u32],
    b: &[u32],
    c: &[i32],
    differ: SliceMut<i32>,
    common: SliceMut<i32>,
    layouts: [Layout; 3],
) {
    let [of_a, of_b, of_c] = layouts;
    let a = Fragment::<A, B1, 16, 256>::load(a, of_a);
    let b = Fragment::<B, B1, 256, 8>::load(b, of_b);
    let sums = Fragment::<Accumulator, i32, 16, 8>::load(c, of_c);
    // SAFETY: the only warp.
    unsafe {
        mma_xor_popc(a, b, sums).store(differ, of_c);
        mma_and_popc(a, b, sums).store(common, of_c);
    }
}

#[test]
fn bits_by_name() {
    if capability() < 80 {
        println!("skipped: the device has no such instruction");
        return;
    }
    let mut rng = rng();
    let (a, b) = (rng.vec(16 * 8, |rng| rng.next_u32()), rng.vec(8 * 8, |rng| rng.next_u32()));
    let c = rng.vec(16 * 8, |rng| rng.next_u32() as i32 >> 8);
    let [device_a, device_b] = [&a, &b].map(|x| DeviceBuffer::from_slice(x).unwrap());
    let device_c = DeviceBuffer::from_slice(&c).unwrap();
    let [mut differing, mut common] = [0; 2].map(|_| DeviceBuffer::zeroed(c.len()).unwrap());
    let layouts = [Layout::row_major(256), Layout::column_major(256), Layout::row_major(8)];
    launch!(bits<<<1, 32>>>(&device_a, &device_b, &device_c, &mut differing, &mut common, layouts))
        .unwrap();
    let (differing, common) = (differing.to_vec().unwrap(), common.to_vec().unwrap());
    for (i, start) in c.iter().enumerate() {
        let pairs = || (0..8).map(|k| (a[i / 8 * 8 + k], b[i % 8 * 8 + k]));
        let xor: u32 = pairs().map(|(a, b)| (a ^ b).count_ones()).sum();
        let and: u32 = pairs().map(|(a, b)| (a & b).count_ones()).sum();
        assert_eq!((differing[i], common[i]), (start + xor as i32, start + and as i32), "sum {i}");
    }
}

/// The two numbers of 4 bits in each byte.
#[kernel]
fn unpacked(bytes: &[u8], mut y: Disjoint<[f32; 2]>) {
    let i = thread::index_1d();
    y[i] = F4E2M1::unpack(bytes[i.get()]).map(F4E2M1::to_f32);
}

#[test]
fn numbers_of_four_bits_are_unpacked() {
    let bytes: Vec<u8> = (0..=255).collect();
    let device_bytes = DeviceBuffer::from_slice(&bytes).unwrap();
    let mut y = DeviceBuffer::filled(256, [9f32; 2]).unwrap();
    launch!(unpacked<<<2, 128>>>(&device_bytes, &mut y)).unwrap();
    let number = |bits: u8| {
        let magnitude = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0][usize::from(bits & 7)];
        if bits & 8 == 0 { magnitude } else { -magnitude }
    };
    for (byte, got) in bytes.into_iter().zip(y.to_vec().unwrap()) {
        let want: [f32; 2] = [number(byte & 15), number(byte >> 4)];
        assert_eq!(got.map(f32::to_bits), want.map(f32::to_bits), "{byte:#x}");
    }
}
