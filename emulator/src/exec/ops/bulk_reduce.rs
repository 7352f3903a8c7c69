//! Copies in bulk that combine with what is there, and stores of single values that tell an mbarrier (PTX ISA,
//! `cp.reduce.async.bulk`, `st.async`, `red.async`).

use super::atomic::{Update, update};
use super::bulk_tensor::OPERATIONS;
use super::copy::{BULK, Request, space_of, start};
use super::memory::Addresses;
use crate::exec::context::{Context, Flow};
use crate::exec::copies::{Copy, Family};
use crate::exec::fault::FaultKind;
use crate::exec::program::{Inst, NONE};
use crate::exec::tensor_map::Conversion;
use crate::exec::tile::{Run, Tile};
use crate::memory::Span;
use crate::ptx::types::Type::{self, *};

/// The types of elements, by their numbers.
pub(crate) const TYPES: [Type; 10] = [U32, S32, B32, U64, S64, B64, F16, Bf16, F32, F64];

/// Where an instruction's operands are in its list; the registers of a value follow.
pub(crate) const TO: usize = 0;
pub(crate) const FROM: usize = 1;
pub(crate) const BYTES: usize = 2;
pub(crate) const BARRIER: usize = 3;
pub(crate) const VALUES: usize = 4;

/// What an instruction is, besides its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Index into [`OPERATIONS`]; none for a store.
    pub(crate) operation: Option<usize>,
    /// Index into [`TYPES`].
    pub(crate) ty: usize,
}

impl Shape {
    /// `None` if there is no such reduction.
    pub(crate) fn of(operation: Option<&str>, ty: Type) -> Option<Shape> {
        let ty = TYPES.iter().position(|known| *known == ty)?;
        let operation = match operation {
            Some(name) => Some(OPERATIONS.iter().position(|known| *known == name)?),
            None => None,
        };
        let shape = Shape { operation, ty };
        (operation.is_none() || shape.update().is_some()).then_some(shape)
    }

    pub(crate) fn pack(self) -> i64 {
        self.operation.map_or(0, |index| index as i64 + 1) | (self.ty as i64) << 8
    }

    fn unpack(bits: i64) -> Shape {
        let operation = (bits & 0xff).checked_sub(1).filter(|&index| index >= 0);
        Shape { operation: operation.map(|index| index as usize), ty: (bits >> 8) as usize }
    }

    /// What becomes of an element.
    fn update(self) -> Option<Update> {
        let operation = OPERATIONS[self.operation?];
        let is_bits = matches!(operation, "and" | "or" | "xor");
        let ty = match TYPES[self.ty] {
            B32 if is_bits => U32,
            B64 if is_bits => U64,
            B32 | B64 => return None,
            _ if is_bits => return None,
            ty => ty,
        };
        update(operation, ty)
    }

    /// What a copy to an address does to the elements there.
    fn tile(self, to: u64, span: &Span, bytes: u32) -> Option<Box<Tile>> {
        let update = self.update()?;
        let place = span.data.wrapping_add((to - span.base) as usize);
        Some(Box::new(Tile {
            is_loaded: false,
            runs: vec![Run { offset: 0, place, bytes }],
            fills_nan: false,
            conversion: Conversion::default(),
            update: Some((TYPES[self.ty].size(), update)),
        }))
    }
}

/// Whether a copy to the shared memory of a cluster can be: on an H200, bulk copies are illegal instructions in a
/// launch without clusters.
fn in_clusters(context: &Context<'_>) -> Result<(), FaultKind> {
    if context.launch.clustered { Ok(()) } else { Err(FaultKind::NoClusters) }
}

/// `cp.reduce.async.bulk`
pub(crate) fn copy(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let shape = Shape::unpack(inst.imm);
    let list = context.function().lists[inst.x as usize].clone();
    let (to, from): (Addresses, Addresses) = (context.load(list[TO]), context.load(list[FROM]));
    let size = context.load::<u32>(list[BYTES]);
    let barrier: Option<Addresses> = (list[BARRIER] != NONE).then(|| context.load(list[BARRIER]));
    let mut copies = Vec::new();
    let flow = context.each_lane(mask, |context, lane| {
        let at = lane as usize;
        let (to, from, bytes) = (to[at], from[at], size[at]);
        if !bytes.is_multiple_of(BULK) {
            return Err(FaultKind::CopySize(bytes));
        }
        let family = match &barrier {
            None => Family::Bulk,
            Some(barrier) => {
                in_clusters(context)?;
                context.completing(to, barrier[at])?
            }
        };
        let request = Request { to, from, bytes, filled: bytes, align: BULK, family };
        let mut copy = context.checked(request)?;
        copy.tile = shape.tile(to, &copy.to, bytes);
        copies.push((lane, copy));
        Ok(())
    });
    if flow == Flow::Stop { flow } else { start(context, copies, mask) }
}

/// `st.async`, `red.async`
pub(crate) fn store(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let shape = Shape::unpack(inst.imm);
    let list = context.function().lists[inst.x as usize].clone();
    let size = TYPES[shape.ty].size();
    let bytes = size * (list.len() - VALUES) as u32;
    let (to, barrier): (Addresses, Addresses) =
        (context.load(list[TO]), context.load(list[BARRIER]));
    let mut copies = Vec::new();
    let flow = context.each_lane(mask, |context, lane| {
        in_clusters(context)?;
        let (to, barrier) = (to[lane as usize], barrier[lane as usize]);
        let (space, write) = (space_of(to), true);
        if !to.is_multiple_of(bytes.into()) {
            return Err(FaultKind::Misaligned { address: to, size: bytes, space, write });
        }
        let family = context.completing(to, barrier)?;
        let outside = FaultKind::Access { address: to, size: bytes, space, write };
        let span = context.find(to, bytes.into(), write).ok_or(outside)?;
        let mut held = [0u8; 16];
        for (index, &register) in list[VALUES..].iter().enumerate() {
            let place = index * size as usize;
            match size {
                4 => held[place..place + 4]
                    .copy_from_slice(&context.get::<u32>(register, lane).to_le_bytes()),
                _ => held[place..place + 8]
                    .copy_from_slice(&context.get::<u64>(register, lane).to_le_bytes()),
            }
        }
        let words = held.chunks_exact(8).take(bytes.div_ceil(8) as usize);
        let held = words.map(|word| word.iter().rev().fold(0, |all, &b| all << 8 | u64::from(b)));
        let copy = Copy {
            from: span,
            from_address: to,
            to: span,
            to_address: to,
            bytes,
            filled: 0,
            family,
            tile: shape.tile(to, &span, bytes),
            held: Some(held.collect()),
        };
        copies.push((lane, copy));
        Ok(())
    });
    if flow == Flow::Stop { flow } else { start(context, copies, mask) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_packed() {
        for operation in [None, Some("add"), Some("xor")] {
            let shape = Shape::of(operation, B64);
            assert_eq!(shape.is_some(), operation != Some("add"), "{operation:?}");
            if let Some(shape) = shape {
                assert_eq!(Shape::unpack(shape.pack()), shape);
            }
        }
        assert_eq!(Shape::of(Some("inc"), U64), None);
    }
}
