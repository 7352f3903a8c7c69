//! Running sums of each block as an up-sweep and a down-sweep (Blelloch 1990), in shared memory with one element
//! of padding after every 32, after GPU Gems 3.

use crate::prelude::*;

forms! {
    /// Where element `i` is, so that a tree's levels lie in different banks.
    #[inline(always)]
    fn padded(i: Ix) -> Ix {
        i + (i >> 5)
    }

    /// The sums before each element, of 512 elements a block, by 256 threads.
    #[kernel]
    pub fn scan_tree(input: &[f32], mut output: Parts<f32, by::Tile<by::Block, 512, by::ThreadInBlock>>) {
        let sums = cells!([f32; 528], 0.0);
        let t = thread::x() as Ix;
        let start = block::x() as Ix * 512;
        let (a, b) = (t, t + 256);
        set!(sums, padded(a), at!(input, start + a));
        set!(sums, padded(b), at!(input, start + b));
        let mut offset = 1;
        let mut d = 256;
        while d > 0 {
            block::sync();
            if t < d {
                let from = padded(offset * (2 * t + 1) - 1);
                let to = padded(offset * (2 * t + 2) - 1);
                set!(sums, to, get!(sums, to) + get!(sums, from));
            }
            offset *= 2;
            d >>= 1;
        }
        if t == 0 {
            set!(sums, padded(511), 0.0);
        }
        d = 1;
        while d < 512 {
            offset >>= 1;
            block::sync();
            if t < d {
                let from = padded(offset * (2 * t + 1) - 1);
                let to = padded(offset * (2 * t + 2) - 1);
                let left = get!(sums, from);
                set!(sums, from, get!(sums, to));
                set!(sums, to, get!(sums, to) + left);
            }
            d *= 2;
        }
        block::sync();
        let mut own = output.part();
        own!(own, [0]) = get!(sums, padded(a));
        own!(own, [1]) = get!(sums, padded(b));
    }
}

/// 2^24 elements.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let n = run.size(1 << 24, 3 * 512);
    let input = run.floats(n);
    let mut want = Vec::new();
    for part in input.chunks(512) {
        let mut sum = 0.0;
        for x in part {
            want.push(sum as f32);
            sum += f64::from(*x);
        }
    }
    let output = Output::new(&vec![f32::NAN; n], want)?.within(1e-4);
    let input = DeviceBuffer::from_slice(&input)?;
    compare!(run, [&output], scan_tree, n / 512, 256, (&input, &mut *output.buffer()))
}
