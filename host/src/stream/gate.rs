//! What keeps launches of graphs apart from calls that use the same memory.

use crate::context::Context;
use core::cell::Cell;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many gates there are. Devices beyond that share them, which only makes them wait for each other.
const COUNT: usize = 64;

/// Keeps launches of graphs apart from calls that use the same memory: these have noted their use and not submitted
/// their work yet. Borrows keep all other uses apart, but a graph does not borrow what it uses.
///
/// The memory of each device has a gate. Calls that use memory of graphs hold its gate together, whichever device they give
/// the work to; a launch of a graph holds the gates of all memory that the graph uses, alone.
///
/// A call may take one gate after another. A launch takes all of its gates at once, and waits for no other gate while it has
/// them, so none waits for ever.
#[derive(Clone, Copy)]
struct State {
    /// How many calls hold each gate together.
    shared: [u32; COUNT],
    /// The gates that somebody holds alone, a bit for each.
    alone: u64,
    /// How many wait for a change: without any, nobody is woken, which takes a call of the operating system.
    waiting: u32,
}

static STATE: Mutex<State> = Mutex::new(State { shared: [0; COUNT], alone: 0, waiting: 0 });
static CHANGED: Condvar = Condvar::new();

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits while somebody holds gates in the way.
fn wait_while(blocked: impl Fn(&State) -> bool) -> MutexGuard<'static, State> {
    let mut state = state();
    while blocked(&state) {
        state.waiting += 1;
        state = CHANGED.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
    }
    state
}

/// Changes the state, and wakes those who wait for that.
fn change(change: impl FnOnce(&mut State)) {
    let mut state = state();
    change(&mut state);
    let is_awaited = state.waiting > 0;
    drop(state);
    if is_awaited {
        CHANGED.notify_all();
    }
}

/// The numbers of the gates of a set.
fn numbers(mut gates: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let number = (gates != 0).then(|| gates.trailing_zeros() as usize);
        gates &= gates.wrapping_sub(1);
        number
    })
}

/// The gates of the memory of some devices.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Gates(u64);

impl Gates {
    /// The gate of a device's memory.
    pub(crate) fn of(context: &Context) -> Gates {
        Gates(1 << (context.ordinal as usize % COUNT))
    }

    /// Those of both sets.
    pub(crate) fn and(self, more: Gates) -> Gates {
        Gates(self.0 | more.0)
    }

    /// Holds them together with others.
    pub(crate) fn share(self) -> Shared {
        let held = Shared::default();
        held.add(self);
        held
    }

    /// Holds them alone.
    pub(crate) fn alone(self) -> Alone {
        let blocked = |state: &State| {
            state.alone & self.0 != 0 || numbers(self.0).any(|number| state.shared[number] > 0)
        };
        wait_while(blocked).alone |= self.0;
        Alone(self)
    }
}

/// A call holds these gates together with others.
#[derive(Default)]
pub(crate) struct Shared(Cell<u64>);

impl Shared {
    /// Holds more gates.
    pub(crate) fn add(&self, gates: Gates) {
        let more = gates.0 & !self.0.get();
        if more == 0 {
            return;
        }
        let mut state = wait_while(|state| state.alone & more != 0);
        numbers(more).for_each(|number| state.shared[number] += 1);
        self.0.set(self.0.get() | more);
    }
}

impl Drop for Shared {
    #[inline]
    fn drop(&mut self) {
        if self.0.get() != 0 {
            give_back(self.0.get());
        }
    }
}

#[cold]
fn give_back(gates: u64) {
    change(|state| numbers(gates).for_each(|number| state.shared[number] -= 1));
}

/// A launch holds these gates alone.
pub(crate) struct Alone(Gates);

impl Drop for Alone {
    fn drop(&mut self) {
        change(|state| state.alone &= !self.0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::sync::atomic::{AtomicU32, Ordering};

    /// Calls that take gates one after another, and launches that take several at once: none waits for ever, and no launch
    /// runs beside another user of one of its gates.
    #[test]
    fn launches_are_alone_at_their_gates() {
        // Of devices that no other test has.
        let sets = [0b001u64, 0b010, 0b100, 0b011, 0b110, 0b101, 0b111].map(|set| set << 60);
        let users: [AtomicU32; 3] = Default::default();
        let own =
            |set: u64| users.iter().enumerate().filter(move |(at, _)| set >> (60 + at) & 1 != 0);
        std::thread::scope(|scope| {
            for thread in 0..6 {
                let (own, users) = (&own, &users);
                scope.spawn(move || {
                    for round in 0..200 {
                        let set = sets[(thread * 3 + round) % 7];
                        if thread < 2 {
                            let held = Gates(set).alone();
                            for (_, users) in own(set) {
                                assert_eq!(users.swap(100, Ordering::SeqCst), 0);
                            }
                            std::thread::yield_now();
                            for (_, users) in own(set) {
                                assert_eq!(users.swap(0, Ordering::SeqCst), 100);
                            }
                            drop(held);
                            continue;
                        }
                        let held = Shared::default();
                        // In different orders.
                        let mut gates: Vec<usize> = numbers(set).collect();
                        let first = round % gates.len();
                        gates.rotate_left(first);
                        for gate in gates {
                            held.add(Gates(1 << gate));
                            assert!(users[gate - 60].fetch_add(1, Ordering::SeqCst) < 100);
                            std::thread::yield_now();
                        }
                        for (_, users) in own(set) {
                            users.fetch_sub(1, Ordering::SeqCst);
                        }
                    }
                });
            }
        });
        assert_eq!(state().alone >> 60, 0);
    }
}
