//! What the assembler reports about a kernel.

use super::attribute;
use crate::context::Context;
use crate::driver::types::*;
use crate::error::{Error, Result};

/// What the assembler reports about a kernel ([`cuFuncGetAttribute`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html)).
///
/// ```
/// let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
/// let attributes = ptyx::Module::from_ptx(ptx)?.function("nothing")?.attributes()?;
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
    /// Whether it was compiled so that loads of global memory are cached in L1 by default (the option `--dlcm=ca` of
    /// NVIDIA's assembler; `cacheModeCA` in the CUDA runtime API).
    pub caches_all_loads: bool,
    /// Dynamic shared memory that a launch may ask for at present, in bytes. Launches raise it by themselves.
    pub max_dynamic_shared_bytes: u32,
    /// How much of the memory that L1 cache and shared memory share should be shared memory, in percent; `None` if the
    /// driver decides.
    pub shared_carveout: Option<u32>,
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
            caches_all_loads: get(CU_FUNC_ATTRIBUTE_CACHE_MODE_CA)? != 0,
            max_dynamic_shared_bytes: get(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)?,
            shared_carveout: {
                let percent = CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT;
                u32::try_from(attribute(context, function, percent)?).ok()
            },
        })
    }
}
