//! Names the optional pass of the compiler that makes a program fail.

use crate::cargo::{Failure, Fault, Mode};

/// The passes that can be switched off: `docs/passes.md`.
const PASSES: [&str; 27] = [
    "contraction",
    "iterations",
    "indices",
    "fills",
    "threading",
    "loops",
    "bounds",
    "weaken",
    "prove",
    "version",
    "steps",
    "unroll",
    "remainders",
    "private",
    "reuse",
    "nearby",
    "decide",
    "divisions",
    "narrow",
    "cold",
    "keep-unrolled",
    "checks",
    "lift",
    "stores",
    "early",
    "conversions",
    "rejoin",
];

/// Says without which passes a program no longer fails.
pub(crate) fn blame(failure: &Failure, mode: Mode) -> Result<String, String> {
    if mode.check || !mode.passes || failure.fault == Fault::Rejected {
        return Ok(String::new());
    }
    let fails = |without: &[&str]| -> Result<bool, String> {
        let list: Vec<String> = without.iter().map(|name| format!("-{name}")).collect();
        let found = mode.test_with_passes(std::slice::from_ref(&failure.spec), &list.join(","))?;
        Ok(found.iter().any(|found| found.fault == failure.fault))
    };
    describe(fails)
}

/// The same, by a function that tells whether the program fails without some passes.
fn describe(fails: impl Fn(&[&str]) -> Result<bool, String>) -> Result<String, String> {
    if fails(&PASSES)? {
        return Ok("PASSES it fails without any optional pass, too\n".to_owned());
    }
    let mut guilty = Vec::new();
    for name in PASSES {
        if !fails(&[name])? {
            guilty.push(format!("-{name}"));
        }
    }
    Ok(match guilty.is_empty() {
        true => "PASSES it fails without each of them, but not without all of them\n".to_owned(),
        false => format!("PASSES right with PTYX_PASSES={}\n", guilty.join(" or with ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_those_of_the_compiler() {
        let table = include_str!("../../../../docs/passes.md");
        let rows = table.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
        let names: Vec<&str> = rows.map(|(name, _)| name).collect();
        assert_eq!(names, PASSES);
    }

    #[test]
    fn the_pass_is_named() {
        let describe = |needs: &[&str]| {
            describe(|without| Ok(!without.iter().any(|name| needs.contains(name)))).unwrap()
        };
        assert_eq!(describe(&["checks"]), "PASSES right with PTYX_PASSES=-checks\n");
        let two = describe(&["loops", "bounds"]);
        assert_eq!(two, "PASSES right with PTYX_PASSES=-loops or with -bounds\n");
        assert!(describe(&[]).contains("without any"));
    }
}
