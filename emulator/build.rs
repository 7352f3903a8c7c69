//! Tells the interpreter whether it was optimised: it is some eighty times slower if not, and so must be
//! its idea of how much work is too much.

fn main() {
    // No file: the package with the unit tests has this script, too.
    println!("cargo::rerun-if-changed=Cargo.toml");
    println!("cargo::rustc-check-cfg=cfg(unoptimised)");
    if std::env::var("OPT_LEVEL").is_ok_and(|level| level == "0") {
        println!("cargo::rustc-cfg=unoptimised");
    }
}
