//! As much of `ptyx` as the expansions of macros need to compile.

pub use ptyx_macros::{DeviceCopy, compile, cuda, kernel, launch, print, println, unroll};

pub type Result<T> = core::result::Result<T, ()>;

pub mod device {
    pub mod marker {
        pub fn kernel() {}
        pub fn heap() {}
    }

    pub mod unroll {
        pub fn full() {}
        pub fn never() {}
        pub fn times<const COUNT: u32>() {}
    }

    pub unsafe trait DeviceCopy: Copy + 'static {
        unsafe fn make_valid(_: *mut Self) {}
    }
    unsafe impl DeviceCopy for f32 {}
    unsafe impl<T: DeviceCopy, const N: usize> DeviceCopy for [T; N] {}

    pub mod print {
        pub enum Piece {
            Text(&'static str),
            Value(Spec),
        }
        pub struct Spec {
            pub left: Option<bool>,
            pub plus: bool,
            pub alternate: bool,
            pub zero: bool,
            pub width: Option<u32>,
            pub precision: Option<u32>,
            pub style: Style,
        }
        pub enum Style {
            Display,
            Debug,
            LowerHex,
            UpperHex,
            Octal,
            LowerExp,
            UpperExp,
            Pointer,
        }
        pub trait Format {
            const PIECES: &'static [Piece];
        }
        pub fn emit<F: Format, V, const CAPACITY: usize>(_: V) {}
    }
}

pub mod launch {
    pub trait Site {
        const ID: &'static str;
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
