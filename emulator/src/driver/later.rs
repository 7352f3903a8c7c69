//! Work that is put off: `PTYX_EMULATOR_ASYNC=1`.
//!
//! A call that submits work then only notes it. It runs when somebody waits for it, on that thread, after what CUDA
//! orders before it; what nobody waits for may run earlier or later, as the seed has it. So a program that forgets
//! to wait, or lets one stream use what another has not made yet, finds that out. With one host thread that waits by
//! calling the driver, the order is the same in each run.
//!
//! A program may also wait without calling the driver: for a callback, or for what a kernel writes into its memory.
//! So a thread runs what is put off when nothing else happens. It also makes all callbacks, as a real driver's does:
//! on a thread that waits for something else they could wait for what that thread holds.

use super::code::{Code, Outcome};
use super::running::Running;
use super::state::{Current, State, lock};
use super::work::{Failure, Job, LaunchId, Queue, run_aside};
use crate::settings::settings;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Once};
use std::time::Duration;

/// Signalled when something is put off.
static PUT_OFF: Condvar = Condvar::new();
/// For so long, nothing happens before the thread runs something.
const QUIET: Duration = Duration::from_millis(4);
/// How often the thread looks when nothing is put off.
const IDLE: Duration = Duration::from_secs(3600);

/// Gives work to a queue: it runs now, when its turn has come, or later.
pub(super) fn submit(
    mut state: Current,
    queue: Queue,
    work: impl FnOnce(&mut State) -> Outcome + Send + 'static,
) -> Outcome {
    if !settings().asynchronous {
        return work(&mut *state.turn(queue)?);
    }
    let (before, running) = begin(&mut state, queue);
    let (id, calls_back) = (running.id(), false);
    let job = move || {
        let mut running = running;
        let outcome = catch_unwind(AssertUnwindSafe(|| work(&mut lock())));
        running.failure = match outcome {
            Ok(Ok(())) => None,
            Ok(Err(code)) => Some(failure(code)),
            Err(_) => Some(failure(Code::UNKNOWN)),
        };
    };
    put_off(state, id, before, calls_back, Box::new(job));
    Ok(())
}

/// The failure of a copy or fill.
pub(super) fn failure(code: Code) -> Failure {
    let report =
        "a copy or fill could not be made when its turn came: its memory has been freed".to_owned();
    Failure { code, report }
}

/// Begins a launch that is put off: what it comes after, and itself.
pub(super) fn begin(state: &mut Current, queue: Queue) -> (Vec<LaunchId>, Running) {
    state.work.overtake_nothing(queue);
    let before = state.work.note(queue);
    (before, Running::begin(state, queue))
}

/// Puts a job off.
pub(super) fn put_off(
    mut state: Current,
    id: LaunchId,
    before: Vec<LaunchId>,
    calls_back: bool,
    job: Job,
) {
    state.work.put_off(id, before, calls_back, job);
    drop(state);
    look();
}

/// Lets the thread look for what was put off.
pub(super) fn look() {
    static THREAD: Once = Once::new();
    // Without the thread, only programs that wait by calling the driver come to an end.
    THREAD.call_once(|| {
        let _ = std::thread::Builder::new().name("ptyx-emulator".to_owned()).spawn(run_forgotten);
    });
    PUT_OFF.notify_one();
}

/// The thread's work.
fn run_forgotten() {
    let mut begun = 0;
    loop {
        let mut state = lock();
        if let Some(job) = state.work.take_call_back() {
            drop(state);
            job();
            continue;
        }
        let time = if state.work.has_pending() { QUIET } else { IDLE };
        let (mut state, is_over) = state.wait(&PUT_OFF, time);
        let nothing_begun = core::mem::replace(&mut begun, state.work.begun) == state.work.begun;
        if !(is_over && nothing_begun) {
            continue;
        }
        if let Some((job, _)) = state.work.take_job(&[]) {
            drop(state);
            run_aside(job, QUIET);
        }
    }
}
