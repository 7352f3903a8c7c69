//! The forward layer of a network with 16 hidden units, after Rodinia's backprop: a tile of 16x16 weights in shared
//! memory, summed as a tree.

use crate::prelude::*;

forms! {
    /// Blocks of 16x16 threads, one below another; `hidden` has one more row and column than units.
    #[kernel]
    pub fn backprop(
        units: i32,
        input: &[f32],
        mut weights: Pivoted<f32, (by::ThreadY, by::ThreadX), 2>,
        mut partial: Parts<f32, by::FirstX<by::ThreadY>>,
    ) {
        let _ = units;
        let node = cells!([f32; 16], 0.0);
        let tile = cells!([[f32; 16]; 16], 0.0);
        let by = block::y() as Ix;
        let (tx, ty) = (thread::x() as Ix, thread::y() as Ix);
        if tx == 0 {
            set!(node, ty, at!(input, 16 * by + ty + 1));
        }
        block::sync();
        let mut own = weights.part();
        set!(tile, ty, tx, own!(own, [0, 0]));
        block::sync();
        set!(tile, ty, tx, get!(tile, ty, tx) * get!(node, ty));
        block::sync();
        for i in 1..=4 {
            let power = 1 << i;
            if ty % power == 0 {
                set!(tile, ty, tx, get!(tile, ty, tx) + get!(tile, ty + power / 2, tx));
            }
            block::sync();
        }
        own!(own, [0, 0]) = get!(tile, ty, tx);
        block::sync();
        if let Some(partial) = partial.own() {
            *partial = get!(tile, tx, ty);
        }
    }
}

/// 65535 blocks of 16 inputs: no grid has more along y.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, units) = (run.size(65535 * 16, 7 * 16), 16usize);
    let (input, weights) = (run.floats(n + 1), run.floats((n + 1) * (units + 1)));
    let mut want = weights.clone();
    let mut sums = Vec::new();
    for block in 0..n / 16 {
        let place = |y: usize, x: usize| (16 * block + y + 1) * (units + 1) + x + 1;
        for x in 0..16 {
            let mut column: Vec<f32> =
                (0..16).map(|y| weights[place(y, x)] * input[16 * block + y + 1]).collect();
            for half in [1, 2, 4, 8] {
                for y in (0..16).step_by(2 * half) {
                    column[y] += column[y + half];
                }
            }
            sums.push(column[0]);
            for y in 0..16 {
                want[place(y, x)] = column[y];
            }
        }
    }
    let weights = Output::new(&weights, want)?.within(1e-5);
    let partial = Output::new(&vec![f32::NAN; n / 16 * units], sums)?.within(1e-5);
    let input = DeviceBuffer::from_slice(&input)?;
    compare!(
        run,
        [&weights, &partial],
        backprop,
        (1, n / 16),
        (16, 16),
        (
            units as i32,
            &input,
            weights.buffer().view_mut([n + 1, units + 1]).pivot([0..1, 0..1])
                => weights.address(),
            &mut *partial.buffer()
        )
    )
}
