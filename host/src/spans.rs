//! Spans for the crate `tracing`, if the feature of this name is on.

/// Enters a span until the end of the block: its name, then its fields as `tracing` writes them, which are computed only if
/// somebody wants to know.
macro_rules! span {
    ($name:literal, $($fields:tt)*) => {
        #[cfg(all(feature = "tracing", not(ptyx_device)))]
        let _span = tracing::debug_span!(target: "ptyx", $name, $($fields)*).entered();
    };
}

pub(crate) use span;
