//! Tells the code that initialises shared memory whether the whole block comes to it.
//!
//! `shared!(..).cells(v)` and `.atomics(v)` must not let a thread read an element before it was written. In general
//! that takes up to 32 times the stores, or a second barrier (`device-std/src/shared/fill.rs` says why). If all
//! threads of the block come to the same fill of the same memory, each can write a part, and the barrier after it
//! completes when all have. Once functions are inlined, that can often be seen. It is so if
//!
//! 1. the memory and its size are constants;
//! 2. no thread can end before the fill, as no path from the kernel's start leads anywhere else;
//! 3. the fill is not in a loop, so that each thread comes to it once;
//! 4. what may run before it is harmless: it can neither end a thread nor wait for the block, except at barriers that
//!    meet 2 and 3 themselves. Then all threads come to the same barriers in the same order.
//!
//! A barrier directly before such a fill, as that of another fill, is left out if the memory is not used before it: what it
//! separates, the barrier after the fill separates as well.

use std::collections::HashSet;

use crate::llvm::known::KERNEL_CONVENTION;
use crate::llvm::{Block, Module, Value, opcode};
use crate::symbols::ALL_COME_HERE;

/// Intrinsics whose names contain this wait for the block.
pub(super) const BLOCK_BARRIERS: &str = ".barrier.cta.";

/// Those that wait for all of it.
const WHOLE_BLOCK: [&str; 2] =
    ["llvm.nvvm.barrier.cta.sync.all", "llvm.nvvm.barrier.cta.sync.aligned.all"];

/// Answers every question: `may_hold` is whether any is answered with yes.
pub(crate) fn answer_fills(module: &Module<'_>, may_hold: bool) {
    let Some(question) = module.function(ALL_COME_HERE) else { return };
    let bit = module.context().int(1);
    let mut open: Vec<Value<'_>> =
        question.users().into_iter().filter(|user| user.is_call()).collect();
    // One that comes after another has to wait for its answer: then the other's branch not taken is no path.
    let next = |open: &[Value<'_>]| {
        let holds = |&call: &Value<'_>| may_hold && all_come(call, |other| open.contains(&other));
        open.iter().position(holds)
    };
    while let Some(at) = next(&open) {
        let call = open.swap_remove(at);
        if let Some(barrier) = spare_barrier(call) {
            barrier.erase();
        }
        call.replace_all_uses_with(bit.constant(1));
        call.erase();
    }
    for call in open {
        call.replace_all_uses_with(bit.constant(0));
        call.erase();
    }
}

/// Whether all threads of the block come to this question, for the same memory.
fn all_come<'c>(call: Value<'c>, is_open: impl Fn(Value<'c>) -> bool) -> bool {
    let kernel = call.parent_function();
    if kernel.calling_convention() != KERNEL_CONVENTION
        || !call.arguments().into_iter().all(Value::is_constant)
    {
        return false;
    }
    let here = call.parent_block();
    let Some(before) = blocks_before(kernel, here) else { return false };
    let harmless = |instruction: Value<'c>| match kind(instruction) {
        Kind::Harmless => true,
        Kind::Barrier => blocks_before(kernel, instruction.parent_block()).is_some(),
        Kind::Other => false,
    };
    let above = here.instructions().into_iter().take_while(|&instruction| instruction != call);
    let instructions = before.iter().flat_map(|block| block.instructions()).chain(above);
    instructions.filter(|instruction| instruction.is_call()).all(|i| !is_open(i) && harmless(i))
}

/// The barrier of the whole block that comes directly before a fill to which all threads come, if no other use of the memory
/// comes before it.
fn spare_barrier<'c>(call: Value<'c>) -> Option<Value<'c>> {
    let memory = global_of(*call.arguments().first()?)?;
    let here = call.parent_block();
    let before = blocks_before(call.parent_function(), here)?;
    let above: Vec<Value<'c>> =
        here.instructions().into_iter().take_while(|one| *one != call).collect();
    let effect = |instructions: &[Value<'c>]| {
        instructions.iter().rev().copied().find(|one| !is_pure(*one) && !is_jump(*one))
    };
    let mut last = effect(&above);
    let mut way = HashSet::from([here]);
    let mut at = here;
    while last.is_none() {
        let leads_here = |block: &&Block<'c>| next(**block).contains(&at);
        let [from] = before.iter().filter(leads_here).collect::<Vec<_>>()[..] else { return None };
        if !way.insert(*from) {
            return None;
        }
        at = *from;
        last = effect(&at.instructions());
    }
    let barrier = last.filter(|one| is_barrier_of_all(*one))?;
    let uses = |one: Value<'c>| one.operands().into_iter().any(|of| names(of, memory));
    let mut all = before.iter().flat_map(|block| block.instructions()).chain(above);
    (!all.any(uses)).then_some(barrier)
}

fn is_barrier_of_all(call: Value<'_>) -> bool {
    call.is_call()
        && call.callee().is_function()
        && call.callee().intrinsic_id() != 0
        && WHOLE_BLOCK.contains(&call.callee().name().as_str())
        && call.arguments().first().and_then(|number| number.as_int()) == Some(0)
}

/// Whether an instruction is the end of a block.
fn is_jump(one: Value<'_>) -> bool {
    one.parent_block().terminator() == Some(one)
}

/// Whether an instruction only computes.
fn is_pure(one: Value<'_>) -> bool {
    if !one.is_call() {
        return opcode::PURE.contains(&one.opcode());
    }
    let callee = one.callee();
    callee.is_function()
        && callee.intrinsic_id() != 0
        && callee.name().starts_with("llvm.nvvm.read.ptx.sreg.")
}

/// The global variable that a constant address is in.
fn global_of(mut address: Value<'_>) -> Option<Value<'_>> {
    while !address.is_global_variable() {
        if !address.is_constant() {
            return None;
        }
        address = *address.operands().first()?;
    }
    Some(address)
}

/// Whether a value is a constant that names a global variable, be it in a table of addresses.
fn names<'c>(value: Value<'c>, memory: Value<'c>) -> bool {
    let mut seen = HashSet::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if value == memory {
            return true;
        }
        if value.is_constant() && seen.insert(value) {
            open.extend(value.operands());
        }
    }
    false
}

/// The blocks that may run before `here`, if every thread comes here exactly once.
fn blocks_before<'c>(kernel: Value<'c>, here: Block<'c>) -> Option<Vec<Block<'c>>> {
    let entry = *kernel.blocks().first()?;
    let mut seen = HashSet::from([here]);
    let before = reach(vec![entry], &mut seen);
    let ends = |block: &Block<'c>| next(*block).is_empty();
    if before.iter().any(ends) {
        return None;
    }
    // Back here from here: a loop. (Blocks before lead nowhere but here.)
    let after = reach(next(here), &mut HashSet::new());
    (!after.contains(&here)).then_some(before)
}

/// All blocks that `todo` leads to, without those in `seen`, at which it stops.
fn reach<'c>(mut todo: Vec<Block<'c>>, seen: &mut HashSet<Block<'c>>) -> Vec<Block<'c>> {
    let mut found = Vec::new();
    while let Some(block) = todo.pop() {
        if seen.insert(block) {
            found.push(block);
            todo.extend(next(block));
        }
    }
    found
}

/// The blocks that may run next: one only, if the condition is known.
fn next(block: Block<'_>) -> Vec<Block<'_>> {
    let successors = block.successors();
    let known = block.terminator().and_then(Value::condition).and_then(Value::as_int);
    match (known, &successors[..]) {
        (Some(condition), &[yes, no]) => vec![if condition != 0 { yes } else { no }],
        _ => successors,
    }
}

/// What a call may do to the block.
enum Kind {
    Harmless,
    /// Waits for the block.
    Barrier,
    /// Nobody knows, or it ends the thread.
    Other,
}

fn kind(call: Value<'_>) -> Kind {
    let callee = call.callee();
    if callee.is_inline_asm() {
        return if callee.has_side_effects() { Kind::Other } else { Kind::Harmless };
    }
    // A function of the user's may have any name.
    if !callee.is_function() || callee.intrinsic_id() == 0 {
        return Kind::Other;
    }
    let name = callee.name();
    match name.as_str() {
        _ if name.contains(BLOCK_BARRIERS) => Kind::Barrier,
        "llvm.trap" | "llvm.ubsantrap" | "llvm.debugtrap" | "llvm.nvvm.exit" => Kind::Other,
        // What waits for other groups may wait for the block: clusters, and what the list above lacks.
        _ if name.contains(".barrier") || name.contains(".bar.sync") => Kind::Other,
        _ => Kind::Harmless,
    }
}
