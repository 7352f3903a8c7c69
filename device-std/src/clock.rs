//! Clocks, a pause, and where on the device a thread runs.
//!
//! | here | CUDA C | PTX |
//! |---|---|---|
//! | [`cycles`], [`cycles_32`] | `clock64`, `clock` | `%clock64`, `%clock` |
//! | [`nanoseconds`] | | `%globaltimer` |
//! | [`sleep`] | `__nanosleep` | `nanosleep` |
//! | [`multiprocessor`], [`multiprocessors`] | | `%smid`, `%nsmid` |
//! | [`hardware_warp`] | | `%warpid` |
//! | [`grid`] | | `%gridid` |
//! | [`breakpoint`] | `__brkpt` | `brkpt` |
//! | [`trap`] | `__trap` | `trap` |
//!
//! Every device that Ptyx supports has them (`sm_70`). ([PTX ISA, "Special Registers"](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers))
//!
//! ```
//! use ptyx::{device::clock, prelude::*};
//!
//! /// How long each thread's square root takes.
//! #[kernel]
//! fn measure(x: &[f32], mut y: Disjoint<f32>, mut cycles: Disjoint<u64>) {
//!     let i = thread::index_1d();
//!     if let (Some(y), Some(cycles)) = (y.get_mut(i), cycles.get_mut(i)) {
//!         let start = clock::cycles();
//!         *y = x[i.get()].sqrt();
//!         *cycles = clock::cycles() - start;
//!     }
//! }
//! ```

use crate::intrinsics;

/// Cycles of this multiprocessor's clock since some point in the past ([`%clock64`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-clock64)).
///
/// Readings of threads on different multiprocessors can't be compared. The emulated device counts
/// nanoseconds.
///
/// ```no_run
/// use ptyx_device::clock;
/// /// Waits about `duration` cycles.
/// fn spin(duration: u64) {
///     let start = clock::cycles();
///     while clock::cycles().wrapping_sub(start) < duration {}
/// }
/// ```
///
/// # Panics
/// On the host.
#[doc(alias = "clock64")]
#[inline(always)]
#[track_caller]
pub fn cycles() -> u64 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::clock64() }
}

/// The lower half of [`cycles`], which wraps around after seconds but is read faster ([`%clock`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-clock)).
///
/// ```no_run
/// use ptyx_device::clock;
/// let start = clock::cycles_32();
/// let elapsed = clock::cycles_32().wrapping_sub(start);
/// # let _ = elapsed;
/// ```
///
/// # Panics
/// On the host.
#[doc(alias = "clock")]
#[inline(always)]
#[track_caller]
pub fn cycles_32() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::clock32() }
}

/// Nanoseconds since some point in the past, the same for all multiprocessors ([`%globaltimer`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-globaltimer)).
///
/// How often the timer advances depends on the device: mostly about once a microsecond.
///
/// ```no_run
/// use ptyx_device::clock;
/// let start = clock::nanoseconds();
/// let elapsed = clock::nanoseconds().wrapping_sub(start);
/// # let _ = elapsed;
/// ```
///
/// # Panics
/// On the host.
#[doc(alias = "globaltimer")]
#[inline(always)]
#[track_caller]
pub fn nanoseconds() -> u64 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::globaltimer() }
}

/// Suspends the thread for about this many nanoseconds ([`nanosleep`](https://docs.nvidia.com/cuda/parallel-thread-execution/#miscellaneous-instructions-nanosleep)).
///
/// The pause takes between none and twice that time, and at most a millisecond, whatever the number. Loops
/// that wait for another thread's write use it to leave the multiprocessor to others.
///
/// ```no_run
/// use core::sync::atomic::{AtomicU32, Ordering};
/// use ptyx_device::clock;
/// fn wait_for(flag: &AtomicU32) {
///     let mut pause = 8;
///     while flag.load(Ordering::Acquire) == 0 {
///         clock::sleep(pause);
///         pause = (pause * 2).min(256);
///     }
/// }
/// ```
///
/// # Panics
/// On the host.
#[doc(alias = "__nanosleep")]
#[doc(alias = "nanosleep")]
#[inline(always)]
#[track_caller]
pub fn sleep(nanoseconds: u32) {
    // SAFETY: only waits.
    unsafe { intrinsics::nanosleep(nanoseconds) }
}

/// The number of the multiprocessor that the thread runs on, below [`multiprocessors`] ([`%smid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-smid)).
///
/// A block keeps its multiprocessor unless a debugger or another program interrupts it, so use the number for
/// statistics and not to divide work.
///
/// ```no_run
/// use ptyx_device::{Atomics, clock};
/// fn count(blocks: Atomics<u32>) {
///     blocks[clock::multiprocessor() as usize].fetch_add(1);
/// }
/// ```
///
/// # Panics
/// On the host.
#[doc(alias = "smid")]
#[inline(always)]
#[track_caller]
pub fn multiprocessor() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::smid() }
}

/// More than the greatest number that [`multiprocessor`] returns ([`%nsmid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-nsmid)): numbers need not be
/// consecutive, so there may be fewer multiprocessors.
///
/// ```no_run
/// use ptyx_device::clock;
/// assert!(clock::multiprocessor() < clock::multiprocessors());
/// ```
///
/// # Panics
/// On the host.
#[doc(alias = "nsmid")]
#[inline(always)]
#[track_caller]
pub fn multiprocessors() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::nsmid() }
}

/// The place that the hardware runs the thread's warp in ([`%warpid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-warpid)). It may change while the thread runs, and is
/// not the warp's place in the block.
///
/// ```no_run
/// use ptyx_device::{clock, thread};
/// let (place, rank) = (clock::hardware_warp(), thread::x() / 32); // two different things
/// # let _ = (place, rank);
/// ```
///
/// # Panics
/// On the host.
#[doc(alias = "warpid")]
#[inline(always)]
#[track_caller]
pub fn hardware_warp() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::warpid() }
}

/// The number of warp identifiers of a multiprocessor: [`hardware_warp`] returns less ([`%nwarpid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-nwarpid)).
///
/// ```no_run
/// use ptyx_device::clock;
/// assert!(clock::hardware_warp() < clock::hardware_warps());
/// ```
///
/// # Panics
/// On the host.
#[doc(alias = "nwarpid")]
#[inline(always)]
#[track_caller]
pub fn hardware_warps() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::nwarpid() }
}

/// Triggers a performance monitor event: a profiler's counter `COUNTER`, from 0 to 15, grows by one for each warp ([`pmevent`](https://docs.nvidia.com/cuda/parallel-thread-execution/#miscellaneous-instructions-pmevent), `sm_70`; `__prof_trigger()` of
/// CUDA C, whose documentation reserves counters 8 to 15). Without a profiler that asks for it, nothing
/// happens. A larger number is a compile error.
///
/// ```no_run
/// use ptyx_device::clock;
/// fn slow_path() {
///     clock::profiler_event::<3>();
/// }
/// ```
///
/// # Panics
/// On the host.
#[doc(alias = "__prof_trigger")]
#[doc(alias = "pmevent")]
#[inline(always)]
#[track_caller]
pub fn profiler_event<const COUNTER: u32>() {
    const { assert!(COUNTER < 16, "a profiler's counters are 0 to 15") };
    crate::__ptx! {
        device {
            // SAFETY: only counts.
            unsafe {
                core::arch::asm!(
                    "//__ptyx_ptx",
                    "pmevent {};",
                    const COUNTER,
                    options(nostack, preserves_flags)
                );
            }
        }
        host { intrinsics::on_the_host() }
    }
}

/// Triggers several performance monitor events at once: bit `n` of the mask is [counter](profiler_event) `n` ([`pmevent.mask`](https://docs.nvidia.com/cuda/parallel-thread-execution/#miscellaneous-instructions-pmevent), `sm_70`).
///
/// ```no_run
/// use ptyx_device::clock;
/// fn slow_path() {
///     clock::profiler_events::<0b1001>(); // counters 0 and 3
/// }
/// ```
///
/// # Panics
/// On the host.
#[inline(always)]
#[track_caller]
pub fn profiler_events<const MASK: u16>() {
    crate::__ptx! {
        device {
            // SAFETY: only counts.
            unsafe {
                core::arch::asm!(
                    "//__ptyx_ptx",
                    "pmevent.mask {};",
                    const MASK,
                    options(nostack, preserves_flags)
                );
            }
        }
        host { intrinsics::on_the_host() }
    }
}

/// The launch's number among all launches of the program's context ([`%gridid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-gridid)).
///
/// ```no_run
/// use ptyx_device::clock;
/// let launch: u64 = clock::grid();
/// # let _ = launch;
/// ```
///
/// # Panics
/// On the host.
#[doc(alias = "gridid")]
#[inline(always)]
#[track_caller]
pub fn grid() -> u64 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::gridid() }
}

/// Stops in the debugger ([`brkpt`](https://docs.nvidia.com/cuda/parallel-thread-execution/#miscellaneous-instructions-brkpt)). Without one, the launch ends with an error, as after a [`trap`].
///
/// ```no_run
/// use ptyx_device::clock;
/// fn check(x: f32) {
///     if x.is_nan() {
///         clock::breakpoint();
///     }
/// }
/// ```
///
/// # Panics
/// On the host.
#[doc(alias = "__brkpt")]
#[doc(alias = "brkpt")]
#[inline(always)]
#[track_caller]
pub fn breakpoint() {
    // SAFETY: stops, and changes nothing.
    unsafe { intrinsics::breakpoint() }
}

/// Ends the launch with an error ([`trap`](https://docs.nvidia.com/cuda/parallel-thread-execution/#miscellaneous-instructions-trap)). The context can no longer be used, so prefer `panic!`, after which it can.
///
/// ```no_run
/// use ptyx_device::clock;
/// fn check(x: f32) {
///     if x.is_nan() {
///         clock::trap();
///     }
/// }
/// ```
///
/// # Panics
/// On the host.
#[doc(alias = "__trap")]
#[inline(always)]
#[track_caller]
pub fn trap() -> ! {
    // SAFETY: ends the launch.
    unsafe { intrinsics::__ptyx_trap() }
}
