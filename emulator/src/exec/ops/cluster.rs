//! Addresses of other blocks of a cluster (PTX ISA, sections 9.7.9.24 and 9.7.9.25). A cluster has one
//! block here.

use super::lanes::{binary, unary};
use crate::exec::program::Exec;
use crate::ptx::form::Form;

/// `mapa d, a, b`: the only block's address is its own.
pub(crate) fn mapa(form: &Form<'_>) -> Option<Exec> {
    Some(match form.ty().size() {
        4 => binary(|a: u32, _: u32| a),
        _ => binary(|a: u64, _: u32| a),
    })
}

/// `getctarank d, a`
pub(crate) fn rank(form: &Form<'_>) -> Option<Exec> {
    Some(match form.ty().size() {
        4 => unary(|_: u32| 0u32),
        _ => unary(|_: u64| 0u32),
    })
}
