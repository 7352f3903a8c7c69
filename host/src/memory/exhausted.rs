//! What is done when memory is exhausted.

use crate::context::Context;
use crate::driver::Failure;
use crate::driver::types::{CUDA_ERROR_OUT_OF_MEMORY, CUmemoryPool};
use crate::error::{Error, Result};

/// Lets a device have again what its default pool and the one without room keep, once all work is done: what was freed
/// may wait for its turn in a stream. Failing to is no error: the next allocation tells. The context is bound.
fn release_freed(context: &'static Context, full: Option<CUmemoryPool>) {
    let Some(default) = context.default_pool else { return };
    let _ = context.finish();
    for pool in full.into_iter().chain([default]) {
        // SAFETY: pools that are alive.
        let _ = unsafe { context.driver.cuMemPoolTrimTo(pool, 0) };
    }
}

/// Makes an allocation; if memory is exhausted, once more after the default pool and `full`, which the caller keeps, have
/// given back what they keep. If that does not help, the error is `exhausted`'s.
pub(super) fn allocate<R>(
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
            release_freed(context, full);
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
/// mapped. Of pools, only the default one gives back what it keeps.
///
/// # Errors
/// [`Error::OutOfHostMemory`]; the driver's.
pub(super) fn allocate_pinned<R>(
    context: &'static Context,
    bytes: usize,
    make: impl FnMut() -> Result<R, Failure>,
) -> Result<R> {
    allocate(context, None, || Error::OutOfHostMemory { bytes }, make)
}
