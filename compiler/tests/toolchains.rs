//! What a build script says about a rustc that can't compile kernels.
//!
//! The build script is this test program, started again as cargo would start it, with a rustc that
//! gives the answers that the test needs, and otherwise behaves like the real one.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Set for the program that plays the build script.
const CHILD: &str = "PTYX_TEST_BUILD_SCRIPT";

/// The rustc of this test.
fn rustc() -> PathBuf {
    std::env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from)
}

fn ask_rustc(argument: &str) -> String {
    let output = Command::new(rustc()).arg(argument).output().expect("rustc starts");
    String::from_utf8(output.stdout).expect("rustc prints UTF-8").trim().to_owned()
}

/// A package without kernels, and a rustc in front of the real one.
struct Fake {
    directory: PathBuf,
}

impl Fake {
    fn new(name: &str) -> Fake {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("toolchains").join(name);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(directory.join("package/src")).unwrap();
        fs::create_dir_all(directory.join("target/debug/build/package-0/out")).unwrap();
        fs::create_dir_all(directory.join("sysroot/lib")).unwrap();
        let manifest = "[package]\nname = \"package\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
                        [workspace]\n";
        fs::write(directory.join("package/Cargo.toml"), manifest).unwrap();
        let lock = "version = 4\n\n[[package]]\nname = \"package\"\nversion = \"0.1.0\"\n";
        fs::write(directory.join("package/Cargo.lock"), lock).unwrap();
        fs::write(directory.join("package/src/lib.rs"), "").unwrap();
        Fake { directory }
    }

    /// What the build script prints if `rustc -vV` says that LLVM is of `version`.
    fn build(&self, version: &str) -> String {
        let quoted = |path: &Path| format!("'{}'", path.display());
        let (real, sysroot) = (rustc(), self.directory.join("sysroot"));
        let script = format!(
            "#!/bin/sh\ncase \"$*\" in\n\
             -vV) {real} -vV | sed 's/^LLVM version: .*/LLVM version: {version}/' ;;\n\
             --print=sysroot) echo {sysroot} ;;\n\
             *) exec {real} \"$@\" ;;\nesac\n",
            real = quoted(&real),
            sysroot = quoted(&sysroot),
        );
        let fake = self.directory.join("rustc");
        fs::write(&fake, script).unwrap();
        fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).unwrap();

        let text = self.run(&fake, &[]);
        let errors = text.lines().filter_map(|line| line.strip_prefix("cargo::error="));
        errors.map(|line| line.to_owned() + "\n").collect()
    }

    /// All that the build script prints with this rustc and these variables.
    fn run(&self, rustc: &Path, variables: &[(&str, &str)]) -> String {
        let host = ask_rustc("-vV");
        let host = host.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "build_script", "--nocapture", "--test-threads=1"])
            .current_dir(self.directory.join("package"))
            .env_remove("PTYX_LIBDEVICE")
            .env(CHILD, "yes")
            .env("CARGO", env!("CARGO"))
            .env("RUSTC", rustc)
            .env("CARGO_PKG_NAME", "package")
            .env("CARGO_PKG_VERSION", "0.1.0")
            .env("CARGO_MANIFEST_DIR", self.directory.join("package"))
            .env("OUT_DIR", self.directory.join("target/debug/build/package-0/out"))
            .env("TARGET", host)
            .env("PROFILE", "debug")
            .envs(variables.iter().copied())
            .output()
            .expect("the build script starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        text
    }

    /// What has come of earlier checks of toolchains.
    fn verdicts(&self) -> Vec<PathBuf> {
        let directory = fs::read_dir(self.directory.join("target/ptyx/toolchains"));
        directory.into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
    }

    /// Where the fake sysroot's LLVM is looked for.
    fn library(&self) -> PathBuf {
        self.directory.join("sysroot/lib/libLLVM.so.22.1-rust-1.95.0")
    }
}

/// No test of its own: what [`Fake::build`] starts.
#[test]
fn build_script() {
    if std::env::var_os(CHILD).is_some() {
        ptyx_compiler::build();
    }
}

#[test]
fn an_old_llvm() {
    let text = Fake::new("old").build("21.1.8");
    let (first, rest) = text.split_once('\n').unwrap();
    let rustc = ask_rustc("--version");
    let expected = format!("this rustc ({rustc}) has LLVM 21.1, which is too old for Ptyx");
    assert_eq!(first, expected);
    assert!(rest.contains("= help: use a toolchain of rustup with LLVM 22: rustc 1.95"), "{text}");
    assert!(rest.contains("channel = \"1.95.0\""), "{text}");
}

/// What makes the build script take the LLVM at hand for a newer one.
const NEWER: (&str, &str) = ("PTYX_TEST_LLVM_VERSION", "99.1");

/// The lines of a kind among what a build script prints.
fn lines<'a>(text: &'a str, kind: &'a str) -> Vec<&'a str> {
    text.lines().filter_map(|line| line.strip_prefix(kind)).collect()
}

/// A newer LLVM in which everything holds is used, with one note. The verdict is remembered.
#[test]
fn a_newer_llvm_that_keeps_the_contract() {
    let fake = Fake::new("newer");
    let text = fake.run(&rustc(), &[NEWER]);
    assert_eq!(lines(&text, "cargo::error="), [""; 0], "{text}");
    let warnings = lines(&text, "cargo::warning=");
    let [note] = warnings[..] else { panic!("{text}") };
    let start = format!("this rustc ({}) has LLVM 99.1, which", ask_rustc("--version"));
    assert!(note.starts_with(&start) && note.ends_with("were checked, and hold"), "{note}");

    let verdicts = fake.verdicts();
    let [verdict] = &verdicts[..] else { panic!("{verdicts:?}") };
    let rows = fs::read_to_string(verdict).unwrap();
    let changed = rows.replacen("\"moved\":null", "\"moved\":\"remembered\"", 1);
    assert_ne!(rows, changed);
    fs::write(verdict, changed).unwrap();
    let text = fake.run(&rustc(), &[NEWER]);
    assert!(text.contains(": remembered (used by "), "{text}");
    // What Ptyx is tested with is not checked at all.
    let text = fake.run(&rustc(), &[]);
    assert_eq!(lines(&text, "cargo::error="), [""; 0], "{text}");
    assert_eq!(lines(&text, "cargo::warning="), [""; 0], "{text}");
}

/// A newer LLVM in which something has moved is refused, with the name of what has.
#[test]
fn a_newer_llvm_that_breaks_the_contract() {
    let row = ("PTYX_TEST_MOVED_ROW", "attribute `convergent`");
    let text = Fake::new("newer-moved").run(&rustc(), &[NEWER, row]);
    let errors = lines(&text, "cargo::error=");
    let start = format!("this rustc ({}) has LLVM 99.1, which", ask_rustc("--version"));
    assert!(errors[0].starts_with(&start), "{text}");
    let moved: Vec<_> = errors.iter().filter(|line| line.starts_with("  - ")).collect();
    let [moved] = moved[..] else { panic!("{text}") };
    assert!(moved.starts_with("  - attribute `convergent`: a test marks it"), "{text}");
    assert!(text.contains("docs/toolchains.md") && text.contains("channel = \"1.95.0\""), "{text}");
}

#[test]
fn no_llvm_that_can_be_loaded() {
    let fake = Fake::new("static");
    let text = fake.build("22.1.2");
    let place = fake.directory.join("sysroot/lib/libLLVM.so.22.1-rust-*");
    assert!(text.starts_with("this rustc (rustc 1."), "{text}");
    assert!(text.contains(&format!("there is no `{}`\n", place.display())), "{text}");
    assert!(text.contains("musl") && text.contains("channel = \"1.95.0\""), "{text}");
}

#[test]
fn a_damaged_llvm() {
    let fake = Fake::new("damaged");
    fs::write(fake.library(), "no library").unwrap();
    let text = fake.build("22.1.2");
    let start = format!("LLVM can't be loaded from {}: ", fake.library().display());
    assert!(text.starts_with(&start), "{text}");
}

/// A library that calls itself LLVM, but is not the one that rustc speaks of.
#[test]
fn another_llvm_than_rustc_says() {
    let fake = Fake::new("another");
    let source = fake.directory.join("llvm.rs");
    let get_version = "#[unsafe(no_mangle)] pub extern \"C\" fn LLVMGetVersion(major: &mut u32) { \
                       *major = VERSION }";
    for (version, expected) in [
        (21, "rustc says that its LLVM is version 22, but the library says 21"),
        (22, "rustc's LLVM lacks the function LLVM"),
    ] {
        fs::write(&source, get_version.replace("VERSION", &version.to_string())).unwrap();
        let status = Command::new(rustc())
            .args(["--edition=2024", "--crate-type=cdylib", "-Cpanic=abort", "-o"])
            .args([fake.library(), source.clone()])
            .status()
            .expect("rustc starts");
        assert!(status.success());
        let text = fake.build("22.1.2");
        assert!(text.starts_with(expected), "{text}");
    }
}
