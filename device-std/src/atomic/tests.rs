//! The host's half of the atomics, which says what the device's instructions do.

use super::*;
use std::vec::Vec;

#[test]
fn integers() {
    fn check<T: AtomicInteger + core::fmt::Debug>(of: impl Fn(i32) -> T) {
        let n = Atomic::new(of(12));
        assert_eq!(n.fetch_add(of(3)), of(12));
        assert_eq!(n.fetch_sub(of(1)), of(15));
        assert_eq!(n.fetch_and(of(10)), of(14));
        assert_eq!(n.fetch_or(of(5)), of(10));
        assert_eq!(n.fetch_xor(of(9)), of(15));
        assert_eq!(n.fetch_min(of(2)), of(6));
        assert_eq!(n.fetch_max(of(7)), of(2));
        assert_eq!(n.swap(of(1)), of(7));
        assert_eq!(n.compare_exchange(of(2), of(3)), Err(of(1)));
        assert_eq!(n.compare_exchange(of(1), of(3)), Ok(of(1)));
        assert_eq!(n.fetch_update(|value| value), of(3));
        n.store(of(9));
        assert_eq!(n.load(), of(9));
    }
    check(|value| value as u32);
    check(|value| value);
    check(|value| value as u64);
    check(|value| value as i64);
    check(|value| value as usize);
}

#[test]
fn signs_count_in_minimum_and_maximum() {
    let (signed, unsigned) = (Atomic::new(-1i32), Atomic::new(u32::MAX));
    signed.fetch_max(1);
    unsigned.fetch_max(1);
    assert_eq!((signed.load(), unsigned.load()), (1, u32::MAX));
    let wide = Atomic::new(-1i64);
    wide.fetch_min(1);
    assert_eq!(wide.load(), -1);
}

#[test]
fn floats() {
    let n = Atomic::new(1.5f32);
    assert_eq!(n.fetch_add(0.25), 1.5);
    assert_eq!(n.fetch_sub(1.0), 1.75);
    assert_eq!(n.compare_exchange(0.75, f32::NAN), Ok(0.75));
    // By bits, so that a loop around it ends with NaN, too.
    assert!(n.compare_exchange(f32::NAN, 2.0).is_ok());
    assert_eq!(n.compare_exchange(1.0, 3.0), Err(2.0));
    assert_eq!(Atomic::new(-0.0f64).compare_exchange(0.0, 1.0).map_err(f64::to_bits), Err(1 << 63));
}

#[test]
fn counters_wrap_at_their_limit() {
    let n = Atomic::new(0);
    let up: Vec<u32> = (0..5).map(|_| n.fetch_inc(2)).collect();
    assert_eq!(up, [0, 1, 2, 0, 1]);
    n.store(9);
    let down: Vec<u32> = (0..5).map(|_| n.fetch_dec(2)).collect();
    assert_eq!(down, [9, 2, 1, 0, 2]);
}

#[test]
fn a_view_is_shared_by_threads() {
    let mut data = [0u32; 4];
    // SAFETY: the array outlives the view, and only the view is used meanwhile.
    let view = unsafe { Atomics::from_raw_parts(data.as_mut_ptr(), data.len()) };
    let slice = view.as_slice();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..1000).for_each(|i| _ = slice[i % 4].fetch_add(1)));
        }
    });
    assert!(view.iter().all(|n| n.load() == 1000));
    assert_eq!(data, [1000; 4]);
}
