//! Takes one kernel out of the module of all kernels, and finds out its name.

use std::collections::BTreeSet;

use crate::link::{KernelRoot, make_lazy};
use crate::llvm::{self, Context, Value};
use crate::lower;
use crate::report::Diagnostic;
use crate::rust::path_of;
use crate::symbols::{PANIC_RUNTIME, PRINT, PRINT_RUNTIME, WANTED};

/// A module with the kernels of `roots` and what they reach, and nothing else, as bitcode.
///
/// The result depends on nothing else in `bitcode`, not even on the order in which it has things: an edit
/// elsewhere must not change a kernel.
pub(crate) fn extract(bitcode: &[u8], roots: &[KernelRoot]) -> Result<Vec<u8>, Diagnostic> {
    let name = roots.first().map_or("", |root| &root.type_name);
    let symbols = roots.iter().map(|root| root.symbol.as_str());
    let first: Vec<&str> = symbols.chain(PANIC_RUNTIME).collect();
    // Functions of the device library may in turn need others of it.
    let mut needed: BTreeSet<String> = BTreeSet::new();
    loop {
        let mut wanted = first.clone();
        wanted.extend(needed.iter().map(String::as_str));
        // The names of a context's types depend on what else was read into it.
        let context = &Context::new();
        let (module, found) = take(context, bitcode, name, &wanted)?;
        if found.is_subset(&needed) {
            return Ok(module.to_bitcode());
        }
        needed.extend(found);
    }
}

/// A module with `wanted` and what it reaches, and what that needs in addition.
///
/// One variable refers to all that is wanted, and LLVM links what it reaches from there, as it reaches it. All
/// in one go: with what is linked later, the lines of the source would come again.
fn take<'c>(
    context: &'c Context,
    bitcode: &[u8],
    name: &str,
    wanted: &[&str],
) -> Result<(llvm::Module<'c>, BTreeSet<String>), Diagnostic> {
    let library = llvm::Module::parse_lazily(context, bitcode)?;
    // Private ones, too: names are unique in this module.
    make_lazy(&library, |_| false);
    let texts: Vec<_> = lower::linked_ptx(&library)
        .into_iter()
        .map(|(text, linked)| (text.name(), linked.functions))
        .collect();
    let find = |name: &&str| library.function(name).or_else(|| library.global(name));
    let references: Vec<Value<'c>> = wanted.iter().filter_map(find).collect();
    let references = context.structure(&references);
    let anchor = library.add_global(WANTED, references.ty(), 0);
    anchor.set_initializer(references);
    let mut module = llvm::Module::empty(context, name);
    module.link(library)?;
    if let Some(anchor) = module.global(WANTED) {
        anchor.delete_global();
    }
    let is_called =
        |function: &String| module.function(function).is_some_and(Value::is_declaration);
    let called = texts.into_iter().filter(|(_, functions)| functions.keys().any(is_called));
    let prints: &[&str] = if module.function(PRINT).is_some() { &PRINT_RUNTIME } else { &[] };
    let prints = prints.iter().map(|name| (*name).to_owned());
    let needed = called.map(|(name, _)| name).chain(lower::needed(&module)).chain(prints).collect();
    Ok((module, needed))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::Toolchain;
    use crate::symbols::PRINT_CLAIM;

    /// Two kernels, what both of them and what only one of them calls, and a function that neither reaches.
    const DEFINITIONS: [&str; 6] = [
        "define void @kernel_a(ptr %p) {\n call void @shared(ptr %p)\n call void @own()\n ret void\n}\n",
        "define void @kernel_b(ptr %p) {\n call void @shared(ptr %p)\n ret void\n}\n",
        "define internal void @shared(ptr %p) {\n %q = getelementptr %pair, ptr %p, i64 1\n \
         store i32 1, ptr %q\n ret void\n}\n",
        "define internal void @own() {\n call void @outside()\n ret void\n}\n",
        "define internal void @neither() {\n ret void\n}\n",
        "define void @__ptyx_panic_str() {\n call void @own()\n ret void\n}\n",
    ];

    fn root(symbol: &str) -> KernelRoot {
        KernelRoot {
            symbol: symbol.into(),
            type_name: "a::kernel".into(),
            instance: 0,
            sites: Vec::new(),
            layouts: Vec::new(),
            closures: Vec::new(),
        }
    }

    /// The bitcode of a module with these of the definitions, in this order.
    fn bitcode(order: &[usize]) -> Vec<u8> {
        let mut text = "%pair = type { i32, i32 }\ndeclare void @outside()\n".to_owned();
        text.extend(order.iter().map(|&index| DEFINITIONS[index]));
        llvm::Module::parse_text(&Context::new(), &text).unwrap().to_bitcode()
    }

    fn functions(bitcode: &[u8]) -> Vec<String> {
        let context = Context::new();
        let module = llvm::Module::parse(&context, bitcode).unwrap();
        let mut names: Vec<String> = module.functions().into_iter().map(Value::name).collect();
        names.sort();
        names
    }

    #[test]
    fn a_kernel_does_not_depend_on_what_is_around_it() {
        llvm::load(&Toolchain::for_test().libllvm).unwrap();
        let roots = [root("kernel_a"), root("kernel_b")];
        let all = bitcode(&[0, 1, 2, 3, 4, 5]);
        let (a, b) = (extract(&all, &roots[..1]).unwrap(), extract(&all, &roots[1..]).unwrap());
        assert_eq!(functions(&a), ["__ptyx_panic_str", "kernel_a", "outside", "own", "shared"]);
        // The function of the panics has it.
        assert_eq!(functions(&b), ["__ptyx_panic_str", "kernel_b", "outside", "own", "shared"]);

        // Another order, and without what it does not reach.
        let other = bitcode(&[5, 3, 4, 2, 1, 0]);
        assert_eq!(extract(&other, &roots[..1]).unwrap(), a);
        assert_eq!(extract(&bitcode(&[2, 1, 5, 3]), &roots[1..]).unwrap(), b);
        // Out of a group's module.
        let group = extract(&all, &roots).unwrap();
        assert_eq!(functions(&group).len(), 6);
        assert_eq!(extract(&group, &roots[..1]).unwrap(), a);
        assert_eq!(extract(&group, &roots[1..]).unwrap(), b);
    }

    #[test]
    fn what_prints_comes_with_kernels_that_print() {
        llvm::load(&Toolchain::for_test().libllvm).unwrap();
        let text = format!(
            "declare void @{PRINT}()\ndefine void @{PRINT_CLAIM}() {{\n ret void\n}}\n\
             define void @kernel_a() {{\n call void @{PRINT}()\n ret void\n}}\n\
             define void @kernel_b() {{\n ret void\n}}\n"
        );
        let all = llvm::Module::parse_text(&Context::new(), &text).unwrap().to_bitcode();
        let a = extract(&all, &[root("kernel_a")]).unwrap();
        assert_eq!(functions(&a), [PRINT, PRINT_CLAIM, "kernel_a"]);
        let b = extract(&all, &[root("kernel_b")]).unwrap();
        assert_eq!(functions(&b), ["kernel_b"]);
    }
}
