//! Places for asynchronous copies.

use crate::shared::{CellValue, Shared};
use crate::{DeviceCopy, layout_name, layout_of};

/// `LEN` numbers, aligned to 128 bytes: a type for shared memory that asynchronous copies write.
///
/// Copies of 16 bytes need aligned addresses, and a plain array is only aligned for its elements.
///
/// ```
/// use ptyx::device::async_copy::Tile;
/// assert_eq!((size_of::<Tile<f32, 64>>(), align_of::<Tile<f32, 64>>()), (256, 128));
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C, align(128))]
pub struct Tile<T, const LEN: usize>([T; LEN]);

// SAFETY: numbers, each of whose bit patterns is a value, and perhaps padding behind them.
#[diagnostic::do_not_recommend]
unsafe impl<T: CellValue, const LEN: usize> DeviceCopy for Tile<T, LEN> {
    const LAYOUT: u64 = layout_name(layout_of::<[T; LEN]>(), "Tile");
}

impl<T: CellValue, const LEN: usize> Shared<Tile<T, LEN>> {
    /// The tile as an array.
    ///
    /// ```
    /// use ptyx::device::{async_copy::Tile, shared::Shared};
    /// use ptyx::prelude::*;
    ///
    /// fn buffer() -> Shared<[f32; 512]> {
    ///     shared!(Tile<f32, 512>).elements()
    /// }
    /// ```
    #[inline(always)]
    pub const fn elements(self) -> Shared<[T; LEN]> {
        // SAFETY: the same memory, whose first part is the array.
        unsafe { Shared::new(self.as_mut_ptr().cast()) }
    }
}
