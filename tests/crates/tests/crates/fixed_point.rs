//! `fixed`: binary fixed-point numbers, up to 128 bits inside.

use fixed::types::{I16F16, I32F32, U8F8, U32F32};
use ptyx_crate_tests::same_on_both;

same_on_both! {
    fn arithmetic(x: [f32; 4]) -> ([i32; 3], [u64; 2], f32) {
        let (a, b) = (I16F16::from_num(x[0]), I16F16::from_num(x[1] + 2.0));
        let c = a * b + a / b;
        let d = U32F32::from_num(x[2].abs()).saturating_mul(U32F32::from_num(3));
        let e = I32F32::from_num(x[3]).wrapping_mul(I32F32::PI).round();
        ([c.to_bits(), a.ceil().to_bits(), (a % b).to_bits()], [d.to_bits(), e.to_bits() as u64], c.to_num())
    }

    fn limits(x: [u16; 2]) -> (u16, bool, u16, bool) {
        let (a, b) = (U8F8::from_bits(x[0]), U8F8::from_bits(x[1]));
        let (sum, overflow) = a.overflowing_add(b);
        let product = a.checked_mul(b);
        (sum.to_bits(), overflow, product.unwrap_or(U8F8::MAX).to_bits(), a.is_power_of_two())
    }
}
