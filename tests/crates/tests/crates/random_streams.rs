//! `ptyx::device::random` on the device and on the host, and under `rand` and `rand_distr`, which draw from it
//! through the feature `rand_core`.
//!
//! Nothing is fused in this package (`build.rs`); `tests/tests/run/random_numbers.rs` is in one where it is.

use ptyx::device::random::{
    Generator, Permutation, Philox, Philox4x32, Random, Threefry2x64, Threefry4x32, Threefry32,
    Threefry64,
};
use ptyx::prelude::*;
use ptyx_crate_tests::{images, rng, same_on_both};
use rand::distr::{Distribution, Uniform};
use rand::seq::SliceRandom;
use rand::{Rng as _, SeedableRng};
use rand_distr::{Gamma, StandardNormal};

same_on_both! {
    fn words(seed: [u64; 3]) -> ([u32; 4], u64, [u32; 5], [u64; 2], u64) {
        let mut rng = Philox4x32::at(seed[0], seed[1], seed[2]);
        let four = rng.next_u32x4();
        rng.skip(seed[2] % 13);
        let mut threefry = Threefry4x32::at(seed[0], seed[1], seed[2]);
        threefry.skip_subsequences(seed[2]);
        let mut wide = Threefry2x64::at(seed[0], seed[1], seed[2]);
        let threefry = [(); 5].map(|()| threefry.next_u32());
        (four, rng.next_u64(), threefry, [wide.next_u64(), wide.next_u64()], rng.position())
    }

    fn floats(seed: u64) -> ([f32; 4], [f32; 4], [f32; 3], [[f64; 2]; 3]) {
        let mut rng = Philox4x32::new(seed);
        (
            rng.uniform4(),
            rng.normal4(),
            [rng.open_closed(), rng.log_normal(0.5, 0.25), rng.exponential(2.0)],
            [
                [rng.uniform(), rng.open_closed()],
                rng.normal2(),
                [rng.log_normal(0.5, 0.25), rng.exponential(2.0)],
            ],
        )
    }

    fn integers(seed: u64) -> ([u32; 3], [i64; 2], [u8; 9], [bool; 2], i8, u64) {
        let mut rng = Philox4x32::new(seed);
        let mean = rng.uniform::<f64>();
        let counts = [rng.poisson(mean * 10.0), rng.poisson(mean * 1000.0 + 10.0), rng.below(3 << 30)];
        let mut order = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        rng.shuffle(&mut order);
        (
            counts,
            [rng.range(-1 << 62..1 << 62), rng.range(-7..8)],
            order,
            [rng.bernoulli(0.3f32), rng.bernoulli(0.7f64)],
            rng.choose(&[1, 1, 2, 3, 5, 8, 13]).copied().unwrap_or_default(),
            rng.position(),
        )
    }

    within 1e-12 fn distributions_of_crates(seed: u64) -> (f32, u32, f64, [u8; 7], [f64; 2], u64) {
        let mut rng = Philox4x32::seed_from_u64(seed);
        let mut order = [1, 2, 3, 4, 5, 6, 7];
        SliceRandom::shuffle(&mut order[..], &mut rng);
        (
            rng.random(),
            rng.random_range(3..77),
            Uniform::new(-1.0, 2.5).unwrap().sample(&mut rng),
            order,
            [StandardNormal.sample(&mut rng), Gamma::new(2.0, 1.5).unwrap().sample(&mut rng)],
            rng.position(),
        )
    }
}

/// What one thread draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceCopy)]
struct Drawn {
    hits: u32,
    sum: f32,
    double: f64,
    last: u32,
}

fn draw<P: Permutation>(rng: &mut Generator<P>, n: u32) -> Drawn {
    let mut drawn = Drawn::default();
    for _ in 0..n {
        let [x, y]: [f32; 2] = [rng.uniform(), rng.open_closed()];
        drawn.hits += u32::from(x * x + y * y < 1.0) + rng.below(10);
        drawn.sum += rng.normal::<f32>() + rng.exponential(1.0f32);
        drawn.double += rng.normal::<f64>() + f64::from(rng.poisson(20.0));
        let [four, normal] = [rng.uniform4::<f32>(), rng.normal4()];
        drawn.sum +=
            four[0] * normal[0] + four[1] * normal[1] + four[2] * normal[2] + four[3] * normal[3];
    }
    drawn.last = rng.next_u32();
    drawn
}

/// Each thread's own sequence.
#[kernel]
fn draw_all<P: Permutation>(seed: u64, n: u32, mut drawn: DisjointArray<Drawn, 3>) {
    if let Some(drawn) = drawn.get_mut(thread::index_3d()) {
        *drawn = draw(&mut Generator::<P>::for_thread(seed), n);
    }
}

/// The number in the grid of the thread at this place, for blocks of (4, 2, 2) in a grid of (2, 3, 2).
fn rank([x, y, z]: [usize; 3]) -> u64 {
    let block = x / 4 + 2 * (y / 2 + 3 * (z / 2));
    let thread = x % 4 + 4 * (y % 2 + 2 * (z % 2));
    (block * 16 + thread) as u64
}

#[test]
fn threads_draw_their_own_sequences() -> ptyx::Result<()> {
    fn check<P: Permutation + 'static>(seed: u64) -> ptyx::Result<()> {
        let extents = [4, 6, 8]; // along z, y and x
        let mut buffer = DeviceBuffer::<Drawn>::zeroed(4 * 6 * 8)?;
        launch!(draw_all::<P><<<(2, 3, 2), (4, 2, 2)>>>(seed, 20, buffer.view_mut(extents)))?;
        let drawn = buffer.to_vec()?;
        for (i, drawn) in drawn.iter().enumerate() {
            let place = [i % 8, i / 8 % 6, i / 48];
            let want = draw(&mut Generator::<P>::at(seed, rank(place), 0), 20);
            assert_eq!(*drawn, want, "thread at {place:?}");
        }
        Ok(())
    }
    let seed = rng().next_u64();
    check::<Philox>(seed)?;
    check::<Threefry32>(seed)?;
    check::<Threefry64>(seed)
}

/// The state is in registers: nothing in it is indexed at run time.
#[test]
fn nothing_is_in_local_memory() {
    let images = images::images();
    let of_draws = |name: &str| name.contains("draw_all");
    let mut kernels = 0;
    for image in images {
        for kernel in image.kernels.iter().filter(|kernel| of_draws(&kernel.name)) {
            for code in &kernel.code {
                let ptx = &image.modules[code.module as usize].ptx;
                let local = ["ld.local", "st.local", ".local .align"];
                let found = local.iter().find(|word| ptx.contains(**word));
                assert!(found.is_none(), "{} has `{found:?}`:\n{ptx}", kernel.name);
                kernels += 1;
            }
        }
    }
    assert!(kernels >= 3, "{kernels} kernels");
}
