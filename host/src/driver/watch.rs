//! Who watches the driver's calls: the trace log, profiles, and subscribers of `tracing` if the feature of this name is
//! on. Nobody does at first, and then a call costs one load more; with the feature, two.

use super::Driver;
use super::trace::{Record, Show, Value};
use super::types::*;
use core::sync::atomic::{AtomicU8, Ordering};
use std::sync::OnceLock;
use std::time::Instant;

/// Bits of [`WATCHED`].
const LINES: u8 = 1;
const WORK: u8 = 2;
/// This is a child of a process that had used the driver, which must not be called. A watcher, so that a call costs nothing
/// for it.
const FORKED: u8 = 4;

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

/// From now on, each call writes a line.
pub(super) fn write_lines() {
    WATCHED.fetch_or(LINES, Ordering::Relaxed);
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
        match WATCHER.get().filter(|_| watched & WORK != 0) {
            Some(watcher) => watcher.around(self, &Call { name, args }, &mut told),
            None => told(),
        }
    }
}
