//! Operands whose types have no register.
use ptyx::ptx;

struct Pair(u32, u32);

fn types(x: u32, flag: bool, pair: Pair) -> u8 {
    let mut y = 0u8;
    unsafe {
        ptx!("mov.u32 {0}, {1};", out(reg) y, in(reg) pair);
        ptx!("mov.u32 {0}, {1};", inout(reg) flag => y, in(pred) x);
        ptx!("mov.u32 %a, {0};", in(reg) missing);
    }
    y
}

fn main() {}
