//! The nested cargo: its command line, its output, and what to do when it fails.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::build_env::is_scrubbed;
use super::messages::{self, Artifact, CompilerMessage, Message};
use super::scripts::Scripts;
use super::{BuildEnv, Toolchain};
use crate::error::{Context, Error, Result};

/// A nested cargo, ready to run.
#[derive(Debug)]
pub(crate) struct DevicePass<'a> {
    env: &'a BuildEnv,
    toolchain: &'a Toolchain,
    scripts: Scripts,
    /// What the device passes of all packages share.
    pub(super) directory: PathBuf,
}

/// What the device pass made.
#[derive(Debug, Default)]
pub(crate) struct Bitcode {
    /// The bitcode of the package's library.
    pub(crate) lib: Option<PathBuf>,
    /// The bitcode of its other targets.
    pub(crate) targets: Vec<PathBuf>,
    /// The bitcode of every other crate.
    pub(crate) dependencies: Vec<PathBuf>,
    /// The package's targets that rustc refused, in both passes.
    pub(crate) failed_targets: Vec<String>,
    /// The directories of all packages that are compiled.
    pub(crate) packages: Vec<PathBuf>,
}

/// Targets to compile, from all down to what a dependency needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Selection {
    All,
    LibAndBins,
}

/// Whether cargo may use the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Network {
    Off,
    On,
}

impl<'a> DevicePass<'a> {
    /// Prepares the nested target directory.
    pub(crate) fn new(env: &'a BuildEnv, toolchain: &'a Toolchain) -> Result<Self> {
        let directory = env.pass_dir();
        fs::create_dir_all(&directory).context("create", &directory)?;
        let scripts = Scripts::write(&directory)?;
        Ok(DevicePass { env, toolchain, scripts, directory })
    }

    /// Compiles the package.
    pub(crate) fn run(&self) -> Result<Bitcode> {
        // The names of programs without hashes are shared by packages: nobody else may run
        // between the end of cargo and our reading of them.
        let lock = self.directory.join("lock");
        let file = File::create(&lock).context("create", &lock)?;
        file.lock().context("lock", &lock)?;

        let mut last = String::new();
        for (selection, network) in [
            (Selection::All, Network::Off),
            (Selection::All, Network::On),
            (Selection::LibAndBins, Network::Off),
        ] {
            let output = self.build(selection, network).output().map_err(|error| {
                Error::Cargo(format!("can't run `{}`: {error}", self.env.cargo.display()))
            })?;
            let messages = messages::parse(&output.stdout);
            let errors: Vec<&CompilerMessage> = messages
                .iter()
                .filter_map(|message| match message {
                    Message::CompilerMessage(message) if message.error().is_some() => Some(message),
                    _ => None,
                })
                .collect();
            if output.status.success() || !errors.is_empty() {
                if !errors.is_empty() {
                    self.judge(selection, network, &errors)?;
                }
                return self.collect(&messages, &errors);
            }
            last = stderr(&output);
        }
        Err(Error::Cargo(last))
    }

    /// The target directory of the device's crates.
    fn device_dir(&self) -> PathBuf {
        self.directory.join("device")
    }

    /// `cargo build` for the device.
    fn build(&self, selection: Selection, network: Network) -> Command {
        self.command("build", &self.device_dir(), &self.rustflags(), selection, network)
    }

    /// `cargo check` as the host pass does it.
    fn check(&self, selection: Selection, network: Network) -> Command {
        let directory = self.directory.join("check");
        self.command("check", &directory, &self.env.rustflags, selection, network)
    }

    /// A cargo command on the package.
    fn command(
        &self,
        verb: &str,
        target_dir: &Path,
        rustflags: &[String],
        selection: Selection,
        network: Network,
    ) -> Command {
        let env = self.env;
        let mut command = Command::new(&env.cargo);
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(is_scrubbed) {
                command.env_remove(name);
            }
        }
        command
            .env("RUSTC", &self.toolchain.rustc)
            .env("RUSTC_WRAPPER", &self.scripts.rustc)
            .env("CARGO_ENCODED_RUSTFLAGS", rustflags.join("\x1f"))
            .env("CARGO_BUILD_BUILD_DIR", target_dir)
            .env("CARGO_INCREMENTAL", "0");
        let profile = env.profile();
        let variable = profile.to_uppercase().replace('-', "_");
        command
            .env(format!("CARGO_PROFILE_{variable}_LTO"), "off")
            .env(format!("CARGO_PROFILE_{variable}_SPLIT_DEBUGINFO"), "off");
        command.current_dir(&env.manifest_dir).stdin(Stdio::null());
        command.arg(verb).arg("--quiet").arg("--manifest-path").arg(env.manifest());
        command.arg("--target-dir").arg(target_dir);
        command.args(["-p", &env.package, "--target", &env.target, "--profile", &profile]);
        command.args(["--keep-going", "--message-format=json", "--locked"]);
        command.args(["--no-default-features", "--features", &env.features.join(",")]);
        match selection {
            Selection::All => command.arg("--all-targets"),
            Selection::LibAndBins => command.args(["--lib", "--bins"]),
        };
        if network == Network::Off {
            command.arg("--offline");
        }
        command
    }

    /// The flags of the device's crates; [`super::scripts`] adds the unstable ones.
    fn rustflags(&self) -> Vec<String> {
        let mut flags: Vec<String> = [
            "--cfg",
            "ptyx_device",
            "--check-cfg=cfg(ptyx_device)",
            "--check-cfg=cfg(ptyx_pass, values(any()))",
            "-Clinker-plugin-lto",
            "-Cno-prepopulate-passes",
            "-Cpanic=abort",
            "-Ccodegen-units=1",
            "-Cdebuginfo=line-directives-only",
            "-Cstrip=none",
            "--emit=llvm-bc",
        ]
        .map(str::to_owned)
        .to_vec();
        flags.push(format!("-Clinker={}", self.scripts.linker.display()));
        // Makes cargo compile again when the scripts change.
        flags.push(format!("--cfg=ptyx_pass=\"{}\"", self.scripts.version));
        flags.extend(cfg_flags(&self.env.rustflags));
        flags
    }

    /// Finds out whose errors these are.
    ///
    /// # Errors
    /// The errors themselves if the host pass does not have them.
    fn judge(
        &self,
        selection: Selection,
        network: Network,
        errors: &[&CompilerMessage],
    ) -> Result<()> {
        let output = self.check(selection, network).output().map_err(|error| {
            Error::Cargo(format!("can't run `{}`: {error}", self.env.cargo.display()))
        })?;
        let host: Vec<_> = messages::parse(&output.stdout)
            .into_iter()
            .filter_map(|message| match message {
                Message::CompilerMessage(message) if message.error().is_some() => {
                    Some((message.manifest_path, message.target))
                }
                _ => None,
            })
            .collect();
        let is_ours = |error: &&&CompilerMessage| {
            !host
                .iter()
                .any(|(path, target)| (path, target) == (&error.manifest_path, &error.target))
        };
        let mut ours: Vec<String> = errors
            .iter()
            .filter(is_ours)
            .filter_map(|error| error.error())
            .map(|text| text.trim_end().to_owned())
            .collect();
        // A target is compiled twice, for itself and as a test.
        ours.dedup();
        if ours.is_empty() { Ok(()) } else { Err(Error::Diagnostics(ours)) }
    }

    /// Sorts the crates.
    fn collect(&self, messages: &[Message], errors: &[&CompilerMessage]) -> Result<Bitcode> {
        let mut bitcode = Bitcode::default();
        let manifest = self.env.manifest();
        for message in messages {
            let (path, artifact) = match message {
                Message::CompilerArtifact(artifact) => (&artifact.manifest_path, Some(artifact)),
                Message::CompilerMessage(message) => (&message.manifest_path, None),
                Message::Other => continue,
            };
            if let Some(directory) = path.parent() {
                bitcode.packages.push(directory.to_owned());
            }
            let Some(artifact) = artifact.filter(|artifact| !artifact.target.is_for_host()) else {
                continue;
            };
            let Some(file) = self.bitcode_of(artifact)? else { continue };
            if *path != manifest {
                bitcode.dependencies.push(file);
            } else if artifact.target.is_lib() && !artifact.profile.test {
                bitcode.lib = Some(file);
            } else {
                bitcode.targets.push(file);
            }
        }
        for list in [&mut bitcode.targets, &mut bitcode.dependencies, &mut bitcode.packages] {
            list.sort();
            list.dedup();
        }
        bitcode.failed_targets = errors
            .iter()
            .filter(|error| error.manifest_path == manifest)
            .map(|error| error.target.describe())
            .collect();
        bitcode.failed_targets.sort();
        bitcode.failed_targets.dedup();
        Ok(bitcode)
    }

    /// The bitcode file of a crate, `None` for crates of the host.
    fn bitcode_of(&self, artifact: &Artifact) -> Result<Option<PathBuf>> {
        let ours = self.device_dir().join(&self.env.target);
        if !artifact.filenames.iter().all(|file| file.starts_with(&ours)) {
            return Ok(None);
        }
        let read = |path: &Path| fs::read_to_string(path).ok();
        let Some(stem) = messages::stem(&artifact.filenames, read) else { return Ok(None) };
        let mut file = stem.into_os_string();
        file.push(".bc");
        let path = PathBuf::from(file);
        if path.is_file() {
            return Ok(Some(path));
        }
        Err(Error::NoBitcode { path, directory: self.directory.clone() })
    }
}

/// The `cfg`s among flags: they may change types, so both passes must have them.
fn cfg_flags(flags: &[String]) -> Vec<String> {
    let mut chosen = Vec::new();
    let mut rest = flags.iter();
    while let Some(flag) = rest.next() {
        if flag == "--cfg" || flag == "--check-cfg" {
            chosen.push(flag.clone());
            chosen.extend(rest.next().cloned());
        } else if flag.starts_with("--cfg=") || flag.starts_with("--check-cfg=") {
            chosen.push(flag.clone());
        }
    }
    chosen
}

/// What a command said on its standard error.
fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cfgs_of_the_flags() {
        let flags = ["-Ctarget-cpu=native", "--cfg", "a", "--cfg=b=\"c\"", "-Lx", "--check-cfg"];
        assert_eq!(
            cfg_flags(&flags.map(str::to_owned)),
            ["--cfg", "a", "--cfg=b=\"c\"", "--check-cfg"]
        );
    }
}
