//! Loads, stores, atomics and address conversions.

use super::super::flow::Leave;
use super::super::function::{Entity, Lower, register_bytes};
use super::Lowered;
use crate::exec::ops::lanes::{binary, unary};
use crate::exec::ops::memory::{Mode, is_signed};
use crate::exec::ops::rows::{Place, load_of, store_of};
use crate::exec::ops::{atomic, compare, copy};
use crate::exec::program::{Inst, NONE};
use crate::memory::{LOCAL_WINDOW, PARAM_WINDOW, SHARED_WINDOW};
use crate::ptx::ast::{Instruction, Operand};
use crate::ptx::form::Form;
use crate::ptx::types::{Space, Type};

/// What the modifiers of a memory access say.
struct Access {
    space: Space,
    ty: Type,
    count: u32,
    /// Whether it is atomic, or has an order.
    ordered: bool,
    /// Whether it is a strong operation.
    strong: bool,
}

/// Modifiers with which a load or store reaches global and shared memory only (PTX ISA, `ld`, `st`).
const ORDERS: &[&str] = &["relaxed", "acquire", "release"];

/// Reads modifiers that the table has let through. The others change nothing here: every access takes effect at
/// once and in order, and there are no caches.
fn access(form: &Form<'_>) -> Lowered<Access> {
    let ordered = ORDERS.iter().any(|order| form.has(order));
    let strong = ordered || form.has("volatile") || form.has("mmio");
    let mut out = Access { space: Space::Generic, ty: form.ty(), count: 1, ordered, strong };
    for &word in form.words() {
        match word {
            "v2" => out.count = 2,
            "v4" => out.count = 4,
            "v8" => out.count = 8,
            _ => out.space = Space::from_name(word).unwrap_or(out.space),
        }
    }
    if ordered && out.space == Space::Local {
        return Err(NOT_LOCAL.to_owned());
    }
    Ok(out)
}

/// Where an address operand leads.
pub(crate) struct Where {
    pub(crate) place: Place,
    pub(crate) space: Space,
    /// Address register or constant.
    pub(crate) register: u32,
    pub(crate) wide: bool,
    pub(crate) offset: i64,
}

impl<'a> Lower<'_, 'a> {
    /// Resolves an address operand for an access of this many bytes.
    pub(crate) fn location(
        &mut self,
        operand: &Operand<'a>,
        space: Space,
        bytes: u32,
    ) -> Lowered<Where> {
        let Operand::Address { name, offset } = *operand else {
            return Err("the address must stand in brackets".to_owned());
        };
        // Parameters of a function lie in local memory.
        let space =
            if space == Space::Param && !self.function.entry { Space::Local } else { space };
        let at = |place, register, wide, offset| Where { place, space, register, wide, offset };
        let Some(name) = name else {
            let register = self.constant(8, 0);
            return Ok(at(Place::Address, register, true, offset));
        };
        match self.entity(name) {
            Some(Entity::Register { ty, slot }) => match register_bytes(ty) {
                4 => Ok(at(Place::Address, slot, false, offset)),
                8 => Ok(at(Place::Address, slot, true, offset)),
                _ => Err(format!("`{name}` is no address: it needs 32 or 64 bits")),
            },
            Some(Entity::Bank { offset: start, size }) => {
                let end = offset.checked_add(i64::from(bytes));
                if offset < 0 || end.is_none_or(|end| end > size as i64) {
                    return Err(format!(
                        "the access is outside parameter `{name}` of {size} bytes"
                    ));
                }
                Ok(at(Place::Bank, NONE, true, i64::from(start) + offset))
            }
            Some(Entity::Local { offset: start, size }) => {
                let end = offset.checked_add(i64::from(bytes));
                let inside = offset >= 0 && end.is_some_and(|end| end <= size as i64);
                if inside && (i64::from(start) + offset) % i64::from(bytes.max(1)) == 0 {
                    return Ok(at(Place::Frame, NONE, true, i64::from(start) + offset));
                }
                let register = self.address(name, offset, 8)?;
                Ok(Where { space: Space::Local, ..at(Place::Address, register, true, 0) })
            }
            Some(Entity::Range { .. }) => Err(format!("`{name}` is no address")),
            Some(Entity::Shared(_)) | None => {
                let shared = matches!(self.entity(name), Some(Entity::Shared(_)));
                let register = self.address(name, 0, 8)?;
                let space = if shared { Space::Shared } else { space };
                Ok(Where { space, ..at(Place::Address, register, true, offset) })
            }
        }
    }

    /// The registers of a scalar or vector operand.
    fn registers(&mut self, operand: &Operand<'a>, count: u32) -> Lowered<Vec<&'a str>> {
        let one = |operand: &Operand<'a>| match operand {
            Operand::Name { name, offset: 0 } => Ok(*name),
            Operand::Sink => Ok("_"),
            _ => Err("the data must be registers".to_owned()),
        };
        let names = match operand {
            Operand::Vector(elements) => elements.iter().map(one).collect::<Lowered<Vec<_>>>()?,
            operand => vec![one(operand)?],
        };
        if names.len() != count as usize {
            return Err(super::registers_needed(count, names.len()));
        }
        Ok(names)
    }

    fn mode(&self, found: &Where, access: &Access, register: u32) -> u32 {
        Mode {
            space: found.space,
            wide: found.wide,
            size: access.ty.size(),
            count: access.count,
            signed: is_signed(access.ty),
            ordered: access.ordered,
            strong: access.strong,
            register,
        }
        .pack()
    }
}

/// Operands without the cache hint that may follow them.
fn without_hint<'o, 'a>(
    form: &Form<'_>,
    instruction: &'o Instruction<'a>,
    count: usize,
) -> Lowered<&'o [Operand<'a>]> {
    let given = instruction.operands.len();
    let hinted = form.has("L2::cache_hint") && given == count + 1;
    if given != count && !hinted {
        return Err(format!("expected {count} operands, found {given}"));
    }
    Ok(&instruction.operands[..count])
}

/// `ld`
pub(crate) fn load<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let operands = without_hint(form, instruction, 2)?;
    let access = access(form)?;
    let bytes = access.ty.size() * access.count;
    let found = lower.location(&operands[1], access.space, bytes)?;
    if access.ty == Type::B128 && access.count > 1 {
        return Err(TOO_LONG.to_owned());
    }
    let exec = load_of(access.ty, found.place).ok_or("such a load is not supported")?;
    let names = lower.registers(&operands[0], access.count)?;
    let mut slots = Vec::new();
    let mut size = access.ty.size();
    for name in names {
        if name == "_" {
            slots.push(NONE);
            continue;
        }
        let (ty, slot) = lower.register(name)?;
        let bytes = register_bytes(ty);
        if bytes < access.ty.size() || bytes == 0 {
            return Err(format!("`{name}` is too small for .{}", access.ty.name()));
        }
        if slots.iter().any(|&other| other != NONE) && bytes != size {
            return Err("the registers of a vector must have the same size".to_owned());
        }
        size = bytes;
        slots.push(slot);
    }
    let c = lower.mode(&found, &access, size.max(2));
    let guard = lower.guard(instruction)?;
    let (d, x) = match slots[..] {
        [single] => (single, NONE),
        _ => (NONE, lower.list(slots)),
    };
    let (a, imm) = (found.register, found.offset);
    lower.push(Inst { exec, guard, d, a, b: NONE, c, x, imm }, Leave::Next);
    Ok(())
}

/// `st`
pub(crate) fn store<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let operands = without_hint(form, instruction, 2)?;
    let access = access(form)?;
    let bytes = access.ty.size() * access.count;
    let found = lower.location(&operands[0], access.space, bytes)?;
    if access.ty == Type::B128 && access.count > 1 {
        return Err(TOO_LONG.to_owned());
    }
    let exec = store_of(access.ty, found.place).ok_or("such a store is not supported")?;
    let values = match &operands[1] {
        Operand::Vector(elements) => elements.clone(),
        single => vec![single.clone()],
    };
    if values.len() != access.count as usize {
        return Err(format!("{} values are needed, {} are there", access.count, values.len()));
    }
    let mut size = access.ty.size().max(2);
    for value in &values {
        if let Operand::Name { name, .. } = value
            && let Some(Entity::Register { ty, .. }) = lower.entity(name)
        {
            size = register_bytes(ty);
            if size < access.ty.size() {
                return Err(format!("`{name}` is too small for .{}", access.ty.name()));
            }
        }
    }
    let mut slots = Vec::new();
    for value in &values {
        slots.push(lower.source(value, size, access.ty)?);
    }
    let c = lower.mode(&found, &access, size);
    let guard = lower.guard(instruction)?;
    let (b, x) = match slots[..] {
        [single] => (single, NONE),
        _ => (NONE, lower.list(slots)),
    };
    let (a, imm) = (found.register, found.offset);
    lower.push(Inst { exec, guard, d: NONE, a, b, c, x, imm }, Leave::Next);
    Ok(())
}

/// A hint about an address: there are no caches.
pub(crate) fn ignored<'a>(
    lower: &mut Lower<'_, 'a>,
    _: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    match instruction.operands.first() {
        Some(address) => lower.location(address, Space::Generic, 1).map(|_| ()),
        None => Err("an address is missing".to_owned()),
    }
}

/// `cp.async [to], [from], size{, source_size | ignore}{, policy}`: the third and fourth operand become one, how
/// many bytes are read.
pub(crate) fn copy_async<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let hint = usize::from(form.has("L2::cache_hint"));
    let given = &instruction.operands;
    let operands = &given[..given.len().saturating_sub(hint)];
    let ([_, _, Operand::Int(size)] | [_, _, Operand::Int(size), _]) = operands else {
        return Err("`cp.async` takes two addresses and a size".to_owned());
    };
    let sizes: &[u64] = if form.has("cg") { &[16] } else { &[4, 8, 16] };
    if !sizes.contains(size) {
        let sizes: Vec<String> = sizes.iter().map(u64::to_string).collect();
        return Err(format!("such a `cp.async` copies {} bytes", sizes.join(", ")));
    }
    let mut inst = lower.operands("ms mg", form, &operands[..2])?;
    inst.c = lower.constant(4, *size);
    inst.x = *size as u32;
    if let Some(operand) = operands.get(3) {
        let ignored = match operand {
            Operand::Not(_) => true,
            Operand::Name { name, .. } => {
                matches!(lower.entity(name), Some(Entity::Register { ty: Type::Pred, .. }))
            }
            _ => false,
        };
        inst.c = if ignored {
            let (a, b) = (lower.constant(4, 0), inst.c);
            let (d, c) = (lower.temporary(4)?, lower.source(operand, 0, Type::Pred)?);
            let exec = compare::selp(&Form::new(&["b32"])).ok_or("there is no `selp`")?;
            lower.push(Inst { d, a, b, c, ..Lower::blank(exec) }, Leave::Next);
            d
        } else {
            lower.source(operand, 4, Type::U32)?
        };
    }
    inst.exec = copy::copy_async;
    inst.guard = lower.guard(instruction)?;
    lower.push(inst, Leave::Next);
    Ok(())
}

const TOO_LONG: &str = "there are no vectors of .b128";

/// The same as `ptxas` says, in other words.
const NOT_LOCAL: &str = "atomic operations and orders are for global and shared memory only";

const ATOMIC_OPERATIONS: &[&str] =
    &["add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"];

/// `atom d, [a], b{, c}`
pub(crate) fn atom<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let wanted = if form.has("cas") { 4 } else { 3 };
    let operands = without_hint(form, instruction, wanted)?;
    read_modify_write(lower, form, instruction, Some(&operands[0]), &operands[1..])
}

/// `red [a], b`
pub(crate) fn red<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let operands = without_hint(form, instruction, 2)?;
    read_modify_write(lower, form, instruction, None, operands)
}

fn read_modify_write<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
    result: Option<&Operand<'a>>,
    operands: &[Operand<'a>],
) -> Lowered<()> {
    let is_operation = |word: &&str| ATOMIC_OPERATIONS.contains(word);
    let op = form.words().iter().copied().find(is_operation).ok_or("an operation is missing")?;
    let access = Access { ordered: true, strong: true, ..access(form)? };
    if access.space == Space::Local {
        return Err(NOT_LOCAL.to_owned());
    }
    let size = access.ty.size();
    let found = lower.location(&operands[0], access.space, size * access.count)?;
    if found.place == Place::Frame || found.space == Space::Local {
        return Err(NOT_LOCAL.to_owned());
    }
    if found.place != Place::Address {
        return Err("parameters are read-only".to_owned());
    }
    if access.count > 1 {
        return change_vectors(lower, instruction, op, result, operands, &found, &access);
    }
    let exec = atomic::atom(op, access.ty)
        .ok_or_else(|| format!("there is no atomic `{op}` of .{}", access.ty.name()))?;
    let d = match result {
        Some(Operand::Sink) | None => NONE,
        Some(result) => lower.destination(result, size)?,
    };
    let b = lower.source(&operands[1], size, access.ty)?;
    let x = match operands.get(2) {
        Some(operand) => lower.source(operand, size, access.ty)?,
        None => NONE,
    };
    let c = lower.mode(&found, &access, size);
    let guard = lower.guard(instruction)?;
    let (a, imm) = (found.register, found.offset);
    lower.push(Inst { exec, guard, d, a, b, c, x, imm }, Leave::Next);
    Ok(())
}

/// `atom` and `red` of vectors: a list of destinations and sources.
fn change_vectors<'a>(
    lower: &mut Lower<'_, 'a>,
    instruction: &'a Instruction<'a>,
    op: &str,
    result: Option<&Operand<'a>>,
    operands: &[Operand<'a>],
    found: &Where,
    access: &Access,
) -> Lowered<()> {
    let (ty, size) = (access.ty, access.ty.size());
    let exec = atomic::vector(op, ty)
        .ok_or_else(|| format!("there is no atomic `{op}` of vectors of .{}", ty.name()))?;
    let elements = |operand: &Operand<'a>| match operand {
        Operand::Vector(elements) if elements.len() == access.count as usize => {
            Ok(elements.clone())
        }
        _ => Err(format!("{} registers in braces are needed", access.count)),
    };
    let mut list = Vec::new();
    match result {
        None => list.resize(access.count as usize, NONE),
        Some(result) => {
            for element in elements(result)? {
                list.push(lower.destination(&element, size)?);
            }
        }
    }
    for element in elements(&operands[1])? {
        list.push(lower.source(&element, size, ty)?);
    }
    let c = lower.mode(found, access, size);
    let guard = lower.guard(instruction)?;
    let (a, imm, x) = (found.register, found.offset, lower.list(list));
    lower.push(Inst { exec, guard, d: NONE, a, b: NONE, c, x, imm }, Leave::Next);
    Ok(())
}

/// `cvta{.to}.space.u64`: windows are a fixed distance from their space's addresses.
pub(crate) fn cvta<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let [to, from] = &instruction.operands[..] else {
        return Err("`cvta` takes two operands".to_owned());
    };
    if form.ty() != Type::U64 {
        return Err("`cvta` converts 64-bit addresses".to_owned());
    }
    let space = form.words().iter().find_map(|word| Space::from_name(word));
    let window = match space.ok_or("`cvta` needs a state space")? {
        Space::Shared | Space::Cluster => SHARED_WINDOW,
        Space::Local => LOCAL_WINDOW,
        Space::Param if lower.function.entry => PARAM_WINDOW,
        Space::Param => LOCAL_WINDOW,
        _ => 0,
    };
    let distance = if form.has("to") { window.wrapping_neg() } else { window };
    let guard = lower.guard(instruction)?;
    let (d, a) = (lower.destination(to, 8)?, lower.source(from, 8, Type::U64)?);
    let b = lower.constant(8, distance);
    let exec = match window {
        0 => unary(|a: u64| a),
        _ => binary(|a: u64, b: u64| a.wrapping_add(b)),
    };
    lower.push(Inst { guard, d, a, b, ..Lower::blank(exec) }, Leave::Next);
    Ok(())
}
