//! A product with its matrices in memory.

use crate::number::{Number, pack};
use ptyx::device::DeviceCopy;
use ptyx::device::mma::Layout;
use ptyx::prelude::*;
use ptyx_test_support::Rng;

/// The device's compute capability: 90 for 9.0.
pub fn capability() -> u32 {
    let (major, minor) = Device::current().unwrap().compute_capability();
    major * 10 + minor
}

/// A matrix: its elements as bits, row after row, and where they lie in a buffer.
#[derive(Clone, Debug)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    /// Bits of the elements, row after row.
    pub elements: Vec<u64>,
    layout: Layout,
    by_rows: bool,
    start: usize,
    stride: usize,
}

impl Matrix {
    /// Elements that `element` makes, at a random place with random gaps.
    pub fn new(
        rng: &mut Rng,
        [rows, columns]: [usize; 2],
        mut element: impl FnMut(&mut Rng, usize, usize) -> u64,
    ) -> Matrix {
        let mut elements = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                elements.push(element(rng, row, column));
            }
        }
        let by_rows = rng.below(2) == 0;
        // Often at multiples of what is loaded at once.
        let step = [1, 1, 2, 32][rng.below(4)];
        let least: usize = if by_rows { columns } else { rows };
        let stride = least.next_multiple_of(step) + step * rng.below(3);
        let start = step * rng.below(4);
        let layout = if by_rows { Layout::row_major(stride) } else { Layout::column_major(stride) };
        let layout = layout.from(start);
        Matrix { rows, columns, elements, layout, by_rows, start, stride }
    }

    /// The place of an element.
    pub fn place(&self, row: usize, column: usize) -> usize {
        let (major, minor) = if self.by_rows { (row, column) } else { (column, row) };
        self.start + major * self.stride + minor
    }

    /// How many elements the buffer has.
    pub fn extent(&self) -> usize {
        self.place(self.rows - 1, self.columns - 1) + 1
    }

    /// The buffer's content. Gaps are filled with `gap`.
    pub fn packed<T: Number>(&self, gap: u64) -> Vec<T::Unit> {
        let mut all = vec![gap; self.extent()];
        for row in 0..self.rows {
            for column in 0..self.columns {
                all[self.place(row, column)] = self.elements[row * self.columns + column];
            }
        }
        pack::<T>(&all)
    }

    fn number<T: Number>(&self, row: usize, column: usize) -> f64 {
        T::number(self.elements[row * self.columns + column])
    }
}

/// The factors and the sums before a product.
#[derive(Clone, Debug)]
pub struct Case {
    /// The left factor.
    pub a: Matrix,
    /// The right factor.
    pub b: Matrix,
    /// The sums before the product.
    pub c: Matrix,
}

impl Case {
    /// Random integers, so that sums are exact.
    pub fn integers<TA: Number, TB: Number, TC: Number>(
        rng: &mut Rng,
        [m, n, k]: [usize; 3],
    ) -> Case {
        fn one<T: Number>(rng: &mut Rng) -> u64 {
            let (least, most) = T::INTEGERS;
            T::bits((least + rng.below((most - least + 1) as usize) as i64) as f64)
        }
        Case {
            a: Matrix::new(rng, [m, k], |rng, _, _| one::<TA>(rng)),
            b: Matrix::new(rng, [k, n], |rng, _, _| one::<TB>(rng)),
            c: Matrix::new(rng, [m, n], |rng, _, _| one::<TC>(rng)),
        }
    }

    /// Rows by columns: the sum of `combine`d elements plus the sum before, and the sum of their magnitudes.
    pub fn sums<TA: Number, TB: Number, TC: Number>(
        &self,
        combine: fn(f64, f64) -> f64,
    ) -> Vec<(f64, f64)> {
        let mut out = Vec::new();
        for row in 0..self.a.rows {
            for column in 0..self.b.columns {
                let start = self.c.number::<TC>(row, column);
                let (mut sum, mut magnitude) = (start, start.abs());
                for k in 0..self.a.columns {
                    let product =
                        combine(self.a.number::<TA>(row, k), self.b.number::<TB>(k, column));
                    sum += product;
                    magnitude += product.abs();
                }
                out.push((sum, magnitude));
            }
        }
        out
    }

    /// The elements of a result that lies where C lay, row after row.
    pub fn result<T: Copy>(&self, buffer: &[T]) -> Vec<T> {
        let columns = self.c.columns;
        let place = |index: usize| self.c.place(index / columns, index % columns);
        (0..self.c.rows * columns).map(|index| buffer[place(index)]).collect()
    }

    /// Runs a product: `launch` gets A, B, C and the buffer for the result, which starts as C.
    pub fn run<TA: Number, TB: Number, TC: Number>(
        &self,
        launch: impl Fn(
            &DeviceBuffer<TA::Unit>,
            &DeviceBuffer<TB::Unit>,
            &DeviceBuffer<TC::Unit>,
            &mut DeviceBuffer<TC::Unit>,
            [Layout; 3],
        ),
    ) -> Vec<TC::Unit> {
        let a = buffer(&self.a.packed::<TA>(TA::bits(1.0)));
        let b = buffer(&self.b.packed::<TB>(TB::bits(1.0)));
        let c = self.c.packed::<TC>(TC::bits(1.0));
        let (c, mut d) = (buffer(&c), buffer(&c));
        launch(&a, &b, &c, &mut d, [self.a.layout, self.b.layout, self.c.layout]);
        self.result(&d.to_vec().unwrap())
    }
}

fn buffer<T: DeviceCopy>(elements: &[T]) -> DeviceBuffer<T> {
    DeviceBuffer::from_slice(elements).unwrap()
}
