//! The matrix A of a product: in shared memory or in registers.

use super::instructions::Registers as _;
use super::products::Factor;
use super::swizzle::{Major, Swizzled, is_transposed};
use super::tile::{Band, SharedTile};
use crate::mma::{A, Fragment, Shape};
use crate::shared::Shared;

/// A matrix A with 64 rows and depth `DEPTH`: a [`SharedTile`] of 64 rows, a [`Band`] of a tile with more rows, or
/// registers, `[Fragment<A, T, 16, K>; STEPS]`.
///
/// In registers, each warp holds 16 rows, with one [`Fragment`] for the depth K of each instruction (16 for
/// elements of 16 bits, 8 for [`Tf32`](crate::mma::Tf32), 32 for elements of 8 bits).
///
/// ```
/// use ptyx::device::mma::{A, E4m3, Fragment};
/// use ptyx::device::shared::Shared;
/// use ptyx::device::wgmma::{B128, Band, KMajor, Left, SharedTile};
///
/// /// Compiles only for what can be multiplied by a tile of depth 128.
/// fn is_left<L: Left<128>>() {}
/// is_left::<Shared<SharedTile<E4m3, 64, 128, B128, KMajor>>>();
/// is_left::<Band<E4m3, 256, 128, B128, KMajor>>();
/// is_left::<[Fragment<A, E4m3, 16, 32>; 4]>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a matrix A with 64 rows and depth {DEPTH}",
    note = "A is a `SharedTile` of 64 rows, a `Band`, or an array of `Fragment<A, _, 16, _>`; it must be as deep as B"
)]
pub trait Left<const DEPTH: usize>: sealed::Left {
    /// The type of its elements.
    type Element: Factor;
}

pub(super) mod sealed {
    /// What an instruction is given of A.
    pub enum Operand {
        /// A descriptor.
        Shared(u64),
        /// Registers of a fragment.
        Registers([u32; 4]),
    }

    pub trait Left: Copy {
        /// Whether it is transposed in shared memory; `None` in registers.
        const TRANSPOSED: Option<bool>;
        /// The depth of registers, if they are those of whole instructions.
        const DEPTH: Option<usize> = None;

        /// The same, with its registers computed before what follows.
        #[inline(always)]
        fn held(self) -> Self {
            self
        }

        /// The operand of step 0, once for all steps.
        fn first(self) -> u64;

        /// The operand of a step, with what [`Left::first`] has returned.
        fn operand(self, first: u64, step: usize) -> Operand;
    }
}

use sealed::Operand;

impl<T: Factor, const DEPTH: usize, S: Swizzled, M: Major> sealed::Left
    for Shared<SharedTile<T, 64, DEPTH, S, M>>
{
    const TRANSPOSED: Option<bool> = Some(is_transposed::<M>());

    #[inline(always)]
    fn first(self) -> u64 {
        self.descriptor(0)
    }

    #[inline(always)]
    fn operand(self, first: u64, step: usize) -> Operand {
        Operand::Shared(first.wrapping_add(Self::advance(step)))
    }
}

impl<T: Factor, const DEPTH: usize, S: Swizzled, M: Major> Left<DEPTH>
    for Shared<SharedTile<T, 64, DEPTH, S, M>>
{
    type Element = T;
}

impl<T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major> sealed::Left
    for Band<T, ROWS, DEPTH, S, M>
{
    const TRANSPOSED: Option<bool> = Some(is_transposed::<M>());

    #[inline(always)]
    fn first(self) -> u64 {
        self.tile.descriptor(self.row)
    }

    #[inline(always)]
    fn operand(self, first: u64, step: usize) -> Operand {
        Operand::Shared(
            first.wrapping_add(Shared::<SharedTile<T, ROWS, DEPTH, S, M>>::advance(step)),
        )
    }
}

impl<T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major> Left<DEPTH>
    for Band<T, ROWS, DEPTH, S, M>
{
    type Element = T;
}

impl<T, const K: usize, const STEPS: usize> sealed::Left for [Fragment<A, T, 16, K>; STEPS]
where
    T: Factor + Shape<A, 16, K, Registers = [u32; 4]>,
{
    const TRANSPOSED: Option<bool> = None;
    const DEPTH: Option<usize> = {
        assert!(K as u32 * T::BITS == 256, "a fragment must have the depth of one instruction");
        Some(K * STEPS)
    };

    #[inline(always)]
    fn held(self) -> Self {
        self.map(|fragment| {
            let mut registers = fragment.registers();
            registers.hold();
            Fragment::from_registers(registers)
        })
    }

    #[inline(always)]
    fn first(self) -> u64 {
        0
    }

    #[inline(always)]
    fn operand(self, _: u64, step: usize) -> Operand {
        Operand::Registers(self[step].registers())
    }
}

impl<T, const K: usize, const STEPS: usize, const DEPTH: usize> Left<DEPTH>
    for [Fragment<A, T, 16, K>; STEPS]
where
    T: Factor + Shape<A, 16, K, Registers = [u32; 4]>,
{
    type Element = T;
}
