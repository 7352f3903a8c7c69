//! What kernels on tensor cores become: accumulators stay in registers.

use half::f16;
use ptyx::device::mma::{A, Accumulator, B, Fragment, Layout, mma};
use ptyx::prelude::*;
use ptyx_tensor_tests::{images, rng};

/// A tile of 64x32 sums for a warp: 16 accumulators, 64 registers.
#[kernel]
fn tile(a: &[f16], b: &[f16], k: usize, c: SliceMut<f32>) {
    let mut sums = [[Fragment::<Accumulator, f32, 16, 8>::filled(0.0); 4]; 4];
    for from in (0..k).step_by(16) {
        let rows: [Fragment<A, f16, 16, 16>; 4] =
            core::array::from_fn(|i| Fragment::load(a, Layout::row_major(k).at(16 * i, from)));
        let columns: [Fragment<B, f16, 16, 8>; 4] =
            core::array::from_fn(|j| Fragment::load(b, Layout::column_major(k).at(from, 8 * j)));
        for i in 0..4 {
            for j in 0..4 {
                sums[i][j] = mma(rows[i], columns[j], sums[i][j]);
            }
        }
    }
    for (i, sums) in sums.into_iter().enumerate() {
        for (j, sum) in sums.into_iter().enumerate() {
            // SAFETY: the only warp.
            unsafe { sum.store(c, Layout::row_major(32).at(16 * i, 8 * j)) };
        }
    }
}

#[test]
fn accumulators_stay_in_registers() {
    let mut rng = rng();
    let k = 48;
    let mut matrix =
        |rows: usize| rng.vec(rows * k, |rng| f16::from_f64(rng.below(17) as f64 - 8.0));
    let (a, b) = (matrix(64), matrix(32));
    let mut c = DeviceBuffer::zeroed(64 * 32).unwrap();
    let (device_a, device_b) =
        (DeviceBuffer::from_slice(&a).unwrap(), DeviceBuffer::from_slice(&b).unwrap());
    launch!(tile<<<1, 32>>>(&device_a, &device_b, k, &mut c)).unwrap();
    for (index, got) in c.to_vec().unwrap().into_iter().enumerate() {
        let (row, column) = (&a[index / 32 * k..][..k], &b[index % 32 * k..][..k]);
        let want: f64 = row.iter().zip(column).map(|(a, b)| a.to_f64() * b.to_f64()).sum();
        assert_eq!(f64::from(got), want, "element {index}");
    }

    let ptx = images::entry("code::tile");
    assert!(!ptx.contains(".local ."), "{ptx}");
    let products = images::count(&ptx, "mma.sync.aligned.m16n8k16");
    assert!(products > 0 && products.is_multiple_of(16), "{products} products: {ptx}");
    for capability in [80, 90] {
        let Some(code) = images::machine_code("code::tile", capability) else { continue };
        assert_eq!(code.starting("LDL").len() + code.starting("STL").len(), 0, "{code}");
        assert!(code.starting("HMMA").len() >= 16, "{code}");
    }
}

/// All kernels of these tests, by the vendor's assembler.
#[test]
fn the_assembler_takes_the_modules() {
    let Some(ptxas) = images::assembler() else { return };
    let modules = images::assemble_modules(&ptxas);
    assert!(modules > 50, "{modules} modules: the images are missing");
}
