//! Consecutive checks (`compiler/src/optimise/join_checks`): a branch or two for all of them, and loads that
//! do not wait for each other. `tests/tests/failures` tests that they fail in order.

use ptyx::prelude::*;
use ptyx_tests::images::{count, entry, machine_code};

/// Loads and stores, one after the other.
#[kernel]
fn scatter(at: [u32; 4], x: &[u32], y: SliceMut<u32>) {
    for k in 0..4 {
        // SAFETY: there is one thread.
        unsafe { y.write(k, x[at[k] as usize]) }
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

/// Two slices that the same index must be within.
#[kernel]
fn pairs(x: &[f32], z: &[f32], mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = x[i.get()] - z[i.get()];
    }
}

#[test]
fn checks_of_known_indices_are_one_branch() {
    let x = ptyx_tests::rng().vec(40, |rng| rng.next_f32());
    let z = ptyx_tests::rng().vec(40, |rng| rng.next_f32());
    let (dx, dz) = (DeviceBuffer::from_slice(&x).unwrap(), DeviceBuffer::from_slice(&z).unwrap());
    let mut y = DeviceBuffer::zeroed(40).unwrap();
    launch!(pairs<<<2, 32>>>(&dx, &dz, &mut y)).unwrap();
    let want: Vec<f32> = x.iter().zip(&z).map(|(x, z)| x - z).collect();
    assert_eq!(y.to_vec().unwrap(), want);
    let ptx = entry("checks::pairs");
    // That of `get_mut`, and one of both indices.
    let hot = ptx.split("ld.global").next().unwrap_or_default();
    let branches = hot.lines().filter(|line| line.contains("bra")).count();
    assert_eq!(branches, 2, "{ptx}");
    assert_eq!(count(&ptx, "min.u64"), 0, "{ptx}");
}

/// Loads that a branch stands between can't be on their way at once.
#[test]
fn loads_do_not_wait_for_checks_of_others() {
    let mut rng = ptyx_tests::rng();
    let x = rng.vec(20, |rng| rng.next_u32());
    let at: [u32; 4] = std::array::from_fn(|_| rng.next_u32() % 20);
    let dx = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::zeroed(4).unwrap();
    launch!(scatter<<<1, 1>>>(at, &dx, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), at.map(|at| x[at as usize]));
    for capability in [80, 90] {
        let Some(code) = machine_code("checks::scatter", capability) else { return };
        let opcodes = code.starting_anywhere("");
        // A second copy of the code is for threads that may panic.
        let waits = |opcode: &&str| opcode.starts_with("BRA") || opcode.starts_with("STG");
        let loads = |part: &[&str]| part.iter().filter(|one| one.starts_with("LDG")).count();
        assert!(opcodes.split(waits).any(|part| loads(part) == 4), "{code}");
    }
}

#[test]
fn short_loops_with_checks_are_unrolled() {
    let mut rng = ptyx_tests::rng();
    let (values, x) = (rng.vec(23, |rng| rng.next_u32()), rng.vec(9, |rng| rng.next_u32()));
    let columns = rng.vec(23, |rng| rng.next_u32() % 9);
    let dc = DeviceBuffer::from_slice(&columns).unwrap();
    let (dv, dx) =
        (DeviceBuffer::from_slice(&values).unwrap(), DeviceBuffer::from_slice(&x).unwrap());
    let mut y = DeviceBuffer::zeroed(1).unwrap();
    launch!(product<<<1, 1>>>(23, &dc, &dv, &dx, &mut y)).unwrap();
    let terms = columns.iter().zip(&values).map(|(c, v)| v.wrapping_mul(x[*c as usize]));
    assert_eq!(y.to_vec().unwrap(), [terms.fold(0, u32::wrapping_add)]);
    let ptx = entry("checks::product");
    // Four rounds at once, again for threads that may panic, up to three for the rest, and the thread's index.
    assert_eq!(count(&ptx, "mad.lo.s32"), 4 + 4 + 3 + 1, "{ptx}");
}
