//! What the driver owns for an array, a texture or a surface: who uses it, and when it is destroyed.

use crate::context::{Context, after_host_function};
use crate::driver::types::*;
use crate::error::Result;
use crate::memory::copy::Tracked;
use crate::memory::tracker::{Access, Tracker};
use crate::stream::{Again, Entry, Guard, Part, Stream};
use core::any::Any;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// All of an array: uses of parts are not told apart.
pub(super) const WHOLE: Range<usize> = 0..1;

/// What owns the memory of an array.
#[derive(Clone, Copy)]
pub(super) enum Handle {
    Array(CUarray),
    Mipmapped(CUmipmappedArray),
}

/// The driver's object.
#[derive(Clone, Copy)]
pub(super) enum Object {
    Array(Handle),
    Texture(CUtexObject),
    Surface(CUsurfObject),
}

/// An object and who uses it. Graphs keep what they use: it is destroyed when the last owner is gone.
pub(super) struct Owned {
    pub(super) context: &'static Context,
    pub(super) object: Object,
    uses: Tracker,
    /// Captured work uses it.
    in_graph: AtomicBool,
    /// What must outlive it: somebody else's memory that it lies in, or the tiles of a sparse array.
    keep: Option<Box<dyn Any + Send + Sync>>,
}

impl Owned {
    pub(super) fn new(
        context: &'static Context,
        object: Object,
        keep: Option<Box<dyn Any + Send + Sync>>,
    ) -> Arc<Owned> {
        let (uses, in_graph) = Default::default();
        Arc::new(Owned { context, object, uses, in_graph, keep })
    }

    /// Says of a new object that a stream has written it.
    pub(super) fn written_by(self: &mut Arc<Self>, stream: &Stream) {
        if let Some(this) = Arc::get_mut(self) {
            this.uses = Tracker::written_by(stream, WHOLE.end);
        }
    }

    /// What must outlive it, if there was nothing before.
    pub(super) fn keep(self: &mut Arc<Self>, keep: impl Any + Send + Sync) {
        match Arc::get_mut(self) {
            Some(this) => this.keep = Some(Box::new(keep)),
            // Never: what has something to keep is in no graph. It is safe to keep it for good.
            None => core::mem::forget(keep),
        }
    }

    /// For copies for which the host waits.
    pub(super) fn tracked(&self) -> Tracked<'_> {
        Tracked {
            context: self.context,
            tracker: &self.uses,
            exposed_since: None,
            is_in_graph: self.is_in_graph(),
            is_of_graph: false,
        }
    }

    fn is_in_graph(&self) -> bool {
        self.in_graph.load(Ordering::Acquire)
    }

    /// Makes `entry`'s stream wait for what an access conflicts with, and notes it; of a captured stream, in the graph.
    pub(super) fn order(self: &Arc<Self>, entry: &Entry<'_>, access: Access) -> Result<()> {
        let stream = entry.stream();
        stream.context().expect("an array or a texture", self.context)?;
        if let Some(capture) = entry.capture() {
            self.in_graph.store(true, Ordering::Release);
            let part = || self.again(access) as Arc<dyn Part>;
            let key = Arc::as_ptr(self).addr();
            return Ok(capture.use_memory(stream, key, WHOLE, access == Access::Write, part)?);
        }
        if self.is_in_graph() {
            entry.hold_off_graphs(self.context);
        }
        let Some(binding) = entry.binding() else {
            return Ok(self.uses.order(entry, WHOLE, access)?);
        };
        let standing = binding.standing();
        if self.is_in_graph() {
            // A launch of the graph has no borrow that excludes the handle's.
            standing.order_each();
        }
        self.uses.order_standing(entry, WHOLE, access, standing)?;
        binding.add(UsedAgain { owned: self.clone(), access });
        Ok(())
    }

    fn again(self: &Arc<Self>, access: Access) -> Arc<UsedAgain> {
        Arc::new(UsedAgain { owned: self.clone(), access })
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        let (context, object, keep) = (self.context, self.object, self.keep.take());
        let uses = core::mem::take(&mut self.uses);
        after_host_function(move || {
            if !uses.settle() || context.bind().is_err() {
                // Nobody else gets its memory.
                core::mem::forget(keep);
                return;
            }
            let driver = context.driver;
            let _relaxed = driver.relaxed();
            // SAFETY: no stream uses it any more, and this is its only owner. The driver refuses after a fault or at the
            // process's end; either way the object goes with the context.
            let _ = unsafe {
                match object {
                    Object::Array(Handle::Array(array)) => driver.cuArrayDestroy(array),
                    Object::Array(Handle::Mipmapped(array)) => {
                        driver.cuMipmappedArrayDestroy(array)
                    }
                    Object::Texture(object) => driver.cuTexObjectDestroy(object),
                    Object::Surface(object) => driver.cuSurfObjectDestroy(object),
                }
            };
        });
    }
}

/// The use of an object by the launches of a graph, or of a bound kernel, which keep it.
struct UsedAgain {
    owned: Arc<Owned>,
    access: Access,
}

impl Part for UsedAgain {
    fn submit<'a>(&self, entry: &Entry<'a>) -> Result<Option<Box<dyn Guard + 'a>>> {
        self.owned.uses.order(entry, WHOLE, self.access)?;
        Ok(None)
    }
}

impl Again for UsedAgain {
    fn order(&self, entry: &Entry<'_>) -> Result<()> {
        self.owned.order(entry, self.access)
    }
}
