//! What a user sees after a mistake. Each file of `tests/ui` is the `main.rs` of a package outside
//! the workspace, followed by its other files, each behind a line `//@ file: path`. What `cargo
//! build` says about it must be what stands in the `.stderr` beside it, or, for a program that
//! builds, what it prints. `PTYX_BLESS=1 cargo test --test diagnostics` rewrites the expectations,
//! `PTYX_UI=name` looks at those files alone whose name has `name` in it.
//!
//! A line `// env: NAME=value` sets a variable for the build.
//!
//! Where another rustc has other words, its text stands in `NAME.1.97.stderr`, with its version.
//!
//! All of them are built one after the other as the same package, so that dependencies are built
//! once.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The package outside the workspace.
struct Scratch {
    /// Its folder.
    package: PathBuf,
    workspace: PathBuf,
    tests: PathBuf,
}

impl Scratch {
    fn new() -> Self {
        let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let workspace = tests.parent().expect("the tests are a folder of the workspace").to_owned();
        let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scratch");
        fs::create_dir_all(&package).unwrap();
        let manifest = format!(
            "[package]\nname = \"scratch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nptyx = {{ path = {:?} }}\n\n\
             [build-dependencies]\nptyx-compiler = {{ path = {:?} }}\n\n[workspace]\n",
            workspace.join("host"),
            workspace.join("compiler"),
        );
        fs::write(package.join("Cargo.toml"), manifest).unwrap();
        // The same versions as in the workspace, which are there already.
        fs::copy(workspace.join("Cargo.lock"), package.join("Cargo.lock")).unwrap();
        Scratch { package, workspace, tests }
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
        let target = self.package.join("target");
        let variables = source.lines().filter_map(|line| line.strip_prefix("// env: "));
        let build = Command::new(env!("CARGO"))
            .envs(variables.filter_map(|text| text.split_once('=')))
            .args(["build", "--quiet", "--offline", "--color=never", "--keep-going"])
            .current_dir(&self.package)
            .env("CARGO_TARGET_DIR", &target)
            // Faster for builds that are never repeated, and no warnings of some file systems.
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only")
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .output()
            .expect("cargo starts");
        let mut text = String::from_utf8_lossy(&build.stderr).into_owned() + "\n\n";
        if build.status.success() {
            let run = Command::new(target.join("debug/scratch"))
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
        let workspace = self.workspace.display().to_string();
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

#[test]
fn mistakes_are_explained() {
    let scratch = Scratch::new();
    let bless = std::env::var_os("PTYX_BLESS").is_some();
    let mut sources: Vec<PathBuf> = fs::read_dir(scratch.tests.join("ui"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    sources.sort();
    assert!(sources.len() >= 6, "the files of tests/ui are missing");
    if let Ok(part) = std::env::var("PTYX_UI") {
        sources.retain(|path| path.to_string_lossy().contains(&part));
    }
    let rustc = rustc_version();

    let mut failures = String::new();
    for path in &sources {
        let source = fs::read_to_string(path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy();
        let got = scratch.run(&source);
        let of_version = path.with_extension(format!("{rustc}.stderr"));
        let expected = if of_version.exists() { of_version } else { path.with_extension("stderr") };
        if bless {
            fs::write(&expected, &got).unwrap();
        }
        let want = fs::read_to_string(&expected).unwrap_or_default();
        println!("{name}: {}", if got == want { "ok" } else { "DIFFERS" });
        if got != want {
            _ = writeln!(failures, "==== {name}: expected\n{want}==== found\n{got}");
        }
        // An expectation rewritten without a look must still say the essential, once.
        for line in source.lines() {
            if let Some(part) = line.trim().strip_prefix("// once: ") {
                let count = got.matches(part).count();
                if count != 1 {
                    _ = writeln!(failures, "==== {name}: `{part}` {count} times\n{got}");
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}
