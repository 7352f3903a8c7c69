//! `griddepcontrol`, and accesses before it waits (PTX ISA, `griddepcontrol`): see [`crate::exec::overlap`].

use super::memory::{Addresses, Mode};
use crate::exec::context::{Context, Flow};
use crate::exec::fault::FaultKind;
use crate::exec::overlap::Way;
use crate::exec::program::Exec;
use crate::memory::{LOCAL_WINDOW, PARAM_WINDOW, SHARED_WINDOW, WINDOW_SIZE};
use crate::ptx::form::Form;

/// `griddepcontrol`
pub(crate) fn dependents(form: &Form<'_>) -> Option<Exec> {
    Some(match form.has("wait") {
        true => |context, _, _| {
            context.wait_for_earlier();
            Flow::Next
        },
        false => |context, _, _| {
            context.launch.overlap.let_next_begin(context.block.order);
            Flow::Next
        },
    })
}

impl Context<'_> {
    /// `griddepcontrol.wait`
    pub(crate) fn wait_for_earlier(&mut self) {
        self.launch.overlap.wait();
        self.block.order.wait();
        // Threads of other blocks may wait for this one at the barrier of the cluster.
        self.block.for_others(|block| block.order.wait());
    }

    /// Notes and checks accesses of a warp's lanes.
    #[cold]
    #[inline(never)]
    pub(crate) fn overlaps(
        &mut self,
        at: &Addresses,
        mask: u32,
        mode: Mode,
        write: bool,
    ) -> Option<Flow> {
        let size = mode.size * mode.count;
        let way = Way { write, strong: mode.strong };
        for lane in (0..32).filter(|lane| mask >> lane & 1 == 1) {
            if let Err(kind) = self.follows(at[lane as usize], size.into(), way) {
                return Some(self.fault(kind, lane));
            }
        }
        None
    }

    /// Notes an access, and whether it comes too early.
    pub(crate) fn follows(&mut self, address: u64, size: u64, way: Way) -> Result<(), FaultKind> {
        let windows = [SHARED_WINDOW, LOCAL_WINDOW, PARAM_WINDOW];
        if windows.iter().any(|&window| address.wrapping_sub(window) < WINDOW_SIZE) {
            return Ok(());
        }
        let overlap = &self.launch.overlap;
        // An address that is not there is another fault.
        if !self.launch.span(address, size).is_some_and(|span| span.holds(address, size)) {
            return Ok(());
        }
        overlap.note((address, size), way);
        match overlap.conflict(&mut self.block.order, (address, size), way) {
            None => Ok(()),
            Some((kernel, writes)) => {
                let (kernel, write) = (kernel.to_owned(), way.write);
                let other = if writes { "writes" } else { "reads" };
                Err(FaultKind::Early { address, size, write, kernel, other })
            }
        }
    }
}
