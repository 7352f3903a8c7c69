//! Handles and other types.

use crate::CUlaunchAttributeID;
use core::ffi::{c_int, c_uint, c_void};
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

/// A launch's shape and its attributes, for `cuLaunchKernelEx`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUlaunchConfig {
    /// Blocks of the grid along x, y and z.
    pub grid: [c_uint; 3],
    /// Threads of a block along x, y and z.
    pub block: [c_uint; 3],
    /// Bytes of dynamic shared memory of each block.
    pub shared: c_uint,
    /// Where it is queued.
    pub stream: CUstream,
    /// The attributes.
    pub attributes: *const CUlaunchAttribute,
    /// How many there are.
    pub count: c_uint,
}

/// An attribute of a launch. The value, a union of 64 bytes in C, is words here.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(8))]
pub struct CUlaunchAttribute {
    /// Which one.
    pub id: CUlaunchAttributeID,
    /// Nothing.
    pub padding: c_uint,
    /// Its value, from the first word on.
    pub value: [c_uint; 16],
}

impl CUlaunchAttribute {
    /// An attribute with the first words of its value.
    pub const fn new(id: CUlaunchAttributeID, first: [c_uint; 3]) -> CUlaunchAttribute {
        let mut value = [0; 16];
        [value[0], value[1], value[2]] = first;
        CUlaunchAttribute { id, padding: 0, value }
    }
}

/// How copies find the tiles of a tensor. What the words mean is the driver's business.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct CUtensorMap {
    /// The driver's own words.
    pub opaque: [u64; 16],
}

impl CUtensorMap {
    /// No map yet.
    pub const EMPTY: CUtensorMap = CUtensorMap { opaque: [0; 16] };
}
