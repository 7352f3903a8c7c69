//! Calls that are about to submit work to a stream.

use super::standing::Held;
use super::{Gates, Shared, Standing, Stream};
use crate::context::Context;
use crate::driver::captures::InCapture;
use crate::error::Result;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A call that is about to submit work to a stream. Notes of memory uses need one, see
/// [`crate::memory::tracker`]; it must live until the work is submitted.
pub(crate) struct Entry<'a> {
    stream: &'a Stream,
    /// Which of the counters counts it.
    counter: &'a AtomicU32,
    /// Holds off launches of graphs, if the call uses memory of one.
    gates: Shared,
    /// The work is a kernel, which can use memory of other devices.
    for_kernel: bool,
    /// The uses stand for the launches of a handle, which this knows.
    binding: Option<&'a Binding>,
    /// The stream was captured when the call began: then its driver calls take turns with those of other threads.
    captured: Option<InCapture>,
    /// When the call began, no other was about to submit work to the stream.
    alone: bool,
    /// What the number of the stream's next launch was, and how many host functions it had been given.
    launch: u64,
    functions: u64,
}

impl<'a> Entry<'a> {
    #[inline]
    pub(crate) fn stream(&self) -> &'a Stream {
        self.stream
    }

    /// The work is a kernel. Then memory of another device is no error: the kernel is given access to it.
    #[inline]
    pub(crate) fn for_kernel(self) -> Entry<'a> {
        let mut entry = self;
        entry.for_kernel = true;
        entry
    }

    /// The work is many launches of a kernel: what is noted stands until the handle is dropped.
    pub(crate) fn for_binding<'b>(self, binding: &'b Binding) -> Entry<'b>
    where
        'a: 'b,
    {
        let mut entry: Entry<'b> = self;
        entry.binding = Some(binding);
        entry
    }

    /// The handle that the uses stand for, if they do.
    #[inline]
    pub(crate) fn binding(&self) -> Option<&'a Binding> {
        self.binding
    }

    #[inline]
    pub(crate) fn is_for_kernel(&self) -> bool {
        self.for_kernel
    }

    /// Whether the work goes into a graph. It does not change while the caller has entered the stream.
    #[inline]
    pub(crate) fn is_captured(&self) -> bool {
        self.captured.is_some()
    }

    /// Whether no other call was about to submit work to the stream when this one began. Of two calls at a time, at most one
    /// is alone.
    #[inline]
    pub(crate) fn is_alone(&self) -> bool {
        self.alone
    }

    /// The number of the launch, with which its uses of memory are noted. If another thread's launch takes it, the stream
    /// remembers: see [`StreamInner::next_launch`].
    #[inline]
    pub(crate) fn launch(&self) -> u64 {
        self.launch
    }

    /// How many host functions the stream had been given: see [`StreamInner::host_functions`].
    #[inline]
    pub(crate) fn functions(&self) -> u64 {
        self.functions
    }

    /// A graph uses the memory, of the device `owner`, that the call is about to use: no graph that uses memory of the device
    /// is launched until the call has submitted its work.
    pub(crate) fn hold_off_graphs(&self, owner: &Context) {
        self.gates.add(Gates::of(owner));
    }
}

impl Drop for Entry<'_> {
    #[inline]
    fn drop(&mut self) {
        self.counter.fetch_sub(1, Ordering::Release);
    }
}

impl Stream {
    /// Announces work for the stream.
    #[inline]
    pub(crate) fn enter(&self) -> Entry<'_> {
        loop {
            let entry = self.try_enter();
            let is_changing = entry.is_captured() && self.0.membership.is_changing();
            if entry.functions == self.0.host_functions() && !is_changing {
                return entry;
            }
            // A function came in between, and may not wait for this counter; or the stream begins or ends to be
            // captured.
            drop(entry);
            if is_changing {
                std::thread::yield_now();
            }
        }
    }

    /// The same for a caller that has entered the stream already.
    pub(crate) fn enter_again(&self) -> Entry<'_> {
        loop {
            let entry = self.try_enter();
            if entry.functions == self.0.host_functions() {
                return entry;
            }
        }
    }

    /// Counts a call. It counts if the stream has been given no host function meanwhile.
    #[inline]
    fn try_enter(&self) -> Entry<'_> {
        // Before the call counts: then whoever sees it there sees at least this number of launches.
        let launch = self.0.last_launch() + 1;
        let functions = self.0.host_functions();
        let (counter, other) = self.0.counters(functions);
        // In one order with `next_host_function`.
        let before = counter.fetch_add(1, Ordering::SeqCst);
        Entry {
            stream: self,
            counter,
            gates: Shared::default(),
            for_kernel: false,
            binding: None,
            captured: self.0.membership.is_captured().then(InCapture::new),
            alone: before == 0 && other.load(Ordering::SeqCst) == 0,
            launch,
            functions,
        }
    }

    /// Whether a call is about to submit work to the stream. A thread that has seen a call's note under its
    /// allocation's lock, or that has ended its uses without the lock, also sees the call in this count.
    pub(crate) fn is_entered(&self) -> bool {
        let mut counters = self.0.entered.iter().chain([&self.0.standing]);
        counters.any(|counter| counter.load(Ordering::SeqCst) != 0)
    }
}

/// A use of memory that can be ordered for one more launch.
pub(crate) trait Again: Send + Sync {
    /// Makes `entry`'s stream wait for what the use conflicts with, and notes it; if the stream is captured, for each launch of
    /// the graph.
    fn order(&self, entry: &Entry<'_>) -> Result<()>;
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
