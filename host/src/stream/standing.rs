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

use super::Stream;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::Arc;

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
