//! The manifest that the nested cargo works on.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::BuildEnv;
use crate::error::{Context, Result};
use crate::report::is_local;
use crate::rust::scrub;

/// Where the nested cargo finds the package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Project {
    /// Through its own manifest, with the lock file of its workspace.
    Own {
        /// The workspace's directory.
        root: PathBuf,
    },
    /// As the only dependency of a package that we write.
    ///
    /// For packages in another project's build: packages from registries and git, which must not be
    /// written to, packages without a lock file, and packages of a workspace other than the one being
    /// built. Compiled on their own, they would get other versions of their dependencies and another
    /// profile. The outer build's lock file and manifest say which to use.
    StandIn {
        /// The written package's directory.
        directory: PathBuf,
    },
}

impl Project {
    /// Decides which, and writes the stand-in if one is needed.
    pub(super) fn find(env: &BuildEnv) -> Result<Self> {
        let outer = workspace_root(env, &env.outer_dir);
        if is_local(&env.manifest_dir)
            && !env.manifest_dir.join(".cargo-checksum.json").exists()
            && let Some(root) = workspace_root(env, &env.manifest_dir)
            && root.join("Cargo.lock").exists()
            && outer
                .as_ref()
                .is_none_or(|outer| is_same(outer, &root) || !outer.join("Cargo.lock").exists())
        {
            return Ok(Project::Own { root });
        }
        let directory = env.out_dir.join("ptyx-stand-in");
        fs::create_dir_all(&directory).context("create", &directory)?;
        let write = |name: &str, text: &[u8]| {
            let path = directory.join(name);
            fs::write(&path, text).context("write", &path)
        };
        let read = |name: &str| fs::read_to_string(outer.as_ref()?.join(name)).ok();
        let tables = read("Cargo.toml").zip(outer.as_ref());
        let tables = tables.map(|(text, outer)| outer_tables(&text, outer)).unwrap_or_default();
        write("Cargo.toml", stand_in_manifest(env, &tables).as_bytes())?;
        write("lib.rs", b"")?;
        if let Some(lock) = read("Cargo.lock") {
            write("Cargo.lock", lock.as_bytes())?;
        }
        Ok(Project::StandIn { directory })
    }

    /// Adds the arguments that choose manifest, package and features.
    pub(super) fn select(&self, env: &BuildEnv, command: &mut Command) {
        command.arg("-p").arg(format!("{}@{}", env.package, env.version));
        command.arg("--manifest-path");
        match self {
            Project::Own { .. } => {
                command.arg(env.manifest_dir.join("Cargo.toml")).arg("--locked");
                command.args(["--no-default-features", "--features", &env.features.join(",")]);
            }
            Project::StandIn { directory } => {
                command.arg(directory.join("Cargo.toml"));
            }
        }
    }

    /// The directory whose manifest has the profiles.
    pub(super) fn root(&self) -> Option<&Path> {
        match self {
            Project::Own { root } => Some(root),
            Project::StandIn { .. } => None,
        }
    }
}

/// The tables of a workspace's manifest that say how its packages are compiled, and which ones:
/// profiles and patches. Paths are relative to `root`.
fn outer_tables(text: &str, root: &Path) -> String {
    let mut tables = String::new();
    let (mut is_wanted, mut is_patch) = (false, false);
    for line in text.lines() {
        if line.starts_with('[') {
            let name = line.trim_start_matches('[').trim_start();
            is_patch = name.starts_with("patch");
            is_wanted = is_patch || name.starts_with("profile");
        }
        if !is_wanted {
            continue;
        }
        match line.split_once("path").filter(|_| is_patch).and_then(|(before, rest)| {
            let value = rest.trim_start().strip_prefix('=')?.trim_start();
            let quote = value.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
            let (path, behind) = value[1..].split_once(quote)?;
            Some((before, path, behind))
        }) {
            Some((before, path, behind)) => {
                let path = serde_json::Value::from(root.join(path).to_string_lossy().as_ref());
                tables += &format!("{before}path = {path}{behind}\n");
            }
            None => tables += &format!("{line}\n"),
        }
    }
    tables
}

/// Whether two paths lead to the same directory.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    real(one) == real(other)
}

/// A manifest of a workspace of its own, whose package depends on `env`'s; `tables` follow.
fn stand_in_manifest(env: &BuildEnv, tables: &str) -> String {
    // JSON's strings are TOML's.
    let quote = |text: &str| serde_json::Value::from(text).to_string();
    let features: Vec<String> = env.features.iter().map(|feature| quote(feature)).collect();
    let mut manifest = format!(
        "[package]\nname = \"ptyx-stand-in\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [lib]\npath = \"lib.rs\"\n\n[workspace]\n\n\
         [dependencies.package]\npackage = {}\npath = {}\ndefault-features = false\n\
         features = [{}]\n",
        quote(&env.package),
        quote(&env.manifest_dir.to_string_lossy()),
        features.join(", "),
    );
    let profile = env.profile();
    if profile != "dev" && profile != "release" && !tables.contains(&format!("[profile.{profile}]"))
    {
        let base = if env.profile_base == "release" { "release" } else { "dev" };
        manifest += &format!("\n[profile.{}]\ninherits = \"{base}\"\n", quote(&profile));
    }
    manifest + "\n" + tables
}

/// Asks cargo for the workspace of the package around `directory`.
fn workspace_root(env: &BuildEnv, directory: &Path) -> Option<PathBuf> {
    let mut command = Command::new(&env.cargo);
    scrub(&mut command);
    let output = command
        .args(["locate-project", "--workspace", "--message-format=plain"])
        .current_dir(directory)
        .output()
        .ok()?;
    let manifest = String::from_utf8(output.stdout).ok()?;
    let root = Path::new(manifest.trim_end_matches('\n')).parent()?;
    (root != OsStr::new("")).then(|| root.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device_pass::build_env::tests::example;

    #[test]
    fn stand_ins_have_the_profile_and_quote_what_they_must() {
        let mut env = example();
        env.manifest_dir = "/w/a \"b\"".into();
        env.out_dir = "/t/tiny/build/p-1/out".into();
        let manifest = stand_in_manifest(&env, "[profile.dev]\npanic = \"abort\"\n");
        assert!(manifest.contains("path = \"/w/a \\\"b\\\"\"\n"), "{manifest}");
        assert!(manifest.contains("features = [\"a-b\", \"c_d\"]\n"), "{manifest}");
        assert!(manifest.contains("[profile.\"tiny\"]\ninherits = \"dev\"\n"), "{manifest}");
        assert!(manifest.ends_with("[profile.dev]\npanic = \"abort\"\n"), "{manifest}");
        let manifest = stand_in_manifest(&env, "[profile.tiny]\ninherits = \"release\"\n");
        assert_eq!(manifest.matches("tiny").count(), 1, "{manifest}");
    }

    #[test]
    fn tables_of_the_outer_manifest() {
        let text = "[package]\nname = \"x\"\n[profile.dev]\npanic = \"abort\"\n\
                    [dependencies]\ny = { path = \"y\" }\n[patch.crates-io]\n\
                    z = { path = \"z\", package = \"zed\" }\n[profile.dev.package.\"*\"]\n\
                    opt-level = 1\n";
        assert_eq!(
            outer_tables(text, Path::new("/w")),
            "[profile.dev]\npanic = \"abort\"\n[patch.crates-io]\n\
             z = { path = \"/w/z\", package = \"zed\" }\n[profile.dev.package.\"*\"]\n\
             opt-level = 1\n"
        );
    }
}
