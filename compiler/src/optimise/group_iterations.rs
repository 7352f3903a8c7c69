//! Unrolls loops with a run-time trip count that LLVM leaves alone: those whose threads exchange values, and those that step by a
//! variable.
//!
//! LLVM does not unroll a loop with shuffles or barriers by a run-time trip count: threads with different counts would go
//! different ways, some to the unrolled loop, some to its remainder. So such a loop is changed only if all threads of a block
//! have the same count, because it follows from the kernel's arguments and the block's registers. Nor does LLVM unroll a loop
//! that steps by a variable, such as one that strides over the grid: its trip count takes a division by the step.
//!
//! Groups of iterations need no trip count. `for i in (first..end).step_by(s)` becomes:
//!
//! ```text
//! if first < end - 3 * s { do { do i += s, four times } while i < end - 3 * s }
//! if i < end { do i += s while i < end }
//! ```
//!
//! Where `end - 3 * s` might wrap around, only the second loop runs.
//!
//! LLVM unrolls the inner loop, whose trip count is constant. `nvcc` unrolls such loops in the same way.

use super::flow::Flow;
use super::loop_properties::is_held_back;
use super::prove_checks::copy_blocks;
use crate::llvm::known::KERNEL_CONVENTION;
use crate::llvm::{Block, Builder, Context, Loop, Module, Value, loops_of, opcode, predicate};
use crate::lower::{FULL, LOOP_METADATA, NEVER_UNROLL, unroll_properties};

/// The passes that bring loops into the form which [`group_iterations`] expects: one block leads to each, and its values reach
/// the code behind it through phis.
pub(crate) const CLOSE_LOOPS: &str = "function(loop-simplify,lcssa)";

/// How many iterations make a group.
const GROUP: u64 = 4;

/// The narrowest counters.
const MIN_BITS: u32 = 8;

/// The largest body, in instructions, of a loop whose iterations are grouped.
const MAX_BODY: usize = 64;

/// How many operations back a value is traced to what it is computed from.
const MAX_DEPTH: usize = 8;

/// The metadata that says which accesses don't alias.
const SCOPES: [&str; 2] = ["alias.scope", "noalias"];

/// Special registers that are the same in all threads of a block.
const OF_BLOCK: [&str; 3] = [
    "llvm.nvvm.read.ptx.sreg.ctaid.",
    "llvm.nvvm.read.ptx.sreg.nctaid.",
    "llvm.nvvm.read.ptx.sreg.ntid.",
];

/// Whether [`group_iterations`] would change anything.
pub(crate) fn finds_any(module: &Module<'_>) -> bool {
    module.functions().into_iter().any(|function| !found_in(module.context(), function).is_empty())
}

/// Groups the iterations of all loops that LLVM would not unroll. They have the form that [`CLOSE_LOOPS`] makes.
pub(crate) fn group_iterations(module: &Module<'_>) {
    for function in module.functions() {
        for found in found_in(module.context(), function) {
            // The flow changes with each.
            let flow = Flow::of(function);
            let entry = flow.entry(&found.around);
            if let Some(entry) = entry.filter(|entry| entry.successors().len() == 1) {
                found.group(module.context(), function, entry);
            }
        }
    }
}

/// A loop whose iterations can be grouped.
struct Found<'c> {
    around: Loop<Block<'c>>,
    latch: Block<'c>,
    counter: Value<'c>,
    next: Value<'c>,
    step: Value<'c>,
    bound: Value<'c>,
    /// How `next` compares with `bound` while the loop goes on.
    goes_on: i32,
}

fn found_in<'c>(context: &'c Context, function: Value<'c>) -> Vec<Found<'c>> {
    if function.calling_convention() != KERNEL_CONVENTION {
        return Vec::new();
    }
    let all = loops_of(function);
    let is_innermost = |one: &Loop<Block<'c>>| {
        !all.iter().any(|other| other.start != one.start && other.body.is_subset(&one.body))
    };
    let innermost = all.iter().filter(|one| is_innermost(one));
    let found = innermost.filter_map(|one| Found::of(context, one));
    found.filter(|one| one.is_left_alone(context)).collect()
}

impl<'c> Found<'c> {
    fn of(context: &'c Context, around: &Loop<Block<'c>>) -> Option<Found<'c>> {
        let [latch] = around.latches[..] else { return None };
        let jump = latch.terminator()?;
        if !is_held_back(jump, context.metadata_kind(LOOP_METADATA)) {
            return None;
        }
        let ways = around.body.iter().flat_map(|block| block.successors());
        let mut exits = ways.filter(|next| !around.body.contains(next));
        let (exit, None) = (exits.next()?, exits.next()) else { return None };
        let condition = jump
            .condition()
            .filter(|one| one.is_instruction() && one.opcode() == opcode::INTEGER_COMPARISON)?;
        let is_phi = |value: Value<'c>| {
            value.is_instruction()
                && value.opcode() == opcode::PHI
                && value.parent_block() == around.start
        };
        let (left, right) = (condition.operand(0), condition.operand(1));
        let mut holds = condition.predicate();
        if latch.successors().first() == Some(&exit) {
            holds = predicate::inverse(holds);
        }
        // The limit of a group is calculated in the counter's width.
        let bits = condition.operand(0).ty().int_bits()?;
        if !(MIN_BITS..=64).contains(&bits) {
            return None;
        }
        let is_sum = |value: Value<'c>| value.is_instruction() && value.opcode() == opcode::ADD;
        let (next, bound, goes_on) = match (is_sum(left), is_sum(right)) {
            (true, _) if is_invariant(around, right) => (left, right, holds),
            (_, true) if is_invariant(around, left) => (right, left, predicate::swapped(holds)),
            _ => return None,
        };
        let goes_up = [
            predicate::SIGNED_LESS,
            predicate::UNSIGNED_LESS,
            predicate::SIGNED_LESS_EQUAL,
            predicate::UNSIGNED_LESS_EQUAL,
        ];
        if !goes_up.contains(&goes_on) || !around.body.contains(&next.parent_block()) {
            return None;
        }
        let (counter, step) = match (next.operand(0), next.operand(1)) {
            (counter, step) if is_phi(counter) => (counter, step),
            (step, counter) if is_phi(counter) => (counter, step),
            _ => return None,
        };
        let counts = counter.incoming(latch) == Some(next) && is_invariant(around, step);
        let around = around.clone();
        counts.then_some(Found { around, latch, counter, next, step, bound, goes_on })
    }

    /// Whether LLVM would not unroll the loop, the loop is short, and, if threads exchange values in it, all threads of a block
    /// make the same iterations.
    fn is_left_alone(&self, context: &'c Context) -> bool {
        let all: Vec<Value<'c>> =
            self.around.body.iter().flat_map(|block| block.instructions()).collect();
        let meets = all.iter().any(|one| one.is_call() && may_meet(context, *one));
        let is_constant = self.step.as_int().is_some();
        let first = self.counter.incoming_edges().into_iter();
        let first = first.filter(|(_, from)| !self.around.body.contains(from));
        let same = first.map(|(first, _)| first).chain([self.step, self.bound]);
        let agree = same.into_iter().all(|value| is_same_in_block(value, MAX_DEPTH));
        all.len() <= MAX_BODY
            && match meets {
                true => agree,
                // Up to a constant, as where a block fills an array in shared memory, most threads make few iterations.
                false => !is_constant && self.bound.as_int().is_none(),
            }
    }

    /// Puts a loop of groups before the loop, which runs the rest.
    fn group(&self, context: &'c Context, kernel: Value<'c>, before_rest: Block<'c>) {
        let (head, latch, bound) = (self.around.start, self.latch, self.bound);
        let Some(entrance) = before_rest.terminator() else { return };
        let kind = context.metadata_kind(LOOP_METADATA);
        let unroll = |jump: Value<'c>, how| {
            jump.set_metadata(kind, context.loop_metadata(&unroll_properties(context, how)));
        };
        let start = before_rest.split_before(context, entrance);
        // Looked up only now: another loop may begin there that has been grouped since this one was found.
        let ends = |next: &Block<'c>| !self.around.body.contains(next);
        let Some(exit) = latch.successors().into_iter().find(ends) else { return };
        let [outer, end, guard] = [(); 3].map(|()| kernel.append_block(context));
        let blocks: Vec<Block<'c>> = kernel.blocks();
        let blocks: Vec<Block<'c>> =
            blocks.into_iter().filter(|block| self.around.body.contains(block)).collect();
        let groups = copy_blocks(context, kernel, &blocks, &[(before_rest, outer)]);
        let in_group = |value: Value<'c>| groups.values.get(&value).copied().unwrap_or(value);
        forget_scopes(context, &blocks);

        // Before all groups: is there one?
        let Some(jump) = start.terminator() else { return };
        let builder = Builder::before(context, jump);
        let limit = self.limit(context, &builder);
        let Some(first) = self.counter.incoming(before_rest) else { return };
        let is_below = builder.compare(self.goes_on, first, limit.last);
        // The loop compares behind its first iteration, which may end the thread: until then, a number may be poison.
        let is_group = builder.select(limit.exists, is_below, context.int(1).null());
        let is_group = builder.freeze(is_group);
        builder.branch(is_group, outer, before_rest);
        jump.erase();

        // The values that change come from the last group, or from before all groups.
        Builder::at_end(context, outer).jump(groups.blocks[&head]);
        for phi in phis_of(head) {
            let (Some(first), Some(next)) = (phi.incoming(before_rest), phi.incoming(latch)) else {
                continue;
            };
            let next = in_group(next);
            for (place, last) in [(before_rest, guard), (outer, end)] {
                let Some(jump) = place.terminator() else { continue };
                let value =
                    Builder::before(context, jump).phi(phi.ty(), &[(first, start), (next, last)]);
                let target = if place == outer { in_group(phi) } else { phi };
                set_incoming(target, place, value);
            }
        }
        for phi in phis_of(exit) {
            if let Some(last) = phi.incoming(latch) {
                phi.add_incoming(in_group(last), guard);
            }
        }

        // In a group, iterations are counted, and the counter is not compared.
        let (group_head, group_latch) = (groups.blocks[&head], groups.blocks[&latch]);
        let int = context.int(32);
        let Some(top) = group_head.instructions().first().copied() else { return };
        let number = Builder::before(context, top).phi(int, &[(int.null(), outer)]);
        let Some(jump) = group_latch.terminator() else { return };
        let builder = Builder::before(context, jump);
        let next_number = builder.binary(opcode::ADD, number, int.constant(1));
        number.add_incoming(next_number, group_latch);
        let is_inside = builder.compare(predicate::UNSIGNED_LESS, next_number, int.constant(GROUP));
        unroll(builder.branch(is_inside, group_head, end), FULL);
        jump.erase();

        // After each group: is there another one, or a rest?
        let next = in_group(self.next);
        let builder = Builder::at_end(context, end);
        let another = builder.compare(self.goes_on, next, limit.last);
        unroll(builder.branch(another, outer, guard), NEVER_UNROLL);
        let builder = Builder::at_end(context, guard);
        let is_rest = builder.compare(self.goes_on, next, bound);
        builder.branch(is_rest, before_rest, exit);
        if let Some(jump) = latch.terminator() {
            unroll(jump, NEVER_UNROLL);
        }
    }

    /// Computes the limit with which the counter is compared where a group may begin.
    fn limit(&self, context: &'c Context, builder: &Builder<'c>) -> Limit<'c> {
        let ty = self.bound.ty();
        let bits = ty.int_bits().unwrap_or(MIN_BITS);
        let more = ty.constant(GROUP - 1);
        let distance = builder.binary(opcode::MUL, self.step, more);
        let last = builder.binary(opcode::SUB, self.bound, distance);
        // The step is positive, and so small that the distance does not wrap around.
        let less = builder.binary(opcode::SUB, self.step, ty.constant(1));
        let most = ty.constant((1 << (bits - 3)) - 1);
        let is_small = builder.compare(predicate::UNSIGNED_LESS, less, most);
        // Neither does the difference.
        let is_signed = predicate::is_signed(self.goes_on);
        let does_not_wrap = match is_signed {
            true => builder.compare(predicate::SIGNED_LESS, last, self.bound),
            false => builder.compare(predicate::UNSIGNED_LESS, last, self.bound),
        };
        let exists = builder.select(is_small, does_not_wrap, context.int(1).null());
        Limit { exists, last }
    }
}

/// What the counter is compared with, instead of the bound, where a group may begin: the bound minus all steps of a group but one.
struct Limit<'c> {
    /// Whether it is certain that nothing has wrapped around. If not, there is no group.
    exists: Value<'c>,
    last: Value<'c>,
}

fn phis_of(block: Block<'_>) -> Vec<Value<'_>> {
    let is_phi = |one: &Value<'_>| one.opcode() == opcode::PHI;
    block.instructions().into_iter().take_while(is_phi).collect()
}

/// Changes what a phi takes from a block.
fn set_incoming<'c>(phi: Value<'c>, from: Block<'c>, value: Value<'c>) {
    let places = (0..).zip(phi.incoming_edges());
    for (place, _) in places.filter(|(_, (_, block))| *block == from) {
        phi.set_operand(place, value);
    }
}

/// Removes the metadata that says which accesses of one iteration don't alias. The copy has the same scopes, and runs before: it
/// would say that of accesses of different iterations, too.
fn forget_scopes<'c>(context: &'c Context, blocks: &[Block<'c>]) {
    let kinds = SCOPES.map(|name| context.metadata_kind(name));
    for instruction in blocks.iter().flat_map(|block| block.instructions()) {
        kinds.iter().for_each(|kind| instruction.clear_metadata(*kind));
    }
}

fn is_invariant<'c>(around: &Loop<Block<'c>>, value: Value<'c>) -> bool {
    !value.is_instruction() || !around.body.contains(&value.parent_block())
}

/// Whether a call may depend on other threads.
fn may_meet(context: &Context, call: Value<'_>) -> bool {
    let convergent = context.attribute_kind("convergent");
    let callee = call.callee();
    callee.is_function() && callee.has_function_attribute(convergent)
        || call.call_attributes().iter().any(|one| one.enum_kind() == Some(convergent))
}

/// Whether a value of a kernel is the same in all threads of a block: constants, arguments, registers of the block, and what is
/// calculated from these.
fn is_same_in_block(value: Value<'_>, depth: usize) -> bool {
    if !value.is_instruction() {
        return true;
    }
    let operands_are =
        || depth > 0 && value.operands().into_iter().all(|one| is_same_in_block(one, depth - 1));
    match value.opcode() {
        opcode::CALL => {
            let callee = value.callee();
            callee.is_function() && OF_BLOCK.iter().any(|name| callee.name().starts_with(name))
        }
        opcode::ADD..=opcode::XOR => operands_are(),
        opcode::TRUNCATE | opcode::ZERO_EXTEND | opcode::SIGN_EXTEND => operands_are(),
        opcode::INTEGER_COMPARISON | opcode::SELECT => operands_are(),
        _ => false,
    }
}
