//! `core::sync::atomic`: all types, operations and orderings.

use crate::harness::{edgy, same};
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use core::sync::atomic::*;
use ptyx::prelude::*;
use ptyx_tests::rng;

/// Every operation on an atomic of one thread alone, with orderings that differ.
macro_rules! integers {
    ($($test:ident: $atomic:ident, $type:ident;)*) => {$(
        #[test]
        fn $test() {
            fn operations(&[a, b]: &[u64; 2]) -> [$type; 18] {
                let (a, b) = (a as $type, b as $type);
                let x = $atomic::new(a);
                let y = $atomic::new(b);
                let results = [
                    x.swap(b, AcqRel),
                    x.fetch_add(a, Relaxed),
                    x.fetch_sub(3, Acquire),
                    x.fetch_and(!b, Release),
                    x.fetch_or(a, SeqCst),
                    x.fetch_xor(b, AcqRel),
                    x.fetch_nand(a, Relaxed),
                    x.fetch_max(b, SeqCst),
                    x.fetch_min(a, Acquire),
                    x.load(Acquire),
                    y.compare_exchange(b, a, AcqRel, Acquire).unwrap_or(1),
                    y.compare_exchange(a, 7, SeqCst, Relaxed).unwrap_or_else(|x| x ^ 2),
                    y.compare_exchange(0, 9, Release, Relaxed).unwrap_or_else(|x| x ^ 4),
                    y.fetch_update(Relaxed, SeqCst, |y| y.checked_mul(2)).unwrap_or_else(|x| x ^ 8),
                    y.load(SeqCst),
                ];
                x.store(b, Release);
                fence(SeqCst);
                compiler_fence(Acquire);
                y.store(x.load(Relaxed), SeqCst);
                let mut all = [0; 18];
                all[..15].copy_from_slice(&results);
                all[15..].copy_from_slice(&[x.load(Relaxed), y.load(Acquire), x.into_inner()]);
                all
            }
            same(operations, |rng| [edgy(rng), edgy(rng)]);
        }
    )*};
}

integers! {
    unsigned_8: AtomicU8, u8;
    unsigned_16: AtomicU16, u16;
    unsigned_32: AtomicU32, u32;
    unsigned_64: AtomicU64, u64;
    unsigned_size: AtomicUsize, usize;
    signed_8: AtomicI8, i8;
    signed_16: AtomicI16, i16;
    signed_32: AtomicI32, i32;
    signed_64: AtomicI64, i64;
    signed_size: AtomicIsize, isize;
}

fn others(&[a, b]: &[u64; 2]) -> [u64; 8] {
    let flag = AtomicBool::new(a % 2 == 0);
    let (mut x, mut y) = (a, b);
    let pointer = AtomicPtr::new(&raw mut x);
    let old = pointer.swap(&raw mut y, AcqRel);
    let swapped = pointer.compare_exchange(&raw mut y, old, SeqCst, Relaxed).is_ok();
    [
        flag.fetch_xor(b % 2 == 0, SeqCst).into(),
        flag.fetch_nand(true, Relaxed).into(),
        flag.swap(false, Acquire).into(),
        flag.compare_exchange_weak(true, false, Relaxed, Relaxed).is_err().into(),
        flag.fetch_not(Release).into(),
        flag.load(SeqCst).into(),
        swapped.into(),
        // SAFETY: both places live, and nothing else refers to them.
        unsafe { *pointer.load(Acquire) },
    ]
}

#[test]
fn flags_and_pointers() {
    same(others, |rng| [edgy(rng), edgy(rng)]);
}

/// Atomics that all threads share: each operation's total is known whatever the order.
#[kernel]
fn shared_between_threads(x: &[u32], narrow: SliceMut<u8>, wide: SliceMut<u64>) {
    let i = thread::index_1d();
    let Some(&x) = x.get(i.get()) else { return };
    // SAFETY: all threads reach these elements through atomics only.
    let (narrow, wide) = unsafe {
        (
            AtomicU8::from_ptr(narrow.as_mut_ptr().add(i.get() % 4)),
            wide.as_mut_ptr().cast::<AtomicU64>(),
        )
    };
    narrow.fetch_add(x as u8, Relaxed);
    // SAFETY: four elements, as the host made them.
    let [sum, max, bits, updated] = unsafe { &*wide.cast::<[AtomicU64; 4]>() };
    sum.fetch_add(x.into(), AcqRel);
    max.fetch_max(x.into(), Relaxed);
    bits.fetch_or(1 << (x % 64), SeqCst);
    let mut seen = updated.load(Acquire);
    while let Err(now) =
        updated.compare_exchange_weak(seen, seen.wrapping_add(u64::from(x) << 7), AcqRel, Acquire)
    {
        seen = now;
    }
}

#[test]
fn totals_of_many_threads() {
    let mut rng = rng();
    let x = rng.vec(1000, |rng| rng.next_u32());
    let on_device = DeviceBuffer::from_slice(&x).unwrap();
    let mut narrow = DeviceBuffer::filled(4, 0u8).unwrap();
    let mut wide = DeviceBuffer::filled(4, 0u64).unwrap();
    launch!(shared_between_threads<<<8, 128>>>(&on_device, &mut narrow, &mut wide)).unwrap();
    let mut bytes = [0u8; 4];
    for (i, &x) in x.iter().enumerate() {
        bytes[i % 4] = bytes[i % 4].wrapping_add(x as u8);
    }
    assert_eq!(narrow.to_vec().unwrap(), bytes);
    let wrapping = |f: fn(u64) -> u64| x.iter().fold(0u64, |sum, &x| sum.wrapping_add(f(x.into())));
    let max = x.iter().copied().max().unwrap();
    let bits = x.iter().fold(0u64, |bits, x| bits | 1 << (x % 64));
    assert_eq!(wide.to_vec().unwrap(), [wrapping(|x| x), max.into(), bits, wrapping(|x| x << 7)]);
}
