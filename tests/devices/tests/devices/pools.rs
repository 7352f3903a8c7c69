//! Pools of several devices.

use crate::kernels::{mix_on, mixed};
use crate::peers::are_linked;
use ptyx::prelude::*;
use ptyx::{MemoryLimit, MemoryPool};
use ptyx_device_tests::on_devices;

const MIB: usize = 1 << 20;

/// Each device has a current pool of its own.
#[test]
fn each_device_has_a_current_pool() {
    on_devices("pools::each_device_has_a_current_pool", |devices| {
        let devices = [devices[0], devices[1]];
        let [first, second] =
            devices.each_ref().map(|device| MemoryPool::new(device, MemoryLimit::None).unwrap());
        let allocate = |at: usize| devices[at].with(|| DeviceBuffer::<u8>::zeroed(MIB)).unwrap();
        let used = |pool: &MemoryPool| pool.statistics().unwrap().used as usize / MIB;
        first.make_current()?;
        let before = [allocate(0), allocate(1)];
        assert_eq!([used(&first), used(&second)], [1, 0]);
        second.make_current()?;
        let after = [allocate(0), allocate(1)];
        assert_eq!([used(&first), used(&second)], [2, 1]);
        drop(first);
        let is_default = |at: usize| MemoryPool::of_device(&devices[at])?.is_current();
        assert!(is_default(0)? && !is_default(1)? && second.is_current()?);
        let last = allocate(1);
        assert_eq!(used(&second), 2);
        for buffer in before.into_iter().chain(after).chain([last]) {
            assert!(buffer.to_vec()? == [0; MIB]);
        }
        Ok(())
    });
}

/// A pool's memory in kernels of other devices: a launch gives the access, which can be taken away between launches, and
/// each pool has its own.
#[test]
fn pools_with_access_from_a_peer() {
    on_devices("pools::pools_with_access_from_a_peer", |devices| {
        if !are_linked(devices)? {
            eprintln!("skipped: the devices can't use each other's memory");
            return Ok(());
        }
        let [first, second] = [&devices[0], &devices[1]];
        let (here, there) = (first.with(Stream::new)?, second.with(Stream::new)?);
        let pools = [
            MemoryPool::new(first, MemoryLimit::None)?,
            MemoryPool::new(first, MemoryLimit::None)?,
        ];
        let mut y = second.with(|| DeviceBuffer::filled(1000, 1u32))?;
        let mut want = vec![1; 1000];
        pools[0].set_access(second, true)?;
        assert_eq!([pools[0].access(second)?, pools[1].access(second)?], [true, false]);
        for round in 0..20 {
            let pool = &pools[round % 2];
            let mut x = DeviceBuffer::<u32>::zeroed_in(1000, pool, &here)?;
            x.fill_on(round as u32, &here)?;
            mix_on(&there, 3, &x, &mut y)?;
            mixed(3, &[round as u32; 1000], &mut want);
            assert!(pool.access(second)? && pool.access(first)?);
            // Its memory goes back to the pool when the other device has read it.
            drop(x);
            if round % 5 == 4 {
                there.synchronize()?;
                pool.set_access(second, false)?;
                assert!(!pool.access(second)?);
                pool.trim(0)?;
            }
        }
        assert_eq!(y.to_vec()?, want);
        devices.iter().try_for_each(Device::synchronize)?;
        for pool in &pools {
            assert_eq!(pool.statistics()?.used, 0);
        }
        Ok(())
    });
}
