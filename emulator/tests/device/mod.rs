//! The emulated device through its driver functions, for tests; or a GPU through the same ones, when
//! `PTYX_DEVICE` is `cuda`.
#![allow(dead_code)]

use ptyx_driver_api::*;
use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::ptr::null_mut;

unsafe extern "C" {
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// Whether the tests run on a GPU.
pub(crate) fn on_gpu() -> bool {
    std::env::var("PTYX_DEVICE").is_ok_and(|device| device == "cuda")
}

/// The driver function of that name.
pub(crate) fn symbol(name: &str) -> Option<*const c_void> {
    if !on_gpu() {
        return ptyx_emulator::driver::symbol(name);
    }
    let name = CString::new(name).ok()?;
    // SAFETY: both strings end with a zero byte; loading the driver twice gives the same library.
    unsafe {
        let library = dlopen(c"libcuda.so.1".as_ptr(), 2);
        let pointer = if library.is_null() { library } else { dlsym(library, name.as_ptr()) };
        (!pointer.is_null()).then_some(pointer.cast_const())
    }
}

/// Calls a driver function by name.
macro_rules! driver {
    ($name:ident($($arg:expr => $ty:ty),* $(,)?)) => {{
        let pointer = $crate::device::symbol(stringify!($name)).expect(stringify!($name));
        // SAFETY: the types are those of the driver's header.
        let function: extern "C" fn($($ty),*) -> std::ffi::c_int = unsafe { std::mem::transmute(pointer) };
        function($($arg),*)
    }};
}
#[allow(unused_imports)]
pub(crate) use driver;

/// A device with a current context.
pub(crate) struct Device;

impl Device {
    pub(crate) fn new() -> Self {
        Device::number(0)
    }

    /// Makes the context of device `ordinal` current.
    pub(crate) fn number(ordinal: c_int) -> Self {
        let mut context = 0usize;
        assert_eq!(driver!(cuInit(0 => c_uint)), 0);
        let code = driver!(cuDevicePrimaryCtxRetain(&mut context => *mut usize, ordinal => c_int));
        assert_eq!(code, 0);
        assert_eq!(driver!(cuCtxSetCurrent(context => usize)), 0);
        Device
    }

    /// Loads a module; the error is the assembler's log.
    pub(crate) fn load(&self, source: &str) -> Result<usize, String> {
        let source = CString::new(source).expect("no zero byte");
        let mut log = vec![0u8; 1 << 16];
        let mut module = 0usize;
        let mut options: [c_int; 2] = [5, 6];
        let mut values = [log.as_mut_ptr().cast::<c_void>(), log.len() as *mut c_void];
        let code = driver!(cuModuleLoadDataEx(
            &mut module => *mut usize,
            source.as_ptr().cast() => *const c_void,
            2 => c_uint,
            options.as_mut_ptr() => *mut c_int,
            values.as_mut_ptr() => *mut *mut c_void,
        ));
        if code == 0 {
            return Ok(module);
        }
        log.truncate(values[1] as usize);
        Err(String::from_utf8(log).expect("the log is text"))
    }

    pub(crate) fn function(&self, module: usize, name: &str) -> Option<usize> {
        let name = CString::new(name).expect("no zero byte");
        let mut function = 0usize;
        let code = driver!(cuModuleGetFunction(
            &mut function => *mut usize,
            module => usize,
            name.as_ptr() => *const c_char,
        ));
        (code == 0).then_some(function)
    }

    /// Launches with parameters given as bytes.
    pub(crate) fn launch(
        &self,
        function: usize,
        grid: [u32; 3],
        block: [u32; 3],
        shared: u32,
        params: &mut [Vec<u8>],
    ) -> c_int {
        self.launch_on(0, function, grid, block, shared, params)
    }

    /// [`Device::launch`] on a stream.
    pub(crate) fn launch_on(
        &self,
        stream: usize,
        function: usize,
        grid: [u32; 3],
        block: [u32; 3],
        shared: u32,
        params: &mut [Vec<u8>],
    ) -> c_int {
        self.launch_as(
            &LaunchConfig { grid, block, shared, stream, ..LaunchConfig::ONE },
            function,
            params,
        )
    }

    /// Launches with any attributes: with `cuLaunchKernelEx` if there are some.
    pub(crate) fn launch_as(
        &self,
        config: &LaunchConfig,
        function: usize,
        params: &mut [Vec<u8>],
    ) -> c_int {
        let mut pointers: Vec<*mut c_void> =
            params.iter_mut().map(|bytes| bytes.as_mut_ptr().cast()).collect();
        let &LaunchConfig { grid, block, shared, stream, .. } = config;
        let attributes = config.attributes();
        if !attributes.is_empty() {
            let config = config.with(&attributes);
            return driver!(cuLaunchKernelEx(
                &raw const config => *const CUlaunchConfig,
                function => usize,
                pointers.as_mut_ptr() => *mut *mut c_void,
                null_mut() => *mut *mut c_void,
            ));
        }
        driver!(cuLaunchKernel(
            function => usize,
            grid[0] => c_uint,
            grid[1] => c_uint,
            grid[2] => c_uint,
            block[0] => c_uint,
            block[1] => c_uint,
            block[2] => c_uint,
            shared => c_uint,
            stream => usize,
            pointers.as_mut_ptr() => *mut *mut c_void,
            null_mut() => *mut *mut c_void,
        ))
    }

    pub(crate) fn synchronize(&self) -> c_int {
        driver!(cuCtxSynchronize())
    }

    pub(crate) fn upload(&self, bytes: &[u8]) -> u64 {
        let mut address = 0u64;
        let size = bytes.len().max(1);
        assert_eq!(driver!(cuMemAlloc_v2(&mut address => *mut u64, size => usize)), 0);
        let from = bytes.as_ptr().cast();
        let code =
            driver!(cuMemcpyHtoD_v2(address => u64, from => *const c_void, bytes.len() => usize));
        assert_eq!(code, 0);
        address
    }

    pub(crate) fn download(&self, address: u64, size: usize) -> Vec<u8> {
        let mut bytes = vec![0; size];
        let to = bytes.as_mut_ptr().cast();
        assert_eq!(driver!(cuMemcpyDtoH_v2(to => *mut c_void, address => u64, size => usize)), 0);
        bytes
    }

    pub(crate) fn free(&self, address: u64) {
        assert_eq!(driver!(cuMemFree_v2(address => u64)), 0);
    }
}

/// A launch's shape and attributes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaunchConfig {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) shared: u32,
    pub(crate) stream: usize,
    /// All blocks at the same time.
    pub(crate) cooperative: bool,
    /// Blocks of a cluster.
    pub(crate) cluster: Option<[u32; 3]>,
    /// The kernel may start before earlier ones have ended.
    pub(crate) programmatic: bool,
}

impl LaunchConfig {
    /// One thread.
    pub(crate) const ONE: LaunchConfig = LaunchConfig {
        grid: [1; 3],
        block: [1; 3],
        shared: 0,
        stream: 0,
        cooperative: false,
        cluster: None,
        programmatic: false,
    };

    /// What `cuLaunchKernelEx` takes besides the shape.
    pub(crate) fn attributes(&self) -> Vec<CUlaunchAttribute> {
        let flag = |id, set: bool| set.then(|| CUlaunchAttribute::new(id, [1, 0, 0]));
        let cluster = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        [
            flag(CU_LAUNCH_ATTRIBUTE_COOPERATIVE, self.cooperative),
            self.cluster.map(|blocks| CUlaunchAttribute::new(cluster, blocks)),
            flag(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, self.programmatic),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// The driver's structure, with these attributes.
    pub(crate) fn with(&self, attributes: &[CUlaunchAttribute]) -> CUlaunchConfig {
        CUlaunchConfig {
            grid: self.grid,
            block: self.block,
            shared: self.shared,
            stream: CUstream(std::ptr::without_provenance_mut(self.stream)),
            attributes: attributes.as_ptr(),
            count: attributes.len() as c_uint,
        }
    }
}

/// A stream that does not wait for the default one.
pub(crate) fn new_stream() -> usize {
    let mut stream = 0;
    assert_eq!(driver!(cuStreamCreate(&mut stream => *mut usize, 1 => c_uint)), 0);
    stream
}

/// The variable that tells a process that [`child`] started it.
const CHILD: &str = "PTYX_TEST_CHILD";

/// Whether this process runs one test for [`child`].
pub(crate) fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

/// A process that runs the test of this name alone, with these variables set and [`is_child`] true.
pub(crate) fn child(test: &str, variables: &[(&str, &str)]) -> std::process::Command {
    let mut command = std::process::Command::new(std::env::current_exe().expect("a path"));
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]);
    command.env(CHILD, "1").envs(variables.iter().copied());
    command
}

/// Runs [`child`] to its end, which must be good; what it wrote.
pub(crate) fn run_child(test: &str, variables: &[(&str, &str)]) -> String {
    let output = child(test, variables).output().expect("the child runs");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(output.status.success(), "{text}");
    text
}
