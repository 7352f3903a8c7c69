//! A step of the shortest paths between all nodes (Floyd 1962, Warshall 1962).

use crate::prelude::*;

forms! {
    /// Paths through node `k`. One thread a pair of nodes; `path` keeps through which node the path goes.
    #[kernel]
    pub fn floyd(nodes: i32, k: i32, distance: SliceMut<u32>, path: SliceMut<u32>) {
        let x = (block::x() * block::dim_x() + thread::x()) as Ix;
        let y = (block::y() * block::dim_y() + thread::y()) as Ix;
        let n = nodes as Ix;
        if x >= n || y >= n {
            return;
        }
        let old = rd!(distance, y * n + x);
        let through = rd!(distance, y * n + k as Ix) + rd!(distance, k as Ix * n + x);
        if through < old {
            wr!(distance, y * n + x, through);
            wr!(path, y * n + x, k as u32);
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
        (n as i32, k as i32, &mut *distance.buffer(), &mut *path.buffer())
    )
}
