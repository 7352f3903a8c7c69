//! Which launches run, which have failed, and what waits for them.
//!
//! Work runs inside the call that submits it, so a single host thread never sees a busy stream; or, with
//! `PTYX_EMULATOR_ASYNC=1`, later: in a call that waits, or on a thread of its own if nobody waits for long. With several
//! host threads, nothing is locked while a kernel runs, and another thread's call waits only where its
//! stream would wait. A table holds each launch that is running, or that has failed without the failure
//! having been reported. Each queue of work and each event lists the launches that it comes after. So the
//! first call that waits for a failed launch reports the failure, once.

use super::code::Code;
use super::handle::Handle;
use crate::exec::overlap::{Accesses, Earlier};
use crate::settings::settings;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::c_void;
use std::sync::mpsc;
use std::sync::{Condvar, Weak};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

/// Number of a launch, from 1.
pub(super) type LaunchId = u64;

/// A queue in which work is ordered: a stream, as one host thread refers to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Queue {
    pub(super) device: usize,
    name: Name,
    /// It waits for the legacy default stream, and that one for it.
    blocking: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Name {
    /// The legacy default stream.
    Legacy,
    /// `CU_STREAM_PER_THREAD`
    Thread(ThreadId),
    Created(Handle),
}

impl Queue {
    pub(super) fn legacy(device: usize) -> Queue {
        Queue { device, name: Name::Legacy, blocking: true }
    }

    /// The calling thread's own default stream.
    pub(super) fn of_this_thread(device: usize) -> Queue {
        Queue { device, name: Name::Thread(std::thread::current().id()), blocking: true }
    }

    pub(super) fn created(device: usize, stream: Handle, blocking: bool) -> Queue {
        Queue { device, name: Name::Created(stream), blocking }
    }

    /// Whether work of this queue comes after all earlier work of the other (CUDA driver API, "Stream
    /// synchronization behavior").
    fn follows(&self, other: &Queue) -> bool {
        let legacy = self.name == Name::Legacy || other.name == Name::Legacy;
        self == other || legacy && self.blocking && other.blocking && self.device == other.device
    }
}

/// Why a launch failed.
pub(super) struct Failure {
    pub(super) code: Code,
    pub(super) report: String,
}

/// A launch that runs, or whose failure is not reported yet.
struct Launch {
    device: usize,
    /// `None` while it runs.
    failure: Option<Failure>,
}

/// When an event was recorded.
#[derive(Clone)]
pub(super) struct Recorded {
    /// When the host recorded it, or when the last launch ended that was running then.
    pub(super) at: Instant,
    /// Launches that came before it.
    pub(super) behind: Vec<LaunchId>,
    /// The same of those that a programmatic launch may overtake.
    pub(super) kernels: Vec<Weak<Accesses>>,
}

/// The caller's data for a callback.
#[derive(Clone, Copy)]
pub(super) struct Data(pub(super) *mut c_void);

// SAFETY: the driver's function says that the callback may run on any thread.
unsafe impl Send for Data {}

impl Data {
    pub(super) fn pointer(self) -> *mut c_void {
        self.0
    }
}

/// What a launch does, if that is put off.
pub(super) type Job = Box<dyn FnOnce() + Send>;

/// Runs a job that the caller does not wait for: on a thread of its own, as a kernel may take long, or wait for
/// something that the caller does later. Short ones are over when this returns, so that the order of jobs is the
/// same in each run.
pub(super) fn run_aside(job: Job, patience: Duration) {
    let (done, is_done) = mpsc::channel::<()>();
    let aside = move || {
        let _done = done;
        job();
    };
    let thread = std::thread::Builder::new().name("ptyx-emulator-aside".to_owned());
    if thread.spawn(aside).is_ok() {
        // The channel closes when the job is over.
        let _ = is_done.recv_timeout(patience);
    }
}

/// A launch that was put off.
struct Pending {
    /// Launches that it comes after.
    before: Vec<LaunchId>,
    /// It calls a function of the caller's, which may only be called where the caller waits for nothing.
    calls_back: bool,
    job: Job,
}

/// All launches that are not over.
#[derive(Default)]
pub(super) struct Work {
    /// Number of the last launch.
    last: LaunchId,
    open: BTreeMap<LaunchId, Launch>,
    /// Those that a queue's next work comes after.
    behind: HashMap<Queue, Vec<LaunchId>>,
    /// Those that an event was recorded behind while they ran.
    watched: BTreeSet<LaunchId>,
    /// Those that were put off. They count as running.
    pending: BTreeMap<LaunchId, Pending>,
    /// The launches of each queue that a programmatic one, if it comes next, need not wait for.
    earlier: HashMap<Queue, Earlier>,
    /// Those of other queues that a queue waits for by events.
    behind_kernels: HashMap<Queue, Vec<Weak<Accesses>>>,
    /// What chance has led to.
    chance: u64,
    /// Counts jobs that were begun.
    pub(super) begun: u64,
}

/// Signalled whenever a launch ends.
pub(super) static ENDED: Condvar = Condvar::new();

impl Work {
    /// The launches of a list that are still open.
    fn still_open(&self, list: &[LaunchId]) -> Vec<LaunchId> {
        list.iter().copied().filter(|id| self.open.contains_key(id)).collect()
    }

    /// Open launches that new work in a queue waits for.
    fn before(&self, queue: Queue) -> Vec<LaunchId> {
        if self.open.is_empty() {
            return Vec::new();
        }
        let lists = self.behind.iter().filter(|(other, _)| queue.follows(other));
        let mut all: Vec<LaunchId> = lists.flat_map(|(_, list)| self.still_open(list)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The same, noted as the queue's own from now on.
    pub(super) fn note(&mut self, queue: Queue) -> Vec<LaunchId> {
        let before = self.before(queue);
        if before.is_empty() {
            self.behind.remove(&queue);
        } else {
            self.behind.insert(queue, before.clone());
        }
        before
    }

    /// Makes a queue's next work come after an event, too.
    pub(super) fn put_behind_event(&mut self, queue: Queue, recorded: &Recorded) {
        if let Some(earlier) = self.earlier.get_mut(&queue) {
            earlier.remove(&recorded.kernels);
        }
        self.behind_kernels.entry(queue).or_default().extend_from_slice(&recorded.kernels);
        self.put_behind(queue, &recorded.behind);
    }

    /// Makes a queue's next work come after `launches`, too.
    pub(super) fn put_behind(&mut self, queue: Queue, launches: &[LaunchId]) {
        let mut list = self.note(queue);
        list.extend(self.still_open(launches));
        if !list.is_empty() {
            self.behind.insert(queue, list);
        }
    }

    /// New work waits for all that a queue has been given: nothing there is overtaken any more.
    pub(super) fn overtake_nothing(&mut self, queue: Queue) {
        self.earlier.retain(|other, _| !queue.follows(other));
    }

    /// All work has been waited for.
    pub(super) fn overtake_nothing_at_all(&mut self) {
        self.earlier.clear();
        self.behind_kernels.clear();
    }

    /// All work of a queue has been waited for.
    pub(super) fn overtake_none_before(&mut self, queue: Queue) {
        let ended = self.kernels_before(queue);
        self.overtake_none_of(&ended);
    }

    /// These launches have been waited for.
    pub(super) fn overtake_none_of(&mut self, ended: &[Weak<Accesses>]) {
        self.earlier.values_mut().for_each(|earlier| earlier.remove(ended));
        self.earlier.retain(|_, earlier| !earlier.is_empty());
    }

    /// The launches that might be overtaken, and that new work of a queue comes after.
    pub(super) fn kernels_before(&mut self, queue: Queue) -> Vec<Weak<Accesses>> {
        self.behind_kernels.values_mut().for_each(|list| list.retain(|k| k.strong_count() > 0));
        let own = self.earlier.iter().filter(|(other, _)| queue.follows(other));
        let waited_for = self.behind_kernels.iter().filter(|(other, _)| queue.follows(other));
        let own = own.flat_map(|(_, earlier)| earlier.launches());
        own.chain(waited_for.flat_map(|(_, list)| list.iter().cloned())).collect()
    }

    /// The launches that the next work of a queue may overtake if it is a programmatic launch.
    pub(super) fn take_earlier(&mut self, queue: Queue) -> Earlier {
        self.earlier.remove(&queue).unwrap_or_default()
    }

    /// The same, after a launch of the queue.
    pub(super) fn set_earlier(&mut self, queue: Queue, earlier: Earlier) {
        if !earlier.is_empty() {
            self.earlier.insert(queue, earlier);
        }
    }

    /// Open launches that a synchronisation with a queue waits for.
    pub(super) fn of_queue(&self, queue: Queue) -> Vec<LaunchId> {
        match queue.name {
            Name::Legacy => self.before(queue),
            _ => self.still_open(self.behind.get(&queue).map_or(&[], Vec::as_slice)),
        }
    }

    /// Open launches of a device.
    pub(super) fn of_device(&self, device: usize) -> Vec<LaunchId> {
        self.open.iter().filter(|(_, launch)| launch.device == device).map(|(&id, _)| id).collect()
    }

    /// An event that is recorded in a queue now.
    pub(super) fn record(&mut self, queue: Queue) -> Recorded {
        let behind = self.note(queue);
        let open = &self.open;
        let running = |id: &LaunchId| open.get(id).is_some_and(|launch| launch.failure.is_none());
        self.watched.extend(behind.iter().copied().filter(running));
        Recorded { at: Instant::now(), behind, kernels: self.kernels_before(queue) }
    }

    /// An event that is recorded when a launch that runs is over, which comes after these kernels.
    pub(super) fn record_after(&mut self, id: LaunchId, kernels: Vec<Weak<Accesses>>) -> Recorded {
        self.watched.insert(id);
        Recorded { at: Instant::now(), behind: vec![id], kernels }
    }

    pub(super) fn is_running(&self, id: LaunchId) -> bool {
        self.open.get(&id).is_some_and(|launch| launch.failure.is_none())
    }

    /// Puts the job of a launch off, which comes after others.
    pub(super) fn put_off(
        &mut self,
        id: LaunchId,
        before: Vec<LaunchId>,
        calls_back: bool,
        job: Job,
    ) {
        self.pending.insert(id, Pending { before, calls_back, job });
    }

    /// Whether a job is put off.
    pub(super) fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// The jobs that could begin now; `calls_back` chooses the kind.
    fn ready(&self, calls_back: bool) -> Vec<LaunchId> {
        let can_begin = |pending: &Pending| {
            pending.calls_back == calls_back
                && !pending.before.iter().any(|&id| self.is_running(id))
        };
        let ready = self.pending.iter().filter(|(_, pending)| can_begin(pending));
        ready.map(|(&id, _)| id).collect()
    }

    /// Those put off that some launches wait for, with them.
    fn needed(&self, launches: &[LaunchId]) -> BTreeSet<LaunchId> {
        let mut needed = BTreeSet::new();
        let mut open: Vec<LaunchId> = launches.to_vec();
        while let Some(id) = open.pop() {
            if let Some(pending) = self.pending.get(&id)
                && needed.insert(id)
            {
                open.extend(&pending.before);
            }
        }
        needed
    }

    /// A number below `count`, by chance.
    fn by_chance(&mut self, count: usize) -> usize {
        let seed = settings().seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.chance = self.chance.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(seed | 1);
        (self.chance >> 33) as usize % count
    }

    /// Takes one of the jobs that could begin now, by chance, for somebody who waits for `launches`: mostly one
    /// that these need, so that others stay put off for as long as CUDA allows it. Also says whether they need it.
    pub(super) fn take_job(&mut self, launches: &[LaunchId]) -> Option<(Job, bool)> {
        let ready = self.ready(false);
        let needed = self.needed(launches);
        let of_use: Vec<LaunchId> =
            ready.iter().copied().filter(|id| needed.contains(id)).collect();
        let from = match of_use.is_empty() || self.by_chance(4) == 0 {
            true => ready,
            false => of_use,
        };
        let (id, job) = self.take_one(&from)?;
        Some((job, needed.contains(&id)))
    }

    /// Takes one of the jobs that call back.
    pub(super) fn take_call_back(&mut self) -> Option<Job> {
        let ready = self.ready(true);
        self.take_one(&ready).map(|(_, job)| job)
    }

    fn take_one(&mut self, from: &[LaunchId]) -> Option<(LaunchId, Job)> {
        if from.is_empty() {
            return None;
        }
        let id = from[self.by_chance(from.len())];
        self.begun += 1;
        self.pending.remove(&id).map(|pending| (id, pending.job))
    }

    /// All launches that run or are put off.
    pub(super) fn all_running(&self) -> Vec<LaunchId> {
        self.open.keys().copied().filter(|&id| self.is_running(id)).collect()
    }

    /// The first failure among launches.
    pub(super) fn failure(&self, launches: &[LaunchId]) -> Option<&Failure> {
        launches.iter().find_map(|id| self.open.get(id)?.failure.as_ref())
    }

    /// The first failure among launches, removed so that it is reported only once.
    pub(super) fn take_failure(&mut self, launches: &[LaunchId]) -> Option<Failure> {
        let failed = |id: &&LaunchId| self.open.get(id).is_some_and(|l| l.failure.is_some());
        let id = *launches.iter().find(failed)?;
        self.open.remove(&id)?.failure
    }

    /// Forgets the failures of a device and the state of its work.
    pub(super) fn reset(&mut self, device: usize) {
        self.open.retain(|_, launch| launch.device != device || launch.failure.is_none());
        self.behind.retain(|queue, _| queue.device != device);
    }

    /// Forgets a stream.
    pub(super) fn forget(&mut self, queue: Queue) {
        self.behind.remove(&queue);
        self.earlier.remove(&queue);
        self.behind_kernels.remove(&queue);
    }

    /// A launch begins, as the last work of a queue.
    pub(super) fn begin(&mut self, queue: Queue) -> LaunchId {
        self.last += 1;
        let id = self.last;
        self.open.insert(id, Launch { device: queue.device, failure: None });
        let mut list = self.before(queue);
        list.push(id);
        self.behind.insert(queue, list);
        id
    }

    /// A launch of a queue is over; whether an event was recorded behind it while it ran.
    pub(super) fn end(&mut self, id: LaunchId, queue: Queue, failure: Option<Failure>) -> bool {
        match failure {
            Some(failure) => {
                if let Some(launch) = self.open.get_mut(&id) {
                    launch.failure = Some(failure);
                }
            }
            None => {
                self.open.remove(&id);
                if let Some(list) = self.behind.get_mut(&queue) {
                    list.retain(|other| *other != id);
                }
            }
        }
        self.watched.remove(&id)
    }
}
