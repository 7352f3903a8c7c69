//! A launch, once its arguments are lowered: from the variant to the driver call.

use super::call::Instance;
use super::config::{Dims, LaunchConfig};
use super::explain;
use super::variant::{self, Variant};
use crate::context::current;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::stream::Stream;
use core::ffi::c_void;
use core::mem::MaybeUninit;

/// Parameters that a launch passes without allocating.
const FEW: usize = 48;

/// The stream that a launch goes to.
#[inline]
pub(super) fn stream_of<'a>(config: &LaunchConfig<'a>) -> Result<&'a Stream> {
    match config.stream {
        Some(stream) => Ok(stream),
        None => Ok(current()?.default_stream()),
    }
}

/// The assembled kernel that a launch with this configuration would run.
pub(super) fn assemble(instance: Instance, config: &LaunchConfig<'_>) -> Result<&'static Variant> {
    let context = stream_of(config)?.context();
    context.bind()?;
    variant::find(instance, &config.knobs, context)
}

/// Launches a kernel.
///
/// # Safety
/// Each of `args` points to an argument of the layout in the same place of the instance's; memory
/// that arguments lead to is ordered on `stream`.
pub(super) unsafe fn launch(
    instance: Instance,
    config: &LaunchConfig<'_>,
    stream: &Stream,
    args: &[*const u8],
) -> Result<()> {
    let context = stream.context();
    context.bind()?;
    let variant = variant::find(instance, &config.knobs, context)?;
    let fail = |reason| Err(failure(variant, instance.site, reason));
    let (Some(grid), Some(block), Ok(shared)) =
        (extents(config.blocks), extents(config.threads), u32::try_from(config.shared_bytes))
    else {
        return fail(explain::bad_numbers(config, &explain::Limits::of(context, variant)));
    };
    if let Some(reason) = variant.too_many_dims(grid, block) {
        return fail(reason);
    }
    if shared > variant.shared_ready() {
        variant.allow_shared(shared);
    }
    let mut few = [MaybeUninit::<*mut c_void>::uninit(); FEW];
    let mut many = Vec::new();
    let places = variant.params();
    let params: *mut *mut c_void =
        if places.len() <= FEW {
            for (slot, param) in few.iter_mut().zip(places) {
                // SAFETY: `variant::find` has checked the instance's layouts against the image's, in
                // which the parameter lies inside its argument.
                slot.write(unsafe { args[param.arg].add(param.offset) }.cast_mut().cast());
            }
            few.as_mut_ptr().cast()
        } else {
            // SAFETY: as above.
            many.extend(places.iter().map(|param| unsafe {
                args[param.arg].add(param.offset).cast_mut().cast::<c_void>()
            }));
            many.as_mut_ptr()
        };
    // SAFETY: the function and the stream are alive and of the bound context; `params` has a
    // pointer for each of the function's parameters, which the driver reads before it returns.
    let launched = unsafe {
        context.driver.cuLaunchKernel(
            variant.function,
            grid[0],
            grid[1],
            grid[2],
            block[0],
            block[1],
            block[2],
            shared,
            stream.handle(),
            params,
            core::ptr::null_mut(),
        )
    };
    match launched {
        Ok(()) => Ok(()),
        Err(error) => {
            if matches!(error.code, CUDA_ERROR_INVALID_VALUE | CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES) {
                let limits = explain::Limits::of(context, variant);
                if let Some(reason) = explain::explain(config, &limits) {
                    return fail(reason);
                }
            }
            Err(error.into())
        }
    }
}

/// The extents, if each is positive and fits.
#[inline]
fn extents(dims: Dims) -> Option<[u32; 3]> {
    let fits = |extent| u32::try_from(extent).ok().filter(|&extent| extent > 0);
    Some([fits(dims[0])?, fits(dims[1])?, fits(dims[2])?])
}

#[cold]
fn failure(variant: &Variant, site: &str, reason: String) -> Error {
    Error::Launch { kernel: variant.kernel_name(), site: site.to_owned(), reason }
}
