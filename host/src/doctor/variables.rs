//! Environment variables: those of Ptyx, and those of CUDA that change what Ptyx finds.

use super::Diagnosis;
use crate::settings;
use std::ffi::OsString;

const SECTION: &str = "environment variables";

/// Every variable of Ptyx that a user may set: the table of the README.
const KNOWN: [&str; 28] = [
    "PTYX_CACHE",
    "PTYX_CACHE_SIZE",
    "PTYX_CUOBJDUMP",
    "PTYX_DEBUG",
    "PTYX_DEBUG_INFO",
    "PTYX_DEVICE",
    "PTYX_DUMP",
    "PTYX_EMULATOR_ASYNC",
    "PTYX_EMULATOR_CAPABILITY",
    "PTYX_EMULATOR_DEVICES",
    "PTYX_EMULATOR_FAIL",
    "PTYX_EMULATOR_PEER_ACCESS",
    "PTYX_EMULATOR_SEED",
    "PTYX_EMULATOR_STEPS",
    "PTYX_EMULATOR_STICKY_ERRORS",
    "PTYX_EMULATOR_THREADS",
    "PTYX_EMULATOR_VECTORS",
    "PTYX_FMA",
    "PTYX_LIBDEVICE",
    "PTYX_LLVM_IR",
    "PTYX_MEMORY_LIMIT",
    "PTYX_NVDISASM",
    "PTYX_PASSES",
    "PTYX_PRINT_BUFFER",
    "PTYX_PTXAS",
    "PTYX_SEED",
    "PTYX_TARGETS",
    "PTYX_TRACE",
];

/// Of CUDA's own variables: what each does.
const OF_CUDA: [(&str, &str); 6] = [
    ("CUDA_VISIBLE_DEVICES", "which GPUs the driver shows, and in which order"),
    ("CUDA_DEVICE_ORDER", "how the driver numbers GPUs"),
    ("CUDA_LAUNCH_BLOCKING", "1: launches wait for their kernels"),
    ("CUDA_CACHE_DISABLE", "1: the driver keeps no assembled code"),
    ("CUDA_FORCE_PTX_JIT", "1: the driver assembles PTX even where it has machine code"),
    ("CUDA_MODULE_LOADING", "when the driver loads code"),
];

/// How many letters must be changed, added or removed, or swapped with their neighbours.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let changed = rows[i][j] + usize::from(x != y);
            let mut least = changed.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// The known variable that an unknown one probably means.
fn meant(name: &str) -> Option<&'static str> {
    let near = KNOWN.iter().map(|known| (distance(name, known), *known));
    near.filter(|(distance, _)| *distance <= 3).min().map(|(_, known)| known)
}

/// Reports these variables.
pub(super) fn examine(
    found: &mut Diagnosis,
    variables: impl Iterator<Item = (OsString, OsString)>,
) {
    let shown = variables.filter_map(|(name, value)| {
        Some((name.into_string().ok()?, value.to_string_lossy().into_owned()))
    });
    let mut all: Vec<(String, String)> = shown.collect();
    all.sort();
    let get = |name: &str| {
        let known = all.iter().find(|(known, _)| known == name);
        known.map(|(_, value)| OsString::from(value))
    };
    let before = found.facts.len();
    for (name, value) in &all {
        let about = OF_CUDA.iter().find(|(known, _)| known == name);
        if let Some((_, about)) = about {
            found.fact(SECTION, format!("{name}={value} ({about})"));
        }
        // cargo passes to programs that it runs what their build scripts have set.
        let is_ours = name == "PTYX_BUILD" || name.starts_with("PTYX_TEST_");
        if !name.starts_with("PTYX_") || is_ours {
            continue;
        }
        found.fact(SECTION, format!("{name}={value}"));
        if !KNOWN.contains(&name.as_str()) {
            let hint = match meant(name) {
                Some(known) => format!("probably {known} is meant"),
                None => "the README lists all variables".to_owned(),
            };
            found.problem(format!("Ptyx has no variable {name}, so it has no effect"), hint);
        }
    }
    if found.facts.len() == before {
        found.fact(SECTION, "none of Ptyx or CUDA is set");
    }
    if let Err(error) = settings::check(&get) {
        found.problem(error.to_string(), "correct the variable, or unset it");
    }
    if get("CUDA_VISIBLE_DEVICES").is_some_and(|value| value.is_empty() || value == "-1") {
        let hint = "unset it, or name GPUs as in CUDA_VISIBLE_DEVICES=0,1";
        found.problem("CUDA_VISIBLE_DEVICES hides every GPU", hint);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Diagnosis {
        let mut found = Diagnosis::default();
        examine(&mut found, variables.iter().map(|&(name, value)| (name.into(), value.into())));
        found
    }

    #[test]
    fn the_readme_names_the_same_variables() {
        let readme = include_str!("../../../README.md");
        let rows = readme.lines().filter(|line| line.starts_with("| `PTYX_"));
        let mut named: Vec<&str> = rows
            .flat_map(|row| row.split('|').nth(1).unwrap_or("").split('`').skip(1).step_by(2))
            .filter(|cell| cell.starts_with("PTYX_"))
            .map(|cell| cell.split('=').next().unwrap_or(""))
            .chain(["PTYX_SEED"])
            .collect();
        named.sort_unstable();
        named.dedup();
        assert_eq!(named, KNOWN);
    }

    #[test]
    fn right_variables_are_shown() {
        let found = of(&[("PTYX_TRACE", "1"), ("HOME", "/h"), ("CUDA_VISIBLE_DEVICES", "1,0")]);
        assert!(found.is_healthy(), "{found}");
        let text = found.to_string();
        assert!(
            text.contains("PTYX_TRACE=1\n") && text.contains("CUDA_VISIBLE_DEVICES=1,0 ("),
            "{text}"
        );
        assert!(!text.contains("/h"), "{text}");
        for ignored in [("HOME", "/h"), ("PTYX_BUILD", "/target"), ("PTYX_TEST_SEED", "7")] {
            let found = of(&[ignored]);
            assert!(found.is_healthy(), "{found}");
            assert!(found.to_string().contains("none of Ptyx or CUDA is set"), "{found}");
        }
    }

    #[test]
    fn unknown_names_and_wrong_values_are_problems() {
        for (name, known) in [
            ("PTYX_TRAEC", "PTYX_TRACE"),
            ("PTYX_DEVICES", "PTYX_DEVICE"),
            ("PTYX_CAHCE_SIZE", "PTYX_CACHE_SIZE"),
            ("PTYX_EMULATOR_THREAD", "PTYX_EMULATOR_THREADS"),
        ] {
            let found = of(&[(name, "1")]);
            let [problem] = found.problems() else { panic!("{name}: {found}") };
            assert!(problem.what.contains(name), "{found}");
            assert_eq!(problem.hint, format!("probably {known} is meant"));
        }
        let found = of(&[("PTYX_SOMETHING_ELSE", "")]);
        assert!(found.problems()[0].hint.contains("README"), "{found}");
        let found = of(&[("PTYX_TRACE", "yes")]);
        assert!(found.problems()[0].what.starts_with("PTYX_TRACE is `yes`"), "{found}");
        for value in ["", "-1"] {
            assert!(!of(&[("CUDA_VISIBLE_DEVICES", value)]).is_healthy());
        }
    }

    #[test]
    fn distances() {
        for (a, b, expected) in
            [("", "", 0), ("abc", "", 3), ("abc", "abd", 1), ("abc", "acb", 1), ("abcd", "bcd", 1)]
        {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }
}
