//! A bilateral filter (Tomasi, Manduchi 1998): neighbours count by distance and by difference; coordinates are clamped.

use crate::prelude::*;

forms! {
    /// One thread a pixel.
    #[kernel]
    pub fn bilateral(
        width: i32,
        height: i32,
        radius: i32,
        space: f32,
        range: f32,
        input: &[f32],
        mut output: DisjointArray<f32, 2>,
    ) {
        let own = thread::index_2d();
        let (x, y) = (own.x() as i32, own.y() as i32);
        if x >= width || y >= height {
            return;
        }
        let here = at!(input, y * width + x);
        let (mut sum, mut weights) = (0.0, 0.0);
        for dy in -radius..=radius {
            for dx in -radius..=radius {
                let nx = (x + dx).max(0).min(width - 1);
                let ny = (y + dy).max(0).min(height - 1);
                let there = at!(input, ny * width + nx);
                let distance = (dx * dx + dy * dy) as f32;
                let difference = there - here;
                let weight = (-distance * space - difference * difference * range).exp();
                sum += weight * there;
                weights += weight;
            }
        }
        own!(output, own) = sum / weights;
    }
}

/// 2048x2048, radius 4.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h) = (run.size(2048, 40), run.size(2048, 27));
    let (radius, space, range) = (4i32, 0.08f32, 1.5f32);
    let input = run.floats(w * h);
    let want = (0..w * h).map(|i| {
        let (x, y, here) = ((i % w) as i32, (i / w) as i32, input[i]);
        let (mut sum, mut weights) = (0.0f32, 0.0f32);
        for (dy, dx) in (-radius..=radius).flat_map(|dy| (-radius..=radius).map(move |dx| (dy, dx)))
        {
            let (x, y) = ((x + dx).clamp(0, w as i32 - 1), (y + dy).clamp(0, h as i32 - 1));
            let there = input[y as usize * w + x as usize];
            let weight =
                (-((dx * dx + dy * dy) as f32) * space - (there - here).powi(2) * range).exp();
            sum += weight * there;
            weights += weight;
        }
        sum / weights
    });
    let output = Output::new(&vec![f32::NAN; w * h], want.collect())?.within(1e-4);
    let input = DeviceBuffer::from_slice(&input)?;
    compare!(
        run,
        [&output],
        bilateral,
        (w.div_ceil(16), h.div_ceil(16)),
        (16, 16),
        (w as i32, h as i32, radius, space, range, &input, output.buffer().view_mut([h, w]) => output.address())
    )
}
