//! Assembled kernels with their arguments: what `PreparedKernel::bind` returns.

#[cfg(not(ptyx_device))]
use super::args::ArgContext;
use super::config::LaunchConfig;
use super::prepared::{Arguments, PreparedKernel, UnsafePreparedKernel};
use crate::error::Result;
#[cfg(not(ptyx_device))]
use crate::stream::Binding;
use core::fmt;
use core::marker::PhantomData;

/// A kernel with its arguments, shape and stream, which are checked: the result of [`PreparedKernel::bind`].
///
/// A launch of it adds little to the driver's call. It borrows its buffers until it is dropped. While it exists, others can at
/// most read what the kernel only reads. So a launch has little to check, and nothing to wait for: earlier uses of the buffers
/// were waited for when the arguments were bound.
///
/// `A` is the tuple of arguments, with the lifetimes of their borrows.
///
/// ```no_run
/// use ptyx::{BoundKernel, prelude::*};
///
/// #[kernel]
/// fn smooth(x: &[f32], mut y: Disjoint<f32>) {
///     let i = thread::index_1d();
///     if let Some(y) = y.get_mut(i) {
///         let left = x.get(i.get().wrapping_sub(1)).copied().unwrap_or(0.0);
///         *y = 0.5 * (left + x[i.get()]);
///     }
/// }
///
/// type Step<'a> = BoundKernel<(&'a DeviceBuffer<f32>, &'a mut DeviceBuffer<f32>)>;
///
/// fn run(there: &Step<'_>, back: &Step<'_>, steps: u32) -> ptyx::Result<()> {
///     for _ in 0..steps {
///         there.launch()?;
///         back.launch()?;
///     }
///     Ok(())
/// }
///
/// let x = DeviceBuffer::filled(1000, 1.0f32)?;
/// let (mut y, mut z) = (DeviceBuffer::zeroed(1000)?, DeviceBuffer::zeroed(1000)?);
/// let smooth = compile!(smooth(&x, &mut y))?;
/// let config = LaunchConfig::new().blocks(4).threads(256);
/// let there = smooth.bind(config.clone(), (&x, &mut y))?;
/// let back = smooth.bind(config, (&x, &mut z))?;
/// run(&there, &back, 100)?;
/// drop((there, back)); // the borrows end
/// assert_eq!(y.to_vec()?, z.to_vec()?);
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// Some launches take as long as those of `launch!`, because there is more to do: those into a capture; those of kernels
/// that use a `Constant` or a `Global`, print, follow raw pointers, or ask whether their launch is cooperative; those with
/// clusters and the like; and those with memory that a graph uses, whose address was taken, or that is another device's.
///
/// If it is leaked ([`core::mem::forget`]), later uses of its buffers wait for its stream, as if it were still used.
pub struct BoundKernel<A> {
    #[cfg(not(ptyx_device))]
    inner: host::Inner,
    /// The borrows.
    args: PhantomData<A>,
}

impl<A> BoundKernel<A> {
    /// Launches the kernel. Several threads can do so at a time, if the arguments are [`Sync`].
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
    /// let add = add.bind(LaunchConfig::new().blocks(4).threads(256), (0.5, &mut numbers))?;
    /// for _ in 0..10 {
    ///     add.launch()?;
    /// }
    /// drop(add);
    /// assert_eq!(numbers.to_vec()?, [5.0; 1000]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// What the driver refuses, such as a launch on a device that was reset. [`Error::Capture`](crate::Error::Capture) if the
    /// stream is captured and an argument can't be used in a graph.
    #[inline]
    pub fn launch(&self) -> Result<()> {
        #[cfg(ptyx_device)]
        return core::hint::black_box(Err(crate::Error::DevicePass));
        #[cfg(not(ptyx_device))]
        self.inner.launch()
    }
}

/// The borrows last until here.
impl<A> Drop for BoundKernel<A> {
    fn drop(&mut self) {}
}

impl<A> fmt::Debug for BoundKernel<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("BoundKernel");
        #[cfg(not(ptyx_device))]
        self.inner.show(&mut shown);
        shown.finish_non_exhaustive()
    }
}

/// A [`BoundKernel`] of an `unsafe` kernel: the result of [`UnsafePreparedKernel::bind`].
///
/// ```no_run
/// use ptyx::prelude::*;
///
/// /// # Safety
/// /// `numbers` points to at least as many elements as the launch has threads, which nothing else uses meanwhile.
/// #[kernel]
/// unsafe fn increment(numbers: *mut u32) {
///     let i = thread::index_1d().get();
///     // SAFETY: the caller's promise; each thread has an index of its own.
///     unsafe { *numbers.add(i) += 1 }
/// }
///
/// let numbers = DeviceBuffer::<u32>::zeroed(64)?;
/// let pointer = numbers.device_address() as *mut u32;
/// let increment = compile!(unsafe increment(pointer))?;
/// let increment = increment.bind(LaunchConfig::new().blocks(2).threads(32), (pointer,))?;
/// for _ in 0..3 {
///     // SAFETY: 64 threads, 64 elements.
///     unsafe { increment.launch()? };
/// }
/// assert_eq!(numbers.to_vec()?, [3; 64]);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Debug)]
pub struct UnsafeBoundKernel<A>(BoundKernel<A>);

impl<A> UnsafeBoundKernel<A> {
    /// Launches the kernel, like [`BoundKernel::launch`].
    ///
    /// ```no_run
    /// use ptyx::UnsafeBoundKernel;
    ///
    /// /// Launches a kernel through whose pointer nobody else writes.
    /// fn repeat(kernel: &UnsafeBoundKernel<(*mut u32,)>, times: u32) -> ptyx::Result<()> {
    ///     for _ in 0..times {
    ///         // SAFETY: as above.
    ///         unsafe { kernel.launch()? };
    ///     }
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Safety
    /// The caller must uphold the kernel's `# Safety` section, for every thread and until the kernel has ended.
    ///
    /// # Errors
    /// Those of [`BoundKernel::launch`].
    #[inline]
    pub unsafe fn launch(&self) -> Result<()> {
        self.0.launch()
    }
}

impl<P> PreparedKernel<P> {
    /// Binds arguments: checks shape and arguments once, for any number of launches with them.
    ///
    /// `args` is a tuple as for [`PreparedKernel::launch`]. The result borrows its buffers until it is dropped, and launches on
    /// one stream: that of `config`, or else the thread's default stream on the kernel's device.
    ///
    /// ```no_run
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn saxpy(a: f32, x: &[f32], mut y: Disjoint<f32>) {
    ///     let i = thread::index_1d();
    ///     if let Some(y) = y.get_mut(i) {
    ///         *y += a * x[i.get()];
    ///     }
    /// }
    ///
    /// let (x, mut y) = (DeviceBuffer::filled(1000, 2.0f32)?, DeviceBuffer::<f32>::zeroed(1000)?);
    /// let saxpy = compile!(saxpy(1.0, &x, &mut y))?;
    /// let config = LaunchConfig::new().blocks(4).threads(256);
    /// let step = saxpy.bind(config, args!(0.5, &x, &mut y))?;
    /// for _ in 0..3 {
    ///     step.launch()?;
    /// }
    /// drop(step); // `y` is borrowed until here
    /// assert_eq!(y.to_vec()?, [3.0; 1000]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`PreparedKernel::launch`]; [`Error::Capture`](crate::Error::Capture) if the stream is captured.
    pub fn bind<A: Arguments<P>>(
        &self,
        config: LaunchConfig<'_>,
        args: A,
    ) -> Result<BoundKernel<A>> {
        #[cfg(ptyx_device)]
        {
            let _ = (config, args);
            core::hint::black_box(Err(crate::Error::DevicePass))
        }
        #[cfg(not(ptyx_device))]
        {
            let stream = self.stream(&config)?;
            let binding = Binding::new(stream);
            let cx = ArgContext::of_binding(stream.enter(), &binding);
            stream.0.refuse_capture("PreparedKernel::bind")?;
            let bytes = args.lower(self, cx, |_, args| {
                let args = args.iter().copied().zip(A::LAYOUTS.iter().copied());
                // SAFETY: each pointer leads to a parameter of this layout.
                Ok(unsafe { ArgBytes::new(args) })
            })?;
            let (found, launch) = (self.found, self.launch);
            // SAFETY: the arguments of the kernel's parameters, ordered on the stream; `A` has their borrows.
            unsafe { Inner::bind(found, launch, &config, binding, bytes) }
        }
    }
}

impl<P> UnsafePreparedKernel<P> {
    /// Binds arguments, like [`PreparedKernel::bind`].
    ///
    /// ```no_run
    /// use ptyx::{LaunchConfig, UnsafeBoundKernel, UnsafePreparedKernel};
    ///
    /// /// For launches with as many threads as there are elements behind the pointer.
    /// fn bind(
    ///     kernel: &UnsafePreparedKernel<(*mut u32,)>,
    ///     (pointer, len): (*mut u32, usize),
    /// ) -> ptyx::Result<UnsafeBoundKernel<(*mut u32,)>> {
    ///     kernel.bind(LaunchConfig::new().threads(len), (pointer,))
    /// }
    /// ```
    ///
    /// # Errors
    /// Those of [`PreparedKernel::bind`].
    pub fn bind<A: Arguments<P>>(
        &self,
        config: LaunchConfig<'_>,
        args: A,
    ) -> Result<UnsafeBoundKernel<A>> {
        Ok(UnsafeBoundKernel(self.prepared().bind(config, args)?))
    }
}

#[cfg(not(ptyx_device))]
pub(super) use host::{ArgBytes, Inner};

#[cfg(not(ptyx_device))]
mod host {
    use super::super::args::ArgContext;
    use super::super::call::Launch;
    use super::super::config::{LaunchConfig, Words};
    use super::super::run;
    use super::super::variant::{FEW, Found, ParamPlace, Variant};
    use super::BoundKernel;
    use crate::driver::types::CUdeviceptr;
    use crate::error::Result;
    use crate::spans::span;
    use crate::stream::{Binding, Bound, Entered};
    use core::alloc::Layout;
    use core::ffi::c_void;
    use core::fmt;
    use core::marker::PhantomData;
    use core::mem::MaybeUninit;
    use ptyx_image::MAX_LIMITS;

    /// As much as a parameter of any type may be aligned to.
    const ALIGNMENT: usize = 128;

    #[derive(Clone, Copy)]
    #[repr(C, align(128))]
    struct Line([MaybeUninit<u8>; ALIGNMENT]);

    /// Arguments, lowered.
    #[derive(Default)]
    pub(in crate::launch) struct ArgBytes {
        lines: Vec<Line>,
        used: usize,
        /// Where each one is.
        starts: Vec<usize>,
    }

    impl ArgBytes {
        #[cfg(test)]
        pub(in crate::launch) fn starts(&self) -> &[usize] {
            &self.starts
        }

        /// # Safety
        /// Each pointer leads to as many bytes as the layout says, whatever they hold.
        pub(in crate::launch) unsafe fn new(
            args: impl Iterator<Item = (*const u8, Layout)>,
        ) -> ArgBytes {
            let mut all = ArgBytes::default();
            for (arg, layout) in args {
                let start = all.used.next_multiple_of(layout.align().min(ALIGNMENT));
                all.used = start + layout.size();
                let line = Line([MaybeUninit::uninit(); ALIGNMENT]);
                all.lines.resize(all.used.div_ceil(ALIGNMENT), line);
                // SAFETY: the lines have so many bytes there, and the caller's promise.
                unsafe {
                    let place = all.lines.as_mut_ptr().cast::<MaybeUninit<u8>>().add(start);
                    place.copy_from_nonoverlapping(arg.cast(), layout.size());
                }
                all.starts.push(start);
            }
            all
        }
    }

    /// A pointer to a parameter.
    type Pointer = MaybeUninit<*mut c_void>;

    /// The arguments' bytes, and pointers to them.
    struct Places {
        /// One for each parameter of the function, without those that a launch adds.
        params: Box<[Pointer]>,
        /// One for each argument.
        args: Box<[*const u8]>,
        /// What the pointers point to; it is not changed.
        _lines: Box<[Line]>,
        _words: Box<[u32]>,
    }

    // SAFETY: nothing is changed through the pointers, and what they point to is part of the value. Whether the arguments
    // themselves may be on another thread is for `BoundKernel` to say.
    unsafe impl Send for Places {}
    // SAFETY: as above.
    unsafe impl Sync for Places {}

    impl Places {
        /// For these arguments, with the kernel's code for them.
        ///
        /// # Safety
        /// There is an argument of the layout that the image has for it in each place.
        unsafe fn new(
            bytes: ArgBytes,
            variant: &'static Variant,
            config: &LaunchConfig<'_>,
        ) -> Result<(&'static Variant, Places)> {
            let lines = bytes.lines.into_boxed_slice();
            let first = lines.as_ptr().cast::<u8>();
            // SAFETY: inside the lines, or at their end.
            let args: Box<[*const u8]> =
                bytes.starts.iter().map(|&start| unsafe { first.add(start) }).collect();
            let variant = match run::extents_of(config) {
                // SAFETY: the caller's promise.
                Some(shape) => unsafe { variant.for_launch(&shape.grid, &shape.block, &args) }?,
                None => variant,
            };
            let mut words = [const { MaybeUninit::uninit() }; MAX_LIMITS];
            // SAFETY: the caller's promise.
            let words = unsafe { run::calculate(variant, &args, &mut words) };
            let words: Box<[u32]> = Box::from(&*words);
            let place = |param: &ParamPlace| {
                // SAFETY: the parameter lies inside its argument.
                unsafe { args[param.arg].add(param.offset) }.cast_mut().cast::<c_void>()
            };
            let own = variant.params().iter().map(place);
            let places = words.iter().map(|word| core::ptr::from_ref(word).cast_mut().cast());
            let params = own.chain(places).map(Pointer::new).collect();
            Ok((variant, Places { params, args, _lines: lines, _words: words }))
        }
    }

    /// A [`BoundKernel`] without its borrows.
    pub(in crate::launch) struct Inner {
        found: Found,
        launch: &'static Launch,
        /// Without stream and knobs.
        config: LaunchConfig<'static>,
        places: Places,
        bound: Bound,
        /// See [`run::is_quick`].
        is_quick: bool,
    }

    impl Inner {
        /// # Safety
        /// `bytes` has the arguments of the kernel's parameters, whose memory was ordered on `cx`'s stream for `binding` and is
        /// borrowed as long as launches come.
        pub(in crate::launch) unsafe fn bind<A>(
            found: Found,
            launch: &'static Launch,
            config: &LaunchConfig<'_>,
            binding: Binding,
            bytes: ArgBytes,
        ) -> Result<BoundKernel<A>> {
            // SAFETY: the caller's promise.
            let (variant, places) = unsafe { Places::new(bytes, found.variant, config) }?;
            let found = Found { variant, ..found };
            let shape = run::check(variant, launch.place(), config)?;
            variant.make_shared_ready(shape.shared + variant.code().moved_shared);
            let is_quick = run::is_quick(found.variant, config);
            let (config, bound) = (config.without_borrows(), binding.into_bound());
            let inner = Inner { found, launch, config, places, bound, is_quick };
            Ok(BoundKernel { inner, args: PhantomData })
        }

        #[inline]
        pub(super) fn launch(&self) -> Result<()> {
            let Found { variant, .. } = self.found;
            if self.is_quick && variant.context().bind().is_ok() {
                // Until the launch is submitted.
                let entered = self.bound.held.stream.enter_standing();
                if let Some(entered) = entered
                    && !self.bound.held.standing.orders_each()
                {
                    return self.launch_quickly(&entered);
                }
            }
            self.launch_ordered()
        }

        /// The memory is ordered already.
        #[inline]
        fn launch_quickly(&self, _: &Entered<'_>) -> Result<()> {
            let Inner { found: Found { variant, launched }, ref config, ref bound, .. } = *self;
            let stream = &bound.held.stream;
            span!(
                "launch",
                kernel = %variant.kernel_name(),
                place = self.launch.place(),
                blocks = ?config.all_blocks(),
                threads = ?config.all_threads(),
                shared_bytes = ?config.all_shared_bytes(),
                stream = ?stream.handle(),
            );
            let own = &self.places.params;
            let mut params: *const Pointer = own.as_ptr();
            // In the order of the parameters.
            let mut hidden: (CUdeviceptr, u32);
            let mut places = [const { Pointer::uninit() }; FEW];
            if variant.code().reports_panics
                && let Some([first, second, ..]) = places.get_mut(own.len()..)
            {
                hidden = stream.0.next_standing(launched)?;
                first.write((&raw mut hidden.0).cast());
                second.write((&raw mut hidden.1).cast());
                places[..own.len()].copy_from_slice(own);
                params = places.as_ptr();
            }
            stream.0.recent.note(launched);
            let &Words { grid: [gx, gy, gz], block: [bx, by, bz], shared, .. } = &config.words;
            let (driver, function) = (variant.context().driver, variant.function);
            let (params, extra) = (params.cast_mut().cast(), core::ptr::null_mut());
            let handle = stream.handle();
            // SAFETY: the function and the stream are alive and of the bound context; `params` has a pointer for each of the
            // function's parameters, which the driver reads before it returns. The memory behind them is borrowed, and
            // ordered on the stream.
            match unsafe {
                driver
                    .cuLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, handle, params, extra)
            } {
                Ok(()) => Ok(()),
                Err(error) => {
                    Err(run::refused(error, variant, self.launch.place(), config, shared))
                }
            }
        }

        /// Orders the memory for one launch.
        #[cold]
        fn launch_ordered(&self) -> Result<()> {
            let context = self.found.variant.context();
            context.bind()?;
            let cx = ArgContext::new(self.bound.held.stream.enter());
            if self.bound.refuses_captures {
                self.bound
                    .held
                    .stream
                    .0
                    .refuse_capture("a launch of a bound kernel that uses pinned memory")?;
            }
            if cx.entry.is_captured() || self.bound.held.standing.orders_each() {
                self.bound.uses.iter().try_for_each(|again| again.order(&cx.entry))?;
                // What it waits for may be on another device.
                context.bind()?;
            }
            let (found, args) = (self.found, &self.places.args);
            // SAFETY: the arguments are as when they were bound, and their memory is ordered.
            unsafe { run::launch_variant(found, self.launch, &self.config, &cx, args) }
        }

        pub(super) fn show(&self, shown: &mut fmt::DebugStruct<'_, '_>) {
            shown
                .field("kernel", &self.found.variant.kernel_name())
                .field("stream", &self.bound.held.stream);
        }
    }
}
