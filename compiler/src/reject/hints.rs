//! What a device does not have, by name: why, and what to do instead.
//!
//! A row is the start of a path of the standard library, of a symbol, or of a stand-in that
//! `lower/replace_foreign.rs` made. The first row that matches counts, so a narrower one comes before a wider
//! one.

use crate::symbols;

/// Something that a device does not have.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Hint {
    /// Why; follows "kernel `k` can't use `x`: ".
    pub(crate) reason: &'static str,
    /// The way out; follows "help: ".
    pub(crate) help: &'static str,
}

const HOST: &Hint = &Hint {
    reason: "it is for the host",
    help: "do it in host code, before or after the launch; what a kernel can call is in \
           `ptyx::device`",
};
const LAUNCHES: &Hint = &Hint {
    reason: "a kernel can't launch kernels",
    help: "call the other kernel as a function, launch it from the host, or let the kernel write the condition \
           of a graph's node (`Graph::add_if`, `Graph::add_while`)",
};
const FILES: &Hint = &Hint {
    reason: "a device has no file system",
    help: "read or write the file on the host, and pass the data in a `DeviceBuffer`",
};
const STREAMS: &Hint = &Hint {
    reason: "a device has no files and no standard input",
    help: "read or write on the host, and pass the data in a `DeviceBuffer`",
};
const INPUT: &Hint = &Hint {
    reason: "a device has no standard input",
    help: "read the input on the host, and pass it as an argument",
};
const PRINTING: &Hint = &Hint {
    reason: "std prints through the host's operating system",
    help: "print from a kernel with `ptyx::gpu_println!`; the text shows after a synchronisation",
};
const NETWORK: &Hint = &Hint {
    reason: "a device has no network",
    help: "do the transfer on the host, and pass the data in a `DeviceBuffer`",
};
const THREADS: &Hint = &Hint {
    reason: "std's threads are host threads",
    help: "a kernel's threads are those of the launch: launch more of them, or a second kernel",
};
const WAITING: &Hint = &Hint {
    reason: "std's threads are host threads",
    help: "wait on the host; the threads of a block wait for each other at `block::sync()`",
};
const ENVIRONMENT: &Hint = &Hint {
    reason: "environment and arguments are the host process's",
    help: "read them on the host, and pass the values as arguments",
};
const PROCESSES: &Hint = &Hint {
    reason: "a device has no processes",
    help: "start the process on the host, before or after the launch",
};
const ENDING: &Hint = &Hint {
    reason: "a kernel can't end the host's program",
    help: "end the thread with `return`, or report an error with `panic!`, which the host gets as \
           an `Err`",
};
const TIME: &Hint = &Hint {
    reason: "a device can't read the host's clock",
    help: "measure the launch on the host with `Event`s, or pass the time as an argument",
};
const LOCKS: &Hint = &Hint {
    reason: "locks of std wait through the host's operating system",
    help: "synchronise the threads of a block with `block::sync()`, and share numbers through \
           `Atomics<T>` or `core::sync::atomic`",
};
const ONCE: &Hint = &Hint {
    reason: "lazily initialised values live in host memory",
    help: "make the value on the host, and pass it as an argument; a `const` is there for all",
};
const POOLS: &Hint = &Hint {
    reason: "it hands work to threads of the host",
    help: "a kernel's threads are those of the launch: let each take its part by \
           `thread::index_1d()`, and call the iterators of `core`, which do not fork",
};
const SEEDS: &Hint = &Hint {
    reason: "its seed comes from the host's operating system",
    help: "seed a generator with an argument that differs between threads, as in \
           `SmallRng::seed_from_u64(seed + index)`",
};
const CHANNELS: &Hint = &Hint {
    reason: "channels of std connect the host's threads",
    help: "write results through a view argument such as `Disjoint<T>`, or use atomics",
};
const MAPS: &Hint = &Hint {
    reason: "this kernel has no heap, where a map keeps its entries",
    help: "use arrays or slices, sorted ones for look-ups (`binary_search`), or build the table on \
           the host and pass it in a `DeviceBuffer`; if you need a map, which is slow on a \
           device, write `#[kernel(heap)]`",
};
const RANDOM: &Hint = &Hint {
    reason: "the system's random numbers are the host's",
    help: "use a hasher with a fixed seed, or pass a seed as an argument",
};
const BACKTRACES: &Hint = &Hint {
    reason: "backtraces are the host's",
    help: "a panic in a kernel reports its location automatically",
};
const HOOKS: &Hint = &Hint {
    reason: "a kernel's panics are the host's to handle",
    help: "look at the `Err` that the next synchronisation gives: it has the message and the place",
};
const CATCHING: &Hint = &Hint {
    reason: "a panic ends its thread of the kernel, and nothing can catch it",
    help: "return a `Result` or an `Option` where a failure is to be handled",
};
const PAYLOADS: &Hint = &Hint {
    reason: "a panic's payload can't reach the host",
    help: "use `panic!` with a message: the host gets it, formatted, as an `Err`",
};
const HEAP: &Hint = &Hint {
    reason: "this kernel has no heap",
    help: "use arrays of a fixed size, shared memory, or a `DeviceBuffer` made on the host; if you \
           need the heap, which is slow on a device, write `#[kernel(heap)]`",
};
const SORTING: &Hint = &Hint {
    reason: "this kernel has no heap, where a stable sort keeps its buffer",
    help: "use `sort_unstable` or its variants, which sort in place, or write `#[kernel(heap)]`",
};
const LOADING: &Hint = &Hint {
    reason: "host libraries can't be called from a device",
    help: "call it on the host, and pass the result as an argument",
};
const ASSEMBLY: &Hint = &Hint {
    reason: "it is for the host's processor",
    help: "guard it with `#[cfg(not(ptyx_device))]`, and add Rust code or a `ptx!` for the device",
};
const PROCESSOR: &Hint = &Hint {
    reason: "it is an instruction of the host's processor",
    help: "guard it with `#[cfg(not(ptyx_device))]`, and add Rust code for the device",
};
const THREAD_LOCAL: &Hint = &Hint {
    reason: "thread-local variables belong to the host's threads",
    help: "use a local variable, shared memory, or pass the value as an argument",
};
const STATIC: &Hint = &Hint {
    reason: "it can change while the program runs, and a device does not see the host's memory",
    help: "pass the value as an argument; to count or to write results, pass a `DeviceBuffer` as \
           `Atomics<T>` or `Disjoint<T>`, or make it a `ptyx::Constant` or a `ptyx::Global`",
};
/// The message adds the architectures.
const TOO_NEW: &Hint = &Hint {
    reason: "it needs a newer architecture than those asked for",
    help: "remove the older architectures from the build's targets",
};
/// For the rest of std.
const SYSTEM: &Hint = &Hint {
    reason: "it needs an operating system, which a device does not have",
    help: "do it on the host, and pass the result as an argument",
};
const C_MATHS: &Hint = &Hint {
    reason: "it is the C library's, which is for the host",
    help: "call the method of the number, as in `x.cos()`, or a function of `ptyx::device::math`",
};
const C_PRINTING: &Hint = &Hint {
    reason: "it prints through the host's C library",
    help: "print from a kernel with `ptyx::gpu_println!`; the text shows after a synchronisation",
};
const C_HEAP: &Hint = &Hint {
    reason: "it is the C library's heap, which is the host's",
    help: "use arrays of a fixed size or a `DeviceBuffer`; `#[kernel(heap)]` has `Box` and `Vec`",
};
const LIBDEVICE: &Hint = &Hint {
    reason: "it is a function of NVIDIA's libdevice, and this build has no libdevice with it",
    help: "set `PTYX_LIBDEVICE` to the file or to a CUDA toolkit; `ptyx::device::math` has most such functions \
           in Rust",
};
/// For symbols that are not Rust's.
const EXTERNAL: &Hint = &Hint {
    reason: "it is external code, and device code can't call host libraries",
    help: "call it on the host and pass the result as an argument, or use a version written in Rust, or \
           PTX with `ptyx::link_ptx!`",
};
/// For Rust functions without code.
const NO_CODE: &Hint = &Hint {
    reason: "the device pass has no Rust source for it",
    help: "its crate must be compiled from source with the package, and assembly is for the host's \
           processor",
};

/// The table.
const HINTS: &[(&str, &Hint)] = &[
    (symbols::ROOT, LAUNCHES),
    (symbols::NESTED_LAUNCH, LAUNCHES),
    (symbols::HOST_ONLY, HOST),
    (symbols::HOST_CRATE, HOST),
    (symbols::ASSEMBLY, ASSEMBLY),
    (symbols::THREAD_LOCAL, THREAD_LOCAL),
    (symbols::PROCESSOR, PROCESSOR),
    (symbols::STATIC, STATIC),
    (symbols::TOO_NEW, TOO_NEW),
    ("core::core_arch::", PROCESSOR),
    ("std_detect::", PROCESSOR),
    ("std::thread::local", THREAD_LOCAL),
    ("std::sys::thread_local", THREAD_LOCAL),
    ("std::thread::functions::sleep", WAITING),
    ("std::thread::functions::park", WAITING),
    ("std::thread::functions::yield", WAITING),
    ("std::thread::", THREADS),
    ("std::fs::", FILES),
    ("std::path::", FILES),
    ("std::os::", FILES),
    ("std::sys::fs", FILES),
    ("std::io::stdio::Stdin", INPUT),
    ("std::io::stdio::stdin", INPUT),
    ("std::io::stdio::read", INPUT),
    ("std::io::stdio::", PRINTING),
    ("std::io::error::", SYSTEM),
    ("std::io::", STREAMS),
    ("std::net::", NETWORK),
    ("std::env::", ENVIRONMENT),
    ("std::process::id", SYSTEM),
    ("std::process::exit", ENDING),
    ("std::process::abort", ENDING),
    ("std::process::", PROCESSES),
    ("std::time::", TIME),
    ("std::sync::mpsc::", CHANNELS),
    ("std::sync::mpmc::", CHANNELS),
    ("std::sync::once", ONCE),
    ("std::sync::lazy", ONCE),
    ("std::sync::poison::once", ONCE),
    ("std::sync::", LOCKS),
    ("std::sys::sync", LOCKS),
    ("std::collections::", MAPS),
    ("hashbrown::", MAPS),
    ("std::hash::random", RANDOM),
    ("std::random", RANDOM),
    ("std::sys::random", RANDOM),
    ("rand::random", SEEDS),
    ("rand::rngs::thread", SEEDS),
    ("rand::rngs::os", SEEDS),
    ("rand::thread_rng", SEEDS),
    ("getrandom::", SEEDS),
    ("fastrand::global_rng", SEEDS),
    ("rayon::", POOLS),
    ("rayon_core::", POOLS),
    ("tokio::", POOLS),
    ("crossbeam_utils::thread", POOLS),
    ("crossbeam_channel::", CHANNELS),
    ("parking_lot::", LOCKS),
    ("lock_api::", LOCKS),
    ("std::backtrace", BACKTRACES),
    ("std::panic::panic_any", PAYLOADS),
    ("std::panicking::begin_panic", PAYLOADS),
    ("std::panicking::set_hook", HOOKS),
    ("std::panicking::take_hook", HOOKS),
    ("std::panicking::update_hook", HOOKS),
    ("std::panic::", CATCHING),
    ("std::panicking::", CATCHING),
    ("std::", SYSTEM),
    ("alloc::slice::stable_sort", SORTING),
    ("alloc::", HEAP),
    ("__rust_alloc", HEAP),
    ("__rust_no_alloc_shim", HEAP),
    ("__rustc::__rust_alloc", HEAP),
    ("__rustc::__rust_dealloc", HEAP),
    ("__rustc::__rust_realloc", HEAP),
    ("__rustc::__rust_no_alloc_shim", HEAP),
    ("__nv_", LIBDEVICE),
    ("dlopen", LOADING),
    ("dlsym", LOADING),
];

/// Functions of C, by their whole names: `f64` and `f32` of the mathematical ones.
const C_FUNCTIONS: &[(&[&str], &Hint)] = &[
    (&["printf", "puts", "putchar", "fprintf", "write"], C_PRINTING),
    (&["calloc", "realloc", "aligned_alloc", "posix_memalign"], C_HEAP),
    (
        &[
            "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh",
            "acosh", "atanh", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "pow",
            "sqrt", "cbrt", "hypot", "fabs", "floor", "ceil", "round", "trunc", "rint", "fmod",
            "fma", "erf", "erfc", "tgamma", "lgamma", "j0", "j1", "jn", "y0", "y1", "yn", "sincos",
        ],
        C_MATHS,
    ),
];

/// The row for a function of C.
fn of_c(symbol: &str) -> Option<&'static Hint> {
    let names = [Some(symbol), symbol.strip_suffix('f')];
    let is_one = |of: &[&str]| names.into_iter().flatten().any(|name| of.contains(&name));
    C_FUNCTIONS.iter().find(|(of, _)| is_one(of)).map(|(_, hint)| *hint)
}

/// The hint for the first of `paths` that is in the table; else what the last one, the missing
/// symbol itself, looks like.
pub(crate) fn find<'a>(paths: impl Iterator<Item = &'a str> + Clone) -> &'static Hint {
    // Only the allocator itself is missing where a kernel has no heap.
    let lacks_heap = paths.clone().last().is_some_and(|symbol| symbol.starts_with("__rust"));
    let is_true = |hint: &Hint| lacks_heap || ![HEAP, SORTING].contains(&hint);
    let known = paths.clone().find_map(|path| {
        let plain = path.trim_start_matches(['<', '&', '[']);
        let row = HINTS.iter().find(|(start, _)| plain.starts_with(start));
        row.map(|(_, hint)| *hint).filter(|hint| is_true(hint))
    });
    let is_rust = |path: &str| path.contains("::");
    known.unwrap_or_else(|| match paths.last() {
        Some(symbol) if is_rust(symbol) => NO_CODE,
        Some(symbol) => of_c(symbol).unwrap_or(EXTERNAL),
        None => EXTERNAL,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_known_path_counts() {
        for (paths, hint) in [
            (&["std::fs::read", "__rustc::__rust_alloc"][..], FILES),
            (&["<std::fs::File>::open", "close"], FILES),
            (&["core::option::Option::map", "std::time::Instant::now"], TIME),
            (&["std::io::stdio::_print"], PRINTING),
            (&["<std::io::stdio::Stdin>::read_line"], INPUT),
            (&["<std::thread::local::LocalKey<u32>>::with", symbols::THREAD_LOCAL], THREAD_LOCAL),
            (&["<alloc::vec::Vec<u8>>::push", "__rustc::__rust_alloc"], HEAP),
            (&["alloc::boxed::Box::new", "std::backtrace::Backtrace::capture"], BACKTRACES),
            (&["std::something::new"], SYSTEM),
            (&["getpid"], EXTERNAL),
            (&["cosf"], C_MATHS),
            (&["printf"], C_PRINTING),
            (&["math::exp"], NO_CODE),
            (&["other::function"], NO_CODE),
        ] {
            assert_eq!(find(paths.iter().copied()), hint, "{paths:?}");
        }
    }

    /// A row below one that it starts with would never be found.
    #[test]
    fn every_row_can_be_found() {
        for (at, (start, _)) in HINTS.iter().enumerate() {
            let hidden = HINTS[..at].iter().find(|(above, _)| start.starts_with(above));
            assert_eq!(hidden, None, "`{start}`");
        }
    }

    #[test]
    fn texts_have_one_form() {
        for (_, hint) in HINTS {
            for text in [hint.reason, hint.help] {
                assert!(!text.ends_with('.') && !text.contains("  "), "{text}");
            }
        }
    }
}
