//! Functions of the host, options, identity. On the emulated device, or on a GPU if there is one.

use super::{Stream, StreamOptions};
use crate::driver::Failure;
use crate::driver::host_function::{Inside, run};
use crate::driver::types::*;
use crate::launch::tests::alone;
use crate::{Device, DeviceBuffer, Error, Event, PinnedBuffer};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

#[test]
fn functions_run_once_in_the_streams_order() {
    let stream = Stream::new().unwrap();
    let order = Arc::new(Mutex::new(Vec::new()));
    for number in 0..20 {
        let order = order.clone();
        stream.on_host(move || order.lock().unwrap().push(number)).unwrap();
    }
    stream.synchronize().unwrap();
    assert_eq!(*order.lock().unwrap(), (0..20).collect::<Vec<_>>());
    assert_eq!(Arc::strong_count(&order), 1, "what they own is dropped");
}

#[test]
fn a_panic_is_reported_once_by_the_next_synchronisation() {
    let _alone = alone();
    let (stream, other) = (Stream::new().unwrap(), Stream::new().unwrap());
    let number = 7;
    stream.on_host(move || panic!("number {number}")).unwrap();
    other.synchronize().unwrap();
    match stream.synchronize() {
        Err(Error::HostPanic { message }) => assert_eq!(message, "number 7"),
        other => panic!("{other:?}"),
    }
    stream.synchronize().unwrap();
    // What is thrown need not be a text, and dropping it may panic, too.
    struct Bad;
    impl Drop for Bad {
        fn drop(&mut self) {
            panic!("again");
        }
    }
    stream.on_host(|| std::panic::panic_any(Bad)).unwrap();
    let error = stream.synchronize().unwrap_err().to_string();
    assert!(error.contains("not a string"), "{error}");
    stream.synchronize().unwrap();
}

/// A future of the stream reports it, too.
#[test]
fn a_panic_is_reported_by_a_future() {
    use core::future::Future;
    use core::task::{Context, Poll, Waker};
    let _alone = alone();
    let stream = Stream::new().unwrap();
    stream.on_host(|| panic!("for the future")).unwrap();
    let mut finished = core::pin::pin!(stream.finished());
    let mut context = Context::from_waker(Waker::noop());
    let result = loop {
        match finished.as_mut().poll(&mut context) {
            Poll::Ready(result) => break result,
            Poll::Pending => std::thread::yield_now(),
        }
    };
    match result {
        Err(Error::HostPanic { message }) => assert_eq!(message, "for the future"),
        other => panic!("{other:?}"),
    }
    stream.synchronize().unwrap();
}

#[test]
fn calls_from_inside_are_typed_errors() {
    let stream = Stream::new().unwrap();
    let own = stream.clone();
    let event = Event::new().unwrap();
    event.record(&stream).unwrap();
    let mut buffer = DeviceBuffer::from_slice(&[1, 2, 3]).unwrap();
    let (sender, receiver) = channel();
    let inside = move || {
        let results = [
            own.synchronize().err(),
            own.is_idle().err(),
            event.synchronize().err(),
            event.record(&own).err(),
            buffer.to_vec().err(),
            buffer.fill_on(1, &own).err(),
            buffer.copy_from_slice(&[4, 5, 6]).err(),
            DeviceBuffer::<u8>::zeroed(10).err(),
            PinnedBuffer::<u8>::zeroed(10).err(),
            Stream::new().err(),
            own.on_host(|| {}).err(),
            Device::current().and_then(|device| device.synchronize()).err(),
        ];
        sender.send((results, buffer)).unwrap();
    };
    stream.on_host(inside).unwrap();
    let (results, buffer) = receiver.recv().unwrap();
    for (number, result) in results.into_iter().enumerate() {
        let is_typed = matches!(result, Some(Error::InHostFunction { .. }));
        assert!(is_typed, "{number}: {result:?}");
    }
    stream.synchronize().unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [1, 2, 3], "nothing was done");
}

#[test]
fn pinned_memory_of_earlier_work_can_be_used() {
    let _alone = alone();
    let (stream, other) = (Stream::new().unwrap(), Stream::new().unwrap());
    for round in 0..20 {
        let numbers = DeviceBuffer::filled(1000, round).unwrap();
        let mut host = PinnedBuffer::<u32>::zeroed(1000).unwrap();
        numbers.copy_to_pinned_on(&mut host, &stream).unwrap();
        let (sender, receiver) = channel();
        stream.on_host(move || sender.send(host.iter().all(|&n| n == round)).unwrap()).unwrap();
        assert!(receiver.recv().unwrap());
    }
    // The copy of another stream may not be done: using it would have to wait.
    let numbers = DeviceBuffer::filled(1000, 3u32).unwrap();
    let mut host = PinnedBuffer::<u32>::zeroed(1000).unwrap();
    numbers.copy_to_pinned_on(&mut host, &other).unwrap();
    stream.on_host(move || drop(host.to_vec())).unwrap();
    let error = stream.synchronize().unwrap_err().to_string();
    assert!(error.contains("another stream"), "{error}");
}

/// Whether pinned memory can be read in a host function.
fn can_be_read(host: &PinnedBuffer<u32>, inside: Inside) -> bool {
    let mut read = false;
    run(inside, || read = catch_unwind(AssertUnwindSafe(|| host.to_vec())).is_ok());
    read
}

#[test]
fn what_comes_before_a_function_is_known_by_its_number() {
    let (stream, other) = (Stream::new().unwrap(), Stream::new().unwrap());
    let numbers = DeviceBuffer::filled(10, 3u32).unwrap();
    let mut host = PinnedBuffer::<u32>::zeroed(10).unwrap();
    let of = |stream: &Stream, number| Inside { stream: stream.0.id, number };
    numbers.copy_to_pinned_on(&mut host, &stream).unwrap();
    let after = stream.0.next_host_function();
    assert!(after.is_some());
    assert!(!can_be_read(&host, of(&stream, None)), "not known to be after the copy");
    assert!(!can_be_read(&host, of(&other, after)), "another stream's function");
    assert!(can_be_read(&host, of(&stream, after)));
    // The same memory again, behind the function. The note of the earlier copy is only updated.
    numbers.copy_to_pinned_on(&mut host, &stream).unwrap();
    assert!(!can_be_read(&host, of(&stream, after)));
    let after = stream.0.next_host_function();
    assert!(can_be_read(&host, of(&stream, after)));
    // A call that has noted its use but not yet given its work to the stream is waited for, but not forever.
    let entry = stream.enter();
    assert_eq!(stream.0.next_host_function(), None);
    assert_eq!(stream.0.next_host_function(), None, "still there, on either counter");
    drop(entry);
    assert!(stream.0.next_host_function().is_some());
    // One that begins later is not waited for.
    let entry = stream.enter();
    std::thread::scope(|scope| {
        let next = scope.spawn(|| stream.0.next_host_function());
        while stream.0.counter().load(Ordering::Relaxed) != 0 {
            std::thread::yield_now(); // until calls count on the other counter
        }
        let _later = stream.enter();
        drop(entry);
        assert!(next.join().unwrap().is_some());
    });
}

#[test]
fn what_is_dropped_inside_is_freed() {
    let stream = Stream::new().unwrap();
    let buffer = DeviceBuffer::<u8>::zeroed(1 << 20).unwrap();
    let pinned = PinnedBuffer::<u8>::zeroed(1 << 10).unwrap();
    let (inner, event) = (Stream::new().unwrap(), Event::new().unwrap());
    event.record(&inner).unwrap();
    let (their_stream, their_event) = (CUstream(inner.raw()), CUevent(event.raw()));
    stream.on_host(move || drop((buffer, pinned, event, inner))).unwrap();
    stream.synchronize().unwrap();
    let context = stream.context();
    if !context.driver.is_emulated() {
        return; // A GPU's driver need not know what was destroyed.
    }
    let is_gone = |result: Result<(), Failure>| {
        result.is_err_and(|failure| failure.code == CUDA_ERROR_INVALID_HANDLE)
    };
    let start = Instant::now();
    loop {
        // SAFETY: the emulated device knows handles of what was destroyed.
        let (stream, event) = unsafe {
            (context.driver.cuStreamQuery(their_stream), context.driver.cuEventQuery(their_event))
        };
        if is_gone(stream) && is_gone(event) {
            return;
        }
        assert!(start.elapsed().as_secs() < 20, "{stream:?} {event:?}");
        std::thread::yield_now();
    }
}

#[test]
fn threads_that_use_one_stream_at_once() {
    let stream = Stream::new().unwrap();
    let sum = Arc::new(AtomicU32::new(0));
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (stream, sum) = (&stream, &sum);
            scope.spawn(move || {
                let numbers = DeviceBuffer::filled(10, thread).unwrap();
                for _ in 0..50 {
                    let mut host = PinnedBuffer::<u32>::zeroed(10).unwrap();
                    numbers.copy_to_pinned_on(&mut host, stream).unwrap();
                    let sum = sum.clone();
                    let add = move || _ = sum.fetch_add(host.iter().sum(), Ordering::Relaxed);
                    stream.on_host(add).unwrap();
                }
            });
        }
    });
    stream.synchronize().unwrap();
    assert_eq!(sum.load(Ordering::Relaxed), 50 * 10 * (1 + 2 + 3));
}

#[test]
#[allow(clippy::mutable_key_type)] // what is hashed never changes
fn streams_and_events_are_keys() {
    let (first, second) = (Stream::new().unwrap(), Stream::new().unwrap());
    assert!(first == first.clone() && first != second);
    let streams: HashSet<_> = [&first, &second, &first].into_iter().cloned().collect();
    assert_eq!(streams.len(), 2);
    assert!(first.raw() == first.clone().raw() && first.raw() != second.raw());

    let (start, end) = (Event::new().unwrap(), Event::new().unwrap());
    assert!(start == start.clone() && start != end && start.raw() != end.raw());
    let events: HashSet<_> = [&start, &end, &start].into_iter().cloned().collect();
    assert_eq!(events.len(), 2);
    // A clone is the same event: it is recorded when the original is.
    let clone = end.clone();
    end.record(&first).unwrap();
    assert!(clone.is_recorded() && !start.is_recorded());
    let never = Event::elapsed(&start, &end).unwrap_err().to_string();
    assert!(never.contains("never recorded"), "{never}");

    let devices: HashSet<_> = Device::all().unwrap().into_iter().chain(Device::current()).collect();
    assert_eq!(devices.len() as u32, Device::count().unwrap());
}

#[test]
fn priorities_are_clamped_to_the_devices_range() {
    let range = Device::current().unwrap().stream_priorities().unwrap();
    for asked in [i32::MIN, -1, 0, 3, i32::MAX] {
        let stream = Stream::with(&StreamOptions::new().priority(asked)).unwrap();
        assert_eq!(stream.priority().unwrap(), asked.clamp(*range.start(), *range.end()));
        assert!(!stream.is_blocking().unwrap());
    }
}

#[test]
fn sleep_takes_its_time_in_order() {
    let stream = Stream::new().unwrap();
    let (start, end) = (Event::new().unwrap(), Event::new().unwrap());
    start.record(&stream).unwrap();
    stream.sleep(Duration::from_millis(3)).unwrap();
    stream.sleep(Duration::from_millis(4)).unwrap();
    end.record(&stream).unwrap();
    // The clocks of events and of kernels may differ a little.
    let time = Event::elapsed(&start, &end).unwrap();
    assert!((Duration::from_micros(6900)..Duration::from_secs(30)).contains(&time), "{time:?}");
    stream.sleep(Duration::ZERO).unwrap();
    stream.synchronize().unwrap();
}
