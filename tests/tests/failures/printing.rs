//! D8: printing from kernels. The text goes to the process's standard output, so each test runs a
//! part of this program as a process of its own and reads that.

use crate::panics::child;
use ptyx::prelude::*;

#[kernel]
fn prints(scale: f64) {
    let t = thread::x();
    if t < 3 {
        gpu_println!("thread {} of block {}: {}", t, block::x(), f64::from(t) * scale);
    }
    if t == 0 {
        gpu_println!("no arguments, 100 % {{}}");
        gpu_println!("{} {} {} {}", -5i8, u64::MAX, i64::MIN, 'x');
        gpu_println!("{} {:x} {}", true, 255u32, 0.5f32);
        let (name, value) = ("naïve", -1.0f32 / 3.0);
        gpu_println!(
            "[{name:>7}] {name:?} [{value:+9.3}] {value:e} [{:<5}] {1:#06x} {1:o}",
            7,
            255u8
        );
        gpu_print!("{}", "in two ");
        gpu_println!("parts");
    }
}

/// Run by `formatted_text`.
#[test]
#[ignore = "a part of another test"]
fn printing_child() {
    launch!(prints<<<2, 32>>>(0.25)).unwrap();
    ptyx::synchronize().unwrap();
}

#[test]
fn formatted_text() {
    let output = child("printing::printing_child");
    let lines: Vec<&str> = output.lines().collect();
    for block in 0..2 {
        for (thread, value) in ["0", "0.25", "0.5"].iter().enumerate() {
            let start = format!("thread {thread} of block {block}: ");
            let line = lines.iter().find_map(|line| Some(line.split_once(start.as_str())?.1));
            let got: f64 =
                line.unwrap_or_else(|| panic!("no `{start}` in {output}")).parse().unwrap();
            assert_eq!(got, value.parse::<f64>().unwrap());
        }
    }
    for line in ["no arguments, 100 % {}", "-5 18446744073709551615 -9223372036854775808 x"] {
        assert_eq!(lines.iter().filter(|l| **l == line).count(), 2, "`{line}` in {output}");
    }
    assert!(lines.iter().any(|l| l.starts_with("true ff 0.5")), "{output}");
    // Widths of text count bytes, unlike std's; the rest is as std prints it.
    let line = "[ naïve] \"naïve\" [   -0.333] -3.333333e-01 [7    ] 0x00ff 377";
    assert_eq!(lines.iter().filter(|l| **l == line).count(), 2, "`{line}` in {output}");
    assert!(output.contains("in two ") && output.contains("parts\n"), "{output}");
}
