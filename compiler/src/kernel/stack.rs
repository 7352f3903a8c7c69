//! The stack that a kernel needs: whether it can be known, and whether a device has it.

use std::collections::HashSet;

use crate::llvm::{Place, Value};
use crate::report::Diagnostic;

/// Local memory of a thread, in bytes (CUDA Programming Guide, "Technical Specifications per Compute
/// Capability").
const MAX_LOCAL: u64 = 512 << 10;

/// The stack frame of a function of the PTX in bytes, if it is more than a device has.
///
/// The backend declares them as one array: `.local .align 8 .b8 __local_depot0[64];`
pub(crate) fn too_large(ptx: &str) -> Option<u64> {
    let bytes = |line: &str| -> Option<u64> {
        let (_, size) = line.trim_start().strip_prefix(".local")?.split_once('[')?;
        size.split_once(']')?.0.parse().ok()
    };
    ptx.lines().filter_map(bytes).max().filter(|&bytes| bytes > MAX_LOCAL)
}

/// What to say of that.
pub(crate) fn refuse(kernel: &str, definition: &Place, bytes: u64) -> Diagnostic {
    let text = format!(
        " needs {} KiB of stack for each thread: a device has {} KiB",
        bytes.div_ceil(1024),
        MAX_LOCAL >> 10
    );
    Diagnostic::of_kernel(kernel, text)
        .at(Some(definition.clone()))
        .note("local variables of a kernel, arrays as well, are on every thread's stack")
        .help(
            "keep large arrays in a `DeviceBuffer`, a part of it for each thread, or in shared memory \
             if a block can share one",
        )
}

/// Whether no assembler can tell how much stack `entry` needs, because something that it reaches
/// recurses, perhaps indirectly, or calls through a pointer.
pub(crate) fn is_unknown(entry: Value<'_>) -> bool {
    unbounded(entry, &mut HashSet::new(), &mut HashSet::new())
}

/// `open` holds the functions that lead to `function`, `done` those that are known to be bounded.
fn unbounded<'c>(
    function: Value<'c>,
    open: &mut HashSet<Value<'c>>,
    done: &mut HashSet<Value<'c>>,
) -> bool {
    if done.contains(&function) || function.is_declaration() {
        return false;
    }
    if !open.insert(function) {
        return true;
    }
    let calls = function.instructions().into_iter().filter(|instruction| instruction.is_call());
    for callee in calls.map(Value::callee).filter(|callee| !callee.is_inline_asm()) {
        if !callee.is_function() || unbounded(callee, open, done) {
            return true;
        }
    }
    open.remove(&function);
    done.insert(function);
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_stack_counts() {
        let ptx = |a: u64, b: u64| {
            format!(
                ".func f()\n{{\n\t.local .align 8 .b8 \t__local_depot0[{a}];\n}}\n.entry k()\n{{\n\t\
                 .local .align 16 .b8 \t__local_depot1[{b}];\n\tld.local.b8 %r1, [%rd1];\n}}\n"
            )
        };
        assert_eq!(too_large(&ptx(16, MAX_LOCAL)), None);
        assert_eq!(too_large(&ptx(MAX_LOCAL + 8, 16)), Some(MAX_LOCAL + 8));
        assert_eq!(too_large(".local .align 4 .b8 name[x];\nret;"), None);
    }
}
