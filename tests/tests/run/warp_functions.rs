//! D4 and D5: votes, matches, shuffles.

use ptyx::device::warp::Segment;
use ptyx::prelude::*;
use ptyx_tests::rng;

#[kernel]
fn votes(x: &[u8], mut y: Disjoint<[u32; 6]>) {
    let i = thread::index_1d();
    let bit = x[i.get()] & 1 == 1;
    let everyone = warp::FULL;
    y[i] = [
        u32::from(warp::all(everyone, bit)),
        u32::from(warp::any(everyone, bit)),
        u32::from(warp::uniform(everyone, bit)),
        warp::ballot(everyone, bit),
        warp::match_any(everyone, u32::from(x[i.get()] / 64)),
        u32::from(warp::match_all(everyone, u64::from(x[i.get()] / 64))),
    ];
}

#[test]
fn votes_and_matches() {
    let mut rng = rng();
    // A warp all true, one all false, one with equal quarters, five at random.
    let x: Vec<u8> = (0..256)
        .map(|i| {
            let random = rng.next_u64() as u8;
            match i / 32 {
                0 => random | 1,
                1 => random & !1,
                2 => 64 + random % 64,
                _ => random,
            }
        })
        .collect();
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::zeroed(256).unwrap();
    launch!(votes<<<2, 128>>>(&device_x, &mut y)).unwrap();
    for (i, got) in y.to_vec().unwrap().into_iter().enumerate() {
        let warp = &x[i / 32 * 32..][..32];
        let mask = |holds: &dyn Fn(u8) -> bool| {
            warp.iter()
                .enumerate()
                .fold(0u32, |mask, (lane, &x)| mask | u32::from(holds(x)) << lane)
        };
        let ballot = mask(&|x| x & 1 == 1);
        let equal = mask(&|other| other / 64 == x[i] / 64);
        let want = [
            u32::from(ballot == u32::MAX),
            u32::from(ballot != 0),
            u32::from(ballot == u32::MAX || ballot == 0),
            ballot,
            equal,
            u32::from(equal == u32::MAX),
        ];
        assert_eq!(got, want, "thread {i}");
    }
}

/// Half of the lanes vote among themselves, inside a branch.
#[kernel]
fn divergent(mut y: Disjoint<[u32; 2]>) {
    let i = thread::index_1d();
    let lane = warp::lane();
    y[i] = if lane.is_multiple_of(2) {
        [warp::ballot(0x5555_5555, lane < 16), warp::active_mask()]
    } else {
        [warp::ballot(0xaaaa_aaaa, lane >= 16), warp::active_mask()]
    };
}

#[test]
fn votes_of_some_lanes() {
    let mut y = DeviceBuffer::zeroed(32).unwrap();
    launch!(divergent<<<1, 32>>>(&mut y)).unwrap();
    for (lane, [ballot, active]) in y.to_vec().unwrap().into_iter().enumerate() {
        let want = if lane % 2 == 0 { 0x0000_5555 } else { 0xaaaa_0000 };
        assert_eq!(ballot, want, "lane {lane}");
        assert_eq!(active >> lane & 1, 1, "a lane is active where it runs");
    }
}

/// The four shuffles, with some width, lane and delta.
#[kernel]
fn shuffles<T: DeviceCopy>(x: &[T], width: u32, by: u32, mut y: Disjoint<[T; 4]>) {
    let i = thread::index_1d();
    let value = x[i.get()];
    let lanes = Segment::of_width(width);
    y[i] = [
        warp::shuffle(lanes, value, by),
        warp::shuffle_up(lanes, value, by),
        warp::shuffle_down(lanes, value, by),
        warp::shuffle_xor(lanes, value, by),
    ];
}

/// The lanes that a lane takes from, by PTX ISA 9.7.9.6.
fn sources(lane: usize, width: usize, by: usize) -> [usize; 4] {
    let first = lane / width * width;
    let keep = |source: Option<usize>| {
        source.filter(|source| (first..first + width).contains(source)).unwrap_or(lane)
    };
    let flipped = lane ^ by;
    [
        first + by % width,
        keep(lane.checked_sub(by)),
        keep(Some(lane + by)),
        // Only later segments are out of reach.
        if flipped < first + width { flipped } else { lane },
    ]
}

fn check_shuffles<T: DeviceCopy + PartialEq + std::fmt::Debug>(x: &[T]) {
    let device_x = DeviceBuffer::from_slice(x).unwrap();
    for width in [1usize, 2, 4, 8, 16, 32] {
        for by in [0usize, 1, 5, 16, 31] {
            let mut y = DeviceBuffer::filled(x.len(), [x[0]; 4]).unwrap();
            let (blocks, lanes, by_lanes) = (x.len() / 64, width as u32, by as u32);
            launch!(shuffles::<T><<<blocks, 64>>>(&device_x, lanes, by_lanes, &mut y)).unwrap();
            for (i, got) in y.to_vec().unwrap().into_iter().enumerate() {
                let want = sources(i % 32, width, by).map(|lane| x[i / 32 * 32 + lane]);
                assert_eq!(got, want, "thread {i}, width {width}, by {by}");
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Mixed {
    small: u8,
    wide: f64,
    flag: bool,
    three: [u16; 3],
}

#[test]
fn shuffles_of_every_type() {
    let mut rng = rng();
    check_shuffles(&rng.vec(128, |rng| rng.next_u32()));
    check_shuffles(&rng.vec(128, |rng| rng.next_f32()));
    check_shuffles(&rng.vec(128, |rng| rng.next_f64()));
    check_shuffles(&rng.vec(128, |rng| rng.next_u64() & 1 == 1));
    check_shuffles(&rng.vec(128, |rng| rng.next_u64() as i8));
    check_shuffles(
        &rng.vec(128, |rng| u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())),
    );
    check_shuffles(&rng.vec(128, |rng| [rng.next_f32(), rng.next_f32(), rng.next_f32()]));
    check_shuffles(&rng.vec(128, |rng| {
        let bits = rng.next_u64();
        Mixed {
            small: bits as u8,
            wide: rng.next_f64(),
            flag: bits & 1 == 1,
            three: [bits as u16, (bits >> 16) as u16, (bits >> 32) as u16],
        }
    }));
}

/// Tiles of eight lanes vote and match at one instruction, each among itself.
#[kernel]
fn tiles(x: &[u32], mut y: Disjoint<[u32; 5]>) {
    let i = thread::index_1d();
    let value = x[i.get()];
    let mask = 0xff << (warp::lane() & !7);
    y[i] = [
        warp::ballot(mask, value.is_multiple_of(3)),
        u32::from(warp::all(mask, value % 3 < 2)),
        u32::from(warp::any(mask, value.is_multiple_of(3))),
        warp::match_any(mask, value % 3),
        u32::from(warp::match_all(mask, value % 3)),
    ];
}

#[test]
fn votes_of_tiles() {
    // Two tiles of equal values, so that all votes have both outcomes.
    let mut host = rng().vec(64, |rng| rng.next_u32() >> 2);
    host[8..16].fill(3);
    host[40..48].fill(4);
    let x = DeviceBuffer::from_slice(&host).unwrap();
    let mut y = DeviceBuffer::zeroed(64).unwrap();
    launch!(tiles<<<1, 64>>>(&x, &mut y)).unwrap();
    for (i, got) in y.to_vec().unwrap().into_iter().enumerate() {
        let first = i / 8 * 8;
        let tile = &host[first..][..8];
        let mask = |choose: &dyn Fn(u32) -> bool| {
            (0..8).fold(0, |mask, k| mask | u32::from(choose(tile[k] % 3)) << (first % 32 + k))
        };
        let mine = host[i] % 3;
        let want = [
            mask(&|rest| rest == 0),
            u32::from(tile.iter().all(|value| value % 3 < 2)),
            u32::from(tile.iter().any(|value| value.is_multiple_of(3))),
            mask(&|rest| rest == mine),
            u32::from(tile.iter().all(|value| value % 3 == mine)),
        ];
        assert_eq!(got, want, "thread {i}");
    }
}

/// Reductions in one instruction, over the lanes of a mask.
#[kernel]
fn reductions(x: &[u32], mut y: Disjoint<[u32; 8]>) {
    let i = thread::index_1d();
    let value = x[i.get()];
    let signed = value.cast_signed();
    let mask = if warp::lane() < 8 { 0xff } else { 0xffff_ff00 };
    y[i] = [
        warp::reduce_add(mask, value),
        warp::reduce_and(mask, value),
        warp::reduce_or(mask, value),
        warp::reduce_xor(mask, value),
        warp::reduce_min(mask, value),
        warp::reduce_max(mask, value),
        warp::reduce_min(mask, signed).cast_unsigned(),
        warp::reduce_max(mask, signed).cast_unsigned(),
    ];
}

#[test]
fn reductions_over_some_lanes() {
    let host = rng().vec(64, |rng| rng.next_u32());
    let x = DeviceBuffer::from_slice(&host).unwrap();
    let mut y = DeviceBuffer::zeroed(64).unwrap();
    launch!(reductions<<<2, 32>>>(&x, &mut y)).unwrap();
    for (i, got) in y.to_vec().unwrap().into_iter().enumerate() {
        let warp = &host[i / 32 * 32..][..32];
        let set = if i % 32 < 8 { &warp[..8] } else { &warp[8..] };
        let signed = || set.iter().map(|value| value.cast_signed());
        let want = [
            set.iter().fold(0, |a: u32, &b| a.wrapping_add(b)),
            set.iter().fold(u32::MAX, |a, &b| a & b),
            set.iter().fold(0, |a, &b| a | b),
            set.iter().fold(0, |a, &b| a ^ b),
            *set.iter().min().unwrap(),
            *set.iter().max().unwrap(),
            signed().min().unwrap().cast_unsigned(),
            signed().max().unwrap().cast_unsigned(),
        ];
        assert_eq!(got, want, "thread {i}");
    }
}

/// A reduction of any type, by shuffles.
#[kernel]
fn sums(x: &[f64], mut y: Disjoint<(f64, u8)>) {
    let i = thread::index_1d();
    let value = (x[i.get()], warp::lane() as u8);
    y[i] = warp::reduce(value, |a, b| (a.0 + b.0, a.1.max(b.1)));
}

#[test]
fn reductions_of_any_type() {
    // Multiples of 1/64, so that sums are exact in any order.
    let host = rng().vec(96, |rng| rng.below(1 << 20) as f64 / 64.0);
    let x = DeviceBuffer::from_slice(&host).unwrap();
    let mut y = DeviceBuffer::zeroed(96).unwrap();
    launch!(sums<<<1, 96>>>(&x, &mut y)).unwrap();
    for (i, got) in y.to_vec().unwrap().into_iter().enumerate() {
        let want: f64 = host[i / 32 * 32..][..32].iter().sum();
        assert_eq!(got, (want, 31), "thread {i}");
    }
}
