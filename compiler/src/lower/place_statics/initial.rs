//! The initial value of a global, as bytes and pointers.

use crate::llvm::{Module, TypeKind, Value};

/// What a global holds at first.
#[derive(Default)]
pub(super) struct Initial<'c> {
    /// Its bytes; zeros where pointers are and where nothing is defined.
    pub(super) bytes: Vec<u8>,
    /// Its pointers, each with its offset.
    pub(super) pointers: Vec<(usize, Value<'c>)>,
}

/// Reads the initial value of a global. rustc writes packed structs of arrays of bytes and of pointers.
pub(super) fn initial<'c>(module: &Module<'c>, global: Value<'c>) -> Initial<'c> {
    let mut found = Initial::default();
    if let Some(value) = global.initializer() {
        add(module, value, &mut found);
    }
    found
}

fn add<'c>(module: &Module<'c>, value: Value<'c>, to: &mut Initial<'c>) {
    let ty = value.ty();
    let end = to.bytes.len() + module.size_of(ty) as usize;
    if let Some(bytes) = value.byte_array() {
        to.bytes.extend(bytes);
    } else if ty.kind() == TypeKind::Pointer {
        to.pointers.push((to.bytes.len(), value));
    } else if let Some(number) = value.as_int() {
        let size = (end - to.bytes.len()).min(8);
        to.bytes.extend(&number.to_le_bytes()[..size]);
    } else if ty.kind() == TypeKind::Other {
        // Nothing if all of it is zero or undefined.
        value.operands().into_iter().for_each(|part| add(module, part, to));
    }
    to.bytes.resize(end, 0);
}
