//! Random Rust programs for kernels: the same function runs on the host and on a device.
//!
//! A program is made from a seed alone. Its parts can be cut out by their numbers, which makes a
//! smaller program of the same seed: that is how a failing one is reduced.
//!
//! Programs have defined behaviour and do not depend on the order in which threads run. They do not
//! look at what Rust leaves open (the sign of a NaN). They end after a bounded number of steps, need a
//! small stack, and, except for those that are marked, never panic.
//!
//! | file | is about |
//! |---|---|
//! | `types` | types |
//! | `literals` | values of types, and which types are chosen |
//! | `ops` | tables of operations on scalars |
//! | `expr/` | expressions and patterns, a file a kind |
//! | `iter` | iterator chains |
//! | `stmt` | statements |
//! | `indexing` | loops whose counter indexes another list |
//! | `slices` | methods of slices |
//! | `panics` | statements that panic, with messages |
//! | `constants` | functions that are generic over constants |
//! | `traits` | traits, generic functions, trait objects, function pointers |
//! | `sequences` | index arithmetic, patterns on slices, text |
//! | `atomics` | atomics, shared and own |
//! | `collective` | what threads do together |
//! | `items` | definitions, functions, the program |
//! | `generator` | scopes, costs, parts that can be cut out |

mod atomics;
mod batch;
mod collective;
mod constants;
mod expr;
mod generator;
mod indexing;
mod items;
mod iter;
mod literals;
mod ops;
mod panics;
mod rng;
mod sequences;
mod slices;
mod stmt;
mod traits;
mod types;

pub use batch::{Batch, Spec};
pub use generator::Part;
pub use items::{Program, program};
pub use rng::Rng;
