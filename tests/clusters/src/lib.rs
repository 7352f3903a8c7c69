//! What the tests of clusters share.

pub use ptyx_test_support::{Rng, alone, alone_with, images, rng};

/// Whether the device has clusters; says so if not.
pub fn device_has_clusters() -> bool {
    let device = ptyx::Device::current().expect("a device");
    let has = device.attributes().expect("its attributes").cluster_launch;
    if !has {
        println!("skipped: the device has no clusters");
    }
    has
}
