//! Named ranges and marks on the timeline of NVIDIA's profilers
//! ([NVTX](https://nvidia.github.io/NVTX/), version 3).
//!
//! A profiler such as Nsight Systems sets the environment variable `NVTX_INJECTION64_PATH` of the programs that it runs to
//! the path of a library. Ptyx loads that library at the first call of this module. Without a profiler, a call only reads
//! a flag: nothing is loaded or allocated, and the driver is not called.
//!
//! ```
//! use ptyx::{DeviceBuffer, nvtx};
//!
//! static SOLVER: nvtx::Domain = nvtx::Domain::new("solver");
//!
//! let _all = nvtx::range("everything");
//! for step in 0..3 {
//!     let _step = SOLVER.range(nvtx::Label::new("step").color(0x76b900).payload(step));
//!     let mut buffer = DeviceBuffer::<u32>::zeroed(1000)?;
//!     buffer.fill(step as u32)?;
//! }
//! nvtx::mark("done");
//! # Ok::<(), ptyx::Error>(())
//! ```

#[cfg(not(ptyx_device))]
mod inject;

use crate::stream::Stream;
use core::marker::PhantomData;
#[cfg(not(ptyx_device))]
use std::sync::OnceLock;

/// The name of a range or a mark, and how it is shown.
///
/// ```
/// use ptyx::nvtx::{self, Label};
/// for layer in 0..4 {
///     let _range = nvtx::range(Label::new("layer").color(0x3080ff).category(1).payload(layer));
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label<'a> {
    name: &'a str,
    color: Option<u32>,
    category: u32,
    payload: Option<u64>,
}

impl<'a> Label<'a> {
    /// A label with this name. A profiler shows the name up to the first NUL.
    ///
    /// ```
    /// assert_eq!(ptyx::nvtx::Label::new("copy"), "copy".into());
    /// ```
    pub const fn new(name: &'a str) -> Label<'a> {
        Label { name, color: None, category: 0, payload: None }
    }

    /// Sets the colour, as `0xrrggbb`.
    ///
    /// ```
    /// ptyx::nvtx::mark(ptyx::nvtx::Label::new("out of memory").color(0xff0000));
    /// ```
    pub const fn color(mut self, rgb: u32) -> Label<'a> {
        self.color = Some(rgb);
        self
    }

    /// Sets a number by which profilers can group events; 0 means no category.
    ///
    /// ```
    /// ptyx::nvtx::mark(ptyx::nvtx::Label::new("read").category(2));
    /// ```
    pub const fn category(mut self, category: u32) -> Label<'a> {
        self.category = category;
        self
    }

    /// Sets a number that is shown with the name.
    ///
    /// ```
    /// ptyx::nvtx::mark(ptyx::nvtx::Label::new("epoch").payload(17));
    /// ```
    pub const fn payload(mut self, payload: u64) -> Label<'a> {
        self.payload = Some(payload);
        self
    }
}

impl<'a> From<&'a str> for Label<'a> {
    fn from(name: &'a str) -> Label<'a> {
        Label::new(name)
    }
}

/// A group of ranges and marks, which profilers show separately from others. A library should have one of its own, in a
/// `static`.
///
/// ```
/// use ptyx::nvtx::Domain;
/// static IO: Domain = Domain::new("io");
/// let _range = IO.range("read the input");
/// ```
pub struct Domain {
    name: &'static str,
    /// The profiler's handle, set at the first use.
    #[cfg(not(ptyx_device))]
    handle: OnceLock<inject::DomainHandle>,
}

impl Domain {
    /// A domain with this name.
    ///
    /// ```
    /// static NETWORK: ptyx::nvtx::Domain = ptyx::nvtx::Domain::new("network");
    /// NETWORK.mark("connected");
    /// ```
    pub const fn new(name: &'static str) -> Domain {
        Domain {
            name,
            #[cfg(not(ptyx_device))]
            handle: OnceLock::new(),
        }
    }

    /// Begins a range of the domain: see [`range`].
    ///
    /// ```
    /// static NETWORK: ptyx::nvtx::Domain = ptyx::nvtx::Domain::new("network");
    /// let _range = NETWORK.range("receive");
    /// ```
    pub fn range<'a>(&'static self, label: impl Into<Label<'a>>) -> Range {
        Range::begin(Some(self), label.into())
    }

    /// Begins a range of the domain that other threads may end: see [`process_range`].
    ///
    /// ```
    /// static NETWORK: ptyx::nvtx::Domain = ptyx::nvtx::Domain::new("network");
    /// let request = NETWORK.process_range("request");
    /// std::thread::spawn(move || drop(request)).join().unwrap();
    /// ```
    pub fn process_range<'a>(&'static self, label: impl Into<Label<'a>>) -> ProcessRange {
        ProcessRange::begin(Some(self), label.into())
    }

    /// Marks a moment in the domain: see [`mark`].
    ///
    /// ```
    /// static NETWORK: ptyx::nvtx::Domain = ptyx::nvtx::Domain::new("network");
    /// NETWORK.mark("timeout");
    /// ```
    pub fn mark<'a>(&'static self, label: impl Into<Label<'a>>) {
        mark_in(Some(self), label.into());
    }
}

/// Begins a range of the calling thread, which ends when the returned value is dropped. Ranges of a thread are nested
/// (`nvtxRangePushEx`, `nvtxRangePop`).
///
/// ```
/// use ptyx::nvtx;
/// let _all = nvtx::range("all");
/// {
///     let _first = nvtx::range("first part");
/// }
/// let _second = nvtx::range("second part");
/// ```
pub fn range<'a>(label: impl Into<Label<'a>>) -> Range {
    Range::begin(None, label.into())
}

/// Begins a range that other threads may end, and that may overlap with others. It ends when the returned value is dropped
/// (`nvtxRangeStartEx`, `nvtxRangeEnd`).
///
/// ```
/// let request = ptyx::nvtx::process_range("request");
/// std::thread::spawn(move || drop(request)).join().unwrap();
/// ```
pub fn process_range<'a>(label: impl Into<Label<'a>>) -> ProcessRange {
    ProcessRange::begin(None, label.into())
}

/// Marks a moment (`nvtxMarkEx`).
///
/// ```
/// ptyx::nvtx::mark("the model is loaded");
/// ```
pub fn mark<'a>(label: impl Into<Label<'a>>) {
    mark_in(None, label.into());
}

/// Names the calling thread in profilers (`nvtxNameOsThreadA`).
///
/// ```
/// std::thread::spawn(|| ptyx::nvtx::name_thread("loader")).join().unwrap();
/// ```
pub fn name_thread(name: &str) {
    #[cfg(not(ptyx_device))]
    if let Some(tool) = inject::tool() {
        tool.name_thread(name);
    }
    let _ = name;
}

/// Names a stream in profilers (`nvtxNameCuStreamA`).
///
/// ```
/// let copies = ptyx::Stream::new()?;
/// ptyx::nvtx::name_stream(&copies, "copies");
/// # Ok::<(), ptyx::Error>(())
/// ```
pub fn name_stream(stream: &Stream, name: &str) {
    #[cfg(not(ptyx_device))]
    if let Some(tool) = inject::tool() {
        tool.name_stream(stream.raw(), name);
    }
    let _ = (stream, name);
}

/// Whether a profiler is attached. Use it to skip building costly names when there is none.
///
/// ```
/// use ptyx::nvtx;
/// let _range = nvtx::is_active().then(|| nvtx::range(&*format!("part {}", 3)));
/// ```
pub fn is_active() -> bool {
    #[cfg(not(ptyx_device))]
    let active = inject::tool().is_some();
    // Opaque: what it guards must stay reachable.
    #[cfg(ptyx_device)]
    let active = core::hint::black_box(false);
    active
}

#[inline]
fn mark_in(domain: Option<&'static Domain>, label: Label<'_>) {
    #[cfg(not(ptyx_device))]
    if let Some(tool) = inject::tool() {
        tool.mark(domain, label);
    }
    let _ = (domain, label);
}

/// A range of a thread, from [`range`]. It ends when this is dropped.
///
/// ```
/// let range: ptyx::nvtx::Range = ptyx::nvtx::range("sort");
/// drop(range); // the range ends
/// ```
#[must_use = "the range ends when this is dropped"]
pub struct Range {
    /// Whether a profiler has been told of it, and in which domain.
    pushed: Option<Option<&'static Domain>>,
    /// Ends on the thread where it began.
    not_send: PhantomData<*const ()>,
}

impl Range {
    #[inline]
    fn begin(domain: Option<&'static Domain>, label: Label<'_>) -> Range {
        let mut pushed = None;
        #[cfg(not(ptyx_device))]
        if let Some(tool) = inject::tool() {
            tool.push(domain, label);
            pushed = Some(domain);
        }
        #[cfg(ptyx_device)]
        if core::hint::black_box(false) {
            pushed = Some(domain);
        }
        let _ = label;
        Range { pushed, not_send: PhantomData }
    }
}

impl Drop for Range {
    #[inline]
    fn drop(&mut self) {
        #[cfg(not(ptyx_device))]
        if let (Some(domain), Some(tool)) = (self.pushed, inject::tool()) {
            tool.pop(domain);
        }
    }
}

/// A range that any thread may end by dropping it, from [`process_range`].
///
/// ```
/// let range: ptyx::nvtx::ProcessRange = ptyx::nvtx::process_range("request 5");
/// drop(range);
/// ```
#[must_use = "the range ends when this is dropped"]
pub struct ProcessRange {
    /// The profiler's number for it, if there is a profiler, and its domain.
    started: Option<(Option<&'static Domain>, u64)>,
}

impl ProcessRange {
    #[inline]
    fn begin(domain: Option<&'static Domain>, label: Label<'_>) -> ProcessRange {
        #[cfg(not(ptyx_device))]
        let started = inject::tool().map(|tool| (domain, tool.start(domain, label)));
        #[cfg(ptyx_device)]
        let started = core::hint::black_box(Some((domain, u64::from(label.category))));
        ProcessRange { started }
    }
}

impl Drop for ProcessRange {
    #[inline]
    fn drop(&mut self) {
        #[cfg(not(ptyx_device))]
        if let (Some((domain, id)), Some(tool)) = (self.started, inject::tool()) {
            tool.end(domain, id);
        }
    }
}
