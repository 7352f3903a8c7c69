//! Shortens what panics carry to the joins, where each word takes one or two registers of every thread.
//!
//! A report has the number of the panic's place in the source, and the words of its message, such as an index and a length. A length
//! is usually an argument of the kernel, so it follows from the number: it is selected where all panics end. An index is usually
//! the extension of 32 bits: it is extended there.

use std::collections::BTreeMap;

use super::phis;
use crate::llvm::{Block, Builder, Context, TypeKind, Value, opcode, predicate};
use crate::optimise::join_checks::is_copy;

/// The most places in the source for which a value other than the most common one is selected.
const MAX_CHOICES: usize = 16;

/// Shortens the words that come to the block in which all panics end.
pub(super) fn shorten_words<'c>(context: &'c Context, tail: Block<'c>) {
    let is_number = |phi: &Value<'c>| {
        let mut values = phi.incoming_edges().into_iter().map(|(value, _)| value);
        is_word(*phi, 32) && values.all(|value| value.as_int().is_some())
    };
    let Some(number) = phis(tail).into_iter().find(is_number) else { return };
    for phi in phis(tail).into_iter().filter(|phi| is_word(*phi, 64)) {
        let Some(first) = tail.instructions().into_iter().find(|one| one.opcode() != opcode::PHI)
        else {
            return;
        };
        let builder = Builder::before(context, first);
        let word = Word { context, number, phi };
        let Some(shorter) = word.chosen(&builder).or_else(|| word.extended(&builder)) else {
            continue;
        };
        let copies = phi.incoming_edges();
        phi.replace_all_uses_with(shorter);
        phi.erase();
        for (copy, _) in copies {
            if is_copied(copy).is_some() && copy.users().is_empty() {
                copy.erase();
            }
        }
    }
}

fn is_word(value: Value<'_>, bits: u32) -> bool {
    value.ty().kind() == TypeKind::Int(bits)
}

/// The value that a copy is of.
fn is_copied(value: Value<'_>) -> Option<Value<'_>> {
    let is_assembly = value.is_instruction() && value.is_call() && value.callee().is_inline_asm();
    (is_assembly && is_copy(value)).then(|| value.operand(0))
}

/// A word of the reports, which has an incoming value for each panic.
struct Word<'c> {
    context: &'c Context,
    /// The number of the place in the source.
    number: Value<'c>,
    phi: Value<'c>,
}

impl<'c> Word<'c> {
    /// What `value` makes of the word for each place, if it is the same for all panics there; `None` if it is `None` for any of
    /// them.
    fn by_place<T: Copy + PartialEq>(
        &self,
        value: impl Fn(Value<'c>) -> Option<T>,
    ) -> Option<BTreeMap<u64, T>> {
        let mut known: BTreeMap<u64, T> = BTreeMap::new();
        for (word, from) in self.phi.incoming_edges() {
            let place = self.number.incoming(from)?.as_int()?;
            // The message does not need this word.
            if word == self.phi.ty().undefined() {
                continue;
            }
            let value = value(word)?;
            if *known.entry(place).or_insert(value) != value {
                return None;
            }
        }
        Some(known)
    }

    /// Selects by the number of the place: the most common value, unless the place has another one.
    fn choose<T: Copy + PartialEq>(
        &self,
        builder: &Builder<'c>,
        known: &BTreeMap<u64, T>,
        make: impl Fn(T) -> Value<'c>,
    ) -> Option<Value<'c>> {
        let count = |value: &T| known.values().filter(|other| *other == value).count();
        let most = *known.values().max_by_key(|value| count(value))?;
        let others: Vec<_> = known.iter().filter(|(_, value)| **value != most).collect();
        if others.len() > MAX_CHOICES {
            return None;
        }
        let mut chosen = make(most);
        for (place, value) in others {
            let place = self.number.ty().constant(*place);
            let is_it = builder.compare(predicate::EQUAL, self.number, place);
            chosen = builder.select(is_it, make(*value), chosen);
        }
        Some(chosen)
    }

    /// The word, selected by place, if it is an argument or a constant for each.
    fn chosen(&self, builder: &Builder<'c>) -> Option<Value<'c>> {
        let known = self.by_place(|word| {
            let value = is_copied(word).unwrap_or(word);
            let is_known = value.as_int().is_some() || value.parameter_of().is_some();
            is_known.then_some(value)
        })?;
        self.choose(builder, &known, |value| value)
    }

    /// The word, extended at the end, if it is the extension of 32 bits for all panics.
    fn extended(&self, builder: &Builder<'c>) -> Option<Value<'c>> {
        let int = self.context.int(32);
        // The word of 32 bits, and how it is extended.
        let extension = |word: Value<'c>| {
            let value = is_copied(word).unwrap_or(word);
            if let Some(number) = value.as_int() {
                return (number < 1 << 31).then(|| (int.constant(number), opcode::ZERO_EXTEND));
            }
            let is_extension = value.is_instruction()
                && matches!(value.opcode(), opcode::ZERO_EXTEND | opcode::SIGN_EXTEND)
                && is_word(value.operand(0), 32);
            is_extension.then(|| (value.operand(0), value.opcode()))
        };
        let known = self.by_place(|word| Some(extension(word)?.1))?;
        let nothing = self.phi.ty().undefined();
        let short = |word| match word == nothing {
            true => Some(int.undefined()),
            false => Some(extension(word)?.0),
        };
        let incoming = self.phi.incoming_edges().into_iter();
        let incoming: Option<Vec<_>> =
            incoming.map(|(word, from)| Some((short(word)?, from))).collect();
        let short = Builder::before(self.context, self.phi).phi(int, &incoming?);
        let extended =
            self.choose(builder, &known, |kind| builder.cast(kind, short, self.phi.ty()));
        if extended.is_none() {
            short.erase();
        }
        extended
    }
}
