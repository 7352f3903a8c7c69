//! Tests of single passes, of `lower/` and of this folder: a file of `compiler/tests/passes/` holds IR,
//! names passes, and says what they make of it.
//!
//! ```text
//! ; run: join_checks          the passes, with commas between
//! ; Anything else: what the file shows.
//! define ...
//! ; becomes:
//! define ...
//! ```
//!
//! `PTYX_BLESS=1 cargo test -p ptyx-compiler passes_do` rewrites what follows `; becomes:`. Review the
//! difference before you commit it. A file should have a function that changes, and ones like it that must
//! not.

use std::fs;
use std::path::{Path, PathBuf};

use ptyx_image::Arch;

use super::*;
use crate::llvm::{self, BASE_PTX, Context};
use crate::lower::run_step;
use crate::rust::Toolchain;

/// Begins the expectation.
const BECOMES: &str = "; becomes:\n";

type RunPass = fn(&Module<'_>);

/// The passes of this folder by name.
const PASSES: [(&str, RunPass); 14] = [
    ("agree_on_copies", agree_on_copies),
    ("answer_fills", |module| answer_fills(module, true)),
    ("allow_contraction", allow_contraction),
    ("explain_loops", explain_loops),
    ("hold_back_unrolling", hold_back_unrolling),
    ("join_checks", join_checks),
    ("keep_unrolled_loops", keep_unrolled_loops),
    ("make_private_atomics_plain", make_private_atomics_plain),
    ("rejoin_panics", rejoin_panics),
    ("split_cold_ends", split_cold_ends),
    ("step_addresses", step_addresses),
    ("unroll_checked_loops", |module| unroll_checked_loops(module, true)),
    ("unroll_doubling_loops", unroll_doubling_loops),
    ("version_loops", |module| _ = version_loops::ask_before(module, Loops::All)),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../compiler/tests/passes")
}

/// What the passes named in `text` make of its module.
fn run(text: &str) -> String {
    let names = text.lines().find_map(|line| line.strip_prefix("; run: "));
    let names = names.expect("a line `; run: pass`");
    let context = Context::new();
    let mut module = Module::parse_text(&context, text).unwrap();
    let target = Target::new(Arch::BASE, BASE_PTX).unwrap();
    module.set_target(&target);
    for name in names.split(',').map(str::trim) {
        match PASSES.iter().find(|(known, _)| *known == name) {
            Some((_, pass)) => pass(&module),
            None => run_step(name, &mut module, &target)
                .unwrap_or_else(|| panic!("there is no pass `{name}`"))
                .unwrap_or_else(|error| panic!("{name}: {error}")),
        }
    }
    module.verify().unwrap();
    let printed = module.print();
    let is_head = |line: &&str| {
        ["; ModuleID", "source_filename", "target "].iter().any(|start| line.starts_with(start))
    };
    let body: Vec<&str> =
        printed.lines().skip_while(|line| is_head(line) || line.is_empty()).collect();
    body.join("\n") + "\n"
}

#[test]
fn passes_do_what_their_files_say() {
    let toolchain = Toolchain::for_test();
    llvm::load(&toolchain.libllvm).unwrap();
    let bless = std::env::var_os("PTYX_BLESS").is_some_and(|value| value == "1");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
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

/// No pass goes without a file.
#[test]
fn every_pass_has_a_file() {
    let texts: Vec<String> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    let run = |name: &str| {
        let lines = texts.iter().filter_map(|text| text.lines().next()?.strip_prefix("; run: "));
        lines.flat_map(|names| names.split(',')).any(|known| known.trim() == name)
    };
    for name in PASSES.iter().map(|(name, _)| *name).chain(crate::lower::STEPS) {
        assert!(run(name), "`{name}` has no file in tests/passes");
    }
}
