//! The layout of tiles in shared memory.

/// How the 16-byte units of a tile are permuted, so that neither its rows nor its columns have bank conflicts.
/// Tensor maps have the same swizzle modes.
///
/// In blocks of 8 rows, the number of a unit within its row is combined with the number of the row by XOR.
///
/// ```
/// use ptyx::device::wgmma::{B64, Swizzle, Swizzled};
/// assert_eq!(B64::SWIZZLE, Swizzle::B64);
/// assert_eq!(Swizzle::B64.width(), 64);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Swizzle {
    /// No permutation: rows of 16 bytes.
    None,
    /// Rows of 32 bytes.
    B32,
    /// Rows of 64 bytes.
    B64,
    /// Rows of 128 bytes.
    B128,
}

impl Swizzle {
    /// The bytes of a row.
    ///
    /// ```
    /// use ptyx::device::wgmma::Swizzle;
    /// assert_eq!((Swizzle::None.width(), Swizzle::B128.width()), (16, 128));
    /// ```
    pub const fn width(self) -> usize {
        match self {
            Swizzle::None => 16,
            Swizzle::B32 => 32,
            Swizzle::B64 => 64,
            Swizzle::B128 => 128,
        }
    }

    /// The offset of the byte that would be at this offset without the permutation. Offsets count from a multiple
    /// of eight rows.
    ///
    /// ```
    /// use ptyx::device::wgmma::Swizzle;
    /// assert_eq!(Swizzle::B128.apply(128 + 5), 128 + 16 + 5);
    /// assert_eq!(Swizzle::None.apply(133), 133);
    /// ```
    pub const fn apply(self, offset: usize) -> usize {
        // Rows are counted in units of 128 bytes, whatever their width.
        let units = self.width() / 16;
        offset ^ ((offset >> 7 & (units - 1)) << 4)
    }

    /// The number in descriptors.
    pub(super) const fn mode(self) -> u64 {
        match self {
            Swizzle::None => 0,
            Swizzle::B128 => 1,
            Swizzle::B64 => 2,
            Swizzle::B32 => 3,
        }
    }
}

/// A [`Swizzle`] as a type.
///
/// ```
/// use ptyx::device::wgmma::{B32, B128, Swizzled};
///
/// /// How many elements of type `T` a row has.
/// const fn elements<T, S: Swizzled>() -> usize {
///     S::SWIZZLE.width() / size_of::<T>()
/// }
/// assert_eq!((elements::<f32, B32>(), elements::<f32, B128>()), (8, 32));
/// ```
pub trait Swizzled: Copy + 'static {
    /// The swizzle.
    const SWIZZLE: Swizzle;
}

/// The direction in which adjacent elements lie: [`KMajor`] or [`MnMajor`].
///
/// ```
/// use half::f16;
/// use ptyx::device::shared::Shared;
/// use ptyx::device::wgmma::{B128, Major, SharedTile};
/// use ptyx::prelude::*;
///
/// /// Clears a tile of either major direction.
/// ///
/// /// # Safety
/// /// Nobody else uses the tile.
/// unsafe fn clear<M: Major>(tile: Shared<SharedTile<f16, 64, 64, B128, M>>) {
///     // SAFETY: as the caller's.
///     unsafe { tile.fill(|_row, _k| f16::ZERO) };
///     block::sync();
/// }
/// ```
pub trait Major: sealed::Major + Copy + 'static {}

pub(super) mod sealed {
    pub trait Major {
        const K: bool;
    }
}

macro_rules! markers {
    ($($(#[$doc:meta])* $name:ident: $trait:path { $constant:ident: $type:ty = $value:expr };)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub enum $name {}

        impl $trait for $name {
            const $constant: $type = $value;
        }
    )*};
}

markers! {
    /// [`Swizzle::None`] as a type.
    ///
    /// ```
    /// use ptyx::device::tma::Tile;
    /// use ptyx::device::wgmma::{KMajor, SharedTile, Unswizzled};
    ///
    /// // A plain tile is laid out as an array, a tile for tensor cores in columns of 16 bytes.
    /// assert_eq!(Tile::<[[u8; 64]; 8], Unswizzled>::offset([1, 16]), 64 + 16);
    /// assert_eq!(SharedTile::<u8, 8, 64, Unswizzled, KMajor>::offset(1, 16), 8 * 16 + 16);
    /// ```
    Unswizzled: Swizzled { SWIZZLE: Swizzle = Swizzle::None };
    /// [`Swizzle::B32`] as a type.
    ///
    /// ```
    /// use ptyx::device::tma::Tile;
    /// use ptyx::device::wgmma::B32;
    ///
    /// // Rows of 32 bytes: from the fifth one on, their halves are exchanged.
    /// type Rows = Tile<[[u8; 32]; 8], B32>;
    /// assert_eq!((Rows::offset([3, 0]), Rows::offset([4, 0])), (3 * 32, 4 * 32 + 16));
    /// ```
    B32: Swizzled { SWIZZLE: Swizzle = Swizzle::B32 };
    /// [`Swizzle::B64`] as a type.
    ///
    /// ```
    /// use ptyx::device::mma::Tf32;
    /// use ptyx::device::wgmma::{B64, KMajor, SharedTile};
    ///
    /// /// 64 rows with a depth of 16: two instructions of depth 8.
    /// type Rows = SharedTile<Tf32, 64, 16, B64, KMajor>;
    /// assert_eq!((Rows::offset(1, 0), Rows::offset(2, 0)), (64, 128 + 16));
    /// ```
    B64: Swizzled { SWIZZLE: Swizzle = Swizzle::B64 };
    /// [`Swizzle::B128`] as a type.
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::tma::{TensorMap, Tile};
    /// use ptyx::device::wgmma::{B128, KMajor, SharedTile};
    ///
    /// /// A map, and the tile to load with it: 64 elements of 16 bits are the 128 bytes of a row.
    /// type Map<'a> = TensorMap<'a, [[f16; 64]; 128], B128>;
    /// type Rows = SharedTile<f16, 128, 64, B128, KMajor>;
    /// assert_eq!(Tile::<[[f16; 64]; 128], B128>::offset([9, 5]), Rows::offset(9, 5));
    /// ```
    B128: Swizzled { SWIZZLE: Swizzle = Swizzle::B128 };
    /// Neighbours along K are adjacent in memory: A is row-major, B column-major.
    ///
    /// ```
    /// use ptyx::device::wgmma::{KMajor, SharedTile, Unswizzled};
    ///
    /// type Rows = SharedTile<i8, 64, 32, Unswizzled, KMajor>;
    /// assert_eq!(Rows::offset(0, 1) - Rows::offset(0, 0), 1);
    /// ```
    KMajor: sealed::Major { K: bool = true };
    /// Neighbours along M or N are adjacent in memory: A is column-major, B row-major. Elements must have 16 bits.
    ///
    /// ```
    /// use half::bf16;
    /// use ptyx::device::wgmma::{MnMajor, SharedTile, Unswizzled};
    ///
    /// /// Part of a row-major B.
    /// type Columns = SharedTile<bf16, 64, 16, Unswizzled, MnMajor>;
    /// assert_eq!(Columns::offset(1, 0) - Columns::offset(0, 0), size_of::<bf16>());
    /// ```
    MnMajor: sealed::Major { K: bool = false };
}

impl Major for KMajor {}
impl Major for MnMajor {}

/// Whether neighbours lie along K.
pub(super) const fn is_k_major<M: Major>() -> bool {
    M::K
}

/// Whether neighbours along M or N lie side by side, as the instructions' operand has it.
pub(super) const fn is_transposed<M: Major>() -> bool {
    !M::K
}
