//! What keeps launches of graphs apart from calls that use the same memory.

use crate::context::{Attached, Context};
use std::sync::{Condvar, Mutex, PoisonError};

/// Keeps launches of graphs apart from calls that use the same memory: these have noted their use and not submitted
/// their work yet. Borrows keep all other uses apart, but a graph does not borrow what it uses.
///
/// Calls that use memory of graphs hold the gate together, and a launch of a graph alone.
#[derive(Default)]
pub(crate) struct Gate {
    state: Mutex<(usize, bool)>,
    changed: Condvar,
}

/// The gate of a device.
pub(crate) fn gate(context: &Context) -> &'static Gate {
    static GATES: Attached<Gate> = Attached::new();
    GATES.of(context)
}

/// Somebody holds the gate.
pub(crate) struct Held {
    gate: &'static Gate,
    alone: bool,
}

impl Gate {
    fn hold(&'static self, alone: bool) -> Held {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let blocked = |state: &mut (usize, bool)| state.1 || alone && state.0 > 0;
        let mut state =
            self.changed.wait_while(state, blocked).unwrap_or_else(PoisonError::into_inner);
        if alone {
            state.1 = true;
        } else {
            state.0 += 1;
        }
        Held { gate: self, alone }
    }

    /// Holds it together with others.
    pub(crate) fn share(&'static self) -> Held {
        self.hold(false)
    }

    /// Holds it alone.
    pub(crate) fn alone(&'static self) -> Held {
        self.hold(true)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut state = self.gate.state.lock().unwrap_or_else(PoisonError::into_inner);
        if self.alone {
            state.1 = false;
        } else {
            state.0 -= 1;
        }
        drop(state);
        self.gate.changed.notify_all();
    }
}
