//! Questions about a launch, which the host answers, so that a kernel need not check its indices.

use serde::{Deserialize, Serialize};

use crate::layout::Layout;

/// The most numbers that a proof is about.
pub const MAX_NUMBERS: usize = 32;

/// A condition on a launch under which some of its kernel's checks can't fail: no sum of products is negative.
///
/// A kernel that has one takes the answer, a `u32` that is 0 or 1, as the parameter behind its [limits](crate::Limit).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// The numbers that products refer to.
    pub numbers: Vec<Number>,
    /// The sums.
    pub sums: Vec<Vec<Product>>,
}

/// An unsigned number that the launch knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Number {
    /// An integer in an argument.
    Argument {
        /// Index into [`Kernel::args`](crate::Kernel::args).
        arg: u32,
        /// Byte offset inside the argument.
        offset: u32,
        /// Bytes: 1, 2, 4 or 8.
        size: u32,
    },
    /// The grid's extent along an axis, in blocks.
    Blocks(u8),
    /// A block's extent along an axis, in threads.
    Threads(u8),
}

/// A product of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Product {
    /// The coefficient.
    pub count: i64,
    /// Indices into [`Proof::numbers`].
    pub factors: Vec<u8>,
}

impl Proof {
    /// Whether the condition holds, where `value` returns the value of a number. It does not if anything overflows an `i64`.
    #[inline]
    pub fn holds(&self, value: impl Fn(&Number) -> u64) -> bool {
        let mut numbers = self.numbers.iter();
        self.holds_for(|| numbers.next().map_or(0, &value))
    }

    /// The same, where `next` returns the values of the numbers one after the other.
    #[inline]
    pub fn holds_for(&self, mut next: impl FnMut() -> u64) -> bool {
        let mut values = [0; MAX_NUMBERS];
        for place in values.iter_mut().take(self.numbers.len()) {
            match i64::try_from(next()) {
                Ok(value) => *place = value,
                Err(_) => return false,
            }
        }
        let product = |product: &Product| {
            let mut factors = product.factors.iter();
            factors.try_fold(product.count, |all, &index| all.checked_mul(values[index as usize]))
        };
        let sum = |products: &Vec<Product>| {
            let mut products = products.iter();
            products.try_fold(0i64, |all, one| all.checked_add(product(one)?))
        };
        self.sums.iter().all(|one| sum(one).is_some_and(|sum| sum >= 0))
    }

    /// Whether all indices and places are inside a kernel's arguments.
    pub(crate) fn is_whole(&self, args: &[Layout]) -> bool {
        let is_number = |number: &Number| match *number {
            Number::Argument { arg, offset, size } => {
                let inside = args
                    .get(arg as usize)
                    .is_some_and(|arg| u64::from(offset) + u64::from(size) <= u64::from(arg.size));
                matches!(size, 1 | 2 | 4 | 8) && inside
            }
            Number::Blocks(axis) | Number::Threads(axis) => axis < 3,
        };
        let mut factors = self.sums.iter().flatten().flat_map(|product| &product.factors);
        self.numbers.len() <= MAX_NUMBERS
            && self.numbers.iter().all(is_number)
            && factors.all(|index| usize::from(*index) < self.numbers.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `len - rows * columns >= 0` and `columns - 1 >= 0`.
    fn example() -> Proof {
        let product = |count, factors: &[u8]| Product { count, factors: factors.to_vec() };
        Proof {
            numbers: vec![
                Number::Argument { arg: 0, offset: 8, size: 8 },
                Number::Blocks(1),
                Number::Threads(0),
            ],
            sums: vec![
                vec![product(1, &[0]), product(-1, &[1, 2])],
                vec![product(1, &[2]), product(-1, &[])],
            ],
        }
    }

    #[test]
    fn sums_are_calculated() {
        let holds = |len: u64, rows: u64, columns: u64| {
            example().holds(|number| match number {
                Number::Argument { .. } => len,
                Number::Blocks(_) => rows,
                Number::Threads(_) => columns,
            })
        };
        assert!(holds(12, 3, 4) && holds(13, 3, 4) && !holds(11, 3, 4));
        assert!(holds(0, 0, 1) && !holds(0, 0, 0));
        assert!(holds(i64::MAX as u64, 1 << 31, 1 << 31));
        // Neither a number nor a product wraps around.
        assert!(!holds(1 << 63, 3, 4) && !holds(u64::MAX, 3, 4));
        assert!(!holds(i64::MAX as u64, 1 << 32, 1 << 31) && !holds(12, 1 << 63, 2));
    }
}
