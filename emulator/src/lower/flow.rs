//! Where lanes that diverge at a branch reconverge: its immediate post-dominator.
//!
//! Paths that never return (panics: they end in `exit` or `trap`) do not count, otherwise one bounds
//! check would keep the lanes around it from reconverging. K. Cooper, T. Harvey, K. Kennedy: "A Simple,
//! Fast Dominance Algorithm" (2001), on the reversed graph.

/// How control leaves an instruction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Leave {
    /// To the next one.
    Next,
    /// To labels, and to the next one if `falls` is set.
    Jump { labels: Vec<u32>, falls: bool },
    /// Back to the caller, or (conditionally) to the next one.
    Return { falls: bool },
    /// Nowhere.
    End,
}

/// For each instruction that is a branch with several targets: the index of the instruction where they
/// reconverge. `labels` gives the instruction after each label.
pub(crate) fn meeting_points(code: &[Leave], labels: &[usize]) -> Vec<Option<usize>> {
    let graph = Graph::new(code, labels);
    let parents = graph.post_dominators();
    let mut out = vec![None; code.len()];
    for (block, range) in graph.blocks.iter().enumerate() {
        let last = range.end - 1;
        if graph.successors[block].len() < 2 {
            continue;
        }
        if let Some(meet) = parents[block]
            && meet < graph.blocks.len()
        {
            out[last] = Some(graph.blocks[meet].start);
        }
    }
    out
}

/// Basic blocks; one more index than there are blocks stands for the exit.
struct Graph {
    blocks: Vec<std::ops::Range<usize>>,
    successors: Vec<Vec<usize>>,
}

impl Graph {
    fn new(code: &[Leave], labels: &[usize]) -> Graph {
        let mut starts = vec![false; code.len() + 1];
        starts[0] = true;
        for &label in labels {
            starts[label.min(code.len())] = true;
        }
        for (index, leave) in code.iter().enumerate() {
            starts[index + 1] |= *leave != Leave::Next;
        }
        let mut blocks = Vec::new();
        let mut block_of = vec![0; code.len() + 1];
        for index in 0..code.len() {
            if starts[index] {
                blocks.push(index..index);
            }
            let current = blocks.len() - 1;
            blocks[current].end = index + 1;
            block_of[index] = current;
        }
        let exit = blocks.len();
        block_of[code.len()] = exit;
        let returns = code.iter().any(|leave| matches!(leave, Leave::Return { .. }));
        let mut successors = Vec::with_capacity(blocks.len());
        for range in &blocks {
            let next = block_of[range.end];
            let mut to: Vec<usize> = match &code[range.end - 1] {
                Leave::Next => vec![next],
                Leave::Jump { labels: targets, falls } => targets
                    .iter()
                    .map(|&label| block_of[labels[label as usize].min(code.len())])
                    .chain(falls.then_some(next))
                    .collect(),
                Leave::Return { falls } => {
                    std::iter::once(exit).chain(falls.then_some(next)).collect()
                }
                Leave::End if returns => Vec::new(),
                Leave::End => vec![exit],
            };
            to.sort_unstable();
            to.dedup();
            successors.push(to);
        }
        Graph { blocks, successors }
    }

    /// The immediate post-dominator of each block from which the exit can be reached.
    fn post_dominators(&self) -> Vec<Option<usize>> {
        let exit = self.blocks.len();
        let mut predecessors = vec![Vec::new(); exit + 1];
        for (block, to) in self.successors.iter().enumerate() {
            for &target in to {
                predecessors[target].push(block);
            }
        }
        let order = postorder(exit, &predecessors);
        let mut number = vec![usize::MAX; exit + 1];
        for (position, &block) in order.iter().enumerate() {
            number[block] = position;
        }
        let mut parents: Vec<Option<usize>> = vec![None; exit + 1];
        parents[exit] = Some(exit);
        let mut changed = true;
        while changed {
            changed = false;
            for &block in order.iter().rev().filter(|&&block| block != exit) {
                let mut parent = None;
                for &next in &self.successors[block] {
                    if parents[next].is_none() {
                        continue;
                    }
                    parent = Some(match parent {
                        None => next,
                        Some(other) => intersect(next, other, &parents, &number),
                    });
                }
                if parent.is_some() && parents[block] != parent {
                    parents[block] = parent;
                    changed = true;
                }
            }
        }
        parents
    }
}

fn intersect(a: usize, b: usize, parents: &[Option<usize>], number: &[usize]) -> usize {
    let (mut a, mut b) = (a, b);
    while a != b {
        while number[a] < number[b] {
            a = parents[a].unwrap_or(b);
        }
        while number[b] < number[a] {
            b = parents[b].unwrap_or(a);
        }
    }
    a
}

fn postorder(root: usize, edges: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; edges.len()];
    let mut out = Vec::new();
    let mut stack = vec![(root, 0)];
    seen[root] = true;
    while let Some((node, next)) = stack.last_mut() {
        match edges[*node].get(*next) {
            Some(&child) => {
                *next += 1;
                if !seen[child] {
                    seen[child] = true;
                    stack.push((child, 0));
                }
            }
            None => {
                out.push(*node);
                stack.pop();
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jump(label: u32, falls: bool) -> Leave {
        Leave::Jump { labels: vec![label], falls }
    }

    #[test]
    fn both_arms_of_a_branch_meet_behind_it() {
        // 0: @p bra L0; 1: add; 2: bra L1; L0 3: sub; L1 4: ret
        let code = [
            jump(0, true),
            Leave::Next,
            jump(1, false),
            Leave::Next,
            Leave::Return { falls: false },
        ];
        assert_eq!(meeting_points(&code, &[3, 4])[0], Some(4));
    }

    #[test]
    fn a_path_that_ends_does_not_count() {
        // 0: @p bra L1; 1: @q bra L0; 2: add; L1 3: ret; L0 4: trap
        let code =
            [jump(1, true), jump(0, true), Leave::Next, Leave::Return { falls: false }, Leave::End];
        let meets = meeting_points(&code, &[4, 3]);
        assert_eq!(meets[0], Some(3));
        assert_eq!(meets[1], Some(2));
    }

    #[test]
    fn a_loop_is_left_together() {
        // L0 0: add; 1: @p bra L0; 2: ret
        let code = [Leave::Next, jump(0, true), Leave::Return { falls: false }];
        assert_eq!(meeting_points(&code, &[0])[1], Some(2));
    }

    #[test]
    fn endless_loops_have_no_meeting_point() {
        let code = [jump(0, true), jump(0, false)];
        assert_eq!(meeting_points(&code, &[0]), [None, None]);
    }
}
