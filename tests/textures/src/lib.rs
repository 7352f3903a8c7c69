//! What the tests of textures share: pictures on the host, and what a texture of them has at a place, by the host.

#[path = "../../support/src/lib.rs"]
#[allow(dead_code, unreachable_pub, unused_imports)]
mod support;

pub use support::{Rng, alone, images, rng};

use ptyx::AddressMode;

/// A number from 0 to 1.
pub fn share(rng: &mut Rng) -> f32 {
    rng.below(1 << 24) as f32 / (1 << 24) as f32
}

/// A picture of up to three dimensions, x first.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Texels along x, y and z; 1 for dimensions that there are not.
    pub size: [usize; 3],
    /// One number a texel.
    pub texels: Vec<f64>,
}

/// How a picture is read.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// What lies outside.
    pub mode: AddressMode,
    /// Whether texels are blended.
    pub blends: bool,
    /// The border's colour.
    pub border: f64,
}

impl Picture {
    /// Random texels.
    pub fn random(rng: &mut Rng, size: [usize; 3]) -> Picture {
        let texels = rng.vec(size.iter().product(), |rng| f64::from(share(rng)));
        Picture { size, texels }
    }

    /// The texels as `f32`.
    pub fn floats(&self) -> Vec<f32> {
        self.texels.iter().map(|&texel| texel as f32).collect()
    }

    /// The texel with these numbers, which may be outside.
    fn texel(&self, index: [i64; 3], reading: &Reading) -> f64 {
        let mut place = 0;
        for axis in (0..3).rev() {
            let (size, at) = (self.size[axis] as i64, index[axis]);
            let inside = match reading.mode {
                _ if (0..size).contains(&at) => at,
                AddressMode::Clamp => at.clamp(0, size - 1),
                AddressMode::Wrap => at.rem_euclid(size),
                AddressMode::Mirror => {
                    let (turn, rest) = (at.div_euclid(size), at.rem_euclid(size));
                    if turn % 2 == 0 { rest } else { size - 1 - rest }
                }
                AddressMode::Border => return reading.border,
            };
            place = place * self.size[axis] + inside as usize;
        }
        self.texels[place]
    }

    /// What a texture has at a place that counts texels, with exact weights.
    pub fn sample(&self, at: [f64; 3], dimensions: usize, reading: &Reading) -> f64 {
        if !reading.blends {
            let mut index = at.map(|at| at.floor() as i64);
            index[dimensions..].fill(0);
            return self.texel(index, reading);
        }
        let (mut sum, shifted) = (0.0, at.map(|at| at - 0.5));
        for corner in 0..1 << dimensions {
            let (mut index, mut weight) = ([0; 3], 1.0);
            for axis in 0..dimensions {
                let (first, share) = (shifted[axis].floor(), shifted[axis].rem_euclid(1.0));
                let second = corner >> axis & 1 == 1;
                index[axis] = first as i64 + i64::from(second);
                weight *= if second { share } else { 1.0 - share };
            }
            sum += weight * self.texel(index, reading);
        }
        sum
    }
}

/// How far a blend of numbers from 0 to 1 may be off: along each dimension, a weight has 8 bits behind the point, and
/// the documentation does not say how it is rounded.
pub fn tolerance(dimensions: usize) -> f64 {
    dimensions as f64 / 256.0 + 1e-5
}

/// A coordinate that counts texels, up to `reach` outside of `size`, and not close to where the nearest texel changes.
pub fn coordinate(rng: &mut Rng, size: usize, reach: usize) -> f32 {
    let whole = rng.below(size + 2 * reach) as f32 - reach as f32;
    whole + 0.05 + 0.9 * share(rng)
}
