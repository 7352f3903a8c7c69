//! Semantic functions, by family as in chapter 9 of the PTX ISA.
//!
//! A function here takes a [`Form`](crate::ptx::form::Form), the types and modifiers of one instruction, and
//! returns the [`Exec`](super::program::Exec) for it, or `None` if there is no such instruction.

pub(crate) mod atomic;
pub(crate) mod bulk_reduce;
pub(crate) mod bulk_tensor;
pub(crate) mod carry;
pub(crate) mod cluster;
pub(crate) mod compare;
pub(crate) mod control;
pub(crate) mod convert;
pub(crate) mod copy;
pub(crate) mod exchange;
pub(crate) mod external;
pub(crate) mod float;
pub(crate) mod half;
pub(crate) mod hint;
pub(crate) mod integer;
pub(crate) mod lanes;
pub(crate) mod launch_control;
pub(crate) mod logic;
pub(crate) mod mbarrier;
pub(crate) mod memory;
pub(crate) mod narrow;
pub(crate) mod overlap;
pub(crate) mod rounding;
pub(crate) mod rows;
mod span;
pub(crate) mod special;
pub(crate) mod stack;
pub(crate) mod sync;
pub(crate) mod tensor;
pub(crate) mod tensor_map;
pub(crate) mod texture;
pub(crate) mod video;
pub(crate) mod width;
