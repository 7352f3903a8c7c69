//! The device pass: how a launch tells the compiler which kernel instance it needs.
//!
//! Nothing here runs. Each `rootN` calls `__ptyx_root` with constants: a function that loads the
//! arguments and calls the kernel, the kernel's type, the launch site and its crate, the arguments'
//! layouts and the caller's place. The compiler finds the calls in the LLVM IR, and the host finds the
//! compiled kernels by the same names.

use super::arity::for_each_arity;
use core::panic::Location;

use super::call::{ArgLayout, Layouts, Site, assert_function_item};
use super::unpack::Unpack;

unsafe extern "C" {
    fn __ptyx_root(
        unpack: *const (),
        name: *const u8,
        name_len: usize,
        site: *const u8,
        site_len: usize,
        crate_id: u64,
        layouts: *const ArgLayout,
        count: usize,
        caller: *const Location<'static>,
    );
    fn __ptyx_nested_launch();
}

/// What a launch in a kernel calls: a function that does not exist, so that the kernel is refused.
pub(super) fn refuse_in_kernel() {
    // SAFETY: never runs.
    unsafe { __ptyx_nested_launch() }
}

macro_rules! roots {
    ($((
        $call:ident $prepare:ident $root:ident $unpack:ident;
        $($param:ident $host:ident $arg:ident),*
    ))*) => {$(
        /// Loads the arguments and calls the kernel.
        #[allow(clippy::too_many_arguments)]
        fn $unpack<K: Fn($($param),*) + Copy, $($param, $host: Unpack<$param>),*>(
            $($arg: *const $param),*
        ) {
            assert_function_item::<K>();
            // SAFETY: `K` has no bytes. The compiler passes pointers to the arguments.
            unsafe {
                let kernel = core::mem::MaybeUninit::<K>::uninit().assume_init();
                kernel($($host::unpack($arg)),*)
            }
        }

        /// Names a kernel instance to the compiler.
        pub(super) fn $root<
            S: Site,
            K: Fn($($param),*) + Copy,
            $($param, $host: Unpack<$param>),*
        >(
            caller: &'static Location<'static>,
        ) {
            let name = core::any::type_name::<K>();
            let layouts = <($(($param, $host),)*) as Layouts>::LAYOUTS;
            let unpack: fn($(*const $param),*) = $unpack::<K, $($param, $host),*>;
            // SAFETY: never runs.
            unsafe {
                __ptyx_root(
                    unpack as *const (),
                    name.as_ptr(),
                    name.len(),
                    S::ID.as_ptr(),
                    S::ID.len(),
                    S::CRATE,
                    layouts.as_ptr(),
                    layouts.len(),
                    caller,
                );
            }
        }
    )*};
}
for_each_arity!(roots);
