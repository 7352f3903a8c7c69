//! Calculates a thread's index in the grid in 32 bits, as CUDA C++ does with `int`.
//!
//! `block::x() * block::dim_x() + thread::x()` has up to 41 bits, so Rust code calculates it in `usize`; but launches of so many
//! threads are rare. Every launch of a kernel that has such an index is checked: the blocks along an axis, times the threads of a
//! block, are below 2^31, unless the kernel is `#[kernel(wide)]`. The product of any of a grid's extents and any of a block's, and
//! the number of any thread along an axis, are then no larger than `i32::MAX`. So LLVM is told that neither wraps around in 32 bits,
//! and a value of 64 bits is the extension of one of 32.

use crate::llvm::{Builder, Module, Value, opcode};
use crate::lower::{IS_NARROW, MAY_NARROW};

/// The special registers, by the beginning of their intrinsics' names.
const BLOCK: &str = "llvm.nvvm.read.ptx.sreg.ctaid.";
const BLOCKS: &str = "llvm.nvvm.read.ptx.sreg.nctaid.";
const THREAD: &str = "llvm.nvvm.read.ptx.sreg.tid.";
const THREADS: &str = "llvm.nvvm.read.ptx.sreg.ntid.";

/// Changes the indices of every marked function.
pub(crate) fn narrow_indices(module: &Module<'_>) {
    let context = module.context();
    for function in module.functions() {
        if function.string_attribute(MAY_NARROW).is_none() {
            continue;
        }
        let found: Vec<(Value<'_>, Index<'_>)> = function
            .instructions()
            .into_iter()
            .filter_map(|instruction| Some((instruction, Index::of(instruction)?)))
            .collect();
        if !found.is_empty() {
            function.add_function_attribute(context.string_attribute(IS_NARROW, ""));
        }
        for (instruction, Index { factors: [a, b], plus }) in found {
            let builder = Builder::before(context, instruction);
            let mut value = builder.binary(opcode::MUL, a, b);
            let mut made = vec![value];
            if let Some(plus) = plus {
                value = builder.binary(opcode::ADD, value, plus);
                made.push(value);
            }
            for one in made.into_iter().filter(|one| one.is_instruction()) {
                one.promise_no_unsigned_wrap();
                one.promise_no_signed_wrap();
            }
            let whole = builder.cast(opcode::ZERO_EXTEND, value, instruction.ty());
            whole.promise_not_negative();
            instruction.replace_all_uses_with(whole);
        }
    }
}

/// A product of two special registers, and perhaps a third one added.
struct Index<'c> {
    factors: [Value<'c>; 2],
    plus: Option<Value<'c>>,
}

impl<'c> Index<'c> {
    fn of(value: Value<'c>) -> Option<Index<'c>> {
        if value.ty().int_bits() != Some(64) {
            return None;
        }
        match value.opcode() {
            opcode::MUL => Index::product(value, BLOCKS).or_else(|| Index::product(value, BLOCK)),
            opcode::ADD => {
                let (a, b) = (value.operand(0), value.operand(1));
                [(a, b), (b, a)].into_iter().find_map(|(product, plus)| {
                    let factors = Index::product(product, BLOCK)?.factors;
                    Some(Index { factors, plus: Some(register(plus, THREAD)?) })
                })
            }
            _ => None,
        }
    }

    /// The product of a register of the grid and a block's extent.
    fn product(value: Value<'c>, of_grid: &str) -> Option<Index<'c>> {
        if !value.is_instruction() || value.opcode() != opcode::MUL {
            return None;
        }
        let (a, b) = (value.operand(0), value.operand(1));
        let factors = [(a, b), (b, a)]
            .into_iter()
            .find_map(|(a, b)| Some([register(a, of_grid)?, register(b, THREADS)?]))?;
        Some(Index { factors, plus: None })
    }
}

/// The special register that a value is, or is extended from without a sign.
fn register<'c>(value: Value<'c>, name: &str) -> Option<Value<'c>> {
    let is_extended = value.is_instruction() && value.opcode() == opcode::ZERO_EXTEND;
    let read = if is_extended { value.operand(0) } else { value };
    let is_it = read.is_instruction()
        && read.is_call()
        && read.callee().is_function()
        && read.callee().intrinsic_id() != 0
        && read.callee().name().starts_with(name)
        && read.ty().int_bits() == Some(32);
    is_it.then_some(read)
}
