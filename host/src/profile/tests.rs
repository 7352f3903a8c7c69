//! Profiles of copies, fills, graphs and launches. On the emulated device, or on a GPU if there is one.

use crate::launch::tests::run_saxpy;
use crate::runtime::current;
use crate::{
    DeviceBuffer, Error, LaunchConfig, Profile, ProfileOptions, ProfiledWork, Stream, WorkKind,
    profile,
};
use core::time::Duration;
use std::panic::{AssertUnwindSafe, catch_unwind};

fn zeros(len: usize) -> DeviceBuffer<u32> {
    DeviceBuffer::zeroed(len).unwrap()
}

fn names(profile: &Profile) -> Vec<&str> {
    profile.work().iter().map(|work| work.name.as_str()).collect()
}

/// Launches the kernel once, so that what its first launch takes is not in the profile.
fn saxpy() -> (DeviceBuffer<f32>, DeviceBuffer<f32>) {
    let x = DeviceBuffer::filled(64, 1.0f32).unwrap();
    let mut y = DeviceBuffer::filled(64, 0.0f32).unwrap();
    launch(&x, &mut y).unwrap();
    (x, y)
}

fn launch(x: &DeviceBuffer<f32>, y: &mut DeviceBuffer<f32>) -> crate::Result<()> {
    run_saxpy(LaunchConfig::new().blocks(2).threads(32), 1.0, x, y)
}

#[test]
fn work_is_counted_with_its_bytes_and_times() {
    let (x, mut y) = saxpy();
    let (mut a, b) = (zeros(1000), zeros(1000));
    let (host, profile) = profile(|| {
        a.copy_from_slice(&[3; 1000])?;
        launch(&x, &mut y)?;
        a.copy_from_buffer(&b)?;
        a.fill(9)?;
        launch(&x, &mut y)?;
        a.to_vec()
    })
    .unwrap();
    assert_eq!(host, [9; 1000]);
    let kernel = profile.work()[1].name.clone();
    assert!(kernel.ends_with("::saxpy"), "{kernel}");
    let expected = ["copy to device", &kernel, "copy on device", "fill", &kernel, "copy to host"];
    assert_eq!(names(&profile), expected);
    let bytes: Vec<_> = profile.work().iter().map(|work| work.bytes).collect();
    let moved = Some(4000);
    assert_eq!(bytes, [moved, None, moved, moved, None, moved]);
    let launched = &profile.work()[1];
    assert_eq!(launched.blocks.zip(launched.threads), Some(([2, 1, 1], [32, 1, 1])));
    for work in profile.work() {
        let (start, time) = work.start.zip(work.time).unwrap();
        assert!(start + time <= profile.elapsed() + Duration::from_millis(5), "{work:?}");
        assert!(work.submitted <= profile.elapsed());
    }
    let rows = profile.rows();
    let row = rows.iter().find(|row| row.name == kernel).unwrap();
    assert_eq!((row.count, row.timed, row.kind), (2, 2, WorkKind::Kernel));
    assert!(row.min <= row.mean() && row.mean() <= row.max && row.max <= row.total);
    assert_eq!(profile.failed(), 0);
    let text = profile.to_string();
    assert!(text.lines().count() == rows.len() + 2 && text.contains("3.91 KiB"), "{text}");
}

#[test]
fn times_are_those_of_the_device() {
    let stream = Stream::new().unwrap();
    let ((), profile) = profile(|| {
        stream.sleep(Duration::from_millis(3))?;
        stream.sleep(Duration::from_millis(1))
    })
    .unwrap();
    let [first, second] = profile.work() else { panic!("{profile}") };
    let milliseconds = |work: &ProfiledWork| work.time.unwrap().as_secs_f64() * 1e3;
    assert!((2.9..1000.0).contains(&milliseconds(first)), "{profile}");
    assert!((0.9..1000.0).contains(&milliseconds(second)), "{profile}");
    // A stream's work is in order.
    let end = first.start.unwrap() + first.time.unwrap();
    assert!(second.start.unwrap() + Duration::from_micros(100) >= end, "{profile:?}");
    assert!(profile.elapsed() >= Duration::from_millis(4));
}

#[test]
fn other_threads_count_only_if_they_are_asked_for() {
    let mut buffer = zeros(11);
    let mut fill = |options: &ProfileOptions| {
        let mut filled = || buffer.fill(1).map(|()| std::thread::current().id());
        let work = || std::thread::scope(|scope| scope.spawn(&mut filled).join().unwrap());
        Profile::with(options, work).unwrap()
    };
    let new = ProfileOptions::new;
    let (_, own) = fill(&new());
    assert!(own.work().is_empty(), "{:#?}", own.work());
    // Other tests run at the same time, some with as many bytes: only the thread tells whose work it is.
    let (thread, all) = fill(&new().all_threads(true));
    let fills: Vec<_> = all.work().iter().filter(|work| work.thread == thread).collect();
    let has_bytes = |work: &&ProfiledWork| (&*work.name, work.bytes) == ("fill", Some(44));
    assert!(fills.len() == 1 && fills.iter().all(has_bytes), "{thread:?} did {fills:#?}");
    let me = std::thread::current().id();
    assert!(thread != me && all.work().iter().all(|work| work.thread != me), "{:#?}", all.work());
}

#[test]
fn a_profile_in_a_profile_counts_in_both() {
    let mut buffer = zeros(10);
    let (inner, outer) = profile(|| {
        buffer.fill(1)?;
        let ((), inner) = profile(|| buffer.fill(2))?;
        buffer.fill(3)?;
        Ok(inner)
    })
    .unwrap();
    assert_eq!((names(&inner), names(&outer)), (vec!["fill"], vec!["fill"; 3]));
    assert_eq!(inner.work()[0].time, outer.work()[1].time);
    assert!(inner.work()[0].submitted <= outer.work()[1].submitted);
}

#[test]
fn many_pieces_of_work() {
    let mut buffer = zeros(10);
    let ((), profile) = profile(|| (0..2000).try_for_each(|number| buffer.fill(number))).unwrap();
    let row = &profile.rows()[0];
    assert_eq!((row.count, row.timed, row.bytes), (2000, 2000, Some(80_000)));
}

#[test]
fn a_panic_or_an_error_ends_the_profile() {
    let mut buffer = zeros(10);
    let panic = catch_unwind(AssertUnwindSafe(|| {
        profile(|| -> crate::Result<()> {
            buffer.fill(1)?;
            panic!("on purpose")
        })
    }));
    assert!(panic.is_err());
    let failed = profile(|| {
        buffer.fill(1)?;
        buffer.copy_from_slice(&[1; 3])
    });
    assert!(matches!(failed, Err(Error::Length { .. })));
    let ((), empty) = profile(|| Ok(())).unwrap();
    assert!(empty.work().is_empty());
    let ((), one) = profile(|| buffer.fill(5)).unwrap();
    assert_eq!(names(&one), ["fill"]);
}

#[test]
fn what_the_driver_refuses_is_only_counted() {
    let mut buffer = zeros(10);
    let ((), profile) = profile(|| {
        let context = current()?;
        context.bind()?;
        let stream = context.default_stream()?.handle();
        // SAFETY: the driver finds no memory there.
        unsafe { context.driver.cuMemsetD8Async(8, 0, 4, stream) }.unwrap_err();
        buffer.fill(1)
    })
    .unwrap();
    assert_eq!((names(&profile), profile.failed()), (vec!["fill"], 1));
    assert!(profile.to_string().ends_with("; 1 more failed"), "{profile}");
}

#[test]
fn a_capture_counts_nothing_and_a_launch_of_a_graph_once() {
    let stream = Stream::new().unwrap();
    let (mut a, mut b) = (zeros(10), zeros(10));
    let (graph, capturing) = profile(|| {
        stream.capture(|stream| {
            a.fill_on(3, stream)?;
            b.copy_from_buffer_on(&a, stream)
        })
    })
    .unwrap();
    assert!(capturing.work().is_empty(), "{capturing}");
    // Also if the profile begins and ends in the capture.
    let other = stream
        .capture(|stream| {
            let ((), inside) = profile(|| b.fill_on(5, stream))?;
            assert!(inside.work().is_empty(), "{inside}");
            Ok(())
        })
        .unwrap();
    let (exec, other) = (graph.instantiate().unwrap(), other.instantiate().unwrap());
    let ((), profile) = profile(|| {
        exec.launch(&stream)?;
        other.launch(&stream)?;
        exec.launch(&stream)
    })
    .unwrap();
    let graphs: Vec<_> =
        profile.work().iter().filter(|work| work.kind == WorkKind::Graph).collect();
    assert!(graphs.iter().all(|work| work.time.is_some()));
    let graphs: Vec<&str> = graphs.iter().map(|work| work.name.as_str()).collect();
    assert_eq!(graphs, ["graph 1", "graph 2", "graph 1"]);
    assert_eq!(b.to_vec().unwrap(), [3; 10]);
}

/// Threads that make profiles at the same time see their own work alone, and one that asks for all sees everyone's.
#[test]
fn profiles_of_many_threads() {
    const THREADS: usize = 6;
    const ROUNDS: usize = 40;
    let own = |thread: usize| {
        // A length that no other test has.
        let mut buffer = zeros(7000 + thread);
        let ((), profile) = profile(|| {
            (0..ROUNDS).try_for_each(|_| buffer.fill(1))?;
            buffer.to_vec().map(drop)
        })
        .unwrap();
        let bytes = Some(4 * (7000 + thread as u64));
        assert_eq!(profile.work().len(), ROUNDS + 1);
        assert!(profile.work().iter().all(|work| work.bytes == bytes && work.time.is_some()));
    };
    let all = Profile::with(&ProfileOptions::new().all_threads(true), || {
        std::thread::scope(|scope| {
            (0..THREADS).for_each(|thread| drop(scope.spawn(move || own(thread))));
        });
        Ok(())
    });
    // The allocation of each is a fill, too.
    let is_own = |bytes: u64| (28_000..28_000 + 4 * THREADS as u64).contains(&bytes);
    let (_, all) = all.unwrap();
    let count = all.work().iter().filter(|work| work.bytes.is_some_and(is_own)).count();
    assert_eq!(count, THREADS * (ROUNDS + 2), "{all}");
}

/// Boxes of pitched memory count with their own bytes, not with those between the rows.
#[test]
fn boxes_count_with_their_bytes() {
    let mut pitched = crate::PitchedBuffer::<u32, 2>::zeroed([7, 9]).unwrap();
    let ((), profile) = profile(|| {
        pitched.view_mut().fill(5)?;
        pitched.to_vec().map(drop)
    })
    .unwrap();
    let bytes: Vec<_> = profile.work().iter().map(|work| (&*work.name, work.bytes)).collect();
    assert_eq!(bytes, [("fill", Some(252)), ("copy to host", Some(252))]);
}
