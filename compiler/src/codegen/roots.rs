//! Finds the launch sites of a module: the calls of `__ptyx_root`.
//!
//! `ptyx::launch` calls it with constants only: the function that unpacks the arguments and calls
//! the kernel, the kernel's type name, the launch site's identity, and the arguments' layouts.

use ptyx_image::Layout;

use crate::codegen::{Diagnostic, path_of};
use crate::llvm::{Context, Linkage, Module, Place, Value, opcode};

/// The function whose calls are launch sites.
const ROOT: &str = "__ptyx_root";

/// A kernel instance and the sites that launch it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KernelRoot {
    /// The linkage name that the unpacking function got in the linked module.
    pub(super) symbol: String,
    /// `core::any::type_name` of the kernel.
    pub(super) type_name: String,
    /// The launches of it.
    pub(super) sites: Vec<LaunchSite>,
    /// Size and alignment of each argument.
    pub(super) layouts: Vec<Layout>,
    /// Where the closures among its types are defined.
    pub(super) closures: Vec<Place>,
}

/// A launch in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LaunchSite {
    /// What both passes know it by.
    pub(super) id: String,
    /// Where it stands.
    pub(super) place: Place,
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
    let closures = Closures::of(context, module);
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
        let site = LaunchSite { id: site, place: place_of_launch(context, call) };
        if type_name.starts_with("fn(") {
            return Err(not_a_name(&type_name, site.place));
        }
        match found.iter_mut().find(|(f, _)| *f == unpack) {
            Some((_, known)) => known.sites.push(site),
            None => {
                let symbol = format!("__ptyx_unpack_{index}_{}", found.len());
                let closures = closures.in_path(&path_of(&unpack.name()));
                let sites = vec![site];
                found.push((unpack, KernelRoot { symbol, type_name, sites, layouts, closures }));
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

/// The place of the `launch!` that a root call comes from: the nearest one outside of Ptyx.
fn place_of_launch(context: &Context, call: Value<'_>) -> Place {
    /// `rootN` below `callN` below the user's function, unless rustc inlined them.
    const DEPTH: usize = 3;
    let mut instruction = Some(call);
    for _ in 0..DEPTH {
        let Some(at) = instruction else { break };
        let is_ours = |place: &Place| path_of(&place.function).starts_with("ptyx::");
        if let Some(place) = at.places(context).into_iter().find(|place| !is_ours(place)) {
            return place;
        }
        instruction = at.parent_function().users().into_iter().find(|user| user.is_call());
    }
    Place::default()
}

/// A launch of a function pointer.
fn not_a_name(type_name: &str, place: Place) -> Diagnostic {
    Diagnostic::new(format!("a launch of a function pointer, `{type_name}`"))
        .at(Some(place))
        .note("which kernel it points to is known at run time only, too late to compile it")
        .help("write the kernel's name: `launch!(kernel<<<blocks, threads>>>(arguments))`")
}

/// The closures that a module defines: path and place.
struct Closures(Vec<(String, Place)>);

impl Closures {
    fn of(context: &Context, module: &Module<'_>) -> Closures {
        let closure = |function: Value<'_>| {
            let path = path_of(&function.name());
            path.ends_with('}').then_some(())?;
            Some((path, function.definition(context)?))
        };
        Closures(module.functions().into_iter().filter_map(closure).collect())
    }

    /// The places of those that are named in a path's generics.
    fn in_path(&self, path: &str) -> Vec<Place> {
        let named = |(closure, _): &&(String, Place)| {
            let ends = |at: usize| path[at..].starts_with([',', '>']);
            path.match_indices(closure.as_str()).any(|(at, _)| ends(at + closure.len()))
        };
        let mut places: Vec<Place> =
            self.0.iter().filter(named).map(|(_, place)| place.clone()).collect();
        places.sort();
        places.dedup();
        places
    }
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
