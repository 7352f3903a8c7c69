//! How tensor cores round sums, found out from chosen numbers. `cargo test -p ptyx-tensor-tests rounding --
//! --nocapture` prints what this device does. What is expected holds for compute capability 9.0, which the
//! emulated device has; others print only, and keep to what `products.rs` checks.

use half::{bf16, f16};
use ptyx::device::mma::{
    A, Accumulator, B, E4m3, E5m2, Fragment, Layout, Product, Shape, Tf32, mma, mma_saturating,
};
use ptyx::prelude::*;
use ptyx_tensor_tests::{Number, capability, pack};

/// Each block computes one sum of `K` products: all rows of A are the same, and so are all columns of B and all
/// elements of C.
#[kernel]
fn sums<TA, TB, TC, const K: usize>(
    a: &[TA::Unit],
    b: &[TB::Unit],
    c: &[TC::Unit],
    d: SliceMut<TC::Value>,
) where
    TA: Shape<A, 16, K>,
    TB: Shape<B, K, 8>,
    TC: Shape<Accumulator, 16, 8>,
    Fragment<A, TA, 16, K>: Product<Fragment<B, TB, K, 8>, Fragment<Accumulator, TC, 16, 8>>,
{
    let case = block::x() as usize;
    let rows = Fragment::<A, TA, 16, K>::load(a, Layout::row_major(0).from(case * K));
    let columns = Fragment::<B, TB, K, 8>::load(b, Layout::column_major(0).from(case * K));
    let start = Fragment::<Accumulator, TC, 16, 8>::load(c, Layout::row_major(0).from(case * 8));
    mma(rows, columns, start).for_each(|row, column, value| {
        if (row, column) == (9, 3) {
            // SAFETY: each block has an element of its own.
            unsafe { d.write(case, value) };
        }
    });
}

/// A sum: its start, and its first products.
pub(super) type Case = (f64, Vec<(f64, f64)>);

/// A buffer of elements.
pub(super) fn buffer<T: Number>(numbers: impl Iterator<Item = f64>) -> DeviceBuffer<T::Unit> {
    let bits: Vec<u64> = numbers.map(T::bits).collect();
    DeviceBuffer::from_slice(&pack::<T>(&bits)).unwrap()
}

/// `k` factors of each case: `side` chooses which.
pub(super) fn factors<T: Number>(
    cases: &[Case],
    k: usize,
    side: fn(&(f64, f64)) -> f64,
) -> DeviceBuffer<T::Unit> {
    buffer::<T>(cases.iter().flat_map(|(_, products)| {
        assert!(products.len() <= k, "{products:?}");
        (0..k).map(move |index| products.get(index).map_or(0.0, side))
    }))
}

/// The function that computes sums by one instruction.
macro_rules! by {
    ($a:ty, $b:ty, $c:ty, $k:literal) => {
        |cases: &[Case]| {
            let a = factors::<$a>(cases, $k, |product| product.0);
            let b = factors::<$b>(cases, $k, |product| product.1);
            let c = buffer::<$c>(cases.iter().flat_map(|(start, _)| [*start; 8]));
            let mut d = DeviceBuffer::zeroed(cases.len()).unwrap();
            launch!(sums::<$a, $b, $c, $k><<<cases.len(), 32>>>(&a, &b, &c, &mut d)).unwrap();
            d.to_vec().unwrap()
        }
    };
}

fn two(power: i32) -> f64 {
    2f64.powi(power)
}

/// A product of this power of two.
pub(super) fn power(exponent: i32) -> (f64, f64) {
    (two(exponent.div_euclid(2)), two(exponent - exponent.div_euclid(2)))
}

pub(super) fn negative((a, b): (f64, f64)) -> (f64, f64) {
    (-a, b)
}

/// What a sum is rounded to between two neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rounded {
    Down,
    Up,
}

/// How an instruction adds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Adder {
    /// Products that are added before the sum is rounded.
    pub(super) block: usize,
    /// Bits below the last place of an `f32` with the largest exponent that a term keeps.
    pub(super) kept: i32,
    /// The same, found by several small terms that together reach the last place.
    pub(super) gathered: i32,
    /// How 1/4, 2/4 and 3/4 of the last place are rounded, above an odd positive number, then below a negative one.
    pub(super) quarters: [Rounded; 6],
    /// Whether the sum's start is aligned together with the first block.
    pub(super) start_with_first: bool,
    /// Whether the first block is added first.
    pub(super) first_to_last: bool,
}

/// Of tensor cores of compute capability 9.0.
pub(super) const HOPPER: Adder = Adder {
    block: 16,
    kept: 2,
    gathered: 2,
    quarters: [Rounded::Down, Rounded::Down, Rounded::Down, Rounded::Up, Rounded::Up, Rounded::Up],
    start_with_first: true,
    first_to_last: true,
};

/// Of 8-bit floats there: two products of `f16`, the first with the lower two of any four elements, both from
/// zero, and then an addition of `f32`.
const HOPPER_8_BIT: Adder = Adder {
    block: 2,
    kept: 1,
    gathered: 1,
    quarters: [Rounded::Down, Rounded::Up, Rounded::Up, Rounded::Up, Rounded::Down, Rounded::Down],
    ..HOPPER
};

/// Finds out how an instruction of depth `k` adds.
pub(super) fn probe(k: usize, run: impl Fn(&[Case]) -> Vec<f32>) -> Adder {
    let one = |case: Case| f64::from(run(&[case])[0]);
    // The numbers have few bits, and exponents that all formats have.
    let (large, small) = (power(16), power(-12));
    let block = (2..k)
        .find(|&place| {
            let mut products = vec![(0.0, 0.0); k];
            (products[0], products[1], products[place]) = (large, negative(large), small);
            one((0.0, products)) != 0.0
        })
        .unwrap_or(k);
    let top = two(15);
    let kept = (1..=8).take_while(|bits| one((top, vec![negative(power(-8 - bits))])) < top);
    let gathered = (1..=8).take_while(|&bits| {
        1 << bits <= block && one((top, vec![power(-8 - bits); 1 << bits])) > top
    });
    let (kept, gathered) = (kept.count() as i32, gathered.count() as i32);
    let quarters = [1, 2, 3, -1, -2, -3].map(|quarters: i32| {
        let start = (top + two(-8)) * f64::from(quarters.signum());
        let sign = f64::from(quarters.signum());
        let mut products = Vec::new();
        if quarters & 1 == 1 {
            products.push((sign * power(-10).0, power(-10).1));
        }
        if quarters.abs() & 2 == 2 {
            products.push((sign * power(-9).0, power(-9).1));
        }
        let sum = one((start, products));
        assert!(sum == start || (sum - start).abs() == two(-8), "{start} {sum}");
        if (sum == start) == (quarters > 0) { Rounded::Down } else { Rounded::Up }
    });
    let start_with_first = one((large.0 * large.1, vec![negative(large), small])) == 0.0;
    let mut products = vec![(0.0, 0.0); k];
    (products[0], products[k - 1]) = (small, negative(large));
    let first_to_last = one((large.0 * large.1, products)) == 0.0;
    Adder { block, kept, gathered, quarters, start_with_first, first_to_last }
}

macro_rules! adders {
    ($($name:ident: $a:ty, $b:ty, $k:literal, $least:literal, $want:expr;)*) => {$(
        #[test]
        fn $name() {
            if capability() < $least {
                println!("skipped: the device has no such instruction");
                return;
            }
            let found = probe($k, by!($a, $b, f32, $k));
            println!("{}: {found:?}", stringify!($name));
            if capability() == 90 {
                assert_eq!(found, $want);
            }
        }
    )*};
}

adders! {
    f16_k8: f16, f16, 8, 75, Adder { block: 8, ..HOPPER };
    f16_k16: f16, f16, 16, 80, HOPPER;
    bf16_k8: bf16, bf16, 8, 80, Adder { block: 8, ..HOPPER };
    bf16_k16: bf16, bf16, 16, 80, HOPPER;
    tf32_k4: Tf32, Tf32, 4, 80, Adder { block: 4, ..HOPPER };
    tf32_k8: Tf32, Tf32, 8, 80, Adder { block: 8, ..HOPPER };
    e4m3_k16: E4m3, E4m3, 16, 89, HOPPER_8_BIT;
    e4m3_k32: E4m3, E4m3, 32, 89, HOPPER_8_BIT;
    e5m2_k32: E5m2, E5m2, 32, 89, HOPPER_8_BIT;
}

/// Names, sums and results of compute capability 9.0; prints all, then compares.
fn compare<T: Copy + std::fmt::Debug>(
    run: impl Fn(&[Case]) -> Vec<T>,
    bits: fn(T) -> u64,
    rows: &[(&str, Case, u64)],
) {
    let cases: Vec<Case> = rows.iter().map(|(_, case, _)| case.clone()).collect();
    let found = run(&cases);
    for ((name, ..), found) in rows.iter().zip(&found) {
        println!("{name}: {found:?} = {:#x}", bits(*found));
    }
    if capability() == 90 {
        for ((name, _, want), found) in rows.iter().zip(found) {
            assert_eq!(bits(found), *want, "{name}: {found:?}");
        }
    }
}

#[test]
fn sums_of_f16() {
    if capability() < 80 {
        println!("skipped: the device has no such instruction");
        return;
    }
    let ulp = -10;
    compare(
        by!(f16, f16, f16, 16),
        |sum| sum.to_bits().into(),
        &[
            ("less than half", (1.0, vec![power(ulp - 2)]), 0x3c00),
            ("half, even", (1.0, vec![power(ulp - 1)]), 0x3c00),
            ("half, odd", (1.0 + two(ulp), vec![power(ulp - 1)]), 0x3c02),
            ("more than half", (1.0, vec![power(ulp - 1), power(ulp - 10)]), 0x3c01),
            ("many small ones", (1.0, vec![power(ulp - 4); 16]), 0x3c01),
            ("too large", (65504.0, vec![power(15)]), 0x7c00),
            ("subnormal", (0.0, vec![power(-20)]), 0x0010),
            ("half of the smallest", (0.0, vec![power(-25)]), 0x0000),
            (
                "a product beyond the range, and back",
                (0.0, vec![power(17), negative(power(17)), (1.0, 1.0)]),
                0x3c00,
            ),
        ],
    );
}

#[test]
fn limits_of_f32() {
    if capability() < 80 {
        println!("skipped: the device has no such instruction");
        return;
    }
    let largest = f64::from(f32::MAX);
    compare(
        by!(bf16, bf16, f32, 16),
        |sum| sum.to_bits().into(),
        &[
            ("twice the largest power", (0.0, vec![power(127); 2]), 0x7f80_0000),
            ("the largest number and a little", (largest, vec![power(102)]), 0x7f7f_ffff),
            ("the largest number and its last place", (largest, vec![power(104)]), 0x7f80_0000),
            (
                "a product beyond the range, and back",
                (0.0, vec![power(130), negative(power(130)), (1.0, 1.0)]),
                0,
            ),
            ("subnormal product", (0.0, vec![power(-140)]), 1 << 9),
            ("smallest product", (0.0, vec![power(-149)]), 1),
            ("below the smallest", (0.0, vec![power(-150); 2]), 1),
            ("subnormal start", (two(-149), vec![]), 1),
            ("negative zero", (-0.0, vec![(-1.0, 0.0)]), 0),
            ("products of negative zero", (-0.0, vec![(-1.0, 0.0); 16]), 0),
        ],
    );
    compare(
        by!(f16, f16, f32, 16),
        |sum| sum.to_bits().into(),
        &[
            (
                "subnormal factors",
                (0.0, vec![(two(-24), two(-24)); 2]),
                (two(-47) as f32).to_bits().into(),
            ),
            (
                "subnormal factor, large factor",
                (1.0, vec![(two(-24), 1.0), (two(-24), 1.0)]),
                0x3f80_0001,
            ),
        ],
    );
}

/// One after another, each rounded to the nearest.
#[test]
fn sums_of_f64() {
    if capability() < 90 {
        println!("skipped: the device has no such instruction");
        return;
    }
    let one = (1.0, 1.0);
    let large = (two(27), two(26));
    let bits = |sum: f64| sum.to_bits();
    let k16 = by!(f64, f64, f64, 16);
    compare(
        k16,
        bits,
        &[
            ("each too small", (two(53), vec![one; 16]), two(53).to_bits()),
            ("first to last", (0.0, vec![large, one, negative(large), one]), 1f64.to_bits()),
            ("start first", (two(53), vec![one, negative(large)]), 0f64.to_bits()),
            ("fused", (-1.0, vec![(1.0 + two(-52), 1.0 - two(-52))]), (-two(-104)).to_bits()),
            ("to the nearest", (1.0, vec![(two(-53), 1.5)]), (1.0 + two(-52)).to_bits()),
        ],
    );
}

#[kernel]
fn saturating(a: &[i8], b: &[i8], c: &[i32], d: SliceMut<i32>) {
    let a = Fragment::<A, i8, 16, 32>::load(a, Layout::row_major(0));
    let b = Fragment::<B, i8, 32, 8>::load(b, Layout::column_major(0));
    let c = Fragment::<Accumulator, i32, 16, 8>::load(c, Layout::row_major(0));
    // SAFETY: the only warp.
    unsafe { mma_saturating(a, b, c).store(d, Layout::row_major(8)) };
}

/// Only the whole sum saturates: half of the products would leave the range, all of them don't.
#[test]
fn the_whole_sum_saturates() {
    if capability() < 80 {
        println!("skipped: the device has no such instruction");
        return;
    }
    let signs = buffer::<i8>((0..32).map(|index| if index < 16 { 100.0 } else { -101.0 }));
    let ones = buffer::<i8>((0..32).map(|_| 1.0));
    let c = DeviceBuffer::from_slice(&[i32::MAX; 8]).unwrap();
    let mut d = DeviceBuffer::zeroed(128).unwrap();
    launch!(saturating<<<1, 32>>>(&signs, &ones, &c, &mut d)).unwrap();
    assert_eq!(d.to_vec().unwrap(), [i32::MAX - 16; 128]);
}
