//! Inline PTX as it may be.
use ptyx::ptx;

const fn four() -> usize {
    4
}

/// Outputs into places of all kinds.
pub fn outputs(x: u32, p: *const u32, values: &mut [f32; 2]) -> u32 {
    let sum: u32;
    let mut carry: u32;
    let flag: bool;
    let mut any = false;
    unsafe {
        ptx!(
            "add.cc.u32 {sum}, {x}, {n};",
            r"addc.u32 {carry}, 0, 0; setp.ne.u32 {flag}, {sum}, {x}; @{any} bra L%=;",
            "ld.global.u32 {sum}, [{p}]; {{ mov.b32 {f}, 0; }} L%=: // a label",
            sum = out(reg) sum,
            x = in(reg) x,
            n = const four() * 2,
            carry = inout(reg) 0u32 => carry,
            flag = lateout(pred) flag,
            any = inout(pred) any,
            p = in(reg) p,
            f = inlateout(reg) values[1],
            arch = 80,
            ptx = 7.0,
        );
        carry += 1;
        ptx!("mov.u32 {}, {0};", inout(reg) carry, options(pure, nomem), arch = "sm_90a");
    }
    sum + carry + flag as u32 + any as u32
}

/// Constants of generic code.
pub fn generic<const N: u32>(x: u32) -> u32 {
    let y;
    unsafe { ptx!("shl.b32 {0}, {1}, {2};", out(reg) y, in(reg) x, const N) }
    y
}

/// A macro that writes instructions.
macro_rules! unary {
    ($name:ident, $text:literal) => {
        pub fn $name(x: f32) -> f32 {
            let y: f32;
            unsafe { ptx!($text, out(reg) y, in(reg) x, options(pure, nomem, convergent)) };
            y
        }
    };
}
unary!(negated, "neg.f32 {0}, {1};");

pub fn end() -> ! {
    unsafe { ptx!("exit;", options(noreturn)) }
}

fn main() {}
