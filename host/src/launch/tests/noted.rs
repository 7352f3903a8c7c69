//! The numbers with which uses of memory are noted, while several threads launch: a wait for the memory reports the panics of
//! the launches that use it.

use crate::Stream;
use crate::launched::{Launched, launched};
use crate::memory::tests::Random;
use crate::memory::tracker::{Access, Tracker};
use core::panic::Location;
use core::sync::atomic::{AtomicU64, Ordering};

fn some() -> &'static Launched {
    launched("k", "k", Location::caller())
}

/// Uses memory in a launch that may panic, without the launch; returns the launch's number in the slot.
fn launch(tracker: &Tracker, stream: &Stream, access: Access) -> u64 {
    let entry = stream.enter().for_kernel();
    tracker.order(&entry, 0..8, access).unwrap();
    stream.0.next_launch(some(), entry.launch()).unwrap().1.into()
}

/// The number of the last launch that a wait for the memory reports.
fn last(tracker: &Tracker, stream: &Stream) -> u64 {
    let conflicts = tracker.conflicts(&(0..8), Access::Write);
    conflicts.iter().find(|conflict| conflict.stream.is(stream)).unwrap().last
}

#[test]
fn later_launches_are_not_those_that_used_the_memory() {
    let (stream, other) = (Stream::new().unwrap(), Stream::new().unwrap());
    let (used, unused) = (Tracker::written_by(&stream, 8), Tracker::written_by(&stream, 8));
    let mut random = Random(7);
    let mut count = 0;
    for round in 0..200 {
        // Without the lock from the second time on.
        for _ in 0..=random.below(3) {
            let access = if random.below(2) == 0 { Access::Read } else { Access::Write };
            launch(&used, &stream, access);
            count += 1;
        }
        let noted = count;
        for _ in 0..random.below(4) {
            launch(&unused, &stream, Access::Write);
            count += 1;
        }
        if random.below(3) == 0 {
            launch(&used, &other, Access::Read);
        }
        assert_eq!(last(&used, &stream), noted, "round {round}");
        assert_eq!(stream.0.last_launch(), count);
    }
}

#[test]
fn a_launch_that_is_overtaken_is_found() {
    let stream = Stream::new().unwrap();
    let trackers = [(); 2].map(|()| Tracker::written_by(&stream, 8));
    for round in 0..3 {
        // Both note the same number.
        let entries = [(); 2].map(|()| stream.enter().for_kernel());
        for (tracker, entry) in trackers.iter().zip(&entries) {
            tracker.order(entry, 0..8, Access::Write).unwrap();
        }
        for entry in entries.iter().rev() {
            stream.0.next_launch(some(), entry.launch()).unwrap();
        }
        assert_eq!(stream.0.last_launch(), 2 * round + 2);
        drop(entries);
        assert_eq!(last(&trackers[0], &stream), 2 * round + 2, "its number was taken");
    }
}

#[test]
fn no_launch_of_many_threads_is_missed() {
    let streams = [(); 2].map(|()| Stream::new().unwrap());
    let tracker = Tracker::written_by(&streams[0], 8);
    // The numbers of slots go on from earlier streams.
    let first = [0, 1].map(|at| launch(&tracker, &streams[at], Access::Read));
    let most = [const { AtomicU64::new(1) }; 2];
    std::thread::scope(|scope| {
        for seed in 1..5 {
            let (streams, tracker, most, first) = (&streams, &tracker, &most, &first);
            scope.spawn(move || {
                let mut random = Random(seed);
                for _ in 0..2000 {
                    let at = random.below(2);
                    let number = launch(tracker, &streams[at], Access::Read) - first[at] + 1;
                    most[at].fetch_max(number, Ordering::Relaxed);
                    if random.below(8) == 0 {
                        tracker.conflicts(&(0..8), Access::Write);
                    }
                }
            });
        }
    });
    let last = [0, 1].map(|at| last(&tracker, &streams[at]));
    let most = [0, 1].map(|at| most[at].load(Ordering::Relaxed));
    assert!(last[0] >= most[0] && last[1] >= most[1], "{last:?}, {most:?}");
}
