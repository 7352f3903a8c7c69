//! How many registers a kernel needs: an estimate, because PTX has any number of virtual registers.
//!
//! An assembler assigns a 32-bit hardware register to each live value. So the estimate is the largest number
//! of values that are live at one point, by the usual backward analysis. Predicates have separate registers.
//! Parameters, constants and addresses of variables take none, because an assembler rematerialises them
//! where they are needed. [`OVERHEAD`] is what the assembler needs for itself.
//!
//! An assembler also reorders instructions. So each block is analysed twice: in its own order, and with each
//! value computed only when it is needed, because LLVM moves the loads of an unrolled loop to its start. The
//! smaller number counts.
//! For the sixteen kernels of `benches` the estimates are 0.67 to 1.8 times what NVIDIA's assembler takes.

use crate::exec::program::{NONE, Program};
use crate::isa;
use crate::ptx::ast::{self, Instruction, Operand, Statement};
use crate::ptx::types::{Kind, Type};
use std::collections::{HashMap, HashSet};

/// Registers that an assembler takes for itself: the stack pointer, and intermediate results of PTX
/// instructions that are several machine instructions.
const OVERHEAD: u32 = 6;
/// Registers that the calling convention requires for a kernel with calls.
const CALLS: u32 = 24;
/// The most that a thread can have.
const MAX: u32 = 255;
/// Blocks of a function times the registers that are alive across them, in words of 64 bits. With more, the
/// analysis would take too long, and the function needs all registers anyway.
const MAX_WORDS: usize = 1 << 22;

/// Sets the estimate of every function: its own need, and for those with calls also the callees'.
pub(super) fn estimate(signatures: &[&ast::Function<'_>], program: &mut Program) {
    let functions = &mut program.functions;
    for (function, signature) in functions.iter_mut().zip(signatures) {
        function.registers = match &signature.body {
            Some(body) => (Body::read(body).pressure() + OVERHEAD).min(MAX),
            None => CALLS,
        };
    }
    for index in 0..functions.len() {
        if !functions[index].entry {
            continue;
        }
        let mut seen = vec![false; functions.len()];
        let (mut open, mut most) = (vec![index], 0);
        while let Some(next) = open.pop() {
            if std::mem::replace(&mut seen[next], true) {
                continue;
            }
            most = most.max(functions[next].registers);
            for call in &functions[next].calls {
                most = most.max(CALLS);
                if call.target == NONE {
                    open.extend((0..functions.len()).filter(|&other| !functions[other].entry));
                } else {
                    open.push(call.target as usize);
                }
            }
        }
        functions[index].registers = most;
    }
}

/// A register, as an index into [`Body::widths`].
type Register = u32;

/// What an instruction does to registers.
#[derive(Default)]
struct Step {
    sets: Vec<Register>,
    reads: Vec<Register>,
    /// Instructions where control may go on, apart from the next one.
    jumps: Vec<usize>,
    falls: bool,
    motion: Motion,
}

/// Whether an instruction can come later.
#[derive(Clone, Copy, Default, PartialEq)]
enum Motion {
    /// It only computes.
    Free,
    /// It reads memory, so it can't move past what may write there.
    Load,
    /// It stays.
    #[default]
    Fixed,
    /// It stays, and no load passes it.
    Barrier,
}

/// A function's instructions.
#[derive(Default)]
struct Body {
    steps: Vec<Step>,
    /// Words of each register; 0 if it takes none.
    widths: Vec<u32>,
    /// Whether one instruction alone sets the register.
    once: Vec<bool>,
}

/// The declarations of a scope, by name and by prefix of numbered names.
#[derive(Default)]
struct Scope<'a> {
    plain: HashMap<&'a str, Type>,
    numbered: HashMap<&'a str, Type>,
    known: HashMap<&'a str, Option<Register>>,
}

struct Reader<'a> {
    body: Body,
    scopes: Vec<Scope<'a>>,
    /// How often each register is set, and whether its value could be rematerialised.
    sets: Vec<(u32, bool)>,
}

impl<'a> Reader<'a> {
    /// The register of a name; `None` for anything else.
    fn register(&mut self, name: &'a str) -> Option<Register> {
        for depth in (0..self.scopes.len()).rev() {
            if let Some(&found) = self.scopes[depth].known.get(name) {
                return found;
            }
            let scope = &self.scopes[depth];
            let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
            let mut splits = prefix.len()..name.len();
            let numbered = || splits.find_map(|at| scope.numbered.get(&name[..at]));
            let Some(&ty) = scope.plain.get(name).or_else(numbered) else { continue };
            let width = match ty.kind() {
                Kind::Predicate => 0,
                _ => ty.size().div_ceil(4),
            };
            self.body.widths.push(width);
            self.sets.push((0, false));
            let register = Some(self.body.widths.len() as u32 - 1);
            self.scopes[depth].known.insert(name, register);
            return register;
        }
        None
    }

    fn registers(&mut self, operand: &Operand<'a>, to: &mut Vec<Register>) {
        match operand {
            Operand::Name { name, .. }
            | Operand::Component { name, .. }
            | Operand::Not(name)
            | Operand::Address { name: Some(name), .. } => to.extend(self.register(name)),
            Operand::Pair(a, b) => {
                self.registers(a, to);
                self.registers(b, to);
            }
            Operand::Vector(inner) | Operand::List(inner) => {
                for operand in inner {
                    self.registers(operand, to);
                }
            }
            _ => {}
        }
    }

    fn instruction(&mut self, instruction: &Instruction<'a>) -> Step {
        let mut step = Step { falls: true, ..Step::default() };
        if let Some((guard, _)) = instruction.guard {
            step.reads.extend(self.register(guard));
        }
        let count = usize::from(has_destination(instruction));
        let (to, from) = instruction.operands.split_at(count.min(instruction.operands.len()));
        for operand in to {
            self.registers(operand, &mut step.sets);
        }
        for operand in from {
            self.registers(operand, &mut step.reads);
        }
        step.motion = motion(instruction);
        let again = match instruction.mnemonic {
            "ld" => instruction.modifiers.contains(&"param"),
            // Reading a thread's own index takes an instruction that is not repeated.
            "mov" => step.reads.is_empty() && !from.iter().any(is_of_thread),
            "cvta" => step.reads.iter().all(|&register| self.is_free(register)),
            _ => false,
        };
        for &register in &step.sets {
            let (count, free) = &mut self.sets[register as usize];
            *count += 1;
            *free = again && *count == 1;
        }
        step
    }

    fn is_free(&self, register: Register) -> bool {
        self.sets[register as usize] == (1, true)
    }
}

/// Whether a special register differs from thread to thread.
fn is_of_thread(operand: &Operand<'_>) -> bool {
    match operand {
        Operand::Name { name, .. } | Operand::Component { name, .. } => {
            ["%tid", "%laneid", "%clock", "%clock64", "%globaltimer"].contains(name)
        }
        _ => false,
    }
}

/// Whether an instruction can come later, judging by its kind.
fn motion(instruction: &Instruction<'_>) -> Motion {
    match instruction.mnemonic {
        "ld" | "ldu" => {
            let ordered = ["volatile", "relaxed", "acquire", "mmio"];
            let fixed = instruction.modifiers.iter().any(|word| ordered.contains(word));
            if fixed { Motion::Barrier } else { Motion::Load }
        }
        "atom" | "call" | "bar" | "barrier" => Motion::Barrier,
        "shfl" | "vote" | "match" | "redux" | "elect" | "activemask" => Motion::Fixed,
        _ if has_destination(instruction) => Motion::Free,
        "bra" | "brx" | "ret" | "exit" | "trap" => Motion::Fixed,
        _ => Motion::Barrier,
    }
}

/// Whether the first operand is where the result goes.
fn has_destination(instruction: &Instruction<'_>) -> bool {
    match instruction.mnemonic {
        "ld" | "ldu" | "mov" | "cvta" | "cvt" | "setp" | "set" | "atom" => true,
        "bar" | "barrier" => instruction.modifiers.contains(&"red"),
        "call" => matches!(instruction.operands.first(), Some(Operand::List(_))),
        _ => isa::find(instruction).is_ok_and(|(row, _)| row.operands.starts_with('d')),
    }
}

impl Body {
    fn read<'a>(body: &'a [Statement<'a>]) -> Body {
        let mut labels: HashMap<&str, usize> = HashMap::new();
        let mut targets: HashMap<&str, &[&str]> = HashMap::new();
        let mut count = 0;
        for statement in body {
            match statement {
                Statement::Label(name) => {
                    labels.insert(name, count);
                }
                Statement::Targets { name, labels } => {
                    targets.insert(name, labels);
                }
                Statement::Instruction(_) => count += 1,
                _ => {}
            }
        }
        let scopes = vec![Scope::default()];
        let mut reader = Reader { body: Body::default(), scopes, sets: Vec::new() };
        for statement in body {
            match statement {
                Statement::Begin => reader.scopes.push(Scope::default()),
                Statement::End if reader.scopes.len() > 1 => {
                    reader.scopes.pop();
                }
                Statement::Registers(registers) => {
                    let last = reader.scopes.len() - 1;
                    let scope = &mut reader.scopes[last];
                    match registers.count {
                        Some(_) => scope.numbered.insert(registers.name, registers.ty),
                        None => scope.plain.insert(registers.name, registers.ty),
                    };
                    scope.known.clear();
                }
                Statement::Instruction(instruction) => {
                    let mut step = reader.instruction(instruction);
                    let guarded = instruction.guard.is_some();
                    let name = |operand: &Operand<'a>| match operand {
                        Operand::Name { name, .. } => Some(*name),
                        _ => None,
                    };
                    match instruction.mnemonic {
                        "bra" => {
                            let label = instruction.operands.first().and_then(name);
                            step.jumps.extend(label.and_then(|label| labels.get(label)));
                            step.falls = guarded;
                        }
                        "brx" => {
                            let list = instruction.operands.get(1).and_then(name);
                            let list = list.and_then(|list| targets.get(list)).copied();
                            let list = list.unwrap_or_default().iter();
                            step.jumps.extend(list.filter_map(|label| labels.get(label)));
                            step.falls = guarded;
                        }
                        "ret" | "exit" | "trap" => step.falls = guarded,
                        _ => {}
                    }
                    reader.body.steps.push(step);
                }
                _ => {}
            }
        }
        for (width, sets) in reader.body.widths.iter_mut().zip(&reader.sets) {
            if *sets == (1, true) {
                *width = 0;
            }
        }
        reader.body.once = reader.sets.iter().map(|(count, _)| *count <= 1).collect();
        reader.body
    }

    /// The largest number of words that are alive at one place.
    fn pressure(&self) -> u32 {
        let blocks = self.blocks();
        let Some(living) = self.living(&blocks) else { return MAX };
        let mut alive = vec![false; self.widths.len()];
        let mut most = 0;
        for (block, at_end) in blocks.iter().zip(&living.at_end) {
            let at_end = |index: &usize| at_end[index / 64] >> (index % 64) & 1 != 0;
            let numbers = (0..living.registers.len()).filter(at_end);
            let at_end: Vec<Register> = numbers.map(|number| living.registers[number]).collect();
            let mut pressure = |order: &mut dyn Iterator<Item = usize>| {
                let found = self.pressure_of(order, &at_end, &mut alive);
                // What is alive at the start of a block is alive across blocks.
                living.registers.iter().for_each(|&register| alive[register as usize] = false);
                found
            };
            let as_it_stands = pressure(&mut block.clone().rev());
            if as_it_stands > most {
                let late = self.on_demand(block);
                most = most.max(as_it_stands.min(pressure(&mut late.into_iter().rev())));
            }
        }
        most
    }

    /// The same for a block, whose instructions are given from the last one on.
    fn pressure_of(
        &self,
        order: &mut dyn Iterator<Item = usize>,
        at_end: &[Register],
        alive: &mut [bool],
    ) -> u32 {
        let width = |register: Register| self.widths[register as usize];
        at_end.iter().for_each(|&register| alive[register as usize] = true);
        let mut now: u32 = at_end.iter().map(|&register| width(register)).sum();
        let mut most = now;
        for index in order {
            let step = &self.steps[index];
            let unused = step.sets.iter().filter(|&&register| !alive[register as usize]);
            most = most.max(now + unused.map(|&register| width(register)).sum::<u32>());
            for &register in &step.sets {
                if std::mem::replace(&mut alive[register as usize], false) {
                    now -= width(register);
                }
            }
            for &register in &step.reads {
                if !std::mem::replace(&mut alive[register as usize], true) {
                    now += width(register);
                }
            }
            most = most.max(now);
        }
        most
    }

    /// A block's instructions, each as late as the first one that needs it.
    fn on_demand(&self, block: &std::ops::Range<usize>) -> Vec<usize> {
        let movable = |step: &Step| {
            let all = step.sets.iter().chain(&step.reads);
            matches!(step.motion, Motion::Free | Motion::Load)
                && all.into_iter().all(|&register| self.once[register as usize])
        };
        let mut order = Order {
            body: self,
            start: block.start,
            makers: HashMap::new(),
            done: vec![false; block.len()],
            all: Vec::with_capacity(block.len()),
        };
        let (mut waiting, mut loads) = (Vec::new(), false);
        let last = block.end - 1;
        for index in block.clone() {
            let step = &self.steps[index];
            if index == last && (!step.jumps.is_empty() || !step.falls) {
                break;
            }
            if movable(step) {
                order.makers.extend(step.sets.iter().map(|&register| (register, index)));
                waiting.push(index);
                loads |= step.motion == Motion::Load;
                continue;
            }
            if step.motion == Motion::Barrier && loads {
                order.put_all(&waiting);
                waiting.clear();
                loads = false;
            }
            order.put(index);
        }
        order.put_all(&waiting);
        order.put(last);
        order.all
    }

    /// Ranges of instructions without jumps inside.
    fn blocks(&self) -> Vec<std::ops::Range<usize>> {
        let mut starts = vec![false; self.steps.len() + 1];
        starts[self.steps.len()] = true;
        for (index, step) in self.steps.iter().enumerate() {
            step.jumps.iter().for_each(|&to| starts[to] = true);
            starts[index + 1] |= !step.jumps.is_empty() || !step.falls;
        }
        let mut blocks = Vec::new();
        let mut start = 0;
        for (index, _) in starts.iter().enumerate().skip(1).filter(|(_, starts)| **starts) {
            blocks.push(start..index);
            start = index;
        }
        blocks
    }

    /// What is alive at the end of each block; `None` if the analysis would be too large.
    fn living(&self, blocks: &[std::ops::Range<usize>]) -> Option<Living> {
        // Registers that a block reads before it sets them; most never leave their block.
        let mut set_in = vec![usize::MAX; self.widths.len()];
        let mut number = vec![NONE; self.widths.len()];
        let mut registers = Vec::new();
        for (block, range) in blocks.iter().enumerate() {
            for step in &self.steps[range.clone()] {
                for &register in &step.reads {
                    let at = register as usize;
                    if set_in[at] != block && number[at] == NONE {
                        number[at] = registers.len() as u32;
                        registers.push(register);
                    }
                }
                step.sets.iter().for_each(|&register| set_in[register as usize] = block);
            }
        }
        let words = registers.len().div_ceil(64);
        if words * blocks.len() > MAX_WORDS {
            return None;
        }
        let mut block_at = vec![usize::MAX; self.steps.len() + 1];
        for (block, range) in blocks.iter().enumerate() {
            block_at[range.start] = block;
        }
        let mut reads = vec![vec![0u64; words]; blocks.len()];
        let mut sets = reads.clone();
        for (block, range) in blocks.iter().enumerate() {
            let bit = |register: Register| {
                let number = number[register as usize];
                (number != NONE).then_some((number as usize / 64, 1u64 << (number % 64)))
            };
            for step in &self.steps[range.clone()] {
                for (word, bit) in step.reads.iter().filter_map(|&register| bit(register)) {
                    reads[block][word] |= bit & !sets[block][word];
                }
                for (word, bit) in step.sets.iter().filter_map(|&register| bit(register)) {
                    sets[block][word] |= bit;
                }
            }
        }
        let mut at_end = vec![vec![0u64; words]; blocks.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for block in (0..blocks.len()).rev() {
                let end = blocks[block].end;
                let last = &self.steps[end - 1];
                let falls = last.falls.then_some(end);
                for next in last.jumps.iter().copied().chain(falls) {
                    let next = block_at[next];
                    if next == usize::MAX {
                        continue;
                    }
                    for word in 0..words {
                        let needed = reads[next][word] | (at_end[next][word] & !sets[next][word]);
                        changed |= needed & !at_end[block][word] != 0;
                        at_end[block][word] |= needed;
                    }
                }
            }
        }
        Some(Living { registers, at_end })
    }
}

/// An order of a block's instructions, as it grows.
struct Order<'a> {
    body: &'a Body,
    start: usize,
    /// The instruction that sets a register, for those that can come later.
    makers: HashMap<Register, usize>,
    done: Vec<bool>,
    all: Vec<usize>,
}

impl Order<'_> {
    /// Adds instructions: first those whose results none of the others needs, each after what it needs.
    fn put_all(&mut self, waiting: &[usize]) {
        let steps = &self.body.steps;
        let needed: HashSet<Register> =
            waiting.iter().flat_map(|&index| steps[index].reads.iter().copied()).collect();
        for &index in waiting {
            if !steps[index].sets.iter().any(|register| needed.contains(register)) {
                self.put(index);
            }
        }
    }

    /// Adds an instruction after those that it needs.
    fn put(&mut self, index: usize) {
        let mut open = vec![(index, 0)];
        while let Some((index, read)) = open.last_mut() {
            if self.done[*index - self.start] {
                open.pop();
                continue;
            }
            match self.body.steps[*index].reads.get(*read) {
                Some(register) => {
                    *read += 1;
                    let maker = self.makers.get(register).filter(|maker| **maker < *index);
                    open.extend(maker.map(|&maker| (maker, 0)));
                }
                None => {
                    self.done[*index - self.start] = true;
                    self.all.push(*index);
                    open.pop();
                }
            }
        }
    }
}

/// Which registers are alive at the end of each block: one bit for each of `registers`.
struct Living {
    registers: Vec<Register>,
    at_end: Vec<Vec<u64>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The most words alive at one point in a body.
    fn pressure(text: &str) -> u32 {
        let head = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p) {\n\
                    .reg .pred %p<9>;\n.reg .b32 %r<99>;\n.reg .b64 %rd<99>;\n";
        let source = format!("{head}{text}\nret;\n}}\n");
        let module = crate::ptx::parse(&source).unwrap();
        Body::read(module.functions[0].body.as_ref().unwrap()).pressure()
    }

    #[test]
    fn values_count_while_they_are_needed() {
        let four = "mov.u32 %r1, %tid.x;\nadd.u32 %r2, %r1, 1;\nadd.u32 %r3, %r1, 2;\n";
        assert_eq!(
            pressure(&format!("{four}add.u32 %r4, %r2, %r3;\nst.global.u32 [%rd9], %r4;")),
            4
        );
        // One after the other they share a register.
        let chain = "mov.u32 %r1, %tid.x;\nadd.u32 %r2, %r1, 1;\nadd.u32 %r3, %r2, 2;";
        assert_eq!(pressure(chain), 1);
        let wide = "cvt.u64.u32 %rd1, %r1;\nadd.u64 %rd2, %rd1, 1;\nst.global.u64 [%rd1], %rd2;";
        assert_eq!(pressure(wide), 4);
    }

    #[test]
    fn predicates_parameters_and_constants_take_none() {
        let text = "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, 7;\n\
                    mov.u32 %r3, %ntid.x;\nsetp.eq.u32 %p1, %r1, %r3;\n@%p1 st.global.u32 [%rd2], %r1;";
        assert_eq!(pressure(text), 0);
    }

    #[test]
    fn a_loop_keeps_what_the_next_round_needs() {
        let text = "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %laneid;\nmov.u32 %r3, %tid.y;\n\
                    L: add.u32 %r2, %r2, %r1;\nsub.u32 %r3, %r3, 1;\nsetp.ne.u32 %p1, %r3, 0;\n\
                    @%p1 bra L;\nst.global.u32 [%rd1], %r2;";
        // Three numbers and the address.
        assert_eq!(pressure(text), 5);
    }

    #[test]
    fn loads_in_front_are_made_when_they_are_needed() {
        let mut text = "mov.f32 %r0, 0f00000000;\nmov.u32 %r99, %tid.x;\n".to_owned();
        for load in 1..20 {
            text += &format!("ld.shared.f32 %r{load}, [%r99+{load}];\n");
        }
        for load in 1..20 {
            text += &format!(
                "add.f32 %r{}, %r{}, %r{load};\n",
                30 + load,
                if load == 1 { 0 } else { 29 + load }
            );
        }
        let end = "st.global.u32 [%rd1], %r49;";
        // The address of 64 bits, that of the loads, a sum and what is added.
        let found = pressure(&format!("{text}{end}"));
        assert!(found <= 6, "{found}");
        // No load passes a barrier, and neither does its user.
        let (loads, sums) = text.split_at(text.find("add").unwrap());
        assert!(pressure(&format!("{loads}bar.sync 0;\n{sums}{end}")) >= 19);
    }

    #[test]
    fn a_monster_takes_no_time() {
        let mut text = String::new();
        for block in 0..20_000 {
            text += &format!("@%p1 bra L{block};\nadd.u32 %r{block}, %q{block}, 1;\nL{block}:\n");
        }
        let text = format!(".reg .b32 %q<20000>;\n.reg .b32 %r<20000>;\n{text}");
        assert_eq!(pressure(&text), MAX);
    }

    #[test]
    fn scopes_have_their_own() {
        let text = "mov.u32 %r1, %tid.x;\nst.global.u32 [%rd1], %r1;\n{\n.reg .b64 %r1;\ncvt.u64.u32 %r1, %r2;\n\
                    st.global.u64 [%rd1], %r1;\n}\nst.global.u32 [%rd1], %r1;";
        assert_eq!(pressure(text), 5);
    }
}
