//! Reflection on an assembled kernel: its LLVM IR, its machine code, its occupancy.

use super::compiled::{CompiledKernel, Occupancy};
use super::variant::Variant;
use crate::context::Context;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::tools::{self, Tool};
use core::cell::Cell;
use core::ffi::{c_int, c_void};
use ptyx_image::DebugInfo;
use std::path::{Path, PathBuf};

fn failed(variant: &Variant, what: &'static str, reason: impl ToString) -> Error {
    Error::Reflection { kernel: variant.kernel_name(), what, reason: reason.to_string() }
}

/// The LLVM IR of a variant.
pub(super) fn llvm_ir(variant: &Variant) -> Result<String> {
    let fail = |reason: String| failed(variant, "LLVM IR", reason);
    match &variant.module().llvm_ir {
        Some(packed) => packed.unpack().map_err(|error| fail(error.to_string())),
        None => Err(fail(
            "the build did not keep it; dev builds do, others with `PTYX_LLVM_IR=1` or \
             `Build::llvm_ir(true)` in build.rs"
                .to_owned(),
        )),
    }
}

/// The machine code of a variant, as text.
pub(super) fn sass(variant: &Variant, ptx: &str) -> Result<String> {
    let fail = |reason: String| failed(variant, "machine code", reason);
    let lines = variant.module().debug_info != DebugInfo::None;
    let cubin = match cubin_of_driver(variant.context(), ptx) {
        Some(cubin) => cubin,
        None => tools::assemble(ptx, variant.context().capability, lines).map_err(fail)?,
    };
    tools::disassemble(&cubin, lines).map_err(fail)
}

/// The machine code that the driver's linker makes from PTX (`cuLinkComplete`), as it would run. `None`
/// if the driver has no linker; the emulated device's makes no machine code.
fn cubin_of_driver(context: &'static Context, ptx: &str) -> Option<Vec<u8>> {
    if context.driver.is_emulated() {
        return None;
    }
    let none: *mut c_void = core::ptr::null_mut();
    let mut text = [ptx.as_bytes(), b"\0"].concat();
    context.bind().ok()?;
    let mut state = CUlinkState::NULL;
    // SAFETY: no options; the state's place is valid.
    unsafe { context.driver.cuLinkCreate(0, none.cast(), none.cast(), &mut state) }.ok()?;
    let mut cubin: (*mut c_void, usize) = (none, 0);
    // SAFETY: the text ends with NUL and outlives the call; the places are valid; no options.
    let linked = unsafe {
        let (driver, data) = (context.driver, text.as_mut_ptr().cast());
        let name = c"kernel".as_ptr();
        driver
            .cuLinkAddData(
                state,
                CU_JIT_INPUT_PTX,
                data,
                text.len(),
                name,
                0,
                none.cast(),
                none.cast(),
            )
            .and_then(|()| driver.cuLinkComplete(state, &mut cubin.0, &mut cubin.1))
    };
    let bytes = linked.ok().filter(|()| !cubin.0.is_null()).map(|()| {
        // SAFETY: the driver's machine code lives as long as the state.
        unsafe { core::slice::from_raw_parts(cubin.0.cast::<u8>(), cubin.1) }.to_vec()
    });
    // SAFETY: the state is ours and not used any more.
    let _ = unsafe { context.driver.cuLinkDestroy(state) };
    bytes
}

/// The least of the results for a variant's code of each level: whichever a launch runs, it has that much.
fn least<T: Ord>(
    variant: &'static Variant,
    of: impl Fn(&'static Variant) -> Result<T>,
) -> Result<T> {
    let mut least = of(variant)?;
    for level in variant.with_levels()?.into_iter().skip(1) {
        least = least.min(of(level)?);
    }
    Ok(least)
}

/// Blocks that a multiprocessor runs at once.
pub(super) fn active_blocks(variant: &'static Variant, threads: u32, shared: usize) -> Result<u32> {
    least(variant, |level| active_blocks_of_level(level, threads, shared))
}

fn active_blocks_of_level(variant: &Variant, threads: u32, shared: usize) -> Result<u32> {
    variant.context().bind()?;
    let shared = shared.saturating_add(variant.code().moved_shared as usize);
    // The driver says 0 of more than launches may ask for at present.
    variant.make_shared_ready(u32::try_from(shared).unwrap_or(u32::MAX));
    active_blocks_of(variant.context(), variant.function, threads, shared)
}

/// Blocks of a function that a multiprocessor runs at once. The context is bound.
pub(super) fn active_blocks_of(
    context: &Context,
    function: CUfunction,
    threads: u32,
    shared: usize,
) -> Result<u32> {
    let mut blocks = 0;
    let threads = c_int::try_from(threads).unwrap_or(c_int::MAX);
    // SAFETY: the place is valid, the function's module is loaded.
    unsafe {
        context.driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
            &mut blocks,
            function,
            threads,
            shared,
        )
    }?;
    Ok(blocks.unsigned_abs())
}

/// The share of a multiprocessor's warps that run at once.
pub(super) fn occupancy_fraction(
    variant: &'static Variant,
    threads: u32,
    shared: usize,
) -> Result<f64> {
    let blocks = active_blocks(variant, threads, shared)?;
    warps_in_use(variant.context(), blocks, threads)
}

/// The share of a multiprocessor's warps that so many blocks take.
pub(super) fn warps_in_use(context: &Context, blocks: u32, threads: u32) -> Result<f64> {
    let [warp, all] =
        [CU_DEVICE_ATTRIBUTE_WARP_SIZE, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR]
            .map(|id| context.attribute(id));
    let (warp, all) = (warp?.unsigned_abs().max(1), all?.unsigned_abs());
    let taken = u64::from(blocks) * u64::from(threads.div_ceil(warp));
    Ok(taken as f64 / f64::from(all.div_ceil(warp).max(1)))
}

/// The dynamic shared memory available to each block if a multiprocessor is to run this many blocks.
pub(super) fn available_shared(
    variant: &'static Variant,
    blocks: u32,
    threads: u32,
) -> Result<usize> {
    variant.context().bind()?;
    least(variant, |level| {
        // What launches may ask for is no limit here.
        level.make_shared_ready(u32::MAX);
        let found = available_shared_of(level.context(), level.function, blocks, threads)?;
        Ok(found.saturating_sub(level.code().moved_shared as usize))
    })
}

/// The same of a function. The context is bound.
pub(super) fn available_shared_of(
    context: &Context,
    function: CUfunction,
    blocks: u32,
    threads: u32,
) -> Result<usize> {
    let mut bytes = 0;
    let [blocks, threads] = [blocks, threads].map(|n| c_int::try_from(n).unwrap_or(c_int::MAX));
    // SAFETY: the place is valid, the function's module is loaded.
    unsafe {
        context
            .driver
            .cuOccupancyAvailableDynamicSMemPerBlock(&mut bytes, function, blocks, threads)
    }?;
    Ok(bytes)
}

/// Clusters that the device runs at once.
#[cold]
pub(super) fn active_clusters(
    variant: &'static Variant,
    cluster: [u32; 3],
    block: [u32; 3],
    shared: u32,
) -> Result<u32> {
    least(variant, |level| active_clusters_of_level(level, cluster, block, shared))
}

fn active_clusters_of_level(
    variant: &Variant,
    cluster: [u32; 3],
    block: [u32; 3],
    shared: u32,
) -> Result<u32> {
    variant.context().bind()?;
    let attribute = CUlaunchAttribute::new(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, cluster);
    let (grid, stream, attributes) = (cluster, CUstream::NULL, &raw const attribute);
    let shared = shared.saturating_add(variant.code().moved_shared);
    variant.make_shared_ready(shared);
    let config = CUlaunchConfig { grid, block, shared, stream, attributes, count: 1 };
    let mut clusters = 0;
    // SAFETY: the place and the structure are valid, the function's module is loaded.
    unsafe {
        variant.context().driver.cuOccupancyMaxActiveClusters(
            &mut clusters,
            variant.function,
            &raw const config,
        )
    }?;
    Ok(clusters.unsigned_abs())
}

/// Blocks that the device runs at once; `None` if the driver does not say.
#[cold]
pub(super) fn resident_blocks(
    variant: &'static Variant,
    threads: u32,
    shared: u32,
) -> Option<i128> {
    let each = active_blocks(variant, threads, shared as usize).ok()?;
    let count = variant.context().attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT).ok()?;
    Some(i128::from(each) * i128::from(count))
}

thread_local! {
    /// The caller's function, while the driver calls it.
    static SHARED_BYTES: Cell<Option<*const dyn Fn(u32) -> usize>> = const { Cell::new(None) };
}

/// Passes the driver's call on. A panic would have to unwind through the driver, so it counts as more
/// memory than there is.
extern "C" fn shared_bytes_of(threads: c_int) -> usize {
    let Some(function) = SHARED_BYTES.get() else { return 0 };
    // SAFETY: set by `occupancy` for as long as the driver's call lasts.
    let function = unsafe { &*function };
    let answer = || function(threads.unsigned_abs());
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(answer)).unwrap_or(usize::MAX >> 1)
}

/// The shape with which the most threads run at once.
pub(super) fn occupancy(
    variant: &'static Variant,
    shared_bytes: &dyn Fn(u32) -> usize,
    most: Option<u32>,
) -> Result<Occupancy> {
    variant.context().bind()?;
    // For the code with the most registers, so that the code of each level can be launched with the shape.
    let mut heaviest = (variant.attributes()?.registers, variant);
    for level in variant.with_levels()? {
        let registers = level.attributes()?.registers;
        if registers > heaviest.0 {
            heaviest = (registers, level);
        }
    }
    let (_, variant) = heaviest;
    let moved = variant.code().moved_shared as usize;
    variant.allow_all_shared();
    let all = |threads| shared_bytes(threads).saturating_add(moved);
    occupancy_of(variant.context(), variant.function, &all, most)
}

/// The shape of a function with which the most threads run at once. The context is bound.
pub(super) fn occupancy_of(
    context: &Context,
    function: CUfunction,
    shared_bytes: &dyn Fn(u32) -> usize,
    most: Option<u32>,
) -> Result<Occupancy> {
    let (mut blocks, mut threads) = (0, 0);
    let most = most.map_or(0, |most| c_int::try_from(most).unwrap_or(c_int::MAX));
    let pointer: *const (dyn Fn(u32) -> usize + '_) = shared_bytes;
    // SAFETY: only the lifetime changes, and the pointer is taken back before it ends.
    let pointer: *const dyn Fn(u32) -> usize = unsafe { core::mem::transmute(pointer) };
    let outer = SHARED_BYTES.replace(Some(pointer));
    // SAFETY: the places are valid, the function's module is loaded, the driver calls back on this
    // thread before it returns.
    let result = unsafe {
        context.driver.cuOccupancyMaxPotentialBlockSize(
            &mut blocks,
            &mut threads,
            function,
            Some(shared_bytes_of),
            0,
            most,
        )
    };
    SHARED_BYTES.set(outer);
    result?;
    Ok(Occupancy { threads: threads.unsigned_abs(), blocks: blocks.unsigned_abs() })
}

/// Writes what is known about a variant into the folder that `PTYX_DUMP` names, if it is set: PTX, LLVM
/// IR if the build kept it, machine code if there is a disassembler, and the assembler's numbers.
/// `number` tells the variants of a process apart.
pub(super) fn dump(variant: &'static Variant, number: u64) -> Result<()> {
    let Some(folder) = std::env::var_os("PTYX_DUMP").filter(|folder| !folder.is_empty()) else {
        return Ok(());
    };
    let folder = PathBuf::from(folder);
    for (level, shown) in variant.with_levels()?.into_iter().enumerate() {
        let form = if level == 0 { String::new() } else { format!("-proved{level}") };
        dump_level(variant, shown, &folder, &format!("run-{number}{form}"))?;
    }
    Ok(())
}

fn dump_level(
    variant: &'static Variant,
    shown: &'static Variant,
    folder: &Path,
    begins: &str,
) -> Result<()> {
    let compiled = CompiledKernel::showing(variant, shown)?;
    let stem = format!("{begins}-{}-{}", compiled.entry, compiled.target);
    let write = |extension: &str, text: &str| {
        let path = folder.join(format!("{stem}.{extension}"));
        std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text)).map_err(
            |error| failed(variant, "dump", format!("{} can't be written: {error}", show(&path))),
        )
    };
    write("ptx", &compiled.ptx)?;
    let mut notes = format!("{compiled:#?}\n");
    for (extension, text) in [("ll", compiled.llvm_ir()), ("sass", compiled.sass())] {
        match text {
            Ok(text) => write(extension, &text)?,
            Err(error) => notes += &format!("no .{extension}: {error}\n"),
        }
    }
    write("txt", &notes)
}

fn show(path: &Path) -> String {
    path.display().to_string()
}

/// The NVIDIA program that [`sass`] would use, for `ptyx::info`.
pub(crate) fn disassembler() -> Option<PathBuf> {
    [Tool::Nvdisasm, Tool::Cuobjdump].into_iter().find_map(|tool| tool.find().ok().flatten())
}
