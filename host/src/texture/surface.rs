//! Surfaces: arrays that kernels read and write.

use super::array::CudaArray;
use super::owned::{Object, Owned};
use super::shape::{level_shape, sizes};
use crate::driver::types::*;
use crate::error::{Error, Result, TextureRule};
use crate::memory::tracker::Access;
use crate::stream::Entry;
use core::fmt;
use ptyx_device::texture::{D2, Sizes, SurfaceDimension, Texel};
use std::sync::Arc;

/// An array that kernels read and write texel by texel
/// ([`cuSurfObjectCreate`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__SURFOBJECT.html)). Pass
/// `&mut surface` for a kernel's parameter [`Surface`](ptyx_device::texture::Surface) with the same types.
///
/// Dropping it blocks the host until the launches that use it are done.
///
/// ```no_run
/// use ptyx::device::texture::Surface2D;
/// use ptyx::prelude::*;
/// use ptyx::{CudaArray, Surface};
///
/// #[kernel]
/// fn paint(picture: Surface2D<f32>) {
///     let (x, y) = (thread::x(), block::x());
///     picture.write(x, y, (x + y) as f32);
/// }
///
/// let mut picture = CudaArray::<f32>::zeroed([480, 640])?;
/// launch!(paint<<<480, 640>>>(&mut Surface::new(&mut picture)?))?;
/// assert_eq!(picture.to_vec()?[641], 2.0);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct Surface<'a, T: Texel, D: SurfaceDimension = D2> {
    array: &'a mut CudaArray<T, D>,
    number: CUsurfObject,
    object: Arc<Owned>,
    pub(crate) sizes: Sizes,
}

impl<'a, T: Texel, D: SurfaceDimension> Surface<'a, T, D> {
    /// The surface of an array; with a mipmap, of its first level.
    ///
    /// ```
    /// use ptyx::{CudaArray, Surface};
    /// let mut picture = CudaArray::<f32>::zeroed([480, 640])?;
    /// let surface = Surface::new(&mut picture)?; // for launches that take `&mut surface`
    /// drop(surface); // waits for them
    /// assert_eq!(picture.to_vec()?[0], 0.0);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Texture`](crate::Error::Texture) if the array gets its memory later and was not made for surfaces
    /// ([`ArrayUses::surfaces`](crate::ArrayUses::surfaces)); errors of the driver, such as out of memory.
    pub fn new(array: &'a mut CudaArray<T, D>) -> Result<Self> {
        Self::of_level(array, 0)
    }

    /// The surface of a level of an array.
    ///
    /// ```
    /// use ptyx::{CudaArray, Error, Surface};
    /// let mut picture = CudaArray::<f32>::zeroed_with_levels([480, 640], 2)?;
    /// assert!(Surface::of_level(&mut picture, 1).is_ok()); // 240 rows of 320 texels
    /// assert!(matches!(Surface::of_level(&mut picture, 2), Err(Error::Texture(_))));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`Error::Texture`](crate::Error::Texture) if there is no such level.
    pub fn of_level(array: &'a mut CudaArray<T, D>, level: usize) -> Result<Self> {
        if array.sparse.as_ref().is_some_and(|sparse| !sparse.uses.has_surfaces()) {
            return Err(Error::Texture(TextureRule::NoSurfaces));
        }
        let sizes = sizes::<D>(&level_shape::<D>(&array.shape(), level), 1);
        let (context, level) = (array.context, array.level(level)?);
        let words = [level.0.addr() as u64, 0, 0, 0, 0];
        let resource = CUresourceDescriptor::new(CU_RESOURCE_TYPE_ARRAY, words);
        context.bind()?;
        let mut number = 0;
        // SAFETY: the place and the descriptor are valid, the context is bound, the array is alive.
        unsafe { context.driver.cuSurfObjectCreate(&mut number, &resource) }?;
        let object = Owned::new(context, Object::Surface(number), None);
        Ok(Surface { array, number, object, sizes })
    }

    /// Orders a launch after other uses of the array; returns the object's number.
    pub(crate) fn order(&mut self, entry: &Entry<'_>) -> Result<u64> {
        self.array.order(entry, Access::Write)?;
        self.object.order(entry, Access::Read)?;
        Ok(self.number)
    }
}

impl<T: Texel, D: SurfaceDimension> fmt::Debug for Surface<'_, T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Surface({:?})", self.array)
    }
}
