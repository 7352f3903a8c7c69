//! Puts the records of a panic into a function of their own.

use super::{Diagnostic, Module, Runtime, Target};

pub(super) fn panics<'c>(
    _module: &mut Module<'c>,
    _target: &Target,
    _runtime: &Runtime<'c>,
) -> Result<(), Diagnostic> {
    Ok(())
}
