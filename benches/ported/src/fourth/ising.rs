//! A half step of the Ising model on a checkerboard: the spins of one colour may flip, depending on those of the other.

use crate::prelude::*;

forms! {
    /// One thread per spin. `columns` is the number of spins of a colour in a row; the lattice wraps around. `chance` has
    /// the probability of a flip for each product of a spin and the sum of its neighbours: -4, -2, .., 4.
    #[kernel]
    pub fn ising(
        rows: i32,
        columns: i32,
        colour: i32,
        other: &[i8],
        random: &[f32],
        chance: &[f32],
        mut spin: Disjoint<i8>,
    ) {
        let own = thread::index_1d();
        let i = own.get() as i32;
        if i >= rows * columns {
            return;
        }
        let y = i / columns;
        let x = i % columns;
        let above = if y > 0 { y - 1 } else { rows - 1 };
        let below = if y + 1 < rows { y + 1 } else { 0 };
        let left = if x > 0 { x - 1 } else { columns - 1 };
        let right = if x + 1 < columns { x + 1 } else { 0 };
        let beside = if y % 2 == colour { left } else { right };
        let sum = at!(other, above * columns + x)
            + at!(other, y * columns + x)
            + at!(other, below * columns + x)
            + at!(other, y * columns + beside);
        let here = own!(spin, own);
        if at!(random, i) < at!(chance, (sum * here + 4) / 2) {
            own!(spin, own) = -here;
        }
    }
}

/// 8192x16384 spins.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (rows, columns) = (run.size(8192, 26), run.size(8192, 17));
    let len = rows * columns;
    let colour = run.below(2, 1)[0];
    let mut spins =
        || -> Vec<i8> { run.below(2, len).into_iter().map(|x| 2 * x as i8 - 1).collect() };
    let (spin, other) = (spins(), spins());
    let random = run.between(0.0, 1.0, len);
    let chance: Vec<f32> = (-2..3).map(|k| (-2.0 * 0.44 * f64::from(2 * k)).exp() as f32).collect();
    // The whole lattice: in even rows, the first spin is of colour 0.
    let of = |y: usize, x: usize| {
        let half = y % rows * columns + x % (2 * columns) / 2;
        if (x + y % rows) % 2 == colour as usize { spin[half] } else { other[half] }
    };
    let mut want = Vec::with_capacity(len);
    for y in 0..rows {
        for k in 0..columns {
            let x = 2 * k + (y + colour as usize) % 2;
            let around = [(y + rows - 1, x), (y + 1, x), (y, x + 2 * columns - 1), (y, x + 1)];
            let aligned = around.into_iter().filter(|(v, u)| of(*v, *u) == of(y, x)).count();
            let turns = random[want.len()] < chance[aligned];
            want.push(if turns { -of(y, x) } else { of(y, x) });
        }
    }
    let spin = Output::new(&spin, want)?;
    let (other, random) = (DeviceBuffer::from_slice(&other)?, DeviceBuffer::from_slice(&random)?);
    let chance = DeviceBuffer::from_slice(&chance)?;
    compare!(
        run,
        [&spin],
        ising,
        len.div_ceil(256),
        256,
        (rows as i32, columns as i32, colour, &other, &random, &chance, &mut *spin.buffer())
    )
}
