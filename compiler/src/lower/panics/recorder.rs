//! Recorders: they record what a formatter in Rust code would write.
//!
//! A formatter (`<MyError as Debug>::fmt`, derived or by hand) gets a `Formatter` and calls methods of
//! it. Its recorder is a function that the compiler makes: it makes a `Formatter`, has the formatter's
//! code inlined, and all calls that reach the `Formatter` replaced by records. If that succeeds,
//! nothing of the `Formatter` is left in it. If it does not (the formatter asks something of the
//! `Formatter` that is only known when it runs), the value is shown by the name of its type.

use std::collections::HashMap;

use super::expand::{self, Recorders, SIMPLIFY};
use super::{Emitter, PANIC_PREFIX, Runtime};
use crate::llvm::{Builder, Linkage, Module, Target, TypeKind, Value, calls_of, opcode};
use crate::report::Diagnostic;
use crate::rust::formatters::{
    self, FIRST_METHOD, FORMATTER_SIZE, Known, OPTIONS, TARGET_VTABLE, known,
};
use crate::rust::path_of;
use crate::symbols::is_recording;
use ptyx_image::message::{Group, Header, Notation, Primitive};

/// The name of the `Formatter` in a recorder.
const FORMATTER_NAME: &str = "ptyx.formatter";
/// The global that stands for the formatter's target.
const SINK: &str = "ptyx.sink";
const SINK_VTABLE: &str = "ptyx.sink.vtable";

/// How often a formatter's code is inlined: how deep its values may be nested.
const ROUNDS: usize = 32;
/// A recorder with more instructions is abandoned.
const MAX_INSTRUCTIONS: usize = 4000;

/// The recorders of a module, by their formatters' names.
#[derive(Default)]
pub(super) struct AllRecorders {
    states: HashMap<String, State>,
}

enum State {
    /// Under construction: a value that may hold one of its own type meets it again.
    Building,
    Ready(String),
    Impossible,
}

impl Recorders for AllRecorders {
    fn recorder_of<'c>(
        &mut self,
        module: &mut Module<'c>,
        target: &Target,
        runtime: &Runtime<'c>,
        formatter: Value<'c>,
    ) -> Result<Option<Value<'c>>, Diagnostic> {
        let name = formatter.name();
        match self.states.get(&name) {
            Some(State::Ready(recorder)) => return Ok(module.function(recorder)),
            Some(State::Building | State::Impossible) => return Ok(None),
            None => {}
        }
        let fits = formatter.value_type().params().len() == 2;
        if formatter.is_declaration() || !fits {
            return Ok(None);
        }
        let recorder = format!("{}.record.{}", runtime.prefix, self.states.len());
        self.states.insert(name.clone(), State::Building);
        start(module, &recorder, formatter);
        let state = match self.finish(module, target, runtime, &recorder)? {
            true => State::Ready(recorder.clone()),
            false => State::Impossible,
        };
        let ready = matches!(state, State::Ready(_));
        self.states.insert(name, state);
        Ok(module.function(&recorder).filter(|_| ready))
    }
}

impl AllRecorders {
    /// Inlines and replaces until nothing changes; says whether all is replaced.
    fn finish<'c>(
        &mut self,
        module: &mut Module<'c>,
        target: &Target,
        runtime: &Runtime<'c>,
        name: &str,
    ) -> Result<bool, Diagnostic> {
        for _ in 0..ROUNDS {
            module.run_passes("always-inline", target)?;
            let Some(recorder) = module.function(name) else { return Ok(false) };
            module.run_passes_on(recorder, SIMPLIFY, target)?;
            if recorder.instructions().len() > MAX_INSTRUCTIONS {
                return Ok(false);
            }
            let replaced = replace_calls(module, runtime, recorder);
            if !expand::pending(module, target, runtime, self, name)? && !replaced {
                let nested =
                    calls_of(runtime.begin).iter().any(|c| c.parent_function() == recorder);
                return Ok(is_finished(recorder) && !nested);
            }
        }
        Ok(false)
    }
}

/// Writes a recorder's first form: a `Formatter`, and the call of the formatter.
fn start<'c>(module: &Module<'c>, name: &str, formatter: Value<'c>) {
    let context = module.context();
    let (pointer, word) = (context.pointer(0), context.int(64));
    let ty = context.function(context.void(), &[pointer, word]);
    let recorder = module.add_function(name, ty);
    recorder.set_linkage(Linkage::External);
    let [value, options] = recorder.params()[..] else { return };
    let builder = Builder::at_end(context, recorder.append_block(context));
    let f = builder.alloca(context.int(8).array(FORMATTER_SIZE), 8);
    f.set_name(FORMATTER_NAME);
    builder.store(sink(module), f);
    builder.store(sink_vtable(module), builder.offset(f, TARGET_VTABLE));
    builder.store(options, builder.offset(f, OPTIONS));
    let call = builder.call(formatter.value_type(), formatter, &[value, f]);
    call.inline_always(context);
    builder.return_void();
}

fn sink<'c>(module: &Module<'c>) -> Value<'c> {
    module.global(SINK).unwrap_or_else(|| module.add_global(SINK, module.context().int(8), 0))
}

/// A vtable of `dyn fmt::Write`.
fn sink_vtable<'c>(module: &Module<'c>) -> Value<'c> {
    if let Some(vtable) = module.global(SINK_VTABLE) {
        return vtable;
    }
    let context = module.context();
    let (pointer, word, bit) = (context.pointer(0), context.int(64), context.int(1));
    let method = |name, params: &[_]| module.declare(name, context.function(bit, params));
    let fields = [
        pointer.null(),
        word.constant(0),
        word.constant(1),
        method(formatters::SINK_WRITE_STR, &[pointer, pointer, word]),
        method(formatters::SINK_WRITE_CHAR, &[pointer, context.int(32)]),
        method(formatters::SINK_WRITE_FMT, &[pointer, pointer, pointer]),
    ];
    let vtable = context.structure(&fields);
    let global = module.add_global(SINK_VTABLE, vtable.ty(), 0);
    global.set_initializer(vtable);
    global.set_constant_global(true);
    global.set_linkage(Linkage::Internal);
    global
}

/// Replaces the calls that are known, and asks for inlining of the rest; says whether there were
/// any.
fn replace_calls<'c>(module: &Module<'c>, runtime: &Runtime<'c>, recorder: Value<'c>) -> bool {
    let context = module.context();
    let mut changed = false;
    for call in recorder.instructions() {
        if !call.is_call() {
            continue;
        }
        let callee = call.callee();
        if !callee.is_function() {
            changed |= unknown_formatter(module, runtime, call);
        } else if runtime.has(callee) {
            changed |= end_nested_panic(module, runtime, call);
        } else if let Some(known) = known(&path_of(&callee.name())) {
            changed |= Emitter::before(module, runtime, call).known(known, call);
        } else if callee != recorder && callee.intrinsic_id() == 0 && !callee.is_declaration()
            // Lines come after panics, which a formatter's code may hold.
            && !is_panic(module, callee)
        {
            call.inline_always(context);
            changed = true;
        }
    }
    changed
}

/// Whether a function is one that panics were sent to.
fn is_panic<'c>(module: &Module<'c>, function: Value<'c>) -> bool {
    is_recording(&function.name())
        || function.has_function_attribute(module.context().attribute_kind("noreturn"))
            && function.name().starts_with(PANIC_PREFIX)
}

/// A formatter from a vtable: the recorder's callers may know which it is.
fn unknown_formatter<'c>(module: &Module<'c>, runtime: &Runtime<'c>, call: Value<'c>) -> bool {
    match call.arguments()[..] {
        [value, f] if f.name().starts_with(FORMATTER_NAME) => {
            let emitter = Emitter::before(module, runtime, call);
            emitter.pending_value(value, call.callee(), emitter.options_of(f));
            call.replace_all_uses_with(call.ty().null());
            call.erase();
            true
        }
        _ => false,
    }
}

/// A formatter that panics: the record is already claimed, so the panic's own parts are added to it.
fn end_nested_panic<'c>(module: &Module<'c>, runtime: &Runtime<'c>, call: Value<'c>) -> bool {
    let emitter = Emitter::before(module, runtime, call);
    let callee = call.callee();
    if callee == runtime.str {
        let [text, len, ..] = call.arguments()[..] else { return false };
        emitter.string(Header::text(), emitter.word(0), text, len);
        emitter.end();
    } else if callee == runtime.bounds {
        emitter.text("index out of bounds");
        emitter.end();
    } else if callee != runtime.begin {
        return false;
    }
    call.erase();
    true
}

/// Whether nothing of the formatter is left. Something may still be pending: the recorder's callers
/// may know what.
fn is_finished(recorder: Value<'_>) -> bool {
    recorder.instructions().into_iter().all(|instruction| {
        let is_formatter = |value: Value<'_>| {
            let name = value.name();
            let is_memory = value.is_instruction() && value.opcode() == opcode::ALLOCA;
            is_memory && name.starts_with(FORMATTER_NAME) || name == SINK || name == SINK_VTABLE
        };
        !is_formatter(instruction) && !instruction.operands().into_iter().any(is_formatter)
    })
}

impl<'c> Emitter<'_, 'c> {
    /// Replaces a call of a known function; leaves it if its arguments are not as expected.
    fn known(&self, known: Known, call: Value<'c>) -> bool {
        if !self.record(known, &call.arguments()) {
            return false;
        }
        // Recording never fails; a builder's method returns the builder.
        let result = call.ty();
        match known {
            Known::Open(_) => {}
            Known::Field(_) | Known::HalfEntry => call.replace_all_uses_with(call.operand(0)),
            _ => call.replace_all_uses_with(result.null()),
        }
        call.erase();
        true
    }

    fn record(&self, known: Known, args: &[Value<'c>]) -> bool {
        match (known, args) {
            (Known::Value(primitive, notation), [value, f]) => match value.ty().kind() {
                TypeKind::Pointer => {
                    self.primitive(primitive, notation, self.options_of(*f), *value);
                }
                // Core's optimised code may pass the number itself.
                TypeKind::Int(bits) if bits == primitive.size() * 8 && bits <= 64 => {
                    let bits = self.builder.int_cast(*value, self.module.context().int(64));
                    let header = Header::value(primitive, notation);
                    self.value(header, self.options_of(*f), bits, self.word(0));
                }
                _ => return false,
            },
            (Known::Str(notation), [text, len, f]) => {
                self.string(Header::string(notation), self.options_of(*f), *text, *len);
            }
            (Known::Address, [address, f]) if address.ty().kind() == TypeKind::Int(64) => {
                let header = Header::value(Primitive::Address, Notation::Pointer);
                self.value(header, self.options_of(*f), *address, self.word(0));
            }
            (Known::WriteStr, [_, text, len]) => {
                self.string(Header::text(), self.word(0), *text, *len);
            }
            (Known::WriteChar, [_, c]) => {
                let c = self.builder.int_cast(*c, self.module.context().int(64));
                let header = Header::value(Primitive::Char, Notation::Display);
                self.value(header, self.default_options(), c, self.word(0));
            }
            (Known::WriteFmt, [_, template, arguments]) => {
                self.pending_message(*template, *arguments);
            }
            // A target other than the formatter's, such as a buffer, does not concern us.
            (Known::Write, [target, _, template, arguments]) => {
                if target.name() != SINK {
                    return false;
                }
                self.pending_message(*template, *arguments);
            }
            (Known::Pad, [f, text, len]) => {
                let header = Header::string(Notation::Display);
                self.string(header, self.options_of(*f), *text, *len);
            }
            (Known::FinishedGroup(group), [f, name, len, fields @ ..]) => {
                return self.finished_group(group, *f, (*name, *len), fields);
            }
            (Known::FinishedGroupOfMany(group), [f, name, len, lists @ ..]) => {
                return self.finished_group_of_many(group, *f, (*name, *len), lists);
            }
            (Known::Open(group), [b, f, name @ ..]) => {
                let (text, len) = match name {
                    [text, len] => (*text, *len),
                    _ => (self.module.context().pointer(0).null(), self.word(0)),
                };
                self.string(Header::open(group), self.options_of(*f), text, len);
                // The builder's methods find the formatter again.
                self.builder.store(*f, *b);
            }
            (Known::Field(Group::Struct), [b, name, len, value, vtable]) => {
                self.field(Some((*name, *len)), self.options_of_builder(*b), *value, *vtable);
            }
            (Known::Field(Group::Map), [b, key, key_vtable, value, value_vtable]) => {
                let options = self.options_of_builder(*b);
                self.field(None, options, *key, *key_vtable);
                self.field(None, options, *value, *value_vtable);
            }
            (Known::Field(_) | Known::HalfEntry, [b, value, vtable]) => {
                self.field(None, self.options_of_builder(*b), *value, *vtable);
            }
            (Known::Close { exhaustive }, [b]) => {
                self.mark(Header::close(exhaustive), self.options_of_builder(*b));
            }
            _ => return false,
        }
        true
    }

    fn options_of(&self, f: Value<'c>) -> Value<'c> {
        self.builder.load_aligned(self.module.context().int(64), self.builder.offset(f, OPTIONS), 8)
    }

    fn options_of_builder(&self, b: Value<'c>) -> Value<'c> {
        self.options_of(self.builder.load_aligned(self.module.context().pointer(0), b, 8))
    }

    /// A field and its value, which is a `&dyn` of the notation's trait.
    fn field(
        &self,
        name: Option<(Value<'c>, Value<'c>)>,
        options: Value<'c>,
        value: Value<'c>,
        vtable: Value<'c>,
    ) {
        match name {
            Some((text, len)) => self.string(Header::field(), options, text, len),
            None => self.mark(Header::field(), options),
        }
        let method = self.builder.offset(vtable, FIRST_METHOD);
        let formatter = self.builder.load_aligned(self.module.context().pointer(0), method, 8);
        self.pending_value(value, formatter, options);
    }

    fn finished_group(
        &self,
        group: Group,
        f: Value<'c>,
        (name, len): (Value<'c>, Value<'c>),
        fields: &[Value<'c>],
    ) -> bool {
        let width = if group == Group::Struct { 4 } else { 2 };
        if !fields.len().is_multiple_of(width) {
            return false;
        }
        let options = self.options_of(f);
        self.string(Header::open(group), options, name, len);
        for field in fields.chunks_exact(width) {
            match *field {
                [name, len, value, vtable] => {
                    self.field(Some((name, len)), options, value, vtable);
                }
                [value, vtable] => self.field(None, options, value, vtable),
                _ => return false,
            }
        }
        self.mark(Header::close(true), options);
        true
    }

    fn finished_group_of_many(
        &self,
        group: Group,
        f: Value<'c>,
        (name, len): (Value<'c>, Value<'c>),
        lists: &[Value<'c>],
    ) -> bool {
        let (names, values, count) = match *lists {
            [names, _, values, count] => (Some(names), values, count),
            [values, count] => (None, values, count),
            _ => return false,
        };
        let Some(count) = count.as_int() else { return false };
        let context = self.module.context();
        let (pointer, word) = (context.pointer(0), context.int(64));
        let options = self.options_of(f);
        self.string(Header::open(group), options, name, len);
        for index in 0..count {
            // Slices of `&str` and of `&dyn Debug`: two words each.
            let pair = |list, second| {
                let first =
                    self.builder.load_aligned(pointer, self.builder.offset(list, index * 16), 8);
                let at = self.builder.offset(list, index * 16 + 8);
                (first, self.builder.load_aligned(second, at, 8))
            };
            let (value, vtable) = pair(values, pointer);
            self.field(names.map(|names| pair(names, word)), options, value, vtable);
        }
        self.mark(Header::close(true), options);
        true
    }
}
