//! Interleaved layouts: the channels of a pixel lie in slices (PTX ISA, "Interleave layout").

use super::Placed;
use crate::wgmma::{B32, Swizzle, Swizzled, Unswizzled};
use core::marker::PhantomData;

/// The interleaved layout `NC/8HWC8`: slices of 16 bytes of channels, 8 channels of 16 bits. `S` is the swizzle in shared
/// memory.
///
/// It takes the place of a swizzle in the types of a tile and its map. Dimensions are images, channels, then one to three
/// dimensions of pixels; the last counts columns. Indices and coordinates are those of a tensor `[n][c][h][w]`, but its
/// memory is `[n][c / 8][h][w][8]`: the first 8 channels of all pixels of an image, then the next 8.
///
/// ```text
/// in memory, 2 images of 12 channels, 2 rows and 3 columns of 16 bits:
///
/// image 0, channels 0 to 7      row 0: | w0 | w1 | w2 |    row 1: | w0 | w1 | w2 |
///          channels 8 to 15     row 0: | w0 | w1 | w2 |    row 1: | w0 | w1 | w2 |    12 to 15: zeros
/// image 1, channels 0 to 7      ..                         each | w | is 16 bytes: c, c + 1, .., c + 7
/// ```
///
/// A tile has whole slices, and lies in shared memory in the same order: those of its columns, rows, slices, images, without
/// gaps. Its columns must be a multiple of 16 bytes as elements (8 columns of 16 bits). Copies begin at a multiple of
/// a slice's channels, and at any row and column. If the number of channels is no multiple of a slice, the last slice of
/// an image is whole, too; the PTX ISA demands zeros there.
///
/// ```
/// use half::f16;
/// use ptyx::device::tma::{Interleaved16, Tile};
///
/// // 16 channels of 2 rows of 8 columns: two slices.
/// type Pixels = Tile<[[[[f16; 8]; 2]; 16]; 1], Interleaved16>;
/// assert_eq!(Pixels::BYTES, 2 * 2 * 8 * 16);
/// // Channel 9, row 1, column 3: the second channel of the second slice.
/// assert_eq!(Pixels::offset([0, 9, 1, 3]), ((1 * 2 + 1) * 8 + 3) * 16 + 2);
/// ```
///
/// A tile can't have a part of a slice:
///
/// ```compile_fail,E0080
/// use half::f16;
/// use ptyx::device::tma::{Interleaved16, Tile};
/// let bytes = Tile::<[[[[f16; 8]; 2]; 12]; 1], Interleaved16>::BYTES;
/// ```
///
/// On an H200, boxes of one slice were loaded from the first channel on, and lay there in this order. Tiles of several
/// slices, other first channels, stores and reductions were not tried on hardware yet.
///
/// PTX ISA, [Interleave layout](https://docs.nvidia.com/cuda/parallel-thread-execution/#tensor-interleaved-layout);
/// `CU_TENSOR_MAP_INTERLEAVE_16B` of
/// [`cuTensorMapEncodeTiled`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TENSOR__MEMORY.html).
#[doc(alias = "CU_TENSOR_MAP_INTERLEAVE_16B")]
#[doc(alias = "CUtensorMapInterleave")]
#[doc(alias = "NC8HWC8")]
#[derive(Clone, Copy, Debug)]
pub struct Interleaved16<S: Placed = Unswizzled>(PhantomData<S>);

/// The interleaved layout `NC/16HWC16`: slices of 32 bytes of channels, 16 channels of 16 bits. In shared memory, tiles have
/// the swizzle [`B32`], as the driver demands.
///
/// Everything else is as for [`Interleaved16`]. The address of the tensor and its strides must be multiples of 32 bytes.
///
/// ```
/// use ptyx::device::tma::{Interleaved32, Tile};
///
/// // 8 channels of 4 columns of 4 bytes: a slice of 32 bytes for each column.
/// type Pixels = Tile<[[[f32; 4]; 8]; 2], Interleaved32>;
/// assert_eq!(Pixels::BYTES, 2 * 4 * 32);
/// assert_eq!(Pixels::offset([0, 5, 1]), 32 + 5 * 4);
/// // Behind the first 128 bytes, the swizzle exchanges the halves of each slice.
/// assert_eq!(Pixels::offset([1, 5, 1]), 128 + 32 + 5 * 4 - 16);
/// ```
///
/// PTX ISA, [Interleave layout](https://docs.nvidia.com/cuda/parallel-thread-execution/#tensor-interleaved-layout);
/// `CU_TENSOR_MAP_INTERLEAVE_32B` of
/// [`cuTensorMapEncodeTiled`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TENSOR__MEMORY.html).
#[doc(alias = "CU_TENSOR_MAP_INTERLEAVE_32B")]
#[doc(alias = "NC16HWC16")]
#[derive(Clone, Copy, Debug)]
pub enum Interleaved32 {}

impl<S: Placed> Swizzled for Interleaved16<S> {
    const SWIZZLE: Swizzle = S::SWIZZLE;
}

impl<S: Placed> Placed for Interleaved16<S> {
    type Alignment = S::Alignment;

    const SLICE: usize = {
        assert!(S::SLICE == 0, "the parameter of `Interleaved16` is a swizzle");
        16
    };
}

impl Swizzled for Interleaved32 {
    const SWIZZLE: Swizzle = B32::SWIZZLE;
}

impl Placed for Interleaved32 {
    type Alignment = <B32 as Placed>::Alignment;

    const SLICE: usize = 32;
}
