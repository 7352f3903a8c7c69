//! A panic on the device, as an error tells it.

use core::fmt;

/// Where a kernel panicked, and why.
///
/// ```no_run
/// use ptyx::{Error, prelude::*};
///
/// #[kernel]
/// fn reciprocal(mut numbers: Disjoint<i32>) {
///     let i = thread::index_1d();
///     if let Some(number) = numbers.get_mut(i) {
///         *number = 1000 / *number;
///     }
/// }
///
/// let mut numbers = DeviceBuffer::from_slice(&[1, 2, 0])?;
/// launch!(reciprocal<<<1, 32>>>(&mut numbers))?;
/// let Err(Error::KernelPanic(panic)) = numbers.to_vec() else { unreachable!() };
/// assert_eq!(panic.message, "attempt to divide by zero");
/// assert_eq!(panic.thread, [2, 0, 0]);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KernelPanic {
    /// The kernel's `core::any::type_name`.
    pub kernel: String,
    /// The message that the same panic would have on the host. Values that can't be determined are shown as
    /// their types' names or `<?>`.
    pub message: String,
    /// The source file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The block's index in the grid.
    pub block: [u32; 3],
    /// The thread's index in its block.
    pub thread: [u32; 3],
    /// The index and the length, if the panic is about an index that is out of bounds.
    pub bounds: Option<(u64, u64)>,
    /// Where the kernel was launched, or prepared with [`compile!`](crate::compile!) if it was, as `file:line:column`: in the
    /// source or, if a `#[track_caller]` function launches, where that was called. In a graph, where it was
    /// captured. `None` if 128 further kernels that can panic were given to the stream before the report was read.
    pub launch: Option<String>,
    /// If it was in a graph: where [`GraphExec::launch`](crate::GraphExec::launch) was called last before the report was
    /// read, as `file:line:column`.
    pub graph: Option<String>,
    /// How many later launches on the stream also panicked before this was reported.
    pub others: u32,
}

impl KernelPanic {
    /// What is known of launches that panicked while the record of an earlier panic was being read.
    pub(crate) fn lost(count: u32) -> KernelPanic {
        KernelPanic {
            kernel: "(unknown)".to_owned(),
            message:
                "it panicked while the report of an earlier panic on its stream was being read; its own \
                      message is lost"
                    .to_owned(),
            file: String::new(),
            line: 0,
            column: 0,
            block: [0; 3],
            thread: [0; 3],
            bounds: None,
            launch: None,
            graph: None,
            others: count - 1,
        }
    }
}

impl fmt::Display for KernelPanic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let KernelPanic {
            kernel,
            message,
            file,
            line,
            column,
            block,
            thread,
            launch,
            graph,
            others,
            ..
        } = self;
        let [bx, by, bz] = block;
        let [tx, ty, tz] = thread;
        write!(
            f,
            "kernel {kernel} panicked at {file}:{line}:{column}, block ({bx}, {by}, {bz}), \
             thread ({tx}, {ty}, {tz})"
        )?;
        if let Some(place) = launch {
            write!(f, ", launched at {place}")?;
        }
        write!(f, ": {message}")?;
        if let Some(place) = graph {
            write!(f, " (in a graph, which was launched last at {place})")?;
        }
        match others {
            0 => Ok(()),
            1 => f.write_str(" (a later launch on the stream panicked, too)"),
            _ => write!(f, " ({others} later launches on the stream panicked, too)"),
        }
    }
}
