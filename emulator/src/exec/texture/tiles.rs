//! Sparse arrays: which parts of an image have memory.
//!
//! The bytes of the whole image are there. Those of a part without memory are zeros, which nothing changes.

use super::{Geometry, Level};
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes of a tile.
pub(crate) const TILE: u64 = 64 << 10;

/// How a level is divided.
#[derive(Debug)]
struct Grid {
    /// The number of its first part.
    first: usize,
    /// Texels of a part.
    tile: [u32; 3],
    /// Parts.
    counts: [u32; 3],
}

/// The parts of an array, of all levels.
#[derive(Debug)]
pub(crate) struct Tiles {
    /// Texels of a tile.
    pub(crate) tile: [u32; 3],
    grids: Vec<Grid>,
    /// The first level without tiles of its own.
    pub(crate) tail_level: u32,
    mapped: Vec<AtomicBool>,
}

/// Texels of a tile: as many along each axis, or twice as many along x, or along x and y.
fn tile_of(geometry: Geometry, texel: u32) -> [u32; 3] {
    let texels = TILE / u64::from(texel);
    let axes = if geometry == Geometry::Three { 3 } else { 2 };
    let mut tile = [1; 3];
    for step in 0..texels.ilog2() as usize {
        // z, y, x from the end, so that x has the most.
        tile[step % axes] *= 2;
    }
    tile
}

impl Tiles {
    /// Those of an image with these levels.
    pub(crate) fn new(geometry: Geometry, levels: &[Level], texel: u32) -> Tiles {
        let tile = tile_of(geometry, texel);
        let is_layered = geometry.is_layered();
        let whole = [u32::MAX, u32::MAX, if is_layered { 1 } else { u32::MAX }];
        let has_tiles = |level: &Level| (0..3).all(|axis| level.size[axis] >= tile[axis]);
        // An array of one level has tiles even if it is smaller.
        let tail = match levels.len() {
            1 => 1,
            _ => levels.iter().position(|level| !has_tiles(level)).unwrap_or(levels.len()),
        };
        let (mut grids, mut first) = (Vec::new(), 0);
        for level in &levels[..tail] {
            let counts = [0, 1, 2].map(|axis| level.size[axis].div_ceil(tile[axis]));
            grids.push(Grid { first, tile, counts });
            first += counts.iter().product::<u32>() as usize;
        }
        let counts = [1, 1, levels.first().map_or(1, |level| level.size[2]).max(1)];
        let counts = if is_layered { counts } else { [1; 3] };
        grids.extend(levels[tail..].iter().map(|_| Grid { first, tile: whole, counts }));
        if tail < levels.len() {
            first += counts[2] as usize;
        }
        let mapped = (0..first).map(|_| AtomicBool::new(false)).collect();
        Tiles { tile, grids, tail_level: tail as u32, mapped }
    }

    /// A single part, of which all levels are.
    pub(crate) fn deferred(levels: &[Level]) -> Tiles {
        let grid = |_| Grid { first: 0, tile: [u32::MAX; 3], counts: [1; 3] };
        let grids = levels.iter().map(grid).collect();
        Tiles { tile: [0; 3], grids, tail_level: 0, mapped: vec![AtomicBool::new(false)] }
    }

    /// The part that a texel belongs to.
    pub(crate) fn part(&self, level: usize, at: [u32; 3]) -> usize {
        let Grid { first, tile, counts } = &self.grids[level];
        let [x, y, z] = [0, 1, 2].map(|axis| (at[axis] / tile[axis]) as usize);
        first + (z * counts[1] as usize + y) * counts[0] as usize + x
    }

    /// From one part of a level to the next one, in texels.
    pub(crate) fn step(&self, level: usize) -> [u32; 3] {
        self.grids[level].tile
    }

    pub(crate) fn is_mapped(&self, part: usize) -> bool {
        self.mapped[part].load(Ordering::Acquire)
    }

    pub(crate) fn set_mapped(&self, part: usize, is_mapped: bool) {
        self.mapped[part].store(is_mapped, Ordering::Release);
    }

    /// The boxes of a part, in each level that it has texels of: first texels and extents.
    pub(crate) fn boxes(&self, levels: &[Level], part: usize) -> Vec<(usize, [u32; 3], [u32; 3])> {
        let mut found = Vec::new();
        for (number, (grid, level)) in self.grids.iter().zip(levels).enumerate() {
            let count: u32 = grid.counts.iter().product();
            let Some(index) = part.checked_sub(grid.first).filter(|&at| at < count as usize) else {
                continue;
            };
            let [wide, high, _] = grid.counts.map(|count| count as usize);
            let place = [index % wide, index / wide % high, index / (wide * high)];
            let first = [0, 1, 2].map(|axis| place[axis] as u32 * grid.tile[axis]);
            let extent = [0, 1, 2].map(|axis| grid.tile[axis].min(level.size[axis] - first[axis]));
            found.push((number, first, extent));
        }
        found
    }
}

/// Each is its own.
impl PartialEq for Tiles {
    fn eq(&self, other: &Tiles) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Tiles {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::texture::{Channel, Format, Image};

    #[test]
    fn tiles_have_64_kib() {
        for geometry in [Geometry::Two, Geometry::Layers2, Geometry::Three] {
            for texel in [1, 2, 4, 8, 16] {
                let tile = tile_of(geometry, texel);
                assert_eq!(u64::from(tile.iter().product::<u32>() * texel), TILE);
            }
        }
        assert_eq!(tile_of(Geometry::Two, 4), [128, 128, 1]);
        assert_eq!(tile_of(Geometry::Two, 2), [256, 128, 1]);
        assert_eq!(tile_of(Geometry::Three, 1), [64, 32, 32]);
        assert_eq!(tile_of(Geometry::Three, 4), [32, 32, 16]);
    }

    /// Each texel is in one part, and the boxes of the parts are the image.
    #[test]
    fn parts_cover_an_image_once() {
        let format = Format { channel: Channel::U8, channels: 4 };
        let sizes = [
            (Geometry::Two, [300, 200, 1], 3),
            (Geometry::Layers2, [256, 130, 3], 4),
            (Geometry::Three, [40, 33, 17], 1),
        ];
        for (geometry, size, count) in sizes {
            let image = Image::packed(geometry, format, size, count).unwrap();
            let tiles = Tiles::new(geometry, &image.levels, 4);
            let mut seen = 0;
            for part in 0..tiles.mapped.len() {
                for (level, first, extent) in tiles.boxes(&image.levels, part) {
                    for corner in 0..8u32 {
                        let at = [0, 1, 2]
                            .map(|axis| first[axis] + (corner >> axis & 1) * (extent[axis] - 1));
                        assert_eq!(tiles.part(level, at), part);
                    }
                    seen += u64::from(extent.iter().product::<u32>());
                }
            }
            let all =
                image.levels.iter().map(|level| u64::from(level.size.iter().product::<u32>()));
            assert_eq!(seen, all.sum::<u64>());
        }
    }
}
