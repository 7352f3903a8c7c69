//! Every name that the two sides of a kernel agree on: functions of the device library, names that
//! the compiler makes, and stand-ins for what a device does not have.
//!
//! All of them start with [`PREFIX`]. A device intrinsic's name itself says what it is ([`INTRINSIC`]).

use ptyx_image::Arch;

/// Prefix of all these names. Lowering adds calls of such functions that nothing calls before it, so
/// linking keeps them.
pub(crate) const PREFIX: &str = "__ptyx_";

/// Prefix of the symbols of device intrinsics; the intrinsic's name and what it becomes follow
/// (`lower/intrinsics.rs`).
pub(crate) const INTRINSIC: &str = "__ptyx_intrinsic ";

// Launches.

/// The function whose calls are launch sites.
pub(crate) const ROOT: &str = "__ptyx_root";
/// Stands for a launch in a kernel.
pub(crate) const NESTED_LAUNCH: &str = "__ptyx_nested_launch";
/// Stands for a call of the driver in the device pass.
pub(crate) const HOST_ONLY: &str = "__ptyx_host_only";
/// The crate that has the host's side of Ptyx: how paths in it begin.
pub(crate) const HOST_CRATE: &str = "ptyx::";
/// Prefix of the unpacking functions' names in the linked module; two numbers follow.
pub(crate) const UNPACK_PREFIX: &str = "__ptyx_unpack_";

// Marks.

/// Called by a function with `#[kernel]`.
pub(crate) const KERNEL_MARK: &str = "__ptyx_kernel_marker";
/// Called by a kernel that uses the heap.
pub(crate) const HEAP_MARK: &str = "__ptyx_heap_marker";
/// Called by a kernel that wants its checks left out.
pub(crate) const UNCHECKED_MARK: &str = "__ptyx_unchecked_marker";
/// Called by a kernel with a knob; the arguments say which, and its value.
pub(crate) const KNOB_MARK: &str = "__ptyx_kernel_knob";
/// Called in a loop with `#[unroll]`; the argument says how.
pub(crate) const UNROLL_MARK: &str = "__ptyx_unroll";
/// What a launch promises about a pointer: it is only read, and what it points to is not written.
pub(crate) const PARAM_READ_ONLY: &str = "__ptyx_param_read_only";
/// No other pointer leads to the same memory.
pub(crate) const PARAM_EXCLUSIVE: &str = "__ptyx_param_exclusive";
/// The pointer is not null.
pub(crate) const PARAM_VALID: &str = "__ptyx_param_valid";
/// The pointer is to so many elements of a size, all of which can be read.
pub(crate) const PARAM_SLICE: &str = "__ptyx_param_slice";

/// Metadata of a relaxed load whose scope the program has not chosen.
pub(crate) const UNCHOSEN_SCOPE: &str = "__ptyx_unchosen_scope";

// What is no instruction.

pub(crate) const REQUIRE_DIMS: &str = "__ptyx_require_dims";
pub(crate) const SHARED_STATIC: &str = "__ptyx_shared_static";
pub(crate) const SHARED_DYNAMIC: &str = "__ptyx_shared_dynamic";
/// Whether all threads of the block certainly come to the call, once and for the same memory.
pub(crate) const ALL_COME_HERE: &str = "__ptyx_all_come_here";
pub(crate) const EXIT: &str = "__ptyx_exit";
pub(crate) const TRAP: &str = "__ptyx_trap";
/// A question about the architecture.
pub(crate) const ARCH_PROVIDES: &str = "__ptyx_arch_provides";

// Device statics.

/// What a `Constant` points to, so that the compiler knows it.
pub(crate) const CONSTANT_MARK: &str = "__ptyx_static_constant";
/// The same for a `Global`.
pub(crate) const GLOBAL_MARK: &str = "__ptyx_static_global";
/// Prefix of the variables that the host writes; the kind, a number and the static's name follow.
pub(crate) const STATIC_VARIABLE: &str = "__ptyx_static_";

/// What refers to the functions that are to be taken out of a module, while that is done.
pub(crate) const WANTED: &str = "__ptyx_wanted";

// Linked PTX.

/// The section of the variables that hold PTX to link.
pub(crate) const LINKED_PTX_SECTION: &str = "ptyx_linked_ptx";
/// Prefix of their names in the linked module; a number follows.
pub(crate) const LINKED_PTX: &str = "__ptyx_linked_ptx_";

// Panics.

pub(crate) const PANIC_BOUNDS: &str = "__ptyx_panic_bounds";
pub(crate) const PANIC_STR: &str = "__ptyx_panic_str";
pub(crate) const PANIC_BEGIN: &str = "__ptyx_panic_begin";
pub(crate) const PANIC_TEXT: &str = "__ptyx_panic_text";
pub(crate) const PANIC_VALUE: &str = "__ptyx_panic_value";
pub(crate) const PANIC_END: &str = "__ptyx_panic_end";
pub(crate) const PANIC_CLAIM: &str = "__ptyx_panic_claim";
pub(crate) const PANIC_FINISH: &str = "__ptyx_panic_finish";
/// Functions of the device library that panics are sent to.
pub(crate) const PANIC_RUNTIME: [&str; 8] = [
    PANIC_BOUNDS,
    PANIC_STR,
    PANIC_BEGIN,
    PANIC_TEXT,
    PANIC_VALUE,
    PANIC_END,
    PANIC_CLAIM,
    PANIC_FINISH,
];
/// The block of a function where all its panics end.
pub(crate) const PANIC_TAIL: &str = "ptyx.panics";
/// The global through which the host gives the module's number; it keeps its name.
pub(crate) const PANIC_MODULE: &str = "__ptyx_panic_module";
/// Says where a launch's record is.
pub(crate) const PANIC_SLOT: &str = "__ptyx_panic_slot";
/// Says which launch of its stream this is.
pub(crate) const LAUNCH_NUMBER: &str = "__ptyx_launch_number";

// Printing.

/// A line; the compiler makes a record of each call.
pub(crate) const PRINT: &str = "__ptyx_print";
pub(crate) const PRINT_CLAIM: &str = "__ptyx_print_claim";
pub(crate) const PRINT_COMMIT: &str = "__ptyx_print_commit";
pub(crate) const PRINT_TEXT: &str = "__ptyx_print_text";
pub(crate) const PRINT_VALUE: &str = "__ptyx_print_value";
pub(crate) const PRINT_END: &str = "__ptyx_print_end";
/// Functions of the device library that lines are sent to.
pub(crate) const PRINT_RUNTIME: [&str; 5] =
    [PRINT_CLAIM, PRINT_COMMIT, PRINT_TEXT, PRINT_VALUE, PRINT_END];
/// Says where the device's queue of lines is.
pub(crate) const PRINT_QUEUE: &str = "__ptyx_print_queue";

/// Whether a function is one of the device library's for panics and lines, whose calls the compiler
/// makes and takes apart.
pub(crate) fn is_recording(name: &str) -> bool {
    PANIC_RUNTIME.contains(&name) || PRINT_RUNTIME.contains(&name)
}

/// Says whether the launch is cooperative.
pub(crate) const IS_COOPERATIVE: &str = "__ptyx_is_cooperative";

// What LLVM can't lower.

/// Prefix of the device library's math functions; the C name follows.
pub(crate) const MATH_PREFIX: &str = "__ptyx_math_";
/// Prefix of the functions for 128-bit integers.
pub(crate) const WIDE_PREFIX: &str = "__ptyx_wide_";
/// Prefix of the intrinsics of x86; the intrinsic's name follows, without `llvm.x86.`.
pub(crate) const X86_PREFIX: &str = "__ptyx_x86.";
/// Prefix of the functions for 16-bit floats.
pub(crate) const HALF_PREFIX: &str = "__ptyx_half_";
pub(crate) const MEMCMP: &str = "__ptyx_memcmp";
/// Replaces code that is never reached, because a device lacks the feature that it needs.
pub(crate) const MISSING_FEATURE: &str = "__ptyx_missing_feature";

// The heap.

pub(crate) const HEAP_ALLOCATE: &str = "__ptyx_heap_allocate";
pub(crate) const HEAP_ALLOCATE_ZEROED: &str = "__ptyx_heap_allocate_zeroed";
pub(crate) const HEAP_FREE: &str = "__ptyx_heap_free";
pub(crate) const HEAP_REALLOCATE: &str = "__ptyx_heap_reallocate";
pub(crate) const HEAP_EXHAUSTED: &str = "__ptyx_heap_exhausted";

// Stand-ins.

/// Stands for inline assembly of the host.
pub(crate) const ASSEMBLY: &str = "__ptyx_foreign_assembly";
/// Stands for a thread-local variable.
pub(crate) const THREAD_LOCAL: &str = "__ptyx_foreign_thread_local";
/// Stands for an intrinsic of the host's processor; its name follows.
pub(crate) const PROCESSOR: &str = "__ptyx_foreign_processor.";
/// Stands for a variable that the host's program can change; its name follows.
pub(crate) const STATIC: &str = "__ptyx_foreign_static.";
/// Stands for an instruction that needs a newer architecture than those asked for; see [`too_new`].
pub(crate) const TOO_NEW: &str = "__ptyx_foreign_too_new.";

/// Whether a symbol is one of the stand-ins above.
pub(crate) fn is_stand_in(symbol: &str) -> bool {
    [ASSEMBLY, THREAD_LOCAL, PROCESSOR, STATIC, TOO_NEW]
        .iter()
        .any(|prefix| symbol.starts_with(prefix))
}

/// The symbol that a stand-in stands for, as far as it has one.
pub(crate) fn original(symbol: &str) -> &str {
    [PROCESSOR, STATIC].iter().find_map(|prefix| symbol.strip_prefix(prefix)).unwrap_or(symbol)
}

/// The name that stands for the instruction of `template`, which needs the architecture `needed`, where
/// the architectures `targets` were asked for: [`TOO_NEW`], the instruction, what it needs, the targets
/// that lack it.
pub(crate) fn too_new(template: &str, needed: Arch, targets: &[Arch]) -> String {
    let instruction = template.split([' ', ';']).next().unwrap_or_default();
    let lacking = targets.iter().filter(|arch| !arch.provides(needed)).map(Arch::to_string);
    format!("{TOO_NEW}{instruction}@{needed}@{}", lacking.collect::<Vec<_>>().join(", "))
}

/// The instruction, the architecture that it needs, and the targets that lack it, of a name that
/// [`too_new`] made.
pub(crate) fn parse_too_new(symbol: &str) -> Option<(&str, &str, &str)> {
    let mut parts = symbol.strip_prefix(TOO_NEW)?.split('@');
    Some((parts.next()?, parts.next()?, parts.next()?))
}

/// What the template of `ptx!` begins with; the rest of the line says what the user asked for
/// (`lower/lower_inline_ptx.rs`).
pub(crate) const INLINE_PTX: &str = "//__ptyx_ptx";

/// What begins a word of such a template that an instance gives as a number: its characters, the first in the
/// lowest bits. `_` ends it.
pub(crate) const PTX_WORD: &str = "__ptyx_word_";

/// The barrier of a whole grid, by its path: it consists of barriers of its blocks.
pub(crate) const GRID_BARRIER: &str = "<ptyx_device::group::grid::Grid>::sync";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stand_ins_say_what_they_stand_for() {
        let symbol = too_new("redux.sync.add $0;", Arch::portable(80), &[Arch::BASE]);
        assert_eq!(parse_too_new(&symbol), Some(("redux.sync.add", "sm_80", "sm_70")));
        assert!(is_stand_in(&symbol) && !is_stand_in(ROOT));
        assert_eq!(original(&format!("{STATIC}a::B")), "a::B");
        assert_eq!(original("a::B"), "a::B");
    }

    #[test]
    fn panic_functions_have_the_prefix() {
        assert!(PANIC_RUNTIME.iter().chain(&PRINT_RUNTIME).all(|name| name.starts_with(PREFIX)));
    }
}
