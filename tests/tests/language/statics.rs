//! Statics: tables, references between them, and circles of references.

use crate::harness::{edgy, same};

/// A node of a graph that is known at compile time.
struct Node {
    value: u64,
    next: &'static Node,
    others: &'static [&'static Node],
}

/// Refers to itself.
static ALONE: Node = Node { value: 3, next: &ALONE, others: &[&ALONE] };

/// A ring, and a way out of it.
static FIRST: Node = Node { value: 5, next: &SECOND, others: &[&THIRD, &ALONE] };
static SECOND: Node = Node { value: 7, next: &THIRD, others: &[] };
static THIRD: Node = Node { value: 11, next: &FIRST, others: &[&SECOND, &FIRST, &THIRD] };

/// No circle, but references to those above.
static NODES: [&Node; 4] = [&ALONE, &FIRST, &SECOND, &THIRD];

fn walk(&[start, steps, turns]: &[u64; 3]) -> [u64; 2] {
    let mut node = NODES[start as usize % 4];
    let mut sum = 0u64;
    for step in 0..steps % 20 {
        sum = sum.wrapping_mul(3).wrapping_add(node.value);
        let turn = turns >> (3 * step) & 7;
        node = node.others.get(turn as usize).unwrap_or(&node.next);
    }
    [sum, NODES.iter().position(|known| core::ptr::eq(*known, node)).unwrap_or(9) as u64]
}

#[test]
fn circles() {
    same(walk, |rng| core::array::from_fn(|_| edgy(rng)));
}

/// A function that a static names, which refers to the static in turn.
static RULES: [(u64, fn(u64) -> u64); 3] =
    [(2, halve), (3, |x| x / 3), (5, |x| x.wrapping_sub(RULES[1].0))];

fn halve(x: u64) -> u64 {
    if x % RULES[1].0 == 0 { x / RULES[1].0 } else { x / RULES[0].0 }
}

fn apply(&[x, order]: &[u64; 2]) -> u64 {
    (0..10).fold(x, |x, i| RULES[(order >> (4 * i)) as usize % 3].1(x))
}

#[test]
fn functions_that_refer_to_their_table() {
    same(apply, |rng| [edgy(rng), edgy(rng)]);
}
