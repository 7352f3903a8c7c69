//! Kernels of one device that use memory of another.

use crate::kernels::{THREADS, blocks, count, mix_on, mixed, step_on, stepped};
use ptyx::prelude::*;
use ptyx::{Error, GrowableBuffer, PeerAttribute, PeerReason};
use ptyx_device_tests::{Rng, on_devices, rng};

/// Whether kernels of all devices can use the memory of all others.
pub(crate) fn are_linked(devices: &[Device]) -> ptyx::Result<bool> {
    for device in devices {
        for other in devices.iter().filter(|other| *other != device) {
            if !device.can_access_peer(other)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// A buffer of one device in kernels of another, with access and without.
#[test]
fn a_buffer_is_used_on_another_device() {
    on_devices("peers::a_buffer_is_used_on_another_device", |devices| {
        let [first, second] = [&devices[0], &devices[1]];
        let (here, there) = (first.with(Stream::new)?, second.with(Stream::new)?);
        let numbers: Vec<u32> = (0..1000).collect();
        for shareable in [false, true] {
            let mut x = first.with(|| match shareable {
                true => DeviceBuffer::<u32>::zeroed_shareable(1000),
                false => DeviceBuffer::zeroed(1000),
            })?;
            x.copy_from_slice(&numbers)?;
            let mut y = second.with(|| DeviceBuffer::filled(1000, 1u32))?;
            let mut want = vec![1; 1000];
            for a in 1..20 {
                match mix_on(&there, a, &x, &mut y) {
                    Err(Error::PeerAccess { device, owner, reason: PeerReason::NoLink }) => {
                        assert!(!second.can_access_peer(first)?);
                        assert_eq!((device, owner), (second.index(), first.index()));
                        // What the error advises.
                        let mut copy = second.with(|| DeviceBuffer::<u32>::zeroed(1000))?;
                        copy.copy_from_buffer_on(&x, &there)?;
                        mix_on(&there, a, &copy, &mut y)?;
                    }
                    other => {
                        other?;
                        assert!(second.can_access_peer(first)?);
                    }
                }
                mixed(a, &numbers, &mut want);
                // Taken away while the kernel may still run; the next launch gives it again.
                if a % 3 == 0 {
                    second.disable_peer_access(first)?;
                }
                if a % 4 == 0 && second.can_access_peer(first)? {
                    second.enable_peer_access(first)?;
                }
                // Only the device's own streams fill its memory.
                let wrong = x.fill_on(1, &there);
                assert!(matches!(wrong, Err(Error::WrongDevice { .. })), "{wrong:?}");
            }
            assert_eq!(y.to_vec()?, want);
            // After the kernels of the other device have read it.
            x.fill_on(7, &here)?;
            assert_eq!(x.to_vec()?, [7; 1000]);
        }
        Ok(())
    });
}

/// Each device in turn changes a buffer in place, also the ones that don't own it.
#[test]
fn devices_take_turns_in_place() {
    on_devices("peers::devices_take_turns_in_place", |devices| {
        if !are_linked(devices)? {
            eprintln!("skipped: the devices can't use each other's memory");
            return Ok(());
        }
        let streams: Vec<Stream> =
            devices.iter().map(|device| device.with(Stream::new)).collect::<ptyx::Result<_>>()?;
        let len = 10_000;
        let mut want: Vec<u32> = (0..len as u32).collect();
        let mut buffer = devices[1].with(|| DeviceBuffer::from_slice(&want))?;
        for round in 0..50 {
            let stream = &streams[round % streams.len()];
            step_on(stream, 3, round as u32, &mut buffer)?;
            stepped(3, round as u32, &mut want);
        }
        // A copy of another device reads it after all of them.
        let mut copy = devices[0].with(|| DeviceBuffer::<u32>::zeroed(len))?;
        copy.copy_from_buffer_on(&buffer, &streams[0])?;
        drop(buffer);
        assert_eq!(copy.to_vec()?, want);
        Ok(())
    });
}

/// Several devices count into one array, where the link has atomic operations.
#[test]
fn atomic_operations_over_the_link() {
    on_devices("peers::atomic_operations_over_the_link", |devices| {
        let owner = &devices[0];
        let mut users = vec![*owner];
        for device in &devices[1..] {
            if device.can_access_peer(owner)?
                && device.peer_attribute(PeerAttribute::NativeAtomicSupported, owner)? != 0
            {
                users.push(*device);
            }
        }
        eprintln!("{} devices count", users.len());
        let mut rng = rng();
        let numbers = rng.vec(20_000, |rng| rng.next_u32());
        let mut counts = owner.with(|| DeviceBuffer::<u32>::zeroed(16))?;
        for device in &users {
            let stream = device.with(Stream::new)?;
            let x = device.with(|| DeviceBuffer::from_slice(&numbers))?;
            launch!(count<<<blocks(x.len()), THREADS, 0, &stream>>>(&x, &mut counts))?;
        }
        let mut want = [0; 16];
        numbers.iter().for_each(|number| want[*number as usize % 16] += users.len() as u32);
        assert_eq!(counts.to_vec()?, want);
        Ok(())
    });
}

/// Memory that is mapped for several devices when it is made.
#[test]
fn growable_buffers_for_all_devices() {
    on_devices("peers::growable_buffers_for_all_devices", |devices| {
        if !are_linked(devices)? {
            eprintln!("skipped: the devices can't use each other's memory");
            return Ok(());
        }
        let [first, second] = [&devices[0], &devices[1]];
        let there = second.with(Stream::new)?;
        let mut y = second.with(|| DeviceBuffer::filled(500, 1u32))?;
        let mut own = first.with(|| GrowableBuffer::<u32>::with_capacity(1 << 20))?;
        own.resize(500, 2)?;
        let refused = mix_on(&there, 1, &own, &mut y);
        let reason = PeerReason::Growable;
        assert!(matches!(refused, Err(Error::PeerAccess { reason: found, .. }) if found == reason));
        let mut shared =
            first.with(|| GrowableBuffer::<u32>::with_capacity_for(1 << 20, devices))?;
        shared.resize(500, 2)?;
        mix_on(&there, 1, &shared, &mut y)?;
        // More of it, in the memory of the other device.
        shared.reserve_on_device(shared.mapped() + 1, second)?;
        let len = shared.mapped();
        shared.resize(len, 5)?;
        let here = first.with(Stream::new)?;
        let mut ours = first.with(|| DeviceBuffer::filled(len, 1u32))?;
        mix_on(&here, 2, &shared, &mut ours)?;
        assert_eq!(y.to_vec()?, [3; 500]);
        let want: Vec<u32> = (0..len).map(|i| if i < 500 { 4 } else { 7 }).collect();
        assert!(ours.to_vec()? == want);
        Ok(())
    });
}

/// A random program: kernels, fills, copies and drops on random devices, against the same on the host.
fn random_program(devices: &[Device], rng: &mut Rng) -> ptyx::Result<()> {
    let len = 1 + rng.below(4000);
    let mut streams = Vec::new();
    for device in devices {
        streams.extend(device.with(|| Ok::<_, Error>([Stream::new()?, Stream::new()?]))?);
    }
    let fresh = |rng: &mut Rng| -> ptyx::Result<(DeviceBuffer<u32>, Vec<u32>)> {
        let numbers = rng.vec(len, |rng| rng.next_u32());
        devices[rng.below(devices.len())].with(|| {
            let mut buffer = match rng.below(2) {
                0 => DeviceBuffer::<u32>::zeroed(len)?,
                _ => DeviceBuffer::<u32>::zeroed_shareable(len)?,
            };
            buffer.copy_from_slice(&numbers)?;
            Ok((buffer, numbers))
        })
    };
    let mut buffers = Vec::new();
    let mut on_host = Vec::new();
    for _ in 0..6 {
        let (buffer, numbers) = fresh(rng)?;
        buffers.push(buffer);
        on_host.push(numbers);
    }
    for step in 0..120 {
        let [to, from] = [rng.below(6), rng.below(6)];
        let (any, a) = (&streams[rng.below(streams.len())], rng.next_u32());
        let of = |buffer: &DeviceBuffer<u32>| {
            let device = buffer.device_index();
            streams.iter().find(|stream| stream.device_index() == device).unwrap()
        };
        match rng.below(10) {
            0 => (buffers[to], on_host[to]) = fresh(rng)?,
            1 => {
                let stream = of(&buffers[to]);
                buffers[to].fill_on(a, stream)?;
                on_host[to].fill(a);
            }
            2 => assert_eq!(buffers[from].to_vec()?, on_host[from], "step {step}"),
            3..5 => {
                step_on(any, a | 1, 5, &mut buffers[to])?;
                stepped(a | 1, 5, &mut on_host[to]);
            }
            _ if to == from => {}
            5..7 => {
                let [target, source] = buffers.get_disjoint_mut([to, from]).unwrap();
                let stream = of(target);
                target.copy_from_buffer_on(&*source, stream)?;
                on_host[to] = on_host[from].clone();
            }
            _ => {
                let [y, x] = buffers.get_disjoint_mut([to, from]).unwrap();
                mix_on(any, a | 1, x, y)?;
                let [y, x] = on_host.get_disjoint_mut([to, from]).unwrap();
                mixed(a | 1, x, y);
            }
        }
    }
    for (buffer, numbers) in buffers.iter().zip(&on_host) {
        assert_eq!(buffer.to_vec()?, *numbers);
    }
    Ok(())
}

#[test]
fn random_programs_on_all_devices() {
    on_devices("peers::random_programs_on_all_devices", |devices| {
        if !are_linked(devices)? {
            eprintln!("skipped: the devices can't use each other's memory");
            return Ok(());
        }
        let mut rng = rng();
        (0..4).try_for_each(|_| random_program(devices, &mut rng))
    });
}
