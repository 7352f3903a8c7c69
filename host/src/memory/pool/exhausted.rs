//! What is done when memory is exhausted.

use super::{Pool, current};
use crate::context::Context;
use crate::driver::Failure;
use crate::driver::types::CUDA_ERROR_OUT_OF_MEMORY;
use crate::error::{Error, Result};

fn is_exhausted(failure: &Failure) -> bool {
    failure.code == CUDA_ERROR_OUT_OF_MEMORY
}

/// Lets a device have again what its default pool and the one without room keep, once all work is done: what was freed
/// may wait for its turn in a stream. Failing to is no error: the next allocation tells. The context is bound.
fn release_freed(context: &'static Context, full: Option<&Pool>) {
    let Some(default) = context.default_pool else { return };
    let _ = context.finish();
    for pool in full.map(|full| full.handle).into_iter().chain([default]) {
        // SAFETY: pools that are alive.
        let _ = unsafe { context.driver.cuMemPoolTrimTo(pool, 0) };
    }
}

/// Makes an allocation; if memory is exhausted, once more after the pools have given back what they keep.
fn twice<R>(
    context: &'static Context,
    full: Option<&Pool>,
    mut make: impl FnMut() -> Result<R, Failure>,
) -> Result<R, Failure> {
    match make() {
        Err(failure) if is_exhausted(&failure) => {
            // `make` may have bound another context.
            context.bind()?;
            release_freed(context, full);
            make()
        }
        made => made,
    }
}

/// Makes an allocation of `bytes` bytes in a pool, or apart from pools if there is none. If memory is exhausted, this
/// makes it once more after the pools have given back what they keep.
///
/// # Errors
/// [`Error::OutOfMemory`], with what the pool's limit leaves if it has one; the driver's.
pub(in crate::memory) fn allocate_in<R>(
    context: &'static Context,
    pool: Option<&Pool>,
    bytes: usize,
    make: impl FnMut() -> Result<R, Failure>,
) -> Result<R> {
    twice(context, pool, make).map_err(|failure| match is_exhausted(&failure) {
        true => {
            let limit = pool.and_then(|pool| Some((pool.limit?, pool.used().ok()?)));
            let (free, total) = match limit {
                Some((limit, used)) => (limit.saturating_sub(used), limit),
                None => context.memory().unwrap_or((0, 0)),
            };
            Error::OutOfMemory { bytes, free, total }
        }
        false => failure.into(),
    })
}

/// The same for memory of the device that does not come from a pool.
///
/// # Errors
/// [`Error::OutOfMemory`], with what the device has left; the driver's.
pub(crate) fn allocate_apart<R>(
    context: &'static Context,
    bytes: usize,
    make: impl FnMut() -> Result<R, Failure>,
) -> Result<R> {
    twice(context, current(context).as_deref(), make).map_err(|failure| {
        match is_exhausted(&failure) {
            true => {
                let (free, total) = context.memory().unwrap_or((0, 0));
                Error::OutOfMemory { bytes, free, total }
            }
            false => failure.into(),
        }
    })
}

/// The same for host memory that is pinned: its pages take memory of the device, too, where they are mapped.
///
/// # Errors
/// [`Error::OutOfHostMemory`]; the driver's.
pub(in crate::memory) fn allocate_pinned<R>(
    context: &'static Context,
    bytes: usize,
    make: impl FnMut() -> Result<R, Failure>,
) -> Result<R> {
    twice(context, current(context).as_deref(), make).map_err(|failure| {
        match is_exhausted(&failure) {
            true => Error::OutOfHostMemory { bytes },
            false => failure.into(),
        }
    })
}
