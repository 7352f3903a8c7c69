//! The optimiser's pipeline.
//!
//! LLVM's own pipeline for NVPTX, which nvcc and clang use as well, leaves one pass out: jump
//! threading. The pass ends at once for targets on which threads diverge, for the sake of graphics
//! hardware that wants structured control flow. Rust needs it more than C++ does: each step of an
//! iterator makes an `Option` and matches on it, and only threading the known case through joins both
//! tests. Without it, arrays that are iterated by value stay in local memory, because the end of the
//! loop is not found and so it is not unrolled.
//!
//! So the module is simplified first, then threaded as if there were no target, and then optimised in
//! full. Jump threading never copies a convergent call, so barriers stay single.
//!
//! Last, panics that several places share are taken apart again (`lower/cold.rs`), and loops that are
//! unrolled are marked, so that the vendor's assembler does not do it once more (`lower/unroll.rs`).

use crate::llvm::{LlvmError, Module, Target};
use crate::lower;

/// What makes tests and their causes meet in one function.
const SIMPLIFY: &str = "default<O1>";
const THREAD: &str = "function(jump-threading)";
const OPTIMISE: &str = "default<O3>";

/// Optimises a lowered module.
pub(super) fn optimise(module: &mut Module<'_>, target: &Target) -> Result<(), LlvmError> {
    module.run_passes(SIMPLIFY, target)?;
    // Now, so that variables become registers; and once more, for what is inlined only then.
    lower::make_private_atomics_plain(module);
    module.run_passes_without_target(THREAD, target)?;
    module.run_passes(OPTIMISE, target)?;
    lower::make_private_atomics_plain(module);
    lower::split_cold_ends(module);
    lower::keep_unrolled(module);
    Ok(())
}
