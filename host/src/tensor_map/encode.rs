//! From a tensor to the driver's tensor map, with all rules checked.

use super::{Fill, Promotion, TensorOptions};
use crate::driver::types::*;
use crate::error::{Error, Result, TensorRule};
use crate::memory::DeviceSlice;
use ptyx_device::tma::{Placed, Tile, TileShape, element_type, is_float, sides};
use ptyx_device::wgmma::Swizzle;

/// The most dimensions.
const DIMENSIONS: usize = 5;
/// Alignment of tensors and of strides, in bytes.
const UNIT: usize = 16;

/// A tensor's description as the driver takes it, the innermost dimension first.
struct Description {
    sizes: [u64; DIMENSIONS],
    /// In bytes, from the second dimension on.
    strides: [u64; DIMENSIONS],
    sides: [u32; DIMENSIONS],
    steps: [u32; DIMENSIONS],
}

/// Checks a tensor of `len` elements of `bytes` bytes.
fn describe<K: TileShape>(
    len: usize,
    bytes: usize,
    size: &[usize],
    options: &TensorOptions<K>,
) -> Result<Description, TensorRule> {
    let count = K::DIMENSIONS;
    let mut description = Description {
        sizes: [1; DIMENSIONS],
        strides: [0; DIMENSIONS],
        sides: [1; DIMENSIONS],
        steps: [1; DIMENSIONS],
    };
    let sides = sides::<K>();
    let (mut packed, mut last) = (1usize, 0usize);
    for (at, dimension) in (0..count).rev().enumerate() {
        let (size, side) = (size[dimension], sides[at]);
        if size == 0 || size as u64 > 1 << 32 {
            return Err(TensorRule::Size { dimension, size });
        }
        let stride = options.strides.as_ref().map_or(packed, |strides| strides.as_ref()[dimension]);
        let step = options.steps.as_ref().map_or(1, |steps| steps.as_ref()[dimension]);
        let in_bytes = stride.saturating_mul(bytes);
        if at == 0 && stride != 1 {
            return Err(TensorRule::InnerStride { stride });
        }
        if at > 0 && (!in_bytes.is_multiple_of(UNIT) || in_bytes as u64 >= 1 << 40) {
            return Err(TensorRule::Stride { dimension, bytes: in_bytes });
        }
        if !(1..=8).contains(&step) || at == 0 && step != 1 {
            return Err(TensorRule::Step { dimension, step });
        }
        if side * step > 256 {
            return Err(TensorRule::Side { dimension, side, step });
        }
        packed = packed.saturating_mul(size);
        last = last.saturating_add((size - 1).saturating_mul(stride));
        description.sizes[at] = size as u64;
        description.strides[at] = in_bytes as u64;
        description.sides[at] = (side * step) as u32;
        description.steps[at] = step as u32;
    }
    let needed = last.saturating_add(1);
    if needed > len { Err(TensorRule::Length { needed, len }) } else { Ok(description) }
}

/// The driver's map of a tensor.
pub(super) fn tiled<K: TileShape, S: Placed>(
    tensor: &DeviceSlice<'_, K::Element>,
    size: K::Index,
    options: &TensorOptions<K>,
) -> Result<CUtensorMap> {
    const { assert!(Tile::<K, S>::BYTES > 0) };
    let bytes = size_of::<K::Element>();
    let described = describe(tensor.len(), bytes, size.as_ref(), options);
    let Description { sizes, strides, sides, steps } = described.map_err(Error::TensorMap)?;
    let address = tensor.address();
    if !address.is_multiple_of(UNIT as u64) {
        return Err(Error::TensorMap(TensorRule::Address { address }));
    }
    if options.fill == Fill::Nan && !is_float::<K>() {
        return Err(Error::TensorMap(TensorRule::Fill));
    }
    let swizzle = match S::SWIZZLE {
        Swizzle::None => CU_TENSOR_MAP_SWIZZLE_NONE,
        Swizzle::B32 => CU_TENSOR_MAP_SWIZZLE_32B,
        Swizzle::B64 => CU_TENSOR_MAP_SWIZZLE_64B,
        Swizzle::B128 => CU_TENSOR_MAP_SWIZZLE_128B,
    };
    let promotion = match options.promotion {
        Promotion::None => CU_TENSOR_MAP_L2_PROMOTION_NONE,
        Promotion::B64 => CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
        Promotion::B128 => CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
        Promotion::B256 => CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
    };
    let fill = match options.fill {
        Fill::Zero => CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
        Fill::Nan => CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA,
    };
    let mut map = CUtensorMap::EMPTY;
    // SAFETY: the pointers lead to arrays with a number for each dimension, and to an aligned place for the map.
    unsafe {
        tensor.driver()?.cuTensorMapEncodeTiled(
            &mut map,
            element_type::<K>(),
            K::DIMENSIONS as u32,
            address as *mut core::ffi::c_void,
            sizes.as_ptr(),
            strides[1..].as_ptr(),
            sides.as_ptr(),
            steps.as_ptr(),
            CU_TENSOR_MAP_INTERLEAVE_NONE,
            swizzle,
            promotion,
            fill,
        )?;
    }
    Ok(map)
}
