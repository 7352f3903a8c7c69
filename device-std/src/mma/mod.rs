//! Tensor cores: products of small matrices that a warp computes together (PTX ISA,
//! [`mma`](https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-matrix-instructions-mma)).
//!
//! A [`Fragment`] is a matrix whose elements are in the registers of a warp's 32 lanes. [`mma`] multiplies a
//! fragment [`A`] by a fragment [`B`] and adds the product to an [`Accumulator`]. The types say which
//! instruction it is; a combination that no tensor core has does not compile. Larger products are loops over
//! fragments.
//!
//! ```
//! use ptyx::device::mma::{A, Accumulator, B, Fragment, Layout, mma};
//! use ptyx::prelude::*;
//!
//! /// `c = a * b` of 16x32, 32x8 and 16x8 elements, for one warp. `b` lies column after column.
//! #[kernel]
//! fn product(a: &[i8], b: &[i8], c: SliceMut<i32>) {
//!     let a = Fragment::<A, i8, 16, 32>::load(a, Layout::row_major(32));
//!     let b = Fragment::<B, i8, 32, 8>::load(b, Layout::column_major(32));
//!     let sums: Fragment<Accumulator, i32, 16, 8> = mma(a, b, Fragment::filled(0));
//!     // SAFETY: no other warp is there.
//!     unsafe { sums.store(c, Layout::row_major(8)) };
//! }
//! ```
//!
//! | elements of A and B | sums | M x N x K | from |
//! |---|---|---|---|
//! | `f16` (of the crate `half`) | `f32`, `f16` | 16x8x8, 16x8x16 | `sm_75`, `sm_80` |
//! | `bf16` (of the crate `half`) | `f32` | 16x8x8, 16x8x16 | `sm_80` |
//! | [`Tf32`] | `f32` | 16x8x4, 16x8x8 | `sm_80` |
//! | [`E4m3`], [`E5m2`], also mixed | `f32`, `f16` | 16x8x16, 16x8x32 | `sm_89` |
//! | [`E4m3`], [`E5m2`], [`E3m2`], [`E2m3`], [`PaddedE2m1`], also mixed | `f32`, `f16` | 16x8x32 | `sm_120a` |
//! | `f64` | `f64` | 8x8x4; 16x8x4, 16x8x8, 16x8x16 | `sm_80`; `sm_90` |
//! | `i8`, `u8`, also mixed | `i32` | 8x8x16; 16x8x16, 16x8x32 | `sm_75`; `sm_80` |
//! | [`S4`], [`U4`], also mixed | `i32` | 8x8x32; 16x8x32, 16x8x64 | `sm_75`; `sm_80` |
//! | [`B1`] | `i32` | 8x8x128; 16x8x128, 16x8x256 | `sm_75`, with AND `sm_80`; `sm_80` |
//!
//! The sizes of CUDA's `wmma` fragments are made of these instructions, so they need `sm_80`:
//!
//! | elements of A and B | sums | M x N x K |
//! |---|---|---|
//! | `f16` | `f32`, `f16` | 16x16x16, 32x8x16, 8x32x16 |
//! | `bf16` | `f32` | 16x16x16, 32x8x16, 8x32x16 |
//! | `i8`, `u8`, also mixed | `i32` | 16x16x16, 32x8x16, 8x32x16 |
//! | [`Tf32`] | `f32` | 16x16x8 |
//!
//! If at least half of the elements in each small group of a row of A are zeros, A can be a [`Sparse`] matrix (PTX
//! [`mma.sp::ordered_metadata`](https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-matrix-instructions-for-sparse-mma),
//! `sm_80`, PTX 8.5):
//!
//! | elements of A and B | sums | K | zeros in a row of A |
//! |---|---|---|---|
//! | `f16` | `f32`, `f16` | 16, 32 | two of four elements |
//! | `bf16` | `f32` | 16, 32 | two of four elements |
//! | [`Tf32`] | `f32` | 8, 16 | one of two elements |
//! | [`E4m3`], [`E5m2`], also mixed (`sm_89`) | `f32` | 64 | two of four elements |
//! | [`E3m2`], [`E2m3`], [`PaddedE2m1`], also mixed with each other, [`E4m3`] and [`E5m2`] (`sm_120a`, PTX 8.7) | `f32`, `f16` | 64 | two of four elements |
//! | `i8`, `u8`, also mixed | `i32` | 32, 64 | two of four elements |
//! | [`S4`], [`U4`], also mixed | `i32` | 64, 128 | two of four pairs |
//!
//! Blocks of narrow floats can share a scale ([`Scaled`]; `sm_120a`, PTX 8.7):
//!
//! | elements of A and B | scales | elements of a block | M x N x K |
//! |---|---|---|---|
//! | [`E4m3`], [`E5m2`], [`E3m2`], [`E2m3`], [`PaddedE2m1`], also mixed | [`UE8M0`](crate::float8::UE8M0) | 32 | 16x8x32 |
//! | [`E2m1`] | [`UE8M0`](crate::float8::UE8M0) | 32 | 16x8x64 |
//! | [`E2m1`] | [`UE4M3`](crate::float8::UE4M3) | 16 | 16x8x64 |
//!
//! If A is [`Sparse`], K is twice as large, and so are the blocks. Of [`E2m1`], two of four pairs are then zeros.
//!
//! [`Quads`] are the operands of Volta's `mma.m8n8k4` of `f16`, which multiplies four small matrices at once (`sm_70`,
//! PTX 6.4).
//!
//! The types `f16` and `bf16` need the feature `half`. The project's `docs/tensor-cores.md` has the layouts of
//! fragments and what is known about rounding.
//!
//! # All lanes of the warp take part
//! All 32 lanes must call these functions, with the same sizes and strides, in code that they reach together. If
//! some lanes are missing, the result is undefined (but no memory is touched that the lanes don't name); the
//! emulated device reports it.
//!
//! # Panics
//! On the host, like all functions that only a device has.

/// What the first line of inline PTX says to the compiler, as `ptyx::ptx!` does: the architecture and the
/// version of PTX, times ten, that the instruction needs, and its options.
#[cfg(ptyx_device)]
macro_rules! head {
    ($arch:ident, $version:literal, $options:literal) => {
        concat!("//__ptyx_ptx arch=", stringify!($arch), " ptx=", $version, $options)
    };
}

/// This number of registers in braces, in the text of an instruction.
#[cfg(ptyx_device)]
#[rustfmt::skip]
macro_rules! braces {
    (1) => { "{{{}}}" };
    (2) => { "{{{}, {}}}" };
    (4) => { "{{{}, {}, {}, {}}}" };
    (8) => { "{{{}, {}, {}, {}, {}, {}, {}, {}}}" };
}

/// Gives a macro all pairs of floats of 8 bits, with their names in an instruction.
macro_rules! pairs_of_f8 {
    ($products:ident) => {
        $products! {
            E4m3, E4m3: "e4m3.e4m3";
            E4m3, E5m2: "e4m3.e5m2";
            E5m2, E4m3: "e5m2.e4m3";
            E5m2, E5m2: "e5m2.e5m2";
        }
    };
}

/// The same for all pairs of floats of 8, 6 or 4 bits, at least one of which has fewer than 8.
macro_rules! pairs_of_narrow_floats {
    ($products:ident) => {
        $products! {
            E4m3, E3m2: "e4m3.e3m2";
            E4m3, E2m3: "e4m3.e2m3";
            E4m3, PaddedE2m1: "e4m3.e2m1";
            E5m2, E3m2: "e5m2.e3m2";
            E5m2, E2m3: "e5m2.e2m3";
            E5m2, PaddedE2m1: "e5m2.e2m1";
            E3m2, E4m3: "e3m2.e4m3";
            E3m2, E5m2: "e3m2.e5m2";
            E3m2, E3m2: "e3m2.e3m2";
            E3m2, E2m3: "e3m2.e2m3";
            E3m2, PaddedE2m1: "e3m2.e2m1";
            E2m3, E4m3: "e2m3.e4m3";
            E2m3, E5m2: "e2m3.e5m2";
            E2m3, E3m2: "e2m3.e3m2";
            E2m3, E2m3: "e2m3.e2m3";
            E2m3, PaddedE2m1: "e2m3.e2m1";
            PaddedE2m1, E4m3: "e2m1.e4m3";
            PaddedE2m1, E5m2: "e2m1.e5m2";
            PaddedE2m1, E3m2: "e2m1.e3m2";
            PaddedE2m1, E2m3: "e2m1.e2m3";
            PaddedE2m1, PaddedE2m1: "e2m1.e2m1";
        }
    };
}

mod byte_tile;
mod compress;
mod element;
mod fragment;
mod large;
mod layout;
mod lines;
mod memory;
mod packed;
mod product;
mod quads;
mod scaled;
mod sparse;
mod tile;

pub use byte_tile::PackedElement;
pub use compress::{CompressError, Compressible, compress};
pub use element::{
    A, Accumulator, B, B1, E2m1, E2m3, E3m2, E4m3, E5m2, Element, PaddedE2m1, Role, S4, Shape,
    Tf32, U4,
};
pub use fragment::Fragment;
pub use layout::Layout;
pub use product::{
    AndPopc, Plain, Product, Saturating, XorPopc, mma, mma_and_popc, mma_saturating, mma_xor_popc,
};
pub use quads::{QuadShape, Quads};
pub use scaled::{Scale, Scaled, ScaledRole};
pub use sparse::{Sparse, SparseShape};
pub use tile::transpose;
