//! What a kernel writes, and what it should have written.

use crate::Error;
use ptyx::prelude::*;
use std::cell::{RefCell, RefMut};

/// A buffer that kernels write, with the host's result.
#[derive(Debug)]
pub struct Output<T> {
    buffer: RefCell<DeviceBuffer<T>>,
    initial: Vec<T>,
    want: Vec<T>,
    tolerance: f64,
}

/// An output of any type.
pub trait Outcome {
    /// Puts back what was there before any kernel ran.
    ///
    /// # Errors
    /// Those of the copy.
    fn reset(&self) -> Result<(), Error>;

    /// Compares the buffer with the host's result.
    ///
    /// # Errors
    /// The first element that differs.
    fn check(&self) -> Result<(), Error>;
}

/// A number that a kernel writes.
pub trait Number: DeviceCopy + PartialEq + std::fmt::Display {
    /// As `f64`.
    fn wide(self) -> f64;
}

macro_rules! numbers {
    ($($type:ident)*) => {$(
        impl Number for $type {
            fn wide(self) -> f64 {
                self.into()
            }
        }
    )*};
}
numbers! { u8 i8 u16 i16 i32 u32 f32 f64 }

macro_rules! long_numbers {
    ($($type:ident)*) => {$(
        impl Number for $type {
            fn wide(self) -> f64 {
                self as f64
            }
        }
    )*};
}
long_numbers! { i64 u64 }

impl<T: Number> Output<T> {
    /// A buffer that holds `initial` before a launch and must hold `want` after it.
    pub(crate) fn new(initial: &[T], want: Vec<T>) -> Result<Output<T>, Error> {
        if initial.len() != want.len() {
            return Err(format!("{} elements, not {}", initial.len(), want.len()).into());
        }
        let buffer = RefCell::new(DeviceBuffer::from_slice(initial)?);
        Ok(Output { buffer, initial: initial.to_vec(), want, tolerance: 0.0 })
    }

    /// Lets elements differ by `tolerance`, relative to the larger of what they should be and 1.
    pub(crate) fn within(mut self, tolerance: f64) -> Output<T> {
        self.tolerance = tolerance;
        self
    }

    /// Where the buffer is, for a twin.
    pub(crate) fn address(&self) -> u64 {
        self.buffer.borrow().device_address()
    }

    /// The buffer, for a launch.
    pub(crate) fn buffer(&self) -> RefMut<'_, DeviceBuffer<T>> {
        self.buffer.borrow_mut()
    }
}

impl<T: Number> Outcome for Output<T> {
    fn reset(&self) -> Result<(), Error> {
        Ok(self.buffer().copy_from_slice(&self.initial)?)
    }

    fn check(&self) -> Result<(), Error> {
        let got = self.buffer().to_vec()?;
        for (i, (&got, &want)) in got.iter().zip(&self.want).enumerate() {
            let (x, y) = (got.wide(), want.wide());
            // NaN is close to nothing, so it must be wanted. 64-bit integers that differ may be equal as `f64`.
            let close = self.tolerance > 0.0 && (x - y).abs() <= self.tolerance * y.abs().max(1.0);
            if !(close || got == want || (x.is_nan() && y.is_nan())) {
                return Err(format!("element {i} is {got}, not {want}").into());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_found() {
        let output = Output::new(&[1.0f32, f32::NAN], vec![1.0, 2.0]).unwrap().within(1e-3);
        assert_eq!(output.check().unwrap_err().to_string(), "element 1 is NaN, not 2");
        output.buffer().copy_from_slice(&[1.0, 2.001]).unwrap();
        output.check().unwrap();
        output.buffer().copy_from_slice(&[1.0, 2.01]).unwrap();
        output.check().unwrap_err();
        output.reset().unwrap();
        output.check().unwrap_err();
    }

    #[test]
    fn the_lowest_bit_of_a_word_counts() {
        let output = Output::new(&[u64::MAX - 1], vec![u64::MAX]).unwrap();
        output.check().unwrap_err();
    }
}
