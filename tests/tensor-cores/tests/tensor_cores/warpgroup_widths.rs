//! Products of warpgroups (`wgmma`) with every number of columns: a kernel for the types of each product, which has an
//! instruction for several widths. NVIDIA's assembler gets all of them, and some, which the seed chooses, are run.
//!
//! Each sum type has every width, each product a part of them: all of each would take minutes to compile. The feature
//! `every-width` is for that (`scripts/all-tests`).

use crate::warpgroup::{buffer, compare, exists, expected, integers};
use half::{bf16, f16};
use ptyx::device::mma::{E4m3, E5m2, Element, Layout, Tf32};
use ptyx::device::wgmma::{Accumulator, B32, Factor, KMajor, Product, SharedTile, Width};
use ptyx::prelude::*;
use ptyx_tensor_tests::{images, rng};
use ptyx_test_support::is_in_part;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of a tile of A: 64 rows of 32 bytes.
const ROWS_BYTES: usize = 64 * 32;

/// Bytes of both tiles, with what aligns them.
const BYTES: usize = ROWS_BYTES + 256 * 32 + 1024;

/// Launches of each kernel.
const RUNS: usize = 4;

/// Whether a product has this width: its part of `parts`, or all of them if asked for.
const fn is_chosen(n: usize, part: usize, parts: usize) -> bool {
    cfg!(feature = "every-width") || n / 16 % parts == part
}

/// Sums that an instruction adds to, in every width.
trait EveryWidth<TA, TB, const K: usize>: Element<Unit = Self> + Sized {
    const WIDTHS: &[usize];

    /// The product of 64 rows and `n` columns of `K` elements.
    fn multiply<const PART: usize, const PARTS: usize>(
        n: usize,
        a: &[TA::Unit],
        b: &[TB::Unit],
        d: SliceMut<Self>,
    ) where
        TA: Factor,
        TB: Factor;
}

macro_rules! every_width {
    ($($c:ty, $zero:expr => $($n:literal)*;)*) => {$(
        impl<TA: Product<TB, $c>, TB: Factor, const K: usize> EveryWidth<TA, TB, K> for $c {
            const WIDTHS: &[usize] = &[$($n),*];

            #[inline(always)]
            fn multiply<const PART: usize, const PARTS: usize>(
                n: usize,
                a: &[TA::Unit],
                b: &[TB::Unit],
                d: SliceMut<$c>,
            ) {
                match n {
                    $($n if const { is_chosen($n, PART, PARTS) } => {
                        one_width::<TA, TB, $c, $n, K>(a, b, $zero, d);
                    })*
                    _ => {}
                }
            }
        }
    )*};
}

#[rustfmt::skip]
every_width! {
    f32, 0.0 => 8 16 24 32 40 48 56 64 72 80 88 96 104 112 120 128 136 144 152 160 168 176 184 192 200 208 216 224 232 240 248 256;
    f16, f16::ZERO => 8 16 24 32 40 48 56 64 72 80 88 96 104 112 120 128 136 144 152 160 168 176 184 192 200 208 216 224 232 240 248 256;
    i32, 0 => 8 16 24 32 48 64 80 96 112 128 144 160 176 192 208 224 240 256;
}

#[inline(always)]
fn one_width<TA, TB, TC, const N: usize, const K: usize>(
    a: &[TA::Unit],
    b: &[TB::Unit],
    zero: TC,
    d: SliceMut<TC>,
) where
    TA: Product<TB, TC>,
    TB: Factor,
    TC: Width<N> + Element<Value = TC, Unit = TC>,
{
    let rows = SharedTile::<TA, 64, K, B32, KMajor>::dynamic(0);
    let columns = SharedTile::<TB, N, K, B32, KMajor>::dynamic(ROWS_BYTES + 512);
    // SAFETY: nobody reads the tiles before the barrier.
    unsafe {
        rows.fill(|row, k| a[row * K + k]);
        columns.fill(|column, k| b[column * K + k]);
    }
    block::sync();
    let mut sums = Accumulator::<TC, N>::filled(zero);
    // SAFETY: the tiles are filled and stay as they are.
    sums.accumulate(|running| unsafe { running.add(rows, columns) });
    // SAFETY: the only warpgroup.
    unsafe { sums.store(d, Layout::row_major(N)) };
}

#[kernel]
fn widths<TA, TB, TC, const K: usize, const PART: usize, const PARTS: usize>(
    n: usize,
    a: &[TA::Unit],
    b: &[TB::Unit],
    d: SliceMut<TC>,
) where
    TA: Product<TB, TC>,
    TB: Factor,
    TC: EveryWidth<TA, TB, K>,
{
    TC::multiply::<PART, PARTS>(n, a, b, d);
}

macro_rules! products {
    ($($name:ident: $a:ty, $b:ty, $c:ty, $k:literal, $part:literal of $parts:literal, $types:literal;)*) => {
        /// The test of each product, its types in the name of the instruction, and its widths.
        const PRODUCTS: &[(&str, &str, &[usize], usize, usize)] =
            &[$((stringify!($name), $types, <$c as EveryWidth<$a, $b, $k>>::WIDTHS, $part, $parts)),*];
        $(
        #[test]
        fn $name() {
            ptyx_test_support::part!($name);
            if !exists() {
                return;
            }
            let mut rng = rng();
            let all = <$c as EveryWidth<$a, $b, $k>>::WIDTHS.iter();
            let chosen: Vec<usize> = all.copied().filter(|n| is_chosen(*n, $part, $parts)).collect();
            for _ in 0..RUNS {
                let n = chosen[rng.below(chosen.len())];
                let a = integers::<$a>(&mut rng, 64 * $k);
                let b = integers::<$b>(&mut rng, n * $k);
                let (of_a, of_b) = (buffer::<$a>(&a), buffer::<$b>(&b));
                let mut d = DeviceBuffer::<$c>::zeroed(64 * n).unwrap();
                launch!(widths::<$a, $b, $c, $k, $part, $parts><<<1, 128, BYTES>>>(
                    n, &of_a, &of_b, &mut d
                ))
                .unwrap();
                let zeros = vec![0; 64 * n];
                let want = expected::<$a, $b, $c>([&a, &b, &zeros], [n, $k], [0.0, 1.0]);
                println!("{} columns", n);
                compare::<$c>(&d.to_vec().unwrap(), &want, n);
            }
        }
        )*
    };
}

products! {
    f16_f32: f16, f16, f32, 16, 0 of 7, "k16.f32.f16.f16";
    f16_f16: f16, f16, f16, 16, 0 of 5, "k16.f16.f16.f16";
    bf16_f32: bf16, bf16, f32, 16, 1 of 7, "k16.f32.bf16.bf16";
    tf32_f32: Tf32, Tf32, f32, 8, 2 of 7, "k8.f32.tf32.tf32";
    e4m3_e4m3_f32: E4m3, E4m3, f32, 32, 3 of 7, "k32.f32.e4m3.e4m3";
    e4m3_e5m2_f32: E4m3, E5m2, f32, 32, 4 of 7, "k32.f32.e4m3.e5m2";
    e5m2_e4m3_f32: E5m2, E4m3, f32, 32, 5 of 7, "k32.f32.e5m2.e4m3";
    e5m2_e5m2_f32: E5m2, E5m2, f32, 32, 6 of 7, "k32.f32.e5m2.e5m2";
    e4m3_e4m3_f16: E4m3, E4m3, f16, 32, 1 of 5, "k32.f16.e4m3.e4m3";
    e4m3_e5m2_f16: E4m3, E5m2, f16, 32, 2 of 5, "k32.f16.e4m3.e5m2";
    e5m2_e4m3_f16: E5m2, E4m3, f16, 32, 3 of 5, "k32.f16.e5m2.e4m3";
    e5m2_e5m2_f16: E5m2, E5m2, f16, 32, 4 of 5, "k32.f16.e5m2.e5m2";
    s8_s8: i8, i8, i32, 32, 0 of 4, "k32.s32.s8.s8";
    s8_u8: i8, u8, i32, 32, 1 of 4, "k32.s32.s8.u8";
    u8_s8: u8, i8, i32, 32, 2 of 4, "k32.s32.u8.s8";
    u8_u8: u8, u8, i32, 32, 3 of 4, "k32.s32.u8.u8";
}

#[test]
fn the_assembler_takes_every_width() {
    let modules: Vec<&str> = images::images()
        .iter()
        .flat_map(|image| image.kernels.iter().map(move |kernel| (image, kernel)))
        .filter(|(_, kernel)| kernel.name.contains("warpgroup_widths::widths<"))
        .map(|(image, kernel)| &*image.modules[kernel.code[0].module as usize].ptx)
        .collect();
    for &(name, types, widths, part, parts) in PRODUCTS {
        if !is_in_part(option_env!("PTYX_TEST_PART"), name) {
            continue;
        }
        let of_types: Vec<_> = modules.iter().filter(|ptx| ptx.contains(types)).collect();
        assert_eq!(of_types.len(), 1, "modules with {types}");
        let name = |n: usize| format!("wgmma.mma_async.sync.aligned.m64n{n}{types} ");
        let found: Vec<_> =
            (8..=256).step_by(8).filter(|n| of_types[0].contains(&name(*n))).collect();
        let chosen = widths.iter().copied().filter(|n| is_chosen(*n, part, parts));
        assert_eq!(found, chosen.collect::<Vec<_>>(), "widths of {types}");
    }
    let Some(ptxas) = images::assembler() else { return };
    let next = AtomicUsize::new(0);
    let assemble = || {
        while let Some(ptx) = modules.get(next.fetch_add(1, Ordering::Relaxed)) {
            assert_eq!(images::assemble_for(&ptxas, ptx, "sm_90a"), None);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(assemble)));
}
