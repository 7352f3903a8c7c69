//! The driver's objects, and who uses them.

use crate::context::{Context, after_host_function};
use crate::driver::Failure;
use crate::error::Result;
use crate::memory::tracker::{Access, Tracker};
use crate::stream::Entry;

use super::array::WHOLE;

/// The driver's texture or surface object. It is destroyed when no stream uses it.
pub(super) struct Object {
    pub(super) context: &'static Context,
    pub(super) number: u64,
    is_texture: bool,
    uses: Tracker,
}

impl Object {
    /// The object that the driver makes.
    pub(super) fn new(
        context: &'static Context,
        is_texture: bool,
        make: impl FnOnce(&mut u64) -> Result<(), Failure>,
    ) -> Result<Object> {
        context.bind()?;
        let mut number = 0;
        make(&mut number)?;
        Ok(Object { context, number, is_texture, uses: Tracker::default() })
    }

    /// Notes a launch that uses it.
    pub(super) fn note(&self, entry: &Entry<'_>) -> Result<()> {
        Ok(self.uses.order(entry, WHOLE, Access::Read)?)
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        let Object { context, number, is_texture, .. } = *self;
        let uses = core::mem::take(&mut self.uses);
        after_host_function(move || {
            if !uses.settle() || context.bind().is_err() {
                return;
            }
            let driver = context.driver;
            let _relaxed = driver.relaxed();
            // SAFETY: no stream uses the object any more, and this is its only owner. The driver refuses after a fault
            // or at the process's end; either way the object goes with the context.
            let _ = unsafe {
                match is_texture {
                    true => driver.cuTexObjectDestroy(number),
                    false => driver.cuSurfObjectDestroy(number),
                }
            };
        });
    }
}
