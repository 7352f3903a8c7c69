//! Gradient noise in two dimensions (Perlin 2002), several octaves a pixel, with the permutation in a table.

use crate::prelude::*;

forms! {
    /// From 0 to 1, with flat ends.
    #[inline(always)]
    fn fade(t: f32) -> f32 {
        t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
    }

    #[inline(always)]
    fn blend(t: f32, a: f32, b: f32) -> f32 {
        a + t * (b - a)
    }

    /// One of eight gradients, at `(x, y)`.
    #[inline(always)]
    fn gradient(hash: i32, x: f32, y: f32) -> f32 {
        let (u, v) = if hash & 4 == 0 { (x, y) } else { (y, x) };
        (if hash & 1 == 0 { u } else { -u }) + (if hash & 2 == 0 { 2.0 * v } else { -2.0 * v })
    }

    /// The noise at `(x, y)`.
    #[inline(always)]
    fn noise(table: &[u8], x: f32, y: f32) -> f32 {
        let (x0, y0) = (x.floor(), y.floor());
        let (xi, yi) = (x0 as i32 & 255, y0 as i32 & 255);
        let (fx, fy) = (x - x0, y - y0);
        let a = at!(table, xi) as i32 + yi;
        let b = at!(table, (xi + 1) & 255) as i32 + yi;
        let aa = at!(table, a & 255) as i32;
        let ab = at!(table, (a + 1) & 255) as i32;
        let ba = at!(table, b & 255) as i32;
        let bb = at!(table, (b + 1) & 255) as i32;
        let u = fade(fx);
        let top = blend(u, gradient(aa, fx, fy), gradient(ba, fx - 1.0, fy));
        let bottom = blend(u, gradient(ab, fx, fy - 1.0), gradient(bb, fx - 1.0, fy - 1.0));
        blend(fade(fy), top, bottom)
    }

    /// One thread a pixel.
    #[kernel]
    pub fn perlin(
        width: i32,
        height: i32,
        octaves: i32,
        scale: f32,
        table: &[u8],
        mut image: DisjointArray<f32, 2>,
    ) {
        let own = thread::index_2d();
        let (x, y) = (own.x() as i32, own.y() as i32);
        if x >= width || y >= height {
            return;
        }
        let (mut sum, mut weight, mut frequency) = (0.0f32, 1.0f32, scale);
        for _ in 0..octaves {
            sum += weight * noise(table, x as f32 * frequency, y as f32 * frequency);
            weight *= 0.5;
            frequency *= 2.0;
        }
        own!(image, own) = sum;
    }
}

/// The noise in 64 bits, as a sum over the corners.
fn reference(table: &[u8], x: f64, y: f64) -> f64 {
    let fade = |t: f64| 6.0 * t.powi(5) - 15.0 * t.powi(4) + 10.0 * t.powi(3);
    let mut sum = 0.0;
    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let (cx, cy) = (x.floor() as usize + dx, y.floor() as usize + dy);
        let hash = table[(usize::from(table[cx % 256]) + cy) % 256];
        let (fx, fy) = (x - cx as f64, y - cy as f64);
        let sign = |bit: u8| if hash & bit == 0 { 1.0 } else { -1.0 };
        let (u, v) = if hash & 4 == 0 { (fx, fy) } else { (fy, fx) };
        sum += (1.0 - fade(fx.abs())) * (1.0 - fade(fy.abs())) * (sign(1) * u + 2.0 * sign(2) * v);
    }
    sum
}

/// 4096x3000, four octaves.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h, octaves) = (run.size(4096, 70), run.size(3000, 45), 4);
    let mut table: Vec<u8> = (0..=255).collect();
    for i in (1..256).rev() {
        table.swap(i, (run.rng.next_u64() % (i as u64 + 1)) as usize);
    }
    let scale = run.between(0.01, 0.1, 1)[0];
    let want = (0..w * h).map(|i| {
        let octave = |k: i32| {
            let frequency = f64::from(scale) * 2f64.powi(k);
            let at = |i: usize| i as f64 * frequency;
            reference(&table, at(i % w), at(i / w)) * 0.5f64.powi(k)
        };
        (0..octaves).map(octave).sum::<f64>() as f32
    });
    // Coordinates up to 3300 are rounded to about 1/8000.
    let image = Output::new(&vec![f32::NAN; w * h], want.collect())?.within(1e-2);
    let table = DeviceBuffer::from_slice(&table)?;
    let blocks = (w.div_ceil(32), h.div_ceil(8));
    compare!(
        run,
        [&image],
        perlin,
        blocks,
        (32, 8),
        (
            w as i32,
            h as i32,
            octaves,
            scale,
            &table,
            image.buffer().view_mut([h, w]) => image.address()
        )
    )
}
