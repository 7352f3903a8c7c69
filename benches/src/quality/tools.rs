//! NVIDIA's tools: assembler, CUDA C++ compiler, disassembler.

use crate::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// Where the tools are, and a folder for what they write.
#[derive(Debug)]
pub struct Tools {
    ptxas: PathBuf,
    nvcc: Option<PathBuf>,
    nvdisasm: PathBuf,
    folder: PathBuf,
}

impl Tools {
    /// The tools beside the assembler that `PTYX_PTXAS` names, or those on the path. `None` if
    /// there is no assembler or disassembler; the compiler may be missing.
    pub fn find() -> Option<Tools> {
        let named = std::env::var_os("PTYX_PTXAS").map(PathBuf::from);
        let beside = |name: &str| match named.as_ref().and_then(|path| path.parent()) {
            Some(folder) if folder.join(name).exists() => folder.join(name),
            _ => name.into(),
        };
        let runs = |path: &Path| {
            Command::new(path).arg("--version").output().is_ok_and(|out| out.status.success())
        };
        let ptxas = named.clone().unwrap_or_else(|| "ptxas".into());
        let (nvcc, nvdisasm) = (beside("nvcc"), beside("nvdisasm"));
        let folder = std::env::temp_dir().join(format!("ptyx-quality-{}", std::process::id()));
        if !runs(&ptxas) || !runs(&nvdisasm) || std::fs::create_dir_all(&folder).is_err() {
            return None;
        }
        Some(Tools { ptxas, nvcc: runs(&nvcc).then_some(nvcc), nvdisasm, folder })
    }

    /// Whether there is a compiler of CUDA C++.
    pub fn has_compiler(&self) -> bool {
        self.nvcc.is_some()
    }

    /// The assembler's version, for the record.
    pub fn version(&self) -> String {
        let text = run(Command::new(&self.ptxas).arg("--version")).unwrap_or_default();
        let release = text.split_once("release ").map_or(&text[..], |(_, rest)| rest);
        release.split(',').next().unwrap_or_default().trim().to_owned()
    }

    /// The name of a new file.
    pub(super) fn temporary(&self, extension: &str) -> PathBuf {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        self.folder.join(format!("{number}.{extension}"))
    }

    /// Assembles `ptx` into `cubin`; what the assembler says of its resources.
    pub(super) fn assemble(&self, ptx: &str, sm: u32, cubin: &Path) -> Result<String, Error> {
        let source = self.temporary("ptx");
        std::fs::write(&source, ptx)?;
        let arch = format!("-arch=sm_{sm}");
        run(Command::new(&self.ptxas).args(["-v", &arch, "-o"]).args([cubin, &source]))
    }

    /// Compiles CUDA C++ into `cubin` with `-O3` and these definitions; what the assembler says of
    /// its resources.
    pub(super) fn compile(
        &self,
        source: &Path,
        definitions: &[&str],
        sm: u32,
        cubin: &Path,
    ) -> Result<String, Error> {
        let nvcc = self.nvcc.as_ref().ok_or("there is no nvcc")?;
        let arch = format!("-arch=sm_{sm}");
        let options = ["-O3", "-std=c++17", "-cubin", &arch, "-Xptxas", "-v", "-o"];
        run(Command::new(nvcc).args(definitions).args(options).args([cubin, source]))
    }

    /// Compiles CUDA C++ to PTX with `-O3`; the new file.
    ///
    /// # Errors
    /// There is no compiler, or it finds errors.
    pub fn compile_to_ptx(&self, source: &Path, sm: u32) -> Result<PathBuf, Error> {
        let nvcc = self.nvcc.as_ref().ok_or("there is no nvcc")?;
        let (ptx, arch) = (self.temporary("ptx"), format!("-arch=sm_{sm}"));
        let options = ["-O3", "-std=c++17", "-ptx", &arch, "-o"];
        run(Command::new(nvcc).args(options).args([&ptx, source]))?;
        Ok(ptx)
    }

    /// The text of a cubin.
    pub(super) fn disassemble(&self, cubin: &Path) -> Result<String, Error> {
        run(Command::new(&self.nvdisasm).arg("-c").arg(cubin))
    }
}

impl Drop for Tools {
    fn drop(&mut self) {
        // What is left there matters to nobody.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Runs a tool; what it prints, on both streams.
fn run(command: &mut Command) -> Result<String, Error> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match output.status.success() {
        true => Ok(text(&output.stdout) + &text(&output.stderr)),
        false => Err(format!("{command:?} failed:\n{}", text(&output.stderr)).into()),
    }
}
