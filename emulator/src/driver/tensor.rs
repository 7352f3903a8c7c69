//! Tensor maps (CUDA driver API, "Tensor Map Object Management").

// The driver's functions have their names, and as many arguments.
#![allow(non_snake_case, clippy::too_many_arguments)]

use super::code::{Code, Outcome, put};
use crate::exec::tensor_map::{ALIGNMENT, DIMENSIONS, ELEMENTS, Mode, TensorMap};
use crate::ptx::types::Kind;
use ptyx_driver_api::*;
use std::ffi::{c_int, c_uint, c_void};

/// Alignment of the tensor, and what its strides are multiples of.
const UNIT: u64 = 16;
/// The most elements along a dimension.
const MAX_SIZE: u64 = 1 << 32;
/// Strides are less, in bytes.
const STRIDES: u64 = 1 << 40;
/// The longest side of a box, and the most channels of a pixel.
const MAX_SIDE: c_uint = 256;
/// The largest step along a dimension.
const MAX_STEP: c_uint = 8;
/// The most pixels of a column.
const MAX_COLUMN: c_uint = 1024;
/// The first unsupported swizzle's number.
const SWIZZLES: CUtensorMapSwizzle = CU_TENSOR_MAP_SWIZZLE_128B + 1;

/// An error unless a rule is kept.
fn require(kept: bool) -> Outcome {
    if kept { Ok(()) } else { Err(Code::INVALID_VALUE) }
}

/// The first values of an array of the caller's, as many as the tensor has dimensions; others are `rest`.
///
/// # Safety
/// `from` is null or has that many values.
unsafe fn values<T: Copy, const N: usize>(
    from: *const T,
    count: usize,
    rest: T,
) -> Result<[T; N], Code> {
    require(!from.is_null() || count == 0)?;
    // SAFETY: promised by the caller.
    Ok(std::array::from_fn(|at| if at < count { unsafe { from.add(at).read() } } else { rest }))
}

/// What both kinds of maps have in common.
struct Common {
    map: *mut CUtensorMap,
    element: CUtensorMapDataType,
    rank: c_uint,
    address: *mut c_void,
    sizes: *const u64,
    strides: *const u64,
    steps: *const c_uint,
    interleave: CUtensorMapInterleave,
    swizzle: CUtensorMapSwizzle,
    promotion: CUtensorMapL2promotion,
    fill: CUtensorMapFloatOOBfill,
}

impl Common {
    /// Writes the map. `inner` are the elements of a row in shared memory.
    ///
    /// # Safety
    /// The pointers are null, or lead to as many values as the driver's functions demand.
    unsafe fn write(self, mode: Mode, inner: c_uint) -> Outcome {
        require(!self.map.is_null() && (self.map as u64).is_multiple_of(ALIGNMENT))?;
        let element = self.element as usize;
        let ty = *ELEMENTS.get(element).ok_or(Code::INVALID_VALUE)?;
        require((1..=DIMENSIONS as c_uint).contains(&self.rank))?;
        let (rank, address) = (self.rank as usize, self.address as u64);
        let slice = match self.interleave {
            CU_TENSOR_MAP_INTERLEAVE_NONE => 0,
            CU_TENSOR_MAP_INTERLEAVE_16B => 16,
            CU_TENSOR_MAP_INTERLEAVE_32B => 32,
            _ => return Err(Code::INVALID_VALUE),
        };
        require(slice == 0 || rank >= 3)?;
        require(slice != 32 || self.swizzle == CU_TENSOR_MAP_SWIZZLE_32B)?;
        let unit = UNIT.max(slice.into());
        require(address.is_multiple_of(unit))?;
        // SAFETY: promised by the caller.
        let (sizes, outer, steps) = unsafe {
            (
                values::<_, DIMENSIONS>(self.sizes, rank, 0)?,
                values::<_, { DIMENSIONS - 1 }>(self.strides, rank - 1, 0)?,
                values::<_, DIMENSIONS>(self.steps, rank, 1)?,
            )
        };
        require(sizes[..rank].iter().all(|size| (1..=MAX_SIZE).contains(size)))?;
        let fits = |stride: &u64| stride.is_multiple_of(unit) && *stride < STRIDES;
        require(outer[..rank - 1].iter().all(fits))?;
        require(steps.iter().all(|step| (1..=MAX_STEP).contains(step)))?;
        require(self.swizzle < SWIZZLES)?;
        let row = inner * ty.size();
        let swizzle = (UNIT as u32) << self.swizzle;
        // Of columns of slices, too, whatever the documentation says: an H200's driver refused fewer than 8 of 16 bits.
        require(row.is_multiple_of(UNIT as u32))?;
        require(slice > 0 || swizzle == UNIT as u32 || row <= swizzle)?;
        require(self.promotion <= CU_TENSOR_MAP_L2_PROMOTION_L2_256B)?;
        let fills_nan = self.fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
        require(fills_nan || self.fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)?;
        require(!fills_nan || ty.kind() == Kind::Float)?;
        let mut strides = [ty.size().into(); DIMENSIONS];
        strides[1..].copy_from_slice(&outer);
        let map = TensorMap {
            element,
            rank,
            address,
            sizes,
            strides,
            mode,
            steps,
            swizzle,
            fills_nan,
            slice,
        };
        // SAFETY: promised by the caller.
        unsafe { put(self.map, CUtensorMap { opaque: map.encode() }) }
    }
}

pub(super) fn cuTensorMapEncodeTiled(
    map: *mut CUtensorMap,
    element: CUtensorMapDataType,
    rank: c_uint,
    address: *mut c_void,
    sizes: *const u64,
    strides: *const u64,
    sides: *const c_uint,
    steps: *const c_uint,
    interleave: CUtensorMapInterleave,
    swizzle: CUtensorMapSwizzle,
    promotion: CUtensorMapL2promotion,
    fill: CUtensorMapFloatOOBfill,
) -> Outcome {
    let dimensions = rank.min(DIMENSIONS as c_uint) as usize;
    // SAFETY: the caller's pointer, as the driver's function demands; so below.
    let sides = unsafe { values::<_, DIMENSIONS>(sides, dimensions, 0)? };
    require(sides[..dimensions].iter().all(|side| (1..=MAX_SIDE).contains(side)))?;
    let common = Common {
        map,
        element,
        rank,
        address,
        sizes,
        strides,
        steps,
        interleave,
        swizzle,
        promotion,
        fill,
    };
    // SAFETY: as above.
    unsafe { common.write(Mode::Tiled { sides }, sides[0]) }
}

pub(super) fn cuTensorMapEncodeIm2col(
    map: *mut CUtensorMap,
    element: CUtensorMapDataType,
    rank: c_uint,
    address: *mut c_void,
    sizes: *const u64,
    strides: *const u64,
    lower: *const c_int,
    upper: *const c_int,
    channels: c_uint,
    pixels: c_uint,
    steps: *const c_uint,
    interleave: CUtensorMapInterleave,
    swizzle: CUtensorMapSwizzle,
    promotion: CUtensorMapL2promotion,
    fill: CUtensorMapFloatOOBfill,
) -> Outcome {
    require((3..=DIMENSIONS as c_uint).contains(&rank))?;
    let spatial = rank as usize - 2;
    // SAFETY: the caller's pointers, as the driver's function demands; so below.
    let (lower, upper) =
        unsafe { (values::<_, 3>(lower, spatial, 0)?, values::<_, 3>(upper, spatial, 0)?) };
    // The corners have 16 bits for one dimension, 8 for each of two, 5 for each of three.
    let bound = [1 << 15, 1 << 7, 1 << 4][spatial - 1];
    let fits = |corner: &c_int| (-bound..bound).contains(corner);
    require(lower.iter().chain(&upper).all(fits))?;
    require((1..=MAX_SIDE).contains(&channels))?;
    require((1..=MAX_COLUMN).contains(&pixels))?;
    let common = Common {
        map,
        element,
        rank,
        address,
        sizes,
        strides,
        steps,
        interleave,
        swizzle,
        promotion,
        fill,
    };
    // SAFETY: as above.
    unsafe { common.write(Mode::Im2col { lower, upper, channels, pixels }, channels) }
}
