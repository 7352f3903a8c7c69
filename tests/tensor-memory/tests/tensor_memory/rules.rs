//! What tensor maps can't be made of.

use ptyx::device::wgmma::Unswizzled;
use ptyx::{DeviceBuffer, Error, Fill, TensorMap, TensorOptions, TensorRule};
use ptyx_tensor_memory_tests::device_has_them;

type Shape = [[u32; 8]; 64];

/// The rule that a tensor breaks.
fn broken(size: [usize; 2], options: TensorOptions<Shape>, from: usize) -> TensorRule {
    let x = DeviceBuffer::<u32>::zeroed(1000).unwrap();
    match TensorMap::<Shape, Unswizzled>::with(x.slice(from..), size, &options) {
        Err(Error::TensorMap(rule)) => rule,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_rule_has_its_error() {
    if !device_has_them() {
        return;
    }
    let plain = TensorOptions::new;
    for (rule, want) in [
        (broken([10, 0], plain(), 0), TensorRule::Size { dimension: 1, size: 0 }),
        (
            broken([(1 << 32) + 1, 4], plain(), 0),
            TensorRule::Size { dimension: 0, size: (1 << 32) + 1 },
        ),
        (broken([10, 3], plain(), 0), TensorRule::Stride { dimension: 0, bytes: 12 }),
        (
            broken([1, 4], plain().strides([1 << 38, 1]), 0),
            TensorRule::Stride { dimension: 0, bytes: 1 << 40 },
        ),
        (broken([10, 4], plain().strides([8, 2]), 0), TensorRule::InnerStride { stride: 2 }),
        (broken([250, 4], plain(), 4), TensorRule::Length { needed: 1000, len: 996 }),
        (
            broken([11, 4], plain().strides([100, 1]), 0),
            TensorRule::Length { needed: 1004, len: 1000 },
        ),
        (broken([10, 4], plain().steps([9, 1]), 0), TensorRule::Step { dimension: 0, step: 9 }),
        (broken([10, 4], plain().steps([1, 2]), 0), TensorRule::Step { dimension: 1, step: 2 }),
        (
            broken([10, 4], plain().steps([5, 1]), 0),
            TensorRule::Side { dimension: 0, side: 64, step: 5 },
        ),
        (broken([10, 4], plain().fill(Fill::Nan), 0), TensorRule::Fill),
    ] {
        assert_eq!(rule, want);
        assert!(!rule.to_string().is_empty());
    }
    let mut y = DeviceBuffer::<u32>::zeroed(1000).unwrap();
    let narrow = ptyx::TensorMapMut::<Shape>::with(&mut y, [10, 5], &plain().strides([8, 1]));
    assert!(matches!(narrow, Err(Error::TensorMap(TensorRule::Row { bytes: 20 }))), "{narrow:?}");
    let rule = broken([10, 4], plain(), 1);
    assert!(matches!(rule, TensorRule::Address { address } if address % 16 == 4), "{rule}");
    let text = Error::TensorMap(TensorRule::Stride { dimension: 0, bytes: 12 }).to_string();
    assert!(text.contains("the stride of dimension 0 is 12 bytes: it must be a multiple of 16"));
}
