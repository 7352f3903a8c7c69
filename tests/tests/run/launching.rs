//! K1 to K3, K14: the two macros, knobs, variants, and launches that can't be.

use ptyx::prelude::*;
use ptyx_tests::rng;

#[kernel]
fn shape(out: SliceMut<[u32; 7]>) {
    if thread::rank() == 0 && block::rank() == 0 {
        let (b, g) = (block::dim(), grid::dim());
        let bytes = shared::dynamic_bytes() as u32;
        // SAFETY: one thread of the launch.
        unsafe { out.write(0, [g.x, g.y, g.z, b.x, b.y, b.z, bytes]) }
    }
}

/// The shape that a launch of `shape` had.
fn shape_of(launch: impl FnOnce(&mut DeviceBuffer<[u32; 7]>) -> ptyx::Result<()>) -> [u32; 7] {
    let mut out = DeviceBuffer::filled(1, [9; 7]).unwrap();
    launch(&mut out).unwrap();
    out.to_vec().unwrap()[0]
}

#[test]
fn trailing_fields_have_defaults() {
    let stream = Stream::new().unwrap();
    assert_eq!(shape_of(|out| launch!(shape<<<3>>>(out))), [3, 1, 1, 1, 1, 1, 0]);
    assert_eq!(shape_of(|out| launch!(shape<<<3, 5>>>(out))), [3, 1, 1, 5, 1, 1, 0]);
    assert_eq!(
        shape_of(|out| launch!(shape<<<(3, 2), (5, 4, 3), 64>>>(out))),
        [3, 2, 1, 5, 4, 3, 64]
    );
    assert_eq!(
        shape_of(|out| launch!(shape<<<[1, 2, 3], 8, 0, &stream>>>(out))),
        [1, 2, 3, 8, 1, 1, 0]
    );
    let (blocks, threads) = (2usize, 32i64);
    assert_eq!(
        shape_of(|out| launch!(shape<<<blocks + 1, threads * 2>>>(out))),
        [3, 1, 1, 64, 1, 1, 0]
    );
}

#[test]
fn keywords_say_the_same() {
    let stream = Stream::new().unwrap();
    assert_eq!(shape_of(|out| cuda!(shape(out))), [1, 1, 1, 1, 1, 1, 0]);
    assert_eq!(shape_of(|out| cuda!(threads = 5, shape(out))), [1, 1, 1, 5, 1, 1, 0]);
    let got = shape_of(|out| {
        cuda!(blocks = (3, 2), threads = (5, 4, 3), shmem = 64, stream = &stream, shape(out))
    });
    assert_eq!(got, [3, 2, 1, 5, 4, 3, 64]);
    let got = shape_of(|out| cuda!(threads = 16, maxregs = 40, alias = "by_keyword", shape(out)));
    assert_eq!(got, [1, 1, 1, 16, 1, 1, 0]);
}

#[kernel]
fn count(out: Atomics<u32>) {
    out[0].fetch_add(1);
}

#[test]
fn knobs_on_either_macro() {
    let mut out = DeviceBuffer::zeroed(1).unwrap();
    launch!(count<<<2, 64>>>(&mut out), maxthreads = 64, blocks_per_sm = 2, maxregs = 32).unwrap();
    launch!(count<<<2, 64>>>(&mut out), minthreads = 64, alias = "counted").unwrap();
    cuda!(blocks = 2, threads = (8, 8), minthreads = (8, 8), count(&mut out)).unwrap();
    assert_eq!(out.to_vec().unwrap(), [3 * 128]);
}

/// The text that a launch of too many threads must give.
#[test]
fn more_threads_than_a_knob_allows() {
    let mut out = DeviceBuffer::zeroed(1).unwrap();
    let error = launch!(count<<<1, 2>>>(&mut out), maxthreads = 1).unwrap_err().to_string();
    assert!(error.contains("(2 > 1)"), "{error}");
    let error = launch!(count<<<1, 65>>>(&mut out), maxthreads = 64).unwrap_err().to_string();
    assert!(error.contains("(65 > 64)"), "{error}");
    let error = launch!(count<<<1, 32>>>(&mut out), minthreads = 64).unwrap_err().to_string();
    assert!(error.contains("minthreads"), "{error}");
    assert_eq!(out.to_vec().unwrap(), [0], "none of them ran");
}

#[test]
fn impossible_shapes_are_explained() {
    let mut out = DeviceBuffer::zeroed(1).unwrap();
    let zero = 0;
    for (error, part) in [
        (launch!(count<<<zero, 1>>>(&mut out)), "must be positive"),
        (launch!(count<<<1, (4, 0)>>>(&mut out)), "must be positive"),
        (launch!(count<<<-3, 1>>>(&mut out)), "must be positive"),
        (launch!(count<<<1, 2000>>>(&mut out)), "(2000 > 1024)"),
        (launch!(count<<<1, (1, 1, 65)>>>(&mut out)), "(65 > 64)"),
        (launch!(count<<<(1, 70_000), 1>>>(&mut out)), "(70000 > 65535)"),
        (launch!(count<<<1, (64, 64)>>>(&mut out)), "(4096 > 1024)"),
        (launch!(count<<<u64::MAX, 1>>>(&mut out)), "> 2147483647)"),
    ] {
        let error = error.unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
        // The kernel and the place of the launch are named.
        assert!(error.contains("count") && error.contains("launching"), "{error}");
    }
    assert_eq!(out.to_vec().unwrap(), [0], "none of them ran");
    launch!(count<<<1>>>(&mut out)).unwrap();
    assert_eq!(out.to_vec().unwrap(), [1], "the device still works");
}

#[kernel]
fn many_registers(x: &[f32], out: SliceMut<f32>) {
    let values: [f32; 64] = std::array::from_fn(|i| x[i].sqrt());
    block::sync();
    let sum = values.iter().enumerate().map(|(i, v)| v * x[i + 1]).sum();
    // SAFETY: one thread.
    unsafe { out.write(0, sum) }
}

#[test]
fn maxregs_does_not_change_results() {
    let x: Vec<f32> = (0..65).map(|i| i as f32 * 0.25).collect();
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut out = DeviceBuffer::zeroed(2).unwrap();
    launch!(many_registers<<<1, 1>>>(&device_x, &mut out.slice_mut(..1))).unwrap();
    launch!(many_registers<<<1, 1>>>(&device_x, &mut out.slice_mut(1..)), maxregs = 24).unwrap();
    let out = out.to_vec().unwrap();
    let want: f64 = (0..64).map(|i| f64::from(x[i]).sqrt() * f64::from(x[i + 1])).sum();
    assert_eq!(out[0], out[1]);
    assert!((f64::from(out[0]) - want).abs() < 1e-2, "{} {want}", out[0]);
}

/// Adds to where a pointer leads.
///
/// # Safety
/// `to` is valid for reads and writes of `len` values while the kernel runs, and nothing else
/// touches them.
#[kernel]
unsafe fn add_through_pointer<T: Num>(to: *mut T, len: usize, by: T) {
    let i = thread::index_1d().get();
    if i < len {
        // SAFETY: inside what the caller promises; each thread has a place of its own.
        unsafe { *to.add(i) = *to.add(i) + by };
    }
}

#[test]
fn unsafe_kernels() {
    let mut rng = rng();
    let x = rng.vec(100, |rng| rng.next_u64() >> 2);
    let by = rng.next_u64() >> 2;
    let buffer = DeviceBuffer::from_slice(&x).unwrap();
    let pointer = buffer.device_address() as *mut u64;
    // SAFETY: 100 values of the buffer, which lives and is not used before `to_vec`.
    launch!(unsafe add_through_pointer<<<2, 64>>>(pointer, 100, by)).unwrap();
    // SAFETY: as above.
    cuda!(threads = 50, unsafe add_through_pointer(pointer, 50, 1u64)).unwrap();
    let want = x.iter().enumerate().map(|(i, x)| x + by + u64::from(i < 50));
    assert_eq!(buffer.to_vec().unwrap(), want.collect::<Vec<_>>());
}
