//! Steers the unrolling of loops: `#[unroll]` in the source is a marker in the loop's body, which
//! becomes `llvm.loop` metadata of the jumps back to the loop's start.

use std::collections::{BTreeMap, BTreeSet};

use super::special::calls_of;
use crate::codegen::Diagnostic;
use crate::llvm::{Block, Context, Module, Value};

/// The marker; its argument says how: [`FULL`], [`NEVER`], or a number of copies.
const MARKER: &str = "__ptyx_unroll";
/// As `device-std/src/unroll.rs` has it.
const FULL: u64 = 0;
const NEVER: u64 = 1;

/// Replaces every marker. The innermost loop around it is the one that it stands in.
pub(super) fn lower(module: &Module<'_>) -> Result<(), Diagnostic> {
    let Some(marker) = module.function(MARKER) else { return Ok(()) };
    let context = module.context();
    let kind = context.metadata_kind("llvm.loop");
    for call in calls_of(marker) {
        let count = call.operand(0).as_int().ok_or_else(|| {
            let place = call.places(context).pop().unwrap_or_default();
            let (file, line) = (place.file, place.line);
            Diagnostic::new(format!("the count of `unroll` at {file}:{line} is not constant"))
        })?;
        // A loop that never repeats has no jump back, and needs no unrolling.
        if let Some(jumps) = innermost_loop(call.parent_block()) {
            let properties = properties(context, count);
            let node = context.loop_metadata(&properties);
            for jump in jumps {
                jump.set_metadata(kind, node);
            }
        }
        call.erase();
    }
    Ok(())
}

/// How LLVM names the condition of a loop that it has unrolled by the number of its rounds at run time
/// (`UnrollLoopRuntimeRemainder`).
const UNROLLED_CONDITION: &str = "niter.ncmp";

/// Marks the loops that the optimiser has unrolled, but for their remainder: the vendor's assembler
/// unrolls again what has no `.pragma "nounroll"` (PTX ISA 12.1), to sixteen copies instead of four.
pub(crate) fn keep_unrolled(module: &Module<'_>) {
    let context = module.context();
    let kind = context.metadata_kind("llvm.loop");
    for function in module.functions() {
        for jump in function.blocks().into_iter().filter_map(|block| block.terminator()) {
            let Some(condition) = jump.condition() else { continue };
            if condition.name().starts_with(UNROLLED_CONDITION) {
                jump.set_metadata(kind, context.loop_metadata(&properties(context, NEVER)));
            }
        }
    }
}

/// LLVM Language Reference, "llvm.loop.unroll".
fn properties(context: &Context, count: u64) -> Vec<Value<'_>> {
    let flag = |name: &str| context.metadata_node(&[context.metadata_string(name)]);
    match count {
        FULL => vec![flag("llvm.loop.unroll.full")],
        NEVER => vec![flag("llvm.loop.unroll.disable")],
        count => vec![context.metadata_node(&[
            context.metadata_string("llvm.loop.unroll.count"),
            context.int(32).constant(count),
        ])],
    }
}

/// The jumps back to the start of the innermost loop that `block` is in.
fn innermost_loop<'c>(block: Block<'c>) -> Option<Vec<Value<'c>>> {
    let blocks = block.function().blocks();
    let number: BTreeMap<Block<'c>, usize> = blocks.iter().copied().zip(0..).collect();
    let successors: Vec<Vec<usize>> = blocks
        .iter()
        .map(|block| block.successors().iter().map(|next| number[next]).collect())
        .collect();
    let (_, latches) = innermost(&successors, number[&block])?;
    latches.into_iter().map(|latch| blocks[latch].terminator()).collect()
}

/// Start and latches of the innermost natural loop around `inside`, in a graph whose first node is
/// its entry. Rust has no `goto`: every jump back goes to a block that dominates it, so a jump to a
/// block on the current path of a depth-first walk is one.
fn innermost(successors: &[Vec<usize>], inside: usize) -> Option<(usize, Vec<usize>)> {
    let mut latches: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut seen = BTreeSet::from([0]);
    let mut on_path = BTreeSet::from([0]);
    // The path, with how many successors of each node have been looked at.
    let mut path = vec![(0, 0)];
    while let Some((node, done)) = path.last_mut() {
        let (from, next) = (*node, successors[*node].get(*done).copied());
        *done += 1;
        match next {
            None => {
                on_path.remove(&from);
                path.pop();
            }
            Some(next) if on_path.contains(&next) => latches.entry(next).or_default().push(from),
            Some(next) => {
                if seen.insert(next) {
                    on_path.insert(next);
                    path.push((next, 0));
                }
            }
        }
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
    latches
        .into_iter()
        .filter_map(|(start, latches)| {
            let body = body(start, &latches);
            body.contains(&inside).then_some((body.len(), start, latches))
        })
        .min()
        .map(|(_, start, mut latches)| {
            latches.dedup();
            (start, latches)
        })
}

#[cfg(test)]
mod tests {
    use super::innermost;

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
