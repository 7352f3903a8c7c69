//! What the emulated driver keeps between calls.

use super::code::{Code, Outcome};
use super::graphs::{Captured, Graphs};
use super::handle::{FIRST, Handle, STRIDE, device_of};
use super::jit::Options;
use super::pools::Pools;
use super::ranges::VirtualMemory;
use super::work::{ENDED, Failure, LaunchId, Queue, Recorded, Work, run_aside};
use crate::exec::program::Program;
use crate::exec::texture::Image;
use crate::memory::Memory;
use crate::settings::settings;
use ptyx_driver_api::{
    CUlaunchAttributeID, CUlimit, CUresourceDescriptor, CUstreamAttrValue, CUtextureDescriptor,
};
use std::alloc::Layout;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::ffi::c_int;
use std::fs::File;
use std::io::Write;
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The devices' memories.
static MEMORIES: LazyLock<Vec<Memory>> =
    LazyLock::new(|| (0..settings().devices).map(Memory::of_device).collect());

/// The memories of all devices.
pub(super) fn memories() -> &'static [Memory] {
    &MEMORIES
}

/// The memory of a device.
pub(super) fn memory(device: usize) -> &'static Memory {
    &MEMORIES[device]
}

/// The memory that an address of any device belongs to.
pub(super) fn memory_of(address: u64) -> Option<&'static Memory> {
    MEMORIES.get(Memory::device_of(address))
}

/// A loaded module.
pub(super) struct Module {
    pub(super) device: usize,
    pub(super) program: Arc<Program>,
    /// Handles of its functions, by name.
    pub(super) functions: HashMap<String, Handle>,
}

/// A kernel that was asked for.
#[derive(Clone)]
pub(super) struct Kernel {
    pub(super) device: usize,
    pub(super) program: Arc<Program>,
    pub(super) index: u32,
    pub(super) name: std::ffi::CString,
    /// The driver knows the stack that its calls need, and reserves it whatever the limit is.
    pub(super) known_stack: bool,
    /// `CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`
    pub(super) dynamic_limit: u32,
    /// `CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED`
    pub(super) large_clusters: bool,
    /// `CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT`
    pub(super) carveout: c_int,
}

/// What is being linked.
pub(super) struct Linker {
    pub(super) device: usize,
    pub(super) options: Options,
    pub(super) texts: Vec<String>,
    pub(super) max_registers: Option<u32>,
    /// The result, which belongs to the state.
    pub(super) linked: Vec<u8>,
}

/// Host memory from `cuMemHostAlloc`, or that was registered.
pub(super) struct HostMemory {
    pub(super) bytes: usize,
    /// How it was allocated; `None` if it was registered.
    pub(super) layout: Option<Layout>,
    pub(super) flags: u32,
    /// Its address on each device.
    pub(super) mapped: Vec<u64>,
    /// Bytes before it that are mapped, too.
    pub(super) before: u64,
}

/// Managed memory.
pub(super) struct Managed {
    /// Whose context made it.
    pub(super) device: usize,
    pub(super) layout: Layout,
    pub(super) size: usize,
    pub(super) pages: Vec<Page>,
}

/// What is known of a page of it.
#[derive(Clone, Copy)]
pub(super) struct Page {
    pub(super) read_mostly: bool,
    /// A device's number, or `CU_DEVICE_CPU`, or `CU_DEVICE_INVALID`; so below.
    pub(super) preferred: c_int,
    /// A bit for the host, then for each device.
    pub(super) accessed_by: u128,
    pub(super) last_prefetch: c_int,
}

/// A CUDA array: of its own, with levels, or a level of one.
pub(super) struct Array {
    pub(super) device: usize,
    pub(super) image: Image,
    pub(super) flags: u32,
    /// Whether it has levels, so that it is a `CUmipmappedArray`.
    pub(super) is_mipmapped: bool,
    /// The one that this is a level of, and which level.
    pub(super) level_of: Option<(Handle, u32)>,
}

/// What a texture or a surface was made of.
#[derive(Clone, Copy)]
pub(super) struct MadeObject {
    pub(super) device: usize,
    pub(super) resource: CUresourceDescriptor,
    /// How a texture is read; a surface has none.
    pub(super) sampling: Option<CUtextureDescriptor>,
}

/// Memory of another library.
pub(super) struct External {
    pub(super) device: usize,
    pub(super) file: Arc<File>,
    pub(super) size: u64,
}

/// Host memory that was freed while kernels ran, which may still use it.
pub(super) struct Leftover {
    pub(super) data: *mut u8,
    pub(super) layout: Layout,
}

// SAFETY: the bytes belong to nobody else.
unsafe impl Send for Leftover {}

impl Drop for Leftover {
    fn drop(&mut self) {
        // SAFETY: `data` came from `alloc_zeroed` with this layout, in `cuMemHostAlloc` or `cuMemAllocManaged`.
        unsafe { std::alloc::dealloc(self.data, self.layout) };
    }
}

/// A stream.
pub(super) struct Stream {
    pub(super) device: usize,
    pub(super) flags: u32,
    pub(super) priority: i32,
    /// Those that were set.
    pub(super) attributes: BTreeMap<CUlaunchAttributeID, CUstreamAttrValue>,
    /// Where its work goes while it is captured.
    pub(super) captured: Option<Captured>,
}

/// An event.
pub(super) struct Event {
    pub(super) device: usize,
    pub(super) timed: bool,
    /// Other processes may wait for it.
    pub(super) shared: bool,
    pub(super) recorded: Option<Recorded>,
    /// The place in a capture where it was recorded last.
    pub(super) captured: Option<Captured>,
}

/// A semaphore of another library: a file with a number.
#[derive(Clone)]
pub(super) struct Semaphore {
    pub(super) device: usize,
    pub(super) file: Arc<File>,
    /// The number grows; otherwise it is 1 if the semaphore is signalled.
    pub(super) is_timeline: bool,
}

/// A device's primary context.
#[derive(Default)]
pub(super) struct Context {
    pub(super) retained: u32,
    pub(super) flags: u32,
    pub(super) limits: HashMap<CUlimit, usize>,
    /// Limits that can't be set any more, because a kernel that needs them was launched.
    pub(super) fixed_limits: Vec<CUlimit>,
    /// What `cuCtxSetCacheConfig` was given.
    pub(super) cache_config: i32,
    /// The pool that `cuMemAllocAsync` takes from; 0 for the default one.
    pub(super) pool: Handle,
    /// Devices whose memory its kernels can access, as bits.
    pub(super) peers: u64,
    /// The fault that lost the device, where that is permanent.
    lost: Option<(Code, String)>,
}

/// Everything but the memory.
pub(super) struct State {
    pub(super) initialized: bool,
    /// One for each device.
    pub(super) contexts: Vec<Context>,
    pub(super) streams: HashMap<Handle, Stream>,
    pub(super) events: HashMap<Handle, Event>,
    pub(super) modules: HashMap<Handle, Module>,
    pub(super) kernels: HashMap<Handle, Kernel>,
    pub(super) linkers: HashMap<Handle, Linker>,
    pub(super) host: HashMap<usize, HostMemory>,
    pub(super) managed: HashMap<u64, Managed>,
    pub(super) arrays: HashMap<Handle, Array>,
    /// The memory of a part of a sparse array, and the offsets of its tiles there.
    pub(super) tiles: HashMap<(Handle, usize), (Handle, Vec<u64>)>,
    /// Textures and surfaces by their numbers.
    pub(super) objects: HashMap<u64, MadeObject>,
    pub(super) leftovers: Vec<Leftover>,
    pub(super) pools: Pools,
    pub(super) virtual_memory: VirtualMemory,
    /// Memory of other processes: by its handle, the address and how often it was opened.
    pub(super) opened: HashMap<[u8; 64], (u64, u32)>,
    pub(super) external: HashMap<Handle, External>,
    pub(super) semaphores: HashMap<Handle, Semaphore>,
    pub(super) work: Work,
    pub(super) graphs: Graphs,
    next_handle: Handle,
}

impl State {
    fn new() -> State {
        let count = settings().devices;
        State {
            initialized: false,
            contexts: (0..count).map(|_| Context::default()).collect(),
            streams: HashMap::new(),
            events: HashMap::new(),
            modules: HashMap::new(),
            kernels: HashMap::new(),
            linkers: HashMap::new(),
            host: HashMap::new(),
            managed: HashMap::new(),
            arrays: HashMap::new(),
            tiles: HashMap::new(),
            objects: HashMap::new(),
            leftovers: Vec::new(),
            pools: Pools::new(count),
            virtual_memory: VirtualMemory::default(),
            opened: HashMap::new(),
            external: HashMap::new(),
            semaphores: HashMap::new(),
            work: Work::default(),
            graphs: Graphs::default(),
            next_handle: FIRST,
        }
    }

    /// A handle that was never given out.
    pub(super) fn handle(&mut self) -> Handle {
        self.next_handle += STRIDE;
        self.next_handle
    }

    /// A device's work has failed: the device is lost, if errors are sticky.
    pub(super) fn lose(&mut self, device: usize, failure: &Failure) {
        let context = &mut self.contexts[device];
        if settings().sticky && context.lost.is_none() {
            context.lost = Some((failure.code, failure.report.clone()));
        }
    }

    /// The error of a fault after which a device is lost.
    pub(super) fn alive(&self, device: usize) -> Outcome {
        match &self.contexts[device].lost {
            Some((code, report)) => {
                tell(report.clone());
                Err(*code)
            }
            None => Ok(()),
        }
    }

    /// The error of the first launch that failed, if one did.
    pub(super) fn outcome_of(&mut self, launches: &[LaunchId]) -> Outcome {
        match self.work.take_failure(launches) {
            Some(failure) => {
                tell(failure.report);
                Err(failure.code)
            }
            None => Ok(()),
        }
    }

    /// Frees host memory that no kernel can use any more.
    pub(super) fn clean_up(&mut self) {
        let has_some = !self.leftovers.is_empty() || self.virtual_memory.has_old();
        if has_some && !MEMORIES.iter().any(Memory::is_held) {
            self.leftovers.clear();
            self.virtual_memory.clean_up();
        }
    }
}

/// The report for the last error code returned to a thread: see [`take_report`].
static LAST_REPORT: Mutex<Option<String>> = Mutex::new(None);

thread_local! {
    /// The thread's stack of current contexts.
    static CURRENT: RefCell<Vec<Handle>> = const { RefCell::new(Vec::new()) };
    /// The thread is in a function that a stream has called.
    static CALLED_BACK: Cell<bool> = const { Cell::new(false) };
    /// The report of the last failure that a function returned to this thread.
    static REPORT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps a report for the thread that got its error code.
pub(super) fn tell(report: String) {
    *LAST_REPORT.lock().unwrap_or_else(PoisonError::into_inner) = Some(report.clone());
    REPORT.set(Some(report));
}

/// The report of the last failure returned to this thread, or else the last of any thread.
pub(super) fn take_report() -> Option<String> {
    let mut last = LAST_REPORT.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(own) = REPORT.take() else { return last.take() };
    if last.as_ref() == Some(&own) {
        *last = None;
    }
    Some(own)
}

/// What kernels printed and has not been shown yet.
static OUTPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Adds what a kernel printed.
pub(super) fn print(text: &[u8]) {
    OUTPUT.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(text);
}

/// A synchronisation point: shows what kernels printed.
pub(super) fn show_output() {
    let mut output = OUTPUT.lock().unwrap_or_else(PoisonError::into_inner);
    if output.is_empty() {
        return;
    }
    let mut out = std::io::stdout().lock();
    // Nothing sensible can be done when standard output is closed.
    let _ = out.write_all(&output).and_then(|()| out.flush());
    output.clear();
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

/// The state, locked. A panic while it was locked leaves it usable: each call changes it in one step.
pub(super) struct Locked(MutexGuard<'static, Option<State>>);

impl std::ops::Deref for Locked {
    type Target = State;
    fn deref(&self) -> &State {
        self.0.as_ref().unwrap_or_else(|| unreachable!("`lock` fills it"))
    }
}

impl std::ops::DerefMut for Locked {
    fn deref_mut(&mut self) -> &mut State {
        self.0.get_or_insert_with(State::new)
    }
}

impl Locked {
    /// Unlocks the state until the condition is signalled or the time is over; whether it is over.
    pub(super) fn wait(self, condition: &Condvar, time: Duration) -> (Locked, bool) {
        let (guard, waited) =
            condition.wait_timeout(self.0, time).unwrap_or_else(PoisonError::into_inner);
        (Locked(guard), waited.timed_out())
    }
}

pub(super) fn lock() -> Locked {
    let mut guard = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    guard.get_or_insert_with(State::new);
    Locked(guard)
}

/// Calls a function that must not call the driver: until it returns, the driver's functions refuse on this thread.
pub(super) fn call_back(function: impl FnOnce()) {
    let before = CALLED_BACK.replace(true);
    function();
    CALLED_BACK.set(before);
}

/// The state, if `cuInit` was called.
pub(super) fn initialized() -> Result<Locked, Code> {
    if CALLED_BACK.get() {
        return Err(Code::NOT_PERMITTED);
    }
    let state = lock();
    if state.initialized { Ok(state) } else { Err(Code::NOT_INITIALIZED) }
}

/// The thread's context stack.
pub(super) fn with_contexts<R>(f: impl FnOnce(&mut Vec<Handle>) -> R) -> R {
    CURRENT.with(|stack| f(&mut stack.borrow_mut()))
}

/// The device of a context that can be used.
pub(super) fn retained_device(state: &State, context: Handle) -> Result<usize, Code> {
    let device = device_of(context).ok_or(Code::INVALID_CONTEXT)?;
    if state.contexts[device].retained > 0 { Ok(device) } else { Err(Code::INVALID_CONTEXT) }
}

/// The state, locked, and the device whose context is current on this thread.
pub(super) struct Current {
    state: Locked,
    pub(super) device: usize,
}

impl std::ops::Deref for Current {
    type Target = State;
    fn deref(&self) -> &State {
        &self.state
    }
}

impl std::ops::DerefMut for Current {
    fn deref_mut(&mut self) -> &mut State {
        &mut self.state
    }
}

impl Current {
    pub(super) fn context(&mut self) -> &mut Context {
        let device = self.device;
        &mut self.state.contexts[device]
    }

    /// The current device's memory.
    pub(super) fn memory(&self) -> &'static Memory {
        memory(self.device)
    }

    /// The state and a device, whether or not its context is current.
    pub(super) fn of(device: usize) -> Current {
        Current { state: lock(), device }
    }

    /// Unlocks the state until a launch has ended. The caller waits for `launches`: if something was put off, this
    /// runs some of it.
    pub(super) fn wait(mut self, launches: &[LaunchId]) -> Current {
        if let Some((job, is_needed)) = self.work.take_job(launches) {
            let Current { state, device } = self;
            drop(state);
            match is_needed {
                true => job(),
                false => run_aside(job, Duration::from_millis(20)),
            }
            return Current::of(device);
        }
        let Current { state, device } = self;
        let guard = ENDED.wait(state.0).unwrap_or_else(PoisonError::into_inner);
        Current { state: Locked(guard), device }
    }

    /// Waits until none of these launches runs.
    pub(super) fn wait_for(mut self, launches: &[LaunchId]) -> Current {
        while launches.iter().any(|&id| self.work.is_running(id)) {
            self = self.wait(launches);
        }
        self
    }

    /// Waits for everything, before something is freed that it may use.
    pub(super) fn drain(mut self) -> Current {
        self.work.overtake_nothing_at_all();
        let all = if settings().asynchronous { self.work.all_running() } else { Vec::new() };
        self.wait_for(&all)
    }

    /// Says that something is not ready; if it was put off, some of what was put off runs, so that a caller who
    /// asks again and again comes to an end.
    pub(super) fn not_ready(mut self) -> Outcome {
        if let Some((job, _)) = self.work.take_job(&[]) {
            drop(self);
            run_aside(job, Duration::from_millis(1));
        }
        Err(Code::NOT_READY)
    }

    /// Waits until new work in a queue could run.
    pub(super) fn turn(mut self, queue: Queue) -> Result<Current, Code> {
        self.work.overtake_nothing(queue);
        loop {
            let before = self.work.note(queue);
            if !before.iter().any(|&id| self.work.is_running(id)) {
                return Ok(self);
            }
            self = self.wait(&before);
            self.alive(self.device)?;
        }
    }

    /// Waits for launches, shows what they printed and returns the error of one that failed.
    pub(super) fn synchronize(self, launches: &[LaunchId]) -> Outcome {
        let mut state = self.wait_for(launches);
        let device = state.device;
        state.clean_up();
        state.pools.release(device);
        let outcome = state.alive(device).and_then(|()| state.outcome_of(launches));
        drop(state);
        show_output();
        outcome
    }

    /// Like [`Current::synchronize`] once none of these launches runs, for callers that query without
    /// waiting: a failure is left for those that wait.
    pub(super) fn ask(self, launches: &[LaunchId]) -> Outcome {
        match self.work.failure(launches) {
            Some(failure) => {
                tell(failure.report.clone());
                Err(failure.code)
            }
            None => self.synchronize(launches),
        }
    }

    /// Waits for all work of a queue, and returns the error of a launch there that failed.
    pub(super) fn synchronize_queue(mut self, queue: Queue) -> Outcome {
        self.work.overtake_none_before(queue);
        let launches = self.work.of_queue(queue);
        self.synchronize(&launches)
    }
}

/// The state, if a context is current on this thread and not lost.
pub(super) fn current() -> Result<Current, Code> {
    let state = initialized()?;
    let context = with_contexts(|stack| stack.last().copied().unwrap_or(0));
    let device = retained_device(&state, context)?;
    state.alive(device)?;
    Ok(Current { state, device })
}
