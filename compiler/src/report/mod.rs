//! What a user is told: messages in rustc's form, with the lines of source that they are about.

mod diagnostic;
mod input;
mod source;
mod whose;

pub(crate) use diagnostic::{Diagnostic, GAP, Launched, in_order};
pub(crate) use input::first_token;
pub(crate) use source::{SourceLine, in_file};
pub(crate) use whose::{crate_of, is_local, is_own};
