//! A launch while it runs.

use super::state::{State, lock};
use super::work::{ENDED, Failure, LaunchId, Queue};
use std::time::Instant;

/// A launch that runs. When it is dropped, the launch is over, however it ended.
pub(super) struct Running {
    id: LaunchId,
    queue: Queue,
    pub(super) failure: Option<Failure>,
}

impl Running {
    /// Begins a launch, as the last work of a queue.
    pub(super) fn begin(state: &mut State, queue: Queue) -> Running {
        Running { id: state.work.begin(queue), queue, failure: None }
    }

    pub(super) fn id(&self) -> LaunchId {
        self.id
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut state = lock();
        let failure = self.failure.take();
        if let Some(failure) = &failure {
            state.lose(self.queue.device, failure);
        }
        if state.work.end(self.id, self.queue, failure) {
            // One time for all: between events that nothing separates, none passes.
            let now = Instant::now();
            let recorded = state.events.values_mut().filter_map(|event| event.recorded.as_mut());
            for recorded in recorded.filter(|recorded| recorded.behind.contains(&self.id)) {
                recorded.at = now;
            }
        }
        ENDED.notify_all();
    }
}
