//! Streams whose work goes into a graph instead of to the device.
//!
//! While a stream is captured, the trackers of memory don't know of its work: what the work uses is collected, and each
//! launch of the graph is ordered like a launch of a kernel that uses all of it. Others that wait for a captured stream
//! wait for what it was given before, which an event marks ([`Past`]).
//!
//! A stream is captured from one moment to another while no call has entered it ([`Stream::enter`]), so that a call
//! gives all its work to the same place.

use super::collected::{Collected, GraphSlot, Left, Part, Use};
use super::{Entry, Gates, Stream, StreamInner, all_streams};
use crate::context::{Context, after_host_function};
use crate::driver::Failure;
use crate::driver::captures::InCapture;
use crate::driver::types::*;
use crate::error::Result;
use crate::launched::Launched;
use core::any::Any;
use core::ops::Range;
use core::sync::atomic::{AtomicU32, Ordering};
use core::time::Duration;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// What a stream is: captured or not, or between these.
const NOT_CAPTURED: u32 = 0;
const CAPTURED: u32 = 1;
const CHANGING: u32 = 2;

/// How often a change looks whether calls have left the stream, for how long it does before it gives way, and for how
/// long it tries.
const POLL: Duration = Duration::from_micros(20);
const ATTEMPT: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(10);

/// The key of memory that raw pointers may lead to.
pub(crate) const EXPOSED: usize = 0;

/// A capture: the streams that take part, and what their work uses.
pub(crate) struct Capture {
    pub(crate) context: &'static Context,
    /// The number of the graph that it becomes.
    pub(crate) number: u64,
    /// The number of the graph that its work is for, if that is known.
    pub(crate) graph: Option<u64>,
    /// The streams, the first one first; empty when it is over. Whoever records or destroys an event elsewhere that was
    /// recorded in this capture holds the lock: a driver crashed when another thread did so while the capture ended
    /// (580.159.04, on an H200).
    members: Mutex<Vec<Stream>>,
    collected: Mutex<Collected>,
    /// Orders its streams. No other capture records it, for the same reason.
    event: Mutex<Option<CUevent>>,
}

/// No stream of it is captured any more.
impl Drop for Capture {
    fn drop(&mut self) {
        let (context, event) =
            (self.context, *self.event.get_mut().unwrap_or_else(PoisonError::into_inner));
        let Some(event) = event else { return };
        after_host_function(move || {
            let _turn = InCapture::new();
            if context.bind().is_ok() {
                // SAFETY: nobody else has it.
                let _ = unsafe { context.driver.cuEventDestroy(event) };
            }
        });
    }
}

impl Capture {
    /// Makes `later` wait for everything submitted to `earlier` so far: streams of this capture.
    pub(super) fn order(&self, earlier: &Stream, later: &Stream) -> Result<(), Failure> {
        self.context.order_by(&self.event, earlier.handle(), later.handle())
    }

    pub(crate) fn members(&self) -> MutexGuard<'_, Vec<Stream>> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn collected(&self) -> MutexGuard<'_, Collected> {
        self.collected.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether streams can still take part.
    pub(crate) fn is_open(&self) -> bool {
        !self.members().is_empty()
    }

    /// Notes a use of memory: the stream comes after what conflicts with it in other streams of the capture.
    pub(crate) fn use_memory(
        &self,
        stream: &Stream,
        key: usize,
        range: Range<usize>,
        write: bool,
        part: impl FnOnce() -> Arc<dyn Part>,
    ) -> Result<(), Failure> {
        let mut collected = self.collected();
        let uses = collected.open_uses.entry(key).or_default();
        let mut waited: Vec<u64> = Vec::new();
        for earlier in uses.iter() {
            let id = earlier.stream.0.id;
            let conflicts = (write || earlier.write)
                && earlier.range.start < range.end
                && range.start < earlier.range.end;
            match &earlier.left {
                Some(left) if conflicts => self.come_after(stream, left)?,
                None if conflicts && !earlier.stream.is(stream) && !waited.contains(&id) => {
                    stream.wait_for(&earlier.stream)?;
                    waited.push(id);
                }
                _ => {}
            }
        }
        let same = |known: &Use| known.range == range && known.write == write;
        let is_own =
            |known: &&mut Use| same(known) && known.left.is_none() && known.stream.is(stream);
        if let Some(known) = uses.iter_mut().find(is_own) {
            // This use comes later.
            known.seen = None;
        } else {
            let is_new = !uses.iter().any(same);
            uses.push(Use { stream: stream.clone(), seen: None, left: None, range, write });
            if is_new {
                collected.parts.push(part());
            }
        }
        Ok(())
    }

    /// Raw pointers may lead to the memory with this key from here on: later launches that follow raw pointers come after
    /// its uses so far.
    pub(crate) fn expose(&self, key: usize) {
        let open_uses = &mut self.collected().open_uses;
        let users = open_uses.get(&key).into_iter().flatten();
        let users: Vec<(Stream, Option<Left>)> =
            users.map(|known| (known.stream.clone(), known.left.clone())).collect();
        let exposed = open_uses.entry(EXPOSED).or_default();
        for (stream, left) in users {
            let is_it = |known: &Use| {
                !known.write && known.stream.is(&stream) && known.left.is_none() && left.is_none()
            };
            if !exposed.iter().any(is_it) {
                exposed.push(Use { stream, seen: None, left, range: 0..1, write: false });
            }
        }
    }

    /// The nodes that the next work of one of the streams comes after. Nobody else gives the stream work meanwhile.
    fn dependencies(&self, stream: &Stream) -> Result<Vec<CUgraphNode>, Failure> {
        self.context.bind()?;
        let (mut status, mut id, mut graph) = (CU_STREAM_CAPTURE_STATUS_NONE, 0, CUgraph::NULL);
        let (mut list, mut count) = (core::ptr::null(), 0);
        // SAFETY: the places are valid, the stream alive.
        unsafe {
            self.context.driver.cuStreamGetCaptureInfo(
                stream.handle(),
                &mut status,
                &mut id,
                &mut graph,
                &mut list,
                &mut count,
            )
        }?;
        if status != CU_STREAM_CAPTURE_STATUS_ACTIVE {
            let code = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
            return Err(Failure { call: "cuStreamGetCaptureInfo", code });
        }
        Ok(match count {
            0 => Vec::new(),
            // SAFETY: the driver's list has this length, and stays as it is until the stream is used again.
            _ => unsafe { core::slice::from_raw_parts(list, count) }.to_vec(),
        })
    }

    /// Makes the stream's next work come after these nodes of the graph, too.
    pub(crate) fn come_after(&self, stream: &Stream, nodes: &[CUgraphNode]) -> Result<(), Failure> {
        let mut known = self.dependencies(stream)?;
        let count = known.len();
        for node in nodes {
            if !known.contains(node) {
                known.push(*node);
            }
        }
        match &mut known[count..] {
            [] => Ok(()),
            new => self.update(stream, new, CU_STREAM_ADD_CAPTURE_DEPENDENCIES),
        }
    }

    /// Makes the stream's next work come after these nodes of the graph only. The stream's uses of memory so far still
    /// come before later ones that they conflict with.
    pub(crate) fn come_after_only(
        &self,
        stream: &Stream,
        nodes: &[CUgraphNode],
    ) -> Result<(), Failure> {
        let left = self.dependencies(stream)?;
        let mut all: Vec<CUgraphNode> = Vec::new();
        for node in nodes {
            if !all.contains(node) {
                all.push(*node);
            }
        }
        self.update(stream, &mut all, CU_STREAM_SET_CAPTURE_DEPENDENCIES)?;
        if left.iter().all(|node| all.contains(node)) {
            return Ok(());
        }
        let left: Left = left.into();
        let mut collected = self.collected();
        for known in collected.open_uses.values_mut().flatten() {
            let behind = known.seen.as_ref().unwrap_or(&left);
            let is_before = behind.iter().all(|node| all.contains(node));
            if known.left.is_none() && known.stream.is(stream) && !is_before {
                known.left = Some(behind.clone());
            }
        }
        collected.left.push(left);
        Ok(())
    }

    /// The stream's last nodes, for a caller who may set them as dependencies later. Notes which uses of memory come before
    /// them, so that it is known then.
    pub(crate) fn tell_dependencies(&self, stream: &Stream) -> Result<Vec<CUgraphNode>, Failure> {
        let nodes = self.dependencies(stream)?;
        let seen: Left = nodes.as_slice().into();
        for known in self.collected().open_uses.values_mut().flatten() {
            if known.seen.is_none() && known.stream.is(stream) {
                known.seen = Some(seen.clone());
            }
        }
        Ok(nodes)
    }

    fn update(
        &self,
        stream: &Stream,
        nodes: &mut [CUgraphNode],
        flags: CUstreamUpdateCaptureDependencies_flags,
    ) -> Result<(), Failure> {
        let (driver, list, count) = (self.context.driver, nodes.as_mut_ptr(), nodes.len());
        // SAFETY: the list has `count` nodes, which are of this capture's graph; the stream is alive.
        unsafe { driver.cuStreamUpdateCaptureDependencies(stream.handle(), list, count, flags) }
    }

    /// Notes that each launch of the graph also uses memory of another device.
    pub(crate) fn use_device(&self, owner: &Context) {
        let mut collected = self.collected();
        collected.gates = collected.gates.and(Gates::of(owner));
    }

    /// Adds what each launch of the graph is to be ordered with.
    pub(crate) fn add(&self, part: Arc<dyn Part>) {
        self.collected().parts.push(part);
    }

    /// Keeps something alive for as long as the graph can run.
    pub(crate) fn keep(&self, kept: impl Any + Send + Sync) {
        self.collected().kept.push(Box::new(kept));
    }

    /// The first one of these that is kept.
    pub(crate) fn kept<T: Any + Clone>(&self, is_it: impl Fn(&T) -> bool) -> Option<T> {
        let collected = self.collected();
        let mut all = collected.kept.iter().filter_map(|kept| kept.downcast_ref::<T>());
        all.find(|one| is_it(one)).cloned()
    }

    /// The slot's address and the launch's number, for a launch of a kernel that may panic.
    pub(crate) fn next_launch(&self, launched: &'static Launched) -> Result<(CUdeviceptr, u32)> {
        let mut collected = self.collected();
        let slot = match &collected.slot {
            Some(slot) => slot,
            None => collected.slot.insert(Arc::new(GraphSlot::take(self.context)?)),
        };
        Ok(slot.next_launch(launched))
    }
}

/// The end of what a stream was given before it was captured.
pub(super) struct Past {
    context: &'static Context,
    pub(super) event: CUevent,
}

impl Past {
    fn of(stream: &Stream) -> Result<Past, Failure> {
        let context = stream.context();
        let mut event = CUevent::NULL;
        // SAFETY: the place is valid, the context bound, the stream alive.
        unsafe {
            context.driver.cuEventCreate(&mut event, CU_EVENT_DISABLE_TIMING)?;
            let past = Past { context, event };
            context.driver.cuEventRecord(event, stream.handle())?;
            Ok(past)
        }
    }

    /// Waits on the host.
    pub(super) fn finish(&self) -> Result<(), Failure> {
        self.context.bind()?;
        // SAFETY: the event is alive.
        unsafe { self.context.driver.cuEventSynchronize(self.event) }
    }
}

impl Drop for Past {
    fn drop(&mut self) {
        let (context, event) = (self.context, self.event);
        after_host_function(move || {
            if context.bind().is_ok() {
                // SAFETY: this was its owner.
                let _ = unsafe { context.driver.cuEventDestroy(event) };
            }
        });
    }
}

/// Whether a stream is captured, and where.
#[derive(Default)]
pub(super) struct Membership {
    mode: AtomicU32,
    state: Mutex<Option<(Arc<Capture>, Arc<Past>)>>,
}

impl Membership {
    fn state(&self) -> MutexGuard<'_, Option<(Arc<Capture>, Arc<Past>)>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a call that has just entered must wait for the stream to be captured, or not any more.
    #[inline]
    pub(super) fn is_changing(&self) -> bool {
        self.mode.load(Ordering::SeqCst) == CHANGING
    }

    /// Whether the stream is captured, or on the way.
    #[inline]
    pub(super) fn is_captured(&self) -> bool {
        self.mode.load(Ordering::SeqCst) != NOT_CAPTURED
    }

    /// Begins a change of a stream that is not captured; false if it is.
    fn begin_change(&self) -> bool {
        loop {
            let (old, new) = (NOT_CAPTURED, CHANGING);
            match self.mode.compare_exchange(old, new, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(_) => return true,
                Err(CAPTURED) => return false,
                Err(_) => std::thread::yield_now(),
            }
        }
    }

    fn end_change(&self, now: Option<(Arc<Capture>, Arc<Past>)>) {
        let mode = if now.is_some() { CAPTURED } else { NOT_CAPTURED };
        *self.state() = now;
        self.mode.store(mode, Ordering::SeqCst);
    }
}

/// Whether a result is about the capture itself.
fn is_of_capture(code: CUresult) -> bool {
    (CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED..=CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD).contains(&code)
}

/// What this thread refuses to do to a captured stream.
fn refused(call: &'static str) -> Failure {
    Failure { call, code: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED }
}

impl Entry<'_> {
    /// The capture that the stream takes part in.
    #[inline]
    pub(crate) fn capture(&self) -> Option<Arc<Capture>> {
        if self.is_captured() { self.stream().0.capture() } else { None }
    }
}

impl StreamInner {
    /// The capture that the stream takes part in. It does not change while the caller has entered the stream.
    #[inline]
    pub(crate) fn capture(&self) -> Option<Arc<Capture>> {
        match self.membership.mode.load(Ordering::SeqCst) {
            NOT_CAPTURED => None,
            _ => self.membership.state().as_ref().map(|(capture, _)| capture.clone()),
        }
    }

    /// What the stream was given before it was captured, if it is.
    #[inline]
    pub(super) fn past(&self) -> Option<Arc<Past>> {
        match self.membership.mode.load(Ordering::SeqCst) {
            NOT_CAPTURED => None,
            _ => self.membership.state().as_ref().map(|(_, past)| past.clone()),
        }
    }

    /// An error if the stream is captured: `call` can't be done then.
    #[inline]
    pub(crate) fn refuse_capture(&self, call: &'static str) -> Result<(), Failure> {
        if self.capture().is_some() { Err(refused(call)) } else { Ok(()) }
    }
}

/// A call that asks the driver about a stream, while this lives.
pub(super) struct Waiting<'a>(&'a AtomicU32);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl StreamInner {
    /// Announces such a call. If there is no [`StreamInner::past`] then, the driver does not capture the stream before the
    /// call has begun: a wait for a captured stream, and a question, would spoil the capture.
    pub(super) fn wait_uncaptured(&self) -> Waiting<'_> {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        Waiting(&self.waiting)
    }
}

/// The captures that a device's streams take part in: each once at least.
pub(crate) fn open_captures(context: &Context) -> Vec<Arc<Capture>> {
    let streams = all_streams(context).alive();
    streams.iter().filter_map(|stream| stream.0.capture()).collect()
}

impl Stream {
    /// Waits until no call is giving work to the stream. No new ones come, as the stream is changing.
    fn wait_until_left(&self) {
        while self.is_entered() {
            std::thread::sleep(POLL);
        }
    }

    /// Waits until no call is about to ask the driver about the stream; new ones ask about what was before the capture. One
    /// that has been in the driver for long already spoils nothing.
    fn wait_until_unwatched(&self) {
        let start = Instant::now();
        while self.0.waiting.load(Ordering::SeqCst) > 0 && start.elapsed() < ATTEMPT {
            std::thread::yield_now();
        }
    }

    /// Begins to change the stream, which is not captured, when no call gives work to it.
    ///
    /// Calls may wait for each other: one that has entered this stream for a launch of a graph, which may wait for one
    /// that is about to enter this stream. So this gives way again and again.
    fn begin_change(&self, call: &'static str, is_captured: CUresult) -> Result<(), Failure> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if !self.0.membership.begin_change() {
                return Err(Failure { call, code: is_captured });
            }
            let attempt = Instant::now();
            while self.is_entered() && attempt.elapsed() < ATTEMPT {
                std::thread::sleep(POLL);
            }
            if !self.is_entered() {
                return Ok(());
            }
            self.0.membership.end_change(None);
            std::thread::sleep(ATTEMPT);
        }
        Err(refused("a capture of a stream to which other threads give work all the time"))
    }

    /// Begins a capture of this stream, in a mode that says what is forbidden to which threads.
    /// Its kernels report panics where the graph's others do, if there is such a place.
    pub(crate) fn begin_capture(
        &self,
        slot: Option<Arc<GraphSlot>>,
        number: u64,
        graph: Option<u64>,
        mode: CUstreamCaptureMode,
    ) -> Result<Arc<Capture>> {
        let context = self.context();
        context.bind()?;
        self.begin_change("Stream::capture", CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED)?;
        context.begin_capture(|context| {
            // Another capture, of which the caller may know nothing, is not spoilt.
            let _relaxed = context.driver.relaxed();
            all_streams(context).alive().iter().try_for_each(|stream| stream.0.finish())
        });
        let begun = Past::of(self).and_then(|past| {
            let members = Mutex::new(vec![self.clone()]);
            let collected = Mutex::new(Collected { slot, ..Collected::default() });
            let capture = Arc::new(Capture {
                context,
                number,
                graph,
                members,
                collected,
                event: Mutex::default(),
            });
            let state = (capture.clone(), Arc::new(past));
            // Before the driver knows: others must not wait for the stream itself any more.
            *self.0.membership.state() = Some(state.clone());
            self.wait_until_unwatched();
            let _turn = InCapture::new();
            // SAFETY: the stream is alive.
            unsafe { context.driver.cuStreamBeginCapture(self.handle(), mode) }?;
            Ok((capture, state))
        });
        match begun {
            Ok((capture, state)) => {
                self.0.membership.end_change(Some(state));
                Ok(capture)
            }
            Err(failure) => {
                context.end_capture();
                self.0.membership.end_change(None);
                Err(failure.into())
            }
        }
    }

    /// If the stream takes part in a capture, calls the closure, while no other call can give the stream work.
    pub(crate) fn alone_in_capture<R>(&self, work: impl FnOnce(&Capture) -> R) -> Option<R> {
        let capture = self.0.capture()?;
        // So that the capture does not end meanwhile.
        let members = capture.members();
        if !members.iter().any(|member| member.is(self)) {
            return None;
        }
        let mode = &self.0.membership.mode;
        mode.store(CHANGING, Ordering::SeqCst);
        self.wait_until_left();
        let _turn = InCapture::new();
        let result = work(&capture);
        mode.store(CAPTURED, Ordering::SeqCst);
        Some(result)
    }

    /// Makes the stream take part in a capture: it waits for an event that was recorded there.
    pub(crate) fn join(&self, capture: &Arc<Capture>, event: CUevent) -> Result<()> {
        // The launches are ordered on one device.
        capture.context.expect("a stream that is to take part in a capture", self.context())?;
        let mut members = capture.members();
        if members.is_empty() {
            return Err(Failure { call: "Stream::wait", code: CUDA_ERROR_CAPTURED_EVENT }.into());
        }
        self.begin_change("Stream::wait", CUDA_ERROR_STREAM_CAPTURE_MERGE)?;
        let joined = Past::of(self).and_then(|past| {
            let state = (capture.clone(), Arc::new(past));
            *self.0.membership.state() = Some(state.clone());
            self.wait_until_unwatched();
            let _turn = InCapture::new();
            // SAFETY: stream and event are alive.
            unsafe { capture.context.driver.cuStreamWaitEvent(self.handle(), event, 0) }?;
            Ok(state)
        });
        match joined {
            Ok(state) => {
                members.push(self.clone());
                self.0.membership.end_change(Some(state));
                Ok(())
            }
            Err(failure) => {
                self.0.membership.end_change(None);
                Err(failure.into())
            }
        }
    }

    /// Ends a capture that began with this stream: its graph, and what that uses. All streams are as they were before,
    /// also after an error.
    pub(crate) fn end_capture(&self, capture: &Capture) -> Result<(CUgraph, Collected), Failure> {
        let mut members = capture.members();
        let streams = core::mem::take(&mut *members);
        for stream in &streams {
            stream.0.membership.mode.store(CHANGING, Ordering::SeqCst);
        }
        streams.iter().for_each(Stream::wait_until_left);
        let context = capture.context;
        let (mut graph, mut is_over) = (CUgraph::NULL, false);
        let _turn = InCapture::new();
        let ended = context.bind().and_then(|()| {
            // What other streams have done is part of the graph, whether or not the first one waits for it.
            let mut others = streams.iter().filter(|other| !other.is(self));
            let joined = others
                .try_for_each(|other| capture.order(other, self))
                .and_then(|()| {
                    let left = core::mem::take(&mut capture.collected().left);
                    left.iter().try_for_each(|nodes| capture.come_after(self, nodes))
                })
                .and_then(|()| capture.free_rest(self));
            // SAFETY: the place is valid, the stream alive; so below.
            let mut end =
                || unsafe { context.driver.cuStreamEndCapture(self.handle(), &mut graph) };
            // After an error of another kind, the stream may still be captured.
            let ended = end()
                .or_else(|failure| if is_of_capture(failure.code) { Err(failure) } else { end() });
            is_over = ended.as_ref().err().is_none_or(|failure| is_of_capture(failure.code));
            if joined.is_err() && !graph.0.is_null() {
                // SAFETY: nobody else has the graph, which lacks something.
                let _ = unsafe { context.driver.cuGraphDestroy(graph) };
            }
            // The first error says more.
            joined.and(ended)
        });
        for stream in &streams {
            stream.0.membership.end_change(None);
        }
        // If the driver still captures the stream, it lets nobody wait for the whole device: each stream is waited for, as
        // during a capture.
        if is_over {
            context.end_capture();
        }
        drop(members);
        ended?;
        let mut collected = core::mem::take(&mut *capture.collected());
        collected.close();
        Ok((graph, collected))
    }
}
