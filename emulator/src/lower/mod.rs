//! From the syntax tree to the internal form: names are resolved, variables placed, errors collected.
//!
//! | file | is about |
//! |---|---|
//! | `function` | a function's registers, constants, scopes and labels |
//! | `operands` | operands of instructions |
//! | `instruction` | instructions that need more than their operands lowered |
//! | `flow` | where lanes that diverge at a branch reconverge |
//! | `data` | module variables and their initialisers |
//! | `pressure` | how many registers a kernel needs |

pub(crate) mod data;
pub(crate) mod flow;
pub(crate) mod function;
pub(crate) mod instruction;
mod operands;
mod pressure;

use crate::error::{Diagnostic, Error};
use crate::exec::block::SHARED_START;
use crate::exec::ops::control::FUNCTION_STRIDE;
use crate::exec::program::{Function, NONE, Place, Program};
use crate::memory::{CODE_WINDOW, Memory};
use crate::ptx::ast::{self, Module, Operand, Statement};
use crate::ptx::types::{Space, Type};
use std::collections::{HashMap, HashSet};

/// What functions know of their module.
pub(crate) struct Names<'a> {
    /// Functions by name: an index, see [`Program::functions`].
    pub(crate) functions: HashMap<&'a str, u32>,
    /// Variables of `.global` and `.const` by name: their address.
    pub(crate) variables: HashMap<&'a str, (Space, u64)>,
    /// Variables of `.shared`: their offset, or `None` for dynamic shared memory.
    pub(crate) shared: HashMap<&'a str, Option<u32>>,
    /// Offsets of `.shared` variables inside functions, by function and variable.
    pub(crate) function_shared: HashMap<(&'a str, &'a str), Option<u32>>,
    /// Bytes of static shared memory of each kernel.
    static_shared: HashMap<&'a str, u32>,
    /// The alignment of dynamic shared memory.
    dynamic_align: u32,
    /// Signatures: sizes of parameters and results.
    pub(crate) signatures: Vec<&'a ast::Function<'a>>,
    pub(crate) strings: HashMap<&'a str, &'a str>,
    pub(crate) files: HashMap<u32, &'a str>,
}

/// Address of a function, as `mov.u64 %rd, name` gives it.
pub(crate) fn function_address(index: u32) -> u64 {
    CODE_WINDOW + (u64::from(index) + 1) * FUNCTION_STRIDE
}

/// Parses and lowers a module, and places its variables in `memory`.
///
/// # Errors
/// Everything wrong with the text, or that memory ran out; nothing stays allocated then.
pub(crate) fn load(source: &str, memory: &Memory) -> Result<Program, Error> {
    let module = crate::ptx::parse(source).map_err(Error::Ptx)?;
    let mut errors = Vec::new();
    let digits = module.target.trim_matches(|c: char| !c.is_ascii_digit());
    let target = digits.parse().unwrap_or_default();
    let mut program = Program { source: source.into(), target, ..Program::default() };
    let placed = data::place(&module, memory, &mut errors)?;
    let names = names(&module, &placed, &mut errors);
    let mut places = Places::default();
    for signature in &names.signatures {
        let function = function::lower(signature, &names, &mut places, &mut errors);
        check_sizes(&function, signature.line, &mut errors);
        program.reads_asynchronously |= function.reads_asynchronously;
        program.controls_dependents |= function.controls_dependents;
        program.functions.push(function);
    }
    pressure::estimate(&names.signatures, &mut program);
    if errors.is_empty() {
        data::initialise(&module, &names, memory, &mut errors);
    }
    if !errors.is_empty() {
        for (_, address, _) in placed.values() {
            memory.free(*address);
        }
        errors.sort_by_key(|error| error.line);
        return Err(Error::Ptx(errors));
    }
    program.by_name = names.functions.iter().map(|(name, &i)| ((*name).to_owned(), i)).collect();
    for (name, (_, address, size)) in &placed {
        program.variables.insert((*name).to_owned(), (*address, *size));
    }
    program.places = places.all;
    Ok(program)
}

/// Static shared memory of a kernel.
const MAX_STATIC_SHARED: u32 = 48 << 10;
/// Bytes of parameters of a kernel, of PTX 8.1 on.
const MAX_PARAMS: u32 = 32764;

/// Refuses what the driver's assembler refuses, too.
fn check_sizes(function: &Function, line: u32, errors: &mut Vec<Diagnostic>) {
    let name = &function.name;
    let mut check = |what: &str, size: u32, limit: u32| {
        if size > limit {
            let message = format!("kernel `{name}` has {size} bytes of {what}, more than {limit}");
            errors.push(Diagnostic { line, text: String::new(), message });
        }
    };
    check("static shared memory", function.static_shared, MAX_STATIC_SHARED);
    check("parameters", function.param_size, MAX_PARAMS);
}

/// Source places, each once.
#[derive(Default)]
pub(crate) struct Places {
    all: Vec<Place>,
    /// By file, line, column, label of the function's name and place of the call.
    known: HashMap<(u32, u32, u32, String, u32), u32>,
    /// The last place of a file, line and column: what a later `inlined_at` means by them.
    latest: HashMap<(u32, u32, u32), u32>,
}

impl Places {
    /// The place a `.loc` names.
    pub(crate) fn index(&mut self, loc: &ast::Loc<'_>, names: &Names<'_>) -> u32 {
        let (label, caller) = match loc.inlined {
            None => ("", NONE),
            Some((label, file, line, column)) => {
                let caller = self.latest.get(&(file, line, column)).copied();
                let caller = caller.unwrap_or_else(|| {
                    self.index(&ast::Loc { file, line, column, inlined: None }, names)
                });
                (label, caller)
            }
        };
        let (at, key) = ((loc.file, loc.line, loc.column), label.to_owned());
        let index = match self.known.get(&(at.0, at.1, at.2, key.clone(), caller)) {
            Some(&index) => index,
            None => {
                let Some(file) = names.files.get(&loc.file) else { return NONE };
                let function = names.strings.get(label).copied().unwrap_or(label);
                let inlined = loc.inlined.map(|_| (function.to_owned(), caller));
                let (file, line, column) = ((*file).to_owned(), loc.line, loc.column);
                self.all.push(Place { file, line, column, inlined });
                let index = self.all.len() as u32 - 1;
                self.known.insert((at.0, at.1, at.2, key, caller), index);
                index
            }
        };
        self.latest.insert(at, index);
        index
    }
}

fn names<'a>(
    module: &'a Module<'a>,
    placed: &HashMap<&'a str, (Space, u64, u64)>,
    errors: &mut Vec<Diagnostic>,
) -> Names<'a> {
    let mut functions: HashMap<&str, u32> = HashMap::new();
    let mut signatures: Vec<&ast::Function<'_>> = Vec::new();
    for function in &module.functions {
        match functions.get(function.name) {
            None => {
                functions.insert(function.name, signatures.len() as u32);
                signatures.push(function);
            }
            Some(&index) => {
                let known = &mut signatures[index as usize];
                if known.body.is_none() {
                    *known = function;
                } else if function.body.is_some() {
                    let message = format!("`{}` is defined twice", function.name);
                    errors.push(Diagnostic { line: function.line, text: String::new(), message });
                }
            }
        }
    }
    let mut names = Names {
        functions,
        variables: placed.iter().map(|(&name, &(space, at, _))| (name, (space, at))).collect(),
        shared: HashMap::new(),
        function_shared: HashMap::new(),
        static_shared: HashMap::new(),
        dynamic_align: dynamic_align(module),
        signatures,
        strings: module.strings.iter().map(|(label, text)| (*label, text.as_str())).collect(),
        files: module.files.iter().copied().collect(),
    };
    place_shared(module, &mut names);
    names
}

/// The alignment that a module asks for in its declarations of dynamic shared memory, at least 16.
fn dynamic_align(module: &Module<'_>) -> u32 {
    let declared = module.variables.iter().filter(|v| v.space == Space::Shared && v.external);
    let most = declared.map(|variable| variable.align).max().unwrap_or(0).max(16);
    u32::try_from(most).unwrap_or(1 << 15).min(1 << 15)
}

/// Offsets for shared variables. Those of module scope and of functions come first, so that functions
/// find them at the same place in every kernel; a kernel's own come after those it can reach.
fn place_shared<'a>(module: &'a Module<'a>, names: &mut Names<'a>) {
    let mut next = SHARED_START;
    let mut ends: HashMap<&str, u32> = HashMap::new();
    let mut place = |variable: &ast::Variable<'_>| {
        let size = variable.size.filter(|_| !variable.external)?;
        let offset = u64::from(next).next_multiple_of(variable.align);
        // Too much shared memory is an error of the launch; here it must only not overflow.
        next = u32::try_from(offset + size).unwrap_or(u32::MAX >> 2).min(u32::MAX >> 2);
        Some((offset.min(u64::from(u32::MAX >> 2)) as u32, next))
    };
    let reserved = reserved_variables(module);
    for variable in &reserved {
        let placed = place(variable);
        names.shared.insert(variable.name, placed.map(|(offset, _)| offset));
        ends.insert(variable.name, placed.map_or(0, |(_, end)| end));
    }
    for variable in module.variables.iter().filter(|v| v.space == Space::Shared) {
        let placed = place(variable);
        names.shared.insert(variable.name, placed.map(|(offset, _)| offset));
        ends.insert(variable.name, placed.map_or(0, |(_, end)| end));
    }
    let mut function_ends: HashMap<&str, u32> = HashMap::new();
    for function in names.signatures.iter().filter(|function| !function.entry) {
        for variable in shared_variables(function) {
            let placed = place(variable);
            let key = (function.name, variable.name);
            names.function_shared.insert(key, placed.map(|(offset, _)| offset));
            let end = function_ends.entry(function.name).or_default();
            *end = (*end).max(placed.map_or(0, |(_, end)| end));
        }
    }
    for entry in names.signatures.iter().copied().filter(|function| function.entry) {
        let mut end = SHARED_START;
        for name in reachable(entry, names) {
            end = end.max(ends.get(name).copied().unwrap_or(0));
            end = end.max(function_ends.get(name).copied().unwrap_or(0));
        }
        for variable in shared_variables(entry) {
            let offset = variable.size.filter(|_| !variable.external).map(|size| {
                let offset = u64::from(end).next_multiple_of(variable.align);
                end = u32::try_from(offset + size).unwrap_or(u32::MAX).min(u32::MAX >> 2);
                offset as u32
            });
            names.function_shared.insert((entry.name, variable.name), offset);
        }
        names.static_shared.insert(entry.name, end - SHARED_START);
    }
}

/// Special registers with the places of shared memory that is reserved for NVIDIA's libraries, and its bytes:
/// cooperative groups, which have the second, need 288.
const RESERVED: [&str; 2] = ["%reserved_smem_offset_0", "%reserved_smem_offset_1"];
const RESERVED_BYTES: u64 = 288;

/// The reserved parts of shared memory that a module uses, as variables of the special registers' names.
fn reserved_variables(module: &Module<'_>) -> Vec<ast::Variable<'static>> {
    let bodies = || module.functions.iter().filter_map(|function| function.body.as_ref());
    let mentions = |wanted: &str| {
        bodies().flatten().any(|statement| {
            let Statement::Instruction(instruction) = statement else { return false };
            let is_wanted = |operand: &Operand<'_>| matches!(operand, Operand::Name { name, .. } if *name == wanted);
            instruction.operands.iter().any(is_wanted)
        })
    };
    let variable = |name| ast::Variable {
        name,
        space: Space::Shared,
        ty: Type::B8,
        size: Some(RESERVED_BYTES),
        align: 16,
        external: false,
        initialiser: Vec::new(),
        line: 0,
    };
    RESERVED.into_iter().filter(|name| mentions(name)).map(variable).collect()
}

fn shared_variables<'a>(
    function: &'a ast::Function<'a>,
) -> impl Iterator<Item = &'a ast::Variable<'a>> {
    function.body.iter().flatten().filter_map(|statement| match statement {
        Statement::Variable(variable) if variable.space == Space::Shared => Some(variable),
        _ => None,
    })
}

/// Every name that a function, and those it may call, mention.
fn reachable<'a>(entry: &'a ast::Function<'a>, names: &Names<'a>) -> HashSet<&'a str> {
    let mut seen = HashSet::new();
    let mut open = vec![entry];
    while let Some(function) = open.pop() {
        for statement in function.body.iter().flatten() {
            let Statement::Instruction(instruction) = statement else { continue };
            let mut operands: Vec<&Operand<'_>> = instruction.operands.iter().collect();
            while let Some(operand) = operands.pop() {
                let name = match operand {
                    Operand::Name { name, .. } | Operand::Address { name: Some(name), .. } => *name,
                    Operand::Vector(inner) | Operand::List(inner) => {
                        operands.extend(inner);
                        continue;
                    }
                    Operand::Tensor { map, coordinates } => {
                        operands.push(map);
                        operands.extend(coordinates);
                        continue;
                    }
                    _ => continue,
                };
                if (!name.starts_with('%') || RESERVED.contains(&name)) && seen.insert(name) {
                    let called = names.functions.get(name);
                    open.extend(called.map(|&index| names.signatures[index as usize]));
                }
            }
            if instruction.mnemonic == "call" && indirect(instruction, names) {
                for function in names.signatures.iter().filter(|function| !function.entry) {
                    if seen.insert(function.name) {
                        open.push(function);
                    }
                }
            }
        }
    }
    seen
}

fn indirect(instruction: &ast::Instruction<'_>, names: &Names<'_>) -> bool {
    !instruction.operands.iter().any(|operand| {
        matches!(operand, Operand::Name { name, .. } if names.functions.contains_key(name))
    })
}

/// An external declaration, or a placeholder for a function with errors.
fn declared(signature: &ast::Function<'_>) -> Function {
    Function {
        name: signature.name.to_owned(),
        entry: signature.entry,
        external: signature.body.is_none(),
        code: Vec::new(),
        origins: Vec::new(),
        pool: Vec::new(),
        frame_size: 0,
        local_size: 0,
        params: Vec::new(),
        results: Vec::new(),
        calls: Vec::new(),
        lists: Vec::new(),
        param_size: 0,
        static_shared: 0,
        dynamic_start: 0,
        limits: signature.limits,
        registers: 0,
        reads_asynchronously: false,
        controls_dependents: false,
    }
}
