//! Finds a function of the crate `half` in the place where rustc has copied it to.
//!
//! `half::bfloat::convert::f32_to_bf16` is short enough for rustc to inline, so that its name is gone before Ptyx sees
//! the code. In rustc's IR its body is always the same, for `x` the bits of the number:
//!
//! ```text
//! if x & 0x7fff_ffff > 0x7f80_0000 { *place = x >> 16 | 0x40 }
//! else if x & 0x8000 != 0 && x & 0x1_7fff != 0 { *place = (x >> 16) + 1 }
//! else { *place = x >> 16 }
//! ```
//!
//! The addition may be checked. All of it is compared: code that differs anywhere stays as it is, and computes the same
//! with integers. Only the numbers that are not NaN become the device's instruction, which would lose a NaN's bits; the
//! code could be somebody else's, too.

use crate::llvm::{Block, Opcode, TypeKind, Value, opcode, ordering, predicate};

/// The function of the device library that rounds to the nearest, without its prefix.
pub(super) const ROUNDS: &str = "bf16_from_f32";

/// A place where a float is rounded to `bf16`.
pub(super) struct Rounding<'c> {
    /// The float.
    pub(super) number: Value<'c>,
    /// The branch that all floats that are not NaN come to, and nothing else does.
    pub(super) branch: Value<'c>,
    /// The store of a result that is rounded down, where the branch leads to if its condition is true. Nothing else leads
    /// there without passing that branch.
    pub(super) store: Value<'c>,
}

/// The places in a function.
pub(super) fn roundings(function: Value<'_>) -> Vec<Rounding<'_>> {
    function.instructions().into_iter().filter_map(rounding).collect()
}

/// The place that begins with this instruction, the branch on NaN.
fn rounding<'c>(branch: Value<'c>) -> Option<Rounding<'c>> {
    if branch.opcode() != opcode::BRANCH {
        return None;
    }
    let is_nan = branch.condition()?;
    let magnitude = compared(is_nan, predicate::UNSIGNED_GREATER, 0x7f80_0000)?;
    let bits = with_constant(magnitude, opcode::AND, 0x7fff_ffff)?;
    let number = of(bits, opcode::BIT_CAST)?;
    if bits.ty().kind() != INT || number.ty().kind() != FLOAT {
        return None;
    }
    let [nan, finite] = successors(branch)?;
    let (store, end) = stored(nan)?;
    let quiet = with_constant(of(store.operand(0), opcode::TRUNCATE)?, opcode::OR, 0x40)?;
    if with_constant(quiet, opcode::LSHR, 16)? != bits {
        return None;
    }
    // What all paths lead to, and where they have put the result.
    let ends = |(other, behind): (Value<'c>, Block<'c>)| {
        behind == end
            && other.operand(1) == store.operand(1)
            && other.operand(0).ty().kind() == HALF
    };
    let cut = |block: Block<'c>| {
        let (store, behind) = stored(block)?;
        is_high(store.operand(0), bits)?;
        ends((store, behind)).then_some(store)
    };
    let below = |block: Block<'c>, mask: u64| {
        let branch = block.terminator()?;
        let masked = compared(branch.condition()?, predicate::EQUAL, 0)?;
        (only_computes(block) && with_constant(masked, opcode::AND, mask)? == bits)
            .then_some(branch)
    };
    let at = below(finite, 0x8000)?;
    let [down, middle] = successors(at)?;
    let [even, up] = successors(below(middle, 0x1_7fff)?)?;
    let down = cut(down)?;
    cut(even)?;
    let (rounded, behind) = stored(unchecked(up, bits)?)?;
    let high = with_constant(rounded.operand(0), opcode::ADD, 1)?;
    is_high(high, bits)?;
    let has_phi = end.instructions().first().is_some_and(|first| first.opcode() == opcode::PHI);
    let is_alone = comes_from(finite, &[branch.parent_block()])
        && comes_from(middle, &[finite])
        && comes_from(down.parent_block(), &[finite, middle]);
    (ends((store, end)) && ends((rounded, behind)) && !has_phi && is_alone).then_some(Rounding {
        number,
        branch: at,
        store: down,
    })
}

/// Whether nothing but these blocks leads to a block, by way of blocks that only jump on.
fn comes_from(block: Block<'_>, from: &[Block<'_>]) -> bool {
    let leads = |other: &Block<'_>| other.successors().contains(&block);
    block.function().blocks().into_iter().filter(leads).all(|other| {
        let only_jumps = other.instructions().len() == 1 && other.successors().len() == 1;
        from.contains(&other) || (only_jumps && other != block && comes_from(other, from))
    })
}

const INT: TypeKind = TypeKind::Int(32);
const HALF: TypeKind = TypeKind::Int(16);
const FLOAT: TypeKind = TypeKind::F32;

/// The operand of a conversion.
fn of(value: Value<'_>, operation: Opcode) -> Option<Value<'_>> {
    (value.is_instruction() && value.opcode() == operation).then(|| value.operand(0))
}

/// The first operand of an operation whose second one is this constant.
fn with_constant(value: Value<'_>, operation: Opcode, constant: u64) -> Option<Value<'_>> {
    of(value, operation).filter(|_| value.operand(1).as_int() == Some(constant))
}

/// What a comparison compares with this constant.
fn compared(value: Value<'_>, how: i32, constant: u64) -> Option<Value<'_>> {
    with_constant(value, opcode::INTEGER_COMPARISON, constant).filter(|_| value.predicate() == how)
}

/// Whether it is the upper half of `bits`.
fn is_high(value: Value<'_>, bits: Value<'_>) -> Option<()> {
    let shifted = of(value, opcode::TRUNCATE)?;
    (with_constant(shifted, opcode::LSHR, 16)? == bits).then_some(())
}

/// The two blocks of a conditional branch.
fn successors(branch: Value<'_>) -> Option<[Block<'_>; 2]> {
    branch.parent_block().successors().try_into().ok()
}

/// Whether a block has no effect, and no phi.
fn only_computes(block: Block<'_>) -> bool {
    let mut inner = block.instructions();
    inner.pop();
    inner.iter().all(|one| opcode::PURE.contains(&one.opcode()))
}

/// The only effect of a block that does nothing else: a store, behind which it jumps to the block that is told.
fn stored(block: Block<'_>) -> Option<(Value<'_>, Block<'_>)> {
    // It may be behind a block that only jumps on.
    let block = match block.instructions()[..] {
        [jump] => only_successor(jump)?,
        _ => block,
    };
    let mut inner = block.instructions();
    let end = only_successor(inner.pop()?)?;
    let store = inner.pop()?;
    let computes = inner.iter().all(|one| opcode::PURE.contains(&one.opcode()));
    let is_plain = store.opcode() == opcode::STORE
        && !store.is_volatile()
        && store.memory_ordering() == ordering::NOT_ATOMIC;
    (computes && is_plain).then_some((store, end))
}

/// Where an unconditional branch leads.
fn only_successor(jump: Value<'_>) -> Option<Block<'_>> {
    let is_jump = jump.opcode() == opcode::BRANCH && jump.condition().is_none();
    let [to] = jump.parent_block().successors().try_into().ok()?;
    is_jump.then_some(to)
}

/// The block behind the check for overflow, which never fails, if there is one: the upper half of a number that is not
/// NaN is not all ones.
fn unchecked<'c>(block: Block<'c>, bits: Value<'c>) -> Option<Block<'c>> {
    let branch = block.terminator()?;
    let Some(overflows) = branch.condition() else { return Some(block) };
    let sum = of(overflows, opcode::INTEGER_COMPARISON)?;
    is_high(overflows.operand(1), bits)?;
    let is_check = overflows.predicate() == predicate::UNSIGNED_LESS
        && with_constant(sum, opcode::ADD, 1)? == overflows.operand(1);
    let [_, passed] = successors(branch)?;
    (is_check && only_computes(block)).then_some(passed)
}
