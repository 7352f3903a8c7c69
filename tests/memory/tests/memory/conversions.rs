//! Copies that convert numbers.

use half::{bf16, f16};
use ptyx::prelude::*;
use ptyx::{ConvertTo, DeviceFloat, Error, ManagedBuffer};
use ptyx_memory_tests::rng;

/// Compares what the device makes of numbers with what the host does.
fn on_device<T, U>(numbers: &[U], is_same: fn(T, T) -> bool) -> ptyx::Result<()>
where
    T: DeviceFloat + core::fmt::Debug,
    U: DeviceFloat + ConvertTo<T> + core::fmt::Debug,
{
    let stream = Stream::new()?;
    let source = DeviceBuffer::from_slice(numbers)?;
    // SAFETY: every element is written before it is read.
    let mut target = unsafe { DeviceBuffer::<T>::uninitialized(numbers.len() + 3)? };
    target
        .as_slice_mut()
        .slice_mut(2..numbers.len() + 2)
        .copy_from_buffer_as_on(&source, &stream)?;
    let found = target.slice(2..numbers.len() + 2).to_vec()?;
    for (&number, &found) in numbers.iter().zip(&found) {
        let expected = number.convert();
        assert!(is_same(found, expected), "{number:?} became {found:?}, not {expected:?}");
    }
    Ok(())
}

#[test]
fn devices_convert_floats() -> ptyx::Result<()> {
    let mut rng = rng();
    // All kinds of numbers, but for those that are none, whose bits may differ.
    let mut doubles = rng.vec(3000, |rng| f64::from_bits(rng.next_u64()));
    doubles.extend(rng.vec(3000, |rng| f64::from(f32::from_bits(rng.next_u32()))));
    doubles.extend(rng.vec(3000, |rng| 70000.0 * rng.next_f64()));
    doubles.extend([0.0, -0.0, 65504.0, 65520.0, 5.9e-8, 2.9e-8, f64::INFINITY, f64::MIN]);
    doubles.retain(|number| !number.is_nan());
    let floats: Vec<f32> = doubles.iter().map(|&number| number as f32).collect();
    let halves: Vec<f16> = floats.iter().map(|&number| f16::from_f32(number)).collect();
    // Just beside the middle between two of the shorter ones.
    for _ in 0..1000 {
        let bits = rng.next_u32() as u16 & 0x7bff;
        let [low, high] = [bits, bits + 1].map(|bits| f16::from_bits(bits).to_f64());
        let middle = (low + high) / 2.0;
        doubles.extend([middle, middle * (1.0 + 1e-12), -middle * (1.0 - 1e-12)]);
    }
    let doubles_are = |a: f64, b: f64| a.to_bits() == b.to_bits();
    let floats_are = |a: f32, b: f32| a.to_bits() == b.to_bits();
    let halves_are = |a: f16, b: f16| a.to_bits() == b.to_bits();
    on_device::<f32, f64>(&doubles, floats_are)?;
    on_device::<f16, f64>(&doubles, halves_are)?;
    on_device::<f64, f32>(&floats, doubles_are)?;
    on_device::<f16, f32>(&floats, halves_are)?;
    on_device::<f32, f32>(&floats, floats_are)?;
    on_device::<f64, f16>(&halves, doubles_are)?;
    on_device::<f32, f16>(&halves, floats_are)?;
    on_device::<f64, f32>(&[], doubles_are)?;
    let mut short = DeviceBuffer::<f32>::zeroed(3)?;
    let wrong = short.as_slice_mut().copy_from_buffer_as(&DeviceBuffer::filled(4, 1.0f64)?);
    assert!(matches!(wrong, Err(Error::Length { expected: 3, found: 4, .. })), "{wrong:?}");
    Ok(())
}

#[test]
fn conversions_are_ordered_with_other_work() -> ptyx::Result<()> {
    let (first, second) = (Stream::new()?, Stream::new()?);
    let mut exact = DeviceBuffer::<f64>::zeroed(1000)?;
    let mut short = ManagedBuffer::<f32>::zeroed(1000)?;
    for value in 0..20 {
        exact.fill_on(f64::from(value) + 0.1, &first)?;
        short.as_slice_mut().copy_from_buffer_as_on(&exact, &second)?;
        exact.fill_on(-1.0, &first)?;
        assert!(short.iter().all(|&number| number == (f64::from(value) + 0.1) as f32));
    }
    let mut again = DeviceBuffer::<f32>::zeroed(1000)?;
    let convert = |stream: &Stream| again.as_slice_mut().copy_from_buffer_as_on(&exact, stream);
    first.capture(convert)?.instantiate()?.launch(&second)?;
    assert_eq!(again.to_vec()?, [-1.0; 1000]);
    Ok(())
}

/// The nearest `f16`, of two with the same distance the even one, by trying all neighbours.
fn nearest(number: f64) -> f16 {
    let guess = f16::from_f64(number).to_bits();
    let near = [guess.wrapping_sub(1), guess, guess.wrapping_add(1)].map(f16::from_bits);
    let near = near.into_iter().filter(|near| near.is_finite());
    let distance = |near: &f16| (near.to_f64() - number).abs();
    let by_distance = |a: &f16, b: &f16| {
        distance(a).total_cmp(&distance(b)).then((a.to_bits() & 1).cmp(&(b.to_bits() & 1)))
    };
    near.min_by(by_distance).unwrap()
}

#[test]
fn the_host_rounds_to_the_nearest_number() {
    let mut rng = rng();
    for _ in 0..20000 {
        let bits = rng.next_u32() as u16 & 0x7bff;
        let [low, high] = [bits, (bits + 1).min(0x7bff)].map(|bits| f16::from_bits(bits).to_f64());
        let close = 1.0 + rng.next_f64() * 2f64.powi(-(rng.below(45) as i32));
        let number = (low + high) / 2.0 * close;
        let found: f16 = number.convert();
        if number < 65504.0 {
            assert_eq!(found.to_bits(), nearest(number).to_bits(), "{number:?}");
        }
    }
}

#[test]
fn the_host_converts_all_numbers() -> ptyx::Result<()> {
    let mut rng = rng();
    let numbers = rng.vec(500, |rng| rng.next_u64() as i64);
    let buffer = DeviceBuffer::<f32>::from_slice_as(&numbers)?;
    let expected: Vec<f32> = numbers.iter().map(|&number| number as f32).collect();
    assert_eq!(buffer.to_vec()?, expected);
    let expected: Vec<u8> = expected.iter().map(|&number| number as u8).collect();
    assert_eq!(buffer.as_slice().to_vec_as::<u8>()?, expected);
    let mut halves = DeviceBuffer::<bf16>::from_slice_as(&[0u8; 4])?;
    halves.as_slice_mut().copy_from_slice_as(&[1.0f64, -2.5, 1e10, f64::NAN])?;
    let back = halves.as_slice().to_vec_as::<f16>()?;
    assert_eq!((back[0], back[1], back[2]), (f16::ONE, f16::from_f32(-2.5), f16::INFINITY));
    assert!(back[3].is_nan());
    assert_eq!(halves.as_slice().to_vec_as::<i16>()?, [1, -2, i16::MAX, 0]);
    let wrong = halves.as_slice_mut().copy_from_slice_as(&[1i8; 5]);
    assert!(matches!(wrong, Err(Error::Length { expected: 4, found: 5, .. })), "{wrong:?}");
    Ok(())
}
