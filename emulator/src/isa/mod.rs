//! The instruction set: one table, and how an instruction is matched against it.

pub(crate) mod pattern;
pub(crate) mod table;

use crate::exec::program::Exec;
use crate::ptx::ast::Instruction;
use crate::ptx::form::Form;
use std::collections::HashMap;
use std::sync::OnceLock;

/// One row of the table: instructions of the same mnemonic, modifiers and operands.
pub(crate) struct Row {
    pub(crate) mnemonic: &'static str,
    /// Pattern of the modifiers, see [`pattern`].
    pub(crate) modifiers: &'static str,
    /// The operands' roles, see [`table`].
    pub(crate) operands: &'static str,
    pub(crate) meaning: Meaning,
}

/// How a row becomes internal code.
pub(crate) enum Meaning {
    /// One internal instruction; the operands are lowered by their roles.
    Exec(fn(&Form<'_>) -> Option<Exec>),
    /// More than one internal instruction, or operands that roles can't describe: `lower` has a function
    /// for it.
    Lower(Lowering),
}

/// The instructions that need more than their operands lowered; `lower::instruction` has a function for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lowering {
    Atom,
    Barrier,
    Branch,
    BranchIndexed,
    BulkTensor,
    Call,
    CopyAsync,
    Cvt,
    Cvta,
    Exit,
    Ignored,
    Load,
    LoadMatrix,
    Mma,
    Mov,
    Red,
    Ret,
    Set,
    Setp,
    Store,
    StoreMatrix,
    TransposeMatrix,
    Trap,
    WarpgroupMma,
    WarpgroupSync,
}

/// The row for an instruction.
///
/// # Errors
/// What is wrong with it: its mnemonic is unknown, or a modifier is, or one is missing.
pub(crate) fn find(instruction: &Instruction<'_>) -> Result<&'static Row, String> {
    row(instruction.mnemonic, &instruction.modifiers)
}

fn row(name: &str, words: &[&str]) -> Result<&'static Row, String> {
    static INDEX: OnceLock<HashMap<&'static str, Vec<&'static Row>>> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let mut index: HashMap<_, Vec<_>> = HashMap::new();
        for row in table::TABLE {
            index.entry(row.mnemonic).or_default().push(row);
        }
        index
    });
    let Some(rows) = index.get(name) else {
        return Err(format!("the emulated device has no instruction `{name}`"));
    };
    // How many modifiers match the best row: the next one is the mistake.
    let mut good = 0;
    for row in rows {
        match pattern::fit(row.modifiers, words) {
            Ok(()) => return Ok(row),
            Err(count) => good = good.max(count),
        }
    }
    let problem = match words.get(good) {
        Some(word) => format!("the modifier `.{word}` is not supported there"),
        None => "a modifier is missing".to_owned(),
    };
    Err(format!("the emulated device has no instruction `{}`: {problem}", full_name(name, words)))
}

/// `add.rn.f32`
pub(crate) fn full_name(mnemonic: &str, words: &[&str]) -> String {
    let mut name = mnemonic.to_owned();
    for word in words {
        name.push('.');
        name.push_str(word);
    }
    name
}
