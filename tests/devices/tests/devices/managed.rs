//! Managed memory that all devices and the host share.

use crate::kernels::{THREADS, blocks, step, stepped};
use ptyx::prelude::*;
use ptyx::{Error, GuardedBuffer, ManagedBuffer, ManagedUse, MemoryAdvice, MemoryLocation};
use ptyx_device_tests::{on_devices, rng};

/// All devices change all of it, one after another, and the host looks in between.
#[test]
fn devices_and_the_host_take_turns() {
    on_devices("managed::devices_and_the_host_take_turns", |devices| {
        let mut rng = rng();
        let len = 1 + rng.below(20_000);
        let mut want = rng.vec(len, |rng| rng.next_u32());
        let mut shared = ManagedBuffer::from_slice(&want)?;
        let streams: Vec<Stream> =
            devices.iter().map(|device| device.with(Stream::new)).collect::<ptyx::Result<_>>()?;
        for round in 0..40 {
            let at = rng.below(devices.len());
            let (device, stream) = (&devices[at], &streams[at]);
            let (b, place) = (rng.next_u32(), MemoryLocation::Device(*device));
            match round % 5 {
                0 => shared.prefetch_on(.., place, stream)?,
                1 => shared.advise(.., MemoryAdvice::PreferredLocation(place))?,
                2 => shared.advise(.., MemoryAdvice::AccessedBy(place))?,
                3 => shared.advise(.., MemoryAdvice::NoPreferredLocation)?,
                _ => assert_eq!(*shared, want[..], "round {round}"),
            }
            launch!(step<<<blocks(len), THREADS, 0, stream>>>(5, b, &mut shared))?;
            stepped(5, b, &mut want);
            if rng.below(3) == 0 {
                let i = rng.below(len);
                shared[i] = b;
                want[i] = b;
            }
        }
        assert_eq!(*shared, want[..]);
        Ok(())
    });
}

/// Each device has a part, at the same time.
#[test]
fn devices_change_parts_at_once() {
    on_devices("managed::devices_change_parts_at_once", |devices| {
        let (count, len) = (devices.len(), 4096);
        let mut want: Vec<u32> = (0..(count * len) as u32).collect();
        let mut shared = ManagedBuffer::from_slice(&want)?;
        let streams: Vec<Stream> =
            devices.iter().map(|device| device.with(Stream::new)).collect::<ptyx::Result<_>>()?;
        for round in 0..6 {
            for (at, stream) in streams.iter().enumerate() {
                let part = (at + round) % count * len..((at + round) % count + 1) * len;
                let mut own = shared.as_slice_mut().slice_mut(part.clone());
                launch!(step<<<blocks(len), THREADS, 0, stream>>>(3, at as u32, &mut own))?;
                stepped(3, at as u32, &mut want[part]);
            }
        }
        assert_eq!(*shared, want[..]);
        Ok(())
    });
}

/// Memory that is attached to a stream is that stream's only, on whichever device.
#[test]
fn attached_to_a_stream_of_another_device() {
    on_devices("managed::attached_to_a_stream_of_another_device", |devices| {
        let [first, second] = [&devices[0], &devices[1]];
        let (here, there) = (first.with(Stream::new)?, second.with(Stream::new)?);
        let mut shared = ManagedBuffer::from_slice(&[1u32; 300])?;
        shared.attach(ManagedUse::OneStream, &there)?;
        launch!(step<<<blocks(300), THREADS, 0, &there>>>(2, 1, &mut shared))?;
        let refused = launch!(step<<<blocks(300), THREADS, 0, &here>>>(2, 1, &mut shared));
        assert!(matches!(refused, Err(Error::Attached { .. })), "{refused:?}");
        shared.attach(ManagedUse::All, &there)?;
        launch!(step<<<blocks(300), THREADS, 0, &here>>>(2, 2, &mut shared))?;
        assert_eq!(*shared, [8u32; 300][..]);
        Ok(())
    });
}

/// Graphs of all devices, and kernels beside them, change the same guarded memory; the host takes its turns.
#[test]
fn graphs_of_all_devices_use_guarded_memory() {
    on_devices("managed::graphs_of_all_devices_use_guarded_memory", |devices| {
        let mut rng = rng();
        let mut want = rng.vec(700, |rng| rng.next_u32());
        let mut shared = GuardedBuffer::new(ManagedBuffer::from_slice(&want)?);
        let streams: Vec<Stream> =
            devices.iter().map(|device| device.with(Stream::new)).collect::<ptyx::Result<_>>()?;
        let mut graphs = Vec::new();
        for (number, stream) in streams.iter().enumerate() {
            let graph = stream.capture(|stream| {
                launch!(step<<<blocks(700), THREADS, 0, stream>>>(5, number as u32, &mut shared))?;
                shared.as_slice_mut().slice_mut(..10).fill_on(number as u32, stream)
            })?;
            graphs.push(graph.instantiate()?);
        }
        for round in 0..30 {
            let at = rng.below(devices.len());
            graphs[at].launch(&streams[at])?;
            stepped(5, at as u32, &mut want);
            want[..10].fill(at as u32);
            let other = rng.below(devices.len());
            launch!(step<<<blocks(700), THREADS, 0, &streams[other]>>>(3, round, &mut shared))?;
            stepped(3, round, &mut want);
            match round % 3 {
                0 => assert_eq!(shared.read()[..], want, "round {round}"),
                1 => {
                    let i = rng.below(700);
                    shared.write()[i] = round;
                    want[i] = round;
                }
                _ => {}
            }
        }
        let held = shared.write();
        for (graph, stream) in graphs.iter().zip(&streams) {
            let refused = graph.launch(stream);
            assert!(matches!(refused, Err(Error::Graph { .. })), "{refused:?}");
        }
        drop(held);
        assert_eq!(shared.read()[..], want);
        Ok(())
    });
}
