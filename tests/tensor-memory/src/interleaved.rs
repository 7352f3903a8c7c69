//! Images whose channels lie in slices, as plain loops have them: `[n][c][h][w]`, in memory `[n][c / 8][h][w][8]`.

use crate::Rng;

/// Images in memory. Numbers are for images, channels, and one to three dimensions of pixels.
#[derive(Clone, Debug)]
pub struct Images {
    /// Images, channels, pixels along each dimension.
    pub size: Vec<usize>,
    /// In elements: from image to image, slice to slice, row to row, column to column.
    pub strides: Vec<usize>,
    /// Which images and pixels tiles take.
    pub steps: Vec<usize>,
    /// Channels of a slice.
    pub slice: usize,
}

impl Images {
    /// Images with `gaps` times a slice's bytes between rows, slices and images.
    pub fn new(size: &[usize], slice: usize, mut gap: impl FnMut() -> usize) -> Images {
        let (mut strides, mut stride) = (vec![0; size.len()], slice);
        for at in (2..size.len()).rev() {
            strides[at] = stride;
            stride *= size[at];
            if at > 2 {
                stride += gap() * slice;
            }
        }
        strides[1] = stride + gap() * slice;
        strides[0] = strides[1] * size[1].div_ceil(slice) + gap() * slice;
        Images { size: size.to_vec(), strides, steps: vec![1; size.len()], slice }
    }

    /// Random ones, for tiles with these sides: smaller and larger ones.
    pub fn random(rng: &mut Rng, sides: &[usize], slice: usize, max_step: usize) -> Images {
        let mut steps = vec![1; sides.len()];
        let last = sides.len() - 1;
        for at in (0..last).filter(|at| *at != 1) {
            steps[at] = 1 + rng.below(max_step);
        }
        let random = |(side, step)| 1 + rng.below(2 * side * step + 2);
        let size: Vec<usize> = sides.iter().zip(&steps).map(random).collect();
        Images { steps, ..Images::new(&size, slice, || rng.below(3)) }
    }

    /// The same with whole slices of channels.
    pub fn whole(&self) -> Images {
        let mut whole = self.clone();
        whole.size[1] = whole.size[1].next_multiple_of(self.slice);
        whole
    }

    /// Elements up to the end of the last slice.
    pub fn len(&self) -> usize {
        let places = (0..self.size.len()).map(|at| match at {
            1 => self.size[1].div_ceil(self.slice),
            _ => self.size[at],
        });
        let last: usize =
            places.zip(&self.strides).map(|(count, stride)| (count - 1) * stride).sum();
        last + self.slice
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Where an element is, if its slice is there: also one of the channels that fill the last slice.
    pub fn place(&self, at: &[i64]) -> Option<usize> {
        let (slice, mut place) = (self.slice as i64, 0);
        for (dimension, (&at, &size)) in at.iter().zip(&self.size).enumerate() {
            let (at, size) = match dimension {
                1 => (at.div_euclid(slice), size.div_ceil(self.slice)),
                _ => (at, size),
            };
            if at < 0 || at >= size as i64 {
                return None;
            }
            place += at as usize * self.strides[dimension];
        }
        Some(place + at[1].rem_euclid(slice) as usize)
    }

    /// Whether this element is one of the channels that fill the last slice, which must be zero.
    pub fn is_padding(&self, at: &[i64]) -> bool {
        self.place(at).is_some() && at[1] >= self.size[1] as i64
    }

    /// The coordinates of a tile's element.
    pub fn coordinates(&self, from: &[i32], index: &[usize]) -> Vec<i64> {
        let each = from.iter().zip(index).zip(&self.steps);
        each.map(|((from, index), step)| i64::from(*from) + (index * step) as i64).collect()
    }

    /// Where a tile may begin: inside, over each edge, and outside.
    pub fn starts(&self, rng: &mut Rng, sides: &[usize]) -> Vec<i32> {
        let mut start = |at: usize| {
            let (size, reach) = (self.size[at], sides[at] * self.steps[at]);
            rng.below(size + reach + 2) as i32 - reach as i32 - 1
        };
        let mut starts: Vec<i32> = (0..sides.len()).map(&mut start).collect();
        let slice = self.slice as i32;
        starts[1] = starts[1].div_euclid(slice) * slice;
        starts
    }
}

/// The indices of a tile's elements, in the order of shared memory without swizzle.
pub fn order(sides: &[usize], slice: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    let pixels: usize = sides[2..].iter().product();
    for image in 0..sides[0] {
        for first in (0..sides[1]).step_by(slice) {
            for mut pixel in 0..pixels {
                let mut index = vec![image, 0];
                let mut along: Vec<usize> = Vec::new();
                for side in sides[2..].iter().rev() {
                    along.push(pixel % side);
                    pixel /= side;
                }
                index.extend(along.into_iter().rev());
                for channel in first..first + slice {
                    index[1] = channel;
                    all.push(index.clone());
                }
            }
        }
    }
    all
}
