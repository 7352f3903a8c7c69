//! Launches on several streams and threads.

use super::*;
use crate::{Event, PinnedBuffer};

#[test]
fn streams_wait_for_each_other_where_they_share_memory() {
    let streams: Vec<Stream> = (0..4).map(|_| Stream::new().unwrap()).collect();
    let mut counter = DeviceBuffer::<u32>::zeroed(1).unwrap();
    for round in 0..20 {
        run_slow(500, &mut counter, &streams[round % 4]).unwrap();
    }
    assert_eq!(counter.to_vec().unwrap(), [10_000]);
}

#[test]
fn buffers_are_dropped_and_overwritten_while_kernels_run() {
    for round in 0..10u32 {
        let stream = Stream::new().unwrap();
        let mut pinned = PinnedBuffer::from_slice(&[round]).unwrap();
        let mut counter = DeviceBuffer::<u32>::zeroed(1).unwrap();
        counter.copy_from_pinned_on(&pinned, &stream).unwrap();
        run_slow(2000, &mut counter, &stream).unwrap();
        let mut copy = DeviceBuffer::<u32>::zeroed(1).unwrap();
        copy.copy_from_buffer(&counter).unwrap();
        pinned[0] = 77;
        run_slow(100, &mut counter, &stream).unwrap();
        counter.copy_to_pinned_on(&mut pinned, &stream).unwrap();
        drop(counter);
        drop(stream);
        assert_eq!(copy.to_vec().unwrap(), [round + 2000]);
        assert_eq!(*pinned, [round + 2100]);
    }
}

#[test]
fn threads_launch_at_once() {
    let x = DeviceBuffer::filled(256, 1.0f32).unwrap();
    let results: Vec<Vec<f32>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|i| {
                let x = &x;
                scope.spawn(move || {
                    let stream = Stream::new().unwrap();
                    let mut y = DeviceBuffer::filled(256, i as f32).unwrap();
                    for _ in 0..50 {
                        let config = LaunchConfig::new().blocks(2).threads(128).stream(&stream);
                        run_saxpy(config, 1.0, x, &mut y).unwrap();
                    }
                    y.to_vec().unwrap()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (i, result) in results.iter().enumerate() {
        assert_eq!(*result, vec![i as f32 + 50.0; 256]);
    }
}

#[test]
fn events_order_and_measure() {
    let (first, second) = (Stream::new().unwrap(), Stream::new().unwrap());
    let mut counter = DeviceBuffer::<u32>::zeroed(1).unwrap();
    let (start, end) = (Event::new().unwrap(), Event::new().unwrap());
    assert!(start.is_done().unwrap());
    start.record(&first).unwrap();
    run_slow(20_000, &mut counter, &first).unwrap();
    end.record(&first).unwrap();
    second.wait(&end).unwrap();
    let after = Event::new().unwrap();
    after.record(&second).unwrap();
    after.synchronize().unwrap();
    assert!(end.is_done().unwrap());
    assert!(first.is_idle().unwrap());
    let time = Event::elapsed(&start, &end).unwrap();
    assert!(!time.is_zero() && time.as_secs() < 60, "{time:?}");
    drop(end);
    second.synchronize().unwrap();
    let ((), time) = Event::time(|| run_slow(20_000, &mut counter, &Stream::default()?)).unwrap();
    assert!(!time.is_zero() && time.as_secs() < 60, "{time:?}");
    assert_eq!(counter.to_vec().unwrap(), [40_000]);
    assert!(Event::elapsed(&Event::new().unwrap(), &start).is_err());
}
