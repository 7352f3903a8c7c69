//! Products whose left factor is sparse: half of its elements are zeros and not stored.

use super::{
    A, Accumulator, B, Compressible, E2m1, E2m3, E3m2, E4m3, E5m2, Fragment, Layout, PaddedE2m1,
    Plain, Product, S4, Saturating, Tf32, U4,
};
use crate::warp;

/// An element type of which [`Sparse`] matrices of `K` columns exist.
///
/// ```
/// use ptyx::device::mma::{Layout, Sparse, SparseShape};
///
/// /// A tile of 64 columns, of any type that has one. Each row of the matrix has `words` words of metadata.
/// fn tile<T: SparseShape<64>>(kept: T::Values, metadata: &[u16], words: usize) -> Sparse<T, 64> {
///     Sparse::new(kept, metadata, Layout::row_major(words))
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "tensor cores have no sparse matrix of `{Self}` with {K} columns",
    note = "the sizes are listed in the documentation of `ptyx::device::mma`"
)]
pub trait SparseShape<const K: usize>: Compressible {
    /// The elements that are kept: a matrix of half as many columns.
    type Values: Copy;
    /// The number of words of metadata in a row.
    #[doc(hidden)]
    const WORDS: usize = K / (4 * Self::GROUP);
}

/// A sparse left factor of 16 rows and `K` columns in the registers of a warp: the half of its elements that are kept,
/// and where they stood.
///
/// [`compress`](super::compress) makes both from a row of a matrix. [`mma`](super::mma) multiplies it as it does a
/// dense one, but does only half of the multiplications.
///
/// PTX [`mma.sp::ordered_metadata`](https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-matrix-instructions-for-sparse-mma)
/// (`sm_80`, for 8-bit floats `sm_89`, PTX 8.5; for floats of 6 and 4 bits `sm_120a`, PTX 8.7). `E2m1` needs scales:
/// [`Scaled`](super::Scaled).
///
/// ```
/// use ptyx::device::mma::{A, Accumulator, B, Fragment, Layout, Sparse, mma};
/// use ptyx::prelude::*;
///
/// /// `c = a * b` of 16x64, 64x8 and 16x8 elements, for one warp. `b` lies column after column.
/// #[kernel]
/// fn product(values: &[i8], metadata: &[u16], b: &[i8], c: SliceMut<i32>) {
///     let values = Fragment::<A, i8, 16, 32>::load(values, Layout::row_major(32));
///     let a = Sparse::<i8, 64>::new(values, metadata, Layout::row_major(4));
///     let b = Fragment::<B, i8, 64, 8>::load(b, Layout::column_major(64));
///     let sums: Fragment<Accumulator, i32, 16, 8> = mma(a, b, Fragment::filled(0));
///     // SAFETY: no other warp is there.
///     unsafe { sums.store(c, Layout::row_major(8)) };
/// }
/// ```
#[derive(Debug)]
pub struct Sparse<T: SparseShape<K>, const K: usize> {
    values: T::Values,
    metadata: u32,
}

impl<T: SparseShape<K>, const K: usize> Clone for Sparse<T, K> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: SparseShape<K>, const K: usize> Copy for Sparse<T, K> {}

impl<T: SparseShape<K>, const K: usize> Sparse<T, K> {
    /// The matrix of these values, with its metadata from a slice: 16 rows at `layout`, with one word for every four
    /// groups of elements.
    ///
    /// ```
    /// use ptyx::device::mma::{A, Fragment, Layout, Sparse, Tf32};
    ///
    /// /// The tile from column `k` on of 16 rows of 1024 elements.
    /// fn tile(values: &[f32], metadata: &[u16], k: usize) -> Sparse<Tf32, 16> {
    ///     let values = Fragment::<A, Tf32, 16, 8>::load(values, Layout::row_major(512).at(0, k / 2));
    ///     Sparse::new(values, metadata, Layout::row_major(128).at(0, k / 8))
    /// }
    /// ```
    ///
    /// # Panics
    /// If the words do not lie within the slice.
    #[inline(always)]
    #[track_caller]
    pub fn new(values: T::Values, metadata: &[u16], layout: Layout) -> Self {
        let words = const { T::WORDS };
        assert!(layout.fits(16, words, metadata.len()), "the metadata do not lie within the slice");
        let (group, t) = (warp::lane() as usize / 4, warp::lane() as usize % 4);
        // Lanes whose metadata is not looked at load that of others.
        let (low, high) = if T::BY_ROWS {
            let (row, word) = (group + 8 * (t % 2), 2 * (t / 2) % words);
            ((row, word), (row, word + 1))
        } else {
            ((group, t % words), (group + 8, t % words))
        };
        // SAFETY: in bounds.
        let word = |(row, word)| unsafe { *metadata.get_unchecked(layout.index(row, word)) };
        Self::from_parts(values, u32::from(word(low)) | u32::from(word(high)) << 16)
    }

    /// The matrix of these values, with this lane's register of metadata: the operand of `mma.sp` in PTX. Its sparsity
    /// selector is 0.
    ///
    /// Metadata that [`compress`](super::compress) can't make gives an unspecified product. (On the emulated device it
    /// is a fault.)
    ///
    /// ```
    /// use ptyx::device::mma::{A, Fragment, Sparse};
    ///
    /// /// Keeps the first two of every four elements: positions 0 and 1 of each group, `0b0100`.
    /// fn first_two(kept: Fragment<A, i8, 16, 16>) -> Sparse<i8, 32> {
    ///     Sparse::from_parts(kept, 0x4444_4444)
    /// }
    /// ```
    #[inline(always)]
    pub const fn from_parts(values: T::Values, metadata: u32) -> Self {
        Self { values, metadata }
    }

    /// The elements that are kept.
    ///
    /// ```
    /// use ptyx::device::mma::{Sparse, Tf32};
    ///
    /// /// The same matrix with every element negated.
    /// fn negated(a: Sparse<Tf32, 16>) -> Sparse<Tf32, 16> {
    ///     let values = a.values().map(|_row, _column, value| -value);
    ///     Sparse::from_parts(values, a.metadata())
    /// }
    /// ```
    #[inline(always)]
    pub const fn values(self) -> T::Values {
        self.values
    }

    /// This lane's register of metadata.
    ///
    /// ```
    /// use ptyx::device::mma::Sparse;
    ///
    /// /// Whether two matrices have their zeros in the same places, as far as this lane knows.
    /// fn is_alike(a: Sparse<i8, 64>, b: Sparse<i8, 64>) -> bool {
    ///     a.metadata() == b.metadata()
    /// }
    /// ```
    #[inline(always)]
    pub const fn metadata(self) -> u32 {
        self.metadata
    }
}

/// One instruction, by the numbers of registers of sums and of each factor.
#[rustfmt::skip]
macro_rules! instruction {
    ($head:expr, $text:expr, $sums:ident: 2, $a:ident $b:ident $meta:ident: 2) => {
        instruction!(@ $head, $text, [2 2], $sums: 0 1, $a $b $meta: 0 1)
    };
    ($head:expr, $text:expr, $sums:ident: 2, $a:ident $b:ident $meta:ident: 4) => {
        instruction!(@ $head, $text, [2 4], $sums: 0 1, $a $b $meta: 0 1 2 3)
    };
    ($head:expr, $text:expr, $sums:ident: 4, $a:ident $b:ident $meta:ident: 2) => {
        instruction!(@ $head, $text, [4 2], $sums: 0 1 2 3, $a $b $meta: 0 1)
    };
    ($head:expr, $text:expr, $sums:ident: 4, $a:ident $b:ident $meta:ident: 4) => {
        instruction!(@ $head, $text, [4 4], $sums: 0 1 2 3, $a $b $meta: 0 1 2 3)
    };
    (@ $head:expr, $text:expr, [$d:tt $m:tt], $sums:ident: $($s:literal)*, $a:ident $b:ident $meta:ident: $($i:literal)*) => {
        crate::__ptx! {
            device {
                let ($a, $b, $sums) = ($a.registers(), $b.registers(), $sums.registers());
                let mut result = $sums;
                // SAFETY: the instruction only computes, and all lanes take part.
                unsafe {
                    core::arch::asm!(
                        $head,
                        concat!(
                            "mma.sp::ordered_metadata.sync.aligned.", $text, " ",
                            braces!($d), ", ", braces!($m), ", ", braces!($m), ", ", braces!($d), ", {}, 0x0;"
                        ),
                        $(lateout(reg) result[$s],)*
                        $(in(reg) $a[$i],)*
                        $(in(reg) $b[$i],)*
                        $(in(reg) $sums[$s],)*
                        in(reg) $meta,
                        options(pure, nomem, nostack, preserves_flags),
                    );
                }
                Fragment::from_registers(result)
            }
            host {
                let _ = ($a, $b, $sums, $meta);
                crate::intrinsics::on_the_host()
            }
        }
    };
}

/// The shapes: type, K and half of it.
macro_rules! shapes {
    ($($type:ty: $($k:literal $half:literal),*;)*) => {$($(
        impl SparseShape<$k> for $type {
            type Values = Fragment<A, $type, 16, $half>;
        }
    )*)*};
}

/// One row an instruction: the operation; the types of A, B and sums; registers of sums and of each factor; K; what it
/// needs; its modifiers.
macro_rules! products {
    ($(
        $operation:ident $a:ty, $b:ty, $c:ty, [$sums:tt $factors:tt] $k:literal, $arch:ident $version:literal: $($text:literal)*;
    )*) => {$(
        impl Product<Fragment<B, $b, $k, 8>, Fragment<Accumulator, $c, 16, 8>, $operation>
            for Sparse<$a, $k>
        {
            #[inline(always)]
            #[track_caller]
            fn multiply(
                self,
                b: Fragment<B, $b, $k, 8>,
                sums: Fragment<Accumulator, $c, 16, 8>,
            ) -> Fragment<Accumulator, $c, 16, 8> {
                let Sparse { values: a, metadata } = self;
                instruction!(head!($arch, $version, " pure nomem convergent"), concat!($($text),*), sums: $sums, a b metadata: $factors)
            }
        }
    )*};
}

/// The instructions for two types of 8-bit floats.
macro_rules! products_of_f8 {
    ($($a:ty, $b:ty: $types:literal;)*) => { products! {$(
        Plain $a, $b, f32, [4 4] 64, sm_89 85: "m16n8k64.row.col.f32." $types ".f32";
    )*} };
}

/// The instructions for two floats of 8, 6 or 4 bits, at least one of which has fewer than 8.
macro_rules! products_of_narrow_floats {
    ($($a:ty, $b:ty: $types:literal;)*) => {
        products! {$(
            Plain $a, $b, f32, [4 4] 64, sm_120a 87: "m16n8k64.row.col.kind::f8f6f4.f32." $types ".f32";
        )*}
        #[cfg(feature = "half")]
        products! {$(
            Plain $a, $b, half::f16, [2 4] 64, sm_120a 87: "m16n8k64.row.col.kind::f8f6f4.f16." $types ".f16";
        )*}
    };
}

/// The instructions for two types of integers, with their smaller and their larger K.
macro_rules! products_of_integers {
    ($($a:ty, $b:ty: $small:literal $large:literal $types:literal;)*) => { products! {$(
        Plain $a, $b, i32, [4 2] $small, sm_80 85: "m16n8k" $small ".row.col.s32." $types ".s32";
        Plain $a, $b, i32, [4 4] $large, sm_80 85: "m16n8k" $large ".row.col.s32." $types ".s32";
        Saturating $a, $b, i32, [4 2] $small, sm_80 85: "m16n8k" $small ".row.col.satfinite.s32." $types ".s32";
        Saturating $a, $b, i32, [4 4] $large, sm_80 85: "m16n8k" $large ".row.col.satfinite.s32." $types ".s32";
    )*} };
}

shapes! {
    Tf32: 8 4, 16 8;
    E4m3: 64 32;
    E5m2: 64 32;
    E3m2: 64 32;
    E2m3: 64 32;
    PaddedE2m1: 64 32;
    E2m1: 128 64;
    i8: 32 16, 64 32;
    u8: 32 16, 64 32;
    S4: 64 32, 128 64;
    U4: 64 32, 128 64;
}

#[cfg(feature = "half")]
shapes! {
    half::f16: 16 8, 32 16;
    half::bf16: 16 8, 32 16;
}

products! {
    Plain Tf32, Tf32, f32, [4 2] 8, sm_80 85: "m16n8k8.row.col.f32.tf32.tf32.f32";
    Plain Tf32, Tf32, f32, [4 4] 16, sm_80 85: "m16n8k16.row.col.f32.tf32.tf32.f32";
}

#[cfg(feature = "half")]
products! {
    Plain half::f16, half::f16, half::f16, [2 2] 16, sm_80 85: "m16n8k16.row.col.f16.f16.f16.f16";
    Plain half::f16, half::f16, half::f16, [2 4] 32, sm_80 85: "m16n8k32.row.col.f16.f16.f16.f16";
    Plain half::f16, half::f16, f32, [4 2] 16, sm_80 85: "m16n8k16.row.col.f32.f16.f16.f32";
    Plain half::f16, half::f16, f32, [4 4] 32, sm_80 85: "m16n8k32.row.col.f32.f16.f16.f32";
    Plain half::bf16, half::bf16, f32, [4 2] 16, sm_80 85: "m16n8k16.row.col.f32.bf16.bf16.f32";
    Plain half::bf16, half::bf16, f32, [4 4] 32, sm_80 85: "m16n8k32.row.col.f32.bf16.bf16.f32";
}

pairs_of_f8! { products_of_f8 }

pairs_of_narrow_floats! { products_of_narrow_floats }

products_of_integers! {
    i8, i8: 32 64 "s8.s8";
    i8, u8: 32 64 "s8.u8";
    u8, i8: 32 64 "u8.s8";
    u8, u8: 32 64 "u8.u8";
    S4, S4: 64 128 "s4.s4";
    S4, U4: 64 128 "s4.u4";
    U4, S4: 64 128 "u4.s4";
    U4, U4: 64 128 "u4.u4";
}
