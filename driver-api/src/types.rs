//! Handles and other types.

use core::ffi::{c_int, c_void};
use core::fmt;

/// How much dynamic shared memory a block of this many threads needs (`CUoccupancyB2DSize`).
pub type SharedForThreads = extern "C" fn(c_int) -> usize;

/// A device's ordinal.
pub type CUdevice = c_int;
/// An address in device memory.
pub type CUdeviceptr = u64;

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        #[repr(transparent)]
        pub struct $name(
            /// The driver's own handle.
            pub *mut c_void,
        );

        impl $name {
            /// No object; as a stream, the default one.
            pub const NULL: $name = $name(core::ptr::null_mut());
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:p}", self.0)
            }
        }

        // SAFETY: the handle is only passed back to the driver, which may be called from any thread.
        unsafe impl Send for $name {}
        // SAFETY: as above.
        unsafe impl Sync for $name {}
    )*};
}

handles! {
    /// A context.
    CUcontext;
    /// A stream.
    CUstream;
    /// An event.
    CUevent;
    /// A loaded module.
    CUmodule;
    /// An entry of a loaded module.
    CUfunction;
    /// A linker's state.
    CUlinkState;
    /// A pool of stream-ordered memory.
    CUmemoryPool;
}
