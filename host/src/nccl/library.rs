//! NCCL's functions, from the library that the machine has.

use crate::error::{Error, Result};
use core::ffi::{CStr, c_char, c_int, c_void};

/// The library's name: its interface has not changed incompatibly since version 2.
pub(super) const LIBRARY: &str = "libnccl.so.2";

/// `ncclUniqueId`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct RawId(pub(super) [u8; 128]);

/// A communicator (`ncclComm_t`).
pub(super) type Handle = *mut c_void;
/// A stream of the driver.
pub(super) type RawStream = *mut c_void;
/// `ncclResult_t`: 0 for success.
pub(super) type Code = c_int;

macro_rules! functions {
    ($($name:ident($($arg:ident: $ty:ty),*);)*) => {
        /// NCCL's functions ([API](https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/api.html)).
        #[allow(non_snake_case)]
        pub(super) struct Nccl {
            $(pub(super) $name: unsafe extern "C" fn($($ty),*) -> Code,)*
            pub(super) ncclGetErrorString: unsafe extern "C" fn(Code) -> *const c_char,
        }

        impl Nccl {
            /// Looks the functions up; an error names the first that is missing.
            ///
            /// # Safety
            /// What `lookup` finds is NCCL's function of that name, and stays loaded.
            #[cfg(not(ptyx_device))]
            unsafe fn fill(
                lookup: &dyn Fn(&CStr) -> Option<*const c_void>,
            ) -> core::result::Result<Nccl, &'static str> {
                macro_rules! found {
                    ($symbol:ident) => {
                        match std::ffi::CString::new(stringify!($symbol)).ok().and_then(|n| lookup(&n)) {
                            // SAFETY: the function of this name (caller) has this type, by NCCL's header.
                            Some(symbol) => unsafe { core::mem::transmute_copy(&symbol) },
                            None => return Err(stringify!($symbol)),
                        }
                    };
                }
                Ok(Nccl {
                    $($name: found!($name),)*
                    ncclGetErrorString: found!(ncclGetErrorString),
                })
            }

            $(
                /// Calls the function of this name.
                ///
                /// # Safety
                /// As NCCL's function.
                #[allow(non_snake_case, clippy::too_many_arguments)]
                pub(super) unsafe fn $name(&self, $($arg: $ty),*) -> Result<()> {
                    // SAFETY: the caller's promise.
                    let code = unsafe { (self.$name)($($arg),*) };
                    self.check(stringify!($name), code)
                }
            )*
        }
    };
}
functions! {
    ncclGetVersion(version: *mut c_int);
    ncclGetUniqueId(id: *mut RawId);
    ncclCommInitRank(comm: *mut Handle, ranks: c_int, id: RawId, rank: c_int);
    ncclCommInitAll(comms: *mut Handle, count: c_int, devices: *const c_int);
    ncclCommDestroy(comm: Handle);
    ncclGroupStart();
    ncclGroupEnd();
    ncclAllReduce(from: *const c_void, to: *mut c_void, count: usize, kind: c_int, op: c_int, comm: Handle, stream: RawStream);
    ncclBroadcast(from: *const c_void, to: *mut c_void, count: usize, kind: c_int, root: c_int, comm: Handle, stream: RawStream);
    ncclAllGather(from: *const c_void, to: *mut c_void, count: usize, kind: c_int, comm: Handle, stream: RawStream);
    ncclReduceScatter(from: *const c_void, to: *mut c_void, count: usize, kind: c_int, op: c_int, comm: Handle, stream: RawStream);
    ncclSend(from: *const c_void, count: usize, kind: c_int, peer: c_int, comm: Handle, stream: RawStream);
    ncclRecv(to: *mut c_void, count: usize, kind: c_int, peer: c_int, comm: Handle, stream: RawStream);
}

impl Nccl {
    /// An error for a result other than success.
    fn check(&self, call: &'static str, code: Code) -> Result<()> {
        if code == 0 {
            return Ok(());
        }
        // SAFETY: NCCL gives a text for each number.
        let text = unsafe { (self.ncclGetErrorString)(code) };
        let text = match text.is_null() {
            true => "no description".to_owned(),
            // SAFETY: it is a constant text with a NUL.
            false => unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned(),
        };
        Err(Error::Nccl {
            reason: format!("{call} failed: {text} ({code}); NCCL_DEBUG=WARN says more"),
        })
    }

    /// The library of this machine, opened at first use.
    #[cfg(not(ptyx_device))]
    pub(super) fn get() -> Result<&'static Nccl> {
        use std::sync::OnceLock;
        static NCCL: OnceLock<core::result::Result<Nccl, String>> = OnceLock::new();
        if crate::runtime::current()?.driver.is_emulated() {
            return Err(Error::Nccl {
                reason: "NCCL needs GPUs, and this is the emulated device: copies between devices work there \
                         (`DeviceBuffer::copy_from_buffer`)"
                    .to_owned(),
            });
        }
        let found = NCCL.get_or_init(|| open(LIBRARY));
        found.as_ref().map_err(|reason| Error::Nccl { reason: reason.clone() })
    }

    #[cfg(ptyx_device)]
    pub(super) fn get() -> Result<&'static Nccl> {
        Err(Error::DevicePass)
    }
}

/// Opens a library, or says why there is none to use.
#[cfg(not(ptyx_device))]
pub(super) fn open(name: &str) -> core::result::Result<Nccl, String> {
    // SAFETY: NCCL's initialisers may run in any process.
    let library = unsafe { libloading::Library::new(name) }.map_err(|error| {
        format!("NCCL is not installed ({error}); NVIDIA's packages `libnccl2` and `nvidia-nccl` have it")
    })?;
    // The functions are used until the process ends.
    let library: &'static libloading::Library = Box::leak(Box::new(library));
    let lookup = |symbol: &CStr| {
        // SAFETY: the symbol is only taken as an address here.
        let found = unsafe { library.get::<*const c_void>(symbol.to_bytes_with_nul()) };
        found.ok().map(|symbol| *symbol)
    };
    // SAFETY: the library exports NCCL's functions under their names, and stays loaded.
    unsafe { Nccl::fill(&lookup) }.map_err(|symbol| {
        format!("{name} is no NCCL of version 2.7 or later: it has no function {symbol}")
    })
}
