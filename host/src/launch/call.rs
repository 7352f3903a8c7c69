//! `call0` to `call35`: what a launch expands to; `prepare0` to `prepare35`: what `compile!` does.
#![doc(hidden)]

use super::args::KernelArg;
use super::arity::for_each_arity;
use super::config::LaunchConfig;
use super::prepared::{Prepare, PreparedKernel};
use super::unpack::Unpack;
use crate::error::{Error, Result};
use core::panic::Location;
use ptyx_device::{layout_hash, layout_name};

/// A launch in the source: each expansion of `launch!` or `cuda!` has a type of its own.
pub trait Site {
    /// The place, the same in both passes: `module:line:column`.
    const ID: &'static str;
    /// The launch's crate, by [`crate_id`].
    const CRATE: u64;
    /// The place for people: `file:line:column`.
    const PLACE: &'static str;
    /// The kernel's path as written in the launch. An unsafe kernel is launched through a closure, whose
    /// own name says nothing.
    const KERNEL: &'static str;
}

/// Distinguishes the crate of a launch from other crates of the same name. It is the same in both passes: a
/// hash of what cargo tells rustc about the crate.
///
/// `names` has the package's name and version, the crate's name, for a program its name, and the crate's
/// root source file. `kinds` says
/// whether it is an integration test or benchmark, and whether it is compiled for tests.
pub const fn crate_id(names: &[Option<&str>], kinds: &[bool]) -> u64 {
    let mut hash = 0;
    let mut at = 0;
    while at < names.len() {
        hash = match names[at] {
            Some(name) => layout_name(hash, name),
            None => layout_hash(hash, u64::MAX),
        };
        at += 1;
    }
    let mut at = 0;
    while at < kinds.len() {
        hash = layout_hash(hash, kinds[at] as u64);
        at += 1;
    }
    hash
}

/// A kernel instance at a place, as the program's code has it: one constant for each. Two with the same address are the
/// same; the same one may have several addresses.
#[cfg(not(ptyx_device))]
pub(super) struct Launch {
    kernel: fn() -> &'static str,
    site: &'static str,
    crate_id: u64,
    place: &'static str,
    path: &'static str,
    layouts: &'static [ArgLayout],
    arg_names: fn() -> Vec<&'static str>,
}

/// A kernel type at a site, launched with arguments of some layouts.
#[cfg(not(ptyx_device))]
pub(super) struct Of<S, K, L>(core::marker::PhantomData<(S, K, L)>);

#[cfg(not(ptyx_device))]
impl<S: Site, K, L: Layouts> Of<S, K, L> {
    pub(super) const LAUNCH: &'static Launch = &Launch {
        kernel: core::any::type_name::<K>,
        site: S::ID,
        crate_id: S::CRATE,
        place: S::PLACE,
        path: S::KERNEL,
        layouts: L::LAYOUTS,
        arg_names: L::names,
    };
}

#[cfg(not(ptyx_device))]
impl Launch {
    /// The launch site's [`Site::PLACE`].
    #[inline]
    pub(super) fn place(&self) -> &'static str {
        self.place
    }

    /// An error of an argument, with the launch's name and place.
    #[cold]
    pub(super) fn refused(&self, number: usize, error: Error) -> Error {
        error.of_argument(number, || {
            let kernel =
                if (self.kernel)().ends_with("{{closure}}") { self.path } else { (self.kernel)() };
            (kernel.to_owned(), self.place.to_owned())
        })
    }

    /// The instance, launched by `caller`.
    pub(super) fn instance(&self, caller: &'static Location<'static>) -> Instance {
        let &Launch { kernel, site, crate_id, place, path, layouts, arg_names } = self;
        Instance { kernel: kernel(), site, crate_id, place, path, caller, layouts, arg_names }
    }
}

/// A launch as the registry knows it: a kernel instance at a place.
#[derive(Clone, Copy)]
#[cfg(not(ptyx_device))]
pub(super) struct Instance {
    /// `core::any::type_name` of the kernel's function item.
    pub(super) kernel: &'static str,
    /// The launch site's [`Site::ID`].
    pub(super) site: &'static str,
    /// The launch site's [`Site::CRATE`].
    pub(super) crate_id: u64,
    /// The launch site's [`Site::PLACE`].
    pub(super) place: &'static str,
    /// The launch site's [`Site::KERNEL`].
    pub(super) path: &'static str,
    /// The launch itself or, in a `#[track_caller]` function, the call of that function.
    pub(super) caller: &'static Location<'static>,
    /// The layout of each argument.
    pub(super) layouts: &'static [ArgLayout],
    /// The name of each argument's type.
    pub(super) arg_names: fn() -> Vec<&'static str>,
}

#[cfg(not(ptyx_device))]
impl Instance {
    /// The kernel's name for people.
    pub(super) fn name(&self) -> &'static str {
        if self.kernel.ends_with("{{closure}}") { self.path } else { self.kernel }
    }
}

/// The layout of a kernel's parameter, on which both passes must agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(super) struct ArgLayout {
    /// In bytes.
    pub(super) size: u64,
    /// In bytes.
    pub(super) align: u64,
    /// What it is made of: [`Unpack::FINGERPRINT`].
    pub(super) fingerprint: u64,
}

/// The layouts of a kernel's parameters, as a tuple type of `(parameter, how it is read)`.
pub(super) trait Layouts {
    /// That of each.
    const LAYOUTS: &'static [ArgLayout];

    /// The name of each one's type.
    fn names() -> Vec<&'static str>;
}

/// Fails to compile unless `K` is a function's own type. The device pass comes first, and reports it at
/// the launch.
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
    ($launch:ident, $caller:ident, $config:ident; $($arg:ident)*) => {{
        let stream = super::run::stream_of(&$config)?;
        #[allow(unused_mut, unused_variables)] // without arguments
        let mut cx = super::args::ArgContext::new(stream.enter());
        #[allow(unused_mut, unused_variables)] // without arguments
        let mut number = 0;
        $(
            number += 1;
            let $arg = $arg.lower(&mut cx).map_err(|error| $launch.refused(number, error))?;
        )*
        // SAFETY: each pointer leads to an argument of the layout in the same place of
        // `layouts`, whose memory `lower` has ordered on the stream.
        unsafe {
            super::run::launch($launch, $caller, &$config, &cx, &[$((&raw const $arg).cast()),*])
        }
    }};
}

macro_rules! calls {
    ($((
        $call:ident $prepare:ident $root:ident $unpack:ident;
        $($param:ident $host:ident $arg:ident),*
    ))*) => {$(
        impl<$($param, $host: Unpack<$param>),*> Layouts for ($(($param, $host),)*) {
            const LAYOUTS: &'static [ArgLayout] = &[$(ArgLayout {
                size: size_of::<$param>() as u64,
                align: align_of::<$param>() as u64,
                fingerprint: <$host as Unpack<$param>>::FINGERPRINT,
            }),*];

            fn names() -> Vec<&'static str> {
                vec![$(core::any::type_name::<$param>()),*]
            }
        }

        /// Launches a kernel. `launch!` and `cuda!` call this.
        ///
        /// # Errors
        /// Any error that keeps the kernel from being launched.
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
                // A result that rustc can't see through: otherwise everything after a launch that
                // always fails would be unreachable, including other launches.
                core::hint::black_box(Err(crate::Error::DevicePass))
            }
            #[cfg(not(ptyx_device))]
            {
                let launch = Of::<S, K, ($(($param, $host::Unpack),)*)>::LAUNCH;
                let caller = Location::caller();
                lower_and_launch!(launch, caller, config; $($arg)*)
            }
        }

        /// Assembles a kernel for the current device, or for the device of the configuration's stream.
        /// The arguments determine its types. `compile!` calls this.
        ///
        /// # Errors
        /// Any error that keeps the kernel from being assembled.
        #[allow(clippy::too_many_arguments)]
        #[track_caller]
        pub fn $prepare<S: Site, K, $($param, $host),*>(
            _site: S,
            _kernel: K,
            config: LaunchConfig<'_>,
            $($arg: $host),*
        ) -> Result<PreparedKernel<($($host::Param,)*)>>
        where
            K: Fn($($param),*) + Copy,
            $($host: KernelArg<$param> + Prepare<$param>,)*
        {
            assert_function_item::<K>();
            let _ = ($($arg,)*);
            #[cfg(ptyx_device)]
            {
                let _ = config;
                super::root::$root::<S, K, $($param, $host::Unpack),*>(Location::caller());
                super::root::refuse_in_kernel();
                core::hint::black_box(Err(crate::Error::DevicePass))
            }
            #[cfg(not(ptyx_device))]
            {
                let launch = Of::<S, K, ($(($param, $host::Unpack),)*)>::LAUNCH;
                let found = super::run::assemble(launch, Location::caller(), &config)?;
                PreparedKernel::new(found, launch)
            }
        }
    )*};
}

for_each_arity!(calls);
