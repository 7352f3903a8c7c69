//! Refuses what a device does not have: finds each use of it in the kernel's source.
//!
//! Whether something is really used is decided in the optimised module, when dead code is gone.
//! There, the debug information of a call says through which functions it was inlined. Where the
//! optimiser merged calls and lost their lines, the module before optimisation gives the places.

use std::collections::{HashMap, HashSet, VecDeque};

use super::Diagnostic;
use super::diagnostic::{SourceLine, in_file};
use super::hints::{self, Hint};
use super::names::{is_launch, path_of, public_name};
use crate::device_pass::is_local;
use crate::llvm::{Module, Place, Value};
use crate::lower::{foreign, is_dynamic_shared};

/// Functions that a device's own runtime has (CUDA Programming Guide, "Formatted Output" and
/// "Dynamic Global Memory Allocation").
const DEVICE_RUNTIME: [&str; 3] = ["vprintf", "malloc", "free"];

/// So many places of one kernel are shown that share a hint.
const MOST_OF_A_HINT: usize = 5;

/// So many calls of a chain are shown, half of them from either end.
const MOST_CALLS: usize = 8;

/// A longer path is shown without generics.
const LONGEST_PATH: usize = 80;

/// The symbols that the optimised `module` refers to and no device has.
pub(super) fn missing(module: &Module<'_>) -> Vec<String> {
    let function = |function: &Value<'_>| {
        let name = function.name();
        function.intrinsic_id() == 0
            && !name.starts_with("llvm.")
            && !DEVICE_RUNTIME.contains(&name.as_str())
    };
    let functions = module.functions().into_iter().filter(function);
    let globals = module.globals().into_iter().filter(|global| !is_dynamic_shared(*global));
    functions
        .chain(globals)
        .filter(|value| value.is_declaration() && !value.users().is_empty())
        .map(Value::name)
        .collect()
}

/// One use of a missing symbol.
pub(super) struct Use {
    symbol: String,
    /// The calls that lead from the kernel to it, the kernel's first.
    frames: Vec<Place>,
}

/// The uses of `symbols` in `module`, for each one those that `entry` reaches.
pub(super) fn uses<'c>(module: &Module<'c>, entry: Value<'c>, symbols: &[String]) -> Vec<Use> {
    let chains = Chains::new(module, entry);
    let mut uses = Vec::new();
    for symbol in symbols {
        let Some(value) = module.function(symbol).or_else(|| module.global(symbol)) else {
            continue;
        };
        // From the symbol up to the nearest code of the user, whichever ways there are.
        let mut seen = HashSet::new();
        let mut queue = VecDeque::from([(value, Vec::new())]);
        while let Some((callee, inner)) = queue.pop_front() {
            for instruction in references(callee, 4) {
                let function = instruction.parent_function();
                if !chains.reach(function) {
                    continue;
                }
                let mut frames: Vec<Place> = inner.clone();
                let places = instruction.places(module.context());
                if places.is_empty() {
                    frames.push(Place { function: function.name(), ..Place::default() });
                }
                frames.extend(places);
                if function == entry || frames.iter().any(is_own) {
                    frames.extend(chains.to(function));
                    frames.reverse();
                    uses.push(Use { symbol: symbol.clone(), frames });
                } else if seen.insert(function.name()) {
                    queue.push_back((function, frames));
                }
            }
        }
    }
    uses
}

/// The instructions that refer to a value, also through constants such as tables of functions.
fn references(value: Value<'_>, depth: u32) -> Vec<Value<'_>> {
    let (mut found, constants): (Vec<_>, Vec<_>) =
        value.users().into_iter().partition(|user| user.is_instruction());
    if depth > 0 {
        found.extend(constants.into_iter().flat_map(|constant| references(constant, depth - 1)));
    }
    found
}

/// How the functions of a module are reached from the kernel's entry.
struct Chains {
    /// For each function, the nearest one that refers to it and the places of the reference, the
    /// innermost first.
    caller: HashMap<String, (String, Vec<Place>)>,
}

impl Chains {
    /// Walks the module from `entry`, nearest first.
    fn new<'c>(module: &Module<'c>, entry: Value<'c>) -> Chains {
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

    fn reach(&self, function: Value<'_>) -> bool {
        self.caller.contains_key(&function.name())
    }

    /// The calls that lead from the kernel to `function`, the kernel's last.
    fn to(&self, function: Value<'_>) -> Vec<Place> {
        let mut frames = Vec::new();
        let mut current = function.name();
        while let Some((from, places)) = self.caller.get(&current).filter(|(f, _)| !f.is_empty()) {
            frames.extend(places.iter().cloned());
            current.clone_from(from);
        }
        frames
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

/// A use, as the user sees it.
#[derive(Clone)]
struct Finding {
    symbol: String,
    hint: &'static Hint,
    /// The place in the user's code.
    place: Place,
    /// What stands there: the first function that is not the user's, or the symbol itself.
    what: String,
    /// Whether that is a thread-local variable, and not the function that asks for it.
    names_variable: bool,
    /// Whether it happens when a value is dropped.
    in_drop: bool,
    /// The calls in the user's code and its dependencies that lead there, the kernel's first.
    calls: Vec<Place>,
    /// How many places like this one are left out behind it.
    more: usize,
    /// What else a device lacks of the same function.
    also: Vec<&'static str>,
}

impl Finding {
    fn new(found: Use) -> Finding {
        let Use { symbol, mut frames } = found;
        frames.retain(|frame| !is_launch(&path_of(&frame.function)));
        // The user's own package, else whatever is not the standard library.
        let own = frames.iter().rposition(|f| is_own(f) && is_local(&f.path()));
        let own = own.or_else(|| frames.iter().rposition(is_own));
        let inner = frames.get(own.map_or(0, |own| own + 1)..).unwrap_or_default();
        let path = path_of(foreign::original(&symbol));
        let stand_in = if foreign::is_stand_in(&symbol) { &symbol } else { &path };
        let paths: Vec<String> = inner.iter().map(|frame| path_of(&frame.function)).collect();
        let in_drop = paths.iter().chain([&path]).any(|path| is_drop(path));
        let hint = hints::find(paths.iter().map(String::as_str).chain([stand_in.as_str()]));
        // Inside of a lock or a channel, thread-locals are no concern of the user's.
        let names_variable = symbol.starts_with(foreign::THREAD_LOCAL)
            && hints::find([symbol.as_str()].into_iter()) == hint;
        let what = describe(&symbol, &path, &paths, names_variable);
        let place = own.map(|own| frames[own].clone()).unwrap_or_default();
        let mut calls: Vec<Place> = frames.into_iter().filter(is_own).collect();
        calls.dedup();
        Finding {
            symbol,
            hint,
            place,
            what,
            names_variable,
            in_drop,
            calls,
            more: 0,
            also: Vec::new(),
        }
    }

    fn line(&self) -> (String, u32) {
        (self.place.file.clone(), self.place.line)
    }

    fn is_static(&self) -> bool {
        self.symbol.starts_with(foreign::STATIC)
    }

    fn diagnostic(self, kernel: &str) -> Diagnostic {
        let source = SourceLine::read(&self.place);
        let what = match source.as_ref().and_then(SourceLine::macro_call) {
            Some(name) if !foreign::is_stand_in(&self.symbol) => format!("`{name}`"),
            _ => self.what,
        };
        let too_new = foreign::parse_too_new(&self.symbol).map(|(instruction, needed, targets)| {
            (
                format!("its instruction `{instruction}` needs sm_{needed}; asked for: {targets}"),
                format!(
                    "use it inside `if arch_at_least!({needed})` only, or leave {targets} out of \
                     the build's targets"
                ),
            )
        });
        let (reason, help) =
            too_new.unwrap_or_else(|| (self.hint.reason.to_owned(), self.hint.help.to_owned()));
        let text = format!(" can't use {what}: {reason}");
        let diagnostic = Diagnostic::of_kernel(kernel, text).at(Some(self.place));
        let diagnostic = match self.calls.len() {
            0 | 1 => diagnostic,
            _ => diagnostic.note(chain(&self.calls)),
        };
        let diagnostic = match self.more {
            0 => diagnostic,
            more => diagnostic.note(format!("this kernel does so in {more} more places")),
        };
        let diagnostic = match self.also[..] {
            [] => diagnostic,
            _ => diagnostic.note(format!("and also: {}", self.also.join("; "))),
        };
        diagnostic.help(help)
    }
}

/// The calls from the kernel inwards.
fn chain(calls: &[Place]) -> String {
    let mut text = "these calls lead there:".to_owned();
    let left_out = calls.len().saturating_sub(MOST_CALLS);
    for (at, call) in calls.iter().enumerate() {
        if left_out > 1 && (MOST_CALLS / 2..MOST_CALLS / 2 + left_out).contains(&at) {
            if at == MOST_CALLS / 2 {
                text += &format!("\n.. {left_out} calls more ..");
            }
            continue;
        }
        let path = path_of(&call.function);
        let path = if path.len() > LONGEST_PATH { public_name(&path) } else { path };
        text += &format!("\n`{path}` at {}", in_file(call));
    }
    text
}

/// What the user wrote, with its article if it is no name. `paths` are the functions between the
/// user's code and the symbol.
fn describe(symbol: &str, path: &str, paths: &[String], is_thread_local: bool) -> String {
    let quoted = |path: &str| format!("`{}`", public_name(path));
    let outermost = paths.first().map_or(path, String::as_str);
    if symbol.starts_with(foreign::ASSEMBLY) {
        "inline assembly".to_owned()
    } else if symbol.starts_with(foreign::STATIC) {
        format!("the static `{path}`")
    } else if is_thread_local {
        // The variable itself is inside of functions that its macro made.
        let of_macro = |path: &&String| !path.starts_with('<') && !path.starts_with("std::");
        let made = paths.iter().filter(of_macro).find_map(|path| path.split_once("::{"));
        made.map_or_else(
            || "a thread-local variable".to_owned(),
            |(name, _)| format!("the thread-local variable `{name}`"),
        )
    } else {
        quoted(outermost)
    }
}

/// Explains the uses found in the optimised module. `before` are the same symbols' uses in the
/// module before, for those whose lines were lost.
pub(super) fn explain(
    kernel: &str,
    missing: Vec<String>,
    after: Vec<Use>,
    before: Vec<Use>,
) -> Vec<Diagnostic> {
    let earlier: Vec<Finding> = before.into_iter().map(Finding::new).collect();
    let mut findings = Vec::new();
    for finding in after.into_iter().map(Finding::new) {
        if finding.place.line != 0 {
            findings.push(finding);
            continue;
        }
        let same = |e: &&Finding| e.symbol == finding.symbol && e.place.line != 0;
        let here = |e: &&Finding| same(e) && e.place.function == finding.place.function;
        let mut found: Vec<Finding> = earlier.iter().filter(here).cloned().collect();
        if found.is_empty() {
            found = earlier.iter().filter(same).cloned().collect();
        }
        findings.extend(if found.is_empty() { vec![finding] } else { found });
    }
    for symbol in missing {
        if !findings.iter().any(|finding| finding.symbol == symbol) {
            findings.push(Finding::new(Use { symbol, frames: Vec::new() }));
        }
    }
    select(findings).into_iter().map(|finding| finding.diagnostic(kernel)).collect()
}

/// Leaves out what only follows from the rest.
fn select(mut findings: Vec<Finding>) -> Vec<Finding> {
    // Dropping a value is no mistake of its own where making it was one.
    if findings.iter().any(|finding| !finding.in_drop) {
        findings.retain(|finding| !finding.in_drop);
    }
    // Of a lock in a static, the lock says more.
    let is_lock = |f: &&Finding| f.what.starts_with("`std::sync::");
    let lines: HashSet<_> = findings.iter().filter(is_lock).map(Finding::line).collect();
    findings.retain(|finding| !finding.is_static() || !lines.contains(&finding.line()));

    findings.sort_by_key(|f| {
        (f.line(), f.hint.reason, !f.names_variable, f.place.column, f.calls.len())
    });
    let per_static = |f: &Finding| f.is_static().then(|| f.symbol.clone());
    findings.dedup_by_key(|finding| (finding.line(), finding.hint.reason, per_static(finding)));
    let mut findings = one_for_each_call(findings);
    let mut count: HashMap<&str, usize> = HashMap::new();
    for finding in &findings {
        *count.entry(finding.hint.reason).or_default() += 1;
    }
    let mut shown: HashMap<&str, usize> = HashMap::new();
    findings.retain_mut(|finding| {
        let shown = shown.entry(finding.hint.reason).or_default();
        *shown += 1;
        if *shown == MOST_OF_A_HINT {
            finding.more = count[finding.hint.reason] - *shown;
        }
        *shown <= MOST_OF_A_HINT
    });
    findings
}

/// Joins what one call of a library would need: the nearest reason, and the rest as a note.
fn one_for_each_call(findings: Vec<Finding>) -> Vec<Finding> {
    let mut joined: Vec<Finding> = Vec::new();
    for finding in findings {
        let is_same = |known: &&mut Finding| {
            known.line() == finding.line()
                && known.place.column == finding.place.column
                && known.hint.reason != finding.hint.reason
                && (known.what == finding.what || known.names_variable || finding.names_variable)
        };
        let Some(known) = joined.iter_mut().find(is_same) else {
            joined.push(finding);
            continue;
        };
        let other = match finding.calls.len() < known.calls.len() {
            true => std::mem::replace(known, finding),
            false => finding,
        };
        known.also.extend(other.also);
        known.also.push(other.hint.reason);
    }
    joined
}

/// Whether a place is neither the standard library's nor Ptyx's.
pub(super) fn is_own(place: &Place) -> bool {
    const CRATES: [&str; 7] =
        ["core::", "alloc::", "std::", "hashbrown::", "__rustc::", "ptyx::", "ptyx_device::"];
    const SOURCES: [&str; 2] = ["/rustc/", "library/"];
    let path = path_of(&place.function);
    let path = path.trim_start_matches(['<', '&', '[']);
    // A method of a primitive type belongs to the crate of its trait.
    let path = match path.split_once(" as ") {
        Some((ty, of_trait)) if !ty.contains("::") => of_trait,
        _ => path,
    };
    let of_library = SOURCES.iter().any(|start| place.file.starts_with(start))
        || place.file.contains("/rustlib/src/rust/library/");
    !place.file.is_empty() && !of_library && !CRATES.iter().any(|name| path.starts_with(name))
}

/// Whether a function drops a value.
fn is_drop(path: &str) -> bool {
    let glue = ["core::ptr::drop_in_place", "core::ptr::drop_glue"];
    glue.iter().any(|name| path.starts_with(name))
        || path.ends_with(" as core::ops::drop::Drop>::drop")
}

/// A launched function without `#[kernel]`.
pub(super) fn not_a_kernel(kernel: &str, definition: Place) -> Diagnostic {
    Diagnostic::of_kernel(kernel, " is launched but is not a `#[kernel]`")
        .at(Some(definition))
        .help("write `#[kernel]` above the function")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(line: u32, column: u32, symbol: &str, frames: &[&str]) -> Finding {
        let own = Place {
            function: "a::k".into(),
            file: "src/a.rs".into(),
            line,
            column,
            ..Place::default()
        };
        let library = |path: &&str| Place {
            function: (*path).to_owned(),
            file: "/rustc/0/library/x.rs".into(),
            line: 1,
            ..Place::default()
        };
        let frames = [own].into_iter().chain(frames.iter().map(library)).collect();
        Finding::new(Use { symbol: symbol.to_owned(), frames })
    }

    fn described(findings: Vec<Finding>) -> Vec<String> {
        let line = |f: Finding| format!("{}:{} {}", f.place.line, f.place.column, f.what);
        select(findings).into_iter().map(line).collect()
    }

    #[test]
    fn the_users_place_and_the_function_called_there() {
        let found = finding(5, 3, "close", &["std::fs::File::open", "std::sys::fd::close_all"]);
        assert_eq!((found.place.line, found.what.as_str()), (5, "`std::fs::File::open`"));
        assert_eq!(found.hint.reason, "a device has no file system");
        assert_eq!(finding(5, 3, "getpid", &[]).what, "`getpid`");
    }

    #[test]
    fn one_mistake_has_one_message() {
        let all = vec![
            finding(5, 9, "close", &["std::fs::read"]),
            finding(5, 3, "open", &["std::fs::read"]),
            finding(5, 3, "__rustc::__rust_dealloc", &["core::ptr::drop_in_place::<X>"]),
            finding(4, 1, "now", &["std::time::Instant::now"]),
            finding(7, 1, "open", &["std::fs::write"]),
        ];
        let expected =
            ["4:1 `std::time::Instant::now`", "5:3 `std::fs::read`", "7:1 `std::fs::write`"];
        assert_eq!(described(all), expected);
    }

    #[test]
    fn one_call_has_one_message() {
        let all = vec![
            finding(5, 3, "__rustc::__rust_alloc", &["a_crate::run", "alloc::vec::Vec::push"]),
            finding(5, 3, "futex", &["a_crate::run", "std::sync::Mutex::lock"]),
            finding(5, 9, "open", &["std::fs::read"]),
        ];
        let chosen = select(all);
        let shown: Vec<_> = chosen.iter().map(|f| (f.what.as_str(), f.also.len())).collect();
        assert_eq!(shown, [("`std::fs::read`", 0), ("`a_crate::run`", 1)]);
    }

    #[test]
    fn long_chains_are_cut() {
        let call = |i: u32| Place { function: "f".into(), line: i, ..Place::default() };
        let calls: Vec<Place> = (1..=20).map(call).collect();
        let text = chain(&calls);
        assert_eq!(text.lines().count(), 1 + MOST_CALLS + 1);
        assert!(text.contains("\n.. 12 calls more ..\n"), "{text}");
        assert_eq!(chain(&calls[..9]).lines().count(), 10);
    }

    #[test]
    fn a_drop_alone_is_told() {
        let all =
            vec![finding(5, 3, "__rustc::__rust_dealloc", &["core::ptr::drop_in_place::<X>"])];
        assert_eq!(described(all).len(), 1);
    }

    #[test]
    fn many_of_a_kind_are_counted() {
        let all = (1..=9).map(|line| finding(line, 1, "open", &["std::fs::read"])).collect();
        let chosen = select(all);
        assert_eq!(chosen.len(), MOST_OF_A_HINT);
        assert_eq!(chosen.last().map(|finding| finding.more), Some(4));
    }

    #[test]
    fn lost_lines_come_from_the_module_before() {
        let found = |line| Use {
            symbol: "getpid".into(),
            frames: vec![Place {
                function: "a::k".into(),
                file: "src/a.rs".into(),
                line,
                column: 1,
                ..Place::default()
            }],
        };
        let texts =
            explain("a::k", vec!["getpid".into()], vec![found(0)], vec![found(3), found(8)]);
        let places: Vec<String> = texts
            .iter()
            .map(|d| d.to_string().lines().nth(1).unwrap_or_default().to_owned())
            .collect();
        assert_eq!(places, [" --> src/a.rs:3:1", " --> src/a.rs:8:1"]);
    }
}
