//! Devices that are reset.

use ptyx::prelude::*;
use ptyx::{Constant, Error, Event, MemoryLimit, MemoryPool, PitchedBuffer, device_static};
use ptyx_memory_tests::alone_with;

#[device_static]
static FACTOR: Constant<f32> = Constant::new(1.0);

#[kernel]
fn scale(mut x: Disjoint<f32>) {
    if let Some(x) = x.get_mut(thread::index_1d()) {
        *x *= *FACTOR;
    }
}

fn scaled() -> ptyx::Result<Vec<f32>> {
    let mut x = DeviceBuffer::filled(100, 2.0f32)?;
    launch!(scale<<<1, 128>>>(&mut x))?;
    x.to_vec()
}

fn is_destroyed<T: core::fmt::Debug>(result: ptyx::Result<T>) {
    match result {
        Err(Error::Driver { name, .. }) => assert_eq!(name, "CUDA_ERROR_CONTEXT_IS_DESTROYED"),
        other => panic!("{other:?}"),
    }
}

fn reset_again_and_again() -> ptyx::Result<()> {
    for round in 0..3 {
        let device = Device::current()?;
        FACTOR.set(&3.0)?;
        assert_eq!(scaled()?, [6.0; 100], "round {round}");
        let stream = Stream::new()?;
        let mut old = DeviceBuffer::filled(1000, 7u32)?;
        old.fill_on(8, &stream)?;
        let others = (
            PitchedBuffer::<u8>::zeroed([3, 3])?,
            Event::new()?,
            stream.clone(),
            MemoryPool::of_device(&device)?,
        );
        let used = MemoryPool::of_device(&device)?.statistics()?.used;
        assert!(used >= 4000);
        // It could be used again, if the device were not reset.
        drop(MemoryPool::new(&device, MemoryLimit::None)?);
        // SAFETY: there is no other thread, and what was made before is not read.
        let fresh = unsafe { device.reset()? };
        assert!(fresh != device && fresh == Device::current()? && fresh == Device::get(0)?);
        assert_eq!(fresh.index(), device.index());
        // What is there now is not given back in its place.
        let new = DeviceBuffer::filled(1000, 9u32)?;
        is_destroyed(device.synchronize());
        is_destroyed(old.to_vec());
        is_destroyed(old.fill_on(1, &stream));
        drop((old, others, stream));
        assert_eq!(new.to_vec()?, [9; 1000]);
        let (pool, stream) = (MemoryPool::new(&fresh, MemoryLimit::None)?, Stream::new()?);
        assert_eq!(DeviceBuffer::<u8>::zeroed_in(10, &pool, &stream)?.to_vec()?, [0; 10]);
        // Constants begin again with their first values.
        assert_eq!(scaled()?, [2.0; 100], "round {round}");
    }
    Ok(())
}

#[test]
fn a_device_is_reset() {
    alone_with("reset::a_device_is_reset", &[], || reset_again_and_again().unwrap());
}

#[test]
fn other_threads_go_on_with_the_new_one() {
    let variables = [("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_DEVICES", "2")];
    alone_with("reset::other_threads_go_on_with_the_new_one", &variables, || {
        let second = Device::get(1).unwrap();
        let kept = DeviceBuffer::filled(3, 1u8).unwrap();
        std::thread::scope(|scope| {
            let (start, started) = std::sync::mpsc::channel();
            let (reset, was_reset) = std::sync::mpsc::channel();
            let other = scope.spawn(move || {
                second.make_current().unwrap();
                scaled().unwrap();
                start.send(()).unwrap();
                was_reset.recv().unwrap();
                assert_eq!(scaled().unwrap(), [2.0; 100]);
                assert_ne!(Device::current().unwrap(), second);
            });
            started.recv().unwrap();
            // SAFETY: the other thread waits, and uses nothing of before.
            unsafe { second.reset() }.unwrap();
            reset.send(()).unwrap();
            other.join().unwrap();
        });
        assert_eq!(kept.to_vec().unwrap(), [1; 3]);
    });
}
