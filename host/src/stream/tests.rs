//! Functions of the host, options, identity. On the emulated device, or on a GPU if there is one.

use super::{Stream, StreamOptions, SyncPolicy};
use crate::driver::Failure;
use crate::driver::host_function::{Inside, run};
use crate::driver::types::*;
use crate::launch::tests::alone;
use crate::launch::tests::environment::{child_at, is_child};
use crate::{
    AccessKind, AccessPolicy, Device, DeviceBuffer, Error, Event, LaunchConfig, Module,
    PinnedBuffer,
};
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
fn streams_say_whether_the_legacy_stream_waits() {
    for (asked, flags) in [(false, 1), (true, 0)] {
        let stream = Stream::with(&StreamOptions::new().blocking(asked)).unwrap();
        assert_eq!((stream.flags().unwrap(), stream.is_blocking().unwrap()), (flags, asked));
    }
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
        while stream.0.counters(stream.0.host_functions()).0.load(Ordering::Relaxed) != 0 {
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

/// A function that is told how the work ended: once, in the stream's order.
#[test]
fn on_done_is_called_once_in_order() {
    let _alone = alone();
    let stream = Stream::new().unwrap();
    let mut buffer = DeviceBuffer::<u32>::zeroed(1000).unwrap();
    let order = Arc::new(Mutex::new(Vec::new()));
    for number in 0..10 {
        buffer.fill_on(number, &stream).unwrap();
        let (order, inside) = (order.clone(), stream.clone());
        let function = move |done: crate::Result<()>| {
            let refused = matches!(inside.is_idle(), Err(Error::InHostFunction { .. }));
            order.lock().unwrap().push((number, done.is_ok(), refused));
        };
        stream.on_done(function).unwrap();
    }
    stream.synchronize().unwrap();
    assert_eq!(*order.lock().unwrap(), (0..10).map(|n| (n, true, true)).collect::<Vec<_>>());
    assert_eq!(Arc::strong_count(&order), 1, "what they own is dropped");
    // A panic is told by who waits.
    stream.on_done(|_| panic!("in on_done")).unwrap();
    match stream.synchronize() {
        Err(Error::HostPanic { message }) => assert_eq!(message, "in on_done"),
        other => panic!("{other:?}"),
    }
    // Not in a capture; then it is dropped.
    let owned = order.clone();
    let captured = stream.capture(|stream| stream.on_done(move |_| drop(owned)));
    assert!(matches!(captured, Err(Error::Capture(_))), "{captured:?}");
    assert_eq!(Arc::strong_count(&order), 1);
}

/// After a fault it is called, too, with the error, which stays for who waits. In a process of its own.
#[test]
fn on_done_is_called_after_a_fault() {
    if !is_child() {
        for asynchronous in ["0", "1"] {
            let test = "stream::tests::on_done_is_called_after_a_fault";
            child_at(test, &[("PTYX_EMULATOR_ASYNC", asynchronous)]);
        }
        return;
    }
    let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry fault()
        { .reg .b64 %rd; mov.u64 %rd, 64; st.global.u32 [%rd], 1; ret; }";
    let fault = Module::from_ptx(ptx).unwrap().function("fault").unwrap();
    let stream = Stream::new().unwrap();
    // SAFETY: it is not safe: the device must notice.
    unsafe { fault.launch(LaunchConfig::new().stream(&stream), ()) }.unwrap();
    let (sender, receiver) = channel();
    let called = Arc::new(AtomicU32::new(0));
    let counted = called.clone();
    let told = stream.on_done(move |done| {
        counted.fetch_add(1, Ordering::SeqCst);
        sender.send(done).unwrap();
    });
    match told {
        Ok(()) => {
            let done = receiver.recv_timeout(Duration::from_secs(60)).expect("it is called");
            let Err(Error::Fault { code, report, .. }) = done else { panic!("{done:?}") };
            assert_eq!((code, report), (CUDA_ERROR_ILLEGAL_ADDRESS, None));
            assert!(matches!(stream.synchronize(), Err(Error::Fault { .. })));
            assert_eq!(called.load(Ordering::SeqCst), 1);
        }
        // A GPU may have noticed before the call.
        Err(error) => {
            assert!(matches!(error, Error::Fault { .. }), "{error}");
            assert!(!Device::current().unwrap().is_emulated(), "{error}");
            assert!(receiver.recv().is_err(), "it was dropped");
        }
    }
}

#[test]
fn policies_are_read_back() {
    let (stream, other) = (Stream::new().unwrap(), Stream::new().unwrap());
    let mut buffer = DeviceBuffer::<u32>::filled(1000, 3).unwrap();
    for policy in [SyncPolicy::Spin, SyncPolicy::Yield, SyncPolicy::Blocking, SyncPolicy::Auto] {
        stream.set_sync_policy(policy).unwrap();
        assert_eq!(stream.sync_policy().unwrap(), policy);
        other.copy_attributes(&stream).unwrap();
        assert_eq!(other.sync_policy().unwrap(), policy);
        // Whichever way it waits, it waits until the work is done.
        buffer.fill_on(policy as u32, &stream).unwrap();
        stream.synchronize().unwrap();
        assert!(stream.is_idle().unwrap());
        assert_eq!(buffer.to_vec().unwrap(), [policy as u32; 1000]);
    }
    let kinds = [AccessKind::Normal, AccessKind::Streaming, AccessKind::Persisting];
    let ratios = [0.0, 0.25, 1.0];
    assert_eq!(stream.access_policy().unwrap(), None);
    for (hit, ratio) in kinds.into_iter().flat_map(|hit| ratios.map(|ratio| (hit, ratio))) {
        for miss in [AccessKind::Normal, AccessKind::Streaming] {
            let policy = AccessPolicy::of(buffer.slice(64..), hit).hit_ratio(ratio, miss);
            stream.set_access_policy(Some(&policy)).unwrap();
            let found = stream.access_policy().unwrap().expect("one is set");
            assert_eq!((found.kinds(), found.ratio()), ((hit, miss), ratio));
            assert_eq!(found.device_address(), buffer.device_address() + 256);
            // A driver may make it smaller.
            assert!(found.bytes() > 0 && found.bytes() <= 936 * 4, "{found:?}");
        }
    }
    // Values are the same with any policy, and after all lines are normal again.
    buffer.fill_on(77, &stream).unwrap();
    Device::current().unwrap().reset_persisting_l2().unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [77; 1000]);
    let policy = AccessPolicy::of(&buffer, AccessKind::Normal);
    for wrong in [
        policy.hit_ratio(1.5, AccessKind::Normal),
        policy.hit_ratio(-0.5, AccessKind::Normal),
        policy.hit_ratio(0.5, AccessKind::Persisting),
    ] {
        let refused = stream.set_access_policy(Some(&wrong));
        assert!(matches!(refused, Err(Error::Driver { code: 1, .. })), "{wrong:?}: {refused:?}");
    }
    stream.set_access_policy(None).unwrap();
    assert_eq!(stream.access_policy().unwrap(), None);
}

/// However many launches were overtaken, whoever waits for one of them waits for all of its panics.
#[test]
fn no_overtaken_launch_is_forgotten() {
    let stream = Stream::new().unwrap();
    let (count, inner) = (10 * super::OVERTAKEN as u64, &stream.0);
    // Each has noted its uses with the number that the one before it has.
    (1..=count).for_each(|noted| inner.overtake(noted, noted + 1));
    for noted in 1..=count {
        assert!(inner.last_of(noted, noted) > noted, "{noted}");
    }
    // The newest ones are known exactly, and others are not affected.
    assert_eq!(inner.last_of(count - 5, count - 4), count - 3);
    assert_eq!(inner.last_of(count + 2, count + 9), count + 9);
    assert_eq!(inner.overtaken.lock().unwrap().len(), super::OVERTAKEN);
}
