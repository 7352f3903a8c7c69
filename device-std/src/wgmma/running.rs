//! Products that are being added.

use super::accumulator::{Accumulator, Width};
use super::instructions::{self, Registers as _, Text, word};
use super::left::Left;
use super::left::sealed::{self, Operand};
use super::products::{self, Factor, Product};
use super::swizzle::{Major, Swizzled, is_transposed};
use super::tile::SharedTile;
use crate::shared::Shared;
use crate::unroll;
use core::fmt;
use core::marker::PhantomData;

/// What is done with products.
trait Mode {
    /// Whether they are added to the sums, or replace them.
    const ADD: bool = true;
    /// Whether they are subtracted.
    const NEGATE: bool = false;
    /// Whether sums stop at the limits of `i32`.
    const SATURATE: bool = false;
}

enum Add {}
enum Subtract {}
enum Replace {}
enum AddSaturating {}

impl Mode for Add {}
impl Mode for Subtract {
    const NEGATE: bool = true;
}
impl Mode for Replace {
    const ADD: bool = false;
}
impl Mode for AddSaturating {
    const SATURATE: bool = true;
}

/// The text of an instruction.
struct Instruction<TA, TB, TC, L, M, O, const N: usize>(PhantomData<(TA, TB, TC, L, M, O)>);

impl<TA, TB, TC, L, M, O, const N: usize> Text for Instruction<TA, TB, TC, L, M, O, N>
where
    TA: Product<TB, TC>,
    L: sealed::Left,
    M: Major,
    O: Mode,
{
    const N: usize = N;
    const K: u32 = 256 / TA::BITS;
    const TYPES: u128 = TA::TYPES;
    const SUFFIX: u128 = if O::SATURATE { word(b".satfinite") } else { 0 };
    const PTX: u32 = TA::PTX;
    const TAIL: u128 = {
        let mut text = [0; 16];
        let mut at = 0;
        macro_rules! push {
            ($value:expr) => {{
                text[at] = b',';
                text[at + 1] = $value;
                at += 2;
            }};
        }
        push!(if O::ADD { b'1' } else { b'0' });
        if TA::SIGNS {
            if O::NEGATE {
                push!(b'-');
                text[at] = b'1';
                at += 1;
            } else {
                push!(b'1');
            }
            push!(b'1');
        }
        if TA::MAJORS {
            if let Some(transposed) = L::TRANSPOSED {
                push!(b'0' + transposed as u8);
            }
            push!(b'0' + is_transposed::<M>() as u8);
        }
        assert!(at <= text.len());
        word(&text)
    };
}

/// Sums to which products are being added, from [`Accumulator::accumulate`]. Their values can't be accessed until
/// all products are done.
///
/// ```
/// use ptyx::device::mma::Tf32;
/// use ptyx::device::shared::Shared;
/// use ptyx::device::wgmma::{B128, KMajor, Running, SharedTile};
///
/// type Tile = Shared<SharedTile<Tf32, 64, 32, B128, KMajor>>;
///
/// /// Starts one step of a product and waits for the previous one, in a closure of `Accumulator::accumulate`.
/// ///
/// /// # Safety
/// /// The tiles are filled, and nobody writes them before the next step returns.
/// unsafe fn step(running: &mut Running<'_, f32, 64>, a: Tile, b: Tile) {
///     // SAFETY: as the caller's.
///     unsafe { running.add(a, b) };
///     running.commit();
///     running.wait::<1>();
/// }
/// ```
pub struct Running<'a, T: Width<N>, const N: usize> {
    pub(super) sums: &'a mut Accumulator<T, N>,
}

impl<T: Width<N>, const N: usize> fmt::Debug for Running<'_, T, N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Running(64x{N})")
    }
}

impl<T: Width<N>, const N: usize> Running<'_, T, N> {
    /// Starts to add the product of two matrices (PTX
    /// [`wgmma.mma_async`](https://docs.nvidia.com/cuda/parallel-thread-execution/#asynchronous-warpgroup-level-matrix-instructions-wgmma-mma-async),
    /// `sm_90a`): as many instructions as their depth needs, after a `wgmma.fence`.
    ///
    /// ```
    /// use ptyx::device::mma::{A, E4m3, Fragment};
    /// use ptyx::device::{shared::Shared, wgmma::{Accumulator, B64, KMajor, SharedTile}};
    ///
    /// /// A in registers: a depth of 64 is two instructions.
    /// ///
    /// /// # Safety
    /// /// The tile is filled, and nobody writes it meanwhile.
    /// unsafe fn product(
    ///     a: [Fragment<A, E4m3, 16, 32>; 2],
    ///     b: Shared<SharedTile<E4m3, 128, 64, B64, KMajor>>,
    ///     sums: &mut Accumulator<f32, 128>,
    /// ) {
    ///     // SAFETY: as the caller's.
    ///     sums.accumulate(|running| unsafe { running.add(a, b) });
    /// }
    /// ```
    ///
    /// # Safety
    /// - The tiles have been written, and each writer has called [`Shared::fence`] before a barrier, or an
    ///   asynchronous copy wrote them and was waited for.
    /// - No thread writes them before the products are done: [`Running::wait`], or the end of `accumulate`.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn add<L, TB, S, M, const DEPTH: usize>(
        &mut self,
        a: L,
        b: Shared<SharedTile<TB, N, DEPTH, S, M>>,
    ) where
        L: Left<DEPTH>,
        L::Element: Product<TB, T>,
        TB: Factor,
        S: Swizzled,
        M: Major,
    {
        // SAFETY: the caller's promise.
        unsafe { self.start::<Add, _, _, _, _, DEPTH>(a, b) }
    }

    /// As [`Running::add`], but subtracts the product. For floats.
    ///
    /// ```
    /// use ptyx::device::mma::Tf32;
    /// use ptyx::device::{shared::Shared, wgmma::{Accumulator, B32, KMajor, SharedTile}};
    ///
    /// type Tile = Shared<SharedTile<Tf32, 64, 8, B32, KMajor>>;
    ///
    /// /// The real part of a complex product.
    /// ///
    /// /// # Safety
    /// /// The tiles are filled, and nobody writes them meanwhile.
    /// unsafe fn real(a: [Tile; 2], b: [Tile; 2], sums: &mut Accumulator<f32, 64>) {
    ///     // SAFETY: as the caller's.
    ///     sums.accumulate(|running| unsafe {
    ///         running.add(a[0], b[0]);
    ///         running.subtract(a[1], b[1]);
    ///     });
    /// }
    /// ```
    ///
    /// # Safety
    /// As [`Running::add`].
    #[inline(always)]
    #[track_caller]
    pub unsafe fn subtract<L, TB, S, M, const DEPTH: usize>(
        &mut self,
        a: L,
        b: Shared<SharedTile<TB, N, DEPTH, S, M>>,
    ) where
        L: Left<DEPTH>,
        L::Element: Product<TB, T>,
        TB: Factor,
        S: Swizzled,
        M: Major,
    {
        const {
            assert!(
                <L::Element as products::sealed::Product<TB, T>>::SIGNS,
                "only products of floats can be subtracted"
            )
        };
        // SAFETY: the caller's promise.
        unsafe { self.start::<Subtract, _, _, _, _, DEPTH>(a, b) }
    }

    /// As [`Running::add`] to sums of zero: the previous sums are discarded.
    ///
    /// ```
    /// use ptyx::device::{shared::Shared, wgmma::{Accumulator, B128, KMajor, SharedTile}};
    ///
    /// type Tile = Shared<SharedTile<i8, 64, 128, B128, KMajor>>;
    ///
    /// /// The first product of several.
    /// ///
    /// /// # Safety
    /// /// The tiles are filled, and nobody writes them meanwhile.
    /// unsafe fn first(a: Tile, b: Tile, sums: &mut Accumulator<i32, 64>) {
    ///     // SAFETY: as the caller's.
    ///     sums.accumulate(|running| unsafe { running.replace(a, b) });
    /// }
    /// ```
    ///
    /// # Safety
    /// As [`Running::add`].
    #[inline(always)]
    #[track_caller]
    pub unsafe fn replace<L, TB, S, M, const DEPTH: usize>(
        &mut self,
        a: L,
        b: Shared<SharedTile<TB, N, DEPTH, S, M>>,
    ) where
        L: Left<DEPTH>,
        L::Element: Product<TB, T>,
        TB: Factor,
        S: Swizzled,
        M: Major,
    {
        // SAFETY: the caller's promise.
        unsafe {
            let a = a.held();
            instructions::fence();
            let (first, columns) = (a.first(), b.descriptor(0));
            self.issue::<Replace, L, TB, M, DEPTH>(a.operand(first, 0), columns);
            self.rest::<Add, _, _, _, _, DEPTH>(a, b, 1);
        }
    }

    /// As [`Running::add`], for integers, with sums that saturate at the limits of `i32` (`.satfinite`).
    ///
    /// ```
    /// use ptyx::device::{shared::Shared, wgmma::{Accumulator, B128, KMajor, SharedTile}};
    ///
    /// type Tile = Shared<SharedTile<u8, 64, 128, B128, KMajor>>;
    ///
    /// /// # Safety
    /// /// The tiles are filled, and nobody writes them meanwhile.
    /// unsafe fn add(a: Tile, b: Tile, sums: &mut Accumulator<i32, 64>) {
    ///     // SAFETY: as the caller's.
    ///     sums.accumulate(|running| unsafe { running.add_saturating(a, b) });
    /// }
    /// ```
    ///
    /// # Safety
    /// As [`Running::add`].
    #[inline(always)]
    #[track_caller]
    pub unsafe fn add_saturating<L, TB, S, M, const DEPTH: usize>(
        &mut self,
        a: L,
        b: Shared<SharedTile<TB, N, DEPTH, S, M>>,
    ) where
        L: Left<DEPTH>,
        L::Element: Product<TB, T>,
        TB: Factor,
        S: Swizzled,
        M: Major,
    {
        const {
            assert!(
                !<L::Element as products::sealed::Product<TB, T>>::SIGNS,
                "only sums of integers can saturate"
            )
        };
        // SAFETY: the caller's promise.
        unsafe { self.start::<AddSaturating, _, _, _, _, DEPTH>(a, b) }
    }

    /// Makes a group of the products started since the last group, for [`Running::wait`] (PTX
    /// `wgmma.commit_group`).
    ///
    /// ```
    /// use ptyx::device::wgmma::Running;
    ///
    /// /// Ends a step of a pipeline: the tiles of the previous step may be overwritten.
    /// fn next(running: &mut Running<'_, f32, 128>) {
    ///     running.commit();
    ///     running.wait::<1>();
    /// }
    /// ```
    #[doc(alias = "warpgroup_commit_batch")]
    #[inline(always)]
    #[track_caller]
    pub fn commit(&mut self) {
        instructions::commit();
    }

    /// Waits until all but the latest `PENDING` groups are done. The tiles of the finished groups may be
    /// overwritten (PTX `wgmma.wait_group`).
    ///
    /// ```
    /// use ptyx::device::wgmma::Running;
    ///
    /// /// Waits for all groups.
    /// fn settle(running: &mut Running<'_, i32, 16>) {
    ///     running.commit();
    ///     running.wait::<0>();
    /// }
    /// ```
    #[doc(alias = "warpgroup_wait")]
    #[inline(always)]
    #[track_caller]
    pub fn wait<const PENDING: u32>(&mut self) {
        const { assert!(PENDING <= 7, "at most 7 groups can be pending") };
        instructions::wait::<PENDING>();
    }

    /// Starts all instructions. A fence comes before them, because the registers of A are new, and because the
    /// assembler requires one where sums were not just multiplied, as in loops.
    ///
    /// # Safety
    /// As [`Running::add`].
    #[inline(always)]
    #[track_caller]
    unsafe fn start<O: Mode, L, TB, S, M, const DEPTH: usize>(
        &mut self,
        a: L,
        b: Shared<SharedTile<TB, N, DEPTH, S, M>>,
    ) where
        L: Left<DEPTH>,
        L::Element: Product<TB, T>,
        TB: Factor,
        S: Swizzled,
        M: Major,
    {
        let a = a.held();
        instructions::fence();
        // SAFETY: the caller's promise.
        unsafe { self.rest::<O, _, _, _, _, DEPTH>(a, b, 0) }
    }

    /// Starts the instructions from step `from` on.
    ///
    /// # Safety
    /// As [`Running::add`].
    #[inline(always)]
    #[track_caller]
    unsafe fn rest<O: Mode, L, TB, S, M, const DEPTH: usize>(
        &mut self,
        a: L,
        b: Shared<SharedTile<TB, N, DEPTH, S, M>>,
        from: usize,
    ) where
        L: Left<DEPTH>,
        L::Element: Product<TB, T>,
        TB: Factor,
        S: Swizzled,
        M: Major,
    {
        let (first, columns) = (a.first(), b.descriptor(0));
        let mut step = from;
        while step < SharedTile::<TB, N, DEPTH, S, M>::STEPS {
            unroll::full();
            let advance = Shared::<SharedTile<TB, N, DEPTH, S, M>>::advance(step);
            // SAFETY: the caller's promise.
            unsafe {
                let columns = columns.wrapping_add(advance);
                self.issue::<O, L, TB, M, DEPTH>(a.operand(first, step), columns);
            }
            step += 1;
        }
    }

    /// Starts one instruction.
    ///
    /// # Safety
    /// As [`Running::add`].
    #[inline(always)]
    #[track_caller]
    unsafe fn issue<O: Mode, L, TB, M: Major, const DEPTH: usize>(&mut self, a: Operand, b: u64)
    where
        L: Left<DEPTH>,
        L::Element: Product<TB, T>,
    {
        const {
            let depth = <L as sealed::Left>::DEPTH;
            assert!(depth.is_none() || depth.unwrap() == DEPTH, "A and B must be equally deep");
        }
        let registers = &mut self.sums.registers;
        // SAFETY: the caller's promise.
        unsafe {
            match a {
                Operand::Shared(a) => {
                    registers.start_shared::<Instruction<L::Element, TB, T, L, M, O, N>>(a, b);
                }
                Operand::Registers(a) => {
                    registers.start_registers::<Instruction<L::Element, TB, T, L, M, O, N>>(a, b);
                }
            }
        }
    }
}
