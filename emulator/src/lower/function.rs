//! Lowering of one function: registers, constants, scopes and operands.

use super::flow::{Leave, meeting_points};
use super::instruction;
use super::{Names, Places, declared};
use crate::error::Diagnostic;
use crate::exec::block::SHARED_START;
use crate::exec::ops::control;
use crate::exec::program::{Call, Exec, Function, IN_POOL, Inst, Line, NONE, Origin, SLACK};
use crate::isa::{self, Meaning};
use crate::ptx::ast::{self, Instruction, Operand, Statement};
use crate::ptx::form::Form;
use crate::ptx::types::{Kind, Space, Type};
use std::collections::HashMap;

/// The most bytes that the registers of a frame may take.
const MAX_FRAME: u32 = 1 << 28;

/// What a name refers to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entity {
    Register {
        ty: Type,
        slot: u32,
    },
    /// `%r<10>`: registers not used yet.
    Range {
        ty: Type,
        count: u32,
    },
    /// Bytes in the frame's local memory.
    Local {
        offset: u32,
        size: u64,
    },
    /// Bytes in the kernel's parameter bank.
    Bank {
        offset: u32,
        size: u64,
    },
    /// A shared variable's offset; `None` for dynamic shared memory.
    Shared(Option<u32>),
}

/// The state of lowering one function.
pub(crate) struct Lower<'n, 'a> {
    pub(crate) names: &'n Names<'a>,
    signature: &'a ast::Function<'a>,
    scopes: Vec<HashMap<&'a str, Entity>>,
    /// Labels by scope and name; scopes are numbered in order of appearance.
    labels: HashMap<(u32, &'a str), u32>,
    open_scopes: Vec<u32>,
    scope_count: u32,
    /// The end of the local variables that are alive here, and before each open scope.
    local_end: u32,
    local_ends: Vec<u32>,
    /// The instruction after each label.
    label_at: Vec<usize>,
    targets: HashMap<&'a str, Vec<&'a str>>,
    pub(crate) function: Function,
    leaves: Vec<Leave>,
    /// Whether lanes meet at each instruction.
    meetings: Vec<Meeting>,
    pool: HashMap<(u32, u64), u32>,
    pool_words: Vec<u64>,
    origin: Origin,
}

/// Lowers a function.
pub(crate) fn lower<'a>(
    signature: &'a ast::Function<'a>,
    names: &Names<'a>,
    places: &mut Places,
    errors: &mut Vec<Diagnostic>,
) -> Function {
    let Some(body) = &signature.body else { return declared(signature) };
    let mut lower = Lower {
        names,
        signature,
        scopes: vec![HashMap::new()],
        labels: HashMap::new(),
        open_scopes: vec![0],
        scope_count: 1,
        local_end: 0,
        local_ends: Vec::new(),
        label_at: Vec::new(),
        targets: HashMap::new(),
        function: declared(signature),
        leaves: Vec::new(),
        meetings: Vec::new(),
        pool: HashMap::new(),
        pool_words: Vec::new(),
        origin: Origin { text: (0, 0), line: signature.line, place: NONE },
    };
    lower.function.static_shared = names.static_shared.get(signature.name).copied().unwrap_or(0);
    let end = SHARED_START.saturating_add(lower.function.static_shared);
    lower.function.dynamic_start = end.next_multiple_of(names.dynamic_align) - SHARED_START;
    lower.declare_params();
    lower.find_labels(body);
    if let Err(message) = lower.load_register_params() {
        errors.push(Diagnostic { line: signature.line, text: String::new(), message });
    }
    for statement in body {
        if let Err((line, message)) = lower.statement(statement, places) {
            let text = match statement {
                Statement::Instruction(instruction) => brief(instruction),
                _ => String::new(),
            };
            errors.push(Diagnostic { line, text, message });
        }
    }
    // A body may end without `ret`; running off its end returns.
    lower.origin.text = (0, 0);
    lower.emit_leaving(control::ret, Leave::Return { falls: false });
    lower.finish()
}

/// An instruction, abbreviated for an error.
fn brief(instruction: &Instruction<'_>) -> String {
    isa::full_name(instruction.mnemonic, &instruction.modifiers)
}

/// Whether diverged lanes reconverge at an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meeting {
    None,
    /// If a branch needs the place.
    IfBranched,
    Always,
}

pub(super) type Lowered<T> = Result<T, String>;

impl<'a> Lower<'_, 'a> {
    // --- declarations -----------------------------------------------------------------------------

    fn declare_params(&mut self) {
        let place = |offset: &mut u64, param: &ast::Param<'_>| {
            let at = offset.next_multiple_of(param.align.max(4));
            *offset = at + param.size;
            (at as u32, param.size as u32)
        };
        let mut offset = 0u64;
        for param in &self.signature.params {
            let (at, size) = if self.signature.entry {
                let at = offset.next_multiple_of(param.align);
                offset = at + param.size;
                (at as u32, param.size as u32)
            } else {
                place(&mut offset, param)
            };
            self.function.params.push((at, size));
            let size = param.size;
            let entity = match (param.register, self.signature.entry) {
                (Some(ty), _) => match self.new_register(ty) {
                    Ok(register) => register,
                    Err(_) => continue,
                },
                (None, true) => Entity::Bank { offset: at, size },
                (None, false) => Entity::Local { offset: at, size },
            };
            self.scopes[0].insert(param.name, entity);
        }
        for param in &self.signature.returns {
            let (at, size) = place(&mut offset, param);
            self.function.results.push((at, size));
            let entity = match param.register.map(|ty| self.new_register(ty)) {
                Some(Ok(register)) => register,
                Some(Err(_)) => continue,
                None => Entity::Local { offset: at, size: param.size },
            };
            self.scopes[0].insert(param.name, entity);
        }
        if self.signature.entry {
            self.function.param_size = offset as u32;
        } else {
            self.local_end = (offset as u32).next_multiple_of(4);
            self.function.local_size = self.local_end;
        }
    }

    /// Parameters in `.reg` space: name, type and place in the frame.
    pub(crate) fn register_params(&self) -> Vec<(&'a str, Type, u32)> {
        let places = self.function.params.iter();
        let params = self.signature.params.iter().zip(places);
        params.filter_map(|(p, &(at, _))| p.register.map(|ty| (p.name, ty, at))).collect()
    }

    /// Results in `.reg` space: name, type and place in the frame.
    pub(crate) fn register_results(&self) -> Vec<(&'a str, Type, u32)> {
        let places = self.function.results.iter();
        let results = self.signature.returns.iter().zip(places);
        results.filter_map(|(p, &(at, _))| p.register.map(|ty| (p.name, ty, at))).collect()
    }

    /// Labels may be used before they are declared, so they are numbered first.
    fn find_labels(&mut self, body: &'a [Statement<'a>]) {
        let (mut open, mut count) = (vec![0], 1);
        for statement in body {
            match statement {
                Statement::Begin => {
                    open.push(count);
                    count += 1;
                }
                Statement::End => {
                    open.pop();
                }
                Statement::Label(name) => {
                    let scope = open.last().copied().unwrap_or(0);
                    let number = self.label_at.len() as u32;
                    self.labels.insert((scope, name), number);
                    self.label_at.push(usize::MAX);
                }
                Statement::Targets { name, labels } => {
                    self.targets.insert(name, labels.clone());
                }
                _ => {}
            }
        }
    }

    fn statement(
        &mut self,
        statement: &'a Statement<'a>,
        places: &mut Places,
    ) -> Result<(), (u32, String)> {
        match statement {
            Statement::Begin => {
                self.scopes.push(HashMap::new());
                self.open_scopes.push(self.scope_count);
                self.scope_count += 1;
                self.local_ends.push(self.local_end);
            }
            Statement::End => {
                self.scopes.pop();
                self.open_scopes.pop();
                // Variables of consecutive scopes share their place.
                self.local_end = self.local_ends.pop().unwrap_or(self.local_end);
            }
            Statement::Label(name) => {
                let scope = self.open_scopes.last().copied().unwrap_or(0);
                if let Some(&label) = self.labels.get(&(scope, *name)) {
                    self.place_label(label);
                }
            }
            Statement::Registers(registers) => {
                let ty = registers.ty;
                let entity = match registers.count {
                    Some(count) => Entity::Range { ty, count },
                    None => self.new_register(ty).map_err(|message| (registers.line, message))?,
                };
                self.scope().insert(registers.name, entity);
            }
            Statement::Variable(variable) => {
                let entity = self.variable(variable).map_err(|message| (variable.line, message))?;
                self.scope().insert(variable.name, entity);
            }
            Statement::Loc(loc) => self.origin.place = places.index(loc, self.names),
            Statement::Targets { .. } | Statement::Prototype => {}
            Statement::Instruction(instruction) => {
                self.origin.text = instruction.text;
                self.origin.line = instruction.line;
                self.instruction(instruction).map_err(|message| (instruction.line, message))?;
            }
        }
        Ok(())
    }

    fn scope(&mut self) -> &mut HashMap<&'a str, Entity> {
        if self.scopes.is_empty() {
            self.scopes.push(HashMap::new());
        }
        let last = self.scopes.len() - 1;
        &mut self.scopes[last]
    }

    fn variable(&mut self, variable: &ast::Variable<'a>) -> Lowered<Entity> {
        let name = variable.name;
        match variable.space {
            Space::Shared => {
                let key = (self.signature.name, name);
                Ok(Entity::Shared(self.names.function_shared.get(&key).copied().flatten()))
            }
            Space::Local | Space::Param => {
                let size = variable.size.ok_or(format!("`{name}` has no size"))?;
                let offset = self
                    .local_place(size, variable.align)
                    .ok_or_else(|| format!("`{name}` does not fit into local memory"))?;
                Ok(Entity::Local { offset, size })
            }
            _ => Err(format!(
                "`.{}` variables inside functions are not supported",
                variable.space.name()
            )),
        }
    }

    /// A place in local memory until the scope ends; `None` if there is no room.
    pub(crate) fn local_place(&mut self, size: u64, align: u64) -> Option<u32> {
        let offset = u64::from(self.local_end).next_multiple_of(align.max(4));
        let end = offset.checked_add(size.checked_next_multiple_of(4)?)?;
        if end > u64::from(crate::exec::warp::LOCAL_LIMIT) {
            return None;
        }
        self.local_end = end as u32;
        self.function.local_size = self.function.local_size.max(self.local_end);
        Some(offset as u32)
    }

    /// A register without a name.
    pub(crate) fn new_register(&mut self, ty: Type) -> Lowered<Entity> {
        let bytes = match ty.kind() {
            Kind::Predicate => 8,
            _ => ty.size().max(2) * 32,
        };
        let slot = self.function.frame_size.next_multiple_of(bytes.min(64));
        if slot + bytes > MAX_FRAME {
            return Err("too many registers".to_owned());
        }
        self.function.frame_size = slot + bytes;
        self.function.registers += ty.size().div_ceil(4);
        Ok(Entity::Register { ty, slot })
    }

    /// The slot of a new register of this many bytes; 0 bytes for a predicate.
    pub(crate) fn temporary(&mut self, bytes: u32) -> Lowered<u32> {
        let ty = match bytes {
            0 => Type::Pred,
            2 => Type::B16,
            4 => Type::B32,
            8 => Type::B64,
            _ => return Err(format!("no register has {bytes} bytes")),
        };
        match self.new_register(ty)? {
            Entity::Register { slot, .. } => Ok(slot),
            _ => Err("no register".to_owned()),
        }
    }

    // --- names ------------------------------------------------------------------------------------

    /// What a name refers to in the open scopes.
    pub(crate) fn entity(&mut self, name: &'a str) -> Option<Entity> {
        for depth in (0..self.scopes.len()).rev() {
            match self.scopes[depth].get(name) {
                Some(Entity::Range { .. }) | None => {}
                Some(&entity) => return Some(entity),
            }
            let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
            for split in (name.len() - digits)..name.len() {
                let (prefix, number) = name.split_at(split);
                if let Some(&Entity::Range { ty, count }) = self.scopes[depth].get(prefix)
                    && number.parse::<u32>().is_ok_and(|number| number < count)
                {
                    let register = self.new_register(ty).ok()?;
                    self.scopes[depth].insert(name, register);
                    return Some(register);
                }
            }
        }
        if let Some(&shared) = self.names.shared.get(name) {
            return Some(Entity::Shared(shared));
        }
        None
    }

    /// The register a name refers to: its type and slot.
    pub(crate) fn register(&mut self, name: &'a str) -> Lowered<(Type, u32)> {
        match self.entity(name) {
            Some(Entity::Register { ty, slot }) => Ok((ty, slot)),
            Some(_) => Err(format!("`{name}` is no register")),
            None => Err(format!("`{name}` is not declared")),
        }
    }

    fn label(&mut self, name: &str) -> Lowered<u32> {
        self.open_scopes
            .iter()
            .rev()
            .find_map(|&scope| self.labels.get(&(scope, name)))
            .copied()
            .ok_or_else(|| format!("there is no label `{name}`"))
    }

    /// The label an operand names.
    pub(crate) fn label_operand(&mut self, operand: &Operand<'a>) -> Lowered<u32> {
        match operand {
            Operand::Name { name, offset: 0 } => self.label(name),
            _ => Err("the target must be a label".to_owned()),
        }
    }

    /// The labels of a `.branchtargets` list.
    pub(crate) fn label_table(&mut self, operand: &Operand<'a>) -> Lowered<Vec<u32>> {
        let Operand::Name { name, .. } = operand else {
            return Err("`brx.idx` needs a list of targets".to_owned());
        };
        let list = self.targets.get(name).cloned().ok_or(format!("there is no list `{name}`"))?;
        list.into_iter().map(|label| self.label(label)).collect()
    }

    pub(crate) fn new_label(&mut self) -> u32 {
        self.label_at.push(usize::MAX);
        self.label_at.len() as u32 - 1
    }

    /// Lanes may reconverge at a label, so an instruction for that is kept there until `finish`.
    pub(crate) fn place_label(&mut self, label: u32) {
        self.label_at[label as usize] = self.function.code.len();
        self.meet(Meeting::IfBranched);
    }

    /// An instruction where diverged lanes reconverge.
    pub(crate) fn meet(&mut self, meeting: Meeting) {
        self.emit(control::meet);
        if let Some(last) = self.meetings.last_mut() {
            *last = meeting;
        }
    }

    // --- code -------------------------------------------------------------------------------------

    /// An instruction without operands.
    pub(crate) fn blank(exec: Exec) -> Inst {
        Inst { exec, guard: NONE, d: NONE, a: NONE, b: NONE, c: NONE, x: NONE, imm: 0 }
    }

    pub(crate) fn emit(&mut self, exec: Exec) {
        self.push(Self::blank(exec), Leave::Next);
    }

    pub(crate) fn emit_leaving(&mut self, exec: Exec, leave: Leave) {
        self.push(Self::blank(exec), leave);
    }

    pub(crate) fn push(&mut self, inst: Inst, leave: Leave) {
        self.function.code.push(inst);
        self.function.origins.push(self.origin);
        self.leaves.push(leave);
        self.meetings.push(Meeting::None);
    }

    /// Adds a list to the function's side table.
    pub(crate) fn list(&mut self, list: Vec<u32>) -> u32 {
        self.function.lists.push(list);
        self.function.lists.len() as u32 - 1
    }

    pub(crate) fn call(&mut self, call: Call) -> u32 {
        self.function.calls.push(call);
        self.function.calls.len() as u32 - 1
    }

    /// A constant of this many bytes in all lanes; 0 bytes for a predicate's mask.
    pub(crate) fn constant(&mut self, bytes: u32, value: u64) -> u32 {
        let value = match bytes {
            0 => u64::from(value != 0) * u64::from(u32::MAX),
            2 => value & 0xffff,
            4 => value & 0xffff_ffff,
            _ => value,
        };
        if let Some(&operand) = self.pool.get(&(bytes, value)) {
            return operand;
        }
        let start = self.pool_words.len().next_multiple_of(8);
        self.pool_words.resize(start, 0);
        let (word, count) = match bytes {
            0 => (value, 1),
            2 => (value * 0x0001_0001_0001_0001, 8),
            4 => (value | value << 32, 16),
            _ => (value, 32),
        };
        self.pool_words.resize(start + count, word);
        let operand = (start * 8) as u32 | IN_POOL;
        self.pool.insert((bytes, value), operand);
        operand
    }

    pub(crate) fn guard(&mut self, instruction: &Instruction<'a>) -> Lowered<u32> {
        match instruction.guard {
            None => Ok(NONE),
            Some((name, negated)) => match self.register(name)? {
                (Type::Pred, slot) => Ok(slot | u32::from(negated)),
                _ => Err(format!("the guard `{name}` is not a predicate")),
            },
        }
    }

    fn instruction(&mut self, instruction: &'a Instruction<'a>) -> Lowered<()> {
        let (row, words) = isa::find(instruction)?;
        let form = Form::new(&words);
        self.function.reads_asynchronously |= instruction::reads_asynchronously(instruction, &form);
        self.function.controls_dependents |= instruction.mnemonic == "griddepcontrol";
        match row.meaning {
            Meaning::Lower(lowering) => instruction::function(lowering)(self, &form, instruction),
            Meaning::Exec(pick) => {
                let exec = pick(&form).ok_or_else(|| {
                    format!("the emulated device has no instruction `{}`", brief(instruction))
                })?;
                let mut inst = self.operands(row.operands, &form, &instruction.operands)?;
                inst.exec = exec;
                inst.guard = self.guard(instruction)?;
                self.push(inst, Leave::Next);
                Ok(())
            }
        }
    }

    // --- the end ----------------------------------------------------------------------------------

    /// Fills in branch targets, and removes the reconvergence points that no branch needs.
    fn finish(mut self) -> Function {
        let count = self.function.code.len();
        for at in &mut self.label_at {
            *at = (*at).min(count - 1);
        }
        let meets = meeting_points(&self.leaves, &self.label_at);
        let mut needed = vec![false; count];
        for &at in meets.iter().flatten() {
            needed[at] = true;
        }
        for (needed, meeting) in needed.iter_mut().zip(&self.meetings) {
            *needed |= *meeting == Meeting::Always;
        }
        let meetings = std::mem::take(&mut self.meetings);
        let is_meet = |index: usize| meetings[index] != Meeting::None;
        let mut moved = vec![0; count];
        let mut kept = 0;
        for index in 0..count {
            moved[index] = kept;
            kept += usize::from(!is_meet(index) || needed[index]);
        }
        let targets: Vec<usize> = self.label_at.iter().map(|&at| moved[at]).collect();
        let mut code = Vec::with_capacity(kept);
        let mut origins = Vec::with_capacity(kept);
        for (index, inst) in self.function.code.iter().enumerate() {
            if is_meet(index) && !needed[index] {
                continue;
            }
            let mut inst = *inst;
            if let Leave::Jump { labels, falls } = &self.leaves[index] {
                let meet = meets[index].filter(|&at| is_meet(at));
                inst.x = meet.map_or(NONE, |at| moved[at] as u32);
                let tabled = inst.b != NONE && !falls;
                if tabled && let Some(list) = self.function.lists.get_mut(inst.b as usize) {
                    *list = labels.iter().map(|&label| targets[label as usize] as u32).collect();
                } else {
                    inst.imm = labels.first().map_or(0, |&label| targets[label as usize] as i64);
                }
            }
            code.push(inst);
            origins.push(self.function.origins[index]);
        }
        self.function.code = code;
        self.function.origins = origins;
        self.function.pool = self
            .pool_words
            .chunks(8)
            .map(|words| Line(std::array::from_fn(|index| words.get(index).copied().unwrap_or(0))))
            .collect();
        let padded = self.function.pool.len() + SLACK;
        self.function.pool.resize(padded, Line([0; 8]));
        self.function
    }
}

/// Bytes of a register: those of 8 bits take 16.
pub(crate) fn register_bytes(ty: Type) -> u32 {
    if ty.size() == 1 { 2 } else { ty.size() }
}
