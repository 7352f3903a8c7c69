//! Names that are no architecture.
// once: `sm_81`
// once: `compute_90`

fn main() {}
//@ file: build.rs
fn main() {
    ptyx_compiler::Build::new().targets(["sm_81", "sm_80", "compute_90"]).run()
}
