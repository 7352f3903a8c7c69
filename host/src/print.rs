//! What kernels print: the queue of lines, which the host reads whenever it waits.
//!
//! A device has one queue for all its streams, so that lines come in the order in which they were printed
//! ([`ptyx_device::print`] has its layout). It is made at the first launch of a kernel that prints. From then
//! on, a waiting thread polls whether the work is done, and prints meanwhile.

use crate::driver::types::*;
use crate::driver::{Driver, Failure};
use crate::error::Result;
#[cfg(not(ptyx_device))]
use crate::panic::line;
use crate::panic::{on_own_stream, upload};
#[cfg(not(ptyx_device))]
use crate::settings;
use core::mem::offset_of;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use core::time::Duration;
use ptyx_device::print::{END, HEAD, MAX_RECORD, MAX_WORDS, PENDING, PrintQueue, PrintShared};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes of a word.
const WORD: usize = size_of::<u64>();
/// A half holds at least one line of the maximal length.
const MIN_HALF: usize = HEAD + MAX_WORDS;
/// The most words in a half: the device counts in 32 bits, also past the end of the half.
const MAX_HALF: usize = 1 << 28;

/// How often a waiting thread asks without a pause.
const BUSY_ROUNDS: u32 = 100;
/// The longest pause.
const MAX_PAUSE: Duration = Duration::from_millis(1);
/// How long a thread that has waited for the device waits for another thread to print.
const PATIENCE: Duration = Duration::from_secs(1);

/// What a device's kernels print.
#[derive(Default)]
pub(crate) struct Prints {
    /// Whether there is one.
    is_used: AtomicBool,
    /// Bytes that the program asked for, or 0.
    bytes: AtomicUsize,
    lines: Mutex<Lines>,
    /// Notified when a thread has printed.
    printed: Condvar,
}

/// The lines on their way from the device to the standard output.
#[derive(Default)]
struct Lines {
    queues: Vec<Queue>,
    /// What was read and is not printed yet.
    text: String,
    /// Whether a thread is printing.
    is_printing: bool,
}

impl Prints {
    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The address of the queue for a launch. The context is bound.
    pub(crate) fn queue(&self, driver: &Driver) -> Result<CUdeviceptr> {
        let bytes = self.bytes()?;
        let half = (bytes / 2 / WORD).clamp(MIN_HALF, MAX_HALF);
        let mut lines = self.lock();
        // Launches with an older queue may go on: it is read as long as the process lives.
        if let Some(last) = lines.queues.last().filter(|last| last.half == half && !last.is_damaged)
        {
            return Ok(last.address);
        }
        let made = Queue::make(driver, half)?;
        let address = made.address;
        lines.queues.push(made);
        self.is_used.store(true, Ordering::Release);
        Ok(address)
    }

    /// Bytes of the next launch's queue.
    pub(crate) fn bytes(&self) -> Result<usize> {
        match self.bytes.load(Ordering::Relaxed) {
            #[cfg(not(ptyx_device))]
            0 => {
                // Read once: to read an environment variable that is set allocates memory.
                let bytes = settings::print_buffer(&settings::environment)?;
                let known =
                    self.bytes.compare_exchange(0, bytes, Ordering::Relaxed, Ordering::Relaxed);
                Ok(known.err().unwrap_or(bytes))
            }
            bytes => Ok(bytes),
        }
    }

    /// Sets the bytes of the queue of later launches.
    pub(crate) fn set_bytes(&self, bytes: usize) {
        self.bytes.store(bytes.max(1), Ordering::Relaxed);
    }

    /// Waits with `block`, a driver call, and prints what kernels print until it returns. `is_done` says
    /// whether it would return at once; without it, another thread does the waiting. The context is
    /// bound.
    pub(crate) fn wait(
        &self,
        driver: &Driver,
        block: impl FnOnce() -> Result<(), Failure> + Send,
        mut is_done: Option<&dyn Fn() -> Result<(), Failure>>,
    ) -> Result<(), Failure> {
        if !self.is_used.load(Ordering::Acquire) {
            return block();
        }
        let ended = match &mut is_done {
            Some(is_done) => {
                let goes_on =
                    |asked| matches!(asked, Err(Failure { code: CUDA_ERROR_NOT_READY, .. }));
                self.print_while(driver, || goes_on(is_done()));
                // Now it returns at once, with the error if something failed.
                block()
            }
            None => std::thread::scope(|scope| {
                let waiting = scope.spawn(block);
                self.print_while(driver, || !waiting.is_finished());
                waiting.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            }),
        };
        self.print(driver, Some(&ended));
        ended
    }

    fn print_while(&self, driver: &Driver, goes_on: impl Fn() -> bool) {
        let mut pause = Duration::from_micros(20);
        for round in 0.. {
            if !goes_on() {
                return;
            }
            self.print(driver, None);
            if round < BUSY_ROUNDS {
                std::thread::yield_now();
            } else {
                std::thread::sleep(pause);
                pause = (pause * 2).min(MAX_PAUSE);
            }
        }
    }

    /// Prints the lines that are there, and, if a wait has ended, how many were lost.
    fn print(&self, driver: &Driver, ended: Option<&Result<(), Failure>>) {
        let mut lines = self.lock();
        let Lines { queues, text, .. } = &mut *lines;
        for queue in queues.iter_mut() {
            queue.read(text, ended.is_some_and(Result::is_err));
        }
        let ended = ended.is_some();
        let lost: Vec<String> =
            queues.iter_mut().filter(|_| ended).filter_map(|queue| queue.lost(driver)).collect();
        self.print_text(lines, ended);
        lost.iter().for_each(|message| eprintln!("{message}"));
    }

    /// Prints what was read. One thread does so at a time, which keeps the order. If another one is
    /// printing, that one goes on with what is there now; a thread that has waited for the device waits for it.
    ///
    /// The lock is not held while a thread prints. Printing waits for the lock on the standard output,
    /// and the thread that holds it may itself wait here. Hence the time limit.
    fn print_text<'a>(&'a self, mut lines: MutexGuard<'a, Lines>, ended: bool) {
        while lines.is_printing || !lines.text.is_empty() {
            if !lines.is_printing {
                lines.is_printing = true;
                let text = core::mem::take(&mut lines.text);
                drop(lines);
                let printing = Printing(self);
                print!("{text}");
                drop(printing);
                lines = self.lock();
            } else if ended {
                let (later, timeout) = self
                    .printed
                    .wait_timeout_while(lines, PATIENCE, |lines| lines.is_printing)
                    .unwrap_or_else(PoisonError::into_inner);
                if timeout.timed_out() {
                    return;
                }
                lines = later;
            } else {
                return;
            }
        }
    }
}

/// A thread is printing, until this is dropped: `print!` panics if the standard output is closed.
struct Printing<'a>(&'a Prints);

impl Drop for Printing<'_> {
    fn drop(&mut self) {
        self.0.lock().is_printing = false;
        self.0.printed.notify_all();
    }
}

/// A queue of lines. It is never freed, as kernels may write it until the process ends.
struct Queue {
    shared: *mut PrintShared,
    /// The device address of its part in device memory.
    address: CUdeviceptr,
    /// Words in a half.
    half: usize,
    /// How many halves were read.
    filled: u32,
    /// How many words of the next one were read.
    at: usize,
    /// How many lost lines were reported.
    told: u32,
    /// A kernel died in the middle of a line. No other launch gets the queue.
    is_damaged: bool,
}

// SAFETY: what kernels write is only used by atomics, and the rest under the lock of `Prints`.
unsafe impl Send for Queue {}

impl Queue {
    /// Makes a queue. The context is bound.
    fn make(driver: &Driver, half: usize) -> Result<Queue> {
        let mut host = core::ptr::null_mut();
        let (mut shared, mut address) = (0, 0);
        let flags = CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE;
        let bytes = size_of::<PrintShared>() + 2 * half * WORD;
        let _relaxed = driver.relaxed();
        // SAFETY: the places are valid; the memory is as large, and zeroes are no records.
        unsafe {
            driver.cuMemHostAlloc(&mut host, bytes, flags)?;
            host.cast::<u8>().write_bytes(0, bytes);
            driver.cuMemHostGetDevicePointer(&mut shared, host, 0)?;
            driver.cuMemAlloc(&mut address, size_of::<PrintQueue>())?;
        }
        let half_words = half as u32;
        let shared = shared as *mut PrintShared;
        upload(driver, address, &[PrintQueue { end: 0, shared, half: half_words, lost: 0 }])?;
        Ok(Queue {
            shared: host.cast(),
            address,
            half,
            filled: 0,
            at: 0,
            told: 0,
            is_damaged: false,
        })
    }

    /// A word of the half that is being read.
    fn word(&self, at: usize) -> &AtomicU64 {
        let at = (self.filled & 1) as usize * self.half + at;
        // SAFETY: callers stay within the half; words are only accessed atomically once kernels may
        // write them.
        unsafe { AtomicU64::from_ptr(self.shared.add(1).cast::<u64>().add(at)) }
    }

    /// Half a word.
    fn half_word(&self, at: usize, upper: bool) -> &AtomicU32 {
        // SAFETY: as above.
        unsafe { AtomicU32::from_ptr(self.word(at).as_ptr().cast::<u32>().add(upper.into())) }
    }

    /// Reads the lines that are there. If kernels have `died`, their unfinished lines are skipped.
    fn read(&mut self, text: &mut String, died: bool) {
        loop {
            if self.at == self.half {
                self.turn();
                continue;
            }
            let state = self.half_word(self.at, false).load(Ordering::Acquire);
            let size = self.half_word(self.at, true).load(Ordering::Relaxed) as usize;
            if state == END {
                self.word(self.at).store(0, Ordering::Relaxed);
                self.turn();
                continue;
            }
            let is_record = size >= HEAD && size <= self.half - self.at;
            self.is_damaged |= state == PENDING && is_record && died;
            if !is_record || state == PENDING && !died {
                return;
            }
            let words: Vec<u64> = (self.at..self.at + size)
                .map(|at| self.word(at).swap(0, Ordering::Relaxed))
                .collect();
            #[cfg(not(ptyx_device))]
            if state != PENDING {
                text.push_str(&line(state, words[1] as u32, &words[HEAD..]));
            }
            let _ = (words, &text);
            self.at += size;
        }
    }

    /// Switches to the other half; the device may fill this one again.
    fn turn(&mut self) {
        self.filled = self.filled.wrapping_add(1);
        self.at = 0;
        // SAFETY: never freed, and only used by atomics.
        let read = unsafe { AtomicU32::from_ptr(&raw mut (*self.shared).read) };
        read.store(self.filled, Ordering::Release);
    }

    /// Says how many lines were lost since the last time, if any were.
    fn lost(&mut self, driver: &Driver) -> Option<String> {
        // SAFETY: never freed, and only used by atomics.
        let lost = unsafe { AtomicU32::from_ptr(&raw mut (*self.shared).lost) };
        if lost.swap(0, Ordering::Relaxed) == 0 {
            return None;
        }
        let mut count = 0_u32;
        let from = self.address + offset_of!(PrintQueue, lost) as CUdeviceptr;
        // SAFETY: the place is there until the copy was waited for; the device has as many bytes.
        let copied = on_own_stream(driver, |stream| unsafe {
            driver.cuMemcpyDtoHAsync((&raw mut count).cast(), from, size_of::<u32>(), stream)
        });
        let many = match copied {
            Ok(()) => count.wrapping_sub(self.told).to_string(),
            Err(_) => "some".to_owned(),
        };
        self.told = count;
        Some(format!(
            "ptyx: {many} lines printed by kernels were lost: the print buffer of {} bytes was full \
             (`Device::set_print_buffer` or PTYX_PRINT_BUFFER makes it larger), or a line was longer than \
             {} bytes",
            2 * self.half * WORD,
            MAX_RECORD * WORD
        ))
    }
}
