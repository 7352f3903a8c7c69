//! Sizes and positions in three dimensions.

/// A size or position of a grid, block or thread; `x` varies fastest.
///
/// ```
/// use ptyx::{device::Dim3, launch::IntoDims};
/// let tile = Dim3 { x: 16, y: 8, z: 1 };
/// assert_eq!(tile.into_dims(), [16, 8, 1]); // as the shape of a launch
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dim3 {
    /// The first, fastest dimension.
    pub x: u32,
    /// The second dimension.
    pub y: u32,
    /// The third, slowest dimension.
    pub z: u32,
}

impl Dim3 {
    /// The product of the three dimensions: a block has at most 1024 threads, so its size fits.
    #[inline(always)]
    pub(crate) fn product(self) -> u32 {
        self.x * self.y * self.z
    }

    /// Where `position` comes in this size, counting along `x` first.
    #[inline(always)]
    pub(crate) fn rank(self, position: Dim3) -> u32 {
        (position.z * self.y + position.y) * self.x + position.x
    }
}
