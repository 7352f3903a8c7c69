//! Products of floats of 8, 6 and 4 bits, and of blocks with scales, which compute capability 12.0 has.
//!
//! Elsewhere they run on the emulated device, which then claims that capability.

use crate::products::FromSum;
use crate::sparse::{compressed, integer, product as sparse_product};
use half::f16;
use ptyx::device::DeviceCopy;
use ptyx::device::float8::{UE4M3, UE8M0};
use ptyx::device::mma::{
    A, Accumulator, B, E2m1, E2m3, E3m2, E4m3, E5m2, Fragment, Layout, PaddedE2m1, Plain, Product,
    Scale, Scaled, Shape, Sparse, SparseShape, mma,
};
use ptyx::prelude::*;
use ptyx_tensor_tests::{Case, Number, Rng, alone_with, capability, images, pack, rng};

/// Runs a test where the instructions are: on the device if it has them, or in a process whose emulated device does.
fn with_instructions(name: &str, body: impl FnOnce()) {
    with_instructions_of("narrow", name, body);
}

/// The same for a test of some module.
pub(crate) fn with_instructions_of(module: &str, name: &str, body: impl FnOnce()) {
    if capability() == 120 {
        return body();
    }
    let variables = [("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_CAPABILITY", "12.0")];
    alone_with(&format!("{module}::{name}"), &variables, body);
}

#[kernel]
pub(super) fn product<TA, TB, TC>(
    a: &[TA::Unit],
    b: &[TB::Unit],
    c: &[TC::Unit],
    d: SliceMut<TC::Unit>,
    layouts: [Layout; 3],
) where
    TA: Shape<A, 16, 32>,
    TB: Shape<B, 32, 8>,
    TC: Shape<Accumulator, 16, 8>,
    Fragment<A, TA, 16, 32>:
        Product<Fragment<B, TB, 32, 8>, Fragment<Accumulator, TC, 16, 8>, Plain>,
{
    let [of_a, of_b, of_c] = layouts;
    let (a, b) = (Fragment::<A, TA, 16, 32>::load(a, of_a), Fragment::load(b, of_b));
    let sums = a.multiply(b, Fragment::load(c, of_c));
    // SAFETY: the only warp.
    unsafe { sums.store(d, of_c) };
}

/// Small integers, whose sums are exact.
macro_rules! exact {
    ($($name:ident: $a:ty, $b:ty, $c:ty;)*) => {$(
        #[test]
        fn $name() {
            with_instructions(stringify!($name), || {
                let mut rng = rng();
                for _ in 0..8 {
                    let case = Case::integers::<$a, $b, $c>(&mut rng, [16, 8, 32]);
                    let got = case.run::<$a, $b, $c>(|a, b, c, d, layouts| {
                        launch!(product::<$a, $b, $c><<<1, 32>>>(a, b, c, d, layouts)).unwrap();
                    });
                    let sums = case.sums::<$a, $b, $c>(|a, b| a * b);
                    for (index, (got, (want, _))) in got.into_iter().zip(sums).enumerate() {
                        let want = <$c as FromSum>::from_sum(want);
                        assert_eq!(got, want, "row {}, column {}: {case:?}", index / 8, index % 8);
                    }
                }
            });
        }
    )*};
}

exact! {
    e4m3_e3m2: E4m3, E3m2, f32;
    e2m3_e5m2: E2m3, E5m2, f32;
    e3m2_e3m2: E3m2, E3m2, f32;
    e2m1_e2m3: PaddedE2m1, E2m3, f32;
    e4m3_e2m1: E4m3, PaddedE2m1, f32;
    e2m1_e2m1: PaddedE2m1, PaddedE2m1, f32;
    e3m2_e2m3_f16: E3m2, E2m3, f16;
    e2m1_e4m3_f16: PaddedE2m1, E4m3, f16;
}

#[kernel]
fn scaled<TA, TB, S, const K: usize, const N: usize>(
    a: &[TA::Unit],
    b: &[TB::Unit],
    scales: [&[S]; 2],
    c: &[f32],
    d: SliceMut<f32>,
    layouts: [Layout; 2],
) where
    TA: Shape<A, 16, K>,
    TB: Shape<B, K, 8>,
    S: Scale + DeviceCopy,
    Scaled<Fragment<A, TA, 16, K>, S, N>:
        Product<Scaled<Fragment<B, TB, K, 8>, S, N>, Fragment<Accumulator, f32, 16, 8>, Plain>,
{
    let a = Fragment::<A, TA, 16, K>::load(a, Layout::row_major(K));
    let b = Fragment::<B, TB, K, 8>::load(b, Layout::column_major(K));
    let a = Scaled::<_, S, N>::new(a, scales[0], layouts[0]);
    let b = Scaled::<_, S, N>::new(b, scales[1], layouts[1]);
    let sums = a.multiply(b, Fragment::load(c, Layout::row_major(8)));
    // SAFETY: the only warp.
    unsafe { sums.store(d, Layout::row_major(8)) };
}

/// A scale near 1, of which all that a test needs is exact.
trait RandomScale: DeviceCopy {
    fn random(rng: &mut Rng) -> Self;
    fn value(self) -> f64;
}

impl RandomScale for UE8M0 {
    fn random(rng: &mut Rng) -> Self {
        UE8M0::from_bits(124 + rng.below(7) as u8)
    }

    fn value(self) -> f64 {
        2f64.powi(i32::from(self.to_bits()) - 127)
    }
}

impl RandomScale for UE4M3 {
    /// From 1/4 to less than 4.
    fn random(rng: &mut Rng) -> Self {
        UE4M3::from_bits(0x28 + rng.below(32) as u8)
    }

    fn value(self) -> f64 {
        let bits = i32::from(self.to_bits());
        f64::from(8 + bits % 8) / 8.0 * 2f64.powi(bits / 8 - 7)
    }
}

/// Integers with scales, whose sums are exact; the scales stand somewhere in larger matrices.
macro_rules! exact_with_scales {
    ($($name:ident: $a:ty, $b:ty, $scale:ty, $k:literal $n:literal;)*) => {$(
        #[test]
        fn $name() {
            with_instructions(stringify!($name), || {
                let mut rng = rng();
                for _ in 0..8 {
                    let integers = |rng: &mut Rng, count, [least, most]: [i64; 2], bits: fn(f64) -> u64| {
                        rng.vec(count, |rng| bits((least + rng.below((most - least + 1) as usize) as i64) as f64))
                    };
                    let a: Vec<u64> = integers(&mut rng, 16 * $k, <$a>::INTEGERS.into(), <$a>::bits);
                    let b: Vec<u64> = integers(&mut rng, 8 * $k, <$b>::INTEGERS.into(), <$b>::bits);
                    let c: Vec<f32> = rng.vec(128, |rng| rng.below(2000) as f32 - 1000.0);
                    let [wide_a, wide_b] = [0; 2].map(|_| $n + rng.below(3));
                    let [from_a, from_b] = [wide_a, wide_b].map(|wide| rng.below(wide - $n + 1));
                    let of_a: Vec<$scale> = rng.vec(16 * wide_a, RandomScale::random);
                    let of_b: Vec<$scale> = rng.vec(8 * wide_b, RandomScale::random);
                    let device_a = DeviceBuffer::from_slice(&pack::<$a>(&a)).unwrap();
                    let device_b = DeviceBuffer::from_slice(&pack::<$b>(&b)).unwrap();
                    let device_of_a = DeviceBuffer::from_slice(&of_a).unwrap();
                    let device_of_b = DeviceBuffer::from_slice(&of_b).unwrap();
                    let device_c = DeviceBuffer::from_slice(&c).unwrap();
                    let mut d = DeviceBuffer::zeroed(128).unwrap();
                    let layouts = [
                        Layout::row_major(wide_a).at(0, from_a),
                        Layout::column_major(wide_b).at(from_b, 0),
                    ];
                    launch!(scaled::<$a, $b, $scale, $k, $n><<<1, 32>>>(
                        &device_a, &device_b, [&device_of_a, &device_of_b], &device_c, &mut d, layouts
                    ))
                    .unwrap();
                    for (at, got) in d.to_vec().unwrap().into_iter().enumerate() {
                        let (row, column) = (at / 8, at % 8);
                        let want = (0..$k).fold(f64::from(c[at]), |sum, k| {
                            let scale_a = of_a[row * wide_a + from_a + k / ($k / $n)].value();
                            let scale_b = of_b[column * wide_b + from_b + k / ($k / $n)].value();
                            let a = <$a>::number(a[row * $k + k]) * scale_a;
                            sum + a * (<$b>::number(b[column * $k + k]) * scale_b)
                        });
                        assert_eq!(f64::from(got), want, "row {row}, column {column}");
                    }
                }
            });
        }
    )*};
}

exact_with_scales! {
    e4m3_e4m3_with_scales: E4m3, E4m3, UE8M0, 32 1;
    e5m2_e2m1_with_scales: E5m2, PaddedE2m1, UE8M0, 32 1;
    e3m2_e2m3_with_scales: E3m2, E2m3, UE8M0, 32 1;
    e2m1_with_two_scales: E2m1, E2m1, UE8M0, 64 2;
    e2m1_with_four_scales: E2m1, E2m1, UE4M3, 64 4;
}

#[kernel]
fn sparse_scaled<TA, TB, S, const K: usize, const HALF: usize, const N: usize>(
    values: &[TA::Unit],
    metadata: &[u16],
    b: &[TB::Unit],
    scales: [&[S]; 2],
    c: &[f32],
    d: SliceMut<f32>,
) where
    TA: Shape<A, 16, HALF> + SparseShape<K, Values = Fragment<A, TA, 16, HALF>>,
    TB: Shape<B, K, 8>,
    S: Scale + DeviceCopy,
    Scaled<Sparse<TA, K>, S, N>:
        Product<Scaled<Fragment<B, TB, K, 8>, S, N>, Fragment<Accumulator, f32, 16, 8>, Plain>,
{
    let values = Fragment::load(values, Layout::row_major(HALF));
    let words = metadata.len() / 16;
    let a = Sparse::<TA, K>::new(values, metadata, Layout::row_major(words));
    let b = Fragment::<B, TB, K, 8>::load(b, Layout::column_major(K));
    let a = Scaled::<_, S, N>::sparse(a, scales[0], Layout::row_major(N));
    let b = Scaled::<_, S, N>::new(b, scales[1], Layout::column_major(N));
    let sums = a.multiply(b, Fragment::load(c, Layout::row_major(8)));
    // SAFETY: the only warp.
    unsafe { sums.store(d, Layout::row_major(8)) };
}

/// Sparse integers, whose sums are exact.
macro_rules! exact_and_sparse {
    ($($name:ident: $a:ty, $b:ty, $c:ty;)*) => {$(
        #[test]
        fn $name() {
            with_instructions(stringify!($name), || {
                let mut rng = rng();
                for _ in 0..8 {
                    let (a, values, metadata) = compressed::<$a>(&mut rng, 64);
                    let b: Vec<u64> = rng.vec(8 * 64, integer::<$b>);
                    let c: Vec<u64> = rng.vec(128, integer::<$c>);
                    let [device_values, device_b] = [&values, &pack::<$b>(&b)]
                        .map(|bytes| DeviceBuffer::from_slice(bytes).unwrap());
                    let device_metadata = DeviceBuffer::from_slice(&metadata).unwrap();
                    let device_c = DeviceBuffer::from_slice(&pack::<$c>(&c)).unwrap();
                    let mut d = DeviceBuffer::from_slice(&pack::<$c>(&c)).unwrap();
                    let layouts = [Layout::row_major(32), Layout::row_major(4)];
                    launch!(sparse_product::<$a, $b, $c, Plain, 64, 32><<<1, 32>>>(
                        &device_values, &device_metadata, &device_b, &device_c, &mut d, layouts
                    ))
                    .unwrap();
                    for (at, got) in d.to_vec().unwrap().into_iter().enumerate() {
                        let (row, column) = (at / 8, at % 8);
                        let sum = (0..64).fold(<$c>::number(c[at]), |sum, k| {
                            sum + <$a>::number(a[row][k]) * <$b>::number(b[column * 64 + k])
                        });
                        assert_eq!(got, <$c as FromSum>::from_sum(sum), "row {row}, column {column}");
                    }
                }
            });
        }
    )*};
}

exact_and_sparse! {
    sparse_e3m2_e2m3: E3m2, E2m3, f32;
    sparse_e2m3_e5m2: E2m3, E5m2, f32;
    sparse_e4m3_e2m1: E4m3, PaddedE2m1, f32;
    sparse_e2m1_e3m2_f16: PaddedE2m1, E3m2, f16;
}

/// Sparse integers with scales, whose sums are exact.
macro_rules! exact_and_sparse_with_scales {
    ($($name:ident: $a:ty, $b:ty, $scale:ty, $k:literal $half:literal $n:literal;)*) => {$(
        #[test]
        fn $name() {
            with_instructions(stringify!($name), || {
                let mut rng = rng();
                for _ in 0..8 {
                    let (a, values, metadata) = compressed::<$a>(&mut rng, $k);
                    let b: Vec<u64> = rng.vec(8 * $k, integer::<$b>);
                    let c: Vec<f32> = rng.vec(128, |rng| rng.below(2000) as f32 - 1000.0);
                    let of_a: Vec<$scale> = rng.vec(16 * $n, RandomScale::random);
                    let of_b: Vec<$scale> = rng.vec(8 * $n, RandomScale::random);
                    let [device_values, device_b] = [&values, &pack::<$b>(&b)]
                        .map(|bytes| DeviceBuffer::from_slice(bytes).unwrap());
                    let device_metadata = DeviceBuffer::from_slice(&metadata).unwrap();
                    let device_of_a = DeviceBuffer::from_slice(&of_a).unwrap();
                    let device_of_b = DeviceBuffer::from_slice(&of_b).unwrap();
                    let device_c = DeviceBuffer::from_slice(&c).unwrap();
                    let mut d = DeviceBuffer::zeroed(128).unwrap();
                    launch!(sparse_scaled::<$a, $b, $scale, $k, $half, $n><<<1, 32>>>(
                        &device_values, &device_metadata, &device_b, [&device_of_a, &device_of_b], &device_c, &mut d
                    ))
                    .unwrap();
                    for (at, got) in d.to_vec().unwrap().into_iter().enumerate() {
                        let (row, column) = (at / 8, at % 8);
                        let want = (0..$k).fold(f64::from(c[at]), |sum, k| {
                            let block = k / ($k / $n);
                            let a = <$a>::number(a[row][k]) * of_a[row * $n + block].value();
                            let b = <$b>::number(b[column * $k + k]) * of_b[column * $n + block].value();
                            sum + a * b
                        });
                        assert_eq!(f64::from(got), want, "row {row}, column {column}");
                    }
                }
            });
        }
    )*};
}

exact_and_sparse_with_scales! {
    sparse_e4m3_e4m3_with_scales: E4m3, E4m3, UE8M0, 64 32 1;
    sparse_e2m3_e2m1_with_scales: E2m3, PaddedE2m1, UE8M0, 64 32 1;
    sparse_e2m1_with_two_scales: E2m1, E2m1, UE8M0, 128 64 2;
    sparse_e2m1_with_four_scales: E2m1, E2m1, UE4M3, 128 64 4;
}

/// Products of ones, of all pairs of types, with scales and without. A type has the bits of 1 behind it.
macro_rules! all_pairs {
    ([$($a:ident $one_of_a:literal)*] $b:tt) => { all_pairs! {@ [$($a $one_of_a $b)*]} };
    (@ [$($a:ident $one_of_a:literal [$($b:ident $one_of_b:literal)*])*]) => {
        #[kernel]
        fn every(c: &[f32], d: SliceMut<f32>) {
            let sums: Fragment<Accumulator, f32, 16, 8> = Fragment::load(c, Layout::row_major(8));
            let mut all = sums;
            $($({
                let a = Fragment::<A, $a, 16, 32>::filled($one_of_a);
                let b = Fragment::<B, $b, 32, 8>::filled($one_of_b);
                all = mma(a, b, all);
                let a = Scaled::<_, UE8M0, 1>::from_parts(a, UE8M0::from_f32_rz(8.0).to_bits().into());
                let b = Scaled::<_, UE8M0, 1>::from_parts(b, UE8M0::ONE.to_bits().into());
                all = mma(a, b, all);
                // The first two of four elements of A.
                let a = Sparse::<$a, 64>::from_parts(Fragment::filled($one_of_a), 0x4444_4444);
                let b = Fragment::<B, $b, 64, 8>::filled($one_of_b);
                all = mma(a, b, all);
                let a = Scaled::<_, UE8M0, 1>::from_parts(a, UE8M0::ONE.to_bits().into());
                let b = Scaled::<_, UE8M0, 1>::from_parts(b, UE8M0::from_f32_rz(4.0).to_bits().into());
                all = mma(a, b, all);
            })*)*
            // SAFETY: the only warp.
            unsafe { all.store(d, Layout::row_major(8)) };
        }
    };
}

all_pairs! {
    [E4m3 0x38 E5m2 0x3c E3m2 0x0c E2m3 0x08 PaddedE2m1 0x02]
    [E4m3 0x38 E5m2 0x3c E3m2 0x0c E2m3 0x08 PaddedE2m1 0x02]
}

#[test]
fn every_pair_of_types() {
    with_instructions("every_pair_of_types", || {
        let c = DeviceBuffer::from_slice(&[0.5f32; 128]).unwrap();
        let mut d = DeviceBuffer::zeroed(128).unwrap();
        launch!(every<<<1, 32>>>(&c, &mut d)).unwrap();
        // 25 pairs of types. Each adds 32 ones without scales, and eight times that with scales; then the same with sparse
        // matrices, where it is four times that.
        assert_eq!(d.to_vec().unwrap(), [25.0 * 32.0 * (9.0 + 5.0) + 0.5; 128]);
    });
    let ptx = images::entry("narrow::every");
    assert_eq!(images::count(&ptx, "mma.sync"), 50, "{ptx}");
    assert_eq!(images::count(&ptx, "mma.sp"), 50, "{ptx}");
}

/// The vendor's assembler takes each instruction, of all types.
#[test]
fn the_assembler_takes_each_instruction() {
    let Some(ptxas) = images::assembler() else { return };
    let mut modules = 0;
    for image in images::images() {
        for code in image.kernels.iter().flat_map(|kernel| &kernel.code) {
            let ptx = &image.modules[code.module as usize].ptx;
            if !ptx.contains(".kind::") {
                continue;
            }
            // The kernels need what their instructions need.
            assert!(ptx.contains(".target sm_120a") && ptx.contains(".version 8.7"), "{ptx}");
            assert_eq!(images::assemble_for(&ptxas, ptx, "sm_120a"), None, "{ptx}");
            modules += 1;
        }
    }
    assert!(modules >= 22, "{modules} modules: the kernels are missing");
}
