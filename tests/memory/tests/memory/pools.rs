//! Pools that come and go while other threads allocate.

use ptyx::prelude::*;
use ptyx::{MemoryLimit, MemoryPool};
use ptyx_memory_tests::{Rng, alone_with, rng};
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const MIB: usize = 1 << 20;

/// A buffer, all of whose elements are this number.
type Filled = (DeviceBuffer<u32>, u32);

fn filled(
    rng: &mut Rng,
    make: impl FnOnce(usize, u32) -> ptyx::Result<DeviceBuffer<u32>>,
) -> Filled {
    let (len, number) = (1 + rng.below(20_000), rng.next_u32());
    (make(len, number).unwrap(), number)
}

fn check((buffer, number): Filled) {
    let found = buffer.to_vec().unwrap();
    assert!(found.iter().all(|&found| found == number), "not all {number:#x}");
}

/// What is in a bag beyond 50 buffers, so that they don't keep more pools.
fn beyond_50(bag: &mut Vec<Filled>) -> Vec<Filled> {
    bag.drain(bag.len().min(50)..).collect()
}

/// Makes a pool the current one for a while, during which all threads allocate from it; the driver's handle.
fn make_pool(device: &Device, stream: &Stream, rng: &mut Rng, bag: &Mutex<Vec<Filled>>) -> usize {
    let pool = MemoryPool::new(device, MemoryLimit::None).unwrap();
    let handle = pool.raw().addr();
    pool.make_current().unwrap();
    let current = filled(rng, |len, number| DeviceBuffer::filled_on(len, number, stream));
    let mut own = filled(rng, |len, _| DeviceBuffer::zeroed_in(len, &pool, stream));
    own.0.fill_on(own.1, stream).unwrap();
    match rng.below(3) {
        0 => MemoryPool::of_device(device).unwrap().make_current().unwrap(),
        1 => pool.trim(0).unwrap(),
        _ => {}
    }
    drop(pool);
    // Other threads drop one of them, later.
    let mut bag = bag.lock().unwrap();
    bag.push(current);
    let old = beyond_50(&mut bag);
    drop(bag);
    drop(old);
    check(own);
    handle
}

/// On an H200, the driver crashes within seconds if such pools are destroyed. They are used again instead, so there are
/// only as many as are needed at the same time.
#[test]
fn pools_come_and_go_while_others_allocate() {
    alone_with("pools::pools_come_and_go_while_others_allocate", &[], || {
        let device = Device::current().unwrap();
        let bag = Mutex::new(Vec::new());
        let (made, handles) = (AtomicUsize::new(0), Mutex::new(HashSet::new()));
        let time = Duration::from_millis(if device.is_emulated() { 700 } else { 8_000 });
        let (end, makers) = (Instant::now() + time, AtomicUsize::new(2));
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (mut rng, bag, makers) = (rng(), &bag, &makers);
                let (made, handles) = (&made, &handles);
                scope.spawn(move || {
                    let (device, stream) = (Device::current().unwrap(), Stream::new().unwrap());
                    if thread < 2 {
                        while Instant::now() < end {
                            let handle = make_pool(&device, &stream, &mut rng, bag);
                            made.fetch_add(1, Ordering::SeqCst);
                            handles.lock().unwrap().insert(handle);
                        }
                        makers.fetch_sub(1, Ordering::SeqCst);
                        return;
                    }
                    while makers.load(Ordering::SeqCst) > 0 {
                        let new = filled(&mut rng, |len, number| {
                            DeviceBuffer::filled_on(len, number, &stream)
                        });
                        let mut bag = bag.lock().unwrap();
                        bag.push(new);
                        let at = rng.below(bag.len());
                        let mut old = vec![bag.swap_remove(at)];
                        old.extend(beyond_50(&mut bag));
                        drop(bag);
                        // Half of them are dropped while they may still be filled.
                        old.into_iter().filter(|_| rng.below(2) == 0).for_each(check);
                    }
                });
            }
        });
        assert!(MemoryPool::of_device(&device).unwrap().is_current().unwrap());
        bag.into_inner().unwrap().into_iter().for_each(check);
        device.synchronize().unwrap();
        let (made, handles) = (made.into_inner(), handles.into_inner().unwrap().len());
        // The bag's buffers, and those that threads have, keep fewer than 100 of them.
        assert!(handles < 200, "{handles} of {made}");
        eprintln!("{made} pools were made, of {handles} of the driver's");
    });
}

#[test]
fn each_device_has_a_current_pool() {
    let variables = [("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_DEVICES", "2")];
    alone_with("pools::each_device_has_a_current_pool", &variables, || {
        let devices = [Device::get(0).unwrap(), Device::get(1).unwrap()];
        let [first, second] =
            devices.each_ref().map(|device| MemoryPool::new(device, MemoryLimit::None).unwrap());
        let allocate = |at: usize| devices[at].with(|| DeviceBuffer::<u8>::zeroed(MIB)).unwrap();
        let used = |pool: &MemoryPool| pool.statistics().unwrap().used as usize / MIB;
        first.make_current().unwrap();
        let before = [allocate(0), allocate(1)];
        assert_eq!([used(&first), used(&second)], [1, 0]);
        second.make_current().unwrap();
        let after = [allocate(0), allocate(1)];
        assert_eq!([used(&first), used(&second)], [2, 1]);
        drop(first);
        let is_default = |at: usize| MemoryPool::of_device(&devices[at])?.is_current();
        assert!(is_default(0).unwrap() && !is_default(1).unwrap() && second.is_current().unwrap());
        let last = allocate(1);
        assert_eq!(used(&second), 2);
        for buffer in before.into_iter().chain(after).chain([last]) {
            assert!(buffer.to_vec().unwrap() == [0; MIB]);
        }
    });
}
