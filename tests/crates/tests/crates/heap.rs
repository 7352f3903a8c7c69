//! Crates that allocate, in kernels with a heap: `num-bigint`, which divides with assembly, `bumpalo`,
//! whose first chunk refers to itself, `indexmap`, `itertools` and `smallvec` beyond its inline size.

use bumpalo::Bump;
use indexmap::IndexMap;
use itertools::Itertools;
use num_bigint::{BigInt, BigUint};
use ptyx_crate_tests::same_on_both;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

/// A number that every element and their order change.
fn digest(values: impl IntoIterator<Item = u32>) -> u32 {
    values.into_iter().fold(7, |sum: u32, value| sum.wrapping_mul(31).wrapping_add(value))
}

same_on_both! {
    map_on_heap:

    fn big_integers(x: ([u32; 7], [u32; 3])) -> ([u32; 4], u32) {
        let (a, b) = (BigUint::new(x.0.to_vec()), BigUint::new(x.1.to_vec()) + 1u32);
        // (`modpow` took half a minute to compile.)
        let power = b.pow(3);
        let difference: BigInt = BigInt::from(b.clone()) * 7 - BigInt::from(a.clone());
        let text = (&a / &b).to_string();
        (
            [
                digest((&a * &b).iter_u32_digits()),
                digest((&a % &b).iter_u32_digits()),
                digest(power.iter_u32_digits()),
                digest(difference.iter_u32_digits()),
            ],
            digest(text.bytes().map(u32::from)),
        )
    }

    fn bump_allocation(x: [u32; 8]) -> [u32; 3] {
        let arena = Bump::new();
        let mut references = bumpalo::collections::Vec::new_in(&arena);
        for value in x {
            references.push(&*arena.alloc(value ^ 5));
        }
        let text = bumpalo::format!(in &arena, "{}-{:x}", x[0], x[1]);
        let sum = references.iter().fold(0u32, |sum, value| sum.wrapping_add(**value));
        [sum, digest(text.bytes().map(u32::from)), u32::from(arena.allocated_bytes() > 0)]
    }

    fn maps_in_order(x: [u32; 12]) -> [u32; 4] {
        let mut map = IndexMap::with_hasher(FxBuildHasher);
        let mut counts = FxHashMap::default();
        for (i, value) in x.iter().enumerate() {
            map.insert(value % 7, i as u32);
            *counts.entry(value % 5).or_insert(0u32) += 1;
        }
        let removed = map.swap_remove(&(x[0] % 7)).unwrap_or(99);
        map.sort_unstable_keys();
        let keys = digest(map.keys().copied());
        [keys, digest(map.into_values()), removed, counts[&(x[3] % 5)]]
    }

    fn iterators_that_allocate(x: [u32; 8]) -> [u32; 5] {
        // A map of std's own, with its usual hasher.
        let groups = x.iter().into_group_map_by(|value| *value % 3);
        [
            digest(x.iter().join(", ").bytes().map(u32::from)),
            x.iter().combinations(3).filter(|c| c[0] < c[1] && c[1] < c[2]).count() as u32,
            digest(x.iter().permutations(2).map(|p| p[0] ^ p[1].rotate_left(7))),
            digest(x.iter().map(|value| value % 4).unique()),
            groups.get(&(x[0] % 3)).map_or(0, |group| digest(group.iter().map(|value| **value))),
        ]
    }

    fn spilled(x: [u32; 16]) -> [u32; 3] {
        let mut v: SmallVec<[u32; 4]> = x.iter().copied().filter(|value| value % 3 > 0).collect();
        v.sort();
        v.insert(0, 7);
        [v.len() as u32, v.spilled().into(), digest(v)]
    }
}
