//! A package with one kernel, outside the workspace.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What `build.rs` says unless a test is about it.
pub(crate) const BUILD: &str = "ptyx_compiler::build()";

/// The variables that would change every build.
const CLEARED: [&str; 5] =
    ["PTYX_FMA", "PTYX_DEBUG_INFO", "PTYX_TARGETS", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"];

/// A package on disk.
pub(crate) struct Package {
    name: &'static str,
    folder: PathBuf,
}

/// What became of a package.
pub(crate) struct Built {
    /// The PTX of its kernel.
    pub(crate) ptx: String,
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
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        fs::create_dir_all(folder.join("src")).unwrap();
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nptyx = {{ path = {:?} }}\n\n\
             [build-dependencies]\nptyx-compiler = {{ path = {:?} }}\n\n[workspace]\n\n{profile}",
            workspace.join("host"),
            workspace.join("compiler"),
        );
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        fs::write(folder.join("build.rs"), format!("fn main() {{\n    {build}\n}}\n")).unwrap();
        fs::write(folder.join("src/main.rs"), main).unwrap();
        fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
        Package { name, folder }
    }

    /// Builds it with these environment variables, and runs it.
    pub(crate) fn build_and_run(&self, variables: &[(&str, &str)]) -> Built {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scratch/target");
        let dump = self.folder.join("dump");
        let _ = fs::remove_dir_all(&dump);
        let mut cargo = Command::new(env!("CARGO"));
        for variable in CLEARED {
            cargo.env_remove(variable);
        }
        let build = cargo
            .args(["build", "--quiet", "--offline", "--color=never"])
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", &target)
            .env("PTYX_DUMP", &dump)
            .envs(variables.iter().copied())
            .output()
            .expect("cargo starts");
        assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));

        let files = fs::read_dir(&dump).unwrap().map(|entry| entry.unwrap().path());
        let is_ptx = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "ptx");
        let files: Vec<PathBuf> = files.filter(is_ptx).collect();
        let [file] = &files[..] else { panic!("{files:?}") };
        let run = Command::new(target.join("debug").join(self.name))
            .env("PTYX_DEVICE", "emulator")
            .output()
            .expect("the program starts");
        let printed = String::from_utf8_lossy(&run.stdout).trim().to_owned();
        assert!(run.status.success(), "{printed}{}", String::from_utf8_lossy(&run.stderr));
        Built { ptx: fs::read_to_string(file).unwrap(), printed }
    }
}
