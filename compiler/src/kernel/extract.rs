//! Takes one kernel out of the module of all kernels, and finds out its name.

use std::collections::BTreeSet;

use crate::link::{KernelRoot, make_lazy};
use crate::llvm::{self, Context, Value};
use crate::lower;
use crate::report::Diagnostic;
use crate::rust::path_of;
use crate::symbols::{PANIC_RUNTIME, PRINT_RUNTIME};

/// A module with the kernel and what it reaches, and nothing else.
pub(super) fn extract<'c>(
    context: &'c Context,
    bitcode: &[u8],
    root: &KernelRoot,
) -> Result<llvm::Module<'c>, Diagnostic> {
    let mut module = llvm::Module::empty(context, &root.type_name);
    let void = context.function(context.void(), &[]);
    let declare = |module: &llvm::Module<'c>, name: &str| {
        if module.function(name).is_none() {
            module.add_function(name, void);
        }
    };
    declare(&module, &root.symbol);
    for name in PANIC_RUNTIME.into_iter().chain(PRINT_RUNTIME) {
        declare(&module, name);
    }
    // Functions of the device library may in turn need others of it.
    let mut known = BTreeSet::new();
    loop {
        let library = llvm::Module::parse_lazily(context, bitcode)?;
        // Private ones, too: names are unique in this one module, and the next round must find what
        // this one linked.
        make_lazy(&library, |_| false);
        let texts: Vec<_> = lower::linked_ptx(&library)
            .into_iter()
            .map(|(text, linked)| (text.name(), text.value_type(), linked))
            .collect();
        module.link(library)?;
        let mut is_complete = true;
        for (name, ty, linked) in texts {
            let is_called =
                |function: &String| module.function(function).is_some_and(Value::is_declaration);
            if module.global(&name).is_none() && linked.functions.keys().any(is_called) {
                module.add_global(&name, ty, 0);
                is_complete = false;
            }
        }
        let needed = lower::needed(&module);
        if is_complete && needed.is_subset(&known) {
            return Ok(module);
        }
        for name in needed {
            declare(&module, &name);
            known.insert(name);
        }
    }
}

/// The function of a kernel's module that unpacks the arguments and calls the kernel.
pub(super) fn unpacking_function<'c>(
    module: &llvm::Module<'c>,
    root: &KernelRoot,
) -> Result<Value<'c>, Diagnostic> {
    module
        .function(&root.symbol)
        .ok_or_else(|| Diagnostic::new("its unpacking function was lost while modules were linked"))
}

/// The kernel's name in messages: an unsafe kernel is launched through a closure, whose own name
/// says nothing.
pub(super) fn shown_name(type_name: &str, definition: &llvm::Place) -> String {
    if type_name.ends_with("{{closure}}") && !definition.function.is_empty() {
        return path_of(&definition.function);
    }
    type_name.to_owned()
}

/// Where the kernel itself is defined: the function at the end of `unpack` → `Fn::call` → kernel.
pub(super) fn definition_of_kernel<'c>(context: &'c Context, unpack: Value<'c>) -> llvm::Place {
    let calls = |function: Value<'c>| {
        let mut calls: Vec<Value<'c>> = function
            .instructions()
            .into_iter()
            .filter(|i| i.is_call() && i.callee().is_function() && i.callee().intrinsic_id() == 0)
            .map(|i| i.callee())
            .collect();
        calls.retain(|function| !function.is_declaration());
        calls
    };
    // Before it calls the kernel, the unpacking function reads the parameters.
    let shim = calls(unpack).last().copied().unwrap_or(unpack);
    let function = calls(shim).first().copied().unwrap_or(shim);
    function.definition(context).unwrap_or_default()
}
