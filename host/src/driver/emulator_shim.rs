//! Stands in until the emulated device has its driver functions.
pub(crate) mod driver {
    pub(crate) fn symbol(_: &str) -> Option<*const core::ffi::c_void> {
        None
    }
    pub(crate) fn take_fault() -> Option<String> {
        None
    }
}
