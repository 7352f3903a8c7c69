//! Elements that loads convert.

use ptyx::device::barrier::{Barrier, Phase, State};
use ptyx::device::tma::{Im2colMap, TensorMap, Tile};
use ptyx::prelude::*;
use ptyx::{BoundingBox, Conversion, Error, TensorMapMut, TensorOptions, TensorRule};
use ptyx_tensor_memory_tests::{alone, device_has_them, rng};

type Rows = [[f32; 32]; 8];

/// Each block writes the bits of its tile.
#[kernel]
fn bits(x: TensorMap<Rows>, mut y: Disjoint<u32>) {
    let tile = shared!(Tile<Rows>);
    let arrived = Barrier::new(shared!(State), 1);
    let t = thread::rank() as usize;
    if t == 0 {
        arrived.arrive_expect_tx(Tile::<Rows>::BYTES).forget();
        // SAFETY: nobody uses the tile before the phase is complete.
        unsafe { x.load(tile, [8 * block::x() as i32, 0], arrived) };
    }
    arrived.wait_phase(Phase::FIRST);
    // SAFETY: the phase is complete.
    y[thread::index_1d()] = unsafe { tile.at([t / 32, t % 32]).read() }.to_bits();
}

/// The same of pixels.
#[kernel]
fn bits_of_pixels(x: Im2colMap<Rows, 3>, mut y: Disjoint<u32>) {
    let tile = shared!(Tile<Rows>);
    let arrived = Barrier::new(shared!(State), 1);
    let t = thread::rank() as usize;
    if t == 0 {
        arrived.arrive_expect_tx(Tile::<Rows>::BYTES).forget();
        // SAFETY: nobody uses the tile before the phase is complete.
        unsafe { x.load(tile, [0, 8 * block::x() as i32, 0], [0], arrived) };
    }
    arrived.wait_phase(Phase::FIRST);
    // SAFETY: the phase is complete.
    y[thread::index_1d()] = unsafe { tile.at([t / 32, t % 32]).read() }.to_bits();
}

/// What loads with a conversion make of numbers: those of tiles, and those of pixels.
fn converted(conversion: Conversion, x: &[f32]) -> [Vec<u32>; 2] {
    let rows = x.len() / 32;
    let blocks = rows / 8;
    let device_x = DeviceBuffer::from_slice(x).unwrap();
    let mut y = [(); 2].map(|()| DeviceBuffer::<u32>::zeroed(x.len()).unwrap());
    let options = TensorOptions::new().conversion(conversion);
    let map = ptyx::TensorMap::<Rows>::with(&device_x, [rows, 32], &options).unwrap();
    launch!(bits<<<blocks, 256>>>(&map, &mut y[0])).unwrap();
    let all = BoundingBox::new([0], [0]);
    let size = [1, rows, 32];
    let map = ptyx::Im2colMap::<Rows, 3>::converted(&device_x, size, &all, conversion).unwrap();
    launch!(bits_of_pixels<<<blocks, 256>>>(&map, &mut y[1])).unwrap();
    y.map(|y| y.to_vec().unwrap())
}

#[test]
fn numbers_become_tf32() {
    if !device_has_them() {
        return;
    }
    let mut rng = rng();
    let mut x: Vec<f32> = rng.vec(32 * 32, |rng| f32::from_bits(rng.next_u32()));
    x.iter_mut().filter(|x| x.is_nan()).for_each(|x| *x = 1.5);
    // Numbers that both formats have, and subnormal ones.
    (x[0], x[1], x[2], x[3]) = (0.0, -1.0, f32::INFINITY, f32::MIN_POSITIVE);
    x[4..8].fill(-f32::MIN_POSITIVE / 4.0);
    // Nothing becomes zero: an H200 keeps subnormal numbers whatever the map says.
    for (conversion, rounds) in [
        (Conversion::None, false),
        (Conversion::Flush, false),
        (Conversion::Tf32, true),
        (Conversion::Tf32Flush, true),
    ] {
        for (at, got) in converted(conversion, &x).iter().flat_map(|y| y.iter().enumerate()) {
            let want = x[at];
            let got = f32::from_bits(*got);
            if !rounds {
                assert_eq!(got, want, "{conversion:?} of {want:e}");
                continue;
            }
            assert_eq!(got.to_bits() & 0x1fff, 0, "{conversion:?} of {want:e}: {got:e}");
            // One of the two neighbours in tf32.
            let below = f32::from_bits(want.to_bits() & !0x1fff);
            let above = f32::from_bits((want.to_bits() & !0x1fff) + 0x2000);
            let is_exact = want.to_bits() & 0x1fff == 0;
            assert!(
                got == below || !is_exact && got == above,
                "{conversion:?} of {want:e}: {got:e}"
            );
        }
    }
}

/// A probe of what the documentation leaves open: to which neighbour numbers are rounded, and what is flushed. An H200
/// and the emulated device round to the nearest, ties to even, and flush nothing.
#[test]
fn probe_of_rounding() {
    alone("conversions::probe_of_rounding", || {
        if !device_has_them() {
            return;
        }
        let unit = 2f32.powi(-10);
        let mut x = vec![0.0; 256];
        let cases = [
            ("a quarter above", 1.0 + unit / 4.0, 1.0),
            ("three quarters above", 1.0 + unit * 0.75, 1.0 + unit),
            ("half, even below", 1.0 + unit / 2.0, 1.0),
            ("half, odd below", 1.0 + unit * 1.5, 1.0 + unit * 2.0),
            ("negative, half, odd below", -1.0 - unit * 1.5, -1.0 - unit * 2.0),
            ("the largest number", f32::MAX, f32::INFINITY),
            ("subnormal, three quarters", f32::from_bits(0x1800), f32::from_bits(0x2000)),
        ];
        for (at, (_, value, _)) in cases.iter().enumerate() {
            x[at] = *value;
        }
        x[100] = -f32::MIN_POSITIVE / 4.0;
        let [tiles, pixels] = converted(Conversion::Tf32, &x);
        assert_eq!(tiles, pixels);
        let flushed = converted(Conversion::Tf32Flush, &x)[0][100];
        println!("a negative subnormal number becomes {flushed:#010x}");
        let mut wrong = Vec::new();
        for (at, (name, value, want)) in cases.iter().enumerate() {
            let got = f32::from_bits(tiles[at]);
            println!("{name}: {value:e} becomes {got:e} ({:#010x})", tiles[at]);
            if got != *want {
                wrong.push(*name);
            }
        }
        assert!(wrong.is_empty(), "not as the emulated device has it: {wrong:?}");
        assert_eq!(flushed, x[100].to_bits(), "not as the emulated device has it");
    });
}

#[test]
fn only_loads_of_f32_are_converted() {
    if !device_has_them() {
        return;
    }
    let tf32 = Conversion::Tf32;
    let x = DeviceBuffer::<u32>::zeroed(64).unwrap();
    let options = TensorOptions::<[[u32; 8]; 8]>::new().conversion(tf32);
    let map = ptyx::TensorMap::<[[u32; 8]; 8]>::with(&x, [8, 8], &options);
    assert!(matches!(map, Err(Error::TensorMap(TensorRule::Conversion))), "{map:?}");
    let mut y = DeviceBuffer::<f32>::zeroed(64).unwrap();
    let options = TensorOptions::new().conversion(tf32);
    let map = TensorMapMut::<[[f32; 8]; 8]>::with(&mut y, [8, 8], &options);
    assert!(matches!(map, Err(Error::TensorMap(TensorRule::Conversion))), "{map:?}");
}
