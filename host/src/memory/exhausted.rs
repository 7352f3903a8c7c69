//! What is done when memory is exhausted.

use crate::context::{Attached, Context};
use crate::driver::Failure;
use crate::driver::types::{CUDA_ERROR_OUT_OF_MEMORY, CUmemoryPool};
use crate::error::{Error, Result};
use std::sync::{Mutex, PoisonError};

/// Whether all work of the device is waited for before pools give back what they keep.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waits {
    /// What was freed may wait for its turn in a stream.
    ForWork,
    /// A kernel may run until this thread does something: exhausted host memory is no reason to wait for it.
    No,
}

/// The pools that this process has made on a device, which are never destroyed.
static MADE: Attached<Mutex<Vec<CUmemoryPool>>> = Attached::new();

/// Notes a pool that this process has made.
pub(super) fn note_pool(context: &'static Context, pool: CUmemoryPool) {
    MADE.of(context).lock().unwrap_or_else(PoisonError::into_inner).push(pool);
}

/// Returns to a device what pools keep for later allocations: its default pool, those that this process has made, and the one
/// without room. A failure is not an error: the next allocation shows it. The context is bound.
fn release_freed(context: &'static Context, full: Option<CUmemoryPool>, waits: Waits) {
    let Some(default) = context.default_pool else { return };
    // Calls of the allocation's own, which no capture forbids.
    let _relaxed = context.driver.relaxed();
    if waits == Waits::ForWork {
        let _ = context.finish();
    }
    let made = MADE.of(context).lock().unwrap_or_else(PoisonError::into_inner).clone();
    let others = made.into_iter().filter(|pool| Some(*pool) != full);
    for pool in full.into_iter().chain([default]).chain(others) {
        // SAFETY: pools that are alive.
        let _ = unsafe { context.driver.cuMemPoolTrimTo(pool, 0) };
    }
}

/// Makes an allocation; if memory is exhausted, once more after the default pool, those of this process, and `full`, which the
/// caller keeps, have given back what they keep. If that does not help, the error is `exhausted`'s.
pub(super) fn allocate<R>(
    context: &'static Context,
    full: Option<CUmemoryPool>,
    exhausted: impl FnOnce() -> Error,
    make: impl FnMut() -> Result<R, Failure>,
) -> Result<R> {
    allocate_after(Waits::ForWork, context, full, exhausted, make)
}

fn allocate_after<R>(
    waits: Waits,
    context: &'static Context,
    full: Option<CUmemoryPool>,
    exhausted: impl FnOnce() -> Error,
    mut make: impl FnMut() -> Result<R, Failure>,
) -> Result<R> {
    let is_exhausted = |failure: &Failure| failure.code == CUDA_ERROR_OUT_OF_MEMORY;
    let made = match make() {
        Err(failure) if is_exhausted(&failure) => {
            // `make` may have bound another context.
            context.bind()?;
            release_freed(context, full, waits);
            make()
        }
        made => made,
    };
    made.map_err(|failure| match is_exhausted(&failure) {
        true => exhausted(),
        false => failure.into(),
    })
}

/// The same for host memory of `bytes` bytes that is pinned: its pages take memory of the device, too, where they are
/// mapped. No work is waited for.
///
/// # Errors
/// [`Error::OutOfHostMemory`]; the driver's.
pub(super) fn allocate_pinned<R>(
    context: &'static Context,
    bytes: usize,
    make: impl FnMut() -> Result<R, Failure>,
) -> Result<R> {
    allocate_after(Waits::No, context, None, || Error::OutOfHostMemory { bytes }, make)
}
