//! Launching: from a `launch!` in the source to the driver call.
//!
//! The macros expand to one of `call0` to `call35`. In the device pass that names the kernel
//! instance to the compiler (`root`); on the host it lowers the arguments, finds the assembled
//! kernel and calls the driver.

mod args;
mod arity;
mod bound;
mod call;
mod compiled;
mod config;
mod fields;
mod function;
mod knobs;
mod pitched_arg;
mod prepared;
mod shared_arg;
mod slot;
mod tensor_arg;
mod texture_arg;

#[cfg(not(ptyx_device))]
mod explain;
#[cfg(not(ptyx_device))]
mod proved;
#[cfg(not(ptyx_device))]
pub(crate) mod reflect;
#[cfg(not(ptyx_device))]
pub(crate) mod registry;
#[cfg(ptyx_device)]
mod root;
#[cfg(not(ptyx_device))]
mod run;
#[cfg(test)]
pub(crate) mod tests;
mod unpack;
#[cfg(not(ptyx_device))]
pub(crate) mod variant;

pub use args::{ArgContext, HostArg, KernelArg, ViewArg};
#[doc(hidden)]
pub use args::{ByValue, OfLayout, Unsupported};
pub use bound::{BoundKernel, UnsafeBoundKernel};
#[doc(hidden)]
pub use call::*;
pub use compiled::{
    CompiledKernel, Occupancy, compiled_kernels, modules_from_cache, variants_compiled,
};
pub use config::{Dims, IntoDims, IntoExtent, LaunchConfig};
#[doc(hidden)]
pub use fields::{field_fingerprint, lower_field, unpack_field};
pub use function::{Function, FunctionArg, FunctionArgs};
#[doc(hidden)]
pub use pitched_arg::Strided;
#[doc(hidden)]
pub use prepared::relifed;
pub use prepared::{Arguments, Prepare, PreparedArg, PreparedKernel, UnsafePreparedKernel};
#[doc(hidden)]
pub use slot::{
    PassArg, PassByValue, PassElement, PassToThreads, PassUnsupported, Slot, Unchecked,
};
#[doc(hidden)]
pub use tensor_arg::InPlace;
#[doc(hidden)]
pub use texture_arg::TextureObject;
pub use unpack::{Elements, Plain, Unpack, View};
