//! Assembled kernels that can be launched any number of times: the result of `compile!`.

use super::args::{ArgContext, ByValue, KernelArg, OfLayout, ViewArg};
use super::arity::for_each_arity;
#[cfg(not(ptyx_device))]
use super::call::Launch;
use super::compiled::CompiledKernel;
use super::config::LaunchConfig;
use crate::error::Result;
use crate::memory::{
    DeviceArray, DeviceBuffer, DeviceDiagonal, DevicePivoted, DeviceSlice, DeviceSliceMut,
    DeviceView, DeviceViewMut, GrowableBuffer, GuardedBuffer, ManagedBuffer, PinnedBuffer,
};
use crate::texture::{Surface, Texture};
use core::alloc::Layout;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::Deref;
use ptyx_device::atomic::AtomicValue;
use ptyx_device::shared::{Phase, PhasesArg};
use ptyx_device::texture::{self, Dimension, Fetched, SurfaceDimension, Texel};
use ptyx_device::tma::ring::StageParts;
use ptyx_device::tma::{Ring, RingArg};
use ptyx_device::view::by::Division;
use ptyx_device::view::{Diagonal, Pivoted};
use ptyx_device::{Array, ArrayMut, Atomics, DeviceCopy, Disjoint, DisjointArray, Parts, SliceMut};

/// A kernel instance that is assembled for a device: the result of [`compile!`](crate::compile!).
///
/// It dereferences to [`CompiledKernel`], so the launch's shape can depend on what the assembler produced.
/// [`PreparedKernel::launch`] launches it any number of times, each time with new arguments of the same
/// types. The arguments of `compile!` only determine the types and are not kept.
///
/// `P` is the tuple of the kernel's parameter types with `'static` lifetimes, so that a struct can hold
/// the handle. A clone refers to the same kernel.
///
/// ```no_run
/// use ptyx::{PreparedKernel, prelude::*};
///
/// struct Solver {
///     step: PreparedKernel<(f32, &'static [f32], Disjoint<'static, f32>)>,
/// }
///
/// #[kernel]
/// fn saxpy(a: f32, x: &[f32], mut y: Disjoint<f32>) {
///     let i = thread::index_1d();
///     if let Some(y) = y.get_mut(i) {
///         *y += a * x[i.get()];
///     }
/// }
///
/// let n = 1000;
/// let (x, mut y) = (DeviceBuffer::filled(n, 4.0f32)?, DeviceBuffer::<f32>::zeroed(n)?);
/// let step = compile!(saxpy(2.0, &x, &mut y))?;
/// let shape = step.occupancy(|_threads| 0, None)?;
/// let solver = Solver { step };
/// for a in [0.5, 0.25] {
///     let blocks = n.div_ceil(shape.threads as usize);
///     let config = LaunchConfig::new().blocks(blocks).threads(shape.threads);
///     solver.step.launch(config, args!(a, &x, &mut y))?;
/// }
/// assert_eq!(y.to_vec()?, [3.0; 1000]);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct PreparedKernel<P> {
    compiled: CompiledKernel,
    #[cfg(not(ptyx_device))]
    pub(super) launch: &'static Launch,
    #[cfg(not(ptyx_device))]
    pub(super) found: super::variant::Found,
    params: PhantomData<fn(P)>,
}

impl<P> PreparedKernel<P> {
    #[cfg(not(ptyx_device))]
    pub(super) fn new(found: super::variant::Found, launch: &'static Launch) -> Result<Self> {
        let compiled = CompiledKernel::of(found.variant)?;
        Ok(PreparedKernel { compiled, launch, found, params: PhantomData })
    }

    /// The assembled code.
    ///
    /// ```no_run
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn clear(mut numbers: Disjoint<f32>) {
    ///     for i in thread::grid_stride(numbers.len()) {
    ///         numbers[i] = 0.0;
    ///     }
    /// }
    ///
    /// let mut numbers = DeviceBuffer::filled(1000, 1.0f32)?;
    /// let clear = compile!(clear(&mut numbers), maxregs = 16)?;
    /// assert!(clear.compiled().attributes.registers <= 16);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn compiled(&self) -> &CompiledKernel {
        &self.compiled
    }

    /// Launches the kernel. `args` is a tuple of arguments from [`args!`](crate::args!), which follows the
    /// rules of `launch!`. If all arguments are numbers and buffers, a plain tuple works too.
    ///
    /// The stream is that of `config`, or else the thread's default stream on the kernel's device.
    ///
    /// ```no_run
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn add(a: f32, mut numbers: Disjoint<f32>) {
    ///     for i in thread::grid_stride(numbers.len()) {
    ///         numbers[i] += a;
    ///     }
    /// }
    ///
    /// let mut numbers = DeviceBuffer::<f32>::zeroed(1000)?;
    /// let add = compile!(add(0.0, &mut numbers))?;
    /// let config = LaunchConfig::new().blocks(4).threads(256);
    /// add.launch(config.clone(), args!(1.5, &mut numbers))?;
    /// add.launch(config, (2.5, &mut numbers))?; // a tuple of numbers and buffers works, too
    /// assert_eq!(numbers.to_vec()?, [4.0; 1000]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// Any error of `launch!`. A knob in `config`: knobs belong to `compile!`, because the kernel is
    /// already assembled. A stream of another device.
    pub fn launch<A: Arguments<P>>(&self, config: LaunchConfig<'_>, args: A) -> Result<()> {
        #[cfg(ptyx_device)]
        {
            let _ = (config, args);
            core::hint::black_box(Err(crate::Error::DevicePass))
        }
        #[cfg(not(ptyx_device))]
        {
            let stream = self.stream(&config)?;
            args.lower(self, ArgContext::new(stream.enter()), |cx, args| {
                // SAFETY: each pointer leads to an argument of the layout in the same place of the kernel's parameters, whose
                // memory is ordered on the stream.
                unsafe { self.run(&config, cx, args) }
            })
        }
    }

    /// Launches the kernel with the configuration that `shape` computes from it.
    ///
    /// ```no_run
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn add(a: f32, mut numbers: Disjoint<f32>) {
    ///     for i in thread::grid_stride(numbers.len()) {
    ///         numbers[i] += a;
    ///     }
    /// }
    ///
    /// let mut numbers = DeviceBuffer::<f32>::zeroed(1000)?;
    /// compile!(add(0.0, &mut numbers))?.launch_with(
    ///     |add| {
    ///         let shape = add.occupancy(|_threads| 0, None)?;
    ///         Ok(LaunchConfig::new().blocks(shape.blocks).threads(shape.threads))
    ///     },
    ///     args!(1.5, &mut numbers),
    /// )?;
    /// assert_eq!(numbers.to_vec()?, [1.5; 1000]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of `shape`, and those of [`PreparedKernel::launch`].
    pub fn launch_with<'a, A: Arguments<P>>(
        &self,
        shape: impl FnOnce(&CompiledKernel) -> Result<LaunchConfig<'a>>,
        args: A,
    ) -> Result<()> {
        self.launch(shape(&self.compiled)?, args)
    }
}

impl<P> Clone for PreparedKernel<P> {
    fn clone(&self) -> Self {
        PreparedKernel {
            compiled: self.compiled.clone(),
            #[cfg(not(ptyx_device))]
            launch: self.launch,
            #[cfg(not(ptyx_device))]
            found: self.found,
            params: PhantomData,
        }
    }
}

impl<P> Deref for PreparedKernel<P> {
    type Target = CompiledKernel;

    fn deref(&self) -> &CompiledKernel {
        &self.compiled
    }
}

/// By identity: handles are equal if they launch the same assembled kernel.
impl<P> PartialEq for PreparedKernel<P> {
    fn eq(&self, other: &Self) -> bool {
        self.compiled == other.compiled
    }
}

impl<P> Eq for PreparedKernel<P> {}

impl<P> Hash for PreparedKernel<P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.compiled.hash(state);
    }
}

impl<P> fmt::Debug for PreparedKernel<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PreparedKernel").field(&self.compiled).finish()
    }
}

/// A [`PreparedKernel`] of an `unsafe` kernel: the result of `compile!(unsafe kernel(..))`.
///
/// ```no_run
/// use ptyx::prelude::*;
///
/// /// # Safety
/// /// `numbers` points to at least as many elements as the launch has threads.
/// #[kernel]
/// unsafe fn count(numbers: *mut u32) {
///     let i = thread::index_1d().get();
///     // SAFETY: the caller's promise; each thread has an index of its own.
///     unsafe { numbers.add(i).write(i as u32) }
/// }
///
/// let numbers = DeviceBuffer::<u32>::zeroed(64)?;
/// let pointer = numbers.device_address() as *mut u32;
/// let count = compile!(unsafe count(pointer))?;
/// // SAFETY: 64 threads, 64 elements.
/// unsafe { count.launch(LaunchConfig::new().blocks(2).threads(32), args!(pointer))? };
/// assert!(numbers.to_vec()?.into_iter().eq(0..64));
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct UnsafePreparedKernel<P>(PreparedKernel<P>);

/// As [`PreparedKernel`].
impl<P> PartialEq for UnsafePreparedKernel<P> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<P> Eq for UnsafePreparedKernel<P> {}

impl<P> Hash for UnsafePreparedKernel<P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<P> UnsafePreparedKernel<P> {
    /// `compile!` calls this.
    #[doc(hidden)]
    pub fn new(kernel: PreparedKernel<P>) -> Self {
        UnsafePreparedKernel(kernel)
    }

    pub(super) fn prepared(&self) -> &PreparedKernel<P> {
        &self.0
    }

    /// Launches the kernel, like [`PreparedKernel::launch`].
    ///
    /// ```no_run
    /// use ptyx::{UnsafePreparedKernel, prelude::*};
    ///
    /// /// Fills `buffer` by a kernel in which each thread writes one number through a pointer.
    /// fn run(count: &UnsafePreparedKernel<(*mut u32,)>, buffer: &DeviceBuffer<u32>) -> ptyx::Result<()> {
    ///     let config = LaunchConfig::new().threads(buffer.len());
    ///     // SAFETY: one thread for each element.
    ///     unsafe { count.launch(config, (buffer.device_address() as *mut u32,)) }
    /// }
    /// ```
    ///
    /// # Safety
    /// The caller must uphold the kernel's `# Safety` section, for every thread and until the kernel has
    /// ended.
    ///
    /// # Errors
    /// Those of [`PreparedKernel::launch`].
    pub unsafe fn launch<A: Arguments<P>>(&self, config: LaunchConfig<'_>, args: A) -> Result<()> {
        self.0.launch(config, args)
    }
}

impl<P> Deref for UnsafePreparedKernel<P> {
    type Target = CompiledKernel;

    fn deref(&self) -> &CompiledKernel {
        self.0.compiled()
    }
}

/// A host value that can be passed for a kernel's parameter in every launch: see [`PreparedArg`].
///
/// ```
/// use ptyx::{DeviceBuffer, launch::Prepare};
/// fn check<D, A: Prepare<D>>() {}
/// check::<&[f32], &DeviceBuffer<f32>>();
/// check::<u32, u32>();
/// ```
///
/// # Safety
/// `Param` is `D` with other lifetimes: a prepared kernel takes any [`PreparedArg`] of it.
pub unsafe trait Prepare<D>: KernelArg<D> {
    /// The parameter's type, with `'static` lifetimes.
    type Param: 'static;
}

/// A host value that can be passed for a prepared kernel's parameter `P`, whose lifetimes are all
/// `'static`: any value that is a [`KernelArg`] for some lifetime.
///
/// ```
/// use ptyx::device::Disjoint;
/// use ptyx::{DeviceBuffer, launch::PreparedArg};
/// fn check<P, A: PreparedArg<P>>() {}
/// check::<&'static [f32], &DeviceBuffer<f32>>();
/// check::<Disjoint<'static, f32>, &mut DeviceBuffer<f32>>();
/// ```
///
/// # Safety
/// As for [`KernelArg`]; and the kernel may use the bytes for any number of launches, as long as the borrows in the host value
/// last: [`PreparedKernel::bind`] keeps the borrows, not the value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be passed for a prepared kernel's parameter of type `{P}`",
    note = "`args!(..)` passes arguments as `launch!` does"
)]
pub unsafe trait PreparedArg<P> {
    /// The parameter's bytes, after earlier uses of its memory were ordered before the launch.
    ///
    /// # Errors
    /// The memory is on another device, or a view's shape does not fit.
    fn lower_again(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<P>>;
}

/// A tuple of arguments for a prepared kernel.
///
/// ```
/// use ptyx::launch::Arguments;
/// use ptyx::{LaunchConfig, PreparedKernel, Result};
///
/// /// Launches any kernel with one thread for each of `n` elements.
/// fn for_each<P>(kernel: &PreparedKernel<P>, n: usize, args: impl Arguments<P>) -> Result<()> {
///     let config = LaunchConfig::new().blocks(n.div_ceil(256)).threads(256);
///     kernel.launch(config, args)
/// }
/// ```
///
/// # Safety
/// Implemented here only.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of arguments for a kernel with the parameters `{P}`",
    note = "pass a tuple, or use `args!(..)`, which passes arguments as `launch!` does"
)]
pub unsafe trait Arguments<P>: Sized {
    /// The layouts of the parameters.
    #[doc(hidden)]
    const LAYOUTS: &'static [Layout];

    /// Calls `then` with a pointer to each parameter, whose memory is ordered through `cx`.
    #[doc(hidden)]
    fn lower<R>(
        self,
        kernel: &PreparedKernel<P>,
        cx: ArgContext<'_>,
        then: impl FnOnce(&ArgContext<'_>, &[*const u8]) -> Result<R>,
    ) -> Result<R>;
}

/// The same bytes as a parameter of another lifetime.
///
/// # Safety
/// `A` and `B` differ in lifetimes only.
#[doc(hidden)]
pub unsafe fn relifed<A, B>(value: MaybeUninit<A>) -> MaybeUninit<B> {
    const { assert!(size_of::<A>() == size_of::<B>() && align_of::<A>() == align_of::<B>()) };
    // SAFETY: the same layout, and bytes of any content.
    unsafe { (&raw const value).cast::<MaybeUninit<B>>().read() }
}

/// `[generics] host value, parameter, the same with 'static;`
macro_rules! prepared {
    ($([$($generics:tt)*] $host:ty, $param:ty, $again:ty;)*) => {$(
        // SAFETY: they differ in lifetimes only.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($generics)*> Prepare<$param> for $host {
            type Param = $again;
        }

        // SAFETY: as the parameter of the shorter lifetime.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($generics)*> PreparedArg<$again> for $host {
            #[inline]
            fn lower_again(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<$again>> {
                let lowered = KernelArg::<$param>::lower(self, cx)?;
                // SAFETY: they differ in lifetimes only.
                Ok(unsafe { relifed(lowered) })
            }
        }
    )*};
}

macro_rules! numbers {
    ($($ty:ty)*) => { prepared! { $([] $ty, $ty, $ty;)* } };
}
numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char);

prepared! {
    [] (), (), ();
    [T: 'static] *const T, *const T, *const T;
    [T: 'static] *mut T, *mut T, *mut T;
    [T: 'static] core::ptr::NonNull<T>, core::ptr::NonNull<T>, core::ptr::NonNull<T>;
    [T: Copy + 'static] ByValue<T>, T, T;
    [T: DeviceCopy] OfLayout<T>, T, T;
    ['a, T: DeviceCopy] &'a DeviceBuffer<T>, &'a [T], &'static [T];
    ['a, T: DeviceCopy] &'a PinnedBuffer<T>, &'a [T], &'static [T];
    ['a, T: DeviceCopy] &'a ManagedBuffer<T>, &'a [T], &'static [T];
    ['a, T: DeviceCopy] &'a GuardedBuffer<T>, &'a [T], &'static [T];
    ['a, T: DeviceCopy] &'a GrowableBuffer<T>, &'a [T], &'static [T];
    ['a, T: DeviceCopy] DeviceSlice<'a, T>, &'a [T], &'static [T];
    ['a, 'b, T: DeviceCopy] &'b DeviceSlice<'a, T>, &'a [T], &'static [T];
    ['a, 'b, T: DeviceCopy] &'a DeviceSliceMut<'b, T>, &'a [T], &'static [T];
}

/// Arrays of several dimensions, and views for writing.
macro_rules! views {
    ($($view:ident of $bound:ident;)*) => { prepared! {$(
        ['a, T: DeviceCopy + $bound] &'a mut DeviceBuffer<T>, $view<'a, T>, $view<'static, T>;
        ['a, T: DeviceCopy + $bound] &'a mut PinnedBuffer<T>, $view<'a, T>, $view<'static, T>;
        ['a, T: DeviceCopy + $bound] &'a mut ManagedBuffer<T>, $view<'a, T>, $view<'static, T>;
        ['a, T: DeviceCopy + $bound] &'a mut GuardedBuffer<T>, $view<'a, T>, $view<'static, T>;
        ['a, T: DeviceCopy + $bound] &'a mut GrowableBuffer<T>, $view<'a, T>, $view<'static, T>;
        ['a, T: DeviceCopy + $bound] DeviceSliceMut<'a, T>, $view<'a, T>, $view<'static, T>;
        ['a, 'b, T: DeviceCopy + $bound] &'a mut DeviceSliceMut<'b, T>, $view<'a, T>, $view<'static, T>;
    )*} };
}
views! { Disjoint of DeviceCopy; SliceMut of DeviceCopy; Atomics of AtomicValue; }

// Views whose rows lie apart are not among them: a kernel that is compiled for rows side by side takes no strides, but
// has the same parameter's type.
prepared! {
    ['a, T: DeviceCopy, const N: usize] DeviceView<'a, T, N>, Array<'a, T, N>, Array<'static, T, N>;
    ['a, 'b, T: DeviceCopy, const N: usize] &'b DeviceView<'a, T, N>, Array<'a, T, N>, Array<'static, T, N>;
    ['a, T: DeviceCopy, const N: usize] DeviceViewMut<'a, T, N>, ArrayMut<'a, T, N>, ArrayMut<'static, T, N>;
    ['a, 'b, T: DeviceCopy, const N: usize]
        &'a mut DeviceViewMut<'b, T, N>, ArrayMut<'a, T, N>, ArrayMut<'static, T, N>;
    ['a, T: DeviceCopy, const N: usize]
        DeviceViewMut<'a, T, N>, DisjointArray<'a, T, N>, DisjointArray<'static, T, N>;
    ['a, 'b, T: DeviceCopy, const N: usize]
        &'a mut DeviceViewMut<'b, T, N>, DisjointArray<'a, T, N>, DisjointArray<'static, T, N>;
    ['a, T: DeviceCopy, const N: usize]
        &'a DeviceArray<T, N>, Array<'a, T, N>, Array<'static, T, N>;
    ['a, T: DeviceCopy, const N: usize]
        &'a mut DeviceArray<T, N>, ArrayMut<'a, T, N>, ArrayMut<'static, T, N>;
    ['a, T: DeviceCopy, const N: usize]
        &'a mut DeviceArray<T, N>, DisjointArray<'a, T, N>, DisjointArray<'static, T, N>;
    ['a, T: DeviceCopy, D: Division<N> + 'static, const N: usize]
        &'a mut DeviceArray<T, N>, Parts<'a, T, D, N>, Parts<'static, T, D, N>;
    [] PhasesArg, Phase, Phase;
    [P: StageParts, const STAGES: usize] RingArg, Ring<P, STAGES>, Ring<P, STAGES>;
    ['a, 'b, V: Fetched, D: Dimension]
        &'a Texture<'b, V, D>, texture::Texture<'a, V, D>, texture::Texture<'static, V, D>;
    ['a, 'b, T: Texel, D: SurfaceDimension]
        &'a mut Surface<'b, T, D>, texture::Surface<'a, T, D>, texture::Surface<'static, T, D>;
    ['a, T: DeviceCopy, D: Division<1> + 'static]
        &'a mut DeviceBuffer<T>, Parts<'a, T, D>, Parts<'static, T, D>;
    ['a, T: DeviceCopy, D: Division<1> + 'static]
        &'a mut PinnedBuffer<T>, Parts<'a, T, D>, Parts<'static, T, D>;
    ['a, T: DeviceCopy, D: Division<1> + 'static]
        &'a mut ManagedBuffer<T>, Parts<'a, T, D>, Parts<'static, T, D>;
    ['a, T: DeviceCopy, D: Division<1> + 'static]
        &'a mut GuardedBuffer<T>, Parts<'a, T, D>, Parts<'static, T, D>;
    ['a, T: DeviceCopy, D: Division<1> + 'static]
        &'a mut GrowableBuffer<T>, Parts<'a, T, D>, Parts<'static, T, D>;
    ['a, T: DeviceCopy, D: Division<1> + 'static]
        DeviceSliceMut<'a, T>, Parts<'a, T, D>, Parts<'static, T, D>;
    ['a, 'b, T: DeviceCopy, D: Division<1> + 'static]
        &'a mut DeviceSliceMut<'b, T>, Parts<'a, T, D>, Parts<'static, T, D>;
    ['a, T: DeviceCopy, D: Division<N> + 'static, const N: usize]
        DeviceViewMut<'a, T, N>, Parts<'a, T, D, N>, Parts<'static, T, D, N>;
    ['a, 'b, T: DeviceCopy, D: Division<N> + 'static, const N: usize]
        &'a mut DeviceViewMut<'b, T, N>, Parts<'a, T, D, N>, Parts<'static, T, D, N>;
    ['a, T: DeviceCopy, D: Division<N> + 'static, const N: usize]
        DevicePivoted<'a, T, N>, Pivoted<'a, T, D, N>, Pivoted<'static, T, D, N>;
    ['a, T: DeviceCopy, D: Division<4> + 'static, const SIDE: usize]
        DeviceDiagonal<'a, T>, Diagonal<'a, T, D, SIDE>, Diagonal<'static, T, D, SIDE>;
}

macro_rules! tuples {
    ($(($($host:ident $param:ident $field:tt),+))*) => {$(
        // SAFETY: so do the fields.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($param, $host: Prepare<$param>),+> Prepare<($($param,)+)> for ($($host,)+) {
            type Param = ($($host::Param,)+);
        }

        // SAFETY: each field is lowered by its own rules, to its place in the parameter.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($param, $host: PreparedArg<$param>),+> PreparedArg<($($param,)+)>
            for ($($host,)+)
        {
            fn lower_again(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<($($param,)+)>> {
                let mut tuple = MaybeUninit::<($($param,)+)>::uninit();
                let pointer = tuple.as_mut_ptr();
                $(
                    let field = self.$field.lower_again(cx)?;
                    // SAFETY: the field lies inside the tuple; only its bytes are written.
                    unsafe {
                        (&raw mut (*pointer).$field).cast::<MaybeUninit<$param>>().write(field);
                    }
                )+
                Ok(tuple)
            }
        }
    )*};
}
tuples! {
    (A DA 0)
    (A DA 0, B DB 1)
    (A DA 0, B DB 1, C DC 2)
    (A DA 0, B DB 1, C DC 2, E DE 3)
    (A DA 0, B DB 1, C DC 2, E DE 3, F DF 4)
    (A DA 0, B DB 1, C DC 2, E DE 3, F DF 4, G DG 5)
    (A DA 0, B DB 1, C DC 2, E DE 3, F DF 4, G DG 5, H DH 6)
    (A DA 0, B DB 1, C DC 2, E DE 3, F DF 4, G DG 5, H DH 6, I DI 7)
}

/// Arrays of views.
macro_rules! view_arrays {
    ($($n:literal)*) => {$(
        // SAFETY: so do the elements.
        #[diagnostic::do_not_recommend]
        unsafe impl<D, H: ViewArg + Prepare<D>> Prepare<[D; $n]> for [H; $n] {
            type Param = [H::Param; $n];
        }

        // SAFETY: each element is lowered by its own rules, to its place in the parameter.
        #[diagnostic::do_not_recommend]
        unsafe impl<P, H: ViewArg + PreparedArg<P>> PreparedArg<[P; $n]> for [H; $n] {
            fn lower_again(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<[P; $n]>> {
                let mut array = MaybeUninit::<[P; $n]>::uninit();
                for (at, from) in self.into_iter().enumerate() {
                    let element = from.lower_again(cx)?;
                    // SAFETY: inside the array; only the element's bytes are written.
                    unsafe { array.as_mut_ptr().cast::<MaybeUninit<P>>().add(at).write(element) };
                }
                Ok(array)
            }
        }
    )*};
}
view_arrays! { 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 }

macro_rules! arguments {
    ($((
        $call:ident $prepare:ident $root:ident $unpack:ident;
        $($param:ident $host:ident $arg:ident),*
    ))*) => {$(
        // SAFETY: each pointer leads to a parameter, which `lower_again` has ordered.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($param, $host: PreparedArg<$param>),*> Arguments<($($param,)*)>
            for ($($host,)*)
        {
            const LAYOUTS: &'static [Layout] = &[$(Layout::new::<$param>()),*];

            #[inline(always)]
            fn lower<R>(
                self,
                kernel: &PreparedKernel<($($param,)*)>,
                #[allow(unused_mut)] // without arguments
                mut cx: ArgContext<'_>,
                then: impl FnOnce(&ArgContext<'_>, &[*const u8]) -> Result<R>,
            ) -> Result<R> {
                let ($($arg,)*) = self;
                #[cfg(ptyx_device)]
                {
                    let _ = (kernel, then, cx, $($arg),*);
                    core::hint::black_box(Err(crate::Error::DevicePass))
                }
                #[cfg(not(ptyx_device))]
                {
                    #[allow(unused_mut, unused_variables)] // without arguments
                    let (mut number, kernel) = (0, kernel);
                    $(
                        number += 1;
                        let $arg = $arg
                            .lower_again(&mut cx)
                            .map_err(|error| kernel.launch.refused(number, error))?;
                    )*
                    then(&cx, &[$((&raw const $arg).cast()),*])
                }
            }
        }
    )*};
}
for_each_arity!(arguments);

#[cfg(not(ptyx_device))]
mod host {
    use super::super::args::ArgContext;
    use super::super::config::LaunchConfig;
    use super::super::run;
    use super::PreparedKernel;
    use crate::error::{Error, Result};
    use crate::stream::Stream;

    impl<P> PreparedKernel<P> {
        /// The stream of a launch with this configuration, if it is one that the kernel can be launched
        /// with.
        #[inline]
        pub(in crate::launch) fn stream<'a>(
            &self,
            config: &LaunchConfig<'a>,
        ) -> Result<&'a Stream> {
            let variant = self.found.variant;
            if !config.words.has_no_knobs && !variant.has_knobs_of(config) {
                return Err(self.has_other_knobs());
            }
            let stream = match config.stream {
                Some(stream) => stream,
                None => variant.context().default_stream()?,
            };
            stream.expect_on(variant.context())?;
            Ok(stream)
        }

        #[cold]
        fn has_other_knobs(&self) -> Error {
            let reason = "it is already assembled, and a knob of the launch can't change it: pass the knob to `compile!`"
                .to_owned();
            let (kernel, site) = (self.found.variant.kernel_name(), self.launch.place().to_owned());
            Error::Launch { kernel, site, reason }
        }

        /// Launches it.
        ///
        /// # Safety
        /// As for [`run::launch_variant`].
        #[inline]
        pub(super) unsafe fn run(
            &self,
            config: &LaunchConfig<'_>,
            cx: &ArgContext<'_>,
            args: &[*const u8],
        ) -> Result<()> {
            self.found.variant.context().bind()?;
            // SAFETY: the caller's promise.
            unsafe { run::launch_variant(self.found, self.launch, config, cx, args) }
        }
    }
}
