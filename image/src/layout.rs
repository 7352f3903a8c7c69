//! Layouts of values, which host and device compare.

use serde::{Deserialize, Serialize};

/// The layout of a Rust argument, or of a device static's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Layout {
    /// Bytes.
    pub size: u32,
    /// A power of two.
    pub align: u32,
    /// A hash of what the argument, or the elements that it points to, are made of
    /// (`ptyx::device::DeviceCopy::LAYOUT`).
    pub fingerprint: u64,
}
