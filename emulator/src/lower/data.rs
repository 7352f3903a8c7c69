//! Module variables: their addresses and initial values.

use super::{Names, function_address};
use crate::error::{Diagnostic, Error};
use crate::memory::relaxed;
use crate::memory::{Kind, Memory, SHARED_WINDOW};
use crate::ptx::ast::{Initial, Module, Variable};
use crate::ptx::types::{Space, Type};
use std::collections::HashMap;

fn placed_variables<'a>(module: &'a Module<'a>) -> impl Iterator<Item = &'a Variable<'a>> {
    let in_memory = |v: &&Variable<'_>| matches!(v.space, Space::Global | Space::Const);
    module.variables.iter().filter(in_memory)
}

/// Allocates every `.global` and `.const` variable: space, address and size by name.
pub(crate) fn place<'a>(
    module: &'a Module<'a>,
    memory: &Memory,
    errors: &mut Vec<Diagnostic>,
) -> Result<HashMap<&'a str, (Space, u64, u64)>, Error> {
    let mut out: HashMap<&str, (Space, u64, u64)> = HashMap::new();
    refuse_large_constants(module, errors);
    for variable in placed_variables(module) {
        let Some(size) = variable.size else { continue };
        if variable.external && module.variables.iter().any(|v| defines(v, variable.name)) {
            continue;
        }
        let name = variable.name.to_owned();
        if out.contains_key(variable.name) {
            let message = format!("variable `{name}` is defined twice");
            errors.push(Diagnostic { line: variable.line, text: String::new(), message });
            continue;
        }
        let kind = match variable.space {
            Space::Const => Kind::Constant(name.clone()),
            _ => Kind::Variable(name.clone()),
        };
        let Some(address) = memory.allocate(size, kind) else {
            for (_, address, _) in out.values() {
                memory.free(*address);
            }
            return Err(Error::OutOfMemory { name, size });
        };
        out.insert(variable.name, (variable.space, address, size));
    }
    Ok(out)
}

/// Bytes of `.const` variables that a module may have (PTX ISA 5.1.3).
const CONSTANT_BYTES: u64 = 64 << 10;

/// Reports variables that need more constant memory than there is.
fn refuse_large_constants(module: &Module<'_>, errors: &mut Vec<Diagnostic>) {
    let constants = placed_variables(module).filter(|v| v.space == Space::Const && !v.external);
    let (mut bytes, mut line) = (0u64, 0);
    for variable in constants {
        bytes = bytes.saturating_add(variable.size.unwrap_or(0));
        line = variable.line;
    }
    if bytes > CONSTANT_BYTES {
        let message = format!("{bytes} bytes of constants are more than {CONSTANT_BYTES}");
        errors.push(Diagnostic { line, text: String::new(), message });
    }
}

fn defines(variable: &Variable<'_>, name: &str) -> bool {
    variable.name == name && !variable.external
}

/// Writes the initialisers.
pub(crate) fn initialise(
    module: &Module<'_>,
    names: &Names<'_>,
    memory: &Memory,
    errors: &mut Vec<Diagnostic>,
) {
    for variable in placed_variables(module) {
        let Some(&(_, address)) = names.variables.get(variable.name) else { continue };
        if variable.initialiser.is_empty() {
            continue;
        }
        match bytes(variable, names) {
            Ok(bytes) => {
                if let Some(to) = memory.host_pointer(address, bytes.len() as u64) {
                    // SAFETY: `host_pointer` found as many bytes there, which are accessed atomically if
                    // at all: a kernel that runs may guess the address.
                    unsafe { relaxed::copy_in(to, bytes.as_ptr(), bytes.len()) };
                }
            }
            Err(message) => {
                errors.push(Diagnostic { line: variable.line, text: String::new(), message });
            }
        }
    }
}

fn bytes(variable: &Variable<'_>, names: &Names<'_>) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let size = variable.ty.size() as usize;
    for initial in &variable.initialiser {
        let bits = match initial {
            Initial::Bits(bits) => match variable.ty {
                Type::F32 => u64::from((*bits as i64 as f32).to_bits()),
                Type::F64 => (*bits as i64 as f64).to_bits(),
                _ => *bits,
            },
            Initial::F32(bits) if variable.ty == Type::F64 => {
                f64::from(f32::from_bits(*bits)).to_bits()
            }
            Initial::F32(bits) => u64::from(*bits),
            Initial::F64(bits) if variable.ty == Type::F32 => {
                u64::from((f64::from_bits(*bits) as f32).to_bits())
            }
            Initial::F64(bits) => *bits,
            Initial::Address { name, generic, offset, shift } => {
                address(names, name, *generic)?.wrapping_add(*offset as u64) >> shift
            }
        };
        out.extend_from_slice(&u128::from(bits).to_le_bytes()[..size]);
    }
    Ok(out)
}

fn address(names: &Names<'_>, name: &str, generic: bool) -> Result<u64, String> {
    if let Some(&(_, address)) = names.variables.get(name) {
        return Ok(address);
    }
    if let Some(&index) = names.functions.get(name) {
        return Ok(function_address(index));
    }
    match names.shared.get(name) {
        Some(Some(offset)) if generic => Ok(SHARED_WINDOW + u64::from(*offset)),
        Some(Some(offset)) => Ok(u64::from(*offset)),
        _ => Err(format!("the initialiser names `{name}`, which is not defined")),
    }
}
