//! Divides test programs into three parts, 0 to 2. Their build scripts include this file by `#[path]`; a module with
//! `#[cfg(part = "1")]` is in part 1. Only the part that `PTYX_TEST_PART` names is compiled, or the whole program without that
//! variable. `.ci/run` sets it to a part that the commit chooses. `ptyx_test_support::part!` does the same for one test.

/// Sets `cfg(part)` for the part that `PTYX_TEST_PART` names, or for all of them.
pub(crate) fn choose() {
    const PARTS: [&str; 3] = ["0", "1", "2"];
    println!("cargo::rerun-if-env-changed=PTYX_TEST_PART");
    println!("cargo::rustc-check-cfg=cfg(part, values(\"0\", \"1\", \"2\"))");
    let chosen = std::env::var("PTYX_TEST_PART").unwrap_or_default();
    let is_one = PARTS.contains(&chosen.as_str());
    for part in PARTS.iter().filter(|part| !is_one || chosen == **part) {
        println!("cargo::rustc-cfg=part=\"{part}\"");
    }
}
