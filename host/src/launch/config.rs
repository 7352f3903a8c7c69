//! The shape and the knobs of a launch, as the macros collect them.

use super::knobs::Knobs;
use crate::stream::Stream;

/// How many blocks or threads: an integer, or a tuple or array of 1 to 3 of them.
///
/// If a number does not fit or is not positive, the launch returns an error.
///
/// ```
/// use ptyx::launch::IntoDims;
/// assert_eq!(64.into_dims(), [64, 1, 1]);
/// assert_eq!((16, 16usize).into_dims(), [16, 16, 1]);
/// assert_eq!([8u8, 8, 4].into_dims(), [8, 8, 4]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number of blocks or threads",
    label = "expected an integer, or a tuple of up to three"
)]
pub trait IntoDims {
    /// The extents in x, y and z; 1 where none is given.
    fn into_dims(self) -> Dims;
}

/// Extents in x, y and z, not checked yet.
///
/// ```
/// use ptyx::launch::{Dims, IntoDims};
/// let dims: Dims = (2, 3).into_dims();
/// assert_eq!(dims.iter().product::<i128>(), 6);
/// ```
pub type Dims = [i128; 3];

/// An integer that can be an extent.
///
/// ```
/// use ptyx::launch::IntoExtent;
/// assert_eq!(7u8.into_extent(), 7);
/// assert_eq!(u128::MAX.into_extent(), i128::MAX);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an integer, which the launch needs here",
    label = "expected an integer"
)]
pub trait IntoExtent {
    /// The value as an `i128`; one that does not fit becomes `i128::MAX`.
    fn into_extent(self) -> i128;
}

macro_rules! extents {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl IntoExtent for $ty {
            #[inline]
            fn into_extent(self) -> i128 {
                i128::try_from(self).unwrap_or(i128::MAX)
            }
        }

        #[diagnostic::do_not_recommend]
        impl IntoDims for $ty {
            #[inline]
            fn into_dims(self) -> Dims {
                [self.into_extent(), 1, 1]
            }
        }
    )*};
}
extents!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

#[diagnostic::do_not_recommend]
impl<X: IntoExtent> IntoDims for (X,) {
    #[inline]
    fn into_dims(self) -> Dims {
        [self.0.into_extent(), 1, 1]
    }
}

#[diagnostic::do_not_recommend]
impl<X: IntoExtent, Y: IntoExtent> IntoDims for (X, Y) {
    #[inline]
    fn into_dims(self) -> Dims {
        [self.0.into_extent(), self.1.into_extent(), 1]
    }
}

#[diagnostic::do_not_recommend]
impl<X: IntoExtent, Y: IntoExtent, Z: IntoExtent> IntoDims for (X, Y, Z) {
    #[inline]
    fn into_dims(self) -> Dims {
        [self.0.into_extent(), self.1.into_extent(), self.2.into_extent()]
    }
}

#[diagnostic::do_not_recommend]
impl<X: IntoExtent> IntoDims for [X; 1] {
    #[inline]
    fn into_dims(self) -> Dims {
        let [x] = self;
        (x,).into_dims()
    }
}

#[diagnostic::do_not_recommend]
impl<X: IntoExtent> IntoDims for [X; 2] {
    #[inline]
    fn into_dims(self) -> Dims {
        <(X, X)>::from(self).into_dims()
    }
}

#[diagnostic::do_not_recommend]
impl<X: IntoExtent> IntoDims for [X; 3] {
    #[inline]
    fn into_dims(self) -> Dims {
        <(X, X, X)>::from(self).into_dims()
    }
}

#[diagnostic::do_not_recommend]
impl IntoDims for ptyx_device::Dim3 {
    #[inline]
    fn into_dims(self) -> Dims {
        (self.x, self.y, self.z).into_dims()
    }
}

/// The shape of a launch as the driver takes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    /// In blocks; 0 for an extent that is not positive or does not fit.
    pub(super) grid: [u32; 3],
    /// Dynamic shared memory, in bytes; the largest number if it does not fit.
    pub(super) shared: u32,
    /// In threads; 0 as in `grid`.
    pub(super) block: [u32; 3],
    /// Neither cooperative nor programmatic nor with clusters.
    pub(super) is_usual: bool,
    /// Without knobs.
    pub(super) has_no_knobs: bool,
}

/// Extents as the driver takes them; 0 for one that is not positive or does not fit.
#[inline]
fn words(dims: Dims) -> [u32; 3] {
    let [x, y, z] = dims;
    let word = |extent: i128| u32::try_from(extent).unwrap_or(0);
    [word(x), word(y), word(z)]
}

/// The shape and the knobs of a launch. `launch!` and `cuda!` create it.
///
/// ```no_run
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn square(mut numbers: Disjoint<f32>) {
///     for i in thread::grid_stride(numbers.len()) {
///         numbers[i] *= numbers[i];
///     }
/// }
///
/// let stream = Stream::new()?;
/// let mut numbers = DeviceBuffer::filled(1000, 3.0f32)?;
/// let square = compile!(square(&mut numbers))?;
/// let config = LaunchConfig::new().blocks(4).threads(256).stream(&stream);
/// square.launch(config, args!(&mut numbers))?;
/// assert_eq!(numbers.to_vec()?, [9.0; 1000]);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct LaunchConfig<'a> {
    pub(super) words: Words,
    pub(super) stream: Option<&'a Stream>,
    /// Mostly nothing: what a launch does not have need not be written for it.
    rare: Option<Rare<'a>>,
}

/// What few launches have.
#[derive(Clone, Copy, Debug)]
struct Rare<'a> {
    /// Numbers that are not positive or do not fit, with those beside them.
    blocks: Option<Dims>,
    threads: Option<Dims>,
    shared_bytes: Option<i128>,
    cooperative: bool,
    cluster: Option<Dims>,
    programmatic: bool,
    knobs: Knobs<'a>,
}

impl Rare<'_> {
    const NONE: Rare<'static> = Rare {
        blocks: None,
        threads: None,
        shared_bytes: None,
        cooperative: false,
        cluster: None,
        programmatic: false,
        knobs: Knobs::NONE,
    };
}

impl Default for LaunchConfig<'_> {
    fn default() -> Self {
        LaunchConfig::new()
    }
}

impl<'a> LaunchConfig<'a> {
    /// One block of one thread, no dynamic shared memory, the default stream, no knobs.
    ///
    /// ```
    /// use ptyx::LaunchConfig;
    /// let config = LaunchConfig::new(); // `<<<1, 1>>>`
    /// let larger = config.clone().blocks(4).threads(256); // `<<<4, 256>>>`
    /// ```
    #[inline]
    pub const fn new() -> LaunchConfig<'a> {
        let words =
            Words { grid: [1; 3], block: [1; 3], shared: 0, is_usual: true, has_no_knobs: true };
        LaunchConfig { words, stream: None, rare: None }
    }

    #[cold]
    fn rare_mut(&mut self) -> &mut Rare<'a> {
        self.rare.get_or_insert(Rare::NONE)
    }

    #[cold]
    fn knobs_mut(&mut self) -> &mut Knobs<'a> {
        self.words.has_no_knobs = false;
        &mut self.rare_mut().knobs
    }

    /// The blocks along each dimension, as they were given.
    #[cold]
    pub(super) fn all_blocks(&self) -> Dims {
        let kept = self.rare.and_then(|rare| rare.blocks);
        kept.unwrap_or(self.words.grid.map(i128::from))
    }

    /// The threads of a block along each dimension, as they were given.
    #[cold]
    pub(super) fn all_threads(&self) -> Dims {
        let kept = self.rare.and_then(|rare| rare.threads);
        kept.unwrap_or(self.words.block.map(i128::from))
    }

    /// The dynamic shared memory of a block in bytes, as it was given.
    #[cold]
    pub(super) fn all_shared_bytes(&self) -> i128 {
        let kept = self.rare.and_then(|rare| rare.shared_bytes);
        kept.unwrap_or(self.words.shared.into())
    }

    /// The blocks of a cluster along each dimension.
    pub(super) fn clusters(&self) -> Option<Dims> {
        self.rare.as_ref().and_then(|rare| rare.cluster)
    }

    pub(super) fn is_cooperative(&self) -> bool {
        self.rare.as_ref().is_some_and(|rare| rare.cooperative)
    }

    pub(super) fn is_programmatic(&self) -> bool {
        self.rare.as_ref().is_some_and(|rare| rare.programmatic)
    }

    /// The shape, without the stream and the knobs.
    #[cfg(not(ptyx_device))]
    pub(super) fn without_borrows(&self) -> LaunchConfig<'static> {
        let words = Words { has_no_knobs: true, ..self.words };
        let rare = self.rare.map(|rare| Rare { knobs: Knobs::NONE, ..rare });
        LaunchConfig { words, stream: None, rare }
    }

    #[cold]
    pub(super) fn knobs(&self) -> Knobs<'a> {
        self.rare.map_or(Knobs::NONE, |rare| rare.knobs)
    }

    /// Sets the number of blocks of the grid.
    ///
    /// ```
    /// let (width, height) = (1920u32, 1080u32);
    /// let config = ptyx::LaunchConfig::new()
    ///     .blocks((width.div_ceil(16), height.div_ceil(16)))
    ///     .threads((16, 16));
    /// ```
    #[inline]
    pub fn blocks(mut self, blocks: impl IntoDims) -> Self {
        let blocks = blocks.into_dims();
        self.words.grid = words(blocks);
        let fits = self.words.grid.iter().all(|&extent| extent > 0);
        if !fits || self.rare.is_some() {
            self.rare_mut().blocks = (!fits).then_some(blocks);
        }
        self
    }

    /// Sets the number of threads per block.
    ///
    /// ```
    /// let line = ptyx::LaunchConfig::new().threads(256);
    /// let square = ptyx::LaunchConfig::new().threads((16, 16));
    /// ```
    #[inline]
    pub fn threads(mut self, threads: impl IntoDims) -> Self {
        let threads = threads.into_dims();
        self.words.block = words(threads);
        let fits = self.words.block.iter().all(|&extent| extent > 0);
        if !fits || self.rare.is_some() {
            self.rare_mut().threads = (!fits).then_some(threads);
        }
        self
    }

    /// Makes the launch cooperative: all blocks run at the same time, so that they can wait for each other
    /// ([`Grid::sync`](ptyx_device::group::Grid::sync)).
    ///
    /// If the grid has more blocks than the device can hold at a time, the launch returns an error.
    ///
    /// ```
    /// // As `launch!(kernel<<<64, 256>>>(..), cooperative)`.
    /// let config = ptyx::LaunchConfig::new().blocks(64).threads(256).cooperative();
    /// ```
    #[doc(alias = "cudaLaunchCooperativeKernel")]
    #[inline]
    pub fn cooperative(mut self) -> Self {
        self.rare_mut().cooperative = true;
        self.words.is_usual = false;
        self
    }

    /// Sets the blocks of a cluster along each dimension. They run at the same time on multiprocessors of one GPU
    /// processing cluster, can wait for each other, and can access each other's shared memory:
    /// [`group::Cluster`](ptyx_device::group::Cluster).
    ///
    /// The grid must be a multiple of it along each dimension. Up to 8 blocks are possible on every device of
    /// compute capability 9.0 or later, up to 16 on some. On older devices, a launch with clusters fails. So does
    /// a launch with clusters whose blocks don't fit on the device together.
    ///
    /// ```
    /// // As `launch!(kernel<<<64, 256>>>(..), cluster = 4)`.
    /// let config = ptyx::LaunchConfig::new().blocks(64).threads(256).cluster(4);
    /// // As `launch!(kernel<<<(64, 64), 256>>>(..), cluster = (2, 2))`.
    /// let config = ptyx::LaunchConfig::new().blocks((64, 64)).threads(256).cluster((2, 2));
    /// ```
    #[doc(alias = "cudaLaunchAttributeClusterDimension")]
    #[doc(alias = "__cluster_dims__")]
    #[inline]
    pub fn cluster(mut self, blocks: impl IntoDims) -> Self {
        self.rare_mut().cluster = Some(blocks.into_dims());
        self.words.is_usual = false;
        self
    }

    /// Lets the kernel start before the previous kernel in the stream has ended: as soon as all blocks of the
    /// previous kernel have called [`grid::launch_dependents`](ptyx_device::grid::launch_dependents) or exited
    /// (*programmatic dependent launch*). On devices before compute capability 9.0, the launch fails.
    ///
    /// ```
    /// // As `launch!(unsafe kernel<<<64, 256>>>(..), programmatic)`.
    /// // SAFETY: the kernel calls `grid::wait_for_earlier` before it uses any memory.
    /// let config = unsafe { ptyx::LaunchConfig::new().programmatic() }.blocks(64).threads(256);
    /// ```
    ///
    /// # Safety
    /// Each thread of the kernel calls [`grid::wait_for_earlier`](ptyx_device::grid::wait_for_earlier). Until
    /// then, its accesses to memory don't conflict with earlier work: it reads nothing that earlier work writes,
    /// and writes nothing that earlier work reads or writes.
    #[doc(alias = "cudaLaunchAttributeProgrammaticStreamSerialization")]
    #[inline]
    pub unsafe fn programmatic(mut self) -> Self {
        self.rare_mut().programmatic = true;
        self.words.is_usual = false;
        self
    }

    /// Sets the dynamic shared memory of a block, in bytes.
    ///
    /// ```
    /// let threads = 256;
    /// let config = ptyx::LaunchConfig::new()
    ///     .threads(threads)
    ///     .shared_bytes(threads * size_of::<f32>()); // for `shared::dynamic::<f32>(0, threads)`
    /// ```
    #[inline]
    pub fn shared_bytes(mut self, bytes: impl IntoExtent) -> Self {
        let bytes = bytes.into_extent();
        self.words.shared = u32::try_from(bytes).unwrap_or(u32::MAX);
        let fits = self.words.shared != u32::MAX;
        if !fits || self.rare.is_some() {
            self.rare_mut().shared_bytes = (!fits).then_some(bytes);
        }
        self
    }

    /// Sets the stream, instead of the default one of the thread's device.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// let config = ptyx::LaunchConfig::new().blocks(64).threads(256).stream(&stream);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    #[inline]
    pub fn stream(mut self, stream: &'a Stream) -> Self {
        self.stream = Some(stream);
        self
    }

    /// The required block size ([`.reqntid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#performance-tuning-directives-reqntid)).
    ///
    /// ```
    /// // As `launch!(kernel<<<64, 128>>>(..), minthreads = 128)`.
    /// let config = ptyx::LaunchConfig::new().blocks(64).threads(128).minthreads(128);
    /// ```
    #[inline]
    pub fn minthreads(mut self, threads: impl IntoDims) -> Self {
        self.knobs_mut().minthreads = Some(threads.into_dims());
        self
    }

    /// The largest block size ([`.maxntid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#performance-tuning-directives-maxntid)).
    ///
    /// ```
    /// // As `launch!(kernel<<<64, 128>>>(..), maxthreads = 256)`.
    /// let config = ptyx::LaunchConfig::new().blocks(64).threads(128).maxthreads(256);
    /// ```
    #[inline]
    pub fn maxthreads(mut self, threads: impl IntoDims) -> Self {
        self.knobs_mut().maxthreads = Some(threads.into_dims());
        self
    }

    /// The number of blocks that a multiprocessor should be able to hold at once ([`.minnctapersm`](https://docs.nvidia.com/cuda/parallel-thread-execution/#performance-tuning-directives-minnctapersm)).
    ///
    /// ```
    /// // As `launch!(kernel<<<64, 256>>>(..), maxthreads = 256, blocks_per_sm = 4)`.
    /// let config = ptyx::LaunchConfig::new().blocks(64).threads(256).maxthreads(256).blocks_per_sm(4);
    /// ```
    #[inline]
    pub fn blocks_per_sm(mut self, blocks: impl IntoExtent) -> Self {
        self.knobs_mut().blocks_per_sm = Some(blocks.into_extent());
        self
    }

    /// The maximum number of registers per thread ([`.maxnreg`](https://docs.nvidia.com/cuda/parallel-thread-execution/#performance-tuning-directives-maxnreg)).
    ///
    /// ```
    /// // As `launch!(kernel<<<64, 256>>>(..), maxregs = 32)`.
    /// let config = ptyx::LaunchConfig::new().blocks(64).threads(256).maxregs(32);
    /// ```
    #[inline]
    pub fn maxregs(mut self, registers: impl IntoExtent) -> Self {
        self.knobs_mut().maxregs = Some(registers.into_extent());
        self
    }

    /// The name of the kernel's entry, which profilers show.
    ///
    /// ```
    /// // As `launch!(kernel<<<64, 256>>>(..), alias = "first_pass")`.
    /// let config = ptyx::LaunchConfig::new().blocks(64).threads(256).alias("first_pass");
    /// ```
    #[inline]
    pub fn alias(mut self, name: &'a str) -> Self {
        self.knobs_mut().alias = Some(name);
        self
    }
}
