//! Launching kernels (CUDA driver API, section 6.22).
#![allow(non_snake_case)]

use super::architecture::capability;
use super::code::{Code, Outcome, put};
use super::graphs::{Given, Op};
use super::handle::Handle;
use super::later;
use super::limit::fix_limits;
use super::occupancy::active_blocks;
use super::properties::{GPCS, MAX_BLOCK, MAX_GRID, MAX_THREADS, PORTABLE_CLUSTER, SHARED_OPTIN};
use super::registers::{fits, stated_threads};
use super::running::Running;
use super::state::{Current, Kernel, current, memories, memory, memory_of, print};
use super::work::{Failure, LaunchId};
use crate::exec::cluster::MAX_CLUSTER;
use crate::exec::fault::FaultKind;
use crate::exec::grid::{Launch, run};
use crate::exec::ops::special::MULTIPROCESSORS;
use crate::exec::overlap::{Accesses, Earlier, Overlap};
use crate::exec::program::Function;
use crate::exec::warp::LOCAL_LIMIT;
use crate::memory::{Kind, Memory};
use crate::settings::settings;
use ptyx_driver_api::*;
use std::ffi::{c_int, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Bytes of memory that a cooperative launch gets for its barrier.
const WORKSPACE: u64 = 64;

/// A grid's shape and its blocks' resources.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    grid: [u32; 3],
    block: [u32; 3],
    dynamic_shared: u32,
    stream: Handle,
    /// Whether all blocks must run at the same time.
    cooperative: bool,
    /// Whether it may begin before earlier work of its stream has ended.
    programmatic: bool,
    /// Blocks of a cluster, if the launch says so.
    cluster: Option<[u32; 3]>,
}

impl Shape {
    /// A launch without attributes.
    fn plain(grid: [u32; 3], block: [u32; 3], dynamic_shared: u32, stream: Handle) -> Shape {
        let (cooperative, programmatic, cluster) = (false, false, None);
        Shape { grid, block, dynamic_shared, stream, cooperative, programmatic, cluster }
    }

    /// What `cuLaunchKernelEx` is given.
    ///
    /// # Errors
    /// An attribute that the driver does not know.
    pub(super) fn of(config: *const CUlaunchConfig) -> Result<Shape, Code> {
        if config.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        // SAFETY: the caller's structure, as the driver's function demands.
        let config = unsafe { config.read() };
        let stream = config.stream.0.addr();
        let mut shape = Shape::plain(config.grid, config.block, config.shared, stream);
        if config.count > 0 && config.attributes.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        for index in 0..config.count as usize {
            // SAFETY: the caller gives `count` attributes.
            let CUlaunchAttribute { id, value, .. } =
                unsafe { config.attributes.add(index).read() };
            match id {
                CU_LAUNCH_ATTRIBUTE_COOPERATIVE => shape.cooperative = value[0] != 0,
                CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION => {
                    shape.cluster = Some([value[0], value[1], value[2]]);
                }
                CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION => {
                    shape.programmatic = value[0] != 0;
                }
                // Others are about time and caches: here, work runs in order, and there are no caches.
                0..=16 => {}
                _ => return Err(Code::INVALID_VALUE),
            }
        }
        Ok(shape)
    }

    /// Blocks of a cluster, by the launch or by the kernel; `None` for a launch without clusters.
    fn cluster(&self, function: &Function) -> Option<[u32; 3]> {
        self.cluster.or(function.limits.required_cluster)
    }

    /// How many clusters of this kernel the device holds at a time. The multiprocessors of a cluster are neighbours:
    /// those of a GPC.
    pub(super) fn active_clusters(&self, kernel: &Kernel) -> u32 {
        let function = &kernel.program.functions[kernel.index as usize];
        let threads = self.block.iter().product();
        let blocks = active_blocks(kernel, threads, self.dynamic_shared.into());
        let size = self.cluster(function).unwrap_or([1; 3]).iter().product::<u32>().max(1);
        GPCS.iter().map(|multiprocessors| multiprocessors * blocks / size).sum()
    }
}

// The driver's function has as many arguments.
#[allow(clippy::too_many_arguments)]
pub(super) fn cuLaunchKernel(
    kernel: Handle,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    dynamic_shared: c_uint,
    stream: Handle,
    params: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> Outcome {
    let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
    let shape = Shape::plain(grid, block, dynamic_shared, stream);
    launch(kernel, shape, params, extra)
}

// The driver's function has as many arguments.
#[allow(clippy::too_many_arguments)]
pub(super) fn cuLaunchCooperativeKernel(
    kernel: Handle,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    dynamic_shared: c_uint,
    stream: Handle,
    params: *mut *mut c_void,
) -> Outcome {
    let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
    let shape = Shape { cooperative: true, ..Shape::plain(grid, block, dynamic_shared, stream) };
    launch(kernel, shape, params, std::ptr::null_mut())
}

pub(super) fn cuLaunchKernelEx(
    config: *const CUlaunchConfig,
    kernel: Handle,
    params: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> Outcome {
    launch(kernel, Shape::of(config)?, params, extra)
}

fn launch(
    kernel: Handle,
    shape: Shape,
    params: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> Outcome {
    let mut state = current()?;
    let queue = state.own_queue(shape.stream)?;
    let handle = kernel;
    let kernel = state.kernels.get(&kernel).cloned().ok_or(Code::INVALID_HANDLE)?;
    if kernel.device != state.device {
        return Err(Code::INVALID_HANDLE);
    }
    let is_captured = state.captured(shape.stream)?.is_some();
    if !is_captured {
        let before = state.work.note(queue);
        state.outcome_of(&before)?;
    }
    let function = &kernel.program.functions[kernel.index as usize];
    check(&kernel, function, shape)?;
    let params = parameters(function, params, extra)?;
    if shape.cooperative && !all_resident(&kernel, shape) {
        return Err(Code::COOPERATIVE_LAUNCH_TOO_LARGE);
    }
    if is_captured {
        let node = KernelNode::new(handle, Submitted { kernel, shape, params });
        state.capture(shape.stream, || Op::kernel(node))?;
        return Ok(());
    }
    let earlier = state.work.take_earlier(queue);
    if !settings().asynchronous {
        state = state.turn(queue)?;
        // Earlier work may have failed meanwhile.
        let before = state.work.note(queue);
        state.outcome_of(&before)?;
    }
    let (overlap, earlier) = overlap(&kernel, shape, earlier);
    let ready = Ready { overlap, ..Submitted { kernel, shape, params }.ready(&mut state)? };
    let (before, running) = later::begin(&mut state, queue);
    state.work.set_earlier(queue, earlier);
    if settings().asynchronous {
        let id = running.id();
        later::put_off(state, id, before, false, Box::new(move || ready.execute(running)));
    } else {
        drop(state);
        ready.execute(running);
    }
    Ok(())
}

/// Which launches this one may overtake, and what it accesses; then which the next launch of the queue may overtake.
fn overlap(kernel: &Kernel, shape: Shape, mut earlier: Earlier) -> (Overlap, Earlier) {
    if !(shape.programmatic || kernel.program.controls_dependents) {
        return (Overlap::default(), Earlier::default());
    }
    let name = &kernel.program.functions[kernel.index as usize].name;
    let own = Arc::new(Accesses::new(name, shape.programmatic));
    if !shape.programmatic {
        earlier = Earlier::default();
    }
    let overlap = Overlap::new(earlier.clone(), Some(own.clone()));
    earlier.push(own);
    (overlap, earlier)
}

/// Whether the device holds all blocks at the same time.
fn all_resident(kernel: &Kernel, shape: Shape) -> bool {
    let threads = shape.block.iter().product();
    let function = &kernel.program.functions[kernel.index as usize];
    let most = match shape.cluster(function) {
        None => active_blocks(kernel, threads, shape.dynamic_shared.into()) * MULTIPROCESSORS,
        Some(cluster) => shape.active_clusters(kernel) * cluster.iter().product::<u32>(),
    };
    shape.grid.iter().map(|&extent| u64::from(extent)).product::<u64>() <= most.into()
}

/// The clusters of a launch.
fn check_cluster(kernel: &Kernel, function: &Function, shape: Shape) -> Outcome {
    let required = function.limits.required_cluster;
    let Some(cluster) = shape.cluster(function) else { return Ok(()) };
    if capability() < 90 {
        return Err(Code::NOT_SUPPORTED);
    }
    if cluster.contains(&0)
        || shape.grid.iter().zip(cluster).any(|(blocks, extent)| blocks % extent != 0)
    {
        return Err(Code::INVALID_VALUE);
    }
    let size = cluster.iter().try_fold(1u32, |size, &extent| size.checked_mul(extent));
    let most = if kernel.large_clusters { MAX_CLUSTER } else { PORTABLE_CLUSTER };
    if size.is_none_or(|size| size > most) || required.is_some_and(|required| required != cluster) {
        return Err(Code::INVALID_CLUSTER_SIZE);
    }
    if shape.active_clusters(kernel) == 0 {
        return Err(Code::LAUNCH_OUT_OF_RESOURCES);
    }
    Ok(())
}

/// What the driver refuses, with its codes.
fn check(kernel: &Kernel, function: &Function, shape: Shape) -> Outcome {
    let within = |shape: [u32; 3], limits: [u32; 3]| {
        shape.iter().zip(limits).all(|(&size, limit)| (1..=limit).contains(&size))
    };
    if !within(shape.grid, MAX_GRID) || !within(shape.block, MAX_BLOCK) {
        return Err(Code::INVALID_VALUE);
    }
    let threads: u32 = shape.block.iter().product();
    if threads > MAX_THREADS {
        return Err(Code::INVALID_VALUE);
    }
    let required = function.limits.required_threads;
    if required.is_some_and(|required| required != shape.block)
        || threads > stated_threads(function)
    {
        return Err(Code::INVALID_VALUE);
    }
    if !fits(function, threads) {
        return Err(Code::LAUNCH_OUT_OF_RESOURCES);
    }
    let shared = u64::from(function.static_shared) + u64::from(shape.dynamic_shared);
    if shape.dynamic_shared > kernel.dynamic_limit || shared > u64::from(SHARED_OPTIN) {
        return Err(Code::INVALID_VALUE);
    }
    check_cluster(kernel, function, shape)
}

/// The parameter bank, from either form of arguments.
fn parameters(
    function: &Function,
    params: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> Result<Vec<u8>, Code> {
    let mut bank = vec![0; function.param_size as usize];
    if function.params.is_empty() {
        return Ok(bank);
    }
    if !params.is_null() {
        for (index, &(offset, size)) in function.params.iter().enumerate() {
            // SAFETY: the caller gives a pointer to each of the kernel's parameters.
            let from = unsafe { params.add(index).read() };
            if from.is_null() {
                return Err(Code::INVALID_VALUE);
            }
            let to = &mut bank[offset as usize..(offset + size) as usize];
            // SAFETY: it points at as many bytes as the parameter has.
            unsafe { from.cast::<u8>().copy_to_nonoverlapping(to.as_mut_ptr(), to.len()) };
        }
        return Ok(bank);
    }
    let (buffer, size) = packed(extra)?;
    if size < bank.len() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: the caller's buffer has `size` bytes.
    unsafe { buffer.copy_to_nonoverlapping(bank.as_mut_ptr(), bank.len()) };
    Ok(bank)
}

/// Where the packed parameters of a launch are, and how many bytes: a list of pairs of a key and its value, which ends with
/// the key `CU_LAUNCH_PARAM_END`.
fn packed(extra: *mut *mut c_void) -> Result<(*const u8, usize), Code> {
    if extra.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    let (mut buffer, mut size) = (std::ptr::null(), 0);
    for index in 0..2 {
        // SAFETY: the list goes on until it ends with `CU_LAUNCH_PARAM_END`.
        let key = unsafe { extra.add(2 * index).read() } as usize;
        if key == CU_LAUNCH_PARAM_END_AS_INT {
            break;
        }
        // SAFETY: each key has a value.
        let value = unsafe { extra.add(2 * index + 1).read() };
        match key {
            CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT => buffer = value.cast::<u8>().cast_const(),
            CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT => {
                // SAFETY: this value points at a size.
                size = unsafe { value.cast::<usize>().read() }
            }
            _ => return Err(Code::INVALID_VALUE),
        }
    }
    if buffer.is_null() { Err(Code::INVALID_VALUE) } else { Ok((buffer, size)) }
}

/// Bytes of stack of each thread: the limit that was set, and more where the driver knows that the
/// kernel needs it (CUDA driver API, `cuCtxSetLimit`).
fn stack_of(state: &mut Current, kernel: &Kernel) -> u32 {
    if kernel.known_stack {
        return LOCAL_LIMIT;
    }
    let own = kernel.program.functions[kernel.index as usize].local_size;
    let limit = u32::try_from(state.limit(CU_LIMIT_STACK_SIZE)).unwrap_or(LOCAL_LIMIT);
    limit.max(own).min(LOCAL_LIMIT)
}

/// A launch that was checked.
#[derive(Clone)]
pub(super) struct Submitted {
    pub(super) kernel: Kernel,
    shape: Shape,
    params: Vec<u8>,
}

impl Submitted {
    /// The launch, with what it needs of the device.
    pub(super) fn ready(self, state: &mut Current) -> Result<Ready, Code> {
        let Submitted { kernel, shape, params } = self;
        fix_limits(state, &kernel.program);
        let workspace = match shape.cooperative {
            true => state.memory().allocate(WORKSPACE, Kind::Device).ok_or(Code::OUT_OF_MEMORY)?,
            false => 0,
        };
        Ok(Ready::new(state, kernel, shape, params, workspace))
    }
}

/// A launch that graphs make, with its kernel's handle and pointers to its arguments.
pub(super) struct KernelNode {
    pub(super) submitted: Submitted,
    handle: Handle,
    pointers: Box<[Given<*mut c_void>]>,
}

impl KernelNode {
    fn new(handle: Handle, submitted: Submitted) -> KernelNode {
        let function = &submitted.kernel.program.functions[submitted.kernel.index as usize];
        let place = |&(offset, _): &(u32, u32)| {
            Given(submitted.params.as_ptr().wrapping_add(offset as usize).cast_mut().cast())
        };
        let pointers = function.params.iter().map(place).collect();
        KernelNode { submitted, handle, pointers }
    }

    /// A launch with the caller's parameters; of the node that it replaces, the attributes stay.
    pub(super) fn of(
        state: &Current,
        params: &CUkernelNodeParams,
        replaced: Option<&KernelNode>,
    ) -> Result<KernelNode, Code> {
        let handle = params.function.0.addr();
        let kernel = state.kernels.get(&handle).cloned().ok_or(Code::INVALID_HANDLE)?;
        let plain = Shape::plain(params.grid, params.block, params.shared, 0);
        let shape = match replaced {
            Some(KernelNode { submitted: Submitted { shape, .. }, .. }) => {
                Shape { cooperative: shape.cooperative, cluster: shape.cluster, ..plain }
            }
            None => plain,
        };
        let function = &kernel.program.functions[kernel.index as usize];
        check(&kernel, function, shape)?;
        let params = parameters(function, params.params, params.extra)?;
        Ok(KernelNode::new(handle, Submitted { kernel, shape, params }))
    }

    /// What `cuGraphKernelNodeGetParams` says.
    pub(super) fn params(&self) -> CUkernelNodeParams {
        let Shape { grid, block, dynamic_shared, .. } = self.submitted.shape;
        let null = std::ptr::null_mut();
        CUkernelNodeParams {
            function: CUfunction(std::ptr::without_provenance_mut(self.handle)),
            grid,
            block,
            shared: dynamic_shared,
            params: self.pointers.as_ptr().cast_mut().cast(),
            extra: null,
            kernel: null.cast(),
            context: CUcontext::NULL,
        }
    }

    /// The same launch with another's attributes.
    pub(super) fn with_attributes(&self, of: &KernelNode) -> KernelNode {
        let (from, mut submitted) = (of.submitted.shape, self.submitted.clone());
        submitted.shape =
            Shape { cooperative: from.cooperative, cluster: from.cluster, ..submitted.shape };
        KernelNode::new(self.handle, submitted)
    }

    /// An attribute's words.
    pub(super) fn attribute(&self, id: CUlaunchAttributeID) -> [u32; 16] {
        let (shape, mut words) = (self.submitted.shape, [0; 16]);
        match id {
            CU_LAUNCH_ATTRIBUTE_COOPERATIVE => words[0] = shape.cooperative.into(),
            CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION => {
                words[..3].copy_from_slice(&shape.cluster.unwrap_or([0; 3]));
            }
            _ => {}
        }
        words
    }
}

/// A launch that can run.
pub(super) struct Ready {
    kernel: Kernel,
    shape: Shape,
    params: Vec<u8>,
    workspace: u64,
    device: usize,
    peers: u64,
    stack: u32,
    heap: u64,
    overlap: Overlap,
}

impl Ready {
    fn new(
        state: &mut Current,
        kernel: Kernel,
        shape: Shape,
        params: Vec<u8>,
        workspace: u64,
    ) -> Ready {
        let (device, peers) = (state.device, state.context().peers);
        let stack = stack_of(state, &kernel);
        let heap = state.limit(CU_LIMIT_MALLOC_HEAP_SIZE) as u64;
        let overlap = Overlap::default();
        Ready { kernel, shape, params, workspace, device, peers, stack, heap, overlap }
    }

    /// Runs the kernel. Nothing is locked meanwhile.
    pub(super) fn execute(self, mut running: Running) {
        running.failure = self.run(running.id());
    }

    /// Runs the kernel as a part of a launch; its failure. Nothing is locked meanwhile.
    pub(super) fn run(self, number: LaunchId) -> Option<Failure> {
        let Ready { kernel, shape, params, workspace, device, peers, stack, heap, overlap } = self;
        let memory = memory(device);
        let cluster = shape.cluster(&kernel.program.functions[kernel.index as usize]);
        let launch = Launch {
            program: &kernel.program,
            memory,
            device,
            elsewhere,
            memories: memories(),
            peers,
            entry: kernel.index,
            grid: shape.grid,
            block: shape.block,
            cluster: cluster.unwrap_or([1; 3]),
            clustered: cluster.is_some(),
            dynamic_shared: shape.dynamic_shared,
            params,
            workspace,
            stack,
            heap,
            steps: settings().steps,
            printed: AtomicU64::new(0),
            overlap,
            number,
            next: AtomicU64::new(0),
        };
        // What is freed meanwhile, by whichever device's context, stays until the kernel has ended.
        let _holds: Vec<_> = memories().iter().map(Memory::hold).collect();
        let mut output = Vec::new();
        let outcome = catch_unwind(AssertUnwindSafe(|| run(&launch, &mut output)));
        print(&output);
        if workspace != 0 {
            memory.free(workspace);
        }
        match outcome {
            Ok(Ok(())) => None,
            Ok(Err(fault)) => Some(Failure { code: code(&fault.kind), report: fault.report }),
            Err(_) => {
                let report =
                    "internal error of the emulated device: this is a bug in Ptyx".to_owned();
                Some(Failure { code: Code::UNKNOWN, report })
            }
        }
    }
}

/// The device that an address belongs to, if some device has memory there.
fn elsewhere(address: u64) -> Option<usize> {
    memory_of(address)?.span(address, 1).map(|_| Memory::device_of(address))
}

/// The driver's code for a fault.
fn code(kind: &FaultKind) -> Code {
    match kind {
        FaultKind::Access { .. } => Code::ILLEGAL_ADDRESS,
        FaultKind::Misaligned { .. } => Code::MISALIGNED_ADDRESS,
        FaultKind::OrderedLocal { .. } | FaultKind::VectorInShared { .. } => {
            Code::INVALID_ADDRESS_SPACE
        }
        FaultKind::Deadlock(_) | FaultKind::GridBarrier { .. } | FaultKind::Steps(_) => {
            Code::LAUNCH_TIMEOUT
        }
        FaultKind::StackOverflow { .. } => Code::HARDWARE_STACK_ERROR,
        FaultKind::BadCall(_) => Code::INVALID_PC,
        FaultKind::Assertion { .. } => Code::ASSERT,
        FaultKind::BarrierOperand { .. } | FaultKind::NoClusters => Code::ILLEGAL_INSTRUCTION,
        _ => Code::LAUNCH_FAILED,
    }
}

pub(super) fn cuOccupancyMaxActiveClusters(
    clusters: *mut c_int,
    kernel: Handle,
    config: *const CUlaunchConfig,
) -> Outcome {
    let shape = Shape::of(config)?;
    let state = current()?;
    let kernel = state.kernels.get(&kernel).ok_or(Code::INVALID_HANDLE)?;
    // SAFETY: the caller's pointer, as the driver's function demands; so below.
    unsafe { put(clusters, shape.active_clusters(kernel) as c_int) }
}

pub(super) fn cuOccupancyMaxPotentialClusterSize(
    size: *mut c_int,
    kernel: Handle,
    config: *const CUlaunchConfig,
) -> Outcome {
    let shape = Shape::of(config)?;
    let state = current()?;
    let kernel = state.kernels.get(&kernel).ok_or(Code::INVALID_HANDLE)?;
    let most = if kernel.large_clusters { MAX_CLUSTER } else { PORTABLE_CLUSTER };
    let fits = |size: &u32| {
        let shape = Shape { cluster: Some([*size, 1, 1]), ..shape };
        size.is_power_of_two() && shape.active_clusters(kernel) > 0
    };
    let largest = (1..=most).rev().find(fits).unwrap_or(0);
    // SAFETY: as above.
    unsafe { put(size, largest as c_int) }
}
