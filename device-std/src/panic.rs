//! Panics in kernels: the record through which the first one of a launch reaches the host.
//!
//! The compiler turns core's panic entry points into calls of the functions below, whose module has the
//! order. The thread that panics first claims the record, fills it and ends; others end at once.
//! The host looks at the record whenever it waits for the device, and the context stays usable,
//! since nothing traps.
//!
//! A message is recorded as the parts that it is made of, and formatted by the host: what the words
//! of a part mean, only the compiler and the host know (`ptyx_image::message`).
//!
//! Nothing here may panic itself, in no profile: no checked arithmetic, no indexing.

use core::panic::Location;

/// Bytes of the file name that a record keeps.
pub const FILE_BYTES: usize = 256;
/// Words of the message's parts that a record keeps.
pub const MESSAGE_WORDS: usize = 384;

/// [`PanicRecord::state`]: no kernel panicked.
pub const IDLE: u32 = 0;
/// [`PanicRecord::state`]: the record is whole.
pub const COMPLETE: u32 = 2;

/// [`PanicRecord::kind`]: `parts` are those of the message.
pub const KIND_MESSAGE: u32 = 0;
/// [`PanicRecord::kind`]: index `index` was not below length `len`.
pub const KIND_BOUNDS: u32 = 1;
/// [`PanicRecord::kind`]: the panic is that of site `site`, with the words in `parts`; of the rest,
/// only the kernel and the thread are there.
pub const KIND_SITE: u32 = 2;

/// How the message of an exhausted heap begins; the host adds how large the heap is.
pub const HEAP_EXHAUSTED: &str = "the heap of kernels has no room for ";

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
    /// [`KIND_MESSAGE`], [`KIND_BOUNDS`] or [`KIND_SITE`].
    pub kind: u32,
    /// Bytes used of `file`.
    pub file_len: u32,
    /// Words used of `parts`.
    pub words: u32,
    /// Not zero if there were more parts than fit.
    pub cut_off: u32,
    /// The index that was out of bounds.
    pub index: u64,
    /// The length that it was out of.
    pub len: u64,
    /// The source file; cut off if longer, so the end may be a part of a character.
    pub file: [u8; FILE_BYTES],
    /// The number of the site in the kernel's module (`ptyx_image::panic`).
    pub site: u64,
    /// The message's parts; the last text may be cut off, in the middle of a character, too.
    pub parts: [u64; MESSAGE_WORDS],
}

/// Where kernels of a module find the record; the host sets it when it loads the module.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
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

/// Most panics are a number: code that the compiler makes calls `__ptyx_panic_claim`, writes the words
/// that go with the number, and calls `__ptyx_panic_finish`.
///
/// Others are `__ptyx_panic_begin`, then the message's parts by `__ptyx_panic_text` and
/// `__ptyx_panic_value`, then `__ptyx_panic_end`; the two commonest kinds are one call each.
#[cfg(ptyx_device)]
#[allow(unreachable_pub)] // found by the names of the symbols
mod device {
    use super::*;
    use crate::{block, intrinsics, thread};
    use core::mem::offset_of;
    use core::ptr::null_mut;

    /// Set by the host, which finds it by name in the loaded module.
    #[unsafe(no_mangle)]
    pub static mut __ptyx_panic_runtime: PanicRuntime =
        PanicRuntime { record: null_mut(), lock: null_mut(), kernel: 0 };

    /// Claims the record, or ends the thread. Gives where the panic's words go.
    #[unsafe(no_mangle)]
    #[inline(always)]
    pub extern "C" fn __ptyx_panic_claim() -> *mut u64 {
        let runtime = runtime();
        // SAFETY: the host gives a record and a lock that outlive the launch, before it and never
        // during one.
        unsafe {
            if intrinsics::__ptyx_atomic_cas_u32(runtime.lock, 0, 1) != 0 {
                intrinsics::__ptyx_exit()
            }
            (&raw mut (*runtime.record).parts).cast()
        }
    }

    /// Writes the rest of a record whose words stand at `parts`, hands it over, and ends the thread.
    ///
    /// Volatile writes keep their order, and no read passes a branch. So a few registers are enough:
    /// they would count for the whole kernel.
    #[unsafe(no_mangle)]
    #[inline(always)]
    pub extern "C" fn __ptyx_panic_finish(parts: *mut u64, site: u32) -> ! {
        let record: *mut PanicRecord =
            parts.wrapping_byte_sub(offset_of!(PanicRecord, parts)).cast();
        // SAFETY: claimed by this thread, see `__ptyx_panic_claim`.
        unsafe {
            intrinsics::__ptyx_volatile_store_u64(&raw mut (*record).site, u64::from(site));
            branch(record);
            intrinsics::__ptyx_volatile_store_u32(&raw mut (*record).kind, KIND_SITE);
            let kernel = runtime().kernel as u32;
            intrinsics::__ptyx_volatile_store_u32(&raw mut (*record).kernel, kernel);
            branch(record);
            intrinsics::__ptyx_write_block_index((&raw mut (*record).block).cast());
            branch(record);
            intrinsics::__ptyx_write_thread_index((&raw mut (*record).thread).cast());
            // Not a fence: with one in its module the assembler makes no reduction of an atomic
            // operation whose result nobody uses.
            intrinsics::__ptyx_release_store_u32(&raw mut (*record).state, COMPLETE);
            intrinsics::__ptyx_exit()
        }
    }

    /// A branch that is never taken, but nobody knows: the record is not complete.
    ///
    /// # Safety
    /// The record is claimed by this thread.
    #[inline(always)]
    unsafe fn branch(record: *mut PanicRecord) {
        // SAFETY: as the caller says.
        unsafe {
            if intrinsics::__ptyx_volatile_load_u32(&raw const (*record).state) == COMPLETE {
                intrinsics::__ptyx_exit()
            }
        }
    }

    /// Where core's `panic_bounds_check` ends up.
    #[unsafe(no_mangle)]
    #[cold]
    #[inline(never)]
    pub extern "C" fn __ptyx_panic_bounds(
        index: usize,
        len: usize,
        location: &'static Location<'static>,
    ) -> ! {
        __ptyx_panic_begin(location);
        let record = runtime().record;
        // SAFETY: claimed by this thread, see `__ptyx_panic_begin`.
        unsafe {
            (*record).kind = KIND_BOUNDS;
            (*record).index = index as u64;
            (*record).len = len as u64;
        }
        __ptyx_panic_end()
    }

    /// A panic whose message is one text.
    #[unsafe(no_mangle)]
    #[cold]
    #[inline(never)]
    pub extern "C" fn __ptyx_panic_str(
        text: *const u8,
        len: usize,
        location: &'static Location<'static>,
    ) -> ! {
        __ptyx_panic_begin(location);
        __ptyx_panic_text(0, 0, text, len);
        __ptyx_panic_end()
    }

    /// Claims the record, or ends the thread.
    #[unsafe(no_mangle)]
    #[cold]
    #[inline(never)]
    pub extern "C" fn __ptyx_panic_begin(location: &'static Location<'static>) {
        let runtime = runtime();
        let record = runtime.record;
        // SAFETY: the host gives a record and a lock that outlive the launch, before it and never
        // during one; only the thread that took the lock writes the record.
        unsafe {
            if record.is_null() {
                intrinsics::__ptyx_trap()
            }
            if intrinsics::__ptyx_atomic_cas_u32(runtime.lock, 0, 1) != 0 {
                intrinsics::__ptyx_exit()
            }
            let (block, thread) = (block::idx(), thread::idx());
            (*record).kernel = runtime.kernel as u32;
            (*record).block = [block.x, block.y, block.z];
            (*record).thread = [thread.x, thread.y, thread.z];
            (*record).line = location.line();
            (*record).column = location.column();
            (*record).kind = KIND_MESSAGE;
            (*record).words = 0;
            (*record).cut_off = 0;
            let (file, to) = (location.file(), (&raw mut (*record).file).cast());
            (*record).file_len = copy(file.as_ptr(), file.len(), to, FILE_BYTES) as u32;
        }
    }

    /// Records a part with a text: its header, to which the length is added, and its options.
    #[unsafe(no_mangle)]
    #[cold]
    #[inline(never)]
    pub extern "C" fn __ptyx_panic_text(header: u64, options: u64, text: *const u8, len: usize) {
        let record = runtime().record;
        // SAFETY: claimed by this thread, see `__ptyx_panic_begin`; what is written stays below the
        // array's size.
        unsafe {
            let at = (*record).words as usize;
            // Nothing follows what is cut off.
            if (*record).cut_off != 0 || at.wrapping_add(2) > MESSAGE_WORDS {
                (*record).cut_off = 1;
                return;
            }
            let parts: *mut u64 = (&raw mut (*record).parts).cast();
            let to = parts.wrapping_add(at.wrapping_add(2));
            let room = MESSAGE_WORDS.wrapping_sub(at.wrapping_add(2)).wrapping_mul(8);
            let copied = copy(text, len, to.cast(), room);
            if copied < len {
                (*record).cut_off = 1;
            }
            *parts.wrapping_add(at) = header | (copied as u64).wrapping_shl(32);
            *parts.wrapping_add(at.wrapping_add(1)) = options;
            let words = copied.wrapping_add(7) / 8;
            (*record).words = at.wrapping_add(2).wrapping_add(words) as u32;
        }
    }

    /// Records a part with a value: its header, options, and bits.
    #[unsafe(no_mangle)]
    #[cold]
    #[inline(never)]
    pub extern "C" fn __ptyx_panic_value(header: u64, options: u64, low: u64, high: u64) {
        let record = runtime().record;
        // SAFETY: as in `__ptyx_panic_text`.
        unsafe {
            let at = (*record).words as usize;
            if at.wrapping_add(4) > MESSAGE_WORDS {
                (*record).cut_off = 1;
                return;
            }
            let part: *mut u64 = (&raw mut (*record).parts).cast::<u64>().wrapping_add(at);
            *part = header;
            *part.wrapping_add(1) = options;
            *part.wrapping_add(2) = low;
            *part.wrapping_add(3) = high;
            (*record).words = at.wrapping_add(4) as u32;
        }
    }

    /// Hands the record over and ends the thread.
    #[unsafe(no_mangle)]
    #[cold]
    #[inline(never)]
    pub extern "C" fn __ptyx_panic_end() -> ! {
        // SAFETY: claimed by this thread, see `__ptyx_panic_begin`.
        unsafe {
            intrinsics::__ptyx_release_store_u32(&raw mut (*runtime().record).state, COMPLETE);
            intrinsics::__ptyx_exit()
        }
    }

    #[inline(always)]
    fn runtime() -> PanicRuntime {
        // SAFETY: set by the host before the launch.
        unsafe { (&raw const __ptyx_panic_runtime).read() }
    }

    /// Copies as much as fits and returns how much that is.
    ///
    /// # Safety
    /// `from` is valid for reads of `len` bytes, `to` for writes of `room` bytes.
    unsafe fn copy(from: *const u8, len: usize, to: *mut u8, room: usize) -> usize {
        let mut count: usize = 0;
        while count < len && count < room {
            // SAFETY: below both sizes.
            unsafe { *to.wrapping_add(count) = *from.wrapping_add(count) };
            count = count.wrapping_add(1);
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::mem::{offset_of, size_of};

    /// The record is shared by two separately compiled halves: its layout is fixed.
    #[test]
    fn layout() {
        assert_eq!(size_of::<PanicRecord>(), 3408);
        assert_eq!(offset_of!(PanicRecord, line), 32);
        assert_eq!(offset_of!(PanicRecord, index), 56);
        assert_eq!(offset_of!(PanicRecord, file), 72);
        assert_eq!(offset_of!(PanicRecord, site), 328);
        assert_eq!(offset_of!(PanicRecord, parts), 336);
    }
}
