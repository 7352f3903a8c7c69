//! Columns of images, against what the host computes.

use ptyx::BoundingBox;
use ptyx::device::barrier::{Barrier, Phase, State};
use ptyx::device::tma::{Im2colMap, Placed, Tile, TileShape};
use ptyx::device::wgmma::{B64, Unswizzled};
use ptyx::prelude::*;
use ptyx_tensor_memory_tests::{Rng, bytes, device_has_them, elements, rng, swizzled};

/// Loads pixels, and writes the tile's bytes.
#[kernel]
fn columns<K: TileShape, const D: usize, const N: usize, S: Placed>(
    images: Im2colMap<K, D, S>,
    at: [i32; D],
    offsets: [u16; N],
    out: SliceMut<u8>,
) {
    let tile = shared!(Tile<K, S>);
    let arrived = Barrier::new(shared!(State), 1);
    let t = thread::rank() as usize;
    if t == 0 {
        arrived.arrive_expect_tx(Tile::<K, S>::BYTES).forget();
        // SAFETY: nobody uses the tile before the phase is complete.
        unsafe { images.load(tile, at, offsets, arrived) };
    }
    arrived.wait_phase(Phase::FIRST);
    for at in (t..out.len()).step_by(block::threads() as usize) {
        // SAFETY: the phase is complete; each thread writes its own bytes.
        unsafe { out.as_mut_ptr().add(at).write(tile.bytes().at(at).read()) };
    }
}

/// Images with `N` dimensions of pixels.
fn check<K: TileShape, const D: usize, const N: usize, S: Placed>(rng: &mut Rng) {
    let [channels, pixels, ..] = ptyx::device::tma::sides::<K>();
    let size = size_of::<K::Element>();
    for _ in 0..6 {
        let filter: [usize; N] = core::array::from_fn(|_| 1 + rng.below(3));
        let padding: [usize; N] = core::array::from_fn(|_| rng.below(3));
        let steps: [usize; N] = core::array::from_fn(|_| 1 + rng.below(3));
        let mut all = [0; D];
        all[0] = 1 + rng.below(3);
        all[1..=N].fill_with(|| 3 + rng.below(5));
        all[D - 1] = channels + rng.below(2) * 16 / size;
        let x = elements::<K::Element>(rng, all.iter().product());
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut out = DeviceBuffer::filled(Tile::<K, S>::BYTES as usize, 0x55u8).unwrap();
        let window = BoundingBox::of_filter(filter, padding).steps(steps);
        let map = ptyx::Im2colMap::<K, D, S>::new(&device_x, all, &window).unwrap();

        // The filter's places in the padded image.
        let places: [usize; N] =
            core::array::from_fn(|at| (all[at + 1] + 2 * padding[at] - filter[at]) / steps[at] + 1);
        let first: [usize; N] = core::array::from_fn(|at| rng.below(places[at]));
        let offsets: [u16; N] = core::array::from_fn(|at| rng.below(filter[at]) as u16);
        let mut from = [0; D];
        from[0] = rng.below(all[0]) as i32;
        for at in 0..N {
            from[at + 1] = (first[at] * steps[at]) as i32 - padding[at] as i32;
        }
        from[D - 1] = (rng.below(3) as i32 - 1) * (16 / size) as i32;
        let what = format!(
            "{} of {all:?}, filter {filter:?} at {offsets:?}, padding {padding:?}, steps {steps:?}, from {from:?}",
            core::any::type_name::<K>()
        );
        launch!(columns::<K, D, N, S><<<1, 64>>>(&map, from, offsets, &mut out)).unwrap();

        let (tile, x) = (out.to_vec().unwrap(), bytes(&x));
        let start = (0..N).fold(from[0] as usize, |number, at| number * places[at] + first[at]);
        for pixel in 0..pixels {
            let mut number = start + pixel;
            let mut at = [0i64; D];
            for dimension in (0..N).rev() {
                let along = number % places[dimension] * steps[dimension];
                at[dimension + 1] =
                    along as i64 - padding[dimension] as i64 + i64::from(offsets[dimension]);
                number /= places[dimension];
            }
            at[0] = number as i64;
            for channel in 0..channels {
                at[D - 1] = i64::from(from[D - 1]) + channel as i64;
                let is_inside =
                    at.iter().zip(&all).all(|(at, size)| (0..*size as i64).contains(at));
                let place =
                    at.iter().zip(&all).fold(0, |place, (at, size)| place * *size as i64 + at);
                let offset = swizzled((pixel * channels + channel) * size, S::SWIZZLE.width());
                let got = &tile[offset..][..size];
                let want = match is_inside {
                    true => &x[place as usize * size..][..size],
                    false => &[0; 8][..size],
                };
                assert_eq!(got, want, "{what}, pixel {pixel}, channel {channel}");
            }
        }
    }
}

#[test]
fn pixels_along_one_to_three_dimensions() {
    if !device_has_them() {
        return;
    }
    let rng = &mut rng();
    check::<[[f32; 8]; 21], 3, 1, Unswizzled>(rng);
    check::<[[u16; 32]; 40], 4, 2, B64>(rng);
    check::<[[u8; 16]; 150], 5, 3, Unswizzled>(rng);
}
