//! Many threads that capture, join, launch and drop at once: whatever they do, they get values or errors of captures, and
//! all streams are as before in the end.

use super::tests::{stream, zeros};
use crate::{DeviceBuffer, Error, Event, Graph, GraphExec, Result, Stream};
use core::time::Duration;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::Instant;

const THREADS: usize = 6;
const STREAMS: usize = 4;
const EVENTS: usize = 5;

struct Rng(u64);

impl Rng {
    fn new(thread: u64) -> Rng {
        Rng((ptyx_test_support::seed() ^ thread << 60) | 1)
    }

    fn below(&mut self, end: usize) -> usize {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % end
    }
}

/// Errors of captures and of what belongs to graphs are expected here; no others.
#[track_caller]
fn expected<T>(done: Result<T>) -> Option<T> {
    match done {
        Ok(value) => Some(value),
        Err(Error::Capture(_) | Error::Graph { .. }) => None,
        Err(other) => panic!("{other:?}"),
    }
}

/// What all threads have.
struct Shared {
    streams: Vec<Stream>,
    events: Vec<Mutex<Event>>,
    /// Graphs that any thread may launch or drop.
    execs: Mutex<Vec<GraphExec>>,
}

impl Shared {
    fn new() -> Shared {
        let event = |_| Mutex::new(Event::new().unwrap());
        Shared {
            streams: (0..STREAMS).map(|_| stream()).collect(),
            events: (0..EVENTS).map(event).collect(),
            execs: Mutex::default(),
        }
    }

    fn stream(&self, rng: &mut Rng) -> &Stream {
        &self.streams[rng.below(STREAMS)]
    }

    fn event(&self, rng: &mut Rng) -> Event {
        self.events[rng.below(EVENTS)].lock().unwrap().clone()
    }

    /// Gives work to a stream, mostly this one.
    fn work(&self, rng: &mut Rng, own: &Stream, buffers: &mut [DeviceBuffer<u32>]) {
        let stream = if rng.below(4) == 0 { self.stream(rng) } else { own };
        let (first, rest) = buffers.split_first_mut().unwrap();
        let value = rng.below(100) as u32;
        match rng.below(8) {
            0 => _ = expected(first.fill_on(value, stream)),
            1 => _ = expected(rest[0].copy_from_buffer_on(&*first, stream)),
            2 => {
                let made = expected(DeviceBuffer::filled_on(50, value, stream));
                if let Some(made) = made {
                    expected(rest[0].slice_mut(..50).copy_from_buffer_on(&made, stream));
                }
            }
            3 => _ = expected(self.event(rng).record(stream)),
            4 => _ = expected(stream.wait(&self.event(rng))),
            5 => _ = expected(stream.on_host_each(|| {})),
            // The old one is dropped, perhaps during a capture in which it was recorded.
            6 => {
                let new = Event::new().unwrap();
                let old =
                    core::mem::replace(&mut *self.events[rng.below(EVENTS)].lock().unwrap(), new);
                drop(old);
            }
            _ => _ = expected(stream.synchronize()),
        }
    }

    /// A capture that may fail or panic halfway.
    fn capture(&self, rng: &mut Rng, buffers: &mut [DeviceBuffer<u32>]) -> Option<Graph> {
        let stream = self.stream(rng).clone();
        let captured = catch_unwind(AssertUnwindSafe(|| {
            stream.capture(|stream| {
                for _ in 0..rng.below(8) {
                    self.work(rng, stream, buffers);
                }
                match rng.below(8) {
                    0 => Err(Error::Length { what: "mine", expected: 1, found: 2 }),
                    1 => std::panic::resume_unwind(Box::new("mine")),
                    _ => Ok(()),
                }
            })
        }));
        match captured {
            Ok(Err(Error::Length { what: "mine", .. })) => None,
            Ok(done) => expected(done),
            Err(panic) if panic.downcast_ref::<&str>() == Some(&"mine") => None,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }

    fn step(&self, rng: &mut Rng, buffers: &mut [DeviceBuffer<u32>]) {
        match rng.below(7) {
            0 | 1 => {
                let exec =
                    self.capture(rng, buffers).and_then(|graph| expected(graph.instantiate()));
                if let Some(exec) = exec {
                    self.execs.lock().unwrap().push(exec);
                }
            }
            2 => {
                // Taken out, so that threads launch at once.
                let exec = self.execs.lock().unwrap().pop();
                if let Some(exec) = exec {
                    (0..3).for_each(|_| _ = expected(exec.launch(self.stream(rng))));
                    if rng.below(2) == 0 {
                        self.execs.lock().unwrap().insert(0, exec);
                    }
                }
            }
            3 => _ = expected(buffers[0].to_vec()),
            4 => {
                // Graphs may still have the old one.
                let at = rng.below(2);
                if let Some(new) = expected(DeviceBuffer::zeroed_on(100, self.stream(rng))) {
                    buffers[at] = new;
                }
            }
            _ => {
                let stream = self.stream(rng).clone();
                self.work(rng, &stream, buffers);
            }
        }
    }
}

#[test]
fn threads_that_capture_join_launch_and_drop_at_once() {
    let shared = Shared::new();
    std::thread::scope(|scope| {
        for thread in 0..THREADS as u64 {
            let shared = &shared;
            scope.spawn(move || {
                let (mut rng, start) = (Rng::new(thread), Instant::now());
                let mut buffers = vec![zeros(100), zeros(100)];
                while start.elapsed() < Duration::from_secs(3) {
                    shared.step(&mut rng, &mut buffers);
                }
            });
        }
    });
    shared.execs.lock().unwrap().clear();
    for stream in &shared.streams {
        assert!(!stream.is_captured());
        let mut buffer = DeviceBuffer::<u32>::zeroed_on(100, stream).unwrap();
        let graph = stream.capture(|stream| buffer.fill_on(7, stream)).unwrap();
        graph.instantiate().unwrap().launch(stream).unwrap();
        stream.synchronize().unwrap();
        assert_eq!(buffer.to_vec().unwrap(), [7; 100]);
    }
}

/// Two threads whose values can't be mixed up: a graph of each writes its own buffers, while the other captures the stream
/// on which the graph is launched.
#[test]
fn captures_of_others_change_no_values() {
    let shared = Shared::new();
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            let shared = &shared;
            scope.spawn(move || {
                let (mut rng, start) = (Rng::new(thread), Instant::now());
                let (own, mut a, mut b) = (stream(), zeros(200), zeros(200));
                let mut rounds = 0;
                while start.elapsed() < Duration::from_secs(2) {
                    let value = rng.below(1000) as u32;
                    let graph = own.capture(|own| {
                        let scratch = DeviceBuffer::filled_on(200, value, own)?;
                        a.copy_from_buffer_on(&scratch, own)?;
                        drop(scratch);
                        b.copy_from_buffer_on(&a, own)
                    });
                    let exec = graph.unwrap().instantiate().unwrap();
                    // Others capture this one now and then.
                    let is_launched = expected(exec.launch(shared.stream(&mut rng))).is_some();
                    drop(exec);
                    if is_launched {
                        assert_eq!(b.to_vec().unwrap(), [value; 200]);
                        rounds += 1;
                    }
                    let other = shared.stream(&mut rng);
                    let empty = other.capture(|_| {
                        std::thread::yield_now();
                        Ok(())
                    });
                    drop(expected(empty));
                }
                assert!(rounds > 0);
            });
        }
    });
    assert!(shared.streams.iter().all(|stream| !stream.is_captured()));
}
