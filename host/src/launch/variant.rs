//! Variants: a kernel instance, assembled for a device with some knobs.
//!
//! A variant is made at its first launch and lives as long as the process. A warm launch finds it
//! in a small table of its thread, by the addresses of the kernel's and the site's names.

use super::call::{Instance, Launch};
use super::config::LaunchConfig;
use super::explain::{self, Limits, OfKernel, QuickLimits, SHARED_WITHOUT_ASKING};
use super::knobs::{Knobs, edit};
use super::proved;
use super::reflect;
use super::registry::{self, KernelRef};
use crate::cache;
use crate::context::Context;
use crate::device_api::{CachePreference, SharedBanks};
use crate::driver::types::*;
use crate::driver::version_text;
use crate::error::{Error, Result};
use crate::launched::{Launched, launched};
use crate::module::{self, FunctionAttributes, preferences};
use crate::panic;
use crate::spans::span;
use crate::statics::{self, DeviceStatic};
use core::cell::Cell;
use core::ffi::c_void;
use core::panic::Location;
use core::ptr::from_ref;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use ptyx_image::{Arch, Code, DebugInfo, Features, Kernel, MaxDims, Module};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The variable that holds the number under which a module reports panics.
const PANIC_MODULE: &str = "__ptyx_panic_module";

/// The most parameters whose places are on the launch's stack; for more, the thread keeps places.
pub(super) const FEW: usize = 48;

/// The most parameters that a launch adds to the kernel's own and its limits: a panic slot, the launch's number, the queue of lines,
/// whether it is cooperative.
pub(super) const HIDDEN: usize = 4;

/// A kernel, assembled for a device with some knobs.
pub(super) struct Variant {
    pub(super) function: CUfunction,
    /// Those of the launch.
    pub(super) knobs: Knobs<'static>,
    /// There are none.
    has_no_knobs: bool,
    /// See [`Variant::is_simple`].
    is_simple: bool,
    /// Those that it was assembled with: of the launch and of the kernel's attribute.
    pub(super) all_knobs: Knobs<'static>,
    pub(super) static_shared: u32,
    context: &'static Context,
    kernel: KernelRef,
    /// The kernel's code for the device.
    code: &'static Code,
    entry: String,
    params: Vec<ParamPlace>,
    /// The variants for launches of which one level of the code's proof holds, two, and so on, once each has been needed.
    proved: Box<[OnceLock<&'static Variant>]>,
    /// Locked while one of those is made, so that none is made twice.
    making: Mutex<()>,
    /// The device statics that it uses.
    statics: Vec<&'static DeviceStatic>,
    /// Dynamic shared memory that a launch may currently ask for.
    shared_ready: AtomicU32,
    limits: OnceLock<(Limits, QuickLimits)>,
}

/// Where a PTX parameter's bytes are.
pub(super) struct ParamPlace {
    /// The argument.
    pub(super) arg: usize,
    /// The byte offset inside it.
    pub(super) offset: usize,
}

impl Variant {
    /// Whether it was made for a launch's knobs.
    #[inline]
    pub(super) fn has_knobs_of(&self, config: &LaunchConfig<'_>) -> bool {
        match config.words.has_no_knobs {
            true => self.has_no_knobs,
            false => self.knobs == config.knobs(),
        }
    }

    /// What a launch without clusters and without an early start must do besides calling the driver, if it is not
    /// captured: nothing if this is true, apart from what is noted of each launch.
    #[inline]
    pub(super) fn is_simple(&self) -> bool {
        self.is_simple
    }

    /// The kernel's name.
    pub(super) fn kernel_name(&self) -> String {
        self.kernel.kernel().name.clone()
    }

    #[inline]
    pub(super) fn params(&self) -> &[ParamPlace] {
        &self.params
    }

    /// The device statics that it uses.
    #[inline]
    pub(super) fn statics(&self) -> &[&'static DeviceStatic] {
        &self.statics
    }

    /// The entry's name in the PTX.
    pub(super) fn entry(&self) -> &str {
        &self.entry
    }

    /// The kernel's code for the device.
    #[inline]
    pub(super) fn code(&self) -> &'static Code {
        self.code
    }

    /// The module in the image, without knobs.
    pub(super) fn module(&self) -> &'static Module {
        self.kernel.module(self.code)
    }

    /// The same kernel with the code for a launch with these arguments and extents.
    ///
    /// # Safety
    /// `args` has a pointer to each argument of the kernel.
    #[inline]
    pub(super) unsafe fn for_launch(
        &'static self,
        grid: &[u32; 3],
        block: &[u32; 3],
        args: &[*const u8],
    ) -> Result<&'static Variant> {
        let Some(proof) = &self.code.proof else { return Ok(self) };
        // SAFETY: the caller's promise.
        let level = unsafe { proved::level(proof, grid, block, args) };
        self.of_level(level as usize)
    }

    /// The same kernel with the code for launches of which so many levels of the proof hold.
    #[inline]
    fn of_level(&'static self, level: usize) -> Result<&'static Variant> {
        match level.checked_sub(1).and_then(|index| self.proved.get(index)) {
            None => Ok(self),
            Some(made) => match made.get() {
                Some(variant) => Ok(variant),
                None => self.make_level(level),
            },
        }
    }

    #[cold]
    fn make_level(&'static self, level: usize) -> Result<&'static Variant> {
        let (Some(made), Some(code)) =
            (self.proved.get(level - 1), self.code.proved.get(level - 1))
        else {
            return Ok(self);
        };
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(variant) = made.get() {
            return Ok(variant);
        }
        let variant: &'static Variant = match assemble(self.kernel, code, &self.knobs, self.context)
        {
            Ok(variant) => Box::leak(Box::new(variant)),
            // The driver has accepted the code with all checks, so that runs.
            Err(Error::Assembler { .. }) => self,
            Err(error) => return Err(error),
        };
        variant.make_shared_ready(self.shared_ready());
        Ok(made.get_or_init(|| variant))
    }

    /// The kernel with the code that runs if the host has proved all that it can.
    pub(super) fn most_proved(&'static self) -> Result<&'static Variant> {
        self.of_level(self.proved.len())
    }

    /// The kernel with the code of each level, all of it assembled.
    pub(super) fn with_levels(&'static self) -> Result<Vec<&'static Variant>> {
        (0..=self.proved.len()).map(|level| self.of_level(level)).collect()
    }

    /// The kernel with the code of each level for which it is assembled already.
    fn with_made_levels(&'static self) -> impl Iterator<Item = &'static Variant> {
        let proved = self.proved.iter().filter_map(|made| made.get().copied());
        core::iter::once(self).chain(proved.filter(move |proved| !core::ptr::eq(*proved, self)))
    }

    /// What a launch may ask for.
    pub(super) fn limits(&self) -> &Limits {
        &self.all_limits().0
    }

    /// What a usual launch may ask for.
    #[inline]
    pub(super) fn quick_limits(&self) -> &QuickLimits {
        &self.all_limits().1
    }

    #[inline]
    fn all_limits(&self) -> &(Limits, QuickLimits) {
        self.limits.get_or_init(|| {
            let kernel = OfKernel {
                static_shared: self.static_shared,
                moved_shared: self.code.moved_shared,
                maxthreads: self.all_knobs.maxthreads,
                minthreads: self.all_knobs.minthreads,
                cluster: self.all_knobs.cluster,
                parameters: parameter_bytes(self.kernel.kernel(), self.code),
            };
            let limits = Limits::of(self.context, self.function, &kernel);
            let quick = limits.quick();
            (limits, quick)
        })
    }

    /// The device's context.
    pub(super) fn context(&self) -> &'static Context {
        self.context
    }

    /// What the assembler says about it.
    pub(super) fn attributes(&self) -> Result<FunctionAttributes> {
        FunctionAttributes::of(self.context, self.function)
    }

    /// Sets the carveout of shared memory: see [`preferences`].
    pub(super) fn set_shared_carveout(&'static self, percent: Option<u32>) -> Result<()> {
        self.with_levels()?.into_iter().try_for_each(|level| {
            preferences::set_shared_carveout(self.context, level.function, percent)
        })
    }

    /// Sets whether it prefers L1 cache or shared memory.
    pub(super) fn set_cache_preference(&'static self, preference: CachePreference) -> Result<()> {
        self.with_levels()?.into_iter().try_for_each(|level| {
            preferences::set_cache_preference(self.context, level.function, preference)
        })
    }

    /// Sets how wide the banks of shared memory are.
    pub(super) fn set_shared_banks(&'static self, banks: SharedBanks) -> Result<()> {
        self.with_levels()?.into_iter().try_for_each(|level| {
            preferences::set_shared_banks(self.context, level.function, banks)
        })
    }

    /// The PTX as it was assembled.
    pub(super) fn ptx(&self) -> Result<String> {
        let ptx = &self.kernel.module(self.code).ptx;
        if self.all_knobs.is_none() {
            return Ok(ptx.clone());
        }
        let at = self.code.directives_at as usize;
        edit(ptx, &self.kernel.kernel().entry, at, &self.all_knobs).map(|(ptx, _)| ptx)
    }

    /// Dynamic shared memory that a launch may currently ask for, in bytes.
    #[inline]
    pub(super) fn shared_ready(&self) -> u32 {
        self.shared_ready.load(Ordering::Relaxed)
    }

    /// Lets launches ask for at least `bytes` of dynamic shared memory, if the device has that much.
    #[inline]
    pub(super) fn make_shared_ready(&self, bytes: u32) {
        if bytes > self.shared_ready() {
            self.allow_shared(bytes);
        }
    }

    /// Lets launches ask for as much dynamic shared memory as the device has.
    pub(super) fn allow_all_shared(&self) {
        let most = self.context.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
        let most = most.ok().and_then(|bytes| u32::try_from(bytes).ok()).unwrap_or(0);
        self.make_shared_ready(most.saturating_sub(self.static_shared));
    }

    /// Lets launches ask for `bytes` of dynamic shared memory, if the device has that much. If not, the
    /// launch fails with an explanation.
    #[cold]
    pub(super) fn allow_shared(&self, bytes: u32) {
        let attribute = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        let Ok(value) = i32::try_from(bytes) else { return };
        // SAFETY: the function's module is loaded, and its context bound.
        if unsafe { self.context.driver.cuFuncSetAttribute(self.function, attribute, value) }
            .is_ok()
        {
            self.shared_ready.fetch_max(bytes, Ordering::Relaxed);
        }
    }

    /// Allows clusters with more blocks than every device supports. If this device does not, the launch fails.
    #[cold]
    pub(super) fn allow_large_clusters(&self) {
        let attribute = CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED;
        // SAFETY: the function's module is loaded, and its context bound.
        let _ = unsafe { self.context.driver.cuFuncSetAttribute(self.function, attribute, 1) };
    }

    /// Whether the kernel's indices can tell the threads of a launch apart.
    #[inline]
    pub(super) fn has_indices_for(&self, grid: [u32; 3], block: [u32; 3]) -> bool {
        self.has_dims_for(grid, block)
            && (!self.code.narrow_indices || are_few(grid, block))
            && are_countable(grid)
    }

    #[inline]
    fn has_dims_for(&self, grid: [u32; 3], block: [u32; 3]) -> bool {
        // No loop over the axes: arrays that a variable indexes would be in memory. The driver's call then reads two
        // extents at once that were written one by one, which defeats store forwarding.
        let fits = |dims: u8, [_, y, z]: [u32; 3]| dims >= 3 || z == 1 && (dims == 2 || y == 1);
        let most = self.code.max_dims;
        fits(most.grid, grid) && fits(most.block, block)
    }

    /// Why a launch has more dimensions, or more threads, than the kernel's indices can tell apart.
    pub(super) fn bad_indices(&self, grid: [u32; 3], block: [u32; 3]) -> Option<String> {
        if !self.has_dims_for(grid, block) {
            return Some(too_many_dims(self.code.max_dims, grid, block));
        }
        if self.code.narrow_indices && !are_few(grid, block) {
            return Some(too_many_threads(grid, block));
        }
        (!are_countable(grid)).then(|| too_many_blocks(grid))
    }
}

/// Whether the blocks along an axis have fewer than 2^31 threads, however a kernel names the axes.
#[inline]
fn are_few([gx, gy, gz]: [u32; 3], [bx, by, bz]: [u32; 3]) -> bool {
    let threads = u64::from(bx) * u64::from(by) * u64::from(bz);
    u64::from(gx.max(gy).max(gz)).saturating_mul(threads) < 1 << 31
}

/// Whether numbers of all threads, with 1024 in a block, fit 63 bits: elements are divided among them by these.
#[inline]
fn are_countable([gx, gy, gz]: [u32; 3]) -> bool {
    // Of a device's grid, y and z have 16 bits.
    u64::from(gx).saturating_mul(u64::from(gy)).saturating_mul(gz.into()) < 1 << 53
}

#[cold]
fn too_many_blocks([gx, gy, gz]: [u32; 3]) -> String {
    format!("{gx} x {gy} x {gz} are 2^53 blocks or more, whose threads can't be numbered")
}

#[cold]
fn too_many_threads([gx, gy, gz]: [u32; 3], [bx, by, bz]: [u32; 3]) -> String {
    let blocks = gx.max(gy).max(gz);
    let threads = u64::from(bx) * u64::from(by) * u64::from(bz);
    format!(
        "it calculates the indices of threads in 32 bits, but {blocks} blocks of {threads} threads along one axis \
         have 2^31 threads or more: declare it `#[kernel(wide)]`, or launch fewer threads, each of which handles \
         several elements (`thread::grid_stride`)"
    )
}

#[cold]
fn too_many_dims(most: MaxDims, [gx, gy, gz]: [u32; 3], [bx, by, bz]: [u32; 3]) -> String {
    let (uses, shape) = match most {
        MaxDims { grid, block } if grid == block => (
            format!("thread::index_{grid}d, or a division for {grid}-D launches"),
            format!("{grid}-D shape"),
        ),
        MaxDims { grid, block } => {
            let shape = format!("{grid}-D grid of {block}-D blocks");
            (format!("indices or divisions for a {shape}"), shape)
        }
    };
    format!(
        "it uses {uses}, which would give several threads the same element: launch it with a {shape}, not a grid of \
         {gx} x {gy} x {gz} blocks of {bx} x {by} x {bz} threads"
    )
}

/// What a launch runs, and what is remembered of it.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) variant: &'static Variant,
    pub(super) launched: &'static Launched,
}

/// A row of a thread's table of warm launches.
#[derive(Clone, Copy)]
struct Recent {
    launch: &'static Launch,
    caller: &'static Location<'static>,
    context: &'static Context,
    found: Found,
}

/// Rows of a thread's table; a power of two.
const RECENT: usize = 64;

thread_local! {
    static WARM: [Cell<Option<Recent>>; RECENT] = const { [const { Cell::new(None) }; RECENT] };
}

/// The row for a launch.
#[inline]
fn row(launch: &'static Launch, caller: &'static Location<'static>) -> usize {
    let (launch, caller) = (from_ref(launch).addr() as u64, from_ref(caller).addr() as u64);
    let mixed = (launch ^ caller.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 58) as usize % RECENT
}

/// The variant of a kernel instance for some knobs and a device. The context must be bound.
#[inline]
pub(super) fn find(
    launch: &'static Launch,
    caller: &'static Location<'static>,
    config: &LaunchConfig<'_>,
    context: &'static Context,
) -> Result<Found> {
    let row = row(launch, caller);
    match WARM.try_with(|table| table[row].get()) {
        Ok(Some(recent)) if recent.is_for(launch, caller, config, context) => Ok(recent.found),
        _ => find_again(row, launch, caller, config, context),
    }
}

impl Recent {
    /// Addresses are enough: if they differ though the launch is the same, it is found another way.
    #[inline]
    fn is_for(
        &self,
        launch: &'static Launch,
        caller: &'static Location<'static>,
        config: &LaunchConfig<'_>,
        context: &'static Context,
    ) -> bool {
        core::ptr::eq(self.launch, launch)
            && core::ptr::eq(self.caller, caller)
            && core::ptr::eq(self.context, context)
            && self.found.variant.has_knobs_of(config)
    }
}

/// The same of a launch that is not in its row, into which it is put.
#[cold]
fn find_again(
    row: usize,
    launch: &'static Launch,
    caller: &'static Location<'static>,
    config: &LaunchConfig<'_>,
    context: &'static Context,
) -> Result<Found> {
    let variant = find_cold(launch.instance(caller), &config.knobs(), context)?;
    let launched = launched(&variant.kernel_name(), variant.entry(), caller);
    let found = Found { variant, launched };
    WARM.with(|table| table[row].set(Some(Recent { launch, caller, context, found })));
    Ok(found)
}

/// A kernel on a device: its image, its index there, the device.
type Key = (usize, u32, u64);

/// The variants of one kernel on one device; locked while one is made, so that none is made twice.
type Variants = Arc<Mutex<Vec<&'static Variant>>>;

static VARIANTS: Mutex<Option<HashMap<Key, Variants>>> = Mutex::new(None);

/// A module, once it is loaded; locked while it is.
type LoadedModule = Mutex<Option<Loaded>>;

/// A module, and the device statics that it uses.
#[derive(Clone)]
struct Loaded {
    module: CUmodule,
    statics: Vec<&'static DeviceStatic>,
}

/// Modules without knobs: the kernels of one share its variables.
static MODULES: Mutex<Option<HashMap<Key, Arc<LoadedModule>>>> = Mutex::new(None);

/// How many variants this process has made.
static COMPILED: AtomicU64 = AtomicU64::new(0);

/// The entry of a table, made if it is missing.
fn shared<V: Default>(table: &Mutex<Option<HashMap<Key, Arc<V>>>>, key: Key) -> Arc<V> {
    let mut table = table.lock().unwrap_or_else(PoisonError::into_inner);
    table.get_or_insert_default().entry(key).or_default().clone()
}

#[cold]
fn find_cold(
    instance: Instance,
    knobs: &Knobs<'_>,
    context: &'static Context,
) -> Result<&'static Variant> {
    let kernel = registry::find(instance)?;
    let variants = shared(&VARIANTS, (kernel.image_address(), kernel.index, context.id()));
    let mut variants = variants.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = variants.iter().find(|variant| variant.knobs == *knobs) {
        return Ok(known);
    }
    span!("assemble", kernel = %kernel.kernel().name, device = context.ordinal);
    let contradiction = || knobs.with(&kernel.kernel().knobs).err();
    if let Some(reason) = knobs.problem().or_else(contradiction) {
        let kernel = kernel.kernel().name.clone();
        return Err(Error::Launch { kernel, site: instance.place.to_owned(), reason });
    }
    let variant: &'static Variant = Box::leak(Box::new(make(kernel, knobs, context)?));
    let number = COMPILED.fetch_add(1, Ordering::Relaxed);
    variants.push(variant);
    reflect::dump(variant, number)?;
    Ok(variant)
}

/// The codes of a kernel that a device runs, the best one first. The emulated device is there to find bugs, so it
/// runs no code whose checks are left out.
fn fitting(kernel: KernelRef, capability: u32, is_emulated: bool) -> Vec<&'static Code> {
    let runs = |code: &&Code| code.arch.runs_on(capability) && !(code.unchecked && is_emulated);
    let mut fitting: Vec<_> = kernel.kernel().code.iter().filter(runs).collect();
    fitting.sort_by_key(|code| core::cmp::Reverse((code.unchecked, code.arch)));
    fitting
}

/// What a kernel was compiled for, for people.
fn needs(kernel: &Kernel) -> String {
    let mut archs: Vec<Arch> = kernel.code.iter().map(|code| code.arch).collect();
    archs.sort();
    let oldest = archs.iter().find(|arch| arch.features == Features::Portable);
    let others = archs.iter().filter(|arch| arch.features != Features::Portable);
    let oldest = oldest.map(|arch| format!("{arch} or later"));
    let names: Vec<String> = oldest.into_iter().chain(others.map(Arch::to_string)).collect();
    names.join(", or ")
}

/// Assembles the best code of a kernel for a device. If the driver is too old for the PTX of one, the
/// next best is taken.
fn make(kernel: KernelRef, knobs: &Knobs<'_>, context: &'static Context) -> Result<Variant> {
    let mut result = Err(Error::Capability {
        kernel: kernel.kernel().name.clone(),
        device: context.name.clone(),
        needs: needs(kernel.kernel()),
        has: context.capability,
    });
    for code in fitting(kernel, context.capability, context.driver.is_emulated()) {
        result = assemble(kernel, code, knobs, context);
        match &result {
            Err(Error::Assembler { name, .. }) if name == TOO_OLD_A_DRIVER => {}
            _ => break,
        }
    }
    result
}

/// The bytes of a kernel's parameters, as the entry lays them out.
fn parameter_bytes(kernel: &Kernel, code: &Code) -> i128 {
    let panics: &[(u32, u32)] = if code.reports_panics { &[(8, 8), (4, 4)] } else { &[] };
    let prints: &[(u32, u32)] = if code.prints { &[(8, 8)] } else { &[] };
    let asks: &[(u32, u32)] = if code.asks_cooperative { &[(4, 4)] } else { &[] };
    let own = kernel.params.iter().map(|param| (param.size, param.align));
    let limits = code.limits.iter().map(|_| (4, 4));
    own.chain(limits).chain(panics.iter().chain(prints).chain(asks).copied()).fold(
        0,
        |end: i128, (size, align)| {
            let align = i128::from(align.max(1));
            (end + align - 1) / align * align + i128::from(size)
        },
    )
}

/// Assembles a kernel's code.
fn assemble(
    kernel: KernelRef,
    code: &'static Code,
    knobs: &Knobs<'_>,
    context: &'static Context,
) -> Result<Variant> {
    let described = kernel.kernel();
    let ptx = &kernel.module(code).ptx;
    let knobs = knobs.to_static();
    // `find_cold` has refused what contradicts.
    let all_knobs = knobs.with(&described.knobs).unwrap_or(knobs);
    let (loaded, entry) = if all_knobs.is_none() {
        let key = (kernel.image_address(), code.module, context.id());
        let slot = shared(&MODULES, key);
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        let loaded = match &*slot {
            Some(loaded) => loaded.clone(),
            None => slot.insert(load(kernel, code, ptx, context)?).clone(),
        };
        (loaded, described.entry.clone())
    } else {
        let (ptx, entry) = edit(ptx, &described.entry, code.directives_at as usize, &all_knobs)?;
        (load(kernel, code, &ptx, context)?, entry)
    };
    let function = module::function(context, loaded.module, &entry)?;
    if code.unknown_stack {
        let known = module::attribute(context, function, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?;
        context.make_stack_for_unknown(known.unsigned_abs())?;
    }
    let place = |param: &ptyx_image::Param| ParamPlace {
        arg: param.arg as usize,
        offset: param.offset as usize,
    };
    let statics = loaded.statics;
    let is_simple = statics.is_empty()
        && !code.follows_pointers
        && !code.prints
        && !code.asks_cooperative
        && code.moved_shared == 0
        && described.params.len() + code.limits.len() + HIDDEN <= FEW;
    let variant = Variant {
        function,
        knobs,
        has_no_knobs: knobs.is_none(),
        is_simple,
        all_knobs: Knobs { alias: knobs.alias, ..all_knobs },
        static_shared: code.static_shared,
        context,
        kernel,
        code,
        entry,
        params: described.params.iter().map(place).collect(),
        proved: code.proved.iter().map(|_| OnceLock::new()).collect(),
        making: Mutex::new(()),
        statics,
        shared_ready: AtomicU32::new(SHARED_WITHOUT_ASKING.saturating_sub(code.static_shared)),
        limits: OnceLock::new(),
    };
    if code.moved_shared > 0 {
        variant.allow_shared(code.moved_shared);
    }
    Ok(variant)
}

/// The result of a driver that does not know a PTX version.
const TOO_OLD_A_DRIVER: &str = "CUDA_ERROR_UNSUPPORTED_PTX_VERSION";

/// Loads a module and sets what the host sets in it: the number under which it reports panics, and its device
/// statics. Modules stay loaded until the process ends.
fn load(kernel: KernelRef, code: &Code, ptx: &str, context: &'static Context) -> Result<Loaded> {
    let described = kernel.kernel();
    let keep = match kernel.module(code).debug_info {
        DebugInfo::None => None,
        DebugInfo::Lines => Some(CU_JIT_GENERATE_LINE_INFO),
        DebugInfo::Full => Some(CU_JIT_GENERATE_DEBUG_INFO),
    };
    let module = cache::load(context, ptx, keep, &described.name).map_err(|error| match error {
        Error::Assembler { what, name, text, log } if name == TOO_OLD_A_DRIVER => {
            let version = context.driver.version().map_or_else(|_| "?".into(), version_text);
            let text = format!(
                "{text}: it needs PTX {}.{}, the driver is for CUDA {version}; update the driver",
                code.ptx_version / 10,
                code.ptx_version % 10
            );
            Error::Assembler { what, name, text, log }
        }
        Error::Assembler { what, name, text, log } => {
            let reason = explain::too_many_parameters(context, parameter_bytes(described, code));
            let text = reason.map_or_else(|| text.clone(), |reason| format!("{text}: {reason}"));
            Error::Assembler { what, name, text, log }
        }
        other => other,
    })?;
    let used = kernel.module(code).statics.iter();
    let statics = used.map(|used| statics::bind(context, module, used)).collect::<Result<_>>()?;
    let loaded = Loaded { module, statics };
    let Some((address, bytes)) = module::global(context, module, PANIC_MODULE)? else {
        return Ok(loaded);
    };
    if bytes != size_of::<u64>() {
        return Err(Error::Image {
            reason: format!(
                "{PANIC_MODULE} of {} has {bytes} bytes instead of {}: use the same version of \
                 `ptyx` and `ptyx-compiler`",
                described.name,
                size_of::<u64>()
            ),
        });
    }
    let number = panic::register(&names_of(kernel, code.module), &kernel.module(code).panics);
    // A part of loading the code, which captures don't forbid.
    let (_relaxed, stream) = (context.driver.relaxed(), context.transfer_stream()?);
    // SAFETY: the variable has this size; the copy is waited for before `number` goes.
    unsafe {
        context.driver.cuMemcpyHtoDAsync(
            address,
            (&raw const number).cast::<c_void>(),
            bytes,
            stream.handle(),
        )
    }?;
    stream.0.finish()?;
    Ok(loaded)
}

/// The names of the kernels in a module: usually one.
fn names_of(kernel: KernelRef, module: u32) -> String {
    let lives_there = |other: &&Kernel| other.all_code().any(|code| code.module == module);
    let kernels = kernel.image.kernels.iter().filter(lives_there);
    kernels.map(|other| other.name.as_str()).collect::<Vec<_>>().join(" or ")
}

/// How many variants this process has made.
pub(super) fn count() -> u64 {
    COMPILED.load(Ordering::Relaxed)
}

/// The names of the kernels that this process has assembled, by their functions' handles: the knob `alias`, if it was given.
pub(crate) fn names() -> HashMap<usize, String> {
    let name = |variant: &Variant| match variant.knobs.alias {
        Some(alias) => alias.to_owned(),
        None => variant.kernel_name(),
    };
    let made = all().into_iter().flat_map(Variant::with_made_levels);
    made.map(|variant| (variant.function.0.addr(), name(variant))).collect()
}

/// Every variant that this process has made.
pub(super) fn all() -> Vec<&'static Variant> {
    let tables: Vec<Variants> = {
        let table = VARIANTS.lock().unwrap_or_else(PoisonError::into_inner);
        table.iter().flat_map(HashMap::values).cloned().collect()
    };
    let of_table = |table: &Variants| table.lock().unwrap_or_else(PoisonError::into_inner).clone();
    tables.iter().flat_map(of_table).collect()
}
