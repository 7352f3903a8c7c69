//! Reuses what a thread has loaded from a cell of shared memory, or stored there.
//!
//! ```text
//! x = tile[i]; y = tile[i + 1]; ...; z = tile[i + 1]      becomes      z = y
//! ```
//!
//! Other threads may write to cells at any time, so loads and stores of them are relaxed atomics, and neither LLVM nor NVIDIA's
//! assembler ever eliminates one. But two relaxed loads of one address with nothing between them that orders memory may well happen
//! at the same moment: the second one may return what the first one did. Likewise, a load may return what the thread itself has
//! just stored.
//!
//! Nothing is kept across barriers, fences, calls, acquire or release, nor into a loop: each iteration loads anew, so a loop that
//! waits for a store of another thread sees it. Stencils gain from it, since their windows overlap. The addresses are computed in
//! different ways, so they are compared as sums.

use std::collections::{BTreeMap, BTreeSet};

use super::load_nearby::is_harmless;
use super::spaces::{Space, step_of};
use crate::llvm::{Block, Module, Value, in_order, loops_of, opcode, ordering};

/// The most values that are known at once.
const MAX_KNOWN: usize = 256;

/// How deep an address is looked into.
const MAX_DEPTH: usize = 12;

/// The most terms of an address.
const MAX_TERMS: usize = 8;

/// Reuses loads in every function.
pub(super) fn reuse_loads(module: &Module<'_>) {
    for function in module.functions() {
        if !function.blocks().is_empty() {
            reuse(module, function);
        }
    }
}

/// An address in shared memory: some bytes behind an object. All sums are modulo 2^64.
#[derive(Clone, PartialEq, Eq)]
struct Place<'c> {
    object: Value<'c>,
    /// How often each number is added, in bytes.
    terms: BTreeMap<Term<'c>, i64>,
    offset: i64,
}

/// A number, and whether it is extended with its sign, if it is narrower than an address.
type Term<'c> = (Value<'c>, bool);

/// What is known to be in memory.
#[derive(Clone, PartialEq, Eq)]
struct Known<'c> {
    place: Place<'c>,
    scope: u32,
    value: Value<'c>,
}

fn reuse<'c>(module: &Module<'c>, function: Value<'c>) {
    let blocks = in_order(function);
    let loads =
        || blocks.iter().flat_map(|block| block.instructions()).filter(|one| is_cell_load(*one));
    if loads().nth(1).is_none() {
        return;
    }
    let memory = module.context().attribute_kind("memory");
    let heads: BTreeSet<Block<'c>> = loops_of(function).iter().map(|around| around.start).collect();
    let mut before: BTreeMap<Block<'c>, Vec<Block<'c>>> = BTreeMap::new();
    for &block in &blocks {
        for next in block.successors() {
            before.entry(next).or_default().push(block);
        }
    }
    let mut behind: BTreeMap<Block<'c>, Vec<Known<'c>>> = BTreeMap::new();
    for &block in &blocks {
        let mut known = match before.get(&block) {
            Some(from) if !heads.contains(&block) => known_to_all(from, &behind),
            _ => Vec::new(),
        };
        for instruction in block.instructions() {
            visit(module, memory, instruction, &mut known);
        }
        behind.insert(block, known);
    }
}

/// What is known behind all of these blocks.
fn known_to_all<'c>(
    blocks: &[Block<'c>],
    behind: &BTreeMap<Block<'c>, Vec<Known<'c>>>,
) -> Vec<Known<'c>> {
    let Some((first, others)) = blocks.split_first() else { return Vec::new() };
    let Some(mut known) = behind.get(first).cloned() else { return Vec::new() };
    for other in others {
        let also = behind.get(other).map(Vec::as_slice).unwrap_or_default();
        known.retain(|one| also.contains(one));
    }
    known
}

/// Replaces an instruction by what is known, or notes what it changes.
fn visit<'c>(module: &Module<'c>, memory: u32, instruction: Value<'c>, known: &mut Vec<Known<'c>>) {
    match instruction.opcode() {
        opcode::LOAD if is_cell_load(instruction) => {
            let address = instruction.operand(0);
            let Some(place) = shared_place(module, address) else { return };
            let scope = instruction.sync_scope();
            let is_it = |one: &&Known<'c>| {
                one.place == place && one.scope == scope && one.value.ty() == instruction.ty()
            };
            if let Some(same) = known.iter().find(is_it) {
                instruction.replace_all_uses_with(same.value);
                instruction.erase();
            } else {
                note(known, Known { place, scope, value: instruction });
            }
        }
        opcode::LOAD if instruction.memory_ordering() <= ordering::MONOTONIC => {}
        opcode::STORE if is_weak(instruction) => {
            let (value, address) = (instruction.operand(0), instruction.operand(1));
            let size = module.size_of(value.ty());
            let place = forget(module, address, size, known);
            if let Some(place) = place
                && instruction.memory_ordering() == ordering::MONOTONIC
            {
                note(known, Known { place, scope: instruction.sync_scope(), value });
            }
        }
        opcode::ATOMIC_RMW if is_weak(instruction) => {
            let size = module.size_of(instruction.ty());
            forget(module, instruction.operand(0), size, known);
        }
        opcode::CALL if is_harmless(memory, instruction) => {}
        opcode::LOAD
        | opcode::STORE
        | opcode::ATOMIC_RMW
        | opcode::CMPXCHG
        | opcode::FENCE
        | opcode::CALL => known.clear(),
        _ => {}
    }
}

fn note<'c>(known: &mut Vec<Known<'c>>, new: Known<'c>) {
    if known.len() == MAX_KNOWN {
        known.remove(0);
    }
    known.push(new);
}

/// Forgets what a write of some bytes may change. Returns the place that it goes to, if that is in shared memory.
fn forget<'c>(
    module: &Module<'c>,
    address: Value<'c>,
    size: u64,
    known: &mut Vec<Known<'c>>,
) -> Option<Place<'c>> {
    match Space::of(module.context(), address) {
        Space::Constant | Space::Global => None,
        Space::Shared => {
            let place = shared_place(module, address);
            known.retain(|one| {
                let own = module.size_of(one.value.ty());
                place.as_ref().is_some_and(|place| place.is_apart(size, &one.place, own))
            });
            place
        }
        Space::Unknown => {
            known.clear();
            None
        }
    }
}

/// Whether an instruction orders nothing.
fn is_weak(instruction: Value<'_>) -> bool {
    instruction.memory_ordering() <= ordering::MONOTONIC && !instruction.is_volatile()
}

/// Whether an instruction is a relaxed load.
fn is_cell_load(instruction: Value<'_>) -> bool {
    instruction.opcode() == opcode::LOAD
        && instruction.memory_ordering() == ordering::MONOTONIC
        && !instruction.is_volatile()
}

/// An address in shared memory as a sum.
fn shared_place<'c>(module: &Module<'c>, address: Value<'c>) -> Option<Place<'c>> {
    (Space::of(module.context(), address) == Space::Shared).then_some(())?;
    let mut place = Place { object: address, terms: BTreeMap::new(), offset: 0 };
    for _ in 0..MAX_DEPTH {
        match step_of(place.object) {
            Some(opcode::ADDRESS_SPACE_CAST) => place.object = place.object.operand(0),
            Some(opcode::GET_ELEMENT_PTR) if place.object.operands().len() == 2 => {
                let size = i64::try_from(module.size_of(place.object.element_type())).ok()?;
                let index = place.object.operand(1);
                match index.ty().int_bits()? {
                    64 => place.add(index, size, 0),
                    _ => place.add_extended(index, true, size, 0),
                }
                place.object = place.object.operand(0);
            }
            _ => break,
        }
    }
    place.terms.retain(|_, times| *times != 0);
    (place.terms.len() <= MAX_TERMS).then_some(place)
}

impl<'c> Place<'c> {
    /// Adds a multiple of a number of 64 bits.
    fn add(&mut self, value: Value<'c>, times: i64, depth: usize) {
        if let Some(number) = value.as_int() {
            self.offset = self.offset.wrapping_add((number as i64).wrapping_mul(times));
            return;
        }
        if value.is_instruction() && depth < MAX_DEPTH {
            match (value.opcode(), Parts::of(value)) {
                (_, Some(Parts { values, times: by })) => {
                    return values.into_iter().zip(by).for_each(|(value, by)| {
                        self.add(value, times.wrapping_mul(by), depth + 1);
                    });
                }
                (opcode::ZERO_EXTEND, _) => {
                    let narrow = value.operand(0);
                    // Of what is not negative, both extensions are the same.
                    let is_signed = value.is_not_negative()
                        && narrow.is_instruction()
                        && matches!(
                            narrow.opcode(),
                            opcode::ADD | opcode::SUB | opcode::MUL | opcode::SHL
                        )
                        && !narrow.cannot_wrap_unsigned();
                    return self.add_extended(narrow, is_signed, times, depth + 1);
                }
                (opcode::SIGN_EXTEND, _) => {
                    return self.add_extended(value.operand(0), true, times, depth + 1);
                }
                _ => {}
            }
        }
        self.add_term((value, false), times);
    }

    /// Adds a multiple of a narrower number's extension.
    fn add_extended(&mut self, value: Value<'c>, signed: bool, times: i64, depth: usize) {
        if let Some(number) = value.as_int() {
            let unused = 64 - value.ty().int_bits().unwrap_or(64).clamp(1, 64);
            let number = match signed {
                true => (number << unused) as i64 >> unused,
                false => number as i64,
            };
            self.offset = self.offset.wrapping_add(number.wrapping_mul(times));
            return;
        }
        if value.is_instruction() && depth < MAX_DEPTH {
            match (value.opcode(), Parts::of(value)) {
                (kind, Some(Parts { values, times: by })) if is_exact(value, kind, signed) => {
                    return values.into_iter().zip(by).for_each(|(value, by)| {
                        self.add_extended(value, signed, times.wrapping_mul(by), depth + 1);
                    });
                }
                (opcode::ZERO_EXTEND, _) => {
                    return self.add_extended(value.operand(0), false, times, depth + 1);
                }
                (opcode::SIGN_EXTEND, _) if signed => {
                    return self.add_extended(value.operand(0), true, times, depth + 1);
                }
                _ => {}
            }
        }
        self.add_term((value, signed), times);
    }

    fn add_term(&mut self, term: Term<'c>, times: i64) {
        let all = self.terms.entry(term).or_default();
        *all = all.wrapping_add(times);
    }

    /// Whether `size` bytes here and `other_size` bytes there have none in common.
    fn is_apart(&self, size: u64, other: &Place<'c>, other_size: u64) -> bool {
        if self.object != other.object {
            return [self, other]
                .iter()
                .all(|place| place.object.is_global_variable() && !place.object.is_declaration());
        }
        let distance = self.offset.wrapping_sub(other.offset);
        self.terms == other.terms
            && (u64::try_from(distance).is_ok_and(|distance| distance >= other_size)
                || u64::try_from(distance.wrapping_neg()).is_ok_and(|distance| distance >= size))
    }
}

/// Whether the extension of a sum is the sum of the extensions.
fn is_exact(value: Value<'_>, kind: i32, signed: bool) -> bool {
    match kind {
        // No bit is carried.
        opcode::OR => true,
        _ if signed => value.cannot_wrap_signed(),
        _ => value.cannot_wrap_unsigned(),
    }
}

/// What an integer is a sum of, and how often each is added.
struct Parts<'c> {
    values: Vec<Value<'c>>,
    times: Vec<i64>,
}

impl<'c> Parts<'c> {
    fn of(value: Value<'c>) -> Option<Parts<'c>> {
        let operand = |index| value.operand(index);
        let both = |by: i64| Parts { values: vec![operand(0), operand(1)], times: vec![1, by] };
        let first = |by: i64| Parts { values: vec![operand(0)], times: vec![by] };
        match value.opcode() {
            opcode::ADD => Some(both(1)),
            opcode::OR if value.is_disjoint() => Some(both(1)),
            opcode::SUB => Some(both(-1)),
            opcode::MUL => {
                // As a number with a sign, it is the same.
                let by = operand(1).as_int()?;
                let bits = value.ty().int_bits().filter(|bits| (2..=64).contains(bits))?;
                (by < 1 << (bits - 1)).then(|| first(by as i64))
            }
            opcode::SHL => Some(first(1 << operand(1).as_int().filter(|by| *by < 31)?)),
            _ => None,
        }
    }
}
