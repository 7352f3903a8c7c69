//! The CUDA C++ twins: a module that nvcc made, launched through the driver's functions, because a
//! `ptyx::Module` can't launch what it holds.

use crate::Error;
use ptyx::DeviceBuffer;
use ptyx::device::DeviceCopy;
use ptyx::device::shared::PhasesArg;
use ptyx_driver_api::{CUevent, CUfunction, CUmodule, CUstream};
use ptyx_examples::bench::{RUNS, WARM_UP};
use std::ffi::{CString, c_uint, c_void};
use std::path::Path;
use std::ptr::null_mut;

/// Launches and events are on the legacy default stream.
const STREAM: CUstream = CUstream::NULL;

/// A loaded module of twins. It stays loaded until the process ends.
#[derive(Debug)]
pub struct Twins {
    driver: Driver,
    module: CUmodule,
}

/// What a Rust kernel's argument is for its twin.
pub trait Slot {
    /// The bytes of the parameter, from the lowest; `None` if the twin has none.
    fn slot(&self) -> Option<u64>;
}

macro_rules! slots {
    ($($type:ty: $bits:expr;)*) => {$(
        impl Slot for $type {
            fn slot(&self) -> Option<u64> {
                #[allow(clippy::redundant_closure_call)]
                Some(($bits)(*self))
            }
        }
    )*};
}
slots! {
    i32: |x: i32| u64::from(x.cast_unsigned());
    u32: u64::from;
    f32: |x: f32| u64::from(x.to_bits());
    f64: f64::to_bits;
    u64: |x| x;
}

impl Slot for PhasesArg {
    fn slot(&self) -> Option<u64> {
        None
    }
}

impl<T: DeviceCopy> Slot for DeviceBuffer<T> {
    fn slot(&self) -> Option<u64> {
        Some(self.device_address())
    }
}

impl<T: Slot> Slot for &T {
    fn slot(&self) -> Option<u64> {
        (**self).slot()
    }
}

impl<T: Slot> Slot for &mut T {
    fn slot(&self) -> Option<u64> {
        (**self).slot()
    }
}

impl Twins {
    /// Loads PTX or a cubin, for the device that `ptyx` uses by default.
    ///
    /// # Errors
    /// The file can't be read, or the driver does not take it.
    pub fn load(path: &Path) -> Result<Twins, Error> {
        // Makes the context current.
        let _ = DeviceBuffer::<u32>::zeroed(1)?;
        let mut image = std::fs::read(path)?;
        image.push(0);
        let driver = Driver::open()?;
        let mut module = CUmodule::NULL;
        // SAFETY: a cubin, or text that ends with NUL; the context is current.
        call("cuModuleLoadData", unsafe { (driver.load)(&mut module, image.as_ptr().cast()) })?;
        Ok(Twins { driver, module })
    }

    /// Launches the kernel `name`.
    ///
    /// # Errors
    /// There is no such kernel, or the driver refuses the launch.
    ///
    /// # Safety
    /// `slots` are the kernel's parameters, and what the pointers among them lead to is large enough.
    pub unsafe fn launch(
        &self,
        name: &str,
        grid: [u32; 3],
        block: [u32; 3],
        slots: &[Option<u64>],
    ) -> Result<(), Error> {
        let symbol = CString::new(name)?;
        let mut function = CUfunction::NULL;
        // SAFETY: the module is loaded, the name ends with NUL.
        let code = unsafe { (self.driver.function)(&mut function, self.module, symbol.as_ptr()) };
        call(name, code)?;
        let mut values: Vec<u64> = slots.iter().copied().flatten().collect();
        let mut pointers: Vec<*mut c_void> =
            values.iter_mut().map(|value| (&raw mut *value).cast()).collect();
        let ([gx, gy, gz], [bx, by, bz]) = (grid, block);
        let params = pointers.as_mut_ptr();
        // SAFETY: each pointer leads to eight bytes; the caller vouches for what they mean.
        let code = unsafe {
            (self.driver.launch)(function, gx, gy, gz, bx, by, bz, 0, STREAM, params, null_mut())
        };
        call(name, code)
    }

    /// The median time of what `launch` puts on the default stream, measured as
    /// [`ptyx_examples::bench::time_launches`] does it, in milliseconds.
    ///
    /// # Errors
    /// Those of `launch` and of the driver.
    pub fn time(&self, mut launch: impl FnMut() -> Result<(), Error>) -> Result<f64, Error> {
        let mut events = [CUevent::NULL; RUNS + 1];
        for event in &mut events {
            // SAFETY: the place is valid.
            call("cuEventCreate", unsafe { (self.driver.create)(event, 0) })?;
        }
        // SAFETY: the event exists.
        let record = |event| call("cuEventRecord", unsafe { (self.driver.record)(event, STREAM) });
        for _ in 0..WARM_UP {
            launch()?;
        }
        record(events[0])?;
        for &event in &events[1..] {
            launch()?;
            record(event)?;
        }
        self.synchronize()?;
        let mut times = Vec::new();
        for pair in events.windows(2) {
            let mut time = 0.0;
            // SAFETY: both events have been recorded.
            call("cuEventElapsedTime", unsafe {
                (self.driver.elapsed)(&mut time, pair[0], pair[1])
            })?;
            times.push(f64::from(time));
        }
        for event in events {
            // SAFETY: it is not used any more.
            call("cuEventDestroy", unsafe { (self.driver.destroy)(event) })?;
        }
        Ok(ptyx_examples::bench::Times::of(times).median_ms)
    }

    /// Waits for all launches.
    ///
    /// # Errors
    /// Those of the kernels.
    pub fn synchronize(&self) -> Result<(), Error> {
        // SAFETY: no precondition.
        call("cuCtxSynchronize", unsafe { (self.driver.synchronize)() })
    }
}

/// Makes a result of a driver's code.
fn call(what: &str, code: u32) -> Result<(), Error> {
    if code == 0 { Ok(()) } else { Err(format!("{what}: the driver says {code}").into()) }
}

macro_rules! driver {
    ($($field:ident $symbol:literal ($($argument:ty),*);)*) => {
        /// The driver's functions that twins need.
        #[derive(Clone, Copy)]
        struct Driver {
            $($field: unsafe extern "C" fn($($argument),*) -> u32,)*
        }

        impl Driver {
            /// Those of the driver that `ptyx` has chosen.
            fn open() -> Result<Driver, Error> {
                let lookup = lookup()?;
                Ok(Driver {$(
                    $field: {
                        let pointer = lookup($symbol).ok_or(concat!("no function ", $symbol))?;
                        // SAFETY: the types are those of `cuda.h`.
                        unsafe {
                            std::mem::transmute::<
                                *const c_void,
                                unsafe extern "C" fn($($argument),*) -> u32,
                            >(pointer)
                        }
                    },
                )*})
            }
        }
    };
}

driver! {
    load "cuModuleLoadData" (*mut CUmodule, *const c_void);
    function "cuModuleGetFunction" (*mut CUfunction, CUmodule, *const std::ffi::c_char);
    launch "cuLaunchKernel" (
        CUfunction, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, CUstream,
        *mut *mut c_void, *mut *mut c_void
    );
    synchronize "cuCtxSynchronize" ();
    create "cuEventCreate" (*mut CUevent, c_uint);
    record "cuEventRecord" (CUevent, CUstream);
    elapsed "cuEventElapsedTime" (*mut f32, CUevent, CUevent);
    destroy "cuEventDestroy_v2" (CUevent);
}

impl std::fmt::Debug for Driver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Driver")
    }
}

type Lookup = Box<dyn Fn(&str) -> Option<*const c_void>>;

/// Finds the functions of the driver that `ptyx` uses.
fn lookup() -> Result<Lookup, Error> {
    #[cfg(not(ptyx_device))]
    if ptyx::Device::current()?.is_emulated() {
        return Ok(Box::new(ptyx_emulator::driver::symbol));
    }
    // SAFETY: `ptyx` has loaded it already. It stays loaded, since `ptyx` never unloads it.
    let library = unsafe { libloading::Library::new("libcuda.so.1")? };
    Ok(Box::new(move |name| {
        // SAFETY: the symbol is only taken as an address here.
        let symbol = unsafe { library.get::<*const c_void>(name.as_bytes()) };
        symbol.ok().map(|symbol| *symbol)
    }))
}
