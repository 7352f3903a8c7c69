//! Tensors of other libraries, without copies: [DLPack](https://dmlc.github.io/dlpack/latest/), which PyTorch, JAX, CuPy and
//! others exchange.
//!
//! [`DeviceBuffer::into_dlpack_on`](crate::DeviceBuffer::into_dlpack_on) gives a buffer away as a tensor, and
//! [`DeviceBuffer::from_dlpack_on`](crate::DeviceBuffer::from_dlpack_on) makes a buffer of one.
//! Both take the stream in whose order the memory changes hands, like the argument `stream` of Python's `__dlpack__`.
//! Python holds the pointer of [`ManagedTensor::into_raw`] in a capsule with the name `dltensor`, that of
//! [`ManagedTensor::into_raw_versioned`] (DLPack 1.0) in one with the name `dltensor_versioned`.
//!
//! On the emulated device, whose memory no other library can use, a tensor's device is `kDLExtDev`.
//!
//! ```
//! use ptyx::dlpack::ManagedTensor;
//! use ptyx::{DeviceBuffer, Stream};
//! let stream = Stream::new()?;
//! let buffer = DeviceBuffer::from_slice_on(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], &stream)?;
//! let tensor = buffer.into_dlpack_on(&[2, 3], &stream)?;
//! let raw = tensor.into_raw(); // for another library, which calls its deleter
//! // SAFETY: it is a tensor that nothing else uses, ready in the stream's order.
//! let (buffer, shape) = unsafe {
//!     let tensor = ManagedTensor::from_raw(raw).expect("a tensor");
//!     DeviceBuffer::<f32>::from_dlpack_on(tensor, &stream)?
//! };
//! assert_eq!((buffer.to_vec()?, &*shape), (vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3][..]));
//! # Ok::<(), ptyx::Error>(())
//! ```

mod element;
mod export;
mod import;
mod versioned;

pub use element::Element;
pub use versioned::{RawVersionedTensor, Version};

use crate::context::Context;
use core::ffi::c_void;
use core::fmt;
use core::ptr::NonNull;

/// Where a tensor's memory is (`DLDevice`).
///
/// ```
/// use ptyx::dlpack::Device;
/// assert_eq!(Device { kind: Device::CUDA, index: 0 }.kind, 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Device {
    /// The kind of device (`DLDeviceType`).
    pub kind: i32,
    /// The device's index.
    pub index: i32,
}

impl Device {
    /// A GPU's memory (`kDLCUDA`).
    ///
    /// ```
    /// use ptyx::dlpack::Device;
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let tensor = DeviceBuffer::<u8>::zeroed(6)?.into_dlpack_on(&[6], &stream)?;
    /// let is_on_gpu = tensor.tensor().device.kind == Device::CUDA;
    /// assert_eq!(is_on_gpu, !ptyx::Device::current()?.is_emulated());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub const CUDA: i32 = 2;
    /// Memory of a device that only its owner knows (`kDLExtDev`): the emulated device.
    ///
    /// ```
    /// use ptyx::dlpack::Device;
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let tensor = DeviceBuffer::<u8>::zeroed(6)?.into_dlpack_on(&[6], &stream)?;
    /// let is_emulated = tensor.tensor().device.kind == Device::EXTENSION;
    /// assert_eq!(is_emulated, ptyx::Device::current()?.is_emulated());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub const EXTENSION: i32 = 12;
    /// Managed memory of the host and all GPUs (`kDLCUDAManaged`).
    ///
    /// ```
    /// use ptyx::dlpack::{Device, Tensor};
    /// /// Whether the host can read a tensor where it is.
    /// fn is_host_readable(tensor: &Tensor) -> bool {
    ///     tensor.device.kind == Device::CUDA_MANAGED
    /// }
    /// # use ptyx::{DeviceBuffer, Stream};
    /// # let tensor = DeviceBuffer::<u8>::zeroed(6)?.into_dlpack_on(&[6], &Stream::new()?)?;
    /// # assert!(!is_host_readable(tensor.tensor()));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub const CUDA_MANAGED: i32 = 13;

    fn of(context: &Context) -> Device {
        let kind = if context.driver.is_emulated() { Device::EXTENSION } else { Device::CUDA };
        Device { kind, index: context.ordinal.cast_signed() }
    }
}

/// The type of a tensor's elements (`DLDataType`).
///
/// ```
/// use ptyx::dlpack::{DataType, Element};
/// assert_eq!(f32::TYPE, DataType { code: DataType::FLOAT, bits: 32, lanes: 1 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct DataType {
    /// The kind of number (`DLDataTypeCode`).
    pub code: u8,
    /// Bits per number.
    pub bits: u8,
    /// Numbers per element.
    pub lanes: u16,
}

impl DataType {
    /// Signed integers (`kDLInt`).
    ///
    /// ```
    /// use ptyx::dlpack::{DataType, Element};
    /// assert_eq!(i16::TYPE, DataType { code: DataType::INT, bits: 16, lanes: 1 });
    /// ```
    pub const INT: u8 = 0;
    /// Unsigned integers (`kDLUInt`).
    ///
    /// ```
    /// use ptyx::dlpack::{DataType, Element};
    /// assert_eq!(u64::TYPE, DataType { code: DataType::UINT, bits: 64, lanes: 1 });
    /// ```
    pub const UINT: u8 = 1;
    /// IEEE floating-point numbers (`kDLFloat`).
    ///
    /// ```
    /// use ptyx::dlpack::{DataType, Element};
    /// assert_eq!(f64::TYPE, DataType { code: DataType::FLOAT, bits: 64, lanes: 1 });
    /// ```
    pub const FLOAT: u8 = 2;
    /// `bfloat16` (`kDLBfloat`).
    ///
    /// ```
    /// use ptyx::dlpack::{DataType, Element};
    /// /// Whether the elements are `half::bf16`.
    /// fn is_bf16(found: DataType) -> bool {
    ///     found == DataType { code: DataType::BFLOAT, bits: 16, lanes: 1 }
    /// }
    /// assert!(!is_bf16(u16::TYPE));
    /// ```
    pub const BFLOAT: u8 = 4;
    /// Complex numbers, whose bits are those of both parts (`kDLComplex`).
    ///
    /// ```
    /// use ptyx::dlpack::DataType;
    /// /// The bits of each real number of an element.
    /// fn real_bits(found: DataType) -> u8 {
    ///     if found.code == DataType::COMPLEX { found.bits / 2 } else { found.bits }
    /// }
    /// // A pair of `f32`.
    /// assert_eq!(real_bits(DataType { code: DataType::COMPLEX, bits: 64, lanes: 1 }), 32);
    /// ```
    pub const COMPLEX: u8 = 5;
    /// Booleans (`kDLBool`).
    ///
    /// ```
    /// use ptyx::dlpack::{DataType, Element};
    /// assert_eq!(bool::TYPE, DataType { code: DataType::BOOL, bits: 8, lanes: 1 });
    /// ```
    pub const BOOL: u8 = 6;
}

/// A tensor (`DLTensor`).
///
/// ```
/// use ptyx::dlpack::{Element, Tensor};
/// use ptyx::{DeviceBuffer, Stream};
/// let tensor = DeviceBuffer::<f32>::zeroed(6)?.into_dlpack_on(&[2, 3], &Stream::new()?)?;
/// let Tensor { dimensions, data_type, byte_offset, .. } = *tensor.tensor();
/// assert_eq!((dimensions, data_type, byte_offset), (2, f32::TYPE, 0));
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Tensor {
    /// The memory.
    pub data: *mut c_void,
    /// Where it is.
    pub device: Device,
    /// How many dimensions there are.
    pub dimensions: i32,
    /// The type of the elements.
    pub data_type: DataType,
    /// The extent of each dimension.
    pub shape: *mut i64,
    /// The stride of each dimension, in elements; null if the last dimension varies fastest and there are no gaps.
    pub strides: *mut i64,
    /// Bytes from `data` to the first element.
    pub byte_offset: u64,
}

/// A tensor and the function that deletes it (`DLManagedTensor`).
///
/// ```
/// use ptyx::dlpack::RawManagedTensor;
/// use ptyx::{DeviceBuffer, Stream};
/// let tensor = DeviceBuffer::<f32>::zeroed(6)?.into_dlpack_on(&[2, 3], &Stream::new()?)?;
/// let raw: *mut RawManagedTensor = tensor.into_raw();
/// // What another library does with it:
/// // SAFETY: a valid tensor, which is not used after its deletion.
/// unsafe {
///     assert_eq!((*raw).tensor.dimensions, 2);
///     if let Some(delete) = (*raw).deleter {
///         delete(raw);
///     }
/// }
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawManagedTensor {
    /// The tensor.
    pub tensor: Tensor,
    /// Whatever the deleter needs.
    pub manager: *mut c_void,
    /// Deletes the tensor, including this structure.
    pub deleter: Option<unsafe extern "C" fn(*mut RawManagedTensor)>,
}

/// A tensor with one owner: dropping this deletes the tensor.
///
/// ```
/// use ptyx::{DeviceBuffer, Stream, dlpack::DataType};
/// let tensor = DeviceBuffer::<u8>::zeroed(6)?.into_dlpack_on(&[3, 2], &Stream::new()?)?;
/// assert_eq!(tensor.shape(), [3, 2]);
/// assert_eq!(tensor.tensor().data_type.code, DataType::UINT);
/// drop(tensor); // frees the buffer
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct ManagedTensor(Raw);

/// The structure that it is in.
#[derive(Clone, Copy)]
enum Raw {
    Plain(NonNull<RawManagedTensor>),
    Versioned(NonNull<RawVersionedTensor>),
}

// SAFETY: `from_raw` requires that any thread may use and delete it.
unsafe impl Send for ManagedTensor {}

impl ManagedTensor {
    /// The owner of a tensor; `None` if the pointer is null.
    ///
    /// ```
    /// use ptyx::dlpack::ManagedTensor;
    /// // SAFETY: null is no tensor.
    /// assert!(unsafe { ManagedTensor::from_raw(std::ptr::null_mut()) }.is_none());
    /// ```
    ///
    /// # Safety
    /// `raw` is null, or a valid tensor whose shape and strides have as many numbers as it has dimensions. Nobody else
    /// uses it, and its deleter has not been called. It may be called on any thread.
    pub unsafe fn from_raw(raw: *mut RawManagedTensor) -> Option<ManagedTensor> {
        NonNull::new(raw).map(|raw| ManagedTensor(Raw::Plain(raw)))
    }

    /// The tensor for another library, which has to call its deleter.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let tensor = DeviceBuffer::<u8>::zeroed(6)?.into_dlpack_on(&[6], &Stream::new()?)?;
    /// let raw = tensor.into_raw();
    /// // SAFETY: nobody has deleted it.
    /// unsafe { (*raw).deleter.unwrap()(raw) };
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn into_raw(self) -> *mut RawManagedTensor {
        self.into_plain()
    }

    /// The tensor.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let tensor = DeviceBuffer::<u8>::zeroed(6)?.into_dlpack_on(&[6], &Stream::new()?)?;
    /// assert_eq!(tensor.tensor().dimensions, 1);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn tensor(&self) -> &Tensor {
        // SAFETY: `from_raw` requires it.
        unsafe {
            match &self.0 {
                Raw::Plain(raw) => &raw.as_ref().tensor,
                Raw::Versioned(raw) => &raw.as_ref().tensor,
            }
        }
    }

    /// A number for each dimension.
    fn numbers(&self, numbers: *mut i64) -> Option<&[i64]> {
        let count = usize::try_from(self.tensor().dimensions).unwrap_or(0);
        match count {
            0 => Some(&[]),
            _ if numbers.is_null() => None,
            // SAFETY: `from_raw` requires that there are as many.
            _ => Some(unsafe { core::slice::from_raw_parts(numbers, count) }),
        }
    }

    /// The extent of each dimension.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let tensor = DeviceBuffer::<u8>::zeroed(6)?.into_dlpack_on(&[1, 6], &Stream::new()?)?;
    /// assert_eq!(tensor.shape(), [1, 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn shape(&self) -> &[i64] {
        self.numbers(self.tensor().shape).unwrap_or(&[])
    }

    /// The stride of each dimension, in elements; `None` if the last dimension varies fastest and there are no gaps.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let tensor = DeviceBuffer::<u8>::zeroed(6)?.into_dlpack_on(&[2, 3], &Stream::new()?)?;
    /// assert_eq!(tensor.strides(), Some(&[3, 1][..]));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn strides(&self) -> Option<&[i64]> {
        self.numbers(self.tensor().strides)
    }
}

impl Drop for ManagedTensor {
    fn drop(&mut self) {
        // SAFETY: this is the owner, and the deleter, if there is one, has not been called.
        unsafe {
            match self.0 {
                Raw::Plain(raw) => (*raw.as_ptr()).deleter.map(|delete| delete(raw.as_ptr())),
                Raw::Versioned(raw) => (*raw.as_ptr()).deleter.map(|delete| delete(raw.as_ptr())),
            }
        };
    }
}

impl fmt::Debug for ManagedTensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tensor { device, data_type, .. } = *self.tensor();
        f.debug_struct("ManagedTensor")
            .field("shape", &self.shape())
            .field("strides", &self.strides())
            .field("data_type", &data_type)
            .field("device", &device)
            .finish()
    }
}
