//! Many tridiagonal systems by Thomas's algorithm, interleaved: row `i` of system `s` is at `i * systems + s`, after
//! cuSPARSE's interleaved batches and HeCBench's thomas.

use crate::prelude::*;
use std::cell::RefCell;

/// A thread owns a column: its system.
type Columns = (by::Whole, by::Thread);

forms! {
    /// One thread a system `a[i] x[i - 1] + b[i] x[i] + c[i] x[i + 1] = d[i]`. `ratio` is scratch.
    #[kernel]
    pub fn thomas_batch(
        rows: i32,
        systems: i32,
        a: &[f64],
        b: &[f64],
        c: &[f64],
        d: &[f64],
        mut ratio: Parts<f64, Columns, 2>,
        mut x: Parts<f64, Columns, 2>,
    ) {
        let s = (block::x() * block::dim_x() + thread::x()) as i32;
        if s >= systems {
            return;
        }
        let (mut ratio, mut x) = (ratio.part(), x.part());
        let mut before = at!(c, s) / at!(b, s);
        let mut value = at!(d, s) / at!(b, s);
        own!(ratio, [0, 0]) = before;
        own!(x, [0, 0]) = value;
        for i in 1..rows {
            let k = i * systems + s;
            let scale = 1.0 / (at!(b, k) - at!(a, k) * before);
            before = at!(c, k) * scale;
            value = (at!(d, k) - at!(a, k) * value) * scale;
            own!(ratio, [i as Ix as usize, 0]) = before;
            own!(x, [i as Ix as usize, 0]) = value;
        }
        for i in (0..rows - 1).rev() {
            value = own!(x, [i as Ix as usize, 0]) - own!(ratio, [i as Ix as usize, 0]) * value;
            own!(x, [i as Ix as usize, 0]) = value;
        }
    }
}

/// 2^16 systems of 128 equations, made from their solutions.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (rows, systems) = (run.size(128, 17), run.size(1 << 16, 300));
    let len = rows * systems;
    let (a, c) = (run.rng.vec_f64(len), run.rng.vec_f64(len));
    let b: Vec<f64> = run.rng.vec_f64(len).into_iter().map(|x| x + 4.0).collect();
    let want = run.rng.vec_f64(len);
    let d: Vec<f64> = (0..len)
        .map(|k| {
            let before = k.checked_sub(systems).map_or(0.0, |k| want[k]);
            let after = want.get(k + systems).map_or(0.0, |x| *x);
            a[k] * before + b[k] * want[k] + c[k] * after
        })
        .collect();
    let x = Output::new(&vec![f64::NAN; len], want)?.within(1e-12);
    let ratio = RefCell::new(DeviceBuffer::<f64>::zeroed(len)?);
    let scratch = ratio.borrow().device_address();
    let (a, b) = (DeviceBuffer::from_slice(&a)?, DeviceBuffer::from_slice(&b)?);
    let (c, d) = (DeviceBuffer::from_slice(&c)?, DeviceBuffer::from_slice(&d)?);
    compare!(
        run,
        [&x],
        thomas_batch,
        systems.div_ceil(128),
        128,
        (
            rows as i32,
            systems as i32,
            &a,
            &b,
            &c,
            &d,
            ratio.borrow_mut().view_mut([rows, systems]) => scratch,
            x.buffer().view_mut([rows, systems]) => x.address()
        )
    )
}
