//! Atomic instructions on what may be a thread's own variable, behind a test.
//!
//! PTX has no `atom` for local memory, nor loads and stores with an order (PTX ISA, `atom`, `ld`, `st`:
//! "global, shared" or a generic address of these); on a GPU they fault. No other thread can see an
//! atomic that lives on a thread's stack, so plain instructions do the same.
//!
//! Where a pointer is known to be to a thread's own variable, the optimiser makes atomics plain
//! ([`make_plain`]). [`guard_private_atomics`] comes last, and does not rely on that: an atomic whose
//! pointer may be one (an argument of a function that was not inlined, a value from memory, or one of
//! several) is tested at run time, by `isspacep`. Pointers that a kernel was given and those to static
//! and shared variables never are, so ordinary kernels pay nothing.

use std::collections::HashSet;

use crate::llvm::{
    Builder, Linkage, LlvmError, Module, Value, opcode, ordering, predicate, update,
};

/// LLVM's number of the local address space (User Guide for NVPTX Back-end, "Address Spaces").
const LOCAL: u32 = 5;

/// The last `atomicrmw` operation that [`result`] knows.
const LAST_OPERATION: i32 = update::FLOAT_SUB;

/// Whether an instruction is an atomic one on a variable of the thread, on every path.
pub(crate) fn is_private_atomic(instruction: Value<'_>) -> bool {
    atomic_pointer(instruction).is_some_and(|pointer| origin(pointer) == Origin::Private)
}

/// Replaces an atomic instruction by plain ones that do the same if no other thread sees the variable.
pub(crate) fn make_plain<'c>(module: &Module<'c>, instruction: Value<'c>) {
    match instruction.opcode() {
        opcode::ATOMIC_RMW => update_plainly(module, instruction),
        opcode::CMPXCHG => compare_exchange(module, instruction),
        _ => {
            instruction.set_memory_ordering(ordering::NOT_ATOMIC);
            // A plain access has no scope.
            instruction.set_sync_scope(module.context().sync_scope(""));
        }
    }
}

/// Puts a test before each atomic instruction on what may be a variable of the thread. Returns whether
/// there is any: if so, functions must be inlined.
///
/// # Errors
/// If LLVM lacks the test.
pub(crate) fn guard_private_atomics(module: &Module<'_>) -> Result<bool, LlvmError> {
    let mut found = Vec::new();
    for function in module.functions() {
        for instruction in function.instructions() {
            let Some(pointer) = atomic_pointer(instruction) else { continue };
            if origin(pointer) != Origin::Shared {
                found.push(instruction);
            }
        }
    }
    for (number, instruction) in found.iter().enumerate() {
        guard_one(module, *instruction, number)?;
    }
    Ok(!found.is_empty())
}

/// The pointer of an atomic instruction that [`make_plain`] can do without.
fn atomic_pointer(instruction: Value<'_>) -> Option<Value<'_>> {
    let index = match instruction.opcode() {
        opcode::ATOMIC_RMW if instruction.atomic_operation() <= LAST_OPERATION => 0,
        opcode::CMPXCHG => 0,
        opcode::LOAD if instruction.memory_ordering() != ordering::NOT_ATOMIC => 0,
        opcode::STORE if instruction.memory_ordering() != ordering::NOT_ATOMIC => 1,
        _ => return None,
    };
    Some(instruction.operand(index))
}

/// Moves an instruction into a function that tests its pointer, and calls that.
///
/// It is a separate function, since it has three blocks; the inliner then splices them into the other
/// one.
fn guard_one(module: &Module<'_>, instruction: Value<'_>, number: usize) -> Result<(), LlvmError> {
    let context = module.context();
    let (is_local, test) = module
        .intrinsic("llvm.nvvm.isspacep.local")
        .ok_or_else(|| LlvmError::Message("it has no `isspacep.local`".to_owned()))?;
    let operands = instruction.operands();
    let types: Vec<_> = operands.iter().map(|operand| operand.ty()).collect();
    let ty = context.function(instruction.ty(), &types);
    let function = module.add_function(&format!("ptyx.guarded_atomic.{number}"), ty);
    function.set_linkage(Linkage::Internal);
    function.add_function_attribute(context.attribute("alwaysinline", 0));

    let params = function.params();
    let [start, local, shared] = [0; 3].map(|_| function.append_block(context));
    let at = if instruction.opcode() == opcode::STORE { 1 } else { 0 };
    let builder = Builder::at_end(context, start);
    builder.branch(builder.call(test, is_local, &[params[at]]), local, shared);
    for block in [local, shared] {
        let builder = Builder::at_end(context, block);
        let copy = instruction.copy();
        (0..).zip(&params).for_each(|(index, param)| copy.set_operand(index, *param));
        // It belongs to another function; the inliner gives it the debug location of the call.
        copy.clear_place();
        builder.insert_copy(copy);
        match instruction.opcode() {
            opcode::STORE => builder.return_void(),
            _ => builder.return_value(copy),
        }
        if block == local {
            make_plain(module, copy);
        }
    }
    let call = Builder::before(context, instruction).call(ty, function, &operands);
    instruction.replace_all_uses_with(call);
    instruction.erase();
    Ok(())
}

/// What is known about where a pointer points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// To a variable of the thread, on every path.
    Private,
    /// To memory that other threads may access, on every path.
    Shared,
    Unknown,
}

/// Follows a pointer to where it comes from, through calls of functions that have no other uses.
fn origin(pointer: Value<'_>) -> Origin {
    let mut seen = HashSet::new();
    let mut open = vec![pointer];
    let mut found = None;
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        let here = match step(value) {
            Step::End(origin) => origin,
            Step::From(values) => {
                open.extend(values);
                continue;
            }
        };
        if here == Origin::Unknown || found.is_some_and(|found| found != here) {
            return Origin::Unknown;
        }
        found = Some(here);
    }
    found.unwrap_or(Origin::Unknown)
}

/// Where a pointer comes from, one step back.
enum Step<'c> {
    From(Vec<Value<'c>>),
    End(Origin),
}

fn step(pointer: Value<'_>) -> Step<'_> {
    match pointer.ty().address_space() {
        0 => {}
        LOCAL => return Step::End(Origin::Private),
        _ => return Step::End(Origin::Shared),
    }
    if let Some((function, index)) = pointer.parameter_of() {
        // A kernel's own parameters are addresses of global memory.
        return match (function.is_external(), arguments_of(function, index)) {
            (true, _) => Step::End(Origin::Shared),
            (false, Some(arguments)) => Step::From(arguments),
            (false, None) => Step::End(Origin::Unknown),
        };
    }
    if !pointer.is_instruction() {
        // Constants: globals, and addresses computed from them.
        return Step::End(Origin::Shared);
    }
    match pointer.opcode() {
        opcode::ALLOCA => Step::End(Origin::Private),
        opcode::GET_ELEMENT_PTR | opcode::ADDRESS_SPACE_CAST => {
            Step::From(vec![pointer.operand(0)])
        }
        opcode::SELECT => Step::From(vec![pointer.operand(1), pointer.operand(2)]),
        opcode::PHI => Step::From(pointer.operands()),
        // The same location in the shared memory of another block.
        opcode::CALL
            if pointer.callee().is_inline_asm()
                && pointer.callee().asm_template().contains("mapa.u64") =>
        {
            Step::End(Origin::Shared)
        }
        _ => Step::End(Origin::Unknown),
    }
}

/// What a function is given as its parameter `index`, if all its uses are calls of it.
fn arguments_of<'c>(function: Value<'c>, index: u32) -> Option<Vec<Value<'c>>> {
    let users = function.users();
    let arguments = users.into_iter().map(|user| {
        let arguments = (user.is_call() && user.callee() == function).then(|| user.arguments())?;
        let passed_on = arguments.contains(&function);
        (!passed_on).then_some(*arguments.get(index as usize)?)
    });
    arguments.collect()
}

/// `atomicrmw`, as load, operation and store.
fn update_plainly<'c>(module: &Module<'c>, instruction: Value<'c>) {
    let builder = Builder::before(module.context(), instruction);
    let (pointer, value) = (instruction.operand(0), instruction.operand(1));
    let operation = instruction.atomic_operation();
    let old = builder.load(value.ty(), pointer);
    let Some(new) = result(&builder, operation, old, value) else { return };
    builder.store(new, pointer);
    instruction.replace_all_uses_with(old);
    instruction.erase();
}

/// What an `atomicrmw` stores; `None` for operations that Rust has no function for.
pub(super) fn result<'c>(
    builder: &Builder<'c>,
    operation: i32,
    old: Value<'c>,
    value: Value<'c>,
) -> Option<Value<'c>> {
    let pick = |predicate| builder.select(builder.compare(predicate, old, value), old, value);
    Some(match operation {
        update::EXCHANGE => value,
        update::ADD => builder.binary(opcode::ADD, old, value),
        update::SUB => builder.binary(opcode::SUB, old, value),
        update::AND => builder.and(old, value),
        update::NAND => {
            builder.binary(opcode::XOR, builder.and(old, value), old.ty().constant(u64::MAX))
        }
        update::OR => builder.or(old, value),
        update::XOR => builder.binary(opcode::XOR, old, value),
        update::SIGNED_MAX => pick(predicate::SIGNED_GREATER),
        update::SIGNED_MIN => pick(predicate::SIGNED_LESS),
        update::UNSIGNED_MAX => pick(predicate::UNSIGNED_GREATER),
        update::UNSIGNED_MIN => pick(predicate::UNSIGNED_LESS),
        update::FLOAT_ADD => builder.binary(opcode::FADD, old, value),
        update::FLOAT_SUB => builder.binary(opcode::FSUB, old, value),
        _ => return None,
    })
}

/// `cmpxchg`, as load, comparison and store; its result is the pair (old value, success).
fn compare_exchange<'c>(module: &Module<'c>, instruction: Value<'c>) {
    let builder = Builder::before(module.context(), instruction);
    let [pointer, expected, new] = [0, 1, 2].map(|i| instruction.operand(i));
    let old = builder.load(expected.ty(), pointer);
    let same = builder.compare(predicate::EQUAL, old, expected);
    builder.store(builder.select(same, new, old), pointer);
    let pair = builder.insert(instruction.ty().undefined(), old, 0);
    instruction.replace_all_uses_with(builder.insert(pair, same, 1));
    instruction.erase();
}
