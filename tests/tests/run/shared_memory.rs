//! D2: static and dynamic shared memory.

use core::fmt::Debug;
use ptyx::device::float8::{F8E4M3, Tf32};
use ptyx::device::shared::CellContent;
use ptyx::device::vector::*;
use ptyx::prelude::*;
use ptyx_tests::rng;

/// Reverses the values of each block through shared memory.
#[kernel]
fn reverse<T: DeviceCopy>(x: &[T], mut y: Disjoint<T>) {
    let tile = shared!([T; 128]);
    let t = thread::x() as usize;
    let i = thread::index_1d();
    // SAFETY: each thread writes its own element, and reads another's behind the barrier.
    unsafe {
        tile.at(t).write(x[i.get()]);
        block::sync();
        y[i] = tile.at(block::dim_x() as usize - 1 - t).read();
    }
}

fn check_reverse<T: DeviceCopy + PartialEq + std::fmt::Debug>(x: &[T]) {
    let device_x = DeviceBuffer::from_slice(x).unwrap();
    let mut y = DeviceBuffer::filled(x.len(), x[0]).unwrap();
    launch!(reverse::<T><<<x.len() / 128, 128>>>(&device_x, &mut y)).unwrap();
    let want: Vec<T> = x.chunks(128).flat_map(|block| block.iter().rev().copied()).collect();
    assert_eq!(y.to_vec().unwrap(), want);
}

#[test]
fn elements_of_every_size() {
    let mut rng = rng();
    check_reverse(&rng.vec(512, |rng| rng.next_u64() as u8));
    check_reverse(&rng.vec(512, |rng| rng.next_u64() & 1 == 0));
    check_reverse(&rng.vec(512, |rng| rng.next_u64() as u16));
    check_reverse(&rng.vec(512, |rng| rng.next_f32()));
    check_reverse(&rng.vec(512, |rng| rng.next_f64()));
    check_reverse(
        &rng.vec(512, |rng| u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())),
    );
    // Twelve bytes, aligned to four.
    check_reverse(&rng.vec(512, |rng| [rng.next_u32(), rng.next_u32(), rng.next_u32()]));
    // Padding inside.
    check_reverse(&rng.vec(512, |rng| (rng.next_u64() as u8, rng.next_f64())));
}

/// Three arrays of different types, and a fourth one in a loop, which is one array.
#[kernel]
fn several(out: SliceMut<u64>) {
    let bytes = shared!([u8; 33]);
    let words = shared!([[u32; 3]; 32]);
    let doubles = shared!([f64; 32]);
    let t = thread::x() as usize;
    let mut sum = 0;
    // SAFETY: each thread uses its own elements; the last byte is one thread's.
    unsafe {
        bytes.at(t).write(t as u8);
        if t == 0 {
            bytes.at(32).write(200);
        }
        words.at(t).write([t as u32 * 3, t as u32 * 3 + 1, t as u32 * 3 + 2]);
        doubles.at(t).write(t as f64 * 0.5);
        for round in 0..3 {
            let again = shared!([u32; 32]);
            if round == 0 {
                again.at(t).write(t as u32);
            }
            again.at(t).write(again.at(t).read() + 100);
            sum = again.at(t).read();
        }
        block::sync();
        let from = (t + 1) % 32;
        let [a, b, c] = words.at(from).read();
        let value = u64::from(bytes.at(from).read())
            + 1000 * u64::from(a + b + c)
            + 1_000_000 * (doubles.at(from).read() * 2.0) as u64
            + 1_000_000_000 * u64::from(sum)
            + 1_000_000_000_000 * u64::from(bytes.at(32).read());
        out.write(t, value);
    }
}

#[test]
fn arrays_do_not_overlap_and_loops_share_theirs() {
    let mut out = DeviceBuffer::zeroed(32).unwrap();
    launch!(several<<<1, 32>>>(&mut out)).unwrap();
    for (t, got) in out.to_vec().unwrap().into_iter().enumerate() {
        let (t, from) = (t as u64, (t as u64 + 1) % 32);
        let want = from
            + 1000 * (9 * from + 3)
            + 1_000_000 * from
            + 1_000_000_000 * (t + 300)
            + 1_000_000_000_000 * 200;
        assert_eq!(got, want, "thread {t}");
    }
}

/// Floats from byte 0, then integers of eight bytes behind them, then both again as bytes.
#[kernel]
fn dynamic_views(n: usize, mut out: Disjoint<u64>) {
    let floats = shared::dynamic::<f32>(0, n);
    let wide = shared::dynamic::<u64>(4 * n, n);
    let bytes = shared::dynamic::<u8>(0, 12 * n);
    let t = thread::x() as usize;
    let i = thread::index_1d();
    // SAFETY: each thread writes its own elements, and reads others' behind the barrier.
    unsafe {
        floats.at(t).write(t as f32);
        wide.at(t).write(0x0102_0304_0506_0700 + t as u64);
        block::sync();
        let other = n - 1 - t;
        let low = bytes.at(4 * n + 8 * other).read();
        out[i] = wide.at(other).read() + floats.at(other).read() as u64 * 256 + u64::from(low);
    }
}

#[test]
fn dynamic_memory_in_several_views() {
    for n in [2usize, 64, 130] {
        let mut out = DeviceBuffer::zeroed(n).unwrap();
        launch!(dynamic_views<<<1, n, 12 * n>>>(n, &mut out)).unwrap();
        for (t, got) in out.to_vec().unwrap().into_iter().enumerate() {
            let other = (n - 1 - t) as u64;
            let wide = 0x0102_0304_0506_0700 + other;
            assert_eq!(got, wide + other * 256 + (wide & 0xff), "thread {t} of {n}");
        }
    }
}

#[kernel]
fn dynamic_size(out: SliceMut<u32>) {
    // SAFETY: one thread.
    unsafe { out.write(0, shared::dynamic_bytes() as u32) }
}

#[test]
fn the_launch_sets_the_size() {
    let mut out = DeviceBuffer::filled(1, 7).unwrap();
    launch!(dynamic_size<<<1, 1>>>(&mut out)).unwrap();
    assert_eq!(out.to_vec().unwrap(), [0]);
    launch!(dynamic_size<<<1, 1, 4096>>>(&mut out)).unwrap();
    assert_eq!(out.to_vec().unwrap(), [4096]);
}

#[test]
fn more_than_the_device_has_is_refused() {
    let mut out = DeviceBuffer::filled(1, 7).unwrap();
    let error = launch!(dynamic_size<<<1, 1, 1 << 22>>>(&mut out)).unwrap_err().to_string();
    assert!(error.contains("shared memory"), "{error}");
    assert_eq!(out.to_vec().unwrap(), [7]);
}

/// Three arrays, of more than 48 KiB together, and what the launch asks for.
#[kernel]
fn large_arrays(sums: SliceMut<u64>, sizes: SliceMut<u32>) {
    let words = shared!([u32; 12_000]);
    let bytes = shared!([u8; 101]);
    let wide = shared!([u64; 700]);
    let own = shared::dynamic::<u32>(0, block::threads() as usize);
    let (t, n) = (thread::x() as usize, block::threads() as usize);
    let mut sum = 0;
    // SAFETY: each thread writes its own elements, and reads others' behind the barrier.
    unsafe {
        for i in (t..12_000).step_by(n) {
            words.at(i).write(i as u32 * 3);
        }
        for i in (t..700).step_by(n) {
            wide.at(i).write(i as u64 * 5);
        }
        for i in (t..101).step_by(n) {
            bytes.at(i).write(i as u8 ^ 0x55);
        }
        own.at(t).write(t as u32 * 7);
        block::sync();
        for i in (0..12_000).filter(|i| i % n == (t + 1) % n) {
            sum += u64::from(words.at(i).read());
        }
        for i in (0..700).filter(|i| i % n == (t + 1) % n) {
            sum += wide.at(i).read();
        }
        sum += u64::from(bytes.at(t).read()) + u64::from(own.at(n - 1 - t).read());
        sums.write(block::x() as usize * n + t, sum);
        sizes.write(block::x() as usize, shared::dynamic_bytes() as u32);
    }
}

#[test]
fn arrays_of_more_than_48_kib() {
    for n in [1usize, 32, 101] {
        let (mut sums, mut sizes) =
            (DeviceBuffer::zeroed(3 * n).unwrap(), DeviceBuffer::zeroed(3).unwrap());
        launch!(large_arrays<<<3, n, 4 * n>>>(&mut sums, &mut sizes)).unwrap();
        assert_eq!(sizes.to_vec().unwrap(), [4 * n as u32; 3]);
        for (i, got) in sums.to_vec().unwrap().into_iter().enumerate() {
            let t = i % n;
            let of = |len: usize, factor: u64| {
                (0..len).filter(|i| i % n == (t + 1) % n).map(|i| i as u64 * factor).sum::<u64>()
            };
            let want = of(12_000, 3) + of(700, 5) + (t as u64 ^ 0x55) + (n - 1 - t) as u64 * 7;
            assert_eq!(got, want, "thread {t} of {n}");
        }
    }
    // Less than a launch asks for is an error, also where the arrays come before it.
    let kernel = compile!(large_arrays(
        &mut DeviceBuffer::<u64>::zeroed(1).unwrap(),
        &mut DeviceBuffer::<u32>::zeroed(1).unwrap()
    ))
    .unwrap();
    let rest = Device::current().unwrap().attributes().unwrap().shared_memory_per_block_optin
        as usize
        - 53_712;
    assert_eq!(kernel.compiled().active_blocks(32, rest).unwrap(), 1);
    let mut sums = DeviceBuffer::zeroed(1).unwrap();
    let mut sizes = DeviceBuffer::zeroed(1).unwrap();
    launch!(large_arrays<<<1, 1, rest>>>(&mut sums, &mut sizes)).unwrap();
    let error =
        launch!(large_arrays<<<1, 1, rest + 16>>>(&mut sums, &mut sizes)).unwrap_err().to_string();
    assert!(error.contains("in the kernel"), "{error}");
}

/// The safe way: cells, which are set before they are read by others.
#[kernel]
fn reverse_in_cells<T: CellContent>(x: &[T], initial: T, mut y: Disjoint<T>) {
    let tile = shared!([T; 64]).cells(initial);
    let i = thread::index_1d();
    let t = thread::x() as usize;
    // The upper half keeps what the cells began with.
    if t < 32 {
        tile.set(t, x[i.get()]);
    }
    block::sync();
    y[i] = tile.get(tile.len() - 1 - t);
}

fn check_cells<T: CellContent + Send + PartialEq + Debug>(mut make: impl FnMut(u64) -> T) {
    let mut host = rng().vec(257, |rng| make(rng.next_u64()));
    let initial = host.pop().unwrap();
    let x = DeviceBuffer::from_slice(&host).unwrap();
    let mut y = DeviceBuffer::filled(256, host[0]).unwrap();
    launch!(reverse_in_cells<<<4, 64>>>(&x, initial, &mut y)).unwrap();
    for (i, got) in y.to_vec().unwrap().into_iter().enumerate() {
        let source = 63 - i % 64;
        let want = if source < 32 { host[i / 64 * 64 + source] } else { initial };
        assert_eq!(got, want, "thread {i}");
    }
}

#[test]
fn cells_of_every_number() {
    check_cells(|bits| bits as u8);
    check_cells(|bits| bits as i8);
    check_cells(|bits| bits as u16);
    check_cells(|bits| bits as i16);
    check_cells(|bits| bits as u32);
    check_cells(|bits| bits as i32);
    check_cells(|bits| bits);
    check_cells(|bits| bits as i64);
    check_cells(|bits| bits as usize);
    check_cells(|bits| bits as isize);
    check_cells(|bits| bits as f32);
    check_cells(|bits| (bits as u16, bits as f64, bits as i8));
    check_cells(|bits| (bits as f32, bits as u32));
    check_cells(|bits| bits as f64);
    check_cells(|bits| u128::from(bits) << 64 | u128::from(bits.rotate_left(23)));
    check_cells(|bits| i128::from(bits as i64) * 12_345_678_901);
    check_cells(|bits| F8E4M3::from_f32(bits as u8 as f32));
    check_cells(|bits| Tf32::from_f32(bits as f32));
}

/// Elements that differ from each other, of random bits.
fn parts<T, const N: usize>(bits: u64, of: impl Fn(u64) -> T) -> [T; N] {
    std::array::from_fn(|at| of(bits.rotate_left(7 * at as u32)))
}

#[test]
fn cells_of_every_vector() {
    check_cells(|bits| I8x2::new(parts(bits, |x| x as i8)));
    check_cells(|bits| I8x4::new(parts(bits, |x| x as i8)));
    check_cells(|bits| U8x2::new(parts(bits, |x| x as u8)));
    check_cells(|bits| U8x4::new(parts(bits, |x| x as u8)));
    check_cells(|bits| I16x2::new(parts(bits, |x| x as i16)));
    check_cells(|bits| I16x4::new(parts(bits, |x| x as i16)));
    check_cells(|bits| U16x2::new(parts(bits, |x| x as u16)));
    check_cells(|bits| U16x4::new(parts(bits, |x| x as u16)));
    check_cells(|bits| I32x2::new(parts(bits, |x| x as i32)));
    check_cells(|bits| I32x4::new(parts(bits, |x| x as i32)));
    check_cells(|bits| U32x2::new(parts(bits, |x| x as u32)));
    check_cells(|bits| U32x4::new(parts(bits, |x| x as u32)));
    check_cells(|bits| F32x2::new(parts(bits, |x| x as f32)));
    check_cells(|bits| F32x4::new(parts(bits, |x| x as f32)));
    check_cells(|bits| I64x2::new(parts(bits, |x| x as i64)));
    check_cells(|bits| I64x4::new(parts(bits, |x| x as i64)));
    check_cells(|bits| U64x2::new(parts(bits, |x| x)));
    check_cells(|bits| U64x4::new(parts(bits, |x| x)));
    check_cells(|bits| F64x2::new(parts(bits, |x| x as f64)));
    check_cells(|bits| F64x4::new(parts(bits, |x| x as f64)));
}
