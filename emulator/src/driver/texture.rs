//! Textures and surfaces (CUDA driver API, "Texture Object Management", "Surface Object Management").
#![allow(non_snake_case)]

use super::array::format_of;
use super::code::{Code, Outcome, put};
use super::properties::{PITCH_ALIGNMENT, TEXTURE_ALIGNMENT, TEXTURES};
use super::state::{Current, MadeObject, State, current};
use crate::exec::texture::{self, Geometry, Image, Level, Object, Sampler, Wrap};
use ptyx_driver_api::*;
use std::ffi::c_void;

/// An error unless a rule is kept.
fn require(kept: bool) -> Outcome {
    if kept { Ok(()) } else { Err(Code::INVALID_VALUE) }
}

/// The words of device memory: address, format.
fn memory(words: &[u64; 16]) -> Result<(u64, texture::Format), Code> {
    let format = format_of(words[1] as u32, (words[1] >> 32) as u32)?;
    require(words[0] != 0 && words[0].is_multiple_of(TEXTURE_ALIGNMENT.into()))?;
    Ok((words[0], format))
}

/// The image of a resource.
fn image(state: &Current, resource: &CUresourceDescriptor) -> Result<(Image, u32), Code> {
    let words = &resource.words;
    require(resource.flags == 0)?;
    let array = match resource.kind {
        CU_RESOURCE_TYPE_ARRAY => state.array(words[0] as usize)?,
        CU_RESOURCE_TYPE_MIPMAPPED_ARRAY => state.mipmapped(words[0] as usize)?,
        CU_RESOURCE_TYPE_LINEAR => {
            let (address, format) = memory(words)?;
            let width = words[2] / u64::from(format.bytes());
            require(width > 0 && width <= TEXTURES.buffer.into())?;
            let (size, pitch) = ([width as u32, 1, 1], words[2]);
            let levels = vec![Level { offset: 0, size, pitch }];
            return Ok((
                Image { address, geometry: Geometry::Buffer, format, levels, tiles: None },
                0,
            ));
        }
        CU_RESOURCE_TYPE_PITCH2D => {
            let (address, format) = memory(words)?;
            let [_, _, width, height, pitch, ..] = *words;
            let row = width.checked_mul(format.bytes().into()).ok_or(Code::INVALID_VALUE)?;
            require(width > 0 && width <= TEXTURES.rows[0].into())?;
            require(height > 0 && height <= TEXTURES.rows[1].into())?;
            require(pitch >= row && pitch <= TEXTURES.rows[2].into())?;
            require(pitch.is_multiple_of(PITCH_ALIGNMENT.into()))?;
            let size = [width as u32, height as u32, 1];
            let levels = vec![Level { offset: 0, size, pitch }];
            return Ok((
                Image { address, geometry: Geometry::Two, format, levels, tiles: None },
                0,
            ));
        }
        _ => return Err(Code::INVALID_VALUE),
    };
    match array.device == state.device {
        true => Ok((array.image.clone(), array.flags)),
        false => Err(Code::INVALID_HANDLE),
    }
}

/// How a texture is read.
fn sampler(sampling: &CUtextureDescriptor, image: &Image) -> Result<Sampler, Code> {
    let has = |flag| sampling.flags & flag != 0;
    let known = CU_TRSF_READ_AS_INTEGER
        | CU_TRSF_NORMALIZED_COORDINATES
        | CU_TRSF_SRGB
        | CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
    // Blending over the edges of faces is not emulated.
    if has(CU_TRSF_SEAMLESS_CUBEMAP) {
        return Err(Code::NOT_SUPPORTED);
    }
    require(sampling.flags & !known == 0)?;
    let is_linear = |filter| match filter {
        CU_TR_FILTER_MODE_POINT => Ok(false),
        CU_TR_FILTER_MODE_LINEAR => Ok(true),
        _ => Err(Code::INVALID_VALUE),
    };
    let mut wrap = [Wrap::Clamp; 3];
    for (to, &mode) in wrap.iter_mut().zip(&sampling.address) {
        *to = Wrap::of(mode).ok_or(Code::INVALID_VALUE)?;
    }
    let reads_integers = has(CU_TRSF_READ_AS_INTEGER);
    let filter = is_linear(sampling.filter)?;
    require(!filter || !image.format.gives_integers(reads_integers))?;
    require(sampling.max_anisotropy <= 16)?;
    Ok(Sampler {
        wrap,
        is_linear: filter,
        is_normalized: has(CU_TRSF_NORMALIZED_COORDINATES),
        reads_integers,
        is_srgb: has(CU_TRSF_SRGB) && image.format.channel == texture::Channel::U8,
        mip_linear: is_linear(sampling.mip_filter)?,
        mip_bias: sampling.mip_bias,
        mip_range: [sampling.mip_min, sampling.mip_max],
        border: sampling.border,
    })
}

/// Makes an object.
///
/// # Safety
/// The pointers are null, or lead to what the driver's functions demand.
unsafe fn create(
    object: *mut u64,
    resource: *const CUresourceDescriptor,
    sampling: Option<*const CUtextureDescriptor>,
) -> Outcome {
    let mut state = current()?;
    require(!object.is_null() && !resource.is_null() && sampling.is_none_or(|s| !s.is_null()))?;
    // SAFETY: promised by the caller; so below.
    let (resource, sampling) = unsafe { (resource.read(), sampling.map(|s| s.read())) };
    let (image, flags) = image(&state, &resource)?;
    let sampler = match &sampling {
        Some(sampling) => Some(sampler(sampling, &image)?),
        None => {
            require(resource.kind == CU_RESOURCE_TYPE_ARRAY)?;
            require(flags & CUDA_ARRAY3D_SURFACE_LDST != 0)?;
            None
        }
    };
    let device = state.device;
    let number = texture::add(Object { device, image, sampler });
    state.objects.insert(number, MadeObject { device, resource, sampling });
    // SAFETY: as above.
    unsafe { put(object, number) }
}

fn destroy(object: u64, is_texture: bool) -> Outcome {
    let mut state = current()?;
    found(&state, object, is_texture)?;
    state.objects.remove(&object);
    texture::remove(object).map(|_| ()).ok_or(Code::INVALID_VALUE)
}

/// What a texture, or a surface, was made of.
fn found(state: &State, object: u64, is_texture: bool) -> Result<MadeObject, Code> {
    let found = state.objects.get(&object).copied();
    found.filter(|made| made.sampling.is_some() == is_texture).ok_or(Code::INVALID_VALUE)
}

pub(super) fn cuTexObjectCreate(
    texture: *mut u64,
    resource: *const CUresourceDescriptor,
    sampling: *const CUtextureDescriptor,
    view: *const c_void,
) -> Outcome {
    if !view.is_null() {
        return Err(Code::NOT_SUPPORTED);
    }
    // SAFETY: the caller's pointers, as the driver's function demands; so below.
    unsafe { create(texture, resource, Some(sampling)) }
}

pub(super) fn cuSurfObjectCreate(
    surface: *mut u64,
    resource: *const CUresourceDescriptor,
) -> Outcome {
    // SAFETY: as above.
    unsafe { create(surface, resource, None) }
}

pub(super) fn cuTexObjectDestroy(texture: u64) -> Outcome {
    destroy(texture, true)
}

pub(super) fn cuSurfObjectDestroy(surface: u64) -> Outcome {
    destroy(surface, false)
}

pub(super) fn cuTexObjectGetResourceDesc(
    resource: *mut CUresourceDescriptor,
    texture: u64,
) -> Outcome {
    let found = found(&*current()?, texture, true)?;
    // SAFETY: as above.
    unsafe { put(resource, found.resource) }
}

pub(super) fn cuTexObjectGetTextureDesc(
    sampling: *mut CUtextureDescriptor,
    texture: u64,
) -> Outcome {
    let found = found(&*current()?, texture, true)?.sampling.ok_or(Code::INVALID_VALUE)?;
    // SAFETY: as above.
    unsafe { put(sampling, found) }
}

pub(super) fn cuSurfObjectGetResourceDesc(
    resource: *mut CUresourceDescriptor,
    surface: u64,
) -> Outcome {
    let found = found(&*current()?, surface, false)?;
    // SAFETY: as above.
    unsafe { put(resource, found.resource) }
}
