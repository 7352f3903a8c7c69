//! Images whose channels lie in slices, as plain loops have them: `[n][slice][h][w][8]` in memory. Tiles have one slice.

use crate::Rng;

/// Images in memory. Numbers are for images, slices of channels, and one to three dimensions of pixels.
#[derive(Clone, Debug)]
pub struct Images {
    /// Images, slices, pixels along each dimension.
    pub size: Vec<usize>,
    /// In elements: from image to image, slice to slice, row to row, column to column.
    pub strides: Vec<usize>,
    /// Which images and pixels tiles take. The step along the slices means nothing.
    pub steps: Vec<usize>,
    /// Channels of a slice.
    pub slice: usize,
}

impl Images {
    /// Images with `gaps` times a slice's bytes between rows, slices and images.
    pub fn new(size: &[usize], slice: usize, mut gap: impl FnMut() -> usize) -> Images {
        let (mut strides, mut stride) = (vec![0; size.len()], slice);
        for at in (0..size.len()).rev() {
            strides[at] = stride;
            stride = stride * size[at] + gap() * slice;
        }
        Images { size: size.to_vec(), strides, steps: vec![1; size.len()], slice }
    }

    /// Random ones, for tiles with these sides: smaller and larger ones.
    pub fn random(rng: &mut Rng, sides: &[usize], slice: usize, max_step: usize) -> Images {
        let steps: Vec<usize> = sides.iter().map(|_| 1 + rng.below(max_step)).collect();
        let mut size: Vec<usize> = sides
            .iter()
            .zip(&steps)
            .map(|(side, step)| 1 + rng.below(2 * side * step + 2))
            .collect();
        size[1] = 1 + rng.below(5);
        Images { steps, ..Images::new(&size, slice, || rng.below(3)) }
    }

    /// Elements up to the end of the last slice.
    pub fn len(&self) -> usize {
        let last: usize =
            self.size.iter().zip(&self.strides).map(|(count, stride)| (count - 1) * stride).sum();
        last + self.slice
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Where the element of a tile is that begins `from` there, if the tensor has it. The tile's second index is the channel of
    /// its slice.
    pub fn place(&self, from: &[i32], index: &[usize]) -> Option<usize> {
        let mut place = index[1];
        for (dimension, &size) in self.size.iter().enumerate() {
            let mut at = i64::from(from[dimension]);
            if dimension != 1 {
                at += (index[dimension] * self.steps[dimension]) as i64;
            }
            if at < 0 || at >= size as i64 {
                return None;
            }
            place += at as usize * self.strides[dimension];
        }
        Some(place)
    }

    /// Where a tile may begin: inside, over each edge, and outside.
    pub fn starts(&self, rng: &mut Rng, sides: &[usize]) -> Vec<i32> {
        let mut start = |at: usize| {
            let reach = if at == 1 { 1 } else { sides[at] * self.steps[at] };
            rng.below(self.size[at] + reach + 2) as i32 - reach as i32 - 1
        };
        (0..sides.len()).map(&mut start).collect()
    }
}

/// The indices of a tile's elements, in the order of shared memory without swizzle.
pub fn order(sides: &[usize]) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    let pixels: usize = sides[2..].iter().product();
    for image in 0..sides[0] {
        for mut pixel in 0..pixels {
            let mut along: Vec<usize> = Vec::new();
            for side in sides[2..].iter().rev() {
                along.push(pixel % side);
                pixel /= side;
            }
            for channel in 0..sides[1] {
                let mut index = vec![image, channel];
                index.extend(along.iter().rev());
                all.push(index);
            }
        }
    }
    all
}
