//! The nested cargo: its command line, its output, and what to do when it fails.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::BuildEnv;
use super::flags;
use super::messages::{self, Artifact, CompilerMessage, Message, Target};
use super::order;
use super::project::Project;
use super::scripts::Scripts;
use crate::error::{Context, Error, Result};
use crate::options::Options;
use crate::rust::flags::{DEVICE, FULL_DEBUG_INFO, LINES};
use crate::rust::{Toolchain, scrub};
use ptyx_image::DebugInfo;

/// A nested cargo, ready to run.
#[derive(Debug)]
pub(crate) struct DevicePass<'a> {
    env: &'a BuildEnv,
    toolchain: &'a Toolchain,
    scripts: Scripts,
    /// What the device passes of all packages share.
    pub(super) directory: PathBuf,
    pub(super) project: Project,
    /// Whether debuggers need variables and types.
    full_debug_info: bool,
}

/// What the device pass made.
#[derive(Debug, Default)]
pub(crate) struct Bitcode {
    /// The bitcode of the package's library. With `panic = "abort"` there are two, the one for programs
    /// first: tests use a library whose panics unwind.
    pub(crate) libs: Vec<PathBuf>,
    /// The bitcode of its other targets.
    pub(crate) targets: Vec<PathBuf>,
    /// What those are.
    pub(crate) executables: HashMap<PathBuf, Executable>,
    /// The bitcode of every other crate, each one after those that it depends on.
    pub(crate) dependencies: Vec<PathBuf>,
    /// The package's targets that rustc refused, in both passes.
    pub(crate) failed_targets: Vec<String>,
    /// What rustc said about those. It says so again in the host pass, if there is one.
    pub(crate) host_errors: Vec<String>,
    /// The directories of all packages that are compiled.
    pub(crate) packages: Vec<PathBuf>,
}

/// A target of the package other than its library, or unit tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Executable {
    pub(crate) target: Target,
    /// Whether it is the target's unit tests.
    pub(crate) test: bool,
}

/// How much to compile, and from where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Attempt {
    /// Examples, tests and benchmarks, too, which need the dev-dependencies.
    all_targets: bool,
    /// With what is on this machine.
    offline: bool,
}

/// What the nested cargo does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// Make bitcode.
    Device,
    /// Check as the host pass does.
    HostCheck,
    /// Compile, without linking, as the host pass does.
    HostBuild,
}

impl<'a> DevicePass<'a> {
    /// Prepares the nested target directory.
    pub(crate) fn new(
        env: &'a BuildEnv,
        toolchain: &'a Toolchain,
        options: &Options,
    ) -> Result<Self> {
        let directory = env.pass_dir();
        fs::create_dir_all(&directory).context("create", &directory)?;
        let scripts = Scripts::write(&directory)?;
        let project = Project::find(env)?;
        let full_debug_info = options.debug_info == Some(DebugInfo::Full);
        Ok(DevicePass { env, toolchain, scripts, directory, project, full_debug_info })
    }

    /// Compiles the package.
    pub(crate) fn run(&self) -> Result<Bitcode> {
        // Packages share the names of programs without hashes: no other device pass may run between the
        // end of cargo and our reading of them.
        let lock = self.directory.join("lock");
        let file = File::create(&lock).context("create", &lock)?;
        file.lock().context("lock", &lock)?;

        let attempts: &[Attempt] = match self.project {
            Project::Own { .. } => &[
                Attempt { all_targets: true, offline: true },
                Attempt { all_targets: true, offline: false },
                Attempt { all_targets: false, offline: true },
            ],
            Project::StandIn { .. } => &[
                Attempt { all_targets: false, offline: true },
                Attempt { all_targets: false, offline: false },
            ],
        };
        let mut reasons = Vec::new();
        for &attempt in attempts {
            if self.env.offline && !attempt.offline {
                continue;
            }
            let output = self.nested(Task::Device, attempt)?;
            let messages = messages::parse(&output.stdout);
            let errors = messages::errors(&messages);
            if !output.status.success() && errors.is_empty() {
                let stderr = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
                if !reasons.contains(&stderr) {
                    reasons.push(stderr);
                }
                continue;
            }
            if !errors.is_empty() {
                self.judge(attempt, &errors)?;
            }
            let mut bitcode = self.collect(&messages, &errors)?;
            if !attempt.all_targets && matches!(self.project, Project::Own { .. }) {
                bitcode.failed_targets.push("examples, tests and benches".to_owned());
            }
            return Ok(bitcode);
        }
        Err(Error::Cargo(reasons.join("\n")))
    }

    /// Where the device's crates go.
    fn device_dir(&self) -> PathBuf {
        self.directory.join("device")
    }

    /// Runs a nested cargo.
    fn nested(&self, task: Task, attempt: Attempt) -> Result<Output> {
        let env = self.env;
        let mut command = Command::new(&env.cargo);
        scrub(&mut command);
        let (verb, target_dir, rustflags) = match task {
            Task::Device => ("build", self.device_dir(), self.device_flags()),
            Task::HostCheck => ("check", self.directory.join("host"), env.rustflags.clone()),
            Task::HostBuild => {
                let mut flags = env.rustflags.clone();
                flags.push("-Copt-level=0".to_owned());
                ("build", self.directory.join("host"), flags)
            }
        };
        command
            .env("RUSTC", &self.toolchain.rustc)
            .env("RUSTC_WRAPPER", &self.scripts.rustc)
            .env("RUSTC_WORKSPACE_WRAPPER", "")
            .env("CARGO_ENCODED_RUSTFLAGS", rustflags.join("\x1f"))
            .env("CARGO_INCREMENTAL", "0");
        let profile = env.profile();
        command.current_dir(&env.invocation_dir).stdin(Stdio::null());
        command.arg(verb).arg("--quiet").arg("--target-dir").arg(&target_dir);
        self.project.select(env, &mut command);
        // Configuration on the command line overrides that of the environment. The user's is passed on,
        // too, so ours comes last.
        command.args(env.config.iter().flat_map(|setting| ["--config", setting]));
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        for setting in [
            format!("build.build-dir={}", quoted(&target_dir.to_string_lossy())),
            format!("profile.{profile}.lto=\"off\""),
            format!("profile.{profile}.split-debuginfo=\"off\""),
        ] {
            command.args(["--config", &setting]);
        }
        command.args(["--target", &env.target, "--profile", &profile]);
        command.args(["--keep-going", "--message-format=json"]);
        if attempt.all_targets {
            command.arg("--all-targets");
        }
        if attempt.offline {
            command.arg("--offline");
        }
        command.output().map_err(|error| {
            Error::Cargo(format!("can't run `{}`: {error}", self.env.cargo.display()))
        })
    }

    /// The flags of the device's crates; [`super::scripts`] adds the unstable ones and the linker.
    fn device_flags(&self) -> Vec<String> {
        let mut flags: Vec<String> = [
            "--cfg",
            "ptyx_device",
            "--check-cfg=cfg(ptyx_device)",
            "--check-cfg=cfg(ptyx_pass, values(any()))",
            if self.full_debug_info { FULL_DEBUG_INFO } else { LINES },
        ]
        .map(str::to_owned)
        .to_vec();
        flags.extend(DEVICE.map(str::to_owned));
        // Makes cargo compile again when the scripts change.
        flags.push(format!("--cfg=ptyx_pass=\"{}\"", self.scripts.version));
        flags.extend(flags::of_both_passes(&self.env.rustflags));
        flags
    }

    /// Finds out whether the host pass has these errors, too.
    ///
    /// # Errors
    /// The errors themselves if the host pass does not have them.
    fn judge(&self, attempt: Attempt, errors: &[&CompilerMessage]) -> Result<()> {
        let mut ours = errors.to_vec();
        // Some errors show only when generic code is instantiated: `cargo check` misses them.
        for task in [Task::HostCheck, Task::HostBuild] {
            let messages = messages::parse(&self.nested(task, attempt)?.stdout);
            let host = messages::errors(&messages);
            ours.retain(|error| !host.iter().any(|other| other.is_about_same_target(error)));
            if ours.is_empty() {
                return Ok(());
            }
        }
        Err(Error::diagnostics(messages::texts(ours.into_iter())))
    }

    /// Sorts the crates.
    fn collect(&self, messages: &[Message], errors: &[&CompilerMessage]) -> Result<Bitcode> {
        let mut bitcode = Bitcode::default();
        let manifest = self.env.manifest_dir.join("Cargo.toml");
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
            let Some(file) = self.bitcode_of(artifact)? else {
                continue;
            };
            if *path != manifest {
                bitcode.dependencies.push(file);
            } else if artifact.target.is_lib() && !artifact.profile.test {
                bitcode.libs.push(file);
            } else {
                let (target, test) = (artifact.target.clone(), artifact.profile.test);
                bitcode.executables.insert(file.clone(), Executable { target, test });
                bitcode.targets.push(file);
            }
        }
        for list in [&mut bitcode.targets, &mut bitcode.packages, &mut bitcode.libs] {
            list.sort();
            list.dedup();
        }
        bitcode.libs.sort_by_key(|file| !order::aborts(file));
        let uses = |file: &Path| order::externs(file, &self.directory);
        bitcode.dependencies = order::users_last(&bitcode.dependencies, uses);
        let own = || errors.iter().filter(|error| error.manifest_path == manifest);
        bitcode.failed_targets = own().map(|error| error.target.describe()).collect();
        bitcode.host_errors = messages::texts(own().copied());
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
        let Some(stem) = messages::stem(&artifact.filenames, read) else {
            return Ok(None);
        };
        let mut file = stem.into_os_string();
        file.push(".bc");
        let path = PathBuf::from(file);
        if path.is_file() {
            return Ok(Some(path));
        }
        Err(Error::NoBitcode { path, directory: self.directory.clone() })
    }
}
