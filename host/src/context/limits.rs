//! How much stack and heap kernels have.
//!
//! A GPU keeps a stack for each thread that can be resident, all of one size. The driver makes it
//! large enough for kernels whose need its assembler knows. Recursion and calls through pointers
//! (`dyn`, `fn`, `core::fmt`) hide the need, and an overflow is an illegal access at best; so Ptyx
//! raises the limit before such a kernel is first used, unless the program has chosen one.

use super::Context;
use crate::driver::types::*;
use crate::error::{Result, advice};
use ptyx_device::panic::HEAP_EXHAUSTED;
use std::sync::PoisonError;

/// Stack that a thread gets for an unknown need, in bytes. For all threads that an H200 can hold (132
/// multiprocessors of 2048) this is 4.1 GiB of its 141; a hundred nested calls with a few variables
/// fit.
const UNKNOWN_NEED: usize = 16 * 1024;

/// Who has set a device's stack limit.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StackOwner {
    /// The driver: it is the default.
    #[default]
    Driver,
    /// Ptyx has raised it.
    Ptyx,
    /// The program: it stays.
    Program,
}

impl Context {
    /// A limit of the device (`cuCtxGetLimit`).
    pub(crate) fn limit(&'static self, limit: u32) -> Result<usize> {
        self.bind()?;
        let mut bytes = 0;
        // SAFETY: `bytes` is a valid place.
        unsafe { self.driver.cuCtxGetLimit(&mut bytes, limit) }?;
        Ok(bytes)
    }

    /// Sets a limit of the device (`cuCtxSetLimit`).
    pub(crate) fn set_limit(&'static self, limit: u32, bytes: usize) -> Result<()> {
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
            "; `Device::current()?.set_heap_limit(bytes)?` before the first launch of a kernel that \
             uses the heap makes it larger, and what kernels don't free stays allocated",
        );
    }

    /// Makes room for a kernel whose need is unknown, in addition to the `known` bytes of its own.
    pub(crate) fn make_stack_for_unknown(&'static self, known: u32) -> Result<()> {
        advice::note_unknown_stack();
        let mut owner = self.stack.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = UNKNOWN_NEED + known as usize;
        if *owner == StackOwner::Program || self.limit(CU_LIMIT_STACK_SIZE)? >= wanted {
            return Ok(());
        }
        self.set_limit(CU_LIMIT_STACK_SIZE, wanted)?;
        *owner = StackOwner::Ptyx;
        Ok(())
    }

    /// Sets how many bytes of stack each thread of a kernel has, as the program wants.
    pub(crate) fn set_stack(&'static self, bytes: usize) -> Result<()> {
        let mut owner = self.stack.lock().unwrap_or_else(PoisonError::into_inner);
        self.set_limit(CU_LIMIT_STACK_SIZE, bytes)?;
        *owner = StackOwner::Program;
        Ok(())
    }
}
