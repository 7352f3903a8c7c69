//! Columns of pixels of images whose channels lie in slices, as plain loops have them.

use crate::Rng;

/// A column of pixels of images in memory: `[n][slice][h][w][channels]`, or with one or three dimensions of pixels.
#[derive(Clone, Debug)]
pub struct Column {
    /// Images, slices, pixels along each dimension.
    pub size: Vec<usize>,
    /// Channels of a slice.
    pub slice: usize,
    /// The bounding box's first pixel, and what is added to the last one of the image.
    pub lower: Vec<i32>,
    /// See `lower`.
    pub upper: Vec<i32>,
    /// Which pixels of the box are taken.
    pub steps: Vec<usize>,
    /// The image, the slice, the first pixel.
    pub from: Vec<i32>,
    /// The place of a filter's element.
    pub offsets: Vec<u16>,
}

impl Column {
    /// A random one of images with `N` dimensions of pixels. If it is stored, its box begins inside of the image, without
    /// offsets.
    pub fn random<const N: usize>(rng: &mut Rng, slice: usize, is_stored: bool) -> Column {
        let mut size = vec![1 + rng.below(4), 1 + rng.below(4)];
        size.extend((0..N).map(|_| 3 + rng.below(5)));
        let (mut lower, mut upper, mut offsets) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..N {
            let filter = 1 + rng.below(3);
            let padding = if is_stored { 0 } else { rng.below(3) };
            lower.push(-(padding as i32));
            upper.push(padding as i32 - (filter as i32 - 1));
            offsets.push(if is_stored { 0 } else { rng.below(filter) as u16 });
        }
        let steps = (0..N).map(|_| 1 + rng.below(3)).collect();
        let mut column = Column { size, slice, lower, upper, steps, from: Vec::new(), offsets };
        column.from = vec![rng.below(column.size[0]) as i32, rng.below(column.size[1]) as i32];
        if !is_stored && rng.below(4) == 0 {
            column.from[1] = [-1, column.size[1] as i32][rng.below(2)];
        }
        let places = column.places();
        column.from.extend(&places[rng.below(places.len())]);
        column
    }

    /// Every pixel of the bounding box of an image, row by row.
    fn places(&self) -> Vec<Vec<i32>> {
        let mut all = vec![Vec::new()];
        for (along, (&lower, &upper)) in self.lower.iter().zip(&self.upper).enumerate() {
            let end = self.size[2 + along] as i32 + upper;
            let positions: Vec<i32> = (lower..end).step_by(self.steps[along]).collect();
            all = all
                .iter()
                .flat_map(|outer| positions.iter().map(|&at| [&outer[..], &[at]].concat()))
                .collect();
        }
        all
    }

    /// Where the first channel of each of `count` pixels is, if the tensor has it.
    pub fn pixels(&self, count: usize) -> Vec<Option<usize>> {
        let places = self.places();
        let start = places.iter().position(|place| place[..] == self.from[2..]);
        let start = start.expect("the first pixel is one of the box");
        (start..start + count)
            .map(|number| {
                let image = self.from[0] + (number / places.len()) as i32;
                let pixel = places[number % places.len()].iter().zip(&self.offsets);
                let pixel = pixel.map(|(&at, &offset)| at + i32::from(offset));
                let all = [image, self.from[1]].into_iter().chain(pixel);
                let place = all.zip(&self.size).try_fold(0, |place, (at, &size)| {
                    (0..size as i32).contains(&at).then(|| place * size + at as usize)
                });
                place.map(|place| place * self.slice)
            })
            .collect()
    }

    /// Elements of all images.
    pub fn len(&self) -> usize {
        self.size.iter().product::<usize>() * self.slice
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        false
    }
}
