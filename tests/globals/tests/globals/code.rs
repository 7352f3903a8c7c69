//! What kernels that use statics become.

use ptyx::prelude::*;
use ptyx::{Constant, Global};
use ptyx_test_support::images;

#[device_static]
static TAPS: Constant<[f32; 8]> = Constant::new([1.0; 8]);

#[device_static]
static COUNT: Global<[Atomic<u32>; 8]> = Global::zeroed();

#[kernel]
fn filter(x: &[f32], mut y: Disjoint<f32>) {
    let index = thread::index_1d();
    if let (Some(y), Some(x)) = (y.get_mut(index), x.get(index.get()..)) {
        *y = x.iter().zip(TAPS.iter()).map(|(x, tap)| x * tap).sum();
        COUNT[index.get() % 8].fetch_add(1);
    }
}

/// Constants are read from constant memory, globals by instructions for global memory, and a kernel that uses
/// nothing else follows no pointer that a launch would have to wait for.
#[test]
fn state_spaces_are_known() {
    let x = DeviceBuffer::filled(32, 2.0f32).unwrap();
    let mut y = DeviceBuffer::<f32>::zeroed(32).unwrap();
    launch!(filter<<<1, 32>>>(&x, &mut y)).unwrap();
    let want: Vec<f32> = (0..32).map(|i| 2.0 * (32 - i).min(8) as f32).collect();
    assert_eq!(y.to_vec().unwrap(), want);
    assert_eq!(COUNT.get().unwrap(), [4; 8]);

    let ptx = images::entry("code::filter");
    assert!(images::count(&ptx, "ld.const.") > 0, "{ptx}");
    assert!(ptx.contains("red.") || ptx.contains("atom."), "{ptx}");
    for generic in ["atom.add", "red.add", "atom.relaxed.gpu.add", "red.relaxed.gpu.add"] {
        assert_eq!(images::count(&ptx, generic), 0, "{ptx}");
    }
    let module = images::module("code::filter");
    assert!(module.contains("_TAPS[32]"), "{module}");
    let code = images::images().iter().flat_map(|image| {
        image.kernels.iter().filter(|kernel| kernel.name.ends_with("code::filter"))
    });
    for code in code.flat_map(|kernel| &kernel.code) {
        assert!(!code.follows_pointers);
    }
}

/// All kernels of these tests, by the vendor's assembler.
#[test]
fn the_assembler_takes_the_modules() {
    let Some(ptxas) = images::assembler() else { return };
    let modules = images::assemble_modules(&ptxas);
    assert!(modules > 5, "{modules} modules: the images are missing");
}
