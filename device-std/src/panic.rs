//! Panics in kernels: the record through which the first one of a launch reaches the host.
//!
//! A kernel panics as other Rust code does; what it says arrives as `ptyx::Error::KernelPanic`. The items of
//! this module are for `ptyx` itself.
//!
//! ```
//! use ptyx::prelude::*;
//!
//! #[kernel]
//! fn ratios(a: &[u32], b: &[u32], mut c: Disjoint<u32>) {
//!     let i = thread::index_1d();
//!     if let Some(c) = c.get_mut(i) {
//!         assert_ne!(b[i.get()], 0, "element {} has no ratio", i.get());
//!         *c = a[i.get()] / b[i.get()];
//!     }
//! }
//! ```
//!
//! Each stream has a [`PanicSlot`] with its own record, so that a panic is reported by a call that waits
//! for that stream. A launch passes the slot and its number in the stream as two parameters after the
//! kernel's own.
//!
//! The compiler turns core's panic entry points into calls of the functions below, whose module has the
//! order. The thread that panics first claims the record for its launch, fills it and ends; others end
//! at once. If the record still holds the unread panic of an earlier launch, the panic is only counted, and
//! the host reports the count. The host checks the record whenever it waits for the stream. The context
//! stays usable, because nothing traps.
//!
//! A message is recorded as the parts that it is made of, and formatted by the host: what the words
//! of a part mean, only the compiler and the host know (`ptyx_image::message`).
//!
//! Nothing here may panic itself, in any profile: no checked arithmetic, no indexing.
#![doc(hidden)]

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

/// A stream's place for panics, in the device's memory.
///
/// ```
/// use ptyx::device::panic::{PanicRecord, PanicSlot};
/// /// A slot whose record no launch has used.
/// fn fresh(record: &mut PanicRecord) -> PanicSlot {
///     PanicSlot { record, latest: 0 }
/// }
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PanicSlot {
    /// The record, in memory of the host that the device can write.
    pub record: *mut PanicRecord,
    /// The number of the last launch that panicked: its first thread exchanges it. Not in the record,
    /// since not every device can do atomics on the host's memory.
    pub latest: u32,
}

/// What the first panic of a launch leaves, in memory that both sides see. All zero: no panic.
///
/// ```
/// use ptyx::device::panic::{IDLE, PanicRecord};
/// // SAFETY: numbers only, which may be zeros.
/// let record: PanicRecord = unsafe { core::mem::zeroed() };
/// assert_eq!(record.state, IDLE); // nobody panicked
/// ```
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
    /// The number of the launch in its stream.
    pub launch: u32,
    /// Launches that panicked while the record held the panic of an earlier one. It only grows.
    pub others: u32,
    /// The message's parts; the last text may be cut off, in the middle of a character, too.
    pub parts: [u64; MESSAGE_WORDS],
}

/// Panics with an index out of bounds, as indexing a slice does.
#[cfg(not(ptyx_device))]
#[cold]
#[track_caller]
pub(crate) fn bounds(index: usize, len: usize, _: &'static Location<'static>) -> ! {
    panic!("index out of bounds: the len is {len} but the index is {index}")
}

#[cfg(ptyx_device)]
pub(crate) use device::{__ptyx_panic_bounds as bounds, has_panicked};

/// Whether a thread of the launch has panicked.
#[cfg(not(ptyx_device))]
#[track_caller]
pub(crate) fn has_panicked() -> bool {
    crate::intrinsics::on_the_host()
}

/// Most panics are a number: code that the compiler makes calls `__ptyx_panic_claim`, writes the words
/// that go with the number, and calls `__ptyx_panic_finish`.
///
/// Others are `__ptyx_panic_begin`, then the message's parts by `__ptyx_panic_text` and
/// `__ptyx_panic_value`, then `__ptyx_panic_end`; the two commonest kinds are one call each.
#[cfg(ptyx_device)]
#[allow(unreachable_pub)] // found by the names of the symbols
pub(crate) mod device {
    use super::*;
    use crate::atomic::order::RELAXED;
    use crate::{block, intrinsics, thread};
    use core::mem::offset_of;

    /// The number to record as [`PanicRecord::kernel`]. The host finds it by name in the loaded module,
    /// and sets it.
    #[unsafe(no_mangle)]
    pub static mut __ptyx_panic_module: u64 = 0;

    /// Claims the record for the launch, or ends the thread.
    #[inline(always)]
    fn claim() -> *mut PanicRecord {
        // SAFETY: the host gives a slot and a record that outlive the launch.
        unsafe {
            let slot = slot();
            let number = intrinsics::__ptyx_launch_number();
            if intrinsics::atomic_exchange_u32(&raw mut (*slot).latest, number, RELAXED) == number {
                intrinsics::__ptyx_exit()
            }
            let record = (*slot).record;
            // An earlier launch's, which the host has not taken yet, or is taking.
            if intrinsics::volatile_load_u32(&raw const (*record).state) != IDLE {
                let others = &raw mut (*record).others;
                let count = intrinsics::volatile_load_u32(others);
                intrinsics::volatile_store_u32(others, count.wrapping_add(1));
                intrinsics::__ptyx_exit()
            }
            record
        }
    }

    /// Claims the record, or ends the thread. Gives where the panic's words go.
    #[unsafe(no_mangle)]
    #[inline(always)]
    pub extern "C" fn __ptyx_panic_claim() -> *mut u64 {
        // SAFETY: in the record.
        unsafe { (&raw mut (*claim()).parts).cast() }
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
            intrinsics::volatile_store_u64(&raw mut (*record).site, u64::from(site));
            branch(record);
            intrinsics::volatile_store_u32(&raw mut (*record).kind, KIND_SITE);
            intrinsics::volatile_store_u32(&raw mut (*record).kernel, module());
            let launch = intrinsics::__ptyx_launch_number();
            intrinsics::volatile_store_u32(&raw mut (*record).launch, launch);
            branch(record);
            intrinsics::write_block_index((&raw mut (*record).block).cast());
            branch(record);
            intrinsics::write_thread_index((&raw mut (*record).thread).cast());
            // Not a fence: with one in its module the assembler makes no reduction of an atomic
            // operation whose result nothing uses.
            intrinsics::release_store_u32(&raw mut (*record).state, COMPLETE);
            intrinsics::__ptyx_exit()
        }
    }

    /// A branch that the optimiser can't know is never taken: a claimed record is not complete.
    ///
    /// # Safety
    /// The record is claimed by this thread.
    #[inline(always)]
    unsafe fn branch(record: *mut PanicRecord) {
        // SAFETY: as the caller says.
        unsafe {
            if intrinsics::volatile_load_u32(&raw const (*record).state) == COMPLETE {
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
        let record = claimed();
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
        let record = claim();
        // SAFETY: only the thread that has claimed the record writes it.
        unsafe {
            let (block, thread) = (block::idx(), thread::idx());
            (*record).kernel = module();
            (*record).launch = intrinsics::__ptyx_launch_number();
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
        let record = claimed();
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
        let record = claimed();
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
            intrinsics::release_store_u32(&raw mut (*claimed()).state, COMPLETE);
            intrinsics::__ptyx_exit()
        }
    }

    /// The record that this thread has claimed.
    #[inline(always)]
    fn claimed() -> *mut PanicRecord {
        // SAFETY: the host gives a slot that outlives the launch.
        unsafe { (*slot()).record }
    }

    /// The slot of the launch's stream. A number, not a pointer, so that the assembler is not told that
    /// it is global memory: the accesses stay apart from the kernel's own in machine code.
    #[inline(always)]
    fn slot() -> *mut PanicSlot {
        // SAFETY: reads a parameter.
        unsafe { intrinsics::__ptyx_panic_slot() as *mut PanicSlot }
    }

    /// Whether a thread of the launch has panicked.
    #[inline(always)]
    pub(crate) fn has_panicked() -> bool {
        // SAFETY: the host gives a slot that outlives the launch.
        unsafe {
            let latest = intrinsics::volatile_load_u32(&raw const (*slot()).latest);
            latest == intrinsics::__ptyx_launch_number()
        }
    }

    /// The number that the host gave the kernel's module.
    #[inline(always)]
    pub(crate) fn module() -> u32 {
        // SAFETY: set by the host before the first launch.
        unsafe { (&raw const __ptyx_panic_module).read() as u32 }
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
        assert_eq!(size_of::<PanicSlot>(), 16);
        assert_eq!(offset_of!(PanicSlot, latest), 8);
        assert_eq!(size_of::<PanicRecord>(), 3416);
        assert_eq!(offset_of!(PanicRecord, line), 32);
        assert_eq!(offset_of!(PanicRecord, index), 56);
        assert_eq!(offset_of!(PanicRecord, file), 72);
        assert_eq!(offset_of!(PanicRecord, site), 328);
        assert_eq!(offset_of!(PanicRecord, launch), 336);
        assert_eq!(offset_of!(PanicRecord, others), 340);
        assert_eq!(offset_of!(PanicRecord, parts), 344);
    }
}
