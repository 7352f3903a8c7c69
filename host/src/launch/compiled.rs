//! Which kernels this process has assembled, and what is known about them.

#[cfg(not(ptyx_device))]
use super::{reflect, variant, variant::Variant};
use crate::device_api::{CachePreference, SharedBanks};
use crate::error::Result;
use crate::module::FunctionAttributes;
use core::fmt;
use core::hash::{Hash, Hasher};

/// How many kernel variants this process has assembled: one for each kernel instance, set of knobs
/// and device that was launched.
///
/// ```
/// assert_eq!(ptyx::variants_compiled(), 0); // nothing was launched yet
/// ```
pub fn variants_compiled() -> u64 {
    #[cfg(not(ptyx_device))]
    let count = variant::count();
    // Opaque: code that checks the number must stay reachable.
    #[cfg(ptyx_device)]
    let count = core::hint::black_box(0);
    count
}

/// How many modules of kernels this process has loaded as machine code from the cache on disk, without assembling
/// them. The variables `PTYX_CACHE` and `PTYX_CACHE_SIZE` set the cache's folder and maximum size.
///
/// ```
/// assert_eq!(ptyx::modules_from_cache(), 0); // nothing was launched yet
/// ```
pub fn modules_from_cache() -> u64 {
    #[cfg(not(ptyx_device))]
    let count = crate::cache::loaded();
    // Opaque: code that checks the number must stay reachable.
    #[cfg(ptyx_device)]
    let count = core::hint::black_box(0);
    count
}

/// A kernel that this process has assembled.
///
/// Before a launch, the host tests whether its buffers are long enough for the kernel's indices, as far as other arguments and the
/// shape decide these. If they are, the launch runs code without the checks of these indices, which is assembled separately. That
/// is the code that is shown here; [`with_all_checks`](Self::with_all_checks) shows the code that other launches run. What is
/// said of shapes holds for both.
///
/// ```no_run
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn clear(mut numbers: Disjoint<f32>) {
///     for i in thread::grid_stride(numbers.len()) {
///         numbers[i] = 0.0;
///     }
/// }
///
/// let mut numbers = DeviceBuffer::filled(1000, 1.0f32)?;
/// launch!(clear<<<4, 256>>>(&mut numbers), alias = "clear")?;
/// for kernel in ptyx::compiled_kernels()? {
///     assert_eq!(kernel.entry, "clear");
///     println!("{}: {} registers", kernel.kernel, kernel.attributes.registers);
/// }
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct CompiledKernel {
    /// The kernel's `core::any::type_name`.
    pub kernel: String,
    /// The entry's name in the PTX: that of the knob `alias`, if it was given.
    pub entry: String,
    /// The PTX that was assembled, including the directives for its knobs.
    pub ptx: String,
    /// The architecture that the PTX is for, such as `sm_70`.
    pub target: String,
    /// The index of its device.
    pub device_index: u32,
    /// Its registers, memory and limits, as reported by the assembler when this was made.
    pub attributes: FunctionAttributes,
    #[cfg(not(ptyx_device))]
    variant: &'static Variant,
    /// The variant whose code is shown.
    #[cfg(not(ptyx_device))]
    shown: &'static Variant,
}

/// A shape for a launch: enough blocks of the right size to fill a device.
///
/// ```no_run
/// use ptyx::{CompiledKernel, LaunchConfig};
/// fn filling(kernel: &CompiledKernel) -> ptyx::Result<LaunchConfig<'static>> {
///     let shape = kernel.occupancy(|_threads| 0, None)?;
///     Ok(LaunchConfig::new().blocks(shape.blocks).threads(shape.threads))
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Occupancy {
    /// The threads per block with which the most threads run at once.
    pub threads: u32,
    /// The fewest blocks of that size that fill the whole device.
    pub blocks: u32,
}

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

impl CompiledKernel {
    #[cfg(not(ptyx_device))]
    pub(super) fn of(variant: &'static Variant) -> Result<CompiledKernel> {
        CompiledKernel::showing(variant, variant.most_proved()?)
    }

    /// The kernel, of which the code of one variant is shown.
    #[cfg(not(ptyx_device))]
    pub(super) fn showing(
        variant: &'static Variant,
        shown: &'static Variant,
    ) -> Result<CompiledKernel> {
        let mut attributes = shown.attributes()?;
        for level in variant.with_levels()? {
            attributes.max_threads = attributes.max_threads.min(level.attributes()?.max_threads);
        }
        Ok(CompiledKernel {
            kernel: variant.kernel_name(),
            entry: shown.entry().to_owned(),
            ptx: shown.ptx()?,
            target: shown.code().arch.to_string(),
            device_index: variant.context().ordinal,
            attributes,
            variant,
            shown,
        })
    }

    /// The kernel with the code for launches whose checks the host can't prove, such as those with shorter buffers than the
    /// kernel's other arguments say. It is the same code if there is no other.
    ///
    /// ```
    /// for kernel in ptyx::compiled_kernels()? {
    ///     let checked = kernel.with_all_checks()?;
    ///     println!("{}: {} registers", kernel.kernel, kernel.attributes.registers);
    ///     println!("{} registers with all checks", checked.attributes.registers);
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    pub fn with_all_checks(&self) -> Result<CompiledKernel> {
        on_the_host!(CompiledKernel::showing(self.variant, self.variant))
    }

    /// The optimised LLVM IR from which the PTX was generated. Dev builds keep it, others on request
    /// (`Build::llvm_ir`, `PTYX_LLVM_IR=1` while building).
    ///
    /// ```
    /// for kernel in ptyx::compiled_kernels()? {
    ///     match kernel.llvm_ir() {
    ///         Ok(text) => println!("{text}"),
    ///         Err(error) => println!("{error}"), // such as a release build that did not keep it
    ///     }
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Reflection`](crate::Error::Reflection) if the build did not keep it.
    pub fn llvm_ir(&self) -> Result<String> {
        on_the_host!(reflect::llvm_ir(self.shown))
    }

    /// The machine code for the device, disassembled.
    ///
    /// The driver assembles the PTX; for the emulated device `ptxas` does. `nvdisasm` or `cuobjdump`
    /// shows the result. Ptyx looks for these NVIDIA tools in `PTYX_PTXAS`, `PTYX_NVDISASM`
    /// and `PTYX_CUOBJDUMP`, on `PATH`, in CUDA installations (`CUDA_HOME`, `CUDA_PATH`,
    /// `/usr/local/cuda`) and in NVIDIA's Python packages.
    ///
    /// ```
    /// for kernel in ptyx::compiled_kernels()? {
    ///     match kernel.sass() {
    ///         Ok(text) => println!("{}: {} lines of machine code", kernel.kernel, text.lines().count()),
    ///         Err(error) => println!("{error}"), // such as no disassembler on this machine
    ///     }
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Reflection`](crate::Error::Reflection) if there is no such program, or it fails.
    pub fn sass(&self) -> Result<String> {
        on_the_host!(reflect::sass(self.shown, &self.ptx))
    }

    /// How many blocks of `threads` threads, each with `shared_bytes` bytes of dynamic shared memory, one
    /// multiprocessor runs at once ([`cuOccupancyMaxActiveBlocksPerMultiprocessor`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__OCCUPANCY.html)).
    ///
    /// ```
    /// for kernel in ptyx::compiled_kernels()? {
    ///     let warps = kernel.active_blocks(256, 0)? * 256 / 32;
    ///     println!("{}: {warps} warps on each multiprocessor", kernel.kernel);
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    pub fn active_blocks(&self, threads: u32, shared_bytes: usize) -> Result<u32> {
        let _ = (threads, shared_bytes);
        on_the_host!(reflect::active_blocks(self.variant, threads, shared_bytes))
    }

    /// The share of a multiprocessor's warps that run at once with blocks of `threads` threads, each with `shared_bytes`
    /// bytes of dynamic shared memory, from 0 to 1: the *occupancy*. A warp that is only partly filled counts in full.
    ///
    /// ```
    /// for kernel in ptyx::compiled_kernels()? {
    ///     println!("{}: {:.0} %", kernel.kernel, 100.0 * kernel.occupancy_fraction(256, 0)?);
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    pub fn occupancy_fraction(&self, threads: u32, shared_bytes: usize) -> Result<f64> {
        let _ = (threads, shared_bytes);
        on_the_host!(reflect::occupancy_fraction(self.variant, threads, shared_bytes))
    }

    /// How many bytes of dynamic shared memory a block of `threads` threads can have if a multiprocessor is to run `blocks`
    /// of them at once
    /// ([`cuOccupancyAvailableDynamicSMemPerBlock`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__OCCUPANCY.html)).
    ///
    /// ```
    /// for kernel in ptyx::compiled_kernels()? {
    ///     let bytes = kernel.available_shared(2, 128)?;
    ///     assert!(kernel.active_blocks(128, bytes)? >= 2);
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias = "cudaOccupancyAvailableDynamicSMemPerBlock")]
    pub fn available_shared(&self, blocks: u32, threads: u32) -> Result<usize> {
        let _ = (blocks, threads);
        on_the_host!(reflect::available_shared(self.variant, blocks, threads))
    }

    /// A shape that fills the device: the block size with which the most threads run at once, up to
    /// `most` threads, and blocks for all multiprocessors ([`cuOccupancyMaxPotentialBlockSize`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__OCCUPANCY.html)).
    /// `shared_bytes` returns how many bytes of dynamic shared memory a block of the given number of threads
    /// needs.
    ///
    /// ```
    /// for kernel in ptyx::compiled_kernels()? {
    ///     // Each thread of a block needs a number in shared memory.
    ///     let shape = kernel.occupancy(|threads| threads as usize * 4, Some(512))?;
    ///     assert!(shape.threads <= 512);
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    pub fn occupancy(
        &self,
        shared_bytes: impl Fn(u32) -> usize,
        most: Option<u32>,
    ) -> Result<Occupancy> {
        let _ = (&shared_bytes, most);
        on_the_host!(reflect::occupancy(self.variant, &shared_bytes, most))
    }

    /// Sets the preferred shared memory *carveout*: how much of the memory that L1 cache and shared memory share should
    /// be shared memory, in percent of the largest possible; `None` lets the driver decide. It is a hint
    /// (`CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT` of [`cuFuncSetAttribute`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html)).
    /// It holds for all later launches of this kernel with these knobs on this device, also by `launch!`.
    ///
    /// The limit of dynamic shared memory need not be set: launches raise it to what they need.
    ///
    /// ```no_run
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn clear(mut numbers: Disjoint<f32>) {
    ///     for i in thread::grid_stride(numbers.len()) {
    ///         numbers[i] = 0.0;
    ///     }
    /// }
    ///
    /// let mut numbers = DeviceBuffer::filled(1000, 1.0f32)?;
    /// let clear = compile!(clear(&mut numbers))?;
    /// clear.set_shared_carveout(Some(0))?; // no shared memory: all of it can be cache
    /// clear.launch(LaunchConfig::new().blocks(4).threads(256), (&mut numbers,))?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) for more than 100.
    #[doc(alias("cudaFuncSetAttribute", "cuFuncSetAttribute"))]
    pub fn set_shared_carveout(&self, percent: Option<u32>) -> Result<()> {
        let _ = percent;
        on_the_host!(self.variant.set_shared_carveout(percent))
    }

    /// Sets whether the kernel prefers L1 cache or shared memory, on devices where both share one memory
    /// ([`cuFuncSetCacheConfig`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html)). It is a hint, and
    /// stands above that of the device ([`Device::set_cache_preference`](crate::Device::set_cache_preference)). It holds
    /// for later launches as [`set_shared_carveout`](Self::set_shared_carveout) does.
    ///
    /// ```
    /// use ptyx::CachePreference;
    /// for kernel in ptyx::compiled_kernels()? {
    ///     if kernel.attributes.shared_bytes == 0 {
    ///         kernel.set_cache_preference(CachePreference::L1)?;
    ///     }
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias("cudaFuncSetCacheConfig", "cuFuncSetCacheConfig"))]
    pub fn set_cache_preference(&self, preference: CachePreference) -> Result<()> {
        let _ = preference;
        on_the_host!(self.variant.set_cache_preference(preference))
    }

    /// Sets how wide the banks of shared memory are for the kernel
    /// ([`cuFuncSetSharedMemConfig`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html), deprecated since
    /// CUDA 12.4). Devices since compute capability 5.0 ignore it.
    ///
    /// ```
    /// for kernel in ptyx::compiled_kernels()? {
    ///     kernel.set_shared_banks(ptyx::SharedBanks::EightBytes)?; // for shared memory of `f64`
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias("cudaFuncSetSharedMemConfig", "cuFuncSetSharedMemConfig"))]
    pub fn set_shared_banks(&self, banks: SharedBanks) -> Result<()> {
        let _ = banks;
        on_the_host!(self.variant.set_shared_banks(banks))
    }
}

/// By identity: handles are equal if they are of the same assembled kernel, for the same device and knobs.
impl PartialEq for CompiledKernel {
    fn eq(&self, other: &Self) -> bool {
        #[cfg(ptyx_device)]
        return self.kernel == other.kernel;
        #[cfg(not(ptyx_device))]
        core::ptr::eq(self.variant, other.variant)
    }
}

impl Eq for CompiledKernel {}

impl Hash for CompiledKernel {
    fn hash<H: Hasher>(&self, state: &mut H) {
        #[cfg(ptyx_device)]
        self.kernel.hash(state);
        #[cfg(not(ptyx_device))]
        core::ptr::hash(self.variant, state);
    }
}

impl fmt::Debug for CompiledKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompiledKernel")
            .field("kernel", &self.kernel)
            .field("entry", &self.entry)
            .field("ptx", &format_args!("{} bytes", self.ptx.len()))
            .field("target", &self.target)
            .field("device_index", &self.device_index)
            .field("attributes", &self.attributes)
            .finish()
    }
}

/// Every kernel that this process has assembled so far, in no particular order.
///
/// ```
/// for kernel in ptyx::compiled_kernels()? {
///     println!("{} for {}", kernel.kernel, kernel.target);
/// }
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// # Errors
/// The driver can't describe one of them.
pub fn compiled_kernels() -> Result<Vec<CompiledKernel>> {
    on_the_host!(variant::all().into_iter().map(CompiledKernel::of).collect())
}
