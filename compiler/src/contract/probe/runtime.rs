//! What the probe kernels need of a device library. Compiled, never run.

unsafe extern "C" {
    fn __ptyx_exit() -> !;
    fn __ptyx_panic_slot() -> u64;
    fn __ptyx_launch_number() -> u32;
}

#[unsafe(no_mangle)]
pub static mut __ptyx_panic_module: u64 = 0;

macro_rules! ends {
    ($($name:ident($($arg:ident: $ty:ty),*) $(-> $never:ty)?;)*) => {$(
        #[unsafe(no_mangle)]
        #[cold]
        #[inline(never)]
        pub extern "C" fn $name($($arg: $ty),*) $(-> $never)? {
            unsafe {
                $((__ptyx_panic_slot() as *mut $ty).write_volatile($arg);)*
                __ptyx_exit()
            }
        }
    )*};
}

ends! {
    __ptyx_panic_bounds(index: usize, len: usize, location: *const u8) -> !;
    __ptyx_panic_str(text: *const u8, len: usize, location: *const u8) -> !;
    __ptyx_panic_begin(location: *const u8);
    __ptyx_panic_text(header: u64, options: u64, text: *const u8, len: usize);
    __ptyx_panic_value(header: u64, options: u64, low: u64, high: u64);
    __ptyx_panic_end() -> !;
}

#[unsafe(no_mangle)]
#[inline(always)]
pub extern "C" fn __ptyx_panic_claim() -> *mut u64 {
    unsafe { __ptyx_panic_slot() as *mut u64 }
}

#[unsafe(no_mangle)]
#[inline(always)]
pub extern "C" fn __ptyx_panic_finish(parts: *mut u64, site: u32) -> ! {
    unsafe {
        parts.wrapping_sub(1).write_volatile(site as u64);
        parts.wrapping_sub(2).write_volatile(__ptyx_launch_number() as u64);
        __ptyx_exit()
    }
}

/// Stands for the sine: a number that the kernel's code shows.
#[unsafe(no_mangle)]
#[inline(always)]
pub extern "C" fn __ptyx_math_sinf(x: f32) -> f32 {
    x + 12345.0
}
