//! The only code that touches LLVM: small owned types over the C API of rustc's own libLLVM.
//!
//! | file | holds |
//! |---|---|
//! | `table.rs` | the list of LLVM-C functions, looked up at run time |
//! | `context.rs` | [`Context`]: types, attributes, messages |
//! | `module.rs` | [`Module`]: parsing, linking, passes, printing |
//! | `value.rs`, `types.rs`, `block.rs` | [`Value`], [`Type`], [`Block`]: copies of handles, alive as long as their context; what all values have, and constants |
//! | `global.rs`, `instruction.rs` | what only globals, functions, and instructions have |
//! | `numbers.rs` | the numbers of LLVM-C's enumerations |
//! | `known.rs` | what is asked for by name: attributes, intrinsics, metadata, scopes, pipelines |
//! | `builder.rs` | [`Builder`]: new instructions |
//! | `debug_info.rs` | source places of instructions and functions |
//! | `target.rs` | [`Target`]: the NVPTX target machine |
//!
//! Handles carry the lifetime of their [`Context`]. A handle to an instruction or global that was
//! erased must not be used again, as everywhere in LLVM; the passes of this crate collect what
//! they erase first and erase it last.
//!
//! The library is process-wide: [`load`] fills a table once, and everything else reads it. The
//! `SAFETY` reasons below say "live handle" for: the handle came from LLVM, its context is
//! borrowed by the type that holds it, and this crate does not use erased handles.

mod block;
mod builder;
mod calls;
mod context;
mod debug_info;
mod global;
mod instruction;
pub(crate) mod known;
mod loops;
mod module;
mod numbers;
mod table;
mod target;
mod types;
mod value;

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_uint};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub(crate) use block::Block;
pub(crate) use builder::Builder;
pub(crate) use calls::calls_of;
pub(crate) use context::{Attribute, Context};
pub(crate) use debug_info::{Location, Place};
pub(crate) use loops::{Loop, in_order, loops_of};
pub(crate) use module::Module;
pub(crate) use numbers::{Linkage, Opcode, float_predicate, opcode, ordering, predicate, update};
pub(crate) use target::{BASE_PTX, Target};
pub(crate) use types::{Type, TypeKind};
pub(crate) use value::Value;

use serde::{Deserialize, Serialize};
use table::Table;

/// The LLVM major version whose bitcode, intrinsics and NVPTX backend this compiler is tested with.
pub(crate) const SUPPORTED_MAJOR: u32 = 22;

/// LLVM's shared library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Library {
    pub(crate) path: PathBuf,
    /// The major version that rustc says it is.
    pub(crate) major: u32,
}

/// Why LLVM could not be used, or what it said.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LlvmError {
    /// The library does not open.
    #[error("LLVM can't be loaded from {path}: {cause}")]
    Open {
        /// The library's path.
        path: String,
        /// What the loader said.
        cause: String,
    },
    /// A function is missing.
    #[error("rustc's LLVM lacks the function {0}: this version of Ptyx does not work with it")]
    MissingFunction(&'static str),
    /// The library is not the one that rustc names.
    #[error(
        "rustc says that its LLVM is version {expected}, but the library says {found}: install the \
         toolchain again"
    )]
    Version {
        /// The major version that rustc names.
        expected: u32,
        /// The major version found.
        found: u32,
    },
    /// LLVM reported an error.
    #[error("LLVM: {0}")]
    Message(String),
}

/// Settings of LLVM that have no other interface; the first is a program name.
///
/// Loops with known trip counts are unrolled further than by LLVM's default (300), because only then do
/// a thread's larger arrays become registers, and the innermost loop of a matrix product with 8x8
/// results per thread becomes straight-line code. Much more would only make the code longer: a loop of
/// 64 iterations with an exponential each had 2046 machine instructions with a threshold of 2000;
/// nvcc's has 256.
///
/// Loops with run-time trip counts are unrolled up to a quarter of that, as by default; but LLVM takes the quarter of its
/// own default.
///
/// Loops are copied if they have up to 200 instructions, instead of 50: `optimise/version_loops.rs` asks for the
/// copies, and limits the loops itself.
///
/// libdevice asks at compile time (`__nvvm_reflect`) whether square roots are to be rounded correctly;
/// they are. Denormals are kept, which is LLVM's default answer.
///
/// Straight-line strength reduction, which the NVPTX backend runs, is wrong in LLVM 22: its new
/// form (llvm/llvm-project#162930) looks through the sign extension of an index and compares the
/// narrow values, as if they could not wrap around.
///
/// Loops with several exits are unrolled with run-time trip counts; `optimise/unroll_checked_loops.rs`
/// decides which.
pub(crate) const OPTIONS: [&CStr; 8] = [
    c"ptyx",
    c"-unroll-threshold=1200",
    c"-unroll-partial-threshold=300",
    c"-unswitch-threshold=200",
    c"-nvvm-reflect-add=__CUDA_PREC_SQRT=1",
    c"-opt-disable=slsr",
    c"-disable-lsr",
    c"-unroll-runtime-multi-exit",
];

static TABLE: OnceLock<Table> = OnceLock::new();

/// The functions of the list that the library at `path` lacks.
pub(crate) fn missing_functions(path: &Path) -> Result<Vec<&'static str>, LlvmError> {
    let library = open(path)?;
    // SAFETY: looked up as addresses, never called.
    let lacks = |name: &&&str| unsafe { library.get::<*const ()>(name.as_bytes()) }.is_err();
    let missing = table::NAMES.iter().filter(lacks).copied().collect();
    // What LLVM's initialisers have left behind must not outlive its code.
    std::mem::forget(library);
    Ok(missing)
}

/// The names of all functions that Ptyx calls.
pub(crate) fn functions() -> &'static [&'static str] {
    table::NAMES
}

fn open(path: &Path) -> Result<libloading::Library, LlvmError> {
    // SAFETY: loading rustc's own LLVM runs its static initialisers, which rustc runs, too.
    unsafe { libloading::Library::new(path) }.map_err(|cause| LlvmError::Open {
        path: path.display().to_string(),
        cause: cause.to_string(),
    })
}

/// Loads LLVM, once per process; later calls do nothing, whatever the library.
pub(crate) fn load(llvm: &Library) -> Result<(), LlvmError> {
    if TABLE.get().is_some() {
        return Ok(());
    }
    let library = open(&llvm.path)?;
    check_version(&library, llvm.major)?;
    // SAFETY: the caller passes the sysroot's libLLVM, and its version is right.
    let table = unsafe { Table::load(&library)? };
    // The table outlives everything, so the library is never closed.
    std::mem::forget(library);
    // SAFETY: plain initialisers, called once here.
    unsafe {
        (table.LLVMInstallFatalErrorHandler)(report_fatal_error);
        let options: Vec<_> = OPTIONS.iter().map(|option| option.as_ptr()).collect();
        (table.LLVMParseCommandLineOptions)(options.len() as i32, options.as_ptr(), c"".as_ptr());
        (table.LLVMInitializeNVPTXTargetInfo)();
        (table.LLVMInitializeNVPTXTarget)();
        (table.LLVMInitializeNVPTXTargetMC)();
        (table.LLVMInitializeNVPTXAsmPrinter)();
    }
    let _ = TABLE.set(table);
    Ok(())
}

/// Asks the library itself, before any other function of it is looked for.
fn check_version(library: &libloading::Library, expected: u32) -> Result<(), LlvmError> {
    const NAME: &str = "LLVMGetVersion";
    type GetVersion = unsafe extern "C" fn(*mut c_uint, *mut c_uint, *mut c_uint);
    // SAFETY: the type is that of LLVM's documentation.
    let get = unsafe { library.get::<GetVersion>(NAME.as_bytes()) };
    let get = get.map_err(|_| LlvmError::MissingFunction(NAME))?;
    let mut found = 0;
    // SAFETY: the arguments are pointers to integers or null, as documented.
    unsafe { get(&mut found, std::ptr::null_mut(), std::ptr::null_mut()) };
    if found == expected { Ok(()) } else { Err(LlvmError::Version { expected, found }) }
}

thread_local! {
    static ACTIVITY: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Says what this thread compiles, for the message of a fatal error.
pub(crate) fn set_activity(what: String) {
    ACTIVITY.set(what);
}

/// LLVM calls this instead of aborting. It can't return, so the worker process ends with a message
/// that its parent turns into a diagnostic (see `worker`).
unsafe extern "C" fn report_fatal_error(reason: *const c_char) {
    // SAFETY: LLVM passes a C string.
    let reason = unsafe { CStr::from_ptr(reason) };
    give_up(&reason.to_string_lossy())
}

/// Ends the worker process with a message.
pub(crate) fn give_up(reason: &str) -> ! {
    let activity = ACTIVITY.with_borrow(Clone::clone);
    let separator = if activity.is_empty() { "" } else { ": " };
    eprintln!("{activity}{separator}{reason}");
    std::process::exit(FATAL_EXIT_CODE);
}

/// The exit code of a worker in which LLVM gave up.
pub(crate) const FATAL_EXIT_CODE: i32 = 86;

/// The table. Only types that exist after [`load`] call it.
fn api() -> &'static Table {
    TABLE.get().expect("llvm::load comes before everything else")
}

/// A C string without inner NULs; what follows one is cut off.
fn c_string(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

/// Takes a string that LLVM allocated.
///
/// # Safety
/// `message` is null or a C string that `LLVMDisposeMessage` may free.
unsafe fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
    // SAFETY: the caller's promise; the text was copied.
    unsafe { (api().LLVMDisposeMessage)(message) };
    text
}

/// Turns an `LLVMErrorRef` into a `Result`.
///
/// # Safety
/// `error` is null or an error that was not consumed yet.
unsafe fn check(error: table::ErrorRef) -> Result<(), LlvmError> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: the caller's promise; the message is copied, then freed by its own function.
    unsafe {
        let message = (api().LLVMGetErrorMessage)(error);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        (api().LLVMDisposeErrorMessage)(message);
        Err(LlvmError::Message(text))
    }
}
