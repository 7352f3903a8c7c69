//! Packages whose build script is `ptyx_compiler::build()`, compiled by cargo.
//!
//! They have no kernels: these tests are about how cargo, rustc and the linker treat the device pass
//! and the images.

use ptyx_test_support::part;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use ptyx_image::{Image, MAGIC};
use ptyx_package_tests::cargo::{cargo, workspace};
use ptyx_package_tests::target::{TRIPLE, Target};

/// A crate that finds the images in its program through the linker's symbols.
const SECTIONS: &str = r#"
#[repr(align(16))]
struct Sentinel([u64; 2]);
#[used]
#[unsafe(link_section = "ptyx_images")]
static SENTINEL: Sentinel = Sentinel([0; 2]);

/// The number of images, their magic numbers counted.
pub fn images() -> usize {
    unsafe extern "C" {
        static __start_ptyx_images: u8;
        static __stop_ptyx_images: u8;
    }
    std::hint::black_box(&SENTINEL.0);
    let (start, stop) = (&raw const __start_ptyx_images, &raw const __stop_ptyx_images);
    // SAFETY: the linker puts the two symbols around one section.
    let bytes = unsafe { std::slice::from_raw_parts(start, stop.addr() - start.addr()) };
    assert!(start.addr() % 16 == 0 && bytes.len() % 16 == 0);
    bytes.chunks(16).filter(|chunk| chunk.starts_with(b"PTYXIMG\0")).count()
}
"#;

/// A directory of packages.
struct Scratch {
    directory: PathBuf,
    target: Target,
}

impl Scratch {
    /// Makes an empty directory and gives it the repository's lock file, so that the packages use
    /// the versions that this test was compiled with.
    fn new(name: &str) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("build-script").join(name);
        let _ = fs::remove_dir_all(&directory);
        let scratch = Scratch { directory, target: Target::take() };
        let lock = workspace().join("Cargo.lock");
        scratch.write("Cargo.lock", &fs::read_to_string(lock).unwrap());
        scratch
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.directory.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes a package without a build script. One that is a workspace of its own gets the lock file, too: with other
    /// versions of the dependencies, the compiler would be compiled again.
    fn plain_package(&self, name: &str, manifest: &str) {
        if manifest.contains("[workspace]") {
            let lock = fs::read_to_string(workspace().join("Cargo.lock")).unwrap();
            self.write(&format!("{name}/Cargo.lock"), &lock);
        }
        self.write(
            &format!("{name}/Cargo.toml"),
            &format!(
                "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{manifest}"
            ),
        );
    }

    /// Writes a package with one.
    fn package(&self, name: &str, manifest: &str) {
        let compiler = workspace().join("compiler");
        let dependency =
            format!("[build-dependencies]\nptyx-compiler = {{ path = {compiler:?} }}\n");
        self.plain_package(name, &format!("{manifest}\n{dependency}"));
        self.write(&format!("{name}/build.rs"), "fn main() { ptyx_compiler::build() }");
    }

    /// Runs cargo, with `flags` as cargo's configuration has them, and gives status and text.
    fn cargo_with(&self, flags: &str, arguments: &[&str]) -> (bool, String) {
        let mut command = cargo(&self.directory, &self.target.path);
        command.args(arguments);
        if !flags.is_empty() {
            command.env("RUSTFLAGS", flags);
        }
        let Output { status, stdout, stderr } = command.output().unwrap();
        let text = [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        (status.success(), text.concat())
    }

    /// Runs cargo, which must succeed.
    fn cargo(&self, arguments: &[&str]) -> String {
        let (success, text) = self.cargo_with("", arguments);
        assert!(success, "cargo {arguments:?}:\n{text}");
        text
    }
}

/// The images in a program, as `package/unit`.
fn images(program: &Path) -> Vec<String> {
    let bytes = fs::read(program).unwrap();
    let mut found: Vec<String> = bytes
        .windows(MAGIC.len())
        .enumerate()
        .filter(|(_, window)| *window == MAGIC)
        .filter_map(|(at, _)| Image::decode(&bytes[at..]).ok())
        .map(|image| format!("{}/{}", image.provenance.package, image.provenance.unit))
        .collect();
    found.sort();
    found
}

/// Packages whose programs count the images in themselves: a library with everything that a package can have, a
/// program that uses it, and one without any.
fn programs(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write(
        "Cargo.toml",
        "[workspace]\nresolver = \"3\"\nmembers = [\"liby\", \"user\", \"alone\"]\n",
    );
    scratch.plain_package("sections", "");
    scratch.write("sections/src/lib.rs", SECTIONS);
    let sections = "[dependencies]\nsections = { path = \"../sections\" }\n";
    let check = |count: usize| format!("assert_eq!(sections::images(), {count});");
    let test = |body: &str| format!("#[test] fn t() {{ {body} }}\n");

    scratch.package("liby", sections);
    let unit_tests = test(&check(2));
    scratch.write("liby/src/lib.rs", &format!("pub fn f() {{}}\n{unit_tests}"));
    scratch.write("liby/src/main.rs", &format!("fn main() {{ liby::f(); {} }}", check(2)));
    scratch.write("liby/examples/e.rs", &format!("fn main() {{ liby::f(); {} }}", check(2)));
    scratch.write("liby/tests/uses.rs", &test(&format!("liby::f(); {}", check(2))));
    scratch.write("liby/tests/ignores.rs", &test(&check(1)));
    scratch.package("user", &format!("{sections}liby = {{ path = \"../liby\" }}\n"));
    scratch.write("user/src/main.rs", &format!("fn main() {{ liby::f(); {} }}", check(2)));
    scratch.package("alone", sections);
    scratch.write("alone/src/main.rs", &format!("fn main() {{ {} }}", check(1)));

    scratch
}

#[test]
fn images_arrive_in_every_kind_of_program() {
    part!(images_arrive_in_every_kind_of_program);
    let scratch = programs("programs");
    scratch.cargo(&["test", "--workspace"]);
    let programs = [("liby", "liby"), ("user", "user"), ("alone", "alone")];
    for (package, program) in programs {
        scratch.cargo(&["run", "-p", package, "--bin", program]);
    }
    let debug = scratch.target.path.join("debug");
    assert_eq!(images(&debug.join("user")), ["liby/lib", "user/targets"]);
    assert_eq!(images(&debug.join("examples/e")), ["liby/lib", "liby/targets"]);
    assert_eq!(images(&debug.join("alone")), ["alone/targets"]);
}

/// Link-time optimisation, stripping and the other linker leave them. (As flags: in a profile, they would be
/// the build script's, too, and the compiler would be built again.)
#[test]
fn images_outlive_the_linker() {
    part!(images_outlive_the_linker);
    let scratch = programs("linked");
    let program = scratch.target.path.join(TRIPLE).join("debug/user");
    let flags = "-Clto=fat -Cembed-bitcode=yes -Cpanic=abort -Cstrip=symbols -Coverflow-checks=off";
    for linker in ["", "-Clinker-features=-lld"] {
        let flags = format!("{flags} {linker}");
        let arguments = ["build", "-p", "user", "--target", TRIPLE];
        let (success, text) = scratch.cargo_with(flags.trim(), &arguments);
        assert!(success, "{flags}:\n{text}");
        let status = Command::new(&program).status().unwrap();
        assert!(status.success(), "{flags}");
    }
}

/// The code generator is the build script, started again: what stands in front of `build()` may have
/// threads, and cargo hears it once.
#[test]
fn build_scripts_may_do_other_things_first() {
    part!(build_scripts_may_do_other_things_first);
    let scratch = Scratch::new("others");
    scratch.package("others", "[workspace]\n");
    scratch.write("others/src/lib.rs", "pub fn f() {}\n");
    scratch.write(
        "others/build.rs",
        "fn main() {\n\
         println!(\"cargo::warning=said by the build script\");\n\
         eprintln!(\"on standard error\");\n\
         std::thread::spawn(|| loop {\n\
         drop(std::hint::black_box(vec![0; 99]));\n\
         std::thread::sleep(std::time::Duration::from_millis(1));\n\
         });\n\
         // Of an earlier run of this test.\n\
         let been_here = std::path::Path::new(&std::env::var(\"OUT_DIR\").unwrap()).join(\"been\");\n\
         let _ = std::fs::remove_file(been_here);\n\
         std::env::set_current_dir(\"src\").unwrap();\n\
         ptyx_compiler::build();\n}\n",
    );
    let manifest = "--manifest-path=others/Cargo.toml";
    let text = scratch.cargo(&["build", manifest]);
    assert_eq!(text.matches("said by the build script").count(), 1, "{text}");

    // One that does not come to `build()` in each run is told so.
    scratch.write(
        "others/build.rs",
        "fn main() {\n\
         let been_here = std::path::Path::new(&std::env::var(\"OUT_DIR\").unwrap()).join(\"been\");\n\
         if been_here.exists() { return }\n\
         std::fs::write(been_here, \"\").unwrap();\n\
         ptyx_compiler::build();\n}\n",
    );
    let (success, text) = scratch.cargo_with("", &["build", manifest]);
    assert!(!success && text.contains("the code generator did not start"), "{text}");
    assert!(text.contains("call `ptyx_compiler::build()` in every run"), "{text}");
}

/// Overflow checks of the device pass are those of the profile, whatever it is optimised for: a
/// device-only error tells which they are.
#[test]
fn overflow_checks_follow_the_profile() {
    part!(overflow_checks_follow_the_profile);
    let scratch = Scratch::new("overflow");
    let manifest = |profile: &str| {
        scratch.package(
            "overflow",
            &format!(
                "[workspace]\n[lints.rust]\nunexpected_cfgs = \"allow\"\n\
                 [profile.dev]\n{profile}\n\
                 [profile.dev.build-override]\noverflow-checks = true\ndebug-assertions = true\n"
            ),
        );
    };
    scratch.write(
        "overflow/src/main.rs",
        "#![cfg_attr(ptyx_device, feature(cfg_overflow_checks))]\n\
         #[cfg(ptyx_device)]\nmod device {\n\
         #[cfg(overflow_checks)]\ncompile_error!(\"OVERFLOW\");\n\
         #[cfg(debug_assertions)]\ncompile_error!(\"ASSERTIONS\");\n\
         }\nfn main() {}\n",
    );
    for (profile, overflow, assertions) in [
        ("", true, true),
        ("opt-level = 3", true, true),
        // As `release` is, then with the checks on and with them alone off.
        ("debug-assertions = false\noverflow-checks = false", false, false),
        ("debug-assertions = false\noverflow-checks = true", true, false),
        ("overflow-checks = false", false, true),
    ] {
        manifest(profile);
        let (_, text) = scratch.cargo_with("", &["check", "--manifest-path=overflow/Cargo.toml"]);
        assert_eq!(text.contains("OVERFLOW"), overflow, "`{profile}`: {text}");
        assert_eq!(text.contains("ASSERTIONS"), assertions, "`{profile}`: {text}");
    }
}

#[test]
fn an_error_shows_once_and_where_it_belongs() {
    part!(an_error_shows_once_and_where_it_belongs);
    let scratch = Scratch::new("errors");
    scratch.plain_package(
        "errors",
        "[workspace]\n[lints.rust]\nunexpected_cfgs = \"allow\"\n\
         [features]\ndefault = [\"on\"]\non = []\noff = []\n",
    );
    let manifest = fs::read_to_string(scratch.directory.join("errors/Cargo.toml")).unwrap();
    scratch.package("errors", manifest.split_once("edition = \"2024\"\n").unwrap().1);
    let library = "errors/src/lib.rs";
    let build = |flags: &str| {
        // With `--target`, flags are not for build scripts, which would all be compiled again.
        let arguments = ["build", "--all-targets", "--manifest-path=errors/Cargo.toml"];
        let target = if flags.is_empty() { &[][..] } else { &["--target", TRIPLE] };
        scratch.cargo_with(flags, &[&arguments, target].concat())
    };
    let count = |text: &str, part: &str| text.matches(part).count();

    // The host's: as rustc prints it, once, and not from the build script.
    scratch.write(library, "pub fn f() -> u32 { \"text\" }");
    scratch.write("errors/examples/fine.rs", "fn main() {}");
    let (success, text) = build("");
    assert!(!success);
    assert!(count(&text, "expected `u32`, found `&str`") >= 1, "{text}");
    assert!(text.contains("could not compile `errors`"), "{text}");
    assert!(!text.contains("build script") && !text.contains("errors@0.1.0:"), "{text}");

    // The host's, where generic code is instantiated: `cargo check` does not see it.
    scratch.write(library, "pub fn f() {}");
    let generic = "const fn g<const N: usize>() { assert!(N > 3) }\n\
                   struct S<const N: usize>;\nimpl<const N: usize> S<N> { const C: () = g::<N>(); }\n\
                   fn h<const N: usize>() { S::<N>::C }\nfn main() { h::<2>() }\n";
    scratch.write("errors/examples/fine.rs", generic);
    let (success, text) = build("");
    assert!(!success && text.contains("E0080"), "{text}");
    assert!(!text.contains("build script") && !text.contains("errors@0.1.0:"), "{text}");

    // A warning shows once.
    scratch.write("errors/examples/fine.rs", "fn main() { let unused = 1; }");
    let (success, text) = build("");
    assert!(success && count(&text, "unused variable") == 1, "{text}");

    // The device's alone. Features and `--cfg`s reach the device pass.
    scratch.write(
        library,
        "#[cfg(all(ptyx_device, feature = \"on\", not(feature = \"off\"), user))]\n\
         pub fn f() -> u32 { \"text\" }",
    );
    let (success, text) = build("");
    assert!(success, "{text}");
    let (success, text) = build("--cfg user");
    assert!(!success && count(&text, "expected `u32`, found `&str`") == 1, "{text}");
    assert!(text.contains("error: errors@0.1.0:  --> src/lib.rs:2:"), "{text}");
}

#[test]
fn the_build_script_runs_again_when_it_must() {
    part!(the_build_script_runs_again_when_it_must);
    let scratch = Scratch::new("rebuild");
    scratch.write("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"again\"]\n");
    scratch.plain_package("helper", "");
    scratch.write("helper/src/lib.rs", "pub mod inner;");
    scratch.write("helper/src/inner.rs", "pub fn f() {}");
    scratch.package("again", "[dependencies]\nhelper = { path = \"../helper\" }\n");
    scratch.write("again/src/lib.rs", "pub const TEXT: &str = include_str!(\"../text\");");
    scratch.write("again/text", "1");
    scratch.write("again/examples/one.rs", "fn main() {}");

    let reruns = |arguments: &[&str]| {
        let text = scratch.cargo(&[&["build", "-v"], arguments].concat());
        text.contains("build-script-build`")
    };
    assert!(reruns(&[]));
    assert!(!reruns(&[]), "nothing has changed");
    let edits = [
        ("helper/src/inner.rs", "pub fn g() {}"),
        ("again/text", "2"),
        ("again/examples/two.rs", "fn main() {}"),
        ("again/tests/first.rs", "// the directory, too, is new"),
        ("again/src/bin/three.rs", "fn main() {}"),
    ];
    for (path, text) in edits {
        scratch.write(path, text);
        assert!(reruns(&[]), "{path} has changed");
        assert!(!reruns(&[]), "nothing has changed since {path}");
        assert!(!reruns(&["--examples"]), "nothing has changed since {path}");
    }
    assert!(
        images(&scratch.target.path.join("debug/examples/two"))
            .contains(&"again/targets".to_owned())
    );
}

#[test]
fn a_library_without_a_lock_file_gets_the_versions_of_its_user() {
    part!(a_library_without_a_lock_file_gets_the_versions_of_its_user);
    let scratch = Scratch::new("stand-in");
    let lock = scratch.directory.join("Cargo.lock");
    scratch.package("far", "[features]\nf = []\n[dependencies]\ncfg-if = \"1\"\n");
    scratch.write("far/src/lib.rs", "#[cfg(feature = \"f\")] pub fn f() {}");
    let manifest = "[workspace]\n\
                    [dependencies]\nfar = { path = \"../far\", features = [\"f\"] }\n";
    scratch.plain_package("near", manifest);
    scratch.write("near/src/main.rs", "fn main() { far::f() }");
    fs::remove_file(lock).unwrap();
    let (success, text) = scratch.cargo_with("", &["build", "--manifest-path=near/Cargo.toml"]);
    assert!(success, "{text}");
    assert_eq!(images(&scratch.target.path.join("debug/near")), ["far/lib"]);
    let far = scratch.directory.join("far");
    assert!(!far.join("Cargo.lock").exists() && !far.join("target").exists());
}

#[test]
fn a_libdevice_that_can_not_be_read() {
    part!(a_libdevice_that_can_not_be_read);
    let scratch = Scratch::new("libdevice");
    scratch.package("math", "[workspace]\n");
    scratch.write("math/src/lib.rs", "pub fn f() {}");
    scratch.write("toolkit/nvvm/libdevice/libdevice.10.bc", "BC\u{0}damaged");
    let toolkit = scratch.directory.join("toolkit");
    let build = |variable: &str| {
        let config = format!("--config=env.{variable}={toolkit:?}");
        scratch.cargo_with("", &["build", "--manifest-path=math/Cargo.toml", &config])
    };
    // Found by itself: a warning, and the build goes on without it.
    let (success, text) = build("CUDA_HOME");
    assert!(success, "{text}");
    assert!(text.contains("warning: math@0.1.0: libdevice at `"), "{text}");
    assert!(text.contains("is not used: LLVM: "), "{text}");
    // Asked for: an error that says by whom.
    let (success, text) = build("PTYX_LIBDEVICE");
    assert!(!success && text.contains("error: math@0.1.0: libdevice can't be read from"), "{text}");
    assert!(text.contains("PTYX_LIBDEVICE=off"), "{text}");
    // The build script asks for another one than the environment has.
    scratch.write(
        "math/build.rs",
        "use ptyx_compiler::{Build, Libdevice};\n\
         fn main() { Build::new().libdevice(Libdevice::At(\"nowhere\".into())).run() }",
    );
    let (success, text) = build("CUDA_HOME");
    assert!(!success && text.contains("nowhere can't be read"), "{text}");
}

#[test]
fn a_wrapper_around_rustc_is_no_hindrance() {
    part!(a_wrapper_around_rustc_is_no_hindrance);
    let scratch = Scratch::new("wrapper");
    let (wrapper, log) = (scratch.directory.join("wrapper"), scratch.directory.join("log"));
    let script = format!("#!/bin/sh\necho \"$@\" >> '{}'\nexec \"$@\"\n", log.display());
    scratch.write("wrapper", &script);
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).unwrap();
    scratch.write(".cargo/config.toml", &format!("[build]\nrustc-wrapper = {wrapper:?}\n"));
    scratch.package("wrapped", "[workspace]\n");
    scratch.write("wrapped/src/main.rs", "fn main() {}");
    scratch.cargo(&["build", "--manifest-path=wrapped/Cargo.toml"]);
    assert_eq!(images(&scratch.target.path.join("debug/wrapped")), ["wrapped/targets"]);
    // The host's pass goes through the wrapper, the device's has one of its own.
    let log = fs::read_to_string(log).unwrap();
    assert!(log.contains("--crate-name wrapped") && !log.contains("ptyx_device "), "{log}");
}
