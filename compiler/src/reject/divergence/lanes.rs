//! What conditions are in the lanes of a warp, where that follows from the lane or the thread's index alone.

use std::collections::HashMap;

use crate::llvm::{Opcode, Value, opcode, predicate};

/// The extents of blocks, in each of which a warp has all its lanes. A condition must differ within a warp of each of
/// them: a condition on the index along x, such as `x < 16`, may well be the same in all threads of the blocks that a
/// kernel is launched with.
const SHAPES: [[u64; 3]; 4] = [[32, 1, 1], [64, 1, 1], [1024, 1, 1], [2, 32, 1]];

/// Instructions that are followed back from a condition.
const DEPTH: u32 = 16;

/// Whether in each block some lanes of a warp certainly have a condition that is not `wanted`, while it may be `wanted`
/// in others.
pub(super) fn excludes_some(condition: Value<'_>, wanted: bool) -> bool {
    SHAPES.iter().all(|&shape| {
        let lanes = |lane| Lane { shape, lane, known: HashMap::new() }.value(condition, DEPTH);
        let values: Vec<Option<u64>> = (0..32).map(lanes).collect();
        let other = Some(u64::from(!wanted));
        values.contains(&other) && values.iter().any(|value| *value != other)
    })
}

/// A lane of the first warp of a block.
struct Lane<'c> {
    shape: [u64; 3],
    lane: u64,
    known: HashMap<Value<'c>, Option<u64>>,
}

impl<'c> Lane<'c> {
    /// What an integer is in this lane, if it depends on the lane and the block's extents alone.
    fn value(&mut self, value: Value<'c>, depth: u32) -> Option<u64> {
        if let Some(constant) = value.as_int() {
            return Some(constant);
        }
        if depth == 0 || !value.is_instruction() {
            return None;
        }
        if let Some(known) = self.known.get(&value) {
            return *known;
        }
        let found = self.instruction(value, depth - 1);
        self.known.insert(value, found);
        found
    }

    fn instruction(&mut self, value: Value<'c>, depth: u32) -> Option<u64> {
        let bits = value.ty().int_bits().filter(|bits| *bits <= 64)?;
        let mut operand = |at| self.value(value.operand(at), depth);
        let result = match value.opcode() {
            opcode::CALL => return self.register(&value.callee().name()),
            opcode::ZERO_EXTEND | opcode::TRUNCATE | opcode::FREEZE => operand(0)?,
            opcode::SELECT => match operand(0)? {
                0 => operand(2)?,
                _ => operand(1)?,
            },
            opcode::INTEGER_COMPARISON => {
                let width = value.operand(0).ty().int_bits().filter(|bits| *bits <= 64)?;
                u64::from(compare(value.predicate(), width, operand(0)?, operand(1)?)?)
            }
            // One operand may be enough.
            opcode::AND | opcode::MUL => match (operand(0), operand(1)) {
                (Some(0), _) | (_, Some(0)) => 0,
                (a, b) => compute(value.opcode(), a?, b?)?,
            },
            opcode::OR if bits == 1 => match (operand(0), operand(1)) {
                (Some(1), _) | (_, Some(1)) => 1,
                (a, b) => a? | b?,
            },
            operation => compute(operation, operand(0)?, operand(1)?)?,
        };
        Some(cut(result, bits))
    }

    /// A special register.
    fn register(&self, name: &str) -> Option<u64> {
        let [x, y, z] = self.shape;
        let name = name.strip_prefix("llvm.nvvm.read.ptx.sreg.")?;
        Some(match name {
            "laneid" => self.lane,
            "tid.x" => self.lane % x,
            "tid.y" => self.lane / x % y,
            "tid.z" => self.lane / x / y,
            "ntid.x" => x,
            "ntid.y" => y,
            "ntid.z" => z,
            _ => return None,
        })
    }
}

/// The lowest bits of a number.
fn cut(value: u64, bits: u32) -> u64 {
    if bits < 64 { value & ((1 << bits) - 1) } else { value }
}

/// A number with its sign.
fn signed(value: u64, bits: u32) -> i64 {
    let unused = 64 - bits;
    (value << unused).cast_signed() >> unused
}

fn compute(operation: Opcode, a: u64, b: u64) -> Option<u64> {
    match operation {
        opcode::ADD => Some(a.wrapping_add(b)),
        opcode::SUB => Some(a.wrapping_sub(b)),
        opcode::MUL => Some(a.wrapping_mul(b)),
        opcode::AND => Some(a & b),
        opcode::OR => Some(a | b),
        opcode::XOR => Some(a ^ b),
        opcode::UDIV => a.checked_div(b),
        opcode::UREM => a.checked_rem(b),
        opcode::SHL => a.checked_shl(b.try_into().ok()?),
        opcode::LSHR => a.checked_shr(b.try_into().ok()?),
        _ => None,
    }
}

fn compare(how: i32, bits: u32, a: u64, b: u64) -> Option<bool> {
    let (x, y) = (signed(a, bits), signed(b, bits));
    match how {
        predicate::EQUAL => Some(a == b),
        predicate::NOT_EQUAL => Some(a != b),
        predicate::UNSIGNED_GREATER => Some(a > b),
        predicate::UNSIGNED_GREATER_EQUAL => Some(a >= b),
        predicate::UNSIGNED_LESS => Some(a < b),
        predicate::UNSIGNED_LESS_EQUAL => Some(a <= b),
        predicate::SIGNED_GREATER => Some(x > y),
        predicate::SIGNED_LESS => Some(x < y),
        _ => None,
    }
}
