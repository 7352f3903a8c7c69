//! Explains to the user each use of something that a device lacks.

use std::collections::{HashMap, HashSet};

use super::hints::{self, Hint};
use super::search::Use;
use crate::llvm::Place;
use crate::report::{Diagnostic, SourceLine, in_file, is_local, is_own};
use crate::rust::{is_launch, path_of, paths, public_name};
use crate::symbols::{self, is_stand_in};

/// The number of places in one kernel that are shown for the same hint.
const MAX_PLACES: usize = 5;

/// The number of calls of a chain that are shown, half of them from either end.
const MAX_CALLS: usize = 8;

/// The longest path that is shown with its generics.
const MAX_PATH: usize = 80;

/// A use, as the user sees it.
#[derive(Clone)]
struct Finding {
    symbol: String,
    hint: &'static Hint,
    /// The place in the user's code.
    place: Place,
    /// What is used there: the first function that is not the user's, or the symbol itself.
    what: String,
    /// Whether that is a thread-local variable, and not the function that asks for it.
    names_variable: bool,
    /// Whether it happens when a value is dropped.
    in_drop: bool,
    /// The calls in the user's code and its dependencies that lead there, the kernel's first.
    calls: Vec<Place>,
    /// How many places like this one are left out after it.
    more: usize,
    /// What else the same function uses that a device lacks.
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
        let path = path_of(symbols::original(&symbol));
        let stand_in = if is_stand_in(&symbol) { &symbol } else { &path };
        let paths: Vec<String> = inner.iter().map(|frame| path_of(&frame.function)).collect();
        let in_drop = paths.iter().chain([&path]).any(|path| is_drop(path));
        let hint = hints::find(paths.iter().map(String::as_str).chain([stand_in.as_str()]));
        // Thread-locals inside a lock or a channel are an implementation detail.
        let names_variable = symbol.starts_with(symbols::THREAD_LOCAL)
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
        self.symbol.starts_with(symbols::STATIC)
    }

    fn diagnostic(self, kernel: &str) -> Diagnostic {
        let source = SourceLine::read(&self.place);
        let what = match source.as_ref().and_then(SourceLine::macro_call) {
            Some(name) if !is_stand_in(&self.symbol) => format!("`{name}`"),
            _ => self.what,
        };
        let too_new = symbols::parse_too_new(&self.symbol).map(|(instruction, needed, targets)| {
            let question = match needed.trim_start_matches("sm_") {
                number if number.bytes().all(|b| b.is_ascii_digit()) => {
                    format!("arch_at_least!({number})")
                }
                _ => format!("arch_is!(\"{needed}\")"),
            };
            (
                format!("its instruction `{instruction}` needs {needed}; asked for: {targets}"),
                format!(
                    "use it inside `if {question}` only, or leave {targets} out of the build's \
                     targets"
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
    let left_out = calls.len().saturating_sub(MAX_CALLS);
    for (at, call) in calls.iter().enumerate() {
        if left_out > 1 && (MAX_CALLS / 2..MAX_CALLS / 2 + left_out).contains(&at) {
            if at == MAX_CALLS / 2 {
                text += &format!("\n.. {left_out} calls more ..");
            }
            continue;
        }
        let path = path_of(&call.function);
        let path = if path.len() > MAX_PATH { public_name(&path) } else { path };
        text += &format!("\n`{path}` at {}", in_file(call));
    }
    text
}

/// What the user wrote, with an article if it is not a name. `paths` are the functions between the
/// user's code and the symbol.
fn describe(symbol: &str, path: &str, paths: &[String], is_thread_local: bool) -> String {
    let quoted = |path: &str| format!("`{}`", public_name(path));
    let outermost = paths.first().map_or(path, String::as_str);
    if symbol.starts_with(symbols::ASSEMBLY) {
        "inline assembly".to_owned()
    } else if paths.is_empty() && symbol.starts_with(symbols::TOO_NEW) {
        "this `ptx!`".to_owned()
    } else if symbol.starts_with(symbols::STATIC) {
        format!("the static `{path}`")
    } else if is_thread_local {
        // The variable itself is inside functions that its macro made.
        let of_macro = |path: &&String| !path.starts_with('<') && !path.starts_with(paths::STD);
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
pub(crate) fn explain(
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

/// Leaves out findings that only follow from others.
fn select(mut findings: Vec<Finding>) -> Vec<Finding> {
    // Dropping a value is not a separate mistake where making it was one.
    if findings.iter().any(|finding| !finding.in_drop) {
        findings.retain(|finding| !finding.in_drop);
    }
    // For a lock in a static, the lock says more.
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
        if *shown == MAX_PLACES {
            finding.more = count[finding.hint.reason] - *shown;
        }
        *shown <= MAX_PLACES
    });
    findings
}

/// Joins the findings of one library call: the nearest reason, and the rest as a note.
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

/// Whether a function drops a value.
fn is_drop(path: &str) -> bool {
    paths::DROP_GLUE.iter().any(|name| path.starts_with(name)) || path.ends_with(paths::DROP)
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
        assert_eq!(text.lines().count(), 1 + MAX_CALLS + 1);
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
        assert_eq!(chosen.len(), MAX_PLACES);
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
