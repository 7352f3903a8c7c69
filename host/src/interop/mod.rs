//! Data of other crates, each behind a feature.

#[cfg(feature = "bytemuck")]
mod bytemuck;
#[cfg(feature = "ndarray")]
mod ndarray;
