//! CUDA arrays that get their memory later: sparse ones tile by tile, others at once (CUDA driver API, section 6.14,
//! "Virtual Memory Management").
//!
//! A tile of memory can be mapped once at a time, which the driver does not demand.
#![allow(non_snake_case)]

use super::code::{Code, Outcome, put};
use super::device::check;
use super::handle::Handle;
use super::memory::{End, copy};
use super::ranges::TileState;
use super::state::{Array, Current, State, current, memory, show_output};
use super::virtual_memory::give_back_unused;
use crate::exec::texture::{Image, TILE, Tiles};
use ptyx_driver_api::*;
use std::ffi::{c_int, c_uint};

fn requirements(found: *mut CUarrayMemoryRequirements, array: &Array) -> Outcome {
    if array.flags & CUDA_ARRAY3D_DEFERRED_MAPPING == 0 {
        return Err(Code::INVALID_VALUE);
    }
    let size = array.image.bytes().next_multiple_of(TILE) as usize;
    let wanted = CUarrayMemoryRequirements { size, alignment: TILE as usize, reserved: [0; 4] };
    // SAFETY: the caller's pointer, as the driver's function demands; so below.
    unsafe { put(found, wanted) }
}

pub(super) fn cuArrayGetMemoryRequirements(
    found: *mut CUarrayMemoryRequirements,
    array: Handle,
    device: c_int,
) -> Outcome {
    check(device)?;
    requirements(found, current()?.array(array)?)
}

pub(super) fn cuMipmappedArrayGetMemoryRequirements(
    found: *mut CUarrayMemoryRequirements,
    array: Handle,
    device: c_int,
) -> Outcome {
    check(device)?;
    requirements(found, current()?.mipmapped(array)?)
}

/// Bytes of the tail of a layer, in whole tiles; 0 if there is none.
fn tail_bytes(image: &Image, tiles: &Tiles) -> u64 {
    let tail = image.levels.iter().skip(tiles.tail_level as usize);
    let layers = if image.geometry.is_layered() { image.levels[0].size[2] } else { 1 };
    tail.map(|level| level.bytes() / u64::from(layers)).sum::<u64>().next_multiple_of(TILE)
}

fn properties(found: *mut CUarraySparseProperties, array: &Array) -> Outcome {
    let Some((tiles, _)) = &array.image.tiles else { return Err(Code::INVALID_VALUE) };
    if array.flags & CUDA_ARRAY3D_SPARSE == 0 {
        return Err(Code::INVALID_VALUE);
    }
    let mut wanted = CUarraySparseProperties { tile: tiles.tile, ..Default::default() };
    if array.is_mipmapped {
        wanted.tail_level = tiles.tail_level;
        wanted.tail_bytes = tail_bytes(&array.image, tiles);
    }
    // SAFETY: as above.
    unsafe { put(found, wanted) }
}

pub(super) fn cuArrayGetSparseProperties(
    found: *mut CUarraySparseProperties,
    array: Handle,
) -> Outcome {
    properties(found, current()?.array(array)?)
}

pub(super) fn cuMipmappedArrayGetSparseProperties(
    found: *mut CUarraySparseProperties,
    array: Handle,
) -> Outcome {
    properties(found, current()?.mipmapped(array)?)
}

/// A part of an array, and the tile of memory that it is to get.
struct Step {
    array: Handle,
    part: usize,
    /// The memory, the offset there, and how many tiles; nothing to unmap.
    memory: Option<(Handle, u64, u64)>,
}

/// The parts that one entry of the list means.
fn steps(state: &Current, info: &CUarrayMapInfo) -> Result<Vec<Step>, Code> {
    let refuse = || Code::INVALID_VALUE;
    let require = |holds: bool| if holds { Ok(()) } else { Err(refuse()) };
    let handle = info.resource as Handle;
    let array = match info.resource_type {
        CU_RESOURCE_TYPE_ARRAY => state.array(handle)?,
        CU_RESOURCE_TYPE_MIPMAPPED_ARRAY => state.mipmapped(handle)?,
        _ => return Err(refuse()),
    };
    let (tiles, _) = array.image.tiles.as_ref().ok_or_else(refuse)?;
    require(array.level_of.is_none() && info.flags == 0 && info.reserved == [0; 2])?;
    require(info.devices == 1 << state.device && array.device == state.device)?;
    let is_map = match info.operation {
        CU_MEM_OPERATION_TYPE_MAP => true,
        CU_MEM_OPERATION_TYPE_UNMAP => false,
        _ => return Err(refuse()),
    };
    require(info.handle_type == 0 && is_map == (info.memory != 0))?;
    let image = &array.image;
    // The parts, and how many tiles each takes.
    let (parts, each) = if array.flags & CUDA_ARRAY3D_DEFERRED_MAPPING != 0 {
        (vec![0], image.bytes().div_ceil(TILE))
    } else if info.part == CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL {
        let (layer, offset, bytes) = info.place.as_tail();
        let level = tiles.tail_level as usize;
        let layers = if image.geometry.is_layered() { image.levels[0].size[2] } else { 1 };
        let whole = tail_bytes(image, tiles);
        // Parts of a tail are not told apart here.
        require(level < image.levels.len() && layer < layers && offset == 0 && bytes == whole)?;
        (vec![tiles.part(level, [0, 0, layer])], whole / TILE)
    } else if info.part == CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL {
        let CUarrayPlace([level, layer, place @ ..]) = info.place;
        let [mut x, mut y, mut z, w, h, mut d] = place;
        require(level < tiles.tail_level && (w, h, d) != (0, 0, 0))?;
        let [tw, th, td] = tiles.tile;
        if image.geometry.is_layered() {
            require(z == 0 && d == 1)?;
            (z, d) = (layer, 1);
        } else {
            require(layer == 0)?;
        }
        let size = image.levels[level as usize].size;
        // Whole tiles, or the part that is inside at an edge: an H200's driver refuses boxes that reach beyond.
        let is_whole = |(&(at, count, tile), size): (&(u32, u32, u32), u32)| {
            let end = at.checked_add(count).filter(|end| *end <= size);
            at.is_multiple_of(tile)
                && end.is_some_and(|end| end.is_multiple_of(tile) || end == size)
        };
        let ends = [(x, w, tw), (y, h, th), (z, d, td)];
        require(ends.iter().zip(size).all(is_whole))?;
        let (first, end) = ([x, y], [x + w, y + h, z + d]);
        let mut parts = Vec::new();
        while z < end[2] {
            y = first[1];
            while y < end[1] {
                x = first[0];
                while x < end[0] {
                    parts.push(tiles.part(level as usize, [x, y, z]));
                    x += tw;
                }
                y += th;
            }
            z += td;
        }
        (parts, 1)
    } else {
        return Err(refuse());
    };
    let mut found = Vec::new();
    for (number, part) in parts.into_iter().enumerate() {
        let memory = is_map
            .then(|| (info.memory as Handle, info.offset + number as u64 * each * TILE, each));
        if let Some((handle, offset, _)) = memory {
            let known = state.virtual_memory.memories.get(&handle).ok_or_else(refuse)?;
            let held = known.tiles.as_ref().ok_or_else(refuse)?;
            let end = offset.checked_add(each * TILE).ok_or_else(refuse)?;
            require(known.device == state.device && offset.is_multiple_of(TILE))?;
            require(end <= known.size)?;
            let mut all = (offset..end).step_by(TILE as usize);
            require(all.all(|tile| !matches!(held.get(&tile), Some(TileState::Mapped))))?;
        }
        found.push(Step { array: handle, part, memory });
    }
    Ok(found)
}

/// The rows of a part: the place in the image of each, and its bytes.
fn rows_of(image: &Image, tiles: &Tiles, part: usize) -> Vec<(u64, usize)> {
    let texel = u64::from(image.format.bytes());
    let mut rows = Vec::new();
    for (level, [x, y, z], [w, h, d]) in tiles.boxes(&image.levels, part) {
        let level = &image.levels[level];
        for z in z..z + d {
            for y in y..y + h {
                let row = u64::from(z) * u64::from(level.size[1]) + u64::from(y);
                let at = level.offset + row * level.pitch + u64::from(x) * texel;
                rows.push((at, (u64::from(w) * texel) as usize));
            }
        }
    }
    rows
}

impl Current {
    /// Maps or unmaps a part.
    fn remap(&mut self, step: Step) -> Outcome {
        let array = self.arrays.get(&step.array).ok_or(Code::INVALID_HANDLE)?;
        let (image, device) = (array.image.clone(), array.device);
        let (tiles, _) = image.tiles.clone().ok_or(Code::INVALID_VALUE)?;
        let base = memory(device).host_pointer(image.address, image.bytes());
        let base = base.ok_or(Code::INVALID_VALUE)?;
        let rows = rows_of(&image, &tiles, step.part);
        // What is mapped already loses its memory first.
        let key = (step.array, step.part);
        if let Some((handle, offsets)) = self.tiles.remove(&key) {
            let mut bytes = vec![0u8; rows.iter().map(|&(_, bytes)| bytes).sum()];
            let mut rest = &mut bytes[..];
            let zeros = vec![0u8; rows.iter().map(|&(_, bytes)| bytes).max().unwrap_or(0)];
            for &(at, bytes) in &rows {
                let place = End::Array(base.wrapping_add(at as usize));
                let (own, behind) = rest.split_at_mut(bytes);
                copy(End::Host(own.as_mut_ptr().cast()), place, bytes)?;
                copy(place, End::Host(zeros.as_ptr().cast_mut().cast()), bytes)?;
                rest = behind;
            }
            self.let_go_of_tiles(handle, offsets, Some(bytes));
            tiles.set_mapped(step.part, false);
        }
        let Some((handle, offset, count)) = step.memory else { return Ok(()) };
        let offsets: Vec<u64> = (0..count).map(|tile| offset + tile * TILE).collect();
        let known = self.virtual_memory.memories.get_mut(&handle).ok_or(Code::INVALID_VALUE)?;
        let held = known.tiles.as_mut().ok_or(Code::INVALID_VALUE)?;
        let mut bytes = Vec::new();
        for &offset in &offsets {
            let before = held.insert(offset, TileState::Mapped);
            let mut own = match before {
                Some(TileState::Holds(own)) => own,
                _ => Vec::new(),
            };
            own.resize(TILE as usize, 0);
            bytes.append(&mut own);
        }
        known.mappings += 1;
        let mut at = 0;
        for &(place, count) in &rows {
            let from = End::Host(bytes[at..].as_mut_ptr().cast());
            copy(End::Array(base.wrapping_add(place as usize)), from, count)?;
            at += count;
        }
        tiles.set_mapped(step.part, true);
        self.tiles.insert(key, (handle, offsets));
        Ok(())
    }
}

impl State {
    /// Tiles of memory that no array has any more.
    fn let_go_of_tiles(&mut self, handle: Handle, offsets: Vec<u64>, bytes: Option<Vec<u8>>) {
        let Some(known) = self.virtual_memory.memories.get_mut(&handle) else { return };
        known.mappings -= 1;
        if let Some(held) = &mut known.tiles {
            let bytes = bytes.unwrap_or_default();
            let mut parts = bytes.chunks(TILE as usize);
            for offset in offsets {
                let own = parts.next().unwrap_or_default().to_vec();
                held.insert(offset, TileState::Holds(own));
            }
        }
        give_back_unused(&mut self.virtual_memory, handle);
    }

    /// An array is destroyed.
    pub(super) fn give_back_tiles(&mut self, array: Handle) {
        let own: Vec<_> = self.tiles.keys().copied().filter(|&(owner, _)| owner == array).collect();
        for key in own {
            if let Some((handle, offsets)) = self.tiles.remove(&key) {
                self.let_go_of_tiles(handle, offsets, None);
            }
        }
    }
}

pub(super) fn cuMemMapArrayAsync(
    list: *mut CUarrayMapInfo,
    count: c_uint,
    stream: Handle,
) -> Outcome {
    let mut state = current()?;
    state.own_queue(stream)?;
    state.refuse_captured(stream)?;
    if list.is_null() && count > 0 {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: the caller's list, as the driver's function demands.
    let wanted: Vec<CUarrayMapInfo> =
        (0..count as usize).map(|index| unsafe { list.add(index).read() }).collect();
    // All earlier work, so also that of the stream.
    let mut state = state.drain();
    let mut all = Vec::new();
    for info in &wanted {
        all.extend(steps(&state, info)?);
    }
    let done = all.into_iter().try_for_each(|step| state.remap(step));
    drop(state);
    show_output();
    done
}
