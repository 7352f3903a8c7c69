//! What kernels print: each call of `print!` becomes the number of a line and the words that are known
//! only at run time, or, if that is impossible, a *row*: a sequence of calls that record one part each.
//!
//! The call becomes `begin`, a pending message, `end`, which are decomposed like a panic's. They are in a
//! loop: `end` says whether to repeat. A row runs twice, first to count its words, then to write them into
//! a record of that size. A line with a number never repeats.
//!
//! ```text
//! before:  ...           jump line
//! line:    begin, parts, again = end      branch again ? line : behind
//! behind:  after, ...
//! ```
//!
//! A line gets a number if its parts are in one block ([`super::paths`] splits branches), its texts are
//! known, and it has few words. Its record is made in a function of its own, so that to the optimiser it is
//! one call with some values. [`inline_prints`] puts it in place once everything is optimised.

use std::collections::HashMap;

use ptyx_image::message::Header;
use ptyx_image::panic::Word;

use super::sites::{Words, read_parts};
use super::{Emitter, PRINT_PREFIX, Runtime, WRITE_INACCESSIBLE, paths, pending, take_apart};
use crate::llvm::{Builder, Linkage, LlvmError, Module, Target, Value, calls_of};
use crate::report::Diagnostic;
use crate::symbols::{
    PRINT, PRINT_CLAIM, PRINT_COMMIT, PRINT_END, PRINT_RUNTIME, PRINT_TEXT, PRINT_VALUE,
};

/// Prefix of the names of functions that make a line's record.
const LINE: &str = "ptyx.print.line.";
/// A placeholder that keeps the block after a line separate.
const AFTER: &str = "ptyx.print.after";

/// As `MAX_WORDS` in the device library's `print.rs`.
const MAX_WORDS: usize = 64;
/// Bytes before a record's words: `HEAD` there.
const HEAD: u64 = 16;
/// Bytes of a word.
const WORD: u64 = 8;
/// Words of a row: `Row` there.
const ROW_WORDS: u64 = 2;
/// LLVM's encoding of `memory(argmem: readwrite)`.
const WRITE_ARGUMENTS: u64 = 3;

/// Attributes of the functions that make a line's record.
const ATTRIBUTES: [&str; 4] = ["noinline", "nounwind", "willreturn", "convergent"];

/// The functions that stand for the parts of a line.
fn runtime<'c>(module: &Module<'c>) -> Runtime<'c> {
    let context = module.context();
    let (pointer, word) = (context.pointer(0), context.int(64));
    let (pending_message, pending_value) = pending(module, PRINT_PREFIX);
    let void = |name: &str, params: &[_]| {
        let name = format!("{PRINT_PREFIX}.{name}");
        module.declare(&name, context.function(context.void(), params))
    };
    // Lines have no entry points for bounds checks and literals, as panics do.
    let none = void("none", &[]);
    Runtime {
        prefix: PRINT_PREFIX,
        bounds: none,
        str: none,
        begin: void("begin", &[word]),
        text: void("text", &[word, word, pointer, word]),
        value: void("part", &[word, word, word, word]),
        end: module.declare(&format!("{PRINT_PREFIX}.end"), context.function(context.int(1), &[])),
        pending_message,
        pending_value,
    }
}

/// Replaces all printing, and gives the table of the lines with numbers.
pub(in crate::lower) fn redirect_prints<'c>(
    module: &mut Module<'c>,
    target: &Target,
) -> Result<Vec<Vec<Word>>, Diagnostic> {
    let Some(print) = module.function(PRINT).filter(|print| !print.users().is_empty()) else {
        // Otherwise the kernel would count as printing.
        make_internal(module);
        return Ok(Vec::new());
    };
    let runtime = runtime(module);
    for call in calls_of(print) {
        begin(module, &runtime, call);
    }
    take_apart(module, target, &runtime)?;
    paths::split(module, &runtime);
    let mut table = Table::default();
    for begin in calls_of(runtime.begin) {
        table.number(module, &runtime, begin);
    }
    rows(module, &runtime);
    if let Some(after) = module.function(AFTER) {
        calls_of(after).into_iter().for_each(Value::erase);
    }
    Ok(table.lines)
}

/// Makes the device library's functions internal, so that unused ones are dropped.
fn make_internal(module: &Module<'_>) {
    let functions = PRINT_RUNTIME.iter().filter_map(|name| module.function(name));
    for function in functions.filter(|function| !function.is_declaration()) {
        function.set_linkage(Linkage::Internal);
    }
}

/// Turns a call of `print!` into a line.
fn begin<'c>(module: &Module<'c>, runtime: &Runtime<'c>, call: Value<'c>) {
    let context = module.context();
    let [template, arguments, newline] = call.arguments()[..] else { return };
    let Some(next) = call.next_instruction() else { return };
    let behind = call.parent_block();
    behind.split_before(context, call);
    let line = behind.split_before(context, next);
    let emitter = Emitter::before(module, runtime, call);
    emitter.call(runtime.begin, &[emitter.word(0)]);
    emitter.pending_message(template, arguments);
    let newline = emitter.builder.int_cast(newline, context.int(64));
    emitter.string(Header::text(), emitter.word(0), emitter.bytes(b"\n"), newline);
    let again = emitter.call(runtime.end, &[]);
    emitter.builder.branch(again, line, behind);
    call.erase();
    if let Some(jump) = line.terminator() {
        jump.erase();
    }
    let after = module.declare(AFTER, context.function(context.void(), &[]));
    Emitter::before(module, runtime, next).call(after, &[]);
}

/// The lines with numbers.
#[derive(Default)]
struct Table {
    lines: Vec<Vec<Word>>,
    /// The number of each.
    numbers: HashMap<Vec<Word>, usize>,
}

impl Table {
    /// Makes the line at `begin` a number, if it can be one.
    fn number<'c>(&mut self, module: &Module<'c>, runtime: &Runtime<'c>, begin: Value<'c>) {
        let (mut calls, mut words) = (Vec::new(), Words::default());
        let Some(line) = read_parts(runtime, begin, &mut calls, &mut words) else { return };
        if words.recorded.len() > MAX_WORDS {
            return;
        }
        let Some(&end) = calls.last() else { return };
        let number = *self.numbers.entry(line.clone()).or_insert_with(|| {
            self.lines.push(line);
            self.lines.len() - 1
        });
        let count = words.recorded.len();
        let name = format!("{LINE}{number}");
        let function = module
            .function(&name)
            .unwrap_or_else(|| line_function(module, runtime, &name, number, count));
        let call = Emitter::before(module, runtime, end).call(function, &words.recorded);
        call.add_call_attribute(module.context().attribute("memory", WRITE_INACCESSIBLE));
        end.replace_all_uses_with(end.ty().null());
        calls.into_iter().rev().for_each(Value::erase);
    }
}

/// A function that records line `number` with its words.
fn line_function<'c>(
    module: &Module<'c>,
    runtime: &Runtime<'c>,
    name: &str,
    number: usize,
    words: usize,
) -> Value<'c> {
    let context = module.context();
    let ty = context.function(context.void(), &vec![context.int(64); words]);
    let function = module.add_function(name, ty);
    function.set_linkage(Linkage::Internal);
    for attribute in ATTRIBUTES {
        function.add_function_attribute(context.attribute(attribute, 0));
    }
    let builder = Builder::at_end(context, function.append_block(context));
    let emitter = Emitter { module, runtime, builder };
    let (Some(claim), Some(commit)) = (module.function(PRINT_CLAIM), module.function(PRINT_COMMIT))
    else {
        emitter.builder.return_void();
        return function;
    };
    let half = |value: usize| context.int(32).constant(value as u64);
    let record = emitter.call(claim, &[half(words)]);
    for (at, word) in (0..).zip(function.params()) {
        emitter.builder.store_volatile(word, emitter.builder.offset(record, HEAD + at * WORD));
    }
    emitter.call(commit, &[record, half(number + 1)]);
    emitter.builder.return_void();
    function
}

/// Makes rows of the lines that are left.
fn rows<'c>(module: &Module<'c>, runtime: &Runtime<'c>) {
    let context = module.context();
    let functions = [PRINT_TEXT, PRINT_VALUE, PRINT_END].map(|name| module.function(name));
    let [Some(text), Some(value), Some(end)] = functions else { return };
    // The lines of a function are recorded one after another, so they share a row.
    let mut known: HashMap<Value<'c>, Value<'c>> = HashMap::new();
    for (mark, function) in [(runtime.text, text), (runtime.value, value), (runtime.end, end)] {
        for call in calls_of(mark) {
            let parent = call.parent_function();
            let row = *known.entry(parent).or_insert_with(|| row(module, parent));
            let arguments: Vec<_> = [row].into_iter().chain(call.arguments()).collect();
            let emitter = Emitter::before(module, runtime, call);
            let own = emitter.call(function, &arguments);
            own.add_call_attribute(
                context.attribute("memory", WRITE_ARGUMENTS | WRITE_INACCESSIBLE),
            );
            if mark == runtime.end {
                call.replace_all_uses_with(emitter.builder.is_not_zero(own));
            }
            call.erase();
        }
    }
    calls_of(runtime.begin).into_iter().for_each(Value::erase);
}

/// A row at the start of a function, empty.
fn row<'c>(module: &Module<'c>, function: Value<'c>) -> Value<'c> {
    let context = module.context();
    let Some(first) = function.first_instruction() else { return context.pointer(0).null() };
    let builder = Builder::before(context, first);
    let row = builder.alloca(context.int(64).array(ROW_WORDS), WORD as u32);
    for at in 0..ROW_WORDS {
        builder.store(context.int(64).constant(0), builder.offset(row, at * WORD));
    }
    row
}

/// Puts the records of lines in place of the calls, in an optimised module.
pub(crate) fn inline_prints<'c>(module: &mut Module<'c>, target: &Target) -> Result<(), LlvmError> {
    let context = module.context();
    let noinline = context.attribute_kind("noinline");
    for function in module.functions() {
        let name = function.name();
        if name.starts_with(LINE) {
            function.remove_function_attribute(noinline);
            for call in calls_of(function) {
                call.remove_call_attribute(noinline);
                call.inline_always(context);
            }
        }
    }
    make_internal(module);
    module.run_passes("always-inline,globaldce", target)
}
