//! Moves the records of a panic into a function of their own.
//!
//! What a panic shows takes a call for each part, but code that might panic should not get larger by
//! that: inlining and unrolling depend on size. So the calls move into a function that gets the values
//! and the location; panics that differ only in these share it.

use std::collections::HashMap;

use super::{Emitter, Runtime};
use crate::llvm::{Builder, Linkage, Module, Value, calls_of, opcode};

/// Attributes of the new functions.
const ATTRIBUTES: [&str; 5] = ["noreturn", "cold", "noinline", "nounwind", "convergent"];

/// The calls of one panic, `begin` first, `end` last.
struct Panic<'c> {
    calls: Vec<Value<'c>>,
    /// Their arguments that the new function gets, each once.
    values: Vec<Value<'c>>,
}

/// Moves every panic whose parts are in one block.
pub(super) fn panics<'c>(module: &Module<'c>, runtime: &Runtime<'c>) {
    let mut functions: HashMap<String, Value<'c>> = HashMap::new();
    let noreturn = module.context().attribute_kind("noreturn");
    for begin in calls_of(runtime.begin) {
        // These are such functions already.
        if runtime.has(begin.parent_function())
            || begin.parent_function().has_function_attribute(noreturn)
        {
            continue;
        }
        let Some(panic) = Panic::starting_at(runtime, begin) else { continue };
        let Some(&end) = panic.calls.last() else { continue };
        let emitter = Emitter::before(module, runtime, end);
        let call = match panic.only_text(runtime) {
            Some([text, len, location]) => emitter.call(runtime.str, &[text, len, location]),
            None => {
                let count = functions.len();
                let function = *functions
                    .entry(panic.shape())
                    .or_insert_with(|| panic.function(module, runtime, count));
                emitter.call(function, &panic.values)
            }
        };
        call.add_call_attribute(module.context().attribute("noreturn", 0));
        for call in panic.calls {
            call.erase();
        }
    }
}

impl<'c> Panic<'c> {
    /// The panic that starts with `begin`, if all of it is in its block and nothing in between has a
    /// side effect.
    fn starting_at(runtime: &Runtime<'c>, begin: Value<'c>) -> Option<Panic<'c>> {
        let mut panic = Panic { calls: Vec::new(), values: Vec::new() };
        let mut instruction = Some(begin);
        while let Some(current) = instruction {
            instruction = current.next_instruction();
            if !current.is_call() {
                if [opcode::STORE, opcode::ATOMIC_RMW].contains(&current.opcode()) {
                    return None;
                }
                continue;
            }
            let callee = current.callee();
            if callee.is_function() && callee.intrinsic_id() != 0 {
                continue;
            }
            if ![runtime.begin, runtime.text, runtime.value, runtime.end].contains(&callee) {
                return None;
            }
            for argument in current.arguments() {
                // The location is a constant, but a different one at each panic.
                let is_value = callee == runtime.begin || !argument.is_constant();
                if is_value && !panic.values.contains(&argument) {
                    panic.values.push(argument);
                }
            }
            panic.calls.push(current);
            if callee == runtime.end {
                return Some(panic);
            }
        }
        None
    }

    /// The arguments of `__ptyx_panic_str` for a panic that is text alone.
    fn only_text(&self, runtime: &Runtime<'c>) -> Option<[Value<'c>; 3]> {
        let [begin, text, _] = self.calls[..] else { return None };
        if text.callee() != runtime.text || text.operand(0).as_int() != Some(0) {
            return None;
        }
        Some([text.operand(2), text.operand(3), begin.operand(0)])
    }

    /// A text that is the same for panics that can share a function.
    fn shape(&self) -> String {
        let mut shape = String::new();
        for call in &self.calls {
            shape.push_str(&call.callee().name());
            for argument in call.arguments() {
                shape.push(' ');
                match self.values.iter().position(|value| *value == argument) {
                    Some(index) => shape.push_str(&format!("#{index}")),
                    None => shape.push_str(&argument.print()),
                }
            }
            shape.push('\n');
        }
        for value in &self.values {
            shape.push_str(&value.ty().print());
        }
        shape
    }

    fn function(&self, module: &Module<'c>, runtime: &Runtime<'c>, number: usize) -> Value<'c> {
        let context = module.context();
        let types: Vec<_> = self.values.iter().map(|value| value.ty()).collect();
        let ty = context.function(context.void(), &types);
        let function = module.add_function(&format!("ptyx.panic.{number}"), ty);
        function.set_linkage(Linkage::Internal);
        for attribute in ATTRIBUTES {
            function.add_function_attribute(context.attribute(attribute, 0));
        }
        let params = function.params();
        let builder = Builder::at_end(context, function.append_block(context));
        let emitter = Emitter { module, runtime, builder };
        for call in &self.calls {
            let of = |argument| match self.values.iter().position(|value| *value == argument) {
                Some(index) => params[index],
                None => argument,
            };
            let arguments: Vec<_> = call.arguments().into_iter().map(of).collect();
            emitter.call(call.callee(), &arguments);
        }
        emitter.builder.unreachable();
        function
    }
}
