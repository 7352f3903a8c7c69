//! Finds NVIDIA's device library of mathematical functions, `libdevice.10.bc`.
//!
//! It is LLVM bitcode that comes with every CUDA toolkit and with the Python packages made of one.
//! Ptyx does not need it and does not ship it: where it is found, kernels use its functions instead
//! of those in Rust (`link/libdevice.rs` links them). The places, in order:
//!
//! 1. [`Libdevice::At`], or the path in `PTYX_LIBDEVICE`;
//! 2. the toolkits of `CUDA_HOME`, `CUDA_PATH` and `CONDA_PREFIX`;
//! 3. `/usr/local/cuda`, `/usr/local/cuda-*` (the highest version first), `/opt/cuda`, and where
//!    Debian puts it;
//! 4. the wheels of NVIDIA in the Python environments of `VIRTUAL_ENV`, of the `python3` on `PATH`,
//!    and of the user.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Where the mathematical functions of kernels come from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Libdevice {
    /// From NVIDIA's libdevice if there is one on this machine and it can be read, else from Rust.
    #[default]
    Auto,
    /// From Rust only.
    Off,
    /// From this libdevice: the file, or a CUDA toolkit's directory. It is an error if it can't be
    /// read.
    At(PathBuf),
}

impl Libdevice {
    /// The meaning of `PTYX_LIBDEVICE`: `auto`, `off` (or `0`), else a path.
    pub(crate) fn from_variable(value: OsString) -> Libdevice {
        match value.to_str() {
            Some("auto") => Libdevice::Auto,
            Some("off" | "0") => Libdevice::Off,
            _ => Libdevice::At(PathBuf::from(value)),
        }
    }
}

/// The environment variables that [`candidates`] reads, except `PATH`: it changes too often to trigger
/// a rebuild.
pub(crate) const VARIABLES: [&str; 4] = ["CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX", "VIRTUAL_ENV"];

/// The file's name in every version of CUDA since 9.
const FILE: &str = "libdevice.10.bc";

/// Its path below a toolkit.
const IN_TOOLKIT: &str = "nvvm/libdevice";

/// The file that `path` means: itself, or the one in the toolkit (or folder) that it names.
pub(crate) fn file_at(path: &Path) -> PathBuf {
    if !path.is_dir() {
        return path.to_owned();
    }
    let direct = path.join(FILE);
    if direct.is_file() { direct } else { path.join(IN_TOOLKIT).join(FILE) }
}

/// The libdevice files of this machine, the best one first.
pub(crate) fn candidates(variable: impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let path = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let mut toolkits: Vec<PathBuf> =
        ["CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"].into_iter().filter_map(path).collect();
    toolkits.push("/usr/local/cuda".into());
    toolkits.extend(newest_first(children(Path::new("/usr/local"), "cuda-")));
    toolkits.extend(["/opt/cuda", "/usr/lib/cuda", "/usr/lib/nvidia-cuda-toolkit"].map(Into::into));

    let mut python: Vec<PathBuf> = path("VIRTUAL_ENV").into_iter().collect();
    let on_path = variable("PATH").and_then(|path| {
        std::env::split_paths(&path).map(|dir| dir.join("python3")).find(|file| file.is_file())
    });
    // `<prefix>/bin/python3`, as given and with links resolved.
    for file in on_path.into_iter().flat_map(|file| [fs::canonicalize(&file).ok(), Some(file)]) {
        python.extend(file.and_then(|file| Some(file.parent()?.parent()?.to_owned())));
    }
    python.extend(path("HOME").map(|home| home.join(".local")));
    for prefix in python {
        for version in newest_first(children(&prefix.join("lib"), "python3")) {
            for folder in ["site-packages", "dist-packages"] {
                // `nvidia/cu13`, or `nvidia/cuda_nvcc` of older wheels.
                toolkits.extend(newest_first(children(&version.join(folder).join("nvidia"), "cu")));
            }
        }
    }
    let mut seen = HashSet::new();
    let files = toolkits.iter().map(|toolkit| file_at(toolkit));
    files.filter(|file| file.is_file() && seen.insert(file.clone())).collect()
}

/// The entries of a directory whose names begin with `prefix`.
fn children(directory: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
        .map(|entry| entry.path())
        .collect()
}

/// Sorted by the numbers in the names, the highest first: 12.10 before 12.9.
fn newest_first(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let version = |path: &PathBuf| -> Vec<u32> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
    };
    paths.sort_by_key(|path| Reverse((version(path), path.clone())));
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_variable() {
        assert_eq!(Libdevice::from_variable("off".into()), Libdevice::Off);
        assert_eq!(Libdevice::from_variable("auto".into()), Libdevice::Auto);
        assert_eq!(Libdevice::from_variable("/a/b".into()), Libdevice::At("/a/b".into()));
    }

    #[test]
    fn toolkits_and_wheels_in_order() {
        let root = std::env::temp_dir().join(format!("ptyx-libdevice-{}", std::process::id()));
        let places = [
            "toolkit/nvvm/libdevice",
            "venv/lib/python3.11/site-packages/nvidia/cu13/nvvm/libdevice",
            "py/lib/python3.9/site-packages/nvidia/cuda_nvcc/nvvm/libdevice",
            "py/lib/python3.12/site-packages/nvidia/cu12/nvvm/libdevice",
        ];
        for place in places {
            fs::create_dir_all(root.join(place)).unwrap();
            fs::write(root.join(place).join(FILE), b"BC").unwrap();
        }
        fs::create_dir_all(root.join("py/bin")).unwrap();
        fs::write(root.join("py/bin/python3"), b"").unwrap();
        let found = candidates(|name| match name {
            "CUDA_HOME" => Some(root.join("toolkit").into()),
            "VIRTUAL_ENV" => Some(root.join("venv").into()),
            "PATH" => Some(root.join("py/bin").into()),
            _ => None,
        });
        let ours: Vec<_> = found.iter().filter_map(|f| f.strip_prefix(&root).ok()).collect();
        let wanted = [places[0], places[1], places[3], places[2]].map(|p| Path::new(p).join(FILE));
        assert_eq!(ours, wanted.iter().collect::<Vec<_>>());
        assert_eq!(file_at(&root.join("toolkit")), root.join(places[0]).join(FILE));
        assert_eq!(file_at(&root.join(places[0])), root.join(places[0]).join(FILE));
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn versions_are_numbers() {
        let paths = ["cuda-9.2", "cuda-12.10", "cuda-12.9"].map(PathBuf::from).to_vec();
        let names = ["cuda-12.10", "cuda-12.9", "cuda-9.2"].map(PathBuf::from).to_vec();
        assert_eq!(newest_first(paths), names);
    }
}
