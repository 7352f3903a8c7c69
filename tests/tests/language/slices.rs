//! Slices: splitting, sorting, searching, copying; arrays by value.

use crate::harness::{digest, same};
use core::cmp::Reverse;

type Input = ([u32; 40], usize);

fn input(rng: &mut ptyx_tests::Rng) -> Input {
    let bits = rng.below(32);
    let mut numbers = [0; 40];
    numbers.fill_with(|| rng.next_u32() >> bits);
    (numbers, rng.below(41))
}

fn sorting((x, n): &Input) -> [u64; 8] {
    let sorted = |sort: &dyn Fn(&mut [u32])| {
        let mut y = *x;
        sort(&mut y[..*n]);
        y
    };
    let ascending = sorted(&|y| y.sort_unstable());
    let descending = sorted(&|y| y.sort_unstable_by(|a, b| b.cmp(a)));
    let keyed = sorted(&|y| y.sort_unstable_by_key(|x| (x.count_ones(), *x)));
    let reversed = sorted(&|y| y.sort_unstable_by_key(|x| Reverse(*x)));
    let mut partitioned = *x;
    let (smaller, middle, _) = partitioned.select_nth_unstable(*n % 40);
    let split = smaller.iter().all(|x| *x <= *middle);
    let mut pairs = [(0u8, 0u32); 40];
    for (i, (pair, x)) in pairs.iter_mut().zip(x).enumerate() {
        *pair = (*x as u8, i as u32);
    }
    pairs.sort_unstable();
    [
        digest(ascending),
        digest(descending),
        digest(keyed),
        u64::from(reversed == descending),
        u64::from(*middle),
        split.into(),
        digest(pairs),
        ascending[..*n].is_sorted().into(),
    ]
}

#[test]
fn sorting_in_place() {
    same(sorting, input);
}

fn searching((x, n): &Input) -> [u64; 8] {
    let mut y = *x;
    y.sort_unstable();
    let place = |found: Result<usize, usize>| match found {
        // Which of several equal elements is found is not said.
        Ok(at) => u64::from(y[at]),
        Err(at) => at as u64 + (1 << 40),
    };
    [
        place(y.binary_search(&x[*n % 40])),
        place(y.binary_search(&(x[0] / 2 + 1))),
        place(y.binary_search_by(|probe| probe.cmp(&x[1]))),
        place(y.binary_search_by_key(&(x[2] / 3), |x| x / 3).map_err(|_| 0)),
        y.partition_point(|y| *y < x[3] / 2) as u64,
        u64::from(y.contains(&x[4])) + 2 * u64::from(x.starts_with(&x[..*n])),
        u64::from(x.ends_with(&x[*n..])) + 2 * u64::from(x[..*n] < x[*n..]),
        x[..*n].cmp(&y[..*n]) as i8 as u64,
    ]
}

#[test]
fn searching_and_comparing() {
    same(searching, input);
}

fn moving((x, n): &Input) -> [u64; 12] {
    let changed = |change: &dyn Fn(&mut [u32])| {
        let mut y = *x;
        change(&mut y);
        digest(y)
    };
    [
        changed(&|y| y.rotate_left(*n)),
        changed(&|y| y.rotate_right(*n)),
        changed(&|y| y[..*n].reverse()),
        changed(&|y| y.swap(*n % 40, (*n * 7) % 40)),
        changed(&|y| y[*n..].fill(5)),
        changed(&|y| y[..20].copy_from_slice(&x[20..])),
        changed(&|y| y.copy_within(*n / 2..*n, 3)),
        changed(&|y| {
            let (a, b) = y.split_at_mut(*n);
            let shorter = a.len().min(b.len());
            a[..shorter].swap_with_slice(&mut b[..shorter]);
        }),
        changed(&|y| y.chunks_mut(1 + n / 5).for_each(|c| c.reverse())),
        changed(&|y| y.chunks_exact_mut(6).for_each(|c| c.rotate_left(1))),
        changed(&|y| {
            for (i, y) in y.iter_mut().enumerate().rev().step_by(3) {
                *y = y.wrapping_mul(i as u32);
            }
        }),
        changed(&|y| y.fill_with(Default::default)),
    ]
}

#[test]
fn moving_elements() {
    same(moving, input);
}

fn splitting((x, n): &Input) -> [u64; 11] {
    let (a, b) = x.split_at(*n);
    let sum = |x: &[u32]| x.iter().map(|&x| u64::from(x)).sum::<u64>();
    let first = x[..*n].first().copied().map_or(1, u64::from);
    let (left, right) = x.split_at_checked(*n * 2).unwrap_or((&[], &[1]));
    let (chunks, rest) = x[..*n].as_chunks::<7>();
    let exact = x.chunks_exact(1 + n / 3);
    let remainder = sum(exact.remainder());
    let chunk_sum: u64 = exact.map(|c| sum(c) ^ c.len() as u64).sum();
    let longest = x.chunk_by(|a, b| a < b).max_by_key(|run| run.len()).map_or(0, sum);
    let triples = x[..*n].array_windows().map(|[a, b, c]| u64::from(a ^ b ^ c)).sum();
    [
        sum(a).wrapping_mul(3) ^ sum(b),
        first,
        x[*n..].last().copied().map_or(2, u64::from),
        sum(left).wrapping_sub(sum(right)),
        chunks.iter().map(|c| u64::from(c[0] ^ c[6])).sum::<u64>() + rest.len() as u64,
        remainder,
        chunk_sum,
        longest,
        x.get(*n).copied().map_or(3, u64::from),
        x.split_first_chunk::<3>().map_or(0, |(head, tail)| u64::from(head[2]) + sum(tail)),
        triples,
    ]
}

#[test]
fn splitting_up() {
    same(splitting, input);
}

/// Arrays as arguments, results, elements and fields.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Board {
    cells: [[u8; 5]; 4],
    corner: (u8, [u16; 3]),
}

fn step(mut board: Board, by: [[u8; 5]; 4]) -> ([Board; 2], u8) {
    let before = board;
    for (row, add) in board.cells.iter_mut().zip(by) {
        for (cell, add) in row.iter_mut().zip(add) {
            *cell = cell.wrapping_add(add);
        }
    }
    board.cells.swap(0, 3);
    board.corner.1[1] = board.cells.as_flattened().iter().map(|&c| u16::from(c)).sum();
    ([before, board], board.cells[1][2])
}

fn boards(x: &[u8; 24]) -> ([[u8; 5]; 4], [u16; 3], u8) {
    let cells = core::array::from_fn(|r| core::array::from_fn(|c| x[5 * r + c]));
    let board = Board { cells, corner: (x[20], [1, 2, 3]) };
    let ([before, after], cell) = step(board, [[x[21]; 5], [x[22]; 5], [0; 5], [x[23]; 5]]);
    let rows = if x[0] % 2 == 0 { before.cells } else { after.cells };
    (rows.map(|row| row.map(|c| c ^ cell)), after.corner.1, after.corner.0)
}

#[test]
fn arrays_by_value() {
    same(boards, |rng| core::array::from_fn(|_| rng.next_u32() as u8));
}

fn indexing(&(ref x, n): &Input) -> [u64; 5] {
    let grid: [[[u32; 2]; 4]; 5] = core::array::from_fn(|i| {
        core::array::from_fn(|j| core::array::from_fn(|k| x[8 * i + 2 * j + k]))
    });
    let flat: &[u32] = grid.as_flattened().as_flattened();
    let mut transposed = [[0; 5]; 4];
    for (i, plane) in grid.iter().enumerate() {
        for (j, [a, b]) in plane.iter().enumerate() {
            transposed[j][i] = a ^ b.rotate_left(3);
        }
    }
    let whole: [u32; 8] = x[n % 33..n % 33 + 8].try_into().unwrap_or([9; 8]);
    let moved: [u64; 8] = whole.map(u64::from);
    [
        u64::from(grid[n % 5][n % 4][n % 2]),
        u64::from(flat == x),
        digest(transposed),
        moved.iter().sum(),
        digest(<[u32; 3]>::try_from(&x[..n.min(3)]).map_err(|_| n)),
    ]
}

#[test]
fn nested_arrays() {
    same(indexing, input);
}
