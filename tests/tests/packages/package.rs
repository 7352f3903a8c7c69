//! A package with one kernel, outside the workspace.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What `build.rs` says unless a test is about it.
pub(crate) const BUILD: &str = "ptyx_compiler::build()";

/// The variables that would change every build.
const CLEARED: [&str; 7] = [
    "PTYX_FMA",
    "PTYX_PASSES",
    "PTYX_DEBUG_INFO",
    "PTYX_TARGETS",
    "RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    // Cargo gives it to this test, whose package has a build script.
    "PTYX_BUILD",
];

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
        let more = format!("[workspace]\n\n{profile}");
        Package::write_manifest(&folder, name, "0.0.0", &more, build, "");
        fs::write(folder.join("src/main.rs"), main).unwrap();
        Package { name, folder }
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
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        fs::create_dir_all(folder.join("src")).unwrap();
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2024\"\n\n\
             [dependencies]\nptyx = {{ path = {:?} }}\n{dependencies}\n\
             [build-dependencies]\nptyx-compiler = {{ path = {:?} }}\n\n{more}",
            workspace.join("host"),
            workspace.join("compiler"),
        );
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        fs::write(folder.join("build.rs"), format!("fn main() {{\n    {build}\n}}\n")).unwrap();
        fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
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
        let output = clean_cargo(&self.folder)
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
        let build = clean_cargo(&self.folder)
            .args(["build", "--quiet", "--color=never"])
            .env("PTYX_DUMP", &dump)
            .envs(variables.iter().copied())
            .output()
            .expect("cargo starts");
        assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));

        let files = fs::read_dir(&dump).unwrap().map(|entry| entry.unwrap().path());
        let is_ptx = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "ptx");
        let files: Vec<PathBuf> = files.filter(is_ptx).collect();
        let [file] = &files[..] else { panic!("{files:?}") };
        let run = Command::new(target_dir().join("debug").join(self.name))
            .env("PTYX_DEVICE", "emulator")
            .output()
            .expect("the program starts");
        let printed = String::from_utf8_lossy(&run.stdout).trim().to_owned();
        assert!(run.status.success(), "{printed}{}", String::from_utf8_lossy(&run.stderr));
        Built { ptx: fs::read_to_string(file).unwrap(), printed }
    }
}

/// Where all packages are built.
fn target_dir() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("scratch/target")
}

/// Cargo in a folder, whose programs run on the emulated device; nothing of this process's own build
/// gets there.
pub(crate) fn clean_cargo(folder: &Path) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    for variable in CLEARED {
        cargo.env_remove(variable);
    }
    cargo
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target_dir())
        // As in the diagnostics: with another value the dependencies would be built again.
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only")
        .env("CARGO_NET_OFFLINE", "true")
        .env("PTYX_DEVICE", "emulator");
    cargo
}
