//! How the bounds of indices are checked: in 32 bits where that says the same, and not at all where other checks of a
//! group imply it.
//!
//! An index that comes from 32 bits is usually compared with a length of 64 bits: the machine does that with two
//! instructions, and needs the index's upper half for nothing else. It is as good to compare the lower half with the
//! length, if the latter is clamped once, at the start of the function ([`Limit`]).
//!
//! Of the checks of `i - 1`, `i` and `i + 1`, the first and the last are enough (`spans.rs`).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::Check;
use crate::llvm::{Block, Builder, Context, Module, TypeKind, Value, loops_of, opcode, predicate};
use crate::lower::{LimitForm, limit_of, slice_of};

/// How an index is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// By its lower half, of which it is the extension with its sign.
    Signed,
    /// By its lower half, of which it is the extension with zeros.
    Unsigned,
    /// As a whole.
    Whole,
}

/// A check that an index is below a length, both of 64 bits unless the length is a constant. It is read from the check's
/// branch whenever it is needed: what the branch compares changes as values are moved.
#[derive(Clone, Copy)]
pub(super) struct Bound<'c> {
    pub(super) index: Value<'c>,
    pub(super) length: Value<'c>,
    pub(super) form: Form,
}

/// What lower halves of indices are compared with.
#[derive(Clone, Copy)]
enum Limit<'c> {
    /// The length, but no more than 2^31. An index that is negative is then too large, as it is with 64 bits if the length is
    /// that of an array: some other number might be larger still.
    Below(Value<'c>),
    /// The last index in 32 bits, and whether there is any: an index of `u32::MAX` may be valid.
    UpTo { last: Value<'c>, any: Value<'c> },
}

/// The checks of a function that are about indices.
pub(super) struct Bounds<'m, 'c> {
    module: &'m Module<'c>,
    context: &'c Context,
    /// The blocks whose checks are made with 32 bits.
    narrow: BTreeSet<Block<'c>>,
    limits: RefCell<BTreeMap<(Value<'c>, Form), Limit<'c>>>,
}

impl<'m, 'c> Bounds<'m, 'c> {
    /// Finds them among all checks of a function.
    pub(super) fn of(module: &'m Module<'c>, function: Value<'c>, checks: &[Check<'c>]) -> Self {
        let context = module.context();
        let loops = loops_of(function);
        let is_repeated =
            |block: Block<'c>| loops.iter().any(|around| around.body.contains(&block));
        let bounds: Vec<(Block<'c>, Bound<'c>)> =
            checks.iter().filter_map(|check| Some((check.block, Bound::of(check)?))).collect();
        // A limit takes about as many instructions as it saves in one or two checks, unless the launch passes it: then only
        // whether the length is zero takes some.
        let mut uses: BTreeMap<(Value<'c>, Form), usize> = BTreeMap::new();
        for (block, bound) in &bounds {
            *uses.entry((bound.length, bound.form)).or_default() +=
                if is_repeated(*block) { 3 } else { 1 };
        }
        let is_given = |bound: &Bound<'c>| given_limit(bound.length, bound.form).is_some();
        let is_worth_it = |bound: &Bound<'c>| {
            let least = match bound.form {
                Form::Signed if is_given(bound) => 1,
                Form::Unsigned if is_given(bound) => 2,
                Form::Signed => 2,
                Form::Unsigned => 3,
                Form::Whole => return false,
            };
            uses[&(bound.length, bound.form)] >= least && is_known_at_start(function, bound.length)
        };
        let narrow = bounds.iter().filter(|(_, bound)| is_worth_it(bound));
        let narrow = narrow.map(|(block, _)| *block).collect();
        let bounds = Bounds { module, context, narrow, limits: RefCell::default() };
        for check in checks.iter().filter(|check| bounds.is_narrow(check)) {
            bounds.extend_late(check.end);
        }
        bounds
    }

    /// What a check compares now.
    pub(super) fn bound(&self, check: &Check<'c>) -> Option<Bound<'c>> {
        let bound = Bound::of(check)?;
        match self.narrow.contains(&check.block) {
            true => Some(bound),
            false => Some(Bound { form: Form::Whole, ..bound }),
        }
    }

    /// Whether a check is made with 32 bits.
    pub(super) fn is_narrow(&self, check: &Check<'c>) -> bool {
        self.bound(check).is_some_and(|bound| bound.form != Form::Whole)
    }

    /// The conditions under which a check passes, if it is made with 32 bits.
    pub(super) fn conditions(
        &self,
        builder: &Builder<'c>,
        check: &Check<'c>,
    ) -> Option<Vec<Value<'c>>> {
        self.conditions_of(builder, self.bound(check)?)
    }

    /// The condition that an index is below its length, and below half of what its word can hold.
    pub(super) fn strict_conditions(
        &self,
        builder: &Builder<'c>,
        check: &Check<'c>,
    ) -> Option<Vec<Value<'c>>> {
        let bound = self.bound(check)?;
        let form = if bound.form == Form::Unsigned { Form::Signed } else { bound.form };
        self.conditions_of(builder, Bound { form, ..bound })
    }

    fn conditions_of(&self, builder: &Builder<'c>, bound: Bound<'c>) -> Option<Vec<Value<'c>>> {
        if bound.form == Form::Whole {
            return None;
        }
        let index = low_half(self.context, builder, bound.index);
        Some(match self.limit(&bound) {
            Limit::Below(limit) => vec![builder.compare(predicate::UNSIGNED_LESS, index, limit)],
            Limit::UpTo { last, any } => {
                vec![any, builder.compare(predicate::UNSIGNED_LESS_EQUAL, index, last)]
            }
        })
    }

    /// What the lower halves of such indices are compared with: the launch passes it, or else it is calculated where the
    /// length is known.
    fn limit(&self, bound: &Bound<'c>) -> Limit<'c> {
        let Bound { length, form, .. } = *bound;
        *self.limits.borrow_mut().entry((length, form)).or_insert_with(|| {
            let function = match length.parameter_of() {
                Some((function, _)) => function,
                None => length.parent_function(),
            };
            let next = match length.is_instruction() {
                true => length.next_instruction(),
                false => function.first_instruction(),
            };
            let next = next.unwrap_or_else(|| unreachable!("a block has an end"));
            let builder = Builder::before(self.context, next);
            match (form, given_limit(length, form)) {
                (Form::Signed, Some(limit)) => return Limit::Below(limit),
                (_, Some(last)) => return Limit::UpTo { last, any: builder.is_not_zero(length) },
                _ => {}
            }
            let (word, long) = (self.context.int(32), length.ty());
            let low = builder.cast(opcode::TRUNCATE, length, word);
            let is_below =
                |end: u64| builder.compare(predicate::UNSIGNED_LESS, length, long.constant(end));
            match form {
                Form::Signed => {
                    Limit::Below(builder.select(is_below(1 << 31), low, word.constant(1 << 31)))
                }
                _ => {
                    let end = builder.select(is_below(1 << 32), low, word.constant(0));
                    let last = builder.binary(opcode::ADD, end, word.constant(u64::from(u32::MAX)));
                    Limit::UpTo { last, any: builder.is_not_zero(length) }
                }
            }
        })
    }

    /// Extends lower halves in a block that only failing threads come to, where it needs the whole index. Otherwise all
    /// threads would keep upper halves.
    fn extend_late(&self, end: Block<'c>) {
        let Some(first) = end.instructions().first().copied() else { return };
        let mut late: BTreeMap<Value<'c>, Value<'c>> = BTreeMap::new();
        for instruction in end.instructions() {
            for (index, operand) in (0..).zip(instruction.operands()) {
                if is_extension(operand) && operand.parent_block() != end {
                    let new = *late.entry(operand).or_insert_with(|| {
                        let builder = Builder::before(self.context, first);
                        let copy = super::copy(self.context, &builder, operand.operand(0));
                        builder.cast(operand.opcode(), copy, operand.ty())
                    });
                    instruction.set_operand(index, new);
                }
            }
        }
    }

    /// Whether a load of an element is from a slice that nothing writes to while the kernel runs.
    pub(super) fn is_of_constant_slice(&self, load: Value<'c>) -> bool {
        let Some((function, index)) = load.operand(0).base_address().parameter_of() else {
            return false;
        };
        ["noalias", "readonly"].iter().all(|name| {
            function.param_attribute(index, self.context.attribute_kind(name)).is_some()
        })
    }

    /// The check among these that makes sure that a load stays inside an array, if one does so alone: it compares the index
    /// from which the address is made with the length of the array.
    pub(super) fn guard_of<T: Copy>(
        &self,
        load: Value<'c>,
        checks: &[(Bound<'c>, T)],
    ) -> Option<T> {
        let element = self.element(load)?;
        let guards = |(bound, _): &&(Bound<'c>, T)| {
            let Some((pointer, size)) = slice_of(bound.length.thawed()) else { return false };
            bound.index == element.index && pointer == element.array && size == element.size
        };
        checks.iter().find(guards).map(|(_, condition)| *condition)
    }

    /// The bound that an array's element must be within for a load of it to be valid, if the array is a parameter.
    pub(super) fn own_bound(&self, load: Value<'c>) -> Option<Bound<'c>> {
        let element = self.element(load)?;
        let (function, _) = element.array.parameter_of()?;
        let is_length = |one: &Value<'c>| slice_of(*one) == Some((element.array, element.size));
        let length = function.params().into_iter().find(is_length)?;
        if element.index.ty() != length.ty() {
            return None;
        }
        let mut bound = Bound { index: element.index, length, form: Form::of(element.index, true) };
        if given_limit(length, bound.form).is_none() {
            bound.form = Form::Whole;
        }
        Some(bound)
    }

    /// The conditions under which an index is below its length.
    pub(super) fn all_conditions(&self, builder: &Builder<'c>, bound: Bound<'c>) -> Vec<Value<'c>> {
        self.conditions_of(builder, bound).unwrap_or_else(|| {
            vec![builder.compare(predicate::UNSIGNED_LESS, bound.index, bound.length)]
        })
    }

    /// The element that is loaded, or a part of which is.
    fn element(&self, load: Value<'c>) -> Option<Element<'c>> {
        if load.opcode() != opcode::LOAD {
            return None;
        }
        let module = self.module;
        let mut address = load.operand(0);
        let mut end = module.size_of(load.ty());
        let is_step = |address: Value<'c>| {
            address.is_instruction()
                && address.opcode() == opcode::GET_ELEMENT_PTR
                && address.operands().len() == 2
        };
        if !is_step(address) {
            return None;
        }
        // A field of the element.
        if let Some(count) = address.operand(1).as_int() {
            end = end.checked_add(count.checked_mul(module.size_of(address.element_type()))?)?;
            address = address.operand(0);
            if !is_step(address) {
                return None;
            }
        }
        let size = module.size_of(address.element_type());
        let (array, index) = (address.operand(0), address.operand(1));
        (end <= size).then_some(Element { array, index, size })
    }
}

/// An element of an array.
struct Element<'c> {
    array: Value<'c>,
    index: Value<'c>,
    /// In bytes.
    size: u64,
}

impl Form {
    /// How an index may be compared. One that may be negative is compared by its lower half only with the length of an array:
    /// there it is too large either way.
    fn of(index: Value<'_>, is_length_of_array: bool) -> Form {
        match index {
            _ if is_sign_extended(index) && (is_length_of_array || !has_sign(index)) => {
                Form::Signed
            }
            _ if is_zero_extended(index) => Form::Unsigned,
            _ => Form::Whole,
        }
    }
}

impl<'c> Bound<'c> {
    fn of(check: &Check<'c>) -> Option<Bound<'c>> {
        let (index, length) = match comparison(check)? {
            (first, predicate::UNSIGNED_LESS, second) => (first, second),
            (first, predicate::UNSIGNED_GREATER, second) => (second, first),
            _ => return None,
        };
        if length.ty().kind() != TypeKind::Int(64) || length.is_constant() {
            return None;
        }
        let is_length = slice_of(length.thawed()).is_some();
        Some(Bound { index, length, form: Form::of(index, is_length) })
    }

    /// A check of an index of an array whose length is known, of 32 or 64 bits.
    pub(super) fn of_constant(check: &Check<'c>) -> Option<Bound<'c>> {
        let (index, passes, limit) = comparison(check)?;
        let length = match (passes, limit.as_int()?) {
            (predicate::UNSIGNED_LESS, _) => limit,
            (predicate::UNSIGNED_LESS_EQUAL, last @ 0..0x7fff_ffff) => {
                limit.ty().constant(last + 1)
            }
            _ => return None,
        };
        Some(Bound { index, length, form: Form::Whole })
    }

    /// Whether both compare the same index with the same length.
    pub(super) fn is_same(&self, other: &Bound<'c>) -> bool {
        self.index == other.index && self.length.thawed() == other.length.thawed()
    }

    /// Whether the length is that of an array: no array has more bytes than an `isize` says.
    pub(super) fn is_of_array(&self) -> bool {
        slice_of(self.length.thawed()).is_some()
    }
}

/// What the launch passes for such checks of indices of a length.
fn given_limit<'c>(length: Value<'c>, form: Form) -> Option<Value<'c>> {
    let form = match form {
        Form::Signed => LimitForm::Positive,
        Form::Unsigned => LimitForm::Last,
        Form::Whole => return None,
    };
    limit_of(length.thawed(), form)
}

/// What a check compares, so that it passes.
pub(super) fn comparison<'c>(check: &Check<'c>) -> Option<(Value<'c>, i32, Value<'c>)> {
    let condition = check.block.terminator()?.condition()?;
    if !condition.is_instruction() || condition.opcode() != opcode::INTEGER_COMPARISON {
        return None;
    }
    let passes = match check.passes {
        true => condition.predicate(),
        false => predicate::inverse(condition.predicate()),
    };
    Some((condition.operand(0), passes, condition.operand(1)))
}

/// Whether a length is known where the function begins.
fn is_known_at_start<'c>(function: Value<'c>, length: Value<'c>) -> bool {
    match length.is_instruction() {
        true => {
            length.opcode() == opcode::FREEZE
                && function.blocks().first() == Some(&length.parent_block())
        }
        false => length.parameter_of().is_some(),
    }
}

/// Whether a value is the extension of a word of 32 bits.
pub(super) fn is_extension(value: Value<'_>) -> bool {
    value.is_instruction()
        && matches!(value.opcode(), opcode::ZERO_EXTEND | opcode::SIGN_EXTEND)
        && value.operand(0).ty().kind() == TypeKind::Int(32)
}

/// Whether 64 bits are the lower 32 of them, extended with their sign.
fn is_sign_extended(value: Value<'_>) -> bool {
    if !value.is_instruction() {
        return false;
    }
    let constant = || value.operand(1).as_int();
    let from = || value.operand(0).ty().int_bits().unwrap_or(u32::MAX);
    match value.opcode() {
        opcode::SIGN_EXTEND => from() <= 32,
        opcode::ZERO_EXTEND => from() < 32 || from() == 32 && value.is_not_negative(),
        opcode::ASHR => constant().is_some_and(|by| by >= 32),
        opcode::LSHR => constant().is_some_and(|by| by > 32),
        opcode::AND => constant().is_some_and(|mask| mask < 1 << 31),
        _ => false,
    }
}

/// Whether such a value may be negative.
fn has_sign(value: Value<'_>) -> bool {
    matches!(value.opcode(), opcode::SIGN_EXTEND | opcode::ASHR)
}

/// The same, extended with zeros.
fn is_zero_extended(value: Value<'_>) -> bool {
    if !value.is_instruction() {
        return false;
    }
    let constant = || value.operand(1).as_int();
    match value.opcode() {
        opcode::ZERO_EXTEND => value.operand(0).ty().int_bits().is_some_and(|bits| bits <= 32),
        opcode::LSHR => constant().is_some_and(|by| by >= 32),
        opcode::AND => constant().is_some_and(|mask| mask < 1 << 32),
        _ => false,
    }
}

/// The lower 32 bits.
fn low_half<'c>(context: &'c Context, builder: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    match is_extension(value) {
        true => value.operand(0),
        false => builder.cast(opcode::TRUNCATE, value, context.int(32)),
    }
}
