//! The product of two square matrices: its time, and whether it is the host's.

use crate::Error;
use crate::bench::{self, Times};
use crate::random::Rng;

/// Entries that are compared of a large matrix.
const SAMPLE: usize = 4096;

/// The largest matrix of which every entry is compared, in rows.
const SMALL: usize = 512;

/// How long a product took.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    once_ms: f64,
    many: Option<Times>,
}

impl Timed {
    /// Runs `launch`, and times it: once, and many times for a benchmark.
    ///
    /// # Errors
    /// Those of `launch` and of the events.
    pub fn run(
        benchmark: bool,
        mut launch: impl FnMut() -> ptyx::Result<()>,
    ) -> ptyx::Result<Timed> {
        // The first launch assembles the kernel.
        launch()?;
        let once_ms = bench::time_once(&mut launch)?;
        let many = if benchmark { Some(bench::time_launches(&mut launch)?) } else { None };
        Ok(Timed { once_ms, many })
    }

    /// Prints the time of a product of `n` x `n`, whose result has been checked: as a benchmark of the program `name`
    /// with elements of this type, or `how` it was multiplied.
    pub fn report(&self, name: &str, element: &str, n: usize, how: &str) {
        let flop = 2.0 * (n as f64).powi(3);
        match self.many {
            Some(times) => bench::report(&format!("{name}_{element}"), n, times, flop, "GFLOP/s"),
            None => println!(
                "{name}: {n} x {n}{how} in {:.3} ms, {:.1} GFLOP/s; equal to the host's result",
                self.once_ms,
                flop * 1e-6 / self.once_ms
            ),
        }
    }
}

/// Compares a product of `n` x `n` with sums in f64: all of it, or entries drawn at random if it is large. `left` and
/// `right` are the factors' elements by row and column, `got` is the product's. `tolerance` says how far from a sum the
/// product may be, from the sum and that of the terms' magnitudes.
///
/// # Errors
/// An entry is farther off, or is NaN.
pub fn check(
    n: usize,
    left: impl Fn(usize, usize) -> f64,
    right: impl Fn(usize, usize) -> f64,
    got: impl Fn(usize, usize) -> f64,
    tolerance: impl Fn(f64, f64) -> f64,
    rng: &mut Rng,
) -> Result<(), Error> {
    let all = n <= SMALL;
    for entry in 0..if all { n * n } else { SAMPLE } {
        let entry = if all { entry } else { (rng.next_u64() % (n * n) as u64) as usize };
        let (row, column) = (entry / n, entry % n);
        let (mut want, mut size) = (0.0, 0.0);
        for k in 0..n {
            let product = left(row, k) * right(k, column);
            want += product;
            size += product.abs();
        }
        let got = got(row, column);
        let is_close = (got - want).abs() <= tolerance(want, size);
        if !is_close {
            return Err(format!("row {row}, column {column} is {got}, not {want}").into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_entry_is_found() {
        let (left, right) = (
            |row: usize, k: usize| (row * 3 + k) as f64,
            |k: usize, column: usize| (k + column) as f64 - 2.0,
        );
        let product = |row: usize, column: usize| {
            (0..3).map(|k| left(row, k) * right(k, column)).sum::<f64>()
        };
        let compare = |got: &dyn Fn(usize, usize) -> f64| {
            check(3, left, right, got, |_, size| 1e-9 * size, &mut Rng::new(1))
        };
        compare(&product).unwrap();
        for wrong in [f64::NAN, 7.5] {
            let got =
                |row, column| if (row, column) == (2, 1) { wrong } else { product(row, column) };
            let error = compare(&got).unwrap_err().to_string();
            assert_eq!(error, format!("row 2, column 1 is {wrong}, not {}", product(2, 1)));
        }
    }
}
