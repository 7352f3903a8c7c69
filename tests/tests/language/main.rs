//! The language and `core` in kernels: each test calls one ordinary function in a kernel, a thread
//! for each of many random inputs, and on the host, and compares the results bit by bit.

#![allow(
    clippy::complexity,
    clippy::perf,
    clippy::style,
    reason = "what the lints would replace is what is tested"
)]

mod arithmetic;
mod atomics;
mod closures;
mod conversions;
mod core_types;
mod dispatch;
mod enums;
mod formatting;
mod futures;
mod generics;
mod harness;
mod heap;
mod indices;
mod iterators;
mod libraries;
mod memory;
mod recursion;
mod slices;
mod statics;
mod strings;
mod wide;
