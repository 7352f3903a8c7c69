//! D13: cooperative groups within a block, against the members' values combined one by one.

use ptyx::device::group::{ReduceBits, ReduceNumber};
use ptyx::prelude::*;
use ptyx_tests::rng;
use std::fmt::Debug;

/// `x -> a * x + b`, wrapping: composing such maps is associative, but the order matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceCopy)]
struct Affine {
    a: u32,
    b: u32,
}

impl Affine {
    fn then(self, next: Affine) -> Affine {
        Affine {
            a: next.a.wrapping_mul(self.a),
            b: next.a.wrapping_mul(self.b).wrapping_add(next.b),
        }
    }
}

/// What a group does, as each member sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceCopy)]
struct Seen {
    place: [u32; 4],
    shuffled: [Affine; 4],
    votes: [u32; 5],
    combined: [Affine; 3],
    sum: u32,
    /// Whether this member was the one, and that one's value.
    one: (bool, Affine),
}

fn look(group: impl LaneGroup, x: Affine, by: u32) -> Seen {
    let initial = Affine { a: 3, b: by };
    group.sync();
    Seen {
        place: [group.size(), group.rank(), group.meta_size(), group.meta_rank()],
        shuffled: [
            group.shuffle(x, by),
            group.shuffle_up(x, by),
            group.shuffle_down(x, by),
            group.shuffle(x, group.rank()),
        ],
        votes: [
            u32::from(group.all(!x.a.is_multiple_of(4))),
            u32::from(group.any(x.a.is_multiple_of(4))),
            group.ballot(x.b & 1 == 1),
            group.match_any(x.b % 3),
            u32::from(group.match_all(u64::from(x.b % 2))),
        ],
        combined: [
            group.reduce(x, Affine::then),
            group.inclusive_scan(x, Affine::then),
            group.exclusive_scan(initial, x, Affine::then),
        ],
        sum: group.reduce_add(x.b),
        one: (group.invoke_one(|| x.a).is_some(), group.invoke_one_broadcast(|| x.then(initial))),
    }
}

/// The same on the host, from the values of the members and this one's rank.
fn want(members: &[Affine], rank: usize, [meta_size, meta_rank]: [u32; 2], by: u32) -> Seen {
    let (size, x, step) = (members.len(), members[rank], by as usize);
    let initial = Affine { a: 3, b: by };
    let set = |holds: &dyn Fn(&Affine) -> bool| {
        members.iter().enumerate().fold(0, |set, (i, m)| set | u32::from(holds(m)) << i)
    };
    let all = |values: &[Affine]| values.iter().copied().reduce(Affine::then).unwrap();
    Seen {
        place: [size as u32, rank as u32, meta_size, meta_rank],
        shuffled: [
            members[step % size],
            members[if step <= rank { rank - step } else { rank }],
            members[if rank + step < size { rank + step } else { rank }],
            x,
        ],
        votes: [
            u32::from(members.iter().all(|m| !m.a.is_multiple_of(4))),
            u32::from(members.iter().any(|m| m.a.is_multiple_of(4))),
            set(&|m| m.b & 1 == 1),
            set(&|m| m.b % 3 == x.b % 3),
            u32::from(members.iter().all(|m| m.b % 2 == x.b % 2)),
        ],
        combined: [
            all(members),
            all(&members[..=rank]),
            members[..rank].iter().fold(initial, |all, &next| all.then(next)),
        ],
        sum: members.iter().fold(0, |sum, m| sum.wrapping_add(m.b)),
        one: (rank == 0, members[0].then(initial)),
    }
}

/// Random maps; some neighbours are equal in what votes look at.
fn maps(len: usize) -> Vec<Affine> {
    let mut rng = rng();
    let mut run = 0;
    rng.vec(len, |rng| {
        if rng.below(6) == 0 {
            run = rng.below(2);
        }
        let (a, b) = (rng.next_u32(), rng.next_u32());
        if run == 0 { Affine { a, b } } else { Affine { a: a | 1, b: 6 * (b >> 3) } }
    })
}

fn each<T: DeviceCopy>(
    x: &[Affine],
    run: impl FnOnce(&DeviceBuffer<Affine>, &mut DeviceBuffer<T>),
    first: T,
) -> Vec<T> {
    let device_x = DeviceBuffer::from_slice(x).unwrap();
    let mut seen = DeviceBuffer::filled(x.len(), first).unwrap();
    run(&device_x, &mut seen);
    seen.to_vec().unwrap()
}

#[kernel]
fn tiles<const N: u32>(x: &[Affine], by: u32, mut seen: Disjoint<(Seen, Affine)>) {
    let i = thread::index_1d();
    let tile = group::block().tiled::<N>();
    let x = x[i.get()];
    seen[i] = (look(tile, x, by), tile.shuffle_xor(x, by));
}

fn check_tiles<const N: u32>() {
    let n = N as usize;
    let x = maps(192);
    for by in [0, 1, 2, 7, 31, 40] {
        let run = |x: &DeviceBuffer<Affine>, seen: &mut DeviceBuffer<_>| {
            launch!(tiles::<N><<<2, 96>>>(x, by, seen)).unwrap();
        };
        for (i, (got, flipped)) in each(&x, run, Default::default()).into_iter().enumerate() {
            let (first, rank) = (i / n * n, i % n);
            let place = [96 / N, (i % 96 / n) as u32];
            let members = &x[first..first + n];
            assert_eq!(got, want(members, rank, place, by), "tiles of {N}, thread {i}, by {by}");
            assert_eq!(flipped, members[(rank ^ by as usize) % n], "tiles of {N}, thread {i}");
        }
    }
}

#[test]
fn tiles_of_every_size() {
    check_tiles::<1>();
    check_tiles::<2>();
    check_tiles::<4>();
    check_tiles::<8>();
    check_tiles::<16>();
    check_tiles::<32>();
}

/// Parts of tiles, in a branch that only some tiles take.
#[kernel]
fn parts_of_tiles(x: &[Affine], mut seen: Disjoint<Seen>) {
    let i = thread::index_1d();
    let tile = group::tile::<16>();
    let part = tile.tiled::<4>();
    if tile.meta_rank() % 2 == 1 && part.meta_rank() != 2 {
        seen[i] = look(part, x[i.get()], 1);
    }
}

#[test]
fn parts_of_tiles_in_a_branch() {
    let x = maps(128);
    let run = |x: &DeviceBuffer<Affine>, seen: &mut DeviceBuffer<_>| {
        launch!(parts_of_tiles<<<1, 128>>>(x, seen)).unwrap();
    };
    for (i, got) in each(&x, run, Seen::default()).into_iter().enumerate() {
        let part = i % 16 / 4;
        let expected = match i / 16 % 2 == 1 && part != 2 {
            true => want(&x[i / 4 * 4..][..4], i % 4, [4, part as u32], 1),
            false => Seen::default(),
        };
        assert_eq!(got, expected, "thread {i}");
    }
}

/// Members by label, then those by threes, then whoever is in the branch.
#[kernel]
fn partitions(x: &[Affine], labels: &[u32], by: u32, size: u32, mut seen: Disjoint<[Seen; 3]>) {
    let i = thread::index_1d();
    let (x, label) = (x[i.get()], labels[i.get()]);
    let same = group::tile::<32>().partition_by(label);
    let part = same.tiled(size);
    let odd = same.partition_if(x.b & 1 == 1);
    let seen = &mut seen[i];
    seen[0] = look(same, x, by);
    seen[1] = look(part, x, by);
    if x.b & 1 == 1 {
        seen[2] = look(odd, x, by);
    }
}

#[test]
fn partitions_by_labels_sizes_and_predicates() {
    for (labels, by, size) in [(1, 5, 7), (2, 1, 1), (3, 0, 4), (7, 2, 3), (40, 1, 2)] {
        let x = maps(128);
        let label = rng().vec(128, |rng| rng.below(labels) as u32 * 1000);
        let device_labels = DeviceBuffer::from_slice(&label).unwrap();
        let run = |x: &DeviceBuffer<Affine>, seen: &mut DeviceBuffer<_>| {
            launch!(partitions<<<2, 64>>>(x, &device_labels, by, size, seen)).unwrap();
        };
        for (i, got) in each(&x, run, Default::default()).into_iter().enumerate() {
            let warp = i / 32 * 32..i / 32 * 32 + 32;
            let same: Vec<usize> = warp.clone().filter(|&j| label[j] == label[i]).collect();
            let firsts: Vec<usize> =
                warp.clone().filter(|&j| !label[warp.start..j].contains(&label[j])).collect();
            let place = [firsts.len(), firsts.iter().position(|&j| j == same[0]).unwrap()];
            let values = |lanes: &[usize]| lanes.iter().map(|&j| x[j]).collect::<Vec<_>>();
            let rank = same.iter().position(|&j| j == i).unwrap();
            let expected = want(&values(&same), rank, place.map(|n| n as u32), by);
            assert_eq!(got[0], expected, "{labels} labels, thread {i}");

            let size = size as usize;
            let part = same.chunks(size).nth(rank / size).unwrap();
            let place = [same.len().div_ceil(size), rank / size].map(|n| n as u32);
            let expected = want(&values(part), rank % size, place, by);
            assert_eq!(got[1], expected, "{labels} labels, parts of {size}, thread {i}");

            let odd: Vec<usize> = same.iter().copied().filter(|&j| x[j].b & 1 == 1).collect();
            let expected = match odd.iter().position(|&j| j == i) {
                Some(rank) => want(&values(&odd), rank, [2, 1], by),
                None => Seen::default(),
            };
            assert_eq!(got[2], expected, "{labels} labels, odd ones, thread {i}");
        }
    }
}

/// Reserves places with one addition for each group of threads that come together.
#[kernel]
fn compact(x: &[Affine], next: Atomics<u32>, kept: Atomics<u32>) {
    let x = x[thread::index_1d().get()];
    if x.a.is_multiple_of(3) {
        let group = group::coalesced();
        let first = group.invoke_one_broadcast(|| next[0].fetch_add(group.size()));
        kept[(first + group.rank()) as usize].store(x.b);
    }
}

#[test]
fn threads_that_come_together_reserve_places() {
    let x = maps(1000);
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut next = DeviceBuffer::zeroed(1).unwrap();
    let mut kept = DeviceBuffer::zeroed(x.len()).unwrap();
    launch!(compact<<<4, 250>>>(&device_x, &mut next, &mut kept)).unwrap();
    let mut want: Vec<u32> = x.iter().filter(|x| x.a.is_multiple_of(3)).map(|x| x.b).collect();
    assert_eq!(next.to_vec().unwrap(), [want.len() as u32]);
    let mut got = kept.to_vec().unwrap()[..want.len()].to_vec();
    want.sort_unstable();
    got.sort_unstable();
    assert_eq!(got, want);
}

#[kernel]
fn numbers<T: ReduceNumber>(x: &[T], mut y: Disjoint<[[T; 3]; 2]>) {
    let i = thread::index_1d();
    let x = x[i.get()];
    fn all<T: ReduceNumber>(group: impl LaneGroup, x: T) -> [T; 3] {
        [group.reduce_add(x), group.reduce_min(x), group.reduce_max(x)]
    }
    y[i] =
        [all(group::tile::<8>(), x), all(group::tile::<32>().partition_by(i.get() as u32 % 5), x)];
}

#[kernel]
fn bits<T: ReduceBits>(x: &[T], mut y: Disjoint<[T; 3]>) {
    let i = thread::index_1d();
    let (x, group) = (x[i.get()], group::tile::<8>());
    y[i] = [group.reduce_and(x), group.reduce_or(x), group.reduce_xor(x)];
}

/// Sums are exact in any order, `add` wraps.
fn check_numbers<T: ReduceNumber + Num + Sync>(x: &[T], add: impl Fn(T, T) -> T) {
    let name = std::any::type_name::<T>();
    let device_x = DeviceBuffer::from_slice(x).unwrap();
    let mut y = DeviceBuffer::filled(x.len(), [[x[0]; 3]; 2]).unwrap();
    launch!(numbers::<T><<<1, x.len()>>>(&device_x, &mut y)).unwrap();
    let of = |members: Vec<T>| {
        let all = |combine: &dyn Fn(T, T) -> T| members.iter().copied().reduce(combine).unwrap();
        [all(&add), all(&|a, b| Num::lesser(a, b)), all(&|a, b| Num::greater(a, b))]
    };
    for (i, got) in y.to_vec().unwrap().into_iter().enumerate() {
        let warp = i / 32 * 32..i / 32 * 32 + 32;
        let fives = warp.filter(|j| j % 5 == i % 5).map(|j| x[j]).collect();
        assert_eq!(got, [of(x[i / 8 * 8..][..8].to_vec()), of(fives)], "{name}, thread {i}");
    }
}

macro_rules! check_integers {
    ($($type:ident)*) => {$({
        let x: Vec<$type> = rng().vec(96, |rng| {
            ((u128::from(rng.next_u64()) << 64) | u128::from(rng.next_u64())) as $type
        });
        check_numbers(&x, $type::wrapping_add);
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut y = DeviceBuffer::zeroed(x.len()).unwrap();
        launch!(bits::<$type><<<1, 96>>>(&device_x, &mut y)).unwrap();
        for (i, got) in y.to_vec().unwrap().into_iter().enumerate() {
            let members = x[i / 8 * 8..][..8].iter().copied();
            let want = [
                members.clone().reduce(|a, b| a & b).unwrap(),
                members.clone().reduce(|a, b| a | b).unwrap(),
                members.reduce(|a, b| a ^ b).unwrap(),
            ];
            assert_eq!(got, want, "{}, thread {i}", stringify!($type));
        }
    })*};
}

#[test]
fn reductions_of_every_number() {
    check_integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
    let x = rng().vec(96, |rng| rng.below(1 << 16) as f64 / 64.0 - 500.0);
    check_numbers(&x, |a, b| a + b);
    let x: Vec<f32> = x.into_iter().map(|x| x as f32).collect();
    check_numbers(&x, |a, b| a + b);
}

#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceCopy)]
struct OfBlock {
    place: [u32; 2],
    maps: [Affine; 4],
    greatest: u8,
    votes: (bool, bool, u32),
}

#[kernel]
fn blocks(x: &[Affine], mut seen: DisjointArray<OfBlock, 2>) {
    let block = group::block();
    let i = (block::rank() * u64::from(block.size())) as usize + block.rank() as usize;
    let x = x[i];
    let initial = Affine { a: 3, b: 5 };
    // Blocks are as wide as the array.
    seen[thread::index_2d()] = OfBlock {
        place: [block.size(), block.rank()],
        maps: [
            block.reduce(x, Affine::then),
            block.inclusive_scan(x, Affine::then),
            block.exclusive_scan(initial, x, Affine::then),
            block.invoke_one_broadcast(|| x.then(initial)),
        ],
        greatest: block.reduce(x.a as u8, |a, b| a.max(b)),
        votes: (
            block.all(!x.a.is_multiple_of(8)),
            block.any(x.a.is_multiple_of(64)),
            block.count(x.a.is_multiple_of(3)),
        ),
    };
}

#[test]
fn blocks_reduce_and_scan() {
    for (width, height) in
        [(1u32, 1u32), (31, 1), (32, 1), (33, 1), (20, 7), (128, 1), (64, 16), (1000, 1)]
    {
        let size = (width * height) as usize;
        let x = maps(3 * size);
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut seen = DeviceBuffer::filled(3 * size, OfBlock::default()).unwrap();
        let shaped = seen.view_mut([3 * height as usize, width as usize]);
        // Without the optional passes (docs/passes.md), it needs more registers than so many threads can have.
        launch!(blocks<<<(1, 3), (width, height)>>>(&device_x, shaped), maxthreads = 1024).unwrap();
        for (i, got) in seen.to_vec().unwrap().into_iter().enumerate() {
            let (members, rank) = (&x[i / size * size..][..size], i % size);
            let all = |values: &[Affine]| values.iter().copied().reduce(Affine::then).unwrap();
            let initial = Affine { a: 3, b: 5 };
            let want = OfBlock {
                place: [size as u32, rank as u32],
                maps: [
                    all(members),
                    all(&members[..=rank]),
                    members[..rank].iter().fold(initial, |all, &next| all.then(next)),
                    members[0].then(initial),
                ],
                greatest: members.iter().map(|m| m.a as u8).max().unwrap(),
                votes: (
                    members.iter().all(|m| !m.a.is_multiple_of(8)),
                    members.iter().any(|m| m.a.is_multiple_of(64)),
                    members.iter().filter(|m| m.a.is_multiple_of(3)).count() as u32,
                ),
            };
            assert_eq!(got, want, "block of {width} x {height}, thread {i}");
        }
    }
}

/// A sum, a minimum and a maximum of each type.
type Numbers = ([u8; 3], [i16; 3], [u32; 3], [i64; 3], [u128; 3]);

/// What both kinds of blocks combine; the last value has more words than the block reads at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceCopy)]
struct Combined {
    maps: [Affine; 3],
    wide: [Affine; 5],
    numbers: Numbers,
    bits: [u32; 3],
}

fn five(x: Affine) -> [Affine; 5] {
    [0, 1, 2, 3, 4].map(|i| Affine { a: x.a ^ i, b: x.b })
}

fn each_then(a: [Affine; 5], b: [Affine; 5]) -> [Affine; 5] {
    core::array::from_fn(|i| a[i].then(b[i]))
}

macro_rules! combine {
    ($block:expr, $x:expr) => {{
        let (block, x) = ($block, $x);
        macro_rules! numbers {
            ($type:ty) => {{
                let x = x.b as $type;
                [block.reduce_add(x), block.reduce_min(x), block.reduce_max(x)]
            }};
        }
        Combined {
            maps: [
                block.reduce(x, Affine::then),
                block.inclusive_scan(x, Affine::then),
                block.exclusive_scan(Affine { a: 3, b: 5 }, x, Affine::then),
            ],
            wide: block.inclusive_scan(five(x), each_then),
            numbers: (numbers!(u8), numbers!(i16), numbers!(u32), numbers!(i64), numbers!(u128)),
            bits: [
                block.reduce_and(x.b | 0xff00),
                block.reduce_or(x.b & 0xff00),
                block.reduce_xor(x.b),
            ],
        }
    }};
}

#[kernel]
fn sized_blocks<const N: u32>(x: &[Affine], mut combined: Disjoint<Combined>) {
    let i = thread::index_1d();
    combined[i] = combine!(group::block().sized::<N>(), x[i.get()]);
}

#[kernel]
fn unsized_blocks(x: &[Affine], mut combined: Disjoint<Combined>) {
    let i = thread::index_1d();
    combined[i] = combine!(group::block(), x[i.get()]);
}

/// The same for the members of a block and the thread of this rank.
fn want_combined(members: &[Affine], rank: usize) -> Combined {
    let all = |values: &[Affine]| values.iter().copied().reduce(Affine::then).unwrap();
    macro_rules! numbers {
        ($type:ty) => {{
            let values = || members.iter().map(|m| m.b as $type);
            let sum = values().fold(0, |a: $type, b| a.wrapping_add(b));
            [sum, values().min().unwrap(), values().max().unwrap()]
        }};
    }
    Combined {
        maps: [
            all(members),
            all(&members[..=rank]),
            members[..rank].iter().fold(Affine { a: 3, b: 5 }, |all, &next| all.then(next)),
        ],
        wide: members[..=rank].iter().copied().map(five).reduce(each_then).unwrap(),
        numbers: (numbers!(u8), numbers!(i16), numbers!(u32), numbers!(i64), numbers!(u128)),
        bits: [
            members.iter().fold(u32::MAX, |all, m| all & (m.b | 0xff00)),
            members.iter().fold(0, |all, m| all | (m.b & 0xff00)),
            members.iter().fold(0, |all, m| all ^ m.b),
        ],
    }
}

fn check_blocks(
    n: usize,
    launch: impl FnOnce(&DeviceBuffer<Affine>, &mut DeviceBuffer<Combined>) -> ptyx::Result<()>,
) {
    let x = maps(2 * n);
    let run =
        |x: &DeviceBuffer<Affine>, combined: &mut DeviceBuffer<_>| launch(x, combined).unwrap();
    for (i, got) in each(&x, run, Combined::default()).into_iter().enumerate() {
        assert_eq!(got, want_combined(&x[i / n * n..][..n], i % n), "block of {n}, thread {i}");
    }
}

fn check_sized_blocks<const N: u32>() {
    check_blocks(
        N as usize,
        |x, combined| launch!(sized_blocks::<N><<<2, N>>>(x, combined), maxthreads = N),
    );
}

/// One thread, a warp and a part of one, as many warps as there can be. (Each size is a kernel, and a large one.)
#[test]
fn blocks_of_a_known_size() {
    check_sized_blocks::<1>();
    check_sized_blocks::<40>();
    check_sized_blocks::<1024>();
}

#[test]
fn blocks_of_any_size() {
    for n in [1u32, 5, 32, 40, 160, 256, 1024] {
        check_blocks(
            n as usize,
            |x, combined| launch!(unsized_blocks<<<2, n>>>(x, combined), maxthreads = n),
        );
    }
}

#[test]
fn a_sized_block_needs_its_size() {
    let x = DeviceBuffer::from_slice(&maps(64)).unwrap();
    let mut combined = DeviceBuffer::filled(64, Combined::default()).unwrap();
    launch!(sized_blocks::<40><<<1, 64>>>(&x, &mut combined)).unwrap();
    let error = combined.to_vec().unwrap_err().to_string();
    assert!(error.contains("another number of threads than the code says"), "{error}");
}

/// Sums over the block whose order shows in the rounding.
#[kernel]
fn float_sums(x: &[f32], mut sums: Disjoint<[f32; 3]>) {
    let (i, block) = (thread::index_1d(), group::block().sized::<128>());
    let x = x[i.get()];
    sums[i] = [block.reduce_add(x), block.reduce(x, |a, b| a + b), block.reduce_max(x)];
}

#[test]
fn every_thread_gets_the_same_sum() {
    let x = rng().vec(128, |rng| rng.below(1 << 24) as f32 / 1000.0 - 8000.0);
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut sums = DeviceBuffer::zeroed(128).unwrap();
    launch!(float_sums<<<1, 128>>>(&device_x, &mut sums)).unwrap();
    let sums = sums.to_vec().unwrap();
    let want: f64 = x.iter().map(|&x| f64::from(x)).sum();
    let most = x.iter().copied().reduce(f32::max).unwrap();
    for sum in &sums {
        assert_eq!(*sum, sums[0]);
        assert_eq!((sum[0], sum[2]), (sum[1], most));
    }
    assert!((f64::from(sums[0][0]) - want).abs() < 1.0, "{} is not {want}", sums[0][0]);
}

/// A tile that would not be whole.
#[kernel]
fn broken_tile(mut y: Disjoint<u32>) {
    y[thread::index_1d()] = group::tile::<16>().rank();
}

#[test]
fn a_tile_needs_all_its_threads() {
    ptyx_tests::alone("groups::a_tile_needs_all_its_threads", || {
        let mut y = DeviceBuffer::zeroed(48).unwrap();
        launch!(broken_tile<<<1, 48>>>(&mut y)).unwrap();
        assert_eq!(y.to_vec().unwrap()[40], 8);
        launch!(broken_tile<<<1, 40>>>(&mut y)).unwrap();
        let error = y.to_vec().unwrap_err().to_string();
        assert!(error.contains("not a multiple of the tile's"), "{error}");
    });
}

/// The whole block combined, for its first thread: with any number of threads, and with one that the types say.
#[kernel]
fn to_one<const N: u32>(x: &[Affine], mut seen: Disjoint<[(bool, Affine); 2]>) {
    let (i, block) = (thread::index_1d(), group::block());
    let x = x[i.get()];
    let any = block.reduce_to_one(x, Affine::then);
    let sized = block.sized::<N>().reduce_to_one(x, Affine::then);
    seen[i] = [any, sized].map(|all| (all.is_some(), all.unwrap_or_default()));
}

fn check_to_one<const N: u32>() {
    let x = maps(3 * N as usize);
    let run = |x: &DeviceBuffer<Affine>, seen: &mut DeviceBuffer<_>| {
        launch!(to_one::<N><<<3, N>>>(x, seen)).unwrap();
    };
    for (i, got) in each(&x, run, Default::default()).into_iter().enumerate() {
        let (block, rank) = (i / N as usize, i % N as usize);
        let members = x[block * N as usize..][..N as usize].iter().copied();
        let want = match rank {
            0 => (true, members.reduce(Affine::then).unwrap()),
            _ => (false, Affine::default()),
        };
        assert_eq!(got, [want; 2], "block of {N}, thread {i}");
    }
}

#[test]
fn blocks_reduce_for_their_first_thread() {
    check_to_one::<1>();
    check_to_one::<31>();
    check_to_one::<32>();
    check_to_one::<33>();
    check_to_one::<128>();
    check_to_one::<1000>();
}

/// A type's least and greatest value of the block, in any block and in a sized one, for its first thread.
#[kernel]
fn extremes_to_one<T: ReduceNumber, const N: u32>(x: &[T], mut seen: Disjoint<[Option<T>; 4]>)
where
    [Option<T>; 4]: DeviceCopy,
{
    let (i, block) = (thread::index_1d(), group::block());
    let (x, sized) = (x[i.get()], block.sized::<N>());
    seen[i] = [
        block.reduce_min_to_one(x),
        block.reduce_max_to_one(x),
        sized.reduce_min_to_one(x),
        sized.reduce_max_to_one(x),
    ];
}

macro_rules! extremes_of {
    ($($type:ident $make:expr;)*) => {$({
        const N: usize = 96 + 13;
        let x: Vec<$type> = rng().vec(2 * N, $make);
        let mut seen = DeviceBuffer::from_slice(&vec![[None::<$type>; 4]; 2 * N]).unwrap();
        launch!(extremes_to_one::<$type, { N as u32 }><<<2, N>>>(
            &DeviceBuffer::from_slice(&x).unwrap(), &mut seen
        ))
        .unwrap();
        for (i, got) in seen.to_vec().unwrap().into_iter().enumerate() {
            let members = x[i / N * N..][..N].iter().copied();
            let want = match i % N {
                0 => [members.clone().reduce($type::min), members.reduce($type::max)],
                _ => [None; 2],
            };
            assert_eq!(got, [want[0], want[1], want[0], want[1]], "{}, thread {i}", stringify!($type));
        }
    })*};
}

#[test]
fn blocks_find_extremes_for_their_first_thread() {
    extremes_of! {
        i8 |rng| rng.next_u32() as i8;
        i32 |rng| rng.next_u32().cast_signed();
        u64 |rng| rng.next_u64();
        f32 |rng| rng.next_f32();
        f64 |rng| rng.next_f64();
    }
}
