//! What the ranks of a group do together: reductions, copies, messages.

use super::{Communicator, Group, Number, Reduce};
use crate::error::{Error, Result};
use crate::memory::tracker::Access;
use crate::memory::{DeviceSlice, DeviceSliceMut};
use crate::stream::{Entry, Stream};
use core::ffi::{c_int, c_void};

impl<'a> Group<'a> {
    /// Each rank gets the sum, or another reduction, of what all send (`ncclAllReduce`). Both have the same length on all
    /// ranks.
    ///
    /// ```
    /// use ptyx::nccl::{self, Communicator, Reduce};
    /// use ptyx::{DeviceBuffer, Stream};
    ///
    /// /// The largest of the ranks' values at each place; `from` keeps this rank's.
    /// fn largest(
    ///     rank: &Communicator,
    ///     from: &DeviceBuffer<f32>,
    ///     to: &mut DeviceBuffer<f32>,
    ///     stream: &Stream,
    /// ) -> ptyx::Result<()> {
    ///     nccl::group(|group| group.all_reduce(rank, from, to, Reduce::Max, stream))
    /// }
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`]; [`Error::WrongDevice`]; [`Error::Capture`]; [`Error::Nccl`](crate::Error::Nccl).
    pub fn all_reduce<T: Number>(
        &mut self,
        rank: &Communicator,
        from: impl Into<DeviceSlice<'a, T>>,
        to: impl Into<DeviceSliceMut<'a, T>>,
        how: Reduce,
        stream: &'a Stream,
    ) -> Result<()> {
        let (from, to) = (from.into(), to.into());
        expect("what is received", to.len(), from.len())?;
        self.begin(rank, stream, |entry| used(&from, &to, entry))?;
        let Both { from, to, count } = Both::of(&from, &to);
        let (kind, how, stream) = (T::KIND, how as c_int, stream.handle().0);
        // SAFETY: the memory has as many elements, and is borrowed and ordered until the group ends; after that, it is
        // ordered. So below.
        unsafe { rank.nccl.ncclAllReduce(from, to, count, kind, how, rank.handle, stream) }
    }

    /// As [`Group::all_reduce`], in one buffer.
    ///
    /// ```
    /// use ptyx::nccl::{self, Communicator, Reduce};
    /// use ptyx::{DeviceBuffer, Stream};
    ///
    /// /// How many samples all ranks together have seen.
    /// fn count(
    ///     rank: &Communicator,
    ///     samples: &mut DeviceBuffer<u64>,
    ///     stream: &Stream,
    /// ) -> ptyx::Result<()> {
    ///     nccl::group(|group| group.all_reduce_in_place(rank, samples, Reduce::Sum, stream))
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Group::all_reduce`].
    pub fn all_reduce_in_place<T: Number>(
        &mut self,
        rank: &Communicator,
        values: impl Into<DeviceSliceMut<'a, T>>,
        how: Reduce,
        stream: &'a Stream,
    ) -> Result<()> {
        let values = values.into();
        let part = values.as_slice();
        self.begin(rank, stream, |entry| part.order(entry, Access::Write))?;
        let at = address(part.address());
        let (kind, how, stream) = (T::KIND, how as c_int, stream.handle().0);
        // SAFETY: as above; NCCL can do it in place.
        unsafe { rank.nccl.ncclAllReduce(at, at, part.len(), kind, how, rank.handle, stream) }
    }

    /// Each rank gets what the rank `root` has (`ncclBroadcast`, in place).
    ///
    /// ```
    /// use ptyx::nccl::{self, Communicator};
    /// use ptyx::{DeviceBuffer, Stream};
    ///
    /// /// All ranks begin with the weights of rank 0.
    /// fn begin(
    ///     rank: &Communicator,
    ///     weights: &mut DeviceBuffer<f32>,
    ///     stream: &Stream,
    /// ) -> ptyx::Result<()> {
    ///     nccl::group(|group| group.broadcast(rank, weights, 0, stream))
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Group::all_reduce`]; [`Error::Nccl`](crate::Error::Nccl) for a root that is no rank.
    pub fn broadcast<T: Number>(
        &mut self,
        rank: &Communicator,
        values: impl Into<DeviceSliceMut<'a, T>>,
        root: u32,
        stream: &'a Stream,
    ) -> Result<()> {
        let values = values.into();
        let (root, part) = (rank.peer(root)?, values.as_slice());
        self.begin(rank, stream, |entry| part.order(entry, Access::Write))?;
        let (at, kind, stream) = (address(part.address()), T::KIND, stream.handle().0);
        // SAFETY: as above.
        unsafe { rank.nccl.ncclBroadcast(at, at, part.len(), kind, root, rank.handle, stream) }
    }

    /// Each rank gets what all send, one after the other (`ncclAllGather`): `to` has as many times the length of `from` as
    /// there are ranks.
    ///
    /// ```
    /// use ptyx::nccl::{self, Communicator};
    /// use ptyx::{DeviceBuffer, Stream};
    ///
    /// /// Collects the parameters of all ranks, each of which has updated its own part.
    /// fn gather(
    ///     rank: &Communicator,
    ///     from: &DeviceBuffer<f32>,
    ///     to: &mut DeviceBuffer<f32>,
    ///     stream: &Stream,
    /// ) -> ptyx::Result<()> {
    ///     nccl::group(|group| group.all_gather(rank, from, to, stream))
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Group::all_reduce`].
    pub fn all_gather<T: Number>(
        &mut self,
        rank: &Communicator,
        from: impl Into<DeviceSlice<'a, T>>,
        to: impl Into<DeviceSliceMut<'a, T>>,
        stream: &'a Stream,
    ) -> Result<()> {
        let (from, to) = (from.into(), to.into());
        expect("what is received", to.len(), from.len().saturating_mul(rank.ranks as usize))?;
        self.begin(rank, stream, |entry| used(&from, &to, entry))?;
        let Both { from, to, count } = Both::of(&from, &to);
        let (kind, stream) = (T::KIND, stream.handle().0);
        // SAFETY: as above, and `to` has room for all.
        unsafe { rank.nccl.ncclAllGather(from, to, count, kind, rank.handle, stream) }
    }

    /// Each rank gets its part of the sum, or of another reduction, of what all send (`ncclReduceScatter`): `from` has as
    /// many times the length of `to` as there are ranks.
    ///
    /// ```
    /// use ptyx::nccl::{self, Communicator, Reduce};
    /// use ptyx::{DeviceBuffer, Stream};
    ///
    /// /// This rank's part of the sum of all gradients, for the parameters that it updates.
    /// fn scatter(
    ///     rank: &Communicator,
    ///     from: &DeviceBuffer<f32>,
    ///     to: &mut DeviceBuffer<f32>,
    ///     stream: &Stream,
    /// ) -> ptyx::Result<()> {
    ///     nccl::group(|group| group.reduce_scatter(rank, from, to, Reduce::Sum, stream))
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Group::all_reduce`].
    pub fn reduce_scatter<T: Number>(
        &mut self,
        rank: &Communicator,
        from: impl Into<DeviceSlice<'a, T>>,
        to: impl Into<DeviceSliceMut<'a, T>>,
        how: Reduce,
        stream: &'a Stream,
    ) -> Result<()> {
        let (from, to) = (from.into(), to.into());
        expect("what is sent", from.len(), to.len().saturating_mul(rank.ranks as usize))?;
        self.begin(rank, stream, |entry| used(&from, &to, entry))?;
        let count = to.len();
        let Both { from, to, .. } = Both::of(&from, &to);
        let (kind, how, stream) = (T::KIND, how as c_int, stream.handle().0);
        // SAFETY: as above, and `from` has all parts.
        unsafe { rank.nccl.ncclReduceScatter(from, to, count, kind, how, rank.handle, stream) }
    }

    /// Sends to another rank, which must receive the same number of elements (`ncclSend`). A send and the receive that
    /// it waits for must be in one group, or on different threads.
    ///
    /// ```
    /// use ptyx::nccl::{self, Communicator};
    /// use ptyx::{DeviceBuffer, Stream};
    ///
    /// /// Ranks 2i and 2i + 1 exchange their values.
    /// fn swap(
    ///     rank: &Communicator,
    ///     from: &DeviceBuffer<f32>,
    ///     to: &mut DeviceBuffer<f32>,
    ///     stream: &Stream,
    /// ) -> ptyx::Result<()> {
    ///     nccl::group(|group| {
    ///         group.send(rank, from, rank.rank() ^ 1, stream)?;
    ///         group.receive(rank, to, rank.rank() ^ 1, stream)
    ///     })
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Group::all_reduce`]; [`Error::Nccl`](crate::Error::Nccl) for a peer that is no rank.
    pub fn send<T: Number>(
        &mut self,
        rank: &Communicator,
        from: impl Into<DeviceSlice<'a, T>>,
        peer: u32,
        stream: &'a Stream,
    ) -> Result<()> {
        let (from, peer) = (from.into(), rank.peer(peer)?);
        self.begin(rank, stream, |entry| from.order(entry, Access::Read))?;
        let (at, kind, stream) = (address(from.address()), T::KIND, stream.handle().0);
        // SAFETY: as above.
        unsafe { rank.nccl.ncclSend(at, from.len(), kind, peer, rank.handle, stream) }
    }

    /// Receives what another rank sends (`ncclRecv`): see [`Group::send`].
    ///
    /// ```
    /// use ptyx::nccl::{self, Communicator};
    /// use ptyx::{DeviceBuffer, Stream};
    ///
    /// /// Each rank but the first receives the values of the one before it.
    /// fn hand_down(
    ///     rank: &Communicator,
    ///     from: &DeviceBuffer<f32>,
    ///     to: &mut DeviceBuffer<f32>,
    ///     stream: &Stream,
    /// ) -> ptyx::Result<()> {
    ///     nccl::group(|group| {
    ///         if rank.rank() + 1 < rank.ranks() {
    ///             group.send(rank, from, rank.rank() + 1, stream)?;
    ///         }
    ///         if rank.rank() > 0 {
    ///             group.receive(rank, to, rank.rank() - 1, stream)?;
    ///         }
    ///         Ok(())
    ///     })
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Group::send`].
    pub fn receive<T: Number>(
        &mut self,
        rank: &Communicator,
        to: impl Into<DeviceSliceMut<'a, T>>,
        peer: u32,
        stream: &'a Stream,
    ) -> Result<()> {
        let (to, peer) = (to.into(), rank.peer(peer)?);
        let part = to.as_slice();
        self.begin(rank, stream, |entry| part.order(entry, Access::Write))?;
        let (at, kind, stream) = (address(part.address()), T::KIND, stream.handle().0);
        // SAFETY: as above.
        unsafe { rank.nccl.ncclRecv(at, part.len(), kind, peer, rank.handle, stream) }
    }
}

/// What is sent and where it goes, as NCCL takes it.
struct Both {
    from: *const c_void,
    to: *mut c_void,
    /// Elements that are sent.
    count: usize,
}

impl Both {
    fn of<T: Number>(from: &DeviceSlice<'_, T>, to: &DeviceSliceMut<'_, T>) -> Both {
        let to = address(to.as_slice().address());
        Both { from: address(from.address()), to, count: from.len() }
    }
}

/// Orders what is sent and where it goes.
fn used<T: Number>(
    from: &DeviceSlice<'_, T>,
    to: &DeviceSliceMut<'_, T>,
    entry: &Entry<'_>,
) -> Result<()> {
    from.order(entry, Access::Read)?;
    to.as_slice().order(entry, Access::Write)
}

fn address(address: u64) -> *mut c_void {
    address as usize as *mut c_void
}

fn expect(what: &'static str, found: usize, expected: usize) -> Result<()> {
    if found == expected { Ok(()) } else { Err(Error::Length { what, expected, found }) }
}
