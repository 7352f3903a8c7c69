//! Panics in kernels: the record through which the first one of a launch reaches the host.
//!
//! The compiler sends core's panic entry points here. The thread that panics first claims the
//! record, fills it and ends; others end at once. The host looks at the record whenever it waits
//! for the device, and the context stays usable, since nothing traps.
//!
//! Nothing here may panic itself, in no profile: no checked arithmetic, no indexing.

use core::panic::Location;

/// Bytes of the file name that a record keeps.
pub const FILE_BYTES: usize = 256;
/// Bytes of the message that a record keeps.
pub const MESSAGE_BYTES: usize = 512;

/// [`PanicRecord::state`]: no kernel panicked.
pub const IDLE: u32 = 0;
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
    /// [`IDLE`] or [`COMPLETE`].
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
    /// The record, in memory of the host that the device can write; null: a panic traps.
    pub record: *mut PanicRecord,
    /// Claims the record, 0 to 1: in memory of the device, since not every device can do atomics on
    /// the host's. The host zeroes it after reading the record.
    pub lock: *mut u32,
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
    use core::ptr::{null, null_mut};

    /// Set by the host, which finds it by name in the loaded module.
    #[unsafe(no_mangle)]
    pub static mut __ptyx_panic_runtime: PanicRuntime =
        PanicRuntime { record: null_mut(), lock: null_mut(), kernel: 0 };

    /// Where core's `panic_bounds_check` ends up.
    #[unsafe(no_mangle)]
    #[cold]
    #[inline(never)]
    pub extern "C" fn __ptyx_panic_bounds(
        index: usize,
        len: usize,
        location: &'static Location<'static>,
    ) -> ! {
        report(KIND_BOUNDS, index, len, null(), 0, location)
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
            report(KIND_FORMATTED, 0, 0, null(), 0, location)
        } else {
            report(KIND_MESSAGE, 0, 0, message, message_len, location)
        }
    }

    /// Scalars only: a struct of them would lie in local memory, which kernels then all had.
    fn report(
        kind: u32,
        index: usize,
        len: usize,
        message: *const u8,
        message_len: usize,
        location: &'static Location<'static>,
    ) -> ! {
        // SAFETY: the host gives a record and a lock that outlive the launch, before it and never
        // during one; only the thread that took the lock writes the record. Volatile, since the
        // optimiser sees no store to the one nor a load of the other.
        unsafe {
            let runtime = (&raw const __ptyx_panic_runtime).read_volatile();
            let record = runtime.record;
            if record.is_null() {
                intrinsics::__ptyx_trap()
            }
            if intrinsics::__ptyx_atomic_cas_u32(runtime.lock, 0, 1) == 0 {
                let (block, thread) = (block::idx(), thread::idx());
                (*record).kernel = runtime.kernel as u32;
                (*record).block = [block.x, block.y, block.z];
                (*record).thread = [thread.x, thread.y, thread.z];
                (*record).line = location.line();
                (*record).column = location.column();
                (*record).kind = kind;
                (*record).index = index as u64;
                (*record).len = len as u64;
                let (file, to) = (location.file(), (&raw mut (*record).file).cast());
                (*record).file_len = copy(file.as_ptr(), file.len(), to, FILE_BYTES);
                let to = (&raw mut (*record).message).cast();
                (*record).message_len = copy(message, message_len, to, MESSAGE_BYTES);
                intrinsics::__ptyx_fence_system();
                (&raw mut (*record).state).write_volatile(COMPLETE);
            }
            intrinsics::__ptyx_exit()
        }
    }

    /// Copies as much as fits and returns how much that is.
    ///
    /// # Safety
    /// `from` is valid for reads of `len` bytes, `to` for writes of `room` bytes.
    unsafe fn copy(from: *const u8, len: usize, to: *mut u8, room: usize) -> u32 {
        let mut count: usize = 0;
        while count < len && count < room {
            // SAFETY: below both sizes.
            unsafe { *to.wrapping_add(count) = *from.wrapping_add(count) };
            count = count.wrapping_add(1);
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
