//! Shared memory that is safe to use, since every access is one indivisible step.
//!
//! Races of plain accesses are undefined behaviour; of atomic ones they are at worst a wrong value.
//! So views whose elements are only ever accessed atomically need no `unsafe`, provided that the
//! memory is initialised first, which making the view does.

use super::Shared;
use crate::{Atomic, DeviceCopy, atomic::AtomicNumber, block, thread};
use core::ops::Deref;
use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Atomics in shared memory, from [`Shared::atomics`]: a slice of [`Atomic`]s.
#[derive(Clone, Copy, Debug)]
pub struct SharedAtomics<T> {
    elements: Shared<[T]>,
}

impl<T: AtomicNumber> Deref for SharedAtomics<T> {
    type Target = [Atomic<T>];

    #[inline(always)]
    fn deref(&self) -> &[Atomic<T>] {
        let elements = self.elements.as_mut_ptr();
        // SAFETY: initialised memory of the block, and `Atomic<T>` has the layout of `T`. The
        // borrow ends with the view, which no other block can get hold of.
        unsafe { &*core::ptr::slice_from_raw_parts(elements.cast(), elements.len()) }
    }
}

/// A type that one instruction loads or stores: the integers and floats of 8 to 64 bits.
pub trait CellValue: DeviceCopy + sealed::Cell {}

mod sealed {
    /// Loads and stores of one element.
    #[allow(clippy::missing_safety_doc)]
    pub trait Cell: Sized {
        /// `this` is valid for atomic access.
        unsafe fn load(this: *mut Self) -> Self;
        /// `this` is valid for atomic access.
        unsafe fn store(this: *mut Self, value: Self);
    }
}

macro_rules! cell_values {
    ($($type:ty, $atomic:ident, $to:expr, $from:expr;)*) => {$(
        impl CellValue for $type {}

        impl sealed::Cell for $type {
            #[inline(always)]
            unsafe fn load(this: *mut Self) -> Self {
                // SAFETY: as the caller's.
                let bits = unsafe { $atomic::from_ptr(this.cast()) }.load(Relaxed);
                $from(bits)
            }

            #[inline(always)]
            unsafe fn store(this: *mut Self, value: Self) {
                // SAFETY: as the caller's.
                unsafe { $atomic::from_ptr(this.cast()) }.store($to(value), Relaxed);
            }
        }
    )*};
}

cell_values! {
    u8, AtomicU8, u8::from, u8::from;
    i8, AtomicU8, i8::cast_unsigned, u8::cast_signed;
    u16, AtomicU16, u16::from, u16::from;
    i16, AtomicU16, i16::cast_unsigned, u16::cast_signed;
    u32, AtomicU32, u32::from, u32::from;
    i32, AtomicU32, i32::cast_unsigned, u32::cast_signed;
    f32, AtomicU32, f32::to_bits, f32::from_bits;
    u64, AtomicU64, u64::from, u64::from;
    i64, AtomicU64, i64::cast_unsigned, u64::cast_signed;
    f64, AtomicU64, f64::to_bits, f64::from_bits;
    usize, AtomicU64, (|value| value as u64), (|bits| bits as usize);
}

/// Cells in shared memory, from [`Shared::cells`]: each is loaded and stored in one step.
///
/// What one thread stores, others load after a barrier; without one, they load some value that was
/// there. The hardware loads and stores as fast as with plain accesses, but the optimiser does not
/// put neighbouring ones together.
///
/// ```no_run
/// use ptyx_device::{block, shared, thread};
/// fn reversed(value: f32) -> f32 {
///     let tile = shared!([f32; 256]).cells(0.0);
///     let i = thread::x() as usize;
///     tile.set(i, value);
///     block::sync();
///     tile.get(255 - i)
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SharedCells<T> {
    elements: Shared<[T]>,
}

impl<T: CellValue> SharedCells<T> {
    /// The number of cells.
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.elements.len()
    }

    /// Whether there are none.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.elements.is_empty()
    }

    /// The value in cell `index`.
    ///
    /// # Panics
    /// Out of bounds.
    #[inline(always)]
    #[track_caller]
    pub fn get(self, index: usize) -> T {
        // SAFETY: an element of the block's memory.
        unsafe { sealed::Cell::load(self.elements.at(index).as_mut_ptr()) }
    }

    /// Puts a value into cell `index`.
    ///
    /// # Panics
    /// Out of bounds.
    #[inline(always)]
    #[track_caller]
    pub fn set(self, index: usize, value: T) {
        // SAFETY: an element of the block's memory.
        unsafe { sealed::Cell::store(self.elements.at(index).as_mut_ptr(), value) }
    }
}

impl<T> Shared<[T]> {
    /// The array as atomics, each set to `initial` by the threads of the block together.
    ///
    /// It ends with [`block::sync`], so all threads of the block must call it. Before doing so a
    /// second time for the same memory, wait until all are done with it.
    #[inline(always)]
    pub fn atomics(self, initial: T) -> SharedAtomics<T>
    where
        T: AtomicNumber,
    {
        let view = SharedAtomics { elements: self };
        self.each_of_mine(|i| view[i].store(initial));
        block::sync();
        view
    }

    /// The array as cells, each set to `initial` by the threads of the block together.
    ///
    /// It ends with [`block::sync`], so all threads of the block must call it. Before doing so a
    /// second time for the same memory, wait until all are done with it.
    #[inline(always)]
    pub fn cells(self, initial: T) -> SharedCells<T>
    where
        T: CellValue,
    {
        let view = SharedCells { elements: self };
        self.each_of_mine(|i| view.set(i, initial));
        block::sync();
        view
    }

    /// Shares the elements out among the threads of the block.
    #[inline(always)]
    fn each_of_mine(self, mut act: impl FnMut(usize)) {
        // 32 bits are enough for the indices of shared memory, and cheaper than 64.
        let mut i = thread::rank();
        while i < self.len() as u32 {
            act(i as usize);
            i = i.wrapping_add(block::threads());
        }
    }
}

impl<T, const N: usize> Shared<[T; N]> {
    /// As [`Shared::<[T]>::atomics`].
    #[inline(always)]
    pub fn atomics(self, initial: T) -> SharedAtomics<T>
    where
        T: AtomicNumber,
    {
        self.as_slice().atomics(initial)
    }

    /// As [`Shared::<[T]>::cells`].
    #[inline(always)]
    pub fn cells(self, initial: T) -> SharedCells<T>
    where
        T: CellValue,
    {
        self.as_slice().cells(initial)
    }
}
