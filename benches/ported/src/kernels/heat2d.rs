//! A step of the heat equation on a 2-D array that threads number as one: rows are quotients.

use crate::prelude::*;

forms! {
    /// One thread an element; the border stays as it is.
    #[kernel]
    pub fn heat2d(width: i32, height: i32, rate: f32, old: &[f32], mut new: Disjoint<f32>) {
        let own = thread::index_1d();
        let Some(new) = new.get_mut(own) else { return };
        let i = own.get() as Ix;
        let (w, h) = (width as Ix, height as Ix);
        let (x, y) = (i % w, i / w);
        if x == 0 || y == 0 || x == w - 1 || y == h - 1 {
            *new = at!(old, i);
            return;
        }
        let around = at!(old, i - 1) + at!(old, i + 1) + at!(old, i - w) + at!(old, i + w);
        *new = at!(old, i) + rate * (around - 4.0 * at!(old, i));
    }
}

/// 8000x8000.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h) = (run.size(8000, 61), run.size(8000, 33));
    let old = run.floats(w * h);
    let rate = 0.2;
    let want = (0..h).flat_map(|y| (0..w).map(move |x| (x, y))).map(|(x, y)| {
        let at = |x: usize, y: usize| old[y * w + x];
        match x == 0 || y == 0 || x + 1 == w || y + 1 == h {
            true => at(x, y),
            false => {
                let around = at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1);
                at(x, y) + rate * (around - 4.0 * at(x, y))
            }
        }
    });
    let new = Output::new(&vec![f32::NAN; w * h], want.collect())?.within(1e-5);
    let old = DeviceBuffer::from_slice(&old)?;
    compare!(
        run,
        [&new],
        heat2d,
        (w * h).div_ceil(256),
        256,
        (w as i32, h as i32, rate, &old, &mut *new.buffer())
    )
}
