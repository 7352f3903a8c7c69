//! Profiles: what the device did while a closure ran, and how long it took.

#[cfg(not(ptyx_device))]
mod record;
#[cfg(not(ptyx_device))]
mod session;
mod table;
#[cfg(all(test, not(ptyx_device)))]
mod tests;
#[cfg(not(ptyx_device))]
mod trace_file;
#[cfg(not(ptyx_device))]
mod work;

pub use table::ProfileRow;

use crate::error::Result;
use core::fmt;
use core::time::Duration;
use std::path::Path;
use std::thread::ThreadId;

/// Runs `work`, waits until the devices have done what it submitted, and returns the result of `work` and a
/// [`Profile`] of the devices' work: kernels, copies, fills and graphs.
///
/// Each piece of work is timed by two events in its stream. Only the calling thread's work counts, unless
/// [`ProfileOptions::all_threads`] is set. While no profile runs, there is no overhead.
///
/// ```
/// use ptyx::DeviceBuffer;
/// let (numbers, profile) = ptyx::profile(|| {
///     let mut buffer = DeviceBuffer::<u32>::zeroed(1000)?;
///     buffer.fill(7)?;
///     buffer.to_vec()
/// })?;
/// assert_eq!(numbers, [7; 1000]);
/// println!("{profile}");
/// assert!(profile.to_string().contains("copy to host"));
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// # Errors
/// The error of `work`; [`Error::KernelPanic`](crate::Error::KernelPanic) and [`Error::Fault`](crate::Error::Fault)
/// of kernels that ran.
pub fn profile<R>(work: impl FnOnce() -> Result<R>) -> Result<(R, Profile)> {
    Profile::with(&ProfileOptions::new(), work)
}

/// Options for [`Profile::with`].
///
/// ```
/// use ptyx::{DeviceBuffer, Profile, ProfileOptions};
/// let ((), profile) = Profile::with(&ProfileOptions::new().all_threads(true), || {
///     std::thread::scope(|scope| {
///         scope.spawn(|| DeviceBuffer::<u8>::zeroed(1000)?.fill(1)).join().unwrap()
///     })
/// })?;
/// assert!(!profile.work().is_empty());
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProfileOptions {
    all_threads: bool,
}

impl ProfileOptions {
    /// Only the work of the thread that makes the profile.
    ///
    /// ```
    /// assert_eq!(ptyx::ProfileOptions::new(), ptyx::ProfileOptions::default());
    /// ```
    pub const fn new() -> ProfileOptions {
        ProfileOptions { all_threads: false }
    }

    /// Whether the work of all threads of the process counts.
    ///
    /// ```
    /// let everything = ptyx::ProfileOptions::new().all_threads(true);
    /// assert_ne!(everything, ptyx::ProfileOptions::new());
    /// ```
    pub const fn all_threads(mut self, all: bool) -> ProfileOptions {
        self.all_threads = all;
        self
    }
}

/// A kind of work that a device does.
///
/// ```
/// use ptyx::{DeviceBuffer, WorkKind};
/// let mut buffer = DeviceBuffer::<u32>::zeroed(100)?;
/// let (_, profile) = ptyx::profile(|| {
///     buffer.fill(7)?;
///     buffer.to_vec()
/// })?;
/// let kinds: Vec<WorkKind> = profile.work().iter().map(|work| work.kind).collect();
/// assert_eq!(kinds, [WorkKind::Fill, WorkKind::Copy]);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum WorkKind {
    /// A kernel.
    Kernel,
    /// A copy of memory.
    Copy,
    /// A fill of memory with a value.
    Fill,
    /// A launch of a graph, as a whole.
    Graph,
}

/// A piece of work that a device did.
///
/// ```
/// use ptyx::{DeviceBuffer, WorkKind};
/// let (_, profile) = ptyx::profile(|| DeviceBuffer::from_slice(&[1u32; 100]))?;
/// let copy = &profile.work()[0];
/// assert_eq!((copy.kind, copy.bytes), (WorkKind::Copy, Some(400)));
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ProfiledWork {
    /// Its kind.
    pub kind: WorkKind,
    /// The kernel's `core::any::type_name`, or its entry's name if it belongs to a [`Module`](crate::Module)
    /// or has the knob `alias`; for other work, what it does.
    pub name: String,
    /// How many bytes were copied or filled, if it is a copy or a fill.
    pub bytes: Option<u64>,
    /// The number of blocks in each dimension, if it is a kernel.
    pub blocks: Option<[u32; 3]>,
    /// The number of threads per block in each dimension, if it is a kernel.
    pub threads: Option<[u32; 3]>,
    /// The index of its device.
    pub device_index: u32,
    /// The stream's handle ([`Stream::raw`](crate::Stream::raw)), as a number.
    pub stream: usize,
    /// The thread that submitted it.
    pub thread: ThreadId,
    /// When it was submitted: the time since the profile began.
    pub submitted: Duration,
    /// When it began, by the device's clock: the time since the profile began. `None` if it was not timed, because the
    /// driver could not record an event.
    pub start: Option<Duration>,
    /// How long it took. `None` if it was not timed.
    pub time: Option<Duration>,
}

/// What devices did during a call: from [`profile`].
///
/// `Display` prints a table with a row for each kernel, copy and fill: how often it ran; its total, mean, minimum and
/// maximum time; its share of the time of all work; and for copies and fills the bytes and the throughput.
///
/// - A time is that between two events in a stream, one before and one after the work. It includes the overhead of starting
///   and ending the work, a few microseconds at most, and work that other threads submit to the same stream in between.
/// - Streams overlap, so the total may be longer than the profile.
/// - A graph launch is one piece of work. Work that is captured does not run, and does not count.
/// - Copies that Ptyx makes for itself count, such as those at the first launch of a kernel.
/// - The work of a profile inside another one counts in both.
/// - The events keep programmatic launches from overlapping with the kernels before them.
///
/// ```
/// use ptyx::{DeviceBuffer, Profile};
/// let mut buffer = DeviceBuffer::<u32>::zeroed(1000)?;
/// let ((), profile): (_, Profile) = ptyx::profile(|| {
///     buffer.fill(1)?;
///     buffer.fill(2)
/// })?;
/// println!("{profile}");
/// let rows = profile.rows();
/// assert_eq!((rows.len(), rows[0].count, rows[0].bytes), (1, 2, Some(8000)));
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Profile {
    work: Vec<ProfiledWork>,
    elapsed: Duration,
    failed: u64,
}

impl Profile {
    /// Like [`profile`](profile()), with options.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Profile, ProfileOptions};
    /// let options = ProfileOptions::new().all_threads(true);
    /// let (buffer, profile) = Profile::with(&options, || DeviceBuffer::<u32>::filled(100, 7))?;
    /// assert_eq!(profile.failed(), 0);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`profile`](profile()).
    pub fn with<R>(
        options: &ProfileOptions,
        work: impl FnOnce() -> Result<R>,
    ) -> Result<(R, Profile)> {
        #[cfg(not(ptyx_device))]
        {
            let running = record::Guard::start(options.all_threads);
            let result = work()?;
            Ok((result, running.finish()?))
        }
        #[cfg(ptyx_device)]
        {
            let _ = options;
            let result = work()?;
            let profile = Profile { work: Vec::new(), elapsed: Duration::ZERO, failed: 0 };
            core::hint::black_box(Ok((result, profile)))
        }
    }

    /// Each piece of work, in the order in which it was submitted.
    ///
    /// ```
    /// let ((), profile) = ptyx::profile(|| Ok(()))?;
    /// assert!(profile.work().is_empty());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn work(&self) -> &[ProfiledWork] {
        &self.work
    }

    /// How long the closure took on the host, including the wait for the devices at its end.
    ///
    /// ```
    /// use std::time::Duration;
    /// let ((), profile) = ptyx::profile(|| Ok(std::thread::sleep(Duration::from_millis(2))))?;
    /// assert!(profile.elapsed() >= Duration::from_millis(2));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// How many launches, copies and fills the driver rejected with an error. They are not in [`Profile::work`].
    ///
    /// ```
    /// let ((), profile) = ptyx::profile(|| Ok(()))?;
    /// assert_eq!(profile.failed(), 0);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn failed(&self) -> u64 {
        self.failed
    }

    /// Writes a trace file for <https://ui.perfetto.dev> or `chrome://tracing`: a row for each stream of each device,
    /// and one for each host thread with its calls. An existing file is overwritten.
    ///
    /// ```
    /// use ptyx::DeviceBuffer;
    /// let (_, profile) = ptyx::profile(|| DeviceBuffer::<f32>::filled(1000, 1.5))?;
    /// let file = std::env::temp_dir().join(format!("trace-{}.json", std::process::id()));
    /// profile.write_trace(&file)?;
    /// assert!(std::fs::read_to_string(&file).unwrap().contains("traceEvents"));
    /// # std::fs::remove_file(file).unwrap();
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File).
    pub fn write_trace(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        #[cfg(not(ptyx_device))]
        let written = trace_file::write(self, path);
        #[cfg(ptyx_device)]
        let written = core::hint::black_box(Err(std::io::ErrorKind::Unsupported.into()));
        written.map_err(|error: std::io::Error| crate::Error::File {
            path: path.display().to_string(),
            reason: error.to_string(),
        })
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        table::write(self, f)
    }
}
