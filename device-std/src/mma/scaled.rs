//! Products whose factors are blocks of narrow floats, each of which has a scale.

use super::{
    A, Accumulator, B, E2m1, E2m3, E3m2, E4m3, E5m2, Fragment, Layout, PaddedE2m1, Plain, Product,
    Role, Shape, Sparse, SparseShape,
};
use crate::float8::{UE4M3, UE8M0};
use crate::warp;

/// A type of scales: [`UE8M0`] or [`UE4M3`].
///
/// ```
/// use ptyx::device::{float8::UE8M0, mma::Scale};
///
/// fn bytes<S: Scale>(scales: &[S]) -> usize {
///     scales.len()
/// }
/// assert_eq!(bytes(&[UE8M0::ONE; 4]), 4);
/// ```
pub trait Scale: sealed::Scale + Copy + 'static {}

impl Scale for UE8M0 {}
impl Scale for UE4M3 {}

/// The part of a factor in a product: [`A`] or [`B`].
///
/// ```
/// use ptyx::device::mma::{A, B, ScaledRole};
///
/// fn factor<R: ScaledRole>() {}
/// factor::<A>();
/// factor::<B>();
/// ```
pub trait ScaledRole: sealed::ScaledRole + Role {}

impl ScaledRole for A {}
impl ScaledRole for B {}

mod sealed {
    pub trait Scale {
        fn bits(self) -> u32;
    }

    impl Scale for super::UE8M0 {
        fn bits(self) -> u32 {
            self.to_bits().into()
        }
    }

    impl Scale for super::UE4M3 {
        fn bits(self) -> u32 {
            self.to_bits().into()
        }
    }

    pub trait ScaledRole {
        /// Rows and columns of the matrix of scales, with `scales` for each row of A or column of B.
        fn size(rows: usize, columns: usize, scales: usize) -> (usize, usize);
        /// Row and column of scale `number` in a lane's register.
        fn place(lane: u32, number: usize) -> (usize, usize);
    }

    impl ScaledRole for super::A {
        fn size(rows: usize, _: usize, scales: usize) -> (usize, usize) {
            (rows, scales)
        }

        fn place(lane: u32, number: usize) -> (usize, usize) {
            ((lane / 4 + lane % 2 * 8) as usize, number)
        }
    }

    impl ScaledRole for super::B {
        fn size(_: usize, columns: usize, scales: usize) -> (usize, usize) {
            (scales, columns)
        }

        fn place(lane: u32, number: usize) -> (usize, usize) {
            (number, (lane / 4) as usize)
        }
    }
}

/// A factor in the registers of a warp, of which each row of A, or column of B, consists of `SCALES` blocks of
/// neighbours along K, with a scale for each: the numbers are the elements times their block's scale.
///
/// [`mma`](super::mma) multiplies two of them (PTX
/// [`mma.sync` with `.block_scale`](https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-block-scaling);
/// `sm_120a`, PTX 8.7). A can be [`Sparse`]. The scales of A are a matrix of 16 x `SCALES`, those of B one of `SCALES` x 8.
///
/// ```
/// use ptyx::device::{float8::UE4M3, mma::{A, Accumulator, B, E2m1, Fragment, Layout, Scaled, mma}};
/// use ptyx::prelude::*;
///
/// /// `c = a * b` of 16x64, 64x8 and 16x8 elements, for one warp; every 16 elements of a row of `a` and of a column of
/// /// `b` have a scale. `b` and its scales lie column after column.
/// #[kernel]
/// fn product(a: &[u8], of_a: &[UE4M3], b: &[u8], of_b: &[UE4M3], c: SliceMut<f32>) {
///     let a = Fragment::<A, E2m1, 16, 64>::load(a, Layout::row_major(64));
///     let b = Fragment::<B, E2m1, 64, 8>::load(b, Layout::column_major(64));
///     let a = Scaled::<_, _, 4>::new(a, of_a, Layout::row_major(4));
///     let b = Scaled::<_, _, 4>::new(b, of_b, Layout::column_major(4));
///     let sums: Fragment<Accumulator, f32, 16, 8> = mma(a, b, Fragment::filled(0.0));
///     // SAFETY: no other warp is there.
///     unsafe { sums.store(c, Layout::row_major(8)) };
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Scaled<F, S, const SCALES: usize> {
    values: F,
    scales: u32,
    scale: core::marker::PhantomData<S>,
}

impl<
    R: ScaledRole,
    T: Shape<R, ROWS, COLUMNS>,
    S: Scale,
    const ROWS: usize,
    const COLUMNS: usize,
    const SCALES: usize,
> Scaled<Fragment<R, T, ROWS, COLUMNS>, S, SCALES>
{
    /// The elements `values` with their scales, which lie at `layout` in a slice.
    ///
    /// ```
    /// use ptyx::device::{float8::UE8M0, mma::{A, E4m3, Fragment, Layout, Scaled}};
    ///
    /// /// The tile from column `k` on of 16 rows of 1024 elements.
    /// fn tile(a: &[u8], scales: &[UE8M0], k: usize) -> Scaled<Fragment<A, E4m3, 16, 32>, UE8M0, 1> {
    ///     let values = Fragment::load(a, Layout::row_major(1024).at(0, k));
    ///     Scaled::new(values, scales, Layout::row_major(32).at(0, k / 32))
    /// }
    /// ```
    ///
    /// # Panics
    /// If the scales do not lie within the slice.
    #[inline(always)]
    #[track_caller]
    pub fn new(values: Fragment<R, T, ROWS, COLUMNS>, scales: &[S], layout: Layout) -> Self {
        Self::from_parts(values, load::<R, S, SCALES>([ROWS, COLUMNS], scales, layout))
    }
}

impl<T: SparseShape<K>, S: Scale, const K: usize, const SCALES: usize>
    Scaled<Sparse<T, K>, S, SCALES>
{
    /// The elements of the sparse matrix `values` with their scales, which lie at `layout` in a slice. The columns of
    /// a block are counted among all `K`, of which half are kept.
    ///
    /// ```
    /// use ptyx::device::{float8::UE8M0, mma::{E3m2, Layout, Scaled, Sparse}};
    ///
    /// /// A scale for each row of 64 columns, half of which are kept.
    /// fn scaled(a: Sparse<E3m2, 64>, scales: &[UE8M0]) -> Scaled<Sparse<E3m2, 64>, UE8M0, 1> {
    ///     Scaled::sparse(a, scales, Layout::row_major(1))
    /// }
    /// ```
    ///
    /// # Panics
    /// If the scales do not lie within the slice.
    #[inline(always)]
    #[track_caller]
    pub fn sparse(values: Sparse<T, K>, scales: &[S], layout: Layout) -> Self {
        Self::from_parts(values, load::<A, S, SCALES>([16, K], scales, layout))
    }
}

/// This lane's register of scales, for a factor of this size.
#[inline(always)]
#[track_caller]
fn load<R: ScaledRole, S: Scale, const SCALES: usize>(
    [rows, columns]: [usize; 2],
    scales: &[S],
    layout: Layout,
) -> u32 {
    const { assert!(SCALES <= 4, "a register holds four scales") };
    let (rows, columns) = R::size(rows, columns, SCALES);
    assert!(layout.fits(rows, columns, scales.len()), "the scales do not lie within the slice");
    let lane = warp::lane();
    let mut bits = 0;
    let mut number = 0;
    while number < SCALES {
        let (row, column) = <R as sealed::ScaledRole>::place(lane, number);
        // SAFETY: in bounds.
        let scale = unsafe { *scales.get_unchecked(layout.index(row, column)) };
        bits |= scale.bits() << (8 * number);
        number += 1;
    }
    bits
}

impl<F: Copy, S, const SCALES: usize> Scaled<F, S, SCALES> {
    /// The elements `values` with this lane's register of scales, the first of which is the lowest byte: the operands
    /// of PTX. Of four neighbouring lanes, the first has the scales of A for the upper of their two rows, the second
    /// those for the lower one, and the first those of B for their column. The registers of other lanes don't matter.
    ///
    /// ```
    /// use ptyx::device::{float8::UE8M0, mma::{E2m3, Fragment, A, Scaled}};
    ///
    /// /// All scales 1.
    /// fn unscaled(a: Fragment<A, E2m3, 16, 32>) -> Scaled<Fragment<A, E2m3, 16, 32>, UE8M0, 1> {
    ///     Scaled::from_parts(a, UE8M0::ONE.to_bits().into())
    /// }
    /// ```
    #[inline(always)]
    pub const fn from_parts(values: F, scales: u32) -> Self {
        Self { values, scales, scale: core::marker::PhantomData }
    }

    /// The elements.
    ///
    /// ```
    /// use ptyx::device::float8::UE8M0;
    /// use ptyx::device::mma::{A, E4m3, Fragment, Scaled};
    ///
    /// type Rows = Fragment<A, E4m3, 16, 32>;
    ///
    /// /// The same elements with scales twice as large: the exponents plus 1.
    /// fn doubled(rows: Scaled<Rows, UE8M0, 1>) -> Scaled<Rows, UE8M0, 1> {
    ///     Scaled::from_parts(rows.values(), rows.scales() + 1)
    /// }
    /// ```
    #[inline(always)]
    pub const fn values(self) -> F {
        self.values
    }

    /// This lane's register of scales.
    ///
    /// ```
    /// use ptyx::device::float8::{UE4M3, UE8M0};
    /// use ptyx::device::mma::{A, E2m1, Fragment, Scaled};
    ///
    /// /// The first of this lane's four scales.
    /// fn first(rows: Scaled<Fragment<A, E2m1, 16, 64>, UE4M3, 4>) -> UE4M3 {
    ///     UE4M3::from_bits(rows.scales() as u8)
    /// }
    /// ```
    #[inline(always)]
    pub const fn scales(self) -> u32 {
        self.scales
    }
}

/// One row an instruction: the types of A and B, M, N and K, the type of scales and their number; the modifiers.
macro_rules! products {
    ($($a:ty, $b:ty, $k:literal, $scale:ident $scales:literal: $($text:literal)*;)*) => {$(
        product! {
            Fragment<A, $a, 16, $k>, $b, $k, $scale $scales: "mma.sync.aligned.m16n8k" $($text)*;
            |a| a.values.registers(), of B 2 [0 1], ""
        }
    )*};
}

/// The same for `mma.sp`.
macro_rules! sparse_products {
    ($($a:ty, $b:ty, $k:literal, $scale:ident $scales:literal: $($text:literal)*;)*) => {$(
        product! {
            Sparse<$a, $k>, $b, $k, $scale $scales: "mma.sp::ordered_metadata.sync.aligned.m16n8k" $($text)*;
            |a| a.values.values().registers(), of B 4 [0 1 2 3], ", {}, 0x0", a.values.metadata()
        }
    )*};
}

/// One of them: A and what its registers are, the registers of B, and the metadata of a sparse A.
macro_rules! product {
    (
        $of_a:ty, $b:ty, $k:literal, $scale:ident $scales:literal: $instruction:literal $($text:literal)*;
        |$a:ident| $values:expr, of B $count:tt [$($index:literal)*], $metadata_text:literal $(, $metadata:expr)?
    ) => {
        impl
            Product<
                Scaled<Fragment<B, $b, $k, 8>, $scale, $scales>,
                Fragment<Accumulator, f32, 16, 8>,
                Plain,
            > for Scaled<$of_a, $scale, $scales>
        {
            #[inline(always)]
            #[track_caller]
            fn multiply(
                self,
                b: Scaled<Fragment<B, $b, $k, 8>, $scale, $scales>,
                sums: Fragment<Accumulator, f32, 16, 8>,
            ) -> Fragment<Accumulator, f32, 16, 8> {
                let $a = self;
                crate::__ptx! {
                    device {
                        let (scales_of_a, scales_of_b) = ($a.scales, b.scales);
                        let (values, b, sums) = ($values, b.values.registers(), sums.registers());
                        let mut result = sums;
                        // SAFETY: the instruction only computes, and all lanes take part.
                        unsafe {
                            core::arch::asm!(
                                head!(sm_120a, 87, " pure nomem convergent"),
                                concat!(
                                    $instruction, $k, ".row.col.kind::", $($text,)* " ",
                                    braces!(4), ", ", braces!(4), ", ", braces!($count), ", ", braces!(4),
                                    $metadata_text, ", {}, {{0, 0}}, {}, {{0, 0}};"
                                ),
                                lateout(reg) result[0],
                                lateout(reg) result[1],
                                lateout(reg) result[2],
                                lateout(reg) result[3],
                                in(reg) values[0],
                                in(reg) values[1],
                                in(reg) values[2],
                                in(reg) values[3],
                                $(in(reg) b[$index],)*
                                in(reg) sums[0],
                                in(reg) sums[1],
                                in(reg) sums[2],
                                in(reg) sums[3],
                                $(in(reg) $metadata,)?
                                in(reg) scales_of_a,
                                in(reg) scales_of_b,
                                options(pure, nomem, nostack, preserves_flags),
                            );
                        }
                        Fragment::from_registers(result)
                    }
                    host {
                        let _ = ($a, b, sums);
                        crate::intrinsics::on_the_host()
                    }
                }
            }
        }
    };
}

/// The instructions for two floats of 8, 6 or 4 bits.
macro_rules! products_of_narrow_floats {
    ($($a:ty, $b:ty: $types:literal;)*) => {
        products! {$(
            $a, $b, 32, UE8M0 1: "mxf8f6f4.block_scale.scale_vec::1X.f32." $types ".f32.ue8m0";
        )*}
        sparse_products! {$(
            $a, $b, 64, UE8M0 1: "mxf8f6f4.block_scale.scale_vec::1X.f32." $types ".f32.ue8m0";
        )*}
    };
}

sparse_products! {
    E2m1, E2m1, 128, UE8M0 2: "mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0";
    E2m1, E2m1, 128, UE4M3 4: "mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3";
}

products! {
    E2m1, E2m1, 64, UE8M0 2: "mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0";
    E2m1, E2m1, 64, UE4M3 4: "mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3";
}

pairs_of_f8! { products_of_narrow_floats }
pairs_of_narrow_floats! { products_of_narrow_floats }
