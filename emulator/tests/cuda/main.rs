//! PTX that Ptyx did not make: what `nvcc` made of the CUDA C++ beside this file, run and compared with plain Rust.
//!
//! Runs on a GPU, too, with `PTYX_DEVICE=cuda`; `PTYX_SEED` repeats a run. Each `.ptx` says how it was made;
//! `make.sh` makes them again.

#[path = "../device/mod.rs"]
mod device;

mod atomics;
mod blocks;
mod calls;
mod clusters;
mod control;
mod fail;
mod groups;
mod halves;
mod integers;
mod math;
mod memory;
mod pipeline;
mod print;
mod tensors;
mod textures;
mod warp;
mod wmma;

use device::{Device, LaunchConfig, on_gpu};
use std::marker::PhantomData;

/// The module that `nvcc` made of `NAME.cu`.
macro_rules! module {
    ($name:literal) => {
        $crate::Module::load($name, include_str!(concat!($name, ".ptx")))
    };
}
pub(crate) use module;

/// Arguments of a kernel, as bytes.
macro_rules! args {
    ($($value:expr),* $(,)?) => { &mut [$($crate::Argument::bytes(&$value)),*] };
}
pub(crate) use args;

/// Numbers that lie in memory as they do on the device.
pub(crate) trait Number: Copy {
    fn bytes(self) -> Vec<u8>;
    fn of(bytes: &[u8]) -> Self;
}

macro_rules! numbers {
    ($($ty:ty)*) => { $(
        impl Number for $ty {
            fn bytes(self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }
            fn of(bytes: &[u8]) -> Self {
                <$ty>::from_le_bytes(bytes.try_into().expect("as many bytes"))
            }
        }
        impl Argument for $ty {
            fn bytes(&self) -> Vec<u8> {
                Number::bytes(*self)
            }
        }
    )* };
}
numbers!(u8 i8 u16 i16 u32 i32 u64 i64 f32 f64);

/// What a kernel takes.
pub(crate) trait Argument {
    fn bytes(&self) -> Vec<u8>;
}

/// A structure, as bytes.
impl Argument for Vec<u8> {
    fn bytes(&self) -> Vec<u8> {
        self.clone()
    }
}

/// Numbers in device memory.
pub(crate) struct Buffer<T> {
    address: u64,
    len: usize,
    numbers: PhantomData<T>,
}

impl<T: Number> Buffer<T> {
    pub(crate) fn new(values: &[T]) -> Self {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.bytes()).collect();
        Buffer { address: Device.upload(&bytes), len: values.len(), numbers: PhantomData }
    }

    pub(crate) fn values(&self) -> Vec<T> {
        let bytes = Device.download(self.address, self.len * size_of::<T>());
        bytes.chunks_exact(size_of::<T>()).map(T::of).collect()
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        Device.free(self.address);
    }
}

impl<T> Argument for Buffer<T> {
    fn bytes(&self) -> Vec<u8> {
        Number::bytes(self.address)
    }
}

/// A loaded module.
pub(crate) struct Module(usize);

impl Module {
    pub(crate) fn load(name: &str, source: &str) -> Self {
        let device = Device::new();
        Module(device.load(source).unwrap_or_else(|log| panic!("{name}.ptx: {log}")))
    }

    fn kernel(&self, name: &str) -> usize {
        Device.function(self.0, name).unwrap_or_else(|| panic!("there is no kernel `{name}`"))
    }

    /// Launches a kernel with dynamic shared memory, and waits; the driver's result.
    pub(crate) fn try_run(
        &self,
        kernel: &str,
        (grid, block, shared): (u32, u32, u32),
        args: &mut [Vec<u8>],
    ) -> i32 {
        let (grid, block) = ([grid, 1, 1], [block, 1, 1]);
        match Device.launch(self.kernel(kernel), grid, block, shared, args) {
            0 => Device.synchronize(),
            error => error,
        }
    }

    /// Checks a result of the driver; what is wrong if it is not 0.
    fn check(kernel: &str, code: i32) {
        let report = if on_gpu() { None } else { ptyx_emulator::driver::take_fault() };
        assert_eq!(code, 0, "{kernel}: {}", report.unwrap_or_default());
    }

    /// The same, which must succeed, without dynamic shared memory.
    pub(crate) fn run(&self, kernel: &str, grid: u32, block: u32, args: &mut [Vec<u8>]) {
        Self::check(kernel, self.try_run(kernel, (grid, block, 0), args));
    }

    /// The same, in two dimensions.
    pub(crate) fn run_2d(
        &self,
        kernel: &str,
        grid: [u32; 2],
        block: [u32; 2],
        args: &mut [Vec<u8>],
    ) {
        let three = |shape: [u32; 2]| [shape[0], shape[1], 1];
        let code = Device.launch(self.kernel(kernel), three(grid), three(block), 0, args);
        Self::check(kernel, if code == 0 { Device.synchronize() } else { code });
    }

    /// The same, with all blocks at the same time.
    pub(crate) fn run_together(&self, kernel: &str, grid: u32, block: u32, args: &mut [Vec<u8>]) {
        let (grid, block) = ([grid, 1, 1], [block, 1, 1]);
        let config = LaunchConfig { grid, block, cooperative: true, ..LaunchConfig::ONE };
        let code = Device.launch_as(&config, self.kernel(kernel), args);
        Self::check(kernel, if code == 0 { Device.synchronize() } else { code });
    }

    /// The same with all blocks in one cluster, and with dynamic shared memory.
    pub(crate) fn run_in_cluster(
        &self,
        kernel: &str,
        (blocks, threads, shared): (u32, u32, u32),
        args: &mut [Vec<u8>],
    ) {
        let (grid, block) = ([blocks, 1, 1], [threads, 1, 1]);
        let cluster = Some(grid);
        let config = LaunchConfig { grid, block, shared, cluster, ..LaunchConfig::ONE };
        let code = Device.launch_as(&config, self.kernel(kernel), args);
        Self::check(kernel, if code == 0 { Device.synchronize() } else { code });
    }
}

/// Random numbers (xorshift64*), whose seed is printed.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new() -> Self {
        Random(ptyx_test_support::seed() | 1)
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// From `low` to `high - 1`.
    pub(crate) fn int(&mut self, low: i32, high: i32) -> i32 {
        low + ((self.word() >> 32) % (high - low) as u64) as i32
    }

    pub(crate) fn ints(&mut self, count: usize, low: i32, high: i32) -> Vec<i32> {
        (0..count).map(|_| self.int(low, high)).collect()
    }

    pub(crate) fn words(&mut self, count: usize) -> Vec<u32> {
        (0..count).map(|_| (self.word() >> 32) as u32).collect()
    }

    pub(crate) fn real(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.word() >> 11) as f64 / (1u64 << 53) as f64)
    }

    pub(crate) fn reals(&mut self, count: usize, low: f64, high: f64) -> Vec<f32> {
        (0..count).map(|_| self.real(low, high) as f32).collect()
    }
}

/// Compares rows of results, each as long as `stride`.
pub(crate) fn assert_rows<T: PartialEq + std::fmt::Debug>(
    what: &str,
    got: &[T],
    stride: usize,
    want: impl Fn(usize, usize) -> T,
) {
    for (row, got) in got.chunks(stride).enumerate() {
        for (at, got) in got.iter().enumerate() {
            assert_eq!(*got, want(row, at), "{what}: row {row}, thread {at}");
        }
    }
}
