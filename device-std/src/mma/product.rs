//! The instructions: one row each.

#[cfg(feature = "half")]
use super::Quads;
use super::{A, Accumulator, B, B1, E2m3, E3m2, E4m3, E5m2, Fragment, PaddedE2m1, S4, Tf32, U4};

/// A matrix A that an instruction combines with `B` and adds to the sums `C`. The operation `O` is [`Plain`],
/// [`Saturating`], [`XorPopc`] or [`AndPopc`].
///
/// ```
/// use ptyx::device::mma::{Product, mma};
///
/// /// Adds the same product twice, whatever the types.
/// fn twice<A: Product<B, C> + Copy, B: Copy, C>(a: A, b: B, sums: C) -> C {
///     mma(a, b, mma(a, b, sums))
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "no tensor core multiplies `{Self}` by `{B}` and adds the product to `{C}` like this",
    note = "the combinations are listed in the documentation of `ptyx::device::mma`; integers of 4 and 8 bits can \
            saturate; bits are combined by `mma_xor_popc` and `mma_and_popc`"
)]
pub trait Product<B, C, O = Plain>: Sized {
    /// The sums with the product added.
    fn multiply(self, b: B, sums: C) -> C;
}

/// The plain operation of [`mma`].
///
/// ```
/// use ptyx::device::mma::{Plain, Product, mma};
///
/// /// The sum of several products, whatever their types.
/// fn sum<A: Product<B, C, Plain>, B, C>(factors: impl Iterator<Item = (A, B)>, sums: C) -> C {
///     factors.fold(sums, |sums, (a, b)| mma(a, b, sums))
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Plain {}

/// The operation of [`mma_saturating`].
///
/// ```
/// use ptyx::device::mma::{A, Accumulator, B, Fragment, Product, Saturating};
///
/// type Sums = Fragment<Accumulator, i32, 16, 8>;
///
/// /// One step of a product whose operation is a parameter.
/// fn step<O, A: Product<B, Sums, O>, B>(a: A, b: B, sums: Sums) -> Sums {
///     a.multiply(b, sums)
/// }
///
/// /// The step whose sums saturate at the limits of `i32`.
/// fn saturating(a: Fragment<A, i8, 16, 32>, b: Fragment<B, u8, 32, 8>, sums: Sums) -> Sums {
///     step::<Saturating, _, _>(a, b, sums)
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Saturating {}

/// The operation of [`mma_xor_popc`].
///
/// ```
/// use ptyx::device::mma::{Product, XorPopc, mma_xor_popc};
///
/// /// Adds Hamming distances of long codes, part by part, for any size of bit matrices.
/// fn add_distances<A: Product<B, C, XorPopc>, B, C, const PARTS: usize>(
///     parts: [(A, B); PARTS],
///     distances: C,
/// ) -> C {
///     parts.into_iter().fold(distances, |sums, (a, b)| mma_xor_popc(a, b, sums))
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum XorPopc {}

/// The operation of [`mma_and_popc`].
///
/// ```
/// use ptyx::device::mma::{AndPopc, Product, mma_and_popc};
///
/// /// Twice the sizes of intersections, for Dice coefficients, for any size of bit matrices.
/// fn twice_common<A: Product<B, C, AndPopc> + Copy, B: Copy, C>(a: A, b: B, zeros: C) -> C {
///     mma_and_popc(a, b, mma_and_popc(a, b, zeros))
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum AndPopc {}

/// `a * b + sums`, for the whole warp (PTX
/// [`mma.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-matrix-instructions-mma), CUDA
/// C++ `wmma::mma_sync`).
///
/// Integer sums wrap around. Sums of floats are not rounded like additions of `f32`: see the project's
/// `docs/tensor-cores.md`.
///
/// ```
/// use ptyx::device::mma::{A, Accumulator, B, Fragment, Layout, mma};
///
/// /// The product of 16 rows of `k` elements and 8 columns of `k` elements.
/// fn dot_products(a: &[i8], b: &[i8], k: usize) -> Fragment<Accumulator, i32, 16, 8> {
///     let mut sums = Fragment::filled(0);
///     for from in (0..k).step_by(32) {
///         let rows = Fragment::<A, i8, 16, 32>::load(a, Layout::row_major(k).from(from));
///         let columns = Fragment::<B, i8, 32, 8>::load(b, Layout::column_major(k).from(from));
///         sums = mma(rows, columns, sums);
///     }
///     sums
/// }
/// ```
///
/// # Panics
/// On the host.
#[doc(alias = "mma_sync")]
#[inline(always)]
#[track_caller]
pub fn mma<A: Product<B, C>, B, C>(a: A, b: B, sums: C) -> C {
    a.multiply(b, sums)
}

/// As [`mma`], for integers whose sums stop at the limits of `i32` (PTX `mma.sync` with `.satfinite`).
///
/// ```
/// use ptyx::device::mma::{A, Accumulator, B, Fragment, S4, mma_saturating};
///
/// /// The product added to sums, which may be large already.
/// fn add(
///     a: Fragment<A, S4, 16, 64>,
///     b: Fragment<B, S4, 64, 8>,
///     sums: Fragment<Accumulator, i32, 16, 8>,
/// ) -> Fragment<Accumulator, i32, 16, 8> {
///     mma_saturating(a, b, sums)
/// }
/// ```
///
/// # Panics
/// On the host.
#[inline(always)]
#[track_caller]
pub fn mma_saturating<A: Product<B, C, Saturating>, B, C>(a: A, b: B, sums: C) -> C {
    a.multiply(b, sums)
}

/// Adds to each sum how many bits of a row of `a` and a column of `b` differ (PTX `mma.sync` with `.xor.popc`).
///
/// ```
/// use ptyx::device::mma::{A, Accumulator, B, B1, Fragment, Layout, mma_xor_popc};
///
/// /// Hamming distances of 8 codes of 256 bits from 16 others.
/// fn distances(codes: &[u32], others: &[u32]) -> Fragment<Accumulator, i32, 16, 8> {
///     let others = Fragment::<A, B1, 16, 256>::load(others, Layout::row_major(256));
///     let codes = Fragment::<B, B1, 256, 8>::load(codes, Layout::column_major(256));
///     mma_xor_popc(others, codes, Fragment::filled(0))
/// }
/// ```
///
/// # Panics
/// On the host.
#[inline(always)]
#[track_caller]
pub fn mma_xor_popc<A: Product<B, C, XorPopc>, B, C>(a: A, b: B, sums: C) -> C {
    a.multiply(b, sums)
}

/// Adds to each sum how many bits are set in both a row of `a` and a column of `b` (PTX `mma.sync` with
/// `.and.popc`).
///
/// ```
/// use ptyx::device::mma::{A, Accumulator, B, B1, Fragment, mma_and_popc};
///
/// /// Sizes of the intersections of 16 sets with 8 others.
/// fn common(
///     sets: Fragment<A, B1, 16, 128>,
///     others: Fragment<B, B1, 128, 8>,
/// ) -> Fragment<Accumulator, i32, 16, 8> {
///     mma_and_popc(sets, others, Fragment::filled(0))
/// }
/// ```
///
/// # Panics
/// On the host.
#[inline(always)]
#[track_caller]
pub fn mma_and_popc<A: Product<B, C, AndPopc>, B, C>(a: A, b: B, sums: C) -> C {
    a.multiply(b, sums)
}

/// One instruction, by the numbers of registers of sums, of A and of B.
#[rustfmt::skip]
macro_rules! instruction {
    ($type:ident, $head:expr, $text:expr, $sums:ident: 2, $a:ident: 1, $b:ident: 1) => {
        instruction!(@ $type, $head, $text, [2 1 1], $sums: 0 1, $a: 0, $b: 0)
    };
    ($type:ident, $head:expr, $text:expr, $sums:ident: 2, $a:ident: 2, $b:ident: 1) => {
        instruction!(@ $type, $head, $text, [2 2 1], $sums: 0 1, $a: 0 1, $b: 0)
    };
    ($type:ident, $head:expr, $text:expr, $sums:ident: 2, $a:ident: 4, $b:ident: 2) => {
        instruction!(@ $type, $head, $text, [2 4 2], $sums: 0 1, $a: 0 1 2 3, $b: 0 1)
    };
    ($type:ident, $head:expr, $text:expr, $sums:ident: 4, $a:ident: 2, $b:ident: 1) => {
        instruction!(@ $type, $head, $text, [4 2 1], $sums: 0 1 2 3, $a: 0 1, $b: 0)
    };
    ($type:ident, $head:expr, $text:expr, $sums:ident: 4, $a:ident: 4, $b:ident: 2) => {
        instruction!(@ $type, $head, $text, [4 4 2], $sums: 0 1 2 3, $a: 0 1 2 3, $b: 0 1)
    };
    ($type:ident, $head:expr, $text:expr, $sums:ident: 4, $a:ident: 8, $b:ident: 4) => {
        instruction!(@ $type, $head, $text, [4 8 4], $sums: 0 1 2 3, $a: 0 1 2 3 4 5 6 7, $b: 0 1 2 3)
    };
    ($type:ident, $head:expr, $text:expr, $sums:ident: 4, $a:ident: 2, $b:ident: 2) => {
        instruction!(@ $type, $head, $text, [4 2 2], $sums: 0 1 2 3, $a: 0 1, $b: 0 1)
    };
    ($type:ident, $head:expr, $text:expr, $sums:ident: 8, $a:ident: 2, $b:ident: 2) => {
        instruction!(@ $type, $head, $text, [8 2 2], $sums: 0 1 2 3 4 5 6 7, $a: 0 1, $b: 0 1)
    };
    (@ $type:ident, $head:expr, $text:expr, [$d:tt $m:tt $n:tt], $sums:ident: $($s:literal)*, $a:ident: $($i:literal)*, $b:ident: $($j:literal)*) => {
        crate::__ptx! {
            device {
                let ($a, $b, $sums) = ($a.registers(), $b.registers(), $sums.registers());
                let mut result = $sums;
                // SAFETY: the instruction only computes, and all lanes take part.
                unsafe {
                    core::arch::asm!(
                        $head,
                        concat!(
                            "mma.sync.aligned.", $text, " ",
                            braces!($d), ", ", braces!($m), ", ", braces!($n), ", ", braces!($d), ";"
                        ),
                        $(lateout(reg) result[$s],)*
                        $(in(reg) $a[$i],)*
                        $(in(reg) $b[$j],)*
                        $(in(reg) $sums[$s],)*
                        options(pure, nomem, nostack, preserves_flags),
                    );
                }
                $type::from_registers(result)
            }
            host {
                let _ = ($a, $b, $sums);
                crate::intrinsics::on_the_host()
            }
        }
    };
}

/// One row an instruction: the operation; the types of A, B and sums, each with its registers; M, N and K; what it
/// needs; its modifiers after `mma.sync.aligned`.
macro_rules! products {
    ($(
        $(#[$attribute:meta])?
        $operation:ident $a:ty[$an:tt] * $b:ty[$bn:tt] + $c:ty[$cn:tt], $m:literal $n:literal $k:literal,
        $arch:ident $version:literal: $($text:literal)*;
    )*) => {$(
        $(#[$attribute])?
        impl Product<Fragment<B, $b, $k, $n>, Fragment<Accumulator, $c, $m, $n>, $operation>
            for Fragment<A, $a, $m, $k>
        {
            #[inline(always)]
            #[track_caller]
            fn multiply(
                self,
                b: Fragment<B, $b, $k, $n>,
                sums: Fragment<Accumulator, $c, $m, $n>,
            ) -> Fragment<Accumulator, $c, $m, $n> {
                let a = self;
                instruction!(Fragment, head!($arch, $version, " pure nomem convergent"), concat!($($text),*), sums: $cn, a: $an, b: $bn)
            }
        }
    )*};
}

/// The instructions for four small products of `f16`: the type of sums and its registers.
#[cfg(feature = "half")]
macro_rules! products_of_quads {
    ($($sums:ty[$count:tt]: $text:literal;)*) => {$(
        impl Product<Quads<B, half::f16>, Quads<Accumulator, $sums>> for Quads<A, half::f16> {
            #[inline(always)]
            #[track_caller]
            fn multiply(
                self,
                b: Quads<B, half::f16>,
                sums: Quads<Accumulator, $sums>,
            ) -> Quads<Accumulator, $sums> {
                let a = self;
                instruction!(Quads, head!(sm_70, 64, " pure nomem convergent"), $text, sums: $count, a: 2, b: 2)
            }
        }
    )*};
}

/// The instructions for two types of 8-bit floats.
macro_rules! products_of_f8 {
    ($($a:ty, $b:ty: $types:literal;)*) => { products! {$(
        Plain $a[2] * $b[1] + f32[4], 16 8 16, sm_89 87: "m16n8k16.row.col.f32." $types ".f32";
        Plain $a[4] * $b[2] + f32[4], 16 8 32, sm_89 84: "m16n8k32.row.col.f32." $types ".f32";
        #[cfg(feature = "half")]
        Plain $a[2] * $b[1] + half::f16[2], 16 8 16, sm_89 87: "m16n8k16.row.col.f16." $types ".f16";
        #[cfg(feature = "half")]
        Plain $a[4] * $b[2] + half::f16[2], 16 8 32, sm_89 87: "m16n8k32.row.col.f16." $types ".f16";
    )*} };
}

/// The instructions for two floats of 8, 6 or 4 bits, at least one of which has fewer than 8.
macro_rules! products_of_narrow_floats {
    ($($a:ty, $b:ty: $types:literal;)*) => { products! {$(
        Plain $a[4] * $b[2] + f32[4], 16 8 32, sm_120a 87: "m16n8k32.row.col.kind::f8f6f4.f32." $types ".f32";
        #[cfg(feature = "half")]
        Plain $a[4] * $b[2] + half::f16[2], 16 8 32, sm_120a 87: "m16n8k32.row.col.kind::f8f6f4.f16." $types ".f16";
    )*} };
}

/// The instructions for two types of 8-bit integers.
macro_rules! products_of_bytes {
    ($($a:ty, $b:ty: $types:literal;)*) => { products! {$(
        Plain $a[1] * $b[1] + i32[2], 8 8 16, sm_75 65: "m8n8k16.row.col.s32." $types ".s32";
        Plain $a[2] * $b[1] + i32[4], 16 8 16, sm_80 70: "m16n8k16.row.col.s32." $types ".s32";
        Plain $a[4] * $b[2] + i32[4], 16 8 32, sm_80 70: "m16n8k32.row.col.s32." $types ".s32";
        Saturating $a[1] * $b[1] + i32[2], 8 8 16, sm_75 65: "m8n8k16.row.col.satfinite.s32." $types ".s32";
        Saturating $a[2] * $b[1] + i32[4], 16 8 16, sm_80 70: "m16n8k16.row.col.satfinite.s32." $types ".s32";
        Saturating $a[4] * $b[2] + i32[4], 16 8 32, sm_80 70: "m16n8k32.row.col.satfinite.s32." $types ".s32";
    )*} };
}

/// The instructions for two types of 4-bit integers.
macro_rules! products_of_nibbles {
    ($($a:ty, $b:ty: $types:literal;)*) => { products! {$(
        Plain $a[1] * $b[1] + i32[2], 8 8 32, sm_75 65: "m8n8k32.row.col.s32." $types ".s32";
        Plain $a[2] * $b[1] + i32[4], 16 8 32, sm_80 70: "m16n8k32.row.col.s32." $types ".s32";
        Plain $a[4] * $b[2] + i32[4], 16 8 64, sm_80 70: "m16n8k64.row.col.s32." $types ".s32";
        Saturating $a[1] * $b[1] + i32[2], 8 8 32, sm_75 65: "m8n8k32.row.col.satfinite.s32." $types ".s32";
        Saturating $a[2] * $b[1] + i32[4], 16 8 32, sm_80 70: "m16n8k32.row.col.satfinite.s32." $types ".s32";
        Saturating $a[4] * $b[2] + i32[4], 16 8 64, sm_80 70: "m16n8k64.row.col.satfinite.s32." $types ".s32";
    )*} };
}

products! {
    #[cfg(feature = "half")]
    Plain half::f16[2] * half::f16[1] + half::f16[2], 16 8 8, sm_75 65: "m16n8k8.row.col.f16.f16.f16.f16";
    #[cfg(feature = "half")]
    Plain half::f16[4] * half::f16[2] + half::f16[2], 16 8 16, sm_80 70: "m16n8k16.row.col.f16.f16.f16.f16";
    #[cfg(feature = "half")]
    Plain half::f16[2] * half::f16[1] + f32[4], 16 8 8, sm_75 65: "m16n8k8.row.col.f32.f16.f16.f32";
    #[cfg(feature = "half")]
    Plain half::f16[4] * half::f16[2] + f32[4], 16 8 16, sm_80 70: "m16n8k16.row.col.f32.f16.f16.f32";
    #[cfg(feature = "half")]
    Plain half::bf16[2] * half::bf16[1] + f32[4], 16 8 8, sm_80 70: "m16n8k8.row.col.f32.bf16.bf16.f32";
    #[cfg(feature = "half")]
    Plain half::bf16[4] * half::bf16[2] + f32[4], 16 8 16, sm_80 70: "m16n8k16.row.col.f32.bf16.bf16.f32";
    Plain Tf32[2] * Tf32[1] + f32[4], 16 8 4, sm_80 70: "m16n8k4.row.col.f32.tf32.tf32.f32";
    Plain Tf32[4] * Tf32[2] + f32[4], 16 8 8, sm_80 70: "m16n8k8.row.col.f32.tf32.tf32.f32";
    Plain f64[1] * f64[1] + f64[2], 8 8 4, sm_80 70: "m8n8k4.row.col.f64.f64.f64.f64";
    Plain f64[2] * f64[1] + f64[4], 16 8 4, sm_90 78: "m16n8k4.row.col.f64.f64.f64.f64";
    Plain f64[4] * f64[2] + f64[4], 16 8 8, sm_90 78: "m16n8k8.row.col.f64.f64.f64.f64";
    Plain f64[8] * f64[4] + f64[4], 16 8 16, sm_90 78: "m16n8k16.row.col.f64.f64.f64.f64";
    XorPopc B1[1] * B1[1] + i32[2], 8 8 128, sm_75 70: "m8n8k128.row.col.s32.b1.b1.s32.xor.popc";
    XorPopc B1[2] * B1[1] + i32[4], 16 8 128, sm_80 70: "m16n8k128.row.col.s32.b1.b1.s32.xor.popc";
    XorPopc B1[4] * B1[2] + i32[4], 16 8 256, sm_80 70: "m16n8k256.row.col.s32.b1.b1.s32.xor.popc";
    AndPopc B1[1] * B1[1] + i32[2], 8 8 128, sm_80 71: "m8n8k128.row.col.s32.b1.b1.s32.and.popc";
    AndPopc B1[2] * B1[1] + i32[4], 16 8 128, sm_80 71: "m16n8k128.row.col.s32.b1.b1.s32.and.popc";
    AndPopc B1[4] * B1[2] + i32[4], 16 8 256, sm_80 71: "m16n8k256.row.col.s32.b1.b1.s32.and.popc";
}

#[cfg(feature = "half")]
products_of_quads! {
    half::f16[4]: "m8n8k4.row.col.f16.f16.f16.f16";
    f32[8]: "m8n8k4.row.col.f32.f16.f16.f32";
}

pairs_of_f8! { products_of_f8 }

pairs_of_narrow_floats! { products_of_narrow_floats }

products_of_bytes! {
    i8, i8: "s8.s8";
    i8, u8: "s8.u8";
    u8, i8: "u8.s8";
    u8, u8: "u8.u8";
}

products_of_nibbles! {
    S4, S4: "s4.s4";
    S4, U4: "s4.u4";
    U4, S4: "u4.s4";
    U4, U4: "u4.u4";
}
