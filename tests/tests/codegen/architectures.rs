//! Which architectures kernels are compiled for, and what is left of branches on them.

use ptyx::prelude::*;
use ptyx_tests::images::{self, count};

#[kernel]
fn nothing_new(mut out: Disjoint<u32>) {
    out[thread::index_1d()] = warp::reduce(thread::x(), |a, b| a + b);
}

#[kernel]
fn always_new(mut out: Disjoint<u32>) {
    out[thread::index_1d()] = warp::reduce_add(u32::MAX, thread::x());
}

fn sum(value: u32) -> u32 {
    if arch_at_least!(80) {
        warp::reduce_add(u32::MAX, value)
    } else {
        warp::reduce(value, |a, b| a + b)
    }
}

#[kernel]
fn either(mut out: Disjoint<u32>) {
    out[thread::index_1d()] = sum(thread::x());
}

/// Each group asks for itself.
#[kernel]
fn by_tile(mut out: Disjoint<u32>) {
    out[thread::index_1d()] = group::tile::<8>().reduce_add(thread::x());
}

#[kernel]
fn several(mut out: Disjoint<u32>) {
    let i = thread::index_1d();
    if arch_is!("sm_90a") {
        out[i] = 901;
    } else if arch_at_least!(90) {
        out[i] = 900;
    } else {
        out[i] = [700, 700][usize::from(arch_at_least!(75))];
    }
}

/// Dead for every architecture.
#[kernel]
fn never<const NEW: bool>(mut out: Disjoint<u32>) {
    let i = thread::index_1d();
    out[i] = if NEW { warp::reduce_add(u32::MAX, 1) } else { 1 };
}

/// The architecture and PTX of each code of the kernel of this name.
fn codes(name: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for image in images::images() {
        for kernel in image.kernels.iter().filter(|kernel| kernel.name.ends_with(name)) {
            for code in &kernel.code {
                let ptx = image.modules[code.module as usize].ptx.clone();
                let (major, minor) = (code.ptx_version / 10, code.ptx_version % 10);
                assert!(ptx.starts_with(&format!(".version {major}.{minor}\n")), "{ptx}");
                assert!(ptx.contains(&format!(".target {}\n", code.arch)), "{ptx}");
                found.push((code.arch.to_string(), ptx));
            }
        }
    }
    found
}

fn archs(name: &str) -> Vec<String> {
    codes(name).into_iter().map(|(arch, _)| arch).collect()
}

#[test]
fn each_kernel_has_the_code_that_it_asks_for() {
    let mut out = DeviceBuffer::zeroed(32).unwrap();
    launch!(nothing_new<<<1, 32>>>(&mut out)).unwrap();
    launch!(always_new<<<1, 32>>>(&mut out)).unwrap();
    launch!(either<<<1, 32>>>(&mut out)).unwrap();
    assert_eq!(out.to_vec().unwrap(), [496; 32]);
    launch!(never::<false><<<1, 32>>>(&mut out)).unwrap();
    launch!(several<<<1, 32>>>(&mut out)).unwrap();

    assert_eq!(archs("architectures::nothing_new"), ["sm_70"]);
    assert_eq!(archs("architectures::always_new"), ["sm_80"]);
    assert_eq!(archs("architectures::never<false>"), ["sm_70"], "dead code needs nothing");

    let codes = codes("architectures::either");
    let [(old, old_ptx), (new, new_ptx)] = &codes[..] else { panic!("{codes:?}") };
    assert_eq!((old.as_str(), new.as_str()), ("sm_70", "sm_80"));
    assert_eq!(count(old_ptx, "redux.sync"), 0, "{old_ptx}");
    assert_eq!(count(old_ptx, "shfl.sync.bfly"), 5, "{old_ptx}");
    assert_eq!(count(new_ptx, "redux.sync.add"), 1, "{new_ptx}");
    assert_eq!(count(new_ptx, "shfl.sync"), 0, "{new_ptx}");
    for (_, ptx) in &codes {
        assert!(!ptx.contains("__ptyx_arch"), "{ptx}");
    }
}

#[test]
fn equal_code_is_kept_once() {
    let values = |ptx: &str| -> Vec<u32> {
        let all = [700, 900, 901];
        all.into_iter().filter(|value| ptx.contains(&format!(", {value};"))).collect()
    };
    let found: Vec<(String, Vec<u32>)> = codes("architectures::several")
        .into_iter()
        .map(|(arch, ptx)| (arch, values(&ptx)))
        .collect();
    // The code for sm_75 is that for sm_70.
    let expected = [("sm_70", 700), ("sm_90", 900), ("sm_90a", 901)]
        .map(|(arch, v)| (arch.to_owned(), vec![v]));
    assert_eq!(found, expected);
}

/// The assembler takes code for one architecture, too.
#[test]
fn special_code_assembles() {
    let Some(ptxas) = images::assembler() else { return };
    for (arch, ptx) in codes("architectures::several") {
        let number: u32 = arch.trim_start_matches("sm_").trim_end_matches('a').parse().unwrap();
        let known = if arch.ends_with('a') { vec![] } else { vec![number.max(75), 100, 120] };
        assert_eq!(images::assemble(&ptxas, &ptx, &known), None, "{ptx}");
        if arch.ends_with('a') {
            assert_eq!(images::assemble_for(&ptxas, &ptx, &arch), None, "{ptx}");
            assert!(images::assemble_for(&ptxas, &ptx, "sm_100").is_some());
        }
    }
}

/// The sum of a group is one instruction where there is one, else shuffles.
#[test]
fn groups_take_the_best_reduction() {
    let mut out = DeviceBuffer::zeroed(32).unwrap();
    launch!(by_tile<<<1, 32>>>(&mut out)).unwrap();
    let want: Vec<u32> = (0..32).map(|i| (i / 8 * 8..i / 8 * 8 + 8).sum()).collect();
    assert_eq!(out.to_vec().unwrap(), want);
    let codes = codes("architectures::by_tile");
    let counts: Vec<_> = codes
        .iter()
        .map(|(arch, ptx)| (arch.as_str(), count(ptx, "redux.sync.add"), count(ptx, "shfl.sync")))
        .collect();
    assert_eq!(counts, [("sm_70", 0, 3), ("sm_80", 1, 0)]);
}
