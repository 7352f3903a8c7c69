//! Copies that convert numbers to another type.

pub(crate) mod between;
mod boxes;
mod kernels;

pub use between::{CopySource, CopyTarget, copy, copy_as, copy_as_or, copy_or};

use super::DeviceBuffer;
use super::slice::{DeviceSlice, DeviceSliceMut, same_length};
use super::tracker::Access;
use crate::error::{Error, Result};
use crate::stream::Stream;
use ptyx_device::DeviceCopy;

/// Numbers that copies can convert to `U`, as `as` does: conversions between integers wrap, conversions to floats round
/// to nearest, and conversions from floats to integers truncate, saturate, and turn NaN into 0.
///
/// All integers of up to 64 bits, `usize`, `isize`, `f32` and `f64` convert to each other; with the feature `half`, so do
/// the crate's `f16` and `bf16`.
///
/// ```
/// use ptyx::ConvertTo;
/// let byte: u8 = 300.7f32.convert();
/// assert_eq!(byte, 255);
/// ```
pub trait ConvertTo<U>: DeviceCopy {
    /// The number as a `U`.
    fn convert(self) -> U;
}

macro_rules! conversions {
    ($($from:ident)*) => { conversions! { @ [$($from)*] $($from)* } };
    (@ $all:tt $($from:ident)*) => { $(conversions! { $from => $all })* };
    ($from:ident => [$($to:ident)*]) => {$(
        impl ConvertTo<$to> for $from {
            #[inline]
            #[allow(clippy::unnecessary_cast)]
            fn convert(self) -> $to {
                self as $to
            }
        }
    )*};
}
conversions!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64);

/// 16-bit floats: integers go through `f64`, which rounds those of more than 53 bits.
#[cfg(feature = "half")]
mod half_floats {
    use super::ConvertTo;
    use half::{bf16, f16};

    /// Rounds to odd: a number that is not an `f32` becomes the neighbouring `f32` whose last bit is 1. Rounding that to a
    /// 16-bit float gives the float nearest to the number. Rounding the nearest `f32` might not, since it can be a tie.
    fn rounded_to_odd(number: f64) -> f32 {
        let nearest = number as f32;
        if f64::from(nearest) == number || number.is_nan() {
            return nearest;
        }
        let beyond = f64::from(nearest).abs() > number.abs();
        f32::from_bits((nearest.to_bits() - u32::from(beyond)) | 1)
    }

    macro_rules! through_f64 {
        ($half:ident: $($other:ident)*) => {$(
            impl ConvertTo<$other> for $half {
                #[inline]
                #[allow(clippy::unnecessary_cast)]
                fn convert(self) -> $other {
                    f64::from(self) as $other
                }
            }

            impl ConvertTo<$half> for $other {
                #[inline]
                #[allow(clippy::unnecessary_cast)]
                fn convert(self) -> $half {
                    $half::from_f32(rounded_to_odd(self as f64))
                }
            }
        )*};
        ($($half:ident)*) => {$(
            through_f64!($half: u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64);

            impl ConvertTo<f16> for $half {
                #[inline]
                fn convert(self) -> f16 {
                    f16::from_f32(self.to_f32())
                }
            }

            impl ConvertTo<bf16> for $half {
                #[inline]
                fn convert(self) -> bf16 {
                    bf16::from_f32(self.to_f32())
                }
            }
        )*};
    }
    through_f64!(f16 bf16);
}

/// Numbers that devices can convert: integers of up to 64 bits, `usize`, `isize`, `f32`, `f64`, and, with the feature
/// `half`, that crate's `f16`.
///
/// ```
/// use ptyx::{DeviceBuffer, DeviceNumber};
/// fn converted<T: DeviceNumber, U: DeviceNumber>(
///     from: &DeviceBuffer<T>,
/// ) -> ptyx::Result<DeviceBuffer<U>> {
///     let mut to = DeviceBuffer::<U>::zeroed(from.len())?;
///     to.as_slice_mut().copy_from_buffer_as(from)?;
///     Ok(to)
/// }
/// let singles: DeviceBuffer<f32> = converted(&DeviceBuffer::from_slice(&[0.1f64, 0.5])?)?;
/// assert_eq!(singles.to_vec()?, [0.1, 0.5]);
/// let bytes: DeviceBuffer<u8> = converted(&DeviceBuffer::from_slice(&[-1, 257])?)?;
/// assert_eq!(bytes.to_vec()?, [255, 1]);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub trait DeviceNumber: DeviceCopy + kernels::sealed::Number {}

impl<T: DeviceCopy + kernels::sealed::Number> DeviceNumber for T {}

/// The numbers of a slice as another type.
fn converted<T, U: ConvertTo<T>>(host: &[U]) -> Vec<T> {
    host.iter().map(|&number| number.convert()).collect()
}

impl<T: DeviceCopy> DeviceSlice<'_, T> {
    /// Like [`DeviceSlice::to_vec`]; the host then converts the elements.
    ///
    /// ```
    /// let buffer = ptyx::DeviceBuffer::from_slice(&[1.0f32, 2.5, -3.0])?;
    /// assert_eq!(buffer.as_slice().to_vec_as::<f64>()?, [1.0, 2.5, -3.0]);
    /// assert_eq!(buffer.slice(1..).to_vec_as::<u8>()?, [2, 0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceSlice::to_vec`].
    pub fn to_vec_as<U>(&self) -> Result<Vec<U>>
    where
        T: ConvertTo<U>,
    {
        Ok(self.to_vec()?.into_iter().map(ConvertTo::convert).collect())
    }
}

impl<T: DeviceCopy> DeviceSliceMut<'_, T> {
    /// Like [`DeviceSliceMut::copy_from_slice`]; the host first converts the elements. The lengths must be equal.
    ///
    /// ```
    /// let mut buffer = ptyx::DeviceBuffer::<f32>::zeroed(3)?;
    /// buffer.as_slice_mut().copy_from_slice_as(&[1u8, 2, 3])?;
    /// assert_eq!(buffer.to_vec()?, [1.0, 2.0, 3.0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceSliceMut::copy_from_slice`].
    pub fn copy_from_slice_as<U: ConvertTo<T>>(&mut self, host: &[U]) -> Result<()> {
        same_length("copying a host slice to a device buffer", self.len(), host.len())?;
        self.copy_from_slice(&converted(host))
    }

    /// Copies from a buffer of the same length on the same device, on the default stream; the device converts the numbers:
    /// see [`DeviceSliceMut::copy_from_buffer_as_on`].
    ///
    /// ```
    /// let singles = ptyx::DeviceBuffer::from_slice(&[0.1f32, -2.5])?;
    /// let mut doubles = ptyx::DeviceBuffer::<f64>::zeroed(2)?;
    /// doubles.as_slice_mut().copy_from_buffer_as(&singles)?;
    /// assert_eq!(doubles.to_vec()?, [f64::from(0.1f32), -2.5]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceSliceMut::copy_from_buffer_as_on`].
    pub fn copy_from_buffer_as<'b, U: DeviceNumber + 'b>(
        &mut self,
        from: impl Into<DeviceSlice<'b, U>>,
    ) -> Result<()>
    where
        T: DeviceNumber,
    {
        let stream = self.part().context().default_stream()?;
        self.copy_from_buffer_as_on(from, stream)
    }

    /// Copies from a buffer of the same length on the same device, on `stream`; the device converts the numbers
    /// as [`ConvertTo`] says. The host does not wait.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let exact = DeviceBuffer::from_slice(&[0.1f64, 1e300])?;
    /// let mut short = DeviceBuffer::<f32>::zeroed(2)?;
    /// short.as_slice_mut().copy_from_buffer_as_on(&exact, &stream)?;
    /// assert_eq!(short.to_vec()?, [0.1f32, f32::INFINITY]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::WrongDevice`], [`Error::TooLarge`] if there are more than 2^39 numbers.
    pub fn copy_from_buffer_as_on<'b, U: DeviceNumber + 'b>(
        &mut self,
        from: impl Into<DeviceSlice<'b, U>>,
        stream: &Stream,
    ) -> Result<()>
    where
        T: DeviceNumber,
    {
        let (to, from) = (self.part(), from.into());
        same_length("copying between device buffers", to.len(), from.len())?;
        let (len, context) = (to.len(), stream.context());
        let blocks = kernels::blocks(len).ok_or(Error::TooLarge { len, size: size_of::<T>() })?;
        let kernel = kernels::kernel(context, kernels::Kind::of::<T>(), kernels::Kind::of::<U>())?;
        let entry = stream.enter().for_kernel();
        from.order(&entry, Access::Read)?;
        to.order(&entry, Access::Write)?;
        if blocks == 0 {
            return Ok(());
        }
        // SAFETY: both parts have `len` numbers of these types, and their trackers know of the use.
        unsafe { kernels::launch(kernel, blocks, stream, [to.address(), from.address()], len) }
    }
}

impl<T: DeviceCopy> DeviceBuffer<T> {
    /// A copy of a host slice, converted by the host, on the thread's device.
    ///
    /// ```
    /// let buffer = ptyx::DeviceBuffer::<f32>::from_slice_as(&[1.5f64, 2.0])?;
    /// assert_eq!(buffer.to_vec()?, [1.5, 2.0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceBuffer::from_slice`].
    pub fn from_slice_as<U: ConvertTo<T>>(host: &[U]) -> Result<DeviceBuffer<T>> {
        DeviceBuffer::from_slice(&converted(host))
    }

    /// Like [`from_slice_as`](Self::from_slice_as), but on the device of `stream` and in its order. The host waits
    /// until the numbers have been read, and so for the earlier work of the stream.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let buffer = DeviceBuffer::<u8>::from_slice_as_on(&[1.5f64, 300.0], &stream)?;
    /// assert_eq!(buffer.to_vec()?, [1, 255]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceBuffer::from_slice_on`].
    pub fn from_slice_as_on<U: ConvertTo<T>>(
        host: &[U],
        stream: &Stream,
    ) -> Result<DeviceBuffer<T>> {
        DeviceBuffer::from_slice_on(&converted(host), stream)
    }
}
