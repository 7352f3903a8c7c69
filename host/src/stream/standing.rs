//! Uses of memory that are noted once for many launches.
//!
//! A bound kernel ([`crate::launch::BoundKernel`]) borrows its buffers as long as it can be launched. Meanwhile nobody else
//! uses them in a way that conflicts, so one note says of all its launches which memory they use on which stream: a note
//! that *stands* until the handle is dropped. If the handle is leaked, its notes stand for good; they only make others wait
//! for the stream.
//!
//! Three kinds of memory need more, and have each launch ordered like any other: memory that a graph uses, since a launch
//! of the graph has no borrow; memory whose address was taken, since kernels may reach it through raw pointers; and memory
//! of other devices, whose access can be given up. The second can happen at any time: see [`Standing::order_each`].

use super::{Entry, Stream};
use crate::error::Result;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What the notes of one handle have in common.
#[derive(Debug, Default)]
pub(crate) struct Standing {
    /// Nothing is launched any more.
    is_over: AtomicBool,
    /// Each launch must be ordered with other uses.
    orders_each: AtomicBool,
    /// When it is over: the number of the stream's last launch, and how many host functions it had been given.
    last: AtomicU64,
    functions: AtomicU64,
}

impl Standing {
    /// From now on, each launch is ordered. A launch of another thread that does not know of it yet has entered the stream.
    pub(crate) fn order_each(&self) {
        self.orders_each.store(true, Ordering::SeqCst);
    }

    /// Whether each launch must be ordered. The caller has entered the stream.
    #[inline]
    pub(crate) fn orders_each(&self) -> bool {
        self.orders_each.load(Ordering::SeqCst)
    }

    /// The stream, to which the handle's launches went, is given no more of them.
    fn end(&self, stream: &Stream) {
        self.last.store(stream.0.last_launch(), Ordering::Relaxed);
        self.functions.store(stream.0.host_functions(), Ordering::Relaxed);
        self.is_over.store(true, Ordering::Release);
    }

    /// If it is over: the number of the last launch that may be its own, and how many host functions the stream had been given
    /// by then.
    pub(crate) fn ended(&self) -> Option<(u64, u64)> {
        let is_over = self.is_over.load(Ordering::Acquire);
        let read = |number: &AtomicU64| number.load(Ordering::Relaxed);
        is_over.then(|| (read(&self.last), read(&self.functions)))
    }
}

/// A use of memory that can be ordered for one more launch.
pub(crate) trait Again: Send + Sync {
    /// Makes `entry`'s stream wait for what the use conflicts with, and notes it; if the stream is captured, for each launch of
    /// the graph.
    fn order(&self, entry: &Entry<'_>) -> Result<()>;
}

/// The handle, as long as its notes stand.
pub(crate) struct Held {
    pub(crate) stream: Stream,
    pub(crate) standing: Arc<Standing>,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.standing.end(&self.stream);
    }
}

/// Arguments that are being bound. An entry that has it notes uses that stand.
pub(crate) struct Binding {
    held: Held,
    uses: Mutex<Vec<Box<dyn Again>>>,
    /// Some memory can't be used in a capture.
    refuses_captures: AtomicBool,
}

/// What is left of it for the launches.
pub(crate) struct Bound {
    pub(crate) held: Held,
    /// Orders the memory anew.
    pub(crate) uses: Vec<Box<dyn Again>>,
    pub(crate) refuses_captures: bool,
}

impl Binding {
    pub(crate) fn new(stream: &Stream) -> Binding {
        let held = Held { stream: stream.clone(), standing: Arc::default() };
        Binding { held, uses: Mutex::default(), refuses_captures: AtomicBool::new(false) }
    }

    pub(crate) fn standing(&self) -> &Arc<Standing> {
        &self.held.standing
    }

    /// How to order a use for a launch.
    pub(crate) fn add(&self, again: impl Again + 'static) {
        self.uses.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(again));
    }

    /// The launches can't go into a graph.
    pub(crate) fn refuse_captures(&self) {
        self.refuses_captures.store(true, Ordering::Relaxed);
    }

    pub(crate) fn into_bound(self) -> Bound {
        let uses = self.uses.into_inner().unwrap_or_else(PoisonError::into_inner);
        let refuses_captures = self.refuses_captures.into_inner();
        Bound { held: self.held, uses, refuses_captures }
    }
}

/// A launch whose uses of memory are noted is about to be submitted to a stream.
pub(crate) struct Entered<'a>(&'a AtomicU32);

impl Drop for Entered<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

impl Stream {
    /// Announces such a launch; `None` if the stream is captured, or on the way. As long as this lives, no capture of the
    /// stream begins.
    #[inline]
    pub(crate) fn enter_standing(&self) -> Option<Entered<'_>> {
        // In one order with a change of the membership.
        self.0.standing.fetch_add(1, Ordering::SeqCst);
        let entered = Entered(&self.0.standing);
        if self.0.membership.is_captured() { None } else { Some(entered) }
    }
}
