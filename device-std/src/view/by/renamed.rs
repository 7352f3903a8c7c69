//! Divisions that number threads or blocks differently.

use super::sealed::Sealed;
use super::{Division, knows};
use crate::Dim3;
use crate::view::place::{Place, Steps};
use core::marker::PhantomData;

/// `D`, with the threads of a block counted in rows of `W`: [`thread::rank`](crate::thread::rank) `% W` along x,
/// `/ W` along y. The block's own shape does not matter.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Tiles of 32x32, by blocks of any shape: 256 threads work as 8 rows of 32.
/// type Tiles = by::Shape<32, (
///     by::Tile<by::BlockY, 32, by::ThreadInBlockY>,
///     by::Tile<by::BlockX, 32, by::ThreadInBlockX>,
/// )>;
///
/// /// Launched as `<<<(columns / 32, rows / 32), 256>>>`.
/// #[kernel]
/// fn scale(mut matrix: Parts<f32, Tiles, 2>, factor: f32) {
///     for (_, row) in matrix.part() {
///         for (_, x) in row {
///             *x *= factor;
///         }
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Shape<const W: u32, D>(PhantomData<D>);

impl<const W: u32, D> Sealed for Shape<W, D> {}

impl<const W: u32, D: Division<N>, const N: usize> Division<N> for Shape<W, D> {
    const KNOWS: u32 = knows::reshaped(D::KNOWS);
    const MAX: u32 = D::MAX;

    #[inline(always)]
    fn steps(place: &Place, shape: [usize; N]) -> [Steps; N] {
        const { assert!(W > 0, "rows of no threads") };
        let thread = Dim3 { x: place.rank % W, y: place.rank / W, z: 0 };
        let extent = Dim3 { x: W, y: place.threads.div_ceil(W), z: 1 };
        D::steps(&Place { thread, extent, ..*place }, shape)
    }
}

/// `D` with the blocks' x and y swapped: the block at `(x, y)` gets what the block at `(y, x)` would get otherwise.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// One pixel for each block: that at `(y, x)` for the block at `(x, y)`.
/// type Transposed = by::SwapBlocks<(by::BlockY, by::Leader<by::BlockX>)>;
///
/// #[kernel]
/// fn transpose(image: Array<u8, 2>, mut transposed: Parts<u8, Transposed, 2>) {
///     let (x, y) = (block::x() as usize, block::y() as usize);
///     if let Some(own) = transposed.own() {
///         *own = image[[y, x]];
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SwapBlocks<D>(PhantomData<D>);

impl<D> Sealed for SwapBlocks<D> {}

impl<D: Division<N>, const N: usize> Division<N> for SwapBlocks<D> {
    const KNOWS: u32 = knows::swapped(D::KNOWS);
    const MAX: u32 = D::MAX;

    #[inline(always)]
    fn steps(place: &Place, shape: [usize; N]) -> [Steps; N] {
        let swap = |dim: Dim3| Dim3 { x: dim.y, y: dim.x, z: dim.z };
        D::steps(&Place { block: swap(place.block), grid: swap(place.grid), ..*place }, shape)
    }
}
