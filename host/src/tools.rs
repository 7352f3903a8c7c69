//! NVIDIA's programs for machine code: `ptxas` makes it, `nvdisasm` and `cuobjdump` show it.
//!
//! Only `CompiledKernel::sass` needs them. They come with the CUDA toolkit and with NVIDIA's Python
//! packages, and are looked for in that order: the variable that names one, `PATH`, CUDA installations,
//! Python environments.

use crate::error::Error;
use crate::settings::{self, Lookup};
use core::sync::atomic::{AtomicU32, Ordering};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One of the programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    Ptxas,
    Nvdisasm,
    Cuobjdump,
}

impl Tool {
    /// Its file's name, and the variable that may name the file.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Tool::Ptxas => ("ptxas", "PTYX_PTXAS"),
            Tool::Nvdisasm => ("nvdisasm", "PTYX_NVDISASM"),
            Tool::Cuobjdump => ("cuobjdump", "PTYX_CUOBJDUMP"),
        }
    }

    /// The program on this machine.
    ///
    /// # Errors
    /// The variable names something else.
    pub(crate) fn find(self) -> Result<Option<PathBuf>, Error> {
        self.find_with(&settings::environment)
    }

    fn find_with(self, variable: Lookup<'_>) -> Result<Option<PathBuf>, Error> {
        let (name, own_variable) = self.names();
        let find = |name: &Path| {
            folders(variable)
                .into_iter()
                .map(|folder| folder.join(name))
                .find(|file| file.is_file())
        };
        let Some(value) = variable(own_variable).filter(|value| !value.is_empty()) else {
            return Ok(find(Path::new(name)));
        };
        let path = PathBuf::from(&value);
        // A name without a folder is looked up as a shell does.
        let found =
            if path.components().count() > 1 { Some(path) } else { find(&path).or(Some(path)) };
        match found.filter(|file| file.is_file()) {
            Some(file) => Ok(Some(file)),
            None => Err(settings::bad(own_variable, value, "the path of NVIDIA's program")),
        }
    }
}

/// The folders that may hold the programs, the best one first.
fn folders(variable: Lookup<'_>) -> Vec<PathBuf> {
    let path = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let mut folders: Vec<PathBuf> =
        variable("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
    let python = folders.iter().map(|folder| folder.join("python3")).find(|file| file.is_file());

    let toolkits = ["CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"].into_iter().filter_map(path);
    let toolkits = toolkits.chain(["/usr/local/cuda", "/opt/cuda"].map(PathBuf::from));
    folders.extend(toolkits.map(|toolkit| toolkit.join("bin")));

    let mut environments: Vec<PathBuf> = path("VIRTUAL_ENV").into_iter().collect();
    environments.extend(python.and_then(|python| Some(python.parent()?.parent()?.to_owned())));
    environments.extend(path("HOME").map(|home| home.join(".local")));
    for environment in environments {
        for version in children(&environment.join("lib"), "python3") {
            for packages in ["site-packages", "dist-packages"] {
                let wheels = children(&version.join(packages).join("nvidia"), "cu");
                folders.extend(wheels.into_iter().map(|wheel| wheel.join("bin")));
            }
        }
    }
    folders
}

/// The entries of a folder whose names start with `prefix`, in reverse order: the newest first.
fn children(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found.reverse();
    found
}

/// Machine code of PTX for a device of compute capability `capability` (times ten), with source lines
/// if `lines`.
///
/// # Errors
/// There is no `ptxas`, or it fails: a text.
pub(crate) fn assemble(ptx: &str, capability: u32, lines: bool) -> Result<Vec<u8>, String> {
    let ptxas = Tool::Ptxas.find().map_err(|error| error.to_string())?;
    let ptxas = ptxas.ok_or_else(|| missing("`ptxas`", "PTYX_PTXAS"))?;
    let (source, cubin) = (Scratch::new("ptx"), Scratch::new("cubin"));
    source.write(ptx.as_bytes())?;
    let target = target_of(ptx, capability);
    let mut command = Command::new(ptxas);
    command.arg(format!("-arch={target}")).arg("-o").arg(&cubin.0).arg(&source.0);
    if lines {
        command.arg("-lineinfo");
    }
    run(command)?;
    fs::read(&cubin.0).map_err(|error| format!("{} can't be read: {error}", cubin.0.display()))
}

/// The architecture to assemble for: that of the device, with the PTX's suffix if it has one.
fn target_of(ptx: &str, capability: u32) -> String {
    let target = ptx.lines().find_map(|line| line.trim().strip_prefix(".target"));
    let name =
        target.and_then(|target| target.split([',', ' ', '\t']).find(|part| !part.is_empty()));
    let suffix = name.and_then(|name| name.chars().last()).filter(char::is_ascii_alphabetic);
    format!("sm_{capability}{}", suffix.map_or_else(String::new, String::from))
}

/// Machine code as text.
///
/// # Errors
/// There is no disassembler, or it fails: a text.
pub(crate) fn disassemble(cubin: &[u8], lines: bool) -> Result<String, String> {
    let file = Scratch::new("cubin");
    file.write(cubin)?;
    let find = |tool: Tool| tool.find().map_err(|error| error.to_string());
    let mut command = if let Some(nvdisasm) = find(Tool::Nvdisasm)? {
        let mut command = Command::new(nvdisasm);
        command.arg("--print-code");
        if lines {
            command.arg("--print-line-info");
        }
        command
    } else if let Some(cuobjdump) = find(Tool::Cuobjdump)? {
        let mut command = Command::new(cuobjdump);
        command.arg("--dump-sass");
        command
    } else {
        return Err(missing("`nvdisasm` and no `cuobjdump`", "PTYX_NVDISASM"));
    };
    command.arg(&file.0);
    run(command)
}

fn missing(what: &str, variable: &str) -> String {
    format!(
        "there is no {what} on PATH, in a CUDA installation (CUDA_HOME) or in a Python environment; \
         the CUDA toolkit has it, and so have NVIDIA's packages on PyPI (nvidia-cuda-nvcc, \
         nvidia-cuda-nvdisasm); {variable} may name the file"
    )
}

/// What a program prints, if it succeeds.
fn run(mut command: Command) -> Result<String, String> {
    let name = Path::new(command.get_program()).display().to_string();
    let output = command.output().map_err(|error| format!("{name} does not start: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = [output.stdout, output.stderr].concat();
    Err(format!("{name} failed: {}", String::from_utf8_lossy(&said).trim()))
}

/// A temporary file that is deleted on drop.
struct Scratch(PathBuf);

impl Scratch {
    fn new(extension: &str) -> Scratch {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("ptyx-{}-{number}.{extension}", std::process::id());
        Scratch(std::env::temp_dir().join(name))
    }

    fn write(&self, bytes: &[u8]) -> Result<(), String> {
        fs::write(&self.0, bytes).map_err(|e| format!("{} can't be written: {e}", self.0.display()))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;

    #[test]
    fn the_device_and_the_suffix_of_the_text() {
        let target = |line: &str| target_of(&format!(".version 8.0\n{line}\n"), 103);
        assert_eq!(target(".target sm_70"), "sm_103");
        assert_eq!(target(".target sm_100f, debug"), "sm_103f");
        assert_eq!(target(".target sm_103a"), "sm_103a");
    }

    #[test]
    fn programs_are_found_in_order() {
        let root = std::env::temp_dir().join(format!("ptyx-tools-{}", std::process::id()));
        let places = [
            "path/nvdisasm",
            "cuda/bin/nvdisasm",
            "venv/lib/python3.11/site-packages/nvidia/cu13/bin/nvdisasm",
        ];
        for place in places {
            let file = root.join(place);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, b"").unwrap();
        }
        let with = |variables: &[(&str, &str)]| {
            let variable = |name: &str| -> Option<OsString> {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, folder)| root.join(folder).into())
            };
            Tool::Nvdisasm.find_with(&variable)
        };
        let text = with(&[("PTYX_NVDISASM", "x")]).unwrap_err().to_string();
        assert!(text.starts_with("PTYX_NVDISASM is `"), "{text}");
        assert!(text.ends_with("/x`: it must be the path of NVIDIA's program"), "{text}");
        let with = |variables: &[_]| with(variables).unwrap();
        let all = [("VIRTUAL_ENV", "venv"), ("CUDA_HOME", "cuda"), ("PATH", "path")];
        // An installation on this machine takes precedence over Python environments.
        let installed = with(&[]).filter(|found| !found.iter().any(|part| part == "site-packages"));
        let last = installed.unwrap_or_else(|| root.join(places[2]));
        for (count, place) in [(3, root.join(places[0])), (2, root.join(places[1])), (1, last)] {
            assert_eq!(with(&all[..count]), Some(place), "{count}");
        }
        assert_eq!(with(&[("PTYX_NVDISASM", places[1])]), Some(root.join(places[1])));
        fs::remove_dir_all(&root).unwrap();
    }
}
