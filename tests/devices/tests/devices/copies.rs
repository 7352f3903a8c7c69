//! Copies between devices.

use ptyx::prelude::*;
use ptyx::{CudaArray, Error, PinnedBuffer, PitchedBuffer};
use ptyx_device_tests::{on_devices, rng};

/// Copies to and fro between two devices, on streams of both.
fn to_and_fro(first: &Device, second: &Device) -> ptyx::Result<()> {
    let mut rng = rng();
    let [here, there] = [first.with(Stream::new)?, second.with(Stream::new)?];
    for _ in 0..20 {
        let len = 1 + rng.below(1000);
        let numbers = rng.vec(len, |rng| rng.next_u32());
        let mut source = first.with(|| DeviceBuffer::from_slice(&numbers))?;
        let mut copy = second.with(|| DeviceBuffer::<u32>::zeroed(len))?;
        let mut back = first.with(|| DeviceBuffer::<u32>::zeroed(len))?;
        copy.copy_from_buffer_on(&source, &there)?;
        back.copy_from_buffer_on(&copy, &here)?;
        // After the copies have read them.
        source.fill_on(0, &here)?;
        copy.fill_on(1, &there)?;
        drop((source, copy));
        assert_eq!(back.to_vec()?, numbers);

        let (rows, columns) = (2 + rng.below(9), 2 + rng.below(9));
        let numbers = rng.vec(rows * columns, |rng| rng.next_u32() as u8);
        let source = first.with(|| PitchedBuffer::from_slice(&numbers, [rows, columns]))?;
        let mut copy = second.with(|| PitchedBuffer::<u8>::zeroed([rows - 1, columns - 1]))?;
        copy.view_mut().copy_from_view_on(source.part([1..rows, 1..columns])?, &there)?;
        drop(source);
        let lines = numbers.chunks(columns).skip(1);
        let inner: Vec<u8> = lines.flat_map(|row| row[1..].to_vec()).collect();
        assert_eq!(copy.to_vec()?, inner);

        // Arrays, to and fro; the source is overwritten and freed after the copies have read it.
        let mut source = first.with(|| CudaArray::<u8>::from_slice(&numbers, [rows, columns]))?;
        let mut copy = second.with(|| CudaArray::<u8>::zeroed([rows, columns]))?;
        let mut back = first.with(|| CudaArray::<u8>::zeroed([rows - 1, columns - 1]))?;
        copy.copy_part_from_array_on([0, 0], &source, [0..rows, 0..columns], &there)?;
        let zeros = first.with(|| PinnedBuffer::<u8>::zeroed(rows * columns))?;
        source.copy_part_from_pinned_on([0, 0], zeros.view([rows, columns])?, &here)?;
        back.copy_part_from_array_on([0, 0], &copy, [1..rows, 1..columns], &here)?;
        let wrong = copy.copy_part_from_array_on([0, 0], &source, [0..1, 0..1], &here);
        assert!(matches!(wrong, Err(Error::WrongDevice { .. })), "{wrong:?}");
        drop(copy);
        assert_eq!(back.to_vec()?, inner);
        assert!(source.to_vec()?.iter().all(|&number| number == 0));
    }
    let source = first.with(|| DeviceBuffer::filled(4, 1u32))?;
    let mut copy = second.with(|| DeviceBuffer::<u32>::zeroed(4))?;
    let wrong = copy.copy_from_buffer_on(&source, &here);
    assert!(matches!(wrong, Err(Error::WrongDevice { .. })), "{wrong:?}");
    Ok(())
}

#[test]
fn copies_between_devices() {
    on_devices("copies::copies_between_devices", |devices| {
        to_and_fro(&devices[0], &devices[1])?;
        // The other way round.
        to_and_fro(&devices[1], &devices[0])
    });
}

/// Random copies of parts, between any two of the devices, on streams of the target's device.
#[test]
fn parts_between_all_devices() {
    on_devices("copies::parts_between_all_devices", |devices| {
        let mut rng = rng();
        let len = 1 + rng.below(5000);
        let new_streams = |device: &Device| device.with(|| Ok([Stream::new()?, Stream::new()?]));
        let streams: Vec<[Stream; 2]> =
            devices.iter().map(new_streams).collect::<ptyx::Result<_>>()?;
        let mut on_host: Vec<Vec<u32>> =
            devices.iter().map(|_| rng.vec(len, |rng| rng.next_u32())).collect();
        let mut on_device = Vec::new();
        for (device, numbers) in devices.iter().zip(&on_host) {
            on_device.push(device.with(|| DeviceBuffer::from_slice(numbers))?);
        }
        for step in 0..200 {
            let [to, from] = [rng.below(devices.len()), rng.below(devices.len())];
            let (start, end) = (rng.below(len), rng.below(len + 1));
            let range = start.min(end)..start.max(end);
            let at = rng.below(len - range.len() + 1);
            let target = at..at + range.len();
            let stream = &streams[to][rng.below(2)];
            if to == from {
                let value = rng.next_u32();
                on_device[to].slice_mut(target.clone()).fill_on(value, stream)?;
                on_host[to][target].fill(value);
                continue;
            }
            let [target_buffer, source] = on_device.get_disjoint_mut([to, from]).unwrap();
            let source = source.slice(range.clone());
            target_buffer.slice_mut(target.clone()).copy_from_buffer_on(source, stream)?;
            let copied = on_host[from][range].to_vec();
            on_host[to][target].copy_from_slice(&copied);
            if step % 40 == 0 {
                assert_eq!(on_device[to].to_vec()?, on_host[to], "step {step}");
            }
        }
        for (device, host) in on_device.iter().zip(&on_host) {
            assert_eq!(device.to_vec()?, *host);
        }
        Ok(())
    });
}

/// More bytes than a link takes at once, round through all devices.
#[test]
fn a_long_buffer_goes_round() {
    on_devices("copies::a_long_buffer_goes_round", |devices| {
        let len = if devices[0].is_emulated() { 1 << 18 } else { 1 << 26 };
        let numbers: Vec<u32> = (0..len as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
        let mut buffer = devices[0].with(|| DeviceBuffer::from_slice(&numbers))?;
        for device in devices.iter().cycle().skip(1).take(2 * devices.len()) {
            let stream = device.with(Stream::new)?;
            let mut next = DeviceBuffer::<u32>::zeroed_on(len, &stream)?;
            next.copy_from_buffer_on(&buffer, &stream)?;
            assert_eq!(next.device_index(), device.index());
            // The one before is freed while the copy may still read it.
            buffer = next;
        }
        assert!(buffer.to_vec()? == numbers);
        Ok(())
    });
}
