//! Questions to hardware about columns of pixels in interleaved layouts, one each. By 2026-11-27 none had been asked.
//!
//! The elements are numbered, from 1 on, and there are others around the images: a failure says where each unit of 16 bytes
//! came from, or went.

use super::columns::{loaded, peeked, pixels_of, pushed, stored};
use super::probes::{MARGIN, UNIT, Zero, differences, numbered};
use super::{ROOM, UNTOUCHED};
use ptyx::device::tma::{Interleaved16, Interleaved32, Placed, Tile, TileShape};
use ptyx::device::wgmma::{B32, B64, B128};
use ptyx::prelude::*;
use ptyx_tensor_memory_tests::columns::Column;
use ptyx_tensor_memory_tests::{alone, bytes, device_has_them};

/// All pixels of images, from the first one of an image and a slice on.
fn all(size: &[usize], slice: usize, image: i32, number: i32) -> Column {
    let count = size.len() - 2;
    let mut from = vec![image, number];
    from.resize(size.len(), 0);
    let (lower, upper) = (vec![0; count], vec![0; count]);
    let (steps, offsets) = (vec![1; count], vec![0; count]);
    Column { size: size.to_vec(), slice, lower, upper, steps, from, offsets }
}

/// Two images of three slices of 8 channels and 5 x 7 pixels.
fn images(image: i32, slice: i32) -> Column {
    all(&[2, 3, 5, 7], 8, image, slice)
}

/// The same for a filter of 3x3 with a padding of 1, whose element is at `offsets`, from this pixel on.
fn filtered(slice: i32, pixel: [i32; 2], offsets: [u16; 2]) -> Column {
    let mut column = images(0, slice);
    (column.lower, column.upper) = (vec![-1; 2], vec![-1; 2]);
    column.from[2..].copy_from_slice(&pixel);
    column.offsets = offsets.to_vec();
    column
}

/// Loads a column, and compares all of the room for it.
fn load<K: TileShape, const D: usize, const N: usize, S: Placed>(column: &Column) {
    let size = size_of::<K::Element>();
    println!("{}, {column:?}", core::any::type_name::<(K, S)>());
    let x = numbered::<K::Element>(1 - MARGIN as i64, column.len() + 2 * MARGIN);
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let tensor = device_x.slice(MARGIN..MARGIN + column.len());
    let all: [usize; D] = column.size[..].try_into().unwrap();
    let map = ptyx::Im2colMap::<K, D, S>::new(tensor, all, &pixels_of::<N>(column))
        .unwrap_or_else(|error| panic!("the driver refuses the map: {error}"));
    let (found, is_complete) = peeked::<K, D, N, S>(&map, column)
        .unwrap_or_else(|error| panic!("the load fails: {error}"));
    let mut wanted = loaded::<K, S>(column, &bytes(&x[MARGIN..]));
    wanted.resize(ROOM * size_of::<Tile<K, S>>(), UNTOUCHED);
    let touched = found.chunks(UNIT).filter(|unit| unit.iter().any(|&b| b != UNTOUCHED)).count();
    assert!(
        is_complete && found == wanted,
        "{touched} units were written, {} expected; {}\n{}",
        Tile::<K, S>::BYTES as usize / UNIT,
        if is_complete { "the phase is complete" } else { "THE PHASE IS NOT COMPLETE" },
        differences(&found, &wanted, size)
    );
}

/// Stores a column of numbered elements, and compares all of memory.
fn store<K: TileShape, const D: usize, const N: usize, S: Placed>(column: &Column) {
    let size = size_of::<K::Element>();
    println!("{}, {column:?}", core::any::type_name::<(K, S)>());
    let tile = bytes(&numbered::<K::Element>(1, size_of::<K>() / size));
    let zeros = vec![K::Element::ZERO; column.len() + 2 * MARGIN];
    let mut y = DeviceBuffer::from_slice(&zeros).unwrap();
    let tensor = y.slice_mut(MARGIN..MARGIN + column.len());
    let all: [usize; D] = column.size[..].try_into().unwrap();
    let mut map = ptyx::Im2colMapMut::<K, D, S>::new(tensor, all, &pixels_of::<N>(column))
        .unwrap_or_else(|error| panic!("the driver refuses the map: {error}"));
    pushed::<K, D, N, S>(&mut map, column, &tile)
        .unwrap_or_else(|error| panic!("the launch fails: {error}"));
    let found = y.to_vec().unwrap_or_else(|error| panic!("the store fails: {error}"));
    let mut wanted = vec![0; zeros.len() * size];
    stored::<K, S>(column, &tile, size, &mut wanted[MARGIN * size..], |old, new| {
        old.copy_from_slice(new);
    });
    let (found, first) = (bytes(&found), MARGIN * size / UNIT);
    assert!(
        found == wanted,
        "the images begin at unit {first}\n{}",
        differences(&found, &wanted, size)
    );
}

macro_rules! probes {
    ($($(#[$doc:meta])* $name:ident => $body:expr;)*) => {$(
        $(#[$doc])*
        #[test]
        fn $name() {
            alone(concat!("interleave::column_probes::", stringify!($name)), || {
                if device_has_them() {
                    $body
                }
            });
        }
    )*};
}

type Pixels = [[u16; 8]; 16];
type Wide = [[u16; 16]; 16];

probes! {
    /// Does the driver take such a map, and does a column of the first slice arrive, with one slice for each pixel?
    probe_first_slice => load::<Pixels, 4, 2, Interleaved16>(&images(0, 0));

    /// Does the second coordinate count slices?
    probe_second_slice => load::<Pixels, 4, 2, Interleaved16>(&images(1, 1));

    /// Does the slice behind the last one lie outside?
    probe_slices_outside => load::<Pixels, 4, 2, Interleaved16>(&images(0, 3));

    probe_negative_slices => load::<Pixels, 4, 2, Interleaved16>(&images(1, -1));

    /// Does the column go on with the same slice of the next image?
    probe_next_image => {
        let mut column = images(0, 1);
        column.from[2..].copy_from_slice(&[3, 5]);
        load::<Pixels, 4, 2, Interleaved16>(&column);
    };

    /// Are images behind the last one zeros?
    probe_images_outside => {
        let mut column = images(1, 2);
        column.from[2..].copy_from_slice(&[4, 0]);
        load::<Pixels, 4, 2, Interleaved16>(&column);
    };

    /// Do corners and offsets count rows and columns in this order?
    probe_offsets_of_rows => load::<Pixels, 4, 2, Interleaved16>(&filtered(1, [1, 2], [2, 0]));

    probe_offsets_of_columns => load::<Pixels, 4, 2, Interleaved16>(&filtered(1, [1, 2], [0, 2]));

    probe_padding_before => load::<Pixels, 4, 2, Interleaved16>(&filtered(2, [-1, -1], [0, 0]));

    probe_padding_behind => load::<Pixels, 4, 2, Interleaved16>(&filtered(0, [3, 4], [2, 2]));

    /// Is the box's lower corner another one along rows than along columns?
    probe_corners => {
        let mut column = images(0, 1);
        (column.lower, column.upper) = (vec![1, -2], vec![-1, -3]);
        column.from[2..].copy_from_slice(&[1, -2]);
        load::<Pixels, 4, 2, Interleaved16>(&column);
    };

    probe_steps_along_rows => {
        let mut column = images(0, 1);
        column.steps = vec![2, 1];
        load::<Pixels, 4, 2, Interleaved16>(&column);
    };

    /// Columns are the first dimension, whose step other layouts don't have.
    probe_steps_along_columns => {
        let mut column = images(0, 1);
        column.steps = vec![1, 3];
        load::<Pixels, 4, 2, Interleaved16>(&column);
    };

    probe_three_dimensions => load::<Pixels, 3, 1, Interleaved16>(&all(&[3, 3, 7], 8, 0, 2));

    probe_five_dimensions => {
        load::<[[u16; 8]; 40], 5, 3, Interleaved16>(&all(&[2, 3, 2, 4, 5], 8, 0, 1));
    };

    probe_u8 => load::<[[u8; 16]; 16], 4, 2, Interleaved16>(&all(&[2, 3, 3, 7], 16, 0, 1));

    probe_f32 => load::<[[f32; 4]; 20], 4, 2, Interleaved16>(&all(&[2, 3, 3, 7], 4, 0, 1));

    probe_f64 => load::<[[f64; 2]; 20], 4, 2, Interleaved16>(&all(&[2, 3, 3, 7], 2, 0, 1));

    probe_swizzle_32 => {
        load::<[[u16; 8]; 64], 4, 2, Interleaved16<B32>>(&all(&[2, 2, 6, 7], 8, 0, 1));
    };

    probe_swizzle_64 => {
        load::<[[u16; 8]; 64], 4, 2, Interleaved16<B64>>(&all(&[2, 2, 6, 7], 8, 0, 1));
    };

    probe_swizzle_128 => {
        load::<[[u16; 8]; 64], 4, 2, Interleaved16<B128>>(&all(&[2, 2, 6, 7], 8, 0, 1));
    };

    probe_slices_of_32_bytes => load::<Wide, 4, 2, Interleaved32>(&all(&[2, 3, 3, 7], 16, 0, 1));

    probe_stores => store::<Pixels, 4, 2, Interleaved16>(&images(1, 1));

    probe_stores_into_the_next_image => {
        let mut column = images(0, 1);
        column.from[2..].copy_from_slice(&[3, 5]);
        store::<Pixels, 4, 2, Interleaved16>(&column);
    };

    /// Is nothing stored?
    probe_stores_of_slices_outside => store::<Pixels, 4, 2, Interleaved16>(&images(0, 3));

    probe_stores_of_slices_of_32_bytes => {
        store::<Wide, 4, 2, Interleaved32>(&all(&[2, 3, 3, 7], 16, 0, 1));
    };
}
