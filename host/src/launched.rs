//! Which launches were made, so that an error of earlier work can say which of them it may come from.
//!
//! A driver reports a fault to some later call and does not say which kernel it was. So each stream remembers its last
//! launches. To note one costs a warm launch two stores.

use core::panic::Location;
use core::ptr::{from_ref, null_mut};
use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

/// A kernel that is launched at a place in the source.
#[derive(Debug)]
pub(crate) struct Launched {
    /// The kernel's name.
    kernel: String,
    /// The name of its entry in the PTX.
    entry: String,
    pub(crate) place: &'static Location<'static>,
}

impl core::fmt::Display for Launched {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} at {}", self.kernel, self.place)
    }
}

/// The kernel of this name and entry, launched at this place: always the same one. A program has as many as it has launches
/// in its source, each with the kernels that are launched there.
pub(crate) fn launched(
    kernel: &str,
    entry: &str,
    place: &'static Location<'static>,
) -> &'static Launched {
    static KNOWN: Mutex<Option<HashMap<usize, Vec<&'static Launched>>>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let here = known.get_or_insert_default().entry(from_ref(place).addr()).or_default();
    if let Some(found) = here.iter().find(|one| one.kernel == kernel && one.entry == entry) {
        return found;
    }
    let (kernel, entry) = (kernel.to_owned(), entry.to_owned());
    let new: &'static Launched = Box::leak(Box::new(Launched { kernel, entry, place }));
    here.push(new);
    new
}

/// A place for a launch. Reading it while it is written gives the one before or after.
#[derive(Default)]
pub(crate) struct Place(AtomicPtr<Launched>);

impl Place {
    pub(crate) const fn new() -> Place {
        Place(AtomicPtr::new(null_mut()))
    }

    #[inline]
    pub(crate) fn set(&self, launched: &'static Launched) {
        self.0.store(from_ref(launched).cast_mut(), Ordering::Release);
    }

    pub(crate) fn get(&self) -> Option<&'static Launched> {
        let pointer = self.0.load(Ordering::Acquire);
        // SAFETY: null, or a reference to what lives as long as the process.
        (!pointer.is_null()).then(|| unsafe { &*pointer })
    }
}

/// How many launches a stream remembers.
const REMEMBERED: usize = 16;

/// The last launches of a stream. If two threads launch at the same time, one of the launches may be missing.
#[derive(Default)]
pub(crate) struct Recent {
    last: [Place; REMEMBERED],
    /// How many there were.
    count: AtomicU64,
    /// How many of them are known to be done.
    done: AtomicU64,
}

impl Recent {
    /// Notes a launch.
    #[inline]
    pub(crate) fn note(&self, launched: &'static Launched) {
        let count = self.count.load(Ordering::Relaxed);
        self.last[count as usize % REMEMBERED].set(launched);
        // Not one atomic addition, which would cost more than all the rest.
        self.count.store(count + 1, Ordering::Release);
    }

    /// How many there were.
    pub(crate) fn count(&self) -> u64 {
        self.count.load(Ordering::Acquire)
    }

    /// The first `count` are done, without an error.
    pub(crate) fn are_done(&self, count: u64) {
        self.done.fetch_max(count, Ordering::AcqRel);
    }

    /// Those that are not known to be done and still remembered, the last one first.
    fn pending(&self) -> Vec<&'static Launched> {
        let (count, done) = (self.count(), self.done.load(Ordering::Acquire));
        let known = count.saturating_sub(done).min(REMEMBERED as u64);
        let places = (count - known..count).rev().map(|at| &self.last[at as usize % REMEMBERED]);
        places.filter_map(Place::get).collect()
    }
}

/// The launches of these streams that a fault may come from: each kernel and place once. If a report of the emulated device
/// names the kernel, only those of this kernel.
pub(crate) fn suspects<'a>(
    streams: impl Iterator<Item = &'a Recent>,
    report: Option<&str>,
) -> Vec<String> {
    let mut found: Vec<&'static Launched> = Vec::new();
    for launched in streams.flat_map(Recent::pending) {
        if !found.iter().any(|known| core::ptr::eq(*known, launched)) {
            found.push(launched);
        }
    }
    let is_named = |launched: &&&'static Launched| {
        report.is_some_and(|report| report.contains(&format!("kernel `{}`", launched.entry)))
    };
    let named: Vec<_> = found.iter().filter(is_named).copied().collect();
    let likely = if named.is_empty() { found } else { named };
    likely.iter().map(|launched| launched.to_string()).collect()
}

/// Finds the launches that a fault of the thread's device may come from, given the emulated device's report.
pub(crate) type Find = fn(Option<&str>) -> Vec<String>;

static FIND: OnceLock<Find> = OnceLock::new();

/// Lets errors find launches in this way: errors know nothing of streams.
pub(crate) fn find_by(find: Find) {
    FIND.get_or_init(|| find);
}

/// The launches that a fault may come from: none before there is a stream.
pub(crate) fn find_suspects(report: Option<&str>) -> Vec<String> {
    FIND.get().map_or_else(Vec::new, |find| find(report))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_launches_are_remembered() {
        let here = Location::caller();
        let all: Vec<_> = (0..40).map(|at| launched(&format!("k{at}"), "e", here)).collect();
        assert!(core::ptr::eq(launched("k7", "e", here), all[7]));
        let recent = Recent::default();
        assert_eq!(recent.pending().len(), 0);
        all.iter().for_each(|launched| recent.note(launched));
        let pending = recent.pending();
        assert_eq!(pending.len(), REMEMBERED);
        assert!(core::ptr::eq(pending[0], all[39]) && core::ptr::eq(pending[15], all[24]));
        recent.are_done(37);
        recent.are_done(30);
        assert_eq!(recent.pending().len(), 3);
        assert_eq!(suspects([&recent].into_iter(), None)[0], format!("k39 at {here}"));
        recent.note(launched("other", "f", here));
        let named = suspects([&recent].into_iter(), Some("kernel `f`, block (0, 0, 0)"));
        assert_eq!(named, [format!("other at {here}")]);
    }
}
