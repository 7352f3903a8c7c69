//! Checks that the compiler makes together (`compiler/src/optimise/join_checks`) fail as if each stood where
//! the source has it: the first one that fails panics, and what comes before it in the source is done.

use crate::alone;
use crate::panics::panic_of;
use ptyx::prelude::*;

/// What an element is while nobody wrote it.
const UNTOUCHED: u32 = 0xdead_beef;

/// Loads and stores, one after the other: what the stores before a panic wrote must be there, and
/// nothing of those behind it.
#[kernel]
fn scatter(at: [u32; 6], x: &[u32], y: SliceMut<u32>) {
    for k in 0..6 {
        // SAFETY: there is one thread.
        unsafe { y.write(k, x[at[k] as usize]) }
    }
}

/// Each index comes from a load behind another check.
#[kernel]
fn gather(at: [u32; 4], steps: &[u32], x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        let mut sum = 0u32;
        for at in at {
            sum = sum.wrapping_mul(5).wrapping_add(x[steps[at as usize] as usize]);
        }
        *y = sum;
    }
}

/// A loop of unknown length with three checks a round.
#[kernel]
fn product(n: u32, columns: &[u32], values: &[u32], x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let mut sum = 0u32;
    for k in 0..n {
        let value = values[k as usize];
        sum = sum.wrapping_add(value.wrapping_mul(x[columns[k as usize] as usize]));
    }
    if let Some(y) = y.get_mut(i) {
        *y = sum;
    }
}

/// Draws an index that is out of bounds once in a while.
fn draw(rng: &mut ptyx_tests::Rng, len: u32) -> u32 {
    if rng.next_u32().is_multiple_of(4) { len + rng.next_u32() % 3 } else { rng.next_u32() % len }
}

#[test]
fn the_first_check_that_fails_is_reported() {
    let _alone = alone();
    let mut rng = ptyx_tests::rng();
    let x = rng.vec(20, |rng| rng.next_u32() >> 1);
    let dx = DeviceBuffer::from_slice(&x).unwrap();
    let mut panics = 0;
    for _ in 0..100 {
        let at: [u32; 6] = std::array::from_fn(|_| draw(&mut rng, 20));
        let mut y = DeviceBuffer::filled(6, UNTOUCHED).unwrap();
        let launched = launch!(scatter<<<1, 1>>>(at, &dx, &mut y));
        let failed = at.iter().position(|&at| at >= 20);
        match failed {
            Some(k) => {
                panics += 1;
                let panic = panic_of(launched);
                assert_eq!(panic.bounds, Some((at[k].into(), 20)), "{at:?}");
            }
            None => launched.unwrap(),
        }
        let done = failed.unwrap_or(6);
        let want: Vec<u32> = at[..done].iter().map(|&at| x[at as usize]).collect();
        let got = y.to_vec().unwrap();
        assert_eq!(got[..done], want, "{at:?}");
        assert!(got[done..].iter().all(|&y| y == UNTOUCHED), "{at:?}: {got:?}");
    }
    assert!((1..100).contains(&panics), "{panics} of 100 panicked");
}

#[test]
fn checks_of_loaded_indices_fail_in_order() {
    let _alone = alone();
    let mut rng = ptyx_tests::rng();
    let x = rng.vec(9, |rng| rng.next_u32());
    let dx = DeviceBuffer::from_slice(&x).unwrap();
    for _ in 0..24 {
        let steps = rng.vec(30, |rng| if rng.next_u32() % 8 == 0 { 9 } else { rng.next_u32() % 9 });
        let dsteps = DeviceBuffer::from_slice(&steps).unwrap();
        let at: [u32; 4] = std::array::from_fn(|_| draw(&mut rng, 30));
        let mut y = DeviceBuffer::zeroed(1).unwrap();
        let launched = launch!(gather<<<1, 1>>>(at, &dsteps, &dx, &mut y));
        let mut want = Ok(0u32);
        for &at in &at {
            want = want.and_then(|sum| {
                let &step = steps.get(at as usize).ok_or((u64::from(at), 30))?;
                let x = x.get(step as usize).ok_or((u64::from(step), 9))?;
                Ok(sum.wrapping_mul(5).wrapping_add(*x))
            });
        }
        match want {
            Ok(sum) => {
                launched.unwrap();
                assert_eq!(y.to_vec().unwrap(), [sum]);
            }
            Err(bounds) => assert_eq!(panic_of(launched).bounds, Some(bounds), "{at:?} {steps:?}"),
        }
    }
}

#[test]
fn a_loop_with_checks_panics_in_its_round() {
    let _alone = alone();
    let mut rng = ptyx_tests::rng();
    let x = rng.vec(50, |rng| rng.next_u32());
    let dx = DeviceBuffer::from_slice(&x).unwrap();
    // Rounds, columns, values: lengths that are multiples of the rounds made at once, and others.
    for (n, columns, values) in [
        (0, 4, 4),
        (3, 3, 3),
        (8, 8, 9),
        (11, 11, 11),
        (9, 8, 30),
        (9, 30, 6),
        (7, 5, 5),
        (16, 2, 1),
    ] {
        for bad in [None, Some(rng.next_u32() as usize % columns)] {
            let mut columns = rng.vec(columns, |rng| rng.next_u32() % 50);
            if let Some(bad) = bad {
                columns[bad] = 50;
            }
            let values = rng.vec(values, |rng| rng.next_u32());
            let (dc, dv) = (
                DeviceBuffer::from_slice(&columns).unwrap(),
                DeviceBuffer::from_slice(&values).unwrap(),
            );
            let mut y = DeviceBuffer::zeroed(1).unwrap();
            let launched = launch!(product<<<1, 1>>>(n, &dc, &dv, &dx, &mut y));
            let mut want = Ok(0u32);
            for k in 0..n as usize {
                want = want.and_then(|sum| {
                    let value = values.get(k).ok_or((k as u64, values.len() as u64))?;
                    let &column = columns.get(k).ok_or((k as u64, columns.len() as u64))?;
                    let x = x.get(column as usize).ok_or((u64::from(column), 50))?;
                    Ok(sum.wrapping_add(value.wrapping_mul(*x)))
                });
            }
            let case = format!("{n} {columns:?} {}", values.len());
            match want {
                Ok(sum) => {
                    launched.unwrap();
                    assert_eq!(y.to_vec().unwrap(), [sum], "{case}");
                }
                Err(bounds) => assert_eq!(panic_of(launched).bounds, Some(bounds), "{case}"),
            }
        }
    }
}
