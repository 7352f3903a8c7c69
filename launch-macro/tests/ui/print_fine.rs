//! Formats that a kernel can print.
use ptyx::{print, println};

macro_rules! through_a_macro {
    ($format:literal, $value:expr) => {
        println!($format, $value)
    };
}

fn prints(x: f32, slice: &[u32]) {
    println!();
    print!("plain {{}} 100%\n");
    println!("{x} {x:?} {0:5} {0:<5.2} {y:#010x} {:e}", slice[0], y = 3);
    println!(r#"raw "{}""#, { 1 },);
    through_a_macro!("{}", x + 1.0);
    if x > 0.0 {
        println!("an expression")
    }
}
