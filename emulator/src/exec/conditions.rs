//! The conditions of graphs' conditional nodes, which kernels set.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The value of each.
static VALUES: Mutex<BTreeMap<u64, u32>> = Mutex::new(BTreeMap::new());

fn values() -> MutexGuard<'static, BTreeMap<u64, u32>> {
    VALUES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A new condition, or a new launch of its graph.
pub(crate) fn begin(condition: u64, value: u32) {
    values().insert(condition, value);
}

/// What a kernel sets; `None` if there is no such condition.
pub(crate) fn set(condition: u64, value: u32) -> Option<u64> {
    *values().get_mut(&condition)? = value;
    Some(0)
}

/// Its value.
pub(crate) fn value(condition: u64) -> u32 {
    values().get(&condition).copied().unwrap_or(0)
}

/// Its graph is destroyed.
pub(crate) fn end(condition: u64) {
    values().remove(&condition);
}
