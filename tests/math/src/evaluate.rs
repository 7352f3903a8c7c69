//! Evaluates functions for `scripts/math-table`.
//!
//! `evaluate list` prints a line for each function: name, arity, metric, ranges. `evaluate run DIR`
//! reads the arguments of each from `DIR/<name>.f32.in` and `.f64.in`, raw little-endian numbers, and
//! writes the results to `DIR/<name>.f32.<form>` and so on, `<form>` being `libdevice` or `rust`. The
//! form in Rust also evaluates the `f32` arguments in `f64`, into `DIR/<name>.f32.f64`: good enough to
//! choose those that are compared with exact values.

use ptyx_math_tests::{functions, uses_libdevice};
use std::path::Path;

macro_rules! evaluate {
    ($dir:expr, $function:expr, $form:expr, $field:ident, $type:ident) => {{
        let path = |end| $dir.join(format!("{}.{}.{end}", $function.name, stringify!($type)));
        let bytes = std::fs::read(path("in"))?;
        let (chunks, _) = bytes.as_chunks();
        let x: Vec<$type> = chunks.iter().map(|b| $type::from_le_bytes(*b)).collect();
        let y = if x.is_empty() { Vec::new() } else { ($function.$field.device)(&x) };
        std::fs::write(path($form), y.iter().flat_map(|y| y.to_le_bytes()).collect::<Vec<u8>>())?;
        if $form == "rust" && stringify!($type) == "f32" && !x.is_empty() {
            let wide: Vec<f64> = x.iter().map(|x| *x as f64).collect();
            let y = ($function.double.device)(&wide);
            std::fs::write(
                path("f64"),
                y.iter().flat_map(|y| y.to_le_bytes()).collect::<Vec<u8>>(),
            )?;
        }
    }};
}

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["list"] => {
            for f in functions() {
                let (a, b) = (f.single.range, f.double.range);
                println!("{} {} {:?} {} {} {} {}", f.name, f.arity, f.metric, a.0, a.1, b.0, b.1);
            }
            Ok(())
        }
        ["run", dir] => {
            let dir = Path::new(dir);
            let form = if uses_libdevice() { "libdevice" } else { "rust" };
            for function in functions() {
                evaluate!(dir, function, form, single, f32);
                evaluate!(dir, function, form, double, f64);
            }
            println!("{form}");
            Ok(())
        }
        _ => Err(std::io::Error::other("usage: evaluate list | run DIR")),
    }
}
