//! The operations of reductions, and their types.

use crate::ptx::word;

pub(crate) mod sealed {
    pub trait Operation {
        /// Its name in PTX, as a word.
        const NAME: u128;
    }
}

/// An operation on elements of type `T` in global memory, done atomically for each: [`Add`] and the others.
///
/// ```
/// use ptyx::device::bulk::{Add, Max, Reduction};
/// fn exists<T, R: Reduction<T>>() {}
/// exists::<f32, Add>();
/// exists::<i64, Max>();
/// ```
#[diagnostic::on_unimplemented(
    message = "the reduction `{Self}` has no elements of type `{T}` in global memory",
    note = "`Add`: `u32`, `i32`, `u64`, `i64`, `f32`, `f64`, `f16`, `bf16`; `Min`, `Max`: `u32`, `i32`, `u64`, `i64`, `f16`, `bf16`; `Inc`, `Dec`: `u32`; `And`, `Or`, `Xor`: `u32`, `i32`, `u64`, `i64`"
)]
pub trait Reduction<T>: sealed::Operation {
    /// Operation and type in PTX, as a word.
    #[doc(hidden)]
    const WORD: u128;
}

/// An operation on elements of type `T` in the shared memory of a cluster, done atomically for each.
///
/// ```
/// use ptyx::device::bulk::{Add, ClusterReduction, Max};
/// fn exists<T, R: ClusterReduction<T>>() {}
/// exists::<u64, Add>();
/// exists::<i32, Max>();
/// ```
#[diagnostic::on_unimplemented(
    message = "the reduction `{Self}` has no elements of type `{T}` in shared memory",
    note = "`Add`: `u32`, `i32`, `u64`, `i64`; `Min`, `Max`: `u32`, `i32`; `Inc`, `Dec`: `u32`; `And`, `Or`, `Xor`: `u32`, `i32`"
)]
pub trait ClusterReduction<T>: sealed::Operation {
    /// Operation and type in PTX, as a word.
    #[doc(hidden)]
    const WORD: u128;
}

macro_rules! operations {
    ($(
        $(#[$doc:meta])* $name:ident $word:literal:
        $($type:ty = $text:literal),*; $($in_cluster:ty = $in_cluster_text:literal),*;
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub enum $name {}

        impl sealed::Operation for $name {
            const NAME: u128 = word($word);
        }

        $(impl Reduction<$type> for $name {
            const WORD: u128 = word($text);
        })*
        $(impl ClusterReduction<$in_cluster> for $name {
            const WORD: u128 = word($in_cluster_text);
        })*
    )*};
}

operations! {
    /// Adds; integers wrap around.
    ///
    /// ```
    /// use ptyx::device::{bulk, shared::Shared};
    ///
    /// /// Starts to add this block's sums to those of all blocks.
    /// ///
    /// /// # Safety
    /// /// As [`bulk::reduce_to_global`].
    /// unsafe fn add(all: *mut [f64], own: Shared<[f64]>) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { bulk::reduce_to_global::<bulk::Add, _>(all, own) };
    ///     bulk::commit();
    /// }
    /// ```
    Add b"add": u32 = b"add.u32", i32 = b"add.s32", u64 = b"add.u64", i64 = b"add.u64",
        f32 = b"add.f32", f64 = b"add.f64";
        u32 = b"add.u32", i32 = b"add.s32", u64 = b"add.u64", i64 = b"add.u64";
    /// Keeps the smaller one.
    ///
    /// ```
    /// use ptyx::device::{bulk, shared::Shared};
    ///
    /// /// Starts to lower the distances of a graph's nodes to those in `found`, where these are shorter.
    /// ///
    /// /// # Safety
    /// /// As [`bulk::reduce_to_global`].
    /// unsafe fn relax(distances: *mut [u32], found: Shared<[u32]>) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { bulk::reduce_to_global::<bulk::Min, _>(distances, found) };
    ///     bulk::commit();
    /// }
    /// ```
    Min b"min": u32 = b"min.u32", i32 = b"min.s32", u64 = b"min.u64", i64 = b"min.s64";
        u32 = b"min.u32", i32 = b"min.s32";
    /// Keeps the larger one.
    ///
    /// ```
    /// use ptyx::device::{bulk, shared::Shared};
    ///
    /// /// Starts to raise the peaks of all blocks to this block's, where these are higher: signed 64-bit integers.
    /// ///
    /// /// # Safety
    /// /// As [`bulk::reduce_to_global`].
    /// unsafe fn keep(peaks: *mut [i64], own: Shared<[i64]>) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { bulk::reduce_to_global::<bulk::Max, _>(peaks, own) };
    ///     bulk::commit();
    /// }
    /// ```
    Max b"max": u32 = b"max.u32", i32 = b"max.s32", u64 = b"max.u64", i64 = b"max.s64";
        u32 = b"max.u32", i32 = b"max.s32";
    /// Adds 1; a number that has reached the operand becomes 0.
    ///
    /// ```
    /// use ptyx::device::{bulk, shared::Shared};
    ///
    /// /// Starts to advance positions in ring buffers, each of which has a last position.
    /// ///
    /// /// # Safety
    /// /// As [`bulk::reduce_to_global`].
    /// unsafe fn advance(positions: *mut [u32], last: Shared<[u32]>) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { bulk::reduce_to_global::<bulk::Inc, _>(positions, last) };
    ///     bulk::commit();
    /// }
    /// ```
    Inc b"inc": u32 = b"inc.u32"; u32 = b"inc.u32";
    /// Subtracts 1; 0, or a number above the operand, becomes the operand.
    ///
    /// ```
    /// use ptyx::device::{bulk, shared::Shared};
    ///
    /// /// Starts to count timers down. One that has reached 0 begins again at its period.
    /// ///
    /// /// # Safety
    /// /// As [`bulk::reduce_to_global`].
    /// unsafe fn tick(timers: *mut [u32], periods: Shared<[u32]>) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { bulk::reduce_to_global::<bulk::Dec, _>(timers, periods) };
    ///     bulk::commit();
    /// }
    /// ```
    Dec b"dec": u32 = b"dec.u32"; u32 = b"dec.u32";
    /// Bitwise AND.
    ///
    /// ```
    /// use ptyx::device::{bulk, shared::Shared};
    ///
    /// /// Starts to clear the flags that are 0 in `kept`.
    /// ///
    /// /// # Safety
    /// /// As [`bulk::reduce_to_global`].
    /// unsafe fn clear(flags: *mut [u64], kept: Shared<[u64]>) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { bulk::reduce_to_global::<bulk::And, _>(flags, kept) };
    ///     bulk::commit();
    /// }
    /// ```
    And b"and": u32 = b"and.b32", i32 = b"and.b32", u64 = b"and.b64", i64 = b"and.b64";
        u32 = b"and.b32", i32 = b"and.b32";
    /// Bitwise OR.
    ///
    /// ```
    /// use ptyx::device::{bulk, shared::Shared};
    ///
    /// /// Starts to add this block's set of nodes to the union of all, one bit for each node.
    /// ///
    /// /// # Safety
    /// /// As [`bulk::reduce_to_global`].
    /// unsafe fn unite(visited: *mut [u32], own: Shared<[u32]>) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { bulk::reduce_to_global::<bulk::Or, _>(visited, own) };
    ///     bulk::commit();
    /// }
    /// ```
    Or b"or": u32 = b"or.b32", i32 = b"or.b32", u64 = b"or.b64", i64 = b"or.b64";
        u32 = b"or.b32", i32 = b"or.b32";
    /// Bitwise exclusive OR.
    ///
    /// ```
    /// use ptyx::device::{bulk, shared::Shared};
    ///
    /// /// Starts to combine the parity of this block's data with that of all blocks.
    /// ///
    /// /// # Safety
    /// /// As [`bulk::reduce_to_global`].
    /// unsafe fn parity(all: *mut [u32], own: Shared<[u32]>) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { bulk::reduce_to_global::<bulk::Xor, _>(all, own) };
    ///     bulk::commit();
    /// }
    /// ```
    Xor b"xor": u32 = b"xor.b32", i32 = b"xor.b32", u64 = b"xor.b64", i64 = b"xor.b64";
        u32 = b"xor.b32", i32 = b"xor.b32";
}

#[cfg(feature = "half")]
macro_rules! halves {
    ($($name:ident $half:literal $brain:literal;)*) => {$(
        impl Reduction<half::f16> for $name {
            const WORD: u128 = word($half);
        }
        impl Reduction<half::bf16> for $name {
            const WORD: u128 = word($brain);
        }
    )*};
}

#[cfg(feature = "half")]
halves! {
    Add b"add.noftz.f16" b"add.noftz.bf16";
    Min b"min.f16" b"min.bf16";
    Max b"max.f16" b"max.bf16";
}
