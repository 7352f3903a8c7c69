//! Lengths in 32 bits, which the host calculates: parameters of the entry behind its own.
//!
//! An index of 32 bits is below a length of 64 if it is below the length's lower half, and the upper half is zero. To
//! compare both halves takes two instructions for each index; to bring the length into a form that one comparison is enough
//! for takes several, once. But the launch knows all lengths, and calculates that form faster than any thread. So behind the
//! kernel's own parameters the entry has some more for each number of 64 bits among them ([`Form`]), of which those stay
//! that are read ([`used_limits`]). `image` says how the host calculates them ([`Limit`]).

use ptyx_image::{Limit, MAX_LIMITS, Param};

use crate::llvm::{Module, Type, TypeKind, Value};

/// Marks such a parameter. The attribute's value is the index of the number that it is made from, and its form.
const LIMIT: &str = "ptyx-limit";

/// What a number of 64 bits is brought into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The number, but no more than 2^31. An index that is no larger than `i32::MAX`, or that is negative and so larger
    /// than any length, compares with it as with the number.
    Positive,
    /// One less than the number, but no more than `u32::MAX`. An index of 32 bits is below the number if it is not above
    /// this, and the number is not zero.
    Last,
}

const FORMS: [Form; 2] = [Form::Positive, Form::Last];

impl Form {
    fn name(self) -> &'static str {
        match self {
            Form::Positive => "positive",
            Form::Last => "last",
        }
    }

    /// What the host calculates, of a number that it passes as `param`.
    fn limit(self, param: &Param) -> Limit {
        let (less, most) = match self {
            Form::Positive => (0, 1 << 31),
            Form::Last => (1, u32::MAX),
        };
        Limit { arg: param.arg, offset: param.offset, less, most }
    }
}

/// The bytes that a kernel's own parameters may have, so that there is room for limits: drivers before CUDA 12.1 take 4096 in
/// all, and a launch passes up to 24 more, with 4 before them to align them (`panics/launch.rs`).
pub(super) const MAX_BYTES: u64 = 4096 - 28 - 4 * MAX_LIMITS as u64;

/// Adds the types of the parameters behind those of the kernel itself, which have so many bytes, for as many of its numbers
/// as a launch can have limits for.
pub(super) fn add_limits<'c>(
    module: &Module<'c>,
    bytes: u64,
    types: &mut Vec<Type<'c>>,
) -> Vec<(usize, Form)> {
    if bytes > MAX_BYTES {
        return Vec::new();
    }
    let numbers = types.iter().enumerate().filter(|(_, ty)| ty.kind() == TypeKind::Int(64));
    let limits: Vec<(usize, Form)> = numbers
        .take(MAX_LIMITS / FORMS.len())
        .flat_map(|(index, _)| FORMS.map(|form| (index, form)))
        .collect();
    types.extend(limits.iter().map(|_| module.context().int(32)));
    limits
}

/// Marks the parameters that [`add_limits`] has added behind `own` others.
pub(super) fn mark_limits<'c>(
    module: &Module<'c>,
    entry: Value<'c>,
    own: usize,
    limits: &[(usize, Form)],
) {
    for (index, (number, form)) in (own as u32..).zip(limits) {
        let text = format!("{number},{}", form.name());
        entry.add_param_attribute(index, module.context().string_attribute(LIMIT, &text));
    }
}

/// Whether a parameter of the entry is a limit.
pub(super) fn is_limit(entry: Value<'_>, index: u32) -> bool {
    entry.param_string_attribute(index, LIMIT).is_some()
}

/// The parameter that has a form of `number`, if that is a parameter of the entry.
pub(crate) fn limit_of<'c>(number: Value<'c>, form: Form) -> Option<Value<'c>> {
    let (function, index) = number.parameter_of()?;
    let text = format!("{index},{}", form.name());
    let is_it = |at: u32| function.param_string_attribute(at, LIMIT).is_some_and(|is| is == text);
    (0..).zip(function.params()).find(|(at, _)| is_it(*at)).map(|(_, param)| param)
}

/// What the host calculates for the parameters that an optimised entry reads, and whether it reads each of them; `params`
/// are the kernel's own.
pub(crate) fn used_limits(entry: Value<'_>, params: &[Param]) -> (Vec<Limit>, Vec<bool>) {
    let (mut limits, mut reads) = (Vec::new(), Vec::new());
    for (index, param) in (0..).zip(entry.params()) {
        let Some(text) = entry.param_string_attribute(index, LIMIT) else { continue };
        let is_read = !param.users().is_empty();
        reads.push(is_read);
        if !is_read {
            continue;
        }
        let made = text.split_once(',').and_then(|(number, form)| {
            let form = FORMS.into_iter().find(|known| known.name() == form)?;
            Some(form.limit(params.get(number.parse::<usize>().ok()?)?))
        });
        limits.push(made.unwrap_or_else(|| unreachable!("`mark_limits` wrote `{text}`")));
    }
    (limits, reads)
}
