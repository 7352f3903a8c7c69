//! D12: clocks, pauses, where threads run.

use ptyx::device::clock;
use ptyx::prelude::*;
use ptyx_tests::alone;
use ptyx_tests::images::{count, entry};

#[kernel]
fn readings(pause: u32, mut out: Disjoint<[u64; 7]>) {
    if let Some(out) = out.get_mut(thread::index_1d()) {
        let (cycles, time) = (clock::cycles(), clock::nanoseconds());
        let low = clock::cycles_32();
        clock::sleep(pause);
        // Within the longer interval, so that it is no longer than that.
        let low = clock::cycles_32().wrapping_sub(low);
        *out = [
            clock::cycles().wrapping_sub(cycles),
            low.into(),
            clock::nanoseconds().wrapping_sub(time),
            u64::from(clock::multiprocessor()) << 32 | u64::from(clock::multiprocessors()),
            clock::hardware_warp().into(),
            clock::grid(),
            clock::hardware_warps().into(),
        ];
        clock::profiler_event::<3>();
        clock::profiler_events::<0b1001>();
    }
}

#[test]
fn clocks_advance() {
    let mut out = DeviceBuffer::zeroed(256).unwrap();
    launch!(readings<<<4, 64>>>(100_000, &mut out)).unwrap();
    let first = out.to_vec().unwrap();
    launch!(readings<<<4, 64>>>(0, &mut out)).unwrap();
    let second = out.to_vec().unwrap();
    // A pause may end at once, but not for every thread; no reading is a second after another.
    assert!(first.iter().any(|[cycles, ..]| *cycles > 1000), "{first:?}");
    assert!(first.iter().any(|[_, low, ..]| *low > 1000), "{first:?}");
    assert!(first.iter().any(|[_, _, time, ..]| *time > 1000), "{first:?}");
    for [cycles, low, time, place, warp, _, warps] in first.iter().chain(&second) {
        assert!(*cycles > 0 && *cycles < 10_000_000_000, "{cycles} cycles");
        assert!(*low <= *cycles, "{low} and {cycles} cycles");
        assert!(*time < 10_000_000_000, "{time} nanoseconds");
        let (number, all) = (place >> 32, place & 0xffff_ffff);
        assert!(number < all, "multiprocessor {number} of {all}");
        assert!(*warp < *warps && *warps <= 64, "warp {warp} of {warps}");
    }
    // One number for all threads of a launch, another for the next launch.
    assert!(first.iter().all(|values| values[5] == first[0][5]));
    assert!(second.iter().all(|values| values[5] == second[0][5]));
    assert_ne!(first[0][5], second[0][5]);
    let ptx = entry("clocks::readings");
    assert!(ptx.contains("pmevent 3;") && ptx.contains("pmevent.mask 9;"), "{ptx}");
}

#[kernel]
fn stops(x: &[u32], mut out: Disjoint<u32>) {
    let i = thread::index_1d();
    let x = x[i.get()];
    match x {
        1000 => clock::breakpoint(),
        2000 => clock::trap(),
        _ => {}
    }
    out[i] = x + 1;
}

/// A trap ends the launch with an error that says that the kernel failed. The device is then lost for the process.
#[test]
fn a_trap_is_a_fault() {
    alone("clocks::a_trap_is_a_fault", || {
        let x = DeviceBuffer::from_slice(&[2000u32; 32]).unwrap();
        let mut out = DeviceBuffer::zeroed(32).unwrap();
        launch!(stops<<<1, 32>>>(&x, &mut out)).unwrap();
        let error = Stream::default().unwrap().synchronize().unwrap_err();
        assert!(matches!(error, ptyx::Error::Fault { .. }), "{error:?}");
    });
}

/// So does a breakpoint, if there is no debugger.
#[test]
fn a_breakpoint_is_a_fault() {
    alone("clocks::a_breakpoint_is_a_fault", || {
        let x = DeviceBuffer::from_slice(&[1000u32; 32]).unwrap();
        let mut out = DeviceBuffer::zeroed(32).unwrap();
        launch!(stops<<<1, 32>>>(&x, &mut out)).unwrap();
        let error = Stream::default().unwrap().synchronize().unwrap_err();
        assert!(matches!(error, ptyx::Error::Fault { .. }), "{error:?}");
    });
}

/// Neither happens: what a GPU does then depends on whether a debugger is there, and the context would be lost.
#[test]
fn stops_are_instructions() {
    let x: Vec<u32> = (0..64).collect();
    let mut out = DeviceBuffer::zeroed(64).unwrap();
    launch!(stops<<<1, 64>>>(&DeviceBuffer::from_slice(&x).unwrap(), &mut out)).unwrap();
    assert_eq!(out.to_vec().unwrap(), (1..65).collect::<Vec<u32>>());
    let ptx = entry("clocks::stops");
    assert_eq!((count(&ptx, "brkpt"), count(&ptx, "trap")), (1, 1), "{ptx}");
}
