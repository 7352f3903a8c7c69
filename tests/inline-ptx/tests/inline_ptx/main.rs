//! Inline PTX on the device, against results computed on the host in another way.

// The device pass has no lints: `asm!` for x86 has some against PTX, and they must not be errors here.
#![deny(asm_sub_register)]

mod arithmetic;
mod code;
mod effects;
mod many_operands;
mod needs;
mod simd;
