//! What a user sees after a mistake. Each file of `ui/` is the `main.rs` of a package outside the
//! workspace, followed by its other files, each behind a line `//@ file: path`. What `cargo build` says
//! about it must be what stands in the `.stderr` beside it, or, for a program that builds, what it prints.
//! `PTYX_BLESS=1 cargo test -p ptyx-package-tests diagnostics` rewrites the expectations.
//!
//! A line `// env: NAME=value` sets a variable for the build.
//!
//! Where another rustc has other words, its text stands in `NAME.1.97.stderr`, with its version.

use ptyx_package_tests::cargo::{cargo, manifest, workspace};
use ptyx_package_tests::target::Target;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A test for each file.
macro_rules! files {
    ($($name:ident)*) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];
        $(#[test]
        fn $name() {
            ptyx_test_support::part!($name);
            explains(stringify!($name));
        })*
    };
}

files! {
    arguments
    atomics
    borrowing_closure
    borrowing_struct
    by_value
    by_value_closures
    c_library
    call_chain
    calls_a_kernel
    closures
    code_for_each_architecture
    collections_and_locks
    dead_code
    device_copy
    device_functions_on_the_host
    device_statics
    device_statics_types
    divergent_barriers
    divergent_groups
    errors_of_both_kinds
    foreign_code
    function_pointer
    heap
    host_functions
    host_functions_in_a_kernel
    host_memory
    inline_ptx
    kernel_arg
    large_stack
    launch_shapes
    linked_ptx
    llvm_gives_up
    macro_mistakes
    newer_architecture
    no_kernels
    not_a_kernel
    operating_system
    own_elements
    operators
    ownership_borrows
    ownership_types
    parameter_types
    printing
    returns_a_value
    same_name
    several_files
    statics
    tracked_closures
    type_error
    unknown_target
    unknown_types
    works
    wrong_arguments
}

#[test]
fn every_file_has_a_test() {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let sources = entries.filter(|path| path.extension().is_some_and(|e| e == "rs"));
    let names = sources.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned());
    let listed: BTreeSet<String> = NAMES.iter().map(|name| name.to_string()).collect();
    assert_eq!(names.collect::<BTreeSet<_>>(), listed);
}

/// Where the files are.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ui")
}

/// The package outside the workspace: one for each target folder, always the same, so that it is one
/// package that cargo builds there.
struct Scratch {
    package: PathBuf,
    target: Target,
}

impl Scratch {
    fn new() -> Self {
        let target = Target::take();
        let name = format!("scratch-{}", target.index);
        let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&package).unwrap();
        let manifest = manifest("scratch", "0.0.0", "", "[workspace]\n");
        fs::write(package.join("Cargo.toml"), manifest).unwrap();
        fs::copy(workspace().join("Cargo.lock"), package.join("Cargo.lock")).unwrap();
        Scratch { package, target }
    }

    /// `cargo build` of the package with this `main.rs`, and, if it builds, the program.
    fn run(&self, source: &str) -> String {
        let _ = fs::remove_dir_all(self.package.join("src"));
        // Unless one of the files is another one. Written only where it differs: cargo looks at times.
        const BUILD: &str = "fn main() {\n    ptyx_compiler::build()\n}\n";
        let build = self.package.join("build.rs");
        let is_there = fs::read_to_string(&build).is_ok_and(|text| text == BUILD);
        if !is_there && !source.contains("//@ file: build.rs\n") {
            fs::write(&build, BUILD).unwrap();
        }
        for file in source.split("//@ file: ").enumerate() {
            let (path, text) = match file {
                (0, main) => ("src/main.rs", main),
                (_, other) => other.split_once('\n').expect("a path and a file"),
            };
            let path = self.package.join(path);
            fs::create_dir_all(path.parent().expect("a file of the package")).unwrap();
            fs::write(path, text).unwrap();
        }
        let variables = source.lines().filter_map(|line| line.strip_prefix("// env: "));
        let build = cargo(&self.package, &self.target.path)
            .envs(variables.filter_map(|text| text.split_once('=')))
            .args(["build", "--quiet", "--color=never", "--keep-going"])
            .output()
            .expect("cargo starts");
        let mut text = String::from_utf8_lossy(&build.stderr).into_owned() + "\n\n";
        if build.status.success() {
            let run = Command::new(self.target.path.join("debug/scratch"))
                .env("PTYX_DEVICE", "emulator")
                .output()
                .expect("the program starts");
            text += &String::from_utf8_lossy(&run.stdout);
            text += &String::from_utf8_lossy(&run.stderr);
        }
        self.normalised(&text)
    }

    /// The text without what differs between machines, without warnings about Ptyx's own source and
    /// the lines of it that rustc quotes.
    fn normalised(&self, text: &str) -> String {
        let package = self.package.display().to_string();
        let workspace = workspace().display().to_string();
        let text = text.replace(&package, "$PACKAGE").replace(&workspace, "$PTYX");
        let theirs =
            |message: &&str| !(message.starts_with("warning: ") && message.contains("$PTYX/"));
        let text = text.split("\n\n").filter(theirs).collect::<Vec<_>>().join("\n\n");
        let mut lines = String::new();
        let mut in_quotation = false;
        for line in text.lines() {
            if line.starts_with("warning: `ptyx") {
                continue;
            }
            let trimmed = line.trim_start();
            if trimmed.starts_with("--> ") || trimmed.starts_with("::: ") {
                in_quotation = trimmed[4..].starts_with("$PTYX/");
            } else if in_quotation {
                if trimmed.starts_with(|c: char| c == '|' || c == '.' || c.is_ascii_digit()) {
                    continue;
                }
                in_quotation = false;
            }
            // The margin is as wide as the largest line number, which may be one of Ptyx's.
            let in_margin =
                ["| ", "= ", "--> ", "::: "].iter().any(|mark| trimmed.starts_with(mark));
            let in_margin = in_margin || trimmed == "|" || trimmed.starts_with(char::is_numeric);
            let line = if in_margin { trimmed } else { line };
            // Whether a path is whole differs between versions of rustc.
            let line =
                line.replace("required by a bound in `ptyx::launch::", "required by a bound in `");
            let line = line.as_str();
            _ = writeln!(lines, "{}", without_positions(line, "$PTYX/").trim_end());
        }
        lines.trim().to_owned() + "\n"
    }
}

/// Replaces `:line:column` behind paths that start with `prefix` by `:*`.
fn without_positions(line: &str, prefix: &str) -> String {
    let Some(start) = line.find(prefix) else { return line.to_owned() };
    let (before, path) = line.split_at(start);
    match path.find(".rs:") {
        Some(end) => {
            let rest = path[end + 4..].trim_start_matches(|c: char| c.is_ascii_digit() || c == ':');
            format!("{before}{}.rs:*{rest}", &path[..end])
        }
        None => line.to_owned(),
    }
}

/// The first two numbers of the version of the rustc that cargo will use.
fn rustc_version() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output().expect("rustc starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = text.split(' ').nth(1).expect("a version");
    version.split('.').take(2).collect::<Vec<_>>().join(".")
}

/// Compares what is said about a file with its expectation.
fn explains(name: &str) {
    let path = folder().join(format!("{name}.rs"));
    let source = fs::read_to_string(&path).unwrap();
    let got = Scratch::new().run(&source);
    let of_version = path.with_extension(format!("{}.stderr", rustc_version()));
    let expected = if of_version.exists() { of_version } else { path.with_extension("stderr") };
    if std::env::var_os("PTYX_BLESS").is_some() {
        fs::write(&expected, &got).unwrap();
    }
    let want = fs::read_to_string(&expected).unwrap_or_default();
    assert!(got == want, "expected:\n{want}==== found:\n{got}");
    // An expectation rewritten without a look must still say the essential, once.
    for line in source.lines() {
        if let Some(part) = line.trim().strip_prefix("// once: ") {
            assert_eq!(got.matches(part).count(), 1, "`{part}` once in:\n{got}");
        }
    }
}
