//! What the hardware requires of tensors whose tiles it copies.

use core::fmt;

/// A rule for tensor maps that a tensor breaks, with the values that break it
/// ([`cuTensorMapEncodeTiled`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TENSOR__MEMORY.html)).
///
/// Dimensions are numbered from 0, in the order of indices: the outermost first.
///
/// ```
/// use ptyx::{DeviceBuffer, Error, TensorMap, TensorRule};
/// let x = DeviceBuffer::<f32>::zeroed(300)?;
/// match TensorMap::<[[f32; 8]; 8]>::new(&x, [3, 100]) {
///     Ok(_) => println!("rows of 400 bytes"),
///     other => panic!("{other:?}"),
/// }
/// match TensorMap::<[[f32; 8]; 8]>::new(&x, [3, 99]) {
///     Err(Error::TensorMap(TensorRule::Stride { dimension: 0, bytes: 396 })) => {}
///     other => panic!("{other:?}"),
/// }
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TensorRule {
    /// The first element's address must be a multiple of 16.
    Address {
        /// The address.
        address: u64,
    },
    /// A dimension must have 1 to 2^32 elements.
    Size {
        /// Which dimension.
        dimension: usize,
        /// Its number of elements.
        size: usize,
    },
    /// The size of the innermost dimension of a tensor that is stored to must be a multiple of 16 bytes: the hardware
    /// stores whole units of 16 bytes, even beyond the end of a row.
    Row {
        /// The dimension's size in bytes.
        bytes: usize,
    },
    /// The innermost dimension's elements must be contiguous.
    InnerStride {
        /// The stride, in elements.
        stride: usize,
    },
    /// The stride of an outer dimension must be a multiple of 16 bytes, and less than 2^40.
    Stride {
        /// Which dimension.
        dimension: usize,
        /// The stride, in bytes.
        bytes: usize,
    },
    /// All elements must be in the buffer.
    Length {
        /// The number of elements up to the tensor's last one.
        needed: usize,
        /// The buffer's length, in elements.
        len: usize,
    },
    /// The step along a dimension must be 1 to 8, and 1 along the innermost.
    Step {
        /// Which dimension.
        dimension: usize,
        /// The step.
        step: usize,
    },
    /// A tile must span at most 256 elements along a dimension, including those that its steps skip.
    Side {
        /// Which dimension.
        dimension: usize,
        /// The tile's number of elements along it.
        side: usize,
        /// The step.
        step: usize,
    },
    /// The coordinates of a bounding box's corners must fit in 16 bits for one dimension of pixels, in 8 bits for two, and
    /// in 5 bits for three.
    Corner {
        /// Which dimension.
        dimension: usize,
        /// The corner's coordinate.
        corner: i32,
        /// The largest coordinate; the smallest is `-most - 1`.
        most: i32,
    },
    /// The bounding box of a map for stores must not begin outside of the image: on an H200, such a store was an illegal
    /// instruction.
    StoredPadding {
        /// Which dimension.
        dimension: usize,
        /// The lower corner's coordinate.
        corner: i32,
    },
    /// Slices of 32 bytes ([`Interleaved32`](ptyx_device::tma::Interleaved32)) need an address that is a multiple of 32
    /// bytes.
    SliceAddress {
        /// The address.
        address: u64,
    },
    /// With slices of 32 bytes, strides must be multiples of 32 bytes.
    SliceStride {
        /// Which dimension.
        dimension: usize,
        /// The stride, in bytes.
        bytes: usize,
    },
    /// In an interleaved layout ([`Interleaved16`](ptyx_device::tma::Interleaved16)), the channels of a column directly follow
    /// those of the column before: the stride of the last dimension is the number of channels of a slice.
    ColumnStride {
        /// The stride of the last dimension, in elements.
        stride: usize,
        /// The number of channels of a slice, which it must be.
        channels: usize,
    },
    /// Only float elements outside of a tensor can be read as NaN.
    Fill,
    /// Only elements of type `f32` are converted, and only when they are loaded.
    Conversion,
}

impl fmt::Display for TensorRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            TensorRule::Address { address } => {
                write!(f, "its address {address:#x} is not a multiple of 16 bytes")
            }
            TensorRule::Row { bytes } => {
                write!(
                    f,
                    "the innermost dimension has {bytes} bytes: to store into it, they must be a multiple of 16"
                )
            }
            TensorRule::Size { dimension, size } => {
                write!(f, "dimension {dimension} has {size} elements: there must be 1 to 2^32")
            }
            TensorRule::InnerStride { stride } => write!(
                f,
                "the last dimension's stride is {stride}: its elements must be contiguous"
            ),
            TensorRule::Stride { dimension, bytes } => write!(
                f,
                "the stride of dimension {dimension} is {bytes} bytes: it must be a multiple of 16, and less than \
                 2^40"
            ),
            TensorRule::Length { needed, len } => {
                write!(f, "it needs {needed} elements, but the buffer has {len}")
            }
            TensorRule::Step { dimension, step } => write!(
                f,
                "the step along dimension {dimension} is {step}: it must be 1 to 8, and 1 along the last dimension"
            ),
            TensorRule::Side { dimension, side, step } => write!(
                f,
                "a tile of {side} elements with steps of {step} along dimension {dimension} spans more than \
                 256 elements"
            ),
            TensorRule::Corner { dimension, corner, most } => write!(
                f,
                "a corner of the bounding box is {corner} along dimension {dimension}: it must be {} to {most}",
                -most - 1
            ),
            TensorRule::StoredPadding { dimension, corner } => write!(
                f,
                "the bounding box begins at {corner} along dimension {dimension}: in a map for stores, it must not \
                 begin outside of the image"
            ),
            TensorRule::SliceAddress { address } => write!(
                f,
                "its address {address:#x} is not a multiple of 32 bytes: slices of 32 bytes of channels need one"
            ),
            TensorRule::SliceStride { dimension, bytes } => write!(
                f,
                "the stride of dimension {dimension} is {bytes} bytes: with slices of 32 bytes of channels, it must be a \
                 multiple of 32"
            ),
            TensorRule::ColumnStride { stride, channels } => write!(
                f,
                "the last dimension's stride is {stride}: in an interleaved layout, the next column is {channels} elements \
                 further on, behind a slice of as many channels"
            ),
            TensorRule::Fill => {
                f.write_str("elements outside of a tensor can be NaN only if they are floats")
            }
            TensorRule::Conversion => f.write_str(
                "only elements of type `f32` are converted, and only when they are loaded",
            ),
        }
    }
}
