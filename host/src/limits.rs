//! How much stack and heap kernels have.
//!
//! A GPU keeps a stack for each thread that can be resident, all of one size. The driver makes it
//! large enough for kernels whose need its assembler knows. Recursion and calls through pointers
//! (`dyn`, `fn`, `core::fmt`) hide the need, and an overflow is an illegal access at best; so Ptyx
//! raises the limit before such a kernel is first used, unless the program has chosen one.

use crate::context::Context;
use crate::device_api::Device;
use crate::driver::types::*;
use crate::error::Result;
use core::sync::atomic::{AtomicBool, Ordering};
use ptyx_device::panic::HEAP_EXHAUSTED;
use std::sync::PoisonError;

/// Stack that a thread gets for what nobody can know, in bytes. Times the threads that an H200 can
/// hold (132 multiprocessors of 2048) this is 4.1 GiB of its 141; a hundred nested calls with a few
/// variables fit.
const UNKNOWN_NEED: usize = 16 * 1024;

/// Whether this process has kernels whose stack nobody knows.
static UNKNOWN: AtomicBool = AtomicBool::new(false);

/// Who has set a device's stack limit.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StackOwner {
    /// Nobody: it is the driver's.
    #[default]
    Driver,
    /// Ptyx has raised it.
    Ptyx,
    /// The program: it stays.
    Program,
}

impl Context {
    fn limit(&'static self, limit: u32) -> Result<usize> {
        self.bind()?;
        let mut bytes = 0;
        // SAFETY: `bytes` is a valid place.
        unsafe { self.driver.cuCtxGetLimit(&mut bytes, limit) }?;
        Ok(bytes)
    }

    fn set_limit(&'static self, limit: u32, bytes: usize) -> Result<()> {
        self.bind()?;
        // SAFETY: plain numbers.
        Ok(unsafe { self.driver.cuCtxSetLimit(limit, bytes) }?)
    }

    /// Adds to the message of an exhausted heap how large it is, and how to get a larger one.
    pub(crate) fn explain_heap(&'static self, message: &mut String) {
        if !message.starts_with(HEAP_EXHAUSTED) {
            return;
        }
        if let Ok(bytes) = self.limit(CU_LIMIT_MALLOC_HEAP_SIZE) {
            message.push_str(&format!(": all threads share its {bytes} bytes"));
        }
        message.push_str(
            "; `Device::default()?.set_heap_limit(bytes)?` before the first launch of a kernel that \
             uses the heap makes it larger, and what kernels don't free stays allocated",
        );
    }

    /// Makes room for a kernel whose need nobody knows, beyond the `known` bytes of its own.
    pub(crate) fn make_stack_for_unknown(&'static self, known: u32) -> Result<()> {
        UNKNOWN.store(true, Ordering::Relaxed);
        let mut owner = self.stack.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = UNKNOWN_NEED + known as usize;
        if *owner == StackOwner::Program || self.limit(CU_LIMIT_STACK_SIZE)? >= wanted {
            return Ok(());
        }
        self.set_limit(CU_LIMIT_STACK_SIZE, wanted)?;
        *owner = StackOwner::Ptyx;
        Ok(())
    }
}

impl Device {
    /// Bytes of stack that each thread of a kernel has (`CU_LIMIT_STACK_SIZE`).
    ///
    /// # Errors
    /// The driver refuses.
    pub fn stack_limit(&self) -> Result<usize> {
        self.0.limit(CU_LIMIT_STACK_SIZE)
    }

    /// Sets how many bytes of stack each thread of a kernel has.
    ///
    /// The driver starts with 1 KiB and raises it by itself for kernels whose need is known when
    /// they are compiled. Before a kernel that recurses or calls through pointers (trait objects,
    /// function pointers, `core::fmt`), Ptyx raises it to 16 KiB and what the kernel is known to
    /// need; after a call of this function it never does. Deep recursion needs more: a stack
    /// overflow is an illegal access on a GPU, a clear report on the emulated device.
    ///
    /// The memory is taken for as many threads as the device can hold at once, and kept: 16 KiB are
    /// 4.1 GiB on an H200, 0.7 GiB on a GPU with 28 multiprocessors. The device's pending work is
    /// waited for. The driver may round the number up.
    ///
    /// ```
    /// let device = ptyx::Device::default()?;
    /// device.set_stack_limit(32 * 1024)?;
    /// assert!(device.stack_limit()? >= 32 * 1024);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// More than the device can give: [`crate::Error::Driver`].
    pub fn set_stack_limit(&self, bytes: usize) -> Result<()> {
        let mut owner = self.0.stack.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.set_limit(CU_LIMIT_STACK_SIZE, bytes)?;
        *owner = StackOwner::Program;
        Ok(())
    }

    /// Bytes of the heap that `Box`, `Vec` and `String` in kernels take from
    /// (`CU_LIMIT_MALLOC_HEAP_SIZE`).
    ///
    /// # Errors
    /// The driver refuses.
    pub fn heap_limit(&self) -> Result<usize> {
        self.0.limit(CU_LIMIT_MALLOC_HEAP_SIZE)
    }

    /// Sets how many bytes the heap of kernels has: 8 MiB unless this is called.
    ///
    /// All threads of all kernels share it, and what a kernel does not free stays allocated. The
    /// memory is the device's: buffers have that much less. Call it before the first launch of a
    /// kernel that uses the heap: afterwards a GPU's driver refuses.
    ///
    /// ```
    /// let device = ptyx::Device::default()?;
    /// device.set_heap_limit(64 << 20)?;
    /// assert!(device.heap_limit()? >= 64 << 20);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// More than the device can give, or too late: [`crate::Error::Driver`].
    pub fn set_heap_limit(&self, bytes: usize) -> Result<()> {
        self.0.set_limit(CU_LIMIT_MALLOC_HEAP_SIZE, bytes)
    }
}

/// What to do about a fault that may be a stack overflow.
///
/// `explained` says that there is a report which tells what was accessed.
pub(crate) fn advice(code: CUresult, explained: bool) -> Option<&'static str> {
    match code {
        CUDA_ERROR_HARDWARE_STACK_ERROR => Some(
            "give threads more stack before the launch: `Device::default()?.set_stack_limit(bytes)?`",
        ),
        CUDA_ERROR_ILLEGAL_ADDRESS if !explained && UNKNOWN.load(Ordering::Relaxed) => Some(
            "if a kernel recursed deeply, this may be a stack overflow: \
             `Device::default()?.set_stack_limit(bytes)?` gives threads more",
        ),
        CUDA_ERROR_ILLEGAL_ADDRESS if !explained => Some(
            "if an argument by value (a struct, a closure's captures) holds a reference or a pointer \
             to host memory: put that data into a `DeviceBuffer`, and pass it as an argument of its own",
        ),
        CUDA_ERROR_INVALID_PC if !explained => Some(
            "a function pointer of the host leads nowhere on a device: pass the function itself, to a \
             kernel that is generic over `F: Fn(..)`",
        ),
        _ => None,
    }
}
