//! A level of a graph search: its neighbours are loaded and checked several at a time
//! (`compiler/src/optimise/join_checks/ahead.rs`), and a thread that fails still panics where the source says, with the
//! stores before that done.

use crate::alone;
use crate::panics::panic_of;
use ptyx::prelude::*;

/// One thread a node, whose edges are those from `first[i]` to `first[i + 1]`.
#[kernel]
fn level(first: &[u32], edge: &[u32], seen: &[u8], cost: Atomics<u32>, next: Atomics<u8>) {
    let i = thread::index_1d().get();
    if i + 1 < first.len() {
        for e in first[i]..first[i + 1] {
            let id = edge[e as usize] as usize;
            if seen[id] == 0 {
                cost[id].store(cost[i].load() + 1);
                next[id].store(1);
            }
        }
    }
}

/// A graph with one node in front, and the lengths of the arrays.
struct Case {
    edges: u32,
    edge: Vec<u32>,
    seen: Vec<u8>,
    cost: usize,
    next: usize,
}

/// What a thread has stored, and the index and length of the check that fails.
struct Outcome {
    cost: Vec<u32>,
    next: Vec<u8>,
    done: Result<(), (u64, u64)>,
}

impl Case {
    /// Mostly without anything out of bounds: then all checks of four neighbours pass.
    fn new(rng: &mut ptyx_tests::Rng) -> Case {
        let nodes = 8 + rng.next_u32() % 20;
        let edges = rng.next_u32() % 14;
        let mut shorter = |len: u32| {
            len - if rng.next_u32().is_multiple_of(4) { rng.next_u32() % len } else { 0 }
        };
        let (stored, seen, cost, next) =
            (shorter(edges.max(1)), shorter(nodes), shorter(nodes), shorter(nodes));
        let edge = (0..stored).map(|_| rng.next_u32() % nodes).collect();
        let seen = (0..seen).map(|_| (rng.next_u32() % 2) as u8).collect();
        Case { edges, edge, seen, cost: cost as usize, next: next as usize }
    }

    /// What the thread does.
    fn run(&self) -> Outcome {
        let (mut cost, mut next) = (vec![3; self.cost], vec![0; self.next]);
        let out = |index: usize, len: usize| (index as u64, len as u64);
        let done = (0..self.edges as usize).try_for_each(|e| {
            let id = *self.edge.get(e).ok_or(out(e, self.edge.len()))? as usize;
            if *self.seen.get(id).ok_or(out(id, self.seen.len()))? == 0 {
                let own = *cost.first().ok_or(out(0, 0))?;
                *cost.get_mut(id).ok_or(out(id, self.cost))? = own + 1;
                *next.get_mut(id).ok_or(out(id, self.next))? = 1;
            }
            Ok(())
        });
        Outcome { cost, next, done }
    }
}

#[test]
fn a_search_panics_at_the_neighbour_that_is_out_of_bounds() {
    let _alone = alone();
    let mut rng = ptyx_tests::rng();
    let mut panics = 0;
    for _ in 0..150 {
        let case = Case::new(&mut rng);
        let first = DeviceBuffer::from_slice(&[0, case.edges]).unwrap();
        let edge = DeviceBuffer::from_slice(&case.edge).unwrap();
        let seen = DeviceBuffer::from_slice(&case.seen).unwrap();
        let mut cost = DeviceBuffer::filled(case.cost, 3u32).unwrap();
        let mut next = DeviceBuffer::zeroed(case.next).unwrap();
        let launched = launch!(level<<<1, 1>>>(&first, &edge, &seen, &mut cost, &mut next));
        let want = case.run();
        match want.done {
            Ok(()) => launched.unwrap(),
            Err(bounds) => {
                panics += 1;
                assert_eq!(panic_of(launched).bounds, Some(bounds), "{:?}", case.edge);
            }
        }
        assert_eq!(cost.to_vec().unwrap(), want.cost, "{:?} {:?}", case.edge, case.seen);
        assert_eq!(next.to_vec().unwrap(), want.next, "{:?} {:?}", case.edge, case.seen);
    }
    assert!((10..140).contains(&panics), "{panics} of 150 panicked");
}
