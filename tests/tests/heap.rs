//! The heap of kernels at its limits: its size, alignment, exhaustion, misuse.

use ptyx::prelude::*;
use std::alloc::{GlobalAlloc, Layout, System, alloc, alloc_zeroed, dealloc, realloc};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A program's own allocator is for the host: kernels take from the device's heap all the same.
struct Counting(AtomicUsize);

#[global_allocator]
static ALLOCATOR: Counting = Counting(AtomicUsize::new(0));

// SAFETY: all is the system's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.0.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as the caller says.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller says.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Each thread keeps a vector that is as long as its number says, until all have one.
#[kernel(heap)]
fn hold(each: usize, mut out: Disjoint<u64>) {
    let i = thread::index_1d();
    let numbers: Vec<u64> = (0..each as u64).map(|x| x ^ i.get() as u64).collect();
    block::sync();
    if let Some(out) = out.get_mut(i) {
        *out = numbers.iter().fold(0, |sum, x| sum.wrapping_add(*x));
    }
}

/// Asks politely, and says what it got.
#[kernel(heap)]
fn try_hold(bytes: usize, mut out: Disjoint<u32>) {
    let mut memory = Vec::<u8>::new();
    let granted = memory.try_reserve_exact(bytes).is_ok();
    if let Some(out) = out.get_mut(thread::index_1d()) {
        *out = granted.into();
    }
}

/// Allocations of every alignment: aligned, zeroed if asked for, kept when they grow.
#[kernel(heap)]
fn alignments(mut out: Disjoint<u32>) {
    let i = thread::index_1d();
    let mut good = 0;
    for shift in 0..9 {
        let Ok(layout) = Layout::from_size_align(1 + 7 * i.get() % 100, 1 << shift) else {
            continue;
        };
        // SAFETY: the size is not 0, and the memory is used and freed with its layout.
        unsafe {
            let zeroed = alloc_zeroed(layout);
            let first = alloc(layout);
            let is_zero = (0..layout.size()).all(|at| *zeroed.add(at) == 0);
            first.write_bytes(shift + 1, layout.size());
            let grown = realloc(first, layout, layout.size() + 300);
            let is_kept = (0..layout.size()).all(|at| *grown.add(at) == shift + 1);
            let aligned = grown.addr().is_multiple_of(layout.align())
                && zeroed.addr().is_multiple_of(layout.align());
            if is_zero && is_kept && aligned {
                good += 1;
            }
            let Ok(larger) = Layout::from_size_align(layout.size() + 300, layout.align()) else {
                return;
            };
            dealloc(grown, larger);
            dealloc(zeroed, layout);
        }
    }
    if let Some(out) = out.get_mut(i) {
        *out = good;
    }
}

/// Frees twice, or reads what is freed.
#[kernel(heap)]
fn misuse(twice: bool, mut out: Disjoint<u64>) {
    let pointer = Box::into_raw(Box::new(core::hint::black_box(7u64)));
    // SAFETY: it is not safe: the emulated device must notice.
    unsafe {
        drop(Box::from_raw(core::hint::black_box(pointer)));
        if twice {
            drop(Box::from_raw(core::hint::black_box(pointer)));
        }
        out[thread::index_1d()] = *core::hint::black_box(pointer);
    }
}

/// One test, because the heap is the device's.
#[test]
fn the_heap_has_limits() {
    assert!(ALLOCATOR.0.load(Ordering::Relaxed) > 0, "the host uses the program's allocator");
    let device = Device::current().unwrap();
    // More than the 8 MiB that a heap has at first; a GPU takes a size only before the first use.
    device.set_heap_limit(32 << 20).unwrap();
    assert!(device.heap_limit().unwrap() >= 32 << 20);

    let (threads, each) = (128, 12_000);
    let mut out = DeviceBuffer::zeroed(threads).unwrap();
    // Twice, so that what is freed must be free again.
    for _ in 0..2 {
        launch!(hold<<<1, threads>>>(each, &mut out)).unwrap();
        let sum = |i: u64| (0..each as u64).fold(0u64, |sum, x| sum.wrapping_add(x ^ i));
        let want: Vec<u64> = (0..threads as u64).map(sum).collect();
        assert_eq!(out.to_vec().unwrap(), want);
    }

    // It is too late now.
    let error = device.set_heap_limit(64 << 20).unwrap_err();
    assert_eq!(error.driver_code(), Some(1), "{error}");
    assert!(device.heap_limit().unwrap() < 64 << 20);

    let mut good = DeviceBuffer::zeroed(threads).unwrap();
    launch!(alignments<<<1, threads>>>(&mut good)).unwrap();
    assert_eq!(good.to_vec().unwrap(), vec![9; threads]);

    let mut granted = DeviceBuffer::filled(1, 9).unwrap();
    launch!(try_hold<<<1, 1>>>(1 << 40, &mut granted)).unwrap();
    assert_eq!(granted.to_vec().unwrap(), [0]);

    launch!(hold<<<1, 1>>>(1 << 40, &mut out)).unwrap();
    let error = device.synchronize().unwrap_err().to_string();
    let limit = format!("share its {} bytes", device.heap_limit().unwrap());
    for part in ["hold panicked", "no room for 8796093022208 bytes", &limit, "set_heap_limit"] {
        assert!(error.contains(part), "{error}");
    }
    launch!(try_hold<<<1, 1>>>(1000, &mut granted)).unwrap();
    assert_eq!(granted.to_vec().unwrap(), [1], "the device stays usable");

    if device.is_emulated() {
        for (twice, part) in [(true, "already freed"), (false, "that was freed")] {
            launch!(misuse<<<1, 1>>>(twice, &mut out)).unwrap();
            let error = device.synchronize().unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
