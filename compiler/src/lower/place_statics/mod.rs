//! Device statics (`ptyx::Constant`, `ptyx::Global`): variables that the host reads and writes.
//!
//! rustc makes a global of each, with the initial value first and then what `ptyx::statics` says about it,
//! the kind as a pointer to a mark. A constant becomes a variable in constant memory, which the host
//! writes in each module. A global's value is one allocation for each device, so that all modules share it:
//! the variable holds its address, which each function that uses the static reads where it starts.

mod initial;
mod replace;

use std::collections::BTreeMap;

use ptyx_image::{Layout, Static, StaticKind};

use crate::llvm::{Linkage, Module, Value};
use crate::report::Diagnostic;
use crate::rust::path_of;
use crate::symbols::{CONSTANT_MARK, GLOBAL_MARK, STATIC_VARIABLE};
use initial::{Initial, initial};
use replace::replace_by_loads;

/// LLVM's numbers of state spaces.
const GLOBAL: u32 = 1;
const CONSTANT: u32 = 4;

/// Bytes of constant memory for variables (PTX ISA 5.1.3).
const CONSTANT_BYTES: u64 = 64 << 10;

/// Bytes of `ptyx::statics::Info`.
const INFO_BYTES: usize = 56;

/// The alignment of a variable, at least: so that 16-byte accesses can be made of small ones.
const ALIGNMENT: u32 = 16;

/// A static, as rustc wrote it.
struct Found<'c> {
    global: Value<'c>,
    described: Static,
    bytes: Vec<u8>,
}

/// Makes variables of the module's device statics, and says which are which.
///
/// # Errors
/// A static that the host could not find: without a name, inside another one, or with another's name.
pub(super) fn place_statics(module: &Module<'_>) -> Result<Vec<Static>, Diagnostic> {
    let mut found: BTreeMap<(String, u64), Found<'_>> = BTreeMap::new();
    for (mark, kind) in [(CONSTANT_MARK, StaticKind::Constant), (GLOBAL_MARK, StaticKind::Global)] {
        let Some(mark) = module.global(mark) else { continue };
        let mut holders = Vec::new();
        collect_holders(mark, &mut holders);
        for global in holders {
            let one = read(module, global, mark, kind)?;
            let name = one.described.name.clone();
            if found.insert((name.clone(), one.described.key), one).is_some() {
                return Err(Diagnostic::new(format!(
                    "two device statics are called `{name}` and stand at one place of the source, so \
                     that the host can't tell them apart"
                )));
            }
        }
    }
    for mark in [CONSTANT_MARK, GLOBAL_MARK].into_iter().filter_map(|name| module.global(name)) {
        // Otherwise it would be a variable that no device has.
        mark.replace_all_uses_with(module.context().pointer(0).null());
        mark.delete_global();
    }
    let mut placed = Vec::new();
    for (index, one) in found.into_values().enumerate() {
        placed.push(place(module, index, one)?);
    }
    Ok(placed)
}

/// The statics that are left in an optimised module. The variables of the others are deleted.
///
/// # Errors
/// The constants need more memory than there is.
pub(crate) fn keep_used_statics(
    module: &Module<'_>,
    statics: &[Static],
) -> Result<Vec<Static>, Diagnostic> {
    let mut used = Vec::new();
    for one in statics {
        let Some(variable) = module.global(&one.variable) else { continue };
        if variable.users().is_empty() {
            variable.delete_global();
            continue;
        }
        used.push(one.clone());
    }
    let bytes = constant_bytes(module);
    if bytes <= CONSTANT_BYTES {
        return Ok(used);
    }
    let constants = used.iter().filter(|one| one.kind == StaticKind::Constant);
    let list: Vec<String> =
        constants.map(|one| format!("`{}` has {} bytes", one.name, one.layout.size)).collect();
    Err(Diagnostic::new(format!(
        "its constants need {bytes} bytes, and a kernel can have {CONSTANT_BYTES} bytes of constant memory"
    ))
    .note(list.join(", "))
    .help("use a `Global` for a large table: threads that read different elements read it faster, too"))
}

/// Bytes of constant memory that a module needs, with what Ptyx itself has there.
fn constant_bytes(module: &Module<'_>) -> u64 {
    let in_constant_memory =
        |global: &Value<'_>| !global.is_declaration() && global.ty().address_space() == CONSTANT;
    let mut variables: Vec<(u32, u64)> = module
        .globals()
        .into_iter()
        .filter(in_constant_memory)
        .map(|global| (global.alignment(), module.size_of(global.value_type())))
        .collect();
    // The most aligned first, which leaves no gaps but at ends.
    variables.sort_by_key(|(align, _)| std::cmp::Reverse(*align));
    variables
        .iter()
        .fold(0, |end: u64, (align, size)| end.next_multiple_of(u64::from(*align).max(1)) + size)
}

/// Whether a variable is a device static's, which keeps its name.
pub(super) fn is_static_variable(value: Value<'_>) -> bool {
    value.name().starts_with(STATIC_VARIABLE)
}

/// Whether a variable in constant memory holds what the host wrote as a `Constant`, rather than an address
/// that leads to a `Global`.
pub(super) fn is_constant_static(value: Value<'_>) -> bool {
    is_static_variable(value) && value.name()[STATIC_VARIABLE.len()..].starts_with(CONSTANT_LETTER)
}

/// The first letter behind [`STATIC_VARIABLE`] in a constant's name.
const CONSTANT_LETTER: &str = "c";
/// That in a global's.
const GLOBAL_LETTER: &str = "g";

/// The global variables whose initial value refers to a mark.
fn collect_holders<'c>(constant: Value<'c>, holders: &mut Vec<Value<'c>>) {
    for user in constant.users() {
        if user.is_global_variable() {
            if !holders.contains(&user) {
                holders.push(user);
            }
        } else if user.is_constant() {
            collect_holders(user, holders);
        }
    }
}

/// What `ptyx::statics::Info` says: the name, its length, then numbers.
fn read<'c>(
    module: &Module<'c>,
    global: Value<'c>,
    mark: Value<'c>,
    kind: StaticKind,
) -> Result<Found<'c>, Diagnostic> {
    let path = path_of(&global.name());
    let Initial { bytes, pointers } = initial(module, global);
    let marks: Vec<usize> =
        pointers.iter().filter(|(_, to)| *to == mark).map(|(at, _)| *at).collect();
    let bad = |what: &str| Diagnostic::new(format!("the static `{path}` {what}"));
    let [at] = marks[..] else {
        return Err(bad("holds several `Constant`s or `Global`s").help(
            "make each of them a static of its own, with `#[device_static]` above it: the host finds it \
             by its name",
        ));
    };
    let word = |index: usize| {
        let from = at + 8 * index;
        Some(u64::from_le_bytes(bytes.get(from..from + 8)?.try_into().ok()?))
    };
    let [_, _, length, key, size, align, fingerprint] = [0, 1, 2, 3, 4, 5, 6].map(word);
    let wrong = || bad("is not as expected: `ptyx` and `ptyx-compiler` must have the same version");
    let [length, key, size, align, fingerprint] =
        [length, key, size, align, fingerprint].map(|word| word.ok_or_else(wrong));
    let (length, key, size, align) = (length?, key?, size?, align?);
    if key == 0 {
        return Err(bad("has no name by which the host finds it").help(
            "write `#[device_static]` above the static: `#[device_static] static TABLE: Constant<[f32; 4]> = \
             Constant::new([0.0; 4]);`",
        ));
    }
    let size = usize::try_from(size).ok().filter(|size| *size <= at).ok_or_else(wrong)?;
    if at != size.next_multiple_of(8) || bytes.len() - at >= INFO_BYTES + align.max(8) as usize {
        return Err(bad("holds more than a `Constant` or a `Global`")
            .help("make each of them a static of its own, with `#[device_static]` above it"));
    }
    if pointers.iter().any(|(to, _)| *to < size) {
        return Err(bad("holds a pointer, and a device does not see the host's memory"));
    }
    let text =
        pointers.iter().find(|(to, _)| *to == at + 8).and_then(|(_, to)| to.constant_bytes());
    let name = text
        .and_then(|text| {
            String::from_utf8(text.get(..usize::try_from(length).ok()?)?.to_vec()).ok()
        })
        .ok_or_else(wrong)?;
    let value = bytes[..size].to_vec();
    let is_zero = value.iter().all(|byte| *byte == 0);
    let size = u32::try_from(size)
        .map_err(|_| bad("is larger than 4 GiB").help("use a `DeviceBuffer`"))?;
    let described = Static {
        key,
        name,
        kind,
        variable: String::new(),
        layout: Layout {
            size,
            align: u32::try_from(align).map_err(|_| wrong())?,
            fingerprint: fingerprint?,
        },
        initial: (kind == StaticKind::Global && !is_zero).then(|| value.clone()),
    };
    Ok(Found { global, described, bytes: value })
}

/// Makes a variable in constant memory of a static.
fn place(module: &Module<'_>, index: usize, found: Found<'_>) -> Result<Static, Diagnostic> {
    let Found { global, mut described, mut bytes } = found;
    let context = module.context();
    let last = described.name.rsplit("::").next().unwrap_or_default();
    let plain: String =
        last.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let is_constant = described.kind == StaticKind::Constant;
    let letter = if is_constant { CONSTANT_LETTER } else { GLOBAL_LETTER };
    described.variable = format!("{STATIC_VARIABLE}{letter}{index}_{plain}");
    let variable = if is_constant {
        // A variable has at least one byte.
        bytes.resize(bytes.len().max(1), 0);
        let ty = context.int(8).array(bytes.len() as u64);
        let variable = module.add_global(&described.variable, ty, CONSTANT);
        variable.set_alignment(described.layout.align.max(ALIGNMENT));
        variable.set_initializer(context.bytes(&bytes));
        global.replace_all_uses_with(variable.address_space_cast(context.pointer(0)));
        variable
    } else {
        let ty = context.pointer(GLOBAL);
        let variable = module.add_global(&described.variable, ty, CONSTANT);
        variable.set_alignment(8);
        variable.set_initializer(ty.null());
        replace_by_loads(module, global, variable, ty).map_err(|holder| {
            Diagnostic::new(format!(
                "the static `{}` refers to `{}`, whose address is known only at run time",
                path_of(&holder),
                described.name
            ))
            .help("use the device static by its own name")
        })?;
        variable
    };
    variable.set_linkage(Linkage::External);
    variable.set_constant_global(true);
    variable.set_externally_initialized();
    global.delete_global();
    Ok(described)
}
