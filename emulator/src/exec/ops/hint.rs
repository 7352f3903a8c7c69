//! Instructions without a result: hints, fences, waiting (PTX ISA, sections 9.7.9, 9.7.13, 9.7.19).

use super::control;
use crate::exec::context::Flow;
use crate::exec::program::Exec;
use crate::ptx::form::Form;

/// Nothing happens.
pub(crate) fn nothing(_: &Form<'_>) -> Option<Exec> {
    Some(control::nothing)
}

/// `membar` and `fence`: accesses take effect at once and in order, but blocks run on several threads,
/// whose accesses this orders.
pub(crate) fn fence(_: &Form<'_>) -> Option<Exec> {
    Some(|context, _, _| {
        std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
        context.block.synchronise(context.warp.index);
        Flow::Next
    })
}

/// `fence.proxy.async` for shared memory: see [`crate::exec::proxy`].
pub(crate) fn proxy_fence(_: &Form<'_>) -> Option<Exec> {
    Some(|context, _, mask| {
        std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
        let block = &mut context.block;
        block.unfenced.fence(context.warp.index, mask, &block.clock);
        Flow::Next
    })
}

/// `createpolicy`: there are no caches, so a policy means nothing.
pub(crate) fn policy(_: &Form<'_>) -> Option<Exec> {
    Some(|context, inst, mask| {
        context.store(inst.d, mask, &[0u64; 32]);
        Flow::Next
    })
}

/// How many instructions a pause counts as: about as many as run in the time that changing to another warp takes. The rest of the
/// warp's turn would be too many: a kernel that waits for the host pauses again and again, and is no endless loop.
const PAUSE: i64 = 64;

/// `nanosleep`: the warp's turn ends.
pub(crate) fn sleep(_: &Form<'_>) -> Option<Exec> {
    Some(|context, _, _| context.give_way(PAUSE))
}

/// `brkpt`
pub(crate) fn breakpoint(_: &Form<'_>) -> Option<Exec> {
    Some(control::breakpoint)
}
