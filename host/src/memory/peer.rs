//! Copies from one device to another.
//!
//! Each tracker knows streams of its own device only. So a stream of the source's device stands for the copy there: it
//! reads the source, as the source's tracker sees it. The copy waits for this stream, and this stream waits for the copy.

use super::allocation::Allocation;
use super::tracker::{Access, Tracker};
use crate::context::{Attached, Context};
use crate::error::Result;
use crate::stream::{Entry, Stream, StreamOptions};
use core::ops::Range;
use std::sync::{Mutex, PoisonError};

/// The most streams of a device that stand for copies to others.
const MAX_READERS: usize = 16;

/// A stream of a device that stands for a copy: one that has nothing to do, if possible.
fn reader(context: &'static Context) -> Result<Stream> {
    static READERS: Attached<Mutex<Vec<Stream>>> = Attached::new();
    let mut readers = READERS.of(context).lock().unwrap_or_else(PoisonError::into_inner);
    let is_free = |stream: &Stream| !stream.is_entered() && stream.0.is_idle().unwrap_or(true);
    if let Some(free) = readers.iter().position(is_free) {
        return Ok(readers[free].clone());
    }
    if readers.len() < MAX_READERS {
        readers.push(Stream::of(context, &StreamOptions::new())?);
    } else {
        readers.rotate_left(1);
    }
    Ok(readers[readers.len() - 1].clone())
}

/// Orders a copy between allocations of different devices, on `stream`, which is on the device of `to`, and calls `copy`
/// to submit it, with whether `stream` is captured: then its device has access to the source, and the copy names no devices.
pub(super) fn between_devices(
    to: &Allocation,
    to_range: Range<usize>,
    from: &Allocation,
    from_range: Range<usize>,
    stream: &Stream,
    copy: impl FnOnce(bool) -> Result<()>,
) -> Result<()> {
    stream.expect_on(to.context)?;
    if to_range.is_empty() {
        return Ok(());
    }
    let entry = stream.enter();
    if let Some(capture) = entry.capture() {
        // Each launch orders itself with the other uses of the source.
        from.collect_read_elsewhere(&capture, stream, from_range)?;
        to.order(&entry, to_range, Access::Write)?;
        stream.context().bind()?;
        return copy(true);
    }
    drop(entry);
    let source = Source {
        context: from.context,
        tracker: &from.tracker,
        range: from_range.clone(),
        read: |reading: &Entry<'_>| from.order(reading, from_range, Access::Read),
    };
    let write = |entry: &Entry<'_>| to.order(entry, to_range, Access::Write);
    between(source, stream, write, || copy(false))
}

/// What a copy between devices reads.
pub(crate) struct Source<'a, R> {
    pub(crate) context: &'static Context,
    pub(crate) tracker: &'a Tracker,
    /// The part that it reads.
    pub(crate) range: Range<usize>,
    /// Orders a read on the source's device.
    pub(crate) read: R,
}

/// The same for anything that is read on the device of `from` and written on that of `stream`, which `write` orders.
pub(crate) fn between(
    from: Source<'_, impl FnOnce(&Entry<'_>) -> Result<()>>,
    stream: &Stream,
    write: impl FnOnce(&Entry<'_>) -> Result<()>,
    copy: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let refuse = || stream.0.refuse_capture("a copy between devices");
    refuse()?;
    let reader = reader(from.context)?;
    // Until the copy has been submitted and the reader waits for it.
    let reading = reader.enter();
    (from.read)(&reading)?;
    let copied = {
        let entry = stream.enter();
        if let Err(captured) = refuse() {
            return Err(captured.into());
        }
        write(&entry)?;
        stream.wait_for(&reader)?;
        stream.context().bind()?;
        copy()
    };
    if let Err(failure) = reader.wait_for(stream) {
        // The source must not be freed or written before it was read: so later uses of it wait for the copy itself.
        from.tracker.used_by(stream, from.range, Access::Read);
        // The first error says more.
        return copied.and(Err(failure.into()));
    }
    copied
}
