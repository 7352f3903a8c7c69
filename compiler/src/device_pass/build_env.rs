//! What cargo tells a build script, and what of it a nested cargo must not see.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use super::Unit;
use crate::error::{Context, Error, Result};
use crate::rust::variables;

/// The build script's environment, as far as the device pass needs it.
#[derive(Clone, Debug)]
pub(crate) struct BuildEnv {
    /// The cargo that runs the build script.
    pub(crate) cargo: PathBuf,
    /// The rustc that it uses.
    pub(crate) rustc: PathBuf,
    /// The package's name.
    pub(crate) package: String,
    /// The package's version.
    pub(crate) version: String,
    /// The directory of the package's `Cargo.toml`.
    pub(crate) manifest_dir: PathBuf,
    /// Where the build script may write.
    pub(crate) out_dir: PathBuf,
    /// The triple that the package is compiled for.
    pub(crate) target: String,
    /// The package's features that are on, by their exact names.
    pub(crate) features: Vec<String>,
    /// `debug` or `release`: which of the two the profile inherits from.
    pub(crate) profile_base: String,
    /// What cargo says about the profile's `debug`.
    pub(crate) debug: String,
    /// The `rustflags` of the outer pass.
    pub(crate) rustflags: Vec<String>,
    /// The directory that the user ran cargo in: cargo's configuration is looked up from there.
    pub(crate) invocation_dir: PathBuf,
    /// A directory of the workspace that is built.
    pub(crate) outer_dir: PathBuf,
    /// What the user has given the outer cargo as `--config`.
    pub(crate) config: Vec<String>,
    /// Whether the user has told cargo to stay off the network.
    pub(crate) offline: bool,
    /// Where `PTYX_DUMP` asks for IR and PTX.
    pub(crate) dump: Option<PathBuf>,
}

/// Target directory and profile of the outer cargo, as `OUT_DIR` shows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The outer target directory.
    pub(crate) target_dir: PathBuf,
    /// The profile's name.
    pub(crate) profile: String,
}

impl BuildEnv {
    /// Reads the process's environment.
    pub(crate) fn from_env() -> Result<Self> {
        Self::from_lookup(|name| std::env::var_os(name))
    }

    /// Reads an environment.
    fn from_lookup(lookup: impl Fn(&str) -> Option<OsString>) -> Result<Self> {
        let path = |name| lookup(name).map(PathBuf::from).ok_or(Error::NotABuildScript(name));
        let optional = |name| match lookup(name) {
            None => Ok(String::new()),
            Some(value) => value
                .into_string()
                .map_err(|value| Error::NotUtf8 { name, value: PathBuf::from(value) }),
        };
        let text = |name| match lookup(name) {
            None => Err(Error::NotABuildScript(name)),
            Some(_) => optional(name),
        };
        let split = |list: String, separator: char| -> Vec<String> {
            list.split(separator).filter(|item| !item.is_empty()).map(str::to_owned).collect()
        };
        let manifest_dir = path(variables::MANIFEST_DIR)?;
        let invocation_dir = parent_dir().unwrap_or_else(|| manifest_dir.clone());
        Ok(BuildEnv {
            cargo: path(variables::CARGO)?,
            rustc: path(variables::RUSTC)?,
            package: text(variables::PACKAGE)?,
            version: text(variables::VERSION)?,
            manifest_dir,
            out_dir: path(variables::OUT_DIR)?,
            target: text(variables::TARGET)?,
            features: split(optional(variables::FEATURES)?, ','),
            profile_base: text(variables::PROFILE)?,
            debug: optional(variables::DEBUG)?,
            rustflags: split(optional(variables::RUSTFLAGS)?, '\x1f'),
            dump: lookup("PTYX_DUMP")
                .filter(|dir| !dir.is_empty())
                .map(|dir| invocation_dir.join(dir)),
            outer_dir: invocation_dir_of(&parent_arguments(), &invocation_dir),
            invocation_dir,
            config: values_among(&parent_arguments(), "--config"),
            offline: is_offline(&parent_arguments()),
        })
    }

    /// The outer cargo's target directory and profile, if `OUT_DIR` is laid out as cargo does.
    pub(crate) fn layout(&self) -> Option<Layout> {
        Layout::of(&self.out_dir, &self.target)
    }

    /// The profile that the device pass uses.
    pub(crate) fn profile(&self) -> String {
        match self.layout() {
            Some(layout) => layout.profile,
            None if self.profile_base == "release" => "release".to_owned(),
            None => "dev".to_owned(),
        }
    }

    /// The directory of the device passes of all packages that share the outer target directory.
    ///
    /// Never the outer target directory itself: the outer cargo holds its lock.
    pub(crate) fn pass_dir(&self) -> PathBuf {
        match self.layout() {
            Some(layout) => layout.target_dir.join("ptyx"),
            None => self.out_dir.join("ptyx"),
        }
    }

    /// A directory for the intermediate files of `unit`.
    pub(crate) fn work_dir(&self, unit: Unit) -> Result<PathBuf> {
        let dir = self.out_dir.join("ptyx-codegen").join(unit.name());
        fs::create_dir_all(&dir).context("create", &dir)?;
        Ok(dir)
    }
}

impl Layout {
    /// Takes `<target dir>/[<triple>/]<profile>/build/<package>-<hash>/out` apart.
    fn of(out_dir: &Path, triple: &str) -> Option<Self> {
        let build = out_dir.parent()?.parent()?;
        if build.file_name()? != "build" {
            return None;
        }
        let profile_dir = build.parent()?;
        let profile = match profile_dir.file_name()?.to_str()? {
            "debug" => "dev",
            other => other,
        };
        let mut target_dir = profile_dir.parent()?;
        if target_dir.file_name() == Some(OsStr::new(triple)) {
            target_dir = target_dir.parent()?;
        }
        Some(Layout { target_dir: target_dir.to_owned(), profile: profile.to_owned() })
    }
}

/// The working directory of our parent process, the outer cargo.
fn parent_dir() -> Option<PathBuf> {
    fs::read_link(format!("/proc/{}/cwd", std::os::unix::process::parent_id())).ok()
}

/// The arguments of our parent process, the outer cargo, up to `--`.
fn parent_arguments() -> Vec<String> {
    let line = fs::read(format!("/proc/{}/cmdline", std::os::unix::process::parent_id()));
    line.unwrap_or_default()
        .split(|&byte| byte == 0)
        .map(|argument| String::from_utf8_lossy(argument).into_owned())
        .take_while(|argument| argument != "--")
        .collect()
}

/// Whether cargo's arguments tell it to stay off the network.
fn is_offline(arguments: &[String]) -> bool {
    arguments.iter().any(|argument| argument == "--offline" || argument == "--frozen")
}

/// The values of an option among cargo's arguments, in order.
fn values_among(arguments: &[String], option: &str) -> Vec<String> {
    let mut values = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if argument == option {
            values.extend(rest.next().cloned());
        } else if let Some(value) = argument.strip_prefix(option).and_then(|v| v.strip_prefix('='))
        {
            values.push(value.to_owned());
        }
    }
    values
}

/// The directory that cargo looks for a manifest from, as its arguments say.
fn invocation_dir_of(arguments: &[String], working_dir: &Path) -> PathBuf {
    let manifest = values_among(arguments, "--manifest-path").pop();
    let manifest = manifest.map(PathBuf::from);
    let directory = match &manifest {
        Some(manifest) => manifest.parent().map(Path::to_owned),
        // `cargo install --path`
        None => values_among(arguments, "--path").pop().map(PathBuf::from),
    };
    working_dir.join(directory.unwrap_or_default())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The environment of a build script.
    pub(in super::super) fn example() -> BuildEnv {
        BuildEnv::from_lookup(build_script).unwrap()
    }

    fn build_script(name: &str) -> Option<OsString> {
        let value = match name {
            "CARGO" => "/bin/cargo",
            "RUSTC" => "rustc",
            "CARGO_PKG_NAME" => "p",
            "CARGO_PKG_VERSION" => "1.2.3",
            "CARGO_MANIFEST_DIR" => "/w/p",
            "OUT_DIR" => "/w/target/debug/build/p-12/out",
            "TARGET" => "x86_64-unknown-linux-gnu",
            "CARGO_CFG_FEATURE" => "a-b,c_d",
            "PROFILE" => "debug",
            "CARGO_ENCODED_RUSTFLAGS" => "--cfg\x1fx y",
            _ => return None,
        };
        Some(value.into())
    }

    #[test]
    fn build_script_variables() {
        let env = example();
        assert_eq!(env.features, ["a-b", "c_d"]);
        assert_eq!(env.rustflags, ["--cfg", "x y"]);
        assert_eq!(env.profile(), "dev");
        assert_eq!(env.pass_dir(), Path::new("/w/target/ptyx"));
        assert_eq!(env.dump, None);
    }

    #[test]
    fn arguments_of_cargo() {
        let line = ["cargo", "build", "--config", "a.b=1", "--frozen", "--config=c='d'"];
        let arguments = line.map(str::to_owned);
        assert_eq!(values_among(&arguments, "--config"), ["a.b=1", "c='d'"]);
        assert!(is_offline(&arguments));
        assert!(!is_offline(&arguments[..4]));
        assert_eq!(values_among(&arguments[..3], "--config"), [""; 0]);
        let directory = |line: &[&str]| {
            let line: Vec<String> = line.iter().map(|word| (*word).to_owned()).collect();
            invocation_dir_of(&line, Path::new("/w"))
        };
        assert_eq!(directory(&["build"]), Path::new("/w"));
        assert_eq!(directory(&["build", "--manifest-path=a/Cargo.toml"]), Path::new("/w/a"));
        assert_eq!(directory(&["install", "--path", "/p"]), Path::new("/p"));
    }

    #[test]
    fn outside_a_build_script() {
        let error = BuildEnv::from_lookup(|_| None).unwrap_err().to_string();
        assert!(error.contains("build.rs") && error.contains("CARGO"), "{error}");
    }

    #[test]
    fn layouts() {
        let of = |dir: &str| Layout::of(Path::new(dir), "t-u-v");
        let layout = |dir: &str, profile: &str| {
            Some(Layout { target_dir: dir.into(), profile: profile.into() })
        };
        assert_eq!(of("/t/debug/build/p-1/out"), layout("/t", "dev"));
        assert_eq!(of("/t/release/build/p-1/out"), layout("/t", "release"));
        assert_eq!(of("/t/t-u-v/tiny-fast/build/p-1/out"), layout("/t", "tiny-fast"));
        assert_eq!(of("/t/debug/elsewhere/p-1/out"), None);
        assert_eq!(of("/out"), None);
    }
}
