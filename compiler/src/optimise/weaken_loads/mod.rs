//! Makes relaxed loads of shared memory weak where no thread can write there meanwhile. Optimisers then treat them like loads of a
//! plain array.
//!
//! ```text
//! cells.store(i, x); block::sync(); for .. { .. cells.load(j) .. }      the loads may be weak
//! ```
//!
//! Other threads may write to cells at any time, so safe code loads them by relaxed atomics. LLVM does not merge, move or vectorise
//! those, and NVIDIA's assembler makes a warp yield in each iteration of a loop whose exit depends on one. But most tiles are
//! written between two barriers, and read between the next two. A load becomes a weak one (PTX ISA, "Memory Consistency Model")
//! if
//!
//! 1. the kernel itself has all accesses to the object, whose address goes nowhere else: so only the kernel's own instructions
//!    write there, whichever thread runs them, be it of another block of the cluster;
//! 2. no thread can come to one of those writes in the same interval between barriers of the block in which another one comes to
//!    the load ([`Intervals`]).
//!
//! Stores stay relaxed: threads may well write different values to one cell.

mod alike;
mod intervals;

use std::collections::BTreeSet;

use super::meetings::Meetings;
use super::spaces::{SHARED, step_of};
use crate::llvm::known::KERNEL_CONVENTION;
use crate::llvm::{Module, Value, opcode, ordering};
use crate::lower::make_plain;
use intervals::Intervals;

/// Intrinsics that do not access the memory at an address, by the beginnings of their names.
const NO_ACCESS: [&str; 3] = ["llvm.lifetime.", "llvm.assume", "llvm.experimental.noalias."];

/// Intrinsics that write to memory, and keep no address, by the beginnings of their names.
const WRITES: [&str; 3] = ["llvm.memset.", "llvm.memcpy.", "llvm.memmove."];

/// Intrinsics that only compare numbers, by the beginnings of their names.
const COMPARES: [&str; 1] = ["llvm.nvvm.match."];

/// The same as assembly, by its beginning: `device-std/src/warp/vote.rs` has it for `match.all`.
const COMPARING_ASSEMBLY: &str = "match.all.sync.";

/// Weakens loads in every kernel.
pub(super) fn weaken_loads(module: &Module<'_>) {
    let mut meetings = Meetings::new(module.context());
    for kernel in module.functions() {
        if kernel.calling_convention() == KERNEL_CONVENTION && !kernel.blocks().is_empty() {
            weaken(module, kernel, &mut meetings);
        }
    }
}

fn weaken<'c>(module: &Module<'c>, kernel: Value<'c>, meetings: &mut Meetings<'c>) {
    let objects: Vec<Object<'c>> = module
        .globals()
        .into_iter()
        .filter(|global| global.ty().address_space() == SHARED && !global.is_declaration())
        .filter_map(|global| Object::of(global, kernel))
        .filter(|object| object.loads.iter().any(|load| is_relaxed(*load)))
        .collect();
    if objects.is_empty() {
        return;
    }
    let Some(intervals) = Intervals::of(module.context(), kernel, meetings) else { return };
    // A load that may be from several objects must not meet writes to any of them.
    let mut in_danger: BTreeSet<Value<'c>> = BTreeSet::new();
    for object in &objects {
        let writes = intervals.of_any(&object.writes);
        let loads = object.loads.iter().copied();
        in_danger.extend(loads.filter(|load| intervals.meets(*load, &writes)));
    }
    let known: BTreeSet<Value<'c>> = objects.iter().map(|object| object.global).collect();
    for load in objects.iter().flat_map(|object| object.loads.iter().copied()) {
        if is_relaxed(load) && !in_danger.contains(&load) && leads_to(load.operand(0), &known) {
            make_plain(module, load);
        }
    }
}

fn is_relaxed(load: Value<'_>) -> bool {
    load.memory_ordering() == ordering::MONOTONIC && !load.is_volatile()
}

/// An object in shared memory, and all loads and writes of it.
struct Object<'c> {
    global: Value<'c>,
    loads: Vec<Value<'c>>,
    writes: Vec<Value<'c>>,
}

/// What a value that was made from an object's address is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// An address in the object.
    Address,
    /// A number made from an address. It may be compared, and kept in shared memory: `device-std/src/shared/fill.rs` does so.
    Number,
    /// The address of shared memory that such numbers are kept in.
    Keeper,
}

impl<'c> Object<'c> {
    /// `None` if anything but this kernel may know the object's address, or if the kernel does something with it that is not
    /// followed.
    fn of(global: Value<'c>, kernel: Value<'c>) -> Option<Object<'c>> {
        let mut object = Object { global, loads: Vec::new(), writes: Vec::new() };
        let mut seen = BTreeSet::new();
        let mut open = vec![(global, Kind::Address)];
        while let Some((value, kind)) = open.pop() {
            if !seen.insert((value, kind)) {
                continue;
            }
            for user in value.users() {
                let is_in_kernel = user.is_instruction() && user.parent_function() == kernel;
                if !is_in_kernel && !user.is_constant() {
                    return None;
                }
                open.extend(object.note(value, kind, user)?);
            }
        }
        Some(object)
    }

    /// Notes what a user does with a value. Returns what must be followed.
    fn note(
        &mut self,
        value: Value<'c>,
        kind: Kind,
        user: Value<'c>,
    ) -> Option<Option<(Value<'c>, Kind)>> {
        let is_only = |index: u32| {
            let mut operands = user.operands().into_iter().zip(0..);
            operands.all(|(operand, at)| (operand == value) == (at == index))
        };
        let kept = match (step_of(user)?, kind) {
            (opcode::INTEGER_COMPARISON, _) => None,
            (opcode::PHI | opcode::SELECT, _) => Some((user, kind)),
            (opcode::GET_ELEMENT_PTR, Kind::Address | Kind::Keeper) if is_only(0) => {
                Some((user, kind))
            }
            (opcode::ADDRESS_SPACE_CAST, _) => Some((user, kind)),
            (opcode::LOAD, Kind::Address) => {
                self.loads.push(user);
                None
            }
            (opcode::STORE, Kind::Address) if is_only(1) => {
                self.writes.push(user);
                None
            }
            (opcode::ATOMIC_RMW | opcode::CMPXCHG, Kind::Address) if is_only(0) => {
                self.writes.push(user);
                None
            }
            (opcode::CALL, Kind::Address) if calls_any(user, &NO_ACCESS) => None,
            (opcode::CALL, Kind::Address) if calls_any(user, &WRITES) => {
                self.writes.push(user);
                None
            }
            (opcode::PTR_TO_INT, Kind::Address) => Some((user, Kind::Number)),
            (
                opcode::TRUNCATE | opcode::ZERO_EXTEND | opcode::SHL | opcode::LSHR | opcode::OR,
                Kind::Number,
            ) => Some((user, kind)),
            (opcode::CALL, Kind::Number) if compares(user) => None,
            (opcode::STORE, Kind::Number) if is_only(0) => {
                Some((shared_object(user.operand(1))?, Kind::Keeper))
            }
            (opcode::LOAD, Kind::Keeper) => Some((user, Kind::Number)),
            (opcode::STORE, Kind::Keeper) if is_only(1) => None,
            _ => return None,
        };
        Some(kept)
    }
}

/// Whether an instruction calls an intrinsic whose name begins with one of these.
fn calls_any(call: Value<'_>, names: &[&str]) -> bool {
    let callee = call.callee();
    callee.is_function() && callee.intrinsic_id() != 0 && {
        let name = callee.name();
        names.iter().any(|start| name.starts_with(start))
    }
}

/// Whether an instruction compares numbers of several threads.
fn compares(call: Value<'_>) -> bool {
    let callee = call.callee();
    match callee.is_inline_asm() {
        true => is_comparison(&callee.asm_template()),
        false => calls_any(call, &COMPARES),
    }
}

/// Whether assembly is such a comparison and nothing else.
fn is_comparison(assembly: &str) -> bool {
    assembly.starts_with(COMPARING_ASSEMBLY) && assembly.matches(';').count() == 1
}

/// The object in shared memory that an address points into, if that can be seen.
fn shared_object(mut address: Value<'_>) -> Option<Value<'_>> {
    while let Some(opcode::GET_ELEMENT_PTR | opcode::ADDRESS_SPACE_CAST) = step_of(address) {
        address = address.operand(0);
    }
    let is_object = address.is_global_variable() && !address.is_declaration();
    (is_object && address.ty().address_space() == SHARED).then_some(address)
}

/// Whether an address can only point into one of these objects.
fn leads_to<'c>(address: Value<'c>, objects: &BTreeSet<Value<'c>>) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![address];
    while let Some(at) = open.pop() {
        if objects.contains(&at) || !seen.insert(at) {
            continue;
        }
        match step_of(at) {
            Some(opcode::GET_ELEMENT_PTR | opcode::ADDRESS_SPACE_CAST) => open.push(at.operand(0)),
            Some(opcode::SELECT) => open.extend([at.operand(1), at.operand(2)]),
            Some(opcode::PHI) => {
                open.extend(at.incoming_edges().into_iter().map(|(value, _)| value));
            }
            _ => return false,
        }
    }
    true
}
