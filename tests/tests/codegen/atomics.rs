//! Orders and scopes of atomics, in the instructions.

use ptyx::device::atomic::{fence, orders::*, scopes::*};
use ptyx::prelude::*;
use ptyx_tests::images::{count, entry};

#[kernel]
fn relaxed_of_device(bins: Atomics<u32>, out: Atomics<u32>) {
    bins[0].fetch_add(1);
    out[0].store(bins[1].load());
    bins[2].compare_exchange(0, 5).unwrap_or(0);
}

#[kernel]
fn messages(flags: Atomics<u32>) {
    if flags[0].with(Acquire, Gpu).load() == 1 {
        flags[1].with(Release, Gpu).store(1);
    }
    if flags[2].with(Acquire, Block).load() == 1 {
        flags[3].with(Release, System).store(1);
    }
    if flags[4].with(AcqRel, Gpu).compare_exchange(0, 1).is_ok() {
        fence(AcqRel, Block);
    }
}

#[kernel]
fn ordered_updates(bins: Atomics<u32>) {
    bins[0].with(Release, Block).fetch_add(1);
    bins[1].with(AcqRel, System).fetch_add(1);
}

#[test]
fn orders_and_scopes_are_kept() {
    let mut bins = DeviceBuffer::from_slice(&[0u32, 3, 0, 0, 0]).unwrap();
    let mut out = DeviceBuffer::zeroed(1).unwrap();
    launch!(relaxed_of_device<<<1, 1>>>(&mut bins, &mut out)).unwrap();
    assert_eq!(out.to_vec().unwrap(), [3]);
    assert_eq!(bins.to_vec().unwrap(), [1, 3, 5, 0, 0]);
    launch!(messages<<<1, 1>>>(&mut bins)).unwrap();
    assert_eq!(bins.to_vec().unwrap(), [1, 1, 5, 0, 1]);
    launch!(ordered_updates<<<1, 1>>>(&mut bins)).unwrap();
    assert_eq!(bins.to_vec().unwrap(), [2, 2, 5, 0, 1]);

    let ptx = entry("atomics::relaxed_of_device");
    for part in ["ld.relaxed.gpu.global", "st.relaxed.gpu.global", "atom.relaxed.gpu.global.cas"] {
        assert_eq!(count(&ptx, part), 1, "{part}: {ptx}");
    }
    assert_eq!(count(&ptx, ".sys") + count(&ptx, "fence") + count(&ptx, "acq"), 0, "{ptx}");

    let ptx = entry("atomics::messages");
    for part in [
        "ld.acquire.gpu.global",
        "st.release.gpu.global",
        "ld.acquire.cta.global",
        "st.release.sys.global",
        "atom.acq_rel.gpu.global.cas",
        "fence.acq_rel.cta",
    ] {
        assert_eq!(count(&ptx, part), 1, "{part}: {ptx}");
    }

    // LLVM has no ordered updates for PTX: they are made with fences of their scopes.
    let ptx = entry("atomics::ordered_updates");
    assert_eq!(count(&ptx, "fence.acq_rel.cta"), 1, "{ptx}");
    assert_eq!(count(&ptx, "fence.acq_rel.sys"), 2, "{ptx}");
    assert_eq!(count(&ptx, "fence"), 3, "{ptx}");
}
