//! Products of the sizes of CUDA's `wmma`, made of the instructions for eight columns.
//!
//! The registers of such a matrix are those of its parts: of A the parts have 16 rows, of B and of sums 8 columns. With
//! eight rows, the transposed product is computed: the columns of B are the rows of a matrix A, in the same registers, and
//! so are those of the sums.

use super::{A, Accumulator, B, Fragment, Plain, Product, Saturating, Tf32};
use core::array::from_fn;

/// The registers of 16 rows of 32 in a matrix A, which has registers for each eight rows.
#[inline(always)]
fn rows<const ALL: usize, const N: usize>(all: [u32; ALL], part: usize) -> [u32; N] {
    from_fn(|i| all[2 * part + i % 2 + i / 2 * 4])
}

/// Some registers of sums, in parts that follow each other.
#[inline(always)]
fn part<T: Copy, const ALL: usize, const N: usize>(all: [T; ALL], part: usize) -> [T; N] {
    from_fn(|i| all[N * part + i])
}

/// All registers of sums, of two parts.
#[inline(always)]
fn both<T: Copy, const ALL: usize, const N: usize>(parts: [[T; N]; 2]) -> [T; ALL] {
    from_fn(|i| parts[i / N][i % N])
}

/// Products of 16x16 sums: the operation; the types of A, B and sums; K.
macro_rules! square {
    ($($operation:ident $a:ty, $b:ty, $c:ty, $k:literal;)*) => {$(
        impl Product<Fragment<B, $b, $k, 16>, Fragment<Accumulator, $c, 16, 16>, $operation>
            for Fragment<A, $a, 16, $k>
        {
            #[inline(always)]
            #[track_caller]
            fn multiply(
                self,
                b: Fragment<B, $b, $k, 16>,
                sums: Fragment<Accumulator, $c, 16, 16>,
            ) -> Fragment<Accumulator, $c, 16, 16> {
                let columns = |n: usize| {
                    // Registers of B alternate between its two parts.
                    let b = Fragment::<B, $b, $k, 8>::from_registers(from_fn(|i| b.registers()[n + 2 * i]));
                    let sums = Fragment::<Accumulator, $c, 16, 8>::from_registers(part(sums.registers(), n));
                    Product::<_, _, $operation>::multiply(self, b, sums).registers()
                };
                Fragment::from_registers(both([columns(0), columns(1)]))
            }
        }
    )*};
}

/// Products of 32x8 and of 8x32 sums, K = 16.
macro_rules! oblong {
    ($($operation:ident $a:ty, $b:ty, $c:ty;)*) => {$(
        impl Product<Fragment<B, $b, 16, 8>, Fragment<Accumulator, $c, 32, 8>, $operation>
            for Fragment<A, $a, 32, 16>
        {
            #[inline(always)]
            #[track_caller]
            fn multiply(
                self,
                b: Fragment<B, $b, 16, 8>,
                sums: Fragment<Accumulator, $c, 32, 8>,
            ) -> Fragment<Accumulator, $c, 32, 8> {
                let rows = |n: usize| {
                    let a = Fragment::<A, $a, 16, 16>::from_registers(rows(self.registers(), n));
                    let sums = Fragment::<Accumulator, $c, 16, 8>::from_registers(part(sums.registers(), n));
                    Product::<_, _, $operation>::multiply(a, b, sums).registers()
                };
                Fragment::from_registers(both([rows(0), rows(1)]))
            }
        }

        impl Product<Fragment<B, $b, 16, 32>, Fragment<Accumulator, $c, 8, 32>, $operation>
            for Fragment<A, $a, 8, 16>
        {
            #[inline(always)]
            #[track_caller]
            fn multiply(
                self,
                b: Fragment<B, $b, 16, 32>,
                sums: Fragment<Accumulator, $c, 8, 32>,
            ) -> Fragment<Accumulator, $c, 8, 32> {
                // Transposed.
                let right = Fragment::<B, $a, 16, 8>::from_registers(self.registers());
                let columns = |n: usize| {
                    let left = Fragment::<A, $b, 16, 16>::from_registers(rows(b.registers(), n));
                    let sums = Fragment::<Accumulator, $c, 16, 8>::from_registers(part(sums.registers(), n));
                    Product::<_, _, $operation>::multiply(left, right, sums).registers()
                };
                Fragment::from_registers(both([columns(0), columns(1)]))
            }
        }
    )*};
}

/// All three sizes.
macro_rules! all {
    ($($operation:ident $a:ty, $b:ty, $c:ty;)*) => {
        square! { $($operation $a, $b, $c, 16;)* }
        oblong! { $($operation $a, $b, $c;)* }
    };
}

#[cfg(feature = "half")]
all! {
    Plain half::f16, half::f16, half::f16;
    Plain half::f16, half::f16, f32;
    Plain half::bf16, half::bf16, f32;
}

all! {
    Plain i8, i8, i32;
    Plain i8, u8, i32;
    Plain u8, i8, i32;
    Plain u8, u8, i32;
    Saturating i8, i8, i32;
    Saturating i8, u8, i32;
    Saturating u8, i8, i32;
    Saturating u8, u8, i32;
}

square! {
    Plain Tf32, Tf32, f32, 8;
}
