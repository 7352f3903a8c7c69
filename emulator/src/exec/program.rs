//! The internal form of PTX: dense instructions that name their semantic function.

use super::context::{Context, Flow};
use crate::ptx::ast::Limits;
use std::collections::HashMap;
use std::sync::Arc;

/// The semantic function of an instruction: executes it for the lanes of a mask.
pub(crate) type Exec = fn(&mut Context<'_>, &Inst, u32) -> Flow;

/// No operand, no guard, no reconvergence point.
pub(crate) const NONE: u32 = u32::MAX;
/// Set in an operand that lies in the function's pool of constants, not in the frame.
pub(crate) const IN_POOL: u32 = 1 << 31;

/// One instruction.
///
/// Operands are byte offsets of registers: 32 lanes side by side, or one mask for a predicate. Bit 0 of
/// a predicate source says that it is negated.
#[derive(Clone, Copy)]
pub(crate) struct Inst {
    pub(crate) exec: Exec,
    /// Predicate that guards the instruction, or [`NONE`].
    pub(crate) guard: u32,
    /// Destination.
    pub(crate) d: u32,
    /// Sources.
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) c: u32,
    /// A fourth operand, an index into a side table or a reconvergence point.
    pub(crate) x: u32,
    /// An offset, a branch target or packed modifiers.
    pub(crate) imm: i64,
}

/// Where an instruction comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    /// Byte range of the instruction in the PTX text.
    pub(crate) text: (u32, u32),
    /// Line in the PTX text.
    pub(crate) line: u32,
    /// Index into [`Program::places`], or [`NONE`].
    pub(crate) place: u32,
}

/// A place in the Rust source, from `.loc`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// The function the place lies in, and the index of the place of the call, if it was inlined there.
    pub(crate) inlined: Option<(String, u32)>,
}

/// A call: what is copied to the callee and back. Offsets are in the local frames.
#[derive(Clone, Debug, Default)]
pub(crate) struct Call {
    /// The function called; [`NONE`] if its address is in a register.
    pub(crate) target: u32,
    /// Caller's offset and size of each argument.
    pub(crate) arguments: Vec<(u32, u32)>,
    /// Caller's offset and size of each result.
    pub(crate) results: Vec<(u32, u32)>,
}

/// A function or kernel in internal form.
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) entry: bool,
    /// Declared without a body: `vprintf`, `malloc`, `free`, `__assertfail` or something unknown.
    pub(crate) external: bool,
    pub(crate) code: Vec<Inst>,
    pub(crate) origins: Vec<Origin>,
    /// Constants, each in all lanes, as 64-byte lines.
    pub(crate) pool: Vec<Line>,
    /// Bytes of registers.
    pub(crate) frame_size: u32,
    /// Bytes of local memory of each thread: parameters, call arguments, `.local` variables.
    pub(crate) local_size: u32,
    /// Offset and size of parameters and results: in the local frame, or the parameter bank of a kernel.
    pub(crate) params: Vec<(u32, u32)>,
    pub(crate) results: Vec<(u32, u32)>,
    pub(crate) calls: Vec<Call>,
    /// Operands of vector loads and stores, label tables of `brx.idx`.
    pub(crate) lists: Vec<Vec<u32>>,
    /// Bytes of the parameter bank (kernels).
    pub(crate) param_size: u32,
    /// Bytes of static shared memory (kernels).
    pub(crate) static_shared: u32,
    /// Where its dynamic shared memory begins, in bytes (kernels).
    pub(crate) dynamic_start: u32,
    pub(crate) limits: Limits,
    /// Registers a thread uses, of 32 bits, if nothing limits them: an estimate.
    pub(crate) registers: u32,
    /// Whether it has operations that read shared memory through the async proxy.
    pub(crate) reads_asynchronously: bool,
    /// Whether it has `griddepcontrol`.
    pub(crate) controls_dependents: bool,
}

/// A module in internal form.
#[derive(Default)]
pub(crate) struct Program {
    pub(crate) functions: Vec<Function>,
    pub(crate) by_name: HashMap<String, u32>,
    /// Address and size of module-scope `.global` and `.const` variables.
    pub(crate) variables: HashMap<String, (u64, u64)>,
    pub(crate) places: Vec<Place>,
    pub(crate) source: Arc<str>,
    /// The architecture that it is for: 80 for `sm_80`.
    pub(crate) target: u32,
    /// Whether any of its functions reads shared memory through the async proxy.
    pub(crate) reads_asynchronously: bool,
    /// Whether any of its functions has `griddepcontrol`.
    pub(crate) controls_dependents: bool,
}

impl Program {
    /// Whether the call depth below a function is bounded: no recursion, no indirect calls.
    pub(crate) fn has_known_stack(&self, function: u32) -> bool {
        self.is_bounded(function, &mut vec![Visit::New; self.functions.len()])
    }

    fn is_bounded(&self, function: u32, visits: &mut [Visit]) -> bool {
        match visits[function as usize] {
            Visit::Bounded => return true,
            Visit::Open => return false,
            Visit::New => visits[function as usize] = Visit::Open,
        }
        let calls = &self.functions[function as usize].calls;
        let bounded =
            calls.iter().all(|call| call.target != NONE && self.is_bounded(call.target, visits));
        visits[function as usize] = Visit::Bounded;
        bounded
    }
}

/// What is known about a function while calls are followed.
#[derive(Clone, Copy)]
enum Visit {
    New,
    /// It leads to the function in question.
    Open,
    Bounded,
}

/// Lines that frames and pools of constants have after their registers: as many as the largest register
/// takes. So an operand that begins inside can never end outside.
pub(crate) const SLACK: usize = 8;

/// Storage of registers: aligned for vector loads.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [u64; 8]);
