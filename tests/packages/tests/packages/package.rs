//! A package with one kernel, outside the workspace.

use ptyx_package_tests::cargo::{cargo, manifest, workspace};
use ptyx_package_tests::target::Target;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What `build.rs` says unless a test is about it.
pub(crate) const BUILD: &str = "ptyx_compiler::build()";

/// A package on disk.
pub(crate) struct Package {
    name: &'static str,
    folder: PathBuf,
    target: Target,
}

/// What became of a package.
pub(crate) struct Built {
    /// The PTX of its kernel.
    pub(crate) ptx: String,
    /// The PTX of its form without checks.
    pub(crate) unchecked: Option<String>,
    /// What its program prints.
    pub(crate) printed: String,
}

impl Package {
    /// Where the package of this name is.
    pub(crate) fn folder(name: &str) -> PathBuf {
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
    }

    /// Writes a package: `build` is the body of its build script, `profile` ends its manifest.
    pub(crate) fn new(name: &'static str, build: &str, main: &str, profile: &str) -> Package {
        let folder = Package::folder(name);
        let more = format!("[workspace]\n\n{profile}");
        Package::write_manifest(&folder, name, "0.0.0", &more, build, "");
        fs::write(folder.join("src/main.rs"), main).unwrap();
        Package { name, folder, target: Target::take() }
    }

    /// Writes manifest, build script and lock file of a package that uses Ptyx from the workspace:
    /// `more` ends its manifest, `dependencies` are added to Ptyx.
    pub(crate) fn write_manifest(
        folder: &Path,
        name: &str,
        version: &str,
        more: &str,
        build: &str,
        dependencies: &str,
    ) {
        fs::create_dir_all(folder.join("src")).unwrap();
        fs::write(folder.join("Cargo.toml"), manifest(name, version, dependencies, more)).unwrap();
        fs::write(folder.join("build.rs"), format!("fn main() {{\n    {build}\n}}\n")).unwrap();
        fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    }

    /// Adds a file.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Takes a file away.
    pub(crate) fn remove(&self, path: &str) {
        let _ = fs::remove_file(self.folder.join(path));
    }

    /// Runs cargo with these environment variables: whether it ends well, and all that it prints.
    pub(crate) fn cargo(&self, arguments: &[&str], variables: &[(&str, &str)]) -> (bool, String) {
        let output = cargo(&self.folder, &self.target.path)
            .args(arguments)
            .args(["--quiet", "--color=never"])
            .envs(variables.iter().copied())
            .output()
            .expect("cargo starts");
        let text = [output.stdout, output.stderr];
        (
            output.status.success(),
            text.map(|text| String::from_utf8_lossy(&text).into_owned()).concat(),
        )
    }

    /// Builds it with these environment variables, and runs it.
    pub(crate) fn build_and_run(&self, variables: &[(&str, &str)]) -> Built {
        let dump = self.folder.join("dump");
        let _ = fs::remove_dir_all(&dump);
        let build = cargo(&self.folder, &self.target.path)
            .args(["build", "--quiet", "--color=never"])
            .env("PTYX_DUMP", &dump)
            .envs(variables.iter().copied())
            .output()
            .expect("cargo starts");
        assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));

        let files = fs::read_dir(&dump).unwrap().map(|entry| entry.unwrap().path());
        // Without the code for levels of proofs.
        let is_ptx = |file: &PathBuf| {
            file.extension().is_some_and(|extension| extension == "ptx")
                && !file.to_string_lossy().contains("-proved")
        };
        let is_unchecked = |file: &PathBuf| file.to_string_lossy().contains("-unchecked");
        let (unchecked, checked): (Vec<_>, Vec<_>) = files.filter(is_ptx).partition(is_unchecked);
        let ([file], [] | [_]) = (&checked[..], &unchecked[..]) else {
            panic!("{checked:?} {unchecked:?}")
        };
        let run = Command::new(self.target.path.join("debug").join(self.name))
            .env("PTYX_DEVICE", "emulator")
            .output()
            .expect("the program starts");
        let printed = String::from_utf8_lossy(&run.stdout).trim().to_owned();
        assert!(run.status.success(), "{printed}{}", String::from_utf8_lossy(&run.stderr));
        let read = |file: &PathBuf| fs::read_to_string(file).unwrap();
        Built { ptx: read(file), unchecked: unchecked.first().map(read), printed }
    }
}
