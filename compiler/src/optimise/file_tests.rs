//! Tests of single passes, of `lower/` and of this folder: a file of `compiler/tests/passes/` holds IR,
//! names passes, and says what they make of it.
//!
//! ```text
//! ; run: join_checks          the passes, with commas between
//! ; Anything else: what the file shows.
//! define ...
//! ; becomes:
//! define ...
//! ; says: ..                  what the passes tell their callers besides
//! ; refused: ..               an error in place of all of that
//! ```
//!
//! `PTYX_BLESS=1 cargo test -p ptyx-compiler-unit-tests passes_do` rewrites what follows `; becomes:`. Review the
//! difference before you commit it. A file should have a function that changes, and ones like it that must
//! not.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ptyx_image::Arch;

use super::*;
use crate::llvm::{self, BASE_PTX, Context, Value};
use crate::lower::{RunStep, STEPS};
use crate::rust::Toolchain;

/// Begins the expectation.
const BECOMES: &str = "; becomes:\n";

/// A row of [`PASSES`] for a pass that needs the module alone.
macro_rules! plain {
    ($pass:ident $(, $also:expr)*) => {
        (stringify!($pass), |module, _| {
            _ = $pass(module $(, $also)*);
            Ok(String::new())
        })
    };
}

/// The passes of this folder by name, in the order in which they run.
const PASSES: [(&str, RunStep); 35] = [
    plain!(allow_contraction),
    plain!(split_iterators),
    plain!(join_iterations),
    plain!(narrow_indices),
    plain!(answer_fills, true),
    plain!(explain_loops),
    plain!(prove_checks),
    ("split_levels", |module, _| {
        let printed = |module: &Module<'_>| {
            let lines = module.functions().into_iter().map(Value::print);
            lines.collect::<Vec<_>>().join("\n")
        };
        Ok(split_levels(module).iter().map(printed).collect::<Vec<_>>().join("\n"))
    }),
    ("ask_before", |module, _| {
        version_loops::ask_before(module, Loops::All);
        Ok(String::new())
    }),
    ("keep_small", |module, _| {
        version_loops::keep_small(module);
        Ok(String::new())
    }),
    ("version_loops", |module, target| {
        version_loops(module, target, Loops::All)?;
        Ok(String::new())
    }),
    plain!(step_addresses),
    plain!(unroll_known_loops),
    plain!(hold_back_unrolling),
    ("group_iterations", |module, target| {
        module.run_passes(CLOSE_LOOPS, target)?;
        group_iterations(module);
        Ok(String::new())
    }),
    plain!(unroll_checked_loops, true),
    plain!(make_private_atomics_plain),
    plain!(weaken_loads),
    ("unroll_remainders", |module, target| {
        unroll_remainders(module, target)?;
        Ok(String::new())
    }),
    plain!(reuse_loads),
    plain!(hoist_loads),
    plain!(load_nearby),
    plain!(decide_checks),
    plain!(narrow_divisions),
    plain!(narrow_words),
    plain!(split_cold_ends),
    plain!(keep_unrolled_loops),
    plain!(agree_on_copies),
    plain!(make_checks_ahead, true, true),
    plain!(join_checks),
    plain!(load_early),
    plain!(narrow_counters),
    plain!(multiply_words),
    plain!(convert_floats),
    plain!(rejoin_panics),
];

/// Functions that look like a pass in the sources, and are none.
const NO_PASSES: [(&str, &str); 30] = [
    ("answer_architecture::asked_archs", LOOKS),
    ("answer_features::may_lack", LOOKS),
    ("group_iterations::finds_any", LOOKS),
    ("guard_private_atomics::make_plain", "of it and of `make_private_atomics_plain`"),
    ("limits::add_limits", "of `make_entry`"),
    ("limits::mark_limits", "of `make_entry`"),
    ("lower::lower", "the pipeline"),
    ("lower::mark_convergent", "for tests: `strip_attributes`"),
    ("lower::needed", LOOKS),
    ("lower_symbols::add_dynamic_shared", "of it and of `move_large_arrays`"),
    ("optimise::optimise", "the pipeline"),
    ("optimise::optimise_alone", "a part of the pipeline"),
    ("optimise::optimise_together", "a part of the pipeline"),
    ("optimise::rotate_to_version", "decides whether passes of LLVM run"),
    ("panics::add_launch_params", "of `make_entry`"),
    ("pointers::follows_untracked", LOOKS),
    ("proof::add_proof", "of `make_entry`"),
    ("proof::ask_host", "of `prove_checks`"),
    ("proof::fix_level", "of `split_levels`"),
    ("proof::mark_proof", "of `make_entry`"),
    ("redirect_heap::is_marked", LOOKS),
    ("redirect_heap::needed", LOOKS),
    ("redirect_runtime::needed", LOOKS),
    ("redirect_x86::divide", "of it"),
    ("redirect_x86::has_row", LOOKS),
    ("step_addresses::forget_exact", "of it"),
    ("take_linked_ptx::linked_ptx", LOOKS),
    ("take_linked_ptx::used_ptx", LOOKS),
    ("version_loops::finds_any", LOOKS),
    ("version_loops::has_checks", LOOKS),
];

/// Why a function is no pass: it changes nothing.
const LOOKS: &str = "only looks";

/// The folder of a package of ours, wherever the tests are built.
fn of_compiler(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../compiler").join(path)
}

/// What the passes named in `text` make of its module.
fn run(text: &str) -> String {
    let names = text.lines().find_map(|line| line.strip_prefix("; run: "));
    let names = names.expect("a line `; run: pass`");
    let context = Context::new();
    let mut module = Module::parse_text(&context, text).unwrap();
    let target = Target::new(Arch::BASE, BASE_PTX).unwrap();
    module.set_target(&target);
    let mut said = String::new();
    for name in names.split(',').map(str::trim) {
        let all = PASSES.iter().chain(&STEPS);
        let Some((_, pass)) = all.into_iter().find(|(known, _)| *known == name) else {
            panic!("there is no pass `{name}`");
        };
        match pass(&mut module, &target) {
            Ok(lines) => said += &commented("says", &lines),
            Err(error) => return commented("refused", &error.to_string()),
        }
    }
    module.verify().unwrap();
    let printed = module.print();
    let is_head = |line: &&str| {
        ["; ModuleID", "source_filename", "target "].iter().any(|start| line.starts_with(start))
    };
    let body: Vec<&str> =
        printed.lines().skip_while(|line| is_head(line) || line.is_empty()).collect();
    body.join("\n") + "\n" + &said
}

/// Lines of text as comments of IR.
fn commented(what: &str, text: &str) -> String {
    text.lines().map(|line| format!("; {what}: {line}\n")).collect()
}

#[test]
fn passes_do_what_their_files_say() {
    let toolchain = Toolchain::for_test();
    llvm::load(&toolchain.libllvm).unwrap();
    let bless = std::env::var_os("PTYX_BLESS").is_some_and(|value| value == "1");
    let mut files: Vec<PathBuf> = fs::read_dir(of_compiler("tests/passes"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "ll"));
    files.sort();
    let mut wrong = Vec::new();
    for path in &files {
        let text = fs::read_to_string(path).unwrap();
        let (input, expected) = text.split_once(BECOMES).unwrap_or((&text, ""));
        let made = run(input);
        if made == expected {
            continue;
        }
        if bless {
            fs::write(path, format!("{}\n\n{BECOMES}{made}", input.trim_end())).unwrap();
        } else {
            wrong.push(format!("{}:\n{}", path.display(), difference(expected, &made)));
        }
    }
    assert!(!files.is_empty());
    assert!(wrong.is_empty(), "{}\nPTYX_BLESS=1 writes the files anew", wrong.join("\n"));
}

/// The first lines that differ, with some context before them.
fn difference(expected: &str, made: &str) -> String {
    let (expected, made): (Vec<&str>, Vec<&str>) =
        (expected.lines().collect(), made.lines().collect());
    let same = expected.iter().zip(&made).take_while(|(a, b)| a == b).count();
    let part = |lines: &[&str]| {
        let end = lines.len().min(same + 8);
        lines[same.saturating_sub(3).min(end)..end].join("\n")
    };
    format!("expected from line {}:\n{}\nmade:\n{}", same + 1, part(&expected), part(&made))
}

/// The passes that the files of `compiler/tests/passes/` run.
fn passes_with_files() -> BTreeSet<String> {
    let files = fs::read_dir(of_compiler("tests/passes")).unwrap();
    let texts = files.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let names = |text: &str| -> Vec<String> {
        let line = text.lines().next().and_then(|line| line.strip_prefix("; run: "));
        line.into_iter().flat_map(|names| names.split(',')).map(|name| name.trim().into()).collect()
    };
    texts.flat_map(|text| names(&text)).collect()
}

/// The functions of a folder of passes that get a module first and can be called from outside of their file, as
/// `module::function`; of the folder's own file, all. A folder in it exports what its `mod.rs` defines or shows.
fn functions_of_modules(folder: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let entries = fs::read_dir(of_compiler("src").join(folder)).unwrap();
    for path in entries.map(|entry| entry.unwrap().path()) {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            let shown = fs::read_to_string(path.join("mod.rs")).unwrap();
            let exports: BTreeSet<&str> = shown
                .split(';')
                .filter(|statement| statement.trim_start().starts_with("pub"))
                .filter_map(|statement| statement.split_once(" use "))
                .flat_map(|(_, names)| names.split(|c: char| !c.is_alphanumeric() && c != '_'))
                .collect();
            for file in fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()) {
                let text = fs::read_to_string(&file).unwrap();
                let is_mod = file.ends_with("mod.rs");
                let names = functions_in(&text, true).into_iter();
                let names = names.filter(|function| is_mod || exports.contains(function.as_str()));
                found.extend(names.map(|function| format!("{name}::{function}")));
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let is_own = name == "mod";
            let name = if is_own { folder } else { &name };
            let functions = functions_in(&fs::read_to_string(&path).unwrap(), !is_own);
            found.extend(functions.into_iter().map(|function| format!("{name}::{function}")));
        }
    }
    found
}

/// The functions of a file, methods aside, whose first parameter is a module.
fn functions_in(text: &str, only_public: bool) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let is_public = line.starts_with("pub");
        let Some((before, rest)) = line.split_once("fn ") else { continue };
        if !(is_public || line.starts_with("fn ") && !only_public) || before.contains("//") {
            continue;
        }
        let head = [rest, lines.get(at + 1).unwrap_or(&"")].concat();
        let Some((name, params)) = head.split_once('(') else { continue };
        let first = params.trim_start().split_once(':').map_or("", |(_, ty)| ty.trim_start());
        if first.starts_with("&Module<") || first.starts_with("&mut Module<") {
            found.push(name.split('<').next().unwrap_or(name).to_owned());
        }
    }
    found
}

/// No pass goes without a file, and no function that gets a module goes without a name here.
#[test]
fn every_pass_has_a_file() {
    let files = passes_with_files();
    let passes: BTreeSet<&str> = PASSES.iter().chain(&STEPS).map(|(name, _)| *name).collect();
    assert_eq!(passes.len(), PASSES.len() + STEPS.len(), "a name stands twice");
    let functions: BTreeSet<String> =
        ["lower", "optimise"].into_iter().flat_map(functions_of_modules).collect();
    let mut wrong = Vec::new();
    for name in passes.iter().filter(|name| !files.contains(**name)) {
        wrong.push(format!("`{name}` has no file in compiler/tests/passes"));
    }
    let last = |path: &str| path.rsplit("::").next().unwrap_or_default().to_owned();
    let is_none = |path: &str| NO_PASSES.iter().any(|(none, _)| *none == path);
    for path in functions.iter().filter(|path| !passes.contains(last(path).as_str())) {
        if !is_none(path) {
            wrong.push(format!("`{path}` is neither in `PASSES`, in `STEPS` nor in `NO_PASSES`"));
        }
    }
    let names: BTreeSet<String> = functions.iter().map(|path| last(path)).collect();
    for name in passes.iter().filter(|name| !names.contains(**name)) {
        wrong.push(format!("there is no function `{name}`"));
    }
    for (path, _) in NO_PASSES.iter().filter(|(path, _)| !functions.contains(*path)) {
        wrong.push(format!("`NO_PASSES` names `{path}`, which is not there"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The tables of `lower/mod.rs` have a row for each step and no other.
#[test]
fn every_step_is_in_the_tables() {
    let text = fs::read_to_string(of_compiler("src/lower/mod.rs")).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("//! | `")?.split_once('`'));
    let documented: Vec<&str> = rows.map(|(name, _)| name).collect();
    let steps: Vec<&str> = STEPS.iter().map(|(name, _)| *name).collect();
    assert_eq!(documented, steps);
}
