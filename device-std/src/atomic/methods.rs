//! The operations of one atomic value (PTX ISA, [`atom`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom)).
//!
//! Every device that Ptyx supports has them (`sm_70`), some by compare-exchange: [`crate::atomic`] says which.
//! The exceptions are `u128` and `i128` (exchanges: `sm_90`) and scopes of clusters.

use super::number::{Atomic, Ordered};
use super::order::{LoadOrder, Order, Scope, StoreOrder, orders::Relaxed};
use super::types::{AtomicBits, AtomicCount, AtomicNumber, AtomicValue};

/// Writes each method twice, each with its documentation: for [`Atomic`], and for [`Ordered`]. The bounds stand at the
/// methods, so that an error is about the order or the type, not about a method that does not exist.
macro_rules! methods {
    ($bound:ident, $order:ident: $(
        $(#[$attribute:meta])*
        fn $name:ident($this:ident $(, $argument:ident: $type:ty)*) $(-> $result:ty)?;
        $(#[$ordered:meta])*
        ordered $body:block
    )*) => {
        impl<T: AtomicValue> Atomic<T> {$(
            $(#[$attribute])*
            #[inline(always)]
            pub fn $name(&self $(, $argument: $type)*) $(-> $result)?
            where
                T: $bound,
            {
                self.relaxed().$name($($argument),*)
            }
        )*}

        impl<T: AtomicValue, O, S> Ordered<'_, T, O, S> {$(
            #[doc = concat!("As [`Atomic::", stringify!($name), "`], with order `O` and scope `S`.")]
            ///
            $(#[$ordered])*
            #[inline(always)]
            pub fn $name(self $(, $argument: $type)*) $(-> $result)?
            where
                T: $bound,
                O: $order,
                S: Scope,
            {
                let $this = self.atomic.as_ptr();
                $body
            }
        )*}
    };
}

methods! { AtomicValue, LoadOrder:
    /// The current value.
    ///
    /// PTX [`ld.relaxed`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-ld) (`sm_70`).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// assert_eq!(Atomic::new(1.5f32).load(), 1.5);
    /// ```
    fn load(this) -> T;
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::Acquire, scopes::Gpu};
    /// let flag = Atomic::new(1u32);
    /// while flag.with(Acquire, Gpu).load() == 0 {}
    /// // What another thread wrote before it released the flag is visible now.
    /// ```
    ordered {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::load::<(O, S)>(this) }
    }
}

methods! { AtomicValue, StoreOrder:
    /// Sets the value.
    ///
    /// PTX [`st.relaxed`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-st) (`sm_70`).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let flag = Atomic::new(0u32);
    /// flag.store(1);
    /// assert_eq!(flag.load(), 1);
    /// ```
    fn store(this, value: T);
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::Release, scopes::Gpu};
    /// let flag = Atomic::new(0u32);
    /// flag.with(Release, Gpu).store(1); // a thread that acquires this sees what was written before
    /// assert_eq!(flag.load(), 1);
    /// ```
    ordered {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::store::<(O, S)>(this, value) }
    }
}

methods! { AtomicValue, Order:
    /// Sets the value and returns the previous value.
    ///
    /// PTX [`atom.exch`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom) (`sm_70`; of 128 bits `sm_90`).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let owner = Atomic::new(0u32);
    /// assert_eq!(owner.swap(7), 0);
    /// assert_eq!(owner.load(), 7);
    /// ```
    #[doc(alias = "atomicExch")]
    fn swap(this, value: T) -> T;
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::AcqRel, scopes::Block};
    /// let mailbox = Atomic::new(0u32);
    /// // Leaves a message for the block and takes the one that was there.
    /// assert_eq!(mailbox.with(AcqRel, Block).swap(7), 0);
    /// ```
    ordered {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::swap::<(O, S)>(this, value) }
    }

    /// Sets the value to `new` if it is `current`, bit for bit; returns the previous value, as
    /// `Ok` if it was set.
    ///
    /// PTX [`atom.cas`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom) (`sm_70`; of 128 bits `sm_90`).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let owner = Atomic::new(0u32);
    /// assert_eq!(owner.compare_exchange(0, 7), Ok(0)); // it was free, and is 7 now
    /// assert_eq!(owner.compare_exchange(0, 9), Err(7)); // it is taken
    /// ```
    ///
    /// # Errors
    /// The value, if it was not `current`.
    #[doc(alias = "atomicCAS")]
    fn compare_exchange(this, current: T, new: T) -> Result<T, T>;
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::Acquire, scopes::Gpu};
    /// let lock = Atomic::new(0u32);
    /// assert_eq!(lock.with(Acquire, Gpu).compare_exchange(0, 1), Ok(0)); // what the lock protects is visible now
    /// ```
    ///
    /// # Errors
    /// The value, if it was not `current`.
    ordered {
        // SAFETY: the pointer of a live atomic.
        let before = unsafe { T::compare_exchange::<(O, S)>(this, current, new) };
        if before.same_bits(current) { Ok(before) } else { Err(before) }
    }

    /// As [`compare_exchange`](Self::compare_exchange), under the name that loops use. The device has no weaker
    /// instruction, so this never fails spuriously.
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let least = Atomic::new(5.5f32);
    /// let mut seen = least.load();
    /// while 2.5 < seen {
    ///     match least.compare_exchange_weak(seen, 2.5) {
    ///         Ok(_) => break,
    ///         Err(other) => seen = other,
    ///     }
    /// }
    /// assert_eq!(least.load(), 2.5);
    /// ```
    ///
    /// # Errors
    /// The value, if it was not `current`.
    fn compare_exchange_weak(this, current: T, new: T) -> Result<T, T>;
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::Acquire, scopes::Block};
    /// let lock = Atomic::new(0u32);
    /// while lock.with(Acquire, Block).compare_exchange_weak(0, 1).is_err() {}
    /// assert_eq!(lock.load(), 1);
    /// ```
    ///
    /// # Errors
    /// The value, if it was not `current`.
    ordered {
        // SAFETY: the pointer of a live atomic.
        let before = unsafe { T::compare_exchange::<(O, S)>(this, current, new) };
        if before.same_bits(current) { Ok(before) } else { Err(before) }
    }
}

methods! { AtomicNumber, Order:
    /// Adds, wrapping in integers, and returns the previous value.
    ///
    /// PTX [`atom.add`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom) (`sm_70`).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let next = Atomic::new(0u32);
    /// assert_eq!(next.fetch_add(4), 0); // places 0 to 3 are this thread's
    /// assert_eq!(next.fetch_add(4), 4);
    /// ```
    #[doc(alias = "atomicAdd")]
    fn fetch_add(this, value: T) -> T;
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::AcqRel, scopes::Gpu};
    /// let arrived = Atomic::new(3u32);
    /// // The last of four blocks sees what the others wrote.
    /// assert_eq!(arrived.with(AcqRel, Gpu).fetch_add(1), 4 - 1);
    /// ```
    ordered {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::add::<(O, S)>(this, value) }
    }

    /// Subtracts, wrapping in integers, and returns the previous value.
    ///
    /// PTX [`atom.add`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom) of the negated value (`sm_70`).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let left = Atomic::new(3i32);
    /// assert_eq!(left.fetch_sub(1), 3);
    /// assert_eq!(left.load(), 2);
    /// ```
    #[doc(alias = "atomicSub")]
    fn fetch_sub(this, value: T) -> T;
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::Release, scopes::Gpu};
    /// let readers = Atomic::new(2u32);
    /// readers.with(Release, Gpu).fetch_sub(1); // this reader is done: its reads come first
    /// assert_eq!(readers.load(), 1);
    /// ```
    ordered {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::add::<(O, S)>(this, value.negated()) }
    }
}

methods! { AtomicBits, Order:
    /// Sets the value to its bitwise AND with another and returns the previous value.
    ///
    /// PTX [`atom.and`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom) (`sm_70`).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let flags = Atomic::new(0b111u32);
    /// assert_eq!(flags.fetch_and(!0b010), 0b111); // clears a bit
    /// assert_eq!(flags.load(), 0b101);
    /// ```
    #[doc(alias = "atomicAnd")]
    fn fetch_and(this, value: T) -> T;
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::Acquire, scopes::Block};
    /// let ready = Atomic::new(0b111u32);
    /// // Clears the first warp's flag. What that warp wrote is visible now.
    /// assert_eq!(ready.with(Acquire, Block).fetch_and(!0b001), 0b111);
    /// ```
    ordered {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::and::<(O, S)>(this, value) }
    }

    /// Sets the value to its bitwise OR with another and returns the previous value.
    ///
    /// PTX [`atom.or`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom) (`sm_70`).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let flags = Atomic::new(0b100u32);
    /// assert_eq!(flags.fetch_or(0b001), 0b100); // sets a bit
    /// assert_eq!(flags.load(), 0b101);
    /// ```
    #[doc(alias = "atomicOr")]
    fn fetch_or(this, value: T) -> T;
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::Release, scopes::Block};
    /// let ready = Atomic::new(0b100u32);
    /// ready.with(Release, Block).fetch_or(0b001); // the first warp's values are written
    /// assert_eq!(ready.load(), 0b101);
    /// ```
    ordered {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::or::<(O, S)>(this, value) }
    }

    /// Sets the value to its bitwise exclusive OR with another and returns the previous value.
    ///
    /// PTX [`atom.xor`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom) (`sm_70`).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let flags = Atomic::new(0b100u32);
    /// assert_eq!(flags.fetch_xor(0b101), 0b100); // flips bits
    /// assert_eq!(flags.load(), 0b001);
    /// ```
    #[doc(alias = "atomicXor")]
    fn fetch_xor(this, value: T) -> T;
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::AcqRel, scopes::Cluster};
    /// let turn = Atomic::new(0u32);
    /// assert_eq!(turn.with(AcqRel, Cluster).fetch_xor(1), 0); // now it is the other block's turn
    /// ```
    ordered {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::xor::<(O, S)>(this, value) }
    }
}

methods! { AtomicNumber, Order:
    /// Sets the value to the lesser of it and another and returns the previous value.
    ///
    /// Floats are compared as by IEEE 754's `minimumNumber`: -0 is less than 0, and a NaN only stays or is stored if
    /// both are NaN. Halves of pairs (`F16x2`) are compared on their own.
    ///
    /// PTX [`atom.min`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom)
    /// for integers of 32 and 64 bits, and of their bits for `f32` and `f64`; for pairs in global memory from `sm_90`
    /// on, `atom.min.noftz.v2.f16`. Otherwise compare-exchanges.
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let least = Atomic::new(i32::MAX);
    /// for value in [3, -7, 5] {
    ///     least.fetch_min(value);
    /// }
    /// assert_eq!(least.load(), -7);
    ///
    /// let least = Atomic::new(f32::NAN);
    /// for value in [0.0, f32::NAN, -0.0] {
    ///     least.fetch_min(value);
    /// }
    /// assert_eq!(least.load().to_bits(), (-0.0f32).to_bits());
    /// ```
    #[doc(alias = "atomicMin")]
    fn fetch_min(this, value: T) -> T;
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::Relaxed, scopes::Block};
    /// let least = Atomic::new(5i32);
    /// least.with(Relaxed, Block).fetch_min(-2); // only this block's threads use it
    /// assert_eq!(least.load(), -2);
    /// ```
    ordered {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::min::<(O, S)>(this, value) }
    }

    /// Sets the value to the greater of it and another and returns the previous value.
    ///
    /// Floats are compared as by IEEE 754's `maximumNumber`: 0 is greater than -0, and a NaN only stays or is stored if
    /// both are NaN. Halves of pairs (`F16x2`) are compared on their own.
    ///
    /// PTX [`atom.max`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom)
    /// for integers of 32 and 64 bits, and of their bits for `f32` and `f64`; for pairs in global memory from `sm_90`
    /// on, `atom.max.noftz.v2.f16`. Otherwise compare-exchanges.
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let greatest = Atomic::new(0u64);
    /// for value in [3, 7, 5] {
    ///     greatest.fetch_max(value);
    /// }
    /// assert_eq!(greatest.load(), 7);
    ///
    /// let greatest = Atomic::new(-0.5f64);
    /// for value in [-2.0, f64::NAN, 1.5] {
    ///     greatest.fetch_max(value);
    /// }
    /// assert_eq!(greatest.load(), 1.5);
    /// ```
    #[doc(alias = "atomicMax")]
    fn fetch_max(this, value: T) -> T;
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::Relaxed, scopes::System};
    /// let progress = Atomic::new(5u64);
    /// progress.with(Relaxed, System).fetch_max(8); // other devices and the host may use it, too
    /// assert_eq!(progress.load(), 8);
    /// ```
    ordered {
        // SAFETY: the pointer of a live atomic.
        unsafe { T::max::<(O, S)>(this, value) }
    }
}

impl<T: AtomicValue> Atomic<T> {
    /// Sets the value to what `change` makes of it, retrying if another thread changes it meanwhile;
    /// returns the previous value.
    ///
    /// A loop around PTX [`atom.cas`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom) (`sm_70`).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let product = Atomic::new(6.0f32);
    /// assert_eq!(product.fetch_update(|value| value * 1.5), 6.0);
    /// assert_eq!(product.load(), 9.0);
    /// ```
    #[inline(always)]
    pub fn fetch_update(&self, change: impl FnMut(T) -> T) -> T {
        self.relaxed().fetch_update(change)
    }

    /// Sets the value to what `change` makes of it, unless that is `None`, retrying if another thread
    /// changes it meanwhile; returns the previous value, as `Ok` if it was changed.
    ///
    /// A loop around PTX [`atom.cas`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom) (`sm_70`).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let left = Atomic::new(1u32);
    /// let take = |left: u32| left.checked_sub(1);
    /// assert_eq!(left.try_update(take), Ok(1));
    /// assert_eq!(left.try_update(take), Err(0)); // nothing is left
    /// ```
    ///
    /// # Errors
    /// The value for which `change` returned `None`.
    #[inline(always)]
    pub fn try_update(&self, change: impl FnMut(T) -> Option<T>) -> Result<T, T> {
        self.relaxed().try_update(change)
    }
}

impl<T: AtomicValue, O: Order, S: Scope> Ordered<'_, T, O, S> {
    /// As [`Atomic::fetch_update`]. The value passed to `change` is read with scope `S`; the order `O` applies when
    /// the value is changed.
    ///
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::Release, scopes::Block};
    /// let queue = Atomic::new(0b0001u32);
    /// // Sets the next bit. A thread that acquires it sees what was written before.
    /// assert_eq!(queue.with(Release, Block).fetch_update(|bits| bits << 1 | 1), 0b0001);
    /// assert_eq!(queue.load(), 0b0011);
    /// ```
    #[inline(always)]
    pub fn fetch_update(self, mut change: impl FnMut(T) -> T) -> T {
        match self.try_update(|value| Some(change(value))) {
            Ok(before) | Err(before) => before,
        }
    }

    /// As [`Atomic::try_update`].
    ///
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::Acquire, scopes::Gpu};
    /// let ready = Atomic::new(1u32);
    /// // Takes one of the items that are ready. Its contents are visible then.
    /// let take = || ready.with(Acquire, Gpu).try_update(|ready| ready.checked_sub(1));
    /// assert_eq!((take(), take()), (Ok(1), Err(0)));
    /// ```
    ///
    /// # Errors
    /// The value for which `change` returned `None`.
    #[inline(always)]
    pub fn try_update(self, mut change: impl FnMut(T) -> Option<T>) -> Result<T, T> {
        // SAFETY: the pointer of a live atomic.
        let mut current = unsafe { T::load::<(Relaxed, S)>(self.atomic.as_ptr()) };
        while let Some(new) = change(current) {
            match self.compare_exchange(current, new) {
                Ok(before) => return Ok(before),
                Err(other) => current = other,
            }
        }
        Err(current)
    }
}

macro_rules! counts {
    ($(
        $(#[$attribute:meta])*
        fn $name:ident = $operation:ident;
        $(#[$ordered:meta])*
        ordered;
    )*) => {
        impl<T: AtomicCount> Atomic<T> {$(
            $(#[$attribute])*
            #[inline(always)]
            pub fn $name(&self, limit: T) -> T {
                self.relaxed().$name(limit)
            }
        )*}

        impl<T: AtomicCount, O: Order, S: Scope> Ordered<'_, T, O, S> {$(
            #[doc = concat!("As [`Atomic::", stringify!($name), "`], with order `O` and scope `S`.")]
            ///
            $(#[$ordered])*
            #[inline(always)]
            pub fn $name(self, limit: T) -> T {
                // SAFETY: the pointer of a live atomic.
                unsafe { T::$operation::<(O, S)>(self.atomic.as_ptr(), limit) }
            }
        )*}
    };
}

counts! {
    /// Counts up to `limit`, then starts at 0 again: sets `if value >= limit { 0 } else { value + 1 }`
    /// and returns the previous value.
    ///
    /// PTX [`atom.inc`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom) for
    /// `u32`, a loop around `atom.cas` for other types (`sm_70`).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let slot = Atomic::new(0);
    /// let taken: Vec<u32> = (0..5).map(|_| slot.fetch_inc(2)).collect();
    /// assert_eq!(taken, [0, 1, 2, 0, 1]);
    /// ```
    #[doc(alias = "atomicInc")]
    fn fetch_inc = inc;
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::AcqRel, scopes::Gpu};
    /// let arrived = Atomic::new(3u32);
    /// // The last of four blocks sees what the others wrote, and the count is ready for the next round.
    /// assert_eq!(arrived.with(AcqRel, Gpu).fetch_inc(3), 3);
    /// assert_eq!(arrived.load(), 0);
    /// ```
    ordered;

    /// Counts down to 0, then starts at `limit` again: sets `if value == 0 || value > limit { limit }
    /// else { value - 1 }` and returns the previous value.
    ///
    /// PTX [`atom.dec`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom) for
    /// `u32`, a loop around `atom.cas` for other types (`sm_70`).
    ///
    /// ```
    /// use ptyx::device::Atomic;
    /// let slot = Atomic::new(1);
    /// let taken: Vec<u32> = (0..5).map(|_| slot.fetch_dec(2)).collect();
    /// assert_eq!(taken, [1, 0, 2, 1, 0]);
    /// ```
    #[doc(alias = "atomicDec")]
    fn fetch_dec = dec;
    /// ```
    /// use ptyx::device::atomic::{Atomic, orders::Acquire, scopes::Block};
    /// let slot = Atomic::new(0u16);
    /// assert_eq!(slot.with(Acquire, Block).fetch_dec(7), 0); // backwards through a ring of eight slots
    /// assert_eq!(slot.load(), 7);
    /// ```
    ordered;
}
