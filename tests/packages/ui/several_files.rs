// Mistakes of several files: what kernels share is told once, each in the order of the source.
use ptyx::prelude::*;

mod log;
mod settings;

#[kernel]
fn first<T: Num>(x: T, mut y: Disjoint<T>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = settings::scaled(x);
    }
}

#[kernel]
fn second(n: u32) {
    log::line(n);
    let twice = |n| log::line(2 * n);
    twice(n);
}

fn main() -> ptyx::Result<()> {
    let mut x = DeviceBuffer::<f32>::zeroed(8)?;
    let mut y = DeviceBuffer::<u32>::zeroed(8)?;
    launch!(first<<<1, 8>>>(1.0, &mut x))?;
    launch!(first<<<1, 8>>>(1, &mut y))?;
    launch!(second<<<1, 8>>>(1))
}
//@ file: src/log.rs
use std::io::Write;

pub fn line(n: u32) {
    let mut out = std::io::stderr();
    let _ = writeln!(out, "{n}");
}
//@ file: src/settings.rs
use ptyx::Num;

pub fn scaled<T: Num>(x: T) -> T {
    if std::env::var_os("TWICE").is_some() { x + x } else { x }
}
