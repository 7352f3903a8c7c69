//! Memory and streams of another library: here, of other values of Ptyx, and of the driver alone.

use ptyx::prelude::*;
use ptyx::{Device, Error};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

#[kernel]
fn add_one(mut numbers: Disjoint<u32>) {
    for i in thread::grid_stride(numbers.len()) {
        numbers[i] += 1;
    }
}

/// Notes when it is dropped.
struct Noting<T>(#[allow(dead_code)] T, Arc<AtomicU32>);

impl<T> Drop for Noting<T> {
    fn drop(&mut self) {
        self.1.fetch_add(1, Ordering::SeqCst);
    }
}

/// A thread of Ptyx gives back what graphs and streams still used.
fn wait_for_drop(drops: &AtomicU32) {
    let start = std::time::Instant::now();
    while drops.load(Ordering::SeqCst) == 0 {
        assert!(start.elapsed() < Duration::from_secs(10));
        std::thread::yield_now();
    }
    assert_eq!(drops.load(Ordering::SeqCst), 1);
}

/// Memory of `host`'s numbers, as another library's: a buffer, and how often its owner was dropped.
fn foreign(host: &[u32], stream: &Stream) -> (DeviceBuffer<u32>, Arc<AtomicU32>) {
    let memory = DeviceBuffer::from_slice_on(host, stream).unwrap();
    let (address, drops) = (memory.device_address(), Arc::new(AtomicU32::new(0)));
    let owner = Noting(memory, drops.clone());
    // SAFETY: the owner keeps the memory, which nobody else uses.
    let buffer = unsafe { DeviceBuffer::from_raw_on(address, host.len(), stream, owner) };
    (buffer.unwrap(), drops)
}

#[test]
fn memory_of_others_is_a_buffer() {
    let (stream, other) = (Stream::new().unwrap(), Stream::new().unwrap());
    let (mut buffer, drops) = foreign(&[1, 2, 3, 4], &stream);
    launch!(add_one<<<1, 32, 0, &other>>>(&mut buffer)).unwrap();
    launch!(add_one<<<1, 32>>>(&mut buffer.slice_mut(1..3))).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [2, 4, 5, 5]);
    assert_eq!(buffer.try_clone().unwrap().to_vec().unwrap(), [2, 4, 5, 5]);
    assert_eq!(drops.load(Ordering::SeqCst), 0);
    drop(buffer);
    assert_eq!(drops.load(Ordering::SeqCst), 1);
}

/// The owner's stream waits for the buffer's users, and they for it.
#[test]
fn the_stream_orders_both_sides() {
    for _ in 0..20 {
        let (stream, other) = (Stream::new().unwrap(), Stream::new().unwrap());
        let mut memory = DeviceBuffer::from_slice_on(&[0u32; 1000], &stream).unwrap();
        let address = memory.device_address();
        let mut result = DeviceBuffer::<u32>::zeroed_on(1000, &stream).unwrap();
        stream.sleep(Duration::from_micros(300)).unwrap();
        memory.fill_on(7, &stream).unwrap();
        // SAFETY: the memory is used elsewhere only in the stream's order, and lives longer.
        let mut buffer =
            unsafe { DeviceBuffer::<u32>::from_raw_on(address, 1000, &stream, ()).unwrap() };
        other.sleep(Duration::from_micros(300)).unwrap();
        launch!(add_one<<<4, 256, 0, &other>>>(&mut buffer)).unwrap();
        drop(buffer);
        result.copy_from_buffer_on(&memory, &stream).unwrap();
        assert_eq!(result.to_vec().unwrap(), [8; 1000]);
    }
}

#[test]
fn a_graph_keeps_memory_of_others() {
    let stream = Stream::new().unwrap();
    let (mut buffer, drops) = foreign(&[5; 10], &Stream::new().unwrap());
    let graph = stream.capture(|stream| buffer.fill_on(6, stream)).unwrap();
    let exec = graph.instantiate().unwrap();
    drop((buffer, graph));
    exec.launch(&stream).unwrap();
    assert_eq!(drops.load(Ordering::SeqCst), 0);
    stream.synchronize().unwrap();
    drop(exec);
    wait_for_drop(&drops);
}

/// Another library's work on a buffer comes after what was done before, and before what is done later.
#[test]
fn work_of_others_on_lent_memory() {
    for _ in 0..20 {
        let (theirs, first, last) =
            (Stream::new().unwrap(), Stream::new().unwrap(), Stream::new().unwrap());
        let mut numbers = DeviceBuffer::<u32>::zeroed(1000).unwrap();
        let mut copy = DeviceBuffer::<u32>::zeroed(1000).unwrap();
        first.sleep(Duration::from_micros(200)).unwrap();
        numbers.fill_on(4, &first).unwrap();
        // SAFETY: only for the work of this stream, in its order.
        let buffer = |address| unsafe {
            DeviceBuffer::<u32>::from_raw_on(address, 1000, &theirs, ()).unwrap()
        };
        let lent = numbers.lend_mut_on(&theirs, |address| {
            theirs.sleep(Duration::from_micros(200)).unwrap();
            launch!(add_one<<<4, 256, 0, &theirs>>>(&mut buffer(address)))
        });
        lent.unwrap().unwrap();
        launch!(add_one<<<4, 256, 0, &last>>>(&mut numbers)).unwrap();
        let read = numbers.lend_on(&theirs, |address| {
            theirs.sleep(Duration::from_micros(200)).unwrap();
            copy.copy_from_buffer_on(&buffer(address), &theirs)
        });
        read.unwrap().unwrap();
        numbers.fill_on(100, &last).unwrap();
        assert_eq!(copy.to_vec().unwrap(), [6; 1000]);
        assert_eq!(numbers.to_vec().unwrap(), [100; 1000]);
    }
}

#[test]
fn what_cannot_be_memory_is_refused() {
    let stream = Stream::default().unwrap();
    // On that stream, since reads of a foreign buffer do not wait for others.
    let memory = DeviceBuffer::<u32>::zeroed_on(4, &stream).unwrap();
    let address = memory.device_address();
    // SAFETY: nothing is made.
    let at = |address, len| unsafe { DeviceBuffer::<u32>::from_raw_on(address, len, &stream, ()) };
    for wrong in [at(address + 2, 1), at(0, 1)] {
        let error = wrong.unwrap_err();
        assert!(matches!(error, Error::Foreign { .. }), "{error}");
        assert!(error.to_string().contains("is no place for `u32`"), "{error}");
    }
    assert!(matches!(at(address, usize::MAX), Err(Error::TooLarge { .. })));
    assert!(at(0, 0).unwrap().to_vec().unwrap().is_empty());
    // Aligned for its elements only.
    let odd = at(address + 4, 3).unwrap();
    let error = odd.slice(..2).reinterpret::<u64>().unwrap_err();
    assert!(matches!(error, Error::Reinterpret { align: 8, .. }), "{error}");
    assert_eq!(odd.slice(1..).reinterpret::<u64>().unwrap().to_vec().unwrap(), [0]);
}

#[test]
fn streams_of_others() {
    let theirs = Stream::new().unwrap();
    let drops = Arc::new(AtomicU32::new(0));
    let owner = Noting(theirs.clone(), drops.clone());
    // SAFETY: the owner keeps the stream.
    let stream = unsafe { Stream::from_raw(theirs.raw(), owner).unwrap() };
    let mut buffer = DeviceBuffer::<u32>::zeroed(100).unwrap();
    launch!(add_one<<<1, 128, 0, &stream>>>(&mut buffer)).unwrap();
    // In order with what the other side does.
    theirs.sleep(Duration::from_micros(200)).unwrap();
    launch!(add_one<<<1, 128, 0, &stream>>>(&mut buffer)).unwrap();
    theirs.synchronize().unwrap();
    assert!(stream.is_idle().unwrap());
    assert_eq!(buffer.to_vec().unwrap(), [2; 100]);
    let graph = stream.capture(|stream| buffer.fill_on(9, stream)).unwrap();
    graph.instantiate().unwrap().launch(&stream).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [9; 100]);
    let clone = stream.clone();
    drop((stream, buffer, graph));
    assert_eq!(drops.load(Ordering::SeqCst), 0);
    drop(clone);
    wait_for_drop(&drops);
    // It was not destroyed.
    theirs.sleep(Duration::from_micros(10)).unwrap();
    theirs.synchronize().unwrap();
}

/// The driver's default stream, which is never destroyed.
#[test]
fn the_driver_s_default_stream() {
    let device = Device::current().unwrap();
    // SAFETY: null is the default stream.
    let stream = unsafe { Stream::from_raw(std::ptr::null_mut(), ()).unwrap() };
    let mut buffer = DeviceBuffer::<u32>::zeroed_on(10, &stream).unwrap();
    launch!(add_one<<<1, 32, 0, &stream>>>(&mut buffer)).unwrap();
    buffer.copy_from_slice(&buffer.to_vec().unwrap()).unwrap();
    stream.synchronize().unwrap();
    assert_eq!((stream.device_index(), buffer.to_vec().unwrap()), (device.index(), vec![1; 10]));
}
