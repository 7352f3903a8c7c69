//! Tests of memory pools.

use super::*;
use crate::memory::ImportedPool;
use crate::{DeviceBuffer, Stream};
use std::time::{Duration, Instant};

const MIB: usize = 1 << 20;

#[test]
fn limits_are_read() {
    let read = |text: &str| text.parse::<MemoryLimit>();
    assert_eq!(read(" 500 MB ").unwrap(), MemoryLimit::Bytes(500_000_000));
    assert_eq!(read("4096").unwrap(), MemoryLimit::Bytes(4096));
    assert_eq!(read("3KiB").unwrap(), MemoryLimit::Bytes(3072));
    assert_eq!(read("7B").unwrap(), MemoryLimit::Bytes(7));
    assert_eq!(read("100%").unwrap(), MemoryLimit::Percent(100));
    for wrong in ["", "0", "0%", "101%", "-1", "8GiBs", "1.5GiB", "99999999999TiB", "%", "GiB"] {
        let error = read(wrong).unwrap_err().to_string();
        assert!(error.contains(&format!("is `{wrong}`")) && error.contains("`8GiB`"), "{error}");
    }
}

#[test]
fn a_limit_holds_and_freed_memory_counts_again() {
    let (device, stream) = (Device::current().unwrap(), Stream::new().unwrap());
    let pool = MemoryPool::new(&device, MemoryLimit::Bytes(64 * MIB)).unwrap();
    assert_eq!((pool.limit(), pool.device_index()), (Some(64 * MIB), device.index()));
    let first = DeviceBuffer::<u8>::zeroed_in(40 * MIB, &pool, &stream).unwrap();
    let more = || DeviceBuffer::<u8>::zeroed_in(40 * MIB, &pool, &stream);
    match more() {
        Err(Error::OutOfMemory { bytes, free, total }) => {
            assert_eq!((bytes, free, total), (40 * MIB, 24 * MIB, 64 * MIB));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(pool.statistics().unwrap().used, 40 << 20);
    drop(first);
    let second = more().unwrap();
    assert!(second.slice(40 * MIB - 3..).to_vec().unwrap() == [0; 3]);
}

#[test]
fn statistics_have_peaks_that_begin_again() {
    let (device, stream) = (Device::current().unwrap(), Stream::new().unwrap());
    let pool = MemoryPool::new(&device, MemoryLimit::None).unwrap();
    let large = DeviceBuffer::<u32>::zeroed_in(MIB, &pool, &stream).unwrap();
    let small = DeviceBuffer::<u32>::zeroed_in(10, &pool, &stream).unwrap();
    drop(large);
    stream.synchronize().unwrap();
    let statistics = pool.statistics().unwrap();
    assert!((40..4 << 20).contains(&statistics.used), "{statistics:?}");
    assert!(statistics.used_peak >= 4 << 20, "{statistics:?}");
    assert!(
        statistics.reserved >= statistics.used && statistics.reserved_peak >= statistics.reserved
    );
    pool.reset_peaks().unwrap();
    assert_eq!(pool.statistics().unwrap().used_peak, statistics.used);
    assert_eq!(pool.release_threshold().unwrap(), u64::MAX);
    pool.set_release_threshold(0).unwrap();
    assert_eq!(pool.release_threshold().unwrap(), 0);
    pool.trim(0).unwrap();
    assert_eq!(small.to_vec().unwrap(), [0; 10]);
}

/// Whether a pool can be used again.
fn is_retired(handle: CUmemoryPool) -> bool {
    let context = Device::current().unwrap().0;
    lock_retired(context).iter().any(|pool| pool.handle == handle)
}

/// A limit that no other test has, so that no other test takes what was retired.
fn own_limit(mib: usize) -> MemoryLimit {
    MemoryLimit::Bytes(mib * MIB + 1)
}

/// The last buffer retires the pool, on whichever thread and in whichever order.
#[test]
fn a_pool_lives_as_long_as_its_buffers() {
    let (device, stream) = (Device::current().unwrap(), Stream::new().unwrap());
    let make = || {
        let pool = MemoryPool::new(&device, own_limit(70)).unwrap();
        let buffers = [(); 2].map(|()| DeviceBuffer::<u8>::zeroed_in(100, &pool, &stream));
        (pool.pool().handle, pool, buffers.map(Result::unwrap))
    };
    let (handle, pool, [first, second]) = make();
    drop(pool);
    drop(first);
    assert!(!is_retired(handle));
    assert_eq!(second.to_vec().unwrap(), [0; 100]);
    std::thread::spawn(move || drop(second)).join().unwrap();
    assert!(is_retired(handle));
    // The pool's handle last.
    let (handle, pool, buffers) = make();
    drop(buffers);
    assert!(!is_retired(handle));
    drop(pool);
    assert!(is_retired(handle));
    // In a host function, which must not call the driver.
    let (handle, pool, buffers) = make();
    stream.on_host(move || drop((pool, buffers))).unwrap();
    stream.synchronize().unwrap();
    let deadline = Instant::now() + Duration::from_secs(10);
    while !is_retired(handle) {
        assert!(Instant::now() < deadline);
        std::thread::yield_now();
    }
}

#[test]
fn retired_pools_are_used_again() {
    let (device, stream) = (Device::current().unwrap(), Stream::new().unwrap());
    let make = |mib| {
        let pool = MemoryPool::new(&device, own_limit(mib)).unwrap();
        (pool.pool().handle, pool)
    };
    let (handle, pool) = make(71);
    let buffer = DeviceBuffer::<u8>::zeroed_in(MIB, &pool, &stream).unwrap();
    drop((pool, buffer));
    assert!(is_retired(handle));
    // It keeps no memory, also what was freed only after the pool was retired.
    stream.synchronize().unwrap();
    let context = device.0;
    for attribute in [
        CU_MEMPOOL_ATTR_USED_MEM_CURRENT,
        CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT,
        CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
    ] {
        assert_eq!(get(context, handle, attribute).unwrap(), 0, "{attribute}");
    }
    assert_ne!(make(72).0, handle);
    let (again, pool) = make(71);
    assert!(again == handle && !is_retired(handle));
    assert_eq!(pool.release_threshold().unwrap(), u64::MAX);
    let PoolStatistics { used_peak, reserved_peak, .. } = pool.statistics().unwrap();
    assert_eq!((used_peak, reserved_peak), (0, 0));
    let buffer = DeviceBuffer::<u8>::zeroed_in(MIB, &pool, &stream).unwrap();
    assert!(buffer.to_vec().unwrap() == [0; MIB]);
    // Not as long as another library has memory of it.
    let mut address = 0;
    // SAFETY: a valid place, and a pool and a stream that are alive.
    unsafe { context.driver.cuMemAllocFromPoolAsync(&mut address, 100, handle, stream.handle()) }
        .unwrap();
    drop((buffer, pool));
    assert!(is_retired(handle));
    let (other, pool) = make(71);
    assert_ne!(other, handle);
    // SAFETY: nothing uses the memory.
    unsafe { context.driver.cuMemFreeAsync(address, stream.handle()) }.unwrap();
    stream.synchronize().unwrap();
    let (again, _pool) = make(71);
    assert!(again == handle && !is_retired(other));
    drop(pool);
    assert!(is_retired(other));
}

#[test]
fn pools_unlike_new_ones_are_not_used_again() {
    let device = Device::current().unwrap();
    let pool = MemoryPool::new(&device, own_limit(73)).unwrap();
    let changed = pool.pool().handle;
    // No matter that it is an error for the pool's own device.
    let _ = pool.set_access(&device, true);
    drop(pool);
    let pool = MemoryPool::shareable(&device, own_limit(73)).unwrap();
    let shareable = pool.pool().handle;
    let import = ImportedPool::import(pool.export().unwrap(), &device).unwrap();
    let imported = import.0.handle;
    drop((pool, import));
    assert!([changed, shareable, imported].iter().all(|&handle| !is_retired(handle)));
    let new = MemoryPool::new(&device, own_limit(73)).unwrap().pool().handle;
    assert!(![changed, shareable, imported].contains(&new));
}

/// Buffers outlive their pool, and the device falls back to its default one.
#[test]
fn pools_come_and_go() {
    let device = Device::current().unwrap();
    let context = device.0;
    let of_driver = || {
        let mut current = CUmemoryPool::NULL;
        // SAFETY: a valid place.
        unsafe { context.driver.cuDeviceGetMemPool(&mut current, context.device) }.unwrap();
        current
    };
    let pool = MemoryPool::new(&device, MemoryLimit::Percent(50)).unwrap();
    assert_eq!(pool.limit(), Some(device.total_memory().unwrap() / 2));
    assert!(!pool.is_current().unwrap());
    pool.make_current().unwrap();
    let copy = pool.clone();
    assert!(copy == pool && copy.is_current().unwrap());
    assert_eq!(of_driver(), pool.pool().handle);
    let buffer = DeviceBuffer::filled(1000, 7u16).unwrap();
    assert!(pool.statistics().unwrap().used >= 2000);
    drop((pool, copy));
    let default = MemoryPool::of_device(&device).unwrap();
    assert!(default.is_current().unwrap());
    assert_eq!(Some(of_driver()), context.default_pool);
    assert_eq!(buffer.to_vec().unwrap(), [7; 1000]);
    assert_eq!(default, MemoryPool::of_device(&device).unwrap());
    // Only the current one leaves the place to the default one.
    let [first, second] = [(); 2].map(|()| MemoryPool::new(&device, MemoryLimit::None).unwrap());
    first.make_current().unwrap();
    second.make_current().unwrap();
    drop(first);
    assert!(second.is_current().unwrap() && !default.is_current().unwrap());
    assert_eq!(of_driver(), second.pool().handle);
    default.make_current().unwrap();
    assert!(default.is_current().unwrap() && !second.is_current().unwrap());
    assert_eq!(Some(of_driver()), context.default_pool);
}
