//! Which kernels this process has assembled.

use crate::error::Result;
use crate::module::FunctionAttributes;
use core::fmt;

/// How many kernel variants this process has assembled: one for each kernel instance, set of knobs
/// and device that was launched.
pub fn variants_compiled() -> u64 {
    #[cfg(not(ptyx_device))]
    let count = super::variant::count();
    // Opaque: code that checks the number must stay reachable.
    #[cfg(ptyx_device)]
    let count = core::hint::black_box(0);
    count
}

/// A kernel that this process has assembled.
#[derive(Clone)]
#[non_exhaustive]
pub struct CompiledKernel {
    /// The kernel, as `core::any::type_name` has it.
    pub kernel: String,
    /// The entry's name in the PTX: the knob `alias`, if it was given.
    pub entry: String,
    /// The PTX that was assembled, with the directives that its knobs became.
    pub ptx: String,
    /// The number of its device.
    pub device_index: u32,
    /// What the assembler says about it.
    pub attributes: FunctionAttributes,
}

impl fmt::Debug for CompiledKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CompiledKernel { kernel, entry, ptx, device_index, attributes } = self;
        f.debug_struct("CompiledKernel")
            .field("kernel", kernel)
            .field("entry", entry)
            .field("ptx", &format_args!("{} bytes", ptx.len()))
            .field("device_index", device_index)
            .field("attributes", attributes)
            .finish()
    }
}

/// Every kernel that this process has assembled so far, in no order.
///
/// # Errors
/// The driver refuses to describe one.
pub fn compiled_kernels() -> Result<Vec<CompiledKernel>> {
    #[cfg(not(ptyx_device))]
    let kernels = super::variant::describe();
    #[cfg(ptyx_device)]
    let kernels = core::hint::black_box(Ok(Vec::new()));
    kernels
}
