//! `mma.m8n8k4` of `f16`: four products at once.

use half::f16;
use ptyx::device::mma::{A, Accumulator, B, Layout, Product, QuadShape, Quads, mma};
use ptyx::prelude::*;
use ptyx_tensor_tests::rng;

/// The matrices of a kind lie one after another; `by_rows` says how.
#[kernel]
fn products<T: QuadShape<Accumulator>>(
    a: &[f16],
    b: &[f16],
    c: &[T],
    d: SliceMut<T>,
    by_rows: [bool; 3],
) where
    Quads<A, f16>: Product<Quads<B, f16>, Quads<Accumulator, T>>,
{
    let pair = Quads::<A, f16>::pair();
    let layout = |by_rows: bool, rows, columns| match by_rows {
        true => Layout::row_major(columns).from(rows * columns * pair),
        false => Layout::column_major(rows).from(rows * columns * pair),
    };
    let a = Quads::<A, f16>::load(a, layout(by_rows[0], 8, 4));
    let b = Quads::<B, f16>::load(b, layout(by_rows[1], 4, 8));
    let sums = mma(a, b, Quads::<Accumulator, T>::load(c, layout(by_rows[2], 8, 8)));
    // SAFETY: each quad pair of the only warp has a matrix of its own.
    unsafe { sums.store(d, layout(by_rows[2], 8, 8)) };
}

/// Small integers, whose sums are exact in both types.
macro_rules! exact {
    ($($name:ident: $type:ty, $number:expr;)*) => {$(
        #[test]
        fn $name() {
            let (mut rng, number) = (rng(), $number);
            for round in 0..8 {
                let by_rows = [round & 1 != 0, round & 2 != 0, round & 4 != 0];
                let mut integers = |len: usize| -> Vec<i32> {
                    (0..len).map(|_| rng.below(17) as i32 - 8).collect()
                };
                let [a, b, c] = [integers(4 * 32), integers(4 * 32), integers(4 * 64)];
                let half = |x: &[i32]| -> Vec<f16> { x.iter().map(|&x| f16::from_f32(x as f32)).collect() };
                let sums: Vec<$type> = c.iter().map(|&x| number(x)).collect();
                let [a_on, b_on] = [&a, &b].map(|x| DeviceBuffer::from_slice(&half(x)).unwrap());
                let c_on = DeviceBuffer::from_slice(&sums).unwrap();
                let mut d_on = DeviceBuffer::from_slice(&sums).unwrap();
                launch!(products::<$type><<<1, 32>>>(&a_on, &b_on, &c_on, &mut d_on, by_rows)).unwrap();
                let got = d_on.to_vec().unwrap();
                for pair in 0..4 {
                    for row in 0..8 {
                        for column in 0..8 {
                            let at = |by_rows: bool, [rows, columns]: [usize; 2], [row, column]: [usize; 2]| {
                                rows * columns * pair + if by_rows { row * columns + column } else { column * rows + row }
                            };
                            let sum = at(by_rows[2], [8, 8], [row, column]);
                            let want = (0..4).fold(c[sum], |sum, k| {
                                sum + a[at(by_rows[0], [8, 4], [row, k])] * b[at(by_rows[1], [4, 8], [k, column])]
                            });
                            assert_eq!(got[sum], number(want), "pair {pair}, row {row}, column {column}, {by_rows:?}");
                        }
                    }
                }
            }
        }
    )*};
}

exact! {
    sums_of_halves: f16, |x: i32| f16::from_f32(x as f32);
    sums_of_singles: f32, |x: i32| x as f32;
}
