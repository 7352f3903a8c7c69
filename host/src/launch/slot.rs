//! How a launch's argument gets to [`KernelArg`](super::KernelArg) without annotations.
//!
//! The macros write `(&&&&&Slot::new(argument)).pass()`. Method lookup tries five traits, ordered by their
//! number of references: first types with their own rules, then types whose layout both passes compare,
//! then other types that are `Copy + Send`, then types that are `Copy` but not `Send`, and then all other
//! types. The last two are errors, each with its own message.
//!
//! An argument that is passed by value must be `Send`, not `Sync`: each thread of the kernel gets a copy, as
//! in a program that copies a `Copy + Send` value and sends the copies to threads. A `&'static Cell<T>` is
//! refused, because it would be `Send` only if `Cell` were `Sync`.
//!
//! A launch marked `unsafe` can pass more, because its author vouches for what the kernel does with the
//! argument. The macros write [`Unchecked::slot`] there, and `Copy + 'static` is enough.
#![doc(hidden)]

use super::args::{ByValue, HostArg, OfLayout, Passable, Unsupported};
use core::cell::Cell;
use core::marker::PhantomData;
use ptyx_device::DeviceCopy;

/// Holds an argument on its way; `C` says whether the launch is a safe one.
pub struct Slot<T, C = Checked>(Cell<Option<T>>, PhantomData<C>);

/// Marks an argument of a safe launch.
#[derive(Clone, Copy, Debug)]
pub struct Checked;

/// Marks an argument of a launch marked `unsafe`.
#[derive(Clone, Copy, Debug)]
pub struct Unchecked(());

impl<T> Slot<T> {
    /// Takes the argument of a safe launch in.
    #[inline]
    pub const fn new(argument: T) -> Slot<T> {
        Slot(Cell::new(Some(argument)), PhantomData)
    }
}

impl Unchecked {
    /// For a launch marked `unsafe`.
    ///
    /// # Safety
    /// If an argument is not `Send`, the kernel must only use it in ways that are sound for many threads
    /// which run concurrently with the host's.
    #[inline]
    #[must_use]
    pub const unsafe fn new() -> Self {
        Self(())
    }

    /// Takes the argument of an `unsafe` launch in.
    #[inline]
    pub const fn slot<T>(self, argument: T) -> Slot<T, Unchecked> {
        Slot(Cell::new(Some(argument)), PhantomData)
    }
}

impl<T, C> Slot<T, C> {
    #[inline]
    fn take(&self) -> T {
        match self.0.take() {
            Some(argument) => argument,
            // The macros call `pass` once for each slot.
            None => unreachable!("an argument is passed once"),
        }
    }
}

/// Arguments with rules of their own: numbers, buffers, views, tuples of them.
pub trait PassArg {
    /// The argument.
    type Arg;
    /// Takes the argument out.
    fn pass(&self) -> Self::Arg;
}

impl<T: HostArg, C> PassArg for &&&&Slot<T, C> {
    type Arg = T;

    #[inline]
    fn pass(&self) -> T {
        self.take()
    }
}

/// Arguments that are passed as their bytes, and whose layout both passes compare.
pub trait PassElement {
    /// The argument.
    type Arg;
    /// Takes the argument out.
    fn pass(&self) -> Self::Arg;
}

impl<T: DeviceCopy + Send> PassElement for &&&Slot<T> {
    type Arg = OfLayout<T>;

    #[inline]
    fn pass(&self) -> OfLayout<T> {
        OfLayout(self.take())
    }
}

impl<T: DeviceCopy> PassElement for &&&Slot<T, Unchecked> {
    type Arg = OfLayout<T>;

    #[inline]
    fn pass(&self) -> OfLayout<T> {
        OfLayout(self.take())
    }
}

/// Arguments that are passed as their bytes: closures, structs, arrays.
pub trait PassByValue {
    /// The argument.
    type Arg;
    /// Takes the argument out.
    fn pass(&self) -> Self::Arg;
}

impl<T: Copy + Send + 'static> PassByValue for &&Slot<T> {
    type Arg = ByValue<T>;

    #[inline]
    fn pass(&self) -> ByValue<T> {
        ByValue(self.take())
    }
}

impl<T: Copy + 'static> PassByValue for &&Slot<T, Unchecked> {
    type Arg = ByValue<T>;

    #[inline]
    fn pass(&self) -> ByValue<T> {
        ByValue(self.take())
    }
}

/// Arguments that are `Copy` but not `Send`: rustc says why not.
pub trait PassToThreads {
    /// The argument's type.
    type Value;
    /// The argument.
    type Arg;
    /// Takes the argument out.
    fn pass(&self) -> Self::Arg
    where
        Self::Value: Send;
}

impl<T: Copy> PassToThreads for &Slot<T> {
    type Value = T;
    type Arg = Unsupported<T>;

    #[inline]
    fn pass(&self) -> Unsupported<T>
    where
        T: Send,
    {
        Unsupported(self.take())
    }
}

/// Everything else: the launch does not compile, and says why.
pub trait PassUnsupported {
    /// The argument's type.
    type Value;
    /// The argument.
    type Arg;
    /// Takes the argument out.
    fn pass(&self) -> Self::Arg
    where
        Self::Value: Passable;
}

impl<T, C> PassUnsupported for Slot<T, C> {
    type Value = T;
    type Arg = Unsupported<T>;

    #[inline]
    fn pass(&self) -> Unsupported<T>
    where
        T: Passable,
    {
        Unsupported(self.take())
    }
}
