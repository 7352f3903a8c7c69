//! Variables in the device's memory.

use super::{Info, mark};
use crate::error::Result;
use crate::stream::Stream;
use core::cell::UnsafeCell;
use core::fmt;
use core::mem::{ManuallyDrop, MaybeUninit};
use core::ops::Deref;
use ptyx_device::{GlobalValue, must_be_zeroable};

/// A static in device memory, which both kernels and the host read and write.
///
/// Each device has one value, which all kernels share, and which lasts from launch to launch. Safe code
/// writes it through [`Atomic`](crate::device::Atomic)s; a `Global` of other types can be read by all threads, and
/// written through the pointer that [`Global::as_ptr`] gives. There is no limit to the size but the device's
/// memory.
///
/// ```
/// use ptyx::Global;
/// use ptyx::prelude::*;
///
/// #[device_static]
/// static FOUND: Global<Atomic<u32>> = Global::new(Atomic::new(0));
///
/// #[kernel]
/// fn find(values: &[u32], wanted: u32) {
///     for i in thread::grid_stride(values.len()) {
///         if values[i.get()] == wanted {
///             FOUND.fetch_add(1);
///         }
///     }
/// }
///
/// FOUND.set(&0)?; // after all launches before, and before all launches from here on
/// assert_eq!(FOUND.get()?, 0);
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// PTX: the [`.global`](https://docs.nvidia.com/cuda/parallel-thread-execution/#global-state-space) state space,
/// `__device__` variables and `cudaMemcpyToSymbol` of CUDA C.
#[doc(alias = "__device__")]
#[doc(alias = "__managed__")]
#[repr(C)]
pub struct Global<T: GlobalValue> {
    // The compiler expects the value first. A cell, because kernels see what is written there.
    value: ManuallyDrop<UnsafeCell<T>>,
    info: Info,
}

// SAFETY: threads share the value by references, of a type that allows it, or in `unsafe` code.
unsafe impl<T: GlobalValue + Sync> Sync for Global<T> {}
// SAFETY: as for the value.
unsafe impl<T: GlobalValue + Send> Send for Global<T> {}

impl<T: GlobalValue> Global<T> {
    /// A static with an initial value. It needs `#[device_static]` above it.
    ///
    /// ```
    /// use ptyx::Global;
    /// use ptyx::prelude::*;
    ///
    /// #[device_static]
    /// static BEST: Global<Atomic<f32>> = Global::new(Atomic::new(f32::INFINITY));
    /// assert_eq!(BEST.get()?, f32::INFINITY);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub const fn new(value: T) -> Self {
        const { assert!(size_of::<T>() == size_of::<T::Value>()) };
        let info = Info::of::<T::Value>(mark!(__ptyx_static_global));
        Self { value: ManuallyDrop::new(UnsafeCell::new(value)), info }
    }

    /// A static of all-zero bytes.
    ///
    /// ```
    /// use ptyx::Global;
    /// use ptyx::prelude::*;
    ///
    /// #[device_static]
    /// static COUNTS: Global<[Atomic<u64>; 1000]> = Global::zeroed();
    /// assert_eq!(COUNTS.get()?, [0; 1000]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    #[must_use]
    pub const fn zeroed() -> Self {
        const { must_be_zeroable::<T::Value>() };
        // SAFETY: all-zero bytes are a value of `T::Value`, and so of `T`.
        Self::new(unsafe { MaybeUninit::zeroed().assume_init() })
    }

    /// The same with a name; `#[device_static]` calls it.
    #[doc(hidden)]
    #[must_use]
    pub const fn named(mut self, key: u64, name: &'static str) -> Self {
        self.info = self.info.named(key, name);
        self
    }

    /// The value's address, in kernels. To write there is `unsafe`: no other thread may read or write the
    /// same bytes meanwhile, not even through the references that a `Global` gives.
    ///
    /// ```
    /// use ptyx::Global;
    /// use ptyx::prelude::*;
    ///
    /// #[device_static]
    /// static STATES: Global<[u64; 1024]> = Global::zeroed();
    ///
    /// /// Each thread has a state of its own, which lasts from launch to launch.
    /// #[kernel]
    /// fn advance() {
    ///     let i = thread::index_1d().get();
    ///     if i < 1024 {
    ///         let states: *mut u64 = STATES.as_ptr().cast();
    ///         // SAFETY: an element is used by one thread only.
    ///         let state = unsafe { &mut *states.add(i) };
    ///         *state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
    ///     }
    /// }
    /// ```
    ///
    /// # Panics
    /// On the host, whose functions are [`Global::get`] and [`Global::set`].
    #[inline(always)]
    #[track_caller]
    pub fn as_ptr(&self) -> *mut T::Value {
        #[cfg(not(ptyx_device))]
        panic!("{} belongs to kernels; the host reads it with `get`", self.info.name);
        #[cfg(ptyx_device)]
        self.value.get().cast()
    }
}

/// The value, in kernels.
///
/// # Panics
/// On the host, whose functions are [`Global::get`] and [`Global::set`].
impl<T: GlobalValue + Sync> Deref for Global<T> {
    type Target = T;

    #[inline(always)]
    #[track_caller]
    fn deref(&self) -> &T {
        // SAFETY: whoever writes it other than through the value itself has promised that nothing reads it
        // then.
        unsafe { &*self.as_ptr().cast() }
    }
}

impl<T: GlobalValue> Global<T> {
    /// Sets the value on the thread's device, in the thread's default stream: see [`Global::set_on`].
    ///
    /// ```
    /// use ptyx::Global;
    /// use ptyx::prelude::*;
    ///
    /// #[device_static]
    /// static LIMIT: Global<f32> = Global::new(1.0);
    /// LIMIT.set(&2.0)?;
    /// assert_eq!(LIMIT.get()?, 2.0);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Static`](crate::Error::Static); no usable device; too little memory.
    #[doc(alias = "cudaMemcpyToSymbol")]
    pub fn set(&'static self, value: &T::Value) -> Result<()> {
        self.set_on(value, crate::runtime::current()?.default_stream()?)
    }

    /// Sets the value on the stream's device ([`cuMemcpyHtoDAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)), after all launches so far of kernels that use
    /// the static, on whichever stream they are, and before all later ones. The call itself returns at once.
    ///
    /// ```
    /// use ptyx::Global;
    /// use ptyx::prelude::*;
    ///
    /// #[device_static]
    /// static LIMIT: Global<f32> = Global::new(1.0);
    /// let stream = Stream::new()?;
    /// LIMIT.set_on(&2.0, &stream)?;
    /// assert_eq!(LIMIT.get()?, 2.0);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Static`](crate::Error::Static); too little memory; what keeps the copy from being submitted.
    #[doc(alias = "cudaMemcpyToSymbolAsync")]
    pub fn set_on(&'static self, value: &T::Value, stream: &Stream) -> Result<()> {
        #[cfg(ptyx_device)]
        {
            let _ = (value, stream);
            Err(crate::Error::DevicePass)
        }
        #[cfg(not(ptyx_device))]
        {
            let known = super::table::of_info(stream.context(), &self.info, true)?;
            let initial = self.value.get().cast_const().cast();
            // SAFETY: both values have the size that the table knows.
            unsafe { known.set(core::ptr::from_ref(value).cast(), Some(initial), stream) }
        }
    }

    /// The value on the thread's device, when all launches so far of kernels that use the static are done.
    ///
    /// ```
    /// use ptyx::Global;
    /// use ptyx::prelude::*;
    ///
    /// #[device_static]
    /// static SEED: Global<Atomic<u64>> = Global::new(Atomic::new(42));
    /// assert_eq!(SEED.get()?, 42);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::KernelPanic`](crate::Error::KernelPanic) and [`Error::Fault`](crate::Error::Fault) of these launches;
    /// [`Error::Static`](crate::Error::Static); no usable device; too little memory.
    #[doc(alias = "cudaMemcpyFromSymbol")]
    pub fn get(&'static self) -> Result<T::Value> {
        #[cfg(ptyx_device)]
        return Err(crate::Error::DevicePass);
        #[cfg(not(ptyx_device))]
        {
            let stream = crate::runtime::current()?.default_stream()?;
            let known = super::table::of_info(stream.context(), &self.info, true)?;
            let initial = self.value.get().cast_const().cast();
            let mut value = MaybeUninit::<T::Value>::uninit();
            // SAFETY: both places have the size that the table knows. The host has set values of the type,
            // and kernels have written some.
            unsafe {
                known.read(value.as_mut_ptr().cast(), initial, stream)?;
                Ok(value.assume_init())
            }
        }
    }
}

impl<T: GlobalValue> fmt::Debug for Global<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Global({})", self.info.name)
    }
}
