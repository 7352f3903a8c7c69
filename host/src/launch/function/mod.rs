//! Kernels of the user's own modules.

mod args;
#[cfg(not(ptyx_device))]
mod host;
#[cfg(test)]
mod tests;

pub use args::{FunctionArg, FunctionArgs};

use super::compiled::Occupancy;
use super::config::LaunchConfig;
use crate::device_api::{CachePreference, SharedBanks};
use crate::driver::Failure;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::module::{self, FunctionAttributes, Module, preferences};
use core::fmt;
use core::hash::{Hash, Hasher};
use core::panic::Location;
use core::sync::atomic::AtomicBool;
use std::sync::Arc;

/// The result of `work` on the host; in the device pass, opaquely, an error.
macro_rules! on_the_host {
    ($work:expr) => {{
        #[cfg(not(ptyx_device))]
        let result = $work;
        #[cfg(ptyx_device)]
        let result = core::hint::black_box(Err(crate::Error::DevicePass));
        result
    }};
}

/// A kernel of a [`Module`], from any compiler. It keeps the module loaded.
///
/// A clone is the same function; functions are equal if they are the same kernel of the same module.
///
/// ```
/// use ptyx::{DeviceBuffer, LaunchConfig, Module};
/// const ADD_ONE: &str = ".version 6.3\n.target sm_70\n.address_size 64
///     .visible .entry add_one(.param .u64 numbers)
///     {
///         .reg .b32 %r<2>;
///         .reg .b64 %rd<4>;
///         ld.param.u64 %rd1, [numbers];
///         mov.u32 %r1, %tid.x;
///         mul.wide.u32 %rd2, %r1, 4;
///         add.s64 %rd3, %rd1, %rd2;
///         ld.global.u32 %r1, [%rd3];
///         add.s32 %r1, %r1, 1;
///         st.global.u32 [%rd3], %r1;
///         ret;
///     }";
/// let add_one = Module::from_ptx(ADD_ONE)?.function("add_one")?;
/// let mut numbers = DeviceBuffer::from_slice(&[1u32, 2, 3])?;
/// let config = LaunchConfig::new().threads(3);
/// // SAFETY: the kernel takes an address, and each of the three threads changes one number there.
/// unsafe { add_one.launch(config, (&mut numbers,))? };
/// assert_eq!(numbers.to_vec()?, [2, 3, 4]);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone)]
pub struct Function(Arc<Inner>);

struct Inner {
    module: Module,
    handle: CUfunction,
    name: String,
    /// The size of each parameter in bytes, if the driver knows.
    params: Option<Vec<usize>>,
    /// Launches may ask for all shared memory.
    shared_ready: AtomicBool,
    /// Static shared memory, in bytes.
    static_shared: u32,
    #[cfg(not(ptyx_device))]
    limits: std::sync::OnceLock<super::explain::Limits>,
    /// What was noted of its last launch.
    launched: crate::launched::Place,
}

impl Module {
    /// A kernel of the module
    /// ([`cuModuleGetFunction`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html)).
    ///
    /// ```
    /// let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
    /// let module = ptyx::Module::from_ptx(ptx)?;
    /// let nothing = module.function("nothing")?;
    /// assert_eq!(nothing, module.function("nothing")?);
    /// assert!(matches!(module.function("none"), Err(ptyx::Error::NotFound { .. })));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound), with the names of the module's kernels if the driver is 12.4 or newer;
    /// [`Error::BadName`](crate::Error::BadName) if the name contains a NUL byte.
    #[doc(alias = "cudaLibraryGetKernel")]
    pub fn function(&self, name: &str) -> Result<Function> {
        self.context().bind()?;
        match module::function(self.context(), self.handle(), name) {
            Ok(handle) => Function::of(self, handle, name.to_owned()),
            // The error lists the names: those from CUDA C++ are mangled, unless they are `extern "C"`.
            Err(Error::NotFound { kind, name, .. }) => {
                let others = self.function_names().unwrap_or_default().into();
                Err(Error::NotFound { kind, name, others })
            }
            Err(error) => Err(error),
        }
    }

    /// All kernels of the module, in no particular order
    /// ([`cuModuleEnumerateFunctions`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html), from CUDA 12.4 on).
    ///
    /// ```
    /// let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
    /// let module = ptyx::Module::from_ptx(ptx)?;
    /// let names: Vec<String> = module.functions()?.iter().map(|f| f.name().to_owned()).collect();
    /// assert_eq!(names, ["nothing"]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) if the driver is older.
    #[doc(alias = "cudaLibraryEnumerateKernels")]
    pub fn functions(&self) -> Result<Vec<Function>> {
        let driver = self.context().driver;
        let named = |handle| {
            // SAFETY: the function's module is loaded.
            let name = unsafe { driver.entry_name(handle) }?;
            Function::of(self, handle, name)
        };
        self.function_handles()?.into_iter().map(named).collect()
    }

    fn function_names(&self) -> Result<Vec<String>> {
        // SAFETY: the functions' module is loaded.
        let name = |handle| Ok(unsafe { self.context().driver.entry_name(handle) }?);
        self.function_handles()?.into_iter().map(name).collect()
    }

    fn function_handles(&self) -> Result<Vec<CUfunction>> {
        self.context().bind()?;
        let driver = self.context().driver;
        let mut count = 0;
        // SAFETY: the place is valid, the module is loaded.
        unsafe { driver.cuModuleGetFunctionCount(&mut count, self.handle()) }?;
        let mut handles = vec![CUfunction::NULL; count as usize];
        if count > 0 {
            // SAFETY: as many places as the driver is told.
            unsafe {
                driver.cuModuleEnumerateFunctions(handles.as_mut_ptr(), count, self.handle())
            }?;
        }
        Ok(handles)
    }
}

impl Function {
    fn of(module: &Module, handle: CUfunction, name: String) -> Result<Function> {
        let context = module.context();
        let shared = module::attribute(context, handle, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?;
        Ok(Function(Arc::new(Inner {
            module: module.clone(),
            handle,
            name,
            params: parameters(module, handle)?,
            shared_ready: AtomicBool::new(false),
            static_shared: shared.unsigned_abs(),
            #[cfg(not(ptyx_device))]
            limits: std::sync::OnceLock::new(),
            launched: crate::launched::Place::new(),
        })))
    }

    /// The kernel's name in its module. C++ compilers encode parameters in it.
    ///
    /// ```
    /// # let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
    /// # let module = ptyx::Module::from_ptx(ptx)?;
    /// assert_eq!(module.function("nothing")?.name(), "nothing");
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The module that it belongs to.
    ///
    /// ```
    /// # let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
    /// # let module = ptyx::Module::from_ptx(ptx)?;
    /// assert_eq!(*module.function("nothing")?.module(), module);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn module(&self) -> &Module {
        &self.0.module
    }

    /// The size of each parameter in bytes, as
    /// [`cuFuncGetParamInfo`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html) returns it (from CUDA 12.4
    /// on); `None` if the driver is older. Launches check the sizes of their arguments against it.
    ///
    /// ```
    /// let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u32 b) { ret; }";
    /// let sizes = ptyx::Module::from_ptx(ptx)?.function("k")?.parameter_bytes().map(<[usize]>::to_vec);
    /// assert!(sizes.is_none_or(|sizes| sizes == [8, 4]));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn parameter_bytes(&self) -> Option<&[usize]> {
        self.0.params.as_deref()
    }

    /// Its registers, memory and limits ([`cuFuncGetAttribute`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html)).
    ///
    /// ```
    /// # let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
    /// # let nothing = ptyx::Module::from_ptx(ptx)?.function("nothing")?;
    /// assert_eq!(nothing.attributes()?.shared_bytes, 0);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias = "cudaFuncGetAttributes")]
    pub fn attributes(&self) -> Result<FunctionAttributes> {
        FunctionAttributes::of(self.0.module.context(), self.0.handle)
    }

    /// Sets the preferred shared memory *carveout*: how much of the memory that L1 cache and shared memory share should
    /// be shared memory, in percent of the largest possible; `None` lets the driver decide. It is a hint
    /// (`CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT` of [`cuFuncSetAttribute`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html)).
    ///
    /// The limit of dynamic shared memory need not be set: launches raise it to what they need.
    ///
    /// ```
    /// # let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
    /// # let nothing = ptyx::Module::from_ptx(ptx)?.function("nothing")?;
    /// nothing.set_shared_carveout(Some(50))?;
    /// assert_eq!(nothing.attributes()?.shared_carveout, Some(50));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) for more than 100.
    #[doc(alias = "cudaFuncSetAttribute")]
    pub fn set_shared_carveout(&self, percent: Option<u32>) -> Result<()> {
        preferences::set_shared_carveout(self.0.module.context(), self.0.handle, percent)
    }

    #[cfg(not(ptyx_device))]
    fn set_attribute(&self, attribute: CUfunction_attribute, value: i32) -> Result<(), Failure> {
        let context = self.0.module.context();
        context.bind()?;
        // SAFETY: the function's module is loaded.
        unsafe { context.driver.cuFuncSetAttribute(self.0.handle, attribute, value) }
    }

    /// Sets whether the kernel prefers L1 cache or shared memory, on devices where both share one memory
    /// ([`cuFuncSetCacheConfig`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html)). It is a hint.
    ///
    /// ```
    /// # let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
    /// # let nothing = ptyx::Module::from_ptx(ptx)?.function("nothing")?;
    /// nothing.set_cache_preference(ptyx::CachePreference::L1)?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias = "cudaFuncSetCacheConfig")]
    pub fn set_cache_preference(&self, preference: CachePreference) -> Result<()> {
        preferences::set_cache_preference(self.0.module.context(), self.0.handle, preference)
    }

    /// Sets how wide the banks of shared memory are for the kernel
    /// ([`cuFuncSetSharedMemConfig`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html), deprecated since
    /// CUDA 12.4). Devices since compute capability 5.0 ignore it.
    ///
    /// ```
    /// # let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
    /// # let nothing = ptyx::Module::from_ptx(ptx)?.function("nothing")?;
    /// nothing.set_shared_banks(ptyx::SharedBanks::EightBytes)?; // for shared memory of `f64`
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias = "cudaFuncSetSharedMemConfig")]
    pub fn set_shared_banks(&self, banks: SharedBanks) -> Result<()> {
        preferences::set_shared_banks(self.0.module.context(), self.0.handle, banks)
    }

    /// How many bytes of dynamic shared memory a block of `threads` threads can have if a multiprocessor is to run `blocks`
    /// of them at once
    /// ([`cuOccupancyAvailableDynamicSMemPerBlock`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__OCCUPANCY.html)).
    ///
    /// ```
    /// # let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
    /// # let nothing = ptyx::Module::from_ptx(ptx)?.function("nothing")?;
    /// // Two blocks of 256 threads on each multiprocessor: each can have half of its shared memory, or less.
    /// let bytes = nothing.available_shared(2, 256)?;
    /// assert!(bytes <= nothing.available_shared(1, 256)?);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias = "cudaOccupancyAvailableDynamicSMemPerBlock")]
    pub fn available_shared(&self, blocks: u32, threads: u32) -> Result<usize> {
        let _ = (blocks, threads);
        on_the_host!(host::available_shared(self, blocks, threads))
    }

    /// How many blocks of `threads` threads, each with `shared_bytes` bytes of dynamic shared memory, one
    /// multiprocessor runs at once ([`cuOccupancyMaxActiveBlocksPerMultiprocessor`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__OCCUPANCY.html)).
    ///
    /// ```
    /// # let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
    /// # let nothing = ptyx::Module::from_ptx(ptx)?.function("nothing")?;
    /// assert!(nothing.active_blocks(256, 0)? >= 1);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias = "cudaOccupancyMaxActiveBlocksPerMultiprocessor")]
    pub fn active_blocks(&self, threads: u32, shared_bytes: usize) -> Result<u32> {
        let _ = (threads, shared_bytes);
        on_the_host!(host::active_blocks(self, threads, shared_bytes))
    }

    /// The share of a multiprocessor's warps that run at once with blocks of `threads` threads, each with `shared_bytes`
    /// bytes of dynamic shared memory, from 0 to 1: the *occupancy*. A warp that is only partly filled counts in full.
    ///
    /// ```
    /// # let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
    /// # let nothing = ptyx::Module::from_ptx(ptx)?.function("nothing")?;
    /// assert!((0.0..=1.0).contains(&nothing.occupancy_fraction(256, 0)?));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    pub fn occupancy_fraction(&self, threads: u32, shared_bytes: usize) -> Result<f64> {
        let _ = (threads, shared_bytes);
        on_the_host!(host::occupancy_fraction(self, threads, shared_bytes))
    }

    /// A shape that fills the device: the block size with which the most threads run at once, up to `most`
    /// threads, and blocks for all multiprocessors ([`cuOccupancyMaxPotentialBlockSize`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__OCCUPANCY.html)).
    /// `shared_bytes` returns how many bytes of dynamic shared memory a block of the given number of threads
    /// needs.
    ///
    /// ```
    /// # let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
    /// # let nothing = ptyx::Module::from_ptx(ptx)?.function("nothing")?;
    /// let shape = nothing.occupancy(|threads| threads as usize * 4, Some(512))?;
    /// assert!(shape.threads <= 512);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias = "cudaOccupancyMaxPotentialBlockSize")]
    pub fn occupancy(
        &self,
        shared_bytes: impl Fn(u32) -> usize,
        most: Option<u32>,
    ) -> Result<Occupancy> {
        let _ = (&shared_bytes, most);
        on_the_host!(host::occupancy(self, &shared_bytes, most))
    }

    /// Launches the kernel ([`cuLaunchKernel`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html)).
    ///
    /// `args` is a tuple with an argument for each parameter; `args!` makes one of structs and arrays, too. Buffers
    /// are passed as the address of their first element, everything else as its bytes: see [`FunctionArg`]. The
    /// launch is ordered with other uses of these buffers, as `launch!` does it: a `&` buffer is read, a `&mut`
    /// buffer written. Number and sizes of the arguments are checked if the driver knows the parameters
    /// ([`Function::parameter_bytes`]). The stream is that of `config`, or else the thread's default stream on the
    /// module's device.
    ///
    /// ```
    /// # const PTX: &str = ".version 6.3\n.target sm_70\n.address_size 64
    /// #     .visible .entry set(.param .u64 to, .param .u32 value)
    /// #     { .reg .b32 %r; .reg .b64 %rd; ld.param.u64 %rd, [to]; ld.param.u32 %r, [value]; st.global.u32 [%rd], %r; ret; }";
    /// use ptyx::{DeviceBuffer, Error, LaunchConfig, Module};
    /// let set = Module::from_ptx(PTX)?.function("set")?; // set(.param .u64 to, .param .u32 value)
    /// let mut number = DeviceBuffer::<u32>::zeroed(1)?;
    /// // SAFETY: one thread sets one number.
    /// unsafe { set.launch(LaunchConfig::new(), (&mut number, 5u32))? };
    /// assert_eq!(number.to_vec()?, [5]);
    /// // SAFETY: as above.
    /// let error = unsafe { set.launch(LaunchConfig::new(), (&mut number, 5u64)) }.unwrap_err();
    /// assert!(matches!(error, Error::ArgumentSize { index: 1, expected: 4, found: 8, .. }));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ArgumentCount`](crate::Error::ArgumentCount), [`Error::ArgumentSize`](crate::Error::ArgumentSize); [`Error::Launch`](crate::Error::Launch) if the device can't do it, or for knobs
    /// in `config`, which belong in [`ModuleOptions`](crate::ModuleOptions); a stream or a buffer of another device.
    ///
    /// # Safety
    /// The arguments must have the types that the kernel's parameters have. The kernel may access only the buffers that are
    /// passed, and other memory that lives until it has ended and that nothing else uses meanwhile. It must not write to
    /// `&` arguments, and must leave valid values of the element type in each buffer.
    #[doc(alias = "cudaLaunchKernel")]
    #[track_caller]
    pub unsafe fn launch<A: FunctionArgs>(&self, config: LaunchConfig<'_>, args: A) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { args.launch(self, &config, Location::caller()) }
    }

    /// The driver's handle (`CUfunction`), for use with other libraries. It is valid while the module is loaded.
    ///
    /// ```
    /// # let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
    /// # let nothing = ptyx::Module::from_ptx(ptx)?.function("nothing")?;
    /// assert!(!nothing.raw().is_null());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn raw(&self) -> *mut core::ffi::c_void {
        self.0.handle.0
    }
}

/// The size of each parameter, if the driver knows.
fn parameters(module: &Module, handle: CUfunction) -> Result<Option<Vec<usize>>> {
    let driver = module.context().driver;
    let mut sizes = Vec::new();
    loop {
        let (mut offset, mut size) = (0, 0);
        // SAFETY: both places are valid, and the function's module is loaded.
        match unsafe { driver.cuFuncGetParamInfo(handle, sizes.len(), &mut offset, &mut size) } {
            Ok(()) => sizes.push(size),
            // There is no parameter of this number.
            Err(Failure { code: CUDA_ERROR_INVALID_VALUE, .. }) => return Ok(Some(sizes)),
            Err(Failure { code: CUDA_ERROR_NOT_SUPPORTED, .. }) => return Ok(None),
            Err(failure) => return Err(failure.into()),
        }
    }
}

impl PartialEq for Function {
    fn eq(&self, other: &Function) -> bool {
        self.0.module == other.0.module && self.0.handle == other.0.handle
    }
}

impl Eq for Function {}

impl Hash for Function {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.module.hash(state);
        self.0.handle.0.hash(state);
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Function({}, {:?})", self.0.name, self.0.module)
    }
}
