//! Video instructions (PTX ISA, sections 9.7.17 and 9.7.18): arithmetic on a byte or halfword chosen from each
//! operand, or on all four bytes or both halfwords of a pair of operands.

use crate::exec::context::{Context, Flow, for_lanes};
use crate::exec::program::Inst;

/// What is done with two numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
pub(crate) enum Operation {
    Add,
    Subtract,
    Difference,
    Minimum,
    Maximum,
    ShiftLeft,
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Average,
}

use Operation::*;

/// In the order of their numbers.
const OPERATIONS: &[(Operation, &str)] = &[
    (Add, "vadd"),
    (Subtract, "vsub"),
    (Difference, "vabsdiff"),
    (Minimum, "vmin"),
    (Maximum, "vmax"),
    (ShiftLeft, "vshl"),
    (ShiftRight, "vshr"),
    (Equal, "eq"),
    (NotEqual, "ne"),
    (Less, "lt"),
    (AtMost, "le"),
    (Greater, "gt"),
    (AtLeast, "ge"),
    (Average, "vavrg"),
];

impl Operation {
    /// That of an instruction, `vadd` of `vadd4`, or a comparison.
    pub(crate) fn named(name: &str) -> Option<Operation> {
        OPERATIONS.iter().find(|(_, known)| *known == name).map(|&(operation, _)| operation)
    }

    fn apply(self, a: i64, b: i64) -> i64 {
        match self {
            Add => a + b,
            Subtract => a - b,
            Difference => (a - b).abs(),
            Minimum => a.min(b),
            Maximum => a.max(b),
            // A shift's count is at most 32.
            ShiftLeft => a << b,
            ShiftRight => a >> b,
            Equal => (a == b).into(),
            NotEqual => (a != b).into(),
            Less => (a < b).into(),
            AtMost => (a <= b).into(),
            Greater => (a > b).into(),
            AtLeast => (a >= b).into(),
            // Halves are rounded away from zero.
            Average => (a + b + i64::from(a + b >= 0)) >> 1,
        }
    }
}

/// What happens to the result and the third operand.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
pub(crate) enum Second {
    /// There is none, or the parts of the result that are not written come from it.
    Merge,
    Add,
    Minimum,
    Maximum,
}

/// One instruction. Parts are numbered from the lowest; those of both operands of several-part instructions
/// together, first those of the first operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Video {
    pub(crate) operation: Operation,
    pub(crate) second: Second,
    /// Bits of a part of the operands, for one-part instructions of the result.
    pub(crate) bits: [u32; 3],
    /// Whether parts are signed: of both operands, of the result.
    pub(crate) signed: [bool; 3],
    pub(crate) saturate: bool,
    /// Whether a shift's count wraps at 32; else it is at most 32.
    pub(crate) wrap: bool,
    /// Parts that are computed: 1, 2 or 4.
    pub(crate) count: u32,
    /// The part of the first and the second operand for each of them, a nibble each.
    pub(crate) from: [u32; 2],
    /// The parts that are written, a bit each; of one-part instructions the one that is.
    pub(crate) to: u32,
}

impl Video {
    /// The semantic function's copy, as a list.
    pub(crate) fn pack(self) -> Vec<u32> {
        let [a, b, d] = self.signed.map(u32::from);
        let flags = a | b << 1 | d << 2 | u32::from(self.saturate) << 3 | u32::from(self.wrap) << 4;
        let kinds = self.operation as u32 | (self.second as u32) << 8 | self.count << 16;
        let [bits_a, bits_b, bits_d] = self.bits;
        vec![kinds, flags, bits_a, bits_b, bits_d, self.from[0], self.from[1], self.to]
    }

    fn unpack(list: &[u32]) -> Video {
        let flag = |bit: u32| list[1] >> bit & 1 == 1;
        Video {
            operation: OPERATIONS[(list[0] & 0xff) as usize].0,
            second: match list[0] >> 8 & 0xff {
                0 => Second::Merge,
                1 => Second::Add,
                2 => Second::Minimum,
                _ => Second::Maximum,
            },
            bits: [list[2], list[3], list[4]],
            signed: [flag(0), flag(1), flag(2)],
            saturate: flag(3),
            wrap: flag(4),
            count: list[0] >> 16,
            from: [list[5], list[6]],
            to: list[7],
        }
    }

    fn apply(&self, a: i64, b: i64) -> i64 {
        let b = match self.operation {
            ShiftLeft | ShiftRight if self.wrap => b & 31,
            ShiftLeft | ShiftRight => b.clamp(0, 32),
            _ => b,
        };
        let result = self.operation.apply(a, b);
        if !self.saturate {
            return result;
        }
        let bits = self.bits[2];
        match self.signed[2] {
            true => result.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            false => result.clamp(0, (1 << bits) - 1),
        }
    }

    /// The result for one thread.
    fn run(&self, a: u32, b: u32, c: u32) -> u32 {
        let both = u64::from(b) << 32 | u64::from(a);
        let [bits_a, bits_b, bits] = self.bits;
        let mask = u32::MAX >> (32 - bits);
        let mut result = c;
        for index in 0..self.count {
            let part = |operand: usize, bits: u32, source: u64| {
                let at = self.from[operand] >> (4 * index) & 15;
                extract(source >> (at * bits), bits, self.signed[operand])
            };
            let value = match self.count {
                1 => self.apply(part(0, bits_a, a.into()), part(1, bits_b, b.into())),
                _ => self.apply(part(0, bits_a, both), part(1, bits_b, both)),
            };
            let (to, written) = match self.count {
                1 => (self.to, true),
                _ => (index, self.to >> index & 1 == 1),
            };
            let third = extract(c.into(), 32, self.signed[2]);
            result = match self.second {
                _ if !written => result,
                Second::Merge => {
                    result & !(mask << (to * bits)) | (value as u32 & mask) << (to * bits)
                }
                Second::Add => result.wrapping_add(value as u32),
                Second::Minimum => value.min(third) as u32,
                Second::Maximum => value.max(third) as u32,
            };
        }
        result
    }
}

/// A `vmad`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MultiplyAdd {
    /// Bits of the parts of the factors, and which they are.
    pub(crate) bits: [u32; 2],
    pub(crate) from: [u32; 2],
    pub(crate) signed: [bool; 2],
    pub(crate) negates_product: bool,
    pub(crate) negates_third: bool,
    pub(crate) plus_one: bool,
    /// By how many bits the sum is shifted to the right.
    pub(crate) shift: u32,
}

impl MultiplyAdd {
    /// The semantic function's copy, as a list.
    pub(crate) fn pack(self) -> Vec<u32> {
        let flags = [
            self.signed[0],
            self.signed[1],
            self.negates_product,
            self.negates_third,
            self.plus_one,
        ];
        let flags = flags.iter().rev().fold(0, |all, flag| all << 1 | u32::from(*flag));
        vec![flags, self.bits[0], self.bits[1], self.from[0], self.from[1], self.shift]
    }

    fn unpack(list: &[u32]) -> Self {
        let flag = |bit: u32| list[0] >> bit & 1 == 1;
        Self {
            bits: [list[1], list[2]],
            from: [list[3], list[4]],
            signed: [flag(0), flag(1)],
            negates_product: flag(2),
            negates_third: flag(3),
            plus_one: flag(4),
            shift: list[5],
        }
    }

    fn run(&self, a: u32, b: u32, c: u32) -> u32 {
        let factor = |index: usize, word: u32| {
            let bits = self.bits[index];
            let part = u64::from(word) >> (self.from[index] * bits);
            i128::from(extract(part, bits, self.signed[index]))
        };
        let is_signed =
            self.signed[0] || self.signed[1] || self.negates_product || self.negates_third;
        let product = factor(0, a) * factor(1, b);
        // A complement and one more is the negative, of the third operand in 32 bits.
        let (product, third) = match (self.negates_product, self.negates_third) {
            (true, _) => (!product, c),
            (_, true) => (product, !c),
            _ => (product, c),
        };
        let one = self.plus_one || self.negates_product || self.negates_third;
        let third = extract(third.into(), 32, is_signed);
        ((product + i128::from(third) + i128::from(one)) >> self.shift) as u32
    }
}

/// `vmad`: list `x` says which.
pub(crate) fn multiply_add(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let mad = MultiplyAdd::unpack(&context.function().lists[inst.x as usize]);
    for_lanes(mask, |lane| {
        let lane = lane as u32;
        let [a, b, c] = [inst.a, inst.b, inst.c].map(|operand| context.get::<u32>(operand, lane));
        context.set(inst.d, lane, mad.run(a, b, c));
    });
    Flow::Next
}

/// The lowest bits as a number.
fn extract(word: u64, bits: u32, signed: bool) -> i64 {
    let unused = 64 - bits;
    if signed { (word << unused) as i64 >> unused } else { (word << unused >> unused) as i64 }
}

/// Any video instruction: list `x` says which.
pub(crate) fn video(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let video = Video::unpack(&context.function().lists[inst.x as usize]);
    for_lanes(mask, |lane| {
        let lane = lane as u32;
        let [a, b, c] = [inst.a, inst.b, inst.c].map(|operand| context.get::<u32>(operand, lane));
        context.set(inst.d, lane, video.run(a, b, c));
    });
    Flow::Next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_numbered_in_order() {
        for (index, (operation, _)) in OPERATIONS.iter().enumerate() {
            assert_eq!(*operation as usize, index);
        }
    }

    #[test]
    fn packing() {
        let video = Video {
            operation: Difference,
            second: Second::Add,
            bits: [8, 8, 8],
            signed: [true, false, true],
            saturate: true,
            wrap: false,
            count: 4,
            from: [0x3210, 0x7654],
            to: 0b1011,
        };
        assert_eq!(Video::unpack(&video.pack()), video);
    }
}
