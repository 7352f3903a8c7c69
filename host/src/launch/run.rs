//! A launch, once its arguments are lowered: from the variant to the driver call.

use super::call::Instance;
use super::config::{Dims, LaunchConfig};
use super::explain;
use super::reflect;
use super::variant::{self, ParamPlace, Variant};
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::memory::untracked::untracked;
use crate::runtime::current;
use crate::statics;
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
        None => current()?.default_stream(),
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
    // SAFETY: the caller's promise; `variant::find` has checked the instance's layouts against the
    // image's.
    unsafe { launch_variant(variant, instance.place, config, stream, args) }
}

/// Launches an assembled kernel on a stream of its device, whose context is bound. Of the
/// configuration, only the shape counts.
///
/// # Safety
/// Each of `args` must point to an argument with the layout that the image has for it. Memory that the
/// arguments point to must be ordered on `stream`.
pub(super) unsafe fn launch_variant(
    variant: &Variant,
    place: &str,
    config: &LaunchConfig<'_>,
    stream: &Stream,
    args: &[*const u8],
) -> Result<()> {
    let context = stream.context();
    let fail = |reason| Err(failure(variant, place, reason));
    let (Some(grid), Some(block), Ok(shared)) =
        (extents(config.blocks), extents(config.threads), u32::try_from(config.shared_bytes))
    else {
        return fail(explain::bad_numbers(config, variant.limits()));
    };
    if !variant.limits().allow(grid, block, shared)
        && let Some(reason) = explain::explain(config, variant.limits())
    {
        return fail(reason);
    }
    if let Some(reason) = variant.too_many_dims(grid, block) {
        return fail(reason);
    }
    if shared > variant.shared_ready() {
        variant.allow_shared(shared);
    }
    if variant.code().follows_pointers && untracked(context).matters() {
        untracked(context).launch(stream)?;
    }
    // Until the launch is submitted.
    let _submission = match variant.statics() {
        [] => None,
        used => Some(statics::submit(used, stream)?),
    };
    let (mut panic_slot, mut number) = match variant.code().reports_panics {
        true => stream.0.next_launch()?,
        false => (0, 0),
    };
    let mut queue = match variant.code().prints {
        true => context.prints.queue(context.driver)?,
        false => 0,
    };
    let hidden: [*mut c_void; 3] =
        [(&raw mut panic_slot).cast(), (&raw mut number).cast(), (&raw mut queue).cast()];
    let hidden = &hidden[if variant.code().reports_panics { 0 } else { 2 }..];
    // SAFETY: the parameter lies inside its argument, which the caller has a pointer to.
    let pointer =
        |param: &ParamPlace| unsafe { args[param.arg].add(param.offset) }.cast_mut().cast();
    let pointers = variant.params().iter().map(pointer).chain(hidden.iter().copied());
    let mut few = [MaybeUninit::<*mut c_void>::uninit(); FEW];
    let mut many = Vec::new();
    let params: *mut *mut c_void = if variant.params().len() + hidden.len() <= FEW {
        for (place, pointer) in few.iter_mut().zip(pointers) {
            place.write(pointer);
        }
        few.as_mut_ptr().cast()
    } else {
        many.extend(pointers);
        many.as_mut_ptr()
    };
    // SAFETY: the function and the stream are alive and of the bound context; `params` has a
    // pointer for each of the function's parameters, which the driver reads before it returns. A kernel
    // that prints nothing lacks the last.
    let launched = unsafe {
        if config.cooperative {
            context.driver.cuLaunchCooperativeKernel(
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
            )
        } else {
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
        }
    };
    match launched {
        Ok(()) => Ok(()),
        Err(error) if error.code == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE => {
            let threads = block.iter().product();
            fail(explain::not_resident(config, reflect::resident_blocks(variant, threads, shared)))
        }
        Err(error) => {
            if matches!(error.code, CUDA_ERROR_INVALID_VALUE | CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)
                && let Some(reason) = explain::explain(config, variant.limits())
            {
                return fail(reason);
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
fn failure(variant: &Variant, place: &str, reason: String) -> Error {
    Error::Launch { kernel: variant.kernel_name(), site: place.to_owned(), reason }
}
