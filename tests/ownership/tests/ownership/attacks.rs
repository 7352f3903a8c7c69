//! What safe code can try while it runs. What the compiler refuses is in `tests/packages/ui/ownership*.rs`.

use ptyx::device::shared::Phase;
use ptyx::prelude::*;
use ptyx_ownership_tests::{alone, rng};

/// Reads what nobody wrote: some value, the same each time, and one of its type.
#[kernel]
fn unwritten(x: &[u32], mut same: Disjoint<[bool; 3]>, phase: Phase) {
    let numbers = phased!([u32; 64]);
    let flags = phased!([(bool, char); 64]);
    let reading = phase.sync();
    let (i, t) = (thread::index_1d(), thread::x() as usize);
    let number = numbers.as_ref(&reading)[t];
    // Had it two values, one could pass the check, and the other be the index.
    let inside = x.get(number as usize).is_none_or(|&x| x == number);
    let (flag, letter) = flags.get(&reading, [t]);
    let flag_is_one = match flag {
        true => u8::from(flag) == 1,
        false => u8::from(flag) == 0,
    };
    same[i] = [inside && numbers.as_ref(&reading)[t] == number, flag_is_one, letter <= char::MAX];
}

#[test]
fn unwritten_memory_has_values() {
    let x: Vec<u32> = (0..1000).collect();
    let x = DeviceBuffer::from_slice(&x).unwrap();
    let mut same = DeviceBuffer::filled(64, [false; 3]).unwrap();
    launch!(unwritten<<<1, 64>>>(&x, &mut same, shared::PHASES)).unwrap();
    assert_eq!(same.to_vec().unwrap(), [[true; 3]; 64]);
}

/// Threads return at any time: those that are left agree on the phase, and read what was written before.
#[kernel]
fn leave(stay: &[u32], mut sums: Disjoint<u32>, mut phase: Phase) {
    let tile = phased!([u32; 96]);
    let (i, t) = (thread::index_1d(), thread::x() as usize);
    for round in 0..4 {
        tile.set(&mut phase, [0], 10 * round + 1);
        if stay[t] <= round {
            return;
        }
        let reading = phase.sync();
        let staying = (0..96).filter(|&other| stay[other] > round);
        // Only of those that are here is it known what they wrote.
        sums[i] += staying.map(|other| tile.as_ref(&reading)[other]).sum::<u32>();
        phase = reading.sync();
    }
}

#[test]
fn threads_may_return() {
    let mut rng = rng();
    let stay = rng.vec(96, |rng| rng.below(5) as u32);
    let (ds, mut sums) =
        (DeviceBuffer::from_slice(&stay).unwrap(), DeviceBuffer::zeroed(96).unwrap());
    launch!(leave<<<1, 96>>>(&ds, &mut sums, shared::PHASES)).unwrap();
    let of = |stays: u32| -> u32 {
        (0..4.min(stays))
            .map(|round| {
                let staying = stay.iter().filter(|&&other| other > round).count() as u32;
                staying * (10 * round + 1)
            })
            .sum()
    };
    assert_eq!(sums.to_vec().unwrap(), stay.iter().map(|&stays| of(stays)).collect::<Vec<_>>());
}

/// Other barriers in between, some threads at one and some at another: they count for themselves.
#[kernel]
#[allow(clippy::if_same_then_else)] // the lines differ, and so may the barriers
fn barriers_between(x: &[u32], mut y: Disjoint<u32>, mut phase: Phase) {
    let (tile, i, t) = (phased!([u32; 64]), thread::index_1d(), thread::x() as usize);
    tile.set(&mut phase, [0], x[i.get()]);
    let cells = shared!([u32; 300]).cells(0);
    cells.set(t, 1);
    let count = if t < 32 { block::sync_count(true) } else { block::sync_count(true) };
    let reading = phase.sync();
    block::sync();
    y[i] = tile.as_ref(&reading)[63 - t] + count + cells.get(63 - t);
}

#[test]
fn other_barriers_do_not_count() {
    let mut rng = rng();
    let x = rng.vec(64, |rng| rng.next_u32() >> 4);
    let (dx, mut y) = (DeviceBuffer::from_slice(&x).unwrap(), DeviceBuffer::zeroed(64).unwrap());
    launch!(barriers_between<<<1, 64>>>(&dx, &mut y, shared::PHASES)).unwrap();
    assert_eq!(y.to_vec().unwrap(), x.iter().rev().map(|x| x + 65).collect::<Vec<_>>());
}

/// Half of the threads wait at another barrier instead.
#[kernel]
fn another_barrier(mut y: Disjoint<u32>, mut phase: Phase) {
    let (tile, i) = (phased!([u32; 64]), thread::index_1d());
    tile.set(&mut phase, [0], 1);
    if thread::x() < 32 {
        y[i] = tile.as_ref(&phase.sync())[63];
    } else {
        block::sync();
        tile.set(&mut phase, [0], 2);
    }
}

/// They never meet: no thread reads while another writes. A GPU would hang.
#[test]
fn a_barrier_does_not_stand_for_another() {
    alone("attacks::a_barrier_does_not_stand_for_another", || {
        if !Device::current().unwrap().is_emulated() {
            println!("skipped: a GPU would hang");
            return;
        }
        let mut y = DeviceBuffer::filled(64, 7u32).unwrap();
        let launched = launch!(another_barrier<<<1, 64>>>(&mut y, shared::PHASES));
        let error = launched.and_then(|()| y.to_vec()).unwrap_err().to_string();
        assert!(error.contains("barrier"), "{error}");
    });
}

/// A part outlives nothing, and twice is one after the other.
#[kernel]
fn twice(mut x: Parts<u32, (by::Thread, by::Whole), 2>) {
    for _ in 0..2 {
        let mut own = x.part();
        if let Some(x) = own.get_mut([0, 0]) {
            *x += 1;
        }
        for (_, row) in own.reborrow() {
            for (_, x) in row {
                *x *= 3;
            }
        }
        if let Some(x) = own.into_first() {
            *x += 1;
        }
    }
}

#[test]
fn parts_one_after_the_other() {
    let mut rng = rng();
    let before = rng.vec(40 * 3, |rng| rng.next_u32() >> 8);
    let mut x = DeviceBuffer::from_slice(&before).unwrap();
    // Ten threads, four rows each: only the first of these is a part's first.
    launch!(twice<<<1, 10>>>(x.view_mut([40, 3]))).unwrap();
    for (i, (got, before)) in x.to_vec().unwrap().into_iter().zip(before).enumerate() {
        let first = i.is_multiple_of(3) && i / 3 < 10;
        let want = if first { (3 * (before + 1) + 2) * 3 + 1 } else { 9 * before };
        assert_eq!(got, want, "element {i}");
    }
}
