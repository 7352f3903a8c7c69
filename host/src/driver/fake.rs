//! A driver for tests that runs work as late, and in as odd an order, as the rules allow.
//!
//! Streams are queues. Nothing in them runs when it is submitted; operations run one by one, picked at
//! random from the heads of all queues whose waits are satisfied, and only as far as a synchronisation
//! requires, plus a few at random. So a missing wait, a host read that comes too early or memory freed
//! too early shows as a wrong value or in [`violations`].

use super::Driver;
use super::types::*;
use core::ffi::{c_char, c_int, c_uint, c_void};
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;

/// What a stream's queue holds.
enum Operation {
    Allocate(u64),
    Free(u64),
    Fill {
        to: u64,
        bytes: Vec<u8>,
    },
    Copy {
        to: u64,
        from: u64,
        count: usize,
    },
    Upload {
        to: u64,
        from: usize,
        count: usize,
    },
    Download {
        to: usize,
        from: u64,
        count: usize,
    },
    /// Runs when the stream has done this many operations.
    Wait {
        stream: usize,
        done: u64,
    },
}

#[derive(Default)]
struct Stream {
    queue: VecDeque<Operation>,
    given: u64,
    done: u64,
    destroyed: bool,
    maker: Option<ThreadId>,
}

struct Memory {
    bytes: Vec<u8>,
    /// Its stream-ordered allocation has run.
    ready: bool,
    freed: bool,
    maker: ThreadId,
}

#[derive(Default)]
struct State {
    next: u64,
    memory: BTreeMap<u64, Memory>,
    /// Pinned host memory: address to length.
    pinned: BTreeMap<usize, usize>,
    streams: BTreeMap<usize, Stream>,
    /// Where each event was recorded last.
    events: HashMap<usize, Option<(usize, u64)>>,
    violations: Vec<String>,
    random: u64,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

thread_local! {
    /// Whether contexts made by this thread have memory pools.
    pub(crate) static POOLS: Cell<bool> = const { Cell::new(true) };
}

/// The fake driver.
pub(crate) fn driver() -> Driver {
    // SAFETY: the functions below have the signatures of those that they stand for.
    match unsafe { Driver::new(&lookup, true, super::watch::Watch::default()) } {
        Ok(driver) => driver,
        Err(symbol) => panic!("the fake driver has no {symbol}"),
    }
}

/// What went wrong so far, in all tests.
pub(crate) fn violations() -> Vec<String> {
    with(|state| state.violations.clone())
}

/// Allocations of device memory, and streams, that this thread has made and not freed.
pub(crate) fn live_here() -> (usize, usize) {
    let here = std::thread::current().id();
    with(|state| {
        let memory = state.memory.values().filter(|memory| memory.maker == here && !memory.freed);
        let streams = state.streams.values();
        let streams = streams.filter(|stream| stream.maker == Some(here) && !stream.destroyed);
        (memory.count(), streams.count())
    })
}

/// Runs everything that is queued.
pub(crate) fn drain() {
    with(|state| while state.step() {});
}

fn with<R>(work: impl FnOnce(&mut State) -> R) -> R {
    let mut state: MutexGuard<'_, _> = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    work(state.get_or_insert_with(|| State { next: 0x1000, random: 0x5EED, ..State::default() }))
}

impl State {
    fn chance(&mut self, one_in: u64) -> bool {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random.is_multiple_of(one_in)
    }

    fn handle(&mut self) -> u64 {
        self.next += 0x1000;
        self.next
    }

    fn allocate(&mut self, bytes: usize, ready: bool) -> u64 {
        let address = self.handle();
        self.next += bytes as u64;
        self.memory.insert(
            address,
            Memory {
                bytes: vec![0xCD; bytes],
                ready,
                freed: false,
                maker: std::thread::current().id(),
            },
        );
        address
    }

    fn give(&mut self, stream: CUstream, operation: Operation) -> CUresult {
        let stream = self.streams.entry(stream.0.addr()).or_default();
        if stream.destroyed {
            self.violations.push("work was given to a destroyed stream".into());
            return CUDA_ERROR_INVALID_HANDLE;
        }
        stream.queue.push_back(operation);
        stream.given += 1;
        if self.chance(4) {
            self.step();
        }
        CUDA_SUCCESS
    }

    /// Runs one operation; false if none can run.
    fn step(&mut self) -> bool {
        let ready: Vec<usize> = self
            .streams
            .iter()
            .filter(|(_, stream)| match stream.queue.front() {
                None => false,
                Some(Operation::Wait { stream, done }) => self.done(*stream) >= *done,
                Some(_) => true,
            })
            .map(|(&handle, _)| handle)
            .collect();
        if ready.is_empty() {
            return false;
        }
        let pick = (self.random >> 20) as usize % ready.len();
        self.chance(1);
        let operation = self.streams.get_mut(&ready[pick]).and_then(|stream| {
            stream.done += 1;
            stream.queue.pop_front()
        });
        self.streams.retain(|_, stream| !stream.destroyed || !stream.queue.is_empty());
        if let Some(operation) = operation {
            self.run(operation);
        }
        true
    }

    fn done(&self, stream: usize) -> u64 {
        self.streams.get(&stream).map_or(u64::MAX, |stream| stream.done)
    }

    fn bytes(&mut self, address: u64, count: usize, what: &str) -> Option<&mut [u8]> {
        let found = self.memory.range_mut(..=address).next_back();
        let problem = match found {
            Some((&base, memory)) if address + count as u64 <= base + memory.bytes.len() as u64 => {
                if memory.freed {
                    "freed"
                } else if !memory.ready {
                    "not yet allocated"
                } else {
                    let start = (address - base) as usize;
                    return Some(&mut memory.bytes[start..start + count]);
                }
            }
            _ => "unknown",
        };
        self.violations.push(format!("{what} of {problem} device memory {address:#x}"));
        None
    }

    fn host_is_live(&mut self, address: usize, count: usize, what: &str) {
        // Host memory that is not pinned belongs to a blocking call.
        let below = self.pinned.range(..=address).next_back();
        if below.is_some_and(|(&base, &len)| len == 0 && count > 0 && address < base + 4096) {
            self.violations.push(format!("{what} of freed pinned memory {address:#x}"));
        }
    }

    fn run(&mut self, operation: Operation) {
        match operation {
            Operation::Allocate(address) => {
                if let Some(memory) = self.memory.get_mut(&address) {
                    memory.ready = true;
                }
            }
            Operation::Free(address) => {
                if self.bytes(address, 1, "a second free").is_some()
                    && let Some(memory) = self.memory.get_mut(&address)
                {
                    memory.freed = true;
                }
            }
            Operation::Fill { to, bytes } => {
                if let Some(target) = self.bytes(to, bytes.len(), "a fill") {
                    target.copy_from_slice(&bytes);
                }
            }
            Operation::Copy { to, from, count } => {
                let Some(bytes) = self.bytes(from, count, "a copy").map(|b| b.to_vec()) else {
                    return;
                };
                if let Some(target) = self.bytes(to, count, "a copy") {
                    target.copy_from_slice(&bytes);
                }
            }
            Operation::Upload { to, from, count } => {
                self.host_is_live(from, count, "an upload");
                if let Some(target) = self.bytes(to, count, "an upload") {
                    // SAFETY: the crate promises that the host memory is alive until this runs;
                    // freed pinned memory is kept by the fake.
                    unsafe {
                        core::ptr::copy_nonoverlapping(
                            core::ptr::with_exposed_provenance::<u8>(from),
                            target.as_mut_ptr(),
                            count,
                        );
                    }
                }
            }
            Operation::Download { to, from, count } => {
                self.host_is_live(to, count, "a download");
                if let Some(source) = self.bytes(from, count, "a download") {
                    // SAFETY: as above.
                    unsafe {
                        core::ptr::copy_nonoverlapping(
                            source.as_ptr(),
                            core::ptr::with_exposed_provenance_mut::<u8>(to),
                            count,
                        );
                    }
                }
            }
            Operation::Wait { .. } => {}
        }
    }

    fn synchronize(&mut self, stream: usize) -> CUresult {
        while self.streams.get(&stream).is_some_and(|stream| !stream.queue.is_empty()) {
            if !self.step() {
                self.violations.push("streams wait for each other".into());
                return CUDA_ERROR_UNKNOWN;
            }
        }
        CUDA_SUCCESS
    }
}

/// Writes a result.
///
/// # Safety
/// `place` is valid.
unsafe fn put<T>(place: *mut T, value: T) -> CUresult {
    // SAFETY: the caller's promise.
    unsafe { place.write(value) };
    CUDA_SUCCESS
}

fn handle_of(number: u64) -> *mut c_void {
    core::ptr::without_provenance_mut(number as usize)
}

macro_rules! fake {
    ($($name:literal => fn($($arg:ident : $ty:ty),*) $body:block)*) => {
        fn lookup(name: &str) -> *const c_void {
            match name {
                $($name => {
                    #[allow(unused_variables)]
                    unsafe extern "C" fn function($($arg: $ty),*) -> CUresult {
                        // SAFETY: the fake is called with what the driver would take.
                        #[allow(unused_unsafe)]
                        unsafe { $body }
                    }
                    let function: unsafe extern "C" fn($($ty),*) -> CUresult = function;
                    function as *const c_void
                })*
                _ => {
                    extern "C" fn unsupported() -> CUresult {
                        CUDA_ERROR_NOT_SUPPORTED
                    }
                    let function: extern "C" fn() -> CUresult = unsupported;
                    function as *const c_void
                }
            }
        }
    };
}

fake! {
    "cuDeviceGet" => fn(device: *mut CUdevice, ordinal: c_int) { put(device, ordinal) }
    "cuDeviceGetName" => fn(name: *mut c_char, len: c_int, device: CUdevice) { put(name, 0) }
    "cuDeviceGetAttribute" => fn(value: *mut c_int, attribute: c_int, device: CUdevice) {
        put(value, if attribute == CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED { c_int::from(POOLS.get()) } else { 9 })
    }
    "cuDevicePrimaryCtxRetain" => fn(context: *mut CUcontext, device: CUdevice) {
        put(context, CUcontext(handle_of(1)))
    }
    "cuCtxSetCurrent" => fn(context: CUcontext) { CUDA_SUCCESS }
    "cuCtxSynchronize" => fn() { with(|state| { while state.step() {} CUDA_SUCCESS }) }
    "cuDeviceGetDefaultMemPool" => fn(pool: *mut CUmemoryPool, device: CUdevice) {
        put(pool, CUmemoryPool(handle_of(1)))
    }
    "cuMemPoolSetAttribute" => fn(pool: CUmemoryPool, id: c_uint, value: *mut c_void) {
        CUDA_SUCCESS
    }
    "cuMemAlloc_v2" => fn(address: *mut CUdeviceptr, bytes: usize) {
        put(address, with(|state| state.allocate(bytes, true)))
    }
    "cuMemFree_v2" => fn(address: CUdeviceptr) {
        with(|state| { state.run(Operation::Free(address)); CUDA_SUCCESS })
    }
    "cuMemAllocFromPoolAsync" =>
        fn(address: *mut CUdeviceptr, bytes: usize, pool: CUmemoryPool, stream: CUstream) {
        let allocated = with(|state| state.allocate(bytes, false));
        put(address, allocated);
        with(|state| state.give(stream, Operation::Allocate(allocated)))
    }
    "cuMemFreeAsync" => fn(address: CUdeviceptr, stream: CUstream) {
        with(|state| state.give(stream, Operation::Free(address)))
    }
    "cuMemHostAlloc" => fn(host: *mut *mut c_void, bytes: usize, flags: c_uint) {
        assert!(bytes <= 4096, "the fake's pinned memory is small");
        let memory: &'static mut [u64] = Box::leak(vec![0; 512].into_boxed_slice());
        let address = memory.as_mut_ptr().expose_provenance();
        with(|state| state.pinned.insert(address, bytes));
        put(host, core::ptr::with_exposed_provenance_mut(address))
    }
    "cuMemFreeHost" => fn(host: *mut c_void) {
        with(|state| state.pinned.insert(host.addr(), 0));
        CUDA_SUCCESS
    }
    "cuMemcpyHtoDAsync_v2" =>
        fn(to: CUdeviceptr, from: *const c_void, bytes: usize, stream: CUstream) {
        let from = from.expose_provenance();
        with(|state| state.give(stream, Operation::Upload { to, from, count: bytes }))
    }
    "cuMemcpyDtoHAsync_v2" =>
        fn(to: *mut c_void, from: CUdeviceptr, bytes: usize, stream: CUstream) {
        let to = to.expose_provenance();
        with(|state| state.give(stream, Operation::Download { to, from, count: bytes }))
    }
    "cuMemcpyDtoDAsync_v2" =>
        fn(to: CUdeviceptr, from: CUdeviceptr, bytes: usize, stream: CUstream) {
        with(|state| state.give(stream, Operation::Copy { to, from, count: bytes }))
    }
    "cuMemcpyPeerAsync" => fn(
        to: CUdeviceptr, to_context: CUcontext, from: CUdeviceptr, from_context: CUcontext, bytes: usize,
        stream: CUstream
    ) {
        with(|state| state.give(stream, Operation::Copy { to, from, count: bytes }))
    }
    "cuMemsetD8Async" => fn(to: CUdeviceptr, value: u8, count: usize, stream: CUstream) {
        with(|state| state.give(stream, Operation::Fill { to, bytes: vec![value; count] }))
    }
    "cuMemsetD16Async" => fn(to: CUdeviceptr, value: u16, count: usize, stream: CUstream) {
        let bytes = value.to_ne_bytes().repeat(count);
        with(|state| state.give(stream, Operation::Fill { to, bytes }))
    }
    "cuMemsetD32Async" => fn(to: CUdeviceptr, value: u32, count: usize, stream: CUstream) {
        let bytes = value.to_ne_bytes().repeat(count);
        with(|state| state.give(stream, Operation::Fill { to, bytes }))
    }
    "cuMemsetD2D32Async" => fn(
        to: CUdeviceptr, pitch: usize, value: u32, width: usize, height: usize, stream: CUstream
    ) {
        let fill = |row: usize| {
            let (to, bytes) = (to + (row * pitch) as u64, value.to_ne_bytes().repeat(width));
            with(|state| state.give(stream, Operation::Fill { to, bytes }))
        };
        (0..height).map(fill).find(|&result| result != CUDA_SUCCESS).unwrap_or(CUDA_SUCCESS)
    }
    "cuStreamCreate" => fn(stream: *mut CUstream, flags: c_uint) {
        let handle = handle_of(with(State::handle));
        let maker = Some(std::thread::current().id());
        with(|state| {
            state.streams.insert(handle.addr(), Stream { maker, ..Stream::default() })
        });
        put(stream, CUstream(handle))
    }
    "cuStreamDestroy_v2" => fn(stream: CUstream) {
        with(|state| {
            if let Some(stream) = state.streams.get_mut(&stream.0.addr()) {
                stream.destroyed = true;
            }
        });
        CUDA_SUCCESS
    }
    "cuStreamQuery" => fn(stream: CUstream) {
        with(|state| match state.streams.get(&stream.0.addr()) {
            Some(stream) if !stream.queue.is_empty() => CUDA_ERROR_NOT_READY,
            _ => CUDA_SUCCESS,
        })
    }
    "cuStreamSynchronize" => fn(stream: CUstream) {
        with(|state| state.synchronize(stream.0.addr()))
    }
    "cuStreamWaitEvent" => fn(stream: CUstream, event: CUevent, flags: c_uint) {
        with(|state| match state.events.get(&event.0.addr()).copied().flatten() {
            Some((earlier, done)) => {
                state.give(stream, Operation::Wait { stream: earlier, done })
            }
            None => CUDA_SUCCESS,
        })
    }
    "cuEventCreate" => fn(event: *mut CUevent, flags: c_uint) {
        let handle = handle_of(with(State::handle));
        with(|state| state.events.insert(handle.addr(), None));
        put(event, CUevent(handle))
    }
    "cuEventRecord" => fn(event: CUevent, stream: CUstream) {
        with(|state| {
            let stream = stream.0.addr();
            let given = state.streams.get(&stream).map_or(0, |stream| stream.given);
            state.events.insert(event.0.addr(), Some((stream, given)));
        });
        CUDA_SUCCESS
    }
}
