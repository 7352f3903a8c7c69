//! Managed memory that graphs use.

use super::allocation::Held;
use super::managed::ManagedBuffer;
use super::slice::{DeviceSlice, DeviceSliceMut};
use super::tracker::Access;
use super::view::{DeviceView, DeviceViewMut, IntoShape};
use core::fmt;
use core::ops::{Deref, DerefMut};
use core::slice;
use ptyx_device::DeviceCopy;

/// Managed memory that graphs can use: the host accesses its elements through guards.
///
/// Kernels, copies and fills take it wherever they take a [`ManagedBuffer`]. A graph borrows nothing of what it uses, so a
/// `GuardedBuffer` does not dereference to its elements. Instead [`read`](GuardedBuffer::read) and
/// [`write`](GuardedBuffer::write) wait for earlier work, launches of graphs included, and return a guard that gives access
/// to the elements. While the guard exists, a launch of a graph that would conflict with it is an
/// [`Error::Graph`](crate::Error::Graph). Graphs keep the memory until their last launch is done, even if the
/// `GuardedBuffer` is dropped earlier.
///
/// ```
/// use ptyx::{DeviceBuffer, Error, GuardedBuffer, ManagedBuffer, Stream};
/// let stream = Stream::new()?;
/// let mut numbers = GuardedBuffer::new(ManagedBuffer::from_slice(&[1u32, 2, 3])?);
/// let mut copy = DeviceBuffer::<u32>::zeroed(3)?;
/// let exec = stream.capture(|stream| copy.copy_from_buffer_on(&numbers, stream))?.instantiate()?;
/// for round in 0..3 {
///     numbers.write()[0] = round; // waits for the previous launch
///     exec.launch(&stream)?;
///     assert_eq!(copy.to_vec()?, [round, 2, 3]);
/// }
/// let held = numbers.write();
/// assert!(matches!(exec.launch(&stream), Err(Error::Graph { .. })));
/// drop(held);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct GuardedBuffer<T> {
    managed: ManagedBuffer<T>,
}

impl<T: DeviceCopy> GuardedBuffer<T> {
    /// Wraps managed memory. The advice that it was given stays, and so does who may use it.
    ///
    /// ```
    /// use ptyx::{GuardedBuffer, ManagedBuffer};
    /// let numbers = GuardedBuffer::new(ManagedBuffer::filled(3, 0.5f32)?);
    /// assert_eq!(numbers.read()[..], [0.5; 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn new(managed: ManagedBuffer<T>) -> GuardedBuffer<T> {
        managed.allocation().guard();
        GuardedBuffer { managed }
    }

    /// All elements, for copies and kernels. Does not wait.
    ///
    /// ```
    /// use ptyx::{GuardedBuffer, ManagedBuffer};
    /// let numbers = GuardedBuffer::new(ManagedBuffer::from_slice(&[1, 2, 3])?);
    /// assert_eq!(numbers.as_slice().slice(1..).to_vec()?, [2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn as_slice(&self) -> DeviceSlice<'_, T> {
        self.managed.as_slice()
    }

    /// All elements, for fills, copies and kernels that write them. Does not wait.
    ///
    /// ```
    /// use ptyx::{GuardedBuffer, ManagedBuffer};
    /// let mut numbers = GuardedBuffer::new(ManagedBuffer::from_slice(&[1, 2, 3])?);
    /// numbers.as_slice_mut().slice_mut(1..).fill(7)?;
    /// assert_eq!(numbers.read()[..], [1, 7, 7]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn as_slice_mut(&mut self) -> DeviceSliceMut<'_, T> {
        self.managed.as_slice_mut()
    }

    /// A view of `shape`: [`DeviceSlice::view`].
    ///
    /// ```
    /// use ptyx::{GuardedBuffer, ManagedBuffer};
    /// let numbers = GuardedBuffer::new(ManagedBuffer::filled(6, 1u32)?);
    /// assert_eq!(numbers.view([2, 3]).shape(), [2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn view<const N: usize>(&self, shape: impl IntoShape<N>) -> DeviceView<'_, T, N> {
        self.managed.view(shape)
    }

    /// A view of `shape` for writing: [`DeviceSliceMut::view_mut`].
    ///
    /// ```
    /// use ptyx::{GuardedBuffer, ManagedBuffer};
    /// let mut numbers = GuardedBuffer::new(ManagedBuffer::filled(6, 1u32)?);
    /// assert_eq!(numbers.view_mut([3, 2]).shape(), [3, 2]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn view_mut<const N: usize>(
        &mut self,
        shape: impl IntoShape<N>,
    ) -> DeviceViewMut<'_, T, N> {
        self.managed.view_mut(shape)
    }

    /// Waits for what writes the memory, and returns a guard that gives access to the elements. While it exists, a launch of a
    /// graph that writes the memory is an error. If a kernel fails, the next synchronisation returns the error.
    ///
    /// ```
    /// use ptyx::{GuardedBuffer, ManagedBuffer};
    /// let mut numbers = GuardedBuffer::new(ManagedBuffer::<u32>::zeroed(3)?);
    /// numbers.as_slice_mut().fill(7)?;
    /// assert_eq!(numbers.read().iter().sum::<u32>(), 21); // waits for the fill
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Panics
    /// In a function that is given to [`Stream::on_host`](crate::Stream::on_host), if it would have to wait.
    pub fn read(&self) -> GuardedRead<'_, T> {
        GuardedRead { _held: self.managed.allocation().hold(Access::Read), memory: self }
    }

    /// Waits for all that uses the memory, and returns a guard that gives access to the elements. While it exists, a launch of
    /// a graph that uses the memory is an error. If a kernel fails, the next synchronisation returns the error.
    ///
    /// ```
    /// use ptyx::{GuardedBuffer, ManagedBuffer};
    /// let mut numbers = GuardedBuffer::new(ManagedBuffer::from_slice(&[3, 1, 2])?);
    /// numbers.write().sort();
    /// assert_eq!(numbers.as_slice().to_vec()?, [1, 2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Panics
    /// As [`GuardedBuffer::read`].
    pub fn write(&mut self) -> GuardedWrite<'_, T> {
        let memory = &*self;
        let pointer = memory.managed.pointer();
        let held = memory.managed.allocation().hold(Access::Write);
        // SAFETY: the memory holds so many values, and nothing else uses it: what was to use it is done, a launch of a graph
        // that uses it is refused, and other work needs a borrow, while the buffer is borrowed mutably.
        let elements = unsafe { slice::from_raw_parts_mut(pointer, memory.len()) };
        GuardedWrite { _held: held, elements }
    }
}

impl<T> GuardedBuffer<T> {
    /// The number of elements. Does not wait.
    ///
    /// ```
    /// use ptyx::{GuardedBuffer, ManagedBuffer};
    /// assert_eq!(GuardedBuffer::new(ManagedBuffer::<u32>::zeroed(3)?).len(), 3);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.managed.len()
    }

    /// Whether there are no elements. Does not wait.
    ///
    /// ```
    /// use ptyx::{GuardedBuffer, ManagedBuffer};
    /// assert!(GuardedBuffer::new(ManagedBuffer::<u32>::zeroed(0)?).is_empty());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.managed.is_empty()
    }

    /// The index of the device that allocated it: [`ManagedBuffer::device_index`].
    ///
    /// ```
    /// use ptyx::{Device, GuardedBuffer, ManagedBuffer};
    /// let numbers = GuardedBuffer::new(ManagedBuffer::<u32>::zeroed(3)?);
    /// assert_eq!(numbers.device_index(), Device::current()?.index());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn device_index(&self) -> u32 {
        self.managed.device_index()
    }
}

impl<'a, T: DeviceCopy> From<&'a GuardedBuffer<T>> for DeviceSlice<'a, T> {
    fn from(guarded: &'a GuardedBuffer<T>) -> Self {
        guarded.as_slice()
    }
}

impl<'a, T: DeviceCopy> From<&'a mut GuardedBuffer<T>> for DeviceSliceMut<'a, T> {
    fn from(guarded: &'a mut GuardedBuffer<T>) -> Self {
        guarded.as_slice_mut()
    }
}

impl<T> fmt::Debug for GuardedBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GuardedBuffer({} elements)", self.len())
    }
}

/// The elements of a [`GuardedBuffer`], while the host reads them: the result of [`GuardedBuffer::read`].
///
/// ```
/// use ptyx::{GuardedBuffer, GuardedRead, ManagedBuffer};
/// let numbers = GuardedBuffer::new(ManagedBuffer::from_slice(&[3, 1, 2])?);
/// let elements: GuardedRead<'_, i32> = numbers.read();
/// assert_eq!(elements.iter().max(), Some(&3));
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct GuardedRead<'a, T> {
    _held: Held<'a>,
    memory: &'a GuardedBuffer<T>,
}

impl<T> Deref for GuardedRead<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        let managed = &self.memory.managed;
        // SAFETY: the memory holds so many values, and nothing writes it: what was to write it is done, a launch of a graph
        // that writes it is refused, and other work that does needs a mutable borrow.
        unsafe { slice::from_raw_parts(managed.pointer(), managed.len()) }
    }
}

impl<T: fmt::Debug> fmt::Debug for GuardedRead<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// The elements of a [`GuardedBuffer`], while the host changes them: the result of [`GuardedBuffer::write`].
///
/// ```
/// use ptyx::{GuardedBuffer, GuardedWrite, ManagedBuffer};
/// let mut numbers = GuardedBuffer::new(ManagedBuffer::from_slice(&[3, 1, 2])?);
/// let mut elements: GuardedWrite<'_, i32> = numbers.write();
/// elements.sort();
/// assert_eq!(elements[..], [1, 2, 3]);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct GuardedWrite<'a, T> {
    _held: Held<'a>,
    elements: &'a mut [T],
}

impl<T> Deref for GuardedWrite<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.elements
    }
}

impl<T> DerefMut for GuardedWrite<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.elements
    }
}

impl<T: fmt::Debug> fmt::Debug for GuardedWrite<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
