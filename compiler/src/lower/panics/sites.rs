//! Turns panics into numbers, once the code is optimised.
//!
//! A call would cost a kernel registers even if it is never reached: the assembler counts those of
//! every function called, and those that its calling convention keeps. So no call is left, and little
//! code. What is known of a panic moves into a table on the host (`ptyx_image::panic`); in the kernel,
//! a panic is its number there and the words that are known only at run time. All panics of a function
//! jump to one block, its *tail*, which claims the record, writes number and words, and ends the
//! thread.
//!
//! This comes last, because the optimiser's heuristics count instructions: until then, a panic is one
//! call.
//!
//! A panic stays a sequence of calls if its parts depend on a branch ([`super::paths`] did not split
//! it), if its location or a text is known only at run time, or if it shows very many values.

use std::collections::HashMap;

use ptyx_image::message::Header;
use ptyx_image::panic::{Message, Panics, Site, Word};

use crate::llvm::{
    Builder, Context, Linkage, LlvmError, Module, Target, TypeKind, Value, calls_of, opcode,
};
use crate::rust::read_location;
use crate::symbols::{PANIC_CLAIM, PANIC_FINISH, PANIC_MODULE, PANIC_RUNTIME, PANIC_TAIL};

/// How deep calls among functions that only panic may nest.
const ROUNDS: usize = 8;
/// A function that only panics is inlined into its callers if it has no more instructions than this:
/// `core`'s helpers and what [`super::outline`] makes have a few dozen.
const MAX_INSTRUCTIONS: usize = 120;
/// A panic with more run-time words stays a sequence of calls: each word would take registers, and only
/// the calls check for the end of the record.
const MAX_WORDS: usize = 64;
/// Bytes of a word of a record.
const WORD: u64 = 8;

/// Replaces the panics of an optimised module, as far as possible, and returns their table.
pub(crate) fn number_panics<'c>(
    module: &mut Module<'c>,
    target: &Target,
) -> Result<Panics, LlvmError> {
    let Some(runtime) = Runtime::find(module) else { return Ok(Panics::default()) };
    for _ in 0..ROUNDS {
        if !inline_panicking(module, &runtime) {
            break;
        }
        module.run_passes("always-inline", target)?;
    }
    let mut table = Table::default();
    for function in module.functions() {
        if !function.is_declaration() && !runtime.has(function) {
            replace(module, &runtime, &mut table, function);
        }
    }
    for name in PANIC_RUNTIME {
        if let Some(function) = module.function(name) {
            function.set_linkage(Linkage::Internal);
        }
    }
    module.run_passes("always-inline,globaldce", target)?;
    Ok(table.panics)
}

/// The device library's functions.
struct Runtime<'c> {
    parts: super::Runtime<'c>,
    claim: Value<'c>,
    finish: Value<'c>,
}

impl<'c> Runtime<'c> {
    fn find(module: &Module<'c>) -> Option<Runtime<'c>> {
        Some(Runtime {
            parts: super::Runtime::find(module)?,
            claim: module.function(PANIC_CLAIM)?,
            finish: module.function(PANIC_FINISH)?,
        })
    }

    fn has(&self, function: Value<'c>) -> bool {
        PANIC_RUNTIME.contains(&function.name().as_str())
    }

    /// Whether a panic may begin with a call of `function`.
    fn begins(&self, function: Value<'c>) -> bool {
        [self.parts.bounds, self.parts.str, self.parts.begin].contains(&function)
    }
}

/// Asks for inlining of short functions that only panic and call no others of the kernel: locations and
/// values are known in their callers.
fn inline_panicking<'c>(module: &Module<'c>, runtime: &Runtime<'c>) -> bool {
    let context = module.context();
    let noreturn = context.attribute_kind("noreturn");
    let noinline = context.attribute_kind("noinline");
    let mut any = false;
    for function in module.functions() {
        if function.is_declaration()
            || runtime.has(function)
            || !function.has_function_attribute(noreturn)
        {
            continue;
        }
        let instructions = function.instructions();
        let mut panics = false;
        let is_leaf = instructions.iter().filter(|i| i.is_call()).all(|call| {
            let callee = call.callee();
            panics |= runtime.begins(callee);
            callee.is_inline_asm() || callee.is_function() && is_known(runtime, callee)
        });
        if !is_leaf || !panics || instructions.len() > MAX_INSTRUCTIONS {
            continue;
        }
        for call in calls_of(function) {
            call.remove_call_attribute(noinline);
            call.inline_always(context);
            any = true;
        }
        function.remove_function_attribute(noinline);
    }
    any
}

/// Whether `callee` is not one of the kernel's own functions.
fn is_known<'c>(runtime: &Runtime<'c>, callee: Value<'c>) -> bool {
    runtime.has(callee) || callee.intrinsic_id() != 0
}

/// The panics of a module.
#[derive(Default)]
struct Table {
    panics: Panics,
    known: HashMap<(u32, u32, u32, Message), u32>,
}

impl Table {
    /// The number of a site; equal panics share it.
    fn number(&mut self, (file, line, column): (String, u32, u32), message: Message) -> u32 {
        let file = self.panics.file(file);
        *self.known.entry((file, line, column, message.clone())).or_insert_with(|| {
            self.panics.sites.push(Site { file, line, column, message });
            self.panics.sites.len() as u32 - 1
        })
    }
}

/// A panic in a block: the calls that it is made of, the block's end, its number and its words.
struct Panic<'c> {
    calls: Vec<Value<'c>>,
    end: Value<'c>,
    number: u32,
    words: Vec<Value<'c>>,
}

/// Replaces the panics of a function.
fn replace<'c>(module: &Module<'c>, runtime: &Runtime<'c>, table: &mut Table, function: Value<'c>) {
    let context = module.context();
    let begins = |i: &Value<'c>| i.is_call() && runtime.begins(i.callee());
    let panics: Vec<Panic<'c>> = function
        .instructions()
        .into_iter()
        .filter(begins)
        .filter_map(|begin| Panic::read(runtime, table, begin))
        .collect();
    let Some(first) = panics.first() else { return };
    let tail = function.append_block(context);
    tail.set_name(PANIC_TAIL);
    let builder = Builder::at_end(context, tail);
    // The end itself has no debug location where panics may unwind: calls that don't return share it.
    builder.take_place(first.calls.first().copied().unwrap_or(first.end));
    // The words of each panic, in the types that they reach the tail in.
    let count = panics.iter().map(|panic| panic.words.len()).max().unwrap_or(0);
    let (word, half) = (context.int(64), context.int(32));
    let mut incoming = vec![Vec::new(); count];
    let mut numbers = Vec::new();
    let is_half: Vec<bool> = (0..count)
        .map(|slot| {
            panics.iter().all(|panic| panic.words.get(slot).is_none_or(|&word| is_half(word)))
        })
        .collect();
    for panic in &panics {
        let block = panic.end.parent_block();
        let before = Builder::before(context, panic.end);
        numbers.push((half.constant(panic.number.into()), block));
        for (slot, incoming) in incoming.iter_mut().enumerate() {
            let ty = if is_half[slot] { half } else { word };
            let value = match panic.words.get(slot) {
                Some(&value) if value.is_constant() => before.int_cast(value, ty),
                Some(&value) => copy(context, &before, before.int_cast(value, ty)),
                None => ty.undefined(),
            };
            incoming.push((value, block));
        }
        before.jump(tail);
    }
    let number = builder.phi(half, &numbers);
    let types = is_half.iter().map(|&is_half| if is_half { half } else { word });
    let words: Vec<_> =
        types.zip(&incoming).map(|(ty, incoming)| builder.phi(ty, incoming)).collect();
    let parts = builder.call(runtime.claim.value_type(), runtime.claim, &[]);
    for (slot, value) in words.into_iter().enumerate() {
        let place = builder.offset(parts, slot as u64 * WORD);
        builder.store_volatile(builder.int_cast(value, word), place);
    }
    builder.call(runtime.finish.value_type(), runtime.finish, &[parts, number]);
    builder.unreachable();
    for panic in panics {
        panic.end.erase();
        for call in panic.calls.into_iter().rev() {
            call.erase();
        }
    }
}

/// A copy that stays in its block, together with what it copies. Otherwise the backend drops the block,
/// and computes the copies, and everything that only they need, before the branch.
fn copy<'c>(context: &'c Context, builder: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    let ty = value.ty();
    let (template, constraints) = match ty.kind() {
        TypeKind::Int(32) => ("mov.b32 $0, $1;", "=r,r"),
        _ => ("mov.b64 $0, $1;", "=l,l"),
    };
    let function = context.function(ty, &[ty]);
    builder.call(function, context.inline_asm(function, template, constraints, true), &[value])
}

/// Whether the upper half of a word is known to be zero.
fn is_half(word: Value<'_>) -> bool {
    match word.as_int() {
        Some(value) => u32::try_from(value).is_ok(),
        None => {
            word.is_instruction()
                && word.opcode() == opcode::ZERO_EXTEND
                && matches!(word.operand(0).ty().kind(), TypeKind::Int(..=32))
        }
    }
}

impl<'c> Panic<'c> {
    /// The panic that starts with `begin`, if all of it is in its block and everything that must be
    /// known is.
    fn read(runtime: &Runtime<'c>, table: &mut Table, begin: Value<'c>) -> Option<Panic<'c>> {
        let end = begin.parent_block().terminator()?;
        if end.opcode() != opcode::UNREACHABLE {
            return None;
        }
        let mut calls = Vec::new();
        let mut words = Words::default();
        let arguments = begin.arguments();
        let (location, message) = match arguments[..] {
            [index, len, location] if begin.callee() == runtime.parts.bounds => {
                calls.push(begin);
                let (index, len) = (words.word(index), words.word(len));
                (location, Message::Bounds { index, len })
            }
            [text, len, location] if begin.callee() == runtime.parts.str => {
                calls.push(begin);
                let options = Word::Constant(0);
                let mut parts = Vec::new();
                push_text(&mut parts, Header::text(), options, &constant_text(text, len)?);
                (location, Message::Parts(parts))
            }
            [location] => {
                let parts = read_parts(&runtime.parts, begin, &mut calls, &mut words)?;
                (location, Message::Parts(parts))
            }
            _ => return None,
        };
        if words.recorded.len() > MAX_WORDS {
            return None;
        }
        let number = table.number(read_location(location)?, message);
        Some(Panic { calls, end, number, words: words.recorded })
    }
}

/// The words that are known at run time only.
#[derive(Default)]
pub(super) struct Words<'c> {
    pub(super) recorded: Vec<Value<'c>>,
}

impl<'c> Words<'c> {
    fn word(&mut self, value: Value<'c>) -> Word {
        if let Some(constant) = value.as_int() {
            return Word::Constant(constant);
        }
        let known = self.recorded.iter().position(|recorded| *recorded == value);
        Word::Recorded(known.unwrap_or_else(|| {
            self.recorded.push(value);
            self.recorded.len() - 1
        }) as u32)
    }
}

/// The parts between `begin` and the end of the panic or line.
pub(super) fn read_parts<'c>(
    runtime: &super::Runtime<'c>,
    begin: Value<'c>,
    calls: &mut Vec<Value<'c>>,
    words: &mut Words<'c>,
) -> Option<Vec<Word>> {
    let mut parts = Vec::new();
    let mut next = Some(begin);
    while let Some(call) = next {
        next = call.next_instruction();
        if !call.is_call() {
            // A store would come before the record instead of after it, which is not observable.
            continue;
        }
        let callee = call.callee();
        if callee.is_function() && callee.intrinsic_id() != 0 {
            continue;
        }
        calls.push(call);
        match call.arguments()[..] {
            [_] if callee == runtime.begin => {}
            [header, options, text, len] if callee == runtime.text => {
                let text = constant_text(text, len)?;
                push_text(&mut parts, Header(header.as_int()?), words.word(options), &text);
            }
            [header, options, low, high] if callee == runtime.value => {
                parts.push(Word::Constant(header.as_int()?));
                parts.extend([options, low, high].map(|value| words.word(value)));
            }
            [] if callee == runtime.end => return Some(parts),
            _ => return None,
        }
    }
    None
}

/// A text that is known: a constant of bytes, of which a constant number counts.
fn constant_text(text: Value<'_>, len: Value<'_>) -> Option<Vec<u8>> {
    let len = usize::try_from(len.as_int()?).ok()?;
    match len {
        0 => Some(Vec::new()),
        _ => Some(text.constant_bytes()?.get(..len)?.to_vec()),
    }
}

/// Adds a part with a text, as `ptyx_image::message` describes it.
fn push_text(parts: &mut Vec<Word>, header: Header, options: Word, text: &[u8]) {
    parts.push(Word::Constant(header.0 | (text.len() as u64) << 32));
    parts.push(options);
    for bytes in text.chunks(WORD as usize) {
        let mut word = [0; WORD as usize];
        word[..bytes.len()].copy_from_slice(bytes);
        parts.push(Word::Constant(u64::from_le_bytes(word)));
    }
}

/// Puts the global that the host sets into constant memory, which is read without an address in
/// registers.
pub(super) fn move_host_global(module: &Module<'_>) {
    let context = module.context();
    let Some(global) = module.global(PANIC_MODULE) else { return };
    let ty = global.value_type();
    global.set_name("ptyx.old");
    let moved = module.add_global(PANIC_MODULE, ty, CONSTANT);
    moved.set_initializer(ty.null());
    moved.set_alignment(WORD as u32);
    global.replace_all_uses_with(moved.address_space_cast(context.pointer(0)));
    global.delete_global();
}

/// LLVM's number of the constant state space.
const CONSTANT: u32 = 4;
