//! The directives that knobs become.

use ptyx::prelude::*;
use ptyx_tests::images;

#[kernel]
fn knobbed(out: Atomics<u32>) {
    out[0].fetch_add(1);
}

/// The PTX of the variant of [`knobbed`] with this entry name.
fn variant(entry: &str) -> String {
    let kernels = ptyx::compiled_kernels().unwrap();
    let found = kernels.iter().find(|kernel| kernel.entry == entry);
    found.unwrap_or_else(|| panic!("no `{entry}` among {kernels:?}")).ptx.clone()
}

const DIRECTIVES: [&str; 4] = [".maxntid", ".reqntid", ".minnctapersm", ".maxnreg"];

#[test]
fn every_knob_is_its_directive() {
    let mut out = DeviceBuffer::zeroed(1).unwrap();
    launch!(knobbed<<<1, 42>>>(&mut out)).unwrap();
    launch!(knobbed<<<1, 42>>>(&mut out), maxthreads = 42, alias = "with_maxthreads").unwrap();
    launch!(knobbed<<<1, 42>>>(&mut out), minthreads = 42, alias = "with_minthreads").unwrap();
    launch!(knobbed<<<1, 42>>>(&mut out), maxthreads = 64, blocks_per_sm = 42, alias = "blocks")
        .unwrap();
    launch!(knobbed<<<1, 42>>>(&mut out), maxregs = 42, alias = "with_registers").unwrap();
    launch!(knobbed<<<1, (3, 4, 5)>>>(&mut out), maxthreads = (3, 4, 5), alias = "in_three")
        .unwrap();
    assert_eq!(out.to_vec().unwrap(), [5 * 42 + 60]);

    for (entry, directives) in [
        ("with_maxthreads", &[".maxntid 42, 1, 1"][..]),
        ("with_minthreads", &[".reqntid 42, 1, 1"]),
        ("blocks", &[".maxntid 64, 1, 1", ".minnctapersm 42"]),
        ("with_registers", &[".maxnreg 42"]),
        ("in_three", &[".maxntid 3, 4, 5"]),
    ] {
        let ptx = variant(entry);
        let found: Vec<&str> = ptx
            .lines()
            .map(str::trim)
            .filter(|line| DIRECTIVES.iter().any(|directive| line.starts_with(directive)))
            .collect();
        assert_eq!(found, directives, "{ptx}");
        assert!(ptx.contains(&format!(".entry {entry}(")), "{ptx}");
        if let Some(ptxas) = images::assembler() {
            assert_eq!(images::assemble(&ptxas, &ptx, &[90]), None, "{ptx}");
        }
    }
    // None by default: neither in this kernel nor in any other of this program.
    for image in images::images() {
        for module in &image.modules {
            for directive in DIRECTIVES {
                assert!(!module.ptx.contains(directive), "{}", module.ptx);
            }
        }
    }
}
