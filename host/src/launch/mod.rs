//! Launching: from a `launch!` in the source to the driver call.
//!
//! The macros expand to one of `call0` to `call35`. In the device pass that names the kernel
//! instance to the compiler (`root`); on the host it lowers the arguments, finds the assembled
//! kernel and calls the driver.

mod args;
mod arity;
mod call;
mod compiled;
mod config;
mod knobs;
mod prepared;
mod slot;

#[cfg(not(ptyx_device))]
mod explain;
#[cfg(not(ptyx_device))]
pub(crate) mod reflect;
#[cfg(not(ptyx_device))]
pub(crate) mod registry;
#[cfg(ptyx_device)]
mod root;
#[cfg(not(ptyx_device))]
mod run;
#[cfg(test)]
mod tests;
mod unpack;
#[cfg(not(ptyx_device))]
mod variant;

pub use args::{ArgContext, HostArg, KernelArg};
#[doc(hidden)]
pub use args::{ByValue, Unsupported};
#[doc(hidden)]
pub use call::*;
pub use compiled::{CompiledKernel, Occupancy, compiled_kernels, variants_compiled};
pub use config::{Dims, IntoDims, IntoExtent, LaunchConfig};
pub use prepared::PreparedKernel;
#[doc(hidden)]
pub use slot::{PassArg, PassByValue, PassUnsupported, Slot};
pub use unpack::{Plain, Unpack, View};
