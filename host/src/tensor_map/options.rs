//! Options of tensor maps.

use core::fmt;
use ptyx_device::tma::TileShape;

/// What loads write to the elements of a tile that are outside of the tensor.
///
/// ```
/// use ptyx::{Fill, TensorOptions};
/// let options = TensorOptions::<[[f32; 8]; 32]>::new().fill(Fill::Nan);
/// assert!(format!("{options:?}").contains("fill: Nan"));
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fill {
    /// Zeros.
    #[default]
    Zero,
    /// NaN; only for floats. (Tensor cores count it as zero in products.)
    Nan,
}

/// The granularity at which the L2 cache fetches the bytes of a tile (*L2 promotion*).
///
/// ```
/// use ptyx::{Promotion, TensorOptions};
/// let options = TensorOptions::<[[f32; 8]; 32]>::new().promotion(Promotion::B256);
/// assert!(format!("{options:?}").contains("promotion: B256"));
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Promotion {
    /// Only the bytes that are needed.
    None,
    /// 64 bytes.
    B64,
    /// 128 bytes.
    #[default]
    B128,
    /// 256 bytes.
    B256,
}

/// How loads convert elements of type `f32`.
///
/// ```
/// use ptyx::{Conversion, TensorOptions};
/// let options = TensorOptions::<[[f32; 8]; 32]>::new().conversion(Conversion::Tf32);
/// assert!(format!("{options:?}").contains("conversion: Tf32"));
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Conversion {
    /// Not at all.
    #[default]
    None,
    /// Subnormal numbers may become zeros (`CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ`). In tests, an H200 kept them; so does
    /// the emulated device.
    Flush,
    /// Numbers are rounded to `tf32`: the lower 13 bits of the tile's elements are zeros, as
    /// [`Tf32`](ptyx_device::mma::Tf32) products need them.
    Tf32,
    /// Both.
    Tf32Flush,
}

/// Options of a [`TensorMap`](crate::TensorMap) with tiles of shape `K`.
///
/// ```
/// use ptyx::{Conversion, Fill, Promotion, TensorOptions};
/// let options = TensorOptions::<[[f32; 8]; 32]>::new()
///     .strides([128, 1])
///     .steps([2, 1])
///     .fill(Fill::Nan)
///     .promotion(Promotion::B256)
///     .conversion(Conversion::Tf32);
/// ```
pub struct TensorOptions<K: TileShape> {
    pub(super) strides: Option<K::Index>,
    pub(super) steps: Option<K::Index>,
    pub(super) fill: Fill,
    pub(super) promotion: Promotion,
    pub(super) conversion: Conversion,
}

impl<K: TileShape> Clone for TensorOptions<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: TileShape> Copy for TensorOptions<K> {}

impl<K: TileShape> Default for TensorOptions<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: TileShape> TensorOptions<K> {
    /// No gaps between rows, every element, zeros outside of the tensor.
    ///
    /// ```
    /// use ptyx::TensorOptions;
    /// let options = TensorOptions::<[[f32; 8]; 32]>::new();
    /// assert!(format!("{options:?}").contains("strides: None"));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    #[must_use]
    pub fn new() -> Self {
        TensorOptions {
            strides: None,
            steps: None,
            fill: Fill::default(),
            promotion: Promotion::default(),
            conversion: Conversion::default(),
        }
    }

    /// The stride along each dimension, in elements, rows first; it must be 1 along the last
    /// one. Without strides, the tensor has no gaps.
    ///
    /// In an interleaved layout ([`Interleaved16`](ptyx_device::tma::Interleaved16)), the second stride leads from one slice
    /// to the next, and that of the last dimension, the columns, must be a slice's number of channels.
    ///
    /// ```
    /// use ptyx::TensorOptions;
    /// let columns = 128; // of which the tensor has fewer
    /// let options = TensorOptions::<[[f32; 8]; 32]>::new().strides([columns, 1]);
    /// assert!(format!("{options:?}").contains("strides: Some([128, 1])"));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    #[must_use]
    pub fn strides(self, strides: K::Index) -> Self {
        TensorOptions { strides: Some(strides), ..self }
    }

    /// Which elements a tile takes along each dimension: every second one for a step of 2, and so on up to 8. The step
    /// must be 1 along the last dimension, except in an interleaved layout
    /// ([`Interleaved16`](ptyx_device::tma::Interleaved16)): there the last dimension counts columns, and its step may be
    /// larger. The step along the slices has no effect, since a tile has one slice.
    ///
    /// ```
    /// use ptyx::TensorOptions;
    /// let every_second_row = TensorOptions::<[[f32; 8]; 32]>::new().steps([2, 1]);
    /// assert!(format!("{every_second_row:?}").contains("steps: Some([2, 1])"));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    #[must_use]
    pub fn steps(self, steps: K::Index) -> Self {
        TensorOptions { steps: Some(steps), ..self }
    }

    /// What loads write to the elements of a tile that are outside of the tensor.
    ///
    /// ```
    /// use ptyx::{Fill, TensorOptions};
    /// let options = TensorOptions::<[[f32; 8]; 32]>::new().fill(Fill::Nan);
    /// assert!(format!("{options:?}").contains("fill: Nan"));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    #[must_use]
    pub fn fill(self, fill: Fill) -> Self {
        TensorOptions { fill, ..self }
    }

    /// The granularity at which the L2 cache fetches.
    ///
    /// ```
    /// use ptyx::{Promotion, TensorOptions};
    /// let options = TensorOptions::<[[f32; 8]; 32]>::new().promotion(Promotion::None);
    /// assert!(format!("{options:?}").contains("promotion: None"));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    #[must_use]
    pub fn promotion(self, promotion: Promotion) -> Self {
        TensorOptions { promotion, ..self }
    }

    /// How loads convert elements of type `f32`. For other element types, and for tensors to store into, a conversion is
    /// an error.
    ///
    /// ```
    /// use ptyx::{Conversion, TensorOptions};
    /// let options = TensorOptions::<[[f32; 8]; 32]>::new().conversion(Conversion::Flush);
    /// assert!(format!("{options:?}").contains("conversion: Flush"));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    #[must_use]
    pub fn conversion(self, conversion: Conversion) -> Self {
        TensorOptions { conversion, ..self }
    }
}

impl<K: TileShape> fmt::Debug for TensorOptions<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TensorOptions")
            .field("strides", &self.strides.as_ref().map(AsRef::as_ref))
            .field("steps", &self.steps.as_ref().map(AsRef::as_ref))
            .field("fill", &self.fill)
            .field("promotion", &self.promotion)
            .field("conversion", &self.conversion)
            .finish()
    }
}
