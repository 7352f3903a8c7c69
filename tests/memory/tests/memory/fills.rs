//! Fills with numbers of all sizes, compared with slices on the host.

use ptyx::prelude::*;
use ptyx::{Error, PitchedBuffer};
use ptyx_memory_tests::{Rng, rng};

/// A number of the type, whose 32-bit words are hardly ever equal, or one whose words are.
fn number<T: FromBits>(rng: &mut Rng) -> T {
    let bits = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
    T::from_bits(if rng.below(4) == 0 {
        0u128.wrapping_sub(u128::from(rng.below(2) == 0))
    } else {
        bits
    })
}

/// Numbers made from their lowest bits.
trait FromBits: DeviceCopy + PartialEq + core::fmt::Debug {
    fn from_bits(bits: u128) -> Self;
}

macro_rules! from_bits {
    ($($ty:ty: $value:expr;)*) => {$(
        impl FromBits for $ty {
            fn from_bits(bits: u128) -> Self {
                $value(bits)
            }
        }
    )*};
}

// Finite, since a NaN is not equal to itself.
from_bits! {
    u8: |bits| bits as u8;
    u16: |bits| bits as u16;
    i32: |bits| bits as i32;
    u64: |bits| bits as u64;
    i64: |bits| bits as i64;
    usize: |bits| bits as usize;
    i128: |bits| bits as i128;
    f32: |bits| bits as i32 as f32 / 7.0;
    f64: |bits| bits as i64 as f64 / 7.0;
}

/// Parts of a buffer and boxes of an array, filled on a stream and in a graph that is launched twice.
fn fills<T: FromBits>(rng: &mut Rng) -> ptyx::Result<()> {
    let name = core::any::type_name::<T>();
    let stream = Stream::new()?;
    // On both sides of how many are set word by word.
    for len in [1, 2, 3, 1000, 4096, 4097, 20_011] {
        let (a, b, c) = (number::<T>(rng), number(rng), number(rng));
        let start = rng.below(len);
        let end = start + rng.below(len + 1 - start);
        let mut buffer = DeviceBuffer::filled(len, a)?;
        let mut model = vec![a; len];
        buffer.slice_mut(start..end).fill_on(b, &stream)?;
        model[start..end].fill(b);
        assert_eq!(buffer.to_vec()?, model, "{name}: {len} numbers, {start}..{end}");
        let graph = stream.capture(|stream| {
            buffer.fill_on(c, stream)?;
            buffer.slice_mut(start..end).fill_on(a, stream)
        })?;
        assert_eq!(buffer.to_vec()?, model, "{name}: captured fills ran");
        let exec = graph.instantiate()?;
        model.fill(c);
        model[start..end].fill(a);
        for _ in 0..2 {
            exec.launch(&stream)?;
            assert_eq!(buffer.to_vec()?, model, "{name}: {len} numbers in a graph");
            buffer.fill_on(b, &stream)?;
        }
    }
    let shape = [1 + rng.below(4), 1 + rng.below(5), 1 + rng.below(80)];
    let part = shape.map(|extent| {
        let start = rng.below(extent);
        start..start + 1 + rng.below(extent - start)
    });
    let (a, b) = (number::<T>(rng), number(rng));
    let mut array = PitchedBuffer::filled(shape, a)?;
    let graph = stream.capture(|stream| array.part_mut(part.clone())?.fill_on(b, stream))?;
    graph.instantiate()?.launch(&stream)?;
    for (at, found) in array.to_vec()?.into_iter().enumerate() {
        let index = [at / (shape[1] * shape[2]), at / shape[2] % shape[1], at % shape[2]];
        let is_in = index.iter().zip(&part).all(|(index, range)| range.contains(index));
        assert_eq!(found, if is_in { b } else { a }, "{name}: {index:?} of {shape:?}, {part:?}");
    }
    Ok(())
}

#[test]
fn numbers_of_all_sizes() -> ptyx::Result<()> {
    let mut rng = rng();
    fills::<u8>(&mut rng)?;
    fills::<u16>(&mut rng)?;
    fills::<i32>(&mut rng)?;
    fills::<f32>(&mut rng)?;
    fills::<u64>(&mut rng)?;
    fills::<i64>(&mut rng)?;
    fills::<usize>(&mut rng)?;
    fills::<f64>(&mut rng)?;
    fills::<i128>(&mut rng)
}

/// Types that may have padding are written by the host, which a graph can't do.
#[test]
fn structs_are_no_nodes() -> ptyx::Result<()> {
    let stream = Stream::new()?;
    let mut buffer = DeviceBuffer::filled(5, [1u32, 2, 3])?;
    let refused = stream.capture(|stream| buffer.fill_on([4, 5, 6], stream));
    assert!(matches!(refused, Err(Error::Capture { .. })), "{refused:?}");
    buffer.slice_mut(1..).fill_on([7, 8, 9], &stream)?;
    assert_eq!(buffer.to_vec()?, [[1, 2, 3], [7, 8, 9], [7, 8, 9], [7, 8, 9], [7, 8, 9]]);
    Ok(())
}
