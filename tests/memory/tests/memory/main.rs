//! H8, H9: kinds of memory, and copies of boxes between them.

mod late;

// In the parts that `.ci/run` takes turns with (`tests/parts.rs`).
#[cfg(part = "0")]
mod conversions;
#[cfg(part = "0")]
mod guarded;
#[cfg(part = "0")]
mod kernels;
#[cfg(part = "0")]
mod pinned;
#[cfg(part = "0")]
mod reset;

#[cfg(part = "1")]
mod external;
#[cfg(part = "1")]
mod fills;
#[cfg(part = "1")]
mod growable;
#[cfg(part = "1")]
mod limits;
#[cfg(part = "1")]
mod pitched;
#[cfg(part = "1")]
mod staging;

#[cfg(part = "2")]
mod arrays;
#[cfg(part = "2")]
mod between;
#[cfg(part = "2")]
mod managed;
#[cfg(part = "2")]
mod pools;
#[cfg(part = "2")]
mod processes;
