//! Memory orders and scopes, as types: an order that an operation can't have is a compile error.

pub(crate) use self::sealed::How;
use self::sealed::{IsOrder, IsScope};
use crate::ptx::word;

/// Memory orders of atomics and fences (PTX ISA, [Memory Consistency Model](https://docs.nvidia.com/cuda/parallel-thread-execution/#memory-consistency-model)).
///
/// They mean what they mean in `core::sync::atomic`. [`Atomic::with`](super::Atomic::with) and
/// [`fence`](super::fence()) take them.
pub mod orders {
    /// The operation is indivisible, and does not order other accesses. (`.relaxed`)
    ///
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::Relaxed, scopes::Block};
    ///
    /// /// Counts among the block's threads only, which costs less than the default scope, the device.
    /// fn count(hits: &Atomic<u32>) {
    ///     hits.with(Relaxed, Block).fetch_add(1);
    /// }
    /// # let hits = Atomic::new(0);
    /// # count(&hits);
    /// # assert_eq!(hits.load(), 1);
    /// ```
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Relaxed;

    /// What the thread does after the operation sees what another thread did before it released the value
    /// that this operation read. (`.acquire`)
    ///
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::Acquire, scopes::Gpu};
    ///
    /// /// Reads a value that another block writes before it releases the flag.
    /// fn receive(value: &Atomic<f32>, flag: &Atomic<u32>) -> f32 {
    ///     while flag.with(Acquire, Gpu).load() == 0 {}
    ///     value.load()
    /// }
    /// # assert_eq!(receive(&Atomic::new(1.5), &Atomic::new(1)), 1.5);
    /// ```
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Acquire;

    /// What the thread did before the operation is visible to a thread that acquires the value that this
    /// operation wrote. (`.release`)
    ///
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::Release, scopes::Gpu};
    ///
    /// /// Writes a value for another block, which acquires the flag before it reads the value.
    /// fn send(value: &Atomic<f32>, flag: &Atomic<u32>) {
    ///     value.store(1.5);
    ///     flag.with(Release, Gpu).store(1);
    /// }
    /// # let (value, flag) = (Atomic::new(0.0), Atomic::new(0));
    /// # send(&value, &flag);
    /// # assert_eq!((value.load(), flag.load()), (1.5, 1));
    /// ```
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Release;

    /// Both, for operations that read and write, and for fences. (`.acq_rel`)
    ///
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::AcqRel, scopes::Gpu};
    ///
    /// /// Whether all other blocks have arrived. If so, what they wrote before that is visible.
    /// fn is_last(arrived: &Atomic<u32>, blocks: u32) -> bool {
    ///     arrived.with(AcqRel, Gpu).fetch_add(1) == blocks - 1
    /// }
    /// # let arrived = Atomic::new(0);
    /// # assert_eq!([is_last(&arrived, 2), is_last(&arrived, 2)], [false, true]);
    /// ```
    #[derive(Clone, Copy, Debug, Default)]
    pub struct AcqRel;

    /// For fences: all threads agree on one order of these fences. (`.sc`)
    ///
    /// ```
    /// use ptyx::device::atomic::{Atomic, fence, orders::SeqCst, scopes::Gpu};
    ///
    /// /// Raises this side's flag and returns whether the other's is down. Of two threads that do this at the same time, at
    /// /// most one gets `true`: weaker orders do not guarantee that.
    /// fn enter(own: &Atomic<u32>, other: &Atomic<u32>) -> bool {
    ///     own.store(1);
    ///     fence(SeqCst, Gpu);
    ///     other.load() == 0
    /// }
    /// ```
    #[derive(Clone, Copy, Debug, Default)]
    pub struct SeqCst;
}

/// Scopes: the threads for which an operation is atomic and ordered (PTX ISA, [Scope](https://docs.nvidia.com/cuda/parallel-thread-execution/#scope)).
///
/// Threads outside the scope may see an operation in part, or not at all. A wider scope is always correct, but
/// costs more.
pub mod scopes {
    /// The threads of a block. (`.cta`)
    ///
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::Relaxed, scopes::Block};
    /// use ptyx::prelude::*;
    ///
    /// /// Counts the block's positive values in shared memory, which only its own threads use.
    /// fn count_positive(value: f32) -> u32 {
    ///     let count: &Atomic<u32> = &shared!([u32; 1]).atomics(0)[0];
    ///     if value > 0.0 {
    ///         count.with(Relaxed, Block).fetch_add(1);
    ///     }
    ///     block::sync();
    ///     count.load()
    /// }
    /// ```
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Block;

    /// The threads of a cluster. (`.cluster`, from `sm_90` on; on older architectures, the device.)
    ///
    /// ```
    /// use ptyx::device::{atomic::{orders::Release, scopes::Cluster}, group::Peers};
    ///
    /// /// Tells block 0 of the cluster that this block's values are written.
    /// fn signal(flags: &Peers<u32>, block: usize) {
    ///     flags.of(0)[block].with(Release, Cluster).store(1);
    /// }
    /// ```
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Cluster;

    /// The threads of the device. (`.gpu`)
    ///
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::Acquire, scopes::Gpu};
    ///
    /// /// Waits until the blocks before this one have had their turn.
    /// fn wait_for_turn(turn: &Atomic<u32>, block: u32) {
    ///     while turn.with(Acquire, Gpu).load() != block {}
    /// }
    /// # wait_for_turn(&Atomic::new(3), 3);
    /// ```
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Gpu;

    /// The threads of all devices and of the host. (`.sys`)
    ///
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::Release, scopes::System};
    ///
    /// /// Tells the host, which reads `progress` in mapped memory while the kernel runs, how many rows are written.
    /// fn report(progress: &Atomic<u32>, rows: u32) {
    ///     progress.with(Release, System).store(rows);
    /// }
    /// # let progress = Atomic::new(0);
    /// # report(&progress, 7);
    /// # assert_eq!(progress.load(), 7);
    /// ```
    #[derive(Clone, Copy, Debug, Default)]
    pub struct System;
}

use orders::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use scopes::{Block, Cluster, Gpu, System};

/// The device, where the program has not chosen a scope. The compiler may narrow the scope of such a load where no program can tell the
/// difference (`compiler/src/optimise/load_nearby.rs`), which it does not do where [`Gpu`] was asked for.
#[derive(Clone, Copy)]
pub(crate) struct Unchosen;

/// An order of an atomic operation: [`Relaxed`], [`Acquire`], [`Release`] or [`AcqRel`].
///
/// ```
/// use ptyx::device::atomic::{Atomic, Order, Scope, orders::*, scopes::*};
///
/// /// The next number of a sequence, with the order and scope that the caller needs.
/// fn next(number: &Atomic<u32>, order: impl Order, scope: impl Scope) -> u32 {
///     number.with(order, scope).fetch_add(1)
/// }
/// let number = Atomic::new(0);
/// assert_eq!(next(&number, Relaxed, Block), 0);
/// assert_eq!(next(&number, AcqRel, System), 1);
/// ```
#[diagnostic::on_unimplemented(
    message = "an atomic operation can't have the order `{Self}`",
    label = "not `Relaxed`, `Acquire`, `Release` or `AcqRel`",
    note = "for sequential consistency, put `fence(SeqCst, scope)` before and after the operation"
)]
pub trait Order: IsOrder {}

/// An order of a load: [`Relaxed`] or [`Acquire`].
///
/// ```
/// use ptyx::device::atomic::{Atomic, LoadOrder, orders::*, scopes::Gpu};
///
/// /// Waits for a flag. With `Acquire`, what was written before the flag is visible afterwards.
/// fn wait(flag: &Atomic<u32>, order: impl LoadOrder) {
///     while flag.with(order, Gpu).load() == 0 {}
/// }
/// wait(&Atomic::new(1), Acquire);
/// ```
#[diagnostic::on_unimplemented(
    message = "a load can't have the order `{Self}`",
    label = "not `Relaxed` or `Acquire`"
)]
pub trait LoadOrder: Order {}

/// An order of a store: [`Relaxed`] or [`Release`].
///
/// ```
/// use ptyx::device::atomic::{Atomic, StoreOrder, orders::*, scopes::Gpu};
///
/// /// Releases a lock. `Relaxed` is enough only if the lock protects no memory.
/// fn unlock(lock: &Atomic<u32>, order: impl StoreOrder) {
///     lock.with(order, Gpu).store(0);
/// }
/// let lock = Atomic::new(1);
/// unlock(&lock, Release);
/// assert_eq!(lock.load(), 0);
/// ```
#[diagnostic::on_unimplemented(
    message = "a store can't have the order `{Self}`",
    label = "not `Relaxed` or `Release`"
)]
pub trait StoreOrder: Order {}

/// An order of a fence: [`Acquire`], [`Release`], [`AcqRel`] or [`SeqCst`].
///
/// ```
/// use ptyx::device::atomic::{Atomic, FenceOrder, fence, scopes::Block};
///
/// /// Orders the accesses on both sides of a relaxed exchange.
/// fn swap(value: &Atomic<u32>, new: u32, order: impl FenceOrder) -> u32 {
///     fence(order, Block);
///     let before = value.swap(new);
///     fence(order, Block);
///     before
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "a fence can't have the order `{Self}`",
    label = "not `Acquire`, `Release`, `AcqRel` or `SeqCst`"
)]
pub trait FenceOrder: IsOrder {}

/// A scope: [`Block`], [`Cluster`], [`Gpu`] or [`System`].
///
/// ```
/// use ptyx::device::atomic::{Atomic, Scope, orders::*, scopes::*};
///
/// /// Takes a lock that threads of the block, of the device or of the whole system share.
/// fn lock(lock: &Atomic<u32>, scope: impl Scope) {
///     while lock.with(Acquire, scope).compare_exchange_weak(0, 1).is_err() {}
/// }
/// let of_block = Atomic::new(0);
/// lock(&of_block, Block);
/// assert_eq!(of_block.load(), 1);
/// ```
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
        /// Its name in PTX.
        const NAME: &'static str;
    }

    /// The scope's number.
    pub trait IsScope: Copy {
        const SCOPE: u32;
        /// Its name in PTX.
        const NAME: &'static str;
    }

    /// An order and a scope, as intrinsics take them.
    pub trait How {
        const HOW: u32;
        /// Both as they stand in an instruction, such as `relaxed.gpu`: a word for inline PTX.
        const WORD: u128;
        /// The same scope, relaxed.
        type Relaxed: How;
    }
}

macro_rules! numbers {
    ($($order:ident $number:literal $name:literal)*; $($scope:ident $scope_number:literal $scope_name:literal)*) => {
        $(impl IsOrder for $order {
            const ORDER: u32 = $number;
            const NAME: &'static str = $name;
        })*
        $(impl IsScope for $scope {
            const SCOPE: u32 = $scope_number;
            const NAME: &'static str = $scope_name;
        }
        impl Scope for $scope {})*
    };
}
numbers! {
    Relaxed 0 "relaxed" Acquire 1 "acquire" Release 2 "release" AcqRel 3 "acq_rel" SeqCst 4 "sc";
    Block 0 "cta" Cluster 1 "cluster" Gpu 2 "gpu" System 3 "sys" Unchosen 4 "gpu"
}

impl<O: IsOrder, S: IsScope> How for (O, S) {
    const HOW: u32 = S::SCOPE << 4 | O::ORDER;
    const WORD: u128 = {
        let (order, scope) = (O::NAME.as_bytes(), S::NAME.as_bytes());
        let behind = 8 * (order.len() + 1);
        assert!(order.len() + 1 + scope.len() <= 16);
        word(order) | word(b".") << (behind - 8) | word(scope) << behind
    };
    type Relaxed = (Relaxed, S);
}

/// Of atomics that say nothing else.
pub(crate) const RELAXED: u32 = <(Relaxed, Gpu)>::HOW;

/// Of an acquire load, on the device.
pub(crate) const ACQUIRE: u32 = <(Acquire, Gpu)>::HOW;

/// Of a fence that is acquire and release, on the device.
pub(crate) const FENCE_ACQ_REL: u32 = <(AcqRel, Gpu)>::HOW;

/// Of a fence that the host sees, too.
#[cfg(ptyx_device)]
pub(crate) const FENCE_SYSTEM: u32 = <(SeqCst, System)>::HOW;
