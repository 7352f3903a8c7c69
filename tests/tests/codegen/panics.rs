//! Panics: each is a number and a few words, whatever it shows. A call would cost a kernel registers.

use ptyx::prelude::*;
use ptyx_tests::images::{count, entry, panics};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    #[expect(dead_code, reason = "no test makes one")]
    Nothing,
    Circle(u32),
    Box {
        width: u32,
        height: u32,
    },
}

/// What is shown depends on branches: nine pairs of shapes, and an option.
#[kernel]
fn shows_enums(shapes: [Shape; 2], widths: &[u32]) {
    let [left, right] = shapes;
    assert_eq!(left, right, "of {}", widths.len());
    if let Some(&first) = widths.first() {
        assert_eq!(widths.iter().copied().find(|&width| width > first), Some(first + 1));
    }
}

#[test]
fn panics_that_show_enums_are_numbers() {
    let widths = DeviceBuffer::from_slice(&[1, 2u32]).unwrap();
    let shape = Shape::Box { width: 3, height: 4 };
    launch!(shows_enums<<<1, 1>>>([shape, shape], &widths)).unwrap();
    assert_eq!(ptyx::synchronize().map_err(|e| e.to_string()), Ok(()));
    let wrong = [shape, Shape::Circle(7)];
    launch!(shows_enums<<<1, 1>>>(wrong, &widths)).unwrap();
    let shown = ptyx::synchronize().unwrap_err().to_string();
    let message = format!(
        "assertion `left == right` failed: of 2\n  left: {shape:?}\n right: {:?}",
        wrong[1]
    );
    assert!(shown.contains(&message), "{shown}");

    let ptx = entry("panics::shows_enums");
    assert_eq!(count(&ptx, "call"), 0, "{ptx}");
    // Three times three shapes, and two options.
    let sites = panics("panics::shows_enums");
    assert!(sites.len() >= 11, "{sites:#?}");
}
