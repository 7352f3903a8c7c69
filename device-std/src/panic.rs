//! Panics in kernels: the record through which the first one of a launch reaches the host.
//!
//! The compiler sends core's panic entry points here. The thread that panics first claims the
//! record, fills it and ends; others end at once. The host looks at the record whenever it waits
//! for the device, and the context stays usable, since nothing traps.

use core::panic::Location;

/// Bytes of the file name that a record keeps.
pub const FILE_BYTES: usize = 256;
/// Bytes of the message that a record keeps.
pub const MESSAGE_BYTES: usize = 512;

/// [`PanicRecord::state`]: no kernel panicked.
pub const IDLE: u32 = 0;
/// [`PanicRecord::state`]: a thread is writing the record.
pub const CLAIMED: u32 = 1;
/// [`PanicRecord::state`]: the record is whole.
pub const COMPLETE: u32 = 2;

/// [`PanicRecord::kind`]: `message` is the message.
pub const KIND_MESSAGE: u32 = 0;
/// [`PanicRecord::kind`]: index `index` was not below length `len`.
pub const KIND_BOUNDS: u32 = 1;
/// [`PanicRecord::kind`]: the message has parts known at run time only, and is not recorded.
pub const KIND_FORMATTED: u32 = 2;

/// What the first panic of a launch leaves, in memory that both sides see. All zero: no panic.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PanicRecord {
    /// [`IDLE`], [`CLAIMED`] or [`COMPLETE`].
    pub state: u32,
    /// The number that the host gave the kernel's module.
    pub kernel: u32,
    /// The block's position in the grid: x, y, z.
    pub block: [u32; 3],
    /// The thread's position in its block: x, y, z.
    pub thread: [u32; 3],
    /// The line in the source, from 1.
    pub line: u32,
    /// The column in the source, from 1.
    pub column: u32,
    /// [`KIND_MESSAGE`], [`KIND_BOUNDS`] or [`KIND_FORMATTED`].
    pub kind: u32,
    /// Bytes used of `file`.
    pub file_len: u32,
    /// Bytes used of `message`.
    pub message_len: u32,
    /// Zero.
    pub reserved: u32,
    /// The index that was out of bounds.
    pub index: u64,
    /// The length that it was out of.
    pub len: u64,
    /// The source file; cut off if longer, so the end may be a part of a character.
    pub file: [u8; FILE_BYTES],
    /// The message; cut off if longer, so the end may be a part of a character.
    pub message: [u8; MESSAGE_BYTES],
}

/// Where kernels of a module find the record; the host sets it when it loads the module.
#[repr(C)]
#[derive(Debug)]
pub struct PanicRuntime {
    /// The record in memory that the device can write; null: a panic traps.
    pub record: *mut PanicRecord,
    /// The number to record as [`PanicRecord::kernel`].
    pub kernel: u64,
}

/// Panics with an index out of bounds, as indexing a slice does.
#[cfg(not(ptyx_device))]
#[cold]
#[track_caller]
pub(crate) fn bounds(index: usize, len: usize, _: &'static Location<'static>) -> ! {
    panic!("index out of bounds: the len is {len} but the index is {index}")
}

#[cfg(ptyx_device)]
pub(crate) use device::__ptyx_panic_bounds as bounds;

#[cfg(ptyx_device)]
#[allow(unreachable_pub)] // found by the name of the symbol
mod device {
    use super::*;
    use crate::{block, intrinsics, thread};
    use core::sync::atomic::{AtomicU32, Ordering};

    /// Set by the host, which finds it by name in the loaded module.
    #[unsafe(no_mangle)]
    pub static mut __ptyx_panic_runtime: PanicRuntime =
        PanicRuntime { record: core::ptr::null_mut(), kernel: 0 };

    /// Where core's `panic_bounds_check` ends up.
    #[unsafe(no_mangle)]
    #[cold]
    #[inline(never)]
    pub extern "C" fn __ptyx_panic_bounds(
        index: usize,
        len: usize,
        location: &'static Location<'static>,
    ) -> ! {
        report(KIND_BOUNDS, &[], index, len, location)
    }

    /// Where every other panic ends up; a null message has parts known at run time only.
    #[unsafe(no_mangle)]
    #[cold]
    #[inline(never)]
    pub extern "C" fn __ptyx_panic_str(
        message: *const u8,
        message_len: usize,
        location: &'static Location<'static>,
    ) -> ! {
        if message.is_null() {
            report(KIND_FORMATTED, &[], 0, 0, location)
        } else {
            // SAFETY: the compiler passes the parts of a `&'static str`.
            let message = unsafe { core::slice::from_raw_parts(message, message_len) };
            report(KIND_MESSAGE, message, 0, 0, location)
        }
    }

    fn report(
        kind: u32,
        message: &[u8],
        index: usize,
        len: usize,
        location: &'static Location<'static>,
    ) -> ! {
        // SAFETY: the host writes it before the launch and never during one. Volatile, since the
        // optimiser sees no store to it.
        let runtime = unsafe { (&raw const __ptyx_panic_runtime).read_volatile() };
        let record = runtime.record;
        if record.is_null() {
            // SAFETY: ends the launch.
            unsafe { intrinsics::__ptyx_trap() }
        }
        // SAFETY: the host gives a record that outlives the launch; `state` is only accessed by
        // atomics, and the rest only by the thread that claimed it.
        unsafe {
            let state = AtomicU32::from_ptr(&raw mut (*record).state);
            if state.compare_exchange(IDLE, CLAIMED, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                let (block, thread) = (block::idx(), thread::idx());
                (*record).kernel = runtime.kernel as u32;
                (*record).block = [block.x, block.y, block.z];
                (*record).thread = [thread.x, thread.y, thread.z];
                (*record).line = location.line();
                (*record).column = location.column();
                (*record).kind = kind;
                (*record).index = index as u64;
                (*record).len = len as u64;
                let file = (&raw mut (*record).file).cast();
                (*record).file_len = copy(location.file().as_bytes(), file, FILE_BYTES);
                let text = (&raw mut (*record).message).cast();
                (*record).message_len = copy(message, text, MESSAGE_BYTES);
                intrinsics::__ptyx_fence_system();
                state.store(COMPLETE, Ordering::Relaxed);
            }
            intrinsics::__ptyx_exit()
        }
    }

    /// Copies as much of `from` as fits and returns how much that is.
    ///
    /// # Safety
    /// `to` is valid for writes of `most` bytes.
    unsafe fn copy(from: &[u8], to: *mut u8, most: usize) -> u32 {
        let mut count = 0;
        for &byte in from.iter().take(most) {
            // SAFETY: `count` stays below `most`.
            unsafe { to.add(count).write(byte) };
            count += 1;
        }
        count as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::mem::{offset_of, size_of};

    /// The record is shared by two separately compiled halves: its layout is fixed.
    #[test]
    fn layout() {
        assert_eq!(size_of::<PanicRecord>(), 840);
        assert_eq!(offset_of!(PanicRecord, line), 32);
        assert_eq!(offset_of!(PanicRecord, index), 56);
        assert_eq!(offset_of!(PanicRecord, file), 72);
        assert_eq!(offset_of!(PanicRecord, message), 328);
    }
}
