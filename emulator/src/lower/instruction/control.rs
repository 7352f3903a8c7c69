//! Branches, calls and barriers.

use super::super::flow::Leave;
use super::super::function::{Entity, Lower, Meeting, register_bytes};
use super::Lowered;
use crate::exec::ops::memory::Mode;
use crate::exec::ops::rows::{Place, load_of, store_of};
use crate::exec::ops::{control, sync};
use crate::exec::program::{Call, Exec, Inst, NONE};
use crate::ptx::ast::{Instruction, Operand};
use crate::ptx::form::Form;
use crate::ptx::types::{Space, Type};

impl<'a> Lower<'_, 'a> {
    /// Lowers an instruction that applies to all running lanes: lanes that a guard excludes branch
    /// around it.
    fn around(
        &mut self,
        instruction: &'a Instruction<'a>,
        inner: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let guard = self.guard(instruction)?;
        if guard == NONE {
            return inner(self);
        }
        let behind = self.new_label();
        let leave = Leave::Jump { labels: vec![behind], falls: true };
        self.push(Inst { guard: guard ^ 1, ..Self::blank(control::branch) }, leave);
        let outcome = inner(self);
        self.place_label(behind);
        outcome
    }
}

/// `bra`
pub(crate) fn branch<'a>(
    lower: &mut Lower<'_, 'a>,
    _: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let [target] = &instruction.operands[..] else {
        return Err("`bra` takes one label".to_owned());
    };
    let label = lower.label_operand(target)?;
    let guard = lower.guard(instruction)?;
    let leave = Leave::Jump { labels: vec![label], falls: guard != NONE };
    lower.push(Inst { guard, ..Lower::blank(control::branch) }, leave);
    Ok(())
}

/// `brx.idx`
pub(crate) fn branch_indexed<'a>(
    lower: &mut Lower<'_, 'a>,
    _: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let [index, table] = &instruction.operands[..] else {
        return Err("`brx.idx` takes an index and a list".to_owned());
    };
    let labels = lower.label_table(table)?;
    let a = lower.source(index, 4, Type::U32)?;
    lower.around(instruction, |lower| {
        let b = lower.list(Vec::new());
        let leave = Leave::Jump { labels, falls: false };
        lower.push(Inst { a, b, ..Lower::blank(control::branch_indexed) }, leave);
        Ok(())
    })
}

fn ending<'a>(
    lower: &mut Lower<'_, 'a>,
    instruction: &'a Instruction<'a>,
    exec: Exec,
    leave: impl Fn(bool) -> Leave,
) -> Lowered<()> {
    if !instruction.operands.is_empty() {
        return Err("the instruction takes no operands".to_owned());
    }
    let guard = lower.guard(instruction)?;
    lower.push(Inst { guard, ..Lower::blank(exec) }, leave(guard != NONE));
    Ok(())
}

/// `ret`
pub(crate) fn ret<'a>(
    lower: &mut Lower<'_, 'a>,
    _: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    lower.store_register_results()?;
    ending(lower, instruction, control::ret, |falls| Leave::Return { falls })
}

fn end_or_fall(falls: bool) -> Leave {
    if falls { Leave::Next } else { Leave::End }
}

/// `exit`
pub(crate) fn exit<'a>(
    lower: &mut Lower<'_, 'a>,
    _: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    ending(lower, instruction, control::exit, end_or_fall)
}

/// `trap`
pub(crate) fn trap<'a>(
    lower: &mut Lower<'_, 'a>,
    _: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    ending(lower, instruction, control::trap, end_or_fall)
}

/// `call{.uni} (results), target, (arguments){, prototype}`
pub(crate) fn call<'a>(
    lower: &mut Lower<'_, 'a>,
    _: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let mut given = &instruction.operands[..];
    let mut results: &[Operand<'a>] = &[];
    if let [Operand::List(list), rest @ ..] = given {
        (results, given) = (list, rest);
    }
    let [target, rest @ ..] = given else { return Err("`call` needs a function".to_owned()) };
    let arguments: &[Operand<'a>] = match rest {
        [Operand::List(list), ..] => list,
        _ => &[],
    };
    let Operand::Name { name, offset: 0 } = target else {
        return Err("`call` needs a function".to_owned());
    };
    let mut call = Call { target: NONE, ..Call::default() };
    let mut a = NONE;
    match lower.names.functions.get(name) {
        Some(&index) => {
            let callee = lower.names.signatures[index as usize];
            if callee.entry {
                return Err(format!("`{name}` is a kernel"));
            }
            if callee.params.len() != arguments.len() || callee.returns.len() != results.len() {
                return Err(format!("`{name}` is declared with other parameters"));
            }
            call.target = index;
        }
        None => a = lower.source(target, 8, Type::U64)?,
    }
    lower.around(instruction, |lower| {
        let mut copies = Vec::new();
        for argument in arguments {
            call.arguments.push(lower.argument(argument, None)?);
        }
        for result in results {
            call.results.push(lower.argument(result, Some(&mut copies))?);
        }
        let x = lower.call(call);
        lower.push(Inst { a, x, ..Lower::blank(control::call) }, Leave::Next);
        if a != NONE {
            // Lanes that call different functions reconverge after the call.
            lower.meet(Meeting::Always);
        }
        for copy in copies {
            lower.push(copy, Leave::Next);
        }
        Ok(())
    })
}

impl<'a> Lower<'_, 'a> {
    /// The place of an argument or result in local memory. A register or constant gets one: an argument
    /// is stored there first, the loads of results are added to `loads`.
    fn argument(
        &mut self,
        operand: &Operand<'a>,
        loads: Option<&mut Vec<Inst>>,
    ) -> Lowered<(u32, u32)> {
        let entity = match operand {
            Operand::Name { name, .. } => self.entity(name),
            _ => None,
        };
        if let Some(Entity::Local { offset, size }) = entity {
            return Ok((offset, size as u32));
        }
        let size = match entity {
            Some(Entity::Register { ty, .. }) => register_bytes(ty),
            _ => 4,
        };
        let ty = if size == 8 { Type::B64 } else { Type::B32 };
        let offset = self.local_place(8, 8).ok_or("local memory is full")?;
        let inst = self.frame_access(offset, ty, size);
        match loads {
            Some(loads) => {
                let exec = load_of(ty, Place::Frame).ok_or("such a result is not supported")?;
                let d = self.destination(operand, size)?;
                loads.push(Inst { exec, d, ..inst });
            }
            None => {
                let exec = store_of(ty, Place::Frame).ok_or("such an argument is not supported")?;
                let b = self.source(operand, size, ty)?;
                self.push(Inst { exec, b, ..inst }, Leave::Next);
            }
        }
        Ok((offset, size))
    }

    fn frame_access(&self, offset: u32, ty: Type, register: u32) -> Inst {
        let mode = Mode::plain(Space::Local, true, ty.size().min(register), register);
        Inst { c: mode.pack(), imm: offset.into(), ..Self::blank(control::nothing) }
    }

    /// Results declared in `.reg` space are stored before `ret`.
    fn store_register_results(&mut self) -> Lowered<()> {
        for (name, ty, offset) in self.register_results() {
            let ty = if ty.size() == 8 { Type::B64 } else { Type::B32 };
            let inst = self.frame_access(offset, ty, ty.size());
            let exec = store_of(ty, Place::Frame).ok_or("such a result is not supported")?;
            let b = self.source(&Operand::Name { name, offset: 0 }, ty.size(), ty)?;
            self.push(Inst { exec, b, ..inst }, Leave::Next);
        }
        Ok(())
    }

    /// Parameters declared in `.reg` space are loaded at the start.
    pub(crate) fn load_register_params(&mut self) -> Lowered<()> {
        for (name, ty, offset) in self.register_params() {
            let ty = if ty.size() == 8 { Type::B64 } else { Type::B32 };
            let inst = self.frame_access(offset, ty, ty.size());
            let exec = load_of(ty, Place::Frame).ok_or("such a parameter is not supported")?;
            let d = self.destination(&Operand::Name { name, offset: 0 }, ty.size())?;
            self.push(Inst { exec, d, ..inst }, Leave::Next);
        }
        Ok(())
    }
}

/// `bar` and `barrier`, in all their forms.
pub(crate) fn barrier<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let operands = &instruction.operands[..];
    lower.around(instruction, |lower| {
        let mut inst = Lower::blank(control::nothing);
        let exec = if form.has("red") {
            let (id, count, predicate) = match operands {
                [_, id, predicate] => (id, None, predicate),
                [_, id, count, predicate] => (id, Some(count), predicate),
                _ => return Err("a reducing barrier takes 3 or 4 operands".to_owned()),
            };
            inst.d = lower.destination(&operands[0], if form.has("popc") { 4 } else { 0 })?;
            inst.a = lower.source(id, 4, Type::U32)?;
            if let Some(count) = count {
                inst.b = lower.source(count, 4, Type::U32)?;
            }
            inst.c = lower.source(predicate, 0, Type::Pred)?;
            sync::bar_red(form)
        } else {
            let (id, count) = match operands {
                [_] if form.has("arrive") => {
                    return Err("a barrier that only arrives takes a thread count".to_owned());
                }
                [id] => (id, None),
                [id, count] => (id, Some(count)),
                _ => return Err("a barrier takes 1 or 2 operands".to_owned()),
            };
            inst.a = lower.source(id, 4, Type::U32)?;
            if let Some(count) = count {
                inst.b = lower.source(count, 4, Type::U32)?;
            }
            if form.has("arrive") { sync::bar_arrive(form) } else { sync::bar_sync(form) }
        };
        inst.exec = exec.ok_or("there is no such barrier")?;
        lower.push(inst, Leave::Next);
        Ok(())
    })
}
