//! Instructions that need more than their operands lowered.

use super::flow::Leave;
use super::function::{Entity, Lower, register_bytes};
use crate::exec::context::{Context, Flow};
use crate::exec::ops::lanes::unary;
use crate::exec::ops::memory::{Mode, Place, is_signed, load_of, store_of};
use crate::exec::ops::{atomic, compare, control, convert, logic, sync};
use crate::exec::program::{Call, Exec, Inst, NONE};
use crate::isa::Form;
use crate::memory::{LOCAL_WINDOW, PARAM_WINDOW, SHARED_WINDOW};
use crate::ptx::ast::{Instruction, Operand};
use crate::ptx::types::{Space, Type};

type Lowered<T> = Result<T, String>;

/// Modifiers of memory accesses that change nothing here: every access takes effect at once and in
/// order, and there are no caches.
const IGNORED: &[&str] = &[
    "weak",
    "relaxed",
    "acquire",
    "release",
    "acq_rel",
    "sc",
    "volatile",
    "mmio",
    "cta",
    "cluster",
    "gpu",
    "sys",
    "ca",
    "cg",
    "cs",
    "lu",
    "cv",
    "wb",
    "wt",
    "nc",
    "uni",
    "level::eviction_priority",
    "L1::evict_normal",
    "L1::evict_unchanged",
    "L1::evict_first",
    "L1::evict_last",
    "L1::no_allocate",
    "L2::evict_normal",
    "L2::evict_first",
    "L2::evict_last",
    "L2::64B",
    "L2::128B",
    "L2::256B",
    "L2::cache_hint",
    "unified",
];

/// What the modifiers of a memory access say.
struct Access {
    space: Space,
    ty: Type,
    count: u32,
}

fn access(form: &Form<'_>) -> Lowered<Access> {
    let mut out = Access { space: Space::Generic, ty: Type::B32, count: 1 };
    let mut typed = false;
    for &word in form.words() {
        if let Some(space) = Space::from_name(word) {
            out.space = space;
        } else if let Some(ty) = Type::from_name(word) {
            out.ty = ty;
            typed = true;
        } else {
            match word {
                "v2" => out.count = 2,
                "v4" => out.count = 4,
                "v8" => out.count = 8,
                _ if IGNORED.contains(&word) => {}
                _ => return Err(format!("the modifier `.{word}` is not supported")),
            }
        }
    }
    if !typed { Err("a type is missing".to_owned()) } else { Ok(out) }
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
    /// Resolves an address operand for an access of so many bytes.
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
                let aligned = (i64::from(start) + offset) % i64::from(bytes.max(1)) == 0;
                let inside = offset >= 0 && end.is_some_and(|end| end <= size as i64);
                if inside && aligned {
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
            return Err(format!("{count} registers are needed, {} are there", names.len()));
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
        return Err(format!("{count} operands are needed, {given} are there"));
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
        size = register_bytes(ty);
        if size < access.ty.size() {
            return Err(format!("`{name}` is too small for .{}", access.ty.name()));
        }
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

/// `cp.async [to], [from], size`: done at once.
pub(crate) fn copy_async<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let [to, from, Operand::Int(size)] = without_hint(form, instruction, 3)? else {
        return Err("`cp.async` takes two addresses and a size".to_owned());
    };
    let (ty, count) = match size {
        4 => (Type::B32, 1),
        8 => (Type::B32, 2),
        16 => (Type::B32, 4),
        _ => return Err("`cp.async` copies 4, 8 or 16 bytes".to_owned()),
    };
    let mut slots = Vec::new();
    for _ in 0..count {
        slots.push(lower.temporary(4)?);
    }
    let guard = lower.guard(instruction)?;
    let list = lower.list(slots);
    for (operand, space, exec) in [
        (from, Space::Global, load_of(ty, Place::Address)),
        (to, Space::Shared, store_of(ty, Place::Address)),
    ] {
        let exec = exec.ok_or("such a copy is not supported")?;
        let found = lower.location(operand, space, ty.size() * count)?;
        if found.place != Place::Address {
            return Err("`cp.async` copies from global to shared memory".to_owned());
        }
        let c = lower.mode(&found, &Access { space, ty, count }, 4);
        let (a, imm) = (found.register, found.offset);
        lower.push(Inst { exec, guard, d: NONE, a, b: NONE, c, x: list, imm }, Leave::Next);
    }
    Ok(())
}

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
    let rest: Vec<&str> = form
        .words()
        .iter()
        .copied()
        .filter(|word| !is_operation(word) && *word != "noftz")
        .collect();
    let access = access(&Form::new(&rest))?;
    if access.count != 1 {
        return Err("atomics of vectors are not supported".to_owned());
    }
    let size = access.ty.size();
    let mut found = lower.location(&operands[0], access.space, size)?;
    if found.place == Place::Frame {
        let Operand::Address { name: Some(name), offset } = operands[0] else {
            return Err("the address must be a variable".to_owned());
        };
        found.register = lower.address(name, offset, 8)?;
        (found.place, found.space, found.offset) = (Place::Address, Space::Local, 0);
    }
    if found.place != Place::Address {
        return Err("parameters are read-only".to_owned());
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

/// `mov`: registers, constants, addresses, and vectors packed into or taken out of one register.
pub(crate) fn mov<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let [to, from] = &instruction.operands[..] else {
        return Err("`mov` takes two operands".to_owned());
    };
    if form.words().len() != 1 || form.types().len() != 1 {
        return Err("`mov` takes one type".to_owned());
    }
    let ty = form.ty();
    let guard = lower.guard(instruction)?;
    match (to, from) {
        (Operand::Vector(parts), from) => {
            let size = part_size(ty, parts.len())?;
            let a = lower.source(from, ty.size(), ty)?;
            for (index, part) in parts.iter().enumerate() {
                if *part == Operand::Sink {
                    continue;
                }
                let d = lower.destination(part, size)?;
                let (exec, imm) = (unpack(ty.size(), size)?, (index as u32 * size * 8).into());
                lower.push(Inst { guard, d, a, imm, ..Lower::blank(exec) }, Leave::Next);
            }
        }
        (to, Operand::Vector(parts)) => {
            let size = part_size(ty, parts.len())?;
            let mut list = Vec::new();
            for part in parts {
                list.push(lower.source(part, size, ty)?);
            }
            let (d, x) = (lower.destination(to, ty.size())?, lower.list(list));
            lower.push(Inst { guard, d, x, ..Lower::blank(pack(ty.size(), size)?) }, Leave::Next);
        }
        (to, from) => {
            let (d, a) = (lower.destination(to, ty.size())?, lower.source(from, ty.size(), ty)?);
            let exec = match ty.size() {
                2 => unary(|a: u16| a),
                4 => unary(|a: u32| a),
                8 => unary(|a: u64| a),
                _ => return Err(format!("`mov.{}` is not supported", ty.name())),
            };
            lower.push(Inst { guard, d, a, ..Lower::blank(exec) }, Leave::Next);
        }
    }
    Ok(())
}

fn part_size(ty: Type, parts: usize) -> Lowered<u32> {
    let size = ty.size() / parts.max(1) as u32;
    if matches!(size, 1 | 2 | 4) && size * parts as u32 == ty.size() && parts > 1 {
        return Ok(size.max(2) * u32::from(size > 1) + u32::from(size == 1));
    }
    Err(format!("{parts} parts do not make a .{}", ty.name()))
}

/// Takes bits from position `imm` of `a`.
fn unpack(from: u32, to: u32) -> Lowered<Exec> {
    fn exec<A: crate::exec::context::Lane + Into<u64>>(
        context: &mut Context<'_>,
        inst: &Inst,
        mask: u32,
        store: fn(&mut Context<'_>, u32, u32, &[u64; 32]),
    ) -> Flow {
        let values = context.load::<A>(inst.a).map(|value| value.into() >> inst.imm);
        store(context, inst.d, mask, &values);
        Flow::Next
    }
    fn half(context: &mut Context<'_>, d: u32, mask: u32, values: &[u64; 32]) {
        context.store(d, mask, &values.map(|value| value as u16));
    }
    fn word(context: &mut Context<'_>, d: u32, mask: u32, values: &[u64; 32]) {
        context.store(d, mask, &values.map(|value| value as u32));
    }
    Ok(match (from, to) {
        (4, 2) => |context, inst, mask| exec::<u32>(context, inst, mask, half),
        (8, 2) => |context, inst, mask| exec::<u64>(context, inst, mask, half),
        (8, 4) => |context, inst, mask| exec::<u64>(context, inst, mask, word),
        _ => return Err("such a vector `mov` is not supported".to_owned()),
    })
}

/// Puts the registers of list `x` side by side.
fn pack(to: u32, from: u32) -> Lowered<Exec> {
    fn exec<A: crate::exec::context::Lane + Into<u64>>(
        context: &mut Context<'_>,
        inst: &Inst,
    ) -> [u64; 32] {
        let mut out = [0; 32];
        let list = &context.function().lists[inst.x as usize];
        for (index, &register) in list.iter().enumerate() {
            let values = context.load::<A>(register);
            for lane in 0..32 {
                out[lane] |= values[lane].into() << (index * size_of::<A>() * 8);
            }
        }
        out
    }
    Ok(match (to, from) {
        (4, 2) => |context, inst, mask| {
            let values = exec::<u16>(context, inst).map(|value| value as u32);
            context.store(inst.d, mask, &values);
            Flow::Next
        },
        (8, 2) => |context, inst, mask| {
            let values = exec::<u16>(context, inst);
            context.store(inst.d, mask, &values);
            Flow::Next
        },
        (8, 4) => |context, inst, mask| {
            let values = exec::<u32>(context, inst);
            context.store(inst.d, mask, &values);
            Flow::Next
        },
        _ => return Err("such a vector `mov` is not supported".to_owned()),
    })
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
        Space::Shared => SHARED_WINDOW,
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
        _ => crate::exec::ops::lanes::binary(|a: u64, b: u64| a.wrapping_add(b)),
    };
    lower.push(Inst { guard, d, a, b, ..Lower::blank(exec) }, Leave::Next);
    Ok(())
}

/// `cvt`
pub(crate) fn cvt<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let plan = convert::plan(form)?;
    let given = &instruction.operands;
    if given.len() != 1 + plan.sources {
        return Err(format!("{} operands are needed, {} are there", 1 + plan.sources, given.len()));
    }
    let guard = lower.guard(instruction)?;
    // Registers may be wider than the types of a conversion.
    let mut width = |operand: &Operand<'a>, least: u32| match operand {
        Operand::Name { name, .. } => match lower.entity(name) {
            Some(Entity::Register { ty, .. }) => register_bytes(ty).max(least),
            _ => least,
        },
        _ => least,
    };
    let to = width(&given[0], plan.to.size().max(2));
    let from = width(&given[1], plan.from.size().max(2));
    let d = lower.destination(&given[0], to)?;
    let a = lower.source(&given[1], from, plan.from)?;
    let b = match given.get(2) {
        Some(operand) => lower.source(operand, from, plan.from)?,
        None => NONE,
    };
    let (exec, imm) = convert::exec(&plan, from, to)?;
    lower.push(Inst { guard, d, a, b, imm, ..Lower::blank(exec) }, Leave::Next);
    Ok(())
}

// --- comparison -----------------------------------------------------------------------------------

impl<'a> Lower<'_, 'a> {
    /// Compares and combines with a predicate: the operand of the result. Sources from `operands[1]` on.
    fn comparison(
        &mut self,
        form: &Form<'_>,
        instruction: &'a Instruction<'a>,
        to: u32,
    ) -> Lowered<()> {
        let combine = form.words().iter().find_map(|word| logic::combination(word));
        let given = &instruction.operands;
        let wanted = if combine.is_some() { 4 } else { 3 };
        if given.len() != wanted {
            return Err(format!("{wanted} operands are needed, {} are there", given.len()));
        }
        let guard = self.guard(instruction)?;
        let ty = form.ty();
        let (a, b) =
            (self.source(&given[1], ty.size(), ty)?, self.source(&given[2], ty.size(), ty)?);
        let exec = compare::setp(form).ok_or("there is no such comparison")?;
        let pair = matches!(given[0], Operand::Pair(..));
        let Some(combine) = combine else {
            self.push(Inst { guard, d: to, a, b, ..Self::blank(exec) }, Leave::Next);
            if let (true, Operand::Pair(_, second)) = (pair, &given[0]) {
                let d = self.destination(second, 0)?;
                let negate = Inst { guard, d, a: to | 1, ..Self::blank(logic::copy) };
                self.push(negate, Leave::Next);
            }
            return Ok(());
        };
        let c = self.source(&given[3], 0, Type::Pred)?;
        let compared = self.temporary(0)?;
        self.push(Inst { guard, d: compared, a, b, ..Self::blank(exec) }, Leave::Next);
        // The second result must see `c` even if the first overwrites it.
        let kept = self.temporary(0)?;
        self.push(Inst { guard, d: kept, a: c, ..Self::blank(logic::copy) }, Leave::Next);
        let (a, b) = (compared, kept);
        self.push(Inst { guard, d: to, a, b, ..Self::blank(combine) }, Leave::Next);
        if let Operand::Pair(_, second) = &given[0] {
            let d = self.destination(second, 0)?;
            self.push(Inst { guard, d, a: a | 1, b, ..Self::blank(combine) }, Leave::Next);
        }
        Ok(())
    }
}

/// `setp`
pub(crate) fn setp<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let to = match instruction.operands.first() {
        Some(Operand::Pair(first, _)) => lower.destination(first, 0)?,
        Some(first) => lower.destination(first, 0)?,
        None => return Err("`setp` needs operands".to_owned()),
    };
    lower.comparison(form, instruction, to)
}

/// `set`: all ones, or 1.0, where the comparison holds.
pub(crate) fn set<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let [to, ..] = &instruction.operands[..] else {
        return Err("`set` needs operands".to_owned());
    };
    let d = lower.destination(to, 4)?;
    let holds = lower.temporary(0)?;
    lower.comparison(form, instruction, holds)?;
    let one = match form.types().first() {
        Some(Type::F32) => u64::from(1f32.to_bits()),
        _ => u64::from(u32::MAX),
    };
    let (a, b) = (lower.constant(4, one), lower.constant(4, 0));
    let guard = lower.guard(instruction)?;
    lower.push(
        Inst { guard, d, a, b, c: holds, ..Lower::blank(compare::select::<u32>) },
        Leave::Next,
    );
    Ok(())
}

// --- control flow ---------------------------------------------------------------------------------

impl<'a> Lower<'_, 'a> {
    /// Lowers an instruction that needs all running lanes: others, which a guard excludes, go around it.
    fn around(
        &mut self,
        instruction: &'a Instruction<'a>,
        inner: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let guard = self.guard(instruction)?;
        if guard == NONE {
            return inner(self);
        }
        let behind = self.new_label();
        let leave = Leave::Jump { labels: vec![behind], falls: true };
        self.push(Inst { guard: guard ^ 1, ..Self::blank(control::branch) }, leave);
        let outcome = inner(self);
        self.place_label(behind);
        outcome
    }
}

/// `bra`
pub(crate) fn branch<'a>(
    lower: &mut Lower<'_, 'a>,
    _: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let [target] = &instruction.operands[..] else {
        return Err("`bra` takes one label".to_owned());
    };
    let label = lower.label_operand(target)?;
    let guard = lower.guard(instruction)?;
    let leave = Leave::Jump { labels: vec![label], falls: guard != NONE };
    lower.push(Inst { guard, ..Lower::blank(control::branch) }, leave);
    Ok(())
}

/// `brx.idx`
pub(crate) fn branch_indexed<'a>(
    lower: &mut Lower<'_, 'a>,
    _: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let [index, table] = &instruction.operands[..] else {
        return Err("`brx.idx` takes an index and a list".to_owned());
    };
    let labels = lower.label_table(table)?;
    let a = lower.source(index, 4, Type::U32)?;
    lower.around(instruction, |lower| {
        let b = lower.list(Vec::new());
        let leave = Leave::Jump { labels, falls: false };
        lower.push(Inst { a, b, ..Lower::blank(control::branch_indexed) }, leave);
        Ok(())
    })
}

fn ending<'a>(
    lower: &mut Lower<'_, 'a>,
    instruction: &'a Instruction<'a>,
    exec: Exec,
    leave: impl Fn(bool) -> Leave,
) -> Lowered<()> {
    if !instruction.operands.is_empty() {
        return Err("the instruction takes no operands".to_owned());
    }
    let guard = lower.guard(instruction)?;
    lower.push(Inst { guard, ..Lower::blank(exec) }, leave(guard != NONE));
    Ok(())
}

/// `ret`
pub(crate) fn ret<'a>(
    lower: &mut Lower<'_, 'a>,
    _: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    lower.store_register_results()?;
    ending(lower, instruction, control::ret, |falls| Leave::Return { falls })
}

fn end_or_fall(falls: bool) -> Leave {
    if falls { Leave::Next } else { Leave::End }
}

/// `exit`
pub(crate) fn exit<'a>(
    lower: &mut Lower<'_, 'a>,
    _: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    ending(lower, instruction, control::exit, end_or_fall)
}

/// `trap`
pub(crate) fn trap<'a>(
    lower: &mut Lower<'_, 'a>,
    _: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    ending(lower, instruction, control::trap, end_or_fall)
}

/// `call{.uni} (results), target, (arguments){, prototype}`
pub(crate) fn call<'a>(
    lower: &mut Lower<'_, 'a>,
    _: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let mut given = &instruction.operands[..];
    let mut results: &[Operand<'a>] = &[];
    if let [Operand::List(list), rest @ ..] = given {
        (results, given) = (list, rest);
    }
    let [target, rest @ ..] = given else { return Err("`call` needs a function".to_owned()) };
    let arguments: &[Operand<'a>] = match rest {
        [Operand::List(list), ..] => list,
        _ => &[],
    };
    let Operand::Name { name, offset: 0 } = target else {
        return Err("`call` needs a function".to_owned());
    };
    let mut call = Call { target: NONE, ..Call::default() };
    let mut a = NONE;
    match lower.names.functions.get(name) {
        Some(&index) => {
            let callee = lower.names.signatures[index as usize];
            if callee.entry {
                return Err(format!("`{name}` is a kernel"));
            }
            if callee.params.len() != arguments.len() || callee.returns.len() != results.len() {
                return Err(format!("`{name}` is declared with other parameters"));
            }
            call.target = index;
        }
        None => a = lower.source(target, 8, Type::U64)?,
    }
    lower.around(instruction, |lower| {
        let mut copies = Vec::new();
        for argument in arguments {
            call.arguments.push(lower.argument(argument, None)?);
        }
        for result in results {
            call.results.push(lower.argument(result, Some(&mut copies))?);
        }
        let x = lower.call(call);
        lower.push(Inst { a, x, ..Lower::blank(control::call) }, Leave::Next);
        for copy in copies {
            lower.push(copy, Leave::Next);
        }
        Ok(())
    })
}

impl<'a> Lower<'_, 'a> {
    /// The place of an argument or result in local memory. A register or constant gets one: an argument
    /// is stored there first, the loads of results are added to `loads`.
    fn argument(
        &mut self,
        operand: &Operand<'a>,
        loads: Option<&mut Vec<Inst>>,
    ) -> Lowered<(u32, u32)> {
        let entity = match operand {
            Operand::Name { name, .. } => self.entity(name),
            _ => None,
        };
        if let Some(Entity::Local { offset, size }) = entity {
            return Ok((offset, size as u32));
        }
        let size = match entity {
            Some(Entity::Register { ty, .. }) => register_bytes(ty),
            _ => 4,
        };
        let ty = if size == 8 { Type::B64 } else { Type::B32 };
        let offset = self.function.local_size.next_multiple_of(8);
        self.function.local_size = offset + 8;
        let inst = self.frame_access(offset, ty, size);
        match loads {
            Some(loads) => {
                let exec = load_of(ty, Place::Frame).ok_or("such a result is not supported")?;
                let d = self.destination(operand, size)?;
                loads.push(Inst { exec, d, ..inst });
            }
            None => {
                let exec = store_of(ty, Place::Frame).ok_or("such an argument is not supported")?;
                let b = self.source(operand, size, ty)?;
                self.push(Inst { exec, b, ..inst }, Leave::Next);
            }
        }
        Ok((offset, size))
    }

    fn frame_access(&self, offset: u32, ty: Type, register: u32) -> Inst {
        let (space, wide, size) = (Space::Local, true, ty.size().min(register));
        let mode = Mode { space, wide, size, count: 1, signed: false, register };
        Inst { c: mode.pack(), imm: offset.into(), ..Self::blank(control::nothing) }
    }

    /// Results declared in `.reg` space are stored before `ret`.
    fn store_register_results(&mut self) -> Lowered<()> {
        for (name, ty, offset) in self.register_results() {
            let ty = if ty.size() == 8 { Type::B64 } else { Type::B32 };
            let inst = self.frame_access(offset, ty, ty.size());
            let exec = store_of(ty, Place::Frame).ok_or("such a result is not supported")?;
            let b = self.source(&Operand::Name { name, offset: 0 }, ty.size(), ty)?;
            self.push(Inst { exec, b, ..inst }, Leave::Next);
        }
        Ok(())
    }

    /// Parameters declared in `.reg` space are loaded at the start.
    pub(crate) fn load_register_params(&mut self) -> Lowered<()> {
        for (name, ty, offset) in self.register_params() {
            let ty = if ty.size() == 8 { Type::B64 } else { Type::B32 };
            let inst = self.frame_access(offset, ty, ty.size());
            let exec = load_of(ty, Place::Frame).ok_or("such a parameter is not supported")?;
            let d = self.destination(&Operand::Name { name, offset: 0 }, ty.size())?;
            self.push(Inst { exec, d, ..inst }, Leave::Next);
        }
        Ok(())
    }
}

// --- barriers -------------------------------------------------------------------------------------

fn barrier_words(form: &Form<'_>) -> bool {
    form.words().iter().all(|word| {
        matches!(
            *word,
            "sync" | "arrive" | "red" | "cta" | "aligned" | "popc" | "and" | "or" | "u32" | "pred"
        )
    })
}

/// `bar` and `barrier`, in all their forms.
pub(crate) fn barrier<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    if !barrier_words(form) {
        return Err("such a barrier is not supported".to_owned());
    }
    let operands = &instruction.operands[..];
    lower.around(instruction, |lower| {
        let mut inst = Lower::blank(control::nothing);
        let exec = if form.has("red") {
            let (id, count, predicate) = match operands {
                [_, id, predicate] => (id, None, predicate),
                [_, id, count, predicate] => (id, Some(count), predicate),
                _ => return Err("a reducing barrier takes 3 or 4 operands".to_owned()),
            };
            inst.d = lower.destination(&operands[0], if form.has("popc") { 4 } else { 0 })?;
            inst.a = lower.source(id, 4, Type::U32)?;
            if let Some(count) = count {
                inst.b = lower.source(count, 4, Type::U32)?;
            }
            inst.c = lower.source(predicate, 0, Type::Pred)?;
            sync::bar_red(form)
        } else {
            let (id, count) = match operands {
                [id] => (id, None),
                [id, count] => (id, Some(count)),
                _ => return Err("a barrier takes 1 or 2 operands".to_owned()),
            };
            inst.a = lower.source(id, 4, Type::U32)?;
            if let Some(count) = count {
                inst.b = lower.source(count, 4, Type::U32)?;
            }
            if form.has("arrive") { sync::bar_arrive(form) } else { sync::bar_sync(form) }
        };
        inst.exec = exec.ok_or("there is no such barrier")?;
        lower.push(inst, Leave::Next);
        Ok(())
    })
}
