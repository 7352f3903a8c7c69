//! A step of the labelling of an image's connected regions by label equivalence (Hawick, Leist, Playne 2010): a pixel
//! that sees a lower label of its colour tells so to its own label.

use crate::prelude::*;

forms! {
    /// One thread a pixel; pixels have eight neighbours.
    #[kernel]
    pub fn label_propagate(
        width: i32,
        height: i32,
        image: &[u8],
        label: &[i32],
        reference: Atomics<i32>,
        changed: Atomics<i32>,
    ) {
        let x = (block::x() * block::dim_x() + thread::x()) as i32;
        let y = (block::y() * block::dim_y() + thread::y()) as i32;
        if x >= width || y >= height {
            return;
        }
        let i = y * width + x;
        let colour = at!(image, i);
        let own = at!(label, i);
        let mut least = own;
        for dy in -1..=1 {
            for dx in -1..=1 {
                let (nx, ny) = (x + dx, y + dy);
                if nx < 0 || nx >= width || ny < 0 || ny >= height {
                    continue;
                }
                let j = ny * width + nx;
                if at!(image, j) == colour {
                    least = least.min(at!(label, j));
                }
            }
        }
        if least < own {
            atom!(reference, own).fetch_min(least);
            store!(changed, 0, 1);
        }
    }
}

/// 8192x4096 pixels of three colours, after a pass along rows.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h) = (run.size(8192, 70), run.size(4096, 45));
    let image: Vec<u8> = run.below(3, w * h).into_iter().map(|x| x as u8).collect();
    // In each row, the first pixel of a run of one colour.
    let mut label: Vec<i32> = (0..(w * h) as i32).collect();
    for i in (0..w * h).filter(|i| i % w != 0) {
        if image[i] == image[i - 1] {
            label[i] = label[i - 1];
        }
    }
    let mut want: Vec<i32> = (0..(w * h) as i32).collect();
    // Each pair of neighbours of one colour, once: to the right, and the three below.
    for i in 0..w * h {
        let (x, y) = (i % w, i / w);
        let right = (x + 1 < w).then_some(i + 1);
        let below = (y + 1 < h).then_some(x.saturating_sub(1)..(x + 2).min(w));
        let below = below.into_iter().flatten().map(|x| (y + 1) * w + x);
        for j in right.into_iter().chain(below).filter(|j| image[*j] == image[i]) {
            let (low, high) = (label[i].min(label[j]), label[i].max(label[j]));
            want[high as usize] = want[high as usize].min(low);
        }
    }
    let changed = want.iter().zip(0..).any(|(want, i)| *want != i);
    let reference = Output::new(&(0..(w * h) as i32).collect::<Vec<_>>(), want)?;
    let changed = Output::new(&[0], vec![i32::from(changed)])?;
    let (image, label) = (DeviceBuffer::from_slice(&image)?, DeviceBuffer::from_slice(&label)?);
    compare!(
        run,
        [&reference, &changed],
        label_propagate,
        (w.div_ceil(32), h.div_ceil(8)),
        (32, 8),
        (
            w as i32,
            h as i32,
            &image,
            &label,
            &mut *reference.buffer(),
            &mut *changed.buffer()
        )
    )
}
