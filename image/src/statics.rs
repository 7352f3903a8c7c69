//! Device statics: variables of a module that the host reads and writes.

use crate::layout::Layout;
use serde::{Deserialize, Serialize};

/// A static of the program that a module's code uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Static {
    /// What both passes know it by: `ptyx::statics::key` of its path and its crate.
    pub key: u64,
    /// Its path, for people.
    pub name: String,
    /// Where its value is.
    pub kind: StaticKind,
    /// The module's variable.
    pub variable: String,
    /// The layout of the value.
    pub layout: Layout,
    /// The bytes of the initial value; `None` if all are zero. A [`StaticKind::Constant`] has its initial
    /// value in the PTX, and `None` here.
    pub initial: Option<Vec<u8>>,
}

/// Where a device static's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum StaticKind {
    /// In the module's variable, in constant memory: each module has a copy.
    Constant,
    /// In global memory, once for each device: the module's variable holds the address.
    Global,
}

impl Static {
    /// Whether the initial value has the right size.
    pub(crate) fn is_whole(&self) -> bool {
        self.initial.as_ref().is_none_or(|bytes| bytes.len() == self.layout.size as usize)
    }
}
