//! What instructions require of the hardware and of the PTX version.
//!
//! An instruction's needs are kept in a comment before its inline PTX, so that they can be read again
//! once dead code is gone.

use std::collections::BTreeSet;

use ptyx_image::{Arch, Features, KernelKnobs};

use super::Goal;
use crate::llvm::Module;
use crate::report::Diagnostic;

/// The least architecture and PTX version (70 for 7.0) that an instruction needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Needs {
    pub(crate) arch: Arch,
    pub(crate) ptx: u32,
}

/// What all instructions of a kernel need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AllNeeds {
    archs: BTreeSet<Arch>,
    pub(crate) ptx: u32,
}

/// What `.reqnctapercluster` needs (PTX ISA, "Cluster Dimension Directives").
const CLUSTERS: Needs = Needs { arch: Arch::portable(90), ptx: 78 };

/// The PTX versions that LLVM can emit, times ten.
const PTX_VERSIONS: [std::ops::RangeInclusive<u32>; 4] = [60..=65, 70..=78, 80..=88, 90..=90];

/// What a comment with needs begins with, and what is between its parts.
const COMMENT: &str = "// needs ";
const SEPARATOR: &str = ", PTX version ";

impl Needs {
    /// What every architecture that Ptyx compiles for has.
    pub(crate) const NOTHING: Needs = Needs { arch: Arch::portable(0), ptx: 0 };

    /// The template with a comment that says what it needs, if it needs anything.
    pub(super) fn noted(self, template: &str) -> String {
        match self == Needs::NOTHING {
            true => template.to_owned(),
            false => format!("{COMMENT}{}{SEPARATOR}{}\n{template}", self.arch, self.ptx),
        }
    }

    /// What such a comment says.
    fn of_template(template: &str) -> Option<Needs> {
        let (first, _) = template.split_once('\n')?;
        let (arch, ptx) = first.strip_prefix(COMMENT)?.split_once(SEPARATOR)?;
        Some(Needs { arch: parse(arch)?, ptx: ptx.parse().ok()? })
    }

    /// Whether this is more than the goal has.
    pub(super) fn exceed(self, goal: Goal) -> bool {
        matches!(goal, Goal::Asked(arch) if !arch.provides(self.arch))
    }
}

/// An architecture by its name, or of any number without a suffix.
fn parse(name: &str) -> Option<Arch> {
    name.parse().ok().or_else(|| Some(Arch::portable(name.strip_prefix("sm_")?.parse().ok()?)))
}

/// An architecture by its name. One without a suffix need not exist: a later one has what it has.
pub(super) fn arch(name: &str) -> Result<Arch, String> {
    let number = name.strip_prefix("sm_").and_then(|number| number.parse().ok());
    let arch = match number {
        Some(sm) => Arch::at_least(sm).map(|_| Arch::portable(sm)),
        None => name.parse().ok().filter(|arch: &Arch| arch.features != Features::Portable),
    };
    arch.ok_or_else(|| {
        let known: Vec<String> = Arch::all().map(|arch| arch.to_string()).collect();
        format!("no architecture `{name}` is known; they are {}", known.join(", "))
    })
}

/// A version of PTX, `7.0` or `70`, times ten.
pub(super) fn ptx_version(text: &str) -> Result<u32, String> {
    let version = text.replace('.', "").parse().unwrap_or(0);
    let is_known = PTX_VERSIONS.iter().any(|range| range.contains(&version));
    is_known
        .then_some(version)
        .ok_or_else(|| format!("this LLVM can't emit PTX {}.{}", version / 10, version % 10))
}

impl AllNeeds {
    /// Raises it to what an instruction needs, too.
    pub(super) fn raise(&mut self, needs: Needs) {
        self.archs.insert(needs.arch);
        self.ptx = self.ptx.max(needs.ptx);
    }

    /// Raises them to what the directives of a kernel's attribute need.
    ///
    /// # Errors
    /// If that is more than the goal has.
    pub(crate) fn raise_to_knobs(
        &mut self,
        knobs: &KernelKnobs,
        goal: Goal,
    ) -> Result<(), Diagnostic> {
        if knobs.cluster.is_none() {
            return Ok(());
        }
        if CLUSTERS.exceed(goal) {
            return Err(Diagnostic::new(format!(
                "`#[kernel(cluster = ..)]` needs {}, but the kernel is compiled for {}",
                CLUSTERS.arch,
                goal.arch()
            )));
        }
        self.raise(CLUSTERS);
        Ok(())
    }

    /// What the module's instructions need. After optimisation, dead code is gone and needs nothing.
    pub(crate) fn of_module(module: &Module<'_>) -> AllNeeds {
        let mut needs = AllNeeds::default();
        for function in module.functions() {
            for call in function.instructions().into_iter().filter(|i| i.is_call()) {
                if call.callee().is_inline_asm()
                    && let Some(of_call) = Needs::of_template(&call.callee().asm_template())
                {
                    needs.raise(of_call);
                }
            }
        }
        needs
    }

    /// The oldest architecture for a goal that has all of it, if there is one.
    pub(crate) fn oldest(&self, goal: Goal) -> Option<Arch> {
        match goal {
            Goal::Asked(arch) => Some(arch),
            Goal::From(base) => Arch::all()
                .filter(|arch| arch.provides(base))
                .filter(|arch| self.archs.iter().all(|&needed| arch.provides(needed)))
                .min_by_key(|arch| (arch.features, arch.sm)),
        }
    }

    /// The architectures that it names.
    pub(crate) fn names(&self) -> String {
        let names: Vec<_> = self.archs.iter().map(Arch::to_string).collect();
        names.join(" and ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arch(name: &str) -> Arch {
        name.parse().unwrap()
    }

    fn oldest(base: &str, needed: &[&str]) -> Option<String> {
        let mut needs = AllNeeds::default();
        needed.iter().for_each(|name| needs.raise(Needs { arch: parse(name).unwrap(), ptx: 0 }));
        needs.oldest(Goal::From(arch(base))).map(|arch| arch.to_string())
    }

    #[test]
    fn needs_travel_in_a_comment() {
        for (name, ptx) in [("sm_90a", 80), ("sm_100f", 88), ("sm_85", 0)] {
            let needs = Needs { arch: parse(name).unwrap(), ptx };
            assert_eq!(Needs::of_template(&needs.noted("exit;")), Some(needs));
        }
        assert_eq!(Needs::NOTHING.noted("exit;"), "exit;");
        assert_eq!(Needs::of_template("exit;"), None);
    }

    #[test]
    fn the_oldest_architecture_with_everything() {
        assert_eq!(oldest("sm_70", &[]).as_deref(), Some("sm_70"));
        assert_eq!(oldest("sm_70", &["sm_80", "sm_75"]).as_deref(), Some("sm_80"));
        assert_eq!(oldest("sm_70", &["sm_81"]).as_deref(), Some("sm_86"));
        assert_eq!(oldest("sm_70", &["sm_90a", "sm_80"]).as_deref(), Some("sm_90a"));
        assert_eq!(oldest("sm_70", &["sm_100f", "sm_103"]).as_deref(), Some("sm_103f"));
        assert_eq!(oldest("sm_70", &["sm_90a", "sm_100"]), None);
        assert_eq!(oldest("sm_90a", &["sm_100"]), None);
        assert_eq!(oldest("sm_80", &["sm_75"]).as_deref(), Some("sm_80"));
    }

    #[test]
    fn needs_that_exist() {
        assert_eq!(super::arch("sm_85"), Ok(Arch::portable(85)));
        assert!(super::arch("sm_95a").is_err() && super::arch("sm_500").is_err());
        assert_eq!((ptx_version("70"), ptx_version("8.0")), (Ok(70), Ok(80)));
        assert!(ptx_version("79").is_err() && ptx_version("9.1").is_err());
    }

    #[test]
    fn who_asked_for_less() {
        let needs = Needs { arch: arch("sm_90a"), ptx: 80 };
        assert!(needs.exceed(Goal::Asked(arch("sm_100"))) && !needs.exceed(Goal::From(Arch::BASE)));
        assert!(!needs.exceed(Goal::Asked(arch("sm_90a"))));
    }
}
