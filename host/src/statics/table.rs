//! What belongs to each static on each device: its value or its address, the modules that have a variable of
//! it, and the work that uses it.
//!
//! A launch and a write of the host must not overlap. Launches hold the device's lock as readers from the
//! moment they are noted until they are submitted, writes as writers, so that each write sees every launch
//! before it, and the other way round. On the device, events order them.

mod in_graphs;

use super::Info;
use crate::context::{Attached, Context};
use crate::driver::types::*;
use crate::driver::{Driver, Failure};
use crate::error::{Error, Result};
use crate::memory::untracked::Untracked;
use crate::memory::{DeviceBuffer, allocate_apart};
use crate::module;
use crate::stream::{Capture, Entry, Guard, Part, Stream};
use core::cell::Cell;
use core::ffi::c_void;
use core::mem::MaybeUninit;
use ptyx_image::{Layout, Static, StaticKind};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// A device's statics.
#[derive(Default)]
struct Statics {
    known: Mutex<HashMap<u64, &'static DeviceStatic>>,
    /// Held while work is submitted: by launches as readers, by the host's reads and writes as writers.
    submitting: RwLock<()>,
}

/// A static on one device. It lives as long as the process.
pub(crate) struct DeviceStatic {
    context: &'static Context,
    name: String,
    kind: StaticKind,
    layout: Layout,
    /// The launches that use it, and the host's reads and writes.
    order: Untracked,
    state: Mutex<State>,
}

/// Bytes of a value, padding included.
type Bytes = Arc<[MaybeUninit<u8>]>;

#[derive(Default)]
struct State {
    /// What the host has set last, for modules that are loaded later. Only of constants.
    value: Option<Bytes>,
    /// The variables of modules that have a copy. Only of constants.
    copies: Vec<CUdeviceptr>,
    /// Where the value is. Only of globals.
    address: Option<CUdeviceptr>,
    /// Values that a stream may not have copied yet.
    pending: Vec<(Stream, Bytes)>,
}

/// A launch that uses statics; it lives until the launch is submitted.
pub(crate) struct Submission<'a> {
    _hold: Hold,
    _entry: Entry<'a>,
}

thread_local! {
    /// The lock that this thread holds.
    static HELD: Cell<*const RwLock<()>> = const { Cell::new(core::ptr::null()) };
}

/// A device's lock, held by this thread. A thread takes it only once: as a reader again, it could wait for a writer that
/// waits for it.
enum Hold {
    Reader {
        _guard: RwLockReadGuard<'static, ()>,
    },
    Writer {
        _guard: RwLockWriteGuard<'static, ()>,
    },
    /// The thread holds it already, for another part of the graph that it launches.
    Already,
}

impl Hold {
    /// As a reader, unless the thread holds the lock already.
    fn shared(context: &Context) -> Hold {
        let lock = &statics(context).submitting;
        if core::ptr::eq(HELD.get(), lock) {
            return Hold::Already;
        }
        let _guard = lock.read().unwrap_or_else(PoisonError::into_inner);
        HELD.set(lock);
        Hold::Reader { _guard }
    }

    /// As the writer, unless the thread holds the lock already. (The parts of a graph that write come first.)
    fn alone(context: &Context) -> Hold {
        let lock = &statics(context).submitting;
        if core::ptr::eq(HELD.get(), lock) {
            return Hold::Already;
        }
        let _guard = lock.write().unwrap_or_else(PoisonError::into_inner);
        HELD.set(lock);
        Hold::Writer { _guard }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        if !matches!(self, Hold::Already) {
            HELD.set(core::ptr::null());
        }
    }
}

fn statics(context: &Context) -> &'static Statics {
    static STATICS: Attached<Statics> = Attached::new();
    STATICS.of(context)
}

/// Announces a launch that uses these statics, and makes its stream wait for what the host did to them.
pub(crate) fn submit<'a>(
    used: &[&'static DeviceStatic],
    stream: &'a Stream,
) -> Result<Submission<'a>, Failure> {
    let hold = Hold::shared(stream.context());
    let entry = stream.enter_again();
    for one in used {
        one.order.launch(stream, false)?;
    }
    Ok(Submission { _hold: hold, _entry: entry })
}

/// Statics that a graph uses.
struct InGraph(Vec<&'static DeviceStatic>);

impl Part for InGraph {
    fn submit<'a>(&self, entry: &Entry<'a>) -> Result<Option<Box<dyn Guard + 'a>>> {
        Ok(Some(Box::new(submit(&self.0, entry.stream())?)))
    }
}

/// Notes statics that a kernel of a captured stream uses: the kernel comes after the work of the capture that sets them.
pub(crate) fn collect(
    used: &[&'static DeviceStatic],
    capture: &Capture,
    stream: &Stream,
) -> Result<(), Failure> {
    used.iter().try_for_each(|&one| {
        if one.kind == StaticKind::Constant {
            in_graphs::set_new_copies(one, capture, stream)?;
        }
        capture.use_memory(stream, one.key(), 0..1, false, || Arc::new(InGraph(vec![one])))
    })
}

/// A global that a graph sets.
struct SetInGraph(&'static DeviceStatic);

impl Part for SetInGraph {
    fn submit<'a>(&self, entry: &Entry<'a>) -> Result<Option<Box<dyn Guard + 'a>>> {
        let hold = Hold::alone(self.0.context);
        self.0.order.exclusive(entry.stream())?;
        Ok(Some(Box::new(hold)))
    }

    fn is_exclusive(&self) -> bool {
        true
    }
}

/// The static that the host knows by `info`.
pub(super) fn of_info(
    context: &'static Context,
    info: &Info,
    is_global: bool,
) -> Result<&'static DeviceStatic> {
    if info.key == 0 {
        return Err(Error::Static {
            reason: "it has no name: write `#[device_static]` above the static".to_owned(),
        });
    }
    let number = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
    let layout =
        Layout { size: number(info.size), align: number(info.align), fingerprint: info.layout };
    let kind = if is_global { StaticKind::Global } else { StaticKind::Constant };
    find(context, info.key, info.name, kind, layout)
}

/// The static of this key, made at first use.
fn find(
    context: &'static Context,
    key: u64,
    name: &str,
    kind: StaticKind,
    layout: Layout,
) -> Result<&'static DeviceStatic> {
    let mut known = statics(context).known.lock().unwrap_or_else(PoisonError::into_inner);
    let found = *known.entry(key).or_insert_with(|| {
        let (name, order, state) = (name.to_owned(), Untracked::default(), Mutex::default());
        Box::leak(Box::new(DeviceStatic { context, name, kind, layout, order, state }))
    });
    if (found.name.as_str(), found.kind, found.layout) == (name, kind, layout) {
        return Ok(found);
    }
    let describe = |kind: StaticKind, layout: Layout| {
        format!("{kind:?} of {} bytes (layout {:x})", layout.size, layout.fingerprint)
    };
    let (one, other) = (describe(found.kind, found.layout), describe(kind, layout));
    Err(Error::Static {
        reason: format!(
            "`{name}` differs between the program and its kernels: {one} in one, {other} in the other. Look \
             for a `cfg` in its type that differs between the two, such as `cfg(ptyx_device)`; if there is \
             none, build the program again"
        ),
    })
}

/// Gives a loaded module the value or the address of a static.
pub(crate) fn bind(
    context: &'static Context,
    loaded: CUmodule,
    described: &Static,
) -> Result<&'static DeviceStatic> {
    let Static { key, name, kind, layout, .. } = described;
    let found = find(context, *key, name, *kind, *layout)?;
    let expected = match kind {
        StaticKind::Constant => (layout.size as usize).max(1),
        StaticKind::Global => size_of::<CUdeviceptr>(),
    };
    let variable = match module::global(context, loaded, &described.variable)? {
        Some((variable, bytes)) if bytes == expected => variable,
        _ => {
            return Err(Error::Image {
                reason: format!(
                    "the variable of the static `{name}` is not as expected: use the same version of `ptyx` \
                     and `ptyx-compiler`"
                ),
            });
        }
    };
    let mut state = found.lock();
    match kind {
        StaticKind::Constant => {
            if let Some(value) = state.value.clone() {
                // SAFETY: the variable has the value's size.
                unsafe { upload(context, variable, value.as_ptr().cast(), value.len()) }?;
            }
            state.copies.push(variable);
        }
        StaticKind::Global => {
            let initial = described.initial.as_ref().map(|bytes| bytes.as_ptr().cast());
            // SAFETY: an image's initial value has the static's size.
            let address = unsafe { found.address(&mut state, initial) }?;
            let from = (&raw const address).cast::<c_void>();
            // SAFETY: the variable has an address's size.
            unsafe { upload(context, variable, from, size_of_val(&address)) }?;
        }
    }
    Ok(found)
}

/// Copies bytes to the device and waits.
///
/// # Safety
/// `to` and `from` have `bytes` bytes, and nothing uses those at `to`.
unsafe fn upload(
    context: &'static Context,
    to: CUdeviceptr,
    from: *const c_void,
    bytes: usize,
) -> Result<()> {
    if bytes == 0 {
        return Ok(());
    }
    let stream = context.transfer_stream()?;
    // SAFETY: the caller's promise; the copy is waited for.
    unsafe { context.driver.cuMemcpyHtoDAsync(to, from, bytes, stream.handle()) }?;
    Ok(stream.0.finish()?)
}

impl DeviceStatic {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn driver(&self) -> &'static Driver {
        self.context.driver
    }

    fn bytes(&self) -> usize {
        self.layout.size as usize
    }

    /// The address of a global's value, which is allocated at first use. Without an initial value it is all
    /// zeros.
    ///
    /// # Safety
    /// `initial` has the static's size.
    unsafe fn address(
        &self,
        state: &mut State,
        initial: Option<*const c_void>,
    ) -> Result<CUdeviceptr> {
        if let Some(address) = state.address {
            return Ok(address);
        }
        let (mut address, bytes) = (0, self.bytes().max(1));
        // A part of loading code that uses it, which captures don't forbid.
        let _relaxed = self.driver().relaxed();
        // SAFETY: the place is valid, and the context bound.
        allocate_apart(self.context, bytes, || unsafe {
            self.driver().cuMemAlloc(&mut address, bytes)
        })?;
        match initial {
            // SAFETY: both have the size, and nothing else uses the memory yet.
            Some(initial) => unsafe { upload(self.context, address, initial, self.bytes()) }?,
            None => {
                let stream = self.context.transfer_stream()?;
                // SAFETY: the memory has this size.
                unsafe { self.driver().cuMemsetD8Async(address, 0, bytes, stream.handle()) }?;
                stream.0.finish()?;
            }
        }
        state.address = Some(address);
        Ok(address)
    }

    /// Sets the value on `stream`, between the launches before and after.
    ///
    /// # Safety
    /// `value` has the static's size, and so has a global's `initial` value.
    pub(super) unsafe fn set(
        &'static self,
        value: *const MaybeUninit<u8>,
        initial: Option<*const c_void>,
        stream: &Stream,
    ) -> Result<()> {
        self.context.bind()?;
        // SAFETY: the caller's promise.
        let value: Bytes = unsafe { core::slice::from_raw_parts(value, self.bytes()) }.into();
        let _writer = Hold::alone(self.context);
        let entry = stream.enter();
        if let Some(capture) = entry.capture() {
            // SAFETY: the caller's promise.
            return unsafe { self.set_in(&capture, &value, initial, stream) };
        }
        let mut state = self.lock();
        let copies = match self.kind {
            StaticKind::Constant => state.copies.clone(),
            // SAFETY: the caller's promise.
            StaticKind::Global => vec![unsafe { self.address(&mut state, initial) }?],
        };
        self.order.exclusive(stream)?;
        // Before anything can fail: the copies may already be on their way.
        state
            .pending
            .retain(|(stream, _)| stream.is_entered() || !stream.0.is_idle().unwrap_or(false));
        state.pending.push((stream.clone(), value.clone()));
        if self.kind == StaticKind::Constant {
            state.value = Some(value.clone());
        }
        for copy in copies.into_iter().filter(|_| !value.is_empty()) {
            let from = value.as_ptr().cast();
            // SAFETY: each variable has the value's size. The value is kept until the stream is done.
            unsafe { self.driver().cuMemcpyHtoDAsync(copy, from, value.len(), stream.handle()) }?;
        }
        Ok(())
    }

    /// The value in memory of the device, for a graph.
    fn for_graph(&self, value: &Bytes) -> Result<DeviceBuffer<u8>> {
        let context = self.context;
        // SAFETY: the upload writes every byte.
        let kept = unsafe {
            DeviceBuffer::<u8>::uninitialized_on(value.len(), context.transfer_stream()?)
        }?;
        let from = kept.as_slice().address();
        // SAFETY: both have as many bytes, and nothing else uses the memory yet.
        unsafe { upload(context, from, value.as_ptr().cast(), value.len()) }?;
        Ok(kept)
    }

    /// Sets the value in a graph: each launch copies it from memory that the graph keeps.
    ///
    /// # Safety
    /// `initial` has the static's size, as `value` has.
    unsafe fn set_in(
        &'static self,
        capture: &Capture,
        value: &Bytes,
        initial: Option<*const c_void>,
        stream: &Stream,
    ) -> Result<()> {
        if self.kind == StaticKind::Constant {
            return in_graphs::set(self, capture, value, stream);
        }
        let context = self.context;
        // SAFETY: the caller's promise.
        let address = unsafe { self.address(&mut self.lock(), initial) }?;
        let kept = self.for_graph(value)?;
        let from = kept.as_slice().address();
        capture.use_memory(stream, self.key(), 0..1, true, || Arc::new(SetInGraph(self)))?;
        capture.keep(kept);
        if !value.is_empty() {
            context.bind()?;
            // SAFETY: both have the static's size. The graph keeps the source, and the static is never freed.
            unsafe {
                self.driver().cuMemcpyDtoDAsync(address, from, value.len(), stream.handle())
            }?;
        }
        Ok(())
    }

    /// By which captures know it.
    fn key(&self) -> usize {
        core::ptr::from_ref(self).addr()
    }

    /// Copies what the host has set last, if it has; for constants.
    ///
    /// # Safety
    /// `to` has the static's size.
    pub(super) unsafe fn kept_value(&self, to: *mut MaybeUninit<u8>) -> bool {
        let value = self.lock().value.clone();
        if let Some(value) = &value {
            // SAFETY: the caller's promise.
            unsafe { to.copy_from_nonoverlapping(value.as_ptr(), value.len()) };
        }
        value.is_some()
    }

    /// Reads the value of a global after all launches so far, and waits for it.
    ///
    /// # Safety
    /// Both places have the static's size.
    pub(super) unsafe fn read(
        &self,
        to: *mut MaybeUninit<u8>,
        initial: *const c_void,
        stream: &Stream,
    ) -> Result<()> {
        self.context.bind()?;
        {
            let _writer = Hold::alone(self.context);
            let _entry = stream.enter();
            stream.0.refuse_capture("reading a device static")?;
            // SAFETY: the caller's promise.
            let address = unsafe { self.address(&mut self.lock(), Some(initial)) }?;
            self.order.exclusive(stream)?;
            if self.bytes() > 0 {
                let (to, bytes) = (to.cast(), self.bytes());
                // SAFETY: the memory and the place have this size, and the copy is waited for.
                let copied =
                    unsafe { self.driver().cuMemcpyDtoHAsync(to, address, bytes, stream.handle()) };
                copied?;
            }
        }
        stream.synchronize()
    }
}
