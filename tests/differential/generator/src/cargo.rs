//! Compiles and runs batches with cargo, and finds out which program of a batch is at fault.

use ptyx_program_generator::{Batch, Spec, program};
use std::collections::BTreeMap;
use std::io;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU64, Ordering};

/// How programs are compiled, and how far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mode {
    pub(crate) release: bool,
    /// Whether programs are only checked, on the host.
    pub(crate) check: bool,
    /// Whether the compiler's optional passes run.
    pub(crate) passes: bool,
}

/// What is wrong with a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// rustc does not take it: a mistake of the generator.
    Rejected,
    /// It is valid, and its kernel can't be compiled, or running it ends the process.
    Broken,
    /// Host and device differ, or its launch failed.
    Different,
}

/// A program with a fault.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) spec: Spec,
    pub(crate) fault: Fault,
    /// Its source and what is known.
    pub(crate) report: String,
}

impl Mode {
    /// Compiles and runs programs; gives those that fail. One that spoils the batch for the others
    /// is found and left out, so that all others run.
    ///
    /// # Errors
    /// What went wrong that is no program's fault.
    pub(crate) fn test(self, specs: &[Spec]) -> Result<Vec<Failure>, String> {
        self.test_with_passes(specs, if self.passes { "" } else { "-all" })
    }

    /// The same with some optional passes of the compiler switched, as `PTYX_PASSES` has it.
    pub(crate) fn test_with_passes(
        self,
        specs: &[Spec],
        passes: &str,
    ) -> Result<Vec<Failure>, String> {
        if specs.is_empty() {
            return Ok(Vec::new());
        }
        if self.check {
            return Ok(self.rejected(specs)?.0);
        }
        let arguments: &[&str] = if self.release { &["--release"] } else { &[] };
        let variables = [("PTYX_PASSES", passes)];
        let variables = if passes.is_empty() { &[][..] } else { &variables };
        let output = cargo("test", specs, arguments, &["--", "--nocapture"], variables)?;
        let log = String::from_utf8_lossy(&output.stdout).into_owned();
        let named = |prefix| -> Vec<Spec> {
            log.lines()
                .filter_map(|line| line.strip_prefix(prefix))
                .filter_map(Spec::parse)
                .collect()
        };
        let mut failures: Vec<Failure> = named("MISMATCH ")
            .into_iter()
            .map(|spec| Failure { report: report_of(&log, &spec), spec, fault: Fault::Different })
            .collect();
        if output.status.success() {
            return Ok(failures);
        }
        if !failures.is_empty() {
            // A launch that failed leaves the device unusable: the others need another process.
            failures.extend(self.test_with_passes(&named("NOT RUN "), passes)?);
            return Ok(failures);
        }
        let log = log + &String::from_utf8_lossy(&output.stderr);
        let (rejected, valid) = self.rejected(specs)?;
        if !rejected.is_empty() {
            failures.extend(rejected);
            failures.extend(self.test_with_passes(&valid, passes)?);
        } else if let [spec] = specs {
            let source = program(spec.seed, &spec.cuts, "p0").source;
            let report = format!("{source}\n{log}BROKEN {spec}\n");
            failures.push(Failure { spec: spec.clone(), fault: Fault::Broken, report });
        } else {
            let (first, second) = specs.split_at(specs.len() / 2);
            failures.extend(self.test_with_passes(first, passes)?);
            failures.extend(self.test_with_passes(second, passes)?);
        }
        Ok(failures)
    }

    /// The programs that rustc does not take, and the others.
    fn rejected(self, specs: &[Spec]) -> Result<(Vec<Failure>, Vec<Spec>), String> {
        let mut valid = specs.to_vec();
        let mut failures = Vec::new();
        // rustc stops behind the phase that found errors: later phases may find more.
        while !valid.is_empty() {
            let arguments = ["--message-format", "short"];
            let output = cargo("check", &valid, &arguments, &[], &[(Batch::HOST_ONLY, "1")])?;
            if output.status.success() {
                break;
            }
            let log = String::from_utf8_lossy(&output.stderr);
            let source = Batch { specs: valid.clone() }.source();
            let errors = errors_by_program(&log, &source);
            if errors.is_empty() {
                return Err(format!("no program is at fault:\n{log}"));
            }
            for (&index, errors) in &errors {
                let spec = &valid[index];
                let text = program(spec.seed, &spec.cuts, &format!("p{index}")).source;
                let report = format!("{text}\n{}REJECTED {spec}\n", errors.concat());
                failures.push(Failure { spec: spec.clone(), fault: Fault::Rejected, report });
            }
            let rest = valid.into_iter().enumerate().filter(|(at, _)| !errors.contains_key(at));
            valid = rest.map(|(_, spec)| spec).collect();
        }
        Ok((failures, valid))
    }
}

/// What the test program printed about a program that differs: what stands before its last line.
fn report_of(log: &str, spec: &Spec) -> String {
    let end = format!("MISMATCH {spec}\n");
    let before = log.split(&end).next().unwrap_or(log);
    let start = before.rfind("\nMISMATCH ").map_or(0, |at| at + 1);
    let own = &before[start..];
    // The last line of the one before.
    let own = if start > 0 { own.split_once('\n').map_or(own, |(_, own)| own) } else { own };
    format!("{}\n{end}", own.trim_matches('\n'))
}

/// rustc's errors in its short form, `path:line:column: error..`, by the program that they are in;
/// lines are counted from the program's first.
fn errors_by_program(log: &str, source: &str) -> BTreeMap<usize, Vec<String>> {
    let starts: Vec<(usize, usize)> = source
        .lines()
        .enumerate()
        .filter_map(|(line, text)| {
            let index = text.strip_prefix("pub mod p")?.strip_suffix(" {")?;
            Some((line + 1, index.parse().ok()?))
        })
        .collect();
    let mut errors: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for text in log.lines() {
        let Some((_, rest)) = text.split_once("programs.rs:") else { continue };
        let Some((line, rest)) = rest.split_once(':') else { continue };
        let (Ok(line), true) = (line.parse::<usize>(), rest.contains(": error")) else { continue };
        let found = starts.iter().rev().find(|(start, _)| *start <= line);
        if let Some((start, index)) = found {
            let text = format!("line {}, column {rest}\n", line - start + 1);
            errors.entry(*index).or_default().push(text);
        }
    }
    errors
}

/// Runs `cargo <command>` for the test program with these programs in it.
fn cargo(
    command: &str,
    specs: &[Spec],
    arguments: &[&str],
    last: &[&str],
    variables: &[(&str, &str)],
) -> Result<Output, String> {
    // In a file, since a variable's length is limited; under a new name, so that cargo notices.
    static FILES: AtomicU64 = AtomicU64::new(0);
    let number = FILES.fetch_add(1, Ordering::Relaxed);
    let file = format!("ptyx-programs-{}-{number}", std::process::id());
    let file = std::env::temp_dir().join(file);
    let list: Vec<String> = specs.iter().map(ToString::to_string).collect();
    let error = |error: io::Error| format!("{}: {error}", file.display());
    std::fs::write(&file, list.join(";")).map_err(error)?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(&cargo)
        .args([command, "--quiet", "-p", "ptyx-differential", "--test", "programs"])
        // Built only so that cargo takes the compiler that `cargo test` has built: for build scripts alone, it would build
        // another one.
        .args(["-p", "ptyx-compiler", "--example", "contract"])
        .args(arguments)
        .args(last)
        .env_remove(Batch::HOST_ONLY)
        .env(Batch::VARIABLES[0], format!("@{}", file.display()))
        .envs(variables.iter().copied())
        .output();
    let _ = std::fs::remove_file(&file);
    output.map_err(|error| format!("{}: {error}", cargo.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_belong_to_programs() {
        let source = "pub mod p0 {\nuse super::*;\n}\npub mod p1 {\nx\n}\n";
        let log = "out/programs.rs:5:1: error[E0425]: no `x`\n\
                   out/programs.rs:2:1: warning: unused\nerror: could not compile\n\
                   out/programs.rs:4:9: error: no module\n";
        let errors = errors_by_program(log, source);
        assert_eq!(errors.keys().copied().collect::<Vec<_>>(), [1]);
        assert_eq!(errors[&1][0], "line 2, column 1: error[E0425]: no `x`\n");
        assert_eq!(errors[&1].len(), 2);
    }

    #[test]
    fn reports_are_taken_apart() {
        let log = "pub mod p0 {}\nthread 1\nMISMATCH 7\n\npub mod p3 {}\nMISMATCH 8:1,2\n\nend\n";
        let report = |spec| report_of(log, &Spec::parse(spec).unwrap());
        assert_eq!(report("7"), "pub mod p0 {}\nthread 1\nMISMATCH 7\n");
        assert_eq!(report("8:1,2"), "pub mod p3 {}\nMISMATCH 8:1,2\n");
    }
}
