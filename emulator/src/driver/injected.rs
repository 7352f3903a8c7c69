//! Calls that are made to fail, and what is alive: for tests of programs' error handling.

use super::code::{Code, Outcome, answer};
use super::state::{lock, memory};
use crate::inject::{FORM, Rule};
use crate::memory::Memory;
use crate::settings::{BadSetting, settings};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

/// Whether calls are counted.
static COUNTS: AtomicBool = AtomicBool::new(false);
static CALLS: Mutex<Option<Calls>> = Mutex::new(None);

/// The calls so far.
struct Calls {
    rules: Vec<Rule>,
    /// All, in order.
    made: Vec<&'static str>,
    of_function: HashMap<&'static str, u64>,
    /// Those that a rule made fail.
    failed: Vec<&'static str>,
}

impl Calls {
    fn new(rules: Vec<Rule>) -> Calls {
        Calls { rules, made: Vec::new(), of_function: HashMap::new(), failed: Vec::new() }
    }

    /// Counts a call; the code with which it is to fail.
    fn count(&mut self, symbol: &'static str) -> Option<Code> {
        self.made.push(symbol);
        let of_function = self.of_function.entry(symbol).or_default();
        *of_function += 1;
        let (all, own) = (self.made.len() as u64, *of_function);
        let fails = |rule: &&Rule| {
            rule.is_about(symbol) && rule.fails(if rule.is_about_all() { all } else { own })
        };
        let code = self.rules.iter().find(fails)?.code;
        self.failed.push(symbol);
        Some(Code(code))
    }
}

/// Runs a driver function's body, unless the call is to fail. What explains errors never does.
///
/// One function for all bodies: a copy for each of them took longer to compile than the interpreter of some instructions.
pub(super) fn call(symbol: &'static str, body: &dyn Fn() -> Outcome) -> Code {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(|| {
        // The environment's rules.
        let rules = &settings().fail;
        if !rules.is_empty() {
            set(Some(Calls::new(rules.clone())));
        }
    });
    if COUNTS.load(Ordering::Relaxed) && !matches!(symbol, "cuGetErrorName" | "cuGetErrorString") {
        let mut calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(code) = calls.as_mut().and_then(|calls| calls.count(symbol)) {
            return code;
        }
    }
    answer(body)
}

fn set(calls: Option<Calls>) -> Option<Calls> {
    let mut place = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
    COUNTS.store(calls.is_some(), Ordering::Relaxed);
    std::mem::replace(&mut *place, calls)
}

/// Makes driver calls of this process fail, counted from now on, by rules as in `PTYX_EMULATOR_FAIL`; without rules
/// the calls are only counted. They are counted until [`calls_made`].
///
/// # Errors
/// A rule that makes no sense.
pub fn fail_calls(rules: &str) -> Result<(), BadSetting> {
    let read = if rules.is_empty() { Some(Vec::new()) } else { Rule::read_all(rules) };
    let bad = || BadSetting { variable: "fail_calls", value: rules.to_owned(), choices: FORM };
    set(Some(Calls::new(read.ok_or_else(bad)?)));
    Ok(())
}

/// Ends [`fail_calls`]: the symbols of the functions that were called since, in order, and those that failed by a
/// rule.
pub fn calls_made() -> (Vec<&'static str>, Vec<&'static str>) {
    set(None).map_or_else(Default::default, |calls| (calls.made, calls.failed))
}

/// How many of the driver's objects exist, on all devices: what a program has made and not given back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Live {
    /// Allocations of device memory, without modules' variables, and ranges of reserved addresses.
    pub allocations: usize,
    /// Bytes of memory that devices have in use.
    pub bytes: u64,
    /// Allocations of host memory.
    pub host_allocations: usize,
    /// Streams.
    pub streams: usize,
    /// Events.
    pub events: usize,
    /// Modules.
    pub modules: usize,
    /// Memory pools, but for those that devices have.
    pub pools: usize,
    /// CUDA arrays, with levels.
    pub arrays: usize,
    /// Textures and surfaces.
    pub objects: usize,
    /// Memory and semaphores of other libraries.
    pub external: usize,
    /// Memory of other processes that was opened.
    pub opened: usize,
    /// Linkers.
    pub linkers: usize,
    /// Graphs, and those that can be launched.
    pub graphs: usize,
}

/// Forks by `fork`, or does anything else, while no thread of the emulated device holds its lock: so a child can call [`live`].
pub fn during_fork<R>(fork: impl FnOnce() -> R) -> R {
    let _held = lock();
    fork()
}

/// Counts the objects that exist.
pub fn live() -> Live {
    let state = lock();
    let memories = (0..settings().devices).map(memory);
    let (mut allocations, mut bytes) = (0, 0);
    for table in memories.map(Memory::read) {
        allocations += table.device_allocations().len();
        bytes += table.used();
    }
    Live {
        allocations: allocations + state.virtual_memory.count(),
        bytes,
        host_allocations: state.host.len(),
        streams: state.streams.len(),
        events: state.events.len(),
        modules: state.modules.len(),
        pools: state.pools.count(),
        arrays: state.arrays.len(),
        objects: state.objects.len(),
        external: state.external.len() + state.semaphores.len(),
        opened: state.opened.len(),
        linkers: state.linkers.len(),
        graphs: state.graphs.count(),
    }
}
