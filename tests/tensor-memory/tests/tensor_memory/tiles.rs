//! Loads and stores of tiles, against what the host computes.

use half::{bf16, f16};
use ptyx::device::barrier::{Barrier, Phase, State};
use ptyx::device::bulk;
use ptyx::device::cache::Policy;
use ptyx::device::tma::{Placed, TensorMap, TensorMapMut, Tile, TileShape};
use ptyx::device::wgmma::{B32, B64, B128, KMajor, SharedTile, Unswizzled};
use ptyx::prelude::*;
use ptyx::{Fill, Promotion, TensorOptions};
use ptyx_tensor_memory_tests::{
    Rng, Tensor, alone, bytes, device_has_them, elements, images, indices, is_nan, rng, swizzled,
};

/// Loads a tile, writes its bytes, and stores it elsewhere.
#[kernel]
fn travel<K: TileShape, S: Placed>(
    x: TensorMap<K, S>,
    y: TensorMapMut<K, S>,
    from: K::Coordinates,
    to: K::Coordinates,
    out: SliceMut<u8>,
) {
    let tile = shared!(Tile<K, S>);
    let arrived = Barrier::new(shared!(State), 1);
    let t = thread::rank() as usize;
    if t == 0 {
        x.prefetch();
        y.prefetch();
        x.prefetch_l2(from);
        arrived.arrive_expect_tx(Tile::<K, S>::BYTES).forget();
        // SAFETY: nobody uses the tile before the phase is complete.
        let loaded = unsafe {
            match out.len().is_multiple_of(3) {
                true => x.load(tile, from, arrived),
                false => x.load_with(tile, from, arrived, Policy::evict_first()),
            }
        };
        assert!(loaded == Tile::<K, S>::BYTES);
    }
    arrived.wait_phase(Phase::FIRST);
    for at in (t..out.len()).step_by(block::threads() as usize) {
        // SAFETY: the phase is complete; each thread writes its own bytes.
        unsafe { out.as_mut_ptr().add(at).write(tile.bytes().at(at).read()) };
    }
    if t == 0 {
        // SAFETY: nobody writes the tile, or uses the tensor.
        unsafe {
            match out.len().is_multiple_of(3) {
                true => y.store(tile, to),
                false => y.store_with(tile, to, Policy::evict_last()),
            }
        }
        bulk::commit();
        bulk::wait::<0>();
    }
}

/// Tiles of one type, in random tensors at random places.
fn check<K: TileShape, S: Placed>(rng: &mut Rng, max_step: usize, fill: Fill)
where
    K::Coordinates: for<'a> TryFrom<&'a [i32]>,
    K::Index: for<'a> TryFrom<&'a [usize]>,
{
    let index = |numbers: &[usize]| K::Index::try_from(numbers).ok().unwrap();
    let place = |numbers: &[i32]| K::Coordinates::try_from(numbers).ok().unwrap();
    let sides = {
        let mut sides = ptyx::device::tma::sides::<K>()[..K::DIMENSIONS].to_vec();
        sides.reverse();
        sides
    };
    let size = size_of::<K::Element>();
    for _ in 0..6 {
        let tensor = Tensor::random(rng, &sides, size, max_step);
        let skipped = 16 / size * rng.below(3);
        let x = elements::<K::Element>(rng, tensor.len() + skipped);
        // Stores take rows of whole units of 16 bytes.
        let mut stored = tensor.clone();
        if let Some(last) = stored.size.last_mut() {
            *last = last.next_multiple_of(16 / size);
        }
        let y = elements::<K::Element>(rng, stored.len());
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut device_y = DeviceBuffer::from_slice(&y).unwrap();
        let mut out = DeviceBuffer::filled(Tile::<K, S>::BYTES as usize, 0x55u8).unwrap();
        let promotions = [Promotion::None, Promotion::B64, Promotion::B128, Promotion::B256];
        let options = TensorOptions::<K>::new()
            .strides(index(&tensor.strides))
            .steps(index(&tensor.steps))
            .promotion(promotions[rng.below(4)])
            .fill(fill);
        let from = tensor.coordinates(rng, &sides);
        // Stores take no negative ones.
        let to: Vec<i32> = tensor.coordinates(rng, &sides).iter().map(|at| at.abs()).collect();
        let what = format!(
            "{} {:?} {tensor:?} from {from:?} to {to:?}",
            core::any::type_name::<K>(),
            S::SWIZZLE
        );
        let all = index(&tensor.size);
        let map = ptyx::TensorMap::<K, S>::with(device_x.slice(skipped..), all, &options).unwrap();
        let mut map_y =
            ptyx::TensorMapMut::<K, S>::with(&mut device_y, index(&stored.size), &options).unwrap();
        launch!(travel::<K, S><<<1, 64>>>(&map, &mut map_y, place(&from), place(&to), &mut out))
            .unwrap();

        let tile = out.to_vec().unwrap();
        let (x, mut y) = (bytes(&x[skipped..]), bytes(&y));
        for (number, index) in indices(&sides).enumerate() {
            let got = &tile[swizzled(number * size, S::SWIZZLE.width())..][..size];
            match tensor.place(&from, &index) {
                Some(place) => assert_eq!(got, &x[place * size..][..size], "{what}, {index:?}"),
                None if fill == Fill::Nan => {
                    assert!(is_nan::<K::Element>(got), "{got:?}: {what}, {index:?}");
                }
                None => assert!(got.iter().all(|&byte| byte == 0), "{got:?}: {what}, {index:?}"),
            }
            if let Some(place) = stored.place(&to, &index) {
                y[place * size..][..size].copy_from_slice(got);
            }
        }
        assert_eq!(bytes(&device_y.to_vec().unwrap()), y, "{what}");
    }
}

#[test]
fn tiles_of_one_to_five_dimensions() {
    if !device_has_them() {
        return;
    }
    let rng = &mut rng();
    check::<[u8; 48], Unswizzled>(rng, 1, Fill::Zero);
    check::<[[u16; 8]; 5], Unswizzled>(rng, 8, Fill::Zero);
    check::<[[[f32; 12]; 3]; 4], Unswizzled>(rng, 3, Fill::Nan);
    check::<[[[[i32; 4]; 3]; 2]; 3], Unswizzled>(rng, 2, Fill::Zero);
    check::<[[[[[f64; 2]; 3]; 2]; 1]; 3], Unswizzled>(rng, 2, Fill::Nan);
}

#[test]
fn tiles_with_swizzle() {
    if !device_has_them() {
        return;
    }
    let rng = &mut rng();
    check::<[[u64; 4]; 24], B32>(rng, 1, Fill::Zero);
    check::<[[[i64; 8]; 3]; 7], B64>(rng, 3, Fill::Zero);
    check::<[[f16; 64]; 19], B128>(rng, 2, Fill::Nan);
    check::<[[[bf16; 16]; 5]; 5], B32>(rng, 1, Fill::Nan);
    check::<[[i8; 128]; 32], B128>(rng, 1, Fill::Zero);
    check::<[[u32; 16]; 16], B64>(rng, 1, Fill::Zero);
}

/// Copies a matrix tile by tile: loads with swizzle run ahead through a ring of panels of a tile for tensor cores, and
/// threads move the elements to a tile without swizzle, which is stored.
#[kernel]
fn rearrange(x: TensorMap<[[f16; 64]; 16], B128>, y: TensorMapMut<[[f16; 64]; 16]>, count: usize) {
    let ring = shared!(SharedTile<f16, 16, 128, B128, KMajor>);
    let result = shared!(Tile<[[f16; 64]; 16]>);
    let states = shared!([State; 2]);
    let (first, second) = (Barrier::new(states.at(0), 1), Barrier::new(states.at(1), 1));
    let full = |stage: usize| if stage == 0 { first } else { second };
    let t = thread::rank() as usize;
    let load = |tile: usize| {
        let stage = tile % 2;
        full(stage).arrive_expect_tx(Tile::<[[f16; 64]; 16], B128>::BYTES).forget();
        // SAFETY: the tile is read after the phase, and loaded again after that.
        unsafe { x.load(ring.panel(stage), [16 * tile as i32 - 8, -8], full(stage)) };
    };
    if t == 0 {
        (0..count.min(2)).for_each(load);
    }
    let mut phase = Phase::FIRST;
    for tile in 0..count {
        let stage = tile % 2;
        full(stage).wait_phase(phase);
        for element in (t..16 * 64).step_by(block::threads() as usize) {
            let (row, column) = (element / 64, element % 64);
            // SAFETY: the phase is complete; the last store has read the result, of which this thread writes a part.
            unsafe {
                let value = ring.at(row, 64 * stage + column).read();
                result.at([row, column]).write(value);
            }
        }
        result.fence();
        block::sync();
        if t == 0 {
            if tile + 2 < count {
                load(tile + 2);
            }
            // SAFETY: the tile's own part of the output, which nobody else writes.
            unsafe { y.store(result, [16 * tile as i32, 0]) };
            bulk::commit();
            bulk::wait_read::<0>();
        }
        block::sync();
        if stage == 1 {
            phase = phase.next();
        }
    }
    if t == 0 {
        bulk::wait::<0>();
    }
}

#[test]
fn panels_of_tensor_cores_tiles() {
    if !device_has_them() {
        return;
    }
    let mut rng = rng();
    for count in [1, 2, 5] {
        let (rows, columns) = (16 * count - rng.below(20).min(15), 56);
        let x = rng.vec(rows * columns, |rng| f16::from_bits(rng.next_u32() as u16));
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut device_y = DeviceBuffer::filled(16 * count * 64, f16::ONE).unwrap();
        let map = ptyx::TensorMap::<[[f16; 64]; 16], B128>::new(&device_x, [rows, columns]);
        let mut to = ptyx::TensorMapMut::new(&mut device_y, [16 * count, 64]).unwrap();
        launch!(rearrange<<<1, 96>>>(&map.unwrap(), &mut to, count)).unwrap();
        for (at, got) in device_y.to_vec().unwrap().into_iter().enumerate() {
            let (row, column) = ((at / 64).wrapping_sub(8), (at % 64).wrapping_sub(8));
            let is_inside = row < rows && column < columns;
            let want = if is_inside { x[row * columns + column].to_bits() } else { 0 };
            assert_eq!(got.to_bits(), want, "{count} tiles of {rows} rows, element {at}");
        }
    }

    // The maps are used where the launch put them.
    let ptx = images::entry("tiles::rearrange");
    // One in the loop in front, which may be unrolled, and one in the other.
    let loads = images::count(&ptx, "cp.async.bulk.tensor.2d.shared::cluster");
    assert!((2..=3).contains(&loads), "{ptx}");
    assert!(!ptx.contains(".local .") && !ptx.contains("[rearrange_param_0"), "{ptx}");
    assert_eq!(images::count(&ptx, "cvta.param.u64"), 2, "{ptx}");
    let head = ptx.split('{').next().unwrap();
    assert_eq!(head.matches(".param .align 64 .b8").count(), 2, "{head}");
}

/// All kernels of these tests, by the vendor's assembler.
#[test]
fn the_assembler_takes_the_modules() {
    let Some(ptxas) = images::assembler() else { return };
    let modules = images::assemble_modules(&ptxas);
    assert!(modules > 15, "{modules} modules: the images are missing");
}

#[kernel]
fn prefetch_at(x: TensorMap<[[f32; 4]; 8]>, column: i32) {
    if thread::rank() == 0 {
        x.prefetch_l2([0, column]);
    }
}

/// A hint is safe: a coordinate that the hardware does not take is a panic.
#[test]
fn hints_check_their_coordinates() {
    alone("tiles::hints_check_their_coordinates", || {
        if !device_has_them() {
            return;
        }
        let x = DeviceBuffer::<f32>::zeroed(64 * 16).unwrap();
        let map = ptyx::TensorMap::<[[f32; 4]; 8]>::new(&x, [64, 16]).unwrap();
        for column in [0, 4, -4, 400] {
            launch!(prefetch_at<<<1, 32>>>(&map, column)).unwrap();
            Stream::default().unwrap().synchronize().unwrap();
        }
        launch!(prefetch_at<<<1, 32>>>(&map, 2)).unwrap();
        let error = Stream::default().unwrap().synchronize().unwrap_err().to_string();
        assert!(error.contains("must be a multiple of 16 bytes"), "{error}");
    });
}

/// Loads a tile of two panels by copies of a few rows each, in another order than that of the rows.
#[kernel]
fn by_rows(x: TensorMap<[[bf16; 64]; 16], B128>, at: [i32; 2], mut out: Disjoint<[u8; 64]>) {
    let tile = shared!(SharedTile<bf16, 64, 128, B128, KMajor>);
    let arrived = Barrier::new(shared!(State), 1);
    if thread::rank() == 0 {
        arrived.arrive_expect_tx(8 * Tile::<[[bf16; 64]; 16], B128>::BYTES).forget();
        for part in [5, 0, 7, 2, 3, 6, 1, 4] {
            let (panel, first) = (part / 4, part % 4 * 16);
            let from = [at[0] + first as i32, at[1] + 64 * panel as i32];
            // SAFETY: nobody uses the tile before the phase is complete; the parts are disjoint.
            unsafe { x.load(tile.panel_rows(panel, first), from, arrived) };
        }
    }
    arrived.wait_phase(Phase::FIRST);
    let (i, mut found) = (thread::index_1d(), [0; 64]);
    for (at, byte) in found.iter_mut().enumerate() {
        // SAFETY: the phase is complete, and nobody writes.
        *byte = unsafe { tile.bytes().at(64 * i.get() + at).read() };
    }
    out[i] = found;
}

#[test]
fn rows_of_panels() {
    if !device_has_them() {
        return;
    }
    let mut rng = rng();
    let [rows, columns] = [64 + rng.below(40), 128 + 8 * rng.below(9)];
    let x = elements::<bf16>(&mut rng, rows * columns);
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let map = ptyx::TensorMap::<[[bf16; 64]; 16], B128>::new(&device_x, [rows, columns]).unwrap();
    // Partly outside, where it is filled with zeros.
    let at = [rng.below(60) as i32 - 20, 8 * (rng.below(20) as i32 - 8)];
    let mut out = DeviceBuffer::filled(256, [9; 64]).unwrap();
    launch!(by_rows<<<1, 256>>>(&map, at, &mut out)).unwrap();
    let tile = out.to_vec().unwrap();
    let tile = tile.as_flattened();
    for row in 0..64 {
        for column in 0..128 {
            let (r, c) = (row as i32 + at[0], column as i32 + at[1]);
            let inside = (0..rows as i32).contains(&r) && (0..columns as i32).contains(&c);
            let want = if inside { x[r as usize * columns + c as usize].to_bits() } else { 0 };
            let place = 64 * 128 * (column / 64) + swizzled(row * 128 + column % 64 * 2, 128);
            let got = u16::from_le_bytes([tile[place], tile[place + 1]]);
            assert_eq!(got, want, "row {row}, column {column} of {rows} x {columns} at {at:?}");
        }
    }
}

/// Rows that a panel does not have.
#[kernel]
fn no_such_rows(panel: usize, first: usize, mut out: Disjoint<usize>) {
    let tile = shared!(SharedTile<bf16, 64, 128, B128, KMajor>);
    out[thread::index_1d()] = tile.panel_rows::<[[bf16; 64]; 16]>(panel, first).as_mut_ptr().addr();
}

#[test]
fn rows_beyond_a_panel_are_refused() {
    if !device_has_them() {
        return;
    }
    let mut out = DeviceBuffer::zeroed(1).unwrap();
    for (panel, first, text) in
        [(2, 0, "index is 2"), (0, 8, "no such rows"), (1, 64, "no such rows"), (1, 48, "")]
    {
        launch!(no_such_rows<<<1, 1>>>(panel, first, &mut out)).unwrap();
        match out.to_vec() {
            Ok(_) => assert!(text.is_empty(), "panel {panel}, row {first}"),
            Err(error) => assert!(!text.is_empty() && error.to_string().contains(text), "{error}"),
        }
    }
}
