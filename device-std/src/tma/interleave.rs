//! Interleaved layouts: the channels of a pixel lie in slices (PTX ISA, "Interleave layout").
//!
//! The PTX ISA does not say what coordinates and sizes count. Here they count what they did on an H200.

use super::Placed;
use crate::wgmma::{B32, Swizzle, Swizzled, Unswizzled};
use core::marker::PhantomData;

/// The interleaved layout `NC/8HWC8`: each slice has 16 bytes of channels, 8 channels of 16 bits. `S` is the swizzle in shared
/// memory.
///
/// It takes the place of a swizzle in the types of a tile and its map. The order in memory is `[n][slice][h][w][8]`: the first 8
/// channels of all pixels of an image, then the next 8.
///
/// ```text
/// in memory, 2 images of 16 channels (2 slices), 2 rows and 3 columns of 16 bits:
///
/// image 0, slice 0: channels 0 to 7     row 0: | w0 | w1 | w2 |    row 1: | w0 | w1 | w2 |
///          slice 1: channels 8 to 15    row 0: | w0 | w1 | w2 |    row 1: | w0 | w1 | w2 |
/// image 1, slice 0: ..                                each | w | is 16 bytes: c, c + 1, .., c + 7
/// ```
///
/// **The second dimension of a tensor counts slices, and a tile has one slice.** Sizes, strides and coordinates are
/// `[n, slice, h, w]` (or with one or three dimensions of pixels, the last of which counts columns): channel 9 is in slice 1. A
/// copy transfers one slice of each pixel, so a tile is `[[[[T; W]; H]; C]; N]` with the `C` channels of a slice, and its indices are
/// `[n, channel, h, w]`.
///
/// In shared memory, the pixels of a tile follow each other as in global memory, without gaps, each with the channels of the
/// slice. The number of columns times an element's size must be a multiple of 16 bytes (8 columns of 16 bits). Copies may begin
/// at any slice, row and column. If the number of channels is not a multiple of a slice's, the last slice of an image still
/// takes a whole slice in memory, and copies transfer all of it; the PTX ISA demands zeros behind the last channel.
///
/// ```
/// use half::f16;
/// use ptyx::device::tma::{Interleaved16, Tile};
///
/// // A slice of 2 rows of 8 columns, of 2 images.
/// type Pixels = Tile<[[[[f16; 8]; 2]; 8]; 2], Interleaved16>;
/// assert_eq!(Pixels::BYTES, 2 * 2 * 8 * 16);
/// // Image 1, channel 5 of the slice, row 1, column 3.
/// assert_eq!(Pixels::offset([1, 5, 1, 3]), ((1 * 2 + 1) * 8 + 3) * 16 + 5 * 2);
/// ```
///
/// A tile with more or fewer channels is a compile error, since no copy transfers them. Load several slices into several tiles:
///
/// ```compile_fail,E0080
/// use half::f16;
/// use ptyx::device::tma::{Interleaved16, Tile};
/// let bytes = Tile::<[[[[f16; 8]; 2]; 16]; 1], Interleaved16>::BYTES;
/// ```
///
/// An [`Im2colMap`](super::Im2colMap) of such images loads columns of pixels: tiles of two dimensions, pixels with the channels of one
/// slice.
///
/// ```
/// use half::f16;
/// use ptyx::device::tma::{Interleaved16, Tile};
/// assert_eq!(Tile::<[[f16; 8]; 128], Interleaved16>::offset([3, 5]), 3 * 16 + 5 * 2);
/// ```
///
/// ```compile_fail,E0080
/// use half::f16;
/// use ptyx::device::tma::{Interleaved16, Tile};
/// // Channels of two slices.
/// let bytes = Tile::<[[f16; 16]; 128], Interleaved16>::BYTES;
/// ```
///
/// No manual says so; the project's `docs/tensor-memory.md` lists what was seen on an H200.
///
/// PTX ISA, [Interleave layout](https://docs.nvidia.com/cuda/parallel-thread-execution/#tensor-interleaved-layout);
/// `CU_TENSOR_MAP_INTERLEAVE_16B` of
/// [`cuTensorMapEncodeTiled`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TENSOR__MEMORY.html).
#[doc(alias = "CU_TENSOR_MAP_INTERLEAVE_16B")]
#[doc(alias = "CUtensorMapInterleave")]
#[doc(alias = "NC8HWC8")]
#[derive(Clone, Copy, Debug)]
pub struct Interleaved16<S: Placed = Unswizzled>(PhantomData<S>);

/// The interleaved layout `NC/16HWC16`: each slice has 32 bytes of channels, 16 channels of 16 bits. In shared memory, tiles have
/// the swizzle [`B32`], as the driver demands.
///
/// Everything else is as for [`Interleaved16`]. The address of the tensor and its strides must be multiples of 32 bytes.
///
/// ```
/// use ptyx::device::tma::{Interleaved32, Tile};
///
/// // 8 channels of 4 bytes are a slice of 32 bytes, for each of 4 columns of 2 images.
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
