//! Links the kernels of a program with all that they reach, as one module of bitcode.
//!
//! `roots` finds the launches of the package's own modules, each with its kernel; `sysroot` has the
//! bodies of `core` and `alloc`; `libdevice` puts NVIDIA's mathematical functions in the place of ours.
//! Once kernels are compiled, `sites` says what the host finds them by.

mod libdevice;
mod roots;
mod sites;
pub(crate) mod sysroot;

use std::collections::{BTreeSet, HashSet};
use std::fs;

use ptyx_image::{Arch, Layout};

use crate::device_pass::{Family, Program};
use crate::llvm::known::DROP_UNUSED;
use crate::llvm::{BASE_PTX, Context, Linkage, Module, Target, Value};
use crate::lower::remove_exceptions;
use crate::report::Diagnostic;
use crate::rust::paths::PANIC_ENTRIES;
use crate::rust::{instantiating_crate, path_of};
use crate::symbols::{LINKED_PTX, LINKED_PTX_SECTION, PREFIX};

pub(crate) use libdevice::check_libdevice;
pub(crate) use roots::{KernelRoot, LaunchSite};
pub(crate) use sites::name_sites;

/// Globals that tell the host's linker something.
const LINKER_GLOBALS: [&str; 4] =
    ["llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors"];

/// Kernels of one family, linked with what they reach.
pub(crate) struct Linked {
    /// The kernels.
    pub(crate) roots: Vec<KernelRoot>,
    /// One module with every kernel and all it reaches.
    pub(crate) bitcode: Vec<u8>,
    /// The number of kernels in the families before this one.
    pub(crate) before: usize,
    /// For each kernel the crate that launches it: its place among all crates of the program.
    pub(crate) owners: Vec<usize>,
}

/// The key by which a program looks up a launch.
type Key = (String, String, u64, Vec<Layout>);

/// Links each family of `program` that has kernels.
///
/// Families can contain the same kernels, because tests have their own variants of crates. If the program
/// looks up several kernels by the same key, the first family's is used.
pub(crate) fn link(program: &Program) -> Result<Vec<Linked>, Diagnostic> {
    let mut known: HashSet<Key> = HashSet::new();
    let mut linked: Vec<Linked> = Vec::new();
    let (mut modules, mut before) = (0, 0);
    for family in &program.families {
        if let Some(found) = link_family(program, family, modules, &known)? {
            let keys = |root: &KernelRoot| -> Vec<Key> {
                root.sites.iter().map(|site| key(root, site)).collect()
            };
            known.extend(found.roots.iter().flat_map(keys));
            let count = found.roots.len();
            linked.push(Linked { before, ..found });
            before += count;
        }
        modules += family.own.len();
    }
    Ok(linked)
}

fn key(root: &KernelRoot, site: &LaunchSite) -> Key {
    (root.type_name.clone(), site.id.clone(), site.crate_id, root.layouts.clone())
}

/// The kernels of a family and their module, or nothing if all of its kernels are `known`.
/// `first` is the number of its first module.
fn link_family(
    program: &Program,
    family: &Family,
    first: usize,
    known: &HashSet<Key>,
) -> Result<Option<Linked>, Diagnostic> {
    let context = Context::new();
    // Passes want a target machine; which one does not matter to dead-code elimination.
    let target = Target::new(Arch::BASE, BASE_PTX)?;
    let mut all = Module::empty(&context, "kernels");
    let (mut roots, mut owners) = (Vec::new(), Vec::new());
    let mut texts = BTreeSet::new();
    for (index, path) in family.own.iter().enumerate() {
        let mut module = Module::parse(&context, &read(path)?)?;
        add_linked_ptx(&module, &mut texts);
        drop_linker_globals(&module);
        remove_exceptions(&mut module, &target)?;
        let mut found = roots::take(&context, &module, first + index)?;
        for root in &mut found {
            let sites = std::mem::take(&mut root.sites);
            root.sites =
                sites.into_iter().filter(|site| !known.contains(&key(root, site))).collect();
        }
        found.retain(|root| !root.sites.is_empty());
        if found.is_empty() {
            continue;
        }
        let symbols: HashSet<&str> = found.iter().map(|root| root.symbol.as_str()).collect();
        keep_only(&module, |f| symbols.contains(f.name().as_str()));
        module.run_passes(DROP_UNUSED, &target)?;
        all.link(module)?;
        owners.extend(found.iter().map(|_| first + index));
        roots.extend(found);
    }
    if roots.is_empty() {
        return Ok(None);
    }
    // Each dependency comes after those that it needs, so users come first here.
    for path in family.dependencies.iter().rev() {
        link_as_needed(&mut all, &read(path)?, &mut texts)?;
    }
    link_copies(&mut all, program)?;
    for library in sysroot::crates(&program.toolchain.sysroot, &program.toolchain.target)? {
        link_sysroot(&mut all, &library)?;
    }
    if let Some(file) = &program.libdevice {
        libdevice::link(&mut all, file)?;
    }
    for (index, text) in texts.iter().enumerate() {
        let ty = context.int(8).array(text.len() as u64);
        let variable = all.add_global(&format!("{LINKED_PTX}{index}"), ty, 0);
        variable.set_initializer(context.bytes(text));
        variable.set_constant_global(true);
    }
    declare_panic_entries(&all);
    let symbols: HashSet<&str> = roots.iter().map(|root| root.symbol.as_str()).collect();
    for function in all.functions() {
        if !function.is_declaration() {
            let name = function.name();
            let is_kernel = symbols.contains(name.as_str());
            function.set_linkage(if is_kernel || name.starts_with(PREFIX) {
                Linkage::External
            } else {
                Linkage::Internal
            });
        }
    }
    Ok(Some(Linked { roots, bitcode: all.to_bitcode(), before: 0, owners }))
}

/// Makes declarations of core's panic entry points: lowering redirects all calls of them, and until then the code that they
/// call to format numbers would be a large part of most kernels.
fn declare_panic_entries(all: &Module<'_>) {
    let entries: HashSet<&str> = PANIC_ENTRIES.iter().map(|(path, _)| *path).collect();
    for function in all.functions() {
        let name = function.name();
        if !function.is_declaration() && entries.contains(path_of(&name).as_str()) {
            function.set_name(&format!("{name}.body"));
            let declared = all.add_function(&name, function.value_type());
            declared.copy_function_attributes(function);
            function.replace_all_uses_with(declared);
        }
    }
}

fn read(path: &std::path::Path) -> Result<Vec<u8>, Diagnostic> {
    fs::read(path).map_err(|e| Diagnostic::new(format!("{} can't be read: {e}", path.display())))
}

/// Links what `all` still needs of a dependency.
fn link_as_needed<'c>(
    all: &mut Module<'c>,
    bitcode: &[u8],
    texts: &mut BTreeSet<Vec<u8>>,
) -> Result<(), Diagnostic> {
    let library = Module::parse_lazily(all.context(), bitcode)?;
    add_linked_ptx(&library, texts);
    let is_runtime = |name: &str| name.starts_with(PREFIX);
    let defines_runtime =
        library.functions().iter().any(|f| !f.is_declaration() && is_runtime(&f.name()));
    if defines_runtime || defines_missing(all, &library) {
        link_lazily(all, library, is_runtime)?;
    }
    Ok(())
}

/// Adds the PTX that `ptyx::link_ptx!` put into a module.
fn add_linked_ptx(module: &Module<'_>, texts: &mut BTreeSet<Vec<u8>>) {
    let is_text = |global: &Value<'_>| global.section() == LINKED_PTX_SECTION;
    texts.extend(module.globals().into_iter().filter(is_text).filter_map(Value::constant_bytes));
}

/// Links the copies of generic functions that crates of the sysroot have, as their names say.
fn link_copies(all: &mut Module<'_>, program: &Program) -> Result<(), Diagnostic> {
    let mut done = BTreeSet::new();
    // A copy may in turn need copies from other crates.
    loop {
        let missing = all.functions().into_iter().filter(|f| f.is_declaration());
        let crates: BTreeSet<String> =
            missing.filter_map(|f| instantiating_crate(&f.name()).map(str::to_owned)).collect();
        let Some(name) = crates.into_iter().find(|name| !done.contains(name)) else {
            return Ok(());
        };
        let toolchain = &program.toolchain;
        for library in sysroot::copies(&toolchain.sysroot, &toolchain.target, &name)? {
            link_sysroot(all, &library)?;
        }
        done.insert(name);
    }
}

/// Links what `all` still needs of a module of the sysroot. Its lines are dropped: the user does
/// not have the source.
fn link_sysroot<'c>(all: &mut Module<'c>, library: &sysroot::Library) -> Result<(), Diagnostic> {
    let mut module = Module::parse_lazily(all.context(), &library.bitcode)?;
    for value in module.functions().into_iter().chain(module.globals()) {
        if value.is_declaration() {
            continue;
        }
        let name = value.name();
        if !library.offers(&name) {
            // Nothing outside the module finds it under this name.
            value.set_name(&format!("{name}.own"));
        }
    }
    if defines_missing(all, &module) {
        module.strip_debug_info();
        link_lazily(all, module, |_| false)?;
    }
    Ok(())
}

/// Whether `library` defines what is only declared in `all`.
fn defines_missing(all: &Module<'_>, library: &Module<'_>) -> bool {
    all.functions().iter().chain(&all.globals()).any(|value| {
        value.is_declaration()
            && (library.function(&value.name()).is_some_and(|f| !f.is_declaration())
                || library.global(&value.name()).is_some_and(|g| !g.is_declaration()))
    })
}

fn link_lazily<'c>(
    all: &mut Module<'c>,
    library: Module<'c>,
    keep: impl Fn(&str) -> bool,
) -> Result<(), Diagnostic> {
    drop_linker_globals(&library);
    // Private definitions are linked as needed anyway, and may share a name with another module's
    // (`vtable.0`).
    make_lazy(&library, |value| value.is_local() || keep(&value.name()));
    Ok(all.link(library)?)
}

/// Makes every definition of a library linked only if something refers to it, except those that `keep`
/// accepts.
pub(crate) fn make_lazy<'c>(library: &Module<'c>, keep: impl Fn(Value<'c>) -> bool) {
    for value in library.functions().into_iter().chain(library.globals()) {
        if !value.is_declaration() {
            value.clear_link_properties();
            if !keep(value) {
                value.set_linkage(Linkage::LinkOnceOdr);
            }
        }
    }
}

/// Makes every definition internal except the functions that `keep` accepts.
fn keep_only<'c>(module: &Module<'c>, keep: impl Fn(Value<'c>) -> bool) {
    for function in module.functions() {
        if !function.is_declaration() {
            function.clear_link_properties();
            function.set_linkage(if keep(function) {
                Linkage::External
            } else {
                Linkage::Internal
            });
        }
    }
    for global in module.globals() {
        if !global.is_declaration() {
            global.clear_link_properties();
            global.set_linkage(Linkage::Internal);
        }
    }
}

/// Drops what only the host's linker wants to know.
fn drop_linker_globals(module: &Module<'_>) {
    for name in LINKER_GLOBALS {
        if let Some(global) = module.global(name) {
            global.delete_global();
        }
    }
    module.clear_module_asm();
}
