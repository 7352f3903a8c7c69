//! Fragments of `wmma` (PTX ISA, section 9.7.14.4) in memory: `wmma.load`, `wmma.store`.
//!
//! Which lane holds which element is nobody's business but the device's. Here it is what makes a `wmma.mma` a
//! few `mma.sync` of some of its registers: A has the rows of A in the layout of [`super::fragment`], B the
//! columns of B, and sums the layout of `mma`, 8 columns after 8 columns.

use crate::exec::context::{Context, Flow};
use crate::exec::fault::FaultKind;
use crate::exec::ops::memory::Mode;
use crate::exec::ops::span;
use crate::exec::program::Inst;
use crate::memory::Span;

/// A fragment: its matrix as lines, which are the rows of A and of the sums, but the columns of B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fragment {
    pub(crate) lines: u32,
    pub(crate) length: u32,
    /// Bits of an element.
    pub(crate) bits: u32,
    /// Whether it holds sums.
    pub(crate) sums: bool,
    /// Whether lines lie side by side in memory, so that an element's neighbour is in the next line.
    pub(crate) across: bool,
    /// How often each element is there: factors of `f16` always have 8 registers.
    pub(crate) copies: u32,
}

impl Fragment {
    /// Bytes of a register.
    pub(crate) fn register(self) -> u32 {
        if self.bits == 64 { 8 } else { 4 }
    }

    /// Elements of a register.
    fn wide(self) -> u32 {
        self.register() * 8 / self.bits
    }

    /// Registers of each copy.
    pub(crate) fn unique(self) -> u32 {
        self.lines * self.length / self.wide() / 32
    }

    /// Line and position of the first element of a register.
    fn first(self, register: u32, lane: u32) -> (u32, u32) {
        let register = register % self.unique();
        let (row, column) = (lane / 4, lane % 4);
        if self.sums && self.wide() == 1 {
            let group = self.lines / 4;
            let (at, group) = (register % group, register / group);
            return (row + at / 2 * 8, group * 8 + column * 2 + at % 2);
        }
        let bands = self.lines / 8;
        let wide = self.wide();
        (row + register % bands * 8, register / bands * 4 * wide + column * wide)
    }

    /// The semantic functions' copy, packed into an instruction.
    pub(crate) fn pack(self) -> u32 {
        self.lines
            | self.length << 8
            | self.bits.trailing_zeros() << 20
            | u32::from(self.sums) << 24
            | u32::from(self.across) << 25
            | self.copies << 26
    }

    fn unpack(bits: u32) -> Fragment {
        Fragment {
            lines: bits & 0xff,
            length: bits >> 8 & 0xfff,
            bits: 1 << (bits >> 20 & 15),
            sums: bits >> 24 & 1 == 1,
            across: bits >> 25 & 1 == 1,
            copies: bits >> 26,
        }
    }

    /// Offset in memory of an element from the start of the matrix, `stride` elements after which the next
    /// line begins, or the next position of all lines.
    fn offset(self, line: u32, position: u32, stride: u32) -> u64 {
        let (outer, inner) = if self.across { (position, line) } else { (line, position) };
        (u64::from(outer) * u64::from(stride) + u64::from(inner)) * u64::from(self.bits) / 8
    }
}

type Fault = (FaultKind, u32);

/// The memory of a fragment, as one instruction sees it.
struct Matrix<'c, 'l> {
    context: &'c mut Context<'l>,
    mode: Mode,
    write: bool,
    /// Where the last access was.
    span: Span,
}

impl Matrix<'_, '_> {
    /// Finds the memory of a lane's access.
    fn check(&mut self, address: u64, size: u32, lane: u32) -> Result<(), Fault> {
        let (space, write) = (self.mode.space, self.write);
        if !address.is_multiple_of(u64::from(size)) {
            return Err((FaultKind::Misaligned { address, size, space, write }, lane));
        }
        if !self.span.holds(address, size.into()) {
            let found = self.context.find(address, size.into(), write);
            self.span = found.ok_or((FaultKind::Access { address, size, space, write }, lane))?;
        }
        let copies = &self.context.block.copies;
        if copies.any()
            && let Some((issue, written)) = copies.meets(address, size.into(), write)
        {
            return Err((FaultKind::Copying { address, size, write, issue, written }, lane));
        }
        if copies.any()
            && let Some(kind) =
                self.context.block.too_early(self.context.warp.index, address, size, write)
        {
            return Err((kind, lane));
        }
        Ok(())
    }

    fn read(&mut self, address: u64, size: u32, lane: u32) -> Result<u64, Fault> {
        self.check(address, size, lane)?;
        // SAFETY: `check` found as many bytes, at a multiple of their number.
        Ok(unsafe {
            match size {
                1 => span::read::<u8>(&self.span, address).into(),
                2 => span::read::<u16>(&self.span, address).into(),
                4 => span::read::<u32>(&self.span, address).into(),
                _ => span::read::<u64>(&self.span, address),
            }
        })
    }

    fn write(&mut self, address: u64, size: u32, lane: u32, value: u64) -> Result<(), Fault> {
        self.check(address, size, lane)?;
        // SAFETY: as in `read`, and the span is writable.
        unsafe {
            match size {
                1 => span::write(&self.span, address, value as u8),
                2 => span::write(&self.span, address, value as u16),
                4 => span::write(&self.span, address, value as u32),
                _ => span::write(&self.span, address, value),
            }
        }
        Ok(())
    }
}

/// Calls `each` with the register, the lane, and the address, size in bytes and first bit of each part of it
/// that lies in one piece of memory.
fn parts(
    context: &mut Context<'_>,
    inst: &Inst,
    write: bool,
    mut each: impl FnMut(&mut Matrix<'_, '_>, u32, u32, (u64, u32, u32)) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let fragment = Fragment::unpack(inst.d);
    let mode = Mode::unpack(inst.c);
    let list = &context.function().lists[inst.x as usize][..];
    let Some((&stride, registers)) = list.split_first() else { return Ok(()) };
    let (starts, strides) = (context.addresses(inst, mode), context.load::<u32>(stride));
    let mut matrix = Matrix { context, mode, write, span: Span::EMPTY };
    let pieces = if fragment.across { fragment.wide() } else { 1 };
    let bits = fragment.register() * 8 / pieces;
    for (index, &register) in registers.iter().enumerate() {
        for lane in 0..32 {
            let (line, position) = fragment.first(index as u32, lane);
            for piece in 0..pieces {
                let offset = fragment.offset(line, position + piece, strides[lane as usize]);
                let address = starts[lane as usize].wrapping_add(offset);
                each(&mut matrix, register, lane, (address, bits / 8, piece * bits))?;
            }
        }
    }
    Ok(())
}

/// `wmma.load r, [p], stride`: list `x` has the stride and the registers, `d` is the fragment, `b` the
/// constant of a full mask.
pub(crate) fn load(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let wide = Fragment::unpack(inst.d).register() == 8;
    context.warp_wide(inst.b, mask, |context| {
        // The address may be in a register that is loaded.
        let mut values = Vec::with_capacity(16 * 32);
        parts(context, inst, false, |matrix, register, lane, (address, size, bit)| {
            let value = matrix.read(address, size, lane)? << bit;
            match values.last_mut() {
                Some((_, _, word)) if bit > 0 => *word |= value,
                _ => values.push((register, lane, value)),
            }
            Ok(())
        })?;
        for (register, lane, value) in values {
            match wide {
                true => context.set(register, lane, value),
                false => context.set(register, lane, value as u32),
            }
        }
        Ok(())
    })
}

/// `wmma.store [p], r, stride`, as [`load`].
pub(crate) fn store(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let wide = Fragment::unpack(inst.d).register() == 8;
    context.warp_wide(inst.b, mask, |context| {
        parts(context, inst, true, |matrix, register, lane, (address, size, bit)| {
            let value = match wide {
                true => matrix.context.get::<u64>(register, lane),
                false => matrix.context.get::<u32>(register, lane).into(),
            };
            matrix.write(address, size, lane, value >> bit)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_element_has_one_place() {
        for (lines, length, bits, sums) in [
            (16, 16, 16, false),
            (32, 16, 16, false),
            (8, 16, 8, false),
            (32, 16, 8, false),
            (16, 8, 32, false),
            (8, 4, 64, false),
            (8, 32, 4, false),
            (8, 128, 1, false),
            (16, 16, 32, true),
            (8, 32, 32, true),
            (32, 8, 16, true),
            (8, 8, 64, true),
        ] {
            let fragment = Fragment { lines, length, bits, sums, across: false, copies: 1 };
            assert_eq!(Fragment::unpack(fragment.pack()), fragment);
            let mut seen = vec![0; (lines * length) as usize];
            for register in 0..fragment.unique() {
                for lane in 0..32 {
                    let (line, position) = fragment.first(register, lane);
                    for part in 0..fragment.wide() {
                        seen[(line * length + position + part) as usize] += 1;
                    }
                }
            }
            assert!(seen.iter().all(|&count| count == 1), "{fragment:?}: {seen:?}");
        }
    }
}
