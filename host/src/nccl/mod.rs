//! Sums, copies and messages between devices by NVIDIA's library NCCL, also between processes and machines.
//!
//! NCCL is opened when it is first needed (`libnccl.so.2`). Without it, and on the emulated device, every function here is
//! [`Error::Nccl`]. [`UniqueId`] shows how several processes find each other.
//!
//! Devices that work together are the ranks of one communicator. Each has a [`Communicator`], and all of them must make the
//! same calls in the same order. The devices of one process make them in a [`group`], because a call may wait for the
//! others:
//!
//! ```no_run
//! use ptyx::nccl::{self, Communicator, Reduce};
//! use ptyx::{Device, DeviceBuffer, Stream};
//! let devices = Device::all()?;
//! let ranks = Communicator::all(&devices)?;
//! let mut streams = Vec::new();
//! let mut gradients = Vec::new();
//! for device in &devices {
//!     streams.push(device.with(Stream::new)?);
//!     gradients.push(device.with(|| DeviceBuffer::<f32>::zeroed(1000))?);
//! }
//! // ... each device computes its gradient
//! nccl::group(|group| {
//!     for ((rank, gradient), stream) in ranks.iter().zip(&mut gradients).zip(&streams) {
//!         group.all_reduce_in_place(rank, gradient, Reduce::Sum, stream)?;
//!     }
//!     Ok(())
//! })?;
//! # Ok::<(), ptyx::Error>(())
//! ```
//!
//! Work of NCCL is ordered like a kernel that uses the same buffers: it waits for earlier uses on whatever stream, and later
//! uses wait for it. It can't be captured.

mod library;
#[cfg(test)]
mod tests;

use crate::context::Context;
use crate::device_api::Device;
use crate::error::{Error, Result};
use crate::memory::tracker::Access;
use crate::memory::{DeviceSlice, DeviceSliceMut};
use crate::runtime::current;
use crate::stream::{Entry, Stream};
use core::cell::Cell;
use core::ffi::{c_int, c_void};
use core::fmt;
use core::marker::PhantomData;
use core::ptr::null_mut;
use library::{Handle, Nccl, RawId};
use ptyx_device::DeviceCopy;

/// The identifier by which the ranks of a communicator find each other across processes.
///
/// One process makes it and sends its 128 bytes to the others: by a file, a socket, MPI, or what starts the processes. Each
/// then calls [`Communicator::of_rank`] with its own rank:
///
/// ```no_run
/// use ptyx::nccl::{Communicator, UniqueId};
/// use ptyx::Device;
/// # fn number(name: &str) -> u32 { std::env::var(name).unwrap().parse().unwrap() }
/// // As `torchrun` and `mpirun` tell each process.
/// let (rank, ranks, local) = (number("RANK"), number("WORLD_SIZE"), number("LOCAL_RANK"));
/// let shared = "/shared/folder/id";
/// let id = if rank == 0 {
///     let id = UniqueId::new()?;
///     std::fs::write("/shared/folder/id.new", id.bytes()).unwrap();
///     std::fs::rename("/shared/folder/id.new", shared).unwrap(); // whole, or not there
///     id
/// } else {
///     loop {
///         match std::fs::read(shared).ok().and_then(|bytes| bytes.try_into().ok()) {
///             Some(bytes) => break UniqueId::of_bytes(bytes),
///             None => std::thread::sleep(std::time::Duration::from_millis(10)),
///         }
///     }
/// };
/// Device::get(local)?.make_current()?;
/// let communicator = Communicator::of_rank(&id, ranks, rank)?; // waits for the others
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct UniqueId([u8; 128]);

impl UniqueId {
    /// A new one (`ncclGetUniqueId`). The process that makes it must live until all ranks have found each other.
    ///
    /// ```no_run
    /// use ptyx::nccl::{Communicator, UniqueId};
    /// use ptyx::Device;
    ///
    /// // Two ranks on threads of this process.
    /// let id = UniqueId::new()?;
    /// std::thread::scope(|scope| {
    ///     for rank in 0..2 {
    ///         scope.spawn(move || {
    ///             Device::get(rank)?.make_current()?;
    ///             Communicator::of_rank(&id, 2, rank)
    ///         });
    ///     }
    /// });
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Nccl`].
    pub fn new() -> Result<UniqueId> {
        let mut id = RawId([0; 128]);
        // SAFETY: the place is valid.
        unsafe { Nccl::get()?.ncclGetUniqueId(&mut id) }?;
        Ok(UniqueId(id.0))
    }

    /// The identifier with these bytes, which another process has made.
    ///
    /// ```
    /// use ptyx::nccl::UniqueId;
    ///
    /// /// The identifier that another process has sent.
    /// fn received(from: &mut impl std::io::Read) -> std::io::Result<UniqueId> {
    ///     let mut bytes = [0; 128];
    ///     from.read_exact(&mut bytes)?;
    ///     Ok(UniqueId::of_bytes(bytes))
    /// }
    /// assert!(received(&mut [7; 128].as_slice()).is_ok());
    /// ```
    pub fn of_bytes(bytes: [u8; 128]) -> UniqueId {
        UniqueId(bytes)
    }

    /// The bytes of the identifier, to be sent to other processes.
    ///
    /// ```
    /// use ptyx::nccl::UniqueId;
    ///
    /// /// Sends the identifier to another process.
    /// fn send(id: &UniqueId, to: &mut impl std::io::Write) -> std::io::Result<()> {
    ///     to.write_all(&id.bytes())
    /// }
    /// send(&UniqueId::of_bytes([7; 128]), &mut Vec::new())?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn bytes(&self) -> [u8; 128] {
        self.0
    }
}

impl fmt::Debug for UniqueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Whoever knows all of it can take part.
        write!(f, "UniqueId({:02x}{:02x}..)", self.0[8], self.0[9])
    }
}

/// NCCL's version, such as `(2, 27, 3)` (`ncclGetVersion`).
///
/// ```no_run
/// if ptyx::nccl::version()? < (2, 10, 0) {
///     println!("this NCCL can't average");
/// }
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// # Errors
/// [`Error::Nccl`] if there is no NCCL.
pub fn version() -> Result<(u32, u32, u32)> {
    let mut code: c_int = 0;
    // SAFETY: the place is valid.
    unsafe { Nccl::get()?.ncclGetVersion(&mut code) }?;
    let code = u32::try_from(code).unwrap_or(0);
    // Since 2.9 there are five digits and more.
    Ok(match code {
        0..10_000 => (code / 1000, code / 100 % 10, code % 100),
        _ => (code / 10_000, code / 100 % 100, code % 100),
    })
}

/// How values of several ranks become one (`ncclRedOp_t`).
///
/// ```
/// use ptyx::nccl::{Communicator, Group, Reduce};
/// use ptyx::{DeviceBuffer, Stream};
///
/// /// The mean of all ranks' gradients: by NCCL, or as the sum of gradients that are divided already.
/// fn average<'a>(
///     group: &mut Group<'a>,
///     rank: &Communicator,
///     gradient: &'a mut DeviceBuffer<f32>,
///     is_divided: bool,
///     stream: &'a Stream,
/// ) -> ptyx::Result<()> {
///     let how = if is_divided { Reduce::Sum } else { Reduce::Average };
///     group.all_reduce_in_place(rank, gradient, how, stream)
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum Reduce {
    /// Their sum.
    Sum = 0,
    /// Their product.
    Product = 1,
    /// The largest.
    Max = 2,
    /// The smallest.
    Min = 3,
    /// Their mean; NCCL 2.10 or later.
    Average = 4,
}

/// Numbers that NCCL knows (`ncclDataType_t`): integers of 8, 32 and 64 bits, `f32`, `f64`, and the 16-bit floats of the
/// crate `half`.
///
/// ```
/// use ptyx::nccl::{self, Communicator, Number};
/// use ptyx::{DeviceBuffer, Stream};
///
/// /// Gives the weights of rank 0 to all ranks, whatever their type.
/// fn share<T: Number>(
///     rank: &Communicator,
///     weights: &mut DeviceBuffer<T>,
///     stream: &Stream,
/// ) -> ptyx::Result<()> {
///     nccl::group(|group| group.broadcast(rank, weights, 0, stream))
/// }
/// ```
pub trait Number: DeviceCopy + sealed::Sealed {
    /// NCCL's number for the type.
    const KIND: i32;
}

mod sealed {
    /// Keeps [`Number`](super::Number) to the types that NCCL knows.
    pub trait Sealed {}
}

macro_rules! numbers {
    ($($ty:ty = $kind:literal;)*) => {$(
        impl sealed::Sealed for $ty {}
        impl Number for $ty {
            const KIND: i32 = $kind;
        }
    )*};
}
numbers! {
    i8 = 0;
    u8 = 1;
    i32 = 2;
    u32 = 3;
    i64 = 4;
    u64 = 5;
    f32 = 7;
    f64 = 8;
}

/// A device as a rank among others (`ncclComm_t`).
///
/// It can be sent to another thread, but not used by two at once. All ranks make the same calls in the same order. Drop it
/// when its work is done: NCCL waits for it then.
///
/// ```no_run
/// use ptyx::Device;
/// use ptyx::nccl::Communicator;
///
/// for rank in Communicator::all(&Device::all()?)? {
///     println!("rank {} of {} is device {}", rank.rank(), rank.ranks(), rank.device_index());
/// }
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct Communicator {
    nccl: &'static Nccl,
    handle: Handle,
    context: &'static Context,
    rank: u32,
    ranks: u32,
}

// SAFETY: NCCL lets any thread use a communicator, one at a time.
unsafe impl Send for Communicator {}

impl Communicator {
    /// The ranks of one process: one for each device, in this order (`ncclCommInitAll`).
    ///
    /// ```no_run
    /// use ptyx::Device;
    /// use ptyx::nccl::Communicator;
    ///
    /// // The first two devices.
    /// let ranks = Communicator::all(&[Device::get(0)?, Device::get(1)?])?;
    /// assert_eq!(ranks[1].rank(), 1);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Nccl`] if there is no NCCL, and what it reports: no devices, or one twice.
    pub fn all(devices: &[Device]) -> Result<Vec<Communicator>> {
        Communicator::all_of(Nccl::get()?, devices)
    }

    fn all_of(nccl: &'static Nccl, devices: &[Device]) -> Result<Vec<Communicator>> {
        let too_many =
            |_| Error::Nccl { reason: format!("{} devices are too many", devices.len()) };
        let count = c_int::try_from(devices.len()).map_err(too_many)?;
        if count == 0 {
            return Err(Error::Nccl { reason: "a communicator needs a device".to_owned() });
        }
        let contexts = devices
            .iter()
            .map(|device| device.with(current))
            .collect::<Result<Vec<&'static Context>>>()?;
        let numbers: Vec<c_int> = contexts.iter().map(|context| context.device).collect();
        let mut handles: Vec<Handle> = vec![null_mut(); devices.len()];
        // SAFETY: both lists have as many places as NCCL is told.
        unsafe { nccl.ncclCommInitAll(handles.as_mut_ptr(), count, numbers.as_ptr()) }?;
        let ranks = count as u32;
        let made = handles.into_iter().zip(contexts).zip(0..ranks);
        Ok(made
            .map(|((handle, context), rank)| Communicator { nccl, handle, context, rank, ranks })
            .collect())
    }

    /// One rank of several processes or threads, for the thread's device: waits until all ranks have called it
    /// (`ncclCommInitRank`). [`UniqueId`] has an example.
    ///
    /// ```
    /// use ptyx::nccl::{Communicator, UniqueId};
    ///
    /// /// This process's rank, from what `torchrun` has set.
    /// fn join(id: &UniqueId) -> ptyx::Result<Communicator> {
    ///     let number = |name| std::env::var(name).ok()?.parse().ok();
    ///     let (ranks, rank) = (number("WORLD_SIZE"), number("RANK"));
    ///     Communicator::of_rank(id, ranks.unwrap_or(1), rank.unwrap_or(0))
    /// }
    /// ```
    ///
    /// # Errors
    /// [`Error::Nccl`] if there is no NCCL, for a rank that is not below the number of ranks, and what NCCL reports.
    pub fn of_rank(id: &UniqueId, ranks: u32, rank: u32) -> Result<Communicator> {
        let nccl = Nccl::get()?;
        let number = |value: u32| c_int::try_from(value).ok().filter(|_| rank < ranks);
        let (Some(all), Some(own)) = (number(ranks), number(rank)) else {
            return Err(Error::Nccl {
                reason: format!("rank {rank} of {ranks}: ranks are counted from 0"),
            });
        };
        let context = current()?;
        context.bind()?;
        let mut handle = null_mut();
        // SAFETY: the place is valid, and the context bound.
        unsafe { nccl.ncclCommInitRank(&mut handle, all, RawId(id.0), own) }?;
        Ok(Communicator { nccl, handle, context, rank, ranks })
    }

    /// Which rank this is, from 0.
    ///
    /// ```
    /// use ptyx::nccl::Communicator;
    ///
    /// /// Only one rank writes the log.
    /// fn log(rank: &Communicator, line: &str) {
    ///     if rank.rank() == 0 {
    ///         println!("{line}");
    ///     }
    /// }
    /// ```
    pub fn rank(&self) -> u32 {
        self.rank
    }

    /// How many ranks there are.
    ///
    /// ```
    /// use ptyx::nccl::Communicator;
    ///
    /// /// This rank's part of the samples.
    /// fn part(rank: &Communicator, samples: usize) -> std::ops::Range<usize> {
    ///     let share = samples.div_ceil(rank.ranks() as usize);
    ///     let first = rank.rank() as usize * share;
    ///     first.min(samples)..(first + share).min(samples)
    /// }
    /// ```
    pub fn ranks(&self) -> u32 {
        self.ranks
    }

    /// The index of its device.
    ///
    /// ```
    /// use ptyx::nccl::Communicator;
    /// use ptyx::{Device, DeviceBuffer};
    ///
    /// /// A buffer on the rank's device.
    /// fn buffer(rank: &Communicator, len: usize) -> ptyx::Result<DeviceBuffer<f32>> {
    ///     Device::get(rank.device_index())?.with(|| DeviceBuffer::zeroed(len))
    /// }
    /// ```
    pub fn device_index(&self) -> u32 {
        self.context.ordinal
    }

    /// NCCL's handle (`ncclComm_t`), for other libraries. It is valid while the communicator lives.
    ///
    /// ```
    /// use ptyx::nccl::Communicator;
    /// use std::ffi::c_void;
    ///
    /// /// Passes the communicator to a C library, which borrows it.
    /// fn lend(rank: &Communicator, library: unsafe extern "C" fn(*mut c_void)) {
    ///     // SAFETY: the communicator lives until the function returns.
    ///     unsafe { library(rank.raw()) }
    /// }
    /// ```
    pub fn raw(&self) -> *mut c_void {
        self.handle
    }
}

impl Drop for Communicator {
    fn drop(&mut self) {
        if self.context.bind().is_ok() {
            // SAFETY: this was its owner.
            let _ = unsafe { self.nccl.ncclCommDestroy(self.handle) };
        }
    }
}

impl fmt::Debug for Communicator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Communicator { rank, ranks, context, .. } = self;
        write!(f, "Communicator(rank {rank} of {ranks}, device {})", context.ordinal)
    }
}

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
/// `ncclGroupEnd`). The module has an example. A single call of a rank that has a process or a thread of its own is a group
/// of one call.
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
/// The closure's; [`Error::Nccl`], also for a group inside of another.
pub fn group<'a, R>(work: impl FnOnce(&mut Group<'a>) -> Result<R>) -> Result<R> {
    // NCCL would give the inner group's work to the streams at the end of the outer one.
    if IN_GROUP.replace(true) {
        let reason =
            "a group can't begin inside of another: make all calls in the outer one".to_owned();
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
    fn begin(
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
    /// [`Error::Length`]; [`Error::WrongDevice`]; [`Error::Capture`]; [`Error::Nccl`].
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

    /// The same in one buffer.
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
    /// As [`Group::all_reduce`]; [`Error::Nccl`] for a root that is no rank.
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

    /// Sends to another rank, which must receive the same number of elements (`ncclSend`). A send and the receive that it waits for are
    /// in one group, or on different threads.
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
    /// As [`Group::all_reduce`]; [`Error::Nccl`] for a peer that is no rank.
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

impl Communicator {
    /// Another rank's number.
    fn peer(&self, peer: u32) -> Result<c_int> {
        c_int::try_from(peer).ok().filter(|_| peer < self.ranks).ok_or_else(|| Error::Nccl {
            reason: format!("rank {peer} of {}: ranks are counted from 0", self.ranks),
        })
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
