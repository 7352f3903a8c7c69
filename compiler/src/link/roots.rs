//! Finds the launch sites of a module: the calls of `__ptyx_root`.
//!
//! `ptyx::launch` calls it with constants only: the function that unpacks the arguments and calls the
//! kernel, the kernel's type name, the launch site's identity and its crate's, the arguments' layouts, and
//! the caller's location, which `#[track_caller]` functions pass through.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use ptyx_image::Layout;
use serde::{Deserialize, Serialize};

use crate::llvm::{Context, Linkage, Module, Place, Value, opcode};
use crate::report::Diagnostic;
use crate::rust::{path_of, read_location};
use crate::symbols::{ROOT, UNPACK_PREFIX};

/// A kernel instance and the sites that launch it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KernelRoot {
    /// The linkage name that the unpacking function got in the linked module.
    pub(crate) symbol: String,
    /// `core::any::type_name` of the kernel.
    pub(crate) type_name: String,
    /// A hash of the symbol that rustc gave the unpacking function: different for different kernels.
    pub(crate) instance: u64,
    /// The launches of it.
    pub(crate) sites: Vec<LaunchSite>,
    /// The layout of each argument.
    pub(crate) layouts: Vec<Layout>,
    /// Where the closures among its types are defined.
    pub(crate) closures: Vec<Place>,
}

/// A launch in the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LaunchSite {
    /// What both passes know it by.
    pub(crate) id: String,
    /// What tells its crate from others of the same name.
    pub(crate) crate_id: u64,
    /// Where it is.
    pub(crate) place: Place,
    /// The same with its callers' locations, if it is in a `#[track_caller]` function and they are
    /// constant: see [`ptyx_image::tracked_site`].
    pub(crate) tracked: Vec<String>,
}

/// Takes the roots out of `module`: each unpacking function becomes external, with a name that is
/// unique across modules (`index` numbers the module), and the calls of `__ptyx_root` are erased.
pub(crate) fn take<'c>(
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
        let Constants { unpack, type_name, id, crate_id, layouts, caller } = read(call).ok_or_else(|| {
            let place = call.places(context).pop().unwrap_or_default();
            Diagnostic::new(format!(
                "a launch site at {}:{} is not constant: `ptyx` and `ptyx-compiler` must have the \
                 same version",
                place.file, place.line
            ))
        })?;
        let callers = callers(caller, call.parent_function(), MAX_CALLERS).unwrap_or_default();
        let tracked = |(file, line, column): &(String, u32, u32)| {
            ptyx_image::tracked_site_at(&id, file, *line, *column)
        };
        // Without `#[track_caller]` the launch itself is its caller, which says nothing new.
        let is_caller =
            |(_, line, column): &&(String, u32, u32)| !id.ends_with(&format!(":{line}:{column}"));
        let tracked = callers.iter().filter(is_caller).map(tracked).collect();
        let site = LaunchSite { id, crate_id, place: place_of_launch(context, call), tracked };
        if type_name.starts_with("fn(") {
            return Err(not_a_name(&type_name, site.place));
        }
        match found.iter_mut().find(|(f, _)| *f == unpack) {
            Some((_, known)) => known.sites.push(site),
            None => {
                let symbol = format!("{UNPACK_PREFIX}{index}_{}", found.len());
                let closures = closures.in_path(&path_of(&unpack.name()));
                let sites = vec![site];
                let instance = hash_of(&unpack.name());
                let root = KernelRoot { symbol, type_name, instance, sites, layouts, closures };
                found.push((unpack, root));
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
        .note(
            "which kernel it points to is known only at run time, which is too late to compile it",
        )
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
        // A module has many closures, and few paths name any: so it is looked for at the ends of names.
        let ends: Vec<&str> = path
            .match_indices([',', '>'])
            .map(|(at, _)| &path[..at])
            .filter(|end| end.ends_with('}'))
            .collect();
        let named = |(closure, _): &&(String, Place)| {
            ends.iter().any(|end| end.ends_with(closure.as_str()))
        };
        let mut places: Vec<Place> =
            self.0.iter().filter(named).map(|(_, place)| place.clone()).collect();
        places.sort();
        places.dedup();
        places
    }
}

/// A hash that is the same in every process.
fn hash_of(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// What one root call says.
struct Constants<'c> {
    unpack: Value<'c>,
    type_name: String,
    id: String,
    crate_id: u64,
    layouts: Vec<Layout>,
    caller: Value<'c>,
}

/// The constants of one root call.
fn read(call: Value<'_>) -> Option<Constants<'_>> {
    let args = call.arguments();
    let [unpack, name, name_len, site, site_len, crate_id, layouts, count, caller] = args[..]
    else {
        return None;
    };
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
    let (type_name, id) = (text(name, name_len)?, text(site, site_len)?);
    Some(Constants { unpack, type_name, id, crate_id: crate_id.as_int()?, layouts, caller })
}

/// How many `#[track_caller]` functions, each calling the next, are followed.
const MAX_CALLERS: u32 = 16;

/// The places that `location`, a value in `function`, can point to: itself if it is constant, else
/// what the callers of `function` pass for it. `None` if not all of them are known.
fn callers<'c>(
    location: Value<'c>,
    function: Value<'c>,
    deepest: u32,
) -> Option<BTreeSet<(String, u32, u32)>> {
    let location = stored_once(location);
    if let Some(place) = read_location(location) {
        return Some(BTreeSet::from([place]));
    }
    let parameter = function.params().iter().position(|param| *param == location)?;
    let deeper = deepest.checked_sub(1)?;
    let mut places = BTreeSet::new();
    for call in function.users() {
        if !call.is_call() || call.callee() != function {
            return None;
        }
        let passed = *call.arguments().get(parameter)?;
        places.append(&mut callers(passed, call.parent_function(), deeper)?);
    }
    Some(places)
}

/// What is loaded from a variable that is stored to once: `Location::caller` goes through one.
fn stored_once(value: Value<'_>) -> Value<'_> {
    if !value.is_instruction() || value.opcode() != opcode::LOAD {
        return value;
    }
    let variable = value.operand(0);
    let is_store = |user: &Value<'_>| {
        user.is_instruction() && user.opcode() == opcode::STORE && user.operand(1) == variable
    };
    match variable.users().into_iter().filter(is_store).collect::<Vec<_>>()[..] {
        [store] => store.operand(0),
        _ => value,
    }
}

/// The bytes of `[[u64; 3]]`: size, alignment and fingerprint of each argument.
fn read_layouts(bytes: &[u8], count: usize) -> Option<Vec<Layout>> {
    let word = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
    (0..count)
        .map(|i| {
            let [size, align] = [word(i * 24)?, word(i * 24 + 8)?].map(|n| n.try_into().ok());
            Some(Layout { size: size?, align: align?, fingerprint: word(i * 24 + 16)? })
        })
        .collect()
}
