//! Tensor maps as kernels have them.

use super::instructions;
use super::{Layout, Placed, TileShape};
use crate::wgmma::Unswizzled;
use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

/// The bytes of a kernel's parameter. In a kernel, they hold the parameter's address: the hardware must read the map where
/// the launch put it, never from a copy that the thread has made.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Parameter {
    pub(super) place: *const u8,
    rest: [MaybeUninit<u64>; 15],
}

impl Parameter {
    /// The one at an address.
    #[inline(always)]
    pub(super) const fn at(place: *const u8) -> Self {
        Self { place, rest: [MaybeUninit::uninit(); 15] }
    }
}

macro_rules! maps {
    ($(#[$doc:meta])* $name:ident of $elements:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[repr(C, align(64))]
        pub struct $name<'a, K: TileShape, S: Placed = Unswizzled> {
            parameter: Parameter,
            of: PhantomData<($elements, fn() -> S)>,
        }

        impl<K: TileShape, S: Placed> $name<'_, K, S> {
            /// The map that is a kernel's parameter.
            ///
            /// # Safety
            /// There is the parameter, a map of a tensor with these tiles.
            #[doc(hidden)]
            #[inline(always)]
            pub const unsafe fn in_place(parameter: *const Self) -> Self {
                Self { parameter: Parameter::at(parameter.cast()), of: PhantomData }
            }

            /// Where it is.
            #[inline(always)]
            pub(super) const fn place(&self) -> *const u8 {
                self.parameter.place
            }

            /// Lets the hardware load the map itself into a cache: a hint, for the start of a kernel.
            ///
            /// PTX [`prefetch.tensormap`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-prefetch-prefetchu) (`sm_90`), `prefetch_tma_descriptor()` of CUTLASS.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::tma::", stringify!($name), ";")]
            /// use ptyx::prelude::*;
            ///
            #[doc = concat!("fn announce(map: ", stringify!($name), "<[[f32; 64]; 16]>) {")]
            ///     if thread::rank() == 0 {
            ///         map.prefetch();
            ///     }
            /// }
            /// ```
            #[inline(always)]
            #[track_caller]
            pub fn prefetch(&self) {
                instructions::prefetch_map(self.place());
            }
        }

        impl<K: TileShape, S: Placed> fmt::Debug for $name<'_, K, S> {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                let shape = core::any::type_name::<K>();
                write!(formatter, concat!(stringify!($name), "({}, {:?})"), shape, Layout::<S>::SHOWN)
            }
        }
    };
}

maps! {
    /// A tensor that a kernel loads tiles of: a kernel's parameter for a `&ptyx::TensorMap` of the host.
    ///
    /// `K` is the shape of the tiles, `S` how they lie in shared memory.
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    /// use ptyx::device::shared::Shared;
    /// use ptyx::device::tma::{TensorMap, Tile};
    /// use ptyx::device::wgmma::B128;
    /// use ptyx::prelude::*;
    ///
    /// type Rows = [[f32; 32]; 8];
    ///
    /// /// Starts to load a tile of 8 rows of 128 bytes, whose columns threads can read without bank conflicts.
    /// ///
    /// /// # Safety
    /// /// Nobody uses the tile before the barrier's phase is complete.
    /// unsafe fn load(map: TensorMap<Rows, B128>, tile: Shared<Tile<Rows, B128>>, arrived: Barrier) {
    ///     if thread::rank() == 0 {
    ///         arrived.arrive_expect_tx(Tile::<Rows, B128>::BYTES).forget();
    ///         // SAFETY: as the caller's.
    ///         unsafe { map.load(tile, [8 * block::y() as i32, 32 * block::x() as i32], arrived) };
    ///     }
    /// }
    /// ```
    TensorMap of &'a [K::Element]
}

maps! {
    /// A tensor that a kernel stores tiles into: a kernel's parameter for a `&mut ptyx::TensorMapMut` of the host.
    ///
    /// `K` is the shape of the tiles, `S` how they lie in shared memory.
    ///
    /// ```
    /// use ptyx::device::bulk;
    /// use ptyx::device::tma::{TensorMapMut, Tile};
    /// use ptyx::prelude::*;
    ///
    /// type Rows = [[f32; 32]; 8];
    ///
    /// /// The multiplication table, with blocks of 32 x 8 threads. Tiles at its edges need no bounds check.
    /// #[kernel]
    /// fn table(products: TensorMapMut<Rows>) {
    ///     let tile = shared!(Tile<Rows>);
    ///     let (row, column) = (thread::y() as usize, thread::x() as usize);
    ///     let (first_row, first_column) = (8 * block::y() as usize, 32 * block::x() as usize);
    ///     let product = (first_row + row) * (first_column + column);
    ///     // SAFETY: each thread writes its own element.
    ///     unsafe { tile.at([row, column]).write(product as f32) };
    ///     tile.fence();
    ///     block::sync();
    ///     if thread::rank() == 0 {
    ///         // SAFETY: each block has its own part of the table, and the tile stays until the store has read it.
    ///         unsafe { products.store(tile, [first_row as i32, first_column as i32]) };
    ///         bulk::commit();
    ///         bulk::wait_read::<0>();
    ///     }
    /// }
    /// ```
    TensorMapMut of &'a mut [K::Element]
}
