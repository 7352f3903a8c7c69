//! Every kernel of the comparison gives the host's result, on input that differs from run to run.

use ptyx_benches::{KERNELS, Run};

#[test]
fn every_kernel_is_right() {
    let seed = ptyx_test_support::seed();
    let failed: Vec<String> = KERNELS
        .iter()
        .filter_map(|(name, _, run)| {
            let error = run(&mut Run::new(seed, false)).err()?;
            Some(format!("{name}: {error}"))
        })
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
}
