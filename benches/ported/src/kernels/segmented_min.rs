//! The least number of a segment, for places of which only the segments' beginnings tell to which they belong: a
//! binary search by each thread.

use crate::prelude::*;

forms! {
    /// One thread a query. Segment `s` has the numbers `data[index[k]]`, `k` from `offset[s]` to `offset[s + 1]`.
    #[kernel]
    pub fn segmented_min(
        queries: i32,
        segments: i32,
        query: &[i32],
        offset: &[i32],
        index: &[i32],
        data: &[i32],
        mut least: Disjoint<i32>,
    ) {
        let own = thread::index_1d();
        let i = own.get() as i32;
        if i >= queries {
            return;
        }
        let place = at!(query, i);
        // The last segment that begins at the place or before it.
        let (mut low, mut high) = (0, segments);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if at!(offset, middle) <= place {
                low = middle;
            } else {
                high = middle;
            }
        }
        let mut min = i32::MAX;
        let mut k = at!(offset, low);
        let end = at!(offset, low + 1);
        while k < end {
            min = min.min(at!(data, at!(index, k)));
            k += 1;
        }
        own!(least, own) = min;
    }
}

/// 2^19 queries, 2^16 segments of up to 63 numbers.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (queries, segments) = (run.size(1 << 19, 600), run.size(1 << 16, 90));
    let mut offset = vec![0i32];
    let mut total = 0;
    for length in run.below(64, segments) {
        total += length;
        offset.push(total);
    }
    // At least one number, whatever the lengths.
    total += 1;
    offset[segments] = total;
    let total = total as usize;
    let (query, index) = (run.below(total, queries), run.below(total, total));
    let data = run.below(1_000_000, total);
    let want = query.iter().map(|place| {
        let segment = offset.partition_point(|first| first <= place) - 1;
        let numbers = offset[segment] as usize..offset[segment + 1] as usize;
        index[numbers].iter().map(|k| data[*k as usize]).min().unwrap_or(i32::MAX)
    });
    let least = Output::new(&vec![-1; queries], want.collect())?;
    let (query, offset) = (DeviceBuffer::from_slice(&query)?, DeviceBuffer::from_slice(&offset)?);
    let (index, data) = (DeviceBuffer::from_slice(&index)?, DeviceBuffer::from_slice(&data)?);
    compare!(
        run,
        [&least],
        segmented_min,
        queries.div_ceil(256),
        256,
        (queries as i32, segments as i32, &query, &offset, &index, &data, &mut *least.buffer())
    )
}
