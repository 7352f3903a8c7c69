//! The error type of this crate.

pub(crate) mod advice;
mod argument;
mod capture_rule;
mod kernel_panic;
mod peer_reason;
mod tensor_rule;
mod texts;
mod texture_rule;

pub use argument::Argument;
pub use capture_rule::{CaptureReason, CaptureRule, GraphUpdateReason};
pub use kernel_panic::KernelPanic;
pub use peer_reason::PeerReason;
pub use tensor_rule::TensorRule;
pub use texture_rule::TextureRule;

use crate::driver::Failure;
use crate::driver::types::{CUDA_ERROR_NOT_PERMITTED, is_fault};
use crate::launched::find_suspects;
use core::fmt;
use core::ops::Range;
use texts::{Advice, Indented, MayBe, OfArgument, Others, Report, elements, misfit};

/// A result of this crate.
///
/// ```
/// fn mean(numbers: &ptyx::DeviceBuffer<f32>) -> ptyx::Result<f32> {
///     let numbers = numbers.to_vec()?;
///     Ok(numbers.iter().sum::<f32>() / numbers.len() as f32)
/// }
/// assert_eq!(mean(&ptyx::DeviceBuffer::filled(10, 4.0)?)?, 4.0);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// Defines [`Error`] with `thiserror`. The device pass, where no message is ever shown, does without
/// `thiserror` and its dependencies.
macro_rules! define_error {
    (enum Error {$(
        $(#[doc = $doc:literal])*
        #[error($($text:tt)*)]
        $variant:ident $({ $($fields:tt)* })? $(( $($value:tt)* ))?,
    )*}) => {
        /// What went wrong, where, and what to do about it.
        ///
        /// `Debug` prints the same text as `Display`, so that a `main` that returns a [`Result`] ends with
        /// a readable message.
        ///
        /// ```
        /// use ptyx::{DeviceBuffer, Error};
        /// let mut buffer = DeviceBuffer::<u32>::zeroed(3)?;
        /// match buffer.copy_from_slice(&[1, 2]) {
        ///     Err(Error::Length { expected, found, .. }) => assert_eq!((expected, found), (3, 2)),
        ///     other => panic!("{other:?}"),
        /// }
        /// # Ok::<(), ptyx::Error>(())
        /// ```
        #[derive(Clone)]
        #[cfg_attr(not(ptyx_device), derive(thiserror::Error))]
        #[non_exhaustive]
        pub enum Error {$(
            $(#[doc = $doc])*
            #[cfg_attr(not(ptyx_device), error($($text)*))]
            $variant $({ $($fields)* })? $(( $($value)* ))?,
        )*}
    };
}

#[cfg(ptyx_device)]
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this is the device pass")
    }
}

#[cfg(ptyx_device)]
impl core::error::Error for Error {}

define_error! {
    enum Error {
        /// An environment variable has an invalid value.
        #[error("{variable} is `{value}`: it must be {choices}")]
        BadSetting {
            /// The variable.
            variable: &'static str,
            /// Its value.
            value: String,
            /// The valid values.
            choices: &'static str,
        },
        /// `PTYX_DEVICE=cuda`, and no GPU can be used.
        #[error("no GPU can be used: {reason}; `PTYX_DEVICE=auto` falls back to the emulated device")]
        NoGpu {
            /// Why not.
            reason: String,
        },
        /// The emulated device could not start.
        #[error("the emulated device could not start: {reason}")]
        NoEmulator {
            /// Why not.
            reason: String,
        },
        /// This process is a child, by `fork`, of one that had used Ptyx.
        #[error(
            "this process was forked from one that had used Ptyx, and devices can't be used in such a child: fork \
             before the first use, start the child with `exec` (`std::process::Command`), or use Ptyx in the parent only"
        )]
        Forked,
        /// There is no device with this index.
        #[error("there is no device {index}: this machine has {count}, numbered from 0")]
        NoSuchDevice {
            /// The requested index.
            index: u32,
            /// How many devices there are.
            count: u32,
        },
        /// A driver call failed.
        #[error("{call} failed: {name} ({text})")]
        Driver {
            /// The driver function.
            call: &'static str,
            /// The result code.
            code: u32,
            /// The result's name.
            name: String,
            /// The driver's description of it.
            text: String,
        },
        /// The device has not enough free memory for an allocation.
        #[error("out of device memory: {bytes} bytes requested, {free} of {total} bytes are free")]
        OutOfMemory {
            /// The bytes requested.
            bytes: usize,
            /// The device's free bytes.
            free: usize,
            /// The device's memory in bytes.
            total: usize,
        },
        /// The system or the driver has not enough host memory that can be pinned.
        #[error(
            "out of pinned memory: {bytes} bytes requested; pinned memory is never swapped out, so it must fit into \
             the machine's memory, and into the memory limit of the container"
        )]
        OutOfHostMemory {
            /// The bytes requested.
            bytes: usize,
        },
        /// A kernel did something that the device can't recover from, such as an access out of bounds in
        /// `unsafe` code. On a GPU, the device is unusable for the rest of the process.
        #[error(
            "a kernel failed: {name} ({text}), reported by {call}{}{}{}",
            Report(report), MayBe(launches), Advice(advice)
        )]
        Fault {
            /// The driver function that reported it.
            call: &'static str,
            /// The result code.
            code: u32,
            /// The result's name.
            name: String,
            /// The driver's description of it.
            text: String,
            /// The emulated device's report: the allocation, the thread, the Rust line.
            report: Option<Box<str>>,
            /// The launches that it may come from, as `kernel at file:line:column`, the last of each stream first: those
            /// of the thread's device that are not known to be done, as far as they are remembered (16 of each stream that
            /// is still there). The driver does not say which one it was. On the emulated device, only those of the
            /// kernel that the report names.
            launches: Box<[String]>,
            /// What may fix it.
            advice: Option<&'static str>,
        },
        /// A kernel panicked. The device stays usable.
        #[error("{0}")]
        KernelPanic(Box<KernelPanic>),
        /// A host function that a stream called ([`Stream::on_host`](crate::Stream::on_host)) panicked.
        #[error("a function given to `Stream::on_host` panicked: {message}")]
        HostPanic {
            /// The panic's message.
            message: String,
        },
        /// A host function that a stream called made a driver call. That is not allowed, because the call could wait for
        /// the function itself.
        #[error(
            "{call} can't be called from a function given to `Stream::on_host`: send a message to a thread that makes \
             the call"
        )]
        InHostFunction {
            /// The driver function that was not called.
            call: &'static str,
        },
        /// A call is not allowed while a stream is being captured.
        #[error("{0}")]
        Capture(CaptureRule),
        /// NCCL can't be used, or has failed: see [`nccl`](crate::nccl).
        #[error("{reason}")]
        Nccl {
            /// Why not.
            reason: String,
        },
        /// A graph can't be built or launched like this.
        #[error("{reason}")]
        Graph {
            /// Why not, and what to do.
            reason: &'static str,
        },
        /// A [`GraphExec`](crate::GraphExec) can't be updated to a graph.
        #[error("the graph can't be updated: {reason}. Instantiate the new graph instead")]
        GraphUpdate {
            /// Why not.
            reason: GraphUpdateReason,
        },
        /// The time between two events can't be determined.
        #[error("the time between these events can't be determined: {reason}")]
        EventTime {
            /// Why not, and what to do.
            reason: &'static str,
        },
        /// The device can't run a launch.
        #[error("{kernel} can't be launched at {site}: {reason}")]
        Launch {
            /// The kernel.
            kernel: String,
            /// The place of the launch.
            site: String,
            /// The first cause that was found, with its numbers.
            reason: String,
        },
        /// The program holds no compiled code for a launch.
        #[error("{kernel}, launched at {site}, was not compiled for the device: {reason}")]
        MissingKernel {
            /// The kernel.
            kernel: String,
            /// The place of the launch.
            site: String,
            /// Why, and what to do.
            reason: String,
        },
        /// The program holds two kernels for a launch, and can't tell which one to run.
        #[error(
            "{kernel}, launched at {site}, could be one of two kernels with the same name in the \
             program: {}, or {}. Rename a function, a type or a crate so that their paths differ. If \
             they differ only in a closure, write `#[track_caller]` on the function that launches: \
             they are then told apart by where it is called",
            kernels[0], kernels[1]
        )]
        AmbiguousKernel {
            /// The kernel.
            kernel: String,
            /// The place of the launch.
            site: String,
            /// What is known about each kernel.
            kernels: Box<[String; 2]>,
        },
        /// The compiled kernels inside the program can't be used.
        #[error("the compiled kernels inside this program can't be used: {reason}")]
        Image {
            /// Why.
            reason: String,
        },
        /// A device static can't be used.
        #[error("a device static can't be used: {reason}")]
        Static {
            /// Which one, and why.
            reason: String,
        },
        /// A kernel was not compiled for any architecture that this device supports.
        #[error(
            "{kernel} needs {needs}; {device} has compute capability {}.{}",
            has / 10, has % 10
        )]
        Capability {
            /// The kernel.
            kernel: String,
            /// The device's name.
            device: String,
            /// What it was compiled for: `sm_90 or later`, `sm_90a`, or several of these.
            needs: String,
            /// The device's compute capability, times ten.
            has: u32,
        },
        /// The driver's assembler rejected PTX.
        #[error("the driver's assembler refused {what}: {name} ({text}){}", Indented(log))]
        Assembler {
            /// The kernel or module.
            what: String,
            /// The result's name.
            name: String,
            /// The driver's description of it.
            text: String,
            /// The assembler's log.
            log: String,
        },
        /// Something about a compiled kernel can't be shown.
        #[error("the {what} of {kernel} can't be shown: {reason}")]
        Reflection {
            /// The kernel.
            kernel: String,
            /// What was asked for.
            what: &'static str,
            /// Why not, and what to do.
            reason: String,
        },
        /// Two lengths that must agree do not.
        #[error("{what}: {found} elements, but {expected} are needed")]
        Length {
            /// What was done.
            what: &'static str,
            /// The length needed, in elements.
            expected: usize,
            /// The length found, in elements.
            found: usize,
        },
        /// A view's shape does not fit its buffer.
        #[error(
            "{}a view of shape {shape:?} has {} elements, but its buffer has {len}",
            OfArgument(argument), elements(shape)
        )]
        Shape {
            /// The requested shape.
            shape: Vec<usize>,
            /// The buffer's length, in elements.
            len: usize,
            /// Which argument of a launch the view is, if it is one.
            argument: Option<Box<Argument>>,
        },
        /// A part of an array is not within it.
        #[error(
            "{}the part {part:?} is not within an array of shape {shape:?}", OfArgument(argument)
        )]
        OutOfBounds {
            /// The requested part: a range along each axis.
            part: Vec<Range<usize>>,
            /// The array's shape, in elements.
            shape: Vec<usize>,
            /// Which argument of a launch the array is, if it is one.
            argument: Option<Box<Argument>>,
        },
        /// Two shapes that must agree do not.
        #[error("{what}: an array of shape {from:?} can't be copied to one of shape {to:?}")]
        Shapes {
            /// What was done.
            what: &'static str,
            /// The shape of what is written, in elements.
            to: Vec<usize>,
            /// The shape of what is read, in elements.
            from: Vec<usize>,
        },
        /// The bytes of a buffer can't be used as elements of another type: their number or alignment does not fit.
        #[error(
            "{bytes} bytes, from byte {start} of the buffer on, can't be used as elements of type `{element}`: {}",
            misfit(*bytes, *address, *size, *align)
        )]
        Reinterpret {
            /// How many bytes there are.
            bytes: usize,
            /// The offset of the first one in the buffer, in bytes.
            start: usize,
            /// The address of the first one.
            address: u64,
            /// The type.
            element: &'static str,
            /// The size of an element, in bytes.
            size: usize,
            /// Its alignment, in bytes.
            align: usize,
        },
        /// A tensor breaks a rule for tensor maps.
        #[error("there is no tensor map of this tensor: {0}")]
        TensorMap(TensorRule),
        /// An array, texture or surface breaks a rule of the hardware.
        #[error("this array, texture or surface is not possible: {0}")]
        Texture(TextureRule),
        /// Pinned memory that is not mapped is passed to a kernel.
        #[error("this pinned memory is not mapped, so kernels can't use it: allocate it with `PinnedOptions::new()`")]
        NotMapped,
        /// A device can't use managed memory concurrently with the host.
        #[error(
            "device {device} can't use managed memory at the same time as the host: use a `DeviceBuffer`, or a \
             `PinnedBuffer`"
        )]
        NoManagedMemory {
            /// The index of the device.
            device: u32,
        },
        /// Memory or an event that was not made for it is to be shared with other processes.
        #[error(
            "only what was made for it can be shared with other processes: memory by `DeviceBuffer::zeroed_shareable` or \
             in a `MemoryPool::shareable`, events with `EventOptions::interprocess`"
        )]
        NotShareable,
        /// A device can't map memory at reserved addresses.
        #[error("device {device} can't map memory at reserved addresses: use a `DeviceBuffer`")]
        NoVirtualMemory {
            /// The index of the device.
            device: u32,
        },
        /// A `GrowableBuffer` has not reserved addresses for that many elements.
        #[error(
            "a `GrowableBuffer` that was made for {capacity} elements can't hold {len}: make it with a larger capacity, \
             which costs addresses, not memory"
        )]
        OverCapacity {
            /// The elements that it was to have.
            len: usize,
            /// The most that it can have.
            capacity: usize,
        },
        /// Managed memory is used by a stream that it is not attached to.
        #[error("this managed memory is attached to {to}: change that with `ManagedBuffer::attach`")]
        Attached {
            /// What it is attached to.
            to: &'static str,
        },
        /// Two arguments of a launch are `shared::PHASES`.
        #[error(
            "two arguments of a launch are `shared::PHASES`, but a kernel has one `Phase` for all of its \
             tiles in shared memory"
        )]
        PhasesTwice,
        /// Two arguments of a launch are `tma::RING`.
        #[error("two arguments of a launch are `tma::RING`, but a kernel can run only one `Ring`")]
        RingTwice,
        /// A buffer's size in bytes does not fit the address space.
        #[error("{len} elements of {size} bytes do not fit in the address space")]
        TooLarge {
            /// The number of elements.
            len: usize,
            /// The size of one element, in bytes.
            size: usize,
        },
        /// Memory or a stream of one device is used with another device.
        #[error(
            "{what} belongs to device {found}, but the work goes to device {expected}: use \
             `Device::with`, or copy through the host"
        )]
        WrongDevice {
            /// What belongs to the other device.
            what: &'static str,
            /// The device where the work goes.
            expected: u32,
            /// The device that it belongs to.
            found: u32,
        },
        /// A kernel is given memory of another device to which its own device can't have access.
        #[error("a kernel on device {device} can't use this memory of device {owner}: {reason}")]
        PeerAccess {
            /// The index of the kernel's device.
            device: u32,
            /// The index of the device whose memory it is.
            owner: u32,
            /// Why not, and what to do.
            reason: PeerReason,
        },
        /// A name contains a NUL byte, is not a PTX identifier, or is already used for something else.
        #[error(
            "`{name}` can't be used as a name in PTX: use letters, digits, `_` and `$`, start with a \
             letter, and avoid names that PTX or the kernel already uses"
        )]
        BadName {
            /// The name.
            name: String,
        },
        /// A module has no entry or global with this name.
        #[error("the module has no {kind} `{name}`{}", Others(others))]
        NotFound {
            /// What was looked for.
            kind: &'static str,
            /// Its name.
            name: String,
            /// The names of the module's entries, if an entry was looked for and the driver can list them (12.4 or newer).
            others: Box<[String]>,
        },
        /// Code for a module can't be used, or its file can't be read.
        #[error("{what} can't be loaded as a module: {reason}")]
        ModuleImage {
            /// The file, or what else holds the code.
            what: String,
            /// Why not.
            reason: String,
        },
        /// A module's variable can't be used as elements of a type: its size or alignment does not fit.
        #[error(
            "the global `{name}` has {bytes} bytes: it can't be used as elements of type `{element}`, each of which \
             has {size} and must be aligned to {align}"
        )]
        GlobalSize {
            /// The variable.
            name: String,
            /// Its size, in bytes.
            bytes: usize,
            /// The type.
            element: &'static str,
            /// The size of an element, in bytes.
            size: usize,
            /// Its alignment, in bytes.
            align: usize,
        },
        /// A launch of a [`Function`](crate::Function) has too few or too many arguments.
        #[error(
            "{function} can't be launched at {site}: it has {expected} parameters, but {found} arguments are given"
        )]
        ArgumentCount {
            /// The function.
            function: String,
            /// The place of the launch.
            site: String,
            /// How many parameters it has.
            expected: usize,
            /// How many arguments were given.
            found: usize,
        },
        /// An argument of a launch of a [`Function`](crate::Function) has the wrong size.
        #[error(
            "{function} can't be launched at {site}: its parameter {index} (from 0) has {expected} bytes, but the \
             argument has {found}"
        )]
        ArgumentSize {
            /// The function.
            function: String,
            /// The place of the launch.
            site: String,
            /// The parameter, from 0.
            index: usize,
            /// Its size, in bytes.
            expected: usize,
            /// The argument's size, in bytes.
            found: usize,
        },
        /// Memory or a tensor from another library can't be used.
        #[error("data of another library can't be used: {reason}")]
        Foreign {
            /// Why not.
            reason: String,
        },
        /// A file can't be written.
        #[error("{path} can't be written: {reason}")]
        File {
            /// The file.
            path: String,
            /// Why not.
            reason: String,
        },
        /// Code of the device pass ran on the host. It never does in a program built by cargo.
        #[error("this is the device pass: nothing runs in it")]
        DevicePass,
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        let Failure { call, code } = failure;
        if crate::driver::is_forked() {
            return Error::Forked;
        }
        if crate::driver::host_function::inside().is_some() && code == CUDA_ERROR_NOT_PERMITTED {
            return Error::InHostFunction { call };
        }
        if let Some(rule) = CaptureRule::of(failure) {
            return Error::Capture(rule);
        }
        let driver = crate::driver::installed();
        let name = driver.map_or_else(|| format!("error {code}"), |d| d.error_name(code));
        let text = driver.map_or_else(String::new, |d| d.error_string(code));
        if is_fault(code) {
            let report = driver.and_then(|d| d.take_fault()).map(String::into_boxed_str);
            // The report names the address and what is there: no need to guess.
            let advice = advice::advice(code, report.is_some());
            let launches = find_suspects(report.as_deref()).into_boxed_slice();
            Error::Fault { call, code, name, text, report, launches, advice }
        } else {
            Error::Driver { call, code, name, text }
        }
    }
}

impl Error {
    /// The error of a result that the driver gives a callback. Its report, if the emulated device has one, is for the call
    /// that waits.
    pub(crate) fn of_status(call: &'static str, code: u32) -> Error {
        let (name, text) = crate::driver::types::describe(code).map_or_else(
            || (format!("error {code}"), "unrecognized error code".to_owned()),
            |(name, text)| {
                (name.to_string_lossy().into_owned(), text.to_string_lossy().into_owned())
            },
        );
        match is_fault(code) {
            true => {
                let advice = advice::advice(code, false);
                // The error of the call that waits names the launches, too.
                let launches = Box::default();
                Error::Fault { call, code, name, text, report: None, launches, advice }
            }
            false => Error::Driver { call, code, name, text },
        }
    }

    /// The driver's result code ([`CUresult`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TYPES.html)),
    /// if the driver reported the error.
    ///
    /// ```
    /// const CUDA_ERROR_INVALID_VALUE: u32 = 1;
    /// let error = ptyx::Device::current()?.attribute(-1).unwrap_err();
    /// assert_eq!(error.driver_code(), Some(CUDA_ERROR_INVALID_VALUE));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn driver_code(&self) -> Option<u32> {
        match self {
            Error::Driver { code, .. } | Error::Fault { code, .. } => Some(*code),
            Error::Capture(rule) => Some(rule.reason.code()),
            _ => None,
        }
    }
}
