//! Printing from kernels: the queue through which lines reach the host.
//!
//! Kernels print with `ptyx::gpu_println!` and `ptyx::gpu_print!`; except for [`printf`], the items of this module
//! are for `ptyx` itself.
//!
//! A line is recorded as a panic is: the number of a site of the kernel's module, and the words that only
//! the kernel knows; or, where its parts depend on loops or on texts that only the kernel knows, as the
//! parts themselves (`ptyx_image::message`). The host formats it.
//!
//! Records lie in memory of the host that the device can write, in two halves that are filled in turn. A
//! thread takes its place in a half by one atomic addition. Where the half has no room left, some thread
//! turns to the other one, if the host has read that; if not, the line is lost, and counted. No thread
//! waits for another, nor for the host.
//!
//! Nothing here may panic, in no profile: no checked arithmetic, no indexing.

use core::fmt;

/// Words of a record before those of its line.
#[doc(hidden)]
pub const HEAD: usize = 2;
/// The most words that only the kernel knows, in a line that is the number of a site.
#[doc(hidden)]
pub const MAX_WORDS: usize = 64;

/// The most words of a record. Threads add their sizes to a 32-bit count before they see that a half is full,
/// and hundreds of thousands may do so at once: the count must not overflow.
#[doc(hidden)]
pub const MAX_RECORD: usize = 1 << 13;

/// The first half of a record's first word until the record is whole.
#[doc(hidden)]
pub const PENDING: u32 = 0;
/// As above: the words are the line's parts. Below this, it is the number of the site, plus one.
#[doc(hidden)]
pub const PARTS: u32 = u32::MAX - 1;
/// As above: this half holds no further records.
#[doc(hidden)]
pub const END: u32 = u32::MAX;

/// A device's queue of lines, in its own memory.
///
/// ```
/// use ptyx::device::print::PrintQueue;
/// /// Halves that were filled, and words in the one that is being filled.
/// fn filled(queue: &PrintQueue) -> (u64, u64) {
///     (queue.end >> 32, queue.end & 0xffff_ffff)
/// }
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct PrintQueue {
    /// The words taken of the half that is being filled, and in the upper 32 bits how many halves were
    /// filled before. The lower half grows beyond the half's size when lines do not fit.
    pub end: u64,
    /// The memory that the host sees, too.
    pub shared: *mut PrintShared,
    /// Words in a half.
    pub half: u32,
    /// Lines that found no room.
    pub lost: u32,
}

/// The header before the two halves, in memory of the host.
///
/// ```
/// use ptyx::device::print::PrintShared;
/// // SAFETY: numbers only, which may be zeros.
/// let fresh: PrintShared = unsafe { core::mem::zeroed() };
/// assert_eq!((fresh.read, fresh.lost), (0, 0));
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct PrintShared {
    /// How many halves the host has read.
    pub read: u32,
    /// Not zero if lines were lost.
    pub lost: u32,
    /// Where lost lines write.
    pub nowhere: [u64; HEAD + MAX_WORDS],
}

/// A line whose parts are recorded one after another: first they are only counted, then written.
///
/// ```
/// use ptyx::device::print::Row;
/// let counting = Row { record: core::ptr::null_mut(), words: 0, room: 0 };
/// assert!(counting.record.is_null()); // the first round
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Row {
    /// Where the record is; null while the parts are counted.
    pub record: *mut u64,
    /// Words so far.
    pub words: u32,
    /// Words that there is room for.
    pub room: u32,
}

/// What `print!` and `println!` expand to; the compiler makes a record of its calls.
///
/// ```
/// use ptyx::{device::print::print, prelude::*};
///
/// #[kernel]
/// fn hello() {
///     print(format_args!("hello from thread {}", thread::x()), true); // as `gpu_println!`
/// }
/// ```
#[cfg(not(ptyx_device))]
#[track_caller]
pub fn print(_: fmt::Arguments<'_>, _newline: bool) {
    crate::intrinsics::on_the_host()
}

#[cfg(ptyx_device)]
pub use device::__ptyx_print as print;

/// Values of C's `printf`, as C passes them: a tuple of numbers and pointers.
///
/// ```
/// use ptyx::device::print::{PrintfArguments, printf};
///
/// /// Prints a line for people who read C.
/// ///
/// /// # Safety
/// /// As for `printf`.
/// unsafe fn line(format: &core::ffi::CStr, values: impl PrintfArguments) {
///     // SAFETY: the caller's promise; the second format has no values.
///     unsafe {
///         printf(format, values);
///         printf(c"\n", ());
///     }
/// }
/// ```
pub trait PrintfArguments: Copy {
    #[doc(hidden)]
    type Promoted;
    #[doc(hidden)]
    fn promoted(self) -> Self::Promoted;
}

/// A value of C's `printf`.
///
/// ```
/// use ptyx::device::print::{PrintfArgument, printf};
///
/// /// Prints two values of one type.
/// ///
/// /// # Safety
/// /// The format has two values of this type.
/// unsafe fn both<T: PrintfArgument>(format: &core::ffi::CStr, a: T, b: T) {
///     // SAFETY: the caller's promise.
///     unsafe { printf(format, (a, b)) };
/// }
/// ```
pub trait PrintfArgument: Copy {
    #[doc(hidden)]
    type Promoted;
    #[doc(hidden)]
    fn promoted(self) -> Self::Promoted;
}

macro_rules! printf_arguments {
    ($($type:ty => $promoted:ty;)*) => {$(
        impl PrintfArgument for $type {
            type Promoted = $promoted;
            #[inline(always)]
            fn promoted(self) -> $promoted {
                self.into()
            }
        }
    )*};
}

printf_arguments! {
    i8 => i32; i16 => i32; i32 => i32; i64 => i64; u8 => u32; u16 => u32; u32 => u32; u64 => u64;
    f32 => f64; f64 => f64;
}

impl<T> PrintfArgument for *const T {
    type Promoted = *const T;
    #[inline(always)]
    fn promoted(self) -> *const T {
        self
    }
}

macro_rules! printf_tuples {
    ($($all:ident: $($name:ident)*;)*) => {$(
        #[doc(hidden)]
        #[repr(C)]
        #[allow(missing_debug_implementations, non_snake_case)]
        pub struct $all<$($name: PrintfArgument),*> { $($name: $name::Promoted),* }

        impl<$($name: PrintfArgument),*> PrintfArguments for ($($name,)*) {
            type Promoted = $all<$($name),*>;
            #[inline(always)]
            #[allow(non_snake_case)]
            fn promoted(self) -> Self::Promoted {
                let ($($name,)*) = self;
                $all { $($name: $name.promoted()),* }
            }
        }
    )*};
}

printf_tuples! {
    Promoted0: ;
    Promoted1: A;
    Promoted2: A B;
    Promoted3: A B C;
    Promoted4: A B C D;
    Promoted5: A B C D E;
    Promoted6: A B C D E F;
    Promoted7: A B C D E F G;
    Promoted8: A B C D E F G H;
}

/// C's `printf`, which the driver brings (CUDA C++ Programming Guide,
/// [Formatted Output](https://docs.nvidia.com/cuda/cuda-c-programming-guide/#formatted-output)):
/// `printf(c"%d: %f\n", (i, x))`. Prefer `ptyx::gpu_println!`.
///
/// The driver prints at a synchronisation, past the lines of `ptyx::gpu_println!`. The result is the
/// driver's: the number of values, or negative.
///
/// ```
/// use ptyx::{device::print::printf, prelude::*};
///
/// #[kernel]
/// fn report(x: &[f32]) {
///     let i = thread::index_1d().get();
///     // SAFETY: `%d` is for an `i32`, `%f` for a float.
///     unsafe { printf(c"%d: %f\n", (i as i32, x[i])) };
/// }
/// ```
///
/// # Safety
/// The format must be one for these values: as in C, `%d` is for an `i32`, `%lld` for an `i64`, `%f` for
/// floats, `%s` for pointers to text that ends with a zero.
#[inline(always)]
pub unsafe fn printf(format: &core::ffi::CStr, values: impl PrintfArguments) -> i32 {
    let values = values.promoted();
    // SAFETY: the values lie as C promotes them; the caller's promise.
    unsafe { crate::intrinsics::vprintf(format.as_ptr().cast(), (&raw const values).cast()) }
}

#[cfg(ptyx_device)]
#[allow(unreachable_pub)] // found by the names of the symbols
mod device {
    use super::*;
    use crate::atomic::order::{FENCE_SYSTEM, RELAXED};
    use crate::intrinsics;

    unsafe extern "Rust" {
        /// A line: the compiler replaces the calls.
        #[doc(hidden)]
        pub safe fn __ptyx_print(line: fmt::Arguments<'_>, newline: bool);
    }

    /// The lowest bit of a word's upper half.
    const UPPER: u64 = 1 << 32;
    /// Bytes of a text.
    const MAX_TEXT: usize = 1 << 30;

    /// The queue of the launch's device. A number, as `panic::slot` has it.
    #[inline(always)]
    fn queue() -> *mut PrintQueue {
        // SAFETY: reads a parameter.
        unsafe { intrinsics::__ptyx_print_queue() as *mut PrintQueue }
    }

    /// Where lost lines go.
    #[inline(always)]
    fn nowhere(shared: *mut PrintShared) -> *mut u64 {
        // SAFETY: only an address.
        unsafe { (&raw mut (*shared).nowhere).cast() }
    }

    /// The record at a place, whose size is written, for the host to pass it if the kernel dies.
    ///
    /// # Safety
    /// The place is the thread's.
    #[inline(always)]
    unsafe fn begin(
        shared: *mut PrintShared,
        half: u32,
        filled: u32,
        at: u32,
        size: u32,
    ) -> *mut u64 {
        let first = (filled & 1).wrapping_mul(half).wrapping_add(at) as usize;
        let record = shared.wrapping_add(1).cast::<u64>().wrapping_add(first);
        // SAFETY: the caller's promise.
        unsafe {
            intrinsics::volatile_store_u32(record.cast::<u32>().wrapping_add(1), size);
        }
        record
    }

    /// Takes room for a record of `words` words and its head. Where there is none, the line is
    /// counted as lost, and the record is nowhere.
    ///
    /// Each round, some thread gets room or finds that there is none; so it ends.
    #[unsafe(no_mangle)]
    #[inline(always)]
    pub extern "C" fn __ptyx_print_claim(words: u32) -> *mut u64 {
        let queue = queue();
        let size = words.wrapping_add(HEAD as u32);
        // SAFETY: the host gives a queue that outlives the launch. What is taken lies in a half, and is
        // nobody else's: the sizes that were added before end where it begins.
        unsafe {
            let (shared, half) = ((*queue).shared, (*queue).half);
            let end = &raw mut (*queue).end;
            while size <= half && size <= MAX_RECORD as u32 {
                // Nothing is added to a full half, so that its count does not run over.
                let seen = intrinsics::volatile_load_u32(end.cast());
                let step = if seen > half { 0 } else { size };
                let old = intrinsics::atomic_add_u64(end, u64::from(step), RELAXED);
                let (filled, at) = ((old / UPPER) as u32, old as u32);
                if at <= half {
                    if step == 0 {
                        continue;
                    }
                    if size <= half.wrapping_sub(at) {
                        return begin(shared, half, filled, at, size);
                    }
                    // The first that does not fit says so, for the host.
                    if at < half {
                        let last = begin(shared, half, filled, at, size);
                        intrinsics::release_store_u32(last.cast(), END);
                    }
                }
                let read = intrinsics::volatile_load_u32(&raw const (*shared).read);
                if read.wrapping_sub(filled) > 1 {
                    break;
                }
                // The host has cleared the other half before it said so.
                intrinsics::atomic_fence(FENCE_SYSTEM);
                let old = old.wrapping_add(u64::from(step));
                let filled = filled.wrapping_add(1);
                let new = u64::from(filled).wrapping_mul(UPPER) | u64::from(size);
                if intrinsics::atomic_cas_u64(end, old, new, RELAXED) == old {
                    return begin(shared, half, filled, 0, size);
                }
            }
            intrinsics::atomic_add_u32(&raw mut (*queue).lost, 1, RELAXED);
            intrinsics::volatile_store_u32(&raw mut (*shared).lost, 1);
            nowhere(shared)
        }
    }

    /// Hands a record over, whose words are written.
    #[unsafe(no_mangle)]
    #[inline(always)]
    pub extern "C" fn __ptyx_print_commit(record: *mut u64, state: u32) {
        // SAFETY: claimed by this thread, see `__ptyx_print_claim`.
        unsafe {
            let module = u64::from(crate::panic::device::module());
            intrinsics::volatile_store_u64(record.wrapping_add(1), module);
            // What comes before it, the host sees before it.
            intrinsics::release_store_u32(record.cast(), state);
        }
    }

    /// Takes `words` words of a row, if it has room for them; null while they are only counted.
    ///
    /// # Safety
    /// The row is this thread's.
    #[inline(always)]
    unsafe fn take(row: *mut Row, words: u32) -> *mut u64 {
        // SAFETY: the caller's promise.
        unsafe {
            let at = (*row).words;
            (*row).words = at.saturating_add(words);
            // More than was counted: something has changed meanwhile.
            if (*row).record.is_null() || (*row).words > (*row).room {
                return core::ptr::null_mut();
            }
            (*row).record.wrapping_add(HEAD).wrapping_add(at as usize)
        }
    }

    /// Records a part with a text: its header, to which the length is added, and its options.
    #[unsafe(no_mangle)]
    #[inline(never)]
    pub extern "C" fn __ptyx_print_text(
        row: *mut Row,
        header: u64,
        options: u64,
        text: *const u8,
        len: usize,
    ) {
        // SAFETY: the row is this thread's, and the words are what `take` gives; the text has its length.
        unsafe {
            // Longer texts than a half are lost anyway.
            let len = if len > MAX_TEXT { MAX_TEXT } else { len };
            let to = take(row, (len.wrapping_add(7) / 8).wrapping_add(2) as u32);
            if to.is_null() {
                return;
            }
            let header = header | (len as u64).wrapping_mul(UPPER);
            intrinsics::volatile_store_u64(to, header);
            intrinsics::volatile_store_u64(to.wrapping_add(1), options);
            let (mut at, mut word, mut scale) = (0_usize, 0_u64, 1_u64);
            let mut place = to.wrapping_add(2);
            while at < len {
                word |= u64::from(*text.wrapping_add(at)).wrapping_mul(scale);
                scale = scale.wrapping_mul(256);
                at = at.wrapping_add(1);
                if at % 8 == 0 || at == len {
                    intrinsics::volatile_store_u64(place, word);
                    (place, word, scale) = (place.wrapping_add(1), 0, 1);
                }
            }
        }
    }

    /// Records a part with a value: its header, options, and bits.
    #[unsafe(no_mangle)]
    #[inline(never)]
    pub extern "C" fn __ptyx_print_value(
        row: *mut Row,
        header: u64,
        options: u64,
        low: u64,
        high: u64,
    ) {
        // SAFETY: as in `__ptyx_print_text`.
        unsafe {
            let to = take(row, 4);
            if to.is_null() {
                return;
            }
            intrinsics::volatile_store_u64(to, header);
            intrinsics::volatile_store_u64(to.wrapping_add(1), options);
            intrinsics::volatile_store_u64(to.wrapping_add(2), low);
            intrinsics::volatile_store_u64(to.wrapping_add(3), high);
        }
    }

    /// The end of a row: returns whether its parts are to be repeated, to be written this time.
    #[unsafe(no_mangle)]
    #[inline(never)]
    pub extern "C" fn __ptyx_print_end(row: *mut Row) -> u32 {
        // SAFETY: the row is this thread's.
        unsafe {
            let (record, words) = ((*row).record, (*row).words);
            *row = Row { record: core::ptr::null_mut(), words: 0, room: 0 };
            if !record.is_null() {
                __ptyx_print_commit(record, PARTS);
                return 0;
            }
            let record = __ptyx_print_claim(words);
            if record == nowhere((*queue()).shared) {
                return 0;
            }
            *row = Row { record, words: 0, room: words };
            1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::mem::{offset_of, size_of};

    /// Shared by separately compiled halves: the layouts are fixed.
    #[test]
    fn layout() {
        assert_eq!(size_of::<PrintQueue>(), 24);
        assert_eq!(offset_of!(PrintQueue, shared), 8);
        assert_eq!(offset_of!(PrintShared, nowhere), 8);
        assert_eq!(size_of::<PrintShared>(), 8 + 8 * (HEAD + MAX_WORDS));
        assert_eq!(size_of::<Row>(), 16);
    }

    #[test]
    fn values_lie_as_c_has_them() {
        let values = (1_u8, -2_i16, 0.5_f32, -3_i64, 4_u32, 5_u32).promoted();
        assert_eq!(size_of_val(&values), 32);
        // SAFETY: a struct of this size without padding.
        let words: [u64; 4] = unsafe { core::mem::transmute_copy(&values) };
        assert_eq!(words[0], 1 | u64::from((-2_i32).cast_unsigned()) << 32);
        assert_eq!((words[1], words[2]), (0.5_f64.to_bits(), (-3_i64).cast_unsigned()));
        assert_eq!(words[3], 4 | 5 << 32);
    }
}
