//! How textures are read.

use core::ops::RangeInclusive;

/// What a fetch outside of a texture returns (`CUaddress_mode`, `cudaTextureAddressMode`).
///
/// ```
/// use ptyx::{AddressMode, CudaArray, Texture, TextureOptions};
/// let picture = CudaArray::<f32>::zeroed([2, 3])?;
/// let options = TextureOptions::new().address(AddressMode::Border).border([1.0; 4]);
/// let texture = Texture::<f32>::with(&picture, &options)?;
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddressMode {
    /// The texture is repeated. Only with normalised coordinates.
    Wrap,
    /// The nearest texel at the edge.
    #[default]
    Clamp,
    /// The texture is repeated, and every other copy is mirrored. Only with normalised coordinates.
    Mirror,
    /// A fixed colour, [`TextureOptions::border`]: zeros if it is not set.
    Border,
}

/// Whether texels, or levels of a mipmap, are interpolated (`CUfilter_mode`, `cudaTextureFilterMode`).
///
/// ```
/// use ptyx::{CudaArray, FilterMode, Texture, TextureOptions};
/// let picture = CudaArray::<f32>::zeroed([2, 3])?;
/// let options = TextureOptions::new().filter(FilterMode::Linear);
/// let texture = Texture::<f32>::with(&picture, &options)?;
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FilterMode {
    /// Takes the nearest texel or level.
    #[default]
    Point,
    /// Interpolates between the nearest ones: 2, 4 or 8 texels in one, two or three dimensions; two levels.
    Linear,
}

/// How a [`Texture`](crate::Texture) is read. By default, coordinates count texels, the nearest texel is
/// read, and coordinates outside are clamped to the edge.
///
/// ```
/// use ptyx::{AddressMode, CudaArray, FilterMode, Texture, TextureOptions};
/// let picture = CudaArray::<[u8; 4]>::zeroed([480, 640])?;
/// let options = TextureOptions::new()
///     .normalized(true)
///     .filter(FilterMode::Linear)
///     .address(AddressMode::Mirror);
/// let texture = Texture::<[f32; 4]>::with(&picture, &options)?;
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TextureOptions {
    pub(super) address: [AddressMode; 3],
    pub(super) filter: FilterMode,
    pub(super) is_normalized: bool,
    pub(super) border: [f32; 4],
    pub(super) is_srgb: bool,
    pub(super) max_anisotropy: u32,
    pub(super) mip_filter: FilterMode,
    pub(super) mip_bias: f32,
    pub(super) mip_clamp: [f32; 2],
}

impl Default for TextureOptions {
    fn default() -> Self {
        Self::new()
    }
}

macro_rules! setters {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident: $type:ty, $example:literal => |$options:ident| $place:expr;
    )*) => {$(
        $(#[doc = $doc])*
        ///
        /// ```
        /// use ptyx::{CudaArray, Texture, TextureOptions};
        #[doc = concat!("let options = TextureOptions::new().", stringify!($name), "(", $example, ");")]
        /// assert_ne!(options, TextureOptions::new());
        /// let picture = CudaArray::<[u8; 4]>::zeroed([480, 640])?;
        /// let texture = Texture::<[f32; 4]>::with(&picture, &options)?;
        /// # Ok::<(), ptyx::Error>(())
        /// ```
        #[must_use]
        pub fn $name(mut self, $name: $type) -> Self {
            let $options = &mut self;
            *$place = $name;
            self
        }
    )*};
}

impl TextureOptions {
    /// Coordinates count texels and are clamped to the edge; the nearest texel is read.
    ///
    /// ```
    /// use ptyx::{CudaArray, Texture, TextureOptions};
    /// let picture = CudaArray::<f32>::zeroed([2, 3])?;
    /// let texture = Texture::<f32>::with(&picture, &TextureOptions::new())?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub const fn new() -> Self {
        TextureOptions {
            address: [AddressMode::Clamp; 3],
            filter: FilterMode::Point,
            is_normalized: false,
            border: [0.0; 4],
            is_srgb: false,
            max_anisotropy: 1,
            mip_filter: FilterMode::Point,
            mip_bias: 0.0,
            mip_clamp: [0.0, f32::MAX],
        }
    }

    /// What a fetch outside of the texture returns, in all dimensions.
    ///
    /// ```
    /// use ptyx::{AddressMode, TextureOptions};
    /// let options = TextureOptions::new().normalized(true).address(AddressMode::Wrap);
    /// assert_ne!(options, TextureOptions::new());
    /// ```
    #[must_use]
    pub fn address(self, mode: AddressMode) -> Self {
        self.address_each([mode; 3])
    }

    setters! {
        /// What a fetch outside of the texture returns, along x, y and z.
        address_each: [AddressMode; 3], "[ptyx::AddressMode::Border, ptyx::AddressMode::Clamp, ptyx::AddressMode::Clamp]"
            => |options| &mut options.address;
        /// Whether texels are interpolated.
        filter: FilterMode, "ptyx::FilterMode::Linear" => |options| &mut options.filter;
        /// Whether coordinates go from 0 to 1 instead of counting texels. Mipmaps require this; for cubes it is always so.
        normalized: bool, "true" => |options| &mut options.is_normalized;
        /// The colour outside with [`AddressMode::Border`]. If texels are read as integers, a fetch returns the bits of
        /// these floats.
        border: [f32; 4], "[1.0; 4]" => |options| &mut options.border;
        /// Whether texels of `u8` that are read as floats are sRGB colours, which are converted to linear ones. The fourth
        /// channel is not converted.
        srgb: bool, "true" => |options| &mut options.is_srgb;
        /// The maximum anisotropy, 1 to 16: the largest ratio of the longer to the shorter side of a pixel's footprint that
        /// the filter follows. It applies to [`fetch_grad`](ptyx_device::texture::Texture2D) of mipmaps. 1 turns off anisotropic
        /// filtering.
        max_anisotropy: u32, "8" => |options| &mut options.max_anisotropy;
        /// Whether levels of a mipmap are interpolated.
        mip_filter: FilterMode, "ptyx::FilterMode::Linear" => |options| &mut options.mip_filter;
        /// The bias that is added to each level of detail of a mipmap, in levels.
        mip_bias: f32, "-0.5" => |options| &mut options.mip_bias;
    }

    /// The range of levels of detail; others are clamped to it.
    ///
    /// ```
    /// let options = ptyx::TextureOptions::new().mip_clamp(0.0..=2.0);
    /// assert_ne!(options, ptyx::TextureOptions::new());
    /// ```
    #[must_use]
    pub fn mip_clamp(mut self, levels: RangeInclusive<f32>) -> Self {
        self.mip_clamp = [*levels.start(), *levels.end()];
        self
    }
}
