//! Products whose factors asynchronous copies bring to shared memory, several tiles ahead, without `unsafe`: the loop of a
//! matrix product for `sm_80`.

use half::{bf16, f16};
use ptyx::device::async_copy::{Pipeline, Stage, Tile};
use ptyx::device::mma::{A, Accumulator, B, Fragment, Layout, Product, Shape, Tf32, mma};
use ptyx::device::shared::CellValue;
use ptyx::prelude::*;
use ptyx_tensor_tests::{Rng, images, rng};

/// Each warp has 16 rows, in pairs.
type Rows = (by::Tile<by::Warp, 16, by::Quad>, by::LaneInQuad, by::Whole);

/// Elements from one row of a tile in shared memory to the next: 16 bytes more than 32 elements of 16 bits, so that
/// eight rows lie in different banks.
const STRIDE: usize = 40;
/// Rows of a tile: 64 of A, and 64 columns of B.
const PLACES: usize = 128 * STRIDE;

/// Starts to copy step `step` of K: 32 columns of 64 rows of A, and of 64 columns of B, in pieces of 16 bytes.
fn start<'s>(
    mut stage: Stage<'_, 's, f16, PLACES, 3>,
    [a, b]: [&'s [f16]; 2],
    k: usize,
    step: usize,
) {
    for piece in (thread::x() as usize..512).step_by(128) {
        let (row, part) = (piece / 4, piece % 4 * 8);
        let (matrix, of_matrix) = if row < 64 { (a, row) } else { (b, row - 64) };
        let from = &matrix[of_matrix * k + 32 * step + part..];
        stage.copy_array(STRIDE * row + part, from.first_chunk::<8>().unwrap());
    }
    stage.commit();
}

/// `c = a * b`: 64 rows of `a` times 64 columns of `b`, which lie one after another, by four warps.
#[kernel]
fn gemm(a: &[f16], b: &[f16], k: usize, mut c: Parts<f32, Rows, 3>) {
    let mut pipeline = Pipeline::new(shared!([Tile<f16, PLACES>; 3]));
    let (steps, mut copied) = (k / 32, 0);
    let mut sums = [Fragment::<Accumulator, f32, 16, 8>::filled(0.0); 8];
    for _ in 0..steps {
        while copied < steps && pipeline.free_stages() > 0 {
            start(pipeline.producer_acquire(), [a, b], k, copied);
            copied += 1;
        }
        let tile = pipeline.consumer_wait();
        for at in [0, 16] {
            let rows = Layout::row_major(STRIDE).at(16 * warp::id() as usize, at);
            let left = Fragment::<A, f16, 16, 16>::load_ready(&tile, rows);
            for (column, sum) in sums.iter_mut().enumerate() {
                let columns = Layout::column_major(STRIDE).at(at, 64 + 8 * column);
                *sum = mma(left, Fragment::<B, f16, 16, 8>::load_ready(&tile, columns), *sum);
            }
        }
        tile.release();
    }
    for (column, sum) in sums.into_iter().enumerate() {
        sum.store_part(&mut c.part(), 0, column);
    }
}

fn whole(rng: &mut Rng) -> f64 {
    rng.below(17) as f64 - 8.0
}

#[test]
fn a_pipelined_product_without_unsafe() {
    let mut rng = rng();
    for k in [32, 64, 32 * (3 + rng.below(4))] {
        let [a, b] = [0; 2].map(|_| rng.vec(64 * k, |rng| f16::from_f64(whole(rng))));
        let device = [&a, &b].map(|x| DeviceBuffer::from_slice(x).unwrap());
        let mut c = DeviceBuffer::filled(64 * 64, f32::NAN).unwrap();
        let view = c.view_mut([64, 32, 2]);
        launch!(gemm<<<1, 128>>>(&device[0], &device[1], k, view)).unwrap();
        for (at, got) in c.to_vec().unwrap().into_iter().enumerate() {
            let (row, column) = (&a[at / 64 * k..][..k], &b[at % 64 * k..][..k]);
            let want: f64 = row.iter().zip(column).map(|(a, b)| a.to_f64() * b.to_f64()).sum();
            assert_eq!(f64::from(got), want, "K {k}, element {at}");
        }
    }
}

/// It is the loop that a CUDA programmer would write: copies of 16 bytes past L1, four tiles a load, nothing at once.
#[test]
fn the_loop_is_of_asynchronous_copies_and_tiles() {
    let ptx = images::entry("pipelined::gemm");
    assert!(ptx.contains("cp.async.cg.shared.global"), "{ptx}");
    assert!(ptx.contains("ldmatrix.sync.aligned.m8n8.x4.shared.b16"), "{ptx}");
    assert!(ptx.contains("ldmatrix.sync.aligned.m8n8.x2.shared.b16"), "{ptx}");
    assert!(ptx.contains("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"), "{ptx}");
}

/// One product of 16 rows and 8 columns by a warp, whose factors come from one tile, in which rows begin 48
/// bytes apart.
#[kernel]
fn one_product<T, const K: usize>(a: &[T::Unit], b: &[T::Unit], mut c: Parts<T::Sum, Rows, 3>)
where
    T: Factor<K>,
    Fragment<A, T, 16, K>: Product<Fragment<B, T, K, 8>, Fragment<Accumulator, T::Sum, 16, 8>>,
{
    let mut pipeline = Pipeline::of_group(group::tile::<32>(), shared!([Tile<T::Unit, 1152>; 1]));
    let stride = 48 / size_of::<T::Unit>();
    let mut stage = pipeline.producer_acquire();
    for (row, x) in a.chunks(K).chain(b.chunks(K)).enumerate() {
        stage.memcpy_async(row * stride, x);
    }
    stage.commit();
    let tile = pipeline.consumer_wait();
    let left = Fragment::<A, T, 16, K>::load_ready(&tile, Layout::row_major(stride));
    let right = Fragment::load_ready(&tile, Layout::column_major(stride).at(0, 16));
    let sums: Fragment<Accumulator, T::Sum, 16, 8> = mma(left, right, T::zeros());
    sums.store_part(&mut c.part(), 0, 0);
    tile.release();
}

/// An element type whose product has `K` columns and rows.
trait Factor<const K: usize>: Shape<A, 16, K, Unit: CellValue + Send> + Shape<B, K, 8> + Send {
    type Sum: Shape<Accumulator, 16, 8, Value = Self::Sum, Unit = Self::Sum> + DeviceCopy + Send;

    fn zeros() -> Fragment<Accumulator, Self::Sum, 16, 8>;
    fn unit(value: f64) -> Self::Unit;
    fn sum(value: Self::Sum) -> f64;
}

macro_rules! factors {
    ($($type:ty, $k:literal, $sum:ty: $unit:expr;)*) => {$(
        impl Factor<$k> for $type {
            type Sum = $sum;

            fn zeros() -> Fragment<Accumulator, $sum, 16, 8> {
                Fragment::filled(0 as $sum)
            }

            fn unit(value: f64) -> Self::Unit {
                $unit(value)
            }

            fn sum(value: $sum) -> f64 {
                value as f64
            }
        }
    )*};
}

factors! {
    f16, 8, f32: f16::from_f64;
    f16, 16, f32: f16::from_f64;
    bf16, 16, f32: bf16::from_f64;
    Tf32, 8, f32: |value| value as f32;
    i8, 32, i32: |value| value as i8;
}

fn check<T: Factor<K>, const K: usize>()
where
    Fragment<A, T, 16, K>: Product<Fragment<B, T, K, 8>, Fragment<Accumulator, T::Sum, 16, 8>>,
{
    let mut rng = rng();
    let [a, b] = [16, 8].map(|rows| rng.vec(rows * K, whole));
    let units = |x: &[f64]| x.iter().map(|&x| T::unit(x)).collect::<Vec<_>>();
    let device = [&a, &b].map(|x| DeviceBuffer::from_slice(&units(x)).unwrap());
    let mut c = DeviceBuffer::<T::Sum>::zeroed(16 * 8).unwrap();
    let view = c.view_mut([16, 4, 2]);
    launch!(one_product::<T, K><<<1, 32>>>(&device[0], &device[1], view)).unwrap();
    for (at, got) in c.to_vec().unwrap().into_iter().enumerate() {
        let (row, column) = (&a[at / 8 * K..][..K], &b[at % 8 * K..][..K]);
        let want: f64 = row.iter().zip(column).map(|(a, b)| a * b).sum();
        assert_eq!(T::sum(got), want, "K {K}, element {at}");
    }
}

#[test]
fn every_width_of_elements() {
    check::<f16, 8>();
    check::<f16, 16>();
    check::<bf16, 16>();
    check::<Tf32, 8>();
    check::<i8, 32>();
}
