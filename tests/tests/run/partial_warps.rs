//! Warps some of whose threads have returned or never existed: collective operations still work among
//! the others.

use ptyx::device::warp::Segment;
use ptyx::prelude::*;
use ptyx_tests::rng;

/// Each warp sums what its threads bring, those aside that have returned.
#[kernel]
fn sums(x: &[f64], returned: u32, mut y: Disjoint<(f64, u8)>) {
    let i = thread::index_1d();
    if returned >> warp::lane() & 1 == 1 {
        return;
    }
    let value = (x[i.get()], warp::lane() as u8);
    y[i] = warp::reduce(value, |a, b| (a.0 + b.0, a.1.max(b.1)));
}

#[test]
fn reductions_count_only_who_is_there() {
    let mut rng = rng();
    // Multiples of 1/64, so that sums are exact in any order.
    let host = rng.vec(96, |rng| rng.below(1 << 20) as f64 / 64.0);
    let x = DeviceBuffer::from_slice(&host).unwrap();
    let masks = [0, 0xffff_0000, 0x0000_ffff, 0x5555_5555, 0x7fff_ffff, 1, rng.next_u32()];
    for threads in [1u32, 31, 32, 33, 40, 48, 95, 96] {
        for returned in masks {
            let mut y = DeviceBuffer::zeroed(threads as usize).unwrap();
            launch!(sums<<<1, threads>>>(&x, returned, &mut y)).unwrap();
            for (i, got) in y.to_vec().unwrap().into_iter().enumerate() {
                let first = i / 32 * 32;
                let last = (first + 32).min(threads as usize);
                let there = |&t: &usize| returned >> (t % 32) & 1 == 0;
                let mut want = (0.0, 0);
                if there(&i) {
                    want.0 = (first..last).filter(there).map(|t| host[t]).sum();
                    want.1 = (first..last).filter(there).map(|t| t % 32).max().unwrap() as u8;
                }
                assert_eq!(got, want, "{threads} threads, {returned:#x} returned, thread {i}");
            }
        }
    }
}

/// Everything that waits for a whole warp or block, after half of each warp has returned. The upper
/// lanes write what they leave behind first.
#[kernel]
fn half_returns(mut y: Disjoint<[u32; 8]>) {
    let i = thread::index_1d();
    if warp::lane() >= 16 {
        y[i] = [1; 8];
        return;
    }
    let value = thread::x();
    let down = warp::shuffle_down(warp::FULL, value, 8);
    let votes = warp::ballot(warp::FULL, value.is_multiple_of(2));
    block::sync();
    let there = block::sync_count(true);
    warp::sync(warp::FULL);
    y[i] = [
        if warp::lane() < 8 { down } else { 0 },
        votes,
        there,
        u32::from(warp::all(warp::FULL, true)),
        warp::match_any(warp::FULL, value / 4),
        u32::from(warp::match_all(warp::FULL, value / 64)),
        warp::shuffle(Segment::of_width(16), value, 3),
        warp::shuffle_xor(warp::FULL, value, 15),
    ];
}

#[test]
fn half_a_warp_goes_on_after_the_other_half() {
    for threads in [32u32, 48, 64] {
        let mut y = DeviceBuffer::zeroed(threads as usize).unwrap();
        launch!(half_returns<<<1, threads>>>(&mut y)).unwrap();
        for (i, got) in y.to_vec().unwrap().into_iter().enumerate() {
            let (lane, i) = (i as u32 % 32, i as u32);
            let there = if threads == 32 { 16 } else { 32 };
            let want = [
                if lane < 8 { i + 8 } else { 0 },
                0x5555,
                there,
                1,
                0xf << (lane & !3),
                1,
                i - lane + 3,
                i ^ 15,
            ];
            assert_eq!(got, if lane < 16 { want } else { [1; 8] }, "{threads} threads, thread {i}");
        }
    }
}

/// A warp of the block returns before the others meet.
#[kernel]
fn a_warp_returns(mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if thread::x() / 32 == 1 {
        return;
    }
    let before = block::sync_count(true);
    block::sync();
    y[i] = before;
}

#[test]
fn a_block_goes_on_without_a_warp() {
    let mut y = DeviceBuffer::zeroed(80).unwrap();
    launch!(a_warp_returns<<<1, 80>>>(&mut y)).unwrap();
    let got = y.to_vec().unwrap();
    assert_eq!(got[..32], [48; 32]);
    assert_eq!(got[32..64], [0; 32]);
    assert_eq!(got[64..], [48; 16]);
}
