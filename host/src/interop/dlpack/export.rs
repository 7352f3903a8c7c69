//! Buffers for other libraries.

use super::{Device, Element, ManagedTensor, Raw, RawManagedTensor, Tensor};
use crate::error::{Error, Result};
use crate::memory::DeviceBuffer;
use crate::memory::tracker::Access;
use crate::stream::Stream;
use core::ffi::c_void;
use core::ptr::{NonNull, null_mut};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A tensor and what it consists of. The tensor comes first: its address is the structure's.
#[repr(C)]
struct Exported<T: Element> {
    raw: RawManagedTensor,
    shape: Vec<i64>,
    strides: Vec<i64>,
    buffer: DeviceBuffer<T>,
    stream: Stream,
}

/// Elements from an index to the next one; None if there are too many.
fn strides_of(shape: &[usize]) -> Option<Vec<i64>> {
    let mut strides = vec![0; shape.len()];
    let mut next = 1i64;
    for (stride, &extent) in strides.iter_mut().zip(shape).rev() {
        *stride = next;
        next = next.checked_mul(i64::try_from(extent).ok()?.max(1))?;
    }
    Some(strides)
}

impl<T: Element> DeviceBuffer<T> {
    /// The buffer as a tensor for another library, of a shape whose last dimension is fastest. Nothing is copied.
    ///
    /// The elements are ready for the work that the other library gives to `stream`, or orders after it. When the tensor is
    /// deleted, the memory is freed after the work that `stream` has been given by then. So the other library uses the
    /// tensor on that stream, or makes it wait before it deletes the tensor.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let tensor = DeviceBuffer::filled_on(12, 0.5f64, &stream)?.into_dlpack_on(&[3, 4], &stream)?;
    /// assert_eq!(tensor.shape(), [3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] if the shape does not fit; [`Error::WrongDevice`]; [`Error::Capture`] if the stream is captured. The
    /// buffer is then dropped.
    pub fn into_dlpack_on(self, shape: &[usize], stream: &Stream) -> Result<ManagedTensor> {
        let fits = shape.iter().try_fold(1usize, |count, &extent| count.checked_mul(extent));
        let strides = strides_of(shape).filter(|_| fits == Some(self.len()));
        let Some(mut strides) = strides else {
            return Err(Error::Shape { shape: shape.to_vec(), len: self.len(), argument: None });
        };
        let context = self.as_slice().context();
        stream.expect_on(context)?;
        {
            let entry = stream.enter();
            stream.0.refuse_capture("DeviceBuffer::into_dlpack_on")?;
            self.as_slice().order(&entry, Access::Write)?;
        }
        // It fits `i64`, as the strides do.
        let mut shape: Vec<i64> = shape.iter().map(|&extent| extent as i64).collect();
        let tensor = Tensor {
            data: self.as_slice().address() as *mut c_void,
            device: Device::of(context),
            dimensions: shape.len() as i32,
            data_type: T::TYPE,
            shape: shape.as_mut_ptr(),
            strides: strides.as_mut_ptr(),
            byte_offset: 0,
        };
        let raw = RawManagedTensor { tensor, manager: null_mut(), deleter: Some(delete::<T>) };
        let stream = stream.clone();
        let exported = Box::new(Exported { raw, shape, strides, buffer: self, stream });
        let exported = Box::into_raw(exported);
        // SAFETY: it is the only pointer there; the tensor is at its beginning.
        unsafe {
            (*exported).raw.manager = exported.cast();
            Ok(ManagedTensor(Raw::Plain(NonNull::new_unchecked(exported.cast()))))
        }
    }
}

/// Frees a tensor.
///
/// # Safety
/// It is a tensor of this file with elements `T`, which is not used afterwards.
unsafe extern "C" fn delete<T: Element>(raw: *mut RawManagedTensor) {
    // A panic must not reach the other library.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the manager is the whole structure, which has no other owner.
        let exported = unsafe { Box::from_raw((*raw).manager.cast::<Exported<T>>()) };
        let Exported { shape, strides, buffer, stream, .. } = *exported;
        drop((shape, strides));
        // The other library has used it on the stream: it is freed there.
        let _ = buffer.as_slice().order(&stream.enter(), Access::Write);
        drop(buffer);
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_dimension_is_fastest() {
        assert_eq!(strides_of(&[]), Some(vec![]));
        assert_eq!(strides_of(&[2, 3, 4]), Some(vec![12, 4, 1]));
        assert_eq!(strides_of(&[2, 0, 4]), Some(vec![4, 4, 1]));
        assert_eq!(strides_of(&[usize::MAX, 1]), None);
        assert_eq!(strides_of(&[1 << 40, 1 << 40]), None);
    }
}
