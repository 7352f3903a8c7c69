//! Atomics of half precision, single and in pairs, on global and on shared memory.

use half::{bf16, f16};
use ptyx::device::atomic::{AtomicNumber, fetch_add_each, orders::*, scopes::*};
use ptyx::device::float16::{Bf16x2, F16x2};
use ptyx::device::shared::AtomicElement;
use ptyx::prelude::*;
use ptyx_tensor_tests::rng;

/// Sums of small whole numbers, which are exact in any order.
#[kernel]
fn sums<T: AtomicNumber + AtomicElement<Value = T, Atomic = Atomic<T>>>(
    zero: T,
    x: &[T],
    global: Atomics<T>,
    of_shared: Atomics<T>,
) {
    let own = shared!([T; 3]).atomics(zero);
    let (i, t) = (thread::index_1d().get(), thread::x() as usize);
    let x = x[i];
    global[t % 2].fetch_add(x);
    global[2].with(AcqRel, Gpu).fetch_sub(x);
    own[t % 2].fetch_add(x);
    own[2].with(Release, Block).fetch_sub(x);
    block::sync();
    if t < 3 {
        of_shared[t].fetch_add(own[t].load());
    }
    // The last element: swapped, compared, and updated by one thread of each block.
    if t == 0 {
        let mut seen = global[3].load();
        while let Err(now) = global[3].compare_exchange(seen, seen) {
            seen = now;
        }
        of_shared[3].swap(x);
    }
}

macro_rules! check {
    ($type:ident, $from:expr, $to:expr) => {{
        let mut rng = rng();
        let values = rng.vec(64, |rng| [rng.below(7) as f32 - 3.0, rng.below(5) as f32 - 2.0]);
        let x: Vec<$type> = values.iter().map(|&value| $from(value)).collect();
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let zero = $from([0.0; 2]);
        let mut global = DeviceBuffer::filled(5, zero).unwrap();
        let mut of_shared = DeviceBuffer::filled(5, zero).unwrap();
        launch!(sums::<$type><<<2, 32>>>(zero, &device_x, &mut global, &mut of_shared)).unwrap();
        let mut want = [[0.0f32; 2]; 5];
        for (i, value) in x.iter().map(|&x| $to(x)).enumerate() {
            for half in 0..2 {
                want[i % 2][half] += value[half];
                want[2][half] -= value[half];
            }
        }
        let left: Vec<[f32; 2]> = global.to_vec().unwrap().into_iter().map($to).collect();
        assert_eq!(left, want, stringify!($type));
        let left: Vec<[f32; 2]> = of_shared.to_vec().unwrap().into_iter().map($to).collect();
        assert_eq!(left[..3], want[..3], stringify!($type));
        assert!([$to(x[0]), $to(x[32])].contains(&left[3]));
        assert_eq!(left[4], [0.0; 2]);
    }};
}

#[test]
fn sums_of_half_precision() {
    check!(f16, |[a, _]: [f32; 2]| f16::from_f32(a), |x: f16| [x.to_f32(), 0.0]);
    check!(bf16, |[a, _]: [f32; 2]| bf16::from_f32(a), |x: bf16| [x.to_f32(), 0.0]);
    check!(F16x2, |[a, b]: [f32; 2]| F16x2::from_f32(a, b), F16x2::to_f32);
    check!(Bf16x2, |[a, b]: [f32; 2]| Bf16x2::from_f32(a, b), Bf16x2::to_f32);
}

/// Rows of eight and of two numbers, added at once where the architecture can.
#[kernel]
fn rows<T: AtomicNumber>(x: &[[T; 8]], eights: Atomics<T>, twos: Atomics<T>) {
    let i = thread::index_1d().get();
    let (eight, two) = (eights.as_slice().as_chunks::<8>().0, twos.as_slice().as_chunks::<2>().0);
    fetch_add_each(&eight[i % 2], x[i]);
    for (sums, x) in two.iter().zip(x[i].as_chunks::<2>().0) {
        fetch_add_each(sums, *x);
    }
}

macro_rules! check_rows {
    ($($type:ident)*) => {$({
        let mut rng = rng();
        let values = rng.vec(64, |rng| [0; 8].map(|_: i32| rng.below(5) as f32 - 2.0));
        let x: Vec<[$type; 8]> = values.iter().map(|row| row.map($type::from_f32)).collect();
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut eights = DeviceBuffer::filled(16, $type::ZERO).unwrap();
        let mut twos = DeviceBuffer::filled(8, $type::ZERO).unwrap();
        launch!(rows::<$type><<<2, 32>>>(&device_x, &mut eights, &mut twos)).unwrap();
        let (mut want, mut of_all) = ([0.0; 16], [0.0; 8]);
        for (i, row) in values.iter().enumerate() {
            for (element, value) in row.iter().enumerate() {
                want[i % 2 * 8 + element] += value;
                of_all[element] += value;
            }
        }
        let to_f32 = |buffer: DeviceBuffer<$type>| -> Vec<f32> {
            buffer.to_vec().unwrap().into_iter().map($type::to_f32).collect()
        };
        assert_eq!(to_f32(eights), want, stringify!($type));
        assert_eq!(to_f32(twos), of_all, stringify!($type));
    })*};
}

#[test]
fn several_of_half_precision_at_once() {
    check_rows!(f16 bf16);
}
