//! Which argument of a launch an error is about.

use super::Error;
use core::fmt;

/// An argument of a launch.
///
/// ```
/// use ptyx::{Error, prelude::*};
///
/// #[kernel]
/// fn add(a: Array<f32, 2>, mut sum: Parts<f32, (by::ThreadY, by::ThreadX), 2>) {
///     for (row, own) in sum.part() {
///         for (column, sum) in own {
///             *sum += a[[row, column]];
///         }
///     }
/// }
///
/// # fn launch() -> ptyx::Result<()> {
/// let (a, mut sum) = (DeviceBuffer::<f32>::zeroed(6)?, DeviceBuffer::<f32>::zeroed(6)?);
/// let launched = launch!(add<<<1, (8, 8)>>>(a.view([2, 3]), sum.view_mut([3, 3])));
/// let Err(Error::Shape { argument: Some(argument), .. }) = launched else { unreachable!() };
/// assert_eq!(argument.number, 2);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Argument {
    /// The kernel.
    pub kernel: String,
    /// The place of the launch.
    pub site: String,
    /// The argument's number, from 1.
    pub number: usize,
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Argument { kernel, site, number } = self;
        write!(f, "argument {number} of {kernel}, launched at {site}")
    }
}

impl Error {
    /// The same error, about an argument, if it can say so.
    #[cold]
    pub(crate) fn of_argument(
        mut self,
        number: usize,
        launch: impl FnOnce() -> (String, String),
    ) -> Error {
        if let Error::Shape { argument, .. } | Error::OutOfBounds { argument, .. } = &mut self {
            let (kernel, site) = launch();
            *argument = Some(Box::new(Argument { kernel, site, number }));
        }
        self
    }
}
