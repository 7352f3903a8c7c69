//! The grid as a group, in a cooperative launch, on every device that Ptyx supports (`sm_70`).
//!
//! The driver gives each cooperative launch some memory, and its address in the registers `%envreg1` and
//! `%envreg2`, of which the PTX ISA says only that the driver defines them. NVIDIA's own library reads them
//! in every kernel that calls `grid.sync()`: see `__grid_workspace_ptr` in the source of CCCL
//! (`libcudacxx`). The word behind the memory's size is the barrier. Its lower 31 bits are 0 when no thread
//! is at the barrier.
//!
//! In other launches the registers keep what an earlier launch left there. So the host library passes to each
//! kernel that calls `sync` whether its launch is cooperative.

use crate::atomic::order::{FENCE_DEVICE, RELAXED};
use crate::{block, grid, intrinsics, thread};

/// All threads of a cooperative launch, from [`grid()`](grid()).
///
/// Every device that Ptyx supports has cooperative launches (`sm_70`). There is no instruction for them: the barrier is
/// made of PTX [`atom.add`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom) and
/// [`fence`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-membar).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Smooths `x` ten times; `y` is as long.
/// #[kernel]
/// fn smooth(x: Atomics<f32>, y: Atomics<f32>) {
///     let grid: group::Grid = group::grid();
///     for step in 0..10 {
///         let (from, to) = if step % 2 == 0 { (x, y) } else { (y, x) };
///         for i in thread::grid_stride(from.len()) {
///             let i = i.get();
///             let right = from[(i + 1) % from.len()].load();
///             to[i].store((from[i].load() + right) / 2.0);
///         }
///         grid.sync(); // all blocks have written `to`
///     }
/// }
///
/// # fn run() -> ptyx::Result<()> {
/// let mut x = DeviceBuffer::filled(1000, 1.0f32)?;
/// let mut y = DeviceBuffer::zeroed(1000)?;
/// launch!(smooth<<<8, 128>>>(&mut x, &mut y), cooperative)?;
/// # Ok(()) }
/// ```
#[doc(alias = "grid_group")]
#[derive(Clone, Copy, Debug)]
pub struct Grid(());

/// All threads of the launch.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Whether this is the launch's first thread.
/// fn leads() -> bool {
///     group::grid().rank() == 0
/// }
/// ```
#[doc(alias = "this_grid")]
#[inline(always)]
pub fn grid() -> Grid {
    Grid(())
}

/// The bit of the barrier that changes when all blocks have arrived.
const TURN: u32 = 1 << 31;

impl Grid {
    /// How many threads the grid has ([`%nctaid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-nctaid) times
    /// [`%ntid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ntid)). Does not wait.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// How many of `len` elements each thread of the launch works on.
    /// fn share(len: u64) -> u64 {
    ///     len.div_ceil(group::grid().size())
    /// }
    /// ```
    #[doc(alias = "num_threads")]
    #[inline(always)]
    #[track_caller]
    pub fn size(self) -> u64 {
        grid::threads()
    }

    /// This thread's number in the grid: block after block, in each by [`thread::rank`]. Does not wait.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Writes a result to a place of this thread's own, in grids and blocks of any shape.
    /// fn record(results: Atomics<f32>, result: f32) {
    ///     results[group::grid().rank() as usize].store(result);
    /// }
    /// ```
    #[doc(alias = "thread_rank")]
    #[inline(always)]
    #[track_caller]
    pub fn rank(self) -> u64 {
        block::rank() * u64::from(block::threads()) + u64::from(thread::rank())
    }

    /// Calls `function` in one thread of the grid, that of rank 0, which gets the result; the others get `None`. Does
    /// not wait.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn start(progress: Atomics<u32>) {
    ///     group::grid().invoke_one(|| progress[0].store(1));
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn invoke_one<R>(self, function: impl FnOnce() -> R) -> Option<R> {
        (self.rank() == 0).then(function)
    }

    /// Waits for all blocks of the grid. What each thread wrote before is then visible to all of them.
    ///
    /// It consists of a [`barrier`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar)
    /// of the block, after which one thread of each block counts by
    /// [`atom.add`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom) and waits for the others.
    ///
    /// All threads that have not ended must call it. If all threads of a block have ended, by return or
    /// panic, the other blocks wait forever; the emulated device reports that.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Divides by the sum of all elements. Launched as `launch!(.., cooperative)`.
    /// #[kernel]
    /// fn normalise(mut x: Disjoint<f32>, sum: Atomics<f32>) {
    ///     let i = thread::index_1d();
    ///     sum[0].fetch_add(x[i]);
    ///     group::grid().sync(); // all threads have added their elements
    ///     x[i] /= sum[0].load();
    /// }
    /// ```
    ///
    /// # Panics
    /// If the launch is not cooperative.
    #[doc(alias = "this_grid().sync")]
    #[inline(always)]
    #[track_caller]
    pub fn sync(self) {
        // SAFETY: reads a parameter.
        let is_cooperative = unsafe { intrinsics::__ptyx_is_cooperative() } != 0;
        assert!(
            is_cooperative,
            "the blocks of this launch can't wait for each other: write `launch!(.., cooperative)`"
        );
        // After this, all threads of the block are here, and the leader's fence covers what they wrote.
        if leads() {
            let barrier = (workspace() as *mut u32).wrapping_add(1);
            let others = (grid::blocks() as u32).wrapping_sub(1);
            // All together add 2^31.
            let step = if block::rank() == 0 { TURN.wrapping_sub(others) } else { 1 };
            // SAFETY: the driver's word for this barrier, as the launch is cooperative.
            unsafe {
                intrinsics::atomic_fence(FENCE_DEVICE);
                let before = intrinsics::atomic_add_u32(barrier, step, RELAXED);
                while (intrinsics::volatile_load_u32(barrier) ^ before) & TURN == 0 {}
                intrinsics::atomic_fence(FENCE_DEVICE);
            }
        }
        block::sync();
    }
}

/// Address of a cooperative launch's memory for its barrier.
#[inline(always)]
#[track_caller]
fn workspace() -> u64 {
    // SAFETY: reads special registers.
    unsafe { u64::from(intrinsics::envreg1()) << 32 | u64::from(intrinsics::envreg2()) }
}

/// Waits for the block; true in one of its threads. That is the first, unless some have ended.
#[inline(always)]
#[track_caller]
fn leads() -> bool {
    if block::sync_count(true) == block::threads() {
        return thread::rank() == 0;
    }
    let leaders = crate::shared!([u32; 1]).atomics(0);
    leaders[0].fetch_add(1) == 0
}
