//! D1: positions, shapes and what is computed from them.

use ptyx::prelude::*;
use ptyx_tests::rng;

/// Everything that a thread can ask about its place.
#[kernel]
fn places(out: SliceMut<[u32; 14]>) {
    let (t, b) = (thread::idx(), block::idx());
    let (bd, gd) = (block::dim(), grid::dim());
    let index = block::rank() as usize * block::threads() as usize + thread::rank() as usize;
    let place = [
        t.x,
        t.y,
        t.z,
        b.x,
        b.y,
        b.z,
        bd.x,
        bd.y,
        bd.z,
        gd.x,
        gd.y,
        gd.z,
        warp::lane(),
        warp::id(),
    ];
    // SAFETY: the index is the thread's number in the grid: its alone.
    unsafe { out.write(index, place) }
}

#[test]
fn every_thread_knows_its_place() {
    let mut rng = rng();
    for _ in 0..4 {
        let blocks = [1 + rng.below(4) as u32, 1 + rng.below(3) as u32, 1 + rng.below(3) as u32];
        let threads = [1 + rng.below(9) as u32, 1 + rng.below(7) as u32, 1 + rng.below(5) as u32];
        let count = (blocks.iter().product::<u32>() * threads.iter().product::<u32>()) as usize;
        let mut out = DeviceBuffer::filled(count, [u32::MAX; 14]).unwrap();
        launch!(places<<<blocks, threads>>>(&mut out)).unwrap();
        let got = out.to_vec().unwrap();

        let mut next = got.iter();
        let ([gx, gy, gz], [bx, by, bz]) = (blocks, threads);
        for b in 0..gx * gy * gz {
            for t in 0..bx * by * bz {
                let (t3, b3) =
                    ([t % bx, t / bx % by, t / bx / by], [b % gx, b / gx % gy, b / gx / gy]);
                let mut want = Vec::new();
                for part in [t3, b3, threads, blocks] {
                    want.extend(part);
                }
                want.extend([t % 32, t / 32]);
                assert_eq!(next.next().unwrap()[..], want, "blocks {blocks:?} threads {threads:?}");
            }
        }
    }
}

#[kernel]
fn indices_1d(mut out: Disjoint<u64>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        *out = i.get() as u64;
    }
}

#[kernel]
fn indices_2d(mut out: DisjointArray<[u32; 2], 2>) {
    let i = thread::index_2d();
    if let Some(out) = out.get_mut(i) {
        *out = [i.x() as u32, i.y() as u32];
    }
}

#[kernel]
fn indices_3d(mut out: DisjointArray<[u32; 3], 3>) {
    let i = thread::index_3d();
    if let Some(out) = out.get_mut(i) {
        *out = [i.x() as u32, i.y() as u32, i.z() as u32];
    }
}

#[test]
fn global_indices_cover_the_grid_once() {
    let mut rng = rng();
    let n = 1 + rng.below(5000);
    let mut out = DeviceBuffer::filled(n, u64::MAX).unwrap();
    launch!(indices_1d<<<n.div_ceil(96), 96>>>(&mut out)).unwrap();
    assert_eq!(out.to_vec().unwrap(), (0..n as u64).collect::<Vec<_>>());

    let [h, w] = [1 + rng.below(70), 1 + rng.below(70)];
    let mut out = DeviceBuffer::filled(h * w, [u32::MAX; 2]).unwrap();
    launch!(indices_2d<<<(w.div_ceil(16), h.div_ceil(4)), (16, 4)>>>(out.view_mut([h, w])))
        .unwrap();
    let want: Vec<_> = (0..h * w).map(|i| [(i % w) as u32, (i / w) as u32]).collect();
    assert_eq!(out.to_vec().unwrap(), want);

    let [d, h, w] = [1 + rng.below(9), 1 + rng.below(17), 1 + rng.below(17)];
    let mut out = DeviceBuffer::filled(d * h * w, [u32::MAX; 3]).unwrap();
    let blocks = (w.div_ceil(4), h.div_ceil(4), d.div_ceil(2));
    launch!(indices_3d<<<blocks, (4, 4, 2)>>>(out.view_mut([d, h, w]))).unwrap();
    let want: Vec<_> =
        (0..d * h * w).map(|i| [(i % w) as u32, (i / w % h) as u32, (i / w / h) as u32]).collect();
    assert_eq!(out.to_vec().unwrap(), want);
}

#[kernel]
fn strided(mut out: Disjoint<u32>) {
    for i in thread::grid_stride(out.len()) {
        out[i] += 1 + i.get() as u32;
    }
}

#[test]
fn grid_stride_covers_any_length_with_any_grid() {
    let mut rng = rng();
    for _ in 0..6 {
        let n = rng.below(3000);
        let (blocks, threads) = (1 + rng.below(5), 1 + rng.below(200));
        let mut out = DeviceBuffer::zeroed(n).unwrap();
        launch!(strided<<<blocks, threads>>>(&mut out)).unwrap();
        let want: Vec<u32> = (0..n as u32).map(|i| i + 1).collect();
        assert_eq!(out.to_vec().unwrap(), want, "{n} elements, {blocks} x {threads} threads");
    }
}

#[kernel(wide)]
fn indices_wide(mut out: Disjoint<u64>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        *out = i.get() as u64;
    }
}

/// Indices have 32 bits, unless the kernel says otherwise. What is too much is refused before anything runs.
#[test]
fn a_launch_with_more_threads_than_indices_is_refused() {
    let mut out = DeviceBuffer::zeroed(64).unwrap();
    for blocks in [1 << 26, i32::MAX] {
        let error = launch!(indices_1d<<<blocks, 32>>>(&mut out)).unwrap_err().to_string();
        let parts = ["32 bits", "#[kernel(wide)]", &format!("{blocks} blocks of 32 threads")];
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    }
    assert!(out.to_vec().unwrap().iter().all(|&x| x == 0));
    launch!(indices_wide<<<2, 32>>>(&mut out)).unwrap();
    assert_eq!(out.to_vec().unwrap(), (0..64).collect::<Vec<u64>>());
    launch!(indices_1d<<<2, 32>>>(&mut out)).unwrap();
    assert_eq!(out.to_vec().unwrap(), (0..64).collect::<Vec<u64>>());
}

#[kernel(wide)]
fn indices_3d_wide(mut out: DisjointArray<[u64; 3], 3>) {
    let i = thread::index_3d();
    if let Some(out) = out.get_mut(i) {
        *out = [i.x() as u64, i.y() as u64, i.z() as u64];
    }
}

/// Numbers of all threads of a grid have 63 bits, also where the kernel's indices along each axis are wide.
#[test]
fn a_launch_with_more_blocks_than_numbers_is_refused() {
    let mut out = DeviceBuffer::filled(8, [u64::MAX; 3]).unwrap();
    let most = i32::MAX;
    for (blocks, text) in [
        ((most, 65535, 65), "2147483647 x 65535 x 65 are 2^53 blocks"),
        ((most, 65535, 65535), "2147483647 x 65535 x 65535 are 2^53 blocks"),
    ] {
        let error = launch!(indices_3d_wide<<<blocks, 1>>>(out.view_mut([2, 2, 2]))).unwrap_err();
        assert!(error.to_string().contains(text), "{error}");
    }
    assert!(out.to_vec().unwrap().iter().all(|&x| x == [u64::MAX; 3]));
    launch!(indices_3d_wide<<<(2, 1, 1), (1, 2, 2)>>>(out.view_mut([2, 2, 2]))).unwrap();
    let want: Vec<[u64; 3]> = (0..8).map(|i| [i % 2, i / 2 % 2, i / 4]).collect();
    assert_eq!(out.to_vec().unwrap(), want);
}

/// A kernel that owns elements by its 1-D index would share them in a grid of two dimensions.
#[test]
fn one_dimensional_kernels_refuse_other_shapes() {
    let mut out = DeviceBuffer::zeroed(64).unwrap();
    let error = launch!(indices_1d<<<(2, 2), 16>>>(&mut out)).unwrap_err().to_string();
    assert!(error.contains("index_1d") && error.contains("1-D shape"), "{error}");
    let error = launch!(indices_1d<<<2, (4, 4)>>>(&mut out)).unwrap_err().to_string();
    assert!(error.contains("index_1d"), "{error}");
    assert!(out.to_vec().unwrap().iter().all(|&x| x == 0));
    launch!(indices_1d<<<(4, 1, 1), (16, 1)>>>(&mut out)).unwrap();
    assert_eq!(out.to_vec().unwrap(), (0..64).collect::<Vec<u64>>());
}

#[kernel]
fn masks(mut out: Disjoint<[u32; 6]>) {
    let i = thread::index_1d();
    let masks = [
        warp::mask_eq(),
        warp::mask_lt(),
        warp::mask_le(),
        warp::mask_gt(),
        warp::mask_ge(),
        warp::SIZE,
    ];
    if let Some(out) = out.get_mut(i) {
        *out = masks;
    }
}

#[test]
fn lane_masks() {
    let mut out = DeviceBuffer::zeroed(70).unwrap();
    launch!(masks<<<1, 70>>>(&mut out)).unwrap();
    for (i, got) in out.to_vec().unwrap().into_iter().enumerate() {
        let bit = 1u64 << (i % 32);
        let want = [bit, bit - 1, 2 * bit - 1, !(2 * bit - 1), !(bit - 1), 32];
        assert_eq!(got, want.map(|mask| mask as u32), "thread {i}");
    }
}
