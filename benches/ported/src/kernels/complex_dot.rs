//! Scalar products of complex numbers, a partial sum a block: a loop with the grid's stride, then a tree.

use crate::prelude::*;

/// A complex number.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C, align(8))]
pub struct Complex {
    re: f32,
    im: f32,
}

forms! {
    /// 256 threads a block.
    #[kernel]
    pub fn complex_dot(
        n: i32,
        x: &[Complex],
        y: &[Complex],
        mut re_sums: Parts<f32, by::BlockLeader>,
        mut im_sums: Parts<f32, by::BlockLeader>,
        phase: Phase,
    ) {
        let re = phased!([f32; 256]);
        let im = phased!([f32; 256]);
        let mut writing = phase;
        let t = thread::x() as Ix;
        let mut sum = Complex { re: 0.0, im: 0.0 };
        let mut i = (block::x() * block::dim_x() + thread::x()) as Ix;
        let stride = (block::dim_x() * grid::dim_x()) as Ix;
        while i < n as Ix {
            let (a, b) = (at!(x, i), at!(y, i));
            sum.re += a.re * b.re + a.im * b.im;
            sum.im += a.re * b.im - a.im * b.re;
            i += stride;
        }
        let mut half = 128;
        while half > 0 {
            re.set(&mut writing, [0], sum.re);
            im.set(&mut writing, [0], sum.im);
            let reading = writing.sync();
            if t < half {
                sum.re += at!(re.as_ref(&reading), t + half);
                sum.im += at!(im.as_ref(&reading), t + half);
            }
            writing = reading.sync();
            half /= 2;
        }
        if let (Some(re), Some(im)) = (re_sums.own(), im_sums.own()) {
            *re = sum.re;
            *im = sum.im;
        }
    }
}

/// 2^24 numbers.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, blocks) = (run.size(1 << 24, 5000), run.size(1024, 4));
    let mut complex = || -> Vec<Complex> {
        run.floats(2 * n).as_chunks().0.iter().map(|&[re, im]| Complex { re, im }).collect()
    };
    let (x, y) = (complex(), complex());
    let mut want = [vec![0.0f64; blocks], vec![0.0f64; blocks]];
    for (i, (a, b)) in x.iter().zip(&y).enumerate() {
        let [a_re, a_im, b_re, b_im] = [a.re, a.im, b.re, b.im].map(f64::from);
        let block = i / 256 % blocks;
        want[0][block] += a_re * b_re + a_im * b_im;
        want[1][block] += a_re * b_im - a_im * b_re;
    }
    let [re, im] = want.map(|sums| {
        let want = sums.into_iter().map(|sum| sum as f32).collect();
        Output::new(&vec![f32::NAN; blocks], want).map(|output| output.within(1e-3))
    });
    let (re, im) = (re?, im?);
    let (x, y) = (DeviceBuffer::from_slice(&x)?, DeviceBuffer::from_slice(&y)?);
    compare!(
        run,
        [&re, &im],
        complex_dot,
        blocks,
        256,
        (n as i32, &x, &y, &mut *re.buffer(), &mut *im.buffer(), shared::PHASES)
    )
}
