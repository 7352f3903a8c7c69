//! A launch, once its arguments are lowered: from the variant to the driver call.

use super::args::ArgContext;
use super::call::Launch;
use super::config::{Dims, LaunchConfig, Words};
use super::explain;
use super::reflect;
use super::variant::{self, FEW, Found, HIDDEN, Variant};
use crate::driver::types::*;
use crate::driver::{Driver, Failure};
use crate::error::{Error, Result};
use crate::memory::untracked::follow_pointers;
use crate::runtime::current;
use crate::spans::span;
use crate::statics;
use crate::stream::{Entry, Stream};
use core::cell::Cell;
use core::ffi::c_void;
use core::mem::MaybeUninit;
use core::panic::Location;
use ptyx_image::MAX_LIMITS;

/// The stream that a launch goes to.
#[inline]
pub(super) fn stream_of<'a>(config: &LaunchConfig<'a>) -> Result<&'a Stream> {
    match config.stream {
        Some(stream) => Ok(stream),
        None => current()?.default_stream(),
    }
}

/// The assembled kernel that a launch with this configuration would run.
pub(super) fn assemble(
    launch: &'static Launch,
    caller: &'static Location<'static>,
    config: &LaunchConfig<'_>,
) -> Result<Found> {
    let context = stream_of(config)?.context();
    context.bind()?;
    variant::find(launch, caller, config, context)
}

/// Launches a kernel on the stream of `cx`.
///
/// # Safety
/// Each of `args` points to an argument of the layout in the same place of the instance's; memory
/// that arguments lead to is ordered on `cx`'s stream.
#[inline]
pub(super) unsafe fn launch(
    launch: &'static Launch,
    caller: &'static Location<'static>,
    config: &LaunchConfig<'_>,
    cx: &ArgContext<'_>,
    args: &[*const u8],
) -> Result<()> {
    let context = cx.entry.stream().context();
    context.bind()?;
    let found = variant::find(launch, caller, config, context)?;
    // SAFETY: the caller's promise; `variant::find` has checked the instance's layouts against the
    // image's.
    unsafe { launch_variant(found, launch, config, cx, args) }
}

/// Launches an assembled kernel on the stream of `cx`, which is one of its device, whose context is bound. Of the
/// configuration, only the shape counts.
///
/// # Safety
/// Each of `args` must point to an argument with the layout that the image has for it. Memory that the
/// arguments point to must be ordered on `cx`'s stream.
pub(super) unsafe fn launch_variant(
    found: Found,
    launch: &'static Launch,
    config: &LaunchConfig<'_>,
    cx: &ArgContext<'_>,
    args: &[*const u8],
) -> Result<()> {
    let Found { variant: checked, launched } = found;
    let (entry, stream) = (&cx.entry, cx.entry.stream());
    let context = stream.context();
    span!(
        "launch",
        kernel = %checked.kernel_name(),
        place = launch.place(),
        blocks = ?config.all_blocks(),
        threads = ?config.all_threads(),
        shared_bytes = ?config.all_shared_bytes(),
        stream = ?stream.handle(),
    );
    // Extent by extent: a copy of an array would read two at once that were written one by one, which defeats store
    // forwarding.
    let &Words { grid: [gx, gy, gz], block: [bx, by, bz], shared, is_usual, .. } = &config.words;
    let (grid, block) = ([gx, gy, gz], [bx, by, bz]);
    let variant = match is_usual {
        // SAFETY: the caller's promise.
        true => unsafe { checked.for_launch(&grid, &block, args) }?,
        false => checked,
    };
    // The usual case in few instructions; every other, and every failure, is the general one.
    let is_quick = is_usual
        && variant.is_simple()
        && !entry.is_captured()
        && variant.quick_limits().allow(grid, block, shared)
        && variant.has_indices_for(grid, block)
        && shared <= variant.shared_ready();
    if !is_quick {
        // SAFETY: the caller's promise.
        return unsafe { launch_any(found, launch, config, entry, args) };
    }
    let reports_panics = variant.code().reports_panics;
    let (mut panic_slot, mut number) = match reports_panics {
        true => stream.0.next_launch(launched, entry.launch())?,
        false => (0, 0),
    };
    stream.0.recent.note(launched);
    let own = variant.params();
    let mut places = [const { MaybeUninit::<*mut c_void>::uninit() }; FEW];
    for (index, param) in own.iter().enumerate() {
        // SAFETY: the parameter lies inside its argument, which the caller has a pointer to.
        places[index].write(unsafe { args[param.arg].add(param.offset) }.cast_mut().cast());
    }
    let mut words = [const { MaybeUninit::uninit() }; MAX_LIMITS];
    // SAFETY: as above.
    let more = unsafe { calculate(variant, args, &mut words) };
    let mut count = own.len();
    for word in more {
        places[count].write((&raw mut *word).cast());
        count += 1;
    }
    if reports_panics && let Some([first, second, ..]) = places.get_mut(count..) {
        first.write((&raw mut panic_slot).cast());
        second.write((&raw mut number).cast());
    }
    let (function, stream) = (variant.function, stream.handle());
    let (params, extra) = (places.as_mut_ptr().cast(), core::ptr::null_mut());
    // SAFETY: the function and the stream are alive and of the bound context; `params` has a
    // pointer for each of the function's parameters, which the driver reads before it returns.
    match unsafe {
        let driver = context.driver;
        driver.cuLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, stream, params, extra)
    } {
        Ok(()) => Ok(()),
        Err(error) => Err(refused(error, variant, launch.place(), config, shared)),
    }
}

/// The shape of a launch, if the kernel can be launched with it on the device.
#[cold]
pub(super) fn check(variant: &Variant, place: &str, config: &LaunchConfig<'_>) -> Result<Extents> {
    let fail = |reason| Err(failure(variant, place, reason));
    let Some(extents) = extents_of(config) else {
        return fail(explain::bad_numbers(config, variant.limits()));
    };
    let &Extents { grid, block, shared } = &extents;
    if !variant.limits().allow(config, grid, block, shared)
        && let Some(reason) = explain::explain(config, variant.limits())
    {
        return fail(reason);
    }
    match variant.bad_indices(grid, block) {
        Some(reason) => fail(reason),
        None => Ok(extents),
    }
}

/// Whether a launch, which is not captured, is a usual one of a kernel that needs nothing but its parameters.
#[inline]
pub(super) fn is_quick(variant: &Variant, config: &LaunchConfig<'_>) -> bool {
    let &Words { grid, block, shared, is_usual, .. } = &config.words;
    is_usual
        && variant.is_simple()
        && variant.quick_limits().allow(grid, block, shared)
        && variant.has_indices_for(grid, block)
        && shared <= variant.shared_ready()
}

/// The same of any launch: one that is captured, of a kernel that needs more than parameters, of an unusual shape, or
/// that fails.
///
/// # Safety
/// As [`launch_variant`].
#[cold]
unsafe fn launch_any(
    Found { variant, launched }: Found,
    launch: &'static Launch,
    config: &LaunchConfig<'_>,
    entry: &Entry<'_>,
    args: &[*const u8],
) -> Result<()> {
    let (stream, place) = (entry.stream(), launch.place());
    let context = stream.context();
    let variant = match extents_of(config) {
        // SAFETY: the caller's promise.
        Some(extents) => unsafe { variant.for_launch(&extents.grid, &extents.block, args) }?,
        None => variant,
    };
    let Extents { grid, block, shared } = check(variant, place, config)?;
    // Within the limits, with what the kernel needs.
    let shared = shared + variant.code().moved_shared;
    variant.make_shared_ready(shared);
    if variant.code().follows_pointers {
        follow_pointers(stream, variant.code().reports_panics)?;
        // What it has waited for may be on another device.
        context.bind()?;
    }
    let capture = entry.capture();
    // Until the launch is submitted.
    let _submission = match (variant.statics(), &capture) {
        ([], _) => None,
        (used, None) => Some(statics::submit(used, stream)?),
        (used, Some(capture)) => {
            statics::collect(used, capture, stream)?;
            None
        }
    };
    let (mut panic_slot, mut number) = match (variant.code().reports_panics, &capture) {
        (false, _) => (0, 0),
        (true, None) => stream.0.next_launch(launched, entry.launch())?,
        (true, Some(capture)) => capture.next_launch(launched)?,
    };
    if capture.is_none() {
        stream.0.recent.note(launched);
    }
    let mut queue = match variant.code().prints {
        true => context.prints.queue(context.driver)?,
        false => 0,
    };
    let mut cooperative = u32::from(config.is_cooperative());
    let (code, own) = (variant.code(), variant.params());
    let mut few = [const { Place::uninit() }; FEW];
    let mut many = Many::default();
    let most = own.len() + code.limits.len() + HIDDEN;
    let places = if most <= FEW { &mut few[..] } else { many.take(most) };
    let mut words = [const { MaybeUninit::uninit() }; MAX_LIMITS];
    // SAFETY: the caller has a pointer to each argument.
    let words = unsafe { calculate(variant, args, &mut words) };
    let (places_of_own, mut rest) = places.split_at_mut(own.len());
    for (place, param) in places_of_own.iter_mut().zip(own) {
        // SAFETY: the parameter lies inside its argument, which the caller has a pointer to.
        place.write(unsafe { args[param.arg].add(param.offset) }.cast_mut().cast());
    }
    let mut add = |taken: bool, pointer: *mut c_void| {
        if taken && let Some((place, behind)) = core::mem::take(&mut rest).split_first_mut() {
            place.write(pointer);
            rest = behind;
        }
    };
    words.iter_mut().for_each(|word| add(true, (&raw mut *word).cast()));
    add(code.reports_panics, (&raw mut panic_slot).cast());
    add(code.reports_panics, (&raw mut number).cast());
    add(code.prints, (&raw mut queue).cast());
    add(code.asks_cooperative, (&raw mut cooperative).cast());
    let params: *mut *mut c_void = places.as_mut_ptr().cast();
    if is_large_cluster(config, variant.limits()) {
        variant.allow_large_clusters();
    }
    let (driver, function) = (context.driver, variant.function);
    // SAFETY: the function and the stream are alive and of the bound context; `params` has a
    // pointer for each of the function's parameters, which the driver reads before it returns.
    match unsafe { submit(driver, function, config, grid, block, shared, stream, params) } {
        Ok(()) => Ok(()),
        Err(error) => Err(refused(error, variant, place, config, shared)),
    }
}

/// Where a pointer to a parameter is put.
type Place = MaybeUninit<*mut c_void>;

thread_local! {
    /// For launches with many parameters, so that only a thread's first one allocates memory.
    static MANY: Cell<Vec<Place>> = const { Cell::new(Vec::new()) };
}

/// The thread's places for pointers to many parameters, which it has again when this is dropped.
#[derive(Default)]
struct Many(Vec<Place>);

impl Many {
    fn take(&mut self, count: usize) -> &mut [Place] {
        // The places of a thread that ends may be gone.
        self.0 = MANY.try_with(Cell::take).unwrap_or_default();
        if self.0.len() < count {
            self.0.resize(count, Place::uninit());
        }
        &mut self.0[..count]
    }
}

impl Drop for Many {
    fn drop(&mut self) {
        if !self.0.is_empty() {
            let _ = MANY.try_with(|many| many.set(core::mem::take(&mut self.0)));
        }
    }
}

/// The parameters behind the kernel's own that are calculated from numbers in the arguments: limits. They are written to the first
/// of `places`.
///
/// # Safety
/// `args` has a pointer to each argument of the variant's kernel.
#[inline]
pub(super) unsafe fn calculate<'a>(
    variant: &Variant,
    args: &[*const u8],
    places: &'a mut [MaybeUninit<u32>; MAX_LIMITS],
) -> &'a mut [u32] {
    let mut count = 0;
    for limit in &variant.code().limits {
        let number = args[limit.arg as usize].wrapping_add(limit.offset as usize);
        // SAFETY: the number lies inside its argument, as the image has been checked for.
        places[count].write(limit.of(unsafe { number.cast::<u64>().read_unaligned() }));
        count += 1;
    }
    // SAFETY: this many have been written. An image has no more limits than there are places.
    unsafe { places[..count].assume_init_mut() }
}

/// The error of a launch that the driver has refused.
#[cold]
pub(super) fn refused(
    error: Failure,
    variant: &'static Variant,
    place: &str,
    config: &LaunchConfig<'_>,
    shared: u32,
) -> Error {
    match reason_of(error, variant, config, config.words.block, shared) {
        Some(reason) => failure(variant, place, reason),
        None => error.into(),
    }
}

/// The most attributes of a launch.
const ATTRIBUTES: usize = 3;

/// Calls the driver.
///
/// # Safety
/// The function's context is bound, and `params` has a pointer to each of its parameters.
#[allow(clippy::too_many_arguments)] // a launch has so many
#[inline]
pub(super) unsafe fn submit(
    driver: &Driver,
    function: CUfunction,
    config: &LaunchConfig<'_>,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    stream: &Stream,
    params: *mut *mut c_void,
) -> core::result::Result<(), Failure> {
    let (stream, extra) = (stream.handle(), core::ptr::null_mut());
    if config.words.is_usual {
        let ([gx, gy, gz], [bx, by, bz]) = (grid, block);
        // SAFETY: as the caller's.
        return unsafe {
            driver.cuLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, stream, params, extra)
        };
    }
    // SAFETY: as the caller's.
    unsafe { submit_with_attributes(driver, function, config, grid, block, shared, stream, params) }
}

/// The same with attributes.
///
/// # Safety
/// As [`submit`].
#[allow(clippy::too_many_arguments)] // a launch has so many
#[cold]
unsafe fn submit_with_attributes(
    driver: &Driver,
    function: CUfunction,
    config: &LaunchConfig<'_>,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    stream: CUstream,
    params: *mut *mut c_void,
) -> core::result::Result<(), Failure> {
    let (mut attributes, mut count) = ([CUlaunchAttribute::new(0, [0; 3]); ATTRIBUTES], 0);
    let mut add = |id, value| {
        attributes[count] = CUlaunchAttribute::new(id, value);
        count += 1;
    };
    if config.is_cooperative() {
        add(CU_LAUNCH_ATTRIBUTE_COOPERATIVE, [1, 0, 0]);
    }
    if let Some(cluster) = config.clusters().and_then(extents) {
        add(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, cluster);
    }
    if config.is_programmatic() {
        add(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, [1, 0, 0]);
    }
    let attributes = attributes.as_ptr();
    let config = CUlaunchConfig { grid, block, shared, stream, attributes, count: count as u32 };
    // SAFETY: as the caller's; the driver reads the structure before it returns.
    unsafe { driver.cuLaunchKernelEx(&raw const config, function, params, core::ptr::null_mut()) }
}

/// Why the driver refused a launch, in words.
#[cold]
fn reason_of(
    error: Failure,
    variant: &'static Variant,
    config: &LaunchConfig<'_>,
    block: [u32; 3],
    shared: u32,
) -> Option<String> {
    if error.code == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE {
        let threads = block.iter().product();
        let most = reflect::resident_blocks(variant, threads, shared);
        return Some(explain::not_resident(config, most));
    }
    let refused = matches!(
        error.code,
        CUDA_ERROR_INVALID_VALUE
            | CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
            | CUDA_ERROR_INVALID_CLUSTER_SIZE
    );
    let explained = refused.then(|| explain::explain(config, variant.limits())).flatten();
    explained.or_else(|| {
        let cluster = explain::cluster(config, variant.limits()).filter(|_| refused)?;
        let none = reflect::active_clusters(variant, extents(cluster)?, block, shared).ok()? == 0;
        none.then(|| explain::no_room_for_cluster(cluster))
    })
}

/// Whether clusters have more blocks than every device supports.
#[inline]
pub(super) fn is_large_cluster(config: &LaunchConfig<'_>, limits: &explain::Limits) -> bool {
    let cluster = explain::cluster(config, limits).and_then(extents);
    cluster.is_some_and(|cluster| cluster.iter().product::<u32>() > explain::PORTABLE_CLUSTER)
}

/// The shape of a launch, as the driver takes it.
pub(super) struct Extents {
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    /// Dynamic shared memory, in bytes.
    pub(super) shared: u32,
}

/// The shape of a launch, if the driver can take it.
#[inline]
pub(super) fn extents_of(config: &LaunchConfig<'_>) -> Option<Extents> {
    let shared = u32::try_from(config.all_shared_bytes()).ok()?;
    Some(Extents {
        grid: extents(config.all_blocks())?,
        block: extents(config.all_threads())?,
        shared,
    })
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
