//! Textures and surfaces: an object and coordinates in brackets.

use super::Lowered;
use super::tensor::parts;
use crate::exec::ops::texture::{
    Access, COORDINATES, DATA, Halves, LAYER, OFFSETS, OPERANDS, Operation, Outside, Query,
    RESIDENT, REST, fetch, query, surface,
};
use crate::exec::program::{Exec, Inst, NONE};
use crate::exec::texture::Geometry;
use crate::lower::flow::Leave;
use crate::lower::function::{Lower, register_bytes};
use crate::ptx::ast::{Instruction, Operand};
use crate::ptx::form::Form;
use crate::ptx::types::Type;

/// The dimensions that a modifier names.
fn geometry(form: &Form<'_>) -> Lowered<Geometry> {
    let found = form.words().iter().find_map(|&word| {
        Some(match word {
            "1d" => Geometry::One,
            "2d" => Geometry::Two,
            "3d" => Geometry::Three,
            "a1d" => Geometry::Layers1,
            "a2d" => Geometry::Layers2,
            "cube" => Geometry::Cube,
            "acube" => Geometry::Cubes,
            _ => return None,
        })
    });
    found.ok_or_else(|| "the dimensions are missing".to_owned())
}

/// An error unless a vector of numbers holds those that are needed: more are ignored, but there are no vectors of three.
fn check_vector(given: usize, needed: usize, what: &str) -> Lowered<()> {
    match given {
        1 | 2 | 4 if given >= needed => Ok(()),
        _ => {
            let needed = needed.next_power_of_two();
            Err(format!("{needed} {what} are needed, {given} are there"))
        }
    }
}

impl<'a> Lower<'_, 'a> {
    /// The register of an object, whose number has 64 bits.
    fn object(&mut self, operand: &Operand<'a>) -> Lowered<u32> {
        let Operand::Address { name: Some(name), offset: 0 } = *operand else {
            return Err("a register with the handle of a texture or surface is needed".to_owned());
        };
        if self.names.variables.contains_key(name) {
            return Err(format!("`{name}`: only objects in 64-bit registers are supported"));
        }
        self.source(&Operand::Name { name, offset: 0 }, 8, Type::U64)
    }

    /// Coordinates, with the layer first: at least as many as are used, perhaps one that is not.
    fn place(
        &mut self,
        coordinates: &[Operand<'a>],
        geometry: Geometry,
        ty: Type,
        list: &mut [u32],
    ) -> Lowered<()> {
        let (is_layered, used) = match geometry {
            Geometry::Layers1 | Geometry::Layers2 | Geometry::Cubes => {
                (true, Access::dimensions(geometry))
            }
            _ => (false, Access::dimensions(geometry)),
        };
        let needed = used + usize::from(is_layered);
        let given = coordinates.len();
        check_vector(given, needed, "coordinates")?;
        let mut rest = coordinates.iter();
        if is_layered {
            let layer = rest.next().ok_or("the layer is missing")?;
            list[LAYER] = self.source(layer, 4, Type::U32)?;
        }
        for (to, operand) in list[COORDINATES..].iter_mut().zip(rest).take(used) {
            *to = self.source(operand, 4, ty)?;
        }
        Ok(())
    }
}

/// `tex d{|p}, [object, {..}]{, level | along, across}{, offsets}`, `tld4 d{|p}, [object, {..}]{, offsets}`
pub(crate) fn texture<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let geometry = geometry(form)?;
    let [to, Operand::Tensor { map, coordinates }, rest @ ..] = &instruction.operands[..] else {
        return Err("a texture and coordinates, `[texture, {..}]`, are needed".to_owned());
    };
    let (by_index, integers) = match form.types() {
        [result, .., coordinate] => {
            let is_float = matches!(result, Type::F32 | Type::F16 | Type::F16x2);
            (*coordinate == Type::S32, !is_float)
        }
        _ => return Err("two types are needed".to_owned()),
    };
    let operation = match instruction.mnemonic {
        "tld4" => {
            let channel = ["r", "g", "b", "a"].iter().position(|channel| form.has(channel));
            Operation::Gather(channel.ok_or("a channel is missing")? as u8)
        }
        _ if form.has("level") => Operation::Level,
        _ if form.has("grad") => Operation::Gradient,
        _ => Operation::Fetch,
    };
    let halves = match form.types() {
        [Type::F16, ..] => Halves::Single,
        [Type::F16x2, ..] => Halves::Pairs,
        _ => Halves::None,
    };
    let (count, register) = match halves {
        Halves::None => (4, 4),
        Halves::Single => (4, 2),
        Halves::Pairs => (2, 4),
    };
    let mut list = vec![NONE; OPERANDS];
    let object = lower.object(map)?;
    let ty = if by_index { Type::S32 } else { Type::F32 };
    lower.place(coordinates, geometry, ty, &mut list)?;
    let to = match to {
        Operand::Pair(to, resident) => {
            list[RESIDENT] = lower.destination(resident, 0)?;
            to
        }
        to => to,
    };
    for (slot, operand) in list[DATA..].iter_mut().zip(parts(to, count)?) {
        *slot = lower.destination(operand, register)?;
    }
    let rest = match (operation, rest) {
        (Operation::Level, [level, rest @ ..]) => {
            list[REST] = lower.source(level, 4, Type::F32)?;
            rest
        }
        (Operation::Gradient, [along, across, rest @ ..]) => {
            let used = Access::dimensions(geometry);
            for (step, from) in [(along, REST), (across, REST + 3)] {
                let Operand::Vector(given) = step else {
                    return Err("gradients in braces are needed".to_owned());
                };
                check_vector(given.len(), used, "gradients")?;
                for (slot, operand) in list[from..].iter_mut().zip(given).take(used) {
                    *slot = lower.source(operand, 4, Type::F32)?;
                }
            }
            rest
        }
        (Operation::Level | Operation::Gradient, _) => {
            return Err("a level or two gradients are needed".to_owned());
        }
        (_, rest) => rest,
    };
    match rest {
        [] => {}
        [Operand::Vector(offsets)] if !matches!(geometry, Geometry::Cube | Geometry::Cubes) => {
            let used = Access::dimensions(geometry);
            check_vector(offsets.len(), used, "offsets")?;
            for (slot, operand) in list[OFFSETS..].iter_mut().zip(offsets).take(used) {
                *slot = lower.source(operand, 4, Type::S32)?;
            }
        }
        [Operand::Vector(_)] => return Err("cube textures take no offsets".to_owned()),
        _ => return Err("depth comparisons are not supported".to_owned()),
    }
    let access = Access {
        operation,
        geometry,
        by_index,
        integers,
        outside: Outside::Zero,
        count,
        bytes: 4,
        register,
        halves,
    };
    push(lower, instruction, object, list, access, fetch)
}

/// `suld.b d, [object, {..}]`, `sust.b [object, {..}], a`
pub(crate) fn surface_access<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let geometry = geometry(form)?;
    let (data, place, operation) = match (instruction.mnemonic, &instruction.operands[..]) {
        ("suld", [data, place]) => (data, place, Operation::Load),
        ("sust", [place, data]) => (data, place, Operation::Store),
        _ => return Err("a surface with coordinates, and registers, are needed".to_owned()),
    };
    let Operand::Tensor { map, coordinates } = place else {
        return Err("a surface and coordinates, `[surface, {..}]`, are needed".to_owned());
    };
    let mut list = vec![NONE; REST];
    let object = lower.object(map)?;
    lower.place(coordinates, geometry, Type::S32, &mut list)?;
    let count = if form.has("v4") { 4 } else { 1 + u32::from(form.has("v2")) };
    let bytes = form.ty().size();
    if bytes * count > 16 {
        return Err("a surface's access has at most 16 bytes".to_owned());
    }
    let parts = parts(data, count)?;
    let sizes = parts.iter().find_map(|part| match part {
        Operand::Name { name, .. } => lower.register(name).ok().map(|(ty, _)| register_bytes(ty)),
        _ => None,
    });
    let register = sizes.unwrap_or(bytes.max(2));
    if register < bytes {
        return Err(format!("registers of {} bits are too small for this access", register * 8));
    }
    for (slot, operand) in list[DATA..].iter_mut().zip(parts) {
        *slot = match operation {
            Operation::Store => lower.source(operand, register, form.ty())?,
            _ => lower.destination(operand, register)?,
        };
    }
    let outside = match () {
        () if form.has("clamp") => Outside::Clamp,
        () if form.has("zero") => Outside::Zero,
        () => Outside::Trap,
    };
    let (by_index, integers, halves) = (true, true, Halves::None);
    let access =
        Access { operation, geometry, by_index, integers, outside, count, bytes, register, halves };
    push(lower, instruction, object, list, access, surface)
}

fn push<'a>(
    lower: &mut Lower<'_, 'a>,
    instruction: &'a Instruction<'a>,
    object: u32,
    list: Vec<u32>,
    access: Access,
    exec: Exec,
) -> Lowered<()> {
    let (guard, x) = (lower.guard(instruction)?, lower.list(list));
    let (a, imm) = (object, access.pack());
    lower.push(Inst { guard, a, x, imm, ..Lower::blank(exec) }, Leave::Next);
    Ok(())
}

/// `txq d, [object]{, level}`, `suq d, [object]`
pub(crate) fn texture_query<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let (to, from, level) = match &instruction.operands[..] {
        [to, from] if !form.has("level") => (to, from, None),
        [to, from, level] if form.has("level") => (to, from, Some(level)),
        _ => return Err("a register, an object and, with `.level`, a level are needed".to_owned()),
    };
    let asked = form.words().iter().find_map(|&word| {
        Some(match word {
            "width" => Query::Width,
            "height" => Query::Height,
            "depth" => Query::Depth,
            "array_size" => Query::Layers,
            "num_mipmap_levels" => Query::Levels,
            "normalized_coords" => Query::Normalized,
            _ => return None,
        })
    });
    let imm = asked.ok_or("the query is missing")? as i64;
    let a = lower.object(from)?;
    let b = match level {
        Some(level) => lower.source(level, 4, Type::U32)?,
        None => NONE,
    };
    let (guard, d) = (lower.guard(instruction)?, lower.destination(to, 4)?);
    lower.push(Inst { guard, d, a, b, imm, ..Lower::blank(query) }, Leave::Next);
    Ok(())
}
