//! H8, H9: kinds of memory, and copies of boxes between them.

mod devices;
mod kernels;
mod managed;
mod pinned;
mod pitched;
