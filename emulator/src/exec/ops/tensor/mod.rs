//! Tensor cores (PTX ISA, section 9.7.14): products of small matrices that a warp holds together.
//!
//! | file | is about |
//! |---|---|
//! | `fragment` | which lane's register holds which element |
//! | `mma` | the forms of `mma.sync` |
//! | `exact` | products of integers, bits and `f64` |
//! | `sparse` | `mma.sp` |
//! | `scaled` | `mma.sync` with floats of 6 and 4 bits, and with scales of blocks |
//! | `factor` | narrower floats as factors, and the types of their sums |
//! | `sum`, `wide` | how the hardware rounds sums of products of narrower floats; the same for eight columns at a time |
//! | `descriptor`, `warpgroup`, `wgmma` | products of warpgroups: matrices in shared memory; the product; the instructions |
//! | `tile` | `ldmatrix`, `stmatrix`, `movmatrix`: 8x8 tiles of 16-bit elements |
//! | `wmma` | fragments of `wmma` in memory |

/// Defines a function that is also compiled for AVX2 and FMA, and runs so where the host has both. A generic parameter
/// is in square brackets.
macro_rules! vectorised {
    (
        $(#[$doc:meta])*
        $visible:vis fn $name:ident $([$generic:ident: $bound:path])? ($($argument:ident: $type:ty),* $(,)?) $body:block
    ) => {
        $(#[$doc])*
        $visible fn $name $(<$generic: $bound>)? ($($argument: $type),*) {
            #[inline(always)]
            fn anywhere $(<$generic: $bound>)? ($($argument: $type),*) $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn wide $(<$generic: $bound>)? ($($argument: $type),*) {
                    anywhere($($argument),*);
                }
                if crate::exec::ops::width::Width::chosen().has_avx2() {
                    // SAFETY: the host has the features.
                    return unsafe { wide($($argument),*) };
                }
            }
            anywhere($($argument),*);
        }
    };
}

mod descriptor;
mod exact;
mod factor;
mod fragment;
pub(crate) mod mma;
pub(crate) mod quads;
pub(crate) mod scaled;
pub(crate) mod sparse;
mod sum;
pub(crate) mod tile;
mod warpgroup;
pub(crate) mod wgmma;
#[cfg(target_arch = "x86_64")]
mod wide;
pub(crate) mod wmma;

use crate::exec::context::{Context, FULL, Flow};
use crate::exec::fault::FaultKind;

impl Context<'_> {
    /// Runs an operation of the whole warp, once all of its lanes are here. `everyone` is the constant of a
    /// full mask. The operation returns what is wrong, if anything, and the lane whose fault it is.
    pub(in crate::exec::ops) fn warp_wide(
        &mut self,
        everyone: u32,
        mask: u32,
        operation: impl FnOnce(&mut Context<'_>) -> Result<(), (FaultKind, u32)>,
    ) -> Flow {
        let mut operation = Some(operation);
        let mut wrong = None;
        let flow = self.together(everyone, mask, |context, present, _| {
            wrong = match operation.take() {
                // Some have exited, or the block's last warp has fewer.
                _ if present != FULL => {
                    Some((FaultKind::PartOfWarp { present }, present.trailing_zeros()))
                }
                Some(operation) => operation(context).err(),
                None => None,
            };
        });
        match wrong {
            Some((kind, lane)) => self.fault(kind, lane),
            None => flow,
        }
    }
}
