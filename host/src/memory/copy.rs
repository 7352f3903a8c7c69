//! Copies and fills between byte ranges.
//!
//! Copies from and to ordinary host memory return when they are done. Everything else is only submitted
//! to a stream.

use super::allocation::Allocation;
use super::of_graph::ONLY_IN_ITS_GRAPH;
use super::peer;
use super::tracker::{Access, Conflict, Tracker};
use super::untracked::untracked;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::stream::{Gates, Stream};
use core::ffi::c_void;
use core::ops::Range;

/// Copies host memory to `range` of an allocation, and waits.
///
/// # Safety
/// `from` is valid for reads of the range's length; nothing else uses the range during the call.
pub(super) unsafe fn upload(
    to: &Allocation,
    range: Range<usize>,
    from: *const c_void,
) -> Result<()> {
    blocking(Tracked::of(to), range.clone(), Access::Write, |stream| {
        let driver = to.context.driver;
        // SAFETY: the range is inside the allocation, `from` is valid (caller), and `blocking`
        // waits for the copy.
        unsafe {
            driver.cuMemcpyHtoDAsync(to.address(range.start), from, range.len(), stream.handle())
        }?;
        Ok(())
    })
}

/// Copies `range` of an allocation to host memory, and waits.
///
/// # Safety
/// `to` is valid for writes of the range's length; nothing writes the range during the call.
pub(super) unsafe fn download(
    from: &Allocation,
    range: Range<usize>,
    to: *mut c_void,
) -> Result<()> {
    blocking(Tracked::of(from), range.clone(), Access::Read, |stream| {
        let driver = from.context.driver;
        // SAFETY: the range is inside the allocation, `to` is valid (caller), and `blocking`
        // waits for the copy.
        unsafe {
            driver.cuMemcpyDtoHAsync(to, from.address(range.start), range.len(), stream.handle())
        }?;
        Ok(())
    })
}

/// Memory with its uses.
#[derive(Clone, Copy)]
pub(crate) struct Tracked<'a> {
    pub(crate) context: &'static Context,
    pub(crate) tracker: &'a Tracker,
    /// The last note of untracked work before raw pointers could point there, if they may: see [`super::untracked`].
    pub(crate) exposed_since: Option<u64>,
    /// A graph uses it: see [`Gates`].
    pub(crate) is_in_graph: bool,
    /// The graph allocates it, so that the host can't use it.
    pub(crate) is_of_graph: bool,
}

impl<'a> Tracked<'a> {
    pub(super) fn of(memory: &'a Allocation) -> Self {
        let (exposed_since, is_in_graph) = (memory.exposed_since(), memory.is_in_graph());
        let (context, tracker) = (memory.context, &memory.tracker);
        let is_of_graph = memory.expect_of_no_graph().is_err();
        Tracked { context, tracker, exposed_since, is_in_graph, is_of_graph }
    }
}

/// Runs a copy after what it conflicts with, and waits for it.
pub(crate) fn blocking(
    memory: Tracked<'_>,
    range: Range<usize>,
    access: Access,
    copy: impl FnOnce(&Stream) -> Result<()>,
) -> Result<()> {
    if range.is_empty() {
        return memory.context.check_default_stream();
    }
    if memory.is_of_graph {
        return Err(ONLY_IN_ITS_GRAPH);
    }
    memory.context.bind()?;
    // Until the copy is done: a graph does not borrow what it uses.
    let _held = memory.is_in_graph.then(|| Gates::of(memory.context).share());
    let earlier = conflicts(memory, &range, access);
    // On the stream that it has to wait for anyway, or on one that has nothing else to do.
    let transfer = || Ok::<_, Error>((memory.context.transfer_stream()?, None));
    let (stream, entry) = match &earlier[..] {
        // Uses of pinned or managed memory can be on other devices.
        [only] if core::ptr::eq(only.stream.context(), memory.context) => {
            // So that no capture of the stream begins before the copy is there.
            let entry = only.stream.enter();
            match only.stream.0.capture() {
                None => (&only.stream, Some(entry)),
                Some(_) => transfer()?,
            }
        }
        _ => transfer()?,
    };
    for conflict in earlier.iter().filter(|conflict| !conflict.stream.is(stream)) {
        conflict.stream.precede(stream)?;
    }
    // Again: those may be on other devices.
    memory.context.bind()?;
    let copied = copy(stream);
    drop(entry);
    if let Err(failure) = stream.0.finish() {
        // First, while it is known which launches were not done.
        let error = failure.into();
        // The copy may still use the caller's memory. If the driver can't say whether it does, the device's memory is not
        // freed, as with other work; of pageable memory, the driver keeps its own copy of what it has read.
        if !stream.0.settle() {
            memory.tracker.used_by(stream, range, access);
        }
        return Err(error);
    }
    copied?;
    memory.tracker.forget(range, access);
    earlier.iter().try_for_each(|conflict| conflict.stream.0.check_panics(conflict.last))?;
    // Memory that a panicked kernel wrote is incomplete: each thread that reads it gets the error, even
    // if another thread got it before.
    let mut read_of = earlier.iter().filter(|conflict| conflict.write && access == Access::Read);
    read_of.try_for_each(|conflict| {
        conflict.stream.0.told_to_others(conflict.first..=conflict.last)
    })?;
    memory.context.check_default_stream()
}

/// What a copy by the host waits for.
fn conflicts(memory: Tracked<'_>, range: &Range<usize>, access: Access) -> Vec<Conflict> {
    let mut earlier = memory.tracker.conflicts(range, access);
    if let Some(since) = memory.exposed_since {
        for (stream, first, last) in untracked(memory.context).launches_since(since) {
            match earlier.iter_mut().find(|known| known.stream.is(&stream)) {
                Some(known) => known.last = known.last.max(last),
                None => {
                    // Not known to be before any host function.
                    let functions = u64::MAX;
                    earlier.push(Conflict { stream, write: true, first, last, functions });
                }
            }
        }
    }
    earlier
}

/// Whether a copy between two allocations goes from device to device.
pub(super) fn are_apart(to: &Allocation, from: &Allocation) -> bool {
    let is_managed = to.is_managed() || from.is_managed();
    !is_managed && !core::ptr::eq(to.context, from.context)
}

/// Copies between two ranges of the same length, on `stream`, which is on the device of `to`.
pub(super) fn device_to_device(
    to: &Allocation,
    to_range: Range<usize>,
    from: &Allocation,
    from_range: Range<usize>,
    stream: &Stream,
) -> Result<()> {
    debug_assert_eq!(to_range.len(), from_range.len());
    let here = stream.context();
    if are_apart(to, from) && !(to.is_reached_by(here) && from.is_reached_by(here)) {
        let (target, source) = (to.address(to_range.start), from.address(from_range.start));
        let bytes = to_range.len();
        return peer::between_devices(to, to_range, from, from_range, stream, |is_captured| {
            let (to, from, handle) = (to.context, from.context, stream.handle());
            // SAFETY: both ranges are inside their allocations, whose trackers know of the use.
            Ok(unsafe {
                match is_captured {
                    true => to.driver.cuMemcpyDtoDAsync(target, source, bytes, handle),
                    false => to.driver.cuMemcpyPeerAsync(
                        target,
                        to.raw(),
                        source,
                        from.raw(),
                        bytes,
                        handle,
                    ),
                }
            }?)
        });
    }
    let entry = stream.enter();
    from.order(&entry, from_range.clone(), Access::Read)?;
    to.order(&entry, to_range.clone(), Access::Write)?;
    if to_range.is_empty() {
        return Ok(());
    }
    // Managed memory may be another device's.
    stream.context().bind()?;
    // SAFETY: both ranges are inside their allocations, which outlive the copy: their trackers
    // know of it.
    unsafe {
        to.context.driver.cuMemcpyDtoDAsync(
            to.address(to_range.start),
            from.address(from_range.start),
            to_range.len(),
            stream.handle(),
        )
    }?;
    Ok(())
}

/// Zeroes a range, on `stream`.
pub(super) fn zero(to: &Allocation, range: Range<usize>, stream: &Stream) -> Result<()> {
    let entry = stream.enter();
    to.order(&entry, range.clone(), Access::Write)?;
    if range.is_empty() {
        return Ok(());
    }
    stream.context().bind()?;
    // SAFETY: the range is inside the allocation, whose tracker knows of the use.
    unsafe {
        to.context.driver.cuMemsetD8Async(to.address(range.start), 0, range.len(), stream.handle())
    }?;
    Ok(())
}
