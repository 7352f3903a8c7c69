//! Diagonals of tiles: all threads read what is outside of them, and own what is inside.

use ptyx::device::view::Diagonal;
use ptyx::prelude::*;
use ptyx_ownership_tests::rng;

type Owners = (by::BlockY, by::BlockX, by::ThreadInBlockY, by::ThreadInBlockX);

/// Each element of the diagonal becomes what its place says, times 2, plus what its neighbours outside say.
#[kernel]
fn stamp<const SIDE: usize>(mut x: Diagonal<u32, Owners, SIDE>) {
    let (known, own) = x.split();
    for (matrix, tiles) in own {
        for (tile, rows) in tiles {
            let [row, column] = known.first(tile);
            let corner =
                if row > 0 && column > 0 { known[[matrix, row - 1, column - 1]] } else { 0 };
            for (y, columns) in rows {
                for (x, element) in columns {
                    let left = if column > 0 { known[[matrix, row + y, column - 1]] } else { 0 };
                    let above = if row > 0 { known[[matrix, row - 1, column + x]] } else { 0 };
                    let place = [matrix, row + y, column + x]
                        .iter()
                        .fold(0, |all, at| 64 * all + *at as u32);
                    *element = element.wrapping_add(place).wrapping_add(left ^ above ^ corner);
                }
            }
        }
    }
}

fn check_stamps<const SIDE: usize>() {
    let mut rng = rng();
    for _ in 0..12 {
        let shape = [1 + rng.below(3), rng.below(40), rng.below(40)];
        let [matrices, rows, columns] = shape;
        let (border, number) = (rng.below(4), rng.below(60 / SIDE));
        let before = rng.vec(matrices * rows * columns, |rng| rng.next_u32());
        let mut x = DeviceBuffer::from_slice(&before).unwrap();
        let blocks = [1 + rng.below(3), 1 + rng.below(3)];
        let threads = [1 + rng.below(6), 1 + rng.below(6)];
        launch!(stamp::<SIDE><<<(blocks[0], blocks[1]), (threads[0], threads[1])>>>(
            x.view_mut(shape).diagonal(border, number)
        ))
        .unwrap();
        // The tile of a row or column, if it is whole.
        let tile = |at: usize, size: usize| {
            let tile = at.checked_sub(border)? / SIDE;
            (border + SIDE * (tile + 1) <= size).then_some(tile)
        };
        let at = |m: usize, row: usize, column: usize| (m * rows + row) * columns + column;
        let mut want = before.clone();
        for place in 0..before.len() {
            let (m, row, column) =
                (place / columns / rows, place / columns % rows, place % columns);
            let Some((down, right)) = tile(row, rows).zip(tile(column, columns)) else { continue };
            if down + right != number {
                continue;
            }
            let (first, start) = (border + SIDE * down, border + SIDE * right);
            let known = |there: bool, row: usize, column: usize| {
                if there { before[at(m, row.wrapping_sub(1), column)] } else { 0 }
            };
            let left = if start > 0 { before[at(m, row, start - 1)] } else { 0 };
            let above = known(first > 0, first, column);
            let corner = known(first > 0 && start > 0, first, start.wrapping_sub(1));
            let stamp = ((m * 64 + row) * 64 + column) as u32;
            want[place] = before[place].wrapping_add(stamp).wrapping_add(left ^ above ^ corner);
        }
        assert_eq!(
            x.to_vec().unwrap(),
            want,
            "{shape:?}, border {border}, diagonal {number}, {SIDE}"
        );
    }
}

#[test]
fn each_element_of_a_diagonal_has_one_owner() {
    check_stamps::<1>();
    check_stamps::<5>();
    check_stamps::<16>();
}

/// A diagonal of the Needleman-Wunsch tables, without `unsafe`: each thread computes a column of its block's tile, one row
/// behind its left neighbour.
#[kernel]
fn align(penalty: i32, score: Array<i32, 3>, mut table: Diagonal<i32, Owners, 16>) {
    let (known, own) = table.split();
    let borders = shared!([[i32; 17]; 17]).cells(0);
    let t = thread::x() as usize;
    for (matrix, tiles) in own {
        for (tile, rows) in tiles {
            let [row, column] = known.first(tile);
            block::sync();
            if t == 0 {
                borders.at(0).set(0, known[[matrix, row - 1, column - 1]]);
            }
            borders.at(0).set(t + 1, known[[matrix, row - 1, column + t]]);
            borders.at(t + 1).set(0, known[[matrix, row + t, column - 1]]);
            block::sync();
            for step in 0..31usize {
                if let Some(y) = step.checked_sub(t).filter(|y| *y < 16) {
                    let aligned = borders.at(y).get(t) + score[[matrix, row + y, column + t]];
                    let gap = borders.at(y + 1).get(t).max(borders.at(y).get(t + 1)) - penalty;
                    borders.at(y + 1).set(t + 1, aligned.max(gap));
                }
                block::sync();
            }
            for (y, columns) in rows {
                for (x, element) in columns {
                    *element = borders.at(y + 1).get(x + 1);
                }
            }
        }
    }
}

#[test]
fn a_table_of_alignments() {
    let mut rng = rng();
    let (tables, [down, across], penalty) = (2, [1 + rng.below(4), 1 + rng.below(4)], 10);
    let shape = [tables, 16 * down + 1, 16 * across + 1];
    let [_, rows, columns] = shape;
    let mut number = |below: u32| (rng.next_u32() % below) as i32 - 10;
    let score: Vec<i32> = (0..tables * rows * columns).map(|_| number(20)).collect();
    let mut want: Vec<i32> = (0..score.len()).map(|_| number(1000)).collect();
    let mut table = DeviceBuffer::from_slice(&want).unwrap();
    let score_here = DeviceBuffer::from_slice(&score).unwrap();
    for number in 0..down + across - 1 {
        let step = table.view_mut(shape).diagonal(1, number);
        launch!(align<<<(down.min(across), tables), 16>>>(penalty, score_here.view(shape), step))
            .unwrap();
    }
    for place in 0..want.len() {
        let (row, column) = (place / columns % rows, place % columns);
        if row > 0 && column > 0 {
            let gap = want[place - 1].max(want[place - columns]) - penalty;
            want[place] = gap.max(want[place - columns - 1] + score[place]);
        }
    }
    assert_eq!(table.to_vec().unwrap(), want);
}

#[kernel]
fn read(at: [usize; 3], mut x: Diagonal<u32, Owners, 4>, mut out: Disjoint<u32>) {
    let (known, _) = x.split();
    let known = known.get(at).copied();
    out[thread::index_1d()] = known.unwrap_or_else(|| x.split().0[at]);
}

/// What a launch writes can't be read by it, nor what is not there.
#[test]
fn elements_of_the_diagonal_are_not_known() {
    let mut x = DeviceBuffer::from_slice(&(0..2 * 9 * 13).collect::<Vec<u32>>()).unwrap();
    for (at, text) in [
        ([1, 0, 12], ""),
        ([0, 4, 4], ""),
        ([0, 8, 5], ""),
        ([1, 5, 1], "the launch writes the tile of row 5, column 1"),
        ([0, 4, 8], "the launch writes the tile of row 4, column 8"),
        ([2, 0, 0], "index is 2"),
        ([0, 9, 0], "index is 9"),
    ] {
        let mut out = DeviceBuffer::filled(1, 999u32).unwrap();
        launch!(read<<<1, 1>>>(at, x.view_mut([2, 9, 13]).diagonal(1, 1), &mut out)).unwrap();
        match out.to_vec() {
            Ok(out) => {
                assert_eq!(out[0] as usize, (at[0] * 9 + at[1]) * 13 + at[2], "{at:?}");
                assert!(text.is_empty(), "{at:?}");
            }
            Err(error) => assert!(!text.is_empty() && error.to_string().contains(text), "{error}"),
        }
    }
}
