//! Questions about a launch, which the host answers, so that a kernel need not check its indices.

use serde::{Deserialize, Serialize};

use crate::layout::Layout;

/// The most numbers that a proof is about.
pub const MAX_NUMBERS: usize = 32;

/// Conditions on a launch under which some of its kernel's checks can't fail: the [level](Proof::level) of the launch selects its
/// [code](crate::Code::proved).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// The numbers that products refer to.
    pub numbers: Vec<Number>,
    /// Quotients of the numbers, and of the quotients before them. Their indices follow those of the numbers.
    pub quotients: Vec<Quotient>,
    /// The conditions of each level, in addition to those of the levels before it: sums that must not be negative.
    pub levels: Vec<Vec<Vec<Product>>>,
}

/// A quotient of two sums, rounded down. It is defined if the dividend is not negative and the divisor is positive.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quotient {
    /// What is divided.
    pub dividend: Vec<Product>,
    /// What it is divided by.
    pub divisor: Vec<Product>,
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
    /// Indices of numbers and quotients.
    pub factors: Vec<u8>,
}

impl Proof {
    /// How many levels hold, counted from the first until one does not, where `value` returns the value of a number. A level does
    /// not hold if one of its conditions overflows an `i64` or uses a [`Quotient`] that is not defined.
    #[inline]
    pub fn level(&self, value: impl Fn(&Number) -> u64) -> u32 {
        let mut numbers = self.numbers.iter();
        self.level_for(|| numbers.next().map_or(0, &value))
    }

    /// The same, where `next` returns the values of the numbers one after the other.
    #[inline]
    pub fn level_for(&self, mut next: impl FnMut() -> u64) -> u32 {
        let mut values = [None; MAX_NUMBERS];
        for place in values.iter_mut().take(self.numbers.len()) {
            *place = i64::try_from(next()).ok();
        }
        for (index, quotient) in (self.numbers.len()..MAX_NUMBERS).zip(&self.quotients) {
            let of = |products| sum(products, &values);
            let parts = of(&quotient.dividend).zip(of(&quotient.divisor));
            let parts = parts.filter(|(dividend, divisor)| *dividend >= 0 && *divisor > 0);
            values[index] = parts.map(|(dividend, divisor)| dividend / divisor);
        }
        let holds = |one: &Vec<Product>| sum(one, &values).is_some_and(|sum| sum >= 0);
        let levels = self.levels.iter();
        levels.take_while(|level| level.iter().all(holds)).count() as u32
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
        let known = self.numbers.len();
        let are_below = |end: usize, products: &[Product]| {
            products.iter().flat_map(|one| &one.factors).all(|index| usize::from(*index) < end)
        };
        let end = known + self.quotients.len();
        let quotients = (known..).zip(&self.quotients);
        end <= MAX_NUMBERS
            && self.numbers.iter().all(is_number)
            && quotients.into_iter().all(|(own, Quotient { dividend, divisor })| {
                are_below(own, dividend) && are_below(own, divisor)
            })
            && self.levels.iter().flatten().all(|sum| are_below(end, sum))
    }
}

/// The sum of products of values, if all are known and nothing overflows.
fn sum(products: &[Product], values: &[Option<i64>; MAX_NUMBERS]) -> Option<i64> {
    products.iter().try_fold(0i64, |all, product| {
        let mut factors = product.factors.iter();
        let one = factors.try_fold(product.count, |all, &index| {
            all.checked_mul(*values.get(usize::from(index))?.as_ref()?)
        });
        all.checked_add(one?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(count: i64, factors: &[u8]) -> Product {
        Product { count, factors: factors.to_vec() }
    }

    /// `len - rows * columns >= 0`, and, in the second level, `columns - 1 >= 0` and `len / columns - 5 >= 0`.
    fn example() -> Proof {
        Proof {
            numbers: vec![
                Number::Argument { arg: 0, offset: 8, size: 8 },
                Number::Blocks(1),
                Number::Threads(0),
            ],
            quotients: vec![Quotient {
                dividend: vec![product(1, &[0])],
                divisor: vec![product(1, &[2])],
            }],
            levels: vec![
                vec![vec![product(1, &[0]), product(-1, &[1, 2])]],
                vec![
                    vec![product(1, &[2]), product(-1, &[])],
                    vec![product(1, &[3]), product(-5, &[])],
                ],
            ],
        }
    }

    #[test]
    fn levels_are_calculated() {
        let level = |len: u64, rows: u64, columns: u64| {
            example().level(|number| match number {
                Number::Argument { .. } => len,
                Number::Blocks(_) => rows,
                Number::Threads(_) => columns,
            })
        };
        assert_eq!([level(11, 3, 4), level(12, 3, 4), level(19, 3, 4)], [0, 1, 1]);
        assert_eq!([level(20, 3, 4), level(23, 6, 4)], [2, 0]);
        assert_eq!([level(0, 0, 1), level(5, 0, 1), level(0, 0, 0)], [1, 2, 1]);
        assert_eq!(level(i64::MAX as u64, 1 << 31, 1 << 31), 2);
        // Neither a number nor a product wraps around.
        assert_eq!([level(1 << 63, 3, 4), level(u64::MAX, 3, 4)], [0, 0]);
        assert_eq!([level(i64::MAX as u64, 1 << 32, 1 << 31), level(12, 1 << 63, 2)], [0, 0]);
    }

    #[test]
    fn quotients_refer_to_what_is_before_them() {
        let args = [Layout { size: 16, align: 8, fingerprint: 0 }];
        assert!(example().is_whole(&args));
        let mut own = example();
        own.quotients[0].divisor = vec![product(1, &[3])];
        assert!(!own.is_whole(&args));
        let mut beyond = example();
        beyond.levels[1][0][0].factors = vec![4];
        assert!(!beyond.is_whole(&args));
    }
}
