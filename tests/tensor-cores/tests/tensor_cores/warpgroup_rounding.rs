//! How products of warpgroups are rounded, as `rounding` finds it out for those of warps. What is expected of
//! compute capability 9.0 is what the emulated device does; it was not seen on hardware yet.

use super::rounding::{Adder, Case, HOPPER, buffer, factors, negative, power, probe};
use half::{bf16, f16};
use ptyx::device::mma::{E4m3, E5m2, Element, Tf32};
use ptyx::device::wgmma::{Accumulator, B32, Factor, KMajor, Product, SharedTile};
use ptyx::prelude::*;
use ptyx_tensor_tests::capability;

/// Each block computes one sum of `K` products: all rows of A are the same, and so are all columns of B and all
/// sums before.
#[kernel]
pub(super) fn sums<TA, TB, const K: usize>(
    a: &[TA::Unit],
    b: &[TB::Unit],
    c: &[f32],
    d: SliceMut<f32>,
) where
    TA: Product<TB, f32> + Element,
    TB: Factor,
{
    let case = block::x() as usize;
    let rows = shared!(SharedTile<TA, 64, K, B32, KMajor>);
    let columns = shared!(SharedTile<TB, 8, K, B32, KMajor>);
    // SAFETY: nobody reads the tiles before the barrier.
    unsafe {
        rows.fill(|_, k| a[case * K + k]);
        columns.fill(|_, k| b[case * K + k]);
    }
    block::sync();
    let mut sums = Accumulator::<f32, 8>::filled(c[case]);
    // SAFETY: the tiles stay as they are.
    sums.accumulate(|running| unsafe { running.add(rows, columns) });
    sums.for_each(|row, column, sum| {
        if (row, column) == (41, 3) {
            // SAFETY: each block has an element of its own.
            unsafe { d.write(case, sum) };
        }
    });
}

/// The function that computes sums by one instruction.
macro_rules! by {
    ($a:ty, $b:ty, $k:literal) => {
        |cases: &[Case]| {
            let a = factors::<$a>(cases, $k, |product| product.0);
            let b = factors::<$b>(cases, $k, |product| product.1);
            let c = buffer::<f32>(cases.iter().map(|(start, _)| *start));
            let mut d = DeviceBuffer::zeroed(cases.len()).unwrap();
            launch!(sums::<$a, $b, $k><<<cases.len(), 128>>>(&a, &b, &c, &mut d)).unwrap();
            d.to_vec().unwrap()
        }
    };
}

macro_rules! adders {
    ($($name:ident: $a:ty, $k:literal, $want:expr;)*) => {$(
        #[test]
        fn $name() {
            if capability() != 90 {
                println!("SKIPPED: only compute capability 9.0 has these instructions");
                return;
            }
            let found = probe($k, by!($a, $a, $k));
            println!("{}: {found:?}", stringify!($name));
            assert_eq!(found, $want);
        }
    )*};
}

adders! {
    f16_of_warpgroups: f16, 16, HOPPER;
    bf16_of_warpgroups: bf16, 16, HOPPER;
    tf32_of_warpgroups: Tf32, 8, Adder { block: 8, ..HOPPER };
}

/// How products of 8-bit floats are added: fewer places are kept.
#[derive(Debug, PartialEq)]
struct Narrow {
    /// Places behind the point that a product keeps beside a product of 1.
    beside_product: i32,
    /// The same beside a start of 1.
    beside_start: i32,
    /// Those that a start keeps beside a product of 1.
    of_start: i32,
    /// Those that a start keeps if all products are zero.
    alone: i32,
    /// Products that are added before the sum is rounded.
    block: usize,
}

fn probe_narrow(run: impl Fn(&[Case]) -> Vec<f32>) -> Narrow {
    let one = |case: Case| f64::from(run(&[case])[0]);
    let two = |power: i32| 2f64.powi(power);
    // From the fewest on; a factor may be as small as 2^-9.
    let places = |kept: &dyn Fn(i32) -> bool| (1..=17).take_while(|&places| kept(places)).count();
    let all = |kept: &dyn Fn(i32) -> bool| {
        let found = (1..=23).take_while(|&places| kept(places)).count();
        found as i32
    };
    let (large, small) = (power(8), power(-8));
    let block = (2..32)
        .find(|&place| {
            let mut products = vec![(0.0, 0.0); 32];
            (products[0], products[1], products[place]) = (large, negative(large), small);
            one((0.0, products)) != 0.0
        })
        .unwrap_or(32);
    Narrow {
        beside_product: places(&|at| one((0.0, vec![power(0), power(-at)])) > 1.0) as i32,
        beside_start: places(&|at| one((1.0, vec![power(-at)])) > 1.0) as i32,
        of_start: all(&|at| one((two(-at), vec![power(0)])) > 1.0),
        alone: all(&|at| one((1.0 + two(-at), vec![])) > 1.0),
        block,
    }
}

#[test]
fn f8_of_warpgroups() {
    if capability() != 90 {
        println!("SKIPPED: only compute capability 9.0 has these instructions");
        return;
    }
    let want = Narrow { beside_product: 13, beside_start: 13, of_start: 13, alone: 13, block: 32 };
    // One number has the range for all powers, the other is of the other type.
    for found in [probe_narrow(by!(E5m2, E5m2, 32)), probe_narrow(by!(E4m3, E5m2, 32))] {
        println!("f8_of_warpgroups: {found:?}");
        assert_eq!(found, want);
    }
}
