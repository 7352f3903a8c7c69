//! What is wrong on a machine, and what to do about it.

#[cfg(not(ptyx_device))]
mod device;
#[cfg(not(ptyx_device))]
mod machine;
#[cfg(not(ptyx_device))]
mod variables;

use core::fmt;

/// What [`doctor`] found: facts by section, and problems.
///
/// ```
/// let diagnosis = ptyx::doctor();
/// let report = diagnosis.to_string();
/// assert!(report.starts_with("Ptyx\n  version "));
/// assert_eq!(report.ends_with("no problems found\n"), diagnosis.is_healthy());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnosis {
    facts: Vec<(&'static str, String)>,
    problems: Vec<Problem>,
}

/// Something that is wrong, and what to do about it.
///
/// ```
/// use ptyx::Problem;
/// let diagnosis = ptyx::doctor();
/// let report = diagnosis.to_string();
/// for Problem { what, hint, .. } in diagnosis.problems() {
///     assert!(report.contains(&format!("problem: {what}\n  hint: {hint}")));
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub hint: String,
}

impl Diagnosis {
    /// What is wrong; empty if nothing is.
    ///
    /// ```
    /// let diagnosis = ptyx::doctor();
    /// for problem in diagnosis.problems() {
    ///     println!("{}: {}", problem.what, problem.hint);
    /// }
    /// assert_eq!(diagnosis.to_string().matches("\n  hint: ").count(), diagnosis.problems().len());
    /// ```
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Whether nothing is wrong.
    ///
    /// ```
    /// let diagnosis = ptyx::doctor();
    /// assert_eq!(diagnosis.is_healthy(), diagnosis.problems().is_empty());
    /// ```
    pub fn is_healthy(&self) -> bool {
        self.problems.is_empty()
    }

    #[cfg(not(ptyx_device))]
    fn fact(&mut self, section: &'static str, text: impl Into<String>) {
        self.facts.push((section, text.into()));
    }

    #[cfg(not(ptyx_device))]
    fn problem(&mut self, what: impl Into<String>, hint: impl Into<String>) {
        self.problems.push(Problem { what: what.into(), hint: hint.into() });
    }
}

/// The facts, a section a paragraph, then the problems with their hints.
impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut last = "";
        for (section, text) in &self.facts {
            if *section != last {
                writeln!(f, "{section}")?;
            }
            last = section;
            writeln!(f, "  {text}")?;
        }
        for Problem { what, hint } in &self.problems {
            writeln!(f, "problem: {what}\n  hint: {hint}")?;
        }
        match self.problems.len() {
            0 => writeln!(f, "no problems found"),
            1 => writeln!(f, "1 problem found"),
            count => writeln!(f, "{count} problems found"),
        }
    }
}

/// Examines what Ptyx runs on: the NVIDIA driver, each device, NVIDIA's tools, the environment variables, the cache on
/// disk, this program's kernels. On each device it copies some numbers and runs a small kernel. Unlike
/// [`info`](crate::info()), it also works where no device can be used, and says what to do about it.
///
/// The example `doctor` prints it: `cargo run -p ptyx-examples --example doctor`.
///
/// ```
/// let diagnosis = ptyx::doctor();
/// println!("{diagnosis}");
/// assert!(diagnosis.to_string().contains("driver and devices"));
/// ```
pub fn doctor() -> Diagnosis {
    #[cfg(not(ptyx_device))]
    let diagnosis = examine();
    // Opaque: what comes after must stay reachable.
    #[cfg(ptyx_device)]
    let diagnosis = core::hint::black_box(Diagnosis::default());
    diagnosis
}

#[cfg(not(ptyx_device))]
fn examine() -> Diagnosis {
    use crate::settings;
    let mut found = Diagnosis::default();
    found.fact("Ptyx", format!("version {}", env!("CARGO_PKG_VERSION")));
    machine::examine(&mut found, std::path::Path::new("/"));
    variables::examine(&mut found, std::env::vars_os());
    device::examine(&mut found);
    tools(&mut found);
    cache(&mut found, settings::cache(&settings::environment).ok().flatten());
    kernels(&mut found);
    found
}

/// NVIDIA's programs for machine code.
#[cfg(not(ptyx_device))]
fn tools(found: &mut Diagnosis) {
    use crate::tools::Tool;
    const SECTION: &str = "NVIDIA's tools (only `CompiledKernel::sass` needs them)";
    for (name, tool) in
        [("ptxas", Tool::Ptxas), ("nvdisasm", Tool::Nvdisasm), ("cuobjdump", Tool::Cuobjdump)]
    {
        match tool.find() {
            Ok(Some(path)) => found.fact(SECTION, format!("{name}: {}", path.display())),
            Ok(None) => found.fact(SECTION, format!("{name}: not found")),
            Err(error) => {
                found.fact(SECTION, format!("{name}: not found"));
                found.problem(error.to_string(), "correct the variable, or unset it");
            }
        }
    }
}

/// The machine code on disk.
#[cfg(not(ptyx_device))]
fn cache(found: &mut Diagnosis, folder: Option<crate::settings::CacheFolder>) {
    const SECTION: &str = "machine code on disk";
    let Some(folder) = folder else { return found.fact(SECTION, "off (PTYX_CACHE)") };
    let path = folder.folder.display();
    let (files, bytes) = crate::cache::size_of(&folder);
    let (used, limit) = (bytes >> 20, folder.limit >> 20);
    found.fact(SECTION, format!("{path}: {files} files, {used} of {limit} MiB"));
    if let Err(error) = crate::cache::try_to_write(&folder) {
        found.problem(
            format!("machine code can't be kept in {path}: {error}"),
            "without it, each process assembles its kernels: make the folder writable, or name another one in PTYX_CACHE",
        );
    }
}

/// The program's kernels.
#[cfg(not(ptyx_device))]
fn kernels(found: &mut Diagnosis) {
    const SECTION: &str = "kernels in this program";
    let program = crate::launch::registry::summary();
    let packages = program.packages.join(", ");
    found.fact(SECTION, format!("{}, of [{packages}]", program.kernels));
    if !program.archs.is_empty() {
        found.fact(SECTION, format!("code: {}", program.archs.join(", ")));
    }
    for problem in program.problems {
        let hint =
            "build the program again; if it was stripped or packed, keep the section `ptyx_images`";
        found.problem(format!("kernels that can't be used: {problem}"), hint);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::CacheFolder;
    use std::fs;

    #[test]
    fn facts_come_by_section_and_problems_last() {
        let mut found = Diagnosis::default();
        found.fact("a", "1");
        found.fact("a", "2");
        found.fact("b", "3");
        assert_eq!(found.to_string(), "a\n  1\n  2\nb\n  3\nno problems found\n");
        found.problem("it is off", "switch it on");
        let text = found.to_string();
        assert!(
            text.ends_with("problem: it is off\n  hint: switch it on\n1 problem found\n"),
            "{text}"
        );
        assert!(!found.is_healthy());
    }

    /// Wherever the tests run, a device works: a GPU's, or the emulated one.
    #[test]
    fn a_device_is_found_and_works() {
        let found = doctor();
        let text = found.to_string();
        assert!(text.contains("device 0: ") && text.contains("a kernel ran"), "{text}");
        assert!(text.contains("kernels in this program"), "{text}");
        assert!(!text.contains("does not work"), "{text}");
    }

    #[test]
    fn a_folder_that_cant_be_written_is_a_problem() {
        let root = std::env::temp_dir().join(format!("ptyx-doctor-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        let examine = |folder: std::path::PathBuf| {
            let mut found = Diagnosis::default();
            cache(&mut found, Some(CacheFolder { folder, limit: 1 << 30 }));
            found
        };
        let right = examine(root.join("new/folder"));
        assert!(right.is_healthy(), "{right}");
        assert!(right.to_string().contains("0 files, 0 of 1024 MiB"), "{right}");
        fs::write(root.join("file"), b"").unwrap();
        let wrong = examine(root.join("file/below"));
        assert_eq!(wrong.problems().len(), 1, "{wrong}");
        assert!(wrong.problems()[0].hint.contains("PTYX_CACHE"), "{wrong}");
        fs::remove_dir_all(&root).unwrap();
    }
}
