//! Parts of test programs, for build scripts (`#[path]`): a module with `#[cfg(part = "1")]` is in one of three parts.
//! `.ci/run` compiles and runs the part that `PTYX_TEST_PART` names, which the commit chooses. Without the variable, the
//! whole program is compiled. `ptyx_test_support::part!` does the same for one test.

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
