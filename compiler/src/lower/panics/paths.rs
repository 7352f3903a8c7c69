//! Splits panics whose parts depend on a branch, such as the variant of an enum that is shown, into one
//! panic per path.
//!
//! The steps after this one need a panic's calls in one block ([`super::outline`], [`super::sites`]).
//! So the blocks after `begin` are copied for each path through them, and all calls move to the end of
//! the path. That changes nothing: the code between them only reads.
//!
//! A panic stays as it is if there is a loop in it (the elements of a slice), or if its paths are many.
//!
//! The same applies to lines ([`super::prints`]), after which the paths join again.

use std::collections::{BTreeMap, BTreeSet};

use super::{PANIC_PREFIX, PRINT_PREFIX, Runtime};
use crate::llvm::{Block, Builder, Module, TypeKind, Value, calls_of, opcode};

/// The most paths of a panic: each becomes a site of its own.
const MAX_PATHS: usize = 16;
/// The most instructions of all paths together.
const MAX_INSTRUCTIONS: usize = 600;
/// The most blocks of a path.
const MAX_BLOCKS: usize = 32;

/// Splits every panic that branches.
pub(super) fn split<'c>(module: &Module<'c>, runtime: &Runtime<'c>) {
    for begin in calls_of(runtime.begin) {
        let first = begin.parent_block();
        let mut region = Region { runtime, blocks: BTreeSet::new(), paths: 0, instructions: 0 };
        let calls = behind(begin);
        let Some(calls) = region.calls(&calls) else { continue };
        let is_whole = calls.iter().any(|call| call.callee() == runtime.end);
        let is_loop = first.instructions()[0].opcode() == opcode::PHI;
        if is_whole || is_loop || first.successors().is_empty() {
            continue;
        }
        if !region.fits(first, 0) || !region.is_closed(first) || region.is_needed() {
            continue;
        }
        for next in distinct(first.successors()) {
            let values = BTreeMap::new();
            let pending = calls.iter().map(|&call| Pending::new(call, &values)).collect();
            let own = copy(module, runtime, next, first, values, pending);
            first.redirect(next, own);
        }
        for call in calls.into_iter().rev() {
            call.erase();
        }
        region.delete();
    }
}

/// The instructions from `begin` to the end of its block.
fn behind(begin: Value<'_>) -> Vec<Value<'_>> {
    std::iter::successors(Some(begin), |instruction| instruction.next_instruction()).collect()
}

/// Each block once, in the given order: sorted by address, the copies would be in a different order in
/// each build.
fn distinct(blocks: Vec<Block<'_>>) -> Vec<Block<'_>> {
    let mut seen = BTreeSet::new();
    blocks.into_iter().filter(|block| seen.insert(*block)).collect()
}

/// The blocks that follow a `begin`.
struct Region<'r, 'c> {
    runtime: &'r Runtime<'c>,
    blocks: BTreeSet<Block<'c>>,
    paths: usize,
    instructions: usize,
}

impl<'c> Region<'_, 'c> {
    /// The calls that record something; `None` if another instruction does more than read.
    fn calls(&self, instructions: &[Value<'c>]) -> Option<Vec<Value<'c>>> {
        let mut calls = Vec::new();
        for &instruction in instructions {
            let op = instruction.opcode();
            let writes =
                [opcode::STORE, opcode::ATOMIC_RMW, opcode::CMPXCHG, opcode::FENCE, opcode::ALLOCA];
            if writes.contains(&op) || op == opcode::INVOKE {
                return None;
            }
            if op != opcode::CALL {
                continue;
            }
            let callee = instruction.callee();
            let Runtime { begin, text, value, end, .. } = *self.runtime;
            if [begin, text, value, end].contains(&callee) {
                calls.push(instruction);
            } else if !callee.is_function() || callee.intrinsic_id() == 0 {
                return None;
            }
        }
        Some(calls)
    }

    /// Whether all paths from `block` end with the panic, and are few and short.
    fn fits(&mut self, block: Block<'c>, depth: usize) -> bool {
        let next = distinct(block.successors());
        if depth > MAX_BLOCKS || next.is_empty() {
            return false;
        }
        next.into_iter().all(|next| {
            let instructions = next.instructions();
            self.blocks.insert(next);
            self.instructions += instructions.len();
            if self.instructions > MAX_INSTRUCTIONS {
                return false;
            }
            let Some(calls) = self.calls(&instructions) else { return false };
            let ends = calls.iter().filter(|call| call.callee() == self.runtime.end).count();
            if calls.iter().any(|call| call.callee() == self.runtime.begin) {
                return false;
            }
            if self.runtime.prefix == PRINT_PREFIX && ends == 1 {
                self.paths += 1;
                return self.paths <= MAX_PATHS;
            }
            let last = next.terminator().map(|end| end.opcode());
            if last == Some(opcode::UNREACHABLE) {
                // A block without an end is unreachable: it stands for values that no variant has.
                self.paths += ends;
                return ends <= 1 && self.paths <= MAX_PATHS;
            }
            let branches = [Some(opcode::BRANCH), Some(opcode::SWITCH)].contains(&last);
            ends == 0 && branches && self.fits(next, depth + 1)
        })
    }

    /// Whether the blocks can be reached only from `first`, so that they are dead afterwards.
    fn is_closed(&self, first: Block<'c>) -> bool {
        let outside = |block: &Block<'c>| *block != first && !self.blocks.contains(block);
        !self.blocks.contains(&first)
            && first
                .function()
                .blocks()
                .into_iter()
                .filter(outside)
                .all(|block| block.successors().iter().all(|next| !self.blocks.contains(next)))
    }

    /// Whether later code uses a value of the blocks.
    fn is_needed(&self) -> bool {
        let instructions = self.blocks.iter().flat_map(|block| block.instructions());
        instructions
            .flat_map(Value::users)
            .any(|user| user.is_instruction() && !self.blocks.contains(&user.parent_block()))
    }

    /// Removes the blocks, which are unreachable now.
    fn delete(self) {
        for block in &self.blocks {
            for instruction in block.instructions().into_iter().rev() {
                if !matches!(instruction.ty().kind(), TypeKind::Void) {
                    instruction.replace_all_uses_with(instruction.ty().undefined());
                }
                instruction.erase();
            }
        }
        self.blocks.into_iter().for_each(Block::delete);
    }
}

/// A call that waits for the end of its path.
#[derive(Clone)]
struct Pending<'c> {
    call: Value<'c>,
    operands: Vec<Value<'c>>,
}

impl<'c> Pending<'c> {
    fn new(call: Value<'c>, values: &BTreeMap<Value<'c>, Value<'c>>) -> Pending<'c> {
        let known = |operand| *values.get(&operand).unwrap_or(&operand);
        Pending { call, operands: call.operands().into_iter().map(known).collect() }
    }
}

/// Copies `block`, which is entered from `from`, and all that follows; returns the copy. `values` maps
/// earlier values to their copies.
fn copy<'c>(
    module: &Module<'c>,
    runtime: &Runtime<'c>,
    block: Block<'c>,
    from: Block<'c>,
    mut values: BTreeMap<Value<'c>, Value<'c>>,
    mut pending: Vec<Pending<'c>>,
) -> Block<'c> {
    let own = block.function().append_block(module.context());
    let builder = Builder::at_end(module.context(), own);
    let insert = |builder: &Builder<'c>, instruction: Value<'c>, operands: &[Value<'c>]| {
        let copy = instruction.copy();
        builder.insert_copy(copy);
        for (i, &operand) in (0..).zip(operands) {
            copy.set_operand(i, operand);
        }
        copy
    };
    let Runtime { text, value, end, .. } = *runtime;
    for instruction in block.instructions() {
        match instruction.opcode() {
            opcode::PHI => {
                if let Some(incoming) = instruction.incoming(from) {
                    let known = *values.get(&incoming).unwrap_or(&incoming);
                    values.insert(instruction, known);
                }
                continue;
            }
            opcode::CALL
                if [text, value].contains(&instruction.callee())
                    || instruction.callee() == end && runtime.prefix == PANIC_PREFIX =>
            {
                pending.push(Pending::new(instruction, &values));
                continue;
            }
            opcode::CALL if instruction.callee() == end => {
                // A line: its parts get a loop of their own, in case it can't become a number. What
                // follows it has no phis.
                let old = pending.first().map(|first| first.call.parent_block());
                pending.push(Pending::new(instruction, &values));
                let line = block.function().append_block(module.context());
                builder.jump(line);
                let builder = Builder::at_end(module.context(), line);
                let insert = |p: &Pending<'c>| insert(&builder, p.call, &p.operands);
                let inserted: Vec<_> = pending.iter().map(insert).collect();
                let behind = block.successors().into_iter().find(|next| Some(*next) != old);
                if let (Some(&again), Some(behind)) = (inserted.last(), behind) {
                    builder.branch(again, line, behind);
                }
                return own;
            }
            opcode::UNREACHABLE if pending.last().is_some_and(|last| last.call.callee() == end) => {
                for Pending { call, operands } in &pending {
                    insert(&builder, *call, operands);
                }
            }
            _ => {}
        }
        let operands = Pending::new(instruction, &values).operands;
        let made = insert(&builder, instruction, &operands);
        values.insert(instruction, made);
    }
    for next in distinct(block.successors()) {
        let copied = copy(module, runtime, next, block, values.clone(), pending.clone());
        own.redirect(next, copied);
    }
    own
}
