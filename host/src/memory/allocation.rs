//! An allocation of device memory, with the streams that use it.

mod in_graphs;
mod standing;

use super::foreign::Foreign;
use super::guards::Guards;
use super::limit;
use super::managed::ManagedUse;
use super::of_graph::{NOT_IN_A_NODE, NOT_SHAREABLE, ONLY_IN_ITS_GRAPH, OfGraph};
use super::peer_access;
use super::pool::{self, MemoryPool, Pool};
use super::reserved::Reserved;
use super::tracker::{Access, Tracker, settled};
use super::untracked::{self, untracked};
use crate::context::{Context, after_host_function};
use crate::driver::host_function::inside;
use crate::driver::types::*;
use crate::driver::{Failure, is_forked};
use crate::error::PeerReason;
use crate::error::{Error, Result};
use crate::stream::{Capture, CapturedMemory, Entry, Stream, open_captures};
use core::ops::{Deref, Range};
use core::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Device memory, with one owner, apart from graphs that use it.
pub(crate) struct Allocation(Arc<Memory>);

impl Deref for Allocation {
    type Target = Memory;

    #[inline]
    fn deref(&self) -> &Memory {
        &self.0
    }
}

/// Device memory. It is freed when nothing uses it: in stream order where the device has
/// pools, else after waiting for the streams that use it.
pub(crate) struct Memory {
    pub(crate) context: &'static Context,
    address: CUdeviceptr,
    pub(crate) bytes: usize,
    pub(crate) tracker: Tracker,
    /// Whether its address was taken ([`super::untracked`]): [`HIDDEN`], [`EXPOSING`] or [`NOTED`].
    exposed: AtomicU8,
    /// The last note of untracked work before that: earlier work has no pointer to it.
    exposed_since: AtomicU64,
    /// A graph uses it, which may be launched while others borrow the memory: see [`crate::stream::gate`].
    in_graph: AtomicBool,
    /// All streams of its device can use it.
    is_plain: bool,
    origin: Origin,
}

/// Where memory comes from, and so how it is given back.
#[derive(Default)]
enum Origin {
    /// From `cuMemAlloc`, also for other processes.
    #[default]
    Apart,
    /// From a pool, the default one if there is none here. A pool lives until its last memory is given back.
    Pool(#[allow(dead_code)] Option<Arc<Pool>>),
    /// Somebody else's.
    Foreign(Foreign),
    /// Managed memory, which streams of all devices can use: who may.
    Managed(Managed),
    /// Mapped at reserved addresses, up to some byte.
    Reserved(Reserved),
    /// From a graph, which allocates and frees it: who may use it.
    Graph(Arc<OfGraph>),
}

/// Who may use managed memory.
#[derive(Default)]
struct Managed {
    attached: Mutex<Attached>,
    /// The host accesses it through guards only, so graphs can use it.
    is_guarded: AtomicBool,
    guards: Guards,
}

/// Who may use managed memory besides the host.
#[derive(Clone, Default)]
enum Attached {
    #[default]
    All,
    Host,
    Only(Stream),
}

/// No raw pointer points there.
const HIDDEN: u8 = 0;
/// Uses note themselves as uses of exposed memory; those before are not noted yet.
const EXPOSING: u8 = 1;
/// All uses are noted: the address can be given away.
const NOTED: u8 = 2;

/// Every allocation starts at a multiple of this many bytes.
pub(crate) const ALIGNMENT: usize = 256;

impl Allocation {
    /// Allocates `bytes` bytes of unknown content, ready for work on `stream`, from a pool of its device; without one,
    /// from the device's current pool.
    pub(super) fn new(
        stream: &Stream,
        bytes: usize,
        pool: Option<&MemoryPool>,
    ) -> Result<Allocation> {
        let context = stream.context();
        if bytes == 0 {
            return Ok(Allocation::with(context, 0, bytes, Tracker::default(), Origin::Apart));
        }
        context.bind()?;
        let entry = stream.enter();
        // An atomic of the last byte takes its whole word, which `compute-sanitizer` would report. The emulated
        // device knows that, and is to report everything else behind the last byte.
        let asked = if context.driver.is_emulated() { bytes } else { bytes.next_multiple_of(4) };
        limit::apply_environment(context)?;
        // Never `cuMemAllocAsync`: the pool must be known, to be kept as long as the memory, and another library could
        // destroy one that it has made current.
        let is_named = pool.is_some();
        let pool = pool.map(MemoryPool::shared).or_else(|| pool::current(context));
        let handle = pool.as_ref().map(|pool| pool.handle).or(context.default_pool);
        if let Some(capture) = entry.capture() {
            // The graph's memory is its own. The driver takes the pool's properties, and can't make such memory for others.
            let handle = match &pool {
                Some(pool) if pool.is_shareable() && is_named => return Err(NOT_SHAREABLE),
                Some(pool) if pool.is_shareable() => context.default_pool,
                _ => handle,
            };
            return Allocation::captured(&entry, &capture, handle, asked, bytes);
        }
        let address = pool::allocate_in(context, pool.as_deref(), bytes, || {
            let (driver, stream, mut address) = (context.driver, stream.handle(), 0);
            let _relaxed = driver.relaxed();
            // SAFETY: `address` is a valid place, the context is bound, stream and pool are alive.
            unsafe {
                match handle {
                    Some(pool) => driver.cuMemAllocFromPoolAsync(&mut address, asked, pool, stream),
                    None => driver.cuMemAlloc(&mut address, asked),
                }
            }?;
            Ok(address)
        })?;
        let (tracker, origin) = match handle {
            // Other streams must wait until the allocation has happened.
            Some(_) => (Tracker::written_by(stream, bytes), Origin::Pool(pool)),
            None => (Tracker::default(), Origin::Apart),
        };
        Ok(Allocation::with(context, address, bytes, tracker, origin))
    }

    fn with(
        context: &'static Context,
        address: CUdeviceptr,
        bytes: usize,
        tracker: Tracker,
        origin: Origin,
    ) -> Allocation {
        let (exposed, exposed_since, in_graph) = (HIDDEN.into(), 0.into(), false.into());
        let is_plain = !matches!(origin, Origin::Managed(_) | Origin::Reserved(_));
        let memory = Memory {
            context,
            address,
            bytes,
            tracker,
            exposed,
            exposed_since,
            in_graph,
            is_plain,
            origin,
        };
        Allocation(Arc::new(memory))
    }

    /// Allocates `bytes` bytes of managed memory, for all, or for the host alone.
    pub(super) fn managed(
        context: &'static Context,
        bytes: usize,
        is_for_host: bool,
    ) -> Result<Allocation> {
        let mut address = 0;
        if bytes > 0 {
            context.bind()?;
            let flags = if is_for_host { CU_MEM_ATTACH_HOST } else { CU_MEM_ATTACH_GLOBAL };
            // SAFETY: a valid place, and the context is bound.
            pool::allocate_apart(context, bytes, || unsafe {
                context.driver.cuMemAllocManaged(&mut address, bytes, flags)
            })?;
        }
        let attached = if is_for_host { Attached::Host } else { Attached::default() };
        let origin =
            Origin::Managed(Managed { attached: Mutex::new(attached), ..Default::default() });
        Ok(Allocation::with(context, address, bytes, Tracker::default(), origin))
    }

    /// Reserved addresses, of which only those with mapped memory can be used.
    pub(super) fn of_reserved(reserved: Reserved) -> Allocation {
        let (context, address, bytes) = (reserved.home(), reserved.address(), reserved.bytes);
        let (tracker, origin) = (Tracker::default(), Origin::Reserved(reserved));
        Allocation::with(context, address, bytes, tracker, origin)
    }

    /// Allocates `bytes` bytes of unknown content that other processes can open.
    pub(super) fn shareable(context: &'static Context, bytes: usize) -> Result<Allocation> {
        if bytes == 0 {
            return Ok(Allocation::with(context, 0, bytes, Tracker::default(), Origin::Apart));
        }
        context.bind()?;
        let mut address = 0;
        // Whole words, as above. SAFETY: a valid place, and the context is bound.
        pool::allocate_apart(context, bytes, || unsafe {
            context.driver.cuMemAlloc(&mut address, bytes.next_multiple_of(4))
        })?;
        Ok(Allocation::with(context, address, bytes, Tracker::default(), Origin::Apart))
    }

    /// Memory that a graph allocates and frees.
    pub(super) fn of_graph(
        context: &'static Context,
        address: CUdeviceptr,
        bytes: usize,
        of_graph: Arc<OfGraph>,
    ) -> Allocation {
        let origin = Origin::Graph(of_graph);
        let allocation = Allocation::with(context, address, bytes, Tracker::default(), origin);
        allocation.0.is_used_by_graph();
        allocation
    }

    /// Memory of `bytes` bytes that each launch of the graph allocates for which the entry's stream is captured; the driver is
    /// asked for `asked`.
    fn captured(
        entry: &Entry<'_>,
        capture: &Arc<Capture>,
        pool: Option<CUmemoryPool>,
        asked: usize,
        bytes: usize,
    ) -> Result<Allocation> {
        if capture.graph.is_some() {
            return Err(NOT_IN_A_NODE);
        }
        let stream = entry.stream();
        let Some(pool) = pool else {
            // Without pools, there is no memory in stream order.
            let (call, code) =
                ("an allocation of device memory", CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
            return Err(Failure { call, code }.into());
        };
        let context = stream.context();
        let memory = pool::allocate_apart(context, bytes, || capture.allocate(entry, pool, asked))?;
        let CapturedMemory { address, is_over } = memory;
        let of_graph = Arc::new(OfGraph::captured(capture, stream.0.id, is_over));
        let allocation = Allocation::of_graph(context, address, bytes, of_graph);
        // Other streams of the capture must wait until the allocation has happened.
        capture.use_memory(stream, allocation.key(), 0..bytes, true, || {
            allocation.0.part(0..bytes, Access::Write)
        })?;
        Ok(allocation)
    }

    /// What graphs know the memory by.
    pub(super) fn key(&self) -> usize {
        key(&self.0)
    }

    /// Memory of somebody else, which is ready in the order of `foreign`'s stream.
    pub(super) fn of_others(address: CUdeviceptr, bytes: usize, foreign: Foreign) -> Allocation {
        let context = foreign.stream.context();
        let tracker = match bytes {
            0 => Tracker::default(),
            _ => Tracker::written_by(&foreign.stream, bytes),
        };
        Allocation::with(context, address, bytes, tracker, Origin::Foreign(foreign))
    }

    /// Makes `entry`'s stream wait for what an access of `range` conflicts with, and notes it; if the stream is
    /// captured, for each launch of the graph.
    #[inline]
    pub(crate) fn order(
        &self,
        entry: &Entry<'_>,
        range: Range<usize>,
        access: Access,
    ) -> Result<()> {
        self.0.order(entry, range, access)
    }
}

/// What graphs know memory by.
fn key(memory: &Arc<Memory>) -> usize {
    Arc::as_ptr(memory).addr()
}

/// A graph may keep the memory, but the owner does not use it any more.
impl Drop for Allocation {
    #[inline]
    fn drop(&mut self) {
        if let Origin::Graph(of_graph) = &self.origin {
            // A child by `fork` waits for no lock.
            if is_forked() {
                return;
            }
            of_graph.free(self.address, |capture, entry| {
                if self.is_exposed() {
                    untracked::collect_exposed(capture, entry.stream())?;
                }
                let whole = 0..self.bytes;
                let part = || self.0.part(whole.clone(), Access::Write);
                capture.use_memory(entry.stream(), self.key(), whole.clone(), true, part)
            });
        }
    }
}

/// An error unless a stream may use managed memory.
fn admit(managed: &Managed, stream: &Stream) -> Result<()> {
    match &*managed.attached.lock().unwrap_or_else(PoisonError::into_inner) {
        Attached::All => Ok(()),
        Attached::Only(own) if own.is(stream) => Ok(()),
        Attached::Only(_) => Err(Error::Attached { to: "another stream" }),
        Attached::Host => Err(Error::Attached { to: "the host" }),
    }
}

impl Memory {
    /// The address of a byte of the allocation.
    #[inline]
    pub(crate) fn address(&self, offset: usize) -> CUdeviceptr {
        self.address + offset as CUdeviceptr
    }

    /// As [`Allocation::order`].
    #[inline]
    fn order(
        self: &Arc<Self>,
        entry: &Entry<'_>,
        range: Range<usize>,
        access: Access,
    ) -> Result<()> {
        if let Some(binding) = entry.binding() {
            return self.order_standing(entry, binding, range, access);
        }
        if entry.is_captured() || self.is_in_graph() {
            return self.order_with_graphs(entry, range, access);
        }
        self.order_now(entry, range, access)
    }

    /// Makes `entry`'s stream wait for what an access of `range` conflicts with, and notes it.
    #[inline]
    fn order_now(&self, entry: &Entry<'_>, range: Range<usize>, access: Access) -> Result<()> {
        let is_here = core::ptr::eq(self.context, entry.stream().context());
        if !(is_here && self.is_plain) {
            self.admit(entry)?;
        }
        let is_empty = range.is_empty();
        self.tracker.order(entry, range, access)?;
        // After it: whoever exposes the memory meanwhile finds the use in the tracker, or it is exposed here.
        if self.is_exposed() && !is_empty {
            untracked(self.context).use_exposed(entry.stream())?;
        }
        Ok(())
    }

    /// An error unless a stream may use the memory.
    #[cold]
    fn admit(&self, entry: &Entry<'_>) -> Result<()> {
        match &self.origin {
            Origin::Managed(managed) => admit(managed, entry.stream()),
            _ if self.is_reached_by(entry.stream().context()) => Ok(()),
            _ => self.reach(entry),
        }
    }

    /// Gives the kernels of a stream's device access to this memory of another one, if the work is a kernel's.
    #[cold]
    fn reach(&self, entry: &Entry<'_>) -> Result<()> {
        let (owner, user) = (self.context, entry.stream().context());
        if !entry.is_for_kernel() {
            return user.expect("a buffer", owner);
        }
        self.reach_from(user)
    }

    /// Gives the kernels of a device access to this memory of another one.
    #[cold]
    fn reach_from(&self, user: &'static Context) -> Result<()> {
        let owner = self.context;
        let reason = match &self.origin {
            Origin::Pool(pool) => return peer_access::enable_pool(user, owner, pool.as_deref()),
            Origin::Apart => return peer_access::enable(user, owner),
            // Checked by the caller.
            Origin::Managed(_) => return Ok(()),
            Origin::Reserved(_) => PeerReason::Growable,
            Origin::Foreign(_) => PeerReason::Foreign,
            Origin::Graph(_) => PeerReason::Graph,
        };
        Err(peer_access::refused(user, owner, reason))
    }

    /// Whether the streams of a device can use it.
    #[inline]
    pub(super) fn is_reached_by(&self, context: &Context) -> bool {
        match &self.origin {
            Origin::Managed(_) => true,
            Origin::Reserved(reserved) => reserved.reaches(context),
            _ => core::ptr::eq(self.context, context),
        }
    }

    /// Whether it is managed memory, which streams of all devices can use.
    pub(crate) fn is_managed(&self) -> bool {
        matches!(self.origin, Origin::Managed(_))
    }

    /// From here on the host accesses the managed memory through guards only.
    pub(super) fn guard(&self) {
        if let Origin::Managed(managed) = &self.origin {
            managed.is_guarded.store(true, Ordering::Release);
        }
    }

    /// The guards through which the host accesses the memory, if that is the only way.
    fn guards(&self) -> Option<&Guards> {
        match &self.origin {
            Origin::Managed(managed) if managed.is_guarded.load(Ordering::Acquire) => {
                Some(&managed.guards)
            }
            _ => None,
        }
    }

    /// Lets the host access guarded memory, when what conflicts with that is done.
    ///
    /// # Panics
    /// As [`Tracker::finish`].
    pub(super) fn hold(&self, access: Access) -> Held<'_> {
        if let Some(guards) = self.guards() {
            guards.begin(access, || self.in_graph.load(Ordering::SeqCst), self.context);
        }
        let held = Held { memory: self, access };
        self.finish_on_host(access);
        held
    }

    /// Whether other processes can open it.
    pub(super) fn is_shareable(&self) -> bool {
        matches!(self.origin, Origin::Apart) && self.bytes > 0
    }

    /// Its addresses, if memory is mapped there bit by bit.
    pub(super) fn reserved(&self) -> Option<&Reserved> {
        match &self.origin {
            Origin::Reserved(reserved) => Some(reserved),
            _ => None,
        }
    }

    /// Makes `entry`'s stream wait for all uses, so that others may use the memory from there on.
    pub(super) fn order_attach(&self, entry: &Entry<'_>) -> Result<()> {
        let stream = entry.stream();
        stream.0.refuse_capture("the use of managed memory")?;
        Ok(self.tracker.order(entry, 0..self.bytes, Access::Write)?)
    }

    /// Says who may use managed memory; `stream` is the one that [`ManagedUse::OneStream`] means.
    pub(super) fn attach(&self, to: ManagedUse, stream: &Stream) {
        if let Origin::Managed(managed) = &self.origin {
            *managed.attached.lock().unwrap_or_else(PoisonError::into_inner) = match to {
                ManagedUse::All => Attached::All,
                ManagedUse::Host => Attached::Host,
                ManagedUse::OneStream => Attached::Only(stream.clone()),
            };
        }
    }

    /// Waits on the host for what an access by the host conflicts with. Failures are left to whoever synchronises.
    /// False if the driver can't say whether that is done.
    ///
    /// # Panics
    /// As [`Tracker::finish`].
    pub(super) fn finish_on_host(&self, access: Access) -> bool {
        let followed = !self.is_exposed() || untracked::finish_on_host(self.context);
        self.tracker.finish(0..self.bytes, access) && followed
    }

    /// Notes that raw pointers may point here. When this returns, on whatever thread, all uses so far are noted.
    pub(crate) fn expose(&self) {
        if self.bytes > 0 && self.exposed.load(Ordering::SeqCst) != NOTED {
            untracked(self.context).expose(|serial| {
                // Not again by a second thread: the first one may have launched something by then.
                if !self.is_exposed() {
                    self.exposed_since.store(serial, Ordering::SeqCst);
                }
                self.exposed.store(EXPOSING, Ordering::SeqCst);
                self.tracker.users()
            });
            if self.is_in_graph() && self.context.has_captures() {
                let key = core::ptr::from_ref(self).addr();
                open_captures(self.context).iter().for_each(|capture| capture.expose(key));
            }
            self.exposed.store(NOTED, Ordering::SeqCst);
        }
    }

    /// Whether raw pointers may point here.
    #[inline]
    pub(crate) fn is_exposed(&self) -> bool {
        self.exposed.load(Ordering::SeqCst) != HIDDEN
    }

    /// The last note of untracked work before raw pointers could point here, if they may.
    pub(super) fn exposed_since(&self) -> Option<u64> {
        self.is_exposed().then(|| self.exposed_since.load(Ordering::SeqCst))
    }

    /// Whether a graph uses it.
    #[inline]
    pub(crate) fn is_in_graph(&self) -> bool {
        self.in_graph.load(Ordering::Acquire)
    }

    /// An error if a graph allocates it.
    pub(super) fn expect_of_no_graph(&self) -> Result<()> {
        if let Origin::Graph(_) = self.origin { Err(ONLY_IN_ITS_GRAPH) } else { Ok(()) }
    }

    /// Frees the memory after all work that uses it.
    fn free(&self) -> Result<(), Failure> {
        if let Origin::Graph(_) = self.origin {
            return Ok(());
        }
        let driver = self.context.driver;
        let bound = self.context.bind();
        let mut streams = self.tracker.streams();
        if self.is_exposed() {
            let launching = untracked(self.context).launching().into_iter();
            let new: Vec<_> =
                launching.filter(|stream| !streams.iter().any(|known| known.is(stream))).collect();
            streams.extend(new);
        }
        if self.reserved().is_some() {
            // Also after a reset of this device: the memory is not the context's, which other devices may use. It is given
            // back when `origin` is dropped.
            return settled(&streams);
        }
        bound?;
        if let Origin::Foreign(foreign) = &self.origin {
            return foreign.wait_for(&streams);
        }
        if self.is_managed() || self.is_shareable() {
            settled(&streams)?;
            let _relaxed = driver.relaxed();
            // SAFETY: no stream uses the memory any more, and this is its only owner.
            return unsafe { driver.cuMemFree(self.address) };
        }
        // So that no capture of the first stream begins before the memory is given back.
        let entry = streams.first().map(Stream::enter);
        // The default stream waits for streams that are not non-blocking, but not for captured ones.
        let is_captured = match streams.first() {
            Some(stream) => stream.0.capture().is_some(),
            None => self.context.has_captures(),
        };
        // Kernels of other devices may have used it: their streams can't free it.
        let is_of_others = |stream: &Stream| !core::ptr::eq(stream.context(), self.context);
        let (stream, rest) = match streams.first() {
            Some(_) if streams.iter().any(is_of_others) => {
                drop(entry);
                return self.free_elsewhere(&streams);
            }
            Some(first) if !is_captured => (first.handle(), 1),
            // Nothing is pending: any stream will do, and the default one always exists.
            None if !is_captured => (CUstream::NULL, 0),
            _ => {
                drop(entry);
                return self.free_elsewhere(&streams);
            }
        };
        for other in streams.iter().skip(rest) {
            if other.precede_handle(stream).is_err() {
                // Then the host waits.
                settled(core::slice::from_ref(other))?;
            }
        }
        let _relaxed = driver.relaxed();
        // SAFETY: on this stream, nothing uses the memory any more, and this is its only owner.
        unsafe { driver.cuMemFreeAsync(self.address, stream) }
    }

    /// Frees the memory when the first stream that uses it is captured, or one is on another device.
    fn free_elsewhere(&self, streams: &[Stream]) -> Result<(), Failure> {
        let not_permitted = |_| Failure { call: "cuMemFreeAsync", code: CUDA_ERROR_NOT_PERMITTED };
        let own = self.context.transfer_stream().map_err(not_permitted)?;
        for stream in streams.iter().filter(|stream| !stream.is(own)) {
            if stream.precede_handle(own.handle()).is_err() {
                settled(core::slice::from_ref(stream))?;
            }
        }
        // Those may be on other devices.
        self.context.bind()?;
        let _relaxed = self.context.driver.relaxed();
        // SAFETY: as above.
        unsafe { self.context.driver.cuMemFreeAsync(self.address, own.handle()) }
    }
}

/// The host accesses guarded memory.
pub(super) struct Held<'a> {
    memory: &'a Memory,
    access: Access,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if let Some(guards) = self.memory.guards() {
            guards.end(self.access);
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // A child by `fork` gives nothing back, and waits for no lock.
        if self.bytes == 0 || is_forked() {
            return;
        }
        if inside().is_some() {
            let Memory { context, address, bytes, is_plain, .. } = *self;
            let origin = core::mem::take(&mut self.origin);
            let tracker = core::mem::take(&mut self.tracker);
            let exposed = self.exposed.load(Ordering::SeqCst).into();
            let exposed_since = self.exposed_since.load(Ordering::SeqCst).into();
            let in_graph = false.into();
            // Dropped again there, where the driver may be called.
            let moved = Memory {
                context,
                address,
                bytes,
                tracker,
                exposed,
                exposed_since,
                in_graph,
                is_plain,
                origin,
            };
            return after_host_function(move || drop(moved));
        }
        // The driver refuses when a kernel has faulted or the process ends. Either way the
        // memory goes with the context.
        let freed = self.free();
        if freed.is_err_and(|failure| failure.code == CUDA_ERROR_NOT_READY) {
            // A stream may still use it.
            core::mem::forget(core::mem::take(&mut self.origin));
        }
        if let Origin::Foreign(foreign) = core::mem::take(&mut self.origin) {
            drop(foreign);
            // Its library may have changed the thread's context.
            let _ = self.context.bind_again();
        }
    }
}
