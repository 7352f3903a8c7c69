//! `call0` to `call35`: what a launch expands to; `prepare0` to `prepare35`: what `compile!` does.

use super::args::KernelArg;
use super::arity::for_each_arity;
use super::config::LaunchConfig;
use super::prepared::PreparedKernel;
use crate::error::Result;
use core::panic::Location;

/// A launch in the source: each expansion of `launch!` or `cuda!` has a type of its own.
pub trait Site {
    /// The place, the same in both passes: `module:line:column`.
    const ID: &'static str;
}

/// A launch as the host knows it: a kernel instance at a place.
#[derive(Clone, Copy)]
#[cfg(not(ptyx_device))]
pub(super) struct Instance {
    /// `core::any::type_name` of the kernel's function item.
    pub(super) kernel: &'static str,
    /// The launch site.
    pub(super) site: &'static str,
    /// The launch itself or, where it stands in a `#[track_caller]` function, the call of that.
    pub(super) caller: &'static Location<'static>,
    /// Size and alignment of each argument.
    pub(super) layouts: &'static [[usize; 2]],
}

/// The layouts of a kernel's parameters, as a tuple type.
pub(super) trait Layouts {
    /// Size and alignment of each, in bytes.
    const LAYOUTS: &'static [[usize; 2]];
}

/// Fails to compile unless `K` is a function's own type. The device pass comes first, and says it
/// with the place of the launch.
#[inline(always)]
pub(super) const fn assert_function_item<K>() {
    const {
        let is_item = size_of::<K>() == 0 || cfg!(ptyx_device);
        assert!(is_item, "launch! takes the kernel's name, not a function pointer");
    };
}

/// Lowers the arguments and launches the instance; for functions that return a `Result`.
#[cfg(not(ptyx_device))]
macro_rules! lower_and_launch {
    ($instance:ident, $config:ident; $($arg:ident)*) => {{
        let stream = super::run::stream_of(&$config)?;
        #[allow(unused_mut, unused_variables)] // without arguments
        let mut cx = super::args::ArgContext { entry: stream.enter() };
        $(let $arg = $arg.lower(&mut cx)?;)*
        // SAFETY: each pointer leads to an argument of the layout in the same place of
        // `layouts`, whose memory `lower` has ordered on the stream.
        unsafe {
            super::run::launch($instance, &$config, stream, &[$((&raw const $arg).cast()),*])
        }
    }};
}

macro_rules! calls {
    ($((
        $call:ident $prepare:ident $root:ident $unpack:ident;
        $($param:ident $host:ident $arg:ident),*
    ))*) => {$(
        impl<$($param),*> Layouts for ($($param,)*) {
            const LAYOUTS: &'static [[usize; 2]] =
                &[$([size_of::<$param>(), align_of::<$param>()]),*];
        }

        /// Launches a kernel. `launch!` and `cuda!` call this.
        ///
        /// # Errors
        /// Whatever keeps the kernel from being launched.
        #[allow(clippy::too_many_arguments)]
        #[track_caller]
        pub fn $call<S: Site, K, $($param, $host),*>(
            _site: S,
            _kernel: K,
            config: LaunchConfig<'_>,
            $($arg: $host),*
        ) -> Result<()>
        where
            K: Fn($($param),*) + Copy,
            $($host: KernelArg<$param>,)*
        {
            assert_function_item::<K>();
            #[cfg(ptyx_device)]
            {
                let _ = (config, $($arg),*);
                super::root::$root::<S, K, $($param, $host::Unpack),*>(Location::caller());
                super::root::refuse_in_kernel();
                // A result that rustc can't see through: to it, nothing behind a launch that
                // always fails would be reachable, other launches included.
                core::hint::black_box(Err(crate::Error::DevicePass))
            }
            #[cfg(not(ptyx_device))]
            {
                let instance = Instance {
                    kernel: core::any::type_name::<K>(),
                    site: S::ID,
                    caller: Location::caller(),
                    layouts: <($($param,)*) as Layouts>::LAYOUTS,
                };
                lower_and_launch!(instance, config; $($arg)*)
            }
        }

        /// Assembles a kernel for the current device, or that of the configuration's stream, and
        /// keeps its arguments for a launch. `compile!` calls this.
        ///
        /// # Errors
        /// Whatever keeps the kernel from being assembled.
        #[allow(clippy::too_many_arguments)]
        #[track_caller]
        pub fn $prepare<S: Site, K, $($param, $host),*>(
            site: S,
            kernel: K,
            config: LaunchConfig<'_>,
            $($arg: $host),*
        ) -> Result<PreparedKernel<impl FnOnce(LaunchConfig<'_>) -> Result<()>>>
        where
            K: Fn($($param),*) + Copy,
            $($host: KernelArg<$param>,)*
        {
            assert_function_item::<K>();
            #[cfg(ptyx_device)]
            {
                super::root::$root::<S, K, $($param, $host::Unpack),*>(Location::caller());
                super::root::refuse_in_kernel();
                PreparedKernel::device_pass(move |launch| {
                    let _ = (site, kernel, &config, launch, $($arg),*);
                    core::hint::black_box(Err(crate::Error::DevicePass))
                })
            }
            #[cfg(not(ptyx_device))]
            {
                let _ = (site, kernel);
                let instance = Instance {
                    kernel: core::any::type_name::<K>(),
                    site: S::ID,
                    caller: Location::caller(),
                    layouts: <($($param,)*) as Layouts>::LAYOUTS,
                };
                let variant = super::run::assemble(instance, &config)?;
                let knobs = config.knobs.to_owned();
                PreparedKernel::new(variant, move |config| {
                    let config = LaunchConfig { knobs: knobs.get(), ..config };
                    lower_and_launch!(instance, config; $($arg)*)
                })
            }
        }
    )*};
}

for_each_arity!(calls);
