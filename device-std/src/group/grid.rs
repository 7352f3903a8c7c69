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

use super::number::ReduceNumber;
use super::warps::{self, AnyNumber};
use crate::atomic::order::{ACQUIRE, FENCE_ACQ_REL, RELAXED};
use crate::{Atomics, DeviceCopy, block, grid, intrinsics, thread};

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
        self.arrive().wait();
    }

    /// Arrives at the grid's barrier. This waits for the threads of this block, but not for other blocks:
    /// [`GridArrival::wait`] does that later. Each thread must wait before it arrives again.
    ///
    /// All threads that have not exited must call it, as with [`sync`](Self::sync).
    ///
    /// PTX [`barrier.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar), then [`atom`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom) in the block's first thread (`sm_70`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// One step of a stencil. What needs no neighbour is computed while other blocks still write theirs.
    /// fn step(write_edges: impl FnOnce(), inner: impl FnOnce(), outer: impl FnOnce()) {
    ///     write_edges();
    ///     let arrival = group::grid().arrive();
    ///     inner();
    ///     arrival.wait();
    ///     outer(); // reads the edges of other blocks
    /// }
    /// ```
    ///
    /// # Panics
    /// If the launch is not cooperative.
    #[doc(alias = "barrier_arrive")]
    #[inline(always)]
    #[track_caller]
    pub fn arrive(self) -> GridArrival {
        // SAFETY: reads a parameter.
        let is_cooperative = unsafe { intrinsics::__ptyx_is_cooperative() } != 0;
        assert!(
            is_cooperative,
            "the blocks of this launch can't wait for each other: write `launch!(.., cooperative)`"
        );
        // After this, all threads of the block are here, and the leader's fence covers what they wrote.
        let before = leads().then(|| {
            let others = (grid::blocks() as u32).wrapping_sub(1);
            // All together add 2^31.
            let step = if block::rank() == 0 { TURN.wrapping_sub(others) } else { 1 };
            // SAFETY: the driver's word for this barrier, as the launch is cooperative.
            unsafe {
                intrinsics::atomic_fence(FENCE_ACQ_REL);
                intrinsics::atomic_add_u32(barrier(), step, RELAXED)
            }
        });
        GridArrival { before }
    }

    /// The number of 32-bit words of global memory that [`reduce`](Self::reduce) and the scans need for values of
    /// type `T` in a grid of `blocks` blocks. It can be called on the host, too. Does not wait.
    ///
    /// ```
    /// use ptyx::prelude::*;
    /// assert_eq!(group::Grid::scratch_len::<f64>(100), 200);
    /// assert_eq!(group::Grid::scratch_len::<(u32, [u8; 3])>(3), 6);
    /// ```
    #[inline(always)]
    pub const fn scratch_len<T: DeviceCopy>(blocks: usize) -> usize {
        warps::words_of::<T>() * blocks
    }

    /// The values of the first `end` blocks, combined behind `first`; `own` is the same in all threads of a block.
    #[inline(always)]
    #[track_caller]
    fn fold<T: DeviceCopy>(
        self,
        scratch: Atomics<'_, u32>,
        own: T,
        first: Option<T>,
        end: u64,
        combine: impl Fn(T, T) -> T,
    ) -> Option<T> {
        let (words, end) = (warps::words_of::<T>(), end as usize);
        assert!(
            scratch.len() >= Self::scratch_len::<T>(grid::blocks() as usize),
            "`scratch` is too short: `Grid::scratch_len` says how many words the grid needs"
        );
        if thread::rank() == 0 {
            let place = (block::rank() as usize).wrapping_mul(words);
            warps::each_word(own, |i, word| scratch[place.wrapping_add(i)].store(word));
        }
        self.sync();
        let two = |a: Option<T>, b: Option<T>| match (a, b) {
            (Some(a), Some(b)) => Some(combine(a, b)),
            (a, b) => a.or(b),
        };
        // Each thread combines the values of some blocks that follow each other.
        let share = end.div_ceil(block::threads() as usize);
        let start = (thread::rank() as usize).wrapping_mul(share);
        let mut part = None;
        for block in start..end.min(start.wrapping_add(share)) {
            let place = block.wrapping_mul(words);
            let value = warps::of_words(|i| scratch[place.wrapping_add(i)].load());
            part = two(part, Some(value));
        }
        let all = warps::reduce(AnyNumber, part, two);
        self.sync();
        two(first, all)
    }

    /// The values of all blocks, combined; `own` is the same in all threads of a block.
    #[inline(always)]
    #[track_caller]
    fn across_blocks<T: DeviceCopy>(
        self,
        scratch: Atomics<'_, u32>,
        own: T,
        combine: impl Fn(T, T) -> T,
    ) -> T {
        // There is a block.
        self.fold(scratch, own, None, grid::blocks(), combine).unwrap_or(own)
    }

    /// Combines the values of all threads; each thread gets the result. Collective, in a cooperative launch: all threads of
    /// the grid must call it.
    ///
    /// `combine` must be associative. Values are combined in the order of [`rank`](Self::rank), first within blocks. The
    /// blocks' results pass through `scratch`: [`scratch_len`](Self::scratch_len) words of global memory, whose
    /// contents do not matter, and which can be reused afterwards. It synchronises the grid twice.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Subtracts the mean. `x` has an element for each thread.
    /// #[kernel]
    /// fn centre(mut x: Disjoint<f64>, scratch: Atomics<u32>) {
    ///     let (i, grid) = (thread::index_1d(), group::grid());
    ///     let sum = grid.reduce(scratch, x[i], |a, b| a + b);
    ///     x[i] -= sum / grid.size() as f64;
    /// }
    ///
    /// # fn run() -> ptyx::Result<()> {
    /// let mut x = DeviceBuffer::filled(1024, 1.0f64)?;
    /// let mut scratch = DeviceBuffer::zeroed(group::Grid::scratch_len::<f64>(8))?;
    /// launch!(centre<<<8, 128>>>(&mut x, &mut scratch), cooperative)?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Panics
    /// If the launch is not cooperative, or `scratch` is too short.
    #[inline(always)]
    #[track_caller]
    pub fn reduce<T: DeviceCopy>(
        self,
        scratch: Atomics<'_, u32>,
        value: T,
        combine: impl Fn(T, T) -> T,
    ) -> T {
        self.across_blocks(scratch, warps::reduce(AnyNumber, value, &combine), combine)
    }

    /// The values of the threads up to this one, combined in the order of [`rank`](Self::rank). Otherwise as
    /// [`reduce`](Self::reduce).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn running_sums(mut x: Disjoint<u64>, scratch: Atomics<u32>) {
    ///     let i = thread::index_1d();
    ///     x[i] = group::grid().inclusive_scan(scratch, x[i], |a, b| a + b);
    /// }
    /// ```
    ///
    /// # Panics
    /// If the launch is not cooperative, or `scratch` is too short.
    #[inline(always)]
    #[track_caller]
    pub fn inclusive_scan<T: DeviceCopy>(
        self,
        scratch: Atomics<'_, u32>,
        value: T,
        combine: impl Fn(T, T) -> T,
    ) -> T {
        let total = warps::reduce(AnyNumber, value, &combine);
        let before = self.fold(scratch, total, None, block::rank(), &combine);
        let own = warps::inclusive_scan(AnyNumber, value, &combine);
        match before {
            Some(before) => combine(before, own),
            None => own,
        }
    }

    /// `initial` and the values of the threads before this one, combined in the order of [`rank`](Self::rank). All threads
    /// pass the same `initial`. Otherwise as [`reduce`](Self::reduce).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Keeps the even numbers, in their order. Each thread has one.
    /// #[kernel]
    /// fn keep_even(x: &[u32], kept: Atomics<u32>, scratch: Atomics<u32>) {
    ///     let value = x[thread::index_1d().get()];
    ///     let is_kept = value % 2 == 0;
    ///     let place = group::grid().exclusive_scan(scratch, 0, u32::from(is_kept), |a, b| a + b);
    ///     if is_kept {
    ///         kept[place as usize].store(value);
    ///     }
    /// }
    /// ```
    ///
    /// # Panics
    /// If the launch is not cooperative, or `scratch` is too short.
    #[inline(always)]
    #[track_caller]
    pub fn exclusive_scan<T: DeviceCopy>(
        self,
        scratch: Atomics<'_, u32>,
        initial: T,
        value: T,
        combine: impl Fn(T, T) -> T,
    ) -> T {
        let total = warps::reduce(AnyNumber, value, &combine);
        let first = self.fold(scratch, total, Some(initial), block::rank(), &combine);
        warps::exclusive_scan(AnyNumber, first.unwrap_or(initial), value, combine)
    }

    /// Whether `predicate` holds in every thread of the grid. It needs a word of `scratch` for each block; otherwise as
    /// [`reduce`](Self::reduce).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// fn has_converged(scratch: Atomics<u32>, residual: f32) -> bool {
    ///     group::grid().all(scratch, residual.abs() < 1e-6)
    /// }
    /// ```
    ///
    /// # Panics
    /// If the launch is not cooperative, or `scratch` is too short.
    #[inline(always)]
    #[track_caller]
    pub fn all(self, scratch: Atomics<'_, u32>, predicate: bool) -> bool {
        self.across_blocks(scratch, block::sync_and(predicate), |a, b| a & b)
    }

    /// Whether `predicate` holds in some thread of the grid. It needs a word of `scratch` for each block; otherwise as
    /// [`reduce`](Self::reduce).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Spreads the least label along the edges of a graph until nothing changes.
    /// fn spread(scratch: Atomics<u32>, step: impl Fn() -> bool) {
    ///     while group::grid().any(scratch, step()) {}
    /// }
    /// ```
    ///
    /// # Panics
    /// If the launch is not cooperative, or `scratch` is too short.
    #[inline(always)]
    #[track_caller]
    pub fn any(self, scratch: Atomics<'_, u32>, predicate: bool) -> bool {
        self.across_blocks(scratch, block::sync_or(predicate), |a, b| a | b)
    }

    /// In how many threads of the grid `predicate` holds. It needs two words of `scratch` for each block; otherwise as
    /// [`reduce`](Self::reduce).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// fn negative(scratch: Atomics<u32>, value: f32) -> u64 {
    ///     group::grid().count(scratch, value < 0.0)
    /// }
    /// ```
    ///
    /// # Panics
    /// If the launch is not cooperative, or `scratch` is too short.
    #[inline(always)]
    #[track_caller]
    pub fn count(self, scratch: Atomics<'_, u32>, predicate: bool) -> u64 {
        let own = u64::from(block::sync_count(predicate));
        self.across_blocks(scratch, own, u64::wrapping_add)
    }
}

/// Reductions by name.
macro_rules! by_name {
    ($($(#[$about:meta])* $name:ident $two:ident;)*) => {
        impl Grid {$(
            $(#[$about])*
            ///
            /// # Panics
            /// If the launch is not cooperative, or `scratch` is too short.
            #[inline(always)]
            #[track_caller]
            pub fn $name<T: ReduceNumber>(self, scratch: Atomics<'_, u32>, value: T) -> T {
                self.across_blocks(scratch, warps::$name(AnyNumber, value), T::$two)
            }
        )*}
    };
}

by_name! {
    /// The sum of the values of all threads, in each of them; sums of integers wrap around. Otherwise as
    /// [`reduce`](Self::reduce).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// fn norm(scratch: Atomics<u32>, x: f64) -> f64 {
    ///     group::grid().reduce_add(scratch, x * x).sqrt()
    /// }
    /// ```
    reduce_add add_two;
    /// The minimum of the values of all threads, in each of them. With floats, it is NaN only if all values are NaN.
    /// Otherwise as [`reduce`](Self::reduce).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The longest step that is stable for all cells.
    /// fn time_step(scratch: Atomics<u32>, width: f32, speed: f32) -> f32 {
    ///     group::grid().reduce_min(scratch, 0.5 * width / speed)
    /// }
    /// ```
    reduce_min min_two;
    /// The maximum of the values of all threads, in each of them. With floats, it is NaN only if all values are NaN.
    /// Otherwise as [`reduce`](Self::reduce).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// fn greatest_change(scratch: Atomics<u32>, before: f32, after: f32) -> f32 {
    ///     group::grid().reduce_max(scratch, (after - before).abs())
    /// }
    /// ```
    reduce_max max_two;
}

/// A token: this thread has arrived at the grid's barrier. From [`Grid::arrive`]. If it is dropped, the thread
/// [waits](Self::wait).
///
/// ```
/// use ptyx::device::group::GridArrival;
///
/// /// A part of a result that other blocks may read once all have arrived.
/// struct Written {
///     value: f32,
///     arrival: GridArrival,
/// }
/// ```
#[derive(Debug)]
#[must_use = "dropped at once, it waits at once"]
pub struct GridArrival {
    /// The barrier's word before the block arrived, in the thread that arrived for all.
    before: Option<u32>,
}

impl GridArrival {
    /// Waits until all blocks of the grid have arrived. What each thread wrote before is then visible to all of them.
    ///
    /// All threads that have not ended must call it.
    ///
    /// ```
    /// use ptyx::device::group::GridArrival;
    ///
    /// fn wait(arrival: GridArrival) {
    ///     arrival.wait();
    /// }
    /// ```
    #[doc(alias = "barrier_wait")]
    #[inline(always)]
    pub fn wait(self) {}
}

/// A token that is dropped waits, too: if blocks could end without the others' arrival, the driver's word would not be what
/// the next cooperative launch expects.
impl Drop for GridArrival {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(before) = self.before {
            // SAFETY: the driver's word for this barrier, as the launch is cooperative.
            unsafe {
                while (intrinsics::atomic_load_u32(barrier(), ACQUIRE) ^ before) & TURN == 0 {}
            }
        }
        block::sync();
    }
}

/// The barrier's word in a cooperative launch's memory.
#[inline(always)]
#[track_caller]
fn barrier() -> *mut u32 {
    (workspace() as *mut u32).wrapping_add(1)
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
