//! How a launch's argument finds its way to [`KernelArg`](super::KernelArg) without annotations.
//!
//! The macros write `(&&&Slot::new(argument)).pass()`. Method lookup tries the three traits in the
//! order of their references: types with their own rules first, then whatever can be copied byte
//! by byte, then nothing that can be passed.

use super::args::{ByValue, HostArg, Passable, Unsupported};
use core::cell::Cell;

/// Holds an argument on its way.
pub struct Slot<T>(Cell<Option<T>>);

impl<T> Slot<T> {
    /// Takes the argument in.
    #[inline]
    pub const fn new(argument: T) -> Slot<T> {
        Slot(Cell::new(Some(argument)))
    }

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

impl<T: HostArg> PassArg for &&Slot<T> {
    type Arg = T;

    #[inline]
    fn pass(&self) -> T {
        self.take()
    }
}

/// Arguments that are copied byte by byte: closures, structs, arrays.
pub trait PassByValue {
    /// The argument.
    type Arg;
    /// Takes the argument out.
    fn pass(&self) -> Self::Arg;
}

impl<T: Copy + 'static> PassByValue for &Slot<T> {
    type Arg = ByValue<T>;

    #[inline]
    fn pass(&self) -> ByValue<T> {
        ByValue(self.take())
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

impl<T> PassUnsupported for Slot<T> {
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
