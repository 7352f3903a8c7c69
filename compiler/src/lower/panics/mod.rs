//! Sends core's panics to the device library, and what kernels print.
//!
//! Every panic of core goes through one of the [`PANIC_ENTRIES`]. A bounds check carries two numbers, a
//! literal message is text. Of a message with run-time parts the kernel records the parts
//! (`ptyx_image::message`), and the host formats them: so a kernel contains no formatting code, and no
//! value is kept in memory just because a panic would show it.
//!
//! The optimiser finds out what an argument of `format_args!` is: an argument is a pointer to the value
//! and one to the function that formats it, written into an array. The steps:
//!
//! 1. Each call of an entry becomes `begin`, a pending message, `end`.
//! 2. Until nothing changes ([`expand`]): simplify the functions with something pending; a pending
//!    message with a known template becomes texts and pending values; a pending value with a known
//!    formatter of core becomes a record of the value, and with a formatter in Rust code a call of
//!    its recorder ([`recorder`]), in which the same happens.
//! 3. A function that never returns and could not find out (`unwrap_failed` has its error as `&dyn
//!    Debug`) is inlined into its callers, which know more.
//! 4. What is left is shown by name.
//! 5. A panic whose parts depend on a branch becomes one for each path ([`paths`]).
//! 6. The records of one panic are put into a function of their own ([`outline`]), which gets the
//!    values: little is left in the code that does not panic.
//! 7. Once everything is optimised, panics become numbers ([`sites`]), and find the record through
//!    what the launch says ([`launch`]).
//!
//! Lines are taken apart in the same way: [`prints`].

mod expand;
mod launch;
mod outline;
mod paths;
mod prints;
mod recorder;
mod sites;

use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use ptyx_image::message::{Header, Options};

use crate::llvm::{Builder, Linkage, Module, Target, Value, calls_of};
use crate::report::Diagnostic;
use crate::rust::fmt_template::literal_length;
use crate::rust::path_of;
use crate::rust::paths::{PANIC_ENTRIES, PanicEntry};
use crate::symbols::{
    PANIC_BEGIN, PANIC_BOUNDS, PANIC_END, PANIC_STR, PANIC_TEXT, PANIC_VALUE, is_recording,
};
pub(crate) use expand::SIMPLIFY;
pub(super) use launch::add_launch_params;
pub(crate) use launch::{LaunchInfo, bind_launch};
pub(crate) use prints::inline_prints;
pub(super) use prints::redirect_prints;
use recorder::AllRecorders;
pub(crate) use sites::number_panics;

/// What the names of functions for panics start with.
const PANIC_PREFIX: &str = "ptyx.panic";
/// The same for printed lines.
const PRINT_PREFIX: &str = "ptyx.print";

/// How many times functions that never return are inlined into their callers.
const ROUNDS: usize = 12;

/// The device library's functions, and placeholders for pending work.
#[derive(Clone, Copy)]
struct Runtime<'c> {
    /// Prefix of the names of functions that the compiler makes.
    prefix: &'static str,
    bounds: Value<'c>,
    str: Value<'c>,
    begin: Value<'c>,
    text: Value<'c>,
    value: Value<'c>,
    end: Value<'c>,
    /// A message that is still to be taken apart: `(template, arguments)`, the two words of
    /// `fmt::Arguments`.
    pending_message: Value<'c>,
    /// A value that is still to be recorded: `(value, formatter, options)`.
    pending_value: Value<'c>,
}

impl<'c> Runtime<'c> {
    fn find(module: &Module<'c>) -> Option<Runtime<'c>> {
        let (pending_message, pending_value) = pending(module, PANIC_PREFIX);
        Some(Runtime {
            prefix: PANIC_PREFIX,
            bounds: module.function(PANIC_BOUNDS)?,
            str: module.function(PANIC_STR)?,
            begin: module.function(PANIC_BEGIN)?,
            text: module.function(PANIC_TEXT)?,
            value: module.function(PANIC_VALUE)?,
            end: module.function(PANIC_END)?,
            pending_message,
            pending_value,
        })
    }

    /// Whether `function` is one of the device library's.
    fn has(&self, function: Value<'c>) -> bool {
        [self.bounds, self.str, self.begin, self.text, self.value, self.end].contains(&function)
    }

    /// The names of the functions with something pending.
    fn unfinished(&self) -> BTreeSet<String> {
        [self.pending_message, self.pending_value]
            .into_iter()
            .flat_map(calls_of)
            .map(|call| call.parent_function().name())
            .collect()
    }
}

/// The functions for what is still to be taken apart.
fn pending<'c>(module: &Module<'c>, prefix: &str) -> (Value<'c>, Value<'c>) {
    let context = module.context();
    let (pointer, word) = (context.pointer(0), context.int(64));
    let declare = |name: &str, params: &[_]| {
        module.declare(&format!("{prefix}.{name}"), context.function(context.void(), params))
    };
    (declare("message", &[pointer, pointer]), declare("value", &[pointer, pointer, word]))
}

/// Makes the calls that record a message.
struct Emitter<'m, 'c> {
    module: &'m Module<'c>,
    runtime: &'m Runtime<'c>,
    builder: Builder<'c>,
}

impl<'m, 'c> Emitter<'m, 'c> {
    fn before(module: &'m Module<'c>, runtime: &'m Runtime<'c>, call: Value<'c>) -> Self {
        Emitter { module, runtime, builder: Builder::before(module.context(), call) }
    }

    fn word(&self, value: u64) -> Value<'c> {
        self.module.context().int(64).constant(value)
    }

    fn call(&self, callee: Value<'c>, args: &[Value<'c>]) -> Value<'c> {
        let context = self.module.context();
        let call = self.builder.call(callee.value_type(), callee, args);
        call.add_call_attribute(context.attribute("convergent", 0));
        if callee == self.runtime.text || callee == self.runtime.value {
            // The records are in host memory, which nothing else here reads or writes; without this
            // attribute, a value would have to stay in memory.
            call.add_call_attribute(
                context.attribute("memory", READ_ARGUMENTS | WRITE_INACCESSIBLE),
            );
        }
        call
    }

    /// Claims the record.
    fn begin(&self, location: Value<'c>) {
        self.call(self.runtime.begin, &[location]);
    }

    /// Ends the thread.
    fn end(&self) {
        let call = self.call(self.runtime.end, &[]);
        call.add_call_attribute(self.module.context().attribute("noreturn", 0));
    }

    /// Literal text.
    fn text(&self, text: &str) {
        if !text.is_empty() {
            let bytes = self.bytes(text.as_bytes());
            self.string(Header::text(), self.word(0), bytes, self.word(text.len() as u64));
        }
    }

    /// A part with a text.
    fn string(&self, header: Header, options: Value<'c>, text: Value<'c>, len: Value<'c>) {
        self.call(self.runtime.text, &[self.word(header.0), options, text, len]);
    }

    /// A part without one.
    fn mark(&self, header: Header, options: Value<'c>) {
        let null = self.module.context().pointer(0).null();
        self.string(header, options, null, self.word(0));
    }

    /// A part with a value.
    fn value(&self, header: Header, options: Value<'c>, low: Value<'c>, high: Value<'c>) {
        self.call(self.runtime.value, &[self.word(header.0), options, low, high]);
    }

    fn pending_message(&self, template: Value<'c>, arguments: Value<'c>) {
        self.call(self.runtime.pending_message, &[template, arguments]);
    }

    fn pending_value(&self, value: Value<'c>, formatter: Value<'c>, options: Value<'c>) {
        self.call(self.runtime.pending_value, &[value, formatter, options]);
    }

    /// The options of `{}`.
    fn default_options(&self) -> Value<'c> {
        self.word(Options::DEFAULT.0)
    }

    /// A constant of bytes.
    fn bytes(&self, bytes: &[u8]) -> Value<'c> {
        // Equal texts are one global, so that equal panics can be recognised.
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let name = format!("panic_text.{:016x}", hasher.finish());
        if let Some(known) =
            self.module.global(&name).filter(|g| g.constant_bytes().as_deref() == Some(bytes))
        {
            return known;
        }
        let bytes = self.module.context().bytes(bytes);
        let global = self.module.add_global(&name, bytes.ty(), 0);
        global.set_initializer(bytes);
        global.set_constant_global(true);
        global.set_unnamed_address();
        global.set_linkage(Linkage::Internal);
        global
    }
}

/// LLVM's encoding of `memory(argmem: read)`: two bits per kind of memory, 1 for reading and 2 for
/// writing.
const READ_ARGUMENTS: u64 = 1;
/// `memory(inaccessiblemem: readwrite)`
const WRITE_INACCESSIBLE: u64 = 3 << 2;

/// Redirects every call of an entry point.
pub(super) fn redirect_panics<'c>(
    module: &mut Module<'c>,
    target: &Target,
) -> Result<(), Diagnostic> {
    // They, and those of printing, must not be changed before [`number`], which recognises them; and
    // `Emitter::call` states what their calls do to memory.
    for function in module.functions() {
        if !function.is_declaration() && is_recording(&function.name()) {
            function.set_linkage(Linkage::Weak);
        }
    }
    let Some(runtime) = Runtime::find(module) else { return Ok(()) };
    redirect_entries(module, &runtime);
    take_apart(module, target, &runtime)?;
    paths::split(module, &runtime);
    outline::panics(module, &runtime);
    sites::move_host_global(module);
    Ok(())
}

/// Decomposes everything that is pending.
fn take_apart<'c>(
    module: &mut Module<'c>,
    target: &Target,
    runtime: &Runtime<'c>,
) -> Result<(), Diagnostic> {
    let mut recorders = AllRecorders::default();
    for _ in 0..ROUNDS {
        for name in runtime.unfinished() {
            expand::settle(module, target, runtime, &mut recorders, &name)?;
        }
        if !ask_callers(module, runtime) {
            break;
        }
        module.run_passes("always-inline", target)?;
    }
    expand::give_up(module, runtime);
    Ok(())
}

fn redirect_entries<'c>(module: &Module<'c>, runtime: &Runtime<'c>) {
    for function in module.functions() {
        let path = path_of(&function.name());
        let Some((_, entry)) = PANIC_ENTRIES.iter().find(|(name, _)| *name == path) else {
            continue;
        };
        for call in calls_of(function) {
            let emitter = Emitter::before(module, runtime, call);
            match (entry, &call.arguments()[..]) {
                (PanicEntry::Bounds, [index, len, location]) => {
                    emitter.call(runtime.bounds, &[*index, *len, *location]);
                }
                (PanicEntry::Text, [text, len, location]) => {
                    emitter.call(runtime.str, &[*text, *len, *location]);
                }
                (PanicEntry::Format, [template, arguments, location])
                | (PanicEntry::FormatNoUnwind, [template, arguments, _, location]) => {
                    match literal_length(*arguments) {
                        Some(len) => {
                            let len = emitter.word(len);
                            emitter.call(runtime.str, &[*template, len, *location]);
                        }
                        None => {
                            emitter.begin(*location);
                            emitter.pending_message(*template, *arguments);
                            emitter.end();
                        }
                    }
                }
                _ => continue,
            }
            call.erase();
        }
    }
}

/// Asks for inlining of the functions with something pending.
fn ask_callers<'c>(module: &Module<'c>, runtime: &Runtime<'c>) -> bool {
    let context = module.context();
    let mut any = false;
    for name in runtime.unfinished() {
        let Some(function) = module.function(&name) else { continue };
        // For a panic this is worth it only in functions that don't return; for a line it always is.
        if runtime.prefix == PANIC_PREFIX
            && !function.has_function_attribute(context.attribute_kind("noreturn"))
        {
            continue;
        }
        for call in calls_of(function) {
            if call.parent_function() != function {
                call.inline_always(context);
                any = true;
            }
        }
    }
    any
}
