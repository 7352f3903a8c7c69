//! Replaces a global, whose address is a constant, by an address that is read at run time.

use std::collections::BTreeMap;

use crate::llvm::{Builder, Module, Type, Value, opcode};

/// Replaces one global.
struct Replacing<'m, 'c> {
    module: &'m Module<'c>,
    global: Value<'c>,
    /// Where the address is, and its type.
    variable: Value<'c>,
    ty: Type<'c>,
    /// The first instruction of each function, before any was added.
    starts: BTreeMap<Value<'c>, Value<'c>>,
    /// What stands for the global, or for a constant expression made of it, in a function.
    known: BTreeMap<(Value<'c>, Value<'c>), Value<'c>>,
}

/// Replaces `global` by the address that `variable` holds, in each function that uses it. The address is
/// read where the function starts.
///
/// # Errors
/// The name of another global that refers to it.
pub(super) fn replace_by_loads<'c>(
    module: &Module<'c>,
    global: Value<'c>,
    variable: Value<'c>,
    ty: Type<'c>,
) -> Result<(), String> {
    let (starts, known) = (BTreeMap::new(), BTreeMap::new());
    let mut replacing = Replacing { module, global, variable, ty, starts, known };
    replacing.replace(global)?;
    // Constant expressions that nothing uses any more.
    global.replace_all_uses_with(module.context().pointer(0).null());
    Ok(())
}

impl<'c> Replacing<'_, 'c> {
    /// Replaces `constant`, the global or an expression made of it, where instructions use it.
    fn replace(&mut self, constant: Value<'c>) -> Result<(), String> {
        for user in constant.users() {
            if user.is_instruction() {
                let value = self.value_in(user.parent_function(), constant);
                for (at, operand) in (0..).zip(user.operands()) {
                    if operand == constant {
                        user.set_operand(at, value);
                    }
                }
            } else if is_known_expression(user) && user.operand(0) == constant {
                self.replace(user)?;
            } else {
                return Err(holder_of(user));
            }
        }
        Ok(())
    }

    /// What stands for `constant` in a function.
    fn value_in(&mut self, function: Value<'c>, constant: Value<'c>) -> Value<'c> {
        if let Some(value) = self.known.get(&(function, constant)) {
            return *value;
        }
        let base = (constant != self.global).then(|| self.value_in(function, constant.operand(0)));
        let first = function.first_instruction();
        // An instruction that uses it is there.
        let Some(first) = self.starts.get(&function).copied().or(first) else { return constant };
        self.starts.insert(function, first);
        let context = self.module.context();
        let builder = Builder::before(context, first);
        let value = match (base, constant.constant_opcode()) {
            (Some(base), Some(opcode::GET_ELEMENT_PTR)) => {
                let element = self.module.size_of(constant.element_type());
                let index = constant.operand(1).as_int().unwrap_or_default();
                builder.offset(base, index.wrapping_mul(element))
            }
            (Some(base), Some(operation)) => builder.cast(operation, base, constant.ty()),
            _ => {
                let address = builder.load_aligned(self.ty, self.variable, 8);
                let never_changes = context.metadata_kind("invariant.load");
                address.set_metadata(never_changes, context.metadata_node(&[]));
                builder.cast(opcode::ADDRESS_SPACE_CAST, address, context.pointer(0))
            }
        };
        self.known.insert((function, constant), value);
        value
    }
}

/// Whether it is an address some bytes further, with one index as rustc writes it, or a cast.
fn is_known_expression(constant: Value<'_>) -> bool {
    match constant.constant_opcode() {
        Some(opcode::GET_ELEMENT_PTR) => {
            matches!(constant.operands()[..], [_, index] if index.as_int().is_some())
        }
        Some(opcode::PTR_TO_INT | opcode::ADDRESS_SPACE_CAST) => true,
        _ => false,
    }
}

/// The name of the global variable that a constant is a part of.
fn holder_of(constant: Value<'_>) -> String {
    if constant.is_global_variable() {
        return constant.name();
    }
    constant.users().first().map(|user| holder_of(*user)).unwrap_or_default()
}
