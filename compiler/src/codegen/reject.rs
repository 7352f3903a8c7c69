//! Refuses what a device does not have, with the call chain and a way out.
//!
//! The chains are taken from the module before it is optimised, when every function of the source
//! is still there; whether a missing function is really called is decided afterwards, when dead
//! code is gone.

use std::collections::{HashMap, VecDeque};
use std::fmt::Write;

use super::{Diagnostic, path_of};
use crate::llvm::{Module, Place, Value};
use crate::lower::foreign;

/// Every message of this file starts with it.
pub(super) const HEADLINE: &str = "kernel `";

/// Functions that a device's own runtime has (CUDA Programming Guide, "Formatted Output" and
/// "Dynamic Global Memory Allocation").
const DEVICE_RUNTIME: [&str; 3] = ["vprintf", "malloc", "free"];

/// Ways out, by the start of the missing function's path. The first that fits is shown.
const HINTS: &[(&str, &str)] = &[
    ("std::fs::", FILES),
    ("std::io::stdio::", PRINTING),
    ("std::io::", FILES),
    ("std::net::", "a kernel has no network: do the transfer on the host"),
    ("std::path::", FILES),
    ("std::os::", FILES),
    (
        "std::thread::",
        "a kernel's threads are those of the launch: use more of them, or a second launch",
    ),
    ("std::env::", "read the environment on the host and pass the value as an argument"),
    ("std::process::", "end the kernel by `return`, or report an error by `panic!`"),
    ("std::time::", "measure time on the host with `Event`s around the launch"),
    (
        "std::sync::",
        "threads of a kernel meet at `block::sync()` and in atomics; locks of std are the host's",
    ),
    ("std::collections::", "use arrays or slices of a size known at the launch"),
    (
        "std::hash::random::",
        "use a hasher with a fixed seed; the system's random numbers are the host's",
    ),
    (
        "std::backtrace",
        "backtraces are the host's; a panic in a kernel reports its place by itself",
    ),
    ("alloc::", ALLOCATION),
    ("__rust_alloc", ALLOCATION),
    ("__rustc::__rust_alloc", ALLOCATION),
    ("__rustc::__rust_dealloc", ALLOCATION),
    ("__rustc::__rust_realloc", ALLOCATION),
    ("__rust_no_alloc_shim", ALLOCATION),
    (
        foreign::ASSEMBLY,
        "inline assembly here is the host's: put it behind `#[cfg(not(ptyx_device))]`",
    ),
    (
        foreign::THREAD_LOCAL,
        "thread-locals are the host's: pass the value as an argument, or use shared memory",
    ),
    (
        foreign::PROCESSOR,
        "intrinsics of the host's processor: put them behind `#[cfg(not(ptyx_device))]`",
    ),
];
const FILES: &str = "a kernel has no files: do it on the host, and pass data in a `DeviceBuffer`";
const PRINTING: &str = "print from a kernel with `ptyx::println!`";
const ALLOCATION: &str = "a kernel has no heap: use arrays of a fixed size, shared memory, or a `DeviceBuffer` made on \
     the host";
const UNKNOWN: &str = "a kernel can only call functions whose Rust code is there: no C libraries, no operating \
     system";

/// How the functions of a module are reached from the kernel's entry.
pub(super) struct Chains {
    /// For each function, the one that refers to it and the places of the reference, the innermost
    /// first.
    caller: HashMap<String, (String, Vec<Place>)>,
}

impl Chains {
    /// Walks the module from `entry`, nearest first.
    pub(super) fn new<'c>(module: &Module<'c>, entry: Value<'c>) -> Chains {
        let mut caller = HashMap::new();
        let mut queue = VecDeque::from([entry]);
        caller.insert(entry.name(), (String::new(), Vec::new()));
        while let Some(function) = queue.pop_front() {
            let from = function.name();
            for instruction in function.instructions() {
                for operand in instruction.operands() {
                    for callee in functions_in(operand, 3) {
                        let name = callee.name();
                        caller.entry(name).or_insert_with(|| {
                            queue.push_back(callee);
                            (from.clone(), instruction.places(module.context()))
                        });
                    }
                }
            }
        }
        Chains { caller }
    }

    /// Refuses the optimised `module` if it still refers to functions that no device has.
    pub(super) fn check(&self, module: &Module<'_>, kernel: &str) -> Result<(), Vec<Diagnostic>> {
        let missing = |function: &Value<'_>| {
            let name = function.name();
            function.is_declaration()
                && function.intrinsic_id() == 0
                && !name.starts_with("llvm.")
                && !DEVICE_RUNTIME.contains(&name.as_str())
                && !function.users().is_empty()
        };
        let mut symbols: Vec<String> =
            module.functions().into_iter().filter(missing).map(|f| f.name()).collect();
        // What the source calls itself says more than what that calls in turn.
        symbols.sort_by_key(|symbol| (self.frames(symbol).len(), symbol.clone()));
        // One use of the heap makes calls of several of its functions: the first says it all.
        let mut heap = false;
        symbols.retain(|symbol| {
            let uses_heap = self.hint(symbol) == ALLOCATION;
            !uses_heap || !std::mem::replace(&mut heap, true)
        });
        let errors: Vec<Diagnostic> =
            symbols.iter().map(|symbol| self.explain(kernel, symbol)).collect();
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    fn explain(&self, kernel: &str, symbol: &str) -> Diagnostic {
        let path = path_of(symbol);
        let frames = self.frames(symbol);
        let what = if let Some(name) = symbol.strip_prefix(foreign::PROCESSOR) {
            format!("the processor intrinsic `{name}`")
        } else if symbol.starts_with(foreign::ASSEMBLY) {
            "inline assembly of the host".to_owned()
        } else if symbol.starts_with(foreign::THREAD_LOCAL) {
            "a thread-local variable".to_owned()
        } else {
            format!("`{path}`")
        };
        let mut text = format!("{HEADLINE}{kernel}` can't use {what}: the device does not have it");
        let own = frames.iter().rev().find(|f| !is_library(f));
        if let Some(place) = own {
            let _ = write!(text, "\n  --> {}:{}:{}", place.file, place.line, place.column);
        }
        for frame in frames.iter().filter(|f| f.line != 0) {
            let file = short(&frame.file);
            let _ = write!(text, "\n   in `{}` at {file}:{}", path_of(&frame.function), frame.line);
        }
        let _ = write!(text, "\n  = help: {}", self.hint(symbol));
        Diagnostic::new(text)
    }

    /// The way out: that of the chain's first known function, because `std::fs::read` says more
    /// than the allocation inside it.
    fn hint(&self, symbol: &str) -> &'static str {
        let frames = self.frames(symbol);
        let paths = frames.iter().map(|f| path_of(&f.function)).chain([path_of(symbol)]);
        paths
            .filter_map(|path| HINTS.iter().find(|(prefix, _)| plain(&path).starts_with(prefix)))
            .map(|(_, hint)| *hint)
            .next()
            .unwrap_or(UNKNOWN)
    }

    /// The calls that lead from the kernel to `symbol`, the kernel's first, without Ptyx's own.
    fn frames(&self, symbol: &str) -> Vec<Place> {
        let mut frames = Vec::new();
        let mut current = symbol.to_owned();
        while let Some((from, places)) = self.caller.get(&current) {
            // Innermost first, as in `places`; the whole is turned round below.
            frames.extend(places.iter().cloned());
            if from.is_empty() {
                break;
            }
            current.clone_from(from);
        }
        frames.reverse();
        frames.retain(|frame| {
            let path = path_of(&frame.function);
            !path.starts_with("ptyx::launch::")
                && !path.ends_with("Fn<_>>::call")
                && !is_call_shim(&path)
        });
        frames
    }
}

/// Whether a path is rustc's `<f as Fn<..>>::call` around the kernel.
fn is_call_shim(path: &str) -> bool {
    path.starts_with('<')
        && path.contains(" as core::ops::function::Fn")
        && path.contains(">>::call")
}

/// A path without the `<` of `<T as Trait>::method`.
fn plain(path: &str) -> &str {
    path.trim_start_matches(['<', '&'])
}

/// Whether a place belongs to the standard library.
fn is_library(place: &Place) -> bool {
    let path = path_of(&place.function);
    let of_std = ["core::", "alloc::", "std::"].iter().any(|name| plain(&path).starts_with(name));
    place.file.is_empty() || place.file.starts_with("/rustc/") || of_std
}

/// `/rustc/<hash>/library/..` without the hash.
fn short(file: &str) -> &str {
    match file.strip_prefix("/rustc/").and_then(|rest| rest.split_once('/')) {
        Some((_, rest)) => rest,
        None => file,
    }
}

/// The functions in an operand: itself, or those that a constant refers to.
fn functions_in(value: Value<'_>, depth: u32) -> Vec<Value<'_>> {
    if value.is_function() {
        return vec![value];
    }
    if depth == 0 || !value.is_constant() {
        return Vec::new();
    }
    if value.is_global_variable() && value.is_declaration() {
        return Vec::new();
    }
    value.operands().into_iter().flat_map(|operand| functions_in(operand, depth - 1)).collect()
}

/// A launched function without `#[kernel]`.
pub(super) fn not_a_kernel(kernel: &str, definition: &Place) -> Diagnostic {
    let mut text = format!("{HEADLINE}{kernel}` is launched but is not a `#[kernel]`");
    if definition.line != 0 {
        let _ = write!(text, "\n  --> {}:{}", definition.file, definition.line);
    }
    text.push_str("\n  = help: write `#[kernel]` above the function");
    Diagnostic::new(text)
}
