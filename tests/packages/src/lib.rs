//! What the build script and the tests of this package share: how cargo is called for packages outside
//! the workspace, and where they are built.
//!
//! To build Ptyx takes half a minute, a package that uses it a second. So the build script builds Ptyx
//! once, as any user's package would, and copies the target folder: each test takes one of the folders
//! for itself, and tests run side by side.

pub mod cargo;
pub mod copies;
pub mod target;
