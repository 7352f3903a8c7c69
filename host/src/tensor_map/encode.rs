//! From a tensor to the driver's tensor map, with all rules checked.

use super::{BoundingBox, Conversion, Fill, Promotion, TensorOptions};
use crate::driver::types::*;
use crate::error::{Error, Result, TensorRule};
use crate::memory::DeviceSlice;
use core::ffi::c_void;
use ptyx_device::tma::{Placed, Tile, TileShape, element_type, is_float, sides};
use ptyx_device::wgmma::Swizzle;

/// The most dimensions.
const DIMENSIONS: usize = 5;
/// Alignment of tensors and of strides, in bytes.
const UNIT: usize = 16;

/// A tensor as its map is asked for. Arrays are rows first, and may be missing.
struct Asked<'a> {
    /// Elements of the buffer, and bytes of one.
    len: usize,
    bytes: usize,
    address: u64,
    size: &'a [usize],
    strides: Option<&'a [usize]>,
    steps: Option<&'a [usize]>,
    /// The tile's elements along each dimension, the innermost first.
    sides: [usize; DIMENSIONS],
    /// Bytes of a slice of channels if the layout is interleaved, or 0.
    slice: usize,
}

/// A tensor's description as the driver takes it, the innermost dimension first.
struct Description {
    sizes: [u64; DIMENSIONS],
    /// In bytes, from the second dimension on.
    strides: [u64; DIMENSIONS],
    sides: [u32; DIMENSIONS],
    steps: [u32; DIMENSIONS],
}

impl Asked<'_> {
    /// What addresses and strides are multiples of, in bytes.
    fn unit(&self) -> usize {
        UNIT.max(self.slice)
    }

    /// Channels of a slice; 1 if the layout is not interleaved.
    fn channels(&self) -> usize {
        if self.slice > 0 { self.slice / self.bytes } else { 1 }
    }

    /// The rule for a stride, the innermost first, that does not keep it.
    fn check_stride(&self, at: usize, dimension: usize, stride: usize) -> Result<(), TensorRule> {
        let (bytes, channels) = (stride.saturating_mul(self.bytes), self.channels());
        match at {
            0 if stride == channels => Ok(()),
            0 if self.slice > 0 => Err(TensorRule::ColumnStride { stride, channels }),
            0 => Err(TensorRule::InnerStride { stride }),
            _ if !bytes.is_multiple_of(UNIT) || bytes as u64 >= 1 << 40 => {
                Err(TensorRule::Stride { dimension, bytes })
            }
            _ if !bytes.is_multiple_of(self.unit()) => {
                Err(TensorRule::SliceStride { dimension, bytes })
            }
            _ => Ok(()),
        }
    }

    /// The rule for a step, the innermost first, that does not keep it.
    fn check_step(&self, at: usize, dimension: usize, step: usize) -> Result<(), TensorRule> {
        match at {
            _ if !(1..=8).contains(&step) => Err(TensorRule::Step { dimension, step }),
            0 if self.slice == 0 && step != 1 => Err(TensorRule::Step { dimension, step }),
            _ => Ok(()),
        }
    }

    /// Checks all rules that tiles and columns of images have in common.
    fn describe(&self) -> Result<Description, TensorRule> {
        let mut description = Description {
            sizes: [1; DIMENSIONS],
            strides: [0; DIMENSIONS],
            sides: [1; DIMENSIONS],
            steps: [1; DIMENSIONS],
        };
        // In an interleaved layout, the last element is that of a slice.
        let channels = self.channels();
        let (mut packed, mut last) = (channels, channels - 1);
        for (at, dimension) in (0..self.size.len()).rev().enumerate() {
            let (size, side) = (self.size[dimension], self.sides[at]);
            if size == 0 || size as u64 > 1 << 32 {
                return Err(TensorRule::Size { dimension, size });
            }
            let stride = self.strides.map_or(packed, |strides| strides[dimension]);
            let step = self.steps.map_or(1, |steps| steps[dimension]);
            self.check_stride(at, dimension, stride)?;
            self.check_step(at, dimension, step)?;
            // A tile has one slice, whatever its channels and the step from slice to slice.
            let counts_slices = self.slice > 0 && at + 2 == self.size.len();
            let (side, step) = if counts_slices { (1, 1) } else { (side, step) };
            if side * step > 256 {
                return Err(TensorRule::Side { dimension, side, step });
            }
            packed = packed.saturating_mul(size);
            last = last.saturating_add((size - 1).saturating_mul(stride));
            description.sizes[at] = size as u64;
            description.strides[at] = stride.saturating_mul(self.bytes) as u64;
            description.sides[at] = (side * step) as u32;
            description.steps[at] = step as u32;
        }
        let needed = last.saturating_add(1);
        if needed > self.len {
            return Err(TensorRule::Length { needed, len: self.len });
        }
        if !self.address.is_multiple_of(UNIT as u64) {
            return Err(TensorRule::Address { address: self.address });
        }
        if !self.address.is_multiple_of(self.unit() as u64) {
            return Err(TensorRule::SliceAddress { address: self.address });
        }
        Ok(description)
    }
}

/// The driver's number of a swizzle.
fn swizzle<S: Placed>() -> CUtensorMapSwizzle {
    match S::SWIZZLE {
        Swizzle::None => CU_TENSOR_MAP_SWIZZLE_NONE,
        Swizzle::B32 => CU_TENSOR_MAP_SWIZZLE_32B,
        Swizzle::B64 => CU_TENSOR_MAP_SWIZZLE_64B,
        Swizzle::B128 => CU_TENSOR_MAP_SWIZZLE_128B,
    }
}

/// The driver's number of a layout.
fn interleave<S: Placed>() -> CUtensorMapInterleave {
    match S::SLICE {
        0 => CU_TENSOR_MAP_INTERLEAVE_NONE,
        16 => CU_TENSOR_MAP_INTERLEAVE_16B,
        _ => CU_TENSOR_MAP_INTERLEAVE_32B,
    }
}

/// Checks what stores demand beyond [`Asked::describe`].
pub(super) fn check_stores<K: TileShape, S: Placed>(
    size: &[usize],
    conversion: Conversion,
) -> Result<()> {
    let rule = match size {
        _ if conversion != Conversion::None => TensorRule::Conversion,
        // Slices are whole units.
        _ if S::SLICE > 0 => return Ok(()),
        _ => {
            let inner = size.last().copied().unwrap_or_default();
            let bytes = inner.saturating_mul(size_of::<K::Element>());
            if bytes.is_multiple_of(UNIT) {
                return Ok(());
            }
            TensorRule::Row { bytes }
        }
    };
    Err(Error::TensorMap(rule))
}

/// The driver's number of elements that loads convert.
fn converted<K: TileShape>(conversion: Conversion) -> Result<CUtensorMapDataType, TensorRule> {
    let element = element_type::<K>();
    let converted = match conversion {
        Conversion::None => return Ok(element),
        Conversion::Flush => CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
        Conversion::Tf32 => CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
        Conversion::Tf32Flush => CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
    };
    match element {
        CU_TENSOR_MAP_DATA_TYPE_FLOAT32 => Ok(converted),
        _ => Err(TensorRule::Conversion),
    }
}

/// The driver's map of a tensor.
pub(super) fn tiled<K: TileShape, S: Placed>(
    tensor: &DeviceSlice<'_, K::Element>,
    size: K::Index,
    options: &TensorOptions<K>,
) -> Result<CUtensorMap> {
    const {
        assert!(Tile::<K, S>::BYTES > 0);
        assert!(
            S::SLICE == 0 || K::DIMENSIONS >= 3,
            "an interleaved tile has 3 to 5 dimensions: images, the channels of a slice, and 1 to 3 of pixels"
        );
    }
    let address = tensor.address();
    let asked = Asked {
        len: tensor.len(),
        bytes: size_of::<K::Element>(),
        address,
        size: size.as_ref(),
        strides: options.strides.as_ref().map(AsRef::as_ref),
        steps: options.steps.as_ref().map(AsRef::as_ref),
        sides: sides::<K>(),
        slice: S::SLICE,
    };
    let Description { sizes, strides, sides, steps } =
        asked.describe().map_err(Error::TensorMap)?;
    if options.fill == Fill::Nan && !is_float::<K>() {
        return Err(Error::TensorMap(TensorRule::Fill));
    }
    let element = converted::<K>(options.conversion).map_err(Error::TensorMap)?;
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
            element,
            K::DIMENSIONS as u32,
            address as *mut c_void,
            sizes.as_ptr(),
            strides[1..].as_ptr(),
            sides.as_ptr(),
            steps.as_ptr(),
            interleave::<S>(),
            swizzle::<S>(),
            promotion,
            fill,
        )?;
    }
    Ok(map)
}

/// The first dimension of pixels, behind those of the images and, in an interleaved layout, of the slices.
pub(super) const fn first_of_pixels<S: Placed>() -> usize {
    if S::SLICE > 0 { 2 } else { 1 }
}

/// The driver's map of images with `N` dimensions of pixels.
pub(super) fn im2col<K: TileShape, S: Placed, const N: usize>(
    tensor: &DeviceSlice<'_, K::Element>,
    size: &[usize],
    pixels: &BoundingBox<N>,
    conversion: Conversion,
) -> Result<CUtensorMap> {
    const { assert!(Tile::<K, S>::BYTES > 0) };
    let element = converted::<K>(conversion).map_err(Error::TensorMap)?;
    let address = tensor.address();
    let [channels, column, ..] = sides::<K>();
    let first = first_of_pixels::<S>();
    let mut all_steps = [1; DIMENSIONS];
    all_steps[first..first + N].copy_from_slice(&pixels.steps);
    let asked = Asked {
        len: tensor.len(),
        bytes: size_of::<K::Element>(),
        address,
        size,
        strides: None,
        steps: Some(&all_steps),
        sides: [1; DIMENSIONS],
        slice: S::SLICE,
    };
    let Description { sizes, strides, steps, .. } = asked.describe().map_err(Error::TensorMap)?;
    let most = [i32::from(i16::MAX), 127, 15][N - 1];
    let corner = |corner: [i32; N]| {
        let mut innermost_first = [0; 3];
        for (at, dimension) in (0..N).rev().enumerate() {
            let corner = corner[dimension];
            if !(-most - 1..=most).contains(&corner) {
                let dimension = dimension + first;
                return Err(Error::TensorMap(TensorRule::Corner { dimension, corner, most }));
            }
            innermost_first[at] = corner;
        }
        Ok(innermost_first)
    };
    let (lower, upper) = (corner(pixels.lower)?, corner(pixels.upper)?);
    let mut map = CUtensorMap::EMPTY;
    // SAFETY: as above; the corners have a number for each dimension of pixels.
    unsafe {
        tensor.driver()?.cuTensorMapEncodeIm2col(
            &mut map,
            element,
            N as u32 + 2,
            address as *mut c_void,
            sizes.as_ptr(),
            strides[1..].as_ptr(),
            lower.as_ptr(),
            upper.as_ptr(),
            channels as u32,
            column as u32,
            steps.as_ptr(),
            interleave::<S>(),
            swizzle::<S>(),
            CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
        )?;
    }
    Ok(map)
}
