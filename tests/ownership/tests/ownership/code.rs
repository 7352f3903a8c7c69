//! Safe kernels become the instructions of their unsafe twins, or nearly so.

use ptyx::device::shared::Phase;
use ptyx::prelude::*;
use ptyx_ownership_tests::images::{count, entry, machine_code};
use ptyx_ownership_tests::rng;

/// The unsafe twins.
mod plain {
    use super::*;

    #[kernel]
    pub(super) fn softmax(width: u32, x: &[f32], y: SliceMut<f32>) {
        let row = (block::x() * 8 + warp::id()) as usize;
        let width = width as usize;
        let lane = warp::lane() as usize;
        let Some(x) = x.get(row * width..(row + 1) * width) else { return };
        let mut sum = 0.0;
        let mut i = lane;
        while i < width {
            sum += x[i].exp();
            i += 32;
        }
        let scale = 1.0 / warp::reduce(sum, |a, b| a + b);
        let mut i = lane;
        while i < width {
            // SAFETY: each thread's own elements.
            unsafe { y.write(row * width + i, x[i].exp() * scale) }
            i += 32;
        }
    }

    #[kernel]
    pub(super) fn transpose(input: Array<f32, 2>, output: ArrayMut<f32, 2>) {
        let tile = shared!([[f32; 33]; 32]);
        let (tx, ty) = (thread::x() as usize, thread::y() as usize);
        let (x0, y0) = (block::x() as usize * 32, block::y() as usize * 32);
        for k in 0..4 {
            let value = input[[y0 + ty + 8 * k, x0 + tx]];
            // SAFETY: each thread writes its own elements, before the barrier.
            unsafe { tile.at(ty + 8 * k).at(tx).write(value) }
        }
        block::sync();
        for k in 0..4 {
            // SAFETY: read behind the barrier; each thread writes its own elements.
            unsafe {
                let value = tile.at(tx).at(ty + 8 * k).read();
                output.write([x0 + ty + 8 * k, y0 + tx], value);
            }
        }
    }

    #[kernel]
    pub(super) fn matmul(a: Array<f32, 2>, b: Array<f32, 2>, mut c: DisjointArray<f32, 2>) {
        let tile_a = shared!([[f32; 16]; 16]);
        let tile_b = shared!([[f32; 16]; 16]);
        let (x, y) = (thread::x() as usize, thread::y() as usize);
        let place = thread::index_2d();
        let mut sum = 0.0;
        for k0 in (0..a.shape()[1]).step_by(16) {
            // SAFETY: each thread writes its own elements; barriers stand before and after the reads.
            unsafe {
                tile_a.at(y).at(x).write(a.get([place.y(), k0 + x]).copied().unwrap_or(0.0));
                tile_b.at(y).at(x).write(b.get([k0 + y, place.x()]).copied().unwrap_or(0.0));
                block::sync();
                for k in 0..16 {
                    sum += tile_a.at(y).at(k).read() * tile_b.at(k).at(x).read();
                }
                block::sync();
            }
        }
        if let Some(c) = c.get_mut(place) {
            *c = sum;
        }
    }

    #[kernel]
    pub(super) fn fours(x: &[f32], y: SliceMut<f32>) {
        let first = 4 * thread::index_1d().get();
        if first + 4 <= y.len() {
            let sums: [f32; 4] = core::array::from_fn(|k| x[first / 4] + k as f32);
            for (k, sum) in sums.into_iter().enumerate() {
                // SAFETY: each thread's own elements.
                unsafe { y.write(first + k, sum) }
            }
        }
    }
}

#[kernel]
fn softmax(x: Array<f32, 2>, mut y: Parts<f32, (by::Warp, by::Lane), 2>) {
    for (row, own) in y.part() {
        let Some(x) = x.at(row).as_slice() else { return };
        let mut sum = 0.0;
        let mut i = warp::lane() as usize;
        while i < x.len() {
            sum += x[i].exp();
            i += 32;
        }
        let scale = 1.0 / warp::reduce(sum, |a, b| a + b);
        for (i, y) in own {
            *y = x[i].exp() * scale;
        }
    }
}

type Tiles = by::SwapBlocks<(
    by::Tile<by::BlockY, 32, by::ThreadInBlockY>,
    by::Tile<by::BlockX, 32, by::ThreadInBlockX>,
)>;

#[kernel]
fn transpose(input: Array<f32, 2>, mut output: Parts<f32, Tiles, 2>, mut writing: Phase) {
    let tile = phased!([[f32; 33]; 32]);
    let (tx, ty) = (thread::x() as usize, thread::y() as usize);
    let (x0, y0) = (block::x() as usize * 32, block::y() as usize * 32);
    for k in 0..4 {
        tile.set(&mut writing, [k, 0], input[[y0 + ty + 8 * k, x0 + tx]]);
    }
    let reading = writing.sync();
    let (tile, mut own) = (tile.as_ref(&reading), output.part());
    for k in 0..4 {
        own[[k, 0]] = tile[tx][ty + 8 * k];
    }
}

#[kernel]
fn matmul(a: Array<f32, 2>, b: Array<f32, 2>, mut c: DisjointArray<f32, 2>, phase: Phase) {
    let tile_a = phased!([[f32; 16]; 16]);
    let tile_b = phased!([[f32; 16]; 16]);
    let (x, y) = (thread::x() as usize, thread::y() as usize);
    let place = thread::index_2d();
    let (mut writing, mut sum) = (phase, 0.0);
    for k0 in (0..a.shape()[1]).step_by(16) {
        tile_a.set(&mut writing, [0, 0], a.get([place.y(), k0 + x]).copied().unwrap_or(0.0));
        tile_b.set(&mut writing, [0, 0], b.get([k0 + y, place.x()]).copied().unwrap_or(0.0));
        let reading = writing.sync();
        let (a, b) = (tile_a.as_ref(&reading), tile_b.as_ref(&reading));
        for k in 0..16 {
            sum += a[y][k] * b[k][x];
        }
        writing = reading.sync();
    }
    if let Some(c) = c.get_mut(place) {
        *c = sum;
    }
}

#[kernel]
fn fours(x: &[f32], mut y: Parts<f32, by::Tile<by::Thread, 4>>) {
    if let Some([a, b, c, d]) = y.part().as_mut_slice() {
        let x = x[thread::index_1d().get()];
        [*a, *b, *c, *d] = [0.0, 1.0, 2.0, 3.0].map(|k| x + k);
    }
}

/// Instructions in the PTX of a kernel, without those that report panics.
fn instructions(ptx: &str) -> usize {
    let lines = ptx.lines().map(str::trim);
    lines.filter(|line| line.ends_with(';') && !line.starts_with(['.', '/', '{'])).count()
}

/// Launches both, compares their results, and then their code.
#[test]
fn twins_agree() {
    let mut rng = rng();
    let (height, width) = (64, 96);
    let x = rng.vec(height * width, |rng| rng.next_f32());
    let dx = DeviceBuffer::from_slice(&x).unwrap();
    let buffer = || DeviceBuffer::filled(x.len(), f32::NAN).unwrap();
    let bits = |buffer: &DeviceBuffer<f32>| -> Vec<u32> {
        buffer.to_vec().unwrap().into_iter().map(f32::to_bits).collect()
    };

    let (mut y, mut z) = (buffer(), buffer());
    launch!(plain::softmax<<<height / 8, 256>>>(width as u32, &dx, &mut y)).unwrap();
    let shape = [height, width];
    launch!(softmax<<<height / 8, 256>>>(dx.view(shape), z.view_mut(shape))).unwrap();
    assert_eq!(bits(&y), bits(&z), "softmax");

    let (mut y, mut z) = (buffer(), buffer());
    let (blocks, to) = ((width / 32, height / 32), [width, height]);
    launch!(plain::transpose<<<blocks, (32, 8)>>>(dx.view(shape), y.view_mut(to))).unwrap();
    let tiles = z.view_mut(to);
    launch!(transpose<<<blocks, (32, 8)>>>(dx.view(shape), tiles, shared::PHASES)).unwrap();
    assert_eq!(bits(&y), bits(&z), "transpose");
    assert_eq!(y.to_vec().unwrap()[5 * height + 3], x[3 * width + 5]);

    let side = 48;
    let (mut y, mut z) = (buffer(), buffer());
    let (a, b) = (dx.slice(..side * side), dx.slice(side * side..2 * side * side));
    let (a, b, side) = (a.view([side, side]), b.view([side, side]), [side, side]);
    let product = y.slice_mut(..48 * 48);
    launch!(plain::matmul<<<(3, 3), (16, 16)>>>(a, b, product.view_mut([48, 48]))).unwrap();
    let product = z.slice_mut(..48 * 48);
    let c = product.view_mut(side);
    launch!(matmul<<<(3, 3), (16, 16)>>>(a, b, c, shared::PHASES)).unwrap();
    assert_eq!(bits(&y), bits(&z), "matmul");
    assert!(!y.to_vec().unwrap()[48 * 48 - 1].is_nan());

    let (mut y, mut z) = (buffer(), buffer());
    launch!(plain::fours<<<x.len() / 128, 32>>>(&dx, &mut y)).unwrap();
    launch!(fours<<<x.len() / 128, 32>>>(&dx, &mut z)).unwrap();
    assert_eq!(bits(&y), bits(&z), "fours");

    // How many more instructions each may have, with the checks of a build for debugging: what it takes to find out
    // the thread's part, before any loop; and second copies for threads that may panic: of softmax's loops, of the loads
    // and stores of transpose and matmul.
    for (name, more) in [("softmax", 100), ("transpose", 140), ("matmul", 70), ("fours", 20)] {
        let (safe, plain) = (entry(&format!("code::{name}")), entry(&format!("plain::{name}")));
        let (safe, plain) = (instructions(&safe), instructions(&plain));
        println!("{name}: {safe} instructions, without safety {plain}");
        assert!(safe <= plain + more, "{name}: {safe} instructions, without safety {plain}");
        for capability in [80, 90] {
            let code = |name: &str| machine_code(name, capability);
            let (safe, plain) = (code(&format!("code::{name}")), code(&format!("plain::{name}")));
            if let (Some(safe), Some(plain)) = (safe, plain) {
                let (safe, plain) = (safe.starting("").len(), plain.starting("").len());
                println!("{name}, sm_{capability}: {safe} instructions, without safety {plain}");
            }
        }
    }
}

/// Tiles are accessed by plain loads and stores, nothing is stored that the source does not store, and values
/// that a thread wrote itself come from its registers.
#[test]
fn tiles_are_plain_shared_memory() {
    // Second copies of some loads and stores are for threads that may panic.
    let is_once_or_twice = |ptx: &str, what: &str, times: usize| {
        let found = count(ptx, what);
        assert!((times..=2 * times).contains(&found), "{found} {what}, not {times}: {ptx}");
    };
    let ptx = entry("code::transpose");
    is_once_or_twice(&ptx, "st.shared", 4);
    is_once_or_twice(&ptx, "ld.shared", 4);
    let ptx = entry("code::matmul");
    is_once_or_twice(&ptx, "st.shared", 2);
    assert_eq!(count(&ptx, "ld.shared"), count(&entry("plain::matmul"), "ld.shared"), "{ptx}");
    for kernel in ["code::transpose", "code::matmul"] {
        let ptx = entry(kernel);
        assert!(!ptx.contains("relaxed") && !ptx.contains("volatile"), "{ptx}");
        assert_eq!(count(&ptx, "bar"), if kernel.ends_with("matmul") { 2 } else { 1 }, "{ptx}");
        assert_eq!(count(&ptx, "atom") + count(&ptx, "ld.b") + count(&ptx, "st.b"), 0, "{ptx}");
    }
}
