//! A device as a rank among others.

use super::UniqueId;
use super::library::{Handle, Nccl, RawId};
use crate::context::{Context, after_host_function};
use crate::device_api::Device;
use crate::driver::host_function::inside;
use crate::error::{Error, Result};
use crate::runtime::current;
use core::ffi::{c_int, c_void};
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ptr::null_mut;

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
    pub(super) nccl: &'static Nccl,
    pub(super) handle: Handle,
    pub(super) context: &'static Context,
    rank: u32,
    pub(super) ranks: u32,
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
    /// [`Error::Nccl`](crate::Error::Nccl) if there is no NCCL, and what it reports: no devices, or one twice.
    pub fn all(devices: &[Device]) -> Result<Vec<Communicator>> {
        Communicator::all_of(Nccl::get()?, devices)
    }

    pub(super) fn all_of(nccl: &'static Nccl, devices: &[Device]) -> Result<Vec<Communicator>> {
        let count = c_int::try_from(devices.len())
            .map_err(|_| refused(too_many(devices.len(), "devices")))?;
        if count == 0 {
            return Err(refused("a communicator needs at least one device".to_owned()));
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
    /// [`Error::Nccl`](crate::Error::Nccl) if there is no NCCL, for a rank that is not below the number of ranks, and what NCCL reports.
    pub fn of_rank(id: &UniqueId, ranks: u32, rank: u32) -> Result<Communicator> {
        let nccl = Nccl::get()?;
        let own = rank_below(rank, ranks)?;
        let all = c_int::try_from(ranks).map_err(|_| refused(too_many(ranks as usize, "ranks")))?;
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
        if inside().is_some() {
            // Dropped again there, where the driver may be called.
            let Communicator { nccl, context, rank, ranks, .. } = *self;
            let handle = core::mem::replace(&mut self.handle, null_mut());
            let moved = Communicator { nccl, handle, context, rank, ranks };
            return after_host_function(move || drop(moved));
        }
        if !self.handle.is_null() && self.context.bind().is_ok() {
            // SAFETY: this was its owner.
            let _ = unsafe { self.nccl.ncclCommDestroy(self.handle) };
        }
    }
}

/// By identity: each rank of each communicator is another one.
impl PartialEq for Communicator {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.handle, other.handle)
    }
}

impl Eq for Communicator {}

impl Hash for Communicator {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.handle.hash(state);
    }
}

impl fmt::Debug for Communicator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Communicator { rank, ranks, context, .. } = self;
        write!(f, "Communicator(rank {rank} of {ranks}, device {})", context.ordinal)
    }
}

impl Communicator {
    /// Another rank's number.
    pub(super) fn peer(&self, peer: u32) -> Result<c_int> {
        rank_below(peer, self.ranks)
    }
}

fn refused(reason: String) -> Error {
    Error::Nccl { reason }
}

/// NCCL counts in numbers of C.
fn too_many(count: usize, what: &str) -> String {
    format!("{count} {what} are too many: NCCL has at most {}", c_int::MAX)
}

/// The number of a rank, if there are more than that many.
fn rank_below(rank: u32, ranks: u32) -> Result<c_int> {
    let number = c_int::try_from(rank).ok().filter(|_| rank < ranks);
    number.ok_or_else(|| {
        let there_are = match ranks {
            1 => "there is 1 rank".to_owned(),
            _ => format!("there are {ranks} ranks"),
        };
        refused(format!("rank {rank} does not exist: {there_are}, counted from 0"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_say_what_there_is() {
        let text = |rank, ranks| rank_below(rank, ranks).unwrap_err().to_string();
        assert_eq!((rank_below(0, 1).unwrap(), rank_below(3, 4).unwrap()), (0, 3));
        assert!(text(4, 4).contains("rank 4 does not exist: there are 4 ranks, counted from 0"));
        assert!(text(1, 1).contains("rank 1 does not exist: there is 1 rank, counted from 0"));
        assert!(rank_below(u32::MAX - 1, u32::MAX).is_err());
        let many = too_many(1 << 31, "devices");
        assert_eq!(many, "2147483648 devices are too many: NCCL has at most 2147483647");
    }
}
