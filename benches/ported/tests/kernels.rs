//! Every form of every kernel gives the host's result, on input that differs from run to run.

use ptyx_benches::quality::tools::Tools;
use ptyx_ported::twins::Twins;
use ptyx_ported::{CUDA_SOURCE, KERNELS, Run};
use std::path::Path;

#[test]
fn every_form_is_right() {
    let seed = ptyx_test_support::seed();
    let tools = Tools::find().filter(Tools::has_compiler);
    let twins = tools.as_ref().map(|tools| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(CUDA_SOURCE);
        Twins::load(&tools.compile_to_ptx(&source, 90).unwrap()).unwrap()
    });
    if twins.is_none() {
        println!("SKIPPED: the CUDA C++ twins: no nvcc");
    }
    let only = std::env::var("PTYX_ONLY").ok();
    let failed: Vec<String> = KERNELS
        .iter()
        .filter(|(name, _)| only.as_ref().is_none_or(|only| only == name))
        .filter_map(|(name, run)| {
            let error = run(&mut Run::new(seed, false, false, twins.as_ref())).err()?;
            Some(format!("{name}: {error}"))
        })
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
}
