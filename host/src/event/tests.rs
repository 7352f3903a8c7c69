//! Events as futures. On the emulated device, or on a GPU if there is one.

use crate::launch::tests::environment::{child_at, is_child};
use crate::{Device, DeviceBuffer, Error, Event, EventOptions, Stream};
use core::future::{Future, IntoFuture};
use core::pin::{Pin, pin};
use core::sync::atomic::{AtomicU32, Ordering};
use core::task::{Context, Poll, Waker};
use std::sync::mpsc::channel;
use std::sync::{Arc, Condvar, Mutex};
use std::task::Wake;
use std::time::{Duration, Instant};

/// Counts how often it wakes.
#[derive(Default)]
struct Woken {
    count: AtomicU32,
    awake: (Mutex<()>, Condvar),
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.count.fetch_add(1, Ordering::SeqCst);
        let _locked = self.awake.0.lock().unwrap();
        self.awake.1.notify_all();
    }
}

impl Woken {
    fn count(&self) -> u32 {
        self.count.load(Ordering::SeqCst)
    }

    /// Polls a future until it is ready, only after it has been woken. At most a minute passes between two polls.
    fn run<F: Future>(self: &Arc<Self>, mut future: Pin<&mut F>) -> F::Output {
        let waker = Waker::from(self.clone());
        loop {
            let before = self.count();
            match future.as_mut().poll(&mut Context::from_waker(&waker)) {
                Poll::Ready(output) => return output,
                Poll::Pending => {
                    let locked = self.awake.0.lock().unwrap();
                    let wait = |_: &mut ()| self.count() == before;
                    let minute = Duration::from_secs(60);
                    let (_locked, over) =
                        self.awake.1.wait_timeout_while(locked, minute, wait).unwrap();
                    assert!(!over.timed_out(), "nobody woke the task");
                }
            }
        }
    }
}

/// What a future says at once.
fn poll_once<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

fn streams_that_exist() -> usize {
    ptyx_emulator::driver::live().streams
}

/// In a process of its own, where the emulated device puts work off; it also counts streams.
#[test]
fn a_pending_event_wakes_its_task_or_is_dropped() {
    if !is_child() {
        let test = "event::tests::a_pending_event_wakes_its_task_or_is_dropped";
        child_at(test, &[("PTYX_EMULATOR_ASYNC", "1")]);
        return;
    }
    let is_emulated = Device::current().unwrap().is_emulated();
    let (stream, event) = (Stream::new().unwrap(), Event::new().unwrap());
    let mut buffer = DeviceBuffer::<u32>::zeroed(1000).unwrap();
    Stream::default().unwrap().synchronize().unwrap();
    let before = streams_that_exist();
    for round in 1..=4 {
        let (release, released) = channel::<()>();
        stream
            .on_host(move || {
                let _ = released.recv();
            })
            .unwrap();
        buffer.fill_on(round, &stream).unwrap();
        event.record(&stream).unwrap();
        let woken = Arc::new(Woken::default());
        let waker = Waker::from(woken.clone());
        let mut pending = pin!((&event).into_future());
        // Others are dropped: before they are polled, while they are pending, and after the event was reached.
        drop(event.finished());
        let (mut dropped, mut late) = (Box::pin(event.finished()), Box::pin(event.finished()));
        for future in [pending.as_mut(), dropped.as_mut(), late.as_mut()] {
            assert!(future.poll(&mut Context::from_waker(&waker)).is_pending());
        }
        drop(dropped);
        assert!(!event.is_done().unwrap());
        assert_eq!(woken.count(), 0);
        release.send(()).unwrap();
        woken.run(pending.as_mut()).unwrap();
        assert!(woken.count() >= 1 && event.is_done().unwrap());
        drop(late);
        assert_eq!(buffer.to_vec().unwrap(), [round; 1000]);
    }
    // Each future has had a stream, and given it back; `pending` of the last round is dropped, too.
    stream.synchronize().unwrap();
    Device::current().unwrap().synchronize().unwrap();
    assert!(!is_emulated || streams_that_exist() == before, "{}", streams_that_exist());
}

/// An event that was reached, or never recorded, is ready at once; after its end, a future stays ready.
#[test]
fn what_is_done_is_ready_at_once() {
    let (stream, event) = (Stream::new().unwrap(), Event::new().unwrap());
    assert!(matches!(poll_once(pin!(event.finished())), Poll::Ready(Ok(()))));
    event.record(&stream).unwrap();
    stream.synchronize().unwrap();
    let mut finished = pin!(event.finished());
    for _ in 0..2 {
        assert!(matches!(poll_once(finished.as_mut()), Poll::Ready(Ok(()))));
    }
}

/// Recording the event again does not move what a future waits for.
#[test]
fn a_future_waits_for_the_point_where_the_event_was() {
    if !is_child() {
        let test = "event::tests::a_future_waits_for_the_point_where_the_event_was";
        child_at(test, &[("PTYX_EMULATOR_ASYNC", "1")]);
        return;
    }
    let (first, second) = (Stream::new().unwrap(), Stream::new().unwrap());
    let event = Event::new().unwrap();
    let mut buffer = DeviceBuffer::<u32>::zeroed(1000).unwrap();
    let (release, released) = channel::<()>();
    first
        .on_host(move || {
            let _ = released.recv();
        })
        .unwrap();
    buffer.fill_on(5, &first).unwrap();
    event.record(&first).unwrap();
    let mut finished = pin!(event.finished());
    let woken = Arc::new(Woken::default());
    // Where nothing is before it.
    event.record(&second).unwrap();
    second.synchronize().unwrap();
    assert!(matches!(poll_once(pin!(event.finished())), Poll::Ready(Ok(()))));
    assert!(poll_once(finished.as_mut()).is_pending());
    release.send(()).unwrap();
    woken.run(finished.as_mut()).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [5; 1000]);
}

#[test]
fn an_event_of_a_capture_is_an_error() {
    let (stream, event) = (Stream::new().unwrap(), Event::new().unwrap());
    let mut buffer = DeviceBuffer::<u32>::zeroed(10).unwrap();
    let graph = stream.capture(|stream| {
        buffer.fill_on(1, stream)?;
        event.record(stream)
    });
    drop(graph.unwrap());
    let failed = poll_once(pin!(event.finished()));
    assert!(matches!(failed, Poll::Ready(Err(Error::Capture(_)))), "{failed:?}");
}

/// The first event has not been reached while the second one has: no time, and the reason says so.
#[test]
fn there_is_no_time_before_both_are_reached() {
    if !is_child() {
        let test = "event::tests::there_is_no_time_before_both_are_reached";
        child_at(test, &[("PTYX_EMULATOR_ASYNC", "1")]);
        return;
    }
    let (held, free) = (Stream::new().unwrap(), Stream::new().unwrap());
    let (start, end) = (Event::new().unwrap(), Event::new().unwrap());
    let (release, released) = channel::<()>();
    held.on_host(move || {
        let _ = released.recv();
    })
    .unwrap();
    start.record(&held).unwrap();
    end.record(&free).unwrap();
    match Event::elapsed(&start, &end) {
        Err(Error::EventTime { reason }) => {
            assert!(reason.contains("not been reached"), "{reason}")
        }
        other => panic!("{other:?}"),
    }
    release.send(()).unwrap();
    start.synchronize().unwrap();
    assert!(Event::elapsed(&end, &start).is_ok());
}

/// A wait that sleeps ends when the work does, and not before.
#[test]
fn a_blocking_wait_waits() {
    if !is_child() {
        child_at("event::tests::a_blocking_wait_waits", &[("PTYX_EMULATOR_ASYNC", "1")]);
        return;
    }
    let stream = Stream::new().unwrap();
    let event = Event::with(&EventOptions::new().blocking_sync(true)).unwrap();
    let mut buffer = DeviceBuffer::<u32>::zeroed(1000).unwrap();
    for round in 1..=3 {
        let (release, released) = channel::<()>();
        stream
            .on_host(move || {
                let _ = released.recv();
            })
            .unwrap();
        buffer.fill_on(round, &stream).unwrap();
        event.record(&stream).unwrap();
        let start = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                release.send(()).unwrap();
            });
            event.synchronize().unwrap();
        });
        assert!(start.elapsed() >= Duration::from_millis(20));
        assert!(event.is_done().unwrap());
        assert_eq!(buffer.to_vec().unwrap(), [round; 1000]);
    }
}
