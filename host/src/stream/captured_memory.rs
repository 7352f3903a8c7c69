//! Memory that is allocated on captured streams: each launch of the graph allocates and frees it.

use super::capture::Capture;
use super::collected::CapturedMemory;
use super::{Entry, Stream};
use crate::driver::Failure;
use crate::driver::types::*;
use core::sync::atomic::Ordering;
use std::sync::Arc;

impl Capture {
    /// Adds a node that allocates memory, where the entry's stream has come to. The pool says what kind of memory: the graph
    /// does not take it from there.
    pub(crate) fn allocate(
        &self,
        entry: &Entry<'_>,
        pool: CUmemoryPool,
        bytes: usize,
    ) -> Result<CapturedMemory, Failure> {
        let (driver, stream, mut address) = (self.context.driver, entry.stream().handle(), 0);
        // SAFETY: a valid place; stream and pool are alive, and the context is bound.
        unsafe { driver.cuMemAllocFromPoolAsync(&mut address, bytes, pool, stream) }?;
        let memory = CapturedMemory { address, is_over: Arc::default() };
        let mut collected = self.collected();
        collected.allocates = true;
        collected.allocated.push(memory.clone());
        Ok(memory)
    }

    /// Adds a node that frees the memory, where the stream has come to.
    fn free(&self, stream: &Stream, memory: &CapturedMemory) -> Result<(), Failure> {
        memory.is_over.store(true, Ordering::Release);
        // SAFETY: the stream is captured for the graph that allocates the memory. The work that uses it comes before.
        unsafe { self.context.driver.cuMemFreeAsync(memory.address, stream.handle()) }
    }

    /// Adds a node that frees the memory behind all work that uses it, on the stream with this number, if that is still
    /// captured for this graph; otherwise it was freed by the end of the capture. `wait` makes an entry's stream wait for
    /// that work.
    pub(crate) fn free_early(
        &self,
        stream: u64,
        memory: &CapturedMemory,
        wait: impl FnOnce(&Entry<'_>) -> Result<(), Failure>,
    ) {
        // Not locked any more when the stream is entered: the end of the capture waits for entries while it has the lock.
        let stream = self.members().iter().find(|member| member.0.id == stream).cloned();
        let Some(stream) = stream else { return };
        let entry = stream.enter();
        let is_here = entry.capture().is_some_and(|own| core::ptr::eq(&*own, self));
        if !is_here || self.context.bind().is_err() || wait(&entry).is_err() {
            return;
        }
        // If this fails, the end of the capture tries again.
        if self.free(&stream, memory).is_ok() {
            // Not by the address, at which another thread may have allocated memory meanwhile.
            let is_other = |other: &CapturedMemory| !Arc::ptr_eq(&other.is_over, &memory.is_over);
            self.collected().allocated.retain(is_other);
        }
    }

    /// Frees what is left, on the first stream, which all others have been joined to.
    pub(super) fn free_rest(&self, first: &Stream) -> Result<(), Failure> {
        let rest = core::mem::take(&mut self.collected().allocated);
        // Also if one can't be freed: nothing uses it any more.
        rest.iter().map(|memory| self.free(first, memory)).fold(Ok(()), Result::and)
    }
}
