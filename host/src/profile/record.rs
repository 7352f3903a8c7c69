//! Recording: while a profile runs, each driver call that submits work to a device is noted and timed.

use super::session::{Session, Timer, Times};
use super::work::{What, Work};
use super::{Profile, ProfiledWork};
use crate::context::Context;
use crate::driver::Driver;
use crate::driver::types::*;
use crate::driver::watch::{self, Call, Watcher};
use crate::error::Result;
use crate::launch::variant;
use crate::stream::all_streams;
use core::cell::RefCell;
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use std::time::Instant;

/// A profile that is being recorded.
struct Recording {
    session: Arc<Session>,
    pieces: Mutex<Vec<Arc<Piece>>>,
    failed: AtomicU64,
}

/// A piece of work.
struct Piece {
    session: Arc<Session>,
    work: Work,
    context: &'static Context,
    thread: ThreadId,
    submitted: Instant,
    state: Mutex<State>,
}

/// What is known about its times.
enum State {
    Timing(Timer),
    Done(Option<Times>),
}

/// The number of new pieces after which the times of finished ones are read, so that few events are in use.
const MANY: usize = 256;

thread_local! {
    /// The profiles of this thread.
    static OWN: RefCell<Vec<Arc<Recording>>> = const { RefCell::new(Vec::new()) };
}

/// All profiles that run.
static RUNNING: Mutex<Running> = Mutex::new(Running { count: 0, of_all_threads: Vec::new() });

struct Running {
    count: usize,
    of_all_threads: Vec<Arc<Recording>>,
}

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A profile, until it is finished or dropped.
pub(super) struct Guard {
    recording: Arc<Recording>,
    all_threads: bool,
    start: Instant,
}

impl Guard {
    /// Begins a profile, of this thread or all.
    pub(super) fn start(all_threads: bool) -> Guard {
        let session = Session::join();
        let recording =
            Arc::new(Recording { session, pieces: Mutex::default(), failed: AtomicU64::new(0) });
        match all_threads {
            true => running().of_all_threads.push(recording.clone()),
            false => OWN.with_borrow_mut(|own| own.push(recording.clone())),
        }
        let mut running = running();
        running.count += 1;
        if running.count == 1 {
            watch::switch(&Recorder, true);
        }
        Guard { recording, all_threads, start: Instant::now() }
    }

    /// Waits for the work that was noted.
    pub(super) fn finish(self) -> Result<Profile> {
        let recording = self.recording.clone();
        let start = self.start;
        // Nothing more is noted.
        drop(self);
        let pieces = core::mem::take(&mut *recording.pieces());
        let me = std::thread::current().id();
        for piece in &pieces {
            piece.settle(true)?;
        }
        // The panics of the thread's own kernels are reported by whoever waits first.
        let mut waited: Vec<(u32, CUstream)> = Vec::new();
        for piece in pieces.iter().filter(|piece| piece.thread == me) {
            let key = (piece.context.ordinal, piece.work.stream);
            if !waited.contains(&key) {
                waited.push(key);
                let alive = all_streams(piece.context).alive();
                let stream = alive.iter().find(|stream| stream.handle() == key.1);
                stream.map_or(Ok(()), |stream| stream.0.check_panics(stream.0.last_launch()))?;
            }
        }
        let elapsed = start.elapsed();
        let names = Names::default();
        let work = names.described(&pieces, start);
        Ok(Profile { work, elapsed, failed: recording.failed.load(Ordering::Relaxed) })
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let is_other = |other: &Arc<Recording>| !Arc::ptr_eq(other, &self.recording);
        let mut running = running();
        match self.all_threads {
            true => running.of_all_threads.retain(is_other),
            // The thread that began it: the guard is not given away.
            false => OWN.with_borrow_mut(|own| own.retain(is_other)),
        }
        running.count -= 1;
        if running.count == 0 {
            watch::switch(&Recorder, false);
        }
    }
}

impl Recording {
    fn pieces(&self) -> MutexGuard<'_, Vec<Arc<Piece>>> {
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Piece {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the piece's times if it is done; with `wait`, waits for it first.
    fn settle(&self, wait: bool) -> Result<()> {
        let session = &self.session;
        let mut state = self.state();
        let State::Timing(timer) = &*state else { return Ok(()) };
        if wait {
            session.wait(timer)?;
        } else if !session.is_done(timer) {
            return Ok(());
        }
        let State::Timing(timer) = core::mem::replace(&mut *state, State::Done(None)) else {
            return Ok(());
        };
        *state = State::Done(session.times(timer));
        Ok(())
    }
}

/// Pieces that have not been waited for, as after an error.
impl Drop for Piece {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let State::Timing(timer) = core::mem::replace(state, State::Done(None)) {
            self.session.cancel(timer);
        }
    }
}

/// Notes the work of calls.
struct Recorder;

impl Watcher for Recorder {
    fn around(
        &self,
        driver: &Driver,
        call: &Call<'_>,
        run: &mut dyn FnMut() -> CUresult,
    ) -> CUresult {
        let Some(mut work) = Work::of(call) else { return run() };
        // A thread that ends has no profiles any more.
        let mut recordings = OWN.try_with(|own| own.borrow().clone()).unwrap_or_default();
        recordings.extend(running().of_all_threads.iter().cloned());
        let context = Context::bound().filter(|bound| core::ptr::eq(bound.driver, driver));
        let ([first, ..], Some(context)) = (&recordings[..], context) else { return run() };
        if is_captured(driver, work.stream) {
            return run();
        }
        if let What::Function(function, name) = &mut work.what {
            // SAFETY: it is being launched.
            *name = unsafe { driver.entry_name(*function) }.ok().filter(|name| !name.is_empty());
        }
        // All profiles that run share their events.
        let session = &first.session;
        let timer = session.begin(context, work.stream).ok();
        let submitted = Instant::now();
        let code = run();
        if code != CUDA_SUCCESS {
            timer.into_iter().for_each(|timer| session.cancel(timer));
            for recording in &recordings {
                recording.failed.fetch_add(1, Ordering::Relaxed);
            }
            return code;
        }
        let state = match timer {
            Some(timer) => match session.end(&timer, work.stream) {
                Ok(()) => State::Timing(timer),
                Err(_) => {
                    session.cancel(timer);
                    State::Done(None)
                }
            },
            None => State::Done(None),
        };
        let thread = std::thread::current().id();
        let (session, state) = (session.clone(), Mutex::new(state));
        let piece = Arc::new(Piece { session, work, context, thread, submitted, state });
        for recording in &recordings {
            let mut pieces = recording.pieces();
            pieces.push(piece.clone());
            let done_by_now: Vec<_> = match pieces.len() % MANY {
                0 => pieces[pieces.len().saturating_sub(2 * MANY)..].to_vec(),
                _ => Vec::new(),
            };
            drop(pieces);
            for piece in done_by_now.iter().filter(|piece| core::ptr::eq(piece.context, context)) {
                let _ = piece.settle(false);
            }
        }
        code
    }
}

/// Whether a stream is being captured. Nothing is timed then.
fn is_captured(driver: &Driver, stream: CUstream) -> bool {
    let mut status = CU_STREAM_CAPTURE_STATUS_NONE;
    // SAFETY: the place is valid, the stream alive.
    let asked = unsafe { driver.cuStreamIsCapturing(stream, &mut status) };
    asked.is_ok() && status != CU_STREAM_CAPTURE_STATUS_NONE
}

/// The names of work.
#[derive(Default)]
struct Names {
    kernels: HashMap<usize, String>,
    graphs: Vec<CUgraphExec>,
}

impl Names {
    fn of(&mut self, what: &What) -> String {
        match what {
            What::Function(function, entry) => {
                match (self.kernels.get(&function.0.addr()), entry) {
                    (Some(known), _) => known.clone(),
                    (None, Some(entry)) => entry.clone(),
                    (None, None) => format!("kernel {function:?}"),
                }
            }
            What::Graph(exec) => {
                let known = self.graphs.iter().position(|known| known == exec);
                let index = known.unwrap_or_else(|| {
                    self.graphs.push(*exec);
                    self.graphs.len() - 1
                });
                format!("graph {}", index + 1)
            }
            What::Other(name) => (*name).to_owned(),
        }
    }

    fn described(mut self, pieces: &[Arc<Piece>], start: Instant) -> Vec<ProfiledWork> {
        self.kernels = variant::names();
        let after = |time: Instant| time.saturating_duration_since(start);
        let mut all = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let Work { kind, what, bytes, blocks, threads, stream } = &piece.work;
            let times = match *piece.state() {
                State::Done(times) => times,
                State::Timing(_) => None,
            };
            let time: Option<Duration> = times.map(|(_, time)| time);
            all.push(ProfiledWork {
                kind: *kind,
                name: self.of(what),
                bytes: *bytes,
                blocks: *blocks,
                threads: *threads,
                device_index: piece.context.ordinal,
                stream: stream.0.addr(),
                thread: piece.thread,
                submitted: after(piece.submitted),
                start: times.map(|(begun, _)| after(begun)),
                time,
            });
        }
        all
    }
}
