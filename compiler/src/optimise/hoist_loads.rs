//! Moves loads from fixed places of a buffer out of loops, in kernels for launches whose buffers are long enough.
//!
//! LLVM moves a load out of a loop if each iteration makes it, or if it knows that the memory is there. Neither is true of a
//! table's element that is loaded behind a check of something else. But the host launches the entry for a level only if the buffers
//! have some least lengths (`prove_checks/`), so elements below these can be loaded at any time. Only loads from buffers that no
//! thread writes to are moved.

use std::collections::BTreeMap;

use super::flow::Flow;
use super::join_checks::{Kinds, forget_promises};
use crate::llvm::known::KERNEL_CONVENTION;
use crate::llvm::{Block, Builder, Context, Module, Type, Value, loops_of, opcode, ordering};
use crate::lower::{least_of, slice_of};

/// The most loads of a kernel that are moved: each takes a register for the whole loop.
const MAX_LOADS: usize = 64;

/// Moves loads out of the loops of every kernel.
pub(super) fn hoist_loads(module: &Module<'_>) {
    for kernel in module.functions() {
        if kernel.calling_convention() == KERNEL_CONVENTION && !kernel.blocks().is_empty() {
            hoist(module, kernel);
        }
    }
}

/// A buffer that no thread writes to, and its least number of bytes.
struct Buffer<'c> {
    pointer: Value<'c>,
    bytes: u64,
    align: u64,
}

fn hoist<'c>(module: &Module<'c>, kernel: Value<'c>) -> Option<()> {
    let context = module.context();
    let buffers: Vec<Buffer<'c>> = least_of(kernel)?
        .into_iter()
        .filter_map(|(length, least)| {
            let (pointer, size) = slice_of(length)?;
            let bytes = least.checked_mul(size)?;
            let align = read_only_align(context, pointer)?;
            Some(Buffer { pointer, bytes, align })
        })
        .collect();
    if buffers.is_empty() {
        return None;
    }
    let kinds = Kinds::new(context);
    let flow = Flow::of(kernel);
    let mut moved: BTreeMap<(Block<'c>, Value<'c>, u64, String), Value<'c>> = BTreeMap::new();
    // The outermost loops first.
    for around in loops_of(kernel).iter().rev() {
        let Some(before) = flow.entry(around) else { continue };
        let Some(jump) = before.terminator() else { continue };
        let is_there = |load: Value<'c>, pointer: Value<'c>, offset: u64| {
            let end = offset.saturating_add(module.size_of(load.ty()));
            let align = u64::from(load.alignment());
            let has_it =
                |one: &Buffer<'c>| one.pointer == pointer && end <= one.bytes && align <= one.align;
            offset.is_multiple_of(align.max(1)) && buffers.iter().any(has_it)
        };
        let builder = Builder::before(context, jump);
        for load in flow.blocks_of(around).iter().flat_map(|block| block.instructions()) {
            let Some((pointer, offset)) = place_of(module, load) else { continue };
            let ty: Type<'c> = load.ty();
            if !is_there(load, pointer, offset) {
                continue;
            }
            let key = (before, pointer, offset, ty.print());
            if let Some(same) = moved.get(&key) {
                load.replace_all_uses_with(*same);
                load.erase();
                continue;
            }
            if moved.len() == MAX_LOADS {
                return None;
            }
            for one in [load.operand(0), load] {
                if one.is_instruction() && around.body.contains(&one.parent_block()) {
                    one.take_out();
                    builder.insert_copy(one);
                    forget_promises(one);
                }
            }
            kinds.forget_promises(load);
            moved.insert(key, load);
        }
    }
    Some(())
}

/// The alignment of a parameter, if it points to memory that no thread writes to.
fn read_only_align(context: &Context, pointer: Value<'_>) -> Option<u64> {
    let (function, index) = pointer.parameter_of()?;
    let value = |name| function.param_attribute(index, context.attribute_kind(name));
    value("noalias")?;
    value("readonly")?;
    value("align")?.enum_value()
}

/// Where an instruction loads from, if that is a fixed place: a parameter, and the offset from it in bytes.
fn place_of<'c>(module: &Module<'c>, load: Value<'c>) -> Option<(Value<'c>, u64)> {
    if load.opcode() != opcode::LOAD
        || load.memory_ordering() != ordering::NOT_ATOMIC
        || load.is_volatile()
    {
        return None;
    }
    let address = load.operand(0);
    if address.parameter_of().is_some() {
        return Some((address, 0));
    }
    let is_sum = address.is_instruction() && address.opcode() == opcode::GET_ELEMENT_PTR;
    let [pointer, index] = address.operands()[..] else { return None };
    pointer.parameter_of().filter(|_| is_sum && index.ty().int_bits() == Some(64))?;
    Some((pointer, index.as_int()?.checked_mul(module.size_of(address.element_type()))?))
}
