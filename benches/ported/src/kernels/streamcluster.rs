//! What each point gains if another becomes a centre, after Rodinia's streamcluster: the coordinates of the new
//! centre are in shared memory, and a table says which column belongs to a centre.

use crate::prelude::*;

forms! {
    /// One thread a point. Row `i` of `work` has a column for each of `centres`, and one for the new centre.
    #[kernel]
    pub fn streamcluster(
        points: i32,
        dims: i32,
        x: i32,
        centres: i32,
        weight: &[f32],
        cost: &[f32],
        assign: &[i32],
        table: &[i32],
        coordinate: &[f32],
        mut work: Parts<f32, (by::Thread, by::Whole), 2>,
        mut switch: Disjoint<u8>,
    ) {
        let centre = cells!([f32; 64], 0.0);
        let own = thread::index_1d();
        let i = own.get() as i32;
        if thread::x() == 0 {
            for d in 0..dims {
                set!(centre, d, at!(coordinate, d * points + x));
            }
        }
        block::sync();
        if i >= points {
            return;
        }
        let mut sum = 0.0;
        for d in 0..dims {
            let difference = at!(coordinate, d * points + i) - get!(centre, d);
            sum += difference * difference;
        }
        let new = sum * at!(weight, i);
        let old = at!(cost, i);
        let mut row = work.part();
        if new < old {
            own!(switch, own) = 1;
            own!(row, [0, centres as Ix as usize]) = new - old;
        } else {
            let column = at!(table, at!(assign, i));
            own!(row, [0, column as Ix as usize]) += old - new;
        }
    }
}

/// 2^19 points of 32 dimensions, 10 centres. All numbers are small integers, so that sums are exact.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, dims, centres) = (run.size(1 << 19, 700), 32, 10);
    let x = run.below(n, 1)[0] as usize;
    let whole = |x: Vec<i32>| x.into_iter().map(|x| x as f32).collect::<Vec<_>>();
    let coordinate = whole(run.below(8, n * dims));
    let (weight, cost) = (whole(run.below(4, n)), whole(run.below(1000, n)));
    let assign = run.below(n, n);
    let table = run.below(centres, n);
    let mut work = vec![0.0f32; n * (centres + 1)];
    let mut switch = vec![0u8; n];
    for i in 0..n {
        let of = |i: usize, d: usize| coordinate[d * n + i];
        let new = weight[i] * (0..dims).map(|d| (of(i, d) - of(x, d)).powi(2)).sum::<f32>();
        if new < cost[i] {
            switch[i] = 1;
            work[i * (centres + 1) + centres] = new - cost[i];
        } else {
            work[i * (centres + 1) + table[assign[i] as usize] as usize] = cost[i] - new;
        }
    }
    let (work, switch) =
        (Output::new(&vec![0.0; work.len()], work)?, Output::new(&vec![0; n], switch)?);
    let (weight, cost) = (DeviceBuffer::from_slice(&weight)?, DeviceBuffer::from_slice(&cost)?);
    let (assign, table) = (DeviceBuffer::from_slice(&assign)?, DeviceBuffer::from_slice(&table)?);
    let coordinate = DeviceBuffer::from_slice(&coordinate)?;
    compare!(
        run,
        [&work, &switch],
        streamcluster,
        n.div_ceil(256),
        256,
        (
            n as i32,
            dims as i32,
            x as i32,
            centres as i32,
            &weight,
            &cost,
            &assign,
            &table,
            &coordinate,
            work.buffer().view_mut([n, centres + 1]) => work.address(),
            &mut *switch.buffer()
        )
    )
}
