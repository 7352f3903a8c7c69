//! Instructions that need more than their operands lowered.

mod control;
mod memory;
mod values;

pub(crate) use control::*;
pub(crate) use memory::*;
pub(crate) use values::*;

/// A part that was lowered, or what is wrong with it.
type Lowered<T> = Result<T, String>;
