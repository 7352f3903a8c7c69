//! Constant memory.

use super::{Info, mark};
use crate::error::Result;
use crate::stream::Stream;
use core::cell::UnsafeCell;
use core::fmt;
use core::mem::ManuallyDrop;
use core::ops::Deref;
use ptyx_device::DeviceCopy;

/// A static in the device's constant memory: kernels read it, the host writes it.
///
/// Constant memory is fast where all threads of a warp read the same element, and takes no registers for
/// addresses. Reads of different elements by one warp take place one after the other: use a
/// [`Global`](crate::Global) or an argument for such tables. All constants that one kernel uses must fit
/// into 64 KiB together; more is an error of the build.
///
/// In a kernel a `Constant<T>` is a `T` behind a reference: `TABLE[i]`, `PARAMETERS.mass`. On the host,
/// [`Constant::set`] and [`Constant::get`] write and read it, for each device separately. Every kernel that
/// reads the static sees the same value, whatever crate it is launched in.
///
/// ```
/// use ptyx::Constant;
/// use ptyx::prelude::*;
///
/// #[device_static]
/// static WEIGHTS: Constant<[f32; 3]> = Constant::new([0.25, 0.5, 0.25]);
///
/// #[kernel]
/// fn blur(x: &[f32], mut y: Disjoint<f32>) {
///     let i = thread::index_1d();
///     if let (Some(y), Some(window)) = (y.get_mut(i), x.get(i.get()..i.get() + 3)) {
///         *y = window.iter().zip(WEIGHTS.iter()).map(|(x, w)| x * w).sum();
///     }
/// }
///
/// assert_eq!(WEIGHTS.get()?, [0.25, 0.5, 0.25]);
/// WEIGHTS.set(&[0.0, 1.0, 0.0])?; // for all launches from here on
/// assert_eq!(WEIGHTS.get()?, [0.0, 1.0, 0.0]);
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// PTX: the [`.const`](https://docs.nvidia.com/cuda/parallel-thread-execution/#constant-state-space) state space,
/// `__constant__` and `cudaMemcpyToSymbol` of CUDA C.
#[doc(alias = "__constant__")]
#[repr(C)]
pub struct Constant<T: DeviceCopy> {
    // The compiler expects the value first. A cell, because the host changes what kernels see: otherwise
    // rustc could compute with the initial value.
    value: ManuallyDrop<UnsafeCell<T>>,
    info: Info,
}

// SAFETY: threads get shared references to the value only.
unsafe impl<T: DeviceCopy + Sync> Sync for Constant<T> {}
// SAFETY: the value can be sent, and what else is in it is the same for all threads.
unsafe impl<T: DeviceCopy + Send> Send for Constant<T> {}

impl<T: DeviceCopy> Constant<T> {
    /// A constant with an initial value, for a static with `#[device_static]` above it.
    ///
    /// ```
    /// use ptyx::Constant;
    /// use ptyx::prelude::*;
    ///
    /// #[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
    /// struct Camera {
    ///     position: [f32; 3],
    ///     zoom: f32,
    /// }
    ///
    /// #[device_static]
    /// static CAMERA: Constant<Camera> = Constant::new(Camera { position: [0.0; 3], zoom: 1.0 });
    /// assert_eq!(CAMERA.get()?.zoom, 1.0);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub const fn new(value: T) -> Self {
        let info = Info::of::<T>(mark!(__ptyx_static_constant));
        Self { value: ManuallyDrop::new(UnsafeCell::new(value)), info }
    }

    /// The same with a name; `#[device_static]` calls it.
    #[doc(hidden)]
    #[must_use]
    pub const fn named(mut self, key: u64, name: &'static str) -> Self {
        self.info = self.info.named(key, name);
        self
    }
}

/// The value, in kernels.
///
/// # Panics
/// On the host, whose functions are [`Constant::get`] and [`Constant::set`].
impl<T: DeviceCopy + Sync> Deref for Constant<T> {
    type Target = T;

    #[inline(always)]
    #[track_caller]
    fn deref(&self) -> &T {
        #[cfg(not(ptyx_device))]
        panic!("{} is read by kernels; the host reads it with `get`", self.info.name);
        #[cfg(ptyx_device)]
        // SAFETY: nothing writes it while a kernel runs that uses it.
        unsafe {
            &*self.value.get()
        }
    }
}

impl<T: DeviceCopy + Sync> Constant<T> {
    /// Sets the value on the thread's device, in the thread's default stream: see [`Constant::set_on`].
    ///
    /// ```
    /// use ptyx::Constant;
    /// use ptyx::prelude::*;
    ///
    /// #[device_static]
    /// static SCALE: Constant<f32> = Constant::new(1.0);
    /// SCALE.set(&3.0)?;
    /// assert_eq!(SCALE.get()?, 3.0);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Static`](crate::Error::Static); no usable device.
    #[doc(alias = "cudaMemcpyToSymbol")]
    pub fn set(&'static self, value: &T) -> Result<()> {
        self.set_on(value, crate::runtime::current()?.default_stream()?)
    }

    /// Sets the value on the stream's device ([`cuMemcpyHtoDAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) for each kernel that uses it).
    ///
    /// Launches of kernels that use the static are ordered with it, on whichever stream they are: launches
    /// before this call see the old value, launches after it the new one. The call itself returns at once.
    /// In [`Stream::capture`], each launch of the graph sets the value, in all kernels.
    ///
    /// ```
    /// use ptyx::Constant;
    /// use ptyx::prelude::*;
    ///
    /// #[device_static]
    /// static SCALE: Constant<f32> = Constant::new(1.0);
    /// let stream = Stream::new()?;
    /// SCALE.set_on(&3.0, &stream)?;
    /// assert_eq!(SCALE.get()?, 3.0);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Static`](crate::Error::Static), or what keeps the copy from being submitted;
    /// [`Error::Graph`](crate::Error::Graph) in [`Graph::add_node`](crate::Graph::add_node).
    #[doc(alias = "cudaMemcpyToSymbolAsync")]
    pub fn set_on(&'static self, value: &T, stream: &Stream) -> Result<()> {
        #[cfg(ptyx_device)]
        {
            let _ = (value, stream);
            Err(crate::Error::DevicePass)
        }
        #[cfg(not(ptyx_device))]
        {
            let known = super::table::of_info(stream.context(), &self.info, false)?;
            // SAFETY: the value has the size that the table knows.
            unsafe { known.set(core::ptr::from_ref(value).cast(), None, stream) }
        }
    }

    /// The value on the thread's device: the last one set by any thread, or the initial one.
    ///
    /// ```
    /// use ptyx::Constant;
    /// use ptyx::prelude::*;
    ///
    /// #[device_static]
    /// static PRIMES: Constant<[u32; 3]> = Constant::new([2, 3, 5]);
    /// assert_eq!(PRIMES.get()?, [2, 3, 5]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Static`](crate::Error::Static); no usable device.
    #[doc(alias = "cudaMemcpyFromSymbol")]
    pub fn get(&'static self) -> Result<T> {
        #[cfg(ptyx_device)]
        return Err(crate::Error::DevicePass);
        #[cfg(not(ptyx_device))]
        {
            let context = crate::runtime::current()?;
            let known = super::table::of_info(context, &self.info, false)?;
            let mut value = core::mem::MaybeUninit::<T>::uninit();
            // SAFETY: the place has the size that the table knows. What the host has set is a value of `T`,
            // and nothing writes the initial value.
            unsafe {
                if !known.kept_value(value.as_mut_ptr().cast()) {
                    value.write(*self.value.get());
                }
                Ok(value.assume_init())
            }
        }
    }
}

impl<T: DeviceCopy> fmt::Debug for Constant<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Constant({})", self.info.name)
    }
}
