//! `core::panic::Location`: a pointer to the file's text, then its length, line and column.

use crate::llvm::Value;

/// Reads a constant `core::panic::Location`: the file's text, its length, line and column.
pub(crate) fn read_location(location: Value<'_>) -> Option<(String, u32, u32)> {
    let [file, numbers] = location.constant_initializer()?.operands()[..] else { return None };
    let numbers = numbers.byte_array()?;
    let len = u64::from_le_bytes(numbers.get(..8)?.try_into().ok()?);
    let number = |at: usize| Some(u32::from_le_bytes(numbers.get(at..at + 4)?.try_into().ok()?));
    let file = file.constant_bytes()?.get(..usize::try_from(len).ok()?)?.to_vec();
    Some((String::from_utf8(file).ok()?, number(8)?, number(12)?))
}
