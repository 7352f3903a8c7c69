//! Sums, copies and messages between devices by NVIDIA's library NCCL, also between processes and machines.
//!
//! NCCL is opened when it is first needed (`libnccl.so.2`). Without it, and on the emulated device, every function here is
//! [`Error::Nccl`](crate::Error::Nccl). [`UniqueId`] shows how several processes find each other.
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

mod communicator;
mod group;
mod library;
mod operations;
#[cfg(test)]
mod tests;

pub use communicator::Communicator;
pub use group::{Group, group};

use crate::error::Result;
use core::ffi::c_int;
use core::fmt;
use library::{Nccl, RawId};
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
    /// [`Error::Nccl`](crate::Error::Nccl).
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
/// [`Error::Nccl`](crate::Error::Nccl) if there is no NCCL.
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

/// Numbers that NCCL knows (`ncclDataType_t`): integers of 8, 32 and 64 bits, `f32`, `f64`, and with the feature `half`, the
/// 16-bit floats of the crate `half` (`bf16` needs NCCL 2.10 or later).
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
#[cfg(feature = "half")]
numbers! {
    half::f16 = 6;
    half::bf16 = 9;
}
