//! Work through raw pointers, and the buffers that it may reach.
//!
//! A buffer whose address was taken is *exposed*: a kernel may access it through a raw pointer without
//! the buffer being an argument of the launch. So every launch of a kernel that dereferences raw pointers
//! waits for all earlier uses of exposed buffers, and every later use of an exposed buffer, on any stream
//! or by the host, waits for the launch. Such launches on different streams do not wait for each other,
//! as in CUDA.
//!
//! The compiler records which kernels dereference raw pointers (`ptyx_image::Code::follows_pointers`).
//! As long as no buffer is exposed, this costs nothing.

use crate::context::{Attached, Context};
use crate::driver::Failure;
use crate::driver::host_function::inside;
use crate::error::Result;
use crate::stream::{Capture, EXPOSED, Entry, Guard, Part, Stream};
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Such work in a device's streams.
#[derive(Default)]
pub(crate) struct Untracked {
    /// A buffer was exposed.
    exposed: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Streams with launches that follow raw pointers.
    launches: Vec<Noted>,
    /// Streams with uses of exposed buffers.
    uses: Vec<Noted>,
    /// Counts notes.
    serial: u64,
}

/// A stream with work that others must wait for.
struct Noted {
    stream: Stream,
    /// The serial of its last note.
    serial: u64,
    /// The streams that already wait for it, each with the serial up to which it does.
    seen_by: Vec<(u64, u64)>,
    /// The numbers of the stream's first and last launch among those noted that may panic. None at first: last before first.
    launches: (u64, u64),
}

/// A list is tidied when it is longer than this.
const TIDY_ABOVE: usize = 16;

/// Such work in a context's streams.
#[inline]
pub(crate) fn untracked(context: &Context) -> &'static Untracked {
    static UNTRACKED: Attached<Untracked> = Attached::new();
    UNTRACKED.of(context)
}

impl Untracked {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there is anything to order.
    #[inline]
    pub(crate) fn matters(&self) -> bool {
        self.exposed.load(Ordering::Acquire)
    }

    /// A buffer is exposed, which the streams use that `users` returns. It is given the serial of the last note, after which
    /// launches may have a pointer to the buffer. Two threads that expose it at once take turns.
    pub(crate) fn expose(&self, users: impl FnOnce(u64) -> Vec<Stream>) {
        let mut state = self.lock();
        for user in users(state.serial) {
            state.note(|state| &mut state.uses, &user);
        }
        self.exposed.store(true, Ordering::Release);
    }

    /// A launch that follows raw pointers is about to be submitted to `stream`, which has been entered. If it may panic, it
    /// is given the stream's next number.
    #[cold]
    pub(crate) fn launch(&self, stream: &Stream, may_panic: bool) -> Result<(), Failure> {
        let mut state = self.lock();
        follow(&mut state.uses, stream)?;
        let noted = state.note(|state| &mut state.launches, stream);
        if may_panic {
            let number = stream.0.last_launch() + 1;
            noted.launches = match noted.launches {
                (_, 0) => (number, number),
                (first, _) => (first, number),
            };
        }
        Ok(())
    }

    /// A use of an exposed buffer is about to be submitted to `stream`, which has been entered.
    #[cold]
    pub(crate) fn use_exposed(&self, stream: &Stream) -> Result<(), Failure> {
        let mut state = self.lock();
        follow(&mut state.launches, stream)?;
        state.note(|state| &mut state.uses, stream);
        Ok(())
    }

    /// Work that neither such a launch nor other work of this kind may overlap is about to be submitted to
    /// `stream`, which has been entered.
    pub(crate) fn exclusive(&self, stream: &Stream) -> Result<(), Failure> {
        let mut state = self.lock();
        follow(&mut state.launches, stream)?;
        follow(&mut state.uses, stream)?;
        state.note(|state| &mut state.uses, stream);
        Ok(())
    }

    /// The streams with launches that follow raw pointers.
    pub(crate) fn launching(&self) -> Vec<Stream> {
        self.launches_since(0).into_iter().map(|(stream, ..)| stream).collect()
    }

    /// Those with notes behind this one, each with the numbers of the first and the last of these launches that may panic, if
    /// there are any: the stream may have others, of which the memory has nothing.
    pub(crate) fn launches_since(&self, serial: u64) -> Vec<(Stream, u64, u64)> {
        let state = self.lock();
        let numbered = |noted: &Noted| {
            let (first, last) = noted.launches;
            (noted.stream.clone(), first, noted.stream.0.last_of(first, last))
        };
        state.launches.iter().filter(|noted| noted.serial > serial).map(numbered).collect()
    }
}

/// Waits on the host for the launches of a device that follow raw pointers. Failures are left to whoever synchronises.
/// False if the driver can't say whether they are done.
///
/// # Panics
/// In a host function that a stream calls, if there are any: that could take forever.
pub(crate) fn finish_on_host(context: &'static Context) -> bool {
    assert!(
        inside().is_none() || untracked(context).launching().is_empty(),
        "a function given to `Stream::on_host` used memory whose device address was taken, which kernels that follow raw \
         pointers may still use: wait for them before"
    );
    settle(context)
}

/// Waits until the launches of a device that follow raw pointers are done. False if the driver can't say so.
pub(crate) fn settle(context: &Context) -> bool {
    let settled = untracked(context).launching().into_iter().map(|stream| stream.0.settle());
    settled.fold(true, |all, one| all & one)
}

/// The launch of a kernel that follows raw pointers, in a graph.
struct InGraph(&'static Context);

impl Part for InGraph {
    fn submit<'a>(&self, entry: &Entry<'a>) -> Result<Option<Box<dyn Guard + 'a>>> {
        if untracked(self.0).matters() {
            // The graph's panics are not the stream's.
            untracked(self.0).launch(entry.stream(), false)?;
        }
        Ok(None)
    }
}

/// A launch that follows raw pointers, and perhaps may panic, is about to be given to a stream, which has been entered; if
/// the stream is captured, the graph's launches are such launches.
#[inline]
pub(crate) fn follow_pointers(stream: &Stream, may_panic: bool) -> Result<()> {
    let context = stream.context();
    match stream.0.capture() {
        None if untracked(context).matters() => Ok(untracked(context).launch(stream, may_panic)?),
        None => Ok(()),
        Some(capture) => {
            let part = || Arc::new(InGraph(context)) as Arc<dyn Part>;
            Ok(capture.use_memory(stream, EXPOSED, 0..1, true, part)?)
        }
    }
}

/// Notes that a captured stream uses memory to which kernels may have raw pointers, so that it is ordered with those
/// kernels.
pub(crate) fn collect_exposed(capture: &Capture, stream: &Stream) -> Result<(), Failure> {
    let exposed = || Arc::new(Nothing) as Arc<dyn Part>;
    capture.use_memory(stream, EXPOSED, 0..1, false, exposed)
}

/// What needs no order of its own.
struct Nothing;

impl Part for Nothing {
    fn submit<'a>(&self, _: &Entry<'a>) -> Result<Option<Box<dyn Guard + 'a>>> {
        Ok(None)
    }
}

impl State {
    fn note(
        &mut self,
        list: impl Fn(&mut State) -> &mut Vec<Noted>,
        stream: &Stream,
    ) -> &mut Noted {
        self.serial += 1;
        let serial = self.serial;
        let list = list(self);
        if list.len() > TIDY_ABOVE {
            // In this order: see `tracker`. A stream with a panic to report stays.
            list.retain(|Noted { stream, .. }| {
                stream.is_entered() || !stream.0.is_idle().unwrap_or(false) || stream.0.has_report()
            });
        }
        let at = list.iter().position(|noted| noted.stream.is(stream)).unwrap_or_else(|| {
            let (stream, seen_by, launches) = (stream.clone(), Vec::new(), (1, 0));
            list.push(Noted { stream, serial, seen_by, launches });
            list.len() - 1
        });
        list[at].serial = serial;
        &mut list[at]
    }
}

/// Makes `stream` wait for the noted work of others.
fn follow(list: &mut [Noted], stream: &Stream) -> Result<(), Failure> {
    for noted in list.iter_mut().filter(|noted| !noted.stream.is(stream)) {
        let id = stream.0.id;
        if noted.seen_by.contains(&(id, noted.serial)) {
            continue;
        }
        // Otherwise the work of a note may not have been submitted yet.
        let is_given = !noted.stream.is_entered();
        stream.wait_for(&noted.stream)?;
        noted.seen_by.retain(|(other, serial)| *other != id && *serial == noted.serial);
        if is_given {
            noted.seen_by.push((id, noted.serial));
        }
    }
    Ok(())
}
