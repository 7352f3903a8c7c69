//! Owners that only some threads are.

use super::sealed::Sealed;
use super::{Axis, knows};
use crate::view::place::{Place, Run, Steps};
use core::marker::PhantomData;

/// `name, what that tells apart, |place| whether`.
macro_rules! only {
    ($($(#[$about:meta])* $name:ident, $knows:expr, |$place:ident| $holds:expr;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<K>(PhantomData<K>);

        impl<K> Sealed for $name<K> {}

        impl<K: Axis> Axis for $name<K> {
            const KNOWS: u32 = K::KNOWS | $knows;
            const MAX: u32 = K::MAX;

            #[inline(always)]
            fn steps($place: &Place, within: Run) -> Steps {
                if $holds { K::steps($place, within) } else { Steps::none() }
            }
        }
    )*};
}

only! {
    /// The positions of `K`, only for the first thread of the block.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Each block writes the minimum and the maximum of its values into a row.
    /// #[kernel]
    /// fn ranges(x: &[f32], mut ranges: Parts<f32, (by::Leader<by::Block>, by::Whole), 2>) {
    ///     let (block, x) = (group::block(), x[thread::index_1d().get()]);
    ///     let range = [block.reduce_min(x), block.reduce_max(x)];
    ///     for (_, row) in ranges.part() {
    ///         for (i, bound) in row {
    ///             *bound = range[i];
    ///         }
    ///     }
    /// }
    /// ```
    Leader, knows::THREADS, |place| place.rank == 0;
    /// The positions of `K`, only for the first lane of the warp.
    ///
    /// ```
    /// use ptyx::device::shared::Phase;
    /// use ptyx::prelude::*;
    ///
    /// /// A sum for each warp of a block, in shared memory.
    /// fn warp_sums(mut phase: Phase, value: f32) -> ([f32; 32], Phase) {
    ///     let sums = phased!([f32; 32], by::FirstLane<by::WarpInBlock>);
    ///     sums.set(&mut phase, [0], warp::reduce(value, |a, b| a + b));
    ///     let reading = phase.sync();
    ///     (*sums.as_ref(&reading), reading.sync())
    /// }
    /// ```
    FirstLane, knows::LANE, |place| place.lane() == 0;
    /// The positions of `K`, only for threads whose index in the grid along x is 0.
    ///
    /// ```
    /// use ptyx::device::shared::Phase;
    /// use ptyx::prelude::*;
    ///
    /// /// The sums of rows of 16 numbers, by blocks of 16x16 threads, one below another.
    /// #[kernel]
    /// fn row_sums(matrix: Array<f32, 2>, mut sums: Parts<f32, by::FirstX<by::ThreadY>>, mut writing: Phase) {
    ///     let tile = phased!([[f32; 16]; 16]);
    ///     tile.set(&mut writing, [0, 0], matrix[thread::index_2d().get()]);
    ///     let reading = writing.sync();
    ///     if let Some(sum) = sums.own() {
    ///         *sum = tile.as_ref(&reading)[thread::y() as usize].iter().sum();
    ///     }
    /// }
    /// ```
    FirstX, knows::BLOCK[0] | knows::THREAD[0], |place| place.block.x | place.thread.x == 0;
    /// The positions of `K`, only for threads whose index in the grid along y is 0.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Multiplies a matrix by a number, and notes it for each column.
    /// #[kernel]
    /// fn scale(
    ///     factor: f32,
    ///     mut matrix: DisjointArray<f32, 2>,
    ///     mut factors: Parts<f32, by::FirstY<by::ThreadX>>,
    /// ) {
    ///     if let Some(x) = matrix.get_mut(thread::index_2d()) {
    ///         *x *= factor;
    ///     }
    ///     if let Some(own) = factors.own() {
    ///         *own *= factor; // once for each column
    ///     }
    /// }
    /// ```
    FirstY, knows::BLOCK[1] | knows::THREAD[1], |place| place.block.y | place.thread.y == 0;
}
