//! The syntax tree of PTX text. Names are not resolved yet.

use super::types::{Space, Type};
use std::collections::HashSet;

/// A whole module.
#[derive(Debug, Default)]
pub(crate) struct Module<'a> {
    /// Text after `.target`, such as `sm_90`.
    pub(crate) target: &'a str,
    /// `.file` directives: number and path.
    pub(crate) files: Vec<(u32, &'a str)>,
    /// Labelled strings of the debug sections, which `.loc … function_name` names.
    pub(crate) strings: Vec<(&'a str, String)>,
    /// Variables of module scope.
    pub(crate) variables: Vec<Variable<'a>>,
    /// Kernels and functions, declared or defined.
    pub(crate) functions: Vec<Function<'a>>,
    /// Names that no other module can use.
    pub(crate) locals: HashSet<&'a str>,
    /// Names that other modules may define, too.
    pub(crate) weak: HashSet<&'a str>,
}

impl<'a> Module<'a> {
    /// Notes how a name of module scope is linked: by `.visible`, `.weak`, `.extern`, `.common`, or nothing.
    pub(crate) fn note(&mut self, name: &'a str, linkage: &str) {
        match linkage {
            "" => self.locals.insert(name),
            "weak" => self.weak.insert(name),
            _ => false,
        };
    }
}

/// A variable of memory, in any scope.
#[derive(Debug)]
pub(crate) struct Variable<'a> {
    pub(crate) name: &'a str,
    pub(crate) space: Space,
    pub(crate) ty: Type,
    /// Bytes in all; `None` when declared as `x[]` without an initialiser.
    pub(crate) size: Option<u64>,
    pub(crate) align: u64,
    pub(crate) external: bool,
    pub(crate) initialiser: Vec<Initial<'a>>,
    pub(crate) line: u32,
}

/// One scalar of an initialiser.
#[derive(Debug)]
pub(crate) enum Initial<'a> {
    /// Bits, to be truncated to the element's size.
    Bits(u64),
    /// A single-precision literal, as bits.
    F32(u32),
    /// A double-precision literal, as bits.
    F64(u64),
    /// `generic(name) + offset` or `name + offset`, shifted right (`0xFF00(name)` takes one byte).
    Address { name: &'a str, generic: bool, offset: i64, shift: u32 },
}

/// A parameter of a kernel or function.
#[derive(Clone, Debug)]
pub(crate) struct Param<'a> {
    pub(crate) name: &'a str,
    pub(crate) size: u64,
    pub(crate) align: u64,
    /// Declared in the `.reg` space, not in `.param`.
    pub(crate) register: Option<Type>,
}

/// `.entry` or `.func`.
#[derive(Debug)]
pub(crate) struct Function<'a> {
    pub(crate) name: &'a str,
    pub(crate) entry: bool,
    pub(crate) returns: Vec<Param<'a>>,
    pub(crate) params: Vec<Param<'a>>,
    pub(crate) limits: Limits,
    pub(crate) body: Option<Vec<Statement<'a>>>,
    pub(crate) line: u32,
}

/// Performance-tuning directives (PTX ISA, section 11.4).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Limits {
    pub(crate) max_threads: Option<[u32; 3]>,
    pub(crate) required_threads: Option<[u32; 3]>,
    pub(crate) max_registers: Option<u32>,
    /// `.minnctapersm`: blocks that a multiprocessor should hold at once.
    pub(crate) min_blocks: Option<u32>,
    /// `.reqnctapercluster`
    pub(crate) required_cluster: Option<[u32; 3]>,
}

/// One statement of a body. Scopes stay flat, as `Begin` and `End`.
#[derive(Debug)]
pub(crate) enum Statement<'a> {
    Begin,
    End,
    Label(&'a str),
    Registers(Registers<'a>),
    Variable(Variable<'a>),
    Loc(Loc<'a>),
    /// `name: .branchtargets a, b;`
    Targets {
        name: &'a str,
        labels: Vec<&'a str>,
    },
    /// `name: .callprototype …;`, which callers need not know.
    Prototype,
    Instruction(Instruction<'a>),
}

/// `.reg .b32 %r<10>;`: registers `%r0` to `%r9`, or one plain name.
#[derive(Debug)]
pub(crate) struct Registers<'a> {
    pub(crate) name: &'a str,
    pub(crate) count: Option<u32>,
    pub(crate) ty: Type,
    pub(crate) line: u32,
}

/// `.loc file line column`, with what it is inlined into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Loc<'a> {
    pub(crate) file: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// Label of the inlined function's name, and file, line and column of the call.
    pub(crate) inlined: Option<(&'a str, u32, u32, u32)>,
}

/// An instruction with its operands.
#[derive(Debug)]
pub(crate) struct Instruction<'a> {
    /// Predicate's name, and whether it is negated.
    pub(crate) guard: Option<(&'a str, bool)>,
    pub(crate) mnemonic: &'a str,
    pub(crate) modifiers: Vec<&'a str>,
    pub(crate) operands: Vec<Operand<'a>>,
    pub(crate) line: u32,
    /// Byte range in the source, for messages.
    pub(crate) text: (u32, u32),
}

/// One operand (PTX ISA, section 6).
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operand<'a> {
    /// `_`
    Sink,
    /// A register, variable, label, function or special register without component, plus an offset.
    Name {
        name: &'a str,
        offset: i64,
    },
    /// `%tid.x`
    Component {
        name: &'a str,
        component: &'a str,
    },
    /// `!%p1`
    Not(&'a str),
    /// `-%r1`, of `vmad`
    Negative(Box<Operand<'a>>),
    /// `%p1|%p2`
    Pair(Box<Operand<'a>>, Box<Operand<'a>>),
    Int(u64),
    F32(u32),
    F64(u64),
    /// `[name+offset]`, or `[number]` without a name.
    Address {
        name: Option<&'a str>,
        offset: i64,
    },
    /// `[map, {a, b}]`: coordinates in a tensor.
    Tensor {
        map: Box<Operand<'a>>,
        coordinates: Vec<Operand<'a>>,
    },
    /// `{a, b}`
    Vector(Vec<Operand<'a>>),
    /// `(a, b)`, the lists of `call`.
    List(Vec<Operand<'a>>),
}
