//! Groups: calls that begin together.

use super::Communicator;
use super::communicator::Shared;
use super::library::Nccl;
use crate::error::{Error, Result};
use crate::stream::{Capture, Entry, Stream};
use core::cell::Cell;
use core::fmt;
use core::marker::PhantomData;
use std::sync::Arc;

/// Calls that begin together: see [`group`].
///
/// ```
/// use ptyx::nccl::{Communicator, Group};
/// use ptyx::{DeviceBuffer, Stream};
///
/// /// Passes values on to the next rank, in a ring.
/// fn pass<'a>(
///     group: &mut Group<'a>,
///     rank: &Communicator,
///     from: &'a DeviceBuffer<f32>,
///     to: &'a mut DeviceBuffer<f32>,
///     stream: &'a Stream,
/// ) -> ptyx::Result<()> {
///     let (own, ranks) = (rank.rank(), rank.ranks());
///     group.send(rank, from, (own + 1) % ranks, stream)?;
///     group.receive(rank, to, (own + ranks - 1) % ranks, stream)
/// }
/// ```
pub struct Group<'a> {
    /// The calls have noted what they use; the work is given to the streams at the end.
    entries: Vec<Entry<'a>>,
    /// The communicator of each call, and the capture into which it goes. NCCL looks at both until the group ends.
    calls: Vec<(Arc<Shared>, Option<Arc<Capture>>)>,
    nccl: Option<&'static Nccl>,
    /// NCCL's groups are the thread's.
    stays: PhantomData<*mut ()>,
}

thread_local! {
    /// The thread is in a group.
    static IN_GROUP: Cell<bool> = const { Cell::new(false) };
}

/// Makes calls for several ranks of this process, or several messages of one rank, begin together (`ncclGroupStart`,
/// `ncclGroupEnd`). The module has an example. If a rank has a process or a thread of its own, its single call is a
/// group of one call.
///
/// The work is given to the streams when the closure has returned. If it returns an error, what it has called before is
/// still given to them.
///
/// If the streams are captured, the work goes into their graphs: see the [module](crate::nccl).
///
/// ```
/// use ptyx::nccl::{self, Communicator, Reduce};
/// use ptyx::{DeviceBuffer, Stream};
///
/// /// Two reductions that begin together.
/// fn reduce(
///     rank: &Communicator,
///     loss: &mut DeviceBuffer<f32>,
///     gradient: &mut DeviceBuffer<f32>,
///     stream: &Stream,
/// ) -> ptyx::Result<()> {
///     nccl::group(|group| {
///         group.all_reduce_in_place(rank, loss, Reduce::Average, stream)?;
///         group.all_reduce_in_place(rank, gradient, Reduce::Sum, stream)
///     })
/// }
/// ```
///
/// # Errors
/// The closure's; [`Error::Nccl`](crate::Error::Nccl), also for a group inside another, and if only some of the calls
/// are on captured streams.
pub fn group<'a, R>(work: impl FnOnce(&mut Group<'a>) -> Result<R>) -> Result<R> {
    // NCCL would give the inner group's work to the streams at the end of the outer one.
    if IN_GROUP.replace(true) {
        let reason =
            "a group can't begin inside another group: make all calls in the outer one".to_owned();
        return Err(Error::Nccl { reason });
    }
    let mut group =
        Group { entries: Vec::new(), calls: Vec::new(), nccl: None, stays: PhantomData };
    let done = work(&mut group);
    let ended = group.end();
    let done = done?;
    ended.map(|()| done)
}

impl<'a> Group<'a> {
    /// Ends NCCL's group, if one was begun.
    fn end(&mut self) -> Result<()> {
        let ended = match self.nccl.take() {
            // SAFETY: `begin` has begun it, on this thread.
            Some(nccl) => unsafe { nccl.ncclGroupEnd() },
            None => Ok(()),
        };
        self.entries.clear();
        self.calls.clear();
        ended
    }

    /// An error unless NCCL can take the call beside those that the group has. It looks at the end of the group only, and
    /// what it refuses there makes its communicators unusable.
    fn expect_like_others(
        &self,
        rank: &Communicator,
        capture: Option<&Arc<Capture>>,
    ) -> Result<()> {
        let refuse = |reason: &str| Err(Error::Nccl { reason: reason.to_owned() });
        if self.calls.iter().any(|(_, other)| other.is_some() != capture.is_some()) {
            return refuse(
                "the calls of a group must all be on captured streams, or none of them: begin two groups",
            );
        }
        let Some(capture) = capture else { return Ok(()) };
        let mut own = self.calls.iter().filter(|(other, _)| Arc::ptr_eq(other, &rank.shared));
        if own.any(|(_, other)| other.as_ref().is_some_and(|other| !Arc::ptr_eq(other, capture))) {
            return refuse("the calls of a rank in one group must all go into one capture");
        }
        if capture.is_for_node() {
            return refuse(
                "work of NCCL has several nodes: capture it with `Stream::capture`, and add that graph with `Graph::add`",
            );
        }
        rank.expect_captures()
    }

    /// Orders a call's memory on its stream, and begins NCCL's group with the first call.
    pub(super) fn begin(
        &mut self,
        rank: &Communicator,
        stream: &'a Stream,
        order: impl FnOnce(&Entry<'a>) -> Result<()>,
    ) -> Result<()> {
        stream.expect_on(rank.context)?;
        let entry = stream.enter();
        let capture = entry.capture();
        self.expect_like_others(rank, capture.as_ref())?;
        rank.context.bind()?;
        order(&entry)?;
        rank.shared.order(&entry, capture.as_ref())?;
        if self.nccl.is_none() {
            // SAFETY: no precondition.
            unsafe { rank.nccl.ncclGroupStart() }?;
            self.nccl = Some(rank.nccl);
        }
        self.entries.push(entry);
        self.calls.push((rank.shared.clone(), capture));
        // What it waits for may be on other devices.
        Ok(rank.context.bind()?)
    }
}

impl Drop for Group<'_> {
    fn drop(&mut self) {
        // Again, if the closure has panicked.
        let _ = self.end();
        IN_GROUP.set(false);
    }
}

impl fmt::Debug for Group<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Group({} calls)", self.entries.len())
    }
}
