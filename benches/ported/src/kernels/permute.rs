//! The axes of a tensor in another order, with strides that are known at run time only.

use crate::prelude::*;

forms! {
    /// `output` in its own order is `input` at these strides. One thread an element; the axes have `n0`, `n1` and `n2`.
    #[kernel]
    pub fn permute(
        n0: i32,
        n1: i32,
        n2: i32,
        stride0: i32,
        stride1: i32,
        stride2: i32,
        input: &[f32],
        mut output: Disjoint<f32>,
    ) {
        let own = thread::index_1d();
        let Some(output) = output.get_mut(own) else { return };
        let i = own.get() as Ix;
        let (n1, n2) = (n1 as Ix, n2 as Ix);
        let i2 = i % n2;
        let i1 = i / n2 % n1;
        let i0 = i / (n1 * n2);
        if i0 < n0 as Ix {
            *output = at!(input, i0 * stride0 as Ix + i1 * stride1 as Ix + i2 * stride2 as Ix);
        }
    }
}

/// 256x512x256 to 512x256x256.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let [a, b, c] = [run.size(256, 9), run.size(512, 14), run.size(256, 11)];
    let input = run.floats(a * b * c);
    let mut want = Vec::new();
    for j in 0..b {
        for k in 0..c {
            want.extend((0..a).map(|i| input[(i * b + j) * c + k]));
        }
    }
    let output = Output::new(&vec![f32::NAN; input.len()], want)?;
    let input = DeviceBuffer::from_slice(&input)?;
    let [n, stride] = [[b, c, a], [c, 1, b * c]].map(|axes| axes.map(|axis| axis as i32));
    compare!(
        run,
        [&output],
        permute,
        (a * b * c).div_ceil(256),
        256,
        (n[0], n[1], n[2], stride[0], stride[1], stride[2], &input, &mut *output.buffer())
    )
}
