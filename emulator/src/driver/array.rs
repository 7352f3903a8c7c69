//! CUDA arrays (CUDA driver API, section 6.13, "Memory Management").
#![allow(non_snake_case)]

use super::code::{Code, Outcome, put};
use super::device::check;
use super::handle::Handle;
use super::properties::TEXTURES;
use super::state::{Array, State, current, memory, show_output};
use crate::exec::texture::{Channel, Format, Geometry, Image, Tiles};
use crate::memory::{Kind, Memory};
use ptyx_driver_api::*;
use std::ffi::{c_int, c_uint};
use std::sync::Arc;

/// What an array may be for.
const FLAGS: CUarray3D_flags = CUDA_ARRAY3D_LAYERED
    | CUDA_ARRAY3D_SURFACE_LDST
    | CUDA_ARRAY3D_CUBEMAP
    | CUDA_ARRAY3D_TEXTURE_GATHER
    | CUDA_ARRAY3D_SPARSE
    | CUDA_ARRAY3D_DEFERRED_MAPPING;

/// The format of numbers.
pub(super) fn format_of(format: CUarray_format, channels: c_uint) -> Result<Format, Code> {
    let channel = Channel::of(format).ok_or(Code::INVALID_VALUE)?;
    match channels {
        1 | 2 | 4 => Ok(Format { channel, channels }),
        _ => Err(Code::INVALID_VALUE),
    }
}

/// The dimensions and the size that a descriptor says.
fn shape(descriptor: &CUarray3DDescriptor) -> Result<(Geometry, [u32; 3]), Code> {
    let CUarray3DDescriptor { width, height, depth, flags, .. } = *descriptor;
    let has = |flag| flags & flag != 0;
    let (layered, cube) = (has(CUDA_ARRAY3D_LAYERED), has(CUDA_ARRAY3D_CUBEMAP));
    let geometry = match (layered, cube, height > 0, depth > 0) {
        (false, false, false, false) => Geometry::One,
        (false, false, true, false) => Geometry::Two,
        (false, false, true, true) => Geometry::Three,
        (true, false, false, true) => Geometry::Layers1,
        (true, false, true, true) => Geometry::Layers2,
        (false, true, true, true) if depth == 6 => Geometry::Cube,
        (true, true, true, true) if depth % 6 == 0 => Geometry::Cubes,
        _ => return Err(Code::INVALID_VALUE),
    };
    let is_flat = matches!(geometry, Geometry::Two);
    let is_cube = matches!(geometry, Geometry::Cube | Geometry::Cubes);
    let is_divided = has(CUDA_ARRAY3D_SPARSE) || has(CUDA_ARRAY3D_DEFERRED_MAPPING);
    let can_be_divided = matches!(geometry, Geometry::Two | Geometry::Layers2 | Geometry::Three);
    if flags & !FLAGS != 0
        || is_divided && !can_be_divided
        || has(CUDA_ARRAY3D_SPARSE) && has(CUDA_ARRAY3D_DEFERRED_MAPPING)
        || is_cube && width != height
        || has(CUDA_ARRAY3D_TEXTURE_GATHER) && !is_flat
    {
        return Err(Code::INVALID_VALUE);
    }
    let mut limits = match geometry {
        Geometry::Buffer | Geometry::One => [TEXTURES.one, 1, 1],
        Geometry::Two => [TEXTURES.two[0], TEXTURES.two[1], 1],
        Geometry::Three => TEXTURES.three,
        Geometry::Layers1 => [TEXTURES.layers1[0], 1, TEXTURES.layers1[1]],
        Geometry::Layers2 => TEXTURES.layers2,
        Geometry::Cube => [TEXTURES.cube, TEXTURES.cube, 6],
        Geometry::Cubes => [TEXTURES.cubes[0], TEXTURES.cubes[0], TEXTURES.cubes[1]],
    };
    if has(CUDA_ARRAY3D_TEXTURE_GATHER) {
        limits = [TEXTURES.gather[0], TEXTURES.gather[1], 1];
    }
    let size = [width, height.max(1), depth.max(1)];
    if width == 0 || size.iter().zip(limits).any(|(&size, limit)| size > limit as usize) {
        return Err(Code::INVALID_VALUE);
    }
    Ok((geometry, size.map(|size| size as u32)))
}

/// The parts of an array that gets its memory later.
fn tiles_of(image: &Image, flags: CUarray3D_flags) -> Option<Tiles> {
    let Image { geometry, ref levels, format, .. } = *image;
    match flags {
        _ if flags & CUDA_ARRAY3D_SPARSE != 0 => Some(Tiles::new(geometry, levels, format.bytes())),
        _ if flags & CUDA_ARRAY3D_DEFERRED_MAPPING != 0 => Some(Tiles::deferred(levels)),
        _ => None,
    }
}

/// Makes an array of so many levels, or an ordinary one.
fn create(descriptor: &CUarray3DDescriptor, levels: Option<u32>) -> Result<Handle, Code> {
    create_in(descriptor, levels, |memory, bytes| memory.allocate(bytes, Kind::Array))
}

/// The same in memory that `place` gives, by its size in bytes.
pub(super) fn create_in(
    descriptor: &CUarray3DDescriptor,
    levels: Option<u32>,
    place: impl FnOnce(&Memory, u64) -> Option<u64>,
) -> Result<Handle, Code> {
    let mut state = current()?;
    let format = format_of(descriptor.format, descriptor.channels)?;
    let (geometry, size) = shape(descriptor)?;
    // At most until all sides are 1.
    let sides = if geometry.is_layered() { &size[..2] } else { &size[..] };
    let most = sides.iter().map(|side| side.ilog2() + 1).max().unwrap_or(1);
    let count = levels.map_or(1, |levels| levels.clamp(1, most));
    let mut image = Image::packed(geometry, format, size, count).ok_or(Code::OUT_OF_MEMORY)?;
    image.tiles = tiles_of(&image, descriptor.flags).map(|tiles| (Arc::new(tiles), 0));
    let address = place(state.memory(), image.bytes());
    image.address = address.ok_or(Code::OUT_OF_MEMORY)?;
    let (device, flags, is_mipmapped) = (state.device, descriptor.flags, levels.is_some());
    let handle = state.handle();
    let array = Array { device, image, flags, is_mipmapped, level_of: None };
    state.arrays.insert(handle, array);
    Ok(handle)
}

/// The descriptor that the caller points at.
///
/// # Safety
/// The pointer is null or leads to one.
unsafe fn given<T: Copy>(descriptor: *const T) -> Result<T, Code> {
    if descriptor.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: promised by the caller.
    Ok(unsafe { descriptor.read() })
}

impl State {
    /// An array that is not the set of all levels.
    pub(super) fn array(&self, array: Handle) -> Result<&Array, Code> {
        let found = self.arrays.get(&array).filter(|array| !array.is_mipmapped);
        found.ok_or(Code::INVALID_HANDLE)
    }

    /// An array with levels.
    pub(super) fn mipmapped(&self, array: Handle) -> Result<&Array, Code> {
        let found = self.arrays.get(&array).filter(|array| array.is_mipmapped);
        found.ok_or(Code::INVALID_HANDLE)
    }
}

pub(super) fn cuArray3DCreate_v2(
    array: *mut Handle,
    descriptor: *const CUarray3DDescriptor,
) -> Outcome {
    // SAFETY: the caller's pointers, as the driver's function demands; so below.
    let descriptor = unsafe { given(descriptor)? };
    let handle = create(&descriptor, None)?;
    // SAFETY: as above.
    unsafe { put(array, handle) }
}

pub(super) fn cuArrayCreate_v2(
    array: *mut Handle,
    descriptor: *const CUarrayDescriptor,
) -> Outcome {
    // SAFETY: as above.
    let CUarrayDescriptor { width, height, format, channels } = unsafe { given(descriptor)? };
    let flat = CUarray3DDescriptor { width, height, depth: 0, format, channels, flags: 0 };
    cuArray3DCreate_v2(array, &flat)
}

/// Frees an array of one kind, with its levels.
fn destroy(array: Handle, is_mipmapped: bool) -> Outcome {
    let mut state = current()?.drain();
    let found = state.arrays.get(&array).filter(|found| {
        // A level goes with its array.
        found.is_mipmapped == is_mipmapped && found.level_of.is_none()
    });
    let (device, address) =
        found.map(|array| (array.device, array.image.address)).ok_or(Code::INVALID_HANDLE)?;
    memory(device).free(address);
    state.give_back_tiles(array);
    state.arrays.retain(|&handle, other| {
        handle != array && other.level_of.is_none_or(|(parent, _)| parent != array)
    });
    drop(state);
    show_output();
    Ok(())
}

pub(super) fn cuArrayDestroy(array: Handle) -> Outcome {
    destroy(array, false)
}

pub(super) fn cuMipmappedArrayDestroy(array: Handle) -> Outcome {
    destroy(array, true)
}

pub(super) fn cuMipmappedArrayCreate(
    array: *mut Handle,
    descriptor: *const CUarray3DDescriptor,
    levels: c_uint,
) -> Outcome {
    // SAFETY: as above.
    let descriptor = unsafe { given(descriptor)? };
    let handle = create(&descriptor, Some(levels))?;
    // SAFETY: as above.
    unsafe { put(array, handle) }
}

pub(super) fn cuMipmappedArrayGetLevel(
    level: *mut Handle,
    array: Handle,
    index: c_uint,
) -> Outcome {
    let mut state = current()?;
    let Array { device, ref image, flags, .. } = *state.mipmapped(array)?;
    let found = *image.levels.get(index as usize).ok_or(Code::INVALID_VALUE)?;
    let tiles = image.tiles.as_ref().map(|(tiles, _)| (tiles.clone(), index as usize));
    let image = Image { levels: vec![found], tiles, ..image.clone() };
    let known = state.arrays.iter().find(|(_, other)| other.level_of == Some((array, index)));
    let handle = match known {
        Some((&handle, _)) => handle,
        None => {
            let (handle, level_of) = (state.handle(), Some((array, index)));
            let level = Array { device, image, flags, is_mipmapped: false, level_of };
            state.arrays.insert(handle, level);
            handle
        }
    };
    // SAFETY: as above.
    unsafe { put(level, handle) }
}

pub(super) fn cuArray3DGetDescriptor_v2(
    descriptor: *mut CUarray3DDescriptor,
    array: Handle,
) -> Outcome {
    let state = current()?;
    let Array { image, flags, .. } = state.array(array)?;
    let size = image.levels[0].size.map(|size| size as usize);
    let (has_rows, has_planes) = match image.geometry {
        Geometry::Buffer | Geometry::One => (false, false),
        Geometry::Two => (true, false),
        Geometry::Layers1 => (false, true),
        _ => (true, true),
    };
    let found = CUarray3DDescriptor {
        width: size[0],
        height: if has_rows { size[1] } else { 0 },
        depth: if has_planes { size[2] } else { 0 },
        format: image.format.channel.number(),
        channels: image.format.channels,
        flags: *flags,
    };
    // SAFETY: as above.
    unsafe { put(descriptor, found) }
}

pub(super) fn cuArrayGetDescriptor_v2(
    descriptor: *mut CUarrayDescriptor,
    array: Handle,
) -> Outcome {
    let (width, height, depth, format, channels, flags) = (0, 0, 0, 0, 0, 0);
    let mut found = CUarray3DDescriptor { width, height, depth, format, channels, flags };
    cuArray3DGetDescriptor_v2(&mut found, array)?;
    let CUarray3DDescriptor { width, height, format, channels, .. } = found;
    // SAFETY: as above.
    unsafe { put(descriptor, CUarrayDescriptor { width, height, format, channels }) }
}

/// No format here has several planes.
pub(super) fn cuArrayGetPlane(_plane: *mut Handle, array: Handle, _index: c_uint) -> Outcome {
    current()?.array(array)?;
    Err(Code::INVALID_VALUE)
}

pub(super) fn cuDeviceGetTexture1DLinearMaxWidth(
    most: *mut usize,
    format: CUarray_format,
    channels: c_uint,
    device: c_int,
) -> Outcome {
    check(device)?;
    format_of(format, channels)?;
    // SAFETY: as above.
    unsafe { put(most, TEXTURES.buffer as usize) }
}
