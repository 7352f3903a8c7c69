//! Refuses calls through what the host passed: function pointers and trait objects in arguments.
//!
//! Both are `Copy + Send`, so Rust's type system lets them pass, but they point to host code. Calling such
//! an address on a device is undefined behaviour, so the compiler must prevent it.

use std::collections::HashSet;

use crate::llvm::{Context, Place, Value, opcode};
use crate::report::{Diagnostic, is_local, is_own};

/// The first call reachable from `entry`, in an optimised module, whose target comes from the host.
pub(crate) fn find<'c>(context: &'c Context, entry: Value<'c>) -> Option<Place> {
    let mut seen = HashSet::from([entry]);
    let mut open = vec![entry];
    while let Some(function) = open.pop() {
        for call in function.instructions().into_iter().filter(|i| i.is_call()) {
            let callee = call.callee();
            if callee.is_inline_asm() {
                continue;
            }
            if callee.is_function() {
                if !callee.is_declaration() && seen.insert(callee) {
                    open.push(callee);
                }
            } else if (Trace { entry, seen: HashSet::new() }).leads_to_argument(callee, function) {
                return Some(place(context, call));
            }
        }
    }
    None
}

/// The error for such a call.
pub(crate) fn refuse(kernel: &str, place: Place) -> Diagnostic {
    Diagnostic::of_kernel(kernel, " calls a host function through an argument")
        .at(Some(place))
        .note("function pointers and trait objects from the host point to host code, which a device can't run")
        .help(
            "make the kernel generic, with `f: F` where `F: Fn(..) -> ..` or another trait, and pass \
             the function's name, a closure or the value itself",
        )
}

/// The innermost source location of an instruction in the user's package, or else outside std.
pub(super) fn place(context: &Context, instruction: Value<'_>) -> Place {
    let places = instruction.places(context);
    let own = || places.iter().filter(|place| is_own(place));
    let local = own().find(|place| is_local(&place.path()));
    local.or_else(|| own().next()).or(places.first()).cloned().unwrap_or_default()
}

/// Follows a pointer back to where it comes from.
struct Trace<'c> {
    entry: Value<'c>,
    seen: HashSet<Value<'c>>,
}

impl<'c> Trace<'c> {
    /// Whether `value` in `function` is part of the entry's arguments, or read from memory that they point
    /// to.
    ///
    /// This includes elements of buffers. They can't hold a useful device function pointer, because its
    /// address is only valid in the kernel that took it.
    fn leads_to_argument(&mut self, value: Value<'c>, function: Value<'c>) -> bool {
        if !self.seen.insert(value) {
            return false;
        }
        if let Some(at) = function.params().iter().position(|param| *param == value) {
            return function == self.entry || self.is_passed(function, at);
        }
        if !value.is_instruction() {
            return false;
        }
        match value.opcode() {
            opcode::LOAD
            | opcode::GET_ELEMENT_PTR
            | opcode::INT_TO_PTR
            | opcode::PTR_TO_INT
            | opcode::ADDRESS_SPACE_CAST
            | opcode::EXTRACT_VALUE
            | opcode::FREEZE => self.leads_to_argument(value.operand(0), function),
            opcode::PHI => {
                value.operands().into_iter().any(|from| self.leads_to_argument(from, function))
            }
            opcode::SELECT => {
                [1, 2].into_iter().any(|at| self.leads_to_argument(value.operand(at), function))
            }
            opcode::ALLOCA => self.is_copy(value, function),
            _ => false,
        }
    }

    /// Whether a caller passes part of the entry's arguments as parameter `at`.
    fn is_passed(&mut self, function: Value<'c>, at: usize) -> bool {
        let calls = function.users().into_iter();
        let calls = calls.filter(|user| user.is_call() && user.callee() == function);
        let mut passed =
            calls.filter_map(|call| Some((*call.arguments().get(at)?, call.parent_function())));
        passed.any(|(value, caller)| self.leads_to_argument(value, caller))
    }

    /// Whether a variable is a copy of an argument and nothing else is ever written into it.
    fn is_copy(&mut self, variable: Value<'c>, function: Value<'c>) -> bool {
        let mut copied = false;
        let mut places = vec![variable];
        while let Some(place) = places.pop() {
            for user in place.users() {
                if !user.is_instruction() {
                    return false;
                }
                match user.opcode() {
                    opcode::GET_ELEMENT_PTR | opcode::ADDRESS_SPACE_CAST => places.push(user),
                    opcode::STORE if user.operand(1) == place => return false,
                    opcode::CALL if user.callee().name().starts_with("llvm.memcpy") => {
                        let [to, from, ..] = user.arguments()[..] else { return false };
                        if to == place && !self.leads_to_argument(from, function) {
                            return false;
                        }
                        copied |= to == place;
                    }
                    _ => {}
                }
            }
        }
        copied
    }
}
