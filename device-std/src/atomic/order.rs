//! Memory orders and scopes, as types: an order that an operation can't have is a compile error.

use self::sealed::{IsOrder, IsScope};

/// Memory orders of atomics and fences (PTX ISA, [Memory Consistency Model](https://docs.nvidia.com/cuda/parallel-thread-execution/#memory-consistency-model)).
///
/// They mean what they mean in `core::sync::atomic`. [`Atomic::with`](super::Atomic::with) and
/// [`fence`](super::fence()) take them.
pub mod orders {
    /// The operation is indivisible, and does not order other accesses. (`.relaxed`)
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Relaxed;

    /// What the thread does after the operation sees what another thread did before it released the value
    /// that this operation read. (`.acquire`)
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Acquire;

    /// What the thread did before the operation is visible to a thread that acquires the value that this
    /// operation wrote. (`.release`)
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Release;

    /// Both, for operations that read and write, and for fences. (`.acq_rel`)
    #[derive(Clone, Copy, Debug, Default)]
    pub struct AcqRel;

    /// For fences: all threads agree on one order of these fences. (`.sc`)
    #[derive(Clone, Copy, Debug, Default)]
    pub struct SeqCst;
}

/// Scopes: the threads for which an operation is atomic and ordered (PTX ISA, [Scope](https://docs.nvidia.com/cuda/parallel-thread-execution/#scope)).
///
/// Threads outside the scope may see an operation in part, or not at all. A wider scope is always correct, but
/// costs more.
pub mod scopes {
    /// The threads of a block. (`.cta`)
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Block;

    /// The threads of a cluster. (`.cluster`, from `sm_90` on; on older architectures, the device.)
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Cluster;

    /// The threads of the device. (`.gpu`)
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Gpu;

    /// The threads of all devices and of the host. (`.sys`)
    #[derive(Clone, Copy, Debug, Default)]
    pub struct System;
}

use orders::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use scopes::{Block, Cluster, Gpu, System};

/// An order of an atomic operation: [`Relaxed`], [`Acquire`], [`Release`] or [`AcqRel`].
#[diagnostic::on_unimplemented(
    message = "an atomic operation can't have the order `{Self}`",
    label = "not `Relaxed`, `Acquire`, `Release` or `AcqRel`",
    note = "for sequential consistency, put `fence(SeqCst, scope)` before and after the operation"
)]
pub trait Order: IsOrder {}

/// An order of a load: [`Relaxed`] or [`Acquire`].
#[diagnostic::on_unimplemented(
    message = "a load can't have the order `{Self}`",
    label = "not `Relaxed` or `Acquire`"
)]
pub trait LoadOrder: Order {}

/// An order of a store: [`Relaxed`] or [`Release`].
#[diagnostic::on_unimplemented(
    message = "a store can't have the order `{Self}`",
    label = "not `Relaxed` or `Release`"
)]
pub trait StoreOrder: Order {}

/// An order of a fence: [`Acquire`], [`Release`], [`AcqRel`] or [`SeqCst`].
#[diagnostic::on_unimplemented(
    message = "a fence can't have the order `{Self}`",
    label = "not `Acquire`, `Release`, `AcqRel` or `SeqCst`"
)]
pub trait FenceOrder: IsOrder {}

/// A scope: [`Block`], [`Cluster`], [`Gpu`] or [`System`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no scope",
    label = "not `Block`, `Cluster`, `Gpu` or `System`"
)]
pub trait Scope: IsScope {}

impl Order for Relaxed {}
impl Order for Acquire {}
impl Order for Release {}
impl Order for AcqRel {}
impl LoadOrder for Relaxed {}
impl LoadOrder for Acquire {}
impl StoreOrder for Relaxed {}
impl StoreOrder for Release {}
impl FenceOrder for Acquire {}
impl FenceOrder for Release {}
impl FenceOrder for AcqRel {}
impl FenceOrder for SeqCst {}

pub(crate) mod sealed {
    /// The order's number (`compiler/src/lower/atomics.rs` reads it).
    pub trait IsOrder: Copy {
        const ORDER: u32;
    }

    /// The scope's number.
    pub trait IsScope: Copy {
        const SCOPE: u32;
    }
}

macro_rules! numbers {
    ($($order:ident $number:literal)*; $($scope:ident $scope_number:literal)*) => {
        $(impl IsOrder for $order {
            const ORDER: u32 = $number;
        })*
        $(impl IsScope for $scope {
            const SCOPE: u32 = $scope_number;
        }
        impl Scope for $scope {})*
    };
}
numbers! { Relaxed 0 Acquire 1 Release 2 AcqRel 3 SeqCst 4; Block 0 Cluster 1 Gpu 2 System 3 }

/// An order and a scope, as intrinsics take them.
pub trait How {
    const HOW: u32;
    /// The same scope, relaxed.
    type Relaxed: How;
}

impl<O: IsOrder, S: IsScope> How for (O, S) {
    const HOW: u32 = S::SCOPE << 4 | O::ORDER;
    type Relaxed = (Relaxed, S);
}

/// Of atomics that say nothing else.
pub(crate) const RELAXED: u32 = <(Relaxed, Gpu)>::HOW;

/// Of a fence of the device.
pub(crate) const FENCE_DEVICE: u32 = <(SeqCst, Gpu)>::HOW;

/// Of a fence that the host sees, too.
#[cfg(ptyx_device)]
pub(crate) const FENCE_SYSTEM: u32 = <(SeqCst, System)>::HOW;
