//! H4, H23 and more: what needs several devices. `cargo test -p ptyx-device-tests` runs it on the machine's GPUs if there
//! are at least two, and on emulated devices elsewhere. The program can be carried to another machine alone.

mod copies;
mod drops;
mod events;
mod examples;
mod graphs;
mod kernels;
mod managed;
mod peers;
mod pools;
mod threads;
