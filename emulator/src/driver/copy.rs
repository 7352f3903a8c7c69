//! Copies and fills of several dimensions, also from and to arrays (CUDA driver API, section 6.13).
#![allow(non_snake_case)]

use super::code::{Code, Outcome, put};
use super::graphs::Op;
use super::handle::Handle;
use super::later;
use super::memory::{End, copy, cuMemAlloc_v2, fill_params, filling, is_pageable};
use super::properties::TEXTURE_ALIGNMENT;
use super::state::{Current, current, memory, retained_device};
use super::work::Queue;
use crate::memory::relaxed::Element;
use ptyx_driver_api::*;
use std::ffi::{c_uint, c_void};
use std::sync::Arc;

/// An end of a copy, row after row.
#[derive(Clone, Copy)]
struct Rows {
    start: End,
    /// From a row, and from a plane, to the next one.
    pitch: usize,
    plane: usize,
    array: Option<InArray>,
}

/// A place in a level of an array. A graph looks it up at each launch, because the array may be gone.
#[derive(Clone, Copy)]
struct InArray {
    device: usize,
    address: u64,
    bytes: u64,
    first: usize,
}

impl InArray {
    fn start(self) -> Result<End, Code> {
        let data = memory(self.device).host_pointer(self.address, self.bytes);
        Ok(End::Array(data.ok_or(Code::INVALID_VALUE)?.wrapping_add(self.first)))
    }
}

impl Rows {
    fn again(self) -> Result<Rows, Code> {
        let start = self.array.map_or(Ok(self.start), InArray::start)?;
        Ok(Rows { start, ..self })
    }
}

/// The sum of products of pairs, unless it is too large.
fn offset(pairs: [(usize, usize); 3]) -> Result<usize, Code> {
    let sum = pairs.iter().try_fold(0usize, |sum, &(a, b)| sum.checked_add(a.checked_mul(b)?));
    sum.ok_or(Code::INVALID_VALUE)
}

/// The rows of an end.
fn rows(state: &Current, end: &CUmemcpyEnd3D, extent: [usize; 3]) -> Result<Rows, Code> {
    let [width, height, depth] = extent;
    let is_last = |last: usize, limit: usize| last <= limit;
    if end.level != 0 {
        return Err(Code::INVALID_VALUE);
    }
    if end.kind == CU_MEMORYTYPE_ARRAY {
        let array = state.array(end.array.0 as Handle)?;
        let level = array.image.levels[0];
        let [columns, rows, planes] = level.size.map(|size| size as usize);
        let (pitch, texel) = (level.pitch as usize, array.image.format.bytes() as usize);
        let ends = [(end.x, width), (end.y, height), (end.z, depth)];
        let limits = [columns * texel, rows, planes];
        let is_inside = ends
            .iter()
            .zip(limits)
            .all(|(&(at, count), limit)| at.checked_add(count).is_some_and(|l| is_last(l, limit)));
        if !is_inside || !end.x.is_multiple_of(texel) || !width.is_multiple_of(texel) {
            return Err(Code::INVALID_VALUE);
        }
        let plane = rows * pitch;
        let first = offset([(end.x, 1), (end.y, pitch), (end.z, plane)])?;
        let (device, bytes) = (array.device, level.bytes());
        let place = InArray { device, address: array.image.address + level.offset, bytes, first };
        return Ok(Rows { start: place.start()?, pitch, plane, array: Some(place) });
    }
    // A single row needs no pitch, a single plane no height.
    let pitch = if end.pitch == 0 { width } else { end.pitch };
    let high = if end.height == 0 { height } else { end.height };
    if pitch < width || depth > 1 && high < height {
        return Err(Code::INVALID_VALUE);
    }
    let plane = pitch.checked_mul(high).ok_or(Code::INVALID_VALUE)?;
    let first = offset([(end.x, 1), (end.y, pitch), (end.z, plane)])?;
    let start = match end.kind {
        CU_MEMORYTYPE_HOST => End::Host(end.host.wrapping_byte_add(first)),
        CU_MEMORYTYPE_DEVICE => End::Device(end.device.wrapping_add(first as u64)),
        CU_MEMORYTYPE_UNIFIED => End::either(end.device.wrapping_add(first as u64)),
        _ => return Err(Code::INVALID_VALUE),
    };
    Ok(Rows { start, pitch, plane, array: None })
}

/// The parts of a box without memory, in a sparse array: copies to them do nothing.
fn without_memory(
    state: &Current,
    end: &CUmemcpyEnd3D,
    rows: &Rows,
    extent: [usize; 3],
) -> Result<Vec<(Rows, [usize; 3])>, Code> {
    let mut found = Vec::new();
    if end.kind != CU_MEMORYTYPE_ARRAY {
        return Ok(found);
    }
    let image = &state.array(end.array.0 as Handle)?.image;
    let Some((tiles, level)) = &image.tiles else { return Ok(found) };
    let texel = image.format.bytes() as usize;
    let first = [end.x / texel, end.y, end.z];
    let last = [first[0] + extent[0] / texel, first[1] + extent[1], first[2] + extent[2]];
    let step = tiles.step(*level).map(|step| step as usize);
    // From each place to the next border of a tile.
    let ends = |axis: usize, at: usize| ((at / step[axis] + 1) * step[axis]).min(last[axis]);
    let mut z = first[2];
    while z < last[2] {
        let mut y = first[1];
        while y < last[1] {
            let mut x = first[0];
            while x < last[0] {
                if !tiles.is_mapped(tiles.part(*level, [x, y, z].map(|at| at as u32))) {
                    let skipped = [(x - first[0], texel), (y - first[1], rows.pitch)];
                    let skipped = [skipped[0], skipped[1], (z - first[2], rows.plane)];
                    let part = Rows { start: rows.start.after(offset(skipped)?), ..*rows };
                    let extent = [(ends(0, x) - x) * texel, ends(1, y) - y, ends(2, z) - z];
                    found.push((part, extent));
                }
                x = ends(0, x);
            }
            y = ends(1, y);
        }
        z = ends(2, z);
    }
    Ok(found)
}

/// Whether an end is an array that gets its memory later.
fn has_tiles(state: &Current, what: &CUmemcpy3D) -> bool {
    [what.to, what.from].into_iter().any(|end| {
        end.kind == CU_MEMORYTYPE_ARRAY
            && state.array(end.array.0 as Handle).is_ok_and(|array| array.image.tiles.is_some())
    })
}

/// A copy that was checked.
#[derive(Clone)]
struct Checked {
    to: Rows,
    from: Rows,
    /// Bytes of a row, rows of a plane, planes.
    extent: [usize; 3],
    /// What stays zero.
    zeros: Arc<[(Rows, [usize; 3])]>,
}

impl Checked {
    /// `None` for a copy of nothing.
    fn new(state: &Current, what: &CUmemcpy3D) -> Result<Option<Checked>, Code> {
        let extent = [what.width, what.height, what.depth];
        if extent.contains(&0) {
            return Ok(None);
        }
        let (to, from) = (rows(state, &what.to, extent)?, rows(state, &what.from, extent)?);
        let zeros = without_memory(state, &what.to, &to, extent)?.into();
        Ok(Some(Checked { to, from, extent, zeros }))
    }

    /// Copies row by row.
    fn run(&self) -> Outcome {
        let [width, height, depth] = self.extent;
        for z in 0..depth {
            for y in 0..height {
                let at = |rows: &Rows| {
                    let step = offset([(z, rows.plane), (y, rows.pitch), (0, 0)])?;
                    Ok::<_, Code>(rows.start.after(step))
                };
                copy(at(&self.to)?, at(&self.from)?, width)?;
            }
        }
        for (rows, [width, height, depth]) in self.zeros.iter() {
            let mut zeros = vec![0u8; *width];
            for z in 0..*depth {
                for y in 0..*height {
                    let step = offset([(z, rows.plane), (y, rows.pitch), (0, 0)])?;
                    let from = End::Host(zeros.as_mut_ptr().cast());
                    copy(rows.start.after(step), from, *width)?;
                }
            }
        }
        Ok(())
    }

    /// The copy as a node of a graph.
    fn node(self, what: CUmemcpy3D) -> Op {
        Op::copy(what, move || {
            let (to, from) = (self.to.again()?, self.from.again()?);
            Checked { to, from, ..self.clone() }.run()
        })
    }
}

/// The caller's structure.
///
/// # Safety
/// The pointer is null or leads to one.
unsafe fn given<T: Copy>(copy: *const T) -> Result<T, Code> {
    if copy.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: promised by the caller.
    Ok(unsafe { copy.read() })
}

/// A copy that waits for the device.
fn copy_now(what: &CUmemcpy3D) -> Outcome {
    let state = current()?;
    let queue = Queue::legacy(state.device);
    state.synchronize_queue(queue)?;
    let state = current()?.turn(queue)?;
    Checked::new(&state, what)?.map_or(Ok(()), |copy| copy.run())
}

fn copy_on(what: &CUmemcpy3D, stream: Handle) -> Outcome {
    let mut state = current()?;
    let queue = state.own_queue(stream)?;
    let Some(copy) = Checked::new(&state, what)? else { return Ok(()) };
    if has_tiles(&state, what) {
        // Not put into graphs: what has memory may be something else at each launch.
        state.refuse_captured(stream)?;
    } else if state.capture(stream, || copy.clone().node(*what))? {
        return Ok(());
    }
    if [copy.to, copy.from].iter().any(|rows| is_pageable(&state, rows.start)) {
        // The caller may use such memory as soon as this returns.
        let _state = state.turn(queue)?;
        return copy.run();
    }
    later::submit(state, queue, move |_| copy.run())
}

/// An end of two dimensions as one of three.
fn deep(end: CUmemcpyEnd2D) -> CUmemcpyEnd3D {
    let CUmemcpyEnd2D { x, y, kind, host, device, array, pitch } = end;
    let reserved = std::ptr::null_mut();
    CUmemcpyEnd3D { x, y, z: 0, level: 0, kind, host, device, array, reserved, pitch, height: 0 }
}

fn deep_copy(flat: CUmemcpy2D) -> CUmemcpy3D {
    let CUmemcpy2D { from, to, width, height } = flat;
    CUmemcpy3D { from: deep(from), to: deep(to), width, height, depth: 1 }
}

pub(super) fn cuMemcpy3D_v2(copy: *const CUmemcpy3D) -> Outcome {
    // SAFETY: the caller's pointer, as the driver's function demands; so below.
    copy_now(&unsafe { given(copy)? })
}

pub(super) fn cuMemcpy3DAsync_v2(copy: *const CUmemcpy3D, stream: Handle) -> Outcome {
    // SAFETY: as above.
    copy_on(&unsafe { given(copy)? }, stream)
}

pub(super) fn cuMemcpy2D_v2(copy: *const CUmemcpy2D) -> Outcome {
    // SAFETY: as above.
    copy_now(&deep_copy(unsafe { given(copy)? }))
}

pub(super) fn cuMemcpy2DUnaligned_v2(copy: *const CUmemcpy2D) -> Outcome {
    cuMemcpy2D_v2(copy)
}

pub(super) fn cuMemcpy2DAsync_v2(copy: *const CUmemcpy2D, stream: Handle) -> Outcome {
    // SAFETY: as above.
    copy_on(&deep_copy(unsafe { given(copy)? }), stream)
}

/// The contexts that the ends of a copy between devices name must exist. None is the current one.
fn contexts(what: &CUmemcpy3D) -> Outcome {
    let state = current()?;
    let ends = [what.from.reserved, what.to.reserved];
    let mut named = ends.into_iter().filter(|context| !context.is_null());
    named.try_for_each(|context| retained_device(&state, context as Handle).map(|_| ()))
}

pub(super) fn cuMemcpy3DPeer(copy: *const CUmemcpy3D) -> Outcome {
    // SAFETY: as above.
    let copy = unsafe { given(copy)? };
    contexts(&copy)?;
    copy_now(&copy)
}

pub(super) fn cuMemcpy3DPeerAsync(copy: *const CUmemcpy3D, stream: Handle) -> Outcome {
    // SAFETY: as above.
    let copy = unsafe { given(copy)? };
    contexts(&copy)?;
    // Supposed to be as for `cuMemcpyPeerAsync`.
    current()?.refuse_captured(stream)?;
    copy_on(&copy, stream)
}

/// A copy of one row between the host and an array of one dimension.
fn row(array: Handle, offset: usize, host: *mut c_void, bytes: usize, to_array: bool) -> Outcome {
    let blank = CUmemcpyEnd2D {
        x: 0,
        y: 0,
        kind: CU_MEMORYTYPE_HOST,
        host,
        device: 0,
        array: CUarray::NULL,
        pitch: 0,
    };
    let (kind, array) = (CU_MEMORYTYPE_ARRAY, CUarray(array as *mut c_void));
    let end = CUmemcpyEnd2D { x: offset, kind, array, ..blank };
    let (from, to) = if to_array { (blank, end) } else { (end, blank) };
    copy_now(&deep_copy(CUmemcpy2D { from, to, width: bytes, height: 1 }))
}

pub(super) fn cuMemcpyHtoA_v2(
    to: Handle,
    offset: usize,
    from: *const c_void,
    bytes: usize,
) -> Outcome {
    row(to, offset, from.cast_mut(), bytes, true)
}

pub(super) fn cuMemcpyAtoH_v2(
    to: *mut c_void,
    from: Handle,
    offset: usize,
    bytes: usize,
) -> Outcome {
    row(from, offset, to, bytes, false)
}

pub(super) fn cuMemAllocPitch_v2(
    pointer: *mut u64,
    pitch: *mut usize,
    width: usize,
    height: usize,
    element: c_uint,
) -> Outcome {
    if pitch.is_null() || !matches!(element, 4 | 8 | 16) {
        return Err(Code::INVALID_VALUE);
    }
    let row = width.checked_next_multiple_of(TEXTURE_ALIGNMENT as usize);
    let size = row.and_then(|row| row.checked_mul(height)).ok_or(Code::INVALID_VALUE)?;
    cuMemAlloc_v2(pointer, size)?;
    // SAFETY: the caller's pointer, as the driver's function demands.
    unsafe { put(pitch, row.unwrap_or(0)) }
}

/// A copy that graphs make.
pub(super) fn copy_node(state: &Current, what: CUmemcpy3D) -> Result<Op, Code> {
    match Checked::new(state, &what)? {
        Some(_) if has_tiles(state, &what) => Err(Code::NOT_SUPPORTED),
        Some(copy) => Ok(copy.node(what)),
        None => Ok(Op::copy(what, || Ok(()))),
    }
}

/// A fill that graphs make.
pub(super) fn fill_node(what: CUmemsetNodeParams) -> Result<Op, Code> {
    let CUmemsetNodeParams { to, pitch, value, element, width, height, .. } = what;
    let extent = [width, height];
    Ok(match element {
        1 => Op::fill(what, filling(to, pitch, value as u8, extent)?),
        2 => Op::fill(what, filling(to, pitch, value as u16, extent)?),
        4 => Op::fill(what, filling(to, pitch, value, extent)?),
        _ => return Err(Code::INVALID_VALUE),
    })
}

/// Fills `width` elements of each row.
fn fill<T: Element + Copy + Send + Sync + Into<u32> + 'static>(
    to: u64,
    pitch: usize,
    value: T,
    [width, height]: [usize; 2],
    stream: Handle,
) -> Outcome {
    let mut state = current()?;
    let queue = state.own_queue(stream)?;
    let work = filling(to, pitch, value, [width, height])?;
    if width == 0 || height == 0 {
        return Ok(());
    }
    let params = fill_params(to, pitch, value, [width, height]);
    if state.capture(stream, || Op::fill(params, work))? {
        return Ok(());
    }
    later::submit(state, queue, move |_| work())
}

/// `symbol: type of the value`
macro_rules! fills {
    ($($now:ident, $later:ident: $ty:ty;)*) => {$(
        pub(super) fn $now(to: u64, pitch: usize, value: $ty, width: usize, height: usize) -> Outcome {
            fill(to, pitch, value, [width, height], 0)
        }

        pub(super) fn $later(
            to: u64,
            pitch: usize,
            value: $ty,
            width: usize,
            height: usize,
            stream: Handle,
        ) -> Outcome {
            fill(to, pitch, value, [width, height], stream)
        }
    )*};
}
fills! {
    cuMemsetD2D8_v2, cuMemsetD2D8Async: u8;
    cuMemsetD2D16_v2, cuMemsetD2D16Async: u16;
    cuMemsetD2D32_v2, cuMemsetD2D32Async: u32;
}
