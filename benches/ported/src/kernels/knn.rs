//! The eight nearest of all points: each thread keeps them sorted in local arrays, by insertion.

use crate::prelude::*;

forms! {
    /// One thread a query. Results are `k * queries + i`.
    #[kernel]
    pub fn knn(
        queries: i32,
        points: i32,
        query: &[f32],
        point: &[f32],
        mut distance: Parts<f32, (by::Whole, by::Thread), 2>,
        mut index: Parts<i32, (by::Whole, by::Thread), 2>,
    ) {
        let i = (block::x() * block::dim_x() + thread::x()) as i32;
        if i >= queries {
            return;
        }
        let mut distances = [f32::MAX; 8];
        let mut indices = [-1i32; 8];
        for p in 0..points {
            let mut sum = 0.0;
            for c in 0..3 {
                let difference = at!(query, i * 3 + c) - at!(point, p * 3 + c);
                sum += difference * difference;
            }
            if sum < at!(distances, 7) {
                let mut k = 7;
                while k > 0 && at!(distances, k - 1) > sum {
                    put!(distances, k, at!(distances, k - 1));
                    put!(indices, k, at!(indices, k - 1));
                    k -= 1;
                }
                put!(distances, k, sum);
                put!(indices, k, p);
            }
        }
        let (mut distance, mut index) = (distance.part(), index.part());
        for k in 0..8 {
            own!(distance, [k, 0]) = at!(distances, k);
            own!(index, [k, 0]) = at!(indices, k);
        }
    }
}

/// 2^16 queries, 4096 points. All are small integers, so that distances are exact.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (queries, points) = (run.size(1 << 16, 200), run.size(4096, 150));
    let mut whole = |len| run.below(1000, len).into_iter().map(|x| x as f32).collect::<Vec<_>>();
    let (query, point) = (whole(3 * queries), whole(3 * points));
    let (mut distance, mut index) = (vec![0.0f32; 8 * queries], vec![0; 8 * queries]);
    for (i, query) in query.chunks(3).enumerate() {
        let mut all: Vec<(f32, usize)> = point
            .chunks(3)
            .map(|point| query.iter().zip(point).map(|(a, b)| (a - b).powi(2)).sum())
            .zip(0..)
            .collect();
        // The first eight in order, and of equal ones the earlier first.
        all.select_nth_unstable_by(7, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        all.truncate(8);
        all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (k, (d, p)) in all.into_iter().enumerate() {
            (distance[k * queries + i], index[k * queries + i]) = (d, p as i32);
        }
    }
    let distance = Output::new(&vec![f32::NAN; 8 * queries], distance)?;
    let index = Output::new(&vec![-2; 8 * queries], index)?;
    let (query, point) = (DeviceBuffer::from_slice(&query)?, DeviceBuffer::from_slice(&point)?);
    compare!(
        run,
        [&distance, &index],
        knn,
        queries.div_ceil(128),
        128,
        (
            queries as i32,
            points as i32,
            &query,
            &point,
            distance.buffer().view_mut([8, queries]) => distance.address(),
            index.buffer().view_mut([8, queries]) => index.address()
        )
    )
}
