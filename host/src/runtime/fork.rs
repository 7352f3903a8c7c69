//! Child processes of `fork`. A context of CUDA does not survive it, and the child has none of the threads that the emulated
//! device or Ptyx has started. So in a child of a process that had begun to use Ptyx, everything that needs the driver is
//! [`Error::Forked`](crate::Error::Forked), and nothing is given back. Before, a process may fork as it likes.

use crate::context::Context;
use crate::driver::watch;
use core::ffi::c_int;
use std::sync::Once;

unsafe extern "C" {
    /// Of the C library, which `std` is linked to.
    fn pthread_atfork(
        prepare: Option<unsafe extern "C" fn()>,
        parent: Option<unsafe extern "C" fn()>,
        child: Option<unsafe extern "C" fn()>,
    ) -> c_int;
}

/// Called in each child, on its only thread. It takes no lock, which another thread of the parent may have had.
unsafe extern "C" fn in_child() {
    watch::forbid_calls();
    Context::unbind();
    super::forget_current();
}

/// From now on, children of this process know that they are.
pub(super) fn notice() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the function lives as long as the process, and does what a child may do. Out of memory, nothing is
        // noticed, as if there was no such function.
        let _ = unsafe { pthread_atfork(None, None, Some(in_child)) };
    });
}
