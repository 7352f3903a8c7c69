//! Tensor maps that a kernel makes of a template, for parts of one buffer that only the device knows the sizes of.

use ptyx::device::barrier::{Barrier, Phase, State};
use ptyx::device::bulk;
use ptyx::device::tma::{MapMemory, TensorMap, Tile};
use ptyx::prelude::*;
use ptyx::{DeviceCopy, TensorMap as Map};
use ptyx_tensor_memory_tests::{Rng, Tensor, device_has_them, elements, indices, rng};

/// A tensor in a buffer, and where a tile of it begins.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C)]
struct Part<const N: usize> {
    first: usize,
    size: [usize; N],
    strides: [usize; N],
    at: [i32; N],
}

macro_rules! kernels {
    ($($name:ident $shape:ty, $element:ident, $dimensions:literal;)*) => {$(
        /// A tile of the block's part. Blocks have one warp.
        #[kernel]
        fn $name(
            template: TensorMap<$shape>,
            x: &[$element],
            parts: &[Part<$dimensions>],
            maps: SliceMut<MapMemory>,
            mut tiles: Disjoint<$shape>,
        ) {
            let (block, lane) = (block::x() as usize, warp::lane());
            let part = parts[block];
            let tile = shared!(Tile<$shape>);
            let arrived = Barrier::new(shared!(State), 1);
            // SAFETY: each block has a place of its own for its map; the parts lie in `x`. Nothing uses the tile before the
            // phase is complete.
            unsafe {
                let draft = template.draft(shared!(MapMemory));
                if lane == 0 {
                    draft.place(x.as_ptr().add(part.first), part.size, part.strides);
                }
                let map = draft.publish(maps.as_mut_ptr().add(block));
                if lane == 0 {
                    arrived.arrive_expect_tx(Tile::<$shape>::BYTES).forget();
                    map.load(tile, part.at, arrived);
                }
            }
            arrived.wait_phase(Phase::FIRST);
            if let Some(to) = tiles.get_mut(thread::index_1d()) {
                // SAFETY: the tile is there; nothing writes it.
                *to = unsafe { tile.as_mut_ptr().cast::<$shape>().read() };
            }
        }
    )*};
}

kernels! {
    rows [[u32; 8]; 4], u32, 2;
    planes [[[u16; 16]; 3]; 2], u16, 3;
}

/// Random tensors in a buffer, one after another, with what a tile of each is.
fn parts<T: Element, const N: usize>(
    rng: &mut Rng,
    x: &mut Vec<T>,
    sides: [usize; N],
) -> (Vec<Part<N>>, Vec<T>) {
    let (mut all, mut tiles) = (Vec::new(), Vec::new());
    for _ in 0..7 {
        let tensor = Tensor::random(rng, &sides, size_of::<T>(), 1);
        let at: Vec<i32> = tensor.coordinates(rng, &sides);
        // Tensors begin at multiples of 16 bytes.
        let first = x.len().next_multiple_of(16);
        x.resize(first, T::default());
        x.extend(elements::<T>(rng, tensor.len()));
        tiles.extend(
            indices(&sides).map(|index| {
                tensor.place(&at, &index).map_or(T::default(), |place| x[first + place])
            }),
        );
        all.push(Part {
            first,
            size: tensor.size.try_into().unwrap(),
            strides: tensor.strides.try_into().unwrap(),
            at: at.try_into().unwrap(),
        });
    }
    (all, tiles)
}

/// Elements of these tests.
trait Element: ptyx::device::tma::Element + Default {}
impl<T: ptyx::device::tma::Element + Default> Element for T {}

#[test]
fn parts_of_two_dimensions() -> ptyx::Result<()> {
    if !device_has_them() {
        return Ok(());
    }
    let mut rng = rng();
    let (mut x, sides) = (elements::<u32>(&mut rng, 64), [4, 8]);
    let (parts, wanted) = parts(&mut rng, &mut x, sides);
    // The template is a map of other memory.
    let other = DeviceBuffer::<u32>::zeroed(4 * 8)?;
    let template = Map::<[[u32; 8]; 4]>::new(&other, sides)?;
    let (dx, dparts) = (DeviceBuffer::from_slice(&x)?, DeviceBuffer::from_slice(&parts)?);
    let mut maps = DeviceBuffer::filled(parts.len(), MapMemory::default())?;
    let mut tiles = DeviceBuffer::filled(32 * parts.len(), [[9u32; 8]; 4])?;
    launch!(rows<<<parts.len(), 32>>>(&template, &dx, &dparts, &mut maps, &mut tiles))?;
    for (index, tiles) in tiles.to_vec()?.chunks(32).enumerate() {
        for tile in tiles {
            assert_eq!(tile.as_flattened(), &wanted[32 * index..][..32], "{:?}", parts[index]);
        }
    }
    Ok(())
}

#[test]
fn parts_of_three_dimensions() -> ptyx::Result<()> {
    if !device_has_them() {
        return Ok(());
    }
    let mut rng = rng();
    let (mut x, sides) = (elements::<u16>(&mut rng, 64), [2, 3, 16]);
    let (parts, wanted) = parts(&mut rng, &mut x, sides);
    let other = DeviceBuffer::<u16>::zeroed(2 * 3 * 16)?;
    let template = Map::<[[[u16; 16]; 3]; 2]>::new(&other, sides)?;
    let (dx, dparts) = (DeviceBuffer::from_slice(&x)?, DeviceBuffer::from_slice(&parts)?);
    let mut maps = DeviceBuffer::filled(parts.len(), MapMemory::default())?;
    let mut tiles = DeviceBuffer::filled(32 * parts.len(), [[[9u16; 16]; 3]; 2])?;
    launch!(planes<<<parts.len(), 32>>>(&template, &dx, &dparts, &mut maps, &mut tiles))?;
    for (index, tiles) in tiles.to_vec()?.chunks(32).enumerate() {
        for tile in tiles {
            let wanted = &wanted[96 * index..][..96];
            assert_eq!(tile.as_flattened().as_flattened(), wanted, "{:?}", parts[index]);
        }
    }
    Ok(())
}

/// Stores a tile of numbers into the block's part, by a map of its own. Blocks have one warp.
#[kernel]
fn store(
    template: TensorMap<[[u32; 8]; 4]>,
    x: SliceMut<u32>,
    parts: &[Part<2>],
    maps: SliceMut<MapMemory>,
    tiles: &[[[u32; 8]; 4]],
) {
    let (block, lane) = (block::x() as usize, warp::lane() as usize);
    let (part, numbers) = (parts[block], &tiles[block]);
    let tile = shared!(Tile<[[u32; 8]; 4]>);
    // SAFETY: each thread writes an element of its own.
    unsafe { tile.at([lane / 8, lane % 8]).write(numbers[lane / 8][lane % 8]) };
    tile.fence();
    warp::sync(warp::FULL);
    // SAFETY: each block has a place of its own for its map, and a part of `x` of its own, which nothing else uses.
    unsafe {
        let draft = template.draft(shared!(MapMemory));
        if lane == 0 {
            draft.place(x.as_mut_ptr().add(part.first), part.size, part.strides);
        }
        let map = draft.publish_mut(maps.as_mut_ptr().add(block));
        if lane == 0 {
            map.store(tile, part.at);
            bulk::commit();
            bulk::wait::<0>();
        }
    }
}

#[test]
fn parts_that_are_stored_into() -> ptyx::Result<()> {
    if !device_has_them() {
        return Ok(());
    }
    let (mut rng, sides) = (rng(), [4, 8]);
    let (mut x, mut wanted) = (elements::<u32>(&mut rng, 64), Vec::new());
    let mut parts = Vec::new();
    let tiles = rng.vec(7, |rng| [[0; 8]; 4].map(|row: [u32; 8]| row.map(|_| rng.next_u32())));
    for tile in &tiles {
        let mut tensor = Tensor::random(&mut rng, &sides, size_of::<u32>(), 1);
        // Stores take rows of whole units of 16 bytes, and no negative coordinates.
        if let Some(last) = tensor.size.last_mut() {
            *last = last.next_multiple_of(4);
        }
        let at: Vec<i32> = tensor.coordinates(&mut rng, &sides).iter().map(|at| at.abs()).collect();
        let first = x.len().next_multiple_of(16);
        x.resize(first, 0);
        x.extend(elements::<u32>(&mut rng, tensor.len()));
        for index in indices(&sides) {
            if let Some(place) = tensor.place(&at, &index) {
                wanted.push((first + place, tile[index[0]][index[1]]));
            }
        }
        let [size, strides]: [[usize; 2]; 2] =
            [tensor.size, tensor.strides].map(|numbers| numbers.try_into().unwrap());
        parts.push(Part { first, size, strides, at: at.try_into().unwrap() });
    }
    let other = DeviceBuffer::<u32>::zeroed(4 * 8)?;
    let template = Map::<[[u32; 8]; 4]>::new(&other, sides)?;
    let (mut dx, dparts) = (DeviceBuffer::from_slice(&x)?, DeviceBuffer::from_slice(&parts)?);
    let mut maps = DeviceBuffer::filled(parts.len(), MapMemory::default())?;
    let dtiles = DeviceBuffer::from_slice(&tiles)?;
    launch!(store<<<parts.len(), 32>>>(&template, &mut dx, &dparts, &mut maps, &dtiles))?;
    wanted.iter().for_each(|&(place, number)| x[place] = number);
    assert_eq!(dx.to_vec()?, x, "{parts:?}");
    Ok(())
}
