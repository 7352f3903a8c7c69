//! Linkage: what nothing outside of the module refers to becomes internal, so that it is dropped once it is inlined.

use super::lower_symbols::is_dynamic_shared;
use super::place_statics::is_static_variable;
use crate::llvm::{Linkage, Module, Value};
use crate::symbols::{PANIC_MODULE, is_recording};

/// Makes everything internal except the entry, what the host looks up by name, and the functions of
/// panics and printing, which `panics` takes care of.
pub(super) fn internalise<'c>(module: &Module<'c>, entry: Value<'c>) {
    for value in module.functions().into_iter().chain(module.globals()) {
        if value.is_declaration() || is_dynamic_shared(value) {
            continue;
        }
        let name = value.name();
        if is_recording(&name) || is_static_variable(value) {
            continue;
        }
        let external = value == entry || name == PANIC_MODULE;
        value.set_linkage(if external { Linkage::External } else { Linkage::Internal });
    }
}
