//! Atomic updates of 8 and 16 bits, as compare-exchanges of the word around them.
//!
//! PTX has no instruction for bytes, and NVIDIA's assembler makes a loop over the word of `atom.cas.b16`
//! (PTX ISA, `atom`). LLVM would load that word first, with bytes that may lie behind the end of an
//! allocation. Here nothing but the compare-exchange touches them: it begins with the number's own bits and
//! zeros for the others, and if that was wrong, it has the word from the failure.

use crate::llvm::{Builder, Linkage, Module, TypeKind, Value, opcode, ordering, predicate};

use super::guard_private_atomics::result;

/// Bytes of a word.
const WORD: u64 = 4;

/// Replaces the updates. Returns whether there are any: if so, functions must be inlined.
pub(crate) fn widen_narrow_atomics(module: &Module<'_>) -> bool {
    let instructions = module.functions().into_iter().flat_map(|function| function.instructions());
    let narrow: Vec<_> = instructions.filter(|instruction| is_narrow(*instruction)).collect();
    for (number, instruction) in narrow.iter().enumerate() {
        widen(module, *instruction, number);
    }
    !narrow.is_empty()
}

fn is_narrow(instruction: Value<'_>) -> bool {
    matches!(instruction.opcode(), opcode::ATOMIC_RMW | opcode::CMPXCHG)
        && matches!(instruction.operand(1).ty().kind(), TypeKind::Int(8 | 16))
}

/// Moves an update into a function of its own, since it has a loop; the inliner splices it in again.
fn widen<'c>(module: &Module<'c>, instruction: Value<'c>, number: usize) {
    let context = module.context();
    let operands = instruction.operands();
    let types: Vec<_> = operands.iter().map(|operand| operand.ty()).collect();
    let ty = context.function(instruction.ty(), &types);
    let function = module.add_function(&format!("ptyx.narrow_atomic.{number}"), ty);
    function.set_linkage(Linkage::Internal);
    function.add_function_attribute(context.attribute("alwaysinline", 0));
    match instruction.opcode() {
        opcode::CMPXCHG => compare_exchange(module, instruction, function),
        _ => update(module, instruction, function),
    }
    let call = Builder::before(context, instruction).call(ty, function, &operands);
    instruction.replace_all_uses_with(call);
    instruction.erase();
}

/// Where a narrow number is in its word.
struct Place<'c> {
    word: Value<'c>,
    /// The distance of its lowest bit from the word's.
    shift: Value<'c>,
    /// The bits of the others.
    others: Value<'c>,
}

impl<'c> Place<'c> {
    fn of(module: &Module<'c>, builder: &Builder<'c>, number: Value<'c>, bits: u32) -> Place<'c> {
        let [word, long] = [32, 64].map(|bits| module.context().int(bits));
        let bytes = builder.and(builder.address(number), long.constant(WORD - 1));
        let back = builder.binary(opcode::SUB, long.constant(0), bytes);
        let shift = builder.shift_left(builder.int_cast(bytes, word), word.constant(3));
        let own = builder.shift_left(word.constant((1 << bits) - 1), shift);
        let others = builder.binary(opcode::XOR, own, word.constant(u32::MAX.into()));
        Place { word: builder.offset_by(number, back), shift, others }
    }

    /// The number's bits in the word.
    fn put(&self, builder: &Builder<'c>, number: Value<'c>) -> Value<'c> {
        builder.shift_left(builder.int_cast(number, self.shift.ty()), self.shift)
    }

    fn take(&self, builder: &Builder<'c>, word: Value<'c>, number: Value<'c>) -> Value<'c> {
        builder.int_cast(builder.shift_right(word, self.shift), number.ty())
    }
}

/// ```text
/// guess = own bits, zeros
/// loop { old = number in guess; now = cas(word, guess, guess with f(old)); if now == guess { return old } guess = now }
/// ```
fn update<'c>(module: &Module<'c>, instruction: Value<'c>, function: Value<'c>) {
    let context = module.context();
    let [pointer, value] = [0, 1].map(|index| function.params()[index]);
    let (bits, scope) = (value.ty().int_bits().unwrap_or(8), instruction.sync_scope());
    let [start, again, done] = [0; 3].map(|_| function.append_block(context));

    let builder = Builder::at_end(context, start);
    let place = Place::of(module, &builder, pointer, bits);
    let own = builder.load_aligned(value.ty(), pointer, bits / 8);
    own.set_memory_ordering(ordering::MONOTONIC);
    own.set_sync_scope(scope);
    let first = place.put(&builder, own);
    builder.jump(again);

    let builder = Builder::at_end(context, again);
    let guess = builder.phi(first.ty(), &[(first, start)]);
    let old = place.take(&builder, guess, value);
    // Every operation that Rust has is known.
    let new = result(&builder, instruction.atomic_operation(), old, value).unwrap_or(value);
    let new = builder.or(builder.and(guess, place.others), place.put(&builder, new));
    let order = instruction.memory_ordering();
    let pair = builder.compare_exchange(place.word, [guess, new], [order, weakened(order)], scope);
    let now = builder.extract(pair, 0);
    guess.add_incoming(now, again);
    builder.branch(builder.extract(pair, 1), done, again);

    Builder::at_end(context, done).return_value(old);
}

/// ```text
/// guess = expected bits, zeros
/// loop { now = cas(word, guess, guess with new); if now == guess { return success }
///        if number in now != expected { return failure } guess = now }
/// ```
fn compare_exchange<'c>(module: &Module<'c>, instruction: Value<'c>, function: Value<'c>) {
    let context = module.context();
    let [pointer, expected, new] = [0, 1, 2].map(|index| function.params()[index]);
    let (bits, scope) = (expected.ty().int_bits().unwrap_or(8), instruction.sync_scope());
    let [start, again, other, done, failed] = [0; 5].map(|_| function.append_block(context));

    let builder = Builder::at_end(context, start);
    let place = Place::of(module, &builder, pointer, bits);
    let [first, new] = [expected, new].map(|number| place.put(&builder, number));
    builder.jump(again);

    let builder = Builder::at_end(context, again);
    let guess = builder.phi(first.ty(), &[(first, start)]);
    let new = builder.or(builder.and(guess, place.others), new);
    let orders = instruction.orderings();
    let pair = builder.compare_exchange(place.word, [guess, new], orders, scope);
    let now = builder.extract(pair, 0);
    guess.add_incoming(now, other);
    builder.branch(builder.extract(pair, 1), done, other);

    let builder = Builder::at_end(context, other);
    let old = place.take(&builder, now, expected);
    builder.branch(builder.compare(predicate::EQUAL, old, expected), again, failed);

    for (block, old, success) in [(done, expected, 1), (failed, old, 0)] {
        let builder = Builder::at_end(context, block);
        let pair = builder.insert(instruction.ty().undefined(), old, 0);
        builder.return_value(builder.insert(pair, context.int(1).constant(success), 1));
    }
}

/// The order of a compare-exchange that fails.
fn weakened(order: i32) -> i32 {
    match order {
        ordering::RELEASE => ordering::MONOTONIC,
        ordering::ACQUIRE_RELEASE => ordering::ACQUIRE,
        order => order,
    }
}
