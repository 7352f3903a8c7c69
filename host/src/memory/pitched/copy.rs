//! Copies and fills of boxes.

use super::rows::{Cuboid, Rows, Side, each_cuboid};
use crate::context::Context;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::memory::allocation::Allocation;
use crate::memory::copy::{self, Tracked, blocking};
use crate::memory::fill::{self, Element, Pattern};
use crate::memory::peer;
use crate::memory::tracker::Access;
use crate::stream::Stream;
use core::ffi::c_void;
use core::ops::Range;

/// An error that names both shapes unless they are the same.
pub(in crate::memory) fn same_shape<const N: usize>(
    what: &'static str,
    to: [usize; N],
    from: [usize; N],
) -> Result<()> {
    if to == from {
        return Ok(());
    }
    Err(Error::Shapes { what, to: to.to_vec(), from: from.to_vec() })
}

/// The memory that one end of a copy is in.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    Device(&'a Allocation),
    Host(*mut c_void),
}

const BLANK: CUmemcpyEnd3D = CUmemcpyEnd3D {
    x: 0,
    y: 0,
    z: 0,
    level: 0,
    kind: CU_MEMORYTYPE_HOST,
    host: core::ptr::null_mut(),
    device: 0,
    array: CUarray::NULL,
    reserved: core::ptr::null_mut(),
    pitch: 0,
    height: 0,
};

impl Place<'_> {
    fn end(self, side: Side) -> CUmemcpyEnd3D {
        let Side { start, pitch, plane } = side;
        let end = CUmemcpyEnd3D { pitch, height: plane / pitch, ..BLANK };
        match self {
            Place::Device(allocation) => {
                let (kind, device) = (CU_MEMORYTYPE_DEVICE, allocation.address(start));
                CUmemcpyEnd3D { kind, device, ..end }
            }
            Place::Host(host) => CUmemcpyEnd3D { host: host.wrapping_byte_add(start), ..end },
        }
    }
}

/// The driver's description of a copy.
fn described(to: Place<'_>, from: Place<'_>, cuboid: &Cuboid) -> CUmemcpy3D {
    let [width, height, depth] = cuboid.extent;
    CUmemcpy3D { from: from.end(cuboid.from), to: to.end(cuboid.to), width, height, depth }
}

/// Gives a copy to a stream of `context`.
///
/// # Safety
/// Both boxes are valid until the copy is done, and nothing else uses them in a way that conflicts.
pub(super) unsafe fn submit<const N: usize>(
    context: &'static Context,
    (to, to_rows): (Place<'_>, &Rows<N>),
    (from, from_rows): (Place<'_>, &Rows<N>),
    stream: &Stream,
) -> Result<()> {
    each_cuboid(to_rows, from_rows, |cuboid| {
        let copy = described(to, from, cuboid);
        // SAFETY: the caller's promise; the cuboid is within both boxes.
        Ok(unsafe { context.driver.cuMemcpy3DAsync(&copy, stream.handle()) }?)
    })
}

/// Copies host memory to a box, and waits.
///
/// # Safety
/// `host` is valid for reads of its box; nothing else uses the device's box during the call.
pub(super) unsafe fn upload<const N: usize>(
    to: &Allocation,
    to_rows: &Rows<N>,
    (host, from_rows): (*const c_void, &Rows<N>),
) -> Result<()> {
    let (place, from) = (Place::Device(to), Place::Host(host.cast_mut()));
    blocking(Tracked::of(to), to_rows.range(), Access::Write, |stream| {
        // SAFETY: the caller's promise, and `blocking` waits for the copy.
        unsafe { submit(to.context, (place, to_rows), (from, from_rows), stream) }
    })
}

/// Copies a box to host memory, and waits.
///
/// # Safety
/// `host` is valid for writes of its box; nothing writes the device's box during the call.
pub(super) unsafe fn download<const N: usize>(
    from: &Allocation,
    from_rows: &Rows<N>,
    (host, to_rows): (*mut c_void, &Rows<N>),
) -> Result<()> {
    let (place, to) = (Place::Device(from), Place::Host(host));
    blocking(Tracked::of(from), from_rows.range(), Access::Read, |stream| {
        // SAFETY: the caller's promise, and `blocking` waits for the copy.
        unsafe { submit(from.context, (to, to_rows), (place, from_rows), stream) }
    })
}

/// Copies between two boxes of the same shape, on `stream`, which is on the device of `to`.
pub(super) fn device_to_device<const N: usize>(
    (to, to_rows): (&Allocation, &Rows<N>),
    (from, from_rows): (&Allocation, &Rows<N>),
    stream: &Stream,
) -> Result<()> {
    let (to_range, from_range) = (to_rows.range(), from_rows.range());
    let (to_place, from_place) = (Place::Device(to), Place::Device(from));
    if copy::are_apart(to, from) {
        return peer::between_devices(to, to_range, from, from_range, stream, |is_captured| {
            if is_captured {
                // SAFETY: both boxes are inside their allocations, which the graph keeps.
                return unsafe {
                    submit(to.context, (to_place, to_rows), (from_place, from_rows), stream)
                };
            }
            each_cuboid(to_rows, from_rows, |cuboid| {
                let mut copy = described(to_place, from_place, cuboid);
                copy.to.reserved = to.context.raw().0;
                copy.from.reserved = from.context.raw().0;
                // SAFETY: both boxes are inside their allocations, whose trackers know of the use.
                Ok(unsafe { to.context.driver.cuMemcpy3DPeerAsync(&copy, stream.handle()) }?)
            })
        });
    }
    let entry = stream.enter();
    from.order(&entry, from_range, Access::Read)?;
    to.order(&entry, to_range, Access::Write)?;
    stream.context().bind()?;
    // SAFETY: both boxes are inside their allocations, which outlive the copy: their trackers know of it.
    unsafe { submit(to.context, (to_place, to_rows), (from_place, from_rows), stream) }
}

/// Fills a box with `pattern`, which has the size of an element or one byte, on `stream`.
pub(super) fn fill<const N: usize>(
    to: &Allocation,
    rows: &Rows<N>,
    pattern: &Pattern,
    stream: &Stream,
) -> Result<()> {
    let Pattern::One(element) = *pattern else {
        fill::fill(to, first_row(rows), pattern, stream)?;
        return repeat_row(to, rows, stream);
    };
    let entry = stream.enter();
    to.order(&entry, rows.range(), Access::Write)?;
    stream.context().bind()?;
    let (driver, stream) = (to.context.driver, stream.handle());
    each_cuboid(rows, rows, |&Cuboid { extent: [width, height, depth], to: side, .. }| {
        for z in 0..depth {
            let (address, pitch) = (to.address(side.start + z * side.plane), side.pitch);
            // SAFETY: the rows are inside the allocation and aligned for the pattern's type, and the tracker knows
            // of the use.
            unsafe {
                match element {
                    Element::D8(value) => {
                        driver.cuMemsetD2D8Async(address, pitch, value, width, height, stream)
                    }
                    Element::D16(value) => {
                        driver.cuMemsetD2D16Async(address, pitch, value, width / 2, height, stream)
                    }
                    Element::D32(value) => {
                        driver.cuMemsetD2D32Async(address, pitch, value, width / 4, height, stream)
                    }
                }
            }?;
        }
        Ok(())
    })
}

/// Fills a box that is not empty with a value of `bytes`. The host waits until nothing uses the box, and writes the first row.
///
/// # Safety
/// `row` is valid for reads of a row; nothing else uses the box.
pub(super) unsafe fn repeat<const N: usize>(
    to: &Allocation,
    rows: &Rows<N>,
    row: *const c_void,
    stream: &Stream,
) -> Result<()> {
    stream.expect_on(to.context)?;
    stream.0.refuse_capture("a fill with values that the driver does not repeat itself")?;
    // SAFETY: the caller's promise.
    unsafe { copy::upload(to, first_row(rows), row) }?;
    repeat_row(to, rows, stream)
}

/// The bytes of a box's first row.
fn first_row<const N: usize>(rows: &Rows<N>) -> Range<usize> {
    rows.start..rows.start + rows.shape[N - 1] * rows.strides[N - 1]
}

/// Fills the rest of a box with its first row.
fn repeat_row<const N: usize>(to: &Allocation, rows: &Rows<N>, stream: &Stream) -> Result<()> {
    let entry = stream.enter();
    to.order(&entry, rows.range(), Access::Write)?;
    stream.context().bind()?;
    // The filled part grows along one axis after the other, by doubling.
    let mut filled = Rows { shape: [1; N], ..*rows };
    filled.shape[N - 1] = rows.shape[N - 1];
    for axis in (0..N - 1).rev() {
        while filled.shape[axis] < rows.shape[axis] {
            let done = filled.shape[axis];
            let mut source = filled;
            source.shape[axis] = done.min(rows.shape[axis] - done);
            let target = Rows { start: rows.start + done * rows.strides[axis], ..source };
            let place = Place::Device(to);
            // SAFETY: both parts are in the box and do not overlap; the tracker knows of the use.
            unsafe { submit(to.context, (place, &target), (place, &source), stream) }?;
            filled.shape[axis] += source.shape[axis];
        }
    }
    Ok(())
}
