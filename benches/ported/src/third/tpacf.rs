//! How many pairs of stars are how far apart, after Parboil's tpacf: stars of a catalogue and of random ones, the bin
//! of a pair by bisection, the histogram of a block in shared memory.

use crate::prelude::*;

/// A direction.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C)]
pub struct Star {
    x: f32,
    y: f32,
    z: f32,
}

forms! {
    /// Blocks of 128 stars along x, random catalogues along y. `edge` has the cosines of the bins' borders, the largest
    /// first, one more than there are bins.
    #[kernel]
    pub fn tpacf(
        stars: i32,
        bins: i32,
        edge: &[f32],
        star: &[Star],
        random: &[Star],
        count: Atomics<u32>,
        phase: Phase,
    ) {
        let tile = phased!([Star; 128]);
        let edges = cells!([f32; 64], 0.0);
        let histogram = shared!([u32; 64]).atomics(0);
        let mut writing = phase;
        let t = thread::x() as i32;
        if t <= bins {
            set!(edges, t, at!(edge, t));
        }
        block::sync();
        let i = block::x() as i32 * 128 + t;
        let first = block::y() as i32 * stars;
        let own = if i < stars { at!(star, i) } else { Star { x: 0.0, y: 0.0, z: 0.0 } };
        let mut base = 0;
        while base < stars {
            if base + t < stars {
                tile.set(&mut writing, [0], at!(random, first + base + t));
            }
            let reading = writing.sync();
            if i < stars {
                for j in 0..(stars - base).min(128) {
                    let other = tile.get(&reading, [j as Ix as usize]);
                    let cosine = own.x * other.x + own.y * other.y + own.z * other.z;
                    let (mut low, mut high) = (0, bins);
                    while high > low + 1 {
                        let middle = (low + high) / 2;
                        if cosine >= get!(edges, middle) {
                            high = middle;
                        } else {
                            low = middle;
                        }
                    }
                    bump!(histogram, low, 1);
                }
            }
            writing = reading.sync();
            base += 128;
        }
        block::sync();
        if t < bins {
            bump!(count, block::y() as i32 * bins + t, value!(histogram, t));
        }
    }
}

/// 4096 stars, 8 random catalogues, 20 bins.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (stars, sets, bins) = (run.size(4096, 300), run.size(8, 2), 20);
    // Multiples of 2^-11, so that cosines are exact.
    let mut catalogue = |count: usize| -> Vec<Star> {
        let numbers = run.floats(3 * count);
        numbers
            .as_chunks::<3>()
            .0
            .iter()
            .map(|&[x, y, z]| {
                let scale = 2040.0 / (x * x + y * y + z * z).sqrt().max(1e-3);
                let [x, y, z] = [x, y, z].map(|a| (a * scale).round() / 2048.0);
                Star { x, y, z }
            })
            .collect()
    };
    let (star, random) = (catalogue(stars), catalogue(sets * stars));
    let edge: Vec<f32> =
        (0..=bins).map(|k| (k as f32 / bins as f32 * std::f32::consts::PI).cos()).collect();
    let mut want = vec![0u32; sets * bins];
    for (set, random) in random.chunks(stars).enumerate() {
        for (a, b) in star.iter().flat_map(|a| random.iter().map(move |b| (a, b))) {
            let cosine = a.x * b.x + a.y * b.y + a.z * b.z;
            // The last bin has all that is left.
            let bin = (1..bins).find(|k| cosine >= edge[*k]).unwrap_or(bins) - 1;
            want[set * bins + bin] += 1;
        }
    }
    let count = Output::new(&vec![0; want.len()], want)?;
    let edge = DeviceBuffer::from_slice(&edge)?;
    let (star, random) = (DeviceBuffer::from_slice(&star)?, DeviceBuffer::from_slice(&random)?);
    compare!(
        run,
        [&count],
        tpacf,
        (stars.div_ceil(128), sets),
        128,
        (stars as i32, bins as i32, &edge, &star, &random, &mut *count.buffer(), shared::PHASES)
    )
}
