//! The thread: its position, and the indices that belong to it alone.
//!
//! All of it works on every device that Ptyx supports (from `sm_70` on). PTX ISA,
//! [Special Registers](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers): indices are computed from
//! [`%tid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-tid),
//! [`%ctaid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ctaid) and
//! [`%ntid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ntid).
//!
//! # Panics
//! On the host, like all functions that only a device has.

use crate::{Dim3, block, grid, intrinsics};
use core::marker::PhantomData;

/// This thread's position in its block.
///
/// PTX [`%tid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-tid) (`sm_70`).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn fill(mut image: DisjointArray<u32, 2>) {
///     let Dim3 { x, y, .. } = thread::idx();
///     if let Some(pixel) = image.get_mut(thread::index_2d()) {
///         *pixel = y * block::dim_x() + x; // the same pattern in each block
///     }
/// }
/// ```
#[doc(alias = "threadIdx")]
#[inline(always)]
#[track_caller]
pub fn idx() -> Dim3 {
    Dim3 { x: x(), y: y(), z: z() }
}

/// This thread's position in its block along x ([`%tid.x`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-tid)).
///
/// PTX [`%tid.x`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-tid) (`sm_70`).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn stripes(mut output: Disjoint<bool>) {
///     if let Some(output) = output.get_mut(thread::index_1d()) {
///         *output = thread::x() % 2 == 0;
///     }
/// }
/// ```
#[doc(alias = "threadIdx.x")]
#[inline(always)]
#[track_caller]
pub fn x() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::tid_x() }
}

/// This thread's position in its block along y ([`%tid.y`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-tid)).
///
/// PTX [`%tid.y`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-tid) (`sm_70`).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn rows(mut output: DisjointArray<u32, 2>) {
///     if let Some(output) = output.get_mut(thread::index_2d()) {
///         *output = thread::y(); // the row within the block
///     }
/// }
/// ```
#[doc(alias = "threadIdx.y")]
#[inline(always)]
#[track_caller]
pub fn y() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::tid_y() }
}

/// This thread's position in its block along z ([`%tid.z`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-tid)).
///
/// PTX [`%tid.z`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-tid) (`sm_70`).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn layers(mut output: DisjointArray<u32, 3>) {
///     if let Some(output) = output.get_mut(thread::index_3d()) {
///         *output = thread::z(); // the layer within the block
///     }
/// }
/// ```
#[doc(alias = "threadIdx.z")]
#[inline(always)]
#[track_caller]
pub fn z() -> u32 {
    // SAFETY: reads a special register.
    unsafe { intrinsics::tid_z() }
}

/// This thread's number in its block, counting along x, then y, then z; below 1024.
///
/// PTX [`%tid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-tid) and [`%ntid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ntid) (`sm_70`).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn count_threads(counts: Atomics<u32>) {
///     if thread::rank() == 0 {
///         // One thread of each block, whatever the block's shape.
///         counts[block::rank() as usize].fetch_add(block::threads());
///     }
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn rank() -> u32 {
    block::dim().rank(idx())
}

/// Makes an index neither `Send` nor `Sync`: it belongs to the thread that asked for it.
type OfThisThread = PhantomData<*const ()>;

/// An index that no other thread of the launch has: in a grid of one dimension, or one numbered like it.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn negate(x: &[f32], mut y: Disjoint<f32>) {
///     let i: thread::Index1 = thread::index_1d();
///     if let Some(y) = y.get_mut(i) {
///         *y = -x[i.get()]; // any thread may read any element of `x`
///     }
/// }
/// ```
///
/// # Why it is unique
/// Every value of this type is the calling thread's number in the grid plus a multiple of the
/// number of threads in the grid; so two threads never hold equal values. The only sources
/// are [`rank_in_grid`], [`index_1d`] and [`grid_stride`]. The last two restrict the kernel to one-dimensional
/// launches, in which a thread's index is its number. A value can't get to another thread: neither buffers, shared
/// memory nor shuffles accept it (it is not `DeviceCopy`), and no static does (it is neither `Send` nor `Sync`).
///
/// ```compile_fail,E0277
/// fn stored<T: ptyx_device::DeviceCopy>() {}
/// stored::<ptyx_device::thread::Index1>();
/// ```
/// ```compile_fail,E0277
/// fn sent<T: Send>() {}
/// sent::<ptyx_device::thread::Index1>();
/// ```
/// ```compile_fail,E0277
/// fn shared<T: Sync>() {}
/// shared::<ptyx_device::thread::Index1>();
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Index1 {
    value: usize,
    of_this_thread: OfThisThread,
}

impl Index1 {
    /// The index as a number.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn iota(mut numbers: Disjoint<usize>) {
    ///     let i = thread::index_1d();
    ///     if let Some(number) = numbers.get_mut(i) {
    ///         *number = i.get();
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub const fn get(self) -> usize {
        self.value
    }
}

/// An index into a grid of two dimensions that no other thread of the launch has; see [`index_2d`].
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn gradient(mut image: DisjointArray<f32, 2>) {
///     let [height, width] = image.shape();
///     let place: thread::Index2 = thread::index_2d();
///     if let Some(pixel) = image.get_mut(place) {
///         *pixel = (place.x() + place.y()) as f32 / (width + height) as f32;
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index2 {
    x: usize,
    y: usize,
    of_this_thread: OfThisThread,
}

impl Index2 {
    /// Along the first, fastest dimension: the column.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Vertical stripes, 8 pixels wide.
    /// #[kernel]
    /// fn stripes(mut image: DisjointArray<u8, 2>) {
    ///     let place = thread::index_2d();
    ///     if let Some(pixel) = image.get_mut(place) {
    ///         *pixel = if place.x() / 8 % 2 == 0 { 255 } else { 0 };
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub const fn x(self) -> usize {
        self.x
    }

    /// Along the second dimension: the row.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Adds to each element the number of its row, from `of_rows`.
    /// #[kernel]
    /// fn add_to_rows(of_rows: &[f32], mut matrix: DisjointArray<f32, 2>) {
    ///     let place = thread::index_2d();
    ///     if let Some(element) = matrix.get_mut(place) {
    ///         *element += of_rows[place.y()];
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub const fn y(self) -> usize {
        self.y
    }

    /// As the index of a row-major array: `[y, x]`.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn add(a: Array<f32, 2>, mut sum: DisjointArray<f32, 2>) {
    ///     let place = thread::index_2d();
    ///     if let Some(sum) = sum.get_mut(place) {
    ///         *sum += a[place.get()];
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub const fn get(self) -> [usize; 2] {
        [self.y, self.x]
    }
}

/// An index into a grid of three dimensions that no other thread of the launch has; see
/// [`index_3d`].
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn distances(mut field: DisjointArray<f32, 3>) {
///     let place: thread::Index3 = thread::index_3d();
///     if let Some(value) = field.get_mut(place) {
///         let squares = [place.x(), place.y(), place.z()].map(|i| (i * i) as f32);
///         *value = squares.iter().sum::<f32>().sqrt();
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index3 {
    x: usize,
    y: usize,
    z: usize,
    of_this_thread: OfThisThread,
}

impl Index3 {
    /// Along the first, fastest dimension.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The difference from the left neighbour.
    /// #[kernel]
    /// fn differences(field: Array<f32, 3>, mut out: DisjointArray<f32, 3>) {
    ///     let place = thread::index_3d();
    ///     if let Some(out) = out.get_mut(place) {
    ///         let [z, y, x] = place.get();
    ///         *out = if place.x() > 0 { field[[z, y, x]] - field[[z, y, x - 1]] } else { 0.0 };
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub const fn x(self) -> usize {
        self.x
    }

    /// Along the second dimension.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The temperature falls with the height.
    /// #[kernel]
    /// fn initial(surface: f32, per_cell: f32, mut temperature: DisjointArray<f32, 3>) {
    ///     let place = thread::index_3d();
    ///     if let Some(temperature) = temperature.get_mut(place) {
    ///         *temperature = surface - per_cell * place.y() as f32;
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub const fn y(self) -> usize {
        self.y
    }

    /// Along the third, slowest dimension.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The sum of each slice of a volume.
    /// #[kernel]
    /// fn sums(volume: Array<f32, 3>, sums: Atomics<f32>) {
    ///     let place = thread::index_3d();
    ///     if let Some(&value) = volume.get(place.get()) {
    ///         sums[place.z()].fetch_add(value);
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub const fn z(self) -> usize {
        self.z
    }

    /// As the index of a row-major array: `[z, y, x]`.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn add(a: Array<f32, 3>, mut sum: DisjointArray<f32, 3>) {
    ///     let place = thread::index_3d();
    ///     if let Some(sum) = sum.get_mut(place) {
    ///         *sum += a[place.get()];
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub const fn get(self) -> [usize; 3] {
        [self.z, self.y, self.x]
    }
}

/// This thread's position in the grid along x: `block::x() * block::dim_x() + thread::x()`, in launches of any shape. A launch of 2^31
/// threads or more in the blocks along an axis is an error, unless the kernel is `#[kernel(wide)]`.
///
/// It is a number like any other: other threads may have the same one. [`index_1d`], [`index_2d`] and [`index_3d`] are indices
/// that no other thread has, with which a thread can write without `unsafe`.
///
/// PTX [`%ctaid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ctaid), [`%ntid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ntid) and [`%tid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-tid) (`sm_70`).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Adds up columns: one thread for each column, in a grid with several rows of blocks.
/// #[kernel]
/// fn sum_columns(matrix: Array<f32, 2>, sums: Atomics<f32>) {
///     let [rows, columns] = matrix.shape();
///     let column = thread::x_in_grid();
///     if column < columns {
///         let own = (block::y() as usize..rows).step_by(grid::dim_y() as usize);
///         sums[column].fetch_add(own.map(|row| matrix[[row, column]]).sum());
///     }
/// }
/// ```
#[doc(alias = "blockIdx.x * blockDim.x + threadIdx.x")]
#[doc(alias = "global_x")]
#[inline(always)]
#[track_caller]
pub fn x_in_grid() -> usize {
    block::x() as usize * block::dim_x() as usize + x() as usize
}

/// This thread's position in the grid along y: `block::y() * block::dim_y() + thread::y()`, in launches of any shape. A launch of 2^31
/// threads or more in the blocks along an axis is an error, unless the kernel is `#[kernel(wide)]`.
///
/// It is a number like any other: other threads may have the same one. [`index_1d`], [`index_2d`] and [`index_3d`] are indices
/// that no other thread has, with which a thread can write without `unsafe`.
///
/// PTX [`%ctaid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ctaid), [`%ntid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ntid) and [`%tid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-tid) (`sm_70`).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// A histogram for each row of an image.
/// #[kernel]
/// fn histograms(image: Array<u8, 2>, counts: Atomics<u32>) {
///     let place = [thread::y_in_grid(), thread::x_in_grid()];
///     if let Some(&value) = image.get(place) {
///         counts[256 * place[0] + value as usize].fetch_add(1);
///     }
/// }
/// ```
#[doc(alias = "blockIdx.y * blockDim.y + threadIdx.y")]
#[doc(alias = "global_y")]
#[inline(always)]
#[track_caller]
pub fn y_in_grid() -> usize {
    block::y() as usize * block::dim_y() as usize + y() as usize
}

/// This thread's position in the grid along z: `block::z() * block::dim_z() + thread::z()`, in launches of any shape. A launch of 2^31
/// threads or more in the blocks along an axis is an error, unless the kernel is `#[kernel(wide)]`.
///
/// It is a number like any other: other threads may have the same one. [`index_1d`], [`index_2d`] and [`index_3d`] are indices
/// that no other thread has, with which a thread can write without `unsafe`.
///
/// PTX [`%ctaid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ctaid), [`%ntid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ntid) and [`%tid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-tid) (`sm_70`).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Counts the positive elements of each layer.
/// #[kernel]
/// fn count(volume: Array<f32, 3>, counts: Atomics<u32>) {
///     let layer = thread::z_in_grid();
///     let value = volume.get([layer, thread::y_in_grid(), thread::x_in_grid()]);
///     if value.is_some_and(|&value| value > 0.0) {
///         counts[layer].fetch_add(1);
///     }
/// }
/// ```
#[doc(alias = "blockIdx.z * blockDim.z + threadIdx.z")]
#[doc(alias = "global_z")]
#[inline(always)]
#[track_caller]
pub fn z_in_grid() -> usize {
    block::z() as usize * block::dim_z() as usize + z() as usize
}

/// Restricts the kernel to launches of at most this many dimensions.
#[inline(always)]
#[track_caller]
fn require_dims(dimensions: u32) {
    // SAFETY: lowered to nothing; the compiler notes it and the launch checks.
    unsafe { intrinsics::__ptyx_require_dims(dimensions, dimensions) }
}

/// This thread's index in a grid of one dimension: `block::x() * block::dim_x() + thread::x()`.
///
/// A kernel that calls it can only be launched with one-dimensional shapes; other launches are errors. So are launches of 2^31
/// threads or more, unless the kernel is `#[kernel(wide)]`.
///
/// PTX [`%ctaid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ctaid), [`%ntid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ntid) and [`%tid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-tid) (`sm_70`).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn axpy(a: f32, x: &[f32], mut y: Disjoint<f32>) {
///     let i = thread::index_1d();
///     if let Some(y) = y.get_mut(i) {
///         *y += a * x[i.get()];
///     }
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn index_1d() -> Index1 {
    require_dims(1);
    Index1 { value: x_in_grid(), of_this_thread: PhantomData }
}

/// This thread's number in a grid of at most two dimensions, by [`block::rank`] first, then by [`rank`] in the block.
/// In launches of one dimension it is [`index_1d`], which takes fewer instructions.
///
/// A kernel that calls it can't be launched with three-dimensional shapes: such launches are errors.
/// [`by::ThreadInGrid`](crate::by::ThreadInGrid) divides arrays in the same way among the threads of launches of any shape.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Launched with many blocks as `<<<(blocks / 64, 64), 256>>>`.
/// #[kernel]
/// fn square(mut x: Disjoint<f32>) {
///     if let Some(x) = x.get_mut(thread::rank_in_grid()) {
///         *x *= *x;
///     }
/// }
/// ```
#[doc(alias = "thread_rank")]
#[inline(always)]
#[track_caller]
pub fn rank_in_grid() -> Index1 {
    require_dims(2);
    let block = block::y() as usize * grid::dim_x() as usize + block::x() as usize;
    let threads = (block::dim_x() * block::dim_y()) as usize;
    let value = block * threads + (y() * block::dim_x() + x()) as usize;
    Index1 { value, of_this_thread: PhantomData }
}

/// This thread's index in a grid of at most two dimensions, `x` being the column.
///
/// A kernel that calls it can't be launched with three-dimensional shapes: such launches are errors. So are launches of 2^31
/// threads or more in the blocks along an axis, unless the kernel is `#[kernel(wide)]`.
///
/// PTX [`%ctaid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ctaid), [`%ntid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ntid) and [`%tid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-tid) (`sm_70`).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn transpose(from: Array<f32, 2>, mut to: DisjointArray<f32, 2>) {
///     let place = thread::index_2d();
///     if let Some(to) = to.get_mut(place) {
///         *to = from[[place.x(), place.y()]];
///     }
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn index_2d() -> Index2 {
    require_dims(2);
    Index2 { x: x_in_grid(), y: y_in_grid(), of_this_thread: PhantomData }
}

/// This thread's index in a grid of up to three dimensions.
///
/// A launch of 2^31 threads or more in the blocks along an axis is an error, unless the kernel is `#[kernel(wide)]`.
///
/// PTX [`%ctaid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ctaid), [`%ntid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ntid) and [`%tid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-tid) (`sm_70`).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn scale(a: f32, mut field: DisjointArray<f32, 3>) {
///     if let Some(value) = field.get_mut(thread::index_3d()) {
///         *value *= a;
///     }
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn index_3d() -> Index3 {
    Index3 { x: x_in_grid(), y: y_in_grid(), z: z_in_grid(), of_this_thread: PhantomData }
}

/// This thread's share of `0..len`: its index in the grid, then every index at a multiple of the grid's
/// size from it. The shares of a grid of any size cover `0..len`.
///
/// Like [`index_1d`], it restricts the kernel to one-dimensional launches, of fewer than 2^31 threads unless the kernel is
/// `#[kernel(wide)]`.
///
/// ```no_run
/// use ptyx_device::{Disjoint, thread};
/// fn double(mut values: Disjoint<f32>) {
///     for i in thread::grid_stride(values.len()) {
///         values[i] *= 2.0;
///     }
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn grid_stride(len: usize) -> GridStride {
    require_dims(1);
    // Within isize::MAX the addition in `next` can't wrap: a wrapped sum would no longer be this
    // thread's own.
    let len = if len > isize::MAX as usize { isize::MAX as usize } else { len };
    let stride = grid::dim_x() as usize * block::dim_x() as usize;
    GridStride { next: x_in_grid(), len, stride, of_this_thread: PhantomData }
}

/// The indices of [`grid_stride`].
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn sum(x: &[f32], total: Atomics<f32>) {
///     let own: thread::GridStride = thread::grid_stride(x.len());
///     let own: f32 = own.map(|i| x[i.get()]).sum();
///     total[0].fetch_add(own);
/// }
/// ```
#[derive(Clone, Debug)]
pub struct GridStride {
    next: usize,
    len: usize,
    stride: usize,
    of_this_thread: OfThisThread,
}

impl Iterator for GridStride {
    type Item = Index1;

    #[inline(always)]
    fn next(&mut self) -> Option<Index1> {
        if self.next < self.len {
            let value = self.next;
            self.next = self.next.wrapping_add(self.stride);
            Some(Index1 { value, of_this_thread: PhantomData })
        } else {
            None
        }
    }
}
