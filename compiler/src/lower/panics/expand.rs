//! Decomposes pending messages and values, as far as the optimiser knows what they are.

use super::{Emitter, Runtime};
use crate::llvm::{Builder, Module, Target, Value, calls_of};
use crate::report::Diagnostic;
use crate::rust::fmt_template::{self, Piece, literal_length};
use crate::rust::formatters::{Known, known, placeholder};
use crate::rust::path_of;
use ptyx_image::message::{Header, Notation, Options, Primitive};

/// The passes that find out the contents of the arrays of arguments, and drop unreachable code, before
/// and after.
pub(crate) const SIMPLIFY: &str = "early-cse,simplifycfg,sroa,early-cse,simplifycfg";

/// How often one function is simplified; arguments of arguments are rarely this deep.
const ROUNDS: usize = 24;

/// The size of a `fmt::rt::Argument`: a pointer to the value and one to its formatter.
const ARGUMENT: u64 = 16;
/// The offset of the formatter in it, and of the count in one that is a width or a precision.
const FORMATTER: u64 = 8;

/// Shown for a part about which nothing is known.
const UNKNOWN: &str = "<?>";

/// Makes the functions that record what formatters in Rust code would write (`recorder`). In such a function, values are
/// pending, too, so making one calls [`pending`].
pub(super) trait Recorders {
    /// The recorder of a formatter: `(value, options)`; `None` if there can't be one.
    fn recorder_of<'c>(
        &mut self,
        module: &mut Module<'c>,
        target: &Target,
        runtime: &Runtime<'c>,
        formatter: Value<'c>,
    ) -> Result<Option<Value<'c>>, Diagnostic>;
}

/// Simplifies function `name` and takes apart what is pending in it, until nothing changes.
pub(super) fn settle<'c>(
    module: &mut Module<'c>,
    target: &Target,
    runtime: &Runtime<'c>,
    recorders: &mut dyn Recorders,
    name: &str,
) -> Result<(), Diagnostic> {
    for _ in 0..ROUNDS {
        let Some(function) = module.function(name) else { break };
        module.run_passes_on(function, SIMPLIFY, target)?;
        if !pending(module, target, runtime, recorders, name)? {
            break;
        }
    }
    Ok(())
}

/// Decomposes one layer of what is pending in function `name`; returns whether anything changed.
pub(super) fn pending<'c>(
    module: &mut Module<'c>,
    target: &Target,
    runtime: &Runtime<'c>,
    recorders: &mut dyn Recorders,
    name: &str,
) -> Result<bool, Diagnostic> {
    let Some(function) = module.function(name) else { return Ok(false) };
    let is_pending = |call: &Value<'c>| {
        call.is_call() && [runtime.pending_message, runtime.pending_value].contains(&call.callee())
    };
    // All of them are collected first: a recorder made on the way inlines calls in the whole module,
    // which can erase other instructions of this function.
    let calls: Vec<Value<'c>> = function.instructions().into_iter().filter(is_pending).collect();
    let mut changed = false;
    for call in calls {
        changed |= match call.callee() == runtime.pending_message {
            true => message(module, runtime, call),
            false => value(module, target, runtime, recorders, call)?,
        };
    }
    // Calls of recorders are there now.
    if changed {
        module.run_passes("always-inline", target)?;
    }
    Ok(changed)
}

/// Takes a pending message apart, if its template is known.
fn message<'c>(module: &Module<'c>, runtime: &Runtime<'c>, call: Value<'c>) -> bool {
    let [template, arguments] = call.arguments()[..] else { return false };
    let emitter = Emitter::before(module, runtime, call);
    if let Some(len) = literal_length(arguments) {
        emitter.string(Header::text(), emitter.word(0), template, emitter.word(len));
    } else {
        let Some(bytes) = template.constant_bytes() else { return false };
        match fmt_template::decode(&bytes) {
            Some(pieces) => {
                for piece in pieces {
                    emitter.piece(piece, arguments);
                }
            }
            // A rustc whose templates have another form.
            None => emitter.text(UNKNOWN),
        }
    }
    call.erase();
    true
}

impl<'c> Emitter<'_, 'c> {
    fn piece(&self, piece: Piece, arguments: Value<'c>) {
        let context = self.module.context();
        let (index, constant, width, precision) = match piece {
            Piece::Text(text) => return self.text(&text),
            Piece::Argument { index, options, width, precision } => {
                (index, options, width, precision)
            }
        };
        let at = |index: u16, offset: u64| {
            self.builder.offset(arguments, u64::from(index) * ARGUMENT + offset)
        };
        let mut options = self.word(constant);
        for (count, shift) in [(width, 32), (precision, 48)] {
            let Some(count) = count else { continue };
            let count = self.builder.load_aligned(context.int(16), at(count, FORMATTER), 8);
            let count = self.builder.int_cast(count, context.int(64));
            options = self.builder.or(options, self.builder.shift_left(count, self.word(shift)));
        }
        let value = self.builder.load_aligned(context.pointer(0), at(index, 0), 8);
        let formatter = self.builder.load_aligned(context.pointer(0), at(index, FORMATTER), 8);
        self.pending_value(value, formatter, options);
    }

    /// Records the value that `pointer` points to.
    pub(super) fn primitive(
        &self,
        primitive: Primitive,
        notation: Notation,
        options: Value<'c>,
        pointer: Value<'c>,
    ) {
        let context = self.module.context();
        let (word, size) = (context.int(64), primitive.size());
        let load = |pointer, bytes: u32| {
            let value = self.builder.load_aligned(context.int(bytes * 8), pointer, bytes);
            self.builder.int_cast(value, word)
        };
        let (low, high) = if size > 8 {
            (load(pointer, 8), load(self.builder.offset(pointer, 8), 8))
        } else {
            (load(pointer, size), self.word(0))
        };
        self.value(Header::value(primitive, notation), options, low, high);
    }
}

/// Takes a pending value apart, if its formatter is known.
fn value<'c>(
    module: &mut Module<'c>,
    target: &Target,
    runtime: &Runtime<'c>,
    recorders: &mut dyn Recorders,
    call: Value<'c>,
) -> Result<bool, Diagnostic> {
    let [pointer, formatter, options] = call.arguments()[..] else { return Ok(false) };
    if !formatter.is_function() {
        return Ok(false);
    }
    let path = path_of(&formatter.name());
    let known = known(&path);
    let recorder = match known {
        Some(Known::Value(..)) => None,
        _ => recorders.recorder_of(module, target, runtime, formatter)?,
    };
    let emitter = Emitter::before(module, runtime, call);
    match (known, recorder) {
        (Some(Known::Value(primitive, notation)), _) => {
            emitter.primitive(primitive, notation, options, pointer);
        }
        (_, Some(recorder)) => {
            emitter.call(recorder, &[pointer, options]).inline_always(module.context());
        }
        (_, None) => emitter.text(&placeholder(&path)),
    }
    call.erase();
    Ok(true)
}

/// Replaces everything that is still pending by a placeholder text. Where a message may turn out to be
/// a literal at run time, the kernel checks that.
pub(super) fn give_up<'c>(module: &Module<'c>, runtime: &Runtime<'c>) {
    for call in calls_of(runtime.pending_value) {
        Emitter::before(module, runtime, call).text(UNKNOWN);
        call.erase();
    }
    for call in calls_of(runtime.pending_message) {
        let [template, arguments] = call.arguments()[..] else { continue };
        let emitter = Emitter::before(module, runtime, call);
        let builder: &Builder<'c> = &emitter.builder;
        let tagged = builder.address(arguments);
        let is_literal = builder.is_not_zero(builder.and(tagged, emitter.word(1)));
        let unknown = emitter.bytes(UNKNOWN.as_bytes());
        let len = builder.shift_right(tagged, emitter.word(1));
        emitter.string(
            Header::text(),
            emitter.word(Options::DEFAULT.0),
            builder.select(is_literal, template, unknown),
            builder.select(is_literal, len, emitter.word(UNKNOWN.len() as u64)),
        );
        call.erase();
    }
}
