//! Tensor maps: which part of a tensor in global memory a tile is (PTX ISA, "Tensor-maps").
//!
//! What the 128 bytes mean is the device's business; here they are sixteen words, as [`TensorMap::encode`] writes
//! them. Dimensions are counted as in PTX: the innermost is the first.

use crate::ptx::types::Type;

/// Bytes of a tensor map.
pub(crate) const SIZE: usize = 128;
/// Alignment of a tensor map.
pub(crate) const ALIGNMENT: u64 = 64;
/// The most dimensions.
pub(crate) const DIMENSIONS: usize = 5;
/// The first word of every map, which other bytes do not have.
const TAG: u64 = 0x70a1_7e5a_c0de_3a90;

/// The elements that loads convert, as indices into [`ELEMENTS`].
const ROUNDING: usize = 11;
const ROUNDING_FLUSHING: usize = 12;

/// The words of an encoded map.
pub(crate) type Words = [u64; SIZE / 8];

/// The types of elements, by the driver's numbers (`CUtensorMapDataType`).
pub(crate) const ELEMENTS: [Type; 13] = [
    Type::U8,
    Type::U16,
    Type::U32,
    Type::S32,
    Type::U64,
    Type::S64,
    Type::F16,
    Type::F32,
    Type::F64,
    Type::Bf16,
    // Those that loads convert.
    Type::F32,
    Type::F32,
    Type::F32,
];

/// What loads do to elements of type `f32`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Conversion {
    /// Numbers become those of `tf32`.
    pub(crate) rounds: bool,
}

impl Conversion {
    /// The bits of an `f32`, converted. How ties are rounded is documented nowhere: to even on an H200. The types
    /// that flush subnormal numbers do not change them there.
    pub(crate) fn convert(self, bits: u32) -> u32 {
        let (sign, magnitude) = (bits & 1 << 31, bits & !(1 << 31));
        if magnitude >= f32::INFINITY.to_bits() {
            return bits;
        }
        sign | match self.rounds {
            true => (magnitude + 0xfff + (magnitude >> 13 & 1)) & !0x1fff,
            false => magnitude,
        }
    }
}

/// How coordinates select elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// A box, with its sides in elements of the tensor.
    Tiled { sides: [u32; DIMENSIONS] },
    /// Columns of pixels of images. The corners count along the dimensions of pixels: those between the channels and the
    /// images, or the first ones of an interleaved layout.
    Im2col { lower: [i32; 3], upper: [i32; 3], channels: u32, pixels: u32 },
}

/// A tensor map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TensorMap {
    /// Index into [`ELEMENTS`].
    pub(crate) element: usize,
    pub(crate) rank: usize,
    pub(crate) address: u64,
    pub(crate) sizes: [u64; DIMENSIONS],
    /// In bytes; the first one is an element's size.
    pub(crate) strides: [u64; DIMENSIONS],
    pub(crate) mode: Mode,
    /// Along each dimension, a box takes one of this many elements. The first dimension has steps only if it counts columns.
    pub(crate) steps: [u32; DIMENSIONS],
    /// Bytes of a swizzled row; 16 for none.
    pub(crate) swizzle: u32,
    /// What is outside is NaN rather than zero.
    pub(crate) fills_nan: bool,
    /// Bytes of a slice of channels if the layout is interleaved, or 0. Then the first dimension counts columns, with a
    /// slice each, and the last but one counts slices: its size, its stride, and coordinates. A tile has one slice, whatever
    /// the side of the box and the step are there, as was seen on an H200.
    pub(crate) slice: u32,
}

/// Packs numbers of `BITS` bits each.
fn pack<const BITS: u32>(numbers: &[u32]) -> u64 {
    let mask = (1 << BITS) - 1;
    (0..).zip(numbers).fold(0, |word, (at, &n)| word | (u64::from(n) & mask) << (BITS * at))
}

/// Number `index` of a packed word.
fn part<const BITS: u32>(word: u64, index: usize) -> u32 {
    (word >> (BITS * index as u32)) as u32 & ((1 << BITS) - 1)
}

impl TensorMap {
    pub(crate) fn encode(&self) -> Words {
        let mut words = [0; SIZE / 8];
        let is_im2col = matches!(self.mode, Mode::Im2col { .. });
        words[0] = TAG;
        words[1] = self.address;
        words[2] = pack::<8>(&[
            self.element as u32,
            self.rank as u32,
            self.swizzle,
            self.fills_nan.into(),
            is_im2col.into(),
            self.slice,
        ]);
        words[3..8].copy_from_slice(&self.sizes);
        words[8..12].copy_from_slice(&self.strides[1..]);
        words[12] = pack::<8>(&self.steps);
        match self.mode {
            Mode::Tiled { sides } => words[13] = pack::<12>(&sides),
            Mode::Im2col { lower, upper, channels, pixels } => {
                words[13] = pack::<16>(&lower.map(|n| n as u32));
                words[14] = pack::<16>(&upper.map(|n| n as u32));
                words[15] = pack::<16>(&[channels, pixels]);
            }
        }
        words
    }

    /// The map that some bytes are; `None` if they are none.
    pub(crate) fn decode(words: &Words) -> Option<TensorMap> {
        let field = |index| part::<8>(words[2], index);
        let element = field(0) as usize;
        if words[0] != TAG || element >= ELEMENTS.len() {
            return None;
        }
        let corner = |word: u64| std::array::from_fn(|at| part::<16>(word, at) as i16 as i32);
        let mode = match field(4) {
            0 => Mode::Tiled { sides: std::array::from_fn(|at| part::<12>(words[13], at)) },
            _ => Mode::Im2col {
                lower: corner(words[13]),
                upper: corner(words[14]),
                channels: part::<16>(words[15], 0),
                pixels: part::<16>(words[15], 1),
            },
        };
        let mut strides = [ELEMENTS[element].size().into(); DIMENSIONS];
        strides[1..].copy_from_slice(&words[8..12]);
        Some(TensorMap {
            element,
            rank: field(1) as usize,
            address: words[1],
            sizes: std::array::from_fn(|at| words[3 + at]),
            strides,
            mode,
            steps: std::array::from_fn(|at| part::<8>(words[12], at)),
            swizzle: field(2),
            fills_nan: field(3) != 0,
            slice: field(5),
        })
    }

    /// The elements' type.
    pub(crate) fn ty(&self) -> Type {
        ELEMENTS[self.element]
    }

    /// What loads do to the elements.
    pub(crate) fn conversion(&self) -> Conversion {
        Conversion { rounds: matches!(self.element, ROUNDING | ROUNDING_FLUSHING) }
    }

    /// Whether a dimension counts slices of channels.
    fn counts_slices(&self, dimension: usize) -> bool {
        self.slice > 0 && dimension + 2 == self.rank
    }

    /// Which rule an interleaved layout breaks, in words. The driver makes no such map, but `tensormap.replace` can.
    pub(crate) fn broken_interleave(&self) -> Option<&'static str> {
        let strides = &self.strides[1..self.rank.max(1)];
        match self.slice {
            0 => None,
            _ if self.rank < 3 => Some("an interleaved layout has three to five dimensions"),
            32 if self.swizzle != 32 => Some("slices of 32 bytes need the swizzle of 32 bytes"),
            32 if strides.iter().chain([&self.address]).any(|bytes| bytes % 32 != 0) => {
                Some("slices of 32 bytes need an address and strides that are multiples of 32")
            }
            _ => None,
        }
    }

    /// How many elements a box takes along each dimension: if the layout is interleaved, columns along the first one, and
    /// one slice of channels.
    fn counts(&self, sides: [u32; DIMENSIONS]) -> [u32; DIMENSIONS] {
        std::array::from_fn(|at| match at {
            0 if self.slice == 0 => sides[0],
            _ if self.counts_slices(at) => 1,
            _ if at < self.rank => sides[at].div_ceil(self.steps[at].max(1)),
            _ => 1,
        })
    }

    /// Bytes of a tile in shared memory.
    pub(crate) fn bytes(&self) -> u32 {
        let elements = match self.mode {
            Mode::Tiled { sides } => self.counts(sides).iter().product(),
            // As in a tile, a pixel has one slice.
            Mode::Im2col { pixels, .. } if self.slice > 0 => pixels,
            Mode::Im2col { channels, pixels, .. } => channels * pixels,
        };
        elements * if self.slice > 0 { self.slice } else { self.ty().size() }
    }

    /// Where in shared memory the byte of a tile lies that would be at this address.
    pub(crate) fn swizzled(&self, address: u64) -> u64 {
        let units = u64::from(self.swizzle / 16);
        address ^ ((address >> 7 & (units - 1)) << 4)
    }

    /// Calls `f` with each run of elements that the tensor has: their offset in the tile without swizzle, their
    /// address, and their bytes.
    pub(crate) fn runs(
        &self,
        at: [i32; DIMENSIONS],
        offsets: [u16; 3],
        mut f: impl FnMut(u32, u64, u32),
    ) {
        if self.slice > 0 {
            let one_slice = |number: u32, pixel: [i64; DIMENSIONS]| {
                let is_inside = |along| (0..self.sizes[along] as i64).contains(&pixel[along]);
                if (0..self.rank).all(is_inside) {
                    f(number * self.slice, self.slice_at(pixel), self.slice);
                }
            };
            return match self.mode {
                Mode::Tiled { sides } => self.slices(at, sides, one_slice),
                Mode::Im2col { lower, upper, pixels, .. } => {
                    self.columns(at, offsets, (lower, upper), pixels, one_slice);
                }
            };
        }
        let size = self.ty().size();
        // A row along the first dimension: from `first`, `length` elements, at these other coordinates.
        let mut row = |number: u32, first: i64, length: u32, others: [i64; DIMENSIONS]| {
            let inside = (1..self.rank).all(|at| (0..self.sizes[at] as i64).contains(&others[at]));
            let start = first.max(0);
            let end = (first + i64::from(length)).min(self.sizes[0] as i64);
            if !inside || start >= end {
                return;
            }
            let base: u64 = (1..self.rank).map(|at| others[at] as u64 * self.strides[at]).sum();
            f(
                (number * length + (start - first) as u32) * size,
                self.address + base + start as u64 * u64::from(size),
                (end - start) as u32 * size,
            );
        };
        let first = i64::from(at[0]);
        match self.mode {
            Mode::Tiled { sides } => {
                let counts = self.counts(sides);
                for number in 0..counts[1..].iter().product() {
                    let mut rest = number;
                    let mut others = [0; DIMENSIONS];
                    for dimension in 1..self.rank {
                        let (count, step) = (counts[dimension], self.steps[dimension].max(1));
                        let along = i64::from(rest % count * step);
                        others[dimension] = i64::from(at[dimension]) + along;
                        rest /= count;
                    }
                    row(number, first, counts[0], others);
                }
            }
            Mode::Im2col { lower, upper, channels, pixels } => {
                self.columns(at, offsets, (lower, upper), pixels, |number, pixel| {
                    row(number, first, channels, pixel);
                });
            }
        }
    }

    /// Calls `f` with the number and the coordinates of each pixel of a column: those of the bounding box in turn, each read
    /// `offsets` further on.
    fn columns(
        &self,
        at: [i32; DIMENSIONS],
        offsets: [u16; 3],
        (lower, upper): ([i32; 3], [i32; 3]),
        pixels: u32,
        mut f: impl FnMut(u32, [i64; DIMENSIONS]),
    ) {
        // Dimensions of pixels follow the channels, or are the first ones of an interleaved layout.
        let (from, count, images) = (usize::from(self.slice == 0), self.rank - 2, self.rank - 1);
        let mut pixel = at.map(i64::from);
        for number in 0..pixels {
            let mut read = pixel;
            for (along, offset) in offsets[..count].iter().enumerate() {
                read[from + along] += i64::from(*offset);
            }
            f(number, read);
            // The next pixel of the bounding box, in the next image behind its last one.
            let is_next = (0..count).any(|along| {
                let dimension = from + along;
                pixel[dimension] += i64::from(self.steps[dimension].max(1));
                let end = self.sizes[dimension] as i64 + i64::from(upper[along]);
                let is_inside = pixel[dimension] < end;
                if !is_inside {
                    pixel[dimension] = lower[along].into();
                }
                is_inside
            });
            if !is_next {
                pixel[images] += 1;
            }
        }
    }

    /// The address of a pixel's slice in an interleaved layout.
    fn slice_at(&self, pixel: [i64; DIMENSIONS]) -> u64 {
        (0..self.rank).fold(self.address, |place, along| {
            let stride = if along == 0 { self.slice.into() } else { self.strides[along] };
            place.wrapping_add((pixel[along] as u64).wrapping_mul(stride))
        })
    }

    /// Calls `f` with the number and the coordinates of each pixel of a tile in an interleaved layout.
    fn slices(
        &self,
        at: [i32; DIMENSIONS],
        sides: [u32; DIMENSIONS],
        mut f: impl FnMut(u32, [i64; DIMENSIONS]),
    ) {
        let counts = self.counts(sides);
        for number in 0..counts.iter().product() {
            let (mut rest, mut pixel) = (number, at.map(i64::from));
            for along in 0..self.rank {
                let index = i64::from(rest % counts[along]);
                rest /= counts[along];
                pixel[along] += index * i64::from(self.steps[along].max(1));
            }
            f(number, pixel);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(mode: Mode) -> TensorMap {
        TensorMap {
            element: 1,
            rank: 3,
            address: 0x1000,
            sizes: [8, 3, 2, 0, 0],
            strides: [2, 16, 48, 0, 0],
            mode,
            steps: [1, 1, 1, 1, 1],
            swizzle: 16,
            fills_nan: false,
            slice: 0,
        }
    }

    fn runs(map: &TensorMap, at: [i32; 3], offset: u16) -> Vec<(u32, u64, u32)> {
        let mut found = Vec::new();
        let at = [at[0], at[1], at[2], 0, 0];
        map.runs(at, [offset, 0, 0], |to, from, bytes| found.push((to, from - 0x1000, bytes)));
        found
    }

    #[test]
    fn every_field_survives() {
        let tiled = Mode::Tiled { sides: [256, 1, 2, 0, 0] };
        let corners = ([-128, 127, 0], [-1, 5, -7]);
        let im2col =
            Mode::Im2col { lower: corners.0, upper: corners.1, channels: 256, pixels: 1024 };
        for mode in [tiled, im2col] {
            let map = TensorMap {
                swizzle: 128,
                fills_nan: true,
                steps: [1, 8, 2, 0, 0],
                slice: 32,
                ..map(mode)
            };
            assert_eq!(TensorMap::decode(&map.encode()), Some(map));
        }
        assert_eq!(TensorMap::decode(&[0; 16]), None);
    }

    #[test]
    fn only_what_is_there_is_in_a_tile() {
        let map = map(Mode::Tiled { sides: [8, 2, 1, 0, 0] });
        assert_eq!(map.bytes(), 32);
        assert_eq!(runs(&map, [0, 1, 1], 0), [(0, 64, 16), (16, 80, 16)]);
        assert_eq!(runs(&map, [-3, 2, 0], 0), [(6, 32, 10)]);
        assert_eq!(runs(&map, [6, -1, 0], 0), [(16, 12, 4)]);
        assert_eq!(runs(&map, [0, 0, 2], 0), []);
        let steps = TensorMap {
            steps: [1, 2, 1, 0, 0],
            mode: Mode::Tiled { sides: [8, 3, 1, 0, 0] },
            ..map
        };
        assert_eq!(steps.bytes(), 32);
        assert_eq!(runs(&steps, [0, 0, 0], 0), [(0, 0, 16), (16, 32, 16)]);
    }

    #[test]
    fn tiles_have_one_slice_of_channels() {
        // Two images of two slices and 3 columns; boxes of 2 images.
        let map = TensorMap {
            sizes: [3, 2, 2, 0, 0],
            strides: [2, 48, 96, 0, 0],
            slice: 16,
            ..map(Mode::Tiled { sides: [8, 1, 2, 0, 0] })
        };
        assert_eq!((map.bytes(), map.broken_interleave()), (8 * 2 * 16, None));
        // Whatever the box says, and the step.
        let large = Mode::Tiled { sides: [8, 24, 2, 0, 0] };
        let large = TensorMap { mode: large, steps: [1, 3, 1, 0, 0], ..map };
        let wanted = [(16, 48), (32, 64), (48, 80), (144, 144), (160, 160), (176, 176)];
        let wanted = wanted.map(|(to, from)| (to, from, 16));
        for map in [map, large] {
            assert_eq!(map.bytes(), 8 * 2 * 16);
            assert_eq!(runs(&map, [-1, 1, 0], 0), wanted);
            assert_eq!(runs(&map, [2, 1, 1], 0), [(0, 176, 16)]);
            assert_eq!(runs(&map, [1, 0, -1], 0), [(128, 16, 16), (144, 32, 16)]);
            assert_eq!(runs(&map, [0, 2, 0], 0), []);
            assert_eq!(runs(&map, [0, -1, 0], 0), []);
        }
        let one = TensorMap { mode: Mode::Tiled { sides: [8, 8, 1, 0, 0] }, ..map };
        let steps = TensorMap { steps: [2, 1, 1, 0, 0], ..one };
        assert_eq!(
            (steps.bytes(), runs(&steps, [0, 0, 0], 0)),
            (64, vec![(0, 0, 16), (16, 32, 16)])
        );
    }

    #[test]
    fn interleaved_layouts_have_rules() {
        let good = TensorMap {
            strides: [2, 32, 64, 0, 0],
            swizzle: 32,
            slice: 32,
            ..map(Mode::Tiled { sides: [8, 2, 1, 0, 0] })
        };
        let unused = TensorMap { strides: [2, 32, 64, 48, 0], ..good };
        assert_eq!((good.broken_interleave(), unused.broken_interleave()), (None, None));
        for wrong in [
            TensorMap { rank: 2, ..good },
            TensorMap { swizzle: 16, ..good },
            TensorMap { address: good.address + 16, ..good },
            TensorMap { strides: [2, 32, 48, 0, 0], ..good },
        ] {
            assert!(wrong.broken_interleave().is_some(), "{wrong:?}");
        }
    }

    #[test]
    fn columns_go_round_the_bounding_box() {
        let (lower, upper) = ([-1, 0, 0], [-1, 0, 0]);
        let map = map(Mode::Im2col { lower, upper, channels: 8, pixels: 4 });
        // Pixels -1, 0, 1 of image 0, then -1 of image 1; each shifted by one.
        assert_eq!(
            runs(&map, [0, -1, 0], 1),
            [(0, 0, 16), (16, 16, 16), (32, 32, 16), (48, 48, 16)]
        );
        assert_eq!(runs(&map, [0, 1, 0], 0), [(0, 16, 16), (32, 48, 16), (48, 64, 16)]);
    }

    #[test]
    fn columns_of_slices_go_round_the_bounding_box() {
        // Two images of two slices and 3 pixels. Whatever the channels say, a pixel has one slice.
        let (lower, upper) = ([-1, 0, 0], [-1, 0, 0]);
        let map = TensorMap {
            sizes: [3, 2, 2, 0, 0],
            strides: [2, 48, 96, 0, 0],
            slice: 16,
            ..map(Mode::Im2col { lower, upper, channels: 24, pixels: 4 })
        };
        assert_eq!((map.bytes(), map.broken_interleave()), (64, None));
        // Pixels -1, 0, 1 of image 0, then -1 of image 1; each shifted by one.
        assert_eq!(
            runs(&map, [-1, 1, 0], 1),
            [(0, 48, 16), (16, 64, 16), (32, 80, 16), (48, 144, 16)]
        );
        assert_eq!(runs(&map, [1, 0, 0], 0), [(0, 16, 16), (32, 96, 16), (48, 112, 16)]);
        assert_eq!(runs(&map, [0, 2, 0], 0), []);
    }

    #[test]
    fn conversions_of_f32() {
        let convert =
            |rounds, value: f32| f32::from_bits(Conversion { rounds }.convert(value.to_bits()));
        let unit = 2f32.powi(-10);
        for (value, want) in [
            (1.0 + 0.49 * unit, 1.0),
            (-1.0 - 0.51 * unit, -1.0 - unit),
            (1.0 + 0.5 * unit, 1.0),
            (1.0 + 1.5 * unit, 1.0 + 2.0 * unit),
            (f32::MAX, f32::INFINITY),
            (f32::NEG_INFINITY, f32::NEG_INFINITY),
        ] {
            assert_eq!(convert(true, value), want, "{value}");
            assert_eq!(convert(false, value), value);
        }
        let tiny = -f32::MIN_POSITIVE / 2.0;
        assert_eq!(convert(true, tiny), tiny);
        assert!(convert(true, f32::NAN).is_nan());
    }

    #[test]
    fn swizzle_goes_by_address() {
        let map = map(Mode::Tiled { sides: [8, 2, 1, 0, 0] });
        assert_eq!(map.swizzled(0x6fff), 0x6fff);
        for (swizzle, unit) in [(32, 1), (64, 3), (128, 3)] {
            let mut map = map;
            map.swizzle = swizzle;
            assert_eq!(map.swizzled(3 << 7), 3 << 7 | unit << 4);
        }
    }
}
