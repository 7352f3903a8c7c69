//! Lowering of operands: registers, constants, addresses and special registers.

use super::function::{Entity, Lower, Lowered, register_bytes};
use super::{flow::Leave, function_address};
use crate::exec::context::{Context, Flow};
use crate::exec::ops::lanes::{binary, ternary, unary};
use crate::exec::ops::memory::{DYNAMIC_SHARED, LOCAL_ADDRESS, address_of};
use crate::exec::ops::rows::Place;
use crate::exec::ops::{control, special};
use crate::exec::program::Inst;
use crate::memory::SHARED_WINDOW;
use crate::ptx::ast::Operand;
use crate::ptx::form::Form;
use crate::ptx::types::{Kind, Space, Type};

impl<'a> Lower<'_, 'a> {
    /// Lowers operands by their roles: the destination goes to `d`, a second one to `x`, sources to `a`,
    /// `b`, `c`, then `imm` and `x`.
    pub(crate) fn operands(
        &mut self,
        roles: &str,
        form: &Form<'_>,
        operands: &[Operand<'a>],
    ) -> Lowered<Inst> {
        let mut inst = Self::blank(control::nothing);
        let mut sources = 0;
        let mut given = operands.iter();
        for role in roles.split_whitespace() {
            let (role, optional) = match role.strip_suffix('?') {
                Some(role) => (role, true),
                None => (role, false),
            };
            let Some(operand) = given.next() else {
                if optional {
                    continue;
                }
                return Err(format!("an operand is missing: there are {}", operands.len()));
            };
            if role == "-" {
                continue;
            }
            let size = match &role[1..] {
                "" => form.ty().size(),
                "w" => form.ty().size() * 2,
                "a" => form.types().first().map_or(4, |ty| ty.size()),
                "p" | "pp" => 0,
                "x" => 4,
                bits => bits.parse::<u32>().unwrap_or(32) / 8,
            };
            if let Some(kind) = role.strip_prefix('d') {
                let pair = matches!(kind, "pp" | "x");
                match operand {
                    Operand::Pair(first, second) if pair => {
                        inst.d = self.destination(first, size)?;
                        inst.x = self.destination(second, 0)?;
                    }
                    _ => inst.d = self.destination(operand, size)?,
                }
                continue;
            }
            let source = match role.strip_prefix('m') {
                Some(space) => self.generic_address(operand, space, form)?,
                None => self.source(operand, size, form.ty())?,
            };
            match sources {
                0 => inst.a = source,
                1 => inst.b = source,
                2 => inst.c = source,
                3 => inst.imm = i64::from(source),
                _ => inst.x = source,
            }
            sources += 1;
        }
        match given.next() {
            None => Ok(inst),
            Some(_) => Err(format!("too many operands: there are {}", operands.len())),
        }
    }

    /// An address operand as a generic address of 64 bits: in shared (`s`) or global (`g`) memory, `generic`
    /// already, or else in the state space that the instruction names.
    pub(crate) fn generic_address(
        &mut self,
        operand: &Operand<'a>,
        space: &str,
        form: &Form<'_>,
    ) -> Lowered<u32> {
        let space = match space {
            "s" => Space::Shared,
            "g" => Space::Global,
            "generic" => Space::Generic,
            _ => form
                .words()
                .iter()
                .find_map(|word| Space::from_name(word))
                .unwrap_or(Space::Generic),
        };
        let found = self.location(operand, space, 1)?;
        if found.place != Place::Address {
            return Err("such an address must be of global or shared memory".to_owned());
        }
        let is_shared = matches!(found.space, Space::Shared | Space::Cluster);
        let window = if is_shared { SHARED_WINDOW } else { 0 };
        let d = self.temporary(8)?;
        let (a, imm) = (found.register, found.offset);
        if found.wide {
            let b = self.constant(8, window.wrapping_add(imm as u64));
            let exec = binary(|a: u64, b: u64| a.wrapping_add(b));
            self.push(Inst { d, a, b, ..Self::blank(exec) }, Leave::Next);
        } else {
            // The offset wraps in 32 bits.
            let (b, c) = (self.constant(4, imm as u64), self.constant(8, window));
            let exec = ternary(|a: u32, b: u32, c: u64| u64::from(a.wrapping_add(b)) + c);
            self.push(Inst { d, a, b, c, ..Self::blank(exec) }, Leave::Next);
        }
        Ok(d)
    }

    /// The slot of a destination of this many bytes; 0 bytes for a predicate. `_` gives one that is never
    /// read.
    pub(crate) fn destination(&mut self, operand: &Operand<'a>, size: u32) -> Lowered<u32> {
        match operand {
            Operand::Sink if size == 0 => self.temporary(0),
            Operand::Sink => self.temporary(size),
            Operand::Name { name, offset: 0 } => {
                let (ty, slot) = self.register(name)?;
                self.check_size(name, ty, size)?;
                Ok(slot)
            }
            _ => Err("the destination must be a register".to_owned()),
        }
    }

    fn check_size(&self, name: &str, ty: Type, size: u32) -> Lowered<()> {
        let has = register_bytes(ty);
        if has == size {
            return Ok(());
        }
        let words = |bytes: u32| match bytes {
            0 => "a predicate".to_owned(),
            bytes => format!("{} bits", bytes * 8),
        };
        Err(format!("`{name}` is {}, the instruction needs {}", words(has), words(size)))
    }

    /// A source operand of this many bytes; 0 bytes for a predicate.
    pub(crate) fn source(&mut self, operand: &Operand<'a>, size: u32, ty: Type) -> Lowered<u32> {
        match operand {
            Operand::Name { name, offset } => match self.entity(name) {
                Some(Entity::Register { ty, slot }) if *offset == 0 => {
                    self.check_size(name, ty, size)?;
                    Ok(slot)
                }
                Some(Entity::Register { .. }) => Err(format!("`{name}` is a register")),
                None if special::special(name, None).is_some() => self.special(name, None, size),
                _ => self.address(name, *offset, size),
            },
            Operand::Not(name) if size == 0 => match self.register(name)? {
                (Type::Pred, slot) => Ok(slot | 1),
                _ => Err(format!("`{name}` is not a predicate")),
            },
            Operand::Component { name, component } => self.special(name, Some(component), size),
            Operand::Int(value)
                if ty.kind() == Kind::Float && matches!(ty, Type::F32 | Type::F64) =>
            {
                let value = *value as i64 as f64;
                let bits =
                    if size == 4 { (value as f32).to_bits().into() } else { value.to_bits() };
                Ok(self.constant(size, bits))
            }
            Operand::Int(value) => Ok(self.constant(size, *value)),
            Operand::F32(bits) if size == 8 => {
                Ok(self.constant(8, f64::from(f32::from_bits(*bits)).to_bits()))
            }
            Operand::F32(bits) => Ok(self.constant(size, u64::from(*bits))),
            Operand::F64(bits) if size == 4 => {
                Ok(self.constant(4, u64::from((f64::from_bits(*bits) as f32).to_bits())))
            }
            Operand::F64(bits) => Ok(self.constant(size, *bits)),
            _ => Err("this operand does not fit the instruction".to_owned()),
        }
    }

    /// Reads a special register into a temporary one.
    fn special(&mut self, name: &str, component: Option<&str>, size: u32) -> Lowered<u32> {
        let full = component.map_or(name.to_owned(), |component| format!("{name}.{component}"));
        let Some((exec, bytes)) = special::special(name, component) else {
            return Err(format!("`{full}` is neither declared nor a special register"));
        };
        let slot = self.temporary(bytes)?;
        self.push(Inst { d: slot, ..Self::blank(exec) }, Leave::Next);
        self.resize(slot, bytes, size)
    }

    /// A register's value zero-extended or truncated to this many bytes.
    fn resize(&mut self, slot: u32, from: u32, to: u32) -> Lowered<u32> {
        let exec = match (from, to) {
            _ if from == to => return Ok(slot),
            (4, 8) => unary(|a: u32| u64::from(a)),
            (8, 4) => unary(|a: u64| a as u32),
            (4, 2) => unary(|a: u32| a as u16),
            _ => return Err(format!("a special register does not fit {} bits", to * 8)),
        };
        let wider = self.temporary(to)?;
        self.push(Inst { d: wider, a: slot, ..Self::blank(exec) }, Leave::Next);
        Ok(wider)
    }

    /// The address of a variable, parameter or function, plus an offset, as an operand.
    pub(crate) fn address(&mut self, name: &'a str, offset: i64, size: u32) -> Lowered<u32> {
        if !matches!(size, 4 | 8) {
            return Err(format!("the address of `{name}` needs 32 or 64 bits"));
        }
        let value = match self.entity(name) {
            Some(Entity::Local { offset: at, .. }) => {
                return self.moving_address(
                    LOCAL_ADDRESS,
                    i64::from(at).wrapping_add(offset),
                    size,
                );
            }
            Some(Entity::Shared(None)) => {
                return self.moving_address(DYNAMIC_SHARED, offset, size);
            }
            Some(Entity::Shared(Some(at)) | Entity::Bank { offset: at, .. }) => u64::from(at),
            Some(_) => return Err(format!("`{name}` has no address")),
            None => match (self.names.variables.get(name), self.names.functions.get(name)) {
                (Some(&(_, address)), _) => address,
                (None, Some(&index)) => function_address(index),
                _ => return Err(format!("`{name}` is not declared")),
            },
        };
        Ok(self.constant(size, value.wrapping_add(offset as u64)))
    }

    fn moving_address(&mut self, kind: u32, offset: i64, size: u32) -> Lowered<u32> {
        let d = self.temporary(size)?;
        let exec: fn(&mut Context<'_>, &Inst, u32) -> Flow = address_of;
        self.push(Inst { d, a: kind, b: size, imm: offset, ..Self::blank(exec) }, Leave::Next);
        Ok(d)
    }
}
