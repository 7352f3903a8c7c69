//! The operations of atomics: an instruction on the device, a loop of compare-and-exchange on the
//! host, whose closure says what the instruction does. The host's have the strongest order.

use super::order::How;
#[cfg(ptyx_device)]
use super::types::sealed::Operation;
use super::types::sealed::{Bits, Count, Number, Value};
use super::types::{AtomicBits, AtomicCount, AtomicInteger, AtomicNumber, AtomicValue};
#[cfg(ptyx_device)]
use crate::intrinsics;

/// Replaces a word by what `change` makes of it and returns the one before.
#[cfg(not(ptyx_device))]
macro_rules! on_the_host {
    ($atomic:ident, $this:expr, $change:expr) => {{
        use core::sync::atomic::{Ordering::SeqCst, $atomic};
        // SAFETY: the caller of the operation gives a pointer valid for atomic access.
        let word = unsafe { $atomic::from_ptr($this.cast()) };
        let mut before = word.load(SeqCst);
        while let Err(other) = word.compare_exchange_weak(before, $change(before), SeqCst, SeqCst) {
            before = other;
        }
        before
    }};
}

/// Implements [`Value`] by words of the same size.
///
/// `$to` and `$from` turn a value into its word and back.
macro_rules! value {
    ($(@of $parameter:ident)? $type:ty as $word:ty, $atomic:ident, $to:expr, $from:expr;
     $load:ident $store:ident $swap:ident $cas:ident) => {
        // SAFETY: the operations are atomic.
        unsafe impl$(<$parameter: 'static>)? AtomicValue for $type {}

        impl$(<$parameter: 'static>)? Value for $type {
            #[inline(always)]
            unsafe fn load<H: How>(this: *mut Self) -> Self {
                #[cfg(ptyx_device)]
                // SAFETY: as the caller's.
                let word = unsafe { intrinsics::$load(this.cast(), H::HOW) };
                #[cfg(not(ptyx_device))]
                let word = on_the_host!($atomic, this, |before| before);
                $from(word)
            }

            #[inline(always)]
            unsafe fn store<H: How>(this: *mut Self, value: Self) {
                #[cfg(ptyx_device)]
                // SAFETY: as the caller's.
                unsafe {
                    intrinsics::$store(this.cast(), $to(value), H::HOW)
                };
                #[cfg(not(ptyx_device))]
                on_the_host!($atomic, this, |_| $to(value));
            }

            #[inline(always)]
            unsafe fn swap<H: How>(this: *mut Self, value: Self) -> Self {
                #[cfg(ptyx_device)]
                // SAFETY: as the caller's.
                let word = unsafe { intrinsics::$swap(this.cast(), $to(value), H::HOW) };
                #[cfg(not(ptyx_device))]
                let word = on_the_host!($atomic, this, |_| $to(value));
                $from(word)
            }

            #[inline(always)]
            unsafe fn compare_exchange<H: How>(this: *mut Self, current: Self, new: Self) -> Self {
                #[cfg(ptyx_device)]
                // SAFETY: as the caller's.
                let word = unsafe { intrinsics::$cas(this.cast(), $to(current), $to(new), H::HOW) };
                #[cfg(not(ptyx_device))]
                let word = on_the_host!($atomic, this, |before| {
                    if before == $to(current) { $to(new) } else { before }
                });
                $from(word)
            }

            #[inline(always)]
            fn same_bits(self, other: Self) -> bool {
                $to(self) == $to(other)
            }
        }
    };
}

/// Implements [`Number`] and [`Bits`] for an integer: for each operation its intrinsic and what it does.
macro_rules! integer {
    ($type:ident as $word:ident, $atomic:ident;
     $load:ident $store:ident $swap:ident $cas:ident $add:ident $and:ident $or:ident $xor:ident
     $min:ident $max:ident) => {
        value! { $type as $word, $atomic, (|value: $type| value as $word), (|word: $word| word as $type);
                 $load $store $swap $cas }

        // SAFETY: the operations are atomic.
        unsafe impl AtomicNumber for $type {}

        impl Number for $type {
            integer! { @operation add $add $type $word $atomic $type::wrapping_add }
            integer! { @operation min $min $type $word $atomic Ord::min }
            integer! { @operation max $max $type $word $atomic Ord::max }

            #[inline(always)]
            fn negated(self) -> Self {
                self.wrapping_neg()
            }
        }

        // SAFETY: the operations are atomic.
        unsafe impl AtomicInteger for $type {}
        // SAFETY: the operations are atomic.
        unsafe impl AtomicBits for $type {}

        impl Bits for $type {
            integer! { @operation and $and $type $word $atomic (|a: $type, b: $type| a & b) }
            integer! { @operation or $or $type $word $atomic (|a: $type, b: $type| a | b) }
            integer! { @operation xor $xor $type $word $atomic (|a: $type, b: $type| a ^ b) }
        }
    };
    (@operation $method:ident $intrinsic:ident $type:ident $word:ident $atomic:ident $values:expr) => {
        #[inline(always)]
        unsafe fn $method<H: How>(this: *mut Self, value: Self) -> Self {
            #[cfg(ptyx_device)]
            // SAFETY: as the caller's.
            return unsafe { intrinsics::$intrinsic(this.cast(), value as _, H::HOW) as Self };
            #[cfg(not(ptyx_device))]
            {
                on_the_host!($atomic, this, |before: $word| $values(before as $type, value) as $word)
                    as Self
            }
        }
    };
}

/// Rows: types of one word, with their minimum and maximum.
macro_rules! integers {
    ($([$($type:ident $min:ident $max:ident),*] as $word:ident, $atomic:ident: $intrinsics:tt)*) => {
        $($(integers! { @one $type $min $max $word $atomic $intrinsics })*)*
    };
    (@one $type:ident $min:ident $max:ident $word:ident $atomic:ident [$($intrinsic:ident)*]) => {
        integer! { $type as $word, $atomic; $($intrinsic)* $min $max }
    };
}

integers! {
    [u8 atomic_min_u8 atomic_max_u8, i8 atomic_min_i8 atomic_max_i8] as u8, AtomicU8:
        [atomic_load_u8 atomic_store_u8 atomic_exchange_u8 atomic_cas_u8
         atomic_add_u8 atomic_and_u8 atomic_or_u8 atomic_xor_u8]
    [u16 atomic_min_u16 atomic_max_u16, i16 atomic_min_i16 atomic_max_i16] as u16, AtomicU16:
        [atomic_load_u16 atomic_store_u16 atomic_exchange_u16 atomic_cas_u16
         atomic_add_u16 atomic_and_u16 atomic_or_u16 atomic_xor_u16]
    [u32 atomic_min_u32 atomic_max_u32, i32 atomic_min_i32 atomic_max_i32] as u32, AtomicU32:
        [atomic_load_u32 atomic_store_u32 atomic_exchange_u32 atomic_cas_u32
         atomic_add_u32 atomic_and_u32 atomic_or_u32 atomic_xor_u32]
    [u64 atomic_min_u64 atomic_max_u64, i64 atomic_min_i64 atomic_max_i64,
     usize atomic_min_u64 atomic_max_u64, isize atomic_min_i64 atomic_max_i64] as u64, AtomicU64:
        [atomic_load_u64 atomic_store_u64 atomic_exchange_u64 atomic_cas_u64
         atomic_add_u64 atomic_and_u64 atomic_or_u64 atomic_xor_u64]
}

/// Replaces the value by what `change` makes of it, by compare-exchanges; returns the one before.
///
/// # Safety
/// The pointer is valid for atomic access.
#[inline(always)]
pub(super) unsafe fn retry<T: Value + Copy, H: How>(this: *mut T, change: impl Fn(T) -> T) -> T {
    // SAFETY: the caller's promise.
    unsafe {
        let mut before = T::load::<H::Relaxed>(this);
        loop {
            let now = T::compare_exchange::<H>(this, before, change(before));
            if now.same_bits(before) {
                return now;
            }
            before = now;
        }
    }
}

/// What instructions do to 2, 4 or 8 neighbours at once, `has_vectors` and `change_vector` of [`Number`]. NVIDIA's
/// assembler makes a `red` of an `atom` whose results are not used.
macro_rules! vectors {
    ($word:ty, $operations:tt: $($count:literal $form:literal $indices:tt;)*) => {
        #[cfg(ptyx_device)]
        #[inline(always)]
        fn has_vectors(operation: Operation, count: usize) -> bool {
            (false $(|| count == $count)*) && vectors!(@has operation $operations)
        }

        #[cfg(ptyx_device)]
        #[inline(always)]
        unsafe fn change_vector<H: How>(
            operation: Operation,
            this: *mut Self,
            values: *mut Self,
            count: usize,
        ) {
            // SAFETY: the caller's promise; a register is as large as an element.
            unsafe {
                match count {
                    $($count => {
                        let values: *mut [$word; $count] = values.cast();
                        let (from, mut to): ([$word; $count], [$word; $count]) = (values.read(), [0; $count]);
                        vectors!(@each $operations operation this from to $form $indices);
                        values.write(to);
                    })*
                    _ => (),
                }
            }
        }
    };
    (@has $operation:ident [$($name:ident $instruction:literal),*]) => {
        (false $(|| $operation == Operation::$name)*)
    };
    (@each [$($name:ident $instruction:literal),*] $operation:ident $this:ident $from:ident $to:ident $form:literal
     $indices:tt) => {
        match $operation {
            $(Operation::$name => vectors!(@one $instruction $this $from $to $form $indices),)*
            #[allow(unreachable_patterns)]
            _ => (),
        }
    };
    (@one $instruction:literal $this:ident $from:ident $to:ident $form:literal
     [$first:literal $($index:literal)*]) => {
        core::arch::asm!(
            "//__ptyx_ptx arch=sm_90 ptx=81",
            "{{ .reg .b64 %at; cvta.to.global.u64 %at, {at};",
            concat!(
                "atom.__ptyx_word_{how}_.global.", $instruction, $form,
                " {{{}", $(vectors!(@place $index),)* "}}, [%at], {{{}", $(vectors!(@place $index),)* "}}; }}"
            ),
            lateout(reg) $to[$first],
            $(lateout(reg) $to[$index],)*
            in(reg) $from[$first],
            $(in(reg) $from[$index],)*
            at = in(reg) $this,
            how = const H::WORD,
            options(nostack, preserves_flags),
        )
    };
    (@place $index:literal) => { ", {}" };
}

/// Implements [`Number`] for floats: the intrinsic that adds, with the type that it takes, and the least
/// architecture that has it. Before that, additions are retried.
macro_rules! float {
    ($type:ident as $word:ident, $atomic:ident, $to:expr, $from:expr;
     $load:ident $store:ident $swap:ident $cas:ident;
     $add:ident $into:expr, $outof:expr, from $least:literal; $($others:tt)*) => {
        value! { $type as $word, $atomic, $to, $from; $load $store $swap $cas }

        // SAFETY: the operations are atomic.
        unsafe impl AtomicNumber for $type {}

        impl Number for $type {
            #[inline(always)]
            unsafe fn add<H: How>(this: *mut Self, value: Self) -> Self {
                #[cfg(ptyx_device)]
                // SAFETY: as the caller's.
                unsafe {
                    if $least <= 70 || crate::arch_at_least!($least) {
                        return $outof(intrinsics::$add(this.cast(), $into(value), H::HOW));
                    }
                    retry::<Self, H>(this, |before| before + value)
                }
                #[cfg(not(ptyx_device))]
                $from(on_the_host!($atomic, this, |before: $word| $to($from(before) + value)))
            }

            #[inline(always)]
            fn negated(self) -> Self {
                -self
            }

            $($others)*
        }
    };
}

/// Minimum and maximum of floats by those of their bits. As signed integers, the bits of positive numbers are in the
/// order of the numbers, and those of negative numbers are less. As unsigned integers, the bits of negative numbers are in
/// the opposite order, and those of positive numbers are less.
///
/// A NaN in memory is beyond all numbers on one side, where it would stay: compare-exchanges replace it. A NaN as the
/// value is passed as the integer that changes nothing.
macro_rules! extremes {
    ($type:ident as $word:ident = $signed:ident, $atomic:ident:
     $(fn $method:ident, stays if $sign:literal, $nothing:expr, $of_positive:ident, $of_negative:ident, $pick:ident;)*) => {$(
        #[inline(always)]
        unsafe fn $method<H: How>(this: *mut Self, value: Self) -> Self {
            #[cfg(ptyx_device)]
            // SAFETY: as the caller's.
            unsafe {
                let bits = if value.is_nan() { $nothing } else { value.to_bits() };
                let before = if bits as $signed >= 0 {
                    intrinsics::$of_positive(this.cast(), bits as $signed, H::HOW) as $word
                } else {
                    intrinsics::$of_negative(this.cast(), bits, H::HOW)
                };
                let before = $type::from_bits(before);
                if before.is_nan() && before.is_sign_negative() == $sign && !value.is_nan() {
                    return retry::<Self, H>(this, |before| $pick!(before, value));
                }
                before
            }
            #[cfg(not(ptyx_device))]
            $type::from_bits(on_the_host!($atomic, this, |before: $word| {
                let before = $type::from_bits(before);
                $pick!(before, value).to_bits()
            }))
        }
    )*};
}

/// IEEE 754's `minimumNumber`.
macro_rules! lesser {
    ($a:expr, $b:expr) => {{
        let (a, b) = ($a, $b);
        if a.is_nan() || (!b.is_nan() && b.total_cmp(&a).is_lt()) { b } else { a }
    }};
}

/// IEEE 754's `maximumNumber`.
macro_rules! greater {
    ($a:expr, $b:expr) => {{
        let (a, b) = ($a, $b);
        if a.is_nan() || (!b.is_nan() && b.total_cmp(&a).is_gt()) { b } else { a }
    }};
}

float! { f32 as u32, AtomicU32, f32::to_bits, f32::from_bits;
atomic_load_u32 atomic_store_u32 atomic_exchange_u32 atomic_cas_u32;
atomic_add_f32 f32::from, f32::from, from 70;
extremes! { f32 as u32 = i32, AtomicU32:
    fn min, stays if true, i32::MAX as u32, atomic_min_i32, atomic_max_u32, lesser;
    fn max, stays if false, u32::MAX, atomic_max_i32, atomic_min_u32, greater; }
vectors! { u32, [Add "add"]: 2 ".v2.f32" [0 1]; 4 ".v4.f32" [0 1 2 3]; } }
float! { f64 as u64, AtomicU64, f64::to_bits, f64::from_bits;
atomic_load_u64 atomic_store_u64 atomic_exchange_u64 atomic_cas_u64;
atomic_add_f64 f64::from, f64::from, from 70;
extremes! { f64 as u64 = i64, AtomicU64:
    fn min, stays if true, i64::MAX as u64, atomic_min_i64, atomic_max_u64, lesser;
    fn max, stays if false, u64::MAX, atomic_max_i64, atomic_min_u64, greater; } }
#[cfg(all(feature = "half", not(ptyx_device)))]
pub(super) use on_the_host;
#[cfg(feature = "half")]
pub(super) use {float, value, vectors};

// SAFETY: the operations are atomic.
unsafe impl AtomicCount for u32 {}

/// `atom.inc` and `atom.dec`.
macro_rules! wrapping_counts {
    ($($method:ident $intrinsic:ident $after:ident;)*) => {
        impl Count for u32 {$(
            #[inline(always)]
            unsafe fn $method<H: How>(this: *mut u32, limit: u32) -> u32 {
                #[cfg(ptyx_device)]
                // SAFETY: as the caller's.
                return unsafe { intrinsics::$intrinsic(this, limit, H::HOW) };
                #[cfg(not(ptyx_device))]
                on_the_host!(AtomicU32, this, |before| $after!(before, limit))
            }
        )*}

        counts_by_loops! { u8 u16 u64 usize: $($method $after;)* }
    };
}

/// The same where there is no such instruction.
macro_rules! counts_by_loops {
    ($type:ident $($types:ident)*: $($method:ident $after:ident;)*) => {
        // SAFETY: the operations are atomic.
        unsafe impl AtomicCount for $type {}

        impl Count for $type {$(
            #[inline(always)]
            unsafe fn $method<H: How>(this: *mut Self, limit: Self) -> Self {
                // SAFETY: as the caller's.
                unsafe { retry::<Self, H>(this, |before| $after!(before, limit)) }
            }
        )*}

        counts_by_loops! { $($types)*: $($method $after;)* }
    };
    (: $($rest:tt)*) => {};
}

macro_rules! after_inc {
    ($before:expr, $limit:expr) => {
        if $before >= $limit { 0 } else { $before + 1 }
    };
}

macro_rules! after_dec {
    ($before:expr, $limit:expr) => {
        if $before == 0 || $before > $limit { $limit } else { $before - 1 }
    };
}

wrapping_counts! {
    inc atomic_inc_u32 after_inc;
    dec atomic_dec_u32 after_dec;
}

value! { bool as u8, AtomicU8, u8::from, (|word: u8| word != 0);
atomic_load_u8 atomic_store_u8 atomic_exchange_u8 atomic_cas_u8 }

// SAFETY: the operations are atomic.
unsafe impl AtomicBits for bool {}

/// The operations on the byte, which stays 0 or 1.
macro_rules! of_byte {
    ($($method:ident)*) => {$(
        #[inline(always)]
        unsafe fn $method<H: How>(this: *mut Self, value: Self) -> Self {
            // SAFETY: as the caller's.
            unsafe { <u8 as Bits>::$method::<H>(this.cast(), value.into()) != 0 }
        }
    )*};
}

impl Bits for bool {
    of_byte! { and or xor }
}

value! { @of T *mut T as u64, AtomicU64, (|pointer: *mut T| pointer.expose_provenance() as u64),
(|word: u64| core::ptr::with_exposed_provenance_mut(word as usize));
atomic_load_u64 atomic_store_u64 atomic_exchange_u64 atomic_cas_u64 }
value! { @of T *const T as u64, AtomicU64, (|pointer: *const T| pointer.expose_provenance() as u64),
(|word: u64| core::ptr::with_exposed_provenance(word as usize));
atomic_load_u64 atomic_store_u64 atomic_exchange_u64 atomic_cas_u64 }

/// Runs `change` on the number at `this`, for which `core` has no atomic type; returns the number from before.
#[cfg(not(ptyx_device))]
fn locked(this: *mut u128, change: impl Fn(u128) -> u128) -> u128 {
    use core::sync::atomic::{AtomicBool, Ordering};
    static LOCK: AtomicBool = AtomicBool::new(false);
    while LOCK.swap(true, Ordering::Acquire) {
        core::hint::spin_loop();
    }
    // SAFETY: a live atomic, which is only used here, one at a time.
    let before = unsafe { this.replace(change(this.read())) };
    LOCK.store(false, Ordering::Release);
    before
}

/// Implements [`Value`] by the intrinsics for `u128`, and on the host by what is to be stored.
macro_rules! wide {
    ($($type:ident)*) => {$(
        // SAFETY: the operations are atomic.
        unsafe impl AtomicValue for $type {}

        impl Value for $type {
            wide! { @operations
                load() atomic_load_u128 |before| before;
                swap(value) atomic_exchange_u128 |_| value;
                compare_exchange(current, new) atomic_cas_u128 |before| {
                    if before == current { new } else { before }
                };
            }

            #[inline(always)]
            unsafe fn store<H: How>(this: *mut Self, value: Self) {
                #[cfg(ptyx_device)]
                // SAFETY: as the caller's.
                unsafe {
                    intrinsics::atomic_store_u128(this.cast(), value as u128, H::HOW)
                };
                #[cfg(not(ptyx_device))]
                locked(this.cast(), |_| value as u128);
            }

            #[inline(always)]
            fn same_bits(self, other: Self) -> bool {
                self == other
            }
        }
    )*};
    (@operations $($method:ident($($argument:ident),*) $intrinsic:ident $change:expr;)*) => {$(
        #[inline(always)]
        unsafe fn $method<H: How>(this: *mut Self $(, $argument: Self)*) -> Self {
            $(let $argument = $argument as u128;)*
            #[cfg(ptyx_device)]
            // SAFETY: as the caller's.
            return unsafe { intrinsics::$intrinsic(this.cast(), $($argument,)* H::HOW) as Self };
            #[cfg(not(ptyx_device))]
            return locked(this.cast(), $change) as Self;
        }
    )*};
}
wide! { u128 i128 }
