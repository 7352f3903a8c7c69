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

/// Something that counts, in memory of its own or of others.
trait Counter {
    fn count(&self, by: u64) -> u64;
}

struct Own {
    words: [AtomicU32; 2],
    wide: AtomicU64,
    byte: AtomicU8,
    half: AtomicI16,
}

struct Borrowed<'a>(&'a AtomicU32);

impl Counter for Own {
    fn count(&self, by: u64) -> u64 {
        let Own { words: [a, b], wide, byte, half } = self;
        let word = by as u32;
        let mut seen = u64::from(a.fetch_add(word, AcqRel) ^ a.fetch_sub(3, Relaxed));
        seen ^= u64::from(a.fetch_max(word ^ 5, SeqCst) ^ b.fetch_min(word, Acquire)) << 1;
        seen ^= wide.fetch_and(by, Relaxed) ^ wide.fetch_or(by << 3, Release);
        seen ^= wide.fetch_xor(by, AcqRel).rotate_left(5) ^ wide.fetch_nand(by | 1, Relaxed);
        seen ^= wide.compare_exchange(by, 7, SeqCst, Relaxed).unwrap_or_else(|now| now ^ 1);
        seen ^=
            u64::from(byte.fetch_add(by as u8, Relaxed) ^ byte.swap(by as u8 >> 1, AcqRel)) << 40;
        seen ^= (half.fetch_max(by as i16, Relaxed) as u64) << 20;
        half.store(by as i16 ^ 9, Release);
        seen ^ u64::from(byte.load(Acquire)) ^ (half.load(SeqCst) as u64) << 11
    }
}

impl Counter for Borrowed<'_> {
    fn count(&self, by: u64) -> u64 {
        (self.0.fetch_xor(by as u32, Relaxed) ^ self.0.load(Acquire)).into()
    }
}

#[inline(never)]
fn add(counter: &AtomicU32, by: u64) -> u32 {
    let before = counter.fetch_add(by as u32, AcqRel);
    counter.store(before.rotate_left(3) ^ by as u32, Release);
    before ^ counter.load(Acquire)
}

/// Atomics whose pointers are known at run time only: to a variable of the thread, or to `theirs`.
/// No other thread has this `theirs`.
fn mixed(&[a, b]: &[u64; 2], theirs: &AtomicU32) -> [u64; 6] {
    let own = Own {
        words: [AtomicU32::new(a as u32), AtomicU32::new(b as u32)],
        wide: AtomicU64::new(a ^ b),
        byte: AtomicU8::new(a as u8),
        half: AtomicI16::new(b as i16),
    };
    let borrowed = Borrowed(theirs);
    let counter: &dyn Counter = if a % 3 == 0 { &borrowed } else { &own };
    // One that a `select` or a phi has, ones that a call and a load have.
    let one = if b % 2 == 0 { theirs } else { &own.words[1] };
    let selected = one.fetch_add(a as u32, Relaxed);
    let places = core::hint::black_box([theirs, &own.words[0], one]);
    let loaded = places[(a % 3) as usize].swap(b as u32, SeqCst);
    let passed = [add(theirs, a), add(&own.words[(b % 2) as usize], b)];
    let flag = AtomicBool::new(a % 2 == 0);
    let flags = core::hint::black_box([&flag; 2]);
    [
        counter.count(b),
        u64::from(selected) << 32 | u64::from(loaded),
        u64::from(passed[0]) << 32 | u64::from(passed[1]),
        flags[1].fetch_xor(b % 2 == 0, SeqCst).into(),
        counter.count(a) ^ u64::from(flag.load(Relaxed)),
        own.words.iter().fold(u64::from(theirs.load(Relaxed)), |sum, word| {
            sum << 16 ^ u64::from(word.load(Acquire))
        }),
    ]
}

#[kernel]
fn mixed_of_each(inputs: &[[u64; 2]], theirs: SliceMut<u32>, mut out: Disjoint<[u64; 6]>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        // SAFETY: this thread alone has this element.
        let theirs = unsafe { AtomicU32::from_ptr(theirs.as_mut_ptr().add(i.get())) };
        *out = mixed(&inputs[i.get()], theirs);
    }
}

/// On a GPU an atomic instruction on local memory faults.
#[test]
fn pointers_to_own_or_shared_memory() {
    let mut rng = rng();
    let inputs = rng.vec(500, |rng| [edgy(rng), edgy(rng)]);
    let theirs = rng.vec(500, |rng| rng.next_u32());
    let on_device = DeviceBuffer::from_slice(&inputs).unwrap();
    let mut shared = DeviceBuffer::from_slice(&theirs).unwrap();
    let mut out = DeviceBuffer::filled(500, [0; 6]).unwrap();
    launch!(mixed_of_each<<<8, 64>>>(&on_device, &mut shared, &mut out)).unwrap();
    let theirs: Vec<AtomicU32> = theirs.into_iter().map(AtomicU32::new).collect();
    let expected: Vec<_> =
        inputs.iter().zip(&theirs).map(|(input, own)| mixed(input, own)).collect();
    assert_eq!(out.to_vec().unwrap(), expected);
    let theirs: Vec<u32> = theirs.into_iter().map(AtomicU32::into_inner).collect();
    assert_eq!(shared.to_vec().unwrap(), theirs);
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
