//! Functions and variables of the standard library, and of what rustc adds to a program, that are known by
//! name. Nothing else of it is recognised by name, except formatters (`formatters.rs`) and what hints are
//! for (`reject/hints.rs`). `contract/` checks each of these names against a toolchain.

/// What an entry point of core's panics does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PanicEntry {
    /// `(index, len, location)`
    Bounds,
    /// `(text, len, location)`
    Text,
    /// `(template, arguments, location)`
    Format,
    /// `(template, arguments, may unwind, location)`
    FormatNoUnwind,
}

/// Core's panic entry points, by path. `panic_nounwind` is not one: it has no location, and calls
/// `panic_nounwind_fmt`.
pub(crate) const PANIC_ENTRIES: [(&str, PanicEntry); 6] = [
    ("core::panicking::panic_bounds_check", PanicEntry::Bounds),
    ("core::panicking::panic", PanicEntry::Text),
    ("core::option::expect_failed", PanicEntry::Text),
    // `panic!` with a literal in crates of older editions.
    ("std::panicking::begin_panic::<&str>", PanicEntry::Text),
    ("core::panicking::panic_fmt", PanicEntry::Format),
    ("core::panicking::panic_nounwind_fmt", PanicEntry::FormatNoUnwind),
];

/// Functions of core that report a failed check of an index, a range, overflow or division.
pub(crate) const FAILED_CHECKS: [&str; 12] = [
    "core::panicking::panic_bounds_check",
    "core::slice::index::slice_index_fail",
    "core::panicking::panic_const::panic_const_add_overflow",
    "core::panicking::panic_const::panic_const_sub_overflow",
    "core::panicking::panic_const::panic_const_mul_overflow",
    "core::panicking::panic_const::panic_const_div_overflow",
    "core::panicking::panic_const::panic_const_rem_overflow",
    "core::panicking::panic_const::panic_const_neg_overflow",
    "core::panicking::panic_const::panic_const_shl_overflow",
    "core::panicking::panic_const::panic_const_shr_overflow",
    "core::panicking::panic_const::panic_const_div_by_zero",
    "core::panicking::panic_const::panic_const_rem_by_zero",
];

/// Functions of std that say which features the processor has; a result of zero means none.
pub(crate) const FEATURE_QUESTIONS: [&str; 3] = [
    "std_detect::detect::check_for",
    "std_detect::detect::cache::test",
    "std_detect::detect::cache::detect_and_initialize",
];
/// The crate that those are in.
pub(crate) const FEATURE_DETECTION: &str = "std_detect";
/// Where std caches the answers; zero means "not asked yet".
pub(crate) const FEATURE_ANSWERS: &str = "std_detect::detect::cache::CACHE";
/// The module of the processor's intrinsics.
pub(crate) const PROCESSOR_INTRINSICS: &str = "core::core_arch::";

/// `KEYS.with(..)` of `RandomState::new`, whose own code rustc mostly inlines: what the path of the
/// function starts with, and what is in it.
pub(crate) const HASH_KEYS_WITH: (&str, &str) =
    ("<std::thread::local::LocalKey<", "RandomState>::new::{closure");

/// Words in its symbol, so that few symbols need demangling.
pub(crate) const HASH_KEYS_WORDS: [&str; 2] = ["RandomState", "LocalKey"];

/// The allocator's functions, which rustc makes when it links a program.
pub(crate) const ALLOCATE: &str = "__rustc::__rust_alloc";
pub(crate) const ALLOCATE_ZEROED: &str = "__rustc::__rust_alloc_zeroed";
pub(crate) const DEALLOCATE: &str = "__rustc::__rust_dealloc";
pub(crate) const REALLOCATE: &str = "__rustc::__rust_realloc";
pub(crate) const ALLOCATION_FAILED: &str = "__rustc::__rust_alloc_error_handler";
/// Called before each allocation, so that a program without an allocator does not link.
pub(crate) const ALLOCATOR_SHIM: &str = "__rustc::__rust_no_alloc_shim_is_unstable";
/// How [`DEALLOCATE`]'s path ends, whatever prefix rustc gives it.
pub(crate) const DEALLOCATE_NAME: &str = "__rust_dealloc";

/// The type whose formatters are std's own: an error of the operating system.
pub(crate) const SYSTEM_ERROR: &str = "<std::io::error::Error as core::fmt::";

/// The module of `compiler_builtins` whose functions `core`'s own math calls (`f32::cbrt`); they
/// have mangled names, which end with the module's and then the C name.
pub(crate) const BUILTINS: &str = "17full_availability";

/// Functions that drop a value of some type.
pub(crate) const DROP_GLUE: [&str; 2] = ["core::ptr::drop_in_place", "core::ptr::drop_glue"];
/// How the path of a type's own `drop` ends.
pub(crate) const DROP: &str = " as core::ops::drop::Drop>::drop";

/// C functions that std declares for its mathematics: their `f64` forms. The `f32` form has the suffix
/// `f`.
pub(crate) const C_MATHS: [&str; 25] = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cosh",
    "erf",
    "erfc",
    "exp10",
    "expm1",
    "fdim",
    "fmod",
    "hypot",
    "lgamma",
    "lgamma_r",
    "lgammaf_r",
    "log1p",
    "sinh",
    "tan",
    "tanh",
    "tgamma",
    "ldexp",
];
/// C functions that std declares for memory, and that rustc's code for comparisons calls.
pub(crate) const C_MEMORY: [&str; 2] = ["memcmp", "bcmp"];

/// The sysroot's crates whose bodies are linked, users before what they use.
pub(crate) const BODIES: [&str; 4] = ["hashbrown", "alloc", "core", "compiler_builtins"];
/// The section of an object in the sysroot's rlibs that holds the object's bitcode.
pub(crate) const BITCODE_SECTION: &str = ".llvmbc";

/// How paths of the standard library and of rustc's own functions begin.
pub(crate) const LIBRARY: [&str; 5] = ["core::", "alloc::", "std::", "hashbrown::", "__rustc::"];
/// How paths of std itself begin.
pub(crate) const STD: &str = "std::";
/// The crate of mathematical functions whose operations must not be fused: it computes its own rounding
/// errors.
pub(crate) const LIBM: &str = "libm::";
/// The crate of 16-bit floats.
pub(crate) const HALF: &str = "half";

/// Its functions that compute with the bits of a float what an instruction does, by path, and the device
/// library's for the same. Other versions of the crate may lack some: then their own code is compiled.
pub(crate) const HALF_FUNCTIONS: [(&str, &str); 28] = [
    ("half::binary16::arch::f32_to_f16_fallback", "f16_from_f32"),
    ("half::binary16::arch::f64_to_f16_fallback", "f16_from_f64"),
    ("half::binary16::arch::f16_to_f32_fallback", "f16_to_f32"),
    ("half::binary16::arch::f16_to_f64_fallback", "f16_to_f64"),
    ("half::binary16::arch::x86::f32_to_f16_x86_f16c", "f16_from_f32"),
    ("half::binary16::arch::x86::f16_to_f32_x86_f16c", "f16_to_f32"),
    ("half::binary16::arch::add_f16_fallback", "f16_add"),
    ("half::binary16::arch::subtract_f16_fallback", "f16_sub"),
    ("half::binary16::arch::multiply_f16_fallback", "f16_mul"),
    ("half::binary16::arch::divide_f16_fallback", "f16_div"),
    ("<half::binary16::f16 as core::cmp::PartialEq>::eq", "f16_eq"),
    ("<half::binary16::f16 as core::cmp::PartialOrd>::lt", "f16_lt"),
    ("<half::binary16::f16 as core::cmp::PartialOrd>::le", "f16_le"),
    ("<half::binary16::f16 as core::cmp::PartialOrd>::gt", "f16_gt"),
    ("<half::binary16::f16 as core::cmp::PartialOrd>::ge", "f16_ge"),
    ("half::bfloat::convert::f32_to_bf16", "bf16_from_f32"),
    ("half::bfloat::convert::f64_to_bf16", "bf16_from_f64"),
    ("half::bfloat::convert::bf16_to_f32", "bf16_to_f32"),
    ("half::bfloat::convert::bf16_to_f64", "bf16_to_f64"),
    ("<half::bfloat::bf16 as core::ops::arith::Add>::add", "bf16_add"),
    ("<half::bfloat::bf16 as core::ops::arith::Sub>::sub", "bf16_sub"),
    ("<half::bfloat::bf16 as core::ops::arith::Mul>::mul", "bf16_mul"),
    ("<half::bfloat::bf16 as core::ops::arith::Div>::div", "bf16_div"),
    ("<half::bfloat::bf16 as core::cmp::PartialEq>::eq", "bf16_eq"),
    ("<half::bfloat::bf16 as core::cmp::PartialOrd>::lt", "bf16_lt"),
    ("<half::bfloat::bf16 as core::cmp::PartialOrd>::le", "bf16_le"),
    ("<half::bfloat::bf16 as core::cmp::PartialOrd>::gt", "bf16_gt"),
    ("<half::bfloat::bf16 as core::cmp::PartialOrd>::ge", "bf16_ge"),
];
/// Where the standard library's source is, according to debug information.
pub(crate) const LIBRARY_SOURCES: [&str; 2] = ["/rustc/", "library/"];
/// The same with the component `rust-src`.
pub(crate) const INSTALLED_SOURCES: &str = "/rustlib/src/rust/library/";
