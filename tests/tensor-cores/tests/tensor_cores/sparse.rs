//! Sparse left factors, against dense products on the host.

use crate::products::FromSum;
use half::{bf16, f16};
use ptyx::device::mma::{
    A, Accumulator, B, Compressible, E4m3, E5m2, Fragment, Layout, Plain, Product, S4, Saturating,
    Shape, Sparse, SparseShape, Tf32, U4, compress,
};
use ptyx::prelude::*;
use ptyx_tensor_tests::{Number, Rng, capability, pack, rng};

#[kernel]
pub(crate) fn product<TA, TB, TC, O, const K: usize, const HALF: usize>(
    values: &[TA::Unit],
    metadata: &[u16],
    b: &[TB::Unit],
    c: &[TC::Unit],
    d: SliceMut<TC::Unit>,
    [of_values, of_metadata]: [Layout; 2],
) where
    TA: Shape<A, 16, HALF> + SparseShape<K, Values = Fragment<A, TA, 16, HALF>>,
    TB: Shape<B, K, 8>,
    TC: Shape<Accumulator, 16, 8>,
    Sparse<TA, K>: Product<Fragment<B, TB, K, 8>, Fragment<Accumulator, TC, 16, 8>, O>,
{
    let a = Sparse::new(Fragment::load(values, of_values), metadata, of_metadata);
    let b = Fragment::load(b, Layout::column_major(K));
    let sums = a.multiply(b, Fragment::load(c, Layout::row_major(8)));
    // SAFETY: the only warp.
    unsafe { sums.store(d, Layout::row_major(8)) };
}

/// A random integer of a type, as bits.
pub(crate) fn integer<T: Number>(rng: &mut Rng) -> u64 {
    let (least, most) = T::INTEGERS;
    T::bits((least + rng.below((most - least + 1) as usize) as i64) as f64)
}

/// A row of `K` elements with zeros in random places, as many as must be, or more.
fn sparse_row<T: Number + Compressible>(rng: &mut Rng, k: usize) -> Vec<u64> {
    let (zero, mut row) = (T::bits(0.0), Vec::new());
    for _ in 0..k / T::GROUP {
        // Numbers of four bits are zero in pairs.
        let pair = if T::BITS == 4 { 2 } else { 1 };
        let places = T::GROUP / pair;
        let mut kept: Vec<usize> = (0..places).collect();
        for at in 0..places {
            kept.swap(at, at + rng.below(places - at));
        }
        kept.truncate(rng.below(places / 2 + 1).max(places / 2 - rng.below(2)));
        for place in 0..T::GROUP {
            row.push(if kept.contains(&(place / pair)) { integer::<T>(rng) } else { zero });
        }
    }
    row
}

/// A sparse matrix of 16 rows: its elements as bits, those that are kept, and the metadata.
pub(crate) type Compressed<U> = (Vec<Vec<u64>>, Vec<U>, Vec<u16>);

pub(crate) fn compressed<T: Number + Compressible>(rng: &mut Rng, k: usize) -> Compressed<T::Unit> {
    let (mut rows, mut values, mut metadata) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..16 {
        let row = sparse_row::<T>(rng, k);
        let units = pack::<T>(&row);
        let mut kept = units[..units.len() / 2].to_vec();
        let mut places = vec![0; k / (4 * T::GROUP)];
        compress::<T>(&units, &mut kept, &mut places).unwrap();
        values.extend(kept);
        metadata.extend(places);
        rows.push(row);
    }
    (rows, values, metadata)
}

macro_rules! exact {
    ($($name:ident: $operation:ident $a:ty, $b:ty, $c:ty, $k:literal $half:literal, $least:literal;)*) => {$(
        #[test]
        fn $name() {
            ptyx_test_support::part!($name);
            if capability() < $least {
                println!("skipped: the device has no such instruction");
                return;
            }
            let mut rng = rng();
            for _ in 0..6 {
                // The matrix stands somewhere in a larger one.
                let left = $k * rng.below(3);
                let width = left + $k * (1 + rng.below(2));
                let words = width / (4 * <$a>::GROUP);
                let (a, values, metadata) = compressed::<$a>(&mut rng, width);
                let b: Vec<u64> = (0..8 * $k).map(|_| integer::<$b>(&mut rng)).collect();
                let c: Vec<u64> = (0..128).map(|_| integer::<$c>(&mut rng)).collect();
                let device_values = DeviceBuffer::from_slice(&values).unwrap();
                let device_metadata = DeviceBuffer::from_slice(&metadata).unwrap();
                let device_b = DeviceBuffer::from_slice(&pack::<$b>(&b)).unwrap();
                let device_c = DeviceBuffer::from_slice(&pack::<$c>(&c)).unwrap();
                let mut d = DeviceBuffer::from_slice(&pack::<$c>(&c)).unwrap();
                let layouts = [
                    Layout::row_major(width / 2).at(0, left / 2),
                    Layout::row_major(words).at(0, left / (4 * <$a>::GROUP)),
                ];
                launch!(product::<$a, $b, $c, $operation, $k, $half><<<1, 32>>>(
                    &device_values, &device_metadata, &device_b, &device_c, &mut d, layouts
                ))
                .unwrap();
                for (at, got) in d.to_vec().unwrap().into_iter().enumerate() {
                    let (row, column) = (at / 8, at % 8);
                    let sum = (0..$k).fold(<$c>::number(c[at]), |sum, k| {
                        sum + <$a>::number(a[row][left + k]) * <$b>::number(b[column * $k + k])
                    });
                    assert_eq!(got, <$c as FromSum>::from_sum(sum), "row {row}, column {column}");
                }
            }
        }
    )*};
}

exact! {
    f16_16: Plain f16, f16, f16, 16 8, 80;
    f16_32: Plain f16, f16, f16, 32 16, 80;
    f16_f32_16: Plain f16, f16, f32, 16 8, 80;
    f16_f32_32: Plain f16, f16, f32, 32 16, 80;
    bf16_16: Plain bf16, bf16, f32, 16 8, 80;
    bf16_32: Plain bf16, bf16, f32, 32 16, 80;
    tf32_8: Plain Tf32, Tf32, f32, 8 4, 80;
    tf32_16: Plain Tf32, Tf32, f32, 16 8, 80;
    e4m3_e5m2_64: Plain E4m3, E5m2, f32, 64 32, 89;
    e5m2_e4m3_64: Plain E5m2, E4m3, f32, 64 32, 89;
    s8_32: Plain i8, i8, i32, 32 16, 80;
    u8_s8_64: Plain u8, i8, i32, 64 32, 80;
    s8_u8_saturating_64: Saturating i8, u8, i32, 64 32, 80;
    s4_64: Plain S4, S4, i32, 64 32, 80;
    u4_s4_128: Plain U4, S4, i32, 128 64, 80;
    s4_u4_saturating_64: Saturating S4, U4, i32, 64 32, 80;
}
