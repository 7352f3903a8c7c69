//! What interleaved layouts can't be made of, and where copies can't begin.

use super::peeked;
use ptyx::device::tma::{Interleaved16, Interleaved32, Placed, TensorMap, TileShape};
use ptyx::prelude::*;
use ptyx::{Error, TensorOptions, TensorRule};
use ptyx_tensor_memory_tests::{alone, device_has_them};

type Pixels = [[[[u16; 8]; 2]; 16]; 1];

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
    let b32 = broken::<Pixels, Interleaved32>;
    // 2 images of 20 channels and 3 x 4 pixels: 3 slices of 8, or 2 of 16.
    let size = [2, 20, 3, 4];
    for (rule, want) in [
        (
            b16(size, plain().strides([288, 96, 32, 1]), 0),
            TensorRule::ColumnStride { stride: 1, channels: 8 },
        ),
        (
            b32(size, plain().strides([384, 192, 64, 8]), 0),
            TensorRule::ColumnStride { stride: 8, channels: 16 },
        ),
        (
            b16(size, plain().strides([288, 96, 36, 8]), 0),
            TensorRule::Stride { dimension: 2, bytes: 72 },
        ),
        (
            b32(size, plain().strides([400, 200, 64, 16]), 0),
            TensorRule::SliceStride { dimension: 1, bytes: 400 },
        ),
        (
            b16(size, plain().strides([1 << 39, 96, 32, 8]), 0),
            TensorRule::Stride { dimension: 0, bytes: 1 << 40 },
        ),
        (b16(size, plain().steps([1, 2, 1, 1]), 0), TensorRule::ChannelStep { step: 2 }),
        (b16(size, plain().steps([1, 9, 1, 1]), 0), TensorRule::Step { dimension: 1, step: 9 }),
        (b16(size, plain().steps([1, 1, 1, 9]), 0), TensorRule::Step { dimension: 3, step: 9 }),
        (b16([2, 0, 3, 4], plain(), 0), TensorRule::Size { dimension: 1, size: 0 }),
        // 8 images of 5 whole slices of 104 pixels, and the last one without them all.
        (
            b16([8, 33, 8, 13], plain(), 0),
            TensorRule::Length { needed: 8 * 5 * 104 * 8, len: 4096 },
        ),
        (
            b16([2, 20, 3, 4], plain().strides([4000, 96, 32, 8]), 0),
            TensorRule::Length { needed: 4000 + 3 * 96, len: 4096 },
        ),
    ] {
        assert_eq!(rule, want);
        assert!(!rule.to_string().is_empty());
    }
    let rule = b32(size, plain(), 8);
    assert!(matches!(rule, TensorRule::SliceAddress { address } if address % 32 == 16), "{rule}");
    let rule = b16(size, plain(), 4);
    assert!(matches!(rule, TensorRule::Address { address } if address % 16 == 8), "{rule}");

    let mut y = DeviceBuffer::<u16>::zeroed(4096).unwrap();
    let partial = ptyx::TensorMapMut::<Pixels, Interleaved32>::new(&mut y, [2, 24, 3, 4]);
    let want = TensorRule::PartialSlice { channels: 24, slice: 16 };
    assert!(matches!(partial, Err(Error::TensorMap(rule)) if rule == want), "{partial:?}");
    let text = want.to_string();
    assert!(text.contains("24 channels") && text.contains("a multiple of 16"), "{text}");
    // Columns need not be a multiple of anything.
    let map = ptyx::TensorMapMut::<Pixels, Interleaved16>::new(&mut y, [2, 24, 3, 5]).unwrap();
    assert_eq!(
        format!("{map:?}"),
        "TensorMapMut([[[[u16; 8]; 2]; 16]; 1], None, slices of 16 bytes)"
    );
}

#[kernel]
fn announce(x: TensorMap<Pixels, Interleaved16>, at: [i32; 4]) {
    if thread::rank() == 0 {
        x.prefetch_l2(at);
    }
}

#[test]
fn hints_check_their_channels() {
    alone("interleave::rules::hints_check_their_channels", || {
        if !device_has_them() {
            return;
        }
        let x = DeviceBuffer::<u16>::zeroed(32 * 9 * 9).unwrap();
        let map = ptyx::TensorMap::<Pixels, Interleaved16>::new(&x, [1, 32, 9, 9]).unwrap();
        for at in [[0, 0, 0, 0], [0, 8, 3, 5], [-1, -16, -2, -3], [9, 80, 50, 70]] {
            launch!(announce<<<1, 32>>>(&map, at)).unwrap();
            Stream::default().unwrap().synchronize().unwrap();
        }
        launch!(announce<<<1, 32>>>(&map, [0, 4, 0, 0])).unwrap();
        let error = Stream::default().unwrap().synchronize().unwrap_err().to_string();
        assert!(error.contains("first channel of a slice"), "{error}");
    });
}

/// What hardware does is the question of a probe.
#[test]
fn loads_begin_with_a_slice() {
    alone("interleave::rules::loads_begin_with_a_slice", || {
        if !device_has_them() || !Device::current().unwrap().is_emulated() {
            return;
        }
        let x = DeviceBuffer::<u16>::zeroed(32 * 9 * 9).unwrap();
        let map = ptyx::TensorMap::<Pixels, Interleaved16>::new(&x, [1, 32, 9, 9]).unwrap();
        let error = peeked(&map, [0, -3, 0, 0]).unwrap_err().to_string();
        assert!(error.contains("misaligned") && error.contains("at channel -3"), "{error}");
    });
}
