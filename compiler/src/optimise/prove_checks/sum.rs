//! Sums of products of numbers.

use std::collections::BTreeMap;

/// The most products of a sum.
const MAX_PRODUCTS: usize = 12;

/// The most numbers that are multiplied with each other.
const MAX_FACTORS: usize = 4;

/// The largest count of a product.
const MAX_COUNT: u64 = 1 << 60;

/// Products of numbers that are not negative, each with how often it is counted. The numbers are known by their index; the product
/// of none is one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum(BTreeMap<Vec<usize>, i64>);

impl Sum {
    pub(super) fn number(number: i64) -> Sum {
        Sum(BTreeMap::from([(Vec::new(), number)])).tidy()
    }

    pub(super) fn variable(index: usize) -> Sum {
        Sum(BTreeMap::from([(vec![index], 1)]))
    }

    /// One product.
    pub(super) fn product(factors: Vec<usize>, count: i64) -> Sum {
        Sum(BTreeMap::from([(factors, count)])).tidy()
    }

    fn tidy(mut self) -> Sum {
        self.0.retain(|_, count| *count != 0);
        self
    }

    /// This and so many times the other; `None` if that is too large to go on with.
    pub(super) fn plus(&self, other: &Sum, times: i64) -> Option<Sum> {
        let mut all = self.clone();
        for (product, count) in &other.0 {
            let total = all.0.entry(product.clone()).or_insert(0);
            *total = total.checked_add(count.checked_mul(times)?)?;
        }
        let all = all.tidy();
        let is_small =
            all.0.len() <= MAX_PRODUCTS && all.0.values().all(|c| c.unsigned_abs() <= MAX_COUNT);
        is_small.then_some(all)
    }

    pub(super) fn times(&self, other: &Sum) -> Option<Sum> {
        let mut all = Sum::default();
        for (factors, count) in &self.0 {
            for (more, by) in &other.0 {
                let mut both = [&factors[..], more].concat();
                if both.len() > MAX_FACTORS {
                    return None;
                }
                both.sort_unstable();
                all = all.plus(&Sum::product(both, count.checked_mul(*by)?), 1)?;
            }
        }
        Some(all)
    }

    /// What is left of each product where it is divided by a number; `None` if that is no factor of all.
    pub(super) fn divided(&self, by: &Sum) -> Option<Sum> {
        let mut divisor = by.0.iter();
        let (Some((factors, divided_by)), None) = (divisor.next(), divisor.next()) else {
            return None;
        };
        let mut all = Sum::default();
        for (product, count) in &self.0 {
            let mut left = product.clone();
            for factor in factors {
                left.remove(left.iter().position(|one| one == factor)?);
            }
            if *divided_by <= 0 || count % divided_by != 0 {
                return None;
            }
            all = all.plus(&Sum::product(left, count / divided_by), 1)?;
        }
        Some(all)
    }

    /// A sum that is not negative exactly where this one is not: it is divided by what divides all coefficients, and rounded down.
    pub(super) fn reduced(&self) -> Sum {
        let counts = self.0.iter().filter(|(factors, _)| !factors.is_empty());
        let common = counts.fold(0, |common, (_, count)| gcd(common, count.unsigned_abs()));
        let Some(common) = i64::try_from(common).ok().filter(|common| *common > 1) else {
            return self.clone();
        };
        let all = self.0.iter().map(|(factors, count)| (factors.clone(), count.div_euclid(common)));
        Sum(all.collect()).tidy()
    }

    pub(super) fn products(&self) -> impl Iterator<Item = (&[usize], i64)> {
        self.0.iter().map(|(factors, count)| (&factors[..], *count))
    }

    /// The number that is added to the products of others.
    pub(super) fn constant(&self) -> i64 {
        self.0.get(&[][..]).copied().unwrap_or(0)
    }

    /// The same without it.
    pub(super) fn without_constant(&self) -> Sum {
        let mut rest = self.clone();
        rest.0.remove(&[][..]);
        rest
    }

    /// The number that it is, if it is one.
    pub(super) fn as_number(&self) -> Option<i64> {
        self.without_constant().0.is_empty().then(|| self.constant())
    }

    /// The variable that it is, and what is added to it.
    pub(super) fn as_moved(&self) -> Option<(usize, i64)> {
        let rest = self.without_constant();
        let mut products = rest.products();
        match (products.next(), products.next()) {
            (Some((&[index], 1)), None) => Some((index, self.constant())),
            _ => None,
        }
    }

    /// What is added, and what is subtracted from it.
    pub(super) fn sides(&self) -> [Sum; 2] {
        let side = |sign: i64| {
            let own = self.0.iter().filter(|(_, count)| count.signum() == sign);
            Sum(own.map(|(product, count)| (product.clone(), count * sign)).collect())
        };
        [side(1), side(-1)]
    }

    /// Whether nothing is subtracted, so that it is no negative number, whatever the variables are.
    pub(super) fn is_positive(&self) -> bool {
        self.0.values().all(|count| *count > 0)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::Sum;

    /// `2ab - 3a + 5` of `a`, `b`.
    fn example() -> Sum {
        let ab = Sum::product(vec![0, 1], 2);
        ab.plus(&Sum::variable(0), -3).unwrap().plus(&Sum::number(5), 1).unwrap()
    }

    fn value(sum: &Sum, of: &[i64]) -> i64 {
        let product =
            |(f, count): (&[usize], i64)| f.iter().map(|i| of[*i]).product::<i64>() * count;
        sum.products().map(product).sum()
    }

    #[test]
    fn sums_are_calculated_like_their_values() {
        let (a, b) = (example(), Sum::variable(1).plus(&Sum::number(-7), 1).unwrap());
        for of in [[0, 0], [3, 4], [11, 2]] {
            let (x, y) = (value(&a, &of), value(&b, &of));
            assert_eq!(value(&a.plus(&b, -4).unwrap(), &of), x - 4 * y);
            assert_eq!(value(&a.times(&b).unwrap(), &of), x * y);
        }
    }

    #[test]
    fn only_factors_of_all_products_divide() {
        let a = Sum::variable(0);
        assert_eq!(example().divided(&a), None, "5 is no multiple");
        let all = example().without_constant();
        let half = Sum::product(vec![1], 2).plus(&Sum::number(-3), 1).unwrap();
        assert_eq!(all.divided(&a), Some(half));
        assert_eq!(all.divided(&Sum::number(2)), None);
        assert_eq!(
            Sum::product(vec![1], 6).divided(&Sum::number(2)),
            Some(Sum::product(vec![1], 3))
        );
        assert_eq!(all.divided(&Sum::number(0)), None);
    }

    #[test]
    fn a_difference_of_equals_is_nothing() {
        assert_eq!(example().plus(&example(), -1).unwrap().as_number(), Some(0));
        assert!(Sum::default().is_positive());
        assert!(!example().is_positive());
        assert_eq!(Sum::variable(3).plus(&Sum::number(-2), 1).unwrap().as_moved(), Some((3, -2)));
        assert_eq!(example().as_moved(), None);
    }

    #[test]
    fn what_is_counted_in_common_is_left_out() {
        let sum = |constant| {
            let both = Sum::product(vec![0], 6).plus(&Sum::product(vec![1, 1], -4), 1).unwrap();
            both.plus(&Sum::number(constant), 1).unwrap()
        };
        for (constant, half) in [(5, 2), (0, 0), (-1, -1), (-4, -2)] {
            let reduced = sum(constant).reduced();
            assert_eq!(reduced.constant(), half);
            for of in [[0, 0], [1, 1], [2, 2], [3, 2], [1, 2]] {
                assert_eq!(value(&reduced, &of) >= 0, value(&sum(constant), &of) >= 0);
            }
        }
        assert_eq!(example().reduced(), example());
        assert_eq!(Sum::number(-7).reduced(), Sum::number(-7));
    }

    #[test]
    fn what_is_subtracted_is_a_sum_of_its_own() {
        let [more, less] = example().sides();
        assert!(more.is_positive() && less.is_positive());
        assert_eq!(more.plus(&less, -1), Some(example()));
        assert_eq!(less, Sum::product(vec![0], 3));
    }

    #[test]
    fn what_is_too_large_is_given_up() {
        let mut sum = Sum::variable(0);
        assert!(sum.plus(&Sum::number(1 << 61), 1).is_none());
        assert!(sum.plus(&Sum::number(i64::MAX), 2).is_none());
        assert!(sum.plus(&Sum::number(i64::MIN), 1).is_none());
        for _ in 0..3 {
            sum = sum.times(&Sum::variable(1)).unwrap();
        }
        assert!(sum.times(&Sum::variable(1)).is_none());
    }
}
