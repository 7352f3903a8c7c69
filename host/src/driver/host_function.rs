//! What a thread is doing, as far as it matters to its driver calls. If the driver has called it back, it must not call
//! the driver; if it gives work to a captured stream, its driver calls take turns with those of others
//! ([`super::captures`]).

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
    /// 0 for most threads: [`IS_INSIDE`], and [`IN_CAPTURE`] times the number of [`super::captures::InCapture`].
    static STATE: Cell<u32> = const { Cell::new(0) };
}

const IS_INSIDE: u32 = 1;
const IN_CAPTURE: u32 = 2;

/// What matters to the calls of a thread.
#[derive(Clone, Copy)]
pub(super) struct State(u32);

impl State {
    /// This thread's.
    #[inline]
    pub(super) fn now() -> State {
        // `try_with` is inlined where `get` is not.
        State(STATE.try_with(Cell::get).unwrap_or(0))
    }

    /// Whether there is anything.
    #[inline]
    pub(super) fn is_special(self) -> bool {
        self.0 != 0
    }

    /// Whether the thread runs a host function.
    #[inline]
    pub(super) fn is_inside(self) -> bool {
        self.0 & IS_INSIDE != 0
    }
}

/// Whether this thread gives work to captured streams.
pub(super) fn is_in_captures() -> bool {
    State::now().0 >= IN_CAPTURE
}

/// Counts the values of `InCapture` that this thread has.
pub(super) fn in_captures(change: i32) {
    // At a thread's end, when there is no state any more, nobody gives work to a stream.
    let _ = STATE.try_with(|state| {
        state.set(state.get().wrapping_add_signed(change.wrapping_mul(IN_CAPTURE as i32)));
    });
}

/// The host function that this thread is running.
#[inline]
pub(crate) fn inside() -> Option<Inside> {
    // `try_with` is inlined where `get` is not.
    INSIDE.try_with(Cell::get).unwrap_or(None)
}

/// Runs `function`, in which every driver call is an error.
pub(crate) fn run(inside: Inside, function: impl FnOnce()) {
    struct Back(Option<Inside>, u32);
    impl Drop for Back {
        fn drop(&mut self) {
            INSIDE.set(self.0);
            STATE.set(self.1);
        }
    }
    let state = STATE.get();
    let _back = Back(INSIDE.replace(Some(inside)), state);
    STATE.set(state | IS_INSIDE);
    function();
}
