//! The language and `core` in kernels: each test calls one ordinary function in a kernel, a thread
//! for each of many random inputs, and on the host, and compares the results bit by bit.

#![cfg_attr(
    not(all(part = "0", part = "1", part = "2")),
    allow(dead_code, reason = "other parts use it")
)]
#![allow(
    clippy::complexity,
    clippy::perf,
    clippy::style,
    reason = "what the lints would replace is what is tested"
)]

mod harness;
mod strings;

// In the parts that `.ci/run` takes turns with (`tests/parts.rs`).
#[cfg(part = "0")]
mod heap;

#[cfg(part = "1")]
mod arithmetic;
#[cfg(part = "1")]
mod conversions;
#[cfg(part = "1")]
mod core_types;
#[cfg(part = "1")]
mod formatting;
#[cfg(part = "1")]
mod libraries;
#[cfg(part = "1")]
mod statics;
#[cfg(part = "1")]
mod wide;

#[cfg(part = "2")]
mod atomics;
#[cfg(part = "2")]
mod closures;
#[cfg(part = "2")]
mod dispatch;
#[cfg(part = "2")]
mod enums;
#[cfg(part = "2")]
mod futures;
#[cfg(part = "2")]
mod generics;
#[cfg(part = "2")]
mod indices;
#[cfg(part = "2")]
mod iterators;
#[cfg(part = "2")]
mod memory;
#[cfg(part = "2")]
mod recursion;
#[cfg(part = "2")]
mod slices;
