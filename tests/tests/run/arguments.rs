//! K4 and K6: what may be passed to a kernel.

use ptyx::prelude::*;
use ptyx_tests::rng;

/// Arguments of several sizes and alignments, with padding between them in any layout.
#[kernel]
#[allow(clippy::too_many_arguments)]
fn mixed(a: u8, b: u64, c: bool, d: f32, e: i16, f: u128, g: [u16; 3], h: f64, out: SliceMut<u64>) {
    let parts = [
        u64::from(a),
        b,
        u64::from(c),
        u64::from(d.to_bits()),
        e as u64,
        f as u64,
        (f >> 64) as u64,
        u64::from(g[0]),
        u64::from(g[1]),
        u64::from(g[2]),
        h.to_bits(),
    ];
    for (i, part) in parts.into_iter().enumerate() {
        // SAFETY: one thread.
        unsafe { out.write(i, part) }
    }
}

#[test]
fn arguments_of_any_size() {
    let mut rng = rng();
    let (a, b, c) = (rng.next_u64() as u8, rng.next_u64(), rng.next_u64() & 1 == 1);
    let (d, e, h) = (rng.next_f32(), rng.next_u64() as i16, rng.next_f64());
    let f = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
    let g = [1, 2, 3].map(|_| rng.next_u64() as u16);
    let mut out = DeviceBuffer::zeroed(11).unwrap();
    launch!(mixed<<<1, 1>>>(a, b, c, d, e, f, g, h, &mut out)).unwrap();
    let want = [
        u64::from(a),
        b,
        u64::from(c),
        u64::from(d.to_bits()),
        e as u64,
        f as u64,
        (f >> 64) as u64,
        u64::from(g[0]),
        u64::from(g[1]),
        u64::from(g[2]),
        h.to_bits(),
    ];
    assert_eq!(out.to_vec().unwrap(), want);
}

#[kernel]
#[allow(clippy::too_many_arguments)]
fn many(
    out: SliceMut<u32>,
    a1: u32,
    a2: u32,
    a3: u32,
    a4: u32,
    a5: u32,
    a6: u32,
    a7: u32,
    a8: u32,
    a9: u32,
    a10: u32,
    a11: u32,
    a12: u32,
    a13: u32,
    a14: u32,
    a15: u32,
    a16: u32,
    a17: u32,
    a18: u32,
    a19: u32,
    a20: u32,
    a21: u32,
    a22: u32,
    a23: u32,
    a24: u32,
    a25: u32,
    a26: u32,
    a27: u32,
    a28: u32,
    a29: u32,
    a30: u32,
    a31: u32,
    a32: u32,
    a33: u32,
    a34: u32,
) {
    let all = [
        a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20,
        a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34,
    ];
    for (i, a) in all.into_iter().enumerate() {
        // SAFETY: one thread.
        unsafe { out.write(i, a) }
    }
}

#[test]
fn thirty_five_arguments() {
    let mut out = DeviceBuffer::zeroed(34).unwrap();
    launch!(many<<<1>>>(
        &mut out, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
        24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34
    ))
    .unwrap();
    assert_eq!(out.to_vec().unwrap(), (1..=34).collect::<Vec<_>>());
}

/// More than a launch passes one by one.
#[kernel]
#[allow(clippy::too_many_arguments)]
fn more(
    x: &[u64],
    mut out: Disjoint<u64>,
    scale: impl Fn(u64) -> u64,
    a0: u8,
    a1: u16,
    a2: u32,
    a3: u64,
    a4: u8,
    a5: u16,
    a6: u32,
    a7: u64,
    a8: u8,
    a9: u16,
    a10: u32,
    a11: u64,
    a12: u8,
    a13: u16,
    a14: u32,
    a15: u64,
    a16: u8,
    a17: u16,
    a18: u32,
    a19: u64,
    a20: u8,
    a21: u16,
    a22: u32,
    a23: u64,
    a24: u8,
    a25: u16,
    a26: u32,
    a27: u64,
    a28: u8,
    a29: u16,
    a30: u32,
    a31: u64,
    a32: u8,
    a33: u16,
    a34: u32,
    a35: u64,
    a36: u8,
    a37: u16,
    a38: u32,
    a39: u64,
    (last, _): (u64, Array<f32, 2>),
) {
    let all = [
        u64::from(a0),
        u64::from(a1),
        u64::from(a2),
        a3,
        u64::from(a4),
        u64::from(a5),
        u64::from(a6),
        a7,
        u64::from(a8),
        u64::from(a9),
        u64::from(a10),
        a11,
        u64::from(a12),
        u64::from(a13),
        u64::from(a14),
        a15,
        u64::from(a16),
        u64::from(a17),
        u64::from(a18),
        a19,
        u64::from(a20),
        u64::from(a21),
        u64::from(a22),
        a23,
        u64::from(a24),
        u64::from(a25),
        u64::from(a26),
        a27,
        u64::from(a28),
        u64::from(a29),
        u64::from(a30),
        a31,
        u64::from(a32),
        u64::from(a33),
        u64::from(a34),
        a35,
        u64::from(a36),
        u64::from(a37),
        u64::from(a38),
        a39,
    ];
    let i = thread::index_1d();
    out[i] = scale(x[i.get()]) + last;
    for (at, a) in all.into_iter().enumerate() {
        out[i] += (at as u64 + 1) * a;
    }
}

/// An unsafe kernel goes the same way.
///
/// # Safety
/// `to` is valid for a write.
#[kernel]
#[allow(clippy::too_many_arguments)]
unsafe fn most(
    to: *mut u32,
    a0: u32,
    a1: u32,
    a2: u32,
    a3: u32,
    a4: u32,
    a5: u32,
    a6: u32,
    a7: u32,
    a8: u32,
    a9: u32,
    a10: u32,
    a11: u32,
    a12: u32,
    a13: u32,
    a14: u32,
    a15: u32,
    a16: u32,
    a17: u32,
    a18: u32,
    a19: u32,
    a20: u32,
    a21: u32,
    a22: u32,
    a23: u32,
    a24: u32,
    a25: u32,
    a26: u32,
    a27: u32,
    a28: u32,
    a29: u32,
    a30: u32,
    a31: u32,
    a32: u32,
    a33: u32,
    a34: u32,
    a35: u32,
    a36: u32,
    a37: u32,
    a38: u32,
    a39: u32,
) {
    // SAFETY: the caller's promise.
    unsafe {
        *to = a0
            + a1
            + a2
            + a3
            + a4
            + a5
            + a6
            + a7
            + a8
            + a9
            + a10
            + a11
            + a12
            + a13
            + a14
            + a15
            + a16
            + a17
            + a18
            + a19
            + a20
            + a21
            + a22
            + a23
            + a24
            + a25
            + a26
            + a27
            + a28
            + a29
            + a30
            + a31
            + a32
            + a33
            + a34
            + a35
            + a36
            + a37
            + a38
            + a39
    };
}

#[test]
fn forty_arguments_and_more() {
    let x = DeviceBuffer::from_slice(&[5u64, 6]).unwrap();
    let square = DeviceBuffer::from_slice(&[0.0f32; 4]).unwrap();
    let mut out = DeviceBuffer::zeroed(2).unwrap();
    let factor = 1000;
    launch!(more<<<1, 2>>>(
        &x, &mut out, move |x| x * factor, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39,
        (7, square.view([2, 2]))
    ))
    .unwrap();
    let want: u64 = 7 + (0..40).map(|i| (i + 1) * i).sum::<u64>();
    assert_eq!(out.to_vec().unwrap(), [5000 + want, 6000 + want]);
    let sum = DeviceBuffer::from_slice(&[0u32]).unwrap();
    // SAFETY: the buffer's one value.
    launch!(unsafe most<<<1>>>(
        sum.device_address() as *mut u32, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39
    ))
    .unwrap();
    assert_eq!(sum.to_vec().unwrap(), [780]);
}

#[kernel]
fn nothing() {}

#[kernel]
fn zero_sized(_: (), out: SliceMut<u32>, _: [u8; 0], _: std::marker::PhantomData<u64>, x: u32) {
    // SAFETY: one thread.
    unsafe { out.write(0, x) }
}

#[test]
fn no_arguments_and_arguments_without_bytes() {
    launch!(nothing<<<1>>>()).unwrap();
    ptyx::synchronize().unwrap();
    let mut out = DeviceBuffer::zeroed(1).unwrap();
    let none: [u8; 0] = [];
    launch!(zero_sized<<<1, 1>>>((), &mut out, none, std::marker::PhantomData, 77)).unwrap();
    assert_eq!(out.to_vec().unwrap(), [77]);
}

#[kernel]
fn apply<T: DeviceCopy, F: Fn(usize, T) -> T>(f: F, x: &[T], mut y: Disjoint<T>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = f(i.get(), x[i.get()]);
    }
}

/// Two closures in one function, which differ in type though not in the kernel's name.
#[test]
fn closures_capture_by_value() {
    let mut rng = rng();
    let x = rng.vec(500, |rng| i64::from(rng.next_u32()));
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let (factor, table) = (rng.below(1000) as i64, [3i64, -4, 5]);

    let mut y = DeviceBuffer::zeroed(500).unwrap();
    launch!(apply<<<5, 100>>>(move |_, x| x * factor, &device_x, &mut y)).unwrap();
    let want: Vec<i64> = x.iter().map(|x| x * factor).collect();
    assert_eq!(y.to_vec().unwrap(), want);

    let by_place = move |i: usize, x: i64| x + table[i % 3];
    launch!(apply<<<5, 100>>>(by_place, &device_x, &mut y)).unwrap();
    let want: Vec<i64> = x.iter().enumerate().map(|(i, &x)| by_place(i, x)).collect();
    assert_eq!(y.to_vec().unwrap(), want);

    // A function, and a closure that captures nothing.
    fn double(_: usize, x: i64) -> i64 {
        2 * x
    }
    launch!(apply<<<5, 100>>>(double, &device_x, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), x.iter().map(|x| 2 * x).collect::<Vec<_>>());
    launch!(apply<<<5, 100>>>(|i, _| i as i64, &device_x, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), (0..500).collect::<Vec<i64>>());
}

/// A user's struct, and a trait of the user's that the kernel is generic over.
trait Transform: Copy {
    fn transform(&self, x: f32) -> f32;
}

#[derive(Clone, Copy)]
struct Affine {
    tag: u8,
    scale: f32,
    shift: f32,
}

impl Transform for Affine {
    fn transform(&self, x: f32) -> f32 {
        x.mul_add(self.scale, self.shift) + f32::from(self.tag)
    }
}

#[kernel]
fn transform<T: Transform>(by: T, mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = by.transform(*y);
    }
}

#[test]
fn structs_and_traits() {
    let mut rng = rng();
    let y = rng.vec(300, |rng| rng.next_f32());
    let by = Affine { tag: 3, scale: rng.next_f32(), shift: rng.next_f32() };
    let mut device_y = DeviceBuffer::from_slice(&y).unwrap();
    launch!(transform<<<3, 128>>>(by, &mut device_y)).unwrap();
    let want: Vec<f32> = y.iter().map(|&y| by.transform(y)).collect();
    assert_eq!(device_y.to_vec().unwrap(), want);
}

#[kernel]
fn power<const N: usize>(mut y: Disjoint<u64>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = std::array::from_fn::<u64, N, _>(|_| *y).iter().product();
    }
}

#[test]
fn const_generics() {
    let mut y = DeviceBuffer::from_slice(&[2u64, 3, 5]).unwrap();
    launch!(power::<3><<<1, 3>>>(&mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [8, 27, 125]);
    launch!(power::<0><<<1, 3>>>(&mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [1, 1, 1]);
}

mod elsewhere {
    use ptyx::prelude::*;

    #[kernel]
    pub(super) fn fill<T: DeviceCopy>(value: T, mut y: Disjoint<T>) {
        for i in thread::grid_stride(y.len()) {
            y[i] = value;
        }
    }
}

/// The element type comes from the buffer, that of the literal from the kernel.
#[test]
fn types_are_inferred() {
    let mut y = DeviceBuffer::<f32>::zeroed(10).unwrap();
    launch!(elsewhere::fill<<<2, 4>>>(2.5, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [2.5; 10]);
    let mut y = DeviceBuffer::<u16>::zeroed(10).unwrap();
    launch!(elsewhere::fill<<<2, 4>>>(7, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [7; 10]);
}

#[kernel]
fn add_slices(a: &[u32], b: &[u32], mut c: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(c) = c.get_mut(i) {
        *c = a[i.get()] + b[i.get()];
    }
}

#[test]
fn parts_of_buffers() {
    let mut rng = rng();
    let x = rng.vec(100, |rng| rng.next_u32() / 2);
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::zeroed(60).unwrap();
    let (a, b) = (device_x.slice(3..53), device_x.slice(50..));
    launch!(add_slices<<<1, 64>>>(&a, &b, &mut y.slice_mut(10..60))).unwrap();
    let mut want = vec![0; 60];
    for i in 0..50 {
        want[10 + i] = x[3 + i] + x[50 + i];
    }
    assert_eq!(y.to_vec().unwrap(), want);
}
