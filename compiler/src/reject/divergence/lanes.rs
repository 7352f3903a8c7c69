//! What conditions are in the lanes of a warp, where that follows from the lane or the thread's index alone.

use std::collections::HashMap;

use crate::llvm::{Opcode, Value, opcode, predicate};

/// The extents of blocks, in each of which a warp has all its lanes. A condition must differ within a warp of each of
/// them: a condition on the index along x, such as `x < 16`, may well be the same in all threads of the blocks that a
/// kernel is launched with.
const SHAPES: [[u64; 3]; 4] = [[32, 1, 1], [64, 1, 1], [1024, 1, 1], [2, 32, 1]];

/// Instructions that are followed back from a condition.
const DEPTH: u32 = 16;

/// A set of lanes of a warp, bit `i` for lane `i`.
type Lanes = u32;

/// What an integer is in each lane of the first warp of blocks of each of the [`SHAPES`], where that is known.
type OfLanes = [[Option<u64>; 32]; SHAPES.len()];

/// The lanes that come over an edge of a branch, and those that don't, in blocks of each shape.
pub(super) struct Edge([Sides; SHAPES.len()]);

struct Sides {
    /// Lanes that may come.
    may: Lanes,
    /// Lanes that certainly do.
    come: Lanes,
    /// Lanes that certainly don't.
    stay: Lanes,
}

/// Lanes that wait for others in vain, in blocks of each shape.
pub(super) struct Parted([(Lanes, Lanes); SHAPES.len()]);

/// The lanes that a branch's condition sends over its edge, or over the other one if it is not `wanted`. `None` unless it
/// certainly keeps some lanes of a warp of each block away, while others may come.
pub(super) fn over_edge(condition: Value<'_>, wanted: bool) -> Option<Edge> {
    let (taken, other) = (Some(u64::from(wanted)), Some(u64::from(!wanted)));
    let mut edge = Vec::with_capacity(SHAPES.len());
    for shape in SHAPES {
        let values = in_shape(condition, shape);
        let with = |is: &dyn Fn(Option<u64>) -> bool| set(|lane| is(values[lane]));
        let sides = Sides {
            may: with(&|value| value != other),
            come: with(&|value| value == taken),
            stay: with(&|value| value == other),
        };
        // Of most conditions, the first shape tells that nothing is known.
        if sides.may == 0 || sides.stay == 0 {
            return None;
        }
        edge.push(sides);
    }
    edge.try_into().ok().map(Edge)
}

impl Edge {
    /// Whether lanes that come over the edge wait for some that don't, at an operation of the lanes in `mask` (`None`: of
    /// all lanes). It must be certain for one lane, or for all that may come.
    pub(super) fn parts(&self, mask: Option<Value<'_>>) -> Option<Parted> {
        let masks = masks(mask);
        let mut parted = Parted([(0, 0); SHAPES.len()]);
        for (shape, side) in self.0.iter().enumerate() {
            let mask = |lane: usize| masks[shape][lane].map_or(0, |mask| mask as Lanes);
            let in_vain = set(|lane| mask(lane) & side.stay != 0) & side.may;
            if in_vain & side.come == 0 && in_vain != side.may {
                return None;
            }
            let missing = (0..32)
                .filter(|lane| in_vain >> lane & 1 != 0)
                .fold(0, |missing, lane| missing | mask(lane) & side.stay);
            parted.0[shape] = (in_vain, missing);
        }
        Some(parted)
    }
}

impl Parted {
    /// Whether missing lanes wait for those that wait for them, at an operation of the lanes in `mask`.
    pub(super) fn meet_at(&self, mask: Option<Value<'_>>) -> bool {
        let masks = masks(mask);
        self.0.iter().zip(masks).all(|(&(waiting, missing), masks)| {
            (0..32).any(|lane| {
                missing >> lane & 1 != 0
                    && masks[lane].is_some_and(|mask| mask as Lanes & waiting != 0)
            })
        })
    }
}

fn masks(mask: Option<Value<'_>>) -> OfLanes {
    mask.map_or([[Some(u64::from(Lanes::MAX)); 32]; SHAPES.len()], of_lanes)
}

fn of_lanes(value: Value<'_>) -> OfLanes {
    SHAPES.map(|shape| in_shape(value, shape))
}

fn in_shape(value: Value<'_>, shape: [u64; 3]) -> [Option<u64>; 32] {
    std::array::from_fn(|lane| {
        let mut lane = Lane { shape, lane: lane as u64, known: HashMap::new() };
        lane.value(value, DEPTH)
    })
}

fn set(holds: impl Fn(usize) -> bool) -> Lanes {
    (0..32).filter(|lane| holds(*lane)).fold(0, |lanes, lane| lanes | 1 << lane)
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
        let operands = value.operands();
        let mut operand = |at: usize| self.value(*operands.get(at)?, depth);
        let result = match value.opcode() {
            opcode::CALL => return self.register(&value.callee().name()),
            opcode::ZERO_EXTEND | opcode::TRUNCATE | opcode::FREEZE => operand(0)?,
            opcode::SIGN_EXTEND => {
                let from = value.operand(0).ty().int_bits().filter(|bits| *bits <= 64)?;
                signed(operand(0)?, from).cast_unsigned()
            }
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
