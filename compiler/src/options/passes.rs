//! Which of the optional passes run: all, unless some are switched off to find one that miscompiles.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// A pass without which kernels do the same, usually more slowly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) enum Pass {
    /// `optimise/allow_contraction.rs`
    Contraction,
    /// `optimise/join_iterations.rs`
    Iterations,
    /// `optimise/narrow_indices.rs`
    Indices,
    /// `optimise/answer_fills.rs`
    Fills,
    /// LLVM's jump threading, which it leaves out for NVPTX.
    Threading,
    /// `optimise/explain_loops/`
    Loops,
    /// LLVM's `constraint-elimination` before O3, for what `Loops` says.
    Bounds,
    /// `optimise/weaken_loads/`
    Weaken,
    /// `optimise/prove_checks/`, `optimise/hoist_loads.rs`
    Prove,
    /// `optimise/version_loops.rs`
    Version,
    /// `optimise/step_addresses.rs`
    Steps,
    /// `optimise/unroll_checked_loops.rs`, `optimise/unroll_known_loops.rs`, `optimise/group_iterations.rs`
    Unroll,
    /// `optimise/unroll_remainders.rs`
    Remainders,
    /// `optimise/make_private_atomics_plain.rs`
    Private,
    /// `optimise/reuse_loads.rs`
    Reuse,
    /// `optimise/load_nearby.rs`
    Nearby,
    /// `optimise/decide_checks.rs`
    Decide,
    /// `optimise/narrow_divisions.rs`
    Divisions,
    /// `optimise/narrow_words.rs`
    Narrow,
    /// `optimise/split_cold_ends.rs`
    Cold,
    /// The marks of unrolled loops for NVIDIA's assembler, in `optimise/unroll_checked_loops.rs`.
    KeepUnrolled,
    /// `optimise/join_checks/`
    Checks,
    /// `optimise/join_checks/lift.rs`
    Lift,
    /// In `optimise/join_checks/ahead.rs`, that checks are also made ahead of relaxed stores.
    Stores,
    /// `optimise/load_early.rs`
    Early,
    /// `optimise/convert_floats.rs`
    Conversions,
    /// `optimise/rejoin_panics/`
    Rejoin,
}

/// The passes by name, in the order in which they run.
pub(crate) const PASSES: [(&str, Pass); 27] = [
    ("contraction", Pass::Contraction),
    ("iterations", Pass::Iterations),
    ("indices", Pass::Indices),
    ("fills", Pass::Fills),
    ("threading", Pass::Threading),
    ("loops", Pass::Loops),
    ("bounds", Pass::Bounds),
    ("weaken", Pass::Weaken),
    ("prove", Pass::Prove),
    ("version", Pass::Version),
    ("steps", Pass::Steps),
    ("unroll", Pass::Unroll),
    ("remainders", Pass::Remainders),
    ("private", Pass::Private),
    ("reuse", Pass::Reuse),
    ("nearby", Pass::Nearby),
    ("decide", Pass::Decide),
    ("divisions", Pass::Divisions),
    ("narrow", Pass::Narrow),
    ("cold", Pass::Cold),
    ("keep-unrolled", Pass::KeepUnrolled),
    ("checks", Pass::Checks),
    ("lift", Pass::Lift),
    ("stores", Pass::Stores),
    ("early", Pass::Early),
    ("conversions", Pass::Conversions),
    ("rejoin", Pass::Rejoin),
];

/// What switches all of them.
const ALL: &str = "all";

/// The passes that are switched off.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Passes {
    off: BTreeSet<Pass>,
}

impl Passes {
    /// Whether a pass runs.
    pub(crate) fn run(&self, pass: Pass) -> bool {
        !self.off.contains(&pass)
    }

    /// Switches passes: `-name` off, `+name` on, with commas between; [`ALL`] stands for all of them.
    ///
    /// # Errors
    /// The invalid items of the list; the others still take effect.
    pub(crate) fn switch(&mut self, list: &str) -> Result<(), Vec<String>> {
        let mut unknown = Vec::new();
        for item in list.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let (name, on) = match (item.strip_prefix('-'), item.strip_prefix('+')) {
                (Some(name), _) => (name, false),
                (_, Some(name)) => (name, true),
                _ => (item, false),
            };
            let mut named =
                PASSES.iter().filter(|(known, _)| *known == name || name == ALL).peekable();
            if item == name || named.peek().is_none() {
                unknown.push(item.to_owned());
                continue;
            }
            named.for_each(|(_, pass)| match on {
                true => drop(self.off.remove(pass)),
                false => drop(self.off.insert(*pass)),
            });
        }
        if unknown.is_empty() { Ok(()) } else { Err(unknown) }
    }
}

/// What to say of items that [`Passes::switch`] does not know.
pub(crate) fn unknown_passes(unknown: &[String]) -> Vec<String> {
    let names: Vec<String> = PASSES.iter().map(|(name, _)| format!("`{name}`")).collect();
    let message = |item: &String| {
        format!(
            "`{item}` is not a pass switch: write `-name` to switch one off, or `+name`; the \
             names are {}, and `{ALL}` for all of them",
            names.join(", ")
        )
    };
    unknown.iter().map(message).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The passes that run after `list` is applied.
    fn running(list: &str) -> Vec<&'static str> {
        let mut passes = Passes::default();
        passes.switch(list).unwrap();
        PASSES.iter().filter(|(_, pass)| passes.run(*pass)).map(|(name, _)| *name).collect()
    }

    #[test]
    fn each_name_switches_its_pass_alone() {
        let all: Vec<&str> = PASSES.iter().map(|(name, _)| *name).collect();
        assert_eq!(running(""), all);
        for name in &all {
            let others: Vec<&str> = all.iter().copied().filter(|other| other != name).collect();
            assert_eq!(running(&format!("-{name}")), others);
            assert_eq!(running(&format!("-{name}, +{name}")), all);
        }
        assert_eq!(running("-checks,-loops").len(), all.len() - 2);
        assert_eq!(running("-all"), [""; 0]);
        assert_eq!(running("-all,+cold"), ["cold"]);
        assert_eq!(running("-cold,+all"), all);
    }

    #[test]
    fn every_pass_has_one_name() {
        let passes: BTreeSet<Pass> = PASSES.iter().map(|(_, pass)| *pass).collect();
        let names: BTreeSet<&str> = PASSES.iter().map(|(name, _)| *name).collect();
        assert_eq!((passes.len(), names.len()), (PASSES.len(), PASSES.len()));
    }

    /// The documentation has a row for each, in the order of the passes.
    #[test]
    fn every_pass_is_documented() {
        let table = include_str!("../../../docs/passes.md");
        let rows = table.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
        let documented: Vec<&str> = rows.map(|(name, _)| name).collect();
        let names: Vec<&str> = PASSES.iter().map(|(name, _)| *name).collect();
        assert_eq!(documented, names);
    }

    #[test]
    fn what_is_no_switch_is_named() {
        let unknown = Passes::default().switch("-check,checks,all,-cold,+").unwrap_err();
        assert_eq!(unknown, ["-check", "checks", "all", "+"]);
        let text = unknown_passes(&unknown).join("\n");
        assert!(
            text.contains("`-check` is not a pass switch") && text.contains("`keep-unrolled`"),
            "{text}"
        );
    }
}
