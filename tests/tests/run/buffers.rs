//! Device memory: making it, copying both ways, parts, filling.

use ptyx::prelude::*;
use ptyx_tests::rng;

#[test]
fn copies_both_ways() {
    let mut rng = rng();
    for len in [0usize, 1, 3, 1000, 100_000] {
        let x = rng.vec(len, |rng| rng.next_u64());
        let mut buffer = DeviceBuffer::from_slice(&x).unwrap();
        assert_eq!((buffer.len(), buffer.is_empty()), (len, len == 0));
        assert_eq!(buffer.to_vec().unwrap(), x);
        let y = rng.vec(len, |rng| rng.next_u64());
        buffer.copy_from_slice(&y).unwrap();
        let mut back = vec![0; len];
        buffer.copy_to_slice(&mut back).unwrap();
        assert_eq!(back, y);
        let mut other = DeviceBuffer::zeroed(len).unwrap();
        other.copy_from_buffer(&buffer).unwrap();
        assert_eq!(other.to_vec().unwrap(), y);
    }
}

#[test]
fn filling() {
    let mut rng = rng();
    let value = rng.next_u64();
    assert_eq!(DeviceBuffer::<u16>::zeroed(77).unwrap().to_vec().unwrap(), [0; 77]);
    assert_eq!(DeviceBuffer::filled(77, value as u8).unwrap().to_vec().unwrap(), [value as u8; 77]);
    let mut wide = DeviceBuffer::filled(77, [value, !value, 3]).unwrap();
    assert_eq!(wide.to_vec().unwrap(), [[value, !value, 3]; 77]);
    wide.fill([1, 2, value]).unwrap();
    assert_eq!(wide.to_vec().unwrap(), [[1, 2, value]; 77]);
    let mut floats = DeviceBuffer::<f32>::zeroed(10).unwrap();
    floats.slice_mut(3..7).fill(-1.5).unwrap();
    assert_eq!(floats.to_vec().unwrap(), [0.0, 0.0, 0.0, -1.5, -1.5, -1.5, -1.5, 0.0, 0.0, 0.0]);
}

/// Memory that starts uninitialised: what is written is what is read.
#[test]
fn uninitialised_memory() {
    let mut rng = rng();
    let stream = Stream::new().unwrap();
    for len in [0, 1, 777] {
        let (first, second) = (rng.vec(len, |rng| rng.next_u64()), rng.next_u64());
        // SAFETY: the copy and the fill write all elements before they are read.
        let (mut now, mut later) = unsafe {
            let now = DeviceBuffer::<u64>::uninitialized(len).unwrap();
            (now, DeviceBuffer::<u64>::uninitialized_on(len, &stream).unwrap())
        };
        now.copy_from_slice(&first).unwrap();
        later.fill_on(second, &stream).unwrap();
        assert_eq!((now.to_vec().unwrap(), later.to_vec().unwrap()), (first, vec![second; len]));
    }
}

#[test]
fn parts() {
    let x: Vec<u32> = (0..100).collect();
    let mut buffer = DeviceBuffer::from_slice(&x).unwrap();
    assert_eq!(buffer.slice(10..20).to_vec().unwrap(), x[10..20]);
    assert_eq!(buffer.slice(..).len(), 100);
    assert!(buffer.slice(100..).is_empty());
    buffer.slice_mut(40..).copy_from_slice(&[7; 60]).unwrap();
    let got = buffer.to_vec().unwrap();
    assert_eq!((&got[..40], &got[40..]), (&x[..40], &[7; 60][..]));
}

/// A wrong length is an error with both lengths, and changes nothing.
#[test]
fn lengths_must_fit() {
    let mut buffer = DeviceBuffer::from_slice(&[1u32, 2, 3]).unwrap();
    let error = buffer.copy_from_slice(&[9; 4]).unwrap_err().to_string();
    assert!(error.contains('3') && error.contains('4'), "{error}");
    let error = buffer.copy_to_slice(&mut [0; 2]).unwrap_err().to_string();
    assert!(error.contains('3') && error.contains('2'), "{error}");
    assert_eq!(buffer.to_vec().unwrap(), [1, 2, 3]);
}

#[test]
fn too_much_memory_is_an_error() {
    let error = DeviceBuffer::<u64>::zeroed(usize::MAX / 4).unwrap_err().to_string();
    assert!(!error.is_empty(), "{error}");
    let error = DeviceBuffer::<u8>::zeroed(1 << 48).unwrap_err().to_string();
    assert!(error.contains("MEMORY") || error.contains("memory"), "{error}");
    DeviceBuffer::<u8>::zeroed(16).unwrap();
}

#[test]
fn pinned_memory() {
    let mut rng = rng();
    let stream = Stream::new().unwrap();
    let x = rng.vec(5000, |rng| rng.next_u32());
    let from = PinnedBuffer::from_slice(&x).unwrap();
    let mut to = PinnedBuffer::<u32>::zeroed(5000).unwrap();
    let mut buffer = DeviceBuffer::zeroed(5000).unwrap();
    buffer.copy_from_pinned_on(&from, &stream).unwrap();
    buffer.copy_to_pinned_on(&mut to, &stream).unwrap();
    // Reading waits for the copy.
    assert_eq!(to[..], x[..]);
    assert_eq!(from[..], x[..]);
}

#[test]
fn device_properties() {
    let device = Device::current().unwrap();
    assert!(!device.name().is_empty());
    assert!(device.total_memory().unwrap() > 0);
    let attributes = device.attributes().unwrap();
    assert_eq!(attributes.warp_size, 32);
    assert!(attributes.max_threads_per_block >= 1024);
    for (threads, want) in [(1, 32), (32, 32), (33, 64), (1000, 1024)] {
        assert_eq!(device.nearest_warpsize(threads).unwrap(), want);
    }
    assert!(Device::get(Device::count().unwrap()).is_err());
    assert_eq!(Device::all().unwrap().len() as u32, Device::count().unwrap());
}

/// What a kernel writes as words is read as bytes, and the other way round.
#[test]
fn bytes_as_other_elements() {
    let mut rng = rng();
    let words = rng.vec(37, |rng| rng.next_u32());
    let mut buffer = DeviceBuffer::from_slice(&words).unwrap();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(buffer.reinterpret::<u8>().unwrap().to_vec().unwrap(), bytes);
    let part = buffer.slice(1..13).reinterpret::<[f32; 3]>().unwrap();
    assert_eq!(part.len(), 4);
    assert_eq!(part.to_vec().unwrap()[1][2].to_bits(), words[6]);
    buffer.slice_mut(2..4).reinterpret_mut::<u64>().unwrap().fill(1 << 40 | 3).unwrap();
    assert_eq!(buffer.to_vec().unwrap()[1..5], [words[1], 3, 1 << 8, words[4]]);
    // No whole number of elements, not aligned, of no size.
    let error = buffer.reinterpret::<u64>().unwrap_err().to_string();
    assert!(error.contains("148 bytes") && error.contains("u64"), "{error}");
    let error = buffer.slice(1..3).reinterpret::<u64>().unwrap_err().to_string();
    assert!(error.contains("from byte 4"), "{error}");
    assert!(buffer.slice(..0).reinterpret::<[u8; 0]>().is_err());
    assert_eq!(buffer.slice(..0).reinterpret::<u128>().unwrap().len(), 0);
}
