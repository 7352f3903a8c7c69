//! Dominators: the blocks that every path to a block leads through.

use std::collections::BTreeMap;
use std::iter;

use super::flow::Flow;
use crate::llvm::Block;

/// The dominators of a function's blocks.
pub(super) struct Dominators<'c> {
    blocks: Vec<Block<'c>>,
    numbers: BTreeMap<Block<'c>, usize>,
    closest: Vec<Option<usize>>,
}

impl<'c> Dominators<'c> {
    /// The dominators of the blocks of `flow`.
    pub(super) fn of(flow: &Flow<'c>) -> Dominators<'c> {
        let blocks = flow.blocks.clone();
        let numbers: BTreeMap<Block<'c>, usize> = blocks.iter().copied().zip(0..).collect();
        let mut before = vec![Vec::new(); blocks.len()];
        let mut next = vec![Vec::new(); blocks.len()];
        for (from, block) in blocks.iter().enumerate() {
            for to in block.successors().iter().map(|to| numbers[to]) {
                next[from].push(to);
                before[to].push(from);
            }
        }
        let closest = closest(&[0], &next, &before);
        Dominators { blocks, numbers, closest }
    }

    /// `block` and the blocks that every path to it leads through, the closest first.
    pub(super) fn above(&self, block: Block<'c>) -> impl Iterator<Item = Block<'c>> {
        let own = self.numbers.get(&block).copied();
        iter::successors(own, |&at| self.closest[at]).map(|at| self.blocks[at])
    }
}

/// The closest block through which every path from one of `roots` to a block leads, for each block (Cooper, Harvey,
/// Kennedy, "A Simple, Fast Dominance Algorithm", 2001). There is none if paths from two roots meet there.
pub(super) fn closest(
    roots: &[usize],
    next: &[Vec<usize>],
    before: &[Vec<usize>],
) -> Vec<Option<usize>> {
    // One more node, which leads to all roots.
    let (count, root) = (next.len(), next.len());
    let following = |node: usize| if node == root { roots } else { &next[node] };
    let mut rank = vec![usize::MAX; count + 1];
    let mut order = Vec::new();
    let mut seen = vec![false; count + 1];
    seen[root] = true;
    let mut path = vec![(root, 0)];
    while let Some((node, done)) = path.last_mut() {
        match following(*node).get(*done) {
            Some(&to) => {
                *done += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    path.push((to, 0));
                }
            }
            None => {
                rank[*node] = order.len();
                order.push(*node);
                path.pop();
            }
        }
    }
    let mut tree: Vec<Option<usize>> = vec![None; count + 1];
    tree[root] = Some(root);
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().rev().skip(1) {
            let outside = roots.contains(&node).then_some(root);
            let known = before[node].iter().copied().chain(outside);
            let known: Vec<usize> = known.filter(|&from| tree[from].is_some()).collect();
            let meeting = known.into_iter().reduce(|mut a, mut b| {
                while a != b {
                    while rank[a] < rank[b] {
                        a = tree[a].expect("a node that was seen");
                    }
                    while rank[b] < rank[a] {
                        b = tree[b].expect("a node that was seen");
                    }
                }
                a
            });
            changed |= tree[node] != meeting;
            tree[node] = meeting;
        }
    }
    tree.truncate(count);
    tree.into_iter().map(|above| above.filter(|&above| above != root)).collect()
}
