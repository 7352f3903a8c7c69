//! What interleaved layouts can't be made of.

use ptyx::device::tma::{Interleaved16, Interleaved32, Placed, TensorMap, TileShape};
use ptyx::prelude::*;
use ptyx::{Error, TensorOptions, TensorRule};
use ptyx_tensor_memory_tests::{alone, device_has_them};

type Pixels = [[[[u16; 8]; 2]; 8]; 1];
type Wide = [[[[u16; 8]; 2]; 16]; 1];

/// The rule that images break.
fn broken<K: TileShape<Element = u16>, S: Placed>(
    size: K::Index,
    options: TensorOptions<K>,
    from: usize,
) -> TensorRule {
    let x = DeviceBuffer::<u16>::zeroed(4096).unwrap();
    match ptyx::TensorMap::<K, S>::with(x.slice(from..), size, &options) {
        Err(Error::TensorMap(rule)) => rule,
        other => panic!("{other:?}"),
    }
}

#[test]
fn rules_of_interleaved_layouts() {
    if !device_has_them() {
        return;
    }
    let plain = TensorOptions::<Pixels>::new;
    let b16 = broken::<Pixels, Interleaved16>;
    let wide = TensorOptions::<Wide>::new;
    let b32 = broken::<Wide, Interleaved32>;
    // 2 images of 3 slices of 3 x 4 pixels.
    let size = [2, 3, 3, 4];
    for (rule, want) in [
        (
            b16(size, plain().strides([288, 96, 32, 1]), 0),
            TensorRule::ColumnStride { stride: 1, channels: 8 },
        ),
        (
            b32(size, wide().strides([576, 192, 64, 8]), 0),
            TensorRule::ColumnStride { stride: 8, channels: 16 },
        ),
        (
            b16(size, plain().strides([288, 96, 36, 8]), 0),
            TensorRule::Stride { dimension: 2, bytes: 72 },
        ),
        (
            b32(size, wide().strides([600, 200, 64, 16]), 0),
            TensorRule::SliceStride { dimension: 1, bytes: 400 },
        ),
        (
            b16(size, plain().strides([1 << 39, 96, 32, 8]), 0),
            TensorRule::Stride { dimension: 0, bytes: 1 << 40 },
        ),
        (b16(size, plain().steps([1, 9, 1, 1]), 0), TensorRule::Step { dimension: 1, step: 9 }),
        (b16(size, plain().steps([1, 1, 1, 9]), 0), TensorRule::Step { dimension: 3, step: 9 }),
        (b16([2, 0, 3, 4], plain(), 0), TensorRule::Size { dimension: 1, size: 0 }),
        (b16([8, 5, 8, 13], plain(), 0), TensorRule::Length { needed: 8 * 5 * 104 * 8, len: 4096 }),
        (
            b16(size, plain().strides([4000, 96, 32, 8]), 0),
            TensorRule::Length { needed: 4000 + 3 * 96, len: 4096 },
        ),
    ] {
        assert_eq!(rule, want);
        assert!(!rule.to_string().is_empty());
    }
    let rule = b32(size, wide(), 8);
    assert!(matches!(rule, TensorRule::SliceAddress { address } if address % 32 == 16), "{rule}");
    let rule = b16(size, plain(), 4);
    assert!(matches!(rule, TensorRule::Address { address } if address % 16 == 8), "{rule}");

    let mut y = DeviceBuffer::<u16>::zeroed(4096).unwrap();
    // Columns need not be a multiple of anything.
    let map = ptyx::TensorMapMut::<Pixels, Interleaved16>::new(&mut y, [2, 3, 3, 5]).unwrap();
    assert_eq!(
        format!("{map:?}"),
        "TensorMapMut([[[[u16; 8]; 2]; 8]; 1], None, slices of 16 bytes)"
    );
}

#[kernel]
fn announce(x: TensorMap<Pixels, Interleaved16>, at: [i32; 4]) {
    if thread::rank() == 0 {
        x.prefetch_l2(at);
    }
}

#[test]
fn hints_may_begin_anywhere() {
    alone("interleave::rules::hints_may_begin_anywhere", || {
        if !device_has_them() {
            return;
        }
        let x = DeviceBuffer::<u16>::zeroed(4 * 9 * 9 * 8).unwrap();
        let map = ptyx::TensorMap::<Pixels, Interleaved16>::new(&x, [1, 4, 9, 9]).unwrap();
        for at in [[0, 0, 0, 0], [0, 1, 3, 5], [-1, -3, -2, -3], [9, 80, 50, 71]] {
            launch!(announce<<<1, 32>>>(&map, at)).unwrap();
            Stream::default().unwrap().synchronize().unwrap();
        }
    });
}
