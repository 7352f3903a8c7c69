//! Questions to hardware, one each, which it had not answered by 2026-11-27 (docs/tensor-memory.md says what it had). A
//! failure says what it did instead of what the emulated device does.

use super::{UNTOUCHED, combine, peeked, push, sides};
use ptyx::device::tma::{
    Add, Element, Interleaved16, Interleaved32, Placed, Reduction, Tile, TileShape,
};
use ptyx::device::wgmma::{B32, B64, B128};
use ptyx::prelude::*;
use ptyx::{Fill, TensorOptions};
use ptyx_tensor_memory_tests::interleaved::{Images, order};
use ptyx_tensor_memory_tests::{alone, bytes, device_has_them, swizzled};

/// Bytes of a unit that is shown as a whole.
pub(super) const UNIT: usize = 16;

/// Numbered elements before the tensor in its buffer, and behind it: also what comes from a wrong place is known.
pub(super) const MARGIN: usize = 8192;

/// What some bytes hold: numbers of elements in memory, one after another, from the one that is shown on.
fn shown(unit: &[u8], size: usize) -> String {
    if unit.iter().all(|&byte| byte == UNTOUCHED) {
        return "untouched".into();
    }
    let numbers: Vec<i64> = unit.chunks(size).map(number).collect();
    let follow =
        (0..).zip(unit.chunks(size)).all(|(at, element)| element == bits(numbers[0] + at, size));
    match numbers[0] {
        first if follow => format!("{first}.."),
        _ if numbers.iter().all(|&number| number == 0) => "zeros".into(),
        _ => format!("{numbers:?}"),
    }
}

/// The bytes of a number as an element.
fn bits(number: i64, size: usize) -> Vec<u8> {
    number.to_le_bytes()[..size].to_vec()
}

/// The number whose bytes an element has; small numbers may be negative.
fn number(element: &[u8]) -> i64 {
    let mut bytes = [if element[element.len() - 1] < 128 { 0 } else { 0xff }; 8];
    bytes[..element.len()].copy_from_slice(element);
    i64::from_le_bytes(bytes)
}

/// Each unit of 16 bytes that is not as wanted.
pub(super) fn differences(found: &[u8], wanted: &[u8], size: usize) -> String {
    let units = found.chunks(UNIT).zip(wanted.chunks(UNIT)).enumerate();
    let wrong = units.filter(|(_, (found, wanted))| found != wanted);
    let lines = wrong.map(|(unit, (found, wanted))| {
        format!("unit {unit}: {}, not {}", shown(found, size), shown(wanted, size))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Elements that are the lower bits of their own numbers, from this one on. The tensor begins with 1.
pub(super) fn numbered<T: Element>(first: i64, len: usize) -> Vec<T> {
    (first..first + len as i64)
        .map(|bits| {
            // SAFETY: elements are numbers of at most 64 bits, all of whose bit patterns are values.
            unsafe { (&raw const bits).cast::<T>().read() }
        })
        .collect()
}

/// Loads a tile of images of numbered elements, and compares all of the room for it.
fn load<K: TileShape, S: Placed>(images: &Images, from: &[i32])
where
    K::Coordinates: for<'a> TryFrom<&'a [i32]>,
    K::Index: for<'a> TryFrom<&'a [usize]>,
{
    let index = |numbers: &[usize]| K::Index::try_from(numbers).ok().unwrap();
    let size = size_of::<K::Element>();
    let x = numbered::<K::Element>(1 - MARGIN as i64, images.len() + 2 * MARGIN);
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let options = TensorOptions::<K>::new().strides(index(&images.strides)).fill(Fill::Zero);
    let what = format!("{}, {images:?} from {from:?}", core::any::type_name::<(K, S)>());
    println!("{what}");
    let tensor = device_x.slice(MARGIN..MARGIN + images.len());
    let map = ptyx::TensorMap::<K, S>::with(tensor, index(&images.size), &options);
    let map = map.unwrap_or_else(|error| panic!("the driver refuses the map: {error}"));
    let at = K::Coordinates::try_from(from).ok().unwrap();
    let (found, is_complete) =
        peeked(&map, at).unwrap_or_else(|error| panic!("the load fails: {error}"));
    let (mut wanted, x) = (vec![UNTOUCHED; found.len()], bytes(&x[MARGIN..]));
    for (number, index) in order(&sides::<K>()).iter().enumerate() {
        let element = &mut wanted[swizzled(number * size, S::SWIZZLE.width())..][..size];
        match images.place(from, index) {
            Some(place) => element.copy_from_slice(&x[place * size..][..size]),
            None => element.fill(0),
        }
    }
    let touched = found.chunks(UNIT).filter(|unit| unit.iter().any(|&b| b != UNTOUCHED)).count();
    assert!(
        is_complete && found == wanted,
        "{touched} units were written, {} expected; {}\n{}",
        Tile::<K, S>::BYTES as usize / UNIT,
        if is_complete { "the phase is complete" } else { "THE PHASE IS NOT COMPLETE" },
        differences(&found, &wanted, size)
    );
}

/// Stores a tile of numbered elements, or adds it, and compares all of memory.
fn store<K: TileShape, S: Placed>(
    images: &Images,
    to: &[i32],
    launch: impl FnOnce(
        &mut ptyx::TensorMapMut<'_, K, S>,
        K::Coordinates,
        &DeviceBuffer<u8>,
    ) -> ptyx::Result<()>,
) where
    K::Coordinates: for<'a> TryFrom<&'a [i32]>,
    K::Index: for<'a> TryFrom<&'a [usize]>,
{
    let index = |numbers: &[usize]| K::Index::try_from(numbers).ok().unwrap();
    let size = size_of::<K::Element>();
    let tile = bytes(&numbered::<K::Element>(1, size_of::<K>() / size));
    let device_tile = DeviceBuffer::from_slice(&tile).unwrap();
    let zeros = vec![K::Element::ZERO; images.len() + 2 * MARGIN];
    let mut y = DeviceBuffer::from_slice(&zeros).unwrap();
    let options = TensorOptions::<K>::new().strides(index(&images.strides));
    let what = format!("{}, {images:?} to {to:?}", core::any::type_name::<(K, S)>());
    println!("{what}");
    let tensor = y.slice_mut(MARGIN..MARGIN + images.len());
    let map = ptyx::TensorMapMut::<K, S>::with(tensor, index(&images.size), &options);
    let mut map = map.unwrap_or_else(|error| panic!("the driver refuses the map: {error}"));
    launch(&mut map, K::Coordinates::try_from(to).ok().unwrap(), &device_tile)
        .unwrap_or_else(|error| panic!("the launch fails: {error}"));
    let found = y.to_vec().unwrap_or_else(|error| panic!("the store fails: {error}"));
    let mut wanted = vec![0; zeros.len() * size];
    for (number, index) in order(&sides::<K>()).iter().enumerate() {
        let offset = swizzled(number * size, S::SWIZZLE.width());
        if let Some(place) = images.place(to, index) {
            let place = (MARGIN + place) * size;
            wanted[place..][..size].copy_from_slice(&tile[offset..][..size]);
        }
    }
    let (found, first) = (bytes(&found), MARGIN * size / UNIT);
    assert!(
        found == wanted,
        "the tensor begins at unit {first}\n{}",
        differences(&found, &wanted, size)
    );
}

/// Zero, of any type.
pub(super) trait Zero {
    const ZERO: Self;
}

impl<T: Element> Zero for T {
    // SAFETY: elements are numbers; zero is a value.
    const ZERO: T = unsafe { core::mem::zeroed() };
}

/// Images with gaps between rows, slices and images.
fn apart(size: &[usize], slice: usize) -> Images {
    Images::new(size, slice, || 2)
}

macro_rules! probes {
    ($($(#[$doc:meta])* $name:ident => $body:expr;)*) => {$(
        $(#[$doc])*
        #[test]
        fn $name() {
            alone(concat!("interleave::probes::", stringify!($name)), || {
                if device_has_them() {
                    $body
                }
            });
        }
    )*};
}

/// A slice of 8 channels of 2 x 8 pixels.
type Pixels = [[[[u16; 8]; 2]; 8]; 1];
/// 2 KiB, in which each swizzle repeats.
type Large = [[[[u16; 16]; 8]; 8]; 1];

/// Two images of three slices of 8 channels and 3 x 9 pixels.
fn three_slices() -> Images {
    apart(&[2, 3, 3, 9], 8)
}

probes! {
    /// Is a slice what a box of 1 brings, too? The boxes before had 3 to 256, but for one.
    probe_one_slice => load::<Pixels, Interleaved16>(&three_slices(), &[0, 0, 0, 0]);

    probe_second_slice => load::<Pixels, Interleaved16>(&three_slices(), &[1, 1, 0, 0]);

    /// Does it lie inside of the bounds?
    probe_last_slice => load::<Pixels, Interleaved16>(&three_slices(), &[1, 2, 1, 1]);

    /// Does the one behind it lie outside?
    probe_slices_outside => load::<Pixels, Interleaved16>(&three_slices(), &[0, 3, 0, 0]);

    probe_negative_slices => load::<Pixels, Interleaved16>(&three_slices(), &[1, -1, 0, 0]);

    probe_rows_and_columns_outside => {
        load::<Pixels, Interleaved16>(&three_slices(), &[1, 1, 2, 5]);
    };

    probe_rows_and_columns_before => {
        load::<Pixels, Interleaved16>(&three_slices(), &[1, 2, -1, -3]);
    };

    probe_images_outside => {
        load::<[[[[u16; 8]; 2]; 8]; 3], Interleaved16>(&three_slices(), &[-1, 1, 0, 0]);
    };

    probe_three_dimensions => {
        load::<[[[u16; 8]; 8]; 2], Interleaved16>(&apart(&[3, 3, 9], 8), &[1, 2, 1]);
    };

    probe_five_dimensions => {
        type Volume = [[[[[u16; 8]; 2]; 2]; 8]; 2];
        load::<Volume, Interleaved16>(&apart(&[2, 3, 3, 3, 9], 8), &[0, 1, 1, 0, 1]);
    };

    probe_u8 => {
        load::<[[[[u8; 16]; 2]; 16]; 1], Interleaved16>(&apart(&[1, 3, 3, 17], 16), &[0, 1, 0, 0]);
    };

    probe_f32 => {
        load::<[[[[f32; 4]; 4]; 4]; 1], Interleaved16>(&apart(&[1, 3, 5, 9], 4), &[0, 2, 0, 0]);
    };

    probe_f64 => {
        load::<[[[[f64; 2]; 4]; 2]; 1], Interleaved16>(&apart(&[1, 3, 5, 9], 2), &[0, 1, 0, 0]);
    };

    probe_swizzle_32 => {
        load::<Large, Interleaved16<B32>>(&apart(&[1, 3, 9, 17], 8), &[0, 1, 0, 0]);
    };

    probe_swizzle_64 => {
        load::<Large, Interleaved16<B64>>(&apart(&[1, 3, 9, 17], 8), &[0, 1, 0, 0]);
    };

    probe_swizzle_128 => {
        load::<Large, Interleaved16<B128>>(&apart(&[1, 3, 9, 17], 8), &[0, 1, 0, 0]);
    };

    probe_slices_of_32_bytes => {
        load::<[[[[u16; 16]; 4]; 16]; 1], Interleaved32>(&apart(&[2, 3, 5, 17], 16), &[1, 1, 0, 0]);
    };

    probe_slices_of_32_bytes_outside => {
        load::<[[[[f32; 8]; 4]; 8]; 1], Interleaved32>(&apart(&[2, 3, 5, 9], 8), &[1, 2, -1, 3]);
    };

    probe_stores => stored::<Pixels, Interleaved16>(&three_slices(), &[1, 1, 0, 0]);

    probe_stores_outside => stored::<Pixels, Interleaved16>(&three_slices(), &[0, 2, 2, 5]);

    /// Is nothing stored?
    probe_stores_of_slices_outside => {
        stored::<Pixels, Interleaved16>(&three_slices(), &[0, 3, 0, 0]);
    };

    probe_stores_with_a_swizzle => {
        stored::<Large, Interleaved16<B128>>(&apart(&[1, 3, 9, 17], 8), &[0, 1, 1, 1]);
    };

    probe_stores_of_slices_of_32_bytes => {
        type Pixels = [[[[u16; 8]; 2]; 16]; 2];
        stored::<Pixels, Interleaved32>(&apart(&[2, 3, 3, 9], 16), &[0, 1, 1, 1]);
    };

    probe_stores_in_five_dimensions => {
        type Volume = [[[[[u16; 8]; 2]; 2]; 8]; 1];
        stored::<Volume, Interleaved16>(&apart(&[2, 3, 3, 3, 9], 8), &[1, 1, 1, 0, 1]);
    };

    probe_reductions => {
        type Pixels = [[[[u32; 8]; 2]; 4]; 1];
        added::<Pixels, Interleaved16, Add>(&apart(&[2, 3, 3, 9], 4), &[1, 2, 1, 0]);
    };

    probe_reductions_outside => {
        type Pixels = [[[[u32; 8]; 2]; 4]; 1];
        added::<Pixels, Interleaved16, Add>(&apart(&[2, 3, 3, 9], 4), &[0, 3, 0, 0]);
    };
}

/// A store of numbered elements.
fn stored<K: TileShape, S: Placed>(images: &Images, to: &[i32])
where
    K::Coordinates: for<'a> TryFrom<&'a [i32]>,
    K::Index: for<'a> TryFrom<&'a [usize]>,
{
    store::<K, S>(images, to, |map, at, tile| launch!(push::<K, S><<<1, 64>>>(map, at, tile)));
}

/// The sum of zeros and numbered elements.
fn added<K: TileShape, S: Placed, R: Reduction<K::Element> + Copy + Send + 'static>(
    images: &Images,
    to: &[i32],
) where
    K::Coordinates: for<'a> TryFrom<&'a [i32]>,
    K::Index: for<'a> TryFrom<&'a [usize]>,
{
    let none: [R; 0] = [];
    store::<K, S>(
        images,
        to,
        |map, at, tile| launch!(combine::<K, S, R><<<1, 64>>>(map, at, tile, none)),
    );
}
