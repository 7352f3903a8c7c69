//! Launches of kernels of modules.

use super::super::args::ArgContext;
use super::super::compiled::Occupancy;
use super::super::config::LaunchConfig;
use super::super::explain::{self, Limits, OfKernel};
use super::super::{reflect, run};
use super::Function;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::launched::launched;
use crate::memory::tracker::Access;
use crate::memory::untracked::follow_pointers;
use crate::spans::span;
use crate::stream::{Entry, Guard, Part, Stream};
use core::ffi::c_void;
use core::panic::Location;
use core::sync::atomic::Ordering;
use std::sync::Arc;

#[cold]
fn failure(function: &Function, site: &Location<'_>, reason: String) -> Error {
    Error::Launch { kernel: function.name().to_owned(), site: site.to_string(), reason }
}

/// The stream of a launch, if configuration and sizes of arguments suit the function. Its context is bound.
pub(super) fn prepare<'a>(
    function: &Function,
    config: &LaunchConfig<'a>,
    site: &Location<'_>,
    sizes: &[usize],
) -> Result<&'a Stream> {
    let context = function.module().context();
    if !config.words.has_no_knobs {
        let reason =
            "its module is already assembled, and a knob can't change it: use `ModuleOptions`";
        return Err(failure(function, site, reason.to_owned()));
    }
    let stream = match config.stream {
        Some(stream) => stream,
        None => context.default_stream()?,
    };
    stream.expect_on(context)?;
    context.bind()?;
    let Some(params) = function.parameter_bytes() else { return Ok(stream) };
    let (function, site) = (function.name(), || site.to_string());
    if params.len() != sizes.len() {
        let (function, site) = (function.to_owned(), site());
        let (expected, found) = (params.len(), sizes.len());
        return Err(Error::ArgumentCount { function, site, expected, found });
    }
    let mut pairs = params.iter().zip(sizes).enumerate();
    match pairs.find(|(_, (expected, found))| expected != found) {
        Some((index, (&expected, &found))) => {
            let (function, site) = (function.to_owned(), site());
            Err(Error::ArgumentSize { function, site, index, expected, found })
        }
        None => Ok(stream),
    }
}

fn limits(function: &Function) -> &Limits {
    function.0.limits.get_or_init(|| {
        let context = function.module().context();
        let sizes = function.parameter_bytes().unwrap_or_default();
        let kernel = OfKernel {
            static_shared: function.0.static_shared,
            moved_shared: 0,
            maxthreads: None,
            minthreads: None,
            cluster: None,
            parameters: sizes.iter().map(|&bytes| bytes as i128).sum(),
        };
        Limits::of(context, function.0.handle, &kernel)
    })
}

/// Lets launches ask for all shared memory that the device offers a block.
#[cold]
fn allow_all_shared(function: &Function) {
    if function.0.shared_ready.load(Ordering::Relaxed) {
        return;
    }
    let context = function.module().context();
    let most =
        context.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN).unwrap_or(0);
    let most = most - i32::try_from(function.0.static_shared).unwrap_or(most);
    // If it fails, the launch does, and says why.
    if function.set_attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most).is_ok() {
        function.0.shared_ready.store(true, Ordering::Relaxed);
    }
}

/// Launches a kernel.
///
/// # Safety
/// There is a pointer to each argument; [`prepare`] has checked them, memory behind them is ordered on `cx`'s
/// stream; and what the caller of [`Function::launch`] promises.
pub(super) unsafe fn launch(
    function: &Function,
    config: &LaunchConfig<'_>,
    site: &'static Location<'static>,
    cx: &ArgContext<'_>,
    pointers: &mut [*mut c_void],
) -> Result<()> {
    let (context, limits) = (function.module().context(), limits(function));
    let stream = cx.entry.stream();
    span!(
        "launch",
        kernel = function.name(),
        place = %site,
        blocks = ?config.all_blocks(),
        threads = ?config.all_threads(),
        shared_bytes = ?config.all_shared_bytes(),
        stream = ?stream.handle(),
    );
    let fail = |reason| Err(failure(function, site, reason));
    let Some(run::Extents { grid, block, shared }) = run::extents_of(config) else {
        return fail(explain::bad_numbers(config, limits));
    };
    if !limits.allow(config, grid, block, shared)
        && let Some(reason) = explain::explain(config, limits)
    {
        return fail(reason);
    }
    let total = u64::from(shared) + u64::from(function.0.static_shared);
    if total > u64::from(explain::SHARED_WITHOUT_ASKING) {
        allow_all_shared(function);
    }
    if run::is_large_cluster(config, limits) {
        // If the device does not have them, the launch fails.
        let _ = function.set_attribute(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    }
    // Nobody has said which addresses the kernel follows.
    follow_pointers(stream, false)?;
    match cx.entry.capture() {
        None => {
            note(function, site, stream);
            function.module().tracker().order(&cx.entry, 0..1, Access::Read)?;
        }
        Some(capture) => capture.add(Arc::new(InGraph(function.clone()))),
    }
    // What the arguments have waited for may be on other devices.
    context.bind()?;
    let params = pointers.as_mut_ptr();
    // SAFETY: function and stream are alive and of the bound context; there is a pointer to each argument.
    let done = unsafe {
        run::submit(context.driver, function.0.handle, config, grid, block, shared, stream, params)
    };
    let Err(error) = done else { return Ok(()) };
    let reason = match error.code {
        CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE => {
            let threads = block.iter().product();
            let each = active_blocks(function, threads, shared as usize).ok();
            let count = context.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT).ok();
            let most = each.zip(count).map(|(each, count)| i128::from(each) * i128::from(count));
            Some(explain::not_resident(config, most))
        }
        CUDA_ERROR_INVALID_VALUE
        | CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
        | CUDA_ERROR_INVALID_CLUSTER_SIZE => explain::explain(config, limits),
        _ => None,
    };
    match reason {
        Some(reason) => fail(reason),
        None => Err(error.into()),
    }
}

/// Notes a launch for the errors of later calls.
fn note(function: &Function, site: &'static Location<'static>, stream: &Stream) {
    let last = function.0.launched.get();
    let same = last.filter(|last| core::ptr::eq(last.place, site));
    let launched = same.unwrap_or_else(|| launched(function.name(), function.name(), site));
    function.0.launched.set(launched);
    stream.0.recent.note(launched);
}

/// A kernel of a module in a graph, which keeps the module.
struct InGraph(Function);

impl Part for InGraph {
    fn submit<'a>(&self, entry: &Entry<'a>) -> Result<Option<Box<dyn Guard + 'a>>> {
        self.0.module().tracker().order(entry, 0..1, Access::Read)?;
        Ok(None)
    }
}

pub(super) fn active_blocks(function: &Function, threads: u32, shared: usize) -> Result<u32> {
    let context = function.module().context();
    context.bind()?;
    // The driver says 0 of more than launches may ask for at present.
    if shared > 0 {
        allow_all_shared(function);
    }
    reflect::active_blocks_of(context, function.0.handle, threads, shared)
}

pub(super) fn occupancy_fraction(function: &Function, threads: u32, shared: usize) -> Result<f64> {
    let blocks = active_blocks(function, threads, shared)?;
    reflect::warps_in_use(function.module().context(), blocks, threads)
}

pub(super) fn available_shared(function: &Function, blocks: u32, threads: u32) -> Result<usize> {
    let context = function.module().context();
    context.bind()?;
    allow_all_shared(function);
    reflect::available_shared_of(context, function.0.handle, blocks, threads)
}

pub(super) fn occupancy(
    function: &Function,
    shared_bytes: &dyn Fn(u32) -> usize,
    most: Option<u32>,
) -> Result<Occupancy> {
    let context = function.module().context();
    context.bind()?;
    allow_all_shared(function);
    reflect::occupancy_of(context, function.0.handle, shared_bytes, most)
}
