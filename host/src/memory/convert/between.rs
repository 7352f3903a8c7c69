//! Copies between every two kinds of memory, in which the host converts the elements, or gives a value to those that the
//! source does not have.
//!
//! A kind of memory says how a box of it is read, or how all of it is written; the rest is the same for all pairs.

mod kinds;

use super::ConvertTo;
use crate::error::Result;
use crate::memory::pitched::{HostViewMut, filled, overlap, same_shape};

pub(crate) mod sealed {
    use crate::error::Result;
    use core::ops::Range;

    /// Memory from which boxes are read.
    pub trait Read<U, const N: usize> {
        /// The number of elements along each axis.
        fn extents(&self) -> Result<[usize; N]>;

        /// The elements of a box, row after row.
        fn read(&self, part: [Range<usize>; N]) -> Result<Vec<U>>;
    }

    /// Memory that is written as a whole.
    pub trait Write<T, const N: usize> {
        /// The number of elements along each axis.
        fn extents(&self) -> Result<[usize; N]>;

        /// Replaces all elements, row after row.
        fn write(self, elements: &[T]) -> Result<()>;
    }
}

/// What [`copy`] and its relatives copy from: `N` axes of elements of type `U`, slowest first.
///
/// | kind of memory | source | destination ([`CopyTarget`]) |
/// |---|---|---|
/// | of the host | `&[U]`, `&[U; L]`, `&Vec<U>`, [`HostView`](crate::HostView) and its parts | `&mut [T]`, `&mut [T; L]`, `&mut Vec<T>`, [`HostViewMut`] and its parts |
/// | pinned or registered | `&PinnedBuffer`; `&pinned[a..b]`, `&staging.read()[..]` are host memory | `&mut PinnedBuffer`; `&mut pinned[a..b]` |
/// | of a device | [`DeviceSlice`](crate::DeviceSlice), `&DeviceBuffer`, `&GrowableBuffer` | [`DeviceSliceMut`](crate::DeviceSliceMut), `&mut DeviceBuffer`, `&mut GrowableBuffer` |
/// | of a device, with several axes | [`PitchedView`](crate::PitchedView) and its parts, `&PitchedBuffer`, [`DeviceView`](crate::DeviceView), `&DeviceArray` | [`PitchedViewMut`](crate::PitchedViewMut) and its parts, `&mut PitchedBuffer`, [`DeviceViewMut`](crate::DeviceViewMut), `&mut DeviceArray` |
/// | managed | `&ManagedBuffer`, `&GuardedBuffer`, `managed.as_slice()` | `&mut ManagedBuffer`, `&mut GuardedBuffer`, `managed.as_slice_mut()` |
/// | CUDA arrays | `&CudaArray`; `(&array, part)` with ranges or a [`TexelBox`](crate::TexelBox) | `&mut CudaArray`; `(&mut array, part)` |
///
/// ```
/// use ptyx::{CopySource, CopyTarget};
/// fn twice<const N: usize>(
///     from: impl CopySource<f32, N> + Copy,
///     to: [impl CopyTarget<f64, N>; 2],
/// ) -> ptyx::Result<()> {
///     to.into_iter().try_for_each(|to| ptyx::copy_as(from, to))
/// }
/// let buffer = ptyx::DeviceBuffer::from_slice(&[1.5f32, 2.0])?;
/// let (mut a, mut b) = ([0.0; 2], [0.0; 2]);
/// twice(buffer.as_slice(), [&mut a, &mut b])?;
/// assert_eq!((a, b), ([1.5, 2.0], [1.5, 2.0]));
/// # Ok::<(), ptyx::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no memory of {N} axes of `{U}` that copies can read",
    note = "host memory of several axes is a `HostView`, and a buffer's a `DeviceView`: `buffer.view(shape)`"
)]
pub trait CopySource<U, const N: usize>: sealed::Read<U, N> {}

impl<U, const N: usize, S: sealed::Read<U, N>> CopySource<U, N> for S {}

/// What [`copy`] and its relatives copy to: `N` axes of elements of type `T`, slowest first. [`CopySource`] lists all kinds.
///
/// ```
/// fn clear<const N: usize>(
///     zeros: impl ptyx::CopySource<u8, N>,
///     memory: impl ptyx::CopyTarget<u8, N>,
/// ) -> ptyx::Result<()> {
///     ptyx::copy(zeros, memory)
/// }
/// let mut buffer = ptyx::DeviceBuffer::filled(3, 7u8)?;
/// clear(&[0; 3], &mut buffer)?;
/// assert_eq!(buffer.to_vec()?, [0; 3]);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no memory of {N} axes of `{T}` that copies can write",
    note = "host memory of several axes is a `HostViewMut`, and a buffer's a `DeviceViewMut`: `buffer.view_mut(shape)`"
)]
pub trait CopyTarget<T, const N: usize>: sealed::Write<T, N> {}

impl<T, const N: usize, D: sealed::Write<T, N>> CopyTarget<T, N> for D {}

/// Copies all elements from one kind of memory to another of the same shape, by way of the host: after all work that writes
/// the source or uses the destination, and before this returns.
///
/// Where both are of devices, the methods that name the pair are faster, such as
/// [`DeviceSliceMut::copy_from_buffer_on`](crate::DeviceSliceMut::copy_from_buffer_on): they copy directly, and the host does not wait.
///
/// ```
/// use ptyx::{CudaArray, PitchedBuffer};
/// let image = CudaArray::<u8>::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
/// let mut corner = PitchedBuffer::<u8>::zeroed([1, 2])?;
/// ptyx::copy((&image, [1..2, 1..3]), &mut corner)?;
/// assert_eq!(corner.to_vec()?, [5, 6]);
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shapes`](crate::Error::Shapes), [`Error::OutOfBounds`](crate::Error::OutOfBounds); errors of earlier work. Nothing is written then.
pub fn copy<T: Copy, const N: usize>(
    from: impl CopySource<T, N>,
    to: impl CopyTarget<T, N>,
) -> Result<()> {
    transfer(&from, [0; N], to, None, |element| element)
}

/// [`copy`], but the host converts the elements, as [`ConvertTo`] says.
///
/// ```
/// use ptyx::{CudaArray, ManagedBuffer};
/// let levels = CudaArray::<u8>::from_slice(&[1, 200], [1, 2])?;
/// let mut managed = ManagedBuffer::<f32>::zeroed(2)?;
/// ptyx::copy_as(&levels, managed.view_mut([1, 2]))?;
/// assert_eq!(*managed, [1.0, 200.0]);
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// # Errors
/// As [`copy`].
pub fn copy_as<U: ConvertTo<T>, T: Copy, const N: usize>(
    from: impl CopySource<U, N>,
    to: impl CopyTarget<T, N>,
) -> Result<()> {
    transfer(&from, [0; N], to, None, ConvertTo::convert)
}

/// [`copy`] of the box of the source that begins at `first` and has the shape of the destination. It may extend beyond the
/// source: what lies outside is `outside`.
///
/// ```
/// use ptyx::{DeviceBuffer, PinnedBuffer};
/// let buffer = DeviceBuffer::from_slice(&[1, 2, 3])?;
/// let mut around = PinnedBuffer::<i32>::zeroed(5)?;
/// ptyx::copy_or(&buffer, [-1], &mut around, 9)?;
/// assert_eq!(*around, [9, 1, 2, 3, 9]);
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// # Errors
/// Errors of earlier work. Nothing is written then.
pub fn copy_or<T: Copy, const N: usize>(
    from: impl CopySource<T, N>,
    first: [isize; N],
    to: impl CopyTarget<T, N>,
    outside: T,
) -> Result<()> {
    transfer(&from, first, to, Some(outside), |element| element)
}

/// [`copy_or`], but the host converts the elements, as [`ConvertTo`] says.
///
/// ```
/// use ptyx::{CudaArray, PitchedBuffer};
/// let image = PitchedBuffer::from_slice(&[1u8, 2, 3, 4], [2, 2])?;
/// let mut padded = CudaArray::<f32>::zeroed([3, 3])?;
/// ptyx::copy_as_or(&image, [-1, 0], &mut padded, -0.5)?;
/// assert_eq!(padded.to_vec()?, [-0.5, -0.5, -0.5, 1.0, 2.0, -0.5, 3.0, 4.0, -0.5]);
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// # Errors
/// As [`copy_or`].
pub fn copy_as_or<U: ConvertTo<T>, T: Copy, const N: usize>(
    from: impl CopySource<U, N>,
    first: [isize; N],
    to: impl CopyTarget<T, N>,
    outside: T,
) -> Result<()> {
    transfer(&from, first, to, Some(outside), ConvertTo::convert)
}

/// Every copy of this module.
fn transfer<U, T: Copy, const N: usize>(
    from: &impl CopySource<U, N>,
    first: [isize; N],
    to: impl CopyTarget<T, N>,
    outside: Option<T>,
    convert: impl Fn(U) -> T,
) -> Result<()> {
    let (extents, shape) = (from.extents()?, to.extents()?);
    let read = |part| Ok::<_, crate::Error>(from.read(part)?.into_iter().map(&convert));
    let Some(outside) = outside else {
        same_shape("copying between two kinds of memory", shape, extents)?;
        let elements: Vec<T> = read(extents.map(|extent| 0..extent))?.collect();
        return to.write(&elements);
    };
    let mut elements = filled(shape, outside)?;
    if let Some([here, there]) = overlap(extents, first, shape) {
        HostViewMut::new(&mut elements, shape)?.part(there)?.write(read(here)?);
    }
    to.write(&elements)
}
