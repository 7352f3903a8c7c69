//! Shared memory in phases gives what each thread wrote to all of them.

use ptyx::device::shared::{Even, Odd};
use ptyx::device::vector::F32x4;
use ptyx::prelude::*;
use ptyx::{Error, PreparedKernel};
use ptyx_ownership_tests::rng;

/// A value of 12 bytes, some of whose bit patterns are none.
#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Mixed {
    number: u32,
    flag: bool,
    letter: char,
}

/// Reverses each block, by structs and by two arrays of numbers, one of more elements than threads.
#[kernel]
fn reverse(x: &[u32], mut y: Disjoint<[u32; 4]>, phase: Phase) {
    let structs = phased!([Mixed; 128]);
    let table = phased!([[u32; 9]; 40]);
    let line = phased!([u16; 300]);
    let (mut writing, i) = (phase, thread::index_1d());
    let (t, last) = (thread::x() as usize, block::dim_x() as usize - 1);
    let value = x[i.get()];
    let letter = if value.is_multiple_of(2) { 'e' } else { 'ö' };
    structs.set(&mut writing, [0], Mixed { number: value, flag: value.is_multiple_of(3), letter });
    for (row, part) in table.part(&mut writing) {
        for (column, own) in part {
            *own = (row * 9 + column) as u32 + value % 5 * 1000;
        }
    }
    for (place, own) in line.part(&mut writing) {
        *own = place as u16;
    }
    let reading = writing.sync();
    let Mixed { number, flag, letter } = structs.get(&reading, [last - t]);
    let line: u32 = line.as_ref(&reading).iter().map(|&x| u32::from(x)).sum();
    let table: u32 = table.as_ref(&reading).iter().flatten().map(|x| x % 1000).sum();
    y[i] = [number, flag.into(), letter.into(), line + table];
}

#[test]
fn all_threads_read_what_each_wrote() {
    let mut rng = rng();
    let threads = 1 + rng.below(128);
    let x = rng.vec(3 * threads, |rng| rng.next_u32());
    let (dx, mut y) =
        (DeviceBuffer::from_slice(&x).unwrap(), DeviceBuffer::zeroed(x.len()).unwrap());
    launch!(reverse<<<3, threads>>>(&dx, &mut y, shared::PHASES)).unwrap();
    // A block of one dimension has row 0 only: of each row, the columns of the threads there are, repeated.
    let sums: u32 = (0..300).sum::<u32>() + (0..360).sum::<u32>();
    let got = y.to_vec().unwrap();
    for (i, got) in got.into_iter().enumerate() {
        let (block, t) = (i / threads, i % threads);
        let value = x[block * threads + threads - 1 - t];
        let letter = if value.is_multiple_of(2) { 'e' } else { 'ö' };
        let want = [value, u32::from(value.is_multiple_of(3)), u32::from(letter), sums];
        assert_eq!(got, want, "thread {t} of {threads}");
    }
}

/// The element across the whole tile, without a check; in any grid, since a block's memory is its own.
#[kernel]
fn across(mut out: Parts<u32, (by::Block, by::ThreadInBlock), 2>, mut phase: Phase) {
    let tile = phased!([[Option<u32>; 16]; 8]);
    let [x, y] = [thread::x() as usize, thread::y() as usize];
    tile.set_own(&mut phase, (x != y).then_some((100 * y + x) as u32 + 10_000 * block::z()));
    // SAFETY: the block has 8 rows of 16 threads.
    let other = phase.read(|reading| unsafe { tile.get_unchecked(reading, [7 - y, 15 - x]) });
    *out.own().unwrap() = other.unwrap_or(7);
}

#[test]
fn unchecked_reads() {
    let mut out = DeviceBuffer::zeroed(2 * 3 * 2 * 128).unwrap();
    let view = out.view_mut([12, 128]);
    launch!(across<<<(2, 3, 2), (16, 8)>>>(view, shared::PHASES)).unwrap();
    for (i, got) in out.to_vec().unwrap().into_iter().enumerate() {
        let (z, y, x) = (i / 768, 7 - i / 16 % 8, 15 - i % 16);
        let want = if x == y { 7 } else { (100 * y + x + 10_000 * z) as u32 };
        assert_eq!(got, want, "{i}");
    }
}

/// Running sums by tiles that take turns: one barrier a step.
#[kernel]
fn running_sums(mut x: Disjoint<u32>, phase: Phase) {
    let ping = phased!([u32; 256]);
    let pong = phased!([u32; 256], by::ThreadInBlock, Odd);
    let (i, t) = (thread::index_1d(), thread::x() as usize);
    let (mut even, mut sum) = (phase, x[i]);
    for distance in [1, 4, 16, 64] {
        ping.set(&mut even, [0], sum);
        let mut odd = even.sync();
        if t >= distance {
            sum = sum.wrapping_add(ping.as_ref(&odd)[t - distance]);
        }
        pong.set(&mut odd, [0], sum);
        even = odd.sync();
        if t >= 2 * distance {
            sum = sum.wrapping_add(pong.as_ref(&even)[t - 2 * distance]);
        }
    }
    x[i] = sum;
}

#[test]
fn tiles_take_turns() {
    let mut rng = rng();
    let x = rng.vec(512, |rng| rng.next_u32());
    let mut y = DeviceBuffer::from_slice(&x).unwrap();
    launch!(running_sums<<<2, 256>>>(&mut y, shared::PHASES)).unwrap();
    for (x, got) in x.chunks(256).zip(y.to_vec().unwrap().chunks(256)) {
        let sums = x.iter().scan(0u32, |sum, &x| {
            *sum = sum.wrapping_add(x);
            Some(*sum)
        });
        assert_eq!(got, sums.collect::<Vec<_>>());
    }
}

/// One instance for each parity and number: each its own memory. Returns to the phase it was called in.
fn exchange<const K: usize>(mut phase: Phase, value: u32, from: usize) -> (u32, Phase) {
    let tile = phased!([u32; 128]);
    tile.set(&mut phase, [0], value + K as u32);
    let reading = phase.sync();
    let value = tile.as_ref(&reading)[from];
    (value, reading.sync())
}

/// The same tile in every round, and others in between; threads go through different source lines, since each
/// `sync` is one and the same barrier.
#[kernel]
#[allow(clippy::if_same_then_else)] // the lines differ, and so may the barriers
fn functions(rounds: usize, mut x: Disjoint<u32>, mut phase: Phase) {
    let i = thread::index_1d();
    let threads = block::dim_x() as usize;
    let next = (thread::x() as usize + 1) % threads;
    let mut value = x[i];
    for round in 0..rounds {
        // Odd and even rounds have memory of their own.
        (value, phase) = match round % 2 {
            0 => exchange::<0>(phase, value, next),
            _ => exchange::<1>(phase, value, next),
        };
    }
    // Both sides of a branch call `sync`, in different lines.
    let tile = phased!([u32; 128]);
    tile.set(&mut phase, [0], value);
    let reading: Phase<Odd> =
        if thread::x().is_multiple_of(3) { phase.sync() } else { phase.sync() };
    value += tile.as_ref(&reading)[next];
    if thread::x().is_multiple_of(2) {
        let _: Phase<Even> = reading.sync();
    } else {
        let _: Phase<Even> = reading.sync();
    }
    x[i] = value;
}

#[test]
fn functions_take_phases_and_give_them_back() {
    let mut rng = rng();
    let (threads, rounds) = (2 + rng.below(127), rng.below(7));
    let x = rng.vec(threads, |rng| rng.next_u32() >> 8);
    let mut y = DeviceBuffer::from_slice(&x).unwrap();
    launch!(functions<<<1, threads>>>(rounds, &mut y, shared::PHASES)).unwrap();
    let after = |t: usize| x[(t + rounds) % threads] + (rounds / 2) as u32;
    let want: Vec<u32> = (0..threads).map(|t| after(t) + after((t + 1) % threads)).collect();
    assert_eq!(y.to_vec().unwrap(), want, "{threads} threads, {rounds} rounds");
}

struct Sums {
    kernel: PreparedKernel<(Disjoint<'static, u32>, Phase)>,
}

/// Handles of kernels keep the type, and launch it again.
#[test]
fn prepared_kernels_take_phases() {
    let mut x = DeviceBuffer::filled(256, 1u32).unwrap();
    let sums = Sums { kernel: compile!(running_sums(&mut x, shared::PHASES)).unwrap() };
    let config = LaunchConfig::new().blocks(1).threads(256);
    sums.kernel.launch(config, args!(&mut x, shared::PHASES)).unwrap();
    assert_eq!(x.to_vec().unwrap(), (1..=256).collect::<Vec<u32>>());
}

#[kernel]
fn two(x: SliceMut<u32>, first: Phase, second: Phase) {
    let _ = (x, first.sync(), second.sync());
}

#[kernel]
fn in_a_tuple(both: (Phase, Phase)) {
    let _ = (both.0.sync(), both.1.sync());
}

/// Two would count a thread's phases twice.
#[test]
fn a_launch_has_one_phase() {
    let mut x = DeviceBuffer::filled(1, 5u32).unwrap();
    let launched = launch!(two<<<1, 32>>>(&mut x, shared::PHASES, shared::PHASES));
    assert!(matches!(launched, Err(Error::PhasesTwice)), "{launched:?}");
    let launched = launch!(in_a_tuple<<<1, 32>>>((shared::PHASES, shared::PHASES)));
    assert!(matches!(launched, Err(Error::PhasesTwice)), "{launched:?}");
    assert_eq!(x.to_vec().unwrap(), [5]);
}

/// The sum of each block in two ways: of a number that goes along, and in place. Blocks of any number of threads.
#[kernel]
fn sums(x: &[u32], mut sums: Parts<[u32; 2], by::BlockLeader>, mut phase: Phase) {
    let (tile, in_place) = (phased!([u32; 256]), phased!([u32; 256]));
    let (t, threads) = (thread::x() as usize, block::dim_x() as usize);
    let mut sum = x[thread::index_1d().get()];
    in_place.set_own(&mut phase, sum);
    let mut half = 128;
    while half > 0 {
        tile.set_own(&mut phase, sum);
        let other = phase.read(|reading| {
            if t + half < threads && t < half {
                sum += tile.as_ref(reading)[t + half];
                in_place.get(reading, [t + half])
            } else {
                0
            }
        });
        if let Some(own) = in_place.own(&mut phase) {
            *own += other;
        }
        half /= 2;
    }
    let total = phase.read(|reading| in_place.as_ref(reading)[0]);
    if let Some(own) = sums.own() {
        *own = [sum, total];
    }
}

#[test]
fn reductions_in_loops_and_in_place() {
    let mut rng = rng();
    for _ in 0..4 {
        let threads = 1 + rng.below(256);
        let x = rng.vec(3 * threads, |rng| rng.next_u32() >> 12);
        let device = DeviceBuffer::from_slice(&x).unwrap();
        let mut out = DeviceBuffer::filled(3, [0u32; 2]).unwrap();
        launch!(sums<<<3, threads>>>(&device, &mut out, shared::PHASES)).unwrap();
        let want: Vec<_> = x.chunks(threads).map(|block| [block.iter().sum::<u32>(); 2]).collect();
        assert_eq!(out.to_vec().unwrap(), want, "{threads} threads");
    }
}

/// Each element of a tile of 16x16, the transposed one; tiles of two axes have an own element, too.
#[kernel]
fn transpose(mut x: DisjointArray<F32x4, 2>, mut phase: Phase) {
    let tile = phased!([[f32; 16]; 16]);
    let place = thread::index_2d();
    let mut value = x[place];
    tile.set_own(&mut phase, value.x());
    if let Some(own) = tile.own(&mut phase) {
        *own += value.w();
    }
    let (row, column) = (thread::y() as usize, thread::x() as usize);
    *value.y_mut() = phase.read(|reading| tile.get(reading, [column, row]));
    *value.z_mut() *= value[0];
    x[place] = value;
}

#[test]
fn own_elements_of_tables_and_names_in_vectors() {
    let mut rng = rng();
    let x = rng.vec(256, |rng| F32x4::new([0; 4].map(|_| rng.below(1000) as f32)));
    let mut device = DeviceBuffer::from_slice(&x).unwrap();
    launch!(transpose<<<1, (16, 16)>>>(device.view_mut([16, 16]), shared::PHASES)).unwrap();
    for (i, got) in device.to_vec().unwrap().into_iter().enumerate() {
        let (old, other) = (x[i].to_array(), x[i % 16 * 16 + i / 16].to_array());
        assert_eq!(got.to_array(), [old[0], other[0] + other[3], old[2] * old[0], old[3]], "{i}");
    }
}
