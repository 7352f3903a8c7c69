//! Where an operation was started.

/// A thread and its instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Issue {
    /// The thread's index within the block.
    pub(crate) thread: u32,
    /// The function and its instruction.
    pub(crate) function: u32,
    pub(crate) pc: usize,
}
