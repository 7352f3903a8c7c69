//! Inline PTX on the device, against results computed on the host in another way.

mod arithmetic;
mod code;
mod effects;
mod many_operands;
mod needs;
