//! Events of one device that streams of others wait for.

use ptyx::prelude::*;
use ptyx::{Error, Event};
use ptyx_device_tests::{on_devices, rng};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// What host functions of several streams have seen, in order.
#[derive(Clone, Default)]
struct Order(Arc<AtomicUsize>);

impl Order {
    /// On `stream`, it must be the turn of `number`.
    fn expect(&self, number: usize, stream: &Stream) -> ptyx::Result<()> {
        let order = self.0.clone();
        stream.on_host(move || {
            let before = order.swap(number + 1, Ordering::SeqCst);
            assert_eq!(before, number, "a stream did not wait");
        })
    }
}

/// A chain of work through all devices: each waits for the one before it by an event only, as no buffer orders them.
#[test]
fn streams_wait_for_events_of_other_devices() {
    on_devices("events::streams_wait_for_events_of_other_devices", |devices| {
        let streams: Vec<Stream> =
            devices.iter().map(|device| device.with(Stream::new)).collect::<ptyx::Result<_>>()?;
        let events: Vec<Event> =
            devices.iter().map(|device| device.with(Event::new)).collect::<ptyx::Result<_>>()?;
        let (order, count) = (Order::default(), devices.len());
        for number in 0..3 * count {
            let (at, stream) = (number % count, &streams[number % count]);
            if number > 0 {
                stream.wait(&events[(number - 1) % count])?;
            }
            stream.sleep(Duration::from_millis(5))?;
            order.expect(number, stream)?;
            events[at].record(stream)?;
        }
        let last = (3 * count - 1) % count;
        events[last].synchronize()?;
        assert_eq!(order.0.load(Ordering::SeqCst), 3 * count);
        // All of them, by the host; a host function that panicked is told here.
        streams.iter().try_for_each(Stream::synchronize)
    });
}

/// Which streams can record an event, and between which times are.
#[test]
fn events_belong_to_their_device() {
    on_devices("events::events_belong_to_their_device", |devices| {
        let [first, second] = [&devices[0], &devices[1]];
        let (event, other) = (first.with(Event::new)?, second.with(Event::new)?);
        let (here, there) = (first.with(Stream::new)?, second.with(Stream::new)?);
        assert!(matches!(event.record(&there), Err(Error::WrongDevice { .. })));
        event.record(&here)?;
        other.record(&there)?;
        assert!(matches!(Event::elapsed(&event, &other), Err(Error::EventTime { .. })));
        // From a thread whose current device is neither's.
        std::thread::scope(|scope| {
            let last = devices[devices.len() - 1];
            let waits = scope.spawn(move || {
                last.make_current()?;
                event.synchronize()?;
                assert!(event.is_done()?);
                let again = first.with(Event::new)?;
                there.wait(&event)?;
                here.sleep(Duration::from_millis(2))?;
                again.record(&here)?;
                assert!(Event::elapsed(&event, &again)? >= Duration::from_millis(1));
                there.synchronize()
            });
            waits.join().unwrap()
        })
    });
}

/// Random waits: what is before an event in its stream is done for all who wait for it.
#[test]
fn random_waits_between_devices() {
    on_devices("events::random_waits_between_devices", |devices| {
        let mut rng = rng();
        let mut streams = Vec::new();
        for device in devices {
            streams.extend(device.with(|| Ok::<_, Error>([Stream::new()?, Stream::new()?]))?);
        }
        // How many pieces each stream has done, and how many it must see of the others.
        let done: Arc<Vec<AtomicUsize>> = Arc::new(streams.iter().map(|_| 0.into()).collect());
        let mut given = vec![0; streams.len()];
        let mut seen = vec![vec![0; streams.len()]; streams.len()];
        for _ in 0..150 {
            let [at, from] = [rng.below(streams.len()), rng.below(streams.len())];
            if at != from && rng.below(2) == 0 {
                let device = &devices[from / 2];
                let event = device.with(Event::new)?;
                event.record(&streams[from])?;
                streams[at].wait(&event)?;
                let earlier = seen[from].clone();
                seen[at].iter_mut().zip(&earlier).for_each(|(own, of)| *own = (*own).max(*of));
                seen[at][from] = seen[at][from].max(given[from]);
                continue;
            }
            if rng.below(4) == 0 {
                streams[at].sleep(Duration::from_micros(300))?;
            }
            given[at] += 1;
            let (done, need) = (done.clone(), seen[at].clone());
            streams[at].on_host(move || {
                for (done, need) in done.iter().zip(&need) {
                    assert!(done.load(Ordering::SeqCst) >= *need, "a stream did not wait");
                }
                done[at].fetch_add(1, Ordering::SeqCst);
            })?;
        }
        streams.iter().try_for_each(Stream::synchronize)?;
        for (done, given) in done.iter().zip(given) {
            assert_eq!(done.load(Ordering::SeqCst), given);
        }
        Ok(())
    });
}
