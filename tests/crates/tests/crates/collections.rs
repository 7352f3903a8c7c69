//! `arrayvec`, `smallvec` (inline), `heapless`, `tinyvec`, `itertools`, `either`.

#![expect(clippy::useless_conversion, reason = "of the two types of an `Either`, one is converted")]

use arrayvec::{ArrayString, ArrayVec};
use either::Either;
use heapless::binary_heap::{BinaryHeap, Max};
use heapless::index_map::FnvIndexMap;
use heapless::{Deque, Vec as FixedVec};
use itertools::{Itertools, iproduct};
use ptyx_crate_tests::same_on_both;
use smallvec::SmallVec;

/// A number that every element and their order change.
fn digest<'a>(values: impl IntoIterator<Item = &'a u32>) -> u32 {
    values.into_iter().fold(7, |sum: u32, value| sum.wrapping_mul(31).wrapping_add(*value))
}

same_on_both! {
    fn array_vec(x: [u32; 8]) -> [u32; 4] {
        let mut v: ArrayVec<u32, 16> = x.iter().copied().filter(|v| v % 3 != 0).collect();
        v.sort_unstable();
        let full = (0..20).find(|&i| v.try_push(i).is_err()).unwrap_or(20);
        v.retain(|v| *v & 1 == 0);
        let first = v.swap_pop(0).unwrap_or(1);
        v.insert(0, 5);
        [v.len() as u32, digest(&v), full, first]
    }

    fn array_string(x: [u32; 2]) -> ([u8; 16], u32) {
        let mut text = ArrayString::<16>::new();
        for i in 0..5 {
            text.push(char::from_u32(0x3b1 + (x[0] >> (4 * i) & 15)).unwrap());
            if x[1] >> i & 1 == 0 {
                text.push_str("-");
            }
        }
        let mut bytes = [0; 16];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        (bytes, text.chars().filter(|c| c.is_alphabetic()).count() as u32)
    }

    // Inline storage; a vector that could grow beyond it would need a heap.
    fn small_vec(x: [u32; 8]) -> [u32; 3] {
        let mut v: SmallVec<[u32; 8]> = SmallVec::from_buf(x);
        v.sort_unstable();
        v.swap(0, 3);
        v.dedup_by_key(|v| *v >> 28);
        let last = v.pop().unwrap();
        [v.len() as u32, digest(&v), last]
    }

    fn heapless_collections(x: [u32; 8]) -> [u32; 6] {
        let mut even: FixedVec<u32, 8> = FixedVec::new();
        let mut last: Deque<u32, 4> = Deque::new();
        let mut heap: BinaryHeap<u32, Max, 8> = BinaryHeap::new();
        let mut map: FnvIndexMap<u32, u32, 16> = FnvIndexMap::new();
        for (i, value) in x.into_iter().enumerate() {
            if value % 2 == 0 {
                even.push(value).unwrap();
            }
            if last.is_full() {
                last.pop_front();
            }
            last.push_back(value).unwrap();
            heap.push(value).unwrap();
            map.insert(value % 5, i as u32).unwrap();
        }
        heap.pop();
        [
            digest(&even),
            digest(&last),
            heap.pop().unwrap(),
            map.len() as u32,
            map[&(x[7] % 5)],
            digest(map.values()),
        ]
    }

    fn tiny_vec(x: [u32; 8]) -> [u32; 3] {
        let mut v: tinyvec::ArrayVec<[u32; 16]> = x.iter().copied().filter(|v| v % 3 > 0).collect();
        v.push(3);
        v.sort_unstable_by(|a, b| b.cmp(a));
        v.insert(1, 9);
        let first = v.remove(0);
        [v.len() as u32, digest(&v), first]
    }

    fn iterator_adaptors(x: [u32; 8]) -> [u32; 8] {
        let (low, high) = x.iter().copied().minmax().into_option().unwrap();
        let windows = x.iter().tuple_windows().map(|(a, b)| a ^ b);
        let either: Either<u32, u16> = if x[0].is_multiple_of(2) { Either::Left(x[1]) } else { Either::Right(9) };
        [
            low,
            high,
            windows.fold(0, u32::wrapping_add),
            x.iter().zip_eq(x.iter().rev()).filter(|(a, b)| a < b).count() as u32,
            digest(x.iter().interleave(&x[..3]).step_by(2)),
            iproduct!(0..3u32, 0..4u32).map(|(a, b)| a * b + x[0] % 10).sum(),
            x.iter().map(|v| v % 3).dedup().count() as u32,
            either::for_both!(either, v => u32::from(v)),
        ]
    }
}
