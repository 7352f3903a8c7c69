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
pub trait Swizzled: Copy + 'static {
    /// The swizzle.
    const SWIZZLE: Swizzle;
}

/// The direction in which adjacent elements lie: [`KMajor`] or [`MnMajor`].
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
    Unswizzled: Swizzled { SWIZZLE: Swizzle = Swizzle::None };
    /// [`Swizzle::B32`] as a type.
    B32: Swizzled { SWIZZLE: Swizzle = Swizzle::B32 };
    /// [`Swizzle::B64`] as a type.
    B64: Swizzled { SWIZZLE: Swizzle = Swizzle::B64 };
    /// [`Swizzle::B128`] as a type.
    B128: Swizzled { SWIZZLE: Swizzle = Swizzle::B128 };
    /// Neighbours along K are adjacent in memory: A is row-major, B column-major.
    KMajor: sealed::Major { K: bool = true };
    /// Neighbours along M or N are adjacent in memory: A is column-major, B row-major. Elements must have 16 bits.
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
