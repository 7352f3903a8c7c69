//! Asynchronous use of memory against a driver that delays and reorders whatever it may.

use super::tracker::{Access, Tracker};
use super::untracked::untracked;
use super::{DeviceBuffer, PinnedBuffer};
use crate::context::Context;
use crate::driver::fake;
use crate::runtime::set_current;
use crate::stream::{Stream, StreamOptions};
use core::ops::Range;

/// A context of its own, as the thread's current one.
fn context(pools: bool) -> &'static Context {
    fake::POOLS.set(pools);
    let driver = Box::leak(Box::new(fake::driver()));
    let context: &'static Context = Box::leak(Box::new(Context::new(driver, 0).unwrap()));
    set_current(Some(context));
    context
}

fn stream(context: &'static Context) -> Stream {
    Stream::of(context, &StreamOptions::new()).unwrap()
}

/// A small generator of test data (xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % limit
    }

    fn value(&mut self) -> u32 {
        self.below(1 << 30) as u32
    }

    /// A range inside `0..LEN` of a given length.
    fn range(&mut self, len: usize) -> Range<usize> {
        let start = self.below(LEN - len + 1);
        start..start + len
    }
}

/// Elements of every buffer.
const LEN: usize = 24;

/// Buffers, pinned buffers and streams, and what a program without any asynchrony would hold.
struct World {
    context: &'static Context,
    streams: Vec<Stream>,
    device: Vec<(DeviceBuffer<u32>, Vec<u32>)>,
    pinned: Vec<(PinnedBuffer<u32>, Vec<u32>)>,
}

impl World {
    fn new(context: &'static Context) -> World {
        let streams: Vec<Stream> = (0..4).map(|_| stream(context)).collect();
        let device = (0..3)
            .map(|i| (DeviceBuffer::zeroed_on(LEN, &streams[i]).unwrap(), vec![0; LEN]))
            .collect();
        let pinned = (0..2).map(|_| (PinnedBuffer::zeroed(LEN).unwrap(), vec![0; LEN])).collect();
        World { context, streams, device, pinned }
    }

    /// One random operation, on both sides.
    fn step(&mut self, random: &mut Random) {
        let stream_index = random.below(self.streams.len());
        let stream = self.streams[stream_index].clone();
        let len = 1 + random.below(LEN);
        let (range, from_range) = (random.range(len), random.range(len));
        let (to, from) = (random.below(self.device.len()), random.below(self.device.len()));
        let pin = random.below(self.pinned.len());
        match random.below(13) {
            0 | 1 => {
                let value = random.value();
                let (buffer, model) = &mut self.device[to];
                buffer.slice_mut(range.clone()).fill_on(value, &stream).unwrap();
                model[range].fill(value);
            }
            2..=4 if to != from => {
                let [(to, to_model), (from, from_model)] =
                    self.device.get_disjoint_mut([to, from]).unwrap();
                to.slice_mut(range.clone())
                    .copy_from_buffer_on(from.slice(from_range.clone()), &stream)
                    .unwrap();
                to_model[range].copy_from_slice(&from_model[from_range]);
            }
            5 => {
                let (buffer, model) = &mut self.device[to];
                buffer.copy_from_pinned_on(&self.pinned[pin].0, &stream).unwrap();
                model.copy_from_slice(&self.pinned[pin].1);
            }
            6 => {
                let (buffer, model) = &self.device[from];
                buffer.copy_to_pinned_on(&mut self.pinned[pin].0, &stream).unwrap();
                self.pinned[pin].1.copy_from_slice(model);
            }
            7 => assert_eq!(*self.pinned[pin].0, self.pinned[pin].1),
            8 => {
                let value = random.value();
                self.pinned[pin].0[range.clone()].fill(value);
                self.pinned[pin].1[range].fill(value);
            }
            9 => {
                let (buffer, model) = &self.device[from];
                assert_eq!(buffer.slice(range.clone()).to_vec().unwrap(), model[range]);
            }
            10 => {
                let values: Vec<u32> = (0..len).map(|_| random.value()).collect();
                let (buffer, model) = &mut self.device[to];
                buffer.slice_mut(range.clone()).copy_from_slice(&values).unwrap();
                model[range].copy_from_slice(&values);
            }
            11 => {
                self.device[to] = (DeviceBuffer::zeroed_on(LEN, &stream).unwrap(), vec![0; LEN]);
                if random.below(4) == 0 {
                    self.pinned[pin] = (PinnedBuffer::zeroed(LEN).unwrap(), vec![0; LEN]);
                }
            }
            12 => self.streams[stream_index] = self::stream(self.context),
            _ => {}
        }
    }
}

/// Random programs give the same results as if each call completed at once.
fn random_programs(pools: bool) {
    let context = context(pools);
    for seed in 1..=30 {
        let mut random = Random(seed * 0x9E37_79B9);
        let mut world = World::new(context);
        for _ in 0..400 {
            world.step(&mut random);
        }
        for (buffer, model) in &world.device {
            assert_eq!(buffer.to_vec().unwrap(), *model, "seed {seed}");
        }
        for (buffer, model) in &world.pinned {
            assert_eq!(**buffer, **model, "seed {seed}");
        }
        drop(world);
        fake::drain();
        assert_eq!(fake::live_here().0, 0, "memory leaks, seed {seed}");
        assert_eq!(fake::violations(), Vec::<String>::new(), "seed {seed}");
    }
}

#[test]
fn random_programs_with_pools() {
    random_programs(true);
}

#[test]
fn random_programs_without_pools() {
    random_programs(false);
}

/// Threads write parts of one buffer and read another one, each on streams of its own.
#[test]
fn threads_on_parts_of_one_buffer() {
    let context = context(true);
    const PARTS: usize = 8;
    for round in 0..20 {
        let mut target = DeviceBuffer::<u32>::zeroed_on(LEN * PARTS, &stream(context)).unwrap();
        let mut source = DeviceBuffer::<u32>::zeroed_on(LEN, &stream(context)).unwrap();
        source.fill_on(round, &stream(context)).unwrap();
        std::thread::scope(|scope| {
            for (i, mut part) in target.as_slice_mut().chunks_mut(LEN).enumerate() {
                let source = &source;
                scope.spawn(move || {
                    for step in 0..30u32 {
                        let stream = stream(context);
                        part.copy_from_buffer_on(source, &stream).unwrap();
                        if step as usize % 7 == i % 7 {
                            assert_eq!(part.to_vec().unwrap(), vec![round; LEN]);
                        }
                        part.fill_on(step, &self::stream(context)).unwrap();
                    }
                    part.copy_from_buffer_on(source, &stream(context)).unwrap();
                });
            }
        });
        source.fill_on(u32::MAX, &stream(context)).unwrap();
        assert_eq!(target.to_vec().unwrap(), vec![round; LEN * PARTS]);
        drop((source, target));
    }
    assert_eq!(fake::violations(), Vec::<String>::new());
}

/// A long-lived buffer does not keep a note and a stream for every past reader.
#[test]
fn notes_do_not_pile_up() {
    let context = context(true);
    let source = DeviceBuffer::<u32>::zeroed_on(LEN, &stream(context)).unwrap();
    for _ in 0..300 {
        let stream = stream(context);
        let mut copy = DeviceBuffer::<u32>::zeroed_on(LEN, &stream).unwrap();
        copy.copy_from_buffer_on(&source, &stream).unwrap();
        stream.synchronize().unwrap();
    }
    let (notes, (_, streams)) = (source.as_slice().note_count(), fake::live_here());
    assert!(notes <= 34 && streams <= 36, "{notes} notes, {streams} streams");
}

/// Many small ranges on one stream are merged, and still waited for.
#[test]
fn small_ranges_are_merged() {
    let context = context(true);
    let len = 4000;
    let (first, second) = (stream(context), stream(context));
    let mut buffer = DeviceBuffer::<u32>::zeroed_on(len, &first).unwrap();
    for i in (0..len).step_by(2) {
        buffer.slice_mut(i..=i).fill_on(7, if i % 4 == 0 { &first } else { &second }).unwrap();
    }
    assert!(buffer.as_slice().note_count() < 100);
    let mut copy = DeviceBuffer::<u32>::zeroed_on(len, &stream(context)).unwrap();
    copy.copy_from_buffer_on(&buffer, &stream(context)).unwrap();
    drop(buffer);
    let expected: Vec<u32> = (0..len).map(|i| if i % 2 == 0 { 7 } else { 0 }).collect();
    assert_eq!(copy.to_vec().unwrap(), expected);
    assert_eq!(fake::violations(), Vec::<String>::new());
}

/// A note is kept while its work is not yet submitted to its stream, although that is idle.
#[test]
fn notes_of_calls_under_way_are_kept() {
    let context = context(true);
    let source = DeviceBuffer::<u32>::zeroed_on(LEN, &stream(context)).unwrap();
    let slow = stream(context);
    let entry = slow.enter();
    source.as_slice().order(&entry, Access::Read).unwrap();
    fake::drain();
    for _ in 0..100 {
        let stream = stream(context);
        let mut copy = DeviceBuffer::<u32>::zeroed_on(LEN, &stream).unwrap();
        copy.copy_from_buffer_on(&source, &stream).unwrap();
        stream.synchronize().unwrap();
    }
    assert!(source.as_slice().note_count() < 40);
    assert!(source.as_slice().has_note_of(&slow));
}

/// A merged note covers ranges that its stream never waited for: it must wait again.
#[test]
fn merged_notes_do_not_count_as_waited() {
    let context = context(true);
    for round in 1..40 {
        let (reader, writer) = (stream(context), stream(context));
        let mut buffer = DeviceBuffer::<u32>::zeroed_on(64, &reader).unwrap();
        let mut copy = DeviceBuffer::<u32>::zeroed_on(64, &reader).unwrap();
        let mut last = DeviceBuffer::<u32>::zeroed_on(1, &reader).unwrap();
        reader.synchronize().unwrap();
        buffer.to_vec().unwrap();
        // The write comes late.
        let mut other = DeviceBuffer::<u32>::zeroed_on(1, &writer).unwrap();
        (0..200).for_each(|i| other.fill_on(i, &writer).unwrap());
        buffer.slice_mut(20..21).fill_on(round, &writer).unwrap();
        // Neither stream counts as idle.
        let _entries = (reader.enter(), writer.enter());
        for i in (1..64).step_by(2) {
            let mut to = copy.slice_mut(i..=i);
            to.copy_from_buffer_on(buffer.slice(i..=i), &reader).unwrap();
        }
        assert!(buffer.as_slice().note_count() < 32, "nothing was merged");
        last.copy_from_buffer_on(buffer.slice(20..21), &reader).unwrap();
        assert_eq!(last.to_vec().unwrap(), [round]);
    }
}

/// More work on the same stream needs no wait, and neither does work of two streams on disjoint parts.
#[test]
fn no_needless_waits() {
    let context = context(true);
    let (first, second) = (stream(context), stream(context));
    let mut buffer = DeviceBuffer::<u32>::zeroed_on(LEN, &first).unwrap();
    let part = buffer.as_slice_mut();
    let (mut left, mut right) = part.split_at_mut(LEN / 2);
    right.fill_on(1, &second).unwrap();
    left.fill_on(1, &first).unwrap();
    for _ in 0..3 {
        left.fill_on(2, &first).unwrap();
        right.fill_on(2, &second).unwrap();
        let conflicts = |slice: &super::DeviceSlice<'_, u32>, stream: &Stream| {
            slice.conflicts_of(stream, Access::Write)
        };
        assert_eq!(conflicts(&left.as_slice(), &first), 0);
        assert_eq!(conflicts(&right.as_slice(), &second), 0);
        assert_eq!(conflicts(&left.as_slice(), &second), 1);
    }
}

/// One thread copies a buffer to the host while another gives a read to the stream that wrote it: the read stays noted
/// after the first has waited for the write, so that a later write waits for it.
#[test]
fn a_read_during_the_hosts_wait_stays_noted() {
    let context = context(true);
    let (writer, other) = (stream(context), stream(context));
    let tracker = Tracker::written_by(&writer, 8);
    let waited_for = tracker.conflicts(&(0..8), Access::Read);
    assert_eq!(waited_for.len(), 1);
    tracker.order(&writer.enter(), 0..8, Access::Read).unwrap();
    tracker.forget(0..8, Access::Read);
    assert_eq!(tracker.conflicts_of(&other, 0..8, Access::Read), 0);
    assert_eq!(tracker.conflicts_of(&other, 0..8, Access::Write), 1);
    tracker.forget(0..8, Access::Write);
    assert_eq!(tracker.conflicts_of(&other, 0..8, Access::Write), 0);
}

/// One stream that uses an allocation again and again is not noted again, until another one uses it.
#[test]
fn a_sole_streams_uses_stay_noted() {
    let context = context(true);
    let (first, second) = (stream(context), stream(context));
    let tracker = Tracker::written_by(&first, 8);
    for round in 0..3 {
        for access in [Access::Read, Access::Write, Access::Write] {
            tracker.order(&first.enter(), 0..8, access).unwrap();
            tracker.order(&first.enter(), 2..4, access).unwrap();
        }
        assert_eq!(tracker.note_count(), 1, "round {round}");
        assert_eq!(tracker.conflicts_of(&second, 3..4, Access::Read), 1);
        tracker.order(&second.enter(), 3..4, Access::Read).unwrap();
        assert_eq!(tracker.note_count(), 2);
        // The first stream's next write waits for that read, and covers all again.
        assert_eq!(tracker.conflicts_of(&first, 0..8, Access::Write), 1);
        tracker.order(&first.enter(), 0..8, Access::Write).unwrap();
        assert!(!tracker.has_note_of(&second));
    }
    tracker.order(&second.enter(), 0..8, Access::Write).unwrap();
    assert!(tracker.has_note_of(&second) && !tracker.has_note_of(&first));
    // A stream that only reads is noted as a reader: its first write, and another's, are seen.
    tracker.forget(0..8, Access::Write);
    for _ in 0..3 {
        tracker.order(&first.enter(), 0..8, Access::Read).unwrap();
    }
    assert_eq!(tracker.conflicts_of(&second, 0..8, Access::Read), 0);
    assert_eq!(tracker.conflicts_of(&second, 0..8, Access::Write), 1);
    tracker.order(&first.enter(), 0..8, Access::Read).unwrap();
    tracker.order(&first.enter(), 0..4, Access::Write).unwrap();
    assert_eq!(tracker.conflicts_of(&second, 0..8, Access::Read), 1);
}

/// Buffers, slices' streams and pinned memory may be dropped in any order, from any thread.
#[test]
fn drops_in_any_order() {
    let context = context(true);
    for order in 0..6 {
        let work = stream(context);
        let mut buffer = DeviceBuffer::<u32>::zeroed_on(LEN, &work).unwrap();
        let mut pinned = PinnedBuffer::<u32>::zeroed(LEN).unwrap();
        buffer.fill_on(order, &work).unwrap();
        buffer.copy_to_pinned_on(&mut pinned, &work).unwrap();
        let mut parts: Vec<Box<dyn core::any::Any + Send>> =
            vec![Box::new(work), Box::new(buffer), Box::new(pinned)];
        let first = parts.remove(order as usize % 3);
        std::thread::spawn(move || drop(first)).join().unwrap();
        if order < 3 {
            parts.reverse();
        }
        drop(parts);
    }
    fake::drain();
    assert_eq!(fake::live_here().0, 0);
    assert_eq!(fake::violations(), Vec::<String>::new());
}

/// A buffer and a stream that are dropped with their thread's variables.
#[test]
fn drops_at_the_end_of_a_thread() {
    type Kept = (DeviceBuffer<u32>, PinnedBuffer<u32>, Stream);
    thread_local! {
        static KEPT: core::cell::RefCell<Vec<Kept>> =
            const { core::cell::RefCell::new(Vec::new()) };
    }
    std::thread::spawn(|| {
        let context = context(true);
        let work = stream(context);
        let mut buffer = DeviceBuffer::zeroed_on(LEN, &work).unwrap();
        let mut pinned = PinnedBuffer::zeroed(LEN).unwrap();
        buffer.fill_on(5, &work).unwrap();
        buffer.copy_to_pinned_on(&mut pinned, &stream(context)).unwrap();
        KEPT.with_borrow_mut(|kept| kept.push((buffer, pinned, work)));
    })
    .join()
    .unwrap();
    fake::drain();
    assert_eq!(fake::violations(), Vec::<String>::new());
}

#[test]
fn another_devices_streams_are_refused() {
    let here = context(true);
    let there = context(true);
    assert!(!core::ptr::eq(here, there));
    let mut buffer = DeviceBuffer::<u32>::zeroed_on(LEN, &stream(here)).unwrap();
    let other = DeviceBuffer::<u32>::zeroed_on(LEN, &stream(there)).unwrap();
    let wrong = |result| matches!(result, Err(crate::Error::WrongDevice { .. }));
    assert!(wrong(buffer.fill_on(1, &stream(there))));
    assert!(wrong(buffer.zero_on(&stream(there))));
    // The stream must be on the device that is written.
    assert!(wrong(buffer.copy_from_buffer_on(&other, &stream(there))));
    let mut pinned = PinnedBuffer::<u32>::zeroed(LEN).unwrap();
    assert!(wrong(buffer.copy_from_pinned_on(&pinned, &stream(there))));
    assert!(wrong(buffer.copy_to_pinned_on(&mut pinned, &stream(there))));
    buffer.copy_from_buffer_on(&other, &stream(here)).unwrap();
    // Through pinned memory, which both devices know, it works.
    other.copy_to_pinned_on(&mut pinned, &stream(there)).unwrap();
    buffer.copy_from_pinned_on(&pinned, &stream(here)).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [0; LEN]);
    assert_eq!(fake::violations(), Vec::<String>::new());
}

/// Buffers of two devices, which copy from each other on random streams.
#[test]
fn random_copies_between_devices() {
    let devices = [context(true), context(true)];
    for seed in 1..=20 {
        let mut random = Random(seed * 0x9E37_79B9);
        let streams = devices.map(|device| [stream(device), stream(device), stream(device)]);
        let mut buffers: Vec<(usize, DeviceBuffer<u32>, Vec<u32>)> = (0..4)
            .map(|i| {
                let buffer = DeviceBuffer::zeroed_on(LEN, &streams[i % 2][0]).unwrap();
                (i % 2, buffer, vec![0; LEN])
            })
            .collect();
        for _ in 0..300 {
            let (to, from, on) = (random.below(4), random.below(4), random.below(3));
            let len = 1 + random.below(LEN);
            let (range, from_range) = (random.range(len), random.range(len));
            if to == from {
                let (device, buffer, model) = &mut buffers[to];
                match random.below(3) {
                    0 => assert_eq!(buffer.to_vec().unwrap(), *model, "seed {seed}"),
                    1 => {
                        let value = random.value();
                        let mut part = buffer.slice_mut(range.clone());
                        part.fill_on(value, &streams[*device][on]).unwrap();
                        model[range].fill(value);
                    }
                    _ => {
                        *buffer = DeviceBuffer::zeroed_on(LEN, &streams[*device][on]).unwrap();
                        model.fill(0);
                    }
                }
                continue;
            }
            let [(device, to, to_model), (_, from, from_model)] =
                buffers.get_disjoint_mut([to, from]).unwrap();
            let mut part = to.slice_mut(range.clone());
            part.copy_from_buffer_on(from.slice(from_range.clone()), &streams[*device][on])
                .unwrap();
            to_model[range].copy_from_slice(&from_model[from_range]);
        }
        for (_, buffer, model) in buffers {
            assert_eq!(buffer.to_vec().unwrap(), model, "seed {seed}");
        }
        fake::drain();
        assert_eq!(fake::live_here().0, 0, "memory leaks, seed {seed}");
        assert_eq!(fake::violations(), Vec::<String>::new(), "seed {seed}");
    }
}

#[test]
fn lengths_and_ranges_are_checked() {
    let context = context(true);
    let work = stream(context);
    let mut buffer = DeviceBuffer::<u32>::zeroed_on(LEN, &work).unwrap();
    let text = buffer.copy_from_slice(&[1; 3]).unwrap_err().to_string();
    assert!(text.contains('3') && text.contains("24"), "{text}");
    assert!(buffer.copy_to_slice(&mut [0; 25]).is_err());
    assert!(buffer.copy_to_pinned_on(&mut PinnedBuffer::zeroed(1).unwrap(), &work).is_err());
    assert!(buffer.copy_from_pinned_on(&PinnedBuffer::zeroed(1).unwrap(), &work).is_err());
    let other = DeviceBuffer::<u32>::zeroed_on(1, &work).unwrap();
    assert!(buffer.copy_from_buffer_on(&other, &work).is_err());
    assert!(buffer.as_slice().get(3..25).is_none());
    assert!(buffer.as_slice().get(core::ops::RangeInclusive::new(0, usize::MAX)).is_none());
    #[allow(clippy::reversed_empty_ranges)]
    let reversed = 5..3;
    assert!(buffer.as_slice().get(reversed).is_none());
    assert_eq!(buffer.slice(LEN..).to_vec().unwrap(), Vec::<u32>::new());
    let caught = std::panic::catch_unwind(|| buffer.slice(20..25).len());
    let text = *caught.unwrap_err().downcast::<String>().unwrap();
    assert!(text.contains("20..25") && text.contains("24 elements"), "{text}");
    let huge = DeviceBuffer::<u64>::zeroed_on(usize::MAX / 4, &work).unwrap_err().to_string();
    assert!(huge.contains("address space"), "{huge}");
}

#[test]
fn elements_of_no_bytes_and_no_elements() {
    let context = context(true);
    let work = stream(context);
    let mut units = DeviceBuffer::<()>::zeroed_on(5, &work).unwrap();
    units.fill_on((), &work).unwrap();
    assert_eq!(units.to_vec().unwrap(), [(); 5]);
    let mut none = DeviceBuffer::<u64>::zeroed_on(0, &work).unwrap();
    none.fill_on(3, &work).unwrap();
    none.copy_from_slice(&[]).unwrap();
    assert_eq!(none.to_vec().unwrap(), [0u64; 0]);
    assert_eq!(none.device_address() % 8, 0);
    assert_ne!(none.device_address(), 0);
    let mut pinned = PinnedBuffer::<u64>::zeroed(0).unwrap();
    none.copy_to_pinned_on(&mut pinned, &work).unwrap();
    assert_eq!(*pinned, [0u64; 0]);
}

/// Values of every size, with padding, too.
#[test]
fn fills() {
    fn check<T: ptyx_device::DeviceCopy + PartialEq + core::fmt::Debug>(value: T) {
        for len in [0, 1, 2, 3, 7, 24] {
            let work = crate::runtime::current().unwrap().default_stream().unwrap();
            let mut buffer = DeviceBuffer::<T>::zeroed_on(len, work).unwrap();
            buffer.fill(value).unwrap();
            assert_eq!(buffer.to_vec().unwrap(), vec![value; len]);
        }
    }
    let _ = context(true);
    check(0x12u8);
    check(-5i16);
    check(1.5f32);
    check(true);
    check('ß');
    check(1.0e300f64);
    check(u128::MAX / 3);
    check((1u8, 2u32));
    check([1u8, 2, 3]);
    check([1.0f32; 12]);
}

/// What a kernel does that writes through a raw pointer.
fn write_through_pointer(context: &'static Context, to: u64, value: u32, stream: &Stream) {
    let _entry = stream.enter();
    untracked(context).launch(stream, false).unwrap();
    // SAFETY: the memory has `LEN` elements.
    unsafe { context.driver.cuMemsetD32Async(to, value, LEN, stream.handle()) }.unwrap();
}

/// Work through raw pointers, uses of the buffer on other streams, and the host are ordered.
#[test]
fn work_through_raw_pointers_is_ordered_with_uses_of_the_buffer() {
    for (pools, seed) in [(true, 1), (false, 2), (true, 3)] {
        let context = context(pools);
        let mut random = Random(0x9E37_79B9 + seed);
        for _ in 0..60 {
            let streams: Vec<Stream> = (0..4).map(|_| stream(context)).collect();
            let mut value = random.value();
            // Its zeroes come on a stream of their own.
            let mut buffer = DeviceBuffer::<u32>::zeroed(LEN).unwrap();
            let mut copy = DeviceBuffer::<u32>::zeroed(LEN).unwrap();
            let address = buffer.device_address();
            let mut expected = [0; LEN];
            let (mut at, mut last) = (0, 1);
            for _ in 0..12 {
                // Two kernels through pointers do not wait for each other.
                let kind = random.below(4);
                at = if kind == 0 && last == 0 { at } else { random.below(4) };
                let on = &streams[at];
                last = kind;
                match kind {
                    0 => {
                        value += 1;
                        write_through_pointer(context, address, value, on);
                        expected = [value; LEN];
                    }
                    1 => {
                        value += 1;
                        let range = random.range(3);
                        buffer.slice_mut(range.clone()).fill_on(value, on).unwrap();
                        expected[range].fill(value);
                    }
                    2 => {
                        copy.copy_from_buffer_on(&buffer, on).unwrap();
                        assert_eq!(copy.to_vec().unwrap(), expected);
                    }
                    _ => assert_eq!(buffer.to_vec().unwrap(), expected),
                }
            }
            write_through_pointer(context, address, 5, &streams[0]);
            drop(buffer);
        }
        assert_eq!(fake::violations(), Vec::<String>::new(), "seed {seed}");
    }
}

/// The same without a raw pointer in sight: nothing waits.
#[test]
fn buffers_whose_address_nobody_took_wait_for_no_raw_pointers() {
    let context = context(true);
    let (first, second) = (stream(context), stream(context));
    let mut buffer = DeviceBuffer::<u32>::zeroed_on(LEN, &first).unwrap();
    let exposed = DeviceBuffer::<u32>::zeroed_on(LEN, &second).unwrap();
    assert!(!untracked(context).matters());
    write_through_pointer(context, exposed.device_address(), 1, &second);
    assert!(untracked(context).matters());
    assert_eq!(untracked(context).launching().len(), 1);
    buffer.fill_on(1, &first).unwrap();
    assert!(first.0.places().is_empty() && !buffer.as_slice().has_note_of(&second));
}
