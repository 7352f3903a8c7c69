//! A round of colouring a graph, after Jones and Plassmann: nodes that come before all their uncoloured neighbours take
//! the first free colour.

use crate::prelude::*;

/// A number for each node, which decides which comes first.
#[inline(always)]
fn priority(node: i32) -> u32 {
    let mut x = node as u32;
    x = (x ^ x >> 16).wrapping_mul(0x7feb_352d);
    x = (x ^ x >> 15).wrapping_mul(0x846c_a68b);
    x ^ x >> 16
}

forms! {
    /// One thread per node; colours are 0 to 63, or -1 for none.
    #[kernel]
    pub fn colour_graph(
        nodes: i32,
        start: &[i32],
        neighbour: &[i32],
        colour: &[i32],
        mut next: Disjoint<i32>,
    ) {
        let own = thread::index_1d();
        let i = own.get() as i32;
        if i >= nodes {
            return;
        }
        let mut chosen = at!(colour, i);
        if chosen < 0 {
            let mine = priority(i);
            let mut used = 0u64;
            let mut first = true;
            for e in at!(start, i)..at!(start, i + 1) {
                let j = at!(neighbour, e);
                if j == i {
                    continue;
                }
                let other = at!(colour, j);
                if other >= 0 {
                    used |= 1 << other;
                } else {
                    let theirs = priority(j);
                    if theirs > mine || (theirs == mine && j > i) {
                        first = false;
                        break;
                    }
                }
            }
            if first {
                chosen = (!used).trailing_zeros() as i32;
            }
        }
        own!(next, own) = chosen;
    }
}

/// 2^20 nodes with about 16 neighbours each, of which some have colours.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let nodes = run.size(1 << 20, 900);
    // Random edges in both directions, most of them short.
    let (near, far) = (run.below(1000.min(nodes), 8 * nodes), run.below(nodes, 8 * nodes));
    let mut edges = Vec::with_capacity(16 * nodes);
    for k in 0..8 * nodes {
        let (a, b) = (k / 8, if k % 4 == 0 { far[k] as usize } else { (k / 8 + near[k] as usize) % nodes });
        edges.extend([(a, b), (b, a)]);
    }
    edges.sort_unstable();
    let neighbour: Vec<i32> = edges.iter().map(|(_, b)| *b as i32).collect();
    let start: Vec<i32> =
        (0..=nodes).map(|i| edges.partition_point(|(a, _)| *a < i) as i32).collect();
    // The nodes that come early already have colours.
    let mut order: Vec<usize> = (0..nodes).collect();
    order.sort_unstable_by_key(|i| std::cmp::Reverse((priority(*i as i32), *i)));
    let around = |i: usize| neighbour[start[i] as usize..start[i + 1] as usize].iter().filter(move |j| **j != i as i32);
    let free = |i: usize, colour: &[i32]| {
        let taken = |c: &i32| around(i).any(|j| colour[*j as usize] == *c);
        (0..64).find(|c| !taken(c)).unwrap()
    };
    let (early, rest) = order.split_at(nodes / 2);
    let mut colour = vec![-1i32; nodes];
    for &i in early {
        colour[i] = free(i, &colour);
    }
    let mut want = colour.clone();
    let mut seen = vec![false; nodes];
    for &i in rest {
        // In order, so that a neighbour that was seen comes first.
        seen[i] = true;
        if !around(i).any(|j| seen[*j as usize]) {
            want[i] = free(i, &colour);
        }
    }
    let next = Output::new(&vec![-2; nodes], want)?;
    let (start, neighbour) = (DeviceBuffer::from_slice(&start)?, DeviceBuffer::from_slice(&neighbour)?);
    let colour = DeviceBuffer::from_slice(&colour)?;
    compare!(
        run,
        [&next],
        colour_graph,
        nodes.div_ceil(256),
        256,
        (nodes as i32, &start, &neighbour, &colour, &mut *next.buffer())
    )
}
