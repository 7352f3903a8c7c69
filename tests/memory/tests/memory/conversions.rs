//! Copies that convert numbers.

use half::{bf16, f16};
use ptyx::prelude::*;
use ptyx::{ConvertTo, DeviceNumber, Error, HostView, HostViewMut, ManagedBuffer, PitchedBuffer};
use ptyx_memory_tests::rng;
use std::fmt::Debug;

/// Compares what the device makes of numbers with what the host does.
fn on_device<T, U>(numbers: &[U], is_same: fn(T, T) -> bool) -> ptyx::Result<()>
where
    T: DeviceNumber + Debug,
    U: DeviceNumber + ConvertTo<T> + Debug,
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
    let expected: Vec<T> = numbers.iter().map(|&number| number.convert()).collect();
    compare(&found, &expected, is_same, &|index| &numbers[index]);
    Ok(())
}

/// The rest of it, which does not depend on the source's type: once for all of these.
fn compare<'a, T: Copy + Debug>(
    found: &[T],
    expected: &[T],
    is_same: fn(T, T) -> bool,
    source: &dyn Fn(usize) -> &'a dyn Debug,
) {
    assert_eq!(found.len(), expected.len());
    let differs = |&index: &usize| !is_same(found[index], expected[index]);
    if let Some(index) = (0..found.len()).find(differs) {
        let [found, expected] = [found[index], expected[index]];
        panic!("{:?} became {found:?}, not {expected:?}", source(index));
    }
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

/// Numbers that can be made of arbitrary bits: among them are the least, the greatest, and NaN.
trait Numbers: DeviceNumber + Debug + PartialOrd {
    fn of_bits(bits: u64) -> Self;
}

macro_rules! numbers {
    ($($ty:ident: $of:expr;)*) => {$(
        impl Numbers for $ty {
            fn of_bits(bits: u64) -> $ty {
                $of(bits)
            }
        }
    )*};
}
numbers! {
    u8: |bits| bits as u8;
    u16: |bits| bits as u16;
    u32: |bits| bits as u32;
    u64: |bits| bits;
    usize: |bits| bits as usize;
    i8: |bits| bits as i8;
    i16: |bits| bits as i16;
    i32: |bits| bits as i32;
    i64: |bits| bits as i64;
    isize: |bits| bits as isize;
    f32: |bits| f32::from_bits(bits as u32);
    f64: f64::from_bits;
    f16: |bits| f16::from_bits(bits as u16);
}

/// Numbers of all sizes.
fn numbers_of<U: Numbers>(bits: &[u64]) -> Vec<U>
where
    u64: ConvertTo<U>,
    i64: ConvertTo<U>,
{
    let mut numbers: Vec<U> = Vec::new();
    for &bits in bits {
        // All bits are random, or most are zero, or the number is a small one, or near a power of two.
        let (low, shift) = (bits as i64 >> (bits % 61), bits % 64);
        let near = (1u64 << shift).wrapping_add(bits >> 62).wrapping_sub(1);
        let (low, near): (U, U) = (low.convert(), near.convert());
        numbers.extend([U::of_bits(bits), U::of_bits(bits.rotate_left(17)), low, near]);
    }
    numbers.extend([U::of_bits(0), U::of_bits(u64::MAX), U::of_bits(u64::MAX >> 1)]);
    numbers
}

/// Compares how the device and the host convert numbers of all sizes.
fn of_all_sizes<T: Numbers, U: Numbers + ConvertTo<T>>(bits: &[u64]) -> ptyx::Result<()>
where
    u64: ConvertTo<U>,
    i64: ConvertTo<U>,
{
    on_device::<T, U>(&numbers_of::<U>(bits), |a, b| {
        // NaN is not equal to itself.
        let is_nan = |a: T| a.partial_cmp(&a).is_none();
        a == b || is_nan(a) && is_nan(b)
    })
}

#[test]
fn devices_convert_all_numbers() -> ptyx::Result<()> {
    let mut rng = rng();
    let bits = rng.vec(500, |rng| rng.next_u64());
    macro_rules! each {
        ($($to:ident)*; $all:tt) => { $(each!(@ $to; $all);)* };
        (@ $to:ident; [$($from:ident)*]) => { $(of_all_sizes::<$to, $from>(&bits)?;)* };
    }
    each!(
        u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64 f16;
        [u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64 f16]
    );
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

/// Whether two floats are the same number, or both are none.
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

/// The element of a row-after-row array at signed indices, if there is one.
fn at<T: Copy, const N: usize>(elements: &[T], shape: [usize; N], index: [isize; N]) -> Option<T> {
    let mut place = 0;
    for (axis, i) in index.into_iter().enumerate() {
        place = place * shape[axis] + usize::try_from(i).ok().filter(|i| *i < shape[axis])?;
    }
    Some(elements[place])
}

/// The indices of a box that begins at `first`, in order.
fn indices<const N: usize>(first: [isize; N], shape: [usize; N]) -> Vec<[isize; N]> {
    let mut all = vec![first];
    for axis in 0..N {
        let along = |index: [isize; N]| {
            (0..shape[axis] as isize).map(move |i| {
                let mut index = index;
                index[axis] += i;
                index
            })
        };
        all = all.into_iter().flat_map(along).collect();
    }
    all
}

/// Random boxes between an array of `f32` on the device and arrays of `f64` and `i16` on the host, compared element by
/// element with what Rust makes of each number.
fn boxes_convert<const N: usize>(rng: &mut ptyx_memory_tests::Rng) -> ptyx::Result<()> {
    let mut shape = || core::array::from_fn::<usize, N, _>(|_| 1 + rng.below(7));
    let (on_device, on_host) = (shape(), shape());
    let size: [usize; N] =
        core::array::from_fn(|axis| 1 + rng.below(on_device[axis].min(on_host[axis])));
    let mut place = |whole: [usize; N]| -> [core::ops::Range<usize>; N] {
        core::array::from_fn(|axis| {
            let start = rng.below(whole[axis] - size[axis] + 1);
            start..start + size[axis]
        })
    };
    let (there, here) = (place(on_device), place(on_host));
    let (p, q) = (there.clone(), here.clone());
    let starts = |ranges: &[core::ops::Range<usize>; N]| ranges.clone().map(|r| r.start as isize);
    // From the host: all kinds of bits.
    let doubles = rng.vec(on_host.iter().product(), |rng| match rng.below(3) {
        0 => f64::from_bits(rng.next_u64()),
        1 => f64::from(rng.next_u32() as i32),
        _ => 40000.0 * rng.next_f64(),
    });
    let before = rng.vec(on_device.iter().product(), |rng| rng.next_f32());
    let mut array = PitchedBuffer::from_slice(&before, on_device)?;
    array.part_mut(p)?.copy_from_host_as(HostView::new(&doubles, on_host)?.part(q)?)?;
    let mut model = before;
    let pairs = indices(starts(&there), size).into_iter().zip(indices(starts(&here), size));
    for (to, from) in pairs {
        let place = to.iter().zip(on_device).fold(0, |place, (&i, n)| place * n + i as usize);
        model[place] = at(&doubles, on_host, from).unwrap() as f32;
    }
    let found = array.to_vec()?;
    assert!(found.iter().zip(&model).all(|(&a, &b)| same(a.into(), b.into())), "{on_device:?}");

    // To the host, into a part of an array.
    let mut shorts = rng.vec(on_host.iter().product(), |rng| rng.next_u32() as i16);
    let mut want = shorts.clone();
    let into = HostViewMut::new(&mut shorts, on_host)?.part(here.clone())?;
    array.part(there.clone())?.copy_to_host_as(into)?;
    let pairs = indices(starts(&there), size).into_iter().zip(indices(starts(&here), size));
    for (from, to) in pairs {
        let place = to.iter().zip(on_host).fold(0, |place, (&i, n)| place * n + i as usize);
        want[place] = at(&model, on_device, from).unwrap() as i16;
    }
    assert_eq!(shorts, want);
    let part: Vec<i16> = array.part(there.clone())?.to_vec_as()?;
    let of_box = |index| at(&model, on_device, index).unwrap() as i16;
    let expected: Vec<i16> = indices(starts(&there), size).into_iter().map(of_box).collect();
    assert_eq!(part, expected);

    // With a value for what lies outside, of boxes that may lie outside entirely.
    let first: [isize; N] = core::array::from_fn(|_| rng.below(16) as isize - 8);
    let extent: [usize; N] = core::array::from_fn(|_| rng.below(7));
    let ranges = core::array::from_fn(|axis| first[axis]..first[axis] + extent[axis] as isize);
    let outside = rng.next_u64() as i64;
    let around = array.view().to_vec_as_or(ranges, outside)?;
    let value = |index| at(&model, on_device, index).map_or(outside, |number| number as i64);
    let expected: Vec<i64> = indices(first, extent).into_iter().map(value).collect();
    assert_eq!(around, expected);
    let mut wide = vec![0i64; on_host.iter().product()];
    array.view().copy_to_host_as_or(HostViewMut::new(&mut wide, on_host)?, first, outside)?;
    let expected: Vec<i64> = indices(first, on_host).into_iter().map(value).collect();
    assert_eq!(wide, expected);
    Ok(())
}

#[test]
fn boxes_are_converted() -> ptyx::Result<()> {
    let mut rng = rng();
    for _ in 0..40 {
        boxes_convert::<1>(&mut rng)?;
        boxes_convert::<2>(&mut rng)?;
        boxes_convert::<3>(&mut rng)?;
        boxes_convert::<4>(&mut rng)?;
    }
    Ok(())
}

#[test]
fn boxes_of_other_shapes_are_not_converted() -> ptyx::Result<()> {
    let mut array = PitchedBuffer::<u8, 2>::from_slice_as(&[1.9f32, 2.0, 300.0, -4.0], [2, 2])?;
    assert_eq!(array.to_vec()?, [1, 2, 255, 0]);
    // Boxes of buffers, and half floats.
    let buffer = DeviceBuffer::from_slice(&[f16::ONE, f16::NAN, f16::INFINITY, f16::MIN])?;
    let column = buffer.view([2, 2]).part([0..2, 1..2])?.to_vec_as::<u16>()?;
    assert_eq!(column, [0, 0]);
    array.part_mut([1..2, 0..2])?.copy_from_slice_as(&[f16::ONE, f16::INFINITY])?;
    assert_eq!(array.to_vec()?, [1, 2, 1, 255]);

    let host = [7i64; 6];
    let wrong = array.view_mut().copy_from_host_as(HostView::new(&host, [2, 3])?);
    assert!(matches!(wrong, Err(Error::Shapes { .. })), "{wrong:?}");
    let wrong = array.view_mut().copy_from_slice_as(&host);
    assert!(matches!(wrong, Err(Error::Length { .. })), "{wrong:?}");
    let mut host = [7i64; 6];
    let wrong = array.view().copy_to_host_as(HostViewMut::new(&mut host, [2, 3])?);
    assert!(matches!(wrong, Err(Error::Shapes { .. })), "{wrong:?}");
    assert_eq!(host, [7; 6]);
    assert_eq!(array.to_vec()?, [1, 2, 1, 255]);
    let (whole, far) = (0..isize::MAX, isize::MIN..0);
    let wrong = array.view().to_vec_as_or([far, whole], 0i64);
    assert!(matches!(wrong, Err(Error::TooLarge { .. })), "{wrong:?}");
    // Empty boxes.
    let none = array.part([0..0, 0..2])?.to_vec_as::<f64>()?;
    assert!(none.is_empty());
    array.part_mut([0..2, 1..1])?.copy_from_slice_as::<f64>(&[])?;
    Ok(())
}
