//! Sums of tensor cores, written to shared memory for a copy to global memory.

use super::{Placed, Tile, TileShape};
use crate::shared::Shared;
use crate::wgmma::{Accumulator, Width};
use crate::{thread, unroll};

impl<T: Width<N>, const N: usize> Accumulator<T, N> {
    /// Writes columns of the sums, from column `first` on, into a tile of 64 rows in shared memory. `convert` turns
    /// two sums that are neighbours in a row into two elements of the tile. The 128 threads of the warpgroup write the
    /// whole tile together.
    ///
    /// ```
    /// use half::bf16;
    /// use ptyx::device::float16::Bf16x2;
    /// use ptyx::device::shared::Shared;
    /// use ptyx::device::tma::Tile;
    /// use ptyx::device::wgmma::{Accumulator, B128};
    ///
    /// /// Rounds 64 columns, for a copy to global memory.
    /// ///
    /// /// # Safety
    /// /// Nothing else uses the tile.
    /// unsafe fn stage(sums: &Accumulator<f32, 256>, to: Shared<Tile<[[bf16; 64]; 64], B128>>) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { sums.write_tile(to, 128, |[left, right]| Bf16x2::from_f32(left, right).to_array()) };
    /// }
    /// ```
    ///
    /// # Panics
    /// If the sums have fewer columns than `first` and the tile's together. (A tile that has not 64 rows is a compile
    /// error.)
    ///
    /// # Safety
    /// No other code reads or writes the tile until a barrier after the call.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn write_tile<K: TileShape, S: Placed>(
        &self,
        to: Shared<Tile<K, S>>,
        first: usize,
        convert: impl Fn([T::Value; 2]) -> [K::Element; 2],
    ) {
        const {
            assert!(
                K::DIMENSIONS == 2 && K::SIDES[1] == 64 && K::SIDES[0].is_multiple_of(8),
                "the tile must have 64 rows, of a multiple of 8 elements"
            )
        };
        let columns = K::SIDES[0];
        assert!(
            first.is_multiple_of(8) && first <= N && columns <= N - first,
            "the sums have no such columns"
        );
        let thread = thread::rank() % 128;
        let mut index = 0;
        while index < columns / 2 {
            unroll::full();
            // Four values a thread in each eight columns.
            let (row, column) = Self::place(thread, index);
            let at = first.wrapping_mul(4) / 8 + index;
            let pair = convert([self.element(at), self.element(at + 1)]);
            let offset = (row * columns + column).wrapping_mul(size_of::<K::Element>());
            let offset = S::SWIZZLE.apply(offset);
            // SAFETY: within the tile, whose rows have whole pairs; the caller keeps others away.
            unsafe { write_pair(to.as_mut_ptr().cast::<u8>().add(offset).cast(), pair) };
            index += 2;
        }
    }
}

/// Writes both elements at once, if they have up to 32 bits.
///
/// # Safety
/// `to` is memory of two elements, and aligned to them.
#[inline(always)]
unsafe fn write_pair<E: Copy>(to: *mut [E; 2], pair: [E; 2]) {
    // SAFETY: the sizes are equal; the rest is the caller's promise.
    unsafe {
        match size_of::<E>() {
            1 => to.cast::<u16>().write(core::mem::transmute_copy(&pair)),
            2 => to.cast::<u32>().write(core::mem::transmute_copy(&pair)),
            4 => to.cast::<u64>().write(core::mem::transmute_copy(&pair)),
            _ => to.write(pair),
        }
    }
}
