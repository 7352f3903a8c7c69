//! Who watches the driver's calls: the trace log, the checks of `PTYX_DEBUG`, profiles, and subscribers of `tracing` if
//! the feature of this name is on. Nobody does at first, and then a call costs one load more; with the feature, two.

use super::Driver;
use super::captures::alone;
use super::trace::{Record, Show, Value};
use super::types::*;
use core::sync::atomic::{AtomicU8, Ordering};
use std::sync::OnceLock;
use std::time::Instant;

/// Bits of [`WATCHED`].
const LINES: u8 = 1;
const WORK: u8 = 2;
const CHECKS: u8 = 4;
/// This is a child of a process that had used the driver, which must not be called. A watcher, so that a call costs nothing
/// for it.
const FORKED: u8 = 8;

/// Who watches.
static WATCHED: AtomicU8 = AtomicU8::new(0);

/// An argument: its name in the list of functions, and its value.
pub(crate) type Arg<'a> = (&'static str, &'a dyn Show);

/// A driver call that is watched.
pub(crate) struct Call<'a> {
    /// The function's name.
    pub(crate) name: &'static str,
    args: &'a [Arg<'a>],
}

impl Call<'_> {
    /// The argument of this name.
    pub(crate) fn value(&self, name: &str) -> Option<Value> {
        self.args.iter().find(|(known, _)| *known == name).map(|(_, arg)| arg.value())
    }

    /// The stream to which the call gives a kernel, a copy, a fill or a graph. Functions of the host are left out:
    /// they may wait for what their caller does next.
    fn stream_of_work(&self) -> Option<CUstream> {
        const WORK: [&str; 5] =
            ["cuLaunchKernel", "cuGraphLaunch", "cuMemcpy", "cuMemset", "cuMemPrefetch"];
        if !WORK.iter().any(|start| self.name.starts_with(start)) {
            return None;
        }
        match (self.value("stream"), self.value("config")) {
            (Some(Value::Stream(stream)), _) => Some(stream),
            (_, Some(Value::Launch(config))) => Some(config.stream),
            _ => None,
        }
    }

    /// The argument of this name, if it is a number.
    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        match self.value(name)? {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }
}

/// Sees each call of the process while it is switched on.
pub(crate) trait Watcher: Sync {
    /// Does the call by `run`, once, and returns its result.
    fn around(
        &self,
        driver: &Driver,
        call: &Call<'_>,
        run: &mut dyn FnMut() -> CUresult,
    ) -> CUresult;
}

/// The one that there is.
static WATCHER: OnceLock<&'static dyn Watcher> = OnceLock::new();

/// Whether anyone watches.
#[inline]
pub(super) fn is_on() -> bool {
    let watched = WATCHED.load(Ordering::Relaxed) != 0;
    #[cfg(feature = "tracing")]
    let watched =
        watched || tracing::level_filters::LevelFilter::current() >= tracing::Level::TRACE;
    watched
}

/// Whether a subscriber of `tracing` wants to know of calls.
fn has_subscriber() -> bool {
    #[cfg(feature = "tracing")]
    return tracing::enabled!(target: "ptyx::driver", tracing::Level::TRACE);
    #[cfg(not(feature = "tracing"))]
    false
}

/// What the environment switches on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Watch {
    /// Each call writes a line: `PTYX_TRACE`.
    pub(crate) trace: bool,
    /// Each call that submits work waits for it, and more checks elsewhere: `PTYX_DEBUG`.
    pub(crate) debug: bool,
}

/// Switches it on for the rest of the process.
pub(super) fn start(Watch { trace, debug }: Watch) {
    let (lines, checks) = (if trace { LINES } else { 0 }, if debug { CHECKS } else { 0 });
    WATCHED.fetch_or(lines | checks, Ordering::Relaxed);
}

/// Whether `PTYX_DEBUG` is on.
pub(crate) fn checks() -> bool {
    WATCHED.load(Ordering::Relaxed) & CHECKS != 0
}

/// From now on, each call is an error: this process is a child of one that has used the driver.
pub(crate) fn forbid_calls() {
    WATCHED.fetch_or(FORKED, Ordering::Relaxed);
}

/// Whether the driver must not be called.
pub(super) fn is_forbidden() -> bool {
    WATCHED.load(Ordering::Relaxed) & FORKED != 0
}

/// Switches the watcher on or off. It is always the same one.
pub(crate) fn switch(watcher: &'static dyn Watcher, on: bool) {
    WATCHER.get_or_init(|| watcher);
    match on {
        true => WATCHED.fetch_or(WORK, Ordering::Release),
        false => WATCHED.fetch_and(!WORK, Ordering::Release),
    };
}

impl Driver {
    /// Does a call that somebody watches.
    #[cold]
    pub(super) fn watched(
        &self,
        name: &'static str,
        args: &[Arg<'_>],
        call: &mut dyn FnMut() -> CUresult,
    ) -> CUresult {
        let watched = WATCHED.load(Ordering::Acquire);
        if watched & FORKED != 0 {
            return CUDA_ERROR_NOT_INITIALIZED;
        }
        let (on_stderr, as_event) = (watched & LINES != 0, has_subscriber());
        let mut told = || {
            if !on_stderr && !as_event {
                return call();
            }
            let start = Instant::now();
            let code = call();
            let time = start.elapsed();
            let result = self.error_name(code);
            Record { name, args, code, result, time }.tell(on_stderr, as_event);
            code
        };
        let call = Call { name, args };
        let code = match WATCHER.get().filter(|_| watched & WORK != 0) {
            Some(watcher) => watcher.around(self, &call, &mut told),
            None => told(),
        };
        match call.stream_of_work().filter(|_| watched & CHECKS != 0 && code == CUDA_SUCCESS) {
            Some(stream) => self.wait_for_work(stream),
            None => code,
        }
    }

    /// Waits for the work that a stream was just given, unless it is captured: then nothing runs. The work's failure is
    /// the call's own.
    fn wait_for_work(&self, stream: CUstream) -> CUresult {
        let mut status = CU_STREAM_CAPTURE_STATUS_NONE;
        let turn = alone("cuStreamIsCapturing");
        // SAFETY: the place is valid, the stream alive. Not watched: these calls belong to the one that is.
        let asked = unsafe { (self.table.cuStreamIsCapturing)(stream, &mut status) };
        drop(turn);
        if asked != CUDA_SUCCESS || status != CU_STREAM_CAPTURE_STATUS_NONE {
            return CUDA_SUCCESS;
        }
        // SAFETY: the stream is alive.
        unsafe { (self.table.cuStreamSynchronize)(stream) }
    }
}
