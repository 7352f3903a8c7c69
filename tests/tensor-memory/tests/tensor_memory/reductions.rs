//! Stores that combine, against what the host computes.

use half::{bf16, f16};
use ptyx::device::barrier::{Barrier, Phase, State};
use ptyx::device::bulk;
use ptyx::device::cache::Policy;
use ptyx::device::tma::{
    Add, And, Dec, Element, Inc, Max, Min, Or, Reduction, TensorMap, TensorMapMut, Tile, TileShape,
    Xor,
};
use ptyx::prelude::*;
use ptyx_tensor_memory_tests::{Rng, bytes, device_has_them, rng};

/// Each block combines the same tile with the tensor, partly outside of it.
#[kernel]
fn combine<K: TileShape, R: Reduction<K::Element>>(
    x: TensorMap<K>,
    y: TensorMapMut<K>,
    from: K::Coordinates,
    to: K::Coordinates,
    _by: [R; 0],
) {
    let tile = shared!(Tile<K>);
    let arrived = Barrier::new(shared!(State), 1);
    if thread::rank() == 0 {
        arrived.arrive_expect_tx(Tile::<K>::BYTES).forget();
        // SAFETY: nobody uses the tile before the phase is complete.
        unsafe { x.load(tile, from, arrived) };
        arrived.wait_phase(Phase::FIRST);
        // SAFETY: nobody writes the tile; all blocks combine.
        unsafe {
            match block::x() % 2 {
                0 => y.reduce::<R>(tile, to),
                _ => y.reduce_with::<R>(tile, to, Policy::evict_first()),
            }
        }
        bulk::commit();
        bulk::wait::<0>();
    }
}

const ROWS: usize = 4;
const COLUMNS: usize = 8;
const BLOCKS: usize = 5;

/// A reduction of values that `value` makes, by blocks.
fn check<T: Element + Send, R: Reduction<T> + Copy + Send + 'static>(
    rng: &mut Rng,
    value: impl Fn(&mut Rng) -> T,
    combined: impl Fn(T, T) -> T,
) where
    [[T; COLUMNS]; ROWS]: TileShape<Element = T, Coordinates = [i32; 2], Index = [usize; 2]>,
{
    type Shape<T> = [[T; COLUMNS]; ROWS];
    let size = [9, 16];
    let x = rng.vec(ROWS * COLUMNS, &value);
    let y = rng.vec(size[0] * size[1], &value);
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut device_y = DeviceBuffer::from_slice(&y).unwrap();
    // At multiples of 16 bytes.
    let unit = 16 / size_of::<T>();
    let to = [rng.below(11) as i32, (rng.below(24 / unit) * unit) as i32];
    let map = ptyx::TensorMap::<Shape<T>>::new(&device_x, [ROWS, COLUMNS]).unwrap();
    let mut map_y = ptyx::TensorMapMut::<Shape<T>>::new(&mut device_y, size).unwrap();
    let none: [R; 0] = [];
    launch!(combine::<Shape<T>, R><<<BLOCKS, 32>>>(&map, &mut map_y, [0, 0], to, none)).unwrap();
    let mut want = y;
    for (at, &value) in x.iter().enumerate() {
        let (row, column) = (to[0] + (at / COLUMNS) as i32, to[1] + (at % COLUMNS) as i32);
        if (0..size[0] as i32).contains(&row) && (0..size[1] as i32).contains(&column) {
            let place = &mut want[row as usize * size[1] + column as usize];
            for _ in 0..BLOCKS {
                *place = combined(*place, value);
            }
        }
    }
    let what = format!("{} of {}", core::any::type_name::<R>(), core::any::type_name::<T>());
    assert_eq!(bytes(&device_y.to_vec().unwrap()), bytes(&want), "{what}, to {to:?}");
}

#[test]
fn every_operation() {
    if !device_has_them() {
        return;
    }
    let rng = &mut rng();
    check::<u32, Add>(rng, |rng| rng.next_u32(), u32::wrapping_add);
    check::<u64, Add>(rng, |rng| rng.next_u64(), u64::wrapping_add);
    // Small whole numbers: sums are exact in any order.
    check::<f32, Add>(rng, |rng| rng.below(2000) as f32 - 1000.0, |a, b| a + b);
    check::<f64, Add>(rng, |rng| rng.below(2000) as f64 - 1000.0, |a, b| a + b);
    let small = |rng: &mut Rng| rng.below(100) as f32 - 50.0;
    check::<f16, Add>(rng, |rng| f16::from_f32(small(rng)), |a, b| a + b);
    check::<bf16, Add>(rng, |rng| bf16::from_f32((small(rng) / 4.0).round()), |a, b| a + b);
    check::<i32, Min>(rng, |rng| rng.next_u32() as i32, i32::min);
    check::<u64, Min>(rng, |rng| rng.next_u64(), u64::min);
    check::<f16, Min>(rng, |rng| f16::from_f32(small(rng)), f16::min);
    check::<i64, Max>(rng, |rng| rng.next_u64() as i64, i64::max);
    check::<u32, Max>(rng, |rng| rng.next_u32(), u32::max);
    check::<bf16, Max>(rng, |rng| bf16::from_f32(small(rng)), bf16::max);
    check::<u32, Inc>(rng, |rng| rng.below(9) as u32, |a, b| if a >= b { 0 } else { a + 1 });
    check::<u32, Dec>(
        rng,
        |rng| rng.below(9) as u32,
        |a, b| {
            if a == 0 || a > b { b } else { a - 1 }
        },
    );
    check::<u64, And>(rng, |rng| rng.next_u64() | rng.next_u64(), |a, b| a & b);
    check::<i32, Or>(rng, |rng| rng.next_u32() as i32, |a, b| a | b);
    check::<u64, Xor>(rng, |rng| rng.next_u64(), |a, b| a ^ b);
}
