//! Data of other crates, each behind a feature.

#[cfg(feature = "bytemuck")]
mod bytemuck;
#[cfg(feature = "dlpack")]
pub mod dlpack;
#[cfg(feature = "ndarray")]
mod ndarray;
