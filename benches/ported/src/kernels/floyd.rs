//! A step of the shortest paths between all nodes (Floyd 1962, Warshall 1962).

use crate::prelude::*;

forms! {
    /// Paths through node `k`. One thread for each pair of other nodes; `path` has the node that its path goes through.
    #[kernel]
    pub fn floyd(
        nodes: i32,
        k: i32,
        mut distance: Pivoted<u32, (by::ThreadY, by::ThreadX), 2>,
        mut path: Pivoted<u32, (by::ThreadY, by::ThreadX), 2>,
    ) {
        let _ = nodes;
        let ([from, to], mut own) = distance.split();
        let Some([y, x]) = own.place([0, 0]) else { return };
        let through = pick!(to, y, 0) + pick!(from, 0, x);
        if through < own!(own, [0, 0]) {
            own!(own, [0, 0]) = through;
            let mut own = path.part();
            own!(own, [0, 0]) = k as u32;
        }
    }
}

/// 8192 nodes.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, k) = (run.size(8192, 53), 7);
    let mut distance: Vec<u32> = run.below(1000, n * n).into_iter().map(|x| x as u32).collect();
    (0..n).for_each(|i| distance[i * n + i] = 0);
    let (mut want, mut path) = (distance.clone(), vec![u32::MAX; n * n]);
    for y in 0..n {
        for x in 0..n {
            let through = distance[y * n + k] + distance[k * n + x];
            if through < distance[y * n + x] {
                (want[y * n + x], path[y * n + x]) = (through, k as u32);
            }
        }
    }
    let (distance, path) =
        (Output::new(&distance, want)?, Output::new(&vec![u32::MAX; n * n], path)?);
    compare!(
        run,
        [&distance, &path],
        floyd,
        (n.div_ceil(16), n.div_ceil(16)),
        (16, 16),
        (
            n as i32,
            k as i32,
            distance.buffer().view_mut([n, n]).pivot([k..k + 1, k..k + 1]) => distance.address(),
            path.buffer().view_mut([n, n]).pivot([k..k + 1, k..k + 1]) => path.address()
        )
    )
}
