//! Launching kernels (CUDA driver API, section 6.22).
#![allow(non_snake_case)]

use super::code::{Code, Outcome};
use super::handle::Handle;
use super::occupancy::active_blocks;
use super::properties::{MAX_BLOCK, MAX_GRID, MAX_THREADS, SHARED_OPTIN};
use super::registers::{fits, stated_threads};
use super::running::Running;
use super::state::{Current, Kernel, current, memory_of, print};
use super::work::Failure;
use crate::exec::fault::FaultKind;
use crate::exec::grid::{Launch, run};
use crate::exec::ops::special::MULTIPROCESSORS;
use crate::exec::program::Function;
use crate::exec::warp::LOCAL_LIMIT;
use crate::memory::{Kind, Memory};
use crate::settings::settings;
use ptyx_driver_api::*;
use std::ffi::{c_int, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicU64;

/// Bytes of memory that a cooperative launch gets for its barrier.
const WORKSPACE: u64 = 64;

/// A grid's shape and its blocks' resources.
#[derive(Clone, Copy)]
struct Shape {
    grid: [u32; 3],
    block: [u32; 3],
    dynamic_shared: u32,
    stream: Handle,
    /// Whether all blocks must run at the same time.
    cooperative: bool,
}

/// `CUlaunchConfig`
#[repr(C)]
pub(super) struct Config {
    grid: [c_uint; 3],
    block: [c_uint; 3],
    dynamic_shared: c_uint,
    stream: Handle,
    attributes: *const Attribute,
    count: c_uint,
}

/// `CUlaunchAttribute`
#[repr(C)]
struct Attribute {
    id: c_int,
    padding: [u8; 4],
    value: [u64; 8],
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
    let shape = Shape { grid, block, dynamic_shared, stream, cooperative: false };
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
    let shape = Shape { grid, block, dynamic_shared, stream, cooperative: true };
    launch(kernel, shape, params, std::ptr::null_mut())
}

pub(super) fn cuLaunchKernelEx(
    config: *const Config,
    kernel: Handle,
    params: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> Outcome {
    if config.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: the caller's structure, as the driver's function demands.
    let config = unsafe { config.read() };
    let mut cooperative = false;
    for index in 0..config.count as usize {
        // SAFETY: the caller gives `count` attributes.
        let attribute = unsafe { config.attributes.add(index).read() };
        let [first, second, ..] = attribute.value;
        let one = first == 1 | 1 << 32 && second as u32 == 1;
        if attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION && !one {
            return Err(Code::NOT_SUPPORTED);
        }
        cooperative |= attribute.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE && first as u32 != 0;
    }
    let Config { grid, block, dynamic_shared, stream, .. } = config;
    launch(kernel, Shape { grid, block, dynamic_shared, stream, cooperative }, params, extra)
}

fn launch(
    kernel: Handle,
    shape: Shape,
    params: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> Outcome {
    let mut state = current()?;
    let queue = state.own_queue(shape.stream)?;
    let kernel = state.kernels.get(&kernel).cloned().ok_or(Code::INVALID_HANDLE)?;
    if kernel.device != state.device {
        return Err(Code::INVALID_HANDLE);
    }
    let before = state.work.note(queue);
    state.outcome_of(&before)?;
    let function = &kernel.program.functions[kernel.index as usize];
    check(&kernel, function, shape)?;
    let params = parameters(function, params, extra)?;
    if shape.cooperative && !all_resident(&kernel, shape) {
        return Err(Code::COOPERATIVE_LAUNCH_TOO_LARGE);
    }
    state = state.turn(queue)?;
    // Earlier work may have failed meanwhile.
    let before = state.work.note(queue);
    state.outcome_of(&before)?;
    let workspace = match shape.cooperative {
        true => state.memory().allocate(WORKSPACE, Kind::Device).ok_or(Code::OUT_OF_MEMORY)?,
        false => 0,
    };
    let running = Running::begin(&mut state, queue);
    execute(state, running, &kernel, shape, params, workspace);
    Ok(())
}

/// Whether the device holds all blocks at the same time.
fn all_resident(kernel: &Kernel, shape: Shape) -> bool {
    let threads = shape.block.iter().product();
    let most = active_blocks(kernel, threads, shape.dynamic_shared.into()) * MULTIPROCESSORS;
    shape.grid.iter().map(|&extent| u64::from(extent)).product::<u64>() <= most.into()
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
    Ok(())
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

/// `CU_LAUNCH_PARAM_BUFFER_POINTER` and `CU_LAUNCH_PARAM_BUFFER_SIZE`, until `CU_LAUNCH_PARAM_END`.
fn packed(extra: *mut *mut c_void) -> Result<(*const u8, usize), Code> {
    if extra.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    let (mut buffer, mut size) = (std::ptr::null(), 0);
    for index in 0..2 {
        // SAFETY: the list ends with `CU_LAUNCH_PARAM_END`, 0.
        let key = unsafe { extra.add(2 * index).read() } as usize;
        if key == 0 {
            break;
        }
        // SAFETY: each key has a value.
        let value = unsafe { extra.add(2 * index + 1).read() };
        match key {
            1 => buffer = value.cast::<u8>().cast_const(),
            // SAFETY: this value points at a size.
            2 => size = unsafe { value.cast::<usize>().read() },
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

/// Runs a kernel. Nothing is locked meanwhile.
fn execute(
    mut state: Current,
    mut running: Running,
    kernel: &Kernel,
    shape: Shape,
    params: Vec<u8>,
    workspace: u64,
) {
    let memory = state.memory();
    let launch = Launch {
        program: &kernel.program,
        memory,
        device: state.device,
        elsewhere,
        entry: kernel.index,
        grid: shape.grid,
        block: shape.block,
        dynamic_shared: shape.dynamic_shared,
        params,
        workspace,
        stack: stack_of(&mut state, kernel),
        heap: state.limit(CU_LIMIT_MALLOC_HEAP_SIZE) as u64,
        steps: settings().steps,
        printed: AtomicU64::new(0),
        number: running.id(),
    };
    let _hold = memory.hold();
    drop(state);
    let mut output = Vec::new();
    let outcome = catch_unwind(AssertUnwindSafe(|| run(&launch, &mut output)));
    print(&output);
    if workspace != 0 {
        memory.free(workspace);
    }
    running.failure = match outcome {
        Ok(Ok(())) => None,
        Ok(Err(fault)) => Some(Failure { code: code(&fault.kind), report: fault.report }),
        Err(_) => {
            let report = "internal error of the emulated device: this is a bug in Ptyx".to_owned();
            Some(Failure { code: Code::UNKNOWN, report })
        }
    };
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
        FaultKind::BarrierOperand { .. } => Code::ILLEGAL_INSTRUCTION,
        _ => Code::LAUNCH_FAILED,
    }
}
