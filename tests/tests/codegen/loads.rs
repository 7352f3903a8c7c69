//! How memory is read: what is only read takes the read-only path (`ld.global.nc`), what is aligned is
//! loaded as vectors.

use ptyx::device::vector::{F32x2, F32x4};
use ptyx::prelude::*;
use ptyx_tests::images::{count, entry};

/// Loads and stores of `ptx` that do not say where: the hardware finds out at every access.
fn generic_accesses(ptx: &str) -> usize {
    let starts = ["ld.b", "ld.f", "ld.u", "ld.s", "ld.v", "st.b", "st.f", "st.u", "st.s", "st.v"];
    starts.iter().map(|start| count(ptx, start)).sum()
}

/// Every load from global memory goes through the read-only path.
fn expect_read_only(name: &str) {
    let ptx = entry(&format!("loads::{name}"));
    let loads = count(&ptx, "ld.global");
    assert!(loads > 0, "{name}: {ptx}");
    assert_eq!(count(&ptx, "ld.global.nc"), loads, "{name}: {ptx}");
    assert_eq!(generic_accesses(&ptx), 0, "{name}: {ptx}");
}

#[kernel]
fn iterators(x: &[f32], y: &[f32], mut out: Disjoint<f32>) {
    let i = thread::index_1d();
    let products = x.iter().zip(y).skip(i.get()).step_by(3).map(|(x, y)| x * y);
    out[i] = products.sum();
}

#[kernel]
fn chunks(x: &[f32], mut out: Disjoint<f32>) {
    let i = thread::index_1d();
    let sums = x.chunks_exact(4).map(|c| c[0] - c[1] + c[2] * c[3]);
    let steps = x.windows(2).map(|pair| pair[1] - pair[0]);
    out[i] = sums.sum::<f32>() + steps.sum::<f32>();
}

#[kernel]
fn tables(matrix: Array<f32, 2>, mut out: DisjointArray<f32, 2>) {
    let i = thread::index_2d();
    let [height, width] = matrix.shape();
    if let Some(out) = out.get_mut(i) {
        let (x, y) = (i.x(), i.y());
        *out = matrix[[height - 1 - y, x]] + matrix[[y, width - 1 - x]];
    }
}

/// Slices in a tuple, as the host passes several buffers at once.
#[kernel]
fn tuples((x, y): (&[f32], &[f32]), mut out: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        *out = x[i.get()] * y[i.get()];
    }
}

struct PairView<'a> {
    x: &'a [f32],
    settings: (u32, f32),
    y: &'a [f32],
    out: Disjoint<'a, f32>,
}

#[derive(KernelArg)]
#[kernel_arg(PairView<'a>)]
struct Pair<'a> {
    x: &'a DeviceBuffer<f32>,
    settings: (u32, f32),
    y: &'a DeviceBuffer<f32>,
    out: &'a mut DeviceBuffer<f32>,
}

/// Slices in a struct that the launch converted.
#[kernel]
fn converted(mut pair: PairView<'_>) {
    let i = thread::index_1d();
    let sum: f32 = pair.x.iter().skip(i.get()).zip(pair.y).map(|(x, y)| x * y).sum();
    pair.out[i] = sum * pair.settings.1;
}

/// Slices in an array.
#[kernel]
fn listed(inputs: [&[f32]; 3], mut out: Disjoint<f32>) {
    let i = thread::index_1d();
    out[i] = inputs.iter().map(|input| input[i.get()]).sum();
}

#[derive(Clone, Copy)]
struct Columns<'a> {
    a: &'a [f32],
    b: &'a [f32],
}

impl Columns<'_> {
    fn row(&self, i: usize) -> f32 {
        self.a[i] - self.b[i]
    }
}

/// A slice that goes through a helper and a struct of slices.
#[kernel]
fn helpers(x: &[f32], y: &[f32], mut out: Disjoint<f32>) {
    fn at(x: &[f32], i: usize) -> f32 {
        let (low, high) = x.split_at(x.len() / 2);
        if i < low.len() { low[i] } else { high[i - low.len()] }
    }
    let i = thread::index_1d();
    out[i] = at(x, i.get()) * Columns { a: y, b: x }.row(i.get());
}

#[test]
fn shared_slices_take_the_read_only_path() {
    let mut rng = ptyx_tests::rng();
    let (x, y) = (rng.vec(24, |rng| rng.next_f32()), rng.vec(24, |rng| rng.next_f32()));
    let (dx, dy) = (DeviceBuffer::from_slice(&x).unwrap(), DeviceBuffer::from_slice(&y).unwrap());
    let mut out = DeviceBuffer::zeroed(24).unwrap();
    let expect = |out: &DeviceBuffer<f32>, name: &str, want: &dyn Fn(usize) -> f32| {
        for (i, got) in out.to_vec().unwrap().into_iter().enumerate() {
            assert!((got - want(i)).abs() < 1e-4, "{name}: element {i} is {got}, not {}", want(i));
        }
        expect_read_only(name);
    };
    launch!(iterators<<<1, 24>>>(&dx, &dy, &mut out)).unwrap();
    expect(&out, "iterators", &|i| (i..24).step_by(3).map(|k| x[k] * y[k]).sum());
    launch!(chunks<<<1, 24>>>(&dx, &mut out)).unwrap();
    let sums: f32 = (0..24).step_by(4).map(|k| x[k] - x[k + 1] + x[k + 2] * x[k + 3]).sum();
    expect(&out, "chunks", &|_| sums + x[23] - x[0]);
    let shape = [4, 6];
    launch!(tables<<<1, (6, 4)>>>(dx.view(shape), out.view_mut(shape))).unwrap();
    expect(&out, "tables", &|i| x[(3 - i / 6) * 6 + i % 6] + x[i / 6 * 6 + 5 - i % 6]);
    launch!(tuples<<<1, 24>>>((&dx, &dy), &mut out)).unwrap();
    expect(&out, "tuples", &|i| x[i] * y[i]);
    let pair = Pair { x: &dx, settings: (1, 2.0), y: &dy, out: &mut out };
    launch!(converted<<<1, 24>>>(pair)).unwrap();
    expect(&out, "converted", &|i| 2.0 * x[i..].iter().zip(&y).map(|(x, y)| x * y).sum::<f32>());
    launch!(listed<<<1, 24>>>([&dx, &dy, &dx], &mut out)).unwrap();
    expect(&out, "listed", &|i| 2.0 * x[i] + y[i]);
    launch!(helpers<<<1, 24>>>(&dx, &dy, &mut out)).unwrap();
    expect(&out, "helpers", &|i| x[i] * (y[i] - x[i]));
}

/// Another thread may write what this one reads: that is no read-only path.
#[kernel]
fn neighbours(data: SliceMut<u32>) {
    let t = thread::x() as usize;
    // SAFETY: each thread its own element; the barrier is between.
    unsafe {
        data.write(t, data.read(t) + 1);
        block::sync();
        let other = data.read((t + 1) % 32);
        block::sync();
        data.write(t, other);
    }
}

#[test]
fn memory_that_others_write_is_read_again() {
    let mut data = DeviceBuffer::from_slice(&(0..32).collect::<Vec<u32>>()).unwrap();
    launch!(neighbours<<<1, 32>>>(&mut data)).unwrap();
    let want: Vec<u32> = (0..32).map(|t| (t + 1) % 32 + 1).collect();
    assert_eq!(data.to_vec().unwrap(), want);
    let ptx = entry("loads::neighbours");
    assert_eq!((count(&ptx, "ld.global.nc"), count(&ptx, "ld.global")), (0, 2), "{ptx}");
}

#[kernel]
fn vectors(x: &[F32x4], pairs: &[F32x2], mut out: Disjoint<F32x4>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let pair = pairs[i.get()];
        *out = x[i.get()] * 2.0 + F32x4::new([pair[0], pair[1], pair[0], pair[1]]);
    }
}

/// Numbers in a plain slice, four at a time where they are aligned.
#[kernel]
fn numbers_as_vectors(x: &[f32], mut out: Disjoint<f32>) {
    let i = thread::index_1d();
    let (before, vectors, behind) = F32x4::of_slice(x);
    let mut sum: f32 = before.iter().chain(behind).sum();
    for vector in vectors {
        sum += vector[0] * vector[1] + vector[2] * vector[3];
    }
    out[i] = sum;
}

#[test]
fn aligned_numbers_travel_as_vectors() {
    let mut rng = ptyx_tests::rng();
    let x = rng.vec(32, |rng| rng.next_f32());
    let pairs = rng.vec(8, |rng| F32x2::new([rng.next_f32(), rng.next_f32()]));
    let fours: Vec<F32x4> = x.as_chunks().0.iter().map(|&four| F32x4::new(four)).collect();
    let dx = DeviceBuffer::from_slice(&fours).unwrap();
    let dp = DeviceBuffer::from_slice(&pairs).unwrap();
    let mut out = DeviceBuffer::zeroed(8).unwrap();
    launch!(vectors<<<1, 8>>>(&dx, &dp, &mut out)).unwrap();
    for (i, got) in out.to_vec().unwrap().into_iter().enumerate() {
        for k in 0..4 {
            assert!((got[k] - (2.0 * fours[i][k] + pairs[i][k % 2])).abs() < 1e-5);
        }
    }
    let ptx = entry("loads::vectors");
    assert_eq!(count(&ptx, "ld.global.nc.v4"), 1, "{ptx}");
    assert_eq!(count(&ptx, "ld.global.nc.v2"), 1, "{ptx}");
    assert_eq!(count(&ptx, "st.global.v4"), 1, "{ptx}");

    let numbers = DeviceBuffer::from_slice(&x).unwrap();
    let mut sums = DeviceBuffer::zeroed(2).unwrap();
    launch!(numbers_as_vectors<<<1, 2>>>(&numbers, &mut sums)).unwrap();
    let want: f32 = x.as_chunks::<4>().0.iter().map(|c| c[0] * c[1] + c[2] * c[3]).sum();
    assert!(sums.to_vec().unwrap().iter().all(|sum| (sum - want).abs() < 1e-4));
    let ptx = entry("loads::numbers_as_vectors");
    assert!(count(&ptx, "ld.global.nc.v4") >= 1, "{ptx}");
}
