//! Groups: calls that begin together.

use super::Communicator;
use super::library::Nccl;
use crate::error::{Error, Result};
use crate::stream::{Entry, Stream};
use core::cell::Cell;
use core::fmt;
use core::marker::PhantomData;

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
/// The closure's; [`Error::Nccl`](crate::Error::Nccl), also for a group inside another.
pub fn group<'a, R>(work: impl FnOnce(&mut Group<'a>) -> Result<R>) -> Result<R> {
    // NCCL would give the inner group's work to the streams at the end of the outer one.
    if IN_GROUP.replace(true) {
        let reason =
            "a group can't begin inside another group: make all calls in the outer one".to_owned();
        return Err(Error::Nccl { reason });
    }
    let mut group = Group { entries: Vec::new(), nccl: None, stays: PhantomData };
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
        ended
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
        stream.0.refuse_capture("work of NCCL")?;
        rank.context.bind()?;
        order(&entry)?;
        if self.nccl.is_none() {
            // SAFETY: no precondition.
            unsafe { rank.nccl.ncclGroupStart() }?;
            self.nccl = Some(rank.nccl);
        }
        self.entries.push(entry);
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
