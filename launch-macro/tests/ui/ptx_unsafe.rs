//! Instructions outside of `unsafe`.
use ptyx::ptx;

fn end() {
    ptx!("exit;");
}

fn main() {}
