//! Atomics of half precision, single and in pairs, on global and on shared memory; minima and maxima of all floats.

use half::{bf16, f16};
use ptyx::device::atomic::{
    AtomicNumber, fetch_add_each, fetch_max_each, fetch_min_each, orders::*, scopes::*,
};
use ptyx::device::float16::{Bf16x2, F16x2};
use ptyx::device::shared::AtomicElement;
use ptyx::prelude::*;
use ptyx_tensor_tests::{Rng, images, rng};

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

/// Minima and maxima of one thread: what each found, then what is left.
#[kernel]
fn extremes_in_order<T: AtomicNumber + AtomicElement<Value = T, Atomic = Atomic<T>>>(
    start: T,
    x: &[T],
    global: Atomics<T>,
    found: Atomics<T>,
) {
    let own = shared!([T; 2]).atomics(start);
    for (i, &x) in x.iter().enumerate() {
        found[4 * i].store(global[0].fetch_min(x));
        found[4 * i + 1].store(global[1].with(AcqRel, System).fetch_max(x));
        found[4 * i + 2].store(own[0].with(Release, Block).fetch_min(x));
        found[4 * i + 3].store(own[1].fetch_max(x));
    }
    for (i, left) in [&global[0], &global[1], &own[0], &own[1]].into_iter().enumerate() {
        found[4 * x.len() + i].store(left.load());
    }
}

/// Minima and maxima of many threads, in global memory and in shared memory.
#[kernel]
fn extremes<T: AtomicNumber + AtomicElement<Value = T, Atomic = Atomic<T>>>(
    start: T,
    x: &[T],
    global: Atomics<T>,
    of_shared: Atomics<T>,
) {
    let own = shared!([T; 2]).atomics(start);
    let x = x[thread::index_1d().get()];
    global[0].fetch_min(x);
    global[1].fetch_max(x);
    own[0].fetch_min(x);
    own[1].fetch_max(x);
    block::sync();
    if thread::x() == 0 {
        of_shared[0].fetch_min(own[0].load());
        of_shared[1].fetch_max(own[1].load());
    }
}

/// Rows of minima, then of maxima, from element `skip` on; what was found there.
#[kernel]
fn rows_of_extremes<T: AtomicNumber, const N: usize>(
    x: &[[T; N]],
    skip: usize,
    all: Atomics<T>,
    mut found: Disjoint<[[T; N]; 2]>,
) {
    let (rows, _) = all[skip..].as_chunks::<N>();
    let i = thread::index_1d();
    let x = x[i.get()];
    found[i] = [fetch_min_each(&rows[0], x), fetch_max_each(&rows[1], x)];
}

/// IEEE 754's `minimumNumber` and `maximumNumber`.
fn extreme(a: f64, b: f64, is_max: bool) -> f64 {
    if a.is_nan() || b.is_nan() {
        return if a.is_nan() { b } else { a };
    }
    let is_less = a < b || (a == b && a.is_sign_negative());
    if is_less == is_max { b } else { a }
}

/// The same for each half.
fn extreme_halves(a: [f64; 2], b: [f64; 2], is_max: bool) -> [f64; 2] {
    [0, 1].map(|half| extreme(a[half], b[half], is_max))
}

/// Any bits of NaN are the same.
fn bits(value: [f64; 2]) -> [u64; 2] {
    value.map(|value| if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() })
}

/// Values of all kinds; a few of them are numbers in the middle.
fn any_number(rng: &mut Rng) -> f64 {
    let edges = [f64::NAN, -f64::NAN, 0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, 1e-7, -1e-7];
    match rng.below(12) {
        edge if edge < edges.len() => edges[edge],
        _ => (rng.below(64) as f64 - 32.0) / 8.0,
    }
}

macro_rules! check_extremes {
    ($type:ident, $rng:expr, $from:expr, $to:expr) => {{
        let (from, to): (fn([f64; 2]) -> $type, fn($type) -> [f64; 2]) = ($from, $to);
        for _ in 0..24 {
            let [start, x] = [1, 9].map(|count| $rng.vec(count, |rng| from([any_number(rng), any_number(rng)])));
            let start = start[0];
            let mut global = DeviceBuffer::filled(2, start).unwrap();
            let mut found = DeviceBuffer::filled(4 * (x.len() + 1), start).unwrap();
            let device_x = DeviceBuffer::from_slice(&x).unwrap();
            launch!(extremes_in_order::<$type><<<1, 1>>>(start, &device_x, &mut global, &mut found))
                .unwrap();
            let mut now = [to(start); 2];
            for (i, found) in found.to_vec().unwrap().chunks(4).enumerate() {
                for (k, &found) in found.iter().enumerate() {
                    let name = stringify!($type);
                    assert_eq!(bits(to(found)), bits(now[k % 2]), "{name} {i} {k}: {start:?} {x:?}");
                }
                if let Some(&x) = x.get(i) {
                    now = [false, true].map(|is_max| extreme_halves(now[is_max as usize], to(x), is_max));
                }
            }
        }
        for kind in 0..3 {
            let number = |rng: &mut Rng| match kind {
                0 => [any_number(rng), any_number(rng)],
                1 => [0; 2].map(|_| if rng.below(90) == 0 { -0.0 } else { 0.0 }),
                _ => [0; 2].map(|_| if rng.below(40) == 0 { 5.5 } else { -f64::NAN }),
            };
            let start = from([-f64::NAN; 2]);
            let x = $rng.vec(192, |rng| from(number(rng)));
            let device_x = DeviceBuffer::from_slice(&x).unwrap();
            let mut global = DeviceBuffer::filled(2, start).unwrap();
            let mut of_shared = DeviceBuffer::filled(2, start).unwrap();
            launch!(extremes::<$type><<<3, 64>>>(start, &device_x, &mut global, &mut of_shared))
                .unwrap();
            for (name, left) in [("global", global), ("shared", of_shared)] {
                let want = [false, true].map(|is_max| {
                    x.iter().fold([f64::NAN; 2], |so_far, &x| extreme_halves(so_far, to(x), is_max))
                });
                let left: Vec<[u64; 2]> = left.to_vec().unwrap().into_iter().map(|left| bits(to(left))).collect();
                assert_eq!(left, want.map(bits), "{} {name} {kind}", stringify!($type));
            }
        }
    }};
}

#[test]
fn minima_and_maxima_of_floats() {
    let mut rng = rng();
    check_extremes!(f32, rng, |[a, _]| a as f32, |x| [x.into(), 0.0]);
    check_extremes!(f64, rng, |[a, _]| a, |x| [x, 0.0]);
    check_extremes!(f16, rng, |[a, _]| f16::from_f64(a), |x| [x.to_f64(), 0.0]);
    check_extremes!(bf16, rng, |[a, _]| bf16::from_f64(a), |x| [x.to_f64(), 0.0]);
    check_extremes!(
        F16x2,
        rng,
        |x| {
            let [a, b] = x.map(f16::from_f64);
            F16x2::new(a, b)
        },
        |x| x.to_array().map(f16::to_f64)
    );
    check_extremes!(
        Bf16x2,
        rng,
        |x| {
            let [a, b] = x.map(bf16::from_f64);
            Bf16x2::new(a, b)
        },
        |x| x.to_array().map(bf16::to_f64)
    );
}

/// One row a thread: at a place where one instruction can do it, and at another.
macro_rules! check_rows_of_extremes {
    ($type:ident $count:literal, $rng:expr, $from:expr, $to:expr) => {{
        let (from, to): (fn([f64; 2]) -> $type, fn($type) -> [f64; 2]) = ($from, $to);
        for skip in [0usize, 1] {
            let mut number = |rng: &mut Rng| [0; $count].map(|_| from([any_number(rng), any_number(rng)]));
            let start = from([0.0, f64::NAN]);
            let x = $rng.vec(64, &mut number);
            let device_x = DeviceBuffer::from_slice(&x).unwrap();
            let mut all = DeviceBuffer::filled(2 * $count + 2, start).unwrap();
            let mut found = DeviceBuffer::filled(64, [[start; $count]; 2]).unwrap();
            launch!(rows_of_extremes::<$type, $count><<<2, 32>>>(&device_x, skip, &mut all, &mut found))
                .unwrap();
            let all: Vec<[f64; 2]> = all.to_vec().unwrap().into_iter().map(to).collect();
            let name = stringify!($type);
            for element in 0..2 * $count {
                let is_max = element >= $count;
                let want = x.iter().fold(to(start), |so_far, x| {
                    extreme_halves(so_far, to(x[element % $count]), is_max)
                });
                assert_eq!(bits(all[skip + element]), bits(want), "{name} {skip} {element}");
            }
            for untouched in all[..skip].iter().chain(&all[skip + 2 * $count..]) {
                assert_eq!(bits(*untouched), bits(to(start)), "{name} {skip}");
            }
            // Each thread found the start, or what some thread brought.
            let found = found.to_vec().unwrap();
            for element in 0..$count {
                for half in 0..2 {
                    let brought = |value: u64| {
                        x.iter().any(|x| bits(to(x[element]))[half] == value)
                            || bits(to(start))[half] == value
                    };
                    let all_found = found.iter().flat_map(|rows| rows.iter().map(|row| bits(to(row[element]))[half]));
                    assert!(all_found.into_iter().all(brought), "{name} {skip} {element}");
                }
            }
        }
    }};
}

#[test]
fn minima_and_maxima_of_several_floats_at_once() {
    let mut rng = rng();
    check_rows_of_extremes!(f32 4, rng, |[a, _]| a as f32, |x| [x.into(), 0.0]);
    check_rows_of_extremes!(f16 8, rng, |[a, _]| f16::from_f64(a), |x| [x.to_f64(), 0.0]);
    check_rows_of_extremes!(f16 2, rng, |[a, _]| f16::from_f64(a), |x| [x.to_f64(), 0.0]);
    check_rows_of_extremes!(bf16 4, rng, |[a, _]| bf16::from_f64(a), |x| [x.to_f64(), 0.0]);
    check_rows_of_extremes!(
        F16x2 4,
        rng,
        |x| { let [a, b] = x.map(f16::from_f64); F16x2::new(a, b) },
        |x| x.to_array().map(f16::to_f64)
    );
    check_rows_of_extremes!(
        Bf16x2 2,
        rng,
        |x| { let [a, b] = x.map(bf16::from_f64); Bf16x2::new(a, b) },
        |x| x.to_array().map(bf16::to_f64)
    );
    // Each of the last two kernels does it twice.
    for (kernel, instruction, times) in [
        ("rows_of_extremes<half::binary16::f16, 8>", "min.noftz.v8.f16", 1),
        ("rows_of_extremes<half::bfloat::bf16, 4>", "max.noftz.v4.bf16", 1),
        ("rows_of_extremes<ptyx_device::float16::pair::F16x2, 4>", "max.noftz.v4.f16x2", 1),
        ("rows_of_extremes<ptyx_device::float16::pair::Bf16x2, 2>", "min.noftz.v2.bf16x2", 1),
        ("::extremes<ptyx_device::float16::pair::F16x2>", "min.noftz.v2.f16", 2),
        ("::extremes<ptyx_device::float16::pair::Bf16x2>", "max.noftz.v2.bf16", 2),
    ] {
        let text = format!("atom.relaxed.gpu.global.{instruction} ");
        let counts = counts_by_architecture(kernel, &text);
        assert!(counts.iter().any(|(sm, _)| *sm >= 90), "{kernel}: {counts:?}");
        for (sm, count) in counts {
            let most = if sm >= 90 { times } else { 0 };
            // Once more in the copy whose checks are proved, if there is one.
            assert!(count == most || count == 2 * most, "{kernel} for sm_{sm}: {count}");
        }
    }
}

/// How often the text stands in the code of the kernel whose name ends like this, for each architecture.
fn counts_by_architecture(name: &str, text: &str) -> Vec<(u32, usize)> {
    let images = images::images().iter();
    let all: Vec<_> =
        images.flat_map(|image| image.kernels.iter().map(move |kernel| (image, kernel))).collect();
    let found = all.iter().find(|(_, kernel)| kernel.name.ends_with(name));
    let names = || all.iter().map(|(_, kernel)| &kernel.name).collect::<Vec<_>>();
    let (image, kernel) = found.unwrap_or_else(|| panic!("{name} is not in {:?}", names()));
    let code = kernel.code.iter();
    code.map(|code| {
        let ptx = &image.modules[code.module as usize].ptx;
        (code.arch.sm, ptx.matches(text).count())
    })
    .collect()
}
