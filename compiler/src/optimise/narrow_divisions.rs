//! Asks once whether numbers that are divided have more than 32 bits, and goes on in 32 bits where they have not.
//!
//! `i / width` and `i % width` in `usize` are divisions of 64 bits, though mostly no number has more than 32. LLVM's code
//! generator tests that before each division, but what it gets out of both ways has 64 bits again: remainders,
//! comparisons and further divisions. So here the test decides over all that follows: threads whose numbers have at most 32
//! bits run a copy of the rest of the function, in which `narrow_words.rs` finds that.
//!
//! What is copied has no loop, no barrier, no call and no atomic update, so that nothing waits for threads that run the
//! other copy, and it is short. A function gets one copy at most.

use std::collections::{BTreeMap, BTreeSet};

use super::join_checks::{Kind, Kinds, is_relaxed_store};
use super::meetings::Meetings;
use super::ranges::Ranges;
use crate::llvm::{Block, Builder, Context, Module, Value, loops_of, opcode, predicate};

/// The most instructions that are copied.
const MAX_SIZE: usize = 200;
/// The most numbers that are tested.
const MAX_NUMBERS: usize = 6;

/// The divisions of PTX (PTX ISA, `div`, `rem`), which LLVM's code generator does not test again.
const DIVISIONS: [(i32, &str); 2] =
    [(opcode::UDIV, "div.u64 $0, $1, $2;"), (opcode::UREM, "rem.u64 $0, $1, $2;")];

/// Makes the test in every function; whether there was any division to test.
pub(crate) fn narrow_divisions(module: &Module<'_>) -> bool {
    let context = module.context();
    let kinds = Kinds::new(context);
    let mut meetings = Meetings::new(context);
    let mut any = false;
    for function in module.functions() {
        let mut ranges = Ranges::new(context);
        let first =
            function.instructions().into_iter().find(|division| is_wide(&mut ranges, *division));
        let rest = first.and_then(|first| Rest::behind(context, &kinds, &mut meetings, first));
        any |= rest.and_then(|rest| rest.copy()).is_some();
    }
    any
}

fn is_division(instruction: Value<'_>) -> bool {
    DIVISIONS.iter().any(|(division, _)| *division == instruction.opcode())
        && instruction.ty().int_bits() == Some(64)
        && !instruction.operand(1).is_constant()
}

/// Whether a division is one by a variable, and may need more than 32 bits.
fn is_wide<'c>(ranges: &mut Ranges<'c>, division: Value<'c>) -> bool {
    let fits = |value| ranges.of(value).is_some_and(|range| range.fits(32));
    is_division(division) && !division.operands().into_iter().all(fits)
}

/// What a function does from a division on.
struct Rest<'c> {
    context: &'c Context,
    first: Value<'c>,
    /// The blocks that control can get to, that of the division first.
    blocks: Vec<Block<'c>>,
    /// The numbers that are tested, which are known before it.
    numbers: Vec<Value<'c>>,
}

impl<'c> Rest<'c> {
    /// What follows a division, if it may be copied.
    fn behind(
        context: &'c Context,
        kinds: &Kinds,
        meetings: &mut Meetings<'c>,
        first: Value<'c>,
    ) -> Option<Rest<'c>> {
        let start = first.parent_block();
        let (mut blocks, mut seen) = (vec![start], BTreeSet::from([start]));
        let mut at = 0;
        while let Some(&block) = blocks.get(at) {
            for next in block.successors() {
                if seen.insert(next) {
                    blocks.push(next);
                }
            }
            at += 1;
        }
        let around = loops_of(start.function());
        if around.iter().any(|one| one.body.iter().any(|block| seen.contains(block))) {
            return None;
        }
        let of = |block: &Block<'c>| -> Vec<Value<'c>> {
            let all = block.instructions().into_iter();
            match *block == start {
                true => all.skip_while(|one| *one != first).collect(),
                false => all.collect(),
            }
        };
        let copied: Vec<Vec<Value<'c>>> = blocks.iter().map(of).collect();
        let mut can_copy = |instructions: &Vec<Value<'c>>| {
            let Some((end, others)) = instructions.split_last() else { return false };
            match end.opcode() {
                // A panic: a thread that ends need not run with others.
                opcode::UNREACHABLE => others.iter().all(|one| {
                    kinds.of(*one) != Kind::Other || one.is_call() && !meetings.at(*one)
                }),
                opcode::BRANCH | opcode::RETURN => others.iter().all(|one| {
                    is_division(*one) || kinds.of(*one) != Kind::Other || is_relaxed_store(*one)
                }),
                _ => false,
            }
        };
        let size: usize = copied.iter().map(Vec::len).sum();
        if size > MAX_SIZE || !copied.iter().all(&mut can_copy) {
            return None;
        }
        // What is divided first, and all divisors that are known before it.
        let divisions = copied.iter().flatten().copied().filter(|one| is_division(*one));
        let mut numbers = vec![first.operand(0)];
        for divisor in divisions.map(|division| division.operand(1)) {
            let is_inside =
                divisor.is_instruction() && copied.iter().flatten().any(|one| *one == divisor);
            let is_known = |number: &Value<'c>| number.thawed() == divisor.thawed();
            if !is_inside && numbers.len() < MAX_NUMBERS && !numbers.iter().any(is_known) {
                numbers.push(divisor);
            }
        }
        numbers.contains(&first.operand(1)).then_some(Rest { context, first, blocks, numbers })
    }

    /// Copies it for threads whose numbers have at most 32 bits.
    fn copy(&self) -> Option<()> {
        let (context, start) = (self.context, *self.blocks.first()?);
        let head = start.split_before(context, self.first);
        let jump = head.terminator()?;
        let builder = Builder::before(context, jump);
        builder.take_place(self.first);
        let tested: Vec<Number<'c>> =
            self.numbers.iter().map(|number| Number::new(&builder, *number)).collect();
        let all =
            tested.iter().map(|number| number.whole).reduce(|all, one| builder.or(all, one))?;
        let limit = all.ty().constant(1 << 32);
        let are_narrow = builder.compare(predicate::UNSIGNED_LESS, all, limit);

        let copies: BTreeMap<Block<'c>, Block<'c>> = self
            .blocks
            .iter()
            .map(|block| (*block, block.function().append_block(context)))
            .collect();
        let at_start = Builder::at_end(context, copies[&start]);
        at_start.take_place(self.first);
        let mut values: BTreeMap<Value<'c>, Value<'c>> = BTreeMap::new();
        for (number, tested) in self.numbers.iter().zip(&tested) {
            let word = tested
                .word
                .unwrap_or_else(|| at_start.cast(opcode::TRUNCATE, tested.whole, context.int(32)));
            let narrow = at_start.cast(opcode::ZERO_EXTEND, word, number.ty());
            // If it is not the same as what was frozen, that was poison.
            values.extend([(*number, narrow), (number.thawed(), narrow)]);
        }
        // Operands first, but for phis.
        let mut copied = Vec::new();
        for block in &self.blocks {
            let builder = Builder::at_end(context, copies[block]);
            for instruction in block.instructions() {
                if instruction.opcode() == opcode::PHI {
                    let from: Vec<_> = instruction
                        .incoming_edges()
                        .into_iter()
                        .filter_map(|(value, from)| Some((value, *copies.get(&from)?)))
                        .collect();
                    copied.push((instruction, builder.phi(instruction.ty(), &from)));
                    continue;
                }
                let copy = instruction.copy();
                builder.insert_copy(copy);
                copied.push((instruction, copy));
            }
        }
        values.extend(copied.iter().copied());
        for (_, copy) in &copied {
            for (index, operand) in (0..).zip(copy.operands()) {
                // The operands of branches that are blocks are no values of the map.
                if let Some(new) = values.get(&operand) {
                    copy.set_operand(index, *new);
                }
            }
        }
        for block in &self.blocks {
            for next in block.successors() {
                copies[block].redirect(next, copies[&next]);
            }
        }
        builder.branch(are_narrow, copies[&start], start);
        jump.erase();
        self.divide_in_full();
        Some(())
    }

    /// Makes the divisions of the other copy instructions of PTX.
    fn divide_in_full(&self) {
        for division in self.blocks.iter().flat_map(|block| block.instructions()) {
            let template = DIVISIONS.iter().find(|(opcode, _)| *opcode == division.opcode());
            let Some((_, template)) = template.filter(|_| is_division(division)) else { continue };
            let ty = self.context.function(division.ty(), &[division.ty(), division.ty()]);
            let builder = Builder::before(self.context, division);
            let operands = division.operands();
            let call = builder.pure_asm(ty, (template, "=l,l,l"), &operands);
            division.replace_all_uses_with(call);
            division.erase();
        }
    }
}

/// A number that is tested.
struct Number<'c> {
    /// All of it, the same at each use.
    whole: Value<'c>,
    /// The kernel's parameter that it is an extension of, if it is one: `join_checks/spans.rs` knows parameters.
    word: Option<Value<'c>>,
}

impl<'c> Number<'c> {
    fn new(builder: &Builder<'c>, number: Value<'c>) -> Number<'c> {
        let extension = number.thawed();
        let is_extension = extension.is_instruction()
            && matches!(extension.opcode(), opcode::ZERO_EXTEND | opcode::SIGN_EXTEND)
            && extension.operand(0).ty().int_bits() == Some(32);
        let parameter = is_extension.then(|| extension.operand(0).thawed());
        match parameter.filter(|word| word.parameter_of().is_some()) {
            Some(parameter) => {
                let word = builder.freeze(parameter);
                let whole = builder.cast(extension.opcode(), word, extension.ty());
                Number { whole, word: Some(word) }
            }
            None => Number { whole: builder.freeze(number), word: None },
        }
    }
}
