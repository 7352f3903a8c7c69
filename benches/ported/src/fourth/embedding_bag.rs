//! Weighted sums of rows of a table, as recommender models look up categories: a bag is any number of rows.

use crate::prelude::*;

forms! {
    /// Columns along x, bags along y. The indices are 64-bit, as in deep-learning frameworks.
    #[kernel]
    pub fn embedding_bag(
        bags: i32,
        columns: i32,
        table: &[f32],
        start: &[i32],
        index: &[i64],
        weight: &[f32],
        mut sums: DisjointArray<f32, 2>,
    ) {
        let own = thread::index_2d();
        let column = (block::x() * block::dim_x() + thread::x()) as i32;
        let bag = (block::y() * block::dim_y() + thread::y()) as i32;
        if column >= columns || bag >= bags {
            return;
        }
        let mut sum = 0.0f32;
        for e in at!(start, bag)..at!(start, bag + 1) {
            let row = at!(index, e);
            sum += at!(weight, e) * at!(table, row * columns as i64 + column as i64);
        }
        own!(sums, own) = sum;
    }
}

/// 2^16 bags of up to 40 rows each, of a table of 2^20 rows of 64 columns.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (bags, rows) = (run.size(1 << 16, 100), run.size(1 << 20, 50));
    let columns = run.size(64, 37);
    let table = run.floats(rows * columns);
    let mut start = vec![0i32];
    for length in run.below(41, bags) {
        start.push(start[start.len() - 1] + length);
    }
    let len = start[bags] as usize;
    let index: Vec<i64> = run.below(rows, len).into_iter().map(i64::from).collect();
    let weight = run.floats(len);
    let mut want = vec![0.0f32; bags * columns];
    for (bag, sums) in want.chunks_mut(columns).enumerate() {
        for e in start[bag] as usize..start[bag + 1] as usize {
            let row = &table[index[e] as usize * columns..][..columns];
            sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += weight[e] * x);
        }
    }
    let sums = Output::new(&vec![f32::NAN; want.len()], want)?.within(1e-4);
    let (table, start) = (DeviceBuffer::from_slice(&table)?, DeviceBuffer::from_slice(&start)?);
    let (index, weight) = (DeviceBuffer::from_slice(&index)?, DeviceBuffer::from_slice(&weight)?);
    compare!(
        run,
        [&sums],
        embedding_bag,
        (columns.div_ceil(32), bags.div_ceil(8)),
        (32, 8),
        (
            bags as i32,
            columns as i32,
            &table,
            &start,
            &index,
            &weight,
            sums.buffer().view_mut([bags, columns]) => sums.address()
        )
    )
}
