//! Whether the driver has called this thread back: then the thread must not call the driver.

use core::cell::Cell;

/// A host function that runs as the work of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Inside {
    /// The stream's id.
    pub(crate) stream: u64,
    /// The number of the function in the stream: uses of memory with a number up to this one are done.
    pub(crate) number: Option<u64>,
}

thread_local! {
    static INSIDE: Cell<Option<Inside>> = const { Cell::new(None) };
}

/// The host function that this thread is running.
#[inline]
pub(crate) fn inside() -> Option<Inside> {
    // `try_with` is inlined where `get` is not.
    INSIDE.try_with(Cell::get).unwrap_or(None)
}

/// Runs `function`, in which every driver call is an error.
pub(crate) fn run(inside: Inside, function: impl FnOnce()) {
    struct Back(Option<Inside>);
    impl Drop for Back {
        fn drop(&mut self) {
            INSIDE.set(self.0);
        }
    }
    let _back = Back(INSIDE.replace(Some(inside)));
    function();
}
