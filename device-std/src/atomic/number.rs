//! One atomic value.

use super::order::{Order, Scope, Unchosen, orders::Relaxed};
use super::types::AtomicValue;
use core::cell::UnsafeCell;
use core::fmt;
use core::marker::PhantomData;

/// A number in device or shared memory that threads change by atomic operations.
///
/// A kernel gets them from [`Atomics`](crate::Atomics) or
/// [`Shared::atomics`](crate::shared::Shared::atomics).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn sum(values: &[u32], total: Atomics<u32>) {
///     let total: &Atomic<u32> = &total[0];
///     for i in thread::grid_stride(values.len()) {
///         total.fetch_add(values[i.get()]);
///     }
/// }
/// ```
#[repr(transparent)]
pub struct Atomic<T>(UnsafeCell<T>);

// SAFETY: all access through a shared reference is atomic.
unsafe impl<T: AtomicValue> Sync for Atomic<T> {}

impl<T: AtomicValue> Atomic<T> {
    /// A new value, for tests on the host.
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let counter = Atomic::new(5u32);
    /// assert_eq!(counter.load(), 5);
    /// ```
    #[inline(always)]
    pub const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// The value as a pointer.
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let counter = Atomic::new(5u32);
    /// // SAFETY: no other thread uses the number.
    /// assert_eq!(unsafe { counter.as_ptr().read() }, 5);
    /// ```
    #[inline(always)]
    pub const fn as_ptr(&self) -> *mut T {
        self.0.get()
    }

    /// The same value, with operations that have this order and are atomic within this scope.
    ///
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::{Acquire, Release}, scopes::Block};
    ///
    /// /// Hands a value to a thread of the same block.
    /// fn send(value: &Atomic<f32>, flag: &Atomic<u32>) {
    ///     value.store(1.5);
    ///     flag.with(Release, Block).store(1);
    /// }
    ///
    /// /// The value, once it has arrived.
    /// fn receive(value: &Atomic<f32>, flag: &Atomic<u32>) -> f32 {
    ///     while flag.with(Acquire, Block).load() == 0 {}
    ///     value.load()
    /// }
    /// # let (value, flag) = (Atomic::new(0.0), Atomic::new(0));
    /// # send(&value, &flag);
    /// # assert_eq!(receive(&value, &flag), 1.5);
    /// ```
    #[inline(always)]
    pub const fn with<O: Order, S: Scope>(&self, order: O, scope: S) -> Ordered<'_, T, O, S> {
        let _ = (order, scope);
        Ordered { atomic: self, how: PhantomData }
    }

    /// The value in relaxed order for the device's threads, which is what the methods of `Atomic` do.
    #[inline(always)]
    pub(super) const fn relaxed(&self) -> Ordered<'_, T, Relaxed, Unchosen> {
        self.with(Relaxed, Unchosen)
    }
}

/// The types of `core`.
macro_rules! of_core {
    ($($type:ident $atomic:ident;)*) => {$(
        impl Atomic<$type> {
            #[doc = concat!("The same value for code that takes `core`'s `", stringify!($atomic), "`. Its operations have system")]
            /// scope.
            ///
            /// ```
            /// use core::sync::atomic::Ordering;
            /// use ptyx::device::Atomic;
            #[doc = concat!("let counter = Atomic::new(5 as ", stringify!($type), ");")]
            /// assert_eq!(counter.as_core().fetch_add(2, Ordering::AcqRel), 5);
            /// assert_eq!(counter.load(), 7);
            /// ```
            #[inline(always)]
            pub const fn as_core(&self) -> &core::sync::atomic::$atomic {
                // SAFETY: alive and aligned for as long as `self`, and both types only access it atomically.
                unsafe { core::sync::atomic::$atomic::from_ptr(self.as_ptr()) }
            }
        }
    )*};
}

of_core! {
    u8 AtomicU8;
    u16 AtomicU16;
    u32 AtomicU32;
    u64 AtomicU64;
    usize AtomicUsize;
    i8 AtomicI8;
    i16 AtomicI16;
    i32 AtomicI32;
    i64 AtomicI64;
    isize AtomicIsize;
}

impl Atomic<bool> {
    /// The same value for code that takes `core`'s `AtomicBool`. Its operations have system scope.
    ///
    /// ```
    /// use core::sync::atomic::Ordering;
    /// use ptyx::device::Atomic;
    /// let found = Atomic::new(false);
    /// assert!(!found.as_core().fetch_or(true, Ordering::AcqRel));
    /// assert!(found.load());
    /// ```
    #[inline(always)]
    pub const fn as_core(&self) -> &core::sync::atomic::AtomicBool {
        // SAFETY: alive and aligned for as long as `self`, and both types only access it atomically.
        unsafe { core::sync::atomic::AtomicBool::from_ptr(self.as_ptr()) }
    }
}

impl<T: 'static> Atomic<*mut T> {
    /// The same value for code that takes `core`'s `AtomicPtr`. Its operations have system scope.
    ///
    /// ```
    /// use core::{ptr, sync::atomic::Ordering};
    /// use ptyx::device::Atomic;
    /// let mut first = 5;
    /// let list = Atomic::new(ptr::null_mut());
    /// assert!(list.as_core().swap(&raw mut first, Ordering::AcqRel).is_null());
    /// assert_eq!(list.load(), &raw mut first);
    /// ```
    #[inline(always)]
    pub const fn as_core(&self) -> &core::sync::atomic::AtomicPtr<T> {
        // SAFETY: alive and aligned for as long as `self`, and both types only access it atomically.
        unsafe { core::sync::atomic::AtomicPtr::from_ptr(self.as_ptr()) }
    }
}

/// An atomic whose operations have the order `O` and the scope `S`, from [`Atomic::with`].
///
/// Its methods are those of [`Atomic`]. A load is [`Relaxed`](super::orders::Relaxed) or
/// [`Acquire`](super::orders::Acquire), a store [`Relaxed`](super::orders::Relaxed) or
/// [`Release`](super::orders::Release). A compare-exchange that fails has the order of `O` without its release
/// part.
///
/// ```
/// use ptyx::device::atomic::{Atomic, Ordered, orders::AcqRel, scopes::Block};
///
/// /// Takes one of the remaining tasks. What the thread that added it wrote is visible then.
/// fn take(left: Ordered<'_, u32, AcqRel, Block>) -> Option<u32> {
///     left.try_update(|left| left.checked_sub(1)).ok()
/// }
/// let left = Atomic::new(1);
/// assert_eq!(take(left.with(AcqRel, Block)), Some(1));
/// assert_eq!(take(left.with(AcqRel, Block)), None);
/// ```
pub struct Ordered<'a, T, O, S> {
    pub(super) atomic: &'a Atomic<T>,
    how: PhantomData<(O, S)>,
}

impl<T, O, S> Clone for Ordered<'_, T, O, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, O, S> Copy for Ordered<'_, T, O, S> {}

impl<T: AtomicValue + fmt::Debug, O, S> fmt::Debug for Ordered<'_, T, O, S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.atomic.fmt(formatter)
    }
}

impl<T: AtomicValue + fmt::Debug> fmt::Debug for Atomic<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.relaxed().load().fmt(formatter)
    }
}
