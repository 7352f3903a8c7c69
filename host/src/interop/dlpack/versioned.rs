//! Tensors with a version, since DLPack 1.0.

use super::{ManagedTensor, Raw, RawManagedTensor, Tensor};
use crate::error::{Error, Result};
use core::ffi::c_void;
use core::ptr::{NonNull, null_mut};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The version of a tensor's structure (`DLPackVersion`).
///
/// ```
/// use ptyx::dlpack::Version;
/// use ptyx::{DeviceBuffer, Stream};
/// let tensor = DeviceBuffer::<u8>::zeroed(6)?.into_dlpack_on(&[6], &Stream::new()?)?;
/// let raw = tensor.into_raw_versioned();
/// // SAFETY: a valid tensor.
/// let Version { major, minor } = unsafe { (*raw).version };
/// assert_eq!((major, minor), (1, 0));
/// # // SAFETY: nobody has deleted it.
/// # unsafe { (*raw).deleter.unwrap()(raw) };
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Version {
    /// A different number means a different structure.
    pub major: u32,
    /// A greater number only adds kinds of devices, elements and flags.
    pub minor: u32,
}

impl Version {
    /// The version that Ptyx writes. It reads every version with the same major number.
    ///
    /// ```
    /// use ptyx::dlpack::Version;
    /// /// Whether a tensor's structure is one that we know.
    /// fn can_read(version: Version) -> bool {
    ///     version.major == Version::OWN.major
    /// }
    /// assert!(can_read(Version { major: 1, minor: 3 }) && !can_read(Version { major: 2, minor: 0 }));
    /// ```
    pub const OWN: Version = Version { major: 1, minor: 0 };
}

/// A tensor with its version and the function that deletes it (`DLManagedTensorVersioned`). Python holds it in a capsule
/// with the name `dltensor_versioned`.
///
/// ```
/// use ptyx::dlpack::RawVersionedTensor;
/// use ptyx::{DeviceBuffer, Stream};
/// let tensor = DeviceBuffer::<f32>::zeroed(6)?.into_dlpack_on(&[2, 3], &Stream::new()?)?;
/// let raw: *mut RawVersionedTensor = tensor.into_raw_versioned();
/// // What another library does with it:
/// // SAFETY: a valid tensor, which is not used after its deletion.
/// unsafe {
///     assert_eq!(((*raw).version.major, (*raw).tensor.dimensions), (1, 2));
///     if let Some(delete) = (*raw).deleter {
///         delete(raw);
///     }
/// }
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawVersionedTensor {
    /// At the same place in all versions of the structure.
    pub version: Version,
    /// Whatever the deleter needs.
    pub manager: *mut c_void,
    /// Deletes the tensor, including this structure.
    pub deleter: Option<unsafe extern "C" fn(*mut RawVersionedTensor)>,
    /// [`RawVersionedTensor::READ_ONLY`] and others.
    pub flags: u64,
    /// The tensor.
    pub tensor: Tensor,
}

impl RawVersionedTensor {
    /// Nobody may write the elements (`DLPACK_FLAG_BITMASK_READ_ONLY`).
    ///
    /// ```
    /// use ptyx::dlpack::{ManagedTensor, RawVersionedTensor};
    /// use ptyx::{DeviceBuffer, Error, Stream};
    /// let stream = Stream::new()?;
    /// let raw = DeviceBuffer::<f32>::zeroed(6)?.into_dlpack_on(&[6], &stream)?.into_raw_versioned();
    /// // SAFETY: a valid tensor, which nobody else has.
    /// let lent = unsafe {
    ///     (*raw).flags |= RawVersionedTensor::READ_ONLY;
    ///     ManagedTensor::from_raw_versioned(raw)?.expect("a tensor")
    /// };
    /// // SAFETY: it is ready in the stream's order.
    /// let buffer = unsafe { DeviceBuffer::<f32>::from_dlpack_on(lent, &stream) };
    /// assert!(matches!(buffer, Err(Error::Foreign { .. })));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub const READ_ONLY: u64 = 1;
    /// The elements were copied for whoever gets the tensor (`DLPACK_FLAG_BITMASK_IS_COPIED`).
    ///
    /// ```
    /// use ptyx::dlpack::RawVersionedTensor;
    /// use ptyx::{DeviceBuffer, Stream};
    /// let tensor = DeviceBuffer::<f32>::zeroed(6)?.into_dlpack_on(&[6], &Stream::new()?)?;
    /// let raw = tensor.into_raw_versioned();
    /// // SAFETY: a valid tensor.
    /// let flags = unsafe { (*raw).flags };
    /// assert_eq!(flags & RawVersionedTensor::IS_COPIED, 0); // it is the buffer itself
    /// # // SAFETY: nobody has deleted it.
    /// # unsafe { (*raw).deleter.unwrap()(raw) };
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub const IS_COPIED: u64 = 2;
}

/// A tensor in another structure. The structure comes first: its address is the whole's.
#[repr(C)]
struct Wrapped<R> {
    raw: R,
    inner: ManagedTensor,
}

impl<R> Wrapped<R> {
    /// Puts a tensor into a structure, whose manager is the whole; `manager` says where it is.
    fn wrap(raw: R, inner: ManagedTensor, manager: fn(&mut R) -> &mut *mut c_void) -> *mut R {
        let whole = Box::into_raw(Box::new(Wrapped { raw, inner }));
        // SAFETY: the only pointer there; the structure is at its beginning.
        unsafe { *manager(&mut (*whole).raw) = whole.cast() };
        whole.cast()
    }

    /// Gives the tensor back that is in there.
    ///
    /// # Safety
    /// `manager` is what `wrap` has written, and is not used afterwards.
    unsafe fn delete(manager: *mut c_void) {
        // A panic must not reach the other library.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            // SAFETY: the caller's promise.
            drop(unsafe { Box::from_raw(manager.cast::<Wrapped<R>>()) });
        }));
    }
}

/// Gives back a tensor that has got a version.
///
/// # Safety
/// It is one of [`ManagedTensor::into_raw_versioned`], which is not used afterwards.
unsafe extern "C" fn delete_versioned(raw: *mut RawVersionedTensor) {
    // SAFETY: the caller's promise.
    unsafe { Wrapped::<RawVersionedTensor>::delete((*raw).manager) };
}

/// Gives back a tensor whose version was taken away.
///
/// # Safety
/// It is one of [`ManagedTensor::into_raw`], which is not used afterwards.
unsafe extern "C" fn delete_plain(raw: *mut RawManagedTensor) {
    // SAFETY: the caller's promise.
    unsafe { Wrapped::<RawManagedTensor>::delete((*raw).manager) };
}

impl ManagedTensor {
    /// The owner of a tensor with a version; `None` if the pointer is null.
    ///
    /// ```
    /// use ptyx::dlpack::ManagedTensor;
    /// use ptyx::{DeviceBuffer, Stream};
    /// let tensor = DeviceBuffer::<u8>::zeroed(6)?.into_dlpack_on(&[2, 3], &Stream::new()?)?;
    /// let raw = tensor.into_raw_versioned();
    /// // SAFETY: nobody else has it.
    /// let tensor = unsafe { ManagedTensor::from_raw_versioned(raw) }?.expect("a tensor");
    /// assert_eq!((tensor.shape(), tensor.is_read_only()), (&[2, 3][..], false));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Safety
    /// As [`ManagedTensor::from_raw`].
    ///
    /// # Errors
    /// [`Error::Foreign`] if the major version is not 1. The tensor is then deleted.
    pub unsafe fn from_raw_versioned(
        raw: *mut RawVersionedTensor,
    ) -> Result<Option<ManagedTensor>> {
        let Some(raw) = NonNull::new(raw) else { return Ok(None) };
        let tensor = ManagedTensor(Raw::Versioned(raw));
        // SAFETY: the caller's promise; the version's place is the same in all versions, and so is the deleter's.
        let version = unsafe { (*raw.as_ptr()).version };
        if version.major != Version::OWN.major {
            let Version { major, minor } = version;
            let reason =
                format!("a tensor's structure has the version {major}.{minor} of DLPack, not 1");
            return Err(Error::Foreign { reason });
        }
        Ok(Some(tensor))
    }

    /// The tensor with a version, for another library, which has to call its deleter.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let tensor = DeviceBuffer::<u8>::zeroed(6)?.into_dlpack_on(&[6], &Stream::new()?)?;
    /// let raw = tensor.into_raw_versioned(); // for a capsule with the name `dltensor_versioned`
    /// // SAFETY: nobody has deleted it.
    /// unsafe { (*raw).deleter.expect("ours has one")(raw) };
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn into_raw_versioned(self) -> *mut RawVersionedTensor {
        let raw = match self.0 {
            Raw::Versioned(raw) => raw.as_ptr(),
            Raw::Plain(_) => {
                let raw = RawVersionedTensor {
                    version: Version::OWN,
                    manager: null_mut(),
                    deleter: Some(delete_versioned),
                    flags: 0,
                    tensor: *self.tensor(),
                };
                return Wrapped::wrap(raw, self, |raw| &mut raw.manager);
            }
        };
        core::mem::forget(self);
        raw
    }

    /// The tensor without a version, for a library that knows none.
    pub(super) fn into_plain(self) -> *mut RawManagedTensor {
        let raw = match self.0 {
            Raw::Plain(raw) => raw.as_ptr(),
            Raw::Versioned(_) => {
                let (manager, deleter) = (null_mut(), Some(delete_plain as _));
                let raw = RawManagedTensor { tensor: *self.tensor(), manager, deleter };
                return Wrapped::wrap(raw, self, |raw| &mut raw.manager);
            }
        };
        core::mem::forget(self);
        raw
    }

    /// Whether the elements are read-only. Only versioned tensors can say so.
    ///
    /// ```
    /// use ptyx::dlpack::{ManagedTensor, RawVersionedTensor};
    /// use ptyx::{DeviceBuffer, Stream};
    /// let tensor = DeviceBuffer::<u8>::zeroed(6)?.into_dlpack_on(&[6], &Stream::new()?)?;
    /// assert!(!tensor.is_read_only());
    /// let raw = tensor.into_raw_versioned();
    /// // SAFETY: a valid tensor, which nobody else has.
    /// let tensor = unsafe {
    ///     (*raw).flags |= RawVersionedTensor::READ_ONLY;
    ///     ManagedTensor::from_raw_versioned(raw)?.expect("a tensor")
    /// };
    /// assert!(tensor.is_read_only());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn is_read_only(&self) -> bool {
        match self.0 {
            Raw::Plain(_) => false,
            // SAFETY: a valid tensor, as it was made of one.
            Raw::Versioned(raw) => unsafe {
                (*raw.as_ptr()).flags & RawVersionedTensor::READ_ONLY != 0
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DeviceBuffer, Stream};

    #[test]
    fn structures_are_those_of_the_header() {
        assert_eq!(size_of::<Tensor>(), 48);
        assert_eq!(size_of::<RawManagedTensor>(), 64);
        assert_eq!(size_of::<RawVersionedTensor>(), 80);
    }

    /// There and back, with and without a version.
    #[test]
    fn versions_come_and_go() {
        let stream = Stream::new().unwrap();
        let buffer = DeviceBuffer::from_slice_on(&[1u16, 2, 3, 4, 5, 6], &stream).unwrap();
        let tensor = buffer.into_dlpack_on(&[3, 2], &stream).unwrap();
        let raw = tensor.into_raw_versioned();
        // SAFETY: each is a tensor that nobody else has; so below.
        let tensor = unsafe {
            assert_eq!((*raw).version, Version { major: 1, minor: 0 });
            let tensor = ManagedTensor::from_raw_versioned(raw).unwrap().unwrap();
            // The same structure again.
            assert_eq!(tensor.into_raw_versioned(), raw);
            let tensor = ManagedTensor::from_raw_versioned(raw).unwrap().unwrap();
            ManagedTensor::from_raw(tensor.into_raw()).unwrap()
        };
        assert_eq!((tensor.shape(), tensor.strides()), (&[3, 2][..], Some(&[2, 1][..])));
        // SAFETY: as above; it is ready in the stream's order.
        let (buffer, shape) =
            unsafe { DeviceBuffer::<u16>::from_dlpack_on(tensor, &stream) }.unwrap();
        assert_eq!((buffer.to_vec().unwrap(), shape), (vec![1, 2, 3, 4, 5, 6], vec![3, 2]));
    }

    #[test]
    fn other_versions_and_read_only_tensors_are_refused() {
        let stream = Stream::new().unwrap();
        let new = || {
            let tensor = DeviceBuffer::<u8>::zeroed(6).unwrap().into_dlpack_on(&[6], &stream);
            tensor.unwrap().into_raw_versioned()
        };
        let raw = new();
        // SAFETY: as above.
        let error = unsafe {
            (*raw).version = Version { major: 2, minor: 3 };
            ManagedTensor::from_raw_versioned(raw).unwrap_err()
        };
        assert!(error.to_string().contains("version 2.3"), "{error}");
        let raw = new();
        // SAFETY: as above.
        let error = unsafe {
            (*raw).flags |= RawVersionedTensor::READ_ONLY;
            let tensor = ManagedTensor::from_raw_versioned(raw).unwrap().unwrap();
            assert!(tensor.is_read_only());
            DeviceBuffer::<u8>::from_dlpack_on(tensor, &stream).unwrap_err()
        };
        assert!(error.to_string().contains("read-only"), "{error}");
        // SAFETY: null is none.
        assert!(unsafe { ManagedTensor::from_raw_versioned(null_mut()) }.unwrap().is_none());
    }
}
