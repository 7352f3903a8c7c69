use super::*;

/// Values of the tile of `size` threads around thread `at`, and the place of `at` in there.
fn tile(values: &[i32], at: usize, size: usize) -> (&[i32], usize) {
    let start = at / size * size;
    (&values[start..start + size], at - start)
}

fn mask(values: &[i32], holds: impl Fn(i32) -> bool) -> i32 {
    values.iter().enumerate().fold(0, |all, (at, &value)| all | i32::from(holds(value)) << at)
}

#[test]
fn tiles() {
    let (module, mut random) = (module!("groups"), Random::new());
    let values = random.ints(128, -100, 100);
    let (input, out) = (Buffer::new(&values), Buffer::new(&[0i32; 128 * 30]));
    module.run("tiles", 1, 128, args![input, out, 128i32]);
    assert_rows("tiles", &out.values(), 128, |row, at| {
        let size = [4, 16, 32][row / 10];
        let (tile, rank) = tile(&values, at, size);
        let value = tile[rank];
        match row % 10 {
            0 => tile.iter().sum(),
            1 => *tile.iter().max().unwrap(),
            2 => tile.iter().fold(0, |all, value| all ^ value),
            3 => tile[..=rank].iter().sum(),
            4 => tile[..rank].iter().sum(),
            5 => tile.get(rank + 1).copied().unwrap_or(value),
            6 => tile[rank ^ (size / 2)],
            7 => mask(tile, |value| value & 1 == 1),
            8 => {
                let (any, all) = (tile.iter().any(|v| *v > 90), tile.iter().all(|v| *v > -90));
                i32::from(any) * 2 + i32::from(all)
            }
            _ => mask(tile, |other| other & 3 == value & 3),
        }
    });
}

#[test]
fn sum_of_a_block() {
    let (module, mut random) = (module!("groups"), Random::new());
    let values: Vec<f32> = random.ints(1000, -500, 500).iter().map(|&v| v as f32).collect();
    let (input, out) = (Buffer::new(&values), Buffer::new(&[0f32]));
    module.run("block_sum", 1, 192, args![input, out, 1000i32]);
    assert_eq!(out.values(), [values.iter().sum()]);
}

#[test]
fn coalesced_threads() {
    let (module, mut random) = (module!("groups"), Random::new());
    let values = random.ints(64, -100, 100);
    let (input, out) = (Buffer::new(&values), Buffer::new(&[0i32; 64]));
    let count = Buffer::new(&[0u32; 2]);
    module.run("coalesced", 1, 64, args![input, out, count]);
    let mut want: Vec<i32> = values.iter().copied().filter(|value| value % 3 == 0).collect();
    assert_eq!(count.values(), [want.len() as u32, want.iter().sum::<i32>() as u32]);
    let mut got = out.values()[..want.len()].to_vec();
    got.sort();
    want.sort();
    assert_eq!(got, want);
}

#[test]
fn partitions() {
    let (module, mut random) = (module!("groups"), Random::new());
    let values = random.ints(64, -100, 100);
    let (input, out) = (Buffer::new(&values), Buffer::new(&[0i32; 64 * 5]));
    module.run("partitions", 1, 64, args![input, out, 64i32]);
    assert_rows("partitions", &out.values(), 64, |row, at| {
        let (warp, lane) = tile(&values, at, 32);
        let label = |value: i32| if row < 3 { value as u32 % 5 } else { u32::from(value > 0) };
        let alike = |value: &&i32| label(**value) == label(warp[lane]);
        let before = warp[..lane].iter().filter(alike);
        match row {
            0 | 3 => warp.iter().filter(alike).count() as i32,
            1 => before.count() as i32,
            2 => warp.iter().filter(alike).sum(),
            _ => before.copied().max().map_or(warp[lane], |most| most.max(warp[lane])),
        }
    });
}

#[test]
fn a_tile_of_several_warps() {
    let (module, mut random) = (module!("groups"), Random::new());
    let values = random.ints(256, -100, 100);
    let (input, out) = (Buffer::new(&values), Buffer::new(&[0i32; 258]));
    module.run("large_tile", 1, 256, args![input, out]);
    let got = out.values();
    assert_rows("large tile", &got[..256], 256, |_, at| tile(&values, at, 128).0.iter().sum());
    assert_eq!(got[256..], [1, 1]);
}

#[test]
fn a_grid_that_synchronises() {
    let (module, mut random) = (module!("grid"), Random::new());
    let (count, steps) = (1000, 7);
    let mut values: Vec<f32> = random.ints(count, 0, 1 << 8).iter().map(|&v| v as f32).collect();
    let (a, b) = (Buffer::new(&values), Buffer::new(&vec![0f32; count]));
    module.run_together("smooth", 8, 64, args![a, b, count as i32, steps]);
    for _ in 0..steps {
        let before = values.clone();
        for (at, value) in values.iter_mut().enumerate() {
            let neighbours = [before[(at + count - 1) % count], before[(at + 1) % count]];
            *value = 0.25 * neighbours[0] + 0.5 * before[at] + 0.25 * neighbours[1];
        }
    }
    assert_eq!(b.values(), values);
}

#[test]
fn what_a_grid_says_of_itself() {
    let module = module!("grid");
    let (out, early) = (Buffer::new(&[0u64; 128]), Buffer::new(&[0u32; 2]));
    module.run_together("ranks", 4, 32, args![out, early]);
    assert_rows("ranks", &out.values(), 128, |_, at| 128_000_000 + at as u64 / 32 * 1000 + 401);
    assert_eq!(early.values(), [128, 128]);
}
