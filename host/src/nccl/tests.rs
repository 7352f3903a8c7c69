//! The calls that are made of NCCL, by a stand-in that does on the emulated device what NCCL does on GPUs; and what is said
//! where there is no NCCL.

use super::library::{Handle, Nccl, RawId, RawStream};
use super::*;
use crate::driver::Driver;
use crate::driver::types::CUstream;
use crate::launch::tests::environment::{child_at, is_child};
use crate::runtime::current;
use crate::{Device, DeviceBuffer, Error, Stream};
use core::cell::RefCell;
use core::ffi::{c_char, c_void};
use std::sync::OnceLock;

/// A call in a group. Memory is known by its address.
#[derive(Clone, Copy, Debug)]
enum Call {
    Reduce { all: bool, from: u64, to: u64, count: usize, how: c_int },
    Broadcast { at: u64, count: usize, root: c_int },
    Gather { from: u64, to: u64, count: usize },
    Send { from: u64, count: usize, peer: c_int },
    Receive { to: u64, count: usize, peer: c_int },
}

/// The calls of the open group, each with its rank; and how many groups are open.
#[derive(Default)]
struct Fake {
    calls: Vec<(usize, Call)>,
    depth: u32,
    ranks: usize,
    destroyed: usize,
    fails: bool,
    /// The number of another type than `u32`, whose calls are only noted, and the last one.
    #[cfg(feature = "half")]
    other: Option<(c_int, Option<Call>)>,
}

thread_local! {
    static FAKE: RefCell<Fake> = RefCell::default();
}

/// Ranks' handles are their numbers, from 1.
fn note(comm: Handle, kind: c_int, call: Call) -> c_int {
    FAKE.with_borrow_mut(|fake| {
        assert!(fake.depth > 0, "a call outside of a group");
        #[cfg(feature = "half")]
        if let Some((expected, last)) = &mut fake.other {
            assert_eq!(kind, *expected);
            *last = Some(call);
            return;
        }
        // Of a `u32`.
        assert_eq!(kind, 3);
        fake.calls.push((comm.addr() - 1, call));
    });
    0
}

/// The driver, with some device's context.
fn bound() -> &'static Driver {
    let context = current().unwrap();
    context.bind().unwrap();
    context.driver
}

/// What is in the memory, in stream order: the emulated device has done all work by then.
fn read(at: u64, count: usize) -> Vec<u32> {
    let mut values = vec![0u32; count];
    let (to, driver) = (values.as_mut_ptr().cast(), bound());
    // SAFETY: the list has as many places, and the tests' buffers as many elements.
    unsafe { driver.cuMemcpyDtoHAsync(to, at, count * 4, CUstream::NULL) }.unwrap();
    values
}

fn write(at: u64, values: &[u32]) {
    let (from, bytes, driver) = (values.as_ptr().cast(), values.len() * 4, bound());
    // SAFETY: as above.
    unsafe { driver.cuMemcpyHtoDAsync(at, from, bytes, CUstream::NULL) }.unwrap();
}

fn sum(lists: &[Vec<u32>], how: c_int) -> Vec<u32> {
    let one = |at: usize| {
        let values = lists.iter().map(|list| list[at]);
        match how {
            0 => values.sum(),
            2 => values.max().unwrap(),
            other => panic!("{other}"),
        }
    };
    (0..lists[0].len()).map(one).collect()
}

/// Does what all ranks have called.
fn run(calls: &[(usize, Call)], ranks: usize) {
    // The n-th call of each rank belongs together.
    let of = |rank: usize| -> Vec<Call> {
        calls.iter().filter(|(own, _)| *own == rank).map(|(_, call)| *call).collect()
    };
    let by_rank: Vec<Vec<Call>> = (0..ranks).map(of).collect();
    for (rank, own) in by_rank.iter().enumerate() {
        for call in own {
            let Call::Send { from, count, peer } = *call else { continue };
            let is_it =
                |call: &&Call| matches!(call, Call::Receive { peer, .. } if *peer as usize == rank);
            let Some(Call::Receive { to, count: room, .. }) =
                by_rank[peer as usize].iter().find(is_it)
            else {
                panic!("nobody receives")
            };
            assert_eq!(*room, count);
            write(*to, &read(from, count));
        }
    }
    for number in 0..by_rank[0].len() {
        let together: Vec<Call> = by_rank.iter().map(|calls| calls[number]).collect();
        let inputs: Vec<Vec<u32>> = together
            .iter()
            .map(|call| match *call {
                Call::Reduce { all, from, count, .. } => {
                    read(from, if all { count } else { count * ranks })
                }
                Call::Gather { from, count, .. } => read(from, count),
                Call::Broadcast { at, count, .. } => read(at, count),
                Call::Send { .. } | Call::Receive { .. } => Vec::new(),
            })
            .collect();
        for (rank, call) in together.into_iter().enumerate() {
            match call {
                Call::Reduce { all: true, to, how, .. } => write(to, &sum(&inputs, how)),
                Call::Reduce { to, how, count, .. } => {
                    write(to, &sum(&inputs, how)[rank * count..(rank + 1) * count]);
                }
                Call::Gather { to, .. } => write(to, &inputs.concat()),
                Call::Broadcast { at, root, .. } => write(at, &inputs[root as usize]),
                Call::Send { .. } | Call::Receive { .. } => {}
            }
        }
    }
}

extern "C" fn get_version(version: *mut c_int) -> c_int {
    // SAFETY: the caller's place; so below.
    unsafe { version.write(22_703) };
    0
}
extern "C" fn get_unique_id(_: *mut RawId) -> c_int {
    0
}
extern "C" fn init_rank(_: *mut Handle, _: c_int, _: RawId, _: c_int) -> c_int {
    0
}
extern "C" fn init_all(comms: *mut Handle, count: c_int, devices: *const c_int) -> c_int {
    for rank in 0..count as usize {
        // SAFETY: both lists have as many places.
        unsafe {
            assert_eq!(devices.add(rank).read(), rank as c_int);
            comms.add(rank).write(core::ptr::without_provenance_mut(rank + 1));
        }
    }
    FAKE.with_borrow_mut(|fake| fake.ranks = count as usize);
    0
}
extern "C" fn destroy(_: Handle) -> c_int {
    FAKE.with_borrow_mut(|fake| fake.destroyed += 1);
    0
}
extern "C" fn group_start() -> c_int {
    FAKE.with_borrow_mut(|fake| fake.depth += 1);
    0
}
extern "C" fn group_end() -> c_int {
    let (calls, ranks, fails) = FAKE.with_borrow_mut(|fake| {
        fake.depth -= 1;
        (core::mem::take(&mut fake.calls), fake.ranks, fake.fails)
    });
    if fails {
        return 3;
    }
    // A group that a closure left in the middle has not all.
    if calls.iter().map(|(rank, _)| rank).collect::<std::collections::HashSet<_>>().len() == ranks {
        run(&calls, ranks);
    }
    0
}
extern "C" fn all_reduce(
    from: *const c_void,
    to: *mut c_void,
    count: usize,
    kind: c_int,
    how: c_int,
    comm: Handle,
    _: RawStream,
) -> c_int {
    let (from, to) = (from.addr() as u64, to.addr() as u64);
    note(comm, kind, Call::Reduce { all: true, from, to, count, how })
}
extern "C" fn broadcast(
    from: *const c_void,
    to: *mut c_void,
    count: usize,
    kind: c_int,
    root: c_int,
    comm: Handle,
    _: RawStream,
) -> c_int {
    assert_eq!(from, to.cast_const());
    note(comm, kind, Call::Broadcast { at: to.addr() as u64, count, root })
}
extern "C" fn all_gather(
    from: *const c_void,
    to: *mut c_void,
    count: usize,
    kind: c_int,
    comm: Handle,
    _: RawStream,
) -> c_int {
    note(comm, kind, Call::Gather { from: from.addr() as u64, to: to.addr() as u64, count })
}
extern "C" fn reduce_scatter(
    from: *const c_void,
    to: *mut c_void,
    count: usize,
    kind: c_int,
    how: c_int,
    comm: Handle,
    _: RawStream,
) -> c_int {
    let (from, to) = (from.addr() as u64, to.addr() as u64);
    note(comm, kind, Call::Reduce { all: false, from, to, count, how })
}
extern "C" fn send(
    from: *const c_void,
    count: usize,
    kind: c_int,
    peer: c_int,
    comm: Handle,
    _: RawStream,
) -> c_int {
    note(comm, kind, Call::Send { from: from.addr() as u64, count, peer })
}
extern "C" fn receive(
    to: *mut c_void,
    count: usize,
    kind: c_int,
    peer: c_int,
    comm: Handle,
    _: RawStream,
) -> c_int {
    note(comm, kind, Call::Receive { to: to.addr() as u64, count, peer })
}
extern "C" fn error_string(_: c_int) -> *const c_char {
    c"something of NCCL".as_ptr()
}

fn fake() -> &'static Nccl {
    static NCCL: OnceLock<Nccl> = OnceLock::new();
    NCCL.get_or_init(|| Nccl {
        ncclGetVersion: get_version,
        ncclGetUniqueId: get_unique_id,
        ncclCommInitRank: init_rank,
        ncclCommInitAll: init_all,
        ncclCommDestroy: destroy,
        ncclGroupStart: group_start,
        ncclGroupEnd: group_end,
        ncclAllReduce: all_reduce,
        ncclBroadcast: broadcast,
        ncclAllGather: all_gather,
        ncclReduceScatter: reduce_scatter,
        ncclSend: send,
        ncclRecv: receive,
        ncclGetErrorString: error_string,
    })
}

const RANKS: usize = 3;

/// A rank's device, with a buffer.
struct Place {
    rank: Communicator,
    stream: Stream,
    values: DeviceBuffer<u32>,
    own: Vec<u32>,
}

fn places(len: usize) -> Vec<Place> {
    let devices = Device::all().unwrap();
    assert_eq!(devices.len(), RANKS);
    let ranks = Communicator::all_of(fake(), &devices).unwrap();
    let place = |(rank, device): (Communicator, &Device)| {
        device.with(|| {
            let own: Vec<u32> =
                (0..len as u32).map(|at| 100 * (rank.rank() + 1) + at * at % 7).collect();
            let (stream, values) =
                (Stream::new().unwrap(), DeviceBuffer::from_slice(&own).unwrap());
            Place { rank, stream, values, own }
        })
    };
    ranks.into_iter().zip(&devices).map(place).collect()
}

fn inside(work: fn(), test: &str) {
    if is_child() {
        work();
        return;
    }
    let variables =
        [("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_DEVICES", "3"), ("PTYX_EMULATOR_ASYNC", "0")];
    child_at(&format!("nccl::tests::{test}"), &variables);
}

#[test]
fn ranks_reduce_gather_and_send() {
    inside(
        || {
            let mut places = places(6);
            assert!(places[0].rank == places[0].rank && places[0].rank != places[1].rank);
            #[allow(clippy::mutable_key_type)] // its identity does not change
            let ranks: std::collections::HashSet<_> =
                places.iter().map(|place| &place.rank).collect();
            assert_eq!(ranks.len(), RANKS);
            let owns: Vec<Vec<u32>> = places.iter().map(|place| place.own.clone()).collect();
            let sums: Vec<u32> = (0..6).map(|at| owns.iter().map(|own| own[at]).sum()).collect();
            assert_eq!((places[2].rank.rank(), places[2].rank.ranks()), (2, 3));
            group(|group| {
                for Place { rank, stream, values, .. } in &mut places {
                    // NCCL's work comes after it.
                    group.all_reduce_in_place(rank, values, Reduce::Sum, stream)?;
                }
                Ok(())
            })
            .unwrap();
            for place in &places {
                assert_eq!(place.values.to_vec().unwrap(), sums);
            }
            let mut others: Vec<DeviceBuffer<u32>> = Device::all()
                .unwrap()
                .iter()
                .map(|device| device.with(|| DeviceBuffer::zeroed(18)).unwrap())
                .collect();
            for place in &mut places {
                place.values.copy_from_slice(&place.own).unwrap();
            }
            group(|group| {
                for (Place { rank, stream, values, .. }, to) in places.iter().zip(&mut others) {
                    group.all_gather(rank, values, to, stream)?;
                }
                Ok(())
            })
            .unwrap();
            for other in &others {
                assert_eq!(other.to_vec().unwrap(), owns.concat());
            }
            group(|group| {
                for (Place { rank, stream, values, .. }, from) in places.iter_mut().zip(&others) {
                    group.reduce_scatter(rank, from, values, Reduce::Max, stream)?;
                }
                Ok(())
            })
            .unwrap();
            // All have sent the same.
            for (place, own) in places.iter().zip(&owns) {
                assert_eq!(place.values.to_vec().unwrap(), *own);
            }
            group(|group| {
                for Place { rank, stream, values, .. } in &mut places {
                    group.broadcast(rank, values, 1, stream)?;
                }
                Ok(())
            })
            .unwrap();
            assert!(places.iter().all(|place| place.values.to_vec().unwrap() == owns[1]));
            // Around a ring.
            for (place, own) in places.iter_mut().zip(&owns) {
                place.values.copy_from_slice(own).unwrap();
            }
            group(|group| {
                for (Place { rank, stream, values, .. }, to) in places.iter().zip(&mut others) {
                    let own = rank.rank();
                    group.send(rank, values, (own + 1) % 3, stream)?;
                    group.receive(rank, to.slice_mut(..6), (own + 2) % 3, stream)?;
                }
                Ok(())
            })
            .unwrap();
            for (number, other) in others.iter().enumerate() {
                assert_eq!(other.slice(..6).to_vec().unwrap(), owns[(number + 2) % 3]);
            }
            drop(places);
            assert_eq!(FAKE.with_borrow(|fake| (fake.destroyed, fake.depth)), (3, 0));
        },
        "ranks_reduce_gather_and_send",
    );
}

/// NCCL knows them as `ncclFloat16` and `ncclBfloat16`.
#[cfg(feature = "half")]
#[test]
fn floats_of_16_bits_are_numbers() {
    fn check<T: Number>(kind: c_int, value: T, places: &mut [Place]) {
        FAKE.with_borrow_mut(|fake| fake.other = Some((kind, None)));
        let Place { rank, stream, .. } = &mut places[0];
        let mut values = DeviceBuffer::filled(5, value).unwrap();
        let address = values.as_slice().address();
        group(|group| group.all_reduce_in_place(rank, &mut values, Reduce::Sum, stream)).unwrap();
        let last = FAKE.with_borrow_mut(|fake| fake.other.take()).unwrap().1;
        let Some(Call::Reduce { from, to, count: 5, .. }) = last else { panic!("{last:?}") };
        assert_eq!((from, to), (address, address));
    }
    inside(
        || {
            let mut places = places(6);
            check(6, half::f16::ONE, &mut places);
            check(9, half::bf16::ONE, &mut places);
        },
        "floats_of_16_bits_are_numbers",
    );
}

#[test]
fn mistakes_are_errors_and_the_group_ends() {
    inside(
        || {
            let mut places = places(6);
            let wrong = Stream::new().unwrap();
            let mut short = DeviceBuffer::<u32>::zeroed(5).unwrap();
            let Place { rank, stream, values, .. } = &mut places[0];
            let error = group(|group| group.all_gather(rank, &*values, &mut short, stream));
            assert!(
                matches!(error, Err(Error::Length { expected: 18, found: 5, .. })),
                "{error:?}"
            );
            let error = group(|group| group.broadcast(rank, &mut *values, 3, stream)).unwrap_err();
            let expected = "rank 3 does not exist: there are 3 ranks, counted from 0";
            assert!(error.to_string().contains(expected), "{error}");
            // An error after a call: the call is made all the same, and the group ended.
            let error: Result<()> = group(|group| {
                group.all_reduce_in_place(rank, &mut *values, Reduce::Sum, stream)?;
                Err(Error::Length { what: "mine", expected: 1, found: 2 })
            });
            assert!(matches!(error, Err(Error::Length { what: "mine", .. })));
            assert_eq!(FAKE.with_borrow(|fake| fake.depth), 0);
            let nested = group(|_| {
                group(|inner| inner.all_reduce_in_place(rank, &mut *values, Reduce::Sum, stream))
            });
            let text = nested.unwrap_err().to_string();
            assert!(text.contains("a group can't begin inside another group"), "{text}");
            let thrown = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                group(|group| {
                    group.all_reduce_in_place(rank, &mut *values, Reduce::Sum, stream)?;
                    if stream.device_index() == 0 {
                        panic!("mine")
                    }
                    Ok(())
                })
            }));
            assert!(thrown.is_err());
            assert_eq!(FAKE.with_borrow(|fake| fake.depth), 0);
            FAKE.with_borrow_mut(|fake| fake.fails = true);
            let error =
                group(|group| group.all_reduce_in_place(rank, &mut *values, Reduce::Sum, stream));
            let text = error.unwrap_err().to_string();
            assert!(text.contains("ncclGroupEnd failed: something of NCCL (3)"), "{text}");
            FAKE.with_borrow_mut(|fake| fake.fails = false);
            // The stream can be captured, so no call has stayed in it; and NCCL's work is refused there.
            let refused = stream.capture(|captured| {
                let done = group(|group| {
                    group.all_reduce_in_place(rank, &mut *values, Reduce::Sum, captured)
                });
                assert!(matches!(done, Err(Error::Capture(_))), "{done:?}");
                Ok(())
            });
            refused.unwrap();
            let Place { rank, values, .. } = &mut places[1];
            let error = group(|group| group.all_reduce_in_place(rank, values, Reduce::Sum, &wrong));
            assert!(matches!(error, Err(Error::WrongDevice { .. })), "{error:?}");
            let none = Communicator::all_of(fake(), &[]).unwrap_err().to_string();
            assert!(none.contains("a communicator needs at least one device"), "{none}");
        },
        "mistakes_are_errors_and_the_group_ends",
    );
}

#[test]
fn without_nccl_the_error_says_so() {
    let Err(reason) = library::open("libptyx-no-such-nccl.so.2") else { panic!("found") };
    assert!(reason.contains("NCCL is not installed"), "{reason}");
    let Err(reason) = library::open("libc.so.6") else { panic!("found") };
    assert!(reason.contains("no function ncclGetVersion"), "{reason}");
    if Device::current().unwrap().is_emulated() {
        let error = version().unwrap_err();
        assert!(error.to_string().contains("emulated device"), "{error}");
        assert!(matches!(UniqueId::new(), Err(Error::Nccl { .. })));
        assert!(matches!(Communicator::all(&Device::all().unwrap()), Err(Error::Nccl { .. })));
        let id = UniqueId::of_bytes([7; 128]);
        assert!(matches!(Communicator::of_rank(&id, 2, 0), Err(Error::Nccl { .. })));
    }
}
