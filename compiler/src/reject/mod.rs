//! Refuses what a device does not have: finds each use of it in the kernel's source.
//!
//! Whether something is really used is decided in the optimised module, where dead code is gone. There,
//! the debug information of a call says which functions it was inlined through. Where the optimiser
//! merged calls and lost their lines, the module before optimisation gives the places. Only the bodies of
//! Ptyx's own host functions are left out before that ([`leave_out_host_code`]), since it takes long to optimise them.

pub(crate) mod divergence;
mod explain;
mod hints;
pub(crate) mod host_functions;
mod leave_out_host_code;
mod search;

use crate::llvm::Place;
use crate::report::Diagnostic;

pub(crate) use explain::explain;
pub(crate) use leave_out_host_code::leave_out_host_code;
pub(crate) use search::{Use, missing, uses};

/// A launched function without `#[kernel]`.
pub(crate) fn not_a_kernel(kernel: &str, definition: Place) -> Diagnostic {
    Diagnostic::of_kernel(kernel, " is launched but is not a `#[kernel]`")
        .at(Some(definition))
        .help("write `#[kernel]` above the function")
}
