//! What an array is for besides copies and textures.

/// What an array that gets its memory later is for besides copies and textures, for
/// [`CudaArray::sparse_for`](crate::CudaArray::sparse_for) and [`CudaArray::deferred_for`](crate::CudaArray::deferred_for). All
/// other arrays can be used in every way. Textures of all arrays can gather four texels
/// (`CUDA_ARRAY3D_TEXTURE_GATHER`), if these have two dimensions and are small enough.
///
/// ```
/// use ptyx::{ArrayUses, CudaArray, Surface};
/// let uses = ArrayUses::new().surfaces(true);
/// let mut plane = CudaArray::<f32>::sparse_for([1024, 1024], None, uses)?;
/// Surface::new(&mut plane)?;
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ArrayUses {
    surfaces: bool,
}

impl ArrayUses {
    /// Only copies and textures.
    ///
    /// ```
    /// let uses = ptyx::ArrayUses::new();
    /// assert!(!uses.has_surfaces());
    /// ```
    pub const fn new() -> ArrayUses {
        ArrayUses { surfaces: false }
    }

    /// Every use.
    pub(super) const ALL: ArrayUses = ArrayUses { surfaces: true };

    /// Whether surfaces can be made of it (`CUDA_ARRAY3D_SURFACE_LDST`). The default is `false`.
    ///
    /// ```
    /// assert!(ptyx::ArrayUses::new().surfaces(true).has_surfaces());
    /// ```
    pub const fn surfaces(self, surfaces: bool) -> ArrayUses {
        ArrayUses { surfaces }
    }

    /// Whether surfaces can be made of it.
    ///
    /// ```
    /// assert!(!ptyx::ArrayUses::new().has_surfaces());
    /// ```
    pub const fn has_surfaces(&self) -> bool {
        self.surfaces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CudaArray, Device, Error, Surface, TextureRule};

    #[test]
    fn arrays_have_the_uses_that_were_asked_for() {
        if !Device::current().unwrap().is_emulated() {
            return;
        }
        type Make = fn([usize; 2], Option<usize>, ArrayUses) -> crate::Result<CudaArray<f32>>;
        let makes: [Make; 2] = [CudaArray::sparse_for, CudaArray::deferred_for];
        for (make, levels) in makes.into_iter().flat_map(|make| [(make, None), (make, Some(3))]) {
            for surfaces in [false, true] {
                let uses = ArrayUses::new().surfaces(surfaces);
                let mut array = make([256, 256], levels, uses).unwrap();
                if let Ok(info) = array.info() {
                    assert_eq!((info.has_surfaces, info.has_gathers), (surfaces, true));
                }
                let surface = Surface::new(&mut array).map(drop);
                let is_refused = matches!(surface, Err(Error::Texture(TextureRule::NoSurfaces)));
                assert_eq!(is_refused, !surfaces, "{surface:?}");
            }
        }
        let plain = CudaArray::<f32>::sparse([256, 256]).unwrap().info().unwrap();
        assert!(!plain.has_surfaces && plain.has_gathers);
        let mut later = CudaArray::<f32>::deferred_with_levels([256, 256], 3).unwrap();
        assert_eq!(later.levels(), 3);
        let surface = Surface::new(&mut later).map(drop);
        assert!(matches!(surface, Err(Error::Texture(TextureRule::NoSurfaces))), "{surface:?}");
        let usual = CudaArray::<f32>::zeroed([256, 256]).unwrap().info().unwrap();
        assert!(usual.has_surfaces && usual.has_gathers);
    }
}
