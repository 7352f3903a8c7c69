//! Limits of memory, and who can access that of pools.

use ptyx::prelude::*;
use ptyx::{Error, MemoryLimit, MemoryPool, PitchedBuffer};
use ptyx_memory_tests::alone_with;

const MIB: usize = 1 << 20;

/// Runs `body` in a process with a memory limit.
fn with_limit(name: &str, limit: &str, body: impl FnOnce()) {
    alone_with(name, &[("PTYX_DEVICE", "emulator"), ("PTYX_MEMORY_LIMIT", limit)], body);
}

#[test]
fn buffers_stay_within_the_environments_limit() {
    with_limit("limits::buffers_stay_within_the_environments_limit", " 64 MiB", || {
        let first = DeviceBuffer::<u8>::zeroed(40 * MIB).unwrap();
        match PitchedBuffer::<u8>::zeroed([40, MIB]) {
            Err(Error::OutOfMemory { bytes, free, total }) => {
                assert_eq!((bytes, free, total), (40 * MIB, 24 * MIB, 64 * MIB));
            }
            other => panic!("{other:?}"),
        }
        // Another pool has a limit of its own.
        let (device, stream) = (Device::current().unwrap(), Stream::new().unwrap());
        let pool = MemoryPool::new(&device, MemoryLimit::None).unwrap();
        DeviceBuffer::<u8>::zeroed_in(70 * MIB, &pool, &stream).unwrap();
        drop(first);
        let second = DeviceBuffer::<u8>::zeroed(60 * MIB).unwrap();
        assert!(second.slice(60 * MIB - 2..).to_vec().unwrap() == [0, 0]);
        // The program chooses another one.
        pool.make_current().unwrap();
        DeviceBuffer::<u8>::zeroed(80 * MIB).unwrap();
    });
}

#[test]
fn a_share_of_the_memory_is_a_limit() {
    with_limit("limits::a_share_of_the_memory_is_a_limit", "10%", || {
        let total = Device::current().unwrap().total_memory().unwrap();
        let small = DeviceBuffer::<u8>::zeroed(MIB).unwrap();
        let large = DeviceBuffer::<u8>::zeroed(total / 9);
        assert!(matches!(large, Err(Error::OutOfMemory { .. })), "{large:?}");
        drop(small);
    });
}

#[test]
fn a_limit_that_is_none() {
    with_limit("limits::a_limit_that_is_none", "much", || {
        let wrong = DeviceBuffer::<u8>::zeroed(1).unwrap_err().to_string();
        assert!(wrong.starts_with("PTYX_MEMORY_LIMIT is `much`: it must be `none`"), "{wrong}");
    });
}

#[kernel]
fn read(from: *const u32, mut to: Disjoint<u32>) {
    if let Some(to) = to.get_mut(thread::index_1d()) {
        // SAFETY: of the test: it leads to as many numbers, on a device whose memory this one can access.
        *to = unsafe { from.add(thread::index_1d().get()).read() };
    }
}

/// Kernels reach memory of another device's pool once that is allowed.
#[test]
fn pools_can_be_accessed_by_other_devices() {
    let variables = [("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_DEVICES", "2")];
    alone_with("limits::pools_can_be_accessed_by_other_devices", &variables, || {
        let [first, second] = [Device::get(0).unwrap(), Device::get(1).unwrap()];
        let pool = MemoryPool::of_device(&first).unwrap();
        assert!(pool.access(&first).unwrap() && !pool.access(&second).unwrap());
        let there = first.with(|| DeviceBuffer::from_slice(&[3u32; 32])).unwrap();
        first.synchronize().unwrap();
        let address = there.device_address() as *const u32;
        let read_it = || {
            second.with(|| {
                let mut here = DeviceBuffer::<u32>::zeroed(32)?;
                launch!(read<<<1, 32>>>(address, &mut here))?;
                here.to_vec()
            })
        };
        assert!(matches!(read_it(), Err(Error::Fault { .. })));
        pool.set_access(&second, true).unwrap();
        assert!(pool.access(&second).unwrap());
        assert_eq!(read_it().unwrap(), [3; 32]);
        pool.set_access(&second, false).unwrap();
        assert!(!pool.access(&second).unwrap());
        assert!(matches!(read_it(), Err(Error::Fault { .. })));
        assert!(pool.set_access(&first, false).is_err());
    });
}
