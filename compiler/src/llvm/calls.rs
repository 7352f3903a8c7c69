//! Calls of a function.

use super::Value;

/// The calls of `function`, other uses left out.
pub(crate) fn calls_of(function: Value<'_>) -> Vec<Value<'_>> {
    function.users().into_iter().filter(|u| u.is_call() && u.callee() == function).collect()
}
