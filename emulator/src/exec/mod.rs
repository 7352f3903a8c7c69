//! The warp-wide interpreter.
//!
//! | file | is about |
//! |---|---|
//! | `program` | the internal form that runs |
//! | `context` | what a semantic function sees, and the loop |
//! | `warp` | divergence and reconvergence |
//! | `rendezvous` | lanes that wait for each other |
//! | `block` | warps in turn, barriers |
//! | `cluster` | blocks in turn, and each other's shared memory |
//! | `issue` | where an operation was started |
//! | `copies` | asynchronous copies |
//! | `proxy` | writes that asynchronous operations can't see yet |
//! | `overlap` | launches that begin before earlier ones have ended |
//! | `tile` | what copies of tiles of tensors move |
//! | `tensor_map` | which part of a tensor that is |
//! | `texture` | textures and surfaces |
//! | `products` | asynchronous products of matrices |
//! | `mbarrier` | barriers in shared memory |
//! | `grid` | blocks on threads |
//! | `ops` | the semantic functions |
//! | `fault` | what a program did wrong |
//! | `printf` | C-style formatting |

pub(crate) mod block;
pub(crate) mod clock;
pub(crate) mod cluster;
pub(crate) mod conditions;
pub(crate) mod context;
pub(crate) mod copies;
pub(crate) mod fault;
pub(crate) mod grid;
pub(crate) mod issue;
pub(crate) mod mbarrier;
pub(crate) mod ops;
pub(crate) mod overlap;
pub(crate) mod printf;
pub(crate) mod products;
pub(crate) mod program;
pub(crate) mod proxy;
mod rendezvous;
pub(crate) mod tensor_map;
pub(crate) mod texture;
pub(crate) mod tile;
pub(crate) mod warp;
