//! A level of a breadth-first search, after Rodinia's bfs: flags say which nodes are in front, which were visited and
//! which come next.

use crate::prelude::*;

/// Where a node's edges are.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C)]
pub struct Node {
    first: i32,
    count: i32,
}

forms! {
    /// One thread a node.
    #[kernel]
    pub fn bfs(
        nodes: i32,
        node: &[Node],
        edge: &[i32],
        front: &[u8],
        next: Atomics<u8>,
        visited: &[u8],
        cost: Atomics<i32>,
    ) {
        let i = (block::x() * block::dim_x() + thread::x()) as i32;
        if i < nodes && at!(front, i) != 0 {
            let node = at!(node, i);
            for e in node.first..node.first + node.count {
                let id = at!(edge, e);
                if at!(visited, id) == 0 {
                    store!(cost, id, value!(cost, i) + 1);
                    store!(next, id, 1);
                }
            }
        }
    }
}

/// 2^20 nodes with up to 15 edges each; half of them have been visited, an eighth is in front.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let n = run.size(1 << 20, 3000);
    let counts = run.below(16, n);
    let mut first = 0;
    let node: Vec<Node> = counts
        .into_iter()
        .map(|count| {
            first += count;
            Node { first: first - count, count }
        })
        .collect();
    let edge = run.below(n, first as usize);
    let kind = run.below(8, n);
    let visited: Vec<u8> = kind.iter().map(|kind| u8::from(*kind < 4)).collect();
    let front: Vec<u8> = kind.iter().map(|kind| u8::from(*kind == 0)).collect();
    let cost: Vec<i32> = visited.iter().map(|visited| if *visited == 1 { 7 } else { -1 }).collect();
    let (mut next, mut costs) = (vec![0u8; n], cost.clone());
    for i in (0..n).filter(|i| front[*i] == 1) {
        for &id in &edge[node[i].first as usize..][..node[i].count as usize] {
            if visited[id as usize] == 0 {
                (next[id as usize], costs[id as usize]) = (1, 8);
            }
        }
    }
    let front = DeviceBuffer::from_slice(&front)?;
    let (next, cost) = (Output::new(&vec![0; n], next)?, Output::new(&cost, costs)?);
    let (node, edge) = (DeviceBuffer::from_slice(&node)?, DeviceBuffer::from_slice(&edge)?);
    let visited = DeviceBuffer::from_slice(&visited)?;
    compare!(
        run,
        [&next, &cost],
        bfs,
        n.div_ceil(512),
        512,
        (n as i32, &node, &edge, &front, &mut *next.buffer(), &visited, &mut *cost.buffer())
    )
}
