//! Copies of a kernel's blocks.

use std::collections::BTreeMap;

use super::super::loop_properties::KEEPS_CHECKS;
use crate::llvm::{Block, Builder, Context, Value, loops_of, opcode};
use crate::lower::{LOOP_METADATA, NEVER_UNROLL, unroll_properties};

/// Splits a kernel's first block behind its variables. Returns both parts.
pub(super) fn split_head<'c>(
    context: &'c Context,
    kernel: Value<'c>,
) -> Option<(Block<'c>, Block<'c>)> {
    let start = *kernel.blocks().first()?;
    let mut instructions = start.instructions().into_iter();
    let first = instructions.find(|one| one.opcode() != opcode::ALLOCA)?;
    Some((start.split_before(context, first), start))
}

/// The copies of blocks, and of the values in them.
pub(in super::super) struct Copy<'c> {
    pub(in super::super) blocks: BTreeMap<Block<'c>, Block<'c>>,
    pub(in super::super) values: BTreeMap<Value<'c>, Value<'c>>,
}

/// Copies blocks of a kernel, to whose other blocks they may jump. Each pair of `entries` is a block that leads to the originals,
/// and the one that leads to the copies instead.
pub(in super::super) fn copy_blocks<'c>(
    context: &'c Context,
    kernel: Value<'c>,
    originals: &[Block<'c>],
    entries: &[(Block<'c>, Block<'c>)],
) -> Copy<'c> {
    let mut blocks: BTreeMap<Block<'c>, Block<'c>> = entries.iter().copied().collect();
    for original in originals {
        blocks.insert(*original, kernel.append_block(context));
    }
    let mut values: BTreeMap<Value<'c>, Value<'c>> = BTreeMap::new();
    for original in originals {
        let builder = Builder::at_end(context, blocks[original]);
        for instruction in original.instructions() {
            let copy = match instruction.opcode() {
                opcode::PHI => builder.phi(instruction.ty(), &[]),
                _ => {
                    let copy = instruction.copy();
                    builder.insert_copy(copy);
                    copy
                }
            };
            values.insert(instruction, copy);
        }
    }
    let copied = |value: Value<'c>| values.get(&value).copied().unwrap_or(value);
    for original in originals {
        for instruction in original.instructions() {
            let copy = values[&instruction];
            if instruction.opcode() == opcode::PHI {
                for (value, from) in instruction.incoming_edges() {
                    let from = blocks.get(&from).copied().unwrap_or(from);
                    copy.add_incoming(copied(value), from);
                }
                continue;
            }
            for (index, operand) in (0..).zip(instruction.operands()) {
                if let Some(new) = values.get(&operand) {
                    copy.set_operand(index, *new);
                }
            }
        }
        for next in original.successors() {
            if let Some(copy) = blocks.get(&next) {
                blocks[original].redirect(next, *copy);
            }
        }
    }
    Copy { blocks, values }
}

/// Keeps LLVM from leading copies to one end with what they have in common: loads there would wait for the others. Each copy gets as
/// many empty statements before its ends as copies follow.
pub(super) fn keep_apart<'c>(context: &'c Context, copies: &[Vec<Block<'c>>]) {
    let ty = context.function(context.void(), &[]);
    for (index, blocks) in copies.iter().enumerate() {
        for end in blocks.iter().filter_map(|block| block.terminator()) {
            if end.opcode() == opcode::RETURN {
                let nothing = context.inline_asm(ty, "", "", true);
                for _ in index + 1..copies.len() {
                    Builder::before(context, end).call(ty, nothing, &[]);
                }
            }
        }
    }
}

/// Keeps the loops of the originals as they are: few launches come to them, and their registers would be those of the kernel.
pub(super) fn keep_small<'c>(context: &'c Context, kernel: Value<'c>, originals: &[Block<'c>]) {
    let kind = context.metadata_kind(LOOP_METADATA);
    for around in loops_of(kernel).iter().filter(|around| originals.contains(&around.start)) {
        let mut properties = unroll_properties(context, NEVER_UNROLL);
        properties.push(context.metadata_node(&[context.metadata_string(KEEPS_CHECKS)]));
        let never = context.loop_metadata(&properties);
        let jumps = around.latches.iter().filter_map(|latch| latch.terminator());
        jumps.for_each(|jump| jump.set_metadata(kind, never));
    }
}
