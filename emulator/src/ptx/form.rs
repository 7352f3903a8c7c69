//! An instruction's modifiers, with the types among them.

use super::types::Type;

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

    /// Whether a modifier is present.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }
}
