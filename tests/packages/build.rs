//! Builds Ptyx for the packages of the tests (`src/lib.rs` says why).

#[allow(unreachable_pub, reason = "the library has it, too")]
#[path = "src/cargo.rs"]
mod cargo;
#[allow(unreachable_pub, reason = "the library has it, too")]
#[path = "src/copies.rs"]
mod copies;

use cargo::{cargo, manifest, workspace};
use copies::{copies, copy, lock_file};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

/// What is built.
const PARTS: [&str; 7] =
    ["compiler", "device-std", "driver-api", "emulator", "host", "image", "launch-macro"];

fn main() {
    for part in PARTS {
        for sources in ["src", "Cargo.toml"] {
            println!("cargo::rerun-if-changed={}", workspace().join(part).join(sources).display());
        }
    }
    println!("cargo::rerun-if-changed={}", workspace().join("Cargo.lock").display());
    for own in ["build.rs", "src"] {
        println!("cargo::rerun-if-changed={own}");
    }
    let triple = std::env::var("TARGET").expect("cargo sets it");
    println!("cargo::rustc-env=PTYX_TEST_TRIPLE={triple}");
    println!("cargo::rerun-if-env-changed=RUSTC_WORKSPACE_WRAPPER");
    // Lints only read the code.
    let wrapper = std::env::var("RUSTC_WORKSPACE_WRAPPER").unwrap_or_default();
    if wrapper.contains("clippy") {
        return;
    }
    prepare(std::env::var_os("OUT_DIR").expect("cargo sets it").as_ref());
}

/// Builds in `folder` what packages need, and makes the copies of the target folder anew.
fn prepare(folder: &Path) {
    let target = copy(folder, 0);
    let lock = lock_file(folder, 0);
    lock.lock().expect("a file can be locked");
    for (name, works) in PACKAGES {
        let package = write_package(folder, name).expect("the package can be written");
        assert_eq!(build(&package, &target), works, "{name}");
    }
    thread::scope(|scope| {
        for index in 1..copies() {
            let (first, copy) = (folder.join(PACKAGES[0].0), copy(folder, index));
            let (lock, target) = (lock_file(folder, index), &target);
            scope.spawn(move || {
                lock.lock().expect("a file can be locked");
                let _ = fs::remove_dir_all(&copy);
                // With all times: cargo goes by them.
                let status = Command::new("cp").arg("-a").args([target, &copy]).status();
                assert!(status.expect("cp starts").success(), "{}", copy.display());
                // What is not fresh in a copy is built here, once.
                assert!(build(&first, &copy));
            });
        }
    });
}

/// Packages that together need everything, by what is in them, and whether they can be built.
const PACKAGES: [(&str, bool); 2] = [
    ("kernel", true),
    // An error: what the device pass refuses is compared with what the host refuses.
    ("mistake", false),
];

/// Whether cargo can build it.
fn build(package: &Path, target: &Path) -> bool {
    let output = cargo(package, target).args(["build", "--quiet"]).output().expect("cargo starts");
    println!("{}", String::from_utf8_lossy(&output.stderr));
    output.status.success()
}

/// Writes one of [`PACKAGES`] and gives its folder.
fn write_package(folder: &Path, name: &str) -> io::Result<PathBuf> {
    const KERNEL: &str = "use ptyx::prelude::*;\n\
        #[kernel]\nfn nothing() {}\n\
        fn main() -> ptyx::Result<()> { launch!(nothing<<<1, 1>>>()) }\n";
    let main = match name {
        "kernel" => KERNEL.to_owned(),
        _ => format!("{KERNEL}fn mistake() {{ nothing }}\n"),
    };
    let manifest = manifest(name, "0.0.0", "", "[workspace]\n");
    let package = folder.join(name);
    fs::create_dir_all(package.join("src"))?;
    let files = [
        ("Cargo.toml", manifest),
        ("build.rs", "fn main() {\n    ptyx_compiler::build()\n}\n".to_owned()),
        ("src/main.rs", main),
        // The same versions as in the workspace, which are there already.
        ("Cargo.lock", fs::read_to_string(workspace().join("Cargo.lock"))?),
    ];
    for (path, text) in files {
        fs::write(package.join(path), text)?;
    }
    Ok(package)
}
