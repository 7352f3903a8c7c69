//! Buffers of numbers whose kernels read and write vectors, half pairs and complex numbers, and what can't be one.

use half::{bf16, f16};
use num_complex::Complex;
use ptyx::Error;
use ptyx::device::float8::{F8E4M3, Tf32};
use ptyx::device::float16::{Bf16x2, Bf16x4, F16x2, F16x4};
use ptyx::device::shared::AnyBits;
use ptyx::device::vector::*;
use ptyx::prelude::*;
use ptyx_test_support::{Rng, rng};
use std::fmt::Debug;

/// Reverses the elements, whatever they are.
#[kernel]
fn reverse<T: DeviceCopy>(x: &[T], mut y: Disjoint<T>) {
    for i in thread::grid_stride(x.len()) {
        y[i] = x[x.len() - 1 - i.get()];
    }
}

/// `PER` numbers `T` are one `U`: a kernel over `U` moves them together.
fn check<T: AnyBits + Send + PartialEq + Debug, U: AnyBits + Send, const PER: usize>(
    make: impl Fn(&mut Rng) -> T,
) {
    assert_eq!(size_of::<U>(), PER * size_of::<T>());
    let mut rng = rng();
    // As many bytes as every type here divides.
    let count = 32 * (1 + rng.below(10));
    let x = rng.vec(count, make);
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::filled(count, x[0]).unwrap();
    let (from, to) = (device_x.reinterpret::<U>().unwrap(), y.reinterpret_mut::<U>().unwrap());
    launch!(reverse::<U><<<2, 32>>>(from, to)).unwrap();
    let want: Vec<T> = x.chunks(PER).rev().flatten().copied().collect();
    assert_eq!(y.to_vec().unwrap(), want, "{}", std::any::type_name::<U>());
    // And back: vectors as numbers.
    let vectors = device_x.reinterpret::<U>().unwrap();
    assert_eq!(vectors.reinterpret::<T>().unwrap().to_vec().unwrap(), x);
}

fn number(rng: &mut Rng) -> f32 {
    rng.below(200) as f32 - 100.0
}

#[test]
fn numbers_as_vectors() {
    check::<f32, F32x2, 2>(number);
    check::<f32, F32x4, 4>(number);
    check::<f64, F64x4, 4>(|rng| number(rng).into());
    check::<u8, U8x4, 4>(|rng| rng.next_u32() as u8);
    check::<i16, I16x4, 4>(|rng| rng.next_u32() as i16);
    check::<u32, U32x4, 4>(Rng::next_u32);
    check::<i64, I64x2, 2>(|rng| rng.next_u64() as i64);
    check::<u8, U64x4, 32>(|rng| rng.next_u32() as u8);
}

#[test]
fn numbers_as_halves_and_complex_numbers() {
    check::<f16, F16x2, 2>(|rng| f16::from_f32(number(rng)));
    check::<f16, F16x4, 4>(|rng| f16::from_f32(number(rng)));
    check::<bf16, Bf16x2, 2>(|rng| bf16::from_f32(number(rng)));
    check::<bf16, Bf16x4, 4>(|rng| bf16::from_f32(number(rng)));
    check::<f16, U32x4, 8>(|rng| f16::from_f32(number(rng)));
    check::<f32, Complex<f32>, 2>(number);
    check::<f32, Complex<F32x2>, 4>(number);
    check::<Complex<f64>, F64x2, 1>(|rng| Complex::new(number(rng).into(), 0.5));
    check::<u8, F8E4M3, 1>(|rng| rng.next_u32() as u8);
    check::<f32, Tf32, 1>(number);
}

#[test]
fn what_does_not_fit_is_said() {
    let numbers = DeviceBuffer::<f32>::zeroed(64).unwrap();
    let shifted = numbers.slice(2..10).reinterpret::<F32x4>().unwrap_err();
    assert!(matches!(shifted, Error::Reinterpret { start: 8, align: 16, .. }), "{shifted}");
    let text = shifted.to_string();
    assert!(text.contains("F32x4") && text.contains("aligned to 16 bytes"), "{text}");
    assert!(text.contains("8 bytes past a multiple"), "{text}");
    let odd = numbers.slice(..7).reinterpret::<F32x4>().unwrap_err().to_string();
    assert!(odd.contains("has 16 bytes, and 12 bytes are left over"), "{odd}");
    let none = numbers.reinterpret::<[u8; 0]>().unwrap_err().to_string();
    assert!(none.contains("no bytes"), "{none}");
}
