//! Splits local variables that hold a few words in front of an array, as iterators over arrays do: the position, and the array.
//!
//! LLVM makes registers of a variable's parts only if no part is accessed with an index that is calculated: it can't tell that the index
//! stays in the array. So the position is in memory, the loop's trip count is not found, the loop is not unrolled, and so the
//! array stays in memory as well. But an address that is calculated without wrapping around (`nuw`) lies behind the one that it is
//! calculated from. What is before all of those becomes a variable of its own.

use crate::llvm::{Block, Builder, Context, Module, Value, opcode};

/// Splits the variables of every function. Returns whether there were any.
pub(crate) fn split_iterators(module: &Module<'_>) -> bool {
    let mut any = false;
    for function in module.functions().into_iter().filter(|one| !one.is_declaration()) {
        let Some(&entry) = function.blocks().first() else { continue };
        let all = entry.instructions().into_iter().filter(|one| one.opcode() == opcode::ALLOCA);
        for variable in all.collect::<Vec<_>>() {
            any |= split(module, entry, variable).is_some();
        }
    }
    any
}

/// Where a pointer into a variable points.
#[derive(Clone, Copy)]
enum Place {
    At(u64),
    /// There, or behind it.
    From(u64),
}

/// An access to a variable at a place that is known.
struct Access<'c> {
    instruction: Value<'c>,
    /// Which operand is the pointer.
    operand: u32,
    start: u64,
    end: u64,
}

/// The accesses to a variable at known places, and where those at calculated places can begin.
struct Accesses<'c> {
    known: Vec<Access<'c>>,
    calculated: u64,
}

fn split<'c>(module: &Module<'c>, entry: Block<'c>, variable: Value<'c>) -> Option<()> {
    let context = module.context();
    let Accesses { known, calculated: cut } = accesses_of(module, variable)?;
    let is_apart = |one: &Access<'c>| one.end <= cut || one.start >= cut;
    let mut first = known.iter().filter(|one| one.start < cut).peekable();
    if cut == u64::MAX || first.peek().is_none() || !known.iter().all(is_apart) {
        return None;
    }
    let start = *entry.instructions().first()?;
    let own = Builder::before(context, start)
        .alloca(context.int(8).array(cut), variable.alignment().max(8));
    for access in first {
        let place = Builder::before(context, access.instruction).offset(own, access.start);
        access.instruction.set_operand(access.operand, place);
    }
    Some(())
}

/// All accesses to a variable, if nothing else is done with its address.
fn accesses_of<'c>(module: &Module<'c>, variable: Value<'c>) -> Option<Accesses<'c>> {
    let mut found = Accesses { known: Vec::new(), calculated: u64::MAX };
    let mut open = vec![(variable, Place::At(0))];
    while let Some((pointer, place)) = open.pop() {
        for user in pointer.users() {
            if user.opcode() == opcode::GET_ELEMENT_PTR {
                open.push((user, moved(module.context(), user, place)?));
                continue;
            }
            for (operand, bytes) in accessed(module, user, pointer)? {
                match place {
                    Place::At(start) => {
                        let end = start.checked_add(bytes)?;
                        found.known.push(Access { instruction: user, operand, start, end });
                    }
                    Place::From(start) => found.calculated = found.calculated.min(start),
                }
            }
        }
    }
    Some(found)
}

/// Where a calculated address points.
fn moved<'c>(context: &'c Context, address: Value<'c>, from: Place) -> Option<Place> {
    let operands = address.operands();
    if let (Place::At(start), &[_, by]) = (from, &operands[..])
        && address.element_type() == context.int(8)
        // A narrower one has a sign, which its number does not show.
        && by.ty() == context.int(64)
        && let Some(by) = by.as_int().filter(|by| i64::try_from(*by).is_ok())
    {
        return Some(Place::At(start.checked_add(by)?));
    }
    let (Place::At(start) | Place::From(start)) = from;
    address.is_without_unsigned_wrap().then_some(Place::From(start))
}

/// The operands of an instruction that are a pointer through which it accesses memory, with how many bytes; `None` if it does something
/// else with it.
fn accessed<'c>(
    module: &Module<'c>,
    user: Value<'c>,
    pointer: Value<'c>,
) -> Option<Vec<(u32, u64)>> {
    match user.opcode() {
        opcode::LOAD => Some(vec![(0, module.size_of(user.ty()))]),
        opcode::STORE if user.operand(0) != pointer => {
            Some(vec![(1, module.size_of(user.operand(0).ty()))])
        }
        opcode::CALL if user.callee().is_function() => {
            let name = user.callee().name();
            if name.starts_with("llvm.lifetime.") {
                return Some(Vec::new());
            }
            let copies = ["llvm.memcpy.", "llvm.memmove.", "llvm.memset."];
            let is_copy = copies.iter().any(|one| name.starts_with(one));
            let bytes = is_copy.then(|| user.operand(2).as_int())??;
            let pointers = if name.starts_with(copies[2]) { 1 } else { 2 };
            let those = (0..pointers).filter(|index| user.operand(*index) == pointer);
            Some(those.map(|index| (index, bytes)).collect())
        }
        _ => None,
    }
}
