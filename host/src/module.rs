//! Modules: PTX that the driver has assembled.

use crate::context::Context;
use crate::driver::Failure;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::runtime::current;
use core::ffi::c_void;
use core::fmt;
use std::ffi::CString;

/// The size of the buffer for each of the assembler's logs.
const LOG_BYTES: usize = 16 * 1024;

/// Has the driver assemble PTX. The context must be bound. `keep` is the option that makes its
/// assembler keep debug information, if there is any.
pub(crate) fn load(
    context: &Context,
    ptx: &str,
    keep: Option<u32>,
    what: &str,
) -> Result<CUmodule> {
    let text = CString::new(ptx).map_err(|_| Error::Assembler {
        what: what.to_owned(),
        name: "invalid text".to_owned(),
        text: "the PTX holds a NUL byte".to_owned(),
        log: String::new(),
    })?;
    let mut errors = vec![0u8; LOG_BYTES];
    let mut infos = vec![0u8; LOG_BYTES];
    let mut options = [
        CU_JIT_ERROR_LOG_BUFFER,
        CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        CU_JIT_INFO_LOG_BUFFER,
        CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
        keep.unwrap_or(CU_JIT_GENERATE_LINE_INFO),
    ];
    // Numbers are passed in the pointer's own bits.
    let number = core::ptr::without_provenance_mut::<c_void>;
    let (size, kept) = (number(LOG_BYTES), number(usize::from(keep.is_some())));
    let mut values = [errors.as_mut_ptr().cast(), size, infos.as_mut_ptr().cast(), size, kept];
    let mut module = CUmodule::NULL;
    // SAFETY: the text ends with NUL; `values` has a value of the right kind for each of `options`,
    // and the buffers have the sizes given.
    let loaded = unsafe {
        context.driver.cuModuleLoadDataEx(
            &mut module,
            text.as_ptr().cast(),
            options.len() as u32,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        )
    };
    let Err(Failure { call, code }) = loaded else { return Ok(module) };
    let log = [errors, infos].map(|log| {
        let end = log.iter().position(|&byte| byte == 0).unwrap_or(log.len());
        String::from_utf8_lossy(&log[..end]).trim().to_owned()
    });
    let log = log.join("\n").trim().to_owned();
    if log.is_empty()
        && !matches!(code, CUDA_ERROR_INVALID_PTX | CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
    {
        return Err(Failure { call, code }.into());
    }
    Err(Error::Assembler {
        what: what.to_owned(),
        name: context.driver.error_name(code),
        text: context.driver.error_string(code),
        log,
    })
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
            Err(Error::NotFound { kind: "entry", name: name.to_owned() })
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

/// PTX that the driver has assembled for a device. Dropping it unloads it.
///
/// ```
/// let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
/// let module = ptyx::Module::from_ptx(ptx)?;
/// assert!(module.function_attributes("nothing")?.max_threads >= 32);
/// assert!(ptyx::Module::from_ptx("no PTX").is_err());
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct Module {
    handle: CUmodule,
    context: &'static Context,
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
    pub fn from_ptx(ptx: &str) -> Result<Module> {
        let context = current()?;
        context.bind()?;
        Ok(Module { handle: load(context, ptx, None, "the module")?, context })
    }

    /// The address on the device and the size in bytes of a global variable
    /// ([`cuModuleGetGlobal`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html)).
    ///
    /// ```
    /// let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .global .b32 table[4];";
    /// let module = ptyx::Module::from_ptx(ptx)?;
    /// let (address, bytes) = module.global("table")?;
    /// assert!(address != 0 && bytes == 16);
    /// assert!(matches!(module.global("none"), Err(ptyx::Error::NotFound { .. })));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::BadName`] if the name contains a NUL byte.
    pub fn global(&self, name: &str) -> Result<(u64, usize)> {
        self.context.bind()?;
        global(self.context, self.handle, name)?
            .ok_or_else(|| Error::NotFound { kind: "global", name: name.to_owned() })
    }

    /// What the assembler reports about an entry.
    ///
    /// ```
    /// let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
    /// let attributes = ptyx::Module::from_ptx(ptx)?.function_attributes("nothing")?;
    /// assert_eq!(attributes.shared_bytes, 0);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::BadName`] if the name contains a NUL byte.
    pub fn function_attributes(&self, name: &str) -> Result<FunctionAttributes> {
        self.context.bind()?;
        let function = function(self.context, self.handle, name)?;
        FunctionAttributes::of(self.context, function)
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        if self.context.bind().is_ok() {
            // SAFETY: this was the last handle, and nothing of the module runs: it can't be
            // launched from here.
            let _ = unsafe { self.context.driver.cuModuleUnload(self.handle) };
        }
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Module(device {}, {:?})", self.context.ordinal, self.handle)
    }
}

/// What the assembler reports about a kernel ([`cuFuncGetAttribute`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html)).
///
/// ```
/// let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
/// let attributes = ptyx::Module::from_ptx(ptx)?.function_attributes("nothing")?;
/// println!("{} registers, {} bytes of stack", attributes.registers, attributes.local_bytes);
/// assert!(attributes.registers > 0);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FunctionAttributes {
    /// 32-bit registers of each thread.
    pub registers: u32,
    /// Static shared memory of a block, in bytes.
    pub shared_bytes: u32,
    /// Local memory of each thread, in bytes.
    pub local_bytes: u32,
    /// Constant memory, in bytes.
    pub constant_bytes: u32,
    /// The largest block that it can be launched with, in threads.
    pub max_threads: u32,
    /// The architecture that the PTX is for, as the driver reports it: 70 for `sm_70`.
    pub ptx_version: u32,
    /// The architecture of the machine code, times ten.
    pub binary_version: u32,
}

impl FunctionAttributes {
    pub(crate) fn of(context: &'static Context, function: CUfunction) -> Result<Self> {
        let get = |number| Ok::<_, Error>(attribute(context, function, number)?.unsigned_abs());
        Ok(FunctionAttributes {
            registers: get(CU_FUNC_ATTRIBUTE_NUM_REGS)?,
            shared_bytes: get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?,
            local_bytes: get(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
            constant_bytes: get(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES)?,
            max_threads: get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
            ptx_version: get(CU_FUNC_ATTRIBUTE_PTX_VERSION)?,
            binary_version: get(CU_FUNC_ATTRIBUTE_BINARY_VERSION)?,
        })
    }
}
