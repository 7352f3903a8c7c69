//! Functions of the host that streams call: their panics, and what can't be done inside them.

use super::Context;
use crate::driver::host_function::{self, Inside};
use crate::error::{Error, Result};
use core::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Panics that have not been reported yet, each with its stream's id.
#[derive(Default)]
pub(crate) struct HostPanics(Mutex<Vec<(u64, String)>>);

impl HostPanics {
    fn lock(&self) -> MutexGuard<'_, Vec<(u64, String)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a panic.
    fn add(&self, stream: u64, message: String) {
        self.lock().push((stream, message));
    }

    /// Notes what a function has thrown, and drops it.
    pub(crate) fn add_of(&self, stream: u64, panic: Box<dyn Any + Send>) {
        self.add(stream, message(&*panic));
        // Dropping what was thrown may panic, too.
        if let Err(again) = catch_unwind(AssertUnwindSafe(move || drop(panic))) {
            core::mem::forget(again);
        }
    }

    /// The error of the first panic on a stream, or on any stream. It is returned once.
    pub(crate) fn report(&self, stream: Option<u64>) -> Result<()> {
        let mut panics = self.lock();
        let at = panics.iter().position(|&(id, _)| stream.is_none_or(|stream| stream == id));
        match at {
            Some(at) => Err(Error::HostPanic { message: panics.remove(at).1 }),
            None => Ok(()),
        }
    }
}

/// The message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "(the panic's payload is not a string)".to_owned())
}

/// Work for the thread that frees what host functions drop.
type Work = Box<dyn FnOnce() + Send>;

/// A function that the driver will call.
pub(crate) struct Job {
    pub(crate) context: &'static Context,
    pub(crate) inside: Inside,
    pub(crate) function: Box<dyn FnOnce() + Send>,
}

/// The functions that the driver has not called yet, by number. The driver has the number only: so whoever knows that a
/// function will never be called can drop it, and should the driver call it after all, nothing happens.
#[derive(Default)]
struct Jobs {
    given: u64,
    waiting: BTreeMap<u64, Job>,
}

static JOBS: Mutex<Jobs> = Mutex::new(Jobs { given: 0, waiting: BTreeMap::new() });

fn jobs() -> MutexGuard<'static, Jobs> {
    JOBS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number of a function that the driver is about to be given: counted from 1.
pub(crate) fn await_call(job: Job) -> u64 {
    let mut jobs = jobs();
    jobs.given += 1;
    let number = jobs.given;
    jobs.waiting.insert(number, job);
    number
}

/// The function of this number, once.
pub(crate) fn take_job(number: u64) -> Option<Job> {
    jobs().waiting.remove(&number)
}

/// How many functions were given so far.
pub(crate) fn jobs_given() -> u64 {
    jobs().given
}

/// Drops those of the first `given` functions that are behind a fault: the driver does not call them. On a thread of
/// Ptyx, because what they own may need any lock.
pub(crate) fn abandon_jobs(given: u64, is_behind: impl Fn(&Job) -> bool) {
    let mut abandoned = Vec::new();
    let mut jobs = jobs();
    let numbers: Vec<u64> = jobs.waiting.range(..=given).map(|(&number, _)| number).collect();
    for number in numbers {
        if jobs.waiting.get(&number).is_some_and(&is_behind) {
            abandoned.extend(jobs.waiting.remove(&number));
        }
    }
    drop(jobs);
    if abandoned.is_empty() {
        return;
    }
    on_own_thread(Box::new(move || {
        for Job { context, inside, function } in abandoned {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(move || drop(function))) {
                context.host_panics.add_of(inside.stream, panic);
            }
        }
    }));
}

/// Does `work`, which calls the driver: at once, or, in a function that a stream calls, on a thread of Ptyx.
pub(crate) fn after_host_function(work: impl FnOnce() + Send + 'static) {
    if host_function::inside().is_none() {
        return work();
    }
    on_own_thread(Box::new(work));
}

/// Does `work` on a thread of Ptyx.
fn on_own_thread(work: Work) {
    static THREAD: OnceLock<Option<Sender<Work>>> = OnceLock::new();
    let start = || {
        let (sender, receiver) = channel::<Work>();
        let work_off = move || receiver.into_iter().for_each(|work| work());
        std::thread::Builder::new().name("ptyx-drops".into()).spawn(work_off).ok().map(|_| sender)
    };
    // Without the thread, what was to be freed lives as long as the process.
    if let Some(sender) = THREAD.get_or_init(start) {
        let _ = sender.send(work);
    }
}
