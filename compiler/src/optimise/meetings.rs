//! Where threads meet: code that waits for other threads or asks them, and so must not stand in a kernel twice. If some threads
//! ran one copy and some the other, they would not meet.
//!
//! LLVM says so by `convergent`, but every function has that attribute in a device pass that might contain such code. So the
//! bodies are looked at. What ends a thread because of a panic, of core or of the device library, does not meet
//! others.

use std::collections::BTreeMap;

use crate::llvm::{Block, Context, Value};
use crate::rust::{is_closed_std, path_of};
use crate::symbols::PANIC_RUNTIME;

/// Tells which code meets other threads.
pub(super) struct Meetings<'c> {
    convergent: u32,
    noreturn: u32,
    known: BTreeMap<Value<'c>, bool>,
}

impl<'c> Meetings<'c> {
    pub(super) fn new(context: &Context) -> Meetings<'c> {
        let [convergent, noreturn] =
            ["convergent", "noreturn"].map(|name| context.attribute_kind(name));
        Meetings { convergent, noreturn, known: BTreeMap::new() }
    }

    /// Whether a block may meet other threads.
    pub(super) fn in_block(&mut self, block: Block<'c>) -> bool {
        block.instructions().into_iter().any(|one| one.is_call() && self.at(one))
    }

    /// Whether a call may.
    pub(super) fn at(&mut self, call: Value<'c>) -> bool {
        let callee = call.callee();
        if callee.is_inline_asm() {
            // The copies that `join_checks` makes for reports stay where they are, and do no more.
            return callee.has_side_effects() && !callee.asm_template().starts_with("mov.b");
        }
        if !callee.is_function() {
            return true;
        }
        match callee.intrinsic_id() {
            0 => self.of(callee),
            _ => callee.has_function_attribute(self.convergent),
        }
    }

    fn of(&mut self, function: Value<'c>) -> bool {
        if let Some(known) = self.known.get(&function) {
            return *known;
        }
        // Meanwhile, for a function that calls itself.
        self.known.insert(function, false);
        let name = function.name();
        let is_alone = PANIC_RUNTIME.contains(&name.as_str())
            || function.has_function_attribute(self.noreturn) && is_closed_std(&path_of(&name));
        let meets = !is_alone
            && match function.blocks().is_empty() {
                true => function.has_function_attribute(self.convergent),
                false => function.blocks().into_iter().any(|block| self.in_block(block)),
            };
        self.known.insert(function, meets);
        meets
    }
}
