//! Everything is dropped in any order while devices still work with it.

use crate::kernels::{mix_on, mixed, step_on, stepped};
use crate::peers::are_linked;
use ptyx::prelude::*;
use ptyx::{Event, GraphExec, ManagedBuffer, PinnedBuffer};
use ptyx_device_tests::{on_devices, rng};
use std::any::Any;
use std::time::Duration;

/// What is dropped.
type Bag = Vec<Box<dyn Any>>;

#[test]
fn everything_is_dropped_in_any_order() {
    on_devices("drops::everything_is_dropped_in_any_order", |devices| {
        let mut rng = rng();
        let linked = are_linked(devices)?;
        for _ in 0..12 {
            let mut bag: Bag = Vec::new();
            let result = devices[1].with(|| DeviceBuffer::filled(500, 1u32))?;
            let mut result = result;
            let mut want = vec![1; 500];
            for round in 0..4 {
                for device in devices {
                    let (stream, there) =
                        (device.with(Stream::new)?, devices[1].with(Stream::new)?);
                    let event = device.with(Event::new)?;
                    let mut x = device.with(|| DeviceBuffer::filled(500, 2u32))?;
                    stream.sleep(Duration::from_micros(500))?;
                    step_on(&stream, 3, round, &mut x)?;
                    let mut numbers = vec![2; 500];
                    stepped(3, round, &mut numbers);
                    let graph = stream.capture(|stream| step_on(stream, 5, 1, &mut x))?;
                    let exec: GraphExec = graph.instantiate()?;
                    exec.launch(&stream)?;
                    stepped(5, 1, &mut numbers);
                    event.record(&stream)?;
                    there.wait(&event)?;
                    if linked {
                        mix_on(&there, 7, &x, &mut result)?;
                    } else {
                        let mut copy = devices[1].with(|| DeviceBuffer::<u32>::zeroed(500))?;
                        copy.copy_from_buffer_on(&x, &there)?;
                        mix_on(&there, 7, &copy, &mut result)?;
                        bag.push(Box::new(copy));
                    }
                    mixed(7, &numbers, &mut want);
                    let mut host = device.with(|| PinnedBuffer::<u32>::zeroed(500))?;
                    x.copy_to_pinned_on(&mut host, &stream)?;
                    let mut managed = ManagedBuffer::from_slice(&[1u32; 500])?;
                    managed.as_slice_mut().copy_from_buffer_on(&x, &stream)?;
                    let more: [Box<dyn Any>; 6] = [
                        Box::new((host, managed)),
                        Box::new(x),
                        Box::new(stream),
                        Box::new(there),
                        Box::new(event),
                        Box::new((graph, exec)),
                    ];
                    bag.extend(more);
                    while bag.len() > 8 {
                        drop(bag.swap_remove(rng.below(bag.len())));
                    }
                }
            }
            match rng.below(2) {
                0 => drop(bag),
                // By another thread, whose device is another.
                _ => {
                    let last = devices[devices.len() - 1];
                    last.with(|| drop(bag));
                }
            }
            assert_eq!(result.to_vec()?, want);
        }
        devices.iter().try_for_each(Device::synchronize)
    });
}
