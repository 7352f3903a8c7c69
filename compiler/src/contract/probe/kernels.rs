//! Small kernels that go the whole way to PTX: `contract/kernels.rs` says what must be in it. Compiled,
//! never run.

use std::panic::Location;
use std::sync::atomic::{AtomicU32, Ordering};

unsafe extern "C" {
    fn __ptyx_root(
        unpack: *const (),
        name: *const u8,
        name_len: usize,
        site: *const u8,
        site_len: usize,
        crate_id: u64,
        layouts: *const [u64; 3],
        count: usize,
        caller: *const Location<'static>,
    );
    fn __ptyx_kernel_marker();
    #[link_name = "__ptyx_intrinsic tid_x nvvm llvm.nvvm.read.ptx.sreg.tid.x"]
    fn tid_x() -> u32;
    #[link_name = "__ptyx_intrinsic sync nvvm llvm.nvvm.barrier.cta.sync.aligned.all"]
    fn sync(barrier: u32);
}

/// A launch of each kernel, as `ptyx::launch` makes it.
macro_rules! kernels {
    ($($launch:ident $unpack:ident $name:ident($($arg:ident: $ty:ty),*) $body:block)*) => {$(
        fn $name($($arg: $ty),*) {
            unsafe { __ptyx_kernel_marker() }
            #[allow(unused_unsafe)]
            unsafe { $body }
        }

        fn $unpack($($arg: *const $ty),*) {
            unsafe { $name($($arg.read()),*) }
        }

        pub fn $launch() {
            const LAYOUTS: &[[u64; 3]] =
                &[$([size_of::<$ty>() as u64, align_of::<$ty>() as u64, 0]),*];
            const NAME: &str = concat!("ptyx_probe_kernels::", stringify!($name));
            let unpack: fn($(*const $ty),*) = $unpack;
            unsafe {
                __ptyx_root(
                    unpack as *const (),
                    NAME.as_ptr(),
                    NAME.len(),
                    NAME.as_ptr(),
                    NAME.len(),
                    0,
                    LAYOUTS.as_ptr(),
                    LAYOUTS.len(),
                    Location::caller(),
                );
            }
        }
    )*};
}

#[inline(never)]
fn wait(out: *mut u32) {
    unsafe {
        sync(0);
        out.write_volatile(1);
    }
}

#[derive(Debug)]
struct Failure {
    at: u32,
}

kernels! {
    launch_add unpack_add add(a: *const u32, b: *const u32, out: *mut u32) {
        let i = tid_x() as usize;
        *out.add(i) = (*a.add(i)).wrapping_add(*b.add(i));
    }

    // Between two branches by one condition: a pass that knows nothing of convergence would copy it.
    launch_barrier unpack_barrier barrier(n: u32, out: *mut u32) {
        if n > 7 {
            out.write_volatile(2);
        }
        wait(out);
        if n > 7 {
            out.write_volatile(3);
        }
    }

    launch_panics unpack_panics panics(data: *const u32, len: usize, at: usize, out: *mut u32) {
        let data = core::slice::from_raw_parts(data, len);
        let value = data[at]; // the panic's place
        if value == 7 {
            panic!("seven, that is {value:#x}, at {at}");
        }
        let result = if value == 8 { Err(Failure { at: value }) } else { Ok(value) };
        *out = result.unwrap();
    }

    launch_atomics unpack_atomics atomics(counter: *const AtomicU32, out: *mut u32) {
        *out = (*counter).fetch_add(1, Ordering::Relaxed);
        (*counter).store(5, Ordering::Release);
    }

    launch_library unpack_library library(text: *const u8, len: usize, out: *mut u32) {
        let text = core::slice::from_raw_parts(text, len);
        *out = core::str::from_utf8(text).is_ok() as u32;
    }

    launch_sine unpack_sine sine(x: f32, out: *mut f32) {
        *out = x.sin();
    }
}
