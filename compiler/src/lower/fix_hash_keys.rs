//! The keys of std's hash maps, in kernels that have a heap for them.
//!
//! `RandomState::new` takes its keys from a thread-local variable of the host, which the operating
//! system filled. Any keys are correct, and a kernel needs no protection against chosen keys, so its
//! keys are constants: `HashMap::new()` works, and a map is iterated in the same order each time.
//!
//! Without a heap no map can be filled, and `reject` explains the call.

use super::redirect_heap;
use crate::llvm::{Module, TypeKind, calls_of};
use crate::rust::path_of;
use crate::rust::paths::{HASH_KEYS_WITH, HASH_KEYS_WORDS};

/// Digits of pi.
const KEYS: [u64; 2] = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344];

/// Replaces the call that asks for the keys, in a kernel that is marked as one with a heap.
pub(super) fn fix_hash_keys(module: &Module<'_>) {
    if !redirect_heap::is_marked(module) {
        return;
    }
    for function in module.functions() {
        let name = function.name();
        if !HASH_KEYS_WORDS.iter().all(|word| name.contains(word)) {
            continue;
        }
        let path = path_of(&name);
        if !(path.starts_with(HASH_KEYS_WITH.0) && path.contains(HASH_KEYS_WITH.1)) {
            continue;
        }
        for call in calls_of(function) {
            if call.ty().kind() != TypeKind::Other {
                continue;
            }
            let keys = KEYS.map(|key| module.context().int(64).constant(key));
            call.replace_all_uses_with(module.context().structure(&keys));
            call.erase();
        }
    }
}
