//! What fills a tile: copies into it and stores.

use super::together::{copy_value, share};
use crate::global::is_global;
use crate::shared::{CellValue, SharedCells};

/// `LEN` cells from the one with number `first` on.
///
/// The tiles are initialised, every bit pattern is a value, and threads read them by atomic loads: so whatever other
/// threads do with the place meanwhile, they read wrong numbers at worst. The sources must stay borrowed until the copies
/// have been waited for, which is up to whoever has the tile: their lifetime is in its type.
pub(super) struct Filling<T, const LEN: usize> {
    pub(super) cells: SharedCells<T>,
    pub(super) first: usize,
}

impl<T: CellValue, const LEN: usize> Filling<T, LEN> {
    /// Starts to copy a number to place `index`.
    #[inline(always)]
    #[track_caller]
    pub(super) fn copy(&self, index: usize, source: &T) {
        crate::view::check_bounds(index, LEN);
        if is_global(source) {
            let place = self.cells.place(self.first.wrapping_add(index));
            // SAFETY: the source is borrowed until the copies have been waited for; why races at the place are
            // harmless is said above. Both are aligned for the number.
            unsafe { copy_value(place, source) };
        } else {
            self.set(index, *source);
        }
    }

    /// Starts this thread's part of a copy of several numbers, where `(number, threads)` share it.
    #[inline(always)]
    #[track_caller]
    pub(super) fn copy_range(&self, turn: (u32, u32), index: usize, source: &[T]) {
        let count = source.len();
        assert!(count <= LEN && index <= LEN - count, "the copy ends past the end of the tile");
        if !source.is_empty() && is_global(source.as_ptr()) {
            let place = self.cells.place(self.first.wrapping_add(index));
            let bytes = size_of_val(source);
            // SAFETY: as in `copy`, inside the tile and the slice. What is copied at once is copied by atomic stores.
            unsafe {
                let align = const { if align_of::<T>() < 16 { align_of::<T>() } else { 16 } };
                share(turn, place.as_mut_ptr().cast(), source.as_ptr().cast(), bytes, align);
            };
            return;
        }
        let mut at = turn.0 as usize;
        while at < source.len() {
            self.set(index.wrapping_add(at), source[at]);
            at = at.wrapping_add(turn.1 as usize);
        }
    }

    /// Writes a number at once.
    #[inline(always)]
    #[track_caller]
    pub(super) fn set(&self, index: usize, value: T) {
        crate::view::check_bounds(index, LEN);
        self.cells.set(self.first.wrapping_add(index), value);
    }
}
