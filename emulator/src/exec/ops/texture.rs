//! Textures and surfaces (PTX ISA, "Texture Instructions" and "Surface Instructions"), of which the operand is the
//! number of an object.

use super::rounding::{Round, to_f16};
use crate::exec::context::{Context, Flow};
use crate::exec::fault::FaultKind;
use crate::exec::program::{Inst, NONE};
use crate::exec::texture::sample::{Place, Texture};
use crate::exec::texture::{Geometry, Image, Object, find};
use crate::memory::Span;
use crate::memory::relaxed::Element;
use std::sync::Arc;

/// What an instruction does with a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Fetch,
    /// `.level`
    Level,
    /// `.grad`
    Gradient,
    /// `tld4`, of this channel
    Gather(u8),
    /// `suld`
    Load,
    /// `sust`
    Store,
}

/// What happens outside of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outside {
    Trap,
    Clamp,
    Zero,
}

/// What a query asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Query {
    Width,
    Height,
    Depth,
    Layers,
    Levels,
    Normalized,
}

/// An instruction, besides its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    pub(crate) operation: Operation,
    pub(crate) geometry: Geometry,
    /// Coordinates are integers.
    pub(crate) by_index: bool,
    /// The result's type is an integer.
    pub(crate) integers: bool,
    pub(crate) outside: Outside,
    /// Elements of a surface's access, and the bytes of each.
    pub(crate) count: u32,
    pub(crate) bytes: u32,
    /// Bytes of a register of its data.
    pub(crate) register: u32,
    /// A fetch gives halves: one in a register, or a pair.
    pub(crate) halves: Halves,
}

/// What becomes of the four numbers that a fetch gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halves {
    None,
    /// `.f16`
    Single,
    /// `.f16x2`
    Pairs,
}

const GEOMETRIES: [Geometry; 7] = [
    Geometry::One,
    Geometry::Two,
    Geometry::Three,
    Geometry::Layers1,
    Geometry::Layers2,
    Geometry::Cube,
    Geometry::Cubes,
];

impl Access {
    /// Coordinates besides the layer.
    pub(crate) fn dimensions(geometry: Geometry) -> usize {
        match geometry {
            Geometry::Buffer | Geometry::One | Geometry::Layers1 => 1,
            Geometry::Two | Geometry::Layers2 => 2,
            Geometry::Three | Geometry::Cube | Geometry::Cubes => 3,
        }
    }

    pub(crate) fn pack(self) -> i64 {
        let operation = match self.operation {
            Operation::Fetch => 0,
            Operation::Level => 1,
            Operation::Gradient => 2,
            Operation::Load => 3,
            Operation::Store => 4,
            Operation::Gather(channel) => 8 + i64::from(channel),
        };
        let geometry = GEOMETRIES.iter().position(|&geometry| geometry == self.geometry);
        operation
            | (geometry.unwrap_or(0) as i64) << 8
            | i64::from(self.by_index) << 16
            | i64::from(self.integers) << 17
            | (self.outside as i64) << 18
            | i64::from(self.count) << 24
            | i64::from(self.bytes) << 32
            | i64::from(self.register) << 40
            | (self.halves as i64) << 48
    }

    fn unpack(bits: i64) -> Access {
        Access {
            operation: match bits & 15 {
                0 => Operation::Fetch,
                1 => Operation::Level,
                2 => Operation::Gradient,
                3 => Operation::Load,
                4 => Operation::Store,
                channel => Operation::Gather(channel as u8 & 3),
            },
            geometry: GEOMETRIES[(bits >> 8 & 7) as usize],
            by_index: bits >> 16 & 1 == 1,
            integers: bits >> 17 & 1 == 1,
            outside: match bits >> 18 & 3 {
                0 => Outside::Trap,
                1 => Outside::Clamp,
                _ => Outside::Zero,
            },
            count: (bits >> 24 & 15) as u32,
            bytes: (bits >> 32 & 31) as u32,
            register: (bits >> 40 & 31) as u32,
            halves: match bits >> 48 & 3 {
                0 => Halves::None,
                1 => Halves::Single,
                _ => Halves::Pairs,
            },
        }
    }
}

/// Where operands are in an instruction's list: the layer or `NONE`, three coordinates, four registers of data, then
/// the level or two distances of three, three offsets, and the predicate that says whether the texels are there.
pub(crate) const LAYER: usize = 0;
pub(crate) const COORDINATES: usize = 1;
pub(crate) const DATA: usize = 4;
pub(crate) const REST: usize = 8;
pub(crate) const OFFSETS: usize = 14;
pub(crate) const RESIDENT: usize = 17;
/// How many operands there are.
pub(crate) const OPERANDS: usize = 18;

/// Offsets of coordinates, in texels.
const NEAR: std::ops::RangeInclusive<i32> = -8..=7;

fn wrong(text: String) -> FaultKind {
    FaultKind::Texture(text)
}

impl Context<'_> {
    /// The object of a number, with its memory. `known` is the last one that was asked for.
    fn object(
        &mut self,
        number: u64,
        known: &mut Option<(u64, Arc<Object>, Span)>,
    ) -> Result<(Arc<Object>, Span), FaultKind> {
        if let Some((last, object, span)) = known
            && *last == number
        {
            return Ok((object.clone(), *span));
        }
        let object =
            find(number).map_err(|what| wrong(format!("the object {number:#x} {what}")))?;
        if object.device != self.launch.device {
            let (own, other) = (self.launch.device, object.device);
            return Err(wrong(format!("the object {number:#x} is of device {other}, not {own}")));
        }
        let image = &object.image;
        let span = self.block.find(self.launch, image.address, image.bytes(), false);
        let span = span.ok_or_else(|| {
            let what = self.launch.memory.describe(image.address, image.bytes());
            wrong(format!("the memory of the object {number:#x} was freed: {what}"))
        })?;
        *known = Some((number, object.clone(), span));
        Ok((object, span))
    }

    /// The offsets of the coordinates.
    fn offset(&self, list: &[u32], lane: u32) -> Result<[i32; 3], FaultKind> {
        let mut offset = [0; 3];
        for (to, &slot) in offset.iter_mut().zip(&list[OFFSETS..RESIDENT]) {
            if slot == NONE {
                continue;
            }
            *to = self.get::<u32>(slot, lane) as i32;
            if !NEAR.contains(to) {
                return Err(wrong(format!("an offset of {to} texels: it must be from -8 to 7")));
            }
        }
        Ok(offset)
    }

    /// Three coordinates, as bits, and the layer.
    fn place(&self, list: &[u32], lane: u32) -> ([u32; 3], u32) {
        let get = |slot: u32| if slot == NONE { 0 } else { self.get::<u32>(slot, lane) };
        let mut at = [0; 3];
        for (to, &from) in at.iter_mut().zip(&list[COORDINATES..]) {
            *to = get(from);
        }
        (at, get(list[LAYER]))
    }
}

/// An error unless the object has the instruction's dimensions.
fn check_geometry(image: &Image, access: &Access) -> Result<(), FaultKind> {
    let fits = match image.geometry {
        Geometry::Buffer => access.geometry == Geometry::One,
        geometry => access.geometry == geometry,
    };
    if fits {
        return Ok(());
    }
    let (has, wants) = (image.geometry.name(), access.geometry.name());
    Err(wrong(format!("the texture is {has}, and the instruction reads {wants}")))
}

/// `tex`, `tld4`
pub(crate) fn fetch(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let access = Access::unpack(inst.imm);
    let list = context.function().lists[inst.x as usize].clone();
    let mut known = None;
    context.each_lane(mask, |context, lane| {
        let number = context.get::<u64>(inst.a, lane);
        let (object, span) = context.object(number, &mut known)?;
        let Some(sampler) = &object.sampler else {
            return Err(wrong(format!("the object {number:#x} is a surface, not a texture")));
        };
        check_geometry(&object.image, &access)?;
        let texture = Texture { image: &object.image, sampler, span };
        if texture.gives_integers() != access.integers {
            let (gives, wants) = match access.integers {
                true => ("floats", "integers"),
                false => ("integers", "floats"),
            };
            return Err(wrong(format!(
                "the texture gives {gives}, and the instruction takes {wants}"
            )));
        }
        if object.image.geometry == Geometry::Buffer && !access.by_index {
            let text = "a texture of device memory is read by texel index, of type `.s32`";
            return Err(wrong(text.to_owned()));
        }
        let (bits, layer) = context.place(&list, lane);
        let offset = context.offset(&list, lane)?;
        let place = Place { at: bits.map(f32::from_bits), layer, offset };
        let three = |context: &Context<'_>, from: usize| {
            let mut out = [0.0; 3];
            for (to, &slot) in out.iter_mut().zip(&list[from..]) {
                *to = if slot == NONE { 0.0 } else { context.get::<f32>(slot, lane) };
            }
            out
        };
        let texel = match access.operation {
            _ if access.by_index => {
                if sampler.is_normalized {
                    let text = "integer coordinates for a texture with normalised coordinates";
                    return Err(wrong(text.to_owned()));
                }
                let at = std::array::from_fn(|axis| (bits[axis] as i32).wrapping_add(offset[axis]));
                texture.element(at, layer)
            }
            Operation::Level => texture.fetch(place, context.get::<f32>(list[REST], lane)),
            Operation::Gradient => {
                let detail = texture.detail(three(context, REST), three(context, REST + 3));
                texture.fetch(place, detail)
            }
            Operation::Gather(channel) => texture.gather(place, channel.into()),
            _ => texture.fetch(place, 0.0),
        };
        let half = |bits: u32| u32::from(to_f16(f32::from_bits(bits).into(), Round::Nearest));
        for (index, &to) in list[DATA..REST].iter().enumerate().filter(|&(_, &to)| to != NONE) {
            match access.halves {
                Halves::None => context.set::<u32>(to, lane, texel[index]),
                Halves::Single => context.set::<u16>(to, lane, half(texel[index]) as u16),
                Halves::Pairs => {
                    let [low, high] = [0, 1].map(|part| half(texel[(2 * index + part) & 3]));
                    context.set::<u32>(to, lane, low | high << 16);
                }
            }
        }
        // All memory is there.
        if list[RESIDENT] != NONE {
            context.set_predicate(list[RESIDENT], 1 << lane, u32::MAX);
        }
        Ok(())
    })
}

/// `suld`, `sust`
pub(crate) fn surface(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let access = Access::unpack(inst.imm);
    let list = context.function().lists[inst.x as usize].clone();
    let is_store = access.operation == Operation::Store;
    let mut known = None;
    context.each_lane(mask, |context, lane| {
        let number = context.get::<u64>(inst.a, lane);
        let (object, span) = context.object(number, &mut known)?;
        if object.sampler.is_some() {
            return Err(wrong(format!("the object {number:#x} is a texture, not a surface")));
        }
        let level = &object.image.levels[0];
        // A surface of faces is one of layers.
        let geometry = match object.image.geometry {
            Geometry::Cube | Geometry::Cubes => Geometry::Layers2,
            geometry => geometry,
        };
        check_geometry(&Image { geometry, ..object.image.clone() }, &access)?;
        let (mut at, layer) = context.place(&list, lane);
        if geometry.is_layered() {
            at[2] = layer;
        }
        let bytes = access.bytes * access.count;
        if !at[0].is_multiple_of(bytes) {
            return Err(wrong(format!(
                "a surface's access of {bytes} bytes at byte {} of a row, which is not a multiple of {bytes}",
                at[0]
            )));
        }
        let width = level.size[0] * object.image.format.bytes();
        let limits = [width.saturating_sub(bytes - 1), level.size[1], level.size[2]];
        let is_inside = at.iter().zip(limits).all(|(&at, limit)| at < limit);
        if !is_inside && access.outside == Outside::Trap {
            let [x, y, z] = at.map(|at| at as i32);
            let [_, height, depth] = level.size;
            return Err(wrong(format!(
                "a surface's access at byte {x} of row {y} of layer or plane {z}: it has {width} bytes, {height} \
                 rows, {depth} layers or planes"
            )));
        }
        if !is_inside && access.outside == Outside::Clamp {
            let last = [width / bytes * bytes - bytes, level.size[1] - 1, level.size[2] - 1];
            for (at, last) in at.iter_mut().zip(last) {
                *at = (*at as i32).clamp(0, last as i32) as u32;
            }
        }
        let is_there = is_inside || access.outside == Outside::Clamp;
        // A store to a part of a sparse array without memory does nothing.
        let texel = [at[0] / object.image.format.bytes(), at[1], at[2]];
        let has_memory = !is_store || !is_there || object.image.is_mapped(texel);
        let [x, y, z] = at.map(u64::from);
        let from = object.image.address
            + level.offset
            + (z * u64::from(level.size[1]) + y) * level.pitch
            + x;
        let data = span.data.wrapping_add((from - span.base) as usize);
        for (index, &slot) in list[DATA..].iter().enumerate().take(access.count as usize) {
            let place = data.wrapping_add(index * access.bytes as usize);
            if is_store {
                if is_there && has_memory {
                    // SAFETY: inside of the image, which the span holds.
                    unsafe { store(context, access, slot, lane, place) };
                }
                continue;
            }
            // SAFETY: as above.
            let value = if is_there { unsafe { load(access.bytes, place) } } else { 0 };
            match (slot, access.register) {
                (NONE, _) => {}
                (slot, 2) => context.set::<u16>(slot, lane, value as u16),
                (slot, 4) => context.set::<u32>(slot, lane, value as u32),
                (slot, _) => context.set::<u64>(slot, lane, value),
            }
        }
        Ok(())
    })
}

/// A value of so many bytes.
///
/// # Safety
/// It lies in the device's memory, aligned.
unsafe fn load(bytes: u32, from: *const u8) -> u64 {
    // SAFETY: promised by the caller.
    unsafe {
        match bytes {
            1 => u8::read(from).into(),
            2 => u16::read(from).into(),
            4 => u32::read(from).into(),
            _ => u64::read(from),
        }
    }
}

/// A register's value.
///
/// # Safety
/// As [`load`].
unsafe fn store(context: &Context<'_>, access: Access, slot: u32, lane: u32, to: *mut u8) {
    let value = match access.register {
        2 => context.get::<u16>(slot, lane).into(),
        4 => context.get::<u32>(slot, lane).into(),
        _ => context.get::<u64>(slot, lane),
    };
    // SAFETY: promised by the caller.
    unsafe {
        match access.bytes {
            1 => (value as u8).write(to),
            2 => (value as u16).write(to),
            4 => (value as u32).write(to),
            _ => value.write(to),
        }
    }
}

/// `txq`, `suq`: the object in `a`, a level in `b` or `NONE`, the query in `imm`.
pub(crate) fn query(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let mut known = None;
    context.each_lane(mask, |context, lane| {
        let number = context.get::<u64>(inst.a, lane);
        let (object, _) = context.object(number, &mut known)?;
        let level = if inst.b == NONE { 0 } else { context.get::<u32>(inst.b, lane) };
        let levels = &object.image.levels;
        let size = levels.get(level as usize).map_or([0; 3], |level| level.size);
        let geometry = object.image.geometry;
        let faces = if matches!(geometry, Geometry::Cube | Geometry::Cubes) { 6 } else { 1 };
        let is_volume = geometry == Geometry::Three;
        let answer = match inst.imm {
            x if x == Query::Width as i64 => size[0],
            x if x == Query::Height as i64 => size[1],
            x if x == Query::Depth as i64 => u32::from(is_volume) * size[2],
            x if x == Query::Layers as i64 => u32::from(geometry.is_layered()) * size[2] / faces,
            x if x == Query::Levels as i64 => levels.len() as u32,
            _ => object.sampler.is_some_and(|sampler| sampler.is_normalized).into(),
        };
        context.set::<u32>(inst.d, lane, answer);
        Ok(())
    })
}
