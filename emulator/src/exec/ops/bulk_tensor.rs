//! Asynchronous copies of tiles of tensors (PTX ISA, "Data Movement and Conversion Instructions:
//! cp.async.bulk.tensor").

use super::atomic;
use super::copy::{space_of, start};
use super::memory::Addresses;
use crate::exec::cluster::in_block;
use crate::exec::context::{Context, Flow};
use crate::exec::copies::{Copy, Family};
use crate::exec::fault::FaultKind;
use crate::exec::program::{Inst, NONE};
use crate::exec::tensor_map::{ALIGNMENT, Conversion, DIMENSIONS, Mode, SIZE, TensorMap, Words};
use crate::exec::tile::{Run, Tile};
use crate::memory::{LOCAL_WINDOW, Span, WINDOW_SIZE, relaxed};
use crate::ptx::types::{Space, Type};

/// Alignment of tiles in shared memory.
const TILE: u32 = 128;
/// Bytes of a unit that swizzling moves as a whole.
const UNIT: u32 = 16;

/// Where an instruction's operands are in its list; coordinates follow, and then offsets.
pub(crate) const MAP: usize = 0;
pub(crate) const SHARED: usize = 1;
pub(crate) const BARRIER: usize = 2;
pub(crate) const RANKS: usize = 3;
pub(crate) const COORDINATES: usize = 4;

/// The operations of reductions, by their numbers.
pub(crate) const OPERATIONS: [&str; 8] = ["add", "min", "max", "inc", "dec", "and", "or", "xor"];

/// The types that each of them takes, as tried on an H200: others are illegal instructions there.
fn takes(operation: &str, ty: Type) -> bool {
    use Type::*;
    let types: &[Type] = match operation {
        "add" => &[U32, S32, U64, F32, F64, F16, Bf16],
        "min" | "max" => &[U32, S32, U64, S64, F16, Bf16],
        "inc" | "dec" => &[U32],
        _ => &[U32, S32, U64],
    };
    types.contains(&ty)
}

/// What an instruction is, besides its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) rank: usize,
    /// `.im2col` and `.im2col_no_offs`
    pub(crate) is_im2col: bool,
    /// Index into [`OPERATIONS`].
    pub(crate) operation: Option<usize>,
}

impl Shape {
    pub(crate) fn pack(self) -> i64 {
        let operation = self.operation.map_or(0, |index| index as i64 + 1);
        self.rank as i64 | i64::from(self.is_im2col) << 4 | operation << 8
    }

    fn unpack(bits: i64) -> Shape {
        let operation = (bits >> 8).checked_sub(1).filter(|&index| index >= 0);
        Shape {
            rank: (bits & 15) as usize,
            is_im2col: bits >> 4 & 1 == 1,
            operation: operation.map(|index| index as usize),
        }
    }
}

/// The operands in one lane.
struct Lane {
    map: TensorMap,
    shared: u64,
    at: [i32; DIMENSIONS],
    offsets: [u16; 3],
}

impl Context<'_> {
    /// The tensor map at a generic address.
    fn tensor_map(&mut self, address: u64, shape: Shape) -> Result<TensorMap, FaultKind> {
        let (size, write) = (SIZE as u32, false);
        if address.wrapping_sub(LOCAL_WINDOW) < WINDOW_SIZE {
            return Err(FaultKind::TensorMap(
                "a tensor map in local memory: it must be a parameter of the kernel, or in constant or global \
                 memory. Its address was taken of a copy"
                    .to_owned(),
            ));
        }
        let space = space_of(address);
        if space == Space::Shared {
            let text = "a tensor map in shared memory, where the hardware can't read it";
            return Err(FaultKind::TensorMap(text.to_owned()));
        }
        if !address.is_multiple_of(ALIGNMENT) {
            let size = ALIGNMENT as u32;
            return Err(FaultKind::Misaligned { address, size, space, write });
        }
        let span = self.block.find(self.launch, address, SIZE as u64, write);
        let span = span.ok_or(FaultKind::Access { address, size, space, write })?;
        let mut words: Words = [0; SIZE / 8];
        let from = span.data.wrapping_add((address - span.base) as usize);
        // SAFETY: the span has as many bytes.
        unsafe { relaxed::copy(words.as_mut_ptr().cast(), from, SIZE) };
        let map = TensorMap::decode(&words).ok_or_else(|| {
            let text = "the bytes are not a tensor map: `cuTensorMapEncodeTiled` and `cuTensorMapEncodeIm2col` make them";
            FaultKind::TensorMap(text.to_owned())
        })?;
        if map.rank != shape.rank {
            return Err(FaultKind::TensorMap(format!(
                "the tensor map has {} dimensions, the instruction {}",
                map.rank, shape.rank
            )));
        }
        if matches!(map.mode, Mode::Im2col { .. }) != shape.is_im2col {
            let text =
                "the instruction's mode, tiles or columns of images, is not the tensor map's";
            return Err(FaultKind::TensorMap(text.to_owned()));
        }
        match map.broken_interleave() {
            Some(text) => Err(FaultKind::TensorMap(text.to_owned())),
            None => Ok(map),
        }
    }

    /// The operands of a lane, with the map's checks.
    fn tensor_operands(&mut self, inst: &Inst, lane: u32) -> Result<Lane, FaultKind> {
        let shape = Shape::unpack(inst.imm);
        let list = self.function().lists[inst.x as usize].clone();
        let map = self.get::<u64>(list[MAP], lane);
        let map = self.tensor_map(map, shape)?;
        let shared = if list[SHARED] == NONE { 0 } else { self.get::<u64>(list[SHARED], lane) };
        let (mut at, mut offsets) = ([0; DIMENSIONS], [0; 3]);
        let (coordinates, rest) = list[COORDINATES..].split_at(shape.rank);
        for (to, &from) in at.iter_mut().zip(coordinates) {
            *to = self.get::<u32>(from, lane) as i32;
        }
        // Seen on an H200, where it is an illegal instruction. Interleaved layouts count columns there, which may be any.
        let size = map.strides[0] as i64;
        if map.slice == 0 && (i64::from(at[0]) * size) % i64::from(UNIT) != 0 {
            return Err(FaultKind::TensorMap(format!(
                "an illegal instruction: along the innermost dimension, a tile must begin at a multiple of {UNIT} \
                 bytes, not at element {} of {size} bytes",
                at[0]
            )));
        }
        for (to, &from) in offsets.iter_mut().zip(rest) {
            *to = self.get::<u16>(from, lane);
        }
        Ok(Lane { map, shared, at, offsets })
    }

    /// The parts of a tile that the tensor has. `address` is that of the tile in shared memory.
    fn tile_runs(&mut self, lane: &Lane, address: u64, write: bool) -> Result<Vec<Run>, FaultKind> {
        let (map, mut runs, mut fault) = (&lane.map, Vec::new(), None);
        let mut known = Span::EMPTY;
        let is_swizzled = map.swizzle > UNIT;
        map.runs(lane.at, lane.offsets, |offset, from, bytes| {
            if !known.holds(from, bytes.into()) {
                match self.block.find(self.launch, from, bytes.into(), write) {
                    Some(span) => known = span,
                    None => {
                        let (address, size, space) = (from, bytes, Space::Global);
                        fault = Some(FaultKind::Access { address, size, space, write });
                        return;
                    }
                }
            }
            let place = known.data.wrapping_add((from - known.base) as usize);
            if !is_swizzled {
                runs.push(Run { offset, place, bytes });
                return;
            }
            let mut done = 0;
            while done < bytes {
                let plain = address + u64::from(offset + done);
                let part = (UNIT - plain as u32 % UNIT).min(bytes - done);
                let offset = (map.swizzled(plain) - address) as u32;
                runs.push(Run { offset, place: place.wrapping_add(done as usize), bytes: part });
                done += part;
            }
        });
        fault.map_or(Ok(runs), Err)
    }

    /// The memory of a tile in shared memory.
    fn tile_span(&mut self, address: u64, bytes: u32, write: bool) -> Result<Span, FaultKind> {
        let space = space_of(address);
        if !address.is_multiple_of(TILE.into()) {
            return Err(FaultKind::Misaligned { address, size: TILE, space, write });
        }
        let span = self.block.find(self.launch, address, bytes.into(), write);
        span.filter(|_| space == Space::Shared).ok_or(FaultKind::Access {
            address,
            size: bytes,
            space,
            write,
        })
    }
}

/// Bytes that a tile takes in shared memory: rows narrower than a swizzle's may be moved past their end.
fn room(map: &TensorMap) -> u32 {
    map.bytes().next_multiple_of(map.swizzle)
}

/// To shared memory.
pub(crate) fn load(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let list = &context.function().lists[inst.x as usize];
    let (barrier, ranks) = (list[BARRIER], list[RANKS]);
    let barriers: Addresses = context.load(barrier);
    let ranks = (ranks != NONE).then(|| context.load::<u16>(ranks));
    let mut copies = Vec::new();
    let flow = context.each_lane(mask, |context, lane| {
        let operands = context.tensor_operands(inst, lane)?;
        let mut copy = |context: &mut Context<'_>, to: u64, barrier: u64| {
            let bytes = operands.map.bytes();
            let span = context.tile_span(to, room(&operands.map), true)?;
            let family = context.completing(to, barrier)?;
            let runs = context.tile_runs(&operands, to, false)?;
            let (fills_nan, conversion) = (operands.map.fills_nan, operands.map.conversion());
            let tile = Tile { is_loaded: true, runs, fills_nan, conversion, update: None };
            let copy = Copy {
                from: span,
                from_address: to,
                to: span,
                to_address: to,
                bytes,
                filled: 0,
                family,
                tile: Some(Box::new(tile)),
                held: None,
            };
            copies.push((lane, copy));
            Ok(())
        };
        let (to, barrier) = (operands.shared, barriers[lane as usize]);
        match ranks {
            None => copy(context, to, barrier),
            Some(ranks) => (0..16)
                .filter(|rank| ranks[lane as usize] >> rank & 1 == 1)
                .try_for_each(|rank| copy(context, in_block(to, rank), in_block(barrier, rank))),
        }
    });
    if flow == Flow::Stop { flow } else { start(context, copies, mask) }
}

/// From shared memory: stores and reductions.
pub(crate) fn store(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let operation = Shape::unpack(inst.imm).operation.map(|index| OPERATIONS[index]);
    let mut copies = Vec::new();
    let flow = context.each_lane(mask, |context, lane| {
        let mut operands = context.tensor_operands(inst, lane)?;
        let (from, ty) = (operands.shared, operands.map.ty());
        // Seen on an H200, too.
        if let Some(&at) = operands.at.iter().find(|&&at| at < 0) {
            return Err(FaultKind::TensorMap(format!(
                "an illegal instruction: a tile can't be stored at the negative coordinate {at}"
            )));
        }
        // Whole units are stored, also over the end of a row (seen on an H200). Slices are whole units.
        if operands.map.slice == 0 {
            let (size, row) = (u64::from(ty.size()), &mut operands.map.sizes[0]);
            *row = (*row * size).next_multiple_of(UNIT.into()) / size;
        }
        let update = match operation {
            None => None,
            Some(name) => Some((
                ty.size(),
                atomic::update(name, ty).filter(|_| takes(name, ty)).ok_or_else(|| {
                    FaultKind::TensorMap(format!(
                        "there is no reduction `{name}` of the tensor map's type {ty:?}"
                    ))
                })?,
            )),
        };
        let bytes = operands.map.bytes();
        let span = context.tile_span(from, room(&operands.map), false)?;
        let runs = context.tile_runs(&operands, from, true)?;
        let conversion = Conversion::default();
        let tile = Tile { is_loaded: false, runs, fills_nan: false, conversion, update };
        let copy = Copy {
            from: span,
            from_address: from,
            to: span,
            // Not in shared memory: nothing is written there.
            to_address: operands.map.address,
            bytes,
            filled: bytes,
            family: Family::Bulk,
            tile: Some(Box::new(tile)),
            held: None,
        };
        copies.push((lane, copy));
        Ok(())
    });
    if flow == Flow::Stop { flow } else { start(context, copies, mask) }
}

/// There are no caches, but the map is checked.
pub(crate) fn prefetch(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    context.each_lane(mask, |context, lane| context.tensor_operands(inst, lane).map(|_| ()))
}
