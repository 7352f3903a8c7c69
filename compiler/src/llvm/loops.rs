//! Loops of a function's graph of blocks.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Block, Value};

/// A natural loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Loop<B> {
    /// The block that every iteration starts with, its header.
    pub(crate) start: B,
    /// The blocks that jump back to it.
    pub(crate) latches: Vec<B>,
    /// All blocks of the loop, the start included.
    pub(crate) body: BTreeSet<B>,
}

/// The loops of a function, the smallest first.
pub(crate) fn loops_of(function: Value<'_>) -> Vec<Loop<Block<'_>>> {
    let blocks = function.blocks();
    let number: HashMap<Block<'_>, usize> = blocks.iter().copied().zip(0..).collect();
    let successors: Vec<Vec<usize>> = blocks
        .iter()
        .map(|block| block.successors().iter().map(|next| number[next]).collect())
        .collect();
    find(&successors)
        .into_iter()
        .map(|found| Loop {
            start: blocks[found.start],
            latches: found.latches.into_iter().map(|latch| blocks[latch]).collect(),
            body: found.body.into_iter().map(|block| blocks[block]).collect(),
        })
        .collect()
}

/// The reachable blocks of a function in reverse postorder: each before its successors, except along back edges. The order
/// of LLVM's list of blocks means nothing: the first iteration of an unrolled loop may come last.
pub(crate) fn in_order(function: Value<'_>) -> Vec<Block<'_>> {
    let Some(&entry) = function.blocks().first() else { return Vec::new() };
    let mut seen = BTreeSet::from([entry]);
    let mut finished = Vec::new();
    let mut path = vec![(entry, entry.successors().into_iter())];
    while let Some((block, ways)) = path.last_mut() {
        match ways.next() {
            Some(next) if seen.insert(next) => path.push((next, next.successors().into_iter())),
            Some(_) => {}
            None => {
                finished.push(*block);
                path.pop();
            }
        }
    }
    finished.reverse();
    finished
}

/// The loops of a graph whose first node is its entry, the smallest first. Rust has no `goto`: every
/// jump back goes to a block that dominates it, so a jump to a block on the current path of a
/// depth-first walk is a back edge.
fn find(successors: &[Vec<usize>]) -> Vec<Loop<usize>> {
    if successors.is_empty() {
        return Vec::new();
    }
    let mut latches: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let (mut seen, mut on_path) = (vec![false; successors.len()], vec![false; successors.len()]);
    (seen[0], on_path[0]) = (true, true);
    // The path, with how many successors of each node have been looked at.
    let mut path = vec![(0, 0)];
    while let Some((node, done)) = path.last_mut() {
        let (from, next) = (*node, successors[*node].get(*done).copied());
        *done += 1;
        match next {
            None => {
                on_path[from] = false;
                path.pop();
            }
            Some(next) if on_path[next] => latches.entry(next).or_default().push(from),
            Some(next) => {
                if !seen[next] {
                    (seen[next], on_path[next]) = (true, true);
                    path.push((next, 0));
                }
            }
        }
    }
    if latches.is_empty() {
        return Vec::new();
    }
    let mut predecessors = vec![Vec::new(); successors.len()];
    for (from, next) in successors.iter().enumerate() {
        for &next in next {
            predecessors[next].push(from);
        }
    }
    // What reaches a latch without passing the start is the loop's body.
    let body = |start: usize, latches: &[usize]| {
        let mut body = BTreeSet::from([start]);
        let mut open = latches.to_vec();
        while let Some(node) = open.pop() {
            if body.insert(node) {
                open.extend(&predecessors[node]);
            }
        }
        body
    };
    let mut loops: Vec<Loop<usize>> = latches
        .into_iter()
        .map(|(start, mut latches)| {
            latches.dedup();
            Loop { start, body: body(start, &latches), latches }
        })
        .collect();
    loops.sort_by_key(|found| (found.body.len(), found.start));
    loops
}

#[cfg(test)]
mod tests {
    use super::find;

    /// Start and latches of the smallest loop around a node.
    fn innermost(graph: &[Vec<usize>], node: usize) -> Option<(usize, Vec<usize>)> {
        let found = find(graph).into_iter().find(|found| found.body.contains(&node))?;
        Some((found.start, found.latches))
    }

    #[test]
    fn the_innermost_loop_is_found() {
        // 0 → 1 (outer start) → 2 (inner start) → 3 → 2 | 4 → 1 | 5
        let graph = [vec![1], vec![2], vec![3, 4], vec![2], vec![1, 5], vec![]];
        assert_eq!(innermost(&graph, 3), Some((2, vec![3])));
        assert_eq!(innermost(&graph, 4), Some((1, vec![4])));
        assert_eq!(innermost(&graph, 5), None);
    }

    #[test]
    fn a_loop_has_every_jump_back() {
        // `continue` in a branch: 2 → 1 and 3 → 1.
        let graph = [vec![1], vec![2, 4], vec![1, 3], vec![1], vec![]];
        assert_eq!(innermost(&graph, 2), Some((1, vec![2, 3])));
    }
}
