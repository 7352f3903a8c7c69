//! Values that are no poison, so that LLVM's `freeze` of them is the value itself.

use std::collections::{BTreeMap, BTreeSet};

use super::prover::Prover;
use super::registers::{REGISTERS, intrinsic_of};
use crate::llvm::{Block, Value, opcode};

/// How many values a value is calculated from, one from the other, at most.
const MAX_DEPTH: usize = 12;

/// How many values are looked at for one.
const MAX_VALUES: usize = 200;

/// Intrinsics whose results are poison only if an operand is.
const HARMLESS: [&str; 5] =
    ["llvm.umax.", "llvm.umin.", "llvm.smax.", "llvm.smin.", "llvm.uadd.sat."];

/// The values that branches compare, each with the branches' blocks: a branch on poison is undefined.
#[derive(Default)]
struct Asked<'c>(BTreeMap<Value<'c>, Vec<Block<'c>>>);

/// A block, or the jump from its end.
type Place<'c> = (Block<'c>, bool);

/// What is being found out about a value.
struct Search<'c> {
    /// The values of which it is being asked, each with its place: in another place, less may be known. Around a loop, poison
    /// would have to come from another value.
    open: Vec<(Value<'c>, Place<'c>)>,
    left: usize,
}

impl<'c> Prover<'_, 'c> {
    /// The values of which `freeze` is the value itself.
    pub(super) fn frozen(&self) -> BTreeSet<Value<'c>> {
        let all = self.flow.blocks.iter().flat_map(|block| block.instructions());
        let all: Vec<Value<'c>> = all.filter(|one| one.opcode() == opcode::FREEZE).collect();
        if all.is_empty() {
            return BTreeSet::new();
        }
        let mut asked = Asked::default();
        for block in &self.flow.blocks {
            let condition = block.terminator().and_then(Value::condition);
            let is_comparison = |one: &Value<'c>| {
                one.is_instruction() && one.opcode() == opcode::INTEGER_COMPARISON
            };
            for value in condition.filter(is_comparison).into_iter().flat_map(Value::operands) {
                asked.0.entry(value).or_default().push(*block);
            }
        }
        let is_defined = |one: &Value<'c>| {
            let mut search = Search { open: Vec::new(), left: MAX_VALUES };
            self.is_defined(one.operand(0), (one.parent_block(), false), &asked, &mut search)
        };
        all.into_iter().filter(is_defined).collect()
    }

    /// Whether a value is never poison in a place: none of the operations that it is calculated with promises anything about its
    /// operands, or a branch on the way there compares it.
    fn is_defined(
        &self,
        value: Value<'c>,
        at: Place<'c>,
        asked: &Asked<'c>,
        search: &mut Search<'c>,
    ) -> bool {
        if value.as_int().is_some()
            || value.parameter_of().is_some()
            || search.open.contains(&(value, at))
            || asked.0.get(&value).is_some_and(|by| by.iter().any(|by| self.is_above(*by, at)))
        {
            return true;
        }
        if !value.is_instruction() || search.open.len() == MAX_DEPTH || search.left == 0 {
            return false;
        }
        search.left -= 1;
        let is_shift = || value.operand(1).as_int().zip(value.ty().int_bits());
        let promises_nothing = match value.opcode() {
            opcode::FREEZE => return true,
            opcode::CALL => match intrinsic_of(value) {
                Some(name) if name.starts_with(REGISTERS) => return true,
                Some(name) => HARMLESS.iter().any(|one| name.starts_with(one)),
                None => false,
            },
            opcode::PHI | opcode::AND | opcode::SIGN_EXTEND | opcode::UREM | opcode::SREM => true,
            opcode::ADD | opcode::SUB | opcode::MUL | opcode::TRUNCATE => {
                !value.cannot_wrap_unsigned() && !value.cannot_wrap_signed()
            }
            // A division by zero makes no poison: it is undefined.
            opcode::UDIV | opcode::SDIV => !value.has_no_remainder(),
            // A shift by too many bits is poison.
            opcode::SHL => {
                !value.cannot_wrap_unsigned()
                    && !value.cannot_wrap_signed()
                    && is_shift().is_some_and(|(by, bits)| by < u64::from(bits))
            }
            opcode::LSHR | opcode::ASHR => {
                !value.has_no_remainder()
                    && is_shift().is_some_and(|(by, bits)| by < u64::from(bits))
            }
            opcode::OR => !value.is_disjoint(),
            opcode::ZERO_EXTEND => !value.is_not_negative(),
            _ => false,
        };
        if !promises_nothing {
            return false;
        }
        search.open.push((value, at));
        let all = match value.opcode() {
            opcode::PHI => value
                .incoming_edges()
                .into_iter()
                .all(|(one, from)| self.is_defined(one, (from, true), asked, search)),
            opcode::CALL => {
                value.arguments().into_iter().all(|one| self.is_defined(one, at, asked, search))
            }
            _ => value.operands().into_iter().all(|one| self.is_defined(one, at, asked, search)),
        };
        search.open.pop();
        all
    }

    /// Whether every path to a place leads through the branch at the end of a block.
    fn is_above(&self, block: Block<'c>, (at, ends): Place<'c>) -> bool {
        (ends || block != at) && self.above(at).contains(&block)
    }
}
