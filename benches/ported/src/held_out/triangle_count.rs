//! Triangles of a graph: for each edge, how many neighbours its ends have in common, as the walk through two sorted
//! lists.

use crate::prelude::*;

forms! {
    /// One thread an edge, which leads from a node to one with a higher number. The ends of the edges of node `u` are
    /// those from `offset[u]` to `offset[u + 1]`.
    #[kernel]
    pub fn triangle_count(
        edges: i32,
        from: &[i32],
        to: &[i32],
        offset: &[i32],
        mut common: Disjoint<i32>,
        triangles: Atomics<u32>,
    ) {
        let own = thread::index_1d();
        let e = own.get() as i32;
        if e >= edges {
            return;
        }
        let (u, v) = (at!(from, e), at!(to, e));
        let mut i = at!(offset, u);
        let mut j = at!(offset, v);
        let (end_i, end_j) = (at!(offset, u + 1), at!(offset, v + 1));
        let mut count = 0;
        while i < end_i && j < end_j {
            let difference = at!(to, i) - at!(to, j);
            if difference == 0 {
                count += 1;
            }
            if difference <= 0 {
                i += 1;
            }
            if difference >= 0 {
                j += 1;
            }
        }
        own!(common, own) = count;
        if count > 0 {
            bump!(triangles, 0, count as u32);
        }
    }
}

/// 2^17 nodes with up to 31 edges each, to nodes not far away.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let nodes = run.size(1 << 17, 300);
    let mut offset = vec![0i32];
    let (mut from, mut to) = (Vec::new(), Vec::new());
    for (u, degree) in run.below(32, nodes).into_iter().enumerate() {
        let mut ends = run.below(80, degree as usize);
        ends.iter_mut().for_each(|end| *end += u as i32 + 1);
        ends.retain(|end| *end < nodes as i32);
        ends.sort_unstable();
        ends.dedup();
        from.extend(ends.iter().map(|_| u as i32));
        to.append(&mut ends);
        offset.push(to.len() as i32);
    }
    let ends = |node: i32| {
        let node = node as usize;
        &to[offset[node] as usize..offset[node + 1] as usize]
    };
    let want: Vec<i32> = from
        .iter()
        .zip(&to)
        .map(|(u, v)| ends(*u).iter().filter(|end| ends(*v).binary_search(end).is_ok()).count() as i32)
        .collect();
    let all = want.iter().sum::<i32>() as u32;
    let edges = to.len();
    let common = Output::new(&vec![-1; edges], want)?;
    let triangles = Output::new(&[0], vec![all])?;
    let (from, to) = (DeviceBuffer::from_slice(&from)?, DeviceBuffer::from_slice(&to)?);
    let offset = DeviceBuffer::from_slice(&offset)?;
    compare!(
        run,
        [&common, &triangles],
        triangle_count,
        edges.div_ceil(256),
        256,
        (
            edges as i32,
            &from,
            &to,
            &offset,
            &mut *common.buffer(),
            &mut *triangles.buffer()
        )
    )
}
