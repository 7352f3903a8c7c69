//! The profiler's library, and the functions that it puts into our tables.
//!
//! NVTX 3 is a C header. Each program that includes it has tables of function pointers, and passes them to
//! `InitializeInjectionNvtx2` of the library that `NVTX_INJECTION64_PATH` names. The library writes the functions that it
//! implements into the tables. The layouts are those of `nvtxTypes.h` and `nvToolsExt.h`, which NVIDIA keeps compatible.

use super::{Domain, Label};
use core::ffi::{c_char, c_int, c_uint, c_void};
use core::ptr::{null, null_mut};
use core::sync::atomic::{AtomicPtr, AtomicU8, Ordering};
use std::ffi::CString;
use std::sync::{Once, OnceLock};

/// The variable that names the profiler's library.
const VARIABLE: &str = "NVTX_INJECTION64_PATH";
/// The version of the interface.
const NVTX_VERSION: u16 = 3;

/// A profiler's handle for a domain.
#[derive(Clone, Copy)]
pub(super) struct DomainHandle(*mut c_void);

// SAFETY: the handle is only passed back to the profiler, which may be called from any thread.
unsafe impl Send for DomainHandle {}
// SAFETY: as above.
unsafe impl Sync for DomainHandle {}

/// A range or a mark (`nvtxEventAttributes_v2`).
#[repr(C)]
struct Attributes {
    version: u16,
    size: u16,
    category: u32,
    color_type: i32,
    color: u32,
    payload_type: i32,
    reserved: i32,
    payload: u64,
    message_type: i32,
    message: *const c_char,
}

const NVTX_COLOR_ARGB: i32 = 1;
const NVTX_PAYLOAD_TYPE_UNSIGNED_INT64: i32 = 1;
const NVTX_MESSAGE_TYPE_ASCII: i32 = 1;

/// A place for a function, which the profiler writes.
type Slot = AtomicPtr<c_void>;
/// A table: pointers to slots.
type Table = *const *const Slot;

/// The tables, by their number (`NvtxCallbackModule`): how many slots each has, the unused one with number 0 included.
const SIZES: [usize; 7] = [0, 16, 9, 15, 7, 16, 7];
const CORE: usize = 1;
const CUDA: usize = 2;
const CORE2: usize = 5;

/// The slots that are called: table and number (`NvtxCallbackIdCore`, `NvtxCallbackIdCuda`, `NvtxCallbackIdCore2`).
const MARK: (usize, usize) = (CORE, 1);
const START: (usize, usize) = (CORE, 4);
const END: (usize, usize) = (CORE, 7);
const PUSH: (usize, usize) = (CORE, 8);
const POP: (usize, usize) = (CORE, 11);
const NAME_THREAD: (usize, usize) = (CORE, 14);
const NAME_STREAM: (usize, usize) = (CUDA, 5);
const DOMAIN_MARK: (usize, usize) = (CORE2, 1);
const DOMAIN_START: (usize, usize) = (CORE2, 2);
const DOMAIN_END: (usize, usize) = (CORE2, 3);
const DOMAIN_PUSH: (usize, usize) = (CORE2, 4);
const DOMAIN_POP: (usize, usize) = (CORE2, 5);
const DOMAIN_CREATE: (usize, usize) = (CORE2, 12);

/// The tables of this process.
pub(super) struct Tool {
    slots: [&'static [Slot]; SIZES.len()],
    tables: [Table; SIZES.len()],
}

// SAFETY: the pointers lead to slots that live forever and are atomic.
unsafe impl Send for Tool {}
// SAFETY: as above.
unsafe impl Sync for Tool {}

/// What is known about a profiler.
static STATE: AtomicU8 = AtomicU8::new(UNKNOWN);
const UNKNOWN: u8 = 0;
const ABSENT: u8 = 1;
const PRESENT: u8 = 2;

static TOOL: OnceLock<Tool> = OnceLock::new();

/// The profiler, if there is one. The first call looks for it.
#[inline]
pub(super) fn tool() -> Option<&'static Tool> {
    match STATE.load(Ordering::Acquire) {
        ABSENT => None,
        PRESENT => TOOL.get(),
        _ => find(),
    }
}

#[cold]
fn find() -> Option<&'static Tool> {
    static FOUND: Once = Once::new();
    FOUND.call_once(|| {
        let is_there = std::env::var_os(VARIABLE).is_some_and(|path| match load(&path) {
            Ok(accepted) => accepted,
            Err(reason) => {
                let path = path.to_string_lossy();
                eprintln!("ptyx: {VARIABLE} is `{path}`, which can't be used: {reason}");
                false
            }
        });
        STATE.store(if is_there { PRESENT } else { ABSENT }, Ordering::Release);
    });
    TOOL.get().filter(|_| STATE.load(Ordering::Acquire) == PRESENT)
}

type GetExportTable = unsafe extern "C" fn(u32) -> *const c_void;
type Initialize = unsafe extern "C" fn(GetExportTable) -> c_int;

/// Loads the profiler's library and gives it the tables. Returns whether it accepts them.
fn load(path: &std::ffi::OsStr) -> Result<bool, libloading::Error> {
    TOOL.get_or_init(Tool::new);
    // SAFETY: whoever runs the program has named the library as one of NVTX, whose initialisers may run in any
    // process.
    let library = unsafe { libloading::Library::new(path) }?;
    // SAFETY: the entry of this name has this signature.
    let initialize = *unsafe { library.get::<Initialize>(b"InitializeInjectionNvtx2\0") }?;
    // SAFETY: the function has the signature that the library expects.
    let accepted = unsafe { initialize(export_table) } != 0;
    if accepted {
        // Its functions are called until the process ends.
        core::mem::forget(library);
    }
    Ok(accepted)
}

/// `NvtxExportTableCallbacks`.
#[repr(C)]
struct Callbacks {
    size: usize,
    function_table: unsafe extern "C" fn(c_uint, *mut Table, *mut c_uint) -> c_int,
}

/// `NvtxExportTableVersionInfo`.
#[repr(C)]
struct VersionInfo {
    size: usize,
    version: u32,
    reserved: u32,
    set_injection_version: extern "C" fn(u32),
}

static CALLBACKS: Callbacks = Callbacks { size: size_of::<Callbacks>(), function_table };
static VERSION_INFO: VersionInfo = VersionInfo {
    size: size_of::<VersionInfo>(),
    version: NVTX_VERSION as u32,
    reserved: 0,
    set_injection_version,
};

/// What the profiler asks for, by number (`NvtxExportTableID`).
extern "C" fn export_table(id: u32) -> *const c_void {
    match id {
        1 => (&raw const CALLBACKS).cast(),
        3 => (&raw const VERSION_INFO).cast(),
        _ => null(),
    }
}

extern "C" fn set_injection_version(_: u32) {}

/// The table of a number, and its length; 0 if there is none.
unsafe extern "C" fn function_table(id: c_uint, table: *mut Table, size: *mut c_uint) -> c_int {
    let Some(tool) = TOOL.get().filter(|_| (1..SIZES.len()).contains(&(id as usize))) else {
        return 0;
    };
    // SAFETY: the profiler's places, if it gave any.
    unsafe {
        if !table.is_null() {
            table.write(tool.tables[id as usize]);
        }
        if !size.is_null() {
            size.write(SIZES[id as usize] as c_uint);
        }
    }
    1
}

impl Tool {
    fn new() -> Tool {
        let slots = SIZES.map(|size| {
            let slots: Vec<Slot> = (0..size).map(|_| Slot::default()).collect();
            &*slots.leak()
        });
        let tables = slots.map(|slots| {
            // None has the number 0, and a null ends each table.
            let places = slots.iter().enumerate();
            let mut table: Vec<*const Slot> =
                places.map(|(id, slot)| if id == 0 { null() } else { &raw const *slot }).collect();
            table.push(null());
            table.leak().as_ptr()
        });
        Tool { slots, tables }
    }

    /// The function in a slot, if the profiler has put one there.
    ///
    /// # Safety
    /// `F` is the function type of the slot.
    unsafe fn function<F: Copy>(&self, (table, id): (usize, usize)) -> Option<F> {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
        let function = self.slots[table][id].load(Ordering::Acquire);
        // SAFETY: the caller's promise; it is not null.
        (!function.is_null()).then(|| unsafe { core::mem::transmute_copy(&function) })
    }

    /// The profiler's handle of a domain.
    fn domain(&self, domain: &'static Domain) -> *mut c_void {
        let create = || {
            type Create = unsafe extern "C" fn(*const c_char) -> *mut c_void;
            let name = text(domain.name);
            // SAFETY: the type is `nvtxDomainCreateA`'s; the name lives until the call returns.
            let handle =
                unsafe { self.function::<Create>(DOMAIN_CREATE).map(|f| f(name.as_ptr())) };
            DomainHandle(handle.unwrap_or(null_mut()))
        };
        domain.handle.get_or_init(create).0
    }

    /// Calls a function that takes an event, or its variant for domains, and returns its result.
    ///
    /// # Safety
    /// Both slots' functions take the event last, the second one the domain first, and return `R`.
    unsafe fn event<R: Copy>(
        &self,
        (plain, of_domain): ((usize, usize), (usize, usize)),
        domain: Option<&'static Domain>,
        label: Label<'_>,
    ) -> Option<R> {
        let Label { name, color, category, payload } = label;
        let name = text(name);
        let attributes = Attributes {
            version: NVTX_VERSION,
            size: size_of::<Attributes>() as u16,
            category,
            color_type: if color.is_some() { NVTX_COLOR_ARGB } else { 0 },
            color: color.map_or(0, |rgb| 0xff00_0000 | rgb),
            payload_type: payload.map_or(0, |_| NVTX_PAYLOAD_TYPE_UNSIGNED_INT64),
            reserved: 0,
            payload: payload.unwrap_or(0),
            message_type: NVTX_MESSAGE_TYPE_ASCII,
            message: name.as_ptr(),
        };
        let attributes = &raw const attributes;
        type Plain<R> = unsafe extern "C" fn(*const Attributes) -> R;
        type OfDomain<R> = unsafe extern "C" fn(*mut c_void, *const Attributes) -> R;
        // SAFETY: the caller's promise; the event and its name live until the call returns.
        unsafe {
            match domain {
                None => self.function::<Plain<R>>(plain).map(|f| f(attributes)),
                Some(domain) => {
                    let domain = self.domain(domain);
                    self.function::<OfDomain<R>>(of_domain).map(|f| f(domain, attributes))
                }
            }
        }
    }

    pub(super) fn mark(&self, domain: Option<&'static Domain>, label: Label<'_>) {
        // SAFETY: `nvtxMarkEx`, `nvtxDomainMarkEx`.
        unsafe { self.event::<()>((MARK, DOMAIN_MARK), domain, label) };
    }

    pub(super) fn push(&self, domain: Option<&'static Domain>, label: Label<'_>) {
        // SAFETY: `nvtxRangePushEx`, `nvtxDomainRangePushEx`.
        unsafe { self.event::<c_int>((PUSH, DOMAIN_PUSH), domain, label) };
    }

    pub(super) fn pop(&self, domain: Option<&'static Domain>) {
        type Plain = unsafe extern "C" fn() -> c_int;
        type OfDomain = unsafe extern "C" fn(*mut c_void) -> c_int;
        // SAFETY: the types are those of `nvtxRangePop` and `nvtxDomainRangePop`.
        unsafe {
            match domain {
                None => self.function::<Plain>(POP).map(|f| f()),
                Some(domain) => {
                    self.function::<OfDomain>(DOMAIN_POP).map(|f| f(self.domain(domain)))
                }
            }
        };
    }

    pub(super) fn start(&self, domain: Option<&'static Domain>, label: Label<'_>) -> u64 {
        // SAFETY: `nvtxRangeStartEx`, `nvtxDomainRangeStartEx`.
        unsafe { self.event::<u64>((START, DOMAIN_START), domain, label) }.unwrap_or(0)
    }

    pub(super) fn end(&self, domain: Option<&'static Domain>, id: u64) {
        type Plain = unsafe extern "C" fn(u64);
        type OfDomain = unsafe extern "C" fn(*mut c_void, u64);
        // SAFETY: the types are those of `nvtxRangeEnd` and `nvtxDomainRangeEnd`.
        unsafe {
            match domain {
                None => self.function::<Plain>(END).map(|f| f(id)),
                Some(domain) => {
                    self.function::<OfDomain>(DOMAIN_END).map(|f| f(self.domain(domain), id))
                }
            }
        };
    }

    pub(super) fn name_thread(&self, name: &str) {
        type Name = unsafe extern "C" fn(u32, *const c_char);
        let name = text(name);
        // SAFETY: the type is `nvtxNameOsThreadA`'s; the name lives until the call returns.
        unsafe { self.function::<Name>(NAME_THREAD).map(|f| f(thread_id(), name.as_ptr())) };
    }

    pub(super) fn name_stream(&self, stream: *mut c_void, name: &str) {
        type Name = unsafe extern "C" fn(*mut c_void, *const c_char);
        let name = text(name);
        // SAFETY: the type is `nvtxNameCuStreamA`'s; the name lives until the call returns.
        unsafe { self.function::<Name>(NAME_STREAM).map(|f| f(stream, name.as_ptr())) };
    }
}

/// The calling thread's id in the operating system.
fn thread_id() -> u32 {
    unsafe extern "C" {
        safe fn gettid() -> c_int;
    }
    gettid().cast_unsigned()
}

/// A text up to its first NUL.
fn text(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}
