//! Calculates in 32 bits what has 64 but needs no more than 32.
//!
//! Indices are of type `usize` in Rust, so a place in shared memory that is computed from a thread's index is computed in
//! 64 bits: an addition takes two instructions, a shift to the right or a comparison two as well, a multiplication four.
//! NVIDIA's assembler drops upper halves that nobody looks at, as of an address in shared memory; but shifts to the right
//! and comparisons look at them. What special registers can hold (`ranges.rs`) says that most of these halves are zero. LLVM
//! knows that, too, but takes 64 bits for as good as 32.
//!
//! An operation is changed if its result, and where it matters its operands, are below 2^32 in any case: not only behind
//! some check. So the result is the same wherever the operation is moved later. That nothing wraps around is noted on the
//! new operation where it follows from the ranges: an address that is made from a sum is taken apart by the code generator only
//! then.
//!
//! A number below 2^31 compares with a number of 64 bits as with the lesser of that and 2^31, which the launch passes for the
//! kernel's own parameters (`lower/limits.rs`). Checks of indices are left to `join_checks/`, which compares them in the same
//! way.
//!
//! A product of two numbers below 2^32 is one `mul.wide.u32`, but LLVM uses it only if both factors are zero-extended from 32 bits.
//! Where the upper half is wanted by itself, as in hashes and random numbers, LLVM has often turned the extensions into bit masks and
//! shifts. There the instruction is written as inline assembly (`multiply_words`), near the end, since the other passes can't see
//! through it.

use std::collections::BTreeSet;

use super::ranges::{Range, Ranges, is_of_division};
use crate::llvm::{Block, Builder, Context, Module, Value, opcode, predicate};
use crate::lower::{LimitForm, limit_of};

/// The bits of a machine word.
const BITS: u32 = 32;

/// Changes the operations of every function.
pub(crate) fn narrow_words(module: &Module<'_>) {
    let context = module.context();
    for function in module.functions() {
        let mut ranges = Ranges::new(context);
        let instructions = function.instructions();
        // Now, while a product's quotient is still a division.
        let wanted = wanted(&mut ranges, &instructions);
        for instruction in instructions.into_iter().filter(|one| wanted.contains(one)) {
            match instruction.opcode() {
                opcode::INTEGER_COMPARISON => compare(context, &mut ranges, instruction),
                _ => _ = calculate(context, &mut ranges, instruction),
            }
        }
    }
}

/// Writes products of 32-bit words that LLVM does not recognise as `mul.wide.u32`, in every function.
pub(crate) fn multiply_words(module: &Module<'_>) {
    let context = module.context();
    let (word, wide) = (context.int(BITS), context.int(2 * BITS));
    let ty = context.function(wide, &[word, word]);
    for function in module.functions() {
        let mut ranges = Ranges::new(context);
        for product in function.instructions() {
            if !is_product_of_words(&mut ranges, product) || is_of_extensions(product) {
                continue;
            }
            let builder = Builder::before(context, product);
            let (a, b) = (product.operand(0), product.operand(1));
            let [a, b] = [a, b].map(|value| low_half(context, &builder, value));
            let written = builder.pure_asm(ty, ("mul.wide.u32 $0, $1, $2;", "=l,r,r"), &[a, b]);
            product.replace_all_uses_with(written);
            ranges.forget(product);
            product.erase();
        }
    }
}

/// Whether this is a product of two 32-bit words whose upper half is used, and which is not part of an index.
fn is_product_of_words<'c>(ranges: &mut Ranges<'c>, product: Value<'c>) -> bool {
    const USERS: [i32; 5] = [opcode::LSHR, opcode::TRUNCATE, opcode::XOR, opcode::AND, opcode::OR];
    if product.opcode() != opcode::MUL || product.ty().int_bits() != Some(2 * BITS) {
        return false;
    }
    let users = product.users();
    users.iter().all(|user| USERS.contains(&user.opcode()))
        && users.iter().any(|user| user.opcode() != opcode::TRUNCATE)
        && product
            .operands()
            .into_iter()
            .all(|operand| ranges.of(operand).is_some_and(|range| range.fits(BITS)))
}

/// Whether LLVM recognises by itself that the factors have 32 bits.
fn is_of_extensions(product: Value<'_>) -> bool {
    product.operands().into_iter().all(|operand| {
        operand.is_constant()
            || operand.is_instruction()
                && operand.opcode() == opcode::ZERO_EXTEND
                // Of a value that was truncated, the code generator makes a bit mask again.
                && !(operand.operand(0).is_instruction()
                    && operand.operand(0).opcode() == opcode::TRUNCATE)
    })
}

/// The operations that are changed: those that take more instructions in 64 bits, and what they are computed from. A sum that
/// only others of 64 bits use stays: `join_checks/spans.rs` does not look through the extension of a sum.
fn wanted<'c>(ranges: &mut Ranges<'c>, instructions: &[Value<'c>]) -> BTreeSet<Value<'c>> {
    let can_be = |ranges: &mut Ranges<'c>, one: Value<'c>| match one.opcode() {
        opcode::INTEGER_COMPARISON => is_narrow_comparison(ranges, one),
        _ => is_narrow(ranges, one).is_some(),
    };
    let possible: BTreeSet<Value<'c>> =
        instructions.iter().copied().filter(|one| can_be(ranges, *one)).collect();
    let products = instructions.iter().copied().filter(|one| is_product_of_words(ranges, *one));
    let factors: Vec<Value<'c>> = products.flat_map(Value::operands).collect();
    let gains = |one: &Value<'c>| {
        matches!(
            one.opcode(),
            opcode::LSHR | opcode::UDIV | opcode::UREM | opcode::INTEGER_COMPARISON
        ) || is_of_division(*one)
    };
    let mut open: Vec<Value<'c>> = possible.iter().copied().filter(gains).collect();
    open.extend(factors.into_iter().filter(|factor| possible.contains(factor)));
    let mut wanted = BTreeSet::new();
    while let Some(one) = open.pop() {
        if wanted.insert(one) {
            open.extend(one.operands().into_iter().filter(|operand| possible.contains(operand)));
        }
    }
    wanted
}

/// The range of an operation's result, if its lower half can be calculated alone, and is all of it.
fn is_narrow<'c>(ranges: &mut Ranges<'c>, instruction: Value<'c>) -> Option<Range> {
    const OPERATIONS: [i32; 10] = [
        opcode::ADD,
        opcode::SUB,
        opcode::MUL,
        opcode::AND,
        opcode::OR,
        opcode::XOR,
        opcode::SHL,
        opcode::LSHR,
        opcode::UDIV,
        opcode::UREM,
    ];
    let operation = instruction.opcode();
    if instruction.ty().int_bits() != Some(64) || !OPERATIONS.contains(&operation) {
        return None;
    }
    let (a, b) = (instruction.operand(0), instruction.operand(1));
    let range = ranges.of(instruction).filter(|range| range.fits(BITS))?;
    let (first, second) = (ranges.of(a)?, ranges.of(b)?);
    // Of the others, the lower half of the result depends on the lower halves of the operands alone.
    let is_narrow = match operation {
        opcode::SHL => b.as_int().is_some_and(|by| by < u64::from(BITS)),
        opcode::LSHR => first.fits(BITS) && b.as_int().is_some_and(|by| by < u64::from(BITS)),
        opcode::UDIV | opcode::UREM => first.fits(BITS) && second.fits(BITS),
        _ => true,
    };
    (is_narrow && !(a.is_constant() && b.is_constant())).then_some(range)
}

/// Replaces an operation of 64 bits whose result has no more than 32.
fn calculate<'c>(
    context: &'c Context,
    ranges: &mut Ranges<'c>,
    instruction: Value<'c>,
) -> Option<()> {
    let range = is_narrow(ranges, instruction)?;
    let (operation, a, b) = (instruction.opcode(), instruction.operand(0), instruction.operand(1));
    let (first, second) = (ranges.of(a)?, ranges.of(b)?);
    let builder = Builder::before(context, instruction);
    let (low, by) = (low_half(context, &builder, a), low_half(context, &builder, b));
    let result = builder.binary(operation, low, by);
    // Of constants, LLVM makes a constant.
    let (unsigned, signed) = match result.is_instruction() {
        true => keeps(operation, (first, second), b, range),
        false => (false, false),
    };
    if unsigned {
        result.promise_no_unsigned_wrap();
    }
    if signed {
        result.promise_no_signed_wrap();
    }
    // Of the whole, it is true of the lower halves as well.
    if operation == opcode::OR && instruction.is_disjoint() && result.is_instruction() {
        result.promise_disjoint();
    }
    let whole = builder.cast(opcode::ZERO_EXTEND, result, instruction.ty());
    if range.fits(BITS - 1) && whole.is_instruction() {
        whole.promise_not_negative();
    }
    instruction.replace_all_uses_with(whole);
    ranges.forget(instruction);
    instruction.erase();
    Some(())
}

/// Whether the operation on lower halves can't wrap around, without and with a sign, as its operands' ranges show.
fn keeps(operation: i32, (a, b): (Range, Range), by: Value<'_>, result: Range) -> (bool, bool) {
    let are_words = a.fits(BITS) && b.fits(BITS);
    let are_positive = a.fits(BITS - 1) && b.fits(BITS - 1) && result.fits(BITS - 1);
    let below = |wide: Option<u64>| wide.is_some_and(|wide| wide <= u64::from(u32::MAX));
    match operation {
        opcode::ADD => {
            let unsigned = are_words && below(a.most.checked_add(b.most));
            // A number is subtracted.
            let minus =
                by.as_int().is_some_and(|by| by as i64 >= i64::from(i32::MIN) && (by as i64) < 0);
            let signed = minus && a.fits(BITS - 1) && result.fits(BITS - 1);
            (unsigned, unsigned && are_positive || signed)
        }
        opcode::SUB => (are_words && a.least >= b.most, are_positive),
        opcode::MUL => {
            let unsigned = are_words && below(a.most.checked_mul(b.most));
            (unsigned, unsigned && are_positive)
        }
        opcode::SHL => {
            let times = by.as_int().and_then(|by| 1u64.checked_shl(by as u32));
            let unsigned = a.fits(BITS) && below(times.and_then(|times| a.most.checked_mul(times)));
            (unsigned, unsigned && result.fits(BITS - 1))
        }
        _ => (false, false),
    }
}

/// Whether the upper halves of what a comparison compares are zero.
fn is_narrow_comparison<'c>(ranges: &mut Ranges<'c>, comparison: Value<'c>) -> bool {
    let (a, b) = (comparison.operand(0), comparison.operand(1));
    let mut is_low = |value: Value<'c>| ranges.of(value).is_some_and(|range| range.fits(BITS));
    let is_variable = !(a.is_constant() && b.is_constant());
    a.ty().int_bits() == Some(64)
        && is_variable
        && (is_low(a) && is_low(b) || limited(ranges, comparison).is_some())
}

/// The operands of a comparison without sign in 32 bits, if one of them is a parameter whose limit the launch passes, and the
/// other one is below 2^31.
fn limited<'c>(
    ranges: &mut Ranges<'c>,
    comparison: Value<'c>,
) -> Option<(Operand<'c>, Operand<'c>)> {
    if predicate::is_signed(comparison.predicate()) || is_check(comparison) {
        return None;
    }
    let (a, b) = (comparison.operand(0), comparison.operand(1));
    let limit = |value: Value<'c>| limit_of(value.thawed(), LimitForm::Positive).map(Operand::Word);
    let mut low = |value: Value<'c>| {
        let fits = ranges.of(value).is_some_and(|range| range.fits(BITS - 1));
        (fits && !value.is_constant()).then_some(Operand::Whole(value))
    };
    match (limit(a), limit(b)) {
        (Some(limit), None) => Some((limit, low(b)?)),
        (None, Some(limit)) => Some((low(a)?, limit)),
        _ => None,
    }
}

/// What is compared.
enum Operand<'c> {
    /// The lower half of a value of 64 bits.
    Whole(Value<'c>),
    /// A value of 32 bits.
    Word(Value<'c>),
}

impl<'c> Operand<'c> {
    fn low(self, context: &'c Context, builder: &Builder<'c>) -> Value<'c> {
        match self {
            Operand::Whole(value) => low_half(context, builder, value),
            Operand::Word(value) => value,
        }
    }
}

/// Whether a comparison decides whether its thread goes on.
fn is_check(comparison: Value<'_>) -> bool {
    let ends = |block: Block<'_>| {
        block.terminator().is_some_and(|end| end.opcode() == opcode::UNREACHABLE)
    };
    let decides = |user: Value<'_>| {
        let block = user.parent_block();
        block.terminator() == Some(user) && block.successors().into_iter().any(ends)
    };
    comparison.users().into_iter().any(decides)
}

/// Compares lower halves, where the upper ones are zero.
fn compare<'c>(context: &'c Context, ranges: &mut Ranges<'c>, comparison: Value<'c>) {
    if !is_narrow_comparison(ranges, comparison) {
        return;
    }
    let (a, b) = limited(ranges, comparison).unwrap_or_else(|| {
        (Operand::Whole(comparison.operand(0)), Operand::Whole(comparison.operand(1)))
    });
    let builder = Builder::before(context, comparison);
    let (low, other) = (a.low(context, &builder), b.low(context, &builder));
    let new = builder.compare(predicate::unsigned(comparison.predicate()), low, other);
    comparison.replace_all_uses_with(new);
    ranges.forget(comparison);
    comparison.erase();
}

/// The lower half of a value of 64 bits.
fn low_half<'c>(context: &'c Context, builder: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    let word = context.int(BITS);
    let is_extension = value.is_instruction()
        && matches!(value.opcode(), opcode::ZERO_EXTEND | opcode::SIGN_EXTEND);
    if !is_extension {
        return builder.cast(opcode::TRUNCATE, value, word);
    }
    let from = value.operand(0);
    match from.ty().int_bits() {
        Some(BITS) => from,
        Some(..BITS) => builder.cast(value.opcode(), from, word),
        _ => builder.cast(opcode::TRUNCATE, value, word),
    }
}
