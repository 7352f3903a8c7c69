//! What captures forbid. A test of its own, as a capture in global mode forbids calls of all threads.

use ptyx::{
    CaptureMode, CaptureReason, CudaArray, DeviceBuffer, Error, Event, Graph, GrowableBuffer,
    ManagedBuffer, PinnedBuffer, Result, Stream,
};

/// A call that uses a stream and an event that have nothing to do with the capture.
type Call = fn(&Stream, &Event) -> Result<()>;

/// What captures forbid: waiting, asking, and allocating what is not in stream order.
const FORBIDDEN: [(&str, Call); 6] = [
    ("managed memory", |_, _| ManagedBuffer::<u32>::zeroed(10).map(drop)),
    ("pinned memory", |_, _| PinnedBuffer::<u32>::zeroed(10).map(drop)),
    ("a wait for a stream", |other, _| other.synchronize()),
    ("a question to a stream", |other, _| other.is_idle().map(drop)),
    ("a wait for an event", |_, event| event.synchronize()),
    ("a question to an event", |_, event| event.is_done().map(drop)),
];

/// Memory of all kinds, which a stream uses.
fn used(stream: &Stream) -> Result<impl Send + use<>> {
    let mut shared = DeviceBuffer::<u32>::zeroed_shareable(1000)?;
    shared.fill_on(1, stream)?;
    let managed = ManagedBuffer::filled_on(1000, 2u32, stream)?;
    let mut growable = GrowableBuffer::<u32>::with_capacity(1000)?;
    growable.resize_on(1000, 3, stream)?;
    let pinned = PinnedBuffer::from_vec(vec![4u32; 1000])?;
    let mut plain = DeviceBuffer::<u32>::zeroed_on(1000, stream)?;
    plain.copy_from_pinned_on(&pinned, stream)?;
    let mut array = CudaArray::<u32>::zeroed([10, 100])?;
    array.copy_from_buffer_on(&plain, stream)?;
    let exec = Graph::new()?.instantiate()?;
    exec.launch(stream)?;
    Ok((shared, managed, growable, pinned, plain, array, exec))
}

fn modes_of_captures() -> Result<()> {
    let (stream, other, mut buffer) =
        (Stream::new()?, Stream::new()?, DeviceBuffer::<u32>::zeroed(10)?);
    let event = Event::new()?;
    event.record(&other)?;
    for mode in [CaptureMode::Global, CaptureMode::ThreadLocal, CaptureMode::Relaxed] {
        // Harmless: all memory is given back, by any thread, also while it is used.
        let (here, there) = (used(&other)?, used(&other)?);
        let graph = stream.capture_in(mode, |stream| {
            drop(here);
            std::thread::scope(|scope| scope.spawn(|| drop(there)).join().unwrap());
            drop(DeviceBuffer::<u32>::zeroed_on(10, stream)?);
            drop(DeviceBuffer::<u32>::zeroed(10)?);
            // The notes of streams that are done are dropped.
            for _ in 0..40 {
                buffer.slice_mut(..5).fill_on(4, &Stream::new()?)?;
            }
            buffer.fill_on(5, stream)
        });
        graph?.instantiate()?.launch(&stream)?;
        assert_eq!(buffer.to_vec()?, [5; 10]);

        for (what, call) in FORBIDDEN {
            let refused = |result: Result<()>| match result {
                Err(Error::Capture(rule)) => {
                    assert_eq!(rule.reason, CaptureReason::Unsupported, "{what}");
                }
                result => panic!("{what}, {mode:?}: {result:?}"),
            };
            let by_others = stream.capture_in(mode, |_| {
                let work = || match mode {
                    CaptureMode::Global => refused(call(&other, &event)),
                    _ => call(&other, &event).unwrap(),
                };
                std::thread::scope(|scope| scope.spawn(work).join().unwrap());
                Ok(())
            });
            assert_eq!(by_others.is_err(), mode == CaptureMode::Global, "{what}, {mode:?}");
            let by_this = stream.capture_in(mode, |_| {
                match mode {
                    CaptureMode::Relaxed => call(&other, &event)?,
                    _ => refused(call(&other, &event)),
                }
                Ok(())
            });
            assert_eq!(by_this.is_err(), mode != CaptureMode::Relaxed, "{what}, {mode:?}");
            if let Err(error) = by_this {
                let Error::Capture(rule) = error else { panic!("{error}") };
                assert_eq!(rule.reason, CaptureReason::Invalidated);
            }
            assert!(!stream.is_captured());
            // Afterwards, nothing is refused.
            call(&other, &event)?;
        }
    }
    Ok(())
}

/// While a closure runs, the thread's mode decides whose captures forbid its calls.
fn modes_of_threads() -> Result<()> {
    let (stream, other, event) = (Stream::new()?, Stream::new()?, Event::new()?);
    event.record(&other)?;
    let modes = [CaptureMode::Global, CaptureMode::ThreadLocal, CaptureMode::Relaxed];
    for (what, call) in FORBIDDEN {
        for (of_capture, of_thread, is_same) in modes
            .into_iter()
            .flat_map(|one| modes.map(|two| [(one, two, true), (one, two, false)]))
            .flatten()
        {
            // As the driver's manual says.
            let is_refused = match of_thread {
                CaptureMode::Relaxed => false,
                CaptureMode::ThreadLocal => is_same && of_capture != CaptureMode::Relaxed,
                CaptureMode::Global if is_same => of_capture != CaptureMode::Relaxed,
                CaptureMode::Global => of_capture == CaptureMode::Global,
            };
            let captured = stream.capture_in(of_capture, |_| {
                let work = || of_thread.with(|| call(&other, &event)).unwrap();
                let done = match is_same {
                    true => work(),
                    false => std::thread::scope(|scope| scope.spawn(work).join().unwrap()),
                };
                let case = format!("{what}: {of_capture:?}, {of_thread:?}, {is_same}");
                assert_eq!(done.is_err(), is_refused, "{case}: {done:?}");
                Ok(())
            });
            // What is refused spoils the capture.
            assert_eq!(captured.is_err(), is_refused);
        }
    }
    // Nested closures, and one that panics: the previous mode is restored.
    let graph = stream.capture_in(CaptureMode::Global, |_| {
        let (_, call) = FORBIDDEN[0];
        CaptureMode::Relaxed.with(|| {
            CaptureMode::ThreadLocal.with(|| {})?;
            call(&other, &event)
        })??;
        let thrown = std::panic::catch_unwind(|| CaptureMode::Relaxed.with(|| panic!("inside")));
        assert!(thrown.is_err());
        assert!(matches!(call(&other, &event), Err(Error::Capture(_))));
        Ok(())
    });
    assert!(graph.is_err());
    Ok(())
}

/// One after the other: both capture in global mode.
#[test]
fn modes() -> Result<()> {
    modes_of_captures()?;
    modes_of_threads()
}
