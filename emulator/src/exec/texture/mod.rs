//! Textures and surfaces: what an image is, and which objects there are. [`sample`] reads textures.

mod coordinates;
mod format;
pub(crate) mod sample;
mod tiles;

pub(crate) use coordinates::Wrap;
pub(crate) use format::{Channel, Format};
pub(crate) use tiles::{TILE, Tiles};

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

/// The dimensions of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Geometry {
    /// Device memory, read by the number of a texel.
    Buffer,
    One,
    Two,
    Three,
    Layers1,
    Layers2,
    Cube,
    Cubes,
}

impl Geometry {
    /// Whether the third dimension counts layers or faces.
    pub(crate) fn is_layered(self) -> bool {
        matches!(self, Self::Layers1 | Self::Layers2 | Self::Cube | Self::Cubes)
    }

    /// What a word of PTX calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Buffer => "a texture of device memory",
            Self::One => "one dimension",
            Self::Two => "two dimensions",
            Self::Three => "three dimensions",
            Self::Layers1 => "layers of one dimension",
            Self::Layers2 => "layers of two dimensions",
            Self::Cube => "a cube",
            Self::Cubes => "layers of cubes",
        }
    }
}

/// A size of an image. Where the texel (x, y, z) is: `offset + ((z * height) + y) * pitch + x * texel`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    /// From the image's address.
    pub(crate) offset: u64,
    /// Width, height, and depth or layers; 1 for dimensions that there are not.
    pub(crate) size: [u32; 3],
    /// Bytes from a row to the next one.
    pub(crate) pitch: u64,
}

impl Level {
    /// All bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.pitch * u64::from(self.size[1]) * u64::from(self.size[2])
    }
}

/// Texels in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Image {
    pub(crate) address: u64,
    pub(crate) geometry: Geometry,
    pub(crate) format: Format,
    /// The largest one first.
    pub(crate) levels: Vec<Level>,
    /// Which parts have memory, if not all; and which level of these the first one is.
    pub(crate) tiles: Option<(Arc<Tiles>, usize)>,
}

impl Image {
    /// An image without an address, row after row, with levels of half the size each.
    pub(crate) fn packed(
        geometry: Geometry,
        format: Format,
        size: [u32; 3],
        levels: u32,
    ) -> Option<Image> {
        let (mut all, mut offset) = (Vec::new(), 0u64);
        for level in 0..levels {
            let half = |extent: u32| (extent >> level).max(1);
            let depth = if geometry.is_layered() { size[2] } else { half(size[2]) };
            let size = [half(size[0]), half(size[1]), depth];
            let pitch = u64::from(size[0]) * u64::from(format.bytes());
            let level = Level { offset, size, pitch };
            let rows = u64::from(size[1]).checked_mul(size[2].into())?;
            // A level begins where a texel may begin.
            offset = offset.checked_add(pitch.checked_mul(rows)?)?.checked_next_multiple_of(16)?;
            all.push(level);
        }
        Some(Image { address: 0, geometry, format, levels: all, tiles: None })
    }

    /// Whether a texel of the first level has memory.
    pub(crate) fn is_mapped(&self, at: [u32; 3]) -> bool {
        let tiles = self.tiles.as_ref();
        tiles.is_none_or(|(tiles, level)| tiles.is_mapped(tiles.part(*level, at)))
    }

    /// Bytes of all levels.
    pub(crate) fn bytes(&self) -> u64 {
        self.levels.last().map_or(0, |level| level.offset + level.bytes())
    }
}

/// How a texture is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sampler {
    pub(crate) wrap: [Wrap; 3],
    pub(crate) is_linear: bool,
    pub(crate) is_normalized: bool,
    /// Integers stay integers.
    pub(crate) reads_integers: bool,
    pub(crate) is_srgb: bool,
    pub(crate) mip_linear: bool,
    pub(crate) mip_bias: f32,
    pub(crate) mip_range: [f32; 2],
    pub(crate) border: [f32; 4],
}

/// A texture or, without a sampler, a surface.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) device: usize,
    pub(crate) image: Image,
    pub(crate) sampler: Option<Sampler>,
}

/// All objects of the process by their numbers, which are never used twice.
struct Objects {
    last: u64,
    live: BTreeMap<u64, Arc<Object>>,
}

/// The number before that of the first object: no size or index looks like one.
const FIRST: u64 = 0x7e00_0000;
/// Distance of numbers.
const STRIDE: u64 = 0x10;

static OBJECTS: RwLock<Objects> = RwLock::new(Objects { last: FIRST, live: BTreeMap::new() });

/// Adds an object; returns its number.
pub(crate) fn add(object: Object) -> u64 {
    let mut objects = OBJECTS.write().unwrap_or_else(PoisonError::into_inner);
    objects.last += STRIDE;
    let number = objects.last;
    objects.live.insert(number, Arc::new(object));
    number
}

/// Removes an object, which a kernel that runs may still look at; `None` if it is not there.
pub(crate) fn remove(number: u64) -> Option<Arc<Object>> {
    OBJECTS.write().unwrap_or_else(PoisonError::into_inner).live.remove(&number)
}

/// Removes the objects of a device.
pub(crate) fn remove_all(device: usize) {
    let mut objects = OBJECTS.write().unwrap_or_else(PoisonError::into_inner);
    objects.live.retain(|_, object| object.device != device);
}

/// The object of a number, or what the number is instead.
pub(crate) fn find(number: u64) -> Result<Arc<Object>, &'static str> {
    let objects = OBJECTS.read().unwrap_or_else(PoisonError::into_inner);
    match objects.live.get(&number) {
        Some(object) => Ok(object.clone()),
        None if number > FIRST
            && number <= objects.last
            && (number - FIRST).is_multiple_of(STRIDE) =>
        {
            Err("was destroyed")
        }
        None => Err("is neither a texture nor a surface"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_follow_each_other() {
        let format = Format { channel: Channel::U8, channels: 1 };
        let image = Image::packed(Geometry::Three, format, [5, 4, 3], 3).unwrap();
        let sizes: Vec<_> = image.levels.iter().map(|level| level.size).collect();
        assert_eq!(sizes, [[5, 4, 3], [2, 2, 1], [1, 1, 1]]);
        let offsets: Vec<_> = image.levels.iter().map(|level| level.offset).collect();
        assert_eq!(offsets, [0, 64, 80]);
        assert_eq!(image.bytes(), 81);
        let layers = Image::packed(Geometry::Layers2, format, [4, 4, 3], 2).unwrap();
        assert_eq!(layers.levels[1].size, [2, 2, 3]);
    }

    #[test]
    fn what_was_destroyed_is_remembered() {
        let format = Format { channel: Channel::F32, channels: 4 };
        let image = Image::packed(Geometry::One, format, [1, 1, 1], 1).unwrap();
        let number = add(Object { device: 0, image, sampler: None });
        assert!(find(number).is_ok());
        assert!(remove(number).is_some() && remove(number).is_none());
        assert_eq!(find(number).err(), Some("was destroyed"));
        assert_eq!(find(number + 1).err(), Some("is neither a texture nor a surface"));
    }
}
