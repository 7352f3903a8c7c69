//! Modules: code that the driver has loaded.

mod attributes;
mod global;
mod image;
mod jit;
mod linker;
#[cfg(test)]
mod nvcc_tests;
mod options;
pub(crate) mod preferences;

pub use attributes::FunctionAttributes;
pub use global::ModuleGlobal;
pub use linker::{LinkInput, Linker};
pub use options::ModuleOptions;

use crate::context::{Context, after_host_function};
use crate::driver::Failure;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::memory::tracker::{Access, Tracker};
use core::fmt;
use core::hash::{Hash, Hasher};
use image::CodeBytes;
use jit::Jit;
use ptyx_device::DeviceCopy;
use std::ffi::CString;
use std::path::Path;
use std::sync::Arc;

/// Has the driver assemble PTX. The context must be bound. `keep` is the option that makes its
/// assembler keep debug information, if there is any.
pub(crate) fn load(
    context: &Context,
    ptx: &str,
    keep: Option<u32>,
    what: &str,
) -> Result<CUmodule> {
    let code = CodeBytes::ptx(ptx, what)?;
    let is_debug = context.driver.checks();
    // Lines of the source for tools that look at a fault.
    let keep = keep.or(is_debug.then_some(CU_JIT_GENERATE_LINE_INFO));
    let mut jit = Jit::keeping(keep, is_debug);
    let module = load_code(context, &code, &mut jit, what)?;
    if is_debug {
        for line in jit.info().lines() {
            eprintln!("ptyx: PTYX_DEBUG: {what}: {}", line.trim());
        }
    }
    Ok(module)
}

/// Has the driver load machine code. The context must be bound.
pub(crate) fn load_machine_code(context: &Context, code: &[u8], what: &str) -> Result<CUmodule> {
    let code = CodeBytes::any(code, what)?;
    load_code(context, &code, &mut Jit::keeping(None, false), what)
}

/// Has the driver load code. The context must be bound.
fn load_code(context: &Context, code: &CodeBytes, jit: &mut Jit, what: &str) -> Result<CUmodule> {
    let (_relaxed, mut module) = (context.driver.relaxed(), CUmodule::NULL);
    // SAFETY: text ends with NUL, and machine code is as long as its header says; there is a value for each option.
    let loaded = unsafe {
        let (count, options, values) = jit.options();
        context.driver.cuModuleLoadDataEx(&mut module, code.as_ptr(), count, options, values)
    };
    match loaded {
        Ok(()) => Ok(module),
        Err(failure) => Err(jit.error(context, failure, what)),
    }
}

/// The address and size of a module's global variable, if it has it.
pub(crate) fn global(
    context: &Context,
    module: CUmodule,
    name: &str,
) -> Result<Option<(CUdeviceptr, usize)>> {
    let symbol = c_name(name)?;
    let (mut address, mut bytes) = (0, 0);
    // SAFETY: the places are valid, the name ends with NUL, the module is loaded.
    let found = unsafe {
        context.driver.cuModuleGetGlobal(&mut address, &mut bytes, module, symbol.as_ptr())
    };
    match found {
        Ok(()) => Ok(Some((address, bytes))),
        Err(Failure { code: CUDA_ERROR_NOT_FOUND, .. }) => Ok(None),
        Err(failure) => Err(failure.into()),
    }
}

/// A module's entry of this name.
pub(crate) fn function(context: &Context, module: CUmodule, name: &str) -> Result<CUfunction> {
    let symbol = c_name(name)?;
    let mut function = CUfunction::NULL;
    // SAFETY: the place is valid, the name ends with NUL, the module is loaded.
    let found =
        unsafe { context.driver.cuModuleGetFunction(&mut function, module, symbol.as_ptr()) };
    match found {
        Ok(()) => Ok(function),
        Err(Failure { code: CUDA_ERROR_NOT_FOUND, .. }) => {
            Err(Error::NotFound { kind: "entry", name: name.to_owned(), others: [].into() })
        }
        Err(failure) => Err(failure.into()),
    }
}

/// An attribute of a function, by its number in `cuda.h`.
pub(crate) fn attribute(
    context: &'static Context,
    function: CUfunction,
    number: u32,
) -> Result<i32> {
    context.bind()?;
    let mut value = 0;
    // SAFETY: the place is valid, the function's module is loaded.
    unsafe { context.driver.cuFuncGetAttribute(&mut value, number, function) }?;
    Ok(value)
}

fn c_name(name: &str) -> Result<CString> {
    CString::new(name).map_err(|_| Error::BadName { name: name.to_owned() })
}

/// Code that the driver has loaded for a device: PTX that it has assembled, or machine code.
///
/// A clone is the same module, and two modules are equal if one is a clone of the other: loading a text twice gives
/// two modules, with variables of their own. The module is unloaded when the last clone is dropped and no
/// [`Function`](crate::Function) or [`ModuleGlobal`] of it is left, after the kernels that were launched from it.
///
/// ```
/// let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
/// let module = ptyx::Module::from_ptx(ptx)?;
/// assert!(module.function("nothing")?.attributes()?.max_threads >= 32);
/// assert!(module == module.clone() && module != ptyx::Module::from_ptx(ptx)?);
/// assert!(ptyx::Module::from_ptx("no PTX").is_err());
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone)]
pub struct Module(Arc<Inner>);

/// A loaded module.
struct Inner {
    handle: CUmodule,
    context: &'static Context,
    /// Launches of its functions are noted as reading byte 0, accesses to its variables as writing it.
    tracker: Tracker,
    /// What the assembler said.
    log: String,
}

impl Module {
    /// Has the driver assemble PTX for the thread's device ([`cuModuleLoadDataEx`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html)).
    ///
    /// ```
    /// use ptyx::{Error, Module};
    /// Module::from_ptx(".version 6.3\n.target sm_70\n.address_size 64\n")?;
    /// let error = Module::from_ptx(".version 6.3\n.target sm_70\nnonsense\n").unwrap_err();
    /// assert!(matches!(error, Error::Assembler { .. }));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Assembler`] with the assembler's log; no usable device.
    #[doc(alias = "cudaLibraryLoadData")]
    pub fn from_ptx(ptx: &str) -> Result<Module> {
        ModuleOptions::new().load_ptx(ptx)
    }

    /// Loads a file with PTX or machine code for the thread's device: see [`Module::from_image`].
    ///
    /// ```
    /// let path = std::env::temp_dir().join(format!("ptyx-doc-{}.ptx", std::process::id()));
    /// std::fs::write(&path, ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }").unwrap();
    /// let module = ptyx::Module::from_file(&path)?;
    /// assert_eq!(module.function("nothing")?.name(), "nothing");
    /// # std::fs::remove_file(&path).unwrap();
    /// assert!(matches!(ptyx::Module::from_file("no/such/file"), Err(ptyx::Error::ModuleImage { .. })));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ModuleImage`] if the file can't be read; those of [`Module::from_image`].
    #[doc(alias = "cuModuleLoad")]
    #[doc(alias = "cudaLibraryLoadFromFile")]
    pub fn from_file(path: impl AsRef<Path>) -> Result<Module> {
        ModuleOptions::new().load_file(path)
    }

    /// Loads PTX or machine code (a cubin or a fat binary; the bytes say what they are) for the thread's device
    /// ([`cuModuleLoadDataEx`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html)). The bytes are copied.
    ///
    /// ```
    /// use ptyx::{Error, Module};
    /// let ptx = b".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }\0";
    /// Module::from_image(ptx)?.function("nothing")?;
    /// let cut_off = Module::from_image(b"\x7fELF").unwrap_err();
    /// assert!(matches!(cut_off, Error::ModuleImage { .. }));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ModuleImage`] if the bytes are neither, or end too early; [`Error::Assembler`] with the assembler's
    /// log; [`Error::Driver`] if the device does not run the code; no usable device.
    #[doc(alias = "cuModuleLoadData")]
    #[doc(alias = "cuModuleLoadFatBinary")]
    pub fn from_image(image: &[u8]) -> Result<Module> {
        ModuleOptions::new().load_image(image)
    }

    /// Loads code with these options.
    fn new(
        context: &'static Context,
        code: &CodeBytes,
        mut jit: Jit,
        what: &str,
    ) -> Result<Module> {
        context.bind()?;
        let handle = load_code(context, code, &mut jit, what)?;
        let tracker = Tracker::default();
        Ok(Module(Arc::new(Inner { handle, context, tracker, log: jit.info() })))
    }

    /// The assembler's log; empty unless [`ModuleOptions::verbose`] was set.
    ///
    /// ```
    /// use ptyx::ModuleOptions;
    /// let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
    /// let module = ModuleOptions::new().verbose(true).load_ptx(ptx)?;
    /// assert!(module.log().contains("nothing"));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn log(&self) -> &str {
        &self.0.log
    }

    /// A global variable, as elements of type `T`
    /// ([`cuModuleGetGlobal`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html)).
    ///
    /// ```
    /// use ptyx::{Error, Module};
    /// let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .global .align 4 .f32 table[3];";
    /// let module = Module::from_ptx(ptx)?;
    /// let table = module.global::<f32>("table")?;
    /// table.copy_from_slice(&[1.0, 2.0, 3.0])?;
    /// assert_eq!(table.to_vec()?, [1.0, 2.0, 3.0]);
    /// assert!(matches!(module.global::<f64>("table"), Err(Error::GlobalSize { bytes: 12, .. })));
    /// assert!(matches!(module.global::<f32>("none"), Err(Error::NotFound { .. })));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::BadName`] if the name contains a NUL byte; [`Error::GlobalSize`] if the
    /// variable does not consist of whole elements.
    #[doc(alias = "cudaGetSymbolAddress")]
    #[doc(alias = "cudaGetSymbolSize")]
    #[doc(alias = "cudaLibraryGetGlobal")]
    pub fn global<T: DeviceCopy>(&self, name: &str) -> Result<ModuleGlobal<T>> {
        ModuleGlobal::find(self, name)
    }

    /// The index of the module's device.
    ///
    /// ```
    /// let module = ptyx::Module::from_ptx(".version 6.3\n.target sm_70\n.address_size 64\n")?;
    /// assert_eq!(module.device_index(), ptyx::Device::default()?.index());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn device_index(&self) -> u32 {
        self.0.context.ordinal
    }

    /// The driver's handle (`CUmodule`), for use with other libraries. It is valid while the module is loaded.
    ///
    /// ```
    /// let module = ptyx::Module::from_ptx(".version 6.3\n.target sm_70\n.address_size 64\n")?;
    /// assert!(!module.raw().is_null());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn raw(&self) -> *mut core::ffi::c_void {
        self.0.handle.0
    }

    pub(crate) fn handle(&self) -> CUmodule {
        self.0.handle
    }

    pub(crate) fn context(&self) -> &'static Context {
        self.0.context
    }

    /// Who uses it.
    pub(crate) fn tracker(&self) -> &Tracker {
        &self.0.tracker
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let (context, handle) = (self.context, self.handle);
        let tracker = core::mem::take(&mut self.tracker);
        after_host_function(move || {
            if context.bind().is_ok() {
                tracker.finish(0..1, Access::Write);
                let _relaxed = context.driver.relaxed();
                // SAFETY: this was the last handle, and nothing of the module runs any more.
                let _ = unsafe { context.driver.cuModuleUnload(handle) };
            }
        });
    }
}

impl PartialEq for Module {
    fn eq(&self, other: &Module) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Module {}

impl Hash for Module {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Module(device {}, {:?})", self.0.context.ordinal, self.0.handle)
    }
}
