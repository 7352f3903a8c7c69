//! Data of other crates, each behind a feature; memory and semaphores of graphics libraries.

#[cfg(feature = "bytemuck")]
mod bytemuck;
#[cfg(feature = "cudarc")]
mod cudarc;
#[cfg(feature = "dlpack")]
pub mod dlpack;
pub(crate) mod external;
#[cfg(feature = "ndarray")]
mod ndarray;
