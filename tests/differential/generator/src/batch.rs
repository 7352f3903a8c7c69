//! Batches: which programs one crate holds, chosen by environment variables.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use crate::{Rng, program};

/// A program to make: a seed, and the parts to cut out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spec {
    /// The seed.
    pub seed: u64,
    /// Numbers of parts.
    pub cuts: BTreeSet<usize>,
}

impl Spec {
    /// Reads `seed` or `seed:3,5,7`.
    pub fn parse(text: &str) -> Option<Spec> {
        let (seed, cuts) = text.split_once(':').unwrap_or((text, ""));
        let cuts = cuts.split(',').filter(|cut| !cut.is_empty());
        Some(Spec {
            seed: seed.parse().ok()?,
            cuts: cuts.map(|cut| cut.parse().ok()).collect::<Option<_>>()?,
        })
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cuts: Vec<String> = self.cuts.iter().map(ToString::to_string).collect();
        write!(f, "{}{}{}", self.seed, if cuts.is_empty() { "" } else { ":" }, cuts.join(","))
    }
}

/// The programs of one crate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// What to make.
    pub specs: Vec<Spec>,
}

impl Batch {
    /// The variables that say what a batch is.
    pub const VARIABLES: [&str; 3] = ["PTYX_PROGRAMS", "PTYX_PROGRAMS_SEED", "PTYX_PROGRAMS_COUNT"];

    /// The variable with which the build script compiles no kernels.
    pub const HOST_ONLY: &str = "PTYX_PROGRAMS_HOST_ONLY";

    /// The batch that the environment asks for: a list of programs (`PTYX_PROGRAMS=seed:cuts;..`,
    /// or `PTYX_PROGRAMS=@path` of a file with such a list), or `PTYX_PROGRAMS_COUNT` of them from
    /// `PTYX_PROGRAMS_SEED`; `count` from seed 1 if it asks for nothing.
    ///
    /// # Errors
    /// The variable or file that can't be read.
    pub fn from_environment(
        variable: impl Fn(&str) -> Option<String>,
        count: usize,
    ) -> Result<Batch, String> {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let bad = |name: &str, value: &str| format!("{name}={value} can't be read");
        if let Some(list) = variable(Self::VARIABLES[0]) {
            let text = match list.strip_prefix('@') {
                Some(path) => {
                    std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?
                }
                None => list.clone(),
            };
            let specs = text.split(';').map(Spec::parse).collect::<Option<Vec<Spec>>>();
            return Ok(Batch { specs: specs.ok_or_else(|| bad(Self::VARIABLES[0], &list))? });
        }
        let number = |name: &str, default: u64| match variable(name) {
            Some(value) => value.parse().map_err(|_| bad(name, &value)),
            None => Ok(default),
        };
        let seed = number(Self::VARIABLES[1], 1)?;
        let count = number(Self::VARIABLES[2], count as u64)?;
        Ok(Batch::from_seed(seed, count as usize))
    }

    /// `count` programs from one seed.
    pub fn from_seed(seed: u64, count: usize) -> Batch {
        let mut rng = Rng::new(seed);
        let specs = (0..count).map(|_| Spec { seed: rng.next_u64(), cuts: BTreeSet::new() });
        Batch { specs: specs.collect() }
    }

    /// The source of all programs and the table of them.
    pub fn source(&self) -> String {
        let mut text = String::new();
        for (index, spec) in self.specs.iter().enumerate() {
            text += &program(spec.seed, &spec.cuts, &format!("p{index}")).source;
        }
        text += "/// Every program.\npub const PROGRAMS: &[Entry] = &[\n";
        for (index, spec) in self.specs.iter().enumerate() {
            let _ = writeln!(text, "Entry::of::<p{index}::P>(\"{spec}\"),");
        }
        text + "];\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_read_back() {
        for text in ["7", "18446744073709551615:0,12,400"] {
            assert_eq!(Spec::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "x", "1:2,y", "-1"] {
            assert_eq!(Spec::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_environment_says_what() {
        let batch = |set: &[(&str, &str)]| {
            let find = |name: &str| {
                let found = set.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            Batch::from_environment(find, 3)
        };
        assert_eq!(batch(&[]).unwrap(), Batch::from_seed(1, 3));
        let named = [("PTYX_PROGRAMS_SEED", "9"), ("PTYX_PROGRAMS_COUNT", "2")];
        assert_eq!(batch(&named).unwrap(), Batch::from_seed(9, 2));
        assert_eq!(batch(&[("PTYX_PROGRAMS", "5:1;6")]).unwrap().specs.len(), 2);
        assert!(batch(&[("PTYX_PROGRAMS_COUNT", "many")]).unwrap_err().contains("many"));
    }
}
