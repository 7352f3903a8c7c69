//! As much of `ptyx` as the expansions of macros need to compile.

pub use ptyx_macros::{
    DeviceCopy, KernelArg, args, compile, cuda, kernel, launch, ptx, unroll,
};

pub type Result<T> = core::result::Result<T, ()>;

pub mod device {
    pub mod marker {
        pub fn kernel() {}
        pub fn heap() {}
    }

    /// As on the host.
    #[macro_export]
    macro_rules! __ptx {
        (device { $($device:tt)* } host { $($host:tt)* }) => {{ $($host)* }};
    }
    pub use crate::__ptx;

    pub mod ptx {
        pub trait Operand {}
        impl Operand for u16 {}
        impl Operand for u32 {}
        impl Operand for i32 {}
        impl Operand for f32 {}
        impl Operand for u64 {}
        impl<T> Operand for *const T {}
        pub fn input<T: Operand>(value: T) -> T {
            value
        }
        pub fn predicate(_: bool) -> u32 {
            0
        }
        pub fn constant<T>(_: T) {}
        pub fn output<T: Operand>() -> T {
            never()
        }
        pub fn predicate_output() -> bool {
            never()
        }
        pub fn through<T: Operand>(_: T) -> T {
            never()
        }
        pub fn predicate_through(_: bool) -> bool {
            never()
        }
        pub unsafe fn call() {}
        pub fn never() -> ! {
            panic!()
        }
    }

    pub mod unroll {
        pub fn full() {}
        pub fn never() {}
        pub fn times<const COUNT: u32>() {}
    }

    pub const fn layout_of<T>() -> u64 {
        0
    }
    pub const fn layout_field(_: u64, _: &str, _: usize, _: u64) -> u64 {
        0
    }

    pub const fn layout_name(_: u64, _: &str) -> u64 {
        0
    }
    pub const fn layout_hash(_: u64, _: u64) -> u64 {
        0
    }

    pub mod derived {
        pub const fn bits_of<T: Copy>(_: T) -> u64 {
            0
        }
        pub unsafe fn read_bits<T>(_: *const T, _: usize) -> u64 {
            0
        }
        pub const fn contains(_: &[u64], _: u64) -> bool {
            true
        }
        pub const fn offset(_: usize, _: &[(usize, usize)], _: usize) -> usize {
            0
        }
        pub const fn greatest(_: &[usize]) -> usize {
            1
        }
        pub fn cannot_validate<T>() {}
    }

    pub unsafe trait DeviceCopy: Copy + 'static {
        const LAYOUT: u64 = 0;
        const ZERO_IS_VALID: bool = true;
        const ONE_SCALAR: bool = false;
        unsafe fn is_valid(_: *const Self) -> bool {
            true
        }
        unsafe fn make_valid(_: *mut Self) {}
    }
    unsafe impl DeviceCopy for f32 {}
    unsafe impl<T: DeviceCopy, const N: usize> DeviceCopy for [T; N] {}
}

pub mod launch {
    pub trait Site {
        const ID: &'static str;
        const CRATE: u64;
        const PLACE: &'static str;
        const KERNEL: &'static str;
    }
    pub const fn crate_id(_: &[Option<&str>], _: &[bool]) -> u64 {
        0
    }
    pub struct Unchecked;
    impl Unchecked {
        pub unsafe fn new() -> Self {
            Self
        }
        pub fn slot<T>(self, value: T) -> Slot<T> {
            Slot(value)
        }
    }
    pub struct Slot<T>(pub T);
    impl<T> Slot<T> {
        pub fn new(value: T) -> Self {
            Self(value)
        }
    }
    pub trait PassArg {
        fn pass(&self) {}
    }
    impl<T> PassArg for Slot<T> {}
    pub trait PassByValue {}
    pub trait PassElement {}
    pub trait PassToThreads {}
    pub trait PassUnsupported {}

    pub struct LaunchConfig;
    impl LaunchConfig {
        pub fn new() -> Self {
            Self
        }
        pub fn blocks<T>(self, _: T) -> Self {
            self
        }
        pub fn threads<T>(self, _: T) -> Self {
            self
        }
        pub fn shared_bytes(self, _: usize) -> Self {
            self
        }
        pub fn stream(self, _: &()) -> Self {
            self
        }
        pub fn cluster<T>(self, _: T) -> Self {
            self
        }
        pub unsafe fn programmatic(self) -> Self {
            self
        }
        pub fn maxregs(self, _: u32) -> Self {
            self
        }
        pub fn alias(self, _: &str) -> Self {
            self
        }
    }
    pub fn call0<S: Site, K: Fn()>(_: S, _: K, _: LaunchConfig) -> crate::Result<()> {
        Ok(())
    }
    pub fn prepare1<S: Site, K: Fn(D), D>(_: S, _: K, _: LaunchConfig, _: ()) -> crate::Result<()> {
        Ok(())
    }
    pub fn call1<S: Site, K: Fn(D), D>(_: S, _: K, _: LaunchConfig, _: ()) -> crate::Result<()> {
        Ok(())
    }
    pub fn call2<S: Site, K: Fn(A, B), A, B>(
        _: S,
        _: K,
        _: LaunchConfig,
        _: (),
        _: (),
    ) -> crate::Result<()> {
        Ok(())
    }
}
