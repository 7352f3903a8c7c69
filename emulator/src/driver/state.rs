//! What the emulated driver keeps between calls.

use super::code::{Code, Outcome};
use super::limit::Limit;
use crate::exec::program::Program;
use crate::memory::Memory;
use std::alloc::Layout;
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

/// The device's memory.
pub(super) static MEMORY: Memory = Memory::new();

/// An opaque handle of the driver: a number, never a pointer.
pub(super) type Handle = usize;

/// The primary context's handle.
pub(super) const PRIMARY: Handle = 0x1000;

/// A loaded module.
pub(super) struct Module {
    pub(super) program: Arc<Program>,
    /// Handles of its functions, by name.
    pub(super) functions: HashMap<String, Handle>,
}

/// A kernel that was asked for.
#[derive(Clone)]
pub(super) struct Kernel {
    pub(super) program: Arc<Program>,
    pub(super) index: u32,
    pub(super) name: std::ffi::CString,
    /// The driver knows the stack that its calls need, and makes room whatever the limit is.
    pub(super) known_stack: bool,
    /// `CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`
    pub(super) dynamic_limit: u32,
}

/// Host memory from `cuMemHostAlloc`.
pub(super) struct HostMemory {
    pub(super) layout: Layout,
    pub(super) device: u64,
}

/// Everything but the memory.
#[derive(Default)]
pub(super) struct State {
    pub(super) initialized: bool,
    pub(super) retained: u32,
    pub(super) flags: u32,
    pub(super) limits: HashMap<Limit, usize>,
    pub(super) streams: HashMap<Handle, (u32, i32)>,
    /// When an event was recorded.
    pub(super) events: HashMap<Handle, Option<Instant>>,
    pub(super) modules: HashMap<Handle, Module>,
    pub(super) kernels: HashMap<Handle, Kernel>,
    pub(super) host: HashMap<usize, HostMemory>,
    pub(super) launches: u64,
    /// A fault's code, until a call returns it.
    pub(super) pending: Option<Code>,
    pub(super) report: Option<String>,
    /// What kernels printed.
    pub(super) output: Vec<u8>,
    next_handle: Handle,
}

impl State {
    /// A handle that was never given out.
    pub(super) fn handle(&mut self) -> Handle {
        self.next_handle += 1;
        PRIMARY + self.next_handle * 16
    }

    /// A point of synchronisation: prints what kernels printed and returns a fault that is due.
    pub(super) fn synchronize(&mut self) -> Outcome {
        if !self.output.is_empty() {
            let mut out = std::io::stdout().lock();
            // Nothing sensible can be done when standard output is closed.
            let _ = out.write_all(&self.output).and_then(|()| out.flush());
            self.output.clear();
        }
        self.pending.take().map_or(Ok(()), Err)
    }
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
        self.0.get_or_insert_default()
    }
}

pub(super) fn lock() -> Locked {
    let mut guard = STATE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    guard.get_or_insert_default();
    Locked(guard)
}

/// The state, if `cuInit` was called.
pub(super) fn initialized() -> Result<Locked, Code> {
    let state = lock();
    if state.initialized { Ok(state) } else { Err(Code::NOT_INITIALIZED) }
}

thread_local! {
    /// The thread's stack of current contexts.
    static CURRENT: RefCell<Vec<Handle>> = const { RefCell::new(Vec::new()) };
}

/// The thread's context stack.
pub(super) fn with_contexts<R>(f: impl FnOnce(&mut Vec<Handle>) -> R) -> R {
    CURRENT.with(|stack| f(&mut stack.borrow_mut()))
}

/// The state, if a context is current on this thread.
pub(super) fn current() -> Result<Locked, Code> {
    let state = initialized()?;
    let current = with_contexts(|stack| stack.last().copied().unwrap_or(0));
    if current == PRIMARY && state.retained > 0 { Ok(state) } else { Err(Code::INVALID_CONTEXT) }
}
