//! Buffers that grow without moving.

use ptyx::prelude::*;
use ptyx::{Error, GrowableBuffer};
use ptyx_memory_tests::{alone_with, rng};

const MIB: usize = 1 << 20;

#[kernel]
fn add(numbers: &[u32], mut sums: Disjoint<u32>) {
    for i in thread::grid_stride(sums.len()) {
        sums[i] = sums[i].wrapping_add(numbers[i.get() % numbers.len()]);
    }
}

#[kernel]
fn store(to: *mut u32, index: usize, value: u32) {
    // SAFETY: of the test: it leads there, or the access is to be found.
    unsafe { to.add(index).write(value) };
}

/// A random program on a growable buffer and a vector.
#[test]
fn a_buffer_grows_and_shrinks_like_a_vector() -> ptyx::Result<()> {
    let mut rng = rng();
    let streams = [Stream::new()?, Stream::new()?];
    for _ in 0..3 {
        let mut buffer = GrowableBuffer::<u32>::with_capacity(8 * MIB)?;
        let address = buffer.device_address();
        let mut vector: Vec<u32> = Vec::new();
        for _ in 0..25 {
            let stream = &streams[rng.below(2)];
            let len = 1 + rng.below(MIB);
            match rng.below(7) {
                0 => {
                    let count = 1 + rng.below(1000);
                    let new = rng.vec(count, |rng| rng.next_u32());
                    buffer.extend_from_slice(&new)?;
                    vector.extend_from_slice(&new);
                }
                1 => {
                    let value = rng.next_u32();
                    buffer.resize_on(len, value, stream)?;
                    vector.resize(len, value);
                }
                2 => {
                    buffer.resize_zeroed(len)?;
                    vector.resize(len, 0);
                }
                3 => {
                    let count = 1 + rng.below(300);
                    let new = rng.vec(count, |rng| rng.next_u32());
                    let from = DeviceBuffer::from_slice(&new)?;
                    buffer.extend_from_buffer_on(&from, stream)?;
                    vector.extend_from_slice(&new);
                }
                4 => {
                    buffer.truncate(len);
                    vector.truncate(len);
                }
                5 => {
                    buffer.shrink_to_fit()?;
                    assert!(buffer.mapped() >= buffer.len());
                }
                _ => {
                    let by = rng.vec(5, |rng| rng.next_u32());
                    let numbers = DeviceBuffer::from_slice(&by)?;
                    launch!(add<<<64, 64, 0, stream>>>(&numbers, &mut buffer))?;
                    for (i, number) in vector.iter_mut().enumerate() {
                        *number = number.wrapping_add(by[i % 5]);
                    }
                }
            }
            assert_eq!(buffer.len(), vector.len());
            assert_eq!(buffer.device_address(), address);
        }
        assert!(buffer.to_vec()? == vector);
    }
    Ok(())
}

#[test]
fn memory_is_mapped_in_parts_and_given_back() -> ptyx::Result<()> {
    let mut buffer = GrowableBuffer::<u64>::with_capacity(10 * MIB)?;
    let piece = buffer.granularity();
    assert!(buffer.capacity() >= 10 * MIB && buffer.mapped() == 0 && buffer.parts().is_empty());
    buffer.reserve(1)?;
    assert_eq!(buffer.mapped() * 8, piece);
    buffer.reserve(piece / 8 + 1)?;
    let bytes: Vec<usize> = buffer.parts().iter().map(|part| part.bytes).collect();
    assert_eq!(bytes, [piece, piece]);
    buffer.extend_from_slice(&[1, 2, 3])?;
    buffer.shrink_to_fit()?;
    assert_eq!(buffer.mapped() * 8, piece);
    assert_eq!(buffer.to_vec()?, [1, 2, 3]);

    // More than there are addresses for; the buffer stays as it is.
    let all = buffer.capacity();
    match buffer.resize(all + 1, 0) {
        Err(Error::OverCapacity { len, capacity }) => assert_eq!((len, capacity), (all + 1, all)),
        other => panic!("{other:?}"),
    }
    let fixed = buffer.into_buffer();
    assert_eq!(fixed.to_vec()?, [1, 2, 3]);
    drop(fixed);
    Ok(())
}

#[test]
fn more_memory_than_the_device_has() {
    let variables = [("PTYX_DEVICE", "emulator")];
    alone_with("growable::more_memory_than_the_device_has", &variables, || {
        let total = Device::current().unwrap().total_memory().unwrap();
        let mut buffer = GrowableBuffer::<u8>::with_capacity(4 * total).unwrap();
        buffer.extend_from_slice(&[5; 10]).unwrap();
        match buffer.reserve(2 * total) {
            Err(Error::OutOfMemory { bytes, free, total: all }) => {
                assert!(bytes > total && free < total && all == total);
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(buffer.to_vec().unwrap(), [5; 10]);
        let huge = GrowableBuffer::<u64>::with_capacity(usize::MAX / 16);
        assert!(matches!(huge, Err(Error::Driver { .. })), "{huge:?}");
        let huge = GrowableBuffer::<u64>::with_capacity(usize::MAX / 8);
        assert!(matches!(huge, Err(Error::TooLarge { .. })), "{huge:?}");
    });
}

/// What is not mapped is found like any other bad access.
#[test]
fn an_access_to_unmapped_addresses() {
    let variables = [("PTYX_DEVICE", "emulator")];
    alone_with("growable::an_access_to_unmapped_addresses", &variables, || {
        let mut buffer = GrowableBuffer::<u32>::with_capacity(4 * MIB).unwrap();
        buffer.resize_zeroed(10).unwrap();
        let (to, mapped) = (buffer.device_address() as *mut u32, buffer.mapped());
        launch!(store<<<1, 1>>>(to, 9usize, 3)).unwrap();
        assert_eq!(buffer.to_vec().unwrap()[9], 3);
        let stream = Stream::new().unwrap();
        launch!(store<<<1, 1, 0, &stream>>>(to, mapped, 3)).unwrap();
        let error = stream.synchronize().unwrap_err().to_string();
        assert!(error.contains("invalid write of 4 bytes"), "{error}");
        let place = format!("{} bytes into 16777216 reserved bytes", 4 * mapped);
        assert!(error.contains(&place) && error.contains("no memory is mapped"), "{error}");
    });
}

/// Parts on two devices, used by both.
#[test]
fn a_buffer_on_two_devices() {
    let variables = [("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_DEVICES", "3")];
    alone_with("growable::a_buffer_on_two_devices", &variables, || {
        let devices = [0, 1].map(|index| Device::get(index).unwrap());
        let mut buffer = GrowableBuffer::<u32>::with_capacity_for(8 * MIB, &devices).unwrap();
        let len = buffer.granularity() / 4 + 100;
        buffer.reserve(1).unwrap();
        buffer.reserve_on_device(len, &devices[1]).unwrap();
        let places: Vec<u32> = buffer.parts().iter().map(|part| part.device).collect();
        assert_eq!(places, [0, 1]);
        buffer.resize(len, 1).unwrap();
        let streams = devices.map(|device| device.with(Stream::new).unwrap());
        for (by, stream) in [2u32, 3].into_iter().zip(&streams) {
            let numbers = DeviceBuffer::from_slice_on(&[by], stream).unwrap();
            launch!(add<<<64, 64, 0, stream>>>(&numbers, &mut buffer)).unwrap();
        }
        assert!(buffer.to_vec().unwrap().iter().all(|&number| number == 6));
        // Copies with memory of the second device, on its stream.
        let mut numbers = devices[1].with(|| DeviceBuffer::from_slice(&[7u32; 10])).unwrap();
        buffer.slice_mut(..10).copy_from_buffer_on(&numbers, &streams[1]).unwrap();
        numbers.copy_from_buffer_on(buffer.slice(5..15), &streams[1]).unwrap();
        assert_eq!(numbers.to_vec().unwrap(), [7, 7, 7, 7, 7, 6, 6, 6, 6, 6]);
        // The third device has no access.
        let third = Device::get(2).unwrap();
        let other = third.with(Stream::new).unwrap();
        let refused = buffer.fill_on(0, &other);
        assert!(matches!(refused, Err(Error::WrongDevice { .. })), "{refused:?}");
        let to = buffer.device_address() as *mut u32;
        launch!(store<<<1, 1, 0, &other>>>(to, 0usize, 3)).unwrap();
        assert!(matches!(other.synchronize(), Err(Error::Fault { .. })));
    });
}

/// A graph that has used the buffer can still be launched after it was shrunk.
#[test]
fn graphs_keep_the_memory() -> ptyx::Result<()> {
    let stream = Stream::new()?;
    let numbers = DeviceBuffer::from_slice(&[1u32, 2])?;
    let mut buffer = GrowableBuffer::<u32>::with_capacity(MIB)?;
    buffer.resize_zeroed(100)?;
    let graph =
        stream.capture(|stream| launch!(add<<<1, 32, 0, stream>>>(&numbers, &mut buffer)))?;
    let exec = graph.instantiate()?;
    exec.launch(&stream)?;
    assert_eq!(buffer.slice(..3).to_vec()?, [1, 2, 1]);
    buffer.clear();
    buffer.shrink_to_fit()?;
    assert!(buffer.mapped() > 0);
    drop(buffer);
    exec.launch(&stream)?;
    stream.synchronize()
}

/// What a mutable reference to the buffer inside allows is harmless.
#[test]
fn another_buffer_in_its_place() -> ptyx::Result<()> {
    let mut buffer = GrowableBuffer::<u32>::with_capacity(MIB)?;
    buffer.extend_from_slice(&[1, 2, 3])?;
    let mut other = DeviceBuffer::from_slice(&[4u32, 5])?;
    core::mem::swap(&mut *buffer, &mut other);
    assert!(matches!(buffer.extend_from_slice(&[6]), Err(Error::OverCapacity { .. })));
    buffer.truncate(1);
    buffer.shrink_to_fit()?;
    assert_eq!((buffer.to_vec()?, other.to_vec()?), (vec![4], vec![1, 2, 3]));
    Ok(())
}
