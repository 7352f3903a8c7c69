//! Streams and events: order, and memory that outlives its use.

use ptyx::prelude::*;
use ptyx_tests::rng;

/// Slow enough for another stream to overtake it: many dependent steps an element.
#[kernel]
fn churn(steps: u32, mut x: Disjoint<u32>) {
    for i in thread::grid_stride(x.len()) {
        for _ in 0..steps {
            x[i] = x[i].wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        }
    }
}

fn churned(x: u32, steps: u32) -> u32 {
    (0..steps).fold(x, |x, _| x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223))
}

#[kernel]
fn add(x: &[u32], mut y: Disjoint<u32>) {
    for i in thread::grid_stride(y.len()) {
        y[i] = y[i].wrapping_add(x[i.get()]);
    }
}

/// Each use of a buffer sees what earlier ones wrote, whatever streams they are on.
#[test]
fn uses_on_several_streams_are_ordered() {
    let mut rng = rng();
    let (a, b) = (Stream::new().unwrap(), Stream::new().unwrap());
    let start = rng.vec(2000, |rng| rng.next_u32());
    let mut x = DeviceBuffer::from_slice(&start).unwrap();
    let mut y = DeviceBuffer::zeroed(2000).unwrap();
    for _ in 0..5 {
        launch!(churn<<<4, 128, 0, &a>>>(500, &mut x)).unwrap();
        launch!(add<<<4, 128, 0, &b>>>(&x, &mut y)).unwrap();
    }
    let want: Vec<u32> = start
        .iter()
        .map(|&x| (1..=5).fold(0u32, |sum, round| sum.wrapping_add(churned(x, 500 * round))))
        .collect();
    assert_eq!(y.to_vec().unwrap(), want);
}

/// A buffer may be dropped while a kernel still uses it; its memory is not reused too early.
#[test]
fn dropping_a_buffer_in_use() {
    let stream = Stream::new().unwrap();
    let mut results = Vec::new();
    for round in 0..20u32 {
        let x = DeviceBuffer::filled(4000, round + 1).unwrap();
        let mut y = DeviceBuffer::zeroed(4000).unwrap();
        let mut slow = DeviceBuffer::zeroed(4000).unwrap();
        launch!(churn<<<2, 128, 0, &stream>>>(200, &mut slow)).unwrap();
        launch!(add<<<2, 128, 0, &stream>>>(&x, &mut y)).unwrap();
        drop((x, slow));
        // Likely the same memory, if it were free already.
        let other = DeviceBuffer::filled(4000, u32::MAX).unwrap();
        results.push((y, other));
    }
    for (round, (y, other)) in results.into_iter().enumerate() {
        assert_eq!(y.to_vec().unwrap(), vec![round as u32 + 1; 4000]);
        assert_eq!(other.to_vec().unwrap(), vec![u32::MAX; 4000]);
    }
}

#[test]
fn events_measure_and_order() {
    let (a, b) = (Stream::new().unwrap(), Stream::new().unwrap());
    let (start, end) = (Event::new().unwrap(), Event::new().unwrap());
    let mut x = DeviceBuffer::zeroed(1000).unwrap();
    start.record(&a).unwrap();
    launch!(churn<<<2, 128, 0, &a>>>(1000, &mut x)).unwrap();
    end.record(&a).unwrap();
    b.wait(&end).unwrap();
    b.synchronize().unwrap();
    assert!(end.is_done().unwrap() && a.is_idle().unwrap() && b.is_idle().unwrap());
    let time = Event::elapsed(&start, &end).unwrap();
    assert!(!time.is_zero() && time.as_secs() < 60, "{time:?}");
    assert!(Event::elapsed(&end, &start).unwrap().is_zero(), "the wrong way round");
    assert!(Event::elapsed(&Event::new().unwrap(), &end).is_err(), "never recorded");
}

/// Threads of the host share buffers for reading and launch at once.
#[test]
fn several_host_threads() {
    let mut rng = rng();
    let x = rng.vec(1000, |rng| rng.next_u32());
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let sums: Vec<Vec<u32>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let stream = Stream::new().unwrap();
                    let mut y = DeviceBuffer::zeroed(1000).unwrap();
                    for _ in 0..8 {
                        launch!(add<<<2, 64, 0, &stream>>>(&device_x, &mut y)).unwrap();
                    }
                    y.to_vec().unwrap()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let want: Vec<u32> = x.iter().map(|x| x.wrapping_mul(8)).collect();
    assert!(sums.iter().all(|sum| *sum == want));
}

/// Runs a future to its end on this thread, which sleeps while there is nothing to do.
fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(std::thread::Thread);
    impl std::task::Wake for Unpark {
        fn wake(self: std::sync::Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = std::sync::Arc::new(Unpark(std::thread::current())).into();
    let mut context = std::task::Context::from_waker(&waker);
    let mut future = std::pin::pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            std::task::Poll::Ready(value) => return value,
            std::task::Poll::Pending => {
                std::thread::park_timeout(std::time::Duration::from_secs(60))
            }
        }
    }
}

/// Launches that are awaited, by several threads at once.
#[test]
fn streams_are_futures() {
    let seed = rng().next_u32();
    std::thread::scope(|scope| {
        for thread in 0..4u32 {
            scope.spawn(move || {
                let stream = Stream::new().unwrap();
                let start = (0..300).map(|i| seed ^ (i * 4 + thread)).collect::<Vec<_>>();
                let mut x = DeviceBuffer::from_slice(&start).unwrap();
                block_on(async {
                    for round in 1..=3 {
                        launch!(churn<<<2, 128, 0, &stream>>>(2000, &mut x))?;
                        // Nobody awaits this one.
                        drop(stream.finished());
                        let finished = stream.finished();
                        match round {
                            1 => (&stream).await?,
                            _ => finished.await?,
                        }
                        // The kernel is done; what told the future may still be the stream's last work.
                        let want = |x: &u32| churned(*x, 2000 * round);
                        assert_eq!(x.to_vec()?, start.iter().map(want).collect::<Vec<_>>());
                    }
                    Ok::<(), ptyx::Error>(())
                })
                .unwrap();
                let want = start.iter().map(|&x| churned(x, 6000)).collect::<Vec<_>>();
                assert_eq!(x.to_vec().unwrap(), want);
            });
        }
    });
}

/// Events that are awaited, by several threads at once: the launch before each is done, those after it may not be.
#[test]
fn events_are_futures() {
    let seed = rng().next_u32();
    std::thread::scope(|scope| {
        for thread in 0..4u32 {
            scope.spawn(move || {
                let (stream, event) = (Stream::new().unwrap(), Event::new().unwrap());
                let start = (0..300).map(|i| seed ^ (i * 4 + thread)).collect::<Vec<_>>();
                let mut buffers = [0; 4].map(|_| DeviceBuffer::from_slice(&start).unwrap());
                block_on(async {
                    let mut rounds = 0;
                    for x in &mut buffers {
                        rounds += 500;
                        launch!(churn<<<2, 128, 0, &stream>>>(rounds, &mut *x))?;
                        event.record(&stream)?;
                        // Nobody awaits this one.
                        drop(event.finished());
                        (&event).await?;
                        assert!(event.is_done()?);
                    }
                    Ok::<(), ptyx::Error>(())
                })
                .unwrap();
                for (x, rounds) in buffers.iter().zip([500, 1000, 1500, 2000]) {
                    let want = start.iter().map(|&x| churned(x, rounds)).collect::<Vec<_>>();
                    assert_eq!(x.to_vec().unwrap(), want);
                }
            });
        }
    });
}

#[kernel]
fn fails(x: &[u32]) {
    assert!(x.len() == 1, "not one but {}", x.len());
}

/// A future returns the panic of a kernel, once.
#[test]
fn futures_return_panics() {
    let stream = Stream::new().unwrap();
    let x = DeviceBuffer::<u32>::zeroed(3).unwrap();
    launch!(fails<<<1, 32, 0, &stream>>>(&x)).unwrap();
    let (first, second) = (stream.finished(), stream.finished());
    let error = block_on(first).unwrap_err().to_string();
    assert!(error.contains("not one but 3"), "{error}");
    block_on(second).unwrap();
    block_on(stream.finished()).unwrap();
    // So does that of an event.
    let event = Event::new().unwrap();
    launch!(fails<<<1, 32, 0, &stream>>>(&x)).unwrap();
    event.record(&stream).unwrap();
    let error = block_on(event.finished()).unwrap_err().to_string();
    assert!(error.contains("not one but 3"), "{error}");
    block_on(event.finished()).unwrap();
    stream.synchronize().unwrap();
}
