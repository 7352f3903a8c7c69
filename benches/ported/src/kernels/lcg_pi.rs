//! Random points in the unit square, counted if they lie in the circle: a linear congruential generator a thread, a
//! tree sum a block.

use crate::prelude::*;

forms! {
    /// The next state of a generator (Knuth's MMIX).
    #[inline(always)]
    fn next(state: u64) -> u64 {
        state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407)
    }

    /// 256 threads a block, `points` points a thread.
    #[kernel]
    pub fn lcg_pi(points: i32, seed: &[u64], mut inside: Parts<u32, by::BlockLeader>) {
        let counts = cells!([u32; 256], 0);
        let t = thread::x() as Ix;
        let mut state = at!(seed, block::x() as Ix * 256 + t);
        let mut count = 0;
        for _ in 0..points {
            state = next(state);
            let x = (state >> 40) as f32 / 16777216.0;
            state = next(state);
            let y = (state >> 40) as f32 / 16777216.0;
            if x * x + y * y < 1.0 {
                count += 1;
            }
        }
        set!(counts, t, count);
        block::sync();
        let mut half = 128;
        while half > 0 {
            if t < half {
                set!(counts, t, get!(counts, t) + get!(counts, t + half));
            }
            block::sync();
            half /= 2;
        }
        if let Some(inside) = inside.own() {
            *inside = get!(counts, 0);
        }
    }
}

/// 2^18 threads, 256 points each.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (blocks, points) = (run.size(1 << 10, 3), run.size(256, 50));
    let seed: Vec<u64> = (0..256 * blocks).map(|_| run.rng.next_u64()).collect();
    let next =
        |state: u64| state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    let want = seed.chunks(256).map(|seeds| {
        let mut count = 0;
        for &seed in seeds {
            let mut state = seed;
            let mut number = || {
                state = next(state);
                (state >> 40) as f32 / 16777216.0
            };
            count += (0..points)
                .filter(|_| {
                    let (x, y) = (number(), number());
                    f64::from(x).powi(2) + f64::from(y).powi(2) < 1.0
                })
                .count() as u32;
        }
        count
    });
    // A sum of squares may be rounded to 1: about one point in 10^7.
    let inside = Output::new(&vec![0; blocks], want.collect())?.within(1e-4);
    let seed = DeviceBuffer::from_slice(&seed)?;
    compare!(run, [&inside], lcg_pi, blocks, 256, (points as i32, &seed, &mut *inside.buffer()))
}
