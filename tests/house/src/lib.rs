//! Reads the layers that ARCHITECTURE.md draws of a crate, and finds violations of them in the crate's
//! sources.
//!
//! | module | is about |
//! |---|---|
//! | [`layers`] | the blocks of ARCHITECTURE.md |
//! | [`sources`] | a crate's modules, and the paths that their code names |
//! | [`paths`] | which module a path leads to |
//! | [`check`] | the two compared |
//! | [`examples`] | public items without an example |
//! | [`members`] | what types offer, and links of documentation |
//! | [`calls`] | what tests call |
//!
//! For layers, sources are read as tokens, not as a syntax tree, so that what a macro's definition or argument names
//! counts, too.

pub mod calls;
pub mod check;
pub mod examples;
pub mod layers;
pub mod members;
pub mod paths;
pub mod sources;
