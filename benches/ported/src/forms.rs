//! The forms of a kernel: one body, compiled with different ways to access memory.
//!
//! `forms!` puts what it is given into three modules, each with its own meaning of a few words. So the forms
//! differ in nothing else, and a kernel reads like one that was written once:
//!
//! | word | is | `safe`, `narrow` | `unchecked` |
//! |---|---|---|---|
//! | `Ix` | what indices are calculated in | `usize`; `u32` | `usize` |
//! | `at!(x, i)`, `at!(x, i, j)` | an element of a slice or array | `x[i]` | `get_unchecked` |
//! | `put!(x, i, v)` | sets one of an array | `x[i] = v` | `get_unchecked_mut` |
//! | `pick!(x, i)`, `pick!(x, i, j)` | an element of an `Array` | `x[[i, j]]` | `get([i, j]).unwrap_unchecked()` |
//! | `own!(x, i)` | an own element of a `Disjoint`, a `Part` .. | `x[i]` | `get_mut(i).unwrap_unchecked()` |
//! | `cells!(T, v)` | shared memory for any access | `shared!(T).cells(v)` | `shared!(T)` |
//! | `get!(x, i)`, `set!(x, i, v)` | reads, sets one of the cells | `get`, `set` | the pointer |
//! | `bump!(x, i, v)`, `value!(x, i)`, `store!(x, i, v)` | adds to an atomic, loads, stores it | `x[i].fetch_add(v)` .. | `get_unchecked` |
//! | `atom!(x, i)` | an atomic, for other operations | `x[i]` | `get_unchecked` |
//!
//! `safe` and `narrow` are safe Rust. In `unchecked`, that threads don't race in plain shared memory is up to the author, as
//! in CUDA C++.

use ptyx::device::shared::Shared;

/// Compiles kernels in the modules `safe`, `unchecked` and `narrow`.
macro_rules! forms {
    (@ $form:ident $doc:literal $($item:tt)*) => {
        #[doc = $doc]
        #[allow(clippy::unnecessary_cast, clippy::needless_range_loop, clippy::manual_memcpy)]
        #[allow(clippy::too_many_arguments, unused_imports, unused_unsafe)]
        pub mod $form {
            use super::*;
            use crate::forms::$form::*;
            $($item)*
        }
    };
    ($($item:tt)*) => {
        forms! { @ safe "Every index is checked, and calculated in 64 bits." $($item)* }
        forms! { @ unchecked "No index is checked." $($item)* }
        forms! { @ narrow "Every index is checked, and calculated in 32 bits." $($item)* }
    };
}
pub(crate) use forms;

/// What `safe` and `narrow` share.
macro_rules! checked {
    ($index:ty) => {
        pub(crate) type Ix = $index;
        pub(crate) use crate::forms::{
            checked_at as at, checked_atom as atom, checked_bump as bump, checked_cells as cells,
            checked_get as get, checked_own as own, checked_pick as pick, checked_put as put,
            checked_set as set, checked_store as store, checked_value as value,
        };
    };
}

#[allow(unused_imports)]
pub(crate) mod safe {
    checked!(usize);
}

#[allow(unused_imports)]
pub(crate) mod narrow {
    checked!(u32);
}

#[allow(unused_imports)]
pub(crate) mod unchecked {
    pub(crate) type Ix = usize;
    pub(crate) use crate::forms::{
        unchecked_at as at, unchecked_atom as atom, unchecked_bump as bump,
        unchecked_cells as cells, unchecked_get as get, unchecked_own as own,
        unchecked_pick as pick, unchecked_put as put, unchecked_set as set,
        unchecked_store as store, unchecked_value as value,
    };
}

macro_rules! checked_at {
    ($x:expr $(, $i:expr)+) => { $x$([(($i) as Ix) as usize])+ };
}
macro_rules! checked_put {
    ($x:expr, $i:expr, $v:expr) => {
        $x[(($i) as Ix) as usize] = $v
    };
}
macro_rules! checked_bump {
    ($x:expr, $i:expr, $v:expr) => {
        $x[(($i) as Ix) as usize].fetch_add($v)
    };
}
#[allow(unused_macros)] // not every set has such operations
macro_rules! checked_atom {
    ($x:expr, $i:expr) => {
        $x[(($i) as Ix) as usize]
    };
}
macro_rules! checked_value {
    ($x:expr, $i:expr) => {
        $x[(($i) as Ix) as usize].load()
    };
}
#[allow(unused_macros)] // not every set has such operations
macro_rules! checked_store {
    ($x:expr, $i:expr, $v:expr) => {
        $x[(($i) as Ix) as usize].store($v)
    };
}
macro_rules! checked_pick {
    ($x:expr $(, $i:expr)+) => { $x[[$((($i) as Ix) as usize),+]] };
}
macro_rules! checked_own {
    ($x:expr, $i:expr) => {
        $x[$i]
    };
}
macro_rules! checked_cells {
    ($shape:ty, $v:expr) => {
        shared!($shape).cells($v)
    };
}
macro_rules! checked_get {
    ($x:expr, $i:expr) => {
        $x.get((($i) as Ix) as usize)
    };
    ($x:expr, $i:expr, $j:expr) => {
        $x.at((($i) as Ix) as usize).get((($j) as Ix) as usize)
    };
}
macro_rules! checked_set {
    ($x:expr, $i:expr, $v:expr) => {
        $x.set((($i) as Ix) as usize, $v)
    };
    ($x:expr, $i:expr, $j:expr, $v:expr) => {
        $x.at((($i) as Ix) as usize).set((($j) as Ix) as usize, $v)
    };
}
pub(crate) use {
    checked_at, checked_atom, checked_bump, checked_cells, checked_get, checked_own, checked_pick,
    checked_put, checked_set, checked_store, checked_value,
};

macro_rules! unchecked_at {
    ($x:expr, $i:expr) => {
        // SAFETY: every index of the kernel is in bounds: the checked form has run with the same.
        *unsafe { $x.get_unchecked((($i) as Ix) as usize) }
    };
    ($x:expr, $i:expr, $j:expr) => {
        at!(at!($x, $i), $j)
    };
}
macro_rules! unchecked_put {
    ($x:expr, $i:expr, $v:expr) => {
        // SAFETY: as for `at`.
        *unsafe { $x.get_unchecked_mut((($i) as Ix) as usize) } = $v
    };
}
macro_rules! unchecked_bump {
    ($x:expr, $i:expr, $v:expr) => {
        // SAFETY: as for `at`.
        unsafe { $x.get_unchecked((($i) as Ix) as usize) }.fetch_add($v)
    };
}
#[allow(unused_macros)] // not every set has such operations
macro_rules! unchecked_atom {
    ($x:expr, $i:expr) => {
        // SAFETY: as for `at`.
        unsafe { $x.get_unchecked((($i) as Ix) as usize) }
    };
}
macro_rules! unchecked_value {
    ($x:expr, $i:expr) => {
        // SAFETY: as for `at`.
        unsafe { $x.get_unchecked((($i) as Ix) as usize) }.load()
    };
}
#[allow(unused_macros)] // not every set has such operations
macro_rules! unchecked_store {
    ($x:expr, $i:expr, $v:expr) => {
        // SAFETY: as for `at`.
        unsafe { $x.get_unchecked((($i) as Ix) as usize) }.store($v)
    };
}
macro_rules! unchecked_pick {
    ($x:expr $(, $i:expr)+) => {
        // SAFETY: as for `at`.
        *unsafe { $x.get([$((($i) as Ix) as usize),+]).unwrap_unchecked() }
    };
}
macro_rules! unchecked_own {
    ($x:expr, $i:expr) => {
        // SAFETY: as for `at`.
        *unsafe { $x.get_mut($i).unwrap_unchecked() }
    };
}
macro_rules! unchecked_cells {
    ($shape:ty, $v:expr) => {
        shared!($shape)
    };
}
macro_rules! unchecked_get {
    ($x:expr, $i:expr) => {
        // SAFETY: as for `at`, and as for the checked form.
        unsafe { $crate::forms::first($x).add((($i) as Ix) as usize).read() }
    };
    ($x:expr, $i:expr, $j:expr) => {
        // SAFETY: as above.
        unsafe { $crate::forms::row($x, (($i) as Ix) as usize).add((($j) as Ix) as usize).read() }
    };
}
macro_rules! unchecked_set {
    ($x:expr, $i:expr, $v:expr) => {
        // SAFETY: as for `at`, and as for the checked form.
        unsafe { $crate::forms::first($x).add((($i) as Ix) as usize).write($v) }
    };
    ($x:expr, $i:expr, $j:expr, $v:expr) => {
        // SAFETY: as above.
        unsafe {
            $crate::forms::row($x, (($i) as Ix) as usize).add((($j) as Ix) as usize).write($v)
        }
    };
}
pub(crate) use {
    unchecked_at, unchecked_atom, unchecked_bump, unchecked_cells, unchecked_get, unchecked_own,
    unchecked_pick, unchecked_put, unchecked_set, unchecked_store, unchecked_value,
};

/// The first element of an array in shared memory.
#[inline(always)]
pub(crate) fn first<T, const N: usize>(array: Shared<[T; N]>) -> *mut T {
    array.as_mut_ptr().cast()
}

/// The first element of row `index`.
///
/// # Safety
/// There is such a row.
#[inline(always)]
pub(crate) unsafe fn row<T, const X: usize, const Y: usize>(
    array: Shared<[[T; X]; Y]>,
    index: usize,
) -> *mut T {
    // SAFETY: the caller's promise.
    unsafe { array.as_mut_ptr().cast::<[T; X]>().add(index).cast() }
}
