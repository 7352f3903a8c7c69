//! Dominators and post-dominators of the blocks from which a function can return.

use std::collections::BTreeSet;

use crate::optimise::dominators::closest;

/// Blocks by number, those only from which the function can return, and none that can't be reached.
pub(super) struct Flow {
    pub(super) predecessors: Vec<Vec<usize>>,
    successors: Vec<Vec<usize>>,
    /// The closest block, other than itself, through which every path to the block leads.
    dominators: Vec<Option<usize>>,
    /// The closest block, other than itself, through which every path from the block leads.
    post_dominators: Vec<Option<usize>>,
}

impl Flow {
    /// The first block is the entry; those without successors return.
    pub(super) fn new(successors: Vec<Vec<usize>>) -> Flow {
        let mut predecessors = vec![Vec::new(); successors.len()];
        for (from, next) in successors.iter().enumerate() {
            next.iter().for_each(|&to| predecessors[to].push(from));
        }
        let is_end = |block: &usize| successors[*block].is_empty();
        let ends: Vec<usize> = (0..successors.len()).filter(is_end).collect();
        let dominators = closest(&[0], &successors, &predecessors);
        let post_dominators = closest(&ends, &predecessors, &successors);
        Flow { successors, predecessors, dominators, post_dominators }
    }

    /// Whether every path to `to` leads through `block`.
    pub(super) fn dominates(&self, block: usize, to: usize) -> bool {
        self.up_from(to, &self.dominators).any(|above| above == block)
    }

    /// Whether control may go to several blocks.
    pub(super) fn chooses(&self, block: usize) -> bool {
        let next = &self.successors[block];
        next.iter().any(|to| *to != next[0])
    }

    pub(super) fn dominator(&self, block: usize) -> Option<usize> {
        self.dominators[block]
    }

    /// The blocks that every path from `block` leads through, the closest first, without itself.
    pub(super) fn joins(&self, block: usize) -> impl Iterator<Item = usize> {
        self.up_from(block, &self.post_dominators).skip(1)
    }

    fn up_from(&self, block: usize, tree: &[Option<usize>]) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(block), |&block| tree[block])
    }

    /// The blocks that are reached on different paths from the end of `block`, up to where all of them join.
    pub(super) fn chosen(&self, block: usize) -> BTreeSet<usize> {
        let join = self.joins(block).next();
        let mut once = BTreeSet::new();
        let mut again = BTreeSet::new();
        for next in self.successors[block].iter().copied().collect::<BTreeSet<_>>() {
            let (mut seen, mut open) = (BTreeSet::new(), vec![next]);
            while let Some(at) = open.pop() {
                if seen.insert(at) && Some(at) != join {
                    open.extend(&self.successors[at]);
                }
            }
            again.extend(seen.iter().copied().filter(|at| !once.insert(*at)));
        }
        again
    }

    /// The blocks that are reached from `block` without going through `join`, among them `block` itself if it is in a loop.
    pub(super) fn until(&self, block: usize, join: usize) -> BTreeSet<usize> {
        let mut seen = BTreeSet::new();
        let mut open = self.successors[block].clone();
        while let Some(at) = open.pop() {
            if at != join && seen.insert(at) {
                open.extend(&self.successors[at]);
            }
        }
        seen
    }

    /// The blocks on the paths from `from` to `to`, neither of them included. `from` dominates `to`.
    pub(super) fn between(&self, from: usize, to: usize) -> BTreeSet<usize> {
        let mut seen = BTreeSet::new();
        let mut open = self.predecessors[to].clone();
        while let Some(block) = open.pop() {
            if block != to && block != from && seen.insert(block) {
                open.extend(&self.predecessors[block]);
            }
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_in_a_branch() {
        // 0 -> 1 -> 2 -> 1, 1 -> 3, 0 -> 3
        let flow = Flow::new(vec![vec![1, 3], vec![2, 3], vec![1], vec![]]);
        assert_eq!(flow.joins(2).collect::<Vec<_>>(), [1, 3]);
        assert_eq!(flow.joins(0).collect::<Vec<_>>(), [3]);
        assert!(flow.dominates(1, 2) && !flow.dominates(1, 3) && flow.dominates(0, 3));
        assert_eq!(flow.between(0, 3), BTreeSet::from([1, 2]));
        assert_eq!((flow.chosen(0), flow.chosen(1)), (BTreeSet::from([3]), BTreeSet::from([3])));
        assert_eq!(
            (flow.dominator(0), flow.dominator(2), flow.dominator(3)),
            (None, Some(1), Some(0))
        );
    }

    #[test]
    fn two_ends_have_no_join() {
        let flow = Flow::new(vec![vec![1, 2], vec![], vec![]]);
        assert_eq!(flow.joins(0).count(), 0);
    }

    /// Against removal: a block dominates another if the other can't be reached without it.
    #[test]
    fn random_graphs() {
        let mut state = 0x9e37_79b9_u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % n
        };
        for _ in 0..200 {
            let n = 2 + below(9);
            // Everything is reached and returns: a path through all, and more edges.
            let mut graph: Vec<Vec<usize>> =
                (0..n).map(|i| if i + 1 < n { vec![i + 1] } else { vec![] }).collect();
            for _ in 0..below(2 * n) {
                let (from, to) = (below(n - 1), 1 + below(n - 1));
                graph[from].push(to);
            }
            let reaches = |from: usize, to: usize, without: usize| {
                let (mut seen, mut open) = (vec![without], vec![from]);
                while let Some(node) = open.pop() {
                    if !seen.contains(&node) {
                        seen.push(node);
                        open.extend(&graph[node]);
                    }
                }
                from != without && to != without && seen.contains(&to)
            };
            let flow = Flow::new(graph.clone());
            for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))) {
                assert_eq!(flow.dominates(a, b), a == b || !reaches(0, b, a), "{graph:?} {a} {b}");
                let joins = a != b && flow.joins(b).any(|join| join == a);
                assert_eq!(joins, a != b && !reaches(b, n - 1, a), "{graph:?} {a} {b}");
            }
        }
    }
}
