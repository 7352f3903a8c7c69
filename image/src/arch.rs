//! Architectures: the `.target` of PTX, and which devices run it.

use core::fmt;
use core::str::FromStr;
use serde::{Deserialize, Serialize};

/// Which features a `.target` gives access to (PTX ISA, "PTX Module Directives: .target").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Features {
    /// Those of every later architecture, too: no suffix.
    Portable,
    /// Those of one family of architectures: the suffix `f`.
    Family,
    /// Those of one architecture alone: the suffix `a`.
    Exact,
}

/// An architecture, such as `sm_90a`.
///
/// The order is that of a loader's choice: of those that run on a device, the greatest is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Arch {
    /// The features.
    pub features: Features,
    /// The compute capability, times ten.
    pub sm: u32,
}

use Features::{Exact, Family, Portable};

/// Every architecture that PTX can be made for, with the PTX version that introduced it, times ten
/// (PTX ISA, "Release Notes"); `compiler` has a test that asks LLVM. Before `sm_70` the threads of a
/// warp could not wait for each other, which Rust's control flow relies on.
#[rustfmt::skip]
const KNOWN: &[(u32, Features, u32)] = &[
    (70, Portable, 60), (72, Portable, 61), (75, Portable, 63),
    (80, Portable, 70), (86, Portable, 71), (87, Portable, 74), (88, Portable, 90), (89, Portable, 78),
    (90, Portable, 78), (90, Exact, 80),
    (100, Portable, 86), (100, Exact, 86), (100, Family, 88),
    (101, Portable, 86), (101, Exact, 86), (101, Family, 88),
    (103, Portable, 88), (103, Exact, 88), (103, Family, 88),
    (110, Portable, 90), (110, Exact, 90), (110, Family, 90),
    (120, Portable, 87), (120, Exact, 87), (120, Family, 88),
    (121, Portable, 88), (121, Exact, 88), (121, Family, 88),
];

impl Arch {
    /// The architecture of kernels that need nothing newer: the oldest one with threads that can
    /// wait for each other.
    pub const BASE: Arch = Arch { features: Portable, sm: 70 };

    /// An architecture without a suffix.
    pub const fn portable(sm: u32) -> Arch {
        Arch { features: Portable, sm }
    }

    /// Every architecture that PTX can be made for, by number.
    pub fn all() -> impl Iterator<Item = Arch> {
        KNOWN.iter().map(|&(sm, features, _)| Arch { features, sm })
    }

    /// The oldest portable architecture that is at least `sm`.
    pub fn at_least(sm: u32) -> Option<Arch> {
        Arch::all().find(|arch| arch.features == Portable && arch.sm >= sm)
    }

    /// Whether PTX can be made for it.
    pub fn is_known(self) -> bool {
        Arch::all().any(|arch| arch == self)
    }

    /// The PTX version that it needs, times ten.
    pub fn ptx_version(self) -> u32 {
        let row = KNOWN.iter().find(|&&(sm, features, _)| Arch { features, sm } == self);
        row.map_or(0, |&(.., version)| version)
    }

    /// Architectures of one family have its number: the compute capability's first digits.
    fn family(self) -> u32 {
        // PTX ISA: sm_101 (later called sm_110) is no member of the family of sm_100.
        if self.sm == 101 { 101 } else { self.sm / 10 }
    }

    /// Whether everything that PTX for `other` may use is there in PTX for `self`.
    pub fn provides(self, other: Arch) -> bool {
        match other.features {
            Portable => self.sm >= other.sm,
            Family => {
                self.features != Portable && self.family() == other.family() && self.sm >= other.sm
            }
            Exact => self == other,
        }
    }

    /// Whether a device of compute capability `capability` (times ten) runs PTX for it.
    pub fn runs_on(self, capability: u32) -> bool {
        Arch { features: Exact, sm: capability }.provides(self)
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match self.features {
            Portable => "",
            Family => "f",
            Exact => "a",
        };
        write!(f, "sm_{}{suffix}", self.sm)
    }
}

impl FromStr for Arch {
    type Err = UnknownArch;

    fn from_str(name: &str) -> Result<Arch, UnknownArch> {
        Arch::all()
            .find(|arch| arch.to_string() == name)
            .ok_or_else(|| UnknownArch { name: name.to_owned() })
    }
}

/// A name that is not an architecture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is not an architecture that PTX can target; the architectures are {}", names())]
pub struct UnknownArch {
    /// The name.
    pub name: String,
}

fn names() -> String {
    Arch::all().map(|arch| arch.to_string()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arch(name: &str) -> Arch {
        name.parse().unwrap()
    }

    #[test]
    fn names_go_both_ways() {
        for known in Arch::all() {
            assert_eq!(arch(&known.to_string()), known);
            assert!(known.ptx_version() >= 60, "{known}");
        }
        for unknown in ["sm_61", "sm_90f", "sm_85", "90", "sm_", "sm_90A", "", "sm_122"] {
            let text = unknown.parse::<Arch>().unwrap_err().to_string();
            assert!(text.contains("sm_75") && text.contains("sm_121f"), "{text}");
        }
    }

    /// PTX ISA, ".target": the tables of what runs where.
    #[test]
    fn devices_run_what_they_should() {
        let runs = |name: &str| -> Vec<u32> {
            let devices = [70, 75, 80, 86, 90, 100, 101, 103, 110, 120, 121];
            devices.into_iter().filter(|&device| arch(name).runs_on(device)).collect()
        };
        assert_eq!(runs("sm_86"), [86, 90, 100, 101, 103, 110, 120, 121]);
        assert_eq!(runs("sm_90a"), [90]);
        assert_eq!(runs("sm_100a"), [100]);
        assert_eq!(runs("sm_100f"), [100, 103]);
        assert_eq!(runs("sm_103f"), [103]);
        assert_eq!(runs("sm_101f"), [101]);
        assert_eq!(runs("sm_120f"), [120, 121]);
        assert_eq!(runs("sm_121"), [121]);
    }

    #[test]
    fn features_that_code_may_use() {
        let provides = |of: &str, what: &str| arch(of).provides(arch(what));
        assert!(provides("sm_90a", "sm_80") && provides("sm_90a", "sm_90a"));
        assert!(!provides("sm_90", "sm_90a") && !provides("sm_100a", "sm_90a"));
        assert!(provides("sm_103f", "sm_100f") && provides("sm_103a", "sm_100f"));
        assert!(!provides("sm_103", "sm_100f") && !provides("sm_100f", "sm_103f"));
        assert!(!provides("sm_110a", "sm_100f"));
    }

    #[test]
    fn the_greatest_is_the_best() {
        let best = |names: &[&str]| names.iter().map(|name| arch(name)).max().unwrap().to_string();
        assert_eq!(best(&["sm_80", "sm_90", "sm_75"]), "sm_90");
        assert_eq!(best(&["sm_103", "sm_100f"]), "sm_100f");
        assert_eq!(best(&["sm_120a", "sm_120f", "sm_120"]), "sm_120a");
    }

    #[test]
    fn numbers_between_round_up() {
        assert_eq!(Arch::at_least(81), Some(arch("sm_86")));
        assert_eq!(Arch::at_least(90), Some(arch("sm_90")));
        assert_eq!(Arch::at_least(122), None);
    }
}
