//! Pinned host memory that graphs copy from and to.

use super::pinned::{Held, PinnedBuffer, Staged};
use super::pitched::{PinnedView, PinnedViewMut};
use super::tracker::Access;
use super::view::IntoShape;
use crate::error::Result;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::slice;
use ptyx_device::DeviceCopy;
use std::sync::Arc;

/// An array of `T` in pinned host memory that graphs can copy from and to. It belongs to one device.
///
/// Copies take it wherever they take a [`PinnedBuffer`]. In a capture or in
/// [`Graph::add_node`](crate::Graph::add_node), the copy becomes a node of the graph.
/// [`GraphExec::set_node`](crate::GraphExec::set_node) lets the node copy from or to other memory. Graphs keep the
/// memory until their last launch is done, even if the `StagingBuffer` is dropped earlier.
///
/// A graph borrows nothing, so a `StagingBuffer` does not dereference to its elements. Instead
/// [`read`](StagingBuffer::read) and [`write`](StagingBuffer::write) wait for earlier launches, and return a guard that
/// gives access to the elements. While the guard exists, a launch that would conflict with it is an
/// [`Error::Graph`](crate::Error::Graph).
///
/// ```
/// use ptyx::{DeviceBuffer, Graph, StagingBuffer, Stream};
/// let (mut input, mut output) = (StagingBuffer::<u32>::zeroed(3)?, StagingBuffer::<u32>::zeroed(3)?);
/// let mut numbers = DeviceBuffer::<u32>::zeroed(3)?;
/// let mut graph = Graph::new()?;
/// graph.add_node(&[], |stream| numbers.copy_from_pinned_on(&input, stream))?;
/// graph.add_node(&[], |stream| numbers.copy_to_pinned_on(&mut output, stream))?; // after the first, because of `numbers`
/// let (exec, stream) = (graph.instantiate()?, Stream::new()?);
/// for round in 0..3 {
///     input.write().copy_from_slice(&[round, 2, 3]); // waits for the previous launch
///     exec.launch(&stream)?;
///     assert_eq!(output.read()[..], [round, 2, 3]); // waits for this launch
/// }
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct StagingBuffer<T> {
    memory: Arc<Staged<T>>,
}

impl<T: DeviceCopy> StagingBuffer<T> {
    /// `len` elements whose bytes are all 0, for the thread's device. This is a compile error for types that can't be all
    /// zeros, such as `NonZero`: use [`StagingBuffer::from_slice`] for them.
    ///
    /// ```
    /// assert_eq!(ptyx::StagingBuffer::<f32>::zeroed(3)?.read()[..], [0.0; 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PinnedBuffer::zeroed`].
    pub fn zeroed(len: usize) -> Result<StagingBuffer<T>> {
        Ok(StagingBuffer::new(PinnedBuffer::zeroed(len)?))
    }

    /// A copy of a slice, for the thread's device.
    ///
    /// ```
    /// assert_eq!(ptyx::StagingBuffer::from_slice(&[3, 1, 2])?.read()[..], [3, 1, 2]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PinnedBuffer::zeroed`].
    pub fn from_slice(from: &[T]) -> Result<StagingBuffer<T>> {
        Ok(StagingBuffer::new(PinnedBuffer::from_slice(from)?))
    }

    /// Pinned memory, such as a pinned vector or write-combined memory. Its device is the one that was the thread's
    /// current device when it was pinned.
    ///
    /// ```
    /// use ptyx::{PinnedBuffer, StagingBuffer};
    /// let staging = StagingBuffer::new(PinnedBuffer::from_vec(vec![1u8, 2])?);
    /// assert_eq!(staging.read()[..], [1, 2]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn new(pinned: PinnedBuffer<T>) -> StagingBuffer<T> {
        StagingBuffer { memory: Arc::new(Staged::new(pinned)) }
    }

    /// All elements as an array of `shape`, for copies of several dimensions and of parts. Does not wait.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, StagingBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let staging = StagingBuffer::from_slice(&[1, 2, 3, 4, 5, 6])?;
    /// let mut buffer = DeviceBuffer::<i32>::zeroed(2)?;
    /// buffer.copy_from_pinned_on(staging.view([6])?.part([3..5])?, &stream)?;
    /// assert_eq!(buffer.to_vec()?, [4, 5]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`](crate::Error::Shape) if the shape has another number of elements.
    pub fn view<const N: usize>(&self, shape: impl IntoShape<N>) -> Result<PinnedView<'_, T, N>> {
        PinnedView::of_staged(&self.memory, shape)
    }

    /// All elements as an array of `shape` that copies can write. Does not wait.
    ///
    /// ```
    /// use ptyx::{PitchedBuffer, StagingBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let mut staging = StagingBuffer::<u8>::zeroed(4)?;
    /// let image = PitchedBuffer::filled([2, 1], 7u8)?;
    /// image.view().copy_to_pinned_on(staging.view_mut([2, 2])?.part([0..2, 1..2])?, &stream)?;
    /// assert_eq!(staging.read()[..], [0, 7, 0, 7]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`StagingBuffer::view`].
    pub fn view_mut<const N: usize>(
        &mut self,
        shape: impl IntoShape<N>,
    ) -> Result<PinnedViewMut<'_, T, N>> {
        PinnedViewMut::of_staged(&self.memory, shape)
    }

    /// Waits for the copies that write the memory, and returns a guard that gives access to the elements. While it
    /// exists, a launch of a graph that writes the memory is an error. If a kernel fails, the next synchronisation
    /// returns the error.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, StagingBuffer, Stream};
    /// let (stream, buffer) = (Stream::new()?, DeviceBuffer::filled(3, 7u32)?);
    /// let mut staging = StagingBuffer::<u32>::zeroed(3)?;
    /// buffer.copy_to_pinned_on(&mut staging, &stream)?;
    /// assert_eq!(staging.read().iter().sum::<u32>(), 21); // waits for the copy
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Panics
    /// In a function that is given to [`Stream::on_host`](crate::Stream::on_host), if it would have to wait.
    pub fn read(&self) -> StagingRead<'_, T> {
        StagingRead { held: self.memory.hold(Access::Read) }
    }

    /// Waits for all copies that use the memory, and returns a guard that gives access to the elements. While it
    /// exists, a launch of a graph that uses the memory is an error. If a kernel fails, the next synchronisation
    /// returns the error.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Error, StagingBuffer, Stream};
    /// let (stream, mut buffer) = (Stream::new()?, DeviceBuffer::<u32>::zeroed(3)?);
    /// let mut staging = StagingBuffer::<u32>::zeroed(3)?;
    /// let exec = stream.capture(|s| buffer.copy_from_pinned_on(&staging, s))?.instantiate()?;
    /// let mut numbers = staging.write();
    /// numbers.fill(7);
    /// assert!(matches!(exec.launch(&stream), Err(Error::Graph { .. })));
    /// drop(numbers);
    /// exec.launch(&stream)?;
    /// assert_eq!(buffer.to_vec()?, [7; 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Panics
    /// As [`StagingBuffer::read`].
    pub fn write(&mut self) -> StagingWrite<'_, T> {
        StagingWrite { held: self.memory.hold(Access::Write), elements: PhantomData }
    }
}

impl<T> StagingBuffer<T> {
    /// The number of elements. Does not wait.
    ///
    /// ```
    /// assert_eq!(ptyx::StagingBuffer::from_slice(&[3, 1, 2])?.len(), 3);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.memory.buffer.len()
    }

    /// Whether there are no elements. Does not wait.
    ///
    /// ```
    /// assert!(ptyx::StagingBuffer::<u8>::zeroed(0)?.is_empty());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.memory.buffer.is_empty()
    }
}

impl<'a, T: DeviceCopy> From<&'a StagingBuffer<T>> for PinnedView<'a, T, 1> {
    fn from(staging: &'a StagingBuffer<T>) -> Self {
        PinnedView::line_of_staged(&staging.memory)
    }
}

impl<'a, T: DeviceCopy> From<&'a mut StagingBuffer<T>> for PinnedViewMut<'a, T, 1> {
    fn from(staging: &'a mut StagingBuffer<T>) -> Self {
        PinnedViewMut::line_of_staged(&staging.memory)
    }
}

impl<T> fmt::Debug for StagingBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StagingBuffer({} elements)", self.len())
    }
}

/// The elements of a [`StagingBuffer`], while the host reads them: the result of [`StagingBuffer::read`].
///
/// ```
/// use ptyx::{StagingBuffer, StagingRead};
/// let staging = StagingBuffer::from_slice(&[3, 1, 2])?;
/// let elements: StagingRead<'_, i32> = staging.read();
/// assert_eq!(elements.iter().max(), Some(&3));
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct StagingRead<'a, T> {
    held: Held<'a, T>,
}

impl<T> Deref for StagingRead<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        let (pointer, len) = self.held.memory.buffer.elements();
        // SAFETY: the memory holds so many values, and nothing writes it: what was to write it is done, a launch of a graph
        // that writes it is refused, and other copies to it need a mutable borrow.
        unsafe { slice::from_raw_parts(pointer, len) }
    }
}

impl<T: fmt::Debug> fmt::Debug for StagingRead<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// The elements of a [`StagingBuffer`], while the host changes them: the result of [`StagingBuffer::write`].
///
/// ```
/// use ptyx::{StagingBuffer, StagingWrite};
/// let mut staging = StagingBuffer::from_slice(&[3, 1, 2])?;
/// let mut elements: StagingWrite<'_, i32> = staging.write();
/// elements.sort();
/// assert_eq!(elements[..], [1, 2, 3]);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct StagingWrite<'a, T> {
    held: Held<'a, T>,
    elements: PhantomData<&'a mut [T]>,
}

impl<T> Deref for StagingWrite<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        let (pointer, len) = self.held.memory.buffer.elements();
        // SAFETY: as below.
        unsafe { slice::from_raw_parts(pointer, len) }
    }
}

impl<T> DerefMut for StagingWrite<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        let (pointer, len) = self.held.memory.buffer.elements();
        // SAFETY: the memory holds so many values, and nothing else uses it: what was to use it is done, a launch of a graph
        // that uses it is refused, and other copies need a borrow, while the buffer is borrowed mutably.
        unsafe { slice::from_raw_parts_mut(pointer, len) }
    }
}

impl<T: fmt::Debug> fmt::Debug for StagingWrite<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
