//! Every driver call of a scenario fails: once, from then on, or each call of its function. The caller gets a typed error, or
//! the call did not matter; nothing panics, hangs or leaks, and the next run of the scenario finds everything as it was.
//!
//! A sample by a seed that a failure shows; all with `PTYX_TEST_ALL=1`.

mod others;
mod scenarios;
mod shared;

use super::environment::{child_of, is_child};
use super::*;
use crate::Error;
use ptyx_device::random::{Philox4x32, Random as _};
use ptyx_emulator::driver::{Live, calls_made, fail_calls, live};
use std::time::{Duration, Instant};

/// What a part of a program is called, and what it does.
type Scenario = (&'static str, fn() -> crate::Result<()>);

/// Of a hundred cases, how many are tried unless all are.
const TRIED: u32 = 25;

/// Runs a scenario on a thread of its own, whose default stream is given back.
fn run(scenario: fn() -> crate::Result<()>) -> crate::Result<()> {
    let (done, result) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || done.send(scenario()).unwrap());
    let result =
        result.recv_timeout(Duration::from_secs(60)).expect("it panicked, or does not end");
    thread.join().unwrap();
    result
}

/// Which calls fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The call of a number.
    Once,
    /// That one and all later ones: also those that give back what there is.
    FromThenOn,
    /// Each call of a function.
    Function,
}

/// What exists beyond `before`, but for objects that failed calls did not give back. Pools are never destroyed.
fn leaks(name: &str, before: Live, failed: &[&str]) -> Option<String> {
    let now = live();
    let counts = |live: Live| {
        // But for the bytes: pools keep what was freed.
        let Live { allocations, bytes: _, host_allocations, streams, events, modules, .. } = live;
        let Live { pools, arrays, objects, external, opened, linkers, graphs, .. } = live;
        [
            [allocations, host_allocations, streams, events, modules, pools],
            [arrays, objects, external, opened, linkers, graphs],
        ]
        .concat()
    };
    let more: Vec<usize> = counts(now)
        .iter()
        .zip(counts(before))
        .map(|(now, before)| now.saturating_sub(before))
        .collect();
    let gives_back = ["Free", "Destroy", "Unload", "Unregister", "Release", "cuCtxSetCurrent"];
    let failed_calls = failed.len();
    let of_call = |failed: &&str| match *failed {
        // The memory, and the addresses at which it is still mapped; the array, and its memory.
        "cuMemUnmap" | "cuArrayDestroy" => 2,
        // The array, its level, and its memory.
        "cuMipmappedArrayDestroy" => 3,
        // The memory, and its pool, which is in use forever.
        "cuMemFreeAsync" if name.starts_with("pools") => 2,
        // A pool of which nobody knows whether it is in use is not used again.
        "cuMemPoolGetAttribute" => 1,
        // A default stream that may be busy is not used again; each new one is kept.
        "cuStreamQuery" if failed_calls > 1 => 1,
        // A capture that can't be ended. One failure is not the end: it is tried again.
        // With the memory that its graph allocates.
        "cuStreamEndCapture" if failed_calls > 1 && name == "memory of captures" => 2,
        "cuStreamEndCapture" if failed_calls > 1 => 1,
        _ if !gives_back.iter().any(|part| failed.contains(part)) => 0,
        // A graph has its own memory, and the graph of which it was instantiated.
        _ if failed.contains("Graph") && name == "memory of captures" => 4,
        _ if failed.contains("Graph") => 2,
        _ => 1,
    };
    let remembered = match name {
        // As many streams before a static looks which are done: default streams of threads that have ended.
        "statics" | "captured copies and statics" => 17,
        // Pools that other processes could have, or to which another device was given access, are never used again.
        "pools" | "other devices" => 2,
        "pools of other processes" => 4,
        _ => 0,
    };
    let allowed: usize = remembered + failed.iter().map(of_call).sum::<usize>();
    (more.iter().sum::<usize>() > allowed).then(|| format!("{before:?} became {now:?}"))
}

/// Makes calls of a scenario fail; those that `is_tried` chooses. How many were tried.
fn sweep(
    name: &str,
    scenario: fn() -> crate::Result<()>,
    mut is_tried: impl FnMut() -> bool,
) -> usize {
    for _ in 0..2 {
        run(scenario).unwrap();
    }
    fail_calls("").unwrap();
    run(scenario).unwrap();
    let (calls, _) = calls_made();
    // Allocations name their pool (`memory::pool`).
    assert!(!calls.contains(&"cuMemAllocAsync"), "{name}");
    let mut tried = 0;
    for (index, symbol) in calls.iter().enumerate() {
        let is_first = !calls[..index].contains(symbol);
        for mode in [Mode::Once, Mode::FromThenOn, Mode::Function] {
            if mode == Mode::Function && !is_first || !is_tried() {
                continue;
            }
            let code = match index % 3 {
                0 => "CUDA_ERROR_OUT_OF_MEMORY",
                1 => "CUDA_ERROR_UNKNOWN",
                _ => "CUDA_ERROR_NOT_SUPPORTED",
            };
            let rule = match mode {
                Mode::Once => format!("*:{}={code}", index + 1),
                Mode::FromThenOn => format!("*:{}+={code}", index + 1),
                Mode::Function => format!("{symbol}={code}"),
            };
            fails(name, scenario, mode, &rule);
            tried += 1;
        }
    }
    tried
}

/// Runs a scenario whose calls fail, twice.
fn fails(name: &str, scenario: fn() -> crate::Result<()>, mode: Mode, rule: &str) {
    // The first time, a default stream may be replaced by another, which is kept for later threads.
    let mut before = None;
    for _ in 0..2 {
        fail_calls(rule).unwrap();
        let result = run(scenario);
        let (_, failed) = calls_made();
        let place = format!("{name}: {rule}: {failed:?}");
        assert!(mode != Mode::Once || failed.len() <= 1, "{place}");
        match &result {
            Ok(()) => {}
            Err(Error::OutOfMemory { .. } | Error::OutOfHostMemory { .. }) => {}
            Err(Error::Assembler { .. }) => {}
            Err(Error::Driver { call, .. }) => {
                assert!(failed.iter().any(|failed| failed.starts_with(call)), "{place}: {call}");
            }
            Err(other) => panic!("{place}: {other}"),
        }
        if let Err(error) = run(scenario) {
            panic!("{place}: the next run fails: {error}");
        }
        // What a stream still used is given back by a thread of Ptyx.
        let leak = || before.and_then(|before| leaks(name, before, &failed));
        let deadline = Instant::now() + Duration::from_secs(10);
        while let Some(leak) = leak() {
            assert!(Instant::now() < deadline, "{place}: {leak} ({result:?})");
            std::thread::sleep(Duration::from_millis(1));
        }
        before = Some(live());
    }
}

#[test]
fn every_call_can_fail() {
    if !is_child() {
        // Each call's work at once: what exists is counted after each run.
        let seed = ptyx_test_support::seed().to_string();
        let variables = [
            ("PTYX_DEVICE", "emulator"),
            ("PTYX_EMULATOR_DEVICES", "2"),
            ("PTYX_EMULATOR_ASYNC", "0"),
            ("PTYX_TEST_SEED", &seed),
        ];
        let text = child_of("sweep", "every_call_can_fail", &variables);
        assert!(text.contains("calls failed"), "{text}");
        return;
    }
    kernels();
    let all = std::env::var_os("PTYX_TEST_ALL").is_some();
    let seed: u64 = std::env::var("PTYX_TEST_SEED").unwrap().parse().unwrap();
    let mut rng = Philox4x32::at(seed, 0, 0);
    let mut is_tried = || all || rng.next_u32() % 100 < TRIED;
    let only = std::env::var("PTYX_TEST_ONLY").unwrap_or_default();
    let all = scenarios::SCENARIOS.iter().chain(others::SCENARIOS).chain(shared::SCENARIOS);
    let chosen = all.filter(|(name, _)| name.contains(&only));
    let counts: Vec<usize> =
        chosen.map(|&(name, scenario)| sweep(name, scenario, &mut is_tried)).collect();
    assert!(!only.is_empty() || counts.iter().sum::<usize>() >= 100, "{counts:?}");
    eprintln!("{counts:?} calls failed");
}

/// The first calls of a process, which choose the driver and make contexts and assemble kernels.
#[test]
fn the_first_calls_can_fail() {
    if !is_child() {
        for number in 1..=40 {
            let rule = format!("*:{number}=CUDA_ERROR_UNKNOWN");
            let variables = [("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_FAIL", rule.as_str())];
            let text = child_of("sweep", "the_first_calls_can_fail", &variables);
            assert!(text.contains("ended: "), "{rule}: {text}");
        }
        return;
    }
    kernels();
    eprintln!("ended: {:?}", run(scenarios::SCENARIOS[1].1).map_err(|error| error.to_string()));
}

/// The same with a folder for machine code, which is empty or has the kernels' already. What failed leaves a folder with which
/// the next process runs.
#[test]
fn the_first_calls_can_fail_with_a_cache() {
    let folder = std::env::temp_dir().join(format!("ptyx-sweep-cache-{}", std::process::id()));
    let process = |rule: &str| {
        let mut variables =
            vec![("PTYX_DEVICE", "emulator"), ("PTYX_CACHE", folder.to_str().unwrap())];
        variables.extend((!rule.is_empty()).then_some(("PTYX_EMULATOR_FAIL", rule)));
        child_of("sweep", "the_first_calls_can_fail", &variables)
    };
    let mut errors = 0;
    for is_filled in [false, true] {
        for number in (1..=60).step_by(2) {
            let _ = std::fs::remove_dir_all(&folder);
            if is_filled {
                assert!(process("").contains("ended: Ok"));
                assert!(std::fs::read_dir(&folder).unwrap().next().is_some());
            }
            let code = ["UNKNOWN", "OUT_OF_MEMORY", "INVALID_IMAGE"][number % 3];
            let rule = format!("*:{number}=CUDA_ERROR_{code}");
            let text = process(&rule);
            assert!(text.contains("ended: "), "{rule}, filled: {is_filled}: {text}");
            errors += usize::from(text.contains("ended: Err"));
            let text = process("");
            assert!(text.contains("ended: Ok"), "after {rule}, filled: {is_filled}: {text}");
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    // Calls of the cache don't matter; others do.
    assert!((5..50).contains(&errors), "{errors}");
}
