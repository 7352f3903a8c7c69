//! The instruction set: one table, and how an instruction is matched against it.

pub(crate) mod pattern;
pub(crate) mod table;

use crate::exec::program::Exec;
use crate::lower::function::Lower;
use crate::ptx::ast::Instruction;
use crate::ptx::types::Type;
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
    /// The row lowers itself.
    Lower(LowerFn),
}

/// Lowers an instruction; the error says what is wrong with it.
pub(crate) type LowerFn =
    for<'n, 'a, 'f> fn(&mut Lower<'n, 'a>, &Form<'f>, &'a Instruction<'a>) -> Result<(), String>;

/// The types and other modifiers of one instruction.
pub(crate) struct Form<'a> {
    words: &'a [&'a str],
    types: Vec<Type>,
}

impl<'a> Form<'a> {
    pub(crate) fn new(words: &'a [&'a str]) -> Self {
        let types = words.iter().filter_map(|word| Type::from_name(word)).collect();
        Form { words, types }
    }

    /// All modifiers, in order.
    pub(crate) fn words(&self) -> &[&'a str] {
        self.words
    }

    /// The modifiers that are types, in order.
    pub(crate) fn types(&self) -> &[Type] {
        &self.types
    }

    /// The instruction's type: the last that is named; untyped words of 32 bits when there is none.
    pub(crate) fn ty(&self) -> Type {
        self.types.last().copied().unwrap_or(Type::B32)
    }

    /// Whether a modifier is there.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }
}

/// The row for an instruction.
///
/// # Errors
/// What is wrong with it: its mnemonic is unknown, or its modifiers are.
pub(crate) fn find(instruction: &Instruction<'_>) -> Result<&'static Row, String> {
    static INDEX: OnceLock<HashMap<&'static str, Vec<&'static Row>>> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let mut index: HashMap<_, Vec<_>> = HashMap::new();
        for row in table::TABLE {
            index.entry(row.mnemonic).or_default().push(row);
        }
        index
    });
    let name = instruction.mnemonic;
    let Some(rows) = index.get(name) else {
        return Err(format!("the emulated device has no instruction `{name}`"));
    };
    let words = &instruction.modifiers;
    rows.iter().copied().find(|row| pattern::matches(row.modifiers, words)).ok_or_else(|| {
        format!("the emulated device has no instruction `{}`", full_name(name, words))
    })
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
