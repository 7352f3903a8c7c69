//! Finds the launch sites of a module: the calls of `__ptyx_root`.
//!
//! `ptyx::launch` calls it with constants only: the function that unpacks the arguments and calls
//! the kernel, the kernel's type name, the launch site's identity, and the arguments' layouts.

use ptyx_image::Layout;

use crate::codegen::Diagnostic;
use crate::llvm::{Context, Linkage, Module, Value, opcode};

/// The function whose calls are launch sites.
const ROOT: &str = "__ptyx_root";

/// A kernel instance and the sites that launch it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KernelRoot {
    /// The linkage name that the unpacking function got in the linked module.
    pub(super) symbol: String,
    /// `core::any::type_name` of the kernel.
    pub(super) type_name: String,
    /// Identities of the launch sites.
    pub(super) sites: Vec<String>,
    /// Size and alignment of each argument.
    pub(super) layouts: Vec<Layout>,
}

/// Takes the roots out of `module`: each unpacking function becomes external, with a name that is
/// unique across modules (`index` numbers the module), and the calls of `__ptyx_root` are erased.
pub(super) fn take<'c>(
    context: &'c Context,
    module: &Module<'c>,
    index: usize,
) -> Result<Vec<KernelRoot>, Diagnostic> {
    let Some(root) = module.function(ROOT) else { return Ok(Vec::new()) };
    let mut found: Vec<(Value<'c>, KernelRoot)> = Vec::new();
    for call in root.users() {
        if !call.is_call() || call.callee() != root {
            continue;
        }
        let (unpack, type_name, site, layouts) = read(call).ok_or_else(|| {
            let place = call.places(context).pop().unwrap_or_default();
            Diagnostic::new(format!(
                "a launch site at {}:{} is not constant: `ptyx` and `ptyx-compiler` must have the \
                 same version",
                place.file, place.line
            ))
        })?;
        match found.iter_mut().find(|(f, _)| *f == unpack) {
            Some((_, known)) => known.sites.push(site),
            None => {
                let symbol = format!("__ptyx_unpack_{index}_{}", found.len());
                found.push((unpack, KernelRoot { symbol, type_name, sites: vec![site], layouts }));
            }
        }
    }
    for call in root.users() {
        if call.is_instruction() && call.opcode() == opcode::CALL {
            call.erase();
        }
    }
    for (unpack, root) in &found {
        unpack.set_linkage(Linkage::External);
        unpack.set_name(&root.symbol);
    }
    Ok(found.into_iter().map(|(_, root)| root).collect())
}

/// The constants of one root call.
fn read(call: Value<'_>) -> Option<(Value<'_>, String, String, Vec<Layout>)> {
    let args = call.arguments();
    let [unpack, name, name_len, site, site_len, layouts, count] = args[..] else { return None };
    if !unpack.is_function() {
        return None;
    }
    let text = |pointer: Value<'_>, len: Value<'_>| {
        let bytes = pointer.constant_bytes()?;
        String::from_utf8(bytes.get(..len.as_int()? as usize)?.to_vec()).ok()
    };
    let count = count.as_int()? as usize;
    let layouts =
        if count == 0 { Vec::new() } else { read_layouts(&layouts.constant_bytes()?, count)? };
    Some((unpack, text(name, name_len)?, text(site, site_len)?, layouts))
}

/// The bytes of `[[usize; 2]]`: size and alignment of each argument.
fn read_layouts(bytes: &[u8], count: usize) -> Option<Vec<Layout>> {
    let word = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
    (0..count)
        .map(|i| {
            let (size, align) = (word(i * 16)?, word(i * 16 + 8)?);
            Some(Layout { size: size.try_into().ok()?, align: align.try_into().ok()? })
        })
        .collect()
}
