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
    let line = "[ naïve] \"naïve\" [   -0.333] -3.3333334e-1 [7    ] 0x00ff 377";
    assert_eq!(lines.iter().filter(|l| **l == line).count(), 2, "`{line}` in {output}");
    assert!(output.contains("in two ") && output.contains("parts\n"), "{output}");
}

/// Floats of many sizes, the same each time.
fn floats() -> Vec<f64> {
    let mut state = 3u64;
    let random = (0..60).map(|at| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        match at % 3 {
            0 => f64::from_bits(state),
            1 => f64::from((state >> 32) as i32) / 1000.0,
            _ => f64::from(f32::from_bits((state >> 32) as u32)),
        }
    });
    let chosen = [0.0, -0.0, 0.1, 1.0, 1e16, 1e-5, 5e-324, f64::MAX, f64::INFINITY, f64::NAN];
    chosen.into_iter().chain(random).collect()
}

#[kernel]
fn prints_floats(values: &[f64]) {
    let i = thread::index_1d();
    if let Some(&x) = values.get(i.get()) {
        gpu_println!("<{}: {x} {x:?} {x:e} {x:.3} {x:+.2E} [{x:>30}] {}>", i.get(), x as f32);
    }
}

/// Run by `floats_as_std_prints_them`.
#[test]
#[ignore = "a part of another test"]
fn floats_child() {
    let values = DeviceBuffer::from_slice(&floats()).unwrap();
    launch!(prints_floats<<<1, values.len()>>>(&values)).unwrap();
    ptyx::synchronize().unwrap();
}

#[test]
fn floats_as_std_prints_them() {
    let output = child("printing::floats_child");
    for (i, x) in floats().into_iter().enumerate() {
        let want = format!("<{i}: {x} {x:?} {x:e} {x:.3} {x:+.2E} [{x:>30}] {}>", x as f32);
        assert!(output.contains(&want), "`{want}` in {output}");
    }
}
