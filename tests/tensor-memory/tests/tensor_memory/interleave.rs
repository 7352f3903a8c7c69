//! Tensors whose channels lie in slices of 16 or 32 bytes (`NC/8HWC8` and `NC/16HWC16`).
//!
//! That an image's slices follow each other is what the layouts' names say. No manual says it in words, so these tests
//! are also an experiment on hardware: a failure shows what came instead.

use ptyx::device::barrier::{Barrier, Phase, State};
use ptyx::device::bulk;
use ptyx::device::tma::{Placed, TensorMap, TensorMapMut, Tile, TileShape};
use ptyx::device::wgmma::{B32, Unswizzled};
use ptyx::prelude::*;
use ptyx::{Error, Interleave, TensorOptions, TensorRule};
use ptyx_tensor_memory_tests::{Rng, device_has_them, indices, rng, swizzled};

/// Loads a tile, writes its elements as they lie, and stores it elsewhere.
#[kernel]
fn travel<K: TileShape<Element = u16>, S: Placed>(
    x: TensorMap<K, S>,
    y: TensorMapMut<K, S>,
    from: K::Coordinates,
    to: K::Coordinates,
    out: SliceMut<u16>,
) {
    let tile = shared!(Tile<K, S>);
    let arrived = Barrier::new(shared!(State), 1);
    let t = thread::rank() as usize;
    if t == 0 {
        arrived.arrive_expect_tx(Tile::<K, S>::BYTES).forget();
        // SAFETY: nobody uses the tile before the phase is complete.
        unsafe { x.load(tile, from, arrived) };
    }
    arrived.wait_phase(Phase::FIRST);
    for at in (t..out.len()).step_by(block::threads() as usize) {
        let bytes = [0, 1].map(|byte| {
            // SAFETY: the phase is complete.
            unsafe { tile.bytes().at(2 * at + byte).read() }
        });
        // SAFETY: each thread writes its own elements.
        unsafe { *out.get_unchecked_mut(at) = u16::from_le_bytes(bytes) };
    }
    if t == 0 {
        // SAFETY: nobody writes the tile, or uses the tensor.
        unsafe { y.store(tile, to) };
        bulk::commit();
        bulk::wait::<0>();
    }
}

/// Where the element at these coordinates is, if the tensor has it: image, slice, pixel, channel in the slice.
fn place(size: &[usize], at: &[i64], slice: usize) -> Option<usize> {
    if at.iter().zip(size).any(|(at, size)| !(0..*size as i64).contains(at)) {
        return None;
    }
    let last = size.len() - 1;
    let at: Vec<usize> = at.iter().map(|at| *at as usize).collect();
    let pixels: usize = size[1..last].iter().product();
    let pixel = at[1..last].iter().zip(&size[1..last]).fold(0, |all, (at, size)| all * size + at);
    let slices = size[last].div_ceil(slice);
    Some(((at[0] * slices + at[last] / slice) * pixels + pixel) * slice + at[last] % slice)
}

/// Tiles of random tensors at random places. Each element is its own number.
fn check<K: TileShape<Element = u16>, S: Placed>(rng: &mut Rng, interleave: Interleave)
where
    K::Coordinates: for<'a> TryFrom<&'a [i32]>,
    K::Index: for<'a> TryFrom<&'a [usize]>,
{
    let mut sides = ptyx::device::tma::sides::<K>()[..K::DIMENSIONS].to_vec();
    sides.reverse();
    let last = sides.len() - 1;
    let slice = sides[last];
    let coordinates = |at: &[i32]| K::Coordinates::try_from(at).ok().unwrap();
    for _ in 0..8 {
        let mut size: Vec<usize> = sides.iter().map(|side| 1 + rng.below(2 * side + 1)).collect();
        // Several slices. What is stored has whole ones.
        size[last] = 1 + rng.below(3 * slice);
        let mut stored = size.clone();
        stored[last] = size[last].next_multiple_of(slice);
        let len = stored.iter().product::<usize>();
        let start = rng.below(1000) as u16;
        let x: Vec<u16> = (0..len).map(|at| start.wrapping_add(at as u16 * 7)).collect();
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut y = DeviceBuffer::filled(len, 0x5555u16).unwrap();
        let mut out = DeviceBuffer::filled(sides.iter().product(), 0x5555u16).unwrap();
        let options = TensorOptions::<K>::new().interleave(interleave);
        let index = |size: &[usize]| K::Index::try_from(size).ok().unwrap();
        let map = ptyx::TensorMap::<K, S>::with(&device_x, index(&size), &options).unwrap();
        let mut map_y = ptyx::TensorMapMut::<K, S>::with(&mut y, index(&stored), &options).unwrap();
        let [mut from, mut to] = [vec![0i32; last + 1], vec![0i32; last + 1]];
        for at in 0..last {
            from[at] = rng.below(size[at] + sides[at]) as i32 - sides[at] as i32;
            to[at] = rng.below(size[at] + 1) as i32;
        }
        from[last] = (slice * rng.below(4)) as i32;
        to[last] = (slice * rng.below(4)) as i32;
        launch!(travel::<K, S><<<1, 64>>>(
            &map, &mut map_y, coordinates(&from), coordinates(&to), &mut out
        ))
        .unwrap();

        let what = format!(
            "{interleave:?}, tiles of {sides:?}, tensor of {size:?} from {start}, loaded from {from:?}"
        );
        let plus = |first: &[i32], index: &[usize]| -> Vec<i64> {
            first
                .iter()
                .zip(index)
                .map(|(first, index)| i64::from(*first) + *index as i64)
                .collect()
        };
        let mut want = vec![0u16; out.len()];
        let mut want_y = vec![0x5555u16; len];
        for (number, index) in indices(&sides).enumerate() {
            let value = place(&size, &plus(&from, &index), slice).map_or(0, |at| x[at]);
            want[swizzled(2 * number, S::SWIZZLE.width()) / 2] = value;
            if let Some(at) = place(&stored, &plus(&to, &index), slice) {
                want_y[at] = value;
            }
        }
        assert_eq!(out.to_vec().unwrap(), want, "{what}");
        assert_eq!(y.to_vec().unwrap(), want_y, "{what}, stored at {to:?}");
    }
}

#[test]
fn slices_of_16_bytes() {
    if !device_has_them() {
        return;
    }
    let rng = &mut rng();
    check::<[[[u16; 8]; 5]; 2], Unswizzled>(rng, Interleave::B16);
    check::<[[[[u16; 8]; 4]; 3]; 2], Unswizzled>(rng, Interleave::B16);
    check::<[[[[[u16; 8]; 3]; 2]; 2]; 2], Unswizzled>(rng, Interleave::B16);
}

#[test]
fn slices_of_32_bytes() {
    if !device_has_them() {
        return;
    }
    let rng = &mut rng();
    check::<[[[u16; 16]; 4]; 2], B32>(rng, Interleave::B32);
    check::<[[[[u16; 16]; 4]; 3]; 1], B32>(rng, Interleave::B32);
}

#[test]
fn rules_of_slices() {
    if !device_has_them() {
        return;
    }
    fn broken<K: TileShape<Element = u16>, S: Placed>(
        size: K::Index,
        options: TensorOptions<K>,
        from: usize,
    ) -> TensorRule {
        let x = DeviceBuffer::<u16>::zeroed(4096).unwrap();
        match ptyx::TensorMap::<K, S>::with(x.slice(from..), size, &options) {
            Err(Error::TensorMap(rule)) => rule,
            other => panic!("{other:?}"),
        }
    }
    type Flat = [[u16; 8]; 4];
    type Narrow = [[[u16; 8]; 4]; 1];
    type Wide = [[[u16; 16]; 4]; 1];
    let (b16, b32) = (Interleave::B16, Interleave::B32);
    let sliced = || TensorOptions::<Wide>::new().interleave(b32);
    let flat = TensorOptions::<Flat>::new().interleave(b16);
    let narrow = || TensorOptions::<Narrow>::new().interleave(b16);
    let many = broken::<Narrow, Unswizzled>([4, 17, 60], narrow(), 0);
    for (rule, want) in [
        (
            broken::<Flat, Unswizzled>([4, 8], flat, 0),
            TensorRule::SlicedDimensions { dimensions: 2 },
        ),
        (
            broken::<Wide, Unswizzled>([2, 4, 16], TensorOptions::new().interleave(b16), 0),
            TensorRule::SlicedTile { bytes: 32, slice: 16 },
        ),
        (broken::<Wide, Unswizzled>([2, 4, 16], sliced(), 0), TensorRule::SlicedSwizzle),
        (
            broken::<Wide, B32>([2, 4, 16], sliced().strides([72, 16, 1]), 0),
            TensorRule::SlicedAlignment { bytes: 144 },
        ),
        // 4 images of 17 pixels of 8 slices of 8 channels.
        (many, TensorRule::Length { needed: 4 * 17 * 64, len: 4096 }),
    ] {
        assert_eq!(rule, want);
        assert!(!rule.to_string().is_empty());
    }
    let rule = broken::<Wide, B32>([2, 4, 16], sliced(), 8);
    assert!(matches!(rule, TensorRule::SlicedAlignment { bytes } if bytes % 32 == 16), "{rule}");
    let mut y = DeviceBuffer::<u16>::zeroed(4096).unwrap();
    let partial = ptyx::TensorMapMut::<Wide, B32>::with(&mut y, [2, 4, 24], &sliced());
    let wanted = TensorRule::SlicedAlignment { bytes: 48 };
    assert!(matches!(partial, Err(Error::TensorMap(rule)) if rule == wanted), "{partial:?}");
}
