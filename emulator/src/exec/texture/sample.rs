//! Reading textures: filters, levels, layers and faces (CUDA C++ Programming Guide, "Texture Fetching").

use super::coordinates::{STEPS, Wrap, face, nearest, neighbours};
use super::format::linear_light;
use super::{Geometry, Image, Level, Sampler};
use crate::memory::Span;

/// A place in a texture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) at: [f32; 3],
    pub(crate) layer: u32,
    /// In texels of the level that is read.
    pub(crate) offset: [i32; 3],
}

/// A texture with its memory.
pub(crate) struct Texture<'a> {
    pub(crate) image: &'a Image,
    pub(crate) sampler: &'a Sampler,
    pub(crate) span: Span,
}

/// A place in one level: coordinates that count texels, and a layer or face.
struct Spot<'a> {
    level: &'a Level,
    at: [f32; 3],
    layer: u32,
    wrap: [Wrap; 3],
    offset: [i64; 3],
}

impl Texture<'_> {
    /// How many of the dimensions have coordinates.
    fn dimensions(&self) -> usize {
        match self.image.geometry {
            Geometry::Buffer | Geometry::One | Geometry::Layers1 => 1,
            Geometry::Three => 3,
            _ => 2,
        }
    }

    /// Whether it gives integers.
    pub(crate) fn gives_integers(&self) -> bool {
        self.image.format.gives_integers(self.sampler.reads_integers)
    }

    /// The channels of the texel at indices, or of the border.
    fn texel(&self, spot: &Spot<'_>, indices: [i64; 3]) -> [u32; 4] {
        let mut at = [0u32; 3];
        for axis in 0..self.dimensions() {
            let index = indices[axis] + spot.offset[axis];
            match spot.wrap[axis].texel(index, spot.level.size[axis]) {
                Some(found) => at[axis] = found,
                None => return self.sampler.border.map(f32::to_bits),
            }
        }
        if self.image.geometry.is_layered() {
            at[2] = spot.layer;
        }
        let [x, y, z] = at.map(u64::from);
        let (level, format) = (spot.level, self.image.format);
        let row = z * u64::from(level.size[1]) + y;
        let offset = level.offset + row * level.pitch + x * u64::from(format.bytes());
        let from = self.image.address + offset - self.span.base;
        // SAFETY: the span holds all of the image, and indices lie within the level.
        let texel = unsafe { format.read(self.span.data.wrapping_add(from as usize)) };
        if self.gives_integers() {
            return texel;
        }
        let mut floats = texel.map(|bits| format.to_float(bits));
        if self.sampler.is_srgb {
            floats[..3].iter_mut().for_each(|colour| *colour = linear_light(*colour));
        }
        floats.map(f32::to_bits)
    }

    /// The coordinates of a place in a level.
    fn spot<'l>(&self, level: &'l Level, place: Place) -> Spot<'l> {
        let Place { mut at, layer, offset } = place;
        let mut wrap = self.sampler.wrap;
        let is_cube = matches!(self.image.geometry, Geometry::Cube | Geometry::Cubes);
        let layer = if is_cube {
            let (face, [s, t]) = face(at);
            (at, wrap) = ([s, t, 0.0], [Wrap::Clamp; 3]);
            layer.min((level.size[2] / 6).saturating_sub(1)) * 6 + face
        } else {
            layer.min(level.size[2] - 1)
        };
        if self.sampler.is_normalized || is_cube {
            for (at, &size) in at.iter_mut().zip(&level.size).take(self.dimensions()) {
                *at *= size as f32;
            }
        } else {
            // Only normalised coordinates repeat.
            let clamped = |wrap| if wrap == Wrap::Border { wrap } else { Wrap::Clamp };
            wrap = wrap.map(clamped);
        }
        Spot { level, at, layer, wrap, offset: offset.map(i64::from) }
    }

    /// What a level has at a place.
    fn level(&self, number: usize, place: Place) -> [f64; 4] {
        let spot = self.spot(&self.image.levels[number], place);
        if !self.sampler.is_linear {
            let texel = self.texel(&spot, spot.at.map(nearest));
            return texel.map(|bits| f32::from_bits(bits).into());
        }
        let near = spot.at.map(neighbours);
        let mut sums = [0.0; 4];
        for corner in 0..1usize << self.dimensions() {
            let (mut indices, mut weight) = ([0; 3], 1.0);
            for axis in 0..self.dimensions() {
                let (first, steps) = near[axis];
                let second = corner >> axis & 1 == 1;
                indices[axis] = first + i64::from(second);
                weight *= (if second { steps } else { STEPS - steps }) as f64 / STEPS as f64;
            }
            // A texel without weight is not read: it may be infinite.
            if weight > 0.0 {
                let texel = self.texel(&spot, indices);
                for (sum, bits) in sums.iter_mut().zip(texel) {
                    *sum += weight * f64::from(f32::from_bits(bits));
                }
            }
        }
        // One dimension is a single row at coordinate 0, between its own texels and those above (seen on an H200).
        if self.dimensions() == 1 && spot.wrap[1] == Wrap::Border {
            for (sum, border) in sums.iter_mut().zip(self.sampler.border) {
                *sum = (*sum + f64::from(border)) / 2.0;
            }
        }
        sums
    }

    /// What the texture has at a place, in bits.
    pub(crate) fn fetch(&self, place: Place, detail: f32) -> [u32; 4] {
        let [least, most] = self.sampler.mip_range;
        let last = self.image.levels.len() - 1;
        let detail = (detail + self.sampler.mip_bias).max(least).min(most);
        let detail = detail.max(0.0).min(last as f32);
        if self.gives_integers() {
            let spot = self.spot(&self.image.levels[(detail + 0.5) as usize], place);
            return self.texel(&spot, spot.at.map(nearest));
        }
        let found = if self.sampler.mip_linear {
            let steps = (f64::from(detail) * STEPS as f64).round() as i64;
            let (first, steps) = ((steps / STEPS) as usize, steps % STEPS);
            let share = steps as f64 / STEPS as f64;
            let mut found = self.level(first, place);
            if steps > 0 {
                let second = self.level(first + 1, place);
                for (value, other) in found.iter_mut().zip(second) {
                    *value += (other - *value) * share;
                }
            }
            found
        } else {
            self.level((detail + 0.5) as usize, place)
        };
        found.map(|value| (value as f32).to_bits())
    }

    /// The texel with a number; zeros outside.
    pub(crate) fn element(&self, number: [i32; 3], layer: u32) -> [u32; 4] {
        let level = &self.image.levels[0];
        let inside =
            |axis: usize| (0..i64::from(level.size[axis])).contains(&i64::from(number[axis]));
        if !(0..self.dimensions()).all(inside) {
            return [0; 4];
        }
        let layer = layer.min(level.size[2] - 1);
        let (at, wrap, offset) = ([0.0; 3], [Wrap::Clamp; 3], [0; 3]);
        let spot = Spot { level, at, layer, wrap, offset };
        self.texel(&spot, number.map(i64::from))
    }

    /// One channel of the four texels next to a place: lower left, lower right, upper right, upper left, where the
    /// rows go down.
    pub(crate) fn gather(&self, place: Place, channel: usize) -> [u32; 4] {
        let spot = self.spot(&self.image.levels[0], place);
        let [(x, _), (y, _), _] = spot.at.map(neighbours);
        let corners = [[0, 1], [1, 1], [1, 0], [0, 0]];
        corners.map(|[right, down]| self.texel(&spot, [x + right, y + down, 0])[channel])
    }

    /// The level of detail for the distances to the next pixels, along and across.
    pub(crate) fn detail(&self, along: [f32; 3], across: [f32; 3]) -> f32 {
        let size = self.image.levels[0].size;
        let length = |step: [f32; 3]| {
            let texels = (0..self.dimensions()).map(|axis| {
                let texels = if self.sampler.is_normalized { size[axis] as f32 } else { 1.0 };
                let step = step[axis] * texels;
                step * step
            });
            texels.sum::<f32>().sqrt()
        };
        length(along).max(length(across)).log2()
    }
}
