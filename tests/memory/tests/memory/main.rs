//! H8, H9: kinds of memory, and copies of boxes between them.

mod arrays;
mod between;
mod conversions;
mod external;
mod fills;
mod growable;
mod guarded;
mod kernels;
mod late;
mod limits;
mod managed;
mod pinned;
mod pitched;
mod pools;
mod processes;
mod reset;
mod staging;
