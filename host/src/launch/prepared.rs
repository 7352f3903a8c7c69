//! A kernel that is assembled but not launched yet: what `compile!` gives.

use super::compiled::CompiledKernel;
use super::config::LaunchConfig;
use crate::error::Result;
use core::fmt;
use core::ops::Deref;

/// A kernel instance, assembled for a device, with the arguments of one launch: what
/// [`compile!`](crate::compile!) gives.
///
/// It can be asked everything that a [`CompiledKernel`] can, so that the launch's shape may follow
/// from what the assembler made of it, and is launched by [`PreparedKernel::launch`].
///
/// ```ignore
/// let kernel = compile!(saxpy(2.0f32, &x, &mut y))?;
/// let shape = kernel.occupancy(|_threads| 0, None)?;
/// kernel.launch(LaunchConfig::new().blocks(n.div_ceil(shape.threads)).threads(shape.threads))?;
/// ```
#[must_use = "a prepared kernel runs when it is launched"]
pub struct PreparedKernel<F> {
    compiled: CompiledKernel,
    launch: F,
}

impl<F: FnOnce(LaunchConfig<'_>) -> Result<()>> PreparedKernel<F> {
    #[cfg(not(ptyx_device))]
    pub(super) fn new(variant: &'static super::variant::Variant, launch: F) -> Result<Self> {
        Ok(PreparedKernel { compiled: CompiledKernel::of(variant)?, launch })
    }

    /// Opaque: to rustc, what follows must stay reachable.
    #[cfg(ptyx_device)]
    pub(super) fn device_pass(launch: F) -> Result<Self> {
        core::hint::black_box(launch);
        core::hint::black_box(Err(crate::Error::DevicePass))
    }

    /// What was assembled.
    pub fn compiled(&self) -> &CompiledKernel {
        &self.compiled
    }

    /// Launches it with the knobs that it was assembled with; those of `config` are not looked at.
    ///
    /// # Errors
    /// Whatever keeps the kernel from being launched, as for `launch!`.
    pub fn launch(self, config: LaunchConfig<'_>) -> Result<()> {
        (self.launch)(config)
    }

    /// Launches it with the configuration that `shape` computes from it.
    ///
    /// # Errors
    /// Those of `shape`, and whatever keeps the kernel from being launched.
    pub fn launch_with<'a>(
        self,
        shape: impl FnOnce(&CompiledKernel) -> Result<LaunchConfig<'a>>,
    ) -> Result<()> {
        let config = shape(&self.compiled)?;
        self.launch(config)
    }
}

impl<F> Deref for PreparedKernel<F> {
    type Target = CompiledKernel;

    fn deref(&self) -> &CompiledKernel {
        &self.compiled
    }
}

impl<F> fmt::Debug for PreparedKernel<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PreparedKernel").field(&self.compiled).finish()
    }
}
