//! `half`, which asks the processor for conversions of its own.

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};
use ptyx_crate_tests::same_on_both;

same_on_both! {
    fn arithmetic(x: [f32; 4]) -> ([u16; 4], bool) {
        // Without instructions of the processor, `from_f64` rounds by the upper half of the bits only.
        let short = (x[1] * 4096.0).round() / 4096.0;
        let (a, b) = (f16::from_f32(x[0] * 100.0), f16::from_f64(short.into()));
        let c = a * b + a / b - f16::ONE;
        let d = bf16::from_f32(x[2]) * bf16::from_f32(x[3]) + bf16::PI;
        ([a.to_bits(), b.to_bits(), c.to_bits(), d.to_bits()], a < b)
    }

    // Any bits: subnormal numbers, infinities and NaNs are among them.
    fn conversions(x: [u16; 4]) -> ([f32; 2], [u16; 2]) {
        let wide = f32::from_bits(u32::from(x[2]) << 16 | u32::from(x[3]));
        let narrow = [f16::from_f32(wide).to_bits(), bf16::from_f32(wide).to_bits()];
        let is_number = !wide.is_nan();
        (
            [f16::from_bits(x[0]).to_f32(), bf16::from_bits(x[1]).to_f32()],
            if is_number { narrow } else { [0; 2] },
        )
    }

    fn slices(x: [f32; 11]) -> ([f32; 11], u16) {
        let mut halves = [f16::ZERO; 11];
        halves.convert_from_f32_slice(&x);
        let mut back = [0.0; 11];
        halves.convert_to_f32_slice(&mut back);
        (back, halves.reinterpret_cast()[1])
    }
}
