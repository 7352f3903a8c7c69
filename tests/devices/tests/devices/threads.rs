//! Several host threads, each with a device.

use crate::kernels::{mix_on, mixed, step_on, stepped};
use crate::peers::are_linked;
use ptyx::prelude::*;
use ptyx_device_tests::{Rng, on_devices, rng};
use std::sync::mpsc::{Receiver, Sender, channel};

/// A buffer with what it must contain.
type Parcel = (DeviceBuffer<u32>, Vec<u32>);

/// One thread's part: it works on buffers of its own device and passes them on to the next thread, whose device uses them
/// where they are or copies them.
fn work(
    device: &Device,
    rng: &mut Rng,
    linked: bool,
    inbox: &Receiver<Parcel>,
    next: &Sender<Parcel>,
) -> ptyx::Result<()> {
    device.make_current()?;
    assert_eq!(Device::current()?, *device);
    let stream = Stream::new()?;
    let mut want = rng.vec(1000, |rng| rng.next_u32());
    let mut sum = DeviceBuffer::from_slice(&want)?;
    for round in 0..40 {
        let mut numbers = rng.vec(1000, |rng| rng.next_u32());
        let mut buffer = DeviceBuffer::from_slice_on(&numbers, &stream)?;
        step_on(&stream, 3, round, &mut buffer)?;
        stepped(3, round, &mut numbers);
        // The kernel may still run.
        next.send((buffer, numbers)).unwrap();
        let (theirs, numbers) = inbox.recv().unwrap();
        let a = rng.next_u32() | 1;
        if linked && round % 2 == 0 {
            mix_on(&stream, a, &theirs, &mut sum)?;
        } else {
            let mut own = DeviceBuffer::<u32>::zeroed_on(1000, &stream)?;
            own.copy_from_buffer_on(&theirs, &stream)?;
            drop(theirs);
            mix_on(&stream, a, &own, &mut sum)?;
        }
        mixed(a, &numbers, &mut want);
    }
    assert_eq!(sum.to_vec()?, want);
    Ok(())
}

/// Two threads a device, in a ring.
#[test]
fn each_thread_has_a_device() {
    on_devices("threads::each_thread_has_a_device", |devices| {
        let linked = are_linked(devices)?;
        let count = 2 * devices.len();
        let (senders, receivers): (Vec<_>, Vec<_>) = (0..count).map(|_| channel()).unzip();
        let mut seeds = rng();
        std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for (at, inbox) in receivers.into_iter().enumerate() {
                let (next, device) =
                    (senders[(at + 1) % count].clone(), &devices[at % devices.len()]);
                let mut rng = seeds.clone();
                seeds.next_u64();
                threads.push(scope.spawn(move || work(device, &mut rng, linked, &inbox, &next)));
            }
            threads.into_iter().try_for_each(|thread| thread.join().unwrap())
        })
    });
}
