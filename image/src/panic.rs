//! Where a kernel may panic, and with what message; and which lines it prints.
//!
//! Everything about a panic or a line that is known at compile time is here, not in the kernel:
//! location, texts, formats. A kernel reports the number of a site, and the words that are known only
//! at run time.

use serde::{Deserialize, Serialize};

/// The sites of a PTX module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Panics {
    /// Source files, each once.
    pub files: Vec<String>,
    /// The sites; kernels report them by their index.
    pub sites: Vec<Site>,
    /// The words of the parts of lines that the kernels print by their index ([`crate::message`]).
    pub prints: Vec<Vec<Word>>,
}

/// A place that may panic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// Index into [`Panics::files`].
    pub file: u32,
    /// The line in the source, from 1.
    pub line: u32,
    /// The column in the source, from 1.
    pub column: u32,
    /// What the panic says.
    pub message: Message,
}

/// What a panic says.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Message {
    /// An index was not below a length.
    Bounds {
        /// The index.
        index: Word,
        /// The length.
        len: Word,
    },
    /// The words of the message's parts ([`crate::message`]).
    Parts(Vec<Word>),
}

/// A word of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Word {
    /// The same in every panic of the site.
    Constant(u64),
    /// The word that the kernel recorded at this index.
    Recorded(u32),
}

impl Word {
    /// The word, by what a kernel recorded; 0 if it did not record so many.
    pub fn value(self, recorded: &[u64]) -> u64 {
        match self {
            Word::Constant(value) => value,
            Word::Recorded(index) => recorded.get(index as usize).copied().unwrap_or(0),
        }
    }
}

impl Panics {
    /// The index of a file, which is added if it is new.
    pub fn file(&mut self, name: String) -> u32 {
        let known = self.files.iter().position(|file| *file == name);
        known.unwrap_or_else(|| {
            self.files.push(name);
            self.files.len() - 1
        }) as u32
    }

    /// Whether every site's file exists.
    pub(crate) fn is_whole(&self) -> bool {
        self.sites.iter().all(|site| (site.file as usize) < self.files.len())
    }
}
