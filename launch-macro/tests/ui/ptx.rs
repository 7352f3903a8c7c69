//! Mistakes in inline PTX.
use ptyx::ptx;

fn texts(x: u32) {
    let mut y = x;
    unsafe {
        ptx!();
        ptx!(in(reg) x);
        ptx!("add.u32 {y}, {x}, {z};", y = out(reg) y, x = in(reg) x);
        ptx!("add.u32 {}, {}, {};", out(reg) y, in(reg) x);
        ptx!(
            "add.u32 {0}, {1}, 1;",
            "add.u32 {0}, {1}, 1",
            out(reg) y,
            in(reg) x,
        );
        ptx!("{ .reg .b32 %t; }");
        ptx!("mov.u32 {0:e}, 1;", out(reg) y);
        ptx!("{{ mov.u32 {0}, 1;", out(reg) y);
        ptx!("ld.global.u32 {0}, [{1};", out(reg) y, in(reg) &raw const x);
        ptx!("exit; }}");
        ptx!("mov.u32 {0}, 1;", out(reg) y, in(reg) x);
    }
}

fn operands(x: u32) {
    let mut y = x;
    unsafe {
        ptx!("mov.u32 {0}, {1};", out(reg) y, x);
        ptx!("mov.u32 {0}, {1};", out(reg) y, in("eax") x);
        ptx!("mov.u32 {0}, {1};", out(reg) y, in(reg));
        ptx!("mov.u32 {0}, {1};", out(reg) _, in(reg) x);
        ptx!("mov.u32 {0}, {1};", out(reg) y, sym texts);
        ptx!("mov.u32 {a}, {a};", a = out(reg) y, a = in(reg) x);
        ptx!("mov.u32 {a}, {1};", a = out(reg) y, in(reg) x);
    }
}

fn settings(x: u32) {
    let mut y = x;
    unsafe {
        ptx!("mov.u32 {0}, 1;", out(reg) y, options(fast, pure));
        ptx!("mov.u32 {0}, 1;", out(reg) y, options(nomem, readonly));
        ptx!("bar.sync 0;", options(pure, nomem));
        ptx!("mov.u32 {0}, 1;", out(reg) y, options(noreturn));
        ptx!("exit;", arch = "hopper");
        ptx!("exit;", ptx = "new");
    }
}

fn main() {}
